// Puzzles: positions with one clear answer, one of them a day, at the strength of the visitor.

import { about as aboutGame, catalogue, geometry, openLine } from './api.js';
import { Board } from './board/board.js';
import { contentOf, entry } from './content.js';
import { announce, h, icon, replace, textButton } from './dom.js';
import { picture } from './drawing.js';
import { sideWords, t } from './i18n.js';
import { dayOf, nextPuzzle, puzzleOfDay, settle } from './puzzle-choice.js';
import { go } from './router.js';
import { studyAddress } from './share.js';
import { progress, puzzleRecord, keepPuzzleRecord } from './progress-record.js';

/**
 * A puzzle: the first theme says what is to be done, the others what it is about.
 * @typedef {{ position: string, solution: string[], level: number, themes: string[] }} Puzzle
 */

/** The theme that the visitor wants by game, as long as the page is open. @type {Map<string, string>} */
const wanted = new Map();

/** @type {Map<string, Promise<Puzzle[]>>} */
const loaded = new Map();

/** The puzzles of a game, loaded once. @param {string} game @returns {Promise<Puzzle[]>} */
function puzzlesOf(game) {
  let puzzles = loaded.get(game);
  if (!puzzles) {
    puzzles = fetch(new URL(`../puzzles/${encodeURIComponent(game)}.json`, import.meta.url)).then((response) =>
      response.ok ? response.json() : [],
    );
    puzzles.catch(() => loaded.delete(game));
    loaded.set(game, puzzles);
  }
  return puzzles;
}

/** @param {HTMLElement} place @param {string[]} rest */
export async function open(place, [game, number]) {
  if (!game) return overview(place);
  const about = await aboutGame(game);
  const puzzles = await puzzlesOf(game);
  if (!puzzles.length) throw new Error('no puzzles');
  const record = puzzleRecord(game);
  const index =
    number === 'day'
      ? puzzleOfDay(puzzles.length, game)
      : number
        ? Number(number) - 1
        : nextPuzzle(puzzles, record, wanted.get(game));
  const puzzle = puzzles[index];
  if (!puzzle) throw new Error('no such puzzle');
  document.title = `${about.title}: ${t('puzzles')} · Quincunx`;
  await show(place, about, puzzles, index, number === 'day');
  return undefined;
}

/** The games, each with its puzzle of the day. @param {HTMLElement} place */
async function overview(place) {
  document.title = `${t('puzzles')} · Quincunx`;
  const { games } = await catalogue();
  const cards = await Promise.all(
    games.map(async (about) => {
      const puzzles = await puzzlesOf(about.name).catch(() => []);
      if (!puzzles.length) return null;
      const daily = puzzles[puzzleOfDay(puzzles.length, about.name)];
      const [shape, opened] = await Promise.all([
        geometry(about.name),
        openLine({ game: about.name, position: daily.position }),
      ]);
      const record = puzzleRecord(about.name);
      const isDone = record.day === dayOf(Date.now());
      return h(
        'article',
        { class: 'card', 'data-game': about.name },
        h(
          'a',
          { href: `/puzzles/${about.name}/day`, class: 'card-board', tabindex: -1, 'aria-hidden': 'true' },
          picture(shape, opened.plies[0].stones),
        ),
        h('h2', {}, about.title),
        h('p', {}, t('puzzles_solved', { count: record.solved.length, all: puzzles.length, streak: record.streak })),
        h(
          'div',
          { class: 'row' },
          h(
            'a',
            { class: 'button primary', href: `/puzzles/${about.name}/day` },
            icon(isDone ? 'check' : 'play'),
            h('span', {}, t('puzzle_of_day')),
            h('span', { class: 'hidden' }, ` ${about.title}`),
          ),
          h(
            'a',
            { href: `/puzzles/${about.name}`, 'aria-label': `${t('more_puzzles')}: ${about.title}` },
            t('more_puzzles'),
          ),
        ),
      );
    }),
  );
  const { dayStreak } = progress();
  place.append(
    h(
      'div',
      { class: 'prose' },
      h('h1', {}, t('puzzles')),
      h('p', {}, t('puzzles_more'), ' ', h('a', { href: '/progress' }, t('progress'))),
      dayStreak > 1 ? h('p', { class: 'muted' }, t('day_streak', { count: dayStreak })) : null,
    ),
    h('div', { class: 'cards' }, cards),
  );
  return undefined;
}

/**
 * @param {HTMLElement} place @param {import('./api.js').About} about @param {Puzzle[]} puzzles @param {number} index
 * @param {boolean} isDaily
 */
