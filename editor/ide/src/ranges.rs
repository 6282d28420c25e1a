//! The parts of a text that editors fold, those that they select around a position, and those that
//! lead somewhere: to directories of components, files, pages about codes.

use pcl::binder::NodeBody;
use pcl::diagnostics::{Code, FileId, TextRange};
use pcl::language::{CallForm, Function};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{
    SuppressionForm, SyntaxKind, SyntaxNode, SyntaxToken, SyntaxTree, suppression_comments,
};

use crate::{Analysis, FilePosition, NodeRef};

/// A part of a text that can be folded. It is longer than a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// The text that is hidden: what is between the brackets, or behind the first line.
    pub range: TextRange,
    /// Set if it is a comment.
    pub is_comment: bool,
    /// Set if the line at its end stays visible, as that of a closing bracket does.
    pub keeps_last_line: bool,
}

impl Fold {
    const fn between(start: u32, end: u32) -> Self {
        Self { range: TextRange::new(start, end), is_comment: false, keeps_last_line: true }
    }
}

/// The parts of a file that can be folded: blocks, objects, lists, calls, templates and comments,
/// by place.
pub fn folds(analysis: &Analysis, file: FileId) -> Vec<Fold> {
    let Some(tree) = analysis.tree(file) else { return Vec::new() };
    let nodes = tree.root().descendants();
    let mut folds: Vec<Fold> = nodes.filter_map(fold).collect();
    folds.extend(comments(tree));
    folds.retain(|fold| {
        let text = tree.text().get(fold.range.to_usize());
        text.is_some_and(|text| text.contains('\n'))
    });
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

fn fold(node: SyntaxNode<'_>) -> Option<Fold> {
    use SyntaxKind as K;
    let own = |kind| node.own_token(kind);
    let (open, close) = match node.kind() {
        K::Body | K::Object | K::ForObject => (own(K::LBrace)?, own(K::RBrace)?),
        K::Tuple | K::ForTuple => (own(K::LBracket)?, own(K::RBracket)?),
        K::Call | K::Paren => (own(K::LParen)?, own(K::RParen)?),
        K::Template => (own(K::QuoteOpen)?, own(K::QuoteClose)?),
        K::Heredoc => {
            let open = own(K::HeredocOpen)?;
            // Its token has the line ending behind the marker.
            let start = open.range().start() + open.text().trim_end().len() as u32;
            return Some(Fold::between(start, own(K::HeredocClose)?.range().start()));
        }
        K::IfDirective | K::ForDirective => {
            let head = node.children().next()?;
            return Some(Fold::between(head.range().end(), node.range().end()));
        }
        _ => return None,
    };
    Some(Fold::between(open.range().end(), close.range().start()))
}

/// Block comments, and line comments on consecutive lines of their own.
fn comments(tree: &SyntaxTree) -> Vec<Fold> {
    let (mut found, mut run) = (Vec::new(), None);
    // Set if the line has a token so far, and if that is a line comment.
    let (mut has_token, mut is_comment) = (false, false);
    for (kind, range) in tree.tokens().iter() {
        match kind {
            SyntaxKind::Whitespace => continue,
            SyntaxKind::Newline | SyntaxKind::EndOfFile => {
                if !is_comment {
                    found.extend(run.take());
                }
                (has_token, is_comment) = (false, false);
                continue;
            }
            SyntaxKind::LineComment if !has_token => {
                is_comment = true;
                run = Some(run.map_or(range, |run: TextRange| run.cover(range)));
            }
            SyntaxKind::BlockComment => found.push(range),
            _ => {}
        }
        has_token = true;
    }
    found.extend(run);
    let hidden = |range: TextRange| {
        let text = tree.text().get(range.to_usize()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        Fold {
            range: TextRange::new(range.start() + first.len() as u32, range.end()),
            is_comment: true,
            keeps_last_line: false,
        }
    };
    found.into_iter().map(hidden).collect()
}

/// The ranges around a place that an editor selects one after the other: each is in the next one
/// and shorter.
pub fn selections(analysis: &Analysis, at: FilePosition) -> Vec<TextRange> {
    let (Some(tree), Some(token)) = (analysis.tree(at.file), analysis.token_at(at)) else {
        return Vec::new();
    };
    let mut ranges = Vec::new();
    let mut add = |range: TextRange| {
        let last: Option<&TextRange> = ranges.last();
        let is_around = last.is_none_or(|last| range.contains_range(*last) && range != *last);
        if is_around && at.touches(range) && !range.is_empty() {
            ranges.push(range);
        }
    };
    if token.kind() != SyntaxKind::Newline && token.kind() != SyntaxKind::Whitespace {
        add(token.range());
    }
    for node in token.parent().ancestors() {
        if let Some(content) = content(node) {
            add(content);
        }
        add(node.range());
    }
    let length = u32::try_from(tree.text().len()).unwrap_or(u32::MAX);
    add(TextRange::new(0, length));
    if ranges.is_empty() {
        ranges.push(TextRange::empty(at.offset));
    }
    ranges
}

/// The text between the first and the last token of a string or of something in brackets.
fn content(node: SyntaxNode<'_>) -> Option<TextRange> {
    use SyntaxKind as K;
    let first = node.first_token()?;
    let last = node.last_token()?;
    let is_between = |open: SyntaxToken<'_>, close: SyntaxToken<'_>| {
        matches!(
            (open.kind(), close.kind()),
            (K::QuoteOpen, K::QuoteClose)
                | (K::HeredocOpen, K::HeredocClose)
                | (K::LBrace, K::RBrace)
                | (K::LBracket, K::RBracket)
                | (K::LParen, K::RParen)
                | (K::InterpolationOpen, K::SequenceClose)
        )
    };
    if !is_between(first, last) {
        return None;
    }
    let range = TextRange::new(first.range().end(), last.range().start());
    let text = node.tree().text().get(range.to_usize())?;
    if matches!(first.kind(), K::QuoteOpen | K::HeredocOpen) {
        return Some(range);
    }
    let start = range.start() + (text.len() - text.trim_start().len()) as u32;
    let end = range.start() + text.trim_end().len() as u32;
    Some(TextRange::new(start, end))
}

/// The file of a program that people read first.
const MAIN: &str = "main.pp";

/// A place that leads somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// The place.
    pub range: TextRange,
    /// The target.
    pub target: LinkTarget,
}

/// The target of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// A file of the program.
    File(FileId),
    /// A path as the program writes it, relative to its directory. Nothing may be there.
    Written(String),
    /// The page about a diagnostic.
    Page(Code),
}

