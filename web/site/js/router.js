// Goes from page to page without reloading, and says what an address is: a path on a server, or what stands behind the
// `#` of a page that lies on a static host, which knows no paths but those of its files.

/** Whether the page has no server: `quincunx site` wrote it. */
export const isStatic = document.documentElement.dataset.backend === 'page';

/** @type {() => Promise<void>} */
let show = async () => {};

/** Sets the function that shows the page of the current address. @param {() => Promise<void>} shower */
export function onVisit(shower) {
  show = shower;
}

/** The address in the bar, as if it were a path of a server. */
export function here() {
  const written = isStatic ? location.hash.slice(1) || '/' : location.pathname + location.search;
  const [path, ...query] = written.split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}

/** What a link to an address of ours has. @param {string} address */
export function linkTo(address) {
  return isStatic && address.startsWith('/') && !address.startsWith('/api/') ? `#${address}` : address;
}

/** An address of ours that can be sent to somebody. @param {string} address */
export function sendable(address) {
  return isStatic ? location.href.split('#')[0] + linkTo(address) : location.origin + address;
}

/** Goes to an address of ours. @param {string} address @param {{ replace?: boolean }} [options] */
export async function go(address, options = {}) {
  history[options.replace ? 'replaceState' : 'pushState'](null, '', linkTo(address));
  scrollTo(0, 0);
  await show();
}

/** Changes the address without going anywhere. @param {string} address */
export function rename(address) {
  history.replaceState(null, '', linkTo(address));
}
