//! What was refused of what others sent: named, in few lines whatever they send.

use std::collections::HashMap;

use crate::message::line;

/// Refusals of one kind that are told; more are only counted.
const TOLD: u64 = 3;

/// The refusals so far, by what was refused.
#[derive(Default)]
pub(crate) struct Complaints(HashMap<&'static str, u64>);

impl Complaints {
    /// The line to tell of one more refusal; `None` if enough of its kind were told.
    pub(crate) fn of(&mut self, what: &'static str, why: &str) -> Option<String> {
        let count = self.0.entry(what).or_default();
        *count += 1;
        let more = if *count == TOLD { " (more like this are not told)" } else { "" };
        (*count <= TOLD).then(|| line(&format!("refused {what}: {why}{more}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_told_in_three_lines() {
        let mut complaints = Complaints::default();
        let told: Vec<String> = (0..1000).filter_map(|_| complaints.of("a job", "it is\nnone")).collect();
        assert_eq!(told.len(), 3);
        assert_eq!(told[0], "refused a job: it is none");
        assert!(told[2].ends_with("(more like this are not told)"));
        assert!(complaints.of("an audit", "x").is_some());
    }
}
