//! Queries about the types of a document and about values of them, and types as text for people.

use std::borrow::Cow;
use std::collections::BTreeSet;

use pcl_model::types::{TypeId, TypeStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::document::Document;
use crate::document::place::{ExpressionIndex, MemberIndex, TypeIndex};
use crate::document::types::{Constant, Discriminator, Enum, EnumMember, Object, Property, Type};

/// The types that a place allows, searched by their kind.
pub(super) struct Choices<'d> {
    pub types: Vec<TypeIndex>,
    pub discriminators: Vec<&'d Discriminator>,
}

impl Document {
    /// The type inside of the outputs, promises and options around it.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let text = "config sizes \"optional(list(int))\" {}\n";
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
    /// let sizes = document.main.nodes[0].ty;
    /// assert_eq!(document.type_text(sizes), "list(int) | none");
    /// assert!(document.is_optional(sizes) && !document.is_eventual(sizes));
    /// assert_eq!(document.type_text(document.strip(sizes)), "list(int)");
    ///
    /// let text = "config on bool {}\nname = on ? \"a\" : null\n";
    /// let document = Workspace::new(Settings::default()).check(&Target::text("main.pp", text)).document();
    /// let name = document.main.nodes[1].ty;
    /// assert!(document.is_optional(name));
    /// assert_eq!(document.type_text(document.strip(name)), "string");
    /// ```
    pub fn strip(&self, mut ty: TypeIndex) -> TypeIndex {
        // There are at most as many layers as types.
        for _ in &self.types {
            ty = match self.ty(ty) {
                Type::Output { element } | Type::Promise { element } => *element,
                Type::Union(_) => {
                    let members = self.members(ty);
                    let mut rest = members.iter().filter(|ty| !self.is_null(**ty));
                    match (rest.next(), rest.next()) {
                        (Some(&only), None) => only,
                        _ => return ty,
                    }
                }
                _ => return ty,
            };
        }
        ty
    }

    /// Returns true if null is among the values of a type.
    pub fn is_optional(&self, ty: TypeIndex) -> bool {
        match self.ty(ty) {
            Type::Union(_) => self.members(ty).iter().any(|&member| self.is_null(member)),
            _ => self.is_null(ty),
        }
    }

    /// Returns true if null is the only value of a type: that of null, or a constant.
    pub(super) fn is_null(&self, ty: TypeIndex) -> bool {
        let value = match self.ty(ty) {
            Type::None => return true,
            Type::Const { value, .. } => value,
            _ => return false,
        };
        matches!(value, Constant::Null)
    }

    /// Returns true if a value of the type is known only later, or may be.
    pub fn is_eventual(&self, ty: TypeIndex) -> bool {
        let is_eventual = |ty: &Type| matches!(ty, Type::Output { .. } | Type::Promise { .. });
        match self.ty(ty) {
            Type::Union(_) => self.members(ty).iter().any(|&member| is_eventual(self.ty(member))),
            ty => is_eventual(ty),
        }
    }

