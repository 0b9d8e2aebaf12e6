//! The evaluation of Ring: only a stone an odd number of cells away can ever catch, and it wants to be near.

use quincunx_search::{
    Tuning,
    terms::{Terms, Weighted},
};

use super::Ring;

/// What judges positions of Ring.
pub type Evaluation = Terms<Ring>;

impl Weighted for Ring {
    type Values = [i32; 2];

    const NAMES: &'static [&'static str] = &["hunting", "nearness of the hunter"];

    /// In thousandths of what it is worth to be the hunter: chosen by hand.
    const WEIGHTS: Self::Values = [1000, 500];

    const TUNING: Tuning = Tuning::CAUTIOUS;

    fn terms(&self) -> Self::Values {
        let distance = self.distance() as i32;
        let sign = if distance % 2 == 1 { 1 } else { -1 };
        [sign, sign * (3 - distance)]
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Position;
    use quincunx_search::Evaluator;

    use super::*;

    #[test]
    fn the_hunter_is_better_off_the_nearer_it_is() {
        let value = |text| Evaluation::embedded().evaluate(&Ring::parse("plain", text).unwrap(), &());
        assert!(value("0 1 0") > value("0 3 0") && value("0 3 0") > 0);
        assert!(value("0 2 0") < 0);
    }
}
