//! The wording of syntax errors, and the fixes that go with it: one file per area of the language,
//! one arm per code.
//!
//! The rules in `lexer` and `grammar` report a code and places; nothing there is text. A message is
//! built when a diagnostic is shown.

mod body;
mod draft;
mod edits;
mod expression;
mod header;
mod lexical;
mod repeated;
mod site;
mod template;

use pcl_diagnostics::{Code, Diagnostic, FileId, Fix, Origin, Severity, TextEdit, TextRange};

use crate::error::SyntaxError;
use crate::fixes::trial::Trials;
use crate::kind::SyntaxKind;
use crate::tree::SyntaxTree;
use draft::Draft;
pub use draft::{excerpt, visible};
use site::Site;

impl SyntaxError {
    /// The diagnostic for this error, with labels, help and fixes. `tree` is the tree of the error
    /// and `file` the file of that tree.
    #[must_use]
    pub fn to_diagnostic(&self, file: FileId, tree: &SyntaxTree) -> Diagnostic {
        self.diagnostic(file, tree, &mut Trials::new(tree))
    }

    fn diagnostic(&self, file: FileId, tree: &SyntaxTree, trials: &mut Trials<'_>) -> Diagnostic {
        let site = Site::new(self, file, tree);
        let others = tree.repetitions_of(self);
        let draft = if others.is_empty() {
            draft(&site)
        } else {
            draft(&site).map(|draft| repeated::with_others(&site, draft, others))
        };
        finish(&site, draft, trials)
    }
}

impl SyntaxTree {
    /// The diagnostics for all [`errors`](Self::errors), in their order: those of
    /// [`to_diagnostic`](SyntaxError::to_diagnostic), in less time. `file` is the file of this
    /// tree.
    pub fn diagnostics(&self, file: FileId) -> impl Iterator<Item = Diagnostic> {
        let mut trials = Trials::new(self);
        let errors = self.errors().iter();
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
    let Some(note) = c.tree.note_of(c.error) else {
        return usual();
    };
    let draft = match note.message.clone() {
        Some(message) => Draft {
            place: note.place,
            related: note.related,
            ..Draft::new(message)
        },
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
    if c.error
        .opener()
        .is_some_and(|opener| !closes_heredoc(opener))
    {
        "this bracket closes another one"
    } else if place.start() as usize >= c.tree.text().len() {
        "the file ends here"
    } else {
        "it must be closed before this"
    }
}

/// The message for a construct that is not closed, with a fix that adds `closer` at its end.
fn unclosed(c: &Site<'_>, what: &'static str, closer: &'static str) -> Draft {
    let place = c.error.related().unwrap_or(c.error.range());
    let at = TextRange::empty(c.end_before(place.start()));
    let opener = c.error.range();
    // What starts at the end of a line ends on a line of its own.
    let ends_line = c.next_token(opener.end()).1 == SyntaxKind::Newline;
    let text = if ends_line && at.start() > opener.end() {
        format!("\n{}{closer}", c.indent_at(opener.start()))
    } else {
        closer.to_owned()
    };
    Draft::new(format!("{what} is not closed"))
        .help(format!("add `{closer}`"))
        .fix(c.likely(format!("add `{closer}`"), at, text))
}
