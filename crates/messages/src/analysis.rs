//! What an analysis or a review has found.

use quincunx_agents::{Analysis, AnyEngine, Request};
use quincunx_game::{AnyGame, Side};
use quincunx_search::Score;
use serde::Serialize;
use utoipa::ToSchema;

/// Lines an analysis may show.
pub const MOST_LINES: usize = 5;

/// What an analysis has found so far.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub struct AnalysisView<'a> {
    /// The number the client gave it.
    id: u32,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// The best lines, the best one first.
    lines: Vec<LineView<'a>>,
    done: bool,
}

/// A line of an analysis; scores and chances are those of the side to move.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisLine)]
struct LineView<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    score: ScoreView,
    win_probability: f64,
    pv: &'a [String],
}

/// What one position of a reviewed game was worth.
#[derive(Serialize, ToSchema)]
#[schema(as = Review)]
pub struct ReviewView {
    /// The number the client gave it.
    pub id: u32,
    /// The number of turns before it.
    pub ply: usize,
    /// Null if the review could not tell.
    #[schema(required)]
    pub value: Option<ReviewValue>,
    /// Whether it is the last one.
    pub done: bool,
}

/// What a position was worth.
#[derive(Serialize, ToSchema)]
pub struct ReviewValue {
    /// The chance of side 0.
    first: f64,
    /// The best move; null at the end of the game.
    #[schema(required)]
    best: Option<String>,
    /// What is expected to follow, the best move first.
    pv: Vec<String>,
    /// What the best move was worth to the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<ScoreView>,
}

/// A score: hundredths of the game's unit, or plies to the end.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
#[schema(as = Score)]
enum ScoreView {
    Estimate(i32),
    Exact(i32),
    Win(u32),
    Loss(u32),
}

impl From<Score> for ScoreView {
    fn from(score: Score) -> Self {
        match score {
            Score::Estimate(value) => Self::Estimate(value),
            Score::Exact(value) => Self::Exact(value),
            Score::Win(plies) => Self::Win(plies),
            Score::Loss(plies) => Self::Loss(plies),
        }
    }
}

impl<'a> AnalysisView<'a> {
    /// What the analysis that a client called `id` has found.
    pub fn new(id: u32, found: &'a Analysis, done: bool) -> Self {
        let lines = found.lines.iter().map(|line| LineView {
            mv: &line.mv,
            score: line.score.into(),
            win_probability: line.win_probability,
            pv: &line.pv,
        });
        let (lines, depth, nodes, seconds) = (lines.collect(), found.depth, found.nodes, found.seconds);
        Self { id, depth, nodes, seconds, lines, done }
    }
}

/// What a position is worth for the first side, and the best move in it, as an engine sees it within a request.
pub fn value_of(game: &dyn AnyGame, engine: &mut dyn AnyEngine, request: &Request) -> Option<ReviewValue> {
    value_at_end(game).or_else(|| value_found(game, engine.analyse(game, 1, request, &mut |_| {}).ok()?))
}

/// What a position is worth whose game is over.
pub fn value_at_end(game: &dyn AnyGame) -> Option<ReviewValue> {
    let first = match game.outcome()?.winner {
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
        None => 0.5,
    };
    Some(ReviewValue { first, best: None, pv: Vec::new(), score: None })
}

/// What a position is worth by an analysis of it.
pub fn value_found(game: &dyn AnyGame, found: Analysis) -> Option<ReviewValue> {
    let best = found.lines.into_iter().next()?;
    let first = match game.to_move() {
        Side::First => best.win_probability,
        Side::Second => 1.0 - best.win_probability,
    };
    Some(ReviewValue { first, best: Some(best.mv), pv: best.pv, score: Some(best.score.into()) })
}

/// The positions of a game, the start first.
pub fn positions_of(game: Box<dyn AnyGame>) -> Vec<Box<dyn AnyGame>> {
    let mut positions = vec![game.boxed_clone()];
    let mut back = game;
    while back.undo() {
        positions.push(back.boxed_clone());
    }
    positions.reverse();
    positions
}
