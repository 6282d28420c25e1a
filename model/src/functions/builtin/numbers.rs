//! Numbers.
//!
//! The rules, with examples: `tests/spec/functions/numbers.md`.

use super::row::{Area, Builtin, INT, Rule, StaticType};
use crate::functions::function::CallContext;
use crate::functions::signature::{Parameter, Signature};
use crate::types::{Type, TypeId, TypeStore};

pub(super) const AREA: Area = Area {
    title: "Numbers",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "max",
        rule: Rule::Generic {
            usage: "max(first: N, ...rest: N) -> N",
            returns: "an int, or a number if an argument is not an int",
            rule: extreme,
        },
        summary: "the largest of several numbers",
        example: "max(1, 2, 3)",
    },
    Builtin {
        name: "min",
        rule: Rule::Generic {
            usage: "min(first: N, ...rest: N) -> N",
            returns: "an int, or a number if an argument is not an int",
            rule: extreme,
        },
        summary: "the smallest of several numbers",
        example: "min(1, 2, 3)",
    },
    Builtin {
        name: "range",
        rule: Rule::Fixed(
            &[("fromOrTo", INT), ("to", StaticType::Optional(&INT))],
            StaticType::List(&INT),
        ),
        summary: "the integers from 0, or from the first argument, up to the last argument (exclusive)",
        example: "range(3)",
    },
];

/// Whole numbers, unless an argument is a number that need not be whole.
fn extreme(call: &mut CallContext<'_, '_>) -> Signature {
    let mut ty = TypeId::INT;
    for argument in &call.site.arguments {
        let types = &mut *call.checker.types;
        let resolved = types.resolve(argument.ty);
        if plain(types, resolved) == TypeId::NUMBER {
            ty = TypeId::NUMBER;
        }
    }
    Signature {
        variadic: Some(Parameter::new("rest", ty)),
        ..Signature::new(vec![Parameter::new("first", ty)], ty)
    }
}

/// The type of a constant's value; other types as they are.
fn plain(types: &TypeStore, ty: TypeId) -> TypeId {
    match types.get(ty) {
        Type::Const { underlying, .. } => *underlying,
        _ => ty,
    }
}
