//! An engine that is not there: it answers from schemas and from a file of answers.
//!
//! Resources that it registers exist with the inputs that a program gives them; everything that
//! only a provider knows is unknown, unless [`Answers`] has it. Nothing is started, and nothing is
//! sent anywhere.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pcl_diagnostics::Span;
use pcl_values::{PropertyMap, Urn};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use crate::monitor::{
    Called, EngineError, Failure, Invoke, MethodCall, Monitor, Outcome, ReadAnswer, ReadResource,
    RegisterHook, RegisterPackage, RegisterResource, Registered,
};
use crate::notation::{self, part};
use crate::run::locked;

/// Answers for an engine that is not there.
///
/// They are JSON: `resources` by name or, for all of a type, by type token; `invokes` and `calls`
/// by token. Values have the notation of [`notation`].
///
/// ```
/// use pcl_eval::Answers;
/// let answers = Answers::read(r#"{
///     "resources": {
///         "web": { "id": "i-1", "outputs": { "ip": "10.0.0.1" } },
///         "aws:s3/bucket:Bucket": { "outputs": { "arn": "arn:aws:s3:::b" } },
///         "broken": { "fails": true }
///     },
///     "invokes": { "aws:index/getRegion:getRegion": { "result": { "name": "eu-west-1" } } }
/// }"#);
/// assert!(answers.is_ok());
/// assert!(Answers::read(r#"{ "resource": {} }"#).unwrap_err().contains("`resource`"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    resources: BTreeMap<String, ResourceAnswer>,
    invokes: BTreeMap<String, Vec<FunctionAnswer>>,
    calls: BTreeMap<String, Vec<FunctionAnswer>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct ResourceAnswer {
    id: Option<String>,
    outputs: PropertyMap,
    fails: bool,
}

/// The answer to a call with these arguments, or with any.
#[derive(Clone, Debug, Default, PartialEq)]
struct FunctionAnswer {
    arguments: Option<PropertyMap>,
    result: PropertyMap,
    failures: Vec<String>,
}

impl Answers {
    /// Reads answers.
    ///
    /// # Errors
    /// Returns the reason, with its place, if the text is not JSON or not of this form.
    pub fn read(text: &str) -> Result<Self, String> {
        let json: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut answers = Self::default();
        for (section, content) in object(&json, "/")? {
            let place = format!("/{section}");
            let functions = match section.as_str() {
                "resources" => {
                    for (name, entry) in object(content, &place)? {
                        let answer = ResourceAnswer::read(entry, &format!("{place}/{name}"))?;
                        answers.resources.insert(name.clone(), answer);
                    }
                    continue;
                }
                "invokes" => &mut answers.invokes,
                "calls" => &mut answers.calls,
                _ => {
                    let known = "`resources`, `invokes` or `calls`";
                    return Err(format!("/: expected {known}, found `{section}`"));
                }
            };
            for (name, entry) in object(content, &place)? {
                let read = FunctionAnswer::read_all(entry, &format!("{place}/{name}"))?;
                functions.insert(name.clone(), read);
            }
        }
        Ok(answers)
    }

    fn resource(&self, name: &str, kind: &str) -> Option<&ResourceAnswer> {
        self.resources.get(name).or_else(|| self.resources.get(kind))
    }
}

fn object<'j>(json: &'j Json, place: &str) -> Result<&'j serde_json::Map<String, Json>, String> {
    json.as_object().ok_or_else(|| format!("{place}: expected an object"))
}

fn only_keys(json: &Json, known: &[&str], place: &str) -> Result<(), String> {
    for name in object(json, place)?.keys() {
        if !known.contains(&name.as_str()) {
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            return Err(format!("{place}: expected {}, found `{name}`", known.join(", ")));
        }
    }
    Ok(())
}

fn properties(json: &Json, place: &str) -> Result<PropertyMap, String> {
    match json {
        Json::Null => Ok(PropertyMap::new()),
        json => notation::read_map(object(json, place)?, place),
    }
}

impl ResourceAnswer {
    fn read(json: &Json, place: &str) -> Result<Self, String> {
        only_keys(json, &["id", "outputs", "fails"], place)?;
        Ok(Self {
            id: part(json, "id").as_str().map(str::to_owned),
            outputs: properties(part(json, "outputs"), &format!("{place}/outputs"))?,
            fails: part(json, "fails") == true,
        })
    }
}

impl FunctionAnswer {
    /// One answer, or a list of answers for different arguments.
    fn read_all(json: &Json, place: &str) -> Result<Vec<Self>, String> {
        let Some(list) = json.as_array() else { return Ok(vec![Self::read(json, place)?]) };
        let answers = list.iter().enumerate();
        answers.map(|(at, json)| Self::read(json, &format!("{place}/{at}"))).collect()
    }

