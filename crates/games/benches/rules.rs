//! The speed of the rules: node counts with the last ply counted, with every turn made and unmade, and random games.
//!
//! `cargo bench -p quincunx-games`; one game alone with `-- othello`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quincunx_game::{AnyGame, any_game::PlayoutTally};
use quincunx_games::{all, open};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Leaves of one measured count: some milliseconds of work.
const MOST_LEAVES: u64 = 10_000_000;

/// Games of one measured batch.
const PLAYOUTS: u32 = 50;

/// The deepest count within [`MOST_LEAVES`], with its leaves.
fn depth_to_measure(game: &dyn AnyGame) -> (u32, u64) {
    let counts = (1..).map(|depth| (depth, game.perft(depth)));
    counts.take_while(|&(_, leaves)| leaves <= MOST_LEAVES).last().expect("the first turn is within the limit")
}

fn rules(criterion: &mut Criterion) {
    for about in all() {
        let game = open(about.name, None, None).expect("the default ruleset has a start");
        let (depth, leaves) = depth_to_measure(&*game);
        let mut group = criterion.benchmark_group(about.name);
        group.sample_size(20);

        group.throughput(Throughput::Elements(leaves));
        group.bench_function(format!("perft {depth}, last ply counted"), |bencher| {
            bencher.iter(|| game.perft(depth));
        });
        group.bench_function(format!("perft {depth}, made and unmade"), |bencher| {
            bencher.iter(|| game.perft_made(depth));
        });

        group.throughput(Throughput::Elements(u64::from(PLAYOUTS)));
        let (mut rng, mut tally) = (Xoshiro256PlusPlus::seed_from_u64(1), PlayoutTally::default());
        group.bench_function("playouts", |bencher| {
            bencher.iter(|| game.playouts(PLAYOUTS, &mut rng, &mut tally));
        });
        group.finish();
    }
}

criterion_group!(benches, rules);
criterion_main!(benches);
