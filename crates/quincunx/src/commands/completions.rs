//! `completions`: what a shell needs to complete commands and options.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::cli::Arguments;

pub(crate) fn run(shell: Shell) -> anyhow::Result<()> {
    // Into memory first: the generator panics if it cannot write, which a closed pipe would make it do.
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "quincunx", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}
