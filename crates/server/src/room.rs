//! A room: one game with its seats, its clock and its watchers.
//!
//! All changes of a game go through its lock, one after the other, and each is on disk before it is announced.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{extract::ws::Utf8Bytes, http::StatusCode};
use quincunx_agents::{Answer, Request, elsewhere::MoveWanted};
use quincunx_game::{Side, TextError, refusal};
use quincunx_games::{rules, set_up};
use quincunx_messages::Ending;
use quincunx_search::{Clock, Limits, Stop};
use tokio::sync::{Mutex, broadcast};

use crate::{
    engines::MoveFor,
    hub::Hub,
    incoming::{Action, Held, Offer},
    outgoing::{self, Fixed, Message, Record},
    play::{Play, Then, Timer, Waiting},
    refusal::Refusal,
    secret,
    social::Presence,
    store::{ClockSetting, Kept, KeptMove, Seat, Write},
};

/// Updates a watcher may lag behind before it is sent the whole game again.
const UPDATES_KEPT: usize = 16;

/// The longest an engine thinks on a move here, whatever its spec says.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);

/// How soon to try again to write what the disk did not take.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// An engine that gives itself a smaller chance than this takes a draw.
const GLAD_OF_A_DRAW: f64 = 0.45;

/// No engine takes a draw before this ply: what a weak one thinks of an opening is noise.
const FIRST_DRAW: usize = 20;

pub(crate) struct Room {
    pub(crate) id: String,
    created: i64,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) play: Mutex<Play>,
    /// Which players are there.
    pub(crate) presence: Presence,
    updates: broadcast::Sender<Utf8Bytes>,
    /// When the room was last used, in milliseconds since 1970.
    touched: AtomicI64,
}

impl Room {
    /// The room of a game as it is kept.
    pub(crate) fn restore(kept: Kept, moves: &[KeptMove]) -> Result<Self, TextError> {
        let rules = rules(&kept.game, Some(&kept.ruleset))?;
        let game = set_up(rules, Some(&kept.start), moves.iter().map(|mv| &mv.text))?;
        let full = kept.clock.map_or(0, |clock| u64::from(clock.initial) * 1000);
        let mut left = vec![[full; 2]];
        left.extend(moves.iter().map(|mv| mv.left.unwrap_or([full; 2])));
        let engines = kept.seats.iter().all(|seat| seat.engine.is_some());
        let play = Play {
            game,
            seats: kept.seats,
            control: kept.control,
            ending: kept.ending,
            successor: kept.successor,
            left,
            runs_out: kept.runs_out.map(|at| {
                let left = u64::try_from(at - crate::now_ms()).unwrap_or(0);
                Instant::now() + Duration::from_millis(left)
            }),
            waiting: None,
            timer: None,
            draw: None,
            undo: None,
            rematch: [false; 2],
            thinking: None,
            person: Ipv4Addr::UNSPECIFIED.into(),
            turn: 0,
            // An interrupted game of two engines waits until it is watched again.
            paused: false,
            open: false,
            said: [None; 2],
            delay: if engines { 800 } else { 0 },
            opinion: [None; 2],
        };
        Ok(Self {
            id: kept.id,
            created: kept.created,
            clock: kept.clock,
            play: Mutex::new(play),
            presence: Presence::default(),
            updates: broadcast::channel(UPDATES_KEPT).0,
            touched: AtomicI64::new(crate::now_ms()),
        })
    }

    /// Whether the room can be dropped: it is loaded from disk again when needed.
    pub(crate) fn is_idle(&self, now: i64, after: Duration) -> bool {
        let quiet = now - self.touched.load(Ordering::Relaxed) > after.as_millis() as i64;
        let Ok(play) = self.play.try_lock() else { return false };
        quiet && self.updates.receiver_count() == 0 && play.thinking.is_none() && play.waiting.is_none()
    }

