// A game in this browser: its seats, clocks and engines. It takes and gives the same messages as a room of the server.

import { Cancelled, Thread } from './engine.js';
import { load, newId, save } from './storage.js';

/** @typedef {import('./storage.js').Kept} Kept */
/** @typedef {import('../../../types/api.js').Outcome} Outcome */
/** @typedef {import('../../../types/api.js').Opened} Opened */
/** @typedef {import('../../../types/api.js').Message} Message */
/** @typedef {import('../../../types/api.js').Refusal} Refusal */
/** @typedef {(message: any) => void} Listener */

/** The longest an engine thinks on a move, in milliseconds. */
const LONGEST_THOUGHT = 20_000;
/** An engine that gives itself a smaller chance takes a draw, but not in the opening. */
const GLAD_OF_A_DRAW = 0.45;
const FIRST_DRAW = 20;
/** Milliseconds between the moves of two engines. */
const DELAY = 800;

/** Answers about rules, at once. */
export const rules = new Thread();

/** @param {string} code @param {string} error @returns {{ type: 'error', status: number } & Refusal} */
const refused = (code, error) => ({ type: 'error', status: 409, code, error, arguments: {} });

export class Room {
  /** @type {Set<Listener>} */ #listeners = new Set();
  /** The engines of this game. @type {Thread} */ #mover;
  /** @type {Opened} */ #opened;
  /** When the running clock started. @type {number | null} */ #since = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #thinking = false;
  #paused = false;
  #delay = DELAY;
  /** @type {[boolean, boolean]} */ #rematch = [false, false];
  /** @type {(number | null)[]} */ #opinion = [null, null];
  /** Counts changes, so that a late answer is recognised. */ #turn = 0;
  /** What is being done, one thing after the other. @type {Promise<unknown>} */ #last = Promise.resolve();

  /** @param {Kept} kept @param {Opened} opened @param {Thread} mover */
  constructor(kept, opened, mover) {
    this.kept = kept;
    this.#opened = opened;
    this.#mover = mover;
  }

  /** The room of a kept game; null if there is none. @param {string} id @returns {Promise<Room | null>} */
  static async open(id) {
    const kept = load(id);
    if (!kept) return null;
    const mover = new Thread();
    // The engine gets ready while the page is drawn.
    if (!kept.outcome && kept.seats.some((seat) => seat.engine)) mover.prepare(kept);
    const { done } = await rules.ask({ ask: 'position', ...lineOf(kept) });
    return done ? new Room(kept, done, mover) : null;
  }

  /** Lets a listener in, and tells it the whole game. @param {Listener} listener */
  enter(listener) {
    this.#listeners.add(listener);
    listener(this.snapshot());
    this.#advance();
  }

  /** @param {Listener} listener */
  leave(listener) {
    this.#listeners.delete(listener);
    if (this.#listeners.size) return;
    clearTimeout(this.#timer);
    this.#thinking = false;
    this.#mover.close();
  }

  /** The whole game. */
  snapshot() {
    const { id, game, ruleset, start, created, clock, seats } = this.kept;
    const people = seats.map((seat) => !seat.engine);
    return {
      type: 'game',
      id,
      game,
      ruleset,
      start,
      created,
      clock,
      seats: seats.map((seat) => ({ ...seat, taken: true })),
      controlled: this.#engines,
      held: { seats: people, control: this.#engines },
      plies: this.#opened.plies,
      now: this.#now(),
    };
  }

  /** Does what the person asks, after what was asked before. @param {any} action @param {Listener} answer */
  act(action, answer) {
    void this.#inTurn(async () => {
      const refusal = await this.#act(action);
      if (refusal) answer(refusal);
    });
  }

  /** Does something once all that was begun before is done. @param {() => Promise<unknown> | unknown} what */
  #inTurn(what) {
    const done = this.#last.then(what);
    this.#last = done.catch(() => {});
    return done;
  }

