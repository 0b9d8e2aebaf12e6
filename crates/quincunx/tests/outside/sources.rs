//! Agents that are handed in as sources: built inside the walls, once for the same content.

use std::{fs, path::Path};

use quincunx_games::{open, rules};
use quincunx_outside::{
    build,
    files::{Prepared, prepare},
};

use crate::agent::{Folder, ask_in, cpu, lacks, prepare as prepare_programs};

const CPP: &str = "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << \"10K\\n\"; }\n";

fn spec(folder: &Folder) -> String {
    format!("files:{}", folder.0.display())
}

fn with(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, text) in files {
        let path = folder.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// What is found out about a folder, which has what is on disk of no earlier run.
fn prepared(folder: &Folder) -> Prepared {
    prepare_programs();
    prepare(&spec(folder), &rules("pente", None).unwrap()).unwrap()
}

#[track_caller]
fn plays(folder: &Folder) {
    let found = ask_in(&*open("pente", None, None).unwrap(), &spec(folder), cpu(20.0));
    assert_eq!(found.unwrap_or_else(|failure| panic!("{failure}")).mv, "10K");
}

#[test]
fn cpp_java_and_makefiles_are_built() {
    if !lacks("g++") {
        plays(&with(&[("homework.cpp", CPP)]));
        // Of an older standard, and of a newer one.
        plays(&with(&[("homework.cpp", &CPP.replace("{ std", "{ register int i = 0; (void) i; std"))]));
        plays(&with(&[(
            "homework.cpp",
            &format!("#include <concepts>\ntemplate <std::integral T> T f(T x) {{ return x; }}\n{CPP}"),
        )]));
        // An include is missing, which older compilers did not need.
        let folder = with(&[("homework.cpp", &CPP.replace("int main() {", "int main() { int i = INT_MAX; (void) i;"))]);
        plays(&folder);
        assert!(prepared(&folder).messages.contains("builds only with"));
        if !lacks("make") {
            let make = "all: agent\nagent: agent.cc\n\tg++ -o agent agent.cc\n";
            plays(&with(&[("agent.cc", CPP), ("Makefile", make)]));
            plays(&with(&[("agent.cc", CPP), ("Makefile", make), ("CMD", "./agent")]));
        }
    }
    if !lacks("javac") {
        let java = "public class homework { public static void main(String[] a) throws Exception {\n\
                    new Helper().write(\"10K\\n\"); } }";
        let helper = "class Helper { void write(String s) throws Exception {\n\
                      try (java.io.FileWriter w = new java.io.FileWriter(\"output.txt\")) { w.write(s); } } }";
        plays(&with(&[("homework.java", java), ("Helper.java", helper)]));
    }
}

#[test]
fn sources_come_before_a_program_that_was_handed_in_with_them() {
    if lacks("g++") {
        return;
    }
    let folder = with(&[("homework.cpp", CPP)]);
    folder.program("homework", "#!/bin/sh\necho 1A > output.txt");
    plays(&folder);
}

#[test]
fn an_only_folder_inside_is_the_agents() {
    plays(&with(&[
        ("hw2/homework.py", "open('output.txt', 'w').write('10K')"),
        (".DS_Store", "x"),
        ("__MACOSX/y", "z"),
    ]));
}

#[test]
fn a_build_is_kept_by_the_content_of_its_sources() {
    if lacks("g++") {
        return;
    }
    // What only a build can know is the same in two folders with the same content, and another one in a third.
    let text =
        "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << __DATE__ __TIME__ << __TIMESTAMP__; }\n";
    let stamped = |extra: &str| {
        let folder = with(&[("homework.cpp", &format!("{text}// {}{extra}\n", std::process::id()))]);
        let game = open("othello", None, None).unwrap();
        let answer = ask_in(&*game, &spec(&folder), cpu(20.0)).unwrap().mv;
        (answer, prepared(&folder).content)
    };
    let first = stamped("");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    assert_eq!(stamped(""), first);
    let other = stamped("x");
    assert!(other.0 != first.0 && other.1 != first.1);
}

#[test]
fn a_build_that_fails_is_told_with_the_compilers_words() {
    if lacks("g++") {
        return;
    }
    let found = prepared(&with(&[("homework.cpp", "int main() { retrun 0; }\n")]));
    let refusal = found.refusal.unwrap();
    assert!(refusal.contains("homework.cpp does not build") && refusal.contains("retrun"), "{refusal}");
    assert!(!refusal.contains('\n') && found.messages.lines().count() > 1, "{}", found.messages);
}

#[test]
fn a_hostile_build_costs_only_itself() {
    if lacks("g++") {
        return;
    }
    for (name, text) in [
        ("endless", "template <int N> struct S { S<N + 1> s; }; S<0> s; int main() {}\n"),
        ("large", "char c[1ul << 40] = {1}; int main() {}\n"),
        ("private", "#include \"/etc/shadow\"\nint main() {}\n"),
        ("itself", "#include __FILE__\n#include __FILE__\nint main() {}\n"),
        ("endless input", "#include \"/dev/zero\"\nint main() {}\n"),
    ] {
        let began = std::time::Instant::now();
        let found = prepared(&with(&[("homework.cpp", text)]));
        assert!(found.refusal.is_some(), "{name}");
        assert!(found.messages.len() < 20_000, "{name}");
        assert!(began.elapsed().as_secs() < 120, "{name}");
    }
    if !lacks("make") {
        let found = prepared(&with(&[("Makefile", "all:\n\tcat /etc/shadow > homework; kill -9 -1\n")]));
        assert!(found.refusal.is_some());
        let found = prepared(&with(&[("Makefile", "all:\n\tln -s /etc homework; mkfifo pipe; chmod 0 .\n")]));
        assert!(found.refusal.is_some());
    }
}

#[test]
fn a_wrong_file_name_is_named() {
    let game = rules("pente", None).unwrap();
    for (name, says) in [
        ("Homework.cpp", "\"Homework.cpp\" should be called homework.cpp"),
        ("hw2.py", "\"hw2.py\" should be called homework.py"),
        ("HOMEWORK.JAVA", "\"HOMEWORK.JAVA\" should be called homework.java"),
        ("main.cc", "\"main.cc\" should be called homework.cpp"),
        ("agent.rs", "\"agent.rs\" needs a Makefile"),
        ("hw/solution.py", "no agent"),
    ] {
        let folder = with(&[(name, "x")]);
        let error = build(&spec(&folder), &game, 0).err().unwrap().to_string();
        assert!(error.contains(says) && error.contains("no agent"), "{error}");
    }
}

#[test]
fn a_calibration_is_built_too_and_its_failure_is_a_remark() {
    let agent = ("homework.py", "open('output.txt', 'w').write(open('calibration.txt').read())");
    if !lacks("g++") {
        let write = "#include <fstream>\nint main() { std::ofstream(\"calibration.txt\") << \"10K\\n\"; }\n";
        plays(&with(&[agent, ("calibrate.cpp", write)]));
        let found = prepared(&with(&[agent, ("calibrate.cpp", "int main( {}\n")]));
        assert!(found.refusal.is_none() && found.messages.contains("calibrate.cpp does not build"), "{found:?}");
    }
    for (text, says) in [
        ("import sys; sys.exit(3)", "ended with code 3"),
        ("open('calibrate.txt', 'w').write('1')", "did not write calibration.txt, but \"calibrate.txt\""),
        ("pass", "did not write calibration.txt"),
        ("import os; os.mkdir('calibration.txt')", "not a plain file"),
    ] {
        let remark = prepared(&with(&[agent, ("calibrate.py", text)])).calibration.unwrap();
        assert!(remark.contains(says), "{remark}");
    }
}

#[test]
fn the_folder_of_builds_belongs_to_its_user_alone() {
    if lacks("g++") {
        return;
    }
    plays(&with(&[("homework.cpp", &format!("{CPP}// {}\n", std::process::id()))]));
    let home = std::env::var("XDG_CACHE_HOME")
        .unwrap_or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cache")).unwrap_or_default());
    let builds = Path::new(&home).join("quincunx/builds");
    if let Ok(found) = fs::metadata(&builds) {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(found.permissions().mode() & 0o077, 0);
    }
}
