//! Packages: their names on npm and in code, and the places of their members.

use std::collections::BTreeMap;

use pcl::document::{Document, Package};

use crate::names::{Names, camel, identifier, title};

/// The package that Pulumi itself provides.
const BUILT_IN: &str = "pulumi";

/// The packages of a document.
pub(crate) struct Packages<'d> {
    packages: BTreeMap<&'d str, &'d Package>,
}

/// A member of a package in code, such as `aws.s3.Bucket`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    /// The package; `None` for Pulumi's own.
    pub package: Option<String>,
    /// The modules and the name.
    pub names: Vec<String>,
}

impl<'d> Packages<'d> {
    pub fn new(document: &'d Document) -> Self {
        let packages = document.packages.iter();
        Self {
            packages: packages
                .map(|package| (package.name.as_str(), package))
                .collect(),
        }
    }

    /// The packages that are installed from npm, in the order of their names.
    pub fn installed(&self) -> impl Iterator<Item = &'d Package> {
        let packages = self.packages.values().copied();
        packages.filter(|package| package.name != BUILT_IN)
    }

    /// The package's name on npm.
    pub fn npm_name(&self, package: &str) -> String {
        format!("@pulumi/{package}")
    }

    /// The name of a package in code.
    pub fn local_name(names: &mut Names, package: &str) -> String {
        names.take(&identifier(package))
    }

    /// The class of a resource, given its token in the form that programs use.
    pub fn resource(&self, token: &str) -> Option<Path> {
        let (package, module, name) = parts(token)?;
        Some(match (package, module) {
            (BUILT_IN, "providers") => self.path(name, "", "Provider"),
            _ => self.path(package, module, &title(name)),
        })
    }

    /// A function, given its token in the form that programs use.
    pub fn function(&self, token: &str) -> Option<Path> {
        let (package, module, name) = parts(token)?;
        Some(self.path(package, module, &camel(name)))
    }

    fn path(&self, package: &str, module: &str, name: &str) -> Path {
        let mut names: Vec<String> = Vec::new();
        if !module.is_empty() && module != "index" && package != BUILT_IN {
            let module = module.to_lowercase();
            names.extend(module.split(['/', '.']).map(identifier));
        }
        names.push(name.to_owned());
        Path {
            package: (package != BUILT_IN).then(|| package.to_owned()),
            names,
        }
    }
}

/// The package, module and name of a token.
fn parts(token: &str) -> Option<(&str, &str, &str)> {
    let (package, rest) = token.split_once(':')?;
    match rest.rsplit_once(':') {
        Some((module, name)) => Some((package, module, name)),
        None => Some((package, "", rest)),
    }
}
