// Live analysis: the bar beside the board, the best lines, the arrows.

import { arrowOf } from './board/selection.js';
import { h, renew, replace } from './dom.js';
import { sideWords, t } from './i18n.js';

/** @typedef {{ kind: 'estimate' | 'exact' | 'win' | 'loss', value: number }} Score */
/** @typedef {{ move: string, score: Score, win_probability: number, pv: string[] }} AnalysisLine */
/**
 * @typedef {{ type: 'analysis', id: number, depth: number, nodes: number, seconds: number, lines: AnalysisLine[],
 *   done: boolean }} Analysis
 */
/** @typedef {import('./api.js').Position} Position */
/** @typedef {import('./board/layers.js').Arrow} Arrow */

/**
 * What is known exactly about a position: which side wins, and by how much, with best play.
 * @param {Score} score for the side to move @param {number} toMove
 * @param {{ name: string, sides: [string, string] }} about the game
 */
export function solvedText(score, toMove, { name, sides }) {
  if (score.kind === 'estimate') return '';
  const words = (/** @type {number} */ side) => sideWords(name, sides[side]);
  if (score.kind !== 'exact')
    return t('solved_win', { ...words(score.kind === 'win' ? toMove : 1 - toMove), count: score.value });
  if (score.value === 0) return t('solved_draw');
  return t('solved', { ...words(score.value > 0 ? toMove : 1 - toMove), score: Math.abs(score.value) / 100 });
}

/** @param {Score} score */
export function scoreText(score) {
  if (score.kind === 'win') return t('win_in', { count: score.value });
  if (score.kind === 'loss') return t('loss_in', { count: score.value });
  const value = score.value / 100;
  const shown = `${value > 0 ? '+' : ''}${Number.isInteger(value) ? value : value.toFixed(1)}`;
  return score.kind === 'exact' ? t('solved_move', { score: shown }) : shown;
}

/** @param {number} chance */
const percent = (chance) => `${Math.round(chance * 100)} %`;

/** A bar that shows which side is ahead: the first side's share grows from the left; the number is where it ends. */
export class EvaluationBar {
  /** @param {[string, string]} colours @param {[string, string]} sides their names */
  constructor(colours, sides) {
    this.sides = sides;
    this.fill = h('div', { class: 'bar-fill' });
    this.text = h('span', { class: 'bar-text' });
    this.element = h('div', { class: 'bar off', role: 'img' }, this.fill, this.text);
    this.element.style.background = colours[1];
    this.fill.style.background = colours[0];
    this.show(0.5);
  }

  /** Shows the bar, or leaves its place empty. @param {boolean} on */
  toggle(on) {
    this.element.classList.toggle('off', !on);
  }

  /** @param {number} first the chance of the first side */
  show(first) {
    this.element.style.setProperty('--share', String(Math.max(0.02, Math.min(0.98, first))));
    const leader = first >= 0.5 ? 0 : 1;
    this.text.textContent = String(Math.round(100 * Math.max(first, 1 - first)));
    this.element.setAttribute(
      'aria-label',
      t('chance_of', { side: this.sides[leader], chance: percent(Math.max(first, 1 - first)) }),
    );
  }
}

/**
 * The list of lines. Somebody may be about to click one while it changes, so elements are updated and not replaced.
 */
export class Lines {
  /** @type {AnalysisLine[]} */ #found = [];
  /** @type {Record<'element' | 'move' | 'chance' | 'worth' | 'pv', HTMLElement>[]} */ #rows = [];

  /** @param {(moves: string[]) => void} follow plays the first moves of a line */
  constructor(follow) {
    this.follow = follow;
    this.summary = h('p', { class: 'muted small' });
    this.list = h('ol', { class: 'lines' });
    this.solved = h('p', { class: 'solved', role: 'status' });
    this.element = h('div', { class: 'analysis' }, this.solved, this.list, this.summary);
  }

  clear() {
    this.#rows = [];
    replace(this.list);
    this.solved.textContent = '';
    this.summary.textContent = t('analysis_waiting');
  }

  /** @param {number} index */
  #row(index) {
    const parts = {
      move: h('b'),
      chance: h('span', { class: 'chance' }),
      worth: h('span', { class: 'worth' }),
      pv: h('span', { class: 'pv' }),
    };
    const first = h(
      'button',
      { type: 'button', class: index === 0 ? 'best' : '', onclick: () => this.#play(index, 1) },
      parts.move,
      parts.chance,
      parts.worth,
    );
    return { element: h('li', {}, first, parts.pv), ...parts };
  }

  /** @param {number} index @param {number} count */
  #play(index, count) {
    this.follow(this.#found[index]?.pv.slice(0, count) ?? []);
  }

  /** @param {Analysis} found @param {number} toMove @param {import('./api.js').About} about */
  show(found, toMove, about) {
    this.#found = found.lines;
    const best = found.lines[0];
    this.solved.textContent = best ? solvedText(best.score, toMove, about) : '';
    for (const row of this.#rows.splice(found.lines.length)) row.element.remove();
    for (const [index, line] of found.lines.entries()) {
      if (index === this.#rows.length) {
        this.#rows.push(this.#row(index));
        this.list.append(this.#rows[index].element);
      }
      const row = this.#rows[index];
      row.move.textContent = line.move;
      row.chance.textContent = percent(line.win_probability);
      row.worth.textContent = scoreText(line.score);
      renew(
        row.pv,
        line.pv
          .slice(1, 8)
          .map((move, at) =>
            h('button', { type: 'button', 'data-at': at, onclick: () => this.#play(index, at + 2) }, move),
          ),
      );
    }
    this.summary.textContent = t('analysis_depth', {
      depth: found.depth,
      nodes: short(found.nodes),
      seconds: found.seconds.toFixed(1),
    });
  }
}

/** @param {number} nodes */
function short(nodes) {
  if (nodes < 1000) return String(nodes);
  return nodes < 1e6 ? `${(nodes / 1e3).toFixed(0)}k` : `${(nodes / 1e6).toFixed(1)}M`;
}

/** The arrows of an analysis. @param {Analysis} found @param {Position} position @returns {Arrow[]} */
export function arrowsOf(found, position) {
  /** @type {Arrow[]} */
  const arrows = [];
  found.lines.slice(0, 3).forEach((line, index) => {
    const choice = position.choices.find((known) => known.text === line.move);
    const text = String(Math.round(line.win_probability * 100));
    if (choice?.paths.length) arrows.unshift(arrowOf(choice, index === 0 ? 'best' : 'good', text));
  });
  return arrows;
}
