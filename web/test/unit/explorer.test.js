// The games behind the opening explorer: no browser is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explore, gamesIn, keyOf, openingOf, resultIn } from '../../site/js/explorer-data.js';

/** A game whose stones are the moves so far, in the order of the alphabet: so lines can meet. */
const game = (moves, winner) => {
  const plies = [...(' ' + moves)].map((_, at) => ({
    text: at ? moves[at - 1] : null,
    by: at ? (at - 1) % 2 : null,
    stones: [...moves.slice(0, at)].sort().join(''),
    marks: [],
  }));
  return openingOf(/** @type {any} */ (plies), winner);
};

test('moves are counted by position, however it came about, with the results of their games', () => {
  const games = [game('abc', 0), game('abd', 1), game('bac', null), game('abc', undefined)];
  assert.deepEqual(explore(games, keyOf('', 0)), [
    { move: 'a', games: 3, wins: [1, 1], draws: 0 },
    { move: 'b', games: 1, wins: [0, 0], draws: 1 },
  ]);
  assert.deepEqual(
    explore(games, keyOf('ab', 0)).map(({ move, games: count }) => [move, count]),
    [
      ['c', 3],
      ['d', 1],
    ],
  );
  assert.deepEqual(explore(games, keyOf('ab', 1)), []);
  assert.equal(game('abcdefghijklmnopqrstuvwxyz'.repeat(2), 0).moves.length, 40);
});

test('files of many games are taken apart', () => {
  for (const [text, count] of [
    ['f5d6c3\nf5f6e6\n\n', 2],
    ['(;GM[2];B[aa]C[a (b\\] ]\n;W[bb](;B[cc])(;B[dd]))\n(;B[bb])', 2],
    ['{"moves":["a"]}\n{"moves":["b"]}', 2],
    ['{"moves":\n["a"]}', 1],
    ['[{"moves":["a"]},{"moves":["b"]}]', 2],
    ['[Event "1"]\n[Site "x"]\n\n1. a1 b2\n2. c3\n\n[Event "2"]\n\n1. a1', 2],
    ['1. a1 b2\n2. c3 a3\n\n1. b2 c3\n2. a1', 2],
    ['number,game,ruleset,first,result,start,moves\n1,othello,8x8,"A, ""B""",1-0,,a b\n2,othello,8x8,C,*,,a', 2],
  ])
    assert.equal(gamesIn(text).length, count, text);
  const [row] = gamesIn('number,game,ruleset,first,result,start,moves\n1,othello,8x8,"A, ""B""",1-0,X,a b');
  assert.deepEqual(JSON.parse(row), { game: 'othello', ruleset: '8x8', position: 'X', moves: 'a b', result: '1-0' });
});

test('results are read from headings', () => {
  assert.equal(resultIn('(;RE[B+4];B[aa])'), 0);
  assert.equal(resultIn('(;RE[B+R])', ['W', 'B']), 1);
  assert.equal(resultIn('(;RE[0])'), null);
  assert.equal(resultIn('[Result "0-1"]'), 1);
  assert.equal(resultIn('[Result "1/2-1/2"]'), null);
  assert.equal(resultIn('{"moves":"f5","result":"0-1"}'), 1);
  assert.equal(resultIn('{"moves":[],"winner":"draw"}'), null);
  assert.equal(resultIn('f5d6'), undefined);
});
