//! Lists, maps and objects.
//!
//! The rules, with examples: `tests/spec/functions/collections.md`.

use pcl_diagnostics::{Code, Diagnostic, Matter, Span};

use super::output_if_eventual;
use crate::expression::CollectionUse;
use crate::functions::function::{CallContext, Parameter, Signature};
use crate::relations::Conversion;
use crate::types::{Type, TypeId, TypeStore};
use crate::wording::{in_words, optional};

/// Reports that the first argument is not what the function works on. `advise` adds advice that is
/// better than an example. Returns the type to go on with.
fn refuse(
    call: &mut CallContext<'_, '_>,
    needed: Needed,
    advise: Option<fn(Diagnostic) -> Diagnostic>,
) -> TypeId {
    let Some(argument) = call.argument(0) else {
        return TypeId::DYNAMIC;
    };
    if argument.ty == TypeId::ERROR {
        return TypeId::ERROR;
    }
    let (span, function) = (call.span(argument.range), call.site.name.clone());
    let diagnostic = unsuitable_argument(span, call.types(), &function, needed, argument.ty);
    let Some(advise) = advise else {
        return call.refuse(argument.ty, diagnostic);
    };
    call.report(advise(diagnostic));
    TypeId::ERROR
}

/// Returns whether the first argument is a map or object, or an eventual or optional one.
fn is_keyed(call: &mut CallContext<'_, '_>) -> bool {
    let ty = call.argument_type(0);
    let types = call.types();
    let stripped = types.strip(ty);
    matches!(types.get(stripped), Type::Map(_)) || types.properties(stripped).is_some()
}

/// Returns whether the first argument is a list or tuple, or an eventual or optional one.
fn is_ordered(call: &mut CallContext<'_, '_>) -> bool {
    let ty = call.argument_type(0);
    let types = call.types();
    let stripped = types.strip(ty);
    matches!(types.get(stripped), Type::List(_) | Type::Tuple(_))
}

pub(super) fn element(call: &mut CallContext<'_, '_>) -> Signature {
    let list = call.argument_type(0);
    let strict = !call.policy().excuses(Matter::Collection);
    let types = call.types();
    let resolved = types.resolve(list);
    let element = match types.get(resolved).clone() {
        Type::List(element) => Some(element),
        Type::Tuple(elements) => Some(types.unify_loosely(&elements)),
        _ => None,
    };
    let (list, element) = match element {
        Some(element) => (list, element),
        None if strict => {
            let advise = is_keyed(call).then_some(with_lookup as fn(_) -> _);
            (TypeId::DYNAMIC, refuse(call, Needed::List, advise))
        }
        None => (TypeId::DYNAMIC, TypeId::DYNAMIC),
    };
    let source = call.argument_type(0);
    let returns = output_if_eventual(call.types(), element, &[source]);
    let parameters = vec![Parameter::new("list", list), Parameter::new("index", TypeId::INT)];
    Signature::new(parameters, returns)
}

pub(super) fn entries(call: &mut CallContext<'_, '_>) -> Signature {
    let mut types = (TypeId::DYNAMIC, TypeId::DYNAMIC);
    let single = call.argument(0).filter(|_| call.argument_count() == 1);
    if let Some(argument) = single {
        let resolved = call.types().resolve(argument.ty);
        types = call.checker.collection(resolved, argument.range, CollectionUse::Entries);
    }
    let (key, value) = types;
    let source = call.argument_type(0);
    let types = call.types();
    let properties = [(types.symbol("key"), key), (types.symbol("value"), value)];
    let entry = types.object(properties);
    let list = types.list(entry);
    let returns = output_if_eventual(types, list, &[source]);
    Signature::new(vec![Parameter::new("collection", TypeId::DYNAMIC)], returns)
}

