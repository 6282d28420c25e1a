//! Names of a package of components that are those of two parts: of two components, of two object
//! types, or of a component and an object type. SDKs have one type of each name.
//!
//! The rules, with examples: `tests/spec/programs/interface_clash.md`.

use std::collections::BTreeMap;

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::interface_types::SameName;
use super::package::{Component, ComponentPackage};

/// The diagnostics about the object types of a component whose names are those of other
/// components, or of their object types.
pub(super) fn with_other_components<'a>(
    package: &'a ComponentPackage,
    component: &'a Component,
    places: &'a BTreeMap<String, Span>,
) -> impl Iterator<Item = Diagnostic> + 'a {
    places.iter().filter_map(|(token, &at)| {
        let name = token.rsplit(':').next().unwrap_or_default();
        let others = package.components().iter().filter(|other| other.token != component.token);
        let mut others = others.filter(|other| other.name.len() > component.name.len());
        others.find_map(|other| {
            let rest = name.strip_prefix(other.name.as_str())?;
            match rest.chars().next() {
                None => Some(name_of_component(at, name)),
                Some(c) if c.is_ascii_lowercase() => None,
                Some(_) => Some(like_type_of_component(at, name, &other.name)),
            }
        })
    })
}

/// The diagnostics about components of one token; `at` is in the file of the package.
pub(super) fn between_components(
    package: &ComponentPackage,
    at: Span,
) -> impl Iterator<Item = Diagnostic> {
    let mut first: BTreeMap<&str, &Component> = BTreeMap::new();
    package.components().iter().filter_map(move |component| {
        let known = *first.entry(component.token.as_str()).or_insert(component);
        (known.relative != component.relative).then(|| same_component(at, known, component))
    })
}

fn clash(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::InterfaceClash, at, message).ours()
}

/// Two directories make one component.
fn same_component(at: Span, first: &Component, second: &Component) -> Diagnostic {
    let [one, other] = [first, second].map(|it| pcl_system::shown(&it.relative));
    clash(at, format!("`{one}` and `{other}` are both the component `{}`", first.token))
        .note("the name of a component is that of its directory without `-`, `.`, `_` and spaces")
        .help("rename one of the directories")
}

/// Two object types of a component have one name.
pub(super) fn same_type(found: &SameName) -> Diagnostic {
    let SameName { name, at, first } = found;
    let message = format!("another object type is called `{name}` and has other properties");
    let diagnostic = clash(*at, message)
        .note("object types are called after the component and the properties that lead to them");
    let diagnostic = if at == first {
        diagnostic
    } else {
        diagnostic.label(*first, "the other one is the type of this")
    };
    diagnostic.help("rename one of the properties, or give both the same type")
}

/// Object types of two components have one name.
pub(super) fn type_of_other_component(at: Span, name: &str, other: &str) -> Diagnostic {
    let message =
        format!("the component `{other}` has an object type `{name}` with other properties");
    clash(at, message).help("rename the property, or one of the components")
}

/// An object type has the name of a component.
fn name_of_component(at: Span, name: &str) -> Diagnostic {
    clash(at, format!("the type of this is called `{name}`, which is the name of a component"))
        .help("rename the property, or the component")
}

/// An object type has a name that one of another component could have.
fn like_type_of_component(at: Span, name: &str, other: &str) -> Diagnostic {
    let message = format!("the type of this is called `{name}`, as if it were one of `{other}`");
    Diagnostic::warning(Code::InterfaceClash, at, message)
        .note("the two components may later have an object type of the same name")
        .help("rename the property, or one of the components")
        .ours()
}
