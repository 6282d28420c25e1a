//! The settings that a package has for its SDKs, by language: `language` at the top of a document.
//!
//! [`Languages`] has them as the document does, and in the form that Pulumi's generators read. A
//! setting that has another type than these generators expect counts as absent.
//!
//! ```
//! use pcl_schema::Package;
//!
//! let zoo = Package::from_bytes(r#"{ "name": "zoo", "language": {
//!     "nodejs": { "packageName": "@ark/zoo", "moduleToPackage": { "cages.v1": "cages/v1" } },
//!     "python": { "inputTypes": "classes-and-dicts", "colour": "green" } } }"#)?;
//! let languages = zoo.languages();
//! let nodejs = languages.nodejs();
//! assert_eq!(nodejs.package_name.as_deref(), Some("@ark/zoo"));
//! assert_eq!(nodejs.module_to_package["cages.v1"], "cages/v1");
//! assert_eq!(languages.python().input_types.as_deref(), Some("classes-and-dicts"));
//! assert_eq!(languages.raw("python").unwrap()["colour"], "green");
//! assert_eq!(languages.go(), Default::default());
//! # Ok::<(), pcl_schema::DocumentError>(())
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The settings for the SDKs of a package, a member or a property. Cheap to clone: those of
/// azure-native have 100,000 entries, and each document has them.
#[derive(Debug, Clone, Default)]
pub struct Languages(Option<Arc<Settings>>);

/// Settings that there are.
#[derive(Debug, Default)]
struct Settings {
    all: BTreeMap<String, Value>,
    /// The forms that generators ask for again and again.
    nodejs: OnceLock<Arc<Nodejs>>,
    python: OnceLock<Arc<Python>>,
}

impl PartialEq for Languages {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => own.all == other.all,
            (own, other) => own.is_none() && other.is_none(),
        }
    }
}

impl Serialize for Languages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(settings) => settings.all.serialize(serializer),
            None => serializer.collect_map::<&str, &Value, _>([]),
        }
    }
}

impl<'de> Deserialize<'de> for Languages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(BTreeMap::deserialize(deserializer)?))
    }
}

impl Languages {
    /// No settings.
    pub const NONE: Self = Self(None);

    fn new(all: BTreeMap<String, Value>) -> Self {
        let is_empty = all.is_empty();
        Self((!is_empty).then(|| Arc::new(Settings { all, ..Settings::default() })))
    }

    /// Returns true if there are no settings.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The settings of a `language` field. What is nested deeper than 64 levels counts as absent:
    /// the readers of documents that contain it have a limit.
    pub(crate) fn of(settings: Value) -> Self {
        let Value::Object(settings) = settings else { return Self::default() };
        let is_shallow = |(_, value): &(String, Value)| is_within(value, MAX_DEPTH);
        Self::new(settings.into_iter().filter(is_shallow).collect())
    }

    /// The settings for a language as the document has them, by the name of the language there,
    /// such as `nodejs`.
    pub fn raw(&self, language: &str) -> Option<&Value> {
        self.0.as_ref()?.all.get(language)
    }

    /// The name that a member or a property has in the SDK of a language, if it is given here.
    pub fn name_in(&self, language: &str) -> Option<&str> {
        let name = self.raw(language)?.get("name")?.as_str()?;
        (!name.is_empty()).then_some(name)
    }

    /// The settings of a package for Node.js.
    pub fn nodejs(&self) -> Arc<Nodejs> {
        let Some(settings) = &self.0 else { return Arc::default() };
        let read = || Arc::new(Nodejs::of(self.raw("nodejs")));
        Arc::clone(settings.nodejs.get_or_init(read))
    }

    /// The settings of a package for Python.
    pub fn python(&self) -> Arc<Python> {
        let Some(settings) = &self.0 else { return Arc::default() };
        let read = || Arc::new(Python::of(self.raw("python")));
        Arc::clone(settings.python.get_or_init(read))
    }

    /// The settings of a package for Go.
    pub fn go(&self) -> Go {
        Go::of(self.raw("go"))
    }

    /// The settings of a package for C# and the other languages of .NET.
    pub fn csharp(&self) -> Csharp {
        Csharp::of(self.raw("csharp"))
    }

