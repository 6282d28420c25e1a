//! Edits that an editor offers at a place: the fixes of diagnostics, and refactorings.

mod declare;
mod extract;
mod inline;
mod inputs;
mod rewrite;

use std::collections::HashSet;

use pcl::diagnostics::{Applicability, Diagnostic, FileId, Fix, Span, TextEdit, TextRange};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode};

use crate::{Analysis, FilePosition};

/// The kind of an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefactoringKind {
    /// It names a part of the text.
    Extract,
    /// It puts a value in the place of its name.
    Inline,
    /// It writes the same in another way, or adds what is missing.
    Rewrite,
}

/// An edit that keeps a program valid and, unless it adds inputs, its meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refactoring {
    /// The effect, in the imperative.
    pub title: String,
    /// The kind.
    pub kind: RefactoringKind,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
}

impl Refactoring {
    fn new(title: impl Into<String>, kind: RefactoringKind, edits: Vec<TextEdit>) -> Self {
        Self { title: title.into(), kind, edits }
    }
}

/// The refactorings of what is selected; of what the cursor is on if nothing is.
pub fn refactorings(analysis: &mut Analysis, selection: Span) -> Vec<Refactoring> {
    let mut all = Vec::new();
    all.extend(extract::local(analysis, selection));
    all.extend(inline::local(analysis, selection));
    all.extend(rewrite::strings(analysis, selection));
    all.extend(rewrite::key(analysis, selection));
    all.extend(rewrite::heredoc(analysis, selection));
    all.extend(rewrite::conditional(analysis, selection));
    all.extend(inputs::missing(analysis, selection));
    all.extend(inputs::missing_keys(analysis, selection));
    all
}

/// An edit that fixes or suppresses a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quickfix {
    /// The effect, in the imperative.
    pub title: String,
    /// The position of the diagnostic among those of the program.
    pub diagnostic: usize,
    /// Set if the fix keeps the meaning of the program, and no other one does.
    pub is_preferred: bool,
    /// The edits, which do not overlap.
    pub edits: Vec<TextEdit>,
}

/// The fixes of the diagnostics that touch a range, and behind them the comments that suppress
/// these. Fixes with placeholders are left out.
pub fn quick_fixes(analysis: &mut Analysis, selection: Span) -> Vec<Quickfix> {
    let all = analysis.checked.diagnostics.iter().cloned().enumerate();
    let touching = all.filter(|(_, diagnostic)| {
        let Span { file, range } = diagnostic.primary;
        file == selection.file && range.touches(selection.range)
    });
    let touching: Vec<(usize, Diagnostic)> = touching.collect();
    let texts = texts(analysis);
    let mut offered = Vec::new();
    for (at, diagnostic) in &touching {
        let usable = |fix: &&Fix| {
            let mut edits = fix.edits.iter();
            let fits = edits.all(|edit| texts.contains(&edit.span.file));
            fix.applicability >= Applicability::Unsafe && fits && !fix.edits.is_empty()
        };
        for (position, fix) in diagnostic.fixes.iter().filter(usable).enumerate() {
            offered.push(Quickfix {
                title: fix.title.clone(),
                diagnostic: *at,
                is_preferred: position == 0 && fix.applicability == Applicability::Safe,
                edits: fix.edits.clone(),
            });
        }
        for (title, edit) in declare::missing_name(analysis, diagnostic) {
            let edits = vec![edit];
            offered.push(Quickfix { title, diagnostic: *at, is_preferred: false, edits });
        }
    }
    let Some(tree) = analysis.tree(selection.file) else { return offered };
    let suppressed = touching.iter().map(|(_, diagnostic)| diagnostic);
    let suppressions = pcl::ignore_edits(tree, suppressed);
    for ((at, diagnostic), edit) in touching.iter().zip(suppressions) {
        offered.extend(edit.map(|edit| Quickfix {
            title: format!("suppress `{}` here", diagnostic.code.name()),
            diagnostic: *at,
            is_preferred: false,
            edits: vec![edit],
        }));
    }
    offered
}

/// The files of the program that are text as it is on disk.
fn texts(analysis: &Analysis) -> HashSet<FileId> {
    let is_text = |file: &FileId| {
        let tree = analysis.tree(*file);
        tree.is_some_and(|tree| tree.bytes() == tree.text().as_bytes())
    };
    analysis.files().filter(is_text).collect()
}

/// The nodes that have all of a selection, the innermost first. Spaces at its ends do not count.
fn around(analysis: &Analysis, selection: Span) -> Vec<SyntaxNode<'_>> {
    let text = analysis.text(selection);
    let innermost = if text.trim().is_empty() {
        analysis.token_at(FilePosition::start_of(selection)).map(|token| token.parent())
    } else {
        let start = selection.range.start() + (text.len() - text.trim_start().len()) as u32;
        let inner = TextRange::new(start, start + text.trim().len() as u32);
        analysis.tree(selection.file).map(|tree| tree.covering(inner))
    };
    innermost.into_iter().flat_map(SyntaxNode::ancestors).collect()
}

/// The line ending of a file.
fn newline(analysis: &Analysis, file: FileId) -> &'static str {
    pcl::line_end(analysis.checked.sources.text(file))
}

/// Returns true if an expression is one term, which steps and operators can be put around as it is.
fn is_term(node: SyntaxNode<'_>) -> bool {
    use SyntaxKind as K;
    matches!(
        node.kind(),
        K::Name | K::Traversal | K::Index | K::Call | K::Paren | K::Literal | K::Template
    )
}

/// Returns true if line endings in an expression are between brackets of its own.
fn has_own_brackets(node: SyntaxNode<'_>) -> bool {
    use SyntaxKind as K;
    let text = node.text();
    !text.contains('\n')
        || matches!(
            node.kind(),
            K::Tuple | K::Object | K::ForTuple | K::ForObject | K::Call | K::Paren
        )
}

/// Returns true if a heredoc is in a node.
fn has_heredoc(node: SyntaxNode<'_>) -> bool {
    let mut nodes = node.descendants();
    nodes.any(|node| node.kind() == SyntaxKind::Heredoc)
}

/// The names of the loop variables in a node.
fn loop_names(node: SyntaxNode<'_>) -> impl Iterator<Item = &str> {
    node.descendants().flat_map(|node| {
        let variables = match node.kind() {
            SyntaxKind::ForTuple | SyntaxKind::ForObject => ast::Expr::cast(node),
            _ => None,
        };
        let of_expr = match variables {
            Some(ast::Expr::For(bound)) => [bound.key_variable(), bound.value_variable()],
            _ => [None, None],
        };
        let head = (node.kind() == SyntaxKind::ForHead).then_some(node);
        let of_head = head.into_iter().flat_map(|head| {
            let words = head.own_tokens();
            let words = words.filter(|token| token.kind() == SyntaxKind::Ident);
            words.take_while(|token| token.text() != "in").skip(1)
        });
        let all = of_expr.into_iter().flatten().chain(of_head);
        all.map(|token| token.text())
    })
}

/// The text of an expression where a new line would end it: in parentheses if it is on several
/// lines.
fn on_its_own(node: SyntaxNode<'_>) -> String {
    if has_own_brackets(node) || node.kind() == SyntaxKind::Heredoc {
        node.text().to_owned()
    } else {
        format!("({})", node.text())
    }
}
