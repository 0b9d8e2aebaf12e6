// The dialog for a new game: opponent, side, rules, clock.

import { createGame } from './api.js';
import { h, icon, replace, toastError } from './dom.js';
import { agentName, rulesetText, sideNames, t } from './i18n.js';
import { go, isStatic } from './router.js';
import { change, keepSeat, settings } from './settings.js';

/** @typedef {import('./api.js').About} About */
/** @typedef {'engine' | 'here' | 'link' | 'watch'} Opponent */

const CLOCKS = /** @type {[number, number][]} */ ([
  [1, 1],
  [3, 2],
  [5, 3],
  [10, 5],
  [30, 10],
]);
const LEVEL = 'engine:level=';

/**
 * Asks how to play and starts the game.
 * @param {About} about @param {{ ruleset?: string, position?: string, moves?: string }} [from] where to begin
 */
export async function newGame(about, from = {}) {
  const remembered = settings.opponent;
  const sides = sideNames(about);

  const opponents = /** @type {[Opponent, string, string][]} */ ([
    ['engine', 'engine', t('opponent_engine')],
    ['here', 'people', t('opponent_here')],
    ['link', 'link', t('opponent_link')],
    ['watch', 'eye', t('opponent_watch')],
  ]);
  // Without a server nobody can come by a link.
  const possible = opponents.filter(([kind]) => kind !== 'link' || !isStatic);
  const opponent = choice(
    'opponent',
    t('opponent'),
    possible.map(([value, drawing, text]) => [value, text, icon(drawing)]),
    remembered.kind ?? 'engine',
    'tiles',
  );
  const side = choice(
    'side',
    t('you_play'),
    [
      ['0', sides[0]],
      ['1', sides[1]],
      ['random', t('side_random')],
    ],
    remembered.side ?? '0',
  );
  const strength = agentField(about, t('strength'), remembered.spec);
  const first = agentField(about, sides[0], remembered.first);
  const second = agentField(about, sides[1], remembered.second);
  const rulesets = h(
    'select',
    { id: 'new-ruleset' },
    about.rulesets.map((ruleset) =>
      h(
        'option',
        { value: ruleset.name, selected: ruleset.name === from.ruleset },
        `${rulesetText(about.name, ruleset).name}: ${rulesetText(about.name, ruleset).summary}`,
      ),
    ),
  );
  const begins = h('select', { id: 'new-begins' });
  const clock = h(
    'select',
    { id: 'new-clock' },
    h('option', { value: '' }, t('no_clock')),
    CLOCKS.map(([minutes, seconds]) =>
      h('option', { value: `${minutes * 60},${seconds}` }, t('clock_of', { minutes, seconds })),
    ),
  );
  const name = h('input', {
    id: 'new-name',
    maxlength: 24,
    value: settings.name,
    autocomplete: 'nickname',
    placeholder: t('you'),
  });

  const rulesField = field(t('variant'), rulesets);
  const beginsField = field(t('who_begins'), begins);
  const clockField = field(t('clock'), clock);
  const nameField = field(t('your_name'), name);
  const form = h(
    'form',
    { method: 'dialog' },
    h(
      'header',
      {},
      h('h2', { id: 'new-title' }, about.title),
      h(
        'button',
        { class: 'button square quiet', type: 'button', 'aria-label': t('close'), onclick: () => dialog.close() },
        icon('close'),
      ),
    ),
    h(
      'div',
      { class: 'fields' },
      opponent.element,
      strength.element,
      first.element,
      second.element,
      side.element,
      h('div', { class: 'pair' }, rulesField, beginsField),
      h('div', { class: 'pair' }, clockField, nameField),
    ),
    h(
      'footer',
      {},
      h('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, t('cancel')),
      h('button', { class: 'button primary', type: 'submit' }, icon('play'), h('span', {}, t('start'))),
    ),
  );
  const dialog = h('dialog', { class: 'sheet', 'aria-labelledby': 'new-title' }, form);

  const adapt = () => {
    const kind = opponent.value();
    strength.element.hidden = kind !== 'engine';
    first.element.hidden = second.element.hidden = kind !== 'watch';
    side.element.hidden = kind === 'here' || kind === 'watch';
    nameField.hidden = kind === 'watch' || kind === 'here';
    clockField.hidden = kind === 'watch';
    rulesField.hidden = about.rulesets.length < 2 || Boolean(from.position || from.moves);
    const ruleset = about.rulesets.find((known) => known.name === rulesets.value) ?? about.rulesets[0];
    beginsField.hidden = ruleset.first === null || Boolean(from.position || from.moves);
    if (ruleset.first !== null && begins.childElementCount === 0) {
      replace(
        begins,
        about.sides.map((name, index) =>
          h('option', { value: name.toLowerCase(), selected: ruleset.first === index }, sides[index]),
        ),
        h('option', { value: 'random', selected: ruleset.first === 'random' }, t('by_lot')),
      );
    }
  };
  form.addEventListener('change', adapt);
  rulesets.addEventListener('change', () => replace(begins));
  adapt();

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const kind = /** @type {Opponent} */ (opponent.value());
    change({
      name: name.value.trim(),
      opponent: { kind, side: side.value(), spec: strength.value(), first: first.value(), second: second.value() },
    });
    const mine = side.value() === 'random' ? Math.floor(Math.random() * 2) : Number(side.value());
    /** @type {import('../../types/api.js').Seat} */
    const me = { kind: 'me', name: name.value.trim() };
    /** @type {Record<Opponent, import('../../types/api.js').GameWanted['seats']>} */
    const pairs = {
      engine: [me, { kind: 'engine', spec: strength.value() }],
      here: [{ kind: 'me' }, { kind: 'me' }],
      link: [me, { kind: 'invited' }],
      watch: [
        { kind: 'engine', spec: first.value() },
        { kind: 'engine', spec: second.value() },
      ],
    };
    const seats = pairs[kind];
    if (mine === 1 && (kind === 'engine' || kind === 'link')) seats.reverse();
    const ruleset = from.ruleset ?? (beginsField.hidden ? rulesets.value : `${rulesets.value},first=${begins.value}`);
    const [initial, increment] = clock.value.split(',').map(Number);
    const timed = clock.value && !clockField.hidden ? { initial, increment } : null;
    try {
      const made = await createGame({ game: about.name, seats, clock: timed, ...from, ruleset });
      keepSeat(made.id, { tokens: made.tokens, invite: made.invite ?? undefined, at: Date.now() });
      dialog.close();
      await go(`/play/${made.id}`);
    } catch (error) {
      toastError(error);
    }
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  opponent.focus();
}

let fields = 0;

/** @param {string} text @param {HTMLElement} control */
export function field(text, control) {
  control.id ||= `field${(fields += 1)}`;
  return h('div', { class: 'field' }, h('label', { for: control.id }, text), control);
}

/**
 * One of several, as a row of buttons.
 * @param {string} name @param {string} text @param {[string, string, Node?][]} options @param {string} chosen
 * @param {string} [style]
 */
function choice(name, text, options, chosen, style = '') {
  const group = `${name}${(fields += 1)}`;
  const valid = options.some(([value]) => value === chosen) ? chosen : options[0][0];
  const element = h(
    'fieldset',
    { class: `choice ${style}` },
    h('legend', {}, text),
    h(
      'div',
      { class: 'options' },
      options.map(([value, label, drawing]) =>
        h(
          'label',
          {},
          h('input', { type: 'radio', name: group, value, checked: value === valid }),
          h('span', {}, drawing, label),
        ),
      ),
    ),
  );
  const checked = () => /** @type {HTMLInputElement | null} */ (element.querySelector('input:checked'));
  return { element, value: () => checked()?.value ?? valid, focus: () => checked()?.focus() };
}

/**
 * An agent of a game: a level on a scale, or one of the others.
 * @param {About} about @param {string} text @param {string} [chosen]
 */
function agentField(about, text, chosen) {
  const levels = about.agents.filter((spec) => spec.startsWith(LEVEL));
  const others = about.agents.filter((spec) => !spec.startsWith(LEVEL));
  const known = chosen && [...levels, ...others].includes(chosen) ? chosen : (levels[2] ?? levels[0] ?? others[0]);
  const kinds = h(
    'select',
    { 'aria-label': `${text}: ${t('kind')}` },
    levels.length ? h('option', { value: LEVEL, selected: known.startsWith(LEVEL) }, t('agent_levels')) : null,
    others.map((spec) => h('option', { value: spec, selected: spec === known }, agentName(spec, about.name))),
  );
  const scale = h('input', { type: 'range', min: 1, max: Math.max(1, levels.length), step: 1, 'aria-label': text });
  scale.value = known.startsWith(LEVEL) ? known.slice(LEVEL.length) : '3';
  const shown = h('output', {});
  const element = h(
    'fieldset',
    { class: 'choice agent' },
    h('legend', {}, text),
    h('div', { class: 'agent-row' }, kinds, h('div', { class: 'scale' }, scale, shown)),
  );
  const adapt = () => {
    const byLevel = kinds.value === LEVEL;
    /** @type {HTMLElement} */ (scale.parentElement).hidden = !byLevel;
    const key = /** @type {any} */ (`level_${scale.value}`);
    shown.textContent = `${scale.value} · ${t(key)}`;
    scale.setAttribute('aria-valuetext', shown.textContent);
  };
  element.addEventListener('input', adapt);
  adapt();
  return { element, value: () => (kinds.value === LEVEL ? `${LEVEL}${scale.value}` : kinds.value) };
}
