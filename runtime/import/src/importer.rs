//! From the resources of a state to the blocks of a program.
//!
//! The rules, with examples: `tests/spec/import/importer.md`.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, FileId, MissingSchema, Severity, Span, TextRange};
use pcl_language::ResourceOption;
use pcl_schema::{
    Loader, MemberId, Package, Primitive, PropertySpec, Section, TypeKind, builtin_package,
};
use pcl_state::json::Value;
use pcl_state::{Keys, Resource};
use pcl_values::Urn;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Request;
use crate::block::{Block, Config, Expr};
use crate::names::Names;
use crate::place::{Place, Step};
use crate::providers::{PackageUse, Providers};
use crate::references::Sources;
use crate::schemas::Schemas;
use crate::select::{Declared, Selection, is_remote, is_stack_reference};

/// The schema of a resource.
#[derive(Clone)]
pub(crate) enum Schema {
    /// A member of a package.
    Member(Arc<Package>, MemberId),
    /// None that is known, which is allowed.
    Dynamic,
    /// None that is known, which was reported.
    Missing,
}

/// Writes the resources of a state.
pub(crate) struct Importer<'s, 'l> {
    pub file: FileId,
    pub request: &'l Request<'l>,
    pub keys: Option<&'l Keys>,
    pub selection: Selection<'s>,
    providers: Providers<'s>,
    pub schemas: Schemas<'l>,
    pub sources: Sources<'s>,
    pub names: Names,
    /// The labels of the resources of the program.
    pub labels: Vec<String>,
    /// The URNs of the resources of the program.
    pub urns: Vec<Cow<'s, str>>,
    /// The place in the program of each resource, or of the one around it that is in the program.
    places: FxHashMap<Cow<'s, str>, usize>,
    pub configs: Vec<Config>,
    pub diagnostics: Vec<Diagnostic>,
    /// The schemas by package and type.
    found: FxHashMap<(String, Option<String>, String), Schema>,
    reported: FxHashSet<String>,
}

impl<'s, 'l> Importer<'s, 'l> {
    pub fn new(
        file: FileId,
        selection: Selection<'s>,
        request: &'l Request<'l>,
        loader: &'l dyn Loader,
    ) -> Self {
        let mut names = Names::default();
        let (mut labels, mut urns) = (Vec::new(), Vec::new());
        let mut places = FxHashMap::default();
        for (place, at) in selection.written.iter().enumerate() {
            let Some(resource) = selection.all.get(*at) else { continue };
            let urn = resource.urn();
            let wanted = match request.names.get(&*urn) {
                Some(label) => label.clone(),
                None => resource.name(),
            };
            let kind = resource.kind();
            labels.push(names.give(&wanted, kind.rsplit(':').next().unwrap_or_default()));
            places.insert(urn.clone(), place);
            urns.push(urn);
        }
        // Resources that are not in the program have the place of the component around them.
        for (at, resource) in selection.all.iter().enumerate() {
            let parent = resource.parent().and_then(|urn| places.get(&urn).copied());
            if selection.declared.get(at) == Some(&Declared::Not)
                && let Some(place) = parent
            {
                places.entry(resource.urn()).or_insert(place);
            }
        }
        Self {
            file,
            request,
            keys: request.secrets,
            providers: Providers::new(selection.all.iter().copied()),
            schemas: Schemas::new(loader),
            sources: Sources::default(),
            names,
            labels,
            urns,
            places,
            configs: Vec::new(),
            diagnostics: Vec::new(),
            found: FxHashMap::default(),
            reported: FxHashSet::default(),
            selection,
        }
    }

    pub fn span(&self, value: Value<'_>) -> Span {
        Span::new(self.file, value.range())
    }

    /// The place in the program of a resource, or of the component that makes it.
    pub fn place_of(&self, urn: &str) -> Option<usize> {
        self.places.get(urn).copied()
    }

