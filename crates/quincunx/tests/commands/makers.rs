//! `probcut`, `book`, `train`, `tune` and `spsa`: the commands that make what comes with the program, in tiny runs, and agents that
//! use what they wrote.

use std::fs;

use quincunx_search::{Number, Tuning};

use crate::binary::{directory, quincunx};

#[test]
fn probcut_writes_a_table_of_errors_by_phase_and_depth_and_the_same_one_again() {
    let arguments = ["probcut", "othello", "--positions", "250", "--depth", "4", "--seed", "3"];
    let table = quincunx(&arguments).done();
    assert_eq!(quincunx(&arguments).done(), table);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("# phase depth shallow bias error positions"));
    let mut rows = 0;
    for line in lines {
        let numbers: Vec<i32> = line.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let &[phase, deep, shallow, bias, error, positions] = &numbers[..] else { panic!("{line}") };
        assert!((0..8).contains(&phase) && (3..=4).contains(&deep) && shallow == deep - 2, "{line}");
        assert!(bias.abs() < 1000 && (50..2000).contains(&error) && positions >= 30, "{line}");
        rows += 1;
    }
    assert!(rows >= 4, "{table}");
    let told = quincunx(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(told["rows"].as_array().unwrap().len(), rows);
    assert!((3..=4).contains(&told["rows"][0]["depth"].as_i64().unwrap()) && told["made_by"]["seed"] == 3, "{told}");
    // The old name of the command still works.
    assert!(quincunx(&["foretell", "chess"]).refused(2).contains("chess"));
}

#[test]
fn probcut_keeps_the_table_with_the_weights_it_was_fitted_to() {
    let directory = directory("probcut");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    let out = path("with-table.bin");
    let arguments = ["probcut", "othello", "--positions", "250", "--depth", "4", "--out", &out];
    let table = quincunx(&arguments).done();
    // The weights are the same, so that the next fit begins alike; the file holds the table as text.
    let file = fs::read(&out).unwrap();
    assert!(file.windows(table.len()).any(|text| text == table.as_bytes()));
    let spec = format!("engine:nodes=500,book=off,weights={out}");
    assert!(quincunx(&["think", "othello", "--agent", &spec, "--json"]).done().contains("\"nodes\": 5"));
    let again = path("again.bin");
    quincunx(&["probcut", "othello", "--positions", "250", "--depth", "4", "--weights", &out, "--out", &again]).done();
    assert!(fs::read(&again).unwrap().len().abs_diff(file.len()) < 2000);
    let nowhere = ["probcut", "shobu", "--positions", "250", "--depth", "3", "--out", &out];
    assert!(quincunx(&nowhere).refused(2).contains("keep no ProbCut table"));
    assert_eq!(fs::read(&out).unwrap(), file);
}

#[test]
fn train_learns_othello_from_selfplay() {
    let directory = directory("train-selfplay");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    let (data, out) = (path("data"), path("weights.bin"));
    quincunx(&["selfplay", "othello", "--positions", "500", "--nodes", "60", "--out", &data]).done();
    let made = quincunx(&["train", "othello", "--data", &data, "--epochs", "1", "--out", &out]).done();
    assert!(made.contains("positions, "), "{made}");
    assert!(fs::read(&out).unwrap().len() > 1000);
    let foreign = path("foreign");
    quincunx(&["selfplay", "shobu", "--positions", "20", "--nodes", "60", "--out", &foreign]).done();
    let refused = quincunx(&["train", "othello", "--data", &foreign, "--out", &out]).refused(2);
    assert!(refused.contains("games of shobu, not of othello"), "{refused}");
}

