//! What clients send: every message and every bound on it.

use quincunx_messages::Line;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{social::Phrase, store::ClockSetting};

/// Most characters of a player's name.
pub(crate) const LONGEST_NAME: usize = 24;
/// Most bytes of a message or a body.
pub(crate) const LARGEST_MESSAGE: usize = 64 * 1024;

/// What a client holds the tokens of.
#[derive(Serialize, ToSchema, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Held {
    #[schema(min_items = 2, max_items = 2)]
    pub(crate) seats: [bool; 2],
    /// Whether the client may pause and step a game of two engines.
    pub(crate) control: bool,
}

/// What a player can do in a game.
#[derive(Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Action {
    Move {
        #[serde(rename = "move")]
        text: String,
        /// The number of turns the sender has seen; the move is refused if there are more by now.
        #[serde(default)]
        ply: Option<usize>,
    },
    Undo,
    Resign,
    Draw,
    Rematch,
    Answer {
        offer: Offer,
        accept: bool,
    },
    Pause {
        paused: bool,
    },
    Step,
    Speed {
        delay: u64,
    },
    /// Say something to the other player.
    Say {
        phrase: Phrase,
    },
    /// Show the game in the lobby, so that anybody may take its free seat, or do so no longer.
    Open {
        open: bool,
    },
}

/// What one player can offer the other.
#[derive(Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Offer {
    Draw,
    Undo,
}

/// The player wanted on a seat.
#[derive(Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Seat)]
pub(crate) enum SeatWanted {
    /// The person who makes the game.
    Me {
        #[serde(default)]
        name: String,
    },
    /// The first person to open the invitation.
    Invited {
        #[serde(default)]
        name: String,
    },
    Engine {
        spec: String,
    },
}

/// A new game.
#[derive(Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameWanted {
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) ruleset: Option<String>,
    #[serde(default)]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) moves: String,
    #[schema(min_items = 2, max_items = 2)]
    pub(crate) seats: [SeatWanted; 2],
    #[serde(default)]
    pub(crate) clock: Option<ClockSetting>,
}

/// A name as it is kept: trimmed, without control characters, not too long.
pub(crate) fn clean_name(name: &str) -> String {
    let visible: String = name.chars().filter(|&c| !c.is_control() && !is_invisible(c)).collect();
    visible.trim().chars().take(LONGEST_NAME).collect()
}

/// Whether a character shows nothing itself but can turn, break or hide the text around it.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// What a client can ask over a socket, besides acting in a game.
#[derive(Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum SocketRequest {
    /// Watch a game, with the seats these tokens own.
    Join {
        game: String,
        #[serde(default)]
        tokens: Vec<String>,
    },
    Leave,
    /// Analyse a position; a running analysis or review ends.
    Analyse(AnalysisWanted),
    /// Review a whole game; a running analysis or review ends.
    Review(AnalysisWanted),
    /// End the analysis or review.
    Stop,
    Ping,
}

/// An analysis, with the number its answers will carry.
#[derive(Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisWanted {
    pub(crate) id: u32,
    pub(crate) line: Line,
    #[serde(default = "one")]
    pub(crate) lines: usize,
    #[serde(default = "sixty")]
    pub(crate) seconds: u32,
}

fn one() -> usize {
    1
}

fn sixty() -> u32 {
    60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_and_cleaned() {
        assert_eq!(clean_name("  Ada\u{0}\n "), "Ada");
        assert_eq!(clean_name("A\u{202e}d\u{2066}a\u{200b}\u{2028}"), "Ada");
        assert_eq!(clean_name("\u{202e}\u{feff} "), "");
        assert_eq!(clean_name(&"x".repeat(100)).len(), LONGEST_NAME);
    }

    #[test]
    fn a_line_that_breaks_a_rule_names_the_move() {
        let line = Line { game: "othello".into(), moves: "d3 d3".into(), ..Line::default() };
        let refusal = line.open().err().unwrap();
        assert!(refusal.to_string().starts_with("move 2: "), "{refusal}");
    }

    #[test]
    fn a_line_of_any_length_is_bounded() {
        let line = Line { game: "othello".into(), position: Some("-".repeat(5000)), ..Line::default() };
        assert!(line.open().is_err());
    }
}
