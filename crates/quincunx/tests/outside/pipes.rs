//! Programs over pipes.

use quincunx_agents::{Answer, Failure, Request};
use quincunx_game::AnyGame;
use quincunx_games::open;
use quincunx_outside::build;
use quincunx_search::Limits;

use crate::agent::{Folder, ask_in, cpu, prepare};

fn othello(spec: &str, limits: Limits) -> Result<Answer, Failure> {
    ask_in(&*open("othello", None, None).unwrap(), spec, limits)
}

#[track_caller]
fn pipe_fails(kind: &str, script: &str, fault: &str) {
    let folder = Folder::shell(script);
    let failure = othello(&format!("{kind}:[stall=1s]{}/homework", folder.0.display()), cpu(2.0)).unwrap_err();
    assert_eq!(failure.fault.name(), fault, "{failure}");
}

#[test]
fn engines_over_pipes_are_understood() {
    let cases = [
        (
            "ugi",
            r"while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) echo info depth 3 nodes 99; echo bestmove d3;; esac; done",
        ),
        ("gtp", r#"while read a b; do case $a in genmove) echo "= D3";; *) echo "=";; esac; echo; done"#),
        ("nboard", r#"while read a b; do case $a in ping) echo "pong $b";; go) echo "=== D3/0.5/1";; esac; done"#),
    ];
    for (kind, script) in cases {
        let folder = Folder::shell(script);
        let answer = othello(&format!("{kind}:{}/homework", folder.0.display()), cpu(10.0)).unwrap();
        assert!(answer.mv.eq_ignore_ascii_case("d3"), "{kind}: {answer:?}");
        if kind == "ugi" {
            assert_eq!((answer.depth, answer.nodes), (3, 99));
        }
    }
}

#[test]
fn an_engine_sees_the_folder_of_its_settings_and_the_files_of_its_command_and_changes_neither() {
    let (folder, data, other) = (Folder::new(), Folder::new(), Folder::new());
    for (folder, name) in [(&folder, "weights"), (&data, "net"), (&other, "notes")] {
        std::fs::write(folder.0.join(name), name).unwrap();
    }
    let script = format!(
        "[ \"$(cat weights)\" = weights ] && [ \"$(cat $1)\" = net ] && [ ! -e {}/notes ] || exit 1\n\
         (echo x > weights) 2>/dev/null && exit 2; (echo x > $1) 2>/dev/null && exit 3; echo x > $HOME/x || exit 4\n\
         while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) echo bestmove d3;; esac; done",
        other.0.display()
    );
    let engine = Folder::shell(&script);
    let (program, dir, net) = (engine.0.join("homework"), folder.0.display(), data.0.join("net"));
    let spec = format!("ugi:[dir={dir}]{} {}", program.display(), net.display());
    assert_eq!(othello(&spec, cpu(5.0)).unwrap_or_else(|failure| panic!("{failure}")).mv, "d3");
    // Most engines lie in the folder with their data.
    std::fs::copy(folder.0.join("weights"), engine.0.join("weights")).unwrap();
    let spec = format!("ugi:[dir={}]{} {}", engine.0.display(), program.display(), net.display());
    assert_eq!(othello(&spec, cpu(5.0)).unwrap_or_else(|failure| panic!("{failure}")).mv, "d3");
    let error = build("files:[dir=/tmp]/tmp", open("othello", None, None).unwrap().rules(), 0).err().unwrap();
    assert!(error.to_string().contains("dir"), "{error}");
}

#[test]
fn every_protocol_over_pipes_starts_in_the_folder_of_its_settings() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("weights"), "weights").unwrap();
    for (protocol, answers) in [
        ("ugi", "ugi) echo ugiok;; isready) echo readyok;; go) echo bestmove d3;;"),
        ("gtp", "genmove) echo '= d3'; echo;; *) echo =; echo;;"),
        ("nboard", "ping) echo pong $b;; go) echo '=== d3';;"),
    ] {
        let script =
            format!("[ \"$(cat weights)\" = weights ] || exit 1; while read a b; do case $a in {answers} esac; done");
        let engine = Folder::shell(&script);
        let spec = format!("{protocol}:[dir={}]{}", folder.0.display(), engine.0.join("homework").display());
        assert_eq!(othello(&spec, cpu(5.0)).unwrap_or_else(|failure| panic!("{protocol}: {failure}")).mv, "d3");
    }
}

