//! The names of types in other languages, and types without quotes.

use pcl_diagnostics::{Code, TextRange, suggest};
use pcl_syntax::{SyntaxKind as K, excerpt, is_continue, is_start};

use crate::habit::Habit;
use crate::view::{Line, View};

/// The deepest nesting that is rewritten.
const DEEPEST: usize = 8;

/// The most tokens of a header.
const LONGEST: u32 = 100;

/// The PCL for a type of another language, such as `list<int>`, `int[]` or `Dict[str, int]`; `None`
/// for what is PCL already or no type.
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
    let Some(at) = text.find(['<', '[', '(']) else { return name(text).map(str::to_owned) };
    let (outer, arguments) = text.split_at_checked(at)?;
    let arguments = arguments.get(1..)?.strip_suffix(['>', ']', ')'])?;
    let outer = match outer.to_ascii_lowercase().as_str() {
        // What is read of a resource is an output without being declared so.
        "output" | "input" | "promise" => return inner(arguments),
        "list" | "array" | "slice" | "sequence" | "vec" => "list",
        "set" => "set",
        "map" | "dict" | "record" | "dictionary" | "hash" => "map",
        "optional" | "option" => "optional",
        _ => return None,
    };
    let value = match outer {
        // The key of a map is a string.
        "map" => arguments.split_once(',').map_or(arguments, |(_, value)| value),
        _ => arguments,
    };
    Some(format!("{outer}({})", inner(value)?))
}

/// The types of PCL without parts.
const OWN: [&str; 5] = ["any", "bool", "int", "number", "string"];

/// The types of other languages, and their names in PCL.
const FOREIGN: &[(&str, &str)] = &[
    ("array", "list(..)"),
    ("boolean", "bool"),
    ("char", "string"),
    ("decimal", "number"),
    ("dict", "map(..)"),
    ("double", "number"),
    ("dynamic", "any"),
    ("float", "number"),
    ("float64", "number"),
    ("int32", "int"),
    ("int64", "int"),
    ("integer", "int"),
    ("long", "int"),
    ("record", "object({ .. })"),
    ("str", "string"),
    ("struct", "object({ .. })"),
    ("text", "string"),
    ("uint", "int"),
];

/// The type of PCL for the name of a type of another language, misspelled or not.
pub fn similar_type(name: &str) -> Option<&'static str> {
    let exact = |name: &str| FOREIGN.iter().find(|(foreign, _)| *foreign == name);
    let near = || exact(suggest(name, FOREIGN.iter().map(|(foreign, _)| *foreign))?);
    exact(name).or_else(near).map(|(_, meant)| *meant)
}

/// The type of PCL without parts for exactly the name of one of another language, or for its own
/// name in other case.
pub fn simple_type(name: &str) -> Option<&'static str> {
    self::name(name.trim()).filter(|meant| *meant != name)
}

/// The type without parts of that name, in PCL or in another language.
fn name(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let known = FOREIGN.iter().find(|(foreign, meant)| *foreign == lower && !meant.contains('('));
    OWN.into_iter().find(|own| *own == lower).or(known.map(|(_, meant)| *meant))
}

/// A type with parts that is written as an expression, such as `list(int)`, in the layout of PCL;
/// `None` for what is not a type.
fn type_expression(text: &str) -> Option<String> {
    let mut rest = text;
    let ty = laid_out(&mut rest, 0)?;
    rest.trim().is_empty().then_some(ty)
}

