//! An opening book by the program's own searches: how it is made, and how a move is taken from it.

use std::{collections::BTreeMap, sync::Arc};

use quincunx_game::{Game, Position, Rules, hash::mix};

use super::{Book, Entry, fingerprint};
use crate::{Engine, Evaluator, Limits, Score, Stop};

/// A move that is worth this much less than the best, in hundredths of the game's unit, may be played for variety's
/// sake.
const LENIENCY: i32 = 50;

/// A ply deeper in the book weighs as much as a move that gives away this much, in hundredths of the game's unit.
const PLY: i32 = 10;

/// Megabytes of table for a search.
const MEGABYTES: usize = 64;

/// How a book is made.
#[derive(Clone, Copy, Debug)]
pub struct Study {
    /// The positions whose best moves are looked for.
    pub positions: u32,
    /// The positions that each of these searches visits.
    pub nodes: u64,
    /// The moves kept of each.
    pub lines: usize,
}

/// A position while the book is being made.
struct Page<P> {
    position: P,
    /// How many plies from the start it was first found.
    ply: u32,
    /// What it is worth for the side to move: as first searched, later by the best of its moves.
    worth: i32,
    /// The positions its best moves lead to, if they were looked for.
    next: Option<Vec<u64>>,
    /// How far from the best play it lies: what the moves on the way gave away, and the plies; the least of all ways.
    remoteness: i32,
}

/// Makes a book from the start position of the rules: again and again it searches the position that is reached in the
/// fewest plies with the smallest mistakes, of those not studied yet. The same study makes the same book. `None` if it
/// was stopped.
pub fn study<E: Evaluator>(
    evaluator: &Arc<E>,
    rules: Rules,
    study: &Study,
    stop: &Stop,
    tell: &mut dyn FnMut(u32),
) -> Option<Book> {
    let engine = Engine::new(evaluator.clone(), MEGABYTES, 1);
    let start = *Game::<E::Position>::new(rules)?.position();
    let root = fingerprint(&start);
    // In the order of their fingerprints, so that nothing is left to chance.
    let mut pages = BTreeMap::from([(root, Page { position: start, ply: 0, worth: 0, next: None, remoteness: 0 })]);
    let limits = Limits { nodes: Some(study.nodes), ..Limits::default() };
    for number in 0..study.positions {
        let open = pages.iter().filter(|(_, page)| page.next.is_none() && page.position.outcome().is_none());
        let Some((&key, page)) = open.min_by_key(|(_, page)| page.remoteness) else { break };
        let (position, ply) = (page.position, page.ply);
        engine.clear();
        let game = Game::from_position(rules, position);
        let report = engine.search(&game, &limits, stop, study.lines, &mut |_| {});
        if stop.is_stopped() {
            return None;
        }
        let mut next = Vec::new();
        for line in &report.lines {
            // A decided game needs no book.
            let (Score::Estimate(value) | Score::Exact(value)) = line.score else { continue };
            let mut child = position;
            child.play(line.moves[0]);
            let key = fingerprint(&child);
            let page = Page { position: child, ply: ply + 1, worth: -value, next: None, remoteness: i32::MAX };
            pages.entry(key).or_insert(page);
            next.push(key);
        }
        if let Some(page) = pages.get_mut(&key) {
            page.next = Some(next);
        }
        settle(&mut pages);
        tell(number + 1);
    }
    let entry = |page: &Page<E::Position>| {
        let studied = page.next.as_ref().is_some_and(|next| !next.is_empty());
        Entry { worth: page.worth.clamp(-32000, 32000) as i16, studied }
    };
    Some(Book::new(pages.iter().map(|(&key, page)| (key, entry(page))).collect()))
}

/// Takes the worth of positions back to those they follow from, and then the remoteness of those to what follows.
fn settle<P>(pages: &mut BTreeMap<u64, Page<P>>) {
    let mut order: Vec<(u32, u64)> = pages.iter().map(|(&key, page)| (page.ply, key)).collect();
    order.sort_unstable();
    for (_, key) in order.iter().rev() {
        let best = pages[key].next.iter().flatten().map(|next| -pages[next].worth).max();
        if let (Some(best), Some(page)) = (best, pages.get_mut(key)) {
            page.worth = best;
        }
    }
    for page in pages.values_mut() {
        page.remoteness = if page.ply == 0 { 0 } else { i32::MAX };
    }
    for (_, key) in order {
        let Page { worth, remoteness, ref next, .. } = pages[&key];
        for next in next.clone().into_iter().flatten() {
            if let Some(page) = pages.get_mut(&next) {
                page.remoteness = page.remoteness.min(remoteness.saturating_add(PLY + worth + page.worth));
            }
        }
    }
}

/// A move of the book where the game stands, and what it is worth to the side to move: one of the best, always the same
/// for one seed. `None` if the book does not know the position, or was made for other rules: it is for the default
/// ones.
pub fn choose<P: Position>(book: &Book, game: &Game<P>, seed: u64) -> Option<(P::Move, i32)> {
    let usual = Rules::of(P::about());
    if game.rules() != &usual {
        return None;
    }
    let mut moves = book.moves(game.position());
    let &(_, best) = moves.first()?;
    moves.retain(|&(_, worth)| worth >= best - LENIENCY);
    let chosen = mix(seed, game.position().hash()) % moves.len() as u64;
    Some(moves[chosen as usize])
}
