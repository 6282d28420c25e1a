//! The forms of objects: the SDK knows properties of schemas by names in snake case, and everything
//! else by the names of the program.
//!
//! Objects that a provider returned are instances of classes. What the SDK makes of them by
//! `pulumi.Output.all` and its like is a dict with the same names ([`Writer::is_flat`]).

use pcl::document::{
    Document, ExpressionIndex, ExpressionKind, NodeIndex, ObjectItem, Reference, Type, TypeIndex,
};
use pcl::language::Function;
use pcl_codegen::is_of_collection;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::helper::Helper;
use crate::module::Writer;
use crate::package::Path;
use crate::print::Id;
use crate::types;

/// The parts of a value up to which it is looked through.
const MAX_PARTS: usize = 64;

/// The form of objects in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The names of the program.
    Plain,
    /// The names of the SDK for what a schema knows.
    Dict,
    /// Instances of classes of the SDK.
    Class,
}

impl Writer<'_> {
    /// The form of the place of each part of a value, and the form of the objects among them.
    pub fn forms_of(
        &self,
        root: ExpressionIndex,
        parts: &[ExpressionIndex],
        outer: Form,
    ) -> FxHashMap<ExpressionIndex, Form> {
        let document = self.document;
        let mut forms = FxHashMap::default();
        forms.insert(root, outer);
        // What contains an expression comes after it.
        for &index in parts.iter().rev() {
            let expression = document.expression(index);
            let form = forms.get(&index).copied().unwrap_or(Form::Dict);
            match &expression.kind {
                ExpressionKind::Object { items } => {
                    for item in items {
                        let ty = self.type_of_item(expression.expected, item);
                        let is_mixed = ty.is_some_and(|ty| is_one_of_several(document, ty));
                        let mixed = form != Form::Plain && is_mixed;
                        forms.insert(item.value, if mixed { Form::Class } else { form });
                    }
                    forms.insert(index, self.object_form(index, form));
                }
                ExpressionKind::Call(call) => {
                    let inner = match call.function() {
                        // The SDK does not translate the names in inputs of functions.
                        Some(Function::Invoke | Function::Call | Function::ToJson) => Form::Plain,
                        Some(Function::Secret | Function::Unsecret | Function::Try) => form,
                        _ => Form::Dict,
                    };
                    expression.kind.for_each_operand(|operand| _ = forms.insert(operand, inner));
                }
                ExpressionKind::Tuple { .. }
                | ExpressionKind::Conditional { .. }
                | ExpressionKind::Convert { .. } => {
                    expression.kind.for_each_operand(|operand| _ = forms.insert(operand, form));
                }
                ExpressionKind::Apply { body: part, .. }
                | ExpressionKind::Splat { each: part, .. } => _ = forms.insert(*part, form),
                ExpressionKind::For(each) => _ = forms.insert(each.value, form),
                _ => {}
            }
        }
        forms
    }

    fn type_of_item(&self, object: Option<TypeIndex>, item: &ObjectItem) -> Option<TypeIndex> {
        let key = self.document.key_text(item.key)?;
        Some(self.document.property(object?, &key)?.ty)
    }

    /// The form of an object.
    fn object_form(&self, index: ExpressionIndex, around: Form) -> Form {
        let document = self.document;
        let expected = document.expression(index).expected;
        let object = expected.and_then(|expected| document.object(expected));
        let Some(schema) = object.and_then(|object| object.schema) else { return Form::Plain };
        let packages = &self.shared.packages;
        match around {
            Form::Plain if packages.has_regular_classes(schema.member) => Form::Class,
            Form::Plain => Form::Plain,
            _ if self.shared.has_classes || packages.has_classes_alone(schema.member) => {
                Form::Class
            }
            form => form,
        }
    }

    /// The declarations whose values have the names of the program and are used where an SDK
    /// declares a type with its own names. The SDK takes both, but type checkers do not know
    /// that.
    pub fn untyped(&self) -> FxHashSet<NodeIndex> {
        let document = self.document;
        let mut found = FxHashSet::default();
        // A large type may be expected in many places.
        let mut known: FxHashMap<TypeIndex, bool> = FxHashMap::default();
        let mut holds =
            |ty| *known.entry(ty).or_insert_with(|| types::holds_objects_of_schemas(document, ty));
        let mut visit = |root| {
            for part in document.walk(root) {
                let expression = document.expression(part);
                if let ExpressionKind::Traversal(traversal) = &expression.kind
                    && let Reference::Node(node) = traversal.reference
                    && traversal.steps.is_empty()
                    && let Some(expected) = expression.expected
                    && holds(expected)
                    && !holds(expression.ty)
                {
                    found.insert(node);
                }
            }
        };
        for node in &self.module.nodes {
            node.for_each_expression(&mut visit);
        }
        found
    }

    /// The class of an object of a schema.
    pub fn class_of(&self, index: ExpressionIndex) -> Option<Path> {
        let expected = self.document.expression(index).expected?;
        let schema = self.document.object(expected)?.schema?;
        Some(self.shared.packages.arguments(schema.member))
    }

    /// The form of the objects in an input of a type.
    pub fn input_form(&self, ty: Option<TypeIndex>) -> Form {
        let document = self.document;
        match ty {
            Some(ty) if is_one_of_several(document, ty) => Form::Class,
            Some(ty) if types::holds_objects_of_schemas(document, ty) => Form::Dict,
            _ => Form::Plain,
        }
    }

    /// A part of a value with the names of the program where its place takes no others.
    pub fn in_form(&mut self, index: ExpressionIndex, id: Id) -> Id {
        let document = self.document;
        let expression = document.expression(index);
        let is_leaf = match &expression.kind {
            ExpressionKind::Traversal(_)
            | ExpressionKind::RelativeTraversal { .. }
            | ExpressionKind::Index { .. } => true,
            ExpressionKind::Call(call) => !matches!(
                call.function(),
                Some(Function::Secret | Function::Unsecret | Function::Try)
            ),
            _ => false,
        };
        let ty = expression.ty;
        if !is_leaf
            || self.forms.get(&index) != Some(&Form::Plain)
            || !types::holds_objects_of_schemas(document, ty)
        {
            return id;
        }
        self.need(Helper::Plain);
        let plain = self.tree.name(Helper::Plain.name());
        if types::is_late(document, self.code_type(index)) {
            let output = self.as_output(id, self.is_sure(index));
            return self.tree.method(output, "apply", [plain]);
        }
        if types::holds_eventuals(document, ty) {
            return id;
        }
        self.tree.call(Helper::Plain.name(), [id])
    }

    /// The variables in a value whose objects may be dicts.
    pub fn flat_variables(&mut self, parts: &[ExpressionIndex]) {
        let document = self.document;
        self.flat = FxHashSet::default();
        // What contains an expression comes after it.
        for &index in parts.iter().rev() {
            match &document.expression(index).kind {
                ExpressionKind::Apply { arguments, .. } => {
                    let is_one = arguments.len() == 1;
                    for argument in arguments {
                        let is_kept =
                            is_one && self.is_sure(argument.value) && !self.is_flat(argument.value);
                        if !is_kept {
                            self.flat.insert(argument.parameter);
                        }
                    }
                }
                ExpressionKind::For(each) if self.is_flat(each.collection) => {
                    self.flat.extend(each.key_variable.iter().chain(&each.value_variable));
                }
                ExpressionKind::Splat { source, item, .. } if self.is_flat(*source) => {
                    self.flat.insert(*item);
                }
                _ => {}
            }
        }
    }

    /// Returns true if objects of schemas in a value may be dicts, instead of instances of classes.
    pub fn is_flat(&self, value: ExpressionIndex) -> bool {
        let mut open = vec![value];
        let mut known = FxHashSet::default();
        while let Some(index) = open.pop() {
            if !known.insert(index) {
                continue;
            }
            // Locals may refer to locals, and so on. What reads a dict reads an instance as well.
            if known.len() > MAX_PARTS {
                return true;
            }
            match &self.document.expression(index).kind {
                ExpressionKind::Traversal(traversal) => match traversal.reference {
                    Reference::Variable(variable) if self.flat.contains(&variable) => return true,
                    Reference::Node(_) if self.is_component_declaration(traversal) => return true,
                    _ => open.extend(self.local_value(traversal)),
                },
                ExpressionKind::RelativeTraversal { source: part, .. }
                | ExpressionKind::Index { collection: part, .. }
                | ExpressionKind::Convert { value: part }
                | ExpressionKind::Splat { each: part, .. } => open.push(*part),
                ExpressionKind::For(each) => open.push(each.value),
                ExpressionKind::Apply { arguments, .. } if arguments.len() > 1 => return true,
                ExpressionKind::Apply { body, .. } => open.push(*body),
                ExpressionKind::Conditional { if_true, if_false, .. } => {
                    open.extend([*if_true, *if_false]);
                }
                ExpressionKind::Call(call) if is_of_collection(call) => {
                    open.extend(call.arguments.first());
                }
                ExpressionKind::Call(call) if gives_dicts(call.function()) => return true,
                ExpressionKind::Tuple { .. } | ExpressionKind::Object { .. } => return true,
                _ => {}
            }
        }
        false
    }
}

/// Returns true for the functions whose results the SDK makes anew, with dicts for objects.
fn gives_dicts(function: Option<Function>) -> bool {
    use Function as F;
    matches!(function, Some(F::Secret | F::Unsecret | F::Try | F::Recover))
}

/// Returns true if a type allows objects of several types: the SDK does not know which of them a
/// dict is.
fn is_one_of_several(document: &Document, ty: TypeIndex) -> bool {
    let mut open = vec![ty];
    let mut known = FxHashSet::default();
    let mut objects = FxHashSet::default();
    let mut others = 0;
    while let Some(ty) = open.pop() {
        if !known.insert(ty) {
            continue;
        }
        match document.ty(ty) {
            Type::Union(_) => open.extend(document.members(ty).iter()),
            Type::Output { element }
            | Type::Promise { element }
            | Type::List { element }
            | Type::Set { element } => open.push(*element),
            Type::Object(object) => objects.extend(object.schema.as_ref().map(|it| it.member)),
            Type::Map { .. } | Type::Dynamic => others += 1,
            _ => {}
        }
    }
    !objects.is_empty() && objects.len() + others > 1
}
