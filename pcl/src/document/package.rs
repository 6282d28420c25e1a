//! Packages and their members: the facts that generated code and people need, beyond types.

use std::sync::Arc;

use pcl_schema::language::{Csharp, Go, Java, Languages, Nodejs, Python};
use pcl_schema::{ModuleFormat, Version};
use serde::{Deserialize, Serialize};

use crate::document::place::{MemberIndex, SchemaIndex, TypeIndex};

/// A package that a program uses.
///
/// ```
/// # use pcl::{Settings, Target, Workspace, document::*};
/// # use std::sync::Arc;
/// # use pcl::schema::MemoryLoader;
/// let mut schemas = MemoryLoader::default();
/// schemas.add(r#"{ "name": "mail", "version": "2.0.0",
///     "parameterization": { "baseProvider": { "name": "bridge", "version": "1.2.3" }, "parameter": "bWFpbA==" },
///     "resources": { "mail:index:Box": {} } }"#)?;
/// let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
/// let program = Target::text("main.pp", "resource box \"mail:index:Box\" {}\n");
/// let document = workspace.check(&program).document();
/// let mail = &document.packages[0];
/// assert_eq!((mail.name.as_str(), mail.version.as_ref().unwrap().major), ("mail", 2));
/// let plugin = mail.parameterization.as_ref().unwrap();
/// assert_eq!((plugin.plugin.as_str(), plugin.parameter.as_str()), ("bridge", "bWFpbA=="));
/// # Ok::<(), pcl::schema::DocumentError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Package {
    /// The package's name.
    pub name: String,
    /// Its version, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The server of its plugin, if the program names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download_url: Option<String>,
    /// The plugin that makes the package of a parameter; of other packages the plugin is that of
    /// their name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameterization: Option<Parameterization>,
    /// The schema of the package, with the settings for its SDKs.
    pub schema: SchemaIndex,
}

/// The plugin behind a parameterized package.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parameterization {
    /// The plugin's name.
    pub plugin: String,
    /// The plugin's version, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The parameter in base64; meaningful to the plugin alone.
    pub parameter: String,
    /// True if the package extends that of the plugin rather than replacing it.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub extends: bool,
}

/// The schema of a package that the program uses or that types of used packages lead to.
///
/// ```
/// # use pcl::{Settings, Target, Workspace, document::*};
/// # use std::sync::Arc;
/// # use pcl::schema::MemoryLoader;
/// let mut schemas = MemoryLoader::default();
/// schemas.add(r#"{ "name": "zoo", "version": "1.0.0", "displayName": "The Zoo", "namespace": "ark",
///     "meta": { "moduleFormat": "(.*)(?:/[^/]*)" },
///     "language": { "nodejs": { "moduleToPackage": { "cats": "felines" } } },
///     "resources": { "zoo:cats/lion:Lion": {} } }"#)?;
/// let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
/// let program = Target::text("main.pp", "resource leo \"zoo:cats:Lion\" {}\n");
/// let document = workspace.check(&program).document();
///
/// let lion = document.resource_schema(&document.main.nodes[0]).unwrap();
/// let lion = document.member(lion.member);
/// assert_eq!((lion.token.as_str(), lion.canonical.as_str()), ("zoo:cats/lion:Lion", "zoo:cats:Lion"));
/// assert_eq!((lion.module.as_str(), lion.name.as_str()), ("cats", "Lion"));
///
/// let zoo = document.schema(lion.schema);
/// assert_eq!(zoo.display_name.as_deref(), Some("The Zoo"));
/// let nodejs = zoo.nodejs();
/// assert_eq!(nodejs.name_of(&zoo.name, zoo.namespace.as_deref()), "@ark/zoo");
/// assert_eq!(nodejs.module_to_package[&lion.module], "felines");
/// # Ok::<(), pcl::schema::DocumentError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PackageSchema {
    /// The package's name.
    pub name: String,
    /// Its version, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The namespace, which is part of the names of its SDKs; without one they belong to Pulumi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// The address of its repository, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// True if Pulumi can pack its SDKs, which changes the places of their modules.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub supports_pack: bool,
    /// The server of its plugin, if it is not Pulumi's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plugin_download_url: Option<String>,
    /// The regular expression whose group 1 is the module of a token.
    pub module_format: String,
    /// The description, in Markdown; only [on request](super::DocumentOptions::descriptions).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The settings for its SDKs, by language, as the schema has them.
    #[serde(default, skip_serializing_if = "Languages::is_empty")]
    pub language: Languages,
}

impl PackageSchema {
    /// A schema of no document.
    pub(super) const NONE: Self = Self {
        name: String::new(),
        version: None,
        display_name: None,
        namespace: None,
        repository: None,
        supports_pack: false,
        plugin_download_url: None,
        module_format: String::new(),
        description: None,
        language: Languages::NONE,
    };

    /// The settings for Node.js.
    pub fn nodejs(&self) -> Arc<Nodejs> {
        self.language.nodejs()
    }

    /// The settings for Python.
    pub fn python(&self) -> Arc<Python> {
        self.language.python()
    }

    /// The settings for Go.
    pub fn go(&self) -> Go {
        self.language.go()
    }

    /// The settings for C# and the other languages of .NET.
    pub fn csharp(&self) -> Csharp {
        self.language.csharp()
    }

    /// The settings for Java.
    pub fn java(&self) -> Java {
        self.language.java()
    }

    /// The rule that makes modules of tokens. [`Member::module`] has what it makes of a member.
    pub fn module_format(&self) -> ModuleFormat {
        ModuleFormat::parse(&self.module_format).unwrap_or_default()
    }
}

/// A member of a package: a resource, a function, or a type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Member {
    /// The schema that it is a member of.
    pub schema: SchemaIndex,
    /// The package's name.
    pub package: String,
    /// The package's version, when known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The token in the schema, such as `aws:s3/bucket:Bucket`.
    pub token: String,
    /// The token in the form that programs use, such as `aws:s3:Bucket`.
    pub canonical: String,
    /// The module, such as `s3`; empty for the root module.
    pub module: String,
    /// The last part of the token, such as `Bucket`.
    pub name: String,
    /// The name for people, if the schema gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// True if the SDKs have an implementation of it that is written by hand.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub is_overlay: bool,
    /// True if Pulumi's SDK for Go has another member by a name that this one would have, and gives
    /// this one another name.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub is_renamed_in_go: bool,
    /// The description, in Markdown; only [on request](super::DocumentOptions::descriptions).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The settings for SDKs, by language, as the schema has them.
    #[serde(default, skip_serializing_if = "Languages::is_empty")]
    pub language: Languages,
}

impl Member {
    /// A member of no document.
    pub(super) const NONE: Self = Self {
        schema: SchemaIndex(u32::MAX),
        package: String::new(),
        version: None,
        token: String::new(),
        canonical: String::new(),
        module: String::new(),
        name: String::new(),
        display_name: None,
        is_overlay: false,
        is_renamed_in_go: false,
        description: None,
        language: Languages::NONE,
    };
}

/// A resource in its schema.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResourceSchema {
    /// The resource.
    pub member: MemberIndex,
    /// Everything that its attributes can be.
    pub inputs: TypeIndex,
    /// The type of a reference to one resource.
    pub outputs: TypeIndex,
    /// True if it is a component, which has no id of its own.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub is_component: bool,
    /// True if it is the provider of its package.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub is_provider: bool,
    /// The names of its methods, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<String>,
    /// The text that says what to use instead; `None` if it is not deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
}
