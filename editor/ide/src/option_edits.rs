//! The edits that give a resource or component an option.

use pcl::diagnostics::{Span, TextEdit, TextRange};
use pcl::language::OPTIONS;
use pcl::syntax::ast::{self, AstNode as _};

use super::{Analysis, NodeRef};

/// The edits that add an earlier name or type to the option `aliases`; `None` if its value is no
/// list in brackets.
pub(crate) fn with_alias(analysis: &Analysis, node: NodeRef, entry: &str) -> Option<Vec<TextEdit>> {
    let aliases = options(analysis, node)
        .and_then(|options| options.attributes().find(|attribute| attribute.is_named("aliases")));
    let Some(aliases) = aliases else {
        return with_options(analysis, node, &[format!("aliases = [{entry}]")]);
    };
    let ast::Expr::Tuple(list) = aliases.value()? else { return None };
    let separator = if list.elements().next().is_some() { ", " } else { "" };
    let at = TextRange::empty(list.range().start() + 1);
    let span = Span::new(analysis.node(node).file, at);
    Some(vec![TextEdit { span, text: format!("{entry}{separator}") }])
}

/// The edits that add attributes to the options, and the block of the options if it is not there.
/// They are between the attributes that are there, which other edits may change.
pub(crate) fn with_options(
    analysis: &Analysis,
    node: NodeRef,
    attributes: &[String],
) -> Option<Vec<TextEdit>> {
    let lines: String = attributes.iter().map(|it| format!("    {it}\n")).collect();
    let edits = match options(analysis, node) {
        Some(options) => added(options, "  ", &lines)?,
        None => {
            let block = format!("  {} {{\n{lines}  }}\n", OPTIONS.keyword);
            added(body(analysis, node)?, "", &block)?
        }
    };
    let file = analysis.node(node).file;
    let newline = pcl::line_end(analysis.checked.sources.text(file));
    let edit = |(range, text): (TextRange, String)| {
        let text = text.replace("\r\n", "\n").replace('\n', newline);
        TextEdit { span: Span::new(file, range), text }
    };
    Some(edits.into_iter().map(edit).collect())
}

/// The ranges and texts that add lines at the end of a body, whose own lines are indented by two
/// spaces more than `indentation`.
fn added(body: ast::Body<'_>, indentation: &str, lines: &str) -> Option<Vec<(TextRange, String)>> {
    if let Some(line) = closing_line(body) {
        return Some(vec![(TextRange::empty(line), lines.to_owned())]);
    }
    let range = body.range();
    let inside = TextRange::new(range.start() + 1, range.end().checked_sub(1)?);
    let text = body.syntax().tree().text().get(inside.to_usize())?;
    let end = format!("\n{lines}{indentation}");
    if text.trim().is_empty() {
        return Some(vec![(inside, end)]);
    }
    let first = inside.start() + (text.len() - text.trim_start().len()) as u32;
    let last = inside.start() + text.trim_end().len() as u32;
    let before = TextRange::new(inside.start(), first);
    let behind = TextRange::new(last, inside.end());
    Some(vec![(before, format!("\n{indentation}  ")), (behind, end)])
}

fn body(analysis: &Analysis, node: NodeRef) -> Option<ast::Body<'_>> {
    ast::Block::cast(analysis.module(node.module).syntax(analysis.node(node)))?.body()
}

/// The body of the block `options` of a resource or component.
pub(crate) fn options(analysis: &Analysis, node: NodeRef) -> Option<ast::Body<'_>> {
    let mut blocks = body(analysis, node)?.blocks();
    blocks.find(|inner| inner.has_keyword(OPTIONS.keyword))?.body()
}

/// The start of the line of the closing brace of a body, if the brace has a line of its own.
fn closing_line(body: ast::Body<'_>) -> Option<u32> {
    let end = body.range().end().checked_sub(1)?;
    let before = body.syntax().tree().text().get(..end as usize)?;
    let line = before.rfind('\n')? + 1;
    let is_alone = before.get(line..)?.trim().is_empty();
    (is_alone && line as u32 > body.range().start()).then_some(line as u32)
}
