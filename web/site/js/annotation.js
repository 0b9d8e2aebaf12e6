// What is said of a move in a study: a glyph, a comment; and what is done with its branch.

import { h, icon, textButton } from './dom.js';
import { t } from './i18n.js';
import { GLYPHS, LONGEST_COMMENT, cleanComment } from './movetext.js';
import { isMain } from './tree.js';

/** @typedef {import('./tree.js').Node} Node */

export class Annotation {
  /** @type {Node | null} */ #node = null;

  /** @param {{ changed: () => void, promote: (node: Node) => void, remove: (node: Node) => void }} acts */
  constructor(acts) {
    const names = [
      t('glyph_brilliant'),
      t('glyph_good'),
      t('glyph_interesting'),
      t('glyph_dubious'),
      t('glyph_mistake'),
      t('glyph_blunder'),
    ];
    this.glyphs = GLYPHS.map((glyph, at) =>
      h(
        'button',
        {
          type: 'button',
          class: 'chip',
          title: names[at],
          'aria-label': names[at],
          'aria-pressed': 'false',
          onclick: () => {
            if (!this.#node) return;
            this.#node.glyph = this.#node.glyph === glyph ? '' : glyph;
            this.#mark();
            acts.changed();
          },
        },
        glyph,
      ),
    );
    this.comment = h('textarea', {
      id: 'comment',
      rows: 3,
      maxlength: LONGEST_COMMENT,
      oninput: () => {
        if (!this.#node) return;
        this.#node.comment = cleanComment(this.comment.value);
        acts.changed();
      },
    });
    const act = (/** @type {(node: Node) => void} */ what) => () => {
      if (this.#node) what(this.#node);
    };
    this.promote = textButton('up', t('promote'), act(acts.promote));
    this.remove = textButton('trash', t('delete_from_here'), act(acts.remove));
    this.element = h(
      'details',
      { class: 'annotation' },
      h('summary', {}, icon('pen'), t('annotate')),
      h('div', { class: 'glyphs', role: 'group', 'aria-label': t('glyphs') }, this.glyphs),
      h('div', { class: 'field' }, h('label', { for: 'comment' }, t('comment')), this.comment),
      h('div', { class: 'row' }, this.promote, this.remove),
    );
  }

  /** @param {Node} node */
  show(node) {
    // The field keeps what is being typed, spaces included.
    if (node !== this.#node || cleanComment(this.comment.value) !== node.comment) this.comment.value = node.comment;
    this.#node = node;
    this.promote.disabled = isMain(node);
    this.remove.disabled = !node.parent;
    this.#mark();
  }

  #mark() {
    for (const [at, button] of this.glyphs.entries()) {
      button.disabled = !this.#node?.parent;
      button.setAttribute('aria-pressed', String(this.#node?.glyph === GLYPHS[at]));
    }
  }
}
