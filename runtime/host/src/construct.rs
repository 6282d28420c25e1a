//! `Construct`: a component that a program in any language asks for.
//!
//! The rules: `docs/components.md`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use pcl::binder::Program;
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_eval::monitor::EngineError;
use pcl_eval::{Constructed, Evaluation, NotConstructed, WrongInput};
use pcl_values::wire::WireOptions;
use pcl_values::{Dependencies, PropertyMap, PropertyValue, Urn};
use prost::Message;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tonic::{Code, Status};

use crate::calls::{Calls, Engine, on_thread};
use crate::fields;
use crate::hooks::{AllHooks, Hooks};
use crate::monitor::{self, EngineMonitor, unsendable, urns};
use crate::protocol::provider::{
    AnyMessage, ConstructRequest, ConstructResponse, InputPropertiesError, PropertyError,
    StatusDetails,
};
use crate::protocol::resource::PropertyDependencies;
use crate::registration::RegisterResourceRequest;
use crate::report::Reporter;
use crate::run::{CancelOnDrop, setup, until_cancelled};

/// A component whose program is checked.
pub(crate) struct Definition {
    pub program: Arc<Program>,
    pub sources: Arc<SourceMap>,
    /// The directory of the component, to which relative paths belong.
    pub directory: String,
    /// The directory of the package.
    pub package: String,
}

/// The surroundings of a construction.
pub(crate) struct Site {
    pub engine: Option<Engine>,
    pub hooks: AllHooks,
    /// The address at which hooks are called.
    pub address: String,
    /// The environment variables, from which schemas take defaults.
    pub environment: BTreeMap<String, String>,
    /// Cancels all constructions.
    pub cancelled: watch::Sender<bool>,
}

/// Constructs a component. Errors in its program are reported to the engine; the status has their
/// text too if there is no engine.
///
/// # Errors
/// Returns the reason why it is not constructed.
pub(crate) async fn construct(
    request: ConstructRequest,
    definition: Arc<Definition>,
    site: Site,
) -> Result<ConstructResponse, Status> {
    let (cancelled, _) = watch::channel(*site.cancelled.borrow());
    // The engine that ends its request does not want its result.
    let guard = CancelOnDrop(cancelled.clone());
    let (of_all, own) = (site.cancelled.clone(), cancelled.clone());
    let watcher = tokio::spawn(async move {
        _ = of_all.subscribe().wait_for(|cancelled| *cancelled).await;
        own.send_replace(true);
    });
    let runtime = Handle::current();
    let result =
        on_thread(move || construct_now(request, &definition, site, &runtime, cancelled)).await;
    watcher.abort();
    drop(guard);
    result?
}

fn construct_now(
    request: ConstructRequest,
    definition: &Definition,
    site: Site,
    runtime: &Handle,
    cancelled: watch::Sender<bool>,
) -> Result<ConstructResponse, Status> {
    let malformed = |reason: String| Status::invalid_argument(reason);
    let inputs = inputs(&request).map_err(malformed)?;
    let calls = Calls::new(&request.monitor_endpoint, cancelled.clone()).map_err(|reason| {
        malformed(format!("`{}` is not an address: {reason}", request.monitor_endpoint))
    })?;
    let Definition { program, sources, directory, package } = definition;
    let settings = settings(&request, site.environment, directory, package);
    let monitor = Arc::new(EngineMonitor {
        calls,
        engine: site.engine.clone(),
        sources: Arc::clone(sources),
        uris: monitor::uris(sources),
        hooks: Hooks::new(site.hooks, site.address, Path::new(directory).to_path_buf()),
        is_preview: settings.is_preview,
        root: <_>::default(),
    });
    let accepts_outputs = request.accepts_output_values;
    let (kind, name) = (request.kind.clone(), request.name.clone());
    let setup = setup(Arc::clone(program), settings, Arc::clone(&monitor));
    let evaluation = Evaluation::of_component(setup, &name);
    let (result, warnings) = until_cancelled(evaluation, runtime, cancelled, |evaluation| {
        evaluation.construct(&inputs, |inputs| register(&monitor, request, inputs))
    });
    let engine = site.engine.as_ref();
    let reporter = Reporter { runtime, engine, sources };
    let report = |diagnostics: &[Diagnostic]| reporter.report(diagnostics, monitor.root());
    report(&warnings);
    match result {
        Ok(constructed) => answer(&constructed, accepts_outputs),
        Err(NotConstructed::Inputs(wrong)) => Err(refused(&kind, &name, wrong)),
        Err(NotConstructed::Failed(errors)) => {
            let unreported = report(&errors);
            Err(failed(&name, &errors, &unreported))
        }
    }
}

