//! The one error of everything that reads text: a code and arguments for programs, one line of English for people.

use std::fmt;

use crate::refusal;

/// What is wrong with a text that was given as a game, a ruleset, a position or a move: one line that names the place.
///
/// [`refusal!`](crate::refusal) makes one. Its code is stable and its arguments have names, so that a front end can say
/// the same in another language. What only the command line says has no translation: [`new`](Self::new) makes it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    code: &'static str,
    arguments: Vec<(&'static str, Argument)>,
    message: String,
}

/// A value in the message of a [`TextError`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number, a name, or what somebody wrote.
    Text(String),
    /// The error that this one says more about.
    Error(Box<TextError>),
}

impl TextError {
    /// The code of errors without one of their own.
    pub const OTHER: &str = "other";

    /// An error that says `message`, without arguments and with the code [`OTHER`](Self::OTHER).
    pub fn new(message: impl Into<String>) -> Self {
        Self::with_code(Self::OTHER, message.into(), Vec::new())
    }

    /// An error with all its parts; [`refusal!`](crate::refusal) keeps message and arguments in step.
    pub fn with_code(code: &'static str, message: String, arguments: Vec<(&'static str, Argument)>) -> Self {
        Self { code, arguments, message }
    }

    /// What kind of error it is: a name that does not change, such as `ruleset.unknown`.
    ///
    /// The codes of a game begin with its name: `othello.flips_nothing`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The values in the message, by name.
    pub fn arguments(&self) -> &[(&'static str, Argument)] {
        &self.arguments
    }
}

/// What the texts of several games have in common.
impl TextError {
    /// A move follows the end of the game.
    pub fn game_over() -> Self {
        refusal!("game.over", "the game is over: no move can follow")
    }

    /// A move follows the end of the game, which had this reason.
    pub fn game_over_by(reason: &str) -> Self {
        refusal!("game.over_by", "the game is over ({reason}): no move can follow", reason)
    }

    /// A side passes though it can move.
    pub fn may_not_pass(side: &str) -> Self {
        refusal!("move.may_not_pass", "{side} may not pass: there is a legal move", side)
    }

    /// The same, if a pass is the only legal move.
    #[must_use]
    pub fn or_pass(self) -> Self {
        refusal!("move.or_pass", "{error}; the only move is pass", error = self)
    }

    /// A move begins on an empty cell.
    pub fn empty(cell: String) -> Self {
        refusal!("move.empty", "{cell} is empty", cell)
    }

    /// A stone is placed on another.
    pub fn occupied(cell: String) -> Self {
        refusal!("move.occupied", "{cell} is occupied", cell)
    }

    /// A move goes from one cell to another that no line joins.
    pub fn no_line(from: String, to: String) -> Self {
        refusal!("move.no_line", "{from} and {to} are not on one line", from, to)
    }

    /// The same, about the move of this number, counted from 1.
    #[must_use]
    pub fn of_move(self, number: usize) -> Self {
        refusal!("move.numbered", "move {number}: {error}", number, error = self)
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Error(error) => error.fmt(formatter),
        }
    }
}

impl From<TextError> for Argument {
    fn from(error: TextError) -> Self {
        Self::Error(Box::new(error))
    }
}

macro_rules! arguments_from {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Argument {
            fn from(value: $kind) -> Self {
                Self::Text(value.to_string())
            }
        })*
    };
}

arguments_from!(&str, String, char, u8, u32, u64, usize);

/// A [`TextError`] from its code, the template of its English message, and the arguments of both.
///
/// The template names every argument, and no value besides them: anything else does not compile.
///
/// ```
/// use quincunx_game::refusal;
/// let (count, expected) = (3usize, 8usize);
/// let error = refusal!("position.rows", "the board has {count} rows, expected {expected}", count, expected);
/// assert_eq!(error.to_string(), "the board has 3 rows, expected 8");
/// assert_eq!(error.code(), "position.rows");
/// ```
#[macro_export]
macro_rules! refusal {
    ($code:literal, $template:literal $(,)?) => {
        $crate::TextError::with_code($code, $template.into(), Vec::new())
    };
    ($code:literal, $template:literal $(, $name:ident $(= $value:expr)?)+ $(,)?) => {{
        let ($($name,)+) = ($($crate::text::Argument::from($crate::refusal!(@value $name $($value)?)),)+);
        // Behind `concat!` a template cannot take variables from around it.
        let message = format!(concat!($template), $($name = $name),+);
        $crate::TextError::with_code($code, message, vec![$((stringify!($name), $name)),+])
    }};
    (@value $name:ident) => { $name };
    (@value $name:ident $value:expr) => { $value };
}

/// `text` as it may be quoted in a message: cut to a sensible length, control characters made visible.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// The moves in a text, separated by spaces or commas.
pub fn moves_in(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split(|character: char| character.is_whitespace() || character == ',').filter(|mv| !mv.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_around_another_keeps_the_code_of_both() {
        let inner = refusal!("move.occupied", "{cell} is occupied", cell = "a1");
        let outer = refusal!("move.numbered", "move {number}: {error}", number = 3usize, error = inner.clone());
        assert_eq!(outer.to_string(), "move 3: a1 is occupied");
        assert_eq!(outer.code(), "move.numbered");
        assert_eq!(
            outer.arguments(),
            [("number", Argument::Text("3".into())), ("error", Argument::Error(Box::new(inner)))]
        );
    }
}
