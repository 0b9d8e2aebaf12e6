//! Did you mean: the known name that is nearest to a misspelt one.

use quincunx_game::{TextError, text::Argument};

/// The nearest of the names that an error lists, if what was given looks like a slip of one of them.
pub(crate) fn suggestion(error: &TextError) -> Option<String> {
    let value = |wanted: &str| {
        let found = error.arguments().iter().find(|(name, _)| *name == wanted);
        found.and_then(|(_, value)| if let Argument::Text(text) = value { Some(text.as_str()) } else { None })
    };
    let inner = error.arguments().iter().find_map(|(_, value)| match value {
        Argument::Error(error) => suggestion(error),
        Argument::Text(_) => None,
    });
    inner.or_else(|| nearest(value("given")?.trim_matches('"'), value("names")?.split(", ")).map(String::from))
}

/// The name with the fewest letters to change, if those are few.
fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let most = (given.chars().count() / 3).max(1);
    let distance = |name: &str| strsim::damerau_levenshtein(&given, &name.to_lowercase());
    names.map(|name| (distance(name), name)).filter(|&(distance, _)| distance <= most).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_from_another_word() {
        let names = ["othello", "pente", "shobu"];
        for (given, wanted) in [
            ("othelo", Some("othello")),
            ("Pnete", Some("pente")),
            ("chess", None),
            ("", None),
            ("penta", Some("pente")),
        ] {
            assert_eq!(nearest(given, names.into_iter()), wanted, "{given}");
        }
    }
}
