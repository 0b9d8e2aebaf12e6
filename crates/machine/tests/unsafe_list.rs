//! Promises of docs/UNSAFE.md: it names every file with unsafe code and no other, each with a test that is there.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The files below a folder that hold unsafe code, by their paths from the root of the project.
fn unsafe_files(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            unsafe_files(root, &path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs")
            && path.components().any(|part| part.as_os_str() == "src")
        {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().map(str::trim).filter(|line| !line.starts_with("//"));
            let words = ["{", "fn", "impl", "extern"].map(|word| format!("unsafe {word}"));
            if code.into_iter().any(|line| words.iter().any(|word| line.contains(word))) {
                found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
}

#[test]
fn the_list_of_unsafe_code_is_current() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut found = BTreeSet::new();
    for folder in ["crates", "wasm"] {
        unsafe_files(&root, &root.join(folder), &mut found);
    }
    let list = fs::read_to_string(root.join("docs/UNSAFE.md")).unwrap();
    let listed: BTreeSet<String> = list
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(path, _)| path.into())
        .collect();
    assert_eq!(found, listed);
}

/// The text of all files of these kinds below a folder, but for what was built or belongs to others.
fn sources(folder: &Path, kinds: &[&str], text: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() && !["target", "node_modules"].iter().any(|name| path.ends_with(name)) {
            sources(&path, kinds, text);
        } else if kinds.iter().any(|kind| path.extension().is_some_and(|found| found == *kind)) {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_file_with_unsafe_code_has_a_test_that_covers_it() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    sources(&root.join("crates"), &["rs"], &mut text);
    sources(&root.join("web/test"), &["js"], &mut text);
    let list = fs::read_to_string(root.join("docs/UNSAFE.md")).unwrap();
    for row in list.lines().filter(|line| line.starts_with("| `")) {
        let covered = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let name = covered.split('`').nth(1).unwrap_or_else(|| panic!("no test is named in {row}"));
        let there = text.contains(&format!("fn {name}()")) || text.contains(&format!("test('{name}'"));
        assert!(there, "there is no test {name:?}");
    }
}
