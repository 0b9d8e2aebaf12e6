//! The command line of Quincunx: parses the arguments, calls the libraries, prints.

mod cli;
mod commands;
mod screen;
mod suggest;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;
use quincunx_game::TextError;

/// Runs the program with the arguments of the process. A program that has registered games of its own finds them, too.
pub fn main() -> ExitCode {
    quincunx_machine::install();
    // Programs from outside run below a warden process, which is this same program.
    #[cfg(target_os = "linux")]
    {
        if std::env::args_os().skip(1).eq(["warden"]) {
            return quincunx_outside::warden_main();
        }
        if let Ok(program) = std::env::current_exe() {
            quincunx_outside::set_warden(program);
        }
    }
    let arguments = match cli::Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Help and version are results, not errors.
        Err(asked) if !asked.use_stderr() => asked.exit(),
        Err(wrong) => {
            tell(&cli::in_one_line(&wrong));
            return ExitCode::from(2);
        }
    };
    let Err(error) = commands::run(arguments) else { return ExitCode::SUCCESS };
    if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        // The reader of our output has seen enough.
        return ExitCode::SUCCESS;
    }
    let wrong = error.downcast_ref::<TextError>();
    let suggested = wrong.and_then(suggest::suggestion).map_or(String::new(), |name| format!("; did you mean {name}?"));
    tell(&format!("quincunx: {error:#}{suggested}"));
    ExitCode::from(if wrong.is_some() { 2 } else { 1 })
}

/// Prints a message on standard error, if that is still open.
fn tell(message: &str) {
    drop(writeln!(io::stderr(), "{}", screen::fitted_error(message)));
}
