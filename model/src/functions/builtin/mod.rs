//! The signatures of the functions of the language. Their table is
//! [`Function`](pcl_language::Function); a function whose signature depends on the arguments has
//! its rule here.
//!
//! The rules, with examples: `tests/spec/functions/`.

mod attempts;
mod collections;
mod labels;
mod program;

use pcl_language::{CallForm, CallRule, FunctionRow, StaticType};

use super::function::{CallContext, Callable, Parameter, Signature};
use crate::relations::Conversion;
use crate::types::{TypeId, TypeStore};

impl Callable for FunctionRow {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        call.example = Some(self.example);
        let rule = match &self.form {
            CallForm::Fixed(parameters, returns) => {
                let types = call.types();
                let parameters = parameters
                    .iter()
                    .map(|(name, ty)| Parameter::new(*name, types.static_type(ty)))
                    .collect();
                let returns = types.static_type(returns);
                return Signature::new(parameters, returns);
            }
            CallForm::Varies { rule, .. } => rule,
        };
        match rule {
            CallRule::Can => attempts::can(call),
            CallRule::Recover => attempts::recover(call),
            CallRule::Try => attempts::try_each(call),
            CallRule::Element => collections::element(call),
            CallRule::Entries => collections::entries(call),
            CallRule::Length => collections::length(call),
            CallRule::Lookup => collections::lookup(call),
            CallRule::SingleOrNone => collections::single_or_none(call),
            CallRule::ToJson => to_json(call),
            CallRule::Extreme => extreme(call),
            CallRule::Range => range(call),
            CallRule::SameAsOutput => same_as_output(call),
            CallRule::OfResource => program::of_resource(call),
            // The binder knows the packages.
            CallRule::Package => Signature::unknown(),
            CallRule::List => labels::wrap(call, TypeStore::list),
            CallRule::Map => labels::wrap(call, TypeStore::map),
            CallRule::Object => labels::object(call),
            CallRule::Optional => labels::wrap(call, TypeStore::optional),
            CallRule::Set => labels::wrap(call, TypeStore::set),
            CallRule::Tuple => labels::tuple(call),
        }
    }
}

impl TypeStore {
    /// The type that a row of a table says.
    pub fn static_type(&mut self, ty: &StaticType) -> TypeId {
        match ty {
            StaticType::Archive => TypeId::ARCHIVE,
            StaticType::Asset => TypeId::ASSET,
            StaticType::Bool => TypeId::BOOL,
            StaticType::Dynamic => TypeId::DYNAMIC,
            StaticType::Int => TypeId::INT,
            StaticType::Number => TypeId::NUMBER,
            StaticType::String => TypeId::STRING,
            StaticType::List(element) => {
                let element = self.static_type(element);
                self.list(element)
            }
            StaticType::Map(element) => {
                let element = self.static_type(element);
                self.map(element)
            }
            StaticType::Output(element) => {
                let element = self.static_type(element);
                self.output(element)
            }
            StaticType::Optional(inner) => {
                let inner = self.static_type(inner);
                self.optional(inner)
            }
            StaticType::Object(properties) => {
                let properties: Vec<_> = properties
                    .iter()
                    .map(|(name, ty)| (self.symbol(name), self.static_type(ty)))
                    .collect();
                self.object(properties)
            }
            StaticType::OneOf(members) => {
                let members: Vec<TypeId> = members.iter().map(|it| self.static_type(it)).collect();
                self.union(members)
            }
        }
    }
}

/// The form of a call: `lookup(map: map(T), key: string, default?: T) -> T`. A letter is a type
/// that depends on the arguments.
pub fn usage(function: &FunctionRow) -> String {
    let (parameters, returns) = match &function.form {
        CallForm::Fixed(parameters, returns) => (parameters, returns),
        CallForm::Varies { usage, .. } => return (*usage).to_owned(),
    };
    let parameters: Vec<String> = parameters
        .iter()
        .map(|(name, ty)| match ty {
            StaticType::Optional(inner) => format!("{name}?: {}", pretty(inner)),
            _ => format!("{name}: {}", pretty(ty)),
        })
        .collect();
    let (name, parameters) = (function.name, parameters.join(", "));
    format!("{name}({parameters}) -> {}", pretty(returns))
}

