//! Sources as tokens: what is left of a program without its comments, blanks, names and numbers.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Words that say what a program does; all others are names that anybody can change.
const KEYWORDS: [&str; 44] = [
    "and", "auto", "bool", "break", "case", "catch", "char", "class", "const", "continue", "def", "del", "double",
    "elif", "else", "except", "false", "final", "float", "fn", "for", "if", "import", "in", "int", "is", "lambda",
    "let", "long", "new", "not", "null", "or", "pass", "private", "public", "return", "static", "struct", "switch",
    "this", "true", "void", "while",
];

/// The most tokens of a file.
const MOST: usize = 300_000;

/// The tokens of a text, each with its line, counted from 1. `hash_comments` says that `#` begins a comment.
pub(super) fn tokens(text: &str, hash_comments: bool) -> Vec<(u64, u32)> {
    let letters: Vec<char> = text.chars().collect();
    let (mut found, mut at, mut line) = (Vec::new(), 0, 1);
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    while at < letters.len() && found.len() < MOST {
        let letter = letters[at];
        let next = letters.get(at + 1).copied().unwrap_or('\0');
        let begin = line;
        if letter == '\n' {
            line += 1;
            at += 1;
        } else if letter.is_whitespace() {
            at += 1;
        } else if (letter == '/' && next == '/') || (letter == '#' && hash_comments) {
            at = end_of_line(&letters, at);
        } else if letter == '/' && next == '*' {
            at += 2;
            while at < letters.len() && !(letters[at] == '*' && letters.get(at + 1) == Some(&'/')) {
                line += u32::from(letters[at] == '\n');
                at += 1;
            }
            at += 2;
        } else if letter == '"' || letter == '\'' {
            let triple = letters.get(at..at + 3).is_some_and(|three| three.iter().all(|other| *other == letter));
            let end = end_of_string(&letters, at, triple);
            line += letters[at..end].iter().filter(|letter| **letter == '\n').count() as u32;
            at = end;
            // A long string that stands alone is a comment in Python.
            if !(triple && hash_comments) {
                found.push((hash("string"), begin));
            }
        } else if is_word(letter) {
            let end = (at..letters.len()).find(|&end| !is_word(letters[end])).unwrap_or(letters.len());
            let word: String = letters[at..end].iter().collect();
            at = end;
            let token = if KEYWORDS.contains(&word.as_str()) {
                hash(&word)
            } else if letter.is_ascii_digit() {
                hash("number")
            } else {
                hash("name")
            };
            found.push((token, begin));
        } else {
            found.push((hash(letter.to_string().as_str()), begin));
            at += 1;
        }
    }
    found
}

fn end_of_line(letters: &[char], from: usize) -> usize {
    (from..letters.len()).find(|&at| letters[at] == '\n').unwrap_or(letters.len())
}

/// Behind a string that begins here; one that is not closed ends with its line.
fn end_of_string(letters: &[char], from: usize, triple: bool) -> usize {
    let quote = letters[from];
    let width = if triple { 3 } else { 1 };
    let mut at = from + width;
    while at < letters.len() {
        if letters[at] == '\\' {
            at += 2;
            continue;
        }
        if !triple && letters[at] == '\n' {
            return at;
        }
        if letters.get(at..at + width).is_some_and(|end| end.iter().all(|letter| *letter == quote)) {
            return at + width;
        }
        at += 1;
    }
    letters.len()
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_through_comments_and_strings() {
        let text = "int a; // one\n/* two\nthree */ int b;\nx = \"\"\"four\nfive\"\"\"; y";
        let lines: Vec<u32> = tokens(text, false).into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, [1, 1, 1, 3, 3, 3, 4, 4, 4, 5, 5]);
    }

    #[test]
    fn broken_text_ends() {
        for text in ["/*", "\"", "'\\", "\"\"\"", "#", "\u{0}\u{1f600}", "//", "'''\n\\"] {
            assert!(tokens(text, true).len() < 5);
            assert!(tokens(text, false).len() < 5);
        }
    }
}
