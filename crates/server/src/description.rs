//! The description of the API for programs, made from the handlers and from the types of what they take and send.
//!
//! The server answers with it, `docs/openapi.json` is a copy of it, and the types of the front end are made from it.

use quincunx_messages::refusal::{ArgumentView, ErrorView};
use utoipa::{
    OpenApi,
    openapi::{self, Content, Ref, RefOr, ResponseBuilder},
};

use crate::{
    incoming::{Action, SocketRequest},
    outgoing::Message,
};

/// Its address.
pub(crate) const PATH: &str = "/api/openapi.json";

/// What no handler says: the title, and the types of what goes over the socket.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Quincunx",
        description = "The API of the web app; docs/API.md has the words, the bounds and the use of the WebSocket.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(Message, Action, SocketRequest, ErrorView, ArgumentView))
)]
pub(crate) struct Description;

/// The description as JSON, with the refusal that may answer every request.
pub(crate) fn text(mut description: openapi::OpenApi) -> String {
    const REFUSAL: &str = "Refusal";
    for path in description.paths.paths.values_mut() {
        for operation in [&mut path.get, &mut path.post].into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            for response in responses.values_mut() {
                // The standard wants one, and there is nothing to say.
                if let RefOr::T(response) = response
                    && response.description.is_empty()
                {
                    response.description = "Done".into();
                }
            }
            responses.insert("default".into(), RefOr::Ref(Ref::from_response_name(REFUSAL)));
        }
    }
    let error = Content::new(Some(Ref::from_schema_name(REFUSAL)));
    let refusal = ResponseBuilder::new().description("Refused").content("application/json", error).build();
    description.components.get_or_insert_default().responses.insert(REFUSAL.into(), refusal.into());
    description.to_pretty_json().expect("a plain value is written without error")
}
