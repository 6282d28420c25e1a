//! Lints.

use pcl_diagnostics::{Code, Diagnostic, Fix, Label, Span, TextEdit};
use pcl_model::value::Constant;
use pcl_schema::Wording;
use rustc_hash::FxHashMap;

/// A local that nothing refers to. `declaration` is all of it.
pub(crate) fn unused_local(span: Span, name: &str, declaration: Span) -> Diagnostic {
    let message = format!("nothing refers to the local `{name}`");
    Diagnostic::warning(Code::UnusedLocal, span, message)
        .help(format!("remove it, or call it `_{name}` to keep it"))
        .fix(Fix::unsafe_(
            "remove it",
            vec![TextEdit::replace(declaration, "")],
        ))
}

/// A config that nothing refers to.
pub(crate) fn unused_config(span: Span, name: &str) -> Diagnostic {
    let message = format!("nothing refers to the config `{name}`");
    Diagnostic::warning(Code::UnusedConfig, span, message)
        .help("remove it, and its value wherever the program is configured")
}

/// A resource, property, function or method that the schema deprecates with a message.
pub(crate) fn deprecated_name(span: Span, name: &str, message: &str) -> Diagnostic {
    deprecated(span, format!("`{name}` is deprecated"), message)
}

/// A value of an enumeration that the schema deprecates with a message.
pub(crate) fn deprecated_value(span: Span, value: &Constant, message: &str) -> Diagnostic {
    deprecated(span, format!("the value {value} is deprecated"), message)
}

fn deprecated(span: Span, subject: String, message: &str) -> Diagnostic {
    Diagnostic::warning(Code::Deprecated, span, subject).help(
        match Wording::Pcl.of(message).trim() {
            "" => "look in the documentation of its package for what takes its place".to_owned(),
            message => format!("its package says: {message}"),
        },
    )
}

/// The deprecations of the parts of a resource; those with the same reason are one.
pub(crate) fn same_deprecations(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::new();
    let mut by_reason: FxHashMap<Option<String>, usize> = FxHashMap::default();
    for diagnostic in diagnostics {
        let next = merged.len();
        let at = *by_reason.entry(diagnostic.help.clone()).or_insert(next);
        match merged.get_mut(at) {
            Some(known) => known.labels.push(Label {
                span: diagnostic.primary,
                message: diagnostic.message,
            }),
            None => merged.push(diagnostic),
        }
    }
    for diagnostic in &mut merged {
        let others = match diagnostic.labels.len() {
            0 => continue,
            1 => "another name".to_owned(),
            count => format!("{count} other names"),
        };
        let message = &mut diagnostic.message;
        message.push_str(&format!(", and {others} for the same reason"));
    }
    merged
}

/// A secret that an output publishes.
pub(crate) fn exposed_secret(span: Span, output: &str) -> Diagnostic {
    let message = format!("output `{output}` exposes a secret");
    Diagnostic::warning(Code::ExposedSecret, span, message)
        .help("leave out `unsecret`: an output may be secret")
}

/// A name that hides one of the program, `declared` there.
pub(crate) fn shadowed_name(span: Span, name: &str, declared: Span) -> Diagnostic {
    let message = format!("this `{name}` hides the one that the program declares");
    Diagnostic::warning(Code::ShadowedName, span, message)
        .label(declared, "hidden here")
        .help("give one of the two another name")
}

/// A string that is nothing but an interpolation of `value`; `None` where that cannot be read.
pub(crate) fn redundant_interpolation(span: Span, value: Option<String>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        Code::RedundantInterpolation,
        span,
        "this string is only an interpolation: write the value itself",
    )
    .help("leave out the quotes and the `${}`");
    match value {
        None => diagnostic,
        Some(value) => diagnostic.fix(Fix::safe(
            "write the value alone",
            vec![TextEdit::replace(span, value)],
        )),
    }
}

/// An interpolation of another language; `meant` is the value.
pub(crate) fn foreign_interpolation(span: Span, written: &str, meant: &str) -> Diagnostic {
    let message = format!("`{written}` is plain text here, not an interpolation");
    let edit = TextEdit::replace(span, format!("${{{meant}}}"));
    Diagnostic::warning(Code::ForeignInterpolation, span, message)
        .help(format!("for the value, write `${{{meant}}}`"))
        .fix(Fix::unsafe_(format!("write `${{{meant}}}`"), vec![edit]))
}

