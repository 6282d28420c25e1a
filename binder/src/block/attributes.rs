//! What every block does with its body: names it knows, names it does not, and what would be ignored.
//!
//! The rules, with examples: `tests/spec/blocks/config.md` and `tests/spec/blocks/attributes.md`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, Span, TextEdit, enumerate, suggest};
use pcl_model::expression::ExprId;
use pcl_model::scope::ScopeId;
use pcl_syntax::{SyntaxToken, ast};
use rustc_hash::FxHashSet;

use super::rules::{AttributeRule, BlockRule, Others, Takes};
use crate::binder::Binder;
use crate::program::NodeId;

/// Adds to a finding about the name at `span` what it was probably meant to be. The edit is a guess, and there is none where the name
/// is taken or cannot be written.
pub(crate) fn renamed(
    finding: Diagnostic,
    span: Span,
    meant: &str,
    is_taken: impl FnOnce(&str) -> bool,
) -> Diagnostic {
    let finding = finding.help(format!("did you mean `{meant}`?"));
    if !pcl_syntax::is_identifier(meant) || is_taken(meant) {
        return finding;
    }
    finding.fix(Fix::unsafe_(
        format!("rename to `{meant}`"),
        vec![TextEdit::replace(span, meant)],
    ))
}

/// The names of the attributes of the body that was asked about last.
#[derive(Default)]
pub(crate) struct BodyNames<'t> {
    body: Option<Span>,
    names: FxHashSet<&'t str>,
}

impl<'t> BodyNames<'t> {
    /// Returns whether a body has an attribute of that name.
    pub fn contain(&mut self, file: FileId, body: ast::Body<'t>, name: &str) -> bool {
        let place = Some(Span::new(file, body.syntax().range()));
        if self.body != place {
            self.body = place;
            self.names.clear();
            let names = body.attributes().filter_map(ast::Attribute::name);
            self.names.extend(names.map(SyntaxToken::text));
        }
        self.names.contains(name)
    }
}

/// The edits that put lines at the start of a block's body. A block on one line is broken up.
pub(crate) fn insert_lines(
    file: FileId,
    block: ast::Block<'_>,
    lines: impl IntoIterator<Item = String>,
) -> Vec<TextEdit> {
    let Some(open) = block.open_brace() else {
        return Vec::new();
    };
    let mut text: String = lines
        .into_iter()
        .map(|line| format!("\n  {line}"))
        .collect();
    let body = block.body().map_or("", |body| body.syntax().text());
    let body = body.strip_prefix('{').unwrap_or(body);
    let body = body.strip_suffix('}').unwrap_or(body);
    let mut edits = Vec::new();
    if !body.contains('\n')
        && let Some(close) = block.close_brace()
    {
        if body.trim().is_empty() {
            text.push('\n');
        } else {
            text.push_str("\n ");
            edits.push(TextEdit::insert(file, close.range().start(), "\n"));
        }
    }
    edits.insert(0, TextEdit::insert(file, open.range().end(), text));
    edits
}

/// Adds to a finding about an unknown name what the name was probably meant to be, see [`renamed`]; or else the choices.
pub(crate) fn with_choices<'c>(
    finding: Diagnostic,
    name: &str,
    span: Span,
    choices: impl IntoIterator<Item = &'c str>,
    is_taken: impl FnOnce(&str) -> bool,
) -> Diagnostic {
    let mut choices: Vec<&str> = choices.into_iter().collect();
    choices.sort_unstable();
    match suggest(name, choices.iter().copied()) {
        Some(meant) => renamed(finding, span, meant, is_taken),
        None => listing(finding, choices.iter().copied()),
    }
}

/// Adds the choices to a finding about an unknown name.
pub(crate) fn listing<'c>(
    finding: Diagnostic,
    choices: impl ExactSizeIterator<Item = &'c str>,
) -> Diagnostic {
    match choices.len() {
        0 => finding,
        1 => finding.help(format!("only {} is known here", enumerate(choices))),
        _ => finding.help(format!("known here are {}", enumerate(choices))),
    }
}

/// What an attribute was found to say.
pub(crate) enum Given {
    /// A bound expression; `None` when there was none to bind.
    Value(Option<ExprId>),
    /// The text of a literal; `None` when it was none, which has been reported.
    Text(Option<Arc<str>>),
    /// `true` or `false`; `None` when it was neither, which has been reported.
    Switch(Option<bool>),
}

/// An attribute that means nothing in a block of this type: Pulumi would pass over it without a word.
pub(crate) fn ignored_attribute(span: Span, name: &str, block: &str) -> Diagnostic {
    let message = format!("`{name}` means nothing in `{block}` blocks");
    Diagnostic::warning(Code::IgnoredAttribute, span, message)
        .note("Pulumi ignores it")
        .ours()
}

/// A block that means nothing inside a block of this type.
pub(crate) fn ignored_block(span: Span, name: &str, block: &str) -> Diagnostic {
    let message = format!("`{block}` blocks hold no `{name}` block");
    Diagnostic::error(Code::IgnoredBlock, span, message)
        .note("Pulumi ignores it, so what is written in it never happens")
        .ours()
}

