// Tessella: a position for the start page, figures for the rules, positions to solve.

/** @type {import('../js/content.js').Content} */
export default {
  sample: { moves: 'c3-d4 d8-e7 g3-f4 g7-f7 f4xf7 e7xf7 f2-e3 f8-g7 h4-g5 h6-g6' },
  figures: [
    {},
    {
      position: '~~~~x~~~~/~~~x.x~~~/~~x.x.x~~/~x......~/........./~o..o..o~/~~o.o.o~~/~~~o..~~~/~~~~.~~~~ o',
      marks: ['e7'],
    },
  ],
  lessons: [
    { goal: { any: true } },
    {
      position: '~~~~x~~~~/~~~x.x~~~/~~x.x.x~~/~x......~/........./~o..o..o~/~~o.o.o~~/~~~o..~~~/~~~~.~~~~ o',
      goal: { pattern: 'x' },
    },
    {
      position: '~~~~x~~~~/~~~...~~~/~~x.x..~~/~......x~/........./~o..o..o~/~~o.o.o~~/~~~o..~~~/~~~~.~~~~ o',
      goal: { win: true },
    },
  ],
};
