//! The options of resources, reads and components.
//!
//! The rules, with examples: `tests/spec/run/options.md`.

use std::collections::BTreeMap;

use pcl_binder::Node;
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::{ResourceOption, Takes};
use pcl_model::expression::{ExprId, ExprKind};
use pcl_values::{Alias, AliasParent, AliasSpec, Dependencies, ProviderReference, ResourceId, Urn};

use super::resource::sent;
use crate::expression::convert::{to_bool, to_text};
use crate::expression::evaluate::Evaluator;
use crate::monitor::ResourceOptions;
use crate::stop::{Stop, unless_poisoned};
use crate::value::{Kind, Marks, Object, Resource, Value};
use crate::wording::{self, Shown};

/// The options of a resource.
#[derive(Default)]
pub(crate) struct Options {
    /// The options that the request carries as they are.
    pub sent: ResourceOptions,
    /// The parent, if it is given.
    pub parent: Option<Urn>,
    /// The resources of `dependsOn`, and those that other options depend on.
    pub dependencies: Dependencies,
}

/// Evaluates the options of a node.
pub(crate) fn evaluate_options(
    evaluator: &mut Evaluator<'_>,
    node: &Node,
) -> Result<Options, Stop> {
    if node.options().is_empty() {
        return Ok(Options::default());
    }
    let mut reader = Reader { evaluator, node, dependencies: Vec::new(), stop: None };
    let mut sent = ResourceOptions {
        aliases: reader.aliases(),
        env_var_mappings: reader.texts("envVarMappings"),
        import_id: reader.text("import").unwrap_or_default(),
        protect: reader.bool("protect"),
        replace_with: reader.resources("replaceWith"),
        replacement_trigger: reader.trigger(),
        retain_on_delete: reader.bool("retainOnDelete"),
        version: reader.text("version").unwrap_or_default(),
        custom_timeouts: reader.texts("customTimeouts"),
        delete_before_replace: reader.bool("deleteBeforeReplace"),
        deleted_with: reader.resource("deletedWith").map(|(urn, _)| urn),
        plugin_download_url: reader.text("pluginDownloadURL").unwrap_or_default(),
        provider: reader.provider(),
        providers: reader.providers(),
        hooks: reader.hooks(),
        ..ResourceOptions::default()
    };
    for &option in ResourceOption::ALL {
        if option.takes() == Takes::Properties {
            sent.add_paths(option, reader.paths(option.name()));
        }
    }
    let depends_on = reader.resources("dependsOn");
    let parent = reader.resource("parent").map(|(urn, _)| urn);
    reader.dependencies.extend(depends_on);
    match reader.stop {
        Some(stop) => Err(stop),
        None => {
            Ok(Options { sent, parent, dependencies: reader.dependencies.into_iter().collect() })
        }
    }
}

/// Reads options one by one; what fails is collected.
struct Reader<'e, 'r> {
    evaluator: &'e mut Evaluator<'r>,
    node: &'e Node,
    /// The resources that the values of options depend on.
    dependencies: Vec<Urn>,
    stop: Option<Stop>,
}

