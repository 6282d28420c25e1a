//! The member of a union that a value selects, where the schema names a deciding property.
//!
//! Without this, any member may match, and what is wrong with the one that is meant is never said.
//! Pulumi's binder looks only at an attribute whose value is an object literal with the deciding
//! key written bare; that much decides the type that the attribute is checked against. We look
//! further, into lists, maps and objects, and at quoted keys, and report what is wrong there as
//! diagnostics of ours.
//!
//! The rules, with examples: `tests/spec/blocks/discriminated.md`.

use pcl_diagnostics::{Code, Comparisons, Diagnostic, Fix, Span, TextEdit, enumerate};
use pcl_model::expression::{ExprArena, ExprId, ExprKind, in_words};
use pcl_model::scope::Scopes;
use pcl_model::types::{TypeId, TypeStore};
use pcl_model::value::Constant as Value;
use pcl_schema::{Discriminator, MemberId, TypeDef, TypeKind, TypeSpec, UnionSpec};
use pcl_syntax::quoted;

use crate::packages::PackageIndex;
use crate::schema_types::{SchemaTypes, Shape};
use crate::written_values::key_text;

/// The members that an attribute's value selects from the unions in its type.
#[derive(Default)]
pub(crate) struct Selection {
    /// The object type to check the whole value against, when the value itself selects a member as
    /// Pulumi sees it.
    pub attribute: Option<TypeId>,
    /// Parts that select a member where Pulumi does not look, outer ones before inner ones.
    pub parts: Vec<Part>,
    /// Values of deciding properties that select nothing.
    pub diagnostics: Vec<Undecided>,
}

/// The diagnostic for a deciding property that selects nothing.
pub(crate) struct Undecided {
    pub diagnostic: Diagnostic,
    /// True if Pulumi's binder fails on it. Otherwise that depends on the whole value.
    pub fails: bool,
}

/// An object inside a value, or the value itself.
pub(crate) struct Part {
    /// The object.
    pub value: ExprId,
    /// The type of the member that it selects.
    pub ty: TypeId,
    /// The description of the object, for messages.
    pub what: String,
}

/// Selects the members of the unions in the type of an attribute by the text of its value.
pub(crate) fn select(
    schemas: &SchemaTypes,
    types: &mut TypeStore,
    scopes: &mut Scopes,
    exprs: &ExprArena,
    package: PackageIndex,
    spec: &TypeSpec,
    value: ExprId,
) -> Selection {
    let mut walk = Walk {
        schemas,
        types,
        comparisons: scopes.comparisons(),
        exprs,
        root: value,
        selection: Selection::default(),
    };
    walk.value(package, spec, value);
    walk.selection
}

struct Walk<'a> {
    schemas: &'a SchemaTypes,
    types: &'a mut TypeStore,
    comparisons: &'a mut Comparisons,
    exprs: &'a ExprArena,
    root: ExprId,
    selection: Selection,
}

