//! The limits of a game as they stand on the command line: `movetime=100ms`, `nodes=50000`, `clock=60s+0.5s`,
//! `cpu=60s`.

use std::{fmt, time::Duration};

use quincunx_game::{TextError, text::quoted};
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
    /// How far a wall-clock limit may be overrun before that is a loss: what a busy machine does to an honest program.
    pub margin: Duration,
}

impl Default for Limit {
    fn default() -> Self {
        Self { movetime: None, nodes: None, depth: None, clock: None, cpu: None, margin: Duration::from_millis(250) }
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
                "cpu" => limit.cpu = Some(positive_time(value)?),
                "margin" => limit.margin = parse_duration(value)?,
                _ => return Err(unknown(part)),
            }
        }
        if limit.clock.is_some() && limit.cpu.is_some() {
            return Err(TextError::new("clock= and cpu= cannot both rule a game; choose one"));
        }
        Ok(limit)
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
        parts.extend(self.cpu.map(|time| format!("cpu={}", seconds(time))));
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
        for text in ["", "movetime=0.1s", "nodes=50000", "depth=6", "clock=60s+0.5s", "cpu=60s", "nodes=9,depth=2"] {
            let limit = Limit::parse(text).unwrap();
            assert_eq!(limit.to_string(), text);
            assert_eq!(Limit::parse(&limit.to_string()).unwrap(), limit);
        }
        assert_eq!(Limit::parse("movetime=100ms").unwrap().movetime, Some(Duration::from_millis(100)));
        assert_eq!(Limit::parse("clock=1m").unwrap().clock, Some((Duration::from_secs(60), Duration::ZERO)));
    }

    #[test]
    fn a_wrong_limit_is_told_in_one_line() {
        for text in ["fast", "speed=3", "nodes=-1", "nodes=0", "movetime=0s", "cpu=nan", "cpu=1e99s", "clock=1s,cpu=1s"]
        {
            let error = Limit::parse(text).unwrap_err().to_string();
            assert!(!error.is_empty() && !error.contains('\n'), "{text}: {error}");
        }
    }
}
