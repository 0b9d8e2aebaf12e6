// The visitor's own progress, without an account: results by game and level, what to play next, puzzles and lessons.

import { catalogue } from './api.js';
import { contentOf } from './content.js';
import { h, s, textButton } from './dom.js';
import { t } from './i18n.js';
import { newGame } from './new-game.js';
import { progress, suggestedLevel } from './progress-record.js';
import { change, settings } from './settings.js';

/** @param {HTMLElement} place */
export async function open(place) {
  document.title = `${t('progress')} · Quincunx`;
  const { games } = await catalogue();
  const kept = progress();
  const all = Object.values(kept.results);
  place.append(
    h('div', { class: 'prose' }, h('h1', {}, t('progress')), h('p', { class: 'muted' }, t('progress_more'))),
    h(
      'div',
      { class: 'cards progress' },
      games.map((about) => {
        const results = all.filter(({ game }) => game === about.name).sort((a, b) => b.at - a.at);
        const level = suggestedLevel(results);
        const { solved = [], best = 0 } = kept.puzzles[about.name] ?? {};
        const lessons = kept.lessons[about.name]?.length ?? 0;
        const play = () => {
          change({ opponent: { ...settings.opponent, kind: 'engine', spec: `engine:level=${level}` } });
          void newGame(about);
        };
        return h(
          'article',
          { class: 'card', 'data-game': about.name },
          h('h2', {}, about.title),
          curve(results.map((one) => ({ ...one })).reverse(), about.title),
          h('p', {}, t('results_of', counts(results))),
          byLevel(results, about.title),
          h('p', {}, t('lessons_done', { count: lessons, all: contentOf(about.name).lessons })),
          h('p', {}, t('puzzles_done', { count: solved.length, best })),
          textButton('play', t('play_level', { level }), play, 'primary'),
        );
      }),
    ),
  );
}

/** @param {import('./progress-record.js').Result[]} results */
function counts(results) {
  const of = (/** @type {number} */ wanted) => results.filter(({ result }) => result === wanted).length;
  return { won: of(1), drawn: of(0.5), lost: of(0) };
}

/** The results against each level. @param {import('./progress-record.js').Result[]} results @param {string} title */
function byLevel(results, title) {
  const levels = [...new Set(results.map(({ level }) => level))].sort((a, b) => a - b);
  if (!levels.length) return null;
  const head = [t('level_column'), t('games_won'), t('games_drawn'), t('games_lost')];
  const rows = levels.map((level) => {
    const { won, drawn, lost } = counts(results.filter((one) => one.level === level));
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, level),
      [won, drawn, lost].map((count) => h('td', {}, count)),
    );
  });
  return h(
    'table',
    { class: 'levels' },
    h('caption', { class: 'hidden' }, t('progress_of', { game: title })),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        head.map((text) => h('th', { scope: 'col' }, text)),
      ),
    ),
    h('tbody', {}, rows),
  );
}

/** The levels played over time, each game a dot: filled if it was won. @param {any[]} results @param {string} title */
function curve(results, title) {
  const shown = results.slice(-40);
  const x = (/** @type {number} */ index) => 6 + (188 * index) / Math.max(1, shown.length - 1);
  const y = (/** @type {number} */ level) => 66 - 6 * level;
  return s(
    'svg',
    { class: 'progress-curve', viewBox: '0 0 200 70', role: 'img', 'aria-label': t('progress_of', { game: title }) },
    [2, 4, 6, 8, 10].map((level) => s('line', { class: 'graph-middle', x1: 0, x2: 200, y1: y(level), y2: y(level) })),
    s('polyline', {
      class: 'graph-curve',
      points: shown.map(({ level }, index) => `${x(index)},${y(level)}`).join(' '),
    }),
    shown.map(({ level, result }, index) =>
      s('circle', { class: result === 1 ? 'dot won' : 'dot', cx: x(index), cy: y(level), r: 3 }),
    ),
  );
}
