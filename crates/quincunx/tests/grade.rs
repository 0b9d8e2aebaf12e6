//! The promises of `grade`: submissions of every form, classes that are killed, changed and gone on with.
#![cfg(target_os = "linux")]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::Value;

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("grade-{name}"));
    _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn command(class: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["grade", "pente", class.to_str().unwrap(), "--seed", "1", "--trust-programs"]).args(more);
    command
}

fn grade(class: &Path, more: &[&str]) -> Output {
    command(class, more).output().unwrap()
}

#[track_caller]
fn done(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn file(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn script(path: &Path, text: &str) {
    file(path, &format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// An agent that loses at once, and quickly.
const LOSES: &str = "echo 20Z > output.txt";

fn line<'a>(csv: &'a str, name: &str) -> &'a str {
    csv.lines().find(|line| line.starts_with(&format!("\"{name}\","))).unwrap_or_else(|| panic!("no {name} in {csv}"))
}

fn lacks(program: &str) -> bool {
    let lacks = !Command::new("sh").args(["-c", &format!("command -v {program}")]).output().unwrap().status.success();
    if lacks {
        eprintln!("skipped: there is no {program}");
    }
    lacks
}

#[test]
fn folders_archives_and_sources_are_graded_and_what_is_wrong_is_named() {
    let place = scratch("forms");
    let class = place.join("class");
    script(&class.join("ann/homework"), LOSES);
    file(&class.join("bob/Homework.py"), "print('hello')");
    file(&class.join("eve/homework.cpp"), "int main() { retrun <b>0</b>; }\n");
    file(&class.join("mac/sub/homework.py"), "open('output.txt', 'w').write('19T\\r\\n')\n");
    file(&class.join("notes.txt"), "not a submission");
    file(&class.join(".git/config"), "not a submission");
    file(&class.join("bad.zip"), "PK garbage");
    let tar = |name: &str, what: &[&str]| {
        let made = Command::new("tar").arg("-czf").arg(class.join(name)).args(what).current_dir(&place).status();
        assert!(made.unwrap().success());
    };
    script(&place.join("homework"), LOSES);
    tar("tom.tar.gz", &["homework"]);
    tar("ann.tgz", &["homework"]);
    let out = place.join("out");
    let csv = done(&grade(&class, &["--time", "2", "--out", out.to_str().unwrap()]));
    assert_eq!(csv.lines().count(), 8, "{csv}");
    assert!(line(&csv, "ann").contains("20Z") && line(&csv, "ann").contains(",graded,20,"), "{csv}");
    assert!(line(&csv, "ann.tgz").contains("20Z"), "{csv}");
    assert!(line(&csv, "tom").contains("20Z"), "{csv}");
    assert!(line(&csv, "bob").contains("should be called homework.py"), "{csv}");
    assert!(line(&csv, "bad").contains("zip"), "{csv}");
    assert!(line(&csv, "mac").contains(",graded,20,"), "{csv}");
    let page = |name: &str| fs::read_to_string(out.join(name).join("grade.html")).unwrap();
    assert!(page("bob").contains("should be called homework.py"));
    assert!(page("mac").contains("CR LF") && page("mac").contains("--game 0"));
    if !lacks("g++") {
        assert!(line(&csv, "eve").contains("does not build"), "{csv}");
        assert!(page("eve").contains("retrun") && page("eve").contains("&lt;b&gt;") && !page("eve").contains("<b>"));
    }
    let listed = fs::read_to_string(out.join("class.html")).unwrap();
    for name in ["ann", "bob", "eve", "mac", "tom", "bad"] {
        assert!(listed.contains(&format!("{name}/grade.html")), "{name}");
    }
    assert_eq!(fs::read_to_string(out.join("class.csv")).unwrap(), csv);
    // One archive alone is an agent.
    let one = done(&grade(&class.join("tom.tar.gz"), &["--time", "2", "--game", "3"]));
    assert!(one.contains("1 games"), "{one}");
}

#[test]
fn an_exact_form_is_asked_for_by_strict_and_times_vary_within_their_bounds() {
    let place = scratch("strict");
    script(&place.join("homework"), "printf 10K > output.txt");
    let json = |more: &[&str]| -> Value {
        serde_json::from_str(&done(&grade(&place, &[more, &["--json"]].concat()))).unwrap()
    };
    let strict = json(&["--time", "2", "--strict", "--game", "0"]);
    assert_eq!(strict["games"][0]["cause"], "malformed output", "{strict:#}");
    assert!(strict["games"][0]["fault"].as_str().unwrap().contains("newline"), "{strict:#}");
    let varied = json(&["--time", "1..3"]);
    let times: Vec<f64> =
        varied["games"].as_array().unwrap().iter().map(|game| game["time"].as_f64().unwrap()).collect();
    assert!(times.len() == 20 && times.iter().all(|time| (1.0..=3.0).contains(time)), "{times:?}");
    assert!(times.iter().any(|time| (time - times[0]).abs() > 0.1), "{times:?}");
    let again = json(&["--time", "1..3", "--game", "7"]);
    assert_eq!(again["games"][0]["time"], varied["games"][7]["time"]);
    assert_eq!(again["games"][0]["moves"][0], varied["games"][7]["moves"][0]);
    for wrong in [["--time", "3..1"], ["--time", "0"], ["--game", "20"], ["--only", "x"], ["--openings", "random:x"]] {
        let output = grade(&place, &wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1, "{wrong:?}");
    }
}

#[test]
fn openings_make_the_games_different() {
    let place = scratch("openings");
    script(&place.join("homework"), LOSES);
    let different = |more: &[&str]| -> Value {
        serde_json::from_str::<Value>(&done(&grade(&place, &[&["--json", "--time", "2"], more].concat()))).unwrap()
            ["different_games"]
            .clone()
    };
    assert!(different(&[]).as_u64().unwrap() < 15);
    assert_eq!(different(&["--openings", "random:4"]), 20);
}

/// What is on disk of each agent's games.
fn games(out: &Path, name: &str) -> String {
    fs::read_to_string(out.join(name).join("games.jsonl")).unwrap_or_default()
}

#[test]
fn a_class_that_is_killed_goes_on_and_only_what_changed_is_graded_again() {
    let place = scratch("killed");
    let class = place.join("class");
    for name in ["a", "b", "c", "d"] {
        script(&class.join(name).join("homework"), &format!("sleep 0.02; {LOSES}"));
    }
    let out = place.join("out");
    let arguments = ["--time", "2", "--concurrency", "2", "--out", out.to_str().unwrap()];
    for kill in 1..=2 {
        let mut child = command(&class, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        let played = || ["a", "b", "c", "d"].iter().map(|name| games(&out, name).lines().count()).sum::<usize>();
        while played() < 20 * kill && began.elapsed() < Duration::from_secs(60) {
            sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // The lists are there and name everybody.
        let csv = fs::read_to_string(out.join("class.csv")).unwrap();
        assert!(csv.lines().count() == 5 && csv.ends_with('\n'), "{csv}");
        assert!(fs::read_to_string(out.join("class.html")).unwrap().ends_with("</html>\n"));
    }
    let before = games(&out, "a");
    let csv = done(&grade(&class, &arguments));
    assert!(csv.lines().skip(1).all(|line| line.contains(",graded,20,")), "{csv}");
    assert!(games(&out, "a").starts_with(&before) && !before.is_empty());
    let stamps = || ["a", "b", "c", "d"].map(|name| games(&out, name));
    let complete = stamps();
    // Nothing has changed: nothing is played.
    assert_eq!(done(&grade(&class, &arguments)), csv);
    assert_eq!(stamps(), complete);
    script(&class.join("b/homework"), "echo 21Z > output.txt");
    let changed = done(&grade(&class, &arguments));
    assert!(line(&changed, "b").contains("21Z") && line(&changed, "a").contains("20Z"), "{changed}");
    let after = stamps();
    assert!(after[1] != complete[1] && [0, 2, 3].iter().all(|&other| after[other] == complete[other]));
    let only = done(&grade(&class, &[&arguments[..], &["--only", "c"]].concat()));
    assert_eq!(only.lines().count(), 5);
    let last = stamps();
    assert!(last[2] != after[2] && [0, 1, 3].iter().all(|&other| last[other] == after[other]));
    let refused = grade(&class, &[&arguments[..], &["--only", "nobody"]].concat());
    assert_eq!(refused.status.code(), Some(2));
    let other = grade(&class, &["--time", "3", "--out", out.to_str().unwrap()]);
    let said = String::from_utf8_lossy(&other.stderr);
    assert!(other.status.code() == Some(2) && said.contains("another exam"), "{said}");
}
