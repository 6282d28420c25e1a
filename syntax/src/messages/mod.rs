//! From syntax errors to diagnostics.
//!
//! The rules in `lexer` and `grammar` report a code and places. A message is built when a
//! diagnostic is shown, by the `draft` at the end of the file of a rule, with one arm per code.

pub(crate) mod header;
mod lexical;
pub(crate) mod site;

use pcl_diagnostics::{
    Applicability, Code, Diagnostic, FileId, Fix, Origin, Severity, TextEdit, TextRange,
};

use crate::error::SyntaxError;
use crate::grammar::{body, expression, template};
use crate::tree::SyntaxTree;
use crate::trial::Trials;
use crate::unreadable::without_consequences;
use site::{Draft, Site};
pub use site::{excerpt, visible};

impl SyntaxError {
    /// The diagnostic for this error, with labels, help and fixes. `tree` is the tree of the error
    /// and `file` the file of that tree.
    pub fn to_diagnostic(&self, file: FileId, tree: &SyntaxTree) -> Diagnostic {
        self.diagnostic(file, tree, &mut Trials::new(tree))
    }

    fn diagnostic(&self, file: FileId, tree: &SyntaxTree, trials: &mut Trials<'_>) -> Diagnostic {
        let site = Site::new(self, file, tree);
        let others = tree.repetitions_of(self);
        let draft = if others.is_empty() {
            draft(&site)
        } else {
            draft(&site).map(|draft| with_others(&site, draft, others))
        };
        finish(&site, draft, trials)
    }
}

impl SyntaxTree {
    /// The diagnostics for the [`errors`](Self::errors) that no other one leads to: those of
    /// [`to_diagnostic`](SyntaxError::to_diagnostic), in less time. `file` is the file of this
    /// tree.
    pub fn diagnostics(&self, file: FileId) -> impl Iterator<Item = Diagnostic> {
        let mut trials = Trials::new(self);
        let errors = without_consequences(self).into_iter();
        errors.map(move |error| error.diagnostic(file, self, &mut trials))
    }
}

/// The words for an error alone.
fn draft(c: &Site<'_>) -> Option<Draft> {
    let usual = || {
        lexical::draft(c)
            .or_else(|| body::draft(c))
            .or_else(|| expression::draft(c))
            .or_else(|| template::draft(c))
    };
    let Some(note) = c.tree.note_of(c.error) else { return usual() };
    let draft = match note.message.clone() {
        Some(message) => Draft { place: note.place, related: note.related, ..Draft::new(message) },
        None => usual()?,
    };
    let edits = note.edits.iter();
    let edits = edits.map(|(range, text)| TextEdit::replace(c.span(*range), text.as_str()));
    let fix = Fix {
        title: note.title.to_string(),
        edits: edits.collect(),
        applicability: note.applicability,
    };
    Some(Draft {
        help: note.help.clone().or(draft.help),
        fix: Some(fix).filter(|fix| !fix.edits.is_empty()),
        ..draft
    })
}

/// The diagnostic of a draft; without one, the summary of the code is the message.
fn finish(c: &Site<'_>, draft: Option<Draft>, trials: &mut Trials<'_>) -> Diagnostic {
    let code = c.error.code();
    let draft = draft.unwrap_or_else(|| Draft::new(code.summary().to_lowercase()));
    let place = draft.place.unwrap_or(c.error.range());
    let mut diagnostic = Diagnostic::error(code, c.span(place), draft.message);
    if c.error.severity() == Severity::Warning {
        diagnostic = diagnostic.with_severity(Severity::Warning);
    }
    debug_assert_eq!(diagnostic.origin, Origin::Reference);
    if code == Code::HeredocSwallowing {
        // Pulumi takes the text for what it is.
        diagnostic = diagnostic.ours();
    }
    if let Some(range) = c.error.related()
        && draft.place.is_none()
    {
        let text = draft.related.unwrap_or_else(|| end_label(c, range));
        diagnostic = diagnostic.label(c.span(range), text);
    }
    if let Some(range) = c.error.opener() {
        diagnostic = diagnostic.label(c.span(range), "it closes this bracket");
    }
    for (range, text) in draft.labels {
        diagnostic = diagnostic.label(c.span(range), text);
    }
    if let Some(note) = draft.note {
        diagnostic = diagnostic.note(note);
    }
    if let Some(help) = draft.help {
        diagnostic = diagnostic.help(help);
    }
    if let Some(fix) = draft.fix.and_then(|fix| trials.tried(c.error, fix)) {
        diagnostic = diagnostic.fix(fix);
    }
    diagnostic
}

/// The label of the place before which a closer should have been.
fn end_label(c: &Site<'_>, place: TextRange) -> &'static str {
    let closes_heredoc = |opener| c.text(opener).starts_with("<<");
    if c.error.opener().is_some_and(|opener| !closes_heredoc(opener)) {
        "this bracket closes another one"
    } else if place.start() as usize >= c.tree.text().len() {
        "the file ends here"
    } else {
        "it must be closed before this"
    }
}

/// The most further places that have a label.
const LABELS: usize = 12;

/// The draft of the error at `c`, extended by those of the further errors: a label for each, and
/// one fix for all.
fn with_others(c: &Site<'_>, mut draft: Draft, others: &[SyntaxError]) -> Draft {
    let fixes = others.iter().filter_map(|error| self::draft(&c.beside(error))?.fix);
    draft.fix = draft.fix.map(|fix| fixes.fold(fix, join));
    let labels = others.iter().take(LABELS).map(|error| {
        let sign = error.related().filter(|_| error.code() == Code::BodyItemIncomplete);
        (sign.unwrap_or(error.range()), "and here")
    });
    draft.labels.extend(labels);
    let hidden = others.len().saturating_sub(LABELS);
    if hidden > 0 {
        let lines = if hidden == 1 { "line" } else { "lines" };
        draft.note = Some(format!("and on {hidden} more {lines} of this body"));
    }
    draft
}

/// A fix that does what both do; it is safe if both are.
fn join(mut fix: Fix, other: Fix) -> Fix {
    fix.edits.extend(other.edits);
    if other.applicability != Applicability::Safe {
        fix.applicability = other.applicability;
    }
    fix
}
