//! The inputs and outputs of a component, as programs in other languages see them.
//!
//! The rules, with examples: `tests/spec/programs/public_interface.md`.

use std::collections::BTreeMap;
use std::path::Path;

use pcl_binder::schema_types::SchemaTypes;
use pcl_binder::{
    ConfigBody, Examine, Module, Node, NodeBody, NodeId, NodeKind, Program, ResourceBody,
};
use pcl_diagnostics::{Code, Diagnostic, FileId, Reporter, SourceMap, Span, TextRange};
use pcl_language::Function;
use pcl_model::Key;
use pcl_model::expression::{ExprArena, ExprId, ExprKind, TraversalStep};
use pcl_model::types::TypeId;
use pcl_model::value::Constant;
use pcl_schema::{SchemaDiagnostic, validate_paths};
use pcl_syntax::Comment;
use pcl_syntax::ast::{self, AstNode as _};
use serde_json::Value;

use super::interface_types::{InterfaceTypes, Vague};
use super::package::{Component, ComponentPackage, Role};
use super::package_root::{self, moved};
use super::schema_document::{ComponentType, Dependency, ObjectType, Property, SchemaDocument};
use super::{interface_clash, manifest};

/// A component in the schema of its package.
pub(crate) struct Interface {
    /// Its token.
    pub token: String,
    /// Its description with its inputs and outputs.
    pub component: ComponentType,
    /// Its object types, by token.
    pub types: BTreeMap<String, ObjectType>,
    /// The declarations that the object types are made of, by token.
    pub places: BTreeMap<String, Span>,
    /// The packages that its types refer to, by name.
    pub dependencies: BTreeMap<String, Dependency>,
}

/// The check of a directory of a package while its program is being bound.
pub(crate) struct InterfaceCheck<'p> {
    package: &'p ComponentPackage,
    role: Role<'p>,
    /// The file of the package, if the diagnostics about it are to be reported here.
    manifest: Option<FileId>,
    /// The interface, once the program is bound.
    pub interface: Option<Interface>,
}

impl<'p> InterfaceCheck<'p> {
    /// The check of the program in a directory; of `None` if it is not all of one. The directory of
    /// the package gets the diagnostics about the package itself.
    pub fn new(
        package: &'p ComponentPackage,
        directory: Option<&Path>,
        map: &mut SourceMap,
    ) -> Self {
        let role = directory.map_or(Role::Other, |directory| package.role(directory));
        let is_at_root = match role {
            Role::Root => true,
            Role::Component(component) => component.relative.as_os_str().is_empty(),
            Role::Other => false,
        };
        let manifest = directory.filter(|_| is_at_root).map(|directory| {
            let place = directory.join(manifest::PLUGIN_FILE);
            let shown = place.strip_prefix(".").unwrap_or(&place);
            map.add(pcl_system::shown(shown), package.manifest.text.as_str())
        });
        Self { package, role, manifest, interface: None }
    }

    /// The part that the directory has in the package.
    pub const fn role(&self) -> Role<'p> {
        self.role
    }

    /// Returns true if the directory needs no program files.
    pub fn takes_empty(&self) -> bool {
        matches!(self.role, Role::Root)
    }
}

impl Examine for InterfaceCheck<'_> {
    fn nodes(&mut self, program: Program, _: &[NodeId], _: &Reporter) -> Program {
        program
    }

    fn program(&mut self, mut program: Program, reporter: &mut Reporter) -> Program {
        if let Some(file) = self.manifest {
            let found = package_root::diagnostics(self.package, self.role, &program, file);
            reporter.report_all(found);
        }
        if let Role::Component(component) = self.role {
            let mut reader = Reader::new(&mut program, self.package, component);
            reader.read();
            let (interface, diagnostics) = reader.finish();
            reporter.report_all(diagnostics);
            self.interface = Some(interface);
        }
        program
    }
}

/// The origin of a value, as far as it decides about the value in every run.
enum Origin<'p> {
    /// A call of `secret`.
    Secret,
    /// A config.
    Config(&'p ConfigBody),
    /// A property of a resource.
    Property(&'p ResourceBody, &'p TraversalStep),
    /// Anything else.
    Other,
}

/// Reads the interface of a component off its program.
struct Reader<'p> {
    package: &'p ComponentPackage,
    component: &'p Component,
    module: &'p Module,
    exprs: &'p ExprArena,
    schemas: &'p SchemaTypes,
    types: InterfaceTypes<'p>,
    found: ComponentType,
    inputs: BTreeMap<String, Span>,
    outputs: BTreeMap<String, Span>,
    diagnostics: Vec<Diagnostic>,
}

impl<'p> Reader<'p> {
    fn new(
        program: &'p mut Program,
        package: &'p ComponentPackage,
        component: &'p Component,
    ) -> Self {
        let used = program.packages();
        let Program { module, exprs, types, schemas, .. } = program;
        Self {
            package,
            component,
            module,
            exprs,
            schemas,
            types: InterfaceTypes::new(types, schemas, used, &component.token),
            found: ComponentType {
                is_component: true,
                description: description_of(module),
                ..ComponentType::default()
            },
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            diagnostics: Vec::new(),
        }
    }

