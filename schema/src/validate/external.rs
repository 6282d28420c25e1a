//! References that leave the package: whether there is what they lead to.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Check;
use crate::reference::{Target, parse};
use crate::{
    ExternalReference, Loader, MemberId, Package, PackageRequest, ProblemKind, ProblemSeverity,
};

/// The other packages of a check.
pub(super) struct Others<'d> {
    pub loader: &'d dyn Loader,
    /// Those that cannot be had, of which one reference tells.
    missing: FxHashSet<PackageRequest>,
    /// The members that were followed, by the address of their package.
    followed: FxHashSet<(usize, MemberId)>,
}

impl<'d> Others<'d> {
    pub fn new(loader: &'d dyn Loader) -> Self {
        Self {
            loader,
            missing: FxHashSet::default(),
            followed: FxHashSet::default(),
        }
    }

    /// Whether a member is followed for the first time.
    fn follows(&mut self, package: &Arc<Package>, member: MemberId) -> bool {
        self.followed
            .insert((Arc::as_ptr(package) as usize, member))
    }
}

impl Check<'_> {
    /// Checks a `$ref`, if it leaves the package. What is wrong with its form is told where types are read.
    pub(super) fn external(&mut self, path: &str, place: usize, written: &str) {
        if self.others.is_none() {
            return;
        }
        let Ok(Target::Member {
            package: Some((name, version)),
            member,
        }) = parse(written)
        else {
            return;
        };
        if !self.package.parts.is_external(name, &version) {
            return;
        }
        let reference = ExternalReference {
            package: name.into(),
            version,
            target: member.into(),
            written: written.into(),
        };
        let request = self.package.external_request(&reference);
        let Some(other) = self.other(&request, path, place) else {
            return;
        };
        let (section, member) = other.external_member(&reference.target);
        let Some(member) = member else {
            let (package, noun) = (request.to_string(), section.noun());
            let message = format!("the package {package} has no such {noun}");
            self.error(ProblemKind::DanglingType, path, place, message);
            return;
        };
        if let Some(fault) = self.follow(other, member) {
            let message = format!("this leads to what cannot be used: {fault}");
            self.error(ProblemKind::BrokenTarget, path, place, message);
        }
    }

    /// Another package; the first place that needs one that cannot be had tells why.
    pub(super) fn other(
        &mut self,
        request: &PackageRequest,
        path: &str,
        place: usize,
    ) -> Option<Arc<Package>> {
        let others = self.others.as_mut()?;
        match others.loader.load(request) {
            Ok(package) => Some(package),
            Err(error) => {
                if others.missing.insert(request.clone()) {
                    let message = format!("another package cannot be had: {error}");
                    self.error(ProblemKind::MissingPackage, path, place, message);
                }
                None
            }
        }
    }

    /// What is wrong with a member of another package, or with anything that it leads to. Told once.
    fn follow(&mut self, package: Arc<Package>, member: MemberId) -> Option<String> {
        let others = self.others.as_mut()?;
        let mut open = vec![(package, member)];
        while let Some((package, member)) = open.pop() {
            if !others.follows(&package, member) {
                continue;
            }
            let reach = package.reach(member);
            let errors = |severity| severity == ProblemSeverity::Error;
            if let Some(problem) = reach.problems.iter().find(|p| errors(p.severity)) {
                return Some(format!("package {}: {problem}", package.name()));
            }
            for reference in &reach.external {
                let written = &reference.written;
                let request = package.external_request(reference);
                let other = match others.loader.load(&request) {
                    Ok(other) => other,
                    Err(error) => return Some(format!("`{written}`: {error}")),
                };
                match other.external_member(&reference.target) {
                    (_, Some(member)) => open.push((other, member)),
                    (section, None) => {
                        let noun = section.noun();
                        return Some(format!("`{written}`: {request} has no such {noun}"));
                    }
                }
            }
        }
        None
    }
}
