//! The limits of a game as they stand on the command line: `movetime=100ms`, `nodes=50000`, `clock=60s+0.5s`,
//! `cpu=60s`.

use std::{fmt, time::Duration};

use quincunx_game::{TextError, hash::mix, text::quoted};
use quincunx_search::limits::parse_duration;

/// What bounds the thinking of both players in a game; several may hold at once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limit {
    /// Wall-clock time a move.
    pub movetime: Option<Duration>,
    /// Positions visited a move.
    pub nodes: Option<u64>,
    /// Plies of search a move.
    pub depth: Option<u32>,
    /// A wall clock for the game: what it begins with, and what each move adds.
    pub clock: Option<(Duration, Duration)>,
    /// CPU time for the whole game.
    pub cpu: Option<Duration>,
    /// The most CPU time of a game, if it varies from game to game: then `cpu` is the least.
    pub cpu_most: Option<Duration>,
    /// How far a wall-clock limit may be overrun before that is a loss: what a busy machine does to an honest program.
    pub margin: Duration,
}

impl Default for Limit {
    fn default() -> Self {
        let margin = Duration::from_millis(250);
        Self { movetime: None, nodes: None, depth: None, clock: None, cpu: None, cpu_most: None, margin }
    }
}

impl Limit {
    /// Reads limits separated by commas.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let mut limit = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=') else { return Err(unknown(part)) };
            match name.trim() {
                "movetime" => limit.movetime = Some(positive_time(value)?),
                "nodes" => limit.nodes = Some(count(name, value)?),
                "depth" => {
                    let depth = count(name, value)?.try_into();
                    limit.depth = Some(depth.map_err(|_| TextError::new(format!("depth={value} is too deep")))?);
                }
                "clock" => {
                    let (base, increment) = value.split_once('+').unwrap_or((value, "0s"));
                    limit.clock = Some((positive_time(base)?, parse_duration(increment)?));
                }
                "cpu" => limit.set_cpu(value)?,
                "margin" => limit.margin = parse_duration(value)?,
                _ => return Err(unknown(part)),
            }
        }
        if limit.clock.is_some() && limit.cpu.is_some() {
            return Err(TextError::new("clock= and cpu= cannot both rule a game; choose one"));
        }
        Ok(limit)
    }

    /// Sets the CPU time of a game: `100s`, or `5s..300s` if it varies from game to game.
    pub fn set_cpu(&mut self, text: &str) -> Result<(), TextError> {
        let (least, most) = text.split_once("..").map_or((text, None), |(least, most)| (least, Some(most)));
        let least = positive_time(least)?;
        let most = most.map(positive_time).transpose()?;
        if most.is_some_and(|most| most < least) {
            return Err(TextError::new(format!("{} ends before it begins", quoted(text))));
        }
        (self.cpu, self.cpu_most) = (Some(least), most.filter(|most| *most > least));
        Ok(())
    }

    /// The CPU time of a game in words.
    pub(crate) fn cpu_words(&self) -> String {
        match (self.cpu, self.cpu_most) {
            (Some(least), Some(most)) => format!("{} s to {} s of CPU time", least.as_secs_f64(), most.as_secs_f64()),
            (Some(time), None) => format!("{} s of CPU time", time.as_secs_f64()),
            (None, _) => "any time".into(),
        }
    }

    /// The limit of one game: a CPU time that varies is drawn from the seed, in whole hundredths of a second. Short times
    /// are as likely as long ones, by their ratio: half of 5 s to 300 s lies below 39 s.
    #[must_use]
    pub fn drawn(&self, seed: u64) -> Self {
        let (Some(least), Some(most)) = (self.cpu, self.cpu_most) else { return *self };
        let share = (mix(seed, 0x71AE) >> 11) as f64 / (1u64 << 53) as f64;
        let seconds = least.as_secs_f64() * (most.as_secs_f64() / least.as_secs_f64()).powf(share);
        let seconds = (seconds * 100.0).round() / 100.0;
        Self { cpu: Some(Duration::from_secs_f64(seconds).clamp(least, most)), cpu_most: None, ..*self }
    }

    /// The limits with every clock stretched by a factor; what is counted stays.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let stretch = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(time);
        Self {
            movetime: self.movetime.map(stretch),
            clock: self.clock.map(|(base, increment)| (stretch(base), stretch(increment))),
            cpu: self.cpu.map(stretch),
            cpu_most: self.cpu_most.map(stretch),
            margin: stretch(self.margin),
            ..*self
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let seconds = |time: Duration| format!("{}s", time.as_secs_f64());
        parts.extend(self.movetime.map(|time| format!("movetime={}", seconds(time))));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        parts.extend(self.clock.map(|(base, plus)| format!("clock={}+{}", seconds(base), seconds(plus))));
        let most = self.cpu_most.map_or(String::new(), |most| format!("..{}", seconds(most)));
        parts.extend(self.cpu.map(|time| format!("cpu={}{most}", seconds(time))));
        if self.margin != Self::default().margin {
            parts.push(format!("margin={}", seconds(self.margin)));
        }
        write!(f, "{}", parts.join(","))
    }
}

