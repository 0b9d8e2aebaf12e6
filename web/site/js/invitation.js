// The page behind an invitation: sit down to play, or only watch.

import { joinGame } from './api.js';
import { contentOf } from './content.js';
import { h, icon, toastError } from './dom.js';
import { picture } from './drawing.js';
import { t } from './i18n.js';
import { field } from './new-game.js';
import { change, keepSeat, settings } from './settings.js';

/**
 * Asks whether to sit down; true if a seat was taken.
 * @param {HTMLElement} place @param {import('./api.js').Game} game @param {import('./api.js').About} about
 * @param {import('./api.js').Geometry} shape @param {string} invite @returns {Promise<boolean>}
 */
export function askToJoin(place, game, about, shape, invite) {
  return new Promise((resolve) => {
    const name = h('input', {
      id: 'join-name',
      maxlength: 24,
      value: settings.name,
      placeholder: t('you'),
      autocomplete: 'nickname',
    });
    const join = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const seat = await joinGame(game.id, invite, name.value.trim());
        change({ name: name.value.trim() });
        keepSeat(game.id, { tokens: seat.tokens, at: Date.now() });
        resolve(true);
      } catch (error) {
        toastError(error);
        resolve(false);
      }
    };
    const rules = h('a', { href: `/rules/${about.name}`, target: '_blank' }, t('rules'));
    const form = h(
      'form',
      { class: 'empty-page', onsubmit: join },
      h('div', { class: 'invitation' }, picture(shape, game.plies[game.plies.length - 1].stones)),
      h('h1', {}, t('join_title', { game: about.title })),
      h('p', {}, `${contentOf(about.name).words.pitch || about.summary} `, rules),
      field(t('your_name'), name),
      h(
        'div',
        { class: 'row' },
        h('button', { class: 'button primary', type: 'submit' }, icon('play'), h('span', {}, t('join'))),
        h('button', { class: 'button', type: 'button', onclick: () => resolve(false) }, t('watch_only')),
      ),
    );
    place.append(form);
    name.focus();
  });
}
