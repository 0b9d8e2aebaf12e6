//! Nobody is believed: every result that is to be audited is, and no message of any kind stops anything.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use async_nats::{Client, HeaderMap};
use futures_util::StreamExt;
use quincunx_agents::elsewhere::Elsewhere;
use quincunx_arena::Claim;
use quincunx_cluster::{Options, Status, Thinkers};
use serde_json::{Value, json};
use tokio::{runtime::Runtime, time::sleep};

use super::{
    Helper, access, context, forge, in_process, lead_by, manifest, options, plan, report,
    server::{Server, games},
    signed, thinking,
};

/// What a worker says of itself.
fn announcement(key: &str, name: &str, number: u64) -> Vec<u8> {
    json!({
        "protocol": 3, "key": key, "number": number, "name": name, "version": "", "binary": "", "signatures": {},
        "speeds": {}, "evaluators": {}, "cores": 2, "running": 0, "thinking": 0, "thought": 0, "jobs": 0, "games": 0,
        "seconds": 0, "programs": false, "refused": {}, "leaving": false,
    })
    .to_string()
    .into_bytes()
}

#[test]
fn every_result_that_is_to_be_audited_is() {
    const WORKERS: u64 = 60;
    let Some(server) = Server::start() else { return };
    let plan = plan(["random", "random"], 2 * WORKERS);
    in_process(&plan, &server.path("threads"));
    let records = quincunx_arena::load_games(&server.path("threads").join("games.jsonl")).unwrap();
    let claim = |number| Claim::of(records.iter().find(|record| record.number == number).unwrap());
    let leading = lead_by(&plan, options(&server), server.path("out"));
    let audited = Runtime::new().unwrap().block_on(async {
        let context = context(&server).await;
        let id = manifest(&context).await["id"].as_str().unwrap().to_string();
        let (client, auditor) = (context.client(), nkeys::KeyPair::new_user());
        let own = format!("quincunx.audit.{}", auditor.public_key());
        let mut asked = client.subscribe(own.clone()).await.unwrap();
        let announcing = tokio::spawn({
            let (client, key) = (client.clone(), nkeys::KeyPair::from_seed(&auditor.seed().unwrap()).unwrap());
            async move {
                let subject = format!("quincunx.worker.{}", key.public_key());
                for number in 1.. {
                    let payload = announcement(&key.public_key(), "auditor", number);
                    let headers = signed(&key, &subject, &payload);
                    _ = client.publish_with_headers(subject.clone(), headers, payload.into()).await;
                    sleep(Duration::from_millis(500)).await;
                }
            }
        });
        sleep(Duration::from_secs(1)).await;
        // The first result of every worker is audited, so that all of them are, at the same time.
        for first in (0..2 * WORKERS).step_by(2) {
            let key = nkeys::KeyPair::new_user();
            let subject = format!("quincunx.result.{id}.{first}");
            let payload = report(&id, &[claim(first), claim(first + 1)]).to_string().into_bytes();
            forge(&context, &subject, payload.clone(), signed(&key, &subject, &payload)).await;
        }
        let (mut audited, began) = (BTreeSet::new(), Instant::now());
        while audited.len() < WORKERS as usize && began.elapsed() < Duration::from_secs(120) {
            let Ok(Some(message)) = tokio::time::timeout(Duration::from_secs(30), asked.next()).await else { break };
            let job: Value = serde_json::from_slice(&message.payload).unwrap();
            let first = job["first"].as_u64().unwrap();
            audited.insert(first);
            // As slow as a worker that has something else to do.
            sleep(Duration::from_millis(10)).await;
            let payload = report(&id, &[claim(first), claim(first + 1)]).to_string().into_bytes();
            let headers = signed(&auditor, &own, &payload);
            client.publish_with_headers(message.reply.unwrap(), headers, payload.into()).await.unwrap();
        }
        announcing.abort();
        audited
    });
    let (told, _) = leading.join().unwrap();
    assert_eq!(audited, (0..2 * WORKERS).step_by(2).collect());
    assert!(!told.join("\n").contains("excluded"), "{told:?}");
    assert_eq!(games(&server.path("out")), games(&server.path("threads")));
}

/// Sends everything to a subject that makes no sense there, with somebody who waits and without.
async fn throw_garbage(client: &Client, subject: &str, sizes: &[usize]) {
    let texts: [&[u8]; 6] = [b"[", b"{}", b"null", b"\xff\xfe\x00", &[b'['; 5000], b"{\"think\":{},\"stop\":-1}"];
    let large = sizes.iter().map(|size| vec![b' '; *size]);
    for payload in texts.into_iter().map(<[u8]>::to_vec).chain(large) {
        client.publish_with_reply(subject.to_string(), client.new_inbox(), payload.clone().into()).await.unwrap();
        client.publish(subject.to_string(), payload.into()).await.unwrap();
        client.flush().await.unwrap();
    }
}

