// The tree of what was tried in a study: a main line and branches, each move with its comment and glyph. Pure.

import { readMoves, writeMoves } from './movetext.js';

/** @typedef {import('./api.js').Ply} Ply */
/** @typedef {import('./movetext.js').Written} Written */
/**
 * A position in the tree. What a move of a branch does is known once the branch has been opened; the first child is
 * the main line.
 * @typedef {{ text: string, glyph: string, comment: string, ply: Ply | null, parent: Node | null, children: Node[],
 *   position: import('./api.js').Position | null, value: import('./graph.js').Value }} Node
 */

/** @param {Node | null} parent @param {string} text @param {Ply | null} ply @returns {Node} */
export function newNode(parent, text, ply = null) {
  return { text, glyph: '', comment: '', ply, parent, children: [], position: null, value: null };
}

/** The tree of a text: its root. @param {string} text */
export function treeOf(text) {
  const grow = (/** @type {Node | null} */ parent, /** @type {Written} */ { text: move, glyph, comment, children }) => {
    const node = Object.assign(newNode(parent, move), { glyph, comment });
    node.children = children.map((child) => grow(node, child));
    return node;
  };
  return grow(null, readMoves(text));
}

/** The text of a tree. @param {Node} root */
export const textOf = (root) => writeMoves(root);

/** From the root to a node. @param {Node} node */
export function ancestors(node) {
  const path = [];
  for (let step = /** @type {Node | null} */ (node); step; step = step.parent) path.unshift(step);
  return path;
}

/** From the root through a node to the end of its main continuation. @param {Node} node */
export function lineThrough(node) {
  const path = ancestors(node);
  for (let last = node; last.children.length;) {
    [last] = last.children;
    path.push(last);
  }
  return path;
}

/** The moves up to a node. @param {Node} node */
export const movesTo = (node) =>
  ancestors(node)
    .slice(1)
    .map(({ text }) => text);

/** Whether a node is on the main line. @param {Node} node */
export const isMain = (node) =>
  ancestors(node).every(({ parent }, depth, path) => !depth || parent?.children[0] === path[depth]);

/** Tells what the moves up to the last node of a line do. @param {Node} last @param {Ply[]} plies the start first */
export function fill(last, plies) {
  for (const [depth, node] of ancestors(last).entries()) {
    if (!plies[depth]) return;
    node.ply = plies[depth];
    node.text = plies[depth].text ?? '';
  }
}

/** Makes the branch of a node the main line, one branching closer to the start. @param {Node} node */
export function promote(node) {
  for (let step = node; step.parent; step = step.parent) {
    const { children } = step.parent;
    const at = children.indexOf(step);
    if (at === 0) continue;
    children.splice(at, 1);
    children.unshift(step);
    return;
  }
}

/** Takes a move and all that follows out of the tree; the node before it. @param {Node} node */
export function remove(node) {
  const { parent } = node;
  if (!parent) return node;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}

/**
 * Which way leads to a node: its depth, and at each position with several continuations the number of the one taken,
 * unless it is the main one everywhere.
 * @param {Node} node @returns {{ ply: number, way: string }}
 */
export function wayTo(node) {
  const path = ancestors(node);
  const turns = path.slice(1).flatMap((step, depth) => {
    const { children } = path[depth];
    return children.length > 1 ? [children.indexOf(step)] : [];
  });
  return { ply: path.length - 1, way: turns.some(Boolean) ? turns.join('.') : '' };
}

/** The node that a way leads to, or the last one on it. @param {Node} root @param {number} ply @param {string} way */
export function follow(root, ply, way) {
  const turns = way.split('.').map(Number);
  let node = root;
  for (let depth = 0; depth < ply && node.children.length; depth += 1) {
    const turn = node.children.length > 1 ? (turns.shift() ?? 0) : 0;
    node = node.children[turn] ?? node.children[0];
  }
  return node;
}
