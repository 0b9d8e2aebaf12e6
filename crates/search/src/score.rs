//! What a search says a position is worth, for the side to move.

use std::fmt;

/// A score, in words a person understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// An opinion, in hundredths of the game's unit (a disc, a stone).
    Estimate(i32),
    /// The exact result under perfect play, in hundredths of the game's unit.
    Exact(i32),
    /// A proven win in this many plies.
    Win(u32),
    /// A proven loss in this many plies.
    Loss(u32),
}

impl Score {
    /// The score as one number, in units of the game; a win in `n` plies is `1000 - n`, a loss `n - 1000`.
    pub fn number(self) -> f64 {
        match self {
            Self::Estimate(value) | Self::Exact(value) => f64::from(value) / 100.0,
            Self::Win(plies) => 1000.0 - f64::from(plies),
            Self::Loss(plies) => f64::from(plies) - 1000.0,
        }
    }

    /// The score in words for a game whose sides have these names, the one with the number `to_move` being on move: an
    /// exact one says who wins by how much.
    pub fn words(self, sides: [&str; 2], to_move: usize) -> String {
        match self {
            Self::Exact(0) => "solved: draw".into(),
            Self::Exact(value) => {
                let winner = if value > 0 { to_move } else { 1 - to_move };
                format!("solved: {} {:+}", sides[winner], f64::from(value.abs()) / 100.0)
            }
            other => other.to_string(),
        }
    }

    /// The chance of the side to move to win, a draw counting half, if a score of one `scale` makes a win three times
    /// as likely as a loss.
    pub fn win_probability(self, scale: f32) -> f64 {
        match self {
            Self::Win(_) => 1.0,
            Self::Loss(_) => 0.0,
            Self::Exact(value) => 0.5 + f64::from(value.signum()) / 2.0,
            Self::Estimate(value) => 1.0 / (1.0 + 3f64.powf(-f64::from(value) / f64::from(scale))),
        }
    }

    /// The same score for the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Estimate(value) => Self::Estimate(-value),
            Self::Exact(value) => Self::Exact(-value),
            Self::Win(plies) => Self::Loss(plies),
            Self::Loss(plies) => Self::Win(plies),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Estimate(value) => write!(f, "{:+.2}", f64::from(value) / 100.0),
            Self::Exact(value) => write!(f, "{:+} exactly", f64::from(value) / 100.0),
            Self::Win(plies) => write!(f, "win in {plies}"),
            Self::Loss(plies) => write!(f, "loss in {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_scores_name_the_winner_whoever_is_to_move() {
        let sides = ["Black", "White"];
        assert_eq!(Score::Exact(600).words(sides, 0), "solved: Black +6");
        assert_eq!(Score::Exact(600).words(sides, 1), "solved: White +6");
        assert_eq!(Score::Exact(-600).words(sides, 1), "solved: Black +6");
        assert_eq!(Score::Exact(0).words(sides, 1), "solved: draw");
        assert_eq!(Score::Estimate(-150).words(sides, 1), "-1.50");
    }
}
