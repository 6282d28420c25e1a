//! Messages as they are sent: JSON behind a header with its length; to and from agents, a line of
//! JSON.

use std::io::{self, BufRead, Read as _, Write};

use serde::Deserialize as _;
use serde_json::Value;

use crate::message::{Failure, Id, Message};

/// The size of the largest message that is read, in bytes. A document of this size is far beyond
/// what can be edited.
const MAX_BYTES: usize = 512 << 20;

/// The size of the largest header.
const MAX_HEADER: u64 = 4096;

/// A message, or a text that is none.
pub type Received = Result<Message, Malformed>;

/// A text that is not a message.
#[derive(Clone, PartialEq, Debug)]
pub struct Malformed {
    /// The identity of the request that it would be; null if it cannot be read.
    pub id: Id,
    /// The reason why it is not a message.
    pub failure: Failure,
}

impl Malformed {
    /// A text of which nothing can be read.
    pub fn new(code: i64, reason: impl Into<String>) -> Self {
        Self { id: Id::Null, failure: Failure::new(code, reason) }
    }

    /// The response that tells the sender.
    pub fn response(self) -> Message {
        Message::response(self.id, Err(self.failure))
    }
}

/// Reads a message; `None` at the end of the stream.
///
/// # Errors
/// Returns an error if the header does not tell where the message ends: nothing after it can be
/// read.
pub fn read(stream: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(length) = read_header(stream)? else { return Ok(None) };
    let mut body = Vec::new();
    let read = stream.by_ref().take(length as u64).read_to_end(&mut body)?;
    if read < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(parse(&body)))
}

/// The message of a text.
fn parse(body: &[u8]) -> Received {
    serde_json::from_slice(body).map_err(|error| match serde_json::from_slice(body) {
        Ok(value) => no_request(&value, &error),
        Err(error) => Malformed::new(Failure::PARSE, error.to_string()),
    })
}

/// The message of a value.
fn of_value(value: Value) -> Received {
    Message::deserialize(&value).map_err(|error| no_request(&value, &error))
}

fn no_request(value: &Value, error: &serde_json::Error) -> Malformed {
    // The identity in a response is one of ours.
    let is_response = value.get("result").or_else(|| value.get("error")).is_some();
    let id = value.get("id").filter(|_| !is_response);
    let id = id.and_then(|id| Id::deserialize(id).ok());
    Malformed {
        id: id.unwrap_or(Id::Null),
        ..Malformed::new(Failure::INVALID_REQUEST, error.to_string())
    }
}

/// The length in the header of the next message; `None` at the end of the stream.
fn read_header(stream: &mut impl BufRead) -> io::Result<Option<usize>> {
    let wrong = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut length = None;
    let mut line = Vec::new();
    let mut left = MAX_HEADER;
    loop {
        line.clear();
        let read = stream.by_ref().take(left).read_until(b'\n', &mut line)? as u64;
        let has_begun = left < MAX_HEADER;
        if !line.ends_with(b"\n") {
            return match (read == left, has_begun || read > 0) {
                (true, _) => Err(wrong(format!("a header has more than {MAX_HEADER} bytes"))),
                (false, true) => Err(io::ErrorKind::UnexpectedEof.into()),
                (false, false) => Ok(None),
            };
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        match text.split_once(':') {
            // Empty lines between messages do no harm.
            None if text.is_empty() && !has_begun => continue,
            None if text.is_empty() => {
                let missing = || wrong("a header is without `Content-Length`".to_owned());
                return length.ok_or_else(missing).map(Some);
            }
            None => return Err(wrong(format!("`{text}` is not a field of a header"))),
            Some((name, value)) if name.trim().eq_ignore_ascii_case("Content-Length") => {
                let value = value.trim().parse().ok();
                let value = value.filter(|&value| value <= MAX_BYTES);
                let message = || format!("`{text}` is not a length of at most {MAX_BYTES} bytes");
                length = Some(value.ok_or_else(|| wrong(message()))?);
            }
            Some(_) => {}
        }
        left -= read;
    }
}

/// Writes a message.
///
/// # Errors
/// Returns the error of the stream.
pub fn write(stream: &mut impl Write, message: &Message) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(stream, "Content-Length: {}\r\n\r\n", body.len())?;
    stream.write_all(&body)?;
    stream.flush()
}

