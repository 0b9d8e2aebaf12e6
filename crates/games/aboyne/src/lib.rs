//! Aboyne by the official rules, by those of the published report, and by those its program really plays.

mod board;
mod classic;
mod encoding;
mod evaluation;
mod moves;
mod net;
mod tactics;
#[cfg(test)]
mod tests;
mod text;
mod themes;

use quincunx_game::{
    About, FirstMove, FromTo, Geometry, Outcome, Palette, Position, RulesetAbout, Side, Stones, Tally, TextError,
    bits::{Bits, nth_bit},
    exchange::Plain,
    format::Formats,
    outcome::NO_LEGAL_MOVE,
    position::random_below,
    position_of_stones,
};
use quincunx_search::{
    Entry, content,
    entry::{Grading, OwnAgent, Typed},
    net::train,
};
use rand::Rng;

pub use board::cell_of_bit;
use board::{BOARD, GOAL_CELLS, GOALS, Mirror, bit_of_cell};
pub use evaluation::Evaluation;
use moves::{bent_captures, landing, movers, neighbours};
pub use net::NetEvaluation;

static ABOUT: About = About {
    name: "aboyne",
    title: "Aboyne",
    summary: "Paul Sijben, 1995: block and jump on a hexagon of 61 cells; reach your goal or leave the enemy no move",
    sides: ["Blue", "Red"],
    glyphs: ['●', '○'],
    rulesets: &[
        RulesetAbout {
            name: "official",
            summary: "jumps over straight lines; who has no move loses",
            repetition: 3,
            plies: 400,
            first: FirstMove::Default(Side::First),
        },
        RulesetAbout {
            name: "seed",
            summary: "who has no move passes; when all stones are blocked, most stones win",
            repetition: 3,
            plies: 400,
            first: FirstMove::Random,
        },
        RulesetAbout {
            name: "seed-program",
            summary: "as seed, but jumps go over one friend, bent or straight, and only to capture",
            repetition: 3,
            plies: 400,
            first: FirstMove::Random,
        },
    ],
    palette: Palette {
        frame: "#b99b6b",
        plain: "#f0e7d3",
        alternate: "#e2d5b8",
        line: "#a48a5d",
        label: "#45341d",
        stones: ["#2763ab", "#bf3630"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<NetEvaluation>::VARIANT, &Typed::<Evaluation<1>>::VARIANT, &Typed::<Evaluation<2>>::VARIANT],
    book: None,
    train: if cfg!(target_family = "wasm") { None } else { Some(train::<Aboyne<OFFICIAL>, { net::UNITS }>) },
    agents: &[OwnAgent {
        name: "classic",
        help: "the agent of the game's document: classic:eval=f8,depth=4,fixed=true",
        build: classic::build,
    }],
    content: content!("en", "pt", "zh"),
    files: &Plain,
    grading: Grading::USUAL,
    formats: Formats::NONE,
};

/// The end by a stone on its own goal cell.
pub const GOAL_REACHED: &str = "goal reached";
/// The end when no stone of either side can move; the side with more stones wins.
pub const ALL_BLOCKED: &str = "all stones blocked";
/// The end when a side has lost its last stone.
pub const NO_STONES: &str = "no stones left";

/// The number of the ruleset `official`, for [`Aboyne`].
pub const OFFICIAL: usize = 0;
/// The number of the ruleset `seed`.
pub const SEED: usize = 1;
/// The number of the ruleset `seed-program`.
pub const SEED_PROGRAM: usize = 2;

/// The stones a side begins with.
const STONES: u32 = 9;

/// After this many failed guesses at a random move the moves are counted, so that choosing one always ends.
const MOST_GUESSES: u32 = 32;

/// A position under the ruleset of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aboyne<const RULESET: usize = OFFICIAL> {
    stones: Stones,
}

/// A stone's way by the bits of its first and last cell, or a pass.
pub type Move = FromTo;

impl<const RULESET: usize> Aboyne<RULESET> {
    /// Whether a side without a move passes, so that the game ends only when both are blocked or one has no
    /// stones.
    const PASSES: bool = RULESET != OFFICIAL;
    /// Whether a jump goes over one friend, bent or straight, and only to capture.
    const BENT_JUMPS: bool = RULESET == SEED_PROGRAM;

    /// The stones of a side, by bit: [`cell_of_bit`] gives the cells.
    pub fn stones(&self, side: Side) -> u64 {
        self.stones.of(side)
    }

    /// The stones of a side that stand next to an enemy.
    pub fn blocked(&self, side: Side) -> u64 {
        self.stones.of(side) & neighbours(self.stones.of(!side))
    }

