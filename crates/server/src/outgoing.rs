//! What those in a room are told: the whole game, or what a move changed.

use axum::extract::ws::Utf8Bytes;
use quincunx_game::Side;
use serde::Serialize;

use crate::{
    incoming::Held,
    play::Play,
    store::ClockSetting,
    view::{self, OutcomeView, PlyView, PositionView},
};

/// What does not change in a room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed<'a> {
    pub(crate) id: &'a str,
    pub(crate) created: i64,
    pub(crate) clock: Option<ClockSetting>,
}

/// The whole game.
#[derive(Serialize)]
#[serde(tag = "type", rename = "game")]
struct Whole<'a> {
    id: &'a str,
    game: &'static str,
    ruleset: String,
    start: String,
    created: i64,
    clock: Option<ClockSetting>,
    seats: [SeatView<'a>; 2],
    controlled: bool,
    held: Option<&'a Held>,
    plies: Vec<PlyView>,
    now: Now<'a>,
}

/// A move, and how things stand after it.
#[derive(Serialize)]
#[serde(tag = "type", rename = "move")]
struct Moved<'a> {
    ply: PlyView,
    now: Now<'a>,
}

/// A seat as others see it.
#[derive(Serialize)]
struct SeatView<'a> {
    name: &'a str,
    engine: Option<&'a str>,
    /// Whether somebody sits there.
    taken: bool,
}

/// What changes with every move.
#[derive(Serialize)]
struct Now<'a> {
    position: PositionView,
    left: Option<[u64; 2]>,
    running: bool,
    thinking: bool,
    outcome: Option<OutcomeView>,
    offers: Offers,
    successor: Option<&'a str>,
    paused: bool,
    delay: u64,
}

#[derive(Serialize)]
struct Offers {
    draw: Option<usize>,
    undo: Option<usize>,
    rematch: [bool; 2],
}

fn now<'a>(fixed: Fixed<'_>, play: &'a Play) -> Now<'a> {
    Now {
        position: view::position(&*play.game),
        left: fixed.clock.map(|_| play.left_now()),
        running: play.since.is_some(),
        thinking: play.thinking.is_some(),
        outcome: play.outcome(),
        offers: Offers { draw: play.draw, undo: play.undo, rematch: play.rematch },
        successor: play.successor.as_deref(),
        paused: play.paused,
        delay: play.delay,
    }
}

/// The whole game, for somebody who holds `held`, or for everybody.
pub(crate) fn whole(fixed: Fixed<'_>, play: &Play, held: Option<&Held>) -> Utf8Bytes {
    text(&Whole {
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
        controlled: play.control.is_some(),
        held,
        plies: view::history(&*play.game),
        now: now(fixed, play),
    })
}

/// The move just made by `by`.
pub(crate) fn moved(fixed: Fixed<'_>, play: &Play, mv: String, by: Side) -> Utf8Bytes {
    text(&Moved { ply: view::ply(&*play.game, Some(mv), Some(by)), now: now(fixed, play) })
}

fn text<T: Serialize>(message: &T) -> Utf8Bytes {
    serde_json::to_string(message).expect("a plain value is written without error").into()
}
