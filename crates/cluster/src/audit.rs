//! Audits: a job is played again by another worker, and both must agree. If they do not, this machine is the judge.

use std::time::Duration;

use async_nats::{Client, client::Request};
use tokio::{task::spawn_blocking, time::timeout};

use crate::{
    message::{Claims, Job, Message, Report, bytes},
    project::Judge,
    seal::sender,
    subject,
};

/// A result that is looked at again.
pub(crate) struct Audit {
    pub(crate) job: Job,
    /// The worker that played it, and what it says.
    pub(crate) worker: String,
    pub(crate) claims: Claims,
    /// The time it took.
    pub(crate) seconds: f64,
    /// Others that could play it again.
    pub(crate) others: Vec<String>,
}

/// What an audit has found.
pub(crate) struct Verdict {
    pub(crate) first: u64,
    /// The workers that were wrong.
    pub(crate) guilty: Vec<String>,
    /// Who looked: a worker's key, or nobody but this machine.
    pub(crate) auditor: Option<String>,
}

impl Audit {
    /// Plays the job again, on another worker if one answers, and compares.
    pub(crate) async fn run(self, client: Client, judge: Judge) -> Verdict {
        let first = self.job.first;
        // A busy worker plays it after what it has.
        let patience = Duration::from_secs_f64((20.0 * self.seconds).clamp(20.0, 86_400.0));
        for other in &self.others {
            let Some(claims) = ask(&client, other, &self.job, patience).await else { continue };
            if claims.agrees(&self.claims) {
                return Verdict { first, guilty: Vec::new(), auditor: Some(other.clone()) };
            }
            let truth = judged(judge, self.job).await;
            let wrong = |said: &Claims| truth.as_ref().is_some_and(|truth| !truth.agrees(said));
            let said = [(self.worker, &self.claims), (other.clone(), &claims)];
            let guilty = said.into_iter().filter(|(_, said)| wrong(said)).map(|(key, _)| key).collect();
            return Verdict { first, guilty, auditor: Some(other.clone()) };
        }
        let truth = judged(judge, self.job).await;
        let wrong = truth.is_some_and(|truth| !truth.agrees(&self.claims));
        Verdict { first, guilty: if wrong { vec![self.worker] } else { Vec::new() }, auditor: None }
    }
}

async fn judged(judge: Judge, job: Job) -> Option<Claims> {
    spawn_blocking(move || judge(job.first, &job.task)).await.ok().flatten()
}

/// What a worker says of a job; `None` if it does not answer, or not as itself.
async fn ask(client: &Client, key: &str, job: &Job, patience: Duration) -> Option<Claims> {
    let request = Request::new().payload(bytes(job).into()).timeout(Some(patience));
    let subject = subject::audit(key);
    let answer = timeout(patience, client.send_request(subject.clone(), request)).await.ok()?.ok()?;
    let vouched = sender(&subject, answer.headers.as_ref(), &answer.payload);
    let report = Report::read(&answer.payload).ok()?;
    (vouched.as_deref() == Ok(key) && report.first == job.first && report.contest == job.contest)
        .then_some(report.claims)
}
