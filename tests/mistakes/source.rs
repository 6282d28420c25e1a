//! A program to make mistakes in, and the mistakes.

use std::ops::Range;

use pcl::syntax::ast::{
    AstNode, Attribute, Block, Call, Expr, Item, LiteralKind, Object, ObjectItem, Step, StepKind,
    Template, Traversal, Tuple,
};
use pcl::syntax::{SyntaxKind, SyntaxTree, parse};

/// One replaced range of a text.
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

/// Edits that make one mistake.
#[derive(Default)]
pub struct Mistake {
    /// In the order of the text, without overlaps.
    pub edits: Vec<Edit>,
    /// Further ranges of the text before the mistake where a diagnostic may be: the uses of what is
    /// deleted, the bracket that is not closed.
    pub also: Vec<Range<usize>>,
    /// The edits that lead to the program that is meant, if that is not the one before the mistake.
    pub meant: Vec<Edit>,
}

impl Mistake {
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { edits: vec![Edit { range, text: text.into() }], ..Self::default() }
    }

    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }

    pub fn delete(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }

    /// Another edit.
    pub fn and(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.edits.push(Edit { range, text: text.into() });
        self.edits.sort_by_key(|edit| edit.range.start);
        self
    }

    /// Another range where a diagnostic may be.
    pub fn or_at(mut self, range: Range<usize>) -> Self {
        self.also.push(range);
        self
    }

    /// The text that replaces a range in the program that is meant.
    pub fn meaning(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.meant.push(Edit { range, text: text.into() });
        self
    }

    /// The text with the mistake, and the ranges in it where a diagnostic may be.
    pub fn apply(&self, text: &str) -> Option<(String, Vec<Range<usize>>)> {
        let (mut new, mut places, mut end) = (String::with_capacity(text.len() + 32), vec![], 0);
        for edit in &self.edits {
            new.push_str(text.get(end..edit.range.start)?);
            let start = new.len();
            new.push_str(&edit.text);
            places.push(start..new.len());
            end = edit.range.end;
        }
        new.push_str(text.get(end..)?);
        let moved = |offset: usize| {
            let before = self.edits.iter().filter(|edit| edit.range.end <= offset);
            before.fold(offset, |at, edit| at + edit.text.len() - edit.range.len())
        };
        places.extend(self.also.iter().map(|range| moved(range.start)..moved(range.end)));
        Some((new, places))
    }
}

/// The parsed text of a file.
pub struct Source {
    pub tree: SyntaxTree,
    pub text: String,
}

/// The place and the text of a node.
pub trait Node<'t> {
    fn place(&self) -> Range<usize>;
    fn text(&self) -> &'t str;
}

impl<'t, T: AstNode<'t>> Node<'t> for T {
    fn place(&self) -> Range<usize> {
        self.syntax().range().to_usize()
    }

    fn text(&self) -> &'t str {
        self.syntax().text()
    }
}

impl Source {
    pub fn new(text: &str) -> Self {
        Self { tree: parse(text), text: text.to_owned() }
    }

    fn nodes<'t, T: AstNode<'t>>(&'t self) -> Vec<T> {
        self.tree.root().descendants().filter_map(T::cast).collect()
    }

