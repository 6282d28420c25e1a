//! A package as people and tools want to see it: what it is, how it is configured, what it needs,
//! how much it offers.

use pcl_schema::{Package, PackageRequest, Section};
use serde::Serialize;
use serde_json::Value;

use super::{Property, properties, worded};

/// A package, ready to be printed.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct PackageView {
    /// Its name.
    pub name: String,
    /// Its version, if it is known.
    pub version: Option<String>,
    /// The description, in Markdown.
    pub description: Option<String>,
    /// The plugin that makes it of a parameter, or whose package it extends.
    pub base: Option<Needed>,
    /// The packages that it refers to.
    pub dependencies: Vec<Needed>,
    /// The variables that configure it.
    pub config: Vec<Property>,
    /// The number of resources.
    pub resources: usize,
    /// The number of functions, methods included.
    pub functions: usize,
    /// The number of types.
    pub types: usize,
}

/// A package or plugin that another needs.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Needed {
    /// Its name.
    pub name: String,
    /// Its version; `None` for any.
    pub version: Option<String>,
}

impl PackageView {
    /// Looks at a package; the error says why its configuration cannot be read.
    pub fn of(package: &Package) -> Result<Self, String> {
        let json = package.config_json().unwrap_or_default();
        let config =
            package.config().map_err(|error| format!("config of {}: {error}", package.name()))?;
        let base = package.parameterization().or(package.extension());
        let needed = |request: &PackageRequest| Needed {
            name: request.name().to_owned(),
            version: request.version().map(ToString::to_string),
        };
        let count = |section| package.members(section).count();
        Ok(Self {
            name: package.name().to_owned(),
            version: package.version().map(ToString::to_string),
            description: package.about().as_deref().map(worded),
            base: base.map(|base| Needed {
                name: base.name.clone(),
                version: Some(base.version.to_string()),
            }),
            dependencies: package.dependencies().iter().map(needed).collect(),
            config: properties(package, &config, json.get("variables").unwrap_or(&Value::Null)),
            resources: count(Section::Resources),
            functions: count(Section::Functions),
            types: count(Section::Types),
        })
    }
}