/// The type that `rest` begins with, which is taken from it.
fn laid_out(rest: &mut &str, depth: usize) -> Option<String> {
    let word = take_word(rest)?;
    if depth > DEEPEST {
        return None;
    }
    if !take(rest, "(") {
        return name(word).map(str::to_owned);
    }
    let parts = match word {
        "object" => {
            let mut properties = Vec::new();
            if !take(rest, "{") {
                return None;
            }
            while !take(rest, "}") {
                if !properties.is_empty() && !take_separator(rest) {
                    return None;
                }
                if take(rest, "}") {
                    break;
                }
                let key = take_word(rest)?;
                if !take(rest, "=") {
                    return None;
                }
                properties.push(format!("{key} = {}", laid_out(rest, depth + 1)?));
            }
            if properties.is_empty() {
                "{}".to_owned()
            } else {
                format!("{{ {} }}", properties.join(", "))
            }
        }
        "tuple" => {
            let mut parts = Vec::new();
            if !take(rest, "[") {
                return None;
            }
            while !take(rest, "]") {
                if !parts.is_empty() && !take(rest, ",") {
                    return None;
                }
                parts.push(laid_out(rest, depth + 1)?);
            }
            format!("[{}]", parts.join(", "))
        }
        "list" | "map" | "set" | "optional" => laid_out(rest, depth + 1)?,
        _ => return None,
    };
    take(rest, ")").then(|| format!("{word}({parts})"))
}

/// Takes `sign` and the spaces before it.
fn take(rest: &mut &str, sign: &str) -> bool {
    let behind = rest.trim_start().strip_prefix(sign);
    *rest = behind.unwrap_or(rest);
    behind.is_some()
}

/// Takes what separates the properties of an object: a comma, or the end of the line.
fn take_separator(rest: &mut &str) -> bool {
    let text = *rest;
    let gap = text.len() - text.trim_start().len();
    let ends_line = text.get(..gap).is_some_and(|gap| gap.contains('\n'));
    take(rest, ",") || ends_line
}

/// Takes a name and the spaces before it.
fn take_word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    if !text.starts_with(is_start) {
        return None;
    }
    let end = text.find(|c| !is_continue(c));
    let (word, behind) = text.split_at_checked(end.unwrap_or(text.len()))?;
    *rest = behind;
    Some(word)
}

/// `list<int>`, `[]int`, `int[]`, `map[string]int`, `string?` or `list(int)` without quotes among
/// the labels of a header.
pub(super) fn type_name(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if !view.is_word(line.first, &["config", "output", "variable", "param", "parameter", "input"])
        || token == line.first
    {
        return None;
    }
    if let Some((range, text)) = unquoted_type(view, token) {
        let habit = Habit::value(Code::BlockHeader, range)
            .related(view.range(line.first))
            .message(format!("a type is written in quotes: {}", excerpt(&text)))
            .label("the block starts here")
            .help("put the type in quotes")
            .title("put the type in quotes");
        return Some(habit.edit(range, text).safe());
    }
    let begins = match view.kind(token) {
        K::LBracket => view.kind(token + 1) == K::RBracket,
        K::Ident => matches!(view.kind(token + 1), K::Less | K::LBracket | K::Question),
        _ => false,
    };
    if !begins || line.end - line.first > LONGEST {
        return None;
    }
    let brace = (line.first..line.end).find(|&at| view.kind(at) == K::LBrace);
    let end = brace.unwrap_or(line.end);
    if token >= end {
        return None;
    }
    let range = view.span(token, view.before(end)?);
    let text = foreign_type(view.slice(range));
    let message = format!("{} is not a type in PCL", excerpt(view.slice(range)));
    Some(
        Habit::value(Code::ForeignType, range)
            .message(message)
            .help("types are `string`, `int`, `number`, `bool`, `list(T)`, `map(T)` and `object({ .. })`")
            .title("write the type of PCL")
            .instead(text.map(|text| format!("\"{text}\"")))
            .safe(),
    )
}

/// The type with parts without quotes that begins at `token`, such as `list(int)`, and the label
/// that it should be.
pub(super) fn unquoted_type(view: &View<'_>, token: u32) -> Option<(TextRange, String)> {
    let opener = token + 1;
    if view.kind(token) != K::Ident || view.kind(opener) != K::LParen {
        return None;
    }
    let range = view.span(token, view.close_of(opener)?);
    let text = type_expression(view.slice(range))?;
    Some((range, format!("\"{text}\"")))
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
            ("object({\n a = int,\n})", "object({ a = int })"),
            ("object({})", "object({})"),
            ("tuple([int, bool])", "tuple([int, bool])"),
        ] {
            assert_eq!(type_expression(text).as_deref(), Some(pcl), "{text}");
        }
        for text in ["list(bucket)", "list()", "map(int, string)", "f(int)", "list("] {
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
