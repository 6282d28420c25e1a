//! Compares a generated project with the model that it was made from. Every declaration, property
//! and option is in both and means the same, or a diagnostic at its place explains why it is left
//! out.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pcl::document::{
    Attribute, Body, Comment, Comments, Component, Document, ExpressionIndex, Module, Node,
    NodeIndex, Package, Place, Property, Type, TypeIndex,
};
use pcl::generated::{Project, ProjectFile, Unsupported};

use crate::term::{Generated, Model, Term, path, token};
use crate::yaml::Yaml;

/// The amount that was compared.
#[derive(Clone, Default, Debug)]
pub struct Counts {
    /// By what is counted, in the order in which it is shown.
    pub things: BTreeMap<&'static str, usize>,
    /// Constructs that are left out, by their kind.
    pub limits: BTreeMap<&'static str, usize>,
}

impl Counts {
    pub fn count(&mut self, what: &'static str, number: usize) {
        *self.things.entry(what).or_default() += number;
    }
}

/// One line of text about a construct that is left out: `file:line:column: message`.
pub fn line(document: &Document, unsupported: &Unsupported) -> String {
    let place = unsupported.place;
    let path = document.file(place).map_or("", |file| file.path.as_str());
    let start = document.position(place);
    let (line, column) = (start.line, start.column);
    format!("{path}:{line}:{column}: {}", unsupported.message)
}

pub struct Comparison<'p> {
    pub document: &'p Document,
    pub project: &'p Project,
    pub counts: &'p mut Counts,
    /// The differences.
    pub complaints: Vec<String>,
    /// The places of what is in the model alone.
    missing: Vec<Place>,
}

impl<'p> Comparison<'p> {
    pub fn new(document: &'p Document, project: &'p Project, counts: &'p mut Counts) -> Self {
        Self { document, project, counts, complaints: Vec::new(), missing: Vec::new() }
    }

    pub fn run(&mut self) {
        let main = self.main();
        self.compare_module(&self.document.main, &main, "config");
        for component in &self.document.components {
            self.compare_component(component);
        }
        self.compare_packages();
        for unsupported in &self.project.unsupported {
            *self.counts.limits.entry(unsupported.kind).or_default() += 1;
            let is_reason = |place: &Place| place.contains(unsupported.place);
            if !self.missing.iter().any(is_reason) {
                self.complaint(format!(
                    "nothing is left out: {}",
                    line(self.document, unsupported)
                ));
            }
        }
    }

    fn complaint(&mut self, what: impl Into<String>) {
        let program = &self.document.program;
        self.complaints.push(format!("{program}: {}", what.into()));
    }

    fn file(&mut self, path: &str) -> Yaml {
        let Some(file) = self.project.files.iter().find(|file| file.path == path) else {
            self.complaint(format!("{path} is not there"));
            return Yaml::Map(Vec::new());
        };
        Yaml::parse(&file.text).unwrap_or_else(|error| {
            self.complaint(format!("{path}: {error}\n{}", file.text));
            Yaml::Map(Vec::new())
        })
    }

    /// The settings of the project and the program, which may be in a file of its own.
    fn main(&mut self) -> Yaml {
        let is_main = |file: &ProjectFile| file.path == "Main.yaml";
        let has_main = self.project.files.iter().any(is_main);
        let program = if has_main { Some(self.file("Main.yaml")) } else { None };
        let mut entries = self.file("Pulumi.yaml").entries().to_vec();
        entries.extend(program.iter().flat_map(|program| program.entries().to_vec()));
        Yaml::Map(entries)
    }

    /// The name of the package that contains a component, from its file.
    fn package_of(&self, component: &Component) -> Option<String> {
        self.project.files.iter().find_map(|file| {
            let yaml = Yaml::parse(&file.text).ok()?;
            let is_it = yaml.section("components").iter().any(|(name, _)| *name == component.name);
            let name = yaml.text("name").filter(|_| is_it)?;
            (file.path == format!("components/{name}/PulumiPlugin.yaml")).then(|| name.to_owned())
        })
    }

    fn compare_component(&mut self, component: &Component) {
        let Some(package) = self.package_of(component) else {
            return self.complaint(format!("component {} has no file", component.name));
        };
        let plugin = self.file(&format!("components/{package}/PulumiPlugin.yaml"));
        let [(_, sections)] = plugin.section("components") else {
            return self.complaint("a plugin with more than its component");
        };
        self.compare_uses(&component.module, &plugin, "..");
        self.compare_module(&component.module, sections, "inputs");
    }

