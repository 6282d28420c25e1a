//! The display form of a type: unambiguous text, in which vectors and tests write types.
//!
//! `list(string)`, `object({a = int})`, `union(int, none)`, `cty.StringVal("a")`. An object that is
//! met again inside itself is shown as `...`. The members of a union are shown in their structural
//! order.

use std::sync::Arc;

use super::{Symbol, Type, TypeId, TypeStore};
use crate::value::{Constant, Number, quote};

/// The longest text of a type. Schema types share parts, and written out in full some would be
/// endless; beyond this what remains is left out.
const LIMIT: usize = 1 << 20;

/// The deepest nesting of unions whose members are put in order.
const MAX_ORDERED: usize = 16;

/// The deepest nesting that is shown.
pub(super) const MAX_NESTING: usize = 1_000;

impl TypeStore {
    /// The display form of `ty`.
    pub fn display(&mut self, ty: TypeId) -> String {
        self.display_within(ty, LIMIT)
    }

    /// About the first `limit` bytes of the display form.
    pub(super) fn display_within(&mut self, ty: TypeId, limit: usize) -> String {
        let mut writer =
            Writer { types: self, out: String::new(), limit, path: Vec::new(), nesting: 0 };
        writer.write(ty);
        writer.out
    }
}

struct Writer<'a> {
    types: &'a mut TypeStore,
    out: String,
    limit: usize,
    path: Vec<TypeId>,
    nesting: usize,
}

impl Writer<'_> {
    fn write(&mut self, ty: TypeId) {
        if self.out.len() >= self.limit {
            return;
        }
        if self.nesting >= MAX_NESTING {
            self.out.push_str("...");
            return;
        }
        self.nesting += 1;
        match self.types.get(ty).clone() {
            Type::List(element) => self.wrap("list", &[element]),
            Type::Set(element) => self.wrap("set", &[element]),
            Type::Map(element) => self.wrap("map", &[element]),
            Type::Output(element) => self.wrap("output", &[element]),
            Type::Promise(element) => self.wrap("promise", &[element]),
            Type::Tuple(elements) => self.wrap("tuple", &elements),
            Type::Union(_) => {
                let members = self.types.members(ty);
                self.wrap("union", &members);
            }
            Type::Object(_) | Type::Nominal(_) => self.object(ty),
            Type::Const { value, .. } => self.out.push_str(&constant(&value)),
            Type::Enum(enumeration) => {
                self.out.push_str("enum(");
                self.out.push_str(self.types.name(enumeration.token));
                self.out.push('(');
                self.write(enumeration.underlying);
                self.out.push_str("): ");
                let values: Vec<_> = enumeration.values.iter().map(constant).collect();
                self.out.push_str(&values.join(","));
                self.out.push(')');
            }
            simple => self.types.push_simple(&simple, &mut self.out),
        }
        self.nesting -= 1;
    }

    fn wrap(&mut self, name: &str, parts: &[TypeId]) {
        self.out.push_str(name);
        self.out.push('(');
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.write(*part);
            if self.out.len() >= self.limit {
                break;
            }
        }
        self.out.push(')');
    }

    fn object(&mut self, ty: TypeId) {
        if self.path.contains(&ty) {
            self.out.push_str("...");
            return;
        }
        let properties = self.types.properties(ty).unwrap_or_default();
        self.path.push(ty);
        self.out.push_str("object({");
        for (at, (name, ty)) in properties.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.out.push_str(self.types.name(*name));
            self.out.push_str(" = ");
            self.write(*ty);
            if self.out.len() >= self.limit {
                break;
            }
        }
        self.out.push_str("})");
        self.path.pop();
    }
}

impl TypeStore {
    /// Types that look alike in both forms.
    pub(super) fn push_simple(&self, ty: &Type, out: &mut String) {
        out.push_str(match ty {
            Type::None => "none",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Number => "number",
            Type::String => "string",
            Type::Id => "id",
            Type::Dynamic => "dynamic",
            Type::Error => "error",
            Type::Opaque(name) => return self.push_opaque(*name, out),
            _ => return,
        });
    }

    /// A name that is not an identifier is shown as `type(NAME)`.
    fn push_opaque(&self, name: Symbol, out: &mut String) {
        let name = self.name(name);
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if starts && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') {
            out.push_str(name);
        } else {
            out.push_str("type(");
            out.push_str(name);
            out.push(')');
        }
    }
}

/// The display form of a constant.
fn constant(value: &Constant) -> String {
    match value {
        Constant::Null => "cty.NullVal(cty.DynamicPseudoType)".to_owned(),
        Constant::Bool(true) => "cty.True".to_owned(),
        Constant::Bool(false) => "cty.False".to_owned(),
        Constant::Number(value) => number(value),
        Constant::String(text) => format!("cty.StringVal({})", quote(text)),
    }
}

fn number(value: &Number) -> String {
    if value.is_integral() {
        format!("cty.NumberIntVal({})", value.render(6))
    } else if value.is_float() {
        format!("cty.NumberFloatVal({})", value.render(6))
    } else {
        format!("cty.MustParseNumberVal(\"{}\")", value.render_plain())
    }
}

/// The largest number of members of a large union that a message shows.
const SHOWN: usize = 48;

impl TypeStore {
    /// The members of a union in their structural order. Empty when `ty` is no union.
    pub fn members(&mut self, ty: TypeId) -> Arc<[TypeId]> {
        if let Some(known) = self.orders.get(&ty) {
            return known.clone();
        }
        let Type::Union(members) = self.get(ty).clone() else { return Arc::default() };
        let mut ordered: Vec<TypeId> = members.iter().copied().collect();
        // A recursive union can be requested while its own members are being ordered. In a long
        // chain of unions, those far inside say nothing that matters.
        if self.ordering.len() >= MAX_ORDERED || self.ordering.contains(&ty) {
            return ordered.into();
        }
        self.ordering.push(ty);
        self.sort_types(&mut ordered);
        self.ordering.pop();
        let ordered: Arc<[TypeId]> = ordered.into();
        self.orders.insert(ty, ordered.clone());
        ordered
    }

    /// The first members of a union in their order: all if there are few, else as many as a
    /// message can show. None if `ty` is not a union.
    pub(crate) fn first_members(&mut self, ty: TypeId) -> Arc<[TypeId]> {
        let Type::Union(members) = self.get(ty) else { return Arc::default() };
        let Some(many) = members.many().cloned() else { return self.members(ty) };
        if let Some(known) = self.first_members.get(&ty) {
            return known.clone();
        }
        let mut first = vec![many.part];
        for side in [&many.left, &many.right] {
            match side.parts.len() {
                1 => first.push(side.ty),
                _ => first.extend(self.first_members(side.ty).iter()),
            }
        }
        self.sort_types(&mut first);
        first.truncate(SHOWN);
        let first: Arc<[TypeId]> = first.into();
        self.first_members.insert(ty, first.clone());
        first
    }
}
