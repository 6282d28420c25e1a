//! Hooks: commands that the engine runs around its operations.
//!
//! The rules, with examples: `tests/spec/run/hook.md`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use pcl_eval::monitor::HookCommand;
use pcl_values::PropertyMap;
use pcl_values::wire::WireOptions;
use prost::Message;
use tokio::process::Command;
use tonic::Status;

use crate::calls::on_thread;
use crate::fields;
use crate::protocol::resource::{
    CallbackInvokeRequest, CallbackInvokeResponse, ErrorHookRequest, ErrorHookResponse,
    ResourceHookRequest, ResourceHookResponse,
};

/// A hook of a program.
#[derive(Clone)]
pub(crate) struct Hook {
    pub name: String,
    pub is_error_hook: bool,
    pub command: Arc<HookCommand>,
}

/// All hooks of this host, by their tokens.
#[derive(Clone, Default)]
pub(crate) struct AllHooks {
    hooks: Arc<Mutex<HashMap<String, (Hook, PathBuf)>>>,
}

/// The hooks of one run. They exist until the engine needs them no more, when [`Hooks::remove`]
/// ends them: each holds the run that holds this. The engine ends what it has begun also for a run
/// that fails or is cancelled, so the hooks of that one exist as long as the host.
pub(crate) struct Hooks {
    all: AllHooks,
    /// The address of this host.
    address: String,
    working_directory: PathBuf,
    tokens: Mutex<Vec<String>>,
}

impl Hooks {
    /// The hooks of a run, none at first.
    pub fn new(all: AllHooks, address: String, working_directory: PathBuf) -> Self {
        Self { all, address, working_directory, tokens: Mutex::default() }
    }

    /// The address at which the engine calls them.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Adds a hook. The result is its token, which nobody can guess: who knows it can run the
    /// command.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn add(&self, hook: Hook) -> Result<String, String> {
        let mut random = [0; 16];
        let failed = |error| format!("the system gives no random numbers: {error}");
        getrandom::fill(&mut random).map_err(failed)?;
        let token = URL_SAFE_NO_PAD.encode(random);
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.push(token.clone());
        let mut all = self.all.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(token.clone(), (hook, self.working_directory.clone()));
        Ok(token)
    }

    /// Removes the hooks of the run.
    pub fn remove(&self) {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = self.all.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        for token in tokens.iter() {
            all.remove(token);
        }
    }
}

impl AllHooks {
    /// Removes all hooks.
    pub fn clear(&self) {
        let mut hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.clear();
    }

    /// Runs a hook for the engine. Whatever fails is part of the answer, so that the engine knows
    /// which resource it concerns.
    ///
    /// # Errors
    /// Returns an error if there is no such hook.
    pub async fn invoke(
        &self,
        request: CallbackInvokeRequest,
    ) -> Result<CallbackInvokeResponse, Status> {
        let known = {
            let hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
            hooks.get(&request.token).cloned()
        };
        let Some((hook, directory)) = known else {
            return Err(Status::not_found("the run of this hook is over"));
        };
        let is_error_hook = hook.is_error_hook;
        let result = run(hook, directory, request.request).await;
        let response = match (is_error_hook, result) {
            (true, Ok(result)) => {
                ErrorHookResponse { error: String::new(), retry: result.is_ok() }.encode_to_vec()
            }
            (true, Err(error)) => ErrorHookResponse { error, retry: false }.encode_to_vec(),
            (false, result) => ResourceHookResponse {
                error: result.and_then(|result| result).err().unwrap_or_default(),
            }
            .encode_to_vec(),
        };
        Ok(CallbackInvokeResponse { response: response.into() })
    }
}

/// Runs the command of a hook. The outer error is that no command could be run, the inner one that
/// it failed.
async fn run(hook: Hook, directory: PathBuf, request: Bytes) -> Result<Result<(), String>, String> {
    let name = hook.name.clone();
    let failed = |reason: String| format!("hook `{name}`: {reason}");
    let arguments = arguments(&hook, request).map_err(&failed)?;
    // Secrets in the arguments do not reach the messages of the evaluation.
    let words = on_thread(move || (hook.command)(&arguments)).await;
    let words = words.map_err(|status| status.message().to_owned());
    let words = words.and_then(|words| words).map_err(&failed)?;
    let result = execute(&words, &directory).await.map_err(&failed)?;
    Ok(result.map_err(failed))
}

/// Runs a command without a shell. Its words may be secret; its output is its own business. The
/// errors are those of [`run`].
async fn execute(words: &[String], directory: &Path) -> Result<Result<(), String>, String> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(String::from("the command is empty"));
    };
    let output = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = output.await.map_err(|error| format!("the command cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(Ok(()));
    }
    let mut message = match output.status.code() {
        Some(code) => format!("the command failed with exit status {code}"),
        None => format!("the command was ended: {}", output.status),
    };
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(text);
        if !text.trim().is_empty() {
            message.push('\n');
            message.push_str(text.trim_end());
        }
    }
    Ok(Err(message))
}

/// The arguments of a hook: the resource, with its properties before and after the operation.
fn arguments(hook: &Hook, request: Bytes) -> Result<PropertyMap, String> {
    let malformed = |error: prost::DecodeError| format!("the request is malformed: {error}");
    let request = if hook.is_error_hook {
        let request = ErrorHookRequest::decode(request).map_err(malformed)?;
        ResourceHookRequest {
            urn: request.urn,
            id: request.id,
            name: request.name,
            kind: request.kind,
            new_inputs: request.new_inputs,
            old_inputs: request.old_inputs,
            new_outputs: None,
            old_outputs: request.old_outputs,
        }
    } else {
        ResourceHookRequest::decode(request).map_err(malformed)?
    };
    let texts =
        [("urn", request.urn), ("id", request.id), ("name", request.name), ("type", request.kind)];
    let texts = texts.map(|(name, text)| (name.into(), text.as_str().into()));
    let mut arguments = PropertyMap::from_iter(texts);
    let mut objects = vec![
        ("newInputs", request.new_inputs),
        ("oldInputs", request.old_inputs),
        ("oldOutputs", request.old_outputs),
    ];
    if !hook.is_error_hook {
        objects.push(("newOutputs", request.new_outputs));
    }
    for (name, object) in objects {
        let properties = fields::from_bytes(object.as_ref(), &WireOptions::HOOK);
        let properties = properties.map_err(|error| format!("`{name}` is malformed: {error}"))?;
        arguments.insert(name.into(), properties.into());
    }
    Ok(arguments)
}
