// What is drawn on a board, in layers: the ground below, then the path, stones, marks, targets, ghosts and arrows.

import { s } from '../dom.js';
import { drawBoard, drawStone } from '../drawing.js';
import { sideWords, t, word } from '../i18n.js';
import { settings } from '../settings.js';
import { sideOf, trails } from './stones.js';

/** @typedef {import('../api.js').Geometry} Geometry */
/** @typedef {import('./board.js').View} View */
/** @typedef {import('./selection.js').Selection} Selection */
/**
 * What points at a move: the cells to click, or the cells that several stones leave and reach, two by two.
 * @typedef {{ path: number[], trail?: number[], kind: 'best' | 'good' | 'hint', text?: string }} Arrow
 */

/** A board with more cells to choose from than this needs no dots: almost everything may be played. */
const CROWDED = 60;

export class Layers {
  /** The stones on the board, by cell. @type {Map<number, SVGGElement>} */ stones = new Map();
  #drawnStones = '';
  #groups;

  /** @param {Geometry} geometry @param {boolean} flipped */
  constructor(geometry, flipped) {
    this.geometry = geometry;
    const { id, plane, layer } = drawBoard(geometry, flipped);
    this.id = id;
    this.plane = plane;
    const group = (/** @type {string} */ name) => s('g', { class: name, 'aria-hidden': 'true' });
    this.#groups = {
      path: group('path'),
      stones: group('stones'),
      marks: group('marks'),
      targets: group('targets'),
      ghost: group('ghost'),
      arrows: group('arrows'),
    };
    this.drawn = s('g', { id: `${id}-drawn` }, layer, Object.values(this.#groups));
    /** What is clicked: the outlines of the cells, by cell. */
    this.cells = geometry.cells.map((_, cell) =>
      s('polygon', { points: plane.outline(cell), class: 'cell', role: 'gridcell', 'data-cell': cell, tabindex: -1 }),
    );
    /** The same, by row. */
    this.rows = [...new Set(geometry.cells.map((cell) => cell.row))]
      .sort((a, b) => a - b)
      .map((row) =>
        s(
          'g',
          { role: 'row' },
          this.cells.filter((_, cell) => geometry.cells[cell].row === row),
        ),
      );
  }

  /**
   * @param {View} view @param {Selection} selection
   * @param {boolean} pressed whether a pointer is down, which has the ghost to itself
   */
  draw(view, selection, pressed) {
    this.#drawStones(view);
    this.#drawMarks(view);
    this.#drawTargets(view, selection);
    this.#drawPath(view, selection, pressed);
    this.drawArrows(view.arrows ?? []);
    this.#label(view, selection);
  }

  /** One cell can be reached with Tab, the others with the arrow keys. @param {number} reachable */
  setTabStop(reachable) {
    this.cells.forEach((cell, index) => cell.setAttribute('tabindex', index === reachable ? '0' : '-1'));
  }

  /** Draws a stone above the others. @param {number} cell */
  raise(cell) {
    const stone = this.stones.get(cell);
    if (stone) this.#groups.stones.append(stone);
  }

  /** Adds a stone that is not part of the position, below the others. @param {number} cell @param {number} side */
  addGone(cell, side) {
    const stone = this.#stoneAt(cell, side);
    this.#groups.stones.prepend(stone);
    return stone;
  }

  /**
   * Draws the stone of a cell under the pointer that drags it, and shows the cell that it would go to.
   * @param {number} cell @param {number | null} side @param {{ x: number, y: number }} at @param {number | null} over
   */
  lift(cell, side, { x, y }, over) {
    this.stones.get(cell)?.classList.add('lifted');
    this.cells.forEach((element, index) => element.classList.toggle('over', index === over));
    if (side === null) return;
    const stone = drawStone(this.geometry, this.id, side);
    this.#groups.ghost.replaceChildren(s('g', { transform: `translate(${x} ${y}) scale(1.08)` }, stone));
  }

  /** Ends what `lift` shows. */
  drop() {
    this.#groups.ghost.replaceChildren();
    for (const cell of this.cells) cell.classList.remove('over');
    for (const stone of this.stones.values()) stone.classList.remove('lifted');
  }

  /** @param {Arrow[]} arrows */
  drawArrows(arrows) {
    this.#groups.arrows.replaceChildren(...arrows.flatMap((arrow) => this.#arrow(arrow)));
  }

  /** @param {number} cell @param {number} size in radii of a stone @param {string} name */
  #circle(cell, size, name) {
    const [cx, cy] = this.plane.centre(cell);
    return s('circle', { cx, cy, r: this.geometry.stone_radius * size, class: name });
  }

