//! Files that are not programs: the attributes of one resource, one listing, or one function call.
//!
//! Tools that act on one thing at a time (`pulumi do`, an engine that keeps a resource's text)
//! write files of this kind. The attributes can use the functions of the language and
//! [`Options::variables`], and are checked against the schema.
//!
//! ```
//! use std::sync::Arc;
//! use pcl_binder::{Options, Sources, snippet};
//! use pcl_diagnostics::SourceMap;
//! use pcl_schema::MemoryLoader;
//!
//! let mut loader = MemoryLoader::default();
//! let pet = r#"{ "inputProperties": { "length": { "type": "integer" } }, "requiredInputs": ["length"] }"#;
//! let schema = format!(r#"{{ "name": "zoo", "resources": {{ "zoo:index:Pet": {pet} }} }}"#);
//! loader.add(schema).unwrap();
//!
//! let mut map = SourceMap::new();
//! let sources = Sources::from_texts([("pet.pp", "length = 1 + 1\n")], &mut map);
//! let pet = snippet::resource(&sources, &mut map, "zoo:index:Pet", Arc::new(loader), &Options::default());
//! assert!(pet.diagnostics.is_empty());
//! assert_eq!(&*pet.arguments[0].name, "length");
//! ```

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, SourceMap, Span, TextRange};
use pcl_model::scope::{Definition, DefinitionKind};
use pcl_model::types::TypeId;
use pcl_schema::{Loader, Section};
use pcl_syntax::ast;

use crate::bind::{Bound, run};
use crate::binder::{Binder, Item};
use crate::habits::label_order::LabelOrder;
use crate::invoke::Schema;
use crate::member::PackageOptions;
use crate::module;
use crate::node::{BoundAttribute, Node, NodeBody, NodeId, NodeKind, ResourceBody};
use crate::options::Options;
use crate::program::Program;
use crate::resource::inputs::Expected;
use crate::resource::known::required_of;
use crate::resource::resolve::Resolved;
use crate::schema_types::{Found, Nominal, Shape};
use crate::source::Sources;

/// The attributes of a file, bound.
pub struct Snippet {
    /// The program of the expressions and types. Its one node holds the attributes.
    pub program: Program,
    /// The attributes in the order of the text.
    pub arguments: Vec<BoundAttribute>,
    /// The object type that the schema wants of them; the error type when the token leads nowhere.
    pub input_type: TypeId,
    /// The diagnostics, in the order of the text. Those about the token are at the start of the
    /// file.
    pub diagnostics: Vec<Diagnostic>,
}

/// Binds a file as the inputs of a resource.
pub fn resource(
    sources: &Sources,
    map: &mut SourceMap,
    token: &str,
    loader: Arc<dyn Loader>,
    options: &Options,
) -> Snippet {
    bind(sources, map, token, loader, options, |binder, node, _| {
        let found = binder.known_resource(node)?;
        Some((found, Shape::ResourceInputs))
    })
}

/// Binds a file as the filter of a listing of resources.
pub fn resource_list(
    sources: &Sources,
    map: &mut SourceMap,
    token: &str,
    loader: Arc<dyn Loader>,
    options: &Options,
) -> Snippet {
    bind(sources, map, token, loader, options, |binder, node, _| {
        let found = binder.known_resource(node)?;
        let spec = (binder.session.schemas).resource(found.package, found.member);
        if spec.ok()??.list_inputs.is_none() {
            let span = binder.nodes[node].name_span();
            binder.report(not_listable(span, &found.token));
            return None;
        }
        Some((found, Shape::ListInputs))
    })
}

/// Binds a file as the arguments of a function. Their types decide whether they are those of its
/// plain or of its output form.
pub fn function(
    sources: &Sources,
    map: &mut SourceMap,
    token: &str,
    loader: Arc<dyn Loader>,
    options: &Options,
) -> Snippet {
    bind(
        sources,
        map,
        token,
        loader,
        options,
        |binder, node, arguments| {
            let schema = Schema {
                packages: Arc::clone(&binder.packages),
                schemas: Arc::clone(&binder.session.schemas),
                options: binder.session.options.clone(),
            };
            let span = binder.nodes[node].name_span();
            let (members, section) = (schema.members(), Section::Functions);
            let found = match members.find(section, token, &PackageOptions::default()) {
                Ok(found) => found,
                Err(unresolved) => {
                    binder.report(members.diagnose(section, token, span, &unresolved));
                    return None;
                }
            };
            let function = schema.schemas.function(found.package, found.member);
            let function = function.ok()??;
            let types = &mut binder.session.types;
            let shape = if schema.takes_output_form(types, &found, &function, arguments) {
                Shape::FunctionInputsWithOutputs
            } else {
                Shape::FunctionInputs
            };
            Some((found, shape))
        },
    )
}

/// Binds a file as the body of `resource name "token" { .. }`, with an `options` block if it has
/// one.
pub fn resource_program(
    sources: &Sources,
    map: &mut SourceMap,
    name: &str,
    token: &str,
    loader: Arc<dyn Loader>,
    options: &Options,
) -> Bound {
    bind_body(
        sources,
        map,
        [name, token],
        loader,
        options,
        |binder, node| {
            let symbol = binder.session.types.symbol(name);
            let definition = Definition {
                name: symbol,
                kind: DefinitionKind::Resource(node.0),
                ty: TypeId::DYNAMIC,
                span: None,
            };
            let root = binder.root;
            binder.items[node].definition = binder.session.scopes.define(root, definition).ok();
            let order = binder.resolve_dependencies(&[]);
            binder.bind_nodes(&order);
        },
    )
}

