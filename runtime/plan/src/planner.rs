//! The engine that plans: it answers a program as an engine would that has the state, and keeps the
//! steps.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pcl_eval::monitor::{
    Called, EngineError, ExistsResource, Features, Invoke, MethodCall, Monitor, ReadAnswer,
    ReadResource, RegisterHook, RegisterPackage, RegisterResource, Registered,
};
use pcl_eval::{Answers, ConfigEntry, Event, Offline, UnknownRange};
use pcl_values::{PropertyMap, Urn};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{NoSchemas, Package, Schemas};
use crate::generator::{Answer, Generator};
use crate::goals::Goals;
use crate::names::Names;
use crate::options::Options;
use crate::plan::Plan;
use crate::prior::Prior;

/// The facts of a plan.
#[derive(Clone)]
pub struct Setup {
    /// The name of the project.
    pub project: String,
    /// The name of the stack.
    pub stack: String,
    /// The answers of providers.
    pub answers: Answers,
    /// The resources of the state.
    pub prior: Arc<Prior>,
    /// The options.
    pub options: Options,
    /// The schemas of the program.
    pub schemas: Arc<dyn Schemas>,
    /// The packages of the program.
    pub packages: Vec<Package>,
    /// The configuration by key, `project:name`, of which default providers take theirs.
    pub config: BTreeMap<String, ConfigEntry>,
    /// The types of components of packages whose programs are evaluated with this one.
    pub constructed: FxHashSet<Arc<str>>,
}

impl Setup {
    /// The facts of a plan without anything else than a state.
    pub fn new(project: &str, stack: &str, prior: Prior) -> Self {
        Self {
            project: project.to_owned(),
            stack: stack.to_owned(),
            answers: Answers::default(),
            prior: Arc::new(prior),
            options: Options::default(),
            schemas: Arc::new(NoSchemas),
            packages: Vec::new(),
            config: BTreeMap::new(),
            constructed: FxHashSet::default(),
        }
    }
}

/// An engine that is not there, and plans.
pub struct Planner {
    offline: Offline,
    state: Mutex<State>,
}

struct State {
    generator: Generator,
    goals: Goals,
    answered: FxHashMap<Urn, Answer>,
}

impl Planner {
    /// An engine with a state.
    pub fn new(setup: Setup) -> Self {
        let offline = Offline::new(&setup.project, &setup.stack, setup.answers);
        let names = Names { project: setup.project, stack: setup.stack };
        let goals = Goals::new(names.clone(), setup.packages, setup.config, setup.constructed);
        let generator = Generator::new(setup.prior, names, setup.options, setup.schemas);
        let state = State { generator, goals, answered: FxHashMap::default() };
        Self { offline, state: Mutex::new(state) }
    }

    /// The requests so far, which are taken away.
    pub fn take_events(&self) -> Vec<Event> {
        self.offline.take_events()
    }

