// The engine for pages against the native program: the same searches, to the last node. No browser is needed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { file, fileOf, load } from './wasm.js';
import { WHOLE_GAMES } from './whole-games.js';

const root = new URL('../..', import.meta.url).pathname;
const binary = process.env.QUINCUNX ?? join(root, 'target/debug/quincunx-with-ring');
const skip = existsSync(file) ? false : 'the engine for pages was not built (./site)';

/** The most bytes of the engine, compressed, without weights. */
const BUDGET = 400_000;

test('searches by nodes are the same in the page and in the native program', { skip }, () => {
  for (const [game, whole] of Object.entries(WHOLE_GAMES)) {
    for (const plies of [0, 4]) {
      const moves = whole.split(' ').slice(0, plies).join(' ');
      const { ask, handIn } = load();
      for (const name of ask({ ask: 'needs', game }).done)
        assert.deepEqual(handIn(game, fileOf(name)), { done: null }, name);
      assert.deepEqual(ask({ ask: 'needs', game }).done, []);
      const { done: here } = ask({ ask: 'analyse', id: 1, line: { game, moves }, lines: 1, nodes: 20_000 });
      const args = ['think', game, '--agent', 'engine:nodes=20000,book=off,hash=16', '--json'];
      const there = JSON.parse(execFileSync(binary, moves ? [...args, '--moves', moves] : args, { encoding: 'utf8' }));
      const [{ move, pv, win_probability: chance }] = here.lines;
      assert.deepEqual(
        [here.nodes, here.depth, move, pv, chance],
        [there.nodes, there.depth, there.move, there.pv, there.win_probability],
        `${game} after ${plies} plies`,
      );
    }
  }
});

test('the engine fits its budget without weights', { skip }, () => {
  const size = brotliCompressSync(readFileSync(file)).length;
  assert.ok(size <= BUDGET, `${size} bytes`);
});

test('weights are asked for, and wrong ones refused', { skip }, () => {
  const { ask, handIn } = load();
  const request = { ask: 'choose', line: { game: 'othello' }, spec: 'engine:level=3', seed: 1, most: 1000 };
  assert.deepEqual(ask({ ask: 'needs', game: 'othello' }).done, ['othello.bin', 'othello-book.bin']);
  assert.equal(ask(request).refused.code, 'analysis.weights');
  assert.ok(handIn('othello', new Uint8Array(10)).refused);
  assert.equal(handIn('othello', fileOf('othello.bin')).done, null);
  assert.deepEqual(ask({ ask: 'needs', game: 'othello' }).done, ['othello-book.bin']);
  assert.equal(typeof ask(request).done.move, 'string');
});
