//! A member and its types as text for people.

use std::fmt::Write as _;

use pcl_binder::schema_types::primitive_type;
use pcl_model::types::{TypeId, TypeStore};
use pcl_schema::{ExternalTarget, Package, Reference, TypeKind, TypeSpec};

use crate::schema_view::lookup::Needed;
use crate::schema_view::{PackageView, Property, View};

impl View {
    /// The member as text. With `all`, whole descriptions instead of their first sentences.
    pub fn text(&self, all: bool) -> String {
        let mut text = format!("{} {}\n", self.kind, self.token);
        let version = self.version.as_deref().unwrap_or("of unknown version");
        let _ = writeln!(text, "package {} {version}", self.package);
        if let Some(canonical) = self.canonical.as_ref().filter(|form| **form != self.token) {
            let _ = writeln!(text, "also written {canonical}");
        }
        if let Some(deprecation) = &self.deprecation {
            let _ = writeln!(text, "deprecated: {}", one_line(deprecation));
        }
        if let Some(description) = &self.description {
            text.push('\n');
            for line in shown(description, all).lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        let outputs = if self.kind == "object" { "properties" } else { "outputs" };
        if !self.aliases.is_empty() {
            text.push_str("\nwas before\n");
            for alias in &self.aliases {
                let _ = writeln!(text, "  {}", one_line(alias));
            }
        }
        list(&mut text, "inputs", &self.inputs, all);
        list(&mut text, "inputs of a look-up", &self.state_inputs, all);
        if let Some(filter) = &self.list_inputs {
            if filter.is_empty() {
                text.push_str("\ncan be listed\n")
            } else {
                list(&mut text, "inputs of a listing", filter, all)
            }
        }
        list(&mut text, outputs, &self.outputs, all);
        if let Some(returns) = &self.returns {
            let _ = writeln!(text, "\ntype\n  {returns}");
        }
        if !self.values.is_empty() {
            text.push_str("\nvalues\n");
            for value in &self.values {
                let _ = write!(text, "  {}", value.value);
                if let Some(deprecation) = &value.deprecation {
                    let _ = write!(text, "  deprecated: {}", one_line(deprecation));
                }
                text.push('\n');
            }
        }
        if !self.methods.is_empty() {
            text.push_str("\nmethods\n");
            for method in &self.methods {
                let _ = writeln!(text, "  {}  {}", method.name, method.token);
            }
        }
        if let Some(program) = &self.program {
            text.push_str("\nprogram\n");
            for line in program.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}

impl PackageView {
    /// The package as text. With `all`, whole descriptions instead of their first sentences.
    pub fn text(&self, all: bool) -> String {
        let version = self.version.as_deref().unwrap_or("of unknown version");
        let mut text = format!("package {} {version}\n", self.name);
        let named = |needed: &Needed| match &needed.version {
            Some(version) => format!("{} {version}", needed.name),
            None => needed.name.clone(),
        };
        if let Some(base) = &self.base {
            let _ = writeln!(text, "made by {}", named(base));
        }
        if let Some(description) = &self.description {
            text.push('\n');
            for line in shown(description, all).lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        list(&mut text, "configuration", &self.config, all);
        if !self.dependencies.is_empty() {
            text.push_str("\nneeds\n");
            for needed in &self.dependencies {
                let _ = writeln!(text, "  {}", named(needed));
            }
        }
        let _ = writeln!(
            text,
            "\nresources {}, functions {}, types {}",
            self.resources, self.functions, self.types
        );
        text
    }
}

fn list(text: &mut String, title: &str, properties: &[Property], all: bool) {
    if properties.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    let width = properties.iter().map(|p| p.name.chars().count()).max();
    let width = width.unwrap_or(0).min(30);
    for property in properties {
        let marks = [
            (property.required, "required"),
            (property.secret, "secret"),
            (property.replaces, "replaces the resource"),
        ];
        let mut facts: Vec<String> =
            marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| (*mark).to_owned()).collect();
        facts.extend(property.constant.as_ref().map(|value| format!("always {value}")));
        facts.extend(property.default.as_ref().map(|value| format!("by default {value}")));
        let facts =
            if facts.is_empty() { String::new() } else { format!("  ({})", facts.join(", ")) };
        let _ = writeln!(text, "  {:width$}  {}{facts}", property.name, property.ty);
        if let Some(deprecation) = &property.deprecation {
            let _ = writeln!(text, "      deprecated: {}", one_line(deprecation));
        }
        if let Some(description) = &property.description {
            for line in shown(description, all).lines() {
                let _ = writeln!(text, "      {line}");
            }
        }
    }
}

/// A description as it is shown: the whole, or what it begins with.
fn shown(description: &str, all: bool) -> String {
    if all {
        return clean(description);
    }
    summary(description)
}

/// The first sentence of a description, on one line.
pub fn summary(description: &str) -> String {
    const LONGEST: usize = 200;
    let first = description.trim().split("\n\n").next().unwrap_or_default();
    let first = one_line(first);
    let end = sentence_end(&first).unwrap_or(first.len());
    let sentence = first.get(..end).unwrap_or(&first);
    match sentence.char_indices().nth(LONGEST) {
        Some((end, _)) => sentence.get(..end).unwrap_or_default().to_owned() + "...",
        None => sentence.to_owned(),
    }
}

/// The end of the first sentence that says something: a single word, such as "Required.", is not
/// one, and neither an abbreviation nor a period in parentheses ends it.
fn sentence_end(text: &str) -> Option<usize> {
    const ABBREVIATIONS: [&str; 14] = [
        "e.g.", "i.e.", "etc.", "vs.", "cf.", "max.", "min.", "approx.", "incl.", "excl.", "no.",
        "ex.", "resp.", "aka.",
    ];
    let mut open = 0_usize;
    let mut words = 0;
    let mut start = 0;
    for part in text.split_inclusive(' ') {
        let word = part.trim_end();
        let end = start + word.len();
        start += part.len();
        open += word.matches('(').count();
        open = open.saturating_sub(word.matches(')').count());
        words += 1;
        let bare = word.trim_start_matches('(').to_lowercase();
        let ends = word.ends_with('.') && open == 0 && !ABBREVIATIONS.contains(&bare.as_str());
        if ends && words > 1 {
            return Some(end);
        }
    }
    None
}

fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Leaves out what could control a terminal.
fn clean(text: &str) -> String {
    let is_shown = |c: &char| !c.is_control() || *c == '\n';
    text.chars().filter(is_shown).collect()
}

/// A type on one line; named types by their tokens.
pub(super) fn display(package: &Package, ty: &TypeSpec) -> String {
    let mut types = TypeStore::new();
    let ty = intern(&mut types, package, ty);
    types.text(ty)
}

fn intern(types: &mut TypeStore, package: &Package, ty: &TypeSpec) -> TypeId {
    match &ty.kind {
        TypeKind::Primitive(primitive) => primitive_type(*primitive),
        TypeKind::Any | TypeKind::Json => TypeId::DYNAMIC,
        // Wherever an asset goes, an archive goes as well.
        TypeKind::Asset => types.union([TypeId::ARCHIVE, TypeId::ASSET]),
        TypeKind::Archive => TypeId::ARCHIVE,
        TypeKind::Array(items) => {
            let items = intern(types, package, items);
            types.list(items)
        }
        TypeKind::Map(values) => {
            let values = intern(types, package, values);
            types.map(values)
        }
        TypeKind::Union(union) => {
            let elements = union.elements.iter();
            let elements: Vec<_> = elements.map(|it| intern(types, package, it)).collect();
            types.union(elements)
        }
        TypeKind::Reference(reference) => types.opaque(&match reference {
            Reference::Type(id) | Reference::Resource(id) => package.token(*id).to_owned(),
            Reference::Provider => format!("pulumi:providers:{}", package.name()),
            Reference::Dangling { token, .. } => token.to_string(),
            Reference::External(external) => match &external.target {
                ExternalTarget::Type(token) | ExternalTarget::Resource(token) => token.to_string(),
                ExternalTarget::Provider => format!("pulumi:providers:{}", external.package),
            },
        }),
        TypeKind::Invalid => types.opaque("unknown"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_whole_sentences() {
        for (description, expected) in [
            ("A disk. It is fast.", "A disk."),
            ("The size (e.g. 3. or 4) of it. More.", "The size (e.g. 3. or 4) of it."),
            ("The zone, e.g. `a`. More.", "The zone, e.g. `a`."),
            ("Required. The name of the disk. More.", "Required. The name of the disk."),
            ("One line\ngoes on. Next", "One line goes on."),
            ("No period", "No period"),
            ("", ""),
        ] {
            assert_eq!(summary(description), expected);
        }
    }

    use crate::schema_view::View;

    /// A view of a schema names types as hovers and messages do.
    #[test]
    fn types_are_named_as_in_programs() {
        let types = [
            (r##""$ref": "pulumi.json#/Json""##, "dynamic"),
            (r##""$ref": "pulumi.json#/Any""##, "dynamic"),
            (r##""$ref": "pulumi.json#/Asset""##, "Archive | Asset"),
            (r##""$ref": "pulumi.json#/Archive""##, "Archive"),
            (r##""$ref": "#/types/zoo:index:T""##, "zoo:index:T"),
            (r#""oneOf": [{ "type": "string" }, { "type": "integer" }]"#, "int | string"),
            (
                r#""type": "object", "additionalProperties": { "type": "array", "items": { "type": "boolean" } }"#,
                "map(list(bool))",
            ),
        ];
        let property = |(at, (json, _))| format!(r#""p{at}": {{ {json} }}"#);
        let properties: Vec<String> = types.into_iter().enumerate().map(property).collect();
        let schema = format!(
            r#"{{ "name": "zoo", "types": {{ "zoo:index:T": {{ "type": "object" }} }},
            "resources": {{ "zoo:index:R": {{ "inputProperties": {{ {} }} }} }} }}"#,
            properties.join(", ")
        );
        let package = Package::from_bytes(schema).unwrap();
        let member = package.find(pcl_schema::Section::Resources, "zoo:index:R").unwrap();
        let view = View::of(&package, member).unwrap();
        let shown: Vec<&str> = view.inputs.iter().map(|input| &*input.ty).collect();
        assert_eq!(shown, types.map(|(_, text)| text));
    }
}
