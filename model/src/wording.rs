//! The words that several messages share: types in words ("a list of strings", "an object", "the
//! number 2.5"), the roles of values, counts and short tokens.

use std::fmt;

use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use pcl_syntax::quoted;

use crate::relations::Conversion;
use crate::types::{Type, TypeId, TypeStore};
use crate::value::{Constant, quote};

/// The length in bytes up to which a message shows a type, or describes it.
const LONGEST: usize = 60;

/// The number of values up to which an enumeration is spelled out.
const MOST_VALUES: usize = 4;

/// The number of nouns up to which a union is spelled out.
const MOST_MEMBERS: usize = 6;

/// A union that is not spelled out.
const SEVERAL: &str = "one of several types";

/// The nesting down to which the elements of collections are named.
const DEEPEST: usize = 3;

/// A type for a message: its text in backquotes, or a description in words where that is too
/// long to read.
pub fn shown(types: &mut TypeStore, ty: TypeId) -> String {
    let text = types.text_within(ty, LONGEST);
    if text.len() <= LONGEST { format!("`{text}`") } else { in_words(types, ty) }
}

/// The type as a noun with its article. The parts of objects are not named.
///
/// Outputs, promises and the null that an optional value may have do not count: who reads a message
/// thinks of the value.
pub fn in_words(types: &mut TypeStore, ty: TypeId) -> String {
    (0..=DEEPEST)
        .rev()
        .map(|depth| noun(types, ty, depth).one)
        .find(|words| words.len() <= LONGEST)
        .unwrap_or_else(|| match types.get(types.strip(ty)) {
            Type::Union(_) => SEVERAL.to_owned(),
            _ => "another value".to_owned(),
        })
}

/// A type that may be null as a noun with its article; the type is described by `words` otherwise.
pub fn optional(words: &str) -> String {
    match without_article(words) {
        Some(noun) => format!("an optional {noun}"),
        None => format!("{words} or null"),
    }
}

fn without_article(words: &str) -> Option<&str> {
    let noun = words.strip_prefix("a ").or_else(|| words.strip_prefix("an "))?;
    (!noun.contains(" or ")).then_some(noun)
}

/// The type that is expected and the one that was found, in words. Where these are the same, they
/// name the output or null that makes the difference, or are the types as PCL writes them.
pub(crate) fn compared(types: &mut TypeStore, wanted: TypeId, found: TypeId) -> [String; 2] {
    let words = [wanted, found].map(|ty| in_words(types, ty));
    let [one, other] = &words;
    if one != other {
        return words;
    }
    // The outputs and the null that would do as well are left out, unless they make the difference.
    let plain = types.plain(wanted);
    let wanted = match types.convert(plain, found) {
        Conversion::No => plain,
        _ => wanted,
    };
    match without_article(one) {
        Some(noun) if types.without_none(found).is_some_and(|it| fits(types, wanted, it)) => {
            [one.clone(), format!("an optional {noun}")]
        }
        Some(noun) => match types.get(found).clone() {
            Type::Output(held) if fits(types, wanted, held) => {
                [format!("a plain {noun}"), "an output".to_owned()]
            }
            Type::Promise(held) if fits(types, wanted, held) => {
                [format!("a plain {noun}"), "a promise".to_owned()]
            }
            _ => [wanted, found].map(|ty| shown(types, ty)),
        },
        None => [wanted, found].map(|ty| shown(types, ty)),
    }
}

fn fits(types: &mut TypeStore, wanted: TypeId, given: TypeId) -> bool {
    types.convert(wanted, given).exists()
}

/// A string written out, as the value that was found.
pub(crate) fn string_in_words(text: &str) -> String {
    const LONGEST: usize = 30;
    if text.len() <= LONGEST {
        format!("the string {}", quote(text))
    } else {
        "a string".to_owned()
    }
}

/// A noun with its article, and for several.
struct Noun {
    one: String,
    many: String,
}

impl Noun {
    fn new(one: &str, many: &str) -> Self {
        Self { one: one.to_owned(), many: many.to_owned() }
    }

    /// The value itself, which is never several.
    fn value(text: String) -> Self {
        Self { many: text.clone(), one: text }
    }
}

