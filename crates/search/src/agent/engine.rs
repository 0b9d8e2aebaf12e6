//! The search engine as an agent.

use std::{sync::Arc, time::Duration};

use quincunx_game::{AnyGame, Position};

use super::{Agent, Answer, Failure, Request, texts, typed};
use crate::{
    Engine, Evaluator, Handicap, Limits, Report, Score,
    book::{Book, choose},
    evaluator::MoveOf,
    platform::thread_cpu_time,
};

/// What it thinks if nothing limits it.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// How an engine plays, whatever its game.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Megabytes of transposition table.
    pub megabytes: usize,
    /// Threads it searches with.
    pub threads: usize,
    /// Limits of its own; a CPU time is that of a whole game.
    pub limits: Limits,
    /// What makes it play weaker than it can.
    pub handicap: Handicap,
    /// How readily it trusts ProbCut, as in [`Engine::selectivity`].
    pub selectivity: u8,
    /// An opening book, with the seed of the choice among its good moves.
    pub book: Option<(Arc<Book>, u64)>,
}

/// What the engine has found so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The plies searched completely.
    pub depth: u32,
    /// The plies of the longest line looked at.
    pub selective_depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// How much of the transposition table this search has filled, in thousandths.
    pub table_fill: u32,
    /// The wall-clock seconds spent.
    pub seconds: f64,
    /// The best lines, the best first; never empty.
    pub lines: Vec<Line>,
}

/// A move with what is expected to follow.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The move.
    pub mv: String,
    /// What it is worth for the side to move.
    pub score: Score,
    /// The chance of the side to move to win, a draw counting half.
    pub win_probability: f64,
    /// The expected line, the move itself first.
    pub pv: Vec<String>,
}

/// Told each time a search got deeper.
pub type Tell<'a> = dyn FnMut(&Analysis) + 'a;

/// An engine whatever the type of its game: an agent that can also analyse.
pub trait AnyEngine: Agent {
    /// Finds the `count` best lines where the game stands, telling `tell` each time the search got deeper, until the
    /// limits are reached or the request is stopped. Fails if the game is over or of another kind.
    fn analyse(
        &mut self,
        game: &dyn AnyGame,
        count: usize,
        request: &Request,
        tell: &mut Tell<'_>,
    ) -> Result<Analysis, Failure>;
}

/// The engine as an agent, with an evaluator of type `E`.
pub(crate) struct EngineAgent<E: Evaluator> {
    engine: Engine<E>,
    limits: Limits,
    /// The CPU time it has used in this game.
    used: Duration,
    book: Option<(Arc<Book>, u64)>,
}

impl<E: Evaluator> EngineAgent<E> {
    pub(crate) fn new(evaluator: Arc<E>, settings: EngineSettings) -> Self {
        let EngineSettings { megabytes, threads, limits, handicap, selectivity, book } = settings;
        let mut engine = Engine::new(evaluator, megabytes, threads);
        (engine.handicap, engine.selectivity) = (handicap, selectivity);
        engine.prepare();
        Self { engine, limits, used: Duration::ZERO, book }
    }

    fn book_answer(&self, game: &dyn AnyGame) -> Option<Answer> {
        let game = typed::<E::Position>(game).ok()?;
        let (book, seed) = self.book.as_ref()?;
        let (mv, worth) = choose(book, game, *seed)?;
        let score = Score::Estimate(worth);
        let mv = game.position().move_text(mv);
        Some(Answer {
            pv: vec![mv.clone()],
            mv,
            score: Some(score),
            win_probability: Some(score.win_probability(self.scale())),
            ..Answer::default()
        })
    }

    fn scale(&self) -> f32 {
        self.engine.evaluator().tuning().scale
    }

    fn in_words(&self, position: &E::Position, report: &Report<MoveOf<E>>) -> Analysis {
        let lines = report.lines.iter().map(|line| {
            let pv = texts(position, &line.moves);
            let win_probability = line.score.win_probability(self.scale());
            Line { mv: pv[0].clone(), score: line.score, win_probability, pv }
        });
        let &Report { depth, selective_depth, nodes, table_fill, elapsed, .. } = report;
        let seconds = elapsed.as_secs_f64();
        Analysis { depth, selective_depth, nodes, table_fill, seconds, lines: lines.collect() }
    }
}

impl<E: Evaluator> AnyEngine for EngineAgent<E> {
    fn analyse(
        &mut self,
        game: &dyn AnyGame,
        count: usize,
        request: &Request,
        tell: &mut Tell<'_>,
    ) -> Result<Analysis, Failure> {
        let game = typed::<E::Position>(game)?;
        let limits = self.limits.and(&request.limits);
        let report = self.engine.search(game, &limits, &request.stop, count, &mut |report| {
            tell(&self.in_words(game.position(), report));
        });
        Ok(self.in_words(game.position(), &report))
    }
}

impl<E: Evaluator> Agent for EngineAgent<E> {
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
        let threads = self.engine.threads();
        self.used += thread_cpu_time().saturating_sub(began) * threads as u32;
        let best = analysis.lines.into_iter().next().ok_or_else(|| Failure::new("the search found no move"))?;
        Ok(Answer {
            mv: best.mv,
            score: Some(best.score),
            win_probability: Some(best.win_probability),
            depth: analysis.depth,
            nodes: analysis.nodes,
            seconds: analysis.seconds,
            // Helper threads compute as long as the asking one does.
            cpu: (threads > 1).then(|| Duration::from_secs_f64(analysis.seconds * threads as f64)),
            pv: best.pv,
            ..Answer::default()
        })
    }

    fn new_game(&mut self) {
        self.engine.clear();
        self.engine.prepare();
        self.used = Duration::ZERO;
    }
}
