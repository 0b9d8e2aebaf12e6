// A board to play on by click, drag, touch or keyboard. It accepts what follows the paths of the legal moves.

import { announce, h, s, textButton } from '../dom.js';
import { t } from '../i18n.js';
import { animate } from './animation.js';
import { Layers } from './layers.js';
import { Pointers, cellOf } from './pointers.js';
import { Selection } from './selection.js';

/** @typedef {import('../api.js').Geometry} Geometry */
/** @typedef {import('../api.js').Choice} Choice */
/** @typedef {import('../api.js').Ply} Ply */
/** @typedef {import('./layers.js').Arrow} Arrow */
/**
 * What a board shows: a position, the stones before its last turn, the side to move, the moves that this person may
 * play, the cells that won the game, and arrows.
 * @typedef {{ ply: Ply, before?: string, toMove?: number, choices?: Choice[], winning?: number[],
 *   arrows?: Arrow[] }} View
 */
/**
 * What a board reports: a move, how many cells are chosen on the way to one, and a click on a cell that begins none.
 * @typedef {{ play: (choice: Choice) => void, progress?: (chosen: number) => void, missed?: () => void }} Options
 */

/** @type {Record<string, [number, number]>} */
const ARROW_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  selection = new Selection();
  /** Buttons for a move that waits to be confirmed. */ confirmBar = h('div', { class: 'confirm', hidden: true });
  /** @type {View} */ #view = { ply: { text: null, by: null, stones: '', marks: [] } };
  /** The move on the confirm bar. @type {Choice | undefined} */ #offered;
  #flipped = false;
  #focused = 0;

  /** @param {Geometry} geometry @param {Options} options */
  constructor(geometry, options) {
    this.geometry = geometry;
    this.options = options;
    const [width, height] = geometry.size;
    const label = t('board_of', { game: geometry.title });
    this.element = s('svg', { class: 'board', viewBox: `0 0 ${width} ${height}`, role: 'grid', 'aria-label': label });
    this.frame = h('div', { class: 'board-frame' }, this.element);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.frame.style.setProperty('--aspect', String(width / height));
    this.layers = this.#lay();
    this.pointers = new Pointers(this);
    this.element.addEventListener('keydown', (event) => this.#key(event));
    // On the frame: in some browsers an SVG element that listens for focus can itself be focused.
    this.frame.addEventListener('focusin', (event) => {
      const cell = cellOf(event.target);
      if (cell !== null) this.#focused = cell;
    });
  }

  /** The stones on the board, one character a cell. */
  get stones() {
    return this.#view.ply.stones;
  }

  get flipped() {
    return this.#flipped;
  }

  /**
   * Shows a position, and forgets what was chosen if it is another one.
   * @param {View} view @param {{ animate?: boolean, flipped?: boolean }} [options]
   */
  show(view, options = {}) {
    const before = this.stones;
    this.#view = view;
    this.#flipped = options.flipped ?? this.#flipped;
    const chosen = this.selection;
    this.selection = new Selection(view.choices);
    if (this.stones === before) this.selection.resume(chosen);
    this.redraw();
    const isQuiet = matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;
    if (options.animate && before && !isQuiet) animate(this.layers, before, this.stones, view.ply.marks);
  }

  /** Shows the board from the other end, or not. @param {boolean} flipped */
  flip(flipped) {
    this.#flipped = flipped;
    this.redraw();
  }

  /** Replaces the arrows. @param {Arrow[]} arrows */
  point(arrows) {
    this.#view = { ...this.#view, arrows };
    this.layers.drawArrows(arrows);
  }

  redraw() {
    const isTurned = this.layers.plane.flipped !== this.#flipped;
    const isFocused = this.element.contains(document.activeElement);
    if (isTurned) this.layers = this.#lay();
    this.layers.draw(this.#view, this.selection, this.pointers.isDown);
    this.layers.setTabStop(this.#focused);
    if (isTurned && isFocused) this.layers.cells[this.#focused].focus();
    this.#showConfirmBar();
  }

  /**
   * Chooses a cell, and plays the move that it completes; false if the cell cannot be chosen.
   * @param {number} cell @param {boolean} [confirmFirst] whether a complete move waits to be confirmed
   */
  choose(cell, confirmFirst = false) {
    const { accepted, move } = this.selection.choose(cell, confirmFirst);
    if (move) {
      this.#play(move);
      return true;
    }
    this.#selected();
    if (accepted && !this.selection.pending)
      announce(t('chosen', { cell: this.geometry.cells[cell].name, count: this.selection.next().size }));
    return accepted;
  }

  /** Chooses the cell chosen last once more: plays the move that ends there, and otherwise cancels. */
  chooseAgain() {
    const { ending } = this.selection;
    if (ending) this.#play(ending);
    else this.cancel();
  }

  /** Forgets what was chosen. */
  cancel() {
    if (!this.selection.isBegun) return;
    this.selection.clear();
    this.#selected();
    announce(t('cancelled'));
  }

  /** Cancels also when another part of the page is pressed. @param {HTMLElement} place */
  cancelFrom(place) {
    place.addEventListener('pointerdown', (event) => {
      if (event.target instanceof Element && !event.target.closest('.board-frame, .confirm')) this.cancel();
    });
  }

  #lay() {
    const layers = new Layers(this.geometry, this.#flipped);
    this.element.replaceChildren(layers.drawn, ...layers.rows);
    return layers;
  }

  /** @param {Choice} choice */
  #play(choice) {
    this.selection = new Selection();
    this.redraw();
    this.options.play(choice);
  }

  #selected() {
    this.redraw();
    if (this.selection.isOpen) this.options.progress?.(this.selection.path.length);
  }

  #showConfirmBar() {
    const choice = this.selection.pending?.choice;
    if (choice === this.#offered) return;
    this.#offered = choice;
    this.confirmBar.hidden = !choice;
    if (!choice) return;
    const play = () => this.#play(choice);
    this.confirmBar.replaceChildren(
      h('button', { class: 'button', type: 'button', onclick: () => this.cancel() }, t('cancel')),
      textButton('check', t('place_here', { move: choice.text }), play, 'primary'),
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = ARROW_KEYS[event.key];
    if (step && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      const next = this.layers.plane.neighbour(this.#focused, step);
      if (next !== null) {
        this.#focused = next;
        this.layers.setTabStop(next);
        this.layers.cells[next].focus();
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (this.selection.path.at(-1) === this.#focused) this.chooseAgain();
      else if (!this.choose(this.#focused))
        announce(t('not_playable', { cell: this.geometry.cells[this.#focused].name }));
    } else if (event.key === 'Escape' && this.selection.isBegun) {
      this.cancel();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