  /** @param {number} cell @param {number} side @param {string} [name] */
  #stoneAt(cell, side, name = 'stone') {
    const [x, y] = this.plane.centre(cell);
    return s('g', { class: name, transform: `translate(${x} ${y})` }, drawStone(this.geometry, this.id, side));
  }

  /** @param {View} view */
  #drawStones({ ply }) {
    // Stones that stay go on with their animation.
    if (ply.stones === this.#drawnStones) return;
    this.#drawnStones = ply.stones;
    this.stones.clear();
    for (const [cell, stone] of [...ply.stones].entries()) {
      const side = sideOf(stone);
      if (side !== null) this.stones.set(cell, this.#stoneAt(cell, side));
    }
    this.#groups.stones.replaceChildren(...this.stones.values());
  }

  /** @param {View} view */
  #drawMarks({ ply, before, winning = [] }) {
    const moved = trails(before, ply.stones, ply.marks);
    const shown = moved.length
      ? moved.flatMap(({ from, to, pushed }) => this.#trail(from, to, pushed))
      : ply.marks.map((cell) => this.#circle(cell, 0.26, 'mark'));
    this.#groups.marks.replaceChildren(...shown, ...winning.map((cell) => this.#circle(cell, 1.02, 'winning')));
  }

  /** @param {View} view @param {Selection} selection */
  #drawTargets({ ply, toMove }, selection) {
    const next = selection.next();
    this.cells.forEach((cell, index) => cell.classList.toggle('playable', next.has(index)));
    const crowded = selection.path.length === 0 && next.size > CROWDED;
    const shown = settings.targets && !selection.pending && !crowded ? [...next] : [];
    const targets = shown.map((cell) => {
      const side = sideOf(ply.stones[cell]);
      if (side === null) return this.#circle(cell, 0.34, 'target');
      // A stone of the player is to be moved, one of the opponent to be taken.
      return this.#circle(cell, 1.07, side === toMove ? 'movable' : 'take');
    });
    this.#groups.targets.replaceChildren(...targets);
  }

  /** @param {View} view @param {Selection} selection @param {boolean} pressed */
  #drawPath({ ply: { stones }, toMove }, selection, pressed) {
    const path = selection.pending?.path ?? selection.path;
    const last = path.length - 1;
    const rings = path.map((cell, index) => this.#circle(cell, 1.1, index === last ? 'chosen' : 'chosen earlier'));
    this.#groups.path.replaceChildren(...rings);
    if (pressed) return;
    // A faint stone stands where the path first reaches an empty cell.
    const landing = path.find((cell) => stones[cell] === '.');
    const side = sideOf(stones[path[0]]) ?? toMove ?? null;
    const ghost = landing === undefined || side === null ? [] : [this.#stoneAt(landing, side, 'faint')];
    this.#groups.ghost.replaceChildren(...ghost);
  }

  /**
   * How a stone came to its cell; one that was pushed off the board has an arrow that ends between two cells.
   * @param {number} from @param {number | [number, number]} to @param {boolean} pushed
   */
  #trail(from, to, pushed) {
    const end = typeof to === 'number' ? this.plane.centre(to) : this.plane.beyond(from, to);
    return this.#shaft(this.plane.centre(from), end, pushed ? 'pushed' : '', 'trail', 'trail-head');
  }

  /**
   * A line with a head, between two points.
   * @param {[number, number]} from @param {[number, number]} to @param {string} kind
   * @param {string} line the class of the line @param {string} head the class of the head
   */
  #shaft([x1, y1], [x2, y2], kind, line, head) {
    const r = this.geometry.stone_radius;
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const tip = [x2 - ux * r * 0.1, y2 - uy * r * 0.1];
    const neck = [x2 - ux * r * 0.75, y2 - uy * r * 0.75];
    const [wx, wy] = [uy * r * 0.45, ux * r * 0.45];
    const corners = [tip, [neck[0] - wx, neck[1] + wy], [neck[0] + wx, neck[1] - wy]];
    return [
      s('path', { class: `${line} ${kind}`, d: `M${x1} ${y1}L${neck[0]} ${neck[1]}` }),
      s('polygon', { class: `${head} ${kind}`, points: corners.join(' ') }),
    ];
  }

  /**
   * An arrow from the first cell of a path to the second, and a ring around every other cell; or an arrow for each move
   * of a turn.
   * @param {Arrow} arrow
   */
  #arrow({ path, trail = path.slice(0, 2), kind, text }) {
    const r = this.geometry.stone_radius;
    const isArrow = path.length >= 2;
    const others = path.filter((cell) => !isArrow || !trail.includes(cell));
    /** @type {SVGElement[]} */
    const parts = others.map((cell) => this.#circle(cell, 0.82, `spot ${kind}`));
    for (let at = 0; at + 1 < trail.length; at += 2) {
      const [from, to] = [trail[at], trail[at + 1]].map((cell) => this.plane.centre(cell));
      parts.unshift(...this.#shaft(from, to, kind, 'arrow', 'arrowhead'));
    }
    if (text) {
      const [x, y] = this.plane.centre(path[isArrow ? 1 : 0]);
      const look = { class: `score ${kind}`, 'font-size': r * 0.72, 'text-anchor': 'middle' };
      parts.push(s('text', { ...look, x, y, dy: '0.35em' }, text));
    }
    return parts;
  }

  /** Says of every cell what is on it and what can be done with it. @param {View} view @param {Selection} selection */
  #label({ ply, winning = [] }, selection) {
    const next = selection.next();
    const { game, cells, sides } = this.geometry;
    this.cells.forEach((element, index) => {
      const { name, goal } = cells[index];
      const side = sideOf(ply.stones[index]);
      const isChosen = selection.path.includes(index);
      const words = [name, side === null ? t('empty') : word(sides[side], game)];
      if (goal !== undefined) words.push(t('goal_of', sideWords(game, sides[goal])));
      if (ply.marks.includes(index)) words.push(t('last_move'));
      if (winning.includes(index)) words.push(t('winning_cell'));
      if (isChosen) words.push(t('selected'));
      else if (settings.targets && next.has(index)) words.push(t('can_be_chosen'));
      element.setAttribute('aria-label', words.join(', '));
      element.setAttribute('aria-selected', String(isChosen));
    });
  }
}
