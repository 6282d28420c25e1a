//! `pcl state show`: one resource, its values, and where it comes from.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_state::json::Value;
use pcl_state::value::{Content, Property, Secret};
use pcl_state::{Keys, Need, NeedKind, Resource, State};
use serde_json::{Map, Value as Json, json};

use crate::render::text::one_line;
use crate::state::tree::marks;

/// The resources that a word names.
pub enum Found<'s> {
    /// None, with the URN that is probably meant.
    None(Option<String>),
    /// One.
    One(Resource<'s>),
    /// Several, by their URNs.
    Several(Vec<String>),
}

/// The resource with this URN, or with this name if no other one has it. Of two with one URN, the
/// one that is not to be deleted is meant.
pub fn find<'s>(state: &'s State, word: &str) -> Found<'s> {
    let mut by_urn: Option<Resource<'s>> = None;
    let mut by_name: Vec<Resource<'s>> = Vec::new();
    for resource in state.resources() {
        if resource.urn() == word && (by_urn.is_none() || !resource.is_deleted()) {
            by_urn = Some(resource);
        }
        if resource.name() == word {
            by_name.push(resource);
        }
    }
    if let Some(resource) = by_urn {
        return Found::One(resource);
    }
    let is_live = |resource: &&Resource<'s>| !resource.is_deleted();
    let live: Vec<Resource<'s>> = by_name.iter().filter(is_live).copied().collect();
    match (live.as_slice(), by_name.as_slice()) {
        ([one], _) | ([], [one]) => Found::One(*one),
        ([], []) => {
            let names = state.resources().flat_map(|it| [it.urn().into_owned(), it.name()]);
            let names: Vec<String> = names.collect();
            let names = names.iter().map(String::as_str);
            Found::None(pcl_diagnostics::suggest(word, names).map(str::to_owned))
        }
        (several, _) => Found::Several(several.iter().map(|it| it.urn().into_owned()).collect()),
    }
}

/// A resource with its provenance: where it belongs, which resources its inputs come from, what
/// needs it. Secrets are shown only with keys.
pub fn resource_text(state: &State, resource: Resource<'_>, keys: Option<&Keys>) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "{}", one_line(&resource.urn()));
    let mut line = |name: &str, value: Option<Cow<'_, str>>| {
        if let Some(value) = value {
            let _ = writeln!(out, "  {name:<15}{}", one_line(&value));
        }
    };
    line("type", Some(resource.kind()));
    line("name", Some(resource.name().into()));
    line("id", resource.id());
    line("import id", resource.text("importID"));
    line("parent", resource.parent());
    line("provider", resource.text("provider"));
    let marks = marks(resource);
    line("flags", (!marks.is_empty()).then(|| marks.join(", ").into()));
    line("created", resource.text("created"));
    line("modified", resource.text("modified"));
    line("source", resource.text("sourcePosition"));
    for (field, title) in
        [("aliases", "alias"), ("ignoreChanges", "ignores"), ("initErrors", "failed")]
    {
        for text in resource.texts(field) {
            line(title, Some(text));
        }
    }
    for need in resource.needs() {
        match need.kind {
            NeedKind::Dependency => line("depends on", Some(need.urn)),
            NeedKind::DeletedWith => line("deleted with", Some(need.urn)),
            NeedKind::ReplaceWith => line("replaced with", Some(need.urn)),
            NeedKind::Parent | NeedKind::Provider | NeedKind::Property(_) => {}
        }
    }
    let urn = resource.urn();
    for other in state.resources() {
        if let Some(role) = role(other, &urn) {
            let text = format!("{} ({role})", other.urn());
            line("needed by", Some(text.into()));
        }
    }
    for (title, object) in [("inputs", resource.inputs()), ("outputs", resource.outputs())] {
        let Some(object) = object else { continue };
        let fields = fields(object, keys);
        if !fields.is_empty() {
            let _ = writeln!(out, "{title}");
        }
        for (name, value) in fields {
            let _ = write!(out, "  {} = {}", one_line(&name), one_line(&text(&value)));
            if title == "inputs"
                && let Some(sources) = resource.property_dependencies(&name)
            {
                for source in sources {
                    let _ = write!(out, "\n      from {}", one_line(&source));
                }
            }
            out.push('\n');
        }
    }
    out
}

