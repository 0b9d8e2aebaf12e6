//! Training the net of a game on self-play.

use std::fmt::Write as _;

use quincunx_game::TextError;

use super::{
    Embedded, Featured, Features, NetEvaluator,
    curve::picture,
    fit::{Example, Losses, Plan, fit, loss},
    samples::{Sample, read},
};
use crate::{
    Evaluator,
    entry::held,
    net::RESULT_UNIT,
    train::{Trained, Training},
};

impl<P: Featured> Sample<P> {
    /// It as an example, in the symmetry of this number.
    fn example(&self, symmetry: u64) -> Example {
        let symmetry = (symmetry % P::SYMMETRIES as u64) as usize;
        let position = if symmetry == 0 { self.position } else { self.position.transformed(symmetry) };
        Example { features: Features::of(&position), bucket: position.bucket(), target: self.target }
    }
}

/// Trains a net on self-play; `None` if it was stopped.
pub fn train<P: Embedded<UNITS>, const UNITS: usize>(training: &Training<'_>) -> Result<Option<Trained>, TextError> {
    let title = P::about().title;
    if !training.files.is_empty() || training.games.is_some_and(|games| games > 0) {
        return Err(TextError::new(format!("{title} learns from self-play: give directories with --data")));
    }
    let share = training.score_share.unwrap_or(P::SCORE_SHARE);
    let Some(samples) = read::<P>(training.data, share, None, training.stop)? else { return Ok(None) };
    let plan = Plan { epochs: training.epochs.unwrap_or(P::EPOCHS), seed: training.seed, ..Plan::USUAL };
    let mut told: Vec<Losses> = Vec::new();
    let example = |index: usize, symmetry: u64| samples.known[index].example(symmetry);
    let held_out = |index: usize| samples.held_out[index].example(0);
    let (count, held_count) = (samples.known.len(), samples.held_out.len());
    let shape = (P::FEATURES, P::BUCKETS);
    let model = fit::<UNITS>(shape, (count, &example), (held_count, &held_out), plan, &mut |losses| {
        told.push(losses);
        !training.stop.is_stopped()
    });
    let Some(model) = model else { return Ok(None) };
    let net = model.quantised();
    let rounded: f64 = samples
        .held_out
        .iter()
        .map(|sample| {
            let example = sample.example(0);
            loss(net.result(&example.features, example.bucket) as f32 / RESULT_UNIT as f32, example.target)
        })
        .sum();
    let mut report = String::from("pass  loss of positions learnt from, held out\n");
    for (pass, losses) in told.iter().enumerate() {
        _ = writeln!(report, "{:4}  {:.5}  {:.5}", pass + 1, losses.learnt, losses.held_out);
    }
    _ = writeln!(report, "in whole numbers  {:.5}", rounded / held_count.max(1) as f64);
    let scales: Vec<_> = samples.scales.iter().map(|scale| format!("{scale:.0}")).collect();
    _ = writeln!(report, "scores that make a win three times as likely: {}", scales.join(", "));
    Ok(Some(Trained {
        evaluator: held(NetEvaluator::<P, UNITS>::new(net, *P::embedded().tuning())),
        report,
        positions: count,
        curve: Some(picture(&format!("{title}: loss after each pass"), &told)),
    }))
}
