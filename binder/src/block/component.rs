//! `component name "./directory" { .. }`: a program of its own as a building block.
//!
//! The rules, with examples: `tests/spec/blocks/component.md`.

use std::collections::HashSet;
use std::path::{Component as PathPart, Path, PathBuf};
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Matter, Span, TextEdit};
use pcl_model::expression::quoted;
use pcl_model::types::{Type, TypeId};
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::block::attributes::{listing, renamed};
use crate::declare::UNNAMED;
use crate::module::bind_module;
use crate::program::{
    BoundAttribute, ComponentBody, ComponentId, ComponentProgram, NodeBody, NodeId, NodeKind,
};
use crate::source::Sources;

/// How deep components may stand in components.
const MAX_DEPTH: usize = 64;

/// What became of a component's directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundComponent {
    /// Its program.
    pub id: ComponentId,
    /// How many errors it has, and how many of them Pulumi reports too.
    pub errors: usize,
    pub reference_errors: usize,
}

/// An input of a component: a config of its program.
struct Input {
    name: Arc<str>,
    ty: TypeId,
    required: bool,
    declared: Span,
}

impl<'t> Binder<'_, '_, 't> {
    /// Binds a component.
    pub fn bind_component(&mut self, node: NodeId) {
        let label = self.block(node).and_then(|block| block.labels().nth(1));
        match label.filter(|label| !label.text().is_empty()) {
            Some(label) => self.bind_local_component(node, label),
            None => self.bind_sourceless_component(node),
        }
    }

    /// A component whose program is in a directory.
    fn bind_local_component(&mut self, node: NodeId, label: ast::Label<'t>) {
        let source = label.text().into_owned();
        let labels_fit = |block: ast::Block<'_>| block.labels().count() <= 2;
        let program = match self.block(node).is_some_and(labels_fit) {
            true => self.component_program(node, label, &source),
            // The labels are not what they seem to be.
            false => None,
        };
        // The expressions of its program are none of the node's.
        self.nodes[node.index()].expressions.start = self.session.exprs.len() as u32;
        let options = self.options_block(node);
        let range = options.as_ref().and_then(|options| options.range);
        let range = self.bind_range(node, range, true);
        let mut attributes = self.bind_attributes(node, range.scope);
        if let Some(at) = attributes.iter().position(|a| &*a.name == "token") {
            let token = attributes.remove(at);
            let span = self.node_span(node, token.name_range);
            if !self.is_input(program, "token") {
                self.report(
                    Diagnostic::error(
                        Code::UnexpectedComponentToken,
                        span,
                        "`token` says what a component without a source is, and this one has a source",
                    )
                    .help("remove `token`, or the source directory"),
                );
            } else {
                attributes.insert(at, token);
            }
        }
        let (inputs, single) = match program {
            Some(bound) if bound.errors == 0 => {
                let inputs = self.component_inputs(bound.id);
                self.check_component_inputs(node, &inputs, &attributes);
                (self.input_object(&inputs), self.component_outputs(bound.id))
            }
            // Its errors are reported with it; what uses it has nothing to check against.
            _ => (TypeId::ERROR, TypeId::ERROR),
        };
        let scope = range.scope;
        let options = self.bind_options(node, options.as_ref(), scope, inputs, single, &range);
        let ty = self.ranged_type(single, &range, true);
        self.nodes[node.index()].input_type = Some(inputs);
        self.nodes[node.index()].body = NodeBody::Component(Box::new(ComponentBody {
            source: Some(source),
            program: program.map(|bound| bound.id),
            inputs: attributes,
            options,
            range: range.kind,
            ..ComponentBody::default()
        }));
        self.set_type(node, ty);
    }

