//! The meaning of an expression, in a form that does not depend on its notation: built from the
//! bound model on one side, from generated YAML on the other.

use std::collections::BTreeMap;

use pcl::document::{
    Call, Constant, Document, ExpressionIndex, ExpressionKind, Key, NodeIndex, OtherReference,
    Property, Reference, Type, TypeIndex, UnaryOperator,
};
use pcl::model::Number;

use crate::yaml::Yaml;

#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    /// Texts and values, one after the other.
    Join(Vec<Term>),
    /// A declaration.
    Node(NodeIndex),
    /// A built-in value, such as `stack`.
    BuiltIn(String),
    /// A part of something.
    Part(Box<Term>, String),
    /// A path to a property.
    Path(Vec<String>),
    Call(String, Vec<Term>),
    List(Vec<Term>),
    Map(BTreeMap<String, Term>),
}

impl Term {
    /// Pieces as one: texts that meet are one text, one piece alone is itself.
    fn join(pieces: impl IntoIterator<Item = Term>) -> Self {
        let mut joined: Vec<Term> = Vec::new();
        for piece in pieces {
            let flat = match piece {
                Self::Join(pieces) => pieces,
                Self::Number(text) => vec![Self::Text(text)],
                Self::Bool(value) => vec![Self::Text(value.to_string())],
                other => vec![other],
            };
            for piece in flat {
                match (joined.last_mut(), piece) {
                    (_, Self::Text(text)) if text.is_empty() => {}
                    (Some(Self::Text(before)), Self::Text(text)) => before.push_str(&text),
                    (_, piece) => joined.push(piece),
                }
            }
        }
        match joined.len() {
            0 => Self::Text(String::new()),
            1 => joined.remove(0),
            _ => Self::Join(joined),
        }
    }

    /// The value as a secret, unless it is one or null.
    fn secret(self) -> Self {
        match self {
            Self::Null => self,
            Self::Call(name, arguments) if name == "secret" => Self::Call(name, arguments),
            value => Self::Call("secret".to_owned(), vec![value]),
        }
    }

    fn part(self, key: &str) -> Self {
        Self::Part(Box::new(self), key.to_owned())
    }

    /// The number of references to declarations.
    pub fn references(&self) -> usize {
        match self {
            Self::Node(_) => 1,
            Self::Part(of, _) => of.references(),
            Self::Join(terms) | Self::List(terms) | Self::Call(_, terms) => {
                terms.iter().map(Self::references).sum()
            }
            Self::Map(map) => map.values().map(Self::references).sum(),
            _ => 0,
        }
    }
}

/// Type and function tokens are spelled in several ways: package, module and name count.
pub fn token(text: &str) -> String {
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [package, name] | [package, "", name] => format!("{package}:index:{name}"),
        _ => text.to_owned(),
    }
}

/// The model's side.
pub struct Model<'d> {
    pub document: &'d Document,
}