fn unknown(part: &str) -> TextError {
    TextError::new(format!(
        "{} is not a limit; limits are movetime=100ms, nodes=50000, depth=6, clock=60s+0.5s, cpu=60s, margin=250ms",
        quoted(part)
    ))
}

fn count(name: &str, value: &str) -> Result<u64, TextError> {
    let number = value.trim().parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| TextError::new(format!("{name}={} is not a whole number above 0", quoted(value))))
}

fn positive_time(text: &str) -> Result<Duration, TextError> {
    let found = parse_duration(text)?;
    if found.is_zero() {
        return Err(TextError::new(format!("{} is no time at all", quoted(text))));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_back_as_they_are_written() {
        for text in [
            "",
            "movetime=0.1s",
            "nodes=50000",
            "depth=6",
            "clock=60s+0.5s",
            "cpu=60s",
            "cpu=5s..300s",
            "nodes=9,depth=2",
        ] {
            let limit = Limit::parse(text).unwrap();
            assert_eq!(limit.to_string(), text);
            assert_eq!(Limit::parse(&limit.to_string()).unwrap(), limit);
        }
        assert_eq!(Limit::parse("movetime=100ms").unwrap().movetime, Some(Duration::from_millis(100)));
        assert_eq!(Limit::parse("clock=1m").unwrap().clock, Some((Duration::from_secs(60), Duration::ZERO)));
    }

    #[test]
    fn a_time_that_varies_is_drawn_from_the_seed_within_its_bounds() {
        let limit = Limit::parse("cpu=5s..300s").unwrap();
        let times: Vec<f64> = (0..1000).map(|seed| limit.drawn(seed).cpu.unwrap().as_secs_f64()).collect();
        assert!(times.iter().all(|time| (5.0..=300.0).contains(time)));
        let below = times.iter().filter(|time| **time < 38.73).count();
        assert!((430..570).contains(&below), "{below}");
        assert_eq!(limit.drawn(7), limit.drawn(7));
        let fixed = Limit::parse("cpu=5s").unwrap();
        assert_eq!(fixed.drawn(7), fixed);
    }

    #[test]
    fn a_wrong_limit_is_told_in_one_line() {
        for text in [
            "fast",
            "speed=3",
            "nodes=-1",
            "nodes=0",
            "movetime=0s",
            "cpu=nan",
            "cpu=1e99s",
            "clock=1s,cpu=1s",
            "cpu=9s..5s",
            "cpu=..5s",
        ] {
            let error = Limit::parse(text).unwrap_err().to_string();
            assert!(!error.is_empty() && !error.contains('\n'), "{text}: {error}");
        }
    }
}
