// What a review says, and which puzzle comes next: no browser is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

// The modules ask the page for its address when they are loaded.
globalThis.document ??= /** @type {any} */ ({ documentElement: { dataset: {} } });
globalThis.localStorage ??= /** @type {any} */ ({ getItem: () => null, setItem: () => {} });
const { accuracyOf, decisive, levelLike, reviewOf } = await import('../../site/js/review.js');
const { FRESH, nextPuzzle, puzzleOfDay, settle } = await import('../../site/js/puzzle-choice.js');
const { suggestedLevel } = await import('../../site/js/progress-record.js');

/** A game of which the chances of the first side are given, ply by ply. */
const gameOf = (chances) =>
  chances.map((first, ply) => ({
    ply: { text: ply ? `m${ply}` : null, by: ply ? (ply - 1) % 2 : null, stones: '', marks: [] },
    value: { first, best: 'other' },
  }));

test('accuracy falls with what moves cost, and mistakes are told with their cost', () => {
  assert.ok(accuracyOf(0) > 99.9 && accuracyOf(0.5) < 15);
  const [first, second] = reviewOf(gameOf([0.5, 0.5, 0.5, 0.1, 0.1]));
  assert.equal(first.mistakes.length, 1);
  assert.ok(Math.abs(first.mistakes[0].cost - 0.4) < 1e-9 && first.mistakes[0].kind === 'blunder');
  assert.equal(second.mistakes.length, 0);
  assert.ok(first.accuracy < second.accuracy);
});

test('the decisive move is the mistake of the loser after which nothing came back', () => {
  assert.equal(decisive(gameOf([0.5, 0.2, 0.6, 0.15, 0.1])), 3);
  assert.equal(decisive(gameOf([0.5, 0.5, 0.5])), null);
});

test('a level is named only after enough moves', () => {
  const losses = [0.1, 0.05, 0.01];
  assert.equal(levelLike({ average: 0.048, moves: 20 }, losses), 2);
  assert.equal(levelLike({ average: 0.048, moves: 3 }, losses), null);
  assert.equal(levelLike({ average: 0, moves: 20 }, losses), 3);
});

test('puzzles come at the strength of the visitor, and every day another one', () => {
  const puzzles = [1, 3, 8].map((level) => ({ level, themes: ['win', level === 8 ? 'fork' : 'capture'] }));
  assert.equal(nextPuzzle(puzzles, FRESH, 'fork'), 2);
  assert.equal(nextPuzzle(puzzles, FRESH, 'no such theme'), 0);
  assert.equal(nextPuzzle(puzzles, FRESH), 0);
  let record = settle(FRESH, 0, 1, true, null);
  record = settle(record, 1, 3, true, '2026-11-18');
  assert.deepEqual([record.solved, record.streak, record.day], [[0, 1], 2, '2026-11-18']);
  assert.ok(record.level > FRESH.level && settle(record, 2, 8, false, null).streak === 0);
  assert.equal(nextPuzzle(puzzles, record), 2);
  const days = ['2026-11-18', '2026-11-19', '2026-11-20'].map((day) => puzzleOfDay(3, 'othello', day));
  assert.equal(new Set(days).size, 3);
});

test('the next level goes up after two wins and down after three losses', () => {
  const games = (...results) => results.map((result) => ({ game: 'othello', level: 4, result, at: 0 }));
  assert.equal(suggestedLevel([]), 1);
  assert.equal(suggestedLevel(games(1, 1)), 5);
  assert.equal(suggestedLevel(games(0, 0, 0)), 3);
  assert.equal(suggestedLevel(games(1, 0)), 4);
});