/// The inputs that a request has. What depends on resources as a whole, in a request without output
/// values, depends on them in each part.
fn inputs(request: &ConstructRequest) -> Result<PropertyMap, String> {
    let inputs = fields::from_bytes(request.inputs.as_ref(), &WireOptions::OUTPUTS);
    let mut inputs = inputs.map_err(|error| format!("the inputs are malformed: {error}"))?;
    for (name, PropertyDependencies { urns }) in &request.input_dependencies {
        let Some(value) = inputs.get_mut(name.as_str()) else { continue };
        // Output values say it more exactly.
        if !urns.is_empty() && value.dependencies().is_empty() {
            let dependencies = urns.iter().map(|urn| Urn::from(urn.as_str())).collect();
            *value = std::mem::take(value).depending_on(dependencies);
        }
    }
    Ok(inputs)
}

fn settings(
    request: &ConstructRequest,
    environment: BTreeMap<String, String>,
    directory: &str,
    package: &str,
) -> pcl_eval::Settings {
    pcl_eval::Settings {
        project: request.project.clone(),
        stack: request.stack.clone(),
        organization: request.organization.clone(),
        root_directory: package.to_owned(),
        working_directory: directory.to_owned(),
        is_preview: request.dry_run,
        parallel: usize::try_from(request.parallel).unwrap_or_default(),
        environment,
        ..pcl_eval::Settings::default()
    }
}

/// Registers a component with the options of a request and these inputs.
fn register(
    monitor: &EngineMonitor,
    request: ConstructRequest,
    inputs: &PropertyMap,
) -> Result<Urn, EngineError> {
    let mut dependencies: Vec<String> = request.dependencies;
    let mut property_dependencies = BTreeMap::new();
    for (name, value) in inputs {
        let urns = urns(&value.dependencies());
        dependencies.extend(urns.iter().cloned());
        property_dependencies.insert(name.to_string(), PropertyDependencies { urns });
    }
    dependencies.sort();
    dependencies.dedup();
    let object = fields::to_bytes(inputs, &WireOptions::OUTPUTS);
    let object = object.map_err(unsendable)?;
    monitor.register_root(RegisterResourceRequest {
        kind: request.kind,
        name: request.name,
        parent: request.parent,
        object: Some(object),
        protect: request.protect,
        dependencies,
        property_dependencies,
        delete_before_replace: request.delete_before_replace.unwrap_or_default(),
        delete_before_replace_defined: request.delete_before_replace.is_some(),
        ignore_changes: request.ignore_changes,
        accept_secrets: true,
        additional_secret_outputs: request.additional_secret_outputs,
        custom_timeouts: request.custom_timeouts,
        supports_partial_values: true,
        accept_resources: true,
        providers: request.providers,
        replace_on_changes: request.replace_on_changes,
        retain_on_delete: request.retain_on_delete,
        aliases: request.aliases,
        deleted_with: request.deleted_with,
        alias_specs: true,
        hooks: request.resource_hooks,
        replace_with: request.replace_with,
        replacement_trigger: request.replacement_trigger,
        accepts_byte_string: true,
        ..RegisterResourceRequest::default()
    })
}

/// The answer with the outputs of a component.
fn answer(constructed: &Constructed, accepts_outputs: bool) -> Result<ConstructResponse, Status> {
    let Constructed { urn, outputs } = constructed;
    let dependencies = |(name, value): (&Arc<str>, &PropertyValue)| {
        let dependencies: Dependencies = value.dependencies();
        (name.to_string(), PropertyDependencies { urns: urns(&dependencies) })
    };
    let options = if accepts_outputs { WireOptions::OUTPUTS } else { WireOptions::REGISTER };
    let state = fields::to_bytes(outputs, &options);
    let unsendable = |error| Status::internal(format!("the outputs cannot be sent: {error}"));
    Ok(ConstructResponse {
        urn: urn.to_string(),
        state: Some(state.map_err(unsendable)?),
        state_dependencies: outputs.iter().map(dependencies).collect(),
    })
}

/// The status for inputs that are refused.
fn refused(kind: &str, name: &str, wrong: Vec<WrongInput>) -> Status {
    let message = format!("the inputs of `{name}`, a component of the type `{kind}`, do not fit");
    let errors = wrong.into_iter();
    let errors =
        errors.map(|WrongInput { path, reason }| PropertyError { property_path: path, reason });
    let error = InputPropertiesError { errors: errors.collect() };
    let details = StatusDetails {
        code: Code::InvalidArgument.into(),
        message: message.clone(),
        details: vec![AnyMessage {
            type_url: String::from("type.googleapis.com/pulumirpc.InputPropertiesError"),
            value: error.encode_to_vec(),
        }],
    };
    Status::with_details(Code::InvalidArgument, message, details.encode_to_vec().into())
}

/// The status for a component whose evaluation has failed.
fn failed(name: &str, errors: &[Diagnostic], unreported: &str) -> Status {
    let reason = match errors.len() {
        _ if !unreported.is_empty() => unreported.to_owned(),
        0 => String::from("the engine has ended it"),
        1 => String::from("its program has an error, which is reported"),
        count => format!("its program has {count} errors, which are reported"),
    };
    Status::unknown(format!("the component `{name}` cannot be constructed: {reason}"))
}
