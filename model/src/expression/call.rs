//! `f(a, b)`, also with arguments in the wrong order.
//!
//! The rules, with examples: `tests/spec/expressions/call.md`.

use pcl_diagnostics::{
    Code, Diagnostic, Fix, Mark, Setting, Span, TextEdit, suggest, without_prefix,
};
use pcl_language::Function;
use pcl_syntax::ast;

use super::checker::{Checker, Names};
use super::expr::{Call, ExprId, ExprKind};
use crate::functions::{
    Argument, Arguments, CallContext, CallSite, Callable, Parameter, Signature,
};
use crate::other_languages::{self, renamed};
use crate::scope::{Definition, ScopeId};
use crate::types::{Type, TypeId, TypeStore};
use crate::wording::{ValueRole, all_of};
use crate::wording::{count, shown};

impl Checker<'_> {
    pub(super) fn bind_call(&mut self, call: ast::Call<'_>, scope: ScopeId) -> ExprId {
        let name = call.name();
        let mark = self.exprs.mark();
        for (index, argument) in call.arguments().enumerate() {
            // The second argument of `recover` may use the error.
            let scope = if index == 1 && name == Function::Recover.name() {
                self.recovery_scope(scope)
            } else {
                scope
            };
            let argument = self.bind(argument, scope);
            self.exprs.hold(argument);
        }
        let written = self.exprs.held_since(mark);
        let syntax = call.syntax();
        let symbol = self.types.symbol(&name);
        let (name_range, expands_last) = (call.name_range(), call.expands_last());
        if let Some(&last) = written.last().filter(|_| expands_last) {
            self.revise_guess(last, |checker, ty| checker.is_collection(ty));
        }
        let plain = without_prefix(&name);
        let here = renamed(plain).unwrap_or(plain);
        let own = || self.scopes.lookup_function(scope, here);
        let known = self.scopes.lookup_function(scope, &name);
        let meant = match known {
            None if self.names == Names::Values => own(),
            _ => None,
        };
        if meant.is_some() {
            let span = Span::new(self.file, name_range);
            self.reporter.report(renamed_function(span, &name, here));
        }
        let (signature, ty, arguments) = match known.or(meant) {
            Some(function) => {
                let (arguments, spread) = self.effective_arguments(&written, expands_last);
                let site = CallSite {
                    name: self.types.shared_name(symbol),
                    range: syntax.range(),
                    name_range,
                    written,
                    arguments,
                    is_broken: syntax.contains_error(),
                    is_lost: syntax.has_error(),
                    gives_object: false,
                };
                let mark = self.reporter.mark();
                let checked = self.check_call(&*function, &site, spread);
                let swapped = self.check_swapped(&*function, &site, call, mark);
                let (signature, ty) = swapped.unwrap_or(checked);
                (signature, ty, site.written)
            }
            None => {
                if !name.ends_with("::") {
                    self.report_unknown_function(call, scope);
                }
                (Signature::unknown(), TypeId::ERROR, written)
            }
        };
        let kind = ExprKind::Call(Box::new(Call {
            name: symbol,
            name_range,
            arguments,
            expands_last,
            signature,
        }));
        self.push(kind, ty, syntax.range(), syntax.id())
    }

    fn recovery_scope(&mut self, scope: ScopeId) -> ScopeId {
        let inner = self.scopes.new_scope(Some(scope));
        let error = Definition::variable(self.types.symbol("error"), TypeId::STRING);
        let _ = self.scopes.define(inner, error);
        inner
    }

    /// The arguments after a final `...` is applied, and the type that is lost by spreading an
    /// eventual collection.
    fn effective_arguments(
        &mut self,
        written: &[ExprId],
        expands_last: bool,
    ) -> (Arguments, Option<TypeId>) {
        let mut arguments: Arguments = written
            .iter()
            .map(|&expr| Argument { expr, ty: self.exprs[expr].ty, range: self.exprs[expr].range })
            .collect();
        let Some(&last) = arguments.last().filter(|_| expands_last) else {
            return (arguments, None);
        };
        let resolved = self.types.resolve(last.ty);
        let elements: Vec<TypeId> = match self.types.get(resolved) {
            Type::Tuple(elements) => elements.to_vec(),
            Type::List(element) | Type::Set(element) => vec![*element],
            _ => return (arguments, None),
        };
        arguments.pop();
        arguments.extend(elements.into_iter().map(|ty| Argument { ty, ..last }));
        (arguments, Some(last.ty))
    }

    pub(super) fn check_call(
        &mut self,
        function: &dyn Callable,
        site: &CallSite,
        spread: Option<TypeId>,
    ) -> (Signature, TypeId) {
        let signature = function.signature(&mut CallContext { checker: self, site, example: None });
        let mut lifts = false;
        // Arguments that the parser recovered are a guess.
        let judged = if site.is_lost { &[] } else { &site.arguments[..] };
        for (index, argument) in judged.iter().enumerate() {
            let Some(parameter) = signature.parameter(index) else {
                break;
            };
            if parameter.ty == argument.ty || parameter.ty == TypeId::DYNAMIC {
                continue;
            }
            lifts |= !self.types.assignable(parameter.ty, argument.ty);
            let role = match &parameter.role {
                Some(role) => ValueRole::Described(role),
                None => ValueRole::Argument { parameter: &parameter.name, function: &site.name },
            };
            if let Some(misfit) = self.misfit(argument.ty, argument.expr, parameter.ty, role) {
                let misfit = if misfit.is_error() {
                    self.explain_argument(misfit, &signature, site, parameter, *argument)
                } else {
                    misfit
                };
                self.reporter.report(misfit);
            }
        }
        if !site.is_broken {
            self.report_missing_arguments(&signature, site);
            self.report_extra_arguments(&signature, site);
        }

        let ty = self.call_type(signature.returns, lifts, &site.arguments, spread);
        (signature, ty)
    }

    /// The type of a call of a function that gives `returns`; `lifts` says that an argument is not
    /// taken as it is.
    fn call_type(
        &mut self,
        returns: TypeId,
        lifts: bool,
        arguments: &[Argument],
        spread: Option<TypeId>,
    ) -> TypeId {
        let mut ty = returns;
        if lifts {
            let types = arguments.iter().map(|argument| argument.ty);
            ty = self.types.lift_by(ty, types);
        }
        match spread {
            Some(spread) => self.lift_for_spread(ty, spread),
            None => ty,
        }
    }

    /// The type of a call that keeps its signature.
    pub(super) fn retyped_call(&mut self, call: &Call) -> TypeId {
        let signature = &call.signature;
        let (arguments, spread) = self.effective_arguments(&call.arguments, call.expands_last);
        let mut lifts = false;
        for (index, argument) in arguments.iter().enumerate() {
            let Some(parameter) = signature.parameter(index) else {
                break;
            };
            let taken = parameter.ty == argument.ty || parameter.ty == TypeId::DYNAMIC;
            lifts |= !taken && !self.types.assignable(parameter.ty, argument.ty);
        }
        self.call_type(signature.returns, lifts, &arguments, spread)
    }

    /// Asks the function that is called for the signature again, after the types of arguments
    /// changed. Functions are looked up from `scope`. Reports nothing.
    pub fn renew_signature(&mut self, id: ExprId, scope: ScopeId) {
        let ExprKind::Call(call) = &self.exprs[id].kind else {
            return;
        };
        let (name, range, name_range) = (call.name, self.exprs[id].range, call.name_range);
        let (written, expands_last) = (call.arguments.clone(), call.expands_last);
        let gives_object = !call.signature.multi_argument;
        let name = self.types.shared_name(name);
        let Some(function) = self.scopes.lookup_function(scope, &name) else {
            return;
        };
        let (arguments, _) = self.effective_arguments(&written, expands_last);
        let site = CallSite {
            name,
            range,
            name_range,
            written,
            arguments,
            is_broken: false,
            is_lost: false,
            gives_object,
        };
        let mark = self.reporter.mark();
        let signature =
            function.signature(&mut CallContext { checker: self, site: &site, example: None });
        self.reporter.retract(mark);
        if let ExprKind::Call(call) = &mut self.exprs[id].kind {
            call.signature = signature;
        }
    }

    /// Adds the origin of the parameter, or the form of the call, to the diagnostic for an
    /// argument.
    fn explain_argument(
        &mut self,
        diagnostic: Diagnostic,
        signature: &Signature,
        site: &CallSite,
        parameter: &Parameter,
        argument: Argument,
    ) -> Diagnostic {
        if let Some(range) = signature.decided_by {
            let place = Span::new(self.file, range);
            with_deciding_place(diagnostic, place, parameter)
        } else if signature.variadic.is_some() && self.holds(argument.ty, parameter.ty) {
            with_spreading(diagnostic, &site.name)
        } else if diagnostic.help.is_none() && signature.parameters.len() > 1 {
            with_usage(diagnostic, self.types, &site.name, signature)
        } else {
            diagnostic
        }
    }

    /// Returns whether `ty` is a list or tuple of what can become an `element`.
    fn holds(&mut self, ty: TypeId, element: TypeId) -> bool {
        let stripped = self.types.strip(ty);
        match self.types.get(stripped).clone() {
            Type::List(own) => self.accepts(element, own),
            Type::Tuple(own) => own.iter().all(|&own| self.accepts(element, own)),
            _ => false,
        }
    }

    /// A call whose last argument is spread out of an eventual collection is eventual.
    fn lift_for_spread(&mut self, ty: TypeId, spread: TypeId) -> TypeId {
        match self.types.get(spread) {
            Type::Output(_) | Type::Promise(_) => self.types.rewrap(spread, ty),
            _ => ty,
        }
    }

    fn report_missing_arguments(&mut self, signature: &Signature, site: &CallSite) {
        let absent = signature.parameters.iter().skip(site.arguments.len());
        let missing: Vec<&Parameter> = absent.filter(|it| !it.is_optional(self.types)).collect();
        if missing.is_empty() {
            return;
        }
        let span = Span::new(self.file, site.name_range);
        let diagnostic = missing_arguments(span, self.types, &site.name, signature, &missing);
        self.reporter.report(diagnostic);
    }

    fn report_extra_arguments(&mut self, signature: &Signature, site: &CallSite) {
        let expected = signature.parameters.len();
        if signature.variadic.is_some() {
            return;
        }
        let mut surplus = site.arguments.iter().skip(expected);
        let Some(first) = surplus.next() else {
            return;
        };
        let last = surplus.next_back().unwrap_or(first);
        let span = Span::new(self.file, first.range.cover(last.range));
        let given = site.arguments.len();
        let diagnostic = extra_arguments(span, self.types, &site.name, signature, given);
        self.reporter.report(diagnostic);
    }

    fn report_unknown_function(&mut self, call: ast::Call<'_>, scope: ScopeId) {
        let span = Span::new(self.file, call.name_range());
        let name = call.name();
        let meant = suggest(&name, self.scopes.visible_functions(scope));
        self.reporter.report(match self.names {
            Names::Types => unknown_type_function(span, &name, meant),
            _ => {
                let whole = Span::new(self.file, call.syntax().range());
                let arguments = call.arguments().map(|argument| argument.syntax().text());
                let arguments: Vec<&str> = arguments.collect();
                let plain = without_prefix(&name);
                unknown_function(span, &name, plain, meant, whole, &arguments)
            }
        });
    }
}

