//! The HTTP API: what can be asked, and where.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::{
    Extension, Json, Router,
    extract::{
        ConnectInfo, FromRequest, FromRequestParts, Path, Query, Request, State, WebSocketUpgrade,
        rejection::{JsonRejection, QueryRejection},
    },
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header, request::Parts},
    middleware,
    response::{IntoResponse, Response},
    routing::{any, get},
};
use quincunx_game::{refusal, svg};
use quincunx_messages::{
    BoardView, BookView, Catalogue, Contents, Line, Opened, Pasted, SetUp, book_of, lessons::Lesson, view,
};
use serde::Deserialize;
use tokio::{io::AsyncReadExt, time::timeout};
use tokio_util::io::ReaderStream;
use tower_http::limit::RequestBodyLimitLayer;
use utoipa::{IntoParams, OpenApi, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    assets,
    contests::{ContestList, Contests, Standing},
    description::{self, Description},
    document::{Fresh, answer_once},
    guard::{self, Client},
    hub::Hub,
    incoming::{self, GameWanted, LARGEST_MESSAGE},
    library, monitor,
    outgoing::{Code, Created, Done, GameView, Joined, Listing, OpenGames, Record},
    refusal::Refusal,
    secret, socket,
};

/// The path under which a browser enters with the password.
pub(crate) const ENTER: &str = "/api/enter";

/// The path of the WebSocket.
pub(crate) const SOCKET: &str = "/api/socket";

/// Bytes a connection reads at once; a longer message is read in several goes.
const READ_BUFFER: usize = 1024;

/// Bytes of a report that are read at once.
const REPORT_PIECE: usize = 32 * 1024;

/// Bytes of a password.
const LONGEST_PASSWORD: usize = 1_000;

/// Games in one list.
const MOST_LISTED: usize = 200;

/// All routes of the server.
pub(crate) fn router(hub: Arc<Hub>) -> Router {
    let (router, described) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(catalogue))
        .routes(routes!(content))
        .routes(routes!(course))
        .routes(routes!(board))
        .routes(routes!(position))
        .routes(routes!(import))
        .routes(routes!(set_up))
        .routes(routes!(book))
        .routes(routes!(picture))
        .routes(routes!(list, create))
        .routes(routes!(game))
        .routes(routes!(record))
        .routes(routes!(join))
        .routes(routes!(delete))
        .routes(routes!(give_code))
        .routes(routes!(use_code))
        .routes(routes!(lobby))
        .routes(routes!(take_seat))
        .routes(routes!(enter))
        .routes(routes!(contests))
        .routes(routes!(standing))
        .routes(routes!(report))
        .routes(routes!(open_socket))
        .routes(routes!(monitor::health))
        .routes(routes!(monitor::metrics))
        .split_for_parts();
    let described = description::text(described);
    router
        .route(description::PATH, get(async || ([(header::CONTENT_TYPE, "application/json")], described)))
        .route("/weights/{file}", get(weights))
        .route("/puzzles/{file}", get(puzzles))
        .route("/api", any(unknown))
        .route("/api/", any(unknown))
        .route("/api/{*rest}", any(unknown))
        .fallback(get(assets::file))
        .layer(RequestBodyLimitLayer::new(LARGEST_MESSAGE))
        .layer(middleware::from_fn_with_state(Arc::clone(&hub), guard::guard))
        .with_state(hub)
}

/// A JSON body, or one line about what is wrong with it.
struct Body<T>(T);

impl<T> FromRequest<Arc<Hub>> for Body<T>
where
    Json<T>: FromRequest<Arc<Hub>, Rejection = JsonRejection>,
    T: Send,
{
    type Rejection = Refusal;

    async fn from_request(request: Request, hub: &Arc<Hub>) -> Result<Self, Refusal> {
        match timeout(hub.settings.deadlines.body, Json::<T>::from_request(request, hub)).await {
            Ok(Ok(Json(value))) => Ok(Self(value)),
            Ok(Err(rejection)) => Err(malformed(rejection.status(), rejection.body_text())),
            Err(_) => Err(malformed(StatusCode::REQUEST_TIMEOUT, "the body did not come in time".into())),
        }
    }
}

/// What stands behind the question mark of an address, or one line about what is wrong with it.
struct Parameters<T>(T);

