//! What is kept of a program's standard error: its beginning and its end, whatever it writes in between.

/// The bytes kept of the beginning, where compilers and Java name what is wrong, and of the end, where Python does.
const HEAD: usize = 8192;
const TAIL: usize = 4096;

/// The output of one program.
#[derive(Default)]
pub(super) struct KeptOutput {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// All that came, kept or not.
    pub(super) bytes: u64,
}

impl KeptOutput {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let (head, tail) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(tail);
        self.tail.drain(..self.tail.len().saturating_sub(TAIL));
    }

    /// As text; a line of dots stands for what is missing.
    pub(super) fn text(&self) -> String {
        if self.bytes == (self.head.len() + self.tail.len()) as u64 {
            return String::from_utf8_lossy(&[self.head.as_slice(), &self.tail].concat()).into_owned();
        }
        format!("{}\n…\n{}", String::from_utf8_lossy(&self.head), String::from_utf8_lossy(&self.tail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept_in_a_bounded_space() {
        let mut output = KeptOutput::default();
        output.add(b"first\n");
        assert_eq!(output.text(), "first\n");
        for _ in 0..1000 {
            output.add(&[b'x'; 100]);
        }
        output.add(b"\nlast");
        let text = output.text();
        assert!(text.starts_with("first\n") && text.ends_with("\nlast") && text.contains("\n…\n"));
        assert!(text.len() < HEAD + TAIL + 10 && output.bytes == 100_011);
    }
}
