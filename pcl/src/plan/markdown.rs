//! Plans as Markdown for a comment on a pull request.

use pcl_eval::notation::Secrets;
use pcl_plan::{ChangeKind, Op, Step};

use super::Planned;
use super::text::values;
use super::tree::{sign, totals, words};
use crate::render::one_line;

/// The most bytes of a comment. GitHub takes 65,536 characters.
const MOST: usize = 60_000;

/// A plan as Markdown: the totals, what people need to hear, and the changes of each resource.
pub fn plan_markdown(planned: &Planned, secrets: Secrets) -> String {
    let plan = &planned.plan;
    let (project, stack) = (one_line(&planned.project), one_line(&planned.stack));
    let mut text = format!("### Plan of `{project}` for the stack `{stack}`\n\n");
    let incomplete = if plan.is_complete { "" } else { ", and the plan is not complete" };
    text.push_str(&format!("{}{incomplete}.\n", capitalized(&totals(plan))));
    let hints = planned.report.diagnostics.iter();
    for (at, hint) in hints.enumerate() {
        let break_ = if at == 0 { "\n" } else { "" };
        let severity = capitalized(hint.severity.as_str());
        let message = one_line(&hint.message);
        text.push_str(&format!("{break_}- **{severity}** ({}): {message}", hint.code.id()));
        if let Some(help) = &hint.help {
            text.push_str(&format!("; {}", one_line(help)));
        }
        text.push('\n');
    }
    let changed = plan.steps.iter().filter(|step| {
        let is_silent = matches!(step.op, Op::Same | Op::Read) && step.incomparable.is_empty();
        !is_silent && !step.op.is_part_of_replacement() && !step.is_default_provider()
    });
    let changed: Vec<&Step> = changed.collect();
    for (at, step) in changed.iter().enumerate() {
        let resource = resource(step, secrets);
        if text.len() + resource.len() > MOST {
            text.push_str(&format!("\n{} more resources are left out.\n", changed.len() - at));
            break;
        }
        text.push_str(&resource);
    }
    text
}

/// A resource that folds out to its changes.
fn resource(step: &Step, secrets: Secrets) -> String {
    let (kind, name) = (escaped(step.kind()), escaped(step.name()));
    let words = escaped(&words(step));
    let title =
        format!("<code>{}</code> <code>{kind}</code> <b>{name}</b>: {words}", sign(step.op).trim());
    let is_shown = !matches!(step.op, Op::Delete | Op::Discard);
    let changes = step.changes.iter().filter(|_| is_shown);
    let mut lines: Vec<String> = changes
        .map(|change| {
            let sign = match change.kind() {
                ChangeKind::Add => "+",
                ChangeKind::Delete => "-",
                ChangeKind::Update => "!",
            };
            let values = values(change.old.as_ref(), change.new.as_ref(), secrets);
            let path = change.path.to_string();
            let replaces = if change.replaces { "  (replaces)" } else { "" };
            format!("{sign} {}: {values}{replaces}", one_line(&path))
        })
        .collect();
    let incomparable = step.incomparable.iter().map(ToString::to_string);
    lines.extend(incomparable.map(|path| format!("? {path}: a secret that cannot be compared")));
    if lines.is_empty() {
        return format!("\n{title}\n");
    }
    let body = lines.join("\n");
    // A fence is longer than any in the text.
    let longest = body.split(|char| char != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n<details><summary>{title}</summary>\n\n{fence}diff\n{body}\n{fence}\n\n</details>\n")
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// Text in HTML.
fn escaped(text: &str) -> String {
    one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
