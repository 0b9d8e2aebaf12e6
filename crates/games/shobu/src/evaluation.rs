//! The evaluation of Shobu: boards with few stones are weak, stones that can move are strong.

use quincunx_search::{
    Tuning,
    terms::{Terms, Weighted},
};

use super::{Shobu, movers::Movers, on_board};

/// What judges positions of Shobu.
pub type Evaluation = Terms<Shobu>;

/// The corners of each board.
const CORNERS: u64 = 0x9009_9009_9009_9009;

/// The four middle cells of each board.
const CENTRE: u64 = 0x0660_0660_0660_0660;

impl Weighted for Shobu {
    type Values = [i32; 6];

    const NAMES: &'static [&'static str] = &[
        "boards with three stones",
        "boards with two stones",
        "boards with one stone",
        "stones in the centre",
        "stones in corners",
        "ways to move",
    ];

    /// In thousandths of what the second stone lost on a board costs: fitted by
    /// `quincunx tune shobu --games 4000 --nodes 800 --random-plies 4 --seed 2` to 28,656 quiet positions.
    const WEIGHTS: Self::Values = [-75, -1000, -2970, -108, 42, 83];

    const TUNING: Tuning = Tuning { scale: 290.0, ..Tuning::CAUTIOUS };

    #[expect(clippy::inline_always, reason = "inside the sum nothing is stored, and every leaf makes one")]
    #[inline(always)]
    fn terms(&self) -> Self::Values {
        let of_side = |stones: u64, others: u64, home: u64| {
            let mut boards = [0; 5];
            for board in 0..4 {
                boards[on_board(stones, board).count_ones() as usize % 5] += 1;
            }
            let movers = Movers::new(stones, others, home);
            let ways: u32 = movers.passive.iter().chain(&movers.aggressive).map(|set| set.count_ones()).sum();
            let count = |cells: u64| (stones & cells).count_ones() as i32;
            [boards[3], boards[2], boards[1], count(CENTRE), count(CORNERS), ways as i32]
        };
        let home = self.home();
        let own = of_side(self.stones.own, self.stones.enemy, home);
        let enemy = of_side(self.stones.enemy, self.stones.own, !home);
        std::array::from_fn(|term| own[term] - enemy[term])
    }
}
