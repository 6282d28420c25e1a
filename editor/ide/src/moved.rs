//! The edits that follow a file or directory to another place.
//!
//! The type of a component has the name of its directory. So that Pulumi recognizes what it
//! deployed, a block whose component gets another type names the one before as an alias.

use std::path::{Component, Path, PathBuf};

use pcl::binder::NodeBody;
use pcl::diagnostics::{FileId, Span, TextEdit};
use pcl::syntax::quoted;

use crate::option_edits::with_alias;
use crate::{Analysis, links};

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
            let entry = format!("{{ type = {} }}", quoted(token));
            edits.extend(with_alias(analysis, node, &entry).into_iter().flatten());
        }
    }
    edits
}

/// Returns true for paths, and false for names of diagnostics, which have pages instead.
fn is_relative(written: &str) -> bool {
    written.starts_with(['.', '/']) && Path::new(written).is_relative() || written.contains('/')
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
