//! From syntax to typed expressions.
//!
//! Chains that lean to the left (`a + b + c`, `a[i].b[j]`) may be of any length, so the checker
//! walks down to their first operand with a list, not with recursion. All other nesting is bounded
//! by the parser.

use std::sync::Arc;

use pcl_diagnostics::{FileId, Matter, Reporter, Span, TextRange};
use pcl_syntax::{NodeId, ast};
use smallvec::SmallVec;

use super::arena::ExprArena;
use super::expr::{Expr, ExprId, ExprKind};
use crate::scope::{ScopeId, Scopes};
use crate::types::{Type, TypeId, TypeStore};

/// The things that the names of an expression stand for. It changes the advice about unknown names,
/// never the checks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Names {
    /// Variables and functions.
    #[default]
    Values,
    /// Variables and functions, for an option that takes resources: no text is meant.
    Resources,
    /// Types: the expression is the label of a `config`.
    Types,
    /// Properties of the block around the expression, which is the value of an option that lists
    /// them.
    Properties {
        /// The option.
        option: &'static str,
        /// Outputs may be listed as well as inputs.
        with_outputs: bool,
    },
}

impl Names {
    /// Returns true for variables and functions.
    pub(super) const fn are_variables(self) -> bool {
        matches!(self, Self::Values | Self::Resources)
    }
}

/// Makes typed expressions from the expressions of one file.
pub struct Checker<'a> {
    /// The types of the program.
    pub types: &'a mut TypeStore,
    /// The scopes of the program.
    pub scopes: &'a mut Scopes,
    /// The arena that takes the expressions.
    pub exprs: &'a mut ExprArena,
    /// The diagnostics of the program.
    pub reporter: &'a mut Reporter,
    /// The targets that names may have.
    pub names: Names,
    /// The name that is declared with the expression as its value, which is never what an unknown
    /// name in it means.
    pub own: Option<Arc<str>>,
    /// The file.
    pub file: FileId,
}

