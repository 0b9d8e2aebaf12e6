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

#[test]
fn no_name_and_no_special_file_spoils_the_results_of_others() {
    let place = scratch("names");
    let class = place.join("class");
    let names =
        ["class.html", "class.csv", "lock", "<img src=x onerror=alert(1)>", "=cmd()", "two\nlines", "esc\u{1b}[31m"];
    for name in names {
        script(&class.join(name).join("homework"), LOSES);
    }
    // An archive that is a pipe once held the whole class.
    assert!(Command::new("mkfifo").arg(class.join("pipe.zip")).status().unwrap().success());
    fs::File::create(class.join("holes.zip")).unwrap().set_len(1 << 40).unwrap();
    let out = place.join("out");
    let began = Instant::now();
    let csv = done(&grade(&class, &["--time", "2", "--out", out.to_str().unwrap()]));
    assert!(began.elapsed() < Duration::from_secs(100), "took {:?}", began.elapsed());
    assert_eq!(csv.lines().count(), names.len() + 3, "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.contains(",graded,")), "{csv}");
    assert!(!csv.replace('\n', "").contains(char::is_control) && csv.contains("\"'=cmd()\""), "{csv:?}");
    assert!(line(&csv, "pipe").contains("an archive is a file") && line(&csv, "holes").contains("64 MB"), "{csv}");
    let page = fs::read_to_string(out.join("class.html")).unwrap();
    assert!(!page.contains("<img src=x") && page.contains("&lt;img"), "the page holds what a name says");
}

#[test]
fn links_in_a_class_are_named_and_not_followed() {
    let place = scratch("links");
    let (class, private) = (place.join("class"), place.join("private"));
    script(&class.join("ann/homework"), LOSES);
    script(&private.join("agent/homework"), LOSES);
    file(&private.join("key"), "private words");
    for (name, target) in [("f1", "agent"), ("f2", "nothing"), ("f3", "key"), ("a1.zip", "key"), ("a2.zip", "nothing")]
    {
        std::os::unix::fs::symlink(private.join(target), class.join(name)).unwrap();
    }
    let out = place.join("out");
    for _again in 0..2 {
        let csv = done(&grade(&class, &["--time", "2", "--out", out.to_str().unwrap()]));
        assert!(line(&csv, "ann").contains(",graded,20,"), "{csv}");
        for name in ["f1", "f2", "f3", "a1", "a2"] {
            let told = line(&csv, name);
            assert!(told.contains("is a link") && told.contains(",graded,0,"), "{told}");
            let page = fs::read_to_string(out.join(name).join("grade.html")).unwrap();
            assert!(page.contains("is a link") && !page.contains("private"));
            assert_eq!(told.replacen(name, "f1", 1), line(&csv, "f1"));
        }
    }
    let similar = Command::new(env!("CARGO_BIN_EXE_quincunx")).arg("similar").arg(&class).output().unwrap();
    let told = done(&similar);
    assert!(told.matches("is a link").count() == 5 && !told.contains("private"), "{told}");
    // Whoever names a link may follow it; what is wrong with the archive is told by the name that was given.
    let one = grade(&class.join("a1.zip"), &["--time", "2"]);
    let said = String::from_utf8_lossy(&one.stderr);
    assert!(one.status.code() == Some(2) && said.contains("a1.zip") && !said.contains("private"), "{said}");
}

#[test]
fn every_name_stands_for_its_own_submission_and_none_is_forgotten() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let place = scratch("own-names");
    let class = place.join("class");
    script(&class.join("bob/homework"), "echo 20B > output.txt");
    // Blanks at its end once were cut off, and bob's program was graded.
    for (name, answer) in [("bob ", "20C"), ("bob\n", "20D"), (" bob", "20E"), ("[strict=no]", "20F")] {
        script(&class.join(name).join("homework"), &format!("echo {answer} > output.txt"));
    }
    script(&class.join(OsStr::from_bytes(b"M\xfcller")).join("homework"), LOSES);
    script(&class.join("\u{202e}eva/homework"), LOSES);
    file(&class.join("tom.rar"), "Rar!");
    let out = place.join("out");
    let csv = done(&grade(&class, &["--time", "2", "--out", out.to_str().unwrap()]));
    assert_eq!(csv.lines().count(), 9, "{csv}");
    for (name, answer) in [("bob", "20B"), (" bob", "20E"), ("[strict=no]", "20F")] {
        assert!(line(&csv, name).contains(answer), "{name}: {csv}");
    }
    assert!(csv.contains("20C") && csv.contains("20D"), "{csv}");
    assert!(line(&csv, "M\u{fffd}ller").contains("rename it"), "{csv}");
    assert!(line(&csv, "tom.rar").contains("another kind than zip"), "{csv}");
    assert!(!csv.contains('\u{202e}') && line(&csv, " eva").contains(",graded,20,"), "{csv}");
    let similar = Command::new(env!("CARGO_BIN_EXE_quincunx")).arg("similar").arg(&class).output().unwrap();
    assert!(done(&similar).contains("rename it"));
}

