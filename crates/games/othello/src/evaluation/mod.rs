//! The evaluation of 8x8 positions: discs the side to move will win by, from patterns trained on games.

mod indices;
mod patterns;
mod train;

use std::sync::{Arc, LazyLock};

use quincunx_game::{Position, Side, TextError};
use quincunx_search::{
    Evaluator, Tuning,
    memory::large_list,
    packing,
    probcut::{Prediction, ProbCut},
    solver::Solver,
};

use self::patterns::{TABLE, TABLES, weights_of_places};
pub(crate) use self::{indices::Indices, train::train};
use super::{
    Move, Othello,
    endgame::EndgameSolver,
    shallow::{Node, SHALLOW},
    tactics::TUNING,
};

/// One disc, in units of the weights.
pub(crate) const UNIT: i32 = 128;

/// The number of discs on the board decides which weights count.
const PHASES: usize = 15;

/// The numbers of discs there can be on the board, none included.
const COUNTS: usize = 65;

#[inline]
fn phase(discs: u32) -> usize {
    (discs.saturating_sub(5) as usize / 4).min(PHASES - 1)
}

/// The weights of all patterns in all phases.
#[derive(Debug)]
pub struct Evaluation {
    /// By phase, then by place in the tables of the patterns.
    weights: Vec<i16>,
    /// What it is worth to be to move, by the number of discs on the board: the side that makes the last move has an
    /// advantage, which the patterns do not see.
    turn: [i32; COUNTS],
    /// How well shallow searches with these weights predict deep ones.
    probcut: ProbCut,
    tuning: Tuning,
}

static EMBEDDED: LazyLock<Arc<Evaluation>> = LazyLock::new(quincunx_search::embedded_weights!("weights.bin"));

impl Evaluation {
    /// The score expected for the side to move, in units of the weights.
    #[inline]
    pub(crate) fn units(&self, own: u64, enemy: u64) -> i32 {
        self.units_of(&Indices::of(own, enemy), (own | enemy).count_ones())
    }

    /// The score expected for the side that sees these numbers and is to move, with this many discs on the board, in
    /// units of the weights.
    #[inline]
    pub(crate) fn units_of(&self, indices: &Indices, discs: u32) -> i32 {
        let begin = TABLES * TABLE * phase(discs);
        indices.look_up(&self.weights[begin..begin + TABLES * TABLE]) + self.turn[discs as usize % COUNTS]
    }

    /// The score expected for the side to move, in hundredths of a disc, within what a game can end with.
    #[inline]
    pub(crate) fn hundredths_of(&self, indices: &Indices, discs: u32) -> i32 {
        (self.units_of(indices, discs) * 100 / UNIT).clamp(-6400, 6400)
    }

    /// A copy in large pages.
    fn copied(&self) -> Self {
        let mut weights = large_list(self.weights.len());
        weights.extend_from_slice(&self.weights);
        Self { weights, turn: self.turn, probcut: self.probcut.clone(), tuning: self.tuning }
    }

    /// The evaluation with these weights: those of all phases, then those of the turn. `places` says which weight of a
    /// phase belongs to each place in the tables.
    fn expanded(packed: &[i16], places: &[u32], probcut: ProbCut) -> Self {
        let (packed, turn) = packed.split_at(packed.len() - COUNTS);
        let mut weights = large_list(PHASES * places.len());
        // A page waits for this: a list of known length is filled faster than one of lists.
        for phase in packed.chunks(packed.len() / PHASES) {
            weights.extend(places.iter().map(|&place| phase[place as usize]));
        }
        Self { weights, turn: std::array::from_fn(|discs| i32::from(turn[discs])), probcut, tuning: TUNING }
    }
}

/// What is kept up along the line of play: the numbers of the patterns as Black sees them, by the number of discs on
/// the board. So nothing has to be taken back.
#[derive(Clone)]
pub struct Progress([Indices; COUNTS]);

impl Progress {
    /// The numbers of the patterns as the side to move sees them.
    #[inline]
    fn seen(&self, position: &Othello<8>) -> Indices {
        let black = &self.0[position.count_discs() as usize];
        if position.to_move() == Side::First { *black } else { black.reversed() }
    }
}

impl Evaluator for Evaluation {
    type Position = Othello<8>;
    type State = Progress;

    const SHAPE: &'static str = "patterns";

    const TUNING: Tuning = TUNING;

    const CARRIED_BY_PAGES: bool = false;

    /// Of 64 discs; a bound of 64 could not be exceeded.
    const LARGEST: i32 = 6300;

    fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    fn from_weights(bytes: &[u8]) -> Result<Self, TextError> {
        // The ProbCut table as text, a zero, and the packed weights.
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
        let table = std::str::from_utf8(&bytes[..end]).ok().and_then(ProbCut::parse);
        let table = table.ok_or_else(|| TextError::new("these weights are damaged: they have no ProbCut table"))?;
        let (places, count) = weights_of_places();
        Ok(Self::expanded(&packing::unpack(&bytes[end + 1..], count * PHASES + COUNTS)?, &places, table))
    }

