//! What a page may ask, and who answers.

use std::{cell::RefCell, time::Duration};

use quincunx_agents::{AnyEngine, Request, Resources, analyst, build};
use quincunx_game::{AnyGame, Rules, TextError, refusal, svg};
use quincunx_games::{all, entry, rules, variant};
use quincunx_messages::{
    AnalysisView, Catalogue, ErrorView, Line, Pasted, ReviewView, SetUp, agents,
    analysis::{MOST_LINES, positions_of, value_of},
    book_of, view,
};
use quincunx_search::{Clock, Limits, Stop, book};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// The table of an analysis.
const RESOURCES: Resources = Resources { megabytes: 16, threads: 1 };

/// A request of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Asked {
    /// The games.
    Catalogue,
    /// The board of a ruleset.
    Board(Line),
    /// Where a line of moves leads.
    Position(Line),
    /// The position that stones make.
    SetUp(SetUp),
    /// What the opening book knows of a position.
    Book(Line),
    /// A position as a picture.
    Picture(Line),
    /// The game a text stands for.
    Import(Pasted),
    /// A new game, in which the side that begins is drawn if the rules say so.
    Start {
        /// The game, its rules and where it begins.
        line: Line,
        /// Makes what is random.
        seed: u32,
    },
    /// The files that have to be handed in before it thinks under these rules: `othello.bin`, `othello-book.bin`.
    Needs {
        /// The name of the game.
        game: String,
        /// The ruleset; the default one if missing.
        ruleset: Option<String>,
    },
    /// The move of an agent on offer.
    Choose {
        /// Where the game stands.
        line: Line,
        /// The agent.
        spec: String,
        /// Makes what is random in it.
        seed: u32,
        /// Milliseconds on its clock, and for each move.
        clock: Option<[u32; 2]>,
        /// The most milliseconds it may think.
        most: u32,
    },
    /// The best lines, told while they deepen.
    Analyse {
        /// The number that the page gave it.
        id: u32,
        /// The position.
        line: Line,
        /// How many lines.
        lines: usize,
        /// Milliseconds; as long as other limits allow if missing.
        time: Option<u32>,
        /// Positions.
        nodes: Option<u64>,
        /// Plies.
        depth: Option<u32>,
    },
    /// What each position of a line was worth, told one by one.
    Review {
        /// The number that the page gave it.
        id: u32,
        /// The line.
        line: Line,
        /// Milliseconds for each position.
        time: Option<u32>,
        /// Positions visited for each.
        nodes: Option<u64>,
    },
}

/// What is told while the engine thinks, and the last of it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Told<'a> {
    Analysis(AnalysisView<'a>),
    Review(ReviewView),
}

/// An agent's move.
#[derive(Serialize)]
struct Chosen {
    #[serde(rename = "move")]
    mv: String,
    win_probability: Option<f64>,
    depth: u32,
    nodes: u64,
}

/// The answer to a request: `{"done": …}` or `{"refused": …}`.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer<T> {
    Done(T),
    Refused(ErrorView),
}

fn text<T: Serialize>(answer: Result<T, TextError>) -> String {
    let answer = match answer {
        Ok(done) => Answer::Done(done),
        Err(error) => Answer::Refused(ErrorView::from(&error)),
    };
    written(&answer)
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a plain value is written without error")
}

/// Answers a request; `tell` is called with what is found meanwhile.
pub fn answer_to(request: &[u8], tell: &mut dyn FnMut(&str)) -> String {
    let asked = match serde_json::from_slice(request) {
        Ok(asked) => asked,
        Err(error) => {
            return text::<()>(Err(refusal!("request.malformed", "{details}", details = error.to_string())));
        }
    };
    match asked {
        Asked::Catalogue => text(Ok(Catalogue {
            version: env!("CARGO_PKG_VERSION"),
            lists_all: false,
            contests: false,
            lobby: false,
            name: String::new(),
            engine: true,
            games: all().into_iter().map(view::about).collect(),
        })),
        Asked::Board(line) => text(line.open().map(|game| view::board(&*game))),
        Asked::Position(line) => text(line.open().map(|game| view::opened(&*game))),
        Asked::SetUp(set_up) => text(set_up.open().map(|game| view::opened(&*game))),
        Asked::Book(line) => text(book_of(&line)),
        Asked::Picture(line) => text(line.open().map(|game| svg::picture(&*game))),
        Asked::Import(pasted) => text(pasted.read().map(|game| view::opened(&*game))),
        Asked::Start { line, seed } => text(start(&line, seed)),
        Asked::Needs { game, ruleset } => text(rules(&game, ruleset.as_deref()).map(|rules| needed(&rules))),
        Asked::Choose { line, spec, seed, clock, most } => text(choose(&line, &spec, seed, clock, most)),
        Asked::Analyse { id, line, lines, time, nodes, depth } => {
            let limits = Limits { movetime: milliseconds(time), nodes, depth, ..Limits::default() };
            text(analyse(id, &line, lines, limits, tell))
        }
        Asked::Review { id, line, time, nodes } => {
            let limits = Limits { movetime: milliseconds(time), nodes, ..Limits::default() };
            text(review(id, &line, limits, tell))
        }
    }
}

