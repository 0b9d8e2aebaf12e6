//! What a client is told when it may not have what it asked for.

use std::collections::BTreeMap;

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use quincunx_game::{TextError, text::Argument};
use serde::Serialize;
use utoipa::ToSchema;

/// Why something was refused: a status for the program, and an error that a front end can say in any language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) error: TextError,
}

impl Refusal {
    /// What was sent makes no sense.
    pub(crate) fn wrong(error: TextError) -> Self {
        Self { status: StatusCode::BAD_REQUEST, error }
    }

    /// The sender holds no token for it.
    pub(crate) fn forbidden(error: TextError) -> Self {
        Self { status: StatusCode::FORBIDDEN, error }
    }

    /// There is no such thing.
    pub(crate) fn missing(error: TextError) -> Self {
        Self { status: StatusCode::NOT_FOUND, error }
    }

    /// It is not possible as the game stands now.
    pub(crate) fn conflict(error: TextError) -> Self {
        Self { status: StatusCode::CONFLICT, error }
    }

    /// Too much was asked for.
    pub(crate) fn too_many(error: TextError) -> Self {
        Self { status: StatusCode::TOO_MANY_REQUESTS, error }
    }

    /// The server cannot do it now.
    pub(crate) fn unavailable(error: TextError) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, error }
    }
}

impl Refusal {
    /// The body of an answer that tells it.
    pub(crate) fn json(&self) -> String {
        serde_json::to_string(&ErrorView::from(&self.error)).expect("a plain value is written without error")
    }
}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Self {
        Self::wrong(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorView::from(&self.error))).into_response()
    }
}

/// Why something was refused.
#[derive(Serialize, ToSchema)]
#[schema(as = Refusal)]
pub(crate) struct ErrorView {
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
pub(crate) enum ArgumentView {
    Text(String),
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
