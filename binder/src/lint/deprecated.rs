//! Resources, inputs and values at any depth, outputs, functions and methods that the schema of
//! their package advises against.
//!
//! The rules, with examples: `tests/spec/lints/deprecated.md`.

use pcl_diagnostics::{Code, Diagnostic, Label, Span};
use pcl_model::expression::{Call, Expr, ExprId, ExprKind, Steps};
use pcl_model::relations::Key;
use pcl_model::types::{NominalKey, Type, TypeId, TypeStore};
use pcl_model::value::Constant;
use pcl_schema::{
    EnumSpec, MemberId, Properties, PropertySpec, Reference, TypeDef, TypeKind, TypeSpec,
    UnionSpec, Wording,
};
use rustc_hash::FxHashMap;

use super::finished::{Finished, Lint, Scope};
use crate::node::{Node, NodeBody, NodeKind};
use crate::packages::PackageIndex;
use crate::schema_types::{Nominal, Shape};
use crate::written_values::key_text;

pub(super) static LINT: Lint = Lint { code: Code::Deprecated, scope: Scope::Nodes, check };

/// Looks at every resource with its attributes, every use of a resource's outputs, and every
/// `invoke` and `call`.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut walk = Walk { bound, diagnostics };
    for node in bound.nodes() {
        let before = walk.diagnostics.len();
        walk.node(node);
        let about_node = walk.diagnostics.split_off(before);
        walk.diagnostics.extend(same_deprecations(about_node));
    }
    for node in bound.nodes() {
        for expr in bound.expressions(node) {
            match &expr.kind {
                ExprKind::Traversal(traversal) => {
                    walk.steps(expr, traversal.root_type, traversal.steps);
                }
                ExprKind::RelativeTraversal { source, steps } => {
                    walk.steps(expr, bound.exprs[*source].ty, *steps);
                }
                ExprKind::Call(call) => walk.call(call),
                _ => {}
            }
        }
    }
}

struct Walk<'b, 'x> {
    bound: &'x Finished<'b>,
    diagnostics: &'x mut Vec<Diagnostic>,
}

impl Walk<'_, '_> {
    /// Looks at a resource and its inputs.
    fn node(&mut self, node: &Node) {
        let NodeBody::Resource(body) = &node.body else { return };
        let Some((package, member)) = body.schema else { return };
        let Ok(Some(spec)) = self.bound.schemas.resource(package, member) else { return };
        let token = node.token.as_deref().unwrap_or_default();
        self.advise(node.name_span(), token, spec.deprecation_message.as_deref());
        let inputs = match node.kind {
            NodeKind::Read => spec.state_inputs.as_ref(),
            _ => Some(&spec.inputs),
        };
        for attribute in &body.inputs {
            if let Some(property) = inputs.and_then(|inputs| inputs.get(&attribute.name)) {
                let span = Span::new(node.file, attribute.name_range);
                self.property(span, property, &attribute.name);
                self.value(package, &property.ty, attribute.value);
            }
        }
    }

    /// Visits a literal value. The depth is that of the text, which the parser
    /// limits.
    fn value(&mut self, package: PackageIndex, spec: &TypeSpec, value: ExprId) {
        let exprs = &self.bound.exprs;
        match (&exprs[value].kind, &spec.kind) {
            (ExprKind::Object(items), TypeKind::Map(spec)) => {
                for &(_, value) in items {
                    self.value(package, spec, value);
                }
            }
            (ExprKind::Tuple(elements), TypeKind::Array(spec)) => {
                for &element in elements {
                    self.value(package, spec, element);
                }
            }
            (_, TypeKind::Reference(reference)) => self.referenced(package, reference, value),
            (_, TypeKind::Union(union)) => self.one_of(package, union, value),
            _ => {}
        }
    }

    fn referenced(&mut self, package: PackageIndex, reference: &Reference, value: ExprId) {
        let exprs = &self.bound.exprs;
        let schemas = &self.bound.schemas;
        let Some((package, member)) = schemas.object_of(package, reference) else { return };
        let Ok(Some(definition)) = schemas.packages().package(package).type_by_id(member) else {
            return;
        };
        match (definition, &exprs[value].kind) {
            (TypeDef::Object(properties), ExprKind::Object(items)) => {
                self.properties(package, properties, items);
            }
            (TypeDef::Enum(spec), _) => {
                if let Some(constant) = self.bound.literal(value) {
                    self.listed_value(spec, constant, value);
                }
            }
            _ => {}
        }
    }

    fn properties(
        &mut self,
        package: PackageIndex,
        properties: &Properties,
        items: &[(ExprId, ExprId)],
    ) {
        let exprs = &self.bound.exprs;
        for &(key, value) in items {
            let name = key_text(exprs, key);
            let Some((name, property)) = name.and_then(|name| {
                let property = properties.get(&name)?;
                Some((name, property))
            }) else {
                continue;
            };
            let span = Span::new(exprs[key].file, exprs[key].range);
            self.property(span, property, &name);
            self.value(package, &property.ty, value);
        }
    }

    /// A literal may be a value of any enumeration among the members. A composite value is looked
    /// into where it can be of one member only, since another one may well advise otherwise.
    fn one_of(&mut self, package: PackageIndex, union: &UnionSpec, value: ExprId) {
        let kind = &self.bound.exprs[value].kind;
        let is_composite = matches!(kind, ExprKind::Object(_) | ExprKind::Tuple(_));
        let has_parts = |spec: &&TypeSpec| !matches!(spec.kind, TypeKind::Primitive(_));
        let members = || union.elements.iter().filter(has_parts);
        if !is_composite || members().take(2).count() == 1 {
            members().for_each(|spec| self.value(package, spec, value));
        }
    }

