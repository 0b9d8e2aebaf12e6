//! Pente on 19x19: five in a row or five captured pairs.

mod board;
mod cells;
mod classic;
mod encoding;
mod evaluation;
mod files;
mod formats;
mod lines;
mod net;
mod patterns;
mod stones;
mod tactics;
mod text;
mod themes;
mod threats;

#[cfg(test)]
mod tactics_tests;
#[cfg(test)]
mod tests;

use quincunx_game::{
    About, FirstMove, Geometry, Outcome, Palette, Position, RulesetAbout, Side, Tally, TextError,
    bits::{Bits, nth_bit},
    hash::mix,
    position::random_below,
    square_board,
};
use quincunx_search::{
    Entry, content,
    entry::{Grading, OwnAgent, Typed},
};
use rand::Rng;

pub use evaluation::Evaluation;
use stones::{LINES, Stones};

static ABOUT: About = About {
    name: "pente",
    title: "Pente",
    summary: "Gary Gabrel, 1977: five in a row on 19x19, or five captured pairs",
    sides: ["White", "Black"],
    glyphs: ['○', '●'],
    rulesets: &[
        RulesetAbout {
            name: "tournament",
            summary: "White's first stone on the centre, the second at least 3 intersections from it",
            repetition: 0,
            plies: 0,
            first: FirstMove::Fixed,
        },
        RulesetAbout {
            name: "free",
            summary: "no restriction on White's stones",
            repetition: 0,
            plies: 0,
            first: FirstMove::Fixed,
        },
    ],
    palette: Palette {
        frame: "#d9a962",
        plain: "#e2b872",
        alternate: "#d9a962",
        line: "#6b4a21",
        label: "#5a3c18",
        stones: ["#f5f2ea", "#232326"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<Evaluation>::VARIANT],
    book: None,
    train: if cfg!(target_family = "wasm") { None } else { Some(net::train) },
    agents: &[
        OwnAgent { name: "classic", help: "the agent of the game's document: classic:depth=3", build: classic::build },
        OwnAgent { name: "near", help: "random next to a stone", build: |_, _, seed| Ok(classic::near(seed)) },
    ],
    content: content!("en", "pt", "zh"),
    files: &files::Files,
    // The run of the assignment: against random play near the stones, and against minimax.
    grading: Grading { opponents: &[("near", "random"), ("classic", "minimax")], ..Grading::USUAL },
    formats: formats::FORMATS,
};

/// The end by a line.
pub const FIVE_IN_A_ROW: &str = "five in a row";
/// The end by captures.
pub const FIVE_CAPTURES: &str = "five captures";
/// The end without a winner.
pub const BOARD_FULL: &str = "board full";

/// Lines each way.
const SIZE: usize = 19;
const FULL_ROW: u32 = (1 << SIZE) - 1;

/// The captured stones that win.
const STONES_TO_WIN: u8 = 10;
/// The most stones a side can have captured: the last move may take a pair in each of eight directions.
const MOST_CAPTURED: u8 = STONES_TO_WIN - 2 + 16;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pente {
    stones: Stones,
    /// The keys of all stones, combined.
    stones_hash: u64,
    /// The intersections without a stone.
    empty: u16,
    /// The stones captured by each side.
    captured: [u8; 2],
    to_move: Side,
    phase: Phase,
}

/// What may be played, as far as the stones before decide it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Every empty intersection.
    Open,
    /// As above, but this side has placed no stone yet: if neither side has, the first goes on the centre.
    First(Side),
    /// As above, but this side has placed one stone: its second goes outside the central 5x5.
    Second(Side),
    /// Nothing more: this side has five in a row.
    FiveInARow(Side),
    /// Nothing more: this side has five captures.
    FiveCaptures(Side),
    /// Nothing more: a draw.
    BoardFull,
}

/// A stone on an intersection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    row: u8,
    column: u8,
}

impl Move {
    const CENTRE: Self = Self::at(SIZE / 2, SIZE / 2);

    /// The intersection on this row, 0 at the top, and this column, 0 at the left; both below 19.
    pub const fn at(row: usize, column: usize) -> Self {
        assert!(row < SIZE && column < SIZE);
        Self { row: row as u8, column: column as u8 }
    }