    /// The capturing moves that a side would have if it were its turn.
    pub fn count_captures(&self, side: Side) -> u32 {
        let (own, enemy) = (self.stones.of(side), self.stones.of(!side));
        let movable = self.movable_of(side);
        if Self::BENT_JUMPS {
            return Bits(movable).map(|from| bent_captures(own, enemy, from).count_ones()).sum();
        }
        movers(own, movable, enemy & !GOALS[(!side).index()]).iter().map(|set| set.count_ones()).sum()
    }

    /// Calls `visit` with the moves of stones as if a reached goal or a lost stone did not end the game. This is
    /// not a rule, but how the document's own search sees the game.
    #[inline]
    pub fn for_each_move_past_the_goal(&self, mut visit: impl FnMut(Move)) {
        let movable = self.movable();
        for (direction, set) in self.movers(movable).into_iter().enumerate() {
            for from in Bits(set) {
                visit(Move::new(from, landing(self.stones.own, from, direction)));
            }
        }
        if Self::BENT_JUMPS {
            for from in Bits(movable) {
                for to in Bits(self.bent_captures(from)) {
                    visit(Move::new(from, to));
                }
            }
        }
    }

    /// Whether there is a move of [`for_each_move_past_the_goal`](Self::for_each_move_past_the_goal).
    pub fn has_move_past_the_goal(&self) -> bool {
        let movable = self.movable();
        self.count_without_pass(movable, &self.movers(movable)) > 0
    }

    /// Whether a goal is reached. No stone may enter the other side's goal, so a stone on a goal cell has reached
    /// its own.
    #[inline]
    fn goal_reached(&self) -> bool {
        self.stones.occupied() & (GOALS[0] | GOALS[1]) != 0
    }

    /// Whether a side has lost all stones, if that ends the game.
    #[inline]
    fn stones_lost(&self) -> bool {
        Self::PASSES && (self.stones.own == 0 || self.stones.enemy == 0)
    }

    /// Whether all stones of both sides are blocked, if that ends the game.
    fn all_blocked(&self) -> bool {
        Self::PASSES && self.movable() == 0 && self.stones.enemy & !neighbours(self.stones.own) == 0
    }

    /// The stones of the side to move that stand next to no enemy.
    #[inline]
    fn movable(&self) -> u64 {
        self.movable_of(self.stones.to_move)
    }

    /// The stones of a side that stand next to no enemy.
    #[inline]
    fn movable_of(&self, side: Side) -> u64 {
        self.stones.of(side) & !neighbours(self.stones.of(!side))
    }

    /// For each direction, those of the `movable` stones that have a move straight in it.
    #[inline]
    fn movers(&self, movable: u64) -> [u64; 6] {
        let jumped = if Self::BENT_JUMPS { 0 } else { self.stones.own };
        movers(jumped, movable, self.free())
    }

    /// The cells without own stones that the side to move may enter, if only by capture.
    #[inline]
    fn free(&self) -> u64 {
        BOARD & !self.stones.own & !GOALS[(!self.stones.to_move).index()]
    }

    /// The stones that a `movable` stone captures by a bent jump, if the rules have such jumps.
    #[inline]
    fn bent_captures(&self, from: u32) -> u64 {
        if Self::BENT_JUMPS { bent_captures(self.stones.own, self.stones.enemy, from) } else { 0 }
    }

    /// The number of moves, a pass not counted, given the movable stones and the [`movers`](Self::movers) among them.
    #[inline]
    fn count_without_pass(&self, movable: u64, movers: &[u64; 6]) -> u32 {
        let straight: u32 = movers.iter().map(|set| set.count_ones()).sum();
        if Self::BENT_JUMPS {
            straight + Bits(movable).map(|from| self.bent_captures(from).count_ones()).sum::<u32>()
        } else {
            straight
        }
    }

    /// A random move of the `movable` stones, by counting all moves first, or a pass.
    fn random_by_counting(&self, movable: u64, rng: &mut impl Rng) -> Option<Move> {
        let movers = self.movers(movable);
        let count = self.count_without_pass(movable, &movers);
        if count == 0 {
            return self.pass();
        }
        let mut rank = random_below(rng, u64::from(count)) as u32;
        for (direction, set) in movers.into_iter().enumerate() {
            if rank < set.count_ones() {
                let from = nth_bit(set, rank);
                return Some(Move::new(from, landing(self.stones.own, from, direction)));
            }
            rank -= set.count_ones();
        }
        for from in Bits(movable) {
            let captures = self.bent_captures(from);
            if rank < captures.count_ones() {
                return Some(Move::new(from, nth_bit(captures, rank)));
            }
            rank -= captures.count_ones();
        }
        unreachable!("the rank is below the number of moves")
    }

