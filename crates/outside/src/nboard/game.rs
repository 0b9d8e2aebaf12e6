//! Games and moves in the form of the Generic Game Server: `(;GM[Othello]…BO[8 … *]B[F5//1.2]W[F6];)`.

use quincunx_game::{AnyGame, Side, TextError, text::quoted};
use quincunx_games::open;

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
    let mut rest = text.trim();
    rest =
        rest.strip_prefix("(;").ok_or_else(|| TextError::new("a game begins with (; and a tag such as GM[Othello]"))?;
    let mut game = None;
    let mut moves = 0;
    while let Some((tag, behind)) = rest.split_once('[') {
        let (value, behind) = behind
            .split_once(']')
            .ok_or_else(|| TextError::new(format!("the tag {} has no end", quoted(tag.trim()))))?;
        match tag.trim().trim_start_matches(';') {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(TextError::new(format!("the game is {}, expected Othello", quoted(value))));
            }
            "BO" => game = Some(read_board(value)?),
            colour @ ("B" | "W") => {
                moves += 1;
                let game = game.as_deref_mut().ok_or_else(|| TextError::new("a move stands before the board"))?;
                let wrong = |error: &dyn std::fmt::Display| TextError::new(format!("move {moves}: {error}"));
                if (game.to_move() == Side::First) != (colour == "B") {
                    return Err(wrong(&format!("{} is not to move", quoted(colour))));
                }
                play(game, value).map_err(|error| wrong(&error))?;
            }
            // Names, dates, clocks, results: nothing that a move depends on.
            _ => {}
        }
        rest = behind;
    }
    game.ok_or_else(|| TextError::new("the game has no board: BO[8 … *]"))
}

/// Reads a board: its size, its squares row by row, the side to move.
fn read_board(text: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let (size, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let rest: String = rest.chars().filter(|c| !c.is_whitespace()).collect();
    let (to_move, _) = rest.char_indices().next_back().ok_or_else(|| TextError::new("the board is empty"))?;
    let (squares, to_move) = rest.split_at(to_move);
    open("othello", Some(&format!("{size}x{size}")), Some(&format!("{squares} {to_move}")))
}

/// Writes a game: the start board, then the moves.
#[cfg(any(target_os = "linux", test))]
pub(super) fn write(game: &dyn AnyGame) -> String {
    use std::fmt::Write;
    let start = game.start_text();
    let (board, to_move) = start.split_once(' ').unwrap_or((&start, "X"));
    let mark = |text: &str| text.replace('X', "*");
    let size = board.len().isqrt();
    let mut text = format!(
        "(;GM[Othello]PC[Quincunx]PB[Black]PW[White]RE[?]TI[0]TY[{size}]BO[{size} {} {}]",
        mark(board),
        mark(to_move)
    );
    let moves = game.played();
    let mut side = if moves.len().is_multiple_of(2) { game.to_move() } else { !game.to_move() };
    for mv in moves {
        _ = write!(text, "{}[{}]", if side == Side::First { "B" } else { "W" }, write_move(&mv));
        side = !side;
    }
    text.push_str(";)");
    text
}

#[cfg(test)]
mod tests {
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
            &illegal,
            &size,
        ] {
            let error = read(text).map(|_| ()).unwrap_err().to_string();
            assert!(error.len() < 200 && !error.contains('\n'), "{text}: {error}");
        }
    }
}