    /// A component that names the type of an existing one by `token`.
    fn bind_sourceless_component(&mut self, node: NodeId) {
        let options = self.options_block(node);
        let range = options.as_ref().and_then(|options| options.range);
        let range = self.bind_range(node, range, true);
        let mut token = None;
        let mut has_token = false;
        let mut attributes = Vec::new();
        for item in self.body_items(node) {
            let ast::Item::Attribute(attribute) = item else {
                continue;
            };
            let Some(name) = attribute.name() else {
                continue;
            };
            match name.text() {
                "__logicalName" => self.bind_logical_name(node, attribute),
                "token" => {
                    has_token = true;
                    token = self.string_literal(node, attribute, "token");
                }
                _ => {
                    if let Some(value) = self.bind_value(node, attribute, range.scope) {
                        attributes.push(self.bound_attribute(attribute, name, value));
                    }
                }
            }
        }
        let has_text = token.as_ref().is_some_and(|token| !token.is_empty());
        let has_name = *self.nodes[node.index()].name != *UNNAMED;
        if has_name && !(has_text || has_token && token.is_none()) && !self.body_is_broken(node) {
            let span = self.nodes[node.index()].name_span();
            self.report(
                Diagnostic::error(
                    Code::MissingComponentToken,
                    span,
                    "this component has neither a source directory nor a `token`",
                )
                .help(
                    "add the directory as the second label, or `token = \"package:module:Type\"`",
                ),
            );
        }
        let inputs = self.object_of(&attributes);
        let scope = range.scope;
        let options = self.bind_options(
            node,
            options.as_ref(),
            scope,
            inputs,
            TypeId::DYNAMIC,
            &range,
        );
        let bound = &mut self.nodes[node.index()];
        bound.input_type = Some(inputs);
        bound.token = token;
        bound.body = NodeBody::Component(Box::new(ComponentBody {
            source: None,
            program: None,
            inputs: attributes,
            options,
            range: range.kind,
            ..ComponentBody::default()
        }));
        self.set_type(node, TypeId::DYNAMIC);
    }

    /// The program of a component's directory, bound at its first use. What keeps it from being bound is reported; errors in it are
    /// reported there, and once here.
    fn component_program(
        &mut self,
        node: NodeId,
        label: ast::Label<'t>,
        source: &str,
    ) -> Option<BoundComponent> {
        let span = self.node_span(node, label.range());
        let Some(own) = self.sources.directory.clone() else {
            self.report(
                Diagnostic::error(
                    Code::ComponentSource,
                    span,
                    "a program in memory has no directory to look for components in",
                )
                .help("check the program as a directory on disk"),
            );
            return None;
        };
        let relative = clean(source);
        let directory = own.join(&relative);
        let display = display_below(&self.sources.display, &relative);
        let canonical = match directory.canonicalize() {
            Ok(canonical) if canonical.is_dir() => canonical,
            Ok(_) => {
                self.report(
                    Diagnostic::error(
                        Code::ComponentSource,
                        span,
                        format!("`{display}` is not a directory"),
                    )
                    .help("name the directory that holds the component's `.pp` files"),
                );
                return None;
            }
            Err(error) => {
                let message = match error.kind() {
                    std::io::ErrorKind::NotFound => format!("there is no directory `{display}`"),
                    _ => format!("the directory `{display}` cannot be used: {error}"),
                };
                self.report(
                    Diagnostic::error(Code::ComponentSource, span, message)
                        .help("the source is a directory relative to the one of this program"),
                );
                return None;
            }
        };
        if let Some(at) = self
            .session
            .directories
            .iter()
            .position(|open| *open == canonical)
        {
            self.includes_itself(span, at);
            return None;
        }
        self.warn_outside_project(span, &canonical, &display);
        if source.starts_with('/') {
            let finding = Diagnostic::warning(
                Code::AbsoluteComponentSource,
                span,
                format!("`{source}` is taken for `{display}`"),
            )
            .note("sources are always relative to the directory of the program")
            .help("leave out the `/`")
            .ours();
            let path = quoted(&format!("./{}", relative.display()));
            self.report(finding.fix(Fix::safe(
                "write it as a relative path",
                vec![TextEdit::replace(span, path)],
            )));
        }
        let bound = match self.session.component_of.get(&canonical) {
            Some(&bound) => bound,
            None => {
                if self.session.directories.len() >= MAX_DEPTH {
                    self.report(
                        Diagnostic::error(
                            Code::ComponentSource,
                            span,
                            format!("components stand in components more than {MAX_DEPTH} deep"),
                        )
                        .help("flatten the nesting"),
                    );
                    return None;
                }
                self.bind_directory(canonical, directory, display)
            }
        };
        if bound.errors > 0 {
            let display = self.session.components[bound.id.0 as usize].display.clone();
            let mut finding = Diagnostic::error(
                Code::ComponentHasErrors,
                span,
                format!("the component in `{display}` has errors"),
            )
            .note(format!(
                "it has {}, reported in its own files",
                match bound.errors {
                    1 => "one error".to_owned(),
                    count => format!("{count} errors"),
                }
            ))
            .help("mend them first");
            if bound.reference_errors == 0 {
                finding = finding.ours();
            }
            self.report(finding);
        }
        Some(bound)
    }

