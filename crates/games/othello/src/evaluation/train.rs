//! Making the weights: games with good scores, and a regression on them.

use std::fmt::Write as _;

use quincunx_game::{Position, Side, TextError, hash::mix};
use quincunx_search::{
    Evaluator, Score, Tactics,
    entry::held,
    selfplay::{self, Played},
    solver::{Bounds, Goal},
    train::{Trained, Training},
};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    COUNTS, Evaluation, Indices, PHASES, UNIT,
    patterns::{FEATURES, weights_of_places},
    phase,
};
use crate::{Move, Othello, discs::mobility, endgame::EndgameSolver};

/// With this many empty squares and fewer every position of a game is solved for its exact score.
const SOLVED: u32 = 12;

/// One game in this many is kept for validation.
const HELD_OUT: u64 = 50;

/// Games of its own, if nothing is said.
const GAMES: u32 = 100_000;

/// Passes over the samples, if nothing is said.
const EPOCHS: u32 = 10;

/// The table of the solver, in mebibytes: the positions are small.
const MEBIBYTES: usize = 8;

/// What a position of people's games counts beside one of self-play, as in the first trial that gained; not measured anew.
const PEOPLE: f32 = 0.3;

/// The share of the search's score in the label of a position of self-play, if nothing is said.
const SCORE_SHARE: f32 = 0.15;

/// Beyond this many discs self-play teaches nothing: games of people have exact scores there, which the endgame solver
/// orders its moves by.
const MOST_DISCS: usize = 52;

/// Weights fitted to self-play, WTHOR files and games of one ply; `None` if it was stopped.
pub(crate) fn train(training: &Training<'_>) -> Result<Option<Trained>, TextError> {
    let embedded = Evaluation::embedded();
    let mut solver = EndgameSolver::new(Some(embedded.clone()), MEBIBYTES, 1);
    let mut samples = Vec::new();
    for (name, bytes) in training.files {
        let lessons = read_wthor(bytes).map_err(|error| TextError::new(format!("{name}: {error}")))?;
        for lesson in lessons {
            if training.stop.is_stopped() {
                return Ok(None);
            }
            samples_of(&lesson, &mut solver, &mut samples);
        }
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(training.seed);
    let games = if training.data.is_empty() { GAMES } else { 0 };
    for _ in 0..training.games.unwrap_or(games) {
        if training.stop.is_stopped() {
            return Ok(None);
        }
        samples_of(&play_lesson(&embedded, &mut rng), &mut solver, &mut samples);
    }
    if !training.data.is_empty() {
        for sample in &mut samples {
            sample.share = PEOPLE;
        }
    }
    let share = training.score_share.unwrap_or(SCORE_SHARE);
    for (name, file) in training.data {
        if !selfplay::read(name, file, training.stop, &mut |game| samples_of_selfplay(&game, share, &mut samples))? {
            return Ok(None);
        }
    }
    if samples.is_empty() {
        return Err(TextError::new("there are no games to learn from: give --data, --wthor or --games"));
    }
    let (evaluation, report) = fit(&samples, Plan { epochs: training.epochs.unwrap_or(EPOCHS), seed: training.seed });
    let stopped = training.stop.is_stopped();
    Ok((!stopped).then(|| Trained { evaluator: held(evaluation), report, positions: samples.len(), curve: None }))
}

/// A position with the score it should have.
#[derive(Clone, Copy, Debug)]
struct Sample {
    own: u64,
    enemy: u64,
    /// For the side to move, in discs.
    score: f32,
    /// What it counts.
    share: f32,
    held_out: bool,
}

/// A game to learn from.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Lesson {
    /// The squares played, passes left out.
    moves: Vec<u8>,
    /// The positions of the first moves, up to this many, have no score, since good play does not follow them.
    unscored: usize,
    /// The theoretical score for Black, if the file gives it.
    score: Option<i8>,
    /// How many squares were empty when it was computed.
    score_at: u32,
}

