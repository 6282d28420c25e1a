//! Calls: unknown functions, missing and surplus arguments.

use pcl_diagnostics::{Code, Diagnostic, Fix, Setting, Span, TextEdit};

use super::words::all_of;
use super::{count, other_languages, shown};
use crate::functions::{Parameter, Signature};
use crate::types::{TypeId, TypeStore};

/// A call of a function that has another name here.
pub(crate) fn renamed_function(span: Span, name: &str, own: &str) -> Diagnostic {
    let message = format!("the function `{name}` is called `{own}` in PCL");
    let edit = TextEdit::replace(span, own);
    Diagnostic::error(Code::UnknownFunction, span, message)
        .fix(Fix::safe(format!("call `{own}`"), vec![edit]))
}

/// A call of a function that does not exist; `plain` is its name without a foreign prefix, `meant`
/// a function with a similar name. `whole` is the call, with the texts of its arguments.
pub(crate) fn unknown_function(
    span: Span,
    name: &str,
    plain: &str,
    meant: Option<&str>,
    whole: Span,
    arguments: &[&str],
) -> Diagnostic {
    let message = format!("there is no function `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
    if let Some(help) = other_languages::counterpart(plain) {
        let template = match (plain, arguments) {
            ("format" | "printf" | "sprintf", [text, values @ ..]) => {
                let text = text
                    .strip_prefix('"')
                    .and_then(|text| text.strip_suffix('"'));
                text.and_then(|text| other_languages::template(text, values))
            }
            ("str", [value]) => Some(format!("\"${{{value}}}\"")),
            _ => None,
        };
        let diagnostic = diagnostic.help(help);
        return match template {
            Some(template) => diagnostic.fix(Fix::unsafe_(
                "write a template",
                vec![TextEdit::replace(whole, template)],
            )),
            None => diagnostic,
        };
    }
    if let Some(call) = other_languages::in_std(plain, arguments) {
        let is_whole = !call.contains(" .. ");
        let diagnostic = diagnostic.help(format!("the package `std` has it: `{call}`"));
        return if is_whole {
            diagnostic.fix(Fix::unsafe_(
                format!("invoke `std:index:{plain}`"),
                vec![TextEdit::replace(whole, call)],
            ))
        } else {
            diagnostic
        };
    }
    match meant {
        Some(meant) => with_similar(diagnostic, span, meant),
        None => diagnostic
            .help("the reference lists all functions")
            .setting(Setting::Functions),
    }
}

/// A call in a type label of a function that builds no types; `meant` is one with a similar name.
pub(crate) fn unknown_type_function(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("there is no type `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
    match meant {
        Some(meant) => with_similar(diagnostic, span, meant),
        None => diagnostic,
    }
}

fn with_similar(diagnostic: Diagnostic, span: Span, meant: &str) -> Diagnostic {
    let edit = TextEdit::replace(span, meant);
    diagnostic
        .help(format!("did you mean `{meant}`?"))
        .fix(Fix::unsafe_(format!("call `{meant}`"), vec![edit]))
}

/// A call without arguments for the parameters `missing`.
pub(crate) fn missing_arguments(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
    missing: &[&Parameter],
) -> Diagnostic {
    let takes_any_number = signature.variadic.is_some() && signature.parameters.len() == 1;
    let names = || missing.iter().map(|it| format!("`{}`", it.name)).collect();
    let roles = missing.iter().map(|it| it.role.clone());
    let message = match roles.collect::<Option<Vec<String>>>() {
        _ if takes_any_number => format!("`{function}` needs at least one argument"),
        Some(roles) => format!("`{function}` is missing {}", all_of(roles)),
        None if missing.len() == 1 => {
            format!("`{function}` is missing the argument {}", all_of(names()))
        }
        None => format!("`{function}` is missing the arguments {}", all_of(names())),
    };
    let diagnostic = Diagnostic::error(Code::MissingArgument, span, message);
    let diagnostic = with_usage(diagnostic, types, function, signature);
    let typed = missing.iter().filter(|it| it.ty != TypeId::DYNAMIC);
    typed.fold(diagnostic, |diagnostic, parameter| {
        let ty = shown(types, parameter.ty);
        diagnostic.note(format!("`{}` must be {ty}", parameter.name))
    })
}

/// A call with `given` arguments, more than there are parameters.
pub(crate) fn extra_arguments(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
    given: usize,
) -> Diagnostic {
    let takes = count(signature.parameters.len(), "argument");
    let message = format!("`{function}` takes {takes}, found {given}");
    let diagnostic = Diagnostic::error(Code::ExtraArguments, span, message);
    with_usage(diagnostic, types, function, signature)
}

/// Two arguments that are each in the place of the other, with their texts.
pub(crate) fn swapped_arguments(
    [(first, first_text), (second, second_text)]: [(Span, &str); 2],
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
) -> Diagnostic {
    let message = format!("two arguments of `{function}` are in the wrong order");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, first, message)
        .label(second, "this one comes first");
    let edits = vec![
        TextEdit::replace(first, second_text),
        TextEdit::replace(second, first_text),
    ];
    with_usage(diagnostic, types, function, signature).fix(Fix::safe("swap the arguments", edits))
}

/// Adds how the function is called.
pub(crate) fn with_usage(
    diagnostic: Diagnostic,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
) -> Diagnostic {
    let usage = usage(types, function, signature);
    diagnostic.help(format!("call it like `{usage}`"))
}

/// Adds the place that decides the type of a parameter.
pub(crate) fn with_deciding_place(
    diagnostic: Diagnostic,
    place: Span,
    parameter: &Parameter,
) -> Diagnostic {
    let message = format!("this decides what `{}` must be", parameter.name);
    diagnostic.label(place, message)
}

/// Adds the advice to pass the elements of a list one by one.
pub(crate) fn with_spreading(diagnostic: Diagnostic, function: &str) -> Diagnostic {
    diagnostic.help(format!(
        "spread a list with dots, as in `{function}(list...)`"
    ))
}

/// The form of a call: `lookup(map, key, default?)`, with `?` after an optional argument.
fn usage(types: &mut TypeStore, function: &str, signature: &Signature) -> String {
    let mut parameters: Vec<String> = Vec::with_capacity(signature.parameters.len());
    for parameter in &signature.parameters {
        let mark = if parameter.is_optional(types) {
            "?"
        } else {
            ""
        };
        parameters.push(format!("{}{mark}", parameter.name));
    }
    let rest = signature.variadic.as_ref();
    parameters.extend(rest.map(|rest| format!("...{}", rest.name)));
    format!("{function}({})", parameters.join(", "))
}