    fn bind_directory(
        &mut self,
        canonical: PathBuf,
        directory: PathBuf,
        display: String,
    ) -> BoundComponent {
        let session = &mut *self.session;
        let before = session.reporter.tally();
        let (sources, findings) = Sources::read_directory(&directory, &display, session.map);
        session.reporter.report_all(findings);
        session.directories.push(canonical.clone());
        let module = bind_module(session, &sources);
        session.directories.pop();
        let after = session.reporter.tally();
        let bound = BoundComponent {
            id: ComponentId(session.components.len() as u32),
            errors: after.errors - before.errors,
            reference_errors: after.reference_errors - before.reference_errors,
        };
        session.components.push(ComponentProgram {
            directory,
            display,
            module,
        });
        session.component_of.insert(canonical, bound);
        bound
    }

    /// A component in the directory of a program that is being bound.
    fn includes_itself(&mut self, span: Span, at: usize) {
        let open = &self.session.directories[at..];
        let finding = if open.len() == 1 {
            Diagnostic::error(
                Code::ComponentIncludesItself,
                span,
                "this component is the program that uses it",
            )
        } else {
            let chain = open
                .iter()
                .chain(std::iter::once(&open[0]))
                .map(|directory| {
                    directory.file_name().map_or_else(
                        || directory.to_string_lossy(),
                        |name| name.to_string_lossy(),
                    )
                })
                .collect::<Vec<_>>()
                .join(" -> ");
            Diagnostic::error(
                Code::ComponentIncludesItself,
                span,
                "this component includes itself through another one",
            )
            .note(format!("the directories include each other: {chain}"))
        };
        self.report(finding.help("use another directory, or break the circle"));
    }

    fn warn_outside_project(&mut self, span: Span, canonical: &Path, display: &str) {
        let project = match &self.session.options.project_directory {
            Some(directory) => directory.canonicalize().ok(),
            None => self.session.directories.first().cloned(),
        };
        if project.is_none_or(|project| canonical.starts_with(project)) {
            return;
        }
        self.report(
            Diagnostic::warning(
                Code::ComponentOutsideProject,
                span,
                format!("`{display}` lies outside the project"),
            )
            .note("what is outside does not travel with the project")
            .help("move the component below the project's directory")
            .ours(),
        );
    }

    fn is_input(&self, program: Option<BoundComponent>, name: &str) -> bool {
        program.is_some_and(|bound| {
            let module = &self.session.components[bound.id.0 as usize].module;
            module
                .nodes
                .iter()
                .any(|node| node.kind == NodeKind::Config && *node.logical_name == *name)
        })
    }

    /// The configs of a component's program, by logical name.
    fn component_inputs(&mut self, id: ComponentId) -> Vec<Input> {
        let session = &mut *self.session;
        let mut inputs: Vec<Input> = Vec::new();
        for node in &session.components[id.0 as usize].module.nodes {
            let NodeBody::Config(config) = &node.body else {
                continue;
            };
            inputs.push(Input {
                name: node.logical_name.clone(),
                ty: session.types.input_type(node.ty),
                required: config.default.is_none() && !config.nullable,
                declared: node.name_span(),
            });
        }
        inputs.sort_by(|a, b| a.name.cmp(&b.name));
        inputs
    }

    fn input_object(&mut self, inputs: &[Input]) -> TypeId {
        let types = &mut self.session.types;
        let members: Vec<_> = inputs
            .iter()
            .map(|input| (types.symbol(&input.name), input.ty))
            .collect();
        types.object(members)
    }

    /// The outputs of a component's program, each as an output.
    fn component_outputs(&mut self, id: ComponentId) -> TypeId {
        let session = &mut *self.session;
        let mut members = Vec::new();
        for node in &session.components[id.0 as usize].module.nodes {
            let NodeBody::Output(Some(value)) = node.body else {
                continue;
            };
            let ty = session.exprs[value].ty;
            let ty = match session.types.get(ty) {
                Type::Output(_) => ty,
                _ => session.types.output(ty),
            };
            members.push((session.types.symbol(&node.logical_name), ty));
        }
        session.types.object(members)
    }

