//! The section `config` of a program, and the `inputs` of a component.

use pcl::document::{
    Config, Constant, Document, ExpressionIndex, ExpressionKind, Node, NodeIndex, Reference, Type,
    TypeIndex,
};

use crate::limit::Limit;
use crate::module::ModuleWriter;
use crate::yaml::{Entry, Value};

impl ModuleWriter<'_> {
    pub(crate) fn config(
        &mut self,
        index: NodeIndex,
        node: &Node,
        config: &Config,
    ) -> Option<Entry> {
        let Some(mut entries) = self.config_type(node, config) else {
            let ty = self.document.type_text(node.ty);
            let what = if self.is_component { "input" } else { "config" };
            let message =
                format!("Pulumi YAML has no {what} of type `{ty}`; `{}` is left out", node.name);
            self.limit(Limit::Config, node, &message);
            return None;
        };
        let key = self.key(index).to_owned();
        if node.logical_name() != key {
            entries.push(Entry::new("name", Value::text(node.logical_name())));
        }
        if config.secret {
            entries.push(Entry::new("secret", Value::Bool(true)));
        }
        match config.default {
            Some(default) => entries.extend(self.default(default)),
            None if config.nullable => self.no_null(node),
            None => {}
        }
        let mut entry = self.entry(node, key, Value::Map(entries));
        let description = config.description.iter().flat_map(|text| text.lines());
        entry.comments.extend(description.map(|line| format!(" {line}")));
        Some(entry)
    }

    /// The entries that tell the type.
    fn config_type(&mut self, node: &Node, config: &Config) -> Option<Vec<Entry>> {
        let document = self.document;
        let ty = document.strip(node.ty);
        if self.is_component {
            return input_type(document, ty);
        }
        let text = |ty: &str| vec![Entry::new("type", Value::text(ty))];
        if let Some(ty) = program_type(document, ty) {
            return Some(text(&ty));
        }
        if !matches!(document.ty(ty), Type::Dynamic) {
            return None;
        }
        // A default has a type.
        let default = config.default.filter(|&default| !self.is_null(default));
        let ty = match default {
            Some(default) => program_type(document, document.expression(default).ty)?,
            None => "object".to_owned(),
        };
        let message = format!(
            "Pulumi YAML has no config of type `any`; `{}` takes only values of type `{ty}`",
            node.name
        );
        self.limit(Limit::Config, node, &message);
        Some(text(&ty))
    }

    fn is_null(&self, expression: ExpressionIndex) -> bool {
        let is_null = |constant: &Constant| *constant == Constant::Null;
        match &self.document.expression(self.document.unconverted(expression)).kind {
            ExpressionKind::Traversal(traversal) => {
                matches!(&traversal.reference, Reference::Constant(constant) if is_null(constant))
            }
            _ => self.document.literal(expression).is_some_and(is_null),
        }
    }

    fn no_null(&mut self, node: &Node) {
        let message =
            format!("a default in Pulumi YAML cannot be null; `{}` needs a value now", node.name);
        self.limit(Limit::Config, node, &message);
    }

    /// A default has to be written out: at the time when it counts, nothing else is known.
    fn default(&mut self, default: ExpressionIndex) -> Option<Entry> {
        let document = self.document;
        let computed = self.computed(default);
        let problem = match &document.expression(document.unconverted(default)).kind {
            _ if computed.is_some() => Some("has to be written out"),
            _ if self.is_null(default) => Some("cannot be null"),
            // Those who use the component give the default.
            ExpressionKind::Tuple { .. } if self.is_component => return None,
            ExpressionKind::Tuple { elements } if elements.is_empty() => {
                Some("cannot be an empty list")
            }
            ExpressionKind::Tuple { elements } if !self.are_scalars(elements) => {
                Some("cannot be a list of anything but strings, numbers or bools")
            }
            _ => None,
        };
        let Some(problem) = problem else {
            return Some(Entry::new("default", self.say(default)?));
        };
        let place = document.expression(computed.unwrap_or(default)).range;
        let message = format!("a default in Pulumi YAML {problem}; the config has none now");
        self.sections.unsupported.push(Limit::Config.at(place, message));
        None
    }

    /// Returns true if a value refers to nothing.
    pub(crate) fn is_written_out(&self, value: ExpressionIndex) -> bool {
        self.computed(value).is_none()
    }

    /// The first part of a value that is not written out.
    fn computed(&self, value: ExpressionIndex) -> Option<ExpressionIndex> {
        let document = self.document;
        let is_computed = |&part: &ExpressionIndex| match &document.expression(part).kind {
            ExpressionKind::Traversal(traversal) => {
                !matches!(traversal.reference, Reference::Constant(_))
            }
            kind => matches!(kind, ExpressionKind::Call(_)),
        };
        document.walk(value).into_iter().find(is_computed)
    }

    fn are_scalars(&self, elements: &[ExpressionIndex]) -> bool {
        elements.iter().all(|&element| {
            let ty = self.document.strip(self.document.expression(element).ty);
            let is_literal = self.document.literal(element) != Some(&Constant::Null);
            let is_scalar = matches!(
                self.document.ty(ty),
                Type::String
                    | Type::Bool
                    | Type::Int
                    | Type::Number
                    | Type::Const { .. }
                    | Type::Enum(_)
            );
            is_literal && is_scalar
        })
    }
}

/// The name of a type of the configuration, if it has one.
fn program_type(document: &Document, ty: TypeIndex) -> Option<String> {
    let name = |ty: TypeIndex, whole: &'static str| match document.alternatives(ty)[..] {
        [only] => match document.ty(only) {
            Type::String | Type::Id => Some("string"),
            Type::Bool => Some("boolean"),
            Type::Int => Some(whole),
            Type::Number => Some("number"),
            Type::Map { .. } | Type::Object(_) => Some("object"),
            _ => None,
        },
        _ => None,
    };
    match document.ty(document.strip(ty)) {
        // Pulumi YAML fails with a value of the type `list<integer>`.
        Type::List { element } => Some(format!("list<{}>", name(*element, "number")?)),
        _ => name(document.strip(ty), "integer").map(str::to_owned),
    }
}

/// The entries that tell the type of an input, which are those of schemas: of numbers, there are
/// whole ones alone, but no input is refused for its fraction.
fn input_type(document: &Document, ty: TypeIndex) -> Option<Vec<Entry>> {
    let mut ty = document.strip(ty);
    let mut depth = 0_usize;
    let scalar = loop {
        match document.ty(ty) {
            Type::String | Type::Id => break "string",
            Type::Bool => break "boolean",
            Type::Int | Type::Number => break "integer",
            Type::List { element } => {
                depth += 1;
                ty = document.strip(*element);
            }
            _ => return None,
        }
    };
    let text = |ty: &str| Entry::new("type", Value::text(ty));
    let mut entries = vec![text(scalar)];
    for _ in 0..depth {
        entries = vec![text("array"), Entry::new("items", Value::Map(entries))];
    }
    Some(entries)
}
