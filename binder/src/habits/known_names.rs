//! The names that fixes of syntax errors refer to: a fix is safe only if the program declares them.
//!
//! The rules, with examples: `tests/spec/habits/known_names.md`.

use std::cell::OnceCell;

use pcl_diagnostics::{Applicability, Code, Diagnostic, Fix, TextEdit};
use pcl_syntax::{SyntaxKind, SyntaxTree, Tokens, ast, tokenize};
use rustc_hash::FxHashSet;

use crate::declared_names::{Variables, declared_names};
use crate::program_files::Sources;
use crate::session::Options;

/// Words that are no names where an expression is.
const WORDS: [&str; 9] = ["else", "endfor", "endif", "false", "for", "if", "in", "null", "true"];

/// The names that a program declares, for its syntax errors.
pub(crate) struct KnownNames<'t, 's> {
    sources: &'t Sources,
    variables: &'s Variables<'t>,
    options: &'s Options,
    bound: OnceCell<FxHashSet<&'t str>>,
}

impl<'t, 's> KnownNames<'t, 's> {
    pub fn new(sources: &'t Sources, variables: &'s Variables<'t>, options: &'s Options) -> Self {
        Self { sources, variables, options, bound: OnceCell::new() }
    }

    /// The diagnostic with fixes that suit the names of the program: none declares a variable that
    /// the program has, and a safe one becomes unsafe where its text has a name that nothing
    /// declares.
    pub fn judge(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if writes_expressions(diagnostic.code) {
            for fix in &mut diagnostic.fixes {
                self.use_what_is_declared(fix);
                if fix.applicability == Applicability::Safe && !self.knows_all(fix) {
                    fix.applicability = Applicability::Unsafe;
                }
            }
        }
        diagnostic
    }

    /// Leaves out a declaration that a fix adds, if the program has it in another file.
    fn use_what_is_declared(&self, fix: &mut Fix) {
        let added = fix.edits.iter().position(|edit| self.repeats(edit));
        let Some(added) = added else { return };
        let declaration = pcl_syntax::parse(fix.edits.remove(added).text);
        let is_secret = attributes(&declaration).any(|name| name == "secret");
        for edit in fix.edits.iter_mut().filter(|_| is_secret) {
            edit.text = format!("secret({})", edit.text);
        }
        // One that is only shown leads to another error.
        if fix.applicability == Applicability::Unsafe {
            fix.applicability = Applicability::Safe;
        }
    }

    /// Returns true for an edit that adds declarations which the program has.
    fn repeats(&self, edit: &TextEdit) -> bool {
        // An expression declares nothing.
        if !edit.span.range.is_empty() || !edit.text.contains('\n') {
            return false;
        }
        let tree = pcl_syntax::parse(edit.text.as_str());
        let mut names = declared_names(&tree).peekable();
        names.peek().is_some() && names.all(|declared| self.variables.contain(&declared.name))
    }

    fn knows_all(&self, fix: &Fix) -> bool {
        fix.edits.iter().all(|edit| {
            let tokens = tokenize(&edit.text);
            let own = bound_by_for(&tokens, &edit.text);
            used(&tokens, &edit.text).all(|name| own.contains(&name) || self.knows(name))
        })
    }

    fn knows(&self, name: &str) -> bool {
        let mut others = self.options.variables.iter();
        name == "range"
            || self.variables.contain(name)
            || others.any(|variable| variable.name == name)
            || self.bound().contains(name)
    }

    /// The variables of the `for` expressions of files with errors.
    fn bound(&self) -> &FxHashSet<&'t str> {
        self.bound.get_or_init(|| {
            let wrong = self.sources.files.iter().filter(|source| !source.tree.errors().is_empty());
            let names =
                wrong.flat_map(|source| bound_by_for(source.tree.tokens(), source.tree.text()));
            names.collect()
        })
    }
}

/// The names of the attributes in the blocks of a text.
fn attributes(tree: &SyntaxTree) -> impl Iterator<Item = &str> {
    let items = tree.file().body().items();
    let blocks = items.filter_map(|item| match item {
        ast::Item::Block(block) => block.body(),
        ast::Item::Attribute(_) | ast::Item::Bogus(_) => None,
    });
    let names = blocks.flat_map(|body| body.attributes().filter_map(ast::Attribute::name));
    names.map(|name| name.text())
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
        let is_other =
            matches!(after, Some(SyntaxKind::LParen | SyntaxKind::Equals | SyntaxKind::Colon));
        let is_name = kind == SyntaxKind::Ident && !is_step && !is_other;
        (is_name && !WORDS.contains(&word)).then_some(word)
    });
    names.collect::<Vec<_>>().into_iter()
}
