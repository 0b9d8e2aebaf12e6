// A game in progress: played, or watched.

import { about as aboutGame, createGame, geometry, getGame, joinGame } from './api.js';
import { Board } from './board.js';
import { Clock } from './clock.js';
import { Connection } from './connection.js';
import { announce, h, icon, iconButton, renew, replace, toast, toolButton } from './dom.js';
import { picture, stoneIcon } from './drawing.js';
import { agentName, gameText, refusal, rulesetName, t, word } from './i18n.js';
import { MoveList } from './moves.js';
import { go } from './router.js';
import { change, keepSeat, seatOf, settings } from './settings.js';
import { sharePanel, studyAddress } from './share.js';

/** @typedef {import('./api.js').Game} Game */
/** @typedef {import('./api.js').About} About */
/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./api.js').Now} Now */
/** @typedef {import('./api.js').Ply} Ply */
/** @typedef {import('./api.js').Choice} Choice */

/** @param {HTMLElement} place @param {string[]} rest @param {URLSearchParams} query */
export async function open(place, [id], query) {
  const game = await getGame(id ?? '');
  const [about, shape] = await Promise.all([aboutGame(game.game), geometry(game.game, game.ruleset)]);
  const invite = query.get('invite');
  if (invite && !seatOf(id)) {
    const seated = await invited(place, game, about, shape, invite);
    history.replaceState(null, '', `/play/${id}`);
    replace(place);
    if (!seated) toast(t('watching'));
  }
  return new PlayView(place, game, about, shape);
}

/**
 * Asks whether to sit down; true if a seat was taken.
 * @param {HTMLElement} place @param {Game} game @param {About} about @param {Geometry} shape @param {string} invite
 * @returns {Promise<boolean>}
 */
function invited(place, game, about, shape, invite) {
  return new Promise((resolve) => {
    const name = h('input', {
      id: 'join-name',
      maxlength: 24,
      value: settings.name,
      placeholder: t('you'),
      autocomplete: 'nickname',
    });
    const sit = async () => {
      try {
        const seat = await joinGame(game.id, invite, name.value.trim());
        change({ name: name.value.trim() });
        keepSeat(game.id, { tokens: seat.tokens, at: Date.now() });
        resolve(true);
      } catch (error) {
        toast(error instanceof Error ? error.message : String(error), 'error');
        resolve(false);
      }
    };
    place.append(
      h(
        'form',
        {
          class: 'empty-page',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void sit();
          },
        },
        h('div', { class: 'invitation' }, picture(shape, game.plies[game.plies.length - 1].stones)),
        h('h1', {}, t('join_title', { game: about.title })),
        h(
          'p',
          {},
          `${gameText(about.name, 'pitch') ?? about.summary} `,
          h('a', { href: `/rules/${about.name}`, target: '_blank' }, t('rules')),
        ),
        h('div', { class: 'field' }, h('label', { for: 'join-name' }, t('your_name')), name),
        h(
          'div',
          { class: 'row' },
          h('button', { class: 'button primary', type: 'submit' }, icon('play'), h('span', {}, t('join'))),
          h('button', { class: 'button', type: 'button', onclick: () => resolve(false) }, t('watch_only')),
        ),
      ),
    );
    name.focus();
  });
}

class PlayView {
  /** The ply that is looked at; the last one unless stepped back. */ #shown = 0;
  #connected = true;
  #flippedByHand = false;
  #hintId = 0;
  /** The rematch this page went on to. @type {string | null} */ #followed = null;
  /** @type {{ seats: [boolean, boolean], control: boolean }} */ #held = { seats: [false, false], control: false };

