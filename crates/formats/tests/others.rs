//! Files as other programs write them, and files that are wrong: one line that names the place.

use quincunx_formats::{Input, all, by_name, read, read_all};
use quincunx_game::{Ending, Side};
use quincunx_games::{NO_MOVES, rules, set_up};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn message(text: &str) -> String {
    let error = read_all(&Input::new(text.as_bytes())).map(|_| ()).unwrap_err().to_string();
    assert!(error.len() < 400 && !error.contains('\n'), "{error}");
    error
}

#[test]
fn a_game_text_of_pente_org_is_read() {
    let text = "[Game \"Pente\"]\n[Site \"Pente.org\"]\n[Event \"Turn-based Game\"]\n[Round \"-\"]\n[Date \"01/19/2014\"]\n\
        [Rated \"Y\"]\n[Player 1 Name \"ann\"]\n[Player 2 Name \"bob\"]\n[Player 1 Rating \"1500\"]\n\
        [Player 2 Rating \"1600\"]\n[Player 1 Type \"Human\"]\n[Result \"1-0\"]\n\n1. K10 L9 2. N10 J9\n3. L8 K9\n";
    let games = read_all(&Input::new(text.as_bytes())).unwrap();
    let record = &games[0].record;
    assert_eq!(record.players, ["ann", "bob"]);
    assert_eq!((record.tag("FirstElo"), record.tag("Round"), record.tag("Rated")), ("1500", "", "Y"));
    assert_eq!((record.moves.as_str(), record.ending), ("10K 9L 10N 9J 8L 9K", Ending::Won(Side::First)));
    let list = read_all(&Input::new(b"# two games\n1500 1600 1-0 K10 L9 N10\n1500 ? 0-1 K10 L9\n")).unwrap();
    assert_eq!((list.len(), list[1].record.tag("SecondElo")), (2, ""));
}

#[test]
fn a_pgn_of_a_match_runner_is_read_without_its_variations() {
    let text = "[Event \"m\"]\n[White \"b\"]\n[Black \"a\"]\n[Variant \"Othello\"]\n[Result \"*\"]\n\n\
        1. f5 {+0.3/5\n0.1s} (1. d3 c5 {no}) 1... d6 $1 2.c3 d3 *\n";
    let games = read_all(&Input::new(text.as_bytes())).unwrap();
    let record = &games[0].record;
    assert_eq!((record.moves.as_str(), record.players[0].as_str()), ("f5 d6 c3 d3", "a"));
    assert_eq!(record.notes, ["+0.3/5\n0.1s", "", "", ""]);
}

#[test]
fn a_ggf_game_has_passes_scores_and_a_result() {
    let start = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let text = format!(
        "1 (;GM[Othello]PC[GGS/os]PB[a]PW[b]RB[1700.1]RE[+4.000:r]TY[8]{start}B[F5/1.5/2.0]W[d6];)\n2 (;GM[Othello]{start};)\n"
    );
    let games = read_all(&Input::new(text.as_bytes())).unwrap();
    let record = &games[0].record;
    assert_eq!((games.len(), record.moves.as_str(), record.start.as_deref()), (2, "f5 d6", None));
    assert_eq!((record.ending, record.cause.as_str()), (Ending::Won(Side::First), "resigned"));
    assert_eq!((record.notes[0].as_str(), record.tag("FirstElo")), ("1.5, 2.0 s", "1700.1"));
    assert!(message(&text.replace("W[d6]", "W[a1]")).starts_with("line 1: move 2: a1"));
    assert!(message(&text.replace("W[d6];)", "W[d6]").replace("2 (;", "2 (").replace(";)\n", "")).contains("no end"));
    assert!(message(&text.replace("BO[8", "BO[10")).contains("10x10"));
    // Two moves of one side, although the other one need not pass.
    assert!(message(&text.replace("W[d6]", "B[d6]")).starts_with("line 1: move 2: "));
}

#[test]
fn sgf_takes_the_main_line_and_both_ways_to_name_a_square() {
    let text = "(;FF[4]GM[2]SZ[8]PB[a\\]b]PW[c]RE[W+R];B[fe](;W[d6];B[c3])(;W[f6];B[e6]))";
    let games = read_all(&Input::new(text.as_bytes())).unwrap();
    let record = &games[0].record;
    assert_eq!((record.moves.as_str(), record.players[0].as_str()), ("f5 d6 c3", "a]b"));
    assert_eq!((record.ending, record.cause.as_str()), (Ending::Won(Side::Second), "resigned"));
    // Pente under the number of Gomoku, when it is asked for; Black begins on some sites.
    let pente = "(;GM[4]SZ[19];B[jj];W[ki])";
    assert!(message(pente).contains("GM[4]"));
    let asked = Input::new(pente.as_bytes()).expecting(rules("pente", None).unwrap());
    assert_eq!(read_all(&asked).unwrap()[0].record.moves, "10K 11L");
    let placed = "(;GM[2]SZ[8]AB[ed][de]AW[dd][ee]PL[B];B[fe])";
    assert_eq!(read_all(&Input::new(placed.as_bytes())).unwrap()[0].record.start, None);
    for wrong in ["(;GM[2]SZ[8];B[fe]", "(;GM[2]SZ[8];B[fe", "(;GM[2]SZ[9])", "(;GM[2];B)", "(;GM[2];B[zz])", "(;]"] {
        assert!(message(wrong).contains("line 1"), "{wrong}");
    }
}

