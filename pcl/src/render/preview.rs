//! Previews as text for people, and as the document of `docs/formats/preview.schema.json`.

use std::collections::BTreeMap;

use pcl_eval::monitor::{Outcome, ReadResource, RegisterResource, Registered};
use pcl_eval::notation::{Secrets, write, write_map};
use pcl_eval::{Event, UnknownRange};
use pcl_values::{Output, PropertyMap, PropertyValue, Urn};
use serde_json::{Value as Json, json};

use super::json::{FORMAT_VERSION, Records, count};
use super::text::one_line;
use crate::preview::Preview;

/// The resources of a preview as a tree with their inputs, and the outputs of the stack.
pub fn preview_text(preview: &Preview, secrets: Secrets) -> String {
    let tree = Tree::of(preview);
    let mut text = String::new();
    let mut printer = Printer { tree: &tree, text: &mut text, secrets };
    for root in tree.roots() {
        printer.tree(root);
    }
    if !preview.unknown_ranges.is_empty() {
        text.push_str("\nunknown number of resources\n");
        for range in &preview.unknown_ranges {
            text.push_str(&format!("  {} {}\n", block_of(range), one_line(&range.name)));
        }
    }
    if let Some(outputs) = preview.outputs.as_ref().filter(|outputs| !outputs.is_empty()) {
        text.push_str("\noutputs\n");
        let mut printer = Printer { tree: &tree, text: &mut text, secrets };
        for (name, value) in outputs {
            printer.property("  ", name, value);
        }
    }
    text
}

/// The keyword of a block.
fn block_of(range: &UnknownRange) -> &'static str {
    if range.is_component { "component" } else { "resource" }
}

/// A value on one line. Secrets are shown only where that is asked for.
pub fn shown(value: &PropertyValue, secrets: Secrets) -> String {
    match secrets {
        Secrets::Hide => value.to_string(),
        Secrets::Show => revealed(value).to_string(),
    }
}

/// The value with its secrets as plain values.
fn revealed(value: &PropertyValue) -> PropertyValue {
    match value {
        PropertyValue::Secret(inner) => revealed(inner),
        PropertyValue::Output(output) => match output.value() {
            Some(value) => Output::known(revealed(value))
                .with_dependencies(output.dependencies().clone())
                .into(),
            None => PropertyValue::UNKNOWN,
        },
        PropertyValue::Array(elements) => elements.iter().map(revealed).collect::<Vec<_>>().into(),
        PropertyValue::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, value)| (name.clone(), revealed(value)));
            fields.collect::<PropertyMap>().into()
        }
        other => other.clone(),
    }
}

/// A resource, read or component of a preview.
struct Shown<'p> {
    urn: &'p str,
    kind: &'p str,
    name: &'p str,
    parent: Option<&'p Urn>,
    is_read: bool,
    has_failed: bool,
    id: Option<PropertyValue>,
    inputs: &'p PropertyMap,
    outputs: &'p PropertyMap,
}

/// The resources by their parents.
struct Tree<'p> {
    shown: Vec<Shown<'p>>,
    children: BTreeMap<&'p str, Vec<usize>>,
}

impl<'p> Tree<'p> {
    fn of(preview: &'p Preview) -> Self {
        let shown: Vec<Shown<'p>> = preview.events.iter().filter_map(shown_event).collect();
        let mut children: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, resource) in shown.iter().enumerate() {
            if let Some(parent) = resource.parent {
                children.entry(parent.as_str()).or_default().push(at);
            }
        }
        Self { shown, children }
    }

    fn roots(&self) -> impl Iterator<Item = usize> {
        let roots = self.shown.iter().enumerate();
        let roots = roots.filter(|(_, resource)| resource.parent.is_none());
        roots.map(|(at, _)| at)
    }
}

fn shown_event(event: &Event) -> Option<Shown<'_>> {
    match event {
        Event::Resource(request, answer) => Some(of_resource(request, answer)),
        Event::Read(request, answer) => Some(Shown {
            urn: answer.urn.as_str(),
            kind: &request.kind,
            name: &request.name,
            parent: request.parent.as_ref(),
            is_read: true,
            has_failed: false,
            id: read_id(request),
            inputs: &request.properties,
            outputs: &answer.properties,
        }),
        _ => None,
    }
}

fn read_id(request: &ReadResource) -> Option<PropertyValue> {
    let id = PropertyValue::from(request.id.as_deref()?);
    Some(if request.has_secret_id { id.secret() } else { id })
}