    fn check_component_inputs(
        &mut self,
        node: NodeId,
        inputs: &[Input],
        attributes: &[BoundAttribute],
    ) {
        let name = self.nodes[node.index()].name.clone();
        let mut meant = Vec::new();
        for attribute in attributes {
            let Some(input) = named(inputs, &attribute.name) else {
                meant.extend(self.unknown_component_input(node, &name, inputs, attribute));
                continue;
            };
            let place = format_args!("the input `{}` of component `{name}`", input.name);
            let Some(finding) = self.mismatch_exactly(attribute.value, input.ty, &place) else {
                continue;
            };
            let finding = finding.label(input.declared, "the input is declared here");
            self.report_about(Matter::ComponentInput, finding);
        }
        if self.body_is_broken(node) {
            return;
        }
        let mut given: HashSet<&str> = attributes.iter().map(|a| &*a.name).collect();
        given.extend(meant);
        let missing: Vec<String> = inputs
            .iter()
            .filter(|input| input.required && !given.contains(&*input.name))
            .map(|input| input.name.to_string())
            .collect();
        if let Some(mut finding) = self.missing_attributes(node, &name, &missing) {
            for input in inputs.iter().filter(|input| {
                missing
                    .binary_search_by(|name| (**name).cmp(&input.name))
                    .is_ok()
            }) {
                finding = finding.label(input.declared, "required here");
            }
            self.report(finding);
        }
    }

    /// Reports an input that a component does not have. The result is the one that it was probably meant to be: then that one is not
    /// missing.
    fn unknown_component_input<'i>(
        &mut self,
        node: NodeId,
        name: &str,
        inputs: &'i [Input],
        attribute: &BoundAttribute,
    ) -> Option<&'i str> {
        let span = self.node_span(node, attribute.name_range);
        let finding = Diagnostic::error(
            Code::UnsupportedAttribute,
            span,
            format!("component `{name}` has no input `{}`", attribute.name),
        );
        if crate::resource::options::is_option(&attribute.name) {
            self.report(finding.help(format!(
                "`{}` is an option: put it into an `options` block",
                attribute.name
            )));
            return None;
        }
        let names = inputs.iter().map(|input| &*input.name);
        let comparisons = self.session.scopes.comparisons();
        let Some(meant) = comparisons.suggest(&attribute.name, names.clone()) else {
            self.report(listing(finding, names));
            return None;
        };
        let body = self.body(node);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| body.is_some_and(|body| taken.contain(span.file, body, meant));
        let mut finding = renamed(finding, span, meant, is_taken);
        if let Some(input) = named(inputs, meant).filter(|input| input.required) {
            finding = finding.label(input.declared, "required here");
        }
        self.report(finding);
        Some(meant)
    }
}

/// The input of that name, among inputs sorted by name.
fn named<'i>(inputs: &'i [Input], name: &str) -> Option<&'i Input> {
    let at = inputs.partition_point(|input| *input.name < *name);
    inputs.get(at).filter(|input| *input.name == *name)
}

/// A source as a path below the program's directory: a leading `/` is dropped, `.` and `..` are resolved by name.
fn clean(source: &str) -> PathBuf {
    let mut parts: Vec<PathPart<'_>> = Vec::new();
    for part in Path::new(source).components() {
        match part {
            PathPart::Prefix(_) | PathPart::RootDir | PathPart::CurDir => {}
            PathPart::ParentDir => match parts.last() {
                Some(PathPart::Normal(_)) => {
                    parts.pop();
                }
                _ => parts.push(part),
            },
            PathPart::Normal(_) => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

/// A path of [`clean`] below a directory, as people would write it.
fn display_below(directory: &str, relative: &Path) -> String {
    let mut shown = match directory {
        "." => PathBuf::new(),
        _ => PathBuf::from(directory),
    };
    for part in relative.components() {
        match (part, shown.components().next_back()) {
            (PathPart::ParentDir, Some(PathPart::Normal(_))) => {
                shown.pop();
            }
            _ => shown.push(part),
        }
    }
    match shown.to_string_lossy().into_owned() {
        empty if empty.is_empty() => ".".to_owned(),
        shown => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_without_detours() {
        for (directory, source, shown) in [
            ("main", "./a", "main/a"),
            ("main/", "a", "main/a"),
            ("main/a", "../b", "main/b"),
            ("a", "../..", ".."),
            (".", "../b", "../b"),
            (".", "a", "a"),
            ("", "a", "a"),
            ("a", "..", "."),
        ] {
            assert_eq!(display_below(directory, &clean(source)), shown);
        }
    }

    #[test]
    fn sources_are_resolved_by_name() {
        for (source, cleaned) in [
            ("./a", "a"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("/a/./b/", "a/b"),
            (".", ""),
        ] {
            assert_eq!(clean(source), Path::new(cleaned), "{source}");
        }
    }
}
