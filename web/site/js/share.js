// What can be shared or saved: addresses, texts, files and pictures.

import { openLine, pictureAddress, queryOf, recordAddress } from './api.js';
import { h, icon, iconButton, replace, textButton, textLink, toast } from './dom.js';
import { t } from './i18n.js';
import { mainLine, readMoves } from './movetext.js';
import { isStatic, sendable } from './router.js';

/** @typedef {import('./api.js').LineWanted} LineWanted */
/**
 * What is shared: a line, where it leads, the game it belongs to, and the study around it.
 * @typedef {{ line: LineWanted, position: string | null, gameId?: string,
 *   study?: Promise<{ address: string, moves: string, isPlain: boolean, sgf: string | null }> }} Shared
 */

/** The address under which a line of moves can be looked at. @param {LineWanted} line */
export function studyAddress(line) {
  const { game, ...rest } = line;
  return `/study/${game}?${queryOf(rest)}`;
}

/** A panel to share what is shown at the moment it is opened. @param {() => Shared} current */
export function sharePanel(current) {
  const body = h('div', { class: 'share-body' });
  const element = h('details', { class: 'panel share' }, h('summary', {}, icon('share'), t('share')), body);
  let asked = 0;
  const fill = async () => {
    const mine = (asked += 1);
    const { line, position, gameId, study: shared } = current();
    const study = await shared;
    const text = position ?? (await openLine(line)).position.text;
    const rows = [
      gameId && !isStatic ? copyable(t('share_game'), sendable(`/play/${gameId}`)) : null,
      study ? copyable(t('share_study'), sendable(study.address)) : null,
      copyable(t('share_position'), sendable(studyAddress({ ...line, position: text, moves: '' }))),
      copyable(t('position_text'), text),
      copyable(t('move_list'), line.moves ?? ''),
      study && !study.isPlain ? copyable(t('move_tree'), study.moves) : null,
    ];
    const picture = await pictureAddress(line);
    const record = gameId ? await recordAddress(gameId) : recordOf(line, study);
    // What is shown has changed meanwhile.
    if (mine !== asked) return;
    replace(
      body,
      rows,
      h(
        'div',
        { class: 'row' },
        textLink('down', t('record_file'), record, { download: `${line.game}.json` }),
        study?.sgf
          ? textLink('down', 'SGF', `data:application/x-go-sgf,${encodeURIComponent(study.sgf)}`, {
              download: `${line.game}.sgf`,
            })
          : null,
        textLink('down', t('picture_svg'), picture, { download: `${line.game}.svg` }),
        textButton('down', t('picture_png'), () => void savePng(picture, `${line.game}.png`)),
      ),
    );
  };
  element.addEventListener('toggle', () => {
    if (element.open) void fill().catch((error) => toast(String(error.message), 'error'));
  });
  return Object.assign(element, {
    refresh: () => {
      if (element.open) void fill().catch(() => {});
    },
  });
}

/**
 * A record of a line that is no game of the server: its main line, and the tree if there is more.
 * @param {LineWanted} line @param {{ moves: string, isPlain: boolean }} [study]
 */
function recordOf({ game, ruleset, position, moves = '' }, study) {
  const record = {
    game,
    ruleset,
    position,
    moves: study ? mainLine(readMoves(study.moves)) : moves.split(' ').filter(Boolean),
    tree: study && !study.isPlain ? study.moves : undefined,
  };
  return `data:application/json,${encodeURIComponent(JSON.stringify(record, null, 2))}`;
}

/**
 * A text to copy, with a button that copies it.
 * @param {string} value @param {string} label of the button
 * @param {import('./dom.js').Attributes} [attributes] of the text
 */
export function copyRow(value, label, attributes = {}) {
  const shown = h('input', { readonly: true, value, onfocus: () => shown.select(), ...attributes });
  const copy = iconButton('copy', label, () => {
    shown.select();
    void navigator.clipboard?.writeText(value).then(() => toast(t('copied')));
  });
  return h('div', { class: 'copy-row' }, shown, copy);
}

let copied = 0;

/** A field with a text to copy. @param {string} text @param {string} value */
function copyable(text, value) {
  const id = `copy${(copied += 1)}`;
  const row = copyRow(value, `${t('copy')}: ${text}`, { id });
  return h('div', { class: 'field' }, h('label', { for: id }, text), row);
}

/** Draws an SVG picture into a PNG file. @param {string} address @param {string} name */
async function savePng(address, name) {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    toast(t('offline'), 'error');
    return;
  }
  const canvas = h('canvas', { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (!blob) return;
    const file = URL.createObjectURL(blob);
    h('a', { href: file, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(file), 10_000);
  }, 'image/png');
}
