// The list of moves of a study: the main line two to a row, comments and branches below the moves they belong to.

import { h, renew } from './dom.js';
import { t } from './i18n.js';
import { keepInView } from './moves.js';
import { ancestors } from './tree.js';

/** @typedef {import('./tree.js').Node} Node */
/** @typedef {Map<Node, 'mistake' | 'blunder'>} Judged */

export class TreeList {
  /** Numbers of nodes, by which a button finds its own. @type {Node[]} */ #nodes = [];
  /** @type {Node | null} */ #current = null;
  /** @type {Judged} */ #judged = new Map();

  /** @param {(node: Node) => void} look */
  constructor(look) {
    this.element = h('ol', { class: 'moves tree', tabindex: -1, 'aria-label': t('moves') });
    this.element.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      const node = this.#nodes[Number(button?.dataset.node)];
      if (node) look(node);
    });
  }

  /** @param {Node} current @param {Judged} judged what a review found */
  show(current, judged) {
    this.#current = current;
    this.#judged = judged;
    const [root] = ancestors(current);
    const rows = root.comment ? [this.#aside(root, [])] : [];
    /** @type {(Node | null)[] | null} */
    let row = null;
    let depth = 1;
    const end = () => {
      if (row) rows.push(this.#row(row, depth));
      row = null;
    };
    for (let node = root; node.children.length; [node] = node.children) {
      const [main, ...others] = node.children;
      row ??= [null, null];
      row[(depth - 1) % 2] = main;
      if (depth % 2 === 0 || others.length || main.comment) end();
      depth += 1;
      if (others.length || main.comment) rows.push(this.#aside(main, others, depth - 1));
    }
    depth -= 1;
    end();
    renew(this.element, rows.length ? rows : h('li', { class: 'none' }, t('no_moves_yet')));
    keepInView(this.element);
  }

  /** @param {(Node | null)[]} moves @param {number} depth of the last of them */
  #row(moves, depth) {
    const number = Math.ceil(depth / 2);
    return h(
      'li',
      {},
      h('span', { class: 'number', 'aria-hidden': 'true' }, `${number}`),
      moves.map((node) => (node ? this.#move(node) : h('span', { class: 'muted' }, node === moves[0] ? '…' : ''))),
    );
  }

  /** What is said of a move, and what else was tried in its place. @param {Node} node @param {Node[]} others */
  #aside({ comment }, others, depth = 0) {
    return h(
      'li',
      { class: 'aside' },
      comment ? h('p', { class: 'comment' }, comment) : null,
      others.map((other) => h('p', { class: 'variation' }, this.#variation(other, depth))),
    );
  }

  /** A branch from its first move on. @param {Node} first @param {number} depth @returns {(Element | string)[]} */
  #variation(first, depth) {
    /** @type {(Element | string)[]} */
    const parts = [];
    const say = (/** @type {Node} */ node, /** @type {number} */ at) => {
      if (at % 2 || at === depth)
        parts.push(h('span', { class: 'number' }, `${Math.ceil(at / 2)}${at % 2 ? '.' : '…'}`));
      parts.push(this.#move(node));
      if (node.comment) parts.push(h('span', { class: 'comment' }, node.comment));
    };
    say(first, depth);
    let at = depth + 1;
    for (let node = first; node.children.length; [node] = node.children) {
      const [main, ...others] = node.children;
      say(main, at);
      for (const other of others) parts.push('(', ...this.#variation(other, at), ')');
      at += 1;
    }
    return parts;
  }

  /** @param {Node} node */
  #move(node) {
    let number = this.#nodes.indexOf(node);
    if (number < 0) number = this.#nodes.push(node) - 1;
    const judged = this.#judged.get(node);
    const glyph = node.glyph || (judged ? (judged === 'blunder' ? '??' : '?') : '');
    const isCurrent = node === this.#current;
    return h(
      'button',
      {
        type: 'button',
        'data-node': number,
        class: isCurrent ? 'current' : '',
        'aria-current': isCurrent ? 'step' : null,
      },
      node.text,
      glyph
        ? h(
            'span',
            { class: glyph.startsWith('!') ? 'judgement good' : 'judgement', title: judged && t(judged) },
            glyph,
          )
        : null,
    );
  }
}
