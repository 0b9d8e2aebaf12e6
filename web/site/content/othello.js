// Othello: a position for the start page, figures for the rules, positions to solve.

/** @type {import('../js/content.js').Content} */
export default {
  sample: { moves: 'e6 f4 d3 e7 f7 c3 e3 f2 c4 f6 f3 d2 d1 b4 e2 c1 b1 d6' },
  figures: [
    { marks: ['d3', 'c4', 'f5', 'e6'] },
    { moves: 'd3' },
    { position: '-OOX---------------O-------OXO-----XO-------O------------------- X', marks: ['a1'] },
  ],
  lessons: [
    { goal: { any: true } },
    { position: '---------X-X------OO-----XO------------------------------------- X', goal: { pattern: '^d4$' } },
    { position: '-OOX---------------O-------OXO-----XO-------O------------------- X', goal: { pattern: '^a1$' } },
  ],
};
