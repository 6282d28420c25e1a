//! A run: a program, an engine, and what all parts of the evaluation share: the facts that no
//! program decides, and how much may be computed and read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pcl_binder::Program;
use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_language::Function;
use pcl_model::expression::ExprKind;
use pcl_model::types::Symbol;
use pcl_syntax::SyntaxTree;
use pcl_values::{
    Contents, Dependencies, PropertyMap, PropertyValue, ResourceReference, Text, Urn,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::monitor::{Called, EngineError, Features, Invoke, Monitor};
use crate::schema::FactsCache;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Object, Resource, TooLarge, Value};
use crate::wording::{self, Shown};

/// The state that all parts of an evaluation share.
pub(crate) struct Run {
    pub program: Arc<Program>,
    pub settings: Settings,
    pub contents: Arc<dyn Contents + Send + Sync>,
    pub monitor: Arc<dyn Monitor>,
    /// The functions, by the names that the program uses.
    pub functions: FxHashMap<Symbol, Function>,
    /// The texts of files beside the program that their trees normalise.
    other_texts: ExactTexts,

    /// The references of parameterised packages, by package.
    packages: OnceLock<FxHashMap<String, String>>,
    /// The features of the engine, once it has answered.
    features: OnceLock<Features>,
    pub facts: FactsCache,
    pub spent: Spent,
    /// The texts of the program that its trees normalise, collected when one is needed.
    own_texts: OnceLock<ExactTexts>,
    cancelled: AtomicBool,
    /// A limit is exceeded, which is reported once.
    is_exceeded: AtomicBool,
    warnings: Mutex<Vec<Diagnostic>>,
    /// The first places that read files outside of the project, and the marks of the paths, by the
    /// paths.
    outside: Mutex<BTreeMap<String, (Span, Marks)>>,
    fetched: Mutex<FxHashMap<Urn, Arc<Fetched>>>,
    /// The resources whose outputs stay unknown: they failed, or the engine skipped them.
    unfinished: Mutex<FxHashSet<Urn>>,
    unknown_ranges: Mutex<Vec<UnknownRange>>,
}

/// A block whose range is unknown: it may stand for any number of resources, and none of them is
/// registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRange {
    /// The name of the block outside of the program.
    pub name: String,
    /// Set for a component, not a resource.
    pub is_component: bool,
    /// The name in the block.
    pub span: Span,
}

/// The part of a run that another one of the same program begins with.
#[derive(Default)]
pub(crate) struct Carried {
    spent: Spent,
    own_texts: OnceLock<ExactTexts>,
}

/// Texts that a syntax tree normalises, as they are written, by their places.
pub(crate) type ExactTexts = FxHashMap<(FileId, TextRange), Text>;

/// A resource that was asked for, or why it is not known.
type Fetched = OnceLock<Result<Arc<Object>, Stop>>;

