// A study as a file in the Smart Game Format, FF[4]: branches, comments and glyphs, and back. Pure. Only games that are
// written in it have one; their moves are the names of cells, or passes.

import { cleanComment } from './movetext.js';

/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./movetext.js').Written} Written */

/** The properties that stand for glyphs. @type {[string, string, string][]} */
const JUDGED = [
  ['!!', 'TE', '2'],
  ['!', 'TE', '1'],
  ['!?', 'IT', ''],
  ['?!', 'DO', ''],
  ['?', 'BM', '1'],
  ['??', 'BM', '2'],
];

/** The columns of a board from the left and its rows from the top, by its cells. @param {Geometry} board */
function grid({ cells }) {
  const places = (/** @type {0 | 1} */ axis) =>
    [...new Set(cells.map(({ centre }) => centre[axis].toFixed(2)))].sort((a, b) => Number(a) - Number(b));
  return { columns: places(0), rows: places(1) };
}

/** @param {string} text */
const escaped = (text) => text.replace(/[\]\\:]/g, '\\$&');

/**
 * @param {Written} root @param {Geometry} board
 * @param {{ game: string, colours: string[] }} sgf how the game is written
 * @param {{ stones: string, toMove: number, isSetUp: boolean }} start
 */
export function writeSgf(root, board, sgf, start) {
  const { columns, rows } = grid(board);
  const letter = (/** @type {number} */ at) => String.fromCharCode(97 + at);
  const point = ({ centre: [x, y] } = board.cells[0]) =>
    letter(columns.indexOf(x.toFixed(2))) + letter(rows.indexOf(y.toFixed(2)));
  const value = (/** @type {string} */ move) => {
    const cell = board.cells.find(({ name }) => name === move);
    return cell ? point(cell) : '';
  };
  const notes = ({ comment, glyph } = root) => {
    const [, name, number] = JUDGED.find(([known]) => known === glyph) ?? [];
    return (name ? `${name}[${number}]` : '') + (comment ? `C[${escaped(comment)}]` : '');
  };
  /** @type {(from: Written, side: number) => string} */
  const tree = (from, side) => {
    let text = '';
    let mover = side;
    for (let node = from; node.children.length; [node] = node.children) {
      const nodes = node.children.map((child) => `;${sgf.colours[mover]}[${value(child.text)}]${notes(child)}`);
      if (nodes.length > 1) {
        const behind = 1 - mover;
        return text + node.children.map((child, at) => `\n(${nodes[at]}${tree(child, behind)})`).join('');
      }
      text += nodes[0];
      mover = 1 - mover;
    }
    return text;
  };
  const placed = [0, 1].map((side) => {
    const points = board.cells.flatMap((cell, at) => (start.stones[at] === String(side) ? [`[${point(cell)}]`] : []));
    return points.length ? `A${sgf.colours[side]}${points.join('')}` : '';
  });
  const setUp = start.isSetUp ? `${placed.join('')}PL[${sgf.colours[start.toMove]}]` : '';
  const head = `;FF[4]CA[UTF-8]AP[Quincunx]GM[${sgf.game}]SZ[${columns.length}]${setUp}${notes(root)}`;
  return `(${head}${tree(root, start.toMove)})\n`;
}

/**
 * The tree of a file; moves are names of cells, or `pass`. Null if it is no such file.
 * @param {string} text @param {Geometry} board @returns {Written | null}
 */
export function readSgf(text, board) {
  const { columns, rows } = grid(board);
  const places = new Map(board.cells.map(({ centre: [x, y], name }) => [`${x.toFixed(2)} ${y.toFixed(2)}`, name]));
  const moveOf = (/** @type {string} */ value) => {
    const [column, row] = [...value].map((letter) => letter.charCodeAt(0) - 97);
    const name = value.length === 2 ? places.get(`${columns[column]} ${rows[row]}`) : undefined;
    return name ?? (['', 'tt'].includes(value) ? 'pass' : value.toLowerCase());
  };
  /** @type {Written} */
  const root = { text: '', glyph: '', comment: '', children: [] };
  let node = root;
  /** @type {Written[]} */
  const open = [];
  let depth = 0;
  for (const [token, name = '', values = ''] of text.matchAll(
    /[();]|([A-Za-z]+)\s*((?:\[(?:\\[\s\S]|[^\]\\])*\]\s*)+)/g,
  )) {
    if (token === '(') {
      depth += 1;
      open.push(node);
    } else if (token === ')') {
      node = open.pop() ?? root;
      // What follows is another game.
      if (!open.length) break;
    } else if (name) {
      const value = values
        .trim()
        .slice(1, -1)
        .replace(/\\([\s\S])/g, '$1');
      const judged = JUDGED.find(([, known, number]) => known === name && (number === '' || number === value));
      if (name === 'B' || name === 'W') {
        const move = moveOf(value.trim());
        const known = node.children.find((child) => child.text === move);
        const next = known ?? { text: move, glyph: '', comment: '', children: [] };
        if (!known) node.children.push(next);
        node = next;
      } else if (name === 'C') node.comment = cleanComment(value);
      else if (judged) [node.glyph] = judged;
    }
  }
  return depth ? root : null;
}
