//! The functions that need package schemas: `invoke("token", { .. }, { .. })` and `call(resource,
//! "method", { .. })`.
//!
//! An invoke has two forms. The *plain* form takes plain values and promises the result; the
//! *output* form takes outputs as well and gives an output. Which one a call means is decided by
//! its arguments, and by the options of the bind.
//!
//! The rules, with examples: `tests/spec/invoke/invoke.md`.

mod call;
mod positional;

use std::fmt::Display;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Matter, Span, TextEdit};
use pcl_language::Function;
use pcl_model::expression::{ExprKind, short_token};
use pcl_model::functions::{CallContext, Callable, Parameter, Signature};
use pcl_model::relations::Conversion;
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_schema::{FunctionSpec, Section};

use crate::edition::range::OldestPulumi;
use crate::edition::removed;
use crate::invoke::call::CallMethod;
use crate::member::{Members, PackageOptions, wrong_module};
use crate::packages::Packages;
use crate::schema_types::{Found, SchemaTypes, Shape};
use crate::session::Options;
use crate::written_values::{self, Slot};

/// Makes `invoke` and `call` known in a scope, with the packages as the program of that scope sees
/// them.
pub(crate) fn define(
    scopes: &mut Scopes,
    scope: ScopeId,
    packages: &Arc<Packages>,
    schemas: &Arc<SchemaTypes>,
    options: &Options,
    oldest: Option<&OldestPulumi>,
) {
    let schema = Schema {
        packages: Arc::clone(packages),
        schemas: Arc::clone(schemas),
        options: Options { oldest: oldest.cloned(), ..options.clone() },
    };
    scopes.define_function(scope, Function::Invoke.name(), Arc::new(Invoke(schema.clone())));
    scopes.define_function(scope, Function::Call.name(), Arc::new(CallMethod(schema)));
}

/// The state that both functions share.
#[derive(Clone)]
pub(crate) struct Schema {
    pub packages: Arc<Packages>,
    pub schemas: Arc<SchemaTypes>,
    pub options: Options,
}

/// `invoke`.
struct Invoke(Schema);

impl Callable for Invoke {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        let Self(schema) = self;
        let (found, function) = match schema.resolve(call) {
            Ok(found) => found,
            Err(returns) => {
                let mut signature = unresolved(call.types(), returns);
                if schema.gives_provider(call, 2)
                    && let Some(options) = signature.parameters.last_mut()
                {
                    options.ty = TypeId::DYNAMIC;
                }
                return signature;
            }
        };
        if call.argument_count() < 2 {
            report_missing_arguments(call, &found, &function);
            return unresolved(call.types(), TypeId::ERROR);
        }
        if function.multi_argument_inputs.is_empty() || call.site.gives_object {
            schema.object_form(call, &found, &function)
        } else {
            positional::signature(schema, call, &found, &function)
        }
    }
}

impl Schema {
    /// The function that the first argument names, or the type of a call of one that cannot be
    /// told.
    fn resolve(
        &self,
        call: &mut CallContext<'_, '_>,
    ) -> Result<(Found, Arc<FunctionSpec>), TypeId> {
        // Without a token the checker reports the missing argument.
        let token = call.argument(0).ok_or(TypeId::ERROR)?;
        let Some(written) = call.literal_string(0) else {
            if !matches!(call.exprs()[token.expr].kind, ExprKind::Error) {
                call.report(token_not_literal(call.span(token.range)));
            }
            return Err(TypeId::ERROR);
        };
        let (members, section) = (self.members(), Section::Functions);
        let span = call.span(token.range);
        let options = PackageOptions::default();
        let found = match members.find(section, &written, &options) {
            Ok(found) => found,
            Err(unresolved) => {
                let reporter = &mut *call.checker.reporter;
                if members.report(section, &written, span, &unresolved, reporter) {
                    return Err(TypeId::DYNAMIC);
                }
                members.find_in_other_case(section, &written, &options).ok_or(TypeId::ERROR)?
            }
        };
        if let Some(meant) = self.schemas.other_module(&found, &written) {
            call.report(wrong_module(span, &written, &meant));
        }
        let matter = Matter::InvokeFunction;
        if !members.check(&found, span, matter, call.checker.reporter) {
            return Err(if call.policy().excuses(matter) {
                TypeId::DYNAMIC
            } else {
                TypeId::ERROR
            });
        }
        match self.schemas.function(found.package, found.member) {
            Ok(Some(function)) => Ok((found, function)),
            _ => Err(TypeId::ERROR),
        }
    }

