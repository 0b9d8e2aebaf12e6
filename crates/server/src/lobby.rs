//! The lobby: games whose free seat anybody may take, and codes that move a seat to another device.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, Weak},
    time::{Duration, Instant},
};

use quincunx_game::refusal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{refusal::Refusal, room::Room, secret, store::ClockSetting};

/// Open games at once.
const MOST_OPEN: usize = 1_000;

/// Codes at once; the oldest are forgotten.
const MOST_CODES: usize = 10_000;

/// How long a code can be used.
const CODE_LIFE: Duration = Duration::from_secs(600);

/// An open game as the lobby shows it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invitation {
    pub(crate) id: String,
    pub(crate) game: &'static str,
    pub(crate) ruleset: String,
    #[schema(required)]
    pub(crate) clock: Option<ClockSetting>,
    /// The name of whoever waits.
    pub(crate) name: String,
    /// The side that is free.
    #[schema(maximum = 1)]
    pub(crate) side: usize,
    /// Turns played already.
    pub(crate) plies: usize,
}

/// The open games.
#[derive(Default)]
pub(crate) struct Lobby(Mutex<BTreeMap<String, Weak<Room>>>);

impl Lobby {
    pub(crate) fn add(&self, room: &Arc<Room>) -> Result<(), Refusal> {
        let mut open = self.0.lock().expect("no thread panics with the lock");
        open.retain(|_, room| room.strong_count() > 0);
        if open.len() >= MOST_OPEN && !open.contains_key(&room.id) {
            return Err(Refusal::unavailable(refusal!("lobby.full", "too many games are open; try again later")));
        }
        open.insert(room.id.clone(), Arc::downgrade(room));
        Ok(())
    }

    pub(crate) fn remove(&self, id: &str) {
        self.0.lock().expect("no thread panics with the lock").remove(id);
    }

    /// The open games whose makers are there.
    pub(crate) async fn invitations(&self) -> Vec<Invitation> {
        let rooms: Vec<_> = {
            let open = self.0.lock().expect("no thread panics with the lock");
            open.values().filter_map(Weak::upgrade).collect()
        };
        let mut shown = Vec::new();
        for room in rooms {
            shown.extend(room.invitation().await);
        }
        shown
    }
}

/// Codes that were given out, by their digests.
#[derive(Default)]
pub(crate) struct Codes(Mutex<HashMap<String, Handed>>);

/// What a code stands for.
struct Handed {
    game: String,
    tokens: Vec<String>,
    until: Instant,
}

impl Codes {
    /// A code for these tokens, which can be used once.
    pub(crate) fn give(&self, game: String, tokens: Vec<String>, now: Instant) -> String {
        let code = secret::new_code();
        let mut codes = self.0.lock().expect("no thread panics with the lock");
        codes.retain(|_, handed| handed.until > now);
        if codes.len() >= MOST_CODES
            && let Some(oldest) = codes.iter().min_by_key(|(_, handed)| handed.until).map(|(code, _)| code.clone())
        {
            codes.remove(&oldest);
        }
        codes.insert(secret::digest(&code), Handed { game, tokens, until: now + CODE_LIFE });
        code
    }

    /// The game and the tokens of a code.
    pub(crate) fn take(&self, code: &str, now: Instant) -> Option<(String, Vec<String>)> {
        // As people type it.
        let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
        let handed = self.0.lock().expect("no thread panics with the lock").remove(&secret::digest(&code))?;
        (handed.until > now).then_some((handed.game, handed.tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_works_once_and_not_for_long() {
        let (codes, now) = (Codes::default(), Instant::now());
        let code = codes.give("game".into(), vec!["token".into()], now);
        let typed = format!(" {}-{} ", code[..4].to_uppercase(), &code[4..]);
        assert_eq!(codes.take(&typed, now), Some(("game".into(), vec!["token".into()])));
        assert_eq!(codes.take(&code, now), None);
        let code = codes.give("game".into(), Vec::new(), now);
        assert_eq!(codes.take(&code, now + CODE_LIFE), None);
    }

    #[test]
    fn codes_are_bounded() {
        let (codes, now) = (Codes::default(), Instant::now());
        let first = codes.give("game".into(), Vec::new(), now);
        for _ in 0..MOST_CODES {
            codes.give("game".into(), Vec::new(), now + Duration::from_secs(1));
        }
        assert_eq!(codes.take(&first, now), None);
        assert_eq!(codes.0.lock().unwrap().len(), MOST_CODES);
    }
}
