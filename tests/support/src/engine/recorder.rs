//! The engine of the recorded registrations: it answers from a table, and writes down each request
//! as the reference sends it.

use std::collections::BTreeMap;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use pcl_eval::monitor::{
    Called, EngineError, Event, ExistsResource, Failure, Features, Invoke, MethodCall, Monitor,
    Outcome, ReadAnswer, ReadResource, RegisterHook, RegisterPackage, RegisterResource, Registered,
    Registrations, ResourceOptions,
};
use pcl_values::{
    Alias, AliasParent, Dependencies, PropertyMap, PropertyValue, Urn, WireOptions, wire,
};
use serde_json::{Map, Value as Json, json};

use crate::marked_json;

/// The engine, with everything that it was asked.
pub struct Recorder {
    responses: Json,
    /// The features of the engine.
    features: Features,
    /// Answers about resources keep their output values.
    is_raw: bool,
    is_preview: bool,
    /// Functions wait for the resources that they depend on, as on a real engine.
    waits: bool,
    /// Requests take different times.
    is_slow: bool,
    pub events: Mutex<Vec<Json>>,
    /// The last answer about each resource.
    states: Mutex<BTreeMap<String, PropertyMap>>,
    /// The last URN of each name, for the types of parents.
    pub hooks: Mutex<Vec<RegisterHook>>,
}

type Answer<T> = Result<T, EngineError>;

impl Recorder {
    /// The engine for a program of the vectors.
    pub fn new(program: &Json, is_preview: bool, is_slow: bool) -> Self {
        let features = program["features"].as_array().into_iter().flatten();
        let features: Vec<&str> = features.filter_map(Json::as_str).collect();
        Self {
            is_slow,
            features: Features {
                invoke_outputs: features.contains(&"INVOKE_OUTPUT_VALUES"),
                call_outputs: features.contains(&"CALL_OUTPUT_VALUES"),
                skips_dependants: features.contains(&"REGISTER_RESOURCE_OUTPUT_VALUES"),
            },
            is_raw: program["raw"] == true,
            responses: program["responses"].clone(),
            is_preview,
            waits: program["waits"] == true,
            events: Mutex::default(),
            states: Mutex::default(),
            hooks: Mutex::default(),
        }
    }

    fn record(&self, method: &str, request: Json) {
        let event = json!({ "method": method, "request": request });
        if self.is_slow {
            let length = event.to_string().len() as u64;
            std::thread::sleep(Duration::from_micros(length * 7919 % 1500));
        }
        self.events.lock().unwrap().push(event);
    }

    /// Returns true if a function waits for a resource that a preview does not create.
    fn is_waited_for(&self, request: &Invoke) -> bool {
        self.waits && self.is_preview && !request.depends_on.is_empty()
    }

    /// The answer about a name or, if there is none, about all resources of a type.
    fn response(&self, name: &str, kind: &str) -> Answer<&Json> {
        let response = self.responses.get(name).unwrap_or(&self.responses[kind]);
        match response["error"].as_str() {
            Some(error) => Err(EngineError::Failed(error.to_owned())),
            None => Ok(response),
        }
    }

    fn outputs(&self, response: &Json, at_preview: &str) -> PropertyMap {
        let outputs = if self.is_preview { &response[at_preview] } else { &response["outputs"] };
        outputs.as_object().map(marked_json::read_map).unwrap_or_default()
    }

    /// The properties of a resource as the engine answers them.
    fn answered(&self, outputs: &PropertyMap) -> PropertyMap {
        let options = if self.is_raw { WireOptions::OUTPUTS } else { WireOptions::REGISTER };
        through(outputs, &options)
    }

    /// The result of a function or method as the engine answers it.
    fn result(&self, outputs: &PropertyMap, accepts_outputs: bool) -> PropertyMap {
        let options = if accepts_outputs { WireOptions::OUTPUTS } else { WireOptions::REGISTER };
        through(outputs, &options)
    }
}

