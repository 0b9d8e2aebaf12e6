//! How a match stands: wins, draws and losses of one agent against the other, pair by pair.

use std::{
    collections::HashSet,
    fmt::Write as _,
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

use quincunx_game::Side;
use serde_json::{Value, json};

use crate::{
    Audience, ContestError, CrossTable, GameRecord, Plan, Progress, Results, Runner, Timing,
    statistic::{Decision, Estimate, Pairs, Sprt, elo},
};

/// The results of a match so far, from the side of the agent that has the first seat in even games.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    sprt: Option<Sprt>,
    /// Half points of the agent, by game number.
    points: Vec<Option<u8>>,
    /// The pairs before this one are complete and were looked at by the sequential test.
    looked_at: usize,
    before_decision: Pairs,
    decision: Option<(Decision, u64)>,
    pairs: Pairs,
    table: CrossTable,
    faults: Vec<String>,
    /// Games by their moves.
    seen: HashSet<u64>,
    repeated: u64,
    times: Times,
    /// The names of the sides, once a game has told them.
    sides: Option<[&'static str; 2]>,
    /// Games won by each side, whoever had it.
    side_wins: [u64; 2],
}

/// What moves and games have taken.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    /// Seconds and moves, by side.
    seconds: [f64; 2],
    moves: [u64; 2],
}

impl Times {
    fn add(&mut self, record: &GameRecord, first: usize) {
        for (ply, turn) in record.moves.iter().enumerate() {
            let side = (first + record.opening.len() + ply) % 2;
            self.seconds[side] += turn.cpu_us.unwrap_or(turn.us) as f64 / 1e6;
            self.moves[side] += 1;
        }
    }

    /// Seconds a move of each side.
    fn a_move(&self) -> [f64; 2] {
        [0, 1].map(|side| self.seconds[side] / self.moves[side].max(1) as f64)
    }

    fn a_game(&self, games: u64) -> f64 {
        (self.seconds[0] + self.seconds[1]) / games.max(1) as f64
    }
}

/// Between two looks of a person at how a match stands.
const REFRESH: Duration = Duration::from_millis(200);

/// Faults that are told one by one; the records have them all.
const MOST_FAULTS: usize = 10;

/// A standing that is shown while it grows.
struct Watched {
    standing: Standing,
    refreshed: Instant,
}

impl Audience for Watched {
    fn take(&mut self, record: GameRecord, progress: &mut dyn Progress) -> ControlFlow<()> {
        self.standing.add(&record);
        if self.refreshed.elapsed() > REFRESH {
            self.refreshed = Instant::now();
            progress.show(self.standing.line());
        }
        if self.standing.decision.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn begin_again(&mut self) {
        self.standing = Standing::new(self.standing.sprt);
    }
}

impl Standing {
    /// A match not yet begun, to be ended by a sequential test if one is given.
    pub fn new(sprt: Option<Sprt>) -> Self {
        Self { sprt, ..Self::default() }
    }

    /// Plays the match of a plan, two agents in pairs of games with the colours swapped, until its end or the decision
    /// of the sequential test.
    pub fn play(
        sprt: Option<Sprt>,
        plan: &Plan,
        runner: &mut Runner,
        out: Option<&Path>,
    ) -> Result<(Self, Timing), ContestError> {
        let mut watched = Watched { standing: Self::new(sprt), refreshed: Instant::now() };
        let timing = runner.play(plan, out, &mut watched)?;
        Ok((watched.standing, timing))
    }

    /// Counts a game. The sequential test looks at pairs in the order of their numbers, not in that of their ends, so
    /// that short games do not weigh more and the same command decides the same.
    pub fn add(&mut self, record: &GameRecord) {
        let (side, seats) =
            if record.number.is_multiple_of(2) { (Side::First, [0, 1]) } else { (Side::Second, [1, 0]) };
        self.table.add(seats, record);
        let (sides, first) = who_begins(record);
        self.sides = self.sides.or(sides);
        self.times.add(record, first);
        if let Some(winner) = record.winner {
            self.side_wins[winner.index()] += 1;
        }
        self.repeated += u64::from(!self.seen.insert(record.moves_hash()));
        if let Some(fault) = &record.fault
            && self.faults.len() < MOST_FAULTS
        {
            self.faults.push(format!("game {}, {}: {fault}", record.number, record.cause));
        }
        let points = record.half_points(side);
        let index = record.number as usize;
        if self.points.len() <= index + 1 {
            self.points.resize(index + 2, None);
        }
        self.points[index] = Some(points);
        if let Some(other) = self.points[index ^ 1] {
            self.pairs.add((points + other) as usize);
        }
        let Some(sprt) = self.sprt else { return };
        while self.decision.is_none()
            && let Some(&[Some(a), Some(b)]) = self.points.get(2 * self.looked_at..2 * self.looked_at + 2)
        {
            self.looked_at += 1;
            self.before_decision.add((a + b) as usize);
            self.decision = sprt.decide(&self.before_decision).map(|decision| (decision, self.looked_at as u64));
        }
    }

    /// How the agent did, in all games.
    pub fn results(&self) -> Results {
        self.table.between(0, 1)
    }

    /// Whether nothing is left to play of so many games.
    pub fn is_complete(&self, games: u64) -> bool {
        self.decision.is_some() || self.results().games() >= games
    }

    /// What the complete pairs say.
    pub fn estimate(&self) -> Option<Estimate> {
        self.pairs.estimate()
    }

    /// What the sequential test has decided, if it has.
    pub fn decision(&self) -> Option<Decision> {
        self.decision.map(|(decision, _)| decision)
    }

