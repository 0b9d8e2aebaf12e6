//! The HTTP API: what can be asked, and where.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Json, Router,
    extract::{ConnectInfo, FromRequest, Path, Query, Request, State, WebSocketUpgrade, rejection::JsonRejection},
    http::header,
    middleware,
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use quincunx_game::{refusal, svg};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_http::limit::RequestBodyLimitLayer;

use crate::{
    assets,
    contests::Contests,
    guard,
    hub::{Hub, listed},
    incoming::{self, GameWanted, LARGEST_MESSAGE, Line},
    refusal::Refusal,
    secret, socket, view,
};

/// The path of the WebSocket.
pub(crate) const SOCKET: &str = "/api/socket";

/// Bytes a connection reads at once; a longer message is read in several goes.
const READ_BUFFER: usize = 1024;

/// Games in one list.
const MOST_LISTED: usize = 200;

/// All routes of the server.
pub(crate) fn router(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/api/catalogue", get(catalogue))
        .route("/api/board", get(board))
        .route("/api/position", post(position))
        .route("/api/picture.svg", get(picture))
        .route("/api/games", get(list).post(create))
        .route("/api/games/{id}", get(game))
        .route("/api/games/{id}/record", get(record))
        .route("/api/games/{id}/join", post(join))
        .route("/api/contests", get(contests))
        .route("/api/contests/standing", get(standing))
        .route("/api/contests/report", get(report))
        .route(SOCKET, any(open_socket))
        .route("/api/{*rest}", any(unknown))
        .fallback(get(assets::file))
        .layer(RequestBodyLimitLayer::new(LARGEST_MESSAGE))
        .layer(middleware::from_fn_with_state(Arc::clone(&hub), guard::guard))
        .with_state(hub)
}

/// A JSON body, or one line about what is wrong with it.
struct Body<T>(T);

impl<T, S> FromRequest<S> for Body<T>
where
    Json<T>: FromRequest<S, Rejection = JsonRejection>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(Refusal {
                status: rejection.status(),
                error: refusal!("request.malformed", "{details}", details = rejection.body_text()),
            }),
        }
    }
}

async fn unknown() -> Refusal {
    Refusal::missing(refusal!("address.unknown", "there is no such address; see docs/API.md"))
}

async fn catalogue(State(hub): State<Arc<Hub>>) -> Result<Json<Value>, Refusal> {
    let games = tokio::task::spawn_blocking(|| quincunx_games::all().into_iter().map(view::about).collect::<Vec<_>>());
    let games =
        games.await.map_err(|_| Refusal::unavailable(refusal!("server.ending", "the server is shutting down")))?;
    Ok(Json(json!({
        "version": quincunx_version::VERSION, "lists_all": !hub.settings.public,
        "contests": hub.contests.is_some(), "games": games,
    })))
}

async fn board(Query(line): Query<Line>) -> Result<Json<Value>, Refusal> {
    let table = line.open()?;
    Ok(Json(json!(view::board(&*table))))
}

async fn position(Body(line): Body<Line>) -> Result<Json<Value>, Refusal> {
    // Hundreds of moves take a while to check: not where other connections wait.
    let answer = tokio::task::spawn_blocking(move || {
        let table = line.open()?;
        Ok(json!({
            "game": table.rules().about.name, "ruleset": table.rules().to_string(), "start": table.start_text(),
            "plies": view::history(&*table), "position": view::position(&*table),
        }))
    });
    answer.await.map_err(|_| Refusal::unavailable(refusal!("server.ending", "the server is shutting down")))?.map(Json)
}

async fn picture(Query(line): Query<Line>) -> Result<Response, Refusal> {
    let table = line.open()?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg::picture(&*table)).into_response())
}

async fn create(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    Body(wanted): Body<GameWanted>,
) -> Result<Json<Value>, Refusal> {
    hub.create(from.ip(), wanted).await.map(Json)
}

#[derive(Deserialize)]
struct Wished {
    /// Names of games, separated by commas; all games where it is missing and the server allows that.
    ids: Option<String>,
}

async fn list(State(hub): State<Arc<Hub>>, Query(wished): Query<Wished>) -> Result<Json<Value>, Refusal> {
    let ids = wished.ids.map(|ids| {
        let ids = ids.split(',').filter(|id| secret::is_id(id));
        ids.take(MOST_LISTED).map(String::from).collect()
    });
    if ids.is_none() && hub.settings.public {
        return Err(Refusal::forbidden(refusal!(
            "games.private",
            "this server shows a game to those who know its name"
        )));
    }
    let games = hub.store.list(ids, MOST_LISTED).await?;
    Ok(Json(json!({ "games": games.iter().map(listed).collect::<Vec<_>>() })))
}

async fn game(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let game = hub.room(&id).await?.snapshot().await;
    Ok(([(header::CONTENT_TYPE, "application/json")], game.to_string()).into_response())
}

async fn record(State(hub): State<Arc<Hub>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let record = hub.room(&id).await?.record().await;
    let attachment = format!("attachment; filename=\"{}-{id}.json\"", record["game"].as_str().unwrap_or("game"));
    Ok(([(header::CONTENT_DISPOSITION, attachment)], Json(record)).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Joining {
    invite: String,
    #[serde(default)]
    name: String,
}

async fn join(
    State(hub): State<Arc<Hub>>,
    Path(id): Path<String>,
    Body(joining): Body<Joining>,
) -> Result<Json<Value>, Refusal> {
    let room = hub.room(&id).await?;
    let token = room.sit_down(&hub, &joining.invite, incoming::clean_name(&joining.name)).await?;
    Ok(Json(json!({ "id": id, "tokens": [token] })))
}

/// The name of a run or a report.
#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Asks the contests something, on a thread where reading files may take its time.
async fn of_contests<T: Send + 'static>(
    hub: &Hub,
    ask: impl FnOnce(&Contests) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let contests = hub.contests.clone();
    let contests = contests.ok_or_else(|| {
        Refusal::missing(refusal!("contests.off", "this server shows no contests; start it with --results"))
    })?;
    let answer = tokio::task::spawn_blocking(move || ask(&contests));
    answer.await.map_err(|_| Refusal::unavailable(refusal!("server.ending", "the server is shutting down")))?
}

async fn contests(State(hub): State<Arc<Hub>>) -> Result<Json<Value>, Refusal> {
    of_contests(&hub, |contests| Ok(Json(contests.list()))).await
}

async fn standing(State(hub): State<Arc<Hub>>, Query(named): Query<Named>) -> Result<Json<Value>, Refusal> {
    of_contests(&hub, move |contests| contests.standing(&named.name).map(Json)).await
}

/// A report carries its own script: it gets a policy of its own, as a page of no origin that can reach nothing.
async fn report(State(hub): State<Arc<Hub>>, Query(named): Query<Named>) -> Result<Response, Refusal> {
    let page = of_contests(&hub, move |contests| contests.report(&named.name)).await?;
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, guard::REPORT_POLICY)];
    Ok((headers, page).into_response())
}

async fn open_socket(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        // Every connection keeps one for as long as it lives, and what people send is short.
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .on_upgrade(move |socket| socket::serve(hub, socket, from.ip()))
}
