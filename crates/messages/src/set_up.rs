//! A position that was set up stone by stone on a board.

use quincunx_game::{AnyGame, Side, TextError, refusal};
use quincunx_games::{rules, set_up};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::line::LONGEST_TEXT;

/// Stones, side to move and counts, to be read as a position by the rules of the game.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The name of the game.
    #[schema(max_length = 2_000)]
    pub game: String,
    /// The ruleset; the default one if missing.
    #[serde(default)]
    #[schema(max_length = 2_000)]
    pub ruleset: Option<String>,
    /// The stones by cell: `0`, `1` or `.`.
    #[schema(max_length = 2_000)]
    pub stones: String,
    /// The side to move.
    #[schema(maximum = 1)]
    pub to_move: usize,
    /// What the board counts beside its stones, in the order of its `counts`.
    #[serde(default)]
    pub counts: Vec<[u32; 2]>,
}

impl SetUp {
    /// A game that begins with the position; the error says why there is no such position.
    pub fn open(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let texts = [Some(&self.game), self.ruleset.as_ref(), Some(&self.stones)];
        if texts.into_iter().flatten().any(|text| text.len() > LONGEST_TEXT) {
            return Err(refusal!("line.text_too_long", "a text is longer than {most} bytes", most = LONGEST_TEXT));
        }
        let rules = rules(&self.game, self.ruleset.as_deref())?;
        let board = set_up(rules, None, std::iter::empty::<&str>())?;
        let stones: Option<Vec<_>> = self.stones.chars().map(stone).collect();
        let stones = stones.filter(|stones| stones.len() == board.stones().len());
        let (Some(stones), Some(&to_move)) = (stones, Side::BOTH.get(self.to_move)) else {
            return Err(malformed());
        };
        if self.counts.len() != board.counts().len() {
            return Err(malformed());
        }
        let text = board.text_of(&stones, to_move, &self.counts);
        set_up(rules, Some(&text), std::iter::empty::<&str>())
    }
}

fn malformed() -> TextError {
    refusal!("set_up.malformed", "this is not a stone or nothing for each cell, a side, and what the board counts")
}

/// What a character stands for; the outer `None` if for nothing.
#[allow(clippy::option_option, reason = "an empty cell is a value, too")]
fn stone(character: char) -> Option<Option<Side>> {
    match character {
        '.' => Some(None),
        '0' => Some(Some(Side::First)),
        '1' => Some(Some(Side::Second)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::outcome::{PLY_LIMIT, REPETITION};
    use quincunx_games::{all, open};

    use super::*;
    use crate::view;

    fn of(game: &dyn AnyGame) -> SetUp {
        let counts = game.counts().iter().map(|name| {
            let tally = game.tallies().into_iter().find(|tally| tally.name == *name);
            tally.expect("what is counted is shown").values
        });
        SetUp {
            game: game.rules().about.name.into(),
            ruleset: Some(game.rules().to_string()),
            stones: view::stones(game),
            to_move: game.to_move().index(),
            counts: counts.collect(),
        }
    }

    #[test]
    fn every_position_can_be_set_up_by_its_cells() {
        quincunx_games::register(&quincunx_ring::ENTRY);
        for about in all() {
            for ruleset in about.rulesets {
                let mut game = open(about.name, Some(ruleset.name), None).unwrap();
                let mut rng = rand_xoshiro::rand_core::SeedableRng::seed_from_u64(7);
                while game.outcome().is_none() && game.ply() < 2_000 {
                    assert_eq!(of(&*game).open().unwrap().position_text(), game.position_text(), "{}", about.name);
                    game.play_random(&mut rng);
                }
                // The end too, unless only the history makes it one. In the ring game two stones then stand on one
                // cell, which no board can show.
                if about.name != "ring" {
                    let ended = of(&*game).open().unwrap();
                    assert_eq!(ended.position_text(), game.position_text(), "{}", about.name);
                    let by_itself = game.outcome().filter(|end| ![REPETITION, PLY_LIMIT].contains(&end.reason));
                    if by_itself.is_some() {
                        assert_eq!(ended.outcome(), game.outcome(), "{}", about.name);
                    }
                }
            }
        }
    }

    #[test]
    fn what_cannot_come_about_is_refused_by_the_game_itself() {
        quincunx_games::register(&quincunx_ring::ENTRY);
        let refusal = |set_up: &SetUp| set_up.open().map(|_| ()).unwrap_err();
        let mut pente = of(&*open("pente", None, None).unwrap());
        pente.counts = vec![[7, 0]];
        assert!(refusal(&pente).code().starts_with("pente."));
        pente.counts = vec![[u32::MAX, 0]];
        assert!(refusal(&pente).code().starts_with("pente."));
        pente.counts.clear();
        assert_eq!(refusal(&pente).code(), "set_up.malformed");
        let mut ring = of(&*open("ring", None, None).unwrap());
        ring.stones = "0.00..".into();
        assert_eq!(refusal(&ring).code(), "ring.position");
        for (stones, to_move) in [("", 0), ("0..1..x", 0), ("0..1..", 2), ("0..1.é", 0)] {
            let wrong = SetUp { stones: stones.into(), to_move, ..ring.clone() };
            assert_eq!(refusal(&wrong).code(), "set_up.malformed", "{stones}");
        }
        let long = SetUp { stones: "0".repeat(3_000), ..ring };
        assert_eq!(refusal(&long).code(), "line.text_too_long");
    }
}
