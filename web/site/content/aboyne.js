// Aboyne: a position for the start page, figures for the rules, positions to solve.

/** @type {import('../js/content.js').Content} */
export default {
  sample: { moves: 'i1-h2 h6-g6 h1^h3 g7^g5 a1-a2 g6-f6 f1-f2 i5-h5 g1^e3 f8^d7 e2^e4 d8^d6 d1-e2 d7^d5' },
  figures: [
    {},
    { position: 'b...r/b....r/b.....r/b......r/....br.../b......r/b.....r/b....r/b...r b' },
    { position: 'b...r/b....r/b.....r/......../..bbr..../......../b.....r/b....r/b...r b', marks: ['e5'] },
  ],
  lessons: [
    { goal: { pattern: '\\^' } },
    { position: 'b...r/b....r/b.....r/......../..bbr..../......../b.....r/b....r/b...r b', goal: { pattern: 'x' } },
    { position: 'b.r../b.r.../b....../......../.......b./......../r....b./r...../b.... b', goal: { win: true } },
  ],
};
