//! Resources, inputs and values at any depth, outputs, functions and methods that the schema of
//! their package advises against.
//!
//! The rules, with examples: `tests/spec/lints/deprecated.md`.

use std::rc::Rc;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Label, Span};
use pcl_model::expression::{Call, Expr, ExprId, ExprKind, Steps};
use pcl_model::relations::Key;
use pcl_model::types::{NominalKey, Symbol, Type, TypeId, TypeStore};
use pcl_model::value::Constant;
use pcl_schema::{
    EnumSpec, EnumValue, MemberId, Properties, PropertySpec, Reference, ResourceSpec, TypeDef,
    TypeKind, TypeSpec, UnionSpec, Wording,
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
    let mut walk = Walk {
        bound,
        diagnostics,
        resources: FxHashMap::default(),
        outputs: Vec::new(),
        functions: FxHashMap::default(),
        values: FxHashMap::default(),
    };
    for node in bound.nodes() {
        let before = walk.diagnostics.len();
        walk.node(node);
        let about_node = walk.diagnostics.split_off(before);
        walk.diagnostics.extend(same_deprecations(about_node));
    }
    // There are many expressions, so they are only visited if a schema deprecates an output.
    walk.find_outputs();
    if !bound.schemas.has_read_functions() && walk.outputs.is_empty() {
        return;
    }
    for node in bound.nodes() {
        for expr in bound.expressions(node) {
            match &expr.kind {
                ExprKind::Traversal(traversal) => {
                    walk.steps(expr, traversal.root_type, traversal.steps);
                }
                ExprKind::RelativeTraversal { source, steps } => {
                    let source = bound.exprs[*source].ty;
                    walk.steps(expr, source, *steps);
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
    /// The resources of the program; `None` where the schema says nothing that could be read.
    resources: FxHashMap<(PackageIndex, MemberId), Option<Rc<Resource>>>,
    /// The names of deprecated outputs.
    outputs: Vec<Symbol>,
    /// The deprecation messages of the functions and methods met so far.
    functions: FxHashMap<(PackageIndex, MemberId), Option<Box<str>>>,
    /// The enumerations met so far, each with whether it has deprecated values.
    values: FxHashMap<(PackageIndex, MemberId), bool>,
}

/// A resource of a schema.
struct Resource {
    spec: Arc<ResourceSpec>,
    /// The inputs of which there may be something to say; of its `read` those of the `read`.
    inputs: Vec<Symbol>,
    read_inputs: Vec<Symbol>,
    /// The deprecated outputs.
    outputs: Vec<Symbol>,
}

impl Walk<'_, '_> {
    /// Finds the names of the deprecated outputs of all resources that the program has a value of.
    fn find_outputs(&mut self) {
        let keys = self.bound.types.nominal_keys();
        for member in keys.filter_map(resource_of) {
            if let Some(known) = self.resource(member) {
                self.outputs.extend(&known.outputs);
            }
        }
        self.outputs.sort_unstable();
        self.outputs.dedup();
    }

    /// Looks at a resource and its inputs.
    fn node(&mut self, node: &Node) {
        let NodeBody::Resource(body) = &node.body else {
            return;
        };
        let Some(schema) = body.schema else {
            return;
        };
        let Some(known) = self.resource(schema) else {
            return;
        };
        let spec = &known.spec;
        if let Some(message) = &spec.deprecation_message {
            let token = node.token.as_deref().unwrap_or_default();
            self.report(deprecated_name(node.name_span(), token, message));
        }
        let (advised, inputs) = if node.kind == NodeKind::Read {
            (&known.read_inputs, spec.state_inputs.as_ref())
        } else {
            (&known.inputs, Some(&spec.inputs))
        };
        let attributes = body.inputs.iter();
        for attribute in
            attributes.filter(|attribute| advised.binary_search(&attribute.symbol).is_ok())
        {
            let Some(property) = inputs.and_then(|inputs| inputs.get(&attribute.name)) else {
                continue;
            };
            let span = Span::new(node.file, attribute.name_range);
            self.property(span, property, &attribute.name);
            self.value(schema.0, &property.ty, attribute.value);
        }
    }

    /// The deprecated parts of a resource.
    fn resource(&mut self, member: (PackageIndex, MemberId)) -> Option<Rc<Resource>> {
        let (schemas, types) = (&self.bound.schemas, &self.bound.types);
        let known = self.resources.entry(member).or_insert_with(|| {
            let spec = schemas.resource(member.0, member.1).ok()??;
            let state_inputs = spec.state_inputs.as_ref();
            Some(Rc::new(Resource {
                inputs: symbols(types, &spec.inputs, may_advise),
                read_inputs: state_inputs
                    .map(|inputs| symbols(types, inputs, may_advise))
                    .unwrap_or_default(),
                outputs: symbols(types, &spec.properties, |property| {
                    property.deprecation_message.is_some()
                }),
                spec,
            }))
        });
        known.clone()
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
        let Some((package, member)) = schemas.object_of(package, reference) else {
            return;
        };
        let Ok(Some(definition)) = schemas.packages().package(package).type_by_id(member) else {
            return;
        };
        match (definition, &exprs[value].kind) {
            (TypeDef::Object(properties), ExprKind::Object(items)) => {
                self.properties(package, properties, items);
            }
            (TypeDef::Enum(spec), ExprKind::Literal(constant)) => {
                self.listed_value((package, member), spec, constant, value);
            }
            (TypeDef::Enum(spec), ExprKind::Template(_)) => {
                if let Some(text) = exprs.literal_string(value) {
                    self.listed_value((package, member), spec, &Constant::String(text), value);
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

    fn listed_value(
        &mut self,
        member: (PackageIndex, MemberId),
        spec: &EnumSpec,
        written: &Constant,
        value: ExprId,
    ) {
        let mut values = spec.values.iter();
        let is_deprecated = |listed: &EnumValue| listed.deprecation_message.is_some();
        let advises = self.values.entry(member);
        if !*advises.or_insert_with(|| values.clone().any(is_deprecated)) {
            return;
        }
        let listed = values.find(|listed| is_value(&listed.value, written));
        if let Some(message) = listed.and_then(|listed| listed.deprecation_message.as_ref()) {
            let expr = &self.bound.exprs[value];
            let span = Span::new(expr.file, expr.range);
            self.report(deprecated_value(span, written, message));
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
            if let Some(symbol) = symbol.filter(|symbol| self.outputs.contains(symbol))
                && let Some(key) = types.origin(plain(types, receiver))
                && let Some(known) = resource_of(key).and_then(|member| self.resource(member))
                && let Some(property) = known.spec.properties.get(types.name(symbol))
            {
                let span = Span::new(expr.file, step.range);
                self.property(span, property, types.name(symbol));
            }
            receiver = step.ty;
        }
    }

    /// A function of a package by its token, or a method of a resource by its name.
    fn call(&mut self, call: &Call) {
        let Some(callee) = call.signature.callee.and_then(Nominal::from_key) else {
            return;
        };
        let is_method = callee.shape == Shape::MethodInputs;
        let Some(&named) = call.arguments.get(usize::from(is_method)) else {
            return;
        };
        let schemas = &self.bound.schemas;
        let (package, member) = (callee.package, callee.member);
        let message = self.functions.entry((package, member)).or_insert_with(|| {
            let spec = schemas.function(package, member).ok()??;
            spec.deprecation_message.clone()
        });
        let exprs = &self.bound.exprs;
        if let Some(message) = message.clone()
            && let Some(name) = exprs.literal_string(named)
        {
            let span = Span::new(exprs[named].file, exprs[named].range);
            self.report(deprecated_name(span, &name, &message));
        }
        let Ok(Some(spec)) = schemas.function(package, member) else {
            return;
        };
        let inputs = call.arguments.get(1 + usize::from(is_method));
        if let (Some(properties), Some(&inputs)) = (&spec.inputs, inputs)
            && let ExprKind::Object(items) = &exprs[inputs].kind
        {
            self.properties(package, properties, items);
        }
    }

    fn property(&mut self, span: Span, property: &PropertySpec, name: &str) {
        if let Some(message) = &property.deprecation_message {
            self.report(deprecated_name(span, name, message));
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

/// The names of the properties that are wanted, as far as the program has them, sorted.
fn symbols(
    types: &TypeStore,
    properties: &Properties,
    wanted: impl Fn(&PropertySpec) -> bool,
) -> Vec<Symbol> {
    let wanted = properties.iter().filter(|(_, property)| wanted(property));
    let mut symbols: Vec<Symbol> = wanted.filter_map(|(name, _)| types.find_symbol(name)).collect();
    symbols.sort_unstable();
    symbols
}

/// The resource whose outputs a type has, if it is the type of one or of a reference to one.
fn resource_of(key: NominalKey) -> Option<(PackageIndex, MemberId)> {
    let nominal = Nominal::from_key(key)?;
    matches!(nominal.shape, Shape::Resource | Shape::ResourceReference)
        .then_some((nominal.package, nominal.member))
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

/// Returns whether a property is deprecated, or may have deprecated parts.
fn may_advise(property: &PropertySpec) -> bool {
    let mut ty = &property.ty;
    while let TypeKind::Map(inner) | TypeKind::Array(inner) = &ty.kind {
        ty = inner;
    }
    let has_parts = matches!(ty.kind, TypeKind::Reference(_) | TypeKind::Union(_));
    property.deprecation_message.is_some() || has_parts
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

/// A resource, property, function or method that the schema deprecates with a message.
fn deprecated_name(span: Span, name: &str, message: &str) -> Diagnostic {
    deprecated_part(span, format!("`{name}` is deprecated"), message)
}

/// A value of an enumeration that the schema deprecates with a message.
fn deprecated_value(span: Span, value: &Constant, message: &str) -> Diagnostic {
    deprecated_part(span, format!("the value {value} is deprecated"), message)
}

fn deprecated_part(span: Span, subject: String, message: &str) -> Diagnostic {
    Diagnostic::warning(Code::Deprecated, span, subject).help(
        match Wording::Pcl.of(message).trim() {
            "" => "look in the documentation of its package for what takes its place".to_owned(),
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
