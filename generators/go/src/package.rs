//! Packages: the modules of Go that have them, and the names of their members.

use std::collections::BTreeMap;

use pcl::document::language::Go;
use pcl::document::{
    Document, Enum, Member, MemberIndex, Object, ObjectRole, PackageSchema, Type, TypeIndex,
};
use pcl_codegen::token_parts;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::title;

/// The package that Pulumi itself provides.
pub(crate) const BUILT_IN: &str = "pulumi";

/// The import path of Pulumi's own package.
pub(crate) const PULUMI: &str = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";

/// A member of a package of Go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Path {
    /// The import path.
    pub import: String,
    /// The name under which it is imported, unless another import has it.
    pub alias: String,
    /// The name of the member.
    pub name: String,
}

/// The collections of a type that the SDK of its package has types for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Containers {
    pub list: bool,
    pub map: bool,
    pub pointer: bool,
}

/// A module of Go that a project needs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Required {
    pub path: String,
    /// The version with its `v`; `None` if it is not known.
    pub version: Option<String>,
}

/// The packages of a document.
pub(crate) struct Packages<'d> {
    document: &'d Document,
    /// The schemas of packages by their names; of several versions of one, that of the program.
    schemas: BTreeMap<&'d str, &'d PackageSchema>,
    /// The settings of each schema, by its name.
    settings: BTreeMap<&'d str, Go>,
    containers: FxHashMap<MemberIndex, Containers>,
    enumerations: FxHashMap<MemberIndex, &'d Enum>,
}