/// The type of a call in words.
pub fn returns(function: &FunctionRow) -> String {
    match &function.form {
        CallForm::Fixed([], returns) | CallForm::Fixed(_, returns @ StaticType::Output(_)) => {
            pretty(returns)
        }
        CallForm::Fixed(_, returns) => {
            let returns = pretty(returns);
            format!("{returns}, in an output or promise if an argument is one")
        }
        CallForm::Varies { returns, .. } => (*returns).to_owned(),
    }
}

/// The text of a type that a row of a table says.
pub fn pretty(ty: &StaticType) -> String {
    let mut types = TypeStore::new();
    let ty = types.static_type(ty);
    types.text(ty)
}

fn to_json(call: &mut CallContext<'_, '_>) -> Signature {
    let value = call.argument_type(0);
    if let Some(argument) = call.argument(0) {
        call.checker.warn_of_resource_as_json(argument.expr);
    }
    let returns = output_if_eventual(call.types(), TypeId::STRING, &[value]);
    Signature::new(vec![Parameter::new("value", TypeId::DYNAMIC)], returns)
}

fn extreme(call: &mut CallContext<'_, '_>) -> Signature {
    let ty = int_or_number(call);
    Signature {
        variadic: Some(Parameter::new("rest", ty)),
        ..Signature::new(vec![Parameter::new("first", ty)], ty)
    }
}

/// A fraction to begin with makes fractions, which have the type of Pulumi's function nevertheless.
fn range(call: &mut CallContext<'_, '_>) -> Signature {
    let ty = int_or_number(call);
    let types = call.types();
    let (to, result) = (types.optional(ty), types.list(TypeId::INT));
    Signature::new(vec![Parameter::new("fromOrTo", ty), Parameter::new("to", to)], result)
}

/// Whole numbers, unless an argument is something else that may be a number.
fn int_or_number(call: &mut CallContext<'_, '_>) -> TypeId {
    let mut ty = TypeId::INT;
    for argument in &call.site.arguments {
        let types = &mut *call.checker.types;
        let resolved = types.resolve(argument.ty);
        let is_number = types.convert(TypeId::NUMBER, resolved).exists();
        if is_number && types.convert(TypeId::INT, resolved) != Conversion::Safe {
            ty = TypeId::NUMBER;
        }
    }
    ty
}

fn same_as_output(call: &mut CallContext<'_, '_>) -> Signature {
    let value = match call.argument_count() {
        1 => call.argument_type(0),
        _ => TypeId::DYNAMIC,
    };
    let returns = call.types().output(value);
    Signature::new(vec![Parameter::new("value", value)], returns)
}

/// `ty`, as an output when one of `arguments` holds anything eventual.
fn output_if_eventual(types: &mut TypeStore, ty: TypeId, arguments: &[TypeId]) -> TypeId {
    if arguments.iter().any(|&argument| types.contains_eventuals(argument)) {
        types.output(ty)
    } else {
        ty
    }
}

#[cfg(test)]
mod tests {
    use pcl_language::functions;
    use pcl_syntax::ast::{AstNode, Expr};

    #[test]
    fn every_example_calls_its_function() {
        for row in functions() {
            let tree = pcl_syntax::parse_expression(row.example);
            assert!(tree.errors().is_empty(), "{}", row.example);
            let mut nodes = tree.root().descendants();
            let calls = nodes.any(|node| {
                matches!(Expr::cast(node), Some(Expr::Call(call)) if call.name() == row.name)
            });
            assert!(calls, "{}", row.example);
        }
    }
}
