//! `worker` and `cluster`: games for other machines, and a look at the queue between them.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
    thread,
    time::Duration,
};

use anyhow::Context;
use quincunx_cluster::{Access, QueueError, Status, WorkerOptions, forget, server_config};
use quincunx_game::TextError;
use tokio::{runtime::Runtime, time::sleep};

use super::{contest::check_walls, serve::interrupted_once};
use crate::{
    cli::{ClusterCommand, WorkerSettings},
    screen::is_dumb,
    tell,
};

/// `worker`: plays jobs until Ctrl-C.
pub(crate) fn work(settings: &WorkerSettings) -> anyhow::Result<()> {
    if settings.run_programs {
        // No worker runs the programs of others without all walls.
        check_walls(false)?;
    }
    let processors = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let options = WorkerOptions {
        access: settings.access.to(&settings.queue),
        cores: settings.cores.map_or(processors, usize::from),
        name: settings.name.clone().unwrap_or_else(machine_name),
        run_programs: settings.run_programs,
        grace: settings.grace,
    };
    let runtime = Runtime::new()?;
    let worked = runtime.block_on(quincunx_cluster::work(options, interrupted_once(), tell));
    // A game that does not listen must not delay the end: its job goes to another.
    runtime.shutdown_background();
    worked.map_err(plain)
}

pub(crate) fn run(command: &ClusterCommand) -> anyhow::Result<()> {
    let runtime = Runtime::new()?;
    match command {
        ClusterCommand::Status { queue, watch, json, access } => {
            let access = access.to(queue);
            runtime.block_on(status(&access, *watch, *json))
        }
        ClusterCommand::Config { directory, tls_cert, tls_key } => {
            let certificates = tls_cert.as_deref().zip(tls_key.as_deref());
            configure(directory, certificates)
        }
        ClusterCommand::Forget { contest, queue, access } => {
            runtime.block_on(forget(&access.to(queue), contest)).map_err(plain)
        }
    }
}

/// Writes the configuration and the keys, which only this user may read.
fn configure(directory: &Path, certificates: Option<(&str, &str)>) -> anyhow::Result<()> {
    let made = server_config(certificates);
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let keys = made.seeds.iter().map(|(role, seed)| (format!("{role}.nk"), format!("{seed}\n")));
    let files: Vec<_> = keys.chain([("server.conf".to_string(), made.config)]).collect();
    for (name, _) in &files {
        let path = directory.join(name);
        if path.exists() {
            return Err(TextError::new(format!("{} is there already", path.display())).into());
        }
    }
    for (name, text) in &files {
        let path = directory.join(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(io::stdout(), "{}", path.display())?;
    }
    Ok(())
}

async fn status(access: &Access, watch: bool, json: bool) -> anyhow::Result<()> {
    loop {
        let status = Status::ask(access).await.map_err(plain)?;
        let mut out = io::stdout().lock();
        match (json, watch) {
            (true, true) => writeln!(out, "{}", serde_json::to_string(&status)?)?,
            (true, false) => writeln!(out, "{}", serde_json::to_string_pretty(&status)?)?,
            (false, watch) => {
                if watch && out.is_terminal() && !is_dumb() {
                    // To the top, and nothing below.
                    write!(out, "\x1b[H\x1b[2J")?;
                }
                write!(out, "{status}")?;
            }
        }
        out.flush()?;
        drop(out);
        if !watch {
            return Ok(());
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// The name of this machine, as far as a worker may be called so.
fn machine_name() -> String {
    let name = quincunx_machine::name();
    let plain: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || "-._".contains(*c)).take(64).collect();
    if plain.is_empty() { "worker".into() } else { plain }
}

/// What was asked wrongly keeps its own exit code.
pub(crate) fn plain(error: QueueError) -> anyhow::Error {
    match error {
        QueueError::Wrong(wrong) => wrong.into(),
        failed @ QueueError::Failed(_) => failed.into(),
    }
}