fn of_resource<'p>(request: &'p RegisterResource, answer: &'p Registered) -> Shown<'p> {
    Shown {
        urn: answer.urn.as_str(),
        kind: &request.kind,
        name: &request.name,
        parent: request.parent.as_ref(),
        is_read: false,
        has_failed: answer.outcome != Outcome::Succeeded,
        id: (!answer.id.is_empty()).then(|| answer.id.as_str().into()),
        inputs: &request.inputs,
        outputs: &answer.outputs,
    }
}

struct Printer<'t, 'p> {
    tree: &'t Tree<'p>,
    text: &'t mut String,
    secrets: Secrets,
}

/// The most levels of a tree that are indented; deeper ones stay where they are.
const MAX_LEVELS: usize = 40;

impl Printer<'_, '_> {
    /// Prints a resource with everything below it.
    fn tree(&mut self, root: usize) {
        let mut pending = vec![(root, String::new(), String::new())];
        while let Some((at, first, rest)) = pending.pop() {
            let children = self.node(at, &first, &rest);
            let is_deep = rest.chars().count() >= 3 * MAX_LEVELS;
            // The last one is printed last.
            for (place, &child) in children.iter().enumerate().rev() {
                let is_last = place + 1 == children.len();
                let (branch, below) = if is_last {
                    ("└─ ", if is_deep { "" } else { "   " })
                } else {
                    ("├─ ", if is_deep { "" } else { "│  " })
                };
                pending.push((child, format!("{rest}{branch}"), format!("{rest}{below}")));
            }
        }
    }

    /// Prints a resource behind `first`, and its properties behind `rest`. The result are its
    /// children.
    fn node(&mut self, at: usize, first: &str, rest: &str) -> Vec<usize> {
        let Some(resource) = self.tree.shown.get(at) else { return Vec::new() };
        let children = self.tree.children.get(resource.urn);
        let children = children.cloned().unwrap_or_default();
        let reads = if resource.is_read { "read " } else { "" };
        let failed = if resource.has_failed { " [failed]" } else { "" };
        let line = format!("{first}{reads}{} {}{failed}\n", resource.kind, resource.name);
        self.text.push_str(&line);
        let bar = if children.is_empty() { " " } else { "│" };
        let before = format!("{rest}{bar}   ");
        if let Some(id) = &resource.id {
            self.property(&before, "id", id);
        }
        for (name, value) in resource.inputs {
            self.property(&before, name, value);
        }
        for (name, value) in resource.outputs {
            if resource.inputs.get(name) != Some(value) {
                self.property(&before, name, value);
            }
        }
        children
    }
}

/// The longest value that stays on the line of its name.
const LONGEST: usize = 60;

impl Printer<'_, '_> {
    /// Prints a property behind `before`: a long object or list is a tree of its own.
    fn property(&mut self, before: &str, name: &str, value: &PropertyValue) {
        let text = shown(value, self.secrets);
        let is_deep = before.chars().count() >= 3 * MAX_LEVELS;
        if text.chars().count() <= LONGEST || is_deep {
            self.text.push_str(&format!("{before}{name} = {text}\n"));
            return;
        }
        let below = format!("{before}  ");
        match value {
            PropertyValue::Object(fields) if !fields.is_empty() => {
                self.text.push_str(&format!("{before}{name}\n"));
                for (key, value) in fields {
                    self.property(&below, &field_name(key), value);
                }
            }
            PropertyValue::Array(elements) if !elements.is_empty() => {
                self.text.push_str(&format!("{before}{name}\n"));
                for (at, value) in elements.iter().enumerate() {
                    self.property(&below, &format!("[{at}]"), value);
                }
            }
            _ => self.text.push_str(&format!("{before}{name} = {text}\n")),
        }
    }
}

/// The name of a field, in quotes if it is no identifier.
fn field_name(name: &str) -> String {
    if pcl_syntax::is_identifier(name) {
        name.to_owned()
    } else {
        PropertyValue::from(name).to_string()
    }
}