fn noun(types: &mut TypeStore, ty: TypeId, depth: usize) -> Noun {
    let ty = types.strip(ty);
    let token = types.resource_token(ty);
    if token.is_some() || types.is_resource(ty) {
        return match token.filter(|_| depth > 0) {
            Some(token) => Noun::new(
                &format!("a `{}` resource", short_token(&token)),
                &format!("`{}` resources", short_token(&token)),
            ),
            None => Noun::new("a resource", "resources"),
        };
    }
    match types.get(ty).clone() {
        Type::None => Noun::value("null".to_owned()),
        Type::Bool => Noun::new("a bool", "bools"),
        Type::Int => Noun::new("an int", "ints"),
        Type::Number => Noun::new("a number", "numbers"),
        Type::String | Type::Id => Noun::new("a string", "strings"),
        Type::Dynamic | Type::Error => Noun::new("any value", "any values"),
        Type::Opaque(_) if ty == TypeId::ASSET => Noun::new("an asset", "assets"),
        Type::Opaque(_) if ty == TypeId::ARCHIVE => Noun::new("an archive", "archives"),
        Type::Opaque(name) if ty == TypeId::PROPERTY => {
            let name = types.name(name).to_lowercase();
            Noun::new(&format!("a {name}"), "properties")
        }
        Type::Opaque(name) => Noun::value(format!("`{}`", types.name(name))),
        Type::Const { value, .. } => constant(&value),
        Type::Enum(enumeration) => match &*enumeration.values {
            values if values.len() <= MOST_VALUES => {
                let values: Vec<String> = values.iter().map(Constant::to_string).collect();
                Noun::value(either(values))
            }
            _ => noun(types, enumeration.underlying, depth),
        },
        Type::List(element) => collection(types, ["a list", "lists"], element, depth),
        Type::Set(element) => collection(types, ["a set", "sets"], element, depth),
        Type::Map(element) => collection(types, ["a map", "maps"], element, depth),
        Type::Tuple(elements) => match *elements {
            [] => Noun::new("an empty list", "empty lists"),
            [first, ..] => {
                if alike(types, &elements, depth) {
                    collection(types, ["a list", "lists"], first, depth)
                } else {
                    Noun::new("a list", "lists")
                }
            }
        },
        Type::Object(_) | Type::Nominal(_) => Noun::new("an object", "objects"),
        Type::Union(_) => union(types, ty, depth),
        Type::Output(_) | Type::Promise(_) => Noun::new("an output", "outputs"),
    }
}

/// Returns whether the elements of a list written out have one noun. Long lists are not compared.
fn alike(types: &mut TypeStore, elements: &[TypeId], depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1).filter(|_| elements.len() <= LONGEST) else {
        return false;
    };
    let mut nouns = elements.iter().map(|&it| noun(types, it, depth).many);
    let first = nouns.next();
    nouns.all(|other| Some(other) == first)
}

fn collection(types: &mut TypeStore, [one, many]: [&str; 2], of: TypeId, depth: usize) -> Noun {
    let stripped = types.strip(of);
    let is_any = matches!(types.get(stripped), Type::Dynamic | Type::Error | Type::None);
    let Some(depth) = depth.checked_sub(1).filter(|_| !is_any) else { return Noun::new(one, many) };
    let of = match types.get(stripped) {
        Type::Const { underlying, .. } => *underlying,
        _ => stripped,
    };
    let of = noun(types, of, depth).many;
    Noun::new(&format!("{one} of {of}"), &format!("{many} of {of}"))
}

fn union(types: &mut TypeStore, ty: TypeId, depth: usize) -> Noun {
    if types.has_member(ty, TypeId::ASSET) && types.has_member(ty, TypeId::ARCHIVE) {
        return Noun::new("an asset or archive", "assets or archives");
    }
    // The output of a union, as an input, is beside what it holds.
    let ty = types.resolve(ty);
    if !matches!(types.get(ty), Type::Union(_)) {
        return noun(types, ty, depth);
    }
    let members = types.first_members(ty);
    let mut all = [Vec::new(), Vec::new()];
    let members = members.iter().filter(|&&member| member != TypeId::NONE);
    for &member in members.take(LONGEST) {
        let Noun { one, many } = noun(types, member, depth);
        let [ones, manies] = &mut all;
        if !ones.contains(&one) {
            ones.push(one);
            manies.push(many);
        }
        if ones.len() > MOST_MEMBERS {
            return match depth.checked_sub(1) {
                Some(depth) => noun(types, ty, depth),
                None => Noun::new(SEVERAL, "values of several types"),
            };
        }
    }
    let [one, many] = all.map(either);
    Noun { one, many }
}

fn constant(value: &Constant) -> Noun {
    match value {
        Constant::Null => Noun::value("null".to_owned()),
        Constant::Bool(value) => Noun::new(&format!("the bool `{value}`"), "bools"),
        Constant::Number(value) => Noun::new(&format!("the number {value}"), "numbers"),
        Constant::String(text) => Noun::new(&string_in_words(text), "strings"),
    }
}

