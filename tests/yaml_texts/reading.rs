//! The values of what Pulumi YAML reads, and how they differ from a preview.

use std::collections::BTreeMap;

use pcl::eval::Event;
use pcl::values::{Alias, AliasParent, PropertyMap, PropertyValue};
use serde_json::{Map, Value, json};

use crate::program::{Project, events};

/// The differences between a preview and the readings of the files of a project.
pub fn differences(project: &Project, readings: &BTreeMap<String, Value>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, reading) in readings {
        if let Some(error) = reading.get("error") {
            complaints.push(format!("{path}: {error}"));
        }
    }
    let Some(program) = readings.get(project.program()) else {
        return vec!["there is no program".to_owned()];
    };
    let mut comparison = Comparison { project, reading: Reading(program), complaints };
    let name = readings.get(project.settings()).map(|read| &read["name"]);
    let name = name.cloned().unwrap_or_default();
    comparison.same("the name of the project", &name, &json!(project.text));
    comparison.outputs();
    comparison.config();
    for event in events(&project.preview) {
        comparison.event(event);
    }
    comparison.package(readings);
    comparison.complaints
}

struct Comparison<'p> {
    project: &'p Project,
    reading: Reading<'p>,
    complaints: Vec<String>,
}

impl<'p> Comparison<'p> {
    fn complain(&mut self, complaint: String) {
        self.complaints.push(complaint);
    }

    fn same(&mut self, what: &str, read: &Value, shown: &Value) {
        if read != shown {
            self.complain(format!("{what} is read as {read}, and shown as {shown}"));
        }
    }

    /// Properties are the same, apart from those that are left out.
    fn properties(&mut self, what: &str, read: &Value, mut shown: Value) {
        for (name, shown) in shown.as_object_mut().into_iter().flatten() {
            if read.get(name).is_none() {
                self.missing(&format!("{name} of {what}"));
                *shown = Value::Null;
            }
        }
        let written = shown.as_object_mut().expect("properties are an object");
        written.retain(|_, shown| !shown.is_null());
        self.same(what, read, &shown);
    }

    /// Something is not in the project, which has to say why.
    fn missing(&mut self, what: &str) {
        if self.project.left_out.is_empty() {
            self.complain(format!("{what} is missing, and nothing says why"));
        }
    }

    fn outputs(&mut self) {
        let shown = self.project.preview.outputs.iter().flatten();
        let mut names = 0;
        for (name, value) in shown {
            let what = format!("output {name:?}");
            match self.reading.entry("outputs", name) {
                Some(read) => {
                    names += 1;
                    let read = self.reading.value(read);
                    // A default that is left out leaves nothing to read.
                    if read.is_null() {
                        self.missing(&what)
                    } else {
                        self.same(&what, &read, &plain(value))
                    }
                }
                None => self.missing(&what),
            }
        }
        if self.reading.section("outputs").len() != names {
            self.complain("there are outputs that no preview shows".to_owned());
        }
    }

    /// The path to the property that the text names. A preview shows it as the program spells it.
    fn path(&self) -> String {
        format!("more[\"{}\"]", self.project.text.replace('"', "\\\""))
    }

    /// The configuration of the text has its name, and its default was an output.
    fn config(&mut self) {
        let outputs = self.project.preview.outputs.as_ref();
        if !outputs.is_some_and(|outputs| outputs.contains_key("config")) {
            return;
        }
        // An empty name is none.
        let text = match &*self.project.text {
            "" => "c",
            text => text,
        };
        let is_it = |(key, config): &(&str, &Value)| config["name"].as_str().unwrap_or(key) == text;
        if !self.reading.section("config").iter().any(is_it) {
            self.complain("no configuration has the name of the text".to_owned());
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Resource(request, _) => {
                // A component is in a package of its own.
                let kind = if request.is_custom {
                    without_index(&request.kind)
                } else {
                    "part:index:Part".to_owned()
                };
                let Some(read) = self.resource(&kind, &request.name) else {
                    return self.missing(&format!("resource {:?}", request.name));
                };
                let properties = self.reading.properties(&read["properties"]);
                let unknown = request.inputs.values().any(|value| plain(value).is_null());
                if !unknown {
                    self.properties("the inputs", &properties, object(&request.inputs));
                }
                let options = &request.options;
                let shown = json!({
                    "ignoreChanges": (!options.paths(pcl::language::ResourceOption::IgnoreChanges).is_empty()).then(|| [self.path()]),
                    "import": options.import_id,
                    "pluginDownloadURL": options.plugin_download_url,
                    "aliases": (!options.aliases.is_empty())
                        .then(|| options.aliases.iter().map(alias).collect::<Vec<_>>()),
                    "replacementTrigger": options.replacement_trigger.as_ref().map(plain),
                });
                for (name, shown) in shown.as_object().into_iter().flatten() {
                    let read = self.reading.value(&read["options"][name]);
                    let is_given = !shown.is_null() && shown != "";
                    match read.is_null() {
                        true if is_given => self.missing(&format!("the option {name}")),
                        true => {}
                        false => self.same(&format!("the option {name}"), &read, shown),
                    }
                }
            }
            Event::Read(request, _) => {
                let kind = without_index(&request.kind);
                let Some(read) = self.resource(&kind, &request.name) else {
                    return self.missing(&format!("read {:?}", request.name));
                };
                let id = self.reading.value(&read["get"]["id"]);
                self.same("the id", &id, &json!(request.id));
                let state = self.reading.properties(&read["get"]["state"]);
                let mut shown = PropertyMap::clone(&request.properties);
                shown.remove("id");
                self.properties("the state", &state, object(&shown));
            }
            Event::Invoke(request) => {
                let calls = self.reading.invokes();
                let token = without_index(&request.token);
                let shown = json!([token, object(&request.arguments), request.version]);
                if !calls.contains(&shown) {
                    if calls.is_empty() {
                        self.missing("a call")
                    } else {
                        self.complain(format!("{calls:?} are read, not {shown}"))
                    }
                }
            }
            _ => {}
        }
    }