/// The links of a file, in order.
pub fn links(analysis: &Analysis, file: FileId) -> Vec<Link> {
    let Some(tree) = analysis.tree(file) else { return Vec::new() };
    let mut links = Vec::new();
    for node in analysis.nodes_in(file) {
        links.extend(component_source(analysis, node));
    }
    for node in tree.root().descendants() {
        if node.kind() == SyntaxKind::Call {
            links.extend(ast::Call::cast(node).and_then(path_argument));
        }
    }
    for comment in suppression_comments(tree) {
        if let SuppressionForm::Names(names) = comment.form {
            let codes =
                names.into_iter().filter_map(|(name, range)| Some((Code::parse(&name)?, range)));
            links.extend(codes.map(|(code, range)| Link { range, target: LinkTarget::Page(code) }));
        }
    }
    links.sort_by_key(|link| link.range);
    links
}

/// The source of a component leads to the main file of its program.
fn component_source(analysis: &Analysis, node: NodeRef) -> Option<Link> {
    let NodeBody::Component(body) = &analysis.node(node).body else { return None };
    let program = analysis.checked.program.component(body.program?);
    let files = &program.module.files;
    let name = |file: FileId| analysis.checked.sources.path(file);
    let mut mains =
        files.iter().filter(|&&file| name(file).rsplit(['/', '\\']).next() == Some(MAIN));
    let target = *mains.next().or_else(|| files.first())?;
    let syntax = analysis.module(node.module).syntax(analysis.node(node));
    let source = ast::Block::cast(syntax)?.labels().nth(1)?;
    Some(Link { range: source.content_range(), target: LinkTarget::File(target) })
}

fn path_argument(call: ast::Call<'_>) -> Option<Link> {
    let form = Function::parse(&call.name())?.row().form;
    let is_about_file = matches!(form, CallForm::Fixed([("path", _), ..], _));
    let argument = call.arguments().next().filter(|_| is_about_file)?;
    let ast::Expr::Template(template) = argument else { return None };
    let (path, range) = template.only_part()?;
    Some(Link { range, target: LinkTarget::Written(path.into_owned()) })
}