    fn read(json: &Json, place: &str) -> Result<Self, String> {
        only_keys(json, &["arguments", "result", "failures"], place)?;
        let arguments = match part(json, "arguments") {
            Json::Null => None,
            json => Some(properties(json, &format!("{place}/arguments"))?),
        };
        let failures = part(json, "failures").as_array().into_iter().flatten();
        let failures = failures.filter_map(|reason| reason.as_str().map(str::to_owned));
        Ok(Self {
            arguments,
            result: properties(part(json, "result"), &format!("{place}/result"))?,
            failures: failures.collect(),
        })
    }

    fn answers(&self, arguments: &PropertyMap) -> bool {
        let mut expected = self.arguments.iter().flatten();
        expected.all(|(name, value)| arguments.get(name) == Some(value))
    }
}

/// The answer to a call of the function or method with this token.
fn called(
    answers: &BTreeMap<String, Vec<FunctionAnswer>>,
    token: &str,
    arguments: &PropertyMap,
) -> Called {
    let mut answers = answers.get(token).into_iter().flatten();
    match answers.find(|answer| answer.answers(arguments)) {
        None => Called::Unknown,
        Some(FunctionAnswer { failures, result, .. }) if failures.is_empty() => {
            Called::Result(result.clone(), PropertyMap::new())
        }
        Some(FunctionAnswer { failures, .. }) => {
            let failures = failures.iter().cloned();
            let failures = failures.map(|reason| Failure { property: String::new(), reason });
            Called::Failures(failures.collect())
        }
    }
}

/// A request that an offline engine has got, with its answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A resource or component was registered. The answer has the outputs that are not inputs.
    Resource(Box<RegisterResource>, Registered),
    /// A resource was read. The answer has the properties that are not in the request.
    Read(Box<ReadResource>, ReadAnswer),
    /// A function was called.
    Invoke(Box<Invoke>),
    /// A method was called.
    Call(Box<MethodCall>),
    /// The outputs of a component or of the stack were registered.
    Outputs(Urn, PropertyMap),
    /// A hook was registered.
    Hook(String),
}

/// The properties that were asked for, and those of an answer over them.
fn both(asked: &PropertyMap, answered: &PropertyMap) -> PropertyMap {
    let mut all = asked.clone();
    all.extend(answered.clone());
    all
}

/// An engine that is not there, with everything that it was asked.
#[derive(Debug)]
pub struct Offline {
    stack: String,
    project: String,
    /// The URN of the stack.
    root: Urn,
    answers: Answers,
    /// `None` if what it is asked is forgotten.
    events: Option<Mutex<Vec<Event>>>,
    /// The places of the resources by their URNs.
    places: Mutex<FxHashMap<Urn, Option<Span>>>,
}

impl Offline {
    /// An engine for a stack of a project.
    pub fn new(project: &str, stack: &str, answers: Answers) -> Self {
        Self {
            stack: stack.to_owned(),
            project: project.to_owned(),
            root: Urn::of_stack(stack, project),
            answers,
            events: Some(Mutex::default()),
            places: Mutex::default(),
        }
    }

    /// An engine that forgets what it was asked, except for the names of resources. It refuses to
    /// tell the properties of one.
    pub(crate) fn forgetful(project: &str, stack: &str) -> Self {
        Self { events: None, ..Self::new(project, stack, Answers::default()) }
    }

    /// The requests so far, in the order in which they came, which are taken away.
    pub fn take_events(&self) -> Vec<Event> {
        let events = self.events.as_ref().map(|events| locked(events));
        events.map_or_else(Vec::new, |mut events| std::mem::take(&mut *events))
    }

    /// The outputs that the answers have for a resource.
    pub fn answered_outputs(&self, name: &str, kind: &str) -> Option<&PropertyMap> {
        self.answers.resource(name, kind).map(|answer| &answer.outputs)
    }

    /// Records a request.
    fn record(&self, event: impl FnOnce() -> Event) {
        if let Some(events) = &self.events {
            locked(events).push(event());
        }
    }

    /// Gives a URN to a resource, unless another one has it.
    fn take(&self, urn: &Urn, place: Option<Span>) -> Result<(), EngineError> {
        match locked(&self.places).insert(urn.clone(), place) {
            None => Ok(()),
            Some(first) => Err(EngineError::Duplicate(first)),
        }
    }

    fn urn(&self, parent: Option<&Urn>, kind: &str, name: &str) -> Urn {
        // Most resources are children of the stack, whose type does not show.
        let parent = parent.filter(|parent| **parent != self.root);
        let parent = parent.and_then(Urn::qualified_type).unwrap_or_default();
        Urn::new(&self.stack, &self.project, parent, kind, name)
    }

