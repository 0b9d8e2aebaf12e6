//! `report`: what came out of a contest, from its directory alone.

use quincunx_arena::{Remade, remake};
use serde_json::json;

use super::contest::{plain, print};
use crate::cli::ReportSettings;

pub(crate) fn run(settings: &ReportSettings) -> anyhow::Result<()> {
    let ReportSettings { directory, page, json } = settings;
    match remake(directory).map_err(plain)? {
        Remade::Contest(summary) => {
            page.as_ref().map_or(Ok(()), |path| summary.write_page(path)).map_err(plain)?;
            print(*json, || summary.as_json(), || summary.text())
        }
        Remade::Experiment(name, findings) => {
            page.as_ref().map_or(Ok(()), |path| findings.write_page(path)).map_err(plain)?;
            print(*json, || json!({ "experiment": name, "rows": findings.document() }), || findings.text())
        }
    }
}
