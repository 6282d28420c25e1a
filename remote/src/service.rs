//! Schemas from a loader service, which Pulumi's engine offers to what it starts.

use std::sync::Arc;
use std::time::Duration;

use pcl_schema::{LoadError, Loader, NotFound, Package, PackageRequest, Setting, Unanswered};
use tokio::sync::watch;

use crate::call::{CallError, Connection, Deadline, on_own_thread};
use crate::messages::{LoaderSchemaRequest, Parameter, SchemaResponse};
use crate::plugin::Answers;

/// Asks a running `codegen.Loader` service. A package that it refuses is not found; a service that
/// does not answer is an error.
///
/// Each request is made once, and several at the same time.
#[derive(Debug)]
pub struct ServiceLoader {
    address: String,
    time_limit: Duration,
    /// True once nobody wants an answer any more.
    cancelled: Option<watch::Receiver<bool>>,
    answers: Answers,
}

impl ServiceLoader {
    /// The service at `HOST:PORT`.
    pub fn new(address: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            // The service may have to download a plugin first.
            time_limit: Duration::from_secs(300),
            cancelled: None,
            answers: Answers::default(),
        }
    }

    /// Waits that long for each answer, instead of five minutes.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Waits for no answer any more once this is true.
    #[must_use]
    pub fn with_cancellation(mut self, cancelled: watch::Receiver<bool>) -> Self {
        self.cancelled = Some(cancelled);
        self
    }

    fn answer(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let unanswered = |reason: String| {
            LoadError::Unanswered(Arc::new(Unanswered {
                process: format!("the loader service {}", self.address),
                reason,
                output: None,
                help: "a loader service runs while Pulumi does; the address has to be that of one"
                    .to_owned(),
                setting: Some(Setting::LoaderAddress),
            }))
        };
        let question = LoaderSchemaRequest {
            package: request.name.clone(),
            version: request.version.as_ref().map(ToString::to_string).unwrap_or_default(),
            download_url: request.download_url.clone().unwrap_or_default(),
            parameterization: request.parameterization.as_ref().map(Parameter::from),
        };
        let deadline = Deadline::new(self.time_limit);
        let answer = on_own_thread(|| {
            let cancelled = self.cancelled.as_ref();
            let is_cancelled = || cancelled.is_some_and(|cancelled| *cancelled.borrow());
            let mut watch = || {
                is_cancelled().then(|| String::from("is asked no longer, as the run was cancelled"))
            };
            Connection::open(&self.address, false, deadline, &mut watch)?
                .call::<_, SchemaResponse>("/codegen.Loader/GetSchema", question)
        });
        match answer {
            Ok(answer) => Package::from_bytes(answer.schema).map(Arc::new).map_err(|error| {
                unanswered(format!("answered with a document that is not a schema: {error}"))
            }),
            Err(CallError::Refused(code, message)) if code != tonic::Code::Unavailable => {
                Err(NotFound {
                    request: request.clone(),
                    places: vec![format!("the loader service {} ({message})", self.address)],
                    versions: Vec::new(),
                    plugins: Vec::new(),
                    refused: None,
                }
                .into())
            }
            Err(error) => Err(unanswered(error.to_string())),
        }
    }
}

impl Loader for ServiceLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        self.answers.get(request, || self.answer(request))
    }
}
