//! The lessons of a game: positions with something to do, and the words of a language, from the game's folder.

use quincunx_search::Entry;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::content::{ENGLISH, read};

/// A step of a course as a page shows it.
#[derive(Serialize, ToSchema)]
pub struct Lesson {
    #[serde(flatten)]
    task: Task,
    words: LessonWords,
}

/// A position, what is shown on it, and what is to be done there.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Task {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ruleset: Option<String>,
    /// The text of the position; the start of a game if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    position: Option<String>,
    /// Moves that are played before the learner's eyes; the task begins after them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    show: Vec<String>,
    /// What is marked at the beginning of the task: a cell by its name, or an arrow such as `e1>e5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    marks: Vec<String>,
    goal: Goal,
    /// A move that solves it, to be shown on request, if the goal names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    answer: Option<String>,
    /// Moves that suggest themselves and are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    wrong: Vec<String>,
}

/// What solves a lesson.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Goal {
    /// Any move.
    Any,
    /// A move that wins.
    Win,
    /// A move after which this is counted higher for the player.
    Tally(String),
    /// A move after which this is counted lower for the opponent.
    Takes(String),
    /// This move, or one of several such as `a1|h8`.
    Move(String),
    /// A move whose text contains this.
    Contains(String),
    /// Several moves: the learner's, each like that of `move`, and between them the answers of the opponent.
    Line(Vec<String>),
}

/// Words of a lesson.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LessonWords {
    /// The title of the chapter that begins here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    chapter: Option<String>,
    title: String,
    /// What is said while each of the moves to show is played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    show: Vec<String>,
    task: String,
    /// What is said to a learner who asks for it.
    hint: String,
    /// What is said after each of the wrong moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    wrong: Vec<String>,
    /// What is said after a right answer.
    done: String,
}

/// The lessons of a game in a language, or in English if it does not have them there.
pub fn lessons(game: &Entry, language: &str) -> Vec<Lesson> {
    let words = |wanted: &str| game.content.lessons.words.iter().find(|(known, _)| *known == wanted);
    let (_, words) = words(language).or_else(|| words(ENGLISH)).expect("every game has its words in English");
    let tasks: Vec<Task> = read(game, game.content.lessons.course);
    let words: Vec<LessonWords> = read(game, words);
    tasks.into_iter().zip(words).map(|(task, words)| Lesson { task, words }).collect()
}

#[cfg(test)]
mod tests {
    use quincunx_game::AnyGame;
    use quincunx_games::{open, register};

    use super::*;

    /// All games, and one that is only a test crate, with their languages.
    fn courses() -> Vec<(&'static Entry, &'static str)> {
        register(&quincunx_ring::ENTRY);
        let games = quincunx_games::entries();
        games
            .into_iter()
            .flat_map(|game| game.content.lessons.words.iter().map(move |(name, _)| (game, *name)))
            .collect()
    }

