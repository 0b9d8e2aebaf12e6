// The games that this browser keeps.

/** @typedef {import('../../../types/api.js').Outcome} Outcome */
/**
 * A game as it is kept: milliseconds on the clocks are those after each move.
 * @typedef {{ id: string, game: string, ruleset: string, start: string, created: number, updated: number,
 *   seats: { name: string, engine: string | null }[], clock: { initial: number, increment: number } | null,
 *   moves: { text: string, left: [number, number] | null }[], ending: Outcome | null, outcome: Outcome | null,
 *   successor: string | null }} Kept
 */

const PREFIX = 'quincunx:game:';

/** @param {string} id @returns {Kept | null} */
export function load(id) {
  try {
    const kept = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null');
    return kept && typeof kept === 'object' && Array.isArray(kept.moves) ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps a game; the oldest go if there is no room. @param {Kept} kept */
export function save(kept) {
  kept.updated = Date.now();
  for (;;) {
    try {
      localStorage.setItem(PREFIX + kept.id, JSON.stringify(kept));
      return;
    } catch {
      const oldest = all().at(-1);
      // Without storage the game goes on until the page is closed.
      if (!oldest || oldest.id === kept.id) return;
      forget(oldest.id);
    }
  }
}

/** @param {string} id */
export function forget(id) {
  localStorage.removeItem(PREFIX + id);
}

/** All games, the last touched first. @returns {Kept[]} */
export function all() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .flatMap((key) => load(key.slice(PREFIX.length)) ?? [])
    .sort((a, b) => b.updated - a.updated);
}

/** A name for a new game. */
export function newId() {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => letters[byte % 32]).join('');
}
