//! Othello on 8x8, and on 6x6 and 4x4.

mod book;
mod classic;
mod discs;
mod encoding;
mod endgame;
mod evaluation;
mod formats;
mod shallow;
mod tactics;
mod text;
mod themes;

use quincunx_game::{
    About, FirstMove, Geometry, Outcome, Palette, Position, RulesetAbout, Side, SquareBoard, Stones, Tally, TextError,
    bits::{Bits, nth_bit},
    board_text,
    exchange::Plain,
    geometry::Tone,
    position::random_below,
    position_of_stones, square_board,
};
use quincunx_search::{
    Entry, content,
    entry::{Grading, OwnAgent, Typed},
};
use rand::Rng;

use discs::{flips, mobility};
pub use evaluation::Evaluation;
pub use tactics::Counts;

static ABOUT: About = About {
    name: "othello",
    title: "Othello",
    summary: "Goro Hasegawa, 1971: outflank discs on 8x8 to flip them; most discs win",
    sides: ["Black", "White"],
    glyphs: ['●', '○'],
    rulesets: &[
        RulesetAbout { name: "8x8", summary: "the game", repetition: 0, plies: 0, first: FirstMove::Fixed },
        RulesetAbout { name: "6x6", summary: "on 6x6 squares", repetition: 0, plies: 0, first: FirstMove::Fixed },
        RulesetAbout { name: "4x4", summary: "on 4x4 squares", repetition: 0, plies: 0, first: FirstMove::Fixed },
    ],
    palette: Palette {
        frame: "#2b2320",
        plain: "#2f8455",
        alternate: "#2a784d",
        line: "#1d5638",
        label: "#d9cbb0",
        stones: ["#1f1f22", "#f3efe6"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<Evaluation>::VARIANT, &Typed::<Counts<6>>::VARIANT, &Typed::<Counts<4>>::VARIANT],
    book: Some(book::embedded),
    // A page trains nothing.
    train: if cfg!(target_family = "wasm") { None } else { Some(evaluation::train) },
    agents: &[OwnAgent {
        name: "classic",
        help: "the agent of the game's document: classic:depth=3",
        build: classic::build,
    }],
    content: content!("en", "pt", "zh"),
    files: &Plain,
    grading: Grading::USUAL,
    formats: formats::FORMATS,
};

/// The end of a game that is won: the side with more discs wins.
pub const MOST_DISCS: &str = "most discs";

/// The end of a game that is drawn.
pub const EQUAL_DISCS: &str = "equal discs";

/// A position on an `N` x `N` board, `N` being 8, 6 or 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello<const N: usize = 8> {
    /// The discs, by their bits on 8x8 squares.
    stones: Stones,
}

/// A square by its bit, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub(crate) u8);

impl Move {
    /// The forced pass.
    pub const PASS: Self = Self(64);
}

impl<const N: usize> Othello<N> {
    const RIM: usize = (8 - N) / 2;

    /// The squares of the board.
    pub(crate) const BOARD: u64 = {
        let mut board = 0;
        let mut cell = 0;
        while cell < N * N {
            board |= 1 << Self::bit_of_cell(cell);
            cell += 1;
        }
        board
    };

    const fn bit_of_cell(cell: usize) -> usize {
        8 * (cell / N + Self::RIM) + cell % N + Self::RIM
    }

    const fn cell_of_bit(bit: usize) -> usize {
        N * (bit / 8 - Self::RIM) + bit % 8 - Self::RIM
    }

    /// The discs of the side to move and of the other side, on the middle of an 8x8 bitboard.
    pub fn discs(&self) -> (u64, u64) {
        (self.stones.own, self.stones.enemy)
    }

    /// The squares where the side to move may place a disc.
    #[inline]
    pub fn placements(&self) -> u64 {
        Self::placements_of(self.stones.own, self.stones.enemy)
    }

    /// The squares where the other side could place a disc.
    #[inline]
    fn enemy_placements(&self) -> u64 {
        Self::placements_of(self.stones.enemy, self.stones.own)
    }

    #[inline]
    fn placements_of(own: u64, enemy: u64) -> u64 {
        let found = mobility(own, enemy);
        if N == 8 { found } else { found & Self::BOARD }
    }

    /// The score of a finished game for the first side: the difference of discs, empty squares given to the winner.
    pub fn final_score(&self) -> i32 {
        let [black, white] = self.stones.by_side().map(|discs| discs.count_ones() as i32);
        let empty = (N * N) as i32 - black - white;
        black - white + (black - white).signum() * empty
    }
}

impl<const N: usize> Position for Othello<N> {
    type Move = Move;