pub(super) fn length(call: &mut CallContext<'_, '_>) -> Signature {
    let value = call.argument_type(0);
    let types = call.types();
    let resolved = types.resolve(value);
    let nullable = types.null_as_none(resolved);
    let stripped = types.strip(nullable);
    let counts = match types.get(stripped) {
        Type::List(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_) | Type::Nominal(_) => true,
        _ => types.convert(TypeId::STRING, stripped) != Conversion::No,
    };
    let plain = [TypeId::BOOL, TypeId::INT, TypeId::NUMBER];
    if !counts {
        refuse(call, Needed::Countable, None);
    } else if call.types().is_of_kinds(stripped, &plain) {
        // Pulumi converts it to a string first, which its run does not.
        refuse(call, Needed::Countable, Some(Diagnostic::ours));
    }
    let returns = output_if_eventual(call.types(), TypeId::INT, &[value]);
    Signature::new(vec![Parameter::new("value", value)], returns)
}

pub(super) fn lookup(call: &mut CallContext<'_, '_>) -> Signature {
    let source = call.argument_type(0);
    let has_default = call.argument_count() > 2;
    let types = call.types();
    let resolved = types.resolve(source);
    let element = if let Type::Map(element) = types.get(resolved) {
        Some(*element)
    } else {
        types.properties(resolved).map(|properties| {
            let values: Vec<TypeId> = properties.iter().map(|&(_, ty)| ty).collect();
            if values.is_empty() && has_default {
                // Every call gives the default.
                TypeId::DYNAMIC
            } else {
                types.unify_loosely(&values)
            }
        })
    };
    let (map, element) = match element {
        Some(element) => (resolved, element),
        None => {
            let advise = is_ordered(call).then_some(with_element as fn(_) -> _);
            (TypeId::DYNAMIC, refuse(call, Needed::Map, advise))
        }
    };
    let types = call.types();
    let returns = output_if_eventual(types, element, &[source]);
    let default = types.optional(element);
    let parameters = vec![
        Parameter::new("map", map),
        Parameter::new("key", TypeId::STRING),
        Parameter::new("default", default),
    ];
    Signature::new(parameters, returns)
}

pub(super) fn single_or_none(call: &mut CallContext<'_, '_>) -> Signature {
    let value = call.argument_type(0);
    let single = call.argument_count() == 1;
    let types = call.types();
    let resolved = types.resolve(value);
    let element = match types.get(resolved) {
        Type::List(element) => Some(*element),
        Type::Tuple(elements) => Some(elements.first().copied().unwrap_or(TypeId::DYNAMIC)),
        _ if resolved == TypeId::DYNAMIC || resolved == TypeId::ERROR => Some(resolved),
        _ => None,
    };
    let element = match element {
        Some(element) if single => element,
        None if single => refuse(call, Needed::List, None),
        _ => TypeId::DYNAMIC,
    };
    let types = call.types();
    let optional = types.optional(element);
    let returns = output_if_eventual(types, optional, &[value]);
    Signature::new(vec![Parameter::new("value", value)], returns)
}

/// The values that a function works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needed {
    /// A list.
    List,
    /// A map or object.
    Map,
    /// Anything that has a length.
    Countable,
}

/// An argument of the type `given` that is not what the function works on.
fn unsuitable_argument(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    needed: Needed,
    given: TypeId,
) -> Diagnostic {
    let fits = is_suitable(types, needed, given);
    let needed = match needed {
        Needed::List => "a list",
        Needed::Map => "a map or object",
        Needed::Countable => "a list, map, object or string",
    };
    let given = in_words(types, given);
    let given = if fits { optional(&given) } else { given };
    let message = format!("`{function}` takes {needed}, found {given}");
    Diagnostic::error(Code::BadArgument, span, message)
}

/// Returns whether a function works on `given` unless it is null.
fn is_suitable(types: &mut TypeStore, needed: Needed, given: TypeId) -> bool {
    let given = types.strip(given);
    match needed {
        Needed::List => matches!(types.get(given), Type::List(_) | Type::Tuple(_)),
        Needed::Map => {
            matches!(types.get(given), Type::Map(_) | Type::Object(_) | Type::Nominal(_))
        }
        Needed::Countable => false,
    }
}

/// Adds the function for maps, in the place of `element`.
fn with_lookup(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("`lookup(..)` reads a value of a map")
}

/// Adds the function for lists, in the place of `lookup`.
fn with_element(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("`element(..)` reads an element of a list")
}
