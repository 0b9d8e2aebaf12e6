// Draws a board from its geometry: cells, lines, labels, stones. Knows no game.

import { s } from './dom.js';
import { word } from './i18n.js';

/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./api.js').Point} Point */

let drawings = 0;

/** A colour between two. @param {string} from @param {string} to @param {number} share */
export function mix(from, to, share) {
  const part = (/** @type {string} */ colour, /** @type {number} */ at) => parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(from, at) + (part(to, at) - part(from, at)) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** How light a colour is, from 0 to 1. @param {string} colour */
export function lightness(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.3 * r + 0.59 * g + 0.11 * b;
}

/** The places of a board, seen from one end or the other. */
export class Plane {
  /** @param {Geometry} geometry @param {boolean} flipped */
  constructor(geometry, flipped) {
    this.geometry = geometry;
    this.flipped = flipped;
  }

  /** @param {Point} point @returns {Point} */
  at([x, y]) {
    const [width, height] = this.geometry.size;
    return this.flipped ? [width - x, height - y] : [x, y];
  }

  /** @param {number} cell @returns {Point} */
  centre(cell) {
    return this.at(this.geometry.cells[cell].centre);
  }

  /**
   * A point beyond a cell, in the direction from one cell to another.
   * @param {number} cell @param {[number, number]} way @returns {Point}
   */
  beyond(cell, [from, to]) {
    const [[x, y], [fx, fy], [tx, ty]] = [cell, from, to].map((one) => this.centre(one));
    const length = Math.hypot(tx - fx, ty - fy) || 1;
    return [x + (0.75 * (tx - fx)) / length, y + (0.75 * (ty - fy)) / length];
  }

  /** @param {number} cell */
  outline(cell) {
    const corners = this.geometry.cells[cell].outline.map((point) => this.at(point));
    return corners.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(' ');
  }

  /** The next cell in a direction, or null at the edge. @param {number} from @param {Point} step */
  neighbour(from, [dx, dy]) {
    const [x, y] = this.centre(from);
    let best = null;
    let least = Infinity;
    for (let cell = 0; cell < this.geometry.cells.length; cell += 1) {
      const [cx, cy] = this.centre(cell);
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy + (cy - y) * dx);
      // Within some 55 degrees of the direction; a cell straight ahead counts as nearer than one to the side.
      if (ahead < 0.2 || aside > ahead * 1.43) continue;
      const distance = ahead + 1.6 * aside + (dx + dy < 0 === cx - x < 0 ? 0 : 0.01);
      if (distance < least) [best, least] = [cell, distance];
    }
    return best;
  }
}

/** Paint that stones share. @param {Geometry} geometry @param {string} id */
function paints(geometry, id) {
  const { stones } = geometry.palette;
  return stones.map((colour, side) =>
    s(
      'radialGradient',
      { id: `${id}-stone-${side}`, cx: 0.35, cy: 0.28, r: 0.8 },
      s('stop', { offset: 0, 'stop-color': mix(colour, '#ffffff', lightness(colour) > 0.7 ? 0.9 : 0.42) }),
      s('stop', { offset: 0.5, 'stop-color': colour }),
      s('stop', { offset: 1, 'stop-color': mix(colour, '#000000', lightness(colour) > 0.7 ? 0.2 : 0.35) }),
    ),
  );
}

