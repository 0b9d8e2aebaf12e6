//! Secrets: the names of games and the tokens that own their seats.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Characters that are not mistaken for each other when read aloud or typed.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The characters of a game's name: 60 random bits, so that names cannot be guessed.
pub(crate) const ID_LENGTH: usize = 12;

/// The characters of a token: 160 random bits.
pub(crate) const TOKEN_LENGTH: usize = 32;

/// Random characters from the operating system.
fn random_text(length: usize) -> String {
    let mut bytes = vec![0u8; length];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// A new name for a game.
pub(crate) fn new_id() -> String {
    random_text(ID_LENGTH)
}

/// A new token.
pub(crate) fn new_token() -> String {
    random_text(TOKEN_LENGTH)
}

/// A new code to type: 40 random bits, which is enough for something that lives for minutes and may be tried slowly.
pub(crate) fn new_code() -> String {
    random_text(8)
}

/// A seed for what is random in a game.
pub(crate) fn new_seed() -> u64 {
    getrandom::u64().expect("the operating system gives random bytes")
}

/// What is kept of a token, so that reading the database does not give seats away.
pub(crate) fn digest(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether a text could be the name of a game at all.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == ID_LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tokens_do_not_repeat() {
        let mut seen = std::collections::HashSet::new();
        for _ in 0..1000 {
            let (id, token) = (new_id(), new_token());
            assert!(is_id(&id));
            assert_eq!(token.len(), TOKEN_LENGTH);
            assert!(seen.insert(id));
            assert!(seen.insert(token));
        }
    }

    #[test]
    fn a_digest_is_not_the_token() {
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
