// Goes from page to page without loading anew.

/** @type {() => Promise<void>} */
let show = async () => {};

/** Says who shows the address in the bar. @param {() => Promise<void>} shower */
export function onVisit(shower) {
  show = shower;
}

/** Goes to an address of ours. @param {string} address @param {{ replace?: boolean }} [options] */
export async function go(address, options = {}) {
  history[options.replace ? 'replaceState' : 'pushState'](null, '', address);
  scrollTo(0, 0);
  await show();
}
