//! The names that the files of a program declare, as far as their syntax tells, and the names of
//! the attributes of a body.
//!
//! They are known before the nodes are, and for texts that are not bound: fixes ask for them, so
//! that none declares a name a second time.

use std::borrow::Cow;
use std::cell::OnceCell;

use pcl_diagnostics::{FileId, Span};
use pcl_language::rule;
use pcl_syntax::{SyntaxToken, SyntaxTree, ast};
use rustc_hash::FxHashSet;

use crate::habits::label_order;
use crate::node::NodeKind;
use crate::program_files::Sources;

/// A name that an attribute or a block of a file declares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DeclaredName<'t> {
    /// The name.
    pub name: Cow<'t, str>,
    /// Set for an output, whose name is no variable.
    pub is_output: bool,
}

/// The names that a file declares, in the order of its text.
pub fn declared_names(tree: &SyntaxTree) -> impl Iterator<Item = DeclaredName<'_>> {
    tree.file().body().items().filter_map(|item| match item {
        ast::Item::Attribute(attribute) => attribute
            .name()
            .map(|name| DeclaredName { name: Cow::Borrowed(name.text()), is_output: false }),
        ast::Item::Block(block) => {
            let rule = rule(block.keyword()?.text())?;
            let kind = rule.kind.filter(|kind| *kind != NodeKind::Pulumi)?;
            let order = label_order::order_of(kind, rule, block);
            let label = block.labels().nth(order.name_label(rule))?;
            Some(DeclaredName { name: label.text(), is_output: kind == NodeKind::Output })
        }
        ast::Item::Bogus(_) => None,
    })
}

/// The names of the variables that a program declares, computed on the first use.
pub(crate) struct Variables<'t> {
    sources: &'t Sources,
    names: OnceCell<FxHashSet<Cow<'t, str>>>,
}

impl<'t> Variables<'t> {
    pub fn new(sources: &'t Sources) -> Self {
        Self { sources, names: OnceCell::new() }
    }

    /// Returns true for a name that a file declares.
    pub fn contain(&self, name: &str) -> bool {
        let names = self.names.get_or_init(|| {
            let names = self.sources.files.iter().flat_map(|source| declared_names(&source.tree));
            names.filter(|declared| !declared.is_output).map(|declared| declared.name).collect()
        });
        names.contains(name)
    }
}

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