impl<T, S> FromRequestParts<S> for Parameters<T>
where
    Query<T>: FromRequestParts<S, Rejection = QueryRejection>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(malformed(rejection.status(), rejection.body_text())),
        }
    }
}

fn malformed(status: StatusCode, details: String) -> Refusal {
    Refusal { status, error: refusal!("request.malformed", "{details}", details) }
}

fn shutting_down() -> Refusal {
    Refusal::unavailable(refusal!("server.ending", "the server is shutting down"))
}

/// The weights or the book of a game, for the engine in the page: `/weights/othello.bin`, `/weights/othello-book.bin`.
async fn weights(Path(file): Path<String>, headers: HeaderMap) -> Response {
    let name = file.strip_suffix(".bin").unwrap_or_default().to_string();
    let find = move || match name.strip_suffix("-book") {
        Some(game) => library::book(game),
        None => library::weights(&name),
    };
    match tokio::task::spawn_blocking(find).await {
        Ok(Some(found)) => found.answer(&headers, Fresh::Asks).await,
        _ => unknown().await.into_response(),
    }
}

/// The puzzles of a game: `/puzzles/othello.json`; an address without `.json` is one of the page.
async fn puzzles(Path(file): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    match file.strip_suffix(".json").map(library::puzzles) {
        None => assets::file(uri, headers).await,
        Some(Some(found)) => found.answer(&headers, Fresh::Asks).await,
        Some(None) => unknown().await.into_response(),
    }
}

/// The lessons of a game in a language, or in English if it does not have them there.
#[utoipa::path(get, path = "/lessons/{file}", responses((status = OK, body = Vec<Lesson>)),
    params(("file" = String, Path, description = "game and language: othello.pt.json")))]
async fn course(Path(file): Path<String>, headers: HeaderMap) -> Response {
    match file.strip_suffix(".json").and_then(library::course) {
        Some(found) => found.answer(&headers, Fresh::Asks).await,
        None => unknown().await.into_response(),
    }
}

async fn unknown() -> Refusal {
    Refusal::missing(refusal!("address.unknown", "there is no such address; see docs/API.md"))
}

/// The games, their rulesets and agents.
#[utoipa::path(get, path = "/api/catalogue", responses((status = OK, body = Catalogue)))]
async fn catalogue(State(hub): State<Arc<Hub>>, headers: HeaderMap) -> Result<Response, Refusal> {
    let catalogue = tokio::task::spawn_blocking(move || hub.catalogue()).await.map_err(|_| shutting_down())?;
    Ok(catalogue.answer(&headers, Fresh::Asks).await)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Reader {
    /// The language of the words, such as `pt`; English stands for what is not there in that language.
    #[serde(default)]
    #[param(required = false)]
    language: String,
}

/// What the games say to people: words and samples.
#[utoipa::path(get, path = "/api/content", params(Reader), responses((status = OK, body = Contents)))]
async fn content(State(hub): State<Arc<Hub>>, headers: HeaderMap, Parameters(reader): Parameters<Reader>) -> Response {
    Arc::clone(hub.library.in_language(&reader.language)).answer(&headers, Fresh::Asks).await
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct BoardWanted {
    /// The name of the game.
    #[param(max_length = 2_000)]
    game: String,
    /// The ruleset; the default one if missing.
    #[param(max_length = 2_000, nullable = false)]
    ruleset: Option<String>,
    /// The board's hash, as the catalogue tells it: the answer can be kept for ever then.
    #[param(max_length = 64, nullable = false)]
    hash: Option<String>,
}

/// The board of a ruleset.
#[utoipa::path(get, path = "/api/board", params(BoardWanted), responses((status = OK, body = BoardView)))]
async fn board(
    State(hub): State<Arc<Hub>>,
    headers: HeaderMap,
    Parameters(wanted): Parameters<BoardWanted>,
) -> Result<Response, Refusal> {
    let line = Line { game: wanted.game, ruleset: wanted.ruleset, ..Line::default() };
    let board = hub.boards.of(line.rules()?)?;
    let named = wanted.hash.is_some_and(|hash| hash == board.hash());
    Ok(board.answer(&headers, if named { Fresh::Forever } else { Fresh::Asks }).await)
}

/// Where a line of moves leads.
#[utoipa::path(post, path = "/api/position", request_body = Line, responses((status = OK, body = Opened)))]
async fn position(headers: HeaderMap, Body(line): Body<Line>) -> Result<Response, Refusal> {
    // Checking hundreds of moves takes a while, so it must not hold up other connections.
    let answer = tokio::task::spawn_blocking(move || Ok(answer_once(&headers, &view::opened(&*line.open()?))));
    answer.await.map_err(|_| shutting_down())?
}

/// The position that stones make, by the rules of the game.
#[utoipa::path(post, path = "/api/set-up", request_body = SetUp, responses((status = OK, body = Opened)))]
async fn set_up(Body(stones): Body<SetUp>) -> Result<Json<Opened>, Refusal> {
    Ok(Json(view::opened(&*stones.open()?)))
}

/// What the opening book knows where a line of moves leads.
#[utoipa::path(post, path = "/api/book", request_body = Line, responses((status = OK, body = BookView)))]
async fn book(Body(line): Body<Line>) -> Result<Json<BookView>, Refusal> {
    let answer = tokio::task::spawn_blocking(move || Ok(book_of(&line)?));
    answer.await.map_err(|_| shutting_down())?.map(Json)
}

/// The game that a text stands for: a record, a position, SGF, GGF, or a list of moves.
#[utoipa::path(post, path = "/api/import", operation_id = "importGame", request_body = Pasted,
    responses((status = OK, body = Opened)))]
