//! `report`: what came out of a contest, from its directory alone.

use clap::Parser;
use quincunx_arena::{Remade, remake, statistic::Sprt};
use serde_json::json;

use super::{
    contest::{plain, print},
    match_,
};
use crate::cli::{Arguments, Command, ContestCommand, MatchSettings, ReportSettings};

pub(crate) fn run(settings: &ReportSettings) -> anyhow::Result<()> {
    let ReportSettings { directory, page, json } = settings;
    match remake(directory).map_err(plain)? {
        Remade::Contest(summary, command) => {
            page.as_ref().map_or(Ok(()), |path| summary.write_page(path)).map_err(plain)?;
            let Some(played) = match_of(&command) else {
                return print(*json, || summary.as_json(), || summary.text());
            };
            let sprt = played.sprt.as_deref().map(Sprt::parse).transpose()?;
            match summary.as_match(sprt) {
                Some((standing, agents)) => {
                    print(*json, || match_::document(&standing, &played, summary.seed()), || standing.text(agents))
                }
                None => print(*json, || summary.as_json(), || summary.text()),
            }
        }
        Remade::Experiment(name, findings) => {
            page.as_ref().map_or(Ok(()), |path| findings.write_page(path)).map_err(plain)?;
            print(*json, || json!({ "experiment": name, "rows": findings.document() }), || findings.text())
        }
    }
}

/// The settings of the match that a command line asked for, if it was one.
fn match_of(command: &[String]) -> Option<MatchSettings> {
    let words = std::iter::once("quincunx").chain(command.iter().map(String::as_str));
    match Arguments::try_parse_from(words).ok()?.command? {
        Command::Contest(ContestCommand::Match(settings)) => Some(settings),
        _ => None,
    }
}
