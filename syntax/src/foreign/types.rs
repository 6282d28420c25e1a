//! The names of types in other languages, and types without quotes.

use crate::ast::Expr;
use crate::parse::parse_expression;

/// The deepest nesting that is rewritten.
const DEEPEST: usize = 8;

/// The PCL for a type of another language, such as `list<int>`, `int[]` or `Dict[str, int]`; `None`
/// for what is PCL already or no type.
#[must_use]
pub fn foreign_type(text: &str) -> Option<String> {
    let text = text.trim();
    let written = convert(text, 0)?;
    (written != text).then_some(written)
}

fn convert(text: &str, depth: usize) -> Option<String> {
    let text = text.trim();
    if depth > DEEPEST {
        return None;
    }
    let inner = |text: &str| convert(text, depth + 1);
    if let Some(element) = text.strip_suffix("[]").or_else(|| text.strip_prefix("[]")) {
        return Some(format!("list({})", inner(element)?));
    }
    if let Some(value) = text.strip_suffix('?') {
        return Some(format!("optional({})", inner(value)?));
    }
    if let Some(value) = text.strip_prefix("map[string]") {
        return Some(format!("map({})", inner(value)?));
    }
    let Some(at) = text.find(['<', '[', '(']) else {
        return name(text).map(str::to_owned);
    };
    let (outer, arguments) = text.split_at_checked(at)?;
    let arguments = arguments.get(1..)?.strip_suffix(['>', ']', ')'])?;
    let outer = match outer.to_ascii_lowercase().as_str() {
        "list" | "array" | "slice" | "sequence" | "vec" => "list",
        "set" => "set",
        "map" | "dict" | "record" | "dictionary" | "hash" => "map",
        "optional" | "option" => "optional",
        _ => return None,
    };
    let value = match outer {
        // The key of a map is a string.
        "map" => arguments
            .split_once(',')
            .map_or(arguments, |(_, value)| value),
        _ => arguments,
    };
    Some(format!("{outer}({})", inner(value)?))
}

fn name(text: &str) -> Option<&'static str> {
    Some(match text {
        "string" | "str" | "String" | "text" | "char" => "string",
        "int" | "integer" | "Int" | "Integer" | "int32" | "int64" | "long" | "uint" => "int",
        "number" | "float" | "double" | "Number" | "Float" | "float64" | "decimal" => "number",
        "bool" | "boolean" | "Bool" | "Boolean" => "bool",
        "any" | "Any" | "dynamic" => "any",
        _ => return None,
    })
}

/// A type with parts that is written as an expression, such as `list(int)`, in the layout of PCL;
/// `None` for what is not a type.
pub(super) fn type_expression(text: &str) -> Option<String> {
    let tree = parse_expression(text);
    if !tree.errors().is_empty() {
        return None;
    }
    laid_out(tree.expression()?, 0)
}

fn laid_out(ty: Expr<'_>, depth: usize) -> Option<String> {
    if depth > DEEPEST {
        return None;
    }
    let inner = |ty| laid_out(ty, depth + 1);
    let call = match ty {
        Expr::Name(word) => return name(word.syntax().text()).map(str::to_owned),
        Expr::Call(call) => call,
        _ => return None,
    };
    let mut arguments = call.arguments();
    let (argument, None) = (arguments.next()?, arguments.next()) else {
        return None;
    };
    let outer = call.name();
    let parts = match (&*outer, argument) {
        ("object", Expr::Object(object)) => {
            let properties = object.items().map(|item| {
                let key = item.key_is_bare_name()?.text();
                Some(format!("{key} = {}", inner(item.value()?)?))
            });
            let properties = properties.collect::<Option<Vec<String>>>()?;
            format!("{{ {} }}", properties.join(", "))
        }
        ("tuple", Expr::Tuple(tuple)) => {
            let parts = tuple.elements().map(inner);
            format!("[{}]", parts.collect::<Option<Vec<String>>>()?.join(", "))
        }
        ("list" | "map" | "set" | "optional", part) => inner(part)?,
        _ => return None,
    };
    Some(format!("{outer}({parts})"))
}

#[cfg(test)]
mod tests {
    use super::{foreign_type, type_expression};

    #[test]
    fn types_are_laid_out() {
        for (text, pcl) in [
            ("list( int )", "list(int)"),
            ("map(list(str))", "map(list(string))"),
            (
                "object({a=string\n b = optional(number)})",
                "object({ a = string, b = optional(number) })",
            ),
            ("tuple([int, bool])", "tuple([int, bool])"),
        ] {
            assert_eq!(type_expression(text).as_deref(), Some(pcl), "{text}");
        }
        for text in [
            "list(bucket)",
            "list()",
            "map(int, string)",
            "f(int)",
            "list(",
        ] {
            assert_eq!(type_expression(text), None, "{text}");
        }
    }

    #[test]
    fn types_of_other_languages_have_pcl() {
        for (foreign, pcl) in [
            ("list<int>", "list(int)"),
            ("int[]", "list(int)"),
            ("[]string", "list(string)"),
            ("map[string]int", "map(int)"),
            ("Dict[str, bool]", "map(bool)"),
            ("Array<Array<string>>", "list(list(string))"),
            ("string?", "optional(string)"),
            ("integer", "int"),
        ] {
            assert_eq!(foreign_type(foreign).as_deref(), Some(pcl), "{foreign}");
        }
        for text in ["list(int)", "string", "aws:s3", "", "<", "x<y>"] {
            assert_eq!(foreign_type(text), None, "{text}");
        }
    }
}