impl Walk<'_> {
    // The depth is that of the text, which the parser limits.
    fn value(&mut self, package: PackageIndex, spec: &TypeSpec, value: ExprId) {
        let exprs = self.exprs;
        match (&exprs[value].kind, &spec.kind) {
            (ExprKind::Object(items), TypeKind::Union(union)) => {
                if let Some((package, member)) = self.member(package, union, value, items) {
                    self.properties(package, member, items);
                }
            }
            (ExprKind::Object(items), TypeKind::Reference(reference)) => {
                if let Some((package, member)) = self.schemas.object_of(package, reference) {
                    self.properties(package, member, items);
                }
            }
            (ExprKind::Object(items), TypeKind::Map(spec)) => {
                for &(_, value) in items {
                    self.value(package, spec, value);
                }
            }
            (ExprKind::Tuple(elements), TypeKind::Array(spec)) => {
                for &element in elements {
                    self.value(package, spec, element);
                }
            }
            _ => {}
        }
    }

    fn properties(&mut self, package: PackageIndex, member: MemberId, items: &[(ExprId, ExprId)]) {
        let schema = self.schemas.packages().package(package);
        let Ok(Some(definition)) = schema.type_by_id(member) else { return };
        let TypeDef::Object(properties) = definition else { return };
        for &(key, value) in items {
            let name = key_text(self.exprs, key);
            if let Some(property) = name.and_then(|name| properties.get(&name)) {
                self.value(package, &property.ty, value);
            }
        }
    }

    /// The member of a union that an object selects. Checks the object against it, unless that is
    /// the attribute's own check.
    fn member(
        &mut self,
        package: PackageIndex,
        union: &UnionSpec,
        object: ExprId,
        items: &[(ExprId, ExprId)],
    ) -> Option<(PackageIndex, MemberId)> {
        let discriminator = union.discriminator.as_ref()?;
        let exprs = self.exprs;
        self.report_numbers(discriminator, object, items);
        let &(key, value) = items
            .iter()
            .find(|(key, _)| key_text(exprs, *key).as_deref() == Some(&*discriminator.property))?;
        let written = exprs.literal_string(value)?;
        let by_value = discriminator.mapping.is_empty();
        if !by_value && discriminator.mapped(&written).is_none() {
            self.report_unmapped(discriminator, &written, value);
            return None;
        }
        let selected = self.schemas.selected(package, union, discriminator, &written)?;
        let TypeKind::Reference(reference) = &selected.kind else { return None };
        let (package, member) = self.schemas.object_of(package, reference)?;
        let ty = self.schemas.object(self.types, package, member, Shape::Input);
        let is_bare = matches!(exprs[key].kind, ExprKind::Literal(_));
        if object == self.root && is_bare && !by_value {
            self.selection.attribute = Some(ty);
        } else {
            self.selection.parts.push(Part {
                value: object,
                ty,
                what: selected_object(&discriminator.property, &written),
            });
        }
        Some((package, member))
    }

    /// Reports numbers and booleans where the names and the deciding value of a member belong.
    /// Pulumi's binder crashes on those of an attribute's own value.
    fn report_numbers(
        &mut self,
        discriminator: &Discriminator,
        object: ExprId,
        items: &[(ExprId, ExprId)],
    ) {
        for &(key, value) in items {
            let is_number =
                |expr: ExprId| matches!(self.exprs[expr].kind, ExprKind::Literal(Value::Number(_)));
            let is_bool =
                |expr: ExprId| matches!(self.exprs[expr].kind, ExprKind::Literal(Value::Bool(_)));
            let decides = || key_text(self.exprs, key).as_deref() == Some(&*discriminator.property);
            let (blamed, part) = if is_number(key) {
                (key, StringPart::Name)
            } else if (is_number(value) || is_bool(value)) && decides() {
                (value, StringPart::Discriminator(&discriminator.property))
            } else {
                continue;
            };
            let found = in_words(self.types, self.exprs[blamed].ty);
            let diagnostic = not_a_string(self.span(blamed), &part, &found);
            self.selection.diagnostics.push(Undecided { diagnostic, fails: object == self.root });
        }
    }

    fn report_unmapped(&mut self, discriminator: &Discriminator, written: &str, value: ExprId) {
        let span = self.span(value);
        let property = &discriminator.property;
        let known = || discriminator.mapping.iter().map(|(value, _)| &**value);
        let meant = self.comparisons.suggest(written, known());
        let diagnostic = unmapped(span, written, property, known(), meant);
        self.selection.diagnostics.push(Undecided { diagnostic, fails: false });
    }

    fn span(&self, expr: ExprId) -> Span {
        Span::new(self.exprs[expr].file, self.exprs[expr].range)
    }
}

/// A part of an object that must be a string.
enum StringPart<'p> {
    /// The name of a property.
    Name,
    /// The value of this property, which selects a member of a union.
    Discriminator(&'p str),
}

/// The description of an object that selects a member, for diagnostics about it.
fn selected_object(property: &str, written: &str) -> String {
    format!("the object with `{property} = \"{written}\"`")
}

/// A number or bool, described by `found`, in place of a string.
fn not_a_string(span: Span, part: &StringPart<'_>, found: &str) -> Diagnostic {
    let message = match part {
        StringPart::Name => format!("the name of a property must be a string, found {found}"),
        StringPart::Discriminator(property) => {
            format!("the discriminator `{property}` must be a string, found {found}")
        }
    };
    Diagnostic::error(Code::TypeNotAssignable, span, message).help("put it in quotes")
}

/// A text that selects no member. `known` are the texts that do, `meant` the most similar of them.
fn unmapped<'k>(
    span: Span,
    written: &str,
    property: &str,
    known: impl ExactSizeIterator<Item = &'k str>,
    meant: Option<&str>,
) -> Diagnostic {
    let message = format!("\"{written}\" is not a known value of `{property}`");
    let diagnostic = Diagnostic::error(Code::ValueNotListed, span, message);
    match meant {
        Some(meant) => diagnostic.help(format!("did you mean \"{meant}\"?")).fix(Fix::unsafe_(
            format!("write \"{meant}\""),
            vec![TextEdit::replace(span, quoted(meant))],
        )),
        None => diagnostic.help(format!("expected one of {}", enumerate(known))),
    }
}