    /// Lets a client in, and returns what it holds, the whole game, and a receiver of all later changes.
    pub(crate) async fn enter(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        address: IpAddr,
        tokens: &[String],
    ) -> (Held, Utf8Bytes, broadcast::Receiver<Utf8Bytes>) {
        let mut play = self.play.lock().await;
        let updates = self.updates.subscribe();
        let held = play.held_by(tokens);
        play.person = address;
        self.advance(hub, &mut play);
        let welcome = outgoing::game(self.fixed(), &play, Some(&held));
        (held, welcome, updates)
    }

    /// Ends the game if its clock has run out while nobody was there.
    pub(crate) async fn wake(self: &Arc<Self>, hub: &Arc<Hub>) {
        let mut play = self.play.lock().await;
        self.advance(hub, &mut play);
    }

    /// The whole game as JSON.
    pub(crate) async fn snapshot(&self) -> Utf8Bytes {
        let play = self.play.lock().await;
        outgoing::game(self.fixed(), &play, None)
    }

    /// Whether one of these tokens owns a seat or the control of the game.
    pub(crate) async fn is_held_by(&self, tokens: &[String]) -> bool {
        let held = self.play.lock().await.held_by(tokens);
        held.control || held.seats.contains(&true)
    }

    /// The game as a record.
    pub(crate) async fn record(&self) -> Record {
        let play = self.play.lock().await;
        outgoing::record(self.fixed(), &play)
    }

    /// Seats a person on the seat that this invitation is for, and returns its token.
    pub(crate) async fn sit_down(&self, hub: &Arc<Hub>, invite: &str, name: String) -> Result<String, Refusal> {
        let mut play = self.play.lock().await;
        let digest = secret::digest(invite);
        let side = (0..2).find(|&side| play.seats[side].invite.as_deref() == Some(digest.as_str()));
        let Some(side) = side else {
            return Err(Refusal::forbidden(refusal!(
                "invitation.used",
                "this invitation was used already, or never given"
            )));
        };
        let token = secret::new_token();
        let name = if name.is_empty() { play.seats[side].name.clone() } else { name };
        let seat = Seat { name, engine: None, token: Some(secret::digest(&token)), invite: None };
        hub.store.write(Write::SitDown { id: self.id.clone(), side, seat: seat.clone() }).await?;
        play.seats[side] = seat;
        self.tell_all(&play);
        Ok(token)
    }

    /// Does what a holder of `held` at `address` asks for.
    pub(crate) async fn act(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        address: IpAddr,
        held: &Held,
        action: Action,
    ) -> Result<(), Refusal> {
        self.touched.store(crate::now_ms(), Ordering::Relaxed);
        let mut play = self.play.lock().await;
        play.person = address;
        match action {
            Action::Move { text, ply } => {
                if ply.is_some_and(|ply| ply != play.game.ply()) {
                    return Err(Refusal::conflict(refusal!("move.late", "the game has moved on meanwhile")));
                }
                let side = play.game.to_move().index();
                if !held.seats[side] {
                    return Err(Refusal::forbidden(if held.seats.contains(&true) {
                        refusal!("seat.not_your_turn", "it is not your turn")
                    } else {
                        refusal!("seat.not_yours", "you are watching: this seat is not yours")
                    }));
                }
                self.play_move(hub, &mut play, &text).await
            }
            Action::Undo => self.take_back(hub, &mut play, held).await,
            Action::Resign => {
                play.must_go_on()?;
                let side = play.side_of(held)?;
                self.end(hub, &mut play, Some(1 - side), "resigned").await
            }
            Action::Draw => self.offer_draw(hub, &mut play, held).await,
            Action::Rematch => self.rematch(hub, address, &mut play, held).await,
            Action::Answer { offer, accept } => self.answer(hub, &mut play, held, offer, accept).await,
            Action::Pause { paused } => {
                must_control(held)?;
                play.paused = paused;
                if paused {
                    play.stop_thinking();
                }
                self.advance(hub, &mut play);
                self.tell_all(&play);
                Ok(())
            }
            Action::Step => {
                must_control(held)?;
                play.must_go_on()?;
                play.paused = true;
                play.stop_thinking();
                self.ask_engine(hub, &mut play);
                self.tell_all(&play);
                Ok(())
            }
            Action::Say { phrase } => self.say(&mut play, held, phrase),
            Action::Open { open } => self.set_open(hub, &mut play, held, open),
            Action::Speed { delay } => {
                must_control(held)?;
                play.delay = delay.min(10_000);
                self.tell_all(&play);
                Ok(())
            }
        }
    }