    /// The packages of the components that a module uses.
    fn compare_uses(&mut self, module: &Module, yaml: &Yaml, above: &str) {
        let mut wanted = BTreeMap::new();
        for node in &module.nodes {
            if let Body::Component(block) = &node.body
                && let Some(component) = block.program.and_then(|id| self.document.component(id))
                && let Some(package) = self.package_of(component)
            {
                wanted.insert(package.clone(), format!("{above}/{package}"));
            }
        }
        let found: BTreeMap<String, String> = yaml
            .section("packages")
            .iter()
            .filter_map(|(name, _)| {
                let packages = yaml.get("packages")?;
                Some((name.clone(), packages.text(name)?.to_owned()))
            })
            .collect();
        if wanted != found {
            self.complaint(format!("packages {found:?}, wanted {wanted:?}"));
        }
    }

    fn compare_packages(&mut self) {
        let main = self.main();
        let document = self.document;
        self.compare_uses(&document.main, &main, "./components");
        self.compare_declarations(&document.packages, "");
        for component in &document.components {
            if let Some(package) = self.package_of(component) {
                let directory = format!("components/{package}/");
                self.compare_declarations(&component.module.packages, &directory);
            }
        }
    }

    /// The declarations of the packages that a program or component uses, in its directory.
    fn compare_declarations(&mut self, packages: &[Package], directory: &str) {
        for package in packages.iter().filter(|package| package.name != "pulumi") {
            let yaml = self.file(&format!("{directory}sdks/{}.yaml", package.name));
            let text = |yaml: &Yaml, key| yaml.text(key).map(str::to_owned);
            let made = package.parameterization.as_ref();
            let (name, version) = match made {
                Some(made) => (made.plugin.clone(), &made.version),
                None => (package.name.clone(), &package.version),
            };
            let version = version.as_ref().map(ToString::to_string);
            let server = &self.document.schema(package.schema).plugin_download_url;
            let mut same = text(&yaml, "name") == Some(name)
                && text(&yaml, "version") == version
                && text(&yaml, "downloadUrl").as_ref()
                    == package.download_url.as_ref().or(server.as_ref());
            if let Some(made) = made {
                let key = ["parameterization", "extension"][usize::from(made.extends)];
                same &= yaml.get(key).is_some_and(|yaml| {
                    text(yaml, "name").as_ref() == Some(&package.name)
                        && text(yaml, "version")
                            == package.version.as_ref().map(ToString::to_string)
                        && text(yaml, "value").as_ref() == Some(&made.parameter)
                });
            }
            if !same {
                self.complaint(format!("package {}: {yaml:?}", package.name));
            }
            self.counts.count("packages", 1);
        }
    }

    fn compare_module(&mut self, module: &Module, yaml: &Yaml, config: &str) {
        let names = Names::new(self.document, module, yaml, config);
        self.complaints.extend(names.complaints.iter().map(|complaint| {
            let program = &self.document.program;
            format!("{program}: {complaint}")
        }));
        let generated = Generated {
            nodes: names.nodes,
            made: names.made,
            used: RefCell::default(),
            is_component: config == "inputs",
        };
        for (at, node) in module.nodes.iter().enumerate() {
            let index = NodeIndex(u32::try_from(at).expect("few nodes"));
            self.compare_node(&generated, yaml, config, index, node);
        }
        let used = generated.used.into_inner();
        for name in generated.made.keys() {
            if !used.contains(name) {
                self.complaint(format!("the variable `{name}` is of no use"));
            }
        }
    }

