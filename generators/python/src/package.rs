//! Packages: their names on PyPI and in code, and the places of their members.

use std::collections::BTreeMap;

use pcl::document::language::{Python, python_name};
use pcl::document::{Document, MemberIndex, PackageSchema};

use crate::names::{class, enum_member};
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

/// A package that is installed from PyPI.
pub(crate) struct Installed {
    /// Its name on PyPI.
    pub name: String,
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
            name: self.named(&package.name, Python::distribution_of),
            version: package.version.as_ref().map(ToString::to_string),
        })
    }

    /// The name of the Python module of a package.
    pub fn module(&self, package: &str) -> String {
        self.named(package, Python::name_of)
    }

    fn named(&self, package: &str, name: fn(&Python, &str, Option<&str>) -> String) -> String {
        match self.schemas.get(package) {
            Some(schema) => name(&schema.python(), package, schema.namespace.as_deref()),
            None => name(&Python::default(), package, None),
        }
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
            _ => self.path(member, package, module, &class(name)),
        })
    }

    /// A function, by the member of its schema and the token in the form that programs use.
    pub fn function(&self, member: Option<MemberIndex>, token: &str) -> Option<Path> {
        let (package, module, name) = token_parts(token)?;
        let name = python_name(&class(name));
        Some(self.path(member, package, module, &name))
    }

    /// The class of an object type of inputs.
    pub fn arguments(&self, member: MemberIndex) -> Path {
        let own = self.document.member(member);
        let name = class(&own.name) + "Args";
        self.path(Some(member), &own.package, &own.module, &name)
    }

    /// Returns true if the SDK names the classes of all inputs alike, also those of functions.
    pub fn has_regular_classes(&self, member: MemberIndex) -> bool {
        let schema = self.document.schema(self.document.member(member).schema);
        let compatibility = &schema.python().compatibility;
        matches!(compatibility.as_deref(), Some("tfbridge20" | "kubernetes20"))
    }

    /// Returns true if the SDK has classes for inputs, and no types of dicts.
    pub fn has_classes_alone(&self, member: MemberIndex) -> bool {
        let schema = self.document.schema(self.document.member(member).schema);
        schema.python().input_types.as_deref() == Some("classes")
    }

    /// A value of an enumeration; `None` if it has no name of its own.
    pub fn enum_member(&self, enumeration: MemberIndex, value: &str) -> Option<Path> {
        let own = self.document.member(enumeration);
        let ty = class(&own.name);
        let name = enum_member(value, &ty)?;
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
        let mut names: Vec<String> = Vec::new();
        if !module.is_empty() && module != "index" && package != BUILT_IN {
            let python = schema.map(PackageSchema::python).unwrap_or_default();
            let parts = python.module_of(module);
            names.extend(parts.split('.').filter(|part| !part.is_empty()).map(str::to_owned));
        }
        names.push(name.to_owned());
        Path { package: (package != BUILT_IN).then(|| package.to_owned()), names }
    }
}
