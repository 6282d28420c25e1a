//! The law: a program that was written for a state is valid, and evaluating it with the values of
//! its secrets registers the resources of the state with their inputs and options. Whatever it
//! gives otherwise is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pcl::diagnostics::{Code, Diagnostic, FileId};
use pcl::eval::{ConfigEntry, Evaluation, Settings as RunSettings, Setup};
use pcl::import::{Imported, Request, import};
use pcl::render::Format;
use pcl::schema::Loader;
use pcl::state::{Read, Resource, State};
use pcl::{Settings, Target, Workspace};
use serde_json::Value;

use crate::engine::{AnyFile, Engine};
use crate::plain::{config_text, differences, of_run, of_state, without_secrets};

/// The schemas of a test, and the names of the properties that they make secret.
#[derive(Clone)]
pub struct Schemas {
    pub loader: Arc<dyn Loader>,
    pub secret: Arc<BTreeSet<String>>,
}

/// A program that keeps the law.
pub struct Kept {
    pub text: String,
    /// The number of differences that were reported.
    pub reports: usize,
}

/// Writes a program for a state, and holds it to the law. The result is the reason if the state is
/// refused or the law is broken.
pub fn law(state: &Value, schemas: &Schemas, request: &Request<'_>) -> Result<Kept, String> {
    let Read { state, mut diagnostics } = State::read(state.to_string().into(), FileId(0));
    diagnostics.retain(Diagnostic::is_error);
    let Some(state) = state.filter(|_| diagnostics.is_empty()) else {
        return Err(said(&diagnostics));
    };
    let Imported { text, secrets, diagnostics, .. } =
        import(&state, FileId(0), request, &*schemas.loader);
    let Some(text) = text else { return Err(said(&diagnostics)) };
    let broken = |reason: &str| Err(format!("broken law: {reason}\n{text}"));

    // It is formatted and valid.
    let tree = pcl::syntax::parse(text.as_str());
    if pcl::format::format(&tree).as_deref() != Some(text.as_str()) {
        return broken("the program is not formatted");
    }
    let workspace = Workspace::new(Settings::default()).with_loader(schemas.loader.clone());
    let checked = workspace.check(&Target::text("main.pp", text.clone()));
    let found = checked.diagnostics.iter().filter(|it| it.code != Code::Deprecated);
    // What is wrong with a schema is not the program's fault.
    let found: Vec<_> = found.filter(|it| it.code != Code::InvalidSchemaMember).collect();
    if !found.is_empty() {
        let report = Format::Concise.render(&checked.report, false);
        return broken(&String::from_utf8_lossy(&report));
    }

    // It runs.
    let mut parts = state.resources().next().map(|it| it.urn().into_owned()).unwrap_or_default();
    parts = parts.trim_start_matches("urn:pulumi:").to_owned();
    let mut parts = parts.split("::");
    let (stack, project) = (parts.next().unwrap_or("dev"), parts.next().unwrap_or("proj"));
    let engine = Arc::new(Engine::new(&state, stack, project));
    let config: BTreeMap<String, ConfigEntry> = secrets
        .iter()
        .map(|secret| {
            let text = config_text(&state, &secret.urn, &secret.path, secret.type_text);
            let entry = ConfigEntry { text: Some(text.into()), is_secret: true };
            (format!("{project}:{}", secret.name), entry)
        })
        .collect();
    let evaluation = Evaluation::new(Setup {
        program: Arc::new(checked.program),
        settings: RunSettings {
            project: project.to_owned(),
            stack: stack.to_owned(),
            organization: "organization".to_owned(),
            parallel: 1,
            config,
            ..RunSettings::default()
        },
        contents: Arc::new(AnyFile),
        monitor: engine.clone(),
        trees: &[],
        variables: Vec::new(),
        nodes: Vec::new(),
    });
    let outcome = evaluation.run();
    if outcome.outputs.is_none() {
        return broken(&format!("the run fails: {:#?}", outcome.diagnostics));
    }

    // It registers what the state has.
    let mut given: BTreeMap<String, Given> = BTreeMap::new();
    for (urn, request) in engine.registered.lock().unwrap().iter() {
        let options = &request.options;
        let entry = Given {
            inputs: of_run(&request.inputs),
            dependencies: request.dependencies.iter().map(|it| it.as_str().to_owned()).collect(),
            provider: options.provider.as_ref().map(ToString::to_string),
            protect: options.protect,
            retain: options.retain_on_delete,
            ignored: options.paths(pcl::language::ResourceOption::IgnoreChanges).to_vec(),
            deleted_with: options.deleted_with.as_ref().map(|it| it.as_str().to_owned()),
            replace_with: options.replace_with.iter().map(|it| it.as_str().to_owned()).collect(),
            import: options.import_id.clone(),
            is_custom: Some(request.is_custom),
        };
        if given.insert(urn.clone(), entry).is_some() {
            return broken(&format!("{urn} is registered twice"));
        }
    }
    for (urn, request) in engine.read.lock().unwrap().iter() {
        let entry = Given {
            inputs: of_run(&request.properties),
            dependencies: request.dependencies.iter().map(|it| it.as_str().to_owned()).collect(),
            provider: request.provider.as_ref().map(ToString::to_string),
            ..Given::default()
        };
        given.insert(urn.clone(), entry);
    }
    let reports = Reports::of(&diagnostics);
    let resources: Vec<Resource<'_>> = state.resources().filter(|it| !it.is_deleted()).collect();
    for resource in &resources {
        let urn = resource.urn().into_owned();
        let is_written = !resource.is_stack() && !resource.is_default_provider();
        if !is_written || !request.urns.is_empty() {
            continue;
        }
        let mut found = given.remove(&urn);
        if found.is_none() && reports.has(&urn, "urn") {
            let end = format!("{}::{}", resource.kind(), resource.name());
            let other = given.keys().find(|it| it.ends_with(&end)).cloned();
            found = other.and_then(|other| given.remove(&other));
        }
        let Some(given) = found else {
            if is_in_remote_component(*resource, &resources) {
                continue;
            }
            return broken(&format!("{urn} is not registered"));
        };
        if let Err(reason) = same(*resource, &given, &resources, schemas, &reports) {
            return broken(&format!("{urn}: {reason}"));
        }
    }
    given.retain(|urn, _| !urn.contains("::pulumi:pulumi:Stack::"));
    if request.urns.is_empty() && !given.is_empty() {
        return broken(&format!("{:?} is not in the state", given.keys()));
    }
    Ok(Kept { text, reports: diagnostics.len() })
}

