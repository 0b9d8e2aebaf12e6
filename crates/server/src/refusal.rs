//! What a client is told when it may not have what it asked for.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use quincunx_game::TextError;
use quincunx_messages::ErrorView;

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