/// A `dependsOn` of a resource whose outputs the resource uses.
pub(crate) fn implied_dependency(span: Span, resource: &str, needed: &str) -> Diagnostic {
    let message = format!("`{resource}` waits for `{needed}` anyway, since it uses its outputs");
    Diagnostic::warning(Code::ImpliedDependency, span, message)
        .help(format!("remove `{needed}` from `dependsOn`"))
}

/// A value that cannot be what an option for resources takes.
pub(crate) struct NotAResource<'a> {
    pub option: &'a str,
    /// The resource that has the option.
    pub resource: &'a str,
    /// Set if the option takes many resources.
    pub many: bool,
    /// The resource of the program whose name the value is.
    pub named: Option<&'a str>,
    /// Set if the value is a part of another one.
    pub is_part: bool,
}

/// A text, a number or a bool in an option that takes resources.
pub(crate) fn text_for_resource(span: Span, wrong: &NotAResource<'_>) -> Diagnostic {
    let takes = if wrong.many {
        "resources, not their names or ids"
    } else {
        "a resource, not its name or id"
    };
    let message = format!("`{}` of `{}` takes {takes}", wrong.option, wrong.resource);
    let diagnostic = Diagnostic::warning(Code::TextForResource, span, message);
    match wrong.named {
        Some(name) => diagnostic.help("leave out the quotes").fix(Fix::unsafe_(
            format!("refer to the resource `{name}`"),
            vec![TextEdit::replace(span, name)],
        )),
        None if wrong.is_part => {
            diagnostic.help("refer to the resource itself, not to a part of it")
        }
        None => diagnostic.help("refer to a resource of the program, by its name without quotes"),
    }
}

/// A subtraction or division whose text is a date.
pub(crate) fn date_arithmetic(span: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` is arithmetic here, not a date");
    let quoted = format!("\"{text}\"");
    Diagnostic::warning(Code::DateArithmetic, span, message)
        .help("a date is a string: write it in quotes, or put spaces around the operators")
        .fix(Fix::unsafe_(
            "add quotes",
            vec![TextEdit::replace(span, quoted)],
        ))
}

/// A condition that always has the same value. `branch` is the place of the whole conditional
/// value, and what it always is.
pub(crate) fn constant_condition(
    span: Span,
    value: bool,
    branch: Option<(Span, String)>,
) -> Diagnostic {
    let message = format!("this condition is always {value}");
    let diagnostic = Diagnostic::warning(Code::ConstantCondition, span, message)
        .help("compare something that can change, or keep only the branch that is used");
    match branch {
        Some((whole, text)) => diagnostic.fix(Fix::unsafe_(
            "keep the branch that is used",
            vec![TextEdit::replace(whole, text)],
        )),
        None => diagnostic,
    }
}

/// A name that is not in camel case. `edits` change it everywhere, if that is possible.
pub(crate) fn naming(
    span: Span,
    name: &str,
    meant: &str,
    edits: Option<Vec<TextEdit>>,
) -> Diagnostic {
    let message = format!("`{name}` is not in camel case");
    let diagnostic = Diagnostic::warning(Code::Naming, span, message);
    match edits {
        Some(edits) => diagnostic
            .help(format!("call it `{meant}`"))
            .fix(Fix::unsafe_(format!("rename to `{meant}`"), edits)),
        None => diagnostic.help(format!(
            "call it `{meant}`; a resource keeps its name in the stack by `__logicalName`"
        )),
    }
}

/// A package without a version. `pin` is a block that gives it one, and its place.
pub(crate) fn unpinned_version(
    span: Span,
    package: &str,
    pin: Option<(Span, String)>,
) -> Diagnostic {
    let message = format!("the version of package `{package}` is not pinned");
    let diagnostic = Diagnostic::warning(Code::UnpinnedVersion, span, message)
        .note("another machine may use another version, with other types")
        .help("set `baseProviderVersion` in a `package` block");
    match pin {
        Some((place, block)) => diagnostic.fix(Fix::unsafe_(
            "add a `package` block",
            vec![TextEdit::replace(place, block)],
        )),
        None => diagnostic,
    }
}
