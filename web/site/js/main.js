// The page: its frame, and which view an address shows.

import { Refusal, catalogue } from './api.js';
import { announce, byId, h, iconButton, replace } from './dom.js';
import { LANGUAGES, language, loadLanguage, setLanguage, t } from './i18n.js';
import { change, settings } from './settings.js';
import { mark } from './mark.js';
import { go, here, isStatic, linkTo, onVisit } from './router.js';

/** @typedef {{ close?: () => void }} View */

/**
 * The views by the first word of the address.
 * @type {Record<string, () => Promise<{ open: (place: HTMLElement, rest: string[], query: URLSearchParams) =>
 * Promise<View | void> }>>}
 */
const VIEWS = {
  '': () => import('./home.js'),
  play: () => import('./play.js'),
  study: () => import('./study.js'),
  edit: () => import('./edit.js'),
  games: () => import('./games.js'),
  rules: () => import('./rules.js'),
  learn: () => import('./learn.js'),
  contests: () => import('./contests.js'),
  lobby: () => import('./lobby.js'),
  puzzles: () => import('./puzzles.js'),
  progress: () => import('./progress.js'),
};

/** @type {View | void} */
let current;
let visits = 0;
/** Whether the server shows contests. */
let contests = false;
/** Whether it has a lobby. */
let lobby = false;

/** Shows the view of the address in the bar. */
async function show() {
  const visit = (visits += 1);
  current?.close?.();
  current = undefined;
  const parts = addressParts();
  const [first = '', ...rest] = parts ?? [''];
  const main = byId('main');
  const place = h('div', { class: `view view-${first || 'home'}` });
  document.title = 'Quincunx';
  frame();
  // A question asked on the page before is no longer asked.
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  replace(main, place);
  // The keyboard goes on in the new page, not at the top of the document.
  if (visit > 1) main.focus({ preventScroll: true });
  try {
    if (!parts || !Object.hasOwn(VIEWS, first)) throw new Error('no such page');
    const view = await VIEWS[first]();
    const opened = await view.open(place, rest, here().query);
    if (visit === visits) {
      current = opened;
      if (visit > 1) announce(document.title);
    } else opened?.close?.();
  } catch (error) {
    if (visit === visits) notFound(place, error);
  }
}

/** The words of the address; null if it is not text. @returns {string[] | null} */
function addressParts() {
  try {
    return here().path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Milliseconds between two attempts to reach a server that does not answer. */
const RETRY = 4000;

/** Says that the server does not answer, and tries again. @param {HTMLElement} place */
function offline(place) {
  const again = () => {
    clearInterval(timer);
    void show();
  };
  const timer = setInterval(() => {
    if (place.isConnected) again();
    else clearInterval(timer);
  }, RETRY);
  replace(
    place,
    h(
      'div',
      { class: 'empty-page' },
      mark(),
      h('h1', {}, t('offline')),
      h('p', {}, t('offline_more')),
      h('button', { class: 'button primary', type: 'button', onclick: again }, t('retry')),
    ),
  );
}

/** @param {HTMLElement} place @param {unknown} error */
function notFound(place, error) {
  // A part of the page that cannot be loaded fails with a TypeError.
  if ((error instanceof Refusal && error.status === 0) || error instanceof TypeError) {
    offline(place);
    return;
  }
  if (error instanceof Refusal && error.status === 401) {
    void import('./lobby.js').then(({ askPassword }) => askPassword(place, error.message));
    return;
  }
  replace(
    place,
    h(
      'div',
      { class: 'empty-page' },
      mark(),
      h('h1', {}, t('not_found')),
      h('p', {}, t('not_found_more')),
      h('a', { class: 'button primary', href: '/' }, t('to_start_page')),
    ),
  );
}

function frame() {
  byId('skip').textContent = t('skip');
  const dark = () =>
    document.documentElement.dataset.theme === 'dark' ||
    (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  const languages = h(
    'select',
    {
      'aria-label': t('language'),
      class: 'plain',
      onchange: async () => {
        await setLanguage(languages.value);
        await show();
        byId('top').querySelector('select')?.focus();
      },
    },
    LANGUAGES.map(([name, own]) => h('option', { value: name, lang: name, selected: name === language }, own)),
  );
  replace(
    byId('top'),
    h('a', { class: 'brand', href: '/', 'aria-label': `Quincunx, ${t('home')}` }, mark(), h('span', {}, 'Quincunx')),
    h('nav', { 'aria-label': 'Quincunx' }, links()),
    h(
      'div',
      { class: 'tools' },
      LANGUAGES.length > 1 ? languages : null,
      iconButton(settings.sounds ? 'sound' : 'silent', settings.sounds ? t('sounds_off') : t('sounds_on'), () => {
        change({ sounds: !settings.sounds });
        frame();
        /** @type {HTMLElement | null} */ (byId('top').querySelector('.tools button'))?.focus();
      }),
      iconButton(dark() ? 'sun' : 'moon', t('theme'), () => {
        const theme = dark() ? 'light' : 'dark';
        change({ theme });
        document.documentElement.dataset.theme = theme;
        frame();
        /** @type {HTMLElement | null} */ (byId('top').querySelector('.tools button:last-child'))?.focus();
      }),
    ),
  );
}

/** Links to the pages that can be reached from everywhere. */
function links() {
  /** @type {[string, string][]} */
  const pages = [
    ['/', t('nav_play')],
    ['/games', t('nav_games')],
    ['/study', t('nav_study')],
    ['/puzzles', t('puzzles')],
  ];
  if (contests) pages.push(['/contests', t('nav_contests')]);
  if (lobby) pages.push(['/lobby', t('nav_lobby')]);
  return pages.map(([address, text]) =>
    h('a', { href: address, 'aria-current': here().path.split('/')[1] === address.slice(1) ? 'page' : null }, text),
  );
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (
    !link ||
    link.target ||
    link.hasAttribute('download') ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
  if (isStatic && !link.hash) return;
  event.preventDefault();
  if (link.hash && !link.hash.startsWith('#/') && link.pathname === location.pathname) byId(link.hash.slice(1)).focus();
  else void go(isStatic ? link.hash.slice(1) : link.pathname + link.search);
});
addEventListener('popstate', () => void show());
onVisit(show);

// What another program shares arrives behind the address of the start page.
const shared = new URLSearchParams(location.search).get('text');
if (shared && here().path === '/')
  history.replaceState(
    null,
    '',
    (isStatic ? location.pathname : '') + linkTo(`/study?${new URLSearchParams({ text: shared })}`),
  );
if (isStatic) void navigator.serviceWorker?.register('./service-worker.js').catch(() => {});

await loadLanguage();
const shown = show();
catalogue().then(
  (found) => {
    ({ contests, lobby } = found);
    if (contests || lobby) frame();
  },
  () => {},
);
await shown;
