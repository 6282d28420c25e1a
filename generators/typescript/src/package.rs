//! Packages: their names on npm and in code, and the places of their members.

use pcl::syntax::capitalized;
use std::collections::BTreeMap;

use pcl::document::{Document, MemberIndex, PackageSchema};

use crate::names::{camel, identifier, unhyphenated};
use pcl_codegen::token_parts;

/// The package that Pulumi itself provides.
pub(crate) const BUILT_IN: &str = "pulumi";

/// A member of a package in code, such as `aws.s3.Bucket`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    /// The package; `None` for Pulumi's own.
    pub package: Option<String>,
    /// The modules and the name.
    pub names: Vec<String>,
}

/// A package that is installed from npm.
pub(crate) struct Installed {
    /// Its name on npm.
    pub npm_name: String,
    /// Its version, when known.
    pub version: Option<String>,
}

/// The packages of a document.
pub(crate) struct Packages<'d> {
    document: &'d Document,
    /// The schemas of packages by their names; of several versions of one, that of the program.
    schemas: BTreeMap<&'d str, &'d PackageSchema>,
}

impl<'d> Packages<'d> {
    pub fn new(document: &'d Document) -> Self {
        let packages = document.packages.iter();
        Self {
            document,
            schemas: packages
                .map(|package| (package.name.as_str(), document.schema(package.schema)))
                .collect(),
        }
    }

    /// The packages that the program needs.
    pub fn installed(&self) -> impl Iterator<Item = Installed> {
        let packages = self.document.packages.iter();
        let packages = packages.filter(|package| package.name != BUILT_IN);
        packages.map(|package| Installed {
            npm_name: self.npm_name(&package.name),
            version: package.version.as_ref().map(ToString::to_string),
        })
    }

    /// The package's name on npm.
    pub fn npm_name(&self, package: &str) -> String {
        let schema = self.schemas.get(package);
        let name = schema.map(|schema| {
            let namespace = schema.namespace.as_deref();
            schema.nodejs().name_of(&schema.name, namespace)
        });
        let name = name.filter(|name| !name.is_empty());
        name.unwrap_or_else(|| format!("@pulumi/{package}"))
    }

    /// Returns true if the schema of the package of a token is known.
    pub fn knows(&self, token: &str) -> bool {
        token_parts(token).is_some_and(|(package, ..)| self.schemas.contains_key(package))
    }

    /// The class of a resource.
    pub fn resource(&self, member: Option<MemberIndex>, token: &str) -> Option<Path> {
        let (package, module, name) = token_parts(token)?;
        Some(match (package, module) {
            (BUILT_IN, "providers") => self.path(None, name, "", "Provider"),
            _ => self.path(member, package, module, &capitalized(&unhyphenated(name))),
        })
    }

    /// A function, by the member of its schema and the token in the form that programs use.
    pub fn function(&self, member: Option<MemberIndex>, token: &str) -> Option<Path> {
        let (package, module, name) = token_parts(token)?;
        Some(self.path(member, package, module, &camel(&unhyphenated(name))))
    }

    /// A value of an enumeration; `None` if it has no name of its own.
    pub fn enum_member(&self, enumeration: MemberIndex, value: &str) -> Option<Path> {
        let own = self.document.member(enumeration);
        let ty = capitalized(&own.name);
        // The names of single characters are written out in ways that only the SDK knows.
        value.chars().nth(1)?;
        let mut name = identifier(&capitalized(value));
        while name.contains("__") {
            name = name.replace("__", "_");
        }
        if name.starts_with('_') {
            name.insert_str(0, &ty);
        }
        let mut path = self.path(Some(enumeration), &own.package, &own.module, &ty);
        path.names.push(name);
        Some(path)
    }

    fn path(&self, member: Option<MemberIndex>, package: &str, module: &str, name: &str) -> Path {
        let schema = match member {
            Some(member) => Some(self.document.schema(self.document.member(member).schema)),
            None => self.schemas.get(package).copied(),
        };
        let module = match member {
            Some(member) => self.document.member(member).module.as_str(),
            None => module,
        };
        let nodejs = schema.map(PackageSchema::nodejs);
        let renamed = nodejs.as_ref().and_then(|nodejs| nodejs.module_to_package.get(module));
        let module = renamed.map_or(module, String::as_str).to_lowercase();
        let mut names: Vec<String> = Vec::new();
        if !module.is_empty() && module != "index" && package != BUILT_IN {
            names.extend(module.split(['/', '.']).map(identifier));
        }
        names.push(name.to_owned());
        Path { package: (package != BUILT_IN).then(|| package.to_owned()), names }
    }
}