/// The size of the longest line that is read, in bytes: some times the size of the texts that tools
/// take.
const MAX_LINE: u64 = 8 << 20;

/// Reads the messages of the next line that is not empty; `None` at the end of the stream. A line
/// has one message, or a batch of them, which protocol version 2025-03-26 allows; the messages of a
/// batch are answered one by one.
///
/// # Errors
/// Returns the error of the stream.
pub fn read_line(stream: &mut impl BufRead) -> io::Result<Option<Vec<Received>>> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut limited = stream.by_ref().take(MAX_LINE);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
            stream.skip_until(b'\n')?;
            let message = format!("the message has more than {MAX_LINE} bytes");
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

/// Writes a message as a line.
///
/// # Errors
/// Returns the error of the stream.
pub fn write_line(stream: &mut impl Write, message: &Message) -> io::Result<()> {
    // JSON escapes line endings in strings, and is written without others.
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::message::Json;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let messages = [
            Message::request(Id::Number(1.into()), "shutdown", json!(null)),
            Message::notification("exit", json!({"é": [1, 2]})),
            Message::response(Id::Text("x".to_owned()), Json::of(&json!(null))),
        ];
        let mut stream = Vec::new();
        for message in &messages {
            write(&mut stream, message).expect("it is written");
        }
        let mut stream = &stream[..];
        for message in messages {
            let read = read(&mut stream).expect("it is read");
            assert_eq!(read, Some(Ok(message)));
        }
        assert_eq!(read(&mut stream).expect("the end"), None);
    }

    #[test]
    fn a_text_that_is_no_message_is_skipped() {
        let mut stream = &b"Content-Length: 3\r\n\r\n{x}Content-Length: 2\r\n\r\n{}"[..];
        let codes = [(); 2].map(|()| match read(&mut stream) {
            Ok(Some(Err(malformed))) => malformed.failure.code,
            other => panic!("{other:?}"),
        });
        assert_eq!(codes, [Failure::PARSE, Failure::INVALID_REQUEST]);
    }

    #[test]
    fn a_header_without_an_end_is_an_error() {
        for header in [
            "Content-Length: x\r\n\r\n",
            "Content-Length: 9\r\n\r\n{}",
            "Content-Length: 2\r\n",
            "Content-Length: 2",
            "Content-Type: x\r\n\r\n{}",
            "{}\r\n\r\n",
            &"a".repeat(1 << 13),
            &"a: b\r\n".repeat(1 << 10),
        ] {
            assert!(read(&mut header.as_bytes()).is_err(), "{header}");
        }
        for header in ["", "\r\n\r\n", "\n"] {
            assert_eq!(read(&mut header.as_bytes()).expect("no error"), None);
        }
        let mut stream = &b"\r\nContent-Type: x\r\ncontent-length: 2\r\n\r\n{}"[..];
        assert!(read(&mut stream).expect("a message").is_some());
    }

    #[test]
    fn the_response_has_the_identity_that_can_be_read() {
        for (message, id) in [
            (r#"{"id":1,"method":"x"}"#, "1"),
            (r#"{"jsonrpc":"1.0","id":"a","method":"x"}"#, r#""a""#),
            (r#"{"jsonrpc":2,"id":1.5,"method":"x"}"#, "1.5"),
            (r#"{"jsonrpc":"2.0","id":7,"method":8}"#, "7"),
            (r#"{"id":1,"result":{}}"#, "null"),
            (r#"{"id":[1],"method":"x"}"#, "null"),
            (r#"{"method":"x"}"#, "null"),
            ("[]", "null"),
            ("{x}", "null"),
        ] {
            let malformed = parse(message.as_bytes()).expect_err(message);
            let response = serde_json::to_string(&malformed.response()).expect("it is JSON");
            let start = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":");
            assert!(response.starts_with(&start), "{message}: {response}");
        }
    }
}
