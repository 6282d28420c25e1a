//! `f(a, b)`.
//!
//! The rules, with examples: `tests/spec/expressions/call.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange, suggest};
use pcl_syntax::ast;

use super::{Call, Checker, ExprId, ExprKind, Names, foreign};
use crate::functions::{Argument, Arguments, CallContext, CallSite, Function, Signature};
use crate::scope::{Definition, ScopeId};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    pub(super) fn bind_call(&mut self, call: ast::Call<'_>, scope: ScopeId) -> ExprId {
        let name = call.name();
        let mark = self.exprs.mark();
        for (index, argument) in call.arguments().enumerate() {
            // What `recover` recovers with may look at the error.
            let scope = if index == 1 && name == "recover" {
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

        let (signature, ty, arguments) = match self.scopes.lookup_function(scope, &name) {
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
                let (signature, ty) = self.check_call(&*function, &site, spread);
                (signature, ty, site.written)
            }
            None => {
                if !name.ends_with("::") {
                    self.report_unknown_function(&name, name_range, scope);
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

    /// The arguments after a final `...` is applied, and the type that is lost by spreading an eventual collection.
    fn effective_arguments(
        &mut self,
        written: &[ExprId],
        expands_last: bool,
    ) -> (Arguments, Option<TypeId>) {
        let mut arguments: Arguments = written
            .iter()
            .map(|&expr| Argument {
                expr,
                ty: self.exprs[expr].ty,
                range: self.exprs[expr].range,
            })
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

    fn check_call(
        &mut self,
        function: &dyn Function,
        site: &CallSite,
        spread: Option<TypeId>,
    ) -> (Signature, TypeId) {
        let signature = function.signature(&mut CallContext {
            checker: self,
            site,
        });
        let mut lifts = false;
        // Where the parser lost its way, what stands where is a guess.
        let judged = match site.is_lost {
            true => &[],
            false => &site.arguments[..],
        };
        for (index, argument) in judged.iter().enumerate() {
            let Some(parameter) = signature.parameter(index) else {
                break;
            };
            if parameter.ty == argument.ty || parameter.ty == TypeId::DYNAMIC {
                continue;
            }
            lifts |= !self.types.assignable(parameter.ty, argument.ty);
            let what = format_args!("argument `{}` of `{}`", parameter.name, site.name);
            if let Some(misfit) = self.misfit(argument.ty, argument.expr, parameter.ty, what) {
                let misfit = match misfit.is_error() {
                    true => self.explain_argument(misfit, &signature, site, index),
                    false => misfit,
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

    /// The type of a call of a function that gives `returns`; `lifts` says that an argument is not taken as it is.
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

    /// Asks the function that is called for the signature again, after the types of arguments changed. Functions are looked up from
    /// `scope`. Reports nothing.
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
        let signature = function.signature(&mut CallContext {
            checker: self,
            site: &site,
        });
        self.reporter.retract(mark);
        if let ExprKind::Call(call) = &mut self.exprs[id].kind {
            call.signature = signature;
        }
    }

    /// Adds the origin of the parameter to the diagnostic for an argument.
    fn explain_argument(
        &mut self,
        mut diagnostic: Diagnostic,
        signature: &Signature,
        site: &CallSite,
        index: usize,
    ) -> Diagnostic {
        let Some(parameter) = signature.parameter(index) else {
            return diagnostic;
        };
        let argument = &site.arguments[index];
        if let Some(range) = signature.decided_by {
            let message = format!("this decides what `{}` must be", parameter.name);
            diagnostic = diagnostic.label(Span::new(self.file, range), message);
        } else if signature.variadic.is_some() && self.holds(argument.ty, parameter.ty) {
            let help = format!("spread a list with dots, as in `{}(list...)`", site.name);
            diagnostic = diagnostic.help(help);
        } else if diagnostic.help.is_none() && signature.parameters.len() > 1 {
            let usage = self.usage(&site.name, signature);
            diagnostic = diagnostic.help(format!("call it as `{usage}`"));
        }
        diagnostic
    }

    /// Whether `ty` is a list or tuple of what can become an `element`.
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
        for parameter in signature.parameters.iter().skip(site.arguments.len()) {
            if parameter.is_optional(self.types) {
                continue;
            }
            let message = format!("`{}` needs an argument `{}`", site.name, parameter.name);
            let span = Span::new(self.file, site.name_range);
            let usage = self.usage(&site.name, signature);
            let mut finding = Diagnostic::error(Code::MissingArgument, span, message)
                .help(format!("call it as `{usage}`"));
            if parameter.ty != TypeId::DYNAMIC {
                let ty = super::shown(self.types, parameter.ty);
                finding = finding.note(format!("`{}` must be {ty}", parameter.name));
            }
            self.reporter.report(finding);
        }
    }

    fn report_extra_arguments(&mut self, signature: &Signature, site: &CallSite) {
        let expected = signature.parameters.len();
        if signature.variadic.is_some() || site.arguments.len() <= expected {
            return;
        }
        let surplus = &site.arguments[expected..];
        let (Some(first), Some(last)) = (surplus.first(), surplus.last()) else {
            return;
        };
        let takes = match expected {
            0 => "no arguments".to_owned(),
            1 => "one argument".to_owned(),
            _ => format!("{expected} arguments"),
        };
        let message = format!(
            "`{}` takes {takes}, not {}",
            site.name,
            site.arguments.len()
        );
        let span = Span::new(self.file, first.range.cover(last.range));
        let usage = self.usage(&site.name, signature);
        self.reporter.report(
            Diagnostic::error(Code::ExtraArguments, span, message)
                .help(format!("call it as `{usage}`")),
        );
    }

    /// How a function is called: `lookup(map, key, default?)`, with `?` after what may be left out.
    fn usage(&mut self, name: &str, signature: &Signature) -> String {
        let mut parameters: Vec<String> = Vec::with_capacity(signature.parameters.len());
        for parameter in &signature.parameters {
            let mark = if parameter.is_optional(self.types) {
                "?"
            } else {
                ""
            };
            parameters.push(format!("{}{mark}", parameter.name));
        }
        let rest = signature.variadic.as_ref();
        parameters.extend(rest.map(|rest| format!("...{}", rest.name)));
        format!("{name}({})", parameters.join(", "))
    }

    fn report_unknown_function(&mut self, name: &str, range: TextRange, scope: ScopeId) {
        let span = Span::new(self.file, range);
        let names_types = self.names == Names::Types;
        let noun = if names_types { "type" } else { "function" };
        let message = format!("there is no {noun} `{name}`");
        let mut diagnostic = Diagnostic::error(Code::UnknownFunction, span, message);
        if let Some(help) = foreign::help(name).filter(|_| !names_types) {
            diagnostic = diagnostic.help(help);
        } else if let Some(meant) = suggest(name, self.scopes.visible_functions(scope)) {
            let edit = TextEdit::replace(span, meant);
            diagnostic = diagnostic
                .help(format!("did you mean `{meant}`?"))
                .fix(Fix::unsafe_(format!("call `{meant}`"), vec![edit]));
        } else if !names_types {
            diagnostic = diagnostic.help("`pcl explain --all` lists the functions that there are");
        }
        self.reporter.report(diagnostic);
    }
}
