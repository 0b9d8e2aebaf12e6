// A panel for what was pasted: a record, a position, or a list of moves in any common form.

import { geometry, importGame } from './api.js';
import { h, icon, toast } from './dom.js';
import { t } from './i18n.js';
import { isPlain, mainLine, readMoves, writeMoves } from './movetext.js';
import { go } from './router.js';
import { readSgf } from './sgf.js';
import { studyAddress } from './share.js';

/** @typedef {import('./api.js').LineWanted} LineWanted */

/** The most characters that can be imported; the server accepts no more. */
const LONGEST = 60_000;

/** The address of what was pasted. @param {LineWanted} line where it is pasted @param {string} text */
async function read({ game, ruleset }, text) {
  const opened = await importGame({ game, ruleset, text });
  const moves = await movesOf(opened, text);
  return studyAddress({ game: opened.game, ruleset: opened.ruleset, position: opened.start, moves });
}

/**
 * The moves of what was pasted, with its branches, comments and glyphs.
 * @param {import('./api.js').Line} opened its main line @param {string} text
 */
async function movesOf({ game, ruleset, plies }, text) {
  const root = await writtenIn(text, game, ruleset).catch(() => null);
  const main = plies.slice(1).map((ply) => ply.text ?? '');
  if (!root || isPlain(root) || mainLine(root).length !== main.length) return main.join(' ');
  // The main line was read by the rules, which know how its moves are written.
  for (let node = root; node.children.length; [node] = node.children) node.children[0].text = main.shift() ?? '';
  return writeMoves(root);
}

/** @param {string} text @param {string} game @param {string} ruleset */
async function writtenIn(text, game, ruleset) {
  if (text.startsWith('{') && text.includes('"tree"')) return readMoves(String(JSON.parse(text).tree ?? ''));
  return text.startsWith('(') ? readSgf(text, await geometry(game, ruleset)) : readMoves(text);
}

/**
 * The address of what was shared, in the first game that can read it; null if none can.
 * @param {string[]} games @param {string} text
 */
export async function addressOf(games, text) {
  for (const game of games) {
    const address = await read({ game }, text).catch(() => null);
    if (address) return address;
  }
  return null;
}

/** A panel to paste into. @param {LineWanted} line */
export function importPanel(line) {
  const text = h('textarea', { id: 'import-text', rows: 4, maxlength: LONGEST, spellcheck: 'false' });
  const file = h('input', {
    id: 'import-file',
    class: 'hidden',
    type: 'file',
    accept: '.json,.txt,.sgf,.ggf,.pgn',
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
