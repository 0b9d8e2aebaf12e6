// The board editor: any position of any game, stone by stone. The game itself says whether there is such a position.

import { about as aboutGame, geometry, openLine, setUp } from './api.js';
import { Board } from './board/board.js';
import { stoneIcon } from './drawing.js';
import { announce, h, icon, replace, textButton, textLink, toastError } from './dom.js';
import { endingText, rulesetName, sideNames, sideWords, t, word } from './i18n.js';
import { newGame } from './new-game.js';
import { rename } from './router.js';
import { studyAddress } from './share.js';
import { layTable, listenForKeys, resultText, titleRow } from './table.js';

/** @typedef {import('./api.js').About} About */
/** @typedef {import('./api.js').Geometry} Geometry */
/** @typedef {import('./api.js').Line} Line */

/** @param {HTMLElement} place @param {string[]} rest @param {URLSearchParams} query */
export async function open(place, [game = ''], query) {
  const about = await aboutGame(game);
  const ruleset = query.get('ruleset') || undefined;
  const position = query.get('position') || undefined;
  const line = await openLine({ game, ruleset, position, moves: '' }).catch((error) => {
    toastError(error);
    return openLine({ game });
  });
  return new EditorView(place, about, await geometry(game, line.ruleset), line);
}

class EditorView {
  /** What a click puts on a cell: a stone of a side, or nothing; a second click takes it away. @type {string} */
  #brush = '0';
  /** @type {string[]} */ #stones = [];
  #toMove = 0;
  /** @type {[number, number][]} */ #counts = [];
  #asked = 0;
  /** The position that the stones make; null if there is none. @type {Line | null} */ #made = null;

  /** @param {HTMLElement} place @param {About} about @param {Geometry} shape @param {Line} line */
  constructor(place, about, shape, line) {
    this.about = about;
    this.shape = shape;
    this.line = line;
    document.title = `${about.title} · ${t('set_up')} · Quincunx`;
    const names = sideNames(about);
    // Every cell is a move of one cell, so that mouse, touch, loupe and keyboard work as in a game.
    this.board = new Board(shape, { play: ({ paths }) => this.#paint(paths[0][0]) });
    this.board.frame.classList.add('mine', 'editing');
    const radio = (
      /** @type {string} */ group,
      /** @type {string} */ value,
      /** @type {any[]} */ label,
      act = () => {},
    ) =>
      h(
        'label',
        { class: 'choice' },
        h('input', { type: 'radio', name: group, value, checked: group === 'brush' && value === '0', onchange: act }),
        h('span', {}, label),
      );
    const brushes = [
      ...names.map((name, side) => [String(side), stoneIcon(shape, side), name]),
      ['.', icon('close'), t('empty_cell')],
    ].map(([value, drawing, name]) =>
      radio('brush', String(value), [drawing, name], () => {
        this.#brush = String(value);
      }),
    );
    this.turns = names.map((name, side) =>
      radio('turn', String(side), [stoneIcon(shape, side), name], () => {
        this.#toMove = side;
        void this.#check();
      }),
    );
    this.numbers = shape.counts.map((name, at) =>
      names.map((side, index) => {
        const id = `count-${at}-${index}`;
        const input = h('input', {
          id,
          type: 'number',
          min: 0,
          max: 999,
          inputmode: 'numeric',
          oninput: () => {
            this.#counts[at][index] = Math.max(0, Math.min(999, Math.floor(Number(input.value)) || 0));
            void this.#check();
          },
        });
        return {
          input,
          field: h('div', { class: 'field' }, h('label', { for: id }, `${word(name, about.name)}: ${side}`), input),
        };
      }),
    );
    this.text = h('textarea', { id: 'position-text', rows: 3, spellcheck: 'false', autocapitalize: 'off' });
    this.verdict = h('p', { class: 'status', role: 'status' });
    this.study = textLink('study', t('nav_study'), '', { class: 'button primary' });
    this.play = textButton('play', t('play_from_here'), () => {
      if (this.#made) void newGame(about, { ruleset: line.ruleset, position: this.#made.start });
    });
    const group = (/** @type {string} */ label, /** @type {Element[]} */ choices) =>
      h('fieldset', { class: 'choices' }, h('legend', {}, label), h('div', { class: 'row' }, choices));
    const read = (/** @type {Event} */ event) => {
      event.preventDefault();
      openLine({ game: about.name, ruleset: line.ruleset, position: this.text.value.trim(), moves: '' }).then(
        (opened) => this.#take(opened),
        toastError,
      );
    };
    layTable(
      place,
      `${about.title}: ${t('set_up')}`,
      {
        board: [this.board.frame, this.board.confirmBar],
        state: [
          titleRow(about, line.ruleset),
          this.verdict,
          group(t('editor_put'), brushes),
          group(t('editor_turn'), this.turns),
          ...this.numbers.map((pair) =>
            h(
              'div',
              { class: 'counts' },
              pair.map(({ field }) => field),
            ),
          ),
          h('div', { class: 'actions' }, this.study, this.play),
          h(
            'div',
            { class: 'row' },
            textButton('trash', t('editor_clear'), () => this.#clear()),
            textButton('restart', t('editor_start'), () => void this.#restart()),
            textButton('flip', t('flip'), () => this.board.flip(!this.board.flipped)),
          ),
        ],
        moves: [],
        more: [
          h(
            'form',
            { class: 'panel', onsubmit: read },
            h('div', { class: 'field' }, h('label', { for: 'position-text' }, t('position_text')), this.text),
            h('div', { class: 'row' }, h('button', { class: 'button', type: 'submit' }, t('editor_read'))),
            about.rulesets.length > 1 ? this.#rulesets() : null,
          ),
        ],
      },
      null,
    );
    this.endKeys = listenForKeys(
      this.board,
      () => {},
      () => this.board.flip(!this.board.flipped),
    );
    this.#take(line);
  }

  close() {
    this.endKeys();
  }

  /** Links to the boards of the other rulesets. */
  #rulesets() {
    const others = this.about.rulesets.filter(({ name }) => name !== this.line.ruleset.split(',')[0]);
    return h(
      'p',
      { class: 'small' },
      `${t('variant')}: `,
      others.flatMap(({ name }, at) => [
        at ? ' · ' : '',
        h('a', { href: `/edit/${this.about.name}?ruleset=${name}` }, rulesetName(this.about.name, name)),
      ]),
    );
  }

  /** Takes over a position. @param {Line} opened */
  #take(opened) {
    const { plies, position } = opened;
    this.#stones = [...plies[0].stones];
    this.#toMove = position.to_move;
    this.#counts = this.shape.counts.map((name) => {
      const [first, second] = position.tallies.find((tally) => tally.name === name)?.values ?? [0, 0];
      return [first, second];
    });
    this.#showChoices();
    this.#show();
    this.#judged(opened);
  }

  /** Shows side to move and counts in their fields. */
  #showChoices() {
    for (const [side, turn] of this.turns.entries()) {
      const input = turn.querySelector('input');
      if (input) input.checked = side === this.#toMove;
    }
    for (const [at, pair] of this.numbers.entries())
      for (const [side, { input }] of pair.entries()) input.value = String(this.#counts[at][side]);
  }

  #show() {
    const choices = this.#stones.map((_, cell) => ({ text: this.shape.cells[cell].name, paths: [[cell]] }));
    this.board.show({ ply: { text: null, by: null, stones: this.#stones.join(''), marks: [] }, toMove: 0, choices });
  }

  /** @param {number} cell */
  #paint(cell) {
    this.#stones[cell] = this.#stones[cell] === this.#brush ? '.' : this.#brush;
    const stone = this.#stones[cell];
    const what = stone === '.' ? t('empty') : sideNames(this.about)[Number(stone)];
    announce(`${this.shape.cells[cell].name}: ${what}`);
    this.#show();
    void this.#check();
  }

  #clear() {
    this.#stones = this.#stones.map(() => '.');
    this.#counts = this.#counts.map(() => [0, 0]);
    this.#showChoices();
    this.#show();
    void this.#check();
  }

  async #restart() {
    const { game, ruleset } = this.line;
    try {
      this.#take(await openLine({ game, ruleset, moves: '' }));
    } catch (error) {
      toastError(error);
    }
  }

