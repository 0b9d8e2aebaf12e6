//! The options of a spec, read one by one; what is left over is an error.

use quincunx_game::{TextError, refusal, text::quoted};

/// Options still to be read.
#[derive(Debug)]
pub struct Options<'a> {
    agent: &'a str,
    given: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl<'a> Options<'a> {
    /// The options given to an agent of this name.
    pub fn new(agent: &'a str, given: &[(String, String)]) -> Self {
        Self { agent, given: given.to_vec(), known: Vec::new() }
    }

    /// The value of an option, read by `parse`, if it was given.
    pub fn take<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, TextError>,
    ) -> Result<Option<T>, TextError> {
        self.known.push(name);
        let Some(index) = self.given.iter().position(|(given, _)| given == name) else { return Ok(None) };
        let (_, value) = self.given.remove(index);
        parse(&value).map(Some).map_err(|error| {
            refusal!("agent.option", "{agent} {name}={value}: {error}", agent = self.agent, name, value, error)
        })
    }

    /// A whole number within a range.
    pub fn number(&mut self, name: &'static str, least: u64, most: u64) -> Result<Option<u64>, TextError> {
        self.take(name, |value| {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number
                .ok_or_else(|| refusal!("agent.number", "expected a whole number from {least} to {most}", least, most))
        })
    }

    /// Refuses options that the agent does not have.
    pub fn finish(self) -> Result<(), TextError> {
        let Some((name, _)) = self.given.first() else { return Ok(()) };
        let (agent, given, names) = (self.agent, quoted(name), self.known.join(", "));
        Err(if names.is_empty() {
            refusal!(
                "agent.no_options",
                "{agent} has no option {given} (or has it once only); it has none",
                agent,
                given,
            )
        } else {
            refusal!(
                "agent.unknown_option",
                "{agent} has no option {given} (or has it once only); it has {names}",
                agent,
                given,
                names,
            )
        })
    }
}
