// A board to play on: click, drag, touch or keyboard, matched against the paths of the legal moves.

import { announce, h, s } from './dom.js';
import { drawBoard, drawStone } from './drawing.js';
import { t } from './i18n.js';
import { settings } from './settings.js';

/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./api.js').Choice} Choice */
/** @typedef {import('./api.js').Ply} Ply */
/** @typedef {{ path: number[], kind: 'best' | 'good' | 'hint', text?: string }} Arrow */
/**
 * @typedef {{ play: (choice: Choice) => void, pending?: (choice: Choice | null) => void, progress?: (chosen: number) =>
 * void, missed?: () => void, label: string, sideName: (side: number) => string }} Options
 */

/** Cells smaller than this many pixels are hard to hit with a finger: aim first, confirm then. */
const SMALLEST_FOR_FINGERS = 30;
/** Pixels a pointer may wander before a click becomes a drag. */
const DRAG_FROM = 6;
const SLIDE = 260;

/** @param {string} stone */
const sideOf = (stone) => (stone === '.' ? null : Number(stone));

/** Draws what does not change, and places for what does. @param {Geometry} geometry @param {boolean} flipped */
function lay(geometry, flipped) {
  const { id, plane, layer } = drawBoard(geometry, flipped);
  const group = (/** @type {string} */ name) => s('g', { class: name, 'aria-hidden': 'true' });
  const layers = {
    path: group('path'),
    stones: group('stones'),
    marks: group('marks'),
    targets: group('targets'),
    ghost: group('ghost'),
    arrows: group('arrows'),
  };
  /** @type {Map<number, SVGGElement>} */
  const rows = new Map();
  const cells = geometry.cells.map((cell, index) => {
    const hit = s('polygon', {
      points: plane.outline(index),
      class: 'cell',
      role: 'gridcell',
      'data-cell': index,
      tabindex: -1,
    });
    const row = rows.get(cell.row) ?? s('g', { role: 'row' });
    rows.set(cell.row, row);
    row.append(hit);
    return hit;
  });
  const { path, stones, marks, targets, ghost, arrows } = layers;
  const drawn = s('g', { id: `${id}-drawn` }, layer, path, stones, marks, targets, ghost, arrows);
  const sorted = [...rows].sort((a, b) => a[0] - b[0]).map(([, row]) => row);
  return { id, plane, layers, cells, drawn, rows: sorted };
}

export class Board {
  /** @type {Choice[]} */ #choices = [];
  /** What was clicked so far. @type {number[]} */ #path = [];
  /** A whole move that waits for confirmation. @type {Choice | null} */ #pending = null;
  #flipped = false;
  #stones = '';
  /** @type {number[]} */ #marks = [];
  /** @type {number[]} */ #winning = [];
  /** @type {Arrow[]} */ #arrows = [];
  /** @type {Map<number, SVGGElement>} */ #standing = new Map();
  #focused = 0;
  /** The side whose turn it is, for the shadow of a stone not yet placed. @type {number | null} */ toMove = null;
  /** What a finger sees enlarged. @type {HTMLElement | undefined} */ #loupe;
  /** @type {{ cell: number, x: number, y: number, moved: boolean, fresh: boolean, aim: boolean } | null} */ #press =
    null;

