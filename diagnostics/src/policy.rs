//! The severity of each diagnostic: one table of what an option allows, raises or hides.
//!
//! A rule reports a diagnostic with its default severity and origin. The
//! [`Reporter`](crate::Reporter) asks the [`Policy`] once, when the diagnostic is reported, for its
//! severity under the options of the run.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::catalogue::Code;
use crate::diagnostic::{Diagnostic, Origin, Severity};

/// The treatment of a package whose schema cannot be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MissingSchema {
    /// An error on the token that names the package.
    #[default]
    Error,
    /// A warning there; the members of the package are dynamic.
    Warn,
    /// No diagnostic; the members of the package are dynamic.
    Ignore,
}

/// The five leniencies of Pulumi's binder. The default is strict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Leniency {
    /// A reference to an undefined variable is a warning, its type dynamic.
    pub missing_variables: bool,
    /// Every property of every schema type is optional.
    pub missing_properties: bool,
    /// Unknown packages and resource types are accepted, wrong attributes are warnings.
    pub resource_types: bool,
    /// Unknown functions are accepted.
    pub invoke_types: bool,
    /// Iterating over a value that is not a collection is a warning.
    pub range_types: bool,
}

impl Leniency {
    /// All five leniencies.
    pub const ALL: Self = Self {
        missing_variables: true,
        missing_properties: true,
        resource_types: true,
        invoke_types: true,
        range_types: true,
    };
}

/// The binder whose verdict is emulated. It changes which diagnostics are reported, never the
/// model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Compat {
    /// Ours: every check.
    #[default]
    None,
    /// That of Pulumi's own binder: checks that go beyond it are off.
    Pulumi,
}

/// The note on a syntax error that a level or a comment is to hide: a program with parts that could
/// not be read would be taken for a whole one.
pub(crate) const SYNTAX: &str = "a syntax error cannot be ignored";

/// The treatment of the diagnostics of one code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// They are errors.
    Error,
    /// They are warnings.
    Warn,
    /// They are not reported.
    Ignore,
}

impl Level {
    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Ignore => "ignore",
        }
    }
}

/// The levels chosen for single codes. A bug of `pcl` itself is always reported as such, and a
/// syntax error always as an error.
#[derive(Clone, Default, Debug)]
pub struct Levels(BTreeMap<Code, Level>);

impl Levels {
    /// Chooses the level of a code; a later choice replaces an earlier one.
    pub fn set(&mut self, code: Code, level: Level) {
        self.0.insert(code, level);
    }

    /// Gives a code its own level again.
    pub fn clear(&mut self, code: Code) {
        self.0.remove(&code);
    }

    /// The level chosen for a code.
    pub fn get(&self, code: Code) -> Option<Level> {
        self.0.get(&code).copied()
    }
}

/// The levels in single files, where they are not those of the whole program.
pub trait FileLevels: fmt::Debug + Send + Sync {
    /// The levels in a file, by the path that its source map shows.
    fn levels_in(&self, path: &str) -> Levels;

    /// Returns true if a lint runs in some file.
    fn runs_somewhere(&self, lint: Code) -> bool;
}

/// The subject of a diagnostic, where an option may excuse what is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matter {
    /// A name refers to no variable.
    Variable,
    /// A value that is looped over or indexed is not a collection.
    Collection,
    /// The type of an argument is not known, where Pulumi wants to know it.
    DynamicArgument,
    /// A resource has no such output.
    ResourceOutput,
    /// The package of a resource does not load.
    ResourcePackage,
    /// A package has no such resource, or the resource cannot be read.
    ResourceType,
    /// An attribute of a resource is unknown, missing or of the wrong type.
    ResourceInput,
    /// An expression in the body of a resource is wrong.
    ResourceBody,
    /// An input of a component is of the wrong type.
    ComponentInput,
    /// A `range` is not a collection.
    Range,
    /// The package of a function does not load.
    InvokePackage,
    /// A package has no such function, or the function cannot be read.
    InvokeFunction,
    /// A package that the schema of another one refers to does not load.
    SchemaPackage,
}

/// The diagnostics that a row of the table applies to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Subject {
    Matter(Matter),
    Code(Code),
    Origin(Origin),
}

/// The effect of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// The diagnostic is a warning at most.
    Warning,
    /// The diagnostic is a warning at most, and Pulumi's binder does not report it.
    WarningOfOurs,
    /// The diagnostic is an error.
    Error,
    /// The diagnostic is not reported.
    Hidden,
}

struct Row {
    subject: Subject,
    applies: fn(&Policy) -> bool,
    effect: Effect,
}

const fn excuse(matter: Matter, applies: fn(&Policy) -> bool, effect: Effect) -> Row {
    Row { subject: Subject::Matter(matter), applies, effect }
}

