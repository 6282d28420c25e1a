//! Packages: declarations of those that are used, and a package for each component.

use pcl::document::{Body, ComponentIndex, Document, Module, Package};
use pcl::names::Names;
use pcl::schema::Version;

use crate::yaml::{Entry, Value};

/// The package that Pulumi itself provides.
const BUILT_IN: &str = "pulumi";

/// The packages that contain the components of a document: in Pulumi YAML a component is a member
/// of a package.
pub(crate) struct ComponentPackages {
    names: Vec<String>,
}

impl ComponentPackages {
    pub fn new(document: &Document) -> Self {
        let mut reserved = vec![BUILT_IN];
        reserved.extend(document.packages.iter().map(|package| package.name.as_str()));
        let mut names = Names::new(&reserved);
        let mut name = |name| names.snake(name).replace('_', "-");
        Self { names: document.components.iter().map(|component| name(&component.name)).collect() }
    }

    /// The names, in the order of the components.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The package of a component.
    pub fn name(&self, component: ComponentIndex) -> Option<&str> {
        self.names.get(component.index()).map(String::as_str)
    }

    /// The section `packages`: the paths of the packages whose components a module uses. `above` is
    /// the directory that contains them.
    pub fn used_by(&self, module: &Module, above: &str) -> Option<Entry> {
        let mut used: Vec<&str> = module
            .nodes
            .iter()
            .filter_map(|node| match &node.body {
                Body::Component(component) => self.name(component.program?),
                _ => None,
            })
            .collect();
        used.sort_unstable();
        used.dedup();
        let place = |name: &str| Entry::new(name, Value::Plain(format!("{above}/{name}")));
        let places: Vec<Entry> = used.into_iter().map(place).collect();
        (!places.is_empty()).then(|| Entry::new("packages", Value::Map(places)))
    }
}

/// A file for each of the packages, which says what plugin and version it is: its path and its
/// entries. `directory` is that of the program or component which uses the packages; each looks for
/// them in its own.
pub(crate) fn declarations(
    document: &Document,
    packages: &[Package],
    directory: &str,
) -> Vec<(String, Vec<Entry>)> {
    let mut files = Vec::new();
    for package in packages {
        if package.name == BUILT_IN {
            continue;
        }
        let mut entries =
            vec![Entry::new("packageDeclarationVersion", Value::Number("1".to_owned()))];
        let field = |entries: &mut Vec<Entry>, key: &str, text: Option<&str>| {
            // No part of the program: a dollar sign means nothing here.
            let plain = |text: &str| Entry::new(key, Value::Plain(text.to_owned()));
            entries.extend(text.map(plain));
        };
        let text = |version: &Option<Version>| version.as_ref().map(Version::to_string);
        let made = package.parameterization.as_ref();
        let plugin = made.map_or(&package.name, |made| &made.plugin);
        let version = made.map_or(&package.version, |made| &made.version);
        field(&mut entries, "name", Some(plugin));
        field(&mut entries, "version", text(version).as_deref());
        let server = || document.schema(package.schema).plugin_download_url.as_deref();
        field(&mut entries, "downloadUrl", package.download_url.as_deref().or_else(server));
        if let Some(made) = made {
            let mut parameter = Vec::new();
            field(&mut parameter, "name", Some(&package.name));
            field(&mut parameter, "version", text(&package.version).as_deref());
            field(&mut parameter, "value", Some(&made.parameter));
            let key = if made.extends { "extension" } else { "parameterization" };
            entries.push(Entry::new(key, Value::Map(parameter)));
        }
        let name = package.name.replace(['/', '\\'], "-");
        files.push((format!("{directory}sdks/{name}.yaml"), entries));
    }
    files
}
