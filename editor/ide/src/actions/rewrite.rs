//! Other ways to write the same: strings as templates or joined, keys with quotes or without.

use pcl::diagnostics::{Span, TextEdit};
use pcl::model::types::TypeId;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{Element, SyntaxKind, SyntaxNode, is_identifier, quoted};

use super::refactoring::{Refactoring, RefactoringKind};
use super::text::{around, has_heredoc, is_term, newline};
use crate::Analysis;

/// `"${a}-${b}"` as `join("", [a, "-", b])`, and back.
pub(super) fn strings(analysis: &mut Analysis, selection: Span) -> Option<Refactoring> {
    let above = around(analysis, selection);
    let mut above = above.into_iter();
    let found = above.find_map(|node| match node.kind() {
        SyntaxKind::Template => parts_of_template(node).map(|parts| (node, parts, true)),
        SyntaxKind::Call => parts_of_join(node).map(|parts| (node, parts, false)),
        _ => None,
    });
    let (node, parts, is_template) = found?;
    let at = node.range();
    let mut types = Vec::new();
    for part in &parts {
        if let Part::Value(value) = part {
            let expr = analysis.expr_of(selection.file, *value)?;
            types.push(analysis.checked.program.exprs[expr].ty);
        }
    }
    let (title, text) = if is_template {
        ("convert to a call of `join`", joined(&parts))
    } else {
        ("convert to a template", template(&parts)?)
    };
    let store = &mut analysis.checked.program.types;
    let mut types = types.into_iter();
    if !types.all(|ty| store.is_of_kinds(ty, &[TypeId::STRING])) {
        return None;
    }
    let edit = TextEdit::replace(Span::new(selection.file, at), text);
    Some(Refactoring::new(title, RefactoringKind::Rewrite, vec![edit]))
}

/// A part of a string.
enum Part<'t> {
    /// Text as it is written between quotes.
    Text(String),
    /// A value.
    Value(SyntaxNode<'t>),
}

