// The engine on this machine: threads that answer requests, each with an engine of its own in a worker.

/** @typedef {import('../../../types/api.js').Refusal} Refusal */
/** An answer of the engine. @typedef {{ done?: any, refused?: Refusal }} Answer */

const MODULE = new URL('../../wasm/quincunx.wasm', import.meta.url);
const WEIGHTS = new URL('../../weights/', import.meta.url);

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/** The engine's code, compiled once for all threads. */
function compile() {
  compiled ??= (async () => {
    const response = await fetch(MODULE);
    if (!response.ok) throw new Error(`${response.status}`);
    // Compiled while it arrives. Static hosts may send it as another type, which streaming does not take.
    return response.headers.get('content-type') === 'application/wasm'
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer());
  })();
  compiled.catch(() => {
    compiled = null;
  });
  return compiled;
}

/** @type {Map<string, Promise<Uint8Array>>} */
const files = new Map();

/** A file of weights or a book, loaded once. @param {string} name */
function fileOf(name) {
  let loading = files.get(name);
  if (!loading) {
    loading = fetch(new URL(name, WEIGHTS)).then(async (response) => {
      if (!response.ok) throw new Error(`${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    });
    loading.catch(() => files.delete(name));
    files.set(name, loading);
  }
  return loading;
}

/** Whether this browser can run the engine, and it can be loaded. */
export async function available() {
  return (
    typeof WebAssembly === 'object' && typeof Worker === 'function' && (await compile().then(Boolean, () => false))
  );
}

/** A request that was given up, because another one or nothing is wanted. */
export class Cancelled extends Error {}

/** A thread: one worker, which can be ended in the middle of a thought and begins anew with the next request. */
export class Thread {
  /** @type {Promise<Worker> | null} */ #worker = null;
  /**
   * What waits for an answer, by number.
   * @type {Map<number, { done: (answer: Answer) => void, failed: (error: Error) => void, tell?: (told: any) => void }>}
   */
  #waiting = new Map();
  #count = 0;
  /** Weights and books that are there or on their way, by their rules. @type {Map<string, Promise<Answer | null>>} */
  #loaded = new Map();

  /** Asks, with what is found meanwhile told. @param {object} request @param {(told: any) => void} [tell] */
  ask(request, tell) {
    return this.#send({ request: JSON.stringify(request) }, tell);
  }

  /**
   * Asks for a thought about a game: loads its weights and its book first if it needs any.
   * @param {{ game: string, ruleset?: string | null }} line @param {object} request @param {(told: any) => void} [tell]
   */
  async think(line, request, tell) {
    return (await this.#load(line, false)) ?? this.ask(request, tell);
  }

  /**
   * Loads what the engine will need for a game, so that its first thought need not wait for it.
   * @param {{ game: string, ruleset?: string | null }} line
   */
  prepare(line) {
    // A thought that follows is told what goes wrong.
    this.#load(line, false).catch(() => {});
  }

  /**
   * Asks what the book of a game knows, which is loaded first.
   * @param {{ game: string, ruleset?: string | null }} line @param {object} request
   */
  async lookUp(line, request) {
    return (await this.#load(line, true)) ?? this.ask(request);
  }

  /**
   * Asks for the games in a file of a format that only this game has.
   * @param {string} game @param {Uint8Array} games
   */
  gamesIn(game, games) {
    return this.#send({ game, games });
  }

  /**
   * Loads what the engine needs for a game, or its book alone; what went wrong, or null.
   * @param {{ game: string, ruleset?: string | null }} line @param {boolean} book @returns {Promise<Answer | null>}
   */
  #load(line, book) {
    const name = `${line.game} ${line.ruleset} ${book}`;
    const known = this.#loaded.get(name);
    if (known) return known;
    const loading = this.#fetch(line, book);
    this.#loaded.set(name, loading);
    const again = () => {
      if (this.#loaded.get(name) === loading) this.#loaded.delete(name);
    };
    loading.then((wrong) => wrong && again(), again);
    return loading;
  }

  /**
   * @param {{ game: string, ruleset?: string | null }} line @param {boolean} book @returns {Promise<Answer | null>}
   */
  async #fetch({ game, ruleset = null }, book) {
    const { done, refused } = await this.ask({ ask: 'needs', game, ruleset });
    if (refused) return { refused };
    const needed = /** @type {string[]} */ (done).filter((file) => !book || file.endsWith('-book.bin'));
    for (const file of await Promise.all(needed.map(fileOf))) {
      const handed = await this.#send({ game, file });
      if (handed.refused) return handed;
    }
    return null;
  }

  /** Ends whatever is thought about; whoever waits for it is told so. */
  cancel() {
    if (this.#waiting.size) this.#end(new Cancelled());
  }

  /** Ends the thread. */
  close() {
    this.#end(new Cancelled());
  }

  /** @param {Error} error */
  #end(error) {
    const [waiting, worker] = [[...this.#waiting.values()], this.#worker];
    this.#waiting.clear();
    this.#loaded.clear();
    this.#worker = null;
    void worker?.then((running) => running.terminate());
    for (const { failed } of waiting) failed(error);
  }

  async #start() {
    const module = await compile();
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => {
      // One request is thought about at a time, so what is told belongs to the first that waits.
      if ('told' in data) [...this.#waiting.values()].find((one) => one.tell)?.tell?.(JSON.parse(data.told));
      else {
        this.#waiting.get(data.id)?.done(JSON.parse(data.answer));
        this.#waiting.delete(data.id);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(new Error(event.message || 'the engine failed'));
    };
    worker.postMessage({ module });
    return worker;
  }

  /** @param {object} message @param {(told: any) => void} [tell] @returns {Promise<Answer>} */
  async #send(message, tell) {
    this.#worker ??= this.#start();
    const starting = this.#worker;
    const worker = await starting.catch((error) => {
      this.#worker = null;
      throw error;
    });
    if (this.#worker !== starting) throw new Cancelled();
    const id = (this.#count += 1);
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed, tell });
      worker.postMessage({ id, ...message });
    });
  }
}