/// "a, b or c".
pub(crate) fn either(words: Vec<String>) -> String {
    joined(words, "or")
}

/// "a, b and c".
pub(crate) fn all_of(words: Vec<String>) -> String {
    joined(words, "and")
}

fn joined(mut words: Vec<String>, before_last: &str) -> String {
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} {before_last} {last}", words.join(", ")) }
}

/// A number of things, the first two in words: "no elements", "one element", "2 elements".
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}s"),
        1 => format!("one {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// A token as people write it; see [`short_token`].
#[derive(Clone, Copy)]
pub struct ShortToken<'t>(&'t str);

impl fmt::Display for ShortToken<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.0.splitn(3, ':');
        let (Some(package), Some(module), Some(name)) = (parts.next(), parts.next(), parts.next())
        else {
            return out.write_str(self.0);
        };
        let module = match module.rsplit_once('/') {
            Some((outer, inner)) if inner.eq_ignore_ascii_case(name) => outer,
            _ => module,
        };
        match module {
            "" | "index" => write!(out, "{package}:{name}"),
            _ => write!(out, "{package}:{module}:{name}"),
        }
    }
}

/// A token as people write it: without the module `index`, and without the part of a module that
/// only repeats the name.
///
/// ```
/// use pcl_model::expression::short_token;
/// assert_eq!(short_token("random:index/randomPet:RandomPet").to_string(), "random:RandomPet");
/// ```
pub fn short_token(token: &str) -> ShortToken<'_> {
    ShortToken(token)
}

/// The role of a value in the expression around it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueRole<'a> {
    /// The condition of a conditional.
    Condition,
    /// The condition of a loop.
    LoopCondition,
    /// The key of an entry that a loop makes.
    EntryKey,
    /// The key in brackets.
    Index,
    /// The operand of a unary operator.
    Operand(UnaryOperator),
    /// The left operand of a binary operator.
    LeftOperand(BinaryOperator),
    /// The right operand of a binary operator.
    RightOperand(BinaryOperator),
    /// An argument of a call.
    Argument {
        /// The name of the parameter.
        parameter: &'a str,
        /// The name of the function.
        function: &'a str,
    },
    /// An argument with a description of its own.
    Described(&'a str),
}

impl fmt::Display for ValueRole<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Condition => out.write_str("the condition"),
            Self::LoopCondition => out.write_str("the condition of a loop"),
            Self::EntryKey => out.write_str("the key of an entry"),
            Self::Index => out.write_str("the index"),
            Self::Operand(UnaryOperator::Negate) => out.write_str("the operand of `-`"),
            Self::Operand(UnaryOperator::Not) => out.write_str("the operand of `!`"),
            Self::LeftOperand(operator) => {
                write!(out, "the left operand of `{}`", operator.text())
            }
            Self::RightOperand(operator) => {
                write!(out, "the right operand of `{}`", operator.text())
            }
            Self::Argument { parameter, function } => {
                write!(out, "argument `{parameter}` of `{function}`")
            }
            Self::Described(role) => out.write_str(role),
        }
    }
}

/// The role of a part of the value with the role `role`: `steps` lead to the part. A role that
/// names a path, such as "`tags` of `p:N`", is that path with the steps.
pub fn part_of(role: &str, steps: &str) -> String {
    let path = role.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    match path {
        Some((path, rest)) => format!("`{path}{steps}`{rest}"),
        None => match steps.strip_prefix('.') {
            Some(property) => format!("`{property}` in {role}"),
            None if steps.starts_with("[\"") => format!("`{steps}` in {role}"),
            None => format!("element `{steps}` of {role}"),
        },
    }
}

/// Returns whether a role is a plural, such as "the inputs of `p:f`".
pub(crate) fn is_plural(role: &str) -> bool {
    let mut plurals = ["the arguments ", "the inputs ", "the options "].into_iter();
    plurals.any(|plural| role.starts_with(plural))
}

/// The step to a property, as PCL writes it.
pub fn property_step(name: &str) -> String {
    if pcl_syntax::is_identifier(name) { format!(".{name}") } else { format!("[{}]", quoted(name)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_short() {
        for (token, short) in [
            ("random:index/randomPet:RandomPet", "random:RandomPet"),
            ("random::RandomPet", "random:RandomPet"),
            ("aws:s3/bucket:Bucket", "aws:s3:Bucket"),
            ("kubernetes:apps/v1:Deployment", "kubernetes:apps/v1:Deployment"),
            ("p:N", "p:N"),
            ("pulumi:providers:aws", "pulumi:providers:aws"),
        ] {
            assert_eq!(short_token(token).to_string(), short);
        }
    }
}