    /// The members of the packages that the program sees.
    pub fn members(&self) -> Members<'_> {
        Members { packages: &self.packages, schemas: &self.schemas }
    }

    /// The signature of a function that takes its inputs as one object.
    fn object_form(
        &self,
        call: &mut CallContext<'_, '_>,
        found: &Found,
        function: &FunctionSpec,
    ) -> Signature {
        let argument = call.argument_type(1);
        let output_form = self.takes_output_form(call.types(), found, function, argument);
        let arguments = self.inputs(call.types(), found, function, output_form);
        let role = format!("the inputs of `{}`", short_token(&found.token));
        check_written(call, 1, arguments, &role);
        let options = self.check_options(call, 2);
        let types = call.types();
        let result = self.schemas.function_result(types, found.package, found.member, function);
        let returns = if output_form { types.output(result) } else { types.promise(result) };
        let parameters = vec![
            Parameter::new("token", TypeId::STRING),
            Parameter::new("args", arguments).described(role),
            Parameter::new("invokeOptions", options).described(OPTIONS),
        ];
        Signature {
            decided_by: Some(call.argument_range(0)),
            callee: Some(found.callee(output_form)),
            ..Signature::new(parameters, returns)
        }
    }

    /// Looks through the options of an `invoke`. The result is the type that they must have.
    fn check_options(&self, call: &mut CallContext<'_, '_>, index: usize) -> TypeId {
        if self.gives_provider(call, index) {
            return TypeId::DYNAMIC;
        }
        let options = options_type(call.types());
        check_written(call, index, options, &OPTIONS);
        options
    }

    /// Returns whether a string takes the place of the options, as in older releases, and reports
    /// that where the oldest Pulumi to support is set.
    fn gives_provider(&self, call: &mut CallContext<'_, '_>, index: usize) -> bool {
        let Some((oldest, provider)) = self.options.oldest.as_ref().zip(call.literal_string(index))
        else {
            return false;
        };
        let span = call.span(call.argument_range(index));
        call.report(removed::provider_string(span, &provider, oldest));
        true
    }

    /// Returns whether an argument of that type requires the output form.
    pub fn takes_output_form(
        &self,
        types: &mut TypeStore,
        found: &Found,
        function: &FunctionSpec,
        argument: TypeId,
    ) -> bool {
        if function.returns.is_none() {
            return false;
        }
        if self.options.prefer_output_versioned_invokes {
            return true;
        }
        if function.inputs.as_ref().is_none_or(|inputs| inputs.is_empty()) {
            return false;
        }
        let plain = self.inputs(types, found, function, false);
        let with_outputs = self.inputs(types, found, function, true);
        if matches!(types.get(argument), Type::Output(_)) {
            return true;
        }
        types.contains_outputs(argument)
            && types.convert(plain, argument) == Conversion::No
            && types.convert(with_outputs, argument) != Conversion::No
    }

    /// The object type of a function's inputs.
    pub fn inputs(
        &self,
        types: &mut TypeStore,
        found: &Found,
        function: &FunctionSpec,
        with_outputs: bool,
    ) -> TypeId {
        if function.inputs.is_none() {
            let nothing = types.object([]);
            return types.optional(nothing);
        }
        let shape = Shape::of_inputs(with_outputs);
        self.schemas.object(types, found.package, found.member, shape)
    }
}