/// Registrations that are answered in an order of their own.
struct Shuffled<'m> {
    recorder: &'m Recorder,
    answers: Vec<(u32, Answer<Registered>)>,
    sender: mpsc::Sender<()>,
    called: mpsc::Receiver<()>,
}

impl Registrations for Shuffled<'_> {
    fn begin(&mut self, number: u32, request: &RegisterResource) {
        let answer = self.recorder.register_resource(request);
        self.answers.push((number, answer));
    }

    fn next(&mut self) -> Answer<Event> {
        let count = self.answers.len();
        if self.called.try_recv().is_ok() {
            return Ok(Event::Called);
        }
        if count == 0 {
            self.called.recv().expect("a thread calls");
            return Ok(Event::Called);
        }
        let (number, answer) = self.answers.swap_remove(7919 % count);
        Ok(Event::Answered(number, answer))
    }

    fn caller(&self) -> Box<dyn Fn() + Send + Sync> {
        let sender = self.sender.clone();
        Box::new(move || _ = sender.send(()))
    }
}

/// Properties that were sent.
fn through(properties: &PropertyMap, options: &WireOptions) -> PropertyMap {
    let sent = wire::encode(properties, options).expect("a message");
    wire::decode(&sent, &WireOptions::OUTPUTS).expect("a message")
}

/// The resources on which each property depends.
fn dependencies(of_properties: &Json) -> PropertyMap<Dependencies> {
    let of_properties = of_properties.as_object().into_iter().flatten();
    let dependencies = of_properties.map(|(name, urns)| {
        let urns = urns.as_array().expect("URNs").iter();
        let urns = urns.map(|urn| Urn::from(urn.as_str().expect("a URN")));
        (name.as_str().into(), urns.collect::<Dependencies>())
    });
    dependencies.collect()
}

/// A result each part of which has the marks of all arguments.
fn wrapped(outputs: PropertyMap, arguments: &PropertyMap) -> PropertyMap {
    let of_arguments: Vec<_> = arguments.values().map(|value| value.dependencies()).collect();
    let all = Dependencies::all(&of_arguments);
    let is_secret = arguments.values().any(|value| value.has_secrets());
    let wrap = |value: PropertyValue| {
        let value = value.depending_on(all.clone());
        if is_secret { value.secret() } else { value }
    };
    outputs.into_iter().map(|(name, value)| (name, wrap(value))).collect()
}

fn outcome(response: &Json) -> Outcome {
    match response["result"].as_str() {
        Some("FAIL") => Outcome::Failed,
        Some("SKIP") => Outcome::Skipped,
        _ => Outcome::Succeeded,
    }
}

impl Monitor for Recorder {
    fn features(&self) -> Answer<Features> {
        Ok(self.features)
    }

