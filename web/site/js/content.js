// What a game shows beyond its rules: a sample position, figures and lessons. A game may have none of them.

/** @typedef {{ position?: string, moves?: string, ruleset?: string, marks?: string[] }} Figure */
/**
 * What solves a lesson: any move, a win, a higher tally of the player, a lower tally of the opponent, or a move whose
 * text matches.
 * @typedef {{ any?: boolean, win?: boolean, tally?: string, takes?: string, pattern?: string }} Goal
 */
/** @typedef {Figure & { goal: Goal }} Lesson */
/** @typedef {{ sample: Figure, figures: Figure[], lessons: Lesson[] }} Content */

/** @type {Content} */
const NONE = { sample: {}, figures: [], lessons: [] };

/** @type {Map<string, Promise<Content>>} */
const loaded = new Map();

/** @param {string} game a name of the catalogue @returns {Promise<Content>} */
export function contentOf(game) {
  let content = loaded.get(game);
  if (!content) {
    content = import(`../content/${encodeURIComponent(game)}.js`).then(
      (module) => module.default,
      () => NONE,
    );
    loaded.set(game, content);
  }
  return content;
}
