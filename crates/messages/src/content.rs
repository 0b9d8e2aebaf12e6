//! What the games say to people: words in the reader's language and samples, from the games' folders.

use std::collections::{BTreeMap, BTreeSet};

use quincunx_search::Entry;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use utoipa::ToSchema;

/// The language that every game has.
pub const ENGLISH: &str = "en";

/// What the games say, by the name of the game.
#[derive(Serialize, ToSchema)]
pub struct Contents {
    games: BTreeMap<&'static str, Content>,
}

/// What a game says: the files of its folder.
#[derive(Serialize, ToSchema)]
struct Content {
    words: Words,
    samples: Samples,
    /// How many lessons there are.
    lessons: usize,
}

/// Words about a game.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Why one would play it, in a sentence or two.
    pitch: String,
    /// Who made it, and when.
    origin: String,
    rulesets: BTreeMap<String, RulesetWords>,
    /// What to do next, by the number of cells chosen.
    steps: Vec<String>,
    /// The rules; the aim of the game comes first.
    rules: Vec<Section>,
    /// What puzzles are about, by the theme.
    #[serde(default)]
    #[schema(required)]
    themes: BTreeMap<String, String>,
    /// Why a game ended, as a sentence, by the reason; `reason, drawn` if nobody won. It may name the `{winner}`, the
    /// `{loser}` and what is counted, such as `{discs of winner}`.
    #[serde(default)]
    #[schema(required)]
    endings: BTreeMap<String, String>,
    /// Names of the game's own agents.
    #[serde(default)]
    #[schema(required)]
    agents: BTreeMap<String, String>,
    /// What the server says in English: sides, reasons, what is counted, labels, values in refusals.
    #[serde(default)]
    #[schema(required)]
    terms: BTreeMap<String, String>,
    /// Refusals of the game by code, with their values as `{name}`.
    #[serde(default)]
    #[schema(required)]
    refusals: BTreeMap<String, String>,
}

/// What a ruleset is called, and what is special about it.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RulesetWords {
    name: String,
    summary: String,
}

/// A part of the rules.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Section {
    title: String,
    /// Its paragraphs.
    text: Vec<String>,
    /// The figure beside it, by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    figure: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    caption: Option<String>,
}

/// Positions to look at.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Samples {
    /// One for a start page.
    #[serde(default)]
    #[schema(required)]
    sample: Figure,
    /// Those that the rules refer to.
    #[serde(default)]
    #[schema(required)]
    figures: Vec<Figure>,
    /// What a move costs each level of the engine on average, as a share of the winning chances, the weakest first.
    #[serde(default)]
    #[schema(required)]
    losses: Vec<f64>,
}

/// A position, by its text or by moves; the start if it has neither.
#[derive(Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Figure {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ruleset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    moves: Option<String>,
    /// Names of cells to mark.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    marks: Vec<String>,
}

