//! Resources, inputs at any depth, outputs and functions that the schema of their package advises against.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Call, Expr, ExprId, ExprKind, Traversal};
use pcl_model::relations::Key;
use pcl_model::scope::DefinitionKind;
use pcl_model::types::Symbol;
use pcl_model::value::Constant;
use pcl_schema::{
    MemberId, Properties, PropertySpec, ResourceSpec, Token, TypeDef, TypeKind, TypeSpec,
};
use rustc_hash::FxHashMap;

use crate::binder::Binder;
use crate::literals::key_text;
use crate::packages::PackageIndex;
use crate::program::{Node, NodeBody, NodeKind};
use crate::schema_types::Lookup;

/// Looks at every resource with its attributes, every use of a resource's outputs, and every `invoke`.
pub(super) fn check(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    let mut walk = Walk {
        binder,
        findings,
        quiet: FxHashMap::default(),
        resources: FxHashMap::default(),
        functions: FxHashMap::default(),
        invoke: binder.session.types.find_symbol("invoke"),
    };
    for node in &binder.nodes {
        walk.node(node);
        for expr in binder.expressions(node) {
            match &expr.kind {
                ExprKind::Traversal(traversal) => walk.traversal(expr, traversal),
                ExprKind::Call(call) if Some(call.name) == walk.invoke => walk.invoke(call),
                _ => {}
            }
        }
    }
}

struct Walk<'b, 'x, 's, 'a, 't> {
    binder: &'b Binder<'s, 'a, 't>,
    findings: &'x mut Vec<Diagnostic>,
    /// Of the inputs of which resources, or of their `read`, there is nothing to say.
    quiet: FxHashMap<(PackageIndex, MemberId, bool), bool>,
    /// The specs of the resources whose outputs are used; `None` where none is deprecated.
    resources: FxHashMap<(PackageIndex, MemberId), Option<Arc<ResourceSpec>>>,
    /// What the schema says of the functions met so far.
    functions: FxHashMap<Arc<str>, Option<Box<str>>>,
    invoke: Option<Symbol>,
}