/// The files that have to be handed in before an engine thinks under these rules.
fn needed(rules: &Rules) -> Vec<String> {
    let name = rules.about.name;
    let mut files = Vec::new();
    if variant(rules).needs_weights() {
        files.push(format!("{name}.bin"));
    }
    let has_book = entry(name).is_ok_and(|entry| entry.book.is_some());
    let is_default = rules.ruleset.name == Rules::of(rules.about).ruleset.name;
    if cfg!(target_family = "wasm") && has_book && is_default && book::handed_in(name).is_none() {
        files.push(format!("{name}-book.bin"));
    }
    files
}

/// Takes the weights or the book of a game.
pub(crate) fn hand_in(game: &str, file: &[u8]) -> String {
    text(entry(game).and_then(|entry| {
        let rules = Rules::of(entry.about);
        book::hand_in(&rules, file).or_else(|_| variant(&rules).hand_in(file))
    }))
}

/// Answers with the games of a file.
pub(crate) fn read_games(game: &str, file: &[u8]) -> String {
    text(quincunx_messages::games_in(game, file))
}

fn milliseconds(time: Option<u32>) -> Option<Duration> {
    time.map(|time| Duration::from_millis(time.into()))
}

fn start(line: &Line, seed: u32) -> Result<view::Opened, TextError> {
    let mut game = line.open()?;
    if line.position.is_none() && line.moves.is_empty() {
        game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(seed.into()));
    }
    Ok(view::opened(&*game))
}

/// A position in which there is something to choose, under rules whose weights are there.
fn unfinished(line: &Line) -> Result<Box<dyn AnyGame>, TextError> {
    let game = line.open()?;
    if game.outcome().is_some() {
        return Err(refusal!("analysis.over", "the game is over: there is nothing to analyse"));
    }
    if variant(game.rules()).needs_weights() {
        return Err(refusal!("analysis.weights", "the weights of this game have not been loaded"));
    }
    Ok(game)
}

fn choose(line: &Line, spec: &str, seed: u32, clock: Option<[u32; 2]>, most: u32) -> Result<Chosen, TextError> {
    let game = unfinished(line)?;
    agents::check(spec, game.rules())?;
    let mut agent = build(spec, game.rules(), seed.into())?;
    let clock = clock.map(|[left, increment]| Clock {
        left: Duration::from_millis(left.into()),
        increment: Duration::from_millis(increment.into()),
    });
    let limits = Limits { movetime: milliseconds(Some(most)), clock, ..Limits::default() };
    let answer = agent.choose(&*game, &Request { limits, stop: Stop::default() });
    let answer = answer.map_err(|failure| refusal!("agent.failed", "{details}", details = failure.to_string()))?;
    let (depth, nodes) = (answer.depth, answer.nodes);
    Ok(Chosen { mv: answer.mv, win_probability: answer.win_probability, depth, nodes })
}

fn analyse(
    id: u32,
    line: &Line,
    lines: usize,
    limits: Limits,
    tell: &mut dyn FnMut(&str),
) -> Result<serde_json::Value, TextError> {
    let game = unfinished(line)?;
    let request = Request { limits, stop: Stop::default() };
    let found = with_engine(game.rules(), |engine| {
        engine.analyse(&*game, lines.clamp(1, MOST_LINES), &request, &mut |found| {
            tell(&written(&Told::Analysis(AnalysisView::new(id, found, false))));
        })
    });
    let found = found.map_err(|failure| refusal!("agent.failed", "{details}", details = failure.to_string()))?;
    let last = serde_json::to_value(Told::Analysis(AnalysisView::new(id, &found, true)));
    Ok(last.expect("a plain value is written without error"))
}

