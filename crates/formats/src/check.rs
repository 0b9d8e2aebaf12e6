//! Every game that was read is replayed by the rules before anybody believes it.

use quincunx_game::{AnyGame, Ending, Record, TextError, record::forced_pass};
use quincunx_games::{NO_MOVES, set_up};

/// A game that the rules have accepted.
pub struct Checked {
    /// Its record: moves as this program writes them, passes included, and the result by the rules if they end it.
    pub record: Record,
    /// It at its end.
    pub game: Box<dyn AnyGame>,
}

/// The tag that keeps what a file says of the result of a game that the rules end otherwise.
const CLAIMED: &str = "Claimed";

/// Replays a record; the error names the move that is wrong. With `omits_passes`, forced passes that are missing are put
/// in.
pub fn check(mut record: Record, omits_passes: bool) -> Result<Checked, TextError> {
    let mut game = set_up(record.rules, record.start.as_deref(), NO_MOVES)?;
    // A pass that is put in has no note.
    let mut notes = record.notes.iter();
    let mut kept = Vec::with_capacity(notes.len());
    for (index, mv) in record.each_move().enumerate() {
        if let Err(error) = game.play(mv) {
            let pass = if omits_passes { forced_pass(&*game) } else { None };
            let pass = pass.ok_or_else(|| error.of_move(index + 1))?;
            game.play(&pass)?;
            kept.push(String::new());
            game.play(mv).map_err(|error| error.of_move(index + 1))?;
        }
        kept.push(notes.next().cloned().unwrap_or_default());
    }
    if !record.notes.is_empty() {
        record.notes = kept;
    }
    record.moves = game.played().join(" ");
    for (mv, _) in &mut record.scores {
        game.play(mv)?;
        *mv = game.played().pop().unwrap_or_default();
        game.undo();
    }
    // A position that is the start is not told.
    if record.start.is_some() {
        let start = game.start_text();
        let usual = set_up(record.rules, None, NO_MOVES)?.start_text();
        record.start = (start != usual).then_some(start);
    }
    if let Some(outcome) = game.outcome() {
        let ending = Ending::of(outcome.winner);
        if record.ending != Ending::Open && record.ending != ending {
            let claimed = record.ending.text();
            record.push_tag(CLAIMED, claimed);
        }
        record.ending = ending;
        record.cause = outcome.reason.to_string();
    }
    Ok(Checked { record, game })
}