    fn resource(&self, kind: &str, name: &str) -> Option<&'p Value> {
        let resources = self.reading.section("resources");
        let found = resources.into_iter().find(|(key, resource)| {
            resource["type"] == kind && resource["name"].as_str().unwrap_or(key) == name
        });
        found.map(|(_, resource)| resource)
    }

    fn package(&mut self, readings: &BTreeMap<String, Value>) {
        if let Some(reading) = readings.get("sdks/demo.yaml") {
            let read = &reading["package"]["downloadUrl"];
            let url = self.project.download_url.as_deref().unwrap_or_default();
            self.same("the place of the plugin", read, &json!(url));
        }
    }
}

/// The reading of a program.
struct Reading<'p>(&'p Value);

impl<'p> Reading<'p> {
    fn section(&self, name: &str) -> Vec<(&'p str, &'p Value)> {
        entries(&self.0[name])
    }

    fn entry(&self, section: &str, key: &str) -> Option<&'p Value> {
        let entries = self.section(section).into_iter();
        entries.filter(|(own, _)| *own == key).map(|(_, value)| value).next_back()
    }

    fn properties(&self, read: &Value) -> Value {
        let entries = entries(read).into_iter();
        Value::Object(entries.map(|(key, value)| (key.to_owned(), self.value(value))).collect())
    }

    /// The value of an expression.
    fn value(&self, read: &Value) -> Value {
        let of = |name: &str| read.get(name).filter(|_| read.is_object());
        if let Some(path) = of("reference") {
            return self.reference(path.as_array().map_or(&[][..], Vec::as_slice));
        }
        if let Some(parts) = of("interpolation") {
            let parts = parts.as_array().into_iter().flatten();
            let texts = parts.map(|part| match self.value(part) {
                Value::String(text) => text,
                value => value.to_string(),
            });
            return Value::String(texts.collect());
        }
        if let Some(object) = of("object") {
            let entries = object.as_array().into_iter().flatten();
            let entries = entries.map(|entry| {
                let key = self.value(&entry["key"]);
                let key = key.as_str().unwrap_or("<no text>").to_owned();
                (key, self.value(&entry["value"]))
            });
            return Value::Object(entries.collect());
        }
        if let Some(call) = of("call") {
            return match call[0].as_str() {
                Some("fn::secret") => self.value(&call[1]),
                _ => read.clone(),
            };
        }
        match read {
            Value::Array(elements) => elements.iter().map(|part| self.value(part)).collect(),
            _ => read.clone(),
        }
    }

    fn reference(&self, path: &[Value]) -> Value {
        let Some((Some(name), steps)) =
            path.split_first().map(|(name, steps)| (name.as_str(), steps))
        else {
            return Value::Null;
        };
        let config = || Some(&self.entry("config", name)?["default"]);
        let Some(value) = self.entry("variables", name).or_else(config) else {
            return json!({ "nothing is called": name });
        };
        let mut value = self.value(value);
        for step in steps {
            value = match step {
                Value::String(name) => value[name].take(),
                step => value[step.as_u64().unwrap_or(u64::MAX) as usize].take(),
            };
        }
        value
    }

    /// The calls of functions of packages: their tokens, arguments and versions.
    fn invokes(&self) -> Vec<Value> {
        let variables = self.section("variables").into_iter();
        let calls = variables.filter_map(|(_, value)| value.get("invoke"));
        let call = |call: &Value| json!([call[0], self.value(&call[1]), call[2]]);
        calls.map(call).collect()
    }
}

fn entries(read: &Value) -> Vec<(&str, &Value)> {
    let entries = read.as_array().into_iter().flatten();
    let entries = entries.map(|entry| (entry["key"].as_str().unwrap_or_default(), &entry["value"]));
    entries.collect()
}

/// A token as it is written in YAML.
fn without_index(token: &str) -> String {
    token.replacen(":index:", ":", 1)
}

/// A value that is shown, without marks.
fn plain(value: &PropertyValue) -> Value {
    match value {
        PropertyValue::Bool(value) => json!(value),
        PropertyValue::Number(number) => json!(number),
        PropertyValue::String(text) => json!(text.unmarked().to_string()),
        PropertyValue::Array(elements) => elements.iter().map(plain).collect(),
        PropertyValue::Object(entries) => object(entries),
        PropertyValue::Secret(value) => plain(value),
        _ => Value::Null,
    }
}

fn object(entries: &PropertyMap) -> Value {
    let entries = entries.iter();
    let entries: Map<_, _> = entries.map(|(key, value)| (key.to_string(), plain(value))).collect();
    Value::Object(entries)
}

/// An alias as the program gives it.
fn alias(alias: &Alias) -> Value {
    match alias {
        Alias::Urn(urn) => json!(urn.to_string()),
        Alias::Spec(spec) => {
            let mut shown = json!({ "name": spec.name });
            if let Some(kind) = &spec.kind {
                shown["type"] = json!(kind);
            }
            if spec.parent == AliasParent::None {
                shown["noParent"] = json!(true);
            }
            shown
        }
    }
}
