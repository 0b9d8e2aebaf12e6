// The panel of a review: accuracy, mistakes with their refutations, what decided the game, exercises.

import { contentOf } from './content.js';
import { h, icon, replace } from './dom.js';
import { sideNames, t } from './i18n.js';
import { decisive, levelLike, reviewOf } from './review.js';

/** @typedef {import('./review.js').Mistake} Mistake */
/** @typedef {import('./graph.js').Step} Step */

/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)} %`;

export class ReviewPanel {
  element = h('div', { class: 'review', hidden: true });

  /**
   * @param {import('./api.js').About} about
   * @param {{ look: (ply: number) => void, refute: (ply: number) => void,
   *   practise: (mistakes: Mistake[]) => void }} acts
   */
  constructor(about, acts) {
    this.about = about;
    this.acts = acts;
  }

  /**
   * @param {Step[]} path the start first @param {[boolean, boolean] | undefined} own the sides of the person here
   */
  show(path, own) {
    const sides = reviewOf(path);
    const names = sideNames(this.about);
    const { losses } = contentOf(this.about.name).samples;
    const turning = decisive(path);
    const practised = sides.flatMap((side, by) => (own && own[0] !== own[1] && !own[by] ? [] : side.mistakes));
    this.element.hidden = false;
    replace(
      this.element,
      h(
        'dl',
        { class: 'accuracy' },
        sides.map((side, by) => {
          const level = levelLike(side, losses);
          return h(
            'div',
            {},
            h('dt', {}, names[by]),
            h('dd', {}, side.accuracy === null ? '–' : t('accuracy', { percent: Math.round(side.accuracy) })),
            level ? h('dd', { class: 'muted small' }, t('played_like', { level })) : null,
          );
        }),
      ),
      turning === null
        ? null
        : h(
            'p',
            { class: 'small' },
            h(
              'button',
              { type: 'button', class: 'chip', onclick: () => this.acts.look(turning) },
              t('decided_by', { number: turning, move: path[turning].ply.text ?? '' }),
            ),
          ),
      h(
        'ul',
        { class: 'mistakes' },
        [...sides[0].mistakes, ...sides[1].mistakes].sort(byPly).map((one) => this.#row(path, one)),
      ),
      practised.length
        ? h(
            'button',
            { type: 'button', class: 'button', onclick: () => this.acts.practise(practised.sort(byPly)) },
            icon('book'),
            h('span', {}, t('learn_from_mistakes')),
          )
        : null,
    );
  }

  /** @param {Step[]} path @param {Mistake} mistake */
  #row(path, { ply, cost, kind }) {
    const refutation = path[ply].value?.pv ?? [];
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', onclick: () => this.acts.look(ply) },
        h('b', {}, `${ply}. ${path[ply].ply.text}${kind === 'blunder' ? '??' : '?'}`),
        ' ',
        h('span', { class: 'muted' }, t('cost_of', { percent: percent(cost) })),
      ),
      refutation.length ? h('button', { type: 'button', onclick: () => this.acts.refute(ply) }, t('refutation')) : null,
    );
  }
}

/** @param {Mistake} a @param {Mistake} b */
const byPly = (a, b) => a.ply - b.ply;
