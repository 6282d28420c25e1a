//! References to other packages: their packages load, and have usable members of these names.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Setting, Span};
use rustc_hash::FxHashSet;

use super::Validation;
use crate::diagnostic::DANGLING_TYPE;
use crate::reference::{Referent, parse};
use crate::{
    ExternalReference, LoadError, Loader, MemberId, Package, PackageRequest, SchemaDiagnostic,
    Section, diagnostic,
};

/// The other packages of a check.
pub(super) struct OtherPackages<'d> {
    pub loader: &'d dyn Loader,
    /// The packages that do not load, each reported once.
    missing: FxHashSet<PackageRequest>,
    /// The members that were followed, by the address of their package.
    followed: FxHashSet<(usize, MemberId)>,
}

impl<'d> OtherPackages<'d> {
    pub fn new(loader: &'d dyn Loader) -> Self {
        Self { loader, missing: FxHashSet::default(), followed: FxHashSet::default() }
    }

    /// Returns whether a member is followed for the first time.
    fn follows(&mut self, package: &Arc<Package>, member: MemberId) -> bool {
        self.followed.insert((Arc::as_ptr(package) as usize, member))
    }
}

impl Validation<'_> {
    /// Checks a `$ref`, if it leaves the package. Its form is checked where types are read.
    pub(super) fn external(&mut self, path: &str, offset: usize, written: &str) {
        if self.others.is_none() {
            return;
        }
        let Ok(Referent::Member { package: Some((name, version)), member }) = parse(written) else {
            return;
        };
        if !self.package.parts.is_external(name, &version) {
            return;
        }
        let reference = ExternalReference {
            package: name.into(),
            version,
            target: member,
            written: written.into(),
        };
        let request = self.package.external_request(&reference);
        let Some(other) = self.other(&request, path, offset) else { return };
        let (section, member) = other.external_member(&reference.target);
        let Some(member) = member else {
            self.report(path, offset, |at| unknown_in_package(at, &request, section));
            return;
        };
        if let Err(error) = self.follow(other, member) {
            self.report(path, offset, |at| broken_member(at, &error));
        }
    }

    /// Loads another package. One that does not load is reported at the first reference.
    pub(super) fn other(
        &mut self,
        request: &PackageRequest,
        path: &str,
        offset: usize,
    ) -> Option<Arc<Package>> {
        let others = self.others.as_mut()?;
        match others.loader.load(request) {
            Ok(package) => Some(package),
            Err(error) => {
                if others.missing.insert(request.clone()) {
                    self.report(path, offset, |at| unknown_package(at, &error));
                }
                None
            }
        }
    }

    /// Checks a member of another package and everything that it leads to, once.
    fn follow(&mut self, package: Arc<Package>, member: MemberId) -> Result<(), Box<BrokenMember>> {
        let Some(others) = self.others.as_mut() else { return Ok(()) };
        let mut open = vec![(package, member)];
        while let Some((package, member)) = open.pop() {
            if !others.follows(&package, member) {
                continue;
            }
            let reach = package.reach(member);
            let mut diagnostics = reach.diagnostics.iter();
            if let Some(error) = diagnostics.find(|it| it.diagnostic.is_error()) {
                return Err(Box::new(BrokenMember::Schema {
                    package: package.name().to_owned(),
                    diagnostic: error.clone(),
                }));
            }
            for reference in &reach.external {
                let written = reference.written.clone();
                let request = package.external_request(reference);
                let other = match others.loader.load(&request) {
                    Ok(other) => other,
                    Err(error) => return Err(Box::new(BrokenMember::Package { written, error })),
                };
                match other.external_member(&reference.target) {
                    (_, Some(member)) => open.push((other, member)),
                    (section, None) => {
                        return Err(Box::new(BrokenMember::UnknownMember {
                            written,
                            request,
                            section,
                        }));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Another package has no such member.
fn unknown_in_package(at: Span, request: &PackageRequest, section: Section) -> Diagnostic {
    let message = format!("the package {request} does not have this {}", section.noun());
    diagnostic::dangling(at, message, DANGLING_TYPE)
}

/// Another package does not load.
fn unknown_package(at: Span, error: &LoadError) -> Diagnostic {
    let message = format!("another package could not be loaded: {error}");
    Diagnostic::error(Code::UnknownPackage, at, message)
        .help("add its schema to a directory that is searched for schemas")
        .setting(Setting::MissingSchema)
}

/// A member of another package cannot be used.
fn broken_member(at: Span, error: &BrokenMember) -> Diagnostic {
    let message = format!("this refers to a member that cannot be used: {error}");
    Diagnostic::error(Code::InvalidSchemaMember, at, message)
        .help("report it to the publisher of the other package")
}

/// The reason why a member of another package cannot be used.
#[derive(Debug, thiserror::Error)]
enum BrokenMember {
    #[error("package {package}: {diagnostic}")]
    Schema { package: String, diagnostic: SchemaDiagnostic },
    #[error("`{written}`: {error}")]
    Package { written: Box<str>, error: LoadError },
    #[error("`{written}`: {request} does not have this {}", .section.noun())]
    UnknownMember { written: Box<str>, request: PackageRequest, section: Section },
}