    /// Ends the plan after the program has been evaluated: to its end, if it is complete. The
    /// blocks whose ranges are unknown have registered nothing.
    pub fn finish_plan(&self, is_complete: bool, unknown_ranges: Vec<UnknownRange>) -> Plan {
        let mut state = self.lock();
        if is_complete {
            let unranged = unknown_ranges.iter().map(|range| &*range.name).collect();
            state.generator.delete_rest(&unranged);
        }
        Plan {
            steps: std::mem::take(&mut state.generator.steps),
            notices: std::mem::take(&mut state.generator.notices),
            prior: Arc::clone(&state.generator.prior),
            unknown_ranges,
            is_complete,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The properties of a resource that the state has, and the program has not changed.
    fn known_properties(&self, urn: &Urn) -> Option<PropertyMap> {
        let state = self.lock();
        let urn = state.goals.own(urn);
        let at = match state.answered.get(&urn) {
            Some(Answer::Same(at)) => *at,
            Some(_) => return None,
            None => state.generator.prior.find(&urn)?,
        };
        state.generator.prior.get(at).map(|old| old.outputs.clone())
    }
}

impl State {
    /// The outputs of a resource that changes: its inputs, and what stays by the schema.
    fn updated(&self, request: &RegisterResource, at: usize) -> PropertyMap {
        let mut outputs = PropertyMap::clone(&request.inputs);
        if let Some(old) = self.generator.prior.get(at) {
            let facts = self.generator.facts(&request.kind);
            let stable = facts.iter().flat_map(|facts| &facts.stable);
            for name in stable {
                if let Some(value) = old.outputs.get(&**name) {
                    outputs.insert(name.as_str().into(), value.clone());
                }
            }
        }
        outputs
    }
}

impl Monitor for Planner {
    fn features(&self) -> Result<Features, EngineError> {
        self.offline.features()
    }

    fn register_resource(&self, request: &RegisterResource) -> Result<Registered, EngineError> {
        let mut registered = self.offline.register_resource(request)?;
        let mut state = self.lock();
        let State { generator, goals, answered } = &mut *state;
        let goal = goals.of(request, &registered.urn, generator);
        let answer = generator.register(&goal);
        if goal.is_plugin {
            generator.plugins.insert(goal.urn.clone());
        }
        answered.insert(goal.urn.clone(), answer.clone());
        let has_outputs = goal.is_custom || goal.is_plugin;
        let (at, outputs) = match answer {
            Answer::Same(at) => {
                let outputs = generator.prior.get(at).map(|old| old.outputs.clone());
                (at, outputs.unwrap_or_default())
            }
            Answer::Updated(at) => (at, state.updated(request, at)),
            Answer::New => return Ok(registered),
        };
        if !has_outputs {
            return Ok(registered);
        }
        registered.outputs = outputs;
        if let Some(given) = self.offline.answered_outputs(&request.name, &request.kind) {
            registered.outputs.extend(given.clone());
        }
        if registered.id.is_empty()
            && let Some(old) = state.generator.prior.get(at)
        {
            registered.id.clone_from(&old.id);
        }
        Ok(registered)
    }

    fn read_resource(&self, request: &ReadResource) -> Result<ReadAnswer, EngineError> {
        let mut read = self.offline.read_resource(request)?;
        let mut state = self.lock();
        let State { generator, goals, answered } = &mut *state;
        let goal = goals.of_read(request, &read.urn, generator);
        let answer = generator.read(&goal, request.id.as_deref());
        answered.insert(goal.urn.clone(), answer.clone());
        if let Answer::Same(at) = answer
            && let Some(old) = generator.prior.get(at)
        {
            let given = std::mem::replace(&mut read.properties, old.outputs.clone());
            read.properties.extend(given);
            if read.id.is_empty() {
                read.id.clone_from(&old.id);
            }
        }
        Ok(read)
    }

    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError> {
        if request.token == "pulumi:pulumi:getResource" {
            let urn = request.arguments.get("urn");
            let urn = urn.and_then(|urn| urn.as_text()?.unmarked().as_str());
            if let Some(state) = urn.and_then(|urn| self.known_properties(&Urn::from(urn))) {
                let result = PropertyMap::from_iter([("state".into(), state.into())]);
                return Ok(Called::Result(result, PropertyMap::new()));
            }
        } else {
            let mut state = self.lock();
            let State { generator, goals, .. } = &mut *state;
            goals.of_invoke(request, generator);
        }
        self.offline.invoke(request)
    }

    fn call(&self, request: &MethodCall) -> Result<Called, EngineError> {
        self.offline.call(request)
    }

    fn exists_resource(&self, request: &ExistsResource) -> Result<Option<bool>, EngineError> {
        self.offline.exists_resource(request)
    }

    fn register_outputs(&self, urn: &Urn, outputs: &PropertyMap) -> Result<(), EngineError> {
        self.offline.register_outputs(urn, outputs)
    }

    fn register_package(&self, request: &RegisterPackage) -> Result<String, EngineError> {
        self.offline.register_package(request)
    }

    fn register_hook(&self, request: RegisterHook) -> Result<(), EngineError> {
        self.offline.register_hook(request)
    }

    fn require_version(&self, range: &str) -> Result<(), EngineError> {
        self.offline.require_version(range)
    }

    fn finish(&self) -> Result<(), EngineError> {
        self.offline.finish()
    }
}
