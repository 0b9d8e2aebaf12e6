// What solves a lesson. Pure: it knows neither the page nor the game.

/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('../../types/api.js').Goal} Goal */

/** Whether a move is one of those that a goal names, such as `a1|h8`. @param {string} moves @param {string} move */
const names = (moves, move) => moves.split('|').includes(move);

/**
 * Whether a move reaches a goal, or goes on towards it: `step` is the number of moves made before it on the way.
 * @param {Goal} goal @param {Position} before @param {Position} after @param {string} move @param {number} [step]
 */
export function solves(goal, before, after, move, step = 0) {
  const mover = before.to_move;
  const count = (/** @type {Position} */ position, /** @type {string} */ name, /** @type {number} */ side) =>
    position.tallies.find((tally) => tally.name === name)?.values[side] ?? 0;
  if (goal === 'any') return true;
  if (goal === 'win') return after.outcome?.winner === mover;
  if ('tally' in goal) return count(after, goal.tally, mover) > count(before, goal.tally, mover);
  if ('takes' in goal) return count(after, goal.takes, 1 - mover) < count(before, goal.takes, 1 - mover);
  if ('move' in goal) return names(goal.move, move);
  if ('line' in goal) return names(goal.line[step], move);
  return move.includes(goal.contains);
}

/** What the opponent answers to the move of a step; nothing at the end. @param {Goal} goal @param {number} step */
export function replyTo(goal, step) {
  return typeof goal === 'object' && 'line' in goal ? goal.line[step + 1] : undefined;
}

/**
 * The move to show to somebody who does not find it.
 * @param {{ goal: Goal, answer?: string }} lesson @param {number} step @returns {string}
 */
export function answerOf({ goal, answer = '' }, step) {
  if (typeof goal === 'object' && 'move' in goal) return goal.move.split('|')[0];
  if (typeof goal === 'object' && 'line' in goal) return goal.line[step].split('|')[0];
  return answer;
}
