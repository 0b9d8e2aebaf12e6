// The list of games: those with a seat of this browser, and all that the server shows.

import { catalogue, listGames } from './api.js';
import { h, replace } from './dom.js';
import { agentName, language, t, word } from './i18n.js';
import { gamesHeld } from './settings.js';

/** @typedef {import('./api.js').Listed} Listed */
/** @typedef {import('./api.js').About} About */

/** @param {HTMLElement} place */
export async function open(place) {
  document.title = `${t('nav_games')} · Quincunx`;
  const { games: known, lists_all: listsAll } = await catalogue();
  const held = gamesHeld();
  const [mine, all] = await Promise.all([
    held.length ? listGames(held.slice(0, 150)) : { games: [] },
    listsAll ? listGames() : null,
  ]);
  const filter = h(
    'select',
    { id: 'filter-game' },
    h('option', { value: '' }, t('all_games')),
    known.map((about) => h('option', { value: about.name }, about.title)),
  );
  const lists = h('div', { class: 'lists' });
  const show = () => {
    const wanted = (/** @type {Listed} */ game) => !filter.value || game.game === filter.value;
    const others = all?.games.filter((game) => !held.includes(game.id)) ?? [];
    replace(
      lists,
      table(t('continue_game'), mine.games.filter(wanted), known),
      all ? table(t('other_games'), others.filter(wanted), known) : null,
    );
  };
  filter.addEventListener('change', show);
  place.append(
    h(
      'div',
      { class: 'list-head' },
      h('h1', {}, t('nav_games')),
      h('div', { class: 'field' }, h('label', { for: 'filter-game', class: 'hidden' }, t('all_games')), filter),
    ),
    lists,
  );
  show();
}

/** @param {string} title @param {Listed[]} games @param {About[]} known */
function table(title, games, known) {
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const rows = games.map((game) => {
    const about = known.find((one) => one.name === game.game);
    const names = game.seats.map((seat) =>
      seat.engine ? agentName(seat.engine, game.game) : word(seat.name, game.game),
    );
    const { outcome } = game;
    const state = outcome
      ? outcome.winner === null
        ? t('drawn')
        : t('wins', { side: word(about?.sides[outcome.winner] ?? '', game.game) })
      : t('under_way');
    return h(
      'li',
      {},
      h(
        'a',
        { href: `/play/${game.id}` },
        h('strong', {}, about?.title ?? game.game),
        h('span', { class: 'names' }, t('vs', { a: names[0], b: names[1] })),
        h('span', { class: outcome ? 'muted' : 'live' }, state),
        h('span', { class: 'muted small' }, `${t('plies', { count: game.plies })} · ${when.format(game.updated)}`),
      ),
    );
  });
  return h(
    'section',
    {},
    h('h2', {}, title),
    rows.length ? h('ul', { class: 'game-list' }, rows) : h('p', { class: 'muted' }, t('no_games')),
  );
}
