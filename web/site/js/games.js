// The list of games: those with a seat of this browser, and all that the server shows.

import { catalogue, geometry, getGame, listGames } from './api.js';
import { forgetGame } from './backend.js';
import { h, iconButton, replace, textLink } from './dom.js';
import { picture } from './drawing.js';
import { agentName, language, sideWords, t, word } from './i18n.js';
import { go, isStatic } from './router.js';
import { forgetSeat, gamesHeld, seatOf } from './settings.js';
import { transfer } from './transfer.js';

/** @typedef {import('./api.js').Listed} Listed */
/** @typedef {import('./api.js').About} About */
/**
 * How a game stands for the person at this browser.
 * @typedef {'under_way' | 'won' | 'lost' | 'drawn' | 'ended'} State
 */

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
  const results = h(
    'select',
    { id: 'filter-state' },
    /** @type {[string, string][]} */ ([
      ['', t('any_state')],
      ['under_way', t('under_way')],
      ['won', t('games_won')],
      ['lost', t('games_lost')],
      ['drawn', t('games_drawn')],
    ]).map(([value, text]) => h('option', { value }, text)),
  );
  const lists = h('div', { class: 'lists' });
  const pictures = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      pictures.unobserve(target);
      void draw(/** @type {HTMLElement} */ (target)).catch(() => {});
    }
  });
  const show = () => {
    // A game without a move is no game yet.
    const wanted = (/** @type {Listed} */ game) =>
      game.plies > 0 &&
      (!filter.value || game.game === filter.value) &&
      (!results.value || stateOf(game) === results.value);
    const others = all?.games.filter((game) => !gamesHeld().includes(game.id)) ?? [];
    const forget = (/** @type {Listed} */ game) => {
      forgetSeat(game.id);
      forgetGame(game.id);
      mine.games = mine.games.filter((one) => one !== game);
      show();
    };
    replace(
      lists,
      table(t('continue_game'), mine.games.filter(wanted), known, forget),
      all ? table(t('other_games'), others.filter(wanted), known) : null,
    );
    for (const board of lists.querySelectorAll('.thumbnail')) pictures.observe(board);
  };
  filter.addEventListener('change', show);
  results.addEventListener('change', show);
  place.append(
    h(
      'div',
      { class: 'list-head' },
      h('h1', {}, t('nav_games')),
      h(
        'div',
        { class: 'row' },
        textLink('study', t('progress'), '/progress'),
        h('div', { class: 'field' }, h('label', { for: 'filter-game', class: 'hidden' }, t('all_games')), filter),
        h('div', { class: 'field' }, h('label', { for: 'filter-state', class: 'hidden' }, t('any_state')), results),
      ),
    ),
    lists,
    h(
      'div',
      { class: 'row' },
      transfer(
        () => mine.games.filter((game) => game.plies > 0).map(({ id }) => id),
        () => void go('/games'),
      ),
      isStatic ? null : textLink('share', t('code_from_device'), '/lobby'),
    ),
  );
  show();
  return { close: () => pictures.disconnect() };
}

/** Draws the board of a game where it stands. @param {HTMLElement} place */
async function draw(place) {
  const { game, ruleset, plies } = await getGame(place.dataset.id ?? '');
  const last = plies[plies.length - 1];
  place.replaceChildren(picture(await geometry(game, ruleset), last.stones, { marks: last.marks.slice(-1) }));
}

/** @param {Listed} game @returns {State} */
function stateOf({ id, outcome }) {
  if (!outcome) return 'under_way';
  if (outcome.winner === null) return 'drawn';
  const sides = seatOf(id)?.sides;
  if (!sides || sides[0] === sides[1]) return 'ended';
  return sides[outcome.winner] ? 'won' : 'lost';
}

/** The players of a game, the one at this browser as such. @param {Listed} game @param {About | undefined} about */
function playersOf(game, about) {
  const sides = seatOf(game.id)?.sides;
  return game.seats.map((seat, side) => {
    if (seat.engine) return agentName(seat.engine, game.game);
    const isYou = sides?.[side] && !sides[1 - side] && seat.name === about?.sides[side];
    return isYou ? t('you') : word(seat.name, game.game);
  });
}

/**
 * @param {string} title @param {Listed[]} games @param {About[]} known
 * @param {(game: Listed) => void} [forget] takes a game off the list
 */
function table(title, games, known, forget) {
  const when = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const rows = games.map((game) => {
    const about = known.find((one) => one.name === game.game);
    const [a, b] = playersOf(game, about);
    const state = stateOf(game);
    const { outcome } = game;
    const texts = {
      under_way: t('under_way'),
      won: t('won'),
      lost: t('lost'),
      drawn: t('drawn'),
      ended: outcome?.winner == null ? '' : t('wins', sideWords(game.game, about?.sides[outcome.winner] ?? '')),
    };
    return h(
      'li',
      {},
      h(
        'a',
        { href: `/play/${game.id}` },
        h('span', { class: 'thumbnail', 'data-id': game.id, 'aria-hidden': 'true' }),
        h('strong', {}, about?.title ?? game.game),
        h('span', { class: 'names' }, t('vs', { a, b })),
        h('span', { class: `result ${state}` }, texts[state]),
        h('span', { class: 'muted small' }, `${t('plies', { count: game.plies })} · ${when.format(game.updated)}`),
      ),
      forget
        ? iconButton('trash', `${t('forget')}: ${about?.title ?? game.game}, ${t('vs', { a, b })}`, () => forget(game))
        : null,
    );
  });
  return h(
    'section',
    {},
    h('h2', {}, title),
    rows.length ? h('ul', { class: 'game-list' }, rows) : h('p', { class: 'muted' }, t('no_games')),
  );
}