/** Everything of a board but the stones. @param {Geometry} geometry @param {boolean} flipped */
export function drawBoard(geometry, flipped) {
  const id = `board${(drawings += 1)}`;
  const plane = new Plane(geometry, flipped);
  const {
    palette,
    size: [width, height],
  } = geometry;
  const sheen = `${id}-sheen`;
  const definitions = s(
    'defs',
    {},
    paints(geometry, id),
    s(
      'linearGradient',
      { id: sheen, x1: 0, y1: 0, x2: 1, y2: 1 },
      s('stop', { offset: 0, 'stop-color': '#ffffff', 'stop-opacity': 0.1 }),
      s('stop', { offset: 1, 'stop-color': '#000000', 'stop-opacity': 0.12 }),
    ),
  );
  const cells = geometry.cells.map((cell, index) => {
    const base = cell.tone === 'alternate' ? palette.alternate : palette.plain;
    const fill = cell.goal === undefined ? base : mix(base, palette.stones[cell.goal], 0.32);
    const stroke = cell.tone === 'bare' ? fill : palette.line;
    return s('polygon', {
      points: plane.outline(index),
      fill,
      stroke,
      'stroke-width': 0.03,
      'stroke-linejoin': 'round',
    });
  });
  const goals = geometry.cells.flatMap((cell, index) => {
    if (cell.goal === undefined) return [];
    const [cx, cy] = plane.centre(index);
    return [
      s('circle', {
        cx,
        cy,
        r: geometry.stone_radius * 0.7,
        fill: 'none',
        stroke: palette.stones[cell.goal],
        'stroke-width': 0.07,
        'stroke-dasharray': '0.16 0.1',
      }),
    ];
  });
  const lines = geometry.lines.map((ends) => {
    const [[x1, y1], [x2, y2]] = ends.map((end) => plane.at(end));
    return s('line', { x1, y1, x2, y2, stroke: palette.line, 'stroke-width': 0.035, 'stroke-linecap': 'round' });
  });
  const dots = geometry.dots.map((dot) => {
    const [cx, cy] = plane.at(dot);
    return s('circle', { cx, cy, r: 0.09, fill: palette.line });
  });
  const labels = geometry.labels.map((label) => {
    const [x, y] = plane.at(label.at);
    return s('text', { x, y, dy: '0.35em', fill: palette.label }, word(label.text, geometry.game));
  });
  const layer = s(
    'g',
    { class: 'ground', 'aria-hidden': 'true' },
    definitions,
    s('rect', { width, height, rx: 0.35, fill: palette.frame }),
    s('rect', { width, height, rx: 0.35, fill: `url(#${sheen})` }),
    cells,
    goals,
    lines,
    dots,
    // A little smaller on boards with few cells, which are large on the screen.
    s('g', { class: 'labels', 'font-size': 0.2 + width * 0.005, 'text-anchor': 'middle' }, labels),
  );
  return { id, plane, layer };
}

/**
 * A stone around the origin. The stones of the second side carry a ring, so that colour is not the only cue.
 * @param {Geometry} geometry @param {string} id @param {number} side
 */
export function drawStone(geometry, id, side) {
  const r = geometry.stone_radius;
  const colour = geometry.palette.stones[side];
  const edge = mix(colour, '#000000', 0.45);
  const ring = lightness(colour) > 0.5 ? mix(colour, '#000000', 0.3) : mix(colour, '#ffffff', 0.45);
  return s(
    'g',
    { class: 'body' },
    s('circle', { cy: r * 0.1, cx: r * 0.03, r: r * 1.01, fill: '#000', opacity: 0.28 }),
    s('circle', { r, fill: `url(#${id}-stone-${side})`, stroke: edge, 'stroke-width': 0.02 }),
    side === 1
      ? s('circle', { r: r * 0.58, fill: 'none', stroke: ring, 'stroke-width': r * 0.07, opacity: 0.55 })
      : null,
  );
}

/**
 * A board that only shows a position.
 * @param {Geometry} geometry @param {string} stones @param {{ marks?: number[], label?: string, flipped?: boolean,
 * targets?: number[] }} [options]
 */
export function picture(geometry, stones, options = {}) {
  const { id, plane, layer } = drawBoard(geometry, options.flipped ?? false);
  const [width, height] = geometry.size;
  const placed = [...stones].flatMap((stone, cell) => {
    if (stone === '.') return [];
    const [x, y] = plane.centre(cell);
    return [s('g', { transform: `translate(${x} ${y})` }, drawStone(geometry, id, Number(stone)))];
  });
  const marked = (options.marks ?? []).map((cell) => {
    const [cx, cy] = plane.centre(cell);
    return s('circle', { cx, cy, r: geometry.stone_radius * 0.3, class: 'mark' });
  });
  const targets = (options.targets ?? []).map((cell) => {
    const [cx, cy] = plane.centre(cell);
    return s('circle', { cx, cy, r: geometry.stone_radius * 0.4, class: 'target' });
  });
  const accessible = options.label ? { role: 'img', 'aria-label': options.label } : { 'aria-hidden': 'true' };
  return s(
    'svg',
    { class: 'picture', viewBox: `0 0 ${width} ${height}`, ...accessible },
    layer,
    placed,
    marked,
    targets,
  );
}

/** A single stone for a name plate. @param {Geometry} geometry @param {number} side */
export function stoneIcon(geometry, side) {
  const id = `icon${(drawings += 1)}`;
  const r = geometry.stone_radius * 1.15;
  return s(
    'svg',
    { class: 'stone-icon', viewBox: `${-r} ${-r} ${2 * r} ${2 * r}`, 'aria-hidden': 'true' },
    s('defs', {}, paints(geometry, id)[side]),
    drawStone(geometry, id, side),
  );
}
