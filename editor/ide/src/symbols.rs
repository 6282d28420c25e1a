//! The outline of a file: its declarations, with what is in them.

use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::language::rule;
use pcl::syntax::SyntaxTree;
use pcl::syntax::ast::{self, Expr, Item};

/// An entry of an outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The token or type that is written beside the name.
    pub detail: Option<String>,
    /// The keyword of a block; `None` for an attribute or key.
    pub keyword: Option<String>,
    /// The whole entry.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
    /// The entries inside.
    pub children: Vec<Symbol>,
}

/// The entries of a file with this tree, in order, with those inside of them. An outline needs no
/// check of the program.
pub fn symbols(tree: &SyntaxTree, file: FileId) -> Vec<Symbol> {
    body(file, tree.file().body(), true)
}

/// The declarations of a file with this tree, in order, without what is in them.
pub fn top_symbols(tree: &SyntaxTree, file: FileId) -> Vec<Symbol> {
    body(file, tree.file().body(), false)
}

fn body(file: FileId, body: ast::Body<'_>, is_deep: bool) -> Vec<Symbol> {
    let symbol = |item| match item {
        Item::Attribute(attribute) => {
            let name = attribute.name()?;
            let value = attribute.value().filter(|_| is_deep);
            let children = value.map(|value| members(file, value));
            Some(Symbol {
                name: name.text().to_owned(),
                detail: None,
                keyword: None,
                span: Span::new(file, attribute.range()),
                name_span: Span::new(file, name.range()),
                children: children.unwrap_or_default(),
            })
        }
        Item::Block(block) => block_symbol(file, block, is_deep),
        Item::Bogus(_) => None,
    };
    body.items().filter_map(symbol).collect()
}

fn block_symbol(file: FileId, block: ast::Block<'_>, is_deep: bool) -> Option<Symbol> {
    let inner = block.body().filter(|_| is_deep);
    let keyword = block.keyword()?;
    let index = rule(keyword.text()).map_or(0, |rule| rule.name_label);
    let labels: Vec<ast::Label<'_>> = block.labels().collect();
    let name = labels.get(index);
    let mut others = labels.iter().enumerate().filter(|(at, _)| *at != index);
    Some(Symbol {
        name: match name {
            Some(name) => name.text().into_owned(),
            None => keyword.text().to_owned(),
        },
        detail: others.next().map(|(_, label)| label.text().into_owned()),
        keyword: Some(keyword.text().to_owned()),
        span: Span::new(file, block.range()),
        name_span: Span::new(file, name.map_or(keyword.range(), |name| name.content_range())),
        children: inner.map(|inner| body(file, inner, true)).unwrap_or_default(),
    })
}

/// The members of an object.
fn members(file: FileId, value: Expr<'_>) -> Vec<Symbol> {
    let Expr::Object(object) = value else { return Vec::new() };
    let symbol = |item: ast::ObjectItem<'_>| {
        let key = item.key()?;
        let (quoted, range) = (key.syntax().text(), key.range());
        let name = quoted.trim_matches('"');
        let start = range.start() + u32::from(quoted.starts_with('"'));
        let name_range = TextRange::new(start, start + name.len() as u32);
        (!name.is_empty()).then(|| Symbol {
            name: name.to_owned(),
            detail: None,
            keyword: None,
            span: Span::new(file, item.range()),
            name_span: Span::new(file, name_range),
            children: item.value().map(|value| members(file, value)).unwrap_or_default(),
        })
    };
    object.items().filter_map(symbol).collect()
}
