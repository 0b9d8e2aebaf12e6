//! Which submissions of a class share code: winnowed fingerprints of their tokens, for people to judge.
//!
//! Sources become tokens without comments, blanks and names, so that renaming and reformatting change nothing. Every run
//! of `GRAM` tokens has a hash; of each `WINDOW` neighbouring hashes the least is kept (Schleimer, Wilkerson and
//! Aiken, *Winnowing: Local Algorithms for Document Fingerprinting*, 2003). So whatever two submissions share over
//! `GRAM + WINDOW - 1` tokens is found, and nothing shorter than `GRAM`.

mod page;
mod tokens;

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt::Write as _,
    fs::File,
    io::Read,
    path::Path,
};

use quincunx_game::{TextError, hash::mix};
use quincunx_outside::files::open_submission;
use serde_json::{Value, json};

use crate::grade::submissions;
use tokens::tokens;

/// Tokens in a row that must agree.
const GRAM: usize = 16;

/// Neighbouring hashes of which one is kept.
const WINDOW: usize = 8;

/// Endings of the files that are compared.
const SOURCES: [&str; 12] = ["cpp", "cc", "cxx", "c", "h", "hpp", "java", "py", "rs", "go", "kt", "js"];

/// The most that is read of a submission.
const MOST_FILES: usize = 500;
const LARGEST_FILE: u64 = 1 << 20;
const DEEPEST: usize = 12;

/// Code that more than this share of a class has is the assignment's own and proves nothing; only asked of classes of at
/// least [`LARGE_CLASS`].
const COMMON: f64 = 0.34;
const LARGE_CLASS: usize = 9;

/// Places that are told of a pair.
const MOST_PLACES: usize = 50;

/// What was found in a class.
#[derive(Debug)]
pub struct Similarities {
    names: Vec<String>,
    sources: Vec<Sources>,
    /// Pairs at or above the threshold, the most similar first.
    pairs: Vec<Pair>,
    threshold: f64,
    /// Submissions that could not be read, and why.
    unread: Vec<(String, String)>,
}

/// Two submissions, and what they share.
#[derive(Debug)]
struct Pair {
    seats: [usize; 2],
    /// The share of the smaller one's fingerprints that the other has too.
    share: f64,
    places: Vec<Place>,
}

/// Lines of one submission beside those of another.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    /// The number of the file, the first line and the last, counted from 1.
    sides: [(usize, u32, u32); 2],
}

/// The sources of a submission with their fingerprints.
#[derive(Debug, Default)]
struct Sources {
    files: Vec<(String, String)>,
    /// Each fingerprint with its first place: file, first line, last line.
    prints: BTreeMap<u64, (usize, u32, u32)>,
}

