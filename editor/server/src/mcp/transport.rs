//! Messages as they are sent: JSON, one message a line.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::Value;

use crate::message::{Failure, Message};
use crate::transport::{Malformed, Received, of_value, parse};

/// The size of the longest line that is read, in bytes: some times the size of the texts that tools
/// take.
const MAX_BYTES: u64 = 8 << 20;

/// Reads the messages of the next line that is not empty; `None` at the end of the stream. A line
/// has one message, or a batch of them, which protocol version 2025-03-26 allows; the messages of a
/// batch are answered one by one.
///
/// # Errors
/// Returns the error of the stream.
pub fn read(stream: &mut impl BufRead) -> io::Result<Option<Vec<Received>>> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = stream.by_ref().take(MAX_BYTES);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == MAX_BYTES && !line.ends_with(b"\n") {
            stream.skip_until(b'\n')?;
            let message = format!("the message has more than {MAX_BYTES} bytes");
            return Ok(Some(vec![Err(Malformed::new(Failure::INVALID_REQUEST, message))]));
        }
        match line.trim_ascii() {
            [] => {}
            batch @ [b'[', ..] => return Ok(Some(parse_batch(batch))),
            message => return Ok(Some(vec![parse(message)])),
        }
    }
}

fn parse_batch(text: &[u8]) -> Vec<Received> {
    match serde_json::from_slice::<Vec<Value>>(text) {
        Ok(batch) if batch.is_empty() => {
            vec![Err(Malformed::new(Failure::INVALID_REQUEST, "the batch is empty"))]
        }
        Ok(batch) => batch.into_iter().map(of_value).collect(),
        Err(error) => vec![Err(Malformed::new(Failure::PARSE, error.to_string()))],
    }
}

/// Writes a message.
///
/// # Errors
/// Returns the error of the stream.
pub fn write(stream: &mut impl Write, message: &Message) -> io::Result<()> {
    // JSON escapes line endings in strings, and is written without others.
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    stream.flush()
}