    /// The settings of a package for Java.
    pub fn java(&self) -> Java {
        Java::of(self.raw("java"))
    }

    /// The settings of an object type for Node.js.
    pub fn nodejs_object(&self) -> NodejsObject {
        NodejsObject::of(self.raw("nodejs"))
    }

    /// The settings of a property for Python.
    pub fn python_property(&self) -> PythonProperty {
        PythonProperty::of(self.raw("python"))
    }
}

/// The deepest nesting of settings.
const MAX_DEPTH: u32 = 64;

fn is_within(value: &Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match value {
        Value::Array(parts) => parts.iter().all(|part| is_within(part, depth)),
        Value::Object(parts) => parts.values().all(|part| is_within(part, depth)),
        _ => true,
    }
}

/// A setting of some type.
trait Setting: Sized {
    fn read(value: &Value) -> Option<Self>;
}

/// An empty text is no setting.
impl Setting for Option<String> {
    fn read(value: &Value) -> Option<Self> {
        let text = value.as_str().filter(|text| !text.is_empty())?;
        Some(Some(text.to_owned()))
    }
}

impl Setting for bool {
    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Setting for Option<bool> {
    fn read(value: &Value) -> Option<Self> {
        value.as_bool().map(Some)
    }
}

impl Setting for Option<u64> {
    fn read(value: &Value) -> Option<Self> {
        value.as_u64().map(Some)
    }
}

impl Setting for Vec<String> {
    fn read(value: &Value) -> Option<Self> {
        let texts = value.as_array()?.iter();
        texts.map(|text| Some(text.as_str()?.to_owned())).collect()
    }
}

impl Setting for Option<Vec<String>> {
    fn read(value: &Value) -> Option<Self> {
        Vec::read(value).map(Some)
    }
}

impl Setting for BTreeMap<String, String> {
    fn read(value: &Value) -> Option<Self> {
        let entries = value.as_object()?.iter();
        let entry = |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.into()));
        entries.map(entry).collect()
    }
}

macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $key:literal => $field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
        }

        impl $name {
            fn of(settings: Option<&Value>) -> Self {
                Self {
                    $($field: settings
                        .and_then(|settings| settings.get($key))
                        .and_then(Setting::read)
                        .unwrap_or_default(),)*
                }
            }
        }
    )*};
}

type Texts = BTreeMap<String, String>;