/// The errors among diagnostics.
fn said(diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|it| it.is_error());
    let errors: Vec<String> =
        errors.map(|it| format!("{} {}", it.code.name(), it.message)).collect();
    errors.join("\n")
}

/// The request of a program for a resource.
#[derive(Default)]
struct Given {
    inputs: Value,
    dependencies: BTreeSet<String>,
    provider: Option<String>,
    protect: Option<bool>,
    retain: Option<bool>,
    ignored: Vec<String>,
    deleted_with: Option<String>,
    replace_with: Vec<String>,
    import: String,
    is_custom: Option<bool>,
}

/// The paths of inputs and the options that diagnostics name, by URN.
struct Reports(BTreeMap<String, Vec<String>>);

impl Reports {
    fn of(diagnostics: &[Diagnostic]) -> Self {
        let mut reports: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for diagnostic in diagnostics {
            let note = diagnostic.notes.iter().find_map(|note| note.strip_prefix("of "));
            let path = if diagnostic.message.starts_with("the URN ") {
                Some("urn")
            } else {
                diagnostic.message.split('`').nth(1)
            };
            if let (Some(urn), Some(path)) = (note, path) {
                reports.entry(urn.to_owned()).or_default().push(path.to_owned());
            }
        }
        Self(reports)
    }

    /// Returns true if a diagnostic is about this path, about a part of it, or about what it is a
    /// part of.
    fn has(&self, urn: &str, path: &str) -> bool {
        let is_part = |whole: &str, part: &str| {
            part.strip_prefix(whole)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let mut paths = self.0.get(urn).into_iter().flatten();
        paths.any(|reported| is_part(reported, path) || is_part(path, reported))
    }
}

fn is_in_remote_component(resource: Resource<'_>, all: &[Resource<'_>]) -> bool {
    let mut parent = resource.parent();
    for _ in 0..all.len() {
        let Some(urn) = parent else { return false };
        let Some(around) = all.iter().find(|it| it.urn() == urn) else { return false };
        if !around.is_custom() && around.text("provider").is_some() {
            return true;
        }
        parent = around.parent();
    }
    false
}

