//! The types that the parts of an expression have to become when the whole becomes a value of a
//! type.

use pcl_model::TypeId;
use pcl_model::expression::{
    Call, Checker, ExprArena, ExprId, ExprKind, Owner, binary_types, unary_types,
};
use pcl_model::relations::{Conversion, Key, TraverseErrorKind};
use pcl_model::types::{Type, TypeStore};
use pcl_model::value::Constant;

use crate::apply::{Applies, content};

/// The types that the `operands` of `id` have to become when it becomes a `to`.
pub(super) fn of_operands(
    checker: &mut Checker<'_>,
    id: ExprId,
    to: Option<TypeId>,
    operands: &[ExprId],
) -> Vec<Option<TypeId>> {
    let exprs = &*checker.exprs;
    let ty = |id: &ExprId| exprs[*id].ty;
    let mut targets = vec![None; operands.len()];
    match &exprs[id].kind {
        ExprKind::Unary { operator, operand } => {
            let (wanted, _) = unary_types(*operator, ty(operand));
            targets = vec![Some(wanted)];
        }
        ExprKind::Binary { operator, left, right } => {
            let (wanted, _) = binary_types(*operator, [ty(left), ty(right)]);
            let types = &mut *checker.types;
            // An operand that may not be needed stays eventual.
            let target = |ty| match wanted {
                Some(wanted) if is_eventual(types, ty) => Some(types.or_output(wanted)),
                wanted => wanted,
            };
            targets = [ty(left), ty(right)].map(target).to_vec();
        }
        ExprKind::Conditional { .. } => targets = vec![Some(TypeId::BOOL), to, to],
        ExprKind::For(for_expr) => {
            let (key, groups, condition) = (for_expr.key, for_expr.groups, for_expr.condition);
            let value = to.map(|to| of_round(checker.types, to, key.is_some(), groups));
            let key = key.map(|_| Some(TypeId::STRING));
            let condition = condition.map(|_| Some(TypeId::BOOL));
            let parts = [Some(None), key, Some(value), condition];
            targets = parts.into_iter().flatten().collect();
        }
        ExprKind::Index { collection, .. } => {
            let source = checker.types.null_as_none(ty(collection));
            targets = vec![None, Some(checker.types.collection(source).key)];
        }
        ExprKind::Call(call) => targets = parameters(call),
        ExprKind::Object(items) => {
            let items = items.clone();
            for (targets, &(key, _)) in targets.chunks_exact_mut(2).zip(&items) {
                if is_known(checker, key) {
                    let value = to.map(|to| of_item(checker, key, to));
                    targets.copy_from_slice(&[Some(TypeId::STRING), value]);
                }
            }
        }
        ExprKind::Tuple(_) if exprs.wrapped_alone(id).is_none() => {
            if let Some(to) = to {
                of_elements(checker, id, to, operands, &mut targets);
            }
        }
        ExprKind::Convert(_) => targets = vec![Some(exprs[id].ty)],
        _ => {}
    }
    targets
}

/// Returns whether a value of type `ty` is eventual, or may be.
fn is_eventual(types: &mut TypeStore, ty: TypeId) -> bool {
    content(types, ty, &Applies::default()).is_some()
}

/// The type that the value of a loop has to become. Values that are grouped become the elements of
/// lists.
fn of_round(types: &mut TypeStore, to: TypeId, has_key: bool, groups: bool) -> TypeId {
    match (has_key, groups) {
        (false, _) => unknown_step(types, to, TypeId::NUMBER),
        (true, false) => unknown_step(types, to, TypeId::STRING),
        (true, true) => {
            let group = unknown_step(types, to, TypeId::STRING);
            unknown_step(types, group, TypeId::NUMBER)
        }
    }
}

/// The value that is converted, however often.
fn unconverted(exprs: &ExprArena, mut id: ExprId) -> ExprId {
    while let ExprKind::Convert(value) = exprs[id].kind {
        id = value;
    }
    id
}

/// The types of the parameters that take the arguments of a call. What is spread stays what it is.
fn parameters(call: &Call) -> Vec<Option<TypeId>> {
    let last = call.arguments.len().saturating_sub(1);
    let parameter = |at: usize| {
        if call.expands_last && at == last {
            None
        } else {
            call.signature.parameter(at).map(|parameter| parameter.ty)
        }
    };
    (0..call.arguments.len()).map(parameter).collect()
}

/// The type reached in `to` by an unknown key of type `key`. Steps that lead nowhere may lead to
/// anything.
fn unknown_step(types: &mut TypeStore, to: TypeId, key: TypeId) -> TypeId {
    types.traverse(to, &Key::Unknown(key)).ty
}

/// Returns whether a key is one that can name something.
fn is_known(checker: &Checker<'_>, key: ExprId) -> bool {
    let expr = &checker.exprs[key];
    let is_null = matches!(expr.kind, ExprKind::Literal(Constant::Null));
    !is_null && !matches!(expr.ty, TypeId::DYNAMIC | TypeId::ERROR)
}

/// The type that the value under `key` has to become in an object that becomes a `to`.
fn of_item(checker: &mut Checker<'_>, key: ExprId, to: TypeId) -> TypeId {
    let Some(text) = checker.exprs.key_text(key) else {
        // Which property it names is not known, but every entry of a map is of one type.
        return if has_properties(checker.types, to) {
            TypeId::DYNAMIC
        } else {
            unknown_step(checker.types, to, TypeId::STRING)
        };
    };
    let step = Key::Name(checker.types.symbol(&text));
    let reached = checker.types.traverse(to, &step);
    let range = checker.exprs[key].range;
    checker.report_step(&reached.errors, range, &step, &Owner::unnamed(to));
    reached.ty
}

