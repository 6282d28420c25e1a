//! Types, resources, the provider and functions.

use pcl_diagnostics::{Code, Diagnostic, Severity, Span};
use rustc_hash::FxHashSet;

use super::{Decoder, Path, boxed, boxed_text, non_empty};
use crate::diagnostic::FORMS;
use crate::json::{Scalar, Text};
use crate::raw::{RawEntries, RawEnumValue, RawFunction, RawObject, RawResource, RawReturn};
use crate::spec::sort_keeping_last;
use crate::{
    EnumSpec, EnumValue, FunctionSpec, MethodSpec, Primitive, Properties, Reference, ResourceSpec,
    ReturnSpec, Section, TypeDef, TypeKind, diagnostic,
};

impl Decoder<'_> {
    pub fn type_def(&mut self, raw: RawObject<'_>) -> TypeDef {
        let path = Path::MEMBER;
        if raw.word.as_deref() == Some("object") {
            return TypeDef::Object(self.object(raw, path));
        }
        let word = raw.word.as_deref().unwrap_or_default();
        let element = Primitive::parse(word);
        if element.is_none() {
            self.report(path.key("type"), |at| enum_not_primitive(at, word));
        }
        let list = path.key("enum");
        if raw.values.is_none() {
            self.strict(path, neither_object_nor_enum);
        }
        let values = raw.values.unwrap_or_default();
        let values = values
            .into_iter()
            .enumerate()
            .filter_map(|(number, value)| self.enum_value(value, element, list.index(number)));
        let values: Vec<EnumValue> = values.collect();
        let has_deprecated = values.iter().any(|value| value.deprecation_message.is_some());
        TypeDef::Enum(EnumSpec { element, values, has_deprecated })
    }

    fn enum_value(
        &mut self,
        raw: RawEnumValue<'_>,
        element: Option<Primitive>,
        path: Path<'_>,
    ) -> Option<EnumValue> {
        if raw.value.is_none() {
            self.strict(path, enum_without_value);
        }
        let value = self.constant(raw.value?, element?, path.key("value"))?;
        Some(EnumValue {
            value,
            name: boxed(raw.name),
            deprecation_message: non_empty(raw.deprecation),
        })
    }

    pub fn resource(&mut self, raw: RawResource<'_>) -> ResourceSpec {
        let path = Path::MEMBER;
        if matches!(raw.plain_inputs, Some(Scalar::List(1..))) {
            self.report(path.key("plainInputs"), |at| diagnostic::plain_list(at, "plainInputs"));
        }
        let properties = self.object(raw.object, path);
        let inputs = raw.inputs.unwrap_or_default();
        let required_inputs = raw.required_inputs.unwrap_or_default();
        let inputs =
            self.properties(inputs, &required_inputs, path, "inputProperties", "requiredInputs");
        let state_inputs =
            raw.state_inputs.map(|state| self.object(state, path.key("stateInputs")));
        let list_inputs = raw.list_inputs.map(|list| self.object(list, path.key("listInputs")));
        if let Some(state) = &state_inputs
            && state.contains_key("id")
        {
            let path = path.key("stateInputs");
            let path = path.key("properties");
            self.report(path.key("id"), state_input_id);
        }
        let outputs = path.key("properties");
        let is_component = raw.is_component.unwrap_or(false);
        for (name, reserved) in [("urn", true), ("id", !is_component)] {
            if reserved && properties.contains_key(name) {
                self.strict(outputs.key(name), |at| hidden_by_resource(at, name));
            }
        }
        let methods = self.methods(raw.methods.unwrap_or_default(), &properties, path);
        ResourceSpec {
            properties,
            inputs,
            state_inputs,
            list_inputs,
            methods,
            is_component,
            deprecation_message: non_empty(raw.deprecation),
        }
    }

    /// The provider: some inputs belong to the engine, and only outputs that are strings can be
    /// read back.
    pub fn provider(&mut self, raw: RawResource<'_>) -> ResourceSpec {
        let mut spec = self.resource(raw);
        if spec.inputs.contains_key("version") {
            let inputs = Path::MEMBER.key("inputProperties");
            self.report(inputs.key("version"), provider_version);
        }
        let package = self.package;
        spec.properties.retain(|_, property| match &property.ty.kind {
            TypeKind::Primitive(primitive) => *primitive == Primitive::String,
            TypeKind::Reference(Reference::Type(id)) => {
                package.type_word(*id) == Some(Primitive::String)
            }
            TypeKind::Reference(Reference::Dangling { underlying, .. }) => {
                *underlying == Some(Primitive::String)
            }
            _ => false,
        });
        spec
    }

    fn methods(
        &mut self,
        raw: RawEntries<'_, Text<'_>>,
        properties: &Properties,
        path: Path<'_>,
    ) -> Vec<MethodSpec> {
        let path = path.key("methods");
        let mut methods = Vec::with_capacity(raw.0.len());
        for (name, token) in raw.0 {
            let path = path.key(&name);
            let function = self.package.find(Section::Functions, &token);
            let owner = self.package.token(self.member);
            match function {
                None => {
                    let meant = self.meant_token(Section::Functions, &token);
                    self.report(path, |at| unknown_method(at, &token, meant));
                }
                Some(id) => {
                    self.references.insert(id);
                }
            }
            if token.rsplit_once('/').is_none_or(|(resource, _)| resource != owner) {
                self.report(path, |at| method_token(at, owner, &token));
            }
            if properties.contains_key(&name) {
                self.report(path, |at| method_and_property(at, &name));
            }
            methods.push((boxed_text(name), (boxed_text(token), function)));
        }
        let methods = sort_keeping_last(methods).into_iter();
        methods.map(|(name, (token, function))| MethodSpec { name, token, function }).collect()
    }

    pub fn function(&mut self, raw: RawFunction<'_>) -> FunctionSpec {
        let path = Path::MEMBER;
        let inputs = raw.inputs.map(|inputs| self.object(inputs, path.key("inputs")));
        let order = raw.multi_argument.unwrap_or_default();
        self.multi_argument(&order, inputs.as_ref(), path.key("multiArgumentInputs"));
        let mut returns_plain = false;
        let returns = raw.outputs.and_then(|outputs| {
            returns_plain = matches!(outputs.ty.plain, Some(Scalar::Boolean(true)));
            self.returns(outputs, path.key("outputs"))
        });
        FunctionSpec {
            inputs,
            multi_argument_inputs: order.into_iter().map(boxed_text).collect(),
            returns,
            returns_plain,
            has_plain_form: raw.plain.unwrap_or(true),
            deprecation_message: non_empty(raw.deprecation),
        }
    }

    fn returns(&mut self, raw: RawReturn<'_>, path: Path<'_>) -> Option<ReturnSpec> {
        if let Some(properties) = raw.properties {
            if matches!(raw.ty.plain, Some(Scalar::List(1..))) {
                self.report(path.key("plain"), |at| diagnostic::plain_list(at, "plain"));
            }
            let required = raw.required.unwrap_or_default();
            return Some(ReturnSpec::Object(self.properties(
                properties,
                &required,
                path,
                "properties",
                "required",
            )));
        }
        let ty = raw.ty;
        if ty.word.is_none()
            && ty.reference.is_none()
            && ty.one_of.is_none()
            && raw.required.is_none()
        {
            return None;
        }
        Some(ReturnSpec::Type(self.ty(ty, path)))
    }

    fn multi_argument(&mut self, order: &[Text<'_>], inputs: Option<&Properties>, path: Path<'_>) {
        if order.is_empty() {
            return;
        }
        let Some(inputs) = inputs else {
            self.report(path, order_without_inputs);
            return;
        };
        let mut named: FxHashSet<&str> = FxHashSet::default();
        for (number, name) in order.iter().enumerate() {
            if !named.insert(name) || !inputs.contains_key(name) {
                self.report(path.index(number), |at| no_input_or_twice(at, name));
            }
        }
        for name in inputs.names() {
            if !named.contains(name) {
                self.report(path, |at| missing_in_order(at, name));
            }
        }
    }
}

