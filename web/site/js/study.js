// A board to think at: any position, any move, branches, analysis, import and export.

import { about as aboutGame, catalogue, geometry, openLine } from './api.js';
import { EvaluationBar, Lines, arrowsOf } from './analysis.js';
import { Board } from './board.js';
import { Connection } from './connection.js';
import { announce, h, icon, iconButton, replace, toast } from './dom.js';
import { Graph, judge, worst } from './graph.js';
import { sampleBoard } from './home.js';
import { refusal, rulesetName, t, word } from './i18n.js';
import { importPanel } from './import.js';
import { MoveList } from './moves.js';
import { newGame } from './new-game.js';
import { sharePanel, studyAddress } from './share.js';

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
  #reviewed = 0;
  /** The nodes a review speaks of. @type {Node[]} */ #reviewing = [];
  /** What was looked at when it began. @type {Node | null} */ #reviewedFrom = null;

  /**
   * @param {HTMLElement} place @param {About} about @param {Geometry} shape @param {Line} line @param {{ ply: number,
   * from?: string, review: boolean }} options
   */
  constructor(place, about, shape, line, options) {
    this.about = about;
    this.line = line;
    document.title = `${about.title} · ${t('nav_study')} · Quincunx`;
    this.current = tree(line);
    for (let count = 0; count < options.ply && this.current.children.length; count += 1)
      this.current = this.current.children[0];
    this.board = new Board(shape, {
      label: t('board_of', { game: about.title }),
      play: (choice) => void this.#try(choice.text),
      pending: (choice) => this.#pending(choice),
      sideName: (side) => word(about.sides[side]),
    });
    this.board.cancelFrom(place);
    this.board.frame.classList.add('mine');
    this.bar = new EvaluationBar(about.palette.stones, about.sides);
    this.lines = new Lines((moves) => void this.#follow(moves));
    this.moves = new MoveList((ply) => this.#look(this.#path()[ply]));
    this.graph = new Graph(about.sides, (ply) => this.#look(this.#path()[ply]));
    this.bar.element.hidden = this.lines.element.hidden = this.graph.element.hidden = true;
    this.status = h('p', { class: 'status' });
    this.tallies = h('p', { class: 'study-tallies muted' });
    this.branches = h('div', { class: 'branches' });
    this.verdict = h('p', { class: 'verdict small', role: 'status' });
    this.confirmBar = h('div', { class: 'confirm', hidden: true });
    this.analyseButton = iconButton('study', t('analyse'), () => this.#toggle(), { quiet: false, class: 'primary' });
    this.analyseButton.setAttribute('aria-pressed', 'false');
    this.reviewButton = iconButton('eye', t('review'), () => this.#review(), { quiet: false });
    this.share = sharePanel(() => ({
      line: this.#lineTo(this.current),
      position: this.current.position?.text ?? null,
    }));
    const back = options.from
      ? h('a', { class: 'button', href: `/play/${options.from}` }, icon('undo'), h('span', {}, t('back_to_game')))
      : iconButton('play', t('play_from_here'), () => this.#playFromHere(), { quiet: false });
    place.append(
      h('h1', { class: 'hidden' }, `${about.title}: ${t('nav_study')}`),
      h(
        'div',
        { class: 'table' },
        h(
          'div',
          { class: 'board-column' },
          h('div', { class: 'with-bar' }, this.bar.element, this.board.frame),
          this.confirmBar,
        ),
        h(
          'div',
          { class: 'side-column' },
          h(
            'div',
            { class: 'panel state' },
            h(
              'div',
              { class: 'title-row' },
              h('a', { class: 'title', href: `/rules/${about.name}` }, about.title),
              h('span', { class: 'muted' }, rulesetName(about.name, line.ruleset)),
            ),
            h('div', {}, this.status, this.tallies),
            h(
              'div',
              { class: 'actions' },
              this.analyseButton,
              this.reviewButton,
              iconButton('flip', t('flip'), () => this.board.flip(!this.board.flipped), { quiet: false }),
              back,
            ),
            this.lines.element,
          ),
          h(
            'div',
            { class: 'panel moves-panel' },
            h('div', { class: 'title-row' }, h('h2', {}, t('moves')), this.#steppers()),
            this.graph.element,
            this.verdict,
            this.moves.element,
            this.branches,
            this.#typedForm(),
          ),
          this.share,
          importPanel({ game: about.name, ruleset: line.ruleset }),
        ),
      ),
    );
    this.keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);
    document.addEventListener('keydown', this.keys);
    this.connection = new Connection({
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
    document.removeEventListener('keydown', this.keys);
  }

  // The tree of what was tried.

  /**
   * The line through the current node: its ancestors, itself, and the first that was tried behind it.
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

  /** Plays a move here: goes on where it was tried before, else begins a branch. @param {string} text */
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
      toast(error instanceof Error ? error.message : String(error), 'error');
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
    // What is looked at is the way on from its parent, from now on.
    node.parent?.children.sort((a, b) => Number(b === node) - Number(a === node));
    this.current = node;
    void this.#refresh(forward);
    announce(node.ply.text ?? t('start_position'));
  }

  // What is seen.

  /** @param {boolean} animate */
  async #refresh(animate) {
    const node = this.current;
    this.board.allow([]);
    this.board.point([]);
    this.board.show(node.ply, { animate, winning: node.position?.winning });
    this.#showMoves();
    node.position ??= (await openLine(this.#lineTo(node))).position;
    if (node !== this.current) return;
    const { position } = node;
    this.board.toMove = position.to_move;
    this.board.allow(position.choices);
    this.#showStatus(position);
    this.share.refresh();
    this.#showAddress();
    if (this.#analysing) this.#ask();
    else await this.#pointAtBetter(node);
  }

  /** Where a mistake was made, shows what would have been better. @param {Node} node */
  async #pointAtBetter(node) {
    const { parent } = node;
    if (!parent || !this.verdict.textContent) return;
    parent.position ??= (await openLine(this.#lineTo(parent))).position;
    const better = parent.position.choices.find((choice) => choice.text === parent.value?.best);
    if (better?.path.length && node === this.current && !this.#analysing)
      this.board.point([{ path: better.path, kind: 'best' }]);
  }

  #showMoves() {
    const path = this.#path();
    const judged = judge(path);
    this.moves.show(
      path.map((step) => step.ply),
      this.#depth(),
      judged,
    );
    if (!this.graph.element.hidden)
      this.graph.show(
        path.map((step) => step.value),
        this.#depth(),
        judged,
      );
    const others = [...(this.current.parent?.children ?? []), ...this.current.children.slice(1)].filter(
      (other) => other !== this.current,
    );
    replace(
      this.branches,
      others.length ? h('span', { class: 'muted small' }, t('branches')) : null,
      others.map((other) =>
        h('button', { class: 'chip', type: 'button', onclick: () => this.#look(other) }, other.ply.text),
      ),
    );
    this.reviewButton.hidden = path.length < 3;
    const wrong = judged.get(this.#depth());
    const better = this.current.parent?.value?.best;
    this.verdict.textContent =
      wrong && better ? t('verdict', { move: this.current.ply.text ?? '', judgement: t(wrong), better }) : '';
  }

  /** @param {Position} position */
  #showStatus(position) {
    const { outcome, choices } = position;
    const mover = word(this.about.sides[position.to_move]);
    const pass = choices.length === 1 && !choices[0].path.length ? choices[0] : null;
    if (outcome)
      replace(
        this.status,
        h(
          'strong',
          {},
          outcome.winner === null ? t('drawn') : t('wins', { side: word(this.about.sides[outcome.winner]) }),
        ),
        ' ',
        h('span', { class: 'muted' }, word(outcome.reason)),
      );
    else if (pass)
      replace(
        this.status,
        t('passes', { side: mover }),
        ' ',
        h('button', { class: 'button', type: 'button', onclick: () => void this.#try(pass.text) }, t('play_move')),
      );
    else replace(this.status, t('to_move', { side: mover }));
    replace(
      this.tallies,
      position.tallies.map((tally) => `${word(tally.name)} ${tally.values[0]} – ${tally.values[1]}`).join(' · '),
    );
  }

  /** Every position has an address. */
  #showAddress() {
    const path = this.#path();
    const address = studyAddress(this.#lineTo(path[path.length - 1]));
    const from = new URLSearchParams(location.search).get('from');
    const more =
      (this.#depth() === path.length - 1 ? '' : `&ply=${this.#depth()}`) +
      (from ? `&from=${encodeURIComponent(from)}` : '');
    history.replaceState(null, '', address + more);
  }

  // Analysis.

  #toggle() {
    this.#analysing = !this.#analysing;
    this.bar.element.hidden = this.lines.element.hidden = !this.#analysing;
    this.analyseButton.setAttribute('aria-pressed', String(this.#analysing));
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

  /** Goes to the worst mistake, unless somebody is looking at another position already. */
  #reviewEnded() {
    const ply = worst(this.#reviewing);
    if (ply !== null && this.current === this.#reviewedFrom) this.#look(this.#reviewing[ply]);
    announce(`${t('review_done')} ${this.verdict.textContent}`);
  }

  /** @param {any} message */
  #receive(message) {
    if (message.type === 'error') {
      toast(refusal(message), 'error');
      this.reviewButton.disabled = false;
    }
    if (message.type === 'review') this.reviewButton.disabled = !message.done && message.id === this.#asked;
    if (message.id !== this.#asked) return;
    if (message.type === 'analysis' && this.#analysing && this.current.position) {
      const { position } = this.current;
      this.lines.show(message, position.to_move, this.about.sides);
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

  // Around the board.

  /** @param {import('./api.js').Choice | null} choice */
  #pending(choice) {
    this.confirmBar.hidden = !choice;
    if (choice)
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

  #playFromHere() {
    const { ruleset, position, moves } = this.#lineTo(this.current);
    void newGame(this.about, { ruleset, position, moves });
  }

  /** @param {number} by */
  #step(by) {
    const path = this.#path();
    this.#look(path[Math.max(0, Math.min(path.length - 1, this.#depth() + by))]);
  }

  #steppers() {
    return h(
      'div',
      { class: 'steppers' },
      iconButton('first', t('step_first'), () => this.#step(-Infinity)),
      iconButton('previous', t('step_back'), () => this.#step(-1)),
      iconButton('next', t('step_on'), () => this.#step(1)),
      iconButton('last', t('step_last'), () => this.#step(Infinity)),
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.altKey || event.ctrlKey || event.metaKey || target?.closest('input, select, textarea, dialog, summary'))
      return;
    const onBoard = this.board.element.contains(target) && !event.shiftKey;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (event.key in steps && !(onBoard && event.key.startsWith('Arrow'))) this.#step(steps[event.key]);
    else if (event.key === 'Escape') this.board.cancel();
    else if (event.key === 'f') this.board.flip(!this.board.flipped);
    else return;
    event.preventDefault();
  }

  #typedForm() {
    const input = h('input', {
      id: 'typed',
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
          const text = input.value.trim();
          input.value = '';
          if (text) void this.#try(text);
        },
      },
      input,
      h('button', { class: 'button', type: 'submit' }, t('play_move')),
    );
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
