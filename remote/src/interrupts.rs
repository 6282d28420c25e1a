//! What happens to running plugins when their parent is told to end.

use std::io;
use std::sync::{Mutex, PoisonError};

#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Plugins are in process groups of their own, so that Ctrl-C in a terminal does not reach them. With this, a signal that ends the process ends them first.
///
/// It changes what SIGINT, SIGTERM and SIGHUP do in the whole process, though only while a plugin runs, which is why nobody but the owner of a process makes one.
#[derive(Debug, Default)]
pub struct Interrupts {
    running: Mutex<Vec<u32>>,
    /// The signal that was received.
    #[cfg(unix)]
    received: Arc<AtomicUsize>,
    /// Whether a signal may end the process at once.
    #[cfg(unix)]
    idle: Arc<AtomicBool>,
}

impl Interrupts {
    /// Takes the signals over.
    ///
    /// # Errors
    /// When the system does not let it.
    pub fn install() -> io::Result<Self> {
        let interrupts = Self::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            interrupts.idle.store(true, Ordering::SeqCst);
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                let idle = Arc::clone(&interrupts.idle);
                signal_hook::flag::register_conditional_default(signal, idle)?;
                let number = usize::try_from(signal).unwrap_or_default();
                let received = Arc::clone(&interrupts.received);
                signal_hook::flag::register_usize(signal, received, number)?;
            }
        }
        Ok(interrupts)
    }

    /// Starts a process and notes its number, without a signal in between.
    pub(crate) fn start<P>(
        &self,
        start: impl FnOnce() -> io::Result<P>,
        number: impl FnOnce(&P) -> u32,
    ) -> io::Result<P> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        #[cfg(unix)]
        self.idle.store(false, Ordering::SeqCst);
        let started = start();
        if let Ok(process) = &started {
            running.push(number(process));
        }
        #[cfg(unix)]
        self.idle.store(running.is_empty(), Ordering::SeqCst);
        started
    }

    /// A process that was stopped.
    pub(crate) fn forget(&self, process: u32) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|other| *other != process);
        #[cfg(unix)]
        if running.is_empty() {
            self.end_if_told();
            self.idle.store(true, Ordering::SeqCst);
            // One that came in between.
            self.end_if_told();
        }
    }

    /// When a signal was received, stops what runs, and does what the signal asks for.
    pub(crate) fn obey(&self) {
        #[cfg(unix)]
        if self.received.load(Ordering::SeqCst) != 0 {
            use rustix::process::{Signal, kill_process_group};
            let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            for signal in [Signal::INT, Signal::KILL] {
                for group in running
                    .iter()
                    .filter_map(|process| crate::process::group(*process))
                {
                    let _ = kill_process_group(group, signal);
                }
                if signal == Signal::INT {
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
            }
            self.end_if_told();
        }
    }

    #[cfg(unix)]
    fn end_if_told(&self) {
        let signal = self.received.load(Ordering::SeqCst);
        if let Ok(signal @ 1..) = i32::try_from(signal) {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}