#[test]
fn book_writes_a_book_and_the_same_one_again() {
    let directory = directory("book");
    let run = |name: &str| {
        let out = directory.join(name);
        let arguments = ["book", "othello", "--positions", "4", "--nodes", "500", "--out", out.to_str().unwrap()];
        let told = quincunx(&[&arguments[..], &["--json"]].concat()).json();
        assert!(told["positions"].as_u64() > Some(0) && told["made_by"]["version"].is_string());
        assert!(quincunx(&arguments).done().contains("positions, "));
        fs::read(out).unwrap()
    };
    let book = run("first");
    assert_eq!(run("second"), book);
    let think = |book: &str| {
        let spec = format!("engine:nodes=500,book={book}");
        quincunx(&["think", "othello", "--agent", &spec, "--json"])
    };
    let from_book = think(directory.join("first").to_str().unwrap()).done();
    assert!(from_book.contains("\"nodes\": 0"), "{from_book}");
    assert!(think("off").done().contains("\"nodes\": 5"));
    fs::write(directory.join("damaged"), &book[..book.len() - 3]).unwrap();
    assert!(think(directory.join("damaged").to_str().unwrap()).refused(2).contains("truncated"));
    assert!(think("nowhere").refused(2).contains("on, off or a file"));
    // A book is for one game and its default ruleset.
    let spec = format!("engine:book={}", directory.join("first").display());
    assert!(quincunx(&["think", "pente", "--agent", &spec]).refused(2).contains("not for pente"));
    let nowhere = directory.join("missing/book");
    let arguments = ["book", "othello", "--positions", "1", "--nodes", "9", "--out", nowhere.to_str().unwrap()];
    assert!(quincunx(&arguments).refused(1).contains("cannot write"));
}

#[test]
fn train_writes_weights_and_wants_games() {
    let directory = directory("weights");
    let out = directory.join("weights.bin");
    let out = out.to_str().unwrap();
    let made = quincunx(&["train", "othello", "--games", "40", "--epochs", "1", "--out", out]).done();
    assert!(made.contains("bytes of weights") && made.lines().count() == 17, "{made}");
    let told = quincunx(&["train", "othello", "--games", "40", "--epochs", "1", "--out", out, "--json"]).json();
    assert!(told["positions"].as_u64() > Some(0) && told["report"].as_array().unwrap().len() == 16, "{told}");
    let bytes = fs::read(out).unwrap();
    // What made the file stands beside it.
    let beside: serde_json::Value = serde_json::from_str(&fs::read_to_string(format!("{out}.json")).unwrap()).unwrap();
    assert!(
        beside["command"].as_array().unwrap().iter().any(|word| word == "train") && beside["seed"] == 1,
        "{beside}"
    );
    assert_eq!(beside["checksum"].as_str().unwrap().len(), 16);
    assert_eq!(beside["evaluator"].as_str().unwrap().len(), 16);
    // Two evaluators in one process.
    let spec = format!("engine:nodes=300,book=off,weights={out}");
    let arguments =
        ["match", "othello", &spec, "engine:nodes=300,book=off", "--games", "2", "--openings", "random:6", "--json"];
    assert!(quincunx(&arguments).done().contains("\"games\": 2"));
    fs::write(directory.join("damaged"), &bytes[..bytes.len() / 2]).unwrap();
    let refused = |game: &str, file: &str| {
        let spec = format!("engine:weights={}", directory.join(file).display());
        quincunx(&["think", game, "--agent", &spec]).refused(2)
    };
    assert!(refused("othello", "damaged").contains("truncated"));
    assert!(refused("othello", "missing").contains("cannot read the file"));
    assert!(refused("shobu", "weights.bin").contains("for \"othello\", not for shobu"));
    assert!(quincunx(&["train", "othello", "--games", "0", "--out", out]).refused(2).contains("--wthor"));
    assert_eq!(fs::read(out).unwrap(), bytes);
}

#[test]
fn train_learns_from_self_play_the_same_net_for_the_same_seed() {
    let directory = directory("net");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    let [data, first, second, other] = ["data", "first", "second", "other"].map(path);
    let selfplay = ["selfplay", "shobu", "--positions", "300", "--nodes", "50", "--out", &data];
    quincunx(&selfplay).done();
    let train = |out: &str, seed: &str, more: &[&str]| {
        let arguments = ["train", "shobu", "--data", &data, "--epochs", "2", "--seed", seed, "--out", out];
        quincunx(&[&arguments[..], more].concat())
    };
    let curve = path("curve.svg");
    let told = train(&first, "1", &["--curve", &curve]).done();
    assert!(told.contains("held out") && told.contains("bytes of weights"), "{told}");
    assert!(fs::read_to_string(&curve).unwrap().starts_with("<svg"));
    train(&second, "1", &["--score-share", "0.35"]).done();
    train(&other, "2", &[]).done();
    let read = |name: &str| fs::read(name).unwrap();
    assert_eq!(read(&first), read(&second), "0.35 is what Shobu takes anyway");
    assert_ne!(read(&first), read(&other));
    let spec = format!("engine:nodes=500,weights={first}");
    assert!(quincunx(&["think", "shobu", "--agent", &spec, "--json"]).done().contains("\"nodes\": 5"));
    // What cannot be learnt from is refused in one line, and nothing is written.
    let refused =
        |game: &str, data: &str| quincunx(&["train", game, "--data", data, "--out", &path("refused")]).refused(2);
    assert!(refused("aboyne", &data).contains("games of shobu, not of aboyne"));
    assert!(refused("shobu", &path("missing")).contains("cannot read"));
    assert!(quincunx(&["train", "shobu", "--out", &path("refused")]).refused(2).contains("--data"));
    assert!(train(&path("refused"), "1", &["--games", "5"]).refused(2).contains("self-play"));
    assert!(train(&path("refused"), "1", &["--score-share", "2"]).refused(2).contains("from 0 to 1"));
    let file = directory.join("data/games.bin");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    assert!(refused("shobu", &data).contains("damaged"));
    assert!(!directory.join("refused").exists());
}

