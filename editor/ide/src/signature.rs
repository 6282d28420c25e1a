//! The parameters of the call that is being written at a place.

use pcl::language;
use pcl::model::functions::usage;

use crate::completion::enclosing_call;
use crate::schema_facts::{invoked, view_of};
use crate::{Analysis, FilePosition};

/// The form of a call, with the parameter that is being written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignatureHelp {
    /// The form: `lookup(map: map(T), key: string, default?: T) -> T`.
    pub label: String,
    /// The parts of the form that are parameters, as offsets in it.
    pub parameters: Vec<(u32, u32)>,
    /// The parameter that is being written.
    pub active: Option<u32>,
    /// A description, in Markdown.
    pub documentation: String,
}

/// The call that is being written at a place.
#[must_use]
pub fn signature_help(analysis: &Analysis, at: FilePosition) -> Option<SignatureHelp> {
    let (call, argument) = enclosing_call(analysis.tree(at.file)?, at.offset)?;
    let row = language::function(&call.name)?;
    let label = usage(row);
    let mut documentation = row.summary.to_owned();
    if call.name == "invoke"
        && let Some(found) = call.first.as_deref().and_then(|token| invoked(analysis, token))
        && let Some(view) = view_of(analysis, found.package, found.member)
    {
        documentation = format!("`{}`\n\n{}", view.token, view.description.unwrap_or_default());
        for input in view.inputs {
            let required = if input.required { " (required)" } else { "" };
            documentation.push_str(&format!("\n- `{}`: `{}`{required}", input.name, input.ty));
        }
    }
    let parameters = parameters(&label);
    let is_variadic = label.contains("...");
    let last = parameters.len().saturating_sub(1);
    let is_known = argument < parameters.len() || is_variadic;
    let active = is_known.then_some(argument.min(last) as u32);
    Some(SignatureHelp { label, parameters, active, documentation })
}

/// The parameters between the parentheses of a form.
fn parameters(form: &str) -> Vec<(u32, u32)> {
    let Some(open) = form.find('(') else {
        return Vec::new();
    };
    let (mut depth, mut start, mut found) = (0_usize, open + 1, Vec::new());
    for (at, character) in form.char_indices().skip_while(|(at, _)| *at < open) {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 || depth == 1 && character == ',';
        if ends && at > open {
            let text = form.get(start..at).unwrap_or_default();
            let trimmed = text.trim_start();
            if !trimmed.is_empty() {
                let from = start + text.len() - trimmed.len();
                found.push((from as u32, at as u32));
            }
            start = at + 1;
        }
        if depth == 0 && at > open {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_parts_of_the_form() {
        let shown = |form: &'static str| -> Vec<&str> {
            let found = parameters(form).into_iter();
            found.map(|(start, end)| &form[start as usize..end as usize]).collect()
        };
        assert_eq!(shown("f() -> int"), [""; 0]);
        assert_eq!(
            shown("lookup(map: map(T), key: string, default?: T) -> T"),
            ["map: map(T)", "key: string", "default?: T"]
        );
    }
}