    /// The members of a union, those of unions among them in place of these. Empty for other types.
    pub fn members(&self, ty: TypeIndex) -> Cow<'_, [TypeIndex]> {
        match self.ty(ty) {
            Type::Union(union) => union.flat_members(&self.types),
            _ => Cow::default(),
        }
    }

    /// The properties of an object type and of the types that it includes, sorted by name. Empty
    /// for other types.
    pub fn properties(&self, ty: TypeIndex) -> Vec<&Property> {
        let mut properties = Vec::new();
        let mut known = FxHashSet::default();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            if let Type::Object(object) = self.ty(ty)
                && known.insert(ty)
            {
                properties.extend(&object.properties);
                open.extend(&object.includes);
            }
        }
        if known.len() > 1 {
            properties.sort_by(|a, b| a.name.cmp(&b.name));
        }
        properties
    }

    /// The property of that exact name of an object type.
    pub fn property(&self, ty: TypeIndex, name: &str) -> Option<&Property> {
        let mut known = FxHashSet::default();
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            let Type::Object(object) = self.ty(ty) else { continue };
            if let Some(property) = object.property(name) {
                return Some(property);
            }
            if object.includes.is_empty() || !known.insert(ty) {
                continue;
            }
            // The halves of a type that a program made are before and behind its own property.
            match (&object.includes[..], &object.properties[..]) {
                (&[before, _], [own]) if *name < *own.name => open.push(before),
                (&[_, behind], [_]) => open.push(behind),
                (includes, _) => open.extend(includes),
            }
        }
        None
    }

    /// The object type that an object literal is converted to, if its place expects one. A
    /// generator needs it to name a class. The types of schemas have [`Object::schema`].
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "requiredInputs": ["lock"], "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "code": { "type": "string", "secret": true, "plain": true },
    /// #     "size": { "$ref": "#/types/zoo:index:Size" },
    /// #     "animal": { "oneOf": [{ "$ref": "#/types/zoo:index:Cat" }, { "$ref": "#/types/zoo:index:Dog" }],
    /// #       "discriminator": { "propertyName": "kind",
    /// #         "mapping": { "cat": "#/types/zoo:index:Cat", "dog": "#/types/zoo:index:Dog" } } } } } },
    /// #   "types": {
    /// #     "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } },
    /// #     "zoo:index:Cat": { "type": "object", "properties": { "kind": { "type": "string" }, "lives": { "type": "integer" } } },
    /// #     "zoo:index:Dog": { "type": "object", "properties": { "kind": { "type": "string" } } },
    /// #     "zoo:index:Size": { "type": "string", "enum": [{ "name": "Small", "value": "s" }, { "name": "Large", "value": "l" }] } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let program = Target::text("main.pp", "resource a \"zoo:index:Cage\" {\n  lock = { keys = 2 }\n}\n");
    /// let document = workspace.check(&program).document();
    /// let lock = &document.main.nodes[0].inputs()[0];
    /// let schema = document.annotation(lock.value).unwrap().schema.unwrap();
    /// let member = document.member(schema.member);
    /// assert_eq!((member.token.as_str(), schema.role), ("zoo:index:Lock", ObjectRole::Input));
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    pub fn annotation(&self, expression: ExpressionIndex) -> Option<&Object> {
        self.object(self.expression(expression).expected?)
    }

    /// The object type that a type allows, also behind outputs and options; `None` when there are
    /// several.
    pub fn object(&self, ty: TypeIndex) -> Option<&Object> {
        let choices = self.choices(ty, |ty| matches!(ty, Type::Object(_)));
        match choices.types[..] {
            [only] => match self.ty(only) {
                Type::Object(object) => Some(object),
                _ => None,
            },
            _ => None,
        }
    }

    /// The enumeration that a type allows, also behind outputs and options and beside other types.
    pub fn enumeration(&self, ty: TypeIndex) -> Option<&Enum> {
        let choices = self.choices(ty, |ty| matches!(ty, Type::Enum(_)));
        match self.ty(*choices.types.first()?) {
            Type::Enum(enumeration) => Some(enumeration),
            _ => None,
        }
    }

    /// The member of an enumeration that a literal, perhaps under conversions, denotes, if its
    /// place expects an enumeration.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl::{Settings, Target, Workspace, document::*, schema::MemoryLoader};
    /// # let mut schemas = MemoryLoader::default();
    /// # schemas.add(r##"{ "name": "zoo",
    /// #   "resources": { "zoo:index:Cage": { "requiredInputs": ["lock"], "inputProperties": {
    /// #     "lock": { "$ref": "#/types/zoo:index:Lock" },
    /// #     "code": { "type": "string", "secret": true, "plain": true },
    /// #     "size": { "$ref": "#/types/zoo:index:Size" },
    /// #     "animal": { "oneOf": [{ "$ref": "#/types/zoo:index:Cat" }, { "$ref": "#/types/zoo:index:Dog" }],
    /// #       "discriminator": { "propertyName": "kind",
    /// #         "mapping": { "cat": "#/types/zoo:index:Cat", "dog": "#/types/zoo:index:Dog" } } } } } },
    /// #   "types": {
    /// #     "zoo:index:Lock": { "type": "object", "properties": { "keys": { "type": "integer" } } },
    /// #     "zoo:index:Cat": { "type": "object", "properties": { "kind": { "type": "string" }, "lives": { "type": "integer" } } },
    /// #     "zoo:index:Dog": { "type": "object", "properties": { "kind": { "type": "string" } } },
    /// #     "zoo:index:Size": { "type": "string", "enum": [{ "name": "Small", "value": "s" }, { "name": "Large", "value": "l" }] } } }"##)?;
    /// # let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
    /// let program = Target::text("main.pp", "resource a \"zoo:index:Cage\" {\n  lock = {}\n  size = \"l\"\n}\n");
    /// let document = workspace.check(&program).document();
    /// let size = &document.main.nodes[0].inputs()[1];
    /// assert_eq!(document.enum_member(size.value).unwrap().name.as_deref(), Some("Large"));
    /// let expected = document.expression(size.value).expected.unwrap();
    /// let size = document.enumeration(expected).unwrap().schema.unwrap();
    /// assert_eq!(document.member(size).token, "zoo:index:Size");
    /// # Ok::<(), pcl::schema::DocumentError>(())
    /// ```
    pub fn enum_member(&self, expression: ExpressionIndex) -> Option<&EnumMember> {
        let expression = self.unconverted(expression);
        let enumeration = self.enumeration(self.expression(expression).expected?)?;
        let value = self.literal(expression)?;
        let mut members = enumeration.members.iter();
        members.find(|member| member.value == *value)
    }

    /// The types of a kind that `ty` allows. Those inside of outputs count only if there is no
    /// other.
    pub(super) fn choices(&self, ty: TypeIndex, is_wanted: impl Fn(&Type) -> bool) -> Choices<'_> {
        let mut choices = Choices { types: Vec::new(), discriminators: Vec::new() };
        let kind = self.ty(ty);
        if !matches!(kind, Type::Const { .. }) && !is_wrapper(kind) {
            choices.types.extend(is_wanted(kind).then_some(ty));
            return choices;
        }
        let mut open = vec![ty];
        // There are at most as many layers as types.
        for _ in &self.types {
            let mut known: FxHashSet<TypeIndex> = open.iter().copied().collect();
            let mut inside = Vec::new();
            let mut next = 0;
            while let Some(&ty) = open.get(next) {
                next += 1;
                match self.ty(ty) {
                    Type::Union(union) => {
                        choices.discriminators.extend(&union.discriminator);
                        let members = union.members.iter().copied();
                        open.extend(members.filter(|&ty| known.insert(ty)));
                    }
                    Type::Output { element } | Type::Promise { element } => inside.push(*element),
                    Type::Const { underlying, .. } if known.insert(*underlying) => {
                        open.push(*underlying);
                    }
                    wanted if is_wanted(wanted) => choices.types.push(ty),
                    _ => {}
                }
            }
            if !choices.types.is_empty() || inside.is_empty() {
                break;
            }
            open = inside;
        }
        choices
    }
}