/// The games of a file in the WTHOR format: a header of 16 bytes, then 68 bytes a game.
fn read_wthor(bytes: &[u8]) -> Result<Vec<Lesson>, TextError> {
    let wrong = |what| TextError::new(format!("this is no WTHOR file of 8x8 games: {what}"));
    let (header, games) = bytes.split_at_checked(16).ok_or_else(|| wrong("it is shorter than a header"))?;
    let count = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if !matches!(header[12], 0 | 8) {
        return Err(wrong("the board has another size"));
    }
    if games.len() != count.saturating_mul(68) {
        return Err(wrong("its length is not that of the games it says it has"));
    }
    // Old files do not say from which position on the theoretical score holds; it was from 22 empty squares on.
    let score_at = if header[14] == 0 { 22 } else { u32::from(header[14]) };
    let lesson = |game: &[u8]| {
        // A move is ten times the row plus the column, both from 1; the rest of a short game is zeros.
        let square = |mv: u8| (1..=8).contains(&(mv / 10)) && (1..=8).contains(&(mv % 10));
        let squares = game[8..].iter().take_while(|&&mv| square(mv)).map(|mv| 8 * (mv / 10) + mv % 10 - 9);
        let score = (game[7] <= 64).then(|| (2 * i32::from(game[7]) - 64) as i8);
        Lesson { moves: squares.collect(), unscored: 0, score, score_at }
    };
    Ok(games.chunks_exact(68).map(lesson).collect())
}

/// A game the evaluation plays against itself after some random moves, with a random move now and then.
fn play_lesson(evaluation: &Evaluation, rng: &mut Xoshiro256PlusPlus) -> Lesson {
    let mut position = Othello::<8>::start("8x8").expect("the 8x8 game has a start");
    let opening = 6 + rng.next_u64() % 30;
    let mut lesson = Lesson { moves: Vec::new(), unscored: 0, score: None, score_at: 0 };
    for turn in 0.. {
        let random = turn < opening || rng.next_u64().is_multiple_of(24);
        let chosen = if random { position.random_move(rng) } else { best_by(evaluation, &position) };
        let Some(mv) = chosen else { break };
        position.play(mv);
        if mv != Move::PASS {
            lesson.moves.push(mv.0);
            if random {
                lesson.unscored = lesson.moves.len();
            }
        }
    }
    lesson
}

fn best_by(evaluation: &Evaluation, position: &Othello<8>) -> Option<Move> {
    let mut best: Option<(i32, Move)> = None;
    position.for_each_move(|mv| {
        let mut child = *position;
        child.play(mv);
        let (own, enemy) = child.discs();
        let score = -evaluation.units(own, enemy);
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, mv));
        }
    });
    best.map(|(_, mv)| mv)
}

/// The positions of a game with their scores: exact ones near the end, before that what the game came to. Between two
/// exact scores a position has what lies between them, more of the nearer one: a score changes with the mistakes on the
/// way. A game with an illegal move is used up to that move.
fn samples_of(lesson: &Lesson, solver: &mut EndgameSolver, samples: &mut Vec<Sample>) {
    let mut position = Othello::<8>::start("8x8").expect("the 8x8 game has a start");
    let mut line = vec![position];
    for &square in &lesson.moves {
        if position.placements() == 0 {
            position.hand_over();
        }
        if square >= 64 || position.placements() & 1 << square == 0 {
            break;
        }
        position.play(Move(square));
        line.push(position);
    }
    let empty = |position: &Othello<8>| {
        let (own, enemy) = position.discs();
        64 - (own | enemy).count_ones()
    };
    let fingerprint = line.iter().fold(0, |sum, position| mix(sum, position.hash()));
    let held_out = fingerprint.is_multiple_of(HELD_OUT);
    let black = |position: &Othello<8>, score: i32| score * if position.to_move().index() == 0 { 1 } else { -1 };
    let (mut solved, mut outcome) = (None, None);
    let mut add = |position: &Othello<8>, score: i32| {
        let (own, enemy) = position.discs();
        if mobility(own, enemy) != 0 {
            samples.push(Sample { own, enemy, score: black(position, score) as f32, share: 1.0, held_out });
        }
    };
    for (index, position) in line.iter().enumerate().rev() {
        let count = empty(position);
        if count <= SOLVED {
            let Some(solution) = solver.exact(position, Goal::Score, &Bounds::NONE) else { return };
            solved = Some((count, black(position, solution.score)));
            outcome = solved;
        } else if index < lesson.unscored {
            return;
        } else if let Some(score) = lesson.score {
            let known = (lesson.score_at, i32::from(score));
            outcome =
                if count >= lesson.score_at { Some(known) } else { solved.map(|solved| between(solved, known, count)) };
        }
        match outcome {
            Some((_, score)) => add(position, score),
            None => return,
        }
    }
}

