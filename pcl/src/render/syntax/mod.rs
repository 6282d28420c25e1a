//! The results of the parser: tokens, tree and typed views, as JSON; the views as text too.
//!
//! A node or token is shown as a [`Record`]: its kind, its bytes and its fields. Its children are
//! turned into records one by one, on an explicit stack: a tree may be as deep as a chain of
//! operators is long.

mod ast;
mod json;

use std::borrow::Cow;
use std::fmt::Write as _;

use ast::AstView;
use json::Document;
use pcl_binder::Sources;
use pcl_diagnostics::{Diagnostic, SourceMap, TextRange};
use pcl_syntax::{SyntaxKind, SyntaxToken, SyntaxTree};

/// The tokens of all files as one JSON document; `diagnostics` are those that no tree has.
pub fn tokens_json(sources: &Sources, map: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<u8> {
    Document::new(sources, map, diagnostics).render(|out, tree| {
        out.push_str("\"tokens\":");
        json::list(out, tokens(tree));
    })
}

/// The syntax trees of all files as one JSON document; `diagnostics` are those that no tree has.
pub fn tree_json(sources: &Sources, map: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<u8> {
    Document::new(sources, map, diagnostics).render(|out, tree| {
        out.push_str("\"tree\":");
        json::record(out, Element::root(tree));
    })
}

/// The typed views of all files as one JSON document; `diagnostics` are those that no tree has.
pub fn ast_json(sources: &Sources, map: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<u8> {
    Document::new(sources, map, diagnostics).render(|out, tree| {
        out.push_str("\"ast\":");
        json::record(out, AstView::Body(tree.file().body()));
    })
}

/// The typed views of a file as text, a line each, and the errors.
pub fn ast_text(tree: &SyntaxTree) -> String {
    let mut out = String::new();
    write(&mut out, AstView::Body(tree.file().body()));
    for error in tree.errors() {
        out.push_str(&format!("error {:?} {}\n", error.range(), error.code().name()));
    }
    out
}

/// Something that is shown.
trait View: Sized {
    /// It, and what it consists of.
    fn record(self) -> Record<Self>;
}

struct Record<V> {
    kind: Cow<'static, str>,
    range: TextRange,
    fields: Vec<(&'static str, Field<V>)>,
}

enum Field<V> {
    Text(String),
    Flag(bool),
    /// A part; `None` if a broken text is missing it, which JSON shows by leaving it out.
    Part(Option<V>),
    Parts(Vec<V>),
}

impl<V> Record<V> {
    fn new(kind: impl Into<Cow<'static, str>>, range: TextRange) -> Self {
        Self { kind: kind.into(), range, fields: Vec::new() }
    }

    fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.fields.push((name, Field::Text(text.into())));
        self
    }

    /// A text that may be missing, and is then left out.
    fn opt_text<T: Into<String>>(self, name: &'static str, text: Option<T>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// A flag that is usually false, and is then left out.
    fn flag(mut self, name: &'static str, set: bool) -> Self {
        if set {
            self.fields.push((name, Field::Flag(set)));
        }
        self
    }

    fn part(mut self, name: &'static str, part: Option<impl Into<V>>) -> Self {
        let part = part.map(Into::into);
        self.fields.push((name, Field::Part(part)));
        self
    }

    fn parts<P: Into<V>>(mut self, name: &'static str, parts: impl IntoIterator<Item = P>) -> Self {
        let parts = parts.into_iter().map(Into::into).collect();
        self.fields.push((name, Field::Parts(parts)));
        self
    }
}

/// A node or a token.
struct Element<'t>(pcl_syntax::Element<'t>);

impl<'t> Element<'t> {
    fn root(tree: &'t SyntaxTree) -> Self {
        Self(pcl_syntax::Element::Node(tree.root()))
    }
}

/// Every token of a file, including spaces and the end of the file.
fn tokens(tree: &SyntaxTree) -> impl Iterator<Item = Element<'_>> {
    let first = tree.token_at(0);
    // Of several tokens at one place the end of the file is the last.
    let first = std::iter::successors(Some(first), |token| token.previous()).last();
    std::iter::successors(first, |token| SyntaxToken::next(*token))
        .map(|token| Element(pcl_syntax::Element::Token(token)))
}

impl View for Element<'_> {
    fn record(self) -> Record<Self> {
        match self.0 {
            pcl_syntax::Element::Token(token) => {
                Record::new(format!("{:?}", token.kind()), token.range()).text("text", token.text())
            }
            pcl_syntax::Element::Node(node) => {
                let shown = node.elements().filter(|element| {
                    !matches!(element, pcl_syntax::Element::Token(token)
                        if token.kind() == SyntaxKind::Whitespace)
                });
                Record::new(format!("{:?}", node.kind()), node.range())
                    .flag("has_error", node.has_error())
                    .parts("children", shown.map(Element))
            }
        }
    }
}

/// Beyond this depth lines are not indented any further: the output stays as long as the program.
const MAX_INDENT: usize = 40;

fn write<V: View>(out: &mut String, root: V) {
    let mut open = vec![vec![("", Some(root))].into_iter()];
    while let Some(parts) = open.last_mut() {
        let Some((name, part)) = parts.next() else {
            open.pop();
            continue;
        };
        for _ in 1..open.len().min(MAX_INDENT) {
            out.push_str("  ");
        }
        if !name.is_empty() {
            out.push_str(name);
            out.push_str(": ");
        }
        let Some(part) = part else {
            out.push_str("missing\n");
            continue;
        };
        let record = part.record();
        let _ = write!(out, "{}@{:?}", record.kind, record.range);
        let mut below = Vec::new();
        for (name, field) in record.fields {
            match field {
                Field::Text(text) => {
                    let _ = write!(out, " {name}={text:?}");
                }
                Field::Flag(_) => {
                    let _ = write!(out, " {name}");
                }
                Field::Part(part) => below.push((name, part)),
                Field::Parts(parts) => below.extend(parts.into_iter().map(|p| (name, Some(p)))),
            }
        }
        out.push('\n');
        open.push(below.into_iter());
    }
}
