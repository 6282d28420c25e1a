//! Lists, maps and objects.
//!
//! The rules, with examples: `tests/spec/functions/collections.md`.

use pcl_diagnostics::{Code, Diagnostic, Matter};

use super::output_if_eventual;
use crate::expression::CollectionUse;
use crate::functions::function::{Argument, CallContext, Parameter, Signature};
use crate::relations::Conversion;
use crate::types::{Type, TypeId};
use crate::wording::{in_words, optional};

/// Reports that the first argument is not what the function works on. `advice` is better than an
/// example, where there is one. Returns the type to go on with.
fn refuse(call: &mut CallContext<'_, '_>, needed: Needed, advice: Option<&str>) -> TypeId {
    let Some(argument) = call.argument(0).filter(|argument| argument.ty != TypeId::ERROR) else {
        return call.argument_type(0);
    };
    let diagnostic = unsuitable_argument(call, argument, needed);
    let Some(advice) = advice else { return call.refuse(argument.ty, diagnostic) };
    call.report(diagnostic.help(advice));
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
            let advice = is_keyed(call).then_some("`lookup(..)` reads a value of a map");
            (TypeId::DYNAMIC, refuse(call, Needed::List, advice))
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
    } else if call.types().is_of_kinds(stripped, &plain)
        && let Some(argument) = call.argument(0)
    {
        // Pulumi converts it to a string first, which its run does not.
        let diagnostic = unsuitable_argument(call, argument, Needed::Countable);
        call.report(diagnostic.ours());
    }
    let returns = output_if_eventual(call.types(), TypeId::INT, &[value]);
    Signature::new(vec![Parameter::new("value", resolved)], returns)
}

/// `lookup` with a default, which may have any type; with two arguments alone it is an index.
pub(super) fn lookup(call: &mut CallContext<'_, '_>) -> Signature {
    let source = call.argument_type(0);
    let (count, default) = (call.argument_count(), call.argument_type(2));
    let types = call.types();
    let resolved = types.resolve(source);
    let elements = if let Type::Map(element) = types.get(resolved) {
        Some(vec![*element])
    } else {
        types.properties(resolved).map(|properties| match types.property_types(&properties) {
            values if values.is_empty() => values,
            values => vec![types.unify_loosely(&values)],
        })
    };
    let (map, mut elements) = match elements {
        Some(elements) => (resolved, elements),
        None => {
            let advice = is_ordered(call).then_some("`element(..)` reads an element of a list");
            (TypeId::DYNAMIC, vec![refuse(call, Needed::Map, advice)])
        }
    };
    let types = call.types();
    let default = match (count, elements.first()) {
        (3.., _) => {
            elements.push(default);
            default
        }
        // What is missing is the key, or the map.
        (0 | 1, _) | (_, None) => types.optional(TypeId::DYNAMIC),
        (_, Some(element)) => *element,
    };
    let returns = types.unify_safely(&elements);
    let returns = output_if_eventual(types, returns, &[source]);
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

/// An argument that is not what the function works on.
fn unsuitable_argument(
    call: &mut CallContext<'_, '_>,
    argument: Argument,
    needed: Needed,
) -> Diagnostic {
    let types = call.types();
    let stripped = types.strip(argument.ty);
    let ty = types.get(stripped);
    let is_countable = needed == Needed::Countable;
    // What the function works on, unless it is null.
    let (needed, fits) = match needed {
        Needed::List => ("a list", matches!(ty, Type::List(_) | Type::Tuple(_))),
        Needed::Map => {
            let fits = matches!(ty, Type::Map(_) | Type::Object(_) | Type::Nominal(_));
            ("a map or object", fits)
        }
        Needed::Countable => ("a list, map, object or string", false),
    };
    let given = in_words(types, argument.ty);
    let given = if fits { optional(&given) } else { given };
    let message = format!("`{}` takes {needed}, found {given}", call.site.name);
    let diagnostic = Diagnostic::error(Code::BadArgument, call.span(argument.range), message);
    if is_countable {
        let advice = "the length of a value as text is that of a string: `length(\"${..}\")`";
        diagnostic.help(advice)
    } else {
        diagnostic
    }
}
