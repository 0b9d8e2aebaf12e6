// The rules of a game, with pictures of its real board.

import { about as aboutGame, geometry, openLine } from './api.js';
import { contentOf } from './content.js';
import { h, textButton, textLink } from './dom.js';
import { picture } from './drawing.js';
import { rulesetText, t } from './i18n.js';
import { newGame } from './new-game.js';

/** @param {HTMLElement} place @param {string[]} rest */
export async function open(place, [game = '']) {
  const about = await aboutGame(game);
  const { words, samples, lessons } = contentOf(game);
  document.title = `${about.title}: ${t('rules')} · Quincunx`;
  const article = h(
    'article',
    { class: 'rules' },
    h(
      'header',
      {},
      h('p', { class: 'muted' }, words.origin || about.summary),
      h('h1', {}, about.title),
      h('p', { class: 'lead' }, words.pitch),
      h(
        'div',
        { class: 'row' },
        textButton('play', t('play'), () => void newGame(about), 'primary'),
        lessons ? textLink('book', t('learn'), `/learn/${game}`) : null,
        textLink('study', t('nav_study'), `/study/${game}`),
      ),
    ),
    words.rules.map((section) =>
      h(
        'section',
        {},
        h(
          'div',
          {},
          h('h2', {}, section.title),
          section.text.map((paragraph) => h('p', {}, paragraph)),
        ),
        section.figure === undefined ? null : figure(game, samples.figures[section.figure], section.caption ?? ''),
      ),
    ),
    h(
      'section',
      {},
      h(
        'div',
        {},
        h('h2', {}, t('variants')),
        h(
          'dl',
          {},
          about.rulesets.flatMap((ruleset) => [
            h('dt', {}, rulesetText(game, ruleset).name),
            h('dd', {}, t('sentence', { text: rulesetText(game, ruleset).summary }), limits(ruleset)),
          ]),
        ),
      ),
    ),
  );
  place.append(article);
}

/** @param {import('./api.js').Ruleset} ruleset */
function limits(ruleset) {
  const parts = [];
  if (ruleset.repetition) parts.push(t('draw_by_repetition', { count: ruleset.repetition }));
  if (ruleset.plies) parts.push(t('draw_by_length', { count: ruleset.plies }));
  return parts.length ? h('span', { class: 'muted small' }, ` ${parts.join(' ')}`) : null;
}

/**
 * A picture of a position.
 * @param {string} game @param {import('./content.js').Figure | undefined} wanted @param {string} caption
 */
function figure(game, wanted, caption) {
  if (!wanted) return null;
  const place = h('div', { class: 'figure-board' });
  const draw = async () => {
    const { marks, ...line } = wanted;
    const [shape, opened] = await Promise.all([geometry(game, line.ruleset), openLine({ game, ...line })]);
    const last = opened.plies[opened.plies.length - 1];
    const targets = (marks ?? [])
      .map((name) => shape.cells.findIndex((cell) => cell.name === name))
      .filter((cell) => cell >= 0);
    place.append(picture(shape, last.stones, { marks: last.marks, targets, label: caption || opened.position.text }));
  };
  void draw().catch(() => place.parentElement?.remove());
  return h('figure', {}, place, caption ? h('figcaption', {}, caption) : null);
}
