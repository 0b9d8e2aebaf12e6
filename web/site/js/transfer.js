// Games in a file: from one browser to another, or from a site without a server to a server.

import { createGame, getGame, getRecord } from './api.js';
import { h, textButton, toast, toastError } from './dom.js';
import { t } from './i18n.js';
import { keepSeat } from './settings.js';

/** The most bytes of a file. */
const LONGEST = 10_000_000;

/**
 * A game in such a file.
 * @typedef {{ game: string, ruleset?: string | null, position?: string | null, moves: string[],
 *   seats: { name: string, engine: string | null }[] }} Saved
 */

/**
 * Buttons that save these games as a file, and add those of a file.
 * @param {() => string[]} games their names @param {() => void} changed is called after games were added
 */
export function transfer(games, changed) {
  const file = h('input', {
    class: 'hidden',
    type: 'file',
    accept: '.json',
    tabindex: -1,
    'aria-label': t('add_games'),
    onchange: async () => {
      const chosen = file.files?.[0];
      file.value = '';
      if (chosen) await add(chosen).then(changed, toastError);
    },
  });
  return [
    textButton('down', t('save_games'), () => void save(games()).catch(toastError)),
    textButton('share', t('add_games'), () => file.click()),
    file,
  ];
}

/** @param {string[]} games */
async function save(games) {
  const saved = await Promise.all(
    games.map(async (id) => {
      const [{ game, ruleset, position, moves }, { seats }] = await Promise.all([getRecord(id), getGame(id)]);
      return { game, ruleset, position, moves, seats: seats.map(({ name, engine }) => ({ name, engine })) };
    }),
  );
  const address = URL.createObjectURL(new Blob([JSON.stringify({ games: saved }, null, 1)]));
  h('a', { href: address, download: 'quincunx-games.json' }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Begins the games of a file where they stand. @param {File} file */
async function add(file) {
  const games = file.size > LONGEST ? null : read(await file.text());
  if (!games?.length) throw new Error(t('no_games_in_file'));
  let count = 0;
  try {
    for (const { game, ruleset, position, moves, seats } of games) {
      const [first, second] = seats.map(({ name, engine }) =>
        engine ? { kind: /** @type {const} */ ('engine'), spec: engine } : { kind: /** @type {const} */ ('me'), name },
      );
      const made = await createGame({ game, ruleset, position, moves: moves.join(' '), seats: [first, second] });
      keepSeat(made.id, { tokens: made.tokens, at: Date.now() });
      count += 1;
    }
  } finally {
    if (count) toast(t('games_added', { count }));
  }
}

/** The games of a file; null if it is no such file. @param {string} text @returns {Saved[] | null} */
function read(text) {
  try {
    const { games } = JSON.parse(text);
    const whole = (/** @type {any} */ one) =>
      typeof one.game === 'string' && Array.isArray(one.moves) && Array.isArray(one.seats) && one.seats.length === 2;
    return games.every(whole) ? games : null;
  } catch {
    return null;
  }
}
