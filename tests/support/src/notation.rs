//! Types as the expression vectors write them: `list(T)`, `const(1)`, `object({k = T})`,
//! `enum("token", T, 1)`, `resource({..})`.

use std::sync::{Arc, Mutex};

use pcl_model::functions::{CallContext, Callable, Parameter, Signature};
use pcl_model::types::{Materialize, NominalKey, ObjectDefinition, Symbol, TypeId, TypeStore};
use pcl_model::value::{Constant, Number};

const RESOURCE: u16 = 0;
const LENIENT: u16 = 1;

/// The objects that the notation names: resources, and objects that forgive unknown properties.
#[derive(Default)]
pub struct Objects(Mutex<Vec<Vec<(Symbol, TypeId)>>>);

impl Materialize for Objects {
    fn define(&self, key: NominalKey, _: &mut TypeStore) -> ObjectDefinition {
        ObjectDefinition {
            properties: self.0.lock().unwrap()[key.member as usize].clone(),
            strict: key.shape != LENIENT,
        }
    }

    fn is_resource(&self, key: NominalKey) -> bool {
        key.shape == RESOURCE
    }
}

pub struct Notation<'a> {
    text: &'a str,
    types: &'a mut TypeStore,
    objects: &'a Arc<Objects>,
}

impl<'a> Notation<'a> {
    pub fn new(text: &'a str, types: &'a mut TypeStore, objects: &'a Arc<Objects>) -> Self {
        Self { text, types, objects }
    }

    /// The type that the whole text says.
    pub fn ty(mut self) -> TypeId {
        let ty = self.parse();
        assert!(self.text.trim().is_empty(), "left over: {}", self.text);
        ty
    }

    /// The signature `(p: T, ...rest: T) -> T`.
    pub fn signature(mut self) -> Static {
        self.expect("(");
        let mut parameters = Vec::new();
        let mut variadic = None;
        while !self.eat(")") {
            let rest = self.eat("...");
            let name = self.word().to_owned();
            self.expect(":");
            let ty = self.parse();
            if rest {
                variadic = Some(Parameter::new(name, ty));
            } else {
                parameters.push(Parameter::new(name, ty));
            }
            self.eat(",");
        }
        self.expect("->");
        let returns = self.parse();
        assert!(self.text.trim().is_empty(), "left over: {}", self.text);
        Static(Signature { variadic, ..Signature::new(parameters, returns) })
    }

    fn eat(&mut self, token: &str) -> bool {
        self.text = self.text.trim_start();
        let Some(rest) = self.text.strip_prefix(token) else { return false };
        self.text = rest;
        true
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "expected {token} at {}", self.text);
    }

    fn word(&mut self) -> &'a str {
        self.text = self.text.trim_start();
        let end = self.text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        let (word, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        self.text = rest;
        word
    }

    fn quoted(&mut self) -> String {
        let mut values = serde_json::Deserializer::from_str(self.text).into_iter::<String>();
        let value = values.next().unwrap().unwrap();
        let offset = values.byte_offset();
        self.text = &self.text[offset..];
        value
    }

    fn value(&mut self) -> Constant {
        self.text = self.text.trim_start();
        if self.text.starts_with('"') {
            return Constant::from(&*self.quoted());
        }
        let end = self.text.find([')', ',']).unwrap();
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        match word.trim() {
            "true" => Constant::Bool(true),
            "false" => Constant::Bool(false),
            "null" => Constant::Null,
            number => Constant::Number(Number::parse(number).unwrap()),
        }
    }

    fn list(&mut self) -> Vec<TypeId> {
        let mut list = Vec::new();
        while !self.eat(")") {
            list.push(self.parse());
            self.eat(",");
        }
        list
    }

    fn properties(&mut self) -> Vec<(Symbol, TypeId)> {
        let mut properties = Vec::new();
        self.expect("{");
        while !self.eat("}") {
            self.text = self.text.trim_start();
            let name =
                if self.text.starts_with('"') { self.quoted() } else { self.word().to_owned() };
            let name = self.types.symbol(&name);
            self.expect("=");
            properties.push((name, self.parse()));
            self.eat(",");
        }
        self.expect(")");
        properties
    }

    fn nominal(&mut self, shape: u16) -> TypeId {
        let properties = self.properties();
        let mut objects = self.objects.0.lock().unwrap();
        objects.push(properties);
        let member = objects.len() as u32 - 1;
        self.types.nominal(NominalKey { package: 0, member, shape })
    }

    fn parse(&mut self) -> TypeId {
        let word = self.word();
        if !self.eat("(") {
            return match word {
                "bool" => TypeId::BOOL,
                "int" => TypeId::INT,
                "number" => TypeId::NUMBER,
                "string" => TypeId::STRING,
                "id" => TypeId::ID,
                "dynamic" => TypeId::DYNAMIC,
                "none" => TypeId::NONE,
                "Asset" => TypeId::ASSET,
                "Archive" => TypeId::ARCHIVE,
                _ => panic!("unknown type {word}"),
            };
        }
        match word {
            "object" => {
                let properties = self.properties();
                self.types.object(properties)
            }
            "resource" => self.nominal(RESOURCE),
            "lenient" => self.nominal(LENIENT),
            "const" => {
                let value = self.value();
                self.expect(")");
                self.types.constant(value)
            }
            "enum" => {
                let token = self.quoted();
                self.expect(",");
                let underlying = self.parse();
                let mut values = Vec::new();
                while self.eat(",") {
                    values.push(self.value());
                }
                self.expect(")");
                self.types.enumeration(&token, underlying, &values)
            }
            _ => {
                let parts = self.list();
                match (word, &*parts) {
                    // An opaque type by its name.
                    ("type", &[part]) => part,
                    ("list", &[part]) => self.types.list(part),
                    ("set", &[part]) => self.types.set(part),
                    ("map", &[part]) => self.types.map(part),
                    ("output", &[part]) => self.types.output(part),
                    ("promise", &[part]) => self.types.promise(part),
                    ("optional", &[part]) => self.types.optional(part),
                    ("tuple", parts) => self.types.tuple(parts),
                    ("union", parts) => self.types.union(parts.iter().copied()),
                    _ => panic!("unknown type {word}"),
                }
            }
        }
    }
}

/// A function that takes and gives the same in every call.
pub struct Static(pub Signature);

impl Callable for Static {
    fn signature(&self, _: &mut CallContext<'_, '_>) -> Signature {
        self.0.clone()
    }
}
