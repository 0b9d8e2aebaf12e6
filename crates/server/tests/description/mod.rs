//! The description of the API in `docs/openapi.json` and the types of the front end in `web/types/api.d.ts` are those of
//! the server. To write both anew: `UPDATE_DESCRIPTION=1 cargo test -p quincunx-server description`.

mod typescript;

use std::{env, fs, path::Path};

use crate::client::TestServer;

/// Compares a file of the repository with what it should be, or writes it.
fn check(path: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("UPDATE_DESCRIPTION").is_some() {
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let rewrite = "UPDATE_DESCRIPTION=1 cargo test -p quincunx-server description";
    assert!(found == expected, "{} is not what the server says; run {rewrite}", path.display());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_description_and_the_types_of_the_front_end_are_current() {
    let server = TestServer::start().await;
    let (status, description) = server.get("/api/openapi.json").await;
    assert_eq!(status, 200);
    let text = serde_json::to_string_pretty(&description).unwrap() + "\n";
    check("docs/openapi.json", &text);
    check("web/types/api.d.ts", &typescript::types(&description["components"]["schemas"]));
}
