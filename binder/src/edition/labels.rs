//! The types in type labels.

use pcl_diagnostics::{FileId, Fix, Span, TextEdit, TextRange};
use pcl_syntax::ast;

use super::view::View;

/// Looks through the type that a label says.
pub(super) fn find(view: &mut View<'_>, file: FileId, label: ast::Label<'_>) {
    let text = label.text();
    let tree = pcl_newcomers::parse_expression(&*text);
    let Some(expr) = tree.expression().filter(|_| tree.errors().is_empty()) else {
        return;
    };
    let content = label.content_range();
    let mut walk = Walk {
        view,
        file,
        content,
        is_exact: text.len() == content.len() as usize,
    };
    walk.ty(expr, false);
}

struct Walk<'v, 'b> {
    view: &'v mut View<'b>,
    file: FileId,
    /// The text of the label, without quotes.
    content: TextRange,
    /// Set if offsets in the decoded text are offsets in the file's text.
    is_exact: bool,
}

impl Walk<'_, '_> {
    /// Notes the types in `expr`, which may be the type of a property. The depth is that of the
    /// text, which the parser limits.
    fn ty(&mut self, expr: ast::Expr<'_>, is_property: bool) {
        match expr {
            ast::Expr::Name(name) => {
                let span = self.span(name.range());
                let construct = format!("type.{}", name.text());
                self.view.needs(&construct, span, name.text());
            }
            ast::Expr::Call(call) => {
                let name = call.name();
                let span = self.span(call.name_range());
                let whole = self.span(call.syntax().range());
                let inner = call
                    .arguments()
                    .next()
                    .map(|inner| self.span(inner.range()));
                let is_exact = self.is_exact;
                let construct = format!("type.{name}");
                let used = self.view.needs(&construct, span, &name);
                // Every property of an object type may be missing anyway.
                if let (Some(used), Some(inner)) = (used, inner)
                    && is_property
                    && is_exact
                    && name == "optional"
                {
                    let outside = [
                        TextRange::new(whole.range.start(), inner.range.start()),
                        TextRange::new(inner.range.end(), whole.range.end()),
                    ];
                    let edits = outside.map(|range| TextEdit::delete(Span::new(whole.file, range)));
                    used.fix = Some(Fix::unsafe_("leave out `optional`", edits.into()));
                }
                for argument in call.arguments() {
                    self.ty(argument, false);
                }
            }
            ast::Expr::Object(object) => {
                for value in object.items().filter_map(ast::ObjectItem::value) {
                    self.ty(value, true);
                }
            }
            ast::Expr::Tuple(tuple) => {
                for element in tuple.elements() {
                    self.ty(element, false);
                }
            }
            ast::Expr::Paren(paren) => {
                if let Some(inner) = paren.inner() {
                    self.ty(inner, is_property);
                }
            }
            _ => {}
        }
    }

    /// A range of the label's text, in the file.
    fn span(&self, range: TextRange) -> Span {
        let range = if self.is_exact {
            let start = self.content.start();
            TextRange::new(range.start() + start, range.end() + start)
        } else {
            self.content
        };
        Span::new(self.file, range)
    }
}