async function show(place, about, puzzles, index, isDaily) {
  const game = about.name;
  const puzzle = puzzles[index];
  const [shape, opened] = await Promise.all([geometry(game), openLine({ game, position: puzzle.position })]);
  const { position } = opened;
  const answer = h('p', { class: 'answer', role: 'status' });
  const themes = h('ul', { class: 'themes', 'aria-label': t('puzzle_themes') });
  const onward = h('div', { class: 'row' });
  let isSettled = false;
  const board = new Board(shape, { play: (choice) => void tried(choice.text) });
  board.frame.classList.add('mine');
  board.cancelFrom(place);
  const reset = () => board.show({ ply: opened.plies[0], toMove: position.to_move, choices: position.choices });

  /** Counts the first answer only. @param {boolean} right */
  function count(right) {
    if (isSettled) return;
    isSettled = true;
    keepPuzzleRecord(game, settle(puzzleRecord(game), index, puzzle.level, right, isDaily ? dayOf(Date.now()) : null));
  }

  /** @param {string} move */
  async function tried(move) {
    const [best] = puzzle.solution;
    const [after, solved] = await Promise.all(
      [move, best].map((moves) => openLine({ game, position: puzzle.position, moves })),
    );
    // Some moves have two names.
    const right = after.position.text === solved.position.text;
    count(right);
    board.show(
      { ply: after.plies[1], before: opened.plies[0].stones, winning: after.position.winning },
      { animate: true },
    );
    answer.className = `answer ${right ? 'right' : 'wrong'}`;
    replace(answer, right ? t('puzzle_right', { move }) : t('not_yet', { move }));
    announce(answer.textContent ?? '');
    replace(onward, right ? ending() : again());
    if (right)
      replace(
        themes,
        puzzle.themes.slice(1).map((theme) => h('li', {}, themeName(game, theme))),
      );
  }

  const again = () => [
    textButton(
      'again',
      t('try_again'),
      () => {
        reset();
        replace(answer);
        replace(onward);
      },
      'primary',
    ),
    textButton('hint', t('exercise_show'), () => {
      count(false);
      void tried(puzzle.solution[0]);
    }),
  ];
  const ending = () => {
    const line = studyAddress({ game, position: puzzle.position, moves: puzzle.solution.join(' ') });
    return [
      textButton('next', t('next_puzzle'), () => void go(`/puzzles/${game}`), 'primary'),
      h('a', { class: 'button', href: `${line}&ply=1` }, icon('study'), h('span', {}, t('analyse'))),
    ];
  };

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
          h('p', { class: 'muted' }, h('a', { href: '/puzzles' }, t('puzzles')), ` · ${about.title}`),
          h('h1', {}, isDaily ? t('puzzle_of_day') : t('puzzle_number', { number: index + 1 })),
          h(
            'p',
            {},
            t(aimText(puzzle.themes[0])),
            ' ',
            t('sentence', { text: t('to_move', sideWords(game, about.sides[position.to_move])) }),
          ),
          h('p', { class: 'muted small' }, t('puzzle_level', { level: puzzle.level })),
          answer,
          themes,
          onward,
          choice(game, puzzles),
        ),
      ),
    ),
  );
  reset();
}

/** The choice of a theme for the puzzles to come. @param {string} game @param {Puzzle[]} puzzles */
function choice(game, puzzles) {
  const found = new Set(puzzles.flatMap(({ themes }) => themes.slice(1)));
  const names = [...found].map((theme) => ({ theme, name: themeName(game, theme) }));
  names.sort((a, b) => a.name.localeCompare(b.name));
  const select = h(
    'select',
    {
      onchange: (/** @type {Event} */ event) => {
        const { value } = /** @type {HTMLSelectElement} */ (event.target);
        if (value) wanted.set(game, value);
        else wanted.delete(game);
        void go(`/puzzles/${game}`);
      },
    },
    h('option', { value: '' }, t('puzzle_any_theme')),
    names.map(({ theme, name }) => h('option', { value: theme, selected: wanted.get(game) === theme }, name)),
  );
  return h('label', { class: 'theme-choice small' }, h('span', {}, t('puzzle_theme')), ' ', select);
}

/** A theme in the words of its game. @param {string} game @param {string} theme */
function themeName(game, theme) {
  return entry(contentOf(game).words.themes, theme) ?? theme;
}

/** What is to be done. @param {string} aim @returns {'theme_win' | 'theme_save' | 'theme_gain'} */
function aimText(aim) {
  if (aim === 'win') return 'theme_win';
  return aim === 'save' ? 'theme_save' : 'theme_gain';
}
