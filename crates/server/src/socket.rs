//! One WebSocket connection: a game to watch or play, and analyses.

use std::{
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use quincunx_game::refusal;
use tokio::{
    sync::{broadcast, mpsc},
    time::timeout,
};

use crate::{
    analysis::{self, Running},
    connections::Place,
    hub::Hub,
    incoming::{Action, Held, SocketRequest},
    monitor::Counted,
    outgoing,
    rates::{Bucket, Rate},
    refusal::Refusal,
    room::Room,
    social::Sitting,
};

/// What one connection may send.
const MESSAGES: Rate = Rate { burst: 100.0, per_second: 30.0 };

/// A client that takes longer to receive a message counts as gone.
const SLOWEST: Duration = Duration::from_secs(15);

/// Most tokens that a client may show at once.
pub(crate) const MOST_TOKENS: usize = 4;

/// The game that a client has joined.
struct Joined {
    /// Says to the others that the client is there.
    _sitting: Sitting,
    room: Arc<Room>,
    held: Held,
    updates: broadcast::Receiver<Utf8Bytes>,
    tokens: Vec<String>,
}

struct Session {
    hub: Arc<Hub>,
    /// The address that pays for new games.
    address: IpAddr,
    joined: Option<Joined>,
    /// Messages from the engines to this connection.
    outbox: mpsc::Sender<Utf8Bytes>,
    /// The analysis this connection asked for, which ends with it.
    running: Option<Running>,
    /// Whether it has asked for a game or an analysis.
    used: bool,
}

/// Serves a connection until either side ends it.
pub(crate) async fn serve(hub: Arc<Hub>, mut socket: WebSocket, address: IpAddr, mut place: Option<Place>) {
    let deadlines = hub.settings.deadlines;
    let _counted = Counted::new(&hub.counts.sockets);
    let mut ending = hub.ending.clone();
    let (outbox, mut waiting) = mpsc::channel(64);
    let mut session = Session { hub, address, joined: None, outbox, running: None, used: false };
    let mut bucket = Bucket::full(MESSAGES, Instant::now());
    let mut heartbeat = tokio::time::interval(deadlines.ping);
    heartbeat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut join = std::pin::pin!(tokio::time::sleep(deadlines.join));
    // Whether anything came since the last ping.
    let mut alive = true;
    loop {
        let message = tokio::select! {
            received = socket.recv() => {
                let Some(Ok(message)) = received else { return };
                alive = true;
                let text = match message {
                    Message::Text(text) => text,
                    Message::Close(_) => return,
                    Message::Binary(_) => return close(socket, close_code::UNSUPPORTED, "messages are text").await,
                    Message::Ping(_) | Message::Pong(_) => continue,
                };
                if !bucket.take(MESSAGES, Instant::now()) {
                    return close(socket, close_code::POLICY, "too many messages").await;
                }
                match session.handle(&text).await {
                    Ok(Some(answer)) => answer,
                    Ok(None) => continue,
                    Err(refusal) => outgoing::Message::from(&refusal).text(),
                }
            }
            update = next_update(&mut session.joined) => match update {
                Some(update) => update,
                None => session.whole_game_again().await,
            },
            Some(message) = waiting.recv() => message,
            () = &mut join, if !session.used => {
                return close(socket, close_code::POLICY, "no game was joined").await;
            }
            _ = heartbeat.tick() => {
                if !std::mem::take(&mut alive) {
                    return;
                }
                if !send(&mut socket, Message::Ping(axum::body::Bytes::new())).await {
                    return;
                }
                continue;
            }
            () = lost(&mut place) => return close(socket, close_code::AGAIN, "the place is needed for others").await,
            // It changes once, when the server ends.
            _ = ending.changed() => {
                return close(socket, close_code::RESTART, "the server is shutting down").await;
            }
        };
        if !send(&mut socket, Message::Text(message)).await {
            return;
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SLOWEST, socket.send(message)).await, Ok(Ok(())))
}

async fn close(mut socket: WebSocket, code: u16, reason: &str) {
    let frame = CloseFrame { code, reason: reason.to_string().into() };
    send(&mut socket, Message::Close(Some(frame))).await;
}

/// Waits until the place is given to somebody else.
async fn lost(place: &mut Option<Place>) {
    match place {
        Some(place) => _ = (&mut place.lost).await,
        None => std::future::pending().await,
    }
}

/// The next change of the joined game; `None` if some were missed.
async fn next_update(joined: &mut Option<Joined>) -> Option<Utf8Bytes> {
    match joined {
        Some(joined) => joined.updates.recv().await.ok(),
        None => std::future::pending().await,
    }
}

impl Session {
    /// Does what a message asks; the answer to the sender alone, if there is one.
    async fn handle(&mut self, text: &str) -> Result<Option<Utf8Bytes>, Refusal> {
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|_| Refusal::wrong(refusal!("message.not_json", "a message is a JSON object")))?;
        let request = match serde_json::from_value::<Action>(value.clone()) {
            Ok(action) => {
                let joined = self
                    .joined
                    .as_ref()
                    .ok_or_else(|| Refusal::conflict(refusal!("message.join_first", "join a game first")))?;
                return joined.room.act(&self.hub, self.address, &joined.held, action).await.map(|()| None);
            }
            Err(not_an_action) => serde_json::from_value::<SocketRequest>(value).map_err(|not_a_request| {
                // The error with the longer list of alternatives helps less.
                let unknown = |error: &serde_json::Error| error.to_string().starts_with("unknown variant");
                let error = if unknown(&not_a_request) { not_an_action } else { not_a_request };
                Refusal::wrong(refusal!("message.malformed", "{details}", details = error.to_string()))
            })?,
        };
        match request {
            SocketRequest::Join { game, tokens } => {
                if tokens.len() > MOST_TOKENS || tokens.iter().any(|token| token.len() > 64) {
                    return Err(Refusal::wrong(refusal!("message.tokens", "too many tokens")));
                }
                let room = self.hub.room(&game).await?;
                let (held, welcome, updates) = room.enter(&self.hub, self.address, &tokens).await;
                self.joined = Some(Joined { _sitting: Sitting::new(&room, &held), room, held, updates, tokens });
                self.used = true;
                Ok(Some(welcome))
            }
            SocketRequest::Leave => {
                self.joined = None;
                Ok(None)
            }
            SocketRequest::Analyse(wanted) => {
                self.running = None;
                self.running = Some(analysis::start(&self.hub.engines, self.address, &wanted, self.outbox.clone())?);
                self.used = true;
                Ok(None)
            }
            SocketRequest::Review(wanted) => {
                self.running = None;
                self.running = Some(analysis::review(&self.hub.engines, self.address, &wanted, self.outbox.clone())?);
                self.used = true;
                Ok(None)
            }
            SocketRequest::Stop => {
                self.running = None;
                Ok(None)
            }
            SocketRequest::Ping => Ok(Some(outgoing::Message::Pong.text())),
        }
    }

    /// The whole game again, after updates were missed.
    async fn whole_game_again(&mut self) -> Utf8Bytes {
        let Some(joined) = &mut self.joined else { return outgoing::Message::Pong.text() };
        let (held, welcome, updates) = joined.room.enter(&self.hub, self.address, &joined.tokens).await;
        (joined.held, joined.updates) = (held, updates);
        welcome
    }
}
