//! What clients are sent: the answers over HTTP, and every message over a socket.

use std::collections::BTreeMap;

use axum::extract::ws::Utf8Bytes;
use quincunx_game::Side;
use quincunx_messages::{AnalysisView, Ending, ErrorView, PlyView, PositionView, ReviewView, view};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    incoming::Held,
    lobby::Invitation,
    play::Play,
    refusal::Refusal,
    social::Phrase,
    store::{ClockSetting, Kept},
};

/// A message over a socket.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message<'a> {
    /// The whole game.
    Game(Box<GameView<'a>>),
    /// A move just made.
    Move(Box<MoveView<'a>>),
    /// What an analysis has found so far.
    Analysis(AnalysisView<'a>),
    /// What one position of a reviewed game was worth.
    Review(ReviewView),
    /// Which players are there, after one came or went.
    Presence {
        #[schema(min_items = 2, max_items = 2)]
        present: [bool; 2],
    },
    /// What a player says.
    Said {
        #[schema(maximum = 1)]
        by: usize,
        phrase: Phrase,
    },
    /// The game was deleted by its player.
    Deleted,
    /// Why the last message was refused.
    Error(RefusedView),
    /// The answer to a ping.
    Pong,
}

impl Message<'_> {
    /// The message as it is sent.
    pub(crate) fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("a plain value is written without error").into()
    }
}

impl From<&Refusal> for Message<'_> {
    fn from(refusal: &Refusal) -> Self {
        Self::Error(RefusedView { status: refusal.status.as_u16(), error: ErrorView::from(&refusal.error) })
    }
}

/// Why a message was refused, with the status that an answer over HTTP would have.
#[derive(Serialize, ToSchema)]
#[schema(as = Refused)]
pub(crate) struct RefusedView {
    status: u16,
    #[serde(flatten)]
    error: ErrorView,
}

/// The whole game, as everybody sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Game)]
pub(crate) struct GameView<'a> {
    id: &'a str,
    game: &'static str,
    ruleset: String,
    start: String,
    created: i64,
    #[schema(required)]
    clock: Option<ClockSetting>,
    #[schema(min_items = 2, max_items = 2)]
    seats: [SeatView<'a>; 2],
    /// Which players are there.
    #[schema(min_items = 2, max_items = 2)]
    present: [bool; 2],
    /// Whether anybody may take the free seat from the lobby.
    open: bool,
    /// Whether two engines play, which one client may pause and step.
    controlled: bool,
    /// What the reader holds; null if everybody is sent the same.
    #[schema(required)]
    held: Option<&'a Held>,
    /// The start and every turn.
    plies: Vec<PlyView>,
    now: Now<'a>,
}

/// A move, and how things stand after it.
#[derive(Serialize, ToSchema)]
#[schema(as = Moved)]
pub(crate) struct MoveView<'a> {
    ply: PlyView,
    now: Now<'a>,
}

/// A seat as others see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SeatView<'a> {
    name: &'a str,
    /// The spec of the agent; null for a person.
    #[schema(required)]
    engine: Option<&'a str>,
    /// Whether a player sits there.
    taken: bool,
}

/// What changes with every move.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own that the page shows")]
#[derive(Serialize, ToSchema)]
pub(crate) struct Now<'a> {
    position: PositionView,
    /// Milliseconds on the clocks.
    #[schema(required, min_items = 2, max_items = 2)]
    left: Option<[u64; 2]>,
    /// Whether a clock runs.
    running: bool,
    /// Whether an engine thinks.
    thinking: bool,
    /// Whether the game stands still, clocks included, until the server can write to its disk again.
    waiting: bool,
    #[schema(required)]
    outcome: Option<Ending>,
    offers: Offers,
    /// The name of the rematch.
    #[schema(required)]
    successor: Option<&'a str>,
    paused: bool,
    /// Milliseconds between the moves of two engines.
    delay: u64,
}

/// What the players have offered, by side.
#[derive(Serialize, ToSchema)]
pub(crate) struct Offers {
    #[schema(required, maximum = 1)]
    draw: Option<usize>,
    #[schema(required, maximum = 1)]
    undo: Option<usize>,
    #[schema(min_items = 2, max_items = 2)]
    rematch: [bool; 2],
}

/// What does not change in a room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed<'a> {
    pub(crate) id: &'a str,
    pub(crate) created: i64,
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) present: [bool; 2],
}

