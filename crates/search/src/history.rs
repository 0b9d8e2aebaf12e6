//! What cutoffs taught about moves, whatever the position: history, countermoves and killers.

use crate::transposition::NO_MOVE;

/// No history value lies beyond this.
const LIMIT: i32 = 1 << 14;

/// The memory of one thread.
pub(crate) struct History {
    /// By side and move code.
    values: Vec<i16>,
    /// The countermove that refuted each move, by the answering side and the code of the move answered.
    countermoves: Vec<u16>,
    /// Two moves that cut off at each ply.
    killers: Vec<[u16; 2]>,
    codes: usize,
}

impl History {
    pub(crate) fn new(codes: usize, plies: usize) -> Self {
        Self {
            values: vec![0; 2 * codes],
            countermoves: vec![NO_MOVE; 2 * codes],
            killers: vec![[NO_MOVE; 2]; plies],
            codes,
        }
    }

    /// How promising a quiet move is.
    #[inline]
    pub(crate) fn score(&self, side: usize, code: u16) -> i32 {
        i32::from(self.values[side * self.codes + code as usize])
    }

    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    #[inline]
    pub(crate) fn countermove(&self, side: usize, previous: u16) -> u16 {
        if previous == NO_MOVE { NO_MOVE } else { self.countermoves[side * self.codes + previous as usize] }
    }

    /// A quiet move that refuted the move before it.
    pub(crate) fn reward(&mut self, side: usize, code: u16, previous: u16, ply: usize, depth: i32) {
        self.change(side, code, bonus(depth));
        let killers = &mut self.killers[ply];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        if previous != NO_MOVE {
            self.countermoves[side * self.codes + previous as usize] = code;
        }
    }

    /// A quiet move that was tried before the one that refuted.
    pub(crate) fn punish(&mut self, side: usize, code: u16, depth: i32) {
        self.change(side, code, -bonus(depth));
    }

    /// Moves the value towards the limit on the side of the bonus, the slower the nearer it is.
    fn change(&mut self, side: usize, code: u16, bonus: i32) {
        let value = &mut self.values[side * self.codes + code as usize];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).min(2000)
}
