// Mouse, pen and finger on a board: clicks, dragged stones, and a loupe for fingers on small cells.

import { h, s } from '../dom.js';
import { sideOf } from './stones.js';

/** @typedef {import('./board.js').Board} Board */
/**
 * A pointer that is down: where it went down, whether it has moved since, whether it picked up a stone, and whether it
 * aims through the loupe.
 * @typedef {{ cell: number, x: number, y: number, moved: boolean, picked: boolean, aims: boolean }} Press
 */

/** Cells smaller than this many pixels are hard to hit with a finger: the finger aims, and confirms the move after. */
const SMALLEST_FOR_FINGERS = 30;
/** Pixels that a pointer may wander before a click becomes a drag. */
const DRAG_FROM = 6;
/** The width of the loupe in pixels. */
const LOUPE = 132;
/** How far the loupe shows the board around the cell, in the board's units. */
const REACH = 2.4;

/** The cell of an element on the page. @param {EventTarget | null} target */
export function cellOf(target) {
  const cell = target instanceof Element ? target.getAttribute('data-cell') : null;
  return cell === null ? null : Number(cell);
}

export class Pointers {
  /** @type {Press | null} */ #press = null;
  #loupe = h('div', { class: 'loupe', 'aria-hidden': 'true' });

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    board.element.addEventListener('pointerdown', (event) => this.#down(event));
    board.element.addEventListener('pointermove', (event) => this.#move(event));
    board.element.addEventListener('pointerup', (event) => this.#up(event));
    board.element.addEventListener('pointercancel', () => {
      this.#release();
      board.redraw();
    });
  }

  get isDown() {
    return this.#press !== null;
  }

  /** Where a pointer is, in the board's units, and how many of them a pixel is. @param {PointerEvent} event */
  #place(event) {
    const box = this.board.element.getBoundingClientRect();
    const unit = this.board.geometry.size[0] / box.width;
    return { x: (event.clientX - box.left) * unit, y: (event.clientY - box.top) * unit, unit };
  }

  /** The cell under a pointer. @param {PointerEvent} event */
  #under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY);
    return this.board.element.contains(found) ? cellOf(found) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const { board } = this;
    const { selection } = board;
    if (event.button !== 0 || !selection.isOpen) return;
    const cell = cellOf(event.target);
    if (cell === null) {
      board.cancel();
      return;
    }
    board.element.setPointerCapture(event.pointerId);
    const aims = event.pointerType !== 'mouse' && 1 / this.#place(event).unit < SMALLEST_FOR_FINGERS;
    const press = { cell, x: event.clientX, y: event.clientY, moved: false, picked: false, aims };
    this.#press = press;
    if (aims) {
      event.preventDefault();
      this.#magnify(event, cell);
      return;
    }
    // A stone is picked up at once, so that it can be dragged. Any other cell is chosen when the pointer is released.
    const isStone = sideOf(board.stones[cell]) !== null;
    if (isStone && selection.path.at(-1) !== cell && selection.leadsOn(cell)) {
      press.picked = true;
      board.choose(cell);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press) return;
    const under = this.#under(event);
    if (press.aims) {
      press.cell = under ?? press.cell;
      this.#magnify(event, press.cell);
      return;
    }
    press.moved ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM;
    const { selection, stones, layers } = this.board;
    const side = sideOf(stones[press.cell]);
    if (!press.moved || side === null || selection.path.at(-1) !== press.cell) return;
    const over = under !== null && selection.next().has(under) ? under : null;
    layers.lift(press.cell, side, this.#place(event), over);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press) return;
    this.#release();
    const { board } = this;
    const { selection } = board;
    if (press.aims) {
      board.choose(press.cell, true);
      return;
    }
    const under = this.#under(event);
    const isHeld = selection.path.at(-1) === press.cell;
    const isDragged = press.moved && under !== press.cell;
    if (under === null || (isDragged ? !isHeld || !selection.next().has(under) : isHeld && press.picked))
      board.redraw();
    else if (isHeld && !isDragged) board.chooseAgain();
    else {
      const isFirst = selection.path.length === 0;
      if (!board.choose(under) && isFirst) board.options.missed?.();
    }
  }

  #release() {
    this.#press = null;
    this.#loupe.remove();
    this.board.layers.drop();
  }

  /** Shows what is under a finger, larger and beside it. @param {PointerEvent} event @param {number} cell */
  #magnify(event, cell) {
    const { frame, geometry, layers, selection } = this.board;
    const [cx, cy] = layers.plane.centre(cell);
    const aim = { cx, cy, r: geometry.stone_radius, class: selection.accepts(cell) ? 'aim' : 'aim wrong' };
    this.#loupe.replaceChildren(
      s(
        'svg',
        { viewBox: `${cx - REACH} ${cy - REACH} ${2 * REACH} ${2 * REACH}` },
        s('use', { href: `#${layers.id}-drawn` }),
        s('circle', aim),
      ),
      h('span', {}, geometry.cells[cell].name),
    );
    if (!this.#loupe.isConnected) frame.append(this.#loupe);
    const box = frame.getBoundingClientRect();
    const left = event.clientX - box.left - LOUPE / 2;
    const above = event.clientY - box.top - LOUPE - 36;
    this.#loupe.style.left = `${Math.max(-4, Math.min(box.width - LOUPE + 4, left))}px`;
    this.#loupe.style.top = `${above > -60 ? above : event.clientY - box.top + 44}px`;
  }
}