    /// Plays a move and every forced pass behind it.
    async fn play_move(self: &Arc<Self>, hub: &Arc<Hub>, play: &mut Play, text: &str) -> Result<(), Refusal> {
        play.must_go_on()?;
        let mut text = text.to_string();
        loop {
            let by = play.game.to_move();
            let left = play.left_now();
            if self.clock.is_some() && left[by.index()] == 0 {
                return self.end_by_time(hub, play).await;
            }
            play.game.play(&text)?;
            let written = play.game.played().pop().unwrap_or_default();
            let mut left_after = left;
            if let Some(clock) = self.clock
                && play.runs_out.is_some()
            {
                left_after[by.index()] += u64::from(clock.increment) * 1000;
            }
            let ending = play.game.outcome().map(Ending::from);
            let mv = KeptMove { text: written.clone(), left: self.clock.map(|_| left_after) };
            let ply = play.game.ply() - 1;
            let runs_out = (self.clock.is_some() && ending.is_none())
                .then(|| crate::now_ms() + left_after[play.game.to_move().index()] as i64);
            let write = Write::Move { id: self.id.clone(), ply, mv, ending: ending.clone(), runs_out };
            if let Err(refusal) = hub.store.write(write).await {
                play.game.undo();
                return Err(self.wait(hub, play, left, Then::Move(text), refusal));
            }
            play.stop_thinking();
            hub.counts.moves.fetch_add(1, Ordering::Relaxed);
            play.left.push(left_after);
            play.turn += 1;
            play.ending = ending;
            (play.draw, play.undo) = (None, None);
            play.runs_out = None;
            if self.clock.is_some() && play.ending.is_none() {
                play.start_clock();
            }
            let pass = play.game.must_pass();
            if !pass {
                self.advance(hub, play);
            }
            self.tell_move(play, written, by);
            if !pass {
                return Ok(());
            }
            text = "pass".into();
        }
    }

    /// Lets the game wait for the disk if that is why a write was refused; what its sender is told.
    ///
    /// The clocks stand still from `left` on, so that nobody loses by it.
    fn wait(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        play: &mut Play,
        left: [u64; 2],
        then: Then,
        refusal: Refusal,
    ) -> Refusal {
        if refusal.status != StatusCode::SERVICE_UNAVAILABLE {
            return refusal;
        }
        let clock_ran = play.runs_out.take().is_some();
        if let Some(last) = play.left.last_mut() {
            *last = left;
        }
        play.stop_thinking();
        play.timer = None;
        play.turn += 1;
        if play.waiting.replace(Waiting { then, clock_ran }).is_none() {
            hub.counts.waits.fetch_add(1, Ordering::Relaxed);
            tracing::warn!(game = self.id, "a game waits for the disk");
        }
        self.tell_all(play);
        let (room, hub) = (Arc::downgrade(self), Arc::downgrade(hub));
        tokio::spawn(async move {
            tokio::time::sleep(TRY_AGAIN).await;
            let Some((room, hub)) = room.upgrade().zip(hub.upgrade()) else { return };
            room.try_again(&hub).await;
        });
        play.must_go_on().err().unwrap_or(refusal)
    }

