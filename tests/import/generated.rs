//! The law over states that are generated from schemas: those of the repository, and real ones if
//! they are beside the checkout.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::import::Request;
use pcl::schema::{
    Constant, LoadError, Loader, MemberId, Package, PackageRequest, Primitive, Properties,
    Reference, Section, TypeDef, TypeKind, TypeSpec,
};
use pcl_test_support::corpora::Corpus;
use pcl_test_support::root;
use serde_json::{Map, Value, json};

use crate::law::{Schemas, law};

const SIG: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";

/// The number of states for each set of schemas; `PCL_IMPORT_STATES` names another one.
fn count(default: usize) -> usize {
    let named = std::env::var("PCL_IMPORT_STATES").ok();
    named.map_or(default, |count| count.parse().expect("a number"))
}

/// Random numbers that are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// A package to generate from.
pub struct Source {
    package: Arc<Package>,
    version: String,
    resources: Vec<MemberId>,
}

/// The packages of the files.
struct Loaded(Vec<Arc<Package>>);

impl Loader for Loaded {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let mut fitting = self.0.iter().filter(|package| request.is_met_by(package));
        Ok(fitting.next().expect("only these packages are asked for").clone())
    }
}

/// The packages of schema files, as sources and for the law.
pub fn schemas(files: &[PathBuf]) -> (Vec<Source>, Schemas) {
    let (mut sources, mut secret) = (Vec::new(), BTreeSet::new());
    let mut loaded = Vec::new();
    for file in files {
        let Ok(package) = Package::open(file, None) else { continue };
        let resources: Vec<MemberId> = package
            .members(Section::Resources)
            .filter(|id| {
                // What is wrong with a schema is not the program's fault.
                let reach = package.reach(*id);
                reach.diagnostics.is_empty() && reach.external.is_empty()
            })
            .collect();
        if resources.is_empty() {
            continue;
        }
        let package = Arc::new(package);
        for section in [Section::Resources, Section::Types] {
            for member in package.members(section) {
                let properties = match section {
                    Section::Types => match package.type_by_id(member) {
                        Ok(Some(TypeDef::Object(properties))) => properties,
                        _ => continue,
                    },
                    _ => match package.resource_by_id(member) {
                        Ok(Some(spec)) => &spec.inputs,
                        _ => continue,
                    },
                };
                secret.extend(
                    properties.iter().filter(|(_, it)| it.secret).map(|(name, _)| name.to_owned()),
                );
            }
        }
        let version = package.version().map(ToString::to_string).unwrap_or_default();
        loaded.push(package.clone());
        sources.push(Source { package, version, resources });
    }
    let schemas = Schemas { loader: Arc::new(Loaded(loaded)), secret: Arc::new(secret) };
    (sources, schemas)
}

struct Generator<'r> {
    random: &'r mut Random,
    package: Arc<Package>,
    /// The URNs and ids of the resources so far, with their tokens.
    known: Vec<(String, String, String)>,
    /// Set if a value refers to a resource of a type that is not there.
    lacks_resource: bool,
}

const WORDS: [&str; 9] =
    ["a", "web", "${x}", "größe", "line\nline", "\"q\"", "10.0.0.0/8", "", "%{if}"];

