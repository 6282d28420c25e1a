//! The section `configuration`, or the `inputs` of a component.

use pcl::document::{
    Config, Document, ExpressionIndex, ExpressionKind, Node, NodeIndex, Reference, Type, TypeIndex,
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
        let Some(ty) = config_type(self.document, node.ty) else {
            let ty = self.document.type_text(node.ty);
            let message =
                format!("Pulumi YAML has no config of type `{ty}`; `{}` is left out", node.name);
            self.limit(Limit::Config, node, &message);
            return None;
        };
        let key = self.key(index).to_owned();
        let mut entries = vec![Entry::new("type", Value::text(&ty))];
        if node.logical_name() != key {
            entries.push(Entry::new("name", Value::text(node.logical_name())));
        }
        if config.secret {
            entries.push(Entry::new("secret", Value::Bool(true)));
        }
        match config.default {
            Some(default) => entries.extend(self.default(default)),
            None if config.nullable => entries.push(Entry::new("default", Value::Null)),
            None => {}
        }
        let mut entry = self.entry(node, key, Value::Map(entries));
        let description = config.description.iter().flat_map(|text| text.lines());
        entry.comments.extend(description.map(|line| format!(" {line}")));
        Some(entry)
    }

    /// A default has to be written out: at the time when it counts, nothing else is known.
    fn default(&mut self, default: ExpressionIndex) -> Option<Entry> {
        let is_computed = |&part: &ExpressionIndex| match &self.document.expression(part).kind {
            ExpressionKind::Traversal(traversal) => {
                !matches!(traversal.reference, Reference::Constant(_))
            }
            kind => matches!(kind, ExpressionKind::Call(_)),
        };
        if let Some(part) = self.document.walk(default).into_iter().find(is_computed) {
            let place = self.document.expression(part).range;
            let message = "a default in Pulumi YAML has to be written out; the config has none now";
            let limit = Limit::Config.at(place, message);
            self.sections.unsupported.push(limit);
            return None;
        }
        Some(Entry::new("default", self.say(default)?))
    }
}

/// The name of a type of config, if it has one.
fn config_type(document: &Document, ty: TypeIndex) -> Option<String> {
    let scalar = |ty: TypeIndex| match document.ty(ty) {
        Type::String => Some("string"),
        Type::Bool => Some("boolean"),
        Type::Int => Some("integer"),
        Type::Number => Some("number"),
        _ => None,
    };
    let ty = document.strip(ty);
    match document.ty(ty) {
        Type::List { element } => Some(format!("list<{}>", scalar(*element)?)),
        Type::Map { .. } | Type::Object(_) => Some("object".to_owned()),
        _ => scalar(ty).map(str::to_owned),
    }
}
