//! The attributes and nested blocks of a body: known, unknown, and ignored ones.
//!
//! The rules, with examples: `tests/spec/blocks/config.md` and `tests/spec/blocks/attributes.md`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Severity, Span, TextEdit, suggest};
use pcl_language::{AttributeRule, BlockRule, Others, Takes};
use pcl_model::expression::ExprId;
use pcl_model::scope::ScopeId;
use pcl_syntax::{SyntaxToken, ast};

use crate::binder::Binder;
use crate::habits::settings::is_type_name;
use crate::node::{NodeId, NodeKind};
use crate::wording::{ignored_attribute, ignored_block, renamed, with_choices};

/// The value of an attribute, as its rule reads it.
pub(crate) enum Given {
    /// A bound expression; `None` when there was none to bind.
    Value(Option<ExprId>),
    /// The text of a literal; `None` when it was none, which has been reported.
    Text(Option<Arc<str>>),
    /// `true` or `false`; `None` when it was neither, which has been reported.
    Switch(Option<bool>),
}

impl<'t> Binder<'_, '_, 't> {
    /// The attribute that an item of a closed body is, with its rule. What the rule of the block
    /// does not know is reported, and bound for the errors in it. `label` is the first label of the
    /// block.
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
                let has_type = matches!(self.nodes[node].kind, NodeKind::Config | NodeKind::Output);
                if has_type && is_type_name(name) {
                    // It was reported with the labels.
                    return None;
                }
                if let Some((misspelled, meant)) = self.misspelled_attribute(node, block, label)
                    && misspelled == attribute
                {
                    self.report_misspelled(node, name, meant.name, block, label);
                    if block.others == Others::Refused {
                        return Some((meant, attribute));
                    }
                    self.bind_value(node, attribute, self.root);
                    return None;
                }
                self.bind_value(node, attribute, self.root);
                if !self.report_foreign_setting(node, attribute, name, block) {
                    self.unknown_attribute(node, name, block, label);
                }
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

    /// The attribute of a body that must be a misspelling of a required one, which is missing.
    pub fn misspelled_attribute(
        &mut self,
        node: NodeId,
        block: &'static BlockRule,
        label: Option<&str>,
    ) -> Option<(ast::Attribute<'t>, &'static AttributeRule)> {
        /// The most unknown attributes that are compared.
        const MOST: usize = 32;
        let body = self.body(node)?;
        let file = self.nodes[node].file;
        let mut required = block.attributes.iter().filter(|rule| rule.required);
        required.find_map(|rule| {
            let rule = block.attribute(rule.name, label)?;
            if self.body_names.contain(file, body, rule.name) {
                return None;
            }
            let unknown = body.attributes().filter(|attribute| {
                let name = attribute.name();
                name.is_some_and(|name| block.attribute(name.text(), label).is_none())
            });
            let misspelled = unknown.take(MOST).find(|attribute| {
                let name = attribute.name();
                name.is_some_and(|name| suggest(name.text(), [rule.name]).is_some())
            })?;
            Some((misspelled, rule))
        })
    }

    /// Reports a misspelled attribute that is required. This is the only error about both.
    fn report_misspelled(
        &mut self,
        node: NodeId,
        name: SyntaxToken<'t>,
        meant: &str,
        block: &'static BlockRule,
        label: Option<&str>,
    ) {
        let span = self.node_span(node, name.range());
        let (text, keyword) = (name.text(), block.keyword);
        let is_refused = block.others == Others::Refused;
        let diagnostic = if is_refused {
            unknown_member(span, text, keyword, label)
        } else {
            ignored_attribute(span, text, keyword).with_severity(Severity::Error)
        };
        // A value that Pulumi ignores is not checked.
        self.report(renamed(diagnostic, span, meant, |_| false, is_refused));
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
        let diagnostic = match block.others {
            Others::Refused => unknown_member(span, text, keyword, label),
            Others::Ignored | Others::Inputs => ignored_attribute(span, text, keyword),
        };
        let file = self.nodes[node].file;
        let body = self.body(node);
        let taken = &mut self.body_names;
        let is_taken = |meant: &str| body.is_some_and(|body| taken.contain(file, body, meant));
        let diagnostic = with_choices(diagnostic, text, span, block.names(label), is_taken);
        self.report(diagnostic);
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
        let diagnostic = match block.others {
            Others::Refused => {
                let diagnostic = unknown_member(span, text, keyword, label);
                // A block under another name is still no attribute.
                with_choices(diagnostic, text, span, block.names(label), |_| true)
            }
            Others::Ignored | Others::Inputs => ignored_nested(span, text, keyword),
        };
        self.report(diagnostic);
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
            Takes::Value(ty) => {
                let value = self.bind_value(node, attribute, scope);
                let target = self.session.types.static_type(&ty);
                let name = rule.name;
                if let Some(value) = value
                    && let Some(mut diagnostic) =
                        self.mismatch(value, target, &format_args!("`{name}`"))
                {
                    if name == "command"
                        && let Some(text) = self.session.exprs.literal_string(value)
                    {
                        diagnostic = split_command(diagnostic, &text);
                    }
                    self.report(diagnostic);
                }
                Given::Value(value)
            }
        }
    }

    /// Binds every expression below a block that has no meaning, so that errors in it are found.
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
            self.nodes[node].logical_name = name;
        }
    }

    /// Returns whether the node's body has a syntax error: then an attribute that seems to be
    /// missing may only be unreadable.
    pub fn body_is_broken(&self, node: NodeId) -> bool {
        self.body(node).is_none_or(|body| body.syntax().contains_error())
            || self.block(node).is_some_and(|block| block.syntax().contains_error())
    }
}

/// An attribute or block that the block refuses.
fn unknown_member(span: Span, name: &str, keyword: &str, label: Option<&str>) -> Diagnostic {
    let message = match label {
        Some(label) => format!("`{label}` {keyword}s have no `{name}`"),
        None => format!("`{keyword}` blocks have no `{name}`"),
    };
    Diagnostic::error(Code::UnknownProperty, span, message)
}

/// A block among attributes that means nothing there; an attribute may have been meant.
fn ignored_nested(span: Span, name: &str, block: &str) -> Diagnostic {
    ignored_block(span, name, block)
        .help("remove it, or write an attribute with `=` if a value was meant")
}

/// Adds the list of words that a command written as one string means.
fn split_command(mut diagnostic: Diagnostic, command: &str) -> Diagnostic {
    if command.contains(['\'', '"', '\\', '$', '|', '>', '<', '&', ';', '\n']) {
        return diagnostic.help("write the program and each argument as an element of a list");
    }
    let words = command.split_whitespace().map(|word| format!("\"{word}\""));
    let list = format!("[{}]", words.collect::<Vec<_>>().join(", "));
    let edit = TextEdit::replace(diagnostic.primary, &*list);
    diagnostic.fixes.clear();
    diagnostic
        .help(format!("write the program and each argument: `{list}`"))
        .fix(Fix::unsafe_("split it into words", vec![edit]))
}
