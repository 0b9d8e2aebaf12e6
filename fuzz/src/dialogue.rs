//! Dialogues with this program as an engine: lines in, answers on standard output.

/// The lines of a client out of the fuzzer's bytes: words of the protocol, numbers, and anything else.
///
/// A byte below the number of words names one, so that the fuzzer finds commands and what belongs behind them; others stand
/// for themselves.
pub fn lines(data: &[u8], words: &[&str]) -> String {
    let mut text = String::new();
    for &byte in data {
        match words.get(usize::from(byte)) {
            Some(word) => {
                text += word;
                text.push(' ');
            }
            None => text.push(char::from(byte)),
        }
    }
    text
}
