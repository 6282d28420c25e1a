//! Calls of functions and methods of packages.

use pcl::document::{
    Call, Document, ExpressionIndex, ExpressionKind, MemberIndex, ObjectItem, ObjectRole, Type,
    TypeIndex,
};
use pcl_codegen::Limit;
use pcl_codegen::types::content;
use rustc_hash::FxHashSet;

use crate::convert::{Setter, builder};
use crate::module::{Value, Writer};
use crate::names::{property, sdk_class};
use crate::place::Place;
use crate::source::Side;
use crate::syntax::{Class, Expr, Member, Stmt, quote};
use crate::types::Ty;
use crate::value::counted;

impl<'d> Writer<'d> {
    /// `invoke("token", { .. }, { .. })`
    pub fn invoke(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let document = self.document;
        let Some(callee) = call.callee.as_ref() else {
            return self.fail(Limit::Unbound, index, "this function is not known");
        };
        let is_output = callee.is_output_form;
        let (class, method) = self.shared.packages.function(callee.member);
        let class = self.class(&class);
        let given = call.arguments.get(1..).unwrap_or_default();
        let inputs = self.inputs_of(call, 1);
        let object = given.first().copied();
        let mut arguments = Vec::new();
        let result = content(document, document.expression(index).ty);
        let is_single = is_single(document, result);
        let written = if callee.positional_inputs.is_empty() || is_single {
            let args = self.shared.packages.function_inputs(callee.member, !is_output);
            self.call_inputs(object, inputs, &args, is_output).map(|args| arguments.extend(args))
        } else {
            self.positional(object, inputs, &callee.positional_inputs)
                .map(|values| arguments.extend(values))
        };
        if let Err(message) = written {
            return self.fail(Limit::Call, index, message);
        }
        let waits = is_output && object.is_some_and(|object| self.is_known_later(object));
        let options = self.invoke_options(given.get(1).copied(), is_output, waits);
        let ty = self.types().sdk(result, Side::Given);
        if is_single {
            return self.single_invoke(callee.member, ty, arguments.pop(), options, is_output);
        }
        if let Some(options) = options {
            if arguments.is_empty() {
                arguments.push(Expr::text("InvokeArgs.Empty"));
            }
            arguments.push(options);
        }
        let method = if is_output { method } else { method + "Plain" };
        let call = Expr::text(class).method(&method, arguments);
        if is_output {
            return Value::new(call, Ty::output(ty));
        }
        Value::new(call.method("join", []), ty)
    }

    /// A call whose result is a single value. That of the SDK would read it as the whole result,
    /// which is an object with one entry.
    fn single_invoke(
        &mut self,
        function: MemberIndex,
        ty: Ty,
        arguments: Option<Expr>,
        options: Option<Expr>,
        is_output: bool,
    ) -> Value {
        let token = &self.document.member(function).token;
        let ty = Ty::map(ty.resolved());
        let utilities = self.shared.packages.utilities(function);
        let utilities = Expr::text(self.class(&utilities));
        let options = options.unwrap_or_else(|| Expr::text("InvokeOptions.Empty"));
        let call = Expr::text("Deployment").method("getInstance", []).method(
            if is_output { "invoke" } else { "invokeAsync" },
            [
                Expr::quoted(token),
                crate::config::shape(&ty),
                arguments.unwrap_or_else(|| Expr::text("InvokeArgs.Empty")),
                utilities.method("withVersion", [options]),
            ],
        );
        self.only_entry(if is_output {
            Value::new(call, Ty::output(ty))
        } else {
            Value::new(call.method("join", []), ty)
        })
    }

    /// The value of the only entry of a map.
    fn only_entry(&mut self, map: Value) -> Value {
        if map.ty.is_output() {
            return self.apply_one(map, "result", |writer, map| writer.only_entry(map));
        }
        let ty = map.ty.entry().unwrap_or(Ty::Any);
        let values = map.expr.method("values", []).method("iterator", []);
        Value::new(values.method("next", []), ty)
    }

