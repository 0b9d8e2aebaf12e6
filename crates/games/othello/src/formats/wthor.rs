//! WTHOR: the tournament games of the French federation, 68 bytes each, with players and tournaments in files beside.

use std::fmt::Write as _;

use quincunx_game::{
    AnyGame, Ending, Record, Rules, Side, TextError,
    board_text::read_cell,
    format::{Format, Source, Visit, Writer},
};

/// The length of the header of each of its files.
const HEADER: usize = 16;

/// The length of a game.
const GAME: usize = 68;

/// The length of a player's name, and of a tournament's.
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// Black's discs at the end with best play from some point on, and the number of empty squares at that point.
pub(crate) const THEORETICAL: &str = "Theoretical";
pub(crate) const THEORETICAL_AT: &str = "TheoreticalAt";

/// Old files do not say from which position on the theoretical score holds; it was from 22 empty squares on.
const OLD_FILES_AT: u8 = 22;

/// The format.
pub(super) struct Wthor;

impl Format for Wthor {
    fn name(&self) -> &'static str {
        "wthor"
    }

    fn summary(&self) -> &'static str {
        "tournament games of Othello; players and tournaments are in the .jou and .trn files beside it"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["wtb"]
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        // A century of 19 or 20, a month and a day; text has letters there.
        let header = source.bytes.get(..HEADER);
        header.is_some_and(|header| {
            matches!(header[0], 19 | 20) && header[1] < 100 && header[2] <= 12 && header[3] <= 31 && header[12] <= 10
        })
    }

    fn omits_passes(&self) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, visit: &mut Visit<'_>) -> Result<(), TextError> {
        let wrong = |what: &str| TextError::new(format!("this is no WTHOR file of 8x8 games: {what}"));
        let (header, games) =
            source.bytes.split_at_checked(HEADER).ok_or_else(|| wrong("it is shorter than a header"))?;
        let count = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        if !matches!(header[12], 0 | 8) {
            return Err(wrong("the board has another size"));
        }
        if games.len() != count.saturating_mul(GAME) {
            return Err(wrong("its length is not that of the games it says it has"));
        }
        let year = u16::from_le_bytes([header[10], header[11]]);
        let score_at = if header[14] == 0 { OLD_FILES_AT } else { header[14] };
        let players = Names::read((source.beside)("jou"), PLAYER);
        let tournaments = Names::read((source.beside)("trn"), TOURNAMENT);
        let rules = Rules::of(&crate::ABOUT);
        for game in games.chunks_exact(GAME) {
            let number = |at: usize| u16::from_le_bytes([game[at], game[at + 1]]);
            let mut record = Record::new(rules);
            record.players = [players.get(number(2), "player"), players.get(number(4), "player")];
            record.push_tag("Event", &tournaments.get(number(0), "tournament"));
            if year != 0 {
                record.push_tag("Date", &format!("{year}.??.??"));
            }
            record.ending = match game[6] {
                32 => Ending::Draw,
                33..=64 => Ending::Won(Side::First),
                0..=31 => Ending::Won(Side::Second),
                _ => Ending::Open,
            };
            if game[7] <= 64 {
                record.push_tag(THEORETICAL, &game[7].to_string());
                record.push_tag(THEORETICAL_AT, &score_at.to_string());
            }
            // A move is ten times the row plus the column, both from 1; the rest of a short game is zeros.
            record.moves.reserve(3 * 60);
            for &mv in game[8..].iter().take_while(|&&mv| mv != 0) {
                if !record.moves.is_empty() {
                    record.moves.push(' ');
                }
                match (mv / 10, mv % 10) {
                    (row @ 1..=8, column @ 1..=8) => {
                        record.moves.push(char::from(b'a' + column - 1));
                        record.moves.push(char::from(b'0' + row));
                    }
                    // No square: the rules will say so, and where.
                    _ => _ = write!(record.moves, "#{mv}"),
                }
            }
            visit(Ok(record))?;
        }
        Ok(())
    }

    fn writer(&self) -> Option<Box<dyn Writer>> {
        Some(Box::new(WthorWriter::default()))
    }
}

/// The names in a file of players or tournaments, by number.
struct Names {
    bytes: Vec<u8>,
    length: usize,
}

impl Names {
    fn read(file: Option<Vec<u8>>, length: usize) -> Self {
        Self { bytes: file.unwrap_or_default(), length }
    }

