// What this browser remembers of its visitor's progress: results by game and level, puzzles, days.

import { FRESH, dayOf, followsDay } from './puzzle-choice.js';

/** @typedef {import('./puzzle-choice.js').PuzzleRecord} PuzzleRecord */
/**
 * One game that ended against a level.
 * @typedef {{ game: string, level: number, result: 0 | 0.5 | 1, at: number }} Result
 */
/**
 * @typedef {{ results: Record<string, Result>, puzzles: Record<string, PuzzleRecord>, lastDay: string | null,
 *   dayStreak: number, lessons: Record<string, number[]> }} Progress
 */

const KEY = 'quincunx:progress';
/** The most games remembered; the oldest go. */
const MOST_RESULTS = 400;

/** @returns {Progress} */
export function progress() {
  const fresh = { results: {}, puzzles: {}, lastDay: null, dayStreak: 0, lessons: {} };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept && typeof kept === 'object' ? { ...fresh, ...kept } : fresh;
  } catch {
    return fresh;
  }
}

/** @param {Progress} kept */
function save(kept) {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage there is no progress to show.
  }
}

/** @param {string} game @returns {PuzzleRecord} */
export function puzzleRecord(game) {
  return { ...FRESH, ...progress().puzzles[game] };
}

/** @param {string} game @param {PuzzleRecord} record */
export function keepPuzzleRecord(game, record) {
  const kept = progress();
  kept.puzzles[game] = record;
  const today = dayOf(Date.now());
  if (record.day === today && kept.lastDay !== today) {
    kept.dayStreak = followsDay(kept.lastDay, today) ? kept.dayStreak + 1 : 1;
    kept.lastDay = today;
  }
  save(kept);
}

/** Remembers how a game against a level ended; once for each game. @param {string} id @param {Result} result */
export function keepResult(id, result) {
  const kept = progress();
  kept.results[id] = result;
  const newest = Object.entries(kept.results)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, MOST_RESULTS);
  kept.results = Object.fromEntries(newest);
  save(kept);
}

/** Remembers that a lesson was solved. @param {string} game @param {number} index */
export function keepLesson(game, index) {
  const kept = progress();
  const solved = kept.lessons[game] ?? [];
  if (!solved.includes(index)) kept.lessons[game] = [...solved, index];
  save(kept);
}

/**
 * The level to play next: one higher after two wins in a row against a level, one lower after three losses.
 * @param {Result[]} results of one game, the newest first
 */
export function suggestedLevel(results) {
  const [last] = results;
  if (!last) return 1;
  const row = results.filter(({ level }, index) => results.slice(0, index + 1).every((one) => one.level === level));
  const all = (/** @type {number} */ count, /** @type {number} */ wanted) =>
    row.length >= count && row.slice(0, count).every(({ result }) => result === wanted);
  if (all(2, 1)) return Math.min(10, last.level + 1);
  if (all(3, 0)) return Math.max(1, last.level - 1);
  return last.level;
}
