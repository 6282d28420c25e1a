//! Stopping running plugins when a signal ends their parent.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pcl_system::Signals;

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
                for group in
                    running.iter().filter_map(|running| crate::process::group(running.process))
                {
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
