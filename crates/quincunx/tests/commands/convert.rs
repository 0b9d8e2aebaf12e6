//! `convert`, and what else reads and writes files of games: `show --record`, `play --record`, `--moves`, `--openings`.

use std::fs;

use crate::binary::{directory, quincunx, quincunx_reading};

const GAMES: &str = "F5D6C3D3C4\nf5 f6\n";

#[test]
fn games_go_from_format_to_format_and_come_back() {
    let directory = directory("convert");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    fs::write(path("games.lines"), GAMES).unwrap();
    let chain =
        ["games.lines", "a.wtb", "b.ggf", "c.sgf", "d.pgn", "e.jsonl", "f.csv", "g.parquet", "h.txt", "i.transcript"];
    for pair in chain.windows(2) {
        let run = quincunx(&["convert", &path(pair[0]), &path(pair[1])]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{pair:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("2 games written as "), "{}", run.stderr);
    }
    assert_eq!(fs::read_to_string(path("i.transcript")).unwrap(), "F5D6C3D3C4\nF5F6\n");
    assert!(directory.join("a.jou").exists() && directory.join("a.trn").exists());
    let rows = quincunx(&["convert", &path("b.ggf"), "-", "--write", "csv", "--positions"]).done();
    assert_eq!(rows.lines().count(), 1 + 6 + 3, "{rows}");
    let told = quincunx(&["convert", &path("b.ggf"), &path("j.csv"), "--json"]).json();
    assert_eq!((told["games"].as_u64(), told["format"].as_str()), (Some(2), Some("csv")));
    let formats = quincunx(&["convert", "--list", "--json"]).json();
    assert!(formats["formats"].as_array().unwrap().len() >= 15);
}

#[test]
fn a_wrong_file_is_named_with_its_line_and_nothing_is_written() {
    let directory = directory("convert-wrong");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    fs::write(path("wrong"), "f5 d6\nf5 d5\nf5 f6\n").unwrap();
    let refused = quincunx(&["convert", &path("wrong"), &path("out.ggf")]).refused(2);
    assert!(refused.contains("wrong: line 2: move 2: d5 is occupied"), "{refused}");
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 1, "nothing is written, not even in part");
    let run = quincunx(&["convert", &path("wrong"), &path("out.ggf"), "--skip-wrong"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("left out: line 2") && run.stderr.contains("2 games written as ggf, 1 left out"));
    let message = |arguments: &[&str]| quincunx(arguments).refused(2);
    assert!(message(&["convert", &path("nothing"), &path("x.ggf")]).contains("cannot read"));
    assert!(message(&["convert", &path("wrong"), &path("x.docx")]).contains("--write"));
    assert!(message(&["convert", &path("wrong"), &path("x.ggf"), "--write", "ggg"]).contains("the formats are wthor"));
    assert!(message(&["convert", &path("wrong"), &path("x.ggf"), "--positions"]).contains("csv and parquet"));
    assert!(message(&["convert", &path("wrong"), &path("x.ggf"), "--read", "wthor"]).contains("no WTHOR file"));
    assert!(message(&["convert"]).contains("required"));
}

#[test]
fn show_reads_any_format_and_moves_need_no_spaces() {
    let directory = directory("convert-show");
    let path = directory.join("games.ggf").to_str().unwrap().to_string();
    fs::write(directory.join("lines"), GAMES).unwrap();
    assert_eq!(quincunx(&["convert", directory.join("lines").to_str().unwrap(), &path]).code, Some(0));
    let joined = quincunx(&["show", "othello", "--moves", "F5D6c3d3C4"]).done();
    assert_eq!(quincunx(&["show", "othello", "--moves", "f5 d6 c3,d3 c4"]).done(), joined);
    assert_eq!(quincunx(&["show", "othello", "--record", &path]).done(), joined);
    let second = quincunx(&["show", "othello", "--record", &path, "--number", "2", "--ply", "1", "--json"]).json();
    assert_eq!(second["ply"], 1);
    assert!(quincunx(&["show", "othello", "--record", &path, "--number", "3"]).refused(2).contains("it has 2"));
    assert!(quincunx(&["show", "pente", "--record", &path]).refused(2).contains("game of othello"));
    assert!(quincunx(&["show", "othello", "--moves", "F5D6A1"]).refused(2).contains("move 3: a1 flips nothing"));
    assert!(quincunx(&["show", "pente", "--moves", "K10L9"]).done().contains("ply 2"));
}

#[test]
fn play_keeps_its_game_in_a_file() {
    let directory = directory("play-record");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    let run = quincunx_reading("f5d6\nc3\nresign\n", &["play", "othello", "--record", &path("game.ggf")]);
    assert!(run.stdout.contains("White: d6") && run.stdout.contains("Black wins: White resigned"), "{}", run.stdout);
    let kept = fs::read_to_string(path("game.ggf")).unwrap();
    assert!(kept.contains("RE[+64.000:r]") && kept.contains("B[F5]W[D6]B[C3];)"), "{kept}");
    quincunx_reading(
        "10K\n",
        &["play", "pente", "--second", "engine:depth=1", "--seed", "1", "--record", &path("game")],
    )
    .done();
    let kept = fs::read_to_string(path("game")).unwrap();
    assert!(kept.contains("\"game\":\"pente\"") && kept.contains("unfinished"), "{kept}");
    // What made it.
    for tag in
        ["\"Version\":\"0", "\"Machine\":\"", "\"Command\":\"play pente", "\"Seed\":\"1\"", "\"SecondEvaluator\":\""]
    {
        assert!(kept.contains(tag), "{tag}: {kept}");
    }
    assert!(quincunx(&["play", "othello", "--record", &path("game.xyz")]).refused(2).contains("extension \"xyz\""));
}

#[test]
fn openings_come_from_files_of_games() {
    let directory = directory("convert-openings");
    let path = directory.join("games.csv").to_str().unwrap().to_string();
    fs::write(&path, "game,moves\nothello,f5 d6 c3\nothello,f5 f6 e6\nothello,f5 d6 c4\n").unwrap();
    let word = format!("first:2:{path}");
    let played = |openings: &str| {
        let arguments = ["match", "othello", "random", "random", "--games", "6", "--seed", "1", "--openings", openings];
        quincunx(&arguments)
    };
    assert_eq!(played(&word).code, Some(0));
    assert_eq!(played(&path).code, Some(0));
    assert!(played("first:x:y").refused(2).contains("from 0 to 1000"));
}
