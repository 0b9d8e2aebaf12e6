//! The positions from the start of the game to the node searched, to see repetitions.

const BUCKETS: usize = 1 << 12;

/// Hashes of a line of play, the game's own history first.
#[derive(Clone)]
pub(crate) struct Path {
    hashes: Vec<u64>,
    /// How many of them fall into each bucket: most positions are seen to be new at one glance.
    buckets: Vec<u8>,
    /// Where the search begins.
    root: usize,
    /// The occurrence that makes a draw; 0 for never.
    repetition: u32,
}

impl Path {
    /// The history of a game, the position to be searched last.
    pub(crate) fn new(history: impl Iterator<Item = u64>, repetition: u32) -> Self {
        let mut path = Self { hashes: Vec::with_capacity(1024), buckets: vec![0; BUCKETS], root: 0, repetition };
        if repetition > 0 {
            history.for_each(|hash| path.push(hash));
            path.root = path.hashes.len().saturating_sub(1);
        }
        path
    }

    #[inline]
    pub(crate) fn push(&mut self, hash: u64) {
        if self.repetition > 0 {
            let bucket = &mut self.buckets[hash as usize % BUCKETS];
            *bucket = bucket.saturating_add(1);
            self.hashes.push(hash);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(hash) = self.hashes.pop() {
            let bucket = &mut self.buckets[hash as usize % BUCKETS];
            // A saturated bucket stays as it is: it only costs a look.
            *bucket -= u8::from(*bucket < u8::MAX);
        }
    }

    /// Whether the last position is a draw by repetition: as often as the rules say, or already twice since the
    /// search began, since what could be done the second time could have been done the first.
    #[inline]
    pub(crate) fn repeats(&self) -> bool {
        let Some((&now, before)) = self.hashes.split_last() else { return false };
        if self.buckets[now as usize % BUCKETS] < 2 {
            return false;
        }
        let mut occurrences = 1;
        for (index, &hash) in before.iter().enumerate().rev() {
            if hash == now {
                occurrences += 1;
                if index >= self.root || occurrences >= self.repetition {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_occurrence_in_the_game_or_the_second_in_the_search_is_a_draw() {
        let mut path = Path::new([1, 2, 3, 1, 2].into_iter(), 3);
        assert!(!path.repeats());
        path.push(3);
        assert!(!path.repeats(), "second occurrence, the first before the search");
        path.push(1);
        assert!(path.repeats(), "third occurrence");
        path.pop();
        path.push(9);
        path.push(8);
        assert!(!path.repeats());
        path.push(9);
        assert!(path.repeats(), "second occurrence within the search");
    }

    #[test]
    fn nothing_repeats_where_the_rules_know_no_repetition() {
        let mut path = Path::new([1, 1, 1].into_iter(), 0);
        path.push(1);
        path.push(1);
        assert!(!path.repeats());
    }
}
