// Answers the page from the browser alone: what a server would say, said by the engine and the games kept here.

import { Room, create, lineOf, rules } from './room.js';
import { all, forget, load } from './storage.js';
import { Analyst } from './analyst.js';

export { forget };

/** @typedef {import('../backend.js').Answer} Answer */
/** @typedef {import('../connection.js').Listeners} Listeners */

/** The rooms that are open, by their games. @type {Map<string, Promise<Room | null>>} */
const rooms = new Map();

/** @param {string} id */
function roomOf(id) {
  const room = rooms.get(id) ?? Room.open(id);
  rooms.set(id, room);
  return room;
}

/** @param {string} code @param {string} error @returns {Answer} */
const missing = (code, error) => ({ status: 404, body: { code, error, arguments: {} } });

/** What the engine is asked for an address below `/api`. */
const ASKED = new Map([
  ...['catalogue', 'board', 'position', 'import'].map((name) => /** @type {const} */ ([name, name])),
  ['set-up', 'set_up'],
  ['picture.svg', 'picture'],
]);

/** @param {string} path @param {any} [body] @returns {Promise<Answer>} */
export async function request(path, body) {
  const { pathname, searchParams } = new URL(path, 'page:/');
  const { hash: _, ...query } = Object.fromEntries(searchParams);
  const [, name, id = '', what = ''] = pathname.replace(/^\/?api/, '').split('/');
  if (name === 'games') {
    if (body && !id) return createGame(body);
    if (!id) return { status: 200, body: { games: list(query.ids) } };
    const room = await roomOf(id);
    if (!room) return missing('room.missing', 'there is no game of this name here');
    if (body) return missing('address.unknown', 'there is no such address');
    return { status: 200, body: what === 'record' ? recordOf(id) : room.snapshot() };
  }
  if (name === 'content') return content(query.language);
  if (name === 'book') return answered(rules.lookUp(body, { ask: 'book', ...body }));
  const wanted = ASKED.get(name);
  if (!wanted) return missing('address.unknown', 'there is no such address');
  return ask({ ask: wanted, ...query, ...body });
}

/**
 * What the games say in a language, or in English if no game has it.
 * @param {string} language @returns {Promise<Answer>}
 */
async function content(language) {
  for (const name of [language, 'en']) {
    const file = new URL(`../../content/${encodeURIComponent(name)}.json`, import.meta.url);
    const response = await fetch(file).catch(() => null);
    if (response?.ok) return { status: 200, body: await response.json() };
  }
  return { status: 0, body: {} };
}

/** @param {object} wanted */
const ask = (wanted) => answered(rules.ask(wanted));

/** @param {Promise<import('./engine.js').Answer>} asked @returns {Promise<Answer>} */
async function answered(asked) {
  const { done, refused } = await asked.catch(() => ({ done: undefined, refused: undefined }));
  if (done !== undefined) return { status: 200, body: done };
  return refused ? { status: 400, body: refused } : { status: 0, body: {} };
}

/** @param {import('../../../types/api.js').GameWanted} wanted @returns {Promise<Answer>} */
async function createGame({ game, ruleset, position, moves = '', seats, clock = null }) {
  const line = { game, ruleset, position, moves };
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  const started = await ask({ ask: 'start', line, seed });
  if (started.status !== 200) return started;
  /** @type {import('../../../types/api.js').Opened} */
  const opened = started.body;
  const { sides } = (await ask({ ask: 'board', game })).body;
  const full = /** @type {[number, number] | null} */ (clock && [clock.initial * 1000, clock.initial * 1000]);
  const id = create({
    game,
    ruleset: opened.ruleset,
    start: opened.start,
    clock: clock ?? null,
    seats: seats.map((seat, side) =>
      seat.kind === 'engine'
        ? { name: seat.spec, engine: seat.spec }
        : { name: seat.name?.trim().slice(0, 24) || sides[side], engine: null },
    ),
    moves: opened.plies.slice(1).map((ply) => ({ text: ply.text ?? '', left: full })),
    outcome: opened.position.outcome,
  });
  return { status: 200, body: { id, tokens: [], invite: null } };
}

/** @param {string} [ids] */
function list(ids) {
  const wanted = ids?.split(',');
  return all()
    .filter((kept) => !wanted || wanted.includes(kept.id))
    .map(({ id, game, ruleset, created, updated, seats, moves, outcome }) => ({
      id,
      game,
      ruleset,
      created,
      updated,
      seats,
      plies: moves.length,
      outcome,
    }));
}

/** A game as a file of it holds it. @param {string} id */
function recordOf(id) {
  const kept = load(id);
  if (!kept) return {};
  const { game, ruleset, position, moves } = lineOf(kept);
  const players = kept.seats.map((seat) => seat.name);
  return { game, ruleset, position, moves: moves.split(' ').filter(Boolean), players, created: kept.created };
}

/** What a page speaks to instead of a server's socket. */
export class LocalConnection {
  /** @type {Room | null} */ #room = null;
  #closed = false;
  #listener = (/** @type {any} */ message) => this.#receive(message);
  #analyst;

  /** @param {Listeners} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    this.#analyst = new Analyst(this.#listener);
    queueMicrotask(() => {
      if (this.#closed) return;
      listeners.state(true);
      listeners.open();
    });
  }

  /** @param {any} message */
  send(message) {
    if (message.type === 'join') void this.#join(message.game);
    else if (message.type === 'analyse' || message.type === 'review' || message.type === 'stop')
      this.#analyst.send(message);
    else this.#room?.act(message, this.#listener);
    return true;
  }

  close() {
    this.#closed = true;
    this.#room?.leave(this.#listener);
    this.#analyst.close();
  }

  /** @param {string} id */
  async #join(id) {
    const room = await roomOf(id);
    if (this.#closed || !room) return;
    this.#room = room;
    room.enter(this.#listener);
  }

  /** @param {any} message */
  #receive(message) {
    if (!this.#closed) this.listeners.message(message);
  }
}
