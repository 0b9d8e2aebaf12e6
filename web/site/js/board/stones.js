// Stones as the server sends them, one character a cell, and what became of them between two positions. Pure.

/** The side of the stone on a cell, or null if the cell is empty. @param {string | undefined} stone */
export function sideOf(stone) {
  return stone === undefined || stone === '.' ? null : Number(stone);
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
