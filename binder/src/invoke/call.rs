//! `call(resource, "method", { .. })`: a function of a package that works on one resource.
//!
//! The rules, with examples: `tests/spec/invoke/call.md`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Matter, Span, TextEdit, enumerate};
use pcl_model::expression::{ExprKind, in_words, optional, short_token};
use pcl_model::functions::{CallContext, Callable, Parameter, Signature};
use pcl_model::types::{TypeId, TypeStore};
use pcl_schema::{FunctionSpec, MemberId, ResourceSpec};
use pcl_syntax::quoted;

use super::{Schema, check_written};
use crate::member::DAMAGED;
use crate::packages::PackageIndex;
use crate::schema_types::{Nominal, Shape};

/// `call`.
pub(super) struct CallMethod(pub(super) Schema);

/// A method that was found.
struct Method {
    package: PackageIndex,
    member: MemberId,
    function: Arc<FunctionSpec>,
}

impl Callable for CallMethod {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        match self.resolve(call) {
            Ok(method) => self.method_signature(call, &method),
            Err(returns) => Signature { returns, ..Signature::unknown() },
        }
    }
}

impl CallMethod {
    /// The method that is called, or the type of a call of one that cannot be told.
    fn resolve(&self, call: &mut CallContext<'_, '_>) -> Result<Method, TypeId> {
        let Self(schema) = self;
        if call.argument_count() < 3 {
            let range = call.argument_range(0);
            let span = call.span(range);
            call.report(malformed_call(span));
            return Err(TypeId::ERROR);
        }
        let receiver = call.argument_type(0);
        let (package, resource) = self.receiver(call, receiver)?;
        let schemas = &schema.schemas;
        let Some(name) = call.literal_string(1) else {
            let range = call.argument_range(1);
            let is_error = call.argument(1).is_some_and(|argument| {
                matches!(call.exprs()[argument.expr].kind, ExprKind::Error)
            });
            if !is_error {
                let known = schemas.method_names(package, resource);
                let span = call.span(range);
                call.report(name_not_literal(span, &known));
            }
            return Err(TypeId::ERROR);
        };
        let Ok(Some(spec)) = schemas.resource(package, resource) else { return Err(TypeId::ERROR) };
        let Some(method) = spec.methods.iter().find(|method| *method.name == *name) else {
            self.report_unknown_method(call, &spec, &self.token(package, resource), &name);
            return Err(TypeId::ERROR);
        };
        let function = method
            .function
            .and_then(|member| Some((member, schemas.function(package, member).ok()??)));
        let has_self = |function: &FunctionSpec| {
            let inputs = function.inputs.as_ref();
            inputs.is_some_and(|inputs| inputs.contains_key("__self__"))
        };
        match function {
            Some((member, function)) if has_self(&function) => {
                Ok(Method { package, member, function })
            }
            _ => {
                let span = call.span(call.argument_range(1));
                let resource = self.token(package, resource);
                let function = &method.token;
                call.report(damaged_method(span, &name, &resource, function));
                Err(TypeId::ERROR)
            }
        }
    }

    /// The resource that the first argument is.
    fn receiver(
        &self,
        call: &mut CallContext<'_, '_>,
        ty: TypeId,
    ) -> Result<(PackageIndex, MemberId), TypeId> {
        let Self(schema) = self;
        if let Some(resource) = schema.schemas.resource_of(call.types(), ty) {
            return Ok(resource);
        }
        // Such a resource may be one of which nothing is known.
        let tolerant = call.policy().excuses(Matter::ResourcePackage);
        if ty == TypeId::ERROR || (ty == TypeId::DYNAMIC && tolerant) {
            return Err(ty);
        }
        let span = call.span(call.argument_range(0));
        let found = self.many(call.types(), ty).unwrap_or(Receiver::Other);
        let words = in_words(call.types(), ty);
        call.report(not_a_resource(span, &found, words));
        Err(TypeId::ERROR)
    }

    /// The reason why a type that is made of resources is not the type of one resource.
    fn many(&self, types: &mut TypeStore, ty: TypeId) -> Option<Receiver> {
        let collection = types.collection(ty);
        let is_resource = |types: &TypeStore, ty| self.0.schemas.resource_of(types, ty).is_some();
        if collection.unsupported.is_none() && is_resource(types, collection.value) {
            return Some(Receiver::Several);
        }
        let stripped = types.strip(ty);
        is_resource(types, stripped).then_some(Receiver::Optional)
    }

