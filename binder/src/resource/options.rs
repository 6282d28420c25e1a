//! The `options` block of resources, reads and components.
//!
//! The rules, with examples: `tests/spec/blocks/options.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Setting, Span, TextEdit, is_same_word, suggest};
use pcl_language::{AttributeRule, HookMoment, OPTIONS, ResourceOption, Takes};
use pcl_model::expression::{ExprId, ExprKind, Names};
use pcl_model::relations::Conversion;
use pcl_model::scope::{Definition, DefinitionKind, ScopeId};
use pcl_model::types::TypeId;
use pcl_model::value::Constant;
use pcl_syntax::{SyntaxToken, ast, is_identifier};
use semver::Version;

use crate::binder::Binder;
use crate::block::literal::{constant_of, leading_text};
use crate::block::package::invalid_version;
use crate::habits::displaced_inputs::DisplacedInput;
use crate::lint::text_for_resource::takes_resources;
use crate::member::PackageOptions;
use crate::node::{BoundAttribute, NodeId, NodeKind};
use crate::resource::range::Range;
use crate::wording::{with_certain_choice, with_full_list};
use crate::written_values::ObjectKeys;
use crate::written_values::Slot;

/// The `options` block of a resource-like body, and those of its attributes that are read before
/// the rest is bound.
pub(crate) struct OptionsBlock<'t> {
    pub block: ast::Block<'t>,
    pub range: Option<ast::Attribute<'t>>,
    /// `version` and `pluginDownloadURL`, in the order of the text.
    pub package: Vec<(SyntaxToken<'t>, ast::Attribute<'t>)>,
}