fn review(id: u32, line: &Line, limits: Limits, tell: &mut dyn FnMut(&str)) -> Result<(), TextError> {
    let game = line.open()?;
    if variant(game.rules()).needs_weights() {
        return Err(refusal!("analysis.weights", "the weights of this game have not been loaded"));
    }
    let rules = *game.rules();
    let positions = positions_of(game);
    let last = positions.len() - 1;
    let request = Request { limits, stop: Stop::default() };
    for (ply, game) in positions.iter().enumerate() {
        let value = with_engine(&rules, |engine| value_of(&**game, engine, &request));
        let told = Told::Review(ReviewView { id, ply, value, done: ply == last });
        tell(&written(&told));
    }
    Ok(())
}

thread_local! {
    /// The engine of the last analysis, whose table the next one of the same rules goes on with.
    static ENGINE: RefCell<Option<(String, Box<dyn AnyEngine>)>> = const { RefCell::new(None) };
}

/// The engine for these rules: the one of the last analysis, if it was under the same.
fn with_engine<T>(rules: &Rules, think: impl FnOnce(&mut dyn AnyEngine) -> T) -> T {
    let name = format!("{} {rules}", rules.about.name);
    ENGINE.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(known, _)| *known != name) {
            // The old table goes before the new one comes.
            *kept = None;
            *kept = Some((name, analyst(rules, RESOURCES, None)));
        }
        let (_, engine) = kept.as_mut().expect("it was just made");
        think(&mut **engine)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn ask(request: &Value) -> Value {
        serde_json::from_str(&answer_to(request.to_string().as_bytes(), &mut |_| {})).unwrap()
    }

    #[test]
    fn a_page_gets_what_a_server_would_send() {
        let opened = ask(&json!({ "ask": "position", "game": "othello", "moves": "d3 c5" }));
        assert_eq!(opened["done"]["position"]["ply"], 2);
        let refused = ask(&json!({ "ask": "position", "game": "othello", "moves": "a1" }));
        assert_eq!(refused["refused"]["code"], "move.numbered");
        let made = ask(&json!({ "ask": "set_up", "game": "pente", "stones": ".".repeat(361), "to_move": 0,
            "counts": [[0, 0]] }));
        assert_eq!(made["done"]["position"]["to_move"], 0, "{made}");
        let book = ask(&json!({ "ask": "book", "game": "othello" }));
        assert_eq!(book["done"]["moves"].as_array().map(Vec::len), Some(4), "{book}");
        let chosen = ask(&json!({
            "ask": "choose", "line": { "game": "shobu" }, "spec": "engine:level=2", "seed": 1, "clock": null, "most": 1000,
        }));
        assert!(chosen["done"]["move"].is_string(), "{chosen}");
    }

    #[test]
    fn hostile_requests_are_refused() {
        for request in ["", "{", "[]", "{\"ask\":\"nothing\"}", "{\"ask\":\"board\",\"game\":\"chess\"}"] {
            let answer: Value = serde_json::from_str(&answer_to(request.as_bytes(), &mut |_| {})).unwrap();
            assert!(answer["refused"]["error"].is_string(), "{request}");
        }
        let outside = ask(&json!({
            "ask": "choose", "line": { "game": "othello" }, "spec": "engine:weights=/etc/passwd", "seed": 1, "clock": null,
            "most": 10,
        }));
        assert_eq!(outside["refused"]["code"], "opponent.unknown");
        assert!(hand_in("othello", b"nonsense").contains("refused"));
    }

    #[test]
    fn an_analysis_is_told_while_it_deepens_and_by_nodes_is_always_the_same() {
        let request = json!({ "ask": "analyse", "id": 7, "line": { "game": "aboyne" }, "lines": 2, "time": null,
            "nodes": 5000, "depth": null });
        let run = || {
            let mut told = Vec::new();
            let last = answer_to(request.to_string().as_bytes(), &mut |text| told.push(text.to_string()));
            ENGINE.with_borrow_mut(|kept| *kept = None);
            (told.len(), serde_json::from_str::<Value>(&last).unwrap()["done"]["nodes"].clone())
        };
        let (told, nodes) = run();
        assert!(told > 1 && nodes.as_u64() > Some(100), "{told} {nodes}");
        assert_eq!(run(), (told, nodes));
    }
}
