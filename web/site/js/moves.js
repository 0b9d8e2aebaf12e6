// The list of moves, two to a line, each a button.

import { h, replace } from './dom.js';
import { t } from './i18n.js';

/** @typedef {import('./api.js').Ply} Ply */

export class MoveList {
  /** @type {string} */ #known = '';

  /** @param {(ply: number) => void} look */
  constructor(look) {
    this.look = look;
    this.element = h('ol', { class: 'moves', tabindex: -1, 'aria-label': t('moves') });
  }

  /** @param {Ply[]} plies @param {number} shown @param {string} start @param {Map<number, string>} [marks] what a move was worth, by ply */
  show(plies, shown, start, marks = new Map()) {
    const known = JSON.stringify([start, plies.map((ply) => ply.text), [...marks]]);
    if (known !== this.#known) {
      this.#known = known;
      this.#build(plies, marks);
    }
    for (const button of this.element.querySelectorAll('button')) {
      const current = Number(button.dataset.ply) === shown;
      button.classList.toggle('current', current);
      if (current) {
        button.setAttribute('aria-current', 'step');
        const list = this.element;
        const [top, bottom] = [button.offsetTop - list.offsetTop, button.offsetTop - list.offsetTop + button.offsetHeight];
        if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
      } else button.removeAttribute('aria-current');
    }
  }

  /** @param {Ply[]} plies @param {Map<number, string>} marks */
  #build(plies, marks) {
    if (plies.length < 2) {
      replace(this.element, h('li', { class: 'none' }, t('no_moves_yet')));
      return;
    }
    /** @type {(number | null)[][]} */
    const rows = [];
    for (let ply = 1; ply < plies.length; ply += 1) {
      const column = plies[ply].by === plies[1].by ? 0 : 1;
      if (column === 0 || !rows.length || rows[rows.length - 1][column] !== null) rows.push([null, null]);
      rows[rows.length - 1][column] = ply;
    }
    replace(this.element, rows.map((row, index) => h('li', {}, h('span', { class: 'number', 'aria-hidden': 'true' }, `${index + 1}`), row.map((ply) => {
      if (ply === null) return h('span', {});
      const mark = marks.get(ply);
      return h('button', { type: 'button', 'data-ply': ply, class: mark ?? '', onclick: () => this.look(ply) }, plies[ply].text, mark ? h('span', { class: 'judgement', title: t(mark === 'blunder' ? 'blunder' : 'mistake') }, mark === 'blunder' ? '??' : '?') : null);
    }))));
  }
}