impl Walk<'_, '_, '_, '_, '_> {
    fn node(&mut self, node: &Node) {
        let NodeBody::Resource(body) = &node.body else {
            return;
        };
        let Some((package, member)) = body.schema else {
            return;
        };
        let schemas = &self.binder.session.schemas;
        let Some(spec) = schemas.resource(package, member).ok().flatten() else {
            return;
        };
        if let Some(message) = &spec.deprecation_message {
            let token = node.token.as_deref().unwrap_or_default();
            let what = format!("`{token}` is deprecated");
            self.report(node.name_span(), what, message);
        }
        let is_read = node.kind == NodeKind::Read;
        let inputs = match is_read {
            true => spec.state_inputs.as_ref(),
            false => Some(&spec.inputs),
        };
        let Some(inputs) = inputs else { return };
        let quiet = self.quiet.entry((package, member, is_read));
        if *quiet.or_insert_with(|| is_quiet(inputs)) {
            return;
        }
        for attribute in &body.inputs {
            let Some(property) = inputs.get(&attribute.name) else {
                continue;
            };
            let span = Span::new(node.file, attribute.name_range);
            self.property(span, property, &attribute.name);
            self.value(package, &property.ty, attribute.value);
        }
    }

    /// Looks into a value that is written out. The depth is that of the text, which the parser limits.
    fn value(&mut self, package: PackageIndex, spec: &TypeSpec, value: ExprId) {
        let exprs = &self.binder.session.exprs;
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
            (ExprKind::Object(items), TypeKind::Reference(reference)) => {
                let schemas = &self.binder.session.schemas;
                let Some((package, member)) = schemas.object_of(package, reference) else {
                    return;
                };
                let Ok(Some(definition)) = schemas.packages().package(package).type_by_id(member)
                else {
                    return;
                };
                let TypeDef::Object(properties) = &*definition else {
                    return;
                };
                for &(key, value) in items {
                    let Some(name) = key_text(exprs, key) else {
                        continue;
                    };
                    let Some(property) = properties.get(&name) else {
                        continue;
                    };
                    let span = Span::new(exprs[key].file, exprs[key].range);
                    self.property(span, property, &name);
                    self.value(package, &property.ty, value);
                }
            }
            _ => {}
        }
    }

    fn traversal(&mut self, expr: &Expr, traversal: &Traversal) {
        let scopes = &self.binder.session.scopes;
        let kind = traversal.definition.map(|id| &scopes.definition(id).kind);
        if !matches!(kind, Some(DefinitionKind::Resource(_))) {
            return;
        }
        let mut receiver = traversal.root_type;
        for step in &traversal.steps {
            let session = &self.binder.session;
            if let Some(member) = session.schemas.resource_of(&session.types, receiver)
                && let Some(spec) = self.resource(member)
            {
                let name = match &step.key {
                    Key::Name(name) => session.types.name(*name),
                    Key::Constant(Constant::String(name)) => name,
                    _ => return,
                };
                let span = Span::new(expr.file, step.range);
                if let Some(property) = spec.properties.get(name) {
                    self.property(span, property, name);
                }
                return;
            }
            receiver = step.ty;
        }
    }

    fn invoke(&mut self, call: &Call) {
        let Some(&token) = call.arguments.first() else {
            return;
        };
        let exprs = &self.binder.session.exprs;
        let Some(written) = exprs.literal_string(token) else {
            return;
        };
        let message = match self.functions.get(&written) {
            Some(known) => known.clone(),
            None => {
                let message = self.function(&written);
                self.functions.insert(written.clone(), message.clone());
                message
            }
        };
        if let Some(message) = message {
            let span = Span::new(exprs[token].file, exprs[token].range);
            self.report(span, format!("`{written}` is deprecated"), &message);
        }
    }

    /// The spec of a resource with a deprecated output.
    fn resource(&mut self, member: (PackageIndex, MemberId)) -> Option<Arc<ResourceSpec>> {
        let schemas = &self.binder.session.schemas;
        let spec = self.resources.entry(member).or_insert_with(|| {
            let spec = schemas.resource(member.0, member.1).ok()??;
            has_deprecated(&spec.properties).then_some(spec)
        });
        spec.clone()
    }

    fn function(&self, written: &str) -> Option<Box<str>> {
        let token = Token::parse(written)?;
        let packages = &self.binder.packages;
        let request = packages.request(token.owner(), None);
        let package = packages.cache().load(&request).ok()?;
        let schemas = &self.binder.session.schemas;
        let Lookup::Found(found) = schemas.lookup_function(package, written) else {
            return None;
        };
        let spec = schemas.function(found.package, found.member).ok()??;
        spec.deprecation_message.clone()
    }

    fn property(&mut self, span: Span, property: &PropertySpec, name: &str) {
        if let Some(message) = &property.deprecation_message {
            self.report(span, format!("`{name}` is deprecated"), message);
        }
    }

    fn report(&mut self, span: Span, what: String, message: &str) {
        let finding = Diagnostic::warning(Code::Deprecated, span, what);
        self.findings.push(match message.trim() {
            "" => finding.help("look in the documentation of its package for what takes its place"),
            message => finding.help(format!("its package says: {message}")),
        });
    }
}

/// Whether none of these is deprecated, or may be made of what is.
fn is_quiet(properties: &Properties) -> bool {
    let mut properties = properties.iter();
    properties.all(|(_, property)| {
        let mut ty = &property.ty;
        while let TypeKind::Map(inner) | TypeKind::Array(inner) = &ty.kind {
            ty = inner;
        }
        property.deprecation_message.is_none() && !matches!(ty.kind, TypeKind::Reference(_))
    })
}

fn has_deprecated(properties: &Properties) -> bool {
    let mut properties = properties.iter();
    properties.any(|(_, property)| property.deprecation_message.is_some())
}
