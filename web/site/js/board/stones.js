// Stones as the server sends them, one character a cell, and what became of them between two positions. Pure.

/** The side of the stone on a cell, or null if the cell is empty. @param {string | undefined} stone */
export function sideOf(stone) {
  return stone === undefined || stone === '.' ? null : Number(stone);
}

/**
 * How the stones of a turn of several moves went: each moved one, and the one that it pushed. The marks of such a turn
 * are the cells its stones left and reached, two by two; other turns have none. A stone that was pushed off the board
 * has the way of the pusher in place of a cell.
 * @param {string | undefined} before @param {string} after @param {number[]} marks
 * @returns {{ from: number, to: number | [number, number], pushed: boolean }[]}
 */
export function trails(before, after, marks) {
  if (marks.length < 4 || marks.length % 2) return [];
  /** @type {{ from: number, to: number | [number, number], pushed: boolean }[]} */
  const found = [];
  for (let at = 0; at < marks.length; at += 2) found.push({ from: marks[at], to: marks[at + 1], pushed: false });
  if (!before) return found;
  const [from, to] = marks.slice(-2);
  const enemy = (/** @type {string} */ stones, /** @type {number} */ cell) =>
    sideOf(stones[cell]) !== null && stones[cell] !== before[from];
  const cells = [...before].map((_, cell) => cell);
  const left = cells.find((cell) => enemy(before, cell) && !enemy(after, cell));
  const reached = cells.find((cell) => enemy(after, cell) && !enemy(before, cell));
  if (left !== undefined) found.push({ from: left, to: reached ?? [from, to], pushed: true });
  return found;
}

/**
 * What became of the stones. A new stone comes from the nearest cell that a stone of its side has left.
 * @param {string} before @param {string} after @param {number[]} marks the cells of the last move, where a stone is
 * captured and not turned over @param {(a: number, b: number) => number} distance between two cells
 */
export function changes(before, after, marks, distance) {
  /** @type {[number[], number[]]} */ const left = [[], []];
  /** @type {[number[], number[]]} */ const reached = [[], []];
  const turned = [];
  for (let cell = 0; cell < after.length; cell += 1) {
    const [was, is] = [sideOf(before[cell]), sideOf(after[cell])];
    if (was === is) continue;
    if (was !== null && is !== null && !marks.includes(cell)) turned.push(cell);
    else {
      if (was !== null) left[was].push(cell);
      if (is !== null) reached[is].push(cell);
    }
  }
  /** @type {{ from: number, to: number }[]} */ const slid = [];
  const appeared = [];
  for (const side of [0, 1]) {
    for (const to of reached[side]) {
      const [from] = [...left[side]].sort((a, b) => distance(a, to) - distance(b, to));
      if (from === undefined) appeared.push(to);
      else {
        left[side].splice(left[side].indexOf(from), 1);
        slid.push({ from, to });
      }
    }
  }
  return { slid, appeared, vanished: left.flat(), turned };
}

/**
 * The stones right after the cells of a move were chosen, before it is known what the move does to others: the stone on
 * the first cell goes to the second, and on an empty cell a new one appears.
 * @param {string} stones @param {number[]} path @param {number} mover
 */
export function placed(stones, path, mover) {
  const after = [...stones];
  const [from, to] = path;
  if (from === undefined) return stones;
  if (sideOf(stones[from]) === null) after[from] = String(mover);
  else if (to !== undefined) {
    after[to] = after[from];
    after[from] = '.';
  }
  return after.join('');
}