/// The table. Of several rows with one subject, the first that applies counts. A diagnostic without
/// a row has its own severity.
static TABLE: [Row; 21] = [
    excuse(Matter::Variable, |policy| policy.leniency.missing_variables, Effect::Warning),
    excuse(Matter::Collection, lenient_ranges, Effect::Warning),
    excuse(Matter::DynamicArgument, |policy| !is_pulumi(policy), Effect::Hidden),
    excuse(Matter::Range, lenient_ranges, Effect::Warning),
    excuse(Matter::ResourceOutput, lenient_resources, Effect::Hidden),
    excuse(Matter::ResourcePackage, ignores_missing, Effect::Hidden),
    excuse(Matter::ResourcePackage, warns_of_missing, Effect::Warning),
    excuse(Matter::ResourcePackage, lenient_resources, Effect::Warning),
    excuse(Matter::ResourceType, lenient_resources, Effect::WarningOfOurs),
    excuse(Matter::ResourceInput, lenient_resources, Effect::Warning),
    excuse(Matter::ResourceBody, lenient_resources, Effect::Warning),
    excuse(Matter::ComponentInput, lenient_resources, Effect::Warning),
    excuse(Matter::InvokePackage, lenient_invokes, Effect::Hidden),
    excuse(Matter::InvokePackage, ignores_missing, Effect::Hidden),
    excuse(Matter::InvokePackage, warns_of_missing, Effect::Warning),
    excuse(Matter::InvokePackage, lenient_resources, Effect::Warning),
    excuse(Matter::InvokeFunction, lenient_invokes, Effect::Hidden),
    excuse(Matter::SchemaPackage, ignores_missing, Effect::Hidden),
    excuse(Matter::SchemaPackage, warns_of_missing, Effect::Warning),
    // We accept the file with a warning.
    Row {
        subject: Subject::Code(Code::HeredocNoFinalNewline),
        applies: is_pulumi,
        effect: Effect::Error,
    },
    Row { subject: Subject::Origin(Origin::Ours), applies: is_pulumi, effect: Effect::Hidden },
];

fn ignores_missing(policy: &Policy) -> bool {
    policy.missing_schema == MissingSchema::Ignore
}

fn warns_of_missing(policy: &Policy) -> bool {
    policy.missing_schema == MissingSchema::Warn
}

fn lenient_resources(policy: &Policy) -> bool {
    policy.leniency.resource_types
}

fn lenient_invokes(policy: &Policy) -> bool {
    policy.leniency.invoke_types
}

fn lenient_ranges(policy: &Policy) -> bool {
    policy.leniency.range_types
}

fn is_pulumi(policy: &Policy) -> bool {
    policy.compat == Compat::Pulumi
}

/// The options that decide the severity of diagnostics. The default reports every diagnostic with
/// its own severity.
#[derive(Clone, Default, Debug)]
pub struct Policy {
    /// The leniencies.
    pub leniency: Leniency,
    /// The treatment of packages without a schema.
    pub missing_schema: MissingSchema,
    /// The binder whose verdict is emulated.
    pub compat: Compat,
    /// The levels of single codes.
    pub levels: Levels,
    /// The levels of single codes in the files of programs, if some have their own. They replace
    /// `levels` there.
    pub files: Option<Arc<dyn FileLevels>>,
}

impl Policy {
    /// Returns whether a matter is less than an error. Then what it concerns has a dynamic type,
    /// not the error type.
    pub fn excuses(&self, matter: Matter) -> bool {
        self.effect(Subject::Matter(matter)).is_some()
    }

    fn effect(&self, subject: Subject) -> Option<Effect> {
        let mut rows = TABLE.iter().filter(|row| row.subject == subject);
        let row = rows.find(|row| (row.applies)(self))?;
        Some(row.effect)
    }

    /// The diagnostic as an error or warning about these matters before `--compat` and levels
    /// count.
    pub(crate) fn excused(
        &self,
        diagnostic: Diagnostic,
        matters: impl IntoIterator<Item = Matter>,
    ) -> Option<Diagnostic> {
        let subjects = matters.into_iter().map(Subject::Matter);
        self.apply(diagnostic, subjects)
    }

    /// Returns the diagnostic with the severity that `--compat` and these levels give it; `None`
    /// when they hide it.
    pub(crate) fn judge(&self, levels: &Levels, diagnostic: Diagnostic) -> Option<Diagnostic> {
        let origin = Subject::Origin(diagnostic.origin);
        let code = Subject::Code(diagnostic.code);
        // A row for the code is more specific than one for the origin.
        let subject = if self.effect(code).is_some() { code } else { origin };
        let diagnostic = self.apply(diagnostic, [subject])?;
        if diagnostic.severity == Severity::Bug {
            return Some(diagnostic);
        }
        match levels.get(diagnostic.code) {
            None => Some(diagnostic),
            Some(Level::Warn | Level::Ignore) if diagnostic.is_syntax_error() => {
                Some(diagnostic.note(SYNTAX))
            }
            Some(Level::Error) => Some(diagnostic.with_severity(Severity::Error)),
            Some(Level::Warn) => Some(diagnostic.with_severity(Severity::Warning)),
            Some(Level::Ignore) => None,
        }
    }

