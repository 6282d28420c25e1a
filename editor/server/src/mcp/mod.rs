//! The Model Context Protocol: what `pcl` knows, as tools for agents.
//!
//! The way of a message: `transport` reads a line; the inbox keeps it until its turn; the `session`
//! answers it and calls the tool that `tools` names; a tool reads a `program` inside the
//! [`Directories`] of the server.
//!
//! Laws, beside those of the crate:
//! - No tool writes or executes anything, or uses the network unless the caller's settings say so.
//! - The paths in arguments, and the files of the programs that are checked, lie inside the
//!   directories of the server, links followed.
//! - Every input and output has a limit; what is left out is counted.

mod context;
mod directories;
mod program;
mod session;
mod tool;
mod tools;
mod transport;

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use crate::inbox::Inbox;
use crate::server::Environment;

use context::Context;
pub use directories::Directories;
use session::Session;

/// Serves one client until it closes the stream. Tools read programs in these directories.
///
/// # Errors
/// Returns the error of the stream if it cannot be read on.
pub fn serve(
    mut reader: impl BufRead + Send + 'static,
    writer: impl Write + Send,
    environment: Environment<'_>,
    directories: Directories,
) -> io::Result<()> {
    let inbox = Arc::new(Inbox::default());
    let incoming = Arc::clone(&inbox);
    // It ends with the stream, which may outlive the session.
    let read = std::thread::spawn(move || {
        let result = loop {
            match transport::read(&mut reader) {
                Ok(Some(messages)) => {
                    for message in messages {
                        incoming.push(message);
                    }
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        incoming.close();
        result
    });
    let session = Session::new(inbox, writer, Context::new(environment, directories));
    let is_heard = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(pcl::STACK_SIZE);
        let work = thread.spawn_scoped(scope, move || session.run())?;
        io::Result::Ok(work.join().unwrap_or(false))
    })?;
    if is_heard {
        read.join().unwrap_or(Ok(()))
    } else {
        // Nobody reads the answers, so nobody may close the stream either.
        Ok(())
    }
}
