// A course: small steps, each with a position and something to do on it.

import { about as aboutGame, geometry, openLine } from './api.js';
import { Board } from './board/board.js';
import { announce, h, icon, replace, textButton } from './dom.js';
import { answerOf, replyTo, solves } from './goal.js';
import { sideWords, t } from './i18n.js';
import { chaptersOf, lessonsOf } from './lessons.js';
import { newGame } from './new-game.js';
import { keepLesson, progress } from './progress-record.js';
import { go } from './router.js';

/** @typedef {import('./lessons.js').Lesson} Lesson */
/** @typedef {import('./api.js').About} About */
/** @typedef {import('./api.js').Line} Line */

/** Milliseconds before a move is played for the learner, and between two of them. */
const PAUSE = { usual: 1500, quiet: 250 };

/** @param {HTMLElement} place @param {string[]} rest */
export async function open(place, [game = '', number = '']) {
  const about = await aboutGame(game);
  const lessons = await lessonsOf(game);
  const solved = progress().lessons[game] ?? [];
  const next = lessons.findIndex((_, index) => !solved.includes(index));
  const wanted = number ? Number(number) - 1 || 0 : Math.max(0, next);
  const index = Math.max(0, Math.min(lessons.length - 1, wanted));
  const lesson = lessons[index];
  if (!lesson) throw new Error('no such lesson');
  document.title = `${about.title}: ${t('learn')} · Quincunx`;
  const { ruleset, position } = lesson;
  const [shape, start] = await Promise.all([
    geometry(game, ruleset),
    openLine({ game, ruleset, position, moves: (lesson.show ?? []).join(' ') }),
  ]);
  new Step(place, about, lessons, index, new Set(solved), shape, start).begin();
}

/** One lesson on the page. */
class Step {
  #said = h('ol', { class: 'shown', hidden: true });
  #task = h('p', { class: 'task' });
  #turn = h('p', { class: 'muted small' });
  #answer = h('p', { class: 'answer', role: 'status' });
  #onward = h('div', { class: 'row' });
  /** The position of the step of the task that is asked for. @type {Line} */ #now;
  /** The number of moves made in the task. */ #made = 0;
  #isHelped = false;
  /** Counts what was begun, so that an earlier demonstration ends. */ #turnOf = 0;

