//! `data`: what is in a directory of self-play.

use std::path::Path;

use quincunx_arena::selfplay::Data;
use serde_json::json;

use super::contest::{plain, print};

pub(crate) fn run(directory: &Path, json: bool) -> anyhow::Result<()> {
    let data = Data::read(directory).map_err(plain)?;
    print(json, || json!(data), || data.to_string())
}
