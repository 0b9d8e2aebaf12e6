//! The guard: which requests are let through, and the security headers of every answer.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Instant,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use quincunx_game::refusal;

use crate::{hub::Hub, refusal::Refusal};

/// Allows scripts, styles, pictures and connections of this server only.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
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

/// Lets a request through if it comes from our own pages, or from no page at all, and not too often.
pub(crate) async fn guard(
    State(hub): State<Arc<Hub>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match check(&hub, from.ip(), request.method(), request.headers(), request.uri().path()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn check(hub: &Hub, from: IpAddr, method: &Method, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
    if !hub.requests.allow(from, Instant::now()) {
        return Err(Refusal::too_many(refusal!("requests.too_many", "too many requests; wait a moment")));
    }
    let host = text(headers, &header::HOST).unwrap_or_default();
    // Otherwise a foreign host name that resolves to this machine would give a foreign page our origin.
    if !hub.settings.public && !is_loopback_host(host) {
        return Err(Refusal::forbidden(refusal!("requests.not_local", "this server answers to localhost only")));
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
