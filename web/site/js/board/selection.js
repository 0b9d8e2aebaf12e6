// Which cells have been chosen on the way to a move. Pure: it knows neither the page nor the pointer.

/** @typedef {import('../api.js').Choice} Choice */
/** One of the ways to choose a move. @typedef {{ choice: Choice, path: number[] }} Way */

/** The path that stands for a move, such as in an arrow; empty for a pass. @param {Choice} choice */
export function mainPath(choice) {
  return choice.paths[0] ?? [];
}

/**
 * The arrow of a move: to all that it does, if a turn has several moves.
 * @param {Choice} choice @param {'best' | 'good' | 'hint'} kind @param {string} [text]
 */
export function arrowOf(choice, kind, text) {
  return { path: mainPath(choice), trail: choice.trail, kind, text };
}

export class Selection {
  /** @type {Way[]} */ #ways;
  /** The cells chosen so far. @type {number[]} */ path = [];
  /** A complete move that waits to be confirmed. @type {Way | null} */ pending = null;

  /** @param {Choice[]} [choices] the legal moves; none if it is not this person's turn */
  constructor(choices = []) {
    this.#ways = choices.flatMap((choice) => choice.paths.map((path) => ({ choice, path })));
  }

  /** Whether there is anything to choose from. */
  get isOpen() {
    return this.#ways.length > 0;
  }

  /** Whether a move has been begun. */
  get isBegun() {
    return this.path.length > 0 || this.pending !== null;
  }

  /** The move that ends with the cell chosen last, if other moves go on from there. */
  get ending() {
    const { length } = this.path;
    return length ? (this.#matching(this.path).find((way) => way.path.length === length)?.choice ?? null) : null;
  }

  /** The cells that may be chosen next. @param {number[]} [path] after these cells, instead of those chosen so far */
  next(path = this.path) {
    const longer = this.#matching(path).filter((way) => way.path.length > path.length);
    return new Set(longer.map((way) => way.path[path.length]));
  }

  /** Whether a cell may be chosen: as the next one or as the first of another path. @param {number} cell */
  accepts(cell) {
    return this.#extended(cell) !== null;
  }

  /** Whether a cell may be chosen and completes no move: a stone on it can be dragged on. @param {number} cell */
  leadsOn(cell) {
    const path = this.#extended(cell);
    return path !== null && this.#matching(path).every((way) => way.path.length > path.length);
  }

  /**
   * Chooses a cell: the next one of the path, or the first of a new one. A cell that is neither ends the selection.
   * A move is complete once no other move goes on from its last cell. The last cell of a pending move confirms it.
   * @param {number} cell @param {boolean} [confirmFirst] whether a complete move becomes pending
   * @returns {{ accepted: boolean, move?: Choice }} the move, if it is complete and not pending
   */
  choose(cell, confirmFirst = false) {
    const { pending } = this;
    this.pending = null;
    if (pending?.path.at(-1) === cell) return { accepted: true, move: pending.choice };
    const path = this.#extended(cell);
    if (!path) {
      this.path = [];
      return { accepted: false };
    }
    const matching = this.#matching(path);
    const whole = matching.find((way) => way.path.length === path.length);
    if (!whole || matching.some((way) => way.choice !== whole.choice)) {
      this.path = path;
      return { accepted: true };
    }
    this.path = path.slice(0, -1);
    if (!confirmFirst) return { accepted: true, move: whole.choice };
    this.pending = whole;
    return { accepted: true };
  }

  /** Goes on where another selection is, as far as these moves allow. @param {Selection} other */
  resume({ path, pending }) {
    const whole = pending && this.#ways.find((way) => way.choice.text === pending.choice.text);
    if (path.length && !this.next(path).size) return;
    this.path = path;
    this.pending = whole ?? null;
  }

  /** Forgets what was chosen. */
  clear() {
    this.path = [];
    this.pending = null;
  }

  /** The ways that begin with a path. @param {number[]} path */
  #matching(path) {
    return this.#ways.filter((way) => path.every((cell, index) => way.path[index] === cell));
  }

  /** The path that a cell makes, by going on or by beginning anew; null if it does neither. @param {number} cell */
  #extended(cell) {
    return [[...this.path, cell], [cell]].find((path) => this.#matching(path).length > 0) ?? null;
  }
}
