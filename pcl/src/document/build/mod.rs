//! From a bound program to a document.

mod expression;
mod node;
mod types;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_binder::{self as binder, PackageIndex, PackageReference, Program};
use pcl_diagnostics::{FileId, SourceMap, TextRange};
use pcl_model::expression::ExprId;
use pcl_model::scope::DefinitionId;
use pcl_schema::MemberId;
use rustc_hash::FxHashMap;

use crate::Checked;
use crate::document::build::types::{Members, Types};
use crate::document::node::{Component, Module};
use crate::document::package::{Package, Parameterization};
use crate::document::place::{
    ExpressionIndex, FileIndex, NodeIndex, ResourceIndex, TypeIndex, VariableIndex,
};
use crate::document::place::{File, Place};
use crate::document::{Document, DocumentOptions, FORMAT, FORMAT_VERSION, expected};
use crate::names::Names;
use crate::render::json::Records;

impl Document {
    /// Builds the model of a checked program. Invalid programs have one too: parts that failed to
    /// bind have the error type.
    pub fn of(checked: &Checked, options: &DocumentOptions) -> Self {
        let document = Self {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION.to_owned(),
            program: checked.path.clone(),
            valid: checked.is_valid(),
            diagnostics: Records::all(&checked.report),
            files: Vec::new(),
            packages: Vec::new(),
            schemas: Vec::new(),
            members: Vec::new(),
            resources: Vec::new(),
            main: Module::default(),
            components: Vec::new(),
            variables: Vec::new(),
            expressions: Vec::new(),
            types: Vec::new(),
        };
        let Program { module, components, exprs, types, scopes, schemas, .. } = &checked.program;
        // Asking about types makes further ones.
        let mut types = types.clone();
        let mut builder = Builder {
            sources: &checked.sources,
            exprs,
            scopes,
            schemas,
            types: Types::new(&mut types, Members::new(schemas, *options)),
            files: FxHashMap::default(),
            resources: FxHashMap::default(),
            variables: FxHashMap::default(),
            expressions: FxHashMap::default(),
            wanted: Vec::new(),
            document,
        };
        builder.document.packages = builder.packages(checked.program.packages());
        builder.document.main = builder.module(module);
        let mut names = Names::new(&[]);
        for component in components {
            let (_, name) = component.token.rsplit_once(':').unwrap_or_default();
            let component = Component {
                name: names.identifier(name),
                directory: component.display.clone(),
                module: builder.module(&component.module),
            };
            builder.document.components.push(component);
        }
        let mut document = builder.document;
        let (types, members) = builder.types.finish();
        document.types = types;
        (document.schemas, document.members) = members.finish();
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
    files: FxHashMap<FileId, FileIndex>,
    /// The resources of schemas; those that are read have other inputs.
    resources: FxHashMap<(PackageIndex, MemberId, bool), Option<ResourceIndex>>,
    variables: FxHashMap<DefinitionId, VariableIndex>,
    expressions: FxHashMap<ExprId, ExpressionIndex>,
    /// Options, whose types are rules of the language.
    wanted: Vec<(ExpressionIndex, TypeIndex)>,
    document: Document,
}

impl Builder<'_> {
    fn module(&mut self, module: &binder::Module) -> Module {
        Module {
            files: module.files.iter().map(|&file| self.file(file)).collect(),
            packages: self.packages(module.packages.clone()),
            nodes: module.nodes_with_ids().map(|(id, node)| self.node(module, id, node)).collect(),
            order: node_indexes(&module.order()),
        }
    }

    fn file(&mut self, file: FileId) -> FileIndex {
        let files = &mut self.document.files;
        *self.files.entry(file).or_insert_with(|| {
            let sources = self.sources;
            let (path, name) = (sources.path(file), sources.base_name(file));
            let (text, index) = (sources.text(file), sources.line_index(file));
            files.push(File::of(path, name, text, index));
            FileIndex::of(files.len() - 1)
        })
    }

    fn place(&mut self, file: FileId, range: TextRange) -> Place {
        Place { file: self.file(file), start: range.start(), end: range.end() }
    }

    fn packages(&mut self, references: Vec<PackageReference>) -> Vec<Package> {
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
            schema: self.types.members.schema(reference.index),
        };
        references.into_iter().map(package).collect()
    }

    fn optional(&mut self, expression: Option<ExprId>) -> Option<ExpressionIndex> {
        expression.map(|expression| self.expression(expression))
    }
}

fn node_indexes(nodes: &[binder::NodeId]) -> Vec<NodeIndex> {
    nodes.iter().map(|id| NodeIndex(id.0)).collect()
}