#[test]
fn an_engine_that_ends_in_the_middle_is_a_crash() {
    pipe_fails("ugi", "read a; echo ugiok; read a; exit 4", "crash");
}

#[test]
fn an_engine_that_says_nothing_is_stalled() {
    pipe_fails("ugi", "sleep 1000", "stall");
}

#[test]
fn an_engine_that_refuses_breaks_the_protocol() {
    pipe_fails("gtp", "while read a; do echo '? no'; echo; done", "protocol error");
}

#[test]
fn an_engine_without_a_move_breaks_the_protocol() {
    pipe_fails("nboard", "read a; read a; echo pong 1; while read a; do echo ===; done", "protocol error");
}

#[test]
fn an_engine_that_floods_is_stopped() {
    pipe_fails("ugi", "exec yes", "excess");
}

#[test]
fn an_engine_that_computes_for_ever_is_out_of_time() {
    let folder = Folder::shell(
        "while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) while :; do :; done;; esac; done",
    );
    // On a busy machine it may compute nothing for a second.
    let failure = othello(&format!("ugi:[stall=20s]{}/homework", folder.0.display()), cpu(1.0)).unwrap_err();
    assert_eq!(failure.fault.name(), "timeout", "{failure}");
}

#[test]
fn the_referee_itself_spends_little_on_a_move() {
    let folder = Folder::shell("echo 10K > output.txt");
    let game = open("pente", None, None).unwrap();
    prepare();
    let mut agent = build(&format!("files:{}", folder.0.display()), game.rules(), 0).unwrap();
    let request = Request { limits: cpu(60.0), ..Request::default() };
    let fastest = (0..20).map(|_| agent.choose(&*game, &request).unwrap().seconds).fold(f64::MAX, f64::min);
    // A shell that writes a line, our two processes around it, and what a busy machine adds.
    assert!(fastest < 0.05, "{fastest} s");
}

/// Plays a game between our own agent for such programs and the first legal move.
fn plays_a_whole_game(spec: &str, ruleset: &str) {
    prepare();
    let mut game = open("othello", Some(ruleset), None).unwrap();
    let mut agent = build(spec, game.rules(), 0).unwrap();
    while game.outcome().is_none() {
        let choices = game.choices();
        if game.ply().is_multiple_of(2) && !choices[0].pass {
            let answer = agent.choose(&*game, &Request::default()).unwrap();
            game.play(&answer.mv).unwrap();
        } else {
            game.play(&choices[0].text).unwrap();
        }
    }
}

#[test]
fn our_agents_for_outside_programs_play_whole_games_against_these_protocols() {
    let program = env!("CARGO_BIN_EXE_quincunx");
    plays_a_whole_game(&format!("gtp:{program} gtp --agent engine:nodes=200"), "8x8");
    plays_a_whole_game(&format!("gtp:{program} gtp --agent random"), "6x6");
    plays_a_whole_game(&format!("nboard:{program} nboard --hash 1 --movetime 5ms"), "8x8");
    plays_a_whole_game(&format!("nboard:{program} nboard --hash 1 --movetime 5ms"), "6x6");
}

#[test]
fn an_nboard_program_is_told_the_depth_of_its_spec_and_only_once() {
    prepare();
    // It answers with what it was told, in place of a move.
    let script = "while read -r word name value; do case \"$word $name\" in \
                  'nboard 2') ;; 'ping 1') echo pong 1;; 'set depth') told=$told.$value;; 'go ') echo \"=== $told\";; esac; done";
    let mut game = open("othello", None, None).unwrap();
    let answers = |spec: &str, game: &mut dyn AnyGame| -> Vec<String> {
        let mut agent = build(spec, game.rules(), 0).unwrap();
        (0..2).map(|_| agent.choose(game, &Request::default()).unwrap().mv).collect()
    };
    let command = format!("sh -c {script:?}").replace('$', "\\$");
    assert_eq!(answers(&format!("nboard:[depth=12]{command}"), &mut *game), [".12", ".12"]);
    assert_eq!(answers(&format!("nboard:{command}"), &mut *game), [".8", ".8"]);
    for wrong in ["nboard:[depth=0]x", "nboard:[depth=deep]x", "nboard:[Hash=64]x"] {
        let error = build(wrong, game.rules(), 0).err().expect(wrong);
        assert!(error.to_string().contains("nboard"), "{error}");
    }
}
