//! The move picker: hands out the moves of a node, the most promising first.

use crate::tactics::TACTICAL;

/// So many best moves are picked one by one before the rest is sorted: most cutoffs come before.
const PICKED: usize = 5;

/// A move with what its place in the order depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    /// The larger the sooner.
    pub(crate) order: i32,
    pub(crate) mv: M,
}

impl<M> Ranked<M> {
    /// Whether the move changes the balance: it is never reduced nor given up, and history does not learn from it.
    #[inline]
    pub(crate) fn is_tactical(&self) -> bool {
        self.order >= TACTICAL
    }
}

/// What a picker hands out next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// The best move of an earlier search, before any other is even listed.
    HashMove,
    /// The moves are not listed yet.
    List,
    /// The listed moves.
    Listed,
    /// The moves that other threads were searching.
    Deferred,
}

/// The state of one node's list. The moves themselves lie on two stacks that all nodes of a line share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovePicker {
    pub(crate) stage: Stage,
    /// Where the moves of the node begin.
    first: usize,
    /// The next one to hand out.
    next: usize,
    /// Where its deferred moves begin, and the next of them.
    deferred: usize,
    next_deferred: usize,
}

impl MovePicker {
    /// A picker for a node whose moves will lie at the ends of these stacks.
    pub(crate) fn new<M>(stage: Stage, moves: &[Ranked<M>], deferred: &[Ranked<M>]) -> Self {
        let (first, deferred) = (moves.len(), deferred.len());
        Self { stage, first, next: first, deferred, next_deferred: deferred }
    }

    /// The best of the listed moves that were not handed out yet.
    #[expect(clippy::inline_always, reason = "every node asks for a few moves and hardly does more")]
    #[inline(always)]
    pub(crate) fn next_listed<M: Copy + Ord>(&mut self, moves: &mut [Ranked<M>]) -> Option<Ranked<M>> {
        let rest = &mut moves[self.next..];
        if rest.is_empty() {
            return None;
        }
        let number = self.next - self.first;
        if number < PICKED {
            if let Some((best, _)) = rest.iter().enumerate().max_by_key(|(_, ranked)| ranked.order) {
                rest.swap(0, best);
            }
        } else if number == PICKED {
            rest.sort_unstable_by_key(|ranked| (-ranked.order, ranked.mv));
        }
        self.next += 1;
        Some(rest[0])
    }

    /// The next of the moves that were deferred.
    #[inline]
    pub(crate) fn next_deferred<M: Copy>(&mut self, deferred: &[Ranked<M>]) -> Option<Ranked<M>> {
        let found = deferred.get(self.next_deferred).copied()?;
        self.next_deferred += 1;
        Some(found)
    }

    /// The listed moves handed out before the last one.
    pub(crate) fn tried<'a, M>(&self, moves: &'a [Ranked<M>]) -> &'a [Ranked<M>] {
        &moves[self.first..self.next.saturating_sub(1).max(self.first)]
    }

    /// The moves that were deferred.
    pub(crate) fn deferred<'a, M>(&self, deferred: &'a [Ranked<M>]) -> &'a [Ranked<M>] {
        &deferred[self.deferred..]
    }

    /// Takes the node's moves off the stacks.
    pub(crate) fn finish<M>(&self, moves: &mut Vec<Ranked<M>>, deferred: &mut Vec<Ranked<M>>) {
        moves.truncate(self.first);
        deferred.truncate(self.deferred);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_in_order_and_the_stacks_are_left_as_they_were() {
        let ranked = |order| Ranked { order, mv: order };
        let (mut moves, mut deferred) = (vec![ranked(99)], vec![ranked(98)]);
        let mut picker = MovePicker::new(Stage::List, &moves, &deferred);
        moves.extend([3, 1, 4, 15, 9, 2, 6, 5, 35, 8].map(ranked));
        let mut order = Vec::new();
        while let Some(picked) = picker.next_listed(&mut moves) {
            order.push(picked.order);
        }
        assert_eq!(order, [35, 15, 9, 8, 6, 5, 4, 3, 2, 1]);
        assert_eq!(picker.tried(&moves).len(), 9, "all but the last");
        deferred.push(ranked(7));
        assert_eq!(picker.next_deferred(&deferred).map(|picked| picked.mv), Some(7));
        assert!(picker.next_deferred(&deferred).is_none());
        picker.finish(&mut moves, &mut deferred);
        assert_eq!((moves.len(), deferred.len()), (1, 1));
    }
}
