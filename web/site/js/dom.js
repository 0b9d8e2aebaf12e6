// Builds elements: text is always text, never markup.

import { linkTo } from './router.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, any>} Attributes */

/**
 * @param {Element} element
 * @param {Attributes} attributes `on…` are listeners; null and false are left out
 * @param {(Child | Child[])[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && (name === 'value' || name === 'checked' || name === 'disabled')) {
      /** @type {any} */ (element)[name] = value;
    } else if (name === 'href' && element instanceof HTMLAnchorElement) element.setAttribute(name, linkTo(value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  put(element, children);
}

/** @param {Element} element @param {(Child | Child[])[]} children */
function put(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes] @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag @param {Attributes} [attributes] @param {(Child | Child[])[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

/** Replaces what is in an element. @param {Element} element @param {(Child | Child[])[]} children */
export function replace(element, ...children) {
  element.replaceChildren();
  put(element, children);
}

/**
 * Replaces what is in an element, but keeps each child that looks the same as before: a pointer may be pressing it, or
 * it may have the focus. Its listeners stay, too, so they must not depend on when they were made.
 * @param {Element} element @param {(Child | Child[])[]} children
 */
export function renew(element, ...children) {
  const fresh = document.createElement('div');
  put(fresh, children);
  const old = [...element.childNodes];
  const focused = old.findIndex((child) => child.contains(document.activeElement));
  const kept = [...fresh.childNodes].map((child) => {
    const same = old.findIndex((known) => known.isEqualNode(child));
    return same < 0 ? child : old.splice(same, 1)[0];
  });
  for (const gone of old) gone.remove();
  // A child that stays in its place is not moved: that would end the press, too.
  for (const [index, child] of kept.entries())
    if (element.childNodes[index] !== child) element.insertBefore(child, element.childNodes[index] ?? null);
  // The focus goes to the child that took the place of the focused one.
  const next = element.childNodes[Math.min(focused, kept.length - 1)];
  if (focused >= 0 && !element.contains(document.activeElement) && next instanceof HTMLElement) next.focus();
}

/** The element of this id, which the page has. @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** The drawings on buttons: strokes in a square of 24. @type {Record<string, string>} */
const ICONS = {
  first: 'M18 6l-6 6 6 6M7 6v12',
  previous: 'M15 6l-6 6 6 6',
  next: 'M9 6l6 6-6 6',
  last: 'M6 6l6 6-6 6M17 6v12',
  flip: 'M7 4v14m0 0l-3-3m3 3l3-3M17 20V6m0 0l-3 3m3-3l3 3',
  undo: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 0 0a5 5 0 0 1 5 5v1',
  flag: 'M6 21V4m0 1h11l-2.5 4L17 13H6',
  draw: 'M5 9h14M5 15h14',
  hint: 'M9.5 18h5M10.5 21h3M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z',
  again: 'M4 12a8 8 0 0 1 13.7-5.6L20 9M20 4v5h-5M20 12a8 8 0 0 1-13.7 5.6L4 15M4 20v-5h5',
  study: 'M4 19V5m0 14h16M8 15l3.5-4 3 2.5L20 7',
  share: 'M12 15V4m0 0L8 8m4-4l4 4M5 13v6h14v-6',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5l9 7-9 7zM18 5v14',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z',
  sun:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 ' +
    '19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  restart: 'M4 12a8 8 0 1 0 3-6.2M4 4v5h5',
  leave: 'M14 4h5v16h-5M4 12h10m0 0l-4-4m4 4l-4 4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  sound: 'M4 10v4h4l5 4V6L8 10H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  silent: 'M4 10v4h4l5 4V6L8 10H4zM16 9.5l5 5M21 9.5l-5 5',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20a7.5 7.5 0 0 1 15 0',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5a6.5 6.5 0 0 1 13 0M16 4.4a3.5 3.5 0 0 1 0 6.3M18 ' +
    '13.6a6.5 6.5 0 0 1 3.5 5.9',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 1 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 1 0 11 18.7l1-1',
  engine: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  book: 'M5 4h9a4 4 0 0 1 4 4v12H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  up: 'M12 20V6m0 0l-5 5m5-5l5 5M5 3h14',
  pen: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  board: 'M4 4h16v16H4zM12 4v16M4 12h16',
  down: 'M12 4v11m0 0l-4-4m4 4l4-4M5 20h14',
};

/** A drawing for a button; the button itself says what it does. @param {string} name */
export function icon(name) {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: ICONS[name] ?? '' }));
}

/**
 * A button that is only a drawing; its text is a tooltip.
 * @param {string} name @param {string} text @param {() => void} act
 */
export function iconButton(name, text, act) {
  const attributes = { type: 'button', class: 'button square', title: text, 'aria-label': text, onclick: act };
  return h('button', attributes, icon(name));
}

/**
 * A button with a drawing and a text.
 * @param {string} name @param {string} text @param {() => void} act @param {string} [kind] more classes
 */
export function textButton(name, text, act, kind = '') {
  return h('button', { type: 'button', class: `button ${kind}`, onclick: act }, icon(name), h('span', {}, text));
}

/**
 * A link that looks like a button with a drawing and a text.
 * @param {string} name @param {string} text @param {string} href @param {Attributes} [more]
 */
export function textLink(name, text, href, more = {}) {
  return h('a', { class: 'button', href, ...more }, icon(name), h('span', {}, text));
}

/** Lets a screen reader say something. @param {string} text */
export function announce(text) {
  const announcer = byId('announcer');
  // A text is spoken again only if it changes.
  announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
}

/** Shows why something failed. @param {unknown} error */
export function toastError(error) {
  toast(error instanceof Error ? error.message : String(error), 'error');
}

/** Shows a line for a few seconds. @param {string} text @param {'note' | 'error'} [kind] */
export function toast(text, kind = 'note') {
  // Errors of the rules begin in the middle of a sentence.
  const said = kind === 'error' ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text;
  const line = h('div', { class: `toast ${kind}`, role: kind === 'error' ? 'alert' : 'status' }, said);
  byId('toasts').append(line);
  setTimeout(() => line.remove(), kind === 'error' ? 7000 : 4000);
}
