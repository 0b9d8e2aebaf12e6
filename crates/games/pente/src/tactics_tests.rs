//! Forced wins and forced answers: constructed positions, and random ones against the rules alone.

use quincunx_search::{
    Evaluator, Tactics, Verdict,
    solver::{Bounds, Solution, Solver},
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    patterns::flag,
    tests::position,
    threats::{Hunt, ThreatSolver},
    *,
};

/// Whether the side to move has a move that ends the game, by the rules alone.
fn wins_in_one(position: &Pente) -> bool {
    position.moves().into_iter().any(|mv| {
        let around = position.stones.around(mv);
        let taken = 2 * around.captures(position.to_move).count_ones() as u8;
        around.makes_five(position.to_move) || position.captured(position.to_move) + taken >= STONES_TO_WIN
    })
}

fn played(position: &Pente, mv: Move) -> Pente {
    let mut child = *position;
    child.play(mv);
    child
}

/// Whether the side to move wins in so many plies whatever the other side answers: every legal answer is tried.
fn wins_against_everything(position: &Pente, plies: u32) -> bool {
    if wins_in_one(position) {
        return true;
    }
    let mut hunt = Hunt::thorough(100_000, &|| false);
    let mut lines = position.known();
    let Some(found) = hunt.shortest(position, &mut lines, plies) else { return false };
    let line = hunt.line(position, &mut lines, found);
    let child = played(position, line[0]);
    !wins_in_one(&child)
        && child.moves().into_iter().all(|reply| {
            let after = played(&child, reply);
            after.outcome().is_none() && wins_against_everything(&after, plies - 2)
        })
}

/// Positions as they come about in the middle of a fight: random stones on a small part of the board.
fn fights(count: u64) -> impl Iterator<Item = Pente> {
    (0..count).filter_map(|seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Pente::start("free").unwrap();
        let corner = random_below(&mut rng, 12) as usize;
        let width = 6 + random_below(&mut rng, 2) as usize;
        for _ in 0..8 + random_below(&mut rng, 18) {
            let mut line = || corner + random_below(&mut rng, width as u64) as usize;
            let mv = Move::at(line(), line());
            if position.may_place(mv) {
                position.play(mv);
            }
        }
        position.outcome().is_none().then_some(position)
    })
}

#[test]
fn forced_wins_are_solved_at_once() {
    for (name, white, black, rest, plies, first) in [
        ("five", "10D 10E 10F 10G", "10C 3C 5D 16P", "w 0,0", 1, "10H"),
        ("five over a gap", "10D 10E 10G 10H", "3C 5D 16P 2R", "w 0,0", 1, "10F"),
        ("five beats saving the fifth pair", "10D 10E 10F 10G 4L 4M", "10C 4K 5D 16P", "w 0,8", 1, "10H"),
        ("fifth capture", "4K 8C 9P", "4L 4M 16P 2R", "w 8,0", 1, "4N"),
        ("two pairs at once", "4K 7N 8C", "4L 4M 5N 6N 2R", "w 6,0", 1, "4N"),
        ("open four", "10D 10E 10F", "3C 5P 16Q", "w 0,0", 3, ""),
        ("two fours", "10D 10E 10F 7G 8G 9G", "10C 6G 16P 17C 2R 3B", "w 0,0", 3, "10G"),
        ("two flanks of the fifth pair", "16B 17C", "4L 4M 5K 6K 2R", "w 8,0", 3, "4K"),
        ("four after four", "10D 10E 10F 8G 7G", "10C 16P 17C 2R 3B", "w 0,0", 5, "10G"),
    ] {
        let position = position(white, black, rest);
        let Some(Solution { verdict, line, .. }) = ThreatSolver.attempt(&position, &Bounds::NONE, &mut 0) else {
            panic!("{name}: no win found");
        };
        assert_eq!(verdict, Verdict::Win(plies), "{name}");
        assert_eq!(line.len(), plies as usize, "{name}");
        assert!(first.is_empty() || position.move_text(line[0]) == first, "{name}: {}", position.move_text(line[0]));
        let end = line.iter().fold(position, |position, &mv| played(&position, mv));
        assert_eq!(end.outcome().and_then(|end| end.winner), Some(Side::First), "{name}");
        assert!(wins_against_everything(&position, plies), "{name}");
    }
}

#[test]
fn a_win_that_a_capture_breaks_is_none() {
    for (name, white, black, rest) in [
        // Black takes 10F and 11F from 12F: the four is two again.
        ("open four", "10D 10E 10F 11F", "9F 3C 5P 16Q", "w 0,0"),
        // Black's answer to the four is his fifth pair.
        ("open four, fifth pair lost", "10D 10E 10F 3K 3L", "3J 5P 16Q 2C", "w 0,8"),
    ] {
        let position = position(white, black, rest);
        let lines = position.known();
        assert!(!lines.cells(Side::First, flag::OPEN_FOUR).is_empty(), "{name}");
        for depth in [0, 8] {
            assert_ne!(position.verdict(&lines, depth), Some(Verdict::Win(3)), "{name}");
        }
    }
}