    fn registrations(&self) -> Box<dyn Registrations + '_> {
        let (sender, called) = mpsc::channel();
        Box::new(Shuffled { recorder: self, answers: Vec::new(), sender, called })
    }

    fn register_resource(&self, request: &RegisterResource) -> Answer<Registered> {
        self.record("RegisterResource", registration(request));
        let response = self.response(&request.name, &request.kind)?;
        let parent = request.parent.as_ref().and_then(Urn::qualified_type).unwrap_or_default();
        let urn = Urn::new("dev", "proj", parent, &request.kind, &request.name);
        let mut outputs = PropertyMap::clone(&request.inputs);
        outputs.extend(self.outputs(response, "previewOutputs"));
        let outputs = self.answered(&outputs);
        let id = match response["id"].as_str() {
            Some(id) => id.to_owned(),
            None if request.is_custom && !self.is_preview && response["unknown"] != true => {
                format!("{}-id", request.name)
            }
            None => String::new(),
        };
        self.states.lock().unwrap().insert(urn.as_str().to_owned(), outputs.clone());
        Ok(Registered {
            urn,
            id,
            outputs,
            dependencies: dependencies(&response["propertyDependencies"]),
            outcome: outcome(response),
            is_unknown: response["unknown"] == true,
        })
    }

    fn read_resource(&self, request: &ReadResource) -> Answer<ReadAnswer> {
        let mut event = json!({
            "id": request.id.as_deref().unwrap_or(wire::UNKNOWN_STRING),
            "type": &*request.kind,
            "name": &*request.name,
            "properties": sent(&request.properties),
            "acceptSecrets": true, "acceptResources": true, "acceptsByteString": true,
        });
        set(&mut event, "parent", request.parent.as_ref().map(Urn::as_str));
        set(&mut event, "packageRef", text(&request.package));
        set(&mut event, "dependencies", urns(&request.dependencies));
        set(&mut event, "provider", request.provider.as_ref().map(ToString::to_string));
        set(&mut event, "version", text(&request.version));
        set(&mut event, "additionalSecretOutputs", list(&request.additional_secret_outputs));
        self.record("ReadResource", event);
        let response = self.response(&request.name, &request.kind)?;
        let parent = request.parent.as_ref().and_then(Urn::qualified_type).unwrap_or_default();
        let urn = Urn::new("dev", "proj", parent, &request.kind, &request.name);
        let mut properties = PropertyMap::clone(&request.properties);
        properties.extend(self.outputs(response, "outputs"));
        let properties = self.answered(&properties);
        self.states.lock().unwrap().insert(urn.as_str().to_owned(), properties.clone());
        let mut answer = ReadAnswer { urn, properties, ..ReadAnswer::default() };
        if self.features.answers_ids() {
            answer.outcome = outcome(response);
            answer.is_unknown = response["unknown"] == true;
            answer.id = match response["id"].as_str() {
                Some(id) => id.to_owned(),
                None => request.id.clone().unwrap_or_default(),
            };
        }
        Ok(answer)
    }

    fn invoke(&self, request: &Invoke) -> Answer<Called> {
        let mut event = json!({
            "tok": request.token,
            "args": sent(&request.arguments),
            "acceptsByteString": true,
        });
        set(&mut event, "parent", request.parent.as_ref().map(Urn::as_str));
        set(&mut event, "packageRef", text(&request.package));
        set(&mut event, "dependsOn", urns(&request.depends_on));
        set(&mut event, "provider", request.provider.as_ref().map(ToString::to_string));
        set(&mut event, "acceptOutputValues", request.accepts_outputs.then_some(true));
        if self.is_waited_for(request) {
            return Ok(Called::Unknown);
        }
        self.record("Invoke", event);
        if request.token == "pulumi:pulumi:getResource" {
            let urn = request.arguments.get("urn").and_then(|urn| urn.as_text()).expect("a URN");
            let urn = urn.unmarked().as_str().expect("a URN");
            let state = self.states.lock().unwrap().get(urn).cloned().unwrap_or_default();
            return Ok(Called::Result(
                PropertyMap::from_iter([("state".into(), state.into())]),
                PropertyMap::new(),
            ));
        }
        let response = self.response(&request.token, "")?;
        if let Some(failures) = failures(response) {
            return Ok(Called::Failures(failures));
        }
        let is_unknown = self.is_preview || response["unknownAtUpdate"] == true;
        if is_unknown && response["unknown"] == true {
            return Ok(Called::Unknown);
        }
        let mut outputs = self.outputs(response, "outputs");
        if response["wrap"] == true {
            outputs = wrapped(outputs, &request.arguments);
        }
        Ok(Called::Result(self.result(&outputs, request.accepts_outputs), PropertyMap::new()))
    }

    fn call(&self, request: &MethodCall) -> Answer<Called> {
        let mut event = json!({
            "tok": request.token,
            "args": sent(&request.arguments),
            "acceptsByteString": true,
        });
        set(&mut event, "packageRef", text(&request.package));
        set(&mut event, "acceptOutputValues", request.accepts_outputs.then_some(true));
        self.record("Call", event);
        let response = self.response(&request.token, "")?;
        if let Some(failures) = failures(response) {
            return Ok(Called::Failures(failures));
        }
        let at_preview = match response.get("previewOutputs") {
            Some(_) => "previewOutputs",
            None => "outputs",
        };
        let result = self.result(&self.outputs(response, at_preview), request.accepts_outputs);
        Ok(Called::Result(result, dependencies(&response["returnDependencies"])))
    }

    fn exists_resource(&self, request: &ExistsResource) -> Answer<Option<bool>> {
        let mut event = json!({ "type": request.kind, "id": request.id });
        set(&mut event, "properties", request.properties.as_ref().map(sent));
        set(&mut event, "packageRef", text(&request.package));
        self.record("ExistsResource", event);
        let response = self.response(&format!("exists:{}", request.id), "")?;
        let is_known = response["unknown"] != true;
        Ok(is_known.then(|| response["exists"] == true))
    }

    fn register_outputs(&self, urn: &Urn, outputs: &PropertyMap) -> Answer<()> {
        let event = json!({ "urn": urn.as_str(), "outputs": sent(outputs) });
        self.record("RegisterResourceOutputs", event);
        if !urn.is_stack() {
            let mut states = self.states.lock().unwrap();
            states.entry(urn.as_str().to_owned()).or_default().extend(outputs.clone());
        }
        Ok(())
    }

    fn register_package(&self, request: &RegisterPackage) -> Answer<String> {
        use base64::Engine as _;
        let parameter = base64::engine::general_purpose::STANDARD.encode(&request.parameter);
        let parameter = json!({
            "name": request.name, "version": request.package_version, "value": parameter,
        });
        let key = if request.is_extension { "extension" } else { "parameterization" };
        let mut event = json!({ "name": request.plugin, "version": request.version });
        event[key] = parameter;
        set(&mut event, "downloadUrl", text(&request.download_url));
        self.record("RegisterPackage", event);
        Ok(format!("ref-{}", request.name))
    }

    fn register_hook(&self, request: RegisterHook) -> Answer<()> {
        let mut event = json!({
            "name": request.name,
            "callback": { "token": "<token>", "target": "<target>", "acceptsByteString": true },
        });
        set(&mut event, "onDryRun", request.on_dry_run.then_some(true));
        set(&mut event, "ignoreErrors", request.ignore_errors.then_some(true));
        let method =
            if request.is_error_hook { "RegisterErrorHook" } else { "RegisterResourceHook" };
        self.record(method, event);
        self.hooks.lock().unwrap().push(request);
        Ok(())
    }

    fn require_version(&self, range: &str) -> Answer<()> {
        self.record("Engine.RequirePulumiVersion", json!({ "pulumiVersionRange": range }));
        if range.starts_with(">=99") {
            Err(EngineError::Failed(String::from("the version is too old")))
        } else {
            Ok(())
        }
    }

    fn finish(&self) -> Answer<()> {
        self.record("SignalAndWaitForShutdown", json!({}));
        Ok(())
    }
}