impl<'t> Binder<'_, '_, 't> {
    /// The `options` block of a node. A second one is reported.
    pub fn options_block(&mut self, node: NodeId) -> Option<OptionsBlock<'t>> {
        let mut found: Option<OptionsBlock<'t>> = None;
        let body = self.body(node)?;
        for block in body.blocks() {
            let Some(keyword) = block.keyword() else { continue };
            if keyword.text() != "options" {
                continue;
            }
            if let Some(first) = &found {
                let span = self.node_span(node, keyword.range());
                let first = first.block.keyword().map(|word| word.range());
                let first = first.map(|first| self.node_span(node, first));
                self.report(duplicate_options(span, first));
                self.bind_body_for_errors(node, block, self.root);
                continue;
            }
            let (mut range, mut package) = (None, Vec::new());
            for attribute in block.body().into_iter().flat_map(|body| body.attributes()) {
                let Some(name) = attribute.name() else { continue };
                match ResourceOption::parse(name.text()) {
                    Some(ResourceOption::Range) => range = range.or(Some(attribute)),
                    Some(ResourceOption::Version | ResourceOption::PluginDownloadUrl) => {
                        package.push((name, attribute));
                    }
                    _ => {}
                }
            }
            found = Some(OptionsBlock { block, range, package });
        }
        found
    }

    /// Reads `version` and `pluginDownloadURL`.
    pub fn package_options(
        &mut self,
        node: NodeId,
        options: Option<&OptionsBlock<'t>>,
    ) -> PackageOptions {
        let mut found = PackageOptions::default();
        for &(name, attribute) in options.iter().flat_map(|options| &options.package) {
            let is_version = name.text() == "version";
            let Some(value) = attribute.value() else { continue };
            let span = self.node_span(node, value.range());
            let Some(text) = constant_of(value) else {
                if !matches!(value, ast::Expr::Bogus(_)) {
                    let name = name.text();
                    let diagnostic = option_not_literal(span, name);
                    // Pulumi takes the first part of a string for the whole, and crashes on all
                    // else.
                    let is_taken = leading_text(value)
                        .is_some_and(|text| !is_version || Version::parse(&text).is_ok());
                    self.report(if is_taken { diagnostic.ours() } else { diagnostic });
                }
                continue;
            };
            if is_version {
                match Version::parse(&text) {
                    Ok(version) => found.version = Some(version),
                    Err(error) => self.report(invalid_version(span, &text, &error)),
                }
            } else {
                found.download_url = Some(text);
            }
        }
        found
    }

    /// Binds the attributes of an `options` block in `scope` and checks them against the table.
    /// `inputs` and `outputs` are the types whose properties the property lists may name.
    pub fn bind_options(
        &mut self,
        node: NodeId,
        options: Option<&OptionsBlock<'t>>,
        scope: ScopeId,
        inputs: TypeId,
        outputs: TypeId,
        range: &Range,
    ) -> Vec<BoundAttribute> {
        let Some(block) = options.map(|options| options.block) else { return Vec::new() };
        let Some(body) = block.body() else { return Vec::new() };
        let mut displaced: Vec<DisplacedInput<'t>> = Vec::new();
        let mut bound = Vec::with_capacity(body.attributes().count());
        for item in body.items() {
            let attribute = match item {
                ast::Item::Attribute(attribute) => attribute,
                ast::Item::Block(block) => {
                    if let Some(keyword) = block.keyword() {
                        let span = self.node_span(node, keyword.range());
                        self.report(nested_block(span, keyword.text()));
                    }
                    self.bind_body_for_errors(node, block, scope);
                    continue;
                }
                ast::Item::Bogus(_) => continue,
            };
            let Some(name) = attribute.name() else { continue };
            let value = match OPTIONS.attribute(name.text(), None) {
                Some(rule) => {
                    let types = [inputs, outputs];
                    self.bind_option(node, rule, attribute.value(), scope, types, range)
                }
                None => {
                    let value = self.bind_value(node, attribute, scope);
                    if self.is_displaced_input(name.text(), inputs) {
                        displaced.push(DisplacedInput { attribute, name, value })
                    } else {
                        self.unknown_option(node, body, name, value)
                    }
                    value
                }
            };
            if let Some(value) = value {
                bound.push(self.bound_attribute(attribute, name, value));
            }
        }
        self.report_displaced_inputs(node, block, &displaced, inputs);
        bound
    }

    /// Binds the value of an option and checks it. `types` are those of the inputs and outputs.
    pub fn bind_option(
        &mut self,
        node: NodeId,
        rule: &'static AttributeRule,
        value: Option<ast::Expr<'t>>,
        scope: ScopeId,
        [inputs, outputs]: [TypeId; 2],
        range: &Range,
    ) -> Option<ExprId> {
        let value = match rule.takes {
            // It was bound first, since its value decides the scope of the rest.
            _ if rule.name == "range" => range.value,
            Takes::Properties => {
                let named: &[TypeId] = match ResourceOption::parse(rule.name) {
                    Some(ResourceOption::AdditionalSecretOutputs) => &[inputs, outputs],
                    // The outputs of a component are no resource's.
                    Some(ResourceOption::HideDiffs) if self.nodes[node].kind.is_resource() => {
                        &[outputs, inputs]
                    }
                    _ => &[inputs],
                };
                let scope = self.property_scope(named)?;
                let with_outputs = named.len() > 1;
                let names = Names::Properties { option: rule.name, with_outputs };
                value.map(|expr| self.bind_names(node, expr, scope, names))
            }
            _ if takes_resources(rule.name) => {
                value.map(|expr| self.bind_names(node, expr, scope, Names::Resources))
            }
            _ => value.map(|expr| self.bind(node, expr, scope)),
        };
        if let Some(value) = value {
            self.check_option(node, rule, value);
        }
        value
    }

    fn check_option(&mut self, node: NodeId, rule: &AttributeRule, value: ExprId) {
        let name = rule.name;
        let place = format_args!("the option `{name}`");
        let target = match rule.takes {
            Takes::Value(ty) => self.session.types.static_type(&ty),
            Takes::Properties => self.session.types.list(TypeId::PROPERTY),
            Takes::Hooks => return self.check_hooks(value),
            // Of a resource they were read before anything was bound.
            _ if self.nodes[node].kind != NodeKind::Component => {
                let is_version = matches!(rule.takes, Takes::Version);
                let is_possible = |text: &str| !is_version || Version::parse(text).is_ok();
                let file = self.session.exprs[value].file;
                return self.checker(file).revise_text(value, is_possible);
            }
            _ => TypeId::STRING,
        };
        let Some(mut diagnostic) = self.mismatch(value, target, &place) else {
            return self.check_written(value, target, &place);
        };
        if matches!(rule.takes, Takes::Properties) {
            diagnostic = diagnostic
                .help("name the properties without quotes, as in `[tags, rules[0].port]`");
            let edits = self.without_quotes(value);
            if !edits.is_empty() {
                diagnostic = diagnostic.fix(Fix::unsafe_("remove the quotes", edits));
            }
        }
        if matches!(name, "dependsOn" | "replaceWith") {
            diagnostic = diagnostic
                .help(format!("write `{name} = [..]`, with brackets even around one resource"));
        }
        self.report(diagnostic);
    }

    /// The edits that make strings in a list names of properties; none if one of them cannot be.
    fn without_quotes(&self, list: ExprId) -> Vec<TextEdit> {
        let ExprKind::Tuple(elements) = &self.session.exprs[list].kind else { return Vec::new() };
        let mut edits = Vec::new();
        for &element in elements {
            let Some(text) = self.session.exprs.literal_string(element) else { continue };
            if !text.split('.').all(is_identifier) {
                return Vec::new();
            }
            edits.push(TextEdit::replace(self.expr_span(element), &*text));
        }
        edits
    }

    fn unknown_option(
        &mut self,
        node: NodeId,
        body: ast::Body<'t>,
        name: SyntaxToken<'t>,
        value: Option<ExprId>,
    ) {
        let span = self.node_span(node, name.range());
        let name = name.text();
        let message = format!("there is no option `{name}`");
        let diagnostic = Diagnostic::error(Code::UnsupportedAttribute, span, message);
        let meant = suggest(name, OPTIONS.names(None));
        let is_certain =
            meant.is_some_and(|meant| is_same_word(name, meant) && self.fits_option(meant, value));
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| taken.contain(span.file, body, meant);
        let names = OPTIONS.names(None);
        let mut diagnostic =
            with_certain_choice(diagnostic, name, span, names, is_taken, is_certain);
        if meant.is_none() {
            let count = OPTIONS.names(None).count();
            let page = "the page of `options`";
            diagnostic = with_full_list(diagnostic, count, page, Setting::Reference);
        }
        self.report(diagnostic);
    }

    /// Returns whether a value is certainly one of an option that takes any expression, without a
    /// key that would be reported.
    fn fits_option(&mut self, option: &str, value: Option<ExprId>) -> bool {
        let rule = OPTIONS.attribute(option, None).map(|rule| rule.takes);
        // The value of `range` decides the scope of everything else.
        let (Some(Takes::Value(ty)), Some(value), true) = (rule, value, option != "range") else {
            return false;
        };
        let given = self.type_of(value);
        let types = &mut self.session.types;
        let target = types.static_type(&ty);
        types.convert(target, given) == Conversion::Safe
            && self
                .written(value, &Slot::new(target, &format_args!("the option `{option}`")))
                .is_empty()
    }

    /// A scope with nothing but the properties of these objects, of which those of the first count.
    /// `None` when there are none that are known.
    fn property_scope(&mut self, objects: &[TypeId]) -> Option<ScopeId> {
        let types = &mut self.session.types;
        let known: Vec<_> = objects.iter().filter_map(|&object| types.properties(object)).collect();
        if known.is_empty() {
            return None;
        }
        let scope = self.session.scopes.new_scope(None);
        for (name, ty) in known.iter().flat_map(|known| known.to_vec()) {
            let definition = Definition { name, kind: DefinitionKind::Property, ty, span: None };
            let _ = self.session.scopes.define(scope, definition);
        }
        Some(scope)
    }

    /// `hooks = { beforeCreate = [a, b] }`
    fn check_hooks(&mut self, value: ExprId) {
        let ExprKind::Object(items) = &self.session.exprs[value].kind else {
            if self.type_of(value) != TypeId::ERROR {
                let span = self.expr_span(value);
                self.report(malformed_hooks(span, "`hooks` must be an object literal"));
            }
            return;
        };
        let items = items.clone();
        let mut keys = ObjectKeys::default();
        for &(key, hooks) in &items {
            let mut name = match &self.session.exprs[key].kind {
                ExprKind::Literal(Constant::String(name)) => Some(name.to_string()),
                _ => self.session.exprs.literal_string(key).map(|name| name.to_string()),
            };
            if let Some(written) = name.as_deref()
                && HookMoment::parse(written).is_none()
            {
                let span = self.expr_span(key);
                let message = format!("`hooks` has no moment `{written}`");
                let diagnostic = Diagnostic::error(Code::UnknownHookName, span, message);
                let names = || HookMoment::ALL.iter().map(|moment| moment.name());
                let meant = suggest(written, names());
                let is_certain = meant.is_some_and(|meant| is_same_word(written, meant));
                let exprs = &self.session.exprs;
                let is_taken = |meant: &str| keys.contain(exprs, &items, meant);
                let diagnostic =
                    with_certain_choice(diagnostic, written, span, names(), is_taken, is_certain);
                self.report(diagnostic);
                // Without a moment it is unknown which hooks it takes.
                let Some(meant) = meant else { continue };
                name = Some(meant.to_owned());
            }
            let ExprKind::Tuple(elements) = &self.session.exprs[hooks].kind else {
                if self.type_of(hooks) != TypeId::ERROR {
                    let message = "each moment of `hooks` must be a list literal";
                    self.report(malformed_hooks(self.expr_span(hooks), message));
                }
                continue;
            };
            let moment = name.as_deref().and_then(HookMoment::parse);
            let wants_error = moment == Some(HookMoment::OnError);
            for element in elements.clone() {
                self.check_hook_kind(element, wants_error, name.as_deref().unwrap_or("this"));
            }
        }
    }

    /// An element that names a hook directly has to be of the kind that the moment needs.
    fn check_hook_kind(&mut self, element: ExprId, wants_error: bool, moment: &str) {
        let ExprKind::Traversal(traversal) = &self.session.exprs[element].kind else { return };
        let Some(definition) = traversal
            .definition
            .filter(|_| traversal.steps.is_empty())
            .map(|definition| self.session.scopes.definition(definition))
        else {
            return;
        };
        let DefinitionKind::Hook(hook) = definition.kind else { return };
        let Some(kind) = self.first_label(NodeId(hook)) else { return };
        let is_error = kind.text() == "error";
        if is_error == wants_error {
            return;
        }
        let name = self.nodes[NodeId(hook)].name.clone();
        let declared = self.nodes[NodeId(hook)].name_span();
        let span = self.expr_span(element);
        self.report(wrong_hook_kind(span, &name, is_error, moment, declared));
    }
}

