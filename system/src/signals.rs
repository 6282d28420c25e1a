//! Signals that wait.

use std::io;

#[cfg(unix)]
use std::sync::Arc;
#[cfg(unix)]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Signals that ask the process to end. They do what they always do, except while one is
/// [held](Self::hold): then it waits.
///
/// This changes what SIGINT, SIGTERM and SIGHUP do in the whole process, which is why nobody but
/// the owner of a process makes one.
#[derive(Debug, Default)]
pub struct Signals {
    /// The signal that was received.
    #[cfg(unix)]
    received: Arc<AtomicUsize>,
    /// Set while a signal ends the process at once.
    #[cfg(unix)]
    free: Arc<AtomicBool>,
}

impl Signals {
    /// Takes the signals over.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it.
    pub fn install() -> io::Result<Self> {
        let signals = Self::default();
        #[cfg(unix)]
        {
            use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
            signals.free.store(true, Ordering::SeqCst);
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                let free = Arc::clone(&signals.free);
                signal_hook::flag::register_conditional_default(signal, free)?;
                let number = usize::try_from(signal).unwrap_or_default();
                let received = Arc::clone(&signals.received);
                signal_hook::flag::register_usize(signal, received, number)?;
            }
        }
        Ok(signals)
    }

    /// Makes writing beyond the file size limit an error, instead of the end of the process.
    ///
    /// # Errors
    /// Returns an error if the system does not allow it.
    pub fn survive_file_size_limit() -> io::Result<()> {
        #[cfg(unix)]
        {
            // Nobody reads the flag: any handler will do.
            let exceeded = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded)?;
        }
        Ok(())
    }

    /// Has signals wait from now on.
    pub fn hold(&self) {
        #[cfg(unix)]
        self.free.store(false, Ordering::SeqCst);
    }

    /// Ends the process if a signal has waited; later ones end it at once.
    pub fn release(&self) {
        #[cfg(unix)]
        {
            self.obey();
            self.free.store(true, Ordering::SeqCst);
            // One that came in between.
            self.obey();
        }
    }

    /// Tells whether a signal waits.
    pub fn is_waiting(&self) -> bool {
        #[cfg(unix)]
        return self.received.load(Ordering::SeqCst) != 0;
        #[cfg(not(unix))]
        false
    }

    /// Acts on the deferred signal, if there is one.
    pub fn obey(&self) {
        #[cfg(unix)]
        if let Ok(signal @ 1..) = i32::try_from(self.received.load(Ordering::SeqCst)) {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::process::{Signal, getpid, kill_process};

    /// The process that runs this test is still there afterwards.
    #[test]
    fn a_signal_waits() {
        let signals = Signals::install().unwrap();
        signals.hold();
        assert!(!signals.is_waiting());
        kill_process(getpid(), Signal::TERM).unwrap();
        let start = std::time::Instant::now();
        while !signals.is_waiting() {
            assert!(start.elapsed().as_secs() < 10, "the signal is lost");
            std::thread::yield_now();
        }
    }
}
