// What solves a lesson. Pure: it knows neither the page nor the game.

/** @typedef {import('./api.js').Position} Position */

/**
 * Whether a move reaches a goal.
 * @param {import('./content.js').Goal} goal @param {Position} before @param {Position} after @param {string} move
 */
export function solves(goal, before, after, move) {
  const mover = before.to_move;
  const count = (/** @type {Position} */ position, /** @type {string} */ name, /** @type {number} */ side) =>
    position.tallies.find((tally) => tally.name === name)?.values[side] ?? 0;
  if (goal === 'any') return true;
  if (goal === 'win') return after.outcome?.winner === mover;
  if ('tally' in goal) return count(after, goal.tally, mover) > count(before, goal.tally, mover);
  if ('takes' in goal) return count(after, goal.takes, 1 - mover) < count(before, goal.takes, 1 - mover);
  return 'move' in goal ? move === goal.move : move.includes(goal.contains);
}
