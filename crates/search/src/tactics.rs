//! Tactics: what is certain or cheap to know of a position beyond its rules, before anything is evaluated.

use quincunx_game::Position;

/// Moves whose [`order`](Tactics::order) is at least this are tactical: searched first, never reduced.
pub const TACTICAL: i32 = 1 << 20;

/// What is known of a position for the side to move without searching it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins in this many plies at most.
    Win(u32),
    /// It loses, and can resist for no more than this many plies.
    Loss(u32),
    /// It is worth exactly this, in hundredths of the game's unit.
    Exact(i32),
}

impl Verdict {
    /// The plies until it comes true, at most; 0 if it does not say.
    pub fn plies(self) -> u32 {
        match self {
            Self::Win(plies) | Self::Loss(plies) => plies,
            Self::Exact(_) => 0,
        }
    }

    /// The same for the other side, a ply before.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Win(plies) => Self::Loss(plies + 1),
            Self::Loss(plies) => Self::Win(plies + 1),
            Self::Exact(value) => Self::Exact(-value),
        }
    }
}

/// What a search asks of a position beside its rules. Every method but three has a default for games that know no
/// better.
pub trait Tactics: Position {
    /// What is kept up along the line of play to answer the questions below, such as line patterns; `()` for nothing.
    /// It must not depend on the side to move: a null move leaves it as it is.
    type Known;

    /// Whether a game is played for a score, so that a finished one is worth its [`score`](Self::score), not the win
    /// alone.
    const SCORED: bool = false;

    /// Codes of moves lie below this, which is 65535 at most.
    const MOVE_CODES: usize;

    /// The moves a side makes in a usual game.
    const USUAL_MOVES: u32 = 24;

    /// A small number for each move, the same in every position.
    fn code(mv: Self::Move) -> u16;

    /// The move of a code that [`code`](Self::code) gave.
    fn decode(code: u16) -> Self::Move;

    /// What is known of this position, from scratch.
    fn known(&self) -> Self::Known;

    /// About how many moves the side to move has still to make, to share out a clock, after `made` moves of its own.
    fn moves_ahead(&self, made: u32) -> u32 {
        Self::USUAL_MOVES.saturating_sub(made).max(Self::USUAL_MOVES / 2)
    }

    /// The most plies, passes not counted, until the game must end; `None` if it need not end.
    fn longest(&self) -> Option<u32> {
        None
    }

    /// Calls `visit` with the moves worth searching: all legal, at least one unless the game is over, and only one of
    /// those that lead to the same position.
    fn for_each_candidate(&self, _known: &Self::Known, visit: impl FnMut(Self::Move)) {
        self.for_each_move(visit);
    }

    /// Calls `visit` with the moves that quiescence search looks at, such as captures.
    fn for_each_forcing(&self, _known: &Self::Known, _visit: impl FnMut(Self::Move)) {}

    /// Whether the side to move must answer a threat to win at once: its evaluation says nothing then, and its
    /// candidates are few. Such positions are searched a ply deeper.
    fn is_threatened(&self, _known: &Self::Known) -> bool {
        false
    }

    /// How good a move looks before it is searched; [`TACTICAL`] and more for moves that change the balance.
    fn order(&self, _known: &Self::Known, _mv: Self::Move) -> i32 {
        0
    }

    /// What is known without searching. `depth` is what a search would spend: if it is large, a long look may pay.
    fn verdict(&self, _known: &Self::Known, _depth: i32) -> Option<Verdict> {
        None
    }

    /// The score of a finished game for the side to move, in hundredths of the game's unit; asked only if
    /// [`SCORED`](Self::SCORED).
    fn score(&self) -> i32 {
        0
    }

    /// What a puzzle is about whose answer is the first move of a line that is played here, such as `fork`: names that
    /// the game's words explain.
    fn themes(&self, _line: &[Self::Move]) -> Vec<&'static str> {
        Vec::new()
    }
}
