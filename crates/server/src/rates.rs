//! Rates: how much one address, or one connection, may ask for.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::Mutex,
    time::Instant,
};

/// A rate: a number at once, and a number a second after that.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// How many may come at once.
    pub burst: f64,
    /// How many come back each second.
    pub per_second: f64,
}

/// A bucket that fills at a rate; every request takes one out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    level: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn full(rate: Rate, now: Instant) -> Self {
        Self { level: rate.burst, at: now }
    }

    /// Takes one out; false if the bucket is empty.
    pub(crate) fn take(&mut self, rate: Rate, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + passed * rate.per_second).min(rate.burst);
        self.at = now;
        if self.level < 1.0 {
            return false;
        }
        self.level -= 1.0;
        true
    }
}

/// What counts as one address: the address itself, or the network (/64) of an IPv6 address, all of which one person has.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// A bucket for every address that asks.
#[derive(Debug)]
pub(crate) struct Rates {
    rate: Rate,
    buckets: Mutex<Buckets>,
}

/// The buckets in two generations: when the young one is full it becomes the old one, and the old one is forgotten.
///
/// So addresses in use are remembered, however many others come, and a new one is never locked out.
#[derive(Default, Debug)]
struct Buckets {
    young: HashMap<IpAddr, Bucket>,
    old: HashMap<IpAddr, Bucket>,
}

/// Addresses remembered in one generation.
const MOST_ADDRESSES: usize = 20_000;

impl Rates {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::default() }
    }

    /// Whether this address may ask once more.
    pub(crate) fn allow(&self, address: IpAddr, now: Instant) -> bool {
        let address = network(address);
        let mut buckets = self.buckets.lock().expect("no thread panics with the lock");
        let buckets = &mut *buckets;
        if buckets.young.len() >= MOST_ADDRESSES && !buckets.young.contains_key(&address) {
            buckets.old = std::mem::take(&mut buckets.young);
        }
        let known = buckets.old.get(&address);
        let bucket = buckets.young.entry(address);
        bucket.or_insert_with(|| known.copied().unwrap_or_else(|| Bucket::full(self.rate, now))).take(self.rate, now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_the_rate() {
        let rates = Rates::new(Rate { burst: 3.0, per_second: 2.0 });
        let address = IpAddr::from([127, 0, 0, 1]);
        let now = Instant::now();
        assert!((0..3).all(|_| rates.allow(address, now)));
        assert!(!rates.allow(address, now));
        assert!(rates.allow(IpAddr::from([127, 0, 0, 2]), now), "another address has a bucket of its own");
        let later = now + Duration::from_millis(600);
        assert!(rates.allow(address, later));
        assert!(!rates.allow(address, later));
    }

    #[test]
    fn the_memory_for_addresses_is_bounded_and_no_newcomer_is_locked_out() {
        let rates = Rates::new(Rate { burst: 1.0, per_second: 1.0 });
        let now = Instant::now();
        let greedy = IpAddr::from([10, 0, 0, 1]);
        assert!(rates.allow(greedy, now));
        for number in 0..3 * MOST_ADDRESSES as u32 {
            assert!(rates.allow(IpAddr::from((0x2000_0000 + number).to_be_bytes()), now));
            if number % 1000 == 0 {
                assert!(!rates.allow(greedy, now), "an address in use is remembered");
            }
        }
        let buckets = rates.buckets.lock().unwrap();
        assert!(buckets.young.len() + buckets.old.len() <= 2 * MOST_ADDRESSES);
    }
}
