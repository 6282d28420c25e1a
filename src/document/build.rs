//! From a bound program to a document.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_binder::rules::{self, Takes};
use pcl_binder::schema_types::{Nominal, Shape};
use pcl_binder::{
    self as binder, BoundAttribute, NodeBody, NodeKind, PackageReference, Program, Ranged,
};
use pcl_diagnostics::{FileId, SourceMap, Span, TextRange};
use pcl_model::TypeId;
use pcl_model::expression::{Expr, ExprId, ExprKind, TraversalStep};
use pcl_model::relations;
use pcl_model::scope::{DefinitionId, DefinitionKind};
use pcl_syntax::ast::{self, AstNode as _};

use super::expression::{
    ApplyArgument, Call, Callee, Expression, ExpressionKind, For, Key, ObjectItem, Parameter,
    Reference, Step, Traversal, Variable, VariableRole,
};
use super::finding::{Place, Range};
use super::index::{
    ComponentIndex, ExpressionIndex, FileIndex, NodeIndex, TypeIndex, VariableIndex,
};
use super::node::{
    Attribute, Body, Comment, Comments, Component, ComponentBlock, Config, Deferred, Hook,
    ItemComments, Module, Node, NodeComments, Package, Parameterization, Repeat, Resource,
    ResourceSchema,
};
use super::schema_facts::Types;
use super::types::Member;
use super::{Document, FORMAT, File, expected};
use crate::Checked;
use crate::names::Names;
use crate::render::json::{FORMAT_VERSION, Records};

impl Document {
    /// The model of a checked program. It is there whatever is wrong with the program: what failed to bind has the error type.
    #[must_use]
    pub fn of(checked: &mut Checked) -> Self {
        let document = Self {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION.to_owned(),
            program: checked.path.clone(),
            valid: checked.is_valid(),
            diagnostics: Records::all(&checked.report()),
            files: Vec::new(),
            packages: packages(checked.program.packages()),
            main: Module::default(),
            components: Vec::new(),
            variables: Vec::new(),
            expressions: Vec::new(),
            types: Vec::new(),
        };
        let Program {
            module,
            components,
            exprs,
            types,
            scopes,
            schemas,
            ..
        } = &mut checked.program;
        let mut builder = Builder {
            sources: &checked.sources,
            exprs,
            scopes,
            schemas,
            types: Types::new(types, schemas),
            files: HashMap::new(),
            variables: HashMap::new(),
            expressions: HashMap::new(),
            wanted: Vec::new(),
            document,
        };
        builder.document.main = builder.module(module);
        let mut names = Names::new(&[]);
        for component in components {
            let base = component.directory.file_name();
            let base = base.map_or_else(Default::default, |name| name.to_string_lossy());
            let component = Component {
                name: names.pascal(&base),
                directory: component.display.clone(),
                module: builder.module(&component.module),
            };
            builder.document.components.push(component);
        }
        let mut document = builder.document;
        document.types = builder.types.finish();
        expected::fill(&mut document, builder.wanted);
        document
    }
}

struct Builder<'a> {
    sources: &'a SourceMap,
    exprs: &'a pcl_model::expression::ExprArena,
    scopes: &'a pcl_model::scope::Scopes,
    schemas: &'a binder::schema_types::SchemaTypes,
    types: Types<'a>,
    files: HashMap<FileId, FileIndex>,
    variables: HashMap<DefinitionId, VariableIndex>,
    expressions: HashMap<ExprId, ExpressionIndex>,
    /// Options, whose types are rules of the language.
    wanted: Vec<(ExpressionIndex, TypeIndex)>,
    document: Document,
}

