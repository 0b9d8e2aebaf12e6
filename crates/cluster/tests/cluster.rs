//! A coordinator, workers and a real server, all in this process: what is promised of contests, and who is not believed.

mod doubt;
mod server;
mod thinking;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use async_nats::{
    HeaderMap,
    jetstream::{self, consumer::PullConsumer},
};
use futures_util::StreamExt;
use quincunx_arena::{Claim, Plan, Players, Progress, Runner, Workers, play};
use quincunx_cluster::{Access, Cluster, Options, Status, WorkerOptions, work};
use quincunx_game::Rules;
use quincunx_search::Stop;
use serde_json::{Value, json};
use server::{Server, games};
use sha2::{Digest, Sha256};
use tokio::{runtime::Runtime, sync::oneshot};

const THREADS: Workers = Workers { count: 2, pinned: false };

fn access(server: &Server) -> Access {
    Access { address: server.address(), ..Access::default() }
}

/// A worker in this process.
struct Helper {
    name: String,
    leave: Option<oneshot::Sender<()>>,
    killed: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    said: Arc<Mutex<Vec<String>>>,
}

impl Helper {
    fn start(server: &Server, name: &str) -> Self {
        Self::start_as(access(server), name)
    }

    fn start_as(access: Access, name: &str) -> Self {
        let options = WorkerOptions {
            access,
            cores: 2,
            name: name.into(),
            run_programs: false,
            grace: Duration::from_millis(200),
        };
        let (leave, left) = oneshot::channel::<()>();
        let (killed, dead) = oneshot::channel::<()>();
        let said = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&said);
        let thread = thread::spawn(move || {
            let runtime = Runtime::new().unwrap();
            let leave = async { _ = left.await };
            runtime.block_on(async {
                tokio::select! {
                    worked = work(options, leave, move |line| told.lock().unwrap().push(line.into())) => worked.unwrap(),
                    Ok(()) = dead => {}
                }
            });
            runtime.shutdown_background();
        });
        Self { name: name.into(), leave: Some(leave), killed: Some(killed), thread: Some(thread), said }
    }

    /// Ends it as a power cut would: not a word more.
    fn kill(mut self) {
        _ = self.killed.take().unwrap().send(());
    }

    fn said(&self) -> String {
        self.said.lock().unwrap().join("\n")
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        drop(self.leave.take());
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Keeps the lines that are told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl Progress for Told {
    fn tell(&mut self, line: &str) {
        self.0.lock().unwrap().push(line.into());
    }
}

fn plan(agents: [&str; 2], count: u64) -> Plan {
    let rules = Rules::of(quincunx_games::about("othello").unwrap());
    let mut plan = Plan::new(rules, agents.map(String::from).to_vec(), "random:4", 500, 7).unwrap();
    plan.bouts = Plan::pairs_between(0, 1, count, 0).collect();
    plan
}

/// Longer than a busy machine lets a worker wait for its turn.
const SILENCE: Duration = Duration::from_secs(5);

fn options(server: &Server) -> Options {
    Options { silence: SILENCE, ..Options::new(access(server)) }
}

fn led_by(options: Options) -> (Runner, Told) {
    let told = Told::default();
    let elsewhere: Box<dyn Players> = Box::new(Cluster::new(options).unwrap());
    let runner = Runner {
        workers: THREADS,
        elsewhere: Some(elsewhere),
        stop: Stop::default(),
        progress: Box::new(told.clone()),
    };
    (runner, told)
}

fn in_process(plan: &Plan, out: &Path) {
    Runner { workers: THREADS, elsewhere: None, stop: Stop::default(), progress: Box::new(()) }
        .records(plan, Some(out))
        .unwrap();
}

/// Leads a contest on a thread of its own.
fn lead(plan: &Plan, server: &Server, out: &str) -> JoinHandle<(Vec<String>, Vec<String>)> {
    lead_by(plan, options(server), server.path(out))
}

fn lead_by(plan: &Plan, options: Options, out: PathBuf) -> JoinHandle<(Vec<String>, Vec<String>)> {
    let plan = plan.clone();
    thread::spawn(move || {
        let (mut runner, told) = led_by(options);
        runner.records(&plan, Some(&out)).unwrap();
        let told = told.0.lock().unwrap().clone();
        (told, runner.set_aside().to_vec())
    })
}

/// The contest in the queue, once it is there.
async fn manifest(context: &jetstream::Context) -> Value {
    let began = Instant::now();
    loop {
        if let Ok(stream) = context.get_stream("QUINCUNX_STATE").await
            && let Ok(message) = stream.get_last_raw_message_by_subject("quincunx.contest.*").await
        {
            return serde_json::from_slice(&message.payload).unwrap();
        }
        assert!(began.elapsed() < Duration::from_secs(20), "no contest came");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn context(server: &Server) -> jetstream::Context {
    jetstream::new(async_nats::connect(server.address()).await.unwrap())
}

/// A result signed as a worker signs it.
fn signed(key: &nkeys::KeyPair, subject: &str, payload: &[u8]) -> HeaderMap {
    let digest = Sha256::new().chain_update(subject).chain_update([0]).chain_update(payload).finalize();
    let signature = key.sign(&digest).unwrap();
    let hex: Vec<String> = signature.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut headers = HeaderMap::new();
    headers.insert("Quincunx-Key", key.public_key());
    headers.insert("Quincunx-Signature", hex.concat());
    headers
}

fn report(id: &str, claims: &[Claim]) -> Value {
    json!({
        "contest": id, "first": claims[0].number, "worker": "forger", "seconds": 0.1, "claims": { "games": claims },
    })
}

async fn forge(context: &jetstream::Context, subject: &str, payload: Vec<u8>, headers: HeaderMap) {
    let sent = context.publish_with_headers(subject.to_string(), headers, payload.into()).await.unwrap();
    // It may be refused, which is as good.
    _ = sent.await;
}

#[test]
fn threads_one_worker_and_three_give_the_same_games_and_leave_nothing_behind() {
    let Some(server) = Server::start() else { return };
    let plan = plan(["engine:nodes=150,overlook=20,noise=50", "mcts:playouts=30"], 40);
    in_process(&plan, &server.path("threads"));
    for workers in [1, 3] {
        let helpers: Vec<_> = (0..workers).map(|number| Helper::start(&server, &format!("w{number}"))).collect();
        let out = format!("out{workers}");
        let (told, set_aside) = lead(&plan, &server, &out).join().unwrap();
        assert_eq!(games(&server.path(&out)), games(&server.path("threads")));
        assert!(told.is_empty() && set_aside.is_empty(), "{told:?} {set_aside:?}");
        let named = quincunx_arena::load_games(&server.path(&out).join("games.jsonl")).unwrap();
        assert!(named.iter().all(|game| game.worker.as_deref().is_some_and(|name| name.starts_with('w'))));
        drop(helpers);
    }
    let runtime = Runtime::new().unwrap();
    let status = runtime.block_on(Status::ask(&access(&server))).unwrap();
    assert_eq!((status.contests.len(), status.workers.len(), status.excluded.len()), (0, 0, 0));
    let context = runtime.block_on(context(&server));
    for stream in ["QUINCUNX_JOBS", "QUINCUNX_RESULTS", "QUINCUNX_STATE"] {
        let stream = runtime.block_on(context.get_stream(stream)).unwrap();
        assert_eq!(stream.cached_info().state.messages, 0, "{stream:?}");
    }
}

#[test]
fn a_second_result_for_a_job_is_refused_by_the_stream() {
    let Some(server) = Server::start() else { return };
    let leading = lead(&plan(["random", "random"], 4), &server, "out");
    Runtime::new().unwrap().block_on(async {
        let context = context(&server).await;
        let id = manifest(&context).await["id"].as_str().unwrap().to_string();
        let publish = || async {
            let sent = context.publish(format!("quincunx.result.{id}.0x"), "first".into()).await.unwrap();
            sent.await.map(drop).map_err(|error| format!("{error:?}"))
        };
        assert_eq!(publish().await, Ok(()));
        // The coordinator removes it, since nobody vouches for it; until then there is no second one.
        if let Err(error) = publish().await {
            assert!(error.contains("10077"), "{error}");
        }
    });
    let _helper = Helper::start(&server, "w");
    leading.join().unwrap();
}

#[test]
fn a_job_that_loses_four_workers_is_put_aside_and_the_rest_goes_on() {
    let Some(server) = Server::start() else { return };
    let plan = plan(["random", "random"], 6);
    in_process(&plan, &server.path("threads"));
    let silence = Duration::from_secs(1);
    let leading = lead_by(&plan, Options { silence, ..options(&server) }, server.path("out"));
    let id = Runtime::new().unwrap().block_on(async {
        let context = context(&server).await;
        let id = manifest(&context).await["id"].as_str().unwrap().to_string();
        let stream = context.get_stream("QUINCUNX_JOBS").await.unwrap();
        let consumer: PullConsumer = stream.get_consumer(&format!("C_{id}")).await.unwrap();
        // Four workers that take the first job and are never heard of again.
        for death in 1..=4 {
            let mut batch = consumer.batch().max_messages(1).expires(Duration::from_secs(5)).messages().await.unwrap();
            let message = batch.next().await.unwrap().unwrap();
            assert_eq!(message.subject.as_str(), format!("quincunx.job.{id}.0.0"));
            assert_eq!(message.info().unwrap().delivered, death);
            tokio::time::sleep(2 * silence).await;
        }
        id
    });
    let helper = Helper::start(&server, "w");
    let (told, set_aside) = leading.join().unwrap();
    assert_eq!(set_aside.len(), 2, "{set_aside:?}");
    assert!(set_aside[0].contains("game 0 was put aside: it has lost 4 workers"), "{set_aside:?}");
    assert_eq!(told, set_aside, "{id}");
    assert_eq!(games(&server.path("out")), games(&server.path("threads"))[2..]);
    drop(helper);
}

#[test]
fn nobody_is_believed_and_nothing_stops() {
    let Some(server) = Server::start() else { return };
    let plan = plan(["random", "engine:nodes=40"], 20);
    in_process(&plan, &server.path("threads"));
    let leading = lead(&plan, &server, "out");
    let claim = |number| Claim::of(&play(&plan, number, &Stop::default()).unwrap().unwrap());
    Runtime::new().unwrap().block_on(async {
        let context = context(&server).await;
        let id = manifest(&context).await["id"].as_str().unwrap().to_string();
        let subject = |first: u64| format!("quincunx.result.{id}.{first}");
        let bytes = |value: Value| value.to_string().into_bytes();
        // A message of 100 MB does not even leave.
        assert!(context.client().publish("quincunx.news", vec![0; 100 << 20].into()).await.is_err());
        // No seal, and somebody else's.
        forge(&context, &subject(0), bytes(report(&id, &[claim(0), claim(1)])), HeaderMap::new()).await;
        let payload = bytes(report(&id, &[claim(2), claim(3)]));
        let mut headers = signed(&nkeys::KeyPair::new_user(), &subject(2), &payload);
        headers.insert("Quincunx-Key", nkeys::KeyPair::new_user().public_key());
        forge(&context, &subject(2), payload, headers).await;
        // A result for one job put under another, and one of games that are mixed up.
        let key = nkeys::KeyPair::new_user();
        let payload = bytes(report(&id, &[claim(0), claim(1)]));
        forge(&context, &subject(4), payload.clone(), signed(&key, &subject(4), &payload)).await;
        let payload = bytes(report(&id, &[claim(6), claim(9)]));
        forge(&context, &subject(6), payload.clone(), signed(&key, &subject(6), &payload)).await;
        // A winner that the rules do not know of.
        let mut lie = claim(8);
        lie.winner = lie.winner.map(|winner| !winner);
        let payload = bytes(report(&id, &[lie, claim(9)]));
        forge(&context, &subject(8), payload.clone(), signed(&key, &subject(8), &payload)).await;
        // Now that it is excluded, even the truth of it is refused.
        let payload = bytes(report(&id, &[claim(10), claim(11)]));
        forge(&context, &subject(10), payload.clone(), signed(&key, &subject(10), &payload)).await;
    });
    let helper = Helper::start(&server, "honest");
    let (told, _) = leading.join().unwrap();
    let told = told.join("\n");
    for line in [
        "game 0: nobody vouches for it: it is not signed",
        "game 2: nobody vouches for it: its signature is forged",
        "game 4: the worker forger has put a result of something else there",
        "game 6: the worker forger has mixed up the games of a job",
        "game 8: the worker forger claims what is not so: game 8",
        "excluded the worker forger",
        "game 10: the worker forger is excluded",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert_eq!(games(&server.path("out")), games(&server.path("threads")));
    drop(helper);
}

#[test]
fn a_worker_that_plays_otherwise_is_excluded_and_its_games_are_played_anew() {
    let Some(server) = Server::start() else { return };
    let plan = plan(["engine:nodes=60", "engine:nodes=30"], 20);
    in_process(&plan, &server.path("threads"));
    let leading = lead(&plan, &server, "out");
    let honest = Helper::start(&server, "honest");
    // A liar: legal games to their end, but not those of the agents.
    let lies = Plan { agents: vec!["random".into(), "random".into()], ..plan.clone() };
    let claim = |number| Claim::of(&play(&lies, number, &Stop::default()).unwrap().unwrap());
    let key = Runtime::new().unwrap().block_on(async {
        let context = context(&server).await;
        let id = manifest(&context).await["id"].as_str().unwrap().to_string();
        let key = nkeys::KeyPair::new_user();
        for first in [18, 16] {
            let subject = format!("quincunx.result.{id}.{first}");
            let payload = report(&id, &[claim(first), claim(first + 1)]).to_string().into_bytes();
            let headers = signed(&key, &subject, &payload);
            forge(&context, &subject, payload, headers).await;
        }
        key.public_key()
    });
    let (told, _) = leading.join().unwrap();
    assert_eq!(games(&server.path("out")), games(&server.path("threads")));
    let told = told.join("\n");
    assert!(told.contains("excluded the worker") && told.contains("otherwise"), "{told}");
    assert!(told.contains("this machine"), "{told}");
    let status = Runtime::new().unwrap().block_on(Status::ask(&access(&server))).unwrap();
    assert!(status.excluded.contains_key(&key), "{status:?}");
    assert!(!honest.said().contains("excluded"), "{}", honest.said());
}

#[test]
fn a_contest_of_another_version_gets_no_worker_and_the_worker_says_why() {
    let Some(server) = Server::start() else { return };
    let leading = lead(&plan(["random", "random"], 2), &server, "out");
    let runtime = Runtime::new().unwrap();
    let ids = runtime.block_on(async {
        let context = context(&server).await;
        let sound = manifest(&context).await;
        let mut ids = Vec::new();
        for (name, field, value) in [
            ("aaaa", "version", json!("0.0.1 commit 000000000000")),
            ("bbbb", "signature", json!(1)),
            ("cccc", "evaluator", json!("0000000000000000")),
            ("dddd", "workers", json!(["somebody"])),
            ("eeee", "programs", json!(true)),
        ] {
            let mut manifest = sound.clone();
            manifest["id"] = name.into();
            manifest["needs"][field] = value;
            let payload = manifest.to_string().into_bytes();
            context.publish(format!("quincunx.contest.{name}"), payload.into()).await.unwrap().await.unwrap();
            ids.push(name);
        }
        ids
    });
    let helper = Helper::start(&server, "w");
    leading.join().unwrap();
    let status = runtime.block_on(Status::ask(&access(&server))).unwrap();
    let refused = &status.workers[0].refused;
    for (id, why) in ids.iter().zip(["version", "bench signature", "evaluation", "somebody alone", "--run-programs"]) {
        assert!(refused[*id].contains(why), "{id}: {refused:?}");
        assert!(helper.said().contains(&format!("takes no part in contest {id}")), "{}", helper.said());
        runtime.block_on(quincunx_cluster::forget(&access(&server), id)).unwrap();
    }
    let status = runtime.block_on(Status::ask(&access(&server))).unwrap();
    assert!(status.contests.is_empty(), "{status:?}");
    let worker = &status.workers[0];
    assert!(worker.signatures.contains_key("othello") && worker.speeds["othello"] > 0.0, "{worker:?}");
    assert!(worker.binary.len() == 64 && worker.evaluators.len() >= 5 && worker.cores == 2, "{worker:?}");
}

#[test]
fn clocks_are_refused_unless_scaled_or_on_named_machines() {
    let Some(server) = Server::start() else { return };
    let timed = |agents, limit: &str| Plan { limit: quincunx_arena::Limit::parse(limit).unwrap(), ..plan(agents, 2) };
    let refusal = |plan: &Plan, options: Options| {
        let stop = Stop::default();
        let (mut runner, _) = led_by(options);
        runner.stop = stop;
        runner.records(plan, None).unwrap_err().to_string()
    };
    let movetime = timed(["engine", "random"], "movetime=10ms");
    let own = timed(["engine:movetime=10ms", "random"], "");
    assert!(refusal(&movetime, options(&server)).contains("--cpu-scaled"));
    assert!(refusal(&own, options(&server)).contains("thinks by the clock"));
    assert!(refusal(&timed(["engine:level=10", "random"], ""), options(&server)).contains("thinks by the clock"));
    let scaled = || Options { cpu_scaled: true, ..options(&server) };
    assert!(refusal(&own, scaled()).contains("clock"));
    // Two that are allowed.
    let _helper = Helper::start(&server, "w");
    let (mut runner, _) = led_by(scaled());
    let records = runner.records(&movetime, None).unwrap();
    assert!(records.len() == 2 && records.iter().all(|game| game.scale.is_some_and(|scale| scale > 0.0)));
    let (mut runner, _) = led_by(Options { workers: vec!["w".into()], ..options(&server) });
    assert_eq!(runner.records(&own, None).unwrap().len(), 2);
}

#[test]
fn the_written_configuration_lets_each_role_do_its_work_and_no_more() {
    let made = quincunx_cluster::server_config(None);
    let Some(server) = Server::start_with(Some(&made.config)) else { return };
    let key = |role: &str| {
        let path = server.path(&format!("{role}.nk"));
        let seed = made.seeds.iter().find(|(name, _)| *name == role).unwrap();
        std::fs::write(&path, &seed.1).unwrap();
        Access { nkey: Some(path), ..access(&server) }
    };
    let runtime = Runtime::new().unwrap();
    let stranger = runtime.block_on(Status::ask(&access(&server))).unwrap_err().to_string();
    assert!(stranger.contains("cannot reach the queue"), "{stranger}");
    let plan = plan(["random", "random"], 8);
    in_process(&plan, &server.path("threads"));
    let helper = Helper::start_as(key("worker"), "w");
    let (mut runner, _) = led_by(Options { access: key("coordinator"), ..options(&server) });
    runner.records(&plan, Some(&server.path("out"))).unwrap();
    assert_eq!(games(&server.path("out")), games(&server.path("threads")));
    let status = runtime.block_on(Status::ask(&key("observer"))).unwrap();
    assert_eq!((status.workers.len(), status.contests.len()), (1, 0), "{status:?}");
    // A worker cannot begin a contest, put jobs into the queue or exclude anybody.
    let worker = key("worker");
    let refused = runtime.block_on(async {
        let seed = std::fs::read_to_string(worker.nkey.unwrap()).unwrap();
        let client = async_nats::ConnectOptions::with_nkey(seed).connect(server.address()).await.unwrap();
        for subject in ["quincunx.contest.aaaa", "quincunx.job.a.0.0", "quincunx.excluded.U", "quincunx.object.a.0"] {
            client.publish(subject, "{}".into()).await.unwrap();
        }
        client.flush().await.unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        stored(&key("coordinator")).await
    });
    assert_eq!(refused, [0, 0], "messages of a worker were stored");
    drop(helper);
}

/// The messages in the streams of states and jobs.
async fn stored(access: &Access) -> [u64; 2] {
    let seed = std::fs::read_to_string(access.nkey.as_ref().unwrap()).unwrap();
    let client = async_nats::ConnectOptions::with_nkey(seed).connect(&access.address).await.unwrap();
    let context = jetstream::new(client);
    let mut found = [0; 2];
    for (count, stream) in found.iter_mut().zip(["QUINCUNX_STATE", "QUINCUNX_JOBS"]) {
        *count = context.get_stream(stream).await.unwrap().cached_info().state.messages;
    }
    found
}