#[test]
fn transcripts_leave_out_passes_and_stop_at_the_wrong_move() {
    let games = read_all(&Input::new(b"# one\nF5D6C3\nf5 d6\n")).unwrap();
    assert_eq!(games.iter().map(|game| game.record.moves.as_str()).collect::<Vec<_>>(), ["f5 d6 c3", "f5 d6"]);
    // A game in which somebody must pass, found by playing at random.
    let small = rules("othello", Some("4x4")).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let passed = (0..1000).find_map(|_| {
        let mut game = set_up(small, None, NO_MOVES).unwrap();
        while game.play_random(&mut rng).is_some() {}
        Some(game.played().join(" ")).filter(|moves| moves.contains("pass"))
    });
    let passed = passed.unwrap();
    let transcript = passed.replace("pass", "").replace(' ', "").to_uppercase();
    let games = read_all(&Input::new(transcript.as_bytes()).expecting(small)).unwrap();
    assert_eq!(games[0].record.moves, passed);
    assert!(message("F5D6A1").starts_with("line 1: move 3: a1"), "{}", message("F5D6A1"));
    assert!(message("f5 d6\nf5 d5\n").starts_with("line 2: move 2"), "{}", message("f5 d6\nf5 d5\n"));
}

#[test]
fn a_report_of_abstract_play_is_read() {
    let text = r#"{"header": {"game": {"name": "Tessella", "variants": []}, "site": {"name": "Abstract Play", "gameid": "x"},
        "players": [{"name": "a", "result": 1}, {"name": "b", "result": 0}]}, "moves": [["e1-d2|e1", "a5-a5|b4"], ["e2-d2"]]}"#;
    let games = read_all(&Input::new(text.as_bytes())).unwrap();
    assert_eq!(games[0].record.moves, "e1-e2 e9-e8 f2-e3");
    assert!(message(&text.replace("Tessella", "Chess")).contains("\"Chess\""));
    assert!(message(&text.replace("[]", "[\"big\"]")).contains("\"big\""));
    assert!(message(&text[..text.len() - 3]).contains("line 2"));
    let othello = r#"[{"header": {"game": {"name": "Reversi"}, "players": [{}, {}]}, "moves": [["d3", "c5"]]}]"#;
    assert_eq!(read_all(&Input::new(othello.as_bytes())).unwrap()[0].record.moves, "d3 c5");
}

#[test]
fn positions_come_with_their_scores() {
    let text = "% a suite\n---------------------------OX------XO--------------------------- X; F5:+2; c4:-1;\n";
    let games = read_all(&Input::new(text.as_bytes())).unwrap();
    assert_eq!(games[0].record.scores, [("f5".to_string(), 2), ("c4".to_string(), -1)]);
    assert!(message(&text.replace("F5:+2", "A1:+2")).starts_with("line 2: "));
    assert!(message(&text.replace("F5:+2", "F5")).starts_with("line 2"));
}

#[test]
fn wrong_games_are_named_and_can_be_left_out() {
    let text = "game,first,second,moves\nothello,a,b,f5 d6\nothello,a,b,f5 f5\nothello,a,b,f5 f6\n";
    assert!(message(text).starts_with("line 3: move 2: f5 is occupied"), "{}", message(text));
    let (mut right, mut wrong) = (0, Vec::new());
    read(&Input::new(text.as_bytes()), &mut |found| {
        match found {
            Ok(_) => right += 1,
            Err(error) => wrong.push(error.to_string()),
        }
        Ok(())
    })
    .unwrap();
    assert_eq!((right, wrong.len()), (2, 1));
    assert!(message("game,moves\nothello,f5,d6\n").starts_with("line 2"));
    assert!(message("game,moves\nchess,e4\n").starts_with("line 2"));
}

#[test]
fn what_is_no_file_of_games_is_refused_in_one_line() {
    for text in ["", "  \n", "hello", "{}", "[1, 2]", "(", "(;", "[x", "\u{0}\u{1}", "moves,game\n\"", "PAR1 nothing"] {
        message(text);
    }
    let error = by_name("wther").map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("wthor"), "{error}");
    let mut broken = vec![20, 24, 1, 1, 1, 0, 0, 0, 0, 0, 232, 7, 8, 0, 24, 0];
    let error = |bytes: &[u8]| read_all(&Input::new(bytes)).map(|_| ()).unwrap_err().to_string();
    assert!(error(&broken).contains("its length"));
    broken.extend([0; 68]);
    broken[16 + 8] = 99;
    assert!(error(&broken).starts_with("game 1, move 1"), "{}", error(&broken));
    // Whatever format is named for a file, it is refused and never believed.
    for format in all() {
        for bytes in [&b"\xff\xfe\x00nonsense"[..], b"[[[[", b"((((;;;;", b"{\"header\":3}"] {
            let input = Input { format: Some(format), ..Input::new(bytes) };
            assert!(read_all(&input).is_err(), "{}", format.name());
        }
    }
}
