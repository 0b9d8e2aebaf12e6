//! From the arguments of the command line to a game.

use quincunx_game::{AnyGame, FirstMove, Side, TextError, record::play_line};
use quincunx_games::{NO_MOVES, rules, set_up};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::seed_or_new;
use crate::{cli::Setup, tell};

impl Setup {
    /// Sets up the game and plays the given moves. If the rules leave to chance who begins, the side does whose moves they
    /// can be.
    pub(crate) fn open(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let rules = rules(&self.game, self.ruleset.as_deref())?;
        let moves = self.moves.as_deref().unwrap_or("");
        let opened = set_up(rules, self.position.as_deref(), NO_MOVES)
            .and_then(|mut game| play_line(&mut *game, moves).map(|()| game));
        if opened.is_ok() || self.position.is_some() || rules.first != FirstMove::Random {
            return opened;
        }
        let mut game = set_up(rules, None, NO_MOVES)?;
        let other = !game.to_move();
        begin_with(&mut *game, other);
        if play_line(&mut *game, moves).is_ok() { Ok(game) } else { opened }
    }

    /// Like [`open`](Self::open); who begins is drawn now if the rules leave it to chance and nothing was played, and
    /// told.
    pub(crate) fn open_by_lot(&self) -> Result<Box<dyn AnyGame>, TextError> {
        let mut game = self.open()?;
        if self.position.is_none() && game.ply() == 0 && game.rules().first == FirstMove::Random {
            game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(seed_or_new(None)));
            tell(&format!("{} begins, by lot", game.rules().about.side(game.to_move())));
        }
        Ok(game)
    }
}

/// Draws until a side begins.
fn begin_with(game: &mut dyn AnyGame, side: Side) {
    for seed in 0..64 {
        game.draw_first_move(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        if game.to_move() == side {
            return;
        }
    }
}
