// Which puzzle comes next, and what an answer changes. Pure: it knows neither the page nor the game.

/**
 * What a visitor has done with the puzzles of a game: those solved by their number, the strength that this shows, right
 * answers in a row, and the last day whose puzzle was solved.
 * @typedef {{ solved: number[], level: number, streak: number, best: number, day: string | null }} PuzzleRecord
 */

/** @type {PuzzleRecord} */
export const FRESH = { solved: [], level: 2, streak: 0, best: 0, day: null };

/** The day of a moment, where the visitor is: `2026-11-18`. @param {number} at milliseconds */
export function dayOf(at) {
  const date = new Date(at);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/**
 * The puzzle of a day: the same for everybody, another one every day, and all of them before one comes again.
 * @param {number} count @param {string} game @param {string} [day]
 */
export function puzzleOfDay(count, game, day = dayOf(Date.now())) {
  const number = Math.floor(Date.parse(`${day}T00:00:00Z`) / 86_400_000);
  const offset = [...game].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return (number + offset) % count;
}

/**
 * The puzzle that fits the visitor best among those not solved yet, or among all once every one is.
 * @param {{ level: number, themes: string[] }[]} puzzles @param {PuzzleRecord} record
 * @param {string} [theme] the only theme that is wanted, if there is such a puzzle
 */
export function nextPuzzle(puzzles, record, theme) {
  const every = puzzles.map((_, index) => index);
  const fitting = every.filter((index) => theme === undefined || puzzles[index].themes.includes(theme));
  const all = fitting.length ? fitting : every;
  const open = all.filter((index) => !record.solved.includes(index));
  const distance = (/** @type {number} */ index) => Math.abs(puzzles[index].level - record.level);
  return (open.length ? open : all).sort((a, b) => distance(a) - distance(b) || a - b)[0];
}

/**
 * The record after a first answer: harder puzzles count for more, easy mistakes cost more.
 * @param {PuzzleRecord} record @param {number} index @param {number} level of the puzzle @param {boolean} right
 * @param {string | null} day whose puzzle it is @returns {PuzzleRecord}
 */
export function settle(record, index, level, right, day) {
  const expected = 1 / (1 + 10 ** ((level - record.level) / 4));
  const moved = record.level + 0.8 * ((right ? 1 : 0) - expected);
  const streak = right ? record.streak + 1 : 0;
  return {
    solved: right && !record.solved.includes(index) ? [...record.solved, index] : record.solved,
    level: Math.max(1, Math.min(10, moved)),
    streak,
    best: Math.max(record.best, streak),
    day: right && day ? day : record.day,
  };
}

/** Days in a row on which something was solved, after another one. @param {string | null} last @param {string} day */
export function followsDay(last, day) {
  return last !== null && Date.parse(day) - Date.parse(last) === 86_400_000;
}
