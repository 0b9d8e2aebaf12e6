//! The hub: what all connections share, and the rooms by the ids of their games.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, OnceLock},
    time::{Duration, Instant},
};

use quincunx_agents::elsewhere::Elsewhere;
use quincunx_game::{AnyGame, Side, refusal};
use quincunx_messages::{Catalogue, Ending, Line, agents, view};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::sync::watch;

use crate::{
    Settings,
    boards::Boards,
    connections::{self, Place, Places},
    contests::Contests,
    document::Document,
    engines::Engines,
    guard::LOAD_TEST,
    incoming::{GameWanted, SeatWanted, clean_name},
    library::Library,
    lobby::{Codes, Lobby},
    monitor::Counts,
    outgoing::Created,
    password::Password,
    rates::Rates,
    refusal::Refusal,
    room::Room,
    secret,
    store::{ClockSetting, Kept, KeptMove, Seat, Store, Write},
};

/// How long an empty room stays in memory.
const IDLE: Duration = Duration::from_secs(120);

/// Games whose clocks have run out that one sweep ends.
const MOST_WOKEN: usize = 200;

/// The longest clock, in seconds: a day for the game, ten minutes for a move.
const LONGEST_CLOCK: ClockSetting = ClockSetting { initial: 86_400, increment: 600 };

pub(crate) struct Hub {
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    pub(crate) engines: Engines,
    pub(crate) contests: Option<Arc<Contests>>,
    /// The boards of the games.
    pub(crate) boards: Boards,
    catalogue: OnceLock<Arc<Document>>,
    /// What the games say to people.
    pub(crate) library: Library,
    /// New games, by address.
    pub(crate) creations: Rates,
    /// Requests, by address.
    pub(crate) requests: Rates,
    /// The open games.
    pub(crate) lobby: Lobby,
    /// Codes that move seats.
    pub(crate) codes: Codes,
    /// Guesses of codes and of the password, by address.
    pub(crate) guesses: Rates,
    pub(crate) password: Option<Password>,
    /// The sockets that come through proxies, by the addresses of their clients.
    places: Arc<Places>,
    /// What happened since the server started.
    pub(crate) counts: Counts,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Becomes true when the server ends.
    pub(crate) ending: watch::Receiver<bool>,
}

impl Hub {
    pub(crate) fn new(
        settings: Settings,
        store: Store,
        elsewhere: Option<Arc<dyn Elsewhere>>,
        ending: watch::Receiver<bool>,
    ) -> Arc<Self> {
        let engines = Engines::new(settings.engine_threads, elsewhere);
        let contests = settings.results.clone().map(|folder| Arc::new(Contests::new(folder)));
        Arc::new(Self {
            contests,
            boards: Boards::default(),
            catalogue: OnceLock::new(),
            library: Library::new(&quincunx_games::entries()),
            creations: Rates::new(settings.creations),
            requests: Rates::new(settings.requests),
            places: Arc::new(Places::new(&settings)),
            lobby: Lobby::default(),
            codes: Codes::default(),
            guesses: Rates::new(settings.guesses),
            password: settings.password.as_ref().map(|password| Password::new(password, store.salt())),
            counts: Counts::new(),
            rooms: Mutex::default(),
            store,
            engines,
            settings,
            ending,
        })
    }

    /// The games and what this server does with them.
    pub(crate) fn catalogue(&self) -> Arc<Document> {
        let hash = |rules| self.boards.of(rules).map(|board| board.hash()).unwrap_or_default();
        let make = || {
            let catalogue = Catalogue {
                version: env!("CARGO_PKG_VERSION"),
                lists_all: !self.settings.public,
                contests: self.contests.is_some(),
                lobby: self.settings.lobby,
                name: self.settings.name.clone(),
                engine: crate::assets::has_engine(),
                games: quincunx_games::all().into_iter().map(|about| view::about_with_boards(about, hash)).collect(),
            };
            let text = serde_json::to_vec(&catalogue).expect("a plain value is written without error");
            Document::new("application/json", text)
        };
        Arc::clone(self.catalogue.get_or_init(make))
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

    /// Removes empty rooms, and ends the games whose clocks have run out while nobody was there.
    pub(crate) async fn sweep(self: &Arc<Self>) {
        let now = crate::now_ms();
        self.engines.forget_cancelled();
        {
            let mut rooms = self.rooms.lock().expect("no thread panics with the lock");
            rooms.retain(|_, room| Arc::strong_count(room) > 1 || !room.is_idle(now, IDLE));
        }
        // A refusal was logged already, and the next sweep tries again.
        let Ok(late) = self.store.out_of_time(now, MOST_WOKEN).await else { return };
        for id in late {
            if let Ok(room) = self.room(&id).await {
                room.wake(self).await;
            }
        }
    }

    /// How many games are in memory.
    pub(crate) fn rooms_open(&self) -> usize {
        self.rooms.lock().expect("no thread panics with the lock").len()
    }

    /// Forgets the room of a game that was deleted.
    pub(crate) fn forget(&self, id: &str) {
        self.rooms.lock().expect("no thread panics with the lock").remove(id);
    }

    /// Charges an address for a guess of something secret.
    pub(crate) fn charge_guess(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.guesses.allow(address, Instant::now()) {
            return Ok(());
        }
        Err(Refusal::too_many(refusal!("guesses.too_many", "too many tries; wait a minute")))
    }

    /// A place for a WebSocket that comes through a proxy.
    pub(crate) fn place(&self, address: IpAddr) -> Result<Place, Refusal> {
        Places::take(&self.places, address).ok_or_else(connections::too_many)
    }

    /// Charges an address for a new game, however it is made.
    pub(crate) fn charge(&self, address: IpAddr) -> Result<(), Refusal> {
        if address == LOAD_TEST || self.creations.allow(address, Instant::now()) {
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
            // The clock starts after the first move made here.
            runs_out: None,
            owner: Some(self.store.owner(address)),
        };
        let full = clock.map(|clock| [u64::from(clock.initial) * 1000; 2]);
        let moves = opened.played().into_iter().map(|text| KeptMove { text, left: full }).collect();
        self.store.write(Write::Create(Box::new(kept), moves)).await?;
        Ok(Created { id, tokens, invite })
    }
}
