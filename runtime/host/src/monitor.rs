//! The resource monitor of the engine: what a run asks of it.
//!
//! The rules, with examples: `tests/spec/run/resource.md`, `tests/spec/run/options.md`.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use pcl_diagnostics::{SourceMap, Span};
use pcl_eval::monitor::{
    Called, EngineError, ExistsResource, Failure, Features, Invoke, MethodCall, Monitor, Outcome,
    ReadAnswer, ReadResource, RegisterHook, RegisterPackage, RegisterResource, Registered,
    Registrations,
};
use pcl_remote::{Empty, Parameter};
use pcl_values::wire::{UNKNOWN_STRING, WireOptions};
use pcl_values::{Dependencies, PropertyMap, Urn};
use tonic::{Code, Status};

use crate::calls::{Calls, Engine};
use crate::fields;
use crate::hooks::{Hook, Hooks};
use crate::protocol::resource::{
    CallResponse, Callback, CheckFailure, DeploymentInfo, ExistsResourceRequest,
    ExistsResourceResponse, MonitorFeature, PropertyDependencies, ReadResourceRequest,
    ReadResourceResponse, RegisterErrorHookRequest, RegisterPackageRequest,
    RegisterPackageResponse, RegisterResourceHookRequest, RegisterResourceOutputsRequest,
    RegisterResourceResponse, ResourceCallRequest, ResourceInvokeRequest, ResourceInvokeResponse,
    ResourceResult, SourcePosition,
};
use crate::registration::{self, RegisterResourceRequest, UnderWay};

const REGISTER_RESOURCE: &str = "/pulumirpc.ResourceMonitor/RegisterResource";

/// The resource monitor of one run.
pub(crate) struct EngineMonitor {
    pub calls: Calls,
    pub engine: Option<Engine>,
    /// The files of the program.
    pub sources: Arc<SourceMap>,
    /// Their URIs.
    pub uris: Vec<String>,
    pub hooks: Hooks,
    pub is_preview: bool,
    /// The URN of the stack or component whose program runs, which is registered first.
    pub root: OnceLock<String>,
}

impl EngineMonitor {
    /// The URN of the stack or component; empty before it is registered.
    pub fn root(&self) -> &str {
        self.root.get().map_or("", String::as_str)
    }

    /// The place of a block in its file. The engine takes only absolute paths.
    fn position(&self, span: Option<Span>) -> Option<SourcePosition> {
        let span = span?;
        let place = self.sources.position(span.file, span.range.start());
        let number = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Some(SourcePosition {
            uri: self.uris.get(span.file.0 as usize)?.clone(),
            line: number(place.line),
            column: number(place.column),
        })
    }

    /// Registers the component whose program runs next.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    pub fn register_root(&self, message: RegisterResourceRequest) -> Result<Urn, EngineError> {
        let answer: RegisterResourceResponse = self.calls.call(REGISTER_RESOURCE, message)?;
        if answer.urn.is_empty() {
            let message = String::from("the engine did not register the component");
            return Err(EngineError::Failed(message));
        }
        _ = self.root.set(answer.urn.clone());
        Ok(answer.urn.into())
    }

    /// Registers a resource.
    ///
    /// # Errors
    /// Returns an error if the request cannot be sent.
    pub fn registration(
        &self,
        request: &RegisterResource,
    ) -> Result<
        impl Future<Output = Result<RegisterResourceResponse, Status>> + Send + use<>,
        EngineError,
    > {
        let position = self.position(request.source);
        let message = registration::message(request, position).map_err(unsendable)?;
        let client = self.calls.client().clone();
        Ok(async move { client.call(REGISTER_RESOURCE, message).await })
    }

    /// Reads the answer to a registration.
    ///
    /// # Errors
    /// Returns an error if it is malformed.
    pub fn registered(&self, answer: RegisterResourceResponse) -> Result<Registered, EngineError> {
        Ok(Registered {
            outputs: properties(answer.object.as_ref(), &WireOptions::OUTPUTS)?,
            dependencies: dependencies_of(answer.property_dependencies),
            outcome: outcome(answer.result),
            is_unknown: answer.unknown,
            id: known_id(answer.id),
            urn: answer.urn.into(),
        })
    }

    /// A callback of this host for a hook.
    fn callback(&self, request: RegisterHook) -> Result<Callback, EngineError> {
        let hook = Hook {
            name: request.name,
            is_error_hook: request.is_error_hook,
            command: request.command,
        };
        let token = self.hooks.add(hook).map_err(EngineError::Failed)?;
        Ok(Callback { target: self.hooks.address().to_owned(), token, accepts_byte_string: true })
    }
}