impl Model<'_> {
    /// The meaning of an expression; an error when Pulumi YAML cannot say it.
    pub fn term(&self, index: ExpressionIndex) -> Result<Term, String> {
        let document = self.document;
        let expression = document.expression(index);
        if let Some(constant) = document.literal(index) {
            return Ok(self.constant(constant, expression.expected));
        }
        let all = |indexes: &[ExpressionIndex]| {
            let terms = indexes.iter().map(|&index| self.term(index));
            terms.collect::<Result<Vec<_>, _>>()
        };
        match &expression.kind {
            ExpressionKind::Template { parts } => match parts[..] {
                [only] => self.term(only),
                _ => Ok(Term::join(all(parts)?)),
            },
            ExpressionKind::Tuple { elements } => Ok(Term::List(all(elements)?)),
            ExpressionKind::Object { items } => {
                let mut map = BTreeMap::new();
                for item in items {
                    let key = document.key_text(item.key).ok_or("a computed key")?;
                    map.insert(key.into_owned(), self.term(item.value)?);
                }
                let expected = expression.expected.map(|ty| document.properties(ty));
                for property in expected.into_iter().flatten() {
                    if let Some(default) = self.default(property) {
                        map.entry(property.name.clone()).or_insert(default);
                    }
                    if let Some(value) = map.get_mut(&property.name).filter(|_| property.secret) {
                        *value = std::mem::replace(value, Term::Null).secret();
                    }
                }
                Ok(Term::Map(map))
            }
            ExpressionKind::Index { collection, key } if document.key_text(*key).is_some() => {
                let key = document.key_text(*key).ok_or("a computed key")?;
                Ok(self.term(*collection)?.part(&key))
            }
            ExpressionKind::Index { collection, key } => {
                Ok(Term::Call("select".to_owned(), all(&[*key, *collection])?))
            }
            ExpressionKind::Traversal(traversal) => {
                let mut keys = traversal.steps.iter().map(|step| &step.key);
                match &traversal.reference {
                    Reference::Node(node) => keys.try_fold(Term::Node(*node), part),
                    Reference::Constant(constant) => Ok(self.constant(constant, None)),
                    Reference::Other(OtherReference::Property) => {
                        let mut path = vec![traversal.name.clone()];
                        path.extend(keys.map(key).collect::<Result<Vec<_>, _>>()?);
                        Ok(Term::Path(path))
                    }
                    other => Err(format!("a reference to {other:?}")),
                }
            }
            ExpressionKind::RelativeTraversal { source, steps } => {
                let mut keys = steps.iter().map(|step| &step.key);
                keys.try_fold(self.term(*source)?, part)
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                match document.literal(*operand) {
                    Some(Constant::Number(number)) => {
                        let negated = Constant::Number(-number.clone());
                        Ok(self.constant(&negated, expression.expected))
                    }
                    _ => Err("an operator".to_owned()),
                }
            }
            ExpressionKind::Call(call) => self.call(call),
            other => Err(format!("{other:?}")),
        }
    }

    fn call(&self, call: &Call) -> Result<Term, String> {
        let arguments = call.arguments.iter().map(|&argument| self.term(argument));
        let mut arguments: Vec<Term> = arguments.collect::<Result<_, _>>()?;
        match (call.name.as_str(), arguments.len()) {
            ("invoke", _) => return self.invoke(call, arguments),
            ("getOutput", 2) => {
                let Some(Term::Text(name)) = arguments.pop() else {
                    return Err("a computed output name".to_owned());
                };
                return Ok(arguments.remove(0).part("outputs").part(&name));
            }
            ("element", 2) => {
                arguments.reverse();
                return Ok(Term::Call("select".to_owned(), arguments));
            }
            (name, 0) => return Ok(Term::BuiltIn(name.to_owned())),
            _ => {}
        }
        Ok(Term::Call(call.name.clone(), arguments))
    }

    fn invoke(&self, call: &Call, arguments: Vec<Term>) -> Result<Term, String> {
        let callee = call.callee.as_ref().ok_or("an unknown function")?;
        let mut arguments = arguments.into_iter().skip(1);
        let given = if callee.positional_inputs.is_empty() {
            arguments.next().unwrap_or(Term::Null)
        } else {
            let names = callee.positional_inputs.iter().cloned();
            let given = names.zip(arguments.by_ref());
            Term::Map(given.filter(|(_, value)| *value != Term::Null).collect())
        };
        let options = arguments.next().unwrap_or(Term::Null);
        Ok(invoke(&callee.token, given, options))
    }

    /// The default of a property in its schema.
    pub fn default(&self, property: &Property) -> Option<Term> {
        let default = property.default.as_ref().filter(|_| property.constant.is_none())?;
        Some(self.constant(default, Some(property.ty)))
    }

    /// The only value of a property.
    pub fn only(&self, property: &Property) -> Option<Term> {
        let only = property.constant.as_ref()?;
        Some(self.constant(only, Some(property.ty)))
    }

    /// Converts a literal to the type that its place expects.
    fn constant(&self, constant: &Constant, expected: Option<TypeIndex>) -> Term {
        let mut takes = Vec::new();
        if let Some(expected) = expected {
            self.scalars(expected, &mut takes, 0);
        }
        let only = match takes[..] {
            ["any", ..] => None,
            [only] => Some(only),
            _ => None,
        };
        match (constant, only) {
            (Constant::Null, _) => Term::Null,
            (Constant::Bool(value), Some("text")) => Term::Text(value.to_string()),
            (Constant::Bool(value), _) => Term::Bool(*value),
            (Constant::Number(number), Some("text")) => Term::Text(number.to_string()),
            (Constant::Number(number), _) => Term::Number(number.to_string()),
            (Constant::String(text), Some("bool")) if text == "true" => Term::Bool(true),
            (Constant::String(text), Some("bool")) if text == "false" => Term::Bool(false),
            (Constant::String(text), Some("number")) => match Number::parse(text) {
                Some(number) => Term::Number(number.to_string()),
                None => Term::Text(text.clone()),
            },
            (Constant::String(text), _) => Term::Text(text.clone()),
        }
    }

    /// The kinds of scalars that a type allows, `any` first.
    fn scalars(&self, ty: TypeIndex, found: &mut Vec<&'static str>, depth: usize) {
        let kind = match self.document.ty(ty) {
            Type::String | Type::Id => "text",
            Type::Bool => "bool",
            Type::Int | Type::Number => "number",
            Type::Dynamic => return found.insert(0, "any"),
            Type::Output { element } | Type::Promise { element } if depth < 8 => {
                return self.scalars(*element, found, depth + 1);
            }
            Type::Union(union) if depth < 8 => {
                for &member in &union.members {
                    self.scalars(member, found, depth + 1);
                }
                return;
            }
            Type::Const { underlying, .. } => return self.scalars(*underlying, found, depth + 1),
            Type::Enum(of) => return self.scalars(of.underlying, found, depth + 1),
            _ => return,
        };
        if !found.contains(&kind) {
            found.push(kind);
        }
    }
}

