// The server's API: types of what it sends, and how to ask.

import { refusal } from './i18n.js';

/** @typedef {[number, number]} Point */
/**
 * @typedef {{ name: string, outline: Point[], centre: Point, row: number, tone: 'plain' | 'alternate' | 'bare', goal?:
 * number }} Cell
 */
/**
 * @typedef {{ frame: string, plain: string, alternate: string, line: string, label: string, stones: [string, string] }}
 * Palette
 */
/**
 * @typedef {{ game: string, title: string, ruleset: string, sides: [string, string], palette: Palette, size: Point,
 * cells: Cell[], lines: [Point, Point][], dots: Point[], labels: { text: string, at: Point }[], stone_radius: number }}
 * Geometry
 */
/** @typedef {{ text: string, path: number[] }} Choice */
/** @typedef {{ winner: number | null, reason: string }} Outcome */
/**
 * @typedef {{ ply: number, to_move: number, text: string, choices: Choice[], tallies: { name: string, values: [number,
 * number] }[], winning: number[], outcome: Outcome | null }} Position
 */
/** @typedef {{ text: string | null, by: number | null, stones: string, marks: number[] }} Ply */
/**
 * @typedef {{ name: string, summary: string, repetition: number, plies: number, first: null | number | 'random' }}
 * Ruleset
 */
/**
 * @typedef {{ name: string, title: string, summary: string, sides: [string, string], palette: Palette, rulesets:
 * Ruleset[], agents: string[] }} About
 */
/** @typedef {{ version: string, lists_all: boolean, contests: boolean, games: About[] }} Catalogue */
/**
 * @typedef {{ position: Position, left: [number, number] | null, running: boolean, thinking: boolean, outcome: Outcome
 * | null, offers: { draw: number | null, undo: number | null, rematch: [boolean, boolean] }, successor: string | null,
 * paused: boolean, delay: number }} Now
 */
/** @typedef {{ name: string, engine: string | null, taken: boolean }} SeatView */
/**
 * @typedef {{ type: 'game', id: string, game: string, ruleset: string, start: string, created: number, clock: {
 * initial: number, increment: number } | null, seats: [SeatView, SeatView], controlled: boolean, held: { seats:
 * [boolean, boolean], control: boolean } | null, plies: Ply[], now: Now }} Game
 */
/** @typedef {{ game: string, ruleset: string, start: string, plies: Ply[], position: Position }} Line */
/** @typedef {{ game: string, ruleset?: string, position?: string, moves?: string }} LineWanted */
/**
 * @typedef {{ id: string, game: string, ruleset: string, created: number, updated: number, seats: [{ name: string,
 * engine: string | null }, { name: string, engine: string | null }], plies: number, outcome: Outcome | null }} Listed
 */

/** What the server says when it refuses. */
export class Refusal extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {unknown} [body] @returns {Promise<any>} */
async function ask(path, body) {
  /** @type {RequestInit} */
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, options).catch(() => {
    throw new Refusal('offline', 0);
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(answer.code ? refusal(answer) : `${response.status}`, response.status);
  return answer;
}

/** @type {Promise<Catalogue> | null} */
let known = null;

/** The games. @returns {Promise<Catalogue>} */
export function catalogue() {
  known ??= ask('/api/catalogue').catch((error) => {
    known = null;
    throw error;
  });
  return /** @type {Promise<Catalogue>} */ (known);
}

/** What is known of a game. @param {string} name @returns {Promise<About>} */
export async function about(name) {
  const found = (await catalogue()).games.find((game) => game.name === name);
  if (!found) throw new Refusal(`there is no game ${name}`, 404);
  return found;
}

/** @type {Map<string, Promise<Geometry>>} */
const boards = new Map();

/** The board of a ruleset. @param {string} game @param {string} [ruleset] @returns {Promise<Geometry>} */
export function geometry(game, ruleset) {
  const query = new URLSearchParams(ruleset ? { game, ruleset } : { game }).toString();
  let board = boards.get(query);
  if (!board) {
    board = /** @type {Promise<Geometry>} */ (ask(`/api/board?${query}`));
    board.catch(() => boards.delete(query));
    boards.set(query, board);
  }
  return board;
}

/** Where a line of moves leads. @param {LineWanted} line @returns {Promise<Line>} */
export const openLine = (line) => ask('/api/position', line);

/** @param {unknown} wanted @returns {Promise<{ id: string, tokens: string[], invite: string | null }>} */
export const createGame = (wanted) => ask('/api/games', wanted);

/**
 * @param {string} id @param {string} invite @param {string} name @returns {Promise<{ id: string, tokens: string[] }>}
 */
export const joinGame = (id, invite, name) => ask(`/api/games/${encodeURIComponent(id)}/join`, { invite, name });

/** @param {string[]} [ids] @returns {Promise<{ games: Listed[] }>} */
export const listGames = (ids) => ask(ids ? `/api/games?ids=${encodeURIComponent(ids.join(','))}` : '/api/games');

/** @param {string} id @returns {Promise<Game>} */
export const getGame = (id) => ask(`/api/games/${encodeURIComponent(id)}`);

/**
 * @typedef {{ name: string, game: string | null, ruleset: string | null, limit: string | null, agents: number, updated:
 * number | null, ended: boolean }} Run
 */
/** @typedef {{ agent: number, name: string, wins: number, draws: number, losses: number, share: number }} Rank */
/**
 * @typedef {{ number: number, agents: [string, string], winner: 'first' | 'second' | 'draw', cause: string, line:
 * LineWanted }} Recent
 */
/**
 * @typedef {Run & { games: number, behind: boolean, reports: string[], table: Rank[], cross: [number, number, [number,
 * number, number]][], causes: Record<string, number>, recent: Recent[] }} Standing
 */

/**
 * The contests on the server's disk.
 * @returns {Promise<{ runs: Run[], reports: { name: string, updated: number | null }[] }>}
 */
export const listContests = () => ask('/api/contests');

/** @param {string} name @returns {Promise<Standing>} */
export const standingOf = (name) => ask(`/api/contests/standing?${new URLSearchParams({ name })}`);

/** The address of a report. @param {string} name */
export const reportAddress = (name) => `/api/contests/report?${new URLSearchParams({ name })}`;

/** The address of a picture. @param {LineWanted} line */
export function pictureAddress(line) {
  const query = new URLSearchParams(Object.entries(line).filter(([, value]) => value));
  return `/api/picture.svg?${query}`;
}
