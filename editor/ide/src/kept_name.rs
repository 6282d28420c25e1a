//! The name outside of the program, which a renaming keeps: with another one, Pulumi would replace
//! the resource, and look for the configuration under another key.

use pcl::binder::NodeKind;
use pcl::diagnostics::{Span, TextEdit, TextRange};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::quoted;

use crate::names::Name;
use crate::{Analysis, ModuleId};

/// The attribute that has the name.
const ATTRIBUTE: &str = "__logicalName";

/// The edits with which a declaration that gets another name keeps the one outside of the program:
/// they write `__logicalName`, or remove it where the new name is what it says. There are none for
/// names that nothing outside of the program knows, and where the attribute is there already.
///
/// `is_component` says that other programs use the one of the name as a component: its configs and
/// outputs are then known to these programs alone, which follow the renaming.
pub fn kept_name(analysis: &Analysis, name: Name, new: &str, is_component: bool) -> Vec<TextEdit> {
    let Name::Node(node) = name else { return Vec::new() };
    let bound = analysis.node(node);
    let is_inner = is_component || node.module != ModuleId::Program;
    let is_known = match bound.kind {
        NodeKind::Resource | NodeKind::Read | NodeKind::Component => true,
        NodeKind::Config | NodeKind::Output => !is_inner,
        NodeKind::Local | NodeKind::Hook | NodeKind::Pulumi => false,
    };
    let block = ast::Block::cast(analysis.module(node.module).syntax(bound));
    let Some(body) = block.and_then(ast::Block::body).filter(|_| is_known) else {
        return Vec::new();
    };
    let file = bound.file;
    let text = analysis.checked.sources.text(file);
    let replace = |range, text: String| TextEdit { span: Span::new(file, range), text };
    let written = body.attributes().find(|attribute| attribute.is_named(ATTRIBUTE));
    if let Some(attribute) = written {
        let is_useless = *bound.logical_name == *new;
        let line = line_of(text, attribute.range());
        return if is_useless { vec![replace(line, String::new())] } else { Vec::new() };
    }
    let braces = block.and_then(|block| Some((block.open_brace()?, block.close_brace()?)));
    let Some((open, close)) = braces.filter(|_| *bound.logical_name != *new) else {
        return Vec::new();
    };
    let newline = pcl::line_end(text);
    let attribute = format!("{ATTRIBUTE} = {}", quoted(&bound.logical_name));
    let (start, end) = (open.range().end(), close.range().start());
    let inside = text.get(start as usize..end as usize).unwrap_or_default();
    if inside.trim().is_empty() && !inside.contains('\n') {
        // One attribute may be on the line of the braces, where a comment for the line stays.
        return vec![replace(TextRange::new(start, end), format!(" {attribute} "))];
    }
    if !body.is_one_line() {
        // Behind a comment for the line of the brace.
        let line = inside.find(newline).map_or(start, |at| start + at as u32);
        return vec![replace(TextRange::empty(line), format!("{newline}  {attribute}"))];
    }
    // A body on one line gets a line for each attribute. Only spaces are replaced.
    let before = inside.len() - inside.trim_start().len();
    let behind = inside.len() - inside.trim_end().len();
    let before = TextRange::new(start, start + before as u32);
    vec![
        replace(before, format!("{newline}  {attribute}{newline}  ")),
        replace(TextRange::new(end - behind as u32, end), newline.to_owned()),
    ]
}

/// The lines of a range, if nothing else is on them; else the range.
fn line_of(text: &str, range: TextRange) -> TextRange {
    let (start, end) = (range.start() as usize, range.end() as usize);
    let before = text.get(..start).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(end..).unwrap_or_default();
    let is_alone = before.get(line..).unwrap_or_default().trim().is_empty();
    match rest.find('\n') {
        Some(at) if is_alone && rest.get(..at).unwrap_or_default().trim().is_empty() => {
            TextRange::new(line as u32, (end + at + 1) as u32)
        }
        _ => range,
    }
}
