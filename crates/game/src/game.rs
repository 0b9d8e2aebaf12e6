//! A game in progress: the position with its history, and the draws that only a history shows.

use crate::{FirstMove, Outcome, Position, Rules, Side, TextError, outcome};

/// A game from its start to its present position.
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    rules: Rules,
    moves: Vec<P::Move>,
    /// The start and the position after each move.
    positions: Vec<P>,
}

impl<P: Position> Game<P> {
    /// A game under `rules` from the start; a side drawn by lot is the first one here, so that the start is the same
    /// every time. `None` if this type does not play the ruleset.
    pub fn new(rules: Rules) -> Option<Self> {
        let mut start = P::start(rules.ruleset.name)?;
        if rules.first == FirstMove::Default(Side::Second) {
            start.hand_over();
        }
        Some(Self::from_position(rules, start))
    }

    /// A game under `rules` from a given position.
    pub fn from_position(rules: Rules, start: P) -> Self {
        Self { rules, moves: Vec::new(), positions: vec![start] }
    }

    /// The settings of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position it began with.
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// The present position.
    pub fn position(&self) -> &P {
        &self.positions[self.moves.len()]
    }

    /// All positions, the start first.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The moves played.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// How the game ended, if it has: by the rules of the game, by repetition or by its length.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position().outcome().or_else(|| {
            if self.rules.repetition > 0 && self.occurrences() >= self.rules.repetition {
                Some(Outcome::draw(outcome::REPETITION))
            } else if self.rules.plies > 0 && self.moves.len() >= self.rules.plies as usize {
                Some(Outcome::draw(outcome::PLY_LIMIT))
            } else {
                None
            }
        })
    }

    /// How often the position on the board has stood there, this time included.
    pub fn occurrences(&self) -> u32 {
        let now = self.position();
        self.positions.iter().filter(|&before| before == now).count() as u32
    }

    /// Plays a move that is legal here.
    pub fn play(&mut self, mv: P::Move) {
        let mut next = *self.position();
        next.play(mv);
        self.moves.push(mv);
        self.positions.push(next);
    }

    /// Plays the move a text names.
    pub fn play_text(&mut self, text: &str) -> Result<P::Move, TextError> {
        if let Some(ended) = self.outcome() {
            return Err(TextError::game_over_by(ended.reason));
        }
        let mv = self.position().parse_move(text)?;
        self.play(mv);
        Ok(mv)
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> Option<P::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }
}
