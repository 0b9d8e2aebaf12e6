// The tree of a study: its moves as they were written, and what they do, asked of the rules as far as they are looked
// at; its addresses.

import { Refusal, openLine } from './api.js';
import { toastError } from './dom.js';
import { isPlain } from './movetext.js';
import { writeSgf } from './sgf.js';
import { studyAddress } from './share.js';
import { ancestors, fill, lineThrough, movesTo, newNode, remove, textOf, wayTo } from './tree.js';

/** @typedef {import('./api.js').Line} Line */
/** @typedef {import('./tree.js').Node} Node */

export class StudyTree {
  /** @param {Line} line the main line @param {Node} root */
  constructor(line, root) {
    this.line = line;
    this.root = root;
  }

  /** The moves up to a node. @param {Node} node */
  lineTo(node) {
    const { game, ruleset, start } = this.line;
    return { game, ruleset, position: start, moves: movesTo(node).join(' ') };
  }

  /**
   * Asks what the moves through a node do. A move that the rules refuse leaves the tree. Whether the node is known now.
   * @param {Node} node
   */
  async open(node) {
    for (;;) {
      const path = lineThrough(node);
      const unknown = path.find((step) => !step.ply);
      if (!unknown) return true;
      const last = path[path.length - 1];
      const opened = await openLine(this.lineTo(last)).catch(() => null);
      if (opened) {
        fill(last, opened.plies);
        last.position = opened.position;
        continue;
      }
      try {
        fill(unknown, (await openLine(this.lineTo(unknown))).plies);
      } catch (error) {
        toastError(error);
        // Nothing is said against a move if nobody answers.
        if (!(error instanceof Refusal) || error.status === 0) return Boolean(node.ply);
        remove(unknown);
        if (ancestors(node).includes(unknown)) return false;
      }
    }
  }

  /** The position of a node. @param {Node} node */
  async positionOf(node) {
    node.position ??= (await openLine(this.lineTo(node))).position;
    return node.position;
  }

  /**
   * Puts moves behind a position: goes along what was tried before, otherwise begins a branch. The new positions, up to
   * the first move that the rules refuse.
   * @param {Node} from @param {string[]} moves
   */
  async grow(from, moves) {
    /** @type {Node[]} */ const grown = [];
    for (let parent = from; grown.length < moves.length; parent = grown[grown.length - 1]) {
      const child = await this.#childOf(parent, moves[grown.length]).catch(toastError);
      if (!child) break;
      grown.push(child);
    }
    return grown;
  }

  /** The position after a move, which it has from now on. @param {Node} parent @param {string} text */
  async #childOf(parent, text) {
    /** @param {string | null} move @returns {Node | undefined} */
    const named = (move) => parent.children.find((node) => node.text === move);
    const known = named(text);
    if (known) return known;
    const line = this.lineTo(parent);
    const opened = await openLine({ ...line, moves: `${line.moves} ${text}` });
    const ply = opened.plies[opened.plies.length - 1];
    const child = named(ply.text) ?? newNode(parent, ply.text ?? '', ply);
    child.position = opened.position;
    if (!parent.children.includes(child)) parent.children.push(child);
    return child;
  }

  /** The address of a node, with the whole tree around it. @param {Node} node */
  address(node) {
    const { game, ruleset, start } = this.line;
    const { ply, way } = wayTo(node);
    const address = studyAddress({ game, ruleset, position: start, moves: textOf(this.root) });
    const isEnd = !way && !node.children.length;
    return `${address}${isEnd ? '' : `&ply=${ply}`}${way ? `&way=${way}` : ''}`;
  }

  /** The address under which the position of a node can be changed. @param {Node} node */
  editAddress(node) {
    const { game, ruleset, start } = this.line;
    const address = studyAddress({ game, ruleset, position: node.position?.text ?? start });
    return address.replace('/study/', '/edit/');
  }

  /**
   * The whole study, to be shared.
   * @param {Node} node the one on the board @param {import('./api.js').About} about
   * @param {import('./api.js').Geometry} shape
   */
  async shared(node, { sgf }, shape) {
    const { game, ruleset, start, plies, position } = this.line;
    const isSetUp = Boolean(sgf) && (await openLine({ game, ruleset })).start !== start;
    const begins = { stones: plies[0].stones, toMove: plies[1]?.by ?? position.to_move, isSetUp };
    return {
      address: this.address(node),
      moves: textOf(this.root),
      isPlain: isPlain(this.root),
      sgf: sgf && writeSgf(this.root, shape, sgf, begins),
    };
  }
}