fn malformed_hooks(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(Code::MalformedHooksOption, span, message)
        .help("write it as `hooks = { beforeCreate = [name] }`")
}

/// A hook of one kind at a moment for the other kind. `declared` is the hook's name.
fn wrong_hook_kind(
    span: Span,
    name: &str,
    is_error: bool,
    moment: &str,
    declared: Span,
) -> Diagnostic {
    let (has, wants) = if is_error { ("error", "resource") } else { ("resource", "error") };
    Diagnostic::error(
        Code::WrongHookKind,
        span,
        format!("`{name}` is a hook of the kind `{has}`, and `{moment}` runs hooks of the kind `{wants}`"),
    )
    .label(declared, "declared here")
    .help(format!("use a hook declared as `hook \"{wants}\" ..`"))
}

/// A second `options` block. `first` is the keyword of the first one.
fn duplicate_options(span: Span, first: Option<Span>) -> Diagnostic {
    let message = "there is more than one `options` block";
    let diagnostic = Diagnostic::error(Code::DuplicateBlock, span, message)
        .help("put all options into one block");
    first.into_iter().fold(diagnostic, |all, first| all.label(first, "the first one is here"))
}

/// A block other than `options` in the body of a resource or component.
pub(crate) fn unsupported_block(span: Span, kind: &str, keyword: &str) -> Diagnostic {
    let message = format!("`{kind}` blocks have no `{keyword}` block");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
}

/// A block that was probably meant as a nested value.
pub(crate) fn nested_value(diagnostic: Diagnostic, keyword: &str) -> Diagnostic {
    diagnostic.help(format!("write a nested value as an attribute: `{keyword} = {{ .. }}`"))
}

/// A block inside of `options`.
fn nested_block(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("`options` has no `{keyword}` block");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
        .help(format!("write it as an attribute: `{keyword} = {{ .. }}`"))
}

/// An option that is read before the program runs, and is not a plain string.
fn option_not_literal(span: Span, name: &str) -> Diagnostic {
    let message = format!("the option `{name}` takes a plain quoted string");
    Diagnostic::error(Code::OptionNotLiteral, span, message)
        .note("the package is loaded before the program runs, so it cannot be computed")
        .help(format!("write it out, as in `{name} = \"..\"`"))
}
