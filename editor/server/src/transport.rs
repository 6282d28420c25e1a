//! Messages as they are sent: a header with the length, then JSON.

use std::io::{self, BufRead, Read as _, Write};

use crate::message::{Failure, Message};

/// The size of the largest message that is read, in bytes. A document of this size is far beyond
/// what can be edited.
const MAX_BYTES: usize = 512 << 20;

/// The size of the largest header line.
const MAX_HEADER: u64 = 4096;

/// A message, or the reason why it is none.
pub type Received = Result<Message, Failure>;

/// Reads a message; `None` at the end of the stream.
///
/// # Errors
/// Returns an error if the header does not tell where the message ends: nothing after it can be
/// read.
pub fn read(stream: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(length) = read_header(stream)? else {
        return Ok(None);
    };
    let mut body = Vec::new();
    let read = stream.by_ref().take(length as u64).read_to_end(&mut body)?;
    if read < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(parse(&body)))
}

/// The message of a text.
pub fn parse(body: &[u8]) -> Received {
    serde_json::from_slice(body).map_err(|error| {
        let code = match error.classify() {
            serde_json::error::Category::Data => Failure::INVALID_REQUEST,
            _ => Failure::PARSE,
        };
        Failure::new(code, error.to_string())
    })
}

/// The length in the header of the next message; `None` at the end of the stream.
fn read_header(stream: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = stream
            .by_ref()
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)?;
        if read == 0 {
            return match length {
                None => Ok(None),
                Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if text.is_empty() {
            let Some(length) = length else {
                // Empty lines between messages do no harm.
                continue;
            };
            return Ok(Some(length));
        }
        if let Some((name, value)) = text.split_once(':')
            && name.trim().eq_ignore_ascii_case("Content-Length")
        {
            let value = value.trim().parse().ok();
            let value = value.filter(|&value| value <= MAX_BYTES);
            let wrong = || {
                let message = format!("`{text}` is not a length of at most {MAX_BYTES} bytes");
                io::Error::new(io::ErrorKind::InvalidData, message)
            };
            length = Some(value.ok_or_else(wrong)?);
        }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::message::Id;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let messages = [
            Message::request(Id::Number(1), "shutdown", json!(null)),
            Message::notification("exit", json!({"é": [1, 2]})),
            Message::response(Some(Id::Text("x".to_owned())), Ok(json!(null))),
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
            Ok(Some(Err(failure))) => failure.code,
            other => panic!("{other:?}"),
        });
        assert_eq!(codes, [Failure::PARSE, Failure::INVALID_REQUEST]);
    }

    #[test]
    fn a_header_without_an_end_is_an_error() {
        for header in ["Content-Length: x\r\n\r\n", "Content-Length: 9\r\n\r\n{}"] {
            assert!(read(&mut header.as_bytes()).is_err(), "{header}");
        }
    }
}
