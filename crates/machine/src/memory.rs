//! Large pages, and memory that is given back.

/// Asks for large pages in a range of memory. With small pages nearly every access to a large table also misses the TLB,
/// which costs more than the rest of a node.
pub(crate) fn use_large_pages(begin: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        const PAGE: usize = 4096;
        let skipped = begin.align_offset(PAGE);
        if skipped < bytes
            && let Some(aligned) = std::ptr::NonNull::new(begin.wrapping_add(skipped))
        {
            // Without large pages the memory is only slower: an error does not matter.
            // SAFETY: the range lies in memory that its caller owns, and the advice does not change what is in it.
            #[expect(unsafe_code, reason = "advice about memory is given by its address")]
            let _ = unsafe { madvise(aligned.cast(), bytes - skipped, MmapAdvise::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (begin, bytes);
}

/// Gives memory that is free back to the system, as far as the allocator keeps such memory and can be told to.
pub fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: it takes the locks of the allocator itself, and touches nothing that is in use.
        #[expect(unsafe_code, reason = "the allocator of the C library is told")]
        let _ = unsafe { nix::libc::malloc_trim(0) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_given_back_was_free() {
        let kept: Vec<Vec<u8>> = (0..20_000_u32).map(|number| vec![number as u8; 500]).collect();
        let freed: Vec<Vec<u8>> = (0..200_000_u32).map(|number| vec![number as u8; 500]).collect();
        drop(freed);
        give_back_memory();
        assert!(kept.iter().zip(0_u32..).all(|(bytes, number)| bytes.iter().all(|&byte| byte == number as u8)));
    }

    #[test]
    fn advice_about_memory_changes_nothing_in_it() {
        let mut bytes: Vec<u8> = (0..5_000_000_u32).map(|number| (number % 251) as u8).collect();
        for (from, length) in [(0, bytes.len()), (1, 4095), (4097, 3 << 20), (12_345, 0), (bytes.len() - 1, 1)] {
            use_large_pages(bytes[from..].as_mut_ptr(), length);
        }
        assert!(bytes.iter().zip(0_u32..).all(|(&byte, number)| byte == (number % 251) as u8));
    }
}