    fn apply(
        &self,
        mut diagnostic: Diagnostic,
        subjects: impl IntoIterator<Item = Subject>,
    ) -> Option<Diagnostic> {
        for effect in subjects.into_iter().filter_map(|it| self.effect(it)) {
            match effect {
                Effect::Hidden => return None,
                Effect::Error => diagnostic.severity = Severity::Error,
                Effect::Warning | Effect::WarningOfOurs => {
                    diagnostic.severity = diagnostic.severity.min(Severity::Warning);
                }
            }
            if effect == Effect::WarningOfOurs {
                diagnostic.origin = Origin::Ours;
            }
        }
        Some(diagnostic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileId, Span, TextRange};

    fn diagnostic(code: Code) -> Diagnostic {
        Diagnostic::error(code, Span::new(FileId(0), TextRange::empty(0)), "x")
    }

    fn judged(policy: &Policy, reported: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let judged = reported.into_iter().filter_map(|it| policy.judge(&policy.levels, it));
        judged.collect()
    }

    #[test]
    fn nothing_is_excused_unless_an_option_says_so() {
        let strict = Policy::default();
        let lenient = Policy { leniency: Leniency::ALL, ..Policy::default() };
        let pulumi = Policy { compat: Compat::Pulumi, ..Policy::default() };
        for row in &TABLE {
            // Pulumi alone refuses an argument of an unknown type.
            let policy = match row.subject {
                Subject::Matter(Matter::DynamicArgument) => &pulumi,
                _ => &strict,
            };
            assert_eq!(policy.effect(row.subject), None);
            // A leniency is about programs, not about schemas.
            if let Subject::Matter(matter) = row.subject
                && matter != Matter::SchemaPackage
            {
                assert!(lenient.excuses(matter), "{matter:?}");
            }
        }
    }

    #[test]
    fn a_missing_schema_may_be_a_warning_or_no_diagnostic() {
        for (missing_schema, effect) in
            [(MissingSchema::Warn, Effect::Warning), (MissingSchema::Ignore, Effect::Hidden)]
        {
            let policy = Policy { missing_schema, ..Policy::default() };
            for matter in [Matter::ResourcePackage, Matter::InvokePackage, Matter::SchemaPackage] {
                assert_eq!(policy.effect(Subject::Matter(matter)), Some(effect));
            }
            assert!(!policy.excuses(Matter::ResourceType));
        }
    }

    #[test]
    fn pulumi_reports_less() {
        let policy = Policy { compat: Compat::Pulumi, ..Policy::default() };
        let heredoc = diagnostic(Code::HeredocNoFinalNewline);
        let reported = vec![
            diagnostic(Code::IgnoredBlock).ours(),
            diagnostic(Code::TypeNotAssignable),
            heredoc.clone().with_severity(Severity::Warning).ours(),
        ];
        let expected = [diagnostic(Code::TypeNotAssignable), heredoc.ours()];
        assert_eq!(judged(&policy, reported), expected);
    }

    #[test]
    fn no_level_hides_a_syntax_error() {
        let mut policy = Policy::default();
        policy.levels.set(Code::ExprMissing, Level::Ignore);
        policy.levels.set(Code::BlockNewline, Level::Warn);
        policy.levels.set(Code::HeredocNoFinalNewline, Level::Ignore);
        let errors = [Code::ExprMissing, Code::BlockNewline].map(diagnostic);
        let heredoc = diagnostic(Code::HeredocNoFinalNewline).with_severity(Severity::Warning);
        let reported = errors.iter().cloned().chain([heredoc]).collect();
        let expected = errors.map(|error| error.note(SYNTAX));
        assert_eq!(judged(&policy, reported), expected);
    }

    #[test]
    fn levels_change_the_severity() {
        let mut policy = Policy::default();
        policy.levels.set(Code::IgnoredBlock, Level::Ignore);
        policy.levels.set(Code::TypeNotAssignable, Level::Error);
        policy.levels.set(Code::TypeNotAssignable, Level::Warn);
        policy.levels.set(Code::Internal, Level::Ignore);
        let bug = Diagnostic::bug(diagnostic(Code::Internal).primary, "x");
        let reported =
            vec![diagnostic(Code::IgnoredBlock), diagnostic(Code::TypeNotAssignable), bug.clone()];
        let warning = diagnostic(Code::TypeNotAssignable).with_severity(Severity::Warning);
        assert_eq!(judged(&policy, reported), [warning, bug]);
    }
}