/// The role of the resource with a URN for another one, in words.
fn role(other: Resource<'_>, urn: &str) -> Option<String> {
    let mut roles: Vec<String> = Vec::new();
    for Need { kind, urn: needed, .. } in other.needs() {
        if needed != urn {
            continue;
        }
        let role = match kind {
            NeedKind::Parent => "parent".to_owned(),
            NeedKind::Provider => "provider".to_owned(),
            NeedKind::Dependency => "dependency".to_owned(),
            NeedKind::Property(name) => format!("`{name}`"),
            NeedKind::DeletedWith => "deleted with it".to_owned(),
            NeedKind::ReplaceWith => "replaced with it".to_owned(),
        };
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    (!roles.is_empty()).then(|| roles.join(", "))
}

/// A value as the JSON of [`pcl_eval::notation`](crate::eval::notation). Secrets are shown only
/// with keys; those that the keys do not open are hidden all the same.
pub(super) fn notation(value: Value<'_>, keys: Option<&Keys>) -> Json {
    let Ok(property) = Property::read(value) else { return json!({ "$malformed": true }) };
    match property {
        Property::Null => Json::Null,
        Property::Bool(value) => json!(value),
        Property::Number(number) if number.is_finite() => number_json(value, number),
        Property::Number(number) => json!({ "$number": number.to_string() }),
        Property::String(text) => json!(text),
        Property::Bytes(bytes) => json!({ "$bytes": STANDARD.encode(bytes) }),
        Property::List(list) => list.elements().map(|it| notation(it, keys)).collect(),
        Property::Object(object) => {
            let fields = fields(object, keys);
            let is_ambiguous = fields.len() == 1 && fields.keys().any(|key| key.starts_with('$'));
            if is_ambiguous { json!({ "$object": fields }) } else { Json::Object(fields) }
        }
        Property::Asset(content) => json!({ "$asset": content_json(&content, keys) }),
        Property::Archive(content) => json!({ "$archive": content_json(&content, keys) }),
        Property::Secret(secret) => match opened(&secret, keys) {
            Some(value) => json!({ "$secret": value }),
            None => json!({ "$secret": true }),
        },
        Property::Resource { urn, id } => json!({ "$resource": { "urn": urn, "id": id } }),
        Property::Unknown => json!({ "$unknown": true }),
    }
}

/// The entries of an object of property values.
pub(super) fn fields(object: Value<'_>, keys: Option<&Keys>) -> Map<String, Json> {
    let entries = object.entries();
    entries.map(|(key, value)| (key.text().into_owned(), notation(value, keys))).collect()
}

/// The value of a secret, if it may be shown and can be opened.
fn opened(secret: &Secret<'_>, keys: Option<&Keys>) -> Option<Json> {
    let tree = secret.unmarked(keys?)?;
    Some(notation(tree.root(), keys))
}

fn number_json(value: Value<'_>, number: f64) -> Json {
    // Numbers are shown as they are written.
    serde_json::from_str(value.raw()).unwrap_or_else(|_| json!(number))
}

fn content_json(content: &Content<'_>, keys: Option<&Keys>) -> Json {
    match content {
        Content::Text(text) => json!({ "text": text }),
        Content::Members(members) => json!({ "assets": fields(*members, keys) }),
        Content::Path(path) => json!({ "path": path }),
        Content::Uri(uri) => json!({ "uri": uri }),
        Content::Absent => json!({}),
    }
}

/// A value on one line: JSON with `[secret]` and `[unknown]` in the places of such values.
pub(super) fn text(value: &Json) -> String {
    let mut out = String::new();
    write(&mut out, value);
    out
}

fn write(out: &mut String, value: &Json) {
    match value {
        Json::Array(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write(out, element);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            let only = entries.iter().next().filter(|_| entries.len() == 1);
            match only {
                Some((key, Json::Bool(true))) if key == "$secret" => out.push_str("[secret]"),
                Some((key, Json::Bool(true))) if key == "$unknown" => out.push_str("[unknown]"),
                Some((key, Json::Bool(true))) if key == "$malformed" => out.push_str("[malformed]"),
                Some((key, inner)) if key == "$secret" => {
                    out.push_str("secret ");
                    write(out, inner);
                }
                Some((key, Json::String(number))) if key == "$number" => out.push_str(number),
                Some((key, inner)) if key == "$object" => entries_of(out, inner),
                Some((key, inner)) if key == "$resource" => {
                    let urn = inner.get("urn").and_then(Json::as_str);
                    out.push_str(urn.unwrap_or_default());
                }
                Some((key, inner)) if key == "$asset" || key == "$archive" => {
                    out.push_str(key.trim_start_matches('$'));
                    out.push(' ');
                    write(out, inner);
                }
                _ => entries_of(out, value),
            }
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

fn entries_of(out: &mut String, object: &Json) {
    out.push('{');
    for (at, (key, value)) in object.as_object().into_iter().flatten().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        out.push_str(&json!(key).to_string());
        out.push_str(": ");
        write(out, value);
    }
    out.push('}');
}
