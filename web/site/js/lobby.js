// The lobby: games that wait for anybody, and codes from another device.

import { catalogue, openGames, takeSeat, useCode } from './api.js';
import { h, icon, replace, toastError } from './dom.js';
import { rulesetName, t, word } from './i18n.js';
import { field } from './new-game.js';
import { go, rename } from './router.js';
import { keepSeat, settings } from './settings.js';

/** @typedef {import('../../types/api.js').Invitation} Invitation */
/** @typedef {import('./api.js').About} About */

/** Milliseconds between two looks at the lobby. */
const LOOK = 5000;

/** @param {HTMLElement} place */
export async function open(place) {
  document.title = `${t('nav_lobby')} · Quincunx`;
  const { games, lobby, name } = await catalogue();
  const list = h('div', { class: 'lobby-list', role: 'status' });
  replace(place, h('h1', {}, name || t('nav_lobby')), lobby ? [h('p', {}, t('lobby_more')), list] : null, codeForm());
  if (!lobby) return undefined;
  const look = async () => {
    const { games: waiting } = await openGames();
    const rows = waiting.map((one) => row(one, games));
    replace(list, rows.length ? h('ul', { class: 'plain' }, rows) : h('p', { class: 'muted' }, t('lobby_empty')));
  };
  await look();
  const timer = setInterval(() => void look().catch(() => {}), LOOK);
  return { close: () => clearInterval(timer) };
}

/** @param {Invitation} one @param {About[]} games */
function row(one, games) {
  const about = games.find((game) => game.name === one.game);
  const clock = one.clock ? `${one.clock.initial / 60}+${one.clock.increment}` : t('no_clock');
  const side = about ? word(about.sides[one.side], one.game) : '';
  const text = [about?.title ?? one.game, rulesetName(one.game, one.ruleset), clock, side].filter(Boolean).join(' · ');
  const take = async () => {
    try {
      const seat = await takeSeat(one.id, settings.name);
      keepSeat(one.id, { tokens: seat.tokens, at: Date.now() });
      void go(`/play/${one.id}`);
    } catch (error) {
      toastError(error);
    }
  };
  return h(
    'li',
    { class: 'row' },
    h('b', {}, word(one.name, one.game)),
    h('span', {}, text),
    h('button', { class: 'button primary', type: 'button', onclick: take }, icon('play'), h('span', {}, t('join'))),
  );
}

/** A form for a code from another device. */
function codeForm() {
  const code = h('input', { id: 'seat-code', maxlength: 20, autocomplete: 'off', autocapitalize: 'none' });
  const use = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const seat = await useCode(code.value);
      keepSeat(seat.id, { tokens: seat.tokens, at: Date.now() });
      void go(`/play/${seat.id}`);
    } catch (error) {
      toastError(error);
    }
  };
  const form = h(
    'form',
    { class: 'row', onsubmit: use },
    field(t('code_from_device'), code),
    h('button', { class: 'button', type: 'submit' }, t('use_code')),
  );
  // A QR code brings the code along.
  const [, brought] = location.hash.match(/^#code=([\w-]{1,20})$/) ?? [];
  if (brought) {
    code.value = brought;
    rename(location.pathname);
    queueMicrotask(() => form.requestSubmit());
  }
  return form;
}

/** Asks for the password of the server. @param {HTMLElement} place @param {string} why */
export function askPassword(place, why) {
  const password = h('input', { id: 'password', type: 'password', autocomplete: 'current-password', required: true });
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const options = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: password.value }),
    };
    const answer = await fetch('/api/enter', options).catch(() => null);
    if (answer?.ok) location.reload();
    else toastError(new Error(t(answer?.status === 429 ? 'password_wait' : 'password_wrong')));
  };
  replace(
    place,
    h(
      'form',
      { class: 'empty-page', onsubmit: enter },
      h('h1', {}, why),
      field(t('password'), password),
      h('button', { class: 'button primary', type: 'submit' }, t('enter')),
    ),
  );
  password.focus();
}
