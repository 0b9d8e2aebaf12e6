//! The native half of the Python package `quincunx`: games, states, many games at once, engines, contests and files.
//!
//! It only translates: texts, numbers and arrays go in and come out; errors become exceptions with the same one line.

mod contest;
mod engine;
mod files;
mod state;
mod vec_env;

use pyo3::{exceptions::PyValueError, prelude::*};
use quincunx_game::{Rules, TextError};

/// An exception with the one line of an error.
fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The rules of a game by name.
fn rules(game: &str, ruleset: Option<&str>) -> Result<Rules, TextError> {
    quincunx_games::rules(game, ruleset)
}

/// The games with their rulesets, sides and agents, as JSON.
#[pyfunction]
fn games() -> String {
    let games: Vec<_> = quincunx_games::entries()
        .into_iter()
        .map(|entry| {
            let about = entry.about;
            let rulesets: Vec<_> = about.rulesets.iter().map(|ruleset| ruleset.name).collect();
            let own = entry.agents.iter().map(|agent| agent.name);
            let agents: Vec<_> = quincunx_agents::AGENTS.iter().map(|(name, _)| *name).chain(own).collect();
            serde_json::json!({
                "name": about.name, "title": about.title, "summary": about.summary,
                "sides": about.sides.map(str::to_lowercase), "rulesets": rulesets, "agents": agents,
            })
        })
        .collect();
    serde_json::Value::from(games).to_string()
}

/// The module.
#[pymodule]
fn _quincunx(module: &Bound<'_, PyModule>) -> PyResult<()> {
    quincunx_machine::install();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("BUILD", quincunx_version::VERSION)?;
    module.add_class::<state::State>()?;
    module.add_class::<vec_env::VecEnvCore>()?;
    module.add_class::<engine::EngineCore>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(contest::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(contest::play_tournament, module)?)?;
    module.add_function(wrap_pyfunction!(files::read_games, module)?)?;
    module.add_function(wrap_pyfunction!(files::convert, module)?)?;
    module.add_function(wrap_pyfunction!(files::formats, module)?)
}
