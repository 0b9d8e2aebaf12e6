// Which game to study: the one that a shared text is of, or one of the boards.

import { catalogue } from './api.js';
import { h, toast } from './dom.js';
import { sampleBoard } from './home.js';
import { t } from './i18n.js';
import { addressOf } from './import.js';
import { go } from './router.js';

/** @param {HTMLElement} place @param {string | null} text what another program shared */
export async function chooseBoard(place, text) {
  const { games } = await catalogue();
  if (text) {
    const address = await addressOf(
      games.map((known) => known.name),
      text,
    );
    if (address) return void (await go(address, { replace: true }));
    toast(t('import_unknown'), 'error');
  }
  document.title = `${t('nav_study')} · Quincunx`;
  place.append(
    h('div', { class: 'prose' }, h('h1', {}, t('nav_study')), h('p', {}, t('study_which'))),
    h(
      'nav',
      { class: 'boards', 'aria-label': t('nav_study') },
      games.map((known) => h('a', { href: `/study/${known.name}` }, sampleBoard(known), h('span', {}, known.title))),
    ),
  );
  return undefined;
}
