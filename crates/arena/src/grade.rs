//! The grading run of the Pente assignment: ten games against each of two reference agents, five points a win.

use quincunx_game::{FirstMove, Rules, Side};

use crate::{Bout, GameRecord, Limit, Opening, Plan};

/// Games against each reference agent.
pub const GAMES_EACH: u64 = 10;
/// In how many of them the graded agent has the first move.
pub const FIRST_MOVES: u64 = 6;
/// Points a win.
pub const POINTS: u64 = 5;

/// The plan of a grading run: the agent is number 0, the reference agents are 1 and 2.
pub fn grading(agent: &str, rules: Rules, seconds: std::time::Duration, seed: u64) -> Plan {
    // The random reference agent stays near the stones where the game has such an agent.
    let random = if rules.about.name == "pente" { "near" } else { "random" };
    let begins = match rules.first {
        FirstMove::Default(side) => side,
        FirstMove::Fixed | FirstMove::Random => Side::First,
    };
    let bouts = (0..2 * GAMES_EACH).map(|game| {
        let (opponent, round) = (1 + (game / GAMES_EACH) as usize, game % GAMES_EACH);
        let first = (round < FIRST_MOVES) == (begins == Side::First);
        Bout { seats: if first { [0, opponent] } else { [opponent, 0] }, pair: game }
    });
    Plan {
        rules,
        agents: vec![agent.to_string(), random.to_string(), "classic".to_string()],
        limit: Limit { cpu: Some(seconds), ..Limit::default() },
        openings: vec![Opening::default()],
        openings_word: "start".into(),
        draws_to_faster: true,
        seed,
        bouts: bouts.collect(),
    }
}

/// A graded game, from the side of the graded agent.
#[derive(Clone, Debug)]
pub struct GradedGame {
    /// The game as it was played.
    pub record: GameRecord,
    /// The reference agent.
    pub opponent: String,
    /// The side of the graded agent.
    pub side: Side,
    /// Whether it won.
    pub won: bool,
}

/// The games of a grading run as they count.
pub fn graded(plan: &Plan, mut records: Vec<GameRecord>) -> Vec<GradedGame> {
    records.sort_by_key(|record| record.number);
    records
        .into_iter()
        .filter_map(|record| {
            let bout = plan.bouts.get(record.number as usize)?;
            let side = if bout.seats[0] == 0 { Side::First } else { Side::Second };
            let won = record.winner == Some(side);
            let opponent = plan.agents[bout.seats[(!side).index()]].clone();
            Some(GradedGame { record, opponent, side, won })
        })
        .collect()
}

/// The points of graded games.
pub fn points(games: &[GradedGame]) -> u64 {
    POINTS * games.iter().filter(|game| game.won).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_begins_in_six_of_each_ten_games() {
        let rules = Rules::of(quincunx_games::about("pente").unwrap());
        let plan = grading("random", rules, std::time::Duration::from_secs(100), 1);
        assert_eq!(plan.bouts.len(), 20);
        for opponent in [1, 2] {
            let against: Vec<_> = plan.bouts.iter().filter(|bout| bout.seats.contains(&opponent)).collect();
            assert_eq!(against.len(), 10);
            assert_eq!(against.iter().filter(|bout| bout.seats[0] == 0).count(), 6);
        }
    }
}
