//! Expressions of the vectors, bound and ready to be evaluated.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_binder::{ExtraVariable, NodeId, NodeKind, Options, Program};
use pcl_diagnostics::{Diagnostic, FileId, SourceMap};
use pcl_eval::{Evaluation, Kind, Resource, Settings, Setup, Stop, Value};
use pcl_language::StaticType;
use pcl_model::expression::ExprId;
use pcl_model::scope::DefinitionId;
use pcl_syntax::SyntaxTree;
use pcl_test_support::marked_json;
use pcl_values::{PropertyValue, ResourceId, ResourceReference, Urn};
use serde_json::{Map, Value as Json};

use crate::environment::{Files, Hydrating, bound, loader};

/// An expression with the variables that it may use.
pub struct Question {
    program: Arc<Program>,
    expr: ExprId,
    tree: SyntaxTree,
    file: FileId,
    variables: Vec<(String, Place, Value)>,
    files: Arc<Files>,
}

/// The place of a variable.
#[derive(Clone, Copy)]
enum Place {
    Definition(DefinitionId),
    Node(NodeId),
}

impl Question {
    /// Binds the expression of a vector, or another one with its variables; `None` if that gives
    /// errors.
    pub fn new(
        vector: &Json,
        source: &str,
        environment: &Json,
        files: &Arc<Files>,
        schema: &Json,
    ) -> Option<Self> {
        let mut variables: BTreeMap<&str, &Json> = BTreeMap::new();
        for name in vector["use"].as_array().into_iter().flatten() {
            let name = name.as_str().expect("a name");
            variables.insert(name, &environment[name]);
        }
        let empty = Map::new();
        for (name, variable) in vector["vars"].as_object().unwrap_or(&empty) {
            variables.insert(name, variable);
        }
        let (mut text, mut extra) = (String::new(), Vec::new());
        for (name, variable) in &variables {
            match variable["type"].as_str().expect("a type") {
                ty if ty.starts_with("resource ") => {
                    let token = ty.trim_start_matches("resource ");
                    text.push_str(&format!("resource {name} \"{token}\" {{}}\n"));
                }
                ty => extra.push(ExtraVariable { name: (*name).to_owned(), ty: static_type(ty) }),
            }
        }
        let options = Options { variables: extra, ..Options::default() };
        let mut program = bound(&text, loader(&[schema]), &options).program;
        let file = SourceMap::new().add("question.pp", source);
        let tree = pcl_syntax::parse_expression(source);
        let (expr, diagnostics) = program.bind_expression(&tree, file);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        let mut placed = Vec::new();
        for (name, variable) in &variables {
            let value = match (variable["poison"].as_str(), variable["unset"].as_bool()) {
                (Some(name), _) => Kind::Poisoned(name.into()).into(),
                (_, Some(true)) => Value::UNKNOWN,
                _ => value(&marked_json::read(&variable["value"])),
            };
            let place = match program.module.find(NodeKind::Resource, name) {
                Some(node) => Place::Node(node),
                None => {
                    let symbol = program.types.symbol(name);
                    let definition = program.scopes.lookup(program.module.root, symbol);
                    Place::Definition(definition.expect("a variable"))
                }
            };
            placed.push(((*name).to_owned(), place, value));
        }
        Some(Self {
            program: Arc::new(program),
            expr: expr?,
            tree,
            file,
            variables: placed,
            files: files.clone(),
        })
    }

    /// The variables with their values.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().map(|(name, _, value)| (&**name, value))
    }

    /// The value of the expression.
    pub fn answer(&self) -> Result<Value, Stop> {
        self.answer_with("", &Value::NULL)
    }

    /// The value of the expression, when a variable has another value.
    pub fn answer_with(&self, changed: &str, to: &Value) -> Result<Value, Stop> {
        let (mut variables, mut nodes) = (Vec::new(), Vec::new());
        for (name, place, value) in &self.variables {
            let value = if name == changed { to } else { value };
            match place {
                Place::Definition(definition) => variables.push((*definition, value.clone())),
                Place::Node(node) => nodes.push((*node, value.clone())),
            }
        }
        let settings = Settings {
            project: "proj".into(),
            stack: "dev".into(),
            organization: "acme".into(),
            root_directory: "<root>".into(),
            working_directory: "<wd>".into(),
            ..Settings::default()
        };
        let evaluation = Evaluation::new(Setup {
            program: self.program.clone(),
            settings,
            contents: self.files.clone(),
            monitor: Arc::new(Hydrating),
            trees: &[(self.file, &self.tree)],
            variables,
            nodes,
        });
        evaluation.expression(self.expr)
    }
}

/// The value of a variable, in which objects that look like resources are resources.
fn value(property: &PropertyValue) -> Value {
    let made = Value::from_property(property).expect("a small value");
    as_resource(made)
}

fn as_resource(value: Value) -> Value {
    let Value { kind, marks } = value;
    match kind {
        Kind::Object(object) if object.get("__type").is_some() => {
            let text = |name: &str| {
                let text = object.get(name).and_then(Value::as_text);
                text.and_then(|text| text.unmarked().as_str()).unwrap_or_default()
            };
            let reference = ResourceReference::new(
                Urn::from(text("urn")),
                ResourceId::Known(text("id").to_owned()),
            );
            let fields = object.iter().map(|(name, value)| (name.clone(), value.clone()));
            let fields = pcl_eval::Object::new(fields.collect()).expect("a small object");
            Value::from(Resource::new(reference, fields)).marked(&marks)
        }
        kind => Value { kind, marks },
    }
}

/// The type that a vector gives a variable.
fn static_type(text: &str) -> StaticType {
    match text {
        "any" => StaticType::Dynamic,
        "bool" => StaticType::Bool,
        "number" => StaticType::Number,
        "string" => StaticType::String,
        "list(number)" => StaticType::List(&StaticType::Number),
        "list(string)" => StaticType::List(&StaticType::String),
        "map(string)" => StaticType::Map(&StaticType::String),
        _ => panic!("no vector has a variable of the type {text}"),
    }
}
