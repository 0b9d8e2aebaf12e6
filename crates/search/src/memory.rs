//! Help for tables that are larger than the processor's caches.

use crate::platform;

/// An empty list with room for so many elements, in large pages if the system has them: on small ones nearly every look
/// into a large table also misses the processor's list of pages, which costs more than the rest of a node.
pub fn large_list<T>(capacity: usize) -> Vec<T> {
    let mut list = Vec::with_capacity(capacity);
    use_large_pages(&mut list);
    list
}

/// So many elements, empty, in large pages as well; if memory is short half as many, or a quarter, and so on.
pub fn large_table<T: Default>(mut count: usize) -> Vec<T> {
    let mut table = Vec::new();
    while table.try_reserve_exact(count).is_err() {
        count /= 2;
    }
    use_large_pages(&mut table);
    table.resize_with(count, T::default);
    table
}

fn use_large_pages<T>(list: &mut Vec<T>) {
    platform::use_large_pages(list.as_mut_ptr().cast(), size_of_val(list.spare_capacity_mut()));
}

/// Fetches a place into the processor's cache, to be read soon.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault.
        #[expect(unsafe_code, reason = "the processor's own instruction")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_tables_are_empty_and_a_prefetch_changes_nothing() {
        let mut table: Vec<u64> = large_table(1 << 20);
        assert!(table.len() == 1 << 20 && table.iter().all(|&entry| entry == 0));
        for (entry, number) in table.iter_mut().zip(0_u64..) {
            prefetch(entry);
            *entry = number;
        }
        table.iter().for_each(prefetch);
        assert!(table.iter().zip(0_u64..).all(|(&entry, number)| entry == number));
        let list: Vec<u64> = large_list(1 << 20);
        assert!(list.is_empty() && list.capacity() >= 1 << 20);
    }
}
