//! Matches and tournaments, for Python: agents are spec strings or functions from a state to an action.

use pyo3::{prelude::*, types::PyString};
use quincunx_agents::{Agent, Request, build};
use quincunx_arena::{CrossTable, GameRecord, Opening, Standing, TurnRecord};
use quincunx_formats::UNFINISHED;
use quincunx_game::{AnyGame, Rules};
use serde_json::{Value, json};

use crate::{rules, state::State, wrong};

/// Somebody who plays: an agent of the program, or a function of Python's.
enum Player {
    Agent(Box<dyn Agent>),
    Function(Py<PyAny>),
}

impl Player {
    fn new(given: &Bound<'_, PyAny>, rules: &Rules, seed: u64) -> PyResult<Self> {
        if let Ok(spec) = given.cast::<PyString>() {
            return build(spec.to_str()?, rules, seed).map(Self::Agent).map_err(wrong);
        }
        if given.is_callable() {
            return Ok(Self::Function(given.clone().unbind()));
        }
        Err(wrong("an agent is a spec string such as \"engine:level=3\", or a function from a state to an action"))
    }

    fn name(given: &Bound<'_, PyAny>) -> String {
        let named = given.getattr("__name__").ok().or_else(|| given.str().ok().map(Bound::into_any));
        named.and_then(|name| name.extract().ok()).unwrap_or_else(|| "function".into())
    }

    /// The text of its move; an exception of a function is the caller's.
    fn choose(&mut self, py: Python<'_>, game: &dyn AnyGame) -> PyResult<Result<String, String>> {
        match self {
            Self::Agent(agent) => {
                let answer = py.detach(|| agent.choose(game, &Request::default()));
                Ok(answer.map(|answer| answer.mv).map_err(|failure| failure.to_string()))
            }
            Self::Function(function) => {
                let state = Py::new(py, State::of(game)?)?;
                let answer = function.call1(py, (state.clone_ref(py),))?;
                let answer = answer.bind(py);
                if let Ok(text) = answer.cast::<PyString>() {
                    return Ok(Ok(text.to_str()?.to_string()));
                }
                let number: usize = match answer.extract() {
                    Ok(number) => number,
                    Err(_) => return Ok(Err(format!("{answer} is neither an action nor the text of a move"))),
                };
                // The function may have played on the state it was given: its own copy.
                let asked = State::of(game)?;
                Ok(asked.inner.action_text(number).map_err(|error| error.to_string()))
            }
        }
    }
}

/// Plays one game; whoever answers no legal move loses.
fn play(
    py: Python<'_>,
    mut game: Box<dyn AnyGame>,
    players: [&mut Player; 2],
    names: [&str; 2],
    number: u64,
) -> PyResult<GameRecord> {
    let start = game.start_text();
    let opening = game.played();
    let (mut moves, mut fault) = (Vec::new(), None);
    let mut players = players;
    for player in &mut players {
        if let Player::Agent(agent) = player {
            agent.new_game();
        }
    }
    while game.outcome().is_none() {
        py.check_signals()?;
        let side = game.to_move();
        let answer = players[side.index()].choose(py, &*game)?;
        let played = answer.and_then(|mv| game.play(&mv).map_err(|error| error.to_string()));
        if let Err(error) = played {
            fault = Some((side, error));
            break;
        }
        moves.push(TurnRecord { mv: game.played().pop().unwrap_or_default(), ..TurnRecord::default() });
    }
    let about = game.rules().about;
    let (winner, cause) = match (&fault, game.outcome()) {
        (Some((side, _)), _) => (Some(!*side), "illegal move"),
        (None, Some(outcome)) => (outcome.winner, outcome.reason),
        (None, None) => (None, UNFINISHED),
    };
    Ok(GameRecord {
        number,
        pair: number / 2,
        game: about.name.into(),
        ruleset: game.rules().to_string(),
        agents: names.map(String::from),
        start,
        opening,
        moves,
        position: game.position_text(),
        winner,
        cause: cause.into(),
        fault: fault.map(|(side, line)| format!("{}: {line}", about.sides[side.index()])),
        version: Some(quincunx_version::VERSION.into()),
        ..GameRecord::default()
    })
}