    /// Does what the game waits for; if the disk is still not ready, the game waits on.
    async fn try_again(self: &Arc<Self>, hub: &Arc<Hub>) {
        let mut play = self.play.lock().await;
        let Some(waiting) = play.waiting.take() else { return };
        if waiting.clock_ran {
            play.start_clock();
        }
        let done = match waiting.then {
            Then::Move(text) => self.play_move(hub, &mut play, &text).await,
            Then::EndByTime => self.end_by_time(hub, &mut play).await,
        };
        if let Err(refusal) = done
            && play.waiting.is_none()
        {
            tracing::error!(game = self.id, %refusal, "what a game waited for is refused");
            self.advance(hub, &mut play);
            self.tell_all(&play);
        }
    }

    /// Ends the game because the clock of the side to move has run out.
    async fn end_by_time(self: &Arc<Self>, hub: &Arc<Hub>, play: &mut Play) -> Result<(), Refusal> {
        let (winner, left) = (1 - play.game.to_move().index(), play.left_now());
        match self.end(hub, play, Some(winner), "time").await {
            Err(refusal) => Err(self.wait(hub, play, left, Then::EndByTime, refusal)),
            done => done,
        }
    }

    /// Ends the game for a reason that is not in its rules.
    async fn end(&self, hub: &Arc<Hub>, play: &mut Play, winner: Option<usize>, reason: &str) -> Result<(), Refusal> {
        let ending = Ending { winner, reason: reason.to_string() };
        hub.store.write(Write::End { id: self.id.clone(), ending: ending.clone() }).await?;
        if let Some(last) = play.left.last().copied() {
            let now = play.left_now();
            *play.left.last_mut().expect("there is one") = [last[0].min(now[0]), last[1].min(now[1])];
        }
        play.stop_thinking();
        play.ending = Some(ending);
        play.runs_out = None;
        // If it is the timer that ends the game: it has nothing left to wait for.
        play.timer = None;
        play.turn += 1;
        (play.draw, play.undo) = (None, None);
        self.tell_all(play);
        Ok(())
    }

    /// Takes moves back to the client's last one: at once if no other person plays, otherwise after asking.
    async fn take_back(self: &Arc<Self>, hub: &Arc<Hub>, play: &mut Play, held: &Held) -> Result<(), Refusal> {
        if play.control.is_none() {
            play.side_of(held)?;
        }
        let alone = play.is_alone(held);
        let plies = play.plies_to_take_back(held)?;
        if alone {
            return self.shorten(hub, play, plies).await;
        }
        play.must_go_on()?;
        play.undo = Some(play.side_of(held)?);
        self.tell_all(play);
        Ok(())
    }

    async fn shorten(self: &Arc<Self>, hub: &Arc<Hub>, play: &mut Play, plies: usize) -> Result<(), Refusal> {
        let ply = play.game.ply().saturating_sub(plies);
        let runs = self.clock.is_some() && ply > 0;
        let mut back = play.game.boxed_clone();
        while back.ply() > ply {
            back.undo();
        }
        let left = play.left.get(ply).copied().unwrap_or_default()[back.to_move().index()];
        let runs_out = runs.then(|| crate::now_ms() + left as i64);
        hub.store.write(Write::TakeBack { id: self.id.clone(), ply, runs_out }).await?;
        play.stop_thinking();
        while play.game.ply() > ply {
            play.game.undo();
        }
        play.left.truncate(ply + 1);
        play.turn += 1;
        play.ending = None;
        (play.draw, play.undo) = (None, None);
        play.runs_out = None;
        if runs {
            play.start_clock();
        }
        self.advance(hub, play);
        self.tell_all(play);
        Ok(())
    }

