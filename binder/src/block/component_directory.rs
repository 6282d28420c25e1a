//! The directory that a component's source names: a path relative to the directory of the program.
//!
//! The rules, with examples: `tests/spec/blocks/component.md`.

use std::io::ErrorKind;
use std::path::{Component as PathPart, Path, PathBuf};

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, suggest};
use pcl_syntax::quoted;

use crate::binder::Binder;
use crate::program_files::is_program_file;

/// A directory that exists and is not the directory of a program around the component.
pub(crate) struct ComponentDirectory {
    /// The path to read from.
    pub path: PathBuf,
    /// The path that identifies the directory.
    pub canonical: PathBuf,
    /// The path as people would write it.
    pub display: String,
}

impl Binder<'_, '_, '_> {
    /// Finds the directory of a source at `span`. Reports a source that names no usable directory.
    pub fn component_directory(&mut self, span: Span, source: &str) -> Option<ComponentDirectory> {
        let Some(own) = self.sources.directory.clone() else {
            self.report(in_memory(span));
            return None;
        };
        let relative = clean(source);
        let path = own.join(&relative);
        let display = display_below(&self.sources.display, &relative);
        let is_without_disk = self.session.options.open_files.is_without_disk();
        let found = if is_without_disk {
            Err(ErrorKind::NotFound.into())
        } else {
            pcl_system::real_path(&path)
        };
        let canonical = match found {
            Ok(canonical) if canonical.is_dir() => canonical,
            Ok(_) => {
                self.report(not_a_directory(span, &display));
                return None;
            }
            Err(_) if self.session.options.open_files.has_directory(&display) => {
                let own =
                    if is_without_disk { own } else { pcl_system::real_path(&own).unwrap_or(own) };
                without_detours(&own.join(&relative))
            }
            Err(_) if self.session.options.open_files.get(&display).is_some() => {
                self.report(not_a_directory(span, &display));
                return None;
            }
            // Without a file system, only the directories of open files are there.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Unsupported) => {
                let meant = self.directory_like(&own, &relative);
                let diagnostic = no_directory(span, &display, meant.as_deref());
                self.report(diagnostic);
                return None;
            }
            Err(error) => {
                let message = format!("the directory `{display}` cannot be used: {error}");
                self.report(unusable(span, message));
                return None;
            }
        };
        if let [root] = self.session.directories.as_mut_slice()
            && !is_without_disk
            && let Ok(canonical) = pcl_system::real_path(root)
        {
            *root = canonical;
        }
        let mut open = self.session.directories.iter();
        if let Some(at) = open.position(|open| *open == canonical) {
            self.includes_itself(span, at);
            return None;
        }
        if self.is_outside_project(&canonical) {
            self.report(outside_project(span, &display));
        }
        if source.starts_with('/') {
            self.report(absolute_source(span, source, &display, &relative));
        }
        Some(ComponentDirectory { path, canonical, display })
    }

    /// The source of a directory that holds program files, on disk or open ones, and has a name
    /// like that of a missing one.
    fn directory_like(&self, own: &Path, relative: &Path) -> Option<String> {
        /// The limit of directory entries that are read.
        const MOST: usize = 1_000;
        let name = relative.file_name()?.to_str()?;
        let parent = relative.parent()?;
        let is_without_disk = self.session.options.open_files.is_without_disk();
        let entries = (!is_without_disk).then(|| std::fs::read_dir(own.join(parent)));
        let entries = entries.into_iter().flatten().flatten().take(MOST).filter_map(Result::ok);
        let on_disk = entries.filter(|entry| holds_program(&entry.path()));
        let mut names: Vec<String> =
            on_disk.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let display = display_below(&self.sources.display, parent);
        let open = self.session.options.open_files.directories_in(&display);
        names.extend(open.map(str::to_owned));
        let meant = suggest(name, names.iter().map(String::as_str))?;
        Some(format!("./{}", pcl_system::shown(&parent.join(meant))))
    }

    /// Reports a component in the directory of a program that is being bound.
    fn includes_itself(&mut self, span: Span, at: usize) {
        let open = self.session.directories.iter().skip(at);
        let name = |directory: &PathBuf| {
            directory.file_name().unwrap_or(directory.as_os_str()).to_string_lossy().into_owned()
        };
        let names: Vec<String> = open.map(name).collect();
        self.report(includes_itself(span, &names));
    }

    fn is_outside_project(&self, canonical: &Path) -> bool {
        let project = match &self.session.options.project_directory {
            Some(directory) => pcl_system::real_path(directory).ok(),
            None => self.session.directories.first().cloned(),
        };
        project.is_some_and(|project| !canonical.starts_with(project))
    }
}

/// Returns whether a directory has a program file.
fn holds_program(directory: &Path) -> bool {
    let mut entries = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    entries.any(|entry| is_program_file(directory, &entry.file_name()))
}

