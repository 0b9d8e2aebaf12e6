//! `similar`: which submissions of a class share code.

use quincunx_arena::similar::compare;

use super::contest::{plain, print};
use crate::cli::SimilarSettings;

pub(crate) fn run(settings: &SimilarSettings) -> anyhow::Result<()> {
    let SimilarSettings { directory, threshold, base, report, json } = settings;
    let found = compare(directory, base.as_deref(), f64::from(*threshold) / 100.0)?;
    if let Some(path) = report {
        found.write_page(path).map_err(plain)?;
    }
    print(*json, || found.as_json(), || found.text())
}
