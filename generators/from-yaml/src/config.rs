//! Configuration variables.

use pcl::schema::yaml::{Data, Node, Scalar};
use pcl::syntax::{is_identifier, quoted, quoted_label};

use crate::converter::{Converter, Entry};
use crate::keys::CONFIG;
use crate::mistakes::{invalid, no_form};

/// The types of Pulumi YAML, in lower case, as types of PCL.
const TYPES: [(&str, &str); 7] = [
    ("string", "string"),
    ("bool", "bool"),
    ("boolean", "bool"),
    ("number", "number"),
    ("int", "int"),
    ("integer", "int"),
    ("object", "map(any)"),
];

impl Converter<'_> {
    /// The block of a configuration variable.
    pub fn config(&mut self, entry: &Entry<'_>, name: &str) {
        let key = &entry.key.text;
        if !matches!(&*entry.value.data, Data::Map(_)) || entry.value.is_alias {
            self.plain_config(entry, name);
            return;
        }
        let fields = self.record(entry.value, &CONFIG);
        let (ty, default) = (fields.get("type"), fields.get("default"));
        let type_text = match (ty, default) {
            (Some(ty), _) => self.config_type(ty, fields.get("items"), 0),
            (None, Some(default)) => type_of(default).map(str::to_owned),
            (None, None) => fields.get("value").and_then(type_of).map(str::to_owned),
        };
        let type_text = match type_text {
            None if ty.is_none() && default.is_none() && fields.get("value").is_none() => {
                let message = format!("`{key}` needs a `type` or a `default`");
                self.diagnostics.push(invalid(self.span(entry.key.at), message));
                return;
            }
            known => known.unwrap_or_else(|| "any".to_owned()),
        };
        let logical = fields.get("name").and_then(|name| self.plain_text(name, "`name`"));
        let logical = logical.filter(|name| !name.is_empty());
        self.begin_config(entry, name, &type_text);
        if let Some(logical) = self.logical_name(entry, logical.as_deref())
            && logical != name
        {
            self.out.line(&format!("__logicalName = {}", quoted(&logical)));
        }
        let mut end = entry.key.at.range.end();
        for (field, key, value) in &fields.0 {
            let comments = (end, key.at.range.start());
            end = value.at.range.end();
            let text = match *field {
                "default" => {
                    let default = self.value(value);
                    format!("default = {}", default.text())
                }
                "description" => match self.plain_text(value, "`description`") {
                    Some(text) => format!("description = {}", quoted(&text)),
                    None => continue,
                },
                "secret" if self.plain_bool(value, "`secret`") == Some(true) => {
                    "secret = true".to_owned()
                }
                _ => continue,
            };
            self.comments_above(comments.0, comments.1);
            self.mark(value.at.range);
            self.out.line(&text);
            self.comment_behind(value.at.range);
        }
        self.comments_above(entry.key.at.range.end(), entry.value.at.range.end());
        self.out.close();
    }

    /// A variable whose value is in the project file. It is declared where a program needs it.
    fn plain_config(&mut self, entry: &Entry<'_>, name: &str) {
        let type_text = type_of(entry.value).unwrap_or("any");
        self.begin_config(entry, name, type_text);
        if let Some(logical) = self.logical_name(entry, None)
            && logical != name
        {
            self.out.line(&format!("__logicalName = {}", quoted(&logical)));
        }
        self.out.close();
    }

    fn begin_config(&mut self, entry: &Entry<'_>, name: &str, type_text: &str) {
        self.out.separate();
        self.comments_above(entry.before, entry.key.at.range.start());
        self.comments_above(entry.key.at.range.end(), entry.value.at.range.start());
        self.mark(entry.key.at.range);
        self.out.line(&format!("config {name} {} {{", label(type_text)));
    }

    /// The key of the configuration, without the namespace of the project.
    fn logical_name(&mut self, entry: &Entry<'_>, given: Option<&str>) -> Option<String> {
        let key = given.unwrap_or(&entry.key.text);
        let own = key.strip_prefix(self.project).and_then(|key| key.strip_prefix(':'));
        let name = own.unwrap_or(key);
        if name.contains(':') {
            let message = format!("PCL has no configuration variable in the namespace of `{key}`");
            self.diagnostics.push(no_form(self.span(entry.key.at), message));
            return None;
        }
        Some(name.to_owned())
    }

    /// A type of PCL.
    fn config_type(&mut self, ty: &Node, items: Option<&Node>, depth: usize) -> Option<String> {
        let text = self.plain_text(ty, "`type`")?;
        let lower = text.to_lowercase();
        if lower == "array" && depth < 8 {
            let Some(items) = items else {
                let message = "the type `array` needs `items`, with the type of the elements";
                let help = "write `items: { type: string }`";
                self.diagnostics.push(invalid(self.span(ty.at), message).help(help));
                return None;
            };
            let fields = self.record(items, &CONFIG);
            let element = fields.get("type");
            let element =
                element.and_then(|ty| self.config_type(ty, fields.get("items"), depth + 1));
            return Some(format!("list({})", element.as_deref().unwrap_or("any")));
        }
        if let Some(ty) = named(&lower, 0) {
            return Some(ty);
        }
        let known = "`string`, `integer`, `number`, `boolean`, `object` and `list<..>` of these";
        let message = format!("there is no type `{text}` of the configuration");
        let unknown = invalid(self.span(ty.at), message).help(format!("the types are {known}"));
        self.diagnostics.push(unknown);
        None
    }
}

