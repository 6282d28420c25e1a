//! `component name "./directory" { .. }`: another program as a building block.
//!
//! The rules, with examples: `tests/spec/blocks/component.md`.

use std::collections::HashSet;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Matter, Span};
use pcl_model::types::{Type, TypeId};
use pcl_syntax::ast;
use rustc_hash::FxHashMap;

use crate::binder::Binder;
use crate::block::component_directory::{ComponentDirectory, too_deep};
use crate::declare::UNNAMED;
use crate::module::bind_module;
use crate::node::{BoundAttribute, ComponentBody, ComponentId, NodeBody, NodeId, NodeKind};
use crate::program::ComponentProgram;
use crate::program_files::Sources;
use crate::resource::inputs::placeholder;
use crate::resource::range_of;
use crate::session::BoundComponent;
use crate::wording::{listing, renamed};

/// The deepest nesting of components in components.
const MAX_DEPTH: usize = 64;

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
        // What a wrong escape means is not known.
        let is_readable = !label.syntax().contains_error();
        let token = Arc::from(self.component_token(&source));
        let program = if is_readable && self.block(node).is_some_and(labels_fit) {
            self.component_program(node, label, &source, &token)
        } else {
            // The labels are not what they seem to be.
            None
        };
        // The expressions of its program are none of the node's.
        self.nodes[node].expressions.start = self.session.exprs.len() as u32;
        let options = self.options_block(node);
        // Errors that Pulumi does not report say nothing of the inputs and outputs.
        let known = program.filter(|bound| bound.reference_errors == 0);
        let known = known.map(|bound| (bound.id, self.component_inputs(bound.id)));
        let inputs = match &known {
            Some((_, inputs)) => self.input_object(inputs),
            // Its errors are reported with it; what uses it has nothing to check against.
            None => TypeId::ERROR,
        };
        let displaced = self.displaced_options(node, inputs);
        let range = range_of(options.as_ref(), &displaced);
        let range = self.bind_range(node, range, true);
        let scope = range.scope;
        self.report_elements(node, scope != self.root);
        let mut attributes = self.bind_attributes(node, &displaced, scope);
        self.report_nested_blocks(node, options.as_ref(), inputs, scope);
        if let Some(at) = attributes.iter().position(|a| &*a.name == "token")
            && !self.is_input(program, "token")
        {
            let token = attributes.remove(at);
            self.report(unexpected_token(self.node_span(node, token.name_range)));
        }
        let single = match &known {
            Some((id, inputs)) => {
                self.check_component_inputs(node, inputs, &attributes);
                self.component_outputs(*id)
            }
            None => TypeId::ERROR,
        };
        self.report_displaced(node, &displaced, options.as_ref());
        let types = [inputs, single];
        self.bind_displaced(node, &displaced, scope, types, &range);
        let options = self.bind_options(node, options.as_ref(), scope, inputs, single, &range);
        let ty = self.ranged_type(single, &range, true);
        self.nodes[node].input_type = Some(inputs);
        self.nodes[node].token = Some(token);
        self.nodes[node].body = NodeBody::Component(Box::new(ComponentBody {
            source: Some(source),
            program: program.map(|bound| bound.id),
            inputs: attributes,
            options,
            range: range.kind,
            single,
            deferred: Vec::new(),
        }));
        self.set_type(node, ty);
    }

    /// A component that names the type of an existing one by `token`.
    fn bind_sourceless_component(&mut self, node: NodeId) {
        let options = self.options_block(node);
        let range = range_of(options.as_ref(), &[]);
        let range = self.bind_range(node, range, true);
        self.report_elements(node, range.scope != self.root);
        self.report_nested_blocks(node, options.as_ref(), TypeId::DYNAMIC, range.scope);
        let mut token = None;
        let mut has_token = false;
        let mut attributes = Vec::new();
        for attribute in self.body(node).into_iter().flat_map(ast::Body::attributes) {
            let Some(name) = attribute.name() else { continue };
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
        let has_name = *self.nodes[node].name != *UNNAMED;
        if has_name && !(has_text || has_token && token.is_none()) && !self.body_is_broken(node) {
            let span = self.nodes[node].name_span();
            self.report(missing_token(span));
        }
        let inputs = self.object_of(&attributes);
        let scope = range.scope;
        let options =
            self.bind_options(node, options.as_ref(), scope, inputs, TypeId::DYNAMIC, &range);
        let bound = &mut self.nodes[node];
        bound.input_type = Some(inputs);
        bound.token = token;
        bound.body = NodeBody::Component(Box::new(ComponentBody {
            inputs: attributes,
            options,
            range: range.kind,
            single: TypeId::DYNAMIC,
            source: None,
            program: None,
            deferred: Vec::new(),
        }));
        self.set_type(node, TypeId::DYNAMIC);
    }

    /// The program of a component's directory, bound at its first use. Errors in the program are
    /// reported in its files, and once here.
    fn component_program(
        &mut self,
        node: NodeId,
        label: ast::Label<'t>,
        source: &str,
        token: &Arc<str>,
    ) -> Option<BoundComponent> {
        let span = self.node_span(node, label.range());
        let directory = self.component_directory(span, source)?;
        let known = self.session.component_of.get(&directory.canonical);
        let bound = match known {
            Some(&bound) => bound,
            None if self.session.directories.len() >= MAX_DEPTH => {
                self.report(too_deep(span, MAX_DEPTH));
                return None;
            }
            None => self.bind_directory(directory, token),
        };
        if bound.errors > 0 {
            let display = &self.session.component(bound.id).display;
            let diagnostic = has_errors(span, display, bound.errors);
            self.report(match bound.reference_errors {
                0 => diagnostic.ours(),
                _ => diagnostic,
            });
        }
        Some(bound)
    }

    fn bind_directory(
        &mut self,
        directory: ComponentDirectory,
        token: &Arc<str>,
    ) -> BoundComponent {
        let ComponentDirectory { path, canonical, display } = directory;
        let session = &mut *self.session;
        let before = session.reporter.tally();
        let open = &session.options.open_files;
        let (sources, diagnostics) = Sources::read_directory(&path, &display, open, session.map);
        session.reporter.report_all(diagnostics);
        session.directories.push(canonical.clone());
        let module = bind_module(session, &sources);
        session.directories.pop();
        let after = session.reporter.tally();
        let bound = BoundComponent {
            id: ComponentId(session.components.len() as u32),
            errors: after.errors - before.errors,
            reference_errors: after.reference_errors - before.reference_errors,
        };
        let mut inputs = FxHashMap::default();
        for (id, node) in module.nodes_with_ids() {
            if node.kind == NodeKind::Config {
                inputs.entry(Arc::clone(&node.logical_name)).or_insert(id);
            }
        }
        session.components.push(ComponentProgram {
            directory: path,
            display,
            token: Arc::clone(token),
            module,
            inputs,
        });
        session.component_of.insert(canonical, bound);
        bound
    }

    fn is_input(&self, program: Option<BoundComponent>, name: &str) -> bool {
        program.is_some_and(|bound| self.session.component(bound.id).inputs.contains_key(name))
    }

    /// The configs of a component's program, by logical name.
    fn component_inputs(&mut self, id: ComponentId) -> Vec<Input> {
        let session = &mut *self.session;
        let mut inputs: Vec<Input> = Vec::new();
        let program = session.components.get(id.0 as usize);
        for node in program.iter().flat_map(|program| &program.module.nodes) {
            let NodeBody::Config(config) = &node.body else { continue };
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
        let members: Vec<_> =
            inputs.iter().map(|input| (types.symbol(&input.name), input.ty)).collect();
        types.object(members)
    }

    /// The outputs of a component's program, each as an output.
    fn component_outputs(&mut self, id: ComponentId) -> TypeId {
        let session = &mut *self.session;
        let mut members = Vec::new();
        let program = session.components.get(id.0 as usize);
        for node in program.iter().flat_map(|program| &program.module.nodes) {
            let NodeBody::Output(Some(value)) = node.body else { continue };
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
        let name = self.nodes[node].name.clone();
        let mut meant = Vec::new();
        for attribute in attributes {
            let Some(input) = named(inputs, &attribute.name) else {
                meant.extend(self.unknown_component_input(node, &name, inputs, attribute));
                continue;
            };
            let place = format_args!("the input `{}` of component `{name}`", input.name);
            let Some(diagnostic) = self.mismatch_exactly(attribute.value, input.ty, &place) else {
                self.check_written(attribute.value, input.ty, &place);
                continue;
            };
            let diagnostic = diagnostic.label(input.declared, "the input is declared here");
            self.report_about(Matter::ComponentInput, diagnostic);
        }
        if self.body_is_broken(node) {
            return;
        }
        let mut given: HashSet<&str> = attributes.iter().map(|a| &*a.name).collect();
        given.extend(meant);
        let is_missing = |input: &&Input| input.required && !given.contains(&*input.name);
        let types = &mut self.session.types;
        let missing = inputs.iter().filter(is_missing);
        let missing: Vec<(String, &str)> =
            missing.map(|input| (input.name.to_string(), placeholder(types, input.ty))).collect();
        let owner = format!("component `{name}`");
        if let Some(diagnostic) = self.missing_attributes(node, &owner, &missing) {
            let declared = inputs.iter().filter(is_missing).map(|input| input.declared);
            let diagnostic = declared.fold(diagnostic, with_required_input);
            self.report(diagnostic);
        }
    }

    /// Reports an input that a component does not have. The result is the one that it was probably
    /// meant to be: then that one is not missing.
    fn unknown_component_input<'i>(
        &mut self,
        node: NodeId,
        name: &str,
        inputs: &'i [Input],
        attribute: &BoundAttribute,
    ) -> Option<&'i str> {
        let span = self.node_span(node, attribute.name_range);
        let message = format!("component `{name}` has no input `{}`", attribute.name);
        let diagnostic = Diagnostic::error(Code::UnsupportedAttribute, span, message);
        let names = inputs.iter().map(|input| &*input.name);
        let comparisons = self.session.scopes.comparisons();
        let Some(meant) = comparisons.suggest(&attribute.name, names.clone()) else {
            let names = comparisons.nearest_first(&attribute.name, names);
            self.report(if names.is_empty() {
                without_inputs(diagnostic, &attribute.name)
            } else {
                listing(diagnostic, names.iter().copied())
            });
            return None;
        };
        let others: Vec<&str> = names.filter(|name| *name != meant).collect();
        let target = named(inputs, meant).map_or(TypeId::ERROR, |input| input.ty);
        let is_certain = self.is_certain(attribute, meant, target, &others);
        let body = self.body(node);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| body.is_some_and(|body| taken.contain(span.file, body, meant));
        let diagnostic = renamed(diagnostic, span, meant, is_taken, is_certain);
        let required = named(inputs, meant).filter(|input| input.required);
        self.report(match required {
            Some(input) => with_required_input(diagnostic, input.declared),
            None => diagnostic,
        });
        Some(meant)
    }
}