impl Monitor for EngineMonitor {
    fn features(&self) -> Result<Features, EngineError> {
        let method = "/pulumirpc.ResourceMonitor/GetDeploymentInfo";
        // An older engine does not know the question.
        let ask = async {
            match self.calls.client().call::<_, DeploymentInfo>(method, Empty {}).await {
                Err(status) if status.code() == Code::Unimplemented => {
                    Ok(DeploymentInfo::default())
                }
                answer => answer,
            }
        };
        let answer = self.calls.wait(ask)?;
        let has = |feature| answer.supported_features.contains(&i32::from(feature));
        Ok(Features {
            invoke_outputs: has(MonitorFeature::InvokeOutputValues),
            call_outputs: has(MonitorFeature::CallOutputValues),
            skips_dependants: has(MonitorFeature::RegisterResourceOutputValues),
        })
    }

    fn register_resource(&self, request: &RegisterResource) -> Result<Registered, EngineError> {
        let answer = self.calls.wait(self.registration(request)?)?;
        _ = self.root.set(answer.urn.clone());
        self.registered(answer)
    }

    fn registrations(&self) -> Box<dyn Registrations + '_> {
        Box::new(UnderWay::new(self))
    }

    fn read_resource(&self, request: &ReadResource) -> Result<ReadAnswer, EngineError> {
        let options = &WireOptions::OUTPUTS;
        let properties_sent = fields::to_bytes(&request.properties, options).map_err(unsendable)?;
        let id = request.id.clone();
        let message = ReadResourceRequest {
            id: id.unwrap_or_else(|| UNKNOWN_STRING.to_owned()),
            kind: request.kind.to_string(),
            name: request.name.to_string(),
            parent: optional(request.parent.as_ref()),
            properties: Some(properties_sent),
            dependencies: urns(&request.dependencies),
            provider: optional(request.provider.as_ref()),
            version: request.version.clone(),
            accept_secrets: true,
            additional_secret_outputs: request.additional_secret_outputs.clone(),
            accept_resources: true,
            plugin_download_url: request.plugin_download_url.clone(),
            source_position: self.position(request.source),
            package_ref: request.package.clone(),
            accepts_byte_string: true,
        };
        let method = "/pulumirpc.ResourceMonitor/ReadResource";
        let answer: ReadResourceResponse = self.calls.call(method, message)?;
        Ok(ReadAnswer {
            properties: properties(answer.properties.as_ref(), options)?,
            outcome: outcome(answer.result),
            is_unknown: answer.unknown,
            id: known_id(answer.id),
            urn: answer.urn.into(),
        })
    }

    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError> {
        let options = &WireOptions::OUTPUTS;
        let arguments = fields::to_bytes(&request.arguments, options).map_err(unsendable)?;
        let message = ResourceInvokeRequest {
            token: request.token.clone(),
            arguments: Some(arguments),
            provider: optional(request.provider.as_ref()),
            version: request.version.clone(),
            accept_resources: request.accepts_resources,
            plugin_download_url: request.plugin_download_url.clone(),
            package_ref: request.package.clone(),
            accepts_byte_string: true,
            depends_on: urns(&request.depends_on),
            parent: optional(request.parent.as_ref()),
            accept_output_values: request.accepts_outputs,
        };
        let method = "/pulumirpc.ResourceMonitor/Invoke";
        let answer: ResourceInvokeResponse = self.calls.call(method, message)?;
        if !answer.failures.is_empty() {
            return Ok(Called::Failures(failures(answer.failures)));
        }
        if answer.unknown {
            return Ok(Called::Unknown);
        }
        Ok(Called::Result(properties(answer.result.as_ref(), options)?, PropertyMap::new()))
    }

    fn call(&self, request: &MethodCall) -> Result<Called, EngineError> {
        let options = &WireOptions::OUTPUTS;
        let arguments = fields::to_bytes(&request.arguments, options).map_err(unsendable)?;
        let message = ResourceCallRequest {
            token: request.token.clone(),
            arguments: Some(arguments),
            argument_dependencies: by_property(&request.argument_dependencies),
            package_ref: request.package.clone(),
            accepts_byte_string: true,
            accept_output_values: request.accepts_outputs,
        };
        let answer: CallResponse = self.calls.call("/pulumirpc.ResourceMonitor/Call", message)?;
        if !answer.failures.is_empty() {
            return Ok(Called::Failures(failures(answer.failures)));
        }
        let result = properties(answer.result.as_ref(), options)?;
        Ok(Called::Result(result, dependencies_of(answer.dependencies)))
    }

    fn exists_resource(&self, request: &ExistsResource) -> Result<Option<bool>, EngineError> {
        let properties = request.properties.as_ref();
        let properties = properties.map(|it| fields::to_bytes(it, &WireOptions::OUTPUTS));
        let message = ExistsResourceRequest {
            kind: request.kind.clone(),
            id: request.id.clone(),
            properties: properties.transpose().map_err(unsendable)?,
            package_ref: request.package.clone(),
        };
        let method = "/pulumirpc.ResourceMonitor/ExistsResource";
        let ask = async {
            match self.calls.client().call(method, message).await {
                Err(status) if status.code() == Code::Unimplemented => {
                    let message = "this version of Pulumi has no `resourceExists`; 3.274.0 has";
                    Err(Status::unimplemented(message))
                }
                answer => answer,
            }
        };
        let answer: ExistsResourceResponse = self.calls.wait(ask)?;
        Ok((!answer.unknown).then_some(answer.exists))
    }

    fn register_outputs(&self, urn: &Urn, outputs: &PropertyMap) -> Result<(), EngineError> {
        let outputs = fields::to_bytes(outputs, &WireOptions::OUTPUTS).map_err(unsendable)?;
        let message =
            RegisterResourceOutputsRequest { urn: urn.as_str().to_owned(), outputs: Some(outputs) };
        let method = "/pulumirpc.ResourceMonitor/RegisterResourceOutputs";
        let Empty {} = self.calls.call(method, message)?;
        Ok(())
    }

    fn register_package(&self, request: &RegisterPackage) -> Result<String, EngineError> {
        let parameter = Some(Parameter {
            name: request.name.to_string(),
            version: request.package_version.clone(),
            value: request.parameter.clone(),
        });
        let (extension, parameterization) =
            if request.is_extension { (parameter, None) } else { (None, parameter) };
        let message = RegisterPackageRequest {
            name: request.plugin.clone(),
            version: request.version.clone(),
            download_url: request.download_url.clone(),
            parameterization,
            extension,
        };
        let method = "/pulumirpc.ResourceMonitor/RegisterPackage";
        let answer: RegisterPackageResponse = self.calls.call(method, message)?;
        Ok(answer.reference)
    }

    fn register_hook(&self, request: RegisterHook) -> Result<(), EngineError> {
        let name = request.name.clone();
        if request.is_error_hook {
            let callback = Some(self.callback(request)?);
            let message = RegisterErrorHookRequest { name, callback };
            let method = "/pulumirpc.ResourceMonitor/RegisterErrorHook";
            let Empty {} = self.calls.call(method, message)?;
        } else {
            let message = RegisterResourceHookRequest {
                name,
                on_dry_run: request.on_dry_run,
                ignore_errors: request.ignore_errors,
                callback: Some(self.callback(request)?),
            };
            let method = "/pulumirpc.ResourceMonitor/RegisterResourceHook";
            let Empty {} = self.calls.call(method, message)?;
        }
        Ok(())
    }

    fn require_version(&self, range: &str) -> Result<(), EngineError> {
        let Some(engine) = &self.engine else {
            let message = "the engine did not give its address, and so its version is not known";
            return Err(EngineError::Failed(message.to_owned()));
        };
        self.calls.wait(engine.require_version(range.to_owned()))
    }

    fn finish(&self) -> Result<(), EngineError> {
        let method = "/pulumirpc.ResourceMonitor/SignalAndWaitForShutdown";
        // The engine that goes away after its last question has ended this.
        let finish = async {
            match self.calls.client().call(method, Empty {}).await {
                Ok(Empty {}) => Ok(()),
                Err(status) => match status.code() {
                    Code::Unimplemented | Code::Unavailable => Ok(()),
                    _ => Err(status),
                },
            }
        };
        self.calls.wait(finish)
    }

    fn cancel(&self) {
        self.calls.cancel();
    }
}