    pub fn attributes(&self) -> Vec<Attribute<'_>> {
        self.nodes()
    }

    pub fn object_items(&self) -> Vec<ObjectItem<'_>> {
        self.nodes()
    }

    pub fn objects(&self) -> Vec<Object<'_>> {
        self.nodes()
    }

    pub fn lists(&self) -> Vec<Tuple<'_>> {
        self.nodes()
    }

    pub fn calls(&self) -> Vec<Call<'_>> {
        self.nodes()
    }

    pub fn blocks(&self) -> Vec<Block<'_>> {
        self.nodes()
    }

    pub fn templates(&self) -> Vec<Template<'_>> {
        self.nodes()
    }

    pub fn traversals(&self) -> Vec<Traversal<'_>> {
        self.nodes()
    }

    pub fn expressions(&self) -> Vec<Expr<'_>> {
        self.tree.root().descendants().filter_map(Expr::cast).collect()
    }

    /// The items of the file.
    pub fn items(&self) -> Vec<Item<'_>> {
        self.tree.file().body().items().collect()
    }

    /// The blocks of the file with a keyword.
    pub fn declared(&self, keyword: &str) -> Vec<Block<'_>> {
        let blocks = self.tree.file().body().blocks();
        blocks.filter(|block| block.has_keyword(keyword)).collect()
    }

    /// The resources of the file with their names and tokens.
    pub fn resources(&self) -> Vec<(Block<'_>, String, String)> {
        let resources = self.declared("resource").into_iter().filter_map(|block| {
            let labels: Vec<_> = block.labels().map(|label| label.text().into_owned()).collect();
            match &labels[..] {
                [name, token] if token.contains(':') => Some((block, name.clone(), token.clone())),
                _ => None,
            }
        });
        resources.collect()
    }

    /// The bodies of resources and components: each block with its attributes.
    pub fn inputs(&self) -> Vec<Attribute<'_>> {
        let blocks = self.tree.file().body().blocks();
        let with_inputs = |block: &Block<'_>| {
            ["resource", "component"].iter().any(|word| block.has_keyword(word))
        };
        let bodies = blocks.filter(with_inputs).filter_map(Block::body);
        bodies.flat_map(|body| body.attributes().collect::<Vec<_>>()).collect()
    }

    /// The ranges of names that refer to a declaration.
    pub fn uses(&self, name: &str) -> Vec<Range<usize>> {
        let names = self.expressions().into_iter().filter_map(|expr| match expr {
            Expr::Name(own) if own.syntax().text() == name => Some(expr.range().to_usize()),
            _ => None,
        });
        names.collect()
    }

    /// The whole lines that a range touches, with the last line's end.
    pub fn lines(&self, range: Range<usize>) -> Range<usize> {
        let start = self.text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end =
            self.text[range.end..].find('\n').map_or(self.text.len(), |at| range.end + at + 1);
        start..end
    }

    /// Returns true if a range has lines of its own.
    pub fn has_own_lines(&self, range: &Range<usize>) -> bool {
        let lines = self.lines(range.clone());
        self.text[lines.start..range.start].trim().is_empty()
            && self.text[range.end..lines.end].trim().is_empty()
            && self.text[..lines.end].ends_with('\n')
    }

    /// The spaces before the first word of the line of an offset.
    pub fn indentation(&self, offset: usize) -> &str {
        let start = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// The tokens of a kind, outside of texts.
    pub fn tokens(&self, kind: SyntaxKind) -> Vec<Range<usize>> {
        let tokens = self.tree.tokens().iter().filter(|(own, _)| *own == kind);
        tokens.map(|(_, range)| range.to_usize()).collect()
    }

    pub fn slice(&self, range: Range<usize>) -> &str {
        &self.text[range]
    }
}

/// The text of a string without interpolations that is written in quotes.
pub fn quoted<'t>(expr: Expr<'t>) -> Option<(Range<usize>, &'t str)> {
    let Expr::Template(template) = expr else { return None };
    template.literal()?;
    let text = template.syntax().text();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    Some((expr.range().to_usize(), inner))
}

/// The value of a number as it is written.
pub fn number<'t>(expr: Expr<'t>) -> Option<(Range<usize>, &'t str)> {
    match expr {
        Expr::Literal(literal) if literal.is_number() => {
            Some((expr.range().to_usize(), literal.syntax().text()))
        }
        _ => None,
    }
}

/// The words `true` and `false`.
pub fn boolean(expr: Expr<'_>) -> Option<(Range<usize>, bool)> {
    let Expr::Literal(literal) = expr else { return None };
    match literal.kind() {
        LiteralKind::Bool(value) => Some((expr.range().to_usize(), value)),
        _ => None,
    }
}

/// The steps of a traversal that are names, with the name.
pub fn names_of(traversal: Traversal<'_>) -> Vec<(Range<usize>, String)> {
    let steps = traversal.steps().filter_map(|step: Step<'_>| match step.kind() {
        StepKind::Attribute(name) => Some((name.range().to_usize(), name.text().to_owned())),
        _ => None,
    });
    steps.collect()
}

/// A name in snake case, as Terraform and Python write it.
pub fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
