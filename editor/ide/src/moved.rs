//! The edits that follow a file or directory to another place.
//!
//! The type of a component has the name of its directory. So that Pulumi recognizes what it
//! deployed, a block whose component gets another type names the one before as an alias.

use std::path::{Component, Path, PathBuf};

use pcl::binder::NodeBody;
use pcl::diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl::language::OPTIONS;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::quoted;

use crate::{Analysis, NodeRef, links};

/// The edits of a file that names what moves from one path to another, or something in it, by a
/// relative path. Both paths are absolute, and so is that of the file.
pub fn moved(analysis: &Analysis, file: FileId, from: &Path, to: &Path) -> Vec<TextEdit> {
    let path = normalized(Path::new(analysis.checked.sources.path(file)));
    let Some(directory) = path.parent() else { return Vec::new() };
    // What moves as well keeps its relative paths.
    if path.starts_with(from) {
        return Vec::new();
    }
    let renamed = |written: &str| {
        let old = normalized(&directory.join(written));
        let inside = old.strip_prefix(from).ok()?;
        let is_itself = inside.as_os_str().is_empty();
        let new = if is_itself { to.to_path_buf() } else { to.join(inside) };
        Some((relative(directory, &new), old.file_name() != new.file_name()))
    };
    let mut edits = Vec::new();
    for link in links(analysis, file) {
        let span = Span::new(file, link.range);
        let written = analysis.text(span);
        if let Some((new, _)) = renamed(written).filter(|_| is_relative(written)) {
            edits.push(TextEdit::replace(span, new));
        }
    }
    for node in analysis.nodes_in(file) {
        let NodeBody::Component(body) = &analysis.node(node).body else { continue };
        let source = body.source.as_deref().filter(|source| is_relative(source));
        let Some(token) = &analysis.node(node).token else { continue };
        if let Some((_, true)) = source.and_then(renamed) {
            edits.extend(alias(analysis, node, token));
        }
    }
    edits
}

/// Returns true for paths, and false for names of diagnostics, which have pages instead.
fn is_relative(written: &str) -> bool {
    written.starts_with(['.', '/']) && Path::new(written).is_relative() || written.contains('/')
}

/// The edit that names a type as an earlier one of a component.
fn alias(analysis: &Analysis, node: NodeRef, token: &str) -> Option<TextEdit> {
    let bound = analysis.node(node);
    let block = ast::Block::cast(analysis.module(node.module).syntax(bound))?;
    let body = block.body()?;
    let edit = |range, text: String| TextEdit { span: Span::new(bound.file, range), text };
    let entry = format!("{{ type = {} }}", quoted(token));
    let attribute = format!("aliases = [{entry}]");
    let options = body.blocks().find(|inner| inner.has_keyword(OPTIONS.keyword));
    let Some(options) = options else {
        let block = format!("  {} {{\n    {attribute}\n  }}\n", OPTIONS.keyword);
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
    let inner = options.body()?;
    let aliases = inner.attributes().find(|attribute| attribute.is_named("aliases"));
    if let Some(aliases) = aliases {
        let ast::Expr::Tuple(list) = aliases.value()? else { return None };
        let separator = if list.elements().next().is_some() { ", " } else { "" };
        let at = TextRange::empty(list.range().start() + 1);
        return Some(edit(at, format!("{entry}{separator}")));
    }
    Some(match closing_line(inner) {
        Some(line) => edit(TextRange::empty(line), format!("    {attribute}\n")),
        None => {
            let (inside, content) = inside(inner)?;
            let content =
                if content.is_empty() { String::new() } else { format!("    {content}\n") };
            edit(inside, format!("\n{content}    {attribute}\n  "))
        }
    })
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

/// The path from a directory to another place, as programs write it.
fn relative(directory: &Path, target: &Path) -> String {
    let mut from = directory.components().peekable();
    let mut to = target.components().peekable();
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let up = from.count();
    let start = if up == 0 { "./".to_owned() } else { "../".repeat(up) };
    let rest: Vec<_> = to.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    start + &rest.join("/")
}

/// A path without `.` and `..`.
pub fn normalized(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}