    /// The blocks of all resources, in the order of the state.
    pub fn blocks(&mut self) -> Vec<Block> {
        let resources: Vec<(usize, Resource<'s>, Declared)> = self
            .selection
            .written
            .iter()
            .filter_map(|at| {
                let declared = self.selection.declared.get(*at)?;
                Some((*at, *self.selection.all.get(*at)?, *declared))
            })
            .collect();
        for (place, (_, resource, declared)) in resources.iter().enumerate() {
            if *declared != Declared::Component {
                let package = self.providers.package_of(*resource);
                let schema = self.schema(*resource, &package);
                self.sources.add(place, *resource, |output| schema.has_output(output));
            }
        }
        let mut blocks = Vec::with_capacity(resources.len());
        let mut versions: FxHashMap<String, PackageUse> = FxHashMap::default();
        for (place, (at, resource, declared)) in resources.into_iter().enumerate() {
            let block = match declared {
                Declared::Component => self.component(place, resource),
                _ => self.resource(place, resource, declared, &mut versions),
            };
            if let Some(mut block) = block {
                if is_remote(resource)
                    && let Some(count) = self.selection.made.get(&at)
                {
                    block.comment = Some(remote_component(*count));
                }
                blocks.push(block);
            }
        }
        blocks
    }

    fn place(&self, at: usize, resource: Resource<'s>) -> Place<'s> {
        Place {
            at,
            resource,
            urn: resource.urn().into_owned(),
            path: Vec::new(),
            fills_constants: self.selection.declared.get(at) != Some(&Declared::Read),
            span: None,
        }
    }

    fn block(&mut self, at: usize, resource: Resource<'s>) -> Block {
        self.check_urn(resource);
        let label = self.labels.get(at).cloned().unwrap_or_default();
        let name = resource.name();
        Block {
            place: at,
            keyword: "resource",
            token: Some(resource.kind().into_owned()),
            logical_name: (label != name).then_some(name),
            label,
            comment: None,
            package: None,
            first_config: self.configs.len(),
            attributes: Vec::new(),
            options: Vec::new(),
            range: None,
        }
    }

    /// Reports a resource to which the engine will give another URN.
    fn check_urn(&mut self, resource: Resource<'s>) {
        let urn = Urn::from(&*resource.urn());
        let parent = resource.parent().map(|parent| Urn::from(&*parent));
        let around = parent.as_ref().and_then(Urn::qualified_type).unwrap_or_default();
        let (Some(stack), Some(project)) = (urn.stack(), urn.project()) else { return };
        let given = Urn::new(stack, project, around, &resource.kind(), &resource.name());
        if given != urn {
            let field = resource.value().get("urn").unwrap_or(resource.value());
            let span = self.span(field);
            let diagnostic = other_urn(span, urn.as_str(), given.as_str());
            self.diagnostics.push(diagnostic);
        }
    }

    /// A component whose program is not known.
    fn component(&mut self, at: usize, resource: Resource<'s>) -> Option<Block> {
        let mut block = self.block(at, resource);
        block.keyword = "component";
        block.comment = Some(LOCAL_COMPONENT.to_owned());
        let token = block.token.take().unwrap_or_default();
        block.attributes.push(("token".to_owned(), Expr::Text(token)));
        let mut place = self.place(at, resource);
        if let Some(inputs) = resource.inputs() {
            block.attributes.extend(self.dynamic(&mut place, inputs));
        }
        block.options = self.options(at, resource, &block, None)?;
        Some(block)
    }

    fn resource(
        &mut self,
        at: usize,
        resource: Resource<'s>,
        declared: Declared,
        versions: &mut FxHashMap<String, PackageUse>,
    ) -> Option<Block> {
        let package = self.providers.package_of(resource);
        let schema = self.schema(resource, &package);
        let mut block = self.block(at, resource);
        let mut place = self.place(at, resource);
        let inputs = resource.inputs();
        match &schema {
            Schema::Missing => return None,
            Schema::Dynamic => {
                if let Some(inputs) = inputs {
                    block.attributes = self.dynamic(&mut place, inputs);
                }
            }
            Schema::Member(package, member) => {
                let spec = package.resource_by_id(*member).ok().flatten().cloned();
                let spec = spec.unwrap_or_default();
                let properties = match declared {
                    Declared::Read => &spec.state_inputs.clone().unwrap_or_default(),
                    _ => &spec.inputs,
                };
                if let Some(inputs) = inputs {
                    block.attributes =
                        self.properties(&mut place, package, *member, properties, inputs);
                }
            }
        }
        if is_stack_reference(resource) {
            name_of_stack(resource, &mut block);
        }
        if declared == Declared::Read {
            block.keyword = "read";
            let id = resource.id().unwrap_or_default().into_owned();
            block.attributes.insert(0, ("id".to_owned(), Expr::Text(id)));
        }
        let mut other_version = None;
        if package.name != "pulumi" && !matches!(schema, Schema::Missing) {
            match versions.get(&package.name) {
                None => {
                    versions.insert(package.name.clone(), package.clone());
                    block.package = Some(package);
                }
                Some(first) if *first != package => other_version = Some(package),
                Some(_) => {}
            }
        }
        let inputs = match &schema {
            Schema::Member(..) => Some(&schema),
            _ => None,
        };
        block.options = self.options(at, resource, &block, inputs)?;
        if let Some(package) = other_version {
            if let Some(version) = package.package_version() {
                let version = Expr::Text(version.to_owned());
                block.options.push((ResourceOption::Version, version));
            }
            if let Some(url) = &package.download_url {
                block.options.push((ResourceOption::PluginDownloadUrl, Expr::Text(url.clone())));
            }
        }
        Some(block)
    }

    /// Inputs of which no schema is known.
    fn dynamic(&mut self, place: &mut Place<'s>, inputs: Value<'s>) -> Vec<(String, Expr)> {
        let mut entries: Vec<(String, Value<'s>)> =
            inputs.entries().map(|(key, value)| (key.text().into_owned(), value)).collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut written = Vec::new();
        for (name, value) in entries {
            let is_internal = name.starts_with("__");
            if is_internal || value.is_null() {
                continue;
            }
            place.path.push(Step::Name(name.clone()));
            if !pcl_syntax::is_identifier(&name) {
                self.unspeakable(place, value, "its name is no identifier");
            } else if let Ok(Some(value)) = self.any(place, value) {
                written.push((name, value));
            }
            place.path.pop();
        }
        written
    }

    /// The schema of a resource. What is missing is reported, each package and type once.
    fn schema(&mut self, resource: Resource<'s>, package: &PackageUse) -> Schema {
        let kind = resource.kind().into_owned();
        let version = package.package_version().map(str::to_owned);
        let key = (package.name.clone(), version, kind);
        if let Some(found) = self.found.get(&key) {
            return found.clone();
        }
        let found = self.find_schema(resource, package, &key.2);
        self.found.insert(key, found.clone());
        found
    }

    fn find_schema(&mut self, resource: Resource<'s>, use_: &PackageUse, kind: &str) -> Schema {
        let field = resource.value().get("type").unwrap_or(resource.value());
        let span = self.span(field);
        let package = match &*use_.name {
            "pulumi" => builtin_package(),
            name => match self.schemas.load(&use_.request()) {
                Ok(package) => package,
                Err(error) => {
                    // One diagnostic for all resources of a package.
                    let is_told = self.request.missing_schema == MissingSchema::Ignore
                        || !self.reported.insert(name.to_owned());
                    let diagnostic = (!is_told).then(|| no_schema(span, name, &error));
                    return self.without_schema(diagnostic);
                }
            },
        };
        let member = if resource.is_provider() {
            package.provider_id()
        } else {
            package.find(Section::Resources, kind).or_else(|| {
                let found = package.resource_by_canonical(kind)?;
                Some(found.member)
            })
        };
        match member.map(|member| (member, package.resource_by_id(member))) {
            Some((member, Ok(Some(_)))) => Schema::Member(package, member),
            Some((_, Err(error))) => {
                self.without_schema(Some(broken_type(span, &use_.name, kind, &error)))
            }
            // Unlike a missing package, this is told even if missing schemas are ignored: the
            // schema that was found is of another version.
            _ => self.without_schema(Some(no_type(span, &use_.name, kind))),
        }
    }

    /// The schema of a resource that has none: an error, or a warning if missing schemas are
    /// allowed.
    fn without_schema(&mut self, diagnostic: Option<Diagnostic>) -> Schema {
        let (severity, schema) = match self.request.missing_schema {
            MissingSchema::Error => (Severity::Error, Schema::Missing),
            MissingSchema::Warn | MissingSchema::Ignore => (Severity::Warning, Schema::Dynamic),
        };
        self.diagnostics.extend(diagnostic.map(|it| it.with_severity(severity)));
        schema
    }

    /// The configuration variables and the diagnostics.
    pub fn into_parts(self) -> (Vec<Config>, Vec<Diagnostic>) {
        (self.configs, self.diagnostics)
    }

    /// A place to blame for something about the whole state.
    pub fn top(&self) -> Span {
        Span::new(self.file, TextRange::new(0, 1))
    }
}

/// Adds the input `name` of a stack reference whose inputs lack it: its id is the name of the
/// stack.
fn name_of_stack(resource: Resource<'_>, block: &mut Block) {
    const NAME: &str = "name";
    let is_named = block.attributes.iter().any(|(name, _)| name == NAME);
    if let Some(id) = resource.id().filter(|id| !is_named && !id.is_empty()) {
        let name = Expr::Text(id.into_owned());
        block.attributes.insert(0, (NAME.to_owned(), name));
    }
}

impl Schema {
    /// Returns true if the resource has an output of this name that is a string and not secret.
    fn has_output(&self, name: &str) -> bool {
        let Self::Member(package, member) = self else { return false };
        let Ok(Some(spec)) = package.resource_by_id(*member) else { return false };
        spec.properties.get(name).is_some_and(|property| {
            let is_string = property.ty.kind == TypeKind::Primitive(Primitive::String);
            is_string && !property.secret
        })
    }

    /// Returns true if the resource has an input of this name.
    pub fn has_input(&self, name: &str) -> bool {
        let Self::Member(package, member) = self else { return true };
        let spec = package.resource_by_id(*member);
        spec.is_ok_and(|spec| spec.is_some_and(|spec| spec.inputs.contains_key(name)))
    }

    /// Returns true if the schema makes an output secret.
    pub fn is_secret_output(&self, name: &str) -> bool {
        let Self::Member(package, member) = self else { return false };
        let spec = package.resource_by_id(*member).ok().flatten();
        let output = spec.and_then(|spec| spec.properties.get(name));
        output.is_some_and(|property| property.secret)
    }

    /// Returns true if the schema says that a change of a property replaces the resource.
    pub fn replaces(&self, name: &str) -> bool {
        let Self::Member(package, member) = self else { return false };
        let spec = package.resource_by_id(*member).ok().flatten();
        let output = spec.and_then(|spec| spec.properties.get(name));
        output.is_some_and(|property| property.replace_on_changes)
    }
}

/// The schema of a package cannot be loaded.
fn no_schema(at: Span, package: &str, error: &dyn Display) -> Diagnostic {
    refused(at, format!("the schema of the package `{package}` is missing: {error}"))
        .help("name it with `--schema-dir`, or write resources without a schema with `--missing-schema ignore`")
}

/// The package has no such type.
fn no_type(at: Span, package: &str, kind: &str) -> Diagnostic {
    refused(at, format!("the package `{package}` has no resource `{kind}`")).help(
        "get the schema in the version that the stack uses, as with `pcl schema add`, or write \
         resources without a schema with `--missing-schema ignore`",
    )
}

/// The schema of a resource cannot be read.
fn broken_type(at: Span, package: &str, kind: &str, error: &dyn Display) -> Diagnostic {
    let message = format!("the schema of `{kind}` in the package `{package}` is damaged: {error}");
    refused(at, message).help(
        "get the schema again, or write resources without a schema with `--missing-schema ignore`",
    )
}

/// The parent of a resource is not the one that its URN has.
fn other_urn(at: Span, urn: &str, other: &str) -> Diagnostic {
    let reason = format!("with this parent, the resource becomes `{other}`");
    inexact_part(at, urn, "the URN", &reason)
        .help(format!("add `aliases = [\"{urn}\"]` to its options"))
}

/// The comment of a component whose program is not in the state.
const LOCAL_COMPONENT: &str =
    "# The state has no program for this component: its resources name it as their parent.";

/// The comment of a component whose resources a provider makes.
fn remote_component(count: usize) -> String {
    match count {
        1 => "# The provider of this component makes the resource in it.".to_owned(),
        _ => format!("# The provider of this component makes the {count} resources in it."),
    }
}

pub(crate) fn refused(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::ImportRefused, at, message)
}

pub(crate) fn inexact(at: Span, place: &Place<'_>, reason: &str) -> Diagnostic {
    inexact_part(at, &place.urn, &format!("the input `{}`", place.text()), reason)
}

pub(crate) fn inexact_part(at: Span, urn: &str, part: &str, reason: &str) -> Diagnostic {
    let message = format!("{part} differs from the state: {reason}");
    Diagnostic::warning(Code::ImportInexact, at, message).note(format!("of {urn}"))
}

/// An input that a run adds to those of the program is not in the state: a constant, or one with a
/// default.
pub(crate) fn added(at: Span, place: &Place<'_>, spec: &PropertySpec) -> Diagnostic {
    match spec.constant {
        Some(_) => inexact(at, place, "the state has no value, and the schema adds the only one"),
        None => inexact(at, place, "the state has no value, and the schema adds its default")
            .help(format!("write `{} = null` to send no value", place.text())),
    }
}