settings! {
    /// The settings of a package for Node.js.
    Nodejs {
        /// The name of the npm package; by default see [`Nodejs::name_of`].
        "packageName" => package_name: Option<String>,
        /// The description of the npm package.
        "packageDescription" => package_description: Option<String>,
        /// The text of the SDK's `README.md`.
        "readme" => readme: Option<String>,
        /// The npm packages that the SDK needs, with their version ranges.
        "dependencies" => dependencies: Texts,
        /// Those that building it needs.
        "devDependencies" => dev_dependencies: Texts,
        /// Those that must be installed beside it.
        "peerDependencies" => peer_dependencies: Texts,
        /// The version ranges that count for indirect dependencies.
        "resolutions" => resolutions: Texts,
        /// The version of TypeScript.
        "typescriptVersion" => typescript_version: Option<String>,
        /// The paths of modules, by module, where they differ.
        "moduleToPackage" => module_to_package: Texts,
        /// The older conventions that the SDK keeps to: `tfbridge20` or `kubernetes20`.
        "compatibility" => compatibility: Option<String>,
        /// Set if outputs have no union types.
        "disableUnionOutputTypes" => disable_union_output_types: bool,
        /// Set if the package has enumerations.
        "containsEnums" => contains_enums: bool,
        /// The modules of providers, by provider.
        "providerNameToModuleName" => provider_name_to_module_name: Texts,
        /// Further files that are compiled.
        "extraTypeScriptFiles" => extra_typescript_files: Vec<String>,
        /// Set if a method that returns one value returns it without an object around it.
        "liftSingleValueMethodReturns" => lift_single_value_method_returns: bool,
        /// Set if the SDK has the version of the schema.
        "respectSchemaVersion" => respect_schema_version: bool,
        /// Set if modules are imported for their types alone where possible.
        "useTypeOnlyReferences" => use_type_only_references: bool,
        /// The name of the plugin, where it is not that of the package.
        "pluginName" => plugin_name: Option<String>,
        /// The version of the plugin.
        "pluginVersion" => plugin_version: Option<String>,
    }
    /// The settings of an object type for Node.js.
    NodejsObject {
        /// The properties that the input form requires, where they are not those of the schema.
        "requiredInputs" => required_inputs: Option<Vec<String>>,
        /// The properties that the output form always has, where they are not those of the schema.
        "requiredOutputs" => required_outputs: Option<Vec<String>>,
    }
    /// The settings of a package for Python.
    Python {
        /// The name of the Python package; by default see [`Python::name_of`].
        "packageName" => package_name: Option<String>,
        /// The versions of Python.
        "pythonRequires" => python_requires: Option<String>,
        /// The Python packages that the SDK needs, with their version ranges.
        "requires" => requires: Texts,
        /// The text of the SDK's `README.md`.
        "readme" => readme: Option<String>,
        /// The paths of modules, by module, where they differ.
        "moduleNameOverrides" => module_name_overrides: Texts,
        /// The older conventions that the SDK keeps to: `tfbridge20` or `kubernetes20`.
        "compatibility" => compatibility: Option<String>,
        /// Set if nested inputs and outputs have classes, as all SDKs of today have.
        "usesIOClasses" => uses_io_classes: bool,
        /// Set if a method that returns one value returns it without an object around it.
        "liftSingleValueMethodReturns" => lift_single_value_method_returns: bool,
        /// Set if the SDK has the version of the schema.
        "respectSchemaVersion" => respect_schema_version: bool,
        /// The types of nested inputs: `classes` (the default) or `classes-and-dicts`.
        "inputTypes" => input_types: Option<String>,
    }
    /// The settings of a property for Python.
    PythonProperty {
        /// Set if the keys of a map are written in the other case.
        "mapCase" => map_case: Option<bool>,
    }
    /// The settings of a package for Go.
    Go {
        /// The import path of the root module.
        "importBasePath" => import_base_path: Option<String>,
        /// The path of the Go module, in `go.mod`.
        "modulePath" => module_path: Option<String>,
        /// The name of the root package, where it is not the last part of its path.
        "rootPackageName" => root_package_name: Option<String>,
        /// The paths of modules, by module, where they differ.
        "moduleToPackage" => module_to_package: Texts,
        /// The names that packages are imported under, by import path.
        "packageImportAliases" => package_import_aliases: Texts,
        /// The form of import paths, with `{baseImportPath}` and `{module}` in it.
        "importPathPattern" => import_path_pattern: Option<String>,
        /// Set if resources have types for lists, maps and pointers of them.
        "generateResourceContainerTypes" => generate_resource_container_types: bool,
        /// The major version of the SDK of Pulumi.
        "pulumiSDKVersion" => pulumi_sdk_version: Option<u64>,
        /// Set if functions have no form that takes and returns outputs.
        "disableFunctionOutputVersions" => disable_function_output_versions: bool,
        /// Set if a method that returns one value returns it without a struct around it.
        "liftSingleValueMethodReturns" => lift_single_value_method_returns: bool,
        /// Set if input types are not registered.
        "disableInputTypeRegistrations" => disable_input_type_registrations: bool,
        /// The name of the module for internals, where it is not `internal`.
        "internalModuleName" => internal_module_name: Option<String>,
        /// Set if objects have no functions that set defaults.
        "disableObjectDefaults" => disable_object_defaults: bool,
        /// Set if all types have input and output forms.
        "generateExtraInputTypes" => generate_extra_input_types: bool,
        /// Set if only the types that need them have input and output forms.
        "omitExtraInputTypes" => omit_extra_input_types: bool,
        /// Set if the SDK has the version of the schema.
        "respectSchemaVersion" => respect_schema_version: bool,
        /// Packages that are imported so that they stay in `go.mod`.
        "internalDependencies" => internal_dependencies: Vec<String>,
        /// The form with generics: `none` (the default), `side-by-side` or `only-generics`.
        "generics" => generics: Option<String>,
    }
    /// The settings of a package for C# and the other languages of .NET.
    Csharp {
        /// The NuGet packages that the SDK needs, with their version ranges.
        "packageReferences" => package_references: Texts,
        /// The projects that the SDK needs.
        "projectReferences" => project_references: Vec<String>,
        /// The namespaces of modules, by module, and that of the package, by its name.
        "namespaces" => namespaces: Texts,
        /// The older conventions that the SDK keeps to: `tfbridge20` or `kubernetes20`.
        "compatibility" => compatibility: Option<String>,
        /// Set if classes of inputs have constructors that take a dictionary.
        "dictionaryConstructors" => dictionary_constructors: bool,
        /// Set if a method that returns one value returns it without an object around it.
        "liftSingleValueMethodReturns" => lift_single_value_method_returns: bool,
        /// The namespace around all others, where it is not `Pulumi`.
        "rootNamespace" => root_namespace: Option<String>,
        /// Set if the SDK has the version of the schema.
        "respectSchemaVersion" => respect_schema_version: bool,
    }
    /// The settings of a package for Java.
    Java {
        /// The Java packages of modules, by module, where they differ.
        "packages" => packages: Texts,
        /// The package around all others, where it is not `com.pulumi`.
        "basePackage" => base_package: Option<String>,
        /// The files that build the SDK: `gradle` or none.
        "buildFiles" => build_files: Option<String>,
        /// The Maven packages that the SDK needs, with their versions.
        "dependencies" => dependencies: Texts,
        /// The version of the plugin of Gradle that publishes the SDK.
        "gradleNexusPublishPluginVersion" => gradle_nexus_publish_plugin_version: Option<String>,
        /// The tests that Gradle runs: `JUnitPlatform` or none.
        "gradleTest" => gradle_test: Option<String>,
    }
}

