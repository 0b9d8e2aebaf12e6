// What a review says of a whole game: accuracy, what each mistake cost, what decided it, which level plays like this.
// Pure: it knows neither the page nor the game.

import { judge, loss } from './graph.js';

/** @typedef {import('./graph.js').Step} Step */
/** @typedef {{ ply: number, by: number, cost: number, kind: 'mistake' | 'blunder' }} Mistake */
/**
 * What is said of a side: how exact it played in percent, what a move cost it on average, and its mistakes.
 * @typedef {{ accuracy: number | null, average: number, mistakes: Mistake[], moves: number }} SideReview
 */

/**
 * How exact a move was, in percent, by the share of the chances that it threw away: the curve that lichess.org
 * publishes for chess, which gives 100 for nothing and about 10 for half of all chances.
 * @param {number} cost from 0 to 1
 */
export function accuracyOf(cost) {
  return Math.max(0, Math.min(100, 103.1668 * Math.exp(-4.354 * cost) - 3.1669));
}

/** @param {Step[]} path the start first @returns {[SideReview, SideReview]} */
export function reviewOf(path) {
  const judged = judge(path);
  const side = (/** @type {number} */ by) => {
    const costs = [];
    /** @type {Mistake[]} */
    const mistakes = [];
    for (let ply = 1; ply < path.length; ply += 1) {
      const { by: mover, text } = path[ply].ply;
      if (mover !== by || text === 'pass' || !path[ply].value || !path[ply - 1].value) continue;
      const cost = Math.max(0, loss(path, ply));
      costs.push(cost);
      const kind = judged.get(ply);
      if (kind) mistakes.push({ ply, by, cost, kind });
    }
    const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const moves = costs.length;
    return { accuracy: moves ? mean(costs.map(accuracyOf)) : null, average: moves ? mean(costs) : 0, mistakes, moves };
  };
  return [side(0), side(1)];
}

/**
 * The move that decided a game: the dearest mistake of the side that lost it, after which its chances never came back
 * to a half; null if there is none.
 * @param {Step[]} path
 */
export function decisive(path) {
  const last = path.findLast((step) => step.value)?.value;
  if (!last || Math.abs(last.first - 0.5) < 0.2) return null;
  const loser = last.first > 0.5 ? 1 : 0;
  const chance = (/** @type {Step} */ { value }) => (value ? (loser === 0 ? value.first : 1 - value.first) : 0);
  let from = path.length - 1;
  while (from > 0 && chance(path[from]) < 0.5) from -= 1;
  const mistakes = reviewOf(path)[loser].mistakes.filter(({ ply }) => ply > from);
  return mistakes.sort((a, b) => b.cost - a.cost)[0]?.ply ?? null;
}

/** A game of fewer moves says nothing about a level. */
const LEAST_MOVES = 8;

/**
 * The level whose moves cost as much on average; null if nothing can be said.
 * @param {SideReview} side @param {number[]} losses what a move costs each level on average, the weakest first
 */
export function levelLike({ average, moves }, losses) {
  if (moves < LEAST_MOVES || !losses.length) return null;
  const distances = losses.map((usual) => Math.abs(Math.log((usual + 0.004) / (average + 0.004))));
  return distances.indexOf(Math.min(...distances)) + 1;
}
