//! Known values: those that an expression has in every run, whatever the stack, its configuration
//! and the providers decide. A generator whose language has no form for an expression may write its
//! value instead.
//!
//! The rules, with examples: `tests/spec/lowering/known.md`.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use pcl_binder::{ComponentId, Module, NodeBody, Program};
use pcl_eval::{Answers, Evaluation, Kind, Offline, Setup, Value};
use pcl_language::Function;
use pcl_lower::expression::{Known, Replacement};
use pcl_model::Constant;
use pcl_model::expression::{ExprId, ExprKind};
use pcl_syntax::ast::UnaryOperator;
use pcl_values::{Content, Contents, Entry, NOT_READ};

use crate::trial;

/// The number of parts up to which a value is written.
const MOST_PARTS: usize = 1000;

/// A program in which operators, conditionals, loops, computed keys and calls of functions that a
/// language lacks are their values, where these are known. `has_function` tells the functions that
/// it has.
pub fn known_values(program: Program, has_function: impl Fn(Function) -> bool) -> Program {
    let program = Arc::new(program);
    let mut replacements = HashMap::default();
    let components = (0..program.components.len()).map(|at| Some(ComponentId(at as u32)));
    for component in [None].into_iter().chain(components) {
        let module = match component {
            Some(id) => &program.component(id).module,
            None => &program.module,
        };
        let mut search = Search {
            program: &program,
            module,
            component,
            has_function: &has_function,
            evaluation: None,
            replacements: &mut replacements,
        };
        for node in &module.nodes {
            search.stretch(node.expressions.clone());
        }
    }
    let program = Arc::unwrap_or_clone(program);
    if replacements.is_empty() { program } else { pcl_lower::known_values(program, &replacements) }
}

/// The search for expressions with known values in a module.
struct Search<'p, F> {
    program: &'p Arc<Program>,
    module: &'p Module,
    component: Option<ComponentId>,
    has_function: &'p F,
    /// The evaluation of the module, once something needs it.
    evaluation: Option<Evaluation>,
    replacements: &'p mut HashMap<ExprId, Replacement>,
}

impl<F: Fn(Function) -> bool> Search<'_, F> {
    /// Searches the expressions in a stretch of the arena, those around others first.
    fn stretch(&mut self, stretch: std::ops::Range<u32>) {
        let program = Arc::clone(self.program);
        let mut pending = Vec::new();
        let mut end = stretch.end;
        while let Some((root, _)) = program.exprs.range(stretch.start..end).last() {
            end = end.saturating_sub(program.exprs.subtree(root).count() as u32);
            pending.push(root);
        }
        while let Some(id) = pending.pop() {
            self.expression(id, &mut pending);
        }
    }

    /// Finds the replacement of an expression, or puts the parts in which some may be replaced on
    /// the list.
    fn expression(&mut self, id: ExprId, pending: &mut Vec<ExprId>) {
        let program = Arc::clone(self.program);
        let exprs = &program.exprs;
        let kind = &exprs[id].kind;
        match kind {
            ExprKind::Unary { operator: UnaryOperator::Negate, operand }
                if matches!(exprs[*operand].kind, ExprKind::Literal(_)) => {}
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::TemplateJoin(_)
            | ExprKind::For(_)
            | ExprKind::Splat(_) => _ = self.replace(id),
            ExprKind::Conditional { condition, if_true, if_false } => {
                if self.replace(id) {
                    return;
                }
                let operand = match self.value(*condition) {
                    Some(Known::Constant(Constant::Bool(true))) => *if_true,
                    Some(Known::Constant(Constant::Bool(false))) => *if_false,
                    _ => return,
                };
                self.replacements.insert(id, Replacement::Operand(operand));
                pending.push(operand);
            }
            ExprKind::Index { collection, key } => {
                // A reference stays one, to the element whose key is known.
                let is_reference = matches!(exprs[*collection].kind, ExprKind::Traversal(_));
                if is_reference || !self.replace(id) {
                    self.replace(*key);
                    pending.push(*collection);
                }
            }
            ExprKind::RelativeTraversal { source, .. } => {
                if !self.replace(id) {
                    pending.push(*source);
                }
            }
            ExprKind::Object(items) => {
                for &(key, value) in items {
                    if exprs.key_text(key).is_none() {
                        self.replace(key);
                    }
                    pending.push(value);
                }
            }
            ExprKind::Call(call) => {
                let function = Function::parse(program.types.name(call.name));
                let is_there = function.is_some_and(self.has_function) && !call.expands_last;
                if is_there || !self.replace(id) {
                    pending.extend(call.arguments.iter().copied());
                }
            }
            _ => kind.for_each_operand(|operand| pending.push(operand)),
        }
    }

    /// Replaces an expression by its value. Returns false if this is not known.
    fn replace(&mut self, id: ExprId) -> bool {
        let Some(value) = self.value(id) else { return false };
        self.replacements.insert(id, Replacement::Value(value));
        true
    }

    fn value(&mut self, id: ExprId) -> Option<Known> {
        let evaluation = match &self.evaluation {
            Some(evaluation) => evaluation,
            None => self.evaluation.insert(self.evaluated()),
        };
        let value = evaluation.expression(id).ok()?;
        if value.count() > MOST_PARTS { None } else { known(&value) }
    }

    /// The evaluation of the module, with unknown values for what a stack or a provider decides.
    fn evaluated(&self) -> Evaluation {
        let settings = trial::settings();
        let is_decided_later = |body: &NodeBody| {
            matches!(body, NodeBody::Config(_) | NodeBody::Resource(_) | NodeBody::Component(_))
        };
        let nodes = self.module.nodes_with_ids();
        let nodes = nodes.filter(|(_, node)| is_decided_later(&node.body));
        let evaluation = Evaluation::of(
            Setup {
                program: Arc::clone(self.program),
                monitor: Arc::new(Offline::new(
                    &settings.project,
                    &settings.stack,
                    Answers::default(),
                )),
                settings,
                contents: Arc::new(Unread),
                trees: &[],
                variables: Vec::new(),
                nodes: nodes.map(|(id, _)| (id, Value::UNKNOWN)).collect(),
            },
            self.component,
        );
        // What fails has no value.
        _ = evaluation.run();
        evaluation
    }
}

/// A value as it can be written; `None` if a part of it is unknown, secret, or no plain value.
fn known(value: &Value) -> Option<Known> {
    if !value.marks.is_empty() {
        return None;
    }
    Some(match &value.kind {
        Kind::Null => Known::Constant(Constant::Null),
        Kind::Bool(value) => Known::Constant(Constant::Bool(*value)),
        Kind::Number(number) if number.is_finite() => {
            Known::Constant(Constant::Number(number.clone()))
        }
        Kind::String(text) => Known::Constant(Constant::from(text.unmarked().as_str()?)),
        Kind::List(list) => Known::List(list.elements().iter().map(known).collect::<Option<_>>()?),
        Kind::Object(object) => {
            let fields = object.iter().map(|(name, value)| Some((Arc::clone(name), known(value)?)));
            Known::Object(fields.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Files whose contents are not known.
struct Unread;

impl Contents for Unread {
    fn file(&self, _: &str) -> io::Result<Content<'_>> {
        Err(NOT_READ.into())
    }

    fn directory(&self, _: &str) -> io::Result<Vec<Entry>> {
        Err(NOT_READ.into())
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(NOT_READ.into())
    }
}
