// Shobu: a position for the start page, figures for the rules, positions to solve.

/** @type {import('../js/content.js').Content} */
export default {
  sample: {
    moves:
      'aa1:ba1:NE1 cb4:bb4:SW1 ab2:bb2:NW1 db4:ab4:SW1 ab1:ba3:N1 cc4:da3:S2 bd1:cc1:NW2 cd4:bc4:W2 ad1:bb3:NW1 ' +
      'dd4:cc2:SW1',
  },
  figures: [{}, { moves: 'ab1:db1:NE2' }],
  lessons: [
    { goal: { any: true } },
    { position: 'wwww........bbbb/ww.w......w.bbbb/wwww........bbbb/wwww..b.....bb.b b', goal: { takes: 'stones' } },
    { position: 'wwww........bbbb/wwww........bbbb/w...b..........b/wwww........bbbb b', goal: { win: true } },
  ],
};
