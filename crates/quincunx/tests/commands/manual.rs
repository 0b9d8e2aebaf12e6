//! `completions` and `man`.

use crate::binary::quincunx;

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = quincunx(&["--help"]).done();
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let first_words = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    first_words.map(|line| line.split_whitespace().next().unwrap().to_string()).collect()
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = quincunx(&["completions", shell]).done();
        for command in commands() {
            assert!(script.contains(&command), "{command} in {shell}");
        }
        assert!(script.contains("unfinished"), "options in {shell}");
    }
    assert!(quincunx(&["completions", "sh"]).refused(2).contains("bash"));
}

#[test]
fn the_manual_names_every_command_and_each_has_a_page() {
    let whole = quincunx(&["man"]).done().replace("\\-", "-");
    assert!(whole.contains(".TH quincunx 1"), "{whole}");
    for command in commands() {
        assert!(whole.contains(&format!("quincunx-{command}")), "{command}");
        let page = quincunx(&["man", &command]).done().replace("\\-", "-");
        assert!(page.contains(&format!(".TH quincunx-{command} 1")), "{page}");
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    assert!(quincunx(&["man", "perft"]).done().replace("\\-", "-").contains("--unfinished"));
    let refused = quincunx(&["man", "nothing"]).refused(2);
    assert!(refused.contains("\"nothing\"") && refused.contains("perft"), "{refused}");
}
