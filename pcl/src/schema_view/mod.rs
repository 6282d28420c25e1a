//! Members of packages as people and tools want to see them: what a resource takes and gives, and a
//! program that uses it.

mod lookup;
mod search;
mod skeleton;
mod text;

pub use lookup::{LookupError, Subject, find_members, load_package, look_up};
pub use lookup::{Needed, PackageView};
pub use search::{
    Hit, is_of_old_module, members_called, package_called, search, search_names, sort_hits,
};
pub use skeleton::{Extent, example};
pub use text::summary;

use pcl_binder::schema_types::primitive_type;
use pcl_model::types::TypeStore;
use pcl_schema::{
    Constant, MemberId, Package, Properties, ResourceSpec, ReturnSpec, Section, TypeDef, Wording,
};
use serde::Serialize;
use serde_json::Value;

/// The sections of a schema, in the order in which they are listed.
pub const SECTIONS: [Section; 3] = [Section::Resources, Section::Functions, Section::Types];

/// A member, ready to be printed.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct View {
    /// The package.
    pub package: String,
    /// Its version, if it is known.
    pub version: Option<String>,
    /// `resource`, `component`, `provider`, `function`, `method`, `object` or `enum`.
    pub kind: &'static str,
    /// The token in the schema.
    pub token: String,
    /// The form of the token that a bound program shows.
    pub canonical: Option<String>,
    /// The description, in Markdown.
    pub description: Option<String>,
    /// The deprecation message.
    pub deprecation: Option<String>,
    /// The types that it had before, by their tokens.
    pub aliases: Vec<String>,
    /// The inputs.
    pub inputs: Vec<Property>,
    /// The inputs for looking up an existing resource.
    pub state_inputs: Vec<Property>,
    /// The filter of a listing of such resources; `None` when they cannot be listed.
    pub list_inputs: Option<Vec<Property>>,
    /// The outputs; the properties of an object type.
    pub outputs: Vec<Property>,
    /// The result of a function, unless it is an object.
    pub returns: Option<String>,
    /// The methods of a resource.
    pub methods: Vec<Method>,
    /// The values of an enumeration.
    pub values: Vec<EnumValue>,
    /// A program that uses it, with what is required filled in.
    pub program: Option<String>,
}

/// A property.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its type, such as `list(string)`; tokens are shown as they are.
    #[serde(rename = "type")]
    pub ty: String,
    /// Set if an input is required, or an output always present.
    pub required: bool,
    /// Set if the value is secret.
    pub secret: bool,
    /// Set if a change replaces the resource.
    pub replaces: bool,
    /// The only value that it may have.
    pub constant: Option<Value>,
    /// The value that it has when none is given.
    pub default: Option<Value>,
    /// The description, in Markdown.
    pub description: Option<String>,
    /// The deprecation message.
    pub deprecation: Option<String>,
}

/// A method.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Method {
    /// The name that programs call it by.
    pub name: String,
    /// The token of its function.
    pub token: String,
}

/// A value of an enumeration.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct EnumValue {
    /// The value.
    pub value: Value,
    /// Its name in generated code.
    pub name: Option<String>,
    /// The deprecation message.
    pub deprecation: Option<String>,
}

impl View {
    /// Looks at a member; the error says why it cannot be read.
    #[expect(
        clippy::indexing_slicing,
        reason = "indexing a JSON value returns null for an absent key"
    )]
    pub fn of(package: &Package, member: MemberId) -> Result<Self, pcl_schema::MemberError> {
        let token = package.token(member).to_owned();
        let json = package.json(member).unwrap_or_default();
        let mut view = Self {
            package: package.name().to_owned(),
            version: package.version().map(ToString::to_string),
            kind: package.section(member).noun(),
            // Those of the engine are written one way only.
            canonical: Some(&token)
                .filter(|token| !token.starts_with("pulumi:"))
                .and_then(|token| package.canonical(token)),
            description: text_at(&json, "description"),
            deprecation: text_at(&json, "deprecationMessage"),
            aliases: aliases(&json["aliases"]),
            inputs: Vec::new(),
            state_inputs: Vec::new(),
            list_inputs: None,
            outputs: Vec::new(),
            returns: None,
            methods: Vec::new(),
            values: Vec::new(),
            program: None,
            token,
        };
        let list = |spec: &Properties, json: &Value| properties(package, spec, json);
        if let Some(spec) = package.resource_by_id(member)? {
            view.kind = match package.section(member) {
                Section::Provider => "provider",
                _ if spec.is_component => "component",
                _ => "resource",
            };
            view.inputs = list(&spec.inputs, &json["inputProperties"]);
            view.outputs = list(&spec.properties, &json["properties"]);
            let lists = |spec: &Option<Properties>, key: &str| {
                spec.as_ref().map(|spec| list(spec, &json[key]["properties"]))
            };
            view.state_inputs = lists(&spec.state_inputs, "stateInputs").unwrap_or_default();
            view.list_inputs = lists(&spec.list_inputs, "listInputs");
            view.methods = methods(spec);
            view.program = example(package, member, Extent::Smallest);
        } else if let Some(spec) = package.function_by_id(member)? {
            let inputs = spec.inputs.as_ref();
            let is_method = inputs.is_some_and(|inputs| inputs.contains_key("__self__"));
            view.kind = if is_method { "method" } else { "function" };
            if let Some(inputs) = inputs {
                view.inputs = list(inputs, &json["inputs"]["properties"]);
            }
            match &spec.returns {
                Some(ReturnSpec::Object(outputs)) => {
                    view.outputs = list(outputs, &json["outputs"]["properties"]);
                }
                Some(ReturnSpec::Type(ty)) => view.returns = Some(text::display(package, ty)),
                None => {}
            }
            view.program = example(package, member, Extent::Smallest);
        } else if let Some(spec) = package.type_by_id(member)? {
            match spec {
                TypeDef::Object(outputs) => {
                    view.kind = "object";
                    view.outputs = list(outputs, &json["properties"]);
                }
                TypeDef::Enum(spec) => {
                    view.kind = "enum";
                    view.returns =
                        spec.element.map(|element| TypeStore::new().text(primitive_type(element)));
                    let values = spec.values.iter().map(|value| EnumValue {
                        value: constant(&value.value),
                        name: value.name.as_deref().map(str::to_owned),
                        deprecation: value.deprecation_message.as_deref().map(worded),
                    });
                    view.values = values.collect();
                }
            }
        }
        Ok(view)
    }
}