    fn compare_node(
        &mut self,
        generated: &Generated<'_>,
        yaml: &Yaml,
        config: &str,
        index: NodeIndex,
        node: &Node,
    ) {
        let own = generated.nodes.iter().find(|(_, node)| **node == index);
        let own = own.map(|(key, _)| key.as_str());
        let (section, what) = match &node.body {
            Body::Resource(_) => ("resources", "resources"),
            Body::Read(_) => ("resources", "reads"),
            Body::Component(_) => ("resources", "components"),
            Body::Config(_) => (config, "config"),
            Body::Local { .. } => ("variables", "variables"),
            Body::Output { .. } => ("outputs", "outputs"),
            Body::Pulumi { required_version } => {
                let found = yaml.get("pulumi").and_then(|own| own.get("requiredVersion"));
                let place = node.range;
                return self.value(generated, "the version", *required_version, found, place);
            }
            Body::Hook(_) => return self.left_out(node.range, "a hook"),
        };
        let key = match section {
            "outputs" => Some(node.logical_name()),
            _ => own,
        };
        let found = key.and_then(|key| yaml.get(section)?.get(key));
        let Some(found) = found else {
            return self.left_out(node.range, &format!("{what} {}", node.name));
        };
        self.counts.count(what, 1);
        let comments = &node.comments;
        let items = comments.items.iter().flat_map(|item| around(&item.comments));
        let inner = [&comments.detached, &comments.leading, &comments.trailing];
        let all = inner.into_iter().chain([&comments.open, &comments.close]);
        self.compare_comments(items.chain(all.flatten()));
        match &node.body {
            // An output that something refers to is a variable, and the output gives that.
            Body::Output { value } if own.is_some() => {
                if generated.term(found) != Ok(Term::Node(index)) {
                    self.complaint(format!("output {} is {found:?}", node.name));
                }
                let found = own.and_then(|key| yaml.get("variables")?.get(key));
                self.value(generated, &node.name, *value, found, node.range);
            }
            Body::Local { value } | Body::Output { value } => {
                self.value(generated, &node.name, *value, Some(found), node.range);
            }
            Body::Config(_) => self.compare_config(generated, node, found),
            _ => self.compare_resource(generated, node, found),
        }
    }

    /// Comments of the program are in the project too.
    fn compare_comments<'c>(&mut self, comments: impl Iterator<Item = &'c Comment>) {
        for line in comments.flat_map(|comment| &comment.lines) {
            let comment = format!("#{}\n", line.trim_end());
            let has_comment = |file: &ProjectFile| file.text.contains(&comment);
            if !self.project.files.iter().any(has_comment) {
                self.complaint(format!("a comment is lost: {line}"));
            }
        }
    }

    fn compare_config(&mut self, generated: &Generated<'_>, node: &Node, found: &Yaml) {
        let Body::Config(config) = &node.body else { return };
        let document = self.document;
        let stripped = document.strip(node.ty);
        let has_default = config.default.is_some_and(|default| {
            !matches!(Model { document }.term(default), Ok(Term::Null) | Err(_))
        });
        let of_default = config.default.filter(|_| has_default);
        let of_default = of_default.map(|default| document.strip(document.expression(default).ty));
        let stripped = match document.ty(stripped) {
            // It takes less than all values.
            Type::Dynamic => {
                self.left_out(node.range, &node.name);
                of_default.unwrap_or(stripped)
            }
            _ => stripped,
        };
        let same = type_text(document, stripped) == config_type(found);
        if !same || found.text("secret").is_some() != config.secret {
            let ty = document.type_text(stripped);
            self.complaint(format!("config {}: {ty} became {found:?}", node.name));
        }
        match (config.default, found.get("default")) {
            (None, None) if config.nullable => self.left_out(node.range, &node.name),
            // Those who use a component give its default.
            (Some(_), None) if config_type(found).starts_with("list") && generated.is_component => {
            }
            (default, found) => self.value(generated, &node.name, default, found, node.range),
        }
    }

    fn compare_resource(&mut self, generated: &Generated<'_>, node: &Node, found: &Yaml) {
        let mut inputs = found.section("properties").to_vec();
        if let Body::Read(_) = node.body {
            let get = found.get("get").cloned().unwrap_or(Yaml::Map(Vec::new()));
            inputs.extend(get.section("state").iter().cloned());
            inputs.extend(get.entries().iter().filter(|(key, _)| key == "id").cloned());
        }
        let defaults = self.defaults(node);
        self.attributes(generated, "properties", node.inputs(), &defaults, &inputs);
        self.attributes(generated, "options", node.options(), &[], found.section("options"));
    }

    /// The defaults of the inputs of a resource or component.
    fn defaults(&self, node: &Node) -> Vec<(String, Term)> {
        let document = self.document;
        let model = Model { document };
        match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                let inputs = resource.input_type.map(|ty| document.properties(ty));
                let properties = inputs.into_iter().flatten();
                let default = |property: &Property| {
                    let value = model.default(property).or_else(|| model.only(property))?;
                    Some((property.name.clone(), value))
                };
                properties.filter_map(default).collect()
            }
            Body::Component(component) => {
                let program = component.program.and_then(|id| document.component(id));
                let nodes = program.into_iter().flat_map(|program| &program.module.nodes);
                let default = |node: &Node| {
                    let Body::Config(config) = &node.body else { return None };
                    let default = model.term(config.default?).ok()?;
                    Some((node.logical_name().to_owned(), default))
                };
                nodes.filter_map(default).collect()
            }
            _ => Vec::new(),
        }
    }

    fn attributes(
        &mut self,
        generated: &Generated<'_>,
        what: &'static str,
        attributes: &[Attribute],
        defaults: &[(String, Term)],
        found: &[(String, Yaml)],
    ) {
        for (key, value) in found {
            let is_given = attributes.iter().any(|attribute| attribute.name == *key);
            let is_default = || {
                let default = defaults.iter().find(|(name, _)| name == key);
                default.is_some_and(|(_, default)| generated.term(value).as_ref() == Ok(default))
            };
            if !is_given && !is_default() {
                self.complaint(format!("`{key}` comes from nowhere"));
            }
        }
        let model = Model { document: self.document };
        for attribute in attributes {
            if what == "options" && model.term(attribute.value) == Ok(Term::Null) {
                continue;
            }
            let found = found.iter().find(|(key, _)| *key == attribute.name);
            let found = found.map(|(_, value)| value);
            if found.is_some() {
                self.counts.count(what, 1);
                self.compare_comments(around(&attribute.comments));
            }
            let mut place = attribute.name_range;
            place.end = self.document.expression(attribute.value).range.end;
            self.value(generated, &attribute.name, Some(attribute.value), found, place);
        }
    }

    /// A value is in both and means the same, or is left out with a diagnostic.
    fn value(
        &mut self,
        generated: &Generated<'_>,
        name: &str,
        value: Option<ExpressionIndex>,
        found: Option<&Yaml>,
        place: Place,
    ) {
        let Some(value) = value else {
            if let Some(found) = found {
                self.complaint(format!("`{name}` comes from nowhere: {found:?}"));
            }
            return;
        };
        let Some(found) = found else { return self.left_out(place, name) };
        let model = Model { document: self.document };
        let wanted = model.term(value);
        let given = generated.term(found).map(|term| match &wanted {
            Ok(wanted) => paths(term, wanted),
            Err(_) => term,
        });
        let line = self.document.position(self.document.expression(value).range).line;
        match (wanted, given) {
            (Ok(wanted), Ok(given)) if wanted == given => {
                self.counts.count("references", wanted.references());
            }
            (wanted, given) => self.complaint(format!(
                "`{name}` (line {line}):\n  model {wanted:?}\n  yaml  {given:?}"
            )),
        }
    }

    fn left_out(&mut self, place: Place, what: &str) {
        self.missing.push(place);
        let is_reason = |reason: &Unsupported| place.contains(reason.place);
        if !self.project.unsupported.iter().any(is_reason) {
            let line = self.document.position(place).line;
            self.complaint(format!("{what} (line {line}) is left out, and nothing says why"));
        }
    }
}

