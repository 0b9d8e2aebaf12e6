//! The tactics of Aboyne: captures, goals within reach, and races that cannot be stopped.

use quincunx_game::{Position, bits::Bits};
use quincunx_search::{Tactics, Verdict, tactics::TACTICAL};

use super::{
    Aboyne, Move,
    board::{DISTANCES, GOALS, NEIGHBOURS, WITHIN, cell_of_bit, slanting},
    moves::movers,
};

impl<const RULESET: usize> Tactics for Aboyne<RULESET> {
    type Known = ();

    const USUAL_MOVES: u32 = 30;
    const MOVE_CODES: usize = Move::CODES;

    fn code(mv: Move) -> u16 {
        mv.code()
    }

    fn decode(code: u16) -> Move {
        Move::of_code(code)
    }

    fn known(&self) {}

    fn verdict(&self, (): &(), _depth: i32) -> Option<Verdict> {
        if self.reaches_goal() {
            return Some(Verdict::Win(1));
        }
        self.race().map(Verdict::Win)
    }

    /// Wins and captures.
    fn for_each_forcing(&self, (): &(), mut visit: impl FnMut(Move)) {
        let targets = self.stones.enemy | GOALS[self.stones.to_move.index()];
        self.for_each_move(|mv| {
            if mv.sets().1 & targets != 0 {
                visit(mv);
            }
        });
    }

    fn themes(&self, line: &[Move]) -> Vec<&'static str> {
        self.themes_of(line)
    }

    fn order(&self, (): &(), mv: Move) -> i32 {
        let (_, to) = mv.sets();
        if to & GOALS[self.stones.to_move.index()] != 0 {
            2 * TACTICAL
        } else if to & self.stones.enemy != 0 || mv == Move::PASS {
            TACTICAL
        } else {
            let distances = &DISTANCES[self.stones.to_move.index()];
            100 * (i32::from(distances[mv.from as usize % 64]) - i32::from(distances[mv.to as usize % 64]))
        }
    }
}

impl<const RULESET: usize> Aboyne<RULESET> {
    /// Whether the side to move can move into its goal.
    fn reaches_goal(&self) -> bool {
        let jumped = if Self::BENT_JUMPS { 0 } else { self.stones.own };
        movers(jumped, self.movable(), GOALS[self.stones.to_move.index()]).into_iter().any(|set| set != 0)
    }

    /// The plies in which the side to move walks into its goal, if no enemy can interfere: on some shortest way no
    /// enemy comes next to the stone in time, and none reaches its own goal first.
    fn race(&self) -> Option<u32> {
        // An enemy stone jumps over its friends at most.
        let reach = self.stones.enemy.count_ones().min(8);
        let goal = &DISTANCES[self.stones.to_move.index()];
        let within = &WITHIN[(!self.stones.to_move).index()];
        let home = within.iter().position(|ring| self.stones.enemy & ring != 0).map_or(u32::MAX, |steps| steps as u32);
        let free = Bits(self.movable()).filter(|&bit| reach * (u32::from(goal[bit as usize]) - 1) < home);
        free.filter_map(|bit| {
            let steps = u32::from(goal[bit as usize]);
            self.walks_home(bit, 1, reach).then_some(2 * steps - 1)
        })
        .min()
    }

    /// Whether a stone on `bit` comes home by steps nearer to the goal, each out of the enemies' reach; `turns` is
    /// the number of turns they will have had when the next step is made.
    fn walks_home(&self, bit: u32, turns: u32, reach: u32) -> bool {
        let distances = &DISTANCES[self.stones.to_move.index()];
        Bits(NEIGHBOURS[bit as usize % 64] & !self.stones.occupied()).any(|next| {
            if distances[next as usize] >= distances[bit as usize] {
                return false;
            }
            let home = distances[next as usize] == 0;
            home || self.out_of_reach(next, reach * turns + 1) && self.walks_home(next, turns + 1, reach)
        })
    }

    /// Whether every enemy stone is farther than this from a cell.
    fn out_of_reach(&self, bit: u32, distance: u32) -> bool {
        let (column, row) = slanting(cell_of_bit(bit));
        Bits(self.stones.enemy).all(|enemy| {
            let (other_column, other_row) = slanting(cell_of_bit(enemy));
            let (right, down) = (other_column - column, other_row - row);
            ((right.abs() + down.abs() + (right + down).abs()) / 2) as u32 > distance
        })
    }
}

#[cfg(test)]
mod tests {
    use quincunx_game::{Game, Rules, Side};

    use super::*;

    fn position(text: &str) -> Aboyne {
        Aboyne::parse("official", text).unwrap()
    }

    #[test]
    fn a_stone_before_the_goal_wins_in_one() {
        let near = position("b..../....../......./......../.......b./......../......./....../r.... b");
        assert_eq!(near.verdict(&(), 0), Some(Verdict::Win(1)));
        // Next to an enemy it is blocked and wins nothing at once.
        let blocked = position("b..../....../......./.......r/.......b./......../......./....../..... b");
        assert_ne!(blocked.verdict(&(), 0), Some(Verdict::Win(1)));
    }

    #[test]
    fn a_race_is_called_only_where_the_longest_search_agrees() {
        // Blue three steps from home, the only red stone far behind and farther from its own.
        let won = position("...../....../......./......../.....b.../......../......./....../....r b");
        assert_eq!(won.race(), Some(5));
        let mut line = Game::from_position(Rules::of(Aboyne::<0>::about()), won);
        for text in ["e6-e7", "i5-i4", "e7-e8", "i4-i3", "e8-e9"] {
            line.play_text(text).unwrap();
        }
        assert_eq!(line.outcome().and_then(|end| end.winner), Some(Side::First));
        // With the red stone beside the way nothing is certain.
        let open = position("...../....../......./......../.....b.../......../......r/....../..... b");
        assert_eq!(open.race(), None);
    }
}
