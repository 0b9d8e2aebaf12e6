// The start page: a board a game.

import { catalogue, geometry, listGames, openLine } from './api.js';
import { contentOf } from './content.js';
import { h, icon } from './dom.js';
import { picture } from './drawing.js';
import { agentName, t, word } from './i18n.js';
import { mark } from './mark.js';
import { newGame } from './new-game.js';
import { gamesHeld } from './settings.js';

/** @typedef {import('./api.js').About} About */

/** @param {HTMLElement} place */
export async function open(place) {
  const { games } = await catalogue();
  const cards = h('div', { class: 'cards' }, games.map(card));
  const mine = h('section', { class: 'home-mine', hidden: true });
  place.append(
    h('div', { class: 'hero' }, mark(), h('div', {}, h('h1', {}, t('tagline')), h('p', {}, t('tagline_more')))),
    mine,
    cards,
  );
  void showMine(mine, games);
}

/** A picture of the game, as soon as there is one. @param {About} about */
export function sampleBoard(about) {
  const board = h('div', { class: 'card-board' });
  const show = async () => {
    const { sample } = contentOf(about.name).samples;
    const [shape, line] = await Promise.all([geometry(about.name), openLine({ game: about.name, ...sample })]);
    board.replaceChildren(picture(shape, line.plies.at(-1)?.stones ?? '', { marks: line.plies.at(-1)?.marks }));
  };
  // Without its picture a game can still be chosen.
  void show().catch(() => {});
  return board;
}

/** @param {About} about */
function card(about) {
  const begin = () => void newGame(about);
  const { words, lessons } = contentOf(about.name);
  return h(
    'article',
    { class: 'card', 'data-game': about.name },
    h(
      'button',
      { class: 'card-picture', type: 'button', onclick: begin, tabindex: -1, 'aria-hidden': 'true' },
      sampleBoard(about),
    ),
    h('h2', {}, about.title),
    h('p', {}, words.pitch || about.summary),
    h(
      'div',
      { class: 'row' },
      h(
        'button',
        { class: 'button primary', type: 'button', onclick: begin },
        icon('play'),
        h('span', {}, t('play')),
        h('span', { class: 'hidden' }, ` ${about.title}`),
      ),
      h('a', { href: `/rules/${about.name}`, 'aria-label': `${t('rules')}: ${about.title}` }, t('rules')),
      lessons
        ? h('a', { href: `/learn/${about.name}`, 'aria-label': `${t('learn')}: ${about.title}` }, t('learn'))
        : null,
    ),
  );
}

/** Games with a seat of this browser that are not over. @param {HTMLElement} place @param {About[]} games */
async function showMine(place, games) {
  const held = gamesHeld();
  if (!held.length) return;
  const { games: listed } = await listGames(held.slice(0, 100));
  const open = listed.filter((game) => !game.outcome && game.plies > 0).slice(0, 4);
  if (!open.length) return;
  place.hidden = false;
  place.append(
    h('h2', {}, t('continue_game')),
    h(
      'ul',
      { class: 'continue' },
      open.map((game) => {
        const about = games.find((known) => known.name === game.game);
        const names = game.seats.map((seat) =>
          seat.engine ? agentName(seat.engine, game.game) : word(seat.name, game.game),
        );
        return h(
          'li',
          {},
          h(
            'a',
            { href: `/play/${game.id}` },
            h('strong', {}, about?.title ?? game.game),
            h('span', {}, t('vs', { a: names[0], b: names[1] })),
            h('span', { class: 'muted' }, t('plies', { count: game.plies })),
          ),
        );
      }),
    ),
  );
}
