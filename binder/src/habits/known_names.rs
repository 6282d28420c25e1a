//! The names that fixes of syntax errors refer to: a fix is safe only if the program declares them.
//!
//! The rules, with examples: `tests/spec/habits/known_names.md`.

use std::cell::OnceCell;

use pcl_diagnostics::{Applicability, Code, Diagnostic, Fix};
use pcl_syntax::{SyntaxKind, SyntaxTree, Tokens, ast, tokenize};
use rustc_hash::FxHashSet;

use crate::block::rules::rule;
use crate::options::Options;
use crate::source::Sources;

/// Words that are no names where an expression is.
const WORDS: [&str; 9] = [
    "else", "endfor", "endif", "false", "for", "if", "in", "null", "true",
];

/// The names that a program declares, for its syntax errors.
pub(crate) struct KnownNames<'t> {
    sources: &'t Sources,
    options: &'t Options,
    names: OnceCell<FxHashSet<&'t str>>,
}

impl<'t> KnownNames<'t> {
    pub fn new(sources: &'t Sources, options: &'t Options) -> Self {
        Self {
            sources,
            options,
            names: OnceCell::new(),
        }
    }

    /// The diagnostic with a safe fix made an unsafe one where its text has a name that nothing
    /// declares.
    pub fn judge(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if writes_expressions(diagnostic.code) {
            for fix in &mut diagnostic.fixes {
                if fix.applicability == Applicability::Safe && !self.knows_all(fix) {
                    fix.applicability = Applicability::Unsafe;
                }
            }
        }
        diagnostic
    }

    fn knows_all(&self, fix: &Fix) -> bool {
        fix.edits.iter().all(|edit| {
            let tokens = tokenize(&edit.text);
            let own = bound_by_for(&tokens, &edit.text);
            let mut used = used(&tokens, &edit.text);
            used.all(|name| own.contains(&name) || self.names().contains(name))
        })
    }

    fn names(&self) -> &FxHashSet<&'t str> {
        self.names.get_or_init(|| {
            let mut names: FxHashSet<&str> = ["range"].into_iter().collect();
            let variables = self.options.variables.iter();
            names.extend(variables.map(|variable| variable.name()));
            for source in &self.sources.files {
                declared(&source.tree, &mut names);
                if !source.tree.errors().is_empty() {
                    names.extend(bound_by_for(source.tree.tokens(), source.tree.text()));
                }
            }
            names
        })
    }
}

/// Returns true for the code of an error whose fix writes an expression.
fn writes_expressions(code: Code) -> bool {
    matches!(
        code,
        Code::BareInterpolation
            | Code::Comprehension
            | Code::ForeignConditional
            | Code::MethodCall
            | Code::NullOperator
            | Code::PrefixedString
    )
}

/// Adds the names of the attributes and the labels of the blocks of a file.
fn declared<'t>(tree: &'t SyntaxTree, names: &mut FxHashSet<&'t str>) {
    for item in tree.file().body().items() {
        match item {
            ast::Item::Attribute(attribute) => {
                names.extend(attribute.name().map(|name| name.text()));
            }
            ast::Item::Block(block) if is_known(block) => {
                let labels = block.labels().map(|label| label.syntax().text());
                names.extend(labels.map(|label| label.trim_matches('"')));
            }
            ast::Item::Block(_) | ast::Item::Bogus(_) => {}
        }
    }
}

/// The tokens of a text that are not trivia, each with its text.
fn words<'t>(tokens: &Tokens, text: &'t str) -> Vec<(SyntaxKind, &'t str)> {
    let all = (0..tokens.len() as u32).filter(|&token| !tokens.kind(token).is_trivia());
    let all = all.map(|token| {
        let range = tokens.range(token).to_usize();
        (tokens.kind(token), text.get(range).unwrap_or_default())
    });
    all.collect()
}

/// The variables of the `for` expressions of a text.
fn bound_by_for<'t>(tokens: &Tokens, text: &'t str) -> Vec<&'t str> {
    let words = words(tokens, text);
    let mut bound = Vec::new();
    for (at, (kind, word)) in words.iter().enumerate() {
        if *kind != SyntaxKind::Ident || *word != "for" {
            continue;
        }
        let behind = words.iter().skip(at + 1).take(3);
        let names = behind.take_while(|(kind, word)| {
            matches!(kind, SyntaxKind::Ident | SyntaxKind::Comma) && *word != "in"
        });
        bound.extend(names.map(|(_, word)| *word));
    }
    bound
}

/// The names that an expression refers to.
fn used<'t>(tokens: &Tokens, text: &'t str) -> impl Iterator<Item = &'t str> {
    let words = words(tokens, text);
    let names = (0..words.len()).filter_map(|at| {
        let (kind, word) = *words.get(at)?;
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let after = words.get(at + 1).map(|(kind, _)| *kind);
        let is_step = before.is_some_and(|(kind, _)| *kind == SyntaxKind::Dot);
        // A function, or the key of an object.
        let is_other = matches!(
            after,
            Some(SyntaxKind::LParen | SyntaxKind::Equals | SyntaxKind::Colon)
        );
        let is_name = kind == SyntaxKind::Ident && !is_step && !is_other;
        (is_name && !WORDS.contains(&word)).then_some(word)
    });
    names.collect::<Vec<_>>().into_iter()
}

/// Returns true for a block of PCL.
fn is_known(block: ast::Block<'_>) -> bool {
    let keyword = block.keyword();
    keyword.is_some_and(|keyword| rule(keyword.text()).is_some())
}
