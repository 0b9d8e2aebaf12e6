// Keeps the page on this machine, so that it opens and plays without a network. Only a site without a server has it.

// `quincunx site` writes what the site consists of in place of these lines.
const VERSION = 'none';
/** @type {string[]} */
const FILES = [];
/** What is large and needed only once its game is opened: kept when there is time. @type {string[]} */
const LATER = [];

const worker = /** @type {any} */ (self);
const NAME = `quincunx ${VERSION}`;

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  const clean = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith('quincunx ') && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
    const cache = await caches.open(NAME);
    // Without them the games that need them wait for the network.
    await Promise.allSettled(LATER.map((file) => cache.add(file)));
  };
  event.waitUntil(clean());
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  const answer = async () => {
    const cache = await caches.open(NAME);
    const kept = await cache.match(request.mode === 'navigate' ? './index.html' : request, { ignoreSearch: true });
    return kept ?? fetch(request);
  };
  event.respondWith(answer());
});
