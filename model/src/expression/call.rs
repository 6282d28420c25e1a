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
use super::lookup;
use crate::functions::{
    Argument, Arguments, CallContext, CallSite, Callable, Parameter, Signature,
};
use crate::other_languages::{self, renamed};
use crate::scope::{Definition, ScopeId};
use crate::types::{Type, TypeId, TypeStore};
use crate::wording::{ValueRole, all_of, count, shown};

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
        if let Some(operands) = lookup::operands(call, &name, &written) {
            return self.bind_lookup(call, operands);
        }
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
            None if self.names.are_variables() => own(),
            _ => None,
        };
        if meant.is_some() {
            let span = Span::new(self.file, name_range);
            let message = format!("the function `{name}` is called `{here}` in PCL");
            let edit = TextEdit::replace(span, here);
            let diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
            let fix = Fix::safe(format!("call `{here}`"), vec![edit]);
            self.reporter.report(diagnostic.fix(fix));
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
        // Arguments that the parser recovered are a guess.
        let judged = if site.is_lost { &[] } else { &site.arguments[..] };
        for (index, argument) in judged.iter().enumerate() {
            let Some(parameter) = signature.parameter(index) else { break };
            if parameter.ty == argument.ty || parameter.ty == TypeId::DYNAMIC {
                continue;
            }
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
        let ty = self.call_type(&signature, &site.arguments, judged, spread);
        (signature, ty)
    }

    /// The type of a call: what the function returns, eventual if one of the arguments `judged` is
    /// not taken as it is, or if the last one is spread out of an eventual collection.
    fn call_type(
        &mut self,
        signature: &Signature,
        arguments: &[Argument],
        judged: &[Argument],
        spread: Option<TypeId>,
    ) -> TypeId {
        let mut ty = signature.returns;
        let lifts = judged.iter().enumerate().any(|(index, argument)| {
            let parameter = signature.parameter(index);
            parameter.is_some_and(|it| !self.types.assignable(it.ty, argument.ty))
        });
        if lifts {
            ty = self.types.lift_by(ty, arguments.iter().map(|argument| argument.ty));
        }
        spread.map_or(ty, |spread| self.types.rewrap(spread, ty))
    }

    /// The type of a call that keeps its signature.
    pub(super) fn retyped_call(&mut self, call: &Call) -> TypeId {
        let (arguments, spread) = self.effective_arguments(&call.arguments, call.expands_last);
        self.call_type(&call.signature, &arguments, &arguments, spread)
    }

    /// Asks the function that is called for the signature again, after the types of arguments
    /// changed. Functions are looked up from `scope`. Reports nothing.
    pub fn renew_signature(&mut self, id: ExprId, scope: ScopeId) {
        let ExprKind::Call(call) = &self.exprs[id].kind else { return };
        let (name, range, name_range) = (call.name, self.exprs[id].range, call.name_range);
        let (written, expands_last) = (call.arguments.clone(), call.expands_last);
        let gives_object = !call.signature.multi_argument;
        let name = self.types.shared_name(name);
        let Some(function) = self.scopes.lookup_function(scope, &name) else { return };
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
            let message = format!("this decides what `{}` must be", parameter.name);
            diagnostic.label(Span::new(self.file, range), message)
        } else if signature.variadic.is_some() && self.holds(argument.ty, parameter.ty) {
            diagnostic.help(format!("spread a list with dots, as in `{}(list...)`", site.name))
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

    fn report_missing_arguments(&mut self, signature: &Signature, site: &CallSite) {
        let absent = signature.parameters.iter().skip(site.arguments.len());
        let missing: Vec<&Parameter> = absent.filter(|it| !it.is_optional(self.types)).collect();
        if missing.is_empty() {
            return;
        }
        let function = &site.name;
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
        let span = Span::new(self.file, site.name_range);
        let diagnostic = Diagnostic::error(Code::MissingArgument, span, message);
        let mut diagnostic = with_usage(diagnostic, self.types, function, signature);
        for parameter in missing.iter().filter(|it| it.ty != TypeId::DYNAMIC) {
            let ty = shown(self.types, parameter.ty);
            diagnostic = diagnostic.note(format!("`{}` must be {ty}", parameter.name));
        }
        self.reporter.report(diagnostic);
    }

    fn report_extra_arguments(&mut self, signature: &Signature, site: &CallSite) {
        let expected = signature.parameters.len();
        if signature.variadic.is_some() {
            return;
        }
        let mut surplus = site.arguments.iter().skip(expected);
        let Some(first) = surplus.next() else { return };
        let last = surplus.next_back().unwrap_or(first);
        let span = Span::new(self.file, first.range.cover(last.range));
        let (function, given) = (&site.name, site.arguments.len());
        let takes = count(expected, "argument");
        let message = format!("`{function}` takes {takes}, found {given}");
        let diagnostic = Diagnostic::error(Code::ExtraArguments, span, message);
        self.reporter.report(with_usage(diagnostic, self.types, function, signature));
    }

    fn report_unknown_function(&mut self, call: ast::Call<'_>, scope: ScopeId) {
        let span = Span::new(self.file, call.name_range());
        let name = call.name();
        let is_of_types = self.names == Names::Types;
        let noun = if is_of_types { "type" } else { "function" };
        let message = format!("there is no {noun} `{name}`");
        let diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
        let plain = without_prefix(&name);
        let arguments: Vec<&str> =
            call.arguments().map(|argument| argument.syntax().text()).collect();
        let foreign = if is_of_types { None } else { foreign_function(plain, &arguments) };
        self.reporter.report(if let Some(Foreign { help, rewritten }) = foreign {
            let diagnostic = diagnostic.help(help);
            let whole = Span::new(self.file, call.syntax().range());
            let fix = rewritten
                .map(|(title, text)| Fix::unsafe_(title, vec![TextEdit::replace(whole, text)]));
            fix.into_iter().fold(diagnostic, Diagnostic::fix)
        } else if let Some(meant) = suggest(&name, self.scopes.visible_functions(scope)) {
            let edit = TextEdit::replace(span, meant);
            diagnostic
                .help(format!("did you mean `{meant}`?"))
                .fix(Fix::unsafe_(format!("call `{meant}`"), vec![edit]))
        } else if is_of_types {
            diagnostic
        } else {
            diagnostic.help("the reference lists all functions").setting(Setting::Functions)
        });
    }
}

/// The advice about a function of another language.
struct Foreign {
    help: String,
    /// The title of a fix, and what it writes in the place of the call.
    rewritten: Option<(String, String)>,
}

/// The advice about a call of a function that only other languages have.
fn foreign_function(name: &str, arguments: &[&str]) -> Option<Foreign> {
    if let Some(help) = other_languages::counterpart(name) {
        let template = match (name, arguments) {
            ("format" | "printf" | "sprintf", [text, values @ ..]) => {
                let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                text.and_then(|text| other_languages::template(text, values))
            }
            ("str", [value]) => Some(format!("\"${{{value}}}\"")),
            _ => None,
        };
        let rewritten = template.map(|template| ("write a template".to_owned(), template));
        return Some(Foreign { help: help.to_owned(), rewritten });
    }
    let call = other_languages::in_std(name, arguments)?;
    let is_whole = !call.contains(" .. ");
    let help = format!("the package `std` has it: `{call}`");
    let rewritten = is_whole.then(|| (format!("invoke `std:index:{name}`"), call));
    Some(Foreign { help, rewritten })
}

/// Adds the form of a call: `lookup(map, key, default?)`, with `?` after an optional argument.
fn with_usage(
    diagnostic: Diagnostic,
    types: &mut TypeStore,
    function: &str,
    signature: &Signature,
) -> Diagnostic {
    let mut parameters: Vec<String> = Vec::with_capacity(signature.parameters.len());
    for parameter in &signature.parameters {
        let mark = if parameter.is_optional(types) { "?" } else { "" };
        parameters.push(format!("{}{mark}", parameter.name));
    }
    let rest = signature.variadic.as_ref();
    parameters.extend(rest.map(|rest| format!("...{}", rest.name)));
    diagnostic.help(format!("call it like `{function}({})`", parameters.join(", ")))
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
            let [(first, first_text), (second, second_text)] = places.map(|argument| {
                let syntax = argument.syntax();
                (Span::new(self.file, syntax.range()), syntax.text())
            });
            let message = format!("two arguments of `{}` are in the wrong order", site.name);
            let diagnostic = Diagnostic::error(Code::TypeNotAssignable, first, message)
                .label(second, "this one comes first");
            let edits =
                vec![TextEdit::replace(first, second_text), TextEdit::replace(second, first_text)];
            let diagnostic = with_usage(diagnostic, self.types, &site.name, &checked.0);
            self.reporter.report(diagnostic.fix(Fix::safe("swap the arguments", edits)));
            return Some(checked);
        }
        None
    }
}