impl Generator<'_> {
    fn properties(&mut self, properties: &Properties, depth: usize) -> Value {
        let mut fields = Map::new();
        for (name, spec) in properties.iter() {
            // Parts of large objects; all of small ones now and then.
            let is_there = spec.required || self.random.one_in(3) && depth < 4;
            if !is_there || depth > 6 {
                continue;
            }
            let value = match (&spec.constant, &spec.default) {
                (Some(constant), _) => of_constant(constant),
                (_, Some(default)) if self.random.one_in(2) => of_constant(default),
                _ => self.value(&spec.ty, depth + 1),
            };
            // An asset or a resource cannot be a variable.
            let text = value.to_string();
            let special = ["c44067f5952c0a29", "0def7320c3a5731c", "5cf8f73096256a8f"];
            let is_plain = special.iter().all(|signature| !text.contains(signature));
            let value = if self.random.one_in(12) && is_plain {
                json!({ SIG: SECRET, "plaintext": text })
            } else {
                value
            };
            fields.insert(name.to_owned(), value);
        }
        Value::Object(fields)
    }

    fn value(&mut self, spec: &TypeSpec, depth: usize) -> Value {
        let many = if depth > 4 { 1 } else { 3 };
        match &spec.kind {
            TypeKind::Primitive(primitive) => self.scalar(*primitive),
            TypeKind::Any => match self.random.below(5) {
                0 => json!({ "k": [1, "x", null], "o p": { "deep": true } }),
                1 => json!(12.5),
                2 => json!([]),
                _ => json!(*self.random.pick(&WORDS)),
            },
            TypeKind::Json => json!("{\"a\":1}"),
            TypeKind::Asset => match self.random.below(3) {
                0 => json!({ SIG: "c44067f5952c0a294b673a41bacd8c17", "hash": "h", "text": "hi" }),
                1 => {
                    json!({ SIG: "c44067f5952c0a294b673a41bacd8c17", "hash": "h", "path": "a.txt" })
                }
                _ => {
                    json!({ SIG: "c44067f5952c0a294b673a41bacd8c17", "hash": "h", "uri": "https://x.example.com/a" })
                }
            },
            TypeKind::Archive => {
                json!({ SIG: "0def7320c3a5731c473e5ecbe6d01bc7", "hash": "h", "assets": {
                "d": { SIG: "0def7320c3a5731c473e5ecbe6d01bc7", "hash": "h", "path": "dir" },
                "f": { SIG: "c44067f5952c0a294b673a41bacd8c17", "hash": "h", "path": "p.txt" } } })
            }
            TypeKind::Array(item) => {
                let count = self.random.below(many);
                (0..count).map(|_| self.value(item, depth + 1)).collect()
            }
            TypeKind::Map(item) => {
                let count = self.random.below(many);
                let keys = ["a", "b c", "${k}"];
                let entries =
                    (0..count).map(|at| (keys[at].to_owned(), self.value(item, depth + 1)));
                Value::Object(entries.collect())
            }
            TypeKind::Union(union) => {
                let element = self.random.pick(&union.elements).clone();
                self.value(&element, depth + 1)
            }
            TypeKind::Reference(reference) => self.reference(reference, depth),
            TypeKind::Invalid => Value::Null,
        }
    }

    fn reference(&mut self, reference: &Reference, depth: usize) -> Value {
        let package = self.package.clone();
        match reference {
            Reference::Type(member) => match package.type_by_id(*member) {
                Ok(Some(TypeDef::Object(properties))) => self.properties(properties, depth + 1),
                Ok(Some(TypeDef::Enum(spec))) if !spec.values.is_empty() => {
                    of_constant(&self.random.pick(&spec.values).value)
                }
                _ => json!("x"),
            },
            Reference::Resource(member) => {
                let token = package.token(*member);
                let known = self.known.iter().find(|(_, _, kind)| kind == token);
                match known {
                    Some((urn, id, _)) => json!({ SIG: "5cf8f73096256a8f31e491e813e4eb8e",
                        "urn": urn, "id": id, "packageVersion": "" }),
                    None => {
                        self.lacks_resource = true;
                        Value::Null
                    }
                }
            }
            Reference::Dangling { underlying: Some(primitive), .. } => self.scalar(*primitive),
            _ => Value::Null,
        }
    }

    fn scalar(&mut self, primitive: Primitive) -> Value {
        match primitive {
            Primitive::Boolean => json!(self.random.one_in(2)),
            Primitive::Integer => json!([0, 1, -7, 65_536, 2_147_483_647][self.random.below(5)]),
            Primitive::Number => json!([0.0, 0.1, -1e-9, 1e21, 12.0][self.random.below(5)]),
            Primitive::String => {
                if self.known.is_empty() || !self.random.one_in(4) {
                    json!(*self.random.pick(&WORDS))
                } else {
                    json!(self.random.pick(&self.known).1)
                }
            }
        }
    }
}

fn of_constant(constant: &Constant) -> Value {
    match constant {
        Constant::Boolean(value) => json!(value),
        Constant::Number(value) => json!(value),
        Constant::String(text) => json!(text),
    }
}

