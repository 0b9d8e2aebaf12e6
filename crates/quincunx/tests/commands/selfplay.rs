//! `selfplay` and `data`: the same games whatever the threads and interruptions, and what a directory holds.

use std::{fs, path::Path, time::Duration};

use crate::binary::{Run, command, directory, every_ruleset, quincunx};

/// Positions of Tessella, 20 nodes a move, with further arguments.
fn selfplay(out: &Path, positions: u32, more: &[&str]) -> Run {
    let (out, positions) = (out.to_str().unwrap(), positions.to_string());
    let usual = ["selfplay", "tessella", "--nodes", "20", "--ruleset", "d4", "--positions", &positions, "--out", out];
    quincunx(&[&usual[..], more].concat())
}

fn file(directory: &Path) -> Vec<u8> {
    fs::read(directory.join("games.bin")).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_file_whatever_the_threads() {
    let directory = directory("selfplay-threads");
    let run = |name: &str, more: &[&str]| {
        let out = directory.join(name);
        assert!(selfplay(&out, 5000, more).done().contains(" games, "));
        file(&out)
    };
    let one = run("one", &["--concurrency", "1"]);
    assert_eq!(run("three", &["--concurrency", "3"]), one);
    assert_ne!(run("other", &["--seed", "2"])[200..], one[200..]);
}

#[test]
fn a_run_that_was_killed_or_asked_for_less_goes_on_to_the_same_file() {
    let directory = directory("selfplay-killed");
    let (whole, parts) = (directory.join("whole"), directory.join("parts"));
    selfplay(&whole, 9000, &[]).done();
    let whole = file(&whole);
    for positions in [100, 4500, 4600] {
        selfplay(&parts, positions, &[]).done();
    }
    // What a kill leaves of a chunk.
    let mut bytes = file(&parts);
    bytes.truncate(bytes.len() - 9);
    fs::write(parts.join("games.bin"), bytes).unwrap();
    let data = quincunx(&["data", parts.to_str().unwrap(), "--json"]).json();
    assert_eq!(data["damage"], "the file ends within chunk 1");
    assert!(data["positions"].as_u64().unwrap() >= 4096);
    // A run that is killed at some moment.
    let (out, arguments) = (parts.to_str().unwrap(), ["--positions", "9000", "--nodes", "20", "--out"]);
    let mut child = command(&[&["selfplay", "tessella", "--ruleset", "d4"][..], &arguments, &[out]].concat()).spawn();
    std::thread::sleep(Duration::from_millis(300));
    child.as_mut().unwrap().kill().unwrap();
    child.unwrap().wait().unwrap();
    selfplay(&parts, 9000, &[]).done();
    assert!(file(&parts) == whole, "other bytes");
    // There is nothing left to do, and nothing is lost.
    selfplay(&parts, 50, &[]).done();
    assert!(file(&parts) == whole, "other bytes");
}

#[test]
#[cfg(unix)]
fn ctrl_c_keeps_the_games_that_were_finished() {
    let out = directory("selfplay-stopped").join("data");
    let arguments =
        ["selfplay", "tessella", "--positions", "1000000000", "--nodes", "20", "--concurrency", "2", "--out"];
    let child = command(&[&arguments[..], &[out.to_str().unwrap()]].concat()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "stopped; the same command goes on\n");
    let data = quincunx(&["data", out.to_str().unwrap(), "--json"]).json();
    assert!(data["games"].as_u64().unwrap() > 0 && data["damage"].is_null(), "{data}");
}

#[test]
fn other_settings_and_damaged_or_foreign_files_are_refused() {
    let directory = directory("selfplay-refused");
    let out = directory.join("data");
    selfplay(&out, 50, &[]).done();
    let before = file(&out);
    assert!(selfplay(&out, 60, &["--seed", "2"]).refused(2).contains("holds other data: seed=1, not seed=2"));
    let range = selfplay(&out, 60, &["--random-plies", "3..5"]).refused(2);
    assert!(range.contains("random-plies=4..12, not random-plies=3..5"));
    let shobu = ["selfplay", "shobu", "--nodes", "20", "--positions", "60", "--out", out.to_str().unwrap()];
    assert!(quincunx(&shobu).refused(2).contains("tessella, not shobu"));
    assert!(selfplay(&out, 60, &["--random-plies", "5..3"]).refused(2).contains("range"));
    assert!(selfplay(&out, 60, &["--weights", "nowhere"]).refused(2).contains("cannot read"));
    assert_eq!(file(&out), before);

    let data = || quincunx(&["data", out.to_str().unwrap()]);
    let mut damaged = before.clone();
    damaged[before.len() / 2] ^= 1;
    fs::write(out.join("games.bin"), &damaged).unwrap();
    assert!(selfplay(&out, 60, &[]).refused(2).contains("chunk 0 is damaged: its checksum is wrong"));
    assert!(data().done().contains("damage      chunk 0 is damaged: its checksum is wrong"));
    fs::write(out.join("games.bin"), "something else\n").unwrap();
    assert!(selfplay(&out, 60, &[]).refused(2).contains("not a file of quincunx selfplay"));
    assert!(data().refused(2).contains("not a file of quincunx selfplay"));
    assert!(quincunx(&["data", "nowhere"]).refused(2).contains("cannot read"));
}

#[test]
fn data_tells_what_is_in_a_directory_of_every_game() {
    let directory = directory("selfplay-data");
    for (game, ruleset, _) in every_ruleset() {
        let out = directory.join(format!("{game}-{ruleset}"));
        let out = out.to_str().unwrap();
        let asked = ["--positions", "120", "--nodes", "30", "--random-plies", "0..6", "--seed", "9", "--out", out];
        quincunx(&[&["selfplay", &game, "--ruleset", &ruleset][..], &asked].concat()).done();
        let data = quincunx(&["data", out, "--json"]).json();
        assert_eq!((&data["game"], &data["ruleset"]), (&game.into(), &ruleset.into()));
        assert_eq!((&data["nodes"], &data["seed"]), (&30.into(), &9.into()));
        assert_eq!(data["evaluator_is_embedded"], true);
        assert!(data["damage"].is_null(), "{data}");
        let number = |name: &str| data[name].as_u64().unwrap();
        assert!(number("positions") >= 120 && number("quiet") > 0 && number("quiet") < number("positions"), "{data}");
        assert_eq!(number("first_wins") + number("second_wins") + number("draws"), number("games"));
        let scores = ["estimates", "exact", "wins", "losses"].map(|name| data["scores"][name].as_u64().unwrap());
        assert_eq!(scores.iter().sum::<u64>(), number("positions"));
        assert!(number("bytes") < 400 + 9 * number("positions"), "{data}");
        assert_eq!(data["versions"].as_array().unwrap().len(), 1);
    }
    let text = quincunx(&["data", directory.join("pente-free").to_str().unwrap()]).done();
    assert!(text.starts_with("pente free, 30 nodes a move, 0 to 6 random plies, seed 9\n"), "{text}");
    assert!(text.ends_with("damage      none\n"), "{text}");
}

#[test]
fn self_play_becomes_tables_of_games_and_of_positions_with_their_scores() {
    let directory = directory("selfplay-tables");
    let out = directory.join("data");
    selfplay(&out, 300, &[]).done();
    let told = quincunx(&["data", out.to_str().unwrap(), "--json"]).json();
    let (games, positions) = (told["games"].as_u64().unwrap(), told["positions"].as_u64().unwrap());
    let file = out.join("games.bin");
    let convert =
        |more: &[&str]| quincunx(&[&["convert", file.to_str().unwrap(), "-", "--write", "csv"], more].concat());
    assert_eq!(convert(&[]).done().lines().count() as u64, 1 + games);
    let rows = convert(&["--positions"]).done();
    let scored = rows.lines().skip(1).filter(|row| !row.split(',').rev().nth(1).unwrap().is_empty()).count();
    assert_eq!(scored as u64, positions, "{rows}");
    let parquet = directory.join("rows.parquet");
    let run = quincunx(&["convert", file.to_str().unwrap(), parquet.to_str().unwrap(), "--positions"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made_by: serde_json::Value = serde_json::from_slice(&fs::read(out.join("made_by.json")).unwrap()).unwrap();
    assert_eq!(made_by["command"][0], "selfplay");

    // A damaged file is refused, and nothing is written.
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = directory.join("damaged.bin");
    fs::write(&damaged, bytes).unwrap();
    let to = directory.join("damaged.csv");
    let refused = quincunx(&["convert", damaged.to_str().unwrap(), to.to_str().unwrap()]);
    assert!(refused.code == Some(2) && refused.stderr.contains("chunk 0 is damaged"), "{}", refused.stderr);
    assert!(!to.exists());
}