    /// The type of the object with the inputs of a call.
    fn inputs_of(&self, call: &Call, at: usize) -> Option<TypeIndex> {
        let document = self.document;
        let declared = call.parameters.get(at).map(|parameter| parameter.ty);
        let expected =
            call.arguments.get(at).and_then(|&given| document.expression(given).expected);
        [declared, expected].into_iter().flatten().find_map(|ty| object_type(document, ty))
    }

    /// The inputs of a call, of the class with this path; `None` if none are given.
    fn call_inputs(
        &mut self,
        object: Option<ExpressionIndex>,
        inputs: Option<TypeIndex>,
        path: &str,
        is_output: bool,
    ) -> Result<Option<Expr>, &'static str> {
        let document = self.document;
        let items = self.items_of(object)?;
        let around = if is_output { Place::Input(Ty::Any) } else { Place::Plain(Ty::Any) };
        let mut setters: Vec<Setter> = Vec::new();
        let mut given = FxHashSet::default();
        for item in counted(document, items) {
            let Some(name) = document.key_text(item.key) else {
                return Err("the SDK takes the inputs of this call one by one");
            };
            let known = inputs.and_then(|inputs| document.property(inputs, &name));
            let place = match known {
                Some(known) => self.property_place(&around, known),
                None => around.clone(),
            };
            given.insert(name.clone().into_owned());
            let value = self.operand_in(item.value, &place);
            if !value.expr.is_null() {
                setters.push((Vec::new(), property(&name), value.expr));
            }
        }
        if let Some(inputs) = inputs {
            self.add_constants(inputs, &given, &around, &mut setters);
        }
        let has_inputs = inputs.is_some_and(|inputs| !document.properties(inputs).is_empty());
        if setters.is_empty() && !has_inputs {
            return Ok(None);
        }
        let class = self.class(path);
        Ok(Some(builder(&class, setters)))
    }

    fn items_of(&self, object: Option<ExpressionIndex>) -> Result<&'d [ObjectItem], &'static str> {
        let document = self.document;
        match object {
            None => Ok(&[]),
            Some(object) => match &document.expression(document.unconverted(object)).kind {
                ExpressionKind::Object { items } => Ok(items),
                _ if self.is_null(object) => Ok(&[]),
                _ => Err("the SDK takes the inputs of this call one by one"),
            },
        }
    }

    /// The inputs of a function that takes them in the order of `names`.
    fn positional(
        &mut self,
        object: Option<ExpressionIndex>,
        inputs: Option<TypeIndex>,
        names: &[String],
    ) -> Result<Vec<Expr>, &'static str> {
        let document = self.document;
        let items = self.items_of(object)?.to_vec();
        let around = Place::Plain(Ty::Any);
        let mut arguments = Vec::new();
        for name in names {
            let known = inputs.and_then(|inputs| document.property(inputs, name));
            let place = match known {
                Some(known) => self.property_place(&around, known),
                None => around.clone(),
            };
            let item =
                items.iter().rfind(|item| document.key_text(item.key).as_deref() == Some(name));
            arguments.push(match item {
                Some(item) => self.operand_in(item.value, &place).expr,
                None => Expr::null(),
            });
        }
        Ok(arguments)
    }

    /// Returns true if a part of a value is an output or a resource.
    fn is_known_later(&self, value: ExpressionIndex) -> bool {
        let document = self.document;
        document.walk(value).into_iter().any(|part| {
            let ty = document.expression(part).ty;
            let role = document.object(ty).and_then(|object| Some(object.schema?.role));
            document.is_eventual(ty) || role == Some(ObjectRole::Resource)
        })
    }

    /// The options of an invoke, which `waits` for the resources that its inputs depend on.
    fn invoke_options(
        &mut self,
        options: Option<ExpressionIndex>,
        is_output: bool,
        mut waits: bool,
    ) -> Option<Expr> {
        let document = self.document;
        let items = match self.items_of(options) {
            Ok(items) => items.to_vec(),
            Err(_) => {
                let place = options.map(|options| document.expression(options).range)?;
                let message =
                    "the SDK takes the options of an invoke one by one; they are left out";
                self.limit(Limit::Option, place, message);
                Vec::new()
            }
        };
        let mut setters: Vec<Setter> = Vec::new();
        let is_parent =
            |item: &ObjectItem| document.key_text(item.key).as_deref() == Some("parent");
        if self.component.is_some() && !items.iter().any(is_parent) {
            setters.push((Vec::new(), "parent".to_owned(), Expr::text("this")));
        }
        for item in counted(document, &items) {
            let name = document.key_text(item.key).unwrap_or_default();
            let place = document.expression(item.key).range;
            let text = Place::Plain(Ty::Text);
            let (setter, value) = match &*name {
                "provider" | "parent" => {
                    let value = self.operand(item.value);
                    if value.ty.is_output() {
                        let message = format!(
                            "the option `{name}` is left out: the SDK accepts no output here"
                        );
                        self.limit(Limit::Output, place, message);
                        continue;
                    }
                    (&*name, vec![value.expr])
                }
                "version" => ("version", vec![self.operand_in(item.value, &text).expr]),
                "pluginDownloadURL" | "pluginDownloadUrl" => {
                    ("pluginDownloadURL", vec![self.operand_in(item.value, &text).expr])
                }
                "dependsOn" if is_output => {
                    waits = true;
                    match self.plain_dependencies(item.value) {
                        Some(list) => ("dependsOn", list),
                        None => {
                            let message =
                                "`dependsOn` is left out: the SDK takes resources one by one";
                            self.limit(Limit::Option, place, message);
                            continue;
                        }
                    }
                }
                "dependsOn" => {
                    let message = "`dependsOn` is left out: only the form of the function that \
                                   gives an output waits for resources";
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
            for value in value {
                setters.push((Vec::new(), setter.to_owned(), value));
            }
        }
        if !waits {
            return (!setters.is_empty()).then(|| builder("InvokeOptions", setters));
        }
        // With the other options, the SDK would call as soon as the inputs are known.
        if setters.is_empty() {
            return Some(Expr::text("InvokeOutputOptions.Empty"));
        }
        // The class of options that wait has a constructor for its builder, and no function.
        let (resources, setters): (Vec<Setter>, Vec<Setter>) =
            setters.into_iter().partition(|(_, name, _)| name == "dependsOn");
        let start = Expr::new("InvokeOutputOptions.Builder", []);
        let with = |source: Expr, (_, name, value): Setter| source.method(&name, [value]);
        let source = setters.into_iter().fold(start, with);
        let resources: Vec<Expr> = resources.into_iter().map(|(_, _, value)| value).collect();
        Some(source.method("dependsOn", resources).method("build", []))
    }

    /// Resources that are there, one by one.
    fn plain_dependencies(&mut self, value: ExpressionIndex) -> Option<Vec<Expr>> {
        let document = self.document;
        let list = document.unconverted(value);
        let elements = match &document.expression(list).kind {
            ExpressionKind::Tuple { elements } => elements.clone(),
            _ => vec![list],
        };
        let mut found = Vec::new();
        for element in elements {
            let value = self.operand(element);
            match value.ty {
                Ty::Named(_) => found.push(value.expr),
                _ => return None,
            }
        }
        Some(found)
    }

    /// `call(resource, "method", { .. })`: the SDKs of packages have no methods, so that the
    /// program calls them by their tokens.
    pub fn method_call(&mut self, index: ExpressionIndex, call: &Call) -> Value {
        let &[resource, _, ref rest @ ..] = &call.arguments[..] else {
            return self.fail(Limit::Unbound, index, "this method is not known");
        };
        if call.callee.is_none() {
            return self.fail(Limit::Unbound, index, "this method is not known");
        }
        let object = self.operand(resource);
        let given = rest.first().copied();
        if object.ty.is_output() {
            let call = call.clone();
            return self.apply_one(object, "resource", |writer, value| {
                writer.method_of(index, &call, value, given)
            });
        }
        self.method_of(index, call, object, given)
    }

    fn method_of(
        &mut self,
        index: ExpressionIndex,
        call: &Call,
        object: Value,
        given: Option<ExpressionIndex>,
    ) -> Value {
        let document = self.document;
        let items = match self.items_of(given) {
            Ok(items) => counted(document, items),
            Err(message) => return self.fail(Limit::Call, index, message),
        };
        let mut inputs = Vec::new();
        for item in items {
            let name = document.key_text(item.key).unwrap_or_default().into_owned();
            let value = self.operand_in(item.value, &Place::Input(Ty::Any));
            inputs.push((name, value.expr));
        }
        let Some(callee) = &call.callee else { return Value::null() };
        let member = document.member(callee.member);
        let method = member.name.rsplit('/').next().unwrap_or_default();
        let args = if inputs.is_empty() {
            Expr::text("CallArgs.Empty")
        } else {
            let (names, values): (Vec<String>, Vec<Expr>) = inputs.into_iter().unzip();
            {
                let class = format!("{}Arguments", sdk_class(method));
                let comment = format!("The arguments of the method {method}.");
                Expr::new(self.arguments_class(&class, "CallArgs", comment, &names), values)
            }
        };
        let result = document.expression(index).ty;
        let is_late = document.is_eventual(result);
        let is_single = is_single(document, content(document, result));
        let ty = if is_single {
            self.types().value(content(document, result)).resolved()
        } else {
            Ty::Any
        };
        let ty = Ty::map(ty);
        let arguments = [Expr::quoted(&member.token), crate::config::shape(&ty), args, object.expr];
        let output = Expr::text("Deployment").method("getInstance", []).method("call", arguments);
        let value = if is_late {
            Value::new(output, Ty::output(ty))
        } else {
            let known = Expr::call("Internal.of", [output]).method("getValueNullable", []);
            Value::new(known.method("join", []), ty)
        };
        if is_single { self.only_entry(value) } else { value }
    }

    /// A class for inputs with these names, which no SDK has.
    pub fn arguments_class(
        &mut self,
        name: &str,
        base: &str,
        comment: String,
        names: &[String],
    ) -> String {
        let class = self.imports.reserve(name);
        let mut own = crate::names::names();
        let fields: Vec<String> = names.iter().map(|name| own.take(name)).collect();
        let mut members: Vec<Member> = Vec::new();
        for (name, field) in names.iter().zip(&fields) {
            let annotation = Some(("Import".to_owned(), vec![format!("name = {}", quote(name))]));
            members
                .push(Member::Field { annotation, text: format!("private final Object {field};") });
        }
        members.push(Member::Method {
            comments: Vec::new(),
            head: format!("private {class}"),
            parameters: fields.iter().map(|field| format!("Object {field}")).collect(),
            body: (fields.iter())
                .map(|field| Stmt::assign(format!("this.{field}"), Expr::text(field)))
                .collect(),
        });
        self.members.push(Member::Class(Class {
            comments: vec![comment],
            head: format!("private static final class {class} extends {base}"),
            members,
        }));
        class
    }
}

/// Returns true if the result of a call has this type and is a single value, and not an object.
fn is_single(document: &Document, ty: TypeIndex) -> bool {
    let kinds = document.plain(ty);
    let is_other = |kind: &TypeIndex| match document.ty(*kind) {
        Type::Object(_) => !is_resource(document, *kind),
        kind => matches!(kind, Type::Dynamic | Type::None),
    };
    !kinds.is_empty() && !kinds.iter().any(is_other)
}

/// Returns true for the type of a resource.
pub(crate) fn is_resource(document: &Document, ty: TypeIndex) -> bool {
    let Type::Object(object) = document.ty(ty) else { return false };
    let role = object.schema.map(|schema| schema.role);
    matches!(role, Some(ObjectRole::Resource | ObjectRole::ResourceReference))
}

/// The object type that a type allows.
pub(crate) fn object_type(document: &Document, ty: TypeIndex) -> Option<TypeIndex> {
    let kinds = document.plain(ty);
    kinds.into_iter().find(|&kind| matches!(document.ty(kind), Type::Object(_)))
}