async fn import(headers: HeaderMap, Body(pasted): Body<Pasted>) -> Result<Response, Refusal> {
    let answer = tokio::task::spawn_blocking(move || Ok(answer_once(&headers, &view::opened(&*pasted.read()?))));
    answer.await.map_err(|_| shutting_down())?
}

/// A position as a picture.
#[utoipa::path(get, path = "/api/picture.svg", params(Line),
    responses((status = OK, body = String, content_type = "image/svg+xml")))]
async fn picture(Parameters(line): Parameters<Line>) -> Result<Response, Refusal> {
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg::picture(&*line.open()?)).into_response())
}

/// Makes a game.
#[utoipa::path(post, path = "/api/games", operation_id = "createGame", request_body = GameWanted,
    responses((status = OK, body = Created)))]
async fn create(
    State(hub): State<Arc<Hub>>,
    Extension(Client(address)): Extension<Client>,
    Body(wanted): Body<GameWanted>,
) -> Result<Json<Created>, Refusal> {
    hub.create(address, wanted).await.map(Json)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wished {
    /// Names of games, separated by commas; all games if it is missing and the server allows that.
    #[param(nullable = false)]
    ids: Option<String>,
}

/// Games, the last touched first.
#[utoipa::path(get, path = "/api/games", operation_id = "listGames", params(Wished),
    responses((status = OK, body = Listing)))]
async fn list(State(hub): State<Arc<Hub>>, Parameters(wished): Parameters<Wished>) -> Result<Json<Listing>, Refusal> {
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
    Ok(Json(Listing { games: games.into_iter().map(Into::into).collect() }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct GameName {
    /// The name of the game.
    #[param(pattern = "^[a-km-np-z2-9]{12}$")]
    id: String,
}

/// The whole game, as the message `game` over a socket.
#[utoipa::path(get, path = "/api/games/{id}", params(GameName), responses((status = OK, body = GameView)))]
async fn game(State(hub): State<Arc<Hub>>, Path(GameName { id }): Path<GameName>) -> Result<Response, Refusal> {
    let game = hub.room(&id).await?.snapshot().await;
    Ok(([(header::CONTENT_TYPE, "application/json")], game.to_string()).into_response())
}

/// The game as a record file.
#[utoipa::path(get, path = "/api/games/{id}/record", params(GameName), responses((status = OK, body = Record)))]
async fn record(State(hub): State<Arc<Hub>>, Path(GameName { id }): Path<GameName>) -> Result<Response, Refusal> {
    let record = hub.room(&id).await?.record().await;
    let attachment = format!("attachment; filename=\"{}-{id}.json\"", record.game);
    Ok(([(header::CONTENT_DISPOSITION, attachment)], Json(record)).into_response())
}

/// An invitation, and the name of the person who accepts it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Joining {
    invite: String,
    #[serde(default)]
    name: String,
}

/// Takes the seat an invitation is for.
#[utoipa::path(post, path = "/api/games/{id}/join", operation_id = "joinGame", params(GameName),
    request_body = Joining, responses((status = OK, body = Joined)))]
