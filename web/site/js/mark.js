// The mark of Quincunx: five dots.

import { s } from './dom.js';

const DOTS = /** @type {[number, number, string][]} */ ([
  [5, 5, 'a'],
  [19, 5, 'b'],
  [12, 12, 'c'],
  [5, 19, 'd'],
  [19, 19, 'e'],
]);

export function mark() {
  return s(
    'svg',
    { class: 'mark-of-quincunx', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    DOTS.map(([cx, cy, name]) => s('circle', { cx, cy, r: 3.6, class: `dot-${name}` })),
  );
}
