//! A game small enough to know by heart: two stones chase each other around a ring of six cells.
//!
//! A turn moves the own stone one cell up (`+`) or down (`-`); whoever lands on the other stone has caught it and wins.

use quincunx_game::{
    About, FirstMove, Game, Geometry, Outcome, Palette, Position, Rules, RulesetAbout, Side, Tally, TextError,
    geometry::{Cell, Label, Tone, regular_polygon},
    hash::mix,
    text::quoted,
};

const CELLS: usize = 6;

static ABOUT: About = About {
    name: "ring",
    title: "Ring",
    summary: "catch the other stone",
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ring {
    /// Where the stones stand, by side.
    stones: [usize; 2],
    to_move: Side,
}

/// Up or down the ring.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Step {
    Up,
    Down,
}

impl Ring {
    fn target(&self, step: Step) -> usize {
        let from = self.stones[self.to_move.index()];
        (from + if step == Step::Up { 1 } else { CELLS - 1 }) % CELLS
    }
}

/// A game under a ruleset with settings, from the start.
pub(crate) fn game(rules: &str) -> Game<Ring> {
    Game::new(Rules::parse(&ABOUT, rules).unwrap()).unwrap()
}

impl Position for Ring {
    type Move = Step;
    type Undo = Self;

    fn about() -> &'static About {
        &ABOUT
    }

    fn start(ruleset: &str) -> Option<Self> {
        ABOUT
            .rulesets
            .iter()
            .any(|known| known.name == ruleset)
            .then_some(Self { stones: [0, 3], to_move: Side::First })
    }

    fn parse(_ruleset: &str, text: &str) -> Result<Self, TextError> {
        let numbers: Vec<usize> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [first, second, to_move] if first < CELLS && second < CELLS && to_move < 2 => {
                Ok(Self { stones: [first, second], to_move: Side::BOTH[to_move] })
            }
            _ => Err(TextError::new(format!("{} is not two cells and a side", quoted(text)))),
        }
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.stones[0], self.stones[1], self.to_move.index())
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones[0] == self.stones[1]).then(|| Outcome::win(!self.to_move, "caught"))
    }

    fn for_each_move(&self, mut visit: impl FnMut(Step)) {
        if self.outcome().is_none() {
            visit(Step::Up);
            visit(Step::Down);
        }
    }

    fn play(&mut self, mv: Step) -> Self {
        let before = *self;
        self.stones[self.to_move.index()] = self.target(mv);
        self.to_move = !self.to_move;
        before
    }

    fn undo(&mut self, _mv: Step, undo: Self) {
        *self = undo;
    }

    fn hand_over(&mut self) {
        self.to_move = !self.to_move;
    }

    fn hash(&self) -> u64 {
        mix((self.stones[0] * CELLS + self.stones[1]) as u64, self.to_move.index() as u64)
    }

    fn move_text(&self, mv: Step) -> String {
        if mv == Step::Up { "+".into() } else { "-".into() }
    }

    fn parse_move(&self, text: &str) -> Result<Step, TextError> {
        match text {
            "+" => Ok(Step::Up),
            "-" => Ok(Step::Down),
            _ => Err(TextError::new(format!("{} is neither + nor -", quoted(text)))),
        }
    }

    fn colours_swapped(&self) -> Self {
        Self { stones: [self.stones[1], self.stones[0]], to_move: !self.to_move }
    }

    fn geometry(&self) -> Geometry {
        let cell = |index: usize| {
            let centre = (index as f32 + 0.5, 0.5);
            let tone = match index {
                0 => Tone::Goal(Side::First),
                3 => Tone::Alternate,
                _ => Tone::Plain,
            };
            let grid = (0, 3 * index as u16 + 1);
            Cell { name: index.to_string(), outline: regular_polygon(centre, 0.5, 4, 0.125), centre, grid, tone }
        };
        let label = |index: usize| Label {
            text: index.to_string(),
            at: (index as f32 + 0.5, 1.3),
            grid: (1, 3 * index as u16 + 1),
        };
        Geometry {
            size: (CELLS as f32, 1.6),
            cells: (0..CELLS).map(cell).collect(),
            lines: vec![[(0.5, 0.5), (5.5, 0.5)]],
            dots: vec![(1.5, 0.5)],
            labels: (0..CELLS).map(label).collect(),
            stone_radius: 0.4,
        }
    }

    fn stone(&self, cell: usize) -> Option<Side> {
        // The catcher stands on top.
        [!self.to_move, self.to_move].into_iter().find(|side| self.stones[side.index()] == cell)
    }

    fn path(&self, mv: Step) -> Vec<usize> {
        vec![self.stones[self.to_move.index()], self.target(mv)]
    }

    fn tallies(&self) -> Vec<Tally> {
        vec![Tally { name: "cell", values: self.stones.map(|cell| cell as u32) }]
    }

    fn winning_cells(&self) -> Vec<usize> {
        if self.outcome().is_some() { vec![self.stones[0]] } else { Vec::new() }
    }
}
