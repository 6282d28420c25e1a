//! The names that an expression takes from outside of itself, found without binding it.

use pcl_diagnostics::TextRange;
use pcl_syntax::ast::{self, AstNode as _, SplatStep, StepKind, TemplatePart};
use pcl_syntax::{SyntaxKind, SyntaxNode};

/// Calls `found` with every variable that `expr` refers to and does not define itself, in the order of the text; a name that is used
/// twice is found twice. Loop variables, and `error` in the second argument of `recover`, count inside their scope only. Names of
/// functions are no variables.
///
/// ```
/// let tree = pcl_syntax::parse_expression("[for x in xs: x + y[i].z]");
/// let mut names = Vec::new();
/// pcl_model::expression::free_names(tree.expression().unwrap(), |name, _| names.push(name.to_owned()));
/// assert_eq!(names, ["xs", "y", "i"]);
/// ```
pub fn free_names<'t>(expr: ast::Expr<'t>, found: impl FnMut(&'t str, TextRange)) {
    let mut walk = Walk {
        found,
        bound: Vec::new(),
        pending: Vec::new(),
    };
    walk.expr(expr);
}

struct Walk<'t, F> {
    found: F,
    /// The variables of the loops around, innermost last.
    bound: Vec<&'t str>,
    /// What follows the first operands of the chains that are being walked.
    pending: Vec<ast::Expr<'t>>,
}

impl<'t, F: FnMut(&'t str, TextRange)> Walk<'t, F> {
    fn expr(&mut self, expr: ast::Expr<'t>) {
        // Chains that lean to the left may be of any length: down to the first operand, then back over the others.
        let outer = self.pending.len();
        let mut at = Some(expr);
        while let Some(expr) = at {
            at = match expr {
                ast::Expr::Paren(paren) => paren.inner(),
                ast::Expr::Binary(binary) => binary.left(),
                ast::Expr::Index(index) => index.collection(),
                ast::Expr::Splat(splat) => Some(splat.source()),
                ast::Expr::Traversal(traversal) => Some(traversal.receiver()),
                ast::Expr::Conditional(conditional) => conditional.condition(),
                _ => None,
            };
            self.pending.push(expr);
        }
        while self.pending.len() > outer {
            if let Some(expr) = self.pending.pop() {
                self.rest(expr);
            }
        }
    }

    /// What follows the first operand; all of an expression that does not start with one.
    fn rest(&mut self, expr: ast::Expr<'t>) {
        match expr {
            ast::Expr::Name(name) => self.name(name.text(), name.range()),
            ast::Expr::Binary(binary) => self.opt(binary.right()),
            ast::Expr::Index(index) => self.opt(index.key()),
            ast::Expr::Conditional(conditional) => {
                self.opt(conditional.if_true());
                self.opt(conditional.if_false());
            }
            ast::Expr::Unary(unary) => self.opt(unary.operand()),
            ast::Expr::Traversal(traversal) => {
                for step in traversal.steps() {
                    self.step(&step);
                }
            }
            ast::Expr::Splat(splat) => {
                for step in splat.steps() {
                    match step {
                        SplatStep::Step(step) => self.step(&step),
                        SplatStep::Index { key, .. } => self.opt(key),
                        SplatStep::Marker { .. } => {}
                    }
                }
            }
            ast::Expr::Template(template) => {
                self.template(template.syntax(), || template.parts());
            }
            ast::Expr::Heredoc(heredoc) => self.template(heredoc.syntax(), || heredoc.parts()),
            ast::Expr::Tuple(tuple) => tuple.elements().for_each(|element| self.expr(element)),
            ast::Expr::Object(object) => {
                for item in object.items() {
                    if item.key_is_bare_name().is_none() {
                        self.opt(item.key());
                    }
                    self.opt(item.value());
                }
            }
            ast::Expr::Call(call) => {
                let recovers = call.name() == "recover";
                for (index, argument) in call.arguments().enumerate() {
                    let outside = self.bound.len();
                    if recovers && index == 1 {
                        self.bound.push("error");
                    }
                    self.expr(argument);
                    self.bound.truncate(outside);
                }
            }
            ast::Expr::For(for_expr) => {
                self.opt(for_expr.collection());
                let outside = self.bound.len();
                let variables = [for_expr.key_variable(), for_expr.value_variable()];
                self.bound
                    .extend(variables.into_iter().flatten().map(|name| name.text()));
                self.opt(for_expr.key());
                self.opt(for_expr.value());
                self.opt(for_expr.condition());
                self.bound.truncate(outside);
            }
            _ => {}
        }
    }

    fn opt(&mut self, expr: Option<ast::Expr<'t>>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn name(&mut self, name: &'t str, range: TextRange) {
        if !self.bound.contains(&name) {
            (self.found)(name, range);
        }
    }

    /// A step by something that is no constant exists in a broken tree only; its names count all the same.
    fn step(&mut self, step: &ast::Step<'t>) {
        if let StepKind::Index(key) = step.kind() {
            self.expr(key);
        }
    }

    /// The parts of a template, which are decoded only where it has directives.
    fn template(&mut self, template: SyntaxNode<'t>, parts: impl Fn() -> Vec<TemplatePart<'t>>) {
        let is_plain = |child: SyntaxNode<'t>| child.kind() == SyntaxKind::Interpolation;
        if !template.children().all(is_plain) {
            return self.parts(&parts());
        }
        for interpolation in template.children() {
            self.opt(interpolation.children().find_map(ast::Expr::cast));
        }
    }

    fn parts(&mut self, parts: &[TemplatePart<'t>]) {
        for part in parts {
            match part {
                TemplatePart::Literal { .. } => {}
                TemplatePart::Interpolation(expr) => self.expr(*expr),
                TemplatePart::If(directive) => {
                    self.opt(directive.condition());
                    self.parts(&directive.then_parts());
                    self.parts(&directive.else_parts());
                }
                TemplatePart::For(directive) => {
                    self.opt(directive.collection());
                    let outside = self.bound.len();
                    let variables = [directive.key_variable(), directive.value_variable()];
                    self.bound
                        .extend(variables.into_iter().flatten().map(|name| name.text()));
                    self.parts(&directive.parts());
                    self.bound.truncate(outside);
                }
            }
        }
    }
}
