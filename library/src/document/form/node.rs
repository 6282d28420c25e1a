//! The JSON form of declarations.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{flag, list, owned, text};
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

/// The fields of all kinds of declarations.
#[derive(Serialize, Deserialize)]
struct Form<'a> {
    kind: Kind,
    name: Cow<'a, str>,
    /// Absent if it is the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_name: Option<Cow<'a, str>>,
    range: Place,
    name_range: Place,
    #[serde(rename = "type")]
    ty: TypeIndex,
    #[serde(skip_serializing_if = "Option::is_none")]
    dependencies: Option<Cow<'a, [NodeIndex]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<Cow<'a, NodeComments>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<ComponentIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_type: Option<TypeIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<ResourceIndex>,
    /// Absent if it is single.
    #[serde(skip_serializing_if = "Option::is_none")]
    repeat: Option<Repeat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<Cow<'a, [Attribute]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<Cow<'a, [Attribute]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    options_range: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deferred: Option<Cow<'a, [Deferred]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nullable: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_error: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_dry_run: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ignore_errors: Option<ExpressionIndex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required_version: Option<ExpressionIndex>,
}

impl<'a> Form<'a> {
    fn new(node: &'a Node, kind: Kind) -> Self {
        let is_named_alike = node.logical_name == node.name;
        Self {
            kind,
            name: Cow::Borrowed(&node.name),
            logical_name: text(&node.logical_name).filter(|_| !is_named_alike),
            range: node.range,
            name_range: node.name_range,
            ty: node.ty,
            dependencies: list(&node.dependencies),
            comments: (!node.comments.is_empty()).then_some(Cow::Borrowed(&node.comments)),
            value: None,
            token: None,
            source: None,
            program: None,
            input_type: None,
            schema: None,
            repeat: None,
            inputs: None,
            options: None,
            options_range: None,
            deferred: None,
            default: None,
            description: None,
            nullable: None,
            secret: None,
            on_error: None,
            command: None,
            on_dry_run: None,
            ignore_errors: None,
            required_version: None,
        }
    }

    fn of_resource(node: &'a Node, kind: Kind, resource: &'a Resource) -> Self {
        Self {
            token: resource.token.as_deref().map(Cow::Borrowed),
            input_type: resource.input_type,
            schema: resource.schema,
            repeat: repeat(resource.repeat),
            inputs: list(&resource.inputs),
            options: list(&resource.options),
            options_range: resource.options_range,
            ..Self::new(node, kind)
        }
    }

    fn resource(self) -> Resource {
        Resource {
            token: self.token.map(Cow::into_owned),
            input_type: self.input_type,
            schema: self.schema,
            repeat: self.repeat.unwrap_or(Repeat::Single),
            inputs: owned(self.inputs),
            options: owned(self.options),
            options_range: self.options_range,
        }
    }
}

fn repeat(repeat: Repeat) -> Option<Repeat> {
    (repeat != Repeat::Single).then_some(repeat)
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match &self.body {
            Body::Resource(resource) => Form::of_resource(self, Kind::Resource, resource),
            Body::Read(resource) => Form::of_resource(self, Kind::Read, resource),
            Body::Component(component) => Form {
                source: component.source.as_deref().map(Cow::Borrowed),
                program: component.program,
                token: component.token.as_deref().map(Cow::Borrowed),
                input_type: component.input_type,
                repeat: repeat(component.repeat),
                inputs: list(&component.inputs),
                options: list(&component.options),
                options_range: component.options_range,
                deferred: list(&component.deferred),
                ..Form::new(self, Kind::Component)
            },
            Body::Config(config) => Form {
                default: config.default,
                description: config.description.as_deref().map(Cow::Borrowed),
                nullable: flag(config.nullable),
                secret: flag(config.secret),
                ..Form::new(self, Kind::Config)
            },
            Body::Local { value } => Form {
                value: *value,
                ..Form::new(self, Kind::Local)
            },
            Body::Output { value } => Form {
                value: *value,
                ..Form::new(self, Kind::Output)
            },
            Body::Hook(hook) => Form {
                on_error: flag(hook.on_error),
                command: hook.command,
                on_dry_run: hook.on_dry_run,
                ignore_errors: hook.ignore_errors,
                ..Form::new(self, Kind::Hook)
            },
            Body::Pulumi { required_version } => Form {
                required_version: *required_version,
                ..Form::new(self, Kind::Pulumi)
            },
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut form = Form::deserialize(deserializer)?;
        let name = std::mem::take(&mut form.name).into_owned();
        let logical_name = form.logical_name.take().map(Cow::into_owned);
        Ok(Self {
            logical_name: logical_name.unwrap_or_else(|| name.clone()),
            name,
            range: form.range,
            name_range: form.name_range,
            ty: form.ty,
            dependencies: owned(form.dependencies.take()),
            comments: form
                .comments
                .take()
                .map_or_else(NodeComments::default, Cow::into_owned),
            body: match form.kind {
                Kind::Resource => Body::Resource(form.resource()),
                Kind::Read => Body::Read(form.resource()),
                Kind::Component => Body::Component(ComponentBlock {
                    source: form.source.map(Cow::into_owned),
                    program: form.program,
                    token: form.token.map(Cow::into_owned),
                    input_type: form.input_type,
                    repeat: form.repeat.unwrap_or(Repeat::Single),
                    inputs: owned(form.inputs),
                    options: owned(form.options),
                    options_range: form.options_range,
                    deferred: owned(form.deferred),
                }),
                Kind::Config => Body::Config(Config {
                    default: form.default,
                    description: form.description.map(Cow::into_owned),
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
            },
        })
    }
}