    const SYMMETRIES: usize = square_board::SYMMETRIES;

    position_of_stones!(stones, Self::bit_of_cell);

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let black = (1 << 28) | (1 << 35);
        let white = (1 << 27) | (1 << 36);
        let plays = matches!((ruleset, N), ("8x8", 8) | ("6x6", 6) | ("4x4", 4));
        plays.then_some(Self { stones: Stones::new([black, white], Side::First) })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, _counts: &[[u32; 2]]) -> String {
        text::write_stones::<N>(|cell| stones[cell], to_move)
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.placements() != 0 || self.enemy_placements() != 0 {
            return None;
        }
        let winner = match self.final_score() {
            0 => None,
            score if score > 0 => Some(Side::First),
            _ => Some(Side::Second),
        };
        Some(Outcome { winner, reason: if winner.is_some() { MOST_DISCS } else { EQUAL_DISCS } })
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        let places = self.placements();
        if places == 0 {
            if self.enemy_placements() != 0 {
                visit(Move::PASS);
            }
            return;
        }
        for square in Bits(places) {
            visit(Move(square as u8));
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        match self.placements().count_ones() {
            0 => u64::from(self.enemy_placements() != 0),
            count => u64::from(count),
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        let places = self.placements();
        if places == 0 {
            return (self.enemy_placements() != 0).then_some(Move::PASS);
        }
        let rank = random_below(rng, u64::from(places.count_ones()));
        Some(Move(nth_bit(places, rank as u32) as u8))
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Stones {
        self.stones.play(|own, enemy| {
            if mv == Move::PASS {
                return (own, enemy);
            }
            let flips = flips(own, enemy, u32::from(mv.0));
            (own | flips | 1 << (mv.0 % 64), enemy & !flips)
        })
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::PASS
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move::<N>(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        Self { stones: self.stones.mapped(|discs| transformed_bits(discs, symmetry)) }
    }

    fn transformed_move(&self, mv: Move, symmetry: usize) -> Move {
        if mv == Move::PASS {
            return mv;
        }
        Move(transformed_bits(1 << (mv.0 % 64), symmetry).trailing_zeros() as u8)
    }

    fn colours_swapped(&self) -> Self {
        Self { stones: self.stones.colours_swapped() }
    }

    fn geometry(&self) -> Geometry {
        const FRAME: f32 = 0.7;
        let board = SquareBoard {
            size: N,
            margin: FRAME + 0.5,
            label: FRAME / 2.0,
            stride: 3,
            tone: Tone::Plain,
            stone_radius: 0.42,
            letter: board_text::letter,
            number: |row| row + 1,
            name: |row, column| board_text::cell_name(column, row),
            labels_all_around: false,
        };
        let mut geometry = board.geometry();
        if N == 8 {
            geometry.dots =
                [(2.0, 2.0), (6.0, 2.0), (2.0, 6.0), (6.0, 6.0)].map(|(x, y)| (x + FRAME, y + FRAME)).to_vec();
        }
        geometry
    }

    fn cells(&self) -> usize {
        N * N
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        if mv == Move::PASS { Vec::new() } else { vec![Self::cell_of_bit(mv.0 as usize)] }
    }

    fn tallies(&self) -> Vec<Tally> {
        let discs = self.stones.by_side().map(u64::count_ones);
        let mut tallies = vec![Tally { name: "discs", values: discs }];
        if self.outcome().is_some() {
            let half = (N * N) as i32;
            let score = self.final_score();
            tallies.push(Tally { name: "score", values: [half + score, half - score].map(|twice| (twice / 2) as u32) });
        }
        tallies
    }
}

/// A bitboard through a symmetry of the square: bit 0 of the number mirrors it upside down, bit 1 left to right, bit 2
/// along the diagonal.
const fn transformed_bits(mut bits: u64, symmetry: usize) -> u64 {
    const SWAPS: [(u32, u64); 3] =
        [(28, 0x0000_0000_f0f0_f0f0_u64), (14, 0x0000_cccc_0000_cccc), (7, 0x00aa_00aa_00aa_00aa)];
    if symmetry & 1 != 0 {
        bits = bits.swap_bytes();
    }
    if symmetry & 2 != 0 {
        bits = bits.reverse_bits().swap_bytes();
    }
    if symmetry & 4 != 0 {
        let mut step = 0;
        while step < SWAPS.len() {
            let (distance, mask) = SWAPS[step];
            let moved = (bits ^ (bits >> distance)) & mask;
            bits ^= moved ^ (moved << distance);
            step += 1;
        }
    }
    bits
}
