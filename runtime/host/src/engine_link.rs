//! The engine that a plugin belongs to.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use tokio::task::AbortHandle;

use crate::calls::Engine;

/// The engine that started this process, or that shook hands with it. A task watches it, so that
/// the process ends with it.
#[derive(Default)]
pub(crate) struct EngineLink {
    current: Mutex<Option<(Engine, AbortHandle)>>,
    /// Notified when the engine is gone.
    gone: Arc<Notify>,
}

impl EngineLink {
    /// Makes the engine at an address the current one, and watches it.
    ///
    /// # Errors
    /// Returns an error if that is not an address.
    pub fn connect(&self, address: &str) -> Result<(), String> {
        let engine = Engine::new(address)?;
        let (gone, watched) = (Arc::clone(&self.gone), engine.clone());
        let watcher = tokio::spawn(async move {
            watched.gone().await;
            gone.notify_one();
        });
        let connected = (engine, watcher.abort_handle());
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, watcher)) = current.replace(connected) {
            watcher.abort();
        }
        Ok(())
    }

    /// The current engine, if there is one.
    pub fn current(&self) -> Option<Engine> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.as_ref().map(|(engine, _)| engine.clone())
    }

    /// Waits until the engine is gone.
    pub async fn gone(&self) {
        self.gone.notified().await;
    }
}
