//! A run: a program, an engine, and what all parts of the evaluation share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pcl_binder::Program;
use pcl_diagnostics::{Code, Diagnostic, FileId, Span, TextRange};
use pcl_language::Function;
use pcl_model::expression::ExprKind;
use pcl_model::types::Symbol;
use pcl_syntax::SyntaxTree;
use pcl_values::{Contents, PropertyMap, PropertyValue, ResourceReference, Text, Urn};
use rustc_hash::FxHashMap;

use crate::budget::Spent;
use crate::monitor::{EngineError, Invoke, Invoked, Monitor};
use crate::schema::facts::FactsCache;
use crate::settings::Settings;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Marks, Object, Resource, Value};
use crate::wording;

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
    pub facts: FactsCache,
    pub spent: Spent,
    /// The texts of the program that its trees normalise, collected when one is needed.
    own_texts: OnceLock<ExactTexts>,
    cancelled: AtomicBool,
    /// A limit is exceeded, which is reported once.
    is_exceeded: AtomicBool,
    warnings: Mutex<Vec<Diagnostic>>,
    /// The first places that read files outside of the project, by the paths of these.
    outside: Mutex<BTreeMap<String, (Span, Shown)>>,
    fetched: Mutex<FxHashMap<Urn, Arc<Fetched>>>,
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
            facts: FactsCache::default(),
            spent: carried.spent,
            cancelled: AtomicBool::new(false),
            is_exceeded: AtomicBool::new(false),
            warnings: Mutex::default(),
            outside: Mutex::default(),
            fetched: Mutex::default(),
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
        if self.cancelled.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }

    /// Ends the run: requests that are under way, and loops.
    pub fn cancel(&self) {
        if !self.cancelled.swap(true, Ordering::Relaxed) {
            self.monitor.cancel();
        }
    }

    /// Reports something that does not end the run.
    pub fn warn(&self, diagnostic: Diagnostic) {
        let warnings = self.warnings.lock();
        warnings.unwrap_or_else(PoisonError::into_inner).push(diagnostic);
    }

    /// Ends the run because a limit is exceeded, which is reported once. A trial for any stack has
    /// limits of its own, which say nothing about a run.
    pub fn exceeded(&self, diagnostic: Diagnostic) -> Stop {
        if !self.is_exceeded.swap(true, Ordering::Relaxed) && !self.settings.any_stack {
            self.warn(diagnostic);
        }
        self.cancel();
        Stop::Cancelled
    }

    /// Returns true if a limit has ended the run.
    pub fn is_exceeded(&self) -> bool {
        self.is_exceeded.load(Ordering::Relaxed)
    }

    /// Reports that a file outside of the project is read, whose path has these marks: once for
    /// each file, at the first place.
    pub fn read_outside(&self, path: &str, span: Span, marks: &Marks) {
        let mut outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = Shown::text(path, marks);
        match outside.get_mut(path) {
            None => _ = outside.insert(path.to_owned(), (span, shown)),
            Some(first) => {
                let is_secret = first.1.is_secret() || shown.is_secret();
                if span < first.0 {
                    *first = (span, shown);
                }
                if is_secret {
                    first.1 = Shown::text(path, &Marks::secret());
                }
            }
        }
    }

    /// The warnings so far.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        let warnings = self.warnings.lock();
        let mut warnings = std::mem::take(&mut *warnings.unwrap_or_else(PoisonError::into_inner));
        let outside = self.outside.lock();
        let outside = std::mem::take(&mut *outside.unwrap_or_else(PoisonError::into_inner));
        let outside = outside.into_values();
        warnings.extend(outside.map(|(span, path)| outside_project(span, &path)));
        warnings
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
        let fetched = {
            let mut fetched = self.fetched.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(fetched.entry(reference.urn.clone()).or_default())
        };
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
        let Invoked::Result(mut answer) = answer else {
            return Err(malformed().into());
        };
        let Some(PropertyValue::Object(state)) = answer.remove("state") else {
            return Err(malformed().into());
        };
        let object = Object::from_properties(&state);
        let object = object.map_err(|error| wording::too_large(span, error))?;
        let mut fields: Vec<(Arc<str>, Value)> =
            object.iter().map(|(name, value)| (Arc::clone(name), value.clone())).collect();
        fields.push(("id".into(), Value::of_id(&reference.id)));
        fields.push(("urn".into(), urn.as_str().into()));
        fields.push(("__name".into(), urn.name().unwrap_or_default().into()));
        fields.push(("__type".into(), urn.resource_type().unwrap_or_default().into()));
        let object = Object::new(fields);
        let object = object.map_err(|error| wording::too_large(span, error))?;
        Ok(Arc::new(object))
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