  get #engines() {
    return this.kept.seats.every((seat) => seat.engine);
  }

  get #outcome() {
    return this.#opened.position.outcome ?? this.kept.ending;
  }

  #now() {
    const { clock, successor } = this.kept;
    return {
      position: this.#opened.position,
      left: clock ? this.#left() : null,
      running: this.#since !== null,
      thinking: this.#thinking,
      outcome: this.#outcome,
      offers: { draw: null, undo: null, rematch: this.#rematch },
      successor,
      paused: this.#paused,
      delay: this.#delay,
    };
  }

  /** What is left on the clocks. @returns {[number, number]} */
  #left() {
    const { clock, moves } = this.kept;
    const full = (clock?.initial ?? 0) * 1000;
    const left = /** @type {[number, number]} */ ([...(moves.at(-1)?.left ?? [full, full])]);
    const side = this.#opened.position.to_move;
    if (this.#since !== null) left[side] = Math.max(0, left[side] - (performance.now() - this.#since));
    return left;
  }

  /** @param {any} action @returns {Promise<any>} a refusal, if there is one */
  async #act(action) {
    const { position } = this.#opened;
    switch (action.type) {
      case 'move':
        if (action.ply !== undefined && action.ply !== position.ply)
          return refused('move.late', 'the game has moved on meanwhile');
        if (this.kept.seats[position.to_move].engine) return refused('seat.not_your_turn', 'it is not your turn');
        return this.#play(action.move);
      case 'undo':
        return this.#undo();
      case 'resign':
        if (this.#outcome) return refused('game.ended', 'the game is over');
        return this.#end({ winner: 1 - this.#person(), reason: 'resigned' });
      case 'draw':
        return this.#offerDraw();
      case 'rematch':
        return this.#playAgain();
      case 'pause':
        this.#paused = action.paused;
        if (action.paused) this.#stopThinking();
        this.#advance();
        return this.#tellAll();
      case 'step':
        if (this.#outcome) return refused('game.ended', 'the game is over');
        this.#paused = true;
        this.#stopThinking();
        this.#askEngine();
        return this.#tellAll();
      case 'speed':
        this.#delay = Math.min(action.delay, 10_000);
        return this.#tellAll();
      default:
        return refused('offer.gone', 'there is no such offer any more');
    }
  }

  /** The side of the person: the one to move if both are people. */
  #person() {
    const { seats } = this.kept;
    const { to_move: toMove } = this.#opened.position;
    return seats[toMove].engine ? 1 - toMove : toMove;
  }

  /** Plays a move and every forced pass behind it. @param {string} text */
  async #play(text) {
    if (this.#outcome) return refused('game.ended', 'the game is over');
    const { kept } = this;
    for (let move = text; ;) {
      const by = this.#opened.position.to_move;
      const left = this.#left();
      if (kept.clock && left[by] <= 0) return this.#end({ winner: 1 - by, reason: 'time' });
      const line = lineOf(kept);
      const { done, refused: wrong } = await rules.ask({ ask: 'position', ...line, moves: `${line.moves} ${move}` });
      if (!done) return { type: 'error', status: 400, ...wrong };
      if (kept.clock && this.#since !== null) left[by] += kept.clock.increment * 1000;
      const ply = done.plies[done.plies.length - 1];
      kept.moves.push({ text: ply.text, left: kept.clock ? left : null });
      kept.outcome = done.position.outcome;
      this.#opened = done;
      this.#changed();
      this.#since = kept.clock && !this.#outcome ? performance.now() : null;
      const [only, second] = done.position.choices;
      const isPass = only && !second && only.paths.length === 0;
      if (!isPass) this.#advance();
      this.#tell({ type: 'move', ply, now: this.#now() });
      if (!isPass) return null;
      move = only.text;
    }
  }

  /** @param {Outcome} ending */
  #end(ending) {
    const left = this.#left();
    const last = this.kept.moves.at(-1);
    if (last?.left) last.left = left;
    this.kept.ending = this.kept.outcome = ending;
    this.#since = null;
    this.#changed();
    clearTimeout(this.#timer);
    return this.#tellAll();
  }

  /** Takes moves back to the person's last one. */
  async #undo() {
    const { kept } = this;
    const { plies } = this.#opened;
    let ply = plies.length - 1;
    const isChoice = (/** @type {number} */ at) => !kept.seats[plies[at].by ?? 0].engine && plies[at].text !== 'pass';
    while (ply > 0 && !isChoice(ply)) ply -= 1;
    if (ply === 0) return refused('undo.nothing', 'there is no move of yours to take back');
    kept.moves.length = ply - 1;
    kept.ending = kept.outcome = null;
    const { done } = await rules.ask({ ask: 'position', ...lineOf(kept) });
    if (!done) return null;
    this.#opened = done;
    this.#changed();
    this.#since = kept.clock && kept.moves.length ? performance.now() : null;
    this.#advance();
    return this.#tellAll();
  }

  #offerDraw() {
    if (this.#outcome) return refused('game.ended', 'the game is over');
    const other = this.kept.seats.findIndex((seat) => seat.engine);
    const opinion = this.#opinion[other];
    const isGlad = other < 0 || (opinion != null && opinion < GLAD_OF_A_DRAW && this.kept.moves.length >= FIRST_DRAW);
    return isGlad
      ? this.#end({ winner: null, reason: 'draw agreed' })
      : refused('draw.declined', 'the engine plays on');
  }

  #playAgain() {
    if (!this.#outcome) return refused('rematch.early', 'the game is not over');
    const { kept } = this;
    if (!kept.successor) {
      const { game, ruleset, start, clock } = kept;
      const [first, second] = kept.seats;
      kept.successor = create({ game, ruleset, start, clock, seats: [second, first], moves: [], outcome: null });
      this.#rematch = [true, true];
      save(kept);
    }
    return this.#tellAll();
  }

  /** Keeps the game after a change; an engine that thinks about the position before is stopped. */
  #changed() {
    this.#turn += 1;
    this.#stopThinking();
    save(this.kept);
  }

  #stopThinking() {
    if (this.#thinking) this.#mover.cancel();
    this.#thinking = false;
  }

  /** Starts the engine whose turn it is, and watches the running clock. */
  #advance() {
    clearTimeout(this.#timer);
    if (this.#outcome) return;
    const { to_move: toMove } = this.#opened.position;
    const turn = this.#turn;
    const end = () => {
      if (turn === this.#turn && !this.#outcome) this.#end({ winner: 1 - toMove, reason: 'time' });
    };
    if (this.#since !== null) this.#timer = setTimeout(() => this.#inTurn(end), this.#left()[toMove] + 5);
    if (!this.#paused && this.#listeners.size) this.#askEngine();
  }

  #askEngine() {
    const { kept } = this;
    const side = this.#opened.position.to_move;
    const spec = kept.seats[side].engine;
    if (!spec || this.#thinking || this.#outcome) return;
    this.#thinking = true;
    const turn = this.#turn;
    const notBefore = performance.now() + (this.#engines ? this.#delay : 0);
    const { clock } = kept;
    const request = {
      ask: 'choose',
      line: lineOf(kept),
      spec,
      seed: crypto.getRandomValues(new Uint32Array(1))[0],
      clock: clock ? [Math.round(this.#left()[side]), clock.increment * 1000] : null,
      most: LONGEST_THOUGHT,
    };
    const think = async () => {
      const { done } = await this.#mover.think(kept, request);
      await new Promise((wait) => setTimeout(wait, Math.max(0, notBefore - performance.now())));
      // Its move is played as a person's is: a pause or a move taken back comes before it or after it.
      await this.#inTurn(async () => {
        if (turn !== this.#turn || !this.#thinking) return;
        this.#thinking = false;
        if (done) this.#opinion[side] = done.win_probability;
        const refusal = done ? await this.#play(done.move) : refused('engine.failed', '');
        if (refusal) this.#end({ winner: 1 - side, reason: 'engine failed' });
      });
    };
    think().catch((error) => {
      if (error instanceof Cancelled || turn !== this.#turn) return;
      this.#thinking = false;
      this.#end({ winner: 1 - side, reason: 'engine failed' });
    });
  }

  /** @param {any} message */
  #tell(message) {
    for (const listener of [...this.#listeners]) listener(structuredClone(message));
  }

  #tellAll() {
    this.#tell(this.snapshot());
    return null;
  }
}

/** The moves of a kept game. @param {Kept} kept */
export function lineOf({ game, ruleset, start, moves }) {
  return { game, ruleset, position: start, moves: moves.map((move) => move.text).join(' ') };
}

/**
 * Keeps a new game and returns its name.
 * @param {Pick<Kept, 'game' | 'ruleset' | 'start' | 'clock' | 'seats' | 'moves' | 'outcome'>} game
 */
export function create(game) {
  const id = newId();
  const created = Date.now();
  save({ ...game, id, created, updated: created, ending: null, successor: null });
  return id;
}