fn properties(package: &Package, properties: &Properties, json: &Value) -> Vec<Property> {
    let property = |(name, spec): (&str, &pcl_schema::PropertySpec)| Property {
        name: name.to_owned(),
        ty: text::display(package, &spec.ty),
        required: spec.required,
        secret: spec.secret,
        replaces: spec.replace_on_changes,
        constant: spec.constant.as_ref().map(constant),
        default: spec.default.as_ref().map(constant),
        description: text_at(&json[name], "description"),
        deprecation: spec.deprecation_message.as_deref().map(worded),
    };
    properties.iter().map(property).collect()
}

fn methods(spec: &ResourceSpec) -> Vec<Method> {
    let method = |method: &pcl_schema::MethodSpec| Method {
        name: method.name.to_string(),
        token: method.token.to_string(),
    };
    spec.methods.iter().map(method).collect()
}

/// Aliases are tokens, or objects with one; of old documents some have none.
fn aliases(json: &Value) -> Vec<String> {
    let tokens = json.as_array().into_iter().flatten();
    let token = |alias: &Value| Some(alias.as_str().or(alias["type"].as_str())?.to_owned());
    tokens.filter_map(token).collect()
}

fn text_at(json: &Value, key: &str) -> Option<String> {
    let text = json.get(key)?.as_str()?.trim();
    (!text.is_empty()).then(|| worded(text))
}

/// A text of a schema, with the names that PCL has.
fn worded(text: &str) -> String {
    Wording::Pcl.of(text).into_owned()
}

fn constant(constant: &Constant) -> Value {
    match constant {
        Constant::Boolean(value) => (*value).into(),
        // Whole numbers are shown without a fraction.
        Constant::Number(value) if value.fract() == 0.0 && value.abs() < 1e15 => {
            (*value as i64).into()
        }
        Constant::Number(value) => (*value).into(),
        Constant::String(value) => (**value).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of a schema is shown with the names of PCL, in every view.
    #[test]
    fn no_view_shows_the_names_of_other_languages() {
        let tag = r#"<span pulumi-lang-nodejs=\"`own`\" pulumi-lang-go=\"`Own`\">`Own`</span>."#;
        let texts = format!(r#""description": "A {tag}", "deprecationMessage": "No {tag}""#);
        let property = format!(r#""p": {{ "type": "string", {texts} }}"#);
        let schema = format!(
            r##"{{ "name": "a", {texts}, "config": {{ "variables": {{ {property} }} }},
            "provider": {{ {texts}, "inputProperties": {{ {property} }} }},
            "types": {{
              "a:b:O": {{ "type": "object", {texts}, "properties": {{ {property} }} }},
              "a:b:E": {{ "type": "string", {texts}, "enum": [{{ "value": "x", {texts} }}] }} }},
            "resources": {{ "a:b:R": {{ {texts}, "inputProperties": {{ {property} }},
              "properties": {{ {property} }},
              "stateInputs": {{ "properties": {{ {property} }} }},
              "listInputs": {{ "properties": {{ {property} }} }} }} }},
            "functions": {{ "a:b:f": {{ {texts},
              "inputs": {{ "properties": {{ {property} }} }},
              "outputs": {{ "properties": {{ {property} }} }} }} }} }}"##
        );
        let package = Package::from_bytes(schema).unwrap();
        let whole = PackageView::of(&package).unwrap();
        let mut shown = vec![whole.text(true), serde_json::to_string(&whole).unwrap()];
        for section in [&SECTIONS[..], &[Section::Provider]].concat() {
            for member in package.members(section) {
                let view = View::of(&package, member).unwrap();
                shown.extend([view.text(true), view.text(false)]);
                shown.push(serde_json::to_string(&view).unwrap());
            }
        }
        let hits = search(&package, &["own".to_owned()]);
        assert_eq!(hits.len(), 4);
        shown.extend(hits.into_iter().map(|hit| hit.summary));
        for text in shown {
            assert!(text.contains("`own`"), "{text}");
            assert!(!text.contains("span") && !text.contains("Own"), "{text}");
        }
    }
}
