// The server's API: types of what it sends, and how to ask.

import { request } from './backend.js';
import { isStatic } from './router.js';
import { refusal, t } from './i18n.js';

// The types are made from those of the server: see docs/API.md.
/** @typedef {import('../../types/api.js').About} About */
/** @typedef {import('../../types/api.js').Catalogue} Catalogue */
/** @typedef {import('../../types/api.js').Cell} Cell */
/** @typedef {import('../../types/api.js').Choice} Choice */
/** @typedef {import('../../types/api.js').Game} Game */
/** @typedef {import('../../types/api.js').Board} Geometry */
/** @typedef {import('../../types/api.js').Opened} Line */
/** @typedef {import('../../types/api.js').Line} LineWanted */
/** @typedef {import('../../types/api.js').Listed} Listed */
/** @typedef {import('../../types/api.js').Now} Now */
/** @typedef {import('../../types/api.js').Outcome} Outcome */
/** @typedef {import('../../types/api.js').Palette} Palette */
/** @typedef {import('../../types/api.js').Ply} Ply */
/** @typedef {import('../../types/api.js').Position} Position */
/** @typedef {import('../../types/api.js').Recent} Recent */
/** @typedef {import('../../types/api.js').Ruleset} Ruleset */
/** @typedef {import('../../types/api.js').Run} Run */
/** @typedef {import('../../types/api.js').Standing} Standing */
/** @typedef {Geometry['size']} Point */

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
  const { status, body: answer } = await request(path, body);
  if (status === 0) throw new Refusal(t('offline'), 0);
  if (status < 200 || status >= 300) throw new Refusal(answer.code ? refusal(answer) : `${status}`, status);
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

/**
 * The board of a ruleset. The address names its contents, so that a browser keeps it for ever.
 * @param {string} game @param {string} [ruleset] @returns {Promise<Geometry>}
 */
export async function geometry(game, ruleset) {
  const { rulesets } = await about(game);
  const known = rulesets.find(({ name }) => name === ruleset?.split(',')[0]) ?? rulesets[0];
  const parameters = new URLSearchParams({ game, ruleset: known.name });
  if (known.board) parameters.set('hash', known.board);
  const query = parameters.toString();
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

/**
 * The game that a pasted text stands for.
 * @param {import('../../types/api.js').Pasted} pasted @returns {Promise<Line>}
 */
export const importGame = (pasted) => ask('/api/import', pasted);

/**
 * The position that stones make.
 * @param {import('../../types/api.js').SetUp} wanted @returns {Promise<Line>}
 */
export const setUp = (wanted) => ask('/api/set-up', wanted);

/**
 * What the opening book knows of a position.
 * @param {LineWanted} line @returns {Promise<import('../../types/api.js').BookView>}
 */
export const bookOf = (line) => ask('/api/book', line);

/** @param {import('../../types/api.js').GameWanted} wanted @returns {Promise<import('../../types/api.js').Created>} */
export const createGame = (wanted) => ask('/api/games', wanted);

/**
 * @param {string} id @param {string} invite @param {string} name
 * @returns {Promise<import('../../types/api.js').Joined>}
 */
export const joinGame = (id, invite, name) => ask(`/api/games/${encodeURIComponent(id)}/join`, { invite, name });

/** @param {string} id @param {string[]} tokens @returns {Promise<unknown>} */
export const deleteGame = (id, tokens) => ask(`/api/games/${encodeURIComponent(id)}/delete`, { tokens });

/**
 * A code that gives seats to another device.
 * @param {string} id @param {string[]} tokens @returns {Promise<import('../../types/api.js').Code>}
 */
export const seatCode = (id, tokens) => ask(`/api/games/${encodeURIComponent(id)}/code`, { tokens });

/** @param {string} code @returns {Promise<import('../../types/api.js').Joined>} */
export const useCode = (code) => ask('/api/codes', { code });

/** @returns {Promise<import('../../types/api.js').OpenGames>} */
export const openGames = () => ask('/api/lobby');

/** @param {string} id @param {string} name @returns {Promise<import('../../types/api.js').Joined>} */
export const takeSeat = (id, name) => ask(`/api/lobby/${encodeURIComponent(id)}`, { name });

/** @param {string[]} [ids] @returns {Promise<import('../../types/api.js').Listing>} */
export const listGames = (ids) => ask(ids ? `/api/games?ids=${encodeURIComponent(ids.join(','))}` : '/api/games');

/** @param {string} id @returns {Promise<Game>} */
export const getGame = (id) => ask(`/api/games/${encodeURIComponent(id)}`);

/**
 * The contests on the server's disk.
 * @returns {Promise<import('../../types/api.js').ContestList>}
 */
export const listContests = () => ask('/api/contests');

/** @param {string} name @returns {Promise<Standing>} */
export const standingOf = (name) => ask(`/api/contests/standing?${new URLSearchParams({ name })}`);

/** The address of a report. @param {string} name */
export const reportAddress = (name) => `/api/contests/report?${new URLSearchParams({ name })}`;

/** The address of a picture. @param {LineWanted} line */
export async function pictureAddress(line) {
  const path = `/api/picture.svg?${queryOf(line)}`;
  return isStatic ? `data:image/svg+xml,${encodeURIComponent(await ask(path))}` : path;
}

/** The address of the record of a game that is kept. @param {string} id */
export async function recordAddress(id) {
  const path = `/api/games/${encodeURIComponent(id)}/record`;
  return isStatic ? `data:application/json,${encodeURIComponent(JSON.stringify(await ask(path), null, 2))}` : path;
}

/** The record of a game. @param {string} id @returns {Promise<import('../../types/api.js').Record>} */
export const getRecord = (id) => ask(`/api/games/${encodeURIComponent(id)}/record`);

/** The parts of a line that were given, for an address. @param {Partial<LineWanted>} line */
export function queryOf(line) {
  return new URLSearchParams(Object.entries(line).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
