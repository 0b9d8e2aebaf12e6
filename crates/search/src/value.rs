//! Values inside the search: one integer that orders everything from a lost position to a won one.

use crate::{Score, Verdict};

/// A value of a position for the side to move.
pub(crate) type Value = i32;

/// Above every value.
pub(crate) const INFINITY: Value = 32_000;
/// A won position at the root; a win `n` plies away is worth `n` less.
pub(crate) const WIN: Value = 31_000;
/// Values beyond this are wins, beyond its negative losses.
pub(crate) const DECIDED: Value = WIN - 2_000;
/// A drawn game.
pub(crate) const DRAW: Value = 0;

/// The value of a verdict given `ply` plies from the root.
pub(crate) fn of_verdict(verdict: Verdict, ply: usize) -> Value {
    match verdict {
        Verdict::Win(plies) => WIN - ply as Value - plies.min(1000) as Value,
        Verdict::Loss(plies) => ply as Value + plies.min(1000) as Value - WIN,
        Verdict::Exact(value) => value.clamp(-20_000, 20_000),
    }
}

/// A value as people read it.
pub(crate) fn to_score(value: Value) -> Score {
    if value > DECIDED {
        Score::Win((WIN - value) as u32)
    } else if value < -DECIDED {
        Score::Loss((WIN + value) as u32)
    } else {
        Score::Estimate(value)
    }
}

/// A value as it is stored with a position: wins and losses counted from that position, not from the root.
pub(crate) fn to_stored(value: Value, ply: usize) -> Value {
    match value {
        value if value > DECIDED => value + ply as Value,
        value if value < -DECIDED => value - ply as Value,
        value => value,
    }
}

/// The reverse of [`to_stored`].
pub(crate) fn from_stored(value: Value, ply: usize) -> Value {
    match value {
        value if value > DECIDED => value - ply as Value,
        value if value < -DECIDED => value + ply as Value,
        value => value,
    }
}
