//! The engine as an evaluation sees it: the requests of a program and their answers.
//!
//! Requests carry property values. An implementation that sends them encodes each as
//! [`pcl_values::wire`] says.

use std::collections::BTreeMap;
use std::sync::{Arc, mpsc};

use pcl_diagnostics::Span;
use pcl_language::ResourceOption;
use pcl_values::{Alias, Dependencies, PropertyMap, PropertyValue, ProviderReference, Urn};

/// The engine that a program runs against.
///
/// Requests come from several threads at once. A request that is under way when [`Monitor::cancel`]
/// is called should return [`EngineError::Cancelled`] soon.
pub trait Monitor: Send + Sync {
    /// The features of the engine, for which it is asked once in a run, before everything else.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached. One that does not know the question has
    /// none of them.
    fn features(&self) -> Result<Features, EngineError> {
        Ok(Features::default())
    }

    /// Registers a resource or a component.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses. A resource that failed is an
    /// answer.
    fn register_resource(&self, request: &RegisterResource) -> Result<Registered, EngineError>;

    /// Registers resources of which several are under way at once without a thread for each. An
    /// engine that answers at once, or one that is not there, needs no more than the default, which
    /// waits for each.
    fn registrations(&self) -> Box<dyn Registrations + '_> {
        let (sender, events) = mpsc::channel();
        Box::new(OneByOne { monitor: self, events, sender })
    }

    /// Reads a resource that exists already.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or cannot read it.
    fn read_resource(&self, request: &ReadResource) -> Result<ReadAnswer, EngineError>;

    /// Calls a function of a provider.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError>;

    /// Calls a method of a resource.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    fn call(&self, request: &MethodCall) -> Result<Called, EngineError>;

    /// Asks whether a resource exists; `None` if that is not known yet, as for an engine that is
    /// not there.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    fn exists_resource(&self, _: &ExistsResource) -> Result<Option<bool>, EngineError> {
        Ok(None)
    }

    /// Registers the outputs of a component or of the stack.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    fn register_outputs(&self, urn: &Urn, outputs: &PropertyMap) -> Result<(), EngineError>;

    /// Registers a parameterised package. The answer is the reference that requests carry.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    fn register_package(&self, request: &RegisterPackage) -> Result<String, EngineError>;

    /// Registers a hook.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached or refuses.
    fn register_hook(&self, request: RegisterHook) -> Result<(), EngineError>;

    /// Checks that the engine has a version in this range.
    ///
    /// # Errors
    /// Returns an error if it has not, or cannot be reached.
    fn require_version(&self, range: &str) -> Result<(), EngineError>;

    /// Says that the program is done, and waits until the engine needs its hooks no more.
    ///
    /// # Errors
    /// Returns an error if the engine cannot be reached.
    fn finish(&self) -> Result<(), EngineError>;

    /// Ends the requests that are under way: the run has failed or was cancelled.
    fn cancel(&self) {}
}

/// The features of an engine that decide what a run sends and how it takes the answers. Older
/// engines have none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The engine answers calls of functions with output values, if it is asked to.
    pub invoke_outputs: bool,
    /// The engine answers calls of methods with output values, if it is asked to.
    pub call_outputs: bool,
    /// The engine itself skips what depends on a failed resource, and takes its unknown outputs.
    pub skips_dependants: bool,
}

impl Features {
    /// Returns true for an engine that answers reads with their ids.
    pub const fn answers_ids(self) -> bool {
        self.invoke_outputs || self.call_outputs || self.skips_dependants
    }
}

/// Registrations of resources that are under way, of one thread.
pub trait Registrations {
    /// Begins to register a resource. The answer is an event with this number.
    fn begin(&mut self, number: u32, request: &RegisterResource);

    /// Sends the requests of those that have begun, before something else is done.
    /// [`Registrations::next`] sends them, too.
    fn send(&mut self) {}

    /// Waits for the next event.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    fn next(&mut self) -> Result<Event, EngineError>;

    /// A function for other threads that makes an event.
    fn caller(&self) -> Box<dyn Fn() + Send + Sync>;
}

/// An event that ends [`Registrations::next`].
#[derive(Debug)]
pub enum Event {
    /// The registration with this number is answered.
    Answered(u32, Result<Registered, EngineError>),
    /// Another thread has called.
    Called,
}

/// Registrations each of which is answered before the next one begins.
struct OneByOne<'m, M: ?Sized> {
    monitor: &'m M,
    events: mpsc::Receiver<Event>,
    sender: mpsc::Sender<Event>,
}

