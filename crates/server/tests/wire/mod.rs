//! Promises about what goes over the wire: little of it, and no more than once.

use std::{collections::BTreeSet, io::Read};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::client::TestServer;

/// The head and the body of an answer, as they were sent.
async fn sent(server: &TestServer, path: &str, accepted: &str) -> (String, Vec<u8>) {
    asked(server, "GET", path, accepted, "").await
}

async fn asked(server: &TestServer, method: &str, path: &str, accepted: &str, body: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nAccept-Encoding: {accepted}\r\nContent-Length: {}\r\n\
         Content-Type: application/json\r\nConnection: close\r\n\r\n{body}",
        server.address,
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap() + 4;
    let body = answer.split_off(end);
    (String::from_utf8(answer).unwrap().to_lowercase(), body)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_start_page_takes_less_than_100_kilobytes() {
    let server = TestServer::start().await;
    let (_, page) = sent(&server, "/", "identity").await;
    let page = String::from_utf8(page).unwrap();
    let mut paths: BTreeSet<String> = ["/", "/api/catalogue", "/api/content?language=en"].map(String::from).into();
    for part in page.split(['"']).filter(|part| part.starts_with('/') && part.len() > 1) {
        paths.insert(part.to_string());
    }
    assert!(paths.contains("/js/home.js"), "modules are named in the page: {paths:?}");
    paths.insert("/texts/en.js".into());
    let (_, catalogue) = server.get("/api/catalogue").await;
    for game in catalogue["games"].as_array().unwrap() {
        let text = |value: &Value| value.as_str().unwrap().to_string();
        let ruleset = &game["rulesets"][0];
        let [name, ruleset, hash] = [&game["name"], &ruleset["name"], &ruleset["board"]].map(text);
        paths.insert(format!("/api/board?game={name}&ruleset={ruleset}&hash={hash}"));
    }
    let mut bytes = 0;
    for path in &paths {
        let (head, body) = sent(&server, path, "gzip, deflate, br").await;
        assert!(head.starts_with("http/1.1 200 "), "{path}: {head}");
        bytes += head.len() + body.len();
    }
    println!("{bytes} bytes in {} answers", paths.len());
    assert!(bytes < 100_000, "{bytes} bytes in {} answers", paths.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_sent_compressed() {
    let server = TestServer::start().await;
    let line = r#"{"game":"shobu"}"#;
    let (_, plain) = asked(&server, "POST", "/api/position", "identity", line).await;
    for (accepted, most) in [("gzip", 4), ("gzip, br", 4)] {
        let (head, body) = asked(&server, "POST", "/api/position", accepted, line).await;
        let name = accepted.rsplit(' ').next().unwrap();
        assert!(head.contains(&format!("content-encoding: {name}")), "{head}");
        assert!(body.len() * most < plain.len(), "{} bytes of {}", body.len(), plain.len());
        let mut read = Vec::new();
        match name {
            "gzip" => _ = flate2::read::GzDecoder::new(body.as_slice()).read_to_end(&mut read).unwrap(),
            _ => brotli::BrotliDecompress(&mut body.as_slice(), &mut read).unwrap(),
        }
        assert_eq!(read, plain);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_is_kept_for_ever_by_its_hash() {
    let server = TestServer::start().await;
    let (_, catalogue) = server.get("/api/catalogue").await;
    let pente = catalogue["games"].as_array().unwrap().iter().find(|game| game["name"] == "pente").unwrap();
    let hash = pente["rulesets"][0]["board"].as_str().unwrap();
    let (plain, whole) = sent(&server, "/api/board?game=pente", "identity").await;
    assert!(plain.contains("cache-control: no-cache"));
    let (head, packed) = sent(&server, &format!("/api/board?game=pente&hash={hash}"), "br").await;
    assert!(head.contains("immutable") && head.contains("content-encoding: br"), "{head}");
    assert!(packed.len() * 10 < whole.len(), "{} of {}", packed.len(), whole.len());
    let (other, _) = sent(&server, "/api/board?game=pente&hash=0123", "br").await;
    assert!(other.contains("cache-control: no-cache"), "another version of the program has another board");
    let (_, same) = sent(&server, "/api/board?game=pente&ruleset=tournament,plies=300", "identity").await;
    assert_eq!(same, whole, "settings do not change a board");
    let (head, packed) = sent(&server, "/api/board?game=pente", "gzip").await;
    assert!(head.contains("content-encoding: gzip"));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, whole);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_sent_in_pieces() {
    let mut settings = TestServer::settings();
    let folder = settings.data.with_extension("results");
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(&folder).unwrap();
    let length = 40 << 20;
    std::fs::File::create(folder.join("large.html")).unwrap().set_len(length).unwrap();
    settings.results = Some(folder);
    let server = TestServer::with(settings).await;
    let request = format!(
        "GET /api/contests/report?name=large.html HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        server.address
    );
    let memory = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0").to_string();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    };
    let before = memory();
    let mut readers = Vec::new();
    for _ in 0..30 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut first = [0; 1000];
        stream.read_exact(&mut first).await.unwrap();
        assert!(first.starts_with(b"HTTP/1.1 200 "));
        readers.push(stream);
    }
    let held = memory().saturating_sub(before);
    assert!(held < 300, "30 readers of a report of 40 MB hold {held} MB");
    let mut rest = Vec::new();
    readers.pop().unwrap().read_to_end(&mut rest).await.unwrap();
    assert!(rest.len() as u64 + 1000 > length, "{}", rest.len());
}
