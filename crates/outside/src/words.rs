//! What programs and their authors say, as it may be shown in terminals, tables and pages.

/// Whether a character does something to the text around it: what a terminal obeys, what is not seen, and what turns the
/// order of letters around, so that a line would be read as another one.
pub fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(character, '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_every_script_are_inert_and_what_moves_or_hides_them_is_not() {
        assert!("Müller Ωμέγα 五目 חמש, ✓ (100 %)".chars().all(|letter| !is_active(letter)));
        assert!("\u{1b}\u{7}\u{9b}\n\u{202e}\u{2066}\u{200b}\u{feff}\u{61c}".chars().all(is_active));
    }
}
