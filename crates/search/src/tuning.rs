//! The numbers of a search that go with an evaluator, by name.

use quincunx_game::{TextError, text::quoted};

/// A number of the search that can be named: in the spec of an engine, in a file of weights, to `quincunx spsa`.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// Its name.
    pub name: &'static str,
    /// The least it may be; 0 is off.
    pub least: i32,
    /// The most it may be.
    pub most: i32,
    get: fn(&Tuning) -> i32,
    set: fn(&mut Tuning, i32),
}

/// Makes the struct and the table of its names from one list: field, name, least, most, and the value of a search without
/// assumptions about the game.
macro_rules! numbers {
    ($(#[doc = $about:literal] $field:ident $name:literal $least:literal $most:literal $cautious:literal;)*) => {
        /// The numbers of a search that go with an evaluator; each is measured by matches.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct Tuning {
            $(#[doc = $about] pub $field: i32,)*
            /// The difference of scores that makes a win about three times as likely as a loss.
            pub scale: f32,
            /// How many times the usual positions the highest level that counts them looks at in this game; lower levels
            /// have less of it.
            pub pace: f64,
        }

        impl Tuning {
            /// A search without assumptions about the game.
            pub const CAUTIOUS: Self = Self { $($field: $cautious,)* scale: 200.0, pace: 1.0 };

            /// The numbers that have names: all but the meaning of scores and the pace of levels.
            pub const NUMBERS: &[Number] = &[$(Number {
                name: $name,
                least: $least,
                most: $most,
                get: |tuning| tuning.$field,
                set: |tuning, value| tuning.$field = value,
            },)*];
        }
    };
}

numbers! {
    /// Null move: searched less deep by so many plies and a quarter of the depth. Sound if a move is worth more than none.
    null_move "null-move" 0 8 0;
    /// Reverse futility: by how much for each ply left an evaluation must exceed beta.
    reverse_futility "reverse-futility" 0 5000 0;
    /// Reverse futility is tried up to this depth: deeper, too much can change.
    reverse_futility_depth "reverse-futility-depth" 1 20 6;
    /// Futility: by how much for each ply left an evaluation must lie below alpha before quiet moves are given up.
    futility "futility" 0 5000 0;
    /// Futility is tried up to this depth.
    futility_depth "futility-depth" 1 20 4;
    /// Late move reduction: late moves are searched less deep by ln(depth) ln(number) / this, in hundredths.
    reduction "reduction" 0 2000 250;
    /// Late move pruning: near the leaves only so many quiet moves for each ply left and as many more are searched.
    late_moves "late-moves" 0 100 0;
    /// Late move pruning is done up to this depth.
    late_moves_depth "late-moves-depth" 1 20 5;
    /// ProbCut of the most selective searches: how clear of the window a shallow one must be, in hundredths of its error.
    probcut "probcut" 0 1000 0;
    /// Half the width of the first aspiration window around the score of the last iteration.
    aspiration "aspiration" 1 5000 40;
}

impl Number {
    /// The number of this name; the error lists all.
    pub fn named(name: &str) -> Result<&'static Self, TextError> {
        Tuning::NUMBERS.iter().find(|number| number.name == name).ok_or_else(|| {
            let ranges: Vec<_> = Tuning::NUMBERS.iter().map(Self::to_string).collect();
            TextError::new(format!("the search has no number {}; it has {}", quoted(name), ranges.join(", ")))
        })
    }

    /// Its value.
    pub fn get(&self, tuning: &Tuning) -> i32 {
        (self.get)(tuning)
    }

    /// Gives it a value, the nearest within its range.
    pub fn set(&self, tuning: &mut Tuning, value: i32) {
        (self.set)(tuning, value.clamp(self.least, self.most));
    }
}

/// Its name and its range.
impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}..{}", self.name, self.least, self.most)
    }
}

/// By how many plies null moves are searched less deep if a net says no more than that they are on.
const NULL_MOVE: i32 = 3;

impl Tuning {
    /// The numbers that nets have among their weights; [`to_words`](Self::to_words) has all.
    pub const IN_NETS: usize = 5;

    /// Those numbers, which [`with_numbers`](Self::with_numbers) reads back.
    pub fn in_nets(&self) -> [i16; Self::IN_NETS] {
        let Self { null_move, reverse_futility, futility, reduction, aspiration, .. } = *self;
        [i32::from(null_move > 0), reverse_futility, futility, reduction, aspiration]
            .map(|number| number.clamp(0, 32_767) as i16)
    }

    /// The same search with the numbers of a net.
    #[must_use]
    pub fn with_numbers(self, numbers: &[i16]) -> Self {
        let positive = |at: usize| i32::from(numbers[at]).max(0);
        Self {
            null_move: match (numbers[0], self.null_move) {
                (0, _) => 0,
                (_, 0) => NULL_MOVE,
                (_, plies) => plies,
            },
            reverse_futility: positive(1),
            futility: positive(2),
            reduction: positive(3),
            aspiration: positive(4).max(1),
            ..self
        }
    }

    /// The numbers that differ from those of `other`, such as `futility=60,reduction=180`.
    pub fn to_words(&self, other: &Self) -> String {
        let differ = Self::NUMBERS.iter().filter(|number| number.get(self) != number.get(other));
        differ.map(|number| format!("{}={}", number.name, number.get(self))).collect::<Vec<_>>().join(",")
    }

    /// The same search with the numbers that [`to_words`](Self::to_words) gave.
    pub fn with_words(mut self, words: &str) -> Result<Self, TextError> {
        for word in words.split(',').filter(|word| !word.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = Number::named(name)?;
            let wrong = || TextError::new(format!("{}: expected a whole number, {number}", quoted(word)));
            let value = value.parse().ok().filter(|value| (number.least..=number.most).contains(value));
            number.set(&mut self, value.ok_or_else(wrong)?);
        }
        Ok(self)
    }

    /// Whether any pruning compares an evaluation with the window.
    #[inline]
    pub(crate) fn has_margins(&self) -> bool {
        self.reverse_futility > 0 || self.futility > 0 || self.null_move > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_told_in_words_and_read_back() {
        let base = Tuning::CAUTIOUS;
        for number in Tuning::NUMBERS {
            for value in [number.least, number.most] {
                let mut changed = base;
                number.set(&mut changed, value);
                let words = changed.to_words(&base);
                assert_eq!(words.is_empty(), number.get(&base) == value, "{words}");
                assert_eq!(base.with_words(&words).unwrap(), changed);
            }
            let beyond = format!("{}={}", number.name, number.most + 1);
            assert!(base.with_words(&beyond).unwrap_err().to_string().contains(&number.to_string()));
        }
        let error = base.with_words("futilty=3").unwrap_err().to_string();
        assert!(Tuning::NUMBERS.iter().all(|number| error.contains(&number.to_string())), "{error}");
        assert!(base.with_words("futility").is_err() && base.with_words("futility=x").is_err());
    }
}
