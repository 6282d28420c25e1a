//! The bound model: as JSON for the code generators of other languages, and as text for people.

mod json;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use super::report::Report;
use crate::Checked;

use pcl_binder::{Module, Node, NodeId, PackageReference};
use pcl_diagnostics::SourceMap;
use pcl_model::expression::{Expr, ExprArena, ExprKind};
use pcl_model::types::{Type, TypeId, TypeStore};

/// The model as one JSON document, diagnostics included.
#[must_use]
pub fn bound_json(checked: &mut Checked) -> Vec<u8> {
    json::render(Model::new(checked))
}

/// The model as text for people; the diagnostics are only counted.
#[must_use]
pub fn bound_text(checked: &mut Checked) -> String {
    text::render(Model::new(checked))
}

/// The packages of a program and its components, as one JSON document, diagnostics included.
#[must_use]
pub fn packages_json(checked: &mut Checked) -> Vec<u8> {
    json::render_packages(Model::new(checked))
}

/// The packages of a program and its components with their versions, one on a line.
#[must_use]
pub fn packages_text(checked: &Checked) -> String {
    let packages = checked.program.packages().into_iter();
    let line = |package: PackageReference| match package.version {
        Some(version) => format!("{} {version}\n", package.name),
        None => format!("{}\n", package.name),
    };
    packages.map(line).collect()
}

/// The part of a checked program that is shown.
struct Model<'a> {
    report: &'a Report,
    sources: &'a SourceMap,
    module: &'a Module,
    exprs: &'a ExprArena,
    packages: Vec<PackageReference>,
    order: Vec<NodeId>,
    types: TypeTexts<'a>,
}

impl<'a> Model<'a> {
    fn new(checked: &'a mut Checked) -> Self {
        let program = &mut checked.program;
        let (packages, order) = (program.packages(), program.order());
        Self {
            report: &checked.report,
            sources: &checked.report.sources,
            module: &program.module,
            exprs: &program.exprs,
            packages,
            order,
            types: TypeTexts { types: &mut program.types, known: HashMap::new() },
        }
    }

    /// The expressions of a node's body, operands before what uses them.
    fn expressions(&self, node: &Node) -> impl Iterator<Item = &'a Expr> + use<'a> {
        let expressions = self.exprs.range(node.expressions.clone());
        expressions.map(|(_, expression)| expression)
    }

    /// The names of nodes, in the order given.
    fn names(&self, nodes: &[NodeId]) -> Vec<&'a str> {
        let module = self.module;
        nodes.iter().map(|&id| &*module.node(id).name).collect()
    }
}

/// Types in their pretty form, each made once.
struct TypeTexts<'a> {
    types: &'a mut TypeStore,
    known: HashMap<TypeId, Arc<str>>,
}

impl TypeTexts<'_> {
    /// The type of a literal is its value, which is always complete: the program has it as well.
    fn of_expression(&mut self, expression: &Expr) -> Arc<str> {
        match (&expression.kind, self.types.get(expression.ty)) {
            (ExprKind::Literal(_), Type::Const { value, .. }) => value.to_string().into(),
            _ => self.of(expression.ty),
        }
    }

    fn of(&mut self, ty: TypeId) -> Arc<str> {
        let text = self.known.entry(ty).or_insert_with(|| self.types.pretty(ty).into());
        Arc::clone(text)
    }
}
