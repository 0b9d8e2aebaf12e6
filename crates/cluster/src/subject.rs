//! The names of streams and subjects. Everything begins with `quincunx.`, so that permissions can be given by it.

/// What is kept of contests: manifests, jobs put aside, workers excluded.
pub(crate) const STATE: &str = "QUINCUNX_STATE";
/// The jobs that wait or are played.
pub(crate) const JOBS: &str = "QUINCUNX_JOBS";
/// The results, one for each subject and never a second.
pub(crate) const RESULTS: &str = "QUINCUNX_RESULTS";
/// Files that travel, by the hash of their content.
pub(crate) const OBJECTS: &str = "QUINCUNX_OBJECTS";

/// Told when contests come and go.
pub(crate) const NEWS: &str = "quincunx.news";
/// Asks every worker to announce itself at once.
pub(crate) const ROLL: &str = "quincunx.roll";
/// What every worker says of itself.
pub(crate) const ALL_WORKERS: &str = "quincunx.worker.*";
/// All manifests.
pub(crate) const ALL_CONTESTS: &str = "quincunx.contest.*";
/// All exclusions.
pub(crate) const ALL_EXCLUDED: &str = "quincunx.excluded.*";

pub(crate) fn contest(id: &str) -> String {
    format!("quincunx.contest.{id}")
}

/// Answered by the coordinator of a contest for as long as it lives.
pub(crate) fn leader(id: &str) -> String {
    format!("quincunx.leader.{id}")
}

/// A job; the attempt makes the subject of one that is put into the queue again a new one.
pub(crate) fn job(id: &str, first: u64, attempt: u32) -> String {
    format!("quincunx.job.{id}.{first}.{attempt}")
}

pub(crate) fn jobs(id: &str) -> String {
    format!("quincunx.job.{id}.*.*")
}

pub(crate) fn result(id: &str, first: u64) -> String {
    format!("quincunx.result.{id}.{first}")
}

pub(crate) fn results(id: &str) -> String {
    format!("quincunx.result.{id}.*")
}

/// A job that is put aside.
pub(crate) fn poison(id: &str, first: u64) -> String {
    format!("quincunx.poison.{id}.{first}")
}

pub(crate) fn poisons(id: &str) -> String {
    format!("quincunx.poison.{id}.*")
}

/// What workers tell the coordinator about jobs they hand back.
pub(crate) fn back(id: &str) -> String {
    format!("quincunx.back.{id}")
}

pub(crate) fn worker(key: &str) -> String {
    format!("quincunx.worker.{key}")
}

pub(crate) fn excluded(key: &str) -> String {
    format!("quincunx.excluded.{key}")
}

/// Told by the server when a job was given out as often as it may be.
pub(crate) fn exhausted(id: &str) -> String {
    format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{JOBS}.{}", consumer(id))
}

/// Asks one worker to play a job again.
pub(crate) fn audit(key: &str) -> String {
    format!("quincunx.audit.{key}")
}

/// Asks one worker to think about a position for somebody who waits.
pub(crate) fn think(key: &str) -> String {
    format!("quincunx.think.{key}")
}

/// What a worker signs its words about a thought with: those about another one do not fit.
pub(crate) fn thought(key: &str, number: u64) -> String {
    format!("{}.{number}", think(key))
}

pub(crate) fn object(hash: &str, part: usize) -> String {
    format!("quincunx.object.{hash}.{part}")
}

pub(crate) fn object_parts(hash: &str) -> String {
    format!("quincunx.object.{hash}.*")
}

/// The durable consumer from which workers take the jobs of a contest.
pub(crate) fn consumer(id: &str) -> String {
    format!("C_{id}")
}

/// The last word of a subject.
pub(crate) fn last(subject: &str) -> &str {
    subject.rsplit('.').next().unwrap_or_default()
}

/// Whether a text may be a word of a subject: the id of a contest, a hash or a key.
pub(crate) fn is_word(text: &str) -> bool {
    (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