impl Nodejs {
    /// The name of the npm package: `@pulumi/NAME`, or with the package's namespace in place of
    /// `pulumi`, unless the package names another one.
    ///
    /// ```
    /// use pcl_schema::language::Nodejs;
    /// assert_eq!(Nodejs::default().name_of("aws", None), "@pulumi/aws");
    /// assert_eq!(Nodejs::default().name_of("zoo", Some("ark")), "@ark/zoo");
    /// ```
    pub fn name_of(&self, package: &str, namespace: Option<&str>) -> String {
        let namespace = namespace.unwrap_or("pulumi");
        let default = || format!("@{namespace}/{package}");
        self.package_name.clone().unwrap_or_else(default)
    }
}

/// Words that Python reserves, or reserved once, and that get an underscore behind them.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global", "if",
    "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "print", "raise", "return",
    "try", "while", "with", "yield",
];

/// Names from before a lowercase `s` belonged to the acronym in front of it.
const OLD_NAMES: &[&str] = &["openXJsonSerDe", "GetPublicIPs", "GetUptimeCheckIPs"];

/// The name of a property, parameter or function in SDKs for Python, such as `pod_cidrs` for
/// `podCIDRs`.
///
/// An acronym is one word, together with the digits or the `s` behind it. What cannot be in an
/// identifier becomes an underscore, and a keyword gets one behind it.
///
/// ```
/// use pcl_schema::language::python_name;
/// assert_eq!(python_name("podCIDRs"), "pod_cidrs");
/// assert_eq!(python_name("SHA256Hash"), "sha256_hash");
/// assert_eq!(python_name("parseXMLText"), "parse_xml_text");
/// assert_eq!(python_name("from"), "from_");
/// ```
pub fn python_name(name: &str) -> String {
    /// The characters before the current one.
    #[derive(Clone, Copy, PartialEq)]
    enum Before {
        Nothing,
        Capital,
        Capitals,
        Other,
    }
    let is_old = OLD_NAMES.contains(&name);
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = Before::Nothing;
    for character in name.chars() {
        let is_letter = character.is_alphabetic() || character == '_';
        let is_legal = is_letter || character.is_ascii_digit();
        let character = if is_legal { character } else { '_' };
        let is_capital = character.is_uppercase();
        match before {
            Before::Nothing if is_legal && !is_letter => word.push('_'),
            Before::Other if is_capital => words.push(std::mem::take(&mut word)),
            Before::Capitals if !is_capital => {
                let belongs = character.is_ascii_digit() || character == 's' && !is_old;
                if !belongs && let Some(first) = word.pop() {
                    words.push(std::mem::replace(&mut word, first.to_string()));
                }
            }
            _ => {}
        }
        word.extend(character.to_lowercase());
        before = match (is_capital, before) {
            (true, Before::Capital | Before::Capitals) => Before::Capitals,
            (true, _) => Before::Capital,
            (false, _) => Before::Other,
        };
    }
    words.push(word);
    unlike_keywords(words.join("_"))
}

