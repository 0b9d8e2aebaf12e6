//! Whole files of self-play as something to learn from.

use quincunx_game::{Rules, TextError};

use super::{Fault, Heading, Played, Reader, games};
use crate::{Stop, Tactics};

/// The heading of a file of self-play, which must be of the game of `P`; the error begins with the name of the file.
pub fn heading_of<P: Tactics>(name: &str, file: &[u8]) -> Result<Heading, TextError> {
    let named = |what: &dyn std::fmt::Display| TextError::new(format!("{name}: {what}"));
    let heading = Reader::new(file).map_err(|error| named(&error))?.heading().clone();
    let game = P::about().name;
    if heading.game != game {
        return Err(named(&format!("these are games of {}, not of {game}", heading.game)));
    }
    Ok(heading)
}

/// Calls `visit` with every game of a file, in order; `false` if it was stopped. What a killed run left of its last
/// chunk is passed over; any other damage is an error that names the file.
pub fn read<P: Tactics>(
    name: &str,
    file: &[u8],
    stop: &Stop,
    visit: &mut dyn FnMut(Played<P>),
) -> Result<bool, TextError> {
    let named = |what: &dyn std::fmt::Display| TextError::new(format!("{name}: {what}"));
    let heading = heading_of::<P>(name, file)?;
    let rules = Rules::parse(P::about(), &heading.rules).map_err(|error| named(&error))?;
    if P::start(rules.ruleset.name).is_none() {
        return Err(named(&format!("these are games of {}, another ruleset", rules.ruleset.name)));
    }
    for chunk in Reader::new(file)? {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(Fault::Unfinished { .. }) => break,
            Err(fault) => return Err(named(&fault)),
        };
        for game in games(rules, &chunk) {
            if stop.is_stopped() {
                return Ok(false);
            }
            visit(game.map_err(|error| named(&error))?);
        }
    }
    Ok(true)
}