#[test]
fn learn_goes_on_with_finished_steps_and_reports_all_of_them() {
    let directory = directory("learn");
    let out = directory.join("shobu").to_str().unwrap().to_string();
    let learn = |game: &str, out: &str, steps: &str| {
        let what = ["learn", game, "--hours", "1", "--steps", steps, "--out", out];
        let small = ["--positions", "200", "--nodes", "20", "--games", "4", "--limit", "nodes=30"];
        quincunx(&[&what[..], &small].concat())
    };
    let told = learn("shobu", &out, "1").done();
    assert!(told.contains("step 1: won ") && told.contains("1 steps, "), "{told}");
    let read = |name: &str| fs::read(directory.join("shobu").join(name)).unwrap();
    let (first, steps) = (read("step-001/weights.bin"), read("steps.jsonl"));
    let told = learn("shobu", &out, "2").done();
    assert!(told.contains("step 1: won ") && told.contains("step 2: won "), "{told}");
    assert_eq!(read("step-001/weights.bin"), first);
    assert!(read("steps.jsonl").starts_with(&steps), "a finished step is not played again");
    let report = String::from_utf8(read("report.md")).unwrap();
    assert!(report.contains("| 1 | ") && report.contains("| 2 | ") && report.contains("add up to"), "{report}");
    let spec = format!("engine:nodes=100,weights={out}/best.bin");
    quincunx(&["think", "shobu", "--agent", &spec]).done();
    assert!(learn("shobu", &format!("{out},x"), "1").refused(2).contains("comma"));
    assert!(learn("aboyne", &out, "9").refused(2).contains("shobu"));
}

#[test]
fn tuned_weights_are_played_with() {
    let directory = directory("tuned");
    for (game, ruleset) in [("tessella", "d4"), ("aboyne", "seed")] {
        let out = directory.join(game);
        let out = out.to_str().unwrap();
        let arguments = ["tune", game, "--ruleset", ruleset, "--out", out];
        let small = ["--games", "20", "--nodes", "100", "--random-plies", "6"];
        let arguments = [&arguments[..], &small].concat();
        let told = quincunx(&[&arguments[..], &["--json"]].concat()).json();
        assert!(told["weights"][0]["name"].is_string() && told["made_by"]["seed"] == 1);
        assert!(quincunx(&arguments).done().contains("quiet positions"));
        let spec = format!("engine:nodes=2000,weights={out}");
        let think = |spec: &str| quincunx(&["think", game, "--ruleset", ruleset, "--agent", spec, "--json"]).done();
        assert_ne!(think(&spec), think("engine:nodes=2000"), "other weights give other scores");
    }
}

#[test]
fn too_little_to_learn_from_is_told() {
    let message = quincunx(&["probcut", "othello", "--positions", "1"]).refused(1);
    assert!(message.contains("too few"), "{message}");
}

