//! The edits that give a resource or component an option.

use pcl::diagnostics::{Span, TextEdit, TextRange};
use pcl::language::OPTIONS;
use pcl::syntax::ast::{self, AstNode as _};

use super::{Analysis, NodeRef};

/// The edit that adds an earlier name or type to the option `aliases`; `None` if its value is no
/// list in brackets.
pub(crate) fn with_alias(analysis: &Analysis, node: NodeRef, entry: &str) -> Option<TextEdit> {
    let aliases = options(analysis, node)
        .and_then(|options| options.attributes().find(|attribute| attribute.is_named("aliases")));
    let Some(aliases) = aliases else {
        return with_options(analysis, node, &[format!("aliases = [{entry}]")]);
    };
    let ast::Expr::Tuple(list) = aliases.value()? else { return None };
    let separator = if list.elements().next().is_some() { ", " } else { "" };
    let at = TextRange::empty(list.range().start() + 1);
    let span = Span::new(analysis.node(node).file, at);
    Some(TextEdit { span, text: format!("{entry}{separator}") })
}

/// The edit that adds attributes to the options, and the block of the options if it is not there.
pub(crate) fn with_options(
    analysis: &Analysis,
    node: NodeRef,
    attributes: &[String],
) -> Option<TextEdit> {
    let file = analysis.node(node).file;
    let edit = |range, text: String| TextEdit { span: Span::new(file, range), text };
    let lines: String = attributes.iter().map(|it| format!("    {it}\n")).collect();
    let Some(inner) = options(analysis, node) else {
        let body = body(analysis, node)?;
        let block = format!("  {} {{\n{lines}  }}\n", OPTIONS.keyword);
        return Some(match closing_line(body) {
            Some(line) => edit(TextRange::empty(line), block),
            None => {
                let (inside, content) = inside(body)?;
                let content =
                    if content.is_empty() { String::new() } else { format!("  {content}\n") };
                edit(inside, format!("\n{content}{block}"))
            }
        });
    };
    Some(match closing_line(inner) {
        Some(line) => edit(TextRange::empty(line), lines),
        None => {
            let (inside, content) = inside(inner)?;
            let content =
                if content.is_empty() { String::new() } else { format!("    {content}\n") };
            edit(inside, format!("\n{content}{lines}  "))
        }
    })
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

/// The range between the braces of a body, and the text there.
fn inside(body: ast::Body<'_>) -> Option<(TextRange, &str)> {
    let range = body.range();
    let inside = TextRange::new(range.start() + 1, range.end().checked_sub(1)?);
    let text = body.syntax().tree().text().get(inside.to_usize())?;
    Some((inside, text.trim()))
}
