//! The functions that need package schemas: `invoke("token", { .. }, { .. })` and `call(resource, "method", { .. })`.
//!
//! An invoke has two forms. The *plain* form takes plain values and promises the result; the *output* form takes outputs as well and
//! gives an output. Which one a call means is decided by its arguments, and by the options of the bind.
//!
//! The rules, with examples: `tests/spec/invoke/invoke.md`.

mod call;
mod positional;

use std::fmt::Display;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Fix, Matter, Span, TextEdit, TextRange, suggest};
use pcl_model::expression::{ExprKind, quoted};
use pcl_model::functions::{CallContext, Function, Parameter, Signature};
use pcl_model::relations::Conversion;
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_schema::{FunctionSpec, LoadError, Section, Token};

use self::call::CallMethod;
use crate::literals;
use crate::options::Options;
use crate::packages::{PackageIndex, Packages};
use crate::schema_types::{Found, Lookup, SchemaTypes, Shape};

/// Makes `invoke` and `call` known in a scope, with the packages as the program of that scope sees them.
pub(crate) fn define(
    scopes: &mut Scopes,
    scope: ScopeId,
    packages: &Arc<Packages>,
    schemas: &Arc<SchemaTypes>,
    options: &Options,
) {
    let schema = Schema {
        packages: Arc::clone(packages),
        schemas: Arc::clone(schemas),
        options: options.clone(),
    };
    scopes.define_function(scope, "invoke", Arc::new(Invoke(schema.clone())));
    scopes.define_function(scope, "call", Arc::new(CallMethod(schema)));
}

/// What both functions work with.
#[derive(Clone)]
pub(crate) struct Schema {
    pub packages: Arc<Packages>,
    pub schemas: Arc<SchemaTypes>,
    pub options: Options,
}

/// `invoke`.
struct Invoke(Schema);

