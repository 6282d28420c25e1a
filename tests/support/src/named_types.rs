//! A schema for tests: named object types, given by the text of their display form.

use std::sync::{Arc, Mutex};

use pcl_model::{Materialize, NominalKey, ObjectDefinition, TypeId, TypeStore};

use crate::type_text::parse_type_with;

/// The object types that a test names. `$NAME` in the text of a type refers to one of them.
#[derive(Default)]
pub struct Schema(Mutex<Vec<Definition>>);

#[derive(Clone)]
struct Definition {
    name: String,
    text: String,
    strict: bool,
}

impl Schema {
    /// A store whose nominal types are these, and `schema` to add to.
    pub fn store() -> (Arc<Self>, TypeStore) {
        let schema = Arc::new(Self::default());
        let types = TypeStore::with_materializer(schema.clone());
        (schema, types)
    }

    /// Adds a type whose properties are read on demand.
    pub fn define(&self, name: &str, text: &str, strict: bool) {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.0.lock().unwrap().push(Definition { name, text, strict });
    }

    /// The type with the text `text`, where `$NAME` is a type of this schema and `lenient({..})` an
    /// object that is not strict.
    pub fn parse(&self, types: &mut TypeStore, text: &str) -> TypeId {
        let mut text = text.to_owned();
        while let Some(start) = text.find("lenient(") {
            let open = start + "lenient".len();
            let end = open + closing(&text[open..]);
            let name = format!("lenient-{}", self.0.lock().unwrap().len());
            self.define(&name, &format!("object{}", &text[open..=end]), false);
            text.replace_range(start..=end, &format!("${name}"));
        }
        parse_type_with(types, &text, &mut |types, name| self.named(types, name))
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn named(&self, types: &mut TypeStore, name: &str) -> Option<TypeId> {
        let member = self.0.lock().unwrap().iter().position(|known| known.name == name)?;
        Some(types.nominal(NominalKey { package: 0, member: member as u32, shape: 0 }))
    }
}

impl Materialize for Schema {
    fn define(&self, key: NominalKey, types: &mut TypeStore) -> ObjectDefinition {
        let definition = self.0.lock().unwrap()[key.member as usize].clone();
        let object = self.parse(types, &definition.text);
        let properties = types.properties(object).expect("an object").to_vec();
        ObjectDefinition { properties, strict: definition.strict }
    }

    /// `Plain` promises to hold no outputs.
    fn is_plain(&self, key: NominalKey) -> bool {
        self.0.lock().unwrap()[key.member as usize].name == "Plain"
    }

    /// `XInput` is `X` without its outputs, if there is an `X`.
    fn resolved(&self, key: NominalKey) -> Option<NominalKey> {
        let known = self.0.lock().unwrap();
        let name = known[key.member as usize].name.strip_suffix("Input")?;
        let member = known.iter().position(|other| other.name == name)? as u32;
        Some(NominalKey { member, ..key })
    }
}

/// The position of the closing parenthesis for the one that `text` begins with.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("unclosed: {text}");
}
