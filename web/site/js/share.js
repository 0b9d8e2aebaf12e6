// What can be taken away: addresses, texts, files and pictures.

import { openLine, pictureAddress } from './api.js';
import { h, icon, iconButton, replace, toast } from './dom.js';
import { field } from './new-game.js';
import { t } from './i18n.js';

/** @typedef {import('./api.js').LineWanted} LineWanted */
/** @typedef {{ line: LineWanted, position: string | null, gameId?: string }} Shared */

/** The address under which a line of moves can be looked at. @param {LineWanted} line */
export function studyAddress(line) {
  const query = new URLSearchParams(Object.entries(line).filter(([name, value]) => name !== 'game' && value));
  return `/study/${line.game}?${query}`;
}

/** A panel to share what is shown at the moment it is opened. @param {() => Shared} current */
export function sharePanel(current) {
  const body = h('div', { class: 'share-body' });
  const element = h('details', { class: 'panel share' }, h('summary', {}, icon('share'), t('share')), body);
  const fill = async () => {
    const { line, position, gameId } = current();
    const text = position ?? (await openLine(line)).position.text;
    const rows = [
      gameId ? copyable(t('share_game'), `${location.origin}/play/${gameId}`) : null,
      copyable(t('share_position'), location.origin + studyAddress({ ...line, position: text, moves: '' })),
      copyable(t('position_text'), text),
      copyable(t('move_list'), line.moves ?? ''),
    ];
    const picture = pictureAddress(line);
    replace(
      body,
      rows,
      h(
        'div',
        { class: 'row' },
        h(
          'a',
          {
            class: 'button',
            href: gameId ? `/api/games/${gameId}/record` : recordAddress(line),
            download: `${line.game}.json`,
          },
          icon('down'),
          t('record_file'),
        ),
        h('a', { class: 'button', href: picture, download: `${line.game}.svg` }, icon('down'), t('picture_svg')),
        h(
          'button',
          { class: 'button', type: 'button', onclick: () => void savePng(picture, `${line.game}.png`) },
          icon('down'),
          t('picture_png'),
        ),
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

/** A record of a line that is no game of the server. @param {LineWanted} line */
function recordAddress(line) {
  const record = {
    game: line.game,
    ruleset: line.ruleset,
    position: line.position,
    moves: (line.moves ?? '').split(' ').filter(Boolean),
  };
  return `data:application/json,${encodeURIComponent(JSON.stringify(record, null, 2))}`;
}

/** @param {string} text @param {string} value */
function copyable(text, value) {
  const shown = h('input', { readonly: true, value, onfocus: () => shown.select() });
  const row = field(text, shown);
  const copy = iconButton('copy', `${t('copy')}: ${text}`, () => {
    shown.select();
    void navigator.clipboard?.writeText(value).then(() => toast(t('copied')));
  });
  shown.replaceWith(h('div', { class: 'copy-row' }, h('span')));
  const place = row.querySelector('.copy-row');
  place?.replaceChildren(shown, copy);
  return row;
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