/// The positions of a game of self-play, each worth what its search said and what came after it: the worth of the next
/// position, with a share of its own score, back from the end of the game; an exact score counts alone.
fn samples_of_selfplay(game: &Played<Othello<8>>, share: f32, samples: &mut Vec<Sample>) {
    let held_out = game.number.is_multiple_of(HELD_OUT);
    let black = |position: &Othello<8>, score: f32| if position.to_move() == Side::First { score } else { -score };
    let end = game.game.position();
    let mut worth = black(end, end.score() as f32);
    let labelled: Vec<_> = game.positions().collect();
    for &(position, _, label) in labelled.iter().rev() {
        worth = match label.score {
            Score::Exact(score) => black(position, score as f32),
            Score::Estimate(score) if label.strayed => black(position, score as f32),
            Score::Estimate(score) => share * black(position, score as f32) + (1.0 - share) * worth,
            // A game that is played for a score has no other wins.
            Score::Win(_) | Score::Loss(_) => worth,
        };
        let (own, enemy) = position.discs();
        if mobility(own, enemy) != 0 && position.count_discs() as usize <= MOST_DISCS {
            samples.push(Sample { own, enemy, score: black(position, worth) / 100.0, share: 1.0, held_out });
        }
    }
}

/// The score with `count` empty squares between two scores, each with its number of empty squares.
fn between(later: (u32, i32), earlier: (u32, i32), count: u32) -> (u32, i32) {
    let (span, passed) = ((earlier.0 - later.0) as f32, (count - later.0) as f32);
    (count, (later.1 as f32 + (earlier.1 - later.1) as f32 * passed / span).round() as i32)
}

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Passes over the samples.
    epochs: u32,
    /// The seed of their order.
    seed: u64,
}

/// The evaluation that fits the samples, and a report: by phase the samples and the errors of those held out.
fn fit(samples: &[Sample], plan: Plan) -> (Evaluation, String) {
    let (places, count) = weights_of_places();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let mut all = vec![0i16; count * PHASES + COUNTS];
    let mut weights = vec![0f32; count];
    let mut turn = [0f32; COUNTS];
    let mut report = String::from("phase  samples  mean error  root mean square error, on games held out\n");
    // From the end on, each phase beginning with the weights of the one behind it.
    for current in (0..PHASES).rev() {
        let first = 4 + 4 * current as u32;
        let near = |sample: &&Sample| (first..=first + 5).contains(&(sample.own | sample.enemy).count_ones());
        let mut chosen: Vec<Sample> = samples.iter().filter(|sample| !sample.held_out).filter(near).copied().collect();
        for epoch in 0..plan.epochs {
            shuffle(&mut chosen, &mut rng);
            // A step that would correct a third of the error of a sample, falling to a fiftieth of that.
            let rate =
                0.33 / FEATURES as f32 * 0.02f32.powf(epoch as f32 / plan.epochs.max(2).saturating_sub(1) as f32);
            for sample in &chosen {
                let mut found = [0u32; FEATURES];
                let error = sample.score - predict(&weights, &turn, &places, sample, &mut found);
                let step = rate * sample.share * error;
                for place in found {
                    weights[place as usize] += step;
                }
                turn[sample.discs()] += step;
            }
        }
        let (mut absolute, mut square, mut held) = (0.0, 0.0, 0u32);
        let tested = samples
            .iter()
            .filter(|sample| sample.held_out && phase((sample.own | sample.enemy).count_ones()) == current);
        for sample in tested {
            let error = f64::from(sample.score - predict(&weights, &turn, &places, sample, &mut [0; FEATURES]));
            absolute += error.abs();
            square += error * error;
            held += 1;
        }
        let held = f64::from(held.max(1));
        _ = writeln!(report, "{current:5} {:8} {:11.2} {:23.2}", chosen.len(), absolute / held, (square / held).sqrt());
        let units = |weight: f32| (weight * UNIT as f32).round().clamp(-32000.0, 32000.0) as i16;
        for (packed, &weight) in all[current * count..].iter_mut().zip(&weights) {
            *packed = units(weight);
        }
        for discs in (0..COUNTS).filter(|&discs| phase(discs as u32) == current) {
            all[PHASES * count + discs] = units(turn[discs]);
        }
    }
    let embedded = Evaluation::embedded();
    (Evaluation::expanded(&all, &places, embedded.probcut.clone()).with_tuning(embedded.tuning), report)
}

