//! Labels of blocks: tokens, sources, types.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use pcl::schema::{PackageRequest, Section};
use pcl::schema_view::{package_called, search_names, sort_hits};

use super::context::Context;
use super::{Completion, CompletionKind};
use crate::{Analysis, ModuleId};

/// The types that a config or output can have, as they are written most often.
const TYPES: [&str; 10] = [
    "string",
    "int",
    "number",
    "bool",
    "list(string)",
    "map(string)",
    "list(any)",
    "map(any)",
    "object({})",
    "any",
];

/// The number of packages that are all loaded for their tokens.
const MAX_LOADED: usize = 4;

/// The labels that can be written at a place.
pub(super) fn labels(
    analysis: &Analysis,
    context: &Context,
    keyword: &str,
    index: usize,
) -> Vec<Completion> {
    let items = match (keyword, index) {
        ("resource" | "read", 1) => tokens(analysis, context, Section::Resources),
        ("component", 1) => directories(analysis, context.at.file),
        ("config" | "output", 1) => {
            let ty = |name: &&str| Completion::new(*name, CompletionKind::Type);
            TYPES.iter().map(ty).collect()
        }
        ("hook", 0) => ["resource", "error"]
            .map(|kind| Completion::new(kind, CompletionKind::Keyword))
            .to_vec(),
        _ => Vec::new(),
    };
    items.into_iter().map(quoted).collect()
}

/// A completion that is inserted in quotes.
pub(super) fn quoted(item: Completion) -> Completion {
    let text = format!("\"{}\"", item.text);
    item.inserting(text)
}

/// The tokens of the packages that can be meant: those of the package before the first colon, or
/// else those of the packages that the program uses, and the names of all others. Those that what
/// is typed names come first, in the order of a search.
pub(super) fn tokens(analysis: &Analysis, context: &Context, section: Section) -> Vec<Completion> {
    let program = &analysis.checked.program;
    let packages = program.schemas.packages();
    let module = analysis.module_of(context.at.file).unwrap_or(ModuleId::Program);
    let used = analysis.module(module).packages.iter();
    let mut names: BTreeSet<String> = used.map(|package| package.name.to_string()).collect();
    let mut items = Vec::new();
    if let Some((package, _)) = context.prefix.split_once(':') {
        names = BTreeSet::from([package_called(package).to_owned()]);
    } else {
        let known = packages.names();
        if known.len() <= MAX_LOADED {
            names.extend(known.iter().cloned());
        }
        // Terraform's names, and those of other languages, begin with the package.
        let first = package_called(context.prefix.split(['_', '.']).next().unwrap_or_default());
        names.extend(known.iter().find(|name| *name == first).cloned());
        for name in known {
            let item = Completion::new(format!("{name}:"), CompletionKind::Package);
            items.push(item.detail("package").rank(6));
        }
    }
    let words = [context.prefix.clone()];
    let mut hits = Vec::new();
    for name in names {
        let Ok(index) = packages.load(&PackageRequest::new(name)) else { continue };
        let package = packages.package(index);
        if is_name_typed(&context.prefix) {
            hits.extend(search_names(package, section, &words));
        }
        for member in package.members(section) {
            let token = package.token(member);
            let short = token.rsplit([':', '/']).next().unwrap_or(token);
            let item = Completion::new(token, CompletionKind::Type).detail(short).rank(3);
            items.push(Completion { token: Some(token.to_owned()), ..item });
        }
    }
    sort_hits(&mut hits);
    let hits = hits.iter().map(|hit| hit.token.as_str()).enumerate();
    let closeness: HashMap<&str, usize> = hits.map(|(at, token)| (token, at)).collect();
    for item in &mut items {
        item.closeness = closeness.get(item.label.as_str()).copied();
    }
    items
}

/// Returns true if what is typed names a member: not behind a colon or slash, and not for a single
/// letter, which most names contain.
fn is_name_typed(typed: &str) -> bool {
    let name = typed.rsplit([':', '/', '.', '_']).next().unwrap_or_default();
    name.chars().nth(1).is_some()
}

/// The directories beside the program that hold programs.
fn directories(analysis: &Analysis, file: pcl::diagnostics::FileId) -> Vec<Completion> {
    /// The limit of entries that are read.
    const MAX_ENTRIES: usize = 1_000;
    let path = analysis.checked.sources.path(file);
    let own = Path::new(path).parent().unwrap_or(Path::new("."));
    let mut items = Vec::new();
    for (place, prefix) in [(own.to_path_buf(), "./"), (own.join(".."), "../")] {
        let entries = std::fs::read_dir(&place).into_iter().flatten().flatten();
        for entry in entries.take(MAX_ENTRIES) {
            let directory = entry.path();
            let Ok(name) = entry.file_name().into_string() else { continue };
            let files = std::fs::read_dir(&directory).into_iter().flatten().flatten();
            let mut files = files.take(MAX_ENTRIES);
            let holds =
                files.any(|file| pcl::binder::is_program_file(&directory, &file.file_name()));
            let is_own = own.file_name().is_some_and(|own| *own == *name) && prefix == "../";
            if holds && !is_own {
                items.push(Completion::new(format!("{prefix}{name}"), CompletionKind::Directory));
            }
        }
    }
    items
}