#[test]
fn a_program_beside_the_submissions_does_not_stand_for_the_class() {
    let place = scratch("beside");
    let class = place.join("class");
    for name in ["ann", "bob"] {
        script(&class.join(name).join("homework"), LOSES);
    }
    for name in ["run.sh", "homework.py", "CMD"] {
        script(&class.join(name), LOSES);
        let refused = grade(&class, &["--time", "2"]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(name) && said.lines().count() == 1, "{said}");
        fs::remove_file(class.join(name)).unwrap();
    }
    assert_eq!(done(&grade(&class, &["--time", "2"])).lines().count(), 3);
}

#[test]
fn results_are_not_put_into_what_is_graded() {
    let place = scratch("apart");
    for name in ["ann", "bob"] {
        script(&place.join("class").join(name).join("homework"), LOSES);
    }
    // Whoever is graded could have put results there before.
    for (what, out) in
        [("class", "class"), ("class", "class/out"), ("class", "class/none/such"), ("class/ann", "class/ann/x")]
    {
        let refused = grade(&place.join(what), &["--time", "2", "--out", place.join(out).to_str().unwrap()]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains("choose another place"), "{said}");
    }
    assert_eq!(fs::read_dir(place.join("class")).unwrap().count(), 2);
    let beside = place.join("class-results");
    done(&grade(&place.join("class"), &["--time", "2", "--out", beside.to_str().unwrap()]));
    assert!(beside.join("class.csv").exists());
}

