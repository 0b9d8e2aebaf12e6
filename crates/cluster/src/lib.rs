//! Games on many machines: contests, self-play and the web app's engines as jobs on NATS JetStream.
//!
//! A *coordinator* ([`Cluster`]) puts the jobs of a contest into a stream, a *worker* ([`work`]) takes them out and puts
//! results into another. A result is believed only after the coordinator has replayed it by the rules; now and then a
//! game is played again by another worker and must come out the same. docs/CLUSTER.md tells it from the outside.

mod address;
mod audit;
mod complaint;
mod config;
mod contest;
mod crew;
mod error;
mod fit;
mod lead;
mod message;
mod object;
mod project;
mod queue;
mod results;
mod seal;
mod selfplay;
mod status;
mod subject;
mod thinkers;
mod thought;
mod worker;

pub use address::Access;
pub use config::{ServerConfig, server_config};
pub use contest::{Cluster, Options};
pub use error::QueueError;
pub use status::{ContestStatus, Status, WorkerStatus, forget};
pub use thinkers::Thinkers;
pub use worker::{WorkerOptions, work};