/// The depth up to which parts are shown.
const MAX_DEPTH: usize = 16;

impl Document {
    /// A type on one line: `list(string) | none`. Object types and enumerations of a schema are
    /// shown by their token. What is nested more than 16 deep is shown as `...`, and so are parts
    /// of a text of more than 16 KiB.
    pub fn type_text(&self, ty: TypeIndex) -> String {
        let mut shown =
            Shown { document: self, types: TypeStore::new(), known: FxHashMap::default() };
        let ty = shown.intern(ty, MAX_DEPTH);
        shown.types.text(ty)
    }
}

/// Types of a document as those that are shown.
struct Shown<'d> {
    document: &'d Document,
    types: TypeStore,
    /// Types share parts, so each is interned once for each depth that is left.
    known: FxHashMap<(TypeIndex, usize), TypeId>,
}

impl Shown<'_> {
    fn intern(&mut self, ty: TypeIndex, depth: usize) -> TypeId {
        let Some(inside) = depth.checked_sub(1) else { return self.types.opaque("...") };
        if let Some(known) = self.known.get(&(ty, depth)) {
            return *known;
        }
        let document = self.document;
        let shown = match document.ty(ty) {
            Type::None => TypeId::NONE,
            Type::Bool => TypeId::BOOL,
            Type::Int => TypeId::INT,
            Type::Number => TypeId::NUMBER,
            Type::String => TypeId::STRING,
            Type::Id => TypeId::ID,
            Type::Dynamic => TypeId::DYNAMIC,
            Type::Error => TypeId::ERROR,
            Type::Asset => TypeId::ASSET,
            Type::Archive => TypeId::ARCHIVE,
            Type::Property => TypeId::PROPERTY,
            Type::Opaque { name } => self.types.opaque(name),
            Type::Const { value, .. } => self.types.constant(value.into()),
            Type::Enum(enumeration) => self.types.opaque(&enumeration.token),
            Type::List { element } => {
                let element = self.intern(*element, inside);
                self.types.list(element)
            }
            Type::Set { element } => {
                let element = self.intern(*element, inside);
                self.types.set(element)
            }
            Type::Map { element } => {
                let element = self.intern(*element, inside);
                self.types.map(element)
            }
            Type::Output { element } => {
                let element = self.intern(*element, inside);
                self.types.output(element)
            }
            Type::Promise { element } => {
                let element = self.intern(*element, inside);
                self.types.promise(element)
            }
            Type::Tuple { elements } => {
                let elements = self.intern_all(elements, inside);
                self.types.tuple(&elements)
            }
            Type::Union(_) => {
                let members = self.intern_all(&document.members(ty), inside);
                self.types.union(members)
            }
            Type::Object(object) => match object.schema {
                Some(schema) => self.types.opaque(&document.member(schema.member).token),
                None => {
                    let mut properties = Vec::new();
                    for property in document.properties(ty) {
                        let name = self.types.symbol(&property.name);
                        properties.push((name, self.intern(property.ty, inside)));
                    }
                    self.types.object(properties)
                }
            },
        };
        self.known.insert((ty, depth), shown);
        shown
    }

    fn intern_all(&mut self, parts: &[TypeIndex], depth: usize) -> Vec<TypeId> {
        let parts = parts.iter();
        parts.map(|part| self.intern(*part, depth)).collect()
    }
}

