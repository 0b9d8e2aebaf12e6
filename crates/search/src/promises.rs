//! What every game promises, checked along random games: the contract of [`Position`], [`Tactics`] and [`Evaluator`].
//! For tests, behind the feature `promises`; a check that fails panics and says where.

use std::{
    collections::{HashMap, HashSet},
    fmt::Debug,
};

use quincunx_game::{Game, Playouts, Position, Rules, perft::perft, position::random_below};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{
    Encoding, Evaluator, Score, Tactics,
    selfplay::{self, Chunk, Label},
    vec_env::{AnyVecEnv, Outputs, VecEnv},
};

/// Something that holds for every game under every ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// Moves are distinct, counted right, and there exactly until the end of the game.
    Moves,
    /// Undoing a move restores every bit.
    Undo,
    /// The hash kept up in play equals the hash from scratch.
    Hash,
    /// Positions and moves are read back from their texts.
    Texts,
    /// Only legal moves are accepted, whatever the text.
    Legality,
    /// Symmetries keep counts and carry moves along.
    Symmetries,
    /// Exchanging the colours keeps counts.
    Colours,
    /// Paths are cells of the board and tell the moves apart.
    Paths,
    /// Different positions have different hashes.
    Hashes,
    /// What an evaluator keeps up along a game equals what it makes from scratch, and does not depend on the colours.
    State,
    /// Random games end, and end as the referee says.
    Playouts,
    /// Random moves are uniform over the legal ones.
    RandomMoves,
    /// Games recorded as self-play are read back to the last bit.
    Recorded,
    /// Actions tell moves apart and lead back to them, observations show the stones, and games stepped together are
    /// refereed like single ones.
    Encoding,
    /// No text makes a parser panic, and what it accepts is a position like any other.
    HostileText,
}

impl Promise {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Moves,
        Self::Undo,
        Self::Hash,
        Self::Texts,
        Self::Legality,
        Self::Symmetries,
        Self::Colours,
        Self::Paths,
        Self::Hashes,
        Self::State,
        Self::Playouts,
        Self::RandomMoves,
        Self::Recorded,
        Self::Encoding,
        Self::HostileText,
    ];

    /// Checks that the positions of an evaluator keep this promise.
    pub(crate) fn check<E: Evaluator>(self, rules: Rules) {
        type Games<'a, P> = &'a mut dyn FnMut(&Game<P>, &mut Xoshiro256PlusPlus);
        let along = |games: u64, check: Games<'_, E::Position>| along_random_games(rules, games, check);
        match self {
            Self::Moves => along(20, &mut moves),
            Self::Undo => along(20, &mut undo),
            Self::Hash => along(20, &mut hash),
            Self::Texts => along(20, &mut texts),
            Self::Legality => along(6, &mut legality),
            Self::Symmetries => along(6, &mut symmetries),
            Self::Colours => along(20, &mut colours),
            Self::Paths => along(10, &mut paths),
            Self::Hashes => hashes::<E::Position>(rules),
            Self::State => state::<E>(rules),
            Self::Playouts => playouts::<E::Position>(rules),
            Self::RandomMoves => along(3, &mut random_moves),
            Self::Recorded => along(20, &mut recorded),
            Self::Encoding => {
                along(6, &mut encoding);
                stepped_together::<E::Position>(rules);
            }
            Self::HostileText => hostile_text::<E::Position>(rules),
        }
    }
}

/// Calls `check` with random games, at every turn.
fn along_random_games<P: Position>(rules: Rules, games: u64, check: &mut dyn FnMut(&Game<P>, &mut Xoshiro256PlusPlus)) {
    for seed in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::<P>::new(rules).expect("the type plays the ruleset");
        loop {
            check(&game, &mut rng);
            if game.outcome().is_some() {
                break;
            }
            let mv = game.position().random_move(&mut rng).expect("an unfinished game has a move");
            game.play(mv);
        }
    }
}

fn moves<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    let moves = position.moves();
    assert_eq!(moves.len(), moves.iter().collect::<HashSet<_>>().len());
    assert_eq!(moves.len() as u64, position.count_moves());
    assert_eq!(moves.is_empty(), position.outcome().is_some(), "{}", position.text());
}

