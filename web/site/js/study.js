// A board to study: any position, any move, branches, analysis, import and export.

import { about as aboutGame, catalogue, geometry, openLine } from './api.js';
import { EvaluationBar, Lines, arrowsOf } from './analysis.js';
import { Board } from './board/board.js';
import { mainPath } from './board/selection.js';
import { connectToAnalyse } from './backend.js';
import { announce, h, replace, textButton, textLink, toast, toastError } from './dom.js';
import { Graph, judge, worst } from './graph.js';
import { sampleBoard } from './home.js';
import { endingText, refusal, sideNames, sideWords, t, word } from './i18n.js';
import { addressOf, importPanel } from './import.js';
import { MoveList } from './moves.js';
import { newGame } from './new-game.js';
import { go, here, rename } from './router.js';
import { Exercise } from './exercise.js';
import { ReviewPanel } from './review-panel.js';
import { seatOf } from './settings.js';
import { sharePanel, studyAddress } from './share.js';
import { layTable, listenForKeys, passText, resultText, titleRow, typedForm } from './table.js';

/** @typedef {import('./api.js').Line} Line */
/** @typedef {import('./api.js').About} About */
/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./api.js').Ply} Ply */
/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('./graph.js').Value} Value */
/**
 * A position in the tree of what was tried.
 * @typedef {{ ply: Ply, parent: Node | null, children: Node[], position: Position | null, value: Value }} Node
 */

/** @param {HTMLElement} place @param {string[]} rest @param {URLSearchParams} query */
export async function open(place, [game], query) {
  if (!game) {
    const { games } = await catalogue();
    const text = query.get('text');
    if (text) {
      const address = await addressOf(
        games.map((known) => known.name),
        text,
      );
      if (address) return void (await go(address, { replace: true }));
      toast(t('import_unknown'), 'error');
    }
    document.title = `${t('nav_study')} · Quincunx`;
    place.append(
      h('div', { class: 'prose' }, h('h1', {}, t('nav_study')), h('p', {}, t('study_which'))),
      h(
        'nav',
        { class: 'boards', 'aria-label': t('nav_study') },
        games.map((known) => h('a', { href: `/study/${known.name}` }, sampleBoard(known), h('span', {}, known.title))),
      ),
    );
    return undefined;
  }
  const about = await aboutGame(game);
  const get = (/** @type {string} */ name) => query.get(name) || undefined;
  const line = await openLine({
    game,
    ruleset: get('ruleset'),
    position: get('position'),
    moves: get('moves') ?? '',
  }).catch((error) => {
    toast(error.message, 'error');
    return openLine({ game });
  });
  const shape = await geometry(game, line.ruleset);
  const ply = query.has('ply') ? Number(query.get('ply')) : line.plies.length - 1;
  return new StudyView(place, about, shape, line, { ply, from: get('from'), review: query.has('review') });
}

class StudyView {
  #analysing = false;
  #asked = 0;
  /**
   * A move that is being looked at for an exercise.
   * @type {{ id: number, ply: number, by: number, resolve: (chance: number) => void } | null}
   */
  #checking = null;
  #reviewed = 0;
  /** The nodes of the line under review. @type {Node[]} */ #reviewing = [];
  /** The node on the board when the review began. @type {Node | null} */ #reviewedFrom = null;

