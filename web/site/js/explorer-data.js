// The games behind the opening explorer: which moves were played in a position, and how these games ended. Pure but for
// what the browser keeps.

/** @typedef {import('./api.js').Ply} Ply */
/**
 * The opening of a game: its moves, a key of the position before each, and the side that won; null for a draw, missing
 * if it has not ended.
 * @typedef {{ moves: string[], keys: string[], winner?: number | null, file?: boolean }} Opening
 */
/** How often a move was played, and the games won by each side and drawn. @typedef {{ move: string, games: number,
 * wins: [number, number], draws: number }} Played */

/**
 * How a game of a file began, and its result.
 * @typedef {{ game: string, ruleset?: string, position?: string | null, moves: string[] | string, result?: string }}
 * Recorded
 */

const PREFIX = 'quincunx:openings:';
/** The most games kept of each kind; the oldest go. */
const MOST = 500;
/** The plies that count as an opening. */
const LONGEST = 40;

/**
 * A short key of a position: two sums over its stones and the side to move.
 * @param {string} stones @param {number} side
 */
export function keyOf(stones, side) {
  let [a, b] = [0xdeadbeef ^ side, 0x41c6ce57 ^ side];
  for (let at = 0; at < stones.length; at += 1) {
    const code = stones.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** @param {Ply[]} plies the start first @param {number | null | undefined} winner @returns {Opening} */
export function openingOf(plies, winner) {
  const played = plies.slice(1, LONGEST + 1);
  return {
    moves: played.map(({ text }) => text ?? ''),
    keys: played.map(({ by }, at) => keyOf(plies[at].stones, by ?? 0)),
    winner,
  };
}

/**
 * The moves played in a position, the most frequent first. A game that came to it twice counts once for each move.
 * @param {Opening[]} games @param {string} key @returns {Played[]}
 */
export function explore(games, key) {
  /** @type {Map<string, Played>} */
  const found = new Map();
  for (const { moves, keys, winner } of games) {
    const here = new Set(moves.filter((_, at) => keys[at] === key));
    for (const move of here) {
      const played = found.get(move) ?? { move, games: 0, wins: [0, 0], draws: 0 };
      played.games += 1;
      if (winner === null) played.draws += 1;
      else if (winner !== undefined) played.wins[winner] += 1;
      found.set(move, played);
    }
  }
  return [...found.values()].sort((a, b) => b.games - a.games || (a.move < b.move ? -1 : 1));
}

/**
 * The games in the text of a file: records one below the other, trees one behind the other, games with headings, or one
 * list of moves a line.
 * @param {string} text @returns {string[]}
 */
export function gamesIn(text) {
  const whole = text.trim();
  if (whole.startsWith('(')) return treesIn(whole);
  if (whole.startsWith('{')) return isJson(whole) ? [whole] : linesOf(whole);
  if (isJson(whole)) return JSON.parse(whole).map((/** @type {unknown} */ one) => JSON.stringify(one));
  if (/^number,game,/.test(whole)) return rowsIn(whole);
  if (whole.startsWith('[')) return whole.split(/\n\s*\n(?=\[)/).map((game) => game.trim());
  // Numbered moves may go on over several lines.
  return /^\s*2\./m.test(whole) ? whole.split(/\n\s*\n/) : linesOf(whole);
}

/** @param {string} text */
const linesOf = (text) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The rows of a table of games, as `quincunx convert` writes it. @param {string} text */
function rowsIn(text) {
  const cellsOf = (/** @type {string} */ line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? plain : quoted.replaceAll('""', '"'),
    );
  const [head, ...rows] = linesOf(text).map(cellsOf);
  return rows.map((row) => {
    const { game, ruleset, start, moves = '', result } = Object.fromEntries(head.map((name, at) => [name, row[at]]));
    return JSON.stringify({ game, ruleset, ...(start && { position: start }), moves, result });
  });
}

/** @param {string} text */
function isJson(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object';
  } catch {
    return false;
  }
}

/** The trees of SGF or GGF in a text. @param {string} text */
function treesIn(text) {
  const trees = [];
  let [depth, begin] = [0, 0];
  for (const { 0: token, index } of text.matchAll(/[()]|\[(?:\\[\s\S]|[^\]\\])*\]/g)) {
    if (token === '(') {
      if (depth === 0) begin = index;
      depth += 1;
    } else if (token === ')') {
      depth -= 1;
      if (depth === 0) trees.push(text.slice(begin, index + 1));
    }
  }
  return trees;
}

/**
 * The result that a text tells, for games that were given up or ran out of time.
 * @param {string} text @param {string[]} [colours] the properties of both sides in trees
 */
export function resultIn(text, colours = ['B', 'W']) {
  const tree = /RE\[\s*(?:([BW])\+|(0|Draw))/i.exec(text);
  if (tree) return tree[1] ? colours.indexOf(tree[1].toUpperCase()) : null;
  const [, heading] = /\[Result\s+"([^"]*)"\]|"result":"([^"]*)"/.exec(text)?.filter(Boolean) ?? [];
  const [, winner = ''] = /"winner":"(first|second|draw)"/.exec(text) ?? [];
  return { '1-0': 0, '0-1': 1, '1/2-1/2': null, first: 0, second: 1, draw: null }[heading ?? winner];
}

/** What is kept of a game's openings, by the name of each. @param {string} game @returns {Record<string, Opening>} */
export function keptOpenings(game) {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + game) ?? '{}');
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

/** Keeps openings; of games and of files the newest. @param {string} game @param {Record<string, Opening>} openings */
export function keepOpenings(game, openings) {
  const all = Object.entries(openings);
  const newest = [true, false].flatMap((isFile) => all.filter(([, { file = false }]) => file === isFile).slice(-MOST));
  try {
    localStorage.setItem(PREFIX + game, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // Without room they are known until the page is closed.
  }
}
