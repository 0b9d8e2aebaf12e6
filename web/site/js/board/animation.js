// Stones that slide, appear, vanish and turn over.

import { changes } from './stones.js';

/** @typedef {import('./layers.js').Layers} Layers */

const SLIDE = 260;
const APPEAR = 160;
const VANISH = 320;
const TURN = 260;
const EASING = 'cubic-bezier(0.3, 0.1, 0.2, 1)';

/**
 * Animates the stones of a board, which already shows the new position, from the position before.
 * @param {Layers} layers @param {string} before @param {string} after @param {number[]} marks
 */
export function animate(layers, before, after, marks) {
  const { plane } = layers;
  const distance = (/** @type {number} */ a, /** @type {number} */ b) => {
    const [[ax, ay], [bx, by]] = [plane.centre(a), plane.centre(b)];
    return Math.hypot(ax - bx, ay - by);
  };
  const body = (/** @type {number} */ cell) => layers.stones.get(cell)?.firstElementChild;
  const { slid, appeared, vanished, turned } = changes(before, after, marks, distance);
  for (const { from, to } of slid) {
    const [[fx, fy], [tx, ty]] = [plane.centre(from), plane.centre(to)];
    const frames = [{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: 'none' }];
    body(to)?.animate(frames, { duration: SLIDE, easing: EASING });
    layers.raise(to);
  }
  for (const cell of appeared) {
    const frames = { transform: ['scale(1.35)', 'scale(1)'], opacity: [0, 1] };
    body(cell)?.animate(frames, { duration: APPEAR, easing: EASING });
  }
  for (const cell of vanished) {
    const frames = { transform: ['scale(1)', 'scale(0.6)'], opacity: [1, 0] };
    fade(layers, cell, Number(before[cell]), frames, VANISH, 0);
  }
  for (const cell of turned) {
    const delay = marks.length ? Math.min(240, distance(cell, marks[0]) * 45) : 0;
    fade(layers, cell, Number(before[cell]), { transform: ['scaleX(1)', 'scaleX(0)'] }, TURN / 2, delay);
    const frames = { transform: ['scaleX(0)', 'scaleX(0)', 'scaleX(1)'] };
    body(cell)?.animate(frames, { duration: TURN, delay, fill: 'backwards' });
  }
}

/**
 * Shows a stone that has gone for a moment longer.
 * @param {Layers} layers @param {number} cell @param {number} side @param {PropertyIndexedKeyframes} frames
 * @param {number} duration @param {number} delay
 */
function fade(layers, cell, side, frames, duration, delay) {
  const stone = layers.addGone(cell, side);
  const animation = stone.firstElementChild?.animate(frames, { duration, delay, fill: 'both', easing: 'ease-in' });
  const remove = () => stone.remove();
  if (animation) animation.finished.then(remove, remove);
  else remove();
}
