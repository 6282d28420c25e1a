//! The vectors for `invoke` and `call` (`tests/vectors/expressions_invoke.json`): whole programs
//! over a small package.

use std::sync::Arc;

use pcl_binder::{Bound, Options, Sources, bind};
use pcl_diagnostics::SourceMap;
use pcl_model::expression::Call;
use pcl_model::types::{TypeId, TypeStore};
use pcl_schema::MemoryLoader;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::type_text::parse_type;

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
pub struct Vector {
    pub id: String,
    program: String,
    #[serde(default)]
    options: Vec<String>,
    /// The type of the local `x`.
    r#type: Option<String>,
    /// Those of the call that is its value.
    parameters: Option<Vec<String>>,
    /// The text of its value after the reference has brought it into one form.
    pub canonical: Option<String>,
    #[serde(default)]
    pub diagnostics: Vec<Expected>,
    pub fatal: Option<String>,
    /// The recommended behaviour where the reference crashes or is wrong.
    pub recommended: Option<String>,
}

#[derive(Deserialize)]
pub struct Expected {
    pub severity: String,
    pub kind: String,
    pub start_byte: u32,
    pub end_byte: u32,
}

pub fn vectors() -> Vec<Vector> {
    let text = include_str!("../../vectors/expressions_invoke.json");
    let file: File = serde_json::from_str(text).expect("the vectors are of the documented form");
    file.vectors
}

impl Vector {
    pub fn bind(&self) -> Bound {
        let mut loader = MemoryLoader::default();
        loader.add(package()).expect("the schema is a package");
        let mut map = SourceMap::new();
        let sources = Sources::from_texts([("main.pp", self.program.as_str())], &mut map);
        bind(&sources, &mut map, Arc::new(loader), &self.options())
    }

    fn options(&self) -> Options {
        let mut options = Options::default();
        for name in &self.options {
            match name.as_str() {
                "preferOutputVersionedInvokes" => options.prefer_output_versioned_invokes = true,
                "skipInvokeTypecheck" => options.policy.leniency.invoke_types = true,
                "nonstrict" => options = Options::lenient(),
                other => panic!("unknown option {other}"),
            }
        }
        options
    }

    /// The difference between the type of `x` and the recorded one.
    pub fn type_difference(&self, found: TypeId, types: &mut TypeStore) -> Option<String> {
        let wanted = shown(types, self.r#type.as_ref()?);
        let found = types.pretty(found);
        (found != wanted).then(|| format!("type {found}, wanted {wanted}"))
    }

    /// The difference between the parameters of a call and the recorded ones.
    pub fn parameter_difference(&self, call: &Call, types: &mut TypeStore) -> Option<String> {
        let wanted: Vec<String> = self
            .parameters
            .as_ref()?
            .iter()
            .map(|parameter| {
                let (name, ty) = parameter.split_once(": ").expect("name: type");
                format!("{name}: {}", shown(types, ty))
            })
            .collect();
        let parameters = call.signature.parameters.iter();
        let found: Vec<String> = parameters
            .map(|parameter| format!("{}: {}", parameter.name, types.pretty(parameter.ty)))
            .collect();
        (found != wanted).then(|| format!("parameters {found:?}, wanted {wanted:?}"))
    }
}

/// The package of the vectors. The document is missing what only their text contains: the module
/// format, and two damaged methods.
fn package() -> Vec<u8> {
    let text = include_str!("../../vectors/expressions_invoke_schema.json");
    let mut package: Value = serde_json::from_str(text).expect("the schema is JSON");
    package["meta"] = json!({"moduleFormat": "(\\w+)(?:/\\w+)?"});
    for method in ["noself", "noin"] {
        let token = format!("pkg:index:Thing/{method}");
        package["resources"]["pkg:index:Thing"]["methods"][method] = json!(token);
        package["functions"][token] = json!({"outputs": {"type": "string"}});
    }
    package["functions"]["pkg:index:Thing/noself"]["inputs"] =
        json!({"type": "object", "properties": {"arg": {"type": "string"}}});
    serde_json::to_vec(&package).expect("JSON can be written")
}

fn shown(types: &mut TypeStore, text: &str) -> String {
    let ty = parse_type(types, text).expect("the vector has a type");
    types.pretty(ty)
}
