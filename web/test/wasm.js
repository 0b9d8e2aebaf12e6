// The engine for pages without a page: asked as the page's worker asks it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** The engine for pages, if it was built. */
export const file = join(root, 'web/site/wasm/quincunx.wasm');

/** The engine, asked as the page's worker asks it. */
export function load() {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const told = [];
  const page = {
    now: () => performance.now(),
    tell: (at, bytes) => told.push(decoder.decode(new Uint8Array(engine.memory.buffer, at, bytes))),
  };
  const engine = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { page }).exports;
  engine.begin();
  const put = (bytes) => {
    const at = engine.reserve(bytes.length);
    new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
    return [at, bytes.length];
  };
  const take = (at) => {
    const length = new DataView(engine.memory.buffer).getUint32(at, true);
    const text = decoder.decode(new Uint8Array(engine.memory.buffer, at + 4, length));
    engine.release(at);
    return JSON.parse(text);
  };
  return {
    told,
    ask: (request) => take(engine.answer(...put(encoder.encode(JSON.stringify(request))))),
    handIn: (game, bytes) => take(engine.hand_in(...put(encoder.encode(game)), ...put(bytes))),
  };
}

/** The file of a game that the engine asks for by this name. */
export const fileOf = (name) => {
  const [, game, book] = /^(\w+?)(-book)?\.bin$/.exec(name);
  const paths = book ? ['book.bin'] : ['evaluation/weights.bin', 'weights.bin'];
  return readFileSync(paths.map((path) => join(root, 'crates/games', game, 'src', path)).find(existsSync));
};
