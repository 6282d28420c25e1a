//! The `options` block of resources, reads and components: one table of what it may hold.
//!
//! The rules, with examples: `tests/spec/blocks/options.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{ExprId, ExprKind, Names};
use pcl_model::scope::{Definition, DefinitionKind, ScopeId};
use pcl_model::types::TypeId;
use pcl_model::value::Constant;
use pcl_syntax::{SyntaxToken, ast};
use semver::Version;

use crate::binder::Binder;
use crate::block::attributes::{renamed, with_choices};
use crate::block::literal::{constant_of, leading_text};
use crate::block::package::invalid_version;
use crate::block::rules::{AttributeRule, OPTIONS, Takes};
use crate::literals::{self, ObjectKeys};
use crate::program::{BoundAttribute, NodeId, NodeKind};
use crate::resource::range::Range;

/// The moments that a hook can run at.
const HOOK_NAMES: &[&str] = &[
    "afterCreate",
    "afterDelete",
    "afterUpdate",
    "beforeCreate",
    "beforeDelete",
    "beforeUpdate",
    "onError",
];

/// The option that lists outputs as well as inputs.
const SECRET_OUTPUTS: &str = "additionalSecretOutputs";

/// Whether there is an option of that name.
pub(crate) fn is_option(name: &str) -> bool {
    OPTIONS.attribute(name, None).is_some()
}

/// The `options` block of a resource-like body, and those of its attributes that are read before the rest is bound.
pub(crate) struct OptionsBlock<'t> {
    pub block: ast::Block<'t>,
    pub range: Option<ast::Attribute<'t>>,
    /// `version` and `pluginDownloadURL`, in the order of the text.
    pub package: Vec<(SyntaxToken<'t>, ast::Attribute<'t>)>,
}

/// What `version` and `pluginDownloadURL` say; they decide which schema counts, so they are read before anything is bound.
#[derive(PartialEq, Eq, Default)]
pub(crate) struct PackageOptions {
    pub version: Option<Version>,
    pub download_url: Option<String>,
}

