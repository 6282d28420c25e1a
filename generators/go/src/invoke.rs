//! Calls of functions and methods of packages.

use pcl::document::{Call, Document, ExpressionIndex, ExpressionKind, ObjectItem, Type, TypeIndex};
use pcl_codegen::Limit;
use pcl_codegen::types::content;
use rustc_hash::FxHashSet;

use crate::module::{Value, Writer};
use crate::names::{field, title};
use crate::place::Place;
use crate::syntax::{Expr, Item};
use crate::types::{Kind, Ty};
use crate::value::{counted, record};

impl Writer<'_> {
    /// `invoke("token", { .. }, { .. })`
    pub fn invoke(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let document = self.document;
        let named = call.arguments.first().and_then(|&token| document.literal_string(token));
        let callee = call.callee.as_ref();
        let token = callee.map(|callee| callee.token.as_str()).or(named);
        let path = token.and_then(|token| {
            let member = callee.map(|callee| callee.member);
            self.shared.packages.function(member, token)
        });
        let (Some(path), Some(callee)) = (path, callee) else {
            return self.fail(Limit::Unbound, index, "this function is not known");
        };
        let is_output = callee.is_output_form;
        let given = call.arguments.get(1..).unwrap_or_default();
        let inputs = self.inputs_of(call, 1);
        let name = self.member(&path);
        let suffix = if is_output { "Output" } else { "" };
        let mut arguments = vec![Expr::text("ctx")];
        let object = given.first().copied();
        if callee.positional_inputs.is_empty() {
            let ty = format!("{name}{suffix}Args");
            match self.call_inputs(object, inputs, &ty, is_output) {
                Ok(Some(inputs)) if is_output => arguments.push(inputs),
                Ok(Some(inputs)) => arguments.push(Expr::unary("&", inputs)),
                Ok(None) => {}
                Err(message) => return self.fail(Limit::Call, index, message),
            }
        } else {
            match self.positional(object, inputs, &callee.positional_inputs, is_output) {
                Some(values) => arguments.extend(values),
                None => {
                    let message = "the SDK takes the inputs of this function one by one";
                    return self.fail(Limit::Call, index, message);
                }
            }
        }
        let options = self.invoke_options(given.get(1).copied(), is_output);
        arguments.extend(options);
        let result = content(document, document.expression(index).ty);
        let ty = self.types().sdk(result);
        let call = Expr::call(format!("{name}{suffix}"), arguments);
        if is_output {
            return Value::new(call, Ty::output(ty));
        }
        let value = self.hoist_call("result", call, ty.clone());
        match &ty {
            // It is a pointer to the result.
            Ty::Named(named) if named.kind == Kind::Struct => {
                Value::new(Expr::unary("*", value.expr), ty)
            }
            _ => value,
        }
    }

    /// The type of the object with the inputs of a call.
    fn inputs_of(&self, call: &Call, at: usize) -> Option<TypeIndex> {
        let document = self.document;
        let declared = call.parameters.get(at).map(|parameter| parameter.ty);
        let expected =
            call.arguments.get(at).and_then(|&given| document.expression(given).expected);
        [declared, expected].into_iter().flatten().find_map(|ty| object_type(document, ty))
    }

    /// The inputs of a call as a struct; `None` if the function takes none.
    fn call_inputs(
        &mut self,
        object: Option<ExpressionIndex>,
        inputs: Option<TypeIndex>,
        ty: &str,
        is_output: bool,
    ) -> Result<Option<Expr>, &'static str> {
        let document = self.document;
        let known = inputs.map_or_else(Vec::new, |inputs| document.properties(inputs));
        let items: &[ObjectItem] = match object {
            None => &[],
            Some(object) => match &document.expression(document.unconverted(object)).kind {
                ExpressionKind::Object { items } => items,
                _ => return Err("the SDK takes the inputs of this call one by one"),
            },
        };
        // A schema may give a function inputs without properties; a method has none then.
        let is_function = inputs.is_some_and(|inputs| {
            let schema = document.object(inputs).and_then(|object| object.schema);
            let member = schema.map(|schema| document.member(schema.member));
            member.is_some_and(|member| !member.name.contains('/'))
        });
        let has_none = known.iter().all(|property| property.name == "__self__");
        if has_none && items.is_empty() && !is_function {
            return Ok(None);
        }
        let around = if is_output { Place::input(Ty::Any, false) } else { Place::Plain(Ty::Any) };
        let mut fields: Vec<Item> = Vec::new();
        let mut given = FxHashSet::default();
        for item in counted(document, items) {
            let Some(name) = document.key_text(item.key) else {
                return Err("the SDK takes the inputs of this call one by one");
            };
            let property = inputs.and_then(|inputs| document.property(inputs, &name));
            let place = match property {
                Some(property) => self.property_place(&around, property.ty, property.plain),
                None => around.clone(),
            };
            given.insert(name.clone().into_owned());
            let value = self.operand_in(item.value, &place);
            if !value.is_nil() {
                fields.push(Item::keyed(field(&name), value));
            }
        }
        if let Some(inputs) = inputs {
            self.add_constants(inputs, &given, &around, &mut fields);
        }
        let on_lines = !fields.is_empty();
        Ok(Some(Expr::Composite { ty: ty.to_owned(), items: fields, on_lines }))
    }

    /// The inputs of a function that takes them in the order of `names`.
    fn positional(
        &mut self,
        object: Option<ExpressionIndex>,
        inputs: Option<TypeIndex>,
        names: &[String],
        is_output: bool,
    ) -> Option<Vec<Expr>> {
        let document = self.document;
        let items: &[ObjectItem] = match object {
            None => &[],
            Some(object) => match &document.expression(document.unconverted(object)).kind {
                ExpressionKind::Object { items } => items,
                _ => return None,
            },
        };
        let around = if is_output { Place::input(Ty::Any, false) } else { Place::Plain(Ty::Any) };
        let mut arguments = Vec::new();
        for name in names {
            let property = inputs.and_then(|inputs| document.property(inputs, name));
            let place = match property {
                Some(property) => self.property_place(&around, property.ty, property.plain),
                None => around.clone(),
            };
            let item =
                items.iter().rfind(|item| document.key_text(item.key).as_deref() == Some(name));
            arguments.push(match item {
                Some(item) => self.operand_in(item.value, &place),
                None => Expr::nil(),
            });
        }
        Some(arguments)
    }

    fn invoke_options(&mut self, options: Option<ExpressionIndex>, is_output: bool) -> Vec<Expr> {
        let document = self.document;
        let parent = || Expr::call("pulumi.Parent", [Expr::text("component")]);
        let mut all = Vec::new();
        let items: &[ObjectItem] = match options {
            None => &[],
            Some(options) => match &document.expression(document.unconverted(options)).kind {
                ExpressionKind::Object { items } => items,
                _ => {
                    let place = document.expression(options).range;
                    let message =
                        "the SDK takes the options of an invoke one by one; they are left out";
                    self.limit(Limit::Option, place, message);
                    &[]
                }
            },
        };
        let is_parent =
            |item: &ObjectItem| document.key_text(item.key).as_deref() == Some("parent");
        if self.component.is_some() && !items.iter().any(is_parent) {
            all.push(parent());
        }
        for item in counted(document, items) {
            let name = document.key_text(item.key).unwrap_or_default();
            let place = document.expression(item.key).range;
            let text = Place::Plain(Ty::Text);
            let option = match &*name {
                "provider" | "parent" => {
                    let value = self.operand(item.value);
                    if value.ty.is_output() {
                        let message = format!(
                            "the option `{name}` is left out: the SDK accepts no output here"
                        );
                        self.limit(Limit::Output, place, message);
                        continue;
                    }
                    let function =
                        if name == "parent" { "pulumi.Parent" } else { "pulumi.Provider" };
                    Expr::call(function, [value.expr])
                }
                "version" => {
                    let value = self.operand_in(item.value, &text);
                    Expr::call("pulumi.Version", [value])
                }
                "pluginDownloadURL" | "pluginDownloadUrl" => {
                    let value = self.operand_in(item.value, &text);
                    Expr::call("pulumi.PluginDownloadURL", [value])
                }
                "dependsOn" if is_output => self.depends_on(item.value),
                "dependsOn" => {
                    let message = "`dependsOn` is left out: only the form of the function that gives an output waits for resources";
                    self.limit(Limit::Option, place, message);
                    continue;
                }
                _ => {
                    let message =
                        format!("the SDK has no option `{name}` of invokes; it is left out");
                    self.limit(Limit::Option, place, message);
                    continue;
                }
            };
            all.push(option);
        }
        all
    }

    /// `call(resource, "method", { .. })`
    pub fn method_call(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let document = self.document;
        let &[resource, method, ref rest @ ..] = &call.arguments[..] else {
            return self.fail(Limit::Unbound, index, "this method is not known");
        };
        let Some(method) = document.literal_string(method) else {
            let message = "the name of the method is not written out";
            return self.fail(Limit::Call, index, message);
        };
        let object = self.operand(resource);
        if object.ty.is_output() {
            let rest = rest.first().copied();
            let call = call.clone();
            return self.apply_one(object, "resource", |writer, value| {
                writer.method_of(index, &call, value, method, rest)
            });
        }
        self.method_of(index, call, object, method, rest.first().copied())
    }

    fn method_of(
        &mut self,
        index: ExpressionIndex,
        call: &Call,
        object: Value,
        method: &str,
        given: Option<ExpressionIndex>,
    ) -> Value {
        let document = self.document;
        let Ty::Named(named) = &object.ty else {
            return self.fail(Limit::Call, index, "the type of this resource is not known");
        };
        let name = named.name.clone();
        let inputs = self.inputs_of(call, 2);
        let mut arguments = vec![Expr::text("ctx")];
        let ty = format!("{name}{}Args", title(method));
        match self.call_inputs(given, inputs, &ty, true) {
            Ok(Some(inputs)) => arguments.push(Expr::unary("&", inputs)),
            Ok(None) => {}
            Err(message) => return self.fail(Limit::Call, index, message),
        }
        let call_of = object.expr.method(&title(method), arguments);
        let result = document.expression(index).ty;
        let is_late = document.is_eventual(result);
        let result = content(document, result);
        let ty = self.types().sdk(result);
        if !is_late {
            return self.hoist_call("result", call_of, ty);
        }
        let package = call.callee.as_ref().map(|callee| document.member(callee.member));
        let lifts = package.is_some_and(|member| {
            let settings = self.shared.packages.settings(&member.package);
            settings.is_some_and(|go| go.lift_single_value_method_returns)
        });
        let single =
            object_type(document, result).and_then(
                |object| match document.properties(object)[..] {
                    [only] if lifts => Some(only),
                    _ => None,
                },
            );
        let Some(property) = single else {
            return self.hoist_call("result", call_of, Ty::output(ty));
        };
        // The SDK gives the only property of the result in its place.
        let own = self.types().property(property);
        let value = self.hoist_call("result", call_of, Ty::output(own));
        let name = property.name.clone();
        self.apply_one(value, "result", |_, value| record(vec![(name, value)]))
    }

    /// `ResourceExists(ctx, id, state)`
    pub fn exists(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let document = self.document;
        let &[token, id, ref state @ ..] = &call.arguments[..] else {
            return self.fail(Limit::Call, index, "the id of the resource is missing");
        };
        let path = document
            .literal_string(token)
            .and_then(|token| self.shared.packages.resource(None, token));
        let Some(path) = path else {
            return self.fail(Limit::Unbound, index, "the type of this resource is not known");
        };
        let name = self.member(&path);
        let id = self.operand_in(id, &Place::input(Ty::Text, false));
        let mut arguments = vec![Expr::text("ctx"), id];
        let given = state.first().copied().filter(|&state| !self.is_null(state));
        let inputs = self.inputs_of(call, 2);
        arguments.push(match given {
            None => Expr::nil(),
            Some(given) => {
                match self.call_inputs(Some(given), inputs, &format!("{name}State"), true) {
                    Ok(Some(state)) => Expr::unary("&", state),
                    Ok(None) => Expr::nil(),
                    Err(message) => return self.fail(Limit::Call, index, message),
                }
            }
        });
        Value::new(Expr::call(format!("{name}Exists"), arguments), Ty::output(Ty::Bool))
    }
}

/// The object type that a type allows.
fn object_type(document: &Document, ty: TypeIndex) -> Option<TypeIndex> {
    let kinds = document.plain(ty);
    kinds.into_iter().find(|&kind| matches!(document.ty(kind), Type::Object(_)))
}
