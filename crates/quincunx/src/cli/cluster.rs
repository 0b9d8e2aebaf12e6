//! The arguments of `worker` and `cluster`, and those with which other commands reach a queue.

use std::{path::PathBuf, time::Duration};

use clap::{Args, Subcommand};
use quincunx_cluster::{Access, Options};

use super::duration;

/// Who one is to a queue.
#[derive(Args, Default)]
pub(crate) struct QueueLogin {
    /// Send plain text to another machine: only in a network that you trust
    #[arg(long, requires = "queue")]
    insecure: bool,
    /// A file of credentials for the queue, as `nsc` writes it
    #[arg(long, value_name = "FILE", requires = "queue", conflicts_with = "nkey")]
    creds: Option<PathBuf>,
    /// A file with the seed of an nkey for the queue
    #[arg(long, value_name = "FILE", requires = "queue")]
    nkey: Option<PathBuf>,
    /// The certificate of the authority that vouches for the server of the queue [default: those of the system]
    #[arg(long, value_name = "FILE", requires = "queue")]
    tls_ca: Option<PathBuf>,
}

impl QueueLogin {
    pub(crate) fn to(&self, address: &str) -> Access {
        Access {
            address: address.into(),
            insecure: self.insecure,
            creds: self.creds.clone(),
            nkey: self.nkey.clone(),
            ca: self.tls_ca.clone(),
            certificate: None,
        }
    }
}

/// Where a queue is and how it is reached.
#[derive(Args)]
pub(crate) struct QueueAccess {
    #[command(flatten)]
    login: QueueLogin,
    /// A certificate to show to the server of the queue
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl QueueAccess {
    pub(crate) fn to(&self, address: &str) -> Access {
        Access { certificate: self.tls_cert.clone().zip(self.tls_key.clone()), ..self.login.to(address) }
    }
}

/// How a contest is spread over machines, if it is.
#[derive(Args)]
pub(crate) struct Spread {
    /// Let the workers of this queue play, machines that run `quincunx worker`: `nats://HOST` or `tls://HOST`
    #[arg(long, value_name = "ADDRESS")]
    queue: Option<String>,
    /// Stretch the clocks on workers slower than this machine, and shorten them on faster ones
    #[arg(long, requires = "queue")]
    cpu_scaled: bool,
    /// Only these workers, by name, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "queue")]
    workers: Vec<String>,
    /// A worker that is silent for so long has lost its job to another
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = silence, requires = "queue")]
    silence: Duration,
    #[command(flatten)]
    access: QueueAccess,
}

impl Spread {
    /// The options, if there is a queue.
    pub(crate) fn options(&self) -> Option<Options> {
        let access = self.access.to(self.queue.as_deref()?);
        Some(Options {
            cpu_scaled: self.cpu_scaled,
            workers: self.workers.clone(),
            silence: self.silence,
            ..Options::new(access)
        })
    }
}

/// The arguments of `worker`.
#[derive(Args)]
pub(crate) struct WorkerSettings {
    /// The queue to take jobs from: `nats://HOST` or `tls://HOST`
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) queue: String,
    /// Games at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) cores: Option<u16>,
    /// The name of this worker [default: that of the machine]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Run the programs that come with contests, behind their walls
    #[arg(long)]
    pub(crate) run_programs: bool,
    /// After Ctrl-C, the time in which games may end before they are handed back
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = duration)]
    pub(crate) grace: Duration,
    #[command(flatten)]
    pub(crate) access: QueueAccess,
}

/// What can be done with a queue.
#[derive(Subcommand)]
pub(crate) enum ClusterCommand {
    /// Show workers, speed, jobs that wait, run and failed
    Status {
        /// The queue: `nats://HOST` or `tls://HOST`
        #[arg(long, value_name = "ADDRESS")]
        queue: String,
        /// Show it again every second, until Ctrl-C
        #[arg(long)]
        watch: bool,
        /// One JSON document; with --watch, one a line
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        access: QueueAccess,
    },
    /// Write the configuration of a nats-server with keys and permissions for each role: `server.conf`, `*.nk`
    Config {
        /// The directory to write to, made if it is missing; its files are never overwritten
        directory: PathBuf,
        /// The certificate of the server; without one it listens on this machine only
        #[arg(long, value_name = "FILE", requires = "tls_key")]
        tls_cert: Option<String>,
        /// The key of that certificate
        #[arg(long, value_name = "FILE", requires = "tls_cert")]
        tls_key: Option<String>,
    },
    /// Remove a contest that nobody will go on with
    Forget {
        /// The contest, as `status` names it
        contest: String,
        /// The queue: `nats://HOST` or `tls://HOST`
        #[arg(long, value_name = "ADDRESS")]
        queue: String,
        #[command(flatten)]
        access: QueueAccess,
    },
}

fn silence(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let sensible = (Duration::from_millis(500)..=Duration::from_secs(3600)).contains(&time);
    if sensible { Ok(time) } else { Err("expected a time from 500ms to 3600s".into()) }
}