    async fn offer_draw(&self, hub: &Arc<Hub>, play: &mut Play, held: &Held) -> Result<(), Refusal> {
        play.must_go_on()?;
        let side = play.side_of(held)?;
        let other = 1 - side;
        if held.seats[other] {
            return self.end(hub, play, None, "draw agreed").await;
        }
        if play.seats[other].engine.is_some() {
            let glad = play.opinion[other].is_some_and(|chance| chance < GLAD_OF_A_DRAW);
            if glad && play.game.ply() >= FIRST_DRAW {
                return self.end(hub, play, None, "draw agreed").await;
            }
            return Err(Refusal::conflict(refusal!("draw.declined", "the engine plays on")));
        }
        play.draw = Some(side);
        self.tell_all(play);
        Ok(())
    }

    async fn rematch(&self, hub: &Arc<Hub>, address: IpAddr, play: &mut Play, held: &Held) -> Result<(), Refusal> {
        if play.outcome().is_none() {
            return Err(Refusal::conflict(refusal!("rematch.early", "the game is not over")));
        }
        if play.control.is_some() {
            must_control(held)?;
        } else {
            play.side_of(held)?;
        }
        for side in 0..2 {
            play.rematch[side] |= held.seats[side] || play.seats[side].engine.is_some();
        }
        if play.rematch == [true; 2] && play.successor.is_none() {
            hub.charge(address)?;
            let [first, second] = play.seats.clone();
            let kept = Kept {
                id: secret::new_id(),
                game: play.game.rules().about.name.into(),
                ruleset: play.game.rules().to_string(),
                start: play.game.start_text(),
                created: crate::now_ms(),
                updated: 0,
                seats: [second, first],
                control: play.control.clone(),
                clock: self.clock,
                ending: None,
                successor: None,
                plies: 0,
                runs_out: None,
                owner: Some(hub.store.owner(address)),
            };
            let successor = kept.id.clone();
            hub.store.write(Write::Create(Box::new(kept), Vec::new())).await?;
            hub.store.write(Write::Succeed { id: self.id.clone(), successor: successor.clone() }).await?;
            play.successor = Some(successor);
        }
        self.tell_all(play);
        Ok(())
    }

    async fn answer(
        self: &Arc<Self>,
        hub: &Arc<Hub>,
        play: &mut Play,
        held: &Held,
        offer: Offer,
        accept: bool,
    ) -> Result<(), Refusal> {
        let by = match offer {
            Offer::Draw => play.draw,
            Offer::Undo => play.undo,
        };
        let Some(by) = by else {
            return Err(Refusal::conflict(refusal!("offer.gone", "there is no such offer any more")));
        };
        if !held.seats[1 - by] {
            return Err(Refusal::forbidden(refusal!("offer.own", "only the other player can answer")));
        }
        if !accept {
            match offer {
                Offer::Draw => play.draw = None,
                Offer::Undo => play.undo = None,
            }
            self.tell_all(play);
            return Ok(());
        }
        match offer {
            Offer::Draw => self.end(hub, play, None, "draw agreed").await,
            Offer::Undo => {
                let asker = Held { seats: [by == 0, by == 1], control: false };
                let plies = play.plies_to_take_back(&asker)?;
                self.shorten(hub, play, plies).await
            }
        }
    }