  /**
   * @param {HTMLElement} place @param {About} about @param {Geometry} shape @param {Line} line
   * @param {{ ply: number, from?: string, review: boolean }} options
   */
  constructor(place, about, shape, line, options) {
    this.about = about;
    this.line = line;
    document.title = `${about.title} · ${t('nav_study')} · Quincunx`;
    this.current = tree(line);
    for (let count = 0; count < options.ply && this.current.children.length; count += 1)
      this.current = this.current.children[0];
    this.board = new Board(shape, { play: (choice) => void this.#played(choice.text) });
    this.board.cancelFrom(place);
    this.board.frame.classList.add('mine');
    this.bar = new EvaluationBar(about.palette.stones, sideNames(about));
    this.lines = new Lines((moves) => void this.#follow(moves));
    this.moves = new MoveList((ply) => this.#look(this.#path()[ply]));
    this.graph = new Graph(about, (ply) => this.#look(this.#path()[ply]));
    this.lines.element.hidden = this.graph.element.hidden = true;
    this.review = new ReviewPanel(about, {
      look: (ply) => this.#look(this.#reviewing[ply]),
      refute: (ply) => void this.#refute(this.#reviewing[ply]),
      practise: (mistakes) => this.#practise(mistakes),
    });
    this.exercise = new Exercise({
      show: (ply) => this.#look(this.#reviewing[ply]),
      check: (before, move) => this.#worthOf(before, move),
    });
    this.status = h('p', { class: 'status' });
    this.tallies = h('p', { class: 'study-tallies muted' });
    this.branches = h('div', { class: 'branches' });
    this.verdict = h('p', { class: 'verdict small', role: 'status' });
    this.analyseButton = textButton('study', t('analyse'), () => this.#toggle(), 'primary');
    this.reviewButton = textButton('eye', t('review'), () => this.#review());
    this.share = sharePanel(() => ({
      line: this.#lineTo(this.current),
      position: this.current.position?.text ?? null,
    }));
    const flip = () => this.board.flip(!this.board.flipped);
    const buttons = [
      this.analyseButton,
      this.reviewButton,
      textButton('flip', t('flip'), flip),
      options.from
        ? textLink('undo', t('back_to_game'), `/play/${options.from}`)
        : textButton('play', t('play_from_here'), () => this.#playFromHere()),
    ];
    const step = (/** @type {number} */ by) => this.#step(by);
    layTable(
      place,
      `${about.title}: ${t('nav_study')}`,
      {
        board: [h('div', { class: 'with-bar' }, this.bar.element, this.board.frame), this.board.confirmBar],
        state: [
          titleRow(about, line.ruleset),
          h('div', {}, this.status, this.tallies),
          h('div', { class: 'actions' }, buttons),
          this.lines.element,
        ],
        moves: [
          this.graph.element,
          this.verdict,
          this.exercise.element,
          this.review.element,
          this.moves.element,
          this.branches,
          typedForm((move) => void this.#played(move)),
        ],
        more: [this.share, importPanel({ game: about.name, ruleset: line.ruleset })],
      },
      step,
    );
    this.endKeys = listenForKeys(this.board, step, flip);
    this.connection = connectToAnalyse({
      open: () => {
        if (this.#analysing) this.#ask();
        else if (options.review && !this.#reviewed) this.#review();
      },
      message: (message) => this.#receive(message),
      state: () => {},
    });
    void this.#refresh(false);
  }

  close() {
    this.connection.close();
    this.endKeys();
  }

  // The tree of what was tried.

  /**
   * The line through the current node: its ancestors, itself, and the continuation that was looked at last.
   * @returns {Node[]}
   */
  #path() {
    const path = ancestors(this.current);
    for (let node = this.current; node.children.length;) {
      node = node.children[0];
      path.push(node);
    }
    return path;
  }

  #depth() {
    return ancestors(this.current).length - 1;
  }

  /** @param {Node} node */
  #lineTo(node) {
    const moves = ancestors(node)
      .slice(1)
      .map((step) => step.ply.text ?? '');
    return { game: this.line.game, ruleset: this.line.ruleset, position: this.line.start, moves: moves.join(' ') };
  }

  /** A move on the board: an answer, if there is something to find here. @param {string} text */
  async #played(text) {
    const step = this.exercise.isAsking ? this.#reviewing[this.exercise.ply - 1] : null;
    if (step && step === this.current) await this.exercise.answer(step, text);
    else await this.#try(text);
    if (step) void this.#refresh(false);
  }

  /** Shows what punishes a mistake. @param {Node} mistake */
  async #refute(mistake) {
    this.#look(mistake);
    await this.#follow((mistake.value?.pv ?? []).slice(0, 6));
  }

  /** Makes an exercise of every mistake. @param {import('./review.js').Mistake[]} mistakes */
  #practise(mistakes) {
    this.exercise.begin(mistakes, this.#reviewing);
  }

  /**
   * The chance of the mover after another move.
   * @param {Node} before @param {string} move @returns {Promise<number>}
   */
  #worthOf(before, move) {
    const line = this.#lineTo(before);
    this.#asked += 1;
    return new Promise((resolve) => {
      this.#checking = { id: this.#asked, ply: ancestors(before).length, resolve, by: before.position?.to_move ?? 0 };
      this.connection.send({ type: 'review', id: this.#asked, line: { ...line, moves: `${line.moves} ${move}` } });
    });
  }

  /** Plays a move here: goes to its branch if it was tried before, otherwise begins one. @param {string} text */
  async #try(text) {
    const parent = this.current;
    const known = parent.children.find((child) => child.ply.text === text);
    if (known) {
      this.#look(known);
      return true;
    }
    const line = this.#lineTo(parent);
    try {
      const opened = await openLine({ ...line, moves: `${line.moves} ${text}` });
      const ply = opened.plies[opened.plies.length - 1];
      let child = parent.children.find((other) => other.ply.text === ply.text);
      if (!child) {
        child = { ply, parent, children: [], position: opened.position, value: null };
        parent.children.push(child);
      }
      if (this.current === parent) this.#look(child);
      return true;
    } catch (error) {
      toastError(error);
      void this.#refresh(false);
      return false;
    }
  }

  /** @param {string[]} moves */
  async #follow(moves) {
    for (const move of moves) if (!(await this.#try(move))) return;
  }

  /** @param {Node | undefined} node */
  #look(node) {
    if (!node || node === this.current) return;
    const forward = node.parent === this.current;
    // From now on the way forward from the parent leads here.
    node.parent?.children.sort((a, b) => Number(b === node) - Number(a === node));
    this.current = node;
    void this.#refresh(forward);
    announce(node.ply.text ?? t('start_position'));
  }

  // What is shown.

  /** @param {boolean} animate */
  async #refresh(animate) {
    const node = this.current;
    this.#showMoves();
    if (node.position) this.#showPosition(node.ply, node.position, animate);
    else {
      this.board.show({ ply: node.ply, before: node.parent?.ply.stones }, { animate });
      node.position = (await openLine(this.#lineTo(node))).position;
      if (node !== this.current) return;
      this.#showPosition(node.ply, node.position, false);
    }
    this.share.refresh();
    this.#showAddress();
    if (this.#analysing) this.#ask();
    else await this.#pointAtBetter(node);
  }

  /** @param {Ply} ply @param {Position} position @param {boolean} animate */
  #showPosition(ply, position, animate) {
    const { to_move: toMove, choices, winning } = position;
    const before = this.current.parent?.ply.stones;
    this.board.show({ ply, before, toMove, choices, winning }, { animate });
    this.#showStatus(position);
  }

  /** Points at the better move after a mistake. @param {Node} node */
  async #pointAtBetter(node) {
    const { parent } = node;
    if (!parent || !this.verdict.textContent) return;
    parent.position ??= (await openLine(this.#lineTo(parent))).position;
    const better = parent.position.choices.find((choice) => choice.text === parent.value?.best);
    if (better && node === this.current && !this.#analysing)
      this.board.point([{ path: mainPath(better), kind: 'best' }]);
  }

  #showMoves() {
    const path = this.#path();
    const judged = judge(path);
    const depth = this.#depth();
    const plies = path.map((step) => step.ply);
    this.moves.show(plies, depth, judged);
    const values = path.map((step) => step.value);
    if (!this.graph.element.hidden) this.graph.show(values, depth, judged);
    const tried = [...(this.current.parent?.children ?? []), ...this.current.children.slice(1)];
    const others = tried.filter((other) => other !== this.current);
    replace(
      this.branches,
      others.length ? h('span', { class: 'muted small' }, t('branches')) : null,
      others.map((other) =>
        h('button', { class: 'chip', type: 'button', onclick: () => this.#look(other) }, other.ply.text),
      ),
    );
    this.reviewButton.hidden = path.length < 3;
    const wrong = judged.get(depth);
    const better = this.current.parent?.value?.best;
    this.verdict.textContent =
      wrong && better ? t('verdict', { move: this.current.ply.text ?? '', judgement: t(wrong), better }) : '';
  }

  /** @param {Position} position */
  #showStatus(position) {
    const { outcome, choices } = position;
    const side = (/** @type {number} */ index) => sideWords(this.about.name, this.about.sides[index]);
    const mover = side(position.to_move);
    const pass = choices.length === 1 && !mainPath(choices[0]).length ? choices[0] : null;
    if (outcome) {
      const result = outcome.winner === null ? t('drawn') : t('wins', side(outcome.winner));
      replace(this.status, resultText(result, endingText(this.about, outcome, position.tallies)));
    } else if (pass)
      replace(
        this.status,
        passText(mover, () => void this.#try(pass.text)),
      );
    else replace(this.status, t('to_move', mover));
    replace(
      this.tallies,
      position.tallies
        .map((tally) => `${word(tally.name, this.about.name)} ${tally.values[0]} – ${tally.values[1]}`)
        .join(' · '),
    );
  }

  /** Every position has an address. */
  #showAddress() {
    const path = this.#path();
    const address = studyAddress(this.#lineTo(path[path.length - 1]));
    const from = here().query.get('from');
    const more =
      (this.#depth() === path.length - 1 ? '' : `&ply=${this.#depth()}`) +
      (from ? `&from=${encodeURIComponent(from)}` : '');
    rename(address + more);
  }

  // Analysis.

  #toggle() {
    this.#analysing = !this.#analysing;
    this.bar.toggle(this.#analysing);
    this.lines.element.hidden = !this.#analysing;
    const label = this.analyseButton.querySelector('span');
    if (label) label.textContent = this.#analysing ? t('stop') : t('analyse');
    this.analyseButton.classList.toggle('running', this.#analysing);
    if (this.#analysing) this.#ask();
    else {
      this.connection.send({ type: 'stop' });
      this.board.point([]);
    }
  }

  #ask() {
    const { position } = this.current;
    this.#asked += 1;
    this.lines.clear();
    if (!position || position.outcome) {
      this.connection.send({ type: 'stop' });
      if (position?.outcome) this.bar.show(position.outcome.winner === null ? 0.5 : 1 - position.outcome.winner);
      this.lines.summary.textContent = '';
      return;
    }
    this.connection.send({ type: 'analyse', id: this.#asked, lines: 3, seconds: 60, line: this.#lineTo(this.current) });
  }

  #review() {
    if (this.#analysing) this.#toggle();
    this.#reviewing = this.#path();
    this.#reviewedFrom = this.current;
    this.#asked += 1;
    this.graph.element.hidden = false;
    this.reviewButton.disabled = true;
    this.connection.send({
      type: 'review',
      id: this.#asked,
      line: this.#lineTo(this.#reviewing[this.#reviewing.length - 1]),
    });
  }

  /** Goes to the worst mistake, unless the person has gone to another position. */
  #reviewEnded() {
    const ply = worst(this.#reviewing);
    if (ply !== null && this.current === this.#reviewedFrom) this.#look(this.#reviewing[ply]);
    this.review.show(this.#reviewing, seatOf(here().query.get('from') ?? '')?.sides);
    announce(`${t('review_done')} ${this.verdict.textContent}`);
  }

  /** @param {import('./connection.js').Message} message */
  #receive(message) {
    if (message.type === 'error') {
      toast(refusal(message), 'error');
      this.reviewButton.disabled = false;
    }
    if (message.type === 'review') this.reviewButton.disabled = !message.done && message.id === this.#asked;
    if (!('id' in message) || message.id !== this.#asked) return;
    if (message.type === 'review' && message.id === this.#checking?.id) {
      const { ply, by, resolve } = this.#checking;
      if (message.ply === ply && message.value) resolve(by === 0 ? message.value.first : 1 - message.value.first);
      return;
    }
    if (message.type === 'analysis' && this.#analysing && this.current.position) {
      const { position } = this.current;
      this.lines.show(message, position.to_move, this.about);
      this.board.point(arrowsOf(message, position));
      const chance = message.lines[0]?.win_probability ?? 0.5;
      this.bar.show(position.to_move === 0 ? chance : 1 - chance);
    } else if (message.type === 'review') {
      const node = this.#reviewing[message.ply];
      if (node) node.value = message.value;
      this.#reviewed += 1;
      this.#showMoves();
      if (message.done) this.#reviewEnded();
    }
  }

  #playFromHere() {
    const { ruleset, position, moves } = this.#lineTo(this.current);
    void newGame(this.about, { ruleset, position, moves });
  }

  /** @param {number} by */
  #step(by) {
    const path = this.#path();
    this.#look(path[Math.max(0, Math.min(path.length - 1, this.#depth() + by))]);
  }
}

/** The tree of one line: its root. @param {Line} line @returns {Node} */
function tree(line) {
  const [start, ...rest] = line.plies;
  /** @type {Node} */
  const root = { ply: start, parent: null, children: [], position: null, value: null };
  let last = root;
  for (const ply of rest) {
    /** @type {Node} */
    const node = { ply, parent: last, children: [], position: null, value: null };
    last.children.push(node);
    last = node;
  }
  last.position = line.position;
  return root;
}

/** From the root to a node. @param {Node} node */
function ancestors(node) {
  const path = [];
  for (let step = /** @type {Node | null} */ (node); step; step = step.parent) path.unshift(step);
  return path;
}