impl<'d> Packages<'d> {
    pub fn new(document: &'d Document) -> Self {
        let packages = document.packages.iter();
        let schemas: BTreeMap<_, _> = packages
            .map(|package| (package.name.as_str(), document.schema(package.schema)))
            .collect();
        let all = document.schemas.iter().chain(schemas.values().copied());
        let settings = all.map(|schema| (schema.name.as_str(), schema.go())).collect();
        let enumeration = |ty: &'d Type| match ty {
            Type::Enum(enumeration) => Some((enumeration.schema?, enumeration)),
            _ => None,
        };
        let enumerations = document.types.iter().filter_map(enumeration).collect();
        Self { document, schemas, settings, containers: containers(document), enumerations }
    }

    /// The modules that the program needs.
    pub fn required(&self, imports: &[String]) -> Vec<Required> {
        let mut required = Vec::new();
        for package in self.document.packages.iter().filter(|package| package.name != BUILT_IN) {
            let schema = self.document.schema(package.schema);
            let go = schema.go();
            let version = package.version.as_ref().map(|version| {
                let text = version.to_string();
                format!("v{}", text.split('+').next().unwrap_or_default())
            });
            match &go.import_path_pattern {
                // Each module of the package is a module of Go.
                Some(_) => {
                    let base = base(schema, &go);
                    let own = imports.iter().filter(|import| import.starts_with(&base));
                    required.extend(
                        own.map(|import| Required {
                            path: import.clone(),
                            version: version.clone(),
                        }),
                    );
                }
                None => required.push(Required { path: module_path(schema, &go), version }),
            }
        }
        required.sort();
        required.dedup_by(|a, b| a.path == b.path);
        required
    }

    /// Returns true if the schema of the package of a token is known.
    pub fn knows(&self, token: &str) -> bool {
        token_parts(token).is_some_and(|(package, ..)| self.schemas.contains_key(package))
    }

    /// The collections of a type that there are types for.
    pub fn containers(&self, member: MemberIndex) -> Containers {
        self.containers.get(&member).copied().unwrap_or_default()
    }

    /// The struct of a resource; `New` before its name is the function that makes one.
    pub fn resource(&self, member: Option<MemberIndex>, token: &str) -> Option<Path> {
        let (package, module, name) = token_parts(token)?;
        Some(match (package, module) {
            (BUILT_IN, "providers") => self.path(None, name, "", "Provider".to_owned()),
            _ => match member {
                Some(own) => self.ty(own, "Resource"),
                None => self.path(None, package, module, title(name)),
            },
        })
    }

    /// A function, by the member of its schema and the token in the form that programs use.
    pub fn function(&self, member: Option<MemberIndex>, token: &str) -> Option<Path> {
        let (package, module, name) = token_parts(token)?;
        let name = match member {
            Some(member) => function_name(self.document.member(member)),
            None => title(name),
        };
        Some(self.path(member, package, module, name))
    }

    /// A resource, an object type or an enumeration; with the suffix if another has its name.
    pub fn ty(&self, member: MemberIndex, suffix: &str) -> Path {
        let own = self.document.member(member);
        let name = own.name.split('/').map(title).collect::<String>();
        let suffix = if own.is_renamed_in_go { suffix } else { "" };
        self.path(Some(member), &own.package, &own.module, name + suffix)
    }

    /// The struct of an object.
    pub fn object(&self, member: MemberIndex, role: ObjectRole) -> Path {
        let own = self.document.member(member);
        match role {
            ObjectRole::FunctionInputs | ObjectRole::FunctionOutputs => {
                let is_input = role == ObjectRole::FunctionInputs;
                let suffix = if is_input { "Args" } else { "Result" };
                let name = function_name(own) + suffix;
                self.path(Some(member), &own.package, &own.module, name)
            }
            ObjectRole::Resource | ObjectRole::ResourceReference => {
                if let Some(provider) = own.token.strip_prefix("pulumi:providers:") {
                    return self.path(None, provider, "", "Provider".to_owned());
                }
                self.ty(member, "Resource")
            }
            _ => self.ty(member, "Type"),
        }
    }

    /// The enumeration that is a member of a schema.
    pub fn enumeration(&self, member: MemberIndex) -> Option<&'d Enum> {
        self.enumerations.get(&member).copied()
    }

    /// The settings of a package for Go.
    pub fn settings(&self, package: &str) -> Option<&Go> {
        self.settings.get(package)
    }

    fn path(&self, member: Option<MemberIndex>, package: &str, module: &str, name: String) -> Path {
        if package == BUILT_IN {
            return Path { import: PULUMI.to_owned(), alias: BUILT_IN.to_owned(), name };
        }
        // The project has one version of a package.
        let own = member.map(|member| self.document.schema(self.document.member(member).schema));
        let schema = self.schemas.get(package).copied().or(own);
        let module = match member {
            Some(member) => self.document.member(member).module.as_str(),
            None => module,
        };
        let default = Go::default();
        let go = schema.and_then(|schema| self.settings(&schema.name)).unwrap_or(&default);
        let base = match schema {
            Some(schema) => base(schema, go),
            None => format!("github.com/pulumi/pulumi-{package}/sdk/go/{package}"),
        };
        let module = if module == "index" { "" } else { module };
        let module = go.module_to_package.get(module).map_or(module, String::as_str).to_lowercase();
        let import = match &go.import_path_pattern {
            _ if module.is_empty() => base,
            Some(pattern) => {
                pattern.replace("{module}", &module).replace("{baseImportPath}", &base)
            }
            None => format!("{base}/{module}"),
        };
        let alias = match go.package_import_aliases.get(&import) {
            Some(alias) => alias.clone(),
            None if module.is_empty() => match &go.root_package_name {
                Some(name) => name.clone(),
                None => import.rsplit('/').next().unwrap_or_default().to_owned(),
            },
            None => module.rsplit('/').next().unwrap_or_default().to_owned(),
        };
        let alias = alias.replace('-', "");
        Path { import, alias, name }
    }
}

