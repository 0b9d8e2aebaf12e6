// What a game tells its players beside the board, and asks them: invitations, offers, whether to resign.

import { h, icon } from './dom.js';
import { t, word } from './i18n.js';
import { sendable } from './router.js';
import { seatOf } from './settings.js';
import { copyRow } from './share.js';

/**
 * What the players of a game are to know or to answer.
 * @param {import('./onward.js').Held} of @param {(request: import('./connection.js').Request) => void} act
 */
export function noticesOf({ game, about, held }, act) {
  const { now, seats } = game;
  const lines = [];
  const invite = seatOf(game.id)?.invite;
  if (invite && seats.some((seat) => !seat.taken)) {
    const address = sendable(`/play/${game.id}?invite=${invite}`);
    lines.push(
      h(
        'div',
        { class: 'notice' },
        h('p', {}, t('invite')),
        copyRow(address, t('copy'), { 'aria-label': t('share_game') }),
      ),
    );
  }
  for (const [offer, key] of /** @type {['draw' | 'undo', 'draw_offered' | 'undo_asked'][]} */ ([
    ['draw', 'draw_offered'],
    ['undo', 'undo_asked'],
  ])) {
    const by = now.offers[offer];
    if (by === null) continue;
    if (held.seats[1 - by]) {
      const answer = (/** @type {boolean} */ accept) => () => act({ type: 'answer', offer, accept });
      lines.push(
        h(
          'div',
          { class: 'notice', role: 'alert' },
          h('p', {}, t(key, { name: word(seats[by].name, about.name) })),
          h(
            'div',
            { class: 'row' },
            h('button', { class: 'button primary', type: 'button', onclick: answer(true) }, t('accept')),
            h('button', { class: 'button', type: 'button', onclick: answer(false) }, t('decline')),
          ),
        ),
      );
    } else if (held.seats[by]) lines.push(h('div', { class: 'notice' }, h('p', {}, t('offer_sent'))));
  }
  if (now.outcome && !now.successor && held.seats.includes(true)) {
    const mine = held.seats.some((own, side) => own && now.offers.rematch[side]);
    const theirs = held.seats.some((own, side) => !own && now.offers.rematch[side] && !seats[side].engine);
    if (mine) lines.push(h('div', { class: 'notice' }, h('p', {}, t('rematch_waiting'))));
    else if (theirs) lines.push(h('div', { class: 'notice', role: 'alert' }, h('p', {}, t('rematch_offered'))));
  }
  if (!held.seats.includes(true) && !held.control) lines.push(h('p', { class: 'muted small' }, t('watching')));
  return lines;
}

/** Asks whether to resign, and does so. @param {() => void} resign */
export function askToResign(resign) {
  const sure = h(
    'dialog',
    { class: 'sheet small' },
    h(
      'form',
      { method: 'dialog' },
      h('p', {}, t('resign_sure')),
      h(
        'footer',
        {},
        h('button', { class: 'button', value: '' }, t('cancel')),
        h('button', { class: 'button danger', value: 'yes' }, icon('flag'), h('span', {}, t('resign'))),
      ),
    ),
  );
  sure.addEventListener('close', () => {
    if (sure.returnValue === 'yes') resign();
    sure.remove();
  });
  document.body.append(sure);
  sure.showModal();
}
