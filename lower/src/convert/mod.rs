//! Conversions: every conversion to another type becomes explicit. See
//! `tests/spec/lowering/convert.md`.
//!
//! The pass propagates a *target* downwards: the type that a value has to become. Literals become
//! literals of that type; any other value that has to change is wrapped in a conversion. Operands
//! whose type is unconstrained have no target.

mod target;

use std::sync::Arc;

use pcl_model::TypeId;
use pcl_model::expression::{Checker, Expr, ExprId, ExprKind};
use pcl_model::types::{NominalKey, Type, TypeStore};
use pcl_model::value::{Constant, Number};
use rustc_hash::FxHashMap;

pub use self::target::conversion_target;
use crate::walk;

/// `root` as a value of type `to`, with a conversion wherever a value in it becomes one of another
/// type. Steps into `to` that lead nowhere are reported.
pub fn conversions(checker: &mut Checker<'_>, root: ExprId, to: TypeId) -> ExprId {
    let mut converter = Converter {
        checker,
        tasks: vec![ConvertTask::Enter(root, Some(to))],
        results: Vec::new(),
        annotations: FxHashMap::default(),
    };
    while let Some(task) = converter.tasks.pop() {
        match task {
            ConvertTask::Enter(id, to) => converter.enter(id, to),
            ConvertTask::Leave(id, to) => converter.leave(id, to),
        }
    }
    converter.results.pop().unwrap_or(root)
}

/// An expression with its target. Without one it stays what it is.
enum ConvertTask {
    Enter(ExprId, Option<TypeId>),
    Leave(ExprId, Option<TypeId>),
}

struct Converter<'c, 'a> {
    checker: &'c mut Checker<'a>,
    tasks: Vec<ConvertTask>,
    results: Vec<ExprId>,
    /// The annotations of the types seen so far.
    annotations: FxHashMap<TypeId, Option<Annotation>>,
}

impl Converter<'_, '_> {
    fn ty(&self, id: ExprId) -> TypeId {
        self.checker.type_of(id)
    }

    fn enter(&mut self, id: ExprId, to: Option<TypeId>) {
        let to = to.map(|to| target::of_object(self.checker, id, to));
        self.tasks.push(ConvertTask::Leave(id, to));
        let kind = &self.checker.exprs[id].kind;
        if matches!(kind, ExprKind::Literal(_) | ExprKind::Traversal(_)) {
            return;
        }
        let start = self.tasks.len();
        let mut operands = Vec::new();
        kind.for_each_operand(|operand| operands.push(operand));
        let targets = target::of_operands(self.checker, id, to, &operands);
        let operands = operands.into_iter().zip(targets);
        self.tasks.extend(operands.map(|(operand, to)| ConvertTask::Enter(operand, to)));
        walk::reverse_from(&mut self.tasks, start);
    }

    fn leave(&mut self, id: ExprId, to: Option<TypeId>) {
        let id = self.rebuild(id);
        let converted = to.map_or(id, |to| self.convert(id, to));
        self.results.push(converted);
    }

    /// `id` with its operands as they are now.
    fn rebuild(&mut self, id: ExprId) -> ExprId {
        let start = walk::operands_start(self.checker.exprs, id, &self.results);
        let kind = &self.checker.exprs[id].kind;
        // An expression that was converted before is converted again, to the same type.
        if let (ExprKind::Convert(_), [converted]) = (kind, walk::from(&self.results, start)) {
            let converted = *converted;
            self.results.truncate(start);
            return converted;
        }
        // A call gives what it gives, whichever way its arguments become what it takes.
        let is_call = matches!(kind, ExprKind::Call(_));
        if matches!(kind, ExprKind::Unary { .. } | ExprKind::Binary { .. }) {
            self.keep_ints(id, start);
        }
        let rebuilt = walk::with_results(self.checker.exprs, id, &mut self.results);
        if rebuilt.types_changed && !is_call {
            self.checker.retype(rebuilt.id);
        }
        rebuilt.id
    }

    /// Every int is a number: when all that happens to the operands of an operator is that ints
    /// become numbers, nothing has to be said.
    fn keep_ints(&mut self, id: ExprId, start: usize) {
        let Checker { exprs, types, .. } = &mut *self.checker;
        let mut now = walk::from(&self.results, start).iter();
        let mut all = true;
        exprs[id].kind.for_each_operand(|before| {
            all &= now.next().is_some_and(|&now| match exprs[now].kind {
                ExprKind::Convert(value) if now != before && exprs[now].ty == TypeId::NUMBER => {
                    types.is_of_kinds(exprs[value].ty, &[TypeId::INT])
                }
                _ => false,
            });
        });
        if !all {
            return;
        }
        for operand in self.results.iter_mut().skip(start) {
            if let ExprKind::Convert(value) = self.checker.exprs[*operand].kind {
                *operand = value;
            }
        }
    }

