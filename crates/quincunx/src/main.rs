//! The command line of Quincunx: parses what was asked, calls the libraries, prints.

mod cli;
mod commands;
mod cpu;

use std::{io, process::ExitCode};

use clap::Parser;
use quincunx_game::TextError;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    let Err(error) = commands::run(arguments) else { return ExitCode::SUCCESS };
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        // Whoever read our output has seen enough.
        return ExitCode::SUCCESS;
    }
    eprintln!("quincunx: {error:#}");
    ExitCode::from(if error.downcast_ref::<TextError>().is_some() { 2 } else { 1 })
}
