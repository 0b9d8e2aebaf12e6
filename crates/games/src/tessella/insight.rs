//! What an engine knows of Tessella: pieces, threats and room to move.

use quincunx_game::{
    Insight,
    bits::Bits,
    insight::{TACTICAL, Tuning, Verdict},
};

use super::{
    Move, Tessella,
    moves::{self, move_to},
};

/// The terms of the evaluation with their weights, in thousandths of a piece: fitted by
/// `quincunx tune tessella --games 1500 --nodes 1500 --random-plies 6 --seed 2` to 39,852 quiet positions.
const WEIGHTS: [(&str, i32); 6] = [
    ("pieces", 1000),
    ("threatened by the mover", 341),
    ("threatened by the other", -143),
    ("several threatened by the mover", -149),
    ("several threatened by the other", -130),
    ("steps", 32),
];

impl<const D: usize> Insight for Tessella<D> {
    type State = ();

    /// Together the two margins are worth 69 Elo (46 to 94; 300 games of 20,000 nodes a move); handing over the turn on top 6 more,
    /// which is nothing.
    const TUNING: Tuning =
        Tuning { scale: 38.0, aspiration: 30, futility: 20, hopeless: 30, moves: 16, ..Tuning::CAUTIOUS };
    const MOVE_CODES: usize = 64 * 64;

    fn code(mv: Move) -> u16 {
        64 * u16::from(mv.from) + u16::from(mv.to)
    }

    fn decode(code: u16) -> Move {
        Move { from: (code / 64) as u8, to: (code % 64) as u8 }
    }

    fn state(&self) {}

    fn evaluate(&self, (): &()) -> i32 {
        self.terms().into_iter().zip(WEIGHTS).map(|(term, (_, weight))| term * weight).sum::<i32>() / 10
    }

    fn features(&self, (): &()) -> Vec<(&'static str, i32)> {
        WEIGHTS.into_iter().zip(self.terms()).map(|((name, _), term)| (name, term)).collect()
    }

    /// The last capture wins at once.
    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        let last = self.enemy.count_ones() == Self::PIECES - Self::CAPTURES_TO_WIN + 1;
        let captures = || moves::destinations::<D>(self.own, self.enemy).into_iter().any(|set| set & self.enemy != 0);
        (last && captures()).then_some(Verdict::Win(1))
    }

    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        for (direction, set) in self.destinations().into_iter().enumerate() {
            for to in Bits(set & self.enemy) {
                visit(move_to::<D>(direction, to, self.own | self.enemy));
            }
        }
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        if self.enemy & (1 << mv.to) == 0 { 0 } else { TACTICAL }
    }
}

impl<const D: usize> Tessella<D> {
    /// The terms of the evaluation for the side to move, in the order of [`WEIGHTS`].
    fn terms(&self) -> [i32; WEIGHTS.len()] {
        let of_side = |own: u64, enemy: u64| {
            let destinations = moves::destinations::<D>(own, enemy);
            let threatened = (destinations.iter().fold(0, |all, set| all | set) & enemy).count_ones() as i32;
            let steps: u32 = destinations.iter().map(|set| (set & !enemy).count_ones()).sum();
            (own.count_ones() as i32, threatened, steps as i32)
        };
        let (own, enemy) = (of_side(self.own, self.enemy), of_side(self.enemy, self.own));
        let several = |threatened: i32| i32::from(threatened > 1);
        [own.0 - enemy.0, own.1, enemy.1, several(own.1), several(enemy.1), own.2 - enemy.2]
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::Game;

    use super::*;

    #[test]
    fn a_fourth_capture_is_seen_at_a_glance() {
        // Dark has four pieces left: one more is the fourth captured.
        let text = "~~~~x~~~~/~~~...~~~/~~x...x~~/~.......~/....x..../~..o....~/~~o....~~/~~~.o.~~~/~~~~o~~~~ o";
        let position = Tessella::<5>::parse("d5", text).unwrap();
        let wins = position.moves().into_iter().any(|mv| {
            let mut child = position;
            child.play(mv);
            child.outcome().is_some()
        });
        assert_eq!(position.verdict(&(), 0).is_some(), wins);
        assert!(wins);
    }
}