/// The kinds of submission in a large class: each writes one of its kind below a directory, by its number.
type Kind = (&'static str, fn(&Path, usize));

/// An agent in Python that plays beside the stones there are, each number in its own order.
fn player(number: usize) -> String {
    format!(
        "import random\nrandom.seed({number})\nlines = open('input.txt').read().split('\\n')\nboard = lines[3:22]\n\
         stones = [(r, c) for r in range(19) for c in range(19) if board[r][c] != '.']\n\
         near = [(r, c) for r in range(19) for c in range(19) if board[r][c] == '.'\n        \
             and any(max(abs(r - a), abs(c - b)) in (1, 3) for a, b in stones)] or [(9, 9)]\n\
         r, c = random.choice(near)\nopen('output.txt', 'w').write('%d%s\\n' % (19 - r, 'ABCDEFGHJKLMNOPQRST'[c]))\n"
    )
}

const KINDS: [Kind; 12] = [
    ("cpp", |at, number| {
        let text = format!(
            "#include <fstream>\n#include <string>\n// {number}\nint main() {{ std::ifstream in(\"input.txt\"); std::string s; for (int i = 0; i < 3; i++) std::getline(in, s);\n\
             for (int r = 0; r < 19; r++) {{ std::getline(in, s); for (int c = 0; c < 19; c++) if (s[c] == '.' && (r + c) % 5 == {}) {{\n\
             std::ofstream(\"output.txt\") << 19 - r << \"ABCDEFGHJKLMNOPQRST\"[c] << \"\\n\"; return 0; }} }} }}\n",
            number % 5
        );
        file(&at.join("homework.cpp"), &text);
    }),
    ("java", |at, number| {
        let text = format!(
            "public class homework {{ public static void main(String[] a) throws Exception {{ // {number}\n\
             try (java.io.FileWriter w = new java.io.FileWriter(\"output.txt\")) {{ w.write(\"10K\\n\"); }} }} }}\n"
        );
        file(&at.join("homework.java"), &text);
    }),
    ("python", |at, number| file(&at.join("homework.py"), &player(number))),
    ("make", |at, number| {
        file(&at.join("Makefile"), "homework: agent.c\n\tcc -o homework agent.c\n");
        file(
            &at.join("agent.c"),
            &format!(
                "#include <stdio.h>\nint main() {{ FILE *f = fopen(\"output.txt\", \"w\"); fprintf(f, \"%dA\\n\", 1 + {number} % 19); return 0; }}\n",
            ),
        );
    }),
    ("command", |at, number| {
        file(&at.join("CMD"), "python3 agent.txt");
        file(&at.join("agent.txt"), &player(number));
    }),
    ("archive", |at, number| {
        file(&at.join("homework.py"), &player(number));
        let archive = at.with_extension("tar.gz");
        let made = Command::new("tar").arg("-czf").arg(archive).arg("-C").arg(at).arg("homework.py").status();
        assert!(made.unwrap().success());
        fs::remove_dir_all(at).unwrap();
    }),
    ("misnamed", |at, _| file(&at.join("hw2.py"), "print('hello')\n")),
    ("broken", |at, number| file(&at.join("homework.cpp"), &format!("int main() {{ retrun {number}; }}\n"))),
    ("crasher", |at, number| file(&at.join("homework.py"), &format!("x = [{number}]\nprint(x[1])\n"))),
    ("hostile", |at, number| {
        let deeds = [
            "b() { b | b & b | b & sleep 5; }; b",
            "i=0; while :; do head -c 9000000 /dev/zero > file$i; i=$((i+1)); done",
            "mkdir d; while cd d; do mkdir d; done",
            "exec yes >&2",
            "kill -9 -1; kill -9 1; ln -s /etc/shadow output.txt",
        ];
        script(&at.join("homework"), deeds[number % deeds.len()]);
    }),
    ("sleeper", |at, _| script(&at.join("homework"), "sleep 30")),
    ("deterministic", |at, _| {
        file(&at.join("homework.py"), &player(0).replace("random.choice(near)", "near[len(near) // 2]"));
    }),
];

#[test]
#[ignore = "takes ten minutes: cargo test -p quincunx --test grade sixty -- --ignored"]
fn a_class_of_sixty_is_graded_from_sources_though_it_is_killed_twice() {
    let place = scratch("sixty");
    let class = place.join("class");
    for number in 0..60 {
        let (kind, write) = KINDS[number % KINDS.len()];
        write(&class.join(format!("{kind}-{number:02}")), number);
    }
    let out = place.join("out");
    // Those that sleep cost no CPU time, so that more games at once take less time.
    let arguments = ["--time", "2", "--concurrency", "8", "--out", out.to_str().unwrap()];
    let played = || {
        let folders = fs::read_dir(&out).into_iter().flatten().flatten();
        folders.map(|entry| games(&out, &entry.file_name().to_string_lossy()).lines().count()).sum::<usize>()
    };
    for kill in 1..=2 {
        let mut child = command(&class, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while played() < 250 * kill {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            sleep(Duration::from_millis(20));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let csv = fs::read_to_string(out.join("class.csv")).unwrap();
        assert_eq!(csv.lines().count(), 61, "{csv}");
        assert!(fs::read_to_string(out.join("class.html")).unwrap().ends_with("</html>\n"));
        eprintln!("killed after {} games", played());
    }
    let csv = done(&grade(&class, &arguments));
    eprintln!("{csv}");
    assert_eq!(csv.lines().count(), 61);
    for row in csv.lines().skip(1) {
        let unplayable = row.starts_with("\"misnamed") || row.starts_with("\"broken");
        assert!(row.contains(if unplayable { ",graded,0," } else { ",graded,20," }), "{row}");
        // Nobody but the one who plays has points, and nobody loses by another's deed.
        let faultless = row.starts_with("\"python") || row.starts_with("\"archive") || row.starts_with("\"command");
        assert!(!faultless || !row.contains("crash") && !row.contains("excess"), "{row}");
    }
    assert_eq!(played(), 50 * 20);
}
