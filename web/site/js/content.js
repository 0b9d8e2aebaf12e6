// What the games say: words in the reader's language and samples. All of it comes from the server.

import { request } from './backend.js';

/** @typedef {import('../../types/api.js').Content} Content */
/** @typedef {import('../../types/api.js').Figure} Figure */

/** What is known of a game if the server did not answer. @type {Content} */
const NOTHING = {
  words: {
    pitch: '',
    origin: '',
    rulesets: {},
    steps: [],
    rules: [],
    themes: {},
    endings: {},
    agents: {},
    terms: {},
    refusals: {},
  },
  samples: { sample: {}, figures: [], losses: [] },
  lessons: 0,
};

/** @type {import('../../types/api.js').Contents['games']} */
let games = {};

/** Asks the server for everything in a language. @param {string} language */
export async function loadContent(language) {
  const { status, body } = await request(`/api/content?${new URLSearchParams({ language })}`);
  games = status === 200 ? body.games : {};
}

/** @param {string} game a name of the catalogue @returns {Content} */
export function contentOf(game) {
  return entry(games, game) ?? NOTHING;
}

/** The words of the first game that has one for this. @param {string} word @returns {string | undefined} */
export function wordOfAnyGame(word) {
  for (const { words } of Object.values(games)) {
    const found = entry(words.terms, word);
    if (found !== undefined) return found;
  }
}

/** The value of a key that may be any text. @template T @param {{ [key: string]: T }} table @param {string} key */
export function entry(table, key) {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
