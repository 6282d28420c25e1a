//! The facts of schemas that tell what a provider would decide.

use std::collections::BTreeSet;
use std::sync::Arc;

use pcl_values::{PropertyMap, PropertyPath};

/// The facts of the schema of a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceFacts {
    /// The inputs.
    pub inputs: BTreeSet<String>,
    /// The defaults of the inputs.
    pub defaults: PropertyMap,
    /// The paths whose changes replace the resource, since an SDK says so to the engine.
    pub replaces: Vec<PropertyPath>,
    /// The paths whose changes make the provider replace the resource.
    pub will_replace: Vec<PropertyPath>,
    /// The outputs that stay what they are when the resource is updated.
    pub stable: BTreeSet<String>,
}

/// The schemas of a program.
pub trait Schemas: Send + Sync {
    /// The facts about a resource or provider; `None` without a schema.
    fn resource(&self, kind: &str) -> Option<Arc<ResourceFacts>>;
}

/// No schemas.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSchemas;

impl Schemas for NoSchemas {
    fn resource(&self, _: &str) -> Option<Arc<ResourceFacts>> {
        None
    }
}

/// The plugin of a package, which decides the name of its default provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// The name.
    pub name: String,
    /// The version; empty if it is not known.
    pub version: String,
    /// The place that the plugin is downloaded from; empty for the default.
    pub download_url: String,
    /// A plugin makes the package from a parameter.
    pub is_parameterized: bool,
}
