//! The components of packages in PCL that a program uses, and the engine that evaluates them: what
//! a deployment asks of a plugin happens in the process.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pcl_binder::{NodeBody, Program};
use pcl_diagnostics::{Diagnostic, SourceMap, Span};
use pcl_eval::monitor::{
    Called, EngineError, ExistsResource, Features, Invoke, MethodCall, Monitor, ReadAnswer,
    ReadResource, RegisterHook, RegisterPackage, RegisterResource, Registered,
};
use pcl_eval::{Constructed, Evaluation, FileContents, NotConstructed, Setup, WrongInput};
use pcl_values::{PropertyMap, Urn};

use crate::component_package::ComponentPackage;
use crate::preview::RunSettings;
use crate::schemas::local_packages;
use crate::workspace::{Checked, Workspace};

/// The components of packages in PCL that a program uses, by their type tokens.
#[derive(Clone, Default)]
pub struct LocalComponents {
    all: HashMap<Arc<str>, Result<Arc<Definition>, String>>,
}

/// A component whose program is checked.
struct Definition {
    program: Arc<Program>,
    sources: SourceMap,
    /// The directory of the component, to which relative paths belong.
    directory: String,
    /// The directory of the package.
    package: String,
}

impl LocalComponents {
    /// The components that a program in `directory` uses, with those that they use themselves. The
    /// project of the program is in `project`.
    pub fn of(
        checked: &Checked,
        workspace: &Workspace,
        directory: &Path,
        project: Option<&Path>,
    ) -> Self {
        let mut components = Self::default();
        components.add(&checked.program, workspace, directory, project);
        components
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The type tokens of those that can be evaluated.
    #[cfg(feature = "state")]
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Arc<str>> + '_ {
        let sound = self.all.iter().filter(|(_, definition)| definition.is_ok());
        sound.map(|(token, _)| Arc::clone(token))
    }

    fn add(
        &mut self,
        program: &Program,
        workspace: &Workspace,
        directory: &Path,
        project: Option<&Path>,
    ) {
        let mut packages: Option<Vec<ComponentPackage>> = None;
        let modules = program.components.iter().map(|component| &component.module);
        for node in modules.chain([&program.module]).flat_map(|module| &module.nodes) {
            let NodeBody::Resource(body) = &node.body else { continue };
            let Some((package, member)) = body.schema else { continue };
            let token = program.schemas.packages().package(package).token(member);
            if self.all.contains_key(token) {
                continue;
            }
            let packages = packages.get_or_insert_with(|| {
                let places = local_packages(Some(directory), project);
                let places = places.iter().map(|place| pcl_system::resolved(place));
                places.filter_map(|place| ComponentPackage::find(&place)).collect()
            });
            let mut found = packages.iter().filter_map(|it| Some((it, it.component(token)?)));
            let Some((package, component)) = found.next() else { continue };
            let checked = package.check(workspace, component);
            let package = package.directory().to_path_buf();
            if !checked.is_valid() {
                self.all.insert(
                    token.into(),
                    Err(first_error(&checked.report.sources, &checked.report.diagnostics)),
                );
                continue;
            }
            let definition = Arc::new(Definition {
                program: Arc::new(checked.program),
                sources: checked.report.sources,
                directory: component.directory.to_string_lossy().into_owned(),
                package: package.to_string_lossy().into_owned(),
            });
            self.all.insert(token.into(), Ok(Arc::clone(&definition)));
            self.add(&definition.program, workspace, &component.directory, Some(&package));
        }
    }
}

/// The first error with its place, and the number of the others, as one line.
fn first_error(sources: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut errors = diagnostics.iter().filter(|it| it.is_error());
    let Some(first) = errors.next() else { return String::from("it was cancelled") };
    let (file, start) = (first.primary.file, first.primary.range.start());
    let place = sources.position(file, start);
    let path = sources.path(file);
    let text = format!("{path}:{}:{}: {}", place.line, place.column, first.message);
    match errors.count() {
        0 => text,
        1 => format!("{text} (and 1 more error)"),
        count => format!("{text} (and {count} more errors)"),
    }
}