/// Plays pairs of games between two players, colours swapped over the same openings.
#[allow(clippy::too_many_arguments)]
fn pairs(
    py: Python<'_>,
    rules: &Rules,
    given: [&Bound<'_, PyAny>; 2],
    openings: &[Opening],
    games: u64,
    seed: u64,
    first_number: u64,
    tell: &mut dyn FnMut(GameRecord),
) -> PyResult<()> {
    let names = given.map(Player::name);
    let mut a = Player::new(given[0], rules, seed)?;
    let mut b = Player::new(given[1], rules, seed.wrapping_add(1))?;
    for number in first_number..first_number + games {
        let index = (number - first_number) as usize;
        let game = openings[index / 2 % openings.len()].set_up(rules).map_err(wrong)?;
        let record = if index.is_multiple_of(2) {
            play(py, game, [&mut a, &mut b], [&names[0], &names[1]], number)?
        } else {
            play(py, game, [&mut b, &mut a], [&names[1], &names[0]], number)?
        };
        tell(record);
    }
    Ok(())
}

fn record_json(record: &GameRecord) -> Value {
    serde_json::to_value(record).unwrap_or(Value::Null)
}

/// A match of two agents, as JSON: results, statistics and all games.
#[pyfunction]
#[pyo3(signature = (game, a, b, games, ruleset, openings, seed))]
pub fn play_match(
    py: Python<'_>,
    game: &str,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    games: u64,
    ruleset: Option<&str>,
    openings: &str,
    seed: u64,
) -> PyResult<String> {
    let rules = rules(game, ruleset).map_err(wrong)?;
    if games == 0 {
        return Err(wrong("a match has at least one game"));
    }
    let openings = Opening::list(openings, &rules, games.div_ceil(2) as usize, seed).map_err(wrong)?;
    let mut standing = Standing::new(None);
    let mut records = Vec::new();
    pairs(py, &rules, [a, b], &openings, games, seed, 0, &mut |record| {
        standing.add(&record);
        records.push(record_json(&record));
    })?;
    let mut document = standing.as_json();
    if let Some(document) = document.as_object_mut() {
        document.insert("agents".into(), json!([Player::name(a), Player::name(b)]));
        document.insert("seed".into(), json!(seed));
        document.insert("version".into(), json!(quincunx_version::VERSION));
        document.insert("records".into(), Value::from(records));
    }
    Ok(document.to_string())
}

/// A round robin of agents, as JSON: ratings, cross table and all games.
#[pyfunction]
#[pyo3(signature = (game, agents, games, ruleset, openings, seed))]
pub fn play_tournament(
    py: Python<'_>,
    game: &str,
    agents: Vec<Bound<'_, PyAny>>,
    games: u64,
    ruleset: Option<&str>,
    openings: &str,
    seed: u64,
) -> PyResult<String> {
    let rules = rules(game, ruleset).map_err(wrong)?;
    if agents.len() < 2 || games == 0 || !games.is_multiple_of(2) {
        return Err(wrong("a tournament has two agents or more and an even number of games between two of them"));
    }
    let openings = Opening::list(openings, &rules, games.div_ceil(2) as usize, seed).map_err(wrong)?;
    let mut table = CrossTable::new(agents.len());
    let (mut records, mut number) = (Vec::new(), 0);
    for (first, a) in agents.iter().enumerate() {
        for (second, b) in agents.iter().enumerate().skip(first + 1) {
            pairs(py, &rules, [a, b], &openings, games, seed.wrapping_add(number), number, &mut |record| {
                let swapped = !(record.number - number).is_multiple_of(2);
                table.add(if swapped { [second, first] } else { [first, second] }, &record);
                records.push(record_json(&record));
            })?;
            number += games;
        }
    }
    let names: Vec<String> = agents.iter().map(Player::name).collect();
    let (ratings, totals) = (table.ratings(), table.totals());
    let standings: Vec<Value> = names
        .iter()
        .zip(ratings.iter().zip(&totals))
        .map(|(name, (rating, results))| {
            json!({
                "agent": name, "elo": rating.elo, "error": rating.error, "games": results.games(),
                "points": results.points(),
            })
        })
        .collect();
    let cross: Vec<Vec<Option<f64>>> = (0..names.len())
        .map(|a| (0..names.len()).map(|b| (a != b).then(|| table.between(a, b).points())).collect())
        .collect();
    Ok(json!({
        "standings": standings, "cross_table": cross, "causes": table.causes(), "seed": seed,
        "version": quincunx_version::VERSION, "records": records,
    })
    .to_string())
}
