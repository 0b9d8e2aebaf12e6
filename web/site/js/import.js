// Reads what was pasted: a record, a position, or a list of moves.

import { openLine } from './api.js';
import { h, icon, toast } from './dom.js';
import { t } from './i18n.js';
import { go } from './router.js';
import { studyAddress } from './share.js';

/** @typedef {import('./api.js').LineWanted} LineWanted */

/** The most characters that can be imported; the server accepts no more. */
const LONGEST = 60_000;

/**
 * What a text may mean, the likeliest first.
 * @param {LineWanted} line where it is pasted @param {string} text @returns {LineWanted[]}
 */
function meanings(line, text) {
  if (!text.startsWith('{')) {
    // Move numbers are not moves.
    const moves = text.replace(/(^|\s)\d+\.(?=\s|$)/g, ' ');
    return [
      { game: line.game, ruleset: line.ruleset, position: text },
      { game: line.game, ruleset: line.ruleset, moves },
    ];
  }
  try {
    const record = JSON.parse(text);
    const optional = (/** @type {unknown} */ value) => (typeof value === 'string' ? value : undefined);
    const moves = Array.isArray(record.moves) ? record.moves.join(' ') : String(record.moves ?? '');
    return [
      {
        game: String(record.game ?? line.game),
        ruleset: optional(record.ruleset),
        position: optional(record.position),
        moves,
      },
    ];
  } catch {
    throw new Error(t('import_wrong'));
  }
}

/** The address of what was pasted. @param {LineWanted} line @param {string} text */
async function read(line, text) {
  /** @type {unknown} */
  let failure = new Error(t('import_wrong'));
  for (const wanted of meanings(line, text)) {
    try {
      const opened = await openLine(wanted);
      const moves = opened.plies
        .slice(1)
        .map((ply) => ply.text)
        .join(' ');
      return studyAddress({ game: opened.game, ruleset: opened.ruleset, position: opened.start, moves });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** A panel to paste into. @param {LineWanted} line */
export function importPanel(line) {
  const text = h('textarea', { id: 'import-text', rows: 4, maxlength: LONGEST, spellcheck: 'false' });
  const file = h('input', {
    id: 'import-file',
    class: 'hidden',
    type: 'file',
    accept: '.json,.txt',
    onchange: async () => {
      const chosen = file.files?.[0];
      if (!chosen) return;
      if (chosen.size > LONGEST) toast(t('import_large'), 'error');
      else text.value = await chosen.text();
    },
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    read(line, text.value.trim()).then(
      (address) => go(address),
      (error) => toast(error.message, 'error'),
    );
  };
  return h(
    'details',
    { class: 'panel share' },
    h('summary', {}, icon('down'), t('import')),
    h(
      'form',
      { class: 'share-body', onsubmit: submit },
      h('div', { class: 'field' }, h('label', { for: 'import-text' }, t('import_text')), text),
      h(
        'div',
        { class: 'row' },
        h('label', { class: 'button' }, icon('book'), h('span', {}, t('import_file')), file),
        h('button', { class: 'button primary', type: 'submit' }, t('import_do')),
      ),
    ),
  );
}
