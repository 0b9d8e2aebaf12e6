//! The commands that say what to think about and how long: `position` and `go`, as both ends write and read them.

use std::time::Duration;

use quincunx_game::{AnyGame, Rules, Side, TextError};
use quincunx_games::{NO_MOVES, set_up};
use quincunx_search::{Clock, Limits};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The time of a search for which no limit is known.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// The game under `rules` of a `position` command: `startpos` or `fen TEXT`, and the moves behind it. `lot` decides who
/// begins if the rules leave that to chance.
pub(super) fn read_position(text: &str, rules: Rules, lot: u64) -> Result<Box<dyn AnyGame>, TextError> {
    let (setup, moves) = match text.find("moves") {
        Some(at) => (text[..at].trim(), text[at + 5..].trim()),
        None => (text, ""),
    };
    let position = match setup.split_once(char::is_whitespace) {
        Some(("fen", position)) => Some(position.trim()),
        None if setup == "startpos" => None,
        _ => return Err(TextError::new("expected position startpos or position fen TEXT")),
    };
    let mut game = set_up(rules, position, NO_MOVES)?;
    if position.is_none() {
        game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(lot));
    }
    for (index, mv) in moves.split_whitespace().enumerate() {
        game.play(mv).map_err(|error| TextError::new(format!("move {}: {error}", index + 1)))?;
    }
    Ok(game)
}

/// The `position` command for a game; `start` is the position that need not be set up.
#[cfg(any(target_os = "linux", test))]
pub(super) fn position_line(game: &dyn AnyGame, start: &str) -> String {
    let begin = game.start_text();
    let mut line = if begin == start { "position startpos".into() } else { format!("position fen {begin}") };
    let moves = game.played();
    if !moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&moves.join(" "));
    }
    line
}

/// The limits of a `go` command for the side to move, and the words in it that are not understood: they are left out,
/// so that the client gets an answer all the same.
pub(super) fn read_go(text: &str, side: Side) -> (Limits, Vec<&str>) {
    let milliseconds = |number: u64| Duration::from_millis(number.min(1 << 40));
    let mut limits = Limits::default();
    let mut clocks = [None::<Duration>; 2];
    let mut increments = [Duration::ZERO; 2];
    let mut endless = text.is_empty();
    let mut strange = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let number = words.peek().and_then(|word| word.parse::<i64>().ok()).map(|number| number.max(0) as u64);
        match (word, number) {
            ("depth", Some(depth)) => limits.depth = Some(depth.clamp(1, 100) as u32),
            ("nodes", Some(nodes)) => limits.nodes = Some(nodes.max(1)),
            ("movetime", Some(time)) => limits.movetime = Some(milliseconds(time)),
            ("p1time", Some(time)) => clocks[0] = Some(milliseconds(time)),
            ("p2time", Some(time)) => clocks[1] = Some(milliseconds(time)),
            ("p1inc", Some(time)) => increments[0] = milliseconds(time),
            ("p2inc", Some(time)) => increments[1] = milliseconds(time),
            ("infinite", _) => {
                endless = true;
                continue;
            }
            _ => {
                strange.push(word);
                continue;
            }
        }
        words.next();
    }
    if endless {
        return (Limits::default(), strange);
    }
    // A client that tells one clock only has the same for both sides.
    let side = side.index();
    let told = if clocks[side].is_some() { side } else { 1 - side };
    limits.clock = clocks[told].map(|left| Clock { left, increment: increments[told] });
    if limits.is_infinite() {
        limits.movetime = Some(USUAL_TIME);
    }
    (limits, strange)
}

/// The `go` command that asks the side to move to think under these limits.
#[cfg(any(target_os = "linux", test))]
pub(super) fn go_line(limits: &Limits, side: Side) -> String {
    use std::fmt::Write;
    let mut go = String::from("go");
    let mut add = |name: &str, value: u128| _ = write!(go, " {name} {value}");
    if let Some(time) = limits.movetime {
        add("movetime", time.as_millis().max(1));
    }
    if let Some(nodes) = limits.nodes {
        add("nodes", u128::from(nodes));
    }
    if let Some(depth) = limits.depth {
        add("depth", u128::from(depth));
    }
    let clock = limits.clock.map(|clock| (clock.left, clock.increment));
    if let Some((left, increment)) = clock.or(limits.cpu.map(|left| (left, Duration::ZERO))) {
        // Only the program's own clock matters to it; the other side's is told as the same.
        let order = if side == Side::First { [1, 2] } else { [2, 1] };
        for player in order {
            add(&format!("p{player}time"), left.as_millis().max(1));
            add(&format!("p{player}inc"), increment.as_millis());
        }
    }
    if *limits == Limits::default() {
        add("movetime", USUAL_TIME.as_millis());
    }
    go
}

#[cfg(test)]
mod tests {
    use quincunx_games::open;

    use super::*;

    #[test]
    fn what_a_client_asks_is_what_the_engine_understands() {
        let time = |milliseconds| Some(Duration::from_millis(milliseconds));
        let clock = Clock { left: Duration::from_secs(60), increment: Duration::from_millis(500) };
        let told = Clock { left: Duration::from_secs(9), increment: Duration::ZERO };
        for (asked, understood) in [
            (Limits { movetime: time(100), ..Limits::default() }, Limits { movetime: time(100), ..Limits::default() }),
            (
                Limits { nodes: Some(7), depth: Some(3), ..Limits::default() },
                Limits { nodes: Some(7), depth: Some(3), ..Limits::default() },
            ),
            (Limits { clock: Some(clock), ..Limits::default() }, Limits { clock: Some(clock), ..Limits::default() }),
            // The protocol has no word for CPU time.
            (Limits { cpu: Some(told.left), ..Limits::default() }, Limits { clock: Some(told), ..Limits::default() }),
            (Limits::default(), Limits { movetime: Some(USUAL_TIME), ..Limits::default() }),
        ] {
            for side in [Side::First, Side::Second] {
                let line = go_line(&asked, side);
                assert_eq!(read_go(line.strip_prefix("go ").unwrap(), side), (understood, Vec::new()), "{line}");
            }
        }
    }

    #[test]
    fn a_game_arrives_as_it_was_sent() {
        let opened = |position: Option<&str>| open("shobu", None, position);
        let start = opened(None).unwrap().start_text();
        let mut game = opened(None).unwrap();
        for _ in 0..6 {
            let again = opened(Some(&game.position_text())).unwrap();
            for sent in [&*game, &*again] {
                let line = position_line(sent, &start);
                let read = read_position(line.strip_prefix("position ").unwrap(), *sent.rules(), 0).unwrap();
                assert_eq!((read.position_text(), read.played()), (sent.position_text(), sent.played()), "{line}");
            }
            let mv = game.choices().swap_remove(0).text;
            game.play(&mv).unwrap();
        }
    }
}
