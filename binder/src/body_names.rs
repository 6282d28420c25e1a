//! The names of the attributes of one body, collected for the first question.

use pcl_diagnostics::{FileId, Span};
use pcl_syntax::{SyntaxToken, ast};
use rustc_hash::FxHashSet;

/// The names of the attributes of the body that was asked about last.
#[derive(Default)]
pub(crate) struct BodyNames<'t> {
    body: Option<Span>,
    names: FxHashSet<&'t str>,
}

impl<'t> BodyNames<'t> {
    /// Returns whether a body has an attribute of that name.
    pub fn contain(&mut self, file: FileId, body: ast::Body<'t>, name: &str) -> bool {
        let place = Some(Span::new(file, body.syntax().range()));
        if self.body != place {
            self.body = place;
            self.names.clear();
            let names = body.attributes().filter_map(ast::Attribute::name);
            self.names.extend(names.map(SyntaxToken::text));
        }
        self.names.contains(name)
    }
}