fn has_properties(types: &TypeStore, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Object(_) | Type::Nominal(_) => true,
        Type::Output(element) | Type::Promise(element) => has_properties(types, *element),
        Type::Union(members) => members.iter().any(|&member| has_properties(types, member)),
        _ => false,
    }
}

/// The types that the elements of a tuple have to become. Nothing is known of one that is too long.
fn of_elements(
    checker: &mut Checker<'_>,
    id: ExprId,
    to: TypeId,
    elements: &[ExprId],
    targets: &mut [Option<TypeId>],
) {
    let mut reached = Vec::with_capacity(elements.len());
    for (at, &element) in elements.iter().enumerate() {
        if matches!(checker.type_of(element), TypeId::DYNAMIC | TypeId::ERROR) {
            continue;
        }
        let step = Key::Constant(Constant::from(at as i64));
        let found = checker.types.traverse(to, &step);
        let is_range =
            |kind: &TraverseErrorKind| matches!(kind, TraverseErrorKind::TupleRange { .. });
        if found.errors.iter().any(|error| is_range(&error.kind)) {
            return;
        }
        reached.push((at, step, found));
    }
    let range = checker.exprs[id].range;
    for (at, step, found) in reached {
        checker.report_step(&found.errors, range, &step, &Owner::unnamed(found.ty));
        if let Some(target) = targets.get_mut(at) {
            *target = Some(found.ty);
        }
    }
}

/// The type that an object written out becomes when a union of objects is needed: the member that
/// the value of a property tells. Any other expression becomes a `to`.
pub(super) fn of_object(checker: &mut Checker<'_>, id: ExprId, to: TypeId) -> TypeId {
    let exprs = &*checker.exprs;
    let ExprKind::Object(items) = &exprs[unconverted(exprs, id)].kind else { return to };
    let mut members = Vec::new();
    objects(checker.types, to, &mut members);
    if members.len() < 2 {
        return to;
    }
    for &(key, value) in items {
        let (Some(name), Some(says)) =
            (exprs.key_text(key), exprs.literal_string(unconverted(exprs, value)))
        else {
            continue;
        };
        let name = checker.types.symbol(&name);
        let mut meant = members.iter().copied().filter(|&member| {
            let property = checker.types.property(member, name);
            property.is_some_and(|ty| is_text(checker.types, ty, &says))
        });
        if let (Some(member), None) = (meant.next(), meant.next()) {
            return member;
        }
    }
    to
}

/// Returns whether `ty` is the type of one text alone, perhaps in an output.
fn is_text(types: &TypeStore, ty: TypeId, text: &str) -> bool {
    match types.get(ty) {
        Type::Const { value, .. } => {
            matches!(value, Constant::String(value) if **value == *text)
        }
        Type::Output(element) => is_text(types, *element, text),
        Type::Union(members) => members.iter().all(|&member| is_text(types, member, text)),
        _ => false,
    }
}

/// The object types that a union of inputs offers. Their output forms are not separate choices.
fn objects(types: &TypeStore, ty: TypeId, found: &mut Vec<TypeId>) {
    match types.get(ty) {
        Type::Object(_) | Type::Nominal(_) if !found.contains(&ty) => found.push(ty),
        Type::Union(members) => members.iter().for_each(|&member| objects(types, member, found)),
        _ => {}
    }
}

/// The one type of a union that an expression becomes when it becomes one of `to`: for generators
/// whose language has no unions.
///
/// The order of the members does not decide. An enum that has the literal's value comes first, then
/// a member that accepts the value unchanged, one that it converts to without loss, and one that it
/// may not convert to; of several, one without anything eventual. `none` is never chosen. A type
/// that is not a union is returned unchanged, and so is one without such a member, or for a value
/// of unknown type: a conversion to any member may be wrong.
pub fn conversion_target(
    types: &mut TypeStore,
    exprs: &ExprArena,
    id: ExprId,
    to: TypeId,
) -> TypeId {
    let Type::Union(_) = types.get(to) else { return to };
    let members = types.members(to);
    let ty = exprs[id].ty;
    let written = match &exprs[id].kind {
        ExprKind::Literal(value) => Some(value.clone()),
        _ => exprs.literal_string(id).map(Constant::String),
    };
    let has_value = |&&member: &&TypeId| match (types.get(member), &written) {
        (Type::Enum(enumeration), Some(value)) => enumeration.values.contains(value),
        _ => false,
    };
    if let Some(&named) = members.iter().find(has_value) {
        return named;
    }
    if types.resolve(ty) == TypeId::DYNAMIC {
        return to;
    }
    // The less there is to do, the better; of equals, the first.
    let rank = |types: &mut TypeStore, member| {
        let effort = match types.convert(member, ty) {
            _ if types.assignable(member, ty) => 0,
            Conversion::Safe => 1,
            Conversion::Unsafe => 2,
            Conversion::No => return None,
        };
        Some((effort, types.contains_eventuals(member)))
    };
    let members = members.iter().filter(|&&member| member != TypeId::NONE);
    let ranked = members.filter_map(|&member| Some((rank(types, member)?, member)));
    ranked.min_by_key(|&(rank, _)| rank).map_or(to, |(_, member)| member)
}
