//! The changes of a package that break programs which use its resources: what a program gives or
//! takes is no longer there, or has another type. The SDKs of some languages have a class or a
//! struct for each type, so that any other type is one that breaks.

use std::fmt;

use pcl_diagnostics::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{ValueRanges, shown, span};
use crate::validate::{in_source, key_before, no_schema, with_path};
use crate::{
    MemberId, Package, Properties, PropertySpec, Reference, Section, Syntax, TypeDef, TypeKind,
    TypeSpec,
};

/// Compares an earlier schema of a package with a later one. The diagnostics are about the earlier
/// one, in the order of its text, which is the first file of their source map: what it promises and
/// the later one does not keep.
///
/// ```
/// use pcl_schema::{Package, Syntax, breaking_changes};
///
/// let earlier = r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {
///     "inputProperties": { "bars": { "type": "integer" } } } } }"#;
/// let later = r#"{ "name": "zoo", "resources": { "zoo:index:Cage": {} } }"#;
/// let changes = breaking_changes(earlier.as_bytes(), Syntax::Json, &Package::from_bytes(later)?);
/// assert_eq!(changes[0].message, "`zoo:index:Cage` no longer has the input `bars`");
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
pub fn breaking_changes(earlier: &[u8], syntax: Syntax, later: &Package) -> Vec<Diagnostic> {
    in_source(earlier, syntax, |text| {
        let package = match Package::from_bytes(text) {
            Ok(package) => package,
            Err(error) => return vec![with_path(no_schema(&error))],
        };
        let mut comparison = Comparison {
            text,
            earlier: &package,
            later,
            compared: FxHashSet::default(),
            ranges: FxHashMap::default(),
            diagnostics: Vec::new(),
        };
        comparison.resources();
        let mut diagnostics = comparison.diagnostics;
        diagnostics.sort_by_key(|it| it.primary.range.start());
        diagnostics
    })
}

/// The place of the properties of a member, which decides what a program does with them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// The inputs of a resource, or an object in them.
    Input,
    /// The outputs of a resource, or an object in them.
    Output,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "input",
            Self::Output => "output",
        })
    }
}

struct Comparison<'d> {
    text: &'d [u8],
    earlier: &'d Package,
    later: &'d Package,
    /// The object types that were compared, in each place once.
    compared: FxHashSet<(MemberId, Place)>,
    ranges: FxHashMap<MemberId, ValueRanges>,
    diagnostics: Vec<Diagnostic>,
}

/// The properties of a member in one of the two schemas, and the key that they have there.
struct Bag<'d> {
    member: MemberId,
    key: &'static str,
    place: Place,
    earlier: &'d Properties,
    later: &'d Properties,
}

impl<'d> Comparison<'d> {
    fn resources(&mut self) {
        for member in self.earlier.members(Section::Resources) {
            let token = self.earlier.token(member);
            let later = self.later.find(Section::Resources, token);
            let Some(later) = later.and_then(|it| self.later.resource_by_id(it).ok().flatten())
            else {
                let at = self.at(member, &[]);
                self.add(at, removed(at, token));
                continue;
            };
            let Ok(Some(earlier)) = self.earlier.resource_by_id(member) else { continue };
            self.bag(&Bag {
                member,
                key: "inputProperties",
                place: Place::Input,
                earlier: &earlier.inputs,
                later: &later.inputs,
            });
            self.bag(&Bag {
                member,
                key: "properties",
                place: Place::Output,
                earlier: &earlier.properties,
                later: &later.properties,
            });
        }
    }

    fn bag(&mut self, bag: &Bag<'d>) {
        let owner = self.earlier.token(bag.member);
        for (name, earlier) in bag.earlier.iter() {
            let at = self.at(bag.member, &[bag.key, name]);
            match bag.later.get(name) {
                None => self.add(at, without(at, owner, bag.place, name)),
                Some(later) => self.property(bag, at, name, [earlier, later]),
            }
        }
        let is_new = |name: &str| !bag.earlier.contains_key(name);
        for (name, later) in bag.later.iter() {
            if bag.place == Place::Input && later.required && is_new(name) {
                let at = self.at(bag.member, &[]);
                self.add(at, newly_required(at, owner, name));
            }
        }
    }