/// Makes a resource with a name and a token of the first file, and lets `bind` bind it.
fn bind_body(
    sources: &Sources,
    map: &mut SourceMap,
    [name, token]: [&str; 2],
    loader: Arc<dyn Loader>,
    options: &Options,
    bind: impl FnOnce(&mut Binder<'_, '_, '_>, NodeId),
) -> Bound {
    run(
        map,
        loader,
        options,
        None,
        |session| {
            let mut binder = module::open(session, sources);
            if let Some(node) = binder.add_body(name, token) {
                bind(&mut binder, node);
            }
            binder.close()
        },
        None,
    )
}

/// Binds the attributes of a file, and checks them against the shape that `wanted` returns for the
/// type of the object that they make up.
fn bind(
    sources: &Sources,
    map: &mut SourceMap,
    token: &str,
    loader: Arc<dyn Loader>,
    options: &Options,
    wanted: impl FnOnce(&mut Binder<'_, '_, '_>, NodeId, TypeId) -> Option<(Found, Shape)>,
) -> Snippet {
    let mut arguments = Vec::new();
    let mut input_type = TypeId::ERROR;
    let bound = bind_body(
        sources,
        map,
        ["", token],
        loader,
        options,
        |binder, node| {
            binder.report_blocks(node);
            arguments = binder.bind_attributes(node, &[], binder.root);
            let given = binder.object_of(&arguments);
            if let Some((found, shape)) = wanted(binder, node, given) {
                input_type = binder.check_snippet(node, &found, shape, &arguments);
            }
            let count = binder.session.exprs.len() as u32;
            let bound = &mut binder.nodes[node];
            bound.expressions = 0..count;
            bound.input_type = Some(input_type);
            bound.body = NodeBody::Resource(Box::new(ResourceBody {
                inputs: arguments.clone(),
                ..ResourceBody::default()
            }));
        },
    );
    Snippet {
        program: bound.program,
        arguments,
        input_type,
        diagnostics: bound.diagnostics,
    }
}

impl Binder<'_, '_, '_> {
    /// Makes a resource of the whole first file.
    fn add_body(&mut self, name: &str, token: &str) -> Option<NodeId> {
        let source = self.sources.files.first()?;
        let body = source.tree.file().body();
        let id = self.nodes.next_id();
        self.nodes.push(Node {
            kind: NodeKind::Resource,
            name: name.into(),
            logical_name: name.into(),
            file: source.file,
            file_index: 0,
            range: source.tree.file().syntax().range(),
            syntax: body.syntax().id(),
            name_range: TextRange::empty(0),
            token: Some(token.into()),
            ty: TypeId::DYNAMIC,
            input_type: None,
            expressions: 0..0,
            body: NodeBody::Empty,
        });
        self.items.push(Item {
            definition: None,
            labels: LabelOrder::Written,
        });
        Some(id)
    }

    fn known_resource(&mut self, node: NodeId) -> Option<Found> {
        match self.resolve_resource(node, false, &PackageOptions::default()) {
            Resolved::Known(known) => Some(known.found.clone()),
            Resolved::Unknown | Resolved::Failed => None,
        }
    }

    fn report_blocks(&mut self, node: NodeId) {
        for item in self.body_items(node) {
            let ast::Item::Block(block) = item else {
                continue;
            };
            if let Some(keyword) = block.keyword() {
                let span = self.node_span(node, keyword.range());
                self.report(foreign_block(span, keyword.text()));
            }
            self.bind_body_for_errors(node, block, self.root);
        }
    }

    fn check_snippet(
        &mut self,
        node: NodeId,
        found: &Found,
        shape: Shape,
        arguments: &[BoundAttribute],
    ) -> TypeId {
        let (package, member) = (found.package, found.member);
        let schemas = Arc::clone(&self.session.schemas);
        let inputs = schemas.object(&mut self.session.types, package, member, shape);
        let required = required_of(&mut self.session.types, inputs);
        let nominal = Nominal {
            package,
            member,
            shape,
        };
        let checked = schemas.with_properties(nominal, |specs| {
            let expected = Expected {
                owner: &found.token,
                package,
                inputs,
                specs: Some(specs),
                required: &required,
                displaced: &[],
                compared: None,
                read: false,
                fills_constants: false,
            };
            self.check_attributes(node, &expected, arguments)
        });
        checked.unwrap_or(TypeId::ERROR)
    }
}

/// A filter for a listing of resources that cannot be listed.
fn not_listable(span: Span, token: &str) -> Diagnostic {
    let message = format!("resources of type `{token}` cannot be listed");
    Diagnostic::error(Code::NotListable, span, message)
        .help("take a type whose schema has `listInputs`")
}

/// A block among the attributes.
fn foreign_block(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("a `{keyword}` block is not allowed here");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
        .help("write attributes only, as `name = value`")
}
