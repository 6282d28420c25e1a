//! Diagnostics: messages about a program with their places, notes and fixes.

use crate::catalogue::Code;
use crate::fix::Fix;
use crate::span::Span;

/// The severity of a diagnostic, in increasing order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Pulumi would silently ignore what was written.
    Warning,
    /// Pulumi would refuse the program, crash on it or run it wrongly.
    Error,
    /// A bug in `pcl` itself.
    Bug,
}

impl Severity {
    /// The word for it: `warning`, `error`, `bug`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Bug => "bug",
        }
    }
}

/// The origin of a check, which decides whether `--compat pulumi` shows its diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Pulumi's own binder reports it too (or crashes on it).
    Reference,
    /// The check goes beyond Pulumi's.
    Ours,
}

/// A second place that explains the first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A description of the place in a few words, in lower case, without a full stop.
    pub message: String,
}

/// One report about a program or schema, rendered by the front end.
///
/// The message is lower case, has no period, and says what is wrong in terms of what was written.
/// The primary span is the narrowest part of the text that is to blame; labels show what it clashes
/// with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of the diagnostic.
    pub code: Code,
    /// The severity in this program. The same code may be milder under a lenient option.
    pub severity: Severity,
    /// The origin of the check.
    pub origin: Origin,
    /// The place to blame.
    pub primary: Span,
    /// The headline.
    pub message: String,
    /// Other places, in reading order.
    pub labels: Vec<Label>,
    /// Rules and facts that explain the diagnostic.
    pub notes: Vec<String>,
    /// Advice on how to solve it.
    pub help: Option<String>,
    /// The setting that the help is about.
    pub setting: Option<Setting>,
    /// Edits that fix it.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error that Pulumi's own binder reports too.
    pub fn error(code: Code, primary: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            origin: Origin::Reference,
            primary,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
            setting: None,
            fixes: Vec::new(),
        }
    }

    /// A bug in `pcl` itself.
    pub fn bug(primary: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Bug, ..Self::error(Code::Internal, primary, message) }
    }

    /// A warning that Pulumi's own binder gives too.
    pub fn warning(code: Code, primary: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, primary, message) }
    }

    /// Marks a check that goes beyond Pulumi's.
    #[must_use]
    pub fn ours(mut self) -> Self {
        self.origin = Origin::Ours;
        self
    }

    /// The same diagnostic with another severity, as set by `--warn` and `--error`.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Adds a rule or fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Says what to do. A later call replaces an earlier one.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Names the setting that the help is about.
    #[must_use]
    pub fn setting(mut self, setting: Setting) -> Self {
        self.setting = Some(setting);
        self
    }

    /// Adds edits that fix it, if there are any.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fixes.extend(fix.into());
        self
    }

    /// Returns true if a part of the text could not be read.
    pub fn is_syntax_error(&self) -> bool {
        self.severity == Severity::Error && self.code.is_syntax()
    }

    /// Returns true if the diagnostic makes the program invalid.
    pub const fn is_error(&self) -> bool {
        !matches!(self.severity, Severity::Warning)
    }
}

/// Puts diagnostics in the order of the text: by file, offset, then as they were found.
///
/// The sort is stable, so that of two diagnostics at one place the cause stays before its
/// consequence.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|d| (d.primary.file, d.primary.range.start()));
}

/// A setting of a run under which a diagnostic would not be reported, or a list that says more.
///
/// The library knows settings, not the flags of a command. A front end that has flags replaces the
/// help of the diagnostic by one that names them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Setting {
    /// The places where schemas are looked up. The help for an unknown package names it between its
    /// first backquotes, as `NAME` or `NAME@VERSION`.
    SchemaPlaces,
    /// The schemas that plugins make of parameters.
    Parameterization,
    /// The places where schemas are looked up, and the treatment of packages without a schema.
    MissingSchema,
    /// The permission to start installed plugins.
    RunPlugins,
    /// The address of the loader service.
    LoaderAddress,
    /// The search for programs below a directory.
    Recursive,
    /// The list of the functions of the language.
    Functions,
    /// The check of all files of a program together.
    WholeProgram,
    /// The members of packages. The help calls one "the schema of `TOKEN`".
    Member,
    /// The lists of the members of packages. The help calls one "the schema of package `NAME`".
    Package,
    /// The search for members of packages. The help names a word and a package, in this order,
    /// between its first backquotes.
    Search,
    /// The reference of the language. The help calls a part of it "the page of `NAME`".
    Reference,
}
