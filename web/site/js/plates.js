// The name plates above and below a board: who plays, whose turn it is, tallies and clocks.

import { Clock } from './clock.js';
import { h, replace } from './dom.js';
import { stoneIcon } from './drawing.js';
import { agentName, t, word } from './i18n.js';

/** @typedef {import('./api.js').Game} Game */
/** @typedef {import('./api.js').Geometry} Geometry */

export class Plates {
  /** Where the upper plate goes. */ top = h('div', { class: 'plate-place' });
  /** Where the lower plate goes. */ bottom = h('div', { class: 'plate-place' });
  #clock = new Clock(() => this.#showClocks());
  #plates;

  /** @param {Geometry} shape */
  constructor(shape) {
    this.game = shape.game;
    this.sides = shape.sides;
    this.#plates = [0, 1].map((side) => {
      const name = h('span', { class: 'name' });
      const state = h('span', { class: 'plate-state' });
      const tallies = h('span', { class: 'tallies' });
      const clock = h('span', { class: 'clock', role: 'timer' });
      const presence = h('span', { class: 'presence', role: 'img', hidden: true });
      const names = h('div', { class: 'who' }, h('span', { class: 'name-row' }, name, presence), state);
      const element = h('div', { class: 'plate' }, stoneIcon(shape, side), names, tallies, clock);
      return { element, name, presence, state, tallies, clock };
    });
  }

  /** Stops the clocks. */
  close() {
    this.#clock.stop();
  }

  /** @param {Game} game @param {[boolean, boolean]} held the seats held here @param {boolean} flipped */
  show(game, held, flipped) {
    // The only seat held here is below, also on a board that looks the same from both ends and is not flipped.
    const upper = flipped || (held[1] && !held[0]) ? 0 : 1;
    replace(this.top, this.#plates[upper].element);
    replace(this.bottom, this.#plates[1 - upper].element);
    const alone = held[0] && held[1];
    for (const side of [0, 1]) this.#showPlate(side, game, held[side], held[side] && !alone);
    const { left, running, position } = game.now;
    this.#clock.set(left, running ? position.to_move : null);
    this.#showClocks();
  }

  /** @param {number} side @param {Game} game @param {boolean} isMine @param {boolean} isYou */
  #showPlate(side, { now, seats, clock, present }, isMine, isYou) {
    const plate = this.#plates[side];
    const seat = seats[side];
    const hasTurn = !now.outcome && now.position.to_move === side;
    const sideName = word(this.sides[side], this.game);
    plate.element.classList.toggle('turn', hasTurn);
    plate.element.classList.toggle('won', now.outcome?.winner === side);
    // Players without a name are called after their sides, but not to themselves.
    const name = isYou && seat.name === this.sides[side] ? t('you') : word(seat.name, this.game);
    plate.name.textContent = seat.engine ? agentName(seat.engine, this.game) : name;
    // Whether a person elsewhere is there.
    plate.presence.hidden = isMine || Boolean(seat.engine) || !seat.taken;
    const isThere = Boolean(present?.[side]);
    plate.presence.classList.toggle('there', isThere);
    plate.presence.title = isThere ? t('is_here') : t('is_away');
    plate.presence.setAttribute('aria-label', plate.presence.title);
    // People at one screen are named after their sides, which need not be said twice.
    const words = plate.name.textContent === sideName ? [] : [sideName];
    if (!seat.taken) words.push(t('waiting_for_player'));
    else if (hasTurn && now.thinking) words.push(t('thinking'));
    else if (hasTurn && isMine) words.push(t('your_turn'));
    else if (hasTurn) words.push(t('has_turn'));
    plate.state.textContent = words.join(' · ');
    const tallies = now.position.tallies.map(({ name, values }) =>
      h('span', { class: 'tally' }, h('b', {}, values[side]), h('small', {}, word(name, this.game))),
    );
    replace(plate.tallies, tallies);
    plate.clock.hidden = !clock;
  }

  #showClocks() {
    this.#plates.forEach(({ clock }, side) => {
      clock.textContent = this.#clock.text(side);
      clock.classList.toggle('low', this.#clock.isLow(side));
    });
  }
}