    /// The properties of a resource that was registered or read.
    fn state(&self, urn: &str) -> Result<PropertyMap, EngineError> {
        let Some(events) = &self.events else {
            let message = "the properties of resources are forgotten";
            return Err(EngineError::Failed(message.to_owned()));
        };
        let events = locked(events);
        let mut state = None;
        for event in events.iter() {
            match event {
                Event::Resource(request, answer) if answer.urn.as_str() == urn => {
                    state = Some(both(&request.inputs, &answer.outputs));
                }
                Event::Read(request, answer) if answer.urn.as_str() == urn => {
                    state = Some(both(&request.properties, &answer.properties));
                }
                Event::Outputs(own, outputs) if own.as_str() == urn => {
                    state.get_or_insert_default().extend(outputs.clone());
                }
                _ => {}
            }
        }
        Ok(state.unwrap_or_default())
    }
}

impl Monitor for Offline {
    fn register_resource(&self, request: &RegisterResource) -> Result<Registered, EngineError> {
        let own = self.urn(request.parent.as_ref(), &request.kind, &request.name);
        self.take(&own, request.source)?;
        let shown = request.shown_name.as_ref();
        let urn = shown.map(|name| self.urn(request.parent.as_ref(), &request.kind, name));
        let mut registered = Registered { urn: urn.unwrap_or(own), ..Registered::default() };
        if let Some(answer) = self.answers.resource(&request.name, &request.kind) {
            registered.outputs = answer.outputs.clone();
            registered.id = answer.id.clone().unwrap_or_default();
            if answer.fails {
                registered.outcome = Outcome::Failed;
            }
        }
        let outputs = both(&request.inputs, &registered.outputs);
        self.record(|| {
            let request = RegisterResource {
                name: Arc::clone(shown.unwrap_or(&request.name)),
                shown_name: None,
                ..request.clone()
            };
            Event::Resource(Box::new(request), registered.clone())
        });
        registered.outputs = outputs;
        Ok(registered)
    }

    fn read_resource(&self, request: &ReadResource) -> Result<ReadAnswer, EngineError> {
        let mut properties = PropertyMap::new();
        let name = request.shown_name.as_ref().unwrap_or(&request.name);
        if let Some(answer) = self.answers.resource(&request.name, &request.kind) {
            if answer.fails {
                let message = format!("the answers say that `{name}` fails");
                return Err(EngineError::Failed(message));
            }
            properties = answer.outputs.clone();
        }
        let own = self.urn(request.parent.as_ref(), &request.kind, &request.name);
        self.take(&own, request.source)?;
        let urn = self.urn(request.parent.as_ref(), &request.kind, name);
        let mut answer = ReadAnswer { urn, properties, ..ReadAnswer::default() };
        self.record(|| {
            let shown =
                ReadResource { name: Arc::clone(name), shown_name: None, ..request.clone() };
            Event::Read(Box::new(shown), answer.clone())
        });
        answer.properties = both(&request.properties, &answer.properties);
        Ok(answer)
    }

    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError> {
        if request.token == "pulumi:pulumi:getResource" {
            let urn = request.arguments.get("urn");
            let urn = urn.and_then(|urn| urn.as_text()?.unmarked().as_str());
            let state = urn.map(|urn| self.state(urn)).transpose()?;
            let state = state.unwrap_or_default();
            let result = PropertyMap::from_iter([("state".into(), state.into())]);
            return Ok(Called::Result(result, PropertyMap::new()));
        }
        self.record(|| Event::Invoke(Box::new(request.clone())));
        Ok(called(&self.answers.invokes, &request.token, &request.arguments))
    }

    fn call(&self, request: &MethodCall) -> Result<Called, EngineError> {
        self.record(|| Event::Call(Box::new(request.clone())));
        Ok(called(&self.answers.calls, &request.token, &request.arguments))
    }

    fn register_outputs(&self, urn: &Urn, outputs: &PropertyMap) -> Result<(), EngineError> {
        self.record(|| Event::Outputs(urn.clone(), outputs.clone()));
        Ok(())
    }

    fn register_package(&self, request: &RegisterPackage) -> Result<String, EngineError> {
        Ok(request.name.clone())
    }

    fn register_hook(&self, request: RegisterHook) -> Result<(), EngineError> {
        self.record(|| Event::Hook(request.name));
        Ok(())
    }

    fn require_version(&self, _: &str) -> Result<(), EngineError> {
        Ok(())
    }

    fn finish(&self) -> Result<(), EngineError> {
        Ok(())
    }
}