  /** @param {HTMLElement} place @param {Game} game @param {About} about @param {Geometry} shape */
  constructor(place, game, about, shape) {
    this.game = game;
    this.about = about;
    this.shape = shape;
    document.title = `${about.title} · Quincunx`;
    this.board = new Board(shape, {
      label: t('board_of', { game: about.title }),
      play: (choice) => this.#play(choice),
      pending: (choice) => this.#pending(choice),
      progress: (chosen) => this.#showGuide(chosen),
      missed: () => this.#nudge(),
      sideName: (side) => this.#sideName(side),
    });
    this.board.cancelFrom(place);
    this.clock = new Clock(() => this.#clocks());
    this.moves = new MoveList((ply) => this.#look(ply));
    this.plates = [0, 1].map((side) => this.#plate(side));
    this.status = h('p', { class: 'status' });
    this.notice = h('div', { class: 'notices' });
    this.confirmBar = h('div', { class: 'confirm', hidden: true });
    this.actions = h('div', { class: 'actions', role: 'toolbar', 'aria-label': about.title });
    this.onward = h('div', { class: 'onward' });
    const targets = h('input', {
      type: 'checkbox',
      id: 'targets',
      checked: settings.targets,
      onchange: () => {
        change({ targets: targets.checked });
        this.#update(false);
      },
    });
    this.targets = h('label', { class: 'switch', for: 'targets' }, targets, h('span', {}, t('show_targets')));
    this.guide = h('p', { class: 'guide muted small' });
    this.typed = this.#typedForm();
    this.share = sharePanel(() => ({
      line: {
        game: game.game,
        ruleset: game.ruleset,
        position: this.game.start,
        moves: this.#moveTexts(this.#shown).join(' '),
      },
      position: this.#shown === this.#last() ? this.game.now.position.text : null,
      gameId: game.id,
    }));
    this.top = h('div', { class: 'plate-place' });
    this.bottom = h('div', { class: 'plate-place' });
    place.append(
      h('h1', { class: 'hidden' }, about.title),
      h(
        'div',
        { class: 'table' },
        h('div', { class: 'board-column' }, this.top, this.board.frame, this.bottom, this.confirmBar),
        h(
          'div',
          { class: 'side-column' },
          h(
            'div',
            { class: 'panel state' },
            h(
              'div',
              { class: 'title-row' },
              h('a', { href: `/rules/${about.name}`, class: 'title', title: t('rules') }, about.title),
              h('span', { class: 'muted' }, rulesetName(about.name, this.game.ruleset)),
            ),
            this.aim(),
            this.status,
            this.guide,
            this.onward,
            this.notice,
            this.actions,
            this.targets,
          ),
          h(
            'div',
            { class: 'panel moves-panel' },
            h('div', { class: 'title-row' }, h('h2', {}, t('moves')), this.#steppers()),
            this.moves.element,
            this.typed,
          ),
          this.share,
        ),
      ),
    );
    this.keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener('keydown', this.keys);
    this.#shown = game.plies.length - 1;
    this.#update(false);
    this.connection = new Connection({
      open: () => this.connection.send({ type: 'join', game: game.id, tokens: seatOf(game.id)?.tokens ?? [] }),
      message: (message) => this.#receive(message),
      state: (connected) => {
        this.#connected = connected;
        this.#update(false);
      },
    });
  }

  /** What the game is about, for those who play it for the first time. */
  aim() {
    const aim = gameText(this.about.name, 'rules')?.[0]?.text?.[0];
    return aim
      ? h(
          'p',
          { class: 'aim small' },
          h('b', {}, t('aim')),
          ' ',
          aim,
          ' ',
          h('a', { href: `/rules/${this.about.name}` }, t('rules')),
        )
      : null;
  }

  /** Says what to choose next. @param {number} chosen how many cells were */
  #showGuide(chosen) {
    const { now } = this.game;
    const mayMove = this.#shown === this.#last() && !now.outcome && this.#mine(now.position.to_move);
    this.guide.textContent = (mayMove && gameText(this.about.name, 'steps')?.[chosen]) || '';
  }

  /** What was clicked cannot be: points at the line that says what can. */
  #nudge() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.guide.animate([{ translate: '0' }, { translate: '6px' }, { translate: '-4px' }, { translate: '0' }], {
      duration: 260,
      easing: 'ease-out',
    });
  }

  close() {
    this.connection.close();
    this.clock.stop();
    document.removeEventListener('keydown', this.keys);
  }

  // What the server says.