impl Function for Invoke {
    fn signature(&self, call: &mut CallContext<'_, '_>) -> Signature {
        let Self(schema) = self;
        let (found, function) = match schema.resolve(call) {
            Ok(found) => found,
            Err(returns) => return unresolved(call.types(), returns),
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
    /// The function that the first argument names, or the type of a call of one that cannot be told.
    fn resolve(
        &self,
        call: &mut CallContext<'_, '_>,
    ) -> Result<(Found, Arc<FunctionSpec>), TypeId> {
        // Without a token the checker reports the missing argument.
        let token = call.argument(0).ok_or(TypeId::ERROR)?;
        let Some(written) = call.literal_string(0) else {
            if !matches!(call.exprs()[token.expr].kind, ExprKind::Error) {
                let finding = Diagnostic::error(
                    Code::InvokeTokenNotLiteral,
                    call.span(token.range),
                    "the token of an `invoke` must be a quoted string without interpolations",
                );
                call.report(
                    finding.help("write the token itself, as in `\"package:module:function\"`"),
                );
            }
            return Err(TypeId::ERROR);
        };
        let Some(parts) = Token::parse(&written) else {
            let span = call.span(token.range);
            call.report(malformed_token(&written, span));
            return Err(TypeId::ERROR);
        };
        let package = match self.packages.refer(parts.owner(), None, None) {
            Ok(package) => package,
            Err(error) => {
                return Err(self.report_package(call, parts.owner(), token.range, &error));
            }
        };
        let found = match self.schemas.lookup_function(package, &written) {
            Lookup::Found(found) => found,
            _ if call.policy().excuses(Matter::InvokeFunction) => return Err(TypeId::DYNAMIC),
            Lookup::NotFound => {
                let finding = self.unknown_function(package, &written, call.span(token.range));
                call.report(finding);
                return Err(TypeId::ERROR);
            }
            Lookup::Invalid(found, error) => {
                call.error(
                    Code::InvalidSchemaMember,
                    token.range,
                    format!("the schema of `{}` is damaged: {error}", found.token),
                );
                return Err(TypeId::ERROR);
            }
        };
        if let Some(meant) = self.schemas.other_module(&found, &written) {
            let span = call.span(token.range);
            call.report(wrong_module(&written, &meant, span));
        }
        let checked = self.schemas.check(package, found.member);
        if call.policy().excuses(Matter::InvokeFunction) && checked.is_refused() {
            return Err(TypeId::DYNAMIC);
        }
        let span = call.span(token.range);
        for finding in self.schemas.report_once(&found, span) {
            call.report(finding);
        }
        if checked.is_refused() {
            return Err(TypeId::ERROR);
        }
        match self.schemas.function(package, found.member) {
            Ok(Some(function)) => Ok((found, function)),
            _ => Err(TypeId::ERROR),
        }
    }

    /// Reports a package that does not load, if that matters; the type of calls of its functions.
    fn report_package(
        &self,
        call: &mut CallContext<'_, '_>,
        name: &str,
        range: TextRange,
        error: &LoadError,
    ) -> TypeId {
        let diagnostic = unknown_package(&self.packages, name, call.span(range), error);
        if matches!(error, LoadError::Unreadable { .. }) {
            // It is not missing, so no option about missing schemas passes over it.
            call.report(diagnostic);
            return TypeId::ERROR;
        }
        call.report_about(Matter::InvokePackage, diagnostic);
        match call.policy().excuses(Matter::InvokePackage) {
            true => TypeId::DYNAMIC,
            false => TypeId::ERROR,
        }
    }

    /// The function of a token that no text holds; the finding, when there is none, is at `span`.
    pub fn find_function(&self, written: &str, span: Span) -> Result<Found, Box<Diagnostic>> {
        let Some(token) = Token::parse(written) else {
            return Err(Box::new(malformed_token(written, span)));
        };
        let owner = token.owner();
        let package = self
            .packages
            .refer(owner, None, None)
            .map_err(|error| Box::new(unknown_package(&self.packages, owner, span, &error)))?;
        match self.schemas.lookup_function(package, written) {
            Lookup::Found(found) => Ok(found),
            Lookup::NotFound => Err(Box::new(self.unknown_function(package, written, span))),
            Lookup::Invalid(found, error) => Err(Box::new(Diagnostic::error(
                Code::InvalidSchemaMember,
                span,
                format!("the schema of `{}` is damaged: {error}", found.token),
            ))),
        }
    }

    fn unknown_function(&self, package: PackageIndex, written: &str, span: Span) -> Diagnostic {
        let schema = self.packages.cache().package(package);
        let message = format!("package `{}` has no function `{written}`", schema.name());
        let finding = Diagnostic::error(Code::UnknownInvoke, span, message);
        if let Lookup::Found(resource) = self.schemas.lookup_resource(package, written) {
            return finding.help(format!(
                "`{}` is a resource; a `resource` block makes one",
                resource.token
            ));
        }
        let meant = self
            .schemas
            .suggest_member(package, Section::Functions, written);
        with_token(finding, span, meant)
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
        let owner = format_args!("the inputs of `{}`", found.token);
        check_written(call, 1, arguments, &owner);
        check_options(call, 2);
        let types = call.types();
        let result = self
            .schemas
            .function_result(types, found.package, found.member, function);
        let returns = if output_form {
            types.output(result)
        } else {
            types.promise(result)
        };
        let parameters = vec![
            Parameter::new("token", TypeId::STRING),
            Parameter::new("args", arguments),
            Parameter::new("invokeOptions", options_type(types)),
        ];
        Signature {
            decided_by: Some(call.argument_range(0)),
            callee: Some(found.callee(output_form)),
            ..Signature::new(parameters, returns)
        }
    }

    /// Which form is meant by an argument of that type.
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
        if function
            .inputs
            .as_ref()
            .is_none_or(|inputs| inputs.is_empty())
        {
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
        self.schemas
            .object(types, found.package, found.member, shape)
    }
}

/// Looks through an argument: for keys that nobody reads, where it is written out, and for resources
/// of another type than the one that is wanted. One that does not fit is reported as a whole.
fn check_written(
    call: &mut CallContext<'_, '_>,
    index: usize,
    expected: TypeId,
    owner: &dyn Display,
) {
    let Some(argument) = call.argument(index) else {
        return;
    };
    let checker = &mut *call.checker;
    let input = checker.types.input_type(expected);
    if checker.types.convert(input, argument.ty).exists() {
        let (types, scopes) = (&mut *checker.types, &mut *checker.scopes);
        let (exprs, value) = (&*checker.exprs, argument.expr);
        let findings = literals::check(types, scopes, exprs, value, expected, owner, None);
        checker.reporter.report_all(findings);
        let given = checker.types.refer_to_resources(argument.ty);
        if !checker.types.convert(input, given).exists() {
            let finding = checker.blame(argument.expr, given, input, &owner.to_string());
            checker.reporter.report(finding.ours());
        }
    }
}

/// Looks through the options of an `invoke`.
fn check_options(call: &mut CallContext<'_, '_>, index: usize) {
    let options = options_type(call.types());
    check_written(call, index, options, &"the options of `invoke`");
}

/// The signature of an invoke of which nothing is known but its general form.
fn unresolved(types: &mut TypeStore, returns: TypeId) -> Signature {
    let arguments = types.optional(TypeId::DYNAMIC);
    let parameters = vec![
        Parameter::new("token", TypeId::STRING),
        Parameter::new("args", arguments),
        Parameter::new("invokeOptions", options_type(types)),
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

fn report_missing_arguments(
    call: &mut CallContext<'_, '_>,
    found: &Found,
    function: &FunctionSpec,
) {
    let range = call.argument_range(0);
    let span = call.span(range);
    let required: Vec<&str> = function
        .inputs
        .iter()
        .flat_map(|inputs| inputs.iter())
        .filter(|(_, property)| property.required)
        .map(|(name, _)| name)
        .collect();
    let message = format!("`invoke` of `{}` lacks the arguments", found.token);
    let finding = Diagnostic::error(Code::MissingInvokeArguments, span, message);
    let finding = if !required.is_empty() && !function.multi_argument_inputs.is_empty() {
        let values = function.multi_argument_inputs.join(", ");
        finding.help(format!(
            "add the values after the token one by one: {values}"
        ))
    } else if !required.is_empty() {
        finding.help(format!(
            "add the arguments after the token, as in `{{ {} = .. }}`",
            required.join(" = .., ")
        ))
    } else if function.multi_argument_inputs.is_empty() {
        let finding = finding.help("a function without arguments takes `{}`");
        let edit = TextEdit::insert(span.file, range.end(), ", {}");
        let is_last = call.site.range.end() == range.end() + 1;
        match is_last && !call.site.is_broken {
            true => finding.fix(Fix::unsafe_("pass no arguments", vec![edit])),
            false => finding,
        }
    } else {
        finding.help("pass at least one value after the token, `null` for none")
    };
    call.report(finding);
}

/// A token that is not `package:module:member` or `package:member`.
pub(crate) fn malformed_token(written: &str, span: Span) -> Diagnostic {
    let message = format!("`{written}` is no type token");
    Diagnostic::error(Code::MalformedToken, span, message)
        .help("write `package:module:member`, or `package:member` for a member of the root module")
}

/// A token whose module is not the member's.
pub(crate) fn wrong_module(written: &str, token: &str, span: Span) -> Diagnostic {
    let finding = Diagnostic::warning(
        Code::WrongModule,
        span,
        format!("`{written}` names a module that the member is not in"),
    )
    .note("Pulumi takes every module that it does not know for the root module")
    .ours();
    with_token(finding, span, Some(token.to_owned()))
}

/// A package of which there is no schema.
pub(crate) fn unknown_package(
    packages: &Packages,
    name: &str,
    span: Span,
    error: &LoadError,
) -> Diagnostic {
    let LoadError::NotFound(missing) = error else {
        let (code, message, help) = match error {
            LoadError::Unanswered(unanswered) => (
                Code::UnknownPackage,
                format!("the schema of package `{name}` cannot be had"),
                unanswered.help.as_str(),
            ),
            LoadError::Unreadable { .. } => (
                Code::UnreadableSource,
                format!("the schema of package `{name}` cannot be read"),
                "check the path and its permissions",
            ),
            _ => (
                Code::UnknownPackage,
                format!("the schema of package `{name}` cannot be used"),
                "mend or replace the schema file",
            ),
        };
        return Diagnostic::error(code, span, message)
            .note(error.to_string())
            .help(help);
    };
    let message = format!("there is no schema of package `{}`", missing.request);
    let mut finding = Diagnostic::error(Code::UnknownPackage, span, message);
    if !missing.versions.is_empty() {
        let versions: Vec<String> = missing.versions.iter().map(ToString::to_string).collect();
        finding = finding.note(format!("there is {}", versions.join(", ")));
    }
    if !missing.places.is_empty() {
        finding = finding.note(format!("looked at {}", missing.places.join(", ")));
    }
    if let Some(plugin) = missing.plugins.first() {
        return finding
            .note(format!(
                "plugin {} {} is installed",
                plugin.name, plugin.version
            ))
            .help("`--run-plugins` lets it be asked");
    }
    let known = packages.cache().names();
    match suggest(name, known.iter().map(String::as_str)) {
        Some(meant) => finding.help(format!("did you mean the package `{meant}`?")),
        None => finding.help("say where it is with `--schema-dir` or `--schema`"),
    }
}

/// Adds the token that is probably meant, with the edit that writes it.
pub(crate) fn with_token(finding: Diagnostic, span: Span, meant: Option<String>) -> Diagnostic {
    let Some(meant) = meant else { return finding };
    let finding = finding.help(format!("did you mean `{meant}`?"));
    if span.range.is_empty() {
        // It is not in the text.
        return finding;
    }
    let edit = TextEdit::replace(span, quoted(&meant));
    finding.fix(Fix::unsafe_(format!("write `{meant}`"), vec![edit]))
}