impl Reader<'_, '_> {
    /// The value, or nothing, if it fails.
    fn kept<T>(&mut self, result: Result<T, Stop>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(stop) => {
                stop.collect(&mut self.stop);
                None
            }
        }
    }

    /// Collects a diagnostic in the place of a value.
    fn fail<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.kept(Err(error.into()))
    }

    /// The expression of an option.
    fn written(&self, name: &str) -> Option<(ExprId, Span)> {
        let value = self.node.option(name)?.value;
        Some((value, self.evaluator.span(value)))
    }

    /// The value of an option, if it is known and not null.
    fn value(&mut self, name: &str) -> Option<(Value, Span)> {
        let (expr, span) = self.written(name)?;
        let value = self.evaluated(expr)?;
        Some((self.present(value, span)?, span))
    }

    /// The value of an expression, or nothing, if it fails.
    fn evaluated(&mut self, expr: ExprId) -> Option<Value> {
        let result = self.evaluator.evaluate(expr).and_then(|value| {
            unless_poisoned(&value)?;
            Ok(value)
        });
        self.kept(result)
    }

    /// A value that is known and not null. Its dependencies are those of the resource.
    fn present(&mut self, value: Value, span: Span) -> Option<Value> {
        let own = match &value.kind {
            Kind::Resource(resource) => Some(resource.urn()),
            _ => None,
        };
        let others = value.marks.dependencies().iter();
        self.dependencies.extend(others.filter(|urn| Some(*urn) != own).cloned());
        let run = self.evaluator.run();
        match &value.kind {
            Kind::Null => None,
            Kind::Unknown if run.settings.is_preview => None,
            Kind::Unknown if run.are_unfinished(value.marks.dependencies()) => None,
            Kind::Unknown => self.fail(unknown(span)),
            _ => Some(value),
        }
    }

    fn bool(&mut self, name: &str) -> Option<bool> {
        let (value, span) = self.value(name)?;
        self.kept(to_bool(&value, span))?
    }

    fn text(&mut self, name: &str) -> Option<String> {
        let (value, span) = self.value(name)?;
        self.as_text(&value, span)
    }

    fn as_text(&mut self, value: &Value, span: Span) -> Option<String> {
        let text = self.kept(to_text(value, span))??;
        match text.unmarked().as_str() {
            Some(text) => Some(text.to_owned()),
            None => self.fail(wording::not_utf8(span)),
        }
    }

    /// The elements of an option that is a list, as far as they are known and not null. Lists in it
    /// are part of it.
    fn elements(&mut self, name: &str) -> Vec<(Value, Span)> {
        let mut elements = Vec::new();
        let Some((expr, span)) = self.written(name) else { return elements };
        // Most are written as a list of resources, for which no value is made.
        let written = match &self.evaluator.expr(expr).kind {
            ExprKind::Tuple(written) => written,
            _ => std::slice::from_ref(&expr),
        };
        for &expr in written {
            if let Some(value) = self.evaluated(expr)
                && let Some(value) = self.present(value, span)
            {
                self.flatten(value, span, &mut elements);
            }
        }
        elements
    }

    fn flatten(&mut self, value: Value, span: Span, elements: &mut Vec<(Value, Span)>) {
        match &value.kind {
            Kind::List(list) => {
                for element in list.elements() {
                    let element = element.clone().marked(&hidden(&value));
                    if let Some(element) = self.present(element, span) {
                        self.flatten(element, span, elements);
                    }
                }
            }
            _ => elements.push((value, span)),
        }
    }

    /// The texts of values.
    fn all_texts(&mut self, values: &[(Value, Span)]) -> Vec<String> {
        values.iter().filter_map(|(value, span)| self.as_text(value, *span)).collect()
    }

    /// The named values of an option that is an object.
    fn fields(&mut self, name: &str) -> Vec<(String, Value, Span)> {
        match self.value(name) {
            Some((value, span)) => match &value.kind {
                Kind::Object(object) => self.parts(object, &hidden(&value), span),
                _ => {
                    let found = Shown::of(&value, &value.marks);
                    self.fail(not_an_object(span, name, &found)).unwrap_or_default()
                }
            },
            None => Vec::new(),
        }
    }

    /// The parts of an object that are known and not null.
    fn parts(&mut self, object: &Object, marks: &Marks, span: Span) -> Vec<(String, Value, Span)> {
        let parts = object.iter().filter_map(|(name, value)| {
            let value = self.present(value.clone().marked(marks), span)?;
            Some((name.to_string(), value, span))
        });
        parts.collect()
    }

    fn texts(&mut self, name: &str) -> BTreeMap<String, String> {
        let fields = self.fields(name).into_iter();
        let texts =
            fields.filter_map(|(name, value, span)| Some((name, self.as_text(&value, span)?)));
        texts.collect()
    }

    fn resource(&mut self, name: &str) -> Option<(Urn, ResourceId)> {
        let (value, span) = self.value(name)?;
        let resource = self.as_resource(&value, span, name)?;
        Some((resource.urn().clone(), resource.id().clone()))
    }

    fn as_resource<'v>(
        &mut self,
        value: &'v Value,
        span: Span,
        name: &str,
    ) -> Option<&'v Resource> {
        self.kept(resource_of(value, span, name))
    }

    fn resources(&mut self, name: &str) -> Vec<Urn> {
        let elements = self.elements(name);
        let urns = elements
            .iter()
            .filter_map(|(value, span)| Some(self.as_resource(value, *span, name)?.urn().clone()));
        urns.collect()
    }

    fn provider(&mut self) -> Option<ProviderReference> {
        let (urn, id) = self.resource("provider")?;
        Some(provider_reference(&urn, &id))
    }

    /// Providers by package: a list, whose elements have types that name their packages, or an
    /// object.
    fn providers(&mut self) -> BTreeMap<String, ProviderReference> {
        const NAME: &str = "providers";
        let Some((value, span)) = self.value(NAME) else { return BTreeMap::new() };
        let mut named = Vec::new();
        match &value.kind {
            Kind::Object(object) => {
                let parts = self.parts(object, &hidden(&value), span).into_iter();
                named.extend(parts.map(|(name, value, span)| (Some(name), value, span)));
            }
            _ => {
                let mut elements = Vec::new();
                self.flatten(value, span, &mut elements);
                named.extend(elements.into_iter().map(|(value, span)| (None, value, span)));
            }
        }
        let mut providers = BTreeMap::new();
        for (package, value, span) in named {
            if let Some(resource) = self.as_resource(&value, span, NAME) {
                let of_type = || {
                    let kind = resource.urn().resource_type().unwrap_or_default();
                    kind.rsplit(':').next().unwrap_or_default().to_owned()
                };
                let reference = provider_reference(resource.urn(), resource.id());
                providers.insert(package.unwrap_or_else(of_type), reference);
            }
        }
        providers
    }

    fn hooks(&mut self) -> BTreeMap<String, Vec<String>> {
        let mut hooks = BTreeMap::new();
        for (event, value, span) in self.fields("hooks") {
            let mut elements = Vec::new();
            self.flatten(value, span, &mut elements);
            let names = self.all_texts(&elements);
            if !names.is_empty() {
                hooks.insert(event, names);
            }
        }
        hooks
    }

    fn aliases(&mut self) -> Vec<Alias> {
        let elements = self.elements("aliases");
        let aliases = elements.into_iter().filter_map(|(value, span)| match &value.kind {
            Kind::Object(object) => self.alias(object, &hidden(&value), span),
            _ => Some(Alias::Urn(self.as_text(&value, span)?.into())),
        });
        aliases.collect()
    }

    fn alias(&mut self, object: &Object, marks: &Marks, span: Span) -> Option<Alias> {
        let part = |reader: &mut Self, name: &str| {
            reader.present(object.get(name)?.clone().marked(marks), span)
        };
        let text = |reader: &mut Self, name: &str| {
            let value = part(reader, name)?;
            reader.as_text(&value, span)
        };
        if let Some(urn) = text(self, "urn") {
            return Some(Alias::Urn(urn.into()));
        }
        let [name, kind, stack, project] =
            ["name", "type", "stack", "project"].map(|name| text(self, name));
        let parent = match part(self, "parent") {
            Some(parent) if parent.as_text().is_some() => {
                AliasParent::Urn(self.as_text(&parent, span)?.into())
            }
            Some(parent) => {
                AliasParent::Urn(self.as_resource(&parent, span, "aliases")?.urn().clone())
            }
            None => match part(self, "noParent").map(|none| self.kept(to_bool(&none, span))) {
                Some(Some(Some(true))) => AliasParent::None,
                _ => AliasParent::Same,
            },
        };
        Some(Alias::Spec(AliasSpec { name, kind, stack, project, parent }))
    }

    /// A value with its secrets and unknown parts; see `conformance.md` about F35.
    fn trigger(&mut self) -> Option<pcl_values::PropertyValue> {
        let (expr, _) = self.written("replacementTrigger")?;
        let value = self.evaluator.evaluate(expr);
        let value = self.kept(value).filter(|value| !value.is_null())?;
        self.kept(sent(&value))
    }

    /// The paths of an option that is a list of them, as their text is written.
    fn paths(&mut self, name: &str) -> Vec<String> {
        let Some((expr, _)) = self.written(name) else { return Vec::new() };
        let ExprKind::Tuple(elements) = &self.evaluator.expr(expr).kind else {
            let elements = self.elements(name);
            return self.all_texts(&elements);
        };
        let paths = elements.iter().filter_map(|&element| {
            path(self.evaluator, element).or_else(|| {
                let value = self.evaluator.evaluate(element);
                let value = self.kept(value)?;
                let span = self.evaluator.span(element);
                let value = self.present(value, span)?;
                self.as_text(&value, span)
            })
        });
        paths.collect()
    }
}