fn undo<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let mut position = *game.position();
    for mv in game.position().moves() {
        let undo = position.play(mv);
        assert_ne!(position, *game.position());
        position.undo(mv, undo);
        assert_eq!(position, *game.position());
    }
}

fn hash<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    assert_eq!(position.hash(), hash_from_scratch(position, game.rules()), "{}", position.text());
    for mv in position.moves() {
        let mut child = *position;
        child.play(mv);
        assert_eq!(child.hash(), hash_from_scratch(&child, game.rules()), "{}", child.text());
    }
    let mut handed_over = *position;
    handed_over.hand_over();
    assert_ne!(handed_over.hash(), position.hash());
    assert_eq!(handed_over.to_move(), !position.to_move());
}

fn texts<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    let ruleset = game.rules().ruleset.name;
    let parsed = P::parse(ruleset, &position.text());
    assert_eq!(parsed.as_ref(), Ok(position), "{}", position.text());
    let mut texts = HashSet::new();
    for mv in position.moves() {
        let text = position.move_text(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "{text}");
        assert!(texts.insert(text));
    }
}

fn legality<P: Position>(game: &Game<P>, rng: &mut Xoshiro256PlusPlus) {
    // The texts of moves of other positions of the game, and mutilated ones: each is refused, or names a legal move.
    let position = game.position();
    let legal: HashSet<_> = position.moves().into_iter().collect();
    let other = game.positions()[random_below(rng, game.positions().len() as u64) as usize];
    for mv in other.moves().into_iter().chain(other.colours_swapped().moves()) {
        let mut text = other.move_text(mv);
        for _ in 0..3 {
            match position.parse_move(&text) {
                Ok(mv) => assert!(legal.contains(&mv), "{text} in {}", position.text()),
                Err(error) => assert!(!error.to_string().contains('\n')),
            }
            let at = random_below(rng, text.len() as u64) as usize;
            let swap = b"abcdefghijklmnopqrstABCDEFGHJKLMNOPQRST0123456789:-x^NSWE~ "[random_below(rng, 58) as usize];
            let mut bytes = text.into_bytes();
            bytes[at] = swap;
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
}

fn symmetries<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    let count = perft(position, 1);
    for symmetry in 0..P::SYMMETRIES {
        let image = position.transformed(symmetry);
        assert_eq!(perft(&image, 1), count, "symmetry {symmetry} of {}", position.text());
        assert_eq!(image.hash(), hash_from_scratch(&image, game.rules()));
        assert_eq!(image.outcome(), position.outcome());
        let legal: HashSet<_> = image.moves().into_iter().collect();
        for mv in position.moves() {
            let moved = position.transformed_move(mv, symmetry);
            assert!(legal.contains(&moved), "symmetry {symmetry} of {mv:?} in {}", position.text());
            let (mut there, mut back) = (image, *position);
            there.play(moved);
            back.play(mv);
            assert_eq!(there, back.transformed(symmetry));
        }
    }
    assert_eq!(position.transformed(0), *position);
}

fn colours<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    let swapped = position.colours_swapped();
    assert_eq!(perft(&swapped, 1), perft(position, 1), "{}", position.text());
    assert_eq!(swapped.hash(), hash_from_scratch(&swapped, game.rules()));
    assert_eq!(swapped.to_move(), !position.to_move());
    assert_eq!(swapped.colours_swapped(), *position);
    let flipped = |winner: Option<quincunx_game::Side>| winner.map(|side| !side);
    assert_eq!(swapped.outcome().map(|end| end.winner), position.outcome().map(|end| flipped(end.winner)));
}

fn paths<P: Position>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    let cells = position.geometry().cells.len();
    assert_eq!(position.cells(), cells);
    let mut paths = HashSet::new();
    for mv in position.moves() {
        let ways = position.paths(mv);
        assert!(ways.iter().flatten().chain(&position.marks(mv)).all(|&cell| cell < cells));
        assert_eq!(ways.is_empty(), P::is_pass(mv));
        assert_eq!(position.path(mv), ways.first().cloned().unwrap_or_default());
        for path in ways {
            assert!(!path.is_empty());
            assert!(paths.insert(path), "two moves with a path of {}", position.move_text(mv));
        }
    }
    assert!(position.winning_cells().iter().all(|&cell| cell < cells));
}

