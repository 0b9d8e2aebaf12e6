//! A channel between two processes of ours: one JSON document a line, in both directions.

use std::{
    io::{self, Read, Write},
    net::Shutdown,
    os::fd::{AsFd, BorrowedFd},
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};

/// How long the rest of a message may take whose beginning has come.
const FOR_THE_REST: Duration = Duration::from_secs(10);

/// One end of the channel.
pub(super) struct Channel {
    stream: UnixStream,
    unread: Vec<u8>,
}

impl Channel {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self { stream, unread: Vec::new() }
    }

    /// Waits for the next message; `None` once the other end is gone.
    pub(super) fn wait<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        loop {
            if let Some(message) = self.take()? {
                return Ok(Some(message));
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
    }

    /// Waits for the next message no longer than this, a little more if half of it has come; `None` if there is none by
    /// then, or the other end is gone.
    pub(super) fn wait_within<T: DeserializeOwned>(&mut self, time: Duration) -> Option<T> {
        // A timeout of zero would mean for ever.
        self.stream.set_read_timeout(Some(time.max(Duration::from_millis(1)))).ok()?;
        let deadline = Instant::now() + time + FOR_THE_REST;
        loop {
            if let Some(message) = self.take().ok()? {
                return Some(message);
            }
            match self.fill() {
                Ok(true) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) if !self.unread.is_empty() && Instant::now() < deadline => {}
                Ok(false) | Err(_) => return None,
            }
        }
    }

    /// The next message, if it has come.
    pub(super) fn take<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
        let text: Vec<u8> = self.unread.drain(..=end).collect();
        Ok(Some(serde_json::from_slice(&text)?))
    }

    /// Takes in what has come, waiting for some; false once the other end is gone.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        let mut buffer = [0; 8192];
        let count = self.stream.read(&mut buffer)?;
        self.unread.extend_from_slice(&buffer[..count]);
        Ok(count > 0)
    }

    /// Says that nothing more will be sent.
    pub(super) fn close(&self) {
        // Where it fails, the other end is gone already.
        _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Sends a message.
    pub(super) fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(message)?;
        text.push(b'\n');
        self.stream.write_all(&text)
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
