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
    let edit = |range, text| TextEdit { span: Span::new(bound.file, range), text };
    let written = body.attributes().find(|attribute| attribute.is_named(ATTRIBUTE));
    if let Some(attribute) = written {
        if *bound.logical_name != *new {
            return Vec::new();
        }
        let tree = body.syntax().tree();
        return vec![edit(line_of(tree.text(), attribute.range()), String::new())];
    }
    if *bound.logical_name == *new {
        return Vec::new();
    }
    let range = body.syntax().range();
    let text = body.syntax().text();
    let inside = TextRange::new(range.start() + 1, range.end().saturating_sub(1));
    let attribute = format!("{ATTRIBUTE} = {}", quoted(&bound.logical_name));
    let content = text.trim_matches(['{', '}']).trim();
    vec![match (content.is_empty(), text.contains('\n')) {
        // One attribute may be on the line of the braces, where a comment for the line stays.
        (true, false) => edit(inside, format!(" {attribute} ")),
        (false, false) => edit(inside, format!("\n  {attribute}\n  {content}\n")),
        (_, true) => edit(TextRange::empty(inside.start()), format!("\n  {attribute}")),
    }]
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
