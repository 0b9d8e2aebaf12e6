//! Agents and engines, for Python.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    time::Duration,
};

use pyo3::prelude::*;
use quincunx_agents::{Agent, Request, Resources, analyst, build};
use quincunx_games::variant;
use quincunx_search::{
    Limits, Stop,
    solver::{Bounds, Goal},
};
use serde_json::json;

use crate::{rules, state::State, wrong};

/// The native half of `Engine`: an agent by its spec string, for one game and ruleset.
#[pyclass(module = "quincunx", unsendable)]
pub struct EngineCore {
    agent: Box<dyn Agent>,
}

/// The time between two looks at whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a search without the interpreter's lock, and stops it if an exception such as Ctrl-C is due.
fn interruptible<T: Send>(py: Python<'_>, stop: &Stop, search: impl FnOnce() -> T + Send) -> PyResult<T> {
    let (answer, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (ended, waiting) = mpsc::channel::<()>();
            let searcher = scope.spawn(move || {
                let answer = search();
                drop(ended);
                answer
            });
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(LOOK) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop.stop();
                    raised = Some(error);
                }
            }
            (searcher.join(), raised)
        })
    });
    match (answer, raised) {
        (_, Some(error)) => Err(error),
        (Ok(answer), None) => Ok(answer),
        (Err(_), None) => Err(wrong("the search ended without an answer")),
    }
}

#[pymethods]
impl EngineCore {
    #[new]
    fn new(spec: &str, game: &str, ruleset: Option<&str>, seed: u64) -> PyResult<Self> {
        let rules = rules(game, ruleset).map_err(wrong)?;
        Ok(Self { agent: build(spec, &rules, seed).map_err(wrong)? })
    }

    /// The answer of the agent, as JSON.
    fn choose(&mut self, py: Python<'_>, state: &State) -> PyResult<String> {
        let game = state.inner.game();
        if let Some(outcome) = game.outcome() {
            return Err(wrong(format!("the game is over ({}): there is no move to think about", outcome.reason)));
        }
        let request = Request::default();
        let stop = request.stop.clone();
        let agent = &mut self.agent;
        let answer = interruptible(py, &stop, move || agent.choose(game, &request))?.map_err(wrong)?;
        Ok(json!({
            "move": answer.mv, "score": answer.score.map(quincunx_search::Score::number),
            "win_probability": answer.win_probability, "depth": answer.depth, "nodes": answer.nodes,
            "seconds": answer.seconds, "pv": answer.pv,
        })
        .to_string())
    }

    fn new_game(&mut self) {
        self.agent.new_game();
    }

    /// The best lines of a position, as JSON; `tell` is called with each deeper one.
    #[staticmethod]
    #[pyo3(signature = (state, lines, seconds, nodes, depth, megabytes, threads, tell))]
    #[allow(clippy::too_many_arguments)]
    fn analyse(
        py: Python<'_>,
        state: &State,
        lines: usize,
        seconds: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        megabytes: usize,
        threads: usize,
        tell: Option<Py<PyAny>>,
    ) -> PyResult<String> {
        let game = state.inner.game();
        if !(1..=256).contains(&threads) || !(1..=65_536).contains(&megabytes) || lines == 0 {
            return Err(wrong("lines, megabytes and threads are above 0, threads at most 256"));
        }
        let movetime = seconds.map(Duration::try_from_secs_f64).transpose().map_err(wrong)?;
        let limits = Limits { movetime, nodes, depth, ..Limits::default() };
        let request = Request { limits, ..Request::default() };
        let stop = request.stop.clone();
        let mut raised = None;
        let told = &mut raised;
        let mut engine = analyst(game.rules(), Resources { megabytes, threads }, None);
        let analysis = interruptible(py, &stop, move || {
            engine.analyse(game, lines, &request, &mut |analysis| {
                let Some(tell) = &tell else { return };
                let document = as_json(analysis);
                if let Err(error) = Python::attach(|py| tell.call1(py, (document,)).map(|_| ())) {
                    request.stop.stop();
                    told.get_or_insert(error);
                }
            })
        })?;
        raised.map_or(Ok(()), Err)?;
        Ok(as_json(&analysis.map_err(wrong)?))
    }

    /// The exact value of a position, as JSON.
    #[staticmethod]
    fn solve(py: Python<'_>, state: &State, winner: bool, megabytes: usize, threads: usize) -> PyResult<String> {
        let game = state.inner.game();
        if !(1..=256).contains(&threads) || !(1..=65_536).contains(&megabytes) {
            return Err(wrong("megabytes and threads are above 0, threads at most 256"));
        }
        let rules = game.rules();
        let solver = variant(rules).evaluator().solver(megabytes, threads);
        let mut solver = solver.ok_or_else(|| wrong(format!("there is no solver for {}", rules.about.name)))?;
        let goal = if winner { Goal::Winner } else { Goal::Score };
        let stop = Stop::default();
        let asked = stop.clone();
        let solved = interruptible(py, &stop, move || {
            let stopped = || asked.is_stopped();
            solver.solve(game, goal, &Bounds { stopped: &stopped, ..Bounds::NONE })
        })?;
        let solved = solved.map_err(wrong)?.ok_or_else(|| wrong("no value was found"))?;
        Ok(json!({ "score": solved.score, "move": solved.mv, "nodes": solved.nodes }).to_string())
    }
}

fn as_json(analysis: &quincunx_agents::Analysis) -> String {
    let lines: Vec<_> = analysis
        .lines
        .iter()
        .map(|line| {
            json!({
                "move": line.mv, "score": line.score.number(), "win_probability": line.win_probability, "pv": line.pv,
            })
        })
        .collect();
    let seconds = analysis.seconds;
    json!({ "depth": analysis.depth, "nodes": analysis.nodes, "seconds": seconds, "lines": lines }).to_string()
}
