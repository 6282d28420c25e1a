//! What every block does with its body: names it knows, names it does not, and what would be ignored.

use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, Span, TextEdit, enumerate, suggest};
use pcl_model::scope::ScopeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::program::NodeId;

/// Adds to a finding about the name at `span` what it was meant to be, with the edit.
pub(crate) fn renamed(finding: Diagnostic, span: Span, meant: &str) -> Diagnostic {
    finding
        .help(format!("did you mean `{meant}`?"))
        .fix(Fix::safe(
            format!("rename to `{meant}`"),
            vec![TextEdit::replace(span, meant)],
        ))
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
    let mut text: String = lines.into_iter().map(|line| format!("\n  {line}")).collect();
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

impl<'t> Binder<'_, '_, 't> {
    /// Adds to a finding about an unknown name what the name was probably meant to be, with a fix; or else the choices.
    pub fn with_choices<'c>(
        &self,
        finding: Diagnostic,
        name: &str,
        span: Span,
        choices: impl IntoIterator<Item = &'c str>,
    ) -> Diagnostic {
        let mut choices: Vec<&str> = choices.into_iter().collect();
        choices.sort_unstable();
        if let Some(meant) = suggest(name, choices.iter().copied()) {
            return renamed(finding, span, meant);
        }
        match choices[..] {
            [] => finding,
            [only] => finding.help(format!("only `{only}` is known here")),
            _ => finding.help(format!("known here are {}", enumerate(choices))),
        }
    }

    /// An attribute that means nothing in a block of this type: Pulumi would pass over it without a word.
    pub fn ignored_attribute(
        &mut self,
        node: NodeId,
        attribute: ast::Attribute<'t>,
        block: &str,
        known: &[&'static str],
        scope: ScopeId,
    ) {
        self.bind_value(node, attribute, scope);
        let Some(name) = attribute.name() else { return };
        let span = self.node_span(node, name.range());
        let finding = Diagnostic::warning(
            Code::IgnoredAttribute,
            span,
            format!("`{}` means nothing in `{block}` blocks", name.text()),
        )
        .note("Pulumi ignores it")
        .ours();
        let finding = self.with_choices(finding, name.text(), span, known.iter().copied());
        self.report(finding);
    }

    /// A block that means nothing inside a block of this type. What it holds is bound all the same.
    pub fn ignored_item(
        &mut self,
        node: NodeId,
        item: ast::Item<'t>,
        block: &str,
        scope: ScopeId,
    ) {
        let ast::Item::Block(nested) = item else {
            return;
        };
        if let Some(keyword) = nested.keyword() {
            let span = self.node_span(node, keyword.range());
            self.report(
                Diagnostic::error(
                    Code::IgnoredBlock,
                    span,
                    format!("`{block}` blocks hold no `{}` block", keyword.text()),
                )
                .note("Pulumi ignores it, so what is written in it never happens")
                .help("remove it, or write an attribute with `=` if a value was meant")
                .ours(),
            );
        }
        self.bind_body_for_errors(node, nested, scope);
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

    /// Reads `__logicalName`; an empty string leaves the name as it is.
    pub fn bind_logical_name(&mut self, node: NodeId, attribute: ast::Attribute<'t>) {
        if let Some(name) = self.string_literal(node, attribute, "__logicalName")
            && !name.is_empty()
        {
            self.nodes[node.index()].logical_name = name;
        }
    }

    /// Whether the parser found a mistake in the node's body: then what seems to be missing may only be unreadable.
    pub fn body_is_broken(&self, node: NodeId) -> bool {
        self.body(node)
            .is_none_or(|body| body.syntax().contains_error())
            || self.block(node).is_some_and(|block| block.syntax().contains_error())
    }
}
