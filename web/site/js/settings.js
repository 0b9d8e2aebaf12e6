// What this browser remembers: how the page looks, and the tokens of the seats it holds.

/**
 * @typedef {{ theme: 'auto' | 'light' | 'dark', language: string, targets: boolean, sounds: boolean,
 *   notify: boolean, name: string,
 *   opponent: Record<string, any> }} Settings
 */
/** @typedef {{ tokens: string[], invite?: string, at: number, sides?: [boolean, boolean] }} Seat */

const SETTINGS = 'quincunx:settings';
const SEATS = 'quincunx:seats';
const MOST_SEATS = 150;

/** @param {string} key @returns {any} */
function read(key) {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? 'null');
    return value && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage everything still works until the page is closed.
  }
}

/** @type {Settings} */
export const settings = {
  theme: 'auto',
  language: '',
  targets: true,
  sounds: true,
  notify: false,
  name: '',
  opponent: {},
  ...read(SETTINGS),
};

/** Changes settings and keeps them. @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  write(SETTINGS, settings);
}

/** The seats held here, by game. @type {Record<string, Seat>} */
let seats = read(SEATS);

/** @param {string} id @returns {Seat | undefined} */
export function seatOf(id) {
  return Object.hasOwn(seats, id) ? seats[id] : undefined;
}

/** Remembers tokens; the oldest games are forgotten. @param {string} id @param {Seat} seat */
export function keepSeat(id, seat) {
  seats = read(SEATS);
  seats[id] = seat;
  const newest = Object.entries(seats)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, MOST_SEATS);
  seats = Object.fromEntries(newest);
  write(SEATS, seats);
}

/** Remembers which sides a game's tokens are for. @param {string} id @param {[boolean, boolean]} sides */
export function rememberSides(id, sides) {
  const seat = seatOf(id);
  if (seat && String(seat.sides) !== String(sides)) keepSeat(id, { ...seat, sides });
}

/** Forgets the seats of a game. @param {string} id */
export function forgetSeat(id) {
  seats = read(SEATS);
  delete seats[id];
  write(SEATS, seats);
}

/** The ids of the games with a seat held here, the newest first. */
export function gamesHeld() {
  return Object.entries(seats)
    .sort((a, b) => b[1].at - a[1].at)
    .map(([id]) => id);
}