  /** @param {any} message */
  #receive(message) {
    if (message.type === 'game') {
      const following = this.#shown === this.#last();
      const ended = !this.game.now.outcome && message.now.outcome;
      if (message.held) this.#held = message.held;
      this.game = message;
      if (ended) announce(`${this.#result(ended)} ${word(ended.reason)}`);
      this.#shown = following ? this.#last() : Math.min(this.#shown, this.#last());
      this.#seeOwnSide();
      this.#update(false);
    } else if (message.type === 'move') {
      const following = this.#shown === this.#last();
      this.game.plies.push(message.ply);
      this.game.now = message.now;
      if (message.now.position.ply !== this.#last()) {
        // Something was missed: ask for all of it.
        this.connection.send({ type: 'join', game: this.game.id, tokens: seatOf(this.game.id)?.tokens ?? [] });
        return;
      }
      if (following) this.#shown = this.#last();
      this.#update(following);
      this.#announceMove(message.ply);
    } else if (message.type === 'error') {
      toast(refusal(message), 'error');
      announce(refusal(message));
      this.#update(false);
    } else if (message.type === 'analysis') this.#hinted(message);
    if (message.now?.successor) this.#follow(message.now.successor);
  }

  /** Goes on in the rematch, with the same tokens. @param {string} successor */
  #follow(successor) {
    const seat = seatOf(this.game.id);
    if (!seat || !(this.#held.control || this.#held.seats.includes(true)) || this.#followed === successor) return;
    this.#followed = successor;
    if (!seatOf(successor)) {
      keepSeat(successor, { tokens: seat.tokens, at: Date.now() });
      void go(`/play/${successor}`);
    }
  }

  /** @param {Ply} ply */
  #announceMove(ply) {
    const side = this.#sideName(ply.by ?? 0);
    const { now } = this.game;
    const words = [ply.text === 'pass' ? t('passes', { side }) : t('played', { side, move: ply.text ?? '' })];
    if (ply.text === 'pass') toast(words[0]);
    if (now.outcome) words.push(this.#result(now.outcome));
    else if (this.#mine(now.position.to_move)) words.push(t('your_turn'));
    announce(words.join(' '));
  }

  // What the person does.

  /** @param {Choice} choice */
  #play(choice) {
    const sent = this.connection.send({ type: 'move', move: choice.text, ply: this.game.now.position.ply });
    if (!sent) this.#update(false);
  }

  /** @param {string} type @param {Record<string, unknown>} [more] */
  #act(type, more = {}) {
    if (!this.connection.send({ type, ...more })) toast(t('reconnecting'), 'error');
  }

  /** @param {Choice | null} choice */
  #pending(choice) {
    this.confirmBar.hidden = !choice;
    if (!choice) return;
    replace(
      this.confirmBar,
      h('button', { class: 'button', type: 'button', onclick: () => this.board.cancel() }, t('cancel')),
      h(
        'button',
        { class: 'button primary', type: 'button', onclick: () => this.board.confirm() },
        icon('check'),
        h('span', {}, t('place_here', { move: choice.text })),
      ),
    );
  }

  #hint() {
    const { game } = this;
    this.#hintId += 1;
    this.#act('analyse', {
      id: this.#hintId,
      lines: 1,
      seconds: 1,
      line: {
        game: game.game,
        ruleset: game.ruleset,
        position: game.start,
        moves: this.#moveTexts(this.#last()).join(' '),
      },
    });
  }

  /** @param {any} message */
  #hinted(message) {
    const best = message.lines?.[0];
    const choice = this.game.now.position.choices.find((known) => known.text === best?.move);
    if (message.id !== this.#hintId || !choice || this.#shown !== this.#last()) return;
    this.board.point([{ path: choice.path, kind: 'hint' }]);
    if (message.done) {
      toast(t('hint_is', { move: choice.text }));
      announce(t('hint_is', { move: choice.text }));
    }
  }

  /** Looks at an earlier or later position. @param {number} ply */
  #look(ply) {
    const to = Math.max(0, Math.min(this.#last(), ply));
    if (to === this.#shown) return;
    const forward = to === this.#shown + 1;
    this.#shown = to;
    this.#update(forward);
    const shown = this.game.plies[to];
    announce(shown.text ? `${to}. ${shown.text}` : t('start_position'));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.altKey || event.ctrlKey || event.metaKey || target?.closest('input, select, textarea, dialog, summary'))
      return;
    const onBoard = this.board.element.contains(target) && !event.shiftKey;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: this.#shown - 1, ArrowRight: this.#shown + 1, Home: 0, End: this.#last() };
    if (event.key in steps && !(onBoard && event.key.startsWith('Arrow'))) this.#look(steps[event.key]);
    else if (event.key === 'Escape') this.board.cancel();
    else if (event.key === 'f') this.#flip();
    else return;
    event.preventDefault();
  }

  #flip() {
    this.#flippedByHand = true;
    this.board.flip(!this.board.flipped);
    this.#update(false);
  }

  /** A player sits at the lower edge, until the board is turned by hand. */
  #seeOwnSide() {
    const { seats } = this.#held;
    if (!this.#flippedByHand) this.board.flip(this.#turnsFor(1) && seats[1] && !seats[0]);
  }

  /** Whether the side's own end of the board is the upper one. @param {number} side */
  #turnsFor(side) {
    const start = this.game.plies[0].stones;
    const height = this.shape.size[1];
    const rows = [...start].flatMap((stone, cell) =>
      stone === String(side) ? [this.shape.cells[cell].centre[1]] : [],
    );
    const middle = rows.reduce((sum, y) => sum + y, 0) / (rows.length || 1);
    return rows.length > 2 && middle < height * 0.4;
  }

  // What is seen.

  #last() {
    return this.game.plies.length - 1;
  }

  /** @param {number} upTo */
  #moveTexts(upTo) {
    return this.game.plies.slice(1, upTo + 1).map((ply) => ply.text ?? '');
  }

  /** @param {number} side */
  #sideName(side) {
    return word(this.about.sides[side]);
  }

  /** @param {number} side */
  #mine(side) {
    return this.#held.seats[side];
  }

  /** @param {import('./api.js').Outcome} outcome */
  #result(outcome) {
    if (outcome.winner === null) return t('drawn');
    const [mine, theirs] = [this.#mine(outcome.winner), this.#mine(1 - outcome.winner)];
    if (mine && !theirs) return t('you_win');
    if (theirs && !mine) return t('you_lose');
    return t('wins', { side: this.#sideName(outcome.winner) });
  }

  /** @param {number} side */
  #plate(side) {
    const parts = {
      name: h('span', { class: 'name' }),
      state: h('span', { class: 'plate-state' }),
      tallies: h('span', { class: 'tallies' }),
      clock: h('span', { class: 'clock', role: 'timer' }),
    };
    const element = h(
      'div',
      { class: 'plate' },
      stoneIcon(this.shape, side),
      h('div', { class: 'who' }, parts.name, parts.state),
      parts.tallies,
      parts.clock,
    );
    return { element, ...parts };
  }

  #typedForm() {
    const input = h('input', {
      id: 'typed',
      class: 'typed',
      placeholder: t('type_move'),
      'aria-label': t('type_move'),
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: 40,
    });
    return h(
      'form',
      {
        class: 'typed-form',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          const move = input.value.trim();
          if (!move) return;
          input.value = '';
          this.#act('move', { move, ply: this.game.now.position.ply });
        },
      },
      input,
      h('button', { class: 'button', type: 'submit' }, t('play_move')),
    );
  }

  #steppers() {
    return h(
      'div',
      { class: 'steppers' },
      iconButton('first', t('step_first'), () => this.#look(0)),
      iconButton('previous', t('step_back'), () => this.#look(this.#shown - 1)),
      iconButton('next', t('step_on'), () => this.#look(this.#shown + 1)),
      iconButton('last', t('step_last'), () => this.#look(this.#last())),
    );
  }

  /** @param {boolean} animate */
  #update(animate) {
    const { now, plies } = this.game;
    const { position } = now;
    const live = this.#shown === this.#last();
    this.board.toMove = position.to_move;
    this.board.show(plies[this.#shown], { winning: live ? position.winning : [], animate });
    const mayMove = live && this.#connected && !now.outcome && this.#mine(position.to_move);
    this.board.allow(mayMove ? position.choices : []);
    this.board.point([]);
    this.board.frame.classList.toggle('mine', mayMove);
    this.board.frame.classList.toggle('past', !live);
    this.typed.hidden = this.targets.hidden = !this.#held.seats.includes(true) || Boolean(now.outcome);
    this.moves.show(plies, this.#shown);
    this.#showPlates();
    this.#showStatus();
    this.#showGuide(0);
    this.#showActions();
    this.#showNotices();
    this.clock.set(now.left, now.running ? position.to_move : null);
    this.#clocks();
    this.share.refresh();
  }

  #showPlates() {
    const { now, seats } = this.game;
    const upper = this.board.flipped ? 0 : 1;
    const ownIsUpper = !this.board.flipped && this.#held.seats[1] && !this.#held.seats[0];
    const top = ownIsUpper ? 0 : upper;
    replace(this.top, this.plates[top].element);
    replace(this.bottom, this.plates[1 - top].element);
    this.plates.forEach((plate, side) => {
      const seat = seats[side];
      const turn = !now.outcome && now.position.to_move === side;
      plate.element.classList.toggle('turn', turn);
      plate.element.classList.toggle('won', now.outcome?.winner === side);
      plate.name.textContent = seat.engine ? agentName(seat.engine) : word(seat.name);
      // People at one screen are called by their side: that is said once.
      const words = plate.name.textContent === this.#sideName(side) ? [] : [this.#sideName(side)];
      if (!seat.taken) words.push(t('waiting_for_player'));
      else if (turn && now.thinking) words.push(t('thinking'));
      else if (turn && this.#mine(side)) words.push(t('your_turn'));
      else if (turn) words.push(t('has_turn'));
      plate.state.textContent = words.join(' · ');
      replace(
        plate.tallies,
        now.position.tallies.map((tally) =>
          h('span', { class: 'tally' }, h('b', {}, tally.values[side]), h('small', {}, word(tally.name))),
        ),
      );
    });
  }

  #clocks() {
    this.plates.forEach((plate, side) => {
      plate.clock.textContent = this.clock.text(side);
      plate.clock.hidden = !this.game.clock;
      plate.clock.classList.toggle('low', this.clock.isLow(side));
    });
  }

  #showStatus() {
    const { now } = this.game;
    const { outcome, position } = now;
    this.status.classList.toggle('ended', Boolean(outcome));
    if (!this.#connected) replace(this.status, t('reconnecting'));
    else if (outcome)
      replace(
        this.status,
        h('strong', {}, this.#result(outcome)),
        ' ',
        h('span', { class: 'muted' }, word(outcome.reason)),
      );
    else if (this.#mine(position.to_move) && position.choices[0]?.path.length === 0) {
      // The server passes for whoever must, but not before the first move of a game that begins like this.
      const [pass] = position.choices;
      replace(
        this.status,
        t('passes', { side: this.#sideName(position.to_move) }),
        ' ',
        h('button', { class: 'button', type: 'button', onclick: () => this.#play(pass) }, t('play_move')),
      );
    } else if (this.#mine(position.to_move) && !(this.#held.seats[0] && this.#held.seats[1]))
      replace(this.status, h('strong', {}, t('your_turn')));
    else
      replace(
        this.status,
        t('to_move', { side: this.#sideName(position.to_move) }),
        now.thinking ? h('span', { class: 'muted' }, ` · ${t('thinking')}`) : null,
      );
  }

  #showActions() {
    const { now, plies } = this.game;
    const seated = this.#held.seats.includes(true);
    const playing = seated && !now.outcome;
    const alone = [0, 1].every((side) => this.#held.seats[side] || this.game.seats[side].engine);
    const buttons = [];
    if (this.#held.control && !now.outcome) {
      buttons.push(
        toolButton(now.paused ? 'play' : 'pause', now.paused ? t('go_on') : t('pause'), () =>
          this.#act('pause', { paused: !now.paused }),
        ),
        toolButton('step', t('step'), () => this.#act('step')),
      );
      const speed = h('input', {
        type: 'range',
        min: 0,
        max: 3000,
        step: 100,
        'aria-label': t('speed'),
        title: t('speed'),
        onchange: () => this.#act('speed', { delay: Number(speed.value) }),
      });
      speed.value = String(now.delay);
      buttons.push(h('label', { class: 'speed' }, speed, h('span', { 'aria-hidden': 'true' }, t('speed'))));
    }
    if (seated && (playing || alone)) buttons.push(toolButton('undo', t('undo'), () => this.#act('undo')));
    if (playing) buttons.push(toolButton('flag', t('resign'), () => this.#resign()));
    if (playing && plies.length > 2) buttons.push(toolButton('draw', t('draw'), () => this.#act('draw')));
    if (playing && alone && this.#mine(now.position.to_move))
      buttons.push(toolButton('hint', t('hint'), () => this.#hint()));
    buttons.push(toolButton('flip', t('flip'), () => this.#flip()));
    if (now.outcome || alone || this.#held.control) {
      const line = {
        game: this.game.game,
        ruleset: this.game.ruleset,
        position: this.game.start,
        moves: this.#moveTexts(this.#last()).join(' '),
      };
      const address = `${studyAddress(line)}&ply=${this.#shown}&from=${this.game.id}`;
      buttons.push(h('a', { class: 'button tool', href: address }, icon('study'), h('span', {}, t('analyse'))));
    }
    renew(this.actions, buttons);
    renew(this.onward, this.#waysOn());
  }

  /** What to do after a game: see where it was decided, play again, or another level. */
  #waysOn() {
    const { now, seats } = this.game;
    const seated = this.#held.seats.includes(true);
    if (!now.outcome) return [];
    const line = {
      game: this.game.game,
      ruleset: this.game.ruleset,
      position: this.game.start,
      moves: this.#moveTexts(this.#last()).join(' '),
    };
    const ways = [];
    if (seated || this.#held.control)
      ways.push(iconButton('again', t('rematch'), () => this.#act('rematch'), { quiet: false, class: 'primary' }));
    if (this.#last() > 1)
      ways.push(
        h(
          'a',
          { class: 'button', href: `${studyAddress(line)}&review=1&from=${this.game.id}` },
          icon('eye'),
          h('span', {}, t('why')),
        ),
      );
    const engine = seats.findIndex((seat, side) => seat.engine && this.#mine(1 - side));
    const level = Number(/^engine:level=(\d+)$/.exec(seats[engine]?.engine ?? '')?.[1] ?? 0);
    if (level && now.outcome.winner !== null) {
      const won = this.#mine(now.outcome.winner);
      const next = level + (won ? 1 : -1);
      if (next >= 1 && next <= 10)
        ways.push(
          iconButton(
            won ? 'next' : 'previous',
            won ? t('harder', { level: next }) : t('easier', { level: next }),
            () => void this.#playLevel(engine, next),
            { quiet: false },
          ),
        );
    }
    return ways;
  }

  /** Begins the same game against another level. @param {number} engine the engine's side @param {number} level */
  async #playLevel(engine, level) {
    const { game, seats, clock, start, ruleset } = this.game;
    const wanted = seats.map((seat, side) =>
      side === engine ? { kind: 'engine', spec: `engine:level=${level}` } : { kind: 'me', name: seat.name },
    );
    try {
      const made = await createGame({ game, ruleset, position: start, seats: wanted, clock });
      keepSeat(made.id, { tokens: made.tokens, at: Date.now() });
      await go(`/play/${made.id}`);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  #resign() {
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
      if (sure.returnValue === 'yes') this.#act('resign');
      sure.remove();
    });
    document.body.append(sure);
    sure.showModal();
  }

  #showNotices() {
    const { now, seats } = this.game;
    const lines = [];
    const invite = seatOf(this.game.id)?.invite;
    if (invite && seats.some((seat) => !seat.taken)) {
      const address = `${location.origin}/play/${this.game.id}?invite=${invite}`;
      const shown = h('input', {
        readonly: true,
        value: address,
        'aria-label': t('share_game'),
        onfocus: () => shown.select(),
      });
      lines.push(
        h(
          'div',
          { class: 'notice' },
          h('p', {}, t('invite')),
          h(
            'div',
            { class: 'copy-row' },
            shown,
            iconButton('copy', t('copy'), () => {
              void navigator.clipboard?.writeText(address).then(() => toast(t('copied')));
              shown.select();
            }),
          ),
        ),
      );
    }
    for (const [offer, key] of /** @type {['draw' | 'undo', 'draw_offered' | 'undo_asked'][]} */ ([
      ['draw', 'draw_offered'],
      ['undo', 'undo_asked'],
    ])) {
      const by = now.offers[offer];
      if (by === null) continue;
      if (this.#mine(1 - by)) {
        const text = t(key, { name: word(seats[by].name) });
        lines.push(
          h(
            'div',
            { class: 'notice', role: 'alert' },
            h('p', {}, text),
            h(
              'div',
              { class: 'row' },
              h(
                'button',
                {
                  class: 'button primary',
                  type: 'button',
                  onclick: () => this.#act('answer', { offer, accept: true }),
                },
                t('accept'),
              ),
              h(
                'button',
                { class: 'button', type: 'button', onclick: () => this.#act('answer', { offer, accept: false }) },
                t('decline'),
              ),
            ),
          ),
        );
      } else if (this.#mine(by)) lines.push(h('div', { class: 'notice' }, h('p', {}, t('offer_sent'))));
    }
    if (now.outcome && !now.successor && this.#held.seats.includes(true)) {
      const mine = this.#held.seats.some((held, side) => held && now.offers.rematch[side]);
      const theirs = this.#held.seats.some((held, side) => !held && now.offers.rematch[side] && !seats[side].engine);
      if (mine) lines.push(h('div', { class: 'notice' }, h('p', {}, t('rematch_waiting'))));
      else if (theirs) lines.push(h('div', { class: 'notice', role: 'alert' }, h('p', {}, t('rematch_offered'))));
    }
    if (!this.#held.seats.includes(true) && !this.#held.control)
      lines.push(h('p', { class: 'muted small' }, t('watching')));
    renew(this.notice, lines);
  }
}
