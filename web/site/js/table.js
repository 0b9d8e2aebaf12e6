// The page around a board: where its parts go, walking through the moves, typing a move, and the state of the game.

import { h, iconButton } from './dom.js';
import { rulesetName, t } from './i18n.js';

/** @typedef {import('./api.js').About} About */
/** @typedef {import('./board/board.js').Board} Board */
/** @typedef {import('./dom.js').Child} Child */

/**
 * Puts a board and what belongs to it on the page.
 * @param {HTMLElement} place @param {string} title
 * @param {{ board: Child[], state: Child[], moves: Child[], more: Child[] }} parts
 * @param {((by: number) => void) | null} step walks through the moves; by Infinity goes to an end; null without moves
 */
export function layTable(place, title, parts, step) {
  const moves = step && h('div', { class: 'panel moves-panel' }, walkRow(step), parts.moves);
  const state = h('div', { class: 'panel state' }, parts.state);
  const column = h('div', { class: 'board-column' }, parts.board);
  const frame = /** @type {HTMLElement | null} */ (column.querySelector('.board-frame'));
  // What stands above and below the board is as wide as it.
  column.style.setProperty('--aspect', frame?.style.getPropertyValue('--aspect') ?? '1');
  place.append(
    h('h1', { class: 'hidden' }, title),
    h('div', { class: 'table' }, column, h('div', { class: 'side-column' }, state, moves, parts.more)),
  );
}

/** The heading of the moves, with buttons to walk through them. @param {(by: number) => void} step */
function walkRow(step) {
  const walk = [
    iconButton('first', t('step_first'), () => step(-Infinity)),
    iconButton('previous', t('step_back'), () => step(-1)),
    iconButton('next', t('step_on'), () => step(1)),
    iconButton('last', t('step_last'), () => step(Infinity)),
  ];
  return h('div', { class: 'title-row' }, h('h2', {}, t('moves')), h('div', { class: 'steppers' }, walk));
}

/** The name of a game, with a link to its rules, and of its ruleset. @param {About} about @param {string} ruleset */
export function titleRow(about, ruleset) {
  const title = h('a', { class: 'title', href: `/rules/${about.name}`, title: t('rules') }, about.title);
  return h('div', { class: 'title-row' }, title, h('span', { class: 'muted' }, rulesetName(about.name, ruleset)));
}

/** A form to type a move into. @param {(move: string) => void} play */
export function typedForm(play) {
  const input = h('input', {
    id: 'typed',
    placeholder: t('type_move'),
    'aria-label': t('type_move'),
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    maxlength: 40,
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const move = input.value.trim();
    input.value = '';
    if (move) play(move);
  };
  const button = h('button', { class: 'button', type: 'submit' }, t('play_move'));
  return h('form', { class: 'typed-form', onsubmit: submit }, input, button);
}

/**
 * How a game ended, in two sentences: the result and the reason.
 * @param {string} result @param {string} reason @returns {Child[]}
 */
export function resultText(result, reason) {
  return [h('strong', {}, t('sentence', { text: result })), ' ', h('span', { class: 'muted' }, reason)];
}

/**
 * That a side must pass, and a button to do so.
 * @param {{ side: string, of: string }} side @param {() => void} pass @returns {Child[]}
 */
export function passText(side, pass) {
  const button = h('button', { class: 'button', type: 'button', onclick: pass }, t('play_move'));
  return [t('passes', side), ' ', button];
}

/**
 * Listens for the keys that walk through the moves, cancel a move and flip the board.
 * @param {Board} board @param {(by: number) => void} step @param {() => void} flip
 * @returns {() => void} ends it
 */
export function listenForKeys(board, step, flip) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  const listener = (/** @type {KeyboardEvent} */ event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target?.closest('input, select, textarea, dialog, summary')) return;
    // On the board the arrow keys go from cell to cell, unless Shift is down.
    const isOnBoard = board.element.contains(target) && !event.shiftKey;
    if (event.key in steps && !(isOnBoard && event.key.startsWith('Arrow'))) step(steps[event.key]);
    else if (event.key === 'Escape') board.cancel();
    else if (event.key === 'f') flip();
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}
