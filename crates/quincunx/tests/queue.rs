//! Work that goes through a queue, by the real program: a coordinator, workers that are killed, and a real nats-server.
#![cfg(target_os = "linux")]

#[path = "../../cluster/tests/server/mod.rs"]
mod server;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use server::Server;

fn quincunx(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// A worker or coordinator that is a process of its own, ended with the test.
struct Worker(Child);

impl Worker {
    fn start(server: &Server, name: &str, more: &[&str]) -> Self {
        let mut command = quincunx(&["worker", "--queue", &server.address(), "--name", name]);
        Self(command.args(more).stderr(Stdio::null()).spawn().unwrap())
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[track_caller]
fn done(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Waits for something that must come; `what` says what.
#[track_caller]
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "{what} did not come");
        sleep(Duration::from_millis(50));
    }
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Whether programs from outside cannot be confined here, so that no worker runs them.
fn lacks_walls() -> bool {
    quincunx_outside::set_warden(env!("CARGO_BIN_EXE_quincunx").into());
    let lacks = quincunx_outside::missing_walls();
    if let Some(missing) = &lacks {
        eprintln!("SKIPPED: no worker runs programs here, which lacks {missing}");
    }
    lacks.is_some()
}

/// An agent for Othello: which of its moves it plays depends on the position alone.
const PLAYER: &str = "import random\n\
     board, side = open('input.txt').read().split('\\n')[2].split()\n\
     enemy = 'O' if side == 'X' else 'X'\n\
     def flips(r, c, dr, dc):\n    \
         count = 0\n    \
         while 0 <= r + dr < 8 and 0 <= c + dc < 8:\n        \
             r, c = r + dr, c + dc\n        \
             if board[8 * r + c] != enemy: return count if board[8 * r + c] == side else 0\n        \
             count += 1\n    \
         return 0\n\
     steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]\n\
     moves = [(r, c) for r in range(8) for c in range(8)\n    \
         if board[8 * r + c] == '-' and any(flips(r, c, a, b) for a, b in steps)]\n\
     random.seed(board + side)\n\
     r, c = random.choice(moves) if moves else (0, 0)\n\
     open('output.txt', 'w').write(('abcdefgh'[c] + str(r + 1) if moves else 'pass') + '\\n')\n";

/// One that passes against the rules after a few moves, so that its games are short.
fn player_that_gives_up() -> String {
    PLAYER.replace("if moves else 'pass'", "if board.count('-') > 54 else 'pass'")
}

#[test]
fn a_class_over_the_queue_has_the_same_points() {
    let Some(server) = Server::start() else { return };
    if lacks_walls() {
        return;
    }
    let class = server.path("class");
    program(&class.join("ann/homework"), "#!/bin/sh\necho 20Z > output.txt\n");
    let player = player_that_gives_up();
    program(&class.join("bob/homework.py"), &player);
    program(&class.join("eve/hw2.py"), "print('hello')\n");
    program(&server.path("homework.py"), &player.replace("board + side", "side + board"));
    let archive = class.join("tom.tar.gz");
    let made = Command::new("tar").arg("-czf").arg(archive).arg("-C").arg(server.path("")).arg("homework.py").status();
    assert!(made.unwrap().success());
    let workers = ["w1", "w2"].map(|name| Worker::start(&server, name, &["--cores", "1", "--run-programs"]));
    let grade = |out: &str, more: &[&str]| {
        let (class, out) = (class.to_str().unwrap().to_string(), server.path(out));
        let asked = ["grade", "othello", &class, "--seed", "3", "--time", "2", "--out", out.to_str().unwrap()];
        let list = done(quincunx(&asked).arg("--json").args(more));
        let mut list: Value = serde_json::from_str(&list).unwrap();
        for agent in list["class"].as_array_mut().unwrap() {
            agent.as_object_mut().unwrap().remove("different_games");
        }
        list
    };
    let here = grade("here", &[]);
    let address = server.address();
    let queue = ["--queue", address.as_str(), "--workers", "w1,w2"];
    assert_eq!(grade("there", &queue), here);
    let points = here["class"].as_array().unwrap().iter().map(|agent| (&agent["agent"], &agent["games"]));
    let expected = [("ann", 20), ("bob", 20), ("eve", 0), ("tom", 20)].map(|(name, games)| (json!(name), json!(games)));
    assert!(points.eq(expected.iter().map(|(name, games)| (name, games))), "{here:#}");
    for name in ["ann", "bob", "tom"] {
        // The second reference agent thinks by the clock: its games are different every time.
        let games = |out: &str| server::games(&server.path(out).join(name)).into_iter().take(10).collect::<Vec<_>>();
        assert_eq!(games("there"), games("here"), "{name}");
        let records = quincunx_arena::load_games(&server.path("there").join(name).join("games.jsonl")).unwrap();
        assert!(records.len() == 20 && records.iter().all(|game| game.worker.is_some()), "{name}");
    }
    // Nothing is played twice: there is nobody to play.
    drop(workers);
    assert_eq!(grade("there", &queue), here);
}

/// The processes with these words in their command lines.
fn processes(words: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let named = entries.filter(|entry| {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).replace('\0', " ").contains(words)
    });
    named.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

#[test]
fn a_program_that_costs_four_workers_their_lives_is_named_and_the_rest_is_played() {
    let Some(server) = Server::start() else { return };
    if lacks_walls() {
        return;
    }
    // After d3 c5 it holds its worker until somebody ends that, after d3 e3 until somebody ends its pause. The other
    // games are not to blame, and those who die hold none of them.
    let poisoned = "^-------------------X-------XX-----OOO--------------------------- X";
    let paused = "^-------------------XO------XO------XO--------------------------- X";
    let [poison, pause] = ["97", "98"].map(|seconds| format!("sleep {seconds}.{}", std::process::id()));
    let agent = server.path("agent");
    program(&agent.join("agent.py"), &player_that_gives_up());
    let shell = format!(
        "#!/bin/sh\ngrep -q '{poisoned}' input.txt && exec {poison}\ngrep -q '{paused}' input.txt && {pause}\n\
         exec python3 agent.py\n"
    );
    program(&agent.join("homework"), &shell);
    fs::write(server.path("openings"), "d3 c5\nd3 c3\nd3 e3\n").unwrap();
    let (spec, openings) = (format!("files:{}", agent.display()), server.path("openings"));
    let mut coordinator = quincunx(&["match", "othello", &spec, "random", "--games", "6", "--seed", "5", "--json"]);
    coordinator.args(["--openings", openings.to_str().unwrap(), "--limit", "cpu=60s", "--workers", "w"]);
    coordinator.args(["--queue", &server.address(), "--silence", "2s"]);
    let [result, told] = ["result", "told"].map(|name| server.path(name));
    coordinator.stdout(fs::File::create(&result).unwrap()).stderr(fs::File::create(&told).unwrap());
    let mut coordinator = Worker(coordinator.spawn().unwrap());
    for _death in 0..4 {
        let mut worker = Worker::start(&server, "w", &["--cores", "1", "--run-programs"]);
        until("the poisoned game", || processes(&poison).pop());
        worker.kill();
        until("the end of the program", || processes(&poison).is_empty().then_some(()));
    }
    // The server gives it to nobody else, and says so when somebody asks for a job. The last game pauses, so that the
    // contest is not over before it was looked at.
    let _worker = Worker::start(&server, "w", &["--cores", "2", "--run-programs"]);
    let status = |more: &[&str]| done(quincunx(&["cluster", "status", "--queue", &server.address()]).args(more));
    let named = until("the name of the job", || {
        let status: Value = serde_json::from_str(&status(&["--json"])).unwrap();
        let failed = status["contests"][0]["failed"].as_object().expect("the contest goes on");
        failed.values().next().map(|reason| reason.as_str().unwrap().to_string())
    });
    assert_eq!(named, "it has lost 4 workers");
    assert!(status(&[]).contains("put aside from game"), "{}", status(&[]));
    let paused = until("the pause", || processes(&pause).pop());
    assert!(Command::new("kill").arg(paused).status().unwrap().success());
    coordinator.0.wait().unwrap();
    let [result, told] = [result, told].map(|path| fs::read_to_string(path).unwrap());
    let result: Value = serde_json::from_str(&result).unwrap_or_else(|error| panic!("{error}: {result}{told}"));
    let set_aside = result["set_aside"].as_array().unwrap();
    assert!(set_aside.len() == 2 && set_aside[0].as_str().unwrap().contains("lost 4 workers"), "{result:#}");
    assert_eq!(result["games"], 4, "{result:#}");
    assert_eq!(told.matches("was put aside").count(), 2, "{told}");
}

#[test]
fn learning_over_the_queue_learns_the_same() {
    let Some(server) = Server::start() else { return };
    let _workers = ["w1", "w2"].map(|name| Worker::start(&server, name, &["--cores", "1"]));
    let learn = |out: &str, more: &[&str]| {
        let out = server.path(out);
        let what = ["learn", "shobu", "--hours", "1", "--steps", "2", "--out", out.to_str().unwrap()];
        let small = ["--positions", "400", "--nodes", "20", "--games", "8", "--limit", "nodes=30", "--sprt", "0,1"];
        done(quincunx(&what).args(small).args(more));
    };
    learn("here", &[]);
    learn("there", &["--queue", &server.address()]);
    for step in ["step-001", "step-002"] {
        for file in ["data/games.bin", "weights.bin"] {
            let read = |out: &str| fs::read(server.path(out).join(step).join(file)).unwrap();
            assert!(read("here") == read("there"), "{step}/{file} differs");
        }
        let games = |out: &str| server::games(&server.path(out).join(step).join("match"));
        let unnamed = |mut game: quincunx_arena::GameRecord| {
            // The weights stand elsewhere.
            game.agents = <[String; 2]>::default();
            game
        };
        let played = |out: &str| games(out).into_iter().map(unnamed).collect::<Vec<_>>();
        assert_eq!(played("there"), played("here"), "{step}");
    }
    let steps = |out: &str| fs::read_to_string(server.path(out).join("steps.jsonl")).unwrap();
    assert_eq!(steps("there"), steps("here"));
}
