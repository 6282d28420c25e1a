//! Configs and outputs, and the types in their labels.

use pcl_diagnostics::{FileId, Fix, Span, TextEdit, TextRange};
use pcl_language::construct;
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::{Type, TypeId};
use pcl_model::value::Constant;
use pcl_syntax::ast::{self, AstNode};
use rustc_hash::FxHashSet;

use super::view::View;
use crate::node::{Node, NodeBody, NodeKind};
use crate::type_label::LabelPlace;
use crate::written_values::key_text;

/// Looks through the outputs for names that another declaration has too.
pub(super) fn find_shared_names(view: &mut View<'_>) {
    let nodes = &view.module.nodes;
    let others = nodes.iter().filter(|node| node.kind != NodeKind::Output);
    let others: FxHashSet<&str> = others.map(|node| &*node.name).collect();
    for node in nodes.iter().filter(|node| node.kind == NodeKind::Output) {
        if others.contains(&*node.name) {
            let construct = "semantics.output.own-namespace";
            view.needs(construct, node.name_span(), &node.name);
        }
    }
}

/// Looks at the default of a config, or at the inputs of a component.
pub(super) fn find(view: &mut View<'_>, node: &Node) {
    match &node.body {
        NodeBody::Config(config) => {
            let Some(default) = config.default else { return };
            let is_null = matches!(view.exprs[default].kind, ExprKind::Literal(Constant::Null));
            if is_null {
                null_default(view, node, default);
            } else {
                left_out(view, default, node.ty, &node.name);
            }
        }
        NodeBody::Component(component) => {
            let Some(inputs) = node.input_type else { return };
            for attribute in &component.inputs {
                if let Some(ty) = view.types.property(inputs, attribute.symbol) {
                    left_out(view, attribute.value, ty, &attribute.name);
                }
            }
        }
        _ => {}
    }
}

fn null_default(view: &mut View<'_>, node: &Node, default: ExprId) {
    let span = view.span(default);
    let body = ast::Block::cast(view.module.syntax(node)).and_then(ast::Block::body);
    let attributes = |wanted: &'static str| {
        body.into_iter().flat_map(ast::Body::attributes).filter(move |it| it.is_named(wanted))
    };
    let default = attributes("default").next();
    let is_alone = attributes("nullable").next().is_none();
    let used = view.needs("semantics.config.null-default", span, &node.name);
    if let (Some(used), Some(attribute), true) = (used, default, is_alone) {
        let place = Span::new(span.file, attribute.syntax().range());
        let edit = TextEdit::replace(place, "nullable = true");
        used.fix = Some(Fix::unsafe_("write `nullable = true`", vec![edit]));
        used.fix_uses = construct("attr.config.nullable");
    }
}

/// An object that leaves out properties of the type in a label, or a tuple its last elements. The
/// depth is that of the text, which the parser limits.
fn left_out(view: &mut View<'_>, value: ExprId, ty: TypeId, of: &str) {
    let ty = view.types.resolve(ty);
    let ty = view.types.strip(ty);
    match &view.exprs[value].kind {
        ExprKind::Object(items) => {
            let Some(properties) = view.types.properties(ty) else { return };
            for &(name, _) in properties.iter() {
                let name = view.types.shared_name(name);
                let is_given = |&(key, _): &(ExprId, ExprId)| {
                    key_text(view.exprs, key).is_some_and(|key| *key == *name)
                };
                if !items.iter().any(is_given) {
                    let span = view.span(value);
                    let construct = "semantics.config.object-properties-optional";
                    view.needs(construct, span, &name);
                    break;
                }
            }
            for &(key, value) in items {
                let symbol = key_text(view.exprs, key).map(|name| view.types.symbol(&name));
                if let Some(ty) = symbol.and_then(|symbol| view.types.property(ty, symbol)) {
                    left_out(view, value, ty, of);
                }
            }
        }
        ExprKind::Tuple(elements) => {
            if let Type::Tuple(types) = view.types.get(ty)
                && elements.len() < types.len()
            {
                view.needs("semantics.config.shorter-tuple", view.span(value), of);
            }
            let element = view.types.collection(ty);
            if element.unsupported.is_none() {
                for &value in elements {
                    left_out(view, value, element.value, of);
                }
            }
        }
        _ => {}
    }
}

/// Looks through the type that a label says.
pub(super) fn find_in_label(view: &mut View<'_>, file: FileId, label: ast::Label<'_>) {
    let text = label.text();
    let tree = pcl_newcomers::parse_expression(&*text);
    let Some(expr) = tree.expression().filter(|_| tree.errors().is_empty()) else { return };
    Walk { view, place: LabelPlace::new(label, file) }.ty(expr, false);
}

struct Walk<'v, 'b> {
    view: &'v mut View<'b>,
    place: LabelPlace,
}

impl Walk<'_, '_> {
    /// Notes the types in `expr`, which may be the type of a property. The depth is that of the
    /// text, which the parser limits.
    fn ty(&mut self, expr: ast::Expr<'_>, is_property: bool) {
        match expr {
            ast::Expr::Name(name) => {
                let span = self.span(name.range());
                let construct = format!("type.{}", name.text());
                self.view.needs(&construct, span, name.text());
            }
            ast::Expr::Call(call) => {
                let name = call.name();
                let span = self.span(call.name_range());
                let whole = self.span(call.syntax().range());
                let inner = call.arguments().next().map(|inner| self.span(inner.range()));
                let is_exact = self.place.exact;
                let construct = format!("type.{name}");
                let used = self.view.needs(&construct, span, &name);
                // Every property of an object type may be missing anyway.
                if let (Some(used), Some(inner)) = (used, inner)
                    && is_property
                    && is_exact
                    && name == "optional"
                {
                    let outside = [
                        TextRange::new(whole.range.start(), inner.range.start()),
                        TextRange::new(inner.range.end(), whole.range.end()),
                    ];
                    let edits = outside.map(|range| TextEdit::delete(Span::new(whole.file, range)));
                    used.fix = Some(Fix::unsafe_("leave out `optional`", edits.into()));
                }
                for argument in call.arguments() {
                    self.ty(argument, false);
                }
            }
            ast::Expr::Object(object) => {
                for value in object.items().filter_map(ast::ObjectItem::value) {
                    self.ty(value, true);
                }
            }
            ast::Expr::Tuple(tuple) => {
                for element in tuple.elements() {
                    self.ty(element, false);
                }
            }
            ast::Expr::Paren(paren) => {
                if let Some(inner) = paren.inner() {
                    self.ty(inner, is_property);
                }
            }
            _ => {}
        }
    }

    /// A range of the label's text, in the file.
    fn span(&self, range: TextRange) -> Span {
        self.place.moved(Span::new(self.place.file, range))
    }
}