    fn token(&self, package: PackageIndex, resource: MemberId) -> String {
        let package = self.0.packages.cache().package(package);
        let token = package.token(resource);
        package.canonical(token).unwrap_or_else(|| token.to_owned())
    }

    fn report_unknown_method(
        &self,
        call: &mut CallContext<'_, '_>,
        resource: &ResourceSpec,
        token: &str,
        name: &str,
    ) {
        let span = call.span(call.argument_range(1));
        let known = resource.methods.iter().map(|method| &*method.name);
        let meant = call.checker.scopes.comparisons().suggest(name, known.clone());
        let diagnostic = unknown_method(span, token, name, known, meant);
        call.report(diagnostic);
    }

    fn method_signature(&self, call: &mut CallContext<'_, '_>, method: &Method) -> Signature {
        let Self(schema) = self;
        let Method { package, member, function } = method;
        let receiver = call.argument_type(0);
        let types = call.types();
        let callee = Nominal { package: *package, member: *member, shape: Shape::MethodInputs };
        let takes_arguments = function.inputs.as_ref().is_some_and(|inputs| inputs.len() > 1);
        let arguments = if takes_arguments {
            schema.schemas.object(types, *package, *member, Shape::MethodInputs)
        } else {
            let nothing = types.object([]);
            types.optional(nothing)
        };
        let result = match &function.returns {
            None => TypeId::NONE,
            Some(_) => schema.schemas.function_result(types, *package, *member, function),
        };
        let returns = if function.returns_plain { result } else { types.output(result) };
        let name = call.literal_string(1).unwrap_or_default();
        let role = format!("the arguments of `{name}`");
        check_written(call, 2, arguments, &role);
        let parameters = vec![
            Parameter::new("self", receiver),
            Parameter::new("method", TypeId::STRING),
            Parameter::new("args", arguments).described(role),
        ];
        Signature {
            decided_by: Some(call.argument_range(1)),
            callee: Some(callee.key()),
            ..Signature::new(parameters, returns)
        }
    }
}

/// A value in place of the one resource that a method is called on.
enum Receiver {
    /// Any number of resources.
    Several,
    /// One resource or none.
    Optional,
    /// A value of another type.
    Other,
}

/// A call with fewer than three arguments.
fn malformed_call(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::MalformedCall,
        span,
        "`call` takes a resource, the name of a method, and an object of arguments",
    )
    .help("write `call(resource, \"method\", { .. })`")
}

/// A name of a method that is computed. `known` are the methods of the resource.
fn name_not_literal(span: Span, known: &[String]) -> Diagnostic {
    Diagnostic::error(
        Code::MalformedCall,
        span,
        "the name of a method must be a quoted string without interpolations",
    )
    .help(if known.is_empty() {
        "the resource has no methods at all".to_owned()
    } else {
        format!("its methods are {}", enumerate(known.iter().map(String::as_str)))
    })
}

/// A method whose function in the schema does not take the resource.
fn damaged_method(span: Span, method: &str, resource: &str, function: &str) -> Diagnostic {
    let resource = short_token(resource);
    let message = format!(
        "method `{method}` of `{resource}` is damaged: the function `{function}` does not take a resource as `__self__`"
    );
    Diagnostic::error(Code::InvalidSchemaMember, span, message).help(DAMAGED)
}

/// A receiver that is not one resource; `found` is its type in words.
fn not_a_resource(span: Span, receiver: &Receiver, found: String) -> Diagnostic {
    let (found, help) = match receiver {
        Receiver::Several => (found, "name one of them, as in `resources[0]`"),
        Receiver::Optional => {
            (optional(&found), "a resource with a conditional `range` has no methods to call")
        }
        Receiver::Other => (found, "write the name of a resource of the program"),
    };
    let message = format!("the first argument of `call` must be a resource, found {found}");
    Diagnostic::error(Code::NotAResource, span, message).help(help)
}

/// A method that the resource does not have.
fn unknown_method<'n>(
    span: Span,
    token: &str,
    name: &str,
    known: impl ExactSizeIterator<Item = &'n str>,
    meant: Option<&str>,
) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` has no method `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownMethod, span, message);
    if let Some(meant) = meant {
        let edit = TextEdit::replace(span, quoted(meant));
        diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(format!("call `{meant}`"), vec![edit]))
    } else if known.len() == 0 {
        diagnostic.help(format!("`{token}` has no methods at all"))
    } else {
        diagnostic.help(format!("its methods are {}", enumerate(known)))
    }
}
