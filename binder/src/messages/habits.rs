//! Names and words of other languages.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_model::value::Constant;
use pcl_syntax::quoted;

use crate::habits::meaning::{Absent, Prefix};
use crate::habits::terraform::Counterpart;

/// A declared name behind a prefix that PCL does not have.
pub(crate) fn behind(
    span: Span,
    written: &str,
    prefix: Prefix,
    declared: &str,
    fix: Fix,
) -> Diagnostic {
    let (message, rule) = match prefix {
        Prefix::Variable => (
            format!("there is no `{written}.` prefix in PCL"),
            "refer to a config or local by its name alone",
        ),
        Prefix::Module => (
            format!("there is no `{written}.` prefix in PCL"),
            "a module is a component: refer to it by its name alone",
        ),
        Prefix::Type => (
            format!("`{written}.{declared}` is a Terraform reference"),
            "refer to a resource by its name alone",
        ),
    };
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help(format!("{rule}: `{declared}`"))
        .fix(fix)
}

/// A name behind such a prefix that is not declared.
pub(crate) fn undeclared_behind(
    span: Span,
    written: &str,
    prefix: Prefix,
    name: &str,
) -> Diagnostic {
    let message = format!("there is no `{written}.` prefix in PCL, and nothing declares `{name}`");
    let help = match prefix {
        Prefix::Variable => format!(
            "declare it, as in `config \"{name}\" \"string\" {{}}` or `{name} = ..`, and refer to it as `{name}`"
        ),
        Prefix::Module => format!(
            "declare it, as in `component \"{name}\" \"./{name}\" {{ .. }}`, and refer to it as `{name}`"
        ),
        Prefix::Type => format!("refer to a resource by its name alone: `{name}`"),
    };
    Diagnostic::error(Code::UndefinedVariable, span, message).help(help)
}

/// The present element under the name that Terraform has for it.
pub(crate) fn element(span: Span, written: &str, part: &str, is_ranged: bool) -> Diagnostic {
    let message = format!("`{written}` is written `range.{part}` in PCL");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    let edits = vec![TextEdit::replace(span, format!("range.{part}"))];
    let title = format!("write `range.{part}`");
    if is_ranged {
        diagnostic.fix(Fix::safe(title, edits))
    } else {
        diagnostic.help(format!(
            "add `options {{ range = .. }}` to the block, and write `range.{part}`"
        ))
    }
}

/// A value that a function without arguments gives.
pub(crate) fn call(span: Span, written: &str, function: &str, certain: bool) -> Diagnostic {
    let message = format!("`{written}` is written `{function}()` in PCL");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    let edits = vec![TextEdit::replace(span, format!("{function}()"))];
    let title = format!("call `{function}`");
    diagnostic.fix(if certain {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    })
}

/// A constant under the name that another language has for it.
pub(crate) fn word(span: Span, written: &str, constant: &Constant, certain: bool) -> Diagnostic {
    let edits = vec![TextEdit::replace(span, constant.to_string())];
    let title = format!("write `{constant}`");
    if certain {
        let message = format!("`{written}` is written `{constant}` in PCL");
        let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
        return diagnostic.fix(Fix::safe(title, edits));
    }
    let message = format!("`{written}` is neither a boolean nor a declared name");
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help(format!(
            "write `{constant}`; for the string, write {}",
            quoted(written)
        ))
        .fix(Fix::unsafe_(title, edits))
}

/// A string without quotes.
pub(crate) fn text(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is not declared; a string is written in quotes");
    let text = quoted(text);
    Diagnostic::error(Code::UndefinedVariable, span, message)
        .help(format!("write {text}"))
        .fix(Fix::safe("add quotes", vec![TextEdit::replace(span, text)]))
}

/// A data source of Terraform.
pub(crate) fn data_source(span: Span, kind: &str, function: Option<&Counterpart>) -> Diagnostic {
    let message = format!("PCL has no data sources such as `data.{kind}`");
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, span, message);
    match function {
        Some(function) => diagnostic.help(format!(
            "call the function: `invoke(\"{}\", {{ .. }})`",
            function.token
        )),
        None => {
            diagnostic.help("call a function, as in `invoke(\"package:module:function\", { .. })`")
        }
    }
}

/// A thing that PCL does not have.
pub(crate) fn absent(span: Span, name: &str, absent: Absent) -> Diagnostic {
    let (message, help) = match absent {
        Absent::Own => (
            format!("there is no `{name}` in PCL: a block cannot refer to itself"),
            "give the value a name of its own, `name = ..`, and refer to that",
        ),
        Absent::Environment => (
            "PCL programs cannot read environment variables".to_owned(),
            "declare a configuration variable: `config \"name\" \"string\" {}`",
        ),
    };
    Diagnostic::error(Code::UndefinedVariable, span, message).help(help)
}
