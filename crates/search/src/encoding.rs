//! Encodings for learners: moves as small numbers, positions as planes of bytes.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

use quincunx_game::{AnyGame, Game, Position, Rules, Side, TextError};

use crate::Tactics;

/// How a learner sees a position and names its moves. The defaults serve every game; a game overrides them to make
/// numbers dense, planes square, or the whole fast.
pub trait Encoding: Tactics {
    /// The number of actions: every move of every position has a number below it.
    fn actions(&self) -> usize {
        Self::MOVE_CODES
    }

    /// The number of a legal move.
    fn action(&self, mv: Self::Move) -> usize {
        usize::from(Self::code(mv))
    }

    /// The move of a number that [`action`](Self::action) gave in this position.
    fn of_action(&self, action: usize) -> Self::Move {
        Self::decode(action as u16)
    }

    /// The shape of an observation; the first number is that of the planes.
    fn observation_shape(&self) -> Vec<usize> {
        vec![2, self.cells()]
    }

    /// Writes the observation of the side to move: its own stones, cell by cell, then those of the other side, then
    /// whatever else the game has. The slice is as long as the shape says.
    fn observe(&self, planes: &mut [u8]) {
        let (own, enemy) = planes.split_at_mut(self.cells());
        let to_move = self.to_move();
        for (cell, (own, enemy)) in own.iter_mut().zip(enemy).enumerate() {
            let stone = self.stone(cell);
            *own = u8::from(stone == Some(to_move));
            *enemy = u8::from(stone == Some(!to_move));
        }
    }
}

/// Writes the bits of a board as bytes, the lowest bit first.
#[inline]
pub fn bits_to_bytes(bits: u64, bytes: &mut [u8]) {
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = (bits >> index) as u8 & 1;
    }
}

/// A game whose moves are numbers, whatever its type.
pub trait AnyState: Send + Sync {
    /// The game.
    fn game(&self) -> &dyn AnyGame;
    /// The game, to be played by texts or taken back.
    fn game_mut(&mut self) -> &mut dyn AnyGame;
    /// The number of actions.
    fn actions(&self) -> usize;
    /// Puts the actions that are legal here into a list, in the order of their numbers.
    fn legal_actions(&self, list: &mut Vec<usize>);
    /// The text of a legal action.
    fn action_text(&self, action: usize) -> Result<String, TextError>;
    /// The action that a text names.
    fn parse_action(&self, text: &str) -> Result<usize, TextError>;
    /// Plays an action.
    fn apply(&mut self, action: usize) -> Result<(), TextError>;
    /// The action that was played last.
    fn last_action(&self) -> Option<usize>;
    /// The shape of an observation.
    fn observation_shape(&self) -> Vec<usize>;
    /// Writes the observation of the side to move.
    fn observe(&self, planes: &mut [u8]);
    /// The number of symmetries of the board, the identity included.
    fn symmetries(&self) -> usize;
    /// The position through a symmetry, without its history; `None` if there is no such symmetry.
    fn transformed(&self, symmetry: usize) -> Option<Box<dyn AnyState>>;
    /// A legal action through a symmetry, as a number of the position through it.
    fn transformed_action(&self, action: usize, symmetry: usize) -> Result<usize, TextError>;
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyState>;
}

/// A game under these rules from a position, or from the start.
pub(crate) fn state<P: Encoding>(rules: Rules, position: Option<&str>) -> Result<Box<dyn AnyState>, TextError> {
    Ok(Box::new(State(match position {
        Some(text) => Game::from_position(rules, P::parse(rules.ruleset.name, text)?),
        None => Game::<P>::new(rules).expect("the variant plays the ruleset"),
    })))
}

/// The [`AnyState`] of one type.
struct State<P: Position>(Game<P>);

impl<P: Encoding> State<P> {
    /// The legal move of this number; the error says that there is none.
    fn legal(&self, action: usize) -> Result<P::Move, TextError> {
        let position = self.0.position();
        let mut found = None;
        position.for_each_move(|mv| {
            if position.action(mv) == action {
                found = Some(mv);
            }
        });
        if let Some(outcome) = self.0.outcome() {
            return Err(TextError::game_over_by(outcome.reason));
        }
        found.ok_or_else(|| TextError::new(format!("action {action} is not legal here")))
    }
}

impl<P: Encoding> AnyState for State<P> {
    fn game(&self) -> &dyn AnyGame {
        &self.0
    }

    fn game_mut(&mut self) -> &mut dyn AnyGame {
        &mut self.0
    }

    fn actions(&self) -> usize {
        self.0.position().actions()
    }

    fn legal_actions(&self, list: &mut Vec<usize>) {
        list.clear();
        if self.0.rules().repetition + self.0.rules().plies > 0 && self.0.outcome().is_some() {
            return;
        }
        let position = self.0.position();
        position.for_each_move(|mv| list.push(position.action(mv)));
        if !list.is_sorted() {
            list.sort_unstable();
        }
    }

    fn action_text(&self, action: usize) -> Result<String, TextError> {
        Ok(self.0.position().move_text(self.legal(action)?))
    }

    fn parse_action(&self, text: &str) -> Result<usize, TextError> {
        if let Some(outcome) = self.0.outcome() {
            return Err(TextError::game_over_by(outcome.reason));
        }
        let position = self.0.position();
        position.parse_move(text).map(|mv| position.action(mv))
    }

    fn apply(&mut self, action: usize) -> Result<(), TextError> {
        let mv = self.legal(action)?;
        self.0.play(mv);
        Ok(())
    }

    fn last_action(&self) -> Option<usize> {
        let &mv = self.0.moves().last()?;
        Some(self.0.positions()[self.0.moves().len() - 1].action(mv))
    }

    fn observation_shape(&self) -> Vec<usize> {
        self.0.position().observation_shape()
    }

    fn observe(&self, planes: &mut [u8]) {
        self.0.position().observe(planes);
    }

    fn symmetries(&self) -> usize {
        P::SYMMETRIES
    }

    fn transformed(&self, symmetry: usize) -> Option<Box<dyn AnyState>> {
        let position = || self.0.position().transformed(symmetry);
        (symmetry < P::SYMMETRIES)
            .then(|| Box::new(Self(Game::from_position(*self.0.rules(), position()))) as Box<dyn AnyState>)
    }

    fn transformed_action(&self, action: usize, symmetry: usize) -> Result<usize, TextError> {
        if symmetry >= P::SYMMETRIES {
            return Err(TextError::new(format!("symmetries are numbered below {}", P::SYMMETRIES)));
        }
        let (mv, position) = (self.legal(action)?, self.0.position());
        Ok(position.transformed(symmetry).action(position.transformed_move(mv, symmetry)))
    }

    fn boxed_clone(&self) -> Box<dyn AnyState> {
        Box::new(Self(self.0.clone()))
    }
}

/// What a result is worth to a side: 1, 0 or -1.
pub(crate) fn reward(winner: Option<Side>, side: Side) -> f32 {
    winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 })
}
