//! `serve`: the web app.

use std::{
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use quincunx_cluster::Thinkers;
use quincunx_game::TextError;
use quincunx_machine::raise_open_files;
use quincunx_server::{Server, Settings, SiteError, Tls};

use super::cluster::plain;
use crate::{
    cli::{LogFormat, Serve},
    tell,
};

/// Most connections, however many descriptors there are.
const MOST_CONNECTIONS: usize = 100_000;

/// Descriptors kept for files, when the rest is shared out to connections.
const FILES: usize = 256;

pub(crate) fn run(wanted: &Serve) -> anyhow::Result<()> {
    start_log(wanted.log);
    let data = wanted.data.clone().map_or_else(default_data, Ok)?;
    if let Some(folder) = data.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut settings = if wanted.public { Settings::public(data) } else { Settings::local(data) };
    if let Some(folder) = &wanted.results {
        if !folder.is_dir() {
            return Err(TextError::new(format!("{} is not a folder of results", folder.display())).into());
        }
        settings.results = Some(folder.clone());
    }
    if let Some(most) = raise_open_files() {
        settings.most_connections = (most as usize).saturating_sub(FILES).clamp(16, MOST_CONNECTIONS);
    }
    if wanted.load_test {
        settings.load_token = Some(quincunx_server::new_token());
    }
    settings.behind.clone_from(&wanted.behind);
    (settings.lobby, settings.name) = (wanted.lobby, one_line(&wanted.name)?);
    settings.password = wanted.password_file.as_deref().map(password).transpose()?;
    settings.tls =
        wanted.tls_cert.clone().zip(wanted.tls_key.clone()).map(|(certificate, key)| Tls { certificate, key });
    if let Some(most) = wanted.keep_games {
        settings.most_games = most as usize;
    }
    settings.keep_for = wanted.keep_for.map(|days| Duration::from_secs(24 * 3600 * u64::from(days)));
    if let Some(threads) = wanted.engines {
        settings.engine_threads = threads as usize;
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let queue = wanted.queue.as_deref().map(|address| wanted.login.to(address));
    let served = runtime.block_on(async {
        let elsewhere = match &queue {
            Some(access) => Some(Thinkers::open(access).await.map_err(plain)?),
            None => None,
        };
        serve(SocketAddr::new(wanted.address, wanted.port), settings, elsewhere, wanted.open).await
    });
    // What still reads a file must not delay the end.
    runtime.shutdown_background();
    served
}

/// The name of the server: one line that is not too long.
fn one_line(name: &str) -> anyhow::Result<String> {
    if name.chars().count() > 60 || name.chars().any(char::is_control) {
        return Err(TextError::new("a name has at most 60 characters and no line breaks".to_string()).into());
    }
    Ok(name.trim().to_string())
}

/// The first line of a file.
fn password(file: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| TextError::new(format!("cannot read the password in {}: {error}", file.display())))?;
    let line = text.lines().next().unwrap_or("").trim().to_string();
    if line.is_empty() || line.len() > 1_000 {
        let problem = "its first line is the password, of 1 to 1000 bytes";
        return Err(TextError::new(format!("{}: {problem}", file.display())).into());
    }
    Ok(line)
}

/// Starts the log on standard error: warnings, or every request if a format was asked for.
fn start_log(format: Option<LogFormat>) {
    let usual = if format.is_some() { "warn,quincunx_server=info" } else { "warn" };
    let filter = tracing_subscriber::EnvFilter::try_from_env("QUINCUNX_LOG").unwrap_or_else(|_| usual.into());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if format == Some(LogFormat::Json) {
        log.json().flatten_event(true).with_current_span(false).init();
    } else {
        log.init();
    }
}

/// `site`: writes the web app as files.
pub(crate) fn site(dir: &Path) -> anyhow::Result<()> {
    let (files, bytes) = quincunx_server::write_site(dir).map_err(|error| match error {
        SiteError::Write { .. } => anyhow::Error::from(error),
        SiteError::NoEngine | SiteError::Occupied(_) => TextError::new(error.to_string()).into(),
    })?;
    tell(&format!("{files} files, {} kB, in {}; any web server can show them", bytes / 1000, dir.display()));
    Ok(())
}

/// `backup`: copies the games.
pub(crate) fn back_up(data: Option<PathBuf>, file: &Path) -> anyhow::Result<()> {
    Ok(quincunx_server::back_up(&data.map_or_else(default_data, Ok)?, file)?)
}

async fn serve(
    address: SocketAddr,
    settings: Settings,
    elsewhere: Option<Arc<Thinkers>>,
    open: bool,
) -> anyhow::Result<()> {
    let data = settings.data.clone();
    let scheme = if settings.tls.is_some() { "https" } else { "http" };
    let token = settings.load_token.clone();
    let mut server = Server::bind(address, settings).await?;
    if let Some(elsewhere) = elsewhere {
        server = server.helped_by(elsewhere);
    }
    let address = server.address()?;
    let shown = format!("{scheme}://{}", with_known_name(address));
    tell(&format!("Quincunx is at {shown} (games in {}); Ctrl-C ends it", data.display()));
    if let Some(token) = token {
        tell(&format!("The token of a load test is {token}"));
    }
    if open {
        open_browser(&shown);
    }
    server.serve(interrupted_once()).await;
    Ok(())
}

/// Waits for Ctrl-C or a request to terminate; from then on another one ends the program at once.
pub(super) async fn interrupted_once() {
    interrupted().await;
    tokio::spawn(async {
        interrupted().await;
        // Every confirmed move is on disk already.
        std::process::exit(130);
    });
}

/// Waits for Ctrl-C or a request to terminate.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    _ = tokio::signal::ctrl_c().await;
}

/// The address under which a browser on this machine reaches the server.
fn with_known_name(address: SocketAddr) -> SocketAddr {
    let ip: IpAddr = if address.ip().is_unspecified() { [127, 0, 0, 1].into() } else { address.ip() };
    SocketAddr::new(ip, address.port())
}

/// The file of this user's games, in the system's folder for data of programs.
fn default_data() -> anyhow::Result<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = folder("XDG_DATA_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(Path::new(".local/share"))))
        .context("there is no home folder to keep games in; name a file with --data FILE")?;
    Ok(data.join("quincunx").join("games.sqlite"))
}

/// Opens the page in a browser; it is not an error if there is none.
fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    _ = Command::new(program).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