/// The name of a function, which is another one where another member has its name.
fn function_name(member: &Member) -> String {
    let name = match member.token.strip_prefix("pulumi:providers:") {
        // It is a method of a provider.
        Some(_) => {
            let method = member.name.split_once('/').map_or("", |(_, method)| method);
            format!("Provider{}", title(method))
        }
        None => member.name.split('/').map(title).collect(),
    };
    if !member.is_renamed_in_go {
        return name;
    }
    match (name.strip_prefix("Get"), name.strip_prefix("New")) {
        (Some(rest), _) => format!("Lookup{rest}"),
        (_, Some(rest)) => format!("Create{rest}"),
        _ => name,
    }
}

/// The part of paths for a major version.
fn version_path(schema: &PackageSchema) -> String {
    match &schema.version {
        Some(version) if version.major > 1 => format!("/v{}", version.major),
        _ => String::new(),
    }
}

/// The path of the repository, as imports have it.
fn root(schema: &PackageSchema) -> String {
    let repository = schema.repository.as_deref().and_then(|address| {
        let (_, path) = address.split_once("://")?;
        Some(path.trim_end_matches('/').to_owned())
    });
    match (repository, &schema.namespace) {
        (Some(path), _) => path,
        (None, Some(namespace)) => format!("github.com/{namespace}/pulumi-{}", schema.name),
        (None, None) => format!("example.com/pulumi-{}", schema.name),
    }
}

/// The import path of the root package.
fn base(schema: &PackageSchema, go: &Go) -> String {
    if let Some(base) = &go.import_base_path {
        return base.clone();
    }
    let (root, version, name) = (root(schema), version_path(schema), &schema.name);
    if schema.supports_pack {
        return format!("{root}/sdk/go{version}/{}", name.replace('-', ""));
    }
    format!("{root}/sdk{version}/go/{name}")
}

/// The path of the module of Go that has the package.
fn module_path(schema: &PackageSchema, go: &Go) -> String {
    if let Some(path) = &go.module_path {
        return path.clone();
    }
    let Some(base) = &go.import_base_path else {
        let (root, version) = (root(schema), version_path(schema));
        let go = if schema.supports_pack { "/go" } else { "" };
        return format!("{root}/sdk{go}{version}");
    };
    match base.split_once("/go/") {
        Some((module, _)) if !schema.supports_pack && !base.contains("/sdks/") => module.to_owned(),
        _ => base.rsplit_once('/').map_or_else(|| base.clone(), |(above, _)| above.to_owned()),
    }
}

/// The collections of types that schemas have.
fn containers(document: &Document) -> FxHashMap<MemberIndex, Containers> {
    let mut found: FxHashMap<MemberIndex, Containers> = FxHashMap::default();
    let mut known = FxHashSet::default();
    let named = |ty: TypeIndex| -> Vec<MemberIndex> {
        let mut members = Vec::new();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match document.ty(ty) {
                Type::Union(_) => open.extend(document.members(ty).iter()),
                Type::Output { element } | Type::Promise { element } => open.push(*element),
                Type::Object(Object { schema: Some(schema), .. }) => members.push(schema.member),
                Type::Enum(enumeration) => members.extend(enumeration.schema),
                _ => {}
            }
        }
        members
    };
    for ty in &document.types {
        let Type::Object(object) = ty else { continue };
        if object.schema.is_none() {
            continue;
        }
        for property in &object.properties {
            let is_optional = pcl_codegen::types::may_be_null(document, property.ty);
            let mut open = vec![property.ty];
            if is_optional {
                for member in named(property.ty) {
                    found.entry(member).or_default().pointer = true;
                }
            }
            while let Some(ty) = open.pop() {
                if !known.insert(ty) {
                    continue;
                }
                match document.ty(ty) {
                    Type::Union(_) => open.extend(document.members(ty).iter()),
                    Type::Output { element } | Type::Promise { element } => open.push(*element),
                    Type::List { element } | Type::Set { element } => {
                        open.push(*element);
                        for member in named(*element) {
                            found.entry(member).or_default().list = true;
                        }
                    }
                    Type::Map { element } => {
                        open.push(*element);
                        for member in named(*element) {
                            found.entry(member).or_default().map = true;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    found
}
