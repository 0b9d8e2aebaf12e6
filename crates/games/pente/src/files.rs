//! The files of the Pente assignment: `input.txt` with colour, time, captures and board, `output.txt` with a place such as
//! `9N`.

use quincunx_game::{
    AnyGame, TextError,
    exchange::{Exchange, Given, Handover, Lines, colour, only_line, told_seconds},
    text::quoted,
};

use super::SIZE;

pub(crate) struct Files;

impl Exchange for Files {
    fn handover(&self, game: &dyn AnyGame, seconds: f64) -> Handover {
        let position = game.position_text();
        let mut words = position.split(' ');
        let board = words.next().unwrap_or_default().replace('/', "\n");
        let captured = words.nth(1).unwrap_or_default();
        Handover::usual(format!("{}\n{}\n{captured}\n{board}\n", colour(game), told_seconds(seconds)))
    }

    fn parse_answer(&self, _game: &dyn AnyGame, text: &str) -> Result<String, TextError> {
        let line = only_line(text)?;
        let digits = line.trim_end_matches(|c: char| c.is_ascii_uppercase());
        let form = (1..=2).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && line.len() == digits.len() + 1;
        if form {
            Ok(line.to_string())
        } else {
            Err(TextError::new(format!("{} is no place such as 9N", quoted(line))))
        }
    }

    fn read(&self, _name: &str, text: &str) -> Result<Given, TextError> {
        let mut lines = Lines::new(text);
        let side = match lines.next("colour")? {
            "WHITE" => 'w',
            "BLACK" => 'b',
            other => {
                let other = quoted(other);
                return Err(TextError::new(format!("line 1 of input.txt is {other}, expected WHITE or BLACK")));
            }
        };
        let seconds = lines.seconds()?;
        let captured = lines.next("captures")?.replace(' ', "");
        let board: Result<Vec<&str>, TextError> = (0..SIZE).map(|_| lines.next("board")).collect();
        let position = format!("{} {side} {captured}", board?.join("/"));
        Ok(Given { ruleset: None, position, seconds: Some(seconds), output: "output.txt".into() })
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Rules;

    use super::*;
    use crate::ENTRY;

    fn game(position: Option<&str>) -> Box<dyn AnyGame> {
        ENTRY.open(Rules::of(ENTRY.about), position).unwrap()
    }

    #[test]
    fn the_sample_of_the_assignment_is_written_and_read_exactly() {
        let mut board = vec![vec!['.'; 19]; 19];
        for (place, stone) in [("10K", 'w'), ("10N", 'w'), ("12K", 'w'), ("11L", 'b'), ("10M", 'b')] {
            let (row, column) = place.split_at(2);
            let column = "ABCDEFGHJKLMNOPQRST".find(column).unwrap();
            board[19 - row.parse::<usize>().unwrap()][column] = stone;
        }
        let rows: Vec<String> = board.into_iter().map(|row| row.into_iter().collect()).collect();
        let expected = format!("BLACK\n100.00\n0,0\n{}\n", rows.join("\n"));
        let position = format!("{} b 0,0", rows.join("/"));
        let game = game(Some(&position));
        assert_eq!(Files.handover(&*game, 100.0).text, expected);
        let given = Files.read("input.txt", &expected.replace("100.00", "100.0")).unwrap();
        assert_eq!((given.position, given.seconds), (position, Some(100.0)));
        assert_eq!(Files.parse_answer(&*game, "9N\n").unwrap(), "9N");
        assert_eq!(Files.answer(&*game, "9N"), "9N\n");
    }

    #[test]
    fn a_time_is_told_above_zero_and_never_rounded_up() {
        let game = game(None);
        let told = |seconds| Files.handover(&*game, seconds).text.lines().nth(1).unwrap().to_string();
        assert_eq!([told(0.0001), told(0.019), told(5.2), told(99.999)], ["0.01", "0.01", "5.20", "99.99"]);
    }

    #[test]
    fn only_the_form_of_the_assignment_is_an_answer() {
        let game = game(None);
        for wrong in ["", "K10", "10k", "10 K", "010K", "K", "10", "10KK", "10K\n11K", "move 10K", "\u{661}0K"] {
            assert!(Files.parse_answer(&*game, wrong).is_err(), "{wrong}");
        }
    }
}