/// The levels of types at which outputs are looked for. A program may nest them without an end.
const DEPTH: u32 = 32;

/// The form that types have in common if they differ only in the outputs inside them. Parts are
/// numbers of forms.
#[derive(PartialEq, Eq, Hash)]
enum Form {
    Type(TypeIndex),
    Member(MemberIndex),
    List(usize),
    Set(usize),
    Map(usize),
    Union(BTreeSet<usize>),
}

/// The numbers of forms, and those of types at a depth.
#[derive(Default)]
struct Forms {
    numbers: FxHashMap<Form, usize>,
    types: FxHashMap<(TypeIndex, u32), usize>,
}

impl Forms {
    fn number(&mut self, form: Form) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(form).or_insert(next)
    }
}

impl Document {
    /// The types that a value of a type may have at run time: the members of unions and the
    /// contents of outputs and promises, each once. Constants and enumerations count as the types
    /// of their values. Of types that differ only in the outputs inside them, the one with the
    /// shortest text is there.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let program = Target::text("main.pp", "config on bool {}\nx = secret(on ? \"yes\" : null)\n");
    /// let document = Workspace::new(Settings::default()).check(&program).document();
    /// let x = document.alternatives(document.main.nodes[1].ty);
    /// let types: Vec<_> = x.into_iter().map(|ty| document.type_text(ty)).collect();
    /// assert_eq!(types, ["string", "none"]);
    /// ```
    pub fn alternatives(&self, ty: TypeIndex) -> Vec<TypeIndex> {
        let is_around =
            |ty: &Type| is_wrapper(ty) || matches!(ty, Type::Const { .. } | Type::Enum(_));
        let layers = self.layers(ty, is_around).into_iter();
        let inner = layers.filter(|&ty| !is_around(self.ty(ty)));
        self.distinct(inner.collect())
    }

