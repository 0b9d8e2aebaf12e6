//! What is known of a game before it is played, and the settings a game is played under.

use crate::{Side, TextError, refusal, text::quoted};

/// What a game is, for people and for the front ends.
#[derive(Debug)]
pub struct About {
    /// The name on the command line, such as `othello`.
    pub name: &'static str,
    /// The name in a headline.
    pub title: &'static str,
    /// Who made it and when, and what it is played on, in one line.
    pub summary: &'static str,
    /// The names of the colours, capitalised, in the order of [`Side`].
    pub sides: [&'static str; 2],
    /// The stones of the two sides as characters, for boards drawn in plain text.
    pub glyphs: [char; 2],
    /// The rulesets and variants; the first is the default.
    pub rulesets: &'static [RulesetAbout],
    /// The colours of the board.
    pub palette: Palette,
}

impl About {
    /// The name of a side, capitalised.
    pub fn side(&self, side: Side) -> &'static str {
        self.sides[side.index()]
    }

    /// The name of a side in lower case, as it stands in JSON.
    pub fn side_id(&self, side: Side) -> String {
        self.side(side).to_lowercase()
    }
}

/// The colours of a board, as CSS hexadecimal colours, by what they are for.
#[derive(Debug)]
pub struct Palette {
    /// Around the cells.
    pub frame: &'static str,
    /// The ordinary cells.
    pub plain: &'static str,
    /// The cells of the second kind: dark boards, squares between octagons.
    pub alternate: &'static str,
    /// Lines between and on cells.
    pub line: &'static str,
    /// Coordinates on the frame.
    pub label: &'static str,
    /// The stones of the two sides.
    pub stones: [&'static str; 2],
}

/// A ruleset or variant of a game.
#[derive(Debug)]
pub struct RulesetAbout {
    /// The name on the command line.
    pub name: &'static str,
    /// What sets it apart, in one line.
    pub summary: &'static str,
    /// The occurrence of a position that makes a draw; 0 for never.
    pub repetition: u32,
    /// The number of turns that makes a draw; 0 for none.
    pub plies: u32,
    /// Who begins.
    pub first: FirstMove,
}

/// Who makes the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstMove {
    /// Always the first side.
    Fixed,
    /// The given side unless the players choose otherwise.
    Default(Side),
    /// Drawn by lot unless the players choose otherwise.
    Random,
}

/// The settings one game is played under: a ruleset, and what its settings were changed to.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The game.
    pub about: &'static About,
    /// The ruleset.
    pub ruleset: &'static RulesetAbout,
    /// The occurrence of a position that makes a draw; 0 for never.
    pub repetition: u32,
    /// The number of turns that makes a draw; 0 for none.
    pub plies: u32,
    /// Who begins.
    pub first: FirstMove,
}

impl Rules {
    /// The default rules of a game.
    pub fn of(about: &'static About) -> Self {
        Self::with_ruleset(about, &about.rulesets[0])
    }

    fn with_ruleset(about: &'static About, ruleset: &'static RulesetAbout) -> Self {
        Self { about, ruleset, repetition: ruleset.repetition, plies: ruleset.plies, first: ruleset.first }
    }

    /// Reads `NAME`, or settings behind a name (or the default one) such as
    /// `official,first=red,repetition=3,plies=400`.
    pub fn parse(about: &'static About, text: &str) -> Result<Self, TextError> {
        let mut rules = Self::of(about);
        for (place, part) in text.split(',').map(str::trim).enumerate() {
            match part.split_once('=') {
                None if place == 0 => {
                    let ruleset = about.rulesets.iter().find(|known| known.name == part).ok_or_else(|| {
                        let names: Vec<_> = about.rulesets.iter().map(|known| known.name).collect();
                        refusal!(
                            "ruleset.unknown",
                            "{game} has no ruleset {given}; it has {names}",
                            game = about.title,
                            given = quoted(part),
                            names = names.join(", "),
                        )
                    })?;
                    rules = Self::with_ruleset(about, ruleset);
                }
                Some(("repetition", value)) => rules.repetition = small_number("repetition", value)?,
                Some(("plies", value)) => rules.plies = small_number("plies", value)?,
                Some(("first", value)) => rules.first = rules.parse_first(value)?,
                _ => {
                    return Err(refusal!(
                        "ruleset.setting",
                        "{given} is not a setting of a ruleset; the settings are first=, repetition= and plies=",
                        given = quoted(part),
                    ));
                }
            }
        }
        if rules.repetition == 0 && rules.plies == 0 && rules.ruleset.plies != 0 {
            return Err(refusal!(
                "ruleset.endless",
                "a game without repetition and ply limit need not end; leave one of them on"
            ));
        }
        Ok(rules)
    }

    fn parse_first(&self, value: &str) -> Result<FirstMove, TextError> {
        if self.ruleset.first == FirstMove::Fixed {
            let (game, side) = (self.about.title, self.about.sides[0]);
            return Err(refusal!("ruleset.first_fixed", "in {game} {side} always begins", game, side));
        }
        if value == "random" {
            return Ok(FirstMove::Random);
        }
        Side::BOTH.into_iter().find(|&side| self.about.side_id(side) == value).map(FirstMove::Default).ok_or_else(
            || {
                refusal!(
                    "ruleset.first_unknown",
                    "first={given} is none of first={first}, first={second}, first=random",
                    given = quoted(value),
                    first = self.about.side_id(Side::First),
                    second = self.about.side_id(Side::Second),
                )
            },
        )
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        let settings =
            |rules: &Self| (rules.about.name, rules.ruleset.name, rules.repetition, rules.plies, rules.first);
        settings(self) == settings(other)
    }
}

impl Eq for Rules {}

impl std::fmt::Display for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.ruleset.name)?;
        if self.first != self.ruleset.first {
            match self.first {
                FirstMove::Default(side) => write!(f, ",first={}", self.about.side_id(side))?,
                FirstMove::Random => write!(f, ",first=random")?,
                FirstMove::Fixed => {}
            }
        }
        if self.repetition != self.ruleset.repetition {
            write!(f, ",repetition={}", self.repetition)?;
        }
        if self.plies != self.ruleset.plies {
            write!(f, ",plies={}", self.plies)?;
        }
        Ok(())
    }
}

fn small_number(name: &str, value: &str) -> Result<u32, TextError> {
    const MOST: u32 = 100_000;
    value.parse().ok().filter(|&number| number <= MOST).ok_or_else(|| {
        refusal!(
            "ruleset.number",
            "{name}={given} is not a whole number from 0 to {most}",
            name,
            given = quoted(value),
            most = MOST,
        )
    })
}