#[test]
fn spsa_tunes_numbers_goes_on_after_a_kill_and_finds_the_same_for_the_same_seed() {
    let directory = directory("spsa");
    let path = |name: &str| directory.join(name).to_str().unwrap().to_string();
    let [first, second] = ["first.bin", "second.bin"].map(path);
    let spsa = |out: &str, more: &[&str]| {
        let what =
            ["spsa", "tessella", "--numbers", "futility=30,reduction=220", "--iterations", "12", "--nodes", "800"];
        let small = ["--pairs", "1", "--openings", "random:4", "--rate", "0.5", "--seed", "3", "--out", out];
        quincunx(&[&what[..], &small, more].concat())
    };
    let curve = path("curve.svg");
    let told = spsa(&first, &["--concurrency", "1", "--curve", &curve]).done();
    assert!(told.contains("12 iterations, 24 games") && told.contains("reduction"), "{told}");
    assert!(fs::read_to_string(&curve).unwrap().contains("futility"));
    let told = spsa(&second, &["--concurrency", "2", "--json"]).json();
    assert!(told["numbers"][1]["start"] == 220 && told["way"].as_array().unwrap().len() == 13, "{told}");
    assert_ne!(told["numbers"][1]["end"], 220, "at 60 nodes all settings play alike");
    let weights = fs::read(&first).unwrap();
    assert_eq!(weights, fs::read(&second).unwrap());
    // What a kill leaves: some iterations, and a line that was not written to its end.
    let journal = format!("{first}.spsa");
    let text = fs::read_to_string(&journal).unwrap();
    let kept: Vec<_> = text.lines().take(4).collect();
    fs::write(&journal, format!("{}\n1 0", kept.join("\n"))).unwrap();
    fs::remove_file(&first).unwrap();
    spsa(&first, &[]).done();
    assert_eq!((fs::read(&first).unwrap(), fs::read_to_string(&journal).unwrap()), (weights.clone(), text));
    // The numbers are in the file, and other numbers search another tree.
    let heading = String::from_utf8_lossy(&weights[..weights.iter().position(|&byte| byte == b'\n').unwrap()]);
    assert!(heading.starts_with("quincunx weights 1 tessella "), "{heading}");
    let think = |spec: &str| quincunx(&["think", "tessella", "--agent", spec, "--json"]).json()["depth"].clone();
    assert!(think(&format!("engine:nodes=500,weights={first}")).as_u64() > Some(0));
    // Other settings are not mixed with those of the run, and what is wrong is told in one line.
    let other = ["spsa", "tessella", "--iterations", "6", "--nodes", "60", "--out", &first];
    assert!(quincunx(&other).refused(2).contains("other settings"));
    let refused = |numbers: &str| {
        let out = path("refused.bin");
        quincunx(&["spsa", "tessella", "--numbers", numbers, "--iterations", "2", "--nodes", "9", "--out", &out])
            .refused(2)
    };
    assert!(refused("futilty").contains("reverse-futility 0..5000"));
    assert!(refused("futility=9000").contains("futility 0..5000"));
    assert!(refused("null-move").contains("say where to begin"));
    assert!(!directory.join("refused.bin").exists());
}

#[test]
fn numbers_of_the_search_are_named_in_specs_and_kept_in_files_of_weights() {
    let think = |game: &str, spec: &str| quincunx(&["think", game, "--agent", spec, "--json"]);
    for game in ["othello", "tessella"] {
        let answer = |spec: &str| {
            let mut told = think(game, spec).json();
            told["seconds"] = serde_json::Value::Null;
            told
        };
        let plain = answer("engine:depth=7,book=off");
        assert_eq!(answer("engine:depth=7,book=off,null-move=0"), plain, "{game}: the value that it has");
        assert_ne!(answer("engine:depth=7,book=off,reduction=60")["nodes"], plain["nodes"], "{game}");
    }
    let told = think("othello", "engine:futilty=3").refused(2);
    assert!(told.contains("did you mean futility?"), "{told}");
    assert!(think("othello", "engine:futility=9999").refused(2).contains("from 0 to 5000"));
    // Two settings in one process.
    let match_ = ["match", "tessella", "engine:nodes=99,futility=20", "engine:nodes=99,reduction=100", "--games", "2"];
    assert_eq!(quincunx(&[&match_[..], &["--json"]].concat()).json()["games"], 2);
}

#[test]
fn the_document_has_every_number_of_the_search_with_its_range() {
    let document = include_str!("../../../../docs/LEARNING.md");
    for Number { name, least, most, .. } in Tuning::NUMBERS {
        assert!(document.contains(&format!("| `{name}` | {least} to {most} |")), "{name}");
    }
}
