//! `completions`: scripts with which shells complete commands and options.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::cli::Arguments;

pub(crate) fn run(shell: Shell) -> anyhow::Result<()> {
    // Into memory first: the generator panics if it cannot write, for example to a closed pipe.
    let mut script = Vec::new();
    generate(shell, &mut Arguments::command(), "quincunx", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}
