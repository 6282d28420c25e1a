//! The providers of a state: the packages of its resources, with their versions.
//!
//! The rules, with examples: `tests/spec/import/providers.md`.

use std::borrow::Cow;
use std::str::FromStr as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_schema::{PackageRequest, Parameterization};
use pcl_state::Resource;
use pcl_state::json::Value;
use pcl_state::value::Property;
use rustc_hash::FxHashMap;
use semver::Version;

/// A package as a provider of the state says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageUse {
    /// The name of the package, with which its types begin.
    pub name: String,
    /// The name of the plugin.
    pub plugin: String,
    /// The version of the plugin.
    pub version: Option<String>,
    /// The address that the plugin is downloaded from.
    pub download_url: Option<String>,
    /// The version of the package that the plugin makes, and its parameter in base64.
    pub parameterization: Option<(String, String)>,
}

impl PackageUse {
    /// The request for the schema.
    pub fn request(&self) -> PackageRequest {
        let mut request = PackageRequest::new(&*self.plugin);
        request.version = self.version.as_deref().and_then(|it| Version::from_str(it).ok());
        request.download_url.clone_from(&self.download_url);
        request.parameterization = self.parameterization.as_ref().and_then(|(version, value)| {
            Some(Parameterization {
                name: self.name.clone(),
                version: Version::from_str(version).ok()?,
                value: STANDARD.decode(value).ok()?,
            })
        });
        request
    }

    /// The version of the package itself.
    pub fn package_version(&self) -> Option<&str> {
        match &self.parameterization {
            Some((version, _)) => Some(version),
            None => self.version.as_deref(),
        }
    }
}

/// The providers of a state by URN and id.
pub(crate) struct Providers<'s>(FxHashMap<(Cow<'s, str>, Cow<'s, str>), Resource<'s>>);

impl<'s> Providers<'s> {
    pub fn new(resources: impl Iterator<Item = Resource<'s>>) -> Self {
        let providers = resources.filter(|resource| resource.is_provider());
        Self(providers.map(|it| ((it.urn(), it.id().unwrap_or_default()), it)).collect())
    }

    /// The package of a resource.
    pub fn package_of(&self, resource: Resource<'s>) -> PackageUse {
        let kind = resource.kind();
        let name = match kind.strip_prefix("pulumi:providers:") {
            Some(name) => name,
            None => kind.split(':').next().unwrap_or_default(),
        };
        let provider = resource.provider().and_then(|key| self.0.get(&key).copied());
        let provider = provider.or_else(|| resource.is_provider().then_some(resource));
        let inputs = provider.and_then(Resource::inputs);
        PackageUse::read(name, inputs)
    }
}

impl PackageUse {
    /// The package in the inputs of a provider.
    fn read(name: &str, inputs: Option<Value<'_>>) -> Self {
        let text = |object: Option<Value<'_>>, key: &str| match Property::read(object?.get(key)?) {
            Ok(Property::String(text)) if !text.is_empty() => Some(text.into_owned()),
            _ => None,
        };
        let internal = inputs.and_then(|inputs| inputs.present("__internal"));
        let source = internal.or(inputs);
        let outer = text(inputs, "version");
        let parameter = text(source, "parameterization");
        let plugin = match internal {
            Some(_) => text(internal, "name"),
            None => None,
        };
        let download_url = text(source, "pluginDownloadURL");
        let plugin = plugin.unwrap_or_else(|| name.to_owned());
        let (version, parameterization) = match (parameter, outer) {
            (Some(value), Some(outer)) => (text(internal, "version"), Some((outer, value))),
            (_, outer) => (outer.or_else(|| text(internal, "version")), None),
        };
        Self { name: name.to_owned(), plugin, version, download_url, parameterization }
    }
}
