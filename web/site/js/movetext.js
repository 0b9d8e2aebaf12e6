// Moves with variations, comments and glyphs as one text, as chess players write it: `d3! c5 (e3 {wild} f4) d6`. A
// variation stands in parentheses behind the move that it replaces. Pure; no move of any game has these signs.

/** The glyphs that judge a move, the best first, with the numbers that PGN gives them. @type {[string, number][]} */
const NUMBERED = [
  ['!!', 3],
  ['!', 1],
  ['!?', 5],
  ['?!', 6],
  ['?', 2],
  ['??', 4],
];
export const GLYPHS = NUMBERED.map(([glyph]) => glyph);

/** The longest comment. */
export const LONGEST_COMMENT = 400;

/**
 * A move with what is said of it and what follows, the main line first. The root has no move.
 * @typedef {{ text: string, glyph: string, comment: string, children: Written[] }} Written
 */

/** @param {string} text @returns {Written} */
const written = (text) => ({ text, glyph: '', comment: '', children: [] });

/** A comment as it can stand in a text. @param {string} text */
export function cleanComment(text) {
  return text.replace(/[{}]/g, ' ').replace(/\s+/g, ' ').trim().slice(0, LONGEST_COMMENT);
}

/**
 * Reads a text of moves; headings in brackets, numbers and results are left out. Never fails: what is no move is found
 * out when it is played.
 * @param {string} text @returns {Written} the root
 */
export function readMoves(text) {
  const root = written('');
  /** The last move of each line that is open: the main line first. @type {Written[]} */
  const lines = [root];
  /** The move before that one, which a variation goes on from. @type {Map<Written, Written>} */
  const parents = new Map();
  const tokens = text.match(/\{[^}]*\}?|\[[^\]]*\]|[()]|[^\s,(){}[]+/g) ?? [];
  for (const token of tokens) {
    if (token.startsWith('[')) continue;
    const last = lines[lines.length - 1];
    if (token.startsWith('{')) last.comment = cleanComment(`${last.comment} ${token.slice(1).replace('}', '')}`);
    else if (token === '(') lines.push(parents.get(last) ?? root);
    else if (token === ')') {
      if (lines.length > 1) lines.pop();
    } else
      readWord(token, last, (move) => {
        const known = last.children.find((child) => child.text === move);
        const next = known ?? written(move);
        if (!known) last.children.push(next);
        parents.set(next, last);
        lines[lines.length - 1] = next;
        return next;
      });
  }
  return root;
}

/**
 * Reads a word: a number, a result, a glyph of the last move, or a move with or without one.
 * @param {string} word @param {Written} last @param {(move: string) => Written} play
 */
function readWord(word, last, play) {
  const numbered = /^\$(\d+)$/.exec(word);
  if (numbered) {
    last.glyph = NUMBERED.find(([, number]) => number === Number(numbered[1]))?.[0] ?? last.glyph;
    return;
  }
  const [, move, glyph] = /^(?:\d+\.+)?(.*?)([!?]*)$/.exec(word) ?? ['', '', ''];
  if (['1-0', '0-1', '1/2-1/2', '*'].includes(move)) return;
  const judged = move ? play(move) : last;
  if (GLYPHS.includes(glyph)) judged.glyph = glyph;
}

/** Writes what `readMoves` reads. @param {Written} root */
export function writeMoves(root) {
  const words = root.comment ? [`{${root.comment}}`] : [];
  writeLine(root, words);
  return words.join(' ').replace(/\( /g, '(').replace(/ \)/g, ')');
}

/** Writes what follows a move. @param {Written} from @param {string[]} words */
function writeLine(from, words) {
  for (let node = from; node.children.length; [node] = node.children) {
    const [main, ...others] = node.children;
    words.push(...said(main));
    for (const other of others) {
      words.push('(', ...said(other));
      writeLine(other, words);
      words.push(')');
    }
  }
}

/** @param {Written} node */
function said({ text, glyph, comment }) {
  return [text + glyph, ...(comment ? [`{${comment}}`] : [])];
}

/** The moves of the main line. @param {Written} root */
export function mainLine(root) {
  const moves = [];
  for (let node = root.children[0]; node; [node] = node.children) moves.push(node.text);
  return moves;
}

/** Whether a text says more than its main line. @param {Written} root @returns {boolean} */
export function isPlain(root) {
  return !root.comment && !root.glyph && root.children.length < 2 && root.children.every(isPlain);
}
