// What to do after a game, or instead of it: play again, see where it was decided, play another level.

import { createGame } from './api.js';
import { textButton, textLink, toastError } from './dom.js';
import { t } from './i18n.js';
import { go } from './router.js';
import { keepSeat } from './settings.js';
import { studyAddress } from './share.js';

/** @typedef {import('./api.js').Game} Game */
/** @typedef {import('../../types/api.js').Seat} Seat */
/** What a page may do in a game. @typedef {{ seats: [boolean, boolean], control: boolean }} Rights */
/** @typedef {{ game: Game, about: import('./api.js').About, held: Rights }} Held */

/**
 * The ways on; none while the game is played.
 * @param {Held} of @param {import('./api.js').LineWanted} line the whole game
 * @param {(request: import('./connection.js').Request) => void} act
 */
export function waysOn({ game, about, held }, line, act) {
  const { now, seats, plies } = game;
  if (!now.outcome) return [];
  const ways = [];
  if (held.seats.includes(true) || held.control)
    ways.push(textButton('again', t('rematch'), () => act({ type: 'rematch' }), 'primary'));
  if (plies.length > 2) ways.push(textLink('eye', t('why'), `${studyAddress(line)}&review=1&from=${game.id}`));
  const engine = seats.findIndex((seat, side) => seat.engine && held.seats[1 - side]);
  const level = Number(/^engine:level=(\d+)$/.exec(seats[engine]?.engine ?? '')?.[1] ?? 0);
  if (level && now.outcome.winner !== null) {
    const won = held.seats[now.outcome.winner];
    const next = level + (won ? 1 : -1);
    const text = won ? t('harder', { level: next }) : t('easier', { level: next });
    const play = () =>
      void beginAgain(game, (seat, side) =>
        side === engine ? { kind: 'engine', spec: `engine:level=${next}` } : seat,
      );
    if (about.agents.includes(`engine:level=${next}`)) ways.push(textButton(won ? 'next' : 'previous', text, play));
  }
  return ways;
}

/**
 * Begins the same game from the start, perhaps with other players.
 * @param {Game} old @param {(seat: Seat, side: number) => Seat} change
 */
export async function beginAgain({ game, seats, clock, start, ruleset }, change) {
  const seat = (/** @type {0 | 1} */ side) => {
    const { engine, name } = seats[side];
    return change(engine ? { kind: 'engine', spec: engine } : { kind: 'me', name }, side);
  };
  try {
    const made = await createGame({ game, ruleset, position: start, seats: [seat(0), seat(1)], clock });
    keepSeat(made.id, { tokens: made.tokens, at: Date.now() });
    await go(`/play/${made.id}`);
  } catch (error) {
    toastError(error);
  }
}
