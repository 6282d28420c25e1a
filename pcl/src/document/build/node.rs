//! Declarations of a bound program, with their comments.

use pcl_binder::schema_types::{Nominal, Shape};
use pcl_binder::{self as binder, BoundAttribute, NodeBody, NodeId, NodeKind, Ranged};
use pcl_diagnostics::FileId;
use pcl_language::{BlockRule, OPTIONS, Takes};
use pcl_model::TypeId;
use pcl_syntax::ast::{self, AstNode as _};

use super::{Builder, node_indexes};
use crate::document::expression::VariableRole;
use crate::document::node::{
    Attribute, Body, Comment, Comments, ComponentBlock, Config, Deferred, Hook, ItemComments, Node,
    NodeComments, Repeat, Resource,
};
use crate::document::package::ResourceSchema;
use crate::document::place::Place;
use crate::document::place::{ComponentIndex, ExpressionIndex, NodeIndex, ResourceIndex};

impl Builder<'_> {
    pub(super) fn node(
        &mut self,
        module: &binder::Module,
        id: NodeId,
        node: &binder::Node,
    ) -> Node {
        Node {
            name: node.name.to_string(),
            logical_name: (node.logical_name != node.name).then(|| node.logical_name.to_string()),
            range: self.place(node.file, node.range),
            name_range: self.place(node.file, node.name_range),
            ty: self.types.of(node.ty),
            dependencies: node_indexes(module.dependencies(id)),
            comments: self.node_comments(module, node),
            body: self.body(module, node),
        }
    }

    fn body(&mut self, module: &binder::Module, node: &binder::Node) -> Body {
        match (&node.body, node.kind) {
            (NodeBody::Resource(body), kind) => {
                let read = kind == NodeKind::Read;
                let resource = Resource {
                    token: node.token.as_deref().map(str::to_owned),
                    input_type: node.input_type.map(|ty| self.types.of(ty)),
                    schema: body
                        .schema
                        .and_then(|(package, member)| self.resource_schema(package, member, read)),
                    repeat: self.repeat(body.range, node.ty),
                    inputs: self.attributes(module, node, &body.inputs),
                    options: self.options(module, node, &body.options),
                    options_range: self.options_range(module, node),
                };
                if read { Body::Read(resource) } else { Body::Resource(resource) }
            }
            (NodeBody::Component(body), _) => Body::Component(ComponentBlock {
                source: body.source.clone(),
                program: body.program.map(|id| ComponentIndex::of(id.0 as usize)),
                token: node.token.as_deref().map(str::to_owned),
                input_type: node.input_type.map(|ty| self.types.of(ty)),
                repeat: self.repeat(body.range, node.ty),
                inputs: self.attributes(module, node, &body.inputs),
                options: self.options(module, node, &body.options),
                options_range: self.options_range(module, node),
                deferred: self.deferred(&body.deferred),
            }),
            (NodeBody::Config(body), _) => Body::Config(Config {
                default: self.optional(body.default),
                description: body.description.as_deref().map(str::to_owned),
                nullable: body.nullable,
                secret: body.secret,
            }),
            (NodeBody::Hook(body), _) => Body::Hook(Hook {
                on_error: body.on_error,
                command: self.optional(body.command),
                on_dry_run: self.optional(body.on_dry_run),
                ignore_errors: self.optional(body.ignore_errors),
            }),
            (NodeBody::Local(value), _) => Body::Local { value: Some(self.expression(*value)) },
            (NodeBody::Output(value), _) => Body::Output { value: self.optional(*value) },
            (NodeBody::Pulumi(value), _) => {
                Body::Pulumi { required_version: self.optional(*value) }
            }
            (NodeBody::Empty, kind) => self.empty_body(node, kind),
        }
    }

    /// The body of a declaration of which nothing was bound, because it is on a cycle of
    /// references or has no body.
    fn empty_body(&mut self, node: &binder::Node, kind: NodeKind) -> Body {
        let input_type = node.input_type.map(|ty| self.types.of(ty));
        let (inputs, options) = (Vec::new(), Vec::new());
        let repeat = Repeat::Single;
        let token = node.token.as_deref().map(str::to_owned);
        let resource = Resource {
            token: token.clone(),
            input_type,
            schema: None,
            repeat,
            inputs: Vec::new(),
            options: Vec::new(),
            options_range: None,
        };
        match kind {
            NodeKind::Resource => Body::Resource(resource),
            NodeKind::Read => Body::Read(resource),
            NodeKind::Component => Body::Component(ComponentBlock {
                source: None,
                program: None,
                token,
                input_type,
                repeat,
                inputs,
                options,
                options_range: None,
                deferred: Vec::new(),
            }),
            NodeKind::Config => Body::Config(Config {
                default: None,
                description: None,
                nullable: false,
                secret: false,
            }),
            NodeKind::Local => Body::Local { value: None },
            NodeKind::Output => Body::Output { value: None },
            NodeKind::Hook => Body::Hook(Hook {
                on_error: false,
                command: None,
                on_dry_run: None,
                ignore_errors: None,
            }),
            NodeKind::Pulumi => Body::Pulumi { required_version: None },
        }
    }

    fn deferred(&mut self, deferred: &[binder::DeferredOutput]) -> Vec<Deferred> {
        let convert = |deferred: &binder::DeferredOutput| Deferred {
            variable: self.declared(deferred.definition, VariableRole::Deferred),
            component: NodeIndex(deferred.component.0),
            value: self.expression(deferred.value),
        };
        deferred.iter().map(convert).collect()
    }

    fn resource_schema(
        &mut self,
        package: binder::PackageIndex,
        member: pcl_schema::MemberId,
        read: bool,
    ) -> Option<ResourceIndex> {
        if let Some(&known) = self.resources.get(&(package, member, read)) {
            return known;
        }
        let schema = self.new_resource_schema(package, member, read);
        let resources = &mut self.document.resources;
        let index = schema.map(|schema| {
            resources.push(schema);
            ResourceIndex::of(resources.len() - 1)
        });
        self.resources.insert((package, member, read), index);
        index
    }

    fn new_resource_schema(
        &mut self,
        package: binder::PackageIndex,
        member: pcl_schema::MemberId,
        read: bool,
    ) -> Option<ResourceSchema> {
        let spec = self.schemas.resource(package, member).ok().flatten()?;
        let inputs = if read { Shape::ReadInputs } else { Shape::ResourceInputs };
        let mut object = |shape| {
            let nominal = Nominal { package, member, shape };
            self.types.nominal(nominal)
        };
        let (inputs, outputs) = (object(inputs), object(Shape::Resource));
        let schema = self.schemas.packages().package(package);
        Some(ResourceSchema {
            member: self.types.members.index(package, member),
            inputs,
            outputs,
            is_component: spec.is_component,
            is_provider: schema.provider_id() == Some(member),
            methods: self.schemas.method_names(package, member),
            deprecated: self.types.members.worded(spec.deprecation_message.as_deref()),
        })
    }

    /// Several resources are a map when they are known by strings; the type of a reference tells.
    fn repeat(&self, range: Ranged, ty: TypeId) -> Repeat {
        match range {
            Ranged::Single => Repeat::Single,
            Ranged::Optional => Repeat::Optional,
            Ranged::Counted => Repeat::Count,
            Ranged::Each { .. } if self.types.is_map(ty) => Repeat::Map,
            Ranged::Each { .. } => Repeat::List,
        }
    }

    fn attributes(
        &mut self,
        module: &binder::Module,
        node: &binder::Node,
        attributes: &[BoundAttribute],
    ) -> Vec<Attribute> {
        let attribute = |attribute: &BoundAttribute| Attribute {
            name: attribute.name.to_string(),
            name_range: self.place(node.file, attribute.name_range),
            value: self.expression(attribute.value),
            comments: self.comments(node.file, &module.attribute_comments(node, attribute)),
        };
        attributes.iter().map(attribute).collect()
    }

    fn options(
        &mut self,
        module: &binder::Module,
        node: &binder::Node,
        options: &[BoundAttribute],
    ) -> Vec<Attribute> {
        let options = self.attributes(module, node, options);
        for option in &options {
            self.want(&OPTIONS, &option.name, option.value);
        }
        options
    }

    /// The first `options` block, which is the one that counts.
    fn options_range(&mut self, module: &binder::Module, node: &binder::Node) -> Option<Place> {
        let block = ast::Block::cast(module.syntax(node))?;
        let is_options =
            |block: &ast::Block<'_>| block.keyword().is_some_and(|word| word.text() == "options");
        let options = block.body()?.blocks().find(is_options)?;
        Some(self.place(node.file, options.syntax().range()))
    }

    /// Remembers what a block takes for an attribute.
    fn want(&mut self, block: &BlockRule, name: &str, value: ExpressionIndex) {
        if let Some(Takes::Value(ty)) = block.attribute(name, None).map(|rule| rule.takes) {
            let ty = self.types.made(|types| types.static_type(&ty));
            self.wanted.push((value, ty));
        }
    }

    fn node_comments(&mut self, module: &binder::Module, node: &binder::Node) -> NodeComments {
        let found = module.comments(node);
        let Comments { detached, leading, trailing } = self.comments(node.file, &found.around);
        NodeComments {
            detached,
            leading,
            trailing,
            open: self.comment_list(node.file, &found.open),
            close: self.comment_list(node.file, &found.close),
            items: self.item_comments(module, node),
        }
    }

    /// The comments of items of a body, but for the inputs, which have their own.
    fn item_comments(&mut self, module: &binder::Module, node: &binder::Node) -> Vec<ItemComments> {
        let inputs: &[BoundAttribute] = match &node.body {
            NodeBody::Resource(body) => &body.inputs,
            NodeBody::Component(body) => &body.inputs,
            _ => &[],
        };
        let block = ast::Block::cast(module.syntax(node));
        let items = block.and_then(ast::Block::body);
        let items = items.into_iter().flat_map(ast::Body::items);
        let comments = |item: ast::Item<'_>| {
            let (name, syntax) = match item {
                ast::Item::Attribute(attribute) => (attribute.name()?, attribute.syntax()),
                ast::Item::Block(block) => (block.keyword()?, block.syntax()),
                ast::Item::Bogus(_) => return None,
            };
            let is_input = inputs.iter().any(|input| input.syntax == syntax.id());
            let comments = self.comments(node.file, &syntax.comments());
            let is_told = !is_input && !comments.is_empty();
            let name = name.text().to_owned();
            is_told.then_some(ItemComments { name, comments })
        };
        items.filter_map(comments).collect()
    }

    fn comments(&mut self, file: FileId, comments: &pcl_syntax::Comments<'_>) -> Comments {
        Comments {
            detached: self.comment_list(file, &comments.detached),
            leading: self.comment_list(file, &comments.leading),
            trailing: self.comment_list(file, &comments.trailing),
        }
    }

    fn comment_list(&mut self, file: FileId, list: &[pcl_syntax::Comment<'_>]) -> Vec<Comment> {
        let comment = |comment: &pcl_syntax::Comment<'_>| Comment {
            lines: comment.lines().into_iter().map(str::to_owned).collect(),
            range: self.place(file, comment.range()),
        };
        list.iter().map(comment).collect()
    }
}
