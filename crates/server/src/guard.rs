//! The guard: which requests are let through, and the security headers of every answer.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    sync::Arc,
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use quincunx_game::refusal;
use tracing::Instrument;

use crate::{hub::Hub, proxy, refusal::Refusal, secret};

/// Allows scripts, styles, pictures and connections of this server only.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

/// For pages that are not ours: scripts and styles inside the page, no origin, and no connections.
pub(crate) const REPORT_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The address of the client that sent a request, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// The header that names a request; a trusted proxy may give the name.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The header of a load test, with the token that the server printed.
const LOAD_TOKEN: HeaderName = HeaderName::from_static("x-load-token");

/// Stands for the address of a load test on this machine, which is not bounded as other addresses are.
pub(crate) const LOAD_TEST: IpAddr = IpAddr::V6(Ipv6Addr::UNSPECIFIED);

/// Most bytes of what a library says about a request that it refuses.
const LONGEST_REASON: usize = 2_000;

/// Lets a request through if it comes from our own pages, or from no page at all, and not too often.
///
/// Every request has a name, which the answer and the lines of the log about it carry.
pub(crate) async fn guard(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let mut client = proxy::client(&hub.settings.behind, from.ip(), request.headers());
    if let Some(token) = &hub.settings.load_token
        && from.ip().is_loopback()
        && text(request.headers(), &LOAD_TOKEN) == Some(token)
    {
        client = LOAD_TEST;
    }
    let given = text(request.headers(), &REQUEST_ID).filter(|id| client != from.ip() && is_request_id(id));
    let id = given.map_or_else(secret::new_id, String::from);
    let method = request.method().clone();
    // What stands in the address beyond the route may be the name of somebody's game.
    let route = request.extensions().get::<MatchedPath>().map_or("(page)", MatchedPath::as_str).to_string();
    request.extensions_mut().insert(Client(client));
    let response = match check(&hub, client, &method, request.headers(), request.uri().path()) {
        Ok(()) => next.run(request).instrument(tracing::info_span!("request", id)).await,
        Err(refusal) => refusal.into_response(),
    };
    let mut response = as_refusal(response).await;
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let (status, took) = (response.status(), started.elapsed());
    hub.counts.answered(status, took);
    tracing::info!(
        target: "quincunx_server::access",
        id, %client, %method, route, status = status.as_u16(), ms = took.as_secs_f64() * 1000.0
    );
    response
}

fn is_request_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The same answer, with a refusal in JSON if a library refused the request in words of its own, or without any.
async fn as_refusal(response: Response) -> Response {
    let status = response.status();
    let refused = status.is_client_error() || status.is_server_error();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    if !refused || kind.starts_with("application/json") || kind.starts_with("text/html") {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let details = axum::body::to_bytes(body, LONGEST_REASON).await.unwrap_or_default();
    let details = String::from_utf8_lossy(&details).lines().next().unwrap_or("").trim().to_string();
    let reason = status.canonical_reason().unwrap_or("refused").to_lowercase();
    let details = if details.is_empty() { reason } else { details };
    let told = Refusal { status, error: refusal!("request.malformed", "{details}", details) }.into_response();
    let (told_parts, body) = told.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.extend(told_parts.headers);
    Response::from_parts(parts, body)
}

fn check(hub: &Hub, from: IpAddr, method: &Method, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
    if from != LOAD_TEST && !hub.requests.allow(from, Instant::now()) {
        return Err(Refusal::too_many(refusal!("requests.too_many", "too many requests; wait a moment")));
    }
    let host = text(headers, &header::HOST).unwrap_or_default();
    // Otherwise a foreign host name that resolves to this machine would give a foreign page our origin.
    if !hub.settings.public && !is_loopback_host(host) {
        return Err(Refusal::forbidden(refusal!("requests.not_local", "this server answers to localhost only")));
    }
    if let Some(password) = &hub.password
        && path.starts_with("/api/")
        && path != crate::routes::ENTER
        && !password.has_entered(headers)
    {
        let name = hub.settings.name.clone();
        let error = refusal!("password.needed", "{name} is for those who know its password", name);
        return Err(Refusal { status: StatusCode::UNAUTHORIZED, error });
    }
    let changes = !matches!(*method, Method::GET | Method::HEAD);
    if changes || path == crate::routes::SOCKET {
        if let Some(origin) = text(headers, &header::ORIGIN)
            && !is_same_origin(origin, host)
        {
            return Err(Refusal::forbidden(refusal!("requests.other_site", "requests from other sites are refused")));
        }
        if headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none") {
            return Err(Refusal::forbidden(refusal!("requests.other_site", "requests from other sites are refused")));
        }
    }
    Ok(())
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

fn is_same_origin(origin: &str, host: &str) -> bool {
    !host.is_empty() && origin.split_once("://").is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host))
}

fn is_loopback_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or_default(),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    // Otherwise `localhost:80@example.org` would be a name of this machine.
    if !port.is_empty() && port.strip_prefix(':').is_none_or(|port| port.parse::<u16>().is_err()) {
        return false;
    }
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for host in ["localhost", "LOCALHOST:8421", "127.0.0.1:8421", "127.0.0.1", "[::1]:8421"] {
            assert!(is_loopback_host(host), "{host}");
        }
        for host in ["", "example.org", "127.0.0.1.example.org", "localhost.example.org:8421", "10.0.0.1", "[::2]:1"] {
            assert!(!is_loopback_host(host), "{host}");
        }
        for host in ["localhost:80@evil", "localhost:", "localhost:x", "127.0.0.1:80:80", "[::1", "[::1]evil", "[::1]:"]
        {
            assert!(!is_loopback_host(host), "{host}");
        }
    }

    #[test]
    fn another_port_or_host_is_another_origin() {
        assert!(is_same_origin("http://localhost:8421", "localhost:8421"));
        assert!(!is_same_origin("http://localhost:8422", "localhost:8421"));
        assert!(!is_same_origin("http://evil.example", "localhost:8421"));
        assert!(!is_same_origin("null", "localhost:8421"));
        assert!(!is_same_origin("http://", ""));
    }
}