/// A preview as one JSON document, diagnostics included.
pub fn preview_json(preview: &Preview, secrets: Secrets) -> Vec<u8> {
    let report = &preview.report;
    let mut resources = preview.events.iter().filter_map(|event| match event {
        Event::Resource(request, answer) => Some(resource_json(preview, request, answer, secrets)),
        Event::Read(request, answer) => Some(json!({
            "urn": answer.urn.as_str(),
            "type": &*request.kind,
            "name": &*request.name,
            "kind": "read",
            "failed": false,
            "parent": request.parent.as_ref().map(Urn::as_str),
            "id": read_id(request).map(|id| write(&id, secrets)),
            "inputs": write_map(&request.properties, secrets),
            "outputs": write_both(&request.properties, &answer.properties, secrets),
            "dependencies": urns(request.dependencies.iter()),
            "source": source(preview, request.source),
        })),
        _ => None,
    });
    let invokes = preview.events.iter().filter_map(|event| match event {
        Event::Invoke(request) => Some(json!({
            "token": request.token,
            "arguments": write_map(&request.arguments, secrets),
        })),
        Event::Call(request) => Some(json!({
            "token": request.token,
            "arguments": write_map(&request.arguments, secrets),
        })),
        _ => None,
    });
    let unknown_ranges = preview.unknown_ranges.iter().map(|range| {
        json!({
            "block": block_of(range),
            "name": range.name,
            "source": source(preview, Some(range.span)),
        })
    });
    let document = json!({
        "format_version": FORMAT_VERSION,
        "program": preview.path,
        "valid": count(&report.diagnostics).0 == 0,
        "diagnostics": Records::all(report),
        "project": preview.project,
        "stack": preview.stack,
        "resources": Json::Null,
        "unknown_ranges": unknown_ranges.collect::<Vec<Json>>(),
        "calls": invokes.collect::<Vec<Json>>(),
        "outputs": preview.outputs.as_ref().map(|outputs| write_map(outputs, secrets)),
    });
    let mut text = Vec::new();
    // Resources may be many, so that only one of them is in memory as JSON.
    for (name, value) in document.as_object().into_iter().flatten() {
        text.push(if text.is_empty() { b'{' } else { b',' });
        text.extend(json!(name).to_string().into_bytes());
        text.push(b':');
        match &**name {
            "resources" => list(&mut resources, &mut text),
            _ => text.extend(value.to_string().into_bytes()),
        }
    }
    text.extend(b"}\n");
    text
}

/// Writes a list of documents.
fn list(documents: &mut dyn Iterator<Item = Json>, text: &mut Vec<u8>) {
    text.push(b'[');
    for (at, document) in documents.enumerate() {
        if at > 0 {
            text.push(b',');
        }
        text.extend(document.to_string().into_bytes());
    }
    text.push(b']');
}

/// Properties, and others over them.
fn write_both(properties: &PropertyMap, over: &PropertyMap, secrets: Secrets) -> Json {
    let mut written = write_map(properties, secrets);
    if let (Json::Object(fields), Json::Object(others)) = (&mut written, write_map(over, secrets)) {
        fields.extend(others);
    }
    written
}

fn resource_json(
    preview: &Preview,
    request: &RegisterResource,
    answer: &Registered,
    secrets: Secrets,
) -> Json {
    let kind = match (request.is_custom, request.parent.is_some()) {
        (_, false) => "stack",
        (true, true) => "resource",
        (false, true) => "component",
    };
    let id = match answer.id.is_empty() {
        true if request.is_custom => json!({ "$unknown": true }),
        true => Json::Null,
        false => json!(answer.id),
    };
    json!({
        "urn": answer.urn.as_str(),
        "type": &*request.kind,
        "name": &*request.name,
        "kind": kind,
        "failed": answer.outcome != Outcome::Succeeded,
        "parent": request.parent.as_ref().map(Urn::as_str),
        "id": id,
        "inputs": write_map(&request.inputs, secrets),
        "outputs": write_both(&request.inputs, &answer.outputs, secrets),
        "dependencies": urns(request.dependencies.iter()),
        "source": source(preview, request.source),
    })
}

fn urns<'u>(urns: impl Iterator<Item = &'u Urn>) -> Vec<&'u str> {
    urns.map(Urn::as_str).collect()
}

/// The place of a block: file, line and column from 1.
fn source(preview: &Preview, span: Option<pcl_diagnostics::Span>) -> Json {
    let Some(span) = span else { return Json::Null };
    let position = preview.sources.position(span.file, span.range.start());
    json!({
        "file": preview.sources.path(span.file),
        "line": position.line,
        "column": position.column,
    })
}

/// The JSON of a value that an expression has.
pub fn value_json(value: &PropertyValue, secrets: Secrets) -> String {
    write(value, secrets).to_string()
}
