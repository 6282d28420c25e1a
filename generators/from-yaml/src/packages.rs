//! Packages: the files that declare them, and the tokens of their members.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use pcl::schema::yaml::{self, Node};
use pcl::schema::{
    FunctionSpec, Loader, MemberId, Package, PackageRequest, ResourceSpec, Section, Version,
};
use pcl::syntax::quoted;

use crate::output::Output;

/// A declaration of a package, `sdks/NAME.yaml`.
#[derive(Debug, Default)]
struct Declaration {
    plugin: String,
    version: Option<String>,
    download_url: Option<String>,
    /// The package that the plugin makes of a parameter: its name, version and parameter.
    made: Option<[Option<String>; 3]>,
}

impl Declaration {
    /// The declaration in a file; `None` for a file with something else.
    fn read(text: &str) -> Option<Self> {
        let root = yaml::read(text, &mut Err).ok()??;
        let field = |node: &Node, key: &str| {
            let (_, value) = node.entry(key)?;
            match &*value.data {
                yaml::Data::Text(text) | yaml::Data::Scalar(_, text) => Some(text.clone()),
                _ => None,
            }
        };
        if field(&root, "packageDeclarationVersion")? != "1" {
            return None;
        }
        let made = ["parameterization", "extension"].into_iter().find_map(|key| root.entry(key));
        Some(Self {
            plugin: field(&root, "name")?,
            version: field(&root, "version"),
            download_url: field(&root, "downloadUrl"),
            made: made.map(|(_, made)| ["name", "version", "value"].map(|key| field(made, key))),
        })
    }

    fn name(&self) -> &str {
        let made = self.made.as_ref().and_then(|[name, ..]| name.as_deref());
        made.unwrap_or(&self.plugin)
    }

    fn write(&self, out: &mut Output) {
        let mut field = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                out.line(&format!("{name} = {}", quoted(value)));
            }
        };
        field("baseProviderName", Some(&self.plugin));
        field("baseProviderVersion", self.version.as_deref());
        field("baseProviderDownloadUrl", self.download_url.as_deref());
        if let Some(made) = &self.made {
            out.line("parameterization {");
            for (name, value) in ["name", "version", "value"].into_iter().zip(made) {
                if let Some(value) = value {
                    out.line(&format!("{name} = {}", quoted(value)));
                }
            }
            out.line("}");
        }
    }
}

/// The packages of a program.
pub(crate) struct Packages<'l> {
    loader: &'l dyn Loader,
    declarations: Vec<Declaration>,
    loaded: HashMap<String, Option<Arc<Package>>>,
    /// The members of packages by their tokens in lower case, for tokens that no schema has. The
    /// last part of a key tells functions from resources.
    lower: HashMap<(String, Option<Version>, bool), HashMap<String, MemberId>>,
    /// The names of those in use.
    used: BTreeSet<String>,
}

impl<'l> Packages<'l> {
    pub fn new(loader: &'l dyn Loader, sdks: &[String]) -> Self {
        let declarations = sdks.iter().filter_map(|text| Declaration::read(text)).collect();
        Self {
            loader,
            declarations,
            loaded: HashMap::new(),
            lower: HashMap::new(),
            used: BTreeSet::new(),
        }
    }

    /// The package of a token, if there is a schema of it.
    fn load(&mut self, token: &str, version: Option<&str>) -> Option<Arc<Package>> {
        let name = package_of(token);
        self.used.insert(name.to_owned());
        let declared = self.declarations.iter().find(|it| it.name() == name);
        let declared = declared.map(|declared| match &declared.made {
            Some([_, version, _]) => version.clone(),
            None => declared.version.clone(),
        });
        let version = version.map(str::to_owned).or(declared.flatten());
        let loader = self.loader;
        let key = format!("{name}@{}", version.as_deref().unwrap_or_default());
        self.loaded
            .entry(key)
            .or_insert_with(|| {
                let any = PackageRequest::new(name);
                let version = version.and_then(|version| version.parse().ok());
                let exact = version.map(|version| any.clone().with_version(version));
                exact.and_then(|exact| loader.load(&exact).ok()).or_else(|| loader.load(&any).ok())
            })
            .clone()
    }

