//! The options of resources.
//!
//! The rules, with examples: `tests/spec/import/options.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::{ResourceOption, Takes};
use pcl_state::Resource;
use pcl_state::json::{Kind, Value};
use pcl_values::{Key, PropertyPath};
use rustc_hash::FxHashSet;

use crate::block::{Block, Options};
use crate::expr::{Expr, Reference};
use crate::importer::{Importer, Schema};
use crate::select::is_stack_reference;
use crate::wording;

/// Fields of states whose options are left out: the field, the option, and the reason.
const LEFT_OUT: [(&str, &str, &str); 3] = [
    (
        "aliases",
        "aliases",
        "the stack has the new URN, and only other stacks of the program may need the old ones",
    ),
    ("resourceHooks", "hooks", "the state has only the names of the hooks, not what they run"),
    (
        "replacementTrigger",
        "replacementTrigger",
        "the state does not say what the value depends on",
    ),
];

impl<'s> Importer<'s, '_> {
    /// The options of a resource; none if one of them cannot be written, which was reported.
    pub fn options(
        &mut self,
        at: usize,
        resource: Resource<'s>,
        block: &Block,
        schema: Option<&Schema>,
    ) -> Option<Options> {
        let mut options = Options::new();
        if let Some(urn) = resource.parent()
            && !self.is_stack(&urn)
        {
            options.push(("parent", self.target(resource, "parent", &urn)?));
        }
        if let Some((urn, _)) = resource.provider()
            && !self.is_default_provider(&urn)
        {
            options.push(("provider", self.target(resource, "provider", &urn)?));
        }
        let depends_on = self.depends_on(at, resource, block);
        if !depends_on.is_empty() {
            options.push(("dependsOn", Expr::List(depends_on)));
        }
        for flag in ["protect", "retainOnDelete"] {
            if resource.flag(flag) && block.keyword != "read" {
                options.push((flag, Expr::Bool(true)));
            }
        }
        let secret_outputs = |name: &str| schema.is_some_and(|it| it.is_secret_output(name));
        let replaces = |name: &str| schema.is_some_and(|it| it.replaces(name));
        let lists = ResourceOption::ALL.iter().copied();
        for list in lists.filter(|option| option.takes() == Takes::Properties) {
            let (field, option) = (list.field(), list.name());
            let paths: Vec<Expr> = resource
                .texts(field)
                .filter(|path| match field {
                    "additionalSecretOutputs" => !secret_outputs(path),
                    "replaceOnChanges" => !replaces(path),
                    _ => true,
                })
                .filter_map(|path| self.path(resource, field, option, &path, schema))
                .collect();
            if !paths.is_empty() {
                options.push((option, Expr::List(paths)));
            }
            if field == "ignoreChanges" {
                self.with(resource, &mut options)?;
            }
        }
        if let Some(timeouts) = resource.value().present("customTimeouts") {
            let entries: Vec<(String, Expr)> = timeouts
                .entries()
                .filter_map(|(key, value)| Some((key.text().into_owned(), seconds(value)?)))
                .collect();
            if !entries.is_empty() {
                options.push(("customTimeouts", Expr::Object(entries)));
            }
        }
        self.left_out(resource);
        let import = resource.text("importID");
        let is_adopted = self.request.adopt && block.keyword == "resource";
        let has_id = resource.is_custom() && !resource.is_provider();
        let import = import.or_else(|| resource.id().filter(|_| is_adopted && has_id));
        // The engine reads a stack reference by its name, and cannot import one.
        let import = import.filter(|_| !is_stack_reference(resource));
        if let Some(id) = import {
            options.push(("import", Expr::Text(id.into_owned())));
        }
        Some(options)
    }

    /// Reports the options that the state has and the program does not.
    fn left_out(&mut self, resource: Resource<'s>) {
        for (field, option, reason) in LEFT_OUT {
            let Some(value) = resource.value().present(field) else {
                continue;
            };
            let is_empty = match value.kind() {
                Kind::Object => value.entries().next().is_none(),
                Kind::List => value.elements().next().is_none(),
                _ => false,
            };
            // Every value of a trigger counts, an empty one too.
            if !is_empty || field == "replacementTrigger" {
                let span = self.span(value);
                let diagnostic = option_not_written(span, &resource.urn(), option, reason);
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The options `deletedWith` and `replaceWith`.
    fn with(&mut self, resource: Resource<'s>, options: &mut Options) -> Option<()> {
        if let Some(urn) = resource.text("deletedWith") {
            options.push(("deletedWith", self.target(resource, "deletedWith", &urn)?));
        }
        let mut replace_with = Vec::new();
        for urn in resource.texts("replaceWith") {
            replace_with.push(self.target(resource, "replaceWith", &urn)?);
        }
        if !replace_with.is_empty() {
            options.push(("replaceWith", Expr::List(replace_with)));
        }
        Some(())
    }

    /// The resource that an option names.
    fn target(&mut self, resource: Resource<'s>, option: &str, urn: &str) -> Option<Expr> {
        if let Some(place) = self.place_of(urn) {
            return Some(Expr::Reference(Reference::Resource(place)));
        }
        let field = resource.value().get(option).unwrap_or(resource.value());
        let span = self.span(field);
        self.diagnostics.push(no_resource(span, option, urn));
        None
    }

    fn is_stack(&self, urn: &str) -> bool {
        let at = self.selection.find(urn);
        at.and_then(|at| self.selection.all.get(at)).is_some_and(|it| it.is_stack())
    }

    fn is_default_provider(&self, urn: &str) -> bool {
        let at = self.selection.find(urn);
        at.and_then(|at| self.selection.all.get(at)).is_some_and(|it| it.is_default_provider())
    }

    /// The dependencies that no input refers to.
    fn depends_on(&mut self, at: usize, resource: Resource<'s>, block: &Block) -> Vec<Expr> {
        // Those that are referred to, or have been written.
        let mut known = FxHashSet::default();
        known.insert(at);
        for (_, value) in &block.attributes {
            value.each_reference(&mut |reference| {
                // A resource that is passed as a whole is no dependency.
                if let Reference::Output(place, _) = *reference {
                    known.insert(place);
                }
            });
        }
        let mut written: Vec<usize> = Vec::new();
        for urn in resource.texts("dependencies") {
            match self.place_of(&urn) {
                Some(place) => {
                    if known.insert(place) {
                        written.push(place);
                    }
                }
                None if self.is_stack(&urn) || self.is_default_provider(&urn) => {}
                None => {
                    let field = resource.value().get("dependencies");
                    let span = self.span(field.unwrap_or(resource.value()));
                    let reason = format!("`{urn}` is not in the program");
                    let urn = resource.urn();
                    self.diagnostics.push(option_not_written(span, &urn, "dependsOn", &reason));
                }
            }
        }
        written.into_iter().map(|place| Expr::Reference(Reference::Resource(place))).collect()
    }

    /// A path to a property, as programs write it.
    fn path(
        &mut self,
        resource: Resource<'s>,
        field: &str,
        option: &str,
        path: &str,
        schema: Option<&Schema>,
    ) -> Option<Expr> {
        let written = PropertyPath::parse(path).ok().and_then(|parsed| {
            let mut keys = parsed.keys().iter();
            let Some(Key::Name(first)) = keys.next() else {
                return None;
            };
            let is_known = field == "additionalSecretOutputs"
                || schema.is_none_or(|schema| schema.has_input(first));
            if !pcl_syntax::is_identifier(first) || !is_known {
                return None;
            }
            let mut text = first.clone();
            for key in keys {
                match key {
                    Key::Index(index) => text.push_str(&format!("[{index}]")),
                    Key::Name(name) if name == "*" => return None,
                    Key::Name(name) if pcl_syntax::is_identifier(name) => {
                        text.push('.');
                        text.push_str(name);
                    }
                    Key::Name(name) => {
                        text.push('[');
                        text.push_str(&pcl_syntax::quoted(name));
                        text.push(']');
                    }
                }
            }
            Some(Expr::Raw(text))
        });
        if written.is_none() {
            let span = self.span(resource.value().get(field).unwrap_or(resource.value()));
            let reason = format!("programs cannot write the path `{path}`");
            self.diagnostics.push(option_not_written(span, &resource.urn(), option, &reason));
        }
        written
    }
}

/// A number of seconds, as programs write durations.
fn seconds(value: Value<'_>) -> Option<Expr> {
    let seconds = value.number().filter(|seconds| *seconds > 0.0)?;
    Some(Expr::Text(format!("{seconds}s")))
}

/// The resource of an option is not in the program.
fn no_resource(at: Span, option: &str, urn: &str) -> Diagnostic {
    wording::refused(at, format!("the program cannot refer to `{urn}` in `{option}`"))
        .help("import the resource in that place, too")
}

/// An option of the state that a program cannot have.
fn option_not_written(at: Span, urn: &str, option: &str, reason: &str) -> Diagnostic {
    let message = format!("the option `{option}` is not written: {reason}");
    Diagnostic::warning(Code::ImportOption, at, message)
        .note(format!("of {urn}"))
        .help("add the option by hand")
}