    fn weights(&self) -> Vec<u8> {
        let (places, count) = weights_of_places();
        let mut packed = vec![0; count * PHASES];
        for (packed, expanded) in packed.chunks_mut(count).zip(self.weights.chunks(places.len())) {
            for (&place, &weight) in places.iter().zip(expanded) {
                packed[place as usize] = weight;
            }
        }
        packed.extend(self.turn.map(|weight| weight as i16));
        [self.probcut.to_string().as_bytes(), &[0], &packing::pack(&packed)].concat()
    }

    fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    fn with_tuning(&self, tuning: Tuning) -> Self {
        Self { tuning, ..self.copied() }
    }

    fn state(&self, position: &Othello<8>) -> Progress {
        let mut progress = Progress([Indices::EMPTY; COUNTS]);
        let [black, white] = position.stones.by_side();
        progress.0[position.count_discs() as usize] = Indices::of(black, white);
        progress
    }

    fn known(_state: &Progress) -> &() {
        &()
    }

    #[inline]
    fn advance(&self, state: &mut Progress, before: &Othello<8>, mv: Move, after: &Othello<8>) {
        if mv != Move::PASS {
            let discs = before.count_discs() as usize;
            let (square, flipped) = (u32::from(mv.0), before.stones.enemy & after.stones.enemy);
            let now = &state.0[discs];
            let next = if before.to_move() == Side::First {
                now.after_own(square, flipped)
            } else {
                now.after_enemy(square, flipped)
            };
            state.0[(discs + 1) % COUNTS] = next;
        }
    }

    #[inline]
    fn evaluate(&self, position: &Othello<8>, state: &Progress) -> i32 {
        self.hundredths_of(&state.seen(position), position.count_discs())
    }

    #[inline]
    fn shallow(&self, position: &Othello<8>, state: &Progress, alpha: i32, depth: i32, nodes: &mut u64) -> Option<i32> {
        if depth > SHALLOW {
            return None;
        }
        let (own, enemy) = position.discs();
        let node = Node { own, enemy, seen: &state.seen(position), discs: position.count_discs() };
        Some(node.search(self, alpha, depth, nodes))
    }

    fn prediction(&self, position: &Othello<8>, depth: i32) -> Option<Prediction> {
        self.probcut.prediction(position.count_discs().saturating_sub(4) as usize, depth)
    }

    fn with_probcut(&self, probcut: ProbCut) -> Option<Self> {
        Some(Self { probcut, ..self.copied() })
    }

    fn solver(self: &Arc<Self>, mebibytes: usize, threads: usize) -> Option<Box<dyn Solver<Othello<8>>>> {
        Some(Box::new(EndgameSolver::new(Some(self.clone()), mebibytes, threads)))
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::{Game, Rules};
    use quincunx_search::{Engine, Limits, MOST_SELECTIVE, Stop};

    use super::*;

    #[test]
    fn every_depth_of_a_midgame_is_predicted_by_a_shallower_search_of_the_same_parity() {
        let table = &Evaluation::embedded().probcut;
        for plies in 4..52 {
            for deep in 4..40 {
                let found = table.prediction(plies, deep).unwrap();
                assert!(found.depth >= 1 && found.depth < deep && (deep - found.depth) % 2 == 0, "{deep} {found:?}");
                assert!((20..2000).contains(&found.error), "{deep} {found:?}");
            }
        }
        assert_eq!(table.prediction(26, 0), None);
        assert_eq!(table.prediction(26, -1), None);
    }

    #[test]
    fn weights_written_are_read_back() {
        let embedded = Evaluation::embedded();
        let again = Evaluation::from_weights(&embedded.weights()).unwrap();
        assert!(again.weights == embedded.weights && again.turn == embedded.turn && again.probcut == embedded.probcut);
    }

    #[test]
    fn the_margin_of_probcut_is_a_number_of_the_search() {
        let game = Game::<Othello<8>>::new(Rules::parse(Othello::<8>::about(), "8x8").unwrap()).unwrap();
        let nodes = |numbers, selectivity| {
            let embedded = Evaluation::embedded();
            let tuning = embedded.tuning().with_words(numbers).unwrap();
            let mut engine = Engine::new(Arc::new(embedded.with_tuning(tuning)), 16, 1);
            engine.selectivity = selectivity;
            let limits = Limits { depth: Some(8), ..Limits::default() };
            engine.search(&game, &limits, &Stop::default(), 1, &mut |_| {}).nodes
        };
        let [usual, wide, off] = ["", "probcut=200", "probcut=0"].map(|numbers| nodes(numbers, MOST_SELECTIVE));
        assert!(usual < wide && wide < off, "{usual} {wide} {off}");
        assert_eq!(wide, nodes("", 3), "selectivity 3 is two standard deviations");
        assert_eq!(wide, nodes("probcut=200", 4), "no selectivity goes below what is usual");
        assert_eq!(off, nodes("", 0));
    }
}
