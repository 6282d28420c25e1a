//! The names that a node refers to, found in its text before anything is bound.
//!
//! Names are resolved with the language's own scopes: a loop variable, `range`, `args` or the
//! `error` of a `recover` that has the name of a node is not a reference to it, and neither is a
//! function of that name.
//!
//! The rules, with examples: `tests/spec/programs/references.md`.

use pcl_language::{OPTIONS, Takes, rule_of};
use pcl_model::expression::FreeNames;
use pcl_newcomers::terraform::lists_properties;
use pcl_syntax::ast::{self, AstNode as _};

use crate::binder::Binder;
use crate::node::{NodeId, NodeKind};

impl<'t> Binder<'_, '_, 't> {
    /// Calls `found` with each name that a node leaves to the scope of the program.
    pub fn each_reference(
        &self,
        names: &mut FreeNames<'t>,
        node: NodeId,
        found: impl FnMut(ast::Name<'t>),
    ) {
        let mut walk = Walk { names, found };
        if let Some(attribute) = ast::Attribute::cast(self.syntax(node)) {
            walk.attribute(attribute, &[]);
        } else if let Some(body) = self.body(node) {
            walk.body(self.nodes[node].kind, body);
        }
    }
}

struct Walk<'n, 't, F> {
    names: &'n mut FreeNames<'t>,
    found: F,
}

impl<'t, F: FnMut(ast::Name<'t>)> Walk<'_, 't, F> {
    fn body(&mut self, kind: NodeKind, body: ast::Body<'t>) {
        let ranged = matches!(kind, NodeKind::Resource | NodeKind::Read | NodeKind::Component)
            && has_range(body);
        let hidden: &[&str] = if ranged { &["range"] } else { &[] };
        let rule = rule_of(kind);
        for item in body.items() {
            match item {
                ast::Item::Attribute(attribute) => {
                    let name = attribute.name().map_or("", |name| name.text());
                    let rule = rule.and_then(|rule| rule.attribute(name, None));
                    let is_literal = rule.is_some_and(|rule| rule.takes.is_literal());
                    match (kind, name) {
                        // May be an input of the component's program.
                        (NodeKind::Component, "token") => self.attribute(attribute, hidden),
                        // A name in it is an error of its own, or that of a type.
                        _ if is_literal => {}
                        (NodeKind::Config | NodeKind::Output, "type") => {}
                        (NodeKind::Hook, "command") => self.attribute(attribute, &["args"]),
                        _ => self.attribute(attribute, hidden),
                    }
                }
                ast::Item::Block(nested) => {
                    let is_options = nested.has_keyword("options");
                    // Its content is not part of the program.
                    if nested.has_keyword("dynamic") {
                        continue;
                    }
                    self.nested(nested, is_options, hidden);
                }
                ast::Item::Bogus(_) => {}
            }
        }
    }

    /// Blocks inside a block: `options`, and what is nested wrongly.
    fn nested(&mut self, block: ast::Block<'t>, is_options: bool, hidden: &[&str]) {
        let mut open = Vec::new();
        let mut next = Some(block);
        while let Some(block) = next {
            for item in block.body().into_iter().flat_map(|body| body.items()) {
                match item {
                    ast::Item::Attribute(attribute) => {
                        let name = attribute.name().map_or("", |name| name.text());
                        match (is_options, name) {
                            (false, _) if lists_properties(name) => {}
                            (true, "range") | (false, _) => self.attribute(attribute, &[]),
                            (true, _) if names_properties(name) => {}
                            (true, _) => self.attribute(attribute, hidden),
                        }
                    }
                    ast::Item::Block(nested) => open.push(nested),
                    ast::Item::Bogus(_) => {}
                }
            }
            next = open.pop();
        }
    }

    fn attribute(&mut self, attribute: ast::Attribute<'t>, hidden: &[&str]) {
        let Some(value) = attribute.value() else { return };
        self.names.each(value, |name| {
            if hidden.is_empty() || !hidden.contains(&name.text()) {
                (self.found)(name);
            }
        });
    }
}

/// Returns whether a body is repeated as Terraform has it.
pub(crate) fn has_count(body: ast::Body<'_>) -> bool {
    let mut names = body.attributes().filter_map(ast::Attribute::name);
    names.any(|name| matches!(name.text(), "count" | "for_each"))
}

/// Returns whether the body's `options` have a `range`.
pub(crate) fn has_range(body: ast::Body<'_>) -> bool {
    body.blocks()
        .filter(|nested| nested.has_keyword("options"))
        .filter_map(|options| options.body())
        .flat_map(|body| body.attributes())
        .any(|attribute| attribute.is_named("range"))
}

/// Returns whether the names in an option are properties, not variables.
fn names_properties(option: &str) -> bool {
    let rule = OPTIONS.attribute(option, None);
    rule.is_some_and(|rule| matches!(rule.takes, Takes::Properties))
}
