// Who answers the page: a server, or the engine in the page itself. Both take and give the same messages.

import { Connection } from './connection.js';
import { isStatic } from './router.js';

/** @typedef {import('./connection.js').Listeners} Listeners */
/** @typedef {import('./connection.js').Request} Request */
/** What a page sends through and closes. @typedef {{ send: (message: Request) => boolean, close: () => void }} Line */
/** An answer: its status as over HTTP, and its body. @typedef {{ status: number, body: any }} Answer */

const local = isStatic ? await import('./engine/local.js') : null;

/**
 * Asks for something.
 * @param {string} path @param {unknown} [body] sent, if there is one @returns {Promise<Answer>} status 0 if nobody
 * answers
 */
export async function request(path, body) {
  if (local) return local.request(path, body);
  /** @type {RequestInit} */
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, options).catch(() => null);
  if (!response) return { status: 0, body: {} };
  return { status: response.status, body: await response.json().catch(() => ({})) };
}

/** A connection for games and analyses. @param {Listeners} listeners @returns {Line} */
export function connect(listeners) {
  return local ? new local.LocalConnection(listeners) : new Divided(listeners, true);
}

/** A connection for analyses alone. @param {Listeners} listeners @returns {Line} */
export function connectToAnalyse(listeners) {
  return local ? new local.LocalConnection(listeners) : new Divided(listeners, false);
}

/** Games of a server, but analyses on this machine if it can do them: so they cost the server nothing. */
class Divided {
  /** @type {Connection | null} */ #connection = null;
  /** @type {Promise<import('./engine/analyst.js').Analyst | null> | null} */ #analyst = null;
  #closed = false;

  /** @param {Listeners} listeners @param {boolean} games whether the server is needed at once */
  constructor(listeners, games) {
    this.listeners = listeners;
    if (games) this.#connection = new Connection(listeners);
    else
      queueMicrotask(() => {
        if (!this.#closed) listeners.open();
      });
  }

  /** @param {Request} message */
  send(message) {
    if (message.type !== 'analyse' && message.type !== 'review' && message.type !== 'stop')
      return this.#connection?.send(message) ?? false;
    void this.#think(message);
    return true;
  }

  close() {
    this.#closed = true;
    this.#connection?.close();
    void this.#analyst?.then((analyst) => analyst?.close());
  }

  /** @param {Request} message */
  async #think(message) {
    this.#analyst ??= analystHere(
      (found) => {
        if (!this.#closed) this.listeners.message(found);
      },
      (asked) => this.#askServer(asked),
    );
    const analyst = await this.#analyst;
    if (this.#closed) return;
    if (analyst) analyst.send(message);
    else this.#askServer(message);
  }

  /** @param {Request} message */
  #askServer(message) {
    if (this.#connection) this.#connection.send(message);
    else if (message.type !== 'stop')
      this.#connection = new Connection({ ...this.listeners, open: () => this.#connection?.send(message) });
  }
}

/**
 * What analyses on this machine; null if it cannot, or the server does not send the engine.
 * @param {(found: any) => void} listener @param {(message: any) => void} instead
 */
async function analystHere(listener, instead) {
  try {
    const { status, body } = await request('/api/catalogue');
    if (status !== 200 || !body.engine) return null;
    const [{ available }, { Analyst }] = await Promise.all([
      import('./engine/engine.js'),
      import('./engine/analyst.js'),
    ]);
    return (await available()) ? new Analyst(listener, instead) : null;
  } catch {
    return null;
  }
}

/**
 * The games of a file in a format that only this game has, such as WTHOR; null if it is none, or nothing here can read
 * it.
 * @param {string} game @param {Uint8Array} file
 * @returns {Promise<{ games: (import('./explorer-data.js').Recorded)[], wrong: number } | null>}
 */
export async function gamesInFile(game, file) {
  if (!local && !(await request('/api/catalogue')).body.engine) return null;
  const { Thread } = await import('./engine/engine.js');
  const thread = new Thread();
  const { done } = await thread.gamesIn(game, file).catch(() => ({ done: null }));
  thread.close();
  return done ?? null;
}

/** Forgets a game that is kept here. @param {string} id */
export function forgetGame(id) {
  local?.forget(id);
}
