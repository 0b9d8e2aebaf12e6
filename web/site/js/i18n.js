// The words of the page, in the reader's language. All texts are in texts/, one file a language.

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
  texts = language in OTHERS ? (await OTHERS[language]()).default : en;
  document.documentElement.lang = language;
}

/** @param {string} name */
export async function setLanguage(name) {
  change({ language: name });
  await loadLanguage();
}

/** Looks a text up, in this language or else in English. @param {string[]} keys @returns {any} */
function find(keys) {
  for (const source of [texts, en]) {
    let found = /** @type {any} */ (source);
    for (const key of keys) found = found && Object.hasOwn(found, key) ? found[key] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A text of the page, `{name}` filled in. A text may be a pair for one and for many, by `count`.
 * @param {keyof Texts['page']} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  let text = find(['page', key]);
  if (Array.isArray(text)) text = text[values.count === 1 ? 0 : 1];
  return String(text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Words of a game that come from the server in English: sides, reasons, what is counted. @param {string} word */
export function word(word) {
  return /** @type {string} */ (find(['words', word]) ?? word);
}

/**
 * Why the server refused something, in the reader's language. The words for a code are with those of its game, or with
 * the general ones; without any the server's English stands.
 * @param {import('../../types/api.js').Refusal} refused @returns {string}
 */
export function refusal({ error, code, arguments: values }) {
  const template = find(['refusals', code]) ?? gameText(code.split('.')[0], 'refusals', code);
  if (template === undefined) return error;
  return template.replace(/\{(\w+)\}/g, (/** @type {string} */ whole, /** @type {string} */ name) => {
    const value = values[name] ?? whole;
    return typeof value === 'string' ? word(value) : refusal(value);
  });
}

/**
 * What a ruleset is called, and what is special about it.
 * @param {string} game @param {import('./api.js').Ruleset} ruleset @returns {{ name: string, summary: string }}
 */
export function rulesetText(game, ruleset) {
  return gameText(game, 'rulesets', ruleset.name) ?? ruleset;
}

/** The name of a ruleset as it is written with its settings. @param {string} game @param {string} written */
export function rulesetName(game, written) {
  const [name, ...settings] = written.split(',');
  return [gameText(game, 'rulesets', name)?.name ?? name, ...settings].join(', ');
}

/** A text about a game, or undefined where there is none. @param {string} game @param {string[]} keys @returns {any} */
export function gameText(game, ...keys) {
  return find(['games', game, ...keys]);
}

/** How an agent is called. @param {string} spec */
export function agentName(spec) {
  const level = /^engine:level=(\d+)$/.exec(spec);
  if (level) return t('agent_level', { level: level[1] });
  const names = /** @type {Record<string, string>} */ ({
    classic: t('agent_classic'),
    mcts: t('agent_mcts'),
    random: t('agent_random'),
    near: t('agent_near'),
  });
  return names[spec] ?? spec;
}
