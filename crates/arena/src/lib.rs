//! The referee: games between agents under a clock, matches with honest statistics, tournaments, grading, reports.
//!
//! A [`Plan`] says which games are played between whom; [`run`] plays them on several threads and hands out a
//! [`GameRecord`] for each; a [`Journal`] keeps them on disk so that a killed run goes on where it was.

mod clock;
mod cross_table;
mod game;
pub mod grade;
mod journal;
mod limit;
mod opening;
mod plan;
pub mod rating;
mod record;
pub mod report;
mod run;
mod standing;
pub mod statistic;
pub mod tournament;

pub use clock::Clock;
pub use cross_table::{CrossTable, Results};
pub use game::{MORE_TIME_LEFT, Played, Turn, referee};
pub use journal::{Journal, JournalError, load_games};
pub use limit::Limit;
pub use opening::Opening;
pub use plan::{Bout, Plan};
pub use record::{GameRecord, TurnRecord};
pub use run::{RunError, Timing, Workers, run};
pub use standing::Standing;
