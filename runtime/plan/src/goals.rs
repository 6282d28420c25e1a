//! Requests of a program as goals: with what a resource inherits from its parent, and with its
//! provider, which may be a default one that the engine makes.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_eval::ConfigEntry;
use pcl_eval::monitor::{Invoke, ReadResource, RegisterResource, ResourceOptions};
use pcl_values::{Dependencies, PropertyMap, PropertyValue, ProviderReference, Urn};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diff::map_without_dependencies;
use crate::facts::Package;
use crate::generator::{Answer, Generator, Goal};
use crate::names::{self, Names};

/// The options that the children of a resource inherit.
#[derive(Clone, Debug, Default)]
struct Inherited {
    provider: Option<ProviderReference>,
    is_protected: Option<bool>,
    is_retained: Option<bool>,
    deleted_with: Option<Urn>,
}

/// The requests of a program so far.
pub(crate) struct Goals {
    names: Names,
    packages: BTreeMap<String, Package>,
    config: BTreeMap<String, ConfigEntry>,
    constructed: FxHashSet<Arc<str>>,
    inherited: FxHashMap<Urn, Inherited>,
    /// The providers of the children of components, by package.
    providers: FxHashMap<Urn, BTreeMap<String, ProviderReference>>,
    defaults: FxHashMap<(String, String), ProviderReference>,
    /// The names of the only default providers of packages in the state, as far as they were looked
    /// up.
    only_defaults: FxHashMap<String, Option<String>>,
    /// The URNs of resources whose names are shown otherwise.
    own: FxHashMap<Urn, Urn>,
}

/// The plugin that a request asks for.
struct Plugin<'r> {
    kind: &'r str,
    version: &'r str,
    download_url: &'r str,
}

/// The package of a token.
fn package_of(kind: &str) -> &str {
    kind.split(':').next().unwrap_or_default()
}

/// The package of a provider.
fn package_of_provider(urn: &Urn) -> &str {
    let kind = urn.resource_type().unwrap_or_default();
    kind.rsplit(':').next().unwrap_or_default()
}

impl Goals {
    pub fn new(
        names: Names,
        packages: Vec<Package>,
        config: BTreeMap<String, ConfigEntry>,
        constructed: FxHashSet<Arc<str>>,
    ) -> Self {
        let packages = packages.into_iter().map(|package| (package.name.clone(), package));
        Self {
            names,
            packages: packages.collect(),
            config,
            constructed,
            inherited: FxHashMap::default(),
            providers: FxHashMap::default(),
            defaults: FxHashMap::default(),
            only_defaults: FxHashMap::default(),
            own: FxHashMap::default(),
        }
    }

    /// The URN of a resource by the URN that people see.
    pub fn own(&self, urn: &Urn) -> Urn {
        self.own.get(urn).unwrap_or(urn).clone()
    }

