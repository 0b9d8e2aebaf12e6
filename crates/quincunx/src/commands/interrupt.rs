//! Ctrl-C: ends what goes on, keeping what was finished.

use anyhow::Context;
use quincunx_search::Stop;

/// From now on Ctrl-C gives this signal instead of ending the program.
pub(crate) fn stops(stop: &Stop) -> anyhow::Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || stop.stop()).context("cannot listen for Ctrl-C")
}
