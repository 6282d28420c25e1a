//! Options in an object: `options = { protect = true }`, or `opts = { .. }` as in other
//! languages of Pulumi.
//!
//! The rules, with examples: `tests/spec/habits/options_object.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, suggest};
use pcl_syntax::{SyntaxKind, SyntaxToken, ast};

use crate::binder::Binder;
use crate::habits::displaced::{Displaced, option_of, sets};
use crate::node::NodeId;

/// Returns true for the name of an attribute that may give options.
pub(crate) fn names_options(name: SyntaxToken<'_>) -> bool {
    matches!(name.text(), "options" | "opts")
}

/// Returns true for the keyword of a block that is meant to be `options`.
pub(super) fn means_options(keyword: &str) -> bool {
    keyword == "opts" || suggest(keyword, ["options"]).is_some()
}

/// The object that an attribute gives for options.
pub(crate) fn options_object<'t>(
    name: SyntaxToken<'t>,
    value: ast::Expr<'t>,
) -> Option<ast::Object<'t>> {
    match value {
        ast::Expr::Object(object) if names_options(name) => Some(object),
        _ => None,
    }
}

/// The name of an item of an object, if it is a plain name.
fn key_of<'t>(item: ast::ObjectItem<'t>) -> Option<SyntaxToken<'t>> {
    let mut tokens = item.key()?.syntax().tokens();
    let only = tokens.next()?;
    tokens.next().is_none().then_some(only)
}

/// The options in the object of an attribute.
pub(crate) fn options_in<'t>(
    attribute: ast::Attribute<'t>,
    object: ast::Object<'t>,
) -> Vec<Displaced<'t>> {
    let mut found: Vec<Displaced<'t>> = Vec::new();
    for item in object.items() {
        let (Some(written), Some(value)) = (key_of(item), item.value()) else { continue };
        let Some(option) = option_of(written.text()) else { continue };
        if found.iter().any(|one| one.option == option) {
            continue;
        }
        found.push(Displaced {
            in_object: true,
            ..Displaced::new(attribute, written, option, value)
        });
    }
    found
}

impl<'t> Binder<'_, '_, 't> {
    /// Reports the attributes whose objects have options, with the edits that make a block of each.
    pub fn report_options_objects(
        &mut self,
        node: NodeId,
        displaced: &[Displaced<'t>],
        block: Option<ast::Block<'t>>,
    ) {
        for group in displaced.chunk_by(|a, b| a.attribute == b.attribute) {
            let Some(first) = group.first().filter(|one| one.in_object) else { continue };
            let Some(name) = first.attribute.name() else { continue };
            let span = self.node_span(node, name.range());
            let fix = self.options_block_of(node, group, block);
            self.report(options_as_object(span, name.text(), fix));
        }
    }

    /// The edits that make lines of an `options` block of an object of options. `None` where the
    /// block sets one of them, or the object has more than options.
    fn options_block_of(
        &self,
        node: NodeId,
        group: &[Displaced<'t>],
        block: Option<ast::Block<'t>>,
    ) -> Option<Fix> {
        let attribute = group.first()?.attribute;
        let ast::Expr::Object(object) = attribute.value()? else { return None };
        let is_whole = object.items().count() == group.len();
        let is_set = group.iter().any(|one| sets(block, one.option));
        let item = attribute.syntax();
        let is_comment = |kind| matches!(kind, SyntaxKind::LineComment | SyntaxKind::BlockComment);
        let has_comment = item.tokens().any(|token| is_comment(token.kind()));
        if !is_whole || is_set || has_comment {
            return None;
        }
        let mover = self.mover(node);
        let is_on_one_line = !item.text().contains('\n');
        let mut lines = Vec::new();
        for one in group {
            // The values of an object over several lines are indented as in the block.
            let value = if is_on_one_line {
                mover.deeper(one.value.range())
            } else {
                mover.text.get(one.value.range().to_usize())?.to_owned()
            };
            lines.push(format!("{} = {value}", one.option));
        }
        let edits = mover.into_options(self.body(node)?, item.range(), block, &lines)?;
        Some(Fix::safe("write an `options` block", edits))
    }
}

/// An attribute `name` with an object of options.
fn options_as_object(span: Span, name: &str, fix: Option<Fix>) -> Diagnostic {
    let message = match name {
        "options" => "`options` is a block, not an attribute".to_owned(),
        _ => format!("`{name}` is the block `options` in PCL"),
    };
    Diagnostic::error(Code::UnsupportedAttribute, span, message)
        .help("write `options { .. }` without `=`, with one option per line")
        .fix(fix)
}
