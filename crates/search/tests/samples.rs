//! What is learnt of the positions of self-play.

use std::collections::HashMap;

use quincunx_game::{Position, Rules};
use quincunx_games::{tessella, variant};
use quincunx_search::{
    Score, Stop, Tactics,
    net::{self, Sample},
    selfplay::{self, Chunk, Heading, Settings},
};

type Tessella = tessella::Tessella;

/// A file of self-play in which one later move in eight is random.
fn file() -> (String, Vec<u8>) {
    let rules = Rules::of(tessella::ENTRY.about);
    let settings = Settings { nodes: 200, random_plies: (2, 6), random_moves: 8, seed: 5 };
    let evaluator = variant(&rules).evaluator();
    let mut generator = evaluator.generator(rules, settings);
    let mut chunk = Chunk::new(0, "of a test");
    for number in 0..100 {
        chunk.add(&generator.play(number, &|| false).unwrap());
    }
    let mut file = Heading::new(&rules, settings, &*evaluator).to_string().into_bytes();
    file.push(b'\n');
    file.extend(chunk.to_bytes());
    ("games".to_string(), file)
}

#[test]
fn positions_before_a_random_move_count_by_their_score_alone() {
    let file = file();
    let read = |share| {
        let samples = net::read::<Tessella>(std::slice::from_ref(&file), share, None, &Stop::default());
        samples.unwrap().unwrap()
    };
    // By results alone, and by scores alone.
    let (by_result, by_score) = (read(0.0), read(1.0));
    let all = |samples: net::Samples<Tessella>| -> Vec<Sample<Tessella>> {
        samples.known.into_iter().chain(samples.held_out).collect()
    };
    let (by_result, by_score) = (all(by_result), all(by_score));
    // In the order of the samples, those of one position among themselves: a position may come twice.
    let mut found: HashMap<u64, Vec<(f32, f32, Option<u16>)>> = HashMap::new();
    for (result, score) in by_result.iter().zip(&by_score) {
        found.entry(result.position.hash()).or_default().push((result.target, score.target, result.best));
    }
    let (mut before, mut after) = (0, 0);
    selfplay::read::<Tessella>(&file.0, &file.1, &Stop::default(), &mut |played| {
        let last = played.labels.iter().rposition(|label| label.strayed);
        for (ply, (position, mv, label)) in played.positions().enumerate() {
            let matching = |wanted: &dyn Fn(f32, f32) -> bool| {
                let mut all = found.get(&position.hash()).into_iter().flatten();
                let best = (!label.strayed).then_some(Tessella::code(mv));
                all.any(|&(result, score, found)| found == best && wanted(result, score))
            };
            if matches!(label.score, Score::Win(_) | Score::Loss(_)) {
                continue;
            }
            if last.is_some_and(|last| ply <= last) {
                before += 1;
                assert!(matching(&|result, score| (result - score).abs() < 1e-6), "{}", position.text());
            } else {
                after += 1;
                let ended = played.winner.map_or(0.5, |side| f32::from(u8::from(side == position.to_move())));
                assert!(matching(&|result, _| (result - ended).abs() < 1e-6), "{}", position.text());
            }
        }
    })
    .unwrap();
    assert_eq!(by_result.len(), before + after);
    assert!(before > 300 && after > 300, "{before} {after}");
}
