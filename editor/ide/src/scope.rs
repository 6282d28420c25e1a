//! The names that can be referred to at a place.

use pcl::binder::{NodeBody, NodeKind, Ranged};
use pcl::diagnostics::FileId;
use pcl::model::expression::{ExprKind, For};
use pcl::model::types::TypeId;

use crate::Analysis;

/// A name that can be referred to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visible {
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: VisibleKind,
    /// The type of a reference to it.
    pub ty: TypeId,
    /// Set if it is known in a part of an expression or block only.
    pub is_local: bool,
}

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VisibleKind {
    /// A resource.
    Resource,
    /// Anything else.
    Other,
}

/// The names that can be referred to at a place, inner ones first. A name that an inner one hides
/// is left out, and so is the declaration around the place, which cannot refer to itself.
#[must_use]
pub fn visible(analysis: &mut Analysis, file: FileId, offset: u32) -> Vec<Visible> {
    let mut names: Vec<Visible> = Vec::new();
    loop_variables(analysis, file, offset, &mut names);
    let own = analysis.node_at(file, offset);
    if let Some(own) = own {
        let range = match &analysis.node(own).body {
            NodeBody::Resource(body) => body.range,
            NodeBody::Component(body) => body.range,
            _ => Ranged::Single,
        };
        let types = &mut analysis.checked.program.types;
        let members = match range {
            Ranged::Single | Ranged::Optional => None,
            Ranged::Counted => Some(vec![(types.symbol("value"), TypeId::INT)]),
            Ranged::Each { key, value } => {
                Some(vec![(types.symbol("key"), key), (types.symbol("value"), value)])
            }
        };
        if let Some(members) = members {
            let ty = types.object(members);
            names.push(Visible {
                name: "range".to_owned(),
                kind: VisibleKind::Other,
                ty,
                is_local: true,
            });
        }
        if analysis.node(own).kind == NodeKind::Hook {
            names.push(Visible {
                name: "args".to_owned(),
                kind: VisibleKind::Other,
                ty: TypeId::DYNAMIC,
                is_local: true,
            });
        }
    }
    let Some(module) = analysis.module_of(file) else {
        return names;
    };
    let hidden: Vec<String> = names.iter().map(|name| name.name.clone()).collect();
    for (id, node) in analysis.module(module).nodes_with_ids() {
        let is_own = own.is_some_and(|own| own.module == module && own.node == id);
        if is_own || node.kind == NodeKind::Pulumi || hidden.contains(&node.name.to_string()) {
            continue;
        }
        names.push(Visible {
            name: node.name.to_string(),
            kind: if node.kind.is_resource() { VisibleKind::Resource } else { VisibleKind::Other },
            ty: node.ty,
            is_local: false,
        });
    }
    names
}

/// The variables of the loops whose bodies contain a place.
fn loop_variables(analysis: &Analysis, file: FileId, offset: u32, names: &mut Vec<Visible>) {
    let program = &analysis.checked.program;
    let Some(token) = analysis.token_at(file, offset) else {
        return;
    };
    for node in token.parent().ancestors() {
        let Some(id) = analysis.expr_of(file, node) else {
            continue;
        };
        let for_expr: &For = match &program.exprs[id].kind {
            ExprKind::For(for_expr) => for_expr,
            ExprKind::TemplateJoin(inner) => match &program.exprs[*inner].kind {
                ExprKind::For(for_expr) => for_expr,
                _ => continue,
            },
            _ => continue,
        };
        let collection = program.exprs[for_expr.collection].range;
        if offset <= collection.end() {
            continue;
        }
        let variables = [for_expr.key_variable, for_expr.value_variable];
        for variable in variables.into_iter().flatten() {
            let definition = program.scopes.definition(variable);
            let name = program.types.name(definition.name).to_owned();
            if names.iter().all(|known| known.name != name) {
                names.push(Visible {
                    name,
                    kind: VisibleKind::Other,
                    ty: definition.ty,
                    is_local: true,
                });
            }
        }
    }
}
