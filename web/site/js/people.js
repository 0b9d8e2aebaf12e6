// People in a game: who is there, set phrases, an open seat, another device, and deleting the game.

import { catalogue, deleteGame, seatCode } from './api.js';
import { announce, h, icon, renew, replace, textButton, toast, toastError } from './dom.js';
import { t } from './i18n.js';
import { go, isStatic, sendable } from './router.js';
import { forgetSeat, seatOf } from './settings.js';

/** @typedef {import('../../types/api.js').Phrase} Phrase */
/** @typedef {import('../../types/api.js').Game} Game */
/** @typedef {{ seats: [boolean, boolean], control: boolean }} Held */

/** @type {Phrase[]} */
const PHRASES = [
  'hello',
  'good_luck',
  'have_fun',
  'nice_move',
  'oops',
  'thinking',
  'one_moment',
  'i_am_back',
  'sorry',
  'thanks',
  'good_game',
  'goodbye',
];

/** The words of a phrase. @param {Phrase} phrase */
const words = (phrase) => t(`say_${phrase}`);

/** The panel beside a game. */
export class People {
  #lobby = false;

  /** @param {(request: import('./connection.js').Request) => void} send */
  constructor(send) {
    this.send = send;
    this.there = h('p', { class: 'small', role: 'status' });
    this.body = h('div', { class: 'people-body' });
    // The code stays when somebody comes or plays: it may be on its way to the other device.
    this.code = h('div', { class: 'people-body' });
    const summary = h('summary', {}, icon('share'), t('people'));
    this.element = h('details', { class: 'panel people' }, summary, this.body, this.code);
    void catalogue().then(
      ({ lobby }) => (this.#lobby = lobby),
      () => {},
    );
  }

  /** Shows what can be done now. @param {Game} game @param {Held} held */
  show(game, held) {
    const seated = held.seats.includes(true);
    // Without a server nobody else comes, and no other device.
    this.element.hidden = isStatic || (!seated && !held.control);
    const other = held.seats[0] ? 1 : 0;
    const person = seated && !held.seats[other] && !game.seats[other].engine;
    const free = person && !game.seats[other].taken && !game.now.outcome;
    this.there.textContent = person && !free ? t(game.present[other] ? 'other_is_here' : 'other_is_away') : '';
    const say = PHRASES.map((phrase) =>
      h(
        'button',
        { class: 'button small', type: 'button', onclick: () => this.send({ type: 'say', phrase }) },
        words(phrase),
      ),
    );
    const open = textButton('share', t(game.open ? 'close_seat' : 'open_seat'), () =>
      this.send({ type: 'open', open: !game.open }),
    );
    renew(
      this.body,
      person && !free ? [this.there, h('div', { class: 'row', role: 'group', 'aria-label': t('say') }, say)] : null,
      free && this.#lobby ? h('div', { class: 'row' }, open) : null,
      h(
        'div',
        { class: 'row' },
        textButton('share', t('other_device'), () => void this.#giveCode(game.id)),
        textButton('close', t('delete_game'), () => void this.#delete(game.id)),
      ),
    );
  }

  /**
   * What a message says about people; whether it was one of those.
   * @param {import('./connection.js').Message} message @param {Game} game @param {(side: number) => string} name
   */
  receive(message, game, name) {
    if (message.type === 'presence') game.present = message.present;
    else if (message.type === 'said') {
      const text = `${name(message.by)}: ${words(message.phrase)}`;
      toast(text);
      announce(text);
    } else if (message.type === 'deleted') {
      forgetSeat(game.id);
      toast(t('deleted'));
      void go('/');
    } else return false;
    return true;
  }

  /** @param {string} id */
  async #giveCode(id) {
    try {
      const { code } = await seatCode(id, seatOf(id)?.tokens ?? []);
      const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
      // What stands behind the `#` is not sent to any server, and so in no log.
      const { picture } = await import('./qr.js');
      const qr = picture(sendable(`/lobby#code=${code}`));
      replace(
        this.code,
        h('p', { class: 'code', role: 'status' }, h('strong', {}, shown), ' ', t('code_more')),
        qr ? h('img', { class: 'qr', src: `data:image/svg+xml,${encodeURIComponent(qr)}`, alt: t('code_qr') }) : '',
      );
    } catch (error) {
      toastError(error);
    }
  }

  /** @param {string} id */
  async #delete(id) {
    if (!confirm(t('delete_sure'))) return;
    try {
      await deleteGame(id, seatOf(id)?.tokens ?? []);
    } catch (error) {
      toastError(error);
    }
  }
}
