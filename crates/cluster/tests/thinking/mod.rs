//! Workers as engines of a web app: their moves and analyses, and what happens if they die or lie.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use quincunx_agents::{
    Analysis, Answer, Request,
    elsewhere::{Elsewhere, MoveWanted},
};
use quincunx_cluster::{Status, Thinkers};
use quincunx_game::Rules;
use quincunx_search::Limits;
use serde_json::{Value, json};
use tokio::{runtime::Runtime, time::timeout};

use super::{Helper, access, context, server::Server, signed};

pub(crate) fn wanted(spec: &str) -> MoveWanted {
    let rules = Rules::of(quincunx_games::about("othello").unwrap());
    let limits = Limits { movetime: Some(Duration::from_secs(20)), ..Limits::default() };
    let game = quincunx_games::set_up(rules, None, ["d3"]).unwrap();
    MoveWanted { spec: spec.into(), seed: 1, game, request: Request { limits, ..Request::default() } }
}

fn number(thinkers: &Thinkers, name: &str) -> u64 {
    let name = format!("cluster_{name}");
    thinkers.numbers().into_iter().find(|number| number.name == name).unwrap().value as u64
}

/// Opens the queue and waits until so many workers are there.
pub(crate) async fn open(server: &Server, workers: u64) -> Arc<Thinkers> {
    let thinkers = Thinkers::open(&access(server)).await.unwrap();
    let began = Instant::now();
    while number(&thinkers, "workers") < workers {
        assert!(began.elapsed() < Duration::from_secs(30), "no workers came");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    thinkers
}

pub(crate) fn is_legal(answer: &Answer) -> bool {
    wanted("random").game.play(&answer.mv).is_ok()
}

#[test]
fn a_worker_killed_in_mid_thought_costs_less_than_a_second() {
    const TIME: Duration = Duration::from_secs(3);
    let Some(server) = Server::start_alone() else { return };
    let runtime = Runtime::new().unwrap();
    let mut helpers: Vec<_> = ["w0", "w1"].into_iter().map(|name| Helper::start(&server, name)).collect();
    let thinkers = runtime.block_on(open(&server, 2));
    let began = Instant::now();
    let thinking = runtime.spawn({
        let thinkers = Arc::clone(&thinkers);
        async move { thinkers.choose(&wanted("engine:movetime=3s,book=off")).await }
    });
    let place = loop {
        let status = runtime.block_on(Status::ask(&access(&server))).unwrap();
        assert!(began.elapsed() < TIME, "it would be killed too late: {:?}", began.elapsed());
        let Some(victim) = status.workers.iter().find(|worker| worker.thinking == 1) else { continue };
        break helpers.iter().position(|helper| helper.name == victim.name).unwrap();
    };
    helpers.remove(place).kill();
    let answer = runtime.block_on(thinking).unwrap().expect("the other worker answers");
    let took = began.elapsed();
    assert!(is_legal(&answer) && took > TIME / 2 && took < TIME + Duration::from_secs(1), "{took:?} {answer:?}");
    assert_eq!((number(&thinkers, "silent_total"), number(&thinkers, "thoughts_total")), (1, 1));
    // With nobody left it is soon known, and how much time is left is told.
    helpers.remove(0).kill();
    let began = Instant::now();
    let left = runtime.block_on(thinkers.choose(&wanted("engine:movetime=3s"))).unwrap_err().movetime.unwrap();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(left <= TIME && left > Duration::from_secs(1), "{left:?}");
    assert_eq!(number(&thinkers, "left_total"), 1);
}

#[test]
fn workers_analyse_until_they_are_stopped() {
    let Some(server) = Server::start_alone() else { return };
    let runtime = Runtime::new().unwrap();
    let _helper = Helper::start(&server, "w");
    let thinkers = runtime.block_on(open(&server, 1));
    let MoveWanted { game, request, .. } = wanted("random");
    let (stop, mut seen, mut stopped) = (request.stop.clone(), 0, None);
    let mut tell = |found: &Analysis| {
        assert_eq!(found.lines.len(), 2);
        seen += 1;
        if seen == 3 {
            stop.stop();
            stopped = Some(Instant::now());
        }
    };
    // A machine that is busy with other tests may let the worker fall silent; then it is asked again.
    let mut ask = || runtime.block_on(thinkers.analyse(&*game, 2, &request, &mut tell)).ok();
    let found = (0..20).find_map(|_| ask()).expect("it analyses");
    let went_on = stopped.expect("it was stopped").elapsed();
    assert!(found.lines.len() == 2 && found.depth >= 1 && seen >= 3, "{found:?}");
    assert!(went_on < Duration::from_secs(10), "it went on after it was stopped: {went_on:?}");
    // Files and programs of a worker are nobody's business.
    for spec in ["engine:weights=/etc/passwd", "files:/bin", "ugi:/bin/sh"] {
        assert!(runtime.block_on(thinkers.choose(&wanted(spec))).is_err(), "{spec}");
    }
}

#[test]
fn a_worker_that_answers_nonsense_is_not_believed() {
    let Some(server) = Server::start_alone() else { return };
    let runtime = Runtime::new().unwrap();
    let helper = Helper::start(&server, "honest");
    let thinkers = runtime.block_on(open(&server, 1));
    let key = nkeys::KeyPair::new_user();
    runtime.block_on(async {
        let client = context(&server).await.client();
        let mut announced = client.subscribe("quincunx.worker.*").await.unwrap();
        let heard = announced.next().await.unwrap();
        let mut liar: Value = serde_json::from_slice(&heard.payload).unwrap();
        (liar["key"], liar["name"]) = (key.public_key().into(), "liar".into());
        drop(helper);
        let think = format!("quincunx.think.{}", key.public_key());
        let mut asked = client.subscribe(think.clone()).await.unwrap();
        let subject = format!("quincunx.worker.{}", key.public_key());
        let announcing = tokio::spawn({
            let (client, key) = (client.clone(), nkeys::KeyPair::from_seed(&key.seed().unwrap()).unwrap());
            async move {
                for number in 1_000_000.. {
                    liar["number"] = number.into();
                    let payload = liar.to_string();
                    let headers = signed(&key, &subject, payload.as_bytes());
                    _ = client.publish_with_headers(subject.clone(), headers, payload.into()).await;
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
            }
        });
        let line = |mv: &str| json!({ "move": mv, "score": { "estimate": 1 }, "chance": 0.5, "pv": [mv] });
        let done = |mv: &str| json!({ "done": { "depth": 1, "nodes": 1, "seconds": 0.1, "lines": [line(mv)] } });
        let garbage = [done("a1").to_string(), "[[[[".into(), "{}".into(), "x".repeat(500_000), done("c3").to_string()];
        for (count, said) in (1..).zip(&garbage) {
            let mut tries = 0..20;
            let (asking, message) = loop {
                assert!(tries.next().is_some(), "the liar is never asked");
                let thinkers = Arc::clone(&thinkers);
                let asking = tokio::spawn(async move { thinkers.choose(&wanted("random")).await });
                // Nobody is asked before the announcement is heard.
                if let Ok(Some(message)) = timeout(Duration::from_secs(3), asked.next()).await {
                    break (asking, message);
                }
            };
            // What is not signed is not heard, nor what the worker has said of another thought.
            let (reply, right) = (message.reply.unwrap(), done("c3").to_string());
            client.publish(reply.clone(), right.clone().into()).await.unwrap();
            let thought: Value = serde_json::from_slice(&message.payload).unwrap();
            let number_of_it = thought["think"]["number"].as_u64().unwrap();
            let other = format!("{think}.{}", number_of_it.wrapping_add(1));
            let headers = signed(&key, &other, right.as_bytes());
            client.publish_with_headers(reply.clone(), headers, right.into()).await.unwrap();
            let headers = signed(&key, &format!("{think}.{number_of_it}"), said.as_bytes());
            client.publish_with_headers(reply, headers, said.clone().into()).await.unwrap();
            let answer = asking.await.unwrap();
            if count == garbage.len() as u64 {
                assert_eq!(answer.unwrap().mv, "c3");
            } else {
                assert!(answer.is_err(), "{said:.60}");
                assert_eq!(number(&thinkers, "wrong_total"), count);
                assert_eq!(number(&thinkers, "refused_total"), 2 * count);
            }
        }
        announcing.abort();
    });
}
