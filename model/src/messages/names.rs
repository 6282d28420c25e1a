//! Unknown names, and names that stand for no value.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

/// The advice about an unknown name.
pub(crate) enum NameAdvice<'a> {
    /// A name in scope is similar.
    Similar(&'a str),
    /// The option around the name lists properties of its own block.
    OwnProperties {
        /// The option.
        option: &'static str,
        /// Outputs may be listed as well as inputs.
        with_outputs: bool,
    },
    /// The name is `range` outside of a body with that option.
    Range,
    /// The name is one that other languages put before the names of variables.
    Prefix,
    /// The name is that of a function.
    Function,
    /// The name is that of a function that builds types.
    TypeFunction,
    /// A variable of that name can be declared. The name may be a string without quotes where it is
    /// a whole value.
    Declare { is_value: bool },
    /// There is none.
    None,
}

/// A name that refers to no variable.
pub(crate) fn undefined_variable(span: Span, name: &str, advice: &NameAdvice<'_>) -> Diagnostic {
    let message = format!("there is no variable `{name}` here");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    with_advice(diagnostic, span, name, advice)
}

/// A name in a type label that refers to no type.
pub(crate) fn undefined_type(span: Span, name: &str, advice: &NameAdvice<'_>) -> Diagnostic {
    let message = format!("there is no type `{name}`");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    with_advice(diagnostic, span, name, advice)
}

/// The diagnostic of an unknown name with advice about it.
pub(crate) fn with_advice(
    diagnostic: Diagnostic,
    span: Span,
    name: &str,
    advice: &NameAdvice<'_>,
) -> Diagnostic {
    match *advice {
        NameAdvice::Similar(meant) => {
            diagnostic
                .help(format!("did you mean `{meant}`?"))
                .fix(Fix::unsafe_(
                    format!("use `{meant}`"),
                    vec![TextEdit::replace(span, meant)],
                ))
        }
        NameAdvice::OwnProperties {
            option,
            with_outputs,
        } => {
            let properties = if with_outputs {
                "inputs and outputs"
            } else {
                "inputs"
            };
            diagnostic.help(format!("`{option}` names {properties} of its own block"))
        }
        NameAdvice::Range => diagnostic.help(
            "`range.key` and `range.value` exist in a body with `options { range = .. }`; \
             the function is `range(..)`",
        ),
        NameAdvice::Prefix => diagnostic.help("refer to a config or local by its name alone"),
        NameAdvice::Function => {
            diagnostic.help(format!("`{name}` is a function: call it as `{name}(..)`"))
        }
        NameAdvice::TypeFunction => diagnostic.help(match name {
            "object" => "name the properties, as in `object({ name = string })`".to_owned(),
            "tuple" => "name the types of the elements, as in `tuple([string, int])`".to_owned(),
            _ => format!("name the type of the elements, as in `{name}(string)`"),
        }),
        NameAdvice::Declare { is_value } => {
            let help =
                format!("declare it, as in `{name} = ..` or `config \"{name}\" \"string\" {{}}`");
            if !is_value {
                return diagnostic.help(help);
            }
            let text = format!("\"{name}\"");
            diagnostic
                .help(format!("{help}; a string is written `{text}`"))
                .fix(Fix::unsafe_(
                    "add quotes",
                    vec![TextEdit::replace(span, text)],
                ))
        }
        NameAdvice::None => diagnostic,
    }
}

/// A keyword in the place of a value.
pub(crate) fn keyword_without_value(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is a keyword and has no value");
    Diagnostic::error(Code::UndefinedVariable, span, message)
}

/// Both variables of a loop have one name. `first` is the place of the other one.
pub(crate) fn duplicate_loop_variable(span: Span, first: Span, name: &str) -> Diagnostic {
    let message = format!("both variables of this loop are called `{name}`");
    Diagnostic::error(Code::DuplicateLoopVariable, span, message)
        .label(first, "the same name here")
        .help("rename one of them")
}