/// A call of a function that has another name here.
fn renamed_function(span: Span, name: &str, own: &str) -> Diagnostic {
    let message = format!("the function `{name}` is called `{own}` in PCL");
    let edit = TextEdit::replace(span, own);
    Diagnostic::error(Code::UnknownFunction, span, message)
        .fix(Fix::safe(format!("call `{own}`"), vec![edit]))
}

/// A call of a function that does not exist; `plain` is its name without a foreign prefix, `meant`
/// a function with a similar name. `whole` is the call, with the texts of its arguments.
fn unknown_function(
    span: Span,
    name: &str,
    plain: &str,
    meant: Option<&str>,
    whole: Span,
    arguments: &[&str],
) -> Diagnostic {
    let message = format!("there is no function `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
    if let Some(help) = other_languages::counterpart(plain) {
        let template = match (plain, arguments) {
            ("format" | "printf" | "sprintf", [text, values @ ..]) => {
                let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                text.and_then(|text| other_languages::template(text, values))
            }
            ("str", [value]) => Some(format!("\"${{{value}}}\"")),
            _ => None,
        };
        let diagnostic = diagnostic.help(help);
        return match template {
            Some(template) => diagnostic
                .fix(Fix::unsafe_("write a template", vec![TextEdit::replace(whole, template)])),
            None => diagnostic,
        };
    }
    if let Some(call) = other_languages::in_std(plain, arguments) {
        let is_whole = !call.contains(" .. ");
        let diagnostic = diagnostic.help(format!("the package `std` has it: `{call}`"));
        return if is_whole {
            diagnostic.fix(Fix::unsafe_(
                format!("invoke `std:index:{plain}`"),
                vec![TextEdit::replace(whole, call)],
            ))
        } else {
            diagnostic
        };
    }
    match meant {
        Some(meant) => with_similar(diagnostic, span, meant),
        None => diagnostic.help("the reference lists all functions").setting(Setting::Functions),
    }
}

/// A call in a type label of a function that builds no types; `meant` is one with a similar name.
fn unknown_type_function(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("there is no type `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
    match meant {
        Some(meant) => with_similar(diagnostic, span, meant),
        None => diagnostic,
    }
}

fn with_similar(diagnostic: Diagnostic, span: Span, meant: &str) -> Diagnostic {
    let edit = TextEdit::replace(span, meant);
    diagnostic
        .help(format!("did you mean `{meant}`?"))
        .fix(Fix::unsafe_(format!("call `{meant}`"), vec![edit]))
}

/// A call without arguments for the parameters `missing`.
fn missing_arguments(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
    missing: &[&Parameter],
) -> Diagnostic {
    let takes_any_number = signature.variadic.is_some() && signature.parameters.len() == 1;
    let names = || missing.iter().map(|it| format!("`{}`", it.name)).collect();
    let roles = missing.iter().map(|it| it.role.clone());
    let message = match roles.collect::<Option<Vec<String>>>() {
        _ if takes_any_number => format!("`{function}` needs at least one argument"),
        Some(roles) => format!("`{function}` is missing {}", all_of(roles)),
        None if missing.len() == 1 => {
            format!("`{function}` is missing the argument {}", all_of(names()))
        }
        None => format!("`{function}` is missing the arguments {}", all_of(names())),
    };
    let diagnostic = Diagnostic::error(Code::MissingArgument, span, message);
    let diagnostic = with_usage(diagnostic, types, function, signature);
    let typed = missing.iter().filter(|it| it.ty != TypeId::DYNAMIC);
    typed.fold(diagnostic, |diagnostic, parameter| {
        let ty = shown(types, parameter.ty);
        diagnostic.note(format!("`{}` must be {ty}", parameter.name))
    })
}

/// A call with `given` arguments, more than there are parameters.
fn extra_arguments(
    span: Span,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
    given: usize,
) -> Diagnostic {
    let takes = count(signature.parameters.len(), "argument");
    let message = format!("`{function}` takes {takes}, found {given}");
    let diagnostic = Diagnostic::error(Code::ExtraArguments, span, message);
    with_usage(diagnostic, types, function, signature)
}

/// Adds how the function is called.
pub(crate) fn with_usage(
    diagnostic: Diagnostic,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
) -> Diagnostic {
    let usage = usage(types, function, signature);
    diagnostic.help(format!("call it like `{usage}`"))
}

/// Adds the place that decides the type of a parameter.
fn with_deciding_place(diagnostic: Diagnostic, place: Span, parameter: &Parameter) -> Diagnostic {
    let message = format!("this decides what `{}` must be", parameter.name);
    diagnostic.label(place, message)
}

/// Adds the advice to pass the elements of a list one by one.
fn with_spreading(diagnostic: Diagnostic, function: &str) -> Diagnostic {
    diagnostic.help(format!("spread a list with dots, as in `{function}(list...)`"))
}

/// The form of a call: `lookup(map, key, default?)`, with `?` after an optional argument.
fn usage(types: &mut TypeStore, function: &str, signature: &Signature) -> String {
    let mut parameters: Vec<String> = Vec::with_capacity(signature.parameters.len());
    for parameter in &signature.parameters {
        let mark = if parameter.is_optional(types) { "?" } else { "" };
        parameters.push(format!("{}{mark}", parameter.name));
    }
    let rest = signature.variadic.as_ref();
    parameters.extend(rest.map(|rest| format!("...{}", rest.name)));
    format!("{function}({})", parameters.join(", "))
}

/// The pairs of arguments that are tried.
const PAIRS: [(usize, usize); 3] = [(0, 1), (1, 2), (0, 2)];

impl Checker<'_> {
    /// The result of a call if two of its arguments are swapped: the diagnostics about them, which
    /// were reported since `mark`, become one. Returns `None`, and reports nothing, when no swap
    /// makes the call right.
    pub(super) fn check_swapped(
        &mut self,
        function: &dyn Callable,
        site: &CallSite,
        call: ast::Call<'_>,
        mark: Mark,
    ) -> Option<(Signature, TypeId)> {
        let is_wrong_twice = self.reporter.since(mark).len() > 1;
        let is_as_written = || site.arguments.len() == site.written.len() && !call.expands_last();
        if !is_wrong_twice || site.is_broken || !is_as_written() {
            return None;
        }
        for (first, second) in PAIRS {
            if second >= site.arguments.len() {
                continue;
            }
            let mut swapped = site.clone();
            swapped.arguments.swap(first, second);
            swapped.written.swap(first, second);
            let inner = self.reporter.mark();
            let checked = self.check_call(function, &swapped, None);
            let is_right = self.reporter.since(inner).is_empty();
            self.reporter.retract(inner);
            if !is_right {
                continue;
            }
            self.reporter.retract(mark);
            let mut arguments = call.arguments();
            let places = [arguments.nth(first)?, arguments.nth(second - first - 1)?];
            let places = places.map(|argument| {
                let syntax = argument.syntax();
                (Span::new(self.file, syntax.range()), syntax.text())
            });
            let (signature, ty) = checked;
            let diagnostic = swapped_arguments(places, self.types, &site.name, &signature);
            self.reporter.report(diagnostic);
            return Some((signature, ty));
        }
        None
    }
}

/// Two arguments that are each in the place of the other, with their texts.
fn swapped_arguments(
    [(first, first_text), (second, second_text)]: [(Span, &str); 2],
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
) -> Diagnostic {
    let message = format!("two arguments of `{function}` are in the wrong order");
    let diagnostic = Diagnostic::error(Code::TypeNotAssignable, first, message)
        .label(second, "this one comes first");
    let edits = vec![TextEdit::replace(first, second_text), TextEdit::replace(second, first_text)];
    with_usage(diagnostic, types, function, signature).fix(Fix::safe("swap the arguments", edits))
}
