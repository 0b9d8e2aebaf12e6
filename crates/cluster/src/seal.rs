//! Who sent a message: every worker has a key of its own, and signs what it says with it.
//!
//! Nobody can speak in the name of a worker, so a forged result cannot get an honest one excluded. Whether a worker
//! speaks the truth is another question, which replays and audits answer.

use std::fmt::Write;

use async_nats::HeaderMap;
use nkeys::{KeyPair, KeyPairType};
use sha2::{Digest, Sha256};

/// The header with the public key, and the one with the signature.
const KEY: &str = "Quincunx-Key";
const SIGNATURE: &str = "Quincunx-Signature";

/// The key of a worker.
pub(crate) struct Seal(KeyPair);

impl Seal {
    /// A new key.
    pub(crate) fn new() -> Self {
        Self(KeyPair::new_user())
    }

    /// The public half, under which others know the worker.
    pub(crate) fn key(&self) -> String {
        self.0.public_key()
    }

    /// The headers that vouch for a message under a subject.
    pub(crate) fn headers(&self, subject: &str, payload: &[u8]) -> HeaderMap {
        let signature = self.0.sign(&digest(subject, payload)).expect("the key has its private half");
        let mut headers = HeaderMap::new();
        headers.insert(KEY, self.key());
        headers.insert(SIGNATURE, hex(&signature));
        headers
    }
}

/// The key that vouches for a message; an error says why there is none.
pub(crate) fn sender(subject: &str, headers: Option<&HeaderMap>, payload: &[u8]) -> Result<String, &'static str> {
    let header = |name| headers.and_then(|headers| headers.get(name)).map(async_nats::HeaderValue::as_str);
    let (key, signature) = header(KEY).zip(header(SIGNATURE)).ok_or("it is not signed")?;
    let pair = KeyPair::from_public_key(key).map_err(|_| "its key is not one")?;
    if !matches!(pair.key_pair_type(), KeyPairType::User) {
        return Err("its key is not that of a worker");
    }
    let signature = unhex(signature).ok_or("its signature is not one")?;
    pair.verify(&digest(subject, payload), &signature).map_err(|_| "its signature is forged")?;
    Ok(key.to_string())
}

fn digest(subject: &str, payload: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(subject).chain_update([0]).chain_update(payload).finalize().into()
}

/// The SHA-256 hash of some bytes in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of hexadecimal digits.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| Some(16 * digit(pair[0])? + digit(*pair.get(1)?)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_vouches_for_one_message_under_one_subject() {
        let seal = Seal::new();
        let headers = seal.headers("a.b", b"text");
        assert_eq!(sender("a.b", Some(&headers), b"text"), Ok(seal.key()));
        for (subject, payload) in [("a.b", "Text"), ("a.c", "text"), ("a", ".btext")] {
            assert_eq!(sender(subject, Some(&headers), payload.as_bytes()), Err("its signature is forged"));
        }
        assert_eq!(sender("a.b", None, b"text"), Err("it is not signed"));
        let mut other = headers.clone();
        other.insert(KEY, Seal::new().key());
        assert_eq!(sender("a.b", Some(&other), b"text"), Err("its signature is forged"));
        other.insert(KEY, "nonsense");
        assert_eq!(sender("a.b", Some(&other), b"text"), Err("its key is not one"));
        other = headers.clone();
        other.insert(SIGNATURE, "xyz");
        assert_eq!(sender("a.b", Some(&other), b"text"), Err("its signature is not one"));
    }

    #[test]
    fn hexadecimal_digits_are_read_back() {
        assert_eq!(unhex(&hex(&[0, 255, 16])), Some(vec![0, 255, 16]));
        assert_eq!(unhex("abc"), None);
        assert_eq!(unhex("zz"), None);
    }
}
