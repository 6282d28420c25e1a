//! The members of Pulumi's libraries for other languages, and their counterparts in PCL.

use crate::terraform::camel;

/// The counterpart of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Construct {
    /// A `resource` block.
    Resource,
    /// `config` blocks.
    Config,
    /// A function of PCL.
    Function(&'static str),
    /// A string with interpolations.
    Template,
    /// A string with the places of values.
    Format,
    /// The value itself.
    Plain,
    /// `invoke` with this token.
    Invoke(String),
}

/// The functions of the libraries that are functions of PCL, under this name or another.
const FUNCTIONS: &[(&str, &str)] = &[
    ("FileArchive", "fileArchive"),
    ("FileAsset", "fileAsset"),
    ("RemoteArchive", "remoteArchive"),
    ("RemoteAsset", "remoteAsset"),
    ("StringAsset", "stringAsset"),
    ("dumps", "toJSON"),
    ("getOrganization", "organization"),
    ("getProject", "project"),
    ("getStack", "stack"),
    ("get_organization", "organization"),
    ("get_project", "project"),
    ("get_stack", "stack"),
    ("jsonStringify", "toJSON"),
    ("json_dumps", "toJSON"),
    ("secret", "secret"),
    ("stringify", "toJSON"),
    ("unsecret", "unsecret"),
];

/// The names that programs give to packages, other than those with another case.
const PACKAGES: &[(&str, &str)] = &[("k8s", "kubernetes")];

/// The names that programs give to their configuration.
pub(super) const CONFIGS: &[&str] = &["config", "cfg", "conf"];

/// The function of PCL for one of a library.
pub(super) fn function(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(other, _)| *other == name).map(|(_, own)| *own)
}

/// The counterpart of a call of `path`, such as `pulumi.secret`. `is_declared` says which names the
/// program declares: their members are none of a library.
pub(super) fn construct(path: &str, is_declared: impl Fn(&str) -> bool) -> Option<Construct> {
    let (root, rest) = path.split_once('.')?;
    let name = rest.rsplit('.').next()?;
    if matches!(root, "pulumi" | "JSON" | "json") {
        if let Some(function) = function(name) {
            return Some(Construct::Function(function));
        }
        return match name {
            "all" | "output" | "create" | "from_input" => Some(Construct::Plain),
            "interpolate" | "concat" => Some(Construct::Template),
            "format" => Some(Construct::Format),
            "Config" => Some(Construct::Config),
            "StackReference" => Some(Construct::Resource),
            _ => None,
        };
    }
    if CONFIGS.contains(&root) || is_declared(root) {
        return None;
    }
    let is_arguments = name.ends_with("Args") || name.ends_with("Options");
    if name.starts_with(char::is_uppercase) {
        return (!is_arguments).then_some(Construct::Resource);
    }
    let parts = || path.split('.').rev().skip(1).collect::<Vec<_>>().into_iter().rev();
    if let Some(getter) = getter(name) {
        return Some(Construct::Invoke(token(parts(), &getter)));
    }
    let name = name.strip_suffix("Output").unwrap_or(name);
    (root == "std").then(|| Construct::Invoke(token(parts(), name)))
}

/// The function of a package for one of a library: `get_ami` and `getAmiOutput` are `getAmi`.
fn getter(name: &str) -> Option<String> {
    let name = camel(name).unwrap_or_else(|| name.to_owned());
    let name = name.strip_suffix("Output").unwrap_or(&name);
    let rest = name.strip_prefix("get")?;
    rest.starts_with(char::is_uppercase).then(|| name.to_owned())
}

/// The token of the resource whose class is at `path`.
pub(super) fn token_of(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('.').collect();
    let name = parts.pop().unwrap_or_default();
    match &*parts {
        [] => format!("package:module:{name}"),
        ["pulumi"] => format!("pulumi:pulumi:{name}"),
        [root] if name == "Provider" => format!("pulumi:providers:{}", package(root)),
        _ => token(parts.into_iter(), name),
    }
}