/// The mark of a secret, if the value has it: its parts are secret, too.
pub(crate) fn hidden(value: &Value) -> Marks {
    if value.marks.is_secret() { Marks::secret() } else { Marks::NONE }
}

/// The resource that is the value of an option.
pub(crate) fn resource_of<'v>(
    value: &'v Value,
    span: Span,
    name: &str,
) -> Result<&'v Resource, Stop> {
    match &value.kind {
        Kind::Resource(resource) => Ok(resource),
        _ => Err(wording::not_a_resource(span, name, &Shown::of(value, &value.marks)).into()),
    }
}

/// The text of a path to a property, as it is written.
fn path(evaluator: &Evaluator<'_>, id: ExprId) -> Option<String> {
    let expr = evaluator.expr(id);
    let ExprKind::Traversal(traversal) = &expr.kind else { return None };
    let program = &evaluator.run().program;
    let kind = &program.scopes.definition(traversal.definition?).kind;
    if *kind != pcl_model::scope::DefinitionKind::Property {
        return None;
    }
    let module = evaluator.frame.module();
    let at = module.files.iter().position(|file| *file == expr.file)?;
    let tree = module.trees.get(at)?;
    let mut path = program.types.name(traversal.root).to_owned();
    for step in program.exprs.steps(traversal.steps) {
        let text = tree.text().get(step.range.to_usize());
        path.push_str(text.unwrap_or_default().trim());
    }
    Some(path)
}

/// The reference to a provider, whose id may be unknown.
fn provider_reference(urn: &Urn, id: &ResourceId) -> ProviderReference {
    let id = match id {
        ResourceId::Known(id) => Some(id.clone()),
        ResourceId::Unknown => None,
        ResourceId::Absent => Some(String::new()),
    };
    ProviderReference { urn: urn.clone(), id }
}

/// The value of an option is not known when resources are created.
fn unknown(span: Span) -> Diagnostic {
    let message = "the value of this option is not known yet";
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .note("an option must be known before its resource is created")
}

/// The value of an option is no object.
fn not_an_object(span: Span, name: &str, value: &Shown) -> Diagnostic {
    let message = format!("`{name}` expects an object, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
}
