// Goes from page to page without reloading.

/** @type {() => Promise<void>} */
let show = async () => {};

/** Sets the function that shows the page of the current address. @param {() => Promise<void>} shower */
export function onVisit(shower) {
  show = shower;
}

/** Goes to an address of ours. @param {string} address @param {{ replace?: boolean }} [options] */
export async function go(address, options = {}) {
  history[options.replace ? 'replaceState' : 'pushState'](null, '', address);
  scrollTo(0, 0);
  await show();
}
