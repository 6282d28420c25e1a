//! Reads the display form of a type, in which vectors and tests write types.

use std::fmt;

use pcl_model::{Constant, Number, TypeId, TypeStore};

/// An error in the text of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeTextError {
    /// The offset in bytes from the start of the text.
    pub offset: usize,
    /// The text or kind of text that was expected there.
    pub expected: &'static str,
}

impl fmt::Display for TypeTextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "expected {} at byte {} of the type", self.expected, self.offset)
    }
}

impl std::error::Error for TypeTextError {}

/// The type that `text` shows, written in display form. Unions, outputs and promises need not be in
/// normal form.
///
/// # Errors
///
/// Returns an error if `text` is not a type, or nests more deeply than types may.
pub fn parse_type(types: &mut TypeStore, text: &str) -> Result<TypeId, TypeTextError> {
    parse_type_with(types, text, &mut |_, _| None)
}

/// Like [`parse_type`], where `$name` is the type that `named` returns.
///
/// # Errors
///
/// Fails like [`parse_type`], and if `named` does not know a type.
pub fn parse_type_with(
    types: &mut TypeStore,
    text: &str,
    named: &mut dyn FnMut(&mut TypeStore, &str) -> Option<TypeId>,
) -> Result<TypeId, TypeTextError> {
    let mut parser = Parser { types, text, at: 0, depth: 0, named };
    let ty = parser.ty()?;
    if parser.at < text.len() {
        return parser.expected("the end");
    }
    Ok(ty)
}

/// The deepest nesting of the text.
const MAX_DEPTH: usize = 500;

struct Parser<'a> {
    types: &'a mut TypeStore,
    text: &'a str,
    at: usize,
    depth: usize,
    named: &'a mut dyn FnMut(&mut TypeStore, &str) -> Option<TypeId>,
}

type Parsed<T> = Result<T, TypeTextError>;

impl<'a> Parser<'a> {
    fn expected<T>(&self, expected: &'static str) -> Parsed<T> {
        Err(TypeTextError { offset: self.at, expected })
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &'static str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { self.expected(token) }
    }

    /// The text up to the first of `ends`.
    fn until(&mut self, ends: &[char]) -> &'a str {
        let rest = self.rest();
        let word = rest.split(ends).next().unwrap_or(rest);
        self.at += word.len();
        word
    }

    fn ty(&mut self) -> Parsed<TypeId> {
        if self.depth >= MAX_DEPTH {
            return self.expected("a type that nests less deeply");
        }
        self.depth += 1;
        let ty = self.ty_inner();
        self.depth -= 1;
        ty
    }

    fn ty_inner(&mut self) -> Parsed<TypeId> {
        if self.rest().starts_with("cty.") {
            let value = self.constant()?;
            return Ok(self.types.constant(value));
        }
        if self.eat("$") {
            let start = self.at;
            let name = self.until(&[',', ')', '}', ' ']);
            return match (self.named)(self.types, name) {
                Some(ty) => Ok(ty),
                None => Err(TypeTextError { offset: start, expected: "the name of a type" }),
            };
        }
        let word = self.until(&['(', ')', ',', '}', ' ']);
        if word.is_empty() {
            return self.expected("a type");
        }
        if !self.eat("(") {
            return Ok(self.types.opaque(word));
        }
        let ty = match word {
            "list" => self.one(TypeStore::list)?,
            "set" => self.one(TypeStore::set)?,
            "map" => self.one(TypeStore::map)?,
            "output" => self.one(TypeStore::output)?,
            "promise" => self.one(TypeStore::promise)?,
            "tuple" => {
                let parts = self.several()?;
                self.types.tuple(&parts)
            }
            "union" => {
                let parts = self.several()?;
                self.types.union(parts)
            }
            "object" => self.object()?,
            "enum" => self.enumeration()?,
            "type" => {
                let name = self.until(&[')']);
                self.types.opaque(name)
            }
            _ => return self.expected("the name of a type that has parts"),
        };
        self.expect(")")?;
        Ok(ty)
    }

    fn one(&mut self, make: fn(&mut TypeStore, TypeId) -> TypeId) -> Parsed<TypeId> {
        let part = self.ty()?;
        Ok(make(self.types, part))
    }

    fn several(&mut self) -> Parsed<Vec<TypeId>> {
        let mut parts = Vec::new();
        if self.rest().starts_with(')') {
            return Ok(parts);
        }
        loop {
            parts.push(self.ty()?);
            if !self.eat(", ") {
                return Ok(parts);
            }
        }
    }

    fn object(&mut self) -> Parsed<TypeId> {
        self.expect("{")?;
        let mut properties = Vec::new();
        while !self.eat("}") {
            if !properties.is_empty() {
                self.expect(", ")?;
            }
            let Some((name, _)) = self.rest().split_once(" = ") else {
                return self.expected("a property");
            };
            self.at += name.len() + " = ".len();
            let name = self.types.symbol(name);
            properties.push((name, self.ty()?));
        }
        Ok(self.types.object(properties))
    }

    fn enumeration(&mut self) -> Parsed<TypeId> {
        let token = self.until(&['(']);
        self.expect("(")?;
        let underlying = self.ty()?;
        self.expect("): ")?;
        let mut values = vec![self.constant()?];
        while self.eat(",") {
            values.push(self.constant()?);
        }
        Ok(self.types.enumeration(token, underlying, &values))
    }

    fn constant(&mut self) -> Parsed<Constant> {
        for (text, value) in [
            ("cty.True", Constant::Bool(true)),
            ("cty.False", Constant::Bool(false)),
            ("cty.NullVal(cty.DynamicPseudoType)", Constant::Null),
        ] {
            if self.eat(text) {
                return Ok(value);
            }
        }
        let value = if self.eat("cty.StringVal(") {
            Constant::String(self.quoted()?.into())
        } else if self.eat("cty.NumberIntVal(") || self.eat("cty.NumberFloatVal(") {
            Constant::Number(self.number()?)
        } else if self.eat("cty.MustParseNumberVal(\"") {
            let number = self.number()?;
            self.expect("\"")?;
            Constant::Number(number)
        } else {
            return self.expected("a constant");
        };
        self.expect(")")?;
        Ok(value)
    }

    fn number(&mut self) -> Parsed<Number> {
        let start = self.at;
        match Number::parse(self.until(&[')', '"'])) {
            Some(number) => Ok(number),
            None => Err(TypeTextError { offset: start, expected: "a number" }),
        }
    }

    fn quoted(&mut self) -> Parsed<String> {
        self.expect("\"")?;
        let mut value = String::new();
        loop {
            value.push_str(self.until(&['"', '\\']));
            if self.eat("\"") {
                return Ok(value);
            }
            if !self.eat("\\") {
                return self.expected("a closing quote");
            }
            value.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        for (escape, c) in [
            ("a", '\u{7}'),
            ("b", '\u{8}'),
            ("f", '\u{c}'),
            ("n", '\n'),
            ("r", '\r'),
            ("t", '\t'),
            ("v", '\u{b}'),
            ("\"", '"'),
            ("\\", '\\'),
        ] {
            if self.eat(escape) {
                return Ok(c);
            }
        }
        for (escape, length) in [("x", 2), ("u", 4), ("U", 8)] {
            if self.eat(escape) {
                let digits = self
                    .rest()
                    .get(..length)
                    .and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let Some(c) = digits.and_then(char::from_u32) else {
                    return self.expected("a code point");
                };
                self.at += length;
                return Ok(c);
            }
        }
        self.expected("an escape")
    }
}
