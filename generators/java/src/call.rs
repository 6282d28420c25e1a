//! Calls of the functions of the language.

use pcl::document::{Call, ExpressionIndex, ExpressionKind, VariableIndex};
use pcl::language::Function;
use pcl_codegen::Limit;

use crate::convert::output_of;
use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::Expr;
use crate::types::{Ty, unify};

impl Writer<'_> {
    pub fn call(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        use Function as F;
        let Some(function) = call.function() else { return self.no_translation(index, call) };
        match function {
            F::Invoke => return self.invoke(index, call),
            F::Call => return self.method_call(index, call),
            F::Can | F::Try => return self.attempt(call, function == F::Can),
            F::Recover => return self.recovered(index, call),
            F::ResourceExists => {
                return self.fail(Limit::Call, index, "the SDK cannot look for resources");
            }
            F::Max | F::Min => return self.extreme(index, call, function == F::Max),
            _ => {}
        }
        let mut arguments: Vec<Value> =
            call.arguments.iter().map(|&argument| self.operand(argument)).collect();
        if call.expands_last {
            return self.no_translation(index, call);
        }
        let late = arguments.iter().position(|value| value.ty.is_output());
        let takes_late = matches!(function, F::Secret | F::Unsecret | F::GetOutput);
        if let Some(at) = late.filter(|_| !takes_late) {
            let source = arguments.get(at).cloned().unwrap_or_else(Value::null);
            return self.apply_one(source, "value", |writer, value| {
                if let Some(argument) = arguments.get_mut(at) {
                    *argument = value;
                }
                writer.known_call(index, call, function, arguments)
            });
        }
        self.known_call(index, call, function, arguments)
    }

    fn known_call(
        &mut self,
        index: ExpressionIndex,
        call: &Call,
        function: Function,
        arguments: Vec<Value>,
    ) -> Value {
        use Function as F;
        let mut arguments = arguments.into_iter();
        let given = (arguments.next(), arguments.next(), arguments.next());
        match (function, given) {
            (F::FileArchive, (Some(path), ..)) => self.asset("FileArchive", path, Ty::Archive),
            (F::FileAsset, (Some(path), ..)) => self.asset("FileAsset", path, Ty::Asset),
            (F::RemoteArchive, (Some(uri), ..)) => self.asset("RemoteArchive", uri, Ty::Archive),
            (F::RemoteAsset, (Some(uri), ..)) => self.asset("RemoteAsset", uri, Ty::Asset),
            (F::StringAsset, (Some(text), ..)) => self.asset("StringAsset", text, Ty::Asset),
            (F::AssetArchive, (Some(assets), ..)) => {
                let map = self.coerce(assets, &Ty::map(Ty::Asset));
                Value::new(Expr::new("AssetArchive", [map]), Ty::Archive)
            }
            (F::Organization, _) => self.of_context("organizationName", "getOrganizationName"),
            (F::Project, _) => self.of_context("projectName", "getProjectName"),
            (F::Stack, _) => self.of_context("stackName", "getStackName"),
            (F::RootDirectory, _) => Value::new(Expr::call("Helpers.rootDirectory", []), Ty::Text),
            (F::Cwd, _) => {
                let path = Expr::call("System.getProperty", [Expr::quoted("user.dir")]);
                Value::new(path, Ty::Text)
            }
            (F::Secret, (Some(value), ..)) => self.secret_of(value),
            (F::Unsecret, (Some(value), ..)) => {
                let ty = Ty::output(value.ty.resolved());
                let value = self.coerce(value, &ty);
                Value::new(value.method("asPlaintext", []), ty)
            }
            (F::PulumiResourceName, (Some(value), ..)) => {
                Value::new(value.expr.method("pulumiResourceName", []), Ty::Text)
            }
            (F::PulumiResourceType, (Some(value), ..)) => {
                Value::new(value.expr.method("pulumiResourceType", []), Ty::Text)
            }
            (F::NotImplemented, (Some(message), ..)) => {
                let message = self.coerce(message, &Ty::Text);
                let ty = self.document.expression(index).ty;
                let ty = self.types().value(ty);
                let name = format!("<{}>notImplemented", ty.text());
                Value::new(Expr::text("Helpers").method(&name, [message]), ty)
            }
            (F::SingleOrNone, (Some(list), ..)) => {
                let element = list.ty.element().unwrap_or(Ty::Any);
                let list = self.coerce(list, &Ty::list(element.clone()));
                Value::new(Expr::call("Helpers.singleOrNone", [list]), element.nullable())
            }
            (F::Element, (Some(list), Some(at), _)) => {
                let at = self.coerce(at, &Ty::Int);
                let element = list.ty.element().unwrap_or(Ty::Any);
                let list = self.coerce(list, &Ty::list(element.clone()));
                Value::new(Expr::call("Helpers.element", [list, at]), element)
            }
            (F::Entries, (Some(collection), ..)) => self.entries(collection),
            (F::Length, (Some(value), ..)) => self.length(value),
            (F::Lookup, (Some(map), Some(key), default)) => self.lookup(map, key, default),
            (F::ToJson, (Some(value), ..)) => self.json_of(value),
            (F::Range, (Some(first), second, _)) => self.range_of(first, second),
            (F::GetOutput, (Some(stack), Some(name), _)) => {
                let name = self.fit(name, &Place::Input(Ty::Text));
                let output = stack.expr.method("output", [name.expr]);
                let any = Expr::lambda("output", Expr::text("output"));
                Value::new(output.method("<Object>applyValue", [any]), Ty::output(Ty::Any))
            }
            (F::Join, (Some(separator), Some(list), _)) => {
                let list = self.coerce(list, &Ty::list(Ty::Text));
                let separator = self.coerce(separator, &Ty::Text);
                Value::new(Expr::call("String.join", [separator, list]), Ty::Text)
            }
            (F::Split, (Some(separator), Some(text), _)) => {
                let [text, separator] = [text, separator].map(|it| self.coerce(it, &Ty::Text));
                Value::new(Expr::call("Helpers.split", [separator, text]), Ty::list(Ty::Text))
            }
            (function, (Some(text), ..)) => self.of_text(index, call, function, text),
            _ => self.no_translation(index, call),
        }
    }

    /// Functions of a text, or of a file with that path.
    fn of_text(
        &mut self,
        index: ExpressionIndex,
        call: &Call,
        function: Function,
        text: Value,
    ) -> Value {
        use Function as F;
        let name = match function {
            F::ReadFile => "readFile",
            F::FromBase64 => "fromBase64",
            F::ToBase64 => "toBase64",
            F::Filebase64 => "fileBase64",
            F::Filebase64sha256 => "fileBase64Sha256",
            F::Sha1 => "sha1",
            _ => return self.no_translation(index, call),
        };
        let text = self.coerce(text, &Ty::Text);
        Value::new(Expr::text("Helpers").method(name, [text]), Ty::Text)
    }

    fn no_translation(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let message = format!("there is no translation of this call of `{}`", call.name);
        self.fail(Limit::Call, index, message)
    }

    /// A property of the running deployment: in the program itself, its context knows it.
    fn of_context(&self, of_context: &str, of_deployment: &str) -> Value {
        let expr = match self.component {
            None => Expr::text("ctx").method(of_context, []),
            Some(_) => Expr::text("Deployment").method("getInstance", []).method(of_deployment, []),
        };
        Value::new(expr, Ty::Text)
    }

    fn asset(&mut self, class: &str, given: Value, ty: Ty) -> Value {
        let given = self.coerce(given, &Ty::Text);
        Value::new(Expr::new(class, [given]), ty)
    }

    /// A value as a secret.
    pub fn secret_of(&mut self, value: Value) -> Value {
        if value.ty.is_output() || value.ty.holds_outputs() {
            let ty = Ty::output(value.ty.resolved());
            let value = self.coerce(value, &ty);
            return Value::new(value.method("asSecret", []), ty);
        }
        let content = if value.ty == Ty::Null { Ty::Any } else { value.ty.clone() };
        let expr = if value.expr.is_null() { value.expr.cast("Object") } else { value.expr };
        Value::new(output_of("ofSecret", expr, &content), Ty::output(content))
    }

    fn extreme(&mut self, index: ExpressionIndex, call: &Call, is_max: bool) -> Value {
        let function = if is_max { "max" } else { "min" };
        let mut values: Vec<Value> =
            call.arguments.iter().map(|&argument| self.operand(argument)).collect();
        let list = if call.expands_last { values.pop() } else { None };
        let values: Vec<Value> = values.into_iter().map(|value| self.number(value)).collect();
        let element = list.as_ref().map(|list| match list.ty.element() {
            Some(Ty::Int) => Ty::Int,
            _ => Ty::Float,
        });
        let ty = values.iter().map(|value| value.ty.clone()).chain(element);
        let ty = ty.fold(Ty::Never, |ty, own| unify(&ty, &own));
        let mut numbers = Vec::new();
        for value in values {
            numbers.push(self.coerce(value, &ty));
        }
        let Some(list) = list else {
            let nested = numbers
                .into_iter()
                .rev()
                .reduce(|inner, number| Expr::text("Math").method(function, [number, inner]));
            return match nested {
                Some(expr) => Value::new(expr, ty),
                None => self.no_translation(index, call),
            };
        };
        // The last argument has the other ones.
        let list = self.coerce(list, &Ty::list(ty.clone()));
        let found = Expr::text("Collections").method(function, [list]);
        let nested = numbers
            .into_iter()
            .rev()
            .fold(found, |inner, number| Expr::text("Math").method(function, [number, inner]));
        Value::new(nested, ty)
    }

    fn length(&mut self, value: Value) -> Value {
        let expr = match value.ty.present() {
            Ty::List(_) | Ty::Map(_) | Ty::Record(_) => {
                let own = value.ty.present().clone();
                self.coerce(value, &own).method("size", [])
            }
            ty if ty.underlying() == Ty::Text => {
                let text = self.coerce(value, &Ty::Text);
                Expr::call("Helpers.countCharacters", [text])
            }
            _ => {
                let value = self.coerce(value, &Ty::Any);
                Expr::call("Helpers.sizeOf", [value])
            }
        };
        Value::new(expr, Ty::Int)
    }

    fn lookup(&mut self, map: Value, key: Value, default: Option<Value>) -> Value {
        let key = self.coerce(key, &Ty::Text);
        let own = map.ty.entry().unwrap_or(Ty::Any);
        let ty = match &default {
            Some(default) => unify(&own, &default.ty),
            None => own.nullable(),
        };
        let map = self.coerce(map, &Ty::map(ty.present().clone()));
        let Some(default) = default else {
            return Value::new(map.method("get", [key]), ty);
        };
        let default = self.coerce(default, &ty);
        Value::new(map.method("getOrDefault", [key, default]), ty)
    }

    fn json_of(&mut self, value: Value) -> Value {
        if value.ty.holds_outputs() {
            let ty = Ty::output(value.ty.resolved());
            let expr = self.coerce(value, &ty);
            return self
                .apply_one(Value::new(expr, ty), "value", |writer, value| writer.json_of(value));
        }
        Value::new(Expr::call("Helpers.toJson", [value.expr]), Ty::Text)
    }

    fn range_of(&mut self, first: Value, second: Option<Value>) -> Value {
        let (start, stop) = match second {
            Some(stop) => (first, stop),
            None => (Value::text("0", Ty::Int), first),
        };
        let [start, stop] = [start, stop].map(|value| self.coerce(value, &Ty::Int));
        Value::new(Expr::call("Helpers.numbers", [start, stop]), Ty::list(Ty::Int))
    }

    /// `try` and `can`: each attempt is a function. A program ends with the first output that
    /// fails, so that the attempts are made once the outputs in them are known.
    fn attempt(&mut self, call: &Call, is_can: bool) -> Value {
        let document = self.document;
        let mut sources: Vec<Value> = Vec::new();
        let mut parameters: Vec<Option<VariableIndex>> = Vec::new();
        let mut parts: Vec<Result<ExpressionIndex, usize>> = Vec::new();
        for &argument in &call.arguments {
            let own = document.unconverted(argument);
            if let ExpressionKind::Apply { arguments, body } = &document.expression(own).kind {
                for argument in arguments {
                    let value = self.operand(argument.value);
                    if value.ty.holds_outputs() {
                        let ty = Ty::output(value.ty.resolved());
                        let expr = self.coerce(value, &ty);
                        sources.push(Value::new(expr, ty));
                        parameters.push(Some(argument.parameter));
                    } else {
                        self.variables.insert(argument.parameter, value);
                    }
                }
                parts.push(Ok(*body));
                continue;
            }
            let ty = document.expression(own).ty;
            if document.is_eventual(ty) {
                let value = self.operand(own);
                let ty = Ty::output(value.ty.resolved());
                let expr = self.coerce(value, &ty);
                parts.push(Err(sources.len()));
                sources.push(Value::new(expr, ty));
                // No expression refers to it.
                parameters.push(None);
                continue;
            }
            parts.push(Ok(own));
        }
        if sources.is_empty() {
            return self.attempts_of(&parts, &[], is_can);
        }
        self.apply_values(sources, "value", |writer, values| {
            for (&parameter, value) in parameters.iter().zip(&values) {
                if let Some(parameter) = parameter {
                    writer.variables.insert(parameter, value.clone());
                }
            }
            writer.attempts_of(&parts, &values, is_can)
        })
    }

    /// The call that makes attempts: at expressions, or at values that are known already.
    fn attempts_of(
        &mut self,
        parts: &[Result<ExpressionIndex, usize>],
        values: &[Value],
        is_can: bool,
    ) -> Value {
        let mut attempts = Vec::new();
        self.attempts += 1;
        for part in parts {
            attempts.push(self.block(|writer| match part {
                Ok(expression) => writer.operand(*expression),
                Err(at) => values.get(*at).cloned().unwrap_or_else(Value::null),
            }));
        }
        self.attempts -= 1;
        let mut ty = attempts.iter().fold(Ty::Never, |ty, (_, value)| unify(&ty, &value.ty));
        if matches!(ty, Ty::Null | Ty::Never) {
            ty = Ty::Any;
        }
        let mut functions = Vec::new();
        for (statements, value) in attempts {
            let to = ty.clone();
            let (function, _) = self.function("()", |writer| {
                statements.into_iter().for_each(|statement| writer.emit(statement));
                let expr = writer.coerce(value, &to);
                Value::new(expr, to)
            });
            functions.push(function);
        }
        if is_can {
            return Value::new(Expr::text("Helpers").method("can", functions), Ty::Bool);
        }
        let name = format!("<{}>attempt", ty.text());
        Value::new(Expr::text("Helpers").method(&name, functions), ty)
    }

    /// A value without what would recover it: a program ends with the first output that fails.
    fn recovered(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let Some(&value) = call.arguments.first() else {
            return self.no_translation(index, call);
        };
        let place = self.document.expression(index).range;
        let message = "the SDK ends a program in which an output fails; `recover` is left out";
        self.limit(Limit::Call, place, message);
        self.operand(value)
    }
}
