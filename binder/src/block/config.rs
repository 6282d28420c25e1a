//! `config name "type" { default = .. }`
//!
//! The rules, with examples: `tests/spec/blocks/config.md`.

use std::fmt::Display;

use pcl_diagnostics::{Code, Diagnostic};
use pcl_language::CONFIG;
use pcl_model::expression::{ExprKind, in_words};
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_model::value::Constant;

use super::attributes::Given;
use crate::binder::Binder;
use crate::node::{ConfigBody, NodeBody, NodeId};
use crate::written_values::Slot;

impl Binder<'_, '_, '_> {
    /// Binds a config variable: its type is the declared one (dynamic without a label), optional
    /// when the default is `null`, an output when it is secret.
    pub fn bind_config(&mut self, node: NodeId) {
        let mut ty = match self.second_label(node) {
            Some(label) => {
                let declared = self.type_label(node, label);
                self.with_optional_properties(declared)
            }
            None => TypeId::DYNAMIC,
        };
        if let Some(meant) = self.type_attribute(node) {
            ty = self.with_optional_properties(meant);
        }
        let mut config = ConfigBody::default();
        for item in self.body_items(node) {
            let Some((rule, attribute)) = self.known_attribute(node, item, &CONFIG, None) else {
                continue;
            };
            match (rule.name, self.read_attribute(node, rule, attribute, self.root)) {
                ("default", Given::Value(value)) => config.default = value,
                ("description", Given::Text(text)) => config.description = text,
                ("nullable", Given::Switch(is)) => config.nullable = is.unwrap_or_default(),
                ("secret", Given::Switch(is)) => config.secret = is.unwrap_or_default(),
                (_, Given::Text(text)) => self.set_logical_name(node, text),
                _ => {}
            }
        }
        if let Some(default) = config.default {
            let is_null =
                matches!(self.session.exprs[default].kind, ExprKind::Literal(Constant::Null));
            if is_null {
                config.nullable = true;
                if !self.session.types.is_optional(ty) {
                    ty = self.session.types.optional(ty);
                }
            }
            let name = self.nodes[node].name.clone();
            let role = format_args!("the default of `{name}`");
            let diagnostics = match self.mismatch(default, ty, &role) {
                Some(diagnostic) => {
                    let label = self.second_label(node);
                    vec![self.with_declared_type(node, diagnostic, label)]
                }
                None => self.written(default, &Slot::new(ty, &role)),
            };
            for diagnostic in diagnostics {
                let diagnostic = if config.secret {
                    without_value(&mut self.session.types, diagnostic, ty, &role)
                } else {
                    diagnostic
                };
                self.report(diagnostic);
            }
        }
        if config.secret {
            ty = self.session.types.output(ty);
        }
        self.nodes[node].body = NodeBody::Config(Box::new(config));
        self.set_type(node, ty);
    }

    /// Properties of a configured object are optional: those of the object itself, and of objects
    /// directly in a list or map.
    fn with_optional_properties(&mut self, ty: TypeId) -> TypeId {
        let types = &mut self.session.types;
        match *types.get(ty) {
            Type::Object(_) => {}
            Type::List(element) if matches!(types.get(element), Type::Object(_)) => {
                let element = self.with_optional_properties(element);
                return self.session.types.list(element);
            }
            Type::Map(element) if matches!(types.get(element), Type::Object(_)) => {
                let element = self.with_optional_properties(element);
                return self.session.types.map(element);
            }
            _ => return ty,
        }
        let properties = types.properties(ty).unwrap_or_default();
        let optional: Vec<_> =
            properties.iter().map(|&(name, property)| (name, types.optional(property))).collect();
        types.object(optional)
    }
}

/// The diagnostic about the default of a secret variable of type `ty`, without the value: messages
/// are logged and copied.
fn without_value(
    types: &mut TypeStore,
    diagnostic: Diagnostic,
    ty: TypeId,
    role: &dyn Display,
) -> Diagnostic {
    if !matches!(diagnostic.code, Code::TypeNotAssignable | Code::ValueNotListed) {
        return diagnostic;
    }
    let message = format!("{role} must be {}, found another value", in_words(types, ty));
    let Diagnostic { code, severity, origin, primary, labels, .. } = diagnostic;
    let help = "write a default of this type";
    let diagnostic = Diagnostic::error(code, primary, message).help(help);
    Diagnostic { severity, origin, labels, ..diagnostic }
}
