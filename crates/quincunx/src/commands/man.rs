//! `man`: manual pages.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;
use quincunx_game::{TextError, text::quoted};

use crate::cli::Arguments;

pub(crate) fn run(command: Option<&str>) -> anyhow::Result<()> {
    let mut program = Arguments::command();
    program.build();
    let described = match command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            let names: Vec<_> = program.get_subcommands().map(clap::Command::get_name).collect();
            TextError::new(format!("there is no command {}; there are {}", quoted(name), names.join(", ")))
        })?,
    };
    let mut page = Vec::new();
    Man::new(described).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(())
}