    /// Starts the engine whose turn it is, and watches the running clock.
    fn advance(self: &Arc<Self>, hub: &Arc<Hub>, play: &mut Play) {
        self.touched.store(crate::now_ms(), Ordering::Relaxed);
        play.timer = None;
        if play.outcome().is_some() || play.waiting.is_some() {
            return;
        }
        if play.runs_out.is_some() {
            // Neither the room nor the server lives longer because of a clock.
            let (room, hub, turn) = (Arc::downgrade(self), Arc::downgrade(hub), play.turn);
            let left = play.left_now()[play.game.to_move().index()];
            let timer = tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(left + 5)).await;
                let Some((room, hub)) = room.upgrade().zip(hub.upgrade()) else { return };
                let mut play = room.play.lock().await;
                if play.turn == turn && play.ending.is_none() {
                    _ = room.end_by_time(&hub, &mut play).await;
                }
            });
            play.timer = Some(Timer(timer.abort_handle()));
        }
        // Two engines do not play unwatched.
        let unwatched = play.engines_only() && self.updates.receiver_count() == 0;
        if !play.paused && !unwatched {
            self.ask_engine(hub, play);
        }
    }

    fn ask_engine(self: &Arc<Self>, hub: &Arc<Hub>, play: &mut Play) {
        let side = play.game.to_move();
        let Some(spec) = play.seats[side.index()].engine.clone() else { return };
        if play.thinking.is_some() || play.outcome().is_some() || play.waiting.is_some() {
            return;
        }
        let stop = Stop::default();
        let clock = self.clock.map(|setting| Clock {
            left: Duration::from_millis(play.left_now()[side.index()]),
            increment: Duration::from_secs(u64::from(setting.increment)),
        });
        let limits = Limits { movetime: Some(LONGEST_THOUGHT), clock, ..Limits::default() };
        let wanted = MoveWanted {
            spec,
            seed: secret::new_seed(),
            game: play.game.boxed_clone(),
            request: Request { limits, stop: stop.clone() },
        };
        let asked = MoveFor { person: play.person, id: self.id.clone(), wanted };
        play.thinking = Some(stop.clone());
        let (room, hub, turn) = (Arc::clone(self), Arc::clone(hub), play.turn);
        let not_before = Instant::now() + Duration::from_millis(if play.engines_only() { play.delay } else { 0 });
        tokio::spawn(async move {
            let Ok(answer) = hub.engines.ask(asked) else {
                // The queue is full: try again when it is shorter.
                tokio::time::sleep(Duration::from_secs(1)).await;
                let mut play = room.play.lock().await;
                if play.turn == turn && !stop.is_stopped() {
                    play.thinking = None;
                    room.advance(&hub, &mut play);
                }
                return;
            };
            // The engine that is stopped before it has begun gives no answer.
            let answer = answer.await.unwrap_or_else(|_| Err("the engine failed".into()));
            tokio::time::sleep_until(not_before.into()).await;
            room.engine_answered(&hub, turn, &stop, answer).await;
        });
    }

    async fn engine_answered(self: &Arc<Self>, hub: &Arc<Hub>, turn: u64, stop: &Stop, answer: Result<Answer, String>) {
        let mut play = self.play.lock().await;
        if play.turn != turn || stop.is_stopped() {
            return;
        }
        play.thinking = None;
        let side = play.game.to_move().index();
        let played = match answer {
            Ok(answer) => {
                play.opinion[side] = answer.win_probability;
                self.play_move(hub, &mut play, &answer.mv).await.map_err(|refusal| refusal.to_string())
            }
            Err(message) => Err(message),
        };
        if let Err(message) = played
            && play.waiting.is_none()
        {
            tracing::error!(game = self.id, message, "an engine gave no legal move");
            _ = self.end(hub, &mut play, Some(1 - side), "engine failed").await;
        }
    }

    fn fixed(&self) -> Fixed<'_> {
        Fixed { id: &self.id, created: self.created, clock: self.clock, present: self.presence.now() }
    }

    /// Sends a message to everybody in the room.
    pub(crate) fn tell(&self, message: &Message<'_>) {
        // Without watchers sending fails, which does not matter.
        _ = self.updates.send(message.text());
    }

    pub(crate) fn tell_all(&self, play: &Play) {
        _ = self.updates.send(outgoing::game(self.fixed(), play, None));
    }

    fn tell_move(&self, play: &Play, mv: String, by: Side) {
        _ = self.updates.send(outgoing::moved(self.fixed(), play, mv, by));
    }
}

fn must_control(held: &Held) -> Result<(), Refusal> {
    if held.control {
        Ok(())
    } else {
        Err(Refusal::forbidden(refusal!("control.none", "only whoever started this game can do that")))
    }
}