impl<'t> Binder<'_, '_, 't> {
    /// The `options` block of a node. A second one, and any other block, is reported.
    pub fn options_block(&mut self, node: NodeId) -> Option<OptionsBlock<'t>> {
        let mut found: Option<OptionsBlock<'t>> = None;
        let body = self.body(node)?;
        let is_options = |word: SyntaxToken<'_>| word.text() == "options";
        let has_options = body
            .blocks()
            .filter_map(ast::Block::keyword)
            .any(is_options);
        for block in body.blocks() {
            let Some(keyword) = block.keyword() else {
                continue;
            };
            if keyword.text() != "options" {
                let span = self.node_span(node, keyword.range());
                self.unsupported_block(node, block, keyword.text(), span, has_options);
                continue;
            }
            if let Some(first) = &found {
                let span = self.node_span(node, keyword.range());
                let first = first.block.keyword().map(|word| word.range());
                let mut finding = Diagnostic::error(
                    Code::DuplicateBlock,
                    span,
                    "there is more than one `options` block",
                )
                .help("put all options into one block");
                if let Some(first) = first {
                    let first = self.node_span(node, first);
                    finding = finding.label(first, "the first one is here");
                }
                self.report(finding);
                self.bind_body_for_errors(node, block, self.root);
                continue;
            }
            let (mut range, mut package) = (None, Vec::new());
            for attribute in block.body().into_iter().flat_map(|body| body.attributes()) {
                let Some(name) = attribute.name() else {
                    continue;
                };
                match name.text() {
                    "range" => range = range.or(Some(attribute)),
                    "version" | "pluginDownloadURL" => package.push((name, attribute)),
                    _ => {}
                }
            }
            found = Some(OptionsBlock {
                block,
                range,
                package,
            });
        }
        found
    }

    fn unsupported_block(
        &mut self,
        node: NodeId,
        block: ast::Block<'t>,
        keyword: &str,
        span: Span,
        has_options: bool,
    ) {
        let kind = self.nodes[node.index()].kind.as_str();
        let finding = Diagnostic::error(
            Code::UnsupportedBlock,
            span,
            format!("`{kind}` blocks hold no `{keyword}` block"),
        );
        let finding = match pcl_diagnostics::suggest(keyword, ["options"]) {
            Some(meant) => renamed(finding, span, meant, |_| has_options),
            None => finding.help(format!(
                "write a nested value as an attribute: `{keyword} = {{ .. }}`"
            )),
        };
        self.report(finding);
        self.bind_body_for_errors(node, block, self.root);
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
            let Some(value) = attribute.value() else {
                continue;
            };
            let span = self.node_span(node, value.range());
            let Some(text) = constant_of(value) else {
                if !matches!(value, ast::Expr::Bogus(_)) {
                    let name = name.text();
                    let message = format!("the option `{name}` takes a plain quoted string");
                    let finding = Diagnostic::error(Code::OptionNotLiteral, span, message)
                        .note("the package is loaded before the program runs, so it cannot be computed")
                        .help(format!("write it out, as in `{name} = \"..\"`"));
                    // Pulumi takes the first part of a string for the whole, and crashes on all else.
                    let is_taken = leading_text(value)
                        .is_some_and(|text| !is_version || Version::parse(&text).is_ok());
                    self.report(if is_taken { finding.ours() } else { finding });
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

    /// Binds the attributes of an `options` block in `scope` and checks them against the table. `inputs` and `outputs` are the
    /// types whose properties the property lists may name.
    pub fn bind_options(
        &mut self,
        node: NodeId,
        options: Option<&OptionsBlock<'t>>,
        scope: ScopeId,
        inputs: TypeId,
        outputs: TypeId,
        range: &Range,
    ) -> Vec<BoundAttribute> {
        let Some(body) = options.and_then(|options| options.block.body()) else {
            return Vec::new();
        };
        let mut bound = Vec::with_capacity(body.attributes().count());
        for item in body.items() {
            let attribute = match item {
                ast::Item::Attribute(attribute) => attribute,
                ast::Item::Block(block) => {
                    if let Some(keyword) = block.keyword() {
                        let span = self.node_span(node, keyword.range());
                        self.report(
                            Diagnostic::error(
                                Code::UnsupportedBlock,
                                span,
                                format!("`options` holds no `{}` block", keyword.text()),
                            )
                            .help(format!(
                                "write it as an attribute: `{} = {{ .. }}`",
                                keyword.text()
                            )),
                        );
                    }
                    self.bind_body_for_errors(node, block, scope);
                    continue;
                }
                ast::Item::Bogus(_) => continue,
            };
            let Some(name) = attribute.name() else {
                continue;
            };
            let text = name.text();
            let rule = OPTIONS.attribute(text, None);
            let value = match rule.map(|rule| rule.takes) {
                // It was bound first, since what it says decides the scope of the rest.
                Some(_) if text == "range" => range.value,
                Some(Takes::Properties) => {
                    let Some(scope) = self.property_scope(text, inputs, outputs) else {
                        continue;
                    };
                    let names = Names::Properties {
                        option: rule.map_or("", |rule| rule.name),
                        with_outputs: text == SECRET_OUTPUTS,
                    };
                    let value = attribute.value();
                    value.map(|expr| self.bind_names(node, expr, scope, names))
                }
                _ => self.bind_value(node, attribute, scope),
            };
            match rule {
                Some(rule) => {
                    if let Some(value) = value {
                        self.check_option(node, rule, value);
                    }
                }
                None => self.unknown_option(node, body, name, inputs),
            }
            if let Some(value) = value {
                bound.push(self.bound_attribute(attribute, name, value));
            }
        }
        bound
    }

    fn check_option(&mut self, node: NodeId, rule: &AttributeRule, value: ExprId) {
        let name = rule.name;
        let place = format_args!("the option `{name}`");
        let target = match rule.takes {
            Takes::Value(make) => make(&mut self.session.types),
            Takes::Properties => self.session.types.list(TypeId::PROPERTY),
            Takes::Hooks => return self.check_hooks(value),
            // Of a resource they were read before anything was bound.
            _ if self.nodes[node.index()].kind != NodeKind::Component => return,
            _ => TypeId::STRING,
        };
        let Some(mut finding) = self.mismatch(value, target, &place) else {
            let session = &mut *self.session;
            let (types, scopes) = (&mut session.types, &mut session.scopes);
            let exprs = &session.exprs;
            let owner = format_args!("the properties of {place}");
            let findings = literals::check(types, scopes, exprs, value, target, &owner, None);
            session.reporter.report_all(findings);
            return;
        };
        if matches!(rule.takes, Takes::Properties) {
            finding =
                finding.help("name the properties without quotes, as in `[tags, rules[0].port]`");
        }
        if matches!(name, "dependsOn" | "replaceWith") {
            finding = finding.help("give it a list of resources, even for a single one");
        }
        self.report(finding);
    }

    fn unknown_option(
        &mut self,
        node: NodeId,
        body: ast::Body<'t>,
        name: SyntaxToken<'t>,
        inputs: TypeId,
    ) {
        let span = self.node_span(node, name.range());
        let name = name.text();
        let message = format!("there is no option `{name}`");
        let finding = Diagnostic::error(Code::UnsupportedAttribute, span, message);
        let types = &mut self.session.types;
        let symbol = types.find_symbol(name);
        let is_input = symbol.is_some_and(|name| types.property(inputs, name).is_some());
        let finding = if is_input {
            finding.help(format!(
                "`{name}` is an input: it belongs one level up, outside of `options`"
            ))
        } else {
            let taken = &mut self.body_names;
            let is_taken = |meant: &str| taken.contain(span.file, body, meant);
            with_choices(finding, name, span, OPTIONS.names(None), is_taken)
        };
        self.report(finding);
    }

    /// A scope with nothing but the properties that a list of paths may name. `None` when they are not known.
    fn property_scope(&mut self, option: &str, inputs: TypeId, outputs: TypeId) -> Option<ScopeId> {
        let types = &mut self.session.types;
        let mut members = types.properties(inputs)?.to_vec();
        if option == SECRET_OUTPUTS
            && let Some(outputs) = types.properties(outputs)
        {
            members.extend_from_slice(&outputs);
        }
        let scope = self.session.scopes.new_scope(None);
        for (name, ty) in members {
            let definition = Definition {
                name,
                kind: DefinitionKind::Property,
                ty,
                span: None,
            };
            let _ = self.session.scopes.define(scope, definition);
        }
        Some(scope)
    }

    /// `hooks = { beforeCreate = [a, b] }`
    fn check_hooks(&mut self, value: ExprId) {
        let ExprKind::Object(items) = &self.session.exprs[value].kind else {
            if self.type_of(value) != TypeId::ERROR {
                self.malformed_hooks(value, "`hooks` takes an object written out here");
            }
            return;
        };
        let items = items.clone();
        let mut keys = ObjectKeys::default();
        for &(key, hooks) in &items {
            let name = match &self.session.exprs[key].kind {
                ExprKind::Literal(Constant::String(name)) => Some(name.to_string()),
                _ => self
                    .session
                    .exprs
                    .literal_string(key)
                    .map(|name| name.to_string()),
            };
            if let Some(name) = &name
                && !HOOK_NAMES.contains(&name.as_str())
            {
                let span = self.expr_span(key);
                let finding = Diagnostic::error(
                    Code::UnknownHookName,
                    span,
                    format!("hooks do not run at `{name}`"),
                );
                let names = HOOK_NAMES.iter().copied();
                let exprs = &self.session.exprs;
                let is_taken = |meant: &str| keys.contain(exprs, &items, meant);
                let finding = with_choices(finding, name, span, names, is_taken);
                self.report(finding);
                // Which hooks it takes is unknown as well.
                continue;
            }
            let ExprKind::Tuple(elements) = &self.session.exprs[hooks].kind else {
                if self.type_of(hooks) != TypeId::ERROR {
                    self.malformed_hooks(
                        hooks,
                        "each moment takes a list of hooks written out here",
                    );
                }
                continue;
            };
            let wants_error = name.as_deref() == Some("onError");
            for element in elements.clone() {
                self.check_hook_kind(element, wants_error, name.as_deref().unwrap_or("this"));
            }
        }
    }

    fn malformed_hooks(&mut self, value: ExprId, message: &str) {
        let span = self.expr_span(value);
        self.report(
            Diagnostic::error(Code::MalformedHooksOption, span, message)
                .help("write it as `hooks = { beforeCreate = [name] }`"),
        );
    }

    /// An element that names a hook directly has to be of the kind that the moment needs.
    fn check_hook_kind(&mut self, element: ExprId, wants_error: bool, moment: &str) {
        let ExprKind::Traversal(traversal) = &self.session.exprs[element].kind else {
            return;
        };
        let Some(definition) = traversal
            .definition
            .filter(|_| traversal.steps.is_empty())
            .map(|definition| self.session.scopes.definition(definition))
        else {
            return;
        };
        let DefinitionKind::Hook(hook) = definition.kind else {
            return;
        };
        let Some(block) = self.block(NodeId(hook)) else {
            return;
        };
        let is_error = block
            .labels()
            .next()
            .is_some_and(|kind| kind.text() == "error");
        if is_error == wants_error {
            return;
        }
        let (has, wants) = if is_error {
            ("error", "resource")
        } else {
            ("resource", "error")
        };
        let name = self.nodes[hook as usize].name.clone();
        let declared = self.nodes[hook as usize].name_span();
        let span = self.expr_span(element);
        self.report(
            Diagnostic::error(
                Code::WrongHookKind,
                span,
                format!("`{name}` is a hook of the kind `{has}`, and `{moment}` runs hooks of the kind `{wants}`"),
            )
            .label(declared, "declared here")
            .help(format!("use a hook declared as `hook \"{wants}\" ..`")),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moments_are_ordered() {
        assert!(HOOK_NAMES.is_sorted());
    }
}
