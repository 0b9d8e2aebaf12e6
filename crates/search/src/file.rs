//! Files that engines load: weights and opening books, each in an envelope that says what is inside.
//!
//! A file is one line of text, `quincunx KIND 1 GAME SHAPE LENGTH`, then as many bytes as it says, then eight bytes of
//! checksum over all that stands before. So a wrong, truncated or foreign file is told from a good one. The line may end
//! with one more word, a note.

use quincunx_game::{TextError, hash::mix, text::quoted};

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label<'a> {
    /// `weights` or `book`.
    pub(crate) kind: &'static str,
    /// The name of the game.
    pub(crate) game: &'a str,
    /// What the contents are made for: the shape of an evaluator, the ruleset of a book.
    pub(crate) shape: &'a str,
}

/// No header is longer.
const LONGEST_HEADER: usize = 1000;

impl Label<'_> {
    /// The file with these contents.
    pub(crate) fn seal(&self, contents: &[u8]) -> Vec<u8> {
        self.seal_noted(contents, "")
    }

    /// The same with a note, which has no spaces.
    pub(crate) fn seal_noted(&self, contents: &[u8], note: &str) -> Vec<u8> {
        let Self { kind, game, shape } = self;
        let header = format!("quincunx {kind} 1 {game} {shape} {} {note}", contents.len());
        let mut bytes = (header.trim_end().to_string() + "\n").into_bytes();
        bytes.extend(contents);
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The contents of a file, which must be labelled like this; the error says what is wrong with it.
    pub(crate) fn open<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], TextError> {
        match self.open_noted(bytes)? {
            (contents, "") => Ok(contents),
            (_, note) => {
                Err(TextError::new(format!("this file of {} has a strange note: {}", self.kind, quoted(note))))
            }
        }
    }

    /// The contents and the note, empty if there is none.
    pub(crate) fn open_noted<'b>(&self, bytes: &'b [u8]) -> Result<(&'b [u8], &'b str), TextError> {
        let Self { kind, game, shape } = *self;
        let wrong = |what: String| Err(TextError::new(what));
        let header = bytes.iter().take(LONGEST_HEADER).position(|&byte| byte == b'\n');
        let header = header.and_then(|end| Some((std::str::from_utf8(&bytes[..end]).ok()?, end + 1)));
        let Some((words, begin)) = header.map(|(line, begin)| (line.split(' ').collect::<Vec<_>>(), begin)) else {
            return wrong(format!("this is not a file of quincunx {kind}"));
        };
        let (&["quincunx", found_kind, version, found_game, found_shape, length]
        | &["quincunx", found_kind, version, found_game, found_shape, length, _]) = &words[..]
        else {
            return wrong(format!("this is not a file of quincunx {kind}"));
        };
        let note = words.get(6).copied().unwrap_or("");
        if found_kind != kind {
            return wrong(format!("this is a file of quincunx {}, not of {kind}", quoted(found_kind)));
        }
        if version != "1" {
            return wrong(format!("this file of {kind} has version {}; this program reads version 1", quoted(version)));
        }
        if found_game != game {
            return wrong(format!("this file of {kind} is for {}, not for {game}", quoted(found_game)));
        }
        if found_shape != shape {
            return wrong(format!("this file of {kind} is made for {}, not for {shape}", quoted(found_shape)));
        }
        let length: Option<usize> = length.parse().ok();
        let end = length.and_then(|length| begin.checked_add(length));
        let Some(end) = end.filter(|end| end.checked_add(8) == Some(bytes.len())) else {
            return wrong(format!("this file of {kind} is truncated, or goes on behind its end"));
        };
        if bytes[end..] != checksum(&bytes[..end]).to_le_bytes() {
            return wrong(format!("this file of {kind} is damaged: its checksum is wrong"));
        }
        Ok((&bytes[begin..end], note))
    }
}

/// The checksum of a file or a part of one.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(sum, u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wrong_file_is_told_from_a_good_one() {
        let label = Label { kind: "weights", game: "ring", shape: "terms" };
        let good = label.seal(b"some\nweights");
        assert_eq!(label.open(&good).unwrap(), b"some\nweights");
        let noted = label.seal_noted(b"weights", "depth=3");
        assert_eq!(label.open_noted(&noted).unwrap(), (&b"weights"[..], "depth=3"));
        let message = |bytes: &[u8]| label.open(bytes).unwrap_err().to_string();
        assert!(message(&noted).contains("\"depth=3\""));
        assert!(message(b"").contains("not a file"));
        assert!(message(&[b'x'; 5000]).contains("not a file"));
        for end in 0..good.len() {
            assert!(label.open(&good[..end]).is_err());
        }
        assert!(message(&[&good[..], b"x"].concat()).contains("truncated"));
        let mut damaged = good.clone();
        damaged[40] ^= 1;
        assert!(message(&damaged).contains("checksum"));
        assert!(message(&Label { kind: "book", ..label }.seal(b"")).contains("\"book\""));
        assert!(message(&Label { game: "chess", ..label }.seal(b"")).contains("\"chess\""));
        assert!(message(&Label { shape: "net", ..label }.seal(b"")).contains("\"net\""));
        assert!(message(b"quincunx weights 2 ring terms 0\n12345678").contains("version"));
        assert!(message(b"quincunx weights 1 ring terms 18446744073709551615\n12345678").contains("truncated"));
    }
}
