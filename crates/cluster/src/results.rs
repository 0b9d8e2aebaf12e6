//! Reads the results of a contest in the order they were stored, across restarts of the server.

use std::time::Duration;

use async_nats::jetstream::{
    Message,
    consumer::{AckPolicy, DeliverPolicy, pull},
};
use futures_util::StreamExt;
use tokio::{sync::mpsc, time::sleep};

use crate::{queue::Queue, subject};

/// Results that are asked for at once.
const BATCH: usize = 200;

/// How long the server waits for a result that is not there yet. Short: a pull has no heartbeat here (the client's
/// batches lose messages behind one), so this is how soon a dead server is noticed.
const PATIENCE: Duration = Duration::from_secs(2);

/// A result as it is stored, or the news that all stored before were read.
pub(crate) enum Found {
    Result(u64, Box<Message>),
    CaughtUp,
}

/// Reads until the receiver is gone.
pub(crate) fn read(queue: &Queue, id: &str) -> mpsc::Receiver<Found> {
    let (sender, receiver) = mpsc::channel(4 * BATCH);
    let (queue, filter) = (queue.clone(), subject::results(id));
    tokio::spawn(async move {
        let (mut last, mut caught_up) = (0, false);
        while !sender.is_closed() {
            // An error is a server that is away: the next round begins behind the last result.
            _ = follow(&queue, &filter, &mut last, &mut caught_up, &sender).await;
            sleep(Duration::from_millis(250)).await;
        }
    });
    receiver
}

async fn follow(
    queue: &Queue,
    filter: &str,
    last: &mut u64,
    caught_up: &mut bool,
    sender: &mpsc::Sender<Found>,
) -> Result<(), async_nats::Error> {
    let consumer = queue
        .results
        .create_consumer(pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: *last + 1 },
            ack_policy: AckPolicy::None,
            filter_subject: filter.into(),
            inactive_threshold: Duration::from_secs(60),
            memory_storage: true,
            ..pull::Config::default()
        })
        .await?;
    let mut silent = 0;
    while !sender.is_closed() {
        let mut batch = if *caught_up {
            consumer.batch().max_messages(BATCH).expires(PATIENCE).messages().await?
        } else {
            consumer.fetch().max_messages(BATCH).messages().await?
        };
        let mut count = 0;
        while let Some(message) = batch.next().await {
            let message = message?;
            let sequence = message.info()?.stream_sequence;
            *last = sequence;
            count += 1;
            if sender.send(Found::Result(sequence, Box::new(message))).await.is_err() {
                return Ok(());
            }
        }
        if !*caught_up && count == 0 {
            *caught_up = true;
            _ = sender.send(Found::CaughtUp).await;
        }
        silent = if count == 0 { silent + 1 } else { 0 };
        if silent % 5 == 4 {
            // A consumer that the server has forgotten answers nothing.
            queue.results.consumer_info(&consumer.cached_info().name).await?;
        }
    }
    Ok(())
}
