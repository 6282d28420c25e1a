//! Hints that editors show between the words of a text: types of names, and names of parameters.

use pcl::binder::{NodeBody, Ranged};
use pcl::diagnostics::Span;
use pcl::model::expression::{ExprId, ExprKind};
use pcl::model::types::TypeId;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode};

use crate::analysis::{each_node, variables};
use crate::{Analysis, FilePosition};

/// The longest type that is shown whole.
const MAX_SHOWN: usize = 40;

/// The longest type that is shown on request.
const MAX_WHOLE: usize = 2000;

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

/// The hints in a part of a file, in order.
pub fn inlay_hints(analysis: &mut Analysis, part: Span, wanted: InlayHints) -> Vec<InlayHint> {
    let mut found = Found::default();
    if wanted.types {
        found.nodes(analysis, part);
    }
    found.expressions(analysis, part, wanted);
    let Found { parameters: mut hints, types: mut typed, ranges } = found;
    // A node that touches the part has names outside of it, whose types are not worth their text.
    let touches = |offset: u32| FilePosition::new(part.file, offset).touches(part.range);
    for (offset, ranged) in ranges.into_iter().filter(|&(offset, _)| touches(offset)) {
        let range = ranged.variable(&mut analysis.checked.program.types);
        typed.extend(range.map(|ty| (offset, ty)));
    }
    hints.retain(|hint| touches(hint.offset));
    typed.retain(|&(offset, _)| touches(offset));
    hints.extend(typed.into_iter().filter_map(|(offset, ty)| type_hint(analysis, offset, ty)));
    hints.sort_by_key(|hint| hint.offset);
    hints
}

#[derive(Default)]
struct Found {
    parameters: Vec<InlayHint>,
    types: Vec<(u32, TypeId)>,
    /// The kinds of `range`, by the place of the option.
    ranges: Vec<(u32, Ranged)>,
}

impl Found {
    /// The types of locals and of `range`.
    fn nodes(&mut self, analysis: &Analysis, part: Span) {
        for node in analysis.nodes_in(part.file) {
            let node = analysis.node(node);
            if node.range.end() < part.range.start() || part.range.end() < node.range.start() {
                continue;
            }
            if let NodeBody::Local(value) = node.body
                && !is_literal(analysis, value)
            {
                self.types.push((node.name_range.end(), node.ty));
            }
            if let Some(option) = node.option("range") {
                self.ranges.push((option.name_range.end(), node.ranged()));
            }
        }
    }

    /// The names of parameters, and the types of the variables of loops.
    fn expressions(&mut self, analysis: &Analysis, part: Span, wanted: InlayHints) {
        let Some(tree) = analysis.tree(part.file) else { return };
        let scopes = &analysis.checked.program.scopes;
        each_node(tree.root(), part.range, |node, _| {
            let expr = || analysis.expr_of(part.file, node);
            match node.kind() {
                SyntaxKind::Call if wanted.parameter_names => {
                    let arguments = expr().and_then(|expr| parameters(analysis, expr, node));
                    self.parameters.extend(arguments.into_iter().flatten());
                }
                SyntaxKind::ForTuple | SyntaxKind::ForObject | SyntaxKind::ForDirective
                    if wanted.types =>
                {
                    let found = expr().and_then(|expr| analysis.loop_of(expr));
                    self.types.extend(found.into_iter().flat_map(variables).filter_map(|id| {
                        let definition = scopes.definition(id);
                        Some((definition.span?.range.end(), definition.ty))
                    }));
                }
                _ => {}
            }
        });
    }
}

/// Returns true if the type of a value can be seen: a number, a bool, `null` or a plain string.
fn is_literal(analysis: &Analysis, value: ExprId) -> bool {
    let exprs = &analysis.checked.program.exprs;
    matches!(exprs[value].kind, ExprKind::Literal(_)) || exprs.literal_string(value).is_some()
}

/// The names of the parameters before the arguments of a call. A call with one parameter, and an
/// argument with the name of its parameter, explain themselves.
fn parameters(analysis: &Analysis, expr: ExprId, node: SyntaxNode<'_>) -> Option<Vec<InlayHint>> {
    let ExprKind::Call(call) = &analysis.checked.program.exprs[expr].kind else { return None };
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
    let mut short = types.text_within(ty, MAX_SHOWN);
    if let Some((end, _)) = short.char_indices().nth(MAX_SHOWN) {
        short.truncate(end);
        short.push('…');
    }
    let whole = types.text_within(ty, MAX_WHOLE);
    Some(InlayHint {
        offset,
        label: format!(": {short}"),
        kind: InlayHintKind::Type,
        whole: (whole != short).then_some(whole),
    })
}