    fn read(&mut self) {
        for node in &self.module.nodes {
            match &node.body {
                NodeBody::Config(_) => self.input(node),
                NodeBody::Output(value) => self.output(node, *value),
                _ => {}
            }
        }
        self.found.required.sort();
        self.found.required_inputs.sort();
    }

    fn input(&mut self, node: &Node) {
        let NodeBody::Config(config) = &node.body else { return };
        let name = node.logical_name.to_string();
        let at = node.name_span();
        let (ty, _, vague) = self.types.property(node.ty, &name, at);
        if let Some(vague) = vague.filter(|_| !self.is_typed(node)) {
            self.diagnostics.push(untyped_input(at, &name, &self.component.name, &vague));
        }
        let default = config.default.filter(|_| !config.secret);
        let value = default.and_then(|value| self.types.only_value(self.exprs[value].ty));
        let description = config.description.as_deref().map(str::to_owned);
        let property = Property {
            default: value.and_then(|value| default_of(ty.word, &value)),
            description: description.or_else(|| self.comment(node)),
            secret: config.secret,
            ty,
        };
        if config.default.is_none() && !config.nullable {
            self.found.required_inputs.push(name.clone());
        }
        self.inputs.insert(name.clone(), at);
        self.found.input_properties.insert(name, property);
    }

    fn output(&mut self, node: &Node, value: Option<ExprId>) {
        let name = node.logical_name.to_string();
        let at = node.name_span();
        let is_typed = self.is_typed(node);
        let inferred = value.map_or(TypeId::ERROR, |value| self.exprs[value].ty);
        let ty = if is_typed { node.ty } else { inferred };
        let (ty, is_optional, vague) = self.types.property(ty, &name, at);
        if let Some(vague) = vague.filter(|_| !is_typed) {
            self.diagnostics.push(untyped_output(at, &name, &self.component.name, &vague));
        }
        let property = Property {
            ty,
            description: self.comment(node),
            default: None,
            secret: value.is_some_and(|value| self.is_secret(value)),
        };
        if !is_optional && !value.is_some_and(|value| self.may_be_null(value)) {
            self.found.required.push(name.clone());
        }
        self.outputs.insert(name.clone(), at);
        self.found.properties.insert(name, property);
    }

    /// Returns whether a block has a label with its type.
    fn is_typed(&self, node: &Node) -> bool {
        let block = ast::Block::cast(self.module.syntax(node));
        block.is_some_and(|block| block.labels().count() > 1)
    }

    /// The comment directly above a node.
    fn comment(&self, node: &Node) -> Option<String> {
        text_of(&self.module.comments(node).around.leading)
    }

    /// Returns whether a value is secret in every run: it is made so, or it is a config or a
    /// property of a resource that is.
    fn is_secret(&self, value: ExprId) -> bool {
        match self.origin(value) {
            Origin::Secret => true,
            Origin::Config(config) => config.secret,
            Origin::Property(resource, step) => {
                let (Some((package, member)), Key::Name(name)) = (resource.schema, &step.key)
                else {
                    return false;
                };
                let spec = self.schemas.resource(package, member).ok().flatten();
                let name = self.types.name(*name);
                spec.is_some_and(|spec| spec.properties.get(name).is_some_and(|it| it.secret))
            }
            Origin::Other => false,
        }
    }

    /// Returns whether a value may be null: it is a config that nobody has to set.
    fn may_be_null(&self, value: ExprId) -> bool {
        match self.origin(value) {
            Origin::Config(config) => config.nullable,
            _ => false,
        }
    }

