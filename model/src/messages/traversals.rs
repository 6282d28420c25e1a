//! Steps that reach nothing, or something else than they seem to.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

use super::{count, shown};
use crate::expression::quote::quoted;
use crate::relations::{Key, TraverseErrorKind};
use crate::types::{Symbol, TypeId, TypeStore};
use crate::value::Constant;

/// A step by `key` that fails. `similar` is the name of a property like the one asked for.
pub(crate) fn failed_step(
    span: Span,
    types: &mut TypeStore,
    kind: &TraverseErrorKind,
    key: &Key,
    similar: Option<Symbol>,
) -> Diagnostic {
    use TraverseErrorKind as Kind;
    match *kind {
        Kind::Unsupported { receiver } => no_parts(span, types, receiver),
        Kind::NoneReceiver => null_has_no_parts(span),
        Kind::ListIndex { key } => wrong_index(span, types, "a number", key),
        Kind::MapKey { key } => wrong_index(span, types, "a string", key),
        Kind::TupleIndex { .. } => tuple_index_not_integer(span),
        Kind::TupleRange { length } => tuple_index_out_of_range(span, key, length),
        Kind::ObjectKey { key: ty } => property_name_not_string(span, types, key, ty),
        Kind::OtherCase { asked, actual } => {
            let [asked, actual] = [asked, actual].map(|name| types.name(name));
            property_of_other_case(span, key, asked, actual)
        }
        Kind::UnknownProperty { name, object } => {
            unknown_property(span, types, key, name, object, similar)
        }
    }
}

fn no_parts(span: Span, types: &mut TypeStore, receiver: TypeId) -> Diagnostic {
    let message = format!("{} has no parts to reach into", shown(types, receiver));
    Diagnostic::error(Code::CannotTraverse, span, message)
        .help("only objects, maps, lists and tuples have parts")
}

fn null_has_no_parts(span: Span) -> Diagnostic {
    let message = "null has no parts to reach into";
    Diagnostic::error(Code::CannotTraverse, span, message)
}

fn wrong_index(span: Span, types: &mut TypeStore, wanted: &str, key: TypeId) -> Diagnostic {
    let message = format!("the index must be {wanted}, not {}", shown(types, key));
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

fn tuple_index_not_integer(span: Span) -> Diagnostic {
    let message = "a tuple is indexed by a whole number";
    Diagnostic::error(Code::TupleIndexNotInteger, span, message)
        .help("count its elements from 0, as in `[0]`")
}

fn tuple_index_out_of_range(span: Span, key: &Key, length: usize) -> Diagnostic {
    let elements = count(length, "element");
    let message = match key {
        Key::Constant(key) => format!("there is no element `[{key}]`: this tuple has {elements}"),
        _ => format!("there is no such element: this tuple has {elements}"),
    };
    let diagnostic = Diagnostic::error(Code::TupleIndexOutOfRange, span, message);
    match length.checked_sub(1) {
        Some(last) => diagnostic.help(format!("the last element is `[{last}]`")),
        None => diagnostic,
    }
}

fn property_name_not_string(
    span: Span,
    types: &mut TypeStore,
    key: &Key,
    ty: TypeId,
) -> Diagnostic {
    let shown = match key {
        Key::Constant(Constant::Null) => "null".to_owned(),
        _ => shown(types, ty),
    };
    let message = format!("a property is asked for by a string, not {shown}");
    Diagnostic::error(Code::PropertyNameNotString, span, message)
        .help("write the name of the property, as in `[\"name\"]`")
}

fn property_of_other_case(span: Span, key: &Key, asked: &str, actual: &str) -> Diagnostic {
    let message = format!("the property is called `{actual}`, not `{asked}`");
    let edit = rename(span, key, actual);
    Diagnostic::warning(Code::PropertyCaseMismatch, span, message)
        .fix(Fix::safe(format!("write `{actual}`"), vec![edit]))
}

fn unknown_property(
    span: Span,
    types: &mut TypeStore,
    key: &Key,
    name: Symbol,
    object: TypeId,
    similar: Option<Symbol>,
) -> Diagnostic {
    let properties = types.properties(object).unwrap_or_default();
    let message = format!("there is no property `{}` here", types.name(name));
    let mut diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
    if let Some(meant) = similar.map(|similar| types.name(similar)) {
        let edit = rename(span, key, meant);
        diagnostic = diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(format!("use `{meant}`"), vec![edit]));
    }
    diagnostic.note(listed(properties.iter().map(|&(name, _)| types.name(name))))
}

/// A step by `name` into a list, which converts to a number and so passes for an index.
/// `elements_have_it` says that the elements of the list have a property of that name.
pub(crate) fn name_in_list(span: Span, name: &str, elements_have_it: bool) -> Diagnostic {
    let message = format!("a list has no part called `{name}`");
    let diagnostic = Diagnostic::warning(Code::ListIndexNotNumber, span, message).ours();
    if elements_have_it {
        let insert = TextEdit::insert(span.file, span.range.start(), "[*]");
        return diagnostic
            .help("its elements have: reach into all with `[*]`, or into one with `[0]`")
            .fix(Fix::unsafe_("reach into all elements", vec![insert]));
    }
    diagnostic.help(match name {
        "length" | "len" | "size" | "count" => "use `length(..)` to count its elements",
        _ => "use an index, as in `[0]`, or `[*]` to reach into every element",
    })
}

/// A step from the `pulumi` block.
pub(crate) fn step_into_pulumi_block(span: Span) -> Diagnostic {
    let message = "the `pulumi` block has no parts to reach into";
    Diagnostic::error(Code::NotTraversable, span, message)
        .help("give the value a name of its own and refer to that")
}

/// A step from a keyword.
pub(crate) fn step_into_keyword(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is a keyword and has no parts to reach into");
    Diagnostic::error(Code::NotTraversable, span, message)
}

/// Rewrites a step so that it asks for `name`, in the form in which it is written.
fn rename(span: Span, key: &Key, name: &str) -> TextEdit {
    let text = match key {
        Key::Name(_) if pcl_syntax::is_identifier(name) => format!(".{name}"),
        _ => format!("[{}]", quoted(name)),
    };
    TextEdit::replace(span, text)
}

/// The properties of an object, as far as they are few enough to read.
fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MOST: usize = 12;
    let count = names.len();
    let shown: Vec<String> = names.take(MOST).map(|name| format!("`{name}`")).collect();
    let shown = shown.join(", ");
    match count {
        0 => "the object has no properties".to_owned(),
        1 => format!("its only property is {shown}"),
        2..=MOST => format!("its properties are {shown}"),
        _ => format!("it has {count} properties, among them {shown}"),
    }
}