    /// `id` as a value of type `to`.
    fn convert(&mut self, id: ExprId, to: TypeId) -> ExprId {
        let mut ty = self.ty(id);
        if ty == to || ty == TypeId::ERROR {
            return id;
        }
        let mut id = id;
        if !self.checker.types.assignable(to, ty)
            && !self.checker.types.assignable(to, TypeId::DYNAMIC)
            && let Some(literal) = rewritten(self.checker, id, to)
        {
            id = literal;
            ty = self.ty(id);
        }
        if self.checker.types.assignable(to, ty) && self.annotation(to) == self.annotation(ty) {
            return id;
        }
        let Expr { file, range, node, .. } = self.checker.exprs[id];
        self.checker.exprs.push(Expr { kind: ExprKind::Convert(id), ty: to, file, range, node })
    }

    fn annotation(&mut self, ty: TypeId) -> Option<Annotation> {
        // Most values are of types that have none, and these need no entry.
        if matches!(
            self.checker.types.get(ty),
            Type::Bool | Type::Int | Type::Number | Type::String
        ) {
            return None;
        }
        if let Some(known) = self.annotations.get(&ty) {
            return known.clone();
        }
        let annotation = annotation_of(self.checker.types, ty);
        self.annotations.insert(ty, annotation.clone());
        annotation
    }
}

/// The literal of the target type `to` that is equivalent to the literal `id`. `None` if `id` is
/// not a literal, or has no equivalent in `to`.
fn rewritten(checker: &mut Checker<'_>, id: ExprId, to: TypeId) -> Option<ExprId> {
    let text = checker.exprs.literal_string(id);
    let types = &mut *checker.types;
    let mut accepts = |ty: TypeId| types.assignable(to, ty);
    if let Some(text) = text {
        if accepts(TypeId::BOOL) {
            let value = match &*text {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            };
            if let Some(value) = value {
                return Some(constant(checker, id, Constant::Bool(value)));
            }
        }
        if accepts(TypeId::INT) || accepts(TypeId::NUMBER) {
            let number = Number::parse(&text)?;
            return Some(constant(checker, id, Constant::Number(number)));
        }
        return None;
    }
    let is_number = matches!(checker.exprs[id].kind, ExprKind::Literal(Constant::Number(_)));
    if is_number && accepts(TypeId::NUMBER) {
        return None;
    }
    let text: Arc<str> = match &checker.exprs[id].kind {
        ExprKind::Literal(value @ (Constant::Bool(_) | Constant::Number(_))) => {
            value.as_text()?.into()
        }
        _ => return None,
    };
    if !accepts(TypeId::STRING) {
        return None;
    }
    Some(walk::text(checker, id, text))
}

fn constant(checker: &mut Checker<'_>, before: ExprId, value: Constant) -> ExprId {
    walk::in_place_of(checker, before, ExprKind::Literal(value))
}

/// The schema's side of a type. A value of a type that no schema names is converted to one that a
/// schema does name, although it has the same properties: that is how a generator learns which type
/// to write.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Annotation {
    Object(NominalKey),
    Enum(TypeId),
    List(Box<Annotation>),
    /// Several, each once and in order.
    OneOf(Vec<Annotation>),
}

/// The annotation of a type; eventual values have that of what they hold. Types nest to a limited
/// depth.
fn annotation_of(types: &TypeStore, ty: TypeId) -> Option<Annotation> {
    match types.get(ty) {
        Type::Nominal(_) => types.origin(ty).map(Annotation::Object),
        Type::Enum(_) => Some(Annotation::Enum(ty)),
        Type::List(element) => Some(Annotation::List(Box::new(annotation_of(types, *element)?))),
        Type::Output(element) | Type::Promise(element) => annotation_of(types, *element),
        Type::Union(members) => {
            let members = members.iter().filter_map(|&member| annotation_of(types, member));
            let mut all: Vec<Annotation> = Vec::new();
            for member in members {
                match member {
                    Annotation::OneOf(several) => all.extend(several),
                    one => all.push(one),
                }
            }
            all.sort_unstable();
            all.dedup();
            match all.len() {
                0 => None,
                1 => all.pop(),
                _ => Some(Annotation::OneOf(all)),
            }
        }
        _ => None,
    }
}