/// An engine that is not there, with the plugins of components in PCL.
#[derive(Clone)]
pub(super) struct Engine {
    /// The engine that is asked for everything else.
    pub offline: Arc<dyn Monitor>,
    pub components: Arc<LocalComponents>,
    pub settings: Arc<RunSettings>,
    /// The block of the program that asks for the component that is constructed.
    pub asked_by: Option<Span>,
    /// The types of the components that are being constructed, each within the one before it.
    pub within: Vec<Arc<str>>,
    /// The number of components that were constructed.
    pub count: Arc<AtomicUsize>,
}

/// The most components that a preview constructs. Each has a run of its own, whose limits bound
/// nothing but that, and a few components that use the next one twice make any number.
const MOST: usize = 10_000;

impl Engine {
    /// Constructs a component, if it is one of a package in PCL.
    fn construct(&self, request: &RegisterResource) -> Option<Result<Registered, EngineError>> {
        let definition = self.components.all.get(&request.kind)?;
        let definition = match definition {
            Ok(definition) => definition,
            Err(error) => {
                let message = format!("its program has errors: {error}");
                return Some(Err(EngineError::Failed(message)));
            }
        };
        let refused = |reason: String| Some(Err(EngineError::Failed(reason)));
        if self.within.contains(&request.kind) {
            return refused(format!("a preview makes no `{}` within another one", request.kind));
        }
        if self.count.fetch_add(1, Ordering::Relaxed) >= MOST {
            return refused(format!("a preview makes at most {MOST} components of packages"));
        }
        let asked_by = self.asked_by.or(request.source);
        let within = self.within.iter().chain([&request.kind]).cloned().collect();
        let monitor = Arc::new(Self { asked_by, within, ..self.clone() });
        let evaluation = Evaluation::of_component(
            Setup {
                program: Arc::clone(&definition.program),
                settings: RunSettings {
                    working_directory: definition.directory.clone(),
                    root_directory: definition.package.clone(),
                    config: BTreeMap::new(),
                    ..RunSettings::clone(&self.settings)
                },
                contents: Arc::new(
                    FileContents::new(&definition.directory).with_project(&definition.package),
                ),
                monitor,
                trees: &[],
                variables: Vec::new(),
                nodes: Vec::new(),
            },
            &request.name,
        );
        let (result, _) = evaluation.construct(&request.inputs, |inputs| {
            let request = RegisterResource { inputs: Arc::new(inputs.clone()), ..request.clone() };
            Ok(self.offline.register_resource(&request)?.urn)
        });
        Some(match result {
            Ok(Constructed { urn, outputs }) => {
                Ok(Registered { urn, outputs, ..Registered::default() })
            }
            Err(reason) => Err(EngineError::Failed(definition.reason(reason))),
        })
    }
}

impl Definition {
    /// The reason why a component is not constructed, as a message.
    fn reason(&self, reason: NotConstructed) -> String {
        match reason {
            NotConstructed::Inputs(wrong) => {
                let inputs = wrong.into_iter();
                let inputs =
                    inputs.map(|WrongInput { path, reason }| format!("`{path}`: {reason}"));
                inputs.collect::<Vec<_>>().join("; ")
            }
            NotConstructed::Failed(errors) => {
                format!("its program fails: {}", first_error(&self.sources, &errors))
            }
        }
    }
}

/// Answers of an engine without plugins, but for components.
impl Monitor for Engine {
    fn features(&self) -> Result<Features, EngineError> {
        self.offline.features()
    }

    fn register_resource(&self, request: &RegisterResource) -> Result<Registered, EngineError> {
        if request.is_remote
            && let Some(answer) = self.construct(request)
        {
            return answer;
        }
        match self.asked_by {
            None => self.offline.register_resource(request),
            // Its own place is in a file of the component.
            source => {
                self.offline.register_resource(&RegisterResource { source, ..request.clone() })
            }
        }
    }

    fn read_resource(&self, request: &ReadResource) -> Result<ReadAnswer, EngineError> {
        match self.asked_by {
            None => self.offline.read_resource(request),
            source => self.offline.read_resource(&ReadResource { source, ..request.clone() }),
        }
    }

    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError> {
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
