//! The connection to the server, and the streams on it.

use std::{error::Error, time::Duration};

use async_nats::{
    Client, HeaderMap,
    jetstream::{
        self, Context,
        context::GetStreamErrorKind,
        message::{PublishMessage, StreamMessage},
        stream::{Config, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, Stream},
    },
};
use futures_util::StreamExt;

use crate::{
    Access, QueueError,
    message::{LARGEST, Message},
    subject::{self, JOBS, OBJECTS, RESULTS, STATE},
};

/// What nobody asks for any more is forgotten after this time: contests that were left alone.
const AGE: Duration = Duration::from_secs(30 * 86_400);

/// The most subjects of one kind that are listed: manifests, exclusions, jobs put aside.
const MOST_LISTED: usize = 10_000;

/// The server and the streams on it.
#[derive(Clone)]
pub(crate) struct Queue {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) state: Stream,
    pub(crate) jobs: Stream,
    pub(crate) results: Stream,
    pub(crate) objects: Stream,
}

/// How an attempt to store a message ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stored {
    /// It is there now.
    New,
    /// There was one under this subject, and it stays.
    Already,
}

impl Queue {
    /// Connects, and makes the streams if they are missing.
    pub(crate) async fn open(access: &Access, name: &str) -> Result<Self, QueueError> {
        let client = connect(access, name).await?;
        let context = jetstream::new(client.clone());
        for wanted in streams() {
            let failed = |error: &dyn Error| {
                QueueError::Failed(format!("the server does not keep {} as a stream: {error}", wanted.name))
            };
            let found = context.get_or_create_stream(wanted.clone()).await.map_err(|error| failed(&error))?;
            let there = &found.cached_info().config;
            if there.subjects != wanted.subjects
                || there.retention != wanted.retention
                || there.discard != wanted.discard
                || there.discard_new_per_subject != wanted.discard_new_per_subject
                || there.max_messages_per_subject != wanted.max_messages_per_subject
            {
                return Err(QueueError::Failed(format!(
                    "the stream {} on the server was made by another program or version; delete it",
                    wanted.name
                )));
            }
        }
        Self::join(client).await?.ok_or_else(|| QueueError::Failed("the streams on the server are gone".into()))
    }

    /// The streams on the server, if somebody has made them.
    pub(crate) async fn join(client: Client) -> Result<Option<Self>, QueueError> {
        let context = jetstream::new(client.clone());
        let mut found = Vec::with_capacity(4);
        for name in [STATE, JOBS, RESULTS, OBJECTS] {
            match context.get_stream(name).await {
                Ok(stream) => found.push(stream),
                Err(error) if matches!(error.kind(), GetStreamErrorKind::JetStream(_)) => return Ok(None),
                Err(error) => return Err(QueueError::of("the server does not answer")(&error)),
            }
        }
        let [state, jobs, results, objects] = found.try_into().expect("four were asked for");
        Ok(Some(Self { client, context, state, jobs, results, objects }))
    }

    /// Stores a message; the streams of jobs and results keep the first one of a subject.
    pub(crate) async fn store(
        &self,
        subject: String,
        payload: Vec<u8>,
        headers: Option<HeaderMap>,
    ) -> Result<Stored, QueueError> {
        let mut message = PublishMessage::build().payload(payload.into());
        if let Some(headers) = headers {
            message = message.headers(headers);
        }
        let failed = QueueError::of("the server did not store a message");
        let sent = self.context.send_publish(subject, message).await.map_err(|error| failed(&error))?;
        match sent.await {
            Ok(_) => Ok(Stored::New),
            Err(error) if is_second(&error) => Ok(Stored::Already),
            Err(error) => Err(failed(&error)),
        }
    }

