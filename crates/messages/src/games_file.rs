//! Files of games in the formats that only one game has, such as WTHOR: what an opening explorer wants of them.

use quincunx_game::{Record, Rules, TextError, format::Source, record::forced_pass};
use quincunx_games::{NO_MOVES, entry, set_up};
use serde::Serialize;

use crate::pasted::not_a_game;

/// The plies of a game that are read.
const PLIES: usize = 40;
/// The most games of a file that are read: the others count as wrong.
const MOST: usize = 5_000;

/// The games of a file.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub struct GamesFile {
    games: Vec<Opening>,
    /// The games that could not be read.
    wrong: usize,
}

/// How a game began, and its result.
#[derive(Serialize, PartialEq, Eq, Debug)]
struct Opening {
    game: &'static str,
    ruleset: String,
    position: Option<String>,
    /// The first moves, forced passes included.
    moves: Vec<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; the first side comes first.
    result: &'static str,
}

/// The games in a file of a format that only `game` has; the error says that it is none.
pub fn games_in(game: &str, file: &[u8]) -> Result<GamesFile, TextError> {
    let entry = entry(game)?;
    let source = Source { expected: Some(Rules::of(entry.about)), ..Source::new(file) };
    let format = entry.formats.own.iter().find(|format| format.recognises(&source));
    let format = format.ok_or_else(not_a_game)?;
    let mut found = GamesFile { games: Vec::new(), wrong: 0 };
    format.read(&source, &mut |record| {
        match record.and_then(|record| opening(&record, format.omits_passes())) {
            // Some files hold positions alone.
            Ok(opening) if opening.moves.is_empty() => {}
            Ok(opening) if found.games.len() < MOST => found.games.push(opening),
            _ => found.wrong += 1,
        }
        Ok(())
    })?;
    Ok(found)
}

fn opening(record: &Record, omits_passes: bool) -> Result<Opening, TextError> {
    let mut game = set_up(record.rules, record.start.as_deref(), NO_MOVES)?;
    for mv in record.each_move() {
        if omits_passes && let Some(pass) = forced_pass(&*game).filter(|pass| pass != mv) {
            game.play(&pass)?;
        }
        if game.ply() >= PLIES {
            break;
        }
        game.play(mv)?;
    }
    Ok(Opening {
        game: record.rules.about.name,
        ruleset: record.rules.to_string(),
        position: record.start.clone(),
        moves: game.played(),
        result: record.ending.text(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_game_alone_are_read_and_others_are_refused() {
        let ggf =
            b"(;GM[Othello]PC[GGS]RE[-4.00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- \
            -------- *]B[F5]W[D6]B[C3];)\n(;GM[Othello]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
            -------- -------- *]B[A1];)";
        let found = games_in("othello", ggf).unwrap();
        assert_eq!((found.games.len(), found.wrong), (1, 1));
        assert_eq!(
            (&found.games[0].moves[..], found.games[0].result),
            (&["f5", "d6", "c3"].map(String::from)[..], "0-1")
        );
        for (game, file) in [("othello", &b"nonsense"[..]), ("shobu", ggf), ("pente", b""), ("othello", &[0; 3])] {
            assert!(games_in(game, file).is_err(), "{game}");
        }
        assert!(games_in("nothing", ggf).is_err());
    }

    #[test]
    fn a_record_of_wthor_is_one_of_sixteen_bytes_before_it() {
        // The head of the file says one game; 68 bytes follow: names, scores, and sixty moves of which two were made.
        let mut file = vec![20, 26, 11, 18, 1, 0, 0, 0, 0, 0, 0xea, 0x07, 8, 0, 0, 0];
        let mut game = vec![0; 68];
        (game[6], game[7]) = (40, 40);
        (game[8], game[9]) = (56, 64);
        file.extend(game);
        let found = games_in("othello", &file).unwrap();
        assert_eq!(found.games[0].moves, ["f5", "d6"]);
        assert_eq!(found.games[0].result, "1-0");
        file.truncate(70);
        assert!(games_in("othello", &file).is_err());
    }
}
