//! What changes in a room: the game, its clocks, offers and engines, and what may be done with them.

use std::{
    net::IpAddr,
    time::{Duration, Instant},
};

use quincunx_game::{AnyGame, refusal};
use quincunx_messages::Ending;
use quincunx_search::Stop;
use tokio::task::AbortHandle;

use crate::{incoming::Held, refusal::Refusal, secret, store::Seat};

/// A task that waits for something, such as a clock to run out; dropping this ends it.
pub(crate) struct Timer(pub(crate) AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What a game waits to do until the disk takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Waiting {
    pub(crate) then: Then,
    /// Whether a clock ran.
    pub(crate) clock_ran: bool,
}

/// What is done when the disk takes it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Then {
    Move(String),
    /// The clock of the side to move has run out.
    EndByTime,
}

/// Everything that changes in a room.
pub(crate) struct Play {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) seats: [Seat; 2],
    /// The digest of the token that pauses and steps a game of two engines.
    pub(crate) control: Option<String>,
    pub(crate) ending: Option<Ending>,
    pub(crate) successor: Option<String>,
    /// What was left on the clocks at the start and after each turn.
    pub(crate) left: Vec<[u64; 2]>,
    /// When the clock of the side to move runs out, if it runs.
    pub(crate) runs_out: Option<Instant>,
    /// What cannot be written to disk now and is done as soon as it can be. The clock stands still meanwhile.
    pub(crate) waiting: Option<Waiting>,
    /// Ends the game when that clock runs out.
    pub(crate) timer: Option<Timer>,
    /// The side that offers, by kind of offer.
    pub(crate) draw: Option<usize>,
    pub(crate) undo: Option<usize>,
    pub(crate) rematch: [bool; 2],
    /// Stops the engine that thinks.
    pub(crate) thinking: Option<Stop>,
    /// The address of whoever came or acted last: engines think on that person's share.
    pub(crate) person: IpAddr,
    /// Counts changes, so that a late answer of an engine is recognised.
    pub(crate) turn: u64,
    pub(crate) paused: bool,
    /// Whether anybody may take the free seat.
    pub(crate) open: bool,
    /// When each side said something last.
    pub(crate) said: [Option<Instant>; 2],
    /// Milliseconds between the moves of two engines.
    pub(crate) delay: u64,
    /// The winning chance that each engine gave itself last.
    pub(crate) opinion: [Option<f64>; 2],
}

impl Play {
    pub(crate) fn outcome(&self) -> Option<Ending> {
        self.game.outcome().map(Ending::from).or_else(|| self.ending.clone())
    }

    pub(crate) fn must_go_on(&self) -> Result<(), Refusal> {
        if self.outcome().is_some() {
            Err(Refusal::conflict(refusal!("game.ended", "the game is over")))
        } else if self.waiting.is_some() {
            Err(Refusal::unavailable(refusal!(
                "store.waiting",
                "the disk of the server is not ready; the game goes on, without loss of time, when it is"
            )))
        } else {
            Ok(())
        }
    }

    /// The seat that nobody has taken yet.
    pub(crate) fn free_seat(&self) -> Option<usize> {
        (0..2).find(|&side| self.seats[side].engine.is_none() && self.seats[side].token.is_none())
    }

    pub(crate) fn engines_only(&self) -> bool {
        self.seats.iter().all(|seat| seat.engine.is_some())
    }

    pub(crate) fn held_by(&self, tokens: &[String]) -> Held {
        let digests: Vec<_> = tokens.iter().map(|token| secret::digest(token)).collect();
        let holds = |kept: Option<&String>| kept.is_some_and(|kept| digests.contains(kept));
        Held {
            seats: self.seats.each_ref().map(|seat| holds(seat.token.as_ref())),
            control: holds(self.control.as_ref()),
        }
    }

    /// The side that a client acts for: the side to move if the client holds both.
    pub(crate) fn side_of(&self, held: &Held) -> Result<usize, Refusal> {
        match held.seats {
            [true, true] => Ok(self.game.to_move().index()),
            [true, false] => Ok(0),
            [false, true] => Ok(1),
            [false, false] => Err(Refusal::forbidden(refusal!("seat.none", "you are watching: no seat is yours"))),
        }
    }

    /// Whether no other person plays in this game.
    pub(crate) fn is_alone(&self, held: &Held) -> bool {
        (0..2).all(|side| held.seats[side] || self.seats[side].engine.is_some())
    }

    /// The number of turns back to the last choice made by a holder of `held`.
    pub(crate) fn plies_to_take_back(&self, held: &Held) -> Result<usize, Refusal> {
        let mut before = self.game.boxed_clone();
        let mut plies = 0;
        while before.undo() {
            plies += 1;
            if held.seats[before.to_move().index()] && !before.must_pass() {
                return Ok(plies);
            }
        }
        Err(Refusal::conflict(refusal!("undo.nothing", "there is no move of yours to take back")))
    }

    pub(crate) fn stop_thinking(&mut self) {
        if let Some(stop) = self.thinking.take() {
            stop.stop();
        }
    }

    /// What is left on the clocks at this moment, in milliseconds.
    pub(crate) fn left_now(&self) -> [u64; 2] {
        let mut left = self.left.last().copied().unwrap_or_default();
        if let Some(at) = self.runs_out {
            let side = self.game.to_move().index();
            left[side] = at.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000) as u64;
        }
        left
    }

    /// Starts the clock of the side to move.
    pub(crate) fn start_clock(&mut self) {
        let left = self.left.last().copied().unwrap_or_default();
        self.runs_out = Some(Instant::now() + Duration::from_millis(left[self.game.to_move().index()]));
    }
}