fn part(of: Term, step: &Key) -> Result<Term, String> {
    Ok(of.part(&key(step)?))
}

fn key(key: &Key) -> Result<String, String> {
    match key {
        Key::Name(name) | Key::Index(Constant::String(name)) => Ok(name.clone()),
        Key::Index(Constant::Number(number)) => Ok(number.to_string()),
        Key::Index(other) => Err(format!("the key {other}")),
    }
}

/// A call of a package's function. The names of options count without their case.
fn invoke(function: &str, arguments: Term, options: Term) -> Term {
    let none = |term: Term| match term {
        Term::Null => Term::Map(BTreeMap::new()),
        term => term,
    };
    let options = match none(options) {
        Term::Map(options) => Term::Map(
            options.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect(),
        ),
        other => other,
    };
    let function = Term::Text(token(function));
    Term::Call("invoke".to_owned(), vec![function, none(arguments), options])
}

/// The side of generated YAML.
pub struct Generated<'y> {
    /// The targets of names.
    pub nodes: BTreeMap<String, NodeIndex>,
    /// The variables that are not declarations of the program.
    pub made: BTreeMap<String, &'y Yaml>,
    /// Those of them that something refers to.
    pub used: std::cell::RefCell<Vec<String>>,
    /// True for a component.
    pub is_component: bool,
}