/// The role of the last argument of `invoke` in messages.
const OPTIONS: &str = "the options of `invoke`";

/// Looks through an argument: for keys that nobody reads, where it is written out, and for
/// resources of another type than the one that is wanted. One that does not fit is reported as a
/// whole.
fn check_written(
    call: &mut CallContext<'_, '_>,
    index: usize,
    expected: TypeId,
    role: &dyn Display,
) {
    let Some(argument) = call.argument(index) else { return };
    let checker = &mut *call.checker;
    let input = checker.types.input_type(expected);
    if checker.types.convert(input, argument.ty).exists() {
        let (types, scopes) = (&mut *checker.types, &mut *checker.scopes);
        let (exprs, value) = (&*checker.exprs, argument.expr);
        let diagnostics =
            written_values::check(types, scopes, exprs, value, &Slot::new(expected, role));
        checker.reporter.report_all(diagnostics);
        let given = checker.types.refer_to_resources(argument.ty);
        if !checker.types.convert(input, given).exists() {
            let diagnostic = checker.blame(argument.expr, given, input, &role.to_string());
            checker.reporter.report(diagnostic.ours());
        }
    }
}

/// The signature of an invoke of which nothing is known but its general form.
fn unresolved(types: &mut TypeStore, returns: TypeId) -> Signature {
    let arguments = types.optional(TypeId::DYNAMIC);
    let parameters = vec![
        Parameter::new("token", TypeId::STRING),
        Parameter::new("args", arguments),
        Parameter::new("invokeOptions", options_type(types)).described(OPTIONS),
    ];
    Signature::new(parameters, returns)
}

/// The type of the last argument of `invoke`.
fn options_type(types: &mut TypeStore) -> TypeId {
    let depends_on = types.list(TypeId::DYNAMIC);
    let properties = [
        ("provider", TypeId::DYNAMIC),
        ("parent", TypeId::DYNAMIC),
        ("version", TypeId::STRING),
        ("pluginDownloadUrl", TypeId::STRING),
        ("dependsOn", depends_on),
    ]
    .map(|(name, ty)| (types.symbol(name), types.optional(ty)));
    let options = types.object(properties);
    types.optional(options)
}

/// Reports a call with nothing after the token.
fn report_missing_arguments(
    call: &mut CallContext<'_, '_>,
    found: &Found,
    function: &FunctionSpec,
) {
    let range = call.argument_range(0);
    let is_last = call.site.range.end() == range.end() + 1;
    let span = call.span(range);
    let required: Vec<&str> = function
        .inputs
        .iter()
        .flat_map(|inputs| inputs.iter())
        .filter(|(_, property)| property.required)
        .map(|(name, _)| name)
        .collect();
    let message = format!("`invoke` of `{}` is missing its arguments", short_token(&found.token));
    let diagnostic = Diagnostic::error(Code::MissingInvokeArguments, span, message);
    let values = &function.multi_argument_inputs;
    call.report(match (required.is_empty(), values.is_empty()) {
        (false, false) => diagnostic
            .help(format!("add the values after the token one by one: {}", values.join(", "))),
        (false, true) => diagnostic.help(format!(
            "add the arguments after the token, as in `{{ {} = .. }}`",
            required.join(" = .., ")
        )),
        (true, true) => {
            let edit = TextEdit::insert(span.file, span.range.end(), ", {}");
            let fix = Fix::unsafe_("pass no arguments", vec![edit]);
            diagnostic
                .help("a function without arguments takes `{}`")
                .fix(Some(fix).filter(|_| is_last && !call.site.is_broken))
        }
        (true, false) => {
            diagnostic.help("pass at least one value after the token, `null` for none")
        }
    });
}

/// A token that is computed.
fn token_not_literal(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::InvokeTokenNotLiteral,
        span,
        "the token of an `invoke` must be a quoted string without interpolations",
    )
    .help("write the token itself, as in `\"package:module:function\"`")
}
