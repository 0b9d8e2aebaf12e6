//! What the agents of a contest are called instead of their specs: names of students, or numbers that hide these.

use std::{fs, io, path::Path};

use csv::{Reader, Writer};
use quincunx_game::hash::mix;

use crate::{ContestError, error::write};

/// The file in the directory of a contest that tells which agent has which name.
const FILE: &str = "names.csv";

/// The heads of its columns. A row stands for an agent, in the order of the contest.
const HEAD: [&str; 2] = ["name", "agent"];

/// Numbers for so many agents, in an order that the seed draws.
pub fn numbers(agents: usize, seed: u64) -> Vec<String> {
    let mut order: Vec<usize> = (0..agents).collect();
    order.sort_by_key(|&agent| mix(mix(seed, 0xA11A5), agent as u64));
    let mut names = vec![String::new(); agents];
    for (number, agent) in order.into_iter().enumerate() {
        names[agent] = format!("agent {}", number + 1);
    }
    names
}

/// The names and their agents, as CSV.
pub fn table(names: &[String], agents: &[String]) -> String {
    let rows = names.iter().zip(agents).map(|(name, agent)| [name.as_str(), agent]);
    let mut table = Writer::from_writer(Vec::new());
    for row in std::iter::once(HEAD).chain(rows) {
        table.write_record(row).expect("rows in memory are written");
    }
    let bytes = table.into_inner().expect("rows in memory are written");
    String::from_utf8(bytes).expect("rows of text are text")
}

/// Keeps the names of the agents in the directory of a contest. An error if it holds other names already.
pub fn keep(directory: &Path, names: &[String], agents: &[String]) -> Result<(), ContestError> {
    let wrong = || ContestError::wrong(format!("{} holds another contest: its {FILE} differs", directory.display()));
    match read(directory, agents) {
        Ok(Some(found)) => return if found == names { Ok(()) } else { Err(wrong()) },
        Ok(None) => {}
        Err(_) => return Err(wrong()),
    }
    fs::create_dir_all(directory).map_err(ContestError::keeping(directory))?;
    write(&directory.join(FILE), &table(names, agents))
}

/// What the agents of a contest are called; `None` if by their specs.
pub(crate) fn read(directory: &Path, agents: &[String]) -> Result<Option<Vec<String>>, ContestError> {
    let path = directory.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ContestError::keeping(&path)(error)),
    };
    let mut rows = Reader::from_reader(text.as_bytes()).into_deserialize();
    let found: Result<Vec<(String, String)>, _> = rows.by_ref().collect();
    let (names, named): (Vec<_>, Vec<_>) = found.unwrap_or_default().into_iter().unzip();
    if named == agents {
        Ok(Some(names))
    } else {
        Err(ContestError::wrong(format!("{} does not name the agents of this contest", path.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_whatever_stands_in_them_and_are_never_given_to_others() {
        let directory = std::env::temp_dir().join(format!("quincunx-names-{}", std::process::id()));
        let of = |texts: [&str; 2]| texts.map(String::from).to_vec();
        let (names, agents) = (of(["ann, \"the first\"", "bob"]), of(["files:a,b", "ugi:\"x y\""]));
        assert!(read(&directory, &agents).unwrap().is_none());
        keep(&directory, &names, &agents).unwrap();
        keep(&directory, &names, &agents).unwrap();
        assert_eq!(read(&directory, &agents).unwrap().unwrap(), names);
        let swapped = of(["ugi:\"x y\"", "files:a,b"]);
        for error in [read(&directory, &swapped).unwrap_err(), keep(&directory, &agents, &agents).unwrap_err()] {
            assert!(error.to_string().contains("names.csv"), "{error}");
        }
        fs::remove_dir_all(&directory).unwrap();
        assert_eq!(numbers(3, 1).len(), 3);
        assert_ne!(numbers(9, 1), numbers(9, 2));
    }
}
