// The tree of a study and its texts: no browser is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanComment, isPlain, mainLine, readMoves, writeMoves } from '../../site/js/movetext.js';
import { readSgf, writeSgf } from '../../site/js/sgf.js';
import { follow, isMain, lineThrough, movesTo, promote, remove, textOf, treeOf, wayTo } from '../../site/js/tree.js';

const TREE = '{the start} d3! c5 (e3 {wild (1)} f4 (c3?!)) (c3??) d6 {end}';

test('moves with branches, comments and glyphs are read and written back', () => {
  const root = readMoves(TREE);
  assert.equal(writeMoves(root), TREE);
  assert.deepEqual(mainLine(root), ['d3', 'c5', 'd6']);
  assert.equal(root.children[0].glyph, '!');
  assert.deepEqual(
    root.children[0].children.map(({ text }) => text),
    ['c5', 'e3', 'c3'],
  );
  assert.ok(isPlain(readMoves('d3 c5')) && !isPlain(root) && !isPlain(readMoves('d3?')));
});

test('what chess players write around moves is understood', () => {
  const text = '[Game "x"] 1. d3 $1 c5 2.d6!? (2. e3) 2... e3 1-0';
  assert.equal(writeMoves(readMoves(text)), 'd3! c5 d6!? (e3) e3');
  for (const [wrong, read] of [
    ['', ''],
    ['(', ''],
    [')))', ''],
    ['d3 (', 'd3'],
    ['d3 ) c5', 'd3 c5'],
    ['d3 {no end', 'd3 {no end}'],
    ['{a} {b} d3 (d3 c5)', '{a b} d3 c5'],
    ['+ - ab1:db1:NE2 b1^d3 d2xd7', '+ - ab1:db1:NE2 b1^d3 d2xd7'],
    ['d3 !', 'd3!'],
    ['d3 $99 !!!!', 'd3'],
  ])
    assert.equal(writeMoves(readMoves(wrong)), read, wrong);
  assert.equal(cleanComment(' a\n{b} '), 'a b');
});

test('every node of a tree is found again by its way, and branches are promoted and deleted', () => {
  const root = treeOf(TREE);
  const all = [root];
  for (const node of all) all.push(...node.children);
  for (const node of all) {
    const { ply, way } = wayTo(node);
    assert.equal(follow(root, ply, way), node, node.text);
  }
  const branch = follow(root, 3, '1.0');
  assert.deepEqual(movesTo(branch), ['d3', 'e3', 'f4']);
  assert.ok(!isMain(branch) && isMain(follow(root, 3, '')));
  promote(branch);
  assert.ok(isMain(branch));
  assert.equal(textOf(root), '{the start} d3! e3 {wild (1)} (c5 d6 {end}) (c3??) f4 (c3?!)');
  assert.deepEqual(
    lineThrough(root).map(({ text }) => text),
    ['', 'd3', 'e3', 'f4'],
  );
  const before = remove(branch.parent);
  assert.equal(textOf(root), '{the start} d3! c5 (c3??) d6 {end}');
  assert.deepEqual(movesTo(before), ['d3']);
  assert.equal(remove(root), root);
  for (const wrong of ['7.7', 'x', '-1']) assert.ok(follow(root, 9, wrong));
});

/** A board of three by three. */
const BOARD = /** @type {any} */ ({
  cells: [...'abcabcabc'].map((letter, at) => ({
    name: `${letter}${1 + Math.floor(at / 3)}`,
    centre: [0.5 + (at % 3), 0.5 + Math.floor(at / 3)],
  })),
});

test('a study goes out as SGF and comes in again', () => {
  const text = '{start: [1]} a1! b2 (c3?? {bad \\ ] end} pass) (c1 a3) c2?!';
  const sgf = writeSgf(
    readMoves(text),
    BOARD,
    { game: '2', colours: ['B', 'W'] },
    { stones: '', toMove: 0, isSetUp: false },
  );
  const head = '(;FF[4]CA[UTF-8]AP[Quincunx]GM[2]SZ[3]C[start\\: [1\\]];B[aa]TE[1]\n';
  assert.ok(sgf.startsWith(`${head}(;W[bb];B[cb]DO[])`), sgf);
  assert.equal(writeMoves(/** @type {any} */ (readSgf(sgf, BOARD))), text);
  const placed = { stones: '01.......', toMove: 1, isSetUp: true };
  assert.match(
    writeSgf(readMoves('c3'), BOARD, { game: 'x', colours: ['W', 'B'] }, placed),
    /AW\[aa\]AB\[ba\]PL\[B\];B\[cc\]/,
  );
  assert.equal(readSgf('nothing', BOARD), null);
  assert.equal(
    writeMoves(/** @type {any} */ (readSgf('(;B[aa](;W[bb])(;W[tt]C[x]))(;B[cc])', BOARD))),
    'a1 b2 (pass {x})',
  );
});
