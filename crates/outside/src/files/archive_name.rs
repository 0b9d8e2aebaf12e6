//! The names of zip and tar files.

/// The endings of archives, longest first.
const ENDINGS: [&str; 4] = [".tar.gz", ".tgz", ".tar", ".zip"];

/// A file's name without the ending of an archive; `None` if it has none.
pub fn archive_name(file: &str) -> Option<&str> {
    let lower = file.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(*ending))?;
    file.get(..file.len() - ending.len()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_archive_is_that_of_its_author() {
        let names = ["ann.zip", "bob.tar.gz", "eve.v2.TGZ", "x.tar", ".zip", "notes.txt"].map(archive_name);
        assert_eq!(names, [Some("ann"), Some("bob"), Some("eve.v2"), Some("x"), None, None]);
    }
}