/// Compares all submissions in a directory; `base` holds code that was given to everybody and does not count.
pub fn compare(directory: &Path, base: Option<&Path>, threshold: f64) -> Result<Similarities, TextError> {
    let class = submissions(directory);
    if class.len() < 2 {
        return Err(TextError::new(format!("{} holds fewer than two submissions", directory.display())));
    }
    let given = base.map(Sources::read).transpose()?.unwrap_or_default();
    let (mut names, mut sources, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for candidate in class {
        let path = candidate.spec.strip_prefix("files:").unwrap_or(&candidate.spec);
        let read = candidate.refusal().map_or_else(
            || open_submission(Path::new(path)).and_then(|directory| Sources::read(&directory)),
            |why| Err(TextError::new(why)),
        );
        let name = candidate.name;
        match read {
            Ok(read) => {
                names.push(name);
                sources.push(read);
            }
            Err(error) => unread.push((name, error.to_string())),
        }
    }
    leave_out_common(&mut sources, &given);
    let mut pairs = Vec::new();
    for a in 0..sources.len() {
        for b in a + 1..sources.len() {
            let share = share(&sources[a], &sources[b]);
            if share >= threshold {
                pairs.push(Pair { seats: [a, b], share, places: places(&sources[a], &sources[b]) });
            }
        }
    }
    pairs.sort_by(|one, other| other.share.total_cmp(&one.share));
    Ok(Similarities { names, sources, pairs, threshold, unread })
}

/// Takes away the fingerprints of code that was given, and of code that much of a large class has.
fn leave_out_common(sources: &mut [Sources], given: &Sources) {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for print in sources.iter().flat_map(|sources| sources.prints.keys()) {
        *counts.entry(*print).or_default() += 1;
    }
    let class = sources.len();
    let common: HashSet<u64> = counts
        .into_iter()
        .filter(|(_, count)| class >= LARGE_CLASS && *count as f64 > COMMON * class as f64)
        .map(|(print, _)| print)
        .collect();
    for sources in sources {
        sources.prints.retain(|print, _| !common.contains(print) && !given.prints.contains_key(print));
    }
}

fn share(a: &Sources, b: &Sources) -> f64 {
    let (small, large) = if a.prints.len() <= b.prints.len() { (a, b) } else { (b, a) };
    // A handful of fingerprints is too little to say anything.
    if small.prints.len() < 4 {
        return 0.0;
    }
    let both = small.prints.keys().filter(|print| large.prints.contains_key(print)).count();
    both as f64 / small.prints.len() as f64
}

/// Where two submissions agree; neighbouring places are one.
fn places(a: &Sources, b: &Sources) -> Vec<Place> {
    let mut found: Vec<Place> =
        a.prints.iter().filter_map(|(print, &left)| Some(Place { sides: [left, *b.prints.get(print)?] })).collect();
    found.sort_by_key(|place| place.sides);
    let mut merged: Vec<Place> = Vec::new();
    for place in found {
        if let Some(last) = merged.last_mut()
            && (0..2).all(|side| last.sides[side].0 == place.sides[side].0)
            && (0..2).all(|side| {
                place.sides[side].1 <= last.sides[side].2 + 3 && place.sides[side].2 + 3 >= last.sides[side].1
            })
        {
            for side in 0..2 {
                last.sides[side].1 = last.sides[side].1.min(place.sides[side].1);
                last.sides[side].2 = last.sides[side].2.max(place.sides[side].2);
            }
            continue;
        }
        merged.push(place);
    }
    merged.sort_by_key(|place| std::cmp::Reverse(place.sides[0].2 - place.sides[0].1));
    merged.truncate(MOST_PLACES);
    merged
}

impl Sources {
    /// Reads the sources in a directory and takes their fingerprints.
    fn read(directory: &Path) -> Result<Self, TextError> {
        let unreadable =
            |error: std::io::Error| TextError::new(format!("{} cannot be read: {error}", directory.display()));
        let (mut files, mut open) = (Vec::new(), vec![(directory.to_path_buf(), 0)]);
        while let Some((inner, depth)) = open.pop() {
            for entry in std::fs::read_dir(&inner).map_err(unreadable)?.flatten() {
                let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
                let kind = entry.file_type().map_err(unreadable)?;
                if kind.is_dir() && depth < DEEPEST && !name.starts_with('.') && name != "__MACOSX" {
                    open.push((path, depth + 1));
                } else if kind.is_file() && files.len() < MOST_FILES && is_source(&name) {
                    let shown = path.strip_prefix(directory).unwrap_or(&path).display().to_string();
                    let mut bytes = Vec::new();
                    let file = File::open(&path).map_err(unreadable)?;
                    file.take(LARGEST_FILE).read_to_end(&mut bytes).map_err(unreadable)?;
                    files.push((shown, String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
        files.sort();
        let mut sources = Self { files, prints: BTreeMap::new() };
        for number in 0..sources.files.len() {
            let (name, text) = &sources.files[number];
            for (print, first, last) in fingerprints(&tokens(text, ending(name) == "py")) {
                sources.prints.entry(print).or_insert((number, first, last));
            }
        }
        Ok(sources)
    }
}

fn is_source(name: &str) -> bool {
    SOURCES.contains(&ending(name).as_str())
}

fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase())
}

/// The winnowed fingerprints of tokens, each with its first and last line.
fn fingerprints(tokens: &[(u64, u32)]) -> Vec<(u64, u32, u32)> {
    let hashes: Vec<u64> =
        tokens.windows(GRAM).map(|gram| gram.iter().fold(0x9E37_79B9, |hash, (token, _)| mix(hash, *token))).collect();
    let mut prints = Vec::new();
    let mut last = None;
    for start in 0..hashes.len().saturating_sub(WINDOW - 1).max(usize::from(!hashes.is_empty())) {
        let window = &hashes[start..(start + WINDOW).min(hashes.len())];
        // Of equal ones the last, so that it stays the same for as long as possible.
        let least = window.iter().enumerate().min_by_key(|(place, hash)| (**hash, std::cmp::Reverse(*place)));
        let Some((place, &hash)) = least else { break };
        let at = start + place;
        if last != Some(at) {
            last = Some(at);
            prints.push((hash, tokens[at].1, tokens[at + GRAM - 1].1));
        }
    }
    prints
}

impl Similarities {
    /// The pairs for people, the places of each below it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, why) in &self.unread {
            _ = writeln!(text, "{name} was not read: {why}");
        }
        for pair in &self.pairs {
            let [a, b] = pair.seats.map(|seat| &self.names[seat]);
            _ = writeln!(text, "{:5.1} %  {a}  {b}", 100.0 * pair.share);
            for place in &pair.places {
                let [left, right] = [0, 1].map(|side| self.place_text(pair.seats[side], place.sides[side]));
                _ = writeln!(text, "         {left}  {right}");
            }
        }
        _ = writeln!(
            text,
            "{} of {} pairs share {:.0} % or more; whether that is copying is for people to judge",
            self.pairs.len(),
            self.names.len() * self.names.len().saturating_sub(1) / 2,
            100.0 * self.threshold
        );
        text
    }

    fn place_text(&self, seat: usize, (file, first, last): (usize, u32, u32)) -> String {
        format!("{}:{first}-{last}", self.sources[seat].files[file].0)
    }

    /// The pairs in JSON.
    pub fn as_json(&self) -> Value {
        let pair = |pair: &Pair| {
            let [a, b] = pair.seats.map(|seat| &self.names[seat]);
            let places: Vec<Value> = pair
                .places
                .iter()
                .map(|place| {
                    let [left, right] = [0, 1].map(|side| {
                        let (file, first, last) = place.sides[side];
                        let name = &self.sources[pair.seats[side]].files[file].0;
                        json!({ "file": name, "first_line": first, "last_line": last })
                    });
                    json!({ "a": left, "b": right })
                })
                .collect();
            json!({ "a": a, "b": b, "share": pair.share, "places": places })
        };
        let unread: Vec<Value> =
            self.unread.iter().map(|(name, why)| json!({ "submission": name, "reason": why })).collect();
        json!({
            "submissions": self.names, "threshold": self.threshold,
            "pairs": self.pairs.iter().map(pair).collect::<Vec<_>>(), "unread": unread,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: &str = "int best(int board[19][19], int side) { int high = -1000; for (int r = 0; r < 19; r++) { for (int c = 0; c < 19; c++) { if (board[r][c] == 0) { int v = value(board, r, c, side) + bonus[r] * 3 - edge(r, c); if (v > high) { high = v; row = r; column = c; } } } } return high; }";

    fn of(text: &str, python: bool) -> Sources {
        let mut sources = Sources { files: vec![("a".into(), text.into())], prints: BTreeMap::new() };
        for (print, first, last) in fingerprints(&tokens(text, python)) {
            sources.prints.entry(print).or_insert((0, first, last));
        }
        sources
    }

    #[test]
    fn renaming_reformatting_and_comments_change_nothing() {
        let changed = LOOP.replace("board", "grid").replace("high", "most").replace("{ ", "{\n\t// a comment\n ");
        let changed = changed.replace("19", "21").replace("; ", ";\n/* another\n comment */");
        let both = share(&of(LOOP, false), &of(&changed, false));
        assert!(both > 0.99, "{both}");
        let found = places(&of(LOOP, false), &of(&changed, false));
        assert_eq!(found[0].sides[0].1, 1);
        assert!(found[0].sides[1].2 > 10, "{found:?}");
    }

    #[test]
    fn a_copied_function_is_found_among_other_code_and_other_code_is_not() {
        let other = "class Game: pass\nimport os, sys\ndef main():\n    data = [int(x) for x in open('input.txt')]\n    print(max(data, key=lambda x: (x % 7, -x)))\n    with open('output.txt', 'w') as out:\n        out.write(str(sorted(set(data))[0]))\nmain()\n";
        assert!(share(&of(LOOP, false), &of(other, true)) < 0.05);
        let mixed = format!(
            "{}\n{LOOP}\nint main() {{ return 0; }}",
            "void f(char *x) { while (*x++) g(x, 1, 2); }\n".repeat(3)
        );
        assert!(share(&of(LOOP, false), &of(&mixed, false)) > 0.8);
    }

    #[test]
    fn short_and_empty_sources_have_nothing_to_say() {
        assert!(fingerprints(&tokens("", false)).is_empty());
        assert!(fingerprints(&tokens("int main() { return 0; }", false)).is_empty());
        assert!(share(&of("int x;", false), &of("int x;", false)).abs() < 1e-9);
    }
}