impl Run {
    pub fn new(
        program: Arc<Program>,
        settings: Settings,
        contents: Arc<dyn Contents + Send + Sync>,
        monitor: Arc<dyn Monitor>,
        carried: Carried,
    ) -> Self {
        let mut functions = FxHashMap::default();
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::Call(call) = &expr.kind
                && !functions.contains_key(&call.name)
                && let Some(function) = Function::parse(program.types.name(call.name))
            {
                functions.insert(call.name, function);
            }
        }
        Self {
            other_texts: ExactTexts::default(),
            own_texts: carried.own_texts,
            program,
            settings,
            contents,
            monitor,
            functions,
            packages: OnceLock::new(),
            features: OnceLock::new(),
            facts: FactsCache::default(),
            spent: carried.spent,
            cancelled: AtomicBool::new(false),
            is_exceeded: AtomicBool::new(false),
            warnings: Mutex::default(),
            outside: Mutex::default(),
            fetched: Mutex::default(),
            unfinished: Mutex::default(),
            unknown_ranges: Mutex::default(),
        }
    }

    /// The same with files beside the program.
    pub fn with_files(mut self, files: &[(FileId, &SyntaxTree)]) -> Self {
        self.other_texts = exact_texts(files.iter().copied());
        self
    }

    /// The part of the run that another one of the same program begins with.
    pub fn into_carried(self) -> Carried {
        Carried { spent: self.spent, own_texts: self.own_texts }
    }

    /// The text of a program as it is written, if its tree normalises it.
    pub fn exact_text(&self, place: (FileId, TextRange)) -> Option<&Text> {
        let own = || exact_texts(files(&self.program));
        let own = self.own_texts.get_or_init(own).get(&place);
        own.or_else(|| self.other_texts.get(&place))
    }

    /// Sets the references of parameterised packages.
    pub fn set_packages(&self, packages: FxHashMap<String, String>) {
        _ = self.packages.set(packages);
    }

    /// Asks the engine for its features.
    pub fn ask_features(&self, span: Span) -> Result<(), Stop> {
        let features = self.answered(self.monitor.features(), span)?;
        _ = self.features.set(features);
        Ok(())
    }

    /// The features of the engine; none before it was asked.
    pub fn features(&self) -> Features {
        self.features.get().copied().unwrap_or_default()
    }

    /// Notes a resource whose outputs stay unknown.
    pub fn leave_unfinished(&self, urn: &Urn) {
        locked(&self.unfinished).insert(urn.clone());
    }

    /// Returns true if one of these resources has outputs that stay unknown, so that the engine
    /// skips what depends on them.
    pub fn are_unfinished(&self, dependencies: &Dependencies) -> bool {
        let unfinished = locked(&self.unfinished);
        dependencies.iter().any(|urn| unfinished.contains(urn))
    }

    /// The reference of the package that a token belongs to; empty if it is not parameterised.
    pub fn package_of(&self, token: &str) -> String {
        let Some(packages) = self.packages.get().filter(|packages| !packages.is_empty()) else {
            return String::new();
        };
        let package = match token.strip_prefix("pulumi:providers:") {
            Some(package) => package,
            None => token.split(':').next().unwrap_or_default(),
        };
        packages.get(package).cloned().unwrap_or_default()
    }

    /// The symbol of a function, if the program uses it.
    pub fn symbol(&self, function: Function) -> Option<Symbol> {
        let mut used = self.functions.iter();
        used.find_map(|(&symbol, &used)| (used == function).then_some(symbol))
    }

    /// Fails once the run is cancelled.
    pub fn unless_cancelled(&self) -> Result<(), Stop> {
        if self.cancelled.load(Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// Ends the run: requests that are under way, and loops.
    pub fn cancel(&self) {
        if !self.cancelled.swap(true, Relaxed) {
            self.monitor.cancel();
        }
    }

    /// Reports something that does not end the run.
    pub fn warn(&self, diagnostic: Diagnostic) {
        locked(&self.warnings).push(diagnostic);
    }

    /// Notes a block whose range is unknown, once.
    pub fn note_unknown_range(&self, range: UnknownRange) {
        let mut known = locked(&self.unknown_ranges);
        if !known.contains(&range) {
            known.push(range);
        }
    }

    /// The blocks so far whose ranges are unknown, which are taken away, in the order of the text.
    pub fn take_unknown_ranges(&self) -> Vec<UnknownRange> {
        let mut ranges = std::mem::take(&mut *locked(&self.unknown_ranges));
        ranges.sort_by_key(|range| (range.span.file, range.span.range.start()));
        ranges
    }

    /// Ends the run because a limit is exceeded, which is reported once. A trial for any stack has
    /// limits of its own, which say nothing about a run.
    pub fn exceeded(&self, diagnostic: Diagnostic) -> Stop {
        if !self.is_exceeded.swap(true, Relaxed) && !self.settings.any_stack {
            self.warn(diagnostic);
        }
        self.cancel();
        Stop::Cancelled
    }

    /// Returns true if a limit has ended the run.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Relaxed)
    }

    /// Reports that a file outside of the project is read, whose path has these marks: once for
    /// each file, at the first place.
    pub fn read_outside(&self, path: &str, span: Span, marks: &Marks) {
        let mut outside = locked(&self.outside);
        let first = outside.entry(path.to_owned()).or_insert_with(|| (span, Marks::NONE));
        first.0 = first.0.min(span);
        first.1.add(marks);
    }

    /// The warnings so far, which are taken away.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = std::mem::take(&mut *locked(&self.warnings));
        let outside = std::mem::take(&mut *locked(&self.outside)).into_iter();
        warnings.extend(
            outside.map(|(path, (span, marks))| outside_project(span, &Shown::text(&path, &marks))),
        );
        warnings
    }

    /// The fields of an object or resource.
    pub fn object<'v>(&self, value: &'v Value, span: Span) -> Result<Option<&'v Object>, Stop> {
        match &value.kind {
            Kind::Object(object) => Ok(Some(object)),
            Kind::Resource(resource) => self.fields(resource, span).map(Some),
            _ => Ok(None),
        }
    }

    /// The properties of a resource, which are fetched if only a reference to it is known.
    pub fn fields<'v>(&self, resource: &'v Resource, span: Span) -> Result<&'v Object, Stop> {
        resource.fields(|| self.fetch(&resource.reference, span))
    }

    /// Fetches the resources that an answer refers to, as Pulumi's own host does: it is by these
    /// requests that the provider of `pulumi:pulumi:getResource` gets into the state. A
    /// resource that cannot be fetched is an error only where one of its properties is read.
    pub fn fetch_referred(&self, answer: &PropertyMap, span: Span) {
        for reference in answer.values().flat_map(PropertyValue::references) {
            _ = self.fetch(reference, span);
        }
    }

    /// The properties of a resource, for which the engine is asked once in a run.
    fn fetch(&self, reference: &ResourceReference, span: Span) -> Result<Arc<Object>, Stop> {
        let fetched = Arc::clone(locked(&self.fetched).entry(reference.urn.clone()).or_default());
        fetched.get_or_init(|| self.ask(reference, span)).clone()
    }

    /// Asks the engine for the properties of a resource.
    fn ask(&self, reference: &ResourceReference, span: Span) -> Result<Arc<Object>, Stop> {
        let urn = &reference.urn;
        let request = Invoke {
            token: String::from("pulumi:pulumi:getResource"),
            arguments: PropertyMap::from_iter([("urn".into(), urn.as_str().into())]),
            accepts_resources: true,
            ..Invoke::default()
        };
        let answer = self.answered(self.monitor.invoke(&request), span)?;
        let malformed = || malformed_resource(span, urn);
        let Called::Result(mut answer, _) = answer else { return Err(malformed().into()) };
        let Some(PropertyValue::Object(state)) = answer.remove("state") else {
            return Err(malformed().into());
        };
        let state = state.iter();
        let state = state.map(|(name, value)| Ok((Arc::clone(name), Value::from_property(value)?)));
        let own: [(&str, Value); 4] = [
            ("id", Value::of_id(&reference.id)),
            ("urn", urn.as_str().into()),
            ("__name", urn.name().unwrap_or_default().into()),
            ("__type", urn.resource_type().unwrap_or_default().into()),
        ];
        let own = own.map(|(name, value)| Ok((name.into(), value)));
        let fields = state.chain(own).collect::<Result<_, TooLarge>>().and_then(Object::new);
        fields.map(Arc::new).map_err(|error| wording::too_large(span, error).into())
    }

    /// The answer of the engine, or the reason why there is none.
    pub fn answered<T>(&self, answer: Result<T, EngineError>, span: Span) -> Result<T, Stop> {
        answer.map_err(|error| match error {
            EngineError::Cancelled => Stop::Cancelled,
            EngineError::Failed(message) => failed(span, &message).into(),
            EngineError::Duplicate(first) => duplicate(span, first).into(),
        })
    }
}