fn now<'a>(fixed: Fixed<'_>, play: &'a Play) -> Now<'a> {
    Now {
        position: view::position(&*play.game),
        left: fixed.clock.map(|_| play.left_now()),
        running: play.runs_out.is_some(),
        thinking: play.thinking.is_some(),
        waiting: play.waiting.is_some(),
        outcome: play.outcome(),
        offers: Offers { draw: play.draw, undo: play.undo, rematch: play.rematch },
        successor: play.successor.as_deref(),
        paused: play.paused,
        delay: play.delay,
    }
}

/// The whole game, for a client that holds `held`, or for all of them.
pub(crate) fn game(fixed: Fixed<'_>, play: &Play, held: Option<&Held>) -> Utf8Bytes {
    let game = GameView {
        id: fixed.id,
        game: play.game.rules().about.name,
        ruleset: play.game.rules().to_string(),
        start: play.game.start_text(),
        created: fixed.created,
        clock: fixed.clock,
        seats: play.seats.each_ref().map(|seat| SeatView {
            name: &seat.name,
            engine: seat.engine.as_deref(),
            taken: seat.engine.is_some() || seat.token.is_some(),
        }),
        present: fixed.present,
        open: play.open,
        controlled: play.control.is_some(),
        held,
        plies: view::history(&*play.game),
        now: now(fixed, play),
    };
    Message::Game(Box::new(game)).text()
}

/// The move just made by `by`.
pub(crate) fn moved(fixed: Fixed<'_>, play: &Play, mv: String, by: Side) -> Utf8Bytes {
    let moved = MoveView { ply: view::ply(&*play.game, Some(mv), Some(by)), now: now(fixed, play) };
    Message::Move(Box::new(moved)).text()
}

/// A game just made.
#[derive(Serialize, ToSchema)]
pub(crate) struct Created {
    pub(crate) id: String,
    /// One for each seat of the maker, in order; if two engines play, the one that pauses and steps them.
    pub(crate) tokens: Vec<String>,
    /// What the other player sits down with.
    #[schema(required)]
    pub(crate) invite: Option<String>,
}

/// A seat just taken.
#[derive(Serialize, ToSchema)]
pub(crate) struct Joined {
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
}

/// That something was done.
#[derive(Serialize, ToSchema)]
pub(crate) struct Done {
    /// Always true.
    pub(crate) done: bool,
}

/// A code that gives seats to another device.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Code {
    #[schema(max_length = 100)]
    pub(crate) code: String,
}

/// Games that wait for anybody.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenGames {
    pub(crate) games: Vec<Invitation>,
}

/// Games that are kept, the last touched first.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listing {
    pub(crate) games: Vec<Listed>,
}

/// A kept game as it stands in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed {
    id: String,
    game: String,
    ruleset: String,
    created: i64,
    updated: i64,
    #[schema(min_items = 2, max_items = 2)]
    seats: [ListedSeat; 2],
    plies: usize,
    #[schema(required)]
    outcome: Option<Ending>,
}

/// A seat as it stands in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedSeat {
    name: String,
    /// The spec of the agent; null for a person.
    #[schema(required)]
    engine: Option<String>,
}

impl From<Kept> for Listed {
    fn from(kept: Kept) -> Self {
        let Kept { id, game, ruleset, created, updated, seats, plies, ending, .. } = kept;
        let seats = seats.map(|seat| ListedSeat { name: seat.name, engine: seat.engine });
        Self { id, game, ruleset, created, updated, seats, plies, outcome: ending }
    }
}

/// A game as a record: what a file of it holds.
#[derive(Serialize, ToSchema)]
pub(crate) struct Record {
    pub(crate) game: &'static str,
    pub(crate) ruleset: String,
    /// The position it began with.
    pub(crate) position: String,
    pub(crate) moves: Vec<String>,
    /// The players' names by side, such as `black`.
    players: BTreeMap<String, String>,
    #[schema(required)]
    result: Option<RecordResult>,
    created: i64,
}

/// How a recorded game ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordResult {
    /// A side, such as `black`, or `draw`.
    winner: String,
    reason: String,
}

/// The record of a game.
pub(crate) fn record(fixed: Fixed<'_>, play: &Play) -> Record {
    let about = play.game.rules().about;
    Record {
        game: about.name,
        ruleset: play.game.rules().to_string(),
        position: play.game.start_text(),
        moves: play.game.played(),
        players: Side::BOTH.map(|side| (about.side_id(side), play.seats[side.index()].name.clone())).into(),
        result: play.outcome().map(|end| RecordResult {
            winner: end.winner.map_or("draw".into(), |side| about.side_id(Side::BOTH[side])),
            reason: end.reason,
        }),
        created: fixed.created,
    }
}