impl<M: Monitor + ?Sized> Registrations for OneByOne<'_, M> {
    fn begin(&mut self, number: u32, request: &RegisterResource) {
        let answer = self.monitor.register_resource(request);
        _ = self.sender.send(Event::Answered(number, answer));
    }

    fn next(&mut self) -> Result<Event, EngineError> {
        self.events.recv().map_err(|_| EngineError::Cancelled)
    }

    fn caller(&self) -> Box<dyn Fn() + Send + Sync> {
        let sender = self.sender.clone();
        Box::new(move || _ = sender.send(Event::Called))
    }
}

/// The reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The run was cancelled.
    Cancelled,
    /// The engine, or a provider behind it, says this.
    Failed(String),
    /// There is a resource with the same URN, which the program declares here.
    Duplicate(Option<Span>),
}

/// A resource or component to register.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegisterResource {
    /// The type token.
    pub kind: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// The name as people see it, if it has a secret key of a range.
    pub shown_name: Option<Arc<str>>,
    /// The parent; `None` only for the stack.
    pub parent: Option<Urn>,
    /// A provider creates the resource.
    pub is_custom: bool,
    /// A provider creates the component.
    pub is_remote: bool,
    /// The program takes an answer that says that the resource failed.
    pub takes_failure: bool,
    /// The inputs, which copies share.
    pub inputs: Arc<PropertyMap>,
    /// The resources on which it depends.
    pub dependencies: Dependencies,
    /// The resources on which each input depends, if it depends on any.
    pub property_dependencies: PropertyMap<Dependencies>,
    /// The reference of a parameterised package; empty for others.
    pub package: String,
    /// The options.
    pub options: Arc<ResourceOptions>,
    /// The block that declares it; `None` for the stack.
    pub source: Option<Span>,
}

/// The options of a resource. Absent options are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceOptions {
    /// The provider.
    pub provider: Option<ProviderReference>,
    /// The providers of the children of a component, by package.
    pub providers: BTreeMap<String, ProviderReference>,
    /// Deleting the resource is refused.
    pub protect: Option<bool>,
    /// Deleting it leaves the real resource alone.
    pub retain_on_delete: Option<bool>,
    /// The paths to properties, by the option that lists them.
    pub paths: BTreeMap<ResourceOption, Vec<String>>,
    /// A replacement deletes the old resource first.
    pub delete_before_replace: Option<bool>,
    /// Former names.
    pub aliases: Vec<Alias>,
    /// Durations by operation: `create`, `update`, `delete`, `read`.
    pub custom_timeouts: BTreeMap<String, String>,
    /// The version of the provider plugin; empty for the default.
    pub version: String,
    /// The place that the provider plugin is downloaded from; empty for the default.
    pub plugin_download_url: String,
    /// The id of a real resource to take over; empty for none.
    pub import_id: String,
    /// The resource whose deletion deletes this one.
    pub deleted_with: Option<Urn>,
    /// The resources whose replacement replaces this one.
    pub replace_with: Vec<Urn>,
    /// A value whose change replaces the resource.
    pub replacement_trigger: Option<PropertyValue>,
    /// Environment variables of the provider that are mapped to others.
    pub env_var_mappings: BTreeMap<String, String>,
    /// The names of hooks by the [moment](pcl_language::HookMoment).
    pub hooks: BTreeMap<String, Vec<String>>,
}

impl ResourceOptions {
    /// The paths to properties that an option lists.
    pub fn paths(&self, option: ResourceOption) -> &[String] {
        self.paths.get(&option).map_or(&[], Vec::as_slice)
    }

    /// Adds paths to those that an option lists.
    pub(crate) fn add_paths(
        &mut self,
        option: ResourceOption,
        paths: impl IntoIterator<Item = String>,
    ) {
        let mut paths = paths.into_iter().peekable();
        if paths.peek().is_some() {
            self.paths.entry(option).or_default().extend(paths);
        }
    }
}

/// The answer to a registration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registered {
    /// The URN.
    pub urn: Urn,
    /// The id; empty for a component, and if it is unknown.
    pub id: String,
    /// The outputs.
    pub outputs: PropertyMap,
    /// The resources on which each output depends besides the resource itself.
    pub dependencies: PropertyMap<Dependencies>,
    /// The result.
    pub outcome: Outcome,
    /// The outputs that are missing are unknown.
    pub is_unknown: bool,
}

/// The result of a registration or a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The resource exists.
    #[default]
    Succeeded,
    /// Its provider failed; the engine has reported that.
    Failed,
    /// It was not tried, which engines before 3.274 answer.
    Skipped,
}

