//! The errors in the schema of a member and of everything that it refers to, in other packages too.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use pcl_diagnostics::{Code, Diagnostic, LineColumn, Setting, Span, enumerate};
use pcl_model::expression::short_token;
use pcl_schema::{MemberId, Section, TypeDef};
use rustc_hash::FxHashSet;

use super::{Found, SchemaTypes};
use crate::packages::PackageIndex;

/// The errors and packages behind a member and everything that it refers to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Errors for which every use of the member is refused.
    pub errors: Vec<String>,
    /// Other packages that could not be loaded, which make it invalid as well; each is named once.
    pub missing_packages: Vec<String>,
    /// Errors that leave the rest of the member usable.
    pub warnings: Vec<String>,
    /// The other packages whose object types the member is made of, each once, in the order in
    /// which they are met.
    pub packages: Vec<PackageIndex>,
}

impl Checked {
    /// Returns whether the member cannot be used.
    pub fn is_refused(&self) -> bool {
        !self.errors.is_empty() || !self.missing_packages.is_empty()
    }
}

impl SchemaTypes {
    /// Looks at a member and at everything that its specs refer to, in other packages too. Done
    /// once per member.
    pub fn check(&self, package: PackageIndex, member: MemberId) -> Arc<Checked> {
        let lock = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&(package, member)) {
            return Arc::clone(known);
        }
        let checked = Arc::new(self.walk(package, member));
        lock().insert((package, member), Arc::clone(&checked));
        checked
    }

    /// The diagnostics about the schema of a member, on its first use in the program at `span`; on
    /// later ones only that the token is ambiguous.
    pub fn report_once(&self, found: &Found, span: Span) -> Vec<Diagnostic> {
        let checked = self.check(found.package, found.member);
        let mut diagnostics = Vec::new();
        if !found.others.is_empty() {
            let taken = self.packages.package(found.package).token(found.member);
            diagnostics.push(ambiguous(span, &found.token, taken, &found.others));
        }
        if !checked.is_refused() && checked.warnings.is_empty() {
            return diagnostics;
        }
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if !reported.insert((found.package, found.member)) {
            return diagnostics;
        }
        if checked.is_refused() {
            diagnostics.push(if checked.errors.is_empty() {
                missing_package(span, &found.token, &checked.missing_packages)
            } else {
                let errors = checked.errors.iter().chain(&checked.missing_packages);
                schema_errors(span, &found.token, errors)
            });
        }
        if !checked.warnings.is_empty() {
            diagnostics.push(dangling(span, &found.token, &checked.warnings));
        }
        diagnostics
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
            for found in &reach.diagnostics {
                let at = found.diagnostic.primary.range.start();
                if reported.insert((index, at, found.diagnostic.code)) {
                    let list = if found.diagnostic.is_error() {
                        &mut checked.errors
                    } else {
                        &mut checked.warnings
                    };
                    // It begins with its path.
                    list.push(match package.readable_position(at) {
                        Some(LineColumn { line, column }) => {
                            format!("{found} (line {line}, column {column} of the schema)")
                        }
                        None => found.to_string(),
                    });
                }
            }
            for external in &reach.external {
                let request = package.external_request(external);
                match self.packages.load(&request) {
                    Err(error) => {
                        if missing.insert(request) {
                            let written = &external.written;
                            let needed = format!("`{written}` needs another package: {error}");
                            checked.missing_packages.push(needed);
                        }
                    }
                    Ok(other) => {
                        let schema = self.packages.package(other);
                        let (section, target) = schema.external_member(&external.target);
                        let Some(target) = target else {
                            checked.errors.push(format!(
                                "`{}` refers to a {} that package {} does not have",
                                external.written,
                                section.noun(),
                                schema.name()
                            ));
                            continue;
                        };
                        let is_object = section == Section::Types
                            && schema
                                .type_by_id(target)
                                .is_ok_and(|t| matches!(t, Some(TypeDef::Object(_))));
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

/// A member that cannot be checked without other packages.
fn missing_package(span: Span, token: &str, needed: &[String]) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` cannot be checked without another package");
    let diagnostic = Diagnostic::error(Code::InvalidSchemaMember, span, message)
        .help("add the schema of that package to the places where schemas are looked up")
        .setting(Setting::SchemaPlaces);
    with_notes(diagnostic, needed.iter())
}

/// A member whose schema has errors.
fn schema_errors<'l>(
    span: Span,
    token: &str,
    errors: impl Iterator<Item = &'l String>,
) -> Diagnostic {
    let message = format!("the schema of `{}` has errors", short_token(token));
    let diagnostic = Diagnostic::error(Code::InvalidSchemaMember, span, message).help(
        "the publisher of the package has to fix its schema; until then the member is not checked",
    );
    with_notes(diagnostic, errors)
}

/// A member whose schema refers to undefined types.
fn dangling(span: Span, token: &str, warnings: &[String]) -> Diagnostic {
    let token = short_token(token);
    let message = format!("the schema of `{token}` refers to types that it does not define");
    let diagnostic = Diagnostic::warning(Code::DanglingSchemaReference, span, message)
        .help("values of these types are not checked")
        .ours();
    with_notes(diagnostic, warnings.iter())
}

/// A token that fits several members of its package.
fn ambiguous(span: Span, token: &str, taken: &str, others: &[String]) -> Diagnostic {
    let others = enumerate(others.iter().map(String::as_str));
    let message = format!("`{token}` could mean several members of its package");
    Diagnostic::warning(Code::AmbiguousToken, span, message)
        .note(format!("`{taken}` is used; the others are {others}"))
        .help("write the token as the schema of the package has it")
        .ours()
}

/// Adds the first few of many lines.
fn with_notes<'a>(
    mut diagnostic: Diagnostic,
    mut lines: impl Iterator<Item = &'a String>,
) -> Diagnostic {
    const MOST: usize = 5;
    for line in lines.by_ref().take(MOST) {
        diagnostic = diagnostic.note(line);
    }
    match lines.count() {
        0 => diagnostic,
        more => diagnostic.note(format!("and {more} more")),
    }
}
