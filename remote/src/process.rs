//! A plugin or another program as a process: started, listened to, and always stopped, also when a
//! signal ends its parent.

use std::fmt;
use std::io::{self, BufRead as _, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pcl_system::Signals;
use tempfile::TempDir;

use crate::call::{Deadline, plain};

/// The time that a plugin has to end after a request.
const GRACE: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(10);

/// A longer first line is not a port.
const LONGEST_LINE: u64 = 1024;

/// The number of bytes kept of the standard error of a plugin.
const KEPT: usize = 2048;

/// The sequences that .NET prints around the progress of a build.
const PROGRESS: [&str; 2] = ["\u{1b}]9;4;3;\u{1b}\\", "\u{1b}]9;4;0;\u{1b}\\"];

/// The part of its standard output that a process is started for. The rest is dropped.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    FirstLine,
    /// Everything, up to a number of bytes.
    Everything(u64),
}

/// The end of a process.
pub(crate) enum End {
    Status(i32),
    #[cfg(unix)]
    Signal(i32),
    Unknown,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(code) => write!(f, "ended with status {code}"),
            #[cfg(unix)]
            Self::Signal(signal) => write!(f, "was ended by signal {signal}"),
            Self::Unknown => f.write_str("ended"),
        }
    }
}

/// A running process. Dropping it ends it and everything that it has started.
pub(crate) struct Process {
    child: Child,
    wanted: Receiver<io::Result<Vec<u8>>>,
    said: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when there is nothing more to be said.
    said_all: Receiver<()>,
    interrupts: Option<Arc<Interrupts>>,
    /// Removed after the process has ended.
    _directory: TempDir,
}

impl Process {
    /// Starts a command in its own process group and in an empty directory of its own, with a pipe
    /// as standard input that stays open. In a directory of a project, a program may take what is
    /// there for its own: Pulumi starts plugins that a project file names.
    pub fn start(
        command: &mut Command,
        wanted: Wanted,
        interrupts: Option<Arc<Interrupts>>,
    ) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        command
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let patient_until = Instant::now() + GRACE;
        let mut child = loop {
            let child = match &interrupts {
                // Between the start and the entry in the list no signal may end this process.
                Some(interrupts) => {
                    let start = || command.spawn();
                    interrupts.start(directory.path(), start, |child| child.id())
                }
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
        let (send, received) = sync_channel(1);
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut stdout = io::BufReader::new(stdout);
                let _ = send.send(match wanted {
                    Wanted::FirstLine => {
                        let mut line = Vec::new();
                        let mut limited = stdout.by_ref().take(LONGEST_LINE);
                        let _ = limited.read_until(b'\n', &mut line);
                        Ok(line)
                    }
                    Wanted::Everything(limit) => pcl_system::read_stream(stdout.by_ref(), limit),
                });
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
        Ok(Self { child, wanted: received, said, said_all, interrupts, _directory: directory })
    }

    /// The port that the first line on standard output names.
    pub fn port(&mut self, deadline: Deadline) -> Result<u16, String> {
        let line = loop {
            match self.wanted.recv_timeout(TICK) {
                Ok(line) => break line.unwrap_or_default(),
                Err(RecvTimeoutError::Disconnected) => break Vec::new(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(end) = self.interruption() {
                // What it printed before is on its way.
                match self.wanted.recv_timeout(TICK) {
                    Ok(Ok(line)) if !line.is_empty() => break line,
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
            _ => Err(format!("printed {:?} where its port has to stand", plain(&line))),
        }
    }

    /// Everything that it prints until it ends, with success.
    pub fn everything(&mut self, deadline: Deadline) -> Result<Vec<u8>, String> {
        let mut printed = None;
        let mut ended_at: Option<Instant> = None;
        loop {
            match self.wanted.recv_timeout(TICK) {
                Ok(Ok(bytes)) => printed = Some(bytes),
                Ok(Err(error)) => return Err(format!("printed what cannot be read: {error}")),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK),
            }
            match self.interruption() {
                Some(End::Status(0)) if printed.is_some() => {
                    return Ok(printed.unwrap_or_default());
                }
                // What it has started may still write.
                Some(End::Status(0)) => {
                    let since = *ended_at.get_or_insert_with(Instant::now);
                    if since.elapsed() > GRACE {
                        return Err("ended and left its standard output open".to_owned());
                    }
                }
                Some(end) => return Err(end.to_string()),
                None => {}
            }
            if deadline.is_over() {
                return Err(format!("did not end within {}", deadline.limit()));
            }
        }
    }

    /// The end of the process, if it has ended. Obeys a signal that ends this process.
    pub fn interruption(&mut self) -> Option<End> {
        if let Some(interrupts) = &self.interrupts {
            interrupts.obey();
        }
        self.end()
    }

    /// The end of the process, if it ends within a moment.
    pub fn end_soon(&mut self) -> Option<End> {
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
    fn end(&mut self) -> Option<End> {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let pid = group(self.child.id())?;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => End::Status(code),
            (None, Some(signal)) => End::Signal(signal),
            (None, None) => End::Unknown,
        })
    }

    #[cfg(not(unix))]
    fn end(&mut self) -> Option<End> {
        let status = self.child.try_wait().ok()??;
        Some(status.code().map_or(End::Unknown, End::Status))
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

/// Plugins are in process groups of their own, so that Ctrl-C in a terminal does not reach them.
/// With this, a signal that ends the process ends them first.
///
/// It changes what SIGINT, SIGTERM and SIGHUP do in the whole process, though only while a plugin
/// runs, which is why nobody but the owner of a process makes one.
#[derive(Debug, Default)]
pub struct Interrupts {
    running: Mutex<Vec<Running>>,
    signals: Signals,
}

#[derive(Debug)]
struct Running {
    process: u32,
    /// The directory of the process, which nobody else removes if this process is ended.
    #[cfg_attr(not(unix), expect(dead_code, reason = "signals are taken over on Unix alone"))]
    directory: PathBuf,
}

impl Interrupts {
    /// Takes the signals over.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it.
    pub fn install() -> io::Result<Self> {
        Ok(Self { running: Mutex::default(), signals: Signals::install()? })
    }

    /// Starts a process in a directory of its own and notes both, without a signal in between.
    pub(crate) fn start<P>(
        &self,
        directory: &Path,
        start: impl FnOnce() -> io::Result<P>,
        number: impl FnOnce(&P) -> u32,
    ) -> io::Result<P> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.signals.hold();
        let started = start();
        if let Ok(process) = &started {
            running.push(Running { process: number(process), directory: directory.to_path_buf() });
        }
        if running.is_empty() {
            self.signals.release();
        }
        started
    }

    /// A process that was stopped.
    pub(crate) fn forget(&self, process: u32) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|other| other.process != process);
        if running.is_empty() {
            self.signals.release();
        }
    }

    /// Stops the running plugins if a signal was received, and then acts on the signal.
    pub(crate) fn obey(&self) {
        #[cfg(unix)]
        if self.signals.is_waiting() {
            use rustix::process::{Signal, kill_process_group};
            let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            for signal in [Signal::INT, Signal::KILL] {
                for group in running.iter().filter_map(|running| group(running.process)) {
                    let _ = kill_process_group(group, signal);
                }
                if signal == Signal::INT {
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
            }
            for running in running.iter() {
                let _ = std::fs::remove_dir_all(&running.directory);
            }
            self.signals.obey();
        }
    }
}
