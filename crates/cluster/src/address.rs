//! Where the server is, and how it is spoken to: in plain text only on this machine.

use std::{net::IpAddr, path::PathBuf, time::Duration};

use async_nats::{ConnectOptions, ServerAddr};
use quincunx_game::text::quoted;

use crate::QueueError;

/// How to reach the server and who we are.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// `nats://HOST[:PORT]` or `tls://HOST[:PORT]`; several of one cluster separated by commas.
    pub address: String,
    /// Whether plain text may leave this machine.
    pub insecure: bool,
    /// A file of credentials, as `nsc` writes it.
    pub creds: Option<PathBuf>,
    /// A file with the seed of an nkey.
    pub nkey: Option<PathBuf>,
    /// Certificates of authorities beside those of the system.
    pub ca: Option<PathBuf>,
    /// A client certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// How long to wait before an attempt to connect, by its number. The first one is at once: it begins every contest.
fn pause(attempts: usize) -> Duration {
    if attempts <= 1 { Duration::ZERO } else { Duration::from_millis(100 << attempts.min(5)) }
}

/// A longer file is no key.
const LARGEST_KEY: u64 = 64 << 10;

impl Access {
    /// The addresses; an error if one of them is not one, or would send plain text to another machine.
    pub(crate) fn servers(&self) -> Result<Vec<ServerAddr>, QueueError> {
        let read = |text: &str| {
            let address: ServerAddr = text
                .parse()
                .map_err(|_| QueueError::wrong(format!("{} is not nats://HOST or tls://HOST", quoted(text))))?;
            if !["nats", "tls"].contains(&address.scheme()) || address.host().is_empty() {
                return Err(QueueError::wrong(format!("{} is not nats://HOST or tls://HOST", quoted(text))));
            }
            if address.scheme() == "nats" && !is_local(address.host()) && !self.insecure && self.ca.is_none() {
                return Err(QueueError::wrong(format!(
                    "{} would leave this machine in plain text; take tls://, or --insecure if you trust the network",
                    quoted(text)
                )));
            }
            Ok(address)
        };
        self.address.split(',').map(|text| read(text.trim())).collect()
    }

    /// The options of a connection under this name.
    pub(crate) async fn options(&self, name: &str) -> Result<ConnectOptions, QueueError> {
        let secret = self.servers()?.iter().any(ServerAddr::tls_required) || self.ca.is_some();
        let mut options = ConnectOptions::new()
            .name(name)
            .require_tls(secret)
            // Servers that others tell of may be plain ones.
            .ignore_discovered_servers()
            .connection_timeout(Duration::from_secs(5))
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(pause);
        if let Some(path) = &self.ca {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let unreadable = |path: &PathBuf, error: &dyn std::fmt::Display| {
            QueueError::wrong(format!("{} cannot be used: {error}", path.display()))
        };
        if let Some(path) = &self.creds {
            options = options.credentials_file(path).await.map_err(|error| unreadable(path, &error))?;
        }
        if let Some(path) = &self.nkey {
            let found = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
            if found.len() > LARGEST_KEY {
                return Err(unreadable(path, &"it is too large for a key"));
            }
            let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
            let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
            let seed = seed.ok_or_else(|| unreadable(path, &"it holds no seed of a user (SU…)"))?;
            nkeys::KeyPair::from_seed(seed).map_err(|error| unreadable(path, &error))?;
            options = options.nkey(seed.to_string());
        }
        Ok(options)
    }
}

/// Whether a host is this machine whatever the network says.
fn is_local(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_connection_is_made_at_once_and_later_ones_are_not_hurried() {
        assert_eq!([0, 1].map(pause), [Duration::ZERO; 2]);
        assert_eq!([2, 5, 1000].map(pause), [400, 3200, 3200].map(Duration::from_millis));
    }

    fn servers(address: &str, insecure: bool) -> Result<usize, String> {
        let access = Access { address: address.into(), insecure, ..Access::default() };
        access.servers().map(|found| found.len()).map_err(|error| error.to_string())
    }

    #[test]
    fn plain_text_stays_on_this_machine_unless_told_otherwise() {
        for local in
            ["nats://127.0.0.1", "nats://localhost:4222", "127.0.0.1:4222", "nats://[::1]:9", "tls://far.example"]
        {
            assert_eq!(servers(local, false), Ok(1), "{local}");
        }
        for far in ["nats://10.0.0.1", "nats://far.example:4222", "far.example", "nats://localhost.far.example"] {
            let error = servers(far, false).unwrap_err();
            assert!(error.contains("--insecure") && !error.contains('\n'), "{error}");
            assert_eq!(servers(far, true), Ok(1), "{far}");
        }
        assert_eq!(servers("tls://a,tls://b:4223", false), Ok(2));
        assert!(servers("tls://a,nats://b", false).is_err());
    }

    #[test]
    fn an_address_that_is_none_is_refused_in_one_line() {
        for wrong in ["", "http://localhost", "nats://", "nats://a:b", "nats://:4222", "wss://localhost"] {
            let error = servers(wrong, true).expect_err(wrong);
            assert!(error.contains("is not nats://HOST") && !error.contains('\n'), "{wrong}: {error}");
        }
    }
}