    /// The forced pass, for a side without another move.
    fn pass(&self) -> Option<Move> {
        (Self::PASSES && !self.all_blocked()).then_some(Move::PASS)
    }
}

impl<const RULESET: usize> Position for Aboyne<RULESET> {
    type Move = Move;

    const SYMMETRIES: usize = 2;

    position_of_stones!(stones, |cell| bit_of_cell(cell) as usize);

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let blue = [0, 5, 11, 18, 27, 35, 43, 50, 56].iter().fold(0, |set, &cell| set | 1 << bit_of_cell(cell));
        let stones = Stones::new([blue, Mirror::LeftToRight.set(blue)], Side::First);
        (ABOUT.rulesets[RULESET].name == ruleset).then_some(Self { stones })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, _counts: &[[u32; 2]]) -> String {
        text::write_stones(|cell| stones[cell], to_move)
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner_by = |wins: &dyn Fn(Side) -> bool| Side::BOTH.into_iter().find(|&side| wins(side));
        let (winner, reason) = if self.goal_reached() {
            (winner_by(&|side| self.stones.of(side) & GOALS[side.index()] != 0), GOAL_REACHED)
        } else if self.stones_lost() {
            (winner_by(&|side| self.stones.of(side) != 0), NO_STONES)
        } else if self.all_blocked() {
            let stones = |side| self.stones.of(side).count_ones();
            (winner_by(&|side| stones(side) > stones(!side)), ALL_BLOCKED)
        } else if self.count_moves() == 0 {
            (Some(!self.stones.to_move), NO_LEGAL_MOVE)
        } else {
            return None;
        };
        Some(Outcome { winner, reason })
    }

    #[inline]
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        if self.goal_reached() || self.stones_lost() {
            return;
        }
        let mut found = false;
        self.for_each_move_past_the_goal(|mv| {
            found = true;
            visit(mv);
        });
        if Self::PASSES && !found {
            self.pass().into_iter().for_each(visit);
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.goal_reached() || self.stones_lost() {
            return 0;
        }
        let movable = self.movable();
        match self.count_without_pass(movable, &self.movers(movable)) {
            0 => u64::from(self.pass().is_some()),
            count => u64::from(count),
        }
    }

    #[inline]
    fn random_move(&self, rng: &mut impl Rng) -> Option<Move> {
        if self.goal_reached() || self.stones_lost() {
            return None;
        }
        let movable = self.movable();
        if movable == 0 {
            return self.pass();
        }
        if !Self::BENT_JUMPS {
            // Any movable stone in any direction, until that is a move: about every second one is.
            let (free, guesses) = (self.free(), 6 * u64::from(movable.count_ones()));
            for _ in 0..MOST_GUESSES {
                let guess = random_below(rng, guesses) as u32;
                let (from, direction) = (nth_bit(movable, guess / 6), guess as usize % 6);
                let to = landing(self.stones.own, from, direction);
                if free & (1 << to) != 0 {
                    return Some(Move::new(from, to));
                }
            }
        }
        self.random_by_counting(movable, rng)
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Stones {
        let (from, to) = mv.sets();
        self.stones.play(|own, enemy| (own ^ from ^ to, enemy & !to))
    }

    fn is_pass(mv: Move) -> bool {
        mv == Move::PASS
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        if symmetry == 0 {
            return *self;
        }
        Self { stones: self.stones.mapped(|stones| Mirror::UpsideDown.set(stones)) }
    }

    fn transformed_move(&self, mv: Move, symmetry: usize) -> Move {
        if symmetry == 0 || mv == Move::PASS {
            return mv;
        }
        mv.mapped(|bit| Mirror::UpsideDown.bit(bit))
    }

    fn colours_swapped(&self) -> Self {
        Self { stones: self.stones.mapped(|stones| Mirror::LeftToRight.set(stones)).colours_swapped() }
    }

    fn geometry(&self) -> Geometry {
        board::geometry()
    }

    fn cells(&self) -> usize {
        board::CELLS
    }

    fn path(&self, mv: Move) -> Vec<usize> {
        if mv == Move::PASS { Vec::new() } else { [mv.from, mv.to].map(|bit| cell_of_bit(u32::from(bit))).to_vec() }
    }

    fn tallies(&self) -> Vec<Tally> {
        vec![
            Tally { name: "stones", values: self.stones.by_side().map(u64::count_ones) },
            Tally { name: "blocked", values: Side::BOTH.map(|side| self.blocked(side).count_ones()) },
        ]
    }

    fn winning_cells(&self) -> Vec<usize> {
        GOAL_CELLS.into_iter().filter(|&goal| self.stone(goal).is_some()).collect()
    }
}
