//! How well shallow searches foretell deep ones, as fitted: `quincunx foretell othello --positions 1000 --depth 10 --seed 1`.

use std::sync::LazyLock;

use quincunx_search::insight::Foretelling;

/// Plies of a game that share a row.
const PHASE: u32 = 8;

/// By phase, then by depth, as far as was fitted.
static FITTED: LazyLock<Vec<Vec<Option<Foretelling>>>> =
    LazyLock::new(|| read(include_str!("foretelling.txt")).expect("the table in the repository is whole"));

/// What foretells a search of `depth` plies with so many discs on the board.
pub(super) fn of(discs: u32, depth: i32) -> Option<Foretelling> {
    let phase = discs.saturating_sub(4) / PHASE;
    // Phases with too few positions have no row: the next one speaks for them.
    let row = FITTED[(phase as usize).min(FITTED.len() - 1)..].iter().find(|row| !row.is_empty())?;
    let depth = usize::try_from(depth).ok()?;
    if let Some(found) = row.get(depth) {
        return *found;
    }
    // Deeper than fitted: what holds for the deepest one of the same parity, the shallow search so much deeper.
    let deepest = row.len().checked_sub(1)?;
    let fitted = deepest - (depth - deepest) % 2;
    let found = (*row.get(fitted)?)?;
    Some(Foretelling { depth: found.depth + ((depth - fitted) / 4 * 2) as i32, ..found })
}

/// The rows of a table as `quincunx foretell` writes it.
fn read(text: &str) -> Option<Vec<Vec<Option<Foretelling>>>> {
    let mut table: Vec<Vec<Option<Foretelling>>> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let numbers: Option<Vec<i32>> = line.split_whitespace().map(|number| number.parse().ok()).collect();
        let &[phase, deep, depth, bias, error, _] = &numbers?[..] else { return None };
        let (phase, deep) = (usize::try_from(phase).ok()?, usize::try_from(deep).ok()?);
        if phase > 8 || deep > 64 || !(1..deep as i32).contains(&depth) {
            return None;
        }
        table.resize_with(table.len().max(phase + 1), Vec::new);
        let row = &mut table[phase];
        row.resize(row.len().max(deep + 1), None);
        row[deep] = Some(Foretelling { depth, bias, error });
    }
    (!table.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_of_a_midgame_is_foretold_by_a_shallower_search_of_the_same_parity() {
        for discs in 8..56 {
            for deep in 4..40 {
                let found = of(discs, deep).unwrap();
                assert!(found.depth >= 1 && found.depth < deep && (deep - found.depth) % 2 == 0, "{deep} {found:?}");
                assert!((20..2000).contains(&found.error), "{deep} {found:?}");
            }
        }
        assert_eq!(of(30, 0), None);
        assert_eq!(of(30, -1), None);
    }

    #[test]
    fn damaged_tables_are_refused() {
        for text in ["", "1 4 2 0", "1 4 5 0 300 9", "1 x 2 0 300 9", "99 4 2 0 300 9"] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
