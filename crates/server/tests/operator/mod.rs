//! Promises to those who run the server: proxies, TLS, health, numbers, refusals that programs can read.

use std::{fs, sync::Arc, time::Duration};

use quincunx_server::{Settings, Tls};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName},
    },
};

use crate::client::{PATIENCE, Player, TestServer, me};

fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split_once("\r\n\r\n").map_or(answer, |(head, _)| head);
    head.lines().find_map(|line| line.split_once(": ").filter(|(known, _)| known.eq_ignore_ascii_case(name))?.1.into())
}

pub(crate) fn behind_this_machine() -> Settings {
    let mut settings = TestServer::settings();
    settings.public = true;
    settings.behind = vec!["127.0.0.1".parse().unwrap()];
    settings
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_every_client_has_its_own_bounds() {
    let mut settings = behind_this_machine();
    settings.creations = quincunx_server::Rate { burst: 1.0, per_second: 0.001 };
    settings.most_connections_an_address = 2;
    let server = TestServer::with(settings).await;
    let body = json!({ "game": "othello", "seats": [me(), me()] }).to_string();
    for (client, expected) in [("1.2.3.4", 200), ("1.2.3.4", 429), ("1.2.3.5", 200), ("9.9.9.9, 1.2.3.4", 429)] {
        let (status, _) = server.raw("POST", "/api/games", &[("X-Forwarded-For", client)], &body).await;
        assert_eq!(status, expected, "{client}");
    }
    let connect = async |client: &str| Player::connect_from(&server, client).await;
    let kept = [connect("1.2.3.4").await, connect("1.2.3.4").await, connect("1.2.3.5").await];
    assert!(kept.iter().all(Option::is_some), "the connections of the proxy are those of many");
    assert!(connect("1.2.3.4").await.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_is_believed_about_an_address() {
    let mut settings = TestServer::settings();
    settings.creations = quincunx_server::Rate { burst: 1.0, per_second: 0.001 };
    let server = TestServer::with(settings).await;
    let body = json!({ "game": "othello", "seats": [me(), me()] }).to_string();
    for (client, expected) in [("1.2.3.4", 200), ("1.2.3.5", 429)] {
        let (status, _) = server.raw("POST", "/api/games", &[("X-Forwarded-For", client)], &body).await;
        assert_eq!(status, expected, "{client}");
    }
}

/// Writes a certificate for `localhost` and returns it.
fn new_certificate(files: &Tls) -> CertificateDer<'static> {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    fs::write(&files.certificate, made.cert.pem()).unwrap();
    made.cert.der().clone()
}

/// The answer to a request over TLS; none if the certificate is not the trusted one.
async fn over_tls(server: &TestServer, trusted: &CertificateDer<'static>) -> Option<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(server.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()?;
    let request = "GET /api/catalogue HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    drop(stream.read_to_end(&mut answer).await);
    Some(String::from_utf8_lossy(&answer).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn it_speaks_tls_and_takes_a_renewed_certificate_without_a_restart() {
    let mut settings = TestServer::settings();
    let beside = |name: &str| settings.data.with_extension(name);
    let files = Tls { certificate: beside("cert.pem"), key: beside("key.pem") };
    let first = new_certificate(&files);
    settings.tls = Some(files.clone());
    settings.deadlines.head = Duration::from_millis(500);
    let server = TestServer::with(settings.clone()).await;
    let answer = over_tls(&server, &first).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer:.100}");
    // A client that never greets is given up, like any other.
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(tokio::time::timeout(PATIENCE, silent.read(&mut [0; 8])).await.unwrap().unwrap_or(0), 0);

    let second = new_certificate(&files);
    let renewed = async {
        while over_tls(&server, &second).await.is_none() {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    };
    tokio::time::timeout(PATIENCE, renewed).await.expect("the new certificate is used");
    fs::write(&files.key, "no key").unwrap();
    let refused = quincunx_server::Server::bind(([127, 0, 0, 1], 0).into(), settings).await;
    let message = refused.err().expect("it does not start").to_string();
    assert!(message.starts_with("cannot use the certificate: ") && !message.contains('\n'), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_tells_of_a_disk_that_is_not_ready() {
    let mut settings = TestServer::settings();
    settings.deadlines.disk = Duration::from_millis(100);
    let server = TestServer::with(settings.clone()).await;
    let (status, health) = server.get("/health").await;
    assert_eq!((status, &health["status"]), (200, &json!("ok")));
    let other = rusqlite::Connection::open(&settings.data).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let wanted = json!({ "game": "othello", "seats": [me(), me()] });
    assert_eq!(server.post("/api/games", &wanted).await.0, 503);
    assert_eq!(server.get("/health").await.0, 503);
    drop(other);
    assert_eq!(server.post("/api/games", &wanted).await.0, 200);
    assert_eq!(server.get("/health").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_are_for_this_machine_and_are_what_prometheus_reads() {
    let server = TestServer::with(behind_this_machine()).await;
    let (id, _) = server.game("othello", &json!([me(), me()])).await;
    assert_eq!(server.raw("GET", "/metrics", &[("X-Forwarded-For", "1.2.3.4")], "").await.0, 403);
    let (status, answer) = server.raw("GET", "/metrics", &[], "").await;
    assert_eq!(status, 200);
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    assert!(body.contains("\nquincunx_games 1\n"), "{body}");
    for line in body.lines().filter(|line| !line.starts_with("# ")) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("quincunx_") && value.parse::<f64>().is_ok(), "{line}");
    }
    assert!(!body.contains(&id));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_has_a_name_and_every_refusal_is_json() {
    let server = TestServer::start().await;
    let (_, answer) = server.raw("GET", "/health", &[("X-Request-Id", "mine")], "").await;
    let name = header(&answer, "x-request-id").unwrap();
    assert!(name != "mine" && name.len() == 12, "a stranger does not name requests: {name}");
    for (method, path, headers) in [
        ("DELETE", "/api/catalogue", vec![]),
        ("POST", "/js/main.js", vec![]),
        ("POST", "/", vec![]),
        ("GET", "/api/socket", vec![]),
        ("GET", "/api/socket", vec![("Upgrade", "websocket")]),
        ("GET", "/api/games/%ff", vec![]),
        ("PUT", "/api/nothing", vec![]),
        ("POST", "/api/games", vec![("Content-Type", "text/plain")]),
        ("POST", "/health", vec![]),
    ] {
        let (status, answer) = server.raw(method, path, &headers, "").await;
        assert!((400..500).contains(&status), "{method} {path}: {status}");
        let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1)
            .unwrap_or_else(|_| panic!("{method} {path}: {answer}"));
        assert!(body["code"].is_string() && body["error"].is_string(), "{method} {path}: {body}");
    }
    let long = "y".repeat(100_000);
    let (status, answer) = server.raw("POST", "/api/position", &[], &long).await;
    assert!(status == 413 && answer.contains("\"code\""), "{answer}");
    let mut settings = behind_this_machine();
    settings.data.set_extension("proxied");
    let proxied = TestServer::with(settings).await;
    let named = [("X-Request-Id", "from-the-proxy"), ("X-Forwarded-For", "1.2.3.4")];
    let (_, answer) = proxied.raw("GET", "/health", &named, "").await;
    assert_eq!(header(&answer, "x-request-id"), Some("from-the-proxy"));
}

#[tokio::test(flavor = "multi_thread")]
async fn games_nobody_touches_go_after_the_time_that_was_set() {
    let mut settings = TestServer::settings();
    settings.keep_for = Some(Duration::from_secs(24 * 3600));
    let server = TestServer::with(settings.clone()).await;
    let (old, _) = server.game("othello", &json!([me(), me()])).await;
    let (new, _) = server.game("othello", &json!([me(), me()])).await;
    let file = rusqlite::Connection::open(&settings.data).unwrap();
    file.busy_timeout(PATIENCE).unwrap();
    file.execute("UPDATE games SET updated = 0 WHERE id = ?1", [&old]).unwrap();
    let gone = async {
        while server.get(&format!("/api/games?ids={old}")).await.1["games"][0].is_object() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("it goes");
    assert_eq!(server.get(&format!("/api/games/{new}")).await.0, 200);
}