fn around(comments: &Comments) -> impl Iterator<Item = &Comment> {
    let all = [&comments.detached, &comments.leading, &comments.trailing];
    all.into_iter().flatten()
}

/// The type of a config or input, in one notation: that of numbers is `number`.
fn config_type(found: &Yaml) -> String {
    let text = found.text("type").unwrap_or_default();
    match found.get("items") {
        Some(items) => format!("list({})", config_type(items)),
        None => text.replace('<', "(").replace('>', ")").replace("integer", "number"),
    }
}

/// A type of the model in the same notation.
fn type_text(document: &Document, ty: TypeIndex) -> String {
    let ty = document.alternatives(ty).first().copied().unwrap_or(ty);
    match document.ty(ty) {
        Type::List { element } => format!("list({})", type_text(document, *element)),
        Type::Map { .. } | Type::Object(_) | Type::Dynamic => "object".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int => "number".to_owned(),
        _ => document.type_text(ty),
    }
}

/// The forms that Pulumi YAML needs or has in place of others: texts as paths to properties, lists
/// of providers, and texts of numbers and bools.
fn paths(term: Term, wanted: &Term) -> Term {
    match (term, wanted) {
        (Term::Call(function, mut arguments), wanted)
            if function == "toJSON"
                && arguments.len() == 1
                && !matches!(wanted, Term::Call(function, _) if function == "toJSON") =>
        {
            paths(arguments.remove(0), wanted)
        }
        (Term::Call(function, mut arguments), wanted)
            if function == "join"
                && !matches!(wanted, Term::Call(..))
                && matches!(&arguments[..], [Term::Text(text), Term::List(parts)]
                    if text.is_empty() && parts.len() == 1) =>
        {
            let Some(Term::List(mut parts)) = arguments.pop() else { unreachable!() };
            paths(parts.remove(0), wanted)
        }
        (Term::List(terms), Term::List(wanted)) if terms.len() == wanted.len() => {
            let both = terms.into_iter().zip(wanted);
            Term::List(both.map(|(term, wanted)| paths(term, wanted)).collect())
        }
        (Term::Join(terms), Term::Join(wanted)) if terms.len() == wanted.len() => {
            let both = terms.into_iter().zip(wanted);
            Term::Join(both.map(|(term, wanted)| paths(term, wanted)).collect())
        }
        (Term::Map(terms), Term::Map(wanted)) => Term::Map(
            terms
                .into_iter()
                .map(|(key, term)| match wanted.get(&key) {
                    Some(wanted) => (key, paths(term, wanted)),
                    None => (key, term),
                })
                .collect(),
        ),
        (Term::Call(function, terms), Term::Call(_, wanted)) if terms.len() == wanted.len() => {
            let both = terms.into_iter().zip(wanted);
            Term::Call(function, both.map(|(term, wanted)| paths(term, wanted)).collect())
        }
        (Term::Part(of, key), Term::Part(wanted, _)) => {
            Term::Part(Box::new(paths(*of, wanted)), key)
        }
        // Providers by package are a list in Pulumi YAML.
        (Term::List(terms), Term::Map(wanted)) if terms.iter().eq(wanted.values()) => {
            Term::Map(wanted.clone())
        }
        (Term::Text(text), Term::Path(_)) => match path(&text, false) {
            Ok((steps, _)) => Term::Path(steps),
            Err(_) => Term::Text(text),
        },
        (term, _) => term,
    }
}

