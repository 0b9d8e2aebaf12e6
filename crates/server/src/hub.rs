//! The hub: what all connections share, and the rooms by the ids of their games.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use quincunx_game::{AnyGame, Side, refusal};
use quincunx_messages::{Ending, Line, agents};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::sync::watch;

use crate::{
    Settings,
    contests::Contests,
    engines::Engines,
    incoming::{GameWanted, SeatWanted, clean_name},
    library::Library,
    outgoing::Created,
    rates::Rates,
    refusal::Refusal,
    room::Room,
    secret,
    store::{ClockSetting, Kept, KeptMove, Seat, Store, Write},
};

/// How long an empty room stays in memory.
const IDLE: Duration = Duration::from_secs(120);

/// The longest clock, in seconds: a day for the game, ten minutes for a move.
const LONGEST_CLOCK: ClockSetting = ClockSetting { initial: 86_400, increment: 600 };

pub(crate) struct Hub {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) engines: Engines,
    pub(crate) contests: Option<Arc<Contests>>,
    /// What the games say to people.
    pub(crate) library: Library,
    /// New games, by address.
    pub(crate) creations: Rates,
    /// Requests, by address.
    pub(crate) requests: Rates,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Becomes true when the server ends.
    pub(crate) ending: watch::Receiver<bool>,
}

impl Hub {
    pub(crate) fn new(settings: Settings, store: Store, ending: watch::Receiver<bool>) -> Arc<Self> {
        let engines = Engines::new(settings.engine_threads);
        let contests = settings.results.clone().map(|folder| Arc::new(Contests::new(folder)));
        Arc::new(Self {
            contests,
            library: Library::new(&quincunx_games::entries()),
            creations: Rates::new(settings.creations),
            requests: Rates::new(settings.requests),
            rooms: Mutex::default(),
            store,
            engines,
            settings,
            ending,
        })
    }

    /// The room of a game.
    pub(crate) async fn room(&self, id: &str) -> Result<Arc<Room>, Refusal> {
        let missing = || Refusal::missing(refusal!("room.missing", "there is no game of this name here"));
        if !secret::is_id(id) {
            return Err(missing());
        }
        if let Some(room) = self.rooms.lock().expect("no thread panics with the lock").get(id) {
            return Ok(Arc::clone(room));
        }
        let (kept, moves) = self.store.load(id).await?.ok_or_else(missing)?;
        let room = Room::restore(kept, &moves).map_err(|error| {
            tracing::error!(id, %error, "a kept game cannot be replayed");
            Refusal::unavailable(refusal!("room.broken", "this game cannot be opened any more"))
        })?;
        let mut rooms = self.rooms.lock().expect("no thread panics with the lock");
        if rooms.len() >= self.settings.most_rooms {
            return Err(Refusal::unavailable(refusal!(
                "room.too_many",
                "too many games are open at once; try again in a moment"
            )));
        }
        // Another request may have loaded it in the meantime, and a game must have only one room.
        Ok(Arc::clone(rooms.entry(id.to_string()).or_insert_with(|| Arc::new(room))))
    }

    /// Removes empty rooms.
    pub(crate) fn sweep(&self) {
        let now = crate::now_ms();
        let mut rooms = self.rooms.lock().expect("no thread panics with the lock");
        rooms.retain(|_, room| Arc::strong_count(room) > 1 || !room.is_idle(now, IDLE));
    }

    /// Charges an address for a new game, however it is made.
    pub(crate) fn charge(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.creations.allow(address, Instant::now()) {
            return Ok(());
        }
        Err(Refusal::too_many(refusal!("new_game.too_many", "too many new games; wait a minute")))
    }

    /// Makes a game; the answer holds the tokens of its seats.
    pub(crate) async fn create(&self, address: IpAddr, wanted: GameWanted) -> Result<Created, Refusal> {
        self.charge(address)?;
        let GameWanted { game, ruleset, position, moves, seats, clock } = wanted;
        if let Some(clock) = clock
            && (clock.initial == 0
                || clock.initial > LONGEST_CLOCK.initial
                || clock.increment > LONGEST_CLOCK.increment)
        {
            return Err(Refusal::wrong(refusal!(
                "new_game.clock",
                "a clock has 1 to 86400 seconds, and 0 to 600 for each move"
            )));
        }
        let fresh = position.is_none() && moves.is_empty();
        let mut opened: Box<dyn AnyGame> = Line { game, ruleset, position, moves }.open()?;
        if fresh {
            opened.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(secret::new_seed()));
        }
        let mut tokens = Vec::new();
        let mut invite = None;
        let about = opened.rules().about;
        let mut sit = |wanted: SeatWanted, side: Side| -> Result<Seat, Refusal> {
            let named = |name: &str| {
                let name = clean_name(name);
                if name.is_empty() { about.side(side).to_string() } else { name }
            };
            Ok(match wanted {
                SeatWanted::Me { name } => {
                    let token = secret::new_token();
                    let seat = Seat { name: named(&name), token: Some(secret::digest(&token)), ..Seat::default() };
                    tokens.push(token);
                    seat
                }
                SeatWanted::Invited { name } => {
                    let secret = secret::new_token();
                    let seat = Seat { name: named(&name), invite: Some(secret::digest(&secret)), ..Seat::default() };
                    if invite.replace(secret).is_some() {
                        return Err(Refusal::wrong(refusal!(
                            "new_game.invitations",
                            "only one seat can be given to whoever opens the invitation"
                        )));
                    }
                    seat
                }
                SeatWanted::Engine { spec } => {
                    agents::check(&spec, opened.rules())?;
                    Seat { name: spec.clone(), engine: Some(spec), ..Seat::default() }
                }
            })
        };
        let [first, second] = seats;
        let seats = [sit(first, Side::First)?, sit(second, Side::Second)?];
        let mut control = None;
        if tokens.is_empty() {
            if seats.iter().any(|seat| seat.engine.is_none()) {
                return Err(Refusal::wrong(refusal!(
                    "new_game.no_seat",
                    "whoever makes a game sits on one of its seats, unless two engines play"
                )));
            }
            let token = secret::new_token();
            control = Some(secret::digest(&token));
            tokens.push(token);
        }
        let id = secret::new_id();
        let kept = Kept {
            id: id.clone(),
            game: about.name.into(),
            ruleset: opened.rules().to_string(),
            start: opened.start_text(),
            created: crate::now_ms(),
            updated: 0,
            seats,
            control,
            clock,
            ending: opened.outcome().map(Ending::from),
            successor: None,
            plies: opened.ply(),
        };
        let full = clock.map(|clock| [u64::from(clock.initial) * 1000; 2]);
        let moves = opened.played().into_iter().map(|text| KeptMove { text, left: full }).collect();
        self.store.write(Write::Create(Box::new(kept), moves)).await?;
        Ok(Created { id, tokens, invite })
    }
}
