//! One file of a program of several files, checked by itself: names that only another file declares
//! are one diagnostic.
//!
//! The rules, with examples: `tests/whole_program.rs`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use pcl_binder::is_program_file;
use pcl_diagnostics::{Code, Diagnostic, Setting, SourceMap, Span};
use pcl_syntax::ast::{Block, Item};

use crate::project::sources_of_components;
use crate::project::{is_project, project_of};

/// The size of the largest file that is read for the names that it declares.
const MAX_BYTES: u64 = 16 << 20;

/// The number of directories above one that are searched for a component block with its path.
const MOST_PARENTS: usize = 8;

/// Replaces the diagnostics about names that other files of the program declare by one, in the
/// place of the first. `file` was checked by itself.
pub(crate) fn explain_names_of_other_files(
    file: &Path,
    sources: &SourceMap,
    diagnostics: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_undefined = |diagnostic: &Diagnostic| diagnostic.code == Code::UndefinedVariable;
    if !diagnostics.iter().any(is_undefined) {
        return diagnostics;
    }
    let directory = pcl_system::directory_of(file);
    let declared =
        if is_program(directory) { declared_beside(file, directory) } else { HashMap::new() };
    let declaring = |diagnostic: &Diagnostic| {
        let name = is_undefined(diagnostic).then(|| sources.slice(diagnostic.primary))?;
        declared.get(name).cloned()
    };
    let mut first: Option<usize> = None;
    let mut others = Vec::new();
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for diagnostic in diagnostics {
        match (declaring(&diagnostic), first) {
            (None, _) => kept.push(diagnostic),
            (Some(place), None) => {
                first = Some(kept.len());
                others.push((diagnostic.primary, place));
                kept.push(diagnostic);
            }
            (Some(place), Some(_)) => others.push((diagnostic.primary, place)),
        }
    }
    if let Some(replaced) = first.and_then(|first| kept.get_mut(first)) {
        let name = |span| sources.slice(span).to_owned();
        let named = others.into_iter().map(|(span, place)| (span, name(span), place));
        let severity = replaced.severity;
        let named: Vec<_> = named.collect();
        let diagnostic = declared_elsewhere(replaced.primary, &named, directory);
        *replaced = diagnostic.with_severity(severity);
    }
    kept
}

/// Returns whether the `.pp` files of a directory are one program: it holds a project file, or it
/// is the directory of a component.
fn is_program(directory: &Path) -> bool {
    let Ok(absolute) = pcl_system::real_path(directory) else { return false };
    if is_project(&absolute) {
        return true;
    }
    let project = project_of(&absolute);
    let parents = absolute.ancestors().skip(1).take(MOST_PARENTS);
    for parent in parents {
        let sources = sources_of_components(parent, &files_of(parent));
        let mut sources = sources.iter().filter_map(|source| pcl_system::real_path(source).ok());
        if sources.any(|source| source == absolute) {
            return true;
        }
        if project.as_deref() == Some(parent) {
            break;
        }
    }
    false
}

/// The names that the files beside `file` declare, each with the name of its file.
fn declared_beside(file: &Path, directory: &Path) -> HashMap<String, String> {
    let mut declared = HashMap::new();
    for path in files_of(directory) {
        if path.file_name() == file.file_name() {
            continue;
        }
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        each_item(&path, |item| match item {
            Item::Attribute(attribute) => {
                let name = attribute.name().map(|name| name.text().to_owned());
                declared.extend(name.map(|name| (name, shown.to_string())));
            }
            Item::Block(block) => {
                for label in block.labels() {
                    declared.insert(label.text().into_owned(), shown.to_string());
                }
            }
            _ => {}
        });
    }
    declared
}

/// Visits the blocks of a file. One that cannot be read has none.
pub(crate) fn each_block(path: &Path, mut visit: impl FnMut(Block<'_>)) {
    each_item(path, |item| {
        if let Item::Block(block) = item {
            visit(block);
        }
    });
}

/// Visits the items of a file. One that cannot be read has none.
fn each_item(path: &Path, mut visit: impl FnMut(Item<'_>)) {
    let Ok(bytes) = pcl_system::read(path, MAX_BYTES) else { return };
    let tree = pcl_newcomers::parse_bytes(bytes);
    tree.file().body().items().for_each(&mut visit);
}

/// The `.pp` files directly in a directory, by name.
pub(crate) fn files_of(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let files = names.filter(|name| is_program_file(directory, name));
    let mut files: Vec<PathBuf> = files.map(|name| directory.join(name)).collect();
    files.sort();
    files
}

/// The names at these places, which other files of the program in `directory` declare. Each has its
/// text and the name of the file. `first` is the first place; of the others each name has a label.
fn declared_elsewhere(
    first: Span,
    names: &[(Span, String, String)],
    directory: &Path,
) -> Diagnostic {
    let mut distinct: Vec<&str> = names.iter().map(|(_, name, _)| name.as_str()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let message = match (names, distinct.len()) {
        ([(_, name, file), ..], 1) => {
            format!("`{name}` is declared in `{file}`, another file of this program")
        }
        (_, count) => format!("{count} names are declared in other files of this program"),
    };
    let diagnostic = Diagnostic::error(Code::UndefinedVariable, first, message);
    let mut seen: HashSet<&str> = HashSet::new();
    let once = names.iter().filter(|(_, name, _)| seen.insert(name));
    let others = once.filter(|(span, ..)| *span != first);
    let diagnostic = others.fold(diagnostic, |diagnostic, (span, _, file)| {
        diagnostic.label(*span, format!("declared in `{file}`"))
    });
    diagnostic
        .note("a file that is named by its path is checked by itself")
        .help(format!("check the program in `{}`", pcl_system::shown(directory)))
        .setting(Setting::WholeProgram)
}
