//! Registrations of resources: their messages, with fields as in `resource.proto`, and those that
//! are under way.
//!
//! The rules, with examples: `tests/spec/run/resource.md`, `tests/spec/run/options.md`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use pcl::language::{HookMoment, ResourceOption};
use pcl_eval::monitor::{EngineError, Event, RegisterResource, Registrations, ResourceOptions};
use pcl_values::wire::WireOptions;
use pcl_values::{Alias, AliasParent, AliasSpec, WireError};

use prost::Message;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tonic::Status;

use crate::fields;
use crate::monitor::{EngineMonitor, by_property, optional, urns};
use crate::protocol::resource::{
    Alias as AliasMessage, AliasKind, AliasParent as ParentMessage, AliasSpec as SpecMessage,
    CustomTimeouts, HooksBinding, PropertyDependencies, RegisterResourceResponse, SourcePosition,
};

/// The message that registers a resource.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RegisterResourceRequest {
    #[prost(string, tag = "1")]
    pub kind: String,
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(string, tag = "3")]
    pub parent: String,
    #[prost(bool, tag = "4")]
    pub custom: bool,
    #[prost(bytes = "bytes", optional, tag = "5")]
    pub object: Option<Bytes>,
    #[prost(bool, optional, tag = "6")]
    pub protect: Option<bool>,
    #[prost(string, repeated, tag = "7")]
    pub dependencies: Vec<String>,
    #[prost(string, tag = "8")]
    pub provider: String,
    #[prost(btree_map = "string, message", tag = "9")]
    pub property_dependencies: BTreeMap<String, PropertyDependencies>,
    #[prost(bool, tag = "10")]
    pub delete_before_replace: bool,
    #[prost(string, tag = "11")]
    pub version: String,
    #[prost(string, repeated, tag = "12")]
    pub ignore_changes: Vec<String>,
    #[prost(bool, tag = "13")]
    pub accept_secrets: bool,
    #[prost(string, repeated, tag = "14")]
    pub additional_secret_outputs: Vec<String>,
    #[prost(string, tag = "16")]
    pub import_id: String,
    #[prost(message, optional, tag = "17")]
    pub custom_timeouts: Option<CustomTimeouts>,
    #[prost(bool, tag = "18")]
    pub delete_before_replace_defined: bool,
    #[prost(bool, tag = "19")]
    pub supports_partial_values: bool,
    #[prost(bool, tag = "20")]
    pub remote: bool,
    #[prost(bool, tag = "21")]
    pub accept_resources: bool,
    #[prost(btree_map = "string, string", tag = "22")]
    pub providers: BTreeMap<String, String>,
    #[prost(string, repeated, tag = "23")]
    pub replace_on_changes: Vec<String>,
    #[prost(string, tag = "24")]
    pub plugin_download_url: String,
    #[prost(bool, optional, tag = "25")]
    pub retain_on_delete: Option<bool>,
    #[prost(message, repeated, tag = "26")]
    pub aliases: Vec<AliasMessage>,
    #[prost(string, tag = "27")]
    pub deleted_with: String,
    #[prost(bool, tag = "28")]
    pub alias_specs: bool,
    #[prost(message, optional, tag = "29")]
    pub source_position: Option<SourcePosition>,
    #[prost(bool, tag = "32")]
    pub supports_result_reporting: bool,
    #[prost(string, tag = "33")]
    pub package_ref: String,
    #[prost(message, optional, tag = "34")]
    pub hooks: Option<HooksBinding>,
    #[prost(string, repeated, tag = "37")]
    pub hide_diffs: Vec<String>,
    #[prost(string, repeated, tag = "38")]
    pub replace_with: Vec<String>,
    #[prost(bytes = "bytes", optional, tag = "39")]
    pub replacement_trigger: Option<Bytes>,
    #[prost(btree_map = "string, string", tag = "41")]
    pub env_var_mappings: BTreeMap<String, String>,
    #[prost(bool, tag = "42")]
    pub accepts_byte_string: bool,
}

