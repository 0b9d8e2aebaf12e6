//! Self-play of this program: the `games.bin` that `quincunx selfplay` writes. It is only read.

use quincunx_game::{
    Ending, Record, TextError,
    format::{Format, Source, Visit},
};
use quincunx_games::{rules, variant};
use quincunx_search::selfplay::{GameSummary, Reader};

/// Games of the engine against itself, with the score of each position.
pub(crate) struct SelfPlay;

impl Format for SelfPlay {
    fn name(&self) -> &'static str {
        "selfplay"
    }

    fn summary(&self) -> &'static str {
        "games of the engine against itself: the games.bin of a directory of self-play"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["bin"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        source.bytes.starts_with(b"quincunx selfplay ")
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let reader = Reader::new(source.bytes)?;
        let heading = reader.heading();
        let rules = rules(&heading.game, Some(&heading.rules))?;
        let engine = format!("engine:nodes={}", heading.settings.nodes);
        for chunk in reader {
            let chunk = chunk.map_err(|fault| TextError::new(fault.to_string()))?;
            let mut games = Vec::with_capacity(chunk.games as usize);
            variant(&rules).replay(rules, &chunk, &mut |game| games.push(game.clone()))?;
            for GameSummary { plies, moves, winner, labels, .. } in games {
                let unlabelled = std::iter::repeat_n(None, plies - labels.len());
                let searched = unlabelled.chain(labels.iter().map(|label| Some(label.number().into()))).collect();
                let players = [engine.clone(), engine.clone()];
                visit(Ok(Record { moves, players, ending: Ending::of(winner), searched, ..Record::new(rules) }))?;
            }
        }
        Ok(())
    }
}
