//! A game that is written in a format and read back is the same game.

use quincunx_formats::{Checked, Input, Output, all, by_extension, by_name, check, read_all};
use quincunx_game::{
    Ending, Record, Rules, Side,
    format::{Format, Source},
};
use quincunx_games::{NO_MOVES, entries, set_up};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random games of every ruleset: one to its end, one broken off, one from a position in the middle of another.
fn games() -> Vec<Checked> {
    quincunx_games::register(&quincunx_ring::ENTRY);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut games = Vec::new();
    for entry in entries() {
        for ruleset in entry.about.rulesets {
            let rules = Rules::parse(entry.about, ruleset.name).unwrap();
            for (plies, resigned) in [(usize::MAX, false), (7, true), (9, false)] {
                let mut game = set_up(rules, None, NO_MOVES).unwrap();
                while game.ply() < plies && game.play_random(&mut rng).is_some() {}
                let mut record = Record::new(rules);
                record.moves = game.played().join(" ");
                record.players = ["Ana \"A\" [x]".into(), "Bo, the \\ second".into()];
                record.push_tag("Event", "Open: 2024");
                record.push_tag("Date", "2024.05.01");
                if resigned {
                    (record.ending, record.cause) = (Ending::Won(Side::Second), "resigned".into());
                }
                games.push(check(record, false).unwrap());
            }
            let mut game = set_up(rules, None, NO_MOVES).unwrap();
            (0..4).for_each(|_| drop(game.play_random(&mut rng)));
            let mut record = Record::new(rules);
            record.start = Some(game.position_text());
            let before = game.played().len();
            (0..5).for_each(|_| drop(game.play_random(&mut rng)));
            record.moves = game.played()[before..].join(" ");
            games.push(check(record, false).unwrap());
        }
    }
    games
}

/// Games that begin at a position have another first mover in some formats, and each format has what it cannot hold.
fn written(format: &str, checked: &Checked) -> Option<Vec<u8>> {
    let mut output = Output::new(by_name(format).unwrap()).unwrap();
    output.add(checked).ok()?;
    Some(output.finish().unwrap().contents)
}

#[test]
fn every_game_in_every_format_comes_back_as_it_was() {
    let games = games();
    let mut held: Vec<(&str, usize)> = Vec::new();
    let both_ways = all().into_iter().filter(|format| format.writer().is_some()).map(Format::name);
    for format in both_ways.filter(|name| !name.ends_with("-positions")) {
        let mut count = 0;
        for checked in &games {
            let Some(bytes) = written(format, checked) else { continue };
            count += 1;
            let input =
                Input { format: Some(by_name(format).unwrap()), ..Input::new(&bytes).expecting(checked.record.rules) };
            let back = read_all(&input)
                .unwrap_or_else(|error| panic!("{format}: {error}\n{}", String::from_utf8_lossy(&bytes)));
            let [back] = &back[..] else { panic!("{format}: {} games", back.len()) };
            assert_eq!(back.game.position_text(), checked.game.position_text(), "{format}");
            if format == "obf" {
                continue;
            }
            assert_eq!(back.record.moves, checked.record.moves, "{format}");
            assert_eq!(back.record.start, checked.record.start, "{format}");
            if !["lines", "transcript"].contains(&format) {
                let open = checked.record.ending == Ending::Open && format == "wthor";
                assert!(back.record.ending == checked.record.ending || open, "{format}");
            }
        }
        held.push((format, count));
    }
    // How many of the games each format holds: a format that refuses everything would pass otherwise.
    let of = |name: &str| held.iter().find(|(format, _)| *format == name).unwrap().1;
    for format in ["jsonl", "text", "pgn", "csv", "parquet", "lines"] {
        assert_eq!(of(format), games.len(), "{format}: {held:?}");
    }
    assert_eq!((of("wthor"), of("ggf"), of("pente-list"), of("sgf")), (3, 12, 6, 20), "{held:?}");
    assert!(of("transcript") > 12 && of("abstractplay") == 8 && of("obf") == 12, "{held:?}");
}

#[test]
fn names_and_tags_survive_where_the_format_has_them() {
    let games = games();
    for format in ["jsonl", "pgn", "csv", "parquet", "sgf"] {
        let bytes = written(format, &games[0]).unwrap();
        let back = &read_all(&Input::new(&bytes)).unwrap()[0].record;
        assert_eq!(back.players, games[0].record.players, "{format}");
        assert_eq!((back.tag("Event"), back.tag("Date")), ("Open: 2024", "2024.05.01"), "{format}");
    }
}

#[test]
fn a_file_is_recognised_by_its_content() {
    for checked in &games() {
        for format in all().into_iter().filter(|format| format.writer().is_some()) {
            let Some(bytes) = written(format.name(), checked) else { continue };
            let found = Input::new(&bytes).expecting(checked.record.rules).format().unwrap().name();
            let told = format.name().trim_end_matches("-positions");
            // One move, or a position of one word, is a line and a transcript at once.
            let same = found.trim_end_matches("-positions") == told
                || [found, told].iter().all(|name| ["lines", "transcript"].contains(name));
            assert!(
                same,
                "{found} instead of {}: {}",
                format.name(),
                String::from_utf8_lossy(&bytes[..bytes.len().min(200)])
            );
        }
    }
}

#[test]
fn wthor_keeps_names_in_files_beside_it() {
    let games = games();
    let mut output = Output::new(by_extension("WTB").unwrap()).unwrap();
    output.add(&games[0]).unwrap();
    let written = output.finish().unwrap();
    let beside =
        |extension: &str| written.beside.iter().find(|(known, _)| *known == extension).map(|(_, bytes)| bytes.clone());
    let source = Source { bytes: &written.contents, expected: None, beside: &beside };
    let back = read_all(&Input { source, format: None }).unwrap();
    assert_eq!(back[0].record.players, ["Ana \"A\" [x]", "Bo, the \\ second"]);
    assert_eq!(back[0].record.tag("Event"), "Open: 2024");
    let alone = read_all(&Input::new(&written.contents)).unwrap();
    assert_eq!(alone[0].record.players, ["player 0", "player 1"]);
}

#[test]
fn positions_are_rows_with_the_result_for_the_side_to_move() {
    let rules = quincunx_games::rules("othello", Some("4x4")).unwrap();
    let mut record = Record::new(rules);
    record.moves = "b1 a1".into();
    record.ending = Ending::Won(Side::First);
    let checked = check(record, false).unwrap();
    let table = String::from_utf8(written("csv-positions", &checked).unwrap()).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 4, "{table}");
    assert!(rows[1].ends_with(" X,first,b1,,1") && rows[2].ends_with(" O,second,a1,,-1"), "{table}");
    let back = read_all(&Input::new(table.as_bytes())).unwrap();
    assert_eq!(back[2].game.position_text(), checked.game.position_text());
}
