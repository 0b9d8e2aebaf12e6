//! Games and moves in the form of the Generic Game Server: `(;GM[Othello]…BO[8 … *]B[F5//1.2]W[F6];)`.

use quincunx_formats::{Input, by_name, read_all};
use quincunx_game::{AnyGame, TextError};
#[cfg(any(target_os = "linux", test))]
use quincunx_game::{Record, format::Format};

/// A move as the protocol writes it.
pub(super) fn write_move(mv: &str) -> String {
    if mv == "pass" { "PA".into() } else { mv.to_uppercase() }
}

/// Plays `F5`, `F5/1.25/0.3` or `PA`: evaluation and time behind the move are ignored.
pub(super) fn play(game: &mut dyn AnyGame, text: &str) -> Result<(), TextError> {
    game.play(text.split('/').next().unwrap_or("").trim())
}

/// Reads a game.
pub(super) fn read(text: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let mut input = Input::new(text.as_bytes());
    input.format = Some(by_name("ggf")?);
    let found = read_all(&input)?.pop();
    found.map(|checked| checked.game).ok_or_else(|| TextError::new("there is no game"))
}

/// Writes a game: the start board, then the moves.
#[cfg(any(target_os = "linux", test))]
pub(super) fn write(game: &dyn AnyGame) -> String {
    let mut record = Record::new(*game.rules());
    record.moves = game.played().join(" ");
    record.players = ["Black", "White"].map(String::from);
    record.push_tag("Site", "Quincunx");
    record.push_tag("TimeControl", "0");
    let mut written = Vec::new();
    let writer = by_name("ggf").ok().and_then(Format::writer);
    writer.expect("GGF is written").add(&record, game, &mut written).expect("the game is Othello");
    String::from_utf8_lossy(&written).trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use quincunx_games::open;

    use super::*;

    const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    #[test]
    fn a_game_of_the_protocols_own_example_is_read() {
        let text = format!(
            "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]{START}B[F5]W[F6//1.5]B[D3/0.2/3]W[C5];)"
        );
        let game = read(&text).unwrap();
        assert_eq!(game.played(), ["f5", "f6", "d3", "c5"]);
        let six = read("(;GM[Othello]TY[6]BO[6 -------- ------ O*----*O------ -------- *]B[C2];)").unwrap();
        assert_eq!((six.rules().ruleset.name, six.ply()), ("6x6", 1));
    }

    #[test]
    fn a_game_arrives_as_it_was_sent() {
        for ruleset in ["8x8", "6x6"] {
            let mut game = open("othello", Some(ruleset), None).unwrap();
            while let Some(choice) = game.choices().pop() {
                game.play(&choice.text).unwrap();
                let read = read(&write(&*game)).unwrap();
                assert_eq!((read.position_text(), read.played()), (game.position_text(), game.played()));
            }
        }
    }

    #[test]
    fn what_is_no_game_is_refused_in_one_line() {
        let unfinished = format!("(;GM[Othello]{START}B[F5");
        let turn = format!("(;{START}W[F5];)");
        let twice = format!("(;{START}B[F5]B[D6];)");
        let illegal = format!("(;{START}B[A1];)");
        let size = START.replace("BO[8", "BO[7");
        for text in [
            "",
            "F5",
            "(;GM[Chess];)",
            "(;)",
            "(;B[F5];)",
            "(;BO[]",
            "(;BO[8 é];)",
            &unfinished,
            &turn,
            &twice,
            &illegal,
            &size,
        ] {
            let error = read(text).map(|_| ()).unwrap_err().to_string();
            assert!(error.len() < 200 && !error.contains('\n'), "{text}: {error}");
        }
    }
}