/// A resource to read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadResource {
    /// The type token.
    pub kind: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// The name as people see it, if it has a secret key of a range.
    pub shown_name: Option<Arc<str>>,
    /// The id; `None` if it is unknown.
    pub id: Option<String>,
    /// Set if the id is a secret. It is sent as plain text, but must not be shown.
    pub has_secret_id: bool,
    /// The parent.
    pub parent: Option<Urn>,
    /// The known properties, which copies share.
    pub properties: Arc<PropertyMap>,
    /// The resources on which it depends.
    pub dependencies: Dependencies,
    /// The reference of a parameterised package; empty for others.
    pub package: String,
    /// The provider.
    pub provider: Option<ProviderReference>,
    /// The version of the provider plugin; empty for the default.
    pub version: String,
    /// The place that the provider plugin is downloaded from; empty for the default.
    pub plugin_download_url: String,
    /// Outputs that are secret besides those that the provider says.
    pub additional_secret_outputs: Vec<String>,
    /// The block that declares it.
    pub source: Option<Span>,
}

/// The answer to a read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadAnswer {
    /// The URN.
    pub urn: Urn,
    /// The id, which a provider may change; empty if it is unknown, and from an older engine.
    pub id: String,
    /// The properties.
    pub properties: PropertyMap,
    /// The result.
    pub outcome: Outcome,
    /// The properties that are missing are unknown.
    pub is_unknown: bool,
}

/// A question for a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExistsResource {
    /// The type token.
    pub kind: String,
    /// The id.
    pub id: String,
    /// The known properties, if the program gives any.
    pub properties: Option<PropertyMap>,
    /// The reference of a parameterised package; empty for others.
    pub package: String,
}

/// A call of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Invoke {
    /// The token of the function.
    pub token: String,
    /// The arguments.
    pub arguments: PropertyMap,
    /// The resources that must exist before.
    pub depends_on: Dependencies,
    /// The provider.
    pub provider: Option<ProviderReference>,
    /// The parent, which may have a provider.
    pub parent: Option<Urn>,
    /// The reference of a parameterised package; empty for others.
    pub package: String,
    /// The version of the provider plugin; empty for the default.
    pub version: String,
    /// The place that the provider plugin is downloaded from; empty for the default.
    pub plugin_download_url: String,
    /// True if the version or that place is secret, so that neither may be shown.
    pub has_secret_plugin: bool,
    /// The answer may contain resource references.
    pub accepts_resources: bool,
    /// The answer may contain output values.
    pub accepts_outputs: bool,
}

/// The reason why an argument is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The argument; empty for all together.
    pub property: String,
    /// The reason.
    pub reason: String,
}

/// A call of a method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodCall {
    /// The token of the method.
    pub token: String,
    /// The arguments; the resource is `__self__`.
    pub arguments: PropertyMap,
    /// The resources on which each argument depends, if it depends on any.
    pub argument_dependencies: PropertyMap<Dependencies>,
    /// The reference of a parameterised package; empty for others.
    pub package: String,
    /// The answer may contain output values.
    pub accepts_outputs: bool,
}

/// The answer to a call of a function or method.
#[derive(Clone, Debug, PartialEq)]
pub enum Called {
    /// The result, and the resources on which each property depends; those of a function depend on
    /// what the call depends on.
    Result(PropertyMap, PropertyMap<Dependencies>),
    /// The result is known later.
    Unknown,
    /// The callee refuses its arguments, with a reason for each.
    Failures(Vec<Failure>),
}

/// A package that a plugin makes from a parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterPackage {
    /// The name of the plugin.
    pub plugin: String,
    /// The version of the plugin; empty for the default.
    pub version: String,
    /// The place that the plugin is downloaded from; empty for the default.
    pub download_url: String,
    /// The name of the package.
    pub name: String,
    /// The version of the package.
    pub package_version: String,
    /// The parameter.
    pub parameter: Vec<u8>,
    /// The package extends the plugin's own.
    pub is_extension: bool,
}

/// A hook to register.
#[derive(Clone)]
pub struct RegisterHook {
    /// The name.
    pub name: String,
    /// It runs when an operation fails, and answers whether to try again.
    pub is_error_hook: bool,
    /// It runs in previews too.
    pub on_dry_run: bool,
    /// Its failure is a warning.
    pub ignore_errors: bool,
    /// The command, given the arguments of a call.
    pub command: Arc<HookCommand>,
}

/// Evaluates the command of a hook for the arguments of a call.
pub type HookCommand = dyn Fn(&PropertyMap) -> Result<Vec<String>, String> + Send + Sync;
