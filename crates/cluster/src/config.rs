//! The configuration of a nats-server for a cluster: who may do what.

use std::fmt::Write;

use nkeys::KeyPair;

/// The configuration of a server and the keys that go with it.
pub struct ServerConfig {
    /// The file for `nats-server -c`.
    pub config: String,
    /// The seeds of the roles, by name: for `--nkey` of those who may have them.
    pub seeds: [(&'static str, String); 4],
}

/// What every role may do beside speaking to itself: ask the server about streams.
const ASK: &[&str] =
    &["$JS.API.INFO", "$JS.API.STREAM.INFO.*", "$JS.API.STREAM.MSG.GET.*", "$JS.API.CONSUMER.INFO.*.*"];

/// A configuration with new keys for a coordinator, workers, a web app and those who look. `certificates` are the files of the
/// server's certificate and its key; without them the server listens on this machine only.
pub fn server_config(certificates: Option<(&str, &str)>) -> ServerConfig {
    let keys = ["coordinator", "worker", "server", "observer"].map(|role| (role, KeyPair::new_user()));
    let mut config = String::from("# Made by `quincunx cluster config`; docs/CLUSTER.md explains it.\n");
    match certificates {
        Some((certificate, key)) => {
            _ = write!(
                config,
                "host: \"0.0.0.0\"\nport: 4222\ntls {{\n  cert_file: {certificate:?}\n  key_file: {key:?}\n}}\n"
            );
        }
        None => config
            .push_str("# Without a certificate it listens on this machine only.\nhost: \"127.0.0.1\"\nport: 4222\n"),
    }
    config.push_str("max_payload: 1MB\njetstream {\n  store_dir: \"jetstream\"\n  max_file_store: 20GB\n}\n");
    config.push_str("authorization {\n  users: [\n");
    for (role, key) in &keys {
        let (publish, subscribe) = permissions(role);
        _ = writeln!(config, "    # {role}");
        _ = writeln!(config, "    {{ nkey: {}, permissions: {{", key.public_key());
        _ = writeln!(config, "      publish: {publish:?}");
        _ = writeln!(config, "      subscribe: {subscribe:?}");
        config.push_str("    } }\n");
    }
    config.push_str("  ]\n}\n");
    ServerConfig { config, seeds: keys.map(|(role, key)| (role, key.seed().expect("the key has its private half"))) }
}

/// What a role may publish and subscribe to.
fn permissions(role: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let asking = ASK.iter().copied();
    match role {
        "coordinator" => (vec!["quincunx.>", "$JS.API.>", "$JS.ACK.>", "_INBOX.>"], {
            // The server says which jobs were given out too often.
            vec!["quincunx.>", "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>", "_INBOX.>"]
        }),
        "worker" => {
            let own = ["quincunx.result.*.*", "quincunx.worker.*", "quincunx.back.*", "_INBOX.>"];
            let jobs = ["$JS.API.CONSUMER.MSG.NEXT.QUINCUNX_JOBS.*", "$JS.ACK.QUINCUNX_JOBS.>"];
            let hears = vec!["quincunx.news", "quincunx.roll", "quincunx.audit.*", "quincunx.think.*", "_INBOX.>"];
            (asking.chain(own).chain(jobs).collect(), hears)
        }
        "server" => {
            let own = ["quincunx.roll", "quincunx.think.*", "$JS.API.STREAM.CREATE.*"];
            (asking.chain(own).collect(), vec!["quincunx.worker.*", "_INBOX.>"])
        }
        _ => {
            let own = ["quincunx.roll", "quincunx.leader.*"];
            (asking.chain(own).collect(), vec!["quincunx.worker.*", "_INBOX.>"])
        }
    }
}
