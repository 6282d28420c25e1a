//! Packages: the packages of Java that have them, and the names of their members.

use std::collections::BTreeMap;

use pcl::document::language::Java;
use pcl::document::{Document, Enum, MemberIndex, ObjectRole, PackageSchema, Type};
use pcl_codegen::token_parts;
use rustc_hash::FxHashMap;

use crate::names::{identifier, sdk_class, sdk_function};

/// The package that Pulumi itself provides.
pub(crate) const BUILT_IN: &str = "pulumi";

/// A Maven package that a project needs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Required {
    pub group: String,
    pub artifact: String,
    pub version: String,
}

/// The packages of a document.
pub(crate) struct Packages<'d> {
    document: &'d Document,
    /// The schemas of packages by their names; of several versions of one, that of the program.
    schemas: BTreeMap<&'d str, &'d PackageSchema>,
    settings: BTreeMap<&'d str, Java>,
    enumerations: FxHashMap<MemberIndex, &'d Enum>,
}

impl<'d> Packages<'d> {
    pub fn new(document: &'d Document) -> Self {
        let packages = document.packages.iter();
        let schemas: BTreeMap<_, _> = packages
            .map(|package| (package.name.as_str(), document.schema(package.schema)))
            .collect();
        let all = document.schemas.iter().chain(schemas.values().copied());
        let settings = all.map(|schema| (schema.name.as_str(), schema.java())).collect();
        let enumeration = |ty: &'d Type| match ty {
            Type::Enum(enumeration) => Some((enumeration.schema?, enumeration)),
            _ => None,
        };
        let enumerations = document.types.iter().filter_map(enumeration).collect();
        Self { document, schemas, settings, enumerations }
    }

    /// The Maven packages that the program needs. One of no known version cannot be named.
    pub fn required(&self) -> Vec<Required> {
        let mut required = Vec::new();
        for package in self.document.packages.iter().filter(|package| package.name != BUILT_IN) {
            let schema = self.document.schema(package.schema);
            let Some(version) = &package.version else { continue };
            let namespace =
                schema.namespace.as_deref().map_or_else(|| BUILT_IN.to_owned(), namespace);
            required.push(Required {
                group: format!("com.{namespace}"),
                artifact: package.name.clone(),
                version: version.to_string(),
            });
        }
        required.sort();
        required.dedup_by(|a, b| a.group == b.group && a.artifact == b.artifact);
        required
    }

    /// Returns true if the schema of the package of a token is known.
    pub fn knows(&self, token: &str) -> bool {
        token_parts(token).is_some_and(|(package, ..)| self.schemas.contains_key(package))
    }

    /// The class of a resource.
    pub fn resource(&self, member: Option<MemberIndex>, token: &str) -> Option<String> {
        let (package, module, name) = token_parts(token)?;
        Some(match (package, module, member) {
            (BUILT_IN, "providers", _) => self.path(None, name, "", "", "Provider"),
            (BUILT_IN, ..) => format!("com.pulumi.resources.{}", sdk_class(name)),
            (.., Some(member)) => self.of_member(member, ""),
            (.., None) => self.path(None, package, module, "", &sdk_class(name)),
        })
    }

    fn of_member(&self, member: MemberIndex, qualifier: &str) -> String {
        let own = self.document.member(member);
        if let Some(provider) = own.token.strip_prefix("pulumi:providers:") {
            return self.path(None, provider, "", "", "Provider");
        }
        if own.package == BUILT_IN {
            return format!("com.pulumi.resources.{}", sdk_class(&own.name));
        }
        self.path(Some(member), &own.package, &own.module, qualifier, &sdk_class(&own.name))
    }

    /// The class of a function's module, and the method of the function.
    pub fn function(&self, member: MemberIndex) -> (String, String) {
        let own = self.document.member(member);
        let module = module_of(&own.module);
        let title = if module.is_empty() { own.package.as_str() } else { module };
        let class = identifier(&format!("{}Functions", pcl::syntax::capitalized(title)));
        (self.path(Some(member), &own.package, &own.module, "", &class), sdk_function(&own.name))
    }

    /// The class of the package of a function that knows the version of its plugin.
    pub fn utilities(&self, member: MemberIndex) -> String {
        let own = self.document.member(member);
        self.path(Some(member), &own.package, "", "", "Utilities")
    }

    /// The class of the inputs of a function.
    pub fn function_inputs(&self, member: MemberIndex, is_plain: bool) -> String {
        let own = self.document.member(member);
        let suffix = if is_plain { "PlainArgs" } else { "Args" };
        let name = sdk_class(&own.name) + suffix;
        self.path(Some(member), &own.package, &own.module, "inputs", &name)
    }

    /// The class of the state of a resource that is read.
    pub fn state(&self, member: MemberIndex) -> String {
        let own = self.document.member(member);
        let name = sdk_class(&own.name) + "State";
        self.path(Some(member), &own.package, &own.module, "inputs", &name)
    }

    /// The class of an object: of inputs, or of what a provider gives.
    pub fn object(&self, member: MemberIndex, role: ObjectRole, is_input: bool) -> String {
        let own = self.document.member(member);
        match role {
            ObjectRole::FunctionOutputs | ObjectRole::FunctionInputs => {
                let name = sdk_class(&own.name);
                let result = format!("{name}Result");
                let taken = self.document.members.iter().any(|other| {
                    other.package == own.package
                        && other.module == own.module
                        && sdk_class(&other.name) == result
                });
                let suffix = if taken { "InvokeResult" } else { "Result" };
                self.path(Some(member), &own.package, &own.module, "outputs", &(name + suffix))
            }
            ObjectRole::Resource | ObjectRole::ResourceReference => self.of_member(member, ""),
            _ if is_input => self.of_member(member, "inputs") + "Args",
            _ => self.of_member(member, "outputs"),
        }
    }

    /// The class of an enumeration.
    pub fn enumeration_class(&self, member: MemberIndex) -> String {
        self.of_member(member, "enums")
    }

    /// The enumeration that is a member of a schema.
    pub fn enumeration(&self, member: MemberIndex) -> Option<&'d Enum> {
        self.enumerations.get(&member).copied()
    }

    fn path(
        &self,
        member: Option<MemberIndex>,
        package: &str,
        module: &str,
        qualifier: &str,
        name: &str,
    ) -> String {
        // The project has one version of a package.
        let own = member.map(|member| self.document.schema(self.document.member(member).schema));
        let schema = self.schemas.get(package).copied().or(own);
        let default = Java::default();
        let settings =
            schema.and_then(|schema| self.settings.get(schema.name.as_str())).unwrap_or(&default);
        let base = match (&settings.base_package, schema.and_then(|it| it.namespace.as_deref())) {
            (Some(base), _) if !base.is_empty() => base.trim_end_matches('.').to_owned(),
            (_, Some(own)) => format!("com.{}", namespace(own)),
            _ => "com.pulumi".to_owned(),
        };
        let named =
            |name: &str| settings.packages.get(name).cloned().unwrap_or_else(|| name.to_owned());
        let mut path = format!("{base}.{}", named(package));
        let module = module_of(module);
        if !module.is_empty() {
            path.extend([".", &named(module)]);
        }
        if !qualifier.is_empty() {
            path.extend([".", qualifier]);
        }
        let parts: Vec<String> = path.split('.').map(identifier).collect();
        format!("{}.{name}", parts.join("."))
    }
}

fn module_of(module: &str) -> &str {
    if module == "index" { "" } else { module }
}

/// A namespace as the name of a Maven group.
fn namespace(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}
