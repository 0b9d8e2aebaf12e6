//! The search engine as an agent, for the type of one game.

use std::time::Duration;

use quincunx_game::{AnyGame, Game, Position};
use quincunx_search::Insight;
use quincunx_search::{Engine, Limits, Report, Score, book, platform::thread_cpu_time};

use crate::{
    Agent, Answer, Failure, Request,
    analysis::{Analyse, Analysis, Line, Tell},
};

/// What it thinks where nothing limits it.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// The engine playing a game of type `P` with limits of its own.
pub(crate) struct EngineAgent<P> {
    engine: Engine,
    /// Those of its own; a CPU time is that of a whole game.
    limits: Limits,
    /// The CPU time it has used in this game.
    used: Duration,
    /// The seed of the choice among good moves of the game's opening book, where that is used.
    book: Option<u64>,
    game: std::marker::PhantomData<fn() -> P>,
}

impl<P: Insight> EngineAgent<P> {
    pub(crate) fn new(engine: Engine, limits: Limits) -> Self {
        engine.prepare::<P>();
        Self { engine, limits, used: Duration::ZERO, book: None, game: std::marker::PhantomData }
    }

    /// Has it answer from the game's opening book, where that knows the position and there is a seed.
    pub(crate) fn with_book(self, seed: Option<u64>) -> Self {
        Self { book: seed, ..self }
    }

    fn book_answer(&self, game: &dyn AnyGame) -> Option<Answer> {
        let game = typed::<P>(game).ok()?;
        let (mv, worth) = book::choose(game, self.book?)?;
        let score = Score::Estimate(worth);
        let mv = game.position().move_text(mv);
        Some(Answer {
            pv: vec![mv.clone()],
            mv,
            score: Some(score),
            win_probability: Some(win_probability(score, P::TUNING.scale)),
            ..Answer::default()
        })
    }
}

impl<P: Insight> Analyse for EngineAgent<P> {
    fn analyse(
        &mut self,
        game: &dyn AnyGame,
        count: usize,
        request: &Request,
        tell: &mut Tell<'_>,
    ) -> Result<Analysis, Failure> {
        let game = typed::<P>(game)?;
        let limits = self.limits.and(&request.limits);
        let report = self.engine.search(game, &limits, &request.stop, count, &mut |report| {
            tell(&in_words(game.position(), report));
        });
        Ok(in_words(game.position(), &report))
    }
}

impl<P: Insight> Agent for EngineAgent<P> {
    fn choose(&mut self, game: &dyn AnyGame, request: &Request) -> Result<Answer, Failure> {
        if let Some(answer) = self.book_answer(game) {
            return Ok(answer);
        }
        let began = thread_cpu_time();
        let mut request = request.clone();
        request.limits = request.limits.and(&self.limits.less(Duration::ZERO, self.used));
        if request.limits.is_infinite() {
            request.limits.movetime = Some(USUAL_TIME);
        }
        let analysis = self.analyse(game, 1, &request, &mut |_| {})?;
        self.used += thread_cpu_time().saturating_sub(began) * self.engine.threads() as u32;
        let best = analysis.lines.into_iter().next().ok_or_else(|| Failure::new("the search found no move"))?;
        Ok(Answer {
            mv: best.mv,
            score: Some(best.score),
            win_probability: Some(best.win_probability),
            depth: analysis.depth,
            nodes: analysis.nodes,
            seconds: analysis.seconds,
            // Helper threads compute as long as the asking one does.
            cpu: (self.engine.threads() > 1)
                .then(|| Duration::from_secs_f64(analysis.seconds * self.engine.threads() as f64)),
            pv: best.pv,
        })
    }

    fn new_game(&mut self) {
        self.engine.clear();
        self.engine.prepare::<P>();
        self.used = Duration::ZERO;
    }
}