async fn join(
    State(hub): State<Arc<Hub>>,
    Path(GameName { id }): Path<GameName>,
    Body(joining): Body<Joining>,
) -> Result<Json<Joined>, Refusal> {
    let room = hub.room(&id).await?;
    let token = room.sit_down(&hub, &joining.invite, incoming::clean_name(&joining.name)).await?;
    Ok(Json(Joined { id, tokens: vec![token] }))
}

/// The tokens of whoever asks.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Holder {
    #[schema(max_items = 4)]
    tokens: Vec<String>,
}

impl Holder {
    fn tokens(self) -> Result<Vec<String>, Refusal> {
        if self.tokens.len() > socket::MOST_TOKENS || self.tokens.iter().any(|token| token.len() > 64) {
            return Err(Refusal::wrong(refusal!("message.tokens", "too many tokens")));
        }
        Ok(self.tokens)
    }
}

/// Deletes a game of one's own: if no other person plays in it, or it is over.
#[utoipa::path(post, path = "/api/games/{id}/delete", operation_id = "deleteGame", params(GameName),
    request_body = Holder, responses((status = OK, body = Done)))]
async fn delete(
    State(hub): State<Arc<Hub>>,
    Path(GameName { id }): Path<GameName>,
    Body(holder): Body<Holder>,
) -> Result<Json<Done>, Refusal> {
    hub.room(&id).await?.delete(&hub, &holder.tokens()?).await?;
    Ok(Json(Done { done: true }))
}

/// A code that gives these seats to another device. It can be used once, within ten minutes.
#[utoipa::path(post, path = "/api/games/{id}/code", operation_id = "giveCode", params(GameName),
    request_body = Holder, responses((status = OK, body = Code)))]
async fn give_code(
    State(hub): State<Arc<Hub>>,
    Path(GameName { id }): Path<GameName>,
    Body(holder): Body<Holder>,
) -> Result<Json<Code>, Refusal> {
    let tokens = holder.tokens()?;
    let room = hub.room(&id).await?;
    if !room.is_held_by(&tokens).await {
        return Err(Refusal::forbidden(refusal!("seat.none", "you are watching: no seat is yours")));
    }
    Ok(Json(Code { code: hub.codes.give(id, tokens, Instant::now()) }))
}

/// The seats that a code stands for.
#[utoipa::path(post, path = "/api/codes", operation_id = "useCode", request_body = Code,
    responses((status = OK, body = Joined)))]
async fn use_code(
    State(hub): State<Arc<Hub>>,
    Extension(Client(address)): Extension<Client>,
    Body(given): Body<Code>,
) -> Result<Json<Joined>, Refusal> {
    hub.charge_guess(address)?;
    let missing =
        || Refusal::missing(refusal!("code.unknown", "this code was used already, is too old or never given"));
    let (id, tokens) = hub.codes.take(&given.code, Instant::now()).ok_or_else(missing)?;
    Ok(Json(Joined { id, tokens }))
}

/// Games that wait for anybody to take their free seat.
#[utoipa::path(get, path = "/api/lobby", responses((status = OK, body = OpenGames)))]
async fn lobby(State(hub): State<Arc<Hub>>) -> Result<Json<OpenGames>, Refusal> {
    if !hub.settings.lobby {
        return Err(Refusal::missing(refusal!("lobby.off", "this server has no lobby; start it with --lobby")));
    }
    Ok(Json(OpenGames { games: hub.lobby.invitations().await }))
}

/// The name of a person.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Person {
    #[serde(default)]
    name: String,
}

/// Takes the free seat of a game in the lobby.
#[utoipa::path(post, path = "/api/lobby/{id}", operation_id = "takeSeat", params(GameName), request_body = Person,
    responses((status = OK, body = Joined)))]
async fn take_seat(
    State(hub): State<Arc<Hub>>,
    Path(GameName { id }): Path<GameName>,
    Body(person): Body<Person>,
) -> Result<Json<Joined>, Refusal> {
    let room = hub.room(&id).await?;
    let token = room.take_open_seat(&hub, incoming::clean_name(&person.name)).await?;
    Ok(Json(Joined { id, tokens: vec![token] }))
}

