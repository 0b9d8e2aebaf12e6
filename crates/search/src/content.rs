//! What a game's folder holds beside its code: words, samples and lessons for people, vectors for its tests.

/// The files of a game's folder, as they are; [`content!`](crate::content!) makes it.
#[derive(Clone, Copy, Debug)]
pub struct Content {
    /// By language, such as `en`, the words about the game. English comes first and lacks nothing.
    pub words: &'static [(&'static str, &'static str)],
    /// A position for a start page, and figures for the rules.
    pub samples: &'static str,
    /// Positions to solve.
    pub lessons: &'static str,
    /// Puzzles, made by `quincunx puzzles`; pages load them on their own, so WebAssembly does not carry them.
    pub puzzles: &'static str,
    /// Positions with their moves and counts from an independent implementation, one a line; `None` without the feature
    /// `promises`, so that no program carries them.
    pub vectors: Option<&'static str>,
}

/// The content of the game whose crate this is called in, from the files of its folder: `words/LANGUAGE.json` for each
/// language given, `samples.json`, `lessons.json`, `puzzles.json`, and for tests `vectors.jsonl`.
#[macro_export]
macro_rules! content {
    ($($language:literal),+) => {
        $crate::content::Content {
            words: &[$(($language, $crate::file_of_the_game!("words/", $language, ".json"))),+],
            samples: $crate::file_of_the_game!("samples.json"),
            lessons: $crate::file_of_the_game!("lessons.json"),
            #[cfg(not(target_family = "wasm"))]
            puzzles: $crate::file_of_the_game!("puzzles.json"),
            #[cfg(target_family = "wasm")]
            puzzles: "[]",
            vectors: $crate::vectors!(),
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! file_of_the_game {
    ($($part:literal),+) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $($part),+))
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
