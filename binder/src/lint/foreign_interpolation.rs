//! `$name`, `{{name}}` and `#{name}` in a string: interpolations of other languages, which PCL
//! takes for plain text.
//!
//! The rules, with examples: `tests/spec/lints/foreign_interpolation.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};
use pcl_language::{CallForm, Function};
use pcl_syntax::SyntaxKind;
use pcl_syntax::ast::{self, AstNode as _, TemplatePart};
use rustc_hash::FxHashSet;

use super::finished::{Finished, Lint, Scope};

pub(super) static LINT: Lint =
    Lint { code: Code::ForeignInterpolation, scope: Scope::Declarations, check };

/// Searches the text of every string and heredoc. Only names that the program declares count, and
/// those of functions without arguments.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let module = bound.module;
    for (&file, tree) in module.files.iter().zip(&module.trees) {
        if !may_have_any(tree.text()) {
            continue;
        }
        for node in tree.root().descendants() {
            let parts = match node.kind() {
                SyntaxKind::Template | SyntaxKind::Heredoc if !may_have_any(node.text()) => None,
                SyntaxKind::Template => ast::Template::cast(node).map(ast::Template::parts),
                SyntaxKind::Heredoc => ast::Heredoc::cast(node).map(ast::Heredoc::parts),
                _ => None,
            };
            for part in parts.into_iter().flatten() {
                let TemplatePart::Literal { range, .. } = part else { continue };
                let text = tree.text().get(range.to_usize()).unwrap_or_default();
                // A script sets variables of its own.
                let assigned = match node.kind() {
                    SyntaxKind::Heredoc => assigned_in(text),
                    _ => FxHashSet::default(),
                };
                for (at, written, name) in found_in(text) {
                    let start = range.start() + at as u32;
                    let place = TextRange::new(start, start + written.len() as u32);
                    let span = Span::new(file, place);
                    let meant = meant(bound, name, span);
                    let Some(meant) = meant.filter(|_| !assigned.contains(name)) else { continue };
                    diagnostics.push(foreign_interpolation(span, written, &meant));
                }
            }
        }
    }
}

/// Returns false if [`found_in`] certainly finds nothing in a text, which may have `${`
/// interpolations. Without this, the search takes a tenth of the instructions of a check.
fn may_have_any(text: &str) -> bool {
    let text = text.as_bytes();
    let mut dollars = memchr::memchr_iter(b'$', text);
    dollars.any(|at| text.get(at + 1) != Some(&b'{'))
        || memchr::memmem::find(text, b"{{").is_some()
        || memchr::memmem::find(text, b"#{").is_some()
}

/// The names that a script assigns values to.
fn assigned_in(text: &str) -> FxHashSet<&str> {
    let assigned = text.match_indices('=').filter_map(|(at, _)| {
        let before = text.get(..at)?;
        let name = before.trim_end_matches(is_part_of_name).len();
        before.get(name..)
    });
    assigned.collect()
}

fn is_part_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The value that a name in the text at `place` means; nothing refers to itself.
fn meant(bound: &Finished<'_>, name: &str, place: Span) -> Option<String> {
    let symbol = bound.types.find_symbol(name);
    let definition = symbol.and_then(|symbol| bound.scopes.lookup(bound.module.root, symbol));
    let node = definition.and_then(|id| bound.scopes.definition(id).kind.node());
    let node = node.and_then(|node| bound.module.nodes.get(node as usize));
    if let Some(node) = node {
        return (!node.span().nests_with(place)).then(|| name.to_owned());
    }
    is_variable_like(name).then(|| format!("{name}()"))
}

/// The interpolations of other languages in a text: the place of each, all of it, and the name.
fn found_in(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let marks = text.match_indices(['$', '{', '#']);
    marks.filter_map(move |(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let rest = text.get(at..)?;
        if before.ends_with(['$', '{', '\\']) {
            return None;
        }
        let (open, close) = [("{{", "}}"), ("#{", "}"), ("$(", ")"), ("$", "")]
            .into_iter()
            .find(|(open, _)| rest.starts_with(open))?;
        let inside = rest.get(open.len()..)?;
        let spaces = inside.len() - inside.trim_start_matches(' ').len();
        let inside = inside.get(spaces..)?;
        let len = inside.find(|c| !is_part_of_name(c)).unwrap_or(inside.len());
        let (name, after) = inside.split_at_checked(len)?;
        // A call of a function without arguments is part of it.
        let is_call = is_variable_like(name) && after.starts_with("()");
        let len = if is_call { len + 2 } else { len };
        let after = if is_call { after.get(2..)? } else { after };
        let closing = after.trim_start_matches(' ');
        if name.starts_with(|c: char| c.is_ascii_digit()) || !closing.starts_with(close) {
            return None;
        }
        let end = match close {
            "" if spaces > 0 => return None,
            "" => open.len() + len,
            _ => open.len() + spaces + len + (after.len() - closing.len()) + close.len(),
        };
        Some((at, rest.get(..end)?, name)).filter(|_| !name.is_empty())
    })
}

/// Returns true for a function without arguments, which people take for a variable.
fn is_variable_like(name: &str) -> bool {
    let form = Function::parse(name).map(|function| function.row().form);
    matches!(form, Some(CallForm::Fixed([], _)))
}

/// An interpolation of another language; `meant` is the value.
fn foreign_interpolation(span: Span, written: &str, meant: &str) -> Diagnostic {
    let message = format!("`{written}` is plain text here, not an interpolation");
    let edit = TextEdit::replace(span, format!("${{{meant}}}"));
    Diagnostic::warning(Code::ForeignInterpolation, span, message)
        .help(format!("for the value, write `${{{meant}}}`"))
        .fix(Fix::unsafe_(format!("write `${{{meant}}}`"), vec![edit]))
}

#[cfg(test)]
mod tests {
    use super::found_in;

    #[test]
    fn interpolations_of_other_languages_are_found_with_their_names() {
        for (text, found) in [
            ("a-$b-c", &[("$b", "b")] as &[_]),
            ("{{ a }}/{{b}}", &[("{{ a }}", "a"), ("{{b}}", "b")]),
            ("#{a} $(b)", &[("#{a}", "a"), ("$(b)", "b")]),
            ("$$a \\$b ${c $ {{.d}} {{e f}} $1", &[]),
        ] {
            let all: Vec<_> = found_in(text).map(|(_, all, name)| (all, name)).collect();
            assert_eq!(all, found, "{text}");
        }
    }
}
