// A board to study: any position, any move, branches, analysis, import and export.

import { about as aboutGame, geometry, openLine } from './api.js';
import { EvaluationBar, Lines, arrowsOf } from './analysis.js';
import { Board } from './board/board.js';
import { arrowOf, mainPath } from './board/selection.js';
import { connectToAnalyse } from './backend.js';
import { announce, h, replace, textButton, textLink, toast, toastError } from './dom.js';
import { Graph, judge, worst } from './graph.js';
import { endingText, refusal, sideNames, sideWords, t, word } from './i18n.js';
import { importPanel } from './import.js';
import { Annotation } from './annotation.js';
import { newGame } from './new-game.js';
import { go, here, rename } from './router.js';
import { Exercise } from './exercise.js';
import { ExplorerPanel } from './explorer.js';
import { ReviewPanel } from './review-panel.js';
import { seatOf } from './settings.js';
import { sharePanel } from './share.js';
import { chooseBoard } from './study-choice.js';
import { StudyTree } from './study-tree.js';
import { layTable, listenForKeys, passText, resultText, titleRow, typedForm } from './table.js';
import { TreeList } from './tree-list.js';
import { ancestors, fill, follow, lineThrough, movesTo, promote, remove, treeOf } from './tree.js';

/** @typedef {import('./api.js').Line} Line */
/** @typedef {import('./api.js').About} About */
/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./api.js').Ply} Ply */
/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('./tree.js').Node} Node */
/** A node whose move has been played. @typedef {Node & { ply: Ply }} Known */

