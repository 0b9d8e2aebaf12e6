// Words in the reader's language: those of the page are in texts/, one file a language; those of a game come with it.

import { contentOf, entry, loadContent, wordOfAnyGame } from './content.js';
import { change, settings } from './settings.js';
import en from '../texts/en.js';

/** @typedef {typeof en} Texts */

/** The languages, each in its own words. @type {[string, string][]} */
export const LANGUAGES = [
  ['en', 'English'],
  ['pt', 'Português'],
  ['zh', '中文'],
];

/** @type {Record<string, () => Promise<{ default: any }>>} */
const OTHERS = { pt: () => import('../texts/pt.js'), zh: () => import('../texts/zh.js') };

/** @type {Record<string, any>} */
let texts = en;

/** The language of the page. */
export let language = 'en';

/** Chooses the language that was set, or the browser's. */
export async function loadLanguage() {
  const wished = [settings.language, ...navigator.languages]
    .filter(Boolean)
    .map((name) => name.slice(0, 2).toLowerCase());
  language = wished.find((name) => LANGUAGES.some(([known]) => known === name)) ?? 'en';
  const others = language in OTHERS ? OTHERS[language]() : null;
  await loadContent(language);
  texts = others ? (await others).default : en;
  document.documentElement.lang = language;
}

/** @param {string} name */
export async function setLanguage(name) {
  change({ language: name });
  await loadLanguage();
}

/** Looks a text up, in this language or else in English. @param {string} part @param {string} key @returns {any} */
function find(part, key) {
  return entry(texts[part] ?? {}, key) ?? entry(/** @type {Record<string, any>} */ (en)[part] ?? {}, key);
}

/**
 * A text of the page, `{name}` filled in. A text may be a pair for one and for many, by `count`.
 * @param {keyof Texts['page']} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  let text = find('page', key);
  if (Array.isArray(text)) text = text[values.count === 1 ? 0 : 1];
  return String(text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * What the server says in English: sides, reasons, what is counted.
 * @param {string} word @param {string} [game] the game it is said of @returns {string}
 */
export function word(word, game) {
  return (game === undefined ? undefined : entry(contentOf(game).words.terms, word)) ?? find('words', word) ?? word;
}

/**
 * The names of the two sides.
 * @param {import('./api.js').About} about @returns {[string, string]}
 */
export function sideNames({ name, sides }) {
  return [word(sides[0], name), word(sides[1], name)];
}

/**
 * A side as texts name it: `side` is its name, `of` says that something belongs to it.
 * @param {string} game @param {string} name in English
 */
export function sideWords(game, name) {
  return { side: word(name, game), of: word(`of ${name}`, game) };
}

/**
 * Why a game ended, as a sentence.
 * @param {import('./api.js').About} about @param {import('./api.js').Outcome} outcome
 * @param {import('./api.js').Position['tallies']} tallies what is counted where it ended
 */
export function endingText({ name, sides }, { winner, reason }, tallies) {
  const key = winner === null ? `${reason}, drawn` : reason;
  const template = entry(contentOf(name).words.endings, key) ?? find('endings', key);
  if (template === undefined) return t('sentence', { text: word(reason, name) });
  /** @type {Record<string, number>} */
  const places = { winner: winner ?? 0, loser: winner === null ? 1 : 1 - winner };
  return String(template).replace(/\{(?:(.+?) )??(of )?(winner|loser)\}/g, (_, counted, of, who) => {
    const side = places[who];
    if (counted) return String(tallies.find((tally) => tally.name === counted)?.values[side] ?? '');
    return of ? sideWords(name, sides[side]).of : word(sides[side], name);
  });
}

/**
 * Why the server refused something, in the reader's language. The words for a code are with those of its game, or with
 * the general ones; without any the server's English stands.
 * @param {import('../../types/api.js').Refusal} refused @returns {string}
 */
export function refusal({ error, code, arguments: values }) {
  const game = code.split('.')[0];
  const template = find('refusals', code) ?? entry(contentOf(game).words.refusals, code);
  if (template === undefined) return error;
  return template.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => {
    const value = values[name] ?? whole;
    if (typeof value !== 'string') return refusal(value);
    const known = word(value, game);
    // A refusal that all games share does not say which game it is about.
    return known === value ? (wordOfAnyGame(value) ?? value) : known;
  });
}

/**
 * What a ruleset is called, and what is special about it.
 * @param {string} game @param {import('./api.js').Ruleset} ruleset @returns {{ name: string, summary: string }}
 */
export function rulesetText(game, ruleset) {
  return entry(contentOf(game).words.rulesets, ruleset.name) ?? ruleset;
}

/** The name of a ruleset as it is written with its settings. @param {string} game @param {string} written */
export function rulesetName(game, written) {
  const [name, ...settings] = written.split(',');
  return [entry(contentOf(game).words.rulesets, name)?.name ?? name, ...settings].join(', ');
}

/** How an agent is called. @param {string} spec @param {string} game the game it plays */
export function agentName(spec, game) {
  const level = /^engine:level=(\d+)$/.exec(spec);
  if (level) return t('agent_level', { level: level[1] });
  const names = /** @type {Record<string, string>} */ ({
    classic: t('agent_classic'),
    mcts: t('agent_mcts'),
    random: t('agent_random'),
  });
  return entry(contentOf(game).words.agents, spec) ?? entry(names, spec) ?? spec;
}