    /// Its row, 0 at the top.
    #[inline]
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// Its column, 0 at the left.
    #[inline]
    pub const fn column(self) -> usize {
        self.column as usize
    }

    #[inline]
    const fn of_cell(cell: usize) -> Self {
        Self { row: (cell / SIZE) as u8, column: (cell % SIZE) as u8 }
    }

    #[inline]
    const fn cell(self) -> usize {
        self.row() * SIZE + self.column()
    }

    /// The intersection so many rows further down and columns further right, if it is on the board.
    fn moved(self, down: i32, right: i32) -> Option<Self> {
        let on_board = |from: u8, by: i32| usize::try_from(i32::from(from) + by).ok().filter(|&line| line < SIZE);
        Some(Self::at(on_board(self.row, down)?, on_board(self.column, right)?))
    }
}

/// What [`Pente::undo`](Position::undo) needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    stones_hash: u64,
    /// The pairs taken, as [`stones::Around::captures`] gives them.
    pairs: u16,
    phase: Phase,
}

/// A random number for each stone: what the hash is made of. Computing them each time takes a tenth more time in
/// playouts.
static KEYS: [[u64; SIZE * SIZE]; 2] = {
    let mut keys = [[0; SIZE * SIZE]; 2];
    let mut index = 0;
    while index < 2 * SIZE * SIZE {
        // The finaliser of SplitMix64, whose outputs for a counter are as good as random.
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(index as u64 + 1);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[index % 2][index / 2] = bits ^ (bits >> 31);
        index += 1;
    }
    keys
};

#[inline]
fn key(side: Side, place: Move) -> u64 {
    KEYS[side.index()][place.cell()]
}

/// The two stones of each of the `pairs` around `place`.
fn stones_of_pairs(pairs: u16, place: Move) -> impl Iterator<Item = Move> {
    Bits(u64::from(pairs)).flat_map(move |bit| {
        let (down, right) = LINES[bit as usize / 4];
        let sign = if bit % 2 == 0 { -1 } else { 1 };
        [1, 2].into_iter().filter_map(move |step| place.moved(sign * step * down, sign * step * right))
    })
}

/// The stones of a side that stand in a line of five or more.
fn stones_in_fives(stones: &Stones, side: Side) -> impl Iterator<Item = Move> {
    let in_five = move |&(owner, place): &(Side, Move)| owner == side && stones.around(place).makes_five(side);
    stones.iter().filter(in_five).map(|(_, place)| place)
}

fn has_five(stones: &Stones, side: Side) -> bool {
    stones_in_fives(stones, side).next().is_some()
}

impl Pente {
    /// The position with these stones; `restricted` says whether the rules restrict White's first two stones.
    fn set_up(stones: Stones, to_move: Side, captured: [u8; 2], restricted: bool) -> Self {
        let occupied: u32 = Side::BOTH.iter().map(|&side| stones.count(side)).sum();
        let mut position = Self {
            stones,
            stones_hash: 0,
            empty: (SIZE * SIZE) as u16 - occupied as u16,
            captured,
            to_move,
            phase: if restricted { Phase::First(Side::First) } else { Phase::Open },
        };
        position.stones_hash = position.stones_hash_from_scratch();
        for side in Side::BOTH {
            position.phase = position.phase_after_stone(side, has_five(&stones, side));
        }
        position
    }

    /// The stones captured by a side.
    pub fn captured(&self, side: Side) -> u8 {
        self.captured[side.index()]
    }

    /// The phase when `side` has placed a stone and its captures are off the board.
    fn phase_after_stone(&self, side: Side, five: bool) -> Phase {
        if self.captured(side) >= STONES_TO_WIN {
            return Phase::FiveCaptures(side);
        }
        if five {
            return Phase::FiveInARow(side);
        }
        match self.phase {
            Phase::Open | Phase::First(_) | Phase::Second(_) if self.empty == 0 => Phase::BoardFull,
            Phase::First(opener) | Phase::Second(opener) => match self.placed(opener) {
                0 => Phase::First(opener),
                1 => Phase::Second(opener),
                _ => Phase::Open,
            },
            phase => phase,
        }
    }