fn failures(response: &Json) -> Option<Vec<Failure>> {
    let failures = response["failures"].as_array()?.iter();
    let failures = failures.map(|reason| Failure {
        property: String::from("p"),
        reason: reason.as_str().expect("a reason").to_owned(),
    });
    Some(failures.collect())
}

fn registration(request: &RegisterResource) -> Json {
    let mut event = json!({ "type": &*request.kind, "name": &*request.name });
    if request.parent.is_none() {
        return event;
    }
    for name in ["acceptSecrets", "acceptResources", "acceptsByteString"] {
        event[name] = json!(true);
    }
    event["object"] = sent(&request.inputs);
    set(&mut event, "parent", request.parent.as_ref().map(Urn::as_str));
    set(&mut event, "custom", request.is_custom.then_some(true));
    set(&mut event, "remote", request.is_remote.then_some(true));
    set(&mut event, "supportsResultReporting", request.takes_failure.then_some(true));
    set(&mut event, "packageRef", text(&request.package));
    set(&mut event, "dependencies", urns(&request.dependencies));
    let of_properties = request.property_dependencies.iter();
    let of_properties: Map<String, Json> = of_properties
        .map(|(name, dependencies)| (name.to_string(), json!({ "urns": urns(dependencies) })))
        .collect();
    if !of_properties.is_empty() {
        event["propertyDependencies"] = Json::Object(of_properties);
    }
    options(&mut event, &request.options);
    event
}

