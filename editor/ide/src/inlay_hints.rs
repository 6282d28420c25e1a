//! Hints that editors show between the words of a text: types of names, and names of parameters.

use pcl::binder::{NodeBody, Ranged};
use pcl::diagnostics::{FileId, TextRange};
use pcl::model::expression::{ExprId, ExprKind, For};
use pcl::model::types::TypeId;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode};

use crate::Analysis;
use crate::walk::each_node;

/// The longest type that is shown whole.
const LIMIT: usize = 40;

/// The longest type that is shown on request.
const WHOLE_LIMIT: usize = 2000;

/// The hints that are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlayHints {
    /// The types of locals, loop variables and `range`.
    pub types: bool,
    /// The names of the parameters that arguments are for.
    pub parameter_names: bool,
}

/// The kind of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InlayHintKind {
    /// The type of the name before it.
    Type,
    /// The parameter that the argument behind it is for.
    Parameter,
}

/// A text that is shown at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlayHint {
    /// The place.
    pub offset: u32,
    /// The text, such as `: string` or `separator:`.
    pub label: String,
    /// The kind.
    pub kind: InlayHintKind,
    /// The whole type, if the text has only a part of it.
    pub whole: Option<String>,
}

/// The hints in a range of a file, in order.
#[must_use]
pub fn inlay_hints(
    analysis: &mut Analysis,
    file: FileId,
    range: TextRange,
    wanted: InlayHints,
) -> Vec<InlayHint> {
    let mut found = Found::default();
    if wanted.types {
        found.locals(analysis, file, range);
    }
    found.expressions(analysis, file, range, wanted);
    let touches = |offset| range.start() <= offset && offset <= range.end();
    let mut hints = found.parameters;
    hints.retain(|hint| touches(hint.offset));
    let types = found.types.into_iter();
    for (offset, ty) in types.filter(|&(offset, _)| touches(offset)) {
        hints.extend(type_hint(analysis, offset, ty));
    }
    for (offset, members) in found.ranges {
        if touches(offset) {
            let types = &mut analysis.checked.program.types;
            let mut named = Vec::new();
            for (name, ty) in members {
                named.push((types.symbol(name), ty));
            }
            let object = types.object(named);
            hints.extend(type_hint(analysis, offset, object));
        }
    }
    hints.sort_by_key(|hint| hint.offset);
    hints
}

#[derive(Default)]
struct Found {
    parameters: Vec<InlayHint>,
    types: Vec<(u32, TypeId)>,
    /// The members of `range`, by the place of the option.
    ranges: Vec<(u32, Vec<(&'static str, TypeId)>)>,
}

impl Found {
    fn locals(&mut self, analysis: &Analysis, file: FileId, range: TextRange) {
        for node in analysis.nodes_in(file) {
            let node = analysis.node(node);
            if node.range.end() < range.start() || range.end() < node.range.start() {
                continue;
            }
            if let NodeBody::Local(value) = node.body
                && !is_literal(analysis, value)
            {
                self.types.push((node.name_range.end(), node.ty));
            }
            let ranged = match &node.body {
                NodeBody::Resource(body) => body.range,
                NodeBody::Component(body) => body.range,
                _ => continue,
            };
            let Some(option) = node.option("range") else {
                continue;
            };
            let members = match ranged {
                Ranged::Single | Ranged::Optional => continue,
                Ranged::Counted => vec![("value", TypeId::INT)],
                Ranged::Each { key, value } => vec![("key", key), ("value", value)],
            };
            self.ranges.push((option.name_range.end(), members));
        }
    }

    fn expressions(
        &mut self,
        analysis: &Analysis,
        file: FileId,
        range: TextRange,
        wanted: InlayHints,
    ) {
        let Some(tree) = analysis.tree(file) else {
            return;
        };
        each_node(tree.root(), range, |node, _| {
            let expr = || analysis.expr_of(file, node);
            match node.kind() {
                SyntaxKind::Call if wanted.parameter_names => {
                    let arguments = expr().and_then(|expr| parameters(analysis, expr, node));
                    self.parameters.extend(arguments.into_iter().flatten());
                }
                SyntaxKind::ForTuple | SyntaxKind::ForObject | SyntaxKind::ForDirective
                    if wanted.types =>
                {
                    let bound = expr().and_then(|expr| for_of(analysis, expr));
                    if let Some(bound) = bound {
                        self.variables(analysis, bound);
                    }
                }
                _ => {}
            }
        });
    }

    fn variables(&mut self, analysis: &Analysis, bound: &For) {
        for id in [bound.key_variable, bound.value_variable] {
            let definition = id.map(|id| analysis.checked.program.scopes.definition(id));
            if let Some(definition) = definition
                && let Some(span) = definition.span
            {
                self.types.push((span.range.end(), definition.ty));
            }
        }
    }
}

/// Returns true if the type of a value can be seen: a number, a bool, `null` or a plain string.
fn is_literal(analysis: &Analysis, value: ExprId) -> bool {
    let exprs = &analysis.checked.program.exprs;
    matches!(exprs[value].kind, ExprKind::Literal(_)) || exprs.literal_string(value).is_some()
}

/// The loop that an expression is, or that a directive of a template makes a string of.
fn for_of(analysis: &Analysis, expr: ExprId) -> Option<&For> {
    let exprs = &analysis.checked.program.exprs;
    match &exprs[expr].kind {
        ExprKind::For(bound) => Some(bound),
        ExprKind::TemplateJoin(inner) => match &exprs[*inner].kind {
            ExprKind::For(bound) => Some(bound),
            _ => None,
        },
        _ => None,
    }
}

/// The names of the parameters before the arguments of a call. A call with one parameter, and an
/// argument with the name of its parameter, explain themselves.
fn parameters(analysis: &Analysis, expr: ExprId, node: SyntaxNode<'_>) -> Option<Vec<InlayHint>> {
    let ExprKind::Call(call) = &analysis.checked.program.exprs[expr].kind else {
        return None;
    };
    let written: Vec<ast::Expr<'_>> = ast::Call::cast(node)?.arguments().collect();
    let parameters = &call.signature.parameters;
    let is_plain = parameters.len() < 2 && call.signature.variadic.is_none();
    if is_plain || written.len() != call.arguments.len() {
        return None;
    }
    let named = written.into_iter().zip(parameters);
    let named = named.filter(|(argument, parameter)| match argument {
        ast::Expr::Name(name) => *name.text() != *parameter.name,
        _ => true,
    });
    let hints = named.map(|(argument, parameter)| InlayHint {
        offset: argument.range().start(),
        label: format!("{}:", parameter.name),
        kind: InlayHintKind::Parameter,
        whole: None,
    });
    Some(hints.collect())
}

fn type_hint(analysis: &mut Analysis, offset: u32, ty: TypeId) -> Option<InlayHint> {
    if ty == TypeId::ERROR {
        return None;
    }
    let types = &mut analysis.checked.program.types;
    let mut short = types.text_within(ty, LIMIT);
    if let Some((end, _)) = short.char_indices().nth(LIMIT) {
        short.truncate(end);
        short.push('…');
    }
    let whole = types.text_within(ty, WHOLE_LIMIT);
    Some(InlayHint {
        offset,
        label: format!(": {short}"),
        kind: InlayHintKind::Type,
        whole: (whole != short).then_some(whole),
    })
}
