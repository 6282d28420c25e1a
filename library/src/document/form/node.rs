//! The JSON form of declarations.

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Fields, form, list, required};
use crate::document::index::{
    ComponentIndex, ExpressionIndex, NodeIndex, ResourceIndex, TypeIndex,
};
use crate::document::node::{
    Attribute, Body, ComponentBlock, Config, Deferred, Hook, Node, NodeComments, Repeat, Resource,
};
use crate::document::place::Place;

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Resource,
    Read,
    Component,
    Config,
    Local,
    Output,
    Hook,
    Pulumi,
}

form! {
    /// The fields of all kinds of declarations.
    Form read by FormVisitor with node -> Node {
        kind: Option<Kind> = "kind",
        name: Option<String> = "name",
        /// Absent if it is the name.
        logical_name: Option<String> = "logical_name",
        range: Option<Place> = "range",
        name_range: Option<Place> = "name_range",
        ty: Option<TypeIndex> = "type",
        dependencies: Option<Vec<NodeIndex>> = "dependencies",
        comments: Option<NodeComments> = "comments",
        value: Option<ExpressionIndex> = "value",
        token: Option<String> = "token",
        source: Option<String> = "source",
        program: Option<ComponentIndex> = "program",
        input_type: Option<TypeIndex> = "input_type",
        schema: Option<ResourceIndex> = "schema",
        /// Absent if it is single.
        repeat: Option<Repeat> = "repeat",
        inputs: Option<Vec<Attribute>> = "inputs",
        options: Option<Vec<Attribute>> = "options",
        options_range: Option<Place> = "options_range",
        deferred: Option<Vec<Deferred>> = "deferred",
        default: Option<ExpressionIndex> = "default",
        description: Option<String> = "description",
        nullable: Option<bool> = "nullable",
        secret: Option<bool> = "secret",
        on_error: Option<bool> = "on_error",
        command: Option<ExpressionIndex> = "command",
        on_dry_run: Option<ExpressionIndex> = "on_dry_run",
        ignore_errors: Option<ExpressionIndex> = "ignore_errors",
        required_version: Option<ExpressionIndex> = "required_version",
    }
}

impl Form {
    fn resource(&mut self) -> Resource {
        Resource {
            token: self.token.take(),
            input_type: self.input_type,
            schema: self.schema,
            repeat: self.repeat.unwrap_or(Repeat::Single),
            inputs: list(&mut self.inputs),
            options: list(&mut self.options),
            options_range: self.options_range,
        }
    }
}

impl<M: SerializeMap> Fields<M> {
    fn set_repeat(&mut self, repeat: Repeat) -> Result<(), M::Error> {
        self.set_some(
            "repeat",
            Some(repeat).filter(|repeat| *repeat != Repeat::Single),
        )
    }

    fn set_resource(&mut self, resource: &Resource) -> Result<(), M::Error> {
        self.set_some("token", resource.token.as_deref())?;
        self.set_some("input_type", resource.input_type)?;
        self.set_some("schema", resource.schema)?;
        self.set_repeat(resource.repeat)?;
        self.set_list("inputs", &resource.inputs)?;
        self.set_list("options", &resource.options)?;
        self.set_some("options_range", resource.options_range)
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Fields(serializer.serialize_map(None)?);
        let kind = match &self.body {
            Body::Resource(_) => Kind::Resource,
            Body::Read(_) => Kind::Read,
            Body::Component(_) => Kind::Component,
            Body::Config(_) => Kind::Config,
            Body::Local { .. } => Kind::Local,
            Body::Output { .. } => Kind::Output,
            Body::Hook(_) => Kind::Hook,
            Body::Pulumi { .. } => Kind::Pulumi,
        };
        fields.set("kind", &kind)?;
        fields.set("name", &self.name)?;
        let logical_name = Some(&self.logical_name).filter(|name| **name != self.name);
        fields.set_some("logical_name", logical_name)?;
        fields.set("range", &self.range)?;
        fields.set("name_range", &self.name_range)?;
        fields.set("type", &self.ty)?;
        fields.set_list("dependencies", &self.dependencies)?;
        let comments = Some(&self.comments).filter(|comments| !comments.is_empty());
        fields.set_some("comments", comments)?;
        match &self.body {
            Body::Resource(resource) | Body::Read(resource) => fields.set_resource(resource)?,
            Body::Component(component) => {
                fields.set_some("token", component.token.as_deref())?;
                fields.set_some("source", component.source.as_deref())?;
                fields.set_some("program", component.program)?;
                fields.set_some("input_type", component.input_type)?;
                fields.set_repeat(component.repeat)?;
                fields.set_list("inputs", &component.inputs)?;
                fields.set_list("options", &component.options)?;
                fields.set_some("options_range", component.options_range)?;
                fields.set_list("deferred", &component.deferred)?;
            }
            Body::Config(config) => {
                fields.set_some("default", config.default)?;
                fields.set_some("description", config.description.as_deref())?;
                fields.set_flag("nullable", config.nullable)?;
                fields.set_flag("secret", config.secret)?;
            }
            Body::Local { value } | Body::Output { value } => fields.set_some("value", *value)?,
            Body::Hook(hook) => {
                fields.set_flag("on_error", hook.on_error)?;
                fields.set_some("command", hook.command)?;
                fields.set_some("on_dry_run", hook.on_dry_run)?;
                fields.set_some("ignore_errors", hook.ignore_errors)?;
            }
            Body::Pulumi { required_version } => {
                fields.set_some("required_version", *required_version)?;
            }
        }
        fields.0.end()
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FormVisitor)
    }
}

fn node<E: de::Error>(form: &mut Form) -> Result<Node, E> {
    let body = match required(form.kind, "kind")? {
        Kind::Resource => Body::Resource(form.resource()),
        Kind::Read => Body::Read(form.resource()),
        Kind::Component => Body::Component(ComponentBlock {
            source: form.source.take(),
            program: form.program,
            token: form.token.take(),
            input_type: form.input_type,
            repeat: form.repeat.unwrap_or(Repeat::Single),
            inputs: list(&mut form.inputs),
            options: list(&mut form.options),
            options_range: form.options_range,
            deferred: list(&mut form.deferred),
        }),
        Kind::Config => Body::Config(Config {
            default: form.default,
            description: form.description.take(),
            nullable: form.nullable.unwrap_or(false),
            secret: form.secret.unwrap_or(false),
        }),
        Kind::Local => Body::Local { value: form.value },
        Kind::Output => Body::Output { value: form.value },
        Kind::Hook => Body::Hook(Hook {
            on_error: form.on_error.unwrap_or(false),
            command: form.command,
            on_dry_run: form.on_dry_run,
            ignore_errors: form.ignore_errors,
        }),
        Kind::Pulumi => Body::Pulumi {
            required_version: form.required_version,
        },
    };
    let name = required(form.name.take(), "name")?;
    Ok(Node {
        logical_name: form.logical_name.take().unwrap_or_else(|| name.clone()),
        name,
        range: required(form.range, "range")?,
        name_range: required(form.name_range, "name_range")?,
        ty: required(form.ty, "type")?,
        dependencies: list(&mut form.dependencies),
        comments: form.comments.take().unwrap_or_default(),
        body,
    })
}
