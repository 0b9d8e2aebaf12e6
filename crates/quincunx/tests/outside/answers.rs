//! What a program answers: honest ones are served, others get their verdict.

use std::fs;

use quincunx_agents::Request;
use quincunx_games::open;
use quincunx_outside::build;

use crate::agent::{Folder, answers, ask, ask_in, cpu, fails, prepare};

#[test]
fn a_plain_answer_is_taken() {
    answers("echo 10K > output.txt");
}

#[test]
fn the_exchange_is_the_assignments() {
    let check = r#"[ "$(sed -n 1p input.txt)" = WHITE ] && [ "$(sed -n 2p input.txt)" = 1.00 ] &&
        [ "$(sed -n 3p input.txt)" = 0,0 ] && [ $(wc -l < input.txt) = 22 ] && [ $# = 0 ] &&
        [ ! -e playdata.txt ] && echo 10K > output.txt"#;
    answers(check);
}

#[test]
fn what_it_prints_is_ignored() {
    answers("seq 100000; seq 100000 >&2; echo 10K > output.txt");
}

#[test]
fn every_form_of_handing_in_is_run() {
    let python = "open('output.txt', 'w').write('10K\\n')\n";
    let folder = Folder::new();
    fs::write(folder.0.join("homework.py"), python).unwrap();
    assert_eq!(ask(&folder).unwrap().mv, "10K");

    let folder = Folder::new();
    fs::write(folder.0.join("agent.py"), python).unwrap();
    fs::write(folder.0.join("CMD"), "python3 agent.py\n").unwrap();
    assert_eq!(ask(&folder).unwrap().mv, "10K");

    let folder = Folder::new();
    folder.program("my-agent", "#!/bin/sh\necho 10K > output.txt");
    assert_eq!(ask(&folder).unwrap().mv, "10K");

    let folder = Folder::new();
    fs::write(folder.0.join("notes.txt"), "not an agent").unwrap();
    let spec = format!("files:{}", folder.0.display());
    let rules = *open("pente", None, None).unwrap().rules();
    let error = build(&spec, &rules, 0).err().unwrap().to_string();
    assert!(error.contains("homework.py"), "{error}");
}

#[test]
fn playdata_lasts_for_a_game_and_calibration_runs_once() {
    prepare();
    let folder = Folder::shell(
        "[ -e calibration.txt ] || exit 7\nif [ -e playdata.txt ]; then echo 11K; else echo 10K; fi > output.txt\necho x > playdata.txt",
    );
    folder.program("calibrate", "#!/bin/sh\necho speed 1 > calibration.txt\necho once >> /dev/null");
    let game = open("pente", None, None).unwrap();
    let spec = format!("files:{}", folder.0.display());
    let mut agent = build(&spec, game.rules(), 0).unwrap();
    let request = Request { limits: cpu(5.0), ..Request::default() };
    assert_eq!(agent.choose(&*game, &request).unwrap().mv, "10K");
    assert_eq!(agent.choose(&*game, &request).unwrap().mv, "11K");
    agent.new_game();
    assert_eq!(agent.choose(&*game, &request).unwrap().mv, "10K");
    assert!(!folder.0.join("playdata.txt").exists() && !folder.0.join("calibration.txt").exists());
}

#[test]
fn tessella_is_handed_over_in_step_files() {
    let folder = Folder::shell("[ \"$1\" = 1 ] && [ -e state_0.txt ] && echo 8 4 7 4 > decision_1.txt");
    let game = open("tessella", None, None).unwrap();
    let answer = ask_in(&*game, &format!("files:{}", folder.0.display()), cpu(5.0)).unwrap();
    assert_eq!(answer.mv, "e1-e2");
}

#[test]
fn no_output_is_told_with_the_last_words() {
    fails("echo I have no idea >&2", "no output", "I have no idea");
}

#[test]
fn an_exit_code_without_output_is_a_crash() {
    fails("echo oops >&2; exit 3", "crash", "code 3; it said: oops");
}

#[test]
fn a_signal_is_a_crash_with_its_name() {
    fails("kill -SEGV $$", "crash", "SIGSEGV");
    fails("kill -40 $$", "crash", "an unnamed signal (40)");
}

#[test]
fn killing_itself_is_a_crash() {
    fails("kill -KILL $$", "crash", "SIGKILL");
}

#[test]
fn a_program_that_cannot_run_is_a_crash() {
    let folder = Folder::new();
    folder.program("homework", "#!/no/such/interpreter\n");
    let failure = ask(&folder).unwrap_err();
    assert_eq!(failure.fault.name(), "crash");
}

#[test]
fn the_wrong_file_name_is_no_output() {
    fails("echo 10K > OuTpUt.TxT", "no output", "output.txt");
}

#[test]
fn an_empty_file_is_malformed() {
    fails(": > output.txt", "malformed output", "no place");
}

#[test]
fn the_other_order_of_coordinates_is_malformed() {
    fails("echo K10 > output.txt", "malformed output", "K10");
}

#[test]
fn two_lines_are_malformed() {
    fails("printf '10K\\n11K\\n' > output.txt", "malformed output", "one line");
}

#[test]
fn binary_garbage_is_malformed() {
    fails("head -c 1000 /dev/urandom > output.txt", "malformed output", "output.txt");
}

#[test]
fn a_long_file_is_excess() {
    fails("head -c 100000 /dev/zero | tr '\\0' 1 > output.txt", "excess", "4096");
}

#[test]
fn a_link_is_not_followed() {
    fails("ln -s /etc/passwd output.txt", "malformed output", "not a plain file");
}

#[test]
fn a_link_to_a_right_answer_is_not_followed() {
    fails("echo 10K > answer; ln -s answer output.txt", "malformed output", "not a plain file");
}

#[test]
fn a_directory_is_no_answer() {
    fails("mkdir output.txt; touch output.txt/x", "malformed output", "not a plain file");
}

#[test]
fn a_pipe_does_not_hold_the_referee() {
    fails("mkfifo output.txt", "malformed output", "not a plain file");
}

#[test]
fn a_file_without_permissions_is_no_answer_or_is_read() {
    // Whoever runs as root reads it all the same.
    match ask(&Folder::shell("echo 10K > output.txt; chmod 000 output.txt")) {
        Ok(answer) => assert_eq!(answer.mv, "10K"),
        Err(failure) => assert_eq!(failure.fault.name(), "malformed output"),
    }
}