/// The token of a member of a module: the package comes first.
fn token<'p>(mut parts: impl Iterator<Item = &'p str>, name: &str) -> String {
    let package = package(parts.next().unwrap_or_default());
    let modules: Vec<&str> = parts.collect();
    match &*modules {
        [] => format!("{package}:{name}"),
        modules => format!("{package}:{}:{name}", modules.join("/")),
    }
}

/// The package that a program has under this name: `azure_native` and `azureNative` are
/// `azure-native`.
fn package(written: &str) -> String {
    let written = written.strip_prefix("pulumi_").unwrap_or(written);
    if let Some((_, package)) = PACKAGES.iter().find(|(nickname, _)| *nickname == written) {
        return (*package).to_owned();
    }
    let mut package = String::new();
    for c in written.chars() {
        match c {
            '_' => package.push('-'),
            c if c.is_ascii_uppercase() => package.extend(['-', c.to_ascii_lowercase()]),
            c => package.push(c),
        }
    }
    package
}

impl Construct {
    /// The message about a call of `path`, the advice without a translation, and the title of the
    /// fix.
    pub(super) fn words(&self, path: &str) -> (String, String, &'static str) {
        match self {
            Self::Resource => (
                "resources are declared by blocks in PCL, not by constructors".to_owned(),
                format!("write `resource name \"{}\" {{ .. }}`", token_of(path)),
                "declare the resource",
            ),
            Self::Config => (
                "configuration variables are declared by blocks in PCL".to_owned(),
                "write `config name \"string\" {}` for each variable, and refer to it by its name"
                    .to_owned(),
                "remove the line",
            ),
            Self::Function(function) => (
                format!("`{path}` is the function `{function}` in PCL"),
                format!("write `{function}(..)`"),
                "call the function of PCL",
            ),
            Self::Template | Self::Format => (
                format!("values are joined in a string in PCL, not by `{path}`"),
                "write the values into a string, as in `\"${a}-${b}\"`".to_owned(),
                "write a string",
            ),
            Self::Plain => (
                match path.rsplit_once('.') {
                    Some((_, name @ ("apply" | "then"))) => {
                        format!("outputs are used like plain values in PCL, without `.{name}`")
                    }
                    _ => format!("outputs are used like plain values in PCL, without `{path}`"),
                },
                "write the value itself".to_owned(),
                "write the value itself",
            ),
            Self::Invoke(token) => (
                "functions of packages are called by `invoke` in PCL".to_owned(),
                format!("write `invoke(\"{token}\", {{ .. }})`"),
                "invoke the function",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Construct, construct, token_of};

    #[test]
    fn classes_have_tokens() {
        for (path, token) in [
            ("random.RandomPet", "random:RandomPet"),
            ("aws.s3.Bucket", "aws:s3:Bucket"),
            ("k8s.apps.v1.Deployment", "kubernetes:apps/v1:Deployment"),
            ("pulumi_aws.s3.Bucket", "aws:s3:Bucket"),
            ("azure_native.storage.StorageAccount", "azure-native:storage:StorageAccount"),
            ("azureNative.storage.StorageAccount", "azure-native:storage:StorageAccount"),
            ("aws.Provider", "pulumi:providers:aws"),
            ("pulumi.StackReference", "pulumi:pulumi:StackReference"),
        ] {
            assert_eq!(token_of(path), token);
        }
    }

    #[test]
    fn calls_have_counterparts() {
        let invoke = |token: &str| Some(Construct::Invoke(token.to_owned()));
        for (path, meant) in [
            ("aws.ec2.get_ami", invoke("aws:ec2:getAmi")),
            ("aws.ec2.getAmiOutput", invoke("aws:ec2:getAmi")),
            ("std.upper", invoke("std:upper")),
            ("pulumi.getStack", Some(Construct::Function("stack"))),
            ("pulumi.Output.all", Some(Construct::Plain)),
            ("own.getName", None),
            ("names.join", None),
            ("aws.s3.BucketArgs", None),
        ] {
            assert_eq!(construct(path, |name| name == "own"), meant, "{path}");
        }
    }
}
