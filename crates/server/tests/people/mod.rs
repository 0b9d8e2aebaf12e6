//! Promises to people: seats move to other devices, games can be deleted, strangers find each other, nobody chats freely.

use serde_json::{Value, json};

use crate::client::{Player, TestServer, engine, invited, me};

async fn with_lobby() -> TestServer {
    let mut settings = TestServer::settings();
    settings.lobby = true;
    TestServer::with(settings).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_gives_a_seat_to_another_device_once() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), invited()])).await;
    let path = format!("/api/games/{id}/code");
    assert_eq!(server.post(&path, &json!({ "tokens": ["x"] })).await.0, 403, "only who holds a seat gets a code");
    let (status, given) = server.post(&path, &json!({ "tokens": [tokens[0]] })).await;
    assert_eq!(status, 200);
    let typed = given["code"].as_str().unwrap().to_uppercase();
    let (_, moved) = server.post("/api/codes", &json!({ "code": typed })).await;
    assert_eq!(moved, json!({ "id": id, "tokens": [tokens[0]] }));
    assert_eq!(server.post("/api/codes", &json!({ "code": typed })).await.0, 404);
    let mut tries = Vec::new();
    for _ in 0..12 {
        tries.push(server.post("/api/codes", &json!({ "code": "aaaaaaaa" })).await.0);
    }
    assert_eq!(tries.last(), Some(&429), "codes are not guessed: {tries:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_can_delete_a_game_of_theirs_but_not_take_it_from_another() {
    let mut server = TestServer::start().await;
    let delete = async |server: &TestServer, id: &str, token: &str| {
        server.post(&format!("/api/games/{id}/delete"), &json!({ "tokens": [token] })).await.0
    };
    let (alone, tokens) = server.game("othello", &json!([me(), engine("random")])).await;
    assert_eq!(delete(&server, &alone, "x").await, 403);
    let mut watcher = Player::join(&server, &alone, &[]).await;
    assert_eq!(delete(&server, &alone, &tokens[0]).await, 200);
    watcher.next("deleted").await;
    assert_eq!(server.get(&format!("/api/games/{alone}")).await.0, 404);

    let (together, tokens) = server.game("othello", &json!([me(), invited()])).await;
    assert_eq!(delete(&server, &together, &tokens[0]).await, 409, "somebody else plays");
    let mut player = Player::join(&server, &together, &[&tokens[0]]).await;
    player.send(&json!({ "type": "resign" })).await;
    player.until(|message| !message["now"]["outcome"].is_null()).await;
    assert_eq!(delete(&server, &together, &tokens[0]).await, 200);
    server.restart().await;
    assert_eq!(server.get(&format!("/api/games/{together}")).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_see_each_other_come_and_go_and_say_set_phrases() {
    let server = TestServer::start().await;
    let (id, tokens) = server.game("othello", &json!([me(), invited()])).await;
    let mut black = Player::join(&server, &id, &[&tokens[0]]).await;
    assert_eq!(black.welcome["present"], json!([false, false]), "the welcome is from before the seat was taken");
    let mut white = Player::join(&server, &id, &[&tokens[1]]).await;
    black.until(|message| message["present"] == json!([true, true])).await;
    let watcher = Player::join(&server, &id, &[]).await;
    assert_eq!(watcher.welcome["present"], json!([true, true]));
    white.send(&json!({ "type": "say", "phrase": "good_luck" })).await;
    let said = black.next("said").await;
    assert_eq!((&said["by"], &said["phrase"]), (&json!(1), &json!("good_luck")));
    assert_eq!(white.refused(&json!({ "type": "say", "phrase": "hello" })).await, 429);
    assert_eq!(black.refused(&json!({ "type": "say", "phrase": "you are bad" })).await, 400);
    let mut stranger = Player::join(&server, &id, &[]).await;
    assert_eq!(stranger.refused(&json!({ "type": "say", "phrase": "hello" })).await, 403);
    drop(white);
    black.until(|message| message["present"] == json!([true, false])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_game_is_in_the_lobby_while_its_maker_is_there_and_its_seat_is_free() {
    let server = with_lobby().await;
    let clock = json!({ "initial": 300, "increment": 5 });
    let wanted = json!({ "game": "shobu", "seats": [{ "kind": "me", "name": "Ada" }, invited()], "clock": clock });
    let (_, made) = server.post("/api/games", &wanted).await;
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"][0].as_str().unwrap());
    let listed = async || server.get("/api/lobby").await.1["games"].as_array().unwrap().clone();
    let mut ada = Player::join(&server, id, &[token]).await;
    assert_eq!(listed().await, Vec::<Value>::new(), "nothing is open unless its maker says so");
    ada.send(&json!({ "type": "open", "open": true })).await;
    ada.until(|message| message["open"] == true).await;
    let expected = json!([{
        "id": id, "game": "shobu", "ruleset": "standard", "clock": clock, "name": "Ada", "side": 1, "plies": 0,
    }]);
    assert_eq!(json!(listed().await), expected);
    drop(ada);
    let gone = async {
        while !listed().await.is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(crate::client::PATIENCE, gone).await.expect("nobody waits for those who are away");
    let mut ada = Player::join(&server, id, &[token]).await;
    assert_eq!(listed().await.len(), 1);
    let (status, joined) = server.post(&format!("/api/lobby/{id}"), &json!({ "name": "Bob" })).await;
    assert_eq!(status, 200, "{joined}");
    ada.until(|message| message["seats"][1]["name"] == "Bob").await;
    assert_eq!(server.post(&format!("/api/lobby/{id}"), &json!({})).await.0, 409);
    assert!(listed().await.is_empty());
    let bob = Player::join(&server, id, &[joined["tokens"][0].as_str().unwrap()]).await;
    assert_eq!(bob.welcome["held"]["seats"], json!([false, true]));
    assert_eq!(ada.refused(&json!({ "type": "open", "open": true })).await, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_lobby_no_seat_is_open() {
    let server = TestServer::start().await;
    let (_, made) = server.post("/api/games", &json!({ "game": "othello", "seats": [me(), invited()] })).await;
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"][0].as_str().unwrap());
    let mut maker = Player::join(&server, id, &[token]).await;
    assert_eq!(maker.refused(&json!({ "type": "open", "open": true })).await, 404);
    assert_eq!(server.get("/api/lobby").await.0, 404);
    let long = json!({ "password": "x".repeat(1_001) });
    assert_eq!(server.post("/api/enter", &long).await.0, 400, "a bound holds also if there is no password");
    assert_eq!(server.post(&format!("/api/lobby/{id}"), &json!({})).await.0, 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_keeps_everybody_out_who_does_not_know_it() {
    let mut settings = TestServer::settings();
    (settings.password, settings.name) = (Some("open sesame".into()), "Class 7".into());
    let server = TestServer::with(settings).await;
    let (status, refused) = server.get("/api/catalogue").await;
    assert_eq!((status, &refused["code"]), (401, &json!("password.needed")));
    assert_eq!(refused["arguments"]["name"], "Class 7");
    assert_eq!(server.raw("GET", "/", &[], "").await.0, 200, "the page that asks for it");
    assert_eq!(server.get("/health").await.0, 200);
    assert!(Player::try_connect(&server).await.is_none());
    assert_eq!(server.post("/api/enter", &json!({ "password": "guess" })).await.0, 403);
    let body = json!({ "password": "open sesame" }).to_string();
    let (status, answer) = server.raw("POST", "/api/enter", &[], &body).await;
    assert_eq!(status, 200);
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("sesame"));
    let shown = [("Cookie", cookie.split(';').next().unwrap())];
    assert_eq!(server.raw("GET", "/api/catalogue", &shown, "").await.0, 200);
    let mut tries = Vec::new();
    for _ in 0..12 {
        tries.push(server.post("/api/enter", &json!({ "password": "guess" })).await.0);
    }
    assert_eq!(tries.last(), Some(&429));
}