/// A type as a label.
pub(crate) fn label(type_text: &str) -> String {
    if is_identifier(type_text) { type_text.to_owned() } else { quoted_label(type_text) }
}

/// The types of the settings of a project or stack: those of its section `config`, without the
/// namespace of the project.
pub(crate) fn settings(root: &Node, project: &str) -> Vec<(String, String)> {
    let config = root.entry("config").and_then(|(_, config)| config.entries());
    let mut settings = Vec::new();
    for (key, value) in config.unwrap_or_default() {
        let own = key.text.strip_prefix(project).and_then(|key| key.strip_prefix(':'));
        let name = own.unwrap_or(&key.text);
        if name.contains(':') {
            continue;
        }
        let field = |name: &str| Some(&value.entry(name)?.1);
        let ty = if field("secure").is_some() {
            Some("string".to_owned())
        } else if let Some(ty) = field("type").and_then(|ty| ty.text()) {
            named(&ty.to_lowercase(), 0)
        } else {
            let value = field("value").or(field("default")).unwrap_or(value);
            type_of(value).map(str::to_owned)
        };
        settings.push((name.to_owned(), ty.unwrap_or_else(|| "any".to_owned())));
    }
    settings
}

/// The type of a name in lower case.
fn named(name: &str, depth: usize) -> Option<String> {
    if depth > 8 {
        return None;
    }
    if let Some(element) = name.strip_prefix("list<").and_then(|rest| rest.strip_suffix('>')) {
        return Some(format!("list({})", named(element.trim(), depth + 1)?));
    }
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, ty)| (*ty).to_owned())
}

/// The type of a default.
fn type_of(default: &Node) -> Option<&'static str> {
    Some(match &*default.data {
        Data::Text(_) | Data::Scalar(Scalar::Time(_), _) => "string",
        Data::Scalar(Scalar::Bool(_), _) => "bool",
        Data::Scalar(Scalar::Int(_) | Scalar::Uint(_) | Scalar::Float(_), _) => "number",
        Data::Map(_) => "map(any)",
        Data::List(items) => match items.first().and_then(type_of)? {
            "string" => "list(string)",
            "number" => "list(number)",
            "bool" => "list(bool)",
            "map(any)" => "list(map(any))",
            _ => return None,
        },
        Data::Scalar(Scalar::Null, _) => return None,
    })
}
