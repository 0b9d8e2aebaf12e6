//! Many games at once for a learner: one action for each goes in, observations, legal actions, rewards and ends come out,
//! written into memory of the caller's. A game that ends begins anew.

use quincunx_game::{FirstMove, Rules, Side, TextError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::encoding::{Encoding, reward};

/// Where a step is written, game by game.
pub struct Outputs<'a> {
    /// The observations of the sides to move.
    pub observations: &'a mut [u8],
    /// For each action whether it is legal: 1 or 0. What an earlier step wrote is still there: only what changes is
    /// written.
    pub masks: &'a mut [u8],
    /// What the last action was worth to the side that played it: 1, 0 or -1.
    pub rewards: &'a mut [f32],
    /// Whether the last action ended the game; what is shown is the next game then.
    pub dones: &'a mut [u8],
    /// The sides to move: 0 or 1.
    pub to_move: &'a mut [u8],
}

/// Many games at once, whatever their type.
pub trait AnyVecEnv: Send {
    /// How many.
    fn games(&self) -> usize;
    /// The number of actions.
    fn actions(&self) -> usize;
    /// The shape of one observation.
    fn observation_shape(&self) -> Vec<usize>;
    /// Begins all games anew. The masks may hold anything.
    fn reset(&mut self, out: Outputs<'_>);
    /// Plays an action in each game, on this many threads. If one is not legal nothing is played, and the error names it.
    fn step(&mut self, actions: &[i64], out: Outputs<'_>, threads: usize) -> Result<(), TextError>;
    /// Draws a uniformly random legal action for each game.
    fn sample(&mut self, actions: &mut [i64]);
    /// The text of the position of a game; `None` if there is no such game.
    fn position_text(&self, game: usize) -> Option<String>;
}

/// Games of one type under the same rules.
pub(crate) struct VecEnv<P: Encoding> {
    rules: Rules,
    start: P,
    seats: Vec<Seat<P>>,
}

/// One of the games.
struct Seat<P> {
    position: P,
    /// The hashes of the positions of this game, if they may not repeat.
    path: Vec<u64>,
    plies: u32,
    /// The legal actions.
    legal: Vec<u32>,
    rng: Xoshiro256PlusPlus,
}

/// The part of the outputs that one game writes.
struct Place<'a> {
    observation: &'a mut [u8],
    mask: &'a mut [u8],
    reward: &'a mut f32,
    done: &'a mut u8,
    to_move: &'a mut u8,
}

impl<P: Encoding> VecEnv<P> {
    /// This many games; the seed draws who begins, where that is left to lot, and random actions.
    pub(crate) fn new(rules: Rules, games: usize, seed: u64) -> Self {
        let mut start = P::start(rules.ruleset.name).expect("the variant plays the ruleset");
        if rules.first == FirstMove::Default(Side::Second) {
            start.hand_over();
        }
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(seed);
        let seat = |_| Seat {
            position: start,
            path: Vec::new(),
            plies: 0,
            legal: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seeds.random()),
        };
        Self { rules, start, seats: (0..games).map(seat).collect() }
    }

    fn observation_length(&self) -> usize {
        self.start.observation_shape().iter().product()
    }
}

/// The games with their places in the outputs.
fn places<'a, P: Encoding>(
    seats: &'a mut [Seat<P>],
    out: Outputs<'a>,
    observation: usize,
    actions: usize,
) -> impl Iterator<Item = (&'a mut Seat<P>, Place<'a>)> {
    let observations = out.observations.chunks_exact_mut(observation).zip(out.masks.chunks_exact_mut(actions));
    let rest = out.rewards.iter_mut().zip(out.dones).zip(out.to_move);
    seats.iter_mut().zip(observations.zip(rest)).map(|(seat, ((observation, mask), ((reward, done), to_move)))| {
        (seat, Place { observation, mask, reward, done, to_move })
    })
}

impl<P: Encoding> Seat<P> {
    /// Begins a new game.
    fn begin(&mut self, rules: &Rules, start: &P) {
        self.position = *start;
        if rules.first == FirstMove::Random && self.rng.random() {
            self.position.hand_over();
        }
        self.path.clear();
        if rules.repetition > 0 {
            self.path.push(self.position.hash());
        }
        self.plies = 0;
    }

    /// Lists the legal actions, and tells whether there are any.
    fn list(&mut self) -> bool {
        let (position, legal) = (&self.position, &mut self.legal);
        legal.clear();
        position.for_each_move(|mv| legal.push(position.action(mv) as u32));
        !legal.is_empty()
    }