/// The languages in which a game has words.
pub fn languages(games: &[&'static Entry]) -> BTreeSet<&'static str> {
    games.iter().flat_map(|game| game.content.words).map(|(name, _)| *name).collect()
}

/// What these games say in a language, or in English where one of them does not have it.
pub fn contents(games: &[&'static Entry], language: &str) -> Contents {
    Contents { games: games.iter().map(|game| (game.about.name, content(game, language))).collect() }
}

/// What a game says in a language; English stands for what it does not say there.
fn content(game: &Entry, language: &str) -> Content {
    let mut words = words(game, ENGLISH).expect("every game has its words in English");
    if let Some(translated) = self::words(game, language) {
        overlay(&mut words, translated);
    }
    Content {
        words: serde_json::from_value(words).unwrap_or_else(|error| panic!("{}: {error}", game.about.name)),
        samples: read(game, game.content.samples),
        lessons: game.content.lessons.count,
    }
}

/// The words of a game in a language, if it has them.
fn words(game: &Entry, language: &str) -> Option<Value> {
    let (_, text) = game.content.words.iter().find(|(known, _)| *known == language)?;
    Some(read(game, text))
}

/// Reads a file of a game's folder. It is part of the program, and the tests read all of them.
pub(crate) fn read<T: DeserializeOwned>(game: &Entry, text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error} in {text:.80}", game.about.name))
}

/// Replaces what `over` says; objects are gone through key by key.
fn overlay(under: &mut Value, over: Value) {
    match (under, over) {
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                overlay(under.entry(key).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over,
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::{AnyGame, outcome};
    use quincunx_games::{open, register};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The languages of the page.
    const LANGUAGES: [&str; 3] = [ENGLISH, "pt", "zh"];

    fn line(game: &Entry, ruleset: Option<&str>, position: Option<&str>, moves: Option<&str>) -> Box<dyn AnyGame> {
        let mut line = open(game.about.name, ruleset, position).unwrap();
        for mv in moves.unwrap_or_default().split_whitespace() {
            line.play(mv).unwrap_or_else(|error| panic!("{}: {error}", game.about.name));
        }
        line
    }

    /// The places of all texts in a value, such as `/rules/0/title`.
    fn places(value: &Value, at: &str, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(parts) => parts.iter().for_each(|(key, part)| places(part, &format!("{at}/{key}"), found)),
            // The same thing may take more or fewer paragraphs to say.
            Value::Array(parts) if at.ends_with("/text") => drop(found.insert(format!("{at} {}", !parts.is_empty()))),
            Value::Array(parts) => {
                parts.iter().enumerate().for_each(|(index, part)| places(part, &format!("{at}/{index}"), found));
            }
            _ => drop(found.insert(at.into())),
        }
    }

    /// What the server says of a game in English that must be translated: sides, what is counted, how games end.
    fn said(game: &Entry) -> BTreeSet<String> {
        let mut said: BTreeSet<String> = game.about.sides.map(String::from).into();
        for ruleset in game.about.rulesets {
            for seed in 0..20 {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut line = line(game, Some(ruleset.name), None, None);
                while line.play_random(&mut rng).is_some() {}
                said.extend(line.outcome().map(|end| end.reason.to_string()));
                said.extend(line.tallies().iter().map(|tally| tally.name.to_string()));
            }
        }
        // The page has words for what is the same in all games.
        for general in [outcome::REPETITION, outcome::PLY_LIMIT, outcome::NO_LEGAL_MOVE] {
            said.remove(general);
        }
        said
    }

    #[test]
    fn every_end_of_a_game_is_told_in_a_sentence() {
        for game in entries() {
            let told = content(game, ENGLISH).words.endings;
            for ruleset in game.about.rulesets {
                for seed in 0..20 {
                    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                    let mut line = line(game, Some(ruleset.name), None, None);
                    while line.play_random(&mut rng).is_some() {}
                    let Some(end) = line.outcome() else { continue };
                    // The page has sentences for what is the same in all games.
                    if [outcome::REPETITION, outcome::PLY_LIMIT, outcome::NO_LEGAL_MOVE].contains(&end.reason) {
                        continue;
                    }
                    let key = if end.winner.is_some() { end.reason.into() } else { format!("{}, drawn", end.reason) };
                    assert!(told.contains_key(&key), "{}: {key}", game.about.name);
                }
            }
        }
    }

    /// What a game lacks in each language of the page: the language alone if it lacks everything.
    fn missing(game: &Entry) -> Vec<String> {
        let (mut wanted, mut translated) = (BTreeSet::new(), BTreeSet::new());
        places(&words(game, ENGLISH).expect("every game has its words in English"), "", &mut wanted);
        translated.extend(said(game).into_iter().map(|word| format!("/terms/{word}")));
        for (_, text) in game.content.words {
            places(&read(game, text), "", &mut translated);
        }
        let mut missing = Vec::new();
        for language in LANGUAGES {
            let Some(words) = words(game, language) else {
                missing.push(language.to_string());
                continue;
            };
            let mut found = BTreeSet::new();
            places(&words, "", &mut found);
            let wanted = if language == ENGLISH { &wanted } else { &translated };
            missing.extend(wanted.difference(&found).map(|place| format!("{language}{place}")));
        }
        missing
    }

    /// All games, and one that is only a test crate.
    fn entries() -> Vec<&'static Entry> {
        register(&quincunx_ring::ENTRY);
        quincunx_games::entries()
    }

    #[test]
    fn every_game_has_all_its_words_in_every_language() {
        for game in entries() {
            let lacks: &[&str] = if game.about.name == "ring" { &["zh"] } else { &[] };
            assert_eq!(missing(game), lacks, "{} lacks words", game.about.name);
        }
    }

    #[test]
    fn words_that_are_missing_are_named() {
        let Entry { about, variants, book, train, agents, content, files, grading, formats: _ } = &quincunx_ring::ENTRY;
        let mut portuguese: Value = read(&quincunx_ring::ENTRY, content.words[1].1);
        portuguese["rules"][1].as_object_mut().unwrap().remove("title");
        portuguese["terms"].as_object_mut().unwrap().remove("caught");
        let words = vec![content.words[0], ("pt", &*portuguese.to_string().leak())].leak();
        let content = quincunx_search::Content { words, ..*content };
        let (book, train, files, grading) = (*book, *train, *files, *grading);
        let lacking = Entry {
            about,
            variants,
            book,
            train,
            agents,
            content,
            files,
            grading,
            formats: quincunx_game::format::Formats::NONE,
        };
        assert_eq!(missing(&lacking), ["pt/rules/1/title", "pt/terms/caught", "zh"]);
    }

    #[test]
    fn words_fit_the_game() {
        for game in entries() {
            for language in LANGUAGES {
                let Content { words, samples, .. } = content(game, language);
                let name = format!("{} in {language}", game.about.name);
                let rulesets: BTreeSet<_> = game.about.rulesets.iter().map(|ruleset| ruleset.name).collect();
                assert_eq!(words.rulesets.keys().map(String::as_str).collect::<BTreeSet<_>>(), rulesets, "{name}");
                assert!(words.agents.keys().all(|agent| game.agent(agent).is_some()), "{name}");
                assert!(!words.rules[0].text[0].is_empty(), "{name}: the aim comes first");
                let figures: Vec<_> = words.rules.iter().filter_map(|section| section.figure).collect();
                assert!(figures.iter().all(|&figure| figure < samples.figures.len()), "{name}: {figures:?}");
            }
        }
    }

    #[test]
    fn samples_are_positions_of_the_game_and_their_marks_are_cells() {
        for game in entries() {
            let Samples { sample, figures, .. } = read(game, game.content.samples);
            for Figure { ruleset, position, moves, marks } in figures.iter().chain([&sample]) {
                let line = line(game, ruleset.as_deref(), position.as_deref(), moves.as_deref());
                let cells = line.geometry().cells;
                assert!(marks.iter().all(|mark| cells.iter().any(|cell| cell.name == *mark)), "{marks:?}");
            }
        }
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Puzzle {
        position: String,
        solution: Vec<String>,
        level: u64,
        themes: Vec<String>,
    }

    #[test]
    fn puzzles_have_legal_answers_and_themes_that_the_game_finds_and_names() {
        for game in entries() {
            let puzzles: Vec<Puzzle> = read(game, game.content.puzzles);
            let name = game.about.name;
            assert!(puzzles.len() >= 250 || name == "ring", "{name}: {} puzzles", puzzles.len());
            let different: BTreeSet<_> = puzzles.iter().map(|puzzle| &puzzle.position).collect();
            assert_eq!(different.len(), puzzles.len(), "{name}");
            let named: Vec<_> = LANGUAGES.into_iter().map(|language| content(game, language).words.themes).collect();
            for Puzzle { position, solution, level, themes } in &puzzles {
                let start = line(game, None, Some(position), None);
                assert!(start.choices().len() >= 3 && start.choices().iter().any(|choice| choice.text == solution[0]));
                line(game, None, Some(position), Some(&solution.join(" ")));
                assert!((1..=10).contains(level), "{name}: {position}");
                let (aim, about) = themes.split_first().expect("a puzzle has an aim");
                assert!(["win", "save", "gain"].contains(&aim.as_str()), "{name}: {aim}");
                let found = quincunx_games::variant(start.rules()).themes(start.rules(), position, solution).unwrap();
                assert_eq!(about, found, "{name}: {position}");
                assert!(about.iter().all(|theme| named.iter().all(|words| words.contains_key(theme))), "{about:?}");
            }
        }
    }

    #[test]
    fn a_language_that_lacks_something_says_it_in_english() {
        let mut words =
            serde_json::json!({ "pitch": "Fast", "rulesets": { "a": { "name": "A" }, "b": { "name": "B" } } });
        overlay(&mut words, serde_json::json!({ "rulesets": { "b": { "name": "贝" } }, "terms": { "Red": "红方" } }));
        let expected = serde_json::json!({
            "pitch": "Fast", "rulesets": { "a": { "name": "A" }, "b": { "name": "贝" } }, "terms": { "Red": "红方" },
        });
        assert_eq!(words, expected);
        let said = |language| serde_json::to_string(&contents(&entries(), language)).unwrap();
        assert_eq!(said("xx"), said(ENGLISH));
        assert_ne!(said("zh"), said(ENGLISH));
    }
}
