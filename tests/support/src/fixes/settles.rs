//! The laws of edits of whole programs: `--fix` and `--add-ignore`.

use pcl::diagnostics::Code;
use pcl::syntax::parse;
use pcl::{FixedFile, Fixes, Workspace};

use super::Program;

/// Applies all fixes of a program together, and suppresses all of its diagnostics. Returns the law
/// that this breaks: fixes end, they add no syntax error, and applying them again changes nothing;
/// comments add no syntax error, and leave no diagnostic but those of syntax and of comments.
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
    }
    let ignored = workspace.add_ignores(&program.target(), None, |_, _| true);
    if let Some(file) = spoilt(&ignored.files) {
        return Err(shown(program, &format!("comments spoil it: {}", file.new)));
    }
    let after = edited(program, &ignored.files);
    let parses: Vec<bool> = after
        .files
        .iter()
        .map(|(_, text)| parse(text.as_str()).errors().is_empty())
        .collect();
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

/// A file with more syntax errors than before.
fn spoilt(files: &[FixedFile]) -> Option<&FixedFile> {
    let errors = |text: &str| parse(text).errors().len();
    files
        .iter()
        .find(|file| errors(&file.new) > errors(&file.old))
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