#[test]
fn garbage_on_every_subject_is_named_and_stops_nothing() {
    // A server that lets everything pass, so that all of it reaches coordinator and worker.
    let wide = "max_payload: 134217728\nmax_pending: 536870912\njetstream { store_dir: \"store\" }\n";
    let Some(server) = Server::start_with(Some(wide)) else { return };
    let plan = plan(["random", "engine:nodes=40"], 20);
    in_process(&plan, &server.path("threads"));
    // Only one that is not there yet may play, so that the contest lasts.
    let leading = lead_by(&plan, Options { workers: vec!["late".into()], ..options(&server) }, server.path("out"));
    let honest = Helper::start(&server, "honest");
    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let context = context(&server).await;
        let id = manifest(&context).await["id"].as_str().unwrap().to_string();
        let client = context.client();
        let mut announced = client.subscribe("quincunx.worker.*").await.unwrap();
        let heard = announced.next().await.unwrap();
        let key = heard.subject.rsplit('.').next().unwrap().to_string();
        // What is not kept in a stream, with 100 MB; what is, with more than a stream takes.
        for subject in [
            "quincunx.news",
            "quincunx.roll",
            "quincunx.nonsense",
            "quincunx.worker.UX",
            "quincunx.worker.a.b",
            &format!("quincunx.worker.{key}"),
            &format!("quincunx.audit.{key}"),
            &format!("quincunx.think.{key}"),
            &format!("quincunx.leader.{id}"),
            &format!("quincunx.back.{id}"),
            &format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.QUINCUNX_JOBS.C_{id}"),
        ] {
            throw_garbage(&client, subject, &[2 << 20, 100 << 20]).await;
        }
        for subject in [
            "quincunx.contest.garbage",
            "quincunx.poison.a.b",
            "quincunx.excluded.nobody",
            "quincunx.object.x.0",
            "quincunx.result.x.y",
            "quincunx.job.x.y.z",
            &format!("quincunx.poison.{id}.x"),
            &format!("quincunx.job.{id}.garbage.0"),
            &format!("quincunx.result.{id}.garbage"),
        ] {
            throw_garbage(&client, subject, &[2 << 20]).await;
        }
        // An announcement for another, and one that was heard before.
        let payload = announcement(&key, "forger", 1_000_000);
        let headers = signed(&nkeys::KeyPair::new_user(), &heard.subject, &payload);
        client.publish_with_headers(heard.subject.clone(), headers, payload.into()).await.unwrap();
        let headers: HeaderMap = heard.headers.clone().unwrap();
        client.publish_with_headers(heard.subject.clone(), headers, heard.payload.clone()).await.unwrap();
        client.flush().await.unwrap();
        // A job that was never given out is not put aside because somebody says so.
        let advisory = format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.QUINCUNX_JOBS.C_{id}");
        client.publish(advisory, json!({ "stream_seq": 1 }).to_string().into()).await.unwrap();
    });
    // Whoever looks sees the contest with its coordinator, and the worker thinks.
    let status = runtime.block_on(Status::ask(&access(&server))).unwrap();
    assert!(status.contests.iter().any(|contest| contest.led), "{status:?}");
    let thought = runtime.block_on(async {
        let thinkers: std::sync::Arc<Thinkers> = thinking::open(&server, 1).await;
        thinkers.choose(&thinking::wanted("random")).await
    });
    assert!(thinking::is_legal(&thought.unwrap()));
    let late = Helper::start(&server, "late");
    let (told, set_aside) = leading.join().unwrap();
    let told = told.join("\n");
    for line in [
        "refused an announcement: it is not signed",
        "refused a job handed back: this is not a job handed back",
        "refused a question for the coordinator",
        "refused news of a job that was given out too often: this is not an advisory",
        "refused a result for game garbage: nobody vouches for it",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(told.lines().count() < 40, "a flood of garbage is told at length: {told}");
    assert!(set_aside.is_empty(), "{set_aside:?}");
    assert_eq!(games(&server.path("out")), games(&server.path("threads")));
    let said = honest.said();
    for line in [
        "refused something to think about: this is not a thought",
        "refused a job to play again: this is not a job",
        "refused news of contests",
        "refused a roll call",
        "takes no part in contest garbage: this is not a contest",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert!(said.lines().count() < 40, "{said}");
    drop(late);
}