/// A source as a path below the program's directory: a leading `/` is dropped, `.` and `..` are
/// resolved by name.
pub(crate) fn clean(source: &str) -> PathBuf {
    let is_name = |part: &PathPart<'_>| matches!(part, PathPart::Normal(_) | PathPart::ParentDir);
    let parts = Path::new(source).components().filter(is_name);
    without_detours(&parts.collect::<PathBuf>())
}

/// A path with `..` resolved by name where it follows a name.
fn without_detours(path: &Path) -> PathBuf {
    let mut parts: Vec<PathPart<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (PathPart::ParentDir, Some(PathPart::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

/// A path of [`clean`] below a directory, as people would write it.
fn display_below(directory: &str, relative: &Path) -> String {
    let directory = if directory == "." { "" } else { directory };
    match pcl_system::shown(&without_detours(&Path::new(directory).join(relative))) {
        empty if empty.is_empty() => ".".to_owned(),
        shown => shown,
    }
}

/// A source in a program that has no directory.
fn in_memory(span: Span) -> Diagnostic {
    let message = "a program in memory has no directory to look for components in";
    Diagnostic::error(Code::ComponentSource, span, message)
        .help("check the program as a directory on disk")
}

/// A source that names a file.
fn not_a_directory(span: Span, display: &str) -> Diagnostic {
    let message = format!("`{display}` is not a directory");
    Diagnostic::error(Code::ComponentSource, span, message)
        .help("name the directory that holds the component's `.pp` files")
}

/// A source that names nothing; `meant` is a source with a similar name.
fn no_directory(span: Span, display: &str, meant: Option<&str>) -> Diagnostic {
    let diagnostic = unusable(span, format!("there is no directory `{display}`"));
    let Some(meant) = meant else { return diagnostic };
    let edit = TextEdit::replace(span, quoted(meant));
    diagnostic
        .help(format!("did you mean `{meant}`?"))
        .fix(Fix::unsafe_(format!("write `{meant}`"), vec![edit]))
}

fn unusable(span: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::ComponentSource, span, message)
        .help("the source is a directory relative to the one of this program")
}

/// Components nested too deep.
pub(super) fn too_deep(span: Span, most: usize) -> Diagnostic {
    let message = format!("components are nested more than {most} levels deep");
    Diagnostic::error(Code::ComponentSource, span, message).help("flatten the nesting")
}

/// A source with a leading `/`, which is ignored.
fn absolute_source(span: Span, source: &str, display: &str, relative: &Path) -> Diagnostic {
    let path = quoted(&format!("./{}", pcl_system::shown(relative)));
    let message = format!("the source `{source}` means `{display}`");
    Diagnostic::warning(Code::AbsoluteComponentSource, span, message)
        .note("sources are always relative to the directory of the program")
        .help("leave out the `/`")
        .ours()
        .fix(Fix::safe("write it as a relative path", vec![TextEdit::replace(span, path)]))
}

/// A component that includes itself. `directories` are the programs from the component's own
/// directory to the one that uses it.
fn includes_itself(span: Span, directories: &[String]) -> Diagnostic {
    let is_direct = directories.len() == 1;
    let message = if is_direct {
        "this component is the program that uses it"
    } else {
        "this component includes itself through another one"
    };
    let mut diagnostic = Diagnostic::error(Code::ComponentIncludesItself, span, message);
    if !is_direct {
        let chain = directories.iter().chain(directories.first());
        let chain: Vec<&str> = chain.map(String::as_str).collect();
        let chain = chain.join(" -> ");
        diagnostic = diagnostic.note(format!("the directories include each other: {chain}"));
    }
    diagnostic.help("use another directory, or remove one of the two references")
}

/// A component outside of the project.
fn outside_project(span: Span, display: &str) -> Diagnostic {
    let message = format!("`{display}` is outside the project");
    Diagnostic::warning(Code::ComponentOutsideProject, span, message)
        .note("it is not copied or deployed with the project")
        .help("move the component below the project's directory")
        .ours()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shown_without_detours() {
        for (directory, source, shown) in [
            ("main", "./a", "main/a"),
            ("main/", "a", "main/a"),
            ("main/a", "../b", "main/b"),
            ("a", "../..", ".."),
            (".", "../b", "../b"),
            (".", "a", "a"),
            ("", "a", "a"),
            ("a", "..", "."),
        ] {
            assert_eq!(display_below(directory, &clean(source)), shown);
        }
    }

    #[test]
    fn sources_are_resolved_by_name() {
        for (source, cleaned) in
            [("./a", "a"), ("a/../b", "b"), ("../a", "../a"), ("/a/./b/", "a/b"), (".", "")]
        {
            assert_eq!(clean(source), Path::new(cleaned), "{source}");
        }
    }
}