    /// The stones a side has placed: those on the board and those that were captured.
    fn placed(&self, side: Side) -> u32 {
        self.stones.count(side) + u32::from(self.captured(!side))
    }

    /// The places of a row where the side to move may put a stone.
    #[inline]
    fn open_row(&self, row: usize) -> u32 {
        let empty = FULL_ROW & !self.stones.occupied_row(row);
        match self.phase {
            Phase::First(opener) if opener == self.to_move && self.empty as usize == SIZE * SIZE => {
                u32::from(row == Move::CENTRE.row()) << Move::CENTRE.column()
            }
            Phase::Second(opener) if opener == self.to_move && row.abs_diff(Move::CENTRE.row()) < 3 => {
                empty & !(0b11111 << (Move::CENTRE.column() - 2))
            }
            Phase::Open | Phase::First(_) | Phase::Second(_) => empty,
            Phase::FiveInARow(_) | Phase::FiveCaptures(_) | Phase::BoardFull => 0,
        }
    }

    #[inline]
    fn may_place(&self, place: Move) -> bool {
        self.open_row(place.row()) >> place.column() & 1 != 0
    }

    /// The legal move with `rank` legal moves before it.
    fn move_of_rank(&self, mut rank: u32) -> Option<Move> {
        (0..SIZE).find_map(|row| {
            let open = self.open_row(row);
            let count = open.count_ones();
            if rank < count {
                return Some(Move::at(row, nth_bit(u64::from(open), rank) as usize));
            }
            rank -= count;
            None
        })
    }

    /// What placing a stone rarely causes: captures, and another phase.
    #[cold]
    fn settle(&mut self, place: Move, pairs: u16, five: bool) {
        let (side, enemy) = (!self.to_move, self.to_move);
        self.toggle_pairs(enemy, pairs, place);
        let taken = 2 * pairs.count_ones() as u8;
        self.captured[side.index()] = self.captured(side).wrapping_add(taken);
        self.empty = self.empty.wrapping_add(u16::from(taken));
        self.phase = self.phase_after_stone(side, five);
    }

    /// Takes the stones of `enemy` off, or puts them back.
    fn toggle_pairs(&mut self, enemy: Side, pairs: u16, place: Move) {
        for stone in stones_of_pairs(pairs, place) {
            self.stones.toggle(enemy, stone);
            self.stones_hash ^= key(enemy, stone);
        }
    }

    fn stones_hash_from_scratch(&self) -> u64 {
        self.stones.iter().fold(0, |hash, (side, place)| hash ^ key(side, place))
    }

    /// The position with every stone changed to its image.
    fn with_stones(&self, image: impl Fn(Side, Move) -> (Side, Move)) -> Self {
        let mut position = Self { stones: Stones::NONE, ..*self };
        for (side, place) in self.stones.iter() {
            let (side, place) = image(side, place);
            position.stones.toggle(side, place);
        }
        position.stones_hash = position.stones_hash_from_scratch();
        position
    }

    #[inline]
    fn hash_with(&self, stones_hash: u64) -> u64 {
        let [white, black] = self.captured.map(u64::from);
        stones_hash ^ mix(white << 16 | black << 8 | self.to_move.index() as u64, 1)
    }
}

impl Position for Pente {
    type Move = Move;
    type Undo = Undo;