/// The facts of a run that the user and the engine decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The name of the project.
    pub project: String,
    /// The name of the stack.
    pub stack: String,
    /// The organisation; empty if there is none.
    pub organization: String,
    /// The directory of the project file; empty if there is none.
    pub root_directory: String,
    /// The directory in which the program runs; relative paths belong to it.
    pub working_directory: String,
    /// Nothing is changed: ids and many outputs are unknown.
    pub is_preview: bool,
    /// The number of nodes that are evaluated at once; 0 for any number.
    pub parallel: usize,
    /// After an error, everything that does not need it is evaluated all the same, so that all
    /// errors are found. Only an engine that changes nothing should be asked to.
    pub keeps_going: bool,
    /// There is no engine: what a resource has besides its inputs is unknown.
    pub is_offline: bool,
    /// The program is tried for any stack: facts about the stack, and configuration that is not
    /// given, are unknown.
    pub any_stack: bool,
    /// Configuration that is not given, and has no default, is unknown.
    pub unknown_config: bool,
    /// Only the failures of the run count: resources are registered without their inputs, and get
    /// their properties when one of them is read.
    pub defers_resources: bool,
    /// The configuration by key, `project:name`.
    pub config: BTreeMap<String, ConfigEntry>,
    /// The environment variables from which schemas take defaults.
    pub environment: BTreeMap<String, String>,
    /// The most that the run may spend.
    pub limits: Limits,
}

/// A configured value.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigEntry {
    /// The text; `None` if it is encrypted and the key is not known.
    pub text: Option<Text>,
    /// The value must not be shown.
    pub is_secret: bool,
}

/// Shows no value that is secret.
impl std::fmt::Debug for ConfigEntry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.text, self.is_secret) {
            (_, true) => out.write_str("[secret]"),
            (Some(text), false) => std::fmt::Debug::fmt(&text.unmarked().to_string(), out),
            (None, false) => out.write_str("[encrypted]"),
        }
    }
}

/// The steps that a part of a list or object costs when it is made, about its bytes by ten.
const PART: u64 = 8;

/// The steps that a part of an input costs, of which a request, its answer and a value have copies.
const SENT: u64 = 32;

/// The parts of the inputs of a block that cost nothing.
pub(crate) const FREE: usize = 64;

/// The bytes of a string that cost a step when it is made.
const BYTES: u64 = 16;

/// The steps that a request to the engine costs besides its inputs.
pub(crate) const REQUEST: u64 = 256;

/// The most that a run may spend. A program that reaches a limit fails (PCL1007), and the run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: an expression that is evaluated is one, and what takes memory costs several, so that
    /// the memory of a run is limited, too.
    pub steps: u64,
    /// Files that functions and archives read.
    pub files: u64,
    /// Bytes of these files.
    pub bytes: u64,
}

