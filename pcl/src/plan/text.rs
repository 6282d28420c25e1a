//! Plans as text for people.

use pcl_eval::notation::Secrets;
use pcl_plan::{ChangeKind, Op, Plan, Step};
use pcl_values::PropertyValue;

use super::Planned;
use super::tree::{Tree, sign, totals, words};
use crate::render::{one_line, shown};

/// The look of the text of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanLook {
    /// The text has colours.
    pub color: bool,
    /// The text has the resources that nothing happens to.
    pub with_sames: bool,
    /// The treatment of secrets.
    pub secrets: Secrets,
}

/// The most levels of a tree that are indented; deeper ones stay where they are.
const MAX_LEVELS: usize = 40;

/// The longest value that is shown in whole, in characters.
const LONGEST: usize = 100;

/// A plan as a tree of resources with the changes of their inputs, and the totals.
pub fn plan_text(planned: &Planned, look: PlanLook) -> String {
    let plan = &planned.plan;
    let tree = Tree::of(plan, look.with_sames);
    let mut text = String::new();
    for &root in tree.roots() {
        let mut pending = vec![(root, String::new(), String::new())];
        while let Some((at, first, rest)) = pending.pop() {
            let Some(step) = tree.steps.get(at) else { continue };
            let children = tree.children(step);
            node(&mut text, step, (&first, &rest), !children.is_empty(), look);
            let is_deep = rest.chars().count() >= 3 * MAX_LEVELS;
            for (place, &child) in children.iter().enumerate().rev() {
                let is_last = place + 1 == children.len();
                let (branch, below) = match (is_last, is_deep) {
                    (true, false) => ("└─ ", "   "),
                    (true, true) => ("└─ ", ""),
                    (false, false) => ("├─ ", "│  "),
                    (false, true) => ("├─ ", ""),
                };
                pending.push((child, format!("{rest}{branch}"), format!("{rest}{below}")));
            }
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&summary(plan));
    text
}

fn summary(plan: &Plan) -> String {
    let totals = totals(plan);
    if plan.is_complete {
        format!("{totals}\n")
    } else {
        format!("{totals}; the plan is not complete\n")
    }
}

/// Prints a step behind `first`, and its changes behind `rest`.
fn node(
    text: &mut String,
    step: &Step,
    (first, rest): (&str, &str),
    has_children: bool,
    look: PlanLook,
) {
    let (on, off) = if look.color { (color(step.op), "\x1b[0m") } else { ("", "") };
    let (kind, name) = (one_line(step.kind()), one_line(step.name()));
    let words = match step.op {
        Op::Same if step.reason == pcl_plan::Reason::Unchanged => String::new(),
        _ => format!("  ({})", one_line(&words(step))),
    };
    let (sign, line) = (sign(step.op), format!("{first}{kind} {name}{words}"));
    text.push_str(&format!("{on}{sign:<2} {line}{off}\n"));
    if step.op == Op::Create || step.op == Op::Delete {
        return;
    }
    let bar = if has_children { "│" } else { " " };
    for change in &step.changes {
        let (sign, color) = match change.kind() {
            ChangeKind::Add => ("+", color(Op::Create)),
            ChangeKind::Delete => ("-", color(Op::Delete)),
            ChangeKind::Update => ("~", color(Op::Update)),
        };
        let (on, off) = if look.color { (color, "\x1b[0m") } else { ("", "") };
        let path = one_line(&change.path.to_string()).into_owned();
        let values = values(change.old.as_ref(), change.new.as_ref(), look.secrets);
        let replaces = if change.replaces { "  (replaces)" } else { "" };
        text.push_str(&format!("   {rest}{bar}   {on}{sign} {path}: {values}{replaces}{off}\n"));
    }
    for path in &step.incomparable {
        let path = one_line(&path.to_string()).into_owned();
        text.push_str(&format!("   {rest}{bar}   ? {path}: a secret that cannot be compared\n"));
    }
}

/// The values of a change on one line.
pub(super) fn values(
    old: Option<&PropertyValue>,
    new: Option<&PropertyValue>,
    secrets: Secrets,
) -> String {
    let value = |value: &PropertyValue| {
        let text = one_line(&shown(value, secrets)).into_owned();
        if text.chars().count() <= LONGEST {
            return text;
        }
        let start: String = text.chars().take(LONGEST).collect();
        format!("{start}...")
    };
    match (old, new) {
        (Some(old), Some(new)) => format!("{} => {}", value(old), value(new)),
        (Some(only), None) | (None, Some(only)) => value(only),
        (None, None) => String::new(),
    }
}

fn color(op: Op) -> &'static str {
    match op {
        Op::Same => "\x1b[2m",
        Op::Create | Op::Import => "\x1b[32m",
        Op::Update => "\x1b[33m",
        Op::Delete | Op::Discard => "\x1b[31m",
        Op::Read => "\x1b[36m",
        _ => "\x1b[35m",
    }
}
