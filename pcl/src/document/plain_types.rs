//! The types of values without the outputs, promises and unions around them. Of types that differ
//! only in the outputs inside them, one is there.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::Document;
use super::index::{MemberIndex, TypeIndex};
use super::types::Type;

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
    numbers: HashMap<Form, usize>,
    types: HashMap<(TypeIndex, u32), usize>,
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
    #[must_use]
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
    #[must_use]
    pub fn plain(&self, ty: TypeIndex) -> Vec<TypeIndex> {
        let layers = self.layers(ty, is_wrapper).into_iter();
        let inner = layers.filter(|&ty| !is_wrapper(self.ty(ty)));
        let mut types = self.distinct(inner.collect());
        if types.len() > 1 {
            types.retain(|&ty| !self.is_null(ty));
        }
        types
    }

    /// The union around the [plain](Self::plain) types that has a discriminator: the first one.
    #[must_use]
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
        let mut known = HashSet::from([ty]);
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
        let mut places: HashMap<usize, usize> = HashMap::new();
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
        assert_eq!(text, "list(output(string) | string) | output(list(string)) | none");
        assert_eq!(alternatives, ["list(string)", "none"]);
        assert_eq!(plain, ["list(string)"]);
        let (_, alternatives, plain) = both("size");
        assert_eq!(alternatives, ["int", "none", "string"]);
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
