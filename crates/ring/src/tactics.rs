//! The tactics of Ring: a stone next to the other catches it, and a stone two cells away must flee.

use quincunx_search::{Encoding, Tactics, Verdict, tactics::TACTICAL};

use super::{Ring, Step};

impl Encoding for Ring {}

impl Tactics for Ring {
    type Known = ();

    const USUAL_MOVES: u32 = 10;
    const MOVE_CODES: usize = 2;

    fn code(mv: Step) -> u16 {
        mv as u16
    }

    fn decode(code: u16) -> Step {
        if code == Step::Up as u16 { Step::Up } else { Step::Down }
    }

    fn known(&self) {}

    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        (self.distance() == 1).then_some(Verdict::Win(1))
    }

    /// Two cells away one step leads next to the other stone, which catches; the other one flees.
    fn is_threatened(&self, (): &()) -> bool {
        self.distance() == 2
    }

    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Step)) {
        if self.distance() == 1 {
            Step::BOTH.into_iter().filter(|&step| self.catches(step)).for_each(&mut visit);
        }
    }

    fn order(&self, (): &(), mv: Step) -> i32 {
        if self.catches(mv) { TACTICAL } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;

    use super::*;

    #[test]
    fn a_win_at_a_glance_is_one_on_the_board() {
        for (text, wins) in [("0 1 0", true), ("0 2 0", false), ("0 3 0", false), ("5 0 1", true)] {
            let position = Ring::parse("plain", text).unwrap();
            let caught = position.moves().into_iter().any(|mv| {
                let mut after = position;
                after.play(mv);
                after.outcome().is_some()
            });
            assert_eq!((position.verdict(&(), 0).is_some(), caught), (wins, wins), "{text}");
        }
    }
}
