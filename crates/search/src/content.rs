//! What a game's folder holds beside its code: words, samples and lessons for people, vectors for its tests.

/// The files of a game's folder, as they are; [`content!`](crate::content!) makes it.
#[derive(Clone, Copy, Debug)]
pub struct Content {
    /// By language, such as `en`, the words about the game. English comes first and lacks nothing.
    pub words: &'static [(&'static str, &'static str)],
    /// A position for a start page, and figures for the rules.
    pub samples: &'static str,
    /// A course in small steps.
    pub lessons: Course,
    /// Puzzles, made by `quincunx puzzles`; pages load them on their own, so WebAssembly does not carry them.
    pub puzzles: &'static str,
    /// Positions with their moves and counts from an independent implementation, one a line; `None` without the feature
    /// `promises`, so that no program carries them.
    pub vectors: Option<&'static str>,
}

/// The lessons of a game; pages load them on their own, so WebAssembly carries no more than their number.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// How many there are.
    pub count: usize,
    /// Their positions and goals.
    pub course: &'static str,
    /// By language, their words.
    pub words: &'static [(&'static str, &'static str)],
}

/// The number of lessons in the text of a course: each has one goal.
pub const fn count_lessons(course: &str) -> usize {
    const GOAL: &[u8] = b"\"goal\":";
    let text = course.as_bytes();
    let (mut count, mut at) = (0, 0);
    while at + GOAL.len() <= text.len() {
        let mut same = 0;
        while same < GOAL.len() && text[at + same] == GOAL[same] {
            same += 1;
        }
        if same == GOAL.len() {
            count += 1;
        }
        at += 1;
    }
    count
}

/// The content of the game whose crate this is called in, from the files of its folder: `words/LANGUAGE.json` and
/// `lessons/LANGUAGE.json` for each language given, `lessons/course.json`, `samples.json`, `puzzles.json`, and for tests
/// `vectors.jsonl`.
#[macro_export]
macro_rules! content {
    ($($language:literal),+) => {
        $crate::content::Content {
            words: &[$(($language, $crate::file_of_the_game!("words/", $language, ".json"))),+],
            samples: $crate::file_of_the_game!("samples.json"),
            lessons: $crate::content::Course {
                count: const { $crate::content::count_lessons($crate::file_of_the_game!("lessons/course.json")) },
                course: $crate::file_of_the_game!("lessons/course.json"),
                words: &[$(($language, $crate::file_of_the_game!("lessons/", $language, ".json"))),+],
            },
            puzzles: $crate::file_of_the_game!("puzzles.json"),
            vectors: $crate::vectors!(),
        }
    };
}

#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
#[macro_export]
macro_rules! file_of_the_game {
    ($($part:literal),+) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $($part),+))
    };
}

/// The engine in a page carries none of these files: the page loads them itself.
#[cfg(target_family = "wasm")]
#[doc(hidden)]
#[macro_export]
macro_rules! file_of_the_game {
    ($($part:literal),+) => {
        "[]"
    };
}

// The feature is asked for here and not in the macro, where it would be one of the game's crate.
#[cfg(feature = "promises")]
#[doc(hidden)]
#[macro_export]
macro_rules! vectors {
    () => {
        Some($crate::file_of_the_game!("vectors.jsonl"))
    };
}

#[cfg(not(feature = "promises"))]
#[doc(hidden)]
#[macro_export]
macro_rules! vectors {
    () => {
        None
    };
}