/// An attribute or block that the block refuses.
fn unknown_member(span: Span, name: &str, keyword: &str, label: Option<&str>) -> Diagnostic {
    let message = match label {
        Some(label) => format!("a {keyword} of the kind `{label}` has no `{name}`"),
        None => format!("`{keyword}` has no `{name}`"),
    };
    Diagnostic::error(Code::UnknownProperty, span, message)
}

impl<'t> Binder<'_, '_, 't> {
    /// The attribute that an item of a closed body is, with its rule. What the rule of the block does not know is reported, and bound
    /// for the mistakes in it. `label` is the first label of the block.
    pub fn known_attribute(
        &mut self,
        node: NodeId,
        item: ast::Item<'t>,
        block: &'static BlockRule,
        label: Option<&str>,
    ) -> Option<(&'static AttributeRule, ast::Attribute<'t>)> {
        match item {
            ast::Item::Attribute(attribute) => {
                let name = attribute.name()?;
                if let Some(rule) = block.attribute(name.text(), label) {
                    return Some((rule, attribute));
                }
                self.bind_value(node, attribute, self.root);
                self.unknown_attribute(node, name, block, label);
            }
            ast::Item::Block(nested) => {
                if let Some(keyword) = nested.keyword() {
                    self.unknown_nested(node, keyword, block, label);
                }
                self.bind_body_for_errors(node, nested, self.root);
            }
            ast::Item::Bogus(_) => {}
        }
        None
    }

    fn unknown_attribute(
        &mut self,
        node: NodeId,
        name: SyntaxToken<'t>,
        block: &'static BlockRule,
        label: Option<&str>,
    ) {
        let span = self.node_span(node, name.range());
        let (text, keyword) = (name.text(), block.keyword);
        let finding = match block.others {
            Others::Refused => unknown_member(span, text, keyword, label),
            Others::Ignored | Others::Inputs => ignored_attribute(span, text, keyword),
        };
        let file = self.nodes[node.index()].file;
        let body = self.body(node);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| body.is_some_and(|body| taken.contain(file, body, meant));
        let finding = with_choices(finding, text, span, block.names(label), is_taken);
        self.report(finding);
    }

    fn unknown_nested(
        &mut self,
        node: NodeId,
        name: SyntaxToken<'t>,
        block: &'static BlockRule,
        label: Option<&str>,
    ) {
        let span = self.node_span(node, name.range());
        let (text, keyword) = (name.text(), block.keyword);
        let finding = match block.others {
            Others::Refused => {
                let finding = unknown_member(span, text, keyword, label);
                // A block under another name is still no attribute.
                with_choices(finding, text, span, block.names(label), |_| true)
            }
            Others::Ignored | Others::Inputs => ignored_block(span, text, keyword)
                .help("remove it, or write an attribute with `=` if a value was meant"),
        };
        self.report(finding);
    }

    /// Reads the value of an attribute as its rule says, and checks it.
    pub fn read_attribute(
        &mut self,
        node: NodeId,
        rule: &'static AttributeRule,
        attribute: ast::Attribute<'t>,
        scope: ScopeId,
    ) -> Given {
        match rule.takes {
            Takes::Switch => Given::Switch(self.bool_literal(node, attribute, rule.name)),
            Takes::Text | Takes::Version | Takes::Url | Takes::Base64 => {
                Given::Text(self.string_literal(node, attribute, rule.name))
            }
            Takes::Declared | Takes::Properties | Takes::Hooks => {
                Given::Value(self.bind_value(node, attribute, scope))
            }
            Takes::Value(make) => {
                let value = self.bind_value(node, attribute, scope);
                let target = make(&mut self.session.types);
                let name = rule.name;
                if let Some(value) = value
                    && let Some(finding) = self.mismatch(value, target, &format_args!("`{name}`"))
                {
                    self.report(finding);
                }
                Given::Value(value)
            }
        }
    }

    /// Binds every expression below a block that has no meaning, so that mistakes in it are found.
    pub fn bind_body_for_errors(&mut self, node: NodeId, block: ast::Block<'t>, scope: ScopeId) {
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            let Some(body) = block.body() else { continue };
            for item in body.items() {
                match item {
                    ast::Item::Attribute(attribute) => {
                        self.bind_value(node, attribute, scope);
                    }
                    ast::Item::Block(block) => open.push(block),
                    ast::Item::Bogus(_) => {}
                }
            }
        }
    }

    /// Reads `__logicalName`.
    pub fn bind_logical_name(&mut self, node: NodeId, attribute: ast::Attribute<'t>) {
        let name = self.string_literal(node, attribute, "__logicalName");
        self.set_logical_name(node, name);
    }

    /// Sets the logical name; an empty string leaves the name as it is.
    pub fn set_logical_name(&mut self, node: NodeId, name: Option<Arc<str>>) {
        if let Some(name) = name
            && !name.is_empty()
        {
            self.nodes[node.index()].logical_name = name;
        }
    }

    /// Whether the parser found a mistake in the node's body: then what seems to be missing may only be unreadable.
    pub fn body_is_broken(&self, node: NodeId) -> bool {
        self.body(node)
            .is_none_or(|body| body.syntax().contains_error())
            || self
                .block(node)
                .is_some_and(|block| block.syntax().contains_error())
    }
}
