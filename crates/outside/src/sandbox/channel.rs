//! A channel between two processes of ours: one JSON document a line, in both directions.

use std::{
    io::{self, Read, Write},
    os::fd::{AsFd, BorrowedFd},
    os::unix::net::UnixStream,
};

use serde::{Serialize, de::DeserializeOwned};

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