fn options(event: &mut Json, options: &ResourceOptions) {
    set(event, "provider", options.provider.as_ref().map(ToString::to_string));
    let providers = options.providers.iter();
    let providers: Map<String, Json> =
        providers.map(|(name, provider)| (name.clone(), json!(provider.to_string()))).collect();
    set(event, "providers", (!providers.is_empty()).then_some(providers));
    set(event, "protect", options.protect);
    set(event, "retainOnDelete", options.retain_on_delete);
    for (option, paths) in &options.paths {
        set(event, option.name(), list(paths));
    }
    set(event, "deleteBeforeReplace", options.delete_before_replace.filter(|value| *value));
    set(event, "deleteBeforeReplaceDefined", options.delete_before_replace.map(|_| true));
    let aliases: Vec<Json> = options.aliases.iter().map(alias).collect();
    set(event, "aliases", (!aliases.is_empty()).then_some(aliases));
    let timeouts = &options.custom_timeouts;
    set(event, "customTimeouts", (!timeouts.is_empty()).then_some(timeouts));
    set(event, "version", text(&options.version));
    set(event, "pluginDownloadURL", text(&options.plugin_download_url));
    set(event, "importId", text(&options.import_id));
    set(event, "deletedWith", options.deleted_with.as_ref().map(Urn::as_str));
    let replace_with: Vec<&str> = options.replace_with.iter().map(Urn::as_str).collect();
    set(event, "replaceWith", (!replace_with.is_empty()).then_some(replace_with));
    if let Some(trigger) = &options.replacement_trigger {
        let properties = PropertyMap::from_iter([("trigger".into(), trigger.clone())]);
        event["replacementTrigger"] = sent(&properties)["trigger"].clone();
    }
    let mappings = &options.env_var_mappings;
    set(event, "envVarMappings", (!mappings.is_empty()).then_some(mappings));
    set(event, "hooks", (!options.hooks.is_empty()).then_some(&options.hooks));
}

fn alias(alias: &Alias) -> Json {
    let spec = match alias {
        Alias::Urn(urn) => return json!({ "urn": urn.as_str() }),
        Alias::Spec(spec) => spec,
    };
    let mut json = json!({});
    set(&mut json, "name", spec.name.as_ref());
    set(&mut json, "type", spec.kind.as_ref());
    set(&mut json, "stack", spec.stack.as_ref());
    set(&mut json, "project", spec.project.as_ref());
    match &spec.parent {
        AliasParent::Same => {}
        AliasParent::None => json["noParent"] = json!(true),
        AliasParent::Urn(urn) => json["parentUrn"] = json!(urn.as_str()),
    }
    json!({ "spec": json })
}

fn set(event: &mut Json, name: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        event[name] = json!(value);
    }
}

fn text(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn list(list: &[String]) -> Option<&[String]> {
    (!list.is_empty()).then_some(list)
}

fn urns(dependencies: &Dependencies) -> Option<Vec<&str>> {
    let urns: Vec<&str> = dependencies.iter().map(Urn::as_str).collect();
    (!urns.is_empty()).then_some(urns)
}

fn sent(properties: &PropertyMap) -> Json {
    match wire::encode(properties, &WireOptions::OUTPUTS) {
        Ok(message) => marked_json::message_to_json(&message).expect("JSON"),
        Err(error) => json!({ "not sent": error.to_string() }),
    }
}