  /** Asks the game whether there is such a position. */
  async #check() {
    const asked = (this.#asked += 1);
    const { game, ruleset } = this.line;
    const wanted = { game, ruleset, stones: this.#stones.join(''), to_move: this.#toMove, counts: this.#counts };
    const answer = await setUp(wanted).catch((error) => /** @type {Error} */ (error));
    if (asked !== this.#asked) return;
    if (answer instanceof Error) {
      this.#made = null;
      replace(this.verdict, t('editor_wrong', { reason: answer.message }));
      this.verdict.classList.add('wrong');
      this.play.disabled = true;
      this.study.removeAttribute('href');
      this.study.setAttribute('aria-disabled', 'true');
    } else this.#judged(answer);
  }

  /** That a position is there, or a finished one, who won, and why. @param {Line['position']} position */
  #stateOf({ outcome, tallies }) {
    if (!outcome) return t('editor_fine');
    const { name, sides } = this.about;
    const result = outcome.winner === null ? t('drawn') : t('wins', sideWords(name, sides[outcome.winner]));
    return [t('editor_over'), ' ', ...resultText(result, endingText(this.about, outcome, tallies))];
  }

  /** @param {Line} made */
  #judged(made) {
    this.#asked += 1;
    this.#made = made;
    const { game, ruleset, start, position } = made;
    this.verdict.classList.remove('wrong');
    replace(this.verdict, this.#stateOf(position));
    this.text.value = start;
    this.play.disabled = Boolean(position.outcome);
    this.study.replaceWith(
      (this.study = textLink('study', t('nav_study'), studyAddress({ game, ruleset, position: start }), {
        class: 'button primary',
      })),
    );
    rename(studyAddress({ game, ruleset, position: start }).replace('/study/', '/edit/'));
  }
}