/// The hash of a position set up anew from its text, which carries nothing along from play.
fn hash_from_scratch<P: Position>(position: &P, rules: &Rules) -> u64 {
    let text = position.text();
    P::parse(rules.ruleset.name, &text).unwrap_or_else(|error| panic!("{text}: {error}")).hash()
}

fn hashes<P: Position>(rules: Rules) {
    let mut seen = HashMap::new();
    along_random_games::<P>(rules, 10, &mut |game, _| {
        let position = game.position();
        for mv in position.moves() {
            let mut child = *position;
            child.play(mv);
            let earlier = seen.entry(child.hash()).or_insert(child);
            assert_eq!(*earlier, child, "{} has the hash of {}", child.text(), earlier.text());
        }
    });
}

/// Everything a search reads from the state of a position.
fn answers<E: Evaluator>(evaluator: &E, position: &E::Position, state: &E::State) -> impl PartialEq + Debug + use<E> {
    let known = E::known(state);
    let (mut candidates, mut forcing) = (Vec::new(), Vec::new());
    if position.outcome().is_none() {
        position.for_each_candidate(known, |mv| candidates.push((mv, position.order(known, mv))));
        position.for_each_forcing(known, |mv| forcing.push(mv));
    }
    let verdict = position.outcome().is_none().then(|| position.verdict(known, 0));
    let (value, terms) = (evaluator.evaluate(position, state), evaluator.terms(position, state));
    (value, terms, candidates, forcing, verdict, position.is_threatened(known))
}

fn state<E: Evaluator>(rules: Rules) {
    let evaluator = E::embedded();
    for seed in 0..3 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::<E::Position>::new(rules).expect("the type plays the ruleset");
        let mut state = evaluator.state(game.position());
        let agrees = |position: &E::Position, state: &E::State| {
            let scratch = evaluator.state(position);
            let (kept, fresh) = (answers(&*evaluator, position, state), answers(&*evaluator, position, &scratch));
            assert_eq!(kept, fresh, "{}", position.text());
            // Nobody's colour is worth anything by itself.
            let swapped = position.colours_swapped();
            let worth = evaluator.evaluate(position, &scratch);
            assert_eq!(evaluator.evaluate(&swapped, &evaluator.state(&swapped)), worth, "{}", position.text());
        };
        while game.outcome().is_none() {
            let mv = game.position().random_move(&mut rng).expect("an unfinished game has a move");
            let before = *game.position();
            game.play(mv);
            evaluator.advance(&mut state, &before, mv, game.position());
            agrees(game.position(), &state);
        }
        let (moves, positions) = (game.moves(), game.positions());
        for (index, &mv) in moves.iter().enumerate().rev() {
            evaluator.retreat(&mut state, &positions[index], mv, &positions[index + 1]);
            agrees(&positions[index], &state);
        }
    }
}

fn playouts<P: Position>(rules: Rules) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let start = P::start(rules.ruleset.name).expect("the type plays the ruleset");
    let mut playouts = Playouts::new(&rules);
    for seed in 0..200 {
        let playout = playouts.run(start, &mut rng);
        assert!(rules.plies == 0 || playout.plies <= rules.plies);
        // The referee's own game of the same random game ends in the same way.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut same = rng.clone();
        let playout = playouts.run(start, &mut same);
        let mut game = Game::from_position(rules, start);
        while game.outcome().is_none() {
            let mv = game.position().random_move(&mut rng).expect("an unfinished game has a move");
            game.play(mv);
        }
        assert_eq!(Some(playout.outcome), game.outcome());
        assert_eq!(playout.plies as usize, game.moves().len());
    }
}

fn random_moves<P: Position>(game: &Game<P>, rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    if game.moves().len() % 10 != 3 || position.outcome().is_some() {
        return;
    }
    let mut moves = position.moves();
    moves.sort();
    let draws = 60 * moves.len();
    let mut counts = vec![0u32; moves.len()];
    for _ in 0..draws {
        let mv = position.random_move(rng).expect("an unfinished game has a move");
        counts[moves.binary_search(&mv).expect("a random move is legal")] += 1;
    }
    // Chi-square against the uniform distribution, six standard deviations from its mean.
    let chi: f64 = counts.iter().map(|&count| (f64::from(count) - 60.0).powi(2) / 60.0).sum();
    let freedom = (moves.len() - 1) as f64;
    let most = freedom + 6.0 * (2.0 * freedom).sqrt() + 12.0;
    assert!(chi <= most, "{chi} for {freedom}: {}", position.text());
}