    /// The games, each once.
    fn games() -> Vec<&'static Entry> {
        courses().into_iter().filter(|(_, language)| *language == ENGLISH).map(|(game, _)| game).collect()
    }

    /// The position in which the task begins, and the one before anything is shown.
    fn begun(game: &Entry, task: &Task) -> (Box<dyn AnyGame>, Box<dyn AnyGame>) {
        let before = open(game.about.name, task.ruleset.as_deref(), task.position.as_deref()).unwrap();
        let mut line = before.boxed_clone();
        for mv in &task.show {
            line.play(mv).unwrap_or_else(|error| panic!("{}: {mv}: {error}", game.about.name));
        }
        (before, line)
    }

    fn after(before: &dyn AnyGame, mv: &str) -> Box<dyn AnyGame> {
        let mut after = before.boxed_clone();
        after.play(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
        after
    }

    fn names(moves: &str, mv: &str) -> bool {
        moves.split('|').any(|named| named == mv)
    }

    /// Whether a first move reaches a goal, or goes on towards it; the page asks the same in `goal.js`.
    fn solves(goal: &Goal, before: &dyn AnyGame, mv: &str) -> bool {
        let after = after(before, mv);
        let count = |game: &dyn AnyGame, name: &str, side: usize| {
            game.tallies().iter().find(|tally| tally.name == name).expect("the goal names what is counted").values[side]
        };
        let mover = before.to_move().index();
        match goal {
            Goal::Any => true,
            Goal::Win => after.outcome().and_then(|end| end.winner) == Some(before.to_move()),
            Goal::Tally(name) => count(&*after, name, mover) > count(before, name, mover),
            Goal::Takes(name) => count(&*after, name, 1 - mover) < count(before, name, 1 - mover),
            Goal::Move(moves) => names(moves, mv),
            Goal::Line(line) => names(&line[0], mv),
            Goal::Contains(part) => mv.contains(part.as_str()),
        }
    }

    /// The answer that a learner is shown.
    fn answer(task: &Task) -> &str {
        let first = |moves: &str| moves.find('|').unwrap_or(moves.len());
        match &task.goal {
            Goal::Move(moves) => &moves[..first(moves)],
            Goal::Line(line) => &line[0][..first(&line[0])],
            _ => task.answer.as_deref().expect("a goal that names no move has an answer beside it"),
        }
    }

    fn checked(check: impl Fn(&Entry, &Task, &str)) {
        for game in games() {
            for (index, Lesson { task, words }) in lessons(game, ENGLISH).iter().enumerate() {
                check(game, task, &format!("{}, lesson {}, {}", game.about.name, index + 1, words.title));
            }
        }
    }

    #[test]
    fn every_lesson_has_its_words_in_every_language_and_a_course_begins_a_chapter() {
        for (game, language) in courses() {
            let tasks: Vec<Task> = read(game, game.content.lessons.course);
            let found = lessons(game, language);
            let name = format!("{} in {language}", game.about.name);
            assert_eq!(found.len(), tasks.len(), "{name}: a lesson has words, and words have a lesson");
            assert_eq!(found.len(), game.content.lessons.count, "{name}");
            let own: Vec<LessonWords> =
                read(game, game.content.lessons.words.iter().find(|w| w.0 == language).unwrap().1);
            assert_eq!(own.len(), tasks.len(), "{name}: a lesson has words, and words have a lesson");
            assert!(found.first().is_none_or(|lesson| lesson.words.chapter.is_some()), "{name}");
            for (Lesson { task, words }, english) in found.iter().zip(lessons(game, ENGLISH)) {
                let name = format!("{name}: {}", words.title);
                assert_eq!(words.show.len(), task.show.len(), "{name}: every move that is shown is explained");
                assert_eq!(words.wrong.len(), task.wrong.len(), "{name}: every wrong move is explained");
                assert_eq!(words.chapter.is_some(), english.words.chapter.is_some(), "{name}: chapters");
                let said = [&words.title, &words.task, &words.hint, &words.done];
                assert!(said.into_iter().all(|text| !text.trim().is_empty()), "{name}");
            }
        }
    }

    #[test]
    fn the_five_games_have_a_course_of_fifteen_steps() {
        for game in games().into_iter().filter(|game| game.about.name != "ring") {
            assert!(game.content.lessons.count >= 15, "{}: {}", game.about.name, game.content.lessons.count);
        }
    }

    #[test]
    fn every_lesson_can_be_solved_and_only_the_easiest_by_every_move() {
        checked(|game, task, name| {
            let (_, before) = begun(game, task);
            let choices = before.choices();
            assert!(before.outcome().is_none(), "{name} is over");
            let right = choices.iter().filter(|choice| solves(&task.goal, &*before, &choice.text)).count();
            assert!(right > 0 && (right < choices.len()) != matches!(task.goal, Goal::Any), "{name}: {right}");
        });
    }

    #[test]
    fn the_answer_of_a_lesson_solves_it_and_all_moves_that_a_goal_names_are_legal() {
        checked(|game, task, name| {
            let (_, before) = begun(game, task);
            let named: Vec<&str> = match &task.goal {
                Goal::Move(moves) => moves.split('|').collect(),
                Goal::Line(line) => line[0].split('|').collect(),
                _ => vec![answer(task)],
            };
            for mv in named {
                let exact = before.choices().iter().any(|choice| choice.text == mv);
                assert!(exact && solves(&task.goal, &*before, mv), "{name}: {mv}");
            }
            if let Goal::Line(line) = &task.goal {
                assert!(line.len() % 2 == 1 && line.len() > 1, "{name}: a line begins and ends with the learner");
                let mut game = before.boxed_clone();
                for (index, moves) in line.iter().enumerate() {
                    let others = moves.split('|').collect::<Vec<_>>();
                    assert!(others.len() == 1 || index.is_multiple_of(2), "{name}: one answer of the opponent");
                    assert!(others.len() == 1 || index + 1 == line.len(), "{name}: only the last move has a choice");
                    for other in &others {
                        assert!(game.choices().iter().any(|choice| choice.text == **other), "{name}: {other}");
                    }
                    game.play(others[0]).unwrap();
                }
            }
        });
    }

    #[test]
    fn wrong_moves_of_a_lesson_are_legal_and_do_not_solve_it() {
        checked(|game, task, name| {
            let (_, before) = begun(game, task);
            for mv in &task.wrong {
                assert!(before.choices().iter().any(|choice| choice.text == *mv), "{name}: {mv} is not legal");
                assert!(!solves(&task.goal, &*before, mv), "{name}: {mv} solves it");
            }
        });
    }

    #[test]
    fn marks_of_a_lesson_are_cells() {
        checked(|game, task, name| {
            let cells = begun(game, task).1.geometry().cells;
            for mark in task.marks.iter().flat_map(|mark| mark.split('>')) {
                assert!(cells.iter().any(|cell| cell.name == mark), "{name}: {mark}");
            }
        });
    }
}
