// The chances over the course of a game as a curve to click on, and the moves that threw them away.

import { h, s } from './dom.js';
import { sideNames, sideWords, t } from './i18n.js';

/** @typedef {{ first: number, best: string | null, pv?: string[] } | null} Value */

/** A move that loses at least this much of the chances is a mistake, or a blunder. */
const MISTAKE = 0.12;
const BLUNDER = 0.28;

/** @typedef {{ value: Value, ply: import('./api.js').Ply }} Step */

/** The chances a move threw away. @param {Step[]} path the start first @param {number} ply */
export function loss(path, ply) {
  const [before, after] = [path[ply - 1].value, path[ply].value];
  const { by, text } = path[ply].ply;
  if (!before || !after || by === null || before.best === text) return 0;
  return by === 0 ? before.first - after.first : after.first - before.first;
}

/**
 * What moves threw away: by ply, `mistake` or `blunder`.
 * @param {Step[]} path the start first
 * @returns {Map<number, 'mistake' | 'blunder'>}
 */
export function judge(path) {
  const judged = new Map();
  for (let ply = 1; ply < path.length; ply += 1) {
    const lost = loss(path, ply);
    if (lost >= MISTAKE) judged.set(ply, lost >= BLUNDER ? 'blunder' : 'mistake');
  }
  return judged;
}

/** The move that threw away the most, or null if none is a mistake. @param {Step[]} path @returns {number | null} */
export function worst(path) {
  return [...judge(path).keys()].reduce(
    (/** @type {number | null} */ most, ply) => (most === null || loss(path, ply) > loss(path, most) ? ply : most),
    null,
  );
}

export class Graph {
  /**
   * @param {import('./api.js').About} about @param {(ply: number) => void} look
   */
  constructor(about, look) {
    const sides = sideNames(about);
    this.look = look;
    this.area = s('path', { class: 'graph-area' });
    this.curve = s('path', { class: 'graph-curve' });
    this.points = s('g');
    this.cursor = s('line', { class: 'graph-cursor', y1: 0, y2: 100 });
    this.svg = s(
      'svg',
      {
        class: 'graph',
        viewBox: '0 0 300 100',
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': t('graph_of', sideWords(about.name, about.sides[0])),
      },
      s('line', { class: 'graph-middle', x1: 0, x2: 300, y1: 50, y2: 50 }),
      this.area,
      this.curve,
      this.cursor,
      this.points,
    );
    this.element = h(
      'div',
      { class: 'graph-frame' },
      h('span', { class: 'graph-side' }, sides[0]),
      this.svg,
      h('span', { class: 'graph-side' }, sides[1]),
    );
    this.svg.addEventListener('click', (event) => {
      const box = this.svg.getBoundingClientRect();
      this.look(Math.round(((event.clientX - box.left) / box.width) * (this.count - 1)));
    });
    this.count = 2;
  }

  /** @param {Value[]} values @param {number} shown @param {Map<number, string>} judged */
  show(values, shown, judged) {
    this.count = Math.max(2, values.length);
    const x = (/** @type {number} */ ply) => (300 * ply) / (this.count - 1);
    const known = values.flatMap((value, ply) => (value ? [[x(ply), 100 - 100 * value.first]] : []));
    const path = known.map(([px, py], index) => `${index ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');
    this.curve.setAttribute('d', path);
    this.area.setAttribute('d', known.length ? `${path}L${known[known.length - 1][0].toFixed(1)} 100L0 100Z` : '');
    this.cursor.setAttribute('x1', String(x(shown)));
    this.cursor.setAttribute('x2', String(x(shown)));
    this.points.replaceChildren(
      ...[...judged].flatMap(([ply, kind]) => {
        const value = values[ply];
        return value
          ? [s('ellipse', { class: `graph-point ${kind}`, cx: x(ply), cy: 100 - 100 * value.first, rx: 3, ry: 4 })]
          : [];
      }),
    );
  }
}
