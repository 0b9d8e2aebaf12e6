//! The workers that are there, as they announce themselves.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use async_nats::Message as Received;

use crate::{
    message::{Announcement, Message, line},
    seal::sender,
    subject,
};

/// How often a worker announces itself.
pub(crate) const ANNOUNCE: Duration = Duration::from_secs(2);

/// One that was not heard of for so long is gone.
const GONE: Duration = Duration::from_secs(7);

/// More workers than this are not kept in mind.
const MOST: usize = 20_000;

/// The workers heard of lately.
#[derive(Default)]
pub(crate) struct Crew(HashMap<String, (Announcement, Instant)>);

impl Crew {
    /// Takes an announcement; the error says what is wrong with it.
    pub(crate) fn hear(&mut self, message: &Received) -> Result<(), String> {
        let key = sender(&message.subject, message.headers.as_ref(), &message.payload)?;
        let announcement = Announcement::read(&message.payload)?;
        if announcement.key != key || message.subject.as_str() != subject::worker(&key) {
            return Err(line(&format!("the worker {} speaks for another", announcement.name)));
        }
        // One that is gone or leaves is kept in mind: what it said once could be sent again.
        let known = self.0.get(&key).map(|(known, _)| known.number);
        if known.is_some_and(|number| announcement.number <= number) {
            return Err(line(&format!("what the worker {} said before was sent again", announcement.name)));
        }
        if known.is_none() && self.0.len() >= MOST {
            self.0.retain(|_, (_, heard)| heard.elapsed() < GONE);
        }
        if known.is_some() || self.0.len() < MOST {
            self.0.insert(key, (announcement, Instant::now()));
        }
        Ok(())
    }

    /// Those that are there, by name.
    pub(crate) fn present(&self) -> Vec<&Announcement> {
        let fresh = self.0.values().filter(|(said, heard)| !said.leaving && heard.elapsed() < GONE);
        let mut present: Vec<_> = fresh.map(|(announcement, _)| announcement).collect();
        present.sort_by(|a, b| (&a.name, &a.key).cmp(&(&b.name, &b.key)));
        present
    }

    /// Those that take part in a contest.
    pub(crate) fn of(&self, contest: &str) -> impl Iterator<Item = &Announcement> {
        self.present().into_iter().filter(move |worker| !worker.refused.contains_key(contest))
    }
}
