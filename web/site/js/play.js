// A game in progress, played or watched.

import { about as aboutGame, geometry, getGame } from './api.js';
import { Board } from './board/board.js';
import { arrowOf, mainPath } from './board/selection.js';
import { placed } from './board/stones.js';
import { connect } from './backend.js';
import { contentOf } from './content.js';
import { announce, h, renew, replace, toast } from './dom.js';
import { endingText, refusal, sideWords, t, word } from './i18n.js';
import { askToJoin } from './invitation.js';
import { MoveList } from './moves.js';
import { noticesOf } from './notices.js';
import { waysOn } from './onward.js';
import { People } from './people.js';
import { Plates } from './plates.js';
import { keepResult } from './progress-record.js';
import { go, rename } from './router.js';
import { change, keepSeat, rememberSides, seatOf, settings } from './settings.js';
import { play } from './sounds.js';
import { sharePanel, studyAddress } from './share.js';
import { layTable, listenForKeys, passText, resultText, titleRow, typedForm } from './table.js';
import { toolsOf } from './tools.js';

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
  if (invite && !seatOf(id) && game.seats.every((seat) => seat.taken)) {
    rename(`/play/${id}`);
    toast(t('invite_used'));
  } else if (invite && !seatOf(id)) {
    const seated = await askToJoin(place, game, about, shape, invite);
    rename(`/play/${id}`);
    replace(place);
    if (!seated) toast(t('watching'));
  }
  return new PlayView(place, game, about, shape);
}

