//! Values of a type that does not convert to the expected one.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

use super::count;
use super::roles::is_plural;
use super::words::{compared, either, in_words, short_token, string_in_words};
use crate::types::{Type, TypeId, TypeStore};
use crate::value::Number;

/// A value of the type `given` with the role `role` where a `wanted` is expected. `text` is the
/// text of a string written out.
pub(crate) fn wrong_type(
    span: Span,
    types: &mut TypeStore,
    role: &str,
    wanted: TypeId,
    given: TypeId,
    text: Option<&str>,
) -> Diagnostic {
    let [wanted, given] = compared(types, wanted, given);
    let given = text.map_or(given, string_in_words);
    let message = format!("{role} must be {wanted}, found {given}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

/// A list of a fixed length where one of another length is expected.
pub(crate) fn wrong_length(span: Span, role: &str, wanted: usize, given: usize) -> Diagnostic {
    let [wanted, given] = [wanted, given].map(|length| match length {
        0 => "an empty list".to_owned(),
        _ => format!("a list of {}", count(length, "element")),
    });
    let message = format!("{role} must be {wanted}, found {given}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

/// The number of lists and maps around resources of two types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResourcesIn {
    /// None: they are single resources.
    Nothing,
    /// At least one.
    Collections,
}

/// A resource, or a collection of resources, of another type than the expected one. `wanted` and
/// `given` are type tokens.
pub(crate) fn wrong_resource(
    span: Span,
    role: &str,
    resources: ResourcesIn,
    wanted: &str,
    given: &str,
) -> Diagnostic {
    let verb = match resources {
        ResourcesIn::Nothing => "be",
        ResourcesIn::Collections => "contain",
    };
    let [wanted, given] = [wanted, given].map(short_token);
    let message = format!("{role} must {verb} a `{wanted}`, found a `{given}`");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

/// A key of an object that is probably meant to be another one.
pub(crate) struct MisspelledKey {
    /// Its place.
    pub(crate) span: Span,
    /// The right key as it is written in that place.
    pub(crate) text: String,
}

/// An object written out without the property `name`, whose type is `ty`.
pub(crate) fn missing_property(
    span: Span,
    types: &mut TypeStore,
    role: &str,
    name: &str,
    ty: Option<TypeId>,
    misspelled: Option<MisspelledKey>,
) -> Diagnostic {
    let verb = if is_plural(role) { "are" } else { "is" };
    let message = format!("{role} {verb} missing `{name}`");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message);
    let Some(MisspelledKey { span, text }) = misspelled else {
        let ty = ty.map(|ty| in_words(types, ty));
        let ty = ty.map(|ty| format!(", which must be {ty}"));
        let ty = ty.unwrap_or_default();
        return diagnostic.help(format!("add `{name} = ..` to the object{ty}"));
    };
    diagnostic
        .label(span, format!("did you mean `{name}`?"))
        .fix(Fix::unsafe_(
            format!("rename to `{name}`"),
            vec![TextEdit::replace(span, text)],
        ))
}

/// A string written out where a number is expected, and whose text is not a number.
pub(crate) fn not_a_number(
    span: Span,
    role: &dyn Display,
    wanted: TypeId,
    text: &str,
) -> Diagnostic {
    let wanted = match wanted {
        TypeId::INT => "an int",
        _ => "a number",
    };
    let found = string_in_words(text);
    let message = format!("{role} must be {wanted}, found {found}");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message).ours();
    let digits = text
        .trim()
        .trim_end_matches(|c: char| c.is_alphabetic() || c == '%');
    match Number::parse(digits.trim()) {
        Some(number) if wanted != "an int" || number.is_integral() => {
            let help = if digits.len() == text.trim().len() {
                format!("did you mean `{digits}`?")
            } else {
                format!("did you mean `{digits}`? a number has no unit")
            };
            let edit = TextEdit::replace(span, digits.trim());
            diagnostic
                .help(help)
                .fix(Fix::unsafe_("write the number alone", vec![edit]))
        }
        _ => diagnostic.help("write the number without quotes, as in `3`"),
    }
}

/// A number where a bool is expected, or the reverse; in words.
pub(crate) fn other_kind(
    span: Span,
    role: &dyn Display,
    wanted: TypeId,
    found: &str,
) -> Diagnostic {
    let (wanted, help) = match wanted {
        TypeId::BOOL => (
            "a bool",
            "compare the number, as in `count > 0`, or write `true` or `false`",
        ),
        TypeId::INT => (
            "an int",
            "choose a number with a conditional, as in `enabled ? 1 : 0`",
        ),
        _ => (
            "a number",
            "choose a number with a conditional, as in `enabled ? 1 : 0`",
        ),
    };
    let message = format!("{role} must be {wanted}, found {found}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
        .ours()
        .help(help)
}

/// A number written out that is not whole, where an int is expected.
pub(crate) fn not_an_int(span: Span, role: &dyn Display, number: &Number) -> Diagnostic {
    let message = format!("{role} must be an int, found the number {number}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
        .ours()
        .help("write a whole number")
}

/// A string written out where a bool is expected, and whose text is neither.
pub(crate) fn not_a_bool(span: Span, role: &dyn Display, text: &str) -> Diagnostic {
    let found = string_in_words(text);
    let message = format!("{role} must be a bool, found {found}");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message).ours();
    let meant = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => "true",
        "false" | "no" | "off" => "false",
        _ => {
            return diagnostic
                .help("write `true` or `false`, or compare the string, as in `name == \"web\"`");
        }
    };
    diagnostic.help(format!("write `{meant}`")).fix(Fix::safe(
        format!("write `{meant}`"),
        vec![TextEdit::replace(span, meant)],
    ))
}

/// Strings as operands of `+`: `span` is the place of the first, and `text` its text.
pub(crate) fn strings_added(span: Span, text: &str) -> Diagnostic {
    let found = string_in_words(text);
    let message = format!("`+` adds numbers, found {found}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
        .ours()
        .help("strings are joined in a template, as in `\"${a}${b}\"`")
}

/// The diagnostic of a sum of strings with a template that means the same as the sum `whole`.
pub(crate) fn in_a_template(mut diagnostic: Diagnostic, whole: Span, template: &str) -> Diagnostic {
    let edit = TextEdit::replace(whole, format!("\"{template}\""));
    diagnostic.fixes.clear();
    diagnostic.fix(Fix::unsafe_("join them in a template", vec![edit]))
}

/// A string with verbs such as `%s`, the left operand of `%`. `template` has the place of the
/// operation and a template that means the same.
pub(crate) fn formatted_by_operator(span: Span, template: Option<(Span, String)>) -> Diagnostic {
    let message = "`%` divides numbers in PCL, and does not format strings";
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message)
        .help("write the values into the string, as in `\"${a}-${b}\"`");
    match template {
        None => diagnostic,
        Some((whole, template)) => {
            let edit = TextEdit::replace(whole, template);
            diagnostic.fix(Fix::unsafe_("write a template", vec![edit]))
        }
    }
}

/// A collection or resource of the type `given` in a template.
pub(crate) fn not_interpolated(
    span: Span,
    types: &mut TypeStore,
    given: TypeId,
    value: &str,
) -> Diagnostic {
    let given_one = types.strip(given);
    let is_list = matches!(
        types.get(given_one),
        Type::List(_) | Type::Set(_) | Type::Tuple(_)
    );
    let given = in_words(types, given);
    let message = format!("cannot interpolate {given}");
    let diagnostic = Diagnostic::warning(Code::TypeNotAssignable, span, message).ours();
    let help = if is_list {
        format!("join the elements, as in `join(\", \", {value})`, or name one with `[0]`")
    } else {
        format!("name one of its properties, or write it as JSON with `toJSON({value})`")
    };
    diagnostic.help(help)
}

/// A resource in a template.
pub(crate) fn resource_interpolated(span: Span, outputs: &Outputs) -> Diagnostic {
    let message = "cannot interpolate a resource";
    let diagnostic = Diagnostic::warning(Code::TypeNotAssignable, span, message).ours();
    with_outputs(diagnostic, span, outputs)
}

/// A resource as the argument of `toJSON`.
pub(crate) fn resource_as_json(span: Span, outputs: &Outputs) -> Diagnostic {
    let message = "a resource has no JSON form";
    let diagnostic = Diagnostic::warning(Code::TypeNotAssignable, span, message).ours();
    with_outputs(diagnostic, span, outputs)
}

/// The outputs of a resource that may be meant in the place of the whole resource, the most likely
/// first.
pub(crate) enum Outputs {
    /// The paths to them, which can be written in the place of the resource.
    Paths(Vec<String>),
    /// Their names: the resource has no name of its own.
    Names(Vec<String>),
}

/// Adds the outputs that may be meant in the place of the resource at `span`.
pub(crate) fn with_outputs(diagnostic: Diagnostic, span: Span, outputs: &Outputs) -> Diagnostic {
    let (Outputs::Paths(all) | Outputs::Names(all)) = outputs;
    let Some(first) = all.first() else {
        return diagnostic.help("name the output that is meant");
    };
    let listed = either(all.iter().map(|name| format!("`{name}`")).collect());
    match outputs {
        Outputs::Names(_) => diagnostic.help(format!("name one of its outputs, such as {listed}")),
        Outputs::Paths(_) => {
            let edit = TextEdit::replace(span, first);
            diagnostic
                .help(format!("did you mean {listed}?"))
                .fix(Fix::unsafe_(format!("use `{first}`"), vec![edit]))
        }
    }
}