impl Limits {
    /// No limits but the memory, for the language host: a deployment ends when its user ends it.
    pub const NONE: Self = Self { steps: u64::MAX, files: u64::MAX, bytes: u64::MAX };
}

/// Limits that no real program reaches: a second of work and less than 300 MB.
impl Default for Limits {
    fn default() -> Self {
        Self { steps: 1 << 25, files: 100_000, bytes: 1 << 30 }
    }
}

/// The part of the budget that a run has spent.
#[derive(Default)]
pub(crate) struct Spent {
    steps: AtomicU64,
    pub files: AtomicU64,
    pub bytes: AtomicU64,
}

impl Run {
    /// Takes steps from the budget.
    ///
    /// # Errors
    /// Ends the run if there are not so many left.
    pub fn spend(&self, steps: u64, span: impl FnOnce() -> Span) -> Result<(), Stop> {
        let limit = self.settings.limits.steps;
        let before = self.spent.steps.fetch_add(steps, Relaxed);
        if before.saturating_add(steps) > limit {
            let message = format!("the run takes more than {limit} steps here");
            Err(self.exceeded(wording::exceeded(span(), message, "max-steps")))
        } else {
            Ok(())
        }
    }

    /// Takes the steps that a value costs without the parts of its parts.
    pub fn spend_value(&self, value: &Value, span: impl FnOnce() -> Span) -> Result<(), Stop> {
        let steps = match &value.kind {
            Kind::List(list) => PART * list.elements().len() as u64,
            Kind::Object(object) => PART * object.len() as u64,
            Kind::String(text) => text.len() as u64 / BYTES,
            _ => 0,
        };
        if steps == 0 { Ok(()) } else { self.spend(steps, span) }
    }

    /// Takes the steps that a request with these values costs.
    pub fn spend_request(
        &self,
        sent: &PropertyMap,
        span: impl FnOnce() -> Span,
    ) -> Result<(), Stop> {
        let parts: usize = sent.values().map(PropertyValue::count).sum();
        self.spend(REQUEST + SENT * parts as u64, span)
    }

    /// Takes the steps that an input of a resource costs, before it is made. Of a block that makes
    /// one resource, `free` parts cost nothing: they are as many as its text is long.
    pub fn spend_input(
        &self,
        value: &Value,
        free: &mut usize,
        span: impl FnOnce() -> Span,
    ) -> Result<(), Stop> {
        let parts = value.count() + 1;
        let paid = parts.saturating_sub(*free);
        *free = free.saturating_sub(parts);
        if paid == 0 { Ok(()) } else { self.spend(SENT * paid as u64, span) }
    }
}

/// The content of a mutex. One that was locked when a thread panicked is used on.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files of a program and of its components.
fn files(program: &Program) -> impl Iterator<Item = (FileId, &SyntaxTree)> {
    let components = program.components.iter();
    let modules = components.map(|component| &component.module);
    modules.chain([&program.module]).flat_map(|module| {
        let trees = module.trees.iter().map(AsRef::as_ref);
        module.files.iter().copied().zip(trees)
    })
}

/// The texts of files that normalisation changes.
fn exact_texts<'t>(files: impl Iterator<Item = (FileId, &'t SyntaxTree)>) -> ExactTexts {
    let texts = files.flat_map(|(file, tree)| {
        let texts = pcl_syntax::ast::exact_texts(tree).into_iter();
        texts.map(move |(range, text)| ((file, range), text.into()))
    });
    texts.collect()
}

/// The engine or a provider fails.
fn failed(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(Code::EngineError, span, message)
}

/// A resource with the URN of another one, which is declared in another place or the same one.
fn duplicate(span: Span, first: Option<Span>) -> Diagnostic {
    let message = "another resource has the same type, parent and name";
    let diagnostic = Diagnostic::error(Code::DuplicateUrn, span, message)
        .note("the URN of a resource, which these make, must be unique in its stack")
        .help("give one of them another name with `__logicalName`");
    match first {
        Some(first) if first != span => diagnostic.label(first, "the other one"),
        _ => diagnostic,
    }
}

/// The properties of a resource that another one refers to cannot be read.
fn malformed_resource(span: Span, urn: &Urn) -> Diagnostic {
    let message = format!("the engine does not give the properties of `{urn}`");
    Diagnostic::error(Code::EngineError, span, message)
}

/// The program reads a file outside of its project.
fn outside_project(span: Span, path: &Shown) -> Diagnostic {
    let path = path.or("a secret path");
    let message = format!("the program reads {path}, which is outside of the project");
    Diagnostic::warning(Code::ReadOutsideProject, span, message)
        .ours()
        .help("run only programs that you trust with the files that you can read")
}