    /// Shows the position, with the legal actions that were listed.
    fn show(&self, place: &mut Place<'_>) {
        self.position.observe(place.observation);
        for &action in &self.legal {
            place.mask[action as usize] = 1;
        }
        *place.to_move = self.position.to_move().index() as u8;
    }

    /// Plays a legal action, and begins anew if it ends the game.
    fn step(&mut self, action: usize, rules: &Rules, start: &P, place: &mut Place<'_>) {
        for &action in &self.legal {
            place.mask[action as usize] = 0;
        }
        let mover = self.position.to_move();
        self.position.play(self.position.of_action(action));
        self.plies += 1;
        let winner = if self.list() {
            let drawn = self.repeated(rules.repetition) || rules.plies > 0 && self.plies >= rules.plies;
            drawn.then_some(None)
        } else {
            Some(self.position.outcome().and_then(|outcome| outcome.winner))
        };
        *place.done = u8::from(winner.is_some());
        *place.reward = winner.map_or(0.0, |winner| reward(winner, mover));
        if winner.is_some() {
            self.begin(rules, start);
            self.list();
        }
        self.show(place);
    }

    /// Adds the position to the path; whether it has occurred as often as makes a draw.
    fn repeated(&mut self, repetition: u32) -> bool {
        if repetition == 0 {
            return false;
        }
        let hash = self.position.hash();
        self.path.push(hash);
        self.path.iter().filter(|&&before| before == hash).count() as u32 >= repetition
    }
}

impl<P: Encoding> AnyVecEnv for VecEnv<P> {
    fn games(&self) -> usize {
        self.seats.len()
    }

    fn actions(&self) -> usize {
        self.start.actions()
    }

    fn observation_shape(&self) -> Vec<usize> {
        self.start.observation_shape()
    }

    fn reset(&mut self, out: Outputs<'_>) {
        out.masks.fill(0);
        out.rewards.fill(0.0);
        out.dones.fill(0);
        let (observation, actions) = (self.observation_length(), self.start.actions());
        for (seat, mut place) in places(&mut self.seats, out, observation, actions) {
            seat.begin(&self.rules, &self.start);
            seat.list();
            seat.show(&mut place);
        }
    }

    fn step(&mut self, chosen: &[i64], out: Outputs<'_>, threads: usize) -> Result<(), TextError> {
        let (observation, actions) = (self.observation_length(), self.start.actions());
        let games = self.seats.len();
        if chosen.len() != games {
            return Err(TextError::new(format!("{} actions for {games} games", chosen.len())));
        }
        // All are looked at before one is played.
        let legal = |(game, &action): (usize, &i64)| {
            usize::try_from(action).is_ok_and(|action| action < actions && out.masks[game * actions + action] == 1)
        };
        if let Some((game, action)) = chosen.iter().enumerate().find(|&place| !legal(place)) {
            return Err(TextError::new(format!("action {action} is not legal in game {game}")));
        }
        let (rules, start) = (&self.rules, &self.start);
        let share = games.div_ceil(threads.clamp(1, 256)).max(1);
        let play = |seats: &mut [Seat<P>], chosen: &[i64], out: Outputs<'_>| {
            for ((seat, mut place), &action) in places(seats, out, observation, actions).zip(chosen) {
                seat.step(action as usize, rules, start, &mut place);
            }
        };
        if share >= games {
            play(&mut self.seats, chosen, out);
            return Ok(());
        }
        let mut shares: Vec<_> = self
            .seats
            .chunks_mut(share)
            .zip(chosen.chunks(share))
            .zip(out.observations.chunks_mut(share * observation))
            .zip(out.masks.chunks_mut(share * actions))
            .zip(out.rewards.chunks_mut(share))
            .zip(out.dones.chunks_mut(share))
            .zip(out.to_move.chunks_mut(share))
            .map(|((((((seats, chosen), observations), masks), rewards), dones), to_move)| {
                (seats, chosen, Outputs { observations, masks, rewards, dones, to_move })
            })
            .collect();
        std::thread::scope(|scope| {
            let last = shares.pop();
            for (seats, chosen, out) in shares {
                scope.spawn(move || play(seats, chosen, out));
            }
            if let Some((seats, chosen, out)) = last {
                play(seats, chosen, out);
            }
        });
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (seat, action) in self.seats.iter_mut().zip(actions) {
            let rank = quincunx_game::position::random_below(&mut seat.rng, seat.legal.len() as u64);
            *action = seat.legal.get(rank as usize).map_or(-1, |&action| i64::from(action));
        }
    }

    fn position_text(&self, game: usize) -> Option<String> {
        self.seats.get(game).map(|seat| seat.position.text())
    }
}