    fn own_all<'u>(&self, urns: impl IntoIterator<Item = &'u Urn>) -> Vec<Urn> {
        urns.into_iter().map(|urn| self.own(urn)).collect()
    }

    fn own_provider(&self, provider: &ProviderReference) -> ProviderReference {
        ProviderReference { urn: self.own(&provider.urn), id: provider.id.clone() }
    }

    /// The URN of a request, which is shown as another one if its name is secret.
    fn name(&mut self, parent: Option<&Urn>, kind: &str, name: &str, shown: &Urn) -> Urn {
        let parent = parent.map(|parent| self.own(parent));
        let urn = self.names.urn(parent.as_ref(), kind, name);
        if urn != *shown {
            self.own.insert(shown.clone(), urn.clone());
        }
        urn
    }

    /// The goal of a registration.
    pub fn of(
        &mut self,
        request: &RegisterResource,
        shown: &Urn,
        generator: &mut Generator,
    ) -> Goal {
        let urn = self.name(request.parent.as_ref(), &request.kind, &request.name, shown);
        let parent = request.parent.as_ref().map(|parent| self.own(parent));
        let options = &request.options;
        let of_parent = parent.as_ref().and_then(|parent| self.inherited.get(parent));
        let of_parent = of_parent.cloned().unwrap_or_default();
        let is_provider = request.kind.starts_with("pulumi:providers:");
        let is_managed = request.is_custom && !is_provider || request.is_remote;
        let chosen = is_managed.then(|| {
            let package = package_of(&request.kind);
            let serves = |it: &ProviderReference| package_of_provider(&it.urn) == package;
            let find = |providers: &BTreeMap<String, ProviderReference>| {
                providers.get(package).map(|provider| self.own_provider(provider))
            };
            let own = options.provider.as_ref().map(|it| self.own_provider(it));
            let of_component = || find(self.providers.get(parent.as_ref()?)?);
            own.or_else(|| of_parent.provider.filter(serves))
                .or_else(|| find(&options.providers))
                .or_else(of_component)
        });
        self.keep_providers(request, &urn, parent.as_ref());
        let provider = chosen.map(|chosen| match chosen {
            Some(provider) => provider,
            None => self.default_provider(
                &Plugin {
                    kind: &request.kind,
                    version: &options.version,
                    download_url: &options.plugin_download_url,
                },
                generator,
            ),
        });
        let deleted_with = options.deleted_with.as_ref().map(|urn| self.own(urn));
        let inherited = Inherited {
            // The engine forgets that of a component, whose children inherit `providers` alone.
            provider: provider.filter(|_| request.is_custom),
            is_protected: options.protect.or(of_parent.is_protected),
            is_retained: options.retain_on_delete.or(of_parent.is_retained),
            deleted_with: deleted_with.or(of_parent.deleted_with),
        };
        let goal = Goal {
            shown_urn: (urn != *shown).then(|| shown.clone()),
            urn,
            kind: Arc::clone(&request.kind),
            name: Arc::clone(&request.name),
            parent,
            is_custom: request.is_custom,
            is_plugin: request.is_remote && !self.constructed.contains(&request.kind),
            inputs: self.inputs(request, is_provider),
            dependencies: self.needed(request),
            provider: inherited.provider.clone(),
            options: Arc::clone(options),
            is_protected: inherited.is_protected.unwrap_or_default(),
            is_retained: inherited.is_retained.unwrap_or_default(),
            deleted_with: inherited.deleted_with.clone(),
            replace_with: self.own_all(&options.replace_with),
            source: request.source,
        };
        self.inherited.insert(goal.urn.clone(), inherited);
        goal
    }

    fn needed(&self, request: &RegisterResource) -> Vec<Urn> {
        let of_inputs = request.property_dependencies.values();
        let all = Dependencies::all(of_inputs.chain([&request.dependencies]));
        self.own_all(all.iter())
    }

    /// Keeps the providers of a component for its children, with those of its own parent.
    fn keep_providers(&mut self, request: &RegisterResource, urn: &Urn, parent: Option<&Urn>) {
        if request.is_custom {
            return;
        }
        let mut providers = parent.and_then(|it| self.providers.get(it)).cloned();
        let own = request.options.providers.iter();
        let own = own.map(|(package, it)| (package.clone(), self.own_provider(it)));
        let own: Vec<_> = own.collect();
        providers.get_or_insert_default().extend(own);
        if let Some(providers) = providers.filter(|providers| !providers.is_empty()) {
            self.providers.insert(urn.clone(), providers);
        }
    }

    /// The inputs as the engine keeps them. Those of a provider have the version of its plugin.
    fn inputs(&self, request: &RegisterResource, is_provider: bool) -> PropertyMap {
        let mut inputs = map_without_dependencies(&request.inputs);
        if is_provider {
            let package = request.kind.rsplit(':').next().unwrap_or_default();
            let given = request.options.version.as_str();
            let known = self.packages.get(package).map(|package| package.version.as_str());
            let version = if given.is_empty() { known.unwrap_or_default() } else { given };
            if !version.is_empty() {
                inputs.insert("version".into(), version.into());
            }
        }
        inputs
    }

    /// The default provider of the package of a request, for which a step is made the first time.
    fn default_provider(
        &mut self,
        plugin: &Plugin<'_>,
        generator: &mut Generator,
    ) -> ProviderReference {
        let name = package_of(plugin.kind);
        let known = self.packages.get(name).cloned().unwrap_or_default();
        // The reference of a package that is made from a parameter has the version.
        let own = |own: &str, known: String| {
            if own.is_empty() || known.is_empty() {
                own.to_owned() + &known
            } else {
                own.to_owned()
            }
        };
        let version =
            if known.is_parameterized { known.version } else { own(plugin.version, known.version) };
        let download_url = own(plugin.download_url, known.download_url);
        let kind = format!("pulumi:providers:{name}");
        let mut provider = names::default_provider(&version, &download_url);
        if version.is_empty() {
            let only = self.only_defaults.entry(kind.clone());
            let only = only.or_insert_with(|| only_default(generator, &kind));
            provider = only.clone().unwrap_or(provider);
        }
        let key = (name.to_owned(), provider.clone());
        if let Some(known) = self.defaults.get(&key) {
            return known.clone();
        }
        let urn = self.names.urn(None, &kind, &provider);
        let mut inputs = self.configured(name);
        if !version.is_empty() {
            inputs.insert("version".into(), version.as_str().into());
        }
        let goal = Goal {
            urn: urn.clone(),
            kind: kind.into(),
            name: provider.into(),
            is_custom: true,
            inputs,
            options: Arc::new(ResourceOptions::default()),
            ..Goal::default()
        };
        let id = match generator.register(&goal) {
            Answer::Same(at) | Answer::Updated(at) => {
                generator.prior.get(at).map(|old| old.id.clone())
            }
            Answer::New => None,
        };
        let reference = ProviderReference { urn, id };
        self.defaults.insert(key, reference.clone());
        reference
    }

    /// The configuration of the default provider of a package.
    fn configured(&self, package: &str) -> PropertyMap {
        let entries = self.config.iter().filter_map(|(key, entry)| {
            let (namespace, name) = key.split_once(':')?;
            let value = match &entry.text {
                Some(text) => PropertyValue::String(text.clone()),
                None => PropertyValue::UNKNOWN,
            };
            let value = if entry.is_secret { value.secret() } else { value };
            (namespace == package).then(|| (name.into(), value))
        });
        entries.collect()
    }

    /// The goal of a read.
    pub fn of_read(
        &mut self,
        request: &ReadResource,
        shown: &Urn,
        generator: &mut Generator,
    ) -> Goal {
        let urn = self.name(request.parent.as_ref(), &request.kind, &request.name, shown);
        let provider = match &request.provider {
            Some(provider) => self.own_provider(provider),
            None => self.default_provider(
                &Plugin {
                    kind: &request.kind,
                    version: &request.version,
                    download_url: &request.plugin_download_url,
                },
                generator,
            ),
        };
        Goal {
            shown_urn: (urn != *shown).then(|| shown.clone()),
            urn,
            kind: Arc::clone(&request.kind),
            name: Arc::clone(&request.name),
            parent: request.parent.as_ref().map(|parent| self.own(parent)),
            is_custom: true,
            inputs: map_without_dependencies(&request.properties),
            dependencies: self.own_all(request.dependencies.iter()),
            provider: Some(provider),
            source: request.source,
            ..Goal::default()
        }
    }

    /// Makes the default provider that a call of a function needs, if it needs one.
    pub fn of_invoke(&mut self, request: &Invoke, generator: &mut Generator) {
        let package = package_of(&request.token);
        let parent = request.parent.as_ref().map(|parent| self.own(parent));
        let of_parent = parent.as_ref().is_some_and(|parent| {
            let inherited = self.inherited.get(parent).and_then(|it| it.provider.as_ref());
            let is_given = inherited.is_some_and(|it| {
                package_of_provider(&it.urn) == package
                    && !it.urn.name().unwrap_or_default().starts_with("default")
            });
            let providers = self.providers.get(parent);
            is_given || providers.is_some_and(|providers| providers.contains_key(package))
        });
        // The name of a default provider has the version in it. One that is secret has no step.
        if request.provider.is_none() && !of_parent && !request.has_secret_plugin {
            let plugin = Plugin {
                kind: &request.token,
                version: &request.version,
                download_url: &request.plugin_download_url,
            };
            self.default_provider(&plugin, generator);
        }
    }
}

/// The name of the only default provider of a package in the state. The version of a plugin that a
/// program does not name is that which is installed.
fn only_default(generator: &Generator, kind: &str) -> Option<String> {
    let resources = generator.prior.resources().iter();
    let mut defaults = resources.filter(|resource| {
        let name = resource.urn.name().unwrap_or_default();
        !resource.is_deleted && resource.kind() == kind && name.starts_with("default")
    });
    let first = defaults.next()?;
    match defaults.next() {
        None => first.urn.name().map(str::to_owned),
        Some(_) => None,
    }
}
