//! Steps that reach nothing, or something else than they seem to.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Setting, Span, TextEdit, enumerate};
use pcl_syntax::quoted;

use super::count;
use super::words::{either, in_words, short_token};
use crate::expression::Owner;
use crate::relations::{Key, TraverseErrorKind};
use crate::types::{Symbol, TypeId, TypeStore};
use crate::value::Constant;

/// The properties of the objects that do not have the one that a step asks for.
pub(crate) struct Properties {
    /// Their names.
    pub names: Vec<Arc<str>>,
    /// Those that the step may be meant to reach.
    pub meant: Vec<String>,
}

/// A step by `key` from `owner` that fails.
pub(crate) fn failed_step(
    span: Span,
    types: &mut TypeStore,
    kind: &TraverseErrorKind,
    key: &Key,
    owner: &Owner,
    properties: &Properties,
) -> Diagnostic {
    use TraverseErrorKind as Kind;
    match *kind {
        Kind::Unsupported { receiver } => no_properties(span, types, receiver, owner),
        Kind::NoneReceiver => null_has_no_properties(span, owner),
        Kind::ListIndex { key } => wrong_index(span, types, "a number", key),
        Kind::MapKey { key } => wrong_index(span, types, "a string", key),
        Kind::TupleIndex { .. } => list_index_not_integer(span, key, owner),
        Kind::TupleRange { length } => list_index_out_of_range(span, key, owner, length),
        Kind::ObjectKey { key: ty } => property_name_not_string(span, types, key, ty),
        Kind::OtherCase { asked, actual } => {
            let [asked, actual] = [asked, actual].map(|name| types.name(name));
            property_of_other_case(span, key, asked, actual)
        }
        Kind::UnknownProperty { object, .. }
            if matches!(key, Key::Constant(Constant::Number(_))) =>
        {
            index_of_object(span, types, key, object, owner)
        }
        Kind::UnknownProperty { name, object } => {
            let step = UnknownStep { key, name, object };
            unknown_property(span, types, &step, owner, properties)
        }
    }
}

fn no_properties(span: Span, types: &mut TypeStore, receiver: TypeId, owner: &Owner) -> Diagnostic {
    let words = in_words(types, receiver);
    let message = match &owner.path {
        Some(path) => format!("`{path}` is {words}, which has no properties"),
        None => format!("{words} has no properties"),
    };
    Diagnostic::error(Code::CannotTraverse, span, message)
        .help("only objects, maps and lists have properties or elements")
}

fn null_has_no_properties(span: Span, owner: &Owner) -> Diagnostic {
    let message = match &owner.path {
        Some(path) => format!("`{path}` is null, which has no properties"),
        None => "null has no properties".to_owned(),
    };
    Diagnostic::error(Code::CannotTraverse, span, message)
}

fn wrong_index(span: Span, types: &mut TypeStore, wanted: &str, key: TypeId) -> Diagnostic {
    let found = in_words(types, key);
    let message = format!("the index must be {wanted}, found {found}");
    Diagnostic::error(Code::TypeNotAssignable, span, message)
}

fn list_index_not_integer(span: Span, key: &Key, owner: &Owner) -> Diagnostic {
    let message = match (&owner.path, key) {
        (Some(path), Key::Name(_)) => format!("`{path}` is a list, which has no properties"),
        _ => "the index of a list must be a whole number".to_owned(),
    };
    Diagnostic::error(Code::TupleIndexNotInteger, span, message)
        .help("count the elements from 0, as in `[0]`, or use `[*]` for all of them")
}

fn list_index_out_of_range(span: Span, key: &Key, owner: &Owner, length: usize) -> Diagnostic {
    let list = match &owner.path {
        Some(path) => format!("`{path}`"),
        None => "the list".to_owned(),
    };
    let elements = count(length, "element");
    let message = match key {
        Key::Constant(key) => format!("there is no element `[{key}]`: {list} has {elements}"),
        _ => format!("there is no such element: {list} has {elements}"),
    };
    let diagnostic = Diagnostic::error(Code::TupleIndexOutOfRange, span, message);
    match length.checked_sub(1) {
        Some(last) => diagnostic.help(format!(
            "elements are counted from 0: the last one is `[{last}]`"
        )),
        None => diagnostic,
    }
}

fn property_name_not_string(
    span: Span,
    types: &mut TypeStore,
    key: &Key,
    ty: TypeId,
) -> Diagnostic {
    let found = match key {
        Key::Constant(Constant::Null) => "null".to_owned(),
        _ => in_words(types, ty),
    };
    let message = format!("the name of a property must be a string, found {found}");
    Diagnostic::error(Code::PropertyNameNotString, span, message)
        .help("write the name of the property, as in `[\"name\"]`")
}