/// The parts of a quoted template that has values and nothing else but text.
fn parts_of_template(node: SyntaxNode<'_>) -> Option<Vec<Part<'_>>> {
    use SyntaxKind as K;
    let mut parts: Vec<Part<'_>> = Vec::new();
    for element in node.elements() {
        match element {
            Element::Token(token) if token.kind() == K::Text => match parts.last_mut() {
                Some(Part::Text(text)) => text.push_str(token.text()),
                _ => parts.push(Part::Text(token.text().to_owned())),
            },
            Element::Token(_) => {}
            Element::Node(inner) => {
                let is_plain = inner.kind() == K::Interpolation && !inner.text().contains('~');
                let value = inner.children().next().filter(|_| is_plain)?;
                if value.contains_error() || has_heredoc(value) {
                    return None;
                }
                parts.push(Part::Value(value));
            }
        }
    }
    let has_value = parts.iter().any(|part| matches!(part, Part::Value(_)));
    (has_value && parts.len() > 1 && !node.contains_error()).then_some(parts)
}

/// The parts of `join(separator, [..])`, whose separator is text.
fn parts_of_join(node: SyntaxNode<'_>) -> Option<Vec<Part<'_>>> {
    let call = ast::Call::cast(node).filter(|call| call.name() == "join")?;
    let mut arguments = call.arguments();
    let (separator, list) = (arguments.next()?, arguments.next()?);
    let (None, false, ast::Expr::Tuple(list)) = (arguments.next(), call.expands_last(), list)
    else {
        return None;
    };
    let separator = written_text(separator)?;
    let mut parts = Vec::new();
    for element in list.elements() {
        if !parts.is_empty() && !separator.is_empty() {
            parts.push(Part::Text(separator.clone()));
        }
        match written_text(element) {
            Some(text) => parts.push(Part::Text(text)),
            None => parts.push(Part::Value(element.syntax())),
        }
    }
    let has_value = parts.iter().any(|part| matches!(part, Part::Value(_)));
    (has_value && !node.contains_error() && !has_comments(node)).then_some(parts)
}

/// Returns true if a comment is between the tokens of a node.
fn has_comments(node: SyntaxNode<'_>) -> bool {
    let comments = [SyntaxKind::LineComment, SyntaxKind::BlockComment];
    node.tokens().any(|token| comments.contains(&token.kind()))
}

/// The text of a quoted string without interpolations, as it is written.
fn written_text(expr: ast::Expr<'_>) -> Option<String> {
    let ast::Expr::Template(template) = expr else { return None };
    template.literal()?;
    let text = expr.syntax().text();
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

fn joined(parts: &[Part<'_>]) -> String {
    let elements = parts.iter().map(|part| match part {
        Part::Text(text) => format!("\"{text}\""),
        Part::Value(value) => value.text().to_owned(),
    });
    let elements: Vec<String> = elements.collect();
    format!("join(\"\", [{}])", elements.join(", "))
}

fn template(parts: &[Part<'_>]) -> Option<String> {
    let mut out = String::from("\"");
    for part in parts {
        match part {
            // With the brace that follows it would be another thing.
            Part::Text(text) if text.ends_with(['$', '%']) => return None,
            Part::Text(text) => out.push_str(text),
            Part::Value(value) => {
                let text = value.text();
                if text.contains('\n') || value.contains_error() {
                    return None;
                }
                out.push_str(&format!("${{{text}}}"));
            }
        }
    }
    out.push('"');
    Some(out)
}

/// `"a" = 1` in an object as `a = 1`, and back.
pub(super) fn key(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let above = around(analysis, selection);
    let at = above.iter().position(|node| node.kind() == SyntaxKind::ObjectItem)?;
    let item = ast::ObjectItem::cast(*above.get(at)?)?;
    let key = item.key()?;
    let own = key.range();
    let is_selected = own.contains_range(selection.range);
    if !is_selected || key.syntax().contains_error() {
        return None;
    }
    let (title, text) = match key {
        ast::Expr::Template(template) => {
            let text = template.literal().filter(|text| is_identifier(text))?;
            ("remove the quotes of the key", text.into_owned())
        }
        _ => {
            let (_, text) = item.bare_key().filter(|(_, text)| is_identifier(text))?;
            ("write the key in quotes", format!("\"{text}\""))
        }
    };
    let edit = TextEdit::replace(Span::new(selection.file, own), text);
    Some(Refactoring::new(title, RefactoringKind::Rewrite, vec![edit]))
}

/// `a ? b : c` as `!a ? c : b`.
pub(super) fn conditional(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let above = around(analysis, selection);
    let found = above.into_iter().find_map(|node| match ast::Expr::cast(node) {
        Some(ast::Expr::Conditional(conditional)) => Some(conditional),
        _ => None,
    })?;
    let [condition, then, otherwise] = [found.condition()?, found.if_true()?, found.if_false()?];
    let parts = [condition, then, otherwise];
    if found.syntax().contains_error() || parts.iter().any(|part| has_heredoc(part.syntax())) {
        return None;
    }
    // A conditional in the first branch would take the second one.
    let braced = |part: ast::Expr<'_>| match part {
        ast::Expr::Conditional(_) => format!("({})", part.syntax().text()),
        _ => part.syntax().text().to_owned(),
    };
    let replace = |part: ast::Expr<'_>, text: String| {
        TextEdit::replace(Span::new(selection.file, part.range()), text)
    };
    let edits = vec![
        replace(condition, negated(condition)),
        replace(then, braced(otherwise)),
        replace(otherwise, then.syntax().text().to_owned()),
    ];
    Some(Refactoring::new("invert the condition", RefactoringKind::Rewrite, edits))
}

/// The text of an expression that is true where another one is not.
fn negated(expr: ast::Expr<'_>) -> String {
    let text = expr.syntax().text();
    match expr {
        ast::Expr::Unary(unary) if text.starts_with('!') => {
            unary.operand().map_or_else(|| format!("!{text}"), |it| it.syntax().text().to_owned())
        }
        _ if is_term(expr.syntax()) => format!("!{text}"),
        _ => format!("!({text})"),
    }
}

/// The marker of a heredoc.
const MARKER: &str = "EOT";

/// `"a\nb\n"` as a heredoc, and back.
pub(super) fn heredoc(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let above = around(analysis, selection);
    let node = above.into_iter().find(|node| {
        matches!(node.kind(), SyntaxKind::Template | SyntaxKind::Heredoc) && !node.contains_error()
    })?;
    let (title, text) = match ast::Expr::cast(node)? {
        ast::Expr::Heredoc(heredoc) => ("convert to a string", quoted(&heredoc.literal()?)),
        ast::Expr::Template(template) => {
            let ends_line = node.last_token()?.next()?.kind() == SyntaxKind::Newline;
            let text = template.literal().filter(|_| ends_line)?;
            let line = line_of(analysis, selection, node);
            let indentation = line.get(..line.len() - line.trim_start().len())?;
            ("convert to a heredoc", lines_of(&text, indentation)?)
        }
        _ => return None,
    };
    let newline = newline(analysis, selection.file);
    let text = text.replace('\n', newline);
    let edit = TextEdit::replace(Span::new(selection.file, node.range()), text);
    Some(Refactoring::new(title, RefactoringKind::Rewrite, vec![edit]))
}

/// The line of a node up to it.
fn line_of<'a>(analysis: &'a Analysis, selection: Span, node: SyntaxNode<'_>) -> &'a str {
    let text = analysis.checked.sources.text(selection.file);
    let before = text.get(..node.range().start() as usize).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default()
}

/// A text as a heredoc; `None` if it does not end with a line ending, or has characters that only a
/// string can have.
fn lines_of(text: &str, indentation: &str) -> Option<String> {
    let content = text.strip_suffix('\n')?;
    let is_plain = |it: char| !it.is_control() || matches!(it, '\n' | '\t');
    let is_marker = |line: &str| line.trim() == MARKER;
    if content.is_empty() || !text.chars().all(is_plain) || content.lines().any(is_marker) {
        return None;
    }
    let content = content.replace("${", "$${").replace("%{", "%%{");
    let is_blank = |line: &str| line.trim().is_empty();
    // Lines lose the indentation that all of them share, which then has to be the added one.
    let starts = |line: &str| !is_blank(line) && !line.starts_with([' ', '\t']);
    if !content.split('\n').any(starts) {
        return Some(format!("<<{MARKER}\n{content}\n{MARKER}"));
    }
    let lines = content.split('\n').map(|line| {
        let space = if is_blank(line) { String::new() } else { format!("{indentation}  ") };
        format!("{space}{line}\n")
    });
    let lines: String = lines.collect();
    Some(format!("<<-{MARKER}\n{lines}{indentation}{MARKER}"))
}
