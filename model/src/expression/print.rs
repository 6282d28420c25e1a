//! The canonical text of an expression: one line, derived from the bound expression alone, which
//! reads back as an equal one.

use crate::relations::Key;
use crate::scope::{DefinitionId, Scopes};
use crate::types::TypeStore;
use crate::value::{Constant, Number};

use super::arena::ExprArena;
use super::expr::{ExprId, ExprKind, For, TraversalStep};
use pcl_syntax::ast::BinaryOperator;
use pcl_syntax::{escaped, quoted};

/// The precedence of a form. An operand of lower precedence than its place requires is put in
/// parentheses.
mod level {
    pub(super) const ANY: u8 = 0;
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const EQUALITY: u8 = 3;
    pub(super) const ORDER: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const UNARY: u8 = 7;
    pub(super) const POSTFIX: u8 = 8;
}

/// The text of `id`. Chains and nesting may be of any length.
pub fn print(id: ExprId, exprs: &ExprArena, types: &TypeStore, scopes: &Scopes) -> String {
    let mut printer = Printer { exprs, types, scopes, text: String::new(), todo: Vec::new() };
    printer.push([Piece::Expr(id, level::ANY)]);
    while let Some(piece) = printer.todo.pop() {
        printer.piece(piece);
    }
    printer.text
}

/// Something still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    /// An expression in a place with a precedence level.
    Expr(ExprId, u8),
    /// The parts of a template, without the quotes.
    Parts(ExprId),
}

struct Printer<'a> {
    exprs: &'a ExprArena,
    types: &'a TypeStore,
    scopes: &'a Scopes,
    text: String,
    /// The fragments still to come, last first.
    todo: Vec<Piece>,
}