#[test]
fn wins_in_one_are_seen_exactly_where_the_rules_have_them() {
    let mut won = 0;
    for position in fights(4000) {
        let seen = position.verdict(&position.known(), 0) == Some(Verdict::Win(1));
        assert_eq!(seen, wins_in_one(&position), "{}", position.text());
        won += u32::from(seen);
    }
    assert!(won > 50, "{won} of them tell little");
}

#[test]
fn verdicts_hold_against_every_answer() {
    let mut seen = [0; 2];
    for position in fights(3000) {
        match position.verdict(&position.known(), 4) {
            Some(Verdict::Win(plies)) if plies > 1 && plies <= 7 => {
                seen[0] += 1;
                assert!(wins_against_everything(&position, plies), "{plies}: {}", position.text());
            }
            Some(Verdict::Loss(2)) => {
                seen[1] += 1;
                let lost = |mv| wins_in_one(&played(&position, mv));
                assert!(!wins_in_one(&position) && position.moves().into_iter().all(lost), "{}", position.text());
            }
            _ => {}
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?} of them tell little");
}

#[test]
fn no_answer_to_a_five_or_a_fifth_capture_is_left_out() {
    let mut forced = 0;
    for position in fights(4000) {
        let lines = position.known();
        if wins_in_one(&position) || !position.is_threatened(&lines) {
            continue;
        }
        forced += 1;
        let mut candidates = Vec::new();
        position.for_each_candidate(&lines, |mv| candidates.push(mv));
        for mv in position.moves() {
            let saves = !wins_in_one(&played(&position, mv));
            assert!(!saves || candidates.contains(&mv), "{} in {}", position.move_text(mv), position.text());
        }
    }
    assert!(forced > 50, "{forced} of them tell little");
}

#[test]
fn an_open_three_is_answered_wherever_it_can_be() {
    // Every move after which White no longer makes an open four that wins at once is looked at.
    let mut answered = 0;
    for position in fights(1500) {
        let lines = position.known();
        let enemy = !position.to_move;
        let quiet = position.verdict(&lines, 0).is_none() && !position.is_threatened(&lines);
        if !quiet || lines.cells(enemy, flag::OPEN_FOUR).is_empty() {
            continue;
        }
        let mut candidates = Vec::new();
        position.for_each_candidate(&lines, |mv| candidates.push(mv));
        for mv in position.moves() {
            let child = played(&position, mv);
            let state = child.known();
            let stops = state.cells(enemy, flag::OPEN_FOUR).is_empty() || child.is_threatened(&state);
            assert!(!stops || candidates.contains(&mv), "{} in {}", position.move_text(mv), position.text());
            answered += u32::from(stops);
        }
    }
    assert!(answered > 50, "{answered} of them tell little");
}

#[test]
fn the_evaluation_knows_no_colour_and_no_direction() {
    let evaluation = evaluation::Evaluation::embedded();
    let evaluate = |position: &Pente| evaluation.evaluate(position, &evaluation.state(position));
    for position in fights(200) {
        let value = evaluate(&position);
        let swapped = position.colours_swapped();
        assert_eq!(evaluate(&swapped), value, "{}", position.text());
        for symmetry in 0..Pente::SYMMETRIES {
            let image = position.transformed(symmetry);
            assert_eq!(evaluate(&image), value, "{}", position.text());
        }
    }
}

#[test]
fn a_win_of_fifteen_plies_is_solved_at_once() {
    // Found among random positions; nobody sees these at a glance.
    for text in [
        ".................../.................../.................../.................../....w...b...b....../......w..w.b.wb..../....wwb..w..b....../.......bw........../....w...b.b.w....../.......w...w.b...../....b..w..w..b...../.........bbb..w..../....b..b.........../............w....../........w..bb....../.................../.................../.................../................... w 0,2",
        ".................../.................../.................../.................../....w.......b....../.................../....ww...wb...b..../.........w.w......./.........b........./..........w...b..../....w.w.w..w......./....bbb...b...b..../.....w...b....b..../....b.w............/.................../.................../.................../.................../................... w 0,0",
        ".................../.................../.................../.................../......b....b.b...../.......w.........../........ww..w....../...........b......./.....b..bb........./......w.w...w....../....b.ww.........../.................../.......w.........../......w....b..b..../.........bwb......./.................../.................../.................../................... w 0,0",
    ] {
        let position = Pente::parse("free", text).unwrap();
        for position in [position, position.colours_swapped().transformed(5)] {
            let winner = position.to_move;
            let Solution { verdict, line, nodes, .. } =
                position.win_by_threats(&mut 40_000, &|| false).expect("a win is there");
            assert_eq!((verdict, line.len()), (Verdict::Win(15), 15), "{text}");
            assert!(nodes < 5000, "{nodes} positions are not at once: {text}");
            assert!(wins_against_everything(&position, 15), "{text}");
            let end = line.iter().fold(position, |position, &mv| played(&position, mv));
            assert_eq!(end.outcome().and_then(|end| end.winner), Some(winner), "{text}");
        }
    }
}