fn encoding<P: Encoding>(game: &Game<P>, _rng: &mut Xoshiro256PlusPlus) {
    let position = game.position();
    let mut seen = HashSet::new();
    for mv in position.moves() {
        let action = position.action(mv);
        assert!(action < position.actions() && seen.insert(action), "{}: {action}", position.text());
        assert_eq!(position.of_action(action), mv, "{}: {action}", position.text());
    }
    let shape = position.observation_shape();
    let mut planes = vec![7; shape.iter().product()];
    position.observe(&mut planes);
    let cells = position.cells();
    for cell in 0..cells {
        let sides = [position.to_move(), !position.to_move()];
        let shown = sides.map(|side| u8::from(position.stone(cell) == Some(side)));
        assert_eq!([planes[cell], planes[cells + cell]], shown, "{}: {cell}", position.text());
    }
}

/// Random games stepped together against the same games played one by one.
fn stepped_together<P: Encoding>(rules: Rules) {
    const GAMES: usize = 5;
    let rules = Rules { first: quincunx_game::FirstMove::Fixed, ..rules };
    let mut env = VecEnv::<P>::new(rules, GAMES, 3);
    let (actions, length) = (env.actions(), env.observation_shape().iter().product::<usize>());
    let (mut observations, mut masks) = (vec![0; GAMES * length], vec![9; GAMES * actions]);
    let (mut rewards, mut dones, mut to_move) = (vec![0.0; GAMES], vec![0; GAMES], vec![0; GAMES]);
    macro_rules! outputs {
        () => {
            Outputs {
                observations: &mut observations,
                masks: &mut masks,
                rewards: &mut rewards,
                dones: &mut dones,
                to_move: &mut to_move,
            }
        };
    }
    env.reset(outputs!());
    let mut games: Vec<_> = (0..GAMES).map(|_| Game::<P>::new(rules).expect("the type plays it")).collect();
    let (mut chosen, mut finished) = (vec![0; GAMES], 0);
    for step in 0..1500 {
        env.sample(&mut chosen);
        env.step(&chosen, outputs!(), 1 + step % 3).unwrap_or_else(|error| panic!("{error}"));
        for (index, game) in games.iter_mut().enumerate() {
            let mover = game.position().to_move();
            game.play(game.position().of_action(chosen[index] as usize));
            let outcome = game.outcome();
            assert_eq!(dones[index] == 1, outcome.is_some(), "{}", game.position().text());
            let winner = outcome.and_then(|end| end.winner);
            let wanted = winner.map_or(0, |winner| if winner == mover { 1 } else { -1 });
            assert_eq!(rewards[index] as i32, wanted);
            if outcome.is_some() {
                finished += 1;
                *game = Game::new(rules).expect("the type plays it");
            }
            let position = game.position();
            assert_eq!(env.position_text(index), Some(position.text()));
            assert_eq!(usize::from(to_move[index]), position.to_move().index());
            let mask = &masks[index * actions..][..actions];
            let mut legal = vec![0; actions];
            position.for_each_move(|mv| legal[position.action(mv)] = 1);
            assert_eq!(mask, legal, "{}", position.text());
            let mut planes = vec![0; length];
            position.observe(&mut planes);
            assert_eq!(observations[index * length..][..length], planes);
        }
    }
    assert!(finished >= GAMES, "{finished} games ended");
    // One action that is not legal, and nothing is played.
    let before: Vec<_> = (0..GAMES).map(|game| env.position_text(game)).collect();
    env.sample(&mut chosen);
    for wrong in [-1, actions as i64, i64::MAX] {
        chosen[GAMES - 1] = wrong;
        let error = env.step(&chosen, outputs!(), 2).expect_err("no action has this number").to_string();
        assert!(error.contains("game 4"), "{error}");
    }
    assert!(env.step(&chosen[1..], outputs!(), 2).is_err());
    assert_eq!(before, (0..GAMES).map(|game| env.position_text(game)).collect::<Vec<_>>());
}