/// The targets of the names in the sections of a module.
struct Names<'y> {
    nodes: BTreeMap<String, NodeIndex>,
    made: BTreeMap<String, &'y Yaml>,
    complaints: Vec<String>,
}

impl<'y> Names<'y> {
    fn new(document: &Document, module: &Module, yaml: &'y Yaml, config: &str) -> Self {
        let mut names =
            Self { nodes: BTreeMap::new(), made: BTreeMap::new(), complaints: Vec::new() };
        // What exists outside the program is known by its name there.
        for section in ["resources", config] {
            for (key, entry) in yaml.section(section) {
                let logical = entry.text("name").unwrap_or(key);
                let ty = entry.text("type").map(token).unwrap_or_default();
                let is_it = |node: &Node| {
                    let same_type = match &node.body {
                        Body::Resource(resource) | Body::Read(resource) => {
                            resource.token.as_deref().map(token) == Some(ty.clone())
                        }
                        Body::Component(block) => {
                            let program = block.program.and_then(|id| document.component(id));
                            let local = program.map(|component| &component.name);
                            local.is_some_and(|name| ty.ends_with(&format!(":index:{name}")))
                                || block.token.as_deref().map(token) == Some(ty.clone())
                        }
                        Body::Config(_) => section == config,
                        _ => false,
                    };
                    same_type && node.logical_name() == logical
                };
                names.take(module, section, key, is_it);
            }
        }
        for (key, value) in yaml.section("variables") {
            let is_local =
                |node: &Node| matches!(node.body, Body::Local { .. } | Body::Output { .. });
            let legal = |node: &Node| pcl::names::identifier(&node.name, &["pulumi"]);
            let like =
                |node: &Node| is_local(node) && node.name != *key && key.starts_with(&legal(node));
            let exact = |node: &Node| is_local(node) && node.name == *key;
            if module.nodes.iter().any(exact) {
                names.take(module, "variables", key, exact);
            } else if module.nodes.iter().any(|node| like(node) && legal(node) != node.name) {
                names.take(module, "variables", key, like);
            } else {
                names.made.insert(key.clone(), value);
            }
        }
        names
    }

    fn take(&mut self, module: &Module, section: &str, key: &str, is_it: impl Fn(&Node) -> bool) {
        let taken: Vec<NodeIndex> = self.nodes.values().copied().collect();
        let node = module.in_order().find(|(index, node)| is_it(node) && !taken.contains(index));
        match node {
            Some((index, _)) => {
                if self.nodes.insert(key.to_owned(), index).is_some() {
                    self.complaints.push(format!("two things are called `{key}`"));
                }
            }
            None => self.complaints.push(format!("{section} `{key}` comes from nowhere")),
        }
    }
}