/// The message for a request.
///
/// # Errors
/// Returns an error if a value cannot be sent.
pub(crate) fn message(
    request: &RegisterResource,
    source_position: Option<SourcePosition>,
) -> Result<RegisterResourceRequest, WireError> {
    // The stack has a type and a name, and nothing else.
    if request.source.is_none() {
        return Ok(RegisterResourceRequest {
            kind: request.kind.to_string(),
            name: request.name.to_string(),
            ..RegisterResourceRequest::default()
        });
    }
    let options = &request.options;
    let mut property_dependencies = by_property(&request.property_dependencies);
    if !request.is_remote {
        // Without any, the engine would take each property to depend on all dependencies.
        for name in request.inputs.keys() {
            let none = PropertyDependencies::default;
            property_dependencies.entry(name.to_string()).or_insert_with(none);
        }
    }
    let trigger = options.replacement_trigger.as_ref();
    let trigger = trigger.map(|value| fields::value_to_bytes(value, &WireOptions::OUTPUTS));
    let providers = options.providers.iter();
    let paths = |option| options.paths(option).to_vec();
    Ok(RegisterResourceRequest {
        kind: request.kind.to_string(),
        name: request.name.to_string(),
        parent: optional(request.parent.as_ref()),
        custom: request.is_custom,
        object: Some(fields::to_bytes(&request.inputs, &WireOptions::OUTPUTS)?),
        protect: options.protect,
        dependencies: urns(&request.dependencies),
        provider: optional(options.provider.as_ref()),
        property_dependencies,
        delete_before_replace: options.delete_before_replace.unwrap_or_default(),
        delete_before_replace_defined: options.delete_before_replace.is_some(),
        version: options.version.clone(),
        ignore_changes: paths(ResourceOption::IgnoreChanges),
        accept_secrets: true,
        additional_secret_outputs: paths(ResourceOption::AdditionalSecretOutputs),
        import_id: options.import_id.clone(),
        custom_timeouts: custom_timeouts(options),
        supports_partial_values: true,
        remote: request.is_remote,
        accept_resources: true,
        providers: providers.map(|(name, it)| (name.clone(), it.to_string())).collect(),
        replace_on_changes: paths(ResourceOption::ReplaceOnChanges),
        plugin_download_url: options.plugin_download_url.clone(),
        retain_on_delete: options.retain_on_delete,
        aliases: options.aliases.iter().map(alias).collect(),
        deleted_with: optional(options.deleted_with.as_ref()),
        alias_specs: true,
        source_position,
        supports_result_reporting: request.takes_failure,
        package_ref: request.package.clone(),
        hooks: hooks(options),
        hide_diffs: paths(ResourceOption::HideDiffs),
        replace_with: options.replace_with.iter().map(ToString::to_string).collect(),
        replacement_trigger: trigger.transpose()?,
        env_var_mappings: options.env_var_mappings.clone(),
        accepts_byte_string: true,
    })
}

fn custom_timeouts(options: &ResourceOptions) -> Option<CustomTimeouts> {
    let timeouts = &options.custom_timeouts;
    let timeout = |name| timeouts.get(name).cloned().unwrap_or_default();
    (!timeouts.is_empty()).then(|| CustomTimeouts {
        create: timeout("create"),
        update: timeout("update"),
        delete: timeout("delete"),
        read: timeout("read"),
    })
}

fn hooks(options: &ResourceOptions) -> Option<HooksBinding> {
    let hooks = &options.hooks;
    let names = |moment: HookMoment| hooks.get(moment.name()).cloned().unwrap_or_default();
    (!hooks.is_empty()).then(|| HooksBinding {
        before_create: names(HookMoment::BeforeCreate),
        after_create: names(HookMoment::AfterCreate),
        before_update: names(HookMoment::BeforeUpdate),
        after_update: names(HookMoment::AfterUpdate),
        before_delete: names(HookMoment::BeforeDelete),
        after_delete: names(HookMoment::AfterDelete),
        on_error: names(HookMoment::OnError),
    })
}

fn alias(alias: &Alias) -> AliasMessage {
    AliasMessage {
        alias: Some(match alias {
            Alias::Urn(urn) => AliasKind::Urn(urn.to_string()),
            Alias::Spec(spec) => AliasKind::Spec(alias_spec(spec)),
        }),
    }
}

fn alias_spec(spec: &AliasSpec) -> SpecMessage {
    let text = |part: &Option<String>| part.clone().unwrap_or_default();
    SpecMessage {
        name: text(&spec.name),
        kind: text(&spec.kind),
        stack: text(&spec.stack),
        project: text(&spec.project),
        parent: match &spec.parent {
            AliasParent::Same => None,
            AliasParent::None => Some(ParentMessage::None(true)),
            AliasParent::Urn(urn) => Some(ParentMessage::Urn(urn.to_string())),
        },
    }
}