/// The name of a class in SDKs for Python, such as `PodCIDRs` for `podCIDRs`: only the first letter
/// changes.
///
/// ```
/// use pcl_schema::language::python_class;
/// assert_eq!(python_class("podCIDRs"), "PodCIDRs");
/// assert_eq!(python_class("none"), "None_");
/// ```
pub fn python_class(name: &str) -> String {
    let mut letters = name.trim_start_matches('$').chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    unlike_keywords(first.chain(letters).collect())
}

fn unlike_keywords(mut name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

impl Python {
    /// The name of the Python package that programs import: `pulumi_NAME`, or with the package's
    /// namespace in place of `pulumi`, unless the package names another one.
    ///
    /// ```
    /// use pcl_schema::language::Python;
    /// assert_eq!(Python::default().name_of("aws-native", None), "pulumi_aws_native");
    /// ```
    pub fn name_of(&self, package: &str, namespace: Option<&str>) -> String {
        let namespace = namespace.unwrap_or("pulumi");
        let default = || format!("{namespace}_{package}").replace('-', "_");
        self.package_name.clone().unwrap_or_else(default)
    }

    /// The name of the distribution that pip installs: `pulumi-NAME`, or with the package's
    /// namespace in place of `pulumi`, unless the package names another one.
    ///
    /// ```
    /// use pcl_schema::language::Python;
    /// assert_eq!(Python::default().distribution_of("aws-native", None), "pulumi-aws-native");
    /// assert_eq!(Python::default().distribution_of("zoo", Some("ark")), "ark-zoo");
    /// ```
    pub fn distribution_of(&self, package: &str, namespace: Option<&str>) -> String {
        let namespace = namespace.unwrap_or("pulumi");
        let default = || format!("{namespace}-{package}");
        self.package_name.clone().unwrap_or_else(default)
    }

    /// The path of a module below its package, as programs write it; empty for the root module.
    ///
    /// ```
    /// use pcl_schema::Package;
    /// let zoo = Package::from_bytes(r#"{ "name": "zoo", "language": {
    ///     "python": { "moduleNameOverrides": { "cages.k8s.io/v1": "cages/v1" } } } }"#)?;
    /// let python = zoo.languages().python();
    /// assert_eq!(python.module_of("cages.k8s.io/v1"), "cages.v1");
    /// assert_eq!(python.module_of("catHouse/in"), "cathouse.in_");
    /// # Ok::<(), pcl_schema::DocumentError>(())
    /// ```
    pub fn module_of(&self, module: &str) -> String {
        if let Some(path) = self.module_name_overrides.get(module) {
            return path.replace('/', ".");
        }
        let parts = module.split('/');
        let names: Vec<_> = parts.map(|part| python_name(&part.to_lowercase())).collect();
        names.join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that the generator of Pulumi has for these.
    #[test]
    fn names_are_those_of_the_sdks() {
        for (name, expected) in [
            ("kubeletConfigKey", "kubelet_config_key"),
            ("podCIDR", "pod_cidr"),
            ("podCidr", "pod_cidr"),
            ("podCIDRs", "pod_cidrs"),
            ("podIPs", "pod_ips"),
            ("clusterIPs", "cluster_ips"),
            ("nonResourceURLs", "non_resource_urls"),
            ("someTHINGsAREWeird", "some_things_are_weird"),
            ("podCIDRSet", "pod_cidr_set"),
            ("Sha256Hash", "sha256_hash"),
            ("SHA256Hash", "sha256_hash"),
            ("proj:config", "proj_config"),
            ("openXJsonSerDe", "open_x_json_ser_de"),
            ("GetPublicIPs", "get_public_i_ps"),
            ("GetUptimeCheckIPs", "get_uptime_check_i_ps"),
            ("3d", "_3d"),
            ("a_B", "a__b"),
            ("", ""),
        ] {
            assert_eq!(python_name(name), expected, "{name}");
        }
    }
}
