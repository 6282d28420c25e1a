//! The options of resources.
//!
//! The rules, with examples: `tests/spec/import/options.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::ResourceOption::{
    self, AdditionalSecretOutputs, CustomTimeouts, DeletedWith, DependsOn, IgnoreChanges, Import,
    Parent, Protect, Provider, ReplaceOnChanges, ReplaceWith, ReplacementTrigger, RetainOnDelete,
};
use pcl_language::Takes;
use pcl_state::Resource;
use pcl_state::json::{Kind, Value};
use pcl_values::{Key, PropertyPath};
use rustc_hash::FxHashSet;

use crate::block::{Block, Expr, Options, Reference};
use crate::importer::{Importer, Schema, refused};
use crate::select::is_stack_reference;

/// The options that states have and programs do not get, each with the reason.
const LEFT_OUT: [(ResourceOption, &str); 3] = [
    (
        ResourceOption::Aliases,
        "the stack has the new URN, and only other stacks of the program may need the old ones",
    ),
    (ResourceOption::Hooks, "the state has only the names of the hooks, not what they run"),
    (ResourceOption::ReplacementTrigger, "the state does not say what the value depends on"),
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
            options.push((Parent, self.target(resource, Parent, &urn)?));
        }
        if let Some((urn, _)) = resource.provider()
            && !self.is_default_provider(&urn)
        {
            options.push((Provider, self.target(resource, Provider, &urn)?));
        }
        let depends_on = self.depends_on(at, resource, block);
        if !depends_on.is_empty() {
            options.push((DependsOn, Expr::List(depends_on)));
        }
        for flag in [Protect, RetainOnDelete] {
            if resource.flag(flag.field()) && block.keyword != "read" {
                options.push((flag, Expr::Bool(true)));
            }
        }
        let secret_outputs = |name: &str| schema.is_some_and(|it| it.is_secret_output(name));
        let replaces = |name: &str| schema.is_some_and(|it| it.replaces(name));
        let lists = ResourceOption::ALL.iter().copied();
        for option in lists.filter(|option| option.takes() == Takes::Properties) {
            let paths: Vec<Expr> = resource
                .texts(option.field())
                .filter(|path| match option {
                    AdditionalSecretOutputs => !secret_outputs(path),
                    ReplaceOnChanges => !replaces(path),
                    _ => true,
                })
                .filter_map(|path| self.path(resource, option, &path, schema))
                .collect();
            if !paths.is_empty() {
                options.push((option, Expr::List(paths)));
            }
            if option == IgnoreChanges {
                self.with(resource, &mut options)?;
            }
        }
        if let Some(timeouts) = resource.value().present(CustomTimeouts.field()) {
            let entries: Vec<(String, Expr)> = timeouts
                .entries()
                .filter_map(|(key, value)| Some((key.text().into_owned(), seconds(value)?)))
                .collect();
            if !entries.is_empty() {
                options.push((CustomTimeouts, Expr::Object(entries)));
            }
        }
        self.left_out(resource);
        let import = resource.text(Import.field());
        let is_adopted = self.request.adopt && block.keyword == "resource";
        let has_id = resource.is_custom() && !resource.is_provider();
        let import = import.or_else(|| resource.id().filter(|_| is_adopted && has_id));
        // The engine reads a stack reference by its name, and cannot import one.
        let import = import.filter(|_| !is_stack_reference(resource));
        if let Some(id) = import {
            options.push((Import, Expr::Text(id.into_owned())));
        }
        Some(options)
    }

    /// Reports the options that the state has and the program does not.
    fn left_out(&mut self, resource: Resource<'s>) {
        for (option, reason) in LEFT_OUT {
            let Some(value) = resource.value().present(option.field()) else { continue };
            let is_empty = match value.kind() {
                Kind::Object => value.entries().next().is_none(),
                Kind::List => value.elements().next().is_none(),
                _ => false,
            };
            // Every value of a trigger counts, an empty one too.
            if !is_empty || option == ReplacementTrigger {
                let span = self.span(value);
                let diagnostic = option_not_written(span, &resource.urn(), option, reason);
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The options `deletedWith` and `replaceWith`.
    fn with(&mut self, resource: Resource<'s>, options: &mut Options) -> Option<()> {
        if let Some(urn) = resource.text(DeletedWith.field()) {
            options.push((DeletedWith, self.target(resource, DeletedWith, &urn)?));
        }
        let mut replace_with = Vec::new();
        for urn in resource.texts(ReplaceWith.field()) {
            replace_with.push(self.target(resource, ReplaceWith, &urn)?);
        }
        if !replace_with.is_empty() {
            options.push((ReplaceWith, Expr::List(replace_with)));
        }
        Some(())
    }

    /// The resource that an option names.
    fn target(
        &mut self,
        resource: Resource<'s>,
        option: ResourceOption,
        urn: &str,
    ) -> Option<Expr> {
        if let Some(place) = self.place_of(urn) {
            return Some(Expr::Reference(Reference::Resource(place)));
        }
        let field = resource.value().get(option.field()).unwrap_or(resource.value());
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
                    self.diagnostics.push(option_not_written(span, &urn, DependsOn, &reason));
                }
            }
        }
        written.into_iter().map(|place| Expr::Reference(Reference::Resource(place))).collect()
    }

    /// A path to a property, as programs write it.
    fn path(
        &mut self,
        resource: Resource<'s>,
        option: ResourceOption,
        path: &str,
        schema: Option<&Schema>,
    ) -> Option<Expr> {
        let written = path.parse::<PropertyPath>().ok().and_then(|parsed| {
            let mut keys = parsed.keys().iter();
            let Some(Key::Name(first)) = keys.next() else { return None };
            let is_known = option == AdditionalSecretOutputs
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
            let span = self.span(resource.value().get(option.field()).unwrap_or(resource.value()));
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
fn no_resource(at: Span, option: ResourceOption, urn: &str) -> Diagnostic {
    refused(at, format!("the program cannot refer to `{urn}` in `{}`", option.name()))
        .help("import the resource in that place, too")
}

/// An option of the state that a program cannot have.
fn option_not_written(at: Span, urn: &str, option: ResourceOption, reason: &str) -> Diagnostic {
    let message = format!("the option `{}` is not written: {reason}", option.name());
    Diagnostic::warning(Code::ImportOption, at, message)
        .note(format!("of {urn}"))
        .help("add the option by hand")
}
