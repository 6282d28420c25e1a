//! The errors in the schema of a member and of everything that it refers to, in other packages too.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use pcl_diagnostics::{Diagnostic, LineColumn, Span};
use pcl_schema::{MemberId, Section, TypeDef};
use rustc_hash::FxHashSet;

use super::{Found, SchemaTypes};
use crate::messages;
use crate::messages::schema;
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
    #[must_use]
    pub fn is_refused(&self) -> bool {
        !self.errors.is_empty() || !self.missing_packages.is_empty()
    }
}

impl SchemaTypes {
    /// Looks at a member and at everything that its specs refer to, in other packages too. Done
    /// once per member.
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

    /// The diagnostics about the schema of a member, on its first use in the program at `span`; on
    /// later ones only that the token is ambiguous.
    #[must_use]
    pub fn report_once(&self, found: &Found, span: Span) -> Vec<Diagnostic> {
        let checked = self.check(found.package, found.member);
        let mut diagnostics: Vec<Diagnostic> = self.ambiguity(found, span).into_iter().collect();
        if !checked.is_refused() && checked.warnings.is_empty() {
            return diagnostics;
        }
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if !reported.insert((found.package, found.member)) {
            return diagnostics;
        }
        if checked.is_refused() {
            diagnostics.push(if checked.errors.is_empty() {
                schema::missing_package(span, &found.token, &checked.missing_packages)
            } else {
                let errors = checked.errors.iter().chain(&checked.missing_packages);
                schema::errors(span, &found.token, errors)
            });
        }
        if !checked.warnings.is_empty() {
            diagnostics.push(schema::dangling(span, &found.token, &checked.warnings));
        }
        diagnostics
    }

    /// The diagnostic for a token that fits several members of its package.
    fn ambiguity(&self, found: &Found, span: Span) -> Option<Diagnostic> {
        if found.others.is_empty() {
            return None;
        }
        let package = self.packages.package(found.package);
        let taken = package.token(found.member);
        let diagnostic = schema::ambiguous(span, &found.token, taken, &found.others);
        Some(diagnostic)
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
                            schema::positioned(found, line, column)
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
                            let needed = schema::needed_package(&external.written, &error);
                            checked.missing_packages.push(needed);
                        }
                    }
                    Ok(other) => {
                        let schema = self.packages.package(other);
                        let (section, target) = schema.external_member(&external.target);
                        let Some(target) = target else {
                            checked.errors.push(messages::schema::dangling_reference(
                                &external.written,
                                schema.name(),
                                section.noun(),
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