  /**
   * @param {HTMLElement} place @param {About} about @param {Lesson[]} lessons @param {number} index
   * @param {Set<number>} solved @param {import('./api.js').Geometry} shape
   * @param {Line} start the position, and the moves that are shown on it
   */
  constructor(place, about, lessons, index, solved, shape, start) {
    this.place = place;
    this.about = about;
    this.lessons = lessons;
    this.index = index;
    this.lesson = lessons[index];
    this.shape = shape;
    this.start = start;
    this.#now = start;
    this.board = new Board(shape, { play: (choice) => void this.#tried(choice.text) });
    this.board.frame.classList.add('mine');
    this.board.cancelFrom(place);
    const { words } = this.lesson;
    const chapters = chaptersOf(lessons);
    const chapter = chapters.findLast(({ first }) => first <= index);
    place.append(
      h(
        'div',
        { class: 'table' },
        h('div', { class: 'board-column' }, this.board.frame, this.board.confirmBar),
        h(
          'div',
          { class: 'side-column' },
          h(
            'div',
            { class: 'panel state lesson' },
            h(
              'p',
              { class: 'muted' },
              h('a', { href: `/rules/${about.name}` }, about.title),
              ` · ${t('learn')} · ${chapter?.title ?? ''}`,
            ),
            h('h1', {}, words.title),
            this.#said,
            this.#task,
            this.#turn,
            this.#answer,
            this.#onward,
            h(
              'nav',
              { class: 'chapters', 'aria-label': t('learn') },
              chapters.map((one) => this.#dots(one, one === chapter, solved)),
            ),
          ),
        ),
      ),
    );
  }

  /** Shows what there is to show, and asks. */
  begin() {
    const shown = this.lesson.show ?? [];
    if (shown.length) void this.#demonstrate();
    else this.#ask();
  }

  /** Plays the moves that explain the lesson, one after the other, each with its words. */
  async #demonstrate() {
    const mine = ++this.#turnOf;
    const { plies } = this.start;
    replace(this.#said);
    this.#said.hidden = false;
    for (const part of [this.#task, this.#turn, this.#answer, this.#onward]) replace(part);
    this.board.show({ ply: plies[0] });
    const isQuiet = matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const [index, text] of (this.lesson.words.show ?? []).entries()) {
      await new Promise((resolve) => setTimeout(resolve, isQuiet ? PAUSE.quiet : PAUSE.usual));
      // Another lesson, or the same once more.
      if (mine !== this.#turnOf || !this.place.isConnected) return;
      const move = plies[index + 1];
      this.board.show({ ply: move, before: plies[index].stones }, { animate: true });
      this.#said.append(h('li', {}, h('b', {}, move.text ?? ''), ' ', text));
      announce(text);
    }
    this.#ask();
  }

  /** Waits for a move in the position that is reached. */
  #ask() {
    const { lesson, about } = this;
    const { to_move: toMove, choices } = this.#now.position;
    const { plies } = this.#now;
    const last = plies.length - 1;
    const marks = this.#made ? [] : (lesson.marks ?? []);
    this.board.show({
      ply: plies[last],
      before: plies[last - 1]?.stones,
      toMove,
      choices,
      arrows: marks.map((mark) => ({ path: this.#cells(mark), kind: /** @type {const} */ ('hint') })),
    });
    replace(this.#task, lesson.words.task);
    replace(this.#turn, t('to_move', sideWords(about.name, about.sides[toMove])));
    if (!this.#made) replace(this.#answer);
    const hint = textButton('hint', t('hint'), () => this.#hint());
    const again = textButton('again', t('lesson_watch_again'), () => {
      this.#made = 0;
      this.#now = this.start;
      void this.#demonstrate();
    });
    replace(this.#onward, hint, lesson.show?.length ? again : null);
  }

  /** @param {string} mark a cell by its name, or two with `>` between them @returns {number[]} */
  #cells(mark) {
    return mark.split('>').map((name) => this.shape.cells.findIndex((cell) => cell.name === name));
  }

  /** Says the hint and shows where the answer begins; then offers to play it. */
  #hint() {
    const answer = answerOf(this.lesson, this.#made);
    const choice = this.#now.position.choices.find((known) => known.text === answer);
    const path = choice?.paths[0]?.slice(0, 1) ?? [];
    this.board.point(path.length ? [{ path, kind: 'hint' }] : []);
    this.#say(this.lesson.words.hint, '');
    replace(
      this.#onward,
      textButton('play', t('exercise_show'), () => {
        this.#isHelped = true;
        void this.#tried(answer);
      }),
    );
  }

  /** @param {string} text @param {string} kind */
  #say(text, kind) {
    this.#answer.className = `answer ${kind}`;
    replace(this.#answer, text);
    announce(text);
  }

  /** @param {string} move */
  async #tried(move) {
    const { lesson, about } = this;
    const game = about.name;
    const { ruleset } = this.#now;
    const before = this.#now.position;
    const after = await openLine({ game, ruleset, position: before.text, moves: move });
    this.board.show(
      { ply: after.plies[1], before: after.plies[0].stones, winning: after.position.winning },
      { animate: true },
    );
    if (!solves(lesson.goal, before, after.position, move, this.#made)) {
      const known = (lesson.wrong ?? []).indexOf(move);
      const isKnown = known >= 0 && this.#made === 0;
      this.#say(isKnown ? (lesson.words.wrong ?? [])[known] : t('not_yet', { move }), 'wrong');
      const again = () => {
        replace(this.#answer);
        this.#ask();
      };
      replace(this.#onward, textButton('again', t('try_again'), again, 'primary'));
      return;
    }
    const reply = replyTo(lesson.goal, this.#made);
    if (reply !== undefined) return this.#answerWith(after, reply);
    if (!this.#isHelped) keepLesson(game, this.index);
    this.#say(lesson.words.done, 'right');
    replace(this.#turn);
    replace(this.#onward, this.#next());
    return undefined;
  }

  /** Plays the opponent's move, and asks for the next one. @param {Line} line @param {string} reply */
  async #answerWith(line, reply) {
    const { name: game, sides } = this.about;
    const mine = ++this.#turnOf;
    replace(this.#onward);
    const isQuiet = matchMedia('(prefers-reduced-motion: reduce)').matches;
    await new Promise((resolve) => setTimeout(resolve, isQuiet ? PAUSE.quiet : PAUSE.usual / 2));
    if (mine !== this.#turnOf || !this.place.isConnected) return;
    const { text: position, to_move: opponent } = line.position;
    this.#now = await openLine({ game, ruleset: line.ruleset, position, moves: reply });
    this.#made += 2;
    const { plies } = this.#now;
    this.board.show({ ply: plies[1], before: plies[0].stones }, { animate: true });
    this.#say(t('lesson_go_on', { move: reply, ...sideWords(game, sides[opponent]) }), '');
    this.#ask();
  }

  /** The button after a right answer: the next lesson, or a game after the last. */
  #next() {
    if (this.index === this.lessons.length - 1)
      return textButton('play', t('play'), () => void newGame(this.about), 'primary');
    const goOn = () => void go(`/learn/${this.about.name}/${this.index + 2}`);
    return h(
      'button',
      { class: 'button primary', type: 'button', onclick: goOn },
      h('span', {}, t('next_lesson')),
      icon('next'),
    );
  }

  /**
   * The lessons of a chapter by their numbers.
   * @param {import('./lessons.js').Chapter} chapter @param {boolean} isOpen @param {Set<number>} solved
   */
  #dots({ title, first, lessons }, isOpen, solved) {
    return h(
      'section',
      { class: isOpen ? 'chapter open' : 'chapter' },
      h('h2', {}, title),
      h(
        'ol',
        { class: 'dots' },
        lessons.map((lesson, at) => {
          const index = first + at;
          const isSolved = solved.has(index);
          const name = `${t('lesson_number', { number: index + 1 })}: ${lesson.words.title}`;
          return h(
            'li',
            {},
            h(
              'a',
              {
                href: `/learn/${this.about.name}/${index + 1}`,
                class: isSolved ? 'solved' : null,
                'aria-current': index === this.index ? 'step' : null,
                'aria-label': isSolved ? `${name}, ${t('lesson_solved')}` : name,
                title: lesson.words.title,
              },
              index + 1,
            ),
          );
        }),
      ),
    );
  }
}