    /// The types that an author may write for a value of a type: without null, outputs and
    /// promises, also those inside of unions. Outputs inside of a collection stay if no other type
    /// is that collection without them. The type of null is there alone.
    ///
    /// ```
    /// # use pcl::{Settings, Target, Workspace, document::*};
    /// let program = Target::text("main.pp", "config on bool {}\nx = secret(on ? \"yes\" : null)\n");
    /// let document = Workspace::new(Settings::default()).check(&program).document();
    /// let x = document.plain(document.main.nodes[1].ty);
    /// let types: Vec<_> = x.into_iter().map(|ty| document.type_text(ty)).collect();
    /// assert_eq!(types, ["string"]);
    /// ```
    pub fn plain(&self, ty: TypeIndex) -> Vec<TypeIndex> {
        let layers = self.layers(ty, is_wrapper).into_iter();
        let inner = layers.filter(|&ty| !is_wrapper(self.ty(ty)));
        let mut types = self.distinct(inner.collect());
        if types.len() > 1 {
            types.retain(|&ty| !self.is_null(ty));
        }
        types
    }

    /// The [plain](Self::plain) types in the order of the schema, as SDKs with a first and a second
    /// side of a union have them.
    pub fn plain_in_schema_order(&self, ty: TypeIndex) -> Vec<TypeIndex> {
        let mut types = self.plain(ty);
        let layers = self.layers(ty, is_wrapper);
        let order = layers.iter().find_map(|&ty| match self.ty(ty) {
            Type::Union(union) if !union.schema_order.is_empty() => Some(&union.schema_order),
            _ => None,
        });
        if let Some(order) = order {
            types.sort_by_key(|ty| order.iter().position(|known| known == ty));
        }
        types
    }

    /// The union around the [plain](Self::plain) types that has a discriminator: the first one.
    pub fn plain_union(&self, ty: TypeIndex) -> Option<TypeIndex> {
        let mut layers = self.layers(ty, is_wrapper).into_iter();
        layers.find(|&ty| match self.ty(ty) {
            Type::Union(union) => union.discriminator.is_some(),
            _ => false,
        })
    }

    /// A type, and what is inside of those around others, each once.
    fn layers(&self, ty: TypeIndex, is_around: impl Fn(&Type) -> bool) -> Vec<TypeIndex> {
        let mut layers = vec![ty];
        let kind = self.ty(ty);
        if !matches!(kind, Type::Union(_)) && !is_around(kind) {
            return layers;
        }
        let mut known = FxHashSet::from_iter([ty]);
        let mut next = 0;
        while let Some(&ty) = layers.get(next) {
            next += 1;
            let mut add = |part| {
                if known.insert(part) {
                    layers.push(part);
                }
            };
            match self.ty(ty) {
                Type::Union(union) => union.members.iter().copied().for_each(add),
                around if is_around(around) => around.for_each_part(&mut add),
                _ => {}
            }
        }
        layers
    }

