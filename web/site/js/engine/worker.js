// The engine in a worker of its own: takes requests one after the other, and says what it finds while it thinks.
//
// The page sends { module } once, then { id, request }, { id, game, file } with weights or a book, or
// { id, game, games } with a file of games; it gets { told } and { id, answer }.

/** @typedef {{ memory: WebAssembly.Memory, reserve: (bytes: number) => number, release: (text: number) => void,
 *   answer: (request: number, bytes: number) => number, begin: () => void,
 *   hand_in: (game: number, gameBytes: number, file: number, fileBytes: number) => number,
 *   read_games: (game: number, gameBytes: number, file: number, fileBytes: number) => number }} Exports */

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** @type {Exports} */
let engine;

/** A copy of bytes in the engine's memory. @param {Uint8Array} bytes */
function put(bytes) {
  const at = engine.reserve(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  return /** @type {[number, number]} */ ([at, bytes.length]);
}

/** The text that the engine gave. @param {number} at */
function take(at) {
  const length = new DataView(engine.memory.buffer).getUint32(at, true);
  const text = decoder.decode(new Uint8Array(engine.memory.buffer, at + 4, length));
  engine.release(at);
  return text;
}

/** @param {any} message */
function receive(message) {
  if (message.module) {
    const page = {
      now: () => performance.now(),
      tell: (/** @type {number} */ at, /** @type {number} */ bytes) =>
        postMessage({ told: decoder.decode(new Uint8Array(engine.memory.buffer, at, bytes)) }),
    };
    engine = /** @type {any} */ (new WebAssembly.Instance(message.module, { page }).exports);
    engine.begin();
    return;
  }
  const { id, request, game, file, games } = message;
  let at;
  if (games) at = engine.read_games(...put(encoder.encode(game)), ...put(games));
  else if (file) at = engine.hand_in(...put(encoder.encode(game)), ...put(file));
  else at = engine.answer(...put(encoder.encode(request)));
  postMessage({ id, answer: take(at) });
}

addEventListener('message', ({ data }) => receive(data));
