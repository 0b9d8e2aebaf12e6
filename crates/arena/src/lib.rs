//! Contests: games between agents under a clock, matches with honest statistics, tournaments, grading, reports.
//!
//! A [`Plan`] says which games are played between whom. [`play`] plays one of them and returns its [`GameRecord`]; a
//! [`Runner`] plays all on several threads, with a [`Journal`] that keeps them on disk so that a killed run goes on
//! where it was. A [`CrossTable`] counts results, for everybody.

mod bench;
mod claim;
mod class;
mod class_list;
mod clock;
mod contest;
mod cross_table;
mod error;
pub mod experiment;
mod game;
pub mod grade;
mod journal;
pub mod learn;
mod limit;
mod machines;
pub mod names;
mod opening;
mod plan;
mod play;
mod plots;
pub mod provenance;
pub mod rating;
mod remake;
pub mod report;
mod run;
pub mod selfplay;
pub mod similar;
pub mod spsa;
mod standing;
pub mod statistic;
mod student;
mod summary;
pub mod tournament;

pub use bench::{Bench, BenchError};
pub use claim::Claim;
pub use class::ClassRun;
pub use class_list::ClassList;
pub use contest::{Audience, Progress, Runner};
pub use cross_table::{CrossTable, Results};
pub use error::ContestError;
pub use journal::{Journal, load_games};
pub use limit::Limit;
pub use machines::{Machine, Machines};
pub use opening::Opening;
pub use plan::{Bout, Plan};
pub use play::{Fixture, play, play_fixture};
pub use quincunx_formats::{GameRecord, TurnRecord};
pub use remake::{Remade, remake};
pub use run::{Desk, Ended, Players, Timing, Workers};
pub use standing::Standing;
pub use summary::Summary;