/** @param {HTMLElement} place @param {string[]} rest @param {URLSearchParams} query */
export async function open(place, [game], query) {
  if (!game) return chooseBoard(place, query.get('text'));
  const about = await aboutGame(game);
  const get = (/** @type {string} */ name) => query.get(name) || undefined;
  let root = treeOf(get('moves') ?? '');
  const end = (/** @type {Node} */ from) => lineThrough(from).slice(-1)[0];
  const line = await openLine({
    game,
    ruleset: get('ruleset'),
    position: get('position'),
    moves: movesTo(end(root)).join(' '),
  }).catch((error) => {
    toast(error.message, 'error');
    root = treeOf('');
    return openLine({ game });
  });
  fill(end(root), line.plies);
  end(root).position = line.position;
  const shape = await geometry(game, line.ruleset);
  const ply = query.has('ply') ? Number(query.get('ply')) : line.plies.length - 1;
  const current = follow(root, ply, get('way') ?? '');
  return new StudyView(place, about, shape, line, current, { from: get('from'), review: query.has('review') });
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
  /** The nodes of the line under review. @type {Known[]} */ #reviewing = [];
  /** The node on the board when the review began. @type {Node | null} */ #reviewedFrom = null;

  /**
   * @param {HTMLElement} place @param {About} about @param {Geometry} shape @param {Line} line
   * @param {Node} current @param {{ from?: string, review: boolean }} options
   */
  constructor(place, about, shape, line, current, options) {
    this.about = about;
    this.shape = shape;
    document.title = `${about.title} · ${t('nav_study')} · Quincunx`;
    this.current = current;
    this.tree = new StudyTree(line, ancestors(current)[0]);
    this.board = new Board(shape, { play: (choice) => void this.#played(choice.text) });
    this.board.cancelFrom(place);
    this.board.frame.classList.add('mine');
    this.bar = new EvaluationBar(about.palette.stones, sideNames(about));
    this.lines = new Lines((moves) => void this.#follow(moves));
    this.moves = new TreeList((node) => this.#look(node));
    this.annotation = new Annotation({
      changed: () => this.#changed(),
      promote: (node) => {
        promote(node);
        this.#changed();
      },
      remove: (node) => this.#look(remove(node)),
    });
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
    this.explorer = new ExplorerPanel(about, (move) => void this.#follow([move]));
    this.status = h('p', { class: 'status' });
    this.tallies = h('p', { class: 'study-tallies muted' });
    this.branches = h('div', { class: 'branches' });
    this.verdict = h('p', { class: 'verdict small', role: 'status' });
    this.analyseButton = textButton('study', t('analyse'), () => this.#toggle(), 'primary');
    this.reviewButton = textButton('eye', t('review'), () => this.#review());
    this.share = sharePanel(() => ({
      line: this.tree.lineTo(this.current),
      position: this.current.position?.text ?? null,
      study: this.tree.shared(this.current, about, shape),
    }));
    const flip = () => this.board.flip(!this.board.flipped);
    const buttons = [
      this.analyseButton,
      this.reviewButton,
      textButton('flip', t('flip'), flip),
      options.from
        ? textLink('undo', t('back_to_game'), `/play/${options.from}`)
        : textButton('play', t('play_from_here'), () => this.#playFromHere()),
      textButton('board', t('set_up'), () => void go(this.tree.editAddress(this.current))),
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
          this.annotation.element,
          typedForm((move) => void this.#played(move)),
        ],
        more: [this.explorer.element, this.share, importPanel({ game: about.name, ruleset: line.ruleset })],
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
   * The line through the current node: its ancestors, itself, and its main continuation.
   * @returns {Known[]}
   */
  #path() {
    return /** @type {Known[]} */ (lineThrough(this.current));
  }

  #depth() {
    return ancestors(this.current).length - 1;
  }

  /** A move was judged, or a branch changed its place. */
  #changed() {
    this.#showMoves();
    this.share.refresh();
    this.#showAddress();
  }

  /** A move on the board: an answer, if there is something to find here. @param {string} text */
  async #played(text) {
    const step = this.exercise.isAsking ? this.#reviewing[this.exercise.ply - 1] : null;
    if (step && step === this.current) await this.exercise.answer(step, text);
    else await this.#follow([text]);
    if (step) void this.#refresh(false);
  }

  /** Puts what punishes a mistake into the tree, and shows its first move. @param {Node} mistake */
  async #refute(mistake) {
    this.#look(mistake);
    const [reply] = await this.tree.grow(mistake, (mistake.value?.pv ?? []).slice(0, 6));
    if (this.current === mistake) this.#look(reply);
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
    const line = this.tree.lineTo(before);
    this.#asked += 1;
    return new Promise((resolve) => {
      this.#checking = { id: this.#asked, ply: ancestors(before).length, resolve, by: before.position?.to_move ?? 0 };
      this.connection.send({ type: 'review', id: this.#asked, line: { ...line, moves: `${line.moves} ${move}` } });
    });
  }

  /** Plays moves here, and shows where they lead. @param {string[]} moves */
  async #follow(moves) {
    const from = this.current;
    const grown = await this.tree.grow(from, moves);
    if (grown.length < moves.length) void this.#refresh(false);
    if (this.current === from) this.#look(grown.at(-1));
  }

  /** @param {Node | undefined} node */
  #look(node) {
    if (!node || node === this.current) return;
    const forward = node.parent === this.current;
    this.current = node;
    void this.#refresh(forward);
    announce([node.text + node.glyph || t('start_position'), node.comment].filter(Boolean).join(' '));
  }

  // What is shown.

  /** @param {boolean} animate @returns {Promise<void>} */
  async #refresh(animate) {
    const node = this.current;
    if (!(await this.tree.open(node))) {
      if (node !== this.current) return undefined;
      // Its moves are not legal: back to the last one that is.
      this.current = ancestors(node).findLast((step) => step.ply) ?? this.tree.root;
      return this.#refresh(false);
    }
    const { ply } = node;
    if (node !== this.current || !ply) return undefined;
    this.#showMoves();
    let position = /** @type {Position | null | void} */ (node.position);
    if (position) this.#showPosition(ply, position, animate);
    else {
      this.board.show({ ply, before: node.parent?.ply?.stones }, { animate });
      position = await this.tree.positionOf(node).catch(toastError);
      if (!position || node !== this.current) return undefined;
      this.#showPosition(ply, position, false);
    }
    this.share.refresh();
    this.explorer.show(this.tree.lineTo(node), position, ply.stones);
    this.#showAddress();
    if (this.#analysing) this.#ask();
    else await this.#pointAtBetter(node);
    return undefined;
  }

  /** @param {Ply} ply @param {Position} position @param {boolean} animate */
  #showPosition(ply, position, animate) {
    const { to_move: toMove, choices, winning } = position;
    const before = this.current.parent?.ply?.stones;
    this.board.show({ ply, before, toMove, choices, winning }, { animate });
    this.#showStatus(position);
  }

  /** Points at the better move after a mistake. @param {Node} node */
  async #pointAtBetter(node) {
    const { parent } = node;
    if (!parent || !this.verdict.textContent) return;
    const before = await this.tree.positionOf(parent).catch(() => null);
    const better = before?.choices.find((choice) => choice.text === parent.value?.best);
    if (better && node === this.current && !this.#analysing) this.board.point([arrowOf(better, 'best')]);
  }

  #showMoves() {
    const path = this.#path();
    if (path.some((step) => !step.ply)) return;
    const judged = judge(path);
    const depth = this.#depth();
    // What a review found stays where it was found.
    const found = [path, this.#reviewing].flatMap((line) =>
      [...judge(line)].map(([ply, kind]) => /** @type {const} */ ([line[ply], kind])),
    );
    this.moves.show(this.current, new Map(found));
    this.annotation.show(this.current);
    const values = path.map((step) => step.value);
    if (!this.graph.element.hidden) this.graph.show(values, depth, judged);
    const tried = [...(this.current.parent?.children ?? []), ...this.current.children.slice(1)];
    const others = tried.filter((other) => other !== this.current);
    replace(
      this.branches,
      others.length ? h('span', { class: 'muted small' }, t('branches')) : null,
      others.map((other) =>
        h('button', { class: 'chip', type: 'button', onclick: () => this.#look(other) }, other.text + other.glyph),
      ),
    );
    this.reviewButton.hidden = path.length < 3;
    const wrong = judged.get(depth);
    const better = this.current.parent?.value?.best;
    this.verdict.textContent =
      wrong && better ? t('verdict', { move: this.current.text, judgement: t(wrong), better }) : '';
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
        passText(mover, () => void this.#follow([pass.text])),
      );
    else replace(this.status, t('to_move', mover));
    replace(
      this.tallies,
      position.tallies
        .map((tally) => `${word(tally.name, this.about.name)} ${tally.values[0]} – ${tally.values[1]}`)
        .join(' · '),
    );
  }

  #showAddress() {
    const from = here().query.get('from');
    rename(this.tree.address(this.current) + (from ? `&from=${encodeURIComponent(from)}` : ''));
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
    this.connection.send({
      type: 'analyse',
      id: this.#asked,
      lines: 3,
      seconds: 60,
      line: this.tree.lineTo(this.current),
    });
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
      line: this.tree.lineTo(this.#reviewing[this.#reviewing.length - 1]),
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
    const { ruleset, position, moves } = this.tree.lineTo(this.current);
    void newGame(this.about, { ruleset, position, moves });
  }

  /** @param {number} by */
  #step(by) {
    const path = this.#path();
    this.#look(path[Math.max(0, Math.min(path.length - 1, this.#depth() + by))]);
  }
}