impl Sample {
    fn discs(&self) -> usize {
        (self.own | self.enemy).count_ones() as usize
    }
}

/// The score by the weights; `found` are those that it adds up.
fn predict(weights: &[f32], turn: &[f32; COUNTS], places: &[u32], sample: &Sample, found: &mut [u32; FEATURES]) -> f32 {
    let (mut index, mut sum) = (0, turn[sample.discs()]);
    Indices::of(sample.own, sample.enemy).for_each_place(|place| {
        found[index] = places[place];
        sum += weights[places[place] as usize];
        index += 1;
    });
    sum
}

fn shuffle(samples: &mut [Sample], rng: &mut Xoshiro256PlusPlus) {
    for last in (1..samples.len()).rev() {
        let other = quincunx_game::position::random_below(rng, last as u64 + 1) as usize;
        samples.swap(last, other);
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::{Game, Rules};
    use quincunx_search::selfplay::Label;

    use super::*;

    fn new_solver() -> EndgameSolver {
        EndgameSolver::new(Some(Evaluation::embedded()), 1, 1)
    }

    /// A WTHOR file with one game of three moves.
    fn wthor() -> Vec<u8> {
        let mut bytes = vec![0; 16 + 68];
        bytes[4] = 1;
        (bytes[12], bytes[14]) = (8, 24);
        (bytes[16 + 6], bytes[16 + 7]) = (40, 35);
        bytes[16 + 8..16 + 11].copy_from_slice(&[56, 64, 33]);
        bytes
    }

    #[test]
    fn wthor_games_are_read_and_damaged_files_refused() {
        let lessons = read_wthor(&wthor()).unwrap();
        assert_eq!(lessons, [Lesson { moves: vec![37, 43, 18], unscored: 0, score: Some(6), score_at: 24 }]);
        for length in 0..wthor().len() {
            assert!(read_wthor(&wthor()[..length]).is_err());
        }
        let mut small = wthor();
        small[12] = 10;
        assert!(read_wthor(&small).unwrap_err().to_string().contains("another size"));
        let mut strange = wthor();
        strange[16 + 9] = 255;
        assert_eq!(read_wthor(&strange).unwrap()[0].moves, [37]);
    }

    #[test]
    fn a_game_with_an_illegal_move_is_used_up_to_it() {
        let lesson = Lesson { moves: vec![37, 37, 18], unscored: 0, score: Some(6), score_at: 24 };
        let mut samples = Vec::new();
        samples_of(&lesson, &mut new_solver(), &mut samples);
        let scores: Vec<_> = samples.iter().map(|sample| sample.score).collect();
        assert_eq!(scores, [-6.0, 6.0], "the last position comes first, seen by its side to move");
    }

    #[test]
    fn between_two_exact_scores_lies_more_of_the_nearer_one() {
        let scores: Vec<_> = (12..=24).step_by(3).map(|count| between((12, -10), (24, 14), count).1).collect();
        assert_eq!(scores, [-10, -4, 2, 8, 14]);
        // A game of good moves, of which somebody says that Black was ahead by 40 with 24 empty squares.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut lesson = play_lesson(&Evaluation::embedded(), &mut rng);
        (lesson.unscored, lesson.score, lesson.score_at) = (0, Some(40), 24);
        let mut samples = Vec::new();
        samples_of(&lesson, &mut new_solver(), &mut samples);
        let distance = |discs: usize| {
            let sample = samples.iter().find(|sample| sample.discs() == discs);
            sample.map(|sample| (sample.score.abs() as i32 - 40).abs())
        };
        assert_eq!(distance(30), Some(0));
        assert_eq!(distance(40), Some(0));
        assert!(distance(42) < distance(46) && distance(46) < distance(50), "{samples:?}");
    }

    #[test]
    fn positions_of_selfplay_are_worth_their_score_and_what_came_of_them() {
        // A whole game, in which every search said that the side to move is five discs ahead.
        let mut game = Game::new(Rules::parse(Othello::<8>::about(), "8x8").unwrap()).unwrap();
        while let Some(mv) = best_by(&Evaluation::embedded(), game.position()) {
            game.play(mv);
        }
        let label = |score| Label { score, quiet: true, strayed: false };
        let labels = vec![label(Score::Estimate(500)); game.moves().len() - 10];
        let mut played = Played { number: 1, winner: game.outcome().unwrap().winner, game, opening: 10, labels };
        let scores = |played: &Played<Othello<8>>, share| {
            let mut samples = Vec::new();
            samples_of_selfplay(played, share, &mut samples);
            assert!(samples.iter().all(|sample| (14..=MOST_DISCS).contains(&sample.discs())));
            samples.iter().map(|sample| (100.0 * sample.score).round() as i32).collect::<Vec<_>>()
        };
        let end = played.game.position().score().abs();
        assert!(scores(&played, 0.0).iter().all(|score| score.abs() == end), "only the end counts");
        assert!(scores(&played, 1.0).iter().all(|&score| score == 500), "only the searches count");
        // An exact score with 26 discs: what came after it says nothing of the positions before.
        played.labels[12] = label(Score::Exact(-800));
        let exact = scores(&played, 0.0);
        assert_eq!(exact[exact.len() - 13], -800);
        assert!(exact[exact.len() - 12..].iter().all(|score| score.abs() == 800), "{exact:?}");
        // A random move was played here: its search speaks alone.
        played.labels[12] = Label { strayed: true, ..label(Score::Estimate(300)) };
        let strayed = scores(&played, 0.0);
        assert!(strayed[strayed.len() - 13..].iter().all(|score| score.abs() == 300), "{strayed:?}");
    }

    #[test]
    fn the_turn_is_worth_what_the_patterns_cannot_tell() {
        // The same patterns with every number of discs, but whoever is to move with an odd number has two discs more.
        let sample = |discs: u32, seed: u64| {
            let mut own = 0u64;
            for step in 0.. {
                if own.count_ones() == discs {
                    break;
                }
                own |= 1 << (quincunx_game::hash::mix(seed, step) % 64);
            }
            Sample { own, enemy: 0, score: if discs % 2 == 1 { 2.0 } else { 0.0 }, share: 1.0, held_out: false }
        };
        let samples: Vec<_> = (0..4000).map(|seed| sample(30 + seed as u32 % 2, seed)).collect();
        let (fitted, _) = fit(&samples, Plan { epochs: 10, seed: 1 });
        let turn = fitted.turn;
        assert!(turn[31] - turn[30] > UNIT / 2, "{turn:?}");
        assert_eq!(turn[50], turn[60], "no such positions were there");
    }

    #[test]
    fn fitted_weights_predict_games_they_have_not_seen() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut solver = new_solver();
        let mut samples = Vec::new();
        for _ in 0..200 {
            let lesson = play_lesson(&Evaluation::embedded(), &mut rng);
            samples_of(&lesson, &mut solver, &mut samples);
        }
        let last = |sample: &&Sample| (sample.own | sample.enemy).count_ones() >= 52;
        let (known, unknown) = samples.split_at(samples.len() * 9 / 10);
        let (fitted, report) = fit(known, Plan { epochs: 3, seed: 1 });
        assert_eq!(report.lines().count(), 1 + PHASES);
        let error = |evaluation: Option<&Evaluation>| -> i32 {
            let guess = |sample: &Sample| evaluation.map_or(0, |it| it.units(sample.own, sample.enemy));
            unknown.iter().filter(last).map(|it| (guess(it) - UNIT * it.score as i32).abs()).sum()
        };
        let (nothing, quick, embedded) = (error(None), error(Some(&fitted)), error(Some(&Evaluation::embedded())));
        assert!(quick < nothing * 3 / 4, "{quick} {nothing}");
        assert!(embedded < quick, "{embedded} {quick}");
    }
}
