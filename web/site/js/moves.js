// The list of moves, two to a line, each a button.

import { h, renew } from './dom.js';
import { t } from './i18n.js';

/** @typedef {import('./api.js').Ply} Ply */

export class MoveList {
  /** @param {(ply: number) => void} look */
  constructor(look) {
    this.look = look;
    this.element = h('ol', { class: 'moves', tabindex: -1, 'aria-label': t('moves') });
  }

  /** @param {Ply[]} plies @param {number} shown */
  show(plies, shown) {
    /** @type {(number | null)[][]} */
    const rows = [];
    for (let ply = 1; ply < plies.length; ply += 1) {
      const column = plies[ply].by === plies[1].by ? 0 : 1;
      if (column === 0 || !rows.length || rows[rows.length - 1][column] !== null) rows.push([null, null]);
      rows[rows.length - 1][column] = ply;
    }
    const move = (/** @type {number | null} */ ply) => {
      if (ply === null) return h('span', {});
      return h(
        'button',
        {
          type: 'button',
          'data-ply': ply,
          class: ply === shown ? 'current' : '',
          'aria-current': ply === shown ? 'step' : null,
          onclick: () => this.look(ply),
        },
        plies[ply].text,
      );
    };
    renew(
      this.element,
      rows.length
        ? rows.map((row, index) =>
            h('li', {}, h('span', { class: 'number', 'aria-hidden': 'true' }, `${index + 1}`), row.map(move)),
          )
        : h('li', { class: 'none' }, t('no_moves_yet')),
    );
    keepInView(this.element);
  }
}

/** Scrolls a list of moves, not the page, to the move on the board. @param {HTMLElement} list */
export function keepInView(list) {
  const current = /** @type {HTMLElement | null} */ (list.querySelector('.current'));
  const top = current ? current.offsetTop : 0;
  if (top < list.scrollTop || top + (current?.offsetHeight ?? 0) > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 2;
}