/// A state of a few resources of a package.
fn state(random: &mut Random, source: &Source) -> Value {
    const STACK: &str = "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev";
    let name = source.package.name().to_owned();
    let provider = format!("urn:pulumi:dev::proj::pulumi:providers:{name}::default");
    let mut resources = vec![
        json!({ "urn": STACK, "custom": false, "type": "pulumi:pulumi:Stack" }),
        json!({ "urn": provider, "custom": true, "id": "p-1", "type": format!("pulumi:providers:{name}"),
                "inputs": { "version": source.version } }),
        json!({ "urn": "urn:pulumi:dev::proj::my:index:Site::site", "custom": false,
                "type": "my:index:Site", "inputs": { "size": 3 }, "parent": STACK }),
    ];
    let mut generator = Generator {
        random,
        package: source.package.clone(),
        known: Vec::new(),
        lacks_resource: false,
    };
    let count = 2 + generator.random.below(5);
    for number in 0..count {
        let member = *generator.random.pick(&source.resources);
        let token = source.package.token(member).to_owned();
        let Ok(Some(spec)) = source.package.resource_by_id(member) else { continue };
        let label = ["web", "my.box", "1st", "range", "a b"][generator.random.below(5)];
        let label = format!(
            "{label}{}",
            if generator.random.one_in(3) { String::new() } else { format!("-{number}") }
        );
        let is_child = generator.random.one_in(3);
        let (parent, prefix) = if is_child {
            ("urn:pulumi:dev::proj::my:index:Site::site", "my:index:Site$")
        } else {
            (STACK, "")
        };
        let urn = format!("urn:pulumi:dev::proj::{prefix}{token}::{label}");
        if generator.known.iter().any(|(known, ..)| *known == urn) {
            continue;
        }
        generator.lacks_resource = false;
        let inputs = generator.properties(&spec.inputs, 0);
        if generator.lacks_resource {
            continue;
        }
        let mut resource = json!({
            "urn": urn, "custom": !spec.is_component, "type": token, "inputs": inputs, "parent": parent,
            "provider": format!("{provider}::p-1"), "outputs": {},
        });
        let id = format!("id-{number}");
        if !spec.is_component {
            resource["id"] = json!(id);
            if generator.random.one_in(3) {
                resource["protect"] = json!(true);
            }
            if generator.random.one_in(3)
                && let Some((other, ..)) = generator.known.first()
            {
                resource["dependencies"] = json!([other]);
            }
            if generator.random.one_in(6) {
                resource["ignoreChanges"] = json!(["*"]);
            } else if generator.random.one_in(4)
                && let Some(input) = spec.inputs.names().next()
            {
                resource["ignoreChanges"] = json!([input]);
            }
        }
        generator.known.push((urn, id, token));
        resources.push(resource);
    }
    json!({ "version": 3, "deployment": { "resources": resources } })
}

/// Holds states to the law, with and without `--fold`.
fn hold(files: &[PathBuf], states: usize) {
    let (sources, schemas) = schemas(files);
    assert!(!sources.is_empty());
    let mut random = Random(7);
    let (mut reports, mut failures) = (0, Vec::new());
    for number in 0..states {
        let source = &sources[number % sources.len()];
        let state = state(&mut random, source);
        for fold in [false, true] {
            let request = Request { fold, ..Request::default() };
            match law(&state, &schemas, &request) {
                Ok(kept) => reports += kept.reports,
                Err(reason) => failures
                    .push(format!("{} {number}: {reason}\n{state:#}", source.package.name())),
            }
        }
    }
    let shown: Vec<String> =
        failures.iter().take(3).map(|it| it.chars().take(6000).collect()).collect();
    assert!(failures.is_empty(), "{} of {states} states\n{}", failures.len(), shown.join("\n\n"));
    println!("{states} states, {reports} reports");
}

fn files(directory: &Path) -> Vec<PathBuf> {
    pcl_test_support::sorted(directory)
}

#[test]
fn states_from_our_schemas_keep_the_law() {
    hold(&files(&root().join("corpus/schemas")), count(120));
}

/// The schemas by other authors are those of up to 1 MiB, compressed.
#[test]
fn states_from_real_schemas_keep_the_law() {
    let Some(corpus) = Corpus::shared() else { return };
    let mut all = Vec::new();
    for directory in &corpus.schemas {
        all.extend(files(directory).into_iter().filter(|file| {
            std::fs::metadata(file).is_ok_and(|it| it.len() < 1 << 20)
                && (directory.ends_with("providers") || directory.ends_with("conformance"))
        }));
    }
    hold(&all, count(500));
}
