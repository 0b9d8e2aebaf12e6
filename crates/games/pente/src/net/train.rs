//! Training the net on self-play.

use std::fmt::Write as _;

use quincunx_game::{Position, TextError};
use quincunx_search::{
    Evaluator, Tactics,
    entry::held,
    net::{Adam, Losses, Sample, loss, picture, read, shuffle},
    train::{Trained, Training},
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{
    RESULT_UNIT,
    codes::Codes,
    fit::{Example, Gradients, Loss, Model},
};
use crate::{Evaluation, Pente};

/// Passes over the positions, and the share of the score in a target, if nothing else is said.
const EPOCHS: u32 = 10;
const SCORE_SHARE: f32 = 0.4;
/// Positions between two steps, and the length of the first steps.
const BATCH: usize = 256;
const RATE: f32 = 2e-3;

/// The chance of a side whose win is proven. Without such positions a net never sees threats that work.
const PROVEN: f32 = 0.99;

/// Whether a search would ask the net about a position: it is not settled at a glance, and no threat must be answered.
fn is_evaluated(sample: &Sample<Pente>) -> bool {
    let lines = sample.position.known();
    sample.position.verdict(&lines, 0).is_none() && !sample.position.is_threatened(&lines)
}

/// Trains a net on self-play; `None` if it was stopped.
pub(crate) fn train(training: &Training<'_>) -> Result<Option<Trained>, TextError> {
    if !training.files.is_empty() || training.games.is_some_and(|games| games > 0) {
        return Err(TextError::new("Pente learns from self-play: give directories with --data"));
    }
    let share = training.score_share.unwrap_or(SCORE_SHARE);
    let Some(mut samples) = read::<Pente>(training.data, share, Some(PROVEN), training.stop)? else { return Ok(None) };
    samples.known.retain(is_evaluated);
    samples.held_out.retain(is_evaluated);
    let codes = Codes::get();
    let example = |sample: &Sample<Pente>| Example::new(&codes, &sample.position, sample.target, sample.best);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(training.seed);
    let mut model = Model::new(&mut rng);
    let mut gradients = Gradients::new(&codes);
    let epochs = training.epochs.unwrap_or(EPOCHS);
    let count = samples.known.len();
    let steps = epochs * count.div_ceil(BATCH) as u32;
    let mut order: Vec<u32> = (0..count as u32).collect();
    let (mut told, mut step) = (Vec::new(), 0);
    let mut report = String::from("pass  loss of positions learnt from, held out; of their best moves, the same\n");
    for pass in 1..=epochs {
        shuffle(&mut order, &mut rng);
        let mut learnt = Loss::default();
        for batch in order.chunks(BATCH) {
            step += 1;
            for &index in batch {
                learnt += model.learn(&example(&samples.known[index as usize]), &mut gradients);
            }
            model.step(&mut gradients, &Adam::new(RATE, (step, steps), batch.len()));
            if training.stop.is_stopped() {
                return Ok(None);
            }
        }
        let mut held_out = Loss::default();
        for sample in &samples.held_out {
            held_out += model.loss(&example(sample), &mut gradients);
        }
        let (learnt, held_out) = (learnt.mean(count), held_out.mean(samples.held_out.len()));
        _ = writeln!(
            report,
            "{pass:4}  {:.5}  {:.5}  {:.5}  {:.5}",
            learnt.result, held_out.result, learnt.order, held_out.order
        );
        told.push(Losses { learnt: learnt.result, held_out: held_out.result });
    }
    let net = model.quantised();
    let rounded: f64 = samples
        .held_out
        .iter()
        .map(|Sample { position, target, .. }| {
            let result = net.result(&net.sums(&position.known()), position.to_move(), position.bucket());
            loss(result as f32 / RESULT_UNIT as f32, *target)
        })
        .sum();
    _ = writeln!(report, "in whole numbers  {:.5}", rounded / samples.held_out.len().max(1) as f64);
    let scales: Vec<_> = samples.scales.iter().map(|scale| format!("{scale:.0}")).collect();
    _ = writeln!(report, "scores that make a win three times as likely: {}", scales.join(", "));
    Ok(Some(Trained {
        evaluator: held(Evaluation::new(net, *Evaluation::embedded().tuning())),
        report,
        positions: count,
        curve: Some(picture("Pente: loss after each pass", &told)),
    }))
}
