//! Ctrl-C: ends the current work and keeps what is finished.

use anyhow::Context;
use quincunx_search::Stop;

/// Makes Ctrl-C raise this signal instead of ending the program.
pub(crate) fn stops(stop: &Stop) -> anyhow::Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || stop.stop()).context("cannot listen for Ctrl-C")
}