impl Generated<'_> {
    pub fn term(&self, yaml: &Yaml) -> Result<Term, String> {
        match yaml {
            Yaml::Scalar(text, true) => self.bare(text),
            Yaml::Scalar(text, false) => self.text(text),
            Yaml::List(list) => Ok(Term::List(self.terms(list)?)),
            Yaml::Map(map) => {
                if let [(key, argument)] = &map[..]
                    && let Some(function) = key.strip_prefix("fn::")
                {
                    return self.call(function, argument);
                }
                let pairs = map.iter().map(|(key, value)| match self.text(key)? {
                    Term::Text(key) => Ok((key, self.term(value)?)),
                    key => Err(format!("a key is computed: {key:?}")),
                });
                Ok(Term::Map(pairs.collect::<Result<_, String>>()?))
            }
        }
    }

    fn terms(&self, list: &[Yaml]) -> Result<Vec<Term>, String> {
        list.iter().map(|yaml| self.term(yaml)).collect()
    }

    fn call(&self, function: &str, argument: &Yaml) -> Result<Term, String> {
        if function == "invoke" {
            let name = argument.text("function").ok_or("an invoke without function")?;
            let part = |name| argument.get(name).map_or(Ok(Term::Null), |yaml| self.term(yaml));
            let result = invoke(name, part("arguments")?, part("options")?);
            return Ok(match argument.text("return") {
                Some(property) => result.part(property),
                None => result,
            });
        }
        let arguments = match (function, argument) {
            ("join" | "select" | "split", Yaml::List(list)) if list.len() == 2 => {
                self.terms(list)?
            }
            ("join" | "select" | "split", _) => return Err(format!("arguments of {function}")),
            _ => vec![self.term(argument)?],
        };
        Ok(Term::Call(function.to_owned(), arguments))
    }

    /// A bare scalar, as YAML's core schema reads it.
    fn bare(&self, text: &str) -> Result<Term, String> {
        match text {
            "null" | "~" | "" => Ok(Term::Null),
            "true" => Ok(Term::Bool(true)),
            "false" => Ok(Term::Bool(false)),
            _ => match Number::parse(text.strip_prefix('-').unwrap_or(text)) {
                Some(number) if text.starts_with('-') => Ok(Term::Number((-number).to_string())),
                Some(number) => Ok(Term::Number(number.to_string())),
                None => self.text(text),
            },
        }
    }

    /// Text with interpolations.
    fn text(&self, mut text: &str) -> Result<Term, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        while let Some(at) = text.find('$') {
            plain.push_str(&text[..at]);
            let rest = &text[at + 1..];
            if let Some(reference) = rest.strip_prefix('{') {
                pieces.push(Term::Text(std::mem::take(&mut plain)));
                let (path, rest) = path(reference, true)?;
                pieces.push(self.reference(&path)?);
                text = rest;
            } else {
                plain.push('$');
                text = rest.strip_prefix('$').unwrap_or(rest);
            }
        }
        pieces.push(Term::Text(plain + text));
        Ok(Term::join(pieces))
    }

    fn reference(&self, path: &[String]) -> Result<Term, String> {
        let (root, steps) = path.split_first().ok_or("an empty reference")?;
        let (root, steps) = match (root.as_str(), steps) {
            ("pulumi", [name, steps @ ..]) => (Term::BuiltIn(name.clone()), steps),
            (name, steps) => match (self.nodes.get(name), self.made.get(name)) {
                (Some(node), _) => (Term::Node(*node), steps),
                (None, Some(yaml)) => {
                    self.used.borrow_mut().push(name.to_owned());
                    (self.term(yaml)?, steps)
                }
                (None, None) => return Err(format!("`{name}` is not there")),
            },
        };
        Ok(steps.iter().fold(root, |term, step| term.part(step)))
    }
}

/// The steps of a path, to its end or to the brace that closes it, and what follows.
pub fn path(text: &str, in_braces: bool) -> Result<(Vec<String>, &str), String> {
    let mut steps = Vec::new();
    let mut rest = text;
    loop {
        if let Some(after) = rest.strip_prefix('}').filter(|_| in_braces) {
            return Ok((steps, after));
        }
        if rest.is_empty() && !in_braces {
            return Ok((steps, rest));
        }
        if let Some(quoted) = rest.strip_prefix("[\"") {
            let mut name = String::new();
            let mut chars = quoted.char_indices();
            loop {
                match chars.next().ok_or("an open quote")? {
                    (_, '\\') if quoted[chars.offset()..].starts_with('"') => {
                        chars.next();
                        name.push('"');
                    }
                    (at, '"') => {
                        rest = &quoted[at + 1..];
                        break;
                    }
                    (_, c) => name.push(c),
                }
            }
            steps.push(name);
            rest = rest.strip_prefix(']').ok_or("an open bracket")?;
            continue;
        }
        if let Some(number) = rest.strip_prefix('[') {
            let (number, after) = number.split_once(']').ok_or("an open bracket")?;
            number.parse::<u32>().map_err(|error| error.to_string())?;
            steps.push(number.to_owned());
            rest = after;
            continue;
        }
        let name = rest.strip_prefix('.').unwrap_or(rest);
        let end = name.find(['.', '[', '}']).unwrap_or(name.len());
        if end == 0 {
            return Err(format!("no path: {text}"));
        }
        steps.push(name[..end].to_owned());
        rest = &name[end..];
    }
}
