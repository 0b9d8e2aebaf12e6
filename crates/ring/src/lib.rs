//! Ring: two stones chase each other around a ring of six cells.
//!
//! A turn moves the own stone one cell up (`+`) or down (`-`); whoever lands on the other stone has caught it and wins.
//!
//! It is small enough to know by heart, and complete: rules, text, board, tactics, evaluation, words, samples, lessons and
//! vectors. The tests go over it as the sixth game of the program, and a new game can begin as a copy of it.

mod board;
mod evaluation;
mod tactics;
mod text;

use quincunx_game::{
    About, FirstMove, Geometry, Outcome, Palette, Position, RulesetAbout, Side, Tally, TextError, exchange::Plain,
    format::Formats, hash::mix,
};
use quincunx_search::{
    Entry, content,
    entry::{Grading, Typed},
};

pub use evaluation::Evaluation;

/// What is known of the game.
static ABOUT: About = About {
    name: "ring",
    title: "Ring",
    summary: "two stones on a ring of six cells, for tests",
    sides: ["Red", "Blue"],
    glyphs: ['●', '○'],
    rulesets: &[
        RulesetAbout {
            name: "plain",
            summary: "the game",
            repetition: 3,
            plies: 20,
            first: FirstMove::Default(Side::First),
        },
        RulesetAbout { name: "lot", summary: "by lot", repetition: 3, plies: 20, first: FirstMove::Random },
        RulesetAbout { name: "fixed", summary: "never drawn", repetition: 0, plies: 0, first: FirstMove::Fixed },
    ],
    palette: Palette {
        frame: "#222222",
        plain: "#eeeeee",
        alternate: "#cccccc",
        line: "#888888",
        label: "#ffffff",
        stones: ["#aa0000", "#0000aa"],
    },
};

/// What the registry holds of the game.
pub static ENTRY: Entry = Entry {
    about: &ABOUT,
    variants: &[&Typed::<Evaluation>::VARIANT],
    book: None,
    train: None,
    agents: &[],
    // There are no Chinese words, so that the tests see how another language does without.
    content: content!("en", "pt"),
    files: &Plain,
    grading: Grading { opponents: &[("random", "random")], ..Grading::USUAL },
    formats: Formats::NONE,
};

/// The end by catching the other stone.
pub const CAUGHT: &str = "caught";

/// The cells of the ring.
const CELLS: usize = 6;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ring {
    /// Where the stones stand, by side.
    stones: [usize; 2],
    to_move: Side,
}

/// A step with the own stone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// To the next cell.
    Up,
    /// To the cell before.
    Down,
}

impl Step {
    /// Both steps.
    const BOTH: [Self; 2] = [Self::Up, Self::Down];
}

impl Ring {
    /// The cell of the side to move.
    fn own(&self) -> usize {
        self.stones[self.to_move.index()]
    }

    /// The cell that a step leads to.
    fn target(&self, step: Step) -> usize {
        (self.own() + if step == Step::Up { 1 } else { CELLS - 1 }) % CELLS
    }

    /// How many steps the stones stand apart, the shorter way round.
    fn distance(&self) -> usize {
        let up = self.stones[0].abs_diff(self.stones[1]);
        up.min(CELLS - up)
    }

    /// Whether a step catches the other stone.
    fn catches(&self, step: Step) -> bool {
        self.target(step) == self.stones[(!self.to_move).index()]
    }
}

impl Position for Ring {
    type Move = Step;
    type Undo = Self;

    /// The ring as it is, and turned over.
    const SYMMETRIES: usize = 2;

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        let plays = ABOUT.rulesets.iter().any(|known| known.name == ruleset);
        plays.then_some(Self { stones: [0, 3], to_move: Side::First })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        text::parse(text)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn text_of(&self, stones: &[Option<Side>], to_move: Side, _counts: &[[u32; 2]]) -> String {
        text::write_stones(stones, to_move)
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.distance() == 0).then(|| Outcome::win(!self.to_move, CAUGHT))
    }

    fn for_each_move(&self, visit: impl FnMut(Step)) {
        if self.outcome().is_none() {
            Step::BOTH.into_iter().for_each(visit);
        }
    }

    fn play(&mut self, mv: Step) -> Self {
        let before = *self;
        self.stones[self.to_move.index()] = self.target(mv);
        self.to_move = !self.to_move;
        before
    }

    fn undo(&mut self, _mv: Step, before: Self) {
        *self = before;
    }

    fn hand_over(&mut self) {
        self.to_move = !self.to_move;
    }

    fn hash(&self) -> u64 {
        mix((self.stones[0] * CELLS + self.stones[1]) as u64, self.to_move.index() as u64)
    }

    fn move_text(&self, mv: Step) -> String {
        text::write_move(mv).into()
    }

    fn parse_move(&self, text: &str) -> Result<Step, TextError> {
        text::parse_move(self, text)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        let image = |cell| if symmetry == 0 { cell } else { (CELLS - cell) % CELLS };
        Self { stones: self.stones.map(image), to_move: self.to_move }
    }

    fn transformed_move(&self, mv: Step, symmetry: usize) -> Step {
        match (symmetry, mv) {
            (0, step) => step,
            (_, Step::Up) => Step::Down,
            (_, Step::Down) => Step::Up,
        }
    }

    fn colours_swapped(&self) -> Self {
        Self { stones: [self.stones[1], self.stones[0]], to_move: !self.to_move }
    }

    fn geometry(&self) -> Geometry {
        board::geometry()
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        // The catcher stands on top.
        [!self.to_move, self.to_move].into_iter().find(|side| self.stones[side.index()] == cell)
    }

    fn path(&self, mv: Step) -> Vec<usize> {
        vec![self.own(), self.target(mv)]
    }

    /// The stone is taken to its target, or the target is clicked alone: there is only one stone to go there.
    fn paths(&self, mv: Step) -> Vec<Vec<usize>> {
        vec![self.path(mv), vec![self.target(mv)]]
    }

    fn tallies(&self) -> Vec<Tally> {
        vec![Tally { name: "cell", values: self.stones.map(|cell| cell as u32) }]
    }

    fn winning_cells(&self) -> Vec<usize> {
        if self.outcome().is_some() { vec![self.stones[0]] } else { Vec::new() }
    }
}