/// The failure of a request whose values cannot be sent.
pub(crate) fn unsendable(error: pcl_values::WireError) -> EngineError {
    EngineError::Failed(format!("the request cannot be sent: {error}"))
}

fn properties(message: Option<&Bytes>, options: &WireOptions) -> Result<PropertyMap, EngineError> {
    let malformed = |error| EngineError::Failed(format!("the answer of the engine: {error}"));
    fields::from_bytes(message, options).map_err(malformed)
}

/// The text of something, empty if it is absent.
pub(crate) fn optional(value: Option<&impl ToString>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}

pub(crate) fn urns(dependencies: &Dependencies) -> Vec<String> {
    dependencies.iter().map(|urn| urn.as_str().to_owned()).collect()
}

pub(crate) fn by_property(
    dependencies: &PropertyMap<Dependencies>,
) -> BTreeMap<String, PropertyDependencies> {
    let message = |(name, dependencies): (&Arc<str>, &Dependencies)| {
        let urns = urns(dependencies);
        (name.to_string(), PropertyDependencies { urns })
    };
    dependencies.iter().map(message).collect()
}

/// The resources on which each property depends.
fn dependencies_of(
    dependencies: BTreeMap<String, PropertyDependencies>,
) -> PropertyMap<Dependencies> {
    let dependencies = dependencies.into_iter().map(|(name, PropertyDependencies { urns })| {
        let urns = urns.iter().map(|urn| Urn::from(urn.as_str()));
        (name.into(), urns.collect::<Dependencies>())
    });
    dependencies.collect()
}

fn outcome(result: i32) -> Outcome {
    match ResourceResult::try_from(result) {
        Ok(ResourceResult::Success) => Outcome::Succeeded,
        Ok(ResourceResult::Skip) => Outcome::Skipped,
        Ok(ResourceResult::Fail) | Err(_) => Outcome::Failed,
    }
}

/// An id, empty if it is unknown: before it is created, that of a provider has this text.
fn known_id(id: String) -> String {
    if id == UNKNOWN_STRING { String::new() } else { id }
}

fn failures(failures: Vec<CheckFailure>) -> Vec<Failure> {
    let failure = |CheckFailure { property, reason }| Failure { property, reason };
    failures.into_iter().map(failure).collect()
}

/// The URIs of files, in order. Their paths may be relative to the current directory.
pub(crate) fn uris(sources: &SourceMap) -> Vec<String> {
    let current = std::env::current_dir().unwrap_or_default();
    let paths = sources.files().map(|file| current.join(sources.path(file)));
    paths.map(|path| pcl_system::file_uri(&path)).collect()
}