class PlayView {
  /** The ply on the board: the last one, unless the person stepped back. */ #shown = 0;
  #connected = true;
  #flipped = false;
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
      play: (choice) => this.#play(choice),
      progress: (chosen) => this.#showGuide(chosen),
      missed: () => this.#nudge(),
    });
    this.board.cancelFrom(place);
    this.moves = new MoveList((ply) => this.#look(ply));
    this.plates = new Plates(shape);
    this.status = h('p', { class: 'status' });
    this.notice = h('div', { class: 'notices' });
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
    const notify = h('input', {
      type: 'checkbox',
      id: 'notify',
      checked: settings.notify,
      onchange: async () => {
        const allowed = notify.checked && (await Notification.requestPermission()) === 'granted';
        notify.checked = allowed;
        change({ notify: allowed });
      },
    });
    this.notify = h('label', { class: 'switch', for: 'notify' }, notify, h('span', {}, t('notify')));
    this.guide = h('p', { class: 'guide muted small' });
    this.typed = typedForm((move) => this.#act({ type: 'move', move, ply: this.game.now.position.ply }));
    this.people = new People((request) => this.connection.send(request));
    this.share = sharePanel(() => ({
      line: this.#lineTo(this.#shown),
      position: this.#shown === this.#last() ? this.game.now.position.text : null,
      gameId: game.id,
    }));
    const { status, guide, onward, notice, actions } = this;
    const step = (/** @type {number} */ by) => this.#look(this.#shown + by);
    layTable(
      place,
      about.title,
      {
        board: [this.plates.top, this.board.frame, this.plates.bottom, this.board.confirmBar],
        state: [
          status,
          onward,
          notice,
          guide,
          actions,
          this.targets,
          this.notify,
          titleRow(about, game.ruleset),
          this.#aim(),
        ],
        moves: [this.moves.element, this.typed],
        more: [this.people.element, this.share],
      },
      step,
    );
    this.endKeys = listenForKeys(this.board, step, () => this.#flip());
    this.#shown = game.plies.length - 1;
    this.#update(false);
    this.connection = connect({
      open: () => this.connection.send({ type: 'join', game: game.id, tokens: seatOf(game.id)?.tokens ?? [] }),
      message: (message) => this.#receive(message),
      state: (connected) => {
        this.#connected = connected;
        this.#update(false);
      },
    });
  }

  /** What the game is about, for those who play it for the first time. */
  #aim() {
    const aim = contentOf(this.about.name).words.rules[0]?.text[0];
    if (!aim) return null;
    const rules = h('a', { href: `/rules/${this.about.name}` }, t('rules'));
    return h('p', { class: 'aim small' }, h('b', {}, t('aim')), ' ', aim, ' ', rules);
  }

  /** Says what to choose next. @param {number} chosen how many cells have been chosen */
  #showGuide(chosen) {
    const { now } = this.game;
    const mayMove = this.#shown === this.#last() && !now.outcome && this.#mine(now.position.to_move);
    this.guide.textContent = (mayMove && contentOf(this.about.name).words.steps[chosen]) || '';
  }

  /** Shakes the line that says what to choose, after a click that chooses nothing. */
  #nudge() {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const frames = { translate: ['0', '6px', '-4px', '0'] };
    this.guide.animate(frames, { duration: 260, easing: 'ease-out' });
  }

  close() {
    this.connection.close();
    this.plates.close();
    this.endKeys();
  }

  // What the server says.

  /** @param {import('./connection.js').Message} message */
  #receive(message) {
    if (this.people.receive(message, this.game, (side) => word(this.game.seats[side].name, this.about.name)))
      this.#showPeople();
    else if (message.type === 'game') {
      const following = this.#shown === this.#last();
      const ended = !this.game.now.outcome && message.now.outcome;
      if (message.held) {
        this.#held = message.held;
        rememberSides(this.game.id, message.held.seats);
      }
      const before = this.game;
      this.game = message;
      if (ended) {
        announce(this.#resultWords(ended));
        this.#ended(ended);
      }
      if (!ended) this.#tellDeclined(before);
      this.#shown = following ? this.#last() : Math.min(this.#shown, this.#last());
      this.#seeOwnSide();
      this.#update(false);
    } else if (message.type === 'move') {
      const following = this.#shown === this.#last();
      this.game.plies.push(message.ply);
      this.game.now = message.now;
      if (message.now.position.ply !== this.#last()) {
        // A move was missed: ask for the whole game.
        this.connection.send({ type: 'join', game: this.game.id, tokens: seatOf(this.game.id)?.tokens ?? [] });
        return;
      }
      if (following) this.#shown = this.#last();
      this.#update(following);
      this.#announceMove(message.ply);
      if (message.now.outcome) this.#ended(message.now.outcome);
      else this.#sound(message.ply);
    } else if (message.type === 'error') {
      toast(refusal(message), 'error');
      announce(refusal(message));
      this.#update(false);
    } else if (message.type === 'analysis') this.#hinted(message);
    if ('now' in message && message.now.successor) this.#follow(message.now.successor);
  }

  /** The sound of a move, and a notice if the page is not seen. @param {Ply} ply */
  #sound(ply) {
    const before = this.game.plies[this.#last() - 1]?.stones ?? '';
    const stones = (/** @type {string} */ text) => [...text].filter((stone) => stone !== '.').length;
    play(stones(ply.stones) < stones(before) ? 'capture' : 'move');
    const { position } = this.game.now;
    const isMine = this.#mine(position.to_move) && !this.#mine(1 - position.to_move);
    if (isMine && document.hidden && settings.notify && Notification.permission === 'granted')
      new Notification(t('your_turn'), { body: `${this.about.title}: ${ply.text ?? ''}`, tag: this.game.id });
  }

  /** Keeps how a game against a level ended. @param {import('./api.js').Outcome} outcome */
  #ended({ winner }) {
    const { seats, id, game } = this.game;
    const side = [0, 1].find((one) => this.#mine(one) && !this.#mine(1 - one));
    if (side === undefined) return;
    const isWon = winner === side;
    play(winner === null ? 'move' : isWon ? 'win' : 'loss');
    const level = Number(/^engine:level=(\d+)$/.exec(seats[1 - side].engine ?? '')?.[1] ?? 0);
    if (level) keepResult(id, { game, level, result: winner === null ? 0.5 : isWon ? 1 : 0, at: Date.now() });
  }

  /** Says that an offer of this player was declined. @param {Game} before */
  #tellDeclined(before) {
    const { now, plies } = this.game;
    if (plies.length !== before.plies.length) return;
    for (const offer of /** @type {const} */ (['draw', 'undo'])) {
      const by = before.now.offers[offer];
      if (by === null || now.offers[offer] !== null || !this.#mine(by) || this.#mine(1 - by)) continue;
      const text = offer === 'draw' ? t('draw_declined') : t('undo_declined');
      toast(text);
      announce(text);
    }
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
    const side = this.#sideWords(ply.by ?? 0);
    const { now } = this.game;
    const words = [ply.text === 'pass' ? t('passes', side) : t('played', { ...side, move: ply.text ?? '' })];
    if (ply.text === 'pass') toast(words[0]);
    if (now.outcome) words.push(this.#resultWords(now.outcome));
    else if (this.#mine(now.position.to_move)) words.push(t('your_turn'));
    announce(words.join(' '));
  }

  // What the person does.

  /** @param {Choice} choice */
  #play(choice) {
    const { position } = this.game.now;
    const sent = this.connection.send({ type: 'move', move: choice.text, ply: position.ply });
    if (!sent) {
      toast(t('reconnecting'), 'error');
      this.#update(false);
      return;
    }
    // The stone is there at once; the answer of the server shows what it did, or puts it back.
    const ply = this.game.plies[this.#last()];
    const path = mainPath(choice);
    const stones = placed(ply.stones, path, position.to_move);
    this.board.show({ ply: { ...ply, stones, marks: path.slice(0, 2) } }, { animate: true });
  }

  /** @param {import('./connection.js').Request} request */
  #act(request) {
    if (!this.connection.send(request)) toast(t('reconnecting'), 'error');
  }

  #hint() {
    this.#hintId += 1;
    this.#act({ type: 'analyse', id: this.#hintId, lines: 1, seconds: 1, line: this.#lineTo(this.#last()) });
  }

  /** @param {import('../../types/api.js').Analysis} message */
  #hinted(message) {
    const best = message.lines[0];
    const choice = this.game.now.position.choices.find((known) => known.text === best?.move);
    if (message.id !== this.#hintId || !choice || this.#shown !== this.#last()) return;
    this.board.point([arrowOf(choice, 'hint')]);
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

  #flip() {
    this.#flippedByHand = true;
    this.#flipped = !this.#flipped;
    this.#update(false);
  }

  /** Puts the player's own side at the lower edge, unless the board was flipped by hand. */
  #seeOwnSide() {
    const { seats } = this.#held;
    if (!this.#flippedByHand) this.#flipped = this.#startsAbove(1) && seats[1] && !seats[0];
  }

  /** Whether a side starts at the upper end of the board. @param {number} side */
  #startsAbove(side) {
    const start = this.game.plies[0].stones;
    const height = this.shape.size[1];
    const rows = [...start].flatMap((stone, cell) =>
      stone === String(side) ? [this.shape.cells[cell].centre[1]] : [],
    );
    const middle = rows.reduce((sum, y) => sum + y, 0) / (rows.length || 1);
    return rows.length > 2 && middle < height * 0.4;
  }

  // What is shown.

  #last() {
    return this.game.plies.length - 1;
  }

  /** The moves up to a ply. @param {number} ply */
  #lineTo(ply) {
    const { game, ruleset, start, plies } = this.game;
    const texts = plies.slice(1, ply + 1).map((step) => step.text ?? '');
    return { game, ruleset, position: start, moves: texts.join(' ') };
  }

  /** @param {number} side */
  #sideWords(side) {
    return sideWords(this.about.name, this.about.sides[side]);
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
    return t('wins', this.#sideWords(outcome.winner));
  }

  /** Result and reason. @param {import('./api.js').Outcome} outcome */
  #resultWords(outcome) {
    return `${t('sentence', { text: this.#result(outcome) })} ${this.#reason(outcome)}`;
  }

  /** @param {import('./api.js').Outcome} outcome */
  #reason(outcome) {
    return endingText(this.about, outcome, this.game.now.position.tallies);
  }

  /** @param {boolean} animate */
  #update(animate) {
    const { now, plies } = this.game;
    const { position } = now;
    const isLive = this.#shown === this.#last();
    const mayMove = isLive && this.#connected && !now.outcome && this.#mine(position.to_move);
    this.board.show(
      {
        ply: plies[this.#shown],
        before: plies[this.#shown - 1]?.stones,
        toMove: position.to_move,
        choices: mayMove ? position.choices : [],
        winning: isLive ? position.winning : [],
      },
      { animate, flipped: this.#flipped },
    );
    const isMyTurn = mayMove && !(this.#held.seats[0] && this.#held.seats[1]);
    document.title = `${isMyTurn ? `${t('your_turn')} · ` : ''}${this.about.title} · Quincunx`;
    this.board.frame.classList.toggle('mine', mayMove);
    this.board.frame.classList.toggle('past', !isLive);
    this.typed.hidden = this.targets.hidden = !this.#held.seats.includes(true) || Boolean(now.outcome);
    // Only somebody who waits for another person needs to be called.
    const isAlone = [0, 1].every((side) => this.#held.seats[side] || this.game.seats[side].engine);
    this.notify.hidden = this.typed.hidden || isAlone || typeof Notification === 'undefined';
    this.moves.show(plies, this.#shown);
    this.#showStatus();
    this.#showGuide(this.board.selection.path.length);
    this.#showActions();
    this.#showNotices();
    this.#showPeople();
    this.share.refresh();
  }

  /** Who plays, and who is there. */
  #showPeople() {
    this.plates.show(this.game, this.#held.seats, this.#flipped);
    this.people.show(this.game, this.#held);
  }

  #showStatus() {
    const { now } = this.game;
    const { outcome, position } = now;
    this.status.classList.toggle('ended', Boolean(outcome));
    if (!this.#connected) replace(this.status, t('reconnecting'));
    else if (outcome) replace(this.status, resultText(this.#result(outcome), this.#reason(outcome)));
    else if (now.waiting) replace(this.status, t('waiting_for_disk'));
    else if (this.#mine(position.to_move) && position.choices[0] && !mainPath(position.choices[0]).length)
      // The server passes for a player who must, but not before the first move of a game that begins like this.
      replace(
        this.status,
        passText(this.#sideWords(position.to_move), () => this.#play(position.choices[0])),
      );
    else if (this.#mine(position.to_move) && !(this.#held.seats[0] && this.#held.seats[1]))
      replace(this.status, h('strong', {}, t('your_turn')));
    else {
      const thinking = now.thinking ? h('span', { class: 'muted' }, ` · ${t('thinking')}`) : null;
      replace(this.status, t('to_move', this.#sideWords(position.to_move)), thinking);
    }
  }

  #showActions() {
    const { game, about } = this;
    const address = `${studyAddress(this.#lineTo(this.#last()))}&ply=${this.#shown}&from=${game.id}`;
    const acts = {
      act: (/** @type {import('./connection.js').Request} */ request) => this.#act(request),
      hint: () => this.#hint(),
      flip: () => this.#flip(),
    };
    renew(this.actions, toolsOf({ game, about, held: this.#held }, acts, address));
    renew(this.onward, this.#waysOn());
  }

  #waysOn() {
    const { game, about } = this;
    const lineTo = this.#lineTo(this.#last());
    return waysOn({ game, about, held: this.#held }, lineTo, (request) => this.#act(request));
  }

  #showNotices() {
    const { game, about } = this;
    renew(
      this.notice,
      noticesOf({ game, about, held: this.#held }, (request) => this.#act(request)),
    );
  }
}
