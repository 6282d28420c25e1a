//! `pcl state show`: one resource, and where it comes from.

use std::borrow::Cow;
use std::fmt::Write as _;

use pcl_state::{Keys, Need, NeedKind, Resource, State};

use super::tree::marks;
use super::values::{fields, text};
use crate::render::text::one_line;

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
#[must_use]
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
#[must_use]
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