fn recorded<P: Tactics>(game: &Game<P>, rng: &mut Xoshiro256PlusPlus) {
    let Some(end) = game.outcome() else { return };
    let opening = random_below(rng, game.moves().len() as u64 + 1) as usize;
    let label = |ply: usize| {
        let (quiet, strayed) = (ply.is_multiple_of(3), ply.is_multiple_of(7));
        Label { score: Score::Estimate(ply as i32 - 30), quiet, strayed }
    };
    let labels: Vec<_> = (opening..game.moves().len()).map(label).collect();
    let mut chunk = Chunk::new(5, "of a test");
    for _ in 0..2 {
        chunk.add(&selfplay::encode(game, opening, &labels, end.winner));
    }
    let read: Result<Vec<_>, _> = selfplay::games::<P>(*game.rules(), &chunk).collect();
    let read = read.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.iter().map(|played| played.number).collect::<Vec<_>>(), [5, 6]);
    for played in read {
        assert_eq!(played.game.positions(), game.positions());
        assert_eq!(played.game.moves(), game.moves());
        assert_eq!((played.opening, &played.labels, played.winner), (opening, &labels, end.winner));
        assert_eq!(played.positions().count(), labels.len());
    }
    // Damage that a checksum does not show, since it was made before, is an error or another game under the rules.
    for _ in 0..10 {
        let mut hostile = chunk.clone();
        let at = random_below(rng, hostile.payload.len() as u64) as usize;
        hostile.payload[at] ^= 1 << random_below(rng, 8);
        for played in selfplay::games::<P>(*game.rules(), &hostile) {
            match played {
                Ok(played) => assert_eq!(played.game.outcome().map(|end| end.winner), Some(played.winner)),
                Err(error) => assert!(error.to_string().starts_with("game ") && !error.to_string().contains('\n')),
            }
        }
        hostile.payload.truncate(at);
        assert!(selfplay::games::<P>(*game.rules(), &hostile).any(|played| played.is_err()));
    }
}

fn hostile_text<P: Position>(rules: Rules) {
    let mut seed = 0;
    along_random_games::<P>(rules, 2, &mut |game, _| {
        seed += 1;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let text = game.position().text();
        for _ in 0..20 {
            let mutilated = mutilate(&text, &mut rng);
            // What is accepted must be a position like any other.
            if let Ok(position) = P::parse(rules.ruleset.name, &mutilated) {
                assert_eq!(P::parse(rules.ruleset.name, &position.text()), Ok(position));
                assert_eq!(position.count_moves() == 0, position.outcome().is_some(), "{mutilated}");
                let _ = game.position().parse_move(&mutilated);
            }
        }
    });
}

/// `text` with something inserted, removed, replaced, doubled or cut off.
fn mutilate(text: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=random_below(rng, 4) {
        let at = random_below(rng, characters.len() as u64 + 1) as usize;
        let odd = ['X', 'O', '-', '.', 'w', 'b', 'r', 'o', 'x', '~', '/', ' ', ',', '9', '\0', '\n', 'é', '🦀'];
        let odd = odd[random_below(rng, odd.len() as u64) as usize];
        match random_below(rng, 6) {
            0 => characters.insert(at, odd),
            1 if at < characters.len() => drop(characters.remove(at)),
            2 => characters.truncate(at),
            3 => characters.extend_from_within(..at),
            _ if at < characters.len() => characters[at] = odd,
            _ => {}
        }
    }
    characters.into_iter().collect()
}

/// The number of different positions after 1, 2, … turns from the start.
pub(crate) fn different_positions<P: Position>(ruleset: &str, turns: usize) -> Vec<u64> {
    let mut positions = vec![P::start(ruleset).expect("the type plays the ruleset")];
    let mut counts = Vec::new();
    for _ in 0..turns {
        let mut next = HashMap::new();
        for position in &positions {
            position.for_each_move(|mv| {
                let mut child = *position;
                child.play(mv);
                let known = next.entry(child.hash()).or_insert(child);
                assert_eq!(*known, child, "two positions with one hash");
            });
        }
        positions = next.into_values().collect();
        counts.push(positions.len() as u64);
    }
    counts
}