    /// A token as programs write it.
    pub fn token(&mut self, section: Section, written: &str, version: Option<&str>) -> String {
        let parts: Vec<&str> = written.split(':').collect();
        let whole = match parts[..] {
            [package, name] => format!("{package}:index:{name}"),
            _ => written.to_owned(),
        };
        if parts.first() == Some(&"pulumi") && parts.get(1) == Some(&"providers") {
            self.used.insert(package_of(written).to_owned());
            return whole;
        }
        let Some(package) = self.load(written, version) else { return whole };
        let find = |token: &str| match section {
            Section::Functions => package.function_by_canonical(token),
            _ => package.resource_by_canonical(token),
        };
        if find(&whole).is_some() {
            return whole;
        }
        let long = match whole.splitn(3, ':').collect::<Vec<_>>()[..] {
            [package, module, name] => format!("{package}:{module}/{}:{name}", name.to_lowercase()),
            _ => return whole,
        };
        let is_function = matches!(section, Section::Functions);
        // Members of one version are none of another one.
        let key = (package.name().to_owned(), package.version().cloned(), is_function);
        let lower = self.lower.entry(key);
        let lower = lower.or_insert_with(|| {
            let mut lower = HashMap::new();
            for member in package.members(section) {
                // The first of several that differ in case is meant.
                lower.entry(package.token(member).to_ascii_lowercase()).or_insert(member);
            }
            lower
        });
        let meant = [&whole, &long].map(|token| token.to_ascii_lowercase());
        let Some(&member) = meant.iter().find_map(|token| lower.get(token)) else { return whole };
        let token = package.token(member);
        let short = match token.splitn(3, ':').collect::<Vec<_>>()[..] {
            [package, module, name] => {
                let module = module.split('/').next().unwrap_or(module);
                format!("{package}:{module}:{name}")
            }
            _ => token.to_owned(),
        };
        let is_same = find(&short).is_some_and(|found| found.member == member);
        if is_same { short } else { token.to_owned() }
    }

    /// The schema of a resource, by its token as programs write it.
    pub fn resource(&mut self, token: &str) -> Option<Arc<ResourceSpec>> {
        let package = self.load(token, None)?;
        let found = package.resource_by_canonical(token)?;
        package.resource_by_id(found.member).ok()?.cloned()
    }

    /// Returns true if there is a schema, which does not have this resource.
    pub fn lacks_resource(&mut self, token: &str) -> bool {
        self.load(token, None).is_some_and(|package| package.resource_by_canonical(token).is_none())
    }

    /// The schema of a function, by its token as programs write it.
    pub fn function(&mut self, token: &str) -> Option<Arc<FunctionSpec>> {
        let package = self.load(token, None)?;
        let found = package.function_by_canonical(token)?;
        package.function_by_id(found.member).ok()?.cloned()
    }

    /// The blocks of the packages in use that are declared.
    pub fn write(&self, out: &mut Output) {
        for declaration in &self.declarations {
            if self.used.contains(declaration.name()) {
                out.separate();
                out.line("package {");
                declaration.write(out);
                out.close();
            }
        }
    }
}

/// A version as PCL writes it: Pulumi YAML takes `v1.2.3` as well, and `1.2`.
pub(crate) fn exact(version: &str) -> String {
    pcl::schema::parse_version(version)
        .map_or_else(|_| version.to_owned(), |version| version.to_string())
}

/// The package of a token.
pub(crate) fn package_of(token: &str) -> &str {
    match token.strip_prefix("pulumi:providers:") {
        Some(package) => package,
        None => token.split(':').next().unwrap_or(token),
    }
}