    fn listed_value(&mut self, spec: &EnumSpec, written: &Constant, value: ExprId) {
        // Large enumerations are used many times, and few have deprecated values.
        if !spec.has_deprecated {
            return;
        }
        let listed = spec.values.iter().find(|listed| is_value(&listed.value, written));
        if let Some(message) = listed.and_then(|listed| listed.deprecation_message.as_ref()) {
            let expr = &self.bound.exprs[value];
            let subject = format!("the value {written} is deprecated");
            let span = Span::new(expr.file, expr.range);
            self.diagnostics.push(deprecated(span, subject, message));
        }
    }

    /// Looks at steps from a value of type `receiver`, however the program came by it.
    fn steps(&mut self, expr: &Expr, mut receiver: TypeId, steps: Steps) {
        let (exprs, types) = (self.bound.exprs, self.bound.types);
        for step in exprs.steps(steps) {
            let symbol = match &step.key {
                Key::Name(name) => Some(*name),
                Key::Constant(Constant::String(name)) => types.find_symbol(name),
                _ => None,
            };
            if let Some(symbol) = symbol
                && let Some((package, member)) =
                    types.origin(plain(types, receiver)).and_then(resource_of)
                && let Ok(Some(spec)) = self.bound.schemas.resource(package, member)
                && let Some(property) = spec.properties.get(types.name(symbol))
            {
                let span = Span::new(expr.file, step.range);
                self.property(span, property, types.name(symbol));
            }
            receiver = step.ty;
        }
    }

    /// A function of a package by its token, or a method of a resource by its name.
    fn call(&mut self, call: &Call) {
        let Some(callee) = call.signature.callee.and_then(Nominal::from_key) else { return };
        let (exprs, schemas) = (self.bound.exprs, self.bound.schemas);
        let Ok(Some(spec)) = schemas.function(callee.package, callee.member) else { return };
        let is_method = callee.shape == Shape::MethodInputs;
        let mut arguments = call.arguments.iter().skip(usize::from(is_method));
        let Some(&named) = arguments.next() else { return };
        if let Some(name) = exprs.literal_string(named) {
            let span = Span::new(exprs[named].file, exprs[named].range);
            self.advise(span, &name, spec.deprecation_message.as_deref());
        }
        if let (Some(properties), Some(&inputs)) = (&spec.inputs, arguments.next())
            && let ExprKind::Object(items) = &exprs[inputs].kind
        {
            self.properties(callee.package, properties, items);
        }
    }

    fn property(&mut self, span: Span, property: &PropertySpec, name: &str) {
        self.advise(span, name, property.deprecation_message.as_deref());
    }

    /// Reports a name that the schema deprecates with a message.
    fn advise(&mut self, span: Span, name: &str, message: Option<&str>) {
        if let Some(message) = message {
            self.diagnostics.push(deprecated(span, format!("`{name}` is deprecated"), message));
        }
    }
}

/// The resource whose outputs a type has, if it is the type of one or of a reference to one.
fn resource_of(key: NominalKey) -> Option<(PackageIndex, MemberId)> {
    let nominal = Nominal::from_key(key)?;
    nominal.shape.of_resource().then_some((nominal.package, nominal.member))
}

/// The type of a value once it is known: without outputs, promises and null.
fn plain(types: &TypeStore, mut ty: TypeId) -> TypeId {
    loop {
        ty = match types.get(ty) {
            Type::Output(inner) | Type::Promise(inner) => *inner,
            Type::Union(members) => {
                let mut values = members.iter().filter(|member| **member != TypeId::NONE);
                match (values.next(), values.next()) {
                    (Some(only), None) => *only,
                    _ => return ty,
                }
            }
            _ => return ty,
        };
    }
}

/// Returns whether a value of an enumeration is the one that is written.
fn is_value(listed: &pcl_schema::Constant, written: &Constant) -> bool {
    match (listed, written) {
        (pcl_schema::Constant::String(listed), Constant::String(written)) => **listed == **written,
        (pcl_schema::Constant::Number(listed), Constant::Number(written)) => {
            *listed == written.to_f64()
        }
        (pcl_schema::Constant::Boolean(listed), Constant::Bool(written)) => listed == written,
        _ => false,
    }
}

/// A part of a schema that it deprecates with a message.
fn deprecated(span: Span, subject: String, message: &str) -> Diagnostic {
    Diagnostic::warning(Code::Deprecated, span, subject).help(
        match Wording::Pcl.of(message).trim() {
            "" => "its description in the schema may say what takes its place".to_owned(),
            message => format!("its package says: {message}"),
        },
    )
}

/// The deprecations of the parts of a resource; those with the same reason are one.
fn same_deprecations(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut merged: Vec<Diagnostic> = Vec::new();
    let mut by_reason: FxHashMap<Option<String>, usize> = FxHashMap::default();
    for diagnostic in diagnostics {
        let next = merged.len();
        let at = *by_reason.entry(diagnostic.help.clone()).or_insert(next);
        match merged.get_mut(at) {
            Some(known) => {
                known.labels.push(Label { span: diagnostic.primary, message: diagnostic.message })
            }
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