impl Checker<'_> {
    /// Makes a typed expression from `expr`, whose names are looked up from `scope`.
    ///
    /// Every part is bound, whatever is wrong with the others. What cannot be typed has the type
    /// [`TypeId::ERROR`], about which nothing further is said.
    pub fn bind(&mut self, expr: ast::Expr<'_>, scope: ScopeId) -> ExprId {
        match first_operand(expr) {
            Descent::End => self.bind_atom(expr, scope),
            _ => self.bind_chain(expr, scope),
        }
    }

    /// Binds an expression that starts with another one, from the first operand on.
    fn bind_chain(&mut self, expr: ast::Expr<'_>, scope: ScopeId) -> ExprId {
        let mut pending: SmallVec<[ast::Expr<'_>; 4]> = SmallVec::new();
        let mut at = expr;
        let mut bound = loop {
            match first_operand(at) {
                Descent::Same(inner) => at = inner,
                Descent::Operand(operand) => {
                    pending.push(at);
                    at = operand;
                }
                Descent::Missing => {
                    pending.push(at);
                    break self.missing(at);
                }
                Descent::End => break self.bind_atom(at, scope),
            }
        };
        while let Some(node) = pending.pop() {
            bound = match node {
                ast::Expr::Binary(binary) => self.bind_binary(binary, bound, scope),
                ast::Expr::Index(index) => self.bind_index(index, bound, scope),
                ast::Expr::Splat(splat) => self.bind_splat(splat, bound, scope),
                ast::Expr::Traversal(traversal) => self.bind_steps(traversal, bound),
                ast::Expr::Conditional(conditional) => {
                    self.bind_conditional(conditional, bound, scope)
                }
                _ => bound,
            };
        }
        bound
    }

    fn bind_atom(&mut self, expr: ast::Expr<'_>, scope: ScopeId) -> ExprId {
        match expr {
            ast::Expr::Literal(literal) => self.bind_literal(literal),
            ast::Expr::Template(template) => {
                if let Some((text, part)) = template.only_part() {
                    return self.bind_text(&text, part, expr.range(), expr.syntax().id());
                }
                self.bind_template(template.parts(), expr.range(), expr.syntax().id(), scope)
            }
            ast::Expr::Heredoc(heredoc) => {
                self.bind_template(heredoc.parts(), expr.range(), expr.syntax().id(), scope)
            }
            ast::Expr::Name(name) => self.bind_name(name, None, scope),
            ast::Expr::Traversal(traversal) => match traversal.receiver() {
                ast::Expr::Name(name) => self.bind_name(name, Some(traversal), scope),
                _ => self.missing(expr),
            },
            ast::Expr::Call(call) => self.bind_call(call, scope),
            ast::Expr::Tuple(tuple) => self.bind_tuple(tuple, scope),
            ast::Expr::Object(object) => self.bind_object(object, scope),
            ast::Expr::For(for_expr) => self.bind_for(for_expr, scope),
            ast::Expr::Unary(unary) => self.bind_unary(unary, scope),
            _ => self.missing(expr),
        }
    }

    /// Binds a part that may be missing in a broken tree; `parent` is its parent.
    pub(super) fn bind_part(
        &mut self,
        part: Option<ast::Expr<'_>>,
        parent: ast::Expr<'_>,
        scope: ScopeId,
    ) -> ExprId {
        match part {
            Some(part) => self.bind(part, scope),
            None => self.missing(parent),
        }
    }

    /// An expression in the place of one that the parser could not read.
    fn missing(&mut self, expr: ast::Expr<'_>) -> ExprId {
        self.push(ExprKind::Error, TypeId::ERROR, expr.range(), expr.syntax().id())
    }

    pub(super) fn push(
        &mut self,
        kind: ExprKind,
        ty: TypeId,
        range: TextRange,
        node: NodeId,
    ) -> ExprId {
        self.exprs.push(Expr { kind, ty, file: self.file, range, node })
    }

    /// The type of a bound expression.
    pub fn type_of(&self, id: ExprId) -> TypeId {
        self.exprs[id].ty
    }

    /// The place of a bound expression.
    pub fn span_of(&self, id: ExprId) -> Span {
        let expr = &self.exprs[id];
        Span::new(expr.file, expr.range)
    }

    /// `ty` inside the outputs and promises around a collection of type `source`, those inside an
    /// option included.
    pub(super) fn rewrap(&mut self, source: TypeId, mut ty: TypeId) -> TypeId {
        let mut source = self.types.null_as_none(source);
        loop {
            ty = self.types.rewrap(source, ty);
            while let Type::Output(element) | Type::Promise(element) = self.types.get(source) {
                source = *element;
            }
            match self.types.without_none(source) {
                Some(other) => source = other,
                None => return ty,
            }
        }
    }

    /// The type of what a reported diagnostic keeps from being typed: dynamic when an option
    /// excuses it.
    pub(crate) fn unless_excused(&self, matter: Matter) -> TypeId {
        if self.reporter.policy().excuses(matter) { TypeId::DYNAMIC } else { TypeId::ERROR }
    }
}

/// The first operand of an expression.
enum Descent<'t> {
    /// The expression is this one in parentheses or quotes.
    Same(ast::Expr<'t>),
    /// It starts with this operand.
    Operand(ast::Expr<'t>),
    /// It should start with an operand, but the tree is broken.
    Missing,
    /// It does not start with an operand.
    End,
}

fn first_operand(expr: ast::Expr<'_>) -> Descent<'_> {
    let operand = match expr {
        ast::Expr::Paren(paren) => {
            return paren.inner().map_or(Descent::End, Descent::Same);
        }
        ast::Expr::Template(template) => {
            return template.wrapped().map_or(Descent::End, Descent::Same);
        }
        ast::Expr::Binary(binary) => binary.left(),
        ast::Expr::Index(index) => index.collection(),
        ast::Expr::Splat(splat) => Some(splat.source()),
        // A name and the steps after it are one expression.
        ast::Expr::Traversal(traversal) => match traversal.receiver() {
            ast::Expr::Name(_) => return Descent::End,
            receiver => Some(receiver),
        },
        ast::Expr::Conditional(conditional) => conditional.condition(),
        _ => return Descent::End,
    };
    operand.map_or(Descent::Missing, Descent::Operand)
}
