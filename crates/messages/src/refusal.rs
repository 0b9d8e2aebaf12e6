//! Why something was refused, in a form that a front end can say in any language.

use std::collections::BTreeMap;

use quincunx_game::{TextError, text::Argument};
use serde::Serialize;
use utoipa::ToSchema;

/// Why something was refused.
#[derive(Serialize, ToSchema)]
#[schema(as = Refusal)]
pub struct ErrorView {
    /// One line of English.
    error: String,
    /// What kind of error it is: a name that does not change, such as `ruleset.unknown`.
    code: &'static str,
    /// The values in the line, by name.
    #[schema(no_recursion)]
    arguments: BTreeMap<&'static str, ArgumentView>,
}

/// A value in an error: a text, or the error that this one says more about.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Argument)]
pub enum ArgumentView {
    /// A number, a name, or what somebody wrote.
    Text(String),
    /// The error inside.
    Error(ErrorView),
}

impl From<&TextError> for ErrorView {
    fn from(error: &TextError) -> Self {
        let arguments = error.arguments().iter().map(|(name, argument)| {
            let argument = match argument {
                Argument::Text(text) => ArgumentView::Text(text.clone()),
                Argument::Error(inner) => ArgumentView::Error(Self::from(&**inner)),
            };
            (*name, argument)
        });
        Self { error: error.to_string(), code: error.code(), arguments: arguments.collect() }
    }
}