    /// The origin of a value, which locals may pass on.
    fn origin(&self, mut value: ExprId) -> Origin<'p> {
        // Locals that need each other were reported.
        for _ in 0..=self.module.nodes.len() {
            let traversal = match &self.exprs[value].kind {
                ExprKind::Call(call) if self.types.name(call.name) == Function::Secret.name() => {
                    return Origin::Secret;
                }
                ExprKind::Traversal(traversal) => traversal,
                _ => return Origin::Other,
            };
            let name = self.types.name(traversal.root);
            let mut variables =
                self.module.nodes.iter().filter(|node| node.kind != NodeKind::Output);
            let Some(node) = variables.find(|node| *node.name == *name) else {
                return Origin::Other;
            };
            match (&node.body, self.exprs.steps(traversal.steps)) {
                (NodeBody::Config(config), []) => return Origin::Config(config),
                (NodeBody::Local(local), []) => value = *local,
                (NodeBody::Resource(resource), [step]) => return Origin::Property(resource, step),
                _ => return Origin::Other,
            }
        }
        Origin::Other
    }

    /// The interface, and all that is wrong with it.
    fn finish(self) -> (Interface, Vec<Diagnostic>) {
        let Self { package, component, module, types, found, .. } = self;
        let (inputs, outputs, mut diagnostics) = (self.inputs, self.outputs, self.diagnostics);
        diagnostics.extend(types.same_names.iter().map(interface_clash::same_type));
        let clashes = interface_clash::with_other_components(package, component, &types.places);
        diagnostics.extend(clashes);
        let mut document = SchemaDocument::of(package);
        document.resources.insert(component.token.clone(), found);
        document.types = types.objects;
        let first = start_of(module);
        let found = validate_paths(&document.compact());
        let own = format!("#/resources/{}", component.token);
        let is_token = |it: &SchemaDiagnostic| it.diagnostic.code == Code::SchemaToken;
        // The tokens of types begin with that of the component, which begins with the package.
        let has_name = !found.iter().any(|it| it.path.starts_with("#/name"));
        let has_token = !found.iter().any(|it| is_token(it) && *it.path == *own);
        for wrong in found {
            let is_own = *wrong.path == *own;
            if is_token(&wrong) && !(has_name && (has_token || is_own)) {
                continue;
            }
            let path = wrong.path.strip_prefix("#/resources/");
            let rest = path.and_then(|path| path.strip_prefix(component.token.as_str()));
            let at = match rest {
                Some(rest) => declaration(rest, "/inputProperties/", &inputs)
                    .or_else(|| declaration(rest, "/properties/", &outputs))
                    .unwrap_or(first),
                None => match declaration(&wrong.path, "#/types/", &types.places) {
                    Some(at) => at,
                    // The name and the version are those of the package.
                    None => continue,
                },
            };
            let mut diagnostic = moved(wrong.diagnostic, at);
            if is_own {
                diagnostic = diagnostic.help("rename the directory of the component");
            }
            diagnostics.push(diagnostic);
        }
        let interface = Interface {
            token: component.token.clone(),
            component: document.resources.remove(&component.token).unwrap_or_default(),
            types: document.types,
            places: types.places,
            dependencies: types.dependencies,
        };
        (interface, diagnostics)
    }
}

/// The declaration that a path behind `prefix` begins with.
fn declaration(path: &str, prefix: &str, places: &BTreeMap<String, Span>) -> Option<Span> {
    let name = path.strip_prefix(prefix)?;
    let name = name.split('/').next()?;
    places.get(name).copied()
}

/// A constant as the default of a property whose type has this word. A schema has no defaults of
/// other types.
fn default_of(word: Option<&'static str>, value: &Constant) -> Option<Value> {
    match (word?, value) {
        ("boolean", Constant::Bool(value)) => Some(Value::Bool(*value)),
        ("string", Constant::String(text)) => Some(Value::String(text.to_string())),
        ("integer" | "number", Constant::Number(number)) => {
            serde_json::from_str::<serde_json::Number>(&number.to_string()).ok().map(Value::Number)
        }
        _ => None,
    }
}

/// The comment at the start of the first file, if a blank line is behind it.
fn description_of(module: &Module) -> Option<String> {
    let first = module.trees.first()?.file().body().items().next()?;
    text_of(&first.syntax().comments().detached)
}

/// The place for what is wrong with the name of a component: where its first file starts.
fn start_of(module: &Module) -> Span {
    let first = module.trees.first().and_then(|tree| tree.file().body().items().next());
    let at = first.map_or(0, |item| item.syntax().range().start());
    Span::new(module.files.first().copied().unwrap_or(FileId(0)), TextRange::empty(at))
}

/// The text of comments, without those for `pcl` itself.
fn text_of(comments: &[Comment<'_>]) -> Option<String> {
    let lines = comments.iter().flat_map(|comment| comment.lines());
    let lines = lines.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("pcl:")).collect();
    let text = lines.join("\n");
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The note about a type that says little.
fn reason(vague: &Vague) -> String {
    match vague {
        Vague::Anything => "programs in other languages see a value of any type".to_owned(),
        Vague::SeveralObjects => {
            "the value may be one of several objects, which a schema cannot say".to_owned()
        }
        Vague::NoVersion(package) => {
            format!(
                "the version of the package `{package}` is not known, so nothing can refer to it"
            )
        }
    }
}

/// An input without a type.
fn untyped_input(at: Span, name: &str, component: &str, vague: &Vague) -> Diagnostic {
    let message = format!("the input `{name}` of the component `{component}` has no type");
    untyped(at, message, vague, &format!("declare it, as in `config \"{name}\" \"string\"`"))
}

/// An output whose type is not known.
fn untyped_output(at: Span, name: &str, component: &str, vague: &Vague) -> Diagnostic {
    let message =
        format!("the type of the output `{name}` of the component `{component}` is not known");
    untyped(at, message, vague, &format!("declare it, as in `output \"{name}\" \"string\"`"))
}

fn untyped(at: Span, message: String, vague: &Vague, help: &str) -> Diagnostic {
    Diagnostic::warning(Code::UntypedInterface, at, message)
        .note(reason(vague))
        .help(format!("{help}, or with the type `any`"))
        .ours()
}
