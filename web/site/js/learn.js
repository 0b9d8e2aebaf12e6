// A first game: a few positions to solve.

import { about as aboutGame, geometry, openLine } from './api.js';
import { Board } from './board/board.js';
import { contentOf } from './content.js';
import { announce, h, icon, replace, textButton } from './dom.js';
import { solves } from './goal.js';
import { sideWords, t } from './i18n.js';
import { newGame } from './new-game.js';
import { keepLesson } from './progress-record.js';
import { go } from './router.js';

/** @param {HTMLElement} place @param {string[]} rest */
export async function open(place, [game = '', number = '1']) {
  const about = await aboutGame(game);
  const { lessons, words } = contentOf(game);
  const index = Math.max(0, Math.min(lessons.length - 1, Number(number) - 1 || 0));
  const lesson = lessons[index];
  if (!lesson) throw new Error('no such lesson');
  document.title = `${about.title}: ${t('learn')} · Quincunx`;
  const text = words.lessons[index];
  const { goal, ...line } = lesson;
  const [shape, opened] = await Promise.all([geometry(game, line.ruleset), openLine({ game, ...line })]);

  const answer = h('p', { class: 'answer', role: 'status' });
  const onward = h('div', { class: 'row' });
  const board = new Board(shape, { play: (choice) => void tried(choice.text) });
  board.frame.classList.add('mine');
  board.cancelFrom(place);
  const reset = () => {
    const { to_move: toMove, choices } = opened.position;
    board.show({ ply: opened.plies[opened.plies.length - 1], toMove, choices });
  };

  /** @param {string} move */
  async function tried(move) {
    const after = await openLine({ game, ruleset: opened.ruleset, position: opened.position.text, moves: move });
    const before = opened.plies[opened.plies.length - 1].stones;
    const { winning } = after.position;
    board.show({ ply: after.plies[after.plies.length - 1], before, winning }, { animate: true });
    const right = solves(goal, opened.position, after.position, move);
    if (right) keepLesson(game, index);
    answer.className = `answer ${right ? 'right' : 'wrong'}`;
    replace(answer, right ? text.done : t('not_yet', { move }));
    announce(answer.textContent ?? '');
    replace(onward, nextStep(right));
  }

  /** The button after an answer: try again, go on, or play after the last lesson. @param {boolean} right */
  function nextStep(right) {
    if (!right)
      return textButton(
        'again',
        t('try_again'),
        () => {
          reset();
          replace(answer);
          replace(onward);
        },
        'primary',
      );
    if (index === lessons.length - 1) return textButton('play', t('play'), () => void newGame(about), 'primary');
    const goOn = () => void go(`/learn/${game}/${index + 2}`);
    return h(
      'button',
      { class: 'button primary', type: 'button', onclick: goOn },
      h('span', {}, t('next_lesson')),
      icon('next'),
    );
  }

  const dots = h(
    'ol',
    { class: 'dots', 'aria-label': t('learn') },
    lessons.map((_, at) =>
      h(
        'li',
        {},
        h(
          'a',
          {
            href: `/learn/${game}/${at + 1}`,
            'aria-current': at === index ? 'step' : null,
            'aria-label': t('lesson_number', { number: at + 1 }),
          },
          at + 1,
        ),
      ),
    ),
  );
  place.append(
    h(
      'div',
      { class: 'table' },
      h('div', { class: 'board-column' }, board.frame, board.confirmBar),
      h(
        'div',
        { class: 'side-column' },
        h(
          'div',
          { class: 'panel state lesson' },
          h('p', { class: 'muted' }, h('a', { href: `/rules/${game}` }, about.title), ` · ${t('learn')}`),
          dots,
          h('h1', {}, text.title),
          h('p', {}, text.task),
          h('p', { class: 'muted small' }, t('to_move', sideWords(game, about.sides[opened.position.to_move]))),
          answer,
          onward,
        ),
      ),
    ),
  );
  reset();
}
