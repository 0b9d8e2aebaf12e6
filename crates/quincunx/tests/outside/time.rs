//! The clock: CPU time is booked in full, and nobody gets more than he has.

use std::time::Duration;

use quincunx_games::open;
use quincunx_search::Limits;

use crate::agent::{Folder, ask_in, cpu, fails, lacks, lacks_wall, python};

/// Runs a program that says itself what was used; what was booked may be off by the larger of 10 ms and 2 %.
///
/// A program cannot say what its end takes after its last look at the clock. That is below 2 ms, unless the machine stands still just
/// then: so what is too much has to be too much three times. What is too little is an error at once.
#[track_caller]
fn books(script: &str, at_least: f64) {
    if lacks("python3") {
        return;
    }
    let folder = python(script);
    let spec = format!("files:{}", folder.0.display());
    let mut too_much = Vec::new();
    while too_much.len() < 3 {
        let answer = ask_in(&*open("othello", None, None).unwrap(), &spec, cpu(20.0)).unwrap();
        let (used, booked) = (answer.mv.parse::<f64>().unwrap(), answer.cpu.unwrap().as_secs_f64());
        assert!(used >= at_least, "used {used} s");
        let within = (0.02 * used).max(0.01);
        assert!(booked - used >= -within, "booked {booked:.4} s for {used:.4} s");
        if booked - used <= within {
            return;
        }
        too_much.push(format!("{booked:.4} s for {used:.4} s"));
    }
    panic!("booked {}", too_much.join(", "));
}

#[test]
fn cpu_time_is_booked_as_the_system_counts_it() {
    books("burn(0.4)\nanswer()", 0.4);
    books("answer()", 0.0);
}

#[test]
fn cpu_time_of_children_is_booked_as_the_system_counts_it() {
    books("if os.fork() == 0:\n    burn(0.3); os._exit(0)\nos.wait(); burn(0.2); answer()", 0.5);
}

#[test]
fn cpu_time_of_threads_is_booked_as_the_system_counts_it() {
    let script = "import threading\nthreads = [threading.Thread(target=burn, args=(0.3,)) for _ in range(3)]\nfor t in threads: t.start()\nfor t in threads: t.join()\nanswer()";
    books(script, 0.3);
}

#[test]
fn cpu_time_of_children_that_outlive_the_program_is_booked_as_the_system_counts_it() {
    books("used = child(lambda: (os.setsid(), burn(0.4)), lambda: time.sleep(60))\nanswer(used())", 0.4);
}

#[test]
fn cpu_time_of_children_nobody_waits_for_is_booked_in_full() {
    if lacks_wall("CPU time") {
        return;
    }
    let script = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nused = child(lambda: burn(0.5), lambda: None)\nused = used(); time.sleep(0.2); answer(used)";
    books(script, 0.5);
}

#[test]
fn cpu_time_of_many_short_children_nobody_waits_for_is_booked_in_full() {
    if lacks_wall("CPU time") {
        return;
    }
    if lacks("python3") {
        return;
    }
    let script = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nused = sum(child(lambda: burn(0.004), lambda: None)() for _ in range(150))\nanswer(used)";
    let folder = python(script);
    let spec = format!("files:{}", folder.0.display());
    let answer = ask_in(&*open("othello", None, None).unwrap(), &spec, cpu(20.0)).unwrap();
    let (used, booked) = (answer.mv.parse::<f64>().unwrap(), answer.cpu.unwrap().as_secs_f64());
    // What each takes to begin and to end comes on top.
    assert!(used >= 0.6 && booked >= 0.98 * used && booked <= 3.0 * used, "booked {booked:.4} s for {used:.4} s");
}

#[test]
fn a_busy_loop_is_ended_when_its_cpu_time_is_over() {
    fails("while :; do :; done", "timeout", "CPU time");
}

#[test]
fn busy_children_use_up_the_time_of_their_parent() {
    fails("for i in 1 2 3; do (while :; do :; done) & done; sleep 60", "timeout", "CPU time");
}

#[test]
fn a_wall_clock_is_kept_too() {
    let folder = Folder::shell("sleep 30; echo 10K > output.txt");
    let limits = Limits { movetime: Some(Duration::from_millis(200)), ..Limits::default() };
    let spec = format!("files:{}", folder.0.display());
    let failure = ask_in(&*open("pente", None, None).unwrap(), &spec, limits).unwrap_err();
    assert_eq!(failure.fault.name(), "timeout");
}

#[test]
fn one_that_sleeps_is_stalled() {
    fails("sleep 1000", "stall", "neither");
}

#[test]
fn one_that_stops_itself_is_stalled() {
    fails("kill -STOP $$", "stall", "neither");
}

#[test]
fn one_that_waits_for_input_gets_none() {
    fails("read line; exit 0", "no output", "without writing");
}

#[test]
fn one_that_ignores_every_polite_signal_is_ended() {
    fails("trap '' TERM INT HUP QUIT; while :; do :; done", "timeout", "CPU time");
}
