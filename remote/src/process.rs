//! A plugin as a process: started, listened to, and always stopped.

use std::io::{self, BufRead as _, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::call::{Deadline, plain};
use crate::interrupts::Interrupts;

/// The time that a plugin has to end after a request.
const GRACE: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(10);

/// A longer first line is not a port.
const LONGEST_LINE: u64 = 1024;

/// The number of bytes kept of the standard error of a plugin.
const KEPT: usize = 2048;

/// The sequences that .NET prints around the progress of a build.
const PROGRESS: [&str; 2] = ["\u{1b}]9;4;3;\u{1b}\\", "\u{1b}]9;4;0;\u{1b}\\"];

/// A running plugin. Dropping it ends it and everything that it has started.
pub(crate) struct Process {
    child: Child,
    first_line: Receiver<Vec<u8>>,
    said: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when there is nothing more to be said.
    said_all: Receiver<()>,
    interrupts: Option<Arc<Interrupts>>,
}

impl Process {
    /// Starts a command in its own process group, with a pipe as standard input that stays open.
    pub fn start(command: &mut Command, interrupts: Option<Arc<Interrupts>>) -> io::Result<Self> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let patient_until = Instant::now() + GRACE;
        let mut child = loop {
            let child = match &interrupts {
                // Between the start and the entry in the list no signal may end this process.
                Some(interrupts) => interrupts.start(|| command.spawn(), |child| child.id()),
                None => command.spawn(),
            };
            match child {
                // Somebody has it open for writing, as for a moment whoever installs it.
                Err(error)
                    if error.kind() == io::ErrorKind::ExecutableFileBusy
                        && Instant::now() < patient_until =>
                {
                    std::thread::sleep(TICK);
                }
                child => break child?,
            }
        };
        let (send, first_line) = sync_channel(1);
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut stdout = io::BufReader::new(stdout);
                let mut line = Vec::new();
                let mut limited = stdout.by_ref().take(LONGEST_LINE);
                let _ = limited.read_until(b'\n', &mut line);
                let _ = send.send(line);
                // A pipe that nobody empties stops who writes.
                let _ = io::copy(&mut stdout, &mut io::sink());
            });
        }
        let said = Arc::new(Mutex::new(Vec::new()));
        let (still_open, said_all) = sync_channel(0);
        if let Some(mut stderr) = child.stderr.take() {
            let said = Arc::clone(&said);
            std::thread::spawn(move || {
                let _still_open: SyncSender<()> = still_open;
                let mut part = [0; 1024];
                while let Ok(read @ 1..) = stderr.read(&mut part) {
                    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                    said.extend(part.iter().take(read));
                    let surplus = said.len().saturating_sub(KEPT);
                    said.drain(..surplus);
                }
            });
        }
        Ok(Self {
            child,
            first_line,
            said,
            said_all,
            interrupts,
        })
    }

    /// The port that the first line on standard output names.
    pub fn port(&mut self, deadline: Deadline) -> Result<u16, String> {
        let line = loop {
            match self.first_line.recv_timeout(TICK) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => break Vec::new(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(end) = self.interruption() {
                // What it printed before is on its way.
                match self.first_line.recv_timeout(TICK) {
                    Ok(line) if !line.is_empty() => break line,
                    _ => return Err(format!("{end} before it printed a port")),
                }
            }
            if deadline.is_over() {
                return Err(format!("printed no port within {}", deadline.limit()));
            }
        };
        let mut line = String::from_utf8_lossy(&line).into_owned();
        for progress in PROGRESS {
            line = line.replace(progress, "");
        }
        match line.trim().parse() {
            Ok(port) if port != 0 => Ok(port),
            _ if line.is_empty() => Err(match self.end_soon() {
                Some(end) => format!("{end} before it printed a port"),
                None => "closed its standard output before it printed a port".to_owned(),
            }),
            _ => Err(format!(
                "printed {:?} where its port has to stand",
                plain(&line)
            )),
        }
    }

    /// The end of the process, if it has ended. Obeys a signal that ends this process.
    pub fn interruption(&mut self) -> Option<String> {
        if let Some(interrupts) = &self.interrupts {
            interrupts.obey();
        }
        self.end()
    }

    /// The end of the process, if it ends within a moment.
    pub fn end_soon(&mut self) -> Option<String> {
        let until = Instant::now() + 20 * TICK;
        loop {
            let end = self.end();
            if end.is_some() || Instant::now() >= until {
                return end;
            }
            std::thread::sleep(TICK);
        }
    }

    /// The last part of its standard error.
    pub fn output(&self) -> Option<String> {
        let _ = self.said_all.recv_timeout(20 * TICK);
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&said);
        let text = text.trim();
        let start = text.char_indices().rev().nth(400).map_or(0, |(at, _)| at);
        (!text.is_empty()).then(|| plain(text.get(start..).unwrap_or(text)))
    }

    /// The end of the process, if it has ended. It stays in the list of processes, so that its
    /// number is not given to another one.
    #[cfg(unix)]
    fn end(&mut self) -> Option<String> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let pid = group(self.child.id())?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("ended with status {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".to_owned(),
        })
    }

    #[cfg(not(unix))]
    fn end(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok()??;
        Some(format!("ended with {status}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        #[cfg(unix)]
        if let Some(group) = group(self.child.id()) {
            use rustix::process::{Signal, kill_process_group};
            let _ = kill_process_group(group, Signal::INT);
            let until = Instant::now() + GRACE;
            while self.end().is_none() && Instant::now() < until {
                std::thread::sleep(TICK);
            }
            // The process has not been waited for, so the number of the group is still its own.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(interrupts) = &self.interrupts {
            interrupts.forget(self.child.id());
        }
    }
}

/// The process group that a process leads.
#[cfg(unix)]
pub(crate) fn group(process: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(process).ok()?)
}
