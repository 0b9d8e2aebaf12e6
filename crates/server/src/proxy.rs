//! Proxies in front of the server: whose word about a client's address is believed.

use std::{
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

use axum::http::HeaderMap;

/// The header in which proxies list the addresses a request came through.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// Proxies that a request may have come through.
const MOST_PROXIES: usize = 10;

/// A network of addresses, such as `127.0.0.1`, `10.0.0.0/8` or `fd00::/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    bits: u128,
    /// How many of the 128 bits count.
    length: u32,
}

/// An address as 128 bits; those of IPv4 as they are mapped into IPv6.
fn bits(address: IpAddr) -> u128 {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().to_bits(),
        IpAddr::V6(address) => Ipv6Addr::to_bits(address),
    }
}

impl Network {
    fn contains(self, address: IpAddr) -> bool {
        let differs = self.bits ^ bits(address);
        differs.checked_shr(128 - self.length).unwrap_or(0) == 0
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no address or network, such as 127.0.0.1 or 10.0.0.0/8");
        let (address, length) = text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let length = length.map_or(Ok(most), str::parse).map_err(|_| wrong())?;
        if length > most {
            return Err(wrong());
        }
        Ok(Self { bits: bits(address), length: 128 - most + length })
    }
}

/// Whether an address is that of a proxy whose word is believed.
pub(crate) fn is_trusted(trusted: &[Network], address: IpAddr) -> bool {
    trusted.iter().any(|network| network.contains(address))
}

/// The address of the client: that of the connection, or what trusted proxies say of it.
pub(crate) fn client(trusted: &[Network], from: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !is_trusted(trusted, from) {
        return from;
    }
    let named = headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<_> = named.flat_map(|value| value.split(',')).collect();
    let mut client = from;
    // The last one was added by the proxy that is nearest; what stands before an untrusted one may be invented.
    for name in named.into_iter().rev().take(MOST_PROXIES) {
        let Some(address) = parse(name.trim()) else { break };
        client = address;
        if !is_trusted(trusted, address) {
            break;
        }
    }
    client
}

/// An address, as some proxies write it also with its port or in brackets.
fn parse(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(text, |(address, _)| address);
    let address = bare.parse().ok().or_else(|| text.parse::<std::net::SocketAddr>().ok().map(|named| named.ip()))?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn seen(trusted: &str, from: &str, forwarded: &[&str]) -> String {
        let trusted: Vec<Network> = trusted.split(',').map(|text| text.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(FORWARDED_FOR, HeaderValue::from_str(value).unwrap());
        }
        client(&trusted, from.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(seen("127.0.0.1", "127.0.0.1", &["1.2.3.4"]), "1.2.3.4");
        assert_eq!(seen("127.0.0.1", "9.9.9.9", &["1.2.3.4"]), "9.9.9.9", "a stranger may say anything");
        assert_eq!(seen("127.0.0.1", "127.0.0.1", &["6.6.6.6, 1.2.3.4"]), "1.2.3.4", "what the client invented");
        assert_eq!(seen("127.0.0.1,10.0.0.0/8", "127.0.0.1", &["6.6.6.6", "1.2.3.4, 10.1.2.3"]), "1.2.3.4");
        assert_eq!(seen("127.0.0.1", "::ffff:127.0.0.1", &["2001:db8::1"]), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", "127.0.0.1", &["[2001:db8::1]:443"]), "2001:db8::1");
        assert_eq!(seen("127.0.0.1", "127.0.0.1", &["1.2.3.4:55"]), "1.2.3.4");
        assert_eq!(seen("127.0.0.1", "127.0.0.1", &["nonsense"]), "127.0.0.1");
        assert_eq!(seen("127.0.0.1", "127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn networks_are_read_or_refused() {
        for text in ["127.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "fd00::/8", "::1", "::/0"] {
            assert!(text.parse::<Network>().is_ok(), "{text}");
        }
        for text in ["", "localhost", "10.0.0.0/33", "::1/129", "10.0.0.0/x", "10.0.0.0/"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
        assert!("0.0.0.0/0".parse::<Network>().unwrap().contains([1, 2, 3, 4].into()));
        assert!(!"0.0.0.0/0".parse::<Network>().unwrap().contains("2001:db8::1".parse().unwrap()));
    }
}