impl Printer<'_> {
    fn push(&mut self, pieces: impl IntoIterator<Item = Piece, IntoIter: DoubleEndedIterator>) {
        self.todo.extend(pieces.into_iter().rev());
    }

    fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => self.text.push_str(text),
            Piece::Owned(text) => self.text.push_str(&text),
            Piece::Parts(id) => self.parts(id),
            Piece::Expr(id, wanted) if self.level(id) < wanted => {
                self.push([Piece::Text("("), Piece::Expr(id, level::ANY), Piece::Text(")")])
            }
            Piece::Expr(id, _) => self.expr(id),
        }
    }

    fn level(&self, id: ExprId) -> u8 {
        match &self.exprs[id].kind {
            ExprKind::Conditional { .. } => level::ANY,
            ExprKind::Binary { operator, .. } => binary_level(*operator),
            // A number before a dot would be read as part of it.
            ExprKind::Unary { .. }
            | ExprKind::Splat(_)
            | ExprKind::Literal(Constant::Number(_)) => level::UNARY,
            _ => level::POSTFIX,
        }
    }

    fn expr(&mut self, id: ExprId) {
        use Piece::{Expr, Owned, Text};
        let exprs = self.exprs;
        match &exprs[id].kind {
            ExprKind::Literal(constant) => {
                let text = match constant {
                    Constant::String(text) => quoted(text),
                    _ => constant.to_string(),
                };
                self.text.push_str(&text);
            }
            ExprKind::Template(_) => self.push([Text("\""), Piece::Parts(id), Text("\"")]),
            ExprKind::TemplateJoin(_) => self.push([Text("\""), Piece::Parts(id), Text("\"")]),
            ExprKind::Unary { operator, operand } => {
                self.push([Text(operator.text()), Expr(*operand, level::UNARY)]);
            }
            ExprKind::Binary { operator, left, right } => {
                let level = binary_level(*operator);
                self.push([
                    Expr(*left, level),
                    Owned(format!(" {} ", operator.text())),
                    Expr(*right, level + 1),
                ]);
            }
            ExprKind::Conditional { condition, if_true, if_false } => self.push([
                Expr(*condition, level::OR),
                Text(" ? "),
                Expr(*if_true, level::ANY),
                Text(" : "),
                Expr(*if_false, level::ANY),
            ]),
            ExprKind::Tuple(elements) => {
                let elements = separated(elements);
                self.push(around("[", elements, "]"));
            }
            ExprKind::Object(items) => {
                let mut pieces = Vec::new();
                for (index, &(key, value)) in items.iter().enumerate() {
                    pieces.push(Text(if index == 0 { "" } else { ", " }));
                    pieces.extend(self.key(key));
                    pieces.extend([Text(" = "), Expr(value, level::ANY)]);
                }
                self.push(around("{", pieces, "}"));
            }
            // `c["k"]` would be a step from `c`.
            ExprKind::Index { collection, key } if self.is_step(*key) => self.push([
                Text("lookup("),
                Expr(*collection, level::ANY),
                Text(", "),
                Expr(*key, level::ANY),
                Text(")"),
            ]),
            ExprKind::Index { collection, key } => self.push([
                Expr(*collection, level::POSTFIX),
                Text("["),
                Expr(*key, level::ANY),
                Text("]"),
            ]),
            ExprKind::For(for_expr) => self.for_expr(for_expr),
            ExprKind::Traversal(traversal) => {
                self.text.push_str(self.types.name(traversal.root));
                self.steps(self.exprs.steps(traversal.steps));
            }
            ExprKind::RelativeTraversal { source, steps } => {
                let after = self.steps_text(self.exprs.steps(*steps));
                self.push([Expr(*source, level::POSTFIX), Owned(after)]);
            }
            ExprKind::Splat(splat) => {
                let source = exprs.wrapped_alone(splat.source).unwrap_or(splat.source);
                self.push([
                    Expr(source, level::POSTFIX),
                    Text("[*]"),
                    Expr(splat.each, level::ANY),
                ]);
            }
            ExprKind::Call(call) => {
                self.text.push_str(self.types.name(call.name));
                let close = if call.expands_last { "...)" } else { ")" };
                let arguments = separated(&call.arguments);
                self.push(around("(", arguments, close));
            }
            ExprKind::Apply(apply) => {
                let mut pieces = Vec::new();
                for &(_, argument) in &apply.arguments {
                    pieces.extend([Expr(argument, level::ANY), Text(", ")]);
                }
                pieces.push(Text("eval("));
                for &(parameter, _) in &apply.arguments {
                    let name = self.scopes.definition(parameter).name;
                    pieces.push(Owned(format!("{}, ", self.types.name(name))));
                }
                pieces.push(Expr(apply.body, level::ANY));
                self.push(around("__apply(", pieces, "))"));
            }
            ExprKind::Convert(value) => {
                self.push([Text("__convert("), Expr(*value, level::ANY), Text(")")]);
            }
            ExprKind::Error => {}
        }
    }

    /// Returns whether a string holds one value alone.
    fn is_value(&self, id: ExprId) -> bool {
        match &self.exprs[id].kind {
            ExprKind::Template(parts) => match parts[..] {
                [part] => {
                    self.exprs.literal_string(id).is_none()
                        && self.exprs[part].ty != self.exprs[id].ty
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns whether a key in brackets would be read as a step.
    fn is_step(&self, key: ExprId) -> bool {
        match &self.exprs[key].kind {
            ExprKind::Literal(Constant::Number(number)) => *number >= Number::from(0),
            ExprKind::Literal(_) => true,
            _ => self.exprs.literal_string(key).is_some(),
        }
    }

    fn for_expr(&mut self, for_expr: &For) {
        use Piece::{Expr, Owned, Text};
        let variables = self.variables(for_expr);
        let (open, close) = match for_expr.key {
            Some(_) => ("{for ", "}"),
            None => ("[for ", "]"),
        };
        let mut pieces = vec![
            Text(open),
            Owned(variables),
            Text(" in "),
            Expr(for_expr.collection, level::ANY),
            Text(": "),
        ];
        if let Some(key) = for_expr.key {
            pieces.extend([Expr(key, level::ANY), Text(" => ")]);
        }
        pieces.push(Expr(for_expr.value, level::ANY));
        if for_expr.groups {
            pieces.push(Text("..."));
        }
        if let Some(condition) = for_expr.condition {
            pieces.extend([Text(" if "), Expr(condition, level::ANY)]);
        }
        pieces.push(Text(close));
        self.push(pieces);
    }

    fn variables(&self, for_expr: &For) -> String {
        let name = |id: DefinitionId| self.types.name(self.scopes.definition(id).name);
        match (for_expr.key_variable, for_expr.value_variable) {
            (Some(key), Some(value)) => format!("{}, {}", name(key), name(value)),
            (Some(key), None) => format!("{0}, {0}", name(key)),
            (None, value) => value.map_or_else(String::new, |value| name(value).to_owned()),
        }
    }

    fn key(&self, key: ExprId) -> Vec<Piece> {
        use Piece::{Expr, Owned, Text};
        match &self.exprs[key].kind {
            ExprKind::Literal(Constant::Null) => vec![Text("(null)")],
            ExprKind::Literal(_) => {
                let text = self.exprs.key_text(key).unwrap_or_default();
                if pcl_syntax::is_identifier(&text) {
                    vec![Owned(text.into_owned())]
                } else {
                    vec![Owned(quoted(&text))]
                }
            }
            ExprKind::Template(_) if self.exprs.literal_string(key).is_some() => {
                vec![Expr(key, level::ANY)]
            }
            _ => vec![Text("("), Expr(key, level::ANY), Text(")")],
        }
    }

    fn steps(&mut self, steps: &[TraversalStep]) {
        let text = self.steps_text(steps);
        self.text.push_str(&text);
    }

    fn steps_text(&self, steps: &[TraversalStep]) -> String {
        let mut text = String::new();
        for step in steps {
            match &step.key {
                Key::Name(name) => {
                    text.push('.');
                    text.push_str(self.types.name(*name));
                }
                Key::Constant(Constant::String(key)) => {
                    text.push_str(&format!("[{}]", quoted(key)));
                }
                Key::Constant(key) => text.push_str(&format!("[{key}]")),
                Key::Unknown(_) => {}
            }
        }
        text
    }

    /// The inside of a template, or a loop of one.
    fn parts(&mut self, id: ExprId) {
        use Piece::{Expr, Owned, Text};
        let exprs = self.exprs;
        match &exprs[id].kind {
            ExprKind::Template(parts) => {
                let mut pieces = Vec::with_capacity(parts.len());
                for (index, &part) in parts.iter().enumerate() {
                    match &exprs[part].kind {
                        ExprKind::Literal(Constant::String(text)) => {
                            let next = parts.get(index + 1);
                            pieces.push(Owned(escaped(text, next.is_some())));
                        }
                        ExprKind::TemplateJoin(_) => pieces.push(Piece::Parts(part)),
                        // `"${c ? a : b}"` would be the conditional itself, and `"${a}"` in a
                        // branch the value, which may be of another type.
                        ExprKind::Conditional { condition, if_true, if_false }
                            if parts.len() == 1 && exprs[part].ty != exprs[id].ty
                                || [*if_true, *if_false].iter().any(|id| self.is_value(*id)) =>
                        {
                            pieces.extend([
                                Text("%{ if "),
                                Expr(*condition, level::ANY),
                                Text(" }"),
                                Piece::Parts(*if_true),
                                Text("%{ else }"),
                                Piece::Parts(*if_false),
                                Text("%{ endif }"),
                            ])
                        }
                        _ => pieces.extend([Text("${"), Expr(part, level::ANY), Text("}")]),
                    }
                }
                self.push(pieces);
            }
            ExprKind::TemplateJoin(made) => {
                if let ExprKind::For(for_expr) = &exprs[*made].kind {
                    let variables = self.variables(for_expr);
                    self.push([
                        Owned(format!("%{{ for {variables} in ")),
                        Expr(for_expr.collection, level::ANY),
                        Text(" }"),
                        Piece::Parts(for_expr.value),
                        Text("%{ endfor }"),
                    ]);
                }
            }
            _ => {}
        }
    }
}

const fn binary_level(operator: BinaryOperator) -> u8 {
    use BinaryOperator as Op;
    match operator {
        Op::Or => level::OR,
        Op::And => level::AND,
        Op::Equal | Op::NotEqual => level::EQUALITY,
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => level::ORDER,
        Op::Add | Op::Subtract => level::SUM,
        Op::Multiply | Op::Divide | Op::Modulo => level::PRODUCT,
    }
}

fn separated(elements: &[ExprId]) -> Vec<Piece> {
    let pieces = elements.iter().enumerate().flat_map(|(index, &element)| {
        let separator = Piece::Text(if index == 0 { "" } else { ", " });
        [separator, Piece::Expr(element, level::ANY)]
    });
    pieces.collect()
}

fn around(open: &'static str, mut pieces: Vec<Piece>, close: &'static str) -> Vec<Piece> {
    pieces.insert(0, Piece::Text(open));
    pieces.push(Piece::Text(close));
    pieces
}
