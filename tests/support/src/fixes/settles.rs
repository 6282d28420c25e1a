//! The laws of edits of whole programs: `--fix` and `--add-ignore`.

use std::collections::BTreeMap;

use pcl::diagnostics::{Applicability, Code, Diagnostic, Fix, apply};
use pcl::syntax::parse;
use pcl::{Checked, FixedFile, Fixes, Workspace};

use super::Program;
use super::law::keeps;

/// The most fixes that are applied one by one.
const MOST: usize = 100;

/// Applies all fixes of a program together, and suppresses all of its diagnostics. Returns the law
/// that this breaks: fixes end, they add no syntax error, applying them again changes nothing, and
/// they leave no diagnostic that they do not leave one by one; comments add no syntax error, and
/// leave no diagnostic but those of syntax and of comments.
pub fn settles(workspace: &Workspace, program: &Program) -> Result<(), String> {
    for fixes in [Fixes::Safe, Fixes::Unsafe] {
        let fixed = workspace.fix(&program.target(), fixes, |_, _| true);
        let complain = |law: &str| Err(shown(program, &format!("with {fixes:?} fixes, {law}")));
        if fixed.is_endless {
            return complain("there is no end");
        }
        if let Some(file) = spoilt(&fixed.files) {
            return complain(&format!("there are more syntax errors: {}", file.new));
        }
        let after = edited(program, &fixed.files);
        let again = workspace.fix(&after.target(), fixes, |_, _| true);
        if let Some(file) = again.files.first() {
            return complain(&format!("a second run changes {}: {}", file.old, file.new));
        }
        // Guesses hinder each other, and so do repairs of a text that was changed at random.
        if fixed.revealed > 0 && fixes == Fixes::Safe {
            let law = composes(workspace, program, fixes, &fixed.checked);
            law.or_else(|law| {
                let texts = after.files.iter().map(|(_, text)| text.as_str());
                let texts: Vec<&str> = texts.collect();
                complain(&format!("{law} in {}", texts.join("\n")))
            })?;
        }
    }
    let ignored = workspace.add_ignores(&program.target(), None, |_, _| true);
    if let Some(file) = spoilt(&ignored.files) {
        return Err(shown(program, &format!("comments spoil it: {}", file.new)));
    }
    let after = edited(program, &ignored.files);
    let parses: Vec<bool> =
        after.files.iter().map(|(_, text)| parse(text.as_str()).errors().is_empty()).collect();
    let left = ignored.checked.diagnostics.iter().find(|diagnostic| {
        let file = diagnostic.primary.file.0 as usize;
        let is_kept = matches!(diagnostic.code, Code::UnusedIgnore | Code::InvalidIgnore);
        parses.get(file) == Some(&true) && !diagnostic.code.is_syntax() && !is_kept
    });
    match left {
        None => Ok(()),
        Some(left) => {
            let texts: Vec<&str> = after.files.iter().map(|(_, text)| text.as_str()).collect();
            let law = format!("{} is not suppressed in {}", left.code, texts.join("\n"));
            Err(shown(program, &law))
        }
    }
}

/// Applies the fixes of a program one by one, checking it after each. Returns the law that is
/// broken: each of them keeps its promise, and `together`, the program after all of them at once,
/// has no diagnostic of a code that neither the program nor the one after the last of them has.
fn composes(
    workspace: &Workspace,
    program: &Program,
    fixes: Fixes,
    together: &Checked,
) -> Result<(), String> {
    let before = counts(&workspace.check(&program.target()));
    let mut one_by_one = program.clone();
    for _ in 0..MOST {
        let checked = workspace.check(&one_by_one.target());
        let Some((diagnostic, fix, after)) = next(&one_by_one, &checked, fixes) else {
            if syntax_errors(&checked) > syntax_errors(together) {
                // One by one, the fixes get stuck in a text that cannot be read.
                return Ok(());
            }
            let after = counts(&checked);
            let new = counts(together).into_iter().find(|(key, count)| {
                let known = |counts: &Counts| counts.get(key).copied().unwrap_or_default();
                *count > known(&before).max(known(&after))
            });
            return match new {
                Some(((file, code), _)) => Err(format!("{code} is new in file {file}")),
                None => Ok(()),
            };
        };
        keeps(workspace, &one_by_one, &checked, diagnostic, fix)
            .map_err(|(complaint, _)| format!("{} breaks: {complaint}", fix.title))?;
        one_by_one = after;
    }
    Err("one by one, there is no end".to_owned())
}

fn syntax_errors(checked: &Checked) -> usize {
    let diagnostics = checked.diagnostics.iter();
    diagnostics.filter(|diagnostic| diagnostic.code.is_syntax()).count()
}

/// The first fix that adds no syntax error and removes one of those that it is for, and the program
/// after it.
fn next<'c>(
    program: &Program,
    checked: &'c Checked,
    fixes: Fixes,
) -> Option<(&'c Diagnostic, &'c Fix, Program)> {
    let least = match fixes {
        Fixes::Safe => Applicability::Safe,
        Fixes::Unsafe => Applicability::Unsafe,
    };
    let errors = |text: &str| parse(text).errors().len();
    checked.diagnostics.iter().find_map(|diagnostic| {
        let mut offered = diagnostic.fixes.iter();
        let fix = offered.find(|fix| fix.applicability >= least)?;
        if !program.holds(fix) {
            return None;
        }
        let mut after = program.clone();
        for (file, (_, text)) in checked.program.module.files.iter().zip(&mut after.files) {
            let (new, _) = apply(&checked.sources, *file, std::slice::from_ref(fix));
            let (was, is) = (errors(text), errors(&new));
            if *text != new && (is > was || is == was && diagnostic.code.is_syntax()) {
                return None;
            }
            *text = new;
        }
        (after.files != program.files).then_some((diagnostic, fix, after))
    })
}

/// The number of diagnostics by file and code.
type Counts = BTreeMap<(u32, &'static str), usize>;

fn counts(checked: &Checked) -> Counts {
    let mut counts = Counts::new();
    for diagnostic in &checked.diagnostics {
        let key = (diagnostic.primary.file.0, diagnostic.code.id());
        *counts.entry(key).or_default() += 1;
    }
    counts
}

/// A file with more syntax errors than before.
fn spoilt(files: &[FixedFile]) -> Option<&FixedFile> {
    let errors = |text: &str| parse(text).errors().len();
    files.iter().find(|file| errors(&file.new) > errors(&file.old))
}

fn edited(program: &Program, files: &[FixedFile]) -> Program {
    let mut after = program.clone();
    for file in files {
        after.files[file.index].1.clone_from(&file.new);
    }
    after
}

fn shown(program: &Program, law: &str) -> String {
    let texts = program.files.iter();
    let texts = texts.map(|(name, text)| format!("# {name}\n{text}"));
    let texts: Vec<String> = texts.collect();
    format!("{}: {law}\n{}", program.name, texts.join(""))
}