    fn property(
        &mut self,
        bag: &Bag<'d>,
        at: Span,
        name: &str,
        [earlier, later]: [&'d PropertySpec; 2],
    ) {
        let owner = self.earlier.token(bag.member);
        if !self.same(&earlier.ty, &later.ty, bag.place) {
            self.add(at, other_type(at, owner, bag.place, name));
        }
        match bag.place {
            Place::Input if later.required && !earlier.required => {
                self.add(at, newly_required(at, owner, name));
            }
            Place::Output if earlier.required && !later.required => {
                self.add(at, newly_optional(at, owner, name));
            }
            _ => {}
        }
    }

    /// Returns whether two types are the same. Object types of one token are, and their properties
    /// are compared by themselves.
    fn same(&mut self, earlier: &TypeSpec, later: &TypeSpec, place: Place) -> bool {
        match (&earlier.kind, &later.kind) {
            (TypeKind::Array(earlier), TypeKind::Array(later))
            | (TypeKind::Map(earlier), TypeKind::Map(later)) => self.same(earlier, later, place),
            (TypeKind::Union(earlier), TypeKind::Union(later)) => {
                let (earlier, later) = (&earlier.elements, &later.elements);
                earlier.len() == later.len()
                    && earlier.iter().zip(later).all(|(one, other)| self.same(one, other, place))
            }
            (TypeKind::Reference(earlier), TypeKind::Reference(later)) => {
                self.same_reference(earlier, later, place)
            }
            (earlier, later) => earlier == later,
        }
    }

    fn same_reference(&mut self, earlier: &Reference, later: &Reference, place: Place) -> bool {
        match (earlier, later) {
            (Reference::Type(earlier), Reference::Type(later)) => {
                self.earlier.token(*earlier) == self.later.token(*later)
                    && self.same_type(*earlier, *later, place)
            }
            (Reference::Resource(earlier), Reference::Resource(later)) => {
                self.earlier.token(*earlier) == self.later.token(*later)
            }
            // The types of another package are the same until it has another major version.
            (Reference::External(earlier), Reference::External(later)) => {
                earlier.package == later.package
                    && earlier.version.major == later.version.major
                    && earlier.target == later.target
            }
            (earlier, later) => earlier == later,
        }
    }

    /// Returns whether two types of one token are of one kind, and compares their properties.
    fn same_type(&mut self, member: MemberId, later: MemberId, place: Place) -> bool {
        if !self.compared.insert((member, place)) {
            return true;
        }
        let earlier = self.earlier.type_by_id(member).ok().flatten();
        match (earlier, self.later.type_by_id(later).ok().flatten()) {
            (Some(TypeDef::Object(earlier)), Some(TypeDef::Object(later))) => {
                self.bag(&Bag { member, key: "properties", place, earlier, later });
                true
            }
            (Some(TypeDef::Enum(earlier)), Some(TypeDef::Enum(later))) => {
                earlier.element == later.element
            }
            _ => false,
        }
    }

    /// The key of a member, or of a value in it.
    fn at(&mut self, member: MemberId, path: &[&str]) -> Span {
        let Some(value) = self.earlier.parts.value(member) else { return span(0..0) };
        let text = self.text.get(value.clone()).unwrap_or_default();
        let inside = match path {
            [] => 0,
            _ => self.ranges.entry(member).or_default().locate(text, path.iter().copied()).start,
        };
        span(shown(self.text, key_before(self.text, value.start + inside)))
    }

    /// Adds a diagnostic, unless its place has the same one: a type may be used in two places.
    fn add(&mut self, at: Span, diagnostic: Diagnostic) {
        let is_known = |it: &Diagnostic| it.primary == at && it.message == diagnostic.message;
        if !self.diagnostics.iter().any(is_known) {
            self.diagnostics.push(diagnostic);
        }
    }
}

fn breaking(at: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(Code::BreakingChange, at, message).help(help).ours()
}

/// A resource is gone.
fn removed(at: Span, token: &str) -> Diagnostic {
    breaking(
        at,
        format!("there is no `{token}` any more"),
        "keep it beside the one that replaces it",
    )
}

/// A property is gone.
fn without(at: Span, owner: &str, place: Place, name: &str) -> Diagnostic {
    let message = format!("`{owner}` no longer has the {place} `{name}`");
    breaking(at, message, "keep it beside the one that replaces it")
}

/// A property has another type.
fn other_type(at: Span, owner: &str, place: Place, name: &str) -> Diagnostic {
    let message = format!("the {place} `{name}` of `{owner}` has another type");
    breaking(at, message, "keep its type, and add a property with the new one")
}

/// An input is required that could be left out.
fn newly_required(at: Span, owner: &str, name: &str) -> Diagnostic {
    let message = format!("the input `{name}` of `{owner}` is required now");
    breaking(at, message, "give it a default, or make it `nullable`")
}

/// An output may be missing that was always there.
fn newly_optional(at: Span, owner: &str, name: &str) -> Diagnostic {
    let message = format!("the output `{name}` of `{owner}` may be missing now");
    breaking(at, message, "give it a value in every case")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(earlier: &str, later: &str) -> Vec<String> {
        let document = |members: &str| format!(r#"{{"name": "zoo", {members}}}"#);
        let later = Package::from_bytes(document(later)).unwrap();
        let earlier = document(earlier);
        let changes = breaking_changes(earlier.as_bytes(), Syntax::Json, &later);
        let shown =
            |it: Diagnostic| format!("{}: {}", &earlier[it.primary.range.to_usize()], it.message);
        changes.into_iter().map(shown).collect()
    }

    fn cage(inputs: &str, outputs: &str) -> String {
        format!(r#""resources": {{"zoo:index:Cage": {{{inputs}{outputs} "isComponent": true}}}}"#)
    }

    #[test]
    fn what_a_program_uses_stays() {
        let bars = r#""inputProperties": {"bars": {"type": "integer"}},"#;
        let required =
            r#""inputProperties": {"bars": {"type": "integer"}}, "requiredInputs": ["bars"],"#;
        let other = r#""inputProperties": {"bars": {"type": "number"}},"#;
        let key = r#""properties": {"key": {"type": "string"}}, "required": ["key"],"#;
        let optional = r#""properties": {"key": {"type": "string"}},"#;
        for (earlier, later, changes) in [
            (cage(bars, key), cage(bars, key), vec![]),
            (cage("", ""), cage(bars, key), vec![]),
            (cage(required, optional), cage(bars, key), vec![]),
            (
                cage("", ""),
                r#""resources": {}"#.into(),
                vec!["\"zoo:index:Cage\": there is no `zoo:index:Cage` any more"],
            ),
            (
                cage(bars, key),
                cage("", ""),
                vec![
                    "\"bars\": `zoo:index:Cage` no longer has the input `bars`",
                    "\"key\": `zoo:index:Cage` no longer has the output `key`",
                ],
            ),
            (
                cage("", ""),
                cage(required, ""),
                vec!["\"zoo:index:Cage\": the input `bars` of `zoo:index:Cage` is required now"],
            ),
            (
                cage(bars, key),
                cage(required, optional),
                vec![
                    "\"bars\": the input `bars` of `zoo:index:Cage` is required now",
                    "\"key\": the output `key` of `zoo:index:Cage` may be missing now",
                ],
            ),
            (
                cage(bars, ""),
                cage(other, ""),
                vec!["\"bars\": the input `bars` of `zoo:index:Cage` has another type"],
            ),
        ] {
            assert_eq!(messages(&earlier, &later), changes, "{earlier} {later}");
        }
    }

    #[test]
    fn object_types_are_compared_where_they_are_used() {
        let door = |properties: &str| {
            let door = r##"{"$ref": "#/types/zoo:index:Door"}"##;
            let cage = cage(
                &format!(r#""inputProperties": {{"door": {door}}},"#),
                &format!(r#""properties": {{"door": {{"type": "array", "items": {door}}}}},"#),
            );
            format!(r#"{cage}, "types": {{"zoo:index:Door": {{"type": "object", {properties}}}}}"#)
        };
        let width = r#""properties": {"width": {"type": "integer"}}"#;
        let required = r#""properties": {"width": {"type": "integer"}}, "required": ["width"]"#;
        assert!(messages(&door(width), &door(width)).is_empty());
        assert_eq!(
            messages(&door(width), &door(required)),
            ["\"width\": the input `width` of `zoo:index:Door` is required now"]
        );
        assert_eq!(
            messages(&door(required), &door(width)),
            ["\"width\": the output `width` of `zoo:index:Door` may be missing now"]
        );
        assert_eq!(messages(&door(width), &door(r#""properties": {}"#)).len(), 2);
    }

    #[test]
    fn other_packages_may_get_newer() {
        let pet = |version: &str| {
            let reference =
                format!(r#"{{"$ref": "/ark/v{version}/schema.json#/resources/ark:a:Pet"}}"#);
            cage("", &format!(r#""properties": {{"pet": {reference}}},"#))
        };
        assert!(messages(&pet("1.0.0"), &pet("1.4.0")).is_empty());
        assert_eq!(messages(&pet("1.0.0"), &pet("2.0.0")).len(), 1);
    }
}