/// The password of the server.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Entering {
    #[schema(max_length = 1_000)]
    password: String,
}

/// Lets a browser in that knows the password of the server; the answer sets a cookie.
#[utoipa::path(post, path = ENTER, operation_id = "enter", request_body = Entering,
    responses((status = OK, body = Done)))]
async fn enter(
    State(hub): State<Arc<Hub>>,
    Extension(Client(address)): Extension<Client>,
    headers: HeaderMap,
    Body(entering): Body<Entering>,
) -> Result<Response, Refusal> {
    if entering.password.len() > LONGEST_PASSWORD {
        let most = LONGEST_PASSWORD;
        return Err(Refusal::wrong(refusal!("line.text_too_long", "a text is longer than {most} bytes", most)));
    }
    let Some(password) = &hub.password else { return Ok(Json(Done { done: true }).into_response()) };
    hub.charge_guess(address)?;
    if !password.is(hub.store.salt(), &entering.password) {
        return Err(Refusal::forbidden(refusal!("password.wrong", "this is not the password")));
    }
    let proxied = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    let mut response = Json(Done { done: true }).into_response();
    if let Some(cookie) = password.cookie(hub.settings.tls.is_some() || proxied) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Named {
    /// The run or the report, as the list names it.
    name: String,
}

/// Asks the contests on a thread that may wait for files.
async fn of_contests<T: Send + 'static>(
    hub: &Hub,
    ask: impl FnOnce(&Contests) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let contests = hub.contests.clone().ok_or_else(|| {
        Refusal::missing(refusal!("contests.off", "this server shows no contests; start it with --results"))
    })?;
    tokio::task::spawn_blocking(move || ask(&contests)).await.map_err(|_| shutting_down())?
}

/// The runs and reports below the folder of `--results`, the last touched run first.
#[utoipa::path(get, path = "/api/contests", responses((status = OK, body = ContestList)))]
async fn contests(State(hub): State<Arc<Hub>>) -> Result<Json<ContestList>, Refusal> {
    of_contests(&hub, |contests| Ok(Json(contests.list()))).await
}

/// How a run stands at this moment.
#[utoipa::path(get, path = "/api/contests/standing", params(Named), responses((status = OK, body = Standing)))]
async fn standing(
    State(hub): State<Arc<Hub>>,
    Parameters(named): Parameters<Named>,
) -> Result<Json<Standing>, Refusal> {
    of_contests(&hub, move |contests| contests.standing(&named.name).map(Json)).await
}

/// A report, as a page of no origin.
///
/// It carries its own script, so it gets a policy of its own under which it can reach nothing.
#[utoipa::path(get, path = "/api/contests/report", params(Named),
    responses((status = OK, body = String, content_type = "text/html")))]
async fn report(State(hub): State<Arc<Hub>>, Parameters(named): Parameters<Named>) -> Result<Response, Refusal> {
    let (file, length) = of_contests(&hub, move |contests| contests.report(&named.name)).await?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(guard::REPORT_POLICY)),
        (header::CONTENT_LENGTH, HeaderValue::from(length)),
    ];
    // It may grow while it is sent. Each reader holds a piece of it, not the whole.
    let file = tokio::fs::File::from_std(file).take(length);
    let page = axum::body::Body::from_stream(ReaderStream::with_capacity(file, REPORT_PIECE));
    Ok((headers, page).into_response())
}

/// The WebSocket: see docs/API.md.
///
/// A client sends `Action` and `SocketRequest`, and is sent `Message`.
#[utoipa::path(get, path = SOCKET, operation_id = "socket",
    responses((status = SWITCHING_PROTOCOLS, description = "Switching to WebSocket")))]
async fn open_socket(
    State(hub): State<Arc<Hub>>,
    Extension(Client(address)): Extension<Client>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    // The connection itself has a place already, but behind a proxy that is the proxy's.
    let place = if address == from.ip() || address == guard::LOAD_TEST { None } else { Some(hub.place(address)?) };
    Ok(upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        // Every connection keeps a buffer as long as it lives, and messages are short.
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0)
        .on_upgrade(move |socket| socket::serve(hub, socket, address, place)))
}
