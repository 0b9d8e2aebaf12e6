//! Lists in order of worth.

/// The list with the items of the highest worth first, equal ones as they were. Only the order of numbers is sorted, so
/// the sorting is compiled once and not for each type: the code of an engine in a page has to be small.
pub(crate) fn ranked<T>(list: Vec<T>, worth: impl Fn(&T) -> i32) -> Vec<T> {
    let mut order: Vec<(i64, usize)> =
        list.iter().enumerate().map(|(index, item)| (-i64::from(worth(item)), index)).collect();
    order.sort_unstable();
    let mut list: Vec<_> = list.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, index)| list[index].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_equal_ones_keep_their_order() {
        let list = vec![("a", 3), ("b", -1), ("c", 7), ("d", 3), ("e", i32::MIN)];
        let names: Vec<_> = ranked(list, |&(_, worth)| worth).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["c", "a", "d", "b", "e"]);
    }
}