  /** @param {Geometry} geometry @param {Options} options */
  constructor(geometry, options) {
    this.geometry = geometry;
    this.options = options;
    const [width, height] = geometry.size;
    this.element = s('svg', {
      class: 'board',
      viewBox: `0 0 ${width} ${height}`,
      role: 'grid',
      'aria-label': options.label,
    });
    this.frame = h('div', { class: 'board-frame' }, this.element);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.laid = lay(geometry, false);
    this.element.replaceChildren(this.laid.drawn, ...this.laid.rows);
    this.element.addEventListener('pointerdown', (event) => this.#down(event));
    this.element.addEventListener('pointermove', (event) => this.#move(event));
    this.element.addEventListener('pointerup', (event) => this.#up(event));
    this.element.addEventListener('pointercancel', () => this.#release());
    this.element.addEventListener('keydown', (event) => this.#key(event));
    // On the frame: a drawing that listens for the focus can be given it, in some browsers.
    this.frame.addEventListener('focusin', (event) => {
      const cell = this.#cellOf(event.target);
      if (cell !== null) this.#focused = cell;
    });
  }

  #lay() {
    this.laid = lay(this.geometry, this.#flipped);
    this.element.replaceChildren(this.laid.drawn, ...this.laid.rows);
    this.#standing.clear();
  }

  /** Sees the board from the other end. @param {boolean} flipped */
  flip(flipped) {
    if (flipped === this.#flipped) return;
    const focused = this.element.contains(document.activeElement);
    this.#flipped = flipped;
    this.#lay();
    this.#refresh();
    if (focused) this.laid.cells[this.#focused].focus();
  }

  get flipped() {
    return this.#flipped;
  }

  /**
   * Shows what stands on the board.
   * @param {Ply} ply @param {{ winning?: number[], animate?: boolean }} [options]
   */
  show(ply, options = {}) {
    const before = this.#stones;
    this.#stones = ply.stones;
    this.#marks = ply.marks;
    this.#winning = options.winning ?? [];
    this.#refresh();
    const quiet = matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
    if (options.animate && before && !quiet) this.#animate(before, ply.stones, ply.marks);
  }

  /** Says what may be played here; nothing where it is not this person's turn. @param {Choice[]} choices */
  allow(choices) {
    this.#choices = choices;
    this.#path = [];
    this.#setPending(null);
    this.#refresh();
  }

  /** @param {Arrow[]} arrows */
  point(arrows) {
    this.#arrows = arrows;
    this.#drawArrows();
  }

  /** Plays the move that waits to be confirmed. */
  confirm() {
    const choice = this.#pending;
    if (choice) this.#play(choice);
  }

  /** Forgets what was clicked. */
  cancel() {
    if (!this.#path.length && !this.#pending) return;
    this.#path = [];
    this.#setPending(null);
    this.#refresh();
    announce(t('cancelled'));
  }

  /** A press anywhere else on this part of the page forgets what was clicked, too. @param {HTMLElement} place */
  cancelFrom(place) {
    place.addEventListener('pointerdown', (event) => {
      if (event.target instanceof Element && !event.target.closest('.board-frame, .confirm')) this.cancel();
    });
  }

  /** @param {number} cell */
  #centre(cell) {
    return this.laid.plane.centre(cell);
  }

  /** The choices that begin with a path. @param {number[]} path */
  #matching(path) {
    return this.#choices.filter((choice) => path.every((cell, index) => choice.path[index] === cell));
  }

  /** The cells that may be clicked next. @param {number[]} path */
  #next(path) {
    return new Set(
      this.#matching(path)
        .filter((choice) => choice.path.length > path.length)
        .map((choice) => choice.path[path.length]),
    );
  }

  /** @param {Choice | null} choice */
  #setPending(choice) {
    if (this.#pending === choice) return;
    this.#pending = choice;
    this.options.pending?.(choice);
  }

  /** @param {Choice} choice */
  #play(choice) {
    this.#path = [];
    this.#setPending(null);
    this.#choices = [];
    this.#refresh();
    this.options.play(choice);
  }

  /**
   * Takes a cell as the next of the path, or as the first of a new one; false where it is neither.
   * @param {number} cell @param {boolean} [confirmFirst] whether a whole move waits for confirmation
   */
  #choose(cell, confirmFirst = false) {
    if (this.#pending) {
      const same = this.#pending.path.at(-1) === cell;
      if (same) {
        this.confirm();
        return true;
      }
      this.#path = this.#pending.path.slice(0, -1);
      this.#setPending(null);
    }
    for (const start of [this.#path, []]) {
      const path = [...start, cell];
      const matching = this.#matching(path);
      if (!matching.length) continue;
      const whole = matching.find((choice) => choice.path.length === path.length);
      if (whole && matching.length === 1) {
        if (confirmFirst) {
          this.#path = start;
          this.#setPending(whole);
          this.#refresh();
        } else this.#play(whole);
        return true;
      }
      this.#path = path;
      this.#refresh();
      announce(t('chosen', { cell: this.geometry.cells[cell].name, count: this.#next(path).size }));
      return true;
    }
    this.#path = [];
    this.#refresh();
    return false;
  }

  // Pointers.

  /** @param {EventTarget | null} target */
  #cellOf(target) {
    const cell = target instanceof Element ? target.getAttribute('data-cell') : null;
    return cell === null ? null : Number(cell);
  }

  /** @param {PointerEvent} event */
  #place(event) {
    const box = this.element.getBoundingClientRect();
    const unit = this.geometry.size[0] / box.width;
    return { x: (event.clientX - box.left) * unit, y: (event.clientY - box.top) * unit, unit };
  }

  /** The cell under a pointer. @param {PointerEvent} event */
  #under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return this.element.contains(found) ? this.#cellOf(found) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || !this.#choices.length) return;
    const cell = this.#cellOf(event.target);
    if (cell === null) {
      this.cancel();
      return;
    }
    const small = 1 / this.#place(event).unit < SMALLEST_FOR_FINGERS;
    const aim = event.pointerType !== 'mouse' && small;
    this.element.setPointerCapture(event.pointerId);
    const selected = this.#path.length > 0 && this.#path.at(-1) === cell;
    this.#press = { cell, x: event.clientX, y: event.clientY, moved: false, fresh: !selected, aim };
    if (aim) {
      event.preventDefault();
      this.#magnify(event, cell);
      return;
    }
    // A stone is taken up at once, so that it can be dragged; an empty cell is played when let go.
    const extends_ = this.#next(this.#path).has(cell);
    const starts = this.#next([]).has(cell);
    if (!selected && !extends_ && starts && this.#stones[cell] !== '.') this.#choose(cell);
    else if (
      extends_ &&
      this.#stones[cell] !== '.' &&
      this.#matching([...this.#path, cell]).every((choice) => choice.path.length > this.#path.length + 1)
    )
      this.#choose(cell);
    else this.#press.fresh = this.#press.fresh && (extends_ || starts);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press) return;
    if (press.aim) {
      const cell = this.#under(event);
      if (cell !== null) press.cell = cell;
      this.#magnify(event, press.cell);
      return;
    }
    press.moved ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM;
    const taken = this.#path.at(-1);
    if (!press.moved || taken === undefined || taken !== press.cell || this.#stones[taken] === '.') return;
    const { x, y } = this.#place(event);
    this.#lift(taken, x, y);
    const under = this.#under(event);
    for (const [index, cell] of this.laid.cells.entries())
      cell.classList.toggle('over', index === under && this.#next(this.#path).has(index));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press) return;
    const under = press.aim ? press.cell : this.#under(event);
    this.#release();
    if (press.aim) {
      if (under !== null) this.#choose(under, true);
      return;
    }
    const dragged = press.moved && under !== press.cell;
    if (dragged) {
      const holding = this.#path.at(-1) === press.cell;
      if (holding && under !== null && this.#next(this.#path).has(under)) this.#choose(under);
      else this.#refresh();
      return;
    }
    const taken = this.#path.at(-1) === press.cell;
    if (taken && press.fresh) return;
    const begun = this.#path.length > 0;
    if (taken) this.cancel();
    else if (under !== null && !this.#choose(under) && !begun) this.options.missed?.();
  }

  #release() {
    this.#press = null;
    this.#loupe?.remove();
    this.#loupe = undefined;
    this.laid.layers.ghost.replaceChildren();
    for (const cell of this.laid.cells) cell.classList.remove('over');
    for (const stone of this.#standing.values()) stone.classList.remove('lifted');
    if (this.#pending || this.#path.length) this.#refresh();
  }

  /** Draws the dragged stone under the pointer. @param {number} cell @param {number} x @param {number} y */
  #lift(cell, x, y) {
    this.#standing.get(cell)?.classList.add('lifted');
    const side = sideOf(this.#stones[cell]);
    if (side === null) return;
    const stone = s(
      'g',
      { transform: `translate(${x} ${y}) scale(1.08)` },
      drawStone(this.geometry, this.laid.id, side),
    );
    this.laid.layers.ghost.replaceChildren(stone);
  }

  /** Shows what is under a finger, larger and beside it. @param {PointerEvent} event @param {number} cell */
  #magnify(event, cell) {
    const [x, y] = this.#centre(cell);
    const playable = this.#next(this.#path).has(cell) || this.#next([]).has(cell);
    this.#loupe ??= h('div', { class: 'loupe', 'aria-hidden': 'true' });
    const reach = 2.4;
    this.#loupe.replaceChildren(
      s(
        'svg',
        { viewBox: `${x - reach} ${y - reach} ${2 * reach} ${2 * reach}` },
        s('use', { href: `#${this.laid.id}-drawn` }),
        s('circle', { cx: x, cy: y, r: this.geometry.stone_radius, class: playable ? 'aim' : 'aim wrong' }),
      ),
      h('span', {}, this.geometry.cells[cell].name),
    );
    if (!this.#loupe.isConnected) this.frame.append(this.#loupe);
    const box = this.frame.getBoundingClientRect();
    const size = 132;
    const above = event.clientY - box.top - size - 36;
    this.#loupe.style.left = `${Math.max(-4, Math.min(box.width - size + 4, event.clientX - box.left - size / 2))}px`;
    this.#loupe.style.top = `${above > -60 ? above : event.clientY - box.top + 44}px`;
  }

  // Keyboard.

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      const next = this.#neighbour(this.#focused, step);
      if (next !== null) {
        this.#focused = next;
        this.#rove();
        this.laid.cells[next].focus();
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (this.#path.at(-1) === this.#focused) this.cancel();
      else if (!this.#choose(this.#focused))
        announce(t('not_playable', { cell: this.geometry.cells[this.#focused].name }));
    } else if (event.key === 'Escape' && (this.#path.length || this.#pending)) {
      this.cancel();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * The cell that lies in a direction on this board, or null at its edge.
   * @param {number} from @param {[number, number]} step
   */
  #neighbour(from, [dx, dy]) {
    const [x, y] = this.#centre(from);
    let best = null;
    let least = Infinity;
    for (let cell = 0; cell < this.laid.cells.length; cell += 1) {
      const [cx, cy] = this.#centre(cell);
      const ahead = (cx - x) * dx + (cy - y) * dy;
      const aside = Math.abs((cx - x) * dy + (cy - y) * dx);
      // Ahead within some 55 degrees; what lies straight ahead is nearer than what lies aside.
      if (ahead < 0.2 || aside > ahead * 1.43) continue;
      const distance = ahead + 1.6 * aside + (dx + dy < 0 === cx - x < 0 ? 0 : 0.01);
      if (distance < least) [best, least] = [cell, distance];
    }
    return best;
  }

  /** One cell can be reached with Tab, the others with the arrow keys. */
  #rove() {
    this.laid.cells.forEach((cell, index) => cell.setAttribute('tabindex', index === this.#focused ? '0' : '-1'));
  }

  // Drawing.

  #refresh() {
    this.#drawStones();
    this.#drawMarks();
    this.#drawTargets();
    this.#drawPath();
    this.#drawArrows();
    this.#label();
    this.#rove();
  }

  #drawStones() {
    this.#standing.clear();
    const stones = [...this.#stones].flatMap((stone, cell) => {
      const side = sideOf(stone);
      if (side === null) return [];
      const element = this.#stoneAt(cell, side);
      this.#standing.set(cell, element);
      return [element];
    });
    this.laid.layers.stones.replaceChildren(...stones);
  }

  /** @param {number} cell @param {number} side */
  #stoneAt(cell, side) {
    const [x, y] = this.#centre(cell);
    return s('g', { class: 'stone', transform: `translate(${x} ${y})` }, drawStone(this.geometry, this.laid.id, side));
  }

  #drawMarks() {
    const r = this.geometry.stone_radius;
    const circle = (/** @type {number} */ cell, /** @type {number} */ size, /** @type {string} */ name) => {
      const [cx, cy] = this.#centre(cell);
      return s('circle', { cx, cy, r: r * size, class: name });
    };
    this.laid.layers.marks.replaceChildren(
      ...this.#marks.map((cell) => circle(cell, 0.26, 'mark')),
      ...this.#winning.map((cell) => circle(cell, 1.02, 'winning')),
    );
  }

  #drawTargets() {
    const next = this.#next(this.#path);
    const r = this.geometry.stone_radius;
    const show = settings.targets && this.#choices.length > 0 && !this.#pending;
    // A board where almost everything may be played needs no dots to say so.
    const crowded = this.#path.length === 0 && next.size > 60;
    this.laid.cells.forEach((cell, index) => cell.classList.toggle('playable', next.has(index)));
    const targets =
      !show || crowded
        ? []
        : [...next].map((cell) => {
            const [cx, cy] = this.#centre(cell);
            const side = sideOf(this.#stones[cell]);
            if (side === null) return s('circle', { cx, cy, r: r * 0.34, class: 'target' });
            // One's own stone is to be moved, the other's to be taken.
            return s('circle', { cx, cy, r: r * 1.07, class: side === this.toMove ? 'movable' : 'take' });
          });
    this.laid.layers.targets.replaceChildren(...targets);
  }

  #drawPath() {
    if (this.#choices.length) this.options.progress?.(this.#path.length);
    const r = this.geometry.stone_radius;
    const path = this.#pending?.path ?? this.#path;
    const rings = path.map((cell, index) => {
      const [cx, cy] = this.#centre(cell);
      return s('circle', { cx, cy, r: r * 1.1, class: index === path.length - 1 ? 'chosen' : 'chosen earlier' });
    });
    /** @type {SVGElement[]} */
    const ghosts = [];
    const side = this.#stones[path[0]] === '.' || path.length === 0 ? this.toMove : sideOf(this.#stones[path[0]]);
    const landing = path.find((cell) => this.#stones[cell] === '.');
    if (landing !== undefined && side !== null) {
      const [x, y] = this.#centre(landing);
      ghosts.push(
        s('g', { class: 'faint', transform: `translate(${x} ${y})` }, drawStone(this.geometry, this.laid.id, side)),
      );
    }
    this.laid.layers.path.replaceChildren(...rings);
    if (!this.#press) this.laid.layers.ghost.replaceChildren(...ghosts);
  }

  #drawArrows() {
    const r = this.geometry.stone_radius;
    const drawn = this.#arrows.flatMap((arrow) => {
      const points = arrow.path.map((cell) => this.#centre(cell));
      const parts = [];
      if (points.length >= 2) {
        const [[x1, y1], [x2, y2]] = points;
        const length = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
        const tip = [x2 - ux * r * 0.1, y2 - uy * r * 0.1];
        const neck = [x2 - ux * r * 0.75, y2 - uy * r * 0.75];
        parts.push(s('path', { class: `arrow ${arrow.kind}`, d: `M${x1} ${y1}L${neck[0]} ${neck[1]}` }));
        const [wx, wy] = [uy * r * 0.45, ux * r * 0.45];
        const corners = [tip, [neck[0] - wx, neck[1] + wy], [neck[0] + wx, neck[1] - wy]];
        parts.push(s('polygon', { class: `arrowhead ${arrow.kind}`, points: corners.join(' ') }));
      }
      const rest = points.length >= 2 ? points.slice(2) : points;
      for (const [cx, cy] of rest) parts.push(s('circle', { class: `spot ${arrow.kind}`, cx, cy, r: r * 0.82 }));
      const [x, y] = points.at(points.length >= 2 ? 1 : 0) ?? [0, 0];
      if (arrow.text)
        parts.push(
          s(
            'text',
            { class: `score ${arrow.kind}`, x, y, dy: '0.35em', 'font-size': r * 0.72, 'text-anchor': 'middle' },
            arrow.text,
          ),
        );
      return parts;
    });
    this.laid.layers.arrows.replaceChildren(...drawn);
  }

  /** Says of every cell what is on it and what can be done with it. */
  #label() {
    const next = this.#next(this.#path);
    this.laid.cells.forEach((element, index) => {
      const cell = this.geometry.cells[index];
      const side = sideOf(this.#stones[index] ?? '.');
      const words = [cell.name, side === null ? t('empty') : this.options.sideName(side)];
      if (cell.goal !== undefined) words.push(t('goal_of', { side: this.options.sideName(cell.goal) }));
      if (this.#marks.includes(index)) words.push(t('last_move'));
      if (this.#winning.includes(index)) words.push(t('winning_cell'));
      if (this.#path.includes(index)) words.push(t('selected'));
      else if (settings.targets && next.has(index)) words.push(t('can_be_chosen'));
      element.setAttribute('aria-label', words.join(', '));
      element.setAttribute('aria-selected', String(this.#path.includes(index)));
    });
  }

  /**
   * Lets stones slide, appear, vanish and turn over, found from the difference alone.
   * @param {string} before @param {string} after @param {number[]} marks
   */
  #animate(before, after, marks) {
    /** @type {[number[], number[]]} */ const gone = [[], []];
    /** @type {[number[], number[]]} */ const come = [[], []];
    /** @type {number[]} */ const turned = [];
    for (let cell = 0; cell < after.length; cell += 1) {
      const [was, is] = [sideOf(before[cell] ?? '.'), sideOf(after[cell])];
      if (was === is) continue;
      if (was !== null && is !== null && !marks.includes(cell)) turned.push(cell);
      else {
        if (was !== null) gone[was].push(cell);
        if (is !== null) come[is].push(cell);
      }
    }
    const far = (/** @type {number} */ a, /** @type {number} */ b) => {
      const [[ax, ay], [bx, by]] = [this.#centre(a), this.#centre(b)];
      return Math.hypot(ax - bx, ay - by);
    };
    const easing = 'cubic-bezier(0.3, 0.1, 0.2, 1)';
    for (const side of [0, 1]) {
      for (const cell of come[side]) {
        const body = this.#standing.get(cell)?.firstElementChild;
        const from = gone[side].reduce(
          (/** @type {number | null} */ best, place) =>
            best === null || far(place, cell) < far(best, cell) ? place : best,
          null,
        );
        if (!body) continue;
        if (from === null) {
          body.animate(
            [
              { transform: 'scale(1.35)', opacity: 0 },
              { transform: 'scale(1)', opacity: 1 },
            ],
            { duration: 160, easing },
          );
          continue;
        }
        gone[side].splice(gone[side].indexOf(from), 1);
        const [[fx, fy], [tx, ty]] = [this.#centre(from), this.#centre(cell)];
        body.animate([{ transform: `translate(${fx - tx}px, ${fy - ty}px)` }, { transform: 'none' }], {
          duration: SLIDE,
          easing,
        });
        this.#standing.get(cell)?.parentNode?.append(/** @type {SVGGElement} */ (this.#standing.get(cell)));
      }
      for (const cell of gone[side])
        this.#fade(
          cell,
          side,
          [
            { transform: 'scale(1)', opacity: 1 },
            { transform: 'scale(0.6)', opacity: 0 },
          ],
          320,
        );
    }
    const origin = marks[0];
    for (const cell of turned) {
      const wait = origin === undefined ? 0 : Math.min(240, far(cell, origin) * 45);
      const side = Number(before[cell]);
      this.#fade(cell, side, [{ transform: 'scaleX(1)' }, { transform: 'scaleX(0)' }], 130, wait);
      this.#standing
        .get(cell)
        ?.firstElementChild?.animate(
          [{ transform: 'scaleX(0)' }, { transform: 'scaleX(0)', offset: 0.5 }, { transform: 'scaleX(1)' }],
          { duration: 260, delay: wait, fill: 'backwards' },
        );
    }
  }

  /**
   * Shows a stone that is not there any more for a moment.
   * @param {number} cell @param {number} side @param {Keyframe[]} frames @param {number} duration @param {number}
   * [delay]
   */
  #fade(cell, side, frames, duration, delay = 0) {
    const stone = this.#stoneAt(cell, side);
    this.laid.layers.stones.prepend(stone);
    const animation = stone.firstElementChild?.animate(frames, { duration, delay, fill: 'both', easing: 'ease-in' });
    const remove = () => stone.remove();
    if (animation) animation.finished.then(remove, remove);
    else remove();
  }
}
