//! Values of a type that does not convert to the expected one.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

use super::shown;
use crate::relations::Conversion;
use crate::types::{Type, TypeId, TypeStore};

/// A value with the role `role` of the type `given` where a `wanted` is expected.
pub(crate) fn wrong_type(
    span: Span,
    types: &mut TypeStore,
    role: &str,
    wanted: TypeId,
    given: TypeId,
) -> Diagnostic {
    let message = format!(
        "{role} must be {}, not {}",
        expected_type(types, wanted, given),
        given_type(types, given, wanted)
    );
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

/// Adds what the value around the wrong part is expected to be.
pub(crate) fn with_whole(
    diagnostic: Diagnostic,
    types: &mut TypeStore,
    role: &str,
    wanted: TypeId,
    given: TypeId,
) -> Diagnostic {
    let wanted = expected_type(types, wanted, given);
    diagnostic.note(format!("{role} must be {wanted}"))
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
        ResourcesIn::Collections => "hold",
    };
    let message = format!("{role} must {verb} a `{wanted}`, not a `{given}`");
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
    let message = format!("{role} lacks the property `{name}`");
    let mut diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message);
    if let Some(ty) = ty {
        let ty = expected_type(types, ty, TypeId::NONE);
        diagnostic = diagnostic.note(format!("`{name}` must be {ty}"));
    }
    let Some(MisspelledKey { span, text }) = misspelled else {
        return diagnostic.help(format!("add `{name} = ..` to the object"));
    };
    diagnostic
        .label(span, format!("did you mean `{name}`?"))
        .fix(Fix::unsafe_(
            format!("rename to `{name}`"),
            vec![TextEdit::replace(span, text)],
        ))
}

/// A string written out where a number is expected, whose text is none.
pub(crate) fn text_is_no_number(span: Span, role: &dyn Display) -> Diagnostic {
    let message = format!("{role} must be a number, and this text says none");
    Diagnostic::warning(Code::TypeNotAssignable, span, message)
        .ours()
        .help("write the number without quotes")
}

/// A string written out where a bool is expected, whose text is none.
pub(crate) fn text_is_no_bool(span: Span, role: &dyn Display) -> Diagnostic {
    let message = format!("{role} must be a bool, and this text says none");
    Diagnostic::warning(Code::TypeNotAssignable, span, message)
        .ours()
        .help("write `true` or `false`, or compare the text, as in `text != \"\"`")
}

/// Strings as operands of `+`: `diagnostic` is about the first. `joined` has the place of the sum
/// and a template that means the same.
pub(crate) fn texts_added(
    mut diagnostic: Diagnostic,
    joined: Option<(Span, String)>,
) -> Diagnostic {
    diagnostic.help = None;
    let diagnostic = diagnostic.help("texts are joined in a template, as in `\"${a}${b}\"`");
    match joined {
        None => diagnostic,
        Some((whole, template)) => {
            let edit = TextEdit::replace(whole, template);
            diagnostic.fix(Fix::unsafe_("join them in a template", vec![edit]))
        }
    }
}

/// A collection or resource of the type `given` in a template. `help` is the advice about it.
pub(crate) fn no_text(
    span: Span,
    types: &mut TypeStore,
    given: TypeId,
    output: Option<NamedOutput>,
) -> Diagnostic {
    let given = given_type(types, given, TypeId::STRING);
    let message = format!("{given} has no text to put into a string");
    let help = match output {
        Some(output) => output.help(),
        None => "name the part that is meant, or use `toJSON(..)` or `join(..)`".to_owned(),
    };
    Diagnostic::warning(Code::TypeNotAssignable, span, message)
        .ours()
        .help(help)
}

/// A resource as the argument of `toJSON`.
pub(crate) fn no_json(span: Span, output: &NamedOutput) -> Diagnostic {
    let message = "a whole resource has no JSON of its own";
    Diagnostic::warning(Code::TypeNotAssignable, span, message)
        .ours()
        .help(output.help())
}

/// An output of a resource that is probably meant in the place of the whole resource.
pub(crate) struct NamedOutput {
    /// The path to the resource.
    pub(crate) resource: ResourcePath,
    /// The name of the output.
    pub(crate) property: String,
}

/// The path to a resource in the text of a program.
pub(crate) enum ResourcePath {
    /// A name and steps from it, as PCL.
    Named(String),
    /// The item of a splat, which has no name.
    Item,
    /// Some other expression.
    Other,
}

impl NamedOutput {
    /// The advice to name the output.
    pub(super) fn help(&self) -> String {
        let property = &self.property;
        match &self.resource {
            ResourcePath::Named(path) => {
                format!("name the output that is meant, as in `{path}.{property}`")
            }
            ResourcePath::Item => format!("name the output that is meant, as in `.{property}`"),
            ResourcePath::Other => {
                format!("name the output that is meant, such as its `{property}`")
            }
        }
    }
}

/// The expected type, for a message about a value that does not fit: without the outputs and the
/// null that would do as well, unless these make the difference.
fn expected_type(types: &mut TypeStore, wanted: TypeId, given: TypeId) -> String {
    let plain = types.plain(wanted);
    match types.convert(plain, given) {
        Conversion::No => shown(types, plain),
        _ => shown(types, wanted),
    }
}

/// The type of a given value. The properties of whole resources are not listed.
pub(super) fn given_type(types: &mut TypeStore, given: TypeId, wanted: TypeId) -> String {
    let [given_one, wanted_one] = [given, wanted].map(|ty| types.strip(ty));
    if types.is_resource(wanted_one) {
        return shown(types, given);
    }
    let held = match *types.get(given_one) {
        Type::List(element) | Type::Map(element) => types.strip(element),
        _ => given_one,
    };
    match (types.is_resource(held), types.get(given_one)) {
        (false, _) => shown(types, given),
        (true, Type::List(_)) => "a list of resources".to_owned(),
        (true, Type::Map(_)) => "a map of resources".to_owned(),
        (true, _) => "a whole resource".to_owned(),
    }
}