    const SYMMETRIES: usize = square_board::SYMMETRIES;
    const COUNTS: &'static [&'static str] = &["captures"];

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let restricted = match ruleset {
            "tournament" => true,
            "free" => false,
            _ => return None,
        };
        Some(Self::set_up(Stones::NONE, Side::First, [0, 0], restricted))
    }

    fn parse(ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(ruleset == "tournament", text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, counts: &[[u32; 2]]) -> String {
        // Captures are counted in pairs, the text tells stones.
        let [pairs] = counts else { return String::new() };
        text::write_stones(|cell| stones[cell], to_move, pairs.map(|pairs| pairs.saturating_mul(2)))
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Open | Phase::First(_) | Phase::Second(_) => None,
            Phase::FiveInARow(side) => Some(Outcome::win(side, FIVE_IN_A_ROW)),
            Phase::FiveCaptures(side) => Some(Outcome::win(side, FIVE_CAPTURES)),
            Phase::BoardFull => Some(Outcome::draw(BOARD_FULL)),
        }
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        for row in 0..SIZE {
            for column in Bits(u64::from(self.open_row(row))) {
                visit(Move::at(row, column as usize));
            }
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        match self.phase {
            Phase::Open => u64::from(self.empty),
            _ => (0..SIZE).map(|row| u64::from(self.open_row(row).count_ones())).sum(),
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        /// After so many occupied places, one of the empty ones is counted out.
        const TRIES: u32 = 16;
        if self.phase == Phase::Open {
            for _ in 0..TRIES {
                let place = Move::of_cell(random_below(rng, (SIZE * SIZE) as u64) as usize);
                if self.stones.occupied_row(place.row()) >> place.column() & 1 == 0 {
                    return Some(place);
                }
            }
        }
        self.move_of_rank(random_below(rng, self.count_moves()) as u32)
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Undo {
        let (side, enemy) = (self.to_move, !self.to_move);
        let around = self.stones.around(mv);
        let (pairs, five) = (around.captures(side), around.makes_five(side));
        let undo = Undo { stones_hash: self.stones_hash, pairs, phase: self.phase };

        self.stones.toggle(side, mv);
        self.stones_hash ^= key(side, mv);
        self.empty = self.empty.wrapping_sub(1);
        self.to_move = enemy;
        if pairs != 0 || five || self.empty == 0 || self.phase != Phase::Open {
            self.settle(mv, pairs, five);
        }
        undo
    }

    #[inline]
    fn undo(&mut self, mv: Move, undo: Undo) {
        let (side, enemy) = (!self.to_move, self.to_move);
        self.stones.toggle(side, mv);
        self.empty = self.empty.wrapping_add(1);
        self.to_move = side;
        if undo.pairs != 0 {
            self.toggle_pairs(enemy, undo.pairs, mv);
            let taken = 2 * undo.pairs.count_ones() as u8;
            self.captured[side.index()] = self.captured(side).wrapping_sub(taken);
            self.empty = self.empty.wrapping_sub(u16::from(taken));
        }
        self.stones_hash = undo.stones_hash;
        self.phase = undo.phase;
    }

    fn hand_over(&mut self) {
        self.to_move = !self.to_move;
    }

    #[inline]
    fn hash(&self) -> u64 {
        self.hash_with(self.stones_hash)
    }

    fn move_text(&self, mv: Move) -> String {
        text::name(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        self.with_stones(|side, place| (side, self.transformed_move(place, symmetry)))
    }

    fn transformed_move(&self, mv: Move, symmetry: usize) -> Move {
        let (row, column) = square_board::image((mv.row(), mv.column()), SIZE, symmetry);
        Move::at(row, column)
    }

    fn colours_swapped(&self) -> Self {
        let [white, black] = self.captured;
        let phase = match self.phase {
            Phase::First(side) => Phase::First(!side),
            Phase::Second(side) => Phase::Second(!side),
            Phase::FiveInARow(side) => Phase::FiveInARow(!side),
            Phase::FiveCaptures(side) => Phase::FiveCaptures(!side),
            phase @ (Phase::Open | Phase::BoardFull) => phase,
        };
        let swapped = self.with_stones(|side, place| (!side, place));
        Self { captured: [black, white], to_move: !self.to_move, phase, ..swapped }
    }

    fn geometry(&self) -> Geometry {
        board::geometry()
    }

    fn cells(&self) -> usize {
        SIZE * SIZE
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.stones.has(side, Move::of_cell(cell)))
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        vec![mv.cell()]
    }

    fn tallies(&self) -> Vec<Tally> {
        vec![Tally { name: "captures", values: self.captured.map(|stones| u32::from(stones) / 2) }]
    }

    fn winning_cells(&self) -> Vec<usize> {
        let Some(winner) = self.outcome().and_then(|end| end.winner) else { return Vec::new() };
        stones_in_fives(&self.stones, winner).map(Move::cell).collect()
    }
}
