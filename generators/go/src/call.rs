//! Calls of the functions of the language.

use pcl::document::{Call, ExpressionIndex};
use pcl::language::Function;
use pcl_codegen::{Limit, error_variable};

use crate::helper::Helper;
use crate::module::{Value, Writer};
use crate::operator::is_number;
use crate::syntax::{Expr, Stmt};
use crate::types::{Ty, class, unify};
use crate::value::counted;

impl Writer<'_> {
    pub fn call(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        use Function as F;
        let Some(function) = call.function() else { return self.no_translation(index, call) };
        match function {
            F::Invoke => return self.invoke(index, call),
            F::Call => return self.method_call(index, call),
            F::Can | F::Try => return self.attempt(call, function == F::Can),
            F::Recover => return self.recovered(index, call),
            F::ResourceExists => return self.exists(index, call),
            F::AssetArchive => return self.asset_archive(index, call),
            F::Max | F::Min => return self.extreme(index, call, function == F::Max),
            _ => {}
        }
        let mut arguments: Vec<Value> =
            call.arguments.iter().map(|&argument| self.operand(argument)).collect();
        if call.expands_last {
            return self.no_translation(index, call);
        }
        let late = arguments.iter().position(|value| value.ty.is_output());
        let takes_late = matches!(function, F::Secret | F::Unsecret | F::ToJson | F::GetOutput);
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
        let of_context =
            |method: &str| Value::new(Expr::call(format!("ctx.{method}"), []), Ty::Text);
        match (function, given) {
            (F::FileArchive, (Some(path), ..)) => self.asset("NewFileArchive", path, Ty::Archive),
            (F::FileAsset, (Some(path), ..)) => self.asset("NewFileAsset", path, Ty::Asset),
            (F::RemoteArchive, (Some(uri), ..)) => self.asset("NewRemoteArchive", uri, Ty::Archive),
            (F::RemoteAsset, (Some(uri), ..)) => self.asset("NewRemoteAsset", uri, Ty::Asset),
            (F::StringAsset, (Some(text), ..)) => self.asset("NewStringAsset", text, Ty::Asset),
            (F::Organization, _) => of_context("Organization"),
            (F::Project, _) => of_context("Project"),
            (F::RootDirectory, _) => of_context("RootDirectory"),
            (F::Stack, _) => of_context("Stack"),
            (F::Cwd, _) => self.hoist_call("cwd", Expr::call("os.Getwd", []), Ty::Text),
            (F::Secret, (Some(value), ..)) => self.marked("pulumi.ToSecret", value),
            (F::Unsecret, (Some(value), ..)) => {
                let ty = Ty::output(value.ty.resolved());
                let value = self.coerce(value, &ty);
                self.marked("pulumi.Unsecret", Value::new(value, ty))
            }
            (F::PulumiResourceName, (Some(value), ..)) => {
                Value::new(value.expr.method("PulumiResourceName", []), Ty::Text)
            }
            (F::PulumiResourceType, (Some(value), ..)) => {
                Value::new(value.expr.method("PulumiResourceType", []), Ty::Text)
            }
            (F::NotImplemented, (Some(message), ..)) => {
                let message = self.coerce(message, &Ty::Text);
                let ty = self.document.expression(index).ty;
                let ty = self.types().value(ty);
                let function = format!("{}[{}]", Helper::NotImplemented.name(), ty.text());
                self.hoist_call("value", Expr::call(function, [message]), ty)
            }
            (F::SingleOrNone, (Some(list), ..)) => self.single_or_none(list),
            (F::ReadFile, (Some(path), ..)) => {
                let bytes = self.file(path);
                Value::new(Expr::call("string", [bytes]), Ty::Text)
            }
            (F::Element, (Some(list), Some(at), _)) => self.element(list, at),
            (F::Entries, (Some(collection), ..)) => self.entries(collection),
            (F::Length, (Some(value), ..)) => self.length(value),
            (F::Lookup, (Some(map), Some(key), default)) => self.lookup(map, key, default),
            (F::ToJson, (Some(value), ..)) => self.json_of(value),
            (F::Range, (Some(first), second, _)) => self.range_of(first, second),
            (F::GetOutput, (Some(stack), Some(name), _)) => {
                let name = self.as_input(name, &Ty::Text, false);
                Value::new(stack.expr.method("GetOutput", [name]), Ty::output(Ty::Any))
            }
            (F::Join, (Some(separator), Some(list), _)) => {
                let list = self.coerce(list, &Ty::list(Ty::Text));
                let separator = self.coerce(separator, &Ty::Text);
                Value::new(Expr::call("strings.Join", [list, separator]), Ty::Text)
            }
            (F::Split, (Some(separator), Some(text), _)) => {
                let [text, separator] = [text, separator].map(|it| self.coerce(it, &Ty::Text));
                Value::new(Expr::call("strings.Split", [text, separator]), Ty::list(Ty::Text))
            }
            (
                F::FromBase64 | F::ToBase64 | F::Filebase64 | F::Filebase64sha256 | F::Sha1,
                (Some(text), ..),
            ) => self.bytes(function, text),
            _ => self.no_translation(index, call),
        }
    }

    fn no_translation(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let message = format!("there is no translation of this call of `{}`", call.name);
        self.fail(Limit::Call, index, message)
    }

    fn asset(&mut self, function: &str, given: Value, ty: Ty) -> Value {
        let given = self.coerce(given, &Ty::Text);
        Value::new(Expr::call(format!("pulumi.{function}"), [given]), ty)
    }

    /// An output of a value, with or without the mark of secrets.
    fn marked(&mut self, function: &str, value: Value) -> Value {
        let content = value.ty.resolved();
        let is_known = !value.ty.is_output() && !value.ty.holds_outputs();
        let expr = match &value.ty {
            Ty::Null => Expr::call("pulumi.Any", [Expr::nil()]),
            ty if is_known && !crate::convert::is_builtin(ty) => {
                let is_any = class(&content) == "pulumi.AnyOutput";
                if is_any { Expr::call("pulumi.Any", [value.expr]) } else { value.expr }
            }
            _ => self.coerce(value, &Ty::output(content.clone())),
        };
        let content = if content == Ty::Null { Ty::Any } else { content };
        let marked = Expr::call(function, [expr]).assert(class(&content));
        Value::new(marked, Ty::output(content))
    }

    /// The contents of a file.
    fn file(&mut self, path: Value) -> Expr {
        let path = self.coerce(path, &Ty::Text);
        self.hoist_call("data", Expr::call("os.ReadFile", [path]), Ty::Any).expr
    }

    /// Functions of bytes: of a text, or of a file.
    fn bytes(&mut self, function: Function, given: Value) -> Value {
        use Function as F;
        let code = Expr::text("base64.StdEncoding");
        if function == F::FromBase64 {
            let text = self.coerce(given, &Ty::Text);
            let data = self.hoist_call("data", code.method("DecodeString", [text]), Ty::Any);
            return Value::new(Expr::call("string", [data.expr]), Ty::Text);
        }
        let bytes = match function {
            F::Filebase64 | F::Filebase64sha256 => self.file(given),
            _ => {
                let text = self.coerce(given, &Ty::Text);
                Expr::call("[]byte", [text])
            }
        };
        let hash = match function {
            F::Sha1 => "sha1.Sum",
            F::Filebase64sha256 => "sha256.Sum256",
            _ => return Value::new(code.method("EncodeToString", [bytes]), Ty::Text),
        };
        let sum = self.hoist("sum", Value::new(Expr::call(hash, [bytes]), Ty::Any)).expr;
        let sum = sum.index(Expr::text(":"));
        let text = match function {
            F::Sha1 => Expr::call("hex.EncodeToString", [sum]),
            _ => code.method("EncodeToString", [sum]),
        };
        Value::new(text, Ty::Text)
    }

    fn extreme(&mut self, index: ExpressionIndex, call: &Call, is_max: bool) -> Value {
        let function = if is_max { "max" } else { "min" };
        let mut values: Vec<Value> =
            call.arguments.iter().map(|&argument| self.operand(argument)).collect();
        let list = if call.expands_last { values.pop() } else { None };
        let values: Vec<Value> = values.into_iter().map(|value| self.number(value)).collect();
        let ty = values.iter().fold(Ty::Never, |ty, value| unify(&ty, &value.ty));
        let is_alone = values.is_empty();
        let Some(list) = list else {
            if is_alone {
                return self.no_translation(index, call);
            }
            let arguments: Vec<Expr> =
                values.into_iter().map(|value| self.coerce(value, &ty)).collect();
            return Value::new(Expr::call(function, arguments), ty);
        };
        // The last argument has the other ones.
        let element = match list.ty.element() {
            Some(Ty::Int) => Ty::Int,
            _ => Ty::Float,
        };
        let ty = unify(&ty, &element);
        let all = Ty::list(ty.clone());
        let mut list = self.coerce(list, &all);
        let mut arguments = Vec::new();
        for value in values {
            arguments.push(self.coerce(value, &ty));
        }
        if !is_alone {
            let items = arguments.into_iter().map(crate::syntax::Item::of).collect();
            let first = Expr::Composite { ty: all.text(), items, on_lines: false };
            list = Expr::Call {
                callee: Box::new(Expr::text("append")),
                arguments: vec![first, list],
                expands: true,
            };
        }
        let function = if is_max { "slices.Max" } else { "slices.Min" };
        Value::new(Expr::call(function, [list]), ty)
    }

    fn single_or_none(&mut self, list: Value) -> Value {
        let element = list.ty.element().unwrap_or(Ty::Any);
        let list = match list.ty {
            Ty::List(_) => list.expr,
            _ => self.coerce(list, &Ty::list(Ty::Any)),
        };
        let call = Expr::call(Helper::SingleOrNone.name(), [list]);
        let pointer = Ty::Pointer(std::rc::Rc::new(element.clone()));
        let found = self.hoist_call("single", call, pointer);
        if !element.has_nil() {
            return found;
        }
        let expr = self.coerce(found, &element);
        Value::new(expr, element)
    }

    fn element(&mut self, list: Value, at: Value) -> Value {
        let at = self.coerce(at, &Ty::Int);
        let Some(element) = list.ty.element() else {
            let list = self.coerce(list, &Ty::list(Ty::Any));
            let call = Expr::call(Helper::Element.name(), [list, at]);
            return self.hoist_call("element", call, Ty::Any);
        };
        if at == Expr::text("0") {
            let list = if matches!(list.expr, Expr::Composite { .. }) {
                self.hoist("list", list)
            } else {
                list
            };
            return Value::new(list.expr.index(at), element);
        }
        let call = Expr::call(Helper::Element.name(), [list.expr, at]);
        self.hoist_call("element", call, element)
    }

    fn length(&mut self, value: Value) -> Value {
        let expr = match &value.ty {
            Ty::List(_) | Ty::Map(_) | Ty::Record(_) => Expr::call("len", [value.expr]),
            ty if ty.underlying() == Ty::Text => {
                let text = self.coerce(value, &Ty::Text);
                Expr::call(Helper::CountCharacters.name(), [text])
            }
            _ => {
                let value = self.coerce(value, &Ty::Any);
                Expr::call(Helper::SizeOf.name(), [value])
            }
        };
        Value::new(expr, Ty::Int)
    }

    fn lookup(&mut self, map: Value, key: Value, default: Option<Value>) -> Value {
        let key = self.coerce(key, &Ty::Text);
        let map = match &map.ty {
            Ty::Map(_) | Ty::Record(_) => map,
            _ => {
                let ty = Ty::map(Ty::Any);
                let expr = self.coerce(map, &ty);
                Value::new(expr, ty)
            }
        };
        let own = map.ty.entry().unwrap_or(Ty::Any);
        let Some(default) = default else {
            let ty = own.clone().nullable();
            let name = self.names_take("value");
            self.emit(Stmt::Declare { name: name.clone(), ty: ty.text(), value: None });
            let entry = self.names_take("entry");
            let found = Expr::text("ok");
            let (mut body, expr) =
                self.block(|writer| writer.coerce(Value::text(&entry, own), &ty));
            body.push(Stmt::assign(&name, expr));
            let entry_of = map.expr.index(key);
            self.emit(Stmt::Define {
                names: vec![entry, "ok".to_owned()],
                value: entry_of,
                is_new: true,
            });
            self.emit(Stmt::If { condition: found, body, otherwise: Vec::new() });
            return Value::text(name, ty);
        };
        let ty = unify(&own, &default.ty);
        let map_ty = Ty::map(ty.clone());
        let map = self.coerce(map, &map_ty);
        let default = self.coerce(default, &ty);
        Value::new(Expr::call(Helper::Lookup.name(), [map, key, default]), ty)
    }

    fn json_of(&mut self, value: Value) -> Value {
        let function = Helper::ToJson.name();
        if value.ty.is_output() || value.ty.holds_outputs() {
            let expr = match &value.ty {
                Ty::Output(_) => value.expr,
                _ => {
                    let input = self.any_input(value);
                    Expr::call("pulumi.ToOutput", [input])
                }
            };
            let text = expr.method("ApplyT", [Expr::text(function)]);
            return Value::new(text.assert("pulumi.StringOutput"), Ty::output(Ty::Text));
        }
        let value = self.coerce(value, &Ty::Any);
        self.hoist_call("text", Expr::call(function, [value]), Ty::Text)
    }

    fn range_of(&mut self, first: Value, second: Option<Value>) -> Value {
        let (start, stop) = match second {
            Some(stop) => (first, stop),
            None => (Value::text("0", Ty::Int), first),
        };
        let [start, stop] = [start, stop].map(|value| self.number(value));
        let ty = unify(&start.ty, &stop.ty);
        let [start, stop] = [start, stop].map(|value| self.coerce(value, &ty));
        // A constant alone has no type.
        let function = match (is_number(&start) && is_number(&stop), &ty) {
            (true, ty) => format!("{}[{}]", Helper::Numbers.name(), ty.text()),
            _ => Helper::Numbers.name().to_owned(),
        };
        Value::new(Expr::call(function, [start, stop]), Ty::list(ty))
    }

    /// `try` and `can`: each attempt is a function.
    fn attempt(&mut self, call: &Call, is_can: bool) -> Value {
        let mut attempts = Vec::new();
        self.attempts += 1;
        for &argument in &call.arguments {
            attempts.push(self.block(|writer| writer.operand(argument)));
        }
        self.attempts -= 1;
        let mut ty = attempts.iter().fold(Ty::Never, |ty, (_, value)| unify(&ty, &value.ty));
        if matches!(ty, Ty::Null | Ty::Never) {
            ty = Ty::Any;
        }
        if ty.holds_outputs() {
            ty = Ty::output(ty.resolved());
        }
        let is_late = ty.is_output();
        let mut functions = Vec::new();
        for (statements, value) in attempts {
            let to = ty.clone();
            let (function, _) = self.function(String::new(), true, |writer| {
                statements.into_iter().for_each(|statement| writer.emit(statement));
                let expr = writer.coerce(value, &to);
                let result = if is_late { Ty::Hook("") } else { to };
                Value::new(expr, result)
            });
            functions.push(match (function, is_late) {
                (Expr::Function { parameters, body, .. }, true) => {
                    let results = "(pulumi.Output, error)".to_owned();
                    Expr::Function { parameters, results, body }
                }
                (Expr::Function { parameters, body, .. }, false) if is_can => {
                    let results = "(any, error)".to_owned();
                    Expr::Function { parameters, results, body }
                }
                (function, _) => function,
            });
        }
        match (is_can, is_late) {
            (true, false) => Value::new(Expr::call(Helper::Can.name(), functions), Ty::Bool),
            (true, true) => {
                functions.insert(0, Expr::text("ctx"));
                let output = Expr::call(Helper::CanOutput.name(), functions);
                Value::new(output, Ty::output(Ty::Bool))
            }
            (false, false) => {
                self.hoist_call("value", Expr::call(Helper::Try.name(), functions), ty)
            }
            (false, true) => {
                functions.insert(0, Expr::text("ctx"));
                let output = Expr::call(Helper::TryOutput.name(), functions);
                let value = Value::new(output, Ty::output(Ty::Any));
                let expr = self.coerce(value, &ty);
                Value::new(expr, ty)
            }
        }
    }

    /// The value of an output, or another one if it fails.
    fn recovered(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let &[value, recovery] = &call.arguments[..] else {
            return self.no_translation(index, call);
        };
        let value = self.operand(value);
        let ty = Ty::output(value.ty.resolved());
        let value = self.coerce(value, &ty);
        let error = error_variable(self.document, recovery);
        let count = self.locals();
        let name = self.local("failure");
        if let Some(variable) = error {
            let text = Expr::text(&name).method("Error", []);
            self.variables.insert(variable, Value::new(text, Ty::Text));
        }
        let content = ty.content().clone();
        let (function, own) =
            self.function(format!("{name} error"), true, |writer| writer.operand(recovery));
        self.release(count);
        let result = unify(&content, own.content());
        let function = match function {
            Expr::Function { parameters, body, .. } => {
                let results = "(any, error)".to_owned();
                Expr::Function { parameters, results, body }
            }
            other => other,
        };
        let output = Expr::call(Helper::Recover.name(), [Expr::text("ctx"), value, function]);
        let ty = Ty::output(result);
        let expr = self.coerce(Value::new(output, Ty::output(Ty::Any)), &ty);
        Value::new(expr, ty)
    }

    fn asset_archive(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        use crate::syntax::{Item, quoted};
        use pcl::document::ExpressionKind;
        let document = self.document;
        let Some(&given) = call.arguments.first() else {
            return self.no_translation(index, call);
        };
        let given = document.unconverted(given);
        let map = match &document.expression(given).kind {
            ExpressionKind::Object { items } => {
                let mut entries = Vec::new();
                for item in counted(document, items) {
                    let Some(name) = document.key_text(item.key) else {
                        return self.no_translation(index, call);
                    };
                    let value = self.operand(item.value);
                    entries.push(Item::keyed(quoted(&name), value.expr));
                }
                let on_lines = !entries.is_empty();
                Expr::Composite { ty: "map[string]any".to_owned(), items: entries, on_lines }
            }
            _ => {
                let value = self.operand(given);
                if value.ty.is_output() {
                    return self.apply_one(value, "assets", |writer, value| {
                        let map = writer.coerce(value, &Ty::map(Ty::Any));
                        Value::new(Expr::call("pulumi.NewAssetArchive", [map]), Ty::Archive)
                    });
                }
                self.coerce(value, &Ty::map(Ty::Any))
            }
        };
        Value::new(Expr::call("pulumi.NewAssetArchive", [map]), Ty::Archive)
    }
}