/// An index into one object, as if it were a list of them.
fn index_of_object(
    span: Span,
    types: &mut TypeStore,
    key: &Key,
    object: TypeId,
    owner: &Owner,
) -> Diagnostic {
    let is_resource = types.is_resource(object);
    let message = match (&owner.path, is_resource) {
        (Some(path), true) => format!("`{path}` is a single resource, not a list of them"),
        (Some(path), false) => format!("`{path}` is a single object, not a list of them"),
        (None, _) => "this is a single object, not a list of them".to_owned(),
    };
    let diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
    let is_first =
        is_resource && matches!(key, Key::Constant(key) if key.as_text().as_deref() == Some("0"));
    let diagnostic = if is_resource {
        diagnostic.note("only a resource with the option `range` has an index")
    } else {
        diagnostic
    };
    let edits = vec![TextEdit::delete(span)];
    let title = "remove the index";
    diagnostic.help(title).fix(if is_first {
        Fix::safe(title, edits)
    } else {
        Fix::unsafe_(title, edits)
    })
}

fn property_of_other_case(span: Span, key: &Key, asked: &str, actual: &str) -> Diagnostic {
    let message = format!("the property is called `{actual}`, not `{asked}`");
    let edit = rename(span, key, actual);
    Diagnostic::warning(Code::PropertyCaseMismatch, span, message)
        .fix(Fix::safe(format!("write `{actual}`"), vec![edit]))
}

/// A step to a property that an object does not have.
struct UnknownStep<'k> {
    key: &'k Key,
    name: Symbol,
    object: TypeId,
}

fn unknown_property(
    span: Span,
    types: &TypeStore,
    step: &UnknownStep<'_>,
    owner: &Owner,
    properties: &Properties,
) -> Diagnostic {
    let &UnknownStep { key, name, object } = step;
    let token = types
        .resource_token(object)
        .filter(|_| types.is_resource(object));
    let short = token.as_deref().map(short_token);
    let subject = match (&owner.path, &short) {
        (Some(path), Some(token)) => format!("`{path}` ({token})"),
        (Some(path), None) => format!("`{path}`"),
        (None, Some(token)) => format!("`{token}`"),
        (None, None) => "this object".to_owned(),
    };
    let noun = match &short {
        Some(_) => "output",
        None => "property",
    };
    let message = format!("{subject} has no {noun} `{}`", types.name(name));
    let diagnostic = Diagnostic::error(Code::UnknownProperty, span, message);
    match &properties.meant[..] {
        [] => {
            let names = properties.names.iter().map(|name| &**name);
            with_all(diagnostic, names, noun, token.as_deref())
        }
        [meant] => {
            let edit = rename(span, key, meant);
            diagnostic
                .help(format!("did you mean `{meant}`?"))
                .fix(Fix::respelled(
                    types.name(name),
                    meant,
                    format!("use `{meant}`"),
                    vec![edit],
                ))
        }
        several => {
            let several = several.iter().map(|name| format!("`{name}`")).collect();
            diagnostic.help(format!("did you mean {}?", either(several)))
        }
    }
}

/// Adds the properties of an object, or, where they are too many to read, the place that lists
/// them.
fn with_all<'n>(
    diagnostic: Diagnostic,
    names: impl ExactSizeIterator<Item = &'n str>,
    noun: &str,
    token: Option<&str>,
) -> Diagnostic {
    const MOST: usize = 8;
    let count = names.len();
    let plural = match noun {
        "output" => "outputs",
        _ => "properties",
    };
    match (count, token) {
        (0, _) => diagnostic.note(format!("it has no {plural}")),
        (1, _) => diagnostic.note(format!("its only {noun} is {}", enumerate(names))),
        (2..=MOST, _) => diagnostic.note(format!("its {plural} are {}", enumerate(names))),
        (_, Some(token)) => diagnostic
            .help(format!(
                "the schema of `{token}` lists its {count} {plural}"
            ))
            .setting(Setting::Member),
        (_, None) => diagnostic.note(format!("it has {count} {plural}")),
    }
}

/// A step by `name` from `owner`, a list, which converts to a number and so passes for an index.
/// `elements_have_it` says that the elements of the list have a property of that name.
pub(crate) fn name_in_list(
    span: Span,
    types: &mut TypeStore,
    owner: &Owner,
    name: &str,
    elements_have_it: bool,
) -> Diagnostic {
    let words = in_words(types, owner.ty);
    let message = match &owner.path {
        Some(path) => format!("`{path}` is {words}, which has no property `{name}`"),
        None => format!("{words} has no property `{name}`"),
    };
    let diagnostic = Diagnostic::warning(Code::ListIndexNotNumber, span, message).ours();
    if elements_have_it {
        let insert = TextEdit::insert(span.file, span.range.start(), "[*]");
        return diagnostic
            .help(format!(
                "its elements have: write `[*].{name}` for the list of all, or `[0].{name}` for one"
            ))
            // One element may be meant as well.
            .fix(Fix::display_only("take it from all elements", vec![insert]));
    }
    diagnostic.help(match name {
        "length" | "len" | "size" | "count" => "use `length(..)` to count its elements",
        _ => "use an index, as in `[0]`, or `[*]` for every element",
    })
}

/// A step from the `pulumi` block.
pub(crate) fn step_into_pulumi_block(span: Span) -> Diagnostic {
    let message = "the `pulumi` block has no properties";
    Diagnostic::error(Code::NotTraversable, span, message)
        .help("declare the value under a name of its own and refer to that")
}

/// A step from a keyword.
pub(crate) fn step_into_keyword(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` is a keyword, which has no properties");
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