    /// The name with this number, or the number, if the file does not have it.
    fn get(&self, number: u16, what: &str) -> String {
        let begin = HEADER + usize::from(number) * self.length;
        let found = self.bytes.get(begin..begin + self.length).unwrap_or(&[]);
        // The names are written in Latin-1, and end with a zero.
        let name: String = found.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect();
        match name.trim() {
            "" => format!("{what} {number}"),
            name => name.chars().filter(|letter| !letter.is_control()).collect(),
        }
    }
}

/// Names that get their numbers in the order they come.
#[derive(Default)]
struct Numbers {
    names: Vec<String>,
    by_name: std::collections::HashMap<String, u16>,
}

impl Numbers {
    fn of(&mut self, name: &str) -> Result<u16, TextError> {
        let name = if name.is_empty() { "?" } else { name };
        if let Some(&number) = self.by_name.get(name) {
            return Ok(number);
        }
        let number = u16::try_from(self.names.len())
            .map_err(|_| TextError::new("a WTHOR file holds at most 65536 names of players"))?;
        self.names.push(name.to_string());
        self.by_name.insert(name.to_string(), number);
        Ok(number)
    }

    fn file(&self, length: usize, year: u16) -> Vec<u8> {
        let mut file = header(0, self.names.len() as u16, year, 0).to_vec();
        for name in &self.names {
            let latin = name.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?'));
            let bytes: Vec<u8> = latin.take(length - 1).collect();
            file.extend(&bytes);
            file.resize(file.len() + length - bytes.len(), 0);
        }
        file
    }
}

/// The header of a file of the century, year and day of its games: the file is the same whenever it is written.
fn header(games: u32, names: u16, year: u16, score_at: u8) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let dated = if year == 0 { 2000 } else { year };
    header[..4].copy_from_slice(&[if dated < 2000 { 19 } else { 20 }, (dated % 100) as u8, 1, 1]);
    header[4..8].copy_from_slice(&games.to_le_bytes());
    header[8..10].copy_from_slice(&names.to_le_bytes());
    header[10..12].copy_from_slice(&year.to_le_bytes());
    header[12] = 8;
    header[14] = score_at;
    header
}

#[derive(Default)]
struct WthorWriter {
    players: Numbers,
    tournaments: Numbers,
    games: Vec<u8>,
    year: Option<u16>,
    score_at: u8,
}

impl Writer for WthorWriter {
    fn add(&mut self, record: &Record, game: &dyn AnyGame, _out: &mut Vec<u8>) -> Result<(), TextError> {
        if record.rules.about.name != "othello" || record.rules.ruleset.name != "8x8" || record.start.is_some() {
            return Err(TextError::new("a WTHOR file holds games of Othello on 8x8 from the start"));
        }
        // The file has one year for all of its games, or none.
        let year = record.tag("Date").get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
        if *self.year.get_or_insert(year) != year {
            self.year = Some(0);
        }
        let mut bytes = [0; GAME];
        bytes[..2].copy_from_slice(&self.tournaments.of(record.tag("Event"))?.to_le_bytes());
        for (side, player) in record.players.iter().enumerate() {
            bytes[2 + 2 * side..4 + 2 * side].copy_from_slice(&self.players.of(player)?.to_le_bytes());
        }
        let count = |name| game.tallies().iter().find(|tally| tally.name == name).map(|tally| tally.values[0] as u8);
        let by_result = match record.ending {
            Ending::Won(Side::First) => 64,
            Ending::Won(Side::Second) => 0,
            Ending::Draw | Ending::Open => 32,
        };
        bytes[6] = count("score").unwrap_or(by_result);
        bytes[7] = record.tag(THEORETICAL).parse().unwrap_or(bytes[6]);
        if let Ok(at) = record.tag(THEORETICAL_AT).parse() {
            self.score_at = at;
        }
        let squares = record.each_move().filter(|&mv| mv != "pass").filter_map(read_cell);
        for (place, (column, row)) in bytes[8..].iter_mut().zip(squares) {
            *place = (10 * (row + 1) + column + 1) as u8;
        }
        self.games.extend(bytes);
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<Vec<(&'static str, Vec<u8>)>, TextError> {
        let year = self.year.unwrap_or(0);
        out.extend(header((self.games.len() / GAME) as u32, 0, year, self.score_at));
        out.append(&mut self.games);
        Ok(vec![("jou", self.players.file(PLAYER, year)), ("trn", self.tournaments.file(TOURNAMENT, year))])
    }
}
