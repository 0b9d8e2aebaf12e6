//! People in a room: who is there, what they say to each other, and games that are open to anybody.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use quincunx_game::refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    hub::Hub,
    incoming::Held,
    lobby::Invitation,
    outgoing::Message,
    play::Play,
    refusal::Refusal,
    room::Room,
    secret,
    store::{Seat, Write},
};

/// How soon one side may say something again.
const PAUSE: Duration = Duration::from_secs(2);

/// What players can say to each other. There is no free text, so nobody has to be watched over.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phrase {
    Hello,
    GoodLuck,
    HaveFun,
    NiceMove,
    Oops,
    Thinking,
    OneMoment,
    IAmBack,
    Sorry,
    Thanks,
    GoodGame,
    Goodbye,
}

/// How many connections hold each seat.
#[derive(Default, Debug)]
pub(crate) struct Presence([AtomicUsize; 2]);

impl Presence {
    pub(crate) fn now(&self) -> [bool; 2] {
        self.0.each_ref().map(|count| count.load(Ordering::Relaxed) > 0)
    }
}

/// A connection that sits in a room; dropping it leaves the room.
pub(crate) struct Sitting {
    room: Arc<Room>,
    held: Held,
}

impl Sitting {
    pub(crate) fn new(room: &Arc<Room>, held: &Held) -> Self {
        let sitting = Self { room: Arc::clone(room), held: held.clone() };
        sitting.change(|count| count.fetch_add(1, Ordering::Relaxed));
        sitting
    }

    /// Counts this connection, and tells everybody if somebody came or went by it.
    fn change(&self, change: impl Fn(&AtomicUsize) -> usize) {
        let before = self.room.presence.now();
        for (count, _) in self.room.presence.0.iter().zip(self.held.seats).filter(|(_, held)| *held) {
            change(count);
        }
        let present = self.room.presence.now();
        if present != before {
            self.room.tell(&Message::Presence { present });
        }
    }
}

impl Drop for Sitting {
    fn drop(&mut self) {
        self.change(|count| count.fetch_sub(1, Ordering::Relaxed));
    }
}

impl Room {
    /// Says a phrase to the other player and to those who watch.
    pub(crate) fn say(&self, play: &mut Play, held: &Held, phrase: Phrase) -> Result<(), Refusal> {
        let by = play.side_of(held)?;
        let now = Instant::now();
        if play.said[by].is_some_and(|at| now.saturating_duration_since(at) < PAUSE) {
            return Err(Refusal::too_many(refusal!("phrase.too_many", "wait a moment before you say more")));
        }
        play.said[by] = Some(now);
        self.tell(&Message::Said { by, phrase });
        Ok(())
    }

    /// Opens the free seat of the game to anybody in the lobby, or closes it.
    pub(crate) fn set_open(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        play: &mut Play,
        held: &Held,
        open: bool,
    ) -> Result<(), Refusal> {
        if !hub.settings.lobby {
            return Err(Refusal::missing(refusal!("lobby.off", "this server has no lobby; start it with --lobby")));
        }
        play.side_of(held)?;
        if open {
            play.must_go_on()?;
            if play.free_seat().is_none() {
                return Err(Refusal::conflict(refusal!("lobby.no_seat", "no seat of this game is free")));
            }
            hub.lobby.add(self)?;
        } else {
            hub.lobby.remove(&self.id);
        }
        play.open = open;
        self.tell_all(play);
        Ok(())
    }

    /// What the lobby shows of the game; none if its seat is taken or its maker is away.
    pub(crate) async fn invitation(&self) -> Option<Invitation> {
        let play = self.play.lock().await;
        let free = play.free_seat().filter(|_| play.open && play.outcome().is_none())?;
        let maker = 1 - free;
        if !self.presence.now()[maker] {
            return None;
        }
        Some(Invitation {
            id: self.id.clone(),
            game: play.game.rules().about.name,
            ruleset: play.game.rules().to_string(),
            clock: self.clock,
            name: play.seats[maker].name.clone(),
            side: free,
            plies: play.game.ply(),
        })
    }

    /// Seats a person on the free seat of an open game, and returns the token.
    pub(crate) async fn take_open_seat(self: &Arc<Self>, hub: &Arc<Hub>, name: String) -> Result<String, Refusal> {
        let mut play = self.play.lock().await;
        let Some(side) = play.free_seat().filter(|_| play.open) else {
            return Err(Refusal::conflict(refusal!("lobby.taken", "somebody else was faster")));
        };
        let token = secret::new_token();
        let name = if name.is_empty() { play.seats[side].name.clone() } else { name };
        let seat = Seat { name, engine: None, token: Some(secret::digest(&token)), invite: None };
        hub.store.write(Write::SitDown { id: self.id.clone(), side, seat: seat.clone() }).await?;
        play.seats[side] = seat;
        play.open = false;
        hub.lobby.remove(&self.id);
        self.tell_all(&play);
        Ok(token)
    }

    /// Deletes the game for whoever holds these tokens: if no other person plays in it, or it is over.
    pub(crate) async fn delete(&self, hub: &Arc<Hub>, tokens: &[String]) -> Result<(), Refusal> {
        let mut play = self.play.lock().await;
        let held = play.held_by(tokens);
        if !held.control {
            play.side_of(&held)?;
        }
        let others = (0..2).any(|side| !held.seats[side] && play.seats[side].token.is_some());
        if others && play.outcome().is_none() {
            return Err(Refusal::conflict(refusal!("delete.played", "end the game first: somebody else plays in it")));
        }
        hub.store.write(Write::Delete { id: self.id.clone() }).await?;
        play.stop_thinking();
        (play.timer, play.runs_out, play.open) = (None, None, false);
        hub.lobby.remove(&self.id);
        hub.forget(&self.id);
        self.tell(&Message::Deleted);
        Ok(())
    }
}