impl Builder<'_> {
    fn module(&mut self, module: &binder::Module) -> Module {
        Module {
            files: module.files.iter().map(|&file| self.file(file)).collect(),
            packages: packages(module.packages.clone()),
            nodes: module
                .nodes
                .iter()
                .map(|node| self.node(module, node))
                .collect(),
            order: node_indexes(&module.order()),
        }
    }

    fn node(&mut self, module: &binder::Module, node: &binder::Node) -> Node {
        Node {
            name: node.name.clone(),
            logical_name: node.logical_name.clone(),
            range: self.place(node.file, node.range),
            name_range: self.place(node.file, node.name_range),
            ty: self.types.of(node.ty),
            dependencies: node_indexes(&node.dependencies),
            comments: self.node_comments(module, node),
            body: self.body(module, node),
        }
    }

    fn body(&mut self, module: &binder::Module, node: &binder::Node) -> Body {
        match (&node.body, node.kind) {
            (NodeBody::Resource(body), kind) => {
                let read = kind == NodeKind::Read;
                let resource = Resource {
                    token: node.token.clone(),
                    input_type: node.input_type.map(|ty| self.types.of(ty)),
                    schema: body
                        .schema
                        .and_then(|(package, member)| self.resource_schema(package, member, read)),
                    repeat: self.repeat(body.range, node.ty),
                    inputs: self.attributes(module, node, &body.inputs),
                    options: self.options(module, node, &body.options),
                };
                if read {
                    Body::Read(resource)
                } else {
                    Body::Resource(resource)
                }
            }
            (NodeBody::Component(body), _) => Body::Component(ComponentBlock {
                source: body.source.clone(),
                program: body.program.map(|id| ComponentIndex::of(id.0 as usize)),
                token: node.token.clone(),
                input_type: node.input_type.map(|ty| self.types.of(ty)),
                repeat: self.repeat(body.range, node.ty),
                inputs: self.attributes(module, node, &body.inputs),
                options: self.options(module, node, &body.options),
                deferred: self.deferred(&body.deferred),
            }),
            (NodeBody::Config(body), _) => Body::Config(Config {
                default: self.optional(body.default),
                description: body.description.clone(),
                nullable: body.nullable,
                secret: body.secret,
            }),
            (NodeBody::Hook(body), _) => Body::Hook(Hook {
                on_error: body.on_error,
                command: self.optional(body.command),
                on_dry_run: self.optional(body.on_dry_run),
                ignore_errors: self.optional(body.ignore_errors),
            }),
            (NodeBody::Local(value), _) => Body::Local {
                value: Some(self.expression(*value)),
            },
            (NodeBody::Output(value), _) => Body::Output {
                value: self.optional(*value),
            },
            (NodeBody::Pulumi(value), _) => Body::Pulumi {
                required_version: self.optional(*value),
            },
            (NodeBody::Empty, kind) => self.empty_body(node, kind),
        }
    }

    /// The body of a declaration of which nothing was bound, because it is on a circle of references or has no body.
    fn empty_body(&mut self, node: &binder::Node, kind: NodeKind) -> Body {
        let input_type = node.input_type.map(|ty| self.types.of(ty));
        let (inputs, options) = (Vec::new(), Vec::new());
        let repeat = Repeat::Single;
        let token = node.token.clone();
        let resource = Resource {
            token: token.clone(),
            input_type,
            schema: None,
            repeat,
            inputs: Vec::new(),
            options: Vec::new(),
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
            NodeKind::Pulumi => Body::Pulumi {
                required_version: None,
            },
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
    ) -> Option<ResourceSchema> {
        let spec = self.schemas.resource(package, member).ok().flatten()?;
        let inputs = match read {
            true => Shape::ReadInputs,
            false => Shape::ResourceInputs,
        };
        let mut object = |shape| {
            let nominal = Nominal {
                package,
                member,
                shape,
            };
            self.types.nominal(nominal)
        };
        let (inputs, outputs) = (object(inputs), object(Shape::Resource));
        let schema = self.schemas.packages().package(package);
        Some(ResourceSchema {
            member: self.types.member(package, member),
            inputs,
            outputs,
            is_component: spec.is_component,
            is_provider: schema.provider_id() == Some(member),
            methods: self.schemas.method_names(package, member),
            deprecated: spec.deprecation_message.as_deref().map(str::to_owned),
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
            name: attribute.name.clone(),
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
            self.want(&rules::OPTIONS, &option.name, option.value);
        }
        options
    }

    /// Remembers what a block takes for an attribute.
    fn want(&mut self, block: &rules::BlockRule, name: &str, value: ExpressionIndex) {
        if let Some(Takes::Value(make)) = block.attribute(name, None).map(|rule| rule.takes) {
            let ty = self.types.made(make);
            self.wanted.push((value, ty));
        }
    }

    fn node_comments(&mut self, module: &binder::Module, node: &binder::Node) -> NodeComments {
        let found = module.comments(node);
        let Comments {
            detached,
            leading,
            trailing,
        } = self.comments(node.file, &found.around);
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
        let inputs = match &node.body {
            NodeBody::Resource(body) => &*body.inputs,
            NodeBody::Component(body) => &*body.inputs,
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

    fn file(&mut self, file: FileId) -> FileIndex {
        let files = &mut self.document.files;
        *self.files.entry(file).or_insert_with(|| {
            files.push(File {
                path: self.sources.path(file).to_owned(),
                name: self.sources.base_name(file).to_owned(),
            });
            FileIndex::of(files.len() - 1)
        })
    }

    fn place(&mut self, file: FileId, range: TextRange) -> Place {
        let Range { start, end } = Range::of(Span::new(file, range), self.sources);
        let file = self.file(file);
        Place { file, start, end }
    }

    fn optional(&mut self, expression: Option<ExprId>) -> Option<ExpressionIndex> {
        expression.map(|expression| self.expression(expression))
    }

    /// An expression with all that belongs to it, operands first. Without recursion: chains of operators can be long.
    fn expression(&mut self, root: ExprId) -> ExpressionIndex {
        let exprs = self.exprs;
        let mut open = vec![(root, false)];
        while let Some((id, operands_done)) = open.pop() {
            if self.expressions.contains_key(&id) {
                continue;
            }
            let expr = &exprs[id];
            if operands_done {
                let expression = self.convert(expr);
                self.document.expressions.push(expression);
                let index = ExpressionIndex::of(self.document.expressions.len() - 1);
                self.expressions.insert(id, index);
                continue;
            }
            open.push((id, true));
            let first = open.len();
            expr.kind
                .for_each_operand(|operand| open.push((operand, false)));
            open[first..].reverse();
        }
        self.known(root)
    }

    /// An operand: it was converted before what uses it.
    fn known(&self, id: ExprId) -> ExpressionIndex {
        let known = self.expressions.get(&id);
        known.copied().unwrap_or(ExpressionIndex(u32::MAX))
    }

    fn all_known(&self, ids: &[ExprId]) -> Vec<ExpressionIndex> {
        ids.iter().map(|&id| self.known(id)).collect()
    }

    fn convert(&mut self, expr: &Expr) -> Expression {
        Expression {
            ty: self.types.of(expr.ty),
            expected: None,
            range: self.place(expr.file, expr.range),
            kind: self.kind(expr),
        }
    }

    fn kind(&mut self, expr: &Expr) -> ExpressionKind {
        use ExpressionKind as Kind;
        match &expr.kind {
            ExprKind::Literal(value) => Kind::Literal {
                value: value.into(),
            },
            ExprKind::Template(parts) => Kind::Template {
                parts: self.all_known(parts),
            },
            ExprKind::TemplateJoin(value) => Kind::TemplateJoin {
                value: self.known(*value),
            },
            ExprKind::Unary { operator, operand } => Kind::Unary {
                operator: (*operator).into(),
                operand: self.known(*operand),
            },
            ExprKind::Binary {
                operator,
                left,
                right,
            } => Kind::Binary {
                operator: (*operator).into(),
                left: self.known(*left),
                right: self.known(*right),
            },
            ExprKind::Conditional {
                condition,
                if_true,
                if_false,
            } => Kind::Conditional {
                condition: self.known(*condition),
                if_true: self.known(*if_true),
                if_false: self.known(*if_false),
            },
            ExprKind::Tuple(elements) => Kind::Tuple {
                elements: self.all_known(elements),
            },
            ExprKind::Object(items) => {
                let item = |&(key, value): &(ExprId, ExprId)| ObjectItem {
                    key: self.known(key),
                    value: self.known(value),
                };
                Kind::Object {
                    items: items.iter().map(item).collect(),
                }
            }
            ExprKind::Index { collection, key } => Kind::Index {
                collection: self.known(*collection),
                key: self.known(*key),
            },
            ExprKind::For(each) => {
                let key_role = VariableRole::ForKey;
                let value_role = VariableRole::ForValue;
                Kind::For(For {
                    key_variable: each.key_variable.map(|id| self.declared(id, key_role)),
                    value_variable: each.value_variable.map(|id| self.declared(id, value_role)),
                    collection: self.known(each.collection),
                    key: each.key.map(|key| self.known(key)),
                    value: self.known(each.value),
                    condition: each.condition.map(|condition| self.known(condition)),
                    groups: each.groups,
                })
            }
            ExprKind::Traversal(traversal) => Kind::Traversal(Traversal {
                name: self.types.name(traversal.root),
                name_range: self.place(expr.file, traversal.root_range),
                reference: self.reference(traversal.definition),
                root_type: self.types.of(traversal.root_type),
                steps: self.steps(expr.file, &traversal.steps),
            }),
            ExprKind::RelativeTraversal { source, steps } => Kind::RelativeTraversal {
                source: self.known(*source),
                steps: self.steps(expr.file, steps),
            },
            ExprKind::Splat(splat) => Kind::Splat {
                source: self.known(splat.source),
                item: self.declared(splat.item, VariableRole::SplatItem),
                each: self.known(splat.each),
                is_full: splat.is_full,
            },
            ExprKind::Call(call) => Kind::Call(self.call(expr.file, call)),
            ExprKind::Apply(apply) => {
                let role = VariableRole::ApplyParameter;
                let argument = |&(parameter, value): &(DefinitionId, ExprId)| ApplyArgument {
                    parameter: self.declared(parameter, role),
                    value: self.known(value),
                };
                Kind::Apply {
                    arguments: apply.arguments.iter().map(argument).collect(),
                    body: self.known(apply.body),
                }
            }
            ExprKind::Convert(value) => Kind::Convert {
                value: self.known(*value),
            },
            ExprKind::Error => Kind::Error,
        }
    }

    fn steps(&mut self, file: FileId, steps: &[TraversalStep]) -> Vec<Step> {
        let step = |step: &TraversalStep| Step {
            key: match &step.key {
                relations::Key::Name(name) => Key::Name(self.types.name(*name)),
                relations::Key::Constant(value) => Key::Index(value.into()),
                relations::Key::Unknown(_) => Key::Index(super::Constant::Null),
            },
            range: self.place(file, step.range),
            ty: self.types.of(step.ty),
        };
        steps.iter().map(step).collect()
    }

    fn reference(&mut self, definition: Option<DefinitionId>) -> Reference {
        let Some(id) = definition else {
            return Reference::Undefined;
        };
        let kind = &self.scopes.definition(id).kind;
        match kind {
            DefinitionKind::Variable => Reference::Variable(self.variable(id)),
            DefinitionKind::Constant(value) => Reference::Constant(value.into()),
            DefinitionKind::Property => Reference::Property,
            DefinitionKind::Keyword => Reference::Keyword,
            DefinitionKind::Node(node)
            | DefinitionKind::Resource(node)
            | DefinitionKind::Hook(node)
            | DefinitionKind::PulumiBlock(node) => Reference::Node(NodeIndex(*node)),
        }
    }

    /// A variable that may be declared by an expression which comes later in the table.
    fn variable(&mut self, id: DefinitionId) -> VariableIndex {
        if let Some(&known) = self.variables.get(&id) {
            return known;
        }
        let definition = self.scopes.definition(id);
        let name = self.types.name(definition.name);
        let role = match &*name {
            "range" => VariableRole::Range,
            _ => VariableRole::Supplied,
        };
        let ty = self.types.of(definition.ty);
        self.document.variables.push(Variable { name, role, ty });
        let index = VariableIndex::of(self.document.variables.len() - 1);
        self.variables.insert(id, index);
        index
    }

    fn declared(&mut self, id: DefinitionId, role: VariableRole) -> VariableIndex {
        let index = self.variable(id);
        if let Some(variable) = self.document.variables.get_mut(index.index()) {
            variable.role = role;
        }
        index
    }

    fn call(&mut self, file: FileId, call: &pcl_model::expression::Call) -> Call {
        let signature = &call.signature;
        let mut parameter = |parameter: &pcl_model::functions::Parameter| Parameter {
            name: parameter.name.to_string(),
            ty: self.types.of(parameter.ty),
        };
        let parameters = signature.parameters.iter().map(&mut parameter).collect();
        let variadic = signature.variadic.as_ref().map(parameter);
        let callee = signature.callee.and_then(Nominal::from_key);
        Call {
            name: self.types.name(call.name),
            name_range: self.place(file, call.name_range),
            arguments: self.all_known(&call.arguments),
            expands_last: call.expands_last,
            parameters,
            variadic,
            returns: self.types.of(signature.returns),
            callee: callee.and_then(|callee| self.callee(callee, signature.returns)),
        }
    }

    fn callee(&mut self, callee: Nominal, returns: TypeId) -> Option<Callee> {
        let Nominal {
            package, member, ..
        } = callee;
        let function = self.schemas.function(package, member).ok().flatten()?;
        let member: Member = self.types.member(package, member);
        let schema = self.schemas.packages().package(package);
        let positional = function.multi_argument_inputs.iter();
        Some(Callee {
            token: schema
                .canonical(&member.token)
                .unwrap_or_else(|| member.token.clone()),
            member,
            is_output_form: self.types.is_output(returns),
            is_method: callee.shape == Shape::MethodInputs,
            positional_inputs: positional.map(|name| name.to_string()).collect(),
            deprecated: function.deprecation_message.as_deref().map(str::to_owned),
        })
    }
}

fn node_indexes(nodes: &[binder::NodeId]) -> Vec<NodeIndex> {
    nodes.iter().map(|id| NodeIndex(id.0)).collect()
}

fn packages(references: Vec<PackageReference>) -> Vec<Package> {
    let package = |reference: PackageReference| Package {
        name: reference.name,
        version: reference.version,
        download_url: reference.download_url,
        parameterization: reference.base.map(|base| Parameterization {
            plugin: base.name,
            version: base.version,
            parameter: STANDARD.encode(base.parameter),
            extends: base.extends,
        }),
    };
    references.into_iter().map(package).collect()
}