    /// The games that are the same as another one, move by move. They say nothing new, so the errors are larger than
    /// told.
    pub fn repeated(&self) -> u64 {
        self.repeated
    }

    /// The log-likelihood ratio of the sequential test, over the pairs it has looked at.
    fn ratio(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.ratio(&self.before_decision))
    }

    /// How it stands, in one line.
    pub fn line(&self) -> String {
        let Results { wins, draws, losses } = self.results();
        let elo = self.estimate().map_or(String::new(), |found| {
            let [low, high] = found.interval.map(elo);
            format!("   Elo {:+.1} [{low:+.1}, {high:+.1}]", elo(self.results().share()))
        });
        let ratio = self.ratio().map_or(String::new(), |ratio| format!("   LLR {ratio:+.2} of ±{:.2}", Sprt::bound()));
        format!("won {wins}, drawn {draws}, lost {losses}{elo}{ratio}")
    }

    /// The result for people, under the names of the agents.
    pub fn text(&self, [a, b]: [&str; 2]) -> String {
        let mut text = String::new();
        let results = self.results();
        let (games, Results { wins, draws, losses }) = (results.games(), results);
        _ = writeln!(text, "{a} against {b}: {games} games, {wins} won, {draws} drawn, {losses} lost");
        if let Some(found) = self.estimate() {
            let [low, high] = found.interval.map(elo);
            let pairs = self.pairs.0.iter().sum::<u64>();
            // A game without its pair counts for the score, and says nothing about the interval.
            let of_pairs = if 2 * pairs < games { format!(" (of {pairs} complete pairs)") } else { String::new() };
            _ = writeln!(
                text,
                "score {:.1} %, Elo {:+.1}, 95 % interval{of_pairs} {low:+.1} to {high:+.1}, likelihood of superiority {:.1} %",
                100.0 * results.share(),
                elo(results.share()),
                100.0 * found.los
            );
            _ = writeln!(text, "pairs by points 0, 1/2, 1, 3/2, 2: {:?}", self.pairs.0);
        }
        if let Some(ratio) = self.ratio() {
            let decision = match self.decision {
                Some((Decision::Accepted, pairs)) => format!("the second hypothesis holds, after {pairs} pairs"),
                Some((Decision::Rejected, pairs)) => format!("the first hypothesis holds, after {pairs} pairs"),
                None => "undecided".into(),
            };
            let bound = Sprt::bound();
            _ = writeln!(text, "sequential test: log-likelihood ratio {ratio:+.2} of ±{bound:.2}, {decision}");
        }
        if let Some([first, second]) = self.sides.filter(|_| games > 0) {
            let [one, other, drawn] =
                [self.side_wins[0], self.side_wins[1], draws].map(|count| 100.0 * count as f64 / games as f64);
            _ = writeln!(text, "{first} won {one:.1} %, {second} {other:.1} %, drawn {drawn:.1} %");
        }
        for (cause, count) in self.table.causes() {
            _ = writeln!(text, "{count:8}  {cause}");
        }
        for fault in &self.faults {
            _ = writeln!(text, "{fault}");
        }
        text
    }

    /// The standing as it stands in JSON; an infinite Elo is null.
    pub fn as_json(&self) -> Value {
        let results = self.results();
        let estimate = self.estimate();
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let mut document = json!({
            "games": results.games(), "a_wins": results.wins, "b_wins": results.losses, "draws": results.draws,
            "a_points": results.points(),
            "score": (results.games() > 0).then(|| results.share()),
            "elo": finite(estimate.map(|_| elo(results.share()))),
            "elo_low": finite(estimate.map(|found| elo(found.interval[0]))),
            "elo_high": finite(estimate.map(|found| elo(found.interval[1]))),
            "los": estimate.map(|found| found.los),
            "causes": self.table.causes(), "pairs": self.pairs.0,
        });
        if let (Some(sprt), Some(ratio)) = (self.sprt, self.ratio()) {
            let decision = self.decision.map(|(decision, pairs)| {
                json!({
                    "accepted": if decision == Decision::Accepted { "elo1" } else { "elo0" }, "pairs": pairs,
                })
            });
            document["sprt"] = json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "llr": ratio, "bound": Sprt::bound(), "decision": decision,
            });
        }
        document["faults"] = json!(self.faults);
        document["repeated"] = self.repeated.into();
        document["first_wins"] = self.side_wins[0].into();
        document["second_wins"] = self.side_wins[1].into();
        document
    }

    /// Average seconds for people: a move of each side, and a game.
    pub fn times_text(&self) -> String {
        let ([first, second], [one, other]) =
            (self.sides.unwrap_or(["the first side", "the second"]), self.times.a_move());
        let game = self.times.a_game(self.results().games());
        format!("on average {one:.5} s a move of {first}, {other:.5} s a move of {second}, {game:.4} s a game\n")
    }

    /// The same in JSON.
    pub fn times_json(&self) -> Value {
        let [first, second] = self.times.a_move();
        json!({
            "seconds_per_first_move": first, "seconds_per_second_move": second,
            "seconds_per_game": self.times.a_game(self.results().games()),
        })
    }
}

/// The names of the sides of a game, and the number of the one that began it.
fn who_begins(record: &GameRecord) -> (Option<[&'static str; 2]>, usize) {
    let Ok(rules) = quincunx_games::rules(&record.game, Some(&record.ruleset)) else { return (None, 0) };
    let begins = quincunx_games::set_up(rules, Some(&record.start), quincunx_games::NO_MOVES);
    (Some(rules.about.sides), begins.map_or(0, |game| game.to_move().index()))
}