fn same(
    resource: Resource<'_>,
    given: &Given,
    all: &[Resource<'_>],
    schemas: &Schemas,
    reports: &Reports,
) -> Result<(), String> {
    let urn = resource.urn().into_owned();
    let mut expected =
        resource.inputs().map(of_state).unwrap_or_else(|| Value::Object(<_>::default()));
    without_internal(&mut expected, resource.is_provider());
    let mut inputs = given.inputs.clone();
    without_schema_secrets(&mut inputs, &mut expected, &schemas.secret);
    let mut paths = Vec::new();
    differences(&expected, &inputs, "", &mut paths);
    for path in paths {
        let shown = path.replace(".$secret", "");
        if !reports.has(&urn, &shown) {
            return Err(format!(
                "`{path}` differs without a report\nexpected {expected:#}\nfound {inputs:#}"
            ));
        }
    }
    let texts =
        |field: &str| -> Vec<String> { resource.texts(field).map(|it| it.into_owned()).collect() };
    let field = |name: &str, same: bool| {
        if same || reports.has(&urn, name) {
            Ok(())
        } else {
            Err(format!("the option `{name}` differs"))
        }
    };
    let is_shown = |urn: &str| {
        all.iter().any(|it| {
            it.urn() == urn
                && !it.is_stack()
                && !it.is_default_provider()
                && !is_in_remote_component(*it, all)
        })
    };
    for dependency in texts("dependencies") {
        field("dependsOn", !is_shown(&dependency) || given.dependencies.contains(&dependency))?;
    }
    let provider = resource.text("provider");
    let is_explicit =
        provider.as_deref().is_some_and(|it| is_shown(it.rsplit_once("::").map_or(it, |it| it.0)));
    if is_explicit {
        field("provider", given.provider.as_deref() == provider.as_deref())?;
    }
    if let Some(is_custom) = given.is_custom {
        field("custom", is_custom == resource.is_custom())?;
        field("protect", given.protect.unwrap_or(false) == resource.flag("protect"))?;
        field("retainOnDelete", given.retain.unwrap_or(false) == resource.flag("retainOnDelete"))?;
        field("ignoreChanges", given.ignored == texts("ignoreChanges"))?;
        field(
            "deletedWith",
            given.deleted_with == resource.text("deletedWith").map(|it| it.into_owned()),
        )?;
        field("replaceWith", given.replace_with == texts("replaceWith"))?;
        field("import", given.import == resource.text("importID").unwrap_or_default())?;
    }
    Ok(())
}

/// Removes what providers and Pulumi keep in inputs for themselves.
fn without_internal(value: &mut Value, is_provider: bool) {
    if let Value::Object(fields) = value {
        fields.retain(|name, _| !matches!(name.as_str(), "__defaults" | "__meta"));
        if is_provider {
            fields.retain(|name, _| {
                !matches!(name.as_str(), "version" | "__internal" | "pluginDownloadURL")
            });
        }
        fields.values_mut().for_each(|value| without_internal(value, false));
    }
    if let Value::Array(elements) = value {
        elements.iter_mut().for_each(|value| without_internal(value, false));
    }
}

/// Removes the marks of secrets that only the schema makes. In such a secret, others do not count.
fn without_schema_secrets(given: &mut Value, expected: &mut Value, secret: &BTreeSet<String>) {
    match (given, expected) {
        (Value::Object(fields), Value::Object(others)) => {
            for (name, value) in fields.iter_mut() {
                let Some(other) = others.get_mut(name) else { continue };
                if other.get("$secret").is_none()
                    && secret.contains(name)
                    && let Some(inner) = value.get("$secret").cloned()
                {
                    *value = inner;
                    *other = without_secrets(other.take());
                }
                without_schema_secrets(value, other, secret);
            }
        }
        (Value::Array(elements), Value::Array(others)) => {
            for (value, other) in elements.iter_mut().zip(others) {
                without_schema_secrets(value, other, secret);
            }
        }
        _ => {}
    }
}