    /// The types in their order, without those that differ from others only in the outputs inside.
    fn distinct(&self, types: Vec<TypeIndex>) -> Vec<TypeIndex> {
        if types.len() < 2 {
            return types;
        }
        let mut forms = Forms::default();
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        let mut found: Vec<TypeIndex> = Vec::new();
        for ty in types {
            let form = self.form(ty, 0, &mut forms);
            match places.get(&form).and_then(|&place| found.get_mut(place)) {
                Some(known) => {
                    let length = |ty| self.type_text(ty).chars().count();
                    if length(ty) < length(*known) {
                        *known = ty;
                    }
                }
                None => {
                    places.insert(form, found.len());
                    found.push(ty);
                }
            }
        }
        found
    }

    /// The number of the form of a type.
    fn form(&self, ty: TypeIndex, depth: u32, forms: &mut Forms) -> usize {
        if let Some(&number) = forms.types.get(&(ty, depth)) {
            return number;
        }
        let mut inner = |ty| self.form(ty, depth + 1, forms);
        let form = match self.ty(ty) {
            _ if depth == DEPTH => Form::Type(ty),
            Type::Object(object) => match object.schema {
                Some(schema) => Form::Member(schema.member),
                None => Form::Type(ty),
            },
            Type::List { element } => Form::List(inner(*element)),
            Type::Set { element } => Form::Set(inner(*element)),
            Type::Map { element } => Form::Map(inner(*element)),
            kind if is_wrapper(kind) => {
                let layers = self.layers(ty, is_wrapper).into_iter();
                let types = layers.filter(|&ty| !is_wrapper(self.ty(ty)));
                Form::Union(types.map(inner).collect())
            }
            _ => Form::Type(ty),
        };
        let number = match &form {
            // An output or a union of one form is that form.
            Form::Union(members) if members.len() == 1 => members.first().copied(),
            _ => None,
        };
        let number = number.unwrap_or_else(|| forms.number(form));
        forms.types.insert((ty, depth), number);
        number
    }
}

/// Returns true for types that say when a value is known, or that it has one of several types.
const fn is_wrapper(ty: &Type) -> bool {
    matches!(ty, Type::Union(_) | Type::Output { .. } | Type::Promise { .. })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pcl_schema::MemoryLoader;

    use crate::document::{Document, TypeIndex};
    use crate::{Settings, Target, Workspace};

    fn shown(document: &Document, types: Vec<TypeIndex>) -> Vec<String> {
        let types = types.into_iter();
        types.map(|ty| document.type_text(ty)).collect()
    }

    #[test]
    fn types_that_differ_in_outputs_are_one() {
        let mut schemas = MemoryLoader::default();
        let schema = r#"{ "name": "zoo", "resources": { "zoo:index:Cage": { "inputProperties": {
            "names": { "type": "array", "items": { "type": "string" } },
            "size": { "oneOf": [{ "type": "integer" }, { "type": "string" }] } } } } }"#;
        schemas.add(schema).unwrap();
        let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
        let text = "resource cage \"zoo:index:Cage\" {\n  names = []\n}\n";
        let document = workspace.check(&Target::text("main.pp", text)).document();
        let cage = &document.main.nodes[0];
        let both = |name| {
            let ty = document.input_property(cage, name).unwrap().ty;
            let alternatives = shown(&document, document.alternatives(ty));
            let plain = shown(&document, document.plain(ty));
            (document.type_text(ty), alternatives, plain)
        };
        let (text, alternatives, plain) = both("names");
        assert_eq!(text, "list(string | output(string)) | output(list(string)) | none");
        assert_eq!(alternatives, ["none", "list(string)"]);
        assert_eq!(plain, ["list(string)"]);
        let (_, alternatives, plain) = both("size");
        assert_eq!(alternatives, ["int", "string", "none"]);
        assert_eq!(plain, ["int", "string"]);
    }

    #[test]
    fn null_is_alone() {
        let program = Target::text("main.pp", "a = secret(null)\n");
        let document = Workspace::new(Settings::default()).check(&program).document();
        let ty = document.main.nodes[0].ty;
        assert_eq!(shown(&document, document.plain(ty)), ["null"]);
        assert_eq!(shown(&document, document.alternatives(ty)), ["none"]);
    }
}
