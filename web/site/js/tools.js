// The tools of a game: what those who play it, or watch two engines, can do now.

import { h, textButton, textLink } from './dom.js';
import { t } from './i18n.js';
import { askToResign } from './notices.js';
import { beginAgain } from './onward.js';

/**
 * What the tools do.
 * @typedef {{ act: (request: import('./connection.js').Request) => void, hint: () => void, flip: () => void }} Acts
 */

/**
 * A button that cannot be used now stays in its place, so that none jumps under the pointer.
 * @param {string} name @param {string} text @param {() => void} act
 */
function tool(name, text, act, possible = true) {
  const button = textButton(name, text, act, 'tool');
  button.disabled = !possible;
  return button;
}

/**
 * The buttons and links of a game, in their order.
 * @param {import('./onward.js').Held} of @param {Acts} acts @param {string} study the address of the position
 */
export function toolsOf({ game, held }, { act, hint, flip }, study) {
  const { now, plies, seats } = game;
  const seated = held.seats.includes(true);
  const playing = seated && !now.outcome;
  const alone = [0, 1].every((side) => held.seats[side] || seats[side].engine);
  const tools = held.control && !now.outcome ? watchTools(now, act) : [];
  if (seated && (playing || alone)) {
    const hasMoved = plies.some((ply) => ply.by !== null && held.seats[ply.by] && ply.text !== 'pass');
    tools.push(tool('undo', t('undo'), () => act({ type: 'undo' }), hasMoved));
  }
  if (playing) {
    tools.push(
      tool('flag', t('resign'), () => askToResign(() => act({ type: 'resign' }))),
      tool('draw', t('draw'), () => act({ type: 'draw' }), plies.length > 2),
    );
    if (alone) tools.push(tool('hint', t('hint'), hint, held.seats[now.position.to_move] && !now.thinking));
  }
  tools.push(tool('flip', t('flip'), flip));
  if (now.outcome || alone || held.control)
    tools.push(textLink('study', t('analyse'), study, { class: 'button tool' }));
  if (alone || held.control)
    tools.push(tool('restart', t('restart'), () => void beginAgain(game, (seat) => seat), plies.length > 1));
  tools.push(textLink('leave', t('leave'), '/', { class: 'button tool' }));
  return tools;
}

/**
 * What whoever watches two engines can do.
 * @param {import('./api.js').Now} now @param {Acts['act']} act @returns {HTMLElement[]}
 */
function watchTools(now, act) {
  const speed = h('input', {
    type: 'range',
    min: 0,
    max: 3000,
    step: 100,
    'aria-label': t('speed'),
    title: t('speed'),
    onchange: () => act({ type: 'speed', delay: Number(speed.value) }),
  });
  speed.value = String(now.delay);
  return [
    tool(now.paused ? 'play' : 'pause', now.paused ? t('go_on') : t('pause'), () =>
      act({ type: 'pause', paused: !now.paused }),
    ),
    tool('step', t('step'), () => act({ type: 'step' })),
    h('label', { class: 'speed' }, speed, h('span', { 'aria-hidden': 'true' }, t('speed'))),
  ];
}