/// The game behind a game, which must be of this game and unfinished.
pub(crate) fn typed<P: Position>(game: &dyn AnyGame) -> Result<&Game<P>, Failure> {
    let game = game.as_any().downcast_ref::<Game<P>>();
    let game = game.ok_or_else(|| Failure::new(format!("this agent plays {}, not this game", P::about().title)))?;
    if game.outcome().is_some() {
        return Err(Failure::new("asked for a move in a finished game"));
    }
    Ok(game)
}

fn in_words<P: Insight>(position: &P, report: &Report<P::Move>) -> Analysis {
    let lines = report.lines.iter().map(|line| {
        let pv = texts(position, &line.moves);
        Line { mv: pv[0].clone(), score: line.score, win_probability: win_probability(line.score, P::TUNING.scale), pv }
    });
    Analysis { depth: report.depth, nodes: report.nodes, seconds: report.elapsed.as_secs_f64(), lines: lines.collect() }
}

/// The texts of a line of moves.
pub(crate) fn texts<P: Position>(position: &P, moves: &[P::Move]) -> Vec<String> {
    let mut position = *position;
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(position.move_text(mv));
        position.play(mv);
    }
    texts
}

fn win_probability(score: Score, scale: f32) -> f64 {
    match score {
        Score::Win(_) => 1.0,
        Score::Loss(_) => 0.0,
        Score::Exact(value) => match value {
            0 => 0.5,
            value => f64::from(u8::from(value > 0)),
        },
        // The scale is where a win is three times as likely as a loss.
        Score::Estimate(value) => 1.0 / (1.0 + 3f64.powf(-f64::from(value) / f64::from(scale))),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quincunx_games::open;

    use crate::{Request, build};

    /// Whether an agent answers the start of Othello from the book: without looking at any position.
    fn reads(spec: &str, ruleset: &str) -> bool {
        let game = open("othello", Some(ruleset), None).unwrap();
        build(spec, game.rules(), 1).unwrap().choose(&*game, &Request::default()).unwrap().nodes == 0
    }

    #[test]
    fn strong_engines_play_from_the_book_unless_told_not_to() {
        for spec in ["engine:nodes=1000", "engine:level=7", "engine:nodes=1000,book=on"] {
            assert!(reads(spec, "8x8"), "{spec}");
        }
        for spec in ["engine:nodes=1000,book=off", "engine:level=6", "engine:nodes=1000,overlook=5"] {
            assert!(!reads(spec, "8x8"), "{spec}");
        }
        assert!(!reads("engine:nodes=1000", "6x6"));
        let rules = *open("othello", None, None).unwrap().rules();
        assert!(build("engine:book=maybe", &rules, 1).is_err());
    }

    #[test]
    fn weak_levels_do_not_begin_every_game_alike() {
        // Tessella's level 4 begins with one move or its mirror image.
        for (name, highest) in [("shobu", 4), ("tessella", 3), ("aboyne", 4)] {
            let game = open(name, None, None).unwrap();
            for level in 1..=highest {
                let begin = |seed| {
                    let mut agent = build(&format!("engine:level={level}"), game.rules(), seed).unwrap();
                    agent.choose(&*game, &Request::default()).unwrap().mv
                };
                let moves: BTreeSet<_> = (0..12).map(begin).collect();
                assert!(moves.len() >= 4, "{name}, level {level}: {moves:?}");
            }
        }
    }

    #[test]
    fn cpu_time_of_its_own_is_shared_out_over_a_game() {
        let game = open("shobu", None, None).unwrap();
        let mut agent = build("engine:cpu=300ms", game.rules(), 1).unwrap();
        let mut nodes = || agent.choose(&*game, &Request::default()).unwrap().nodes;
        let first: u64 = (0..5).map(|_| nodes()).sum();
        let later: u64 = (0..95).map(|_| nodes()).skip(90).sum();
        assert!(later < first / 4, "{first} positions at first, {later} later");
        agent.new_game();
        let anew: u64 = (0..5).map(|_| agent.choose(&*game, &Request::default()).unwrap().nodes).sum();
        assert!(anew > 2 * later, "{later} positions at last, {anew} in the next game");
    }
}