/// An entry of an enumeration has no value.
fn enum_without_value(at: Span) -> Diagnostic {
    diagnostic::bad_constant(at, "this value of the enumeration is missing `value`")
}

/// The function of a method does not exist.
fn unknown_method(at: Span, token: &str, meant: Option<&str>) -> Diagnostic {
    let meant = diagnostic::did_you_mean(meant);
    diagnostic::bad_method(at, format!("the package has no function `{token}`{meant}"))
}

/// The token of a method does not begin with that of its resource.
fn method_token(at: Span, owner: &str, token: &str) -> Diagnostic {
    diagnostic::bad_method(at, format!("the token of a method is `{owner}/NAME`, not `{token}`"))
}

/// A method and a property have one name.
fn method_and_property(at: Span, name: &str) -> Diagnostic {
    diagnostic::bad_method(at, format!("there is also a property `{name}`"))
}

fn bad_order(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaMultiArgument, at, message)
        .help("list every input once, in the order of the arguments")
}

/// A function without inputs has an order of them.
fn order_without_inputs(at: Span) -> Diagnostic {
    bad_order(at, "the function has no inputs to order".to_owned())
}

/// The order has an unknown or a duplicate input.
fn no_input_or_twice(at: Span, name: &str) -> Diagnostic {
    bad_order(at, format!("`{name}` is not an input, or is listed twice"))
}

/// The order lacks an input.
fn missing_in_order(at: Span, name: &str) -> Diagnostic {
    bad_order(at, format!("the input `{name}` is missing"))
}

/// The state inputs declare `id`.
fn state_input_id(at: Span) -> Diagnostic {
    diagnostic::bad_name(
        Severity::Error,
        at,
        "`id` is always a state input and cannot be declared again",
    )
}

/// A property has the name of one that every resource has.
fn hidden_by_resource(at: Span, name: &str) -> Diagnostic {
    diagnostic::bad_name(
        Severity::Warning,
        at,
        format!("every resource has a property `{name}`, which hides this one"),
    )
}

/// A provider has an input `version`.
fn provider_version(at: Span) -> Diagnostic {
    diagnostic::bad_name(
        Severity::Error,
        at,
        "`version` cannot be an input of a provider: it selects the plugin",
    )
}

/// An entry of `types` is not an object type and has no `enum`.
fn neither_object_nor_enum(at: Span) -> Diagnostic {
    diagnostic::bad_type(at, "expected an object type or an enumeration: `enum` is missing", FORMS)
}

/// The type of an enumeration is not a primitive type.
fn enum_not_primitive(at: Span, word: &str) -> Diagnostic {
    diagnostic::bad_type(
        at,
        format!("the type of an enumeration is boolean, integer, number or string, not `{word}`"),
        FORMS,
    )
}