/// The input of that name, among inputs sorted by name.
fn named<'i>(inputs: &'i [Input], name: &str) -> Option<&'i Input> {
    let at = inputs.partition_point(|input| *input.name < *name);
    inputs.get(at).filter(|input| *input.name == *name)
}

/// A `token` beside a source.
fn unexpected_token(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::UnexpectedComponentToken,
        span,
        "a component with a source directory takes no `token`",
    )
    .help("remove `token`, or the source directory")
}

/// A component with neither a source nor a `token`.
fn missing_token(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::MissingComponentToken,
        span,
        "this component has neither a source directory nor a `token`",
    )
    .help("add the directory as the second label, or `token = \"package:module:Type\"`")
}

/// A component whose program has errors.
fn has_errors(span: Span, display: &str, errors: usize) -> Diagnostic {
    let message = format!("the component in `{display}` has errors");
    let count = match errors {
        1 => "one error".to_owned(),
        count => format!("{count} errors"),
    };
    Diagnostic::error(Code::ComponentHasErrors, span, message)
        .note(format!("it has {count}, reported in its own files"))
        .help("fix them first")
}

/// Adds the declaration of the input `name` for a component that declares none.
fn without_inputs(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    diagnostic.help(format!("the component has no inputs: declare `config \"{name}\" {{}}` in it"))
}

/// A missing input that is declared at `declared`.
fn with_required_input(diagnostic: Diagnostic, declared: Span) -> Diagnostic {
    diagnostic.label(declared, "required here")
}
