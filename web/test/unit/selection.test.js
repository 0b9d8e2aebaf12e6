// The way from clicked cells to a move: one path a move, several paths, and moves that wait to be confirmed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Selection, mainPath } from '../../site/js/board/selection.js';

const place = { text: 'd3', paths: [[19]] };
const slides = [
  { text: 'a1-a2', paths: [[0, 8]] },
  { text: 'a1-b1', paths: [[0, 1]] },
  { text: 'h1-h2', paths: [[7, 15]] },
];
/** Grows into a cell by a click on it, or by dragging there one of the stones beside it; or jumps. */
const grow = { text: 'b1', paths: [[1], [0, 1], [2, 1]] };
const jump = { text: 'a1-c1', paths: [[0, 3]] };

test('a move of one cell is complete with a click', () => {
  assert.deepEqual(new Selection([place]).choose(19), { accepted: true, move: place });
});

test('a move of two cells is chosen one by one, and what comes next is known', () => {
  const selection = new Selection(slides);
  assert.deepEqual(selection.next(), new Set([0, 7]));
  assert.deepEqual(selection.choose(0), { accepted: true });
  assert.deepEqual(selection.path, [0]);
  assert.deepEqual(selection.next(), new Set([8, 1]));
  assert.deepEqual(selection.choose(8), { accepted: true, move: slides[0] });
});

test('a cell that begins another move starts anew, and a cell of no move ends the selection', () => {
  const selection = new Selection(slides);
  selection.choose(0);
  assert.deepEqual(selection.choose(7), { accepted: true });
  assert.deepEqual(selection.path, [7]);
  assert.deepEqual(selection.choose(30), { accepted: false });
  assert.deepEqual(selection.path, []);
  assert.equal(selection.isBegun, false);
});

test('a move with several paths is chosen by any of them', () => {
  for (const path of grow.paths) {
    const selection = new Selection([grow, jump]);
    const results = path.map((cell) => selection.choose(cell));
    assert.deepEqual(results.at(-1), { accepted: true, move: grow }, path.join());
  }
  const selection = new Selection([grow, jump]);
  assert.deepEqual(selection.next(), new Set([1, 0, 2]));
  selection.choose(0);
  assert.deepEqual(selection.next(), new Set([1, 3]));
  assert.deepEqual(selection.choose(3), { accepted: true, move: jump });
});

test('a target is clicked while a stone that cannot reach it is chosen', () => {
  const selection = new Selection([{ text: 'b1', paths: [[1], [2, 1]] }, jump]);
  selection.choose(0);
  assert.equal(selection.choose(1).move?.text, 'b1');
});

test('a path that goes on in the same move only is complete as soon as it can be', () => {
  const move = { text: 'x', paths: [[1], [1, 2]] };
  assert.deepEqual(new Selection([move]).choose(1), { accepted: true, move });
});

test('a move that ends where another goes on is played by choosing its last cell again', () => {
  const [short, long] = [
    { text: 'a-b', paths: [[0, 1]] },
    { text: 'a-b-c', paths: [[0, 1, 2]] },
  ];
  const selection = new Selection([short, long]);
  selection.choose(0);
  assert.equal(selection.ending, null);
  assert.deepEqual(selection.choose(1), { accepted: true });
  assert.equal(selection.ending, short);
  assert.deepEqual(selection.choose(2), { accepted: true, move: long });
});

test('a complete move waits to be confirmed if asked to', () => {
  const selection = new Selection(slides);
  selection.choose(0, true);
  assert.deepEqual(selection.choose(8, true), { accepted: true });
  assert.deepEqual(selection.pending, { choice: slides[0], path: [0, 8] });
  assert.deepEqual(selection.choose(1, true), { accepted: true });
  assert.deepEqual(selection.pending?.path, [0, 1], 'another target replaces it');
  assert.deepEqual(selection.choose(1, true), { accepted: true, move: slides[1] }, 'its last cell confirms it');
});

test('clearing forgets the path and the pending move', () => {
  const selection = new Selection([place, ...slides]);
  selection.choose(0);
  assert.equal(selection.isBegun, true);
  selection.clear();
  assert.equal(selection.isBegun, false);
  selection.choose(19, true);
  assert.equal(selection.isBegun, true);
  selection.clear();
  assert.equal(selection.pending, null);
  assert.deepEqual(selection.next(), new Set([19, 0, 7]));
});

test('only a cell that completes no move is picked up', () => {
  const selection = new Selection([place, ...slides, grow]);
  assert.equal(selection.leadsOn(7), true);
  assert.equal(selection.leadsOn(19), false, 'it is a move');
  assert.equal(selection.leadsOn(1), false, 'it is a move, too');
  assert.equal(selection.leadsOn(40), false);
  assert.equal(selection.accepts(19), true);
  assert.equal(selection.accepts(40), false);
  selection.choose(7);
  assert.equal(selection.leadsOn(15), false);
  assert.equal(selection.leadsOn(0), true, 'it begins another move');
});

test('a pass has no cells, and nothing can be chosen in another turn', () => {
  const pass = { text: 'pass', paths: [] };
  assert.deepEqual(mainPath(pass), []);
  assert.equal(new Selection([pass]).isOpen, false);
  assert.deepEqual(new Selection([pass]).next(), new Set());
  assert.deepEqual(new Selection([pass]).choose(3), { accepted: false });
  assert.equal(new Selection().isOpen, false);
  assert.equal(new Selection().choose(3).accepted, false);
});

test('what was chosen stays when the same moves are told again, and goes when they are others', () => {
  const chosen = new Selection(slides);
  chosen.choose(0);
  const same = new Selection(slides);
  same.resume(chosen);
  assert.deepEqual(same.path, [0]);
  const other = new Selection([place]);
  other.resume(chosen);
  assert.deepEqual(other.path, []);
  // A move that waits to be confirmed is kept, too.
  const waiting = new Selection([place]);
  waiting.choose(19, true);
  const again = new Selection([{ ...place }]);
  again.resume(waiting);
  assert.equal(again.pending?.choice.text, 'd3');
  other.resume(new Selection());
  assert.equal(other.isBegun, false);
});
