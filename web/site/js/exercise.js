// Learning from mistakes: each becomes a position in which to find a better move.

import { announce, h, replace } from './dom.js';
import { t } from './i18n.js';

/** @typedef {import('./review.js').Mistake} Mistake */
/** @typedef {import('./study.js').Node} Node */

/** An answer may cost this much of the chances at most, beside the best move. */
const GOOD = 0.05;

export class Exercise {
  element = h('div', { class: 'exercise', hidden: true, role: 'status' });
  /** @type {Mistake[]} */ #left = [];
  /** @type {Node[]} */ #path = [];

  /**
   * @param {{ show: (ply: number) => void, check: (before: Node, move: string) => Promise<number> }} acts `check` tells
   * the chance of the mover after a move
   */
  constructor(acts) {
    this.acts = acts;
  }

  /** Whether a move on the board is an answer. */
  get isAsking() {
    return this.#left.length > 0;
  }

  /** The mistake that is asked about. */
  get ply() {
    return this.#left[0].ply;
  }

  /** @param {Mistake[]} mistakes @param {Node[]} path */
  begin(mistakes, path) {
    this.#left = [...mistakes];
    this.#path = path;
    this.#ask();
  }

  #ask() {
    this.element.hidden = !this.#left.length;
    if (!this.#left.length) return;
    this.acts.show(this.ply - 1);
    this.#say(t('exercise', { move: this.#path[this.ply].text }), '', false);
  }

  /** @param {Node} before @param {string} move */
  async answer(before, move) {
    const { value } = before;
    const best = value?.best;
    this.#say(t('exercise_checking', { move }), '', false);
    let isGood = move === best;
    if (!isGood && value) {
      const mine = before.position?.to_move === 0 ? value.first : 1 - value.first;
      isGood = move !== this.#path[this.ply].text && (await this.acts.check(before, move)) >= mine - GOOD;
    }
    this.#say(
      isGood ? t('exercise_right', { move }) : t('exercise_wrong', { move }),
      isGood ? 'right' : 'wrong',
      isGood,
    );
  }

  /** @param {string} text @param {string} kind @param {boolean} isDone */
  #say(text, kind, isDone) {
    const next = () => {
      this.#left.shift();
      this.#ask();
    };
    const isLast = this.#left.length === 1;
    const best = this.#path[this.ply - 1].value?.best;
    const show = () => this.#say(t('exercise_right', { move: best ?? '' }), 'right', true);
    replace(
      this.element,
      h('p', { class: `answer ${kind}` }, text),
      h(
        'div',
        { class: 'row' },
        isDone || !best ? null : h('button', { type: 'button', class: 'button', onclick: show }, t('exercise_show')),
        h(
          'button',
          { type: 'button', class: isDone ? 'button primary' : 'button', onclick: next },
          isLast ? t('exercise_end') : t('exercise_next'),
        ),
      ),
    );
    announce(text);
  }
}