    /// The last message of a subject in a stream.
    pub(crate) async fn last(stream: &Stream, subject: &str) -> Result<Option<StreamMessage>, QueueError> {
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some(message)),
            Err(error) if matches!(error.kind(), LastRawMessageErrorKind::NoMessageFound) => Ok(None),
            Err(error) => Err(QueueError::of("the server does not answer")(&error)),
        }
    }

    /// The subjects in a stream that match a filter, with the number of their messages.
    pub(crate) async fn subjects(stream: &Stream, filter: &str) -> Result<Vec<(String, usize)>, QueueError> {
        let failed = QueueError::of("the server does not answer");
        let mut found = stream.info_with_subjects(filter).await.map_err(|error| failed(&error))?;
        let mut subjects = Vec::new();
        while let Some(subject) = found.next().await {
            subjects.push(subject.map_err(|error| failed(&error))?);
            if subjects.len() == MOST_LISTED {
                break;
            }
        }
        subjects.sort();
        Ok(subjects)
    }

    /// How many messages a stream has.
    pub(crate) async fn messages(stream: &Stream) -> Result<u64, QueueError> {
        let failed = QueueError::of("the server does not answer");
        Ok(stream.get_info().await.map_err(|error| failed(&error))?.state.messages)
    }

    /// How many messages of a stream match a filter that gives each its own subject.
    pub(crate) async fn count(stream: &Stream, filter: &str) -> Result<u64, QueueError> {
        let failed = QueueError::of("the server does not answer");
        let mut found = stream.info_with_subjects(filter).await.map_err(|error| failed(&error))?;
        let mut count = 0;
        while let Some(Ok((_, messages))) = found.next().await {
            count += messages as u64;
        }
        Ok(count)
    }

    /// All messages of a kind in the stream of states; what cannot be read is left out.
    pub(crate) async fn states<T: Message>(&self, filter: &str) -> Result<Vec<(String, T)>, QueueError> {
        let mut messages = Vec::new();
        for (subject, _) in Self::subjects(&self.state, filter).await? {
            let found = Self::last(&self.state, &subject).await?;
            if let Some(message) = found.and_then(|found| T::read(&found.payload).ok()) {
                messages.push((subject, message));
            }
        }
        Ok(messages)
    }

    /// Removes every trace of a contest but its files.
    pub(crate) async fn forget(&self, id: &str) -> Result<(), QueueError> {
        let failed = QueueError::of("the server did not forget a contest");
        let purge = |stream: &Stream, filter: String| {
            let stream = stream.clone();
            async move { stream.purge().filter(filter).await }
        };
        // The manifest first: without it no worker takes a job.
        purge(&self.state, subject::contest(id)).await.map_err(|error| failed(&error))?;
        self.client.publish(subject::NEWS, "".into()).await.map_err(|error| failed(&error))?;
        let consumer = subject::consumer(id);
        let purged = tokio::join!(
            purge(&self.jobs, subject::jobs(id)),
            purge(&self.results, subject::results(id)),
            purge(&self.state, subject::poisons(id)),
            // It may be gone already.
            self.jobs.delete_consumer(&consumer),
        );
        for purged in [purged.0, purged.1, purged.2] {
            purged.map_err(|error| failed(&error))?;
        }
        Ok(())
    }
}

/// Connects to the server; waits for it only as long as a person would.
pub(crate) async fn connect(access: &Access, name: &str) -> Result<Client, QueueError> {
    let (servers, options) = (access.servers()?, access.options(name).await?);
    options
        .connect(servers)
        .await
        .map_err(|error| QueueError::Failed(format!("cannot reach the queue at {}: {error}", access.address)))
}

/// Whether a message was refused because its subject has one already.
fn is_second(error: &jetstream::context::PublishError) -> bool {
    let mut cause: Option<&dyn Error> = Some(error);
    while let Some(error) = cause {
        if error.to_string().contains("per subject exceeded") {
            return true;
        }
        cause = error.source();
    }
    false
}

fn streams() -> [Config; 4] {
    let stream = |name: &str, subjects: &[&str]| Config {
        name: name.into(),
        subjects: subjects.iter().map(|subject| format!("quincunx.{subject}")).collect(),
        max_age: AGE,
        max_message_size: (LARGEST + 2048) as i32,
        max_messages_per_subject: 1,
        ..Config::default()
    };
    let firsts = |config: Config| Config { discard: DiscardPolicy::New, discard_new_per_subject: true, ..config };
    [
        stream(STATE, &["contest.*", "poison.*.*", "excluded.*"]),
        firsts(Config { retention: RetentionPolicy::WorkQueue, ..stream(JOBS, &["job.*.*.*"]) }),
        firsts(stream(RESULTS, &["result.*.*"])),
        stream(OBJECTS, &["object.*.*"]),
    ]
}
