//! Which Quincunx this is. A crate of its own, because it is built again after every commit: only what writes the version
//! down depends on it.

/// Version, commit, target and instruction set of this program, in one line:
/// `0.1.0 (commit 0123456789ab, x86_64-unknown-linux-gnu, popcnt bmi2 avx2)`.
///
/// The commit is the one that was checked out; changes that were not committed are not marked.
pub const VERSION: &str = env!("QUINCUNX_VERSION");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_names_commit_target_and_instruction_set() {
        let inner = VERSION
            .strip_prefix(concat!(env!("CARGO_PKG_VERSION"), " ("))
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap_or_else(|| panic!("{VERSION}"));
        let [commit, target, instructions] = inner.split(", ").collect::<Vec<_>>()[..] else { panic!("{VERSION}") };
        let hash = commit.strip_prefix("commit ");
        assert!(
            commit == "unknown commit"
                || hash.is_some_and(|hash| hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())),
            "{commit}"
        );
        assert!(target.starts_with(std::env::consts::ARCH), "{target}");
        assert_eq!(instructions.contains("popcnt"), cfg!(target_feature = "popcnt"), "{instructions}");
    }
}