/// The number of registrations that keep the engine busy while answers to others wait.
const MANY: usize = 4;

/// The least time that answers wait for others while the engine is busy.
///
/// Each time that this thread wakes costs more than what it does then: a preview of 1,000
/// resources, eight at once, took 73 ms of processor time without a pause and 40 ms with it.
const PAUSE: Duration = Duration::from_millis(2);

/// The longest time that answers wait for others in a preview.
///
/// The engine answers the registrations of a preview one after the other. From 3.274 on it takes
/// several milliseconds for each, so half the time of an answer collects half of those under way,
/// and the engine still has the others to work on: 1,000 resources take 96 ms of processor time
/// instead of 200 ms, and as long as before. An update creates resources at once, and a pause would
/// delay those that depend on them.
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Registrations that one thread has begun. The thread drives the connection while it waits.
pub(crate) struct UnderWay<'m> {
    monitor: &'m EngineMonitor,
    /// The number of registrations without an answer.
    count: usize,
    /// Those that are not sent yet: all are written at once.
    unsent: Vec<Sending>,
    sender: UnboundedSender<Received>,
    received: UnboundedReceiver<Received>,
    /// The time that answers took of late: each one counts a fourth, and all before it the rest.
    answer_time: Duration,
}

/// A registration that is being sent.
type Sending = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// An event as it comes.
enum Received {
    /// The answer to a registration, and the time that it took.
    Answer(u32, Result<RegisterResourceResponse, Status>, Duration),
    /// The request cannot be sent.
    Unsendable(u32, EngineError),
    Called,
}

impl<'m> UnderWay<'m> {
    /// No registrations yet.
    pub fn new(monitor: &'m EngineMonitor) -> Self {
        let (sender, received) = unbounded_channel();
        let answer_time = Duration::ZERO;
        Self { monitor, count: 0, unsent: Vec::new(), sender, received, answer_time }
    }

    /// Waits so that several answers can be read at once.
    fn pause(&self) {
        let longest = if self.monitor.is_preview { LONGEST_PAUSE } else { PAUSE };
        std::thread::sleep((self.answer_time / 2).clamp(PAUSE, longest));
    }
}

impl Registrations for UnderWay<'_> {
    fn begin(&mut self, number: u32, request: &RegisterResource) {
        self.count += 1;
        let sender = self.sender.clone();
        match self.monitor.registration(request) {
            Ok(answer) => self.unsent.push(Box::pin(async move {
                let sent = Instant::now();
                let answer = answer.await;
                _ = sender.send(Received::Answer(number, answer, sent.elapsed()));
            })),
            Err(error) => _ = sender.send(Received::Unsendable(number, error)),
        }
    }

    fn send(&mut self) {
        if self.unsent.is_empty() {
            return;
        }
        let unsent = std::mem::take(&mut self.unsent);
        self.monitor.calls.wait_for(async {
            for sending in unsent {
                tokio::spawn(sending);
            }
            // These tasks and that of the connection get their turn, and nothing is waited for.
            tokio::task::yield_now().await;
        });
    }

    fn next(&mut self) -> Result<Event, EngineError> {
        if self.received.is_empty() {
            self.send();
            if self.count >= MANY {
                self.pause();
            }
        }
        let calls = &self.monitor.calls;
        // There is a sender here, so the channel never closes.
        let received = calls.wait_for(self.received.recv()).flatten();
        Ok(match received.ok_or(EngineError::Cancelled)? {
            Received::Called => Event::Called,
            Received::Unsendable(number, error) => {
                self.count -= 1;
                Event::Answered(number, Err(error))
            }
            Received::Answer(number, answer, time) => {
                self.count -= 1;
                self.answer_time = (3 * self.answer_time + time) / 4;
                let answer = calls.answer(answer);
                let registered = answer.and_then(|answer| self.monitor.registered(answer));
                Event::Answered(number, registered)
            }
        })
    }

    fn caller(&self) -> Box<dyn Fn() + Send + Sync> {
        let sender = self.sender.clone();
        Box::new(move || _ = sender.send(Received::Called))
    }
}
