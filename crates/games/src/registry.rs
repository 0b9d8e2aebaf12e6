//! The registry: every game by its name. A new game is one line here.

use quincunx_game::{About, AnyGame, Game, Position, Rules, TextError, refusal, text::quoted};
use quincunx_search::Insight;

/// Something to be done with the type of a game.
pub trait Visitor {
    /// What comes out of it.
    type Output;
    /// Does it.
    fn visit<P: Insight>(self) -> Self::Output;
}

/// Lists the games: for each, the types that play its rulesets.
macro_rules! registry {
    ($($name:ident: $first:ty $(, $more:ty)*;)+) => {
        /// All games, in the order they are shown.
        pub fn all() -> Vec<&'static About> {
            vec![$(<$first as Position>::about()),+]
        }

        /// Calls `visitor` with the type that plays these rules.
        pub fn visit<V: Visitor>(rules: &Rules, visitor: V) -> V::Output {
            let ruleset = rules.ruleset.name;
            match rules.about.name {
                $(stringify!($name) => {
                    $(if <$more as Position>::start(ruleset).is_some() {
                        return visitor.visit::<$more>();
                    })*
                    visitor.visit::<$first>()
                })+
                other => unreachable!("rules of a game that is not registered: {other}"),
            }
        }
    };
}

registry! {
    othello: crate::othello::Othello<8>, crate::othello::Othello<6>, crate::othello::Othello<4>;
    pente: crate::pente::Pente;
    shobu: crate::shobu::Shobu;
    tessella: crate::tessella::Tessella<5>, crate::tessella::Tessella<4>, crate::tessella::Tessella<6>;
    aboyne: crate::aboyne::Aboyne<0>, crate::aboyne::Aboyne<1>, crate::aboyne::Aboyne<2>;
}

/// The game of this name.
pub fn about(name: &str) -> Result<&'static About, TextError> {
    all().into_iter().find(|about| about.name == name).ok_or_else(|| {
        let names: Vec<_> = all().iter().map(|about| about.name).collect();
        let (given, names) = (quoted(name), names.join(", "));
        refusal!("game.unknown", "there is no game {given}; the games are {names}", given, names)
    })
}

/// A game by its name, under a ruleset (see [`Rules::parse`]; the default one if `None`), from a position (the start if `None`).
pub fn open(name: &str, ruleset: Option<&str>, position: Option<&str>) -> Result<Box<dyn AnyGame>, TextError> {
    let about = about(name)?;
    let rules = ruleset.map_or(Ok(Rules::of(about)), |text| Rules::parse(about, text))?;
    visit(&rules, Open { rules, position })
}

struct Open<'a> {
    rules: Rules,
    position: Option<&'a str>,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn AnyGame>, TextError>;

    fn visit<P: Insight>(self) -> Self::Output {
        let game = match self.position {
            Some(text) => Game::from_position(self.rules, P::parse(self.rules.ruleset.name, text)?),
            None => Game::<P>::new(self.rules).expect("the registry gives the type that plays the ruleset"),
        };
        Ok(Box::new(game))
    }
}
