//! What a member leads to: mistakes in its schema, and other packages.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use pcl_diagnostics::{Code, Diagnostic, Span, enumerate};
use pcl_schema::{MemberId, Position, ProblemSeverity, Section, TypeDef};
use rustc_hash::FxHashSet;

use super::{Found, SchemaTypes};
use crate::packages::PackageIndex;

/// What is found when a member and everything that it refers to is looked at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Mistakes for which whatever uses the member is refused.
    pub errors: Vec<String>,
    /// Other packages that cannot be had, for which it is refused as well; each is named once.
    pub missing_packages: Vec<String>,
    /// Mistakes that leave the rest of the member usable.
    pub warnings: Vec<String>,
    /// The other packages whose object types the member is made of, each once, in the order in which they are met.
    pub packages: Vec<PackageIndex>,
}

impl Checked {
    /// Whether the member cannot be used.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        !self.errors.is_empty() || !self.missing_packages.is_empty()
    }
}

impl SchemaTypes {
    /// Looks at a member and at everything that its specs refer to, in other packages too. Done once per member.
    #[must_use]
    pub fn check(&self, package: PackageIndex, member: MemberId) -> Arc<Checked> {
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&(package, member)) {
            return Arc::clone(known);
        }
        let checked = Arc::new(self.walk(package, member));
        lock().insert((package, member), Arc::clone(&checked));
        checked
    }

    /// The findings about the schema of a member, on its first use in the program at `span`; on later ones only that the token is ambiguous.
    #[must_use]
    pub fn report_once(&self, found: &Found, span: Span) -> Vec<Diagnostic> {
        let checked = self.check(found.package, found.member);
        let mut findings: Vec<Diagnostic> = self.ambiguity(found, span).into_iter().collect();
        if !checked.is_refused() && checked.warnings.is_empty() {
            return findings;
        }
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if !reported.insert((found.package, found.member)) {
            return findings;
        }
        if checked.is_refused() {
            let (message, help) = match checked.errors.is_empty() {
                true => (
                    format!(
                        "`{}` cannot be checked without another package",
                        found.token
                    ),
                    "say where the schema of that package is with `--schema-dir` or `--schema`",
                ),
                false => (
                    format!("the schema of `{}` has mistakes", found.token),
                    "the package has to be mended; until then the member cannot be checked",
                ),
            };
            let finding = Diagnostic::error(Code::InvalidSchemaMember, span, message).help(help);
            findings.push(with_notes(
                finding,
                checked.errors.iter().chain(&checked.missing_packages),
            ));
        }
        if !checked.warnings.is_empty() {
            let message = format!(
                "the schema of `{}` refers to what it does not define",
                found.token
            );
            let finding = Diagnostic::warning(Code::DanglingSchemaReference, span, message)
                .help("what it leaves open is not checked");
            findings.push(with_notes(finding.ours(), checked.warnings.iter()));
        }
        findings
    }

    /// What is said of a token that fits several members of its package.
    fn ambiguity(&self, found: &Found, span: Span) -> Option<Diagnostic> {
        if found.others.is_empty() {
            return None;
        }
        let package = self.packages.package(found.package);
        let taken = package.token(found.member);
        let others = enumerate(found.others.iter().map(String::as_str));
        let message = format!(
            "`{}` could mean several members of its package",
            found.token
        );
        let finding = Diagnostic::warning(Code::AmbiguousToken, span, message)
            .note(format!("taken is `{taken}`; the others are {others}"))
            .help("write the token as the schema of the package has it");
        Some(finding.ours())
    }

    fn walk(&self, package: PackageIndex, member: MemberId) -> Checked {
        let mut checked = Checked::default();
        let mut seen = FxHashSet::default();
        let mut reported = FxHashSet::default();
        let mut missing = FxHashSet::default();
        let mut queue = VecDeque::from([(package, member)]);
        while let Some((index, member)) = queue.pop_front() {
            if !seen.insert((index, member)) {
                continue;
            }
            let package = self.packages.package(index);
            let reach = package.reach(member);
            for problem in &reach.problems {
                if reported.insert((index, problem.offset, problem.kind)) {
                    let list = match problem.severity {
                        ProblemSeverity::Error => &mut checked.errors,
                        ProblemSeverity::Warning => &mut checked.warnings,
                    };
                    // A problem says where it is by a JSON pointer.
                    list.push(match package.readable_position(problem.offset) {
                        Some(Position { line, column, .. }) => {
                            format!("{problem} (line {line}, column {column} of the schema)")
                        }
                        None => problem.to_string(),
                    });
                }
            }
            for external in &reach.external {
                let request = package.external_request(external);
                match self.packages.load(&request) {
                    Err(error) => {
                        if missing.insert(request) {
                            checked.missing_packages.push(format!(
                                "`{}` needs another package: {error}",
                                external.written
                            ));
                        }
                    }
                    Ok(other) => {
                        let schema = self.packages.package(other);
                        let (section, target) = schema.external_member(&external.target);
                        let Some(target) = target else {
                            checked.errors.push(format!(
                                "`{}` leads nowhere: package {} has no such {}",
                                external.written,
                                schema.name(),
                                section.noun()
                            ));
                            continue;
                        };
                        let is_object = section == Section::Types
                            && schema
                                .type_by_id(target)
                                .is_ok_and(|t| matches!(t.as_deref(), Some(TypeDef::Object(_))));
                        if is_object && !checked.packages.contains(&other) {
                            checked.packages.push(other);
                        }
                        queue.push_back((other, target));
                    }
                }
            }
        }
        checked
    }
}

/// Adds the first few of what may be many lines.
fn with_notes<'a>(
    mut finding: Diagnostic,
    mut lines: impl Iterator<Item = &'a String>,
) -> Diagnostic {
    const MOST: usize = 5;
    for line in lines.by_ref().take(MOST) {
        finding = finding.note(line);
    }
    match lines.count() {
        0 => finding,
        more => finding.note(format!("and {more} more")),
    }
}
