// What became of the stones between two positions, which is what the board animates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes, sideOf } from '../../site/js/board/stones.js';

const distance = (a, b) => Math.abs(a - b);
const nothing = { slid: [], appeared: [], vanished: [], turned: [] };

test('a placed stone appears and the stones between turn over', () => {
  assert.deepEqual(changes('.10.', '000.', [0], distance), { ...nothing, appeared: [0], turned: [1] });
});

test('a stone slides from the nearest cell that its side has left', () => {
  assert.deepEqual(changes('0.0.', '...0', [], distance), { ...nothing, slid: [{ from: 2, to: 3 }], vanished: [0] });
  assert.deepEqual(changes('0..0..', '.0..0.', [], distance).slid, [
    { from: 0, to: 1 },
    { from: 3, to: 4 },
  ]);
});

test('a captured stone vanishes, also under the stone that takes it', () => {
  assert.deepEqual(changes('0.1', '..0', [0, 2], distance), { ...nothing, slid: [{ from: 0, to: 2 }], vanished: [2] });
  assert.deepEqual(changes('011.', '0...', [], distance).vanished, [1, 2]);
});

test('nothing changes between equal positions', () => {
  assert.deepEqual(changes('01.', '01.', [0], distance), nothing);
});

test('a cell is empty or has a stone of a side', () => {
  assert.deepEqual(['.', '0', '1', undefined].map(sideOf), [null, 0, 1, null]);
});
