//! Adding the comments that suppress the diagnostics of a program.
//!
//! The tests: `tests/fix.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pcl_binder::OpenFiles;
use pcl_diagnostics::{Code, Diagnostic, Severity, SourceMap, TextEdit, TextRange};
use pcl_syntax::{SuppressionComment, SuppressionForm, SyntaxKind, SyntaxTree};

use crate::fix::line_end;
use crate::fix::{FixedFile, Originals};
use crate::workspace::{Checked, Target, Workspace};

/// A program with comments that suppress its diagnostics.
pub struct Ignored {
    /// The program as it is with the comments.
    pub checked: Checked,
    /// The files that change, by name.
    pub files: Vec<FixedFile>,
    /// The number of diagnostics that are suppressed now.
    pub suppressed: usize,
}

impl Workspace {
    /// Adds a comment `# pcl: ignore[NAME]` for each diagnostic in the files of a program, with a
    /// reason if there is one. Nothing is written. `is_wanted` chooses the diagnostics.
    ///
    /// Syntax errors are not suppressed, and neither are diagnostics in a declaration with a syntax
    /// error, since they make it doubtful where a comment is one, nor diagnostics about such
    /// comments.
    ///
    /// ```
    /// use pcl::{Settings, Target, Workspace};
    ///
    /// let workspace = Workspace::new(Settings::default());
    /// let target = Target::text("main.pp", "a = b\n");
    /// let ignored = workspace.add_ignores(&target, Some("declared later"), |_, _| true);
    /// assert_eq!(ignored.files[0].new, "a = b # pcl: ignore[undefined-variable] declared later\n");
    /// assert!(ignored.checked.is_valid());
    /// ```
    pub fn add_ignores(
        &self,
        target: &Target,
        reason: Option<&str>,
        is_wanted: impl Fn(&SourceMap, &Diagnostic) -> bool,
    ) -> Ignored {
        let before = self.check(target);
        let originals = Originals::of(&before);
        let mut edited = OpenFiles::clone(self.open_files());
        let mut is_edited = false;
        let module = &before.program.module;
        for (&file, tree) in module.files.iter().zip(&module.trees) {
            if !takes_comments(tree) {
                continue;
            }
            let wanted = before.diagnostics.iter().filter(|diagnostic| {
                diagnostic.primary.file == file
                    && is_suppressible(tree, diagnostic)
                    && is_wanted(&before.sources, diagnostic)
            });
            let wanted: Vec<&Diagnostic> = wanted.collect();
            if !wanted.is_empty() {
                let text = with_comments(tree, &wanted, reason);
                let commented = pcl_newcomers::parse(text);
                // A comment behind something that is no declaration may be a part of it.
                if commented.errors().len() == tree.errors().len() {
                    edited.insert(before.sources.path(file), Arc::new(commented));
                    is_edited = true;
                }
            }
        }
        let checked = if is_edited {
            let count = before.diagnostics.len();
            let edited = Arc::new(edited);
            let checked = self.check_open(target, &edited);
            return Ignored {
                suppressed: count.saturating_sub(checked.diagnostics.len()),
                files: originals.files(&edited),
                checked,
            };
        } else {
            before
        };
        Ignored { checked, files: Vec::new(), suppressed: 0 }
    }
}

/// The edits that suppress each of some diagnostics of a file alone by a comment; `None` for
/// one that no comment suppresses, as in [`Workspace::add_ignores`].
///
/// ```
/// let workspace = pcl::Workspace::new(pcl::Settings::default());
/// let checked = workspace.check(&pcl::Target::text("main.pp", "a = b\n"));
/// let edits = pcl::ignore_edits(&checked.program.module.trees[0], &checked.diagnostics);
/// assert_eq!(edits[0].as_ref().unwrap().text, " # pcl: ignore[undefined-variable]");
/// ```
pub fn ignore_edits<'d>(
    tree: &SyntaxTree,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> Vec<Option<TextEdit>> {
    let lines = if takes_comments(tree) { lines(tree) } else { Vec::new() };
    let comments = pcl_syntax::suppression_comments(tree);
    let edit = |diagnostic: &Diagnostic| {
        let line = line_at(&lines, diagnostic.primary.range.start());
        let line = lines.get(line).filter(|_| is_suppressible(tree, diagnostic))?;
        let name = diagnostic.code.name();
        let (at, text) = insertion(tree.text(), line, &comments, name, None);
        let at = u32::try_from(at).ok()?;
        Some(TextEdit::insert(diagnostic.primary.file, at, text))
    };
    diagnostics.into_iter().map(edit).collect()
}

/// The position of the line with an offset.
fn line_at(lines: &[Line], offset: u32) -> usize {
    let begun = lines.partition_point(|line| line.start <= offset);
    begun.saturating_sub(1)
}

/// Returns true if comments can be added to a file.
fn takes_comments(tree: &SyntaxTree) -> bool {
    tree.bytes() == tree.text().as_bytes()
}

/// Returns true if a comment can suppress a diagnostic.
fn is_suppressible(tree: &SyntaxTree, diagnostic: &Diagnostic) -> bool {
    diagnostic.severity != Severity::Bug
        && !diagnostic.code.is_syntax()
        && !is_about_comments(diagnostic.code)
        && (tree.errors().is_empty() || is_in_sound_item(tree, diagnostic.primary.range))
}

/// Returns true if a place is in a declaration without syntax errors.
fn is_in_sound_item(tree: &SyntaxTree, range: TextRange) -> bool {
    let nodes = tree.covering(range).ancestors();
    let items = nodes.filter(|it| matches!(it.kind(), SyntaxKind::Attribute | SyntaxKind::Block));
    items.last().is_some_and(|outermost| !outermost.contains_error())
}

/// Returns true if diagnostics of a code are about comments that suppress others. A comment about
/// them would be one more to keep.
const fn is_about_comments(code: Code) -> bool {
    matches!(code, Code::UnusedIgnore | Code::InvalidIgnore)
}

/// A line with the heredocs that start on it.
struct Line {
    start: u32,
    /// The end without spaces, and without its newline.
    end: u32,
    /// Set if a comment is at its end.
    has_comment: bool,
}

fn lines(tree: &SyntaxTree) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = Line { start: 0, end: 0, has_comment: false };
    for (kind, range) in tree.tokens().iter() {
        match kind {
            SyntaxKind::Newline => {
                let next = Line { start: range.end(), end: range.end(), has_comment: false };
                lines.push(std::mem::replace(&mut line, next));
            }
            SyntaxKind::Whitespace | SyntaxKind::EndOfFile => {}
            kind => {
                line.end = range.end();
                line.has_comment = kind == SyntaxKind::LineComment;
            }
        }
    }
    lines.push(line);
    lines
}

/// The text of a file with comments for these diagnostics.
fn with_comments(tree: &SyntaxTree, wanted: &[&Diagnostic], reason: Option<&str>) -> String {
    let text: &str = tree.text();
    let lines = lines(tree);
    let comments = pcl_syntax::suppression_comments(tree);
    let mut codes: BTreeMap<usize, BTreeSet<Code>> = BTreeMap::new();
    for diagnostic in wanted {
        let line = line_at(&lines, diagnostic.primary.range.start());
        let of_line = codes.entry(line).or_default();
        of_line.insert(diagnostic.code);
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (line, codes) in codes {
        let Some(line) = lines.get(line) else { continue };
        let names: Vec<&str> = codes.into_iter().map(Code::name).collect();
        let (at, insertion) = insertion(text, line, &comments, &names.join(", "), reason);
        out.push_str(text.get(done..at).unwrap_or_default());
        out.push_str(&insertion);
        done = at;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// The text to insert for names that are suppressed on a line, and its place: in the comment that
/// suppresses others there, behind the line, or, where no comment can be, on a line before it.
fn insertion(
    text: &str,
    line: &Line,
    comments: &[SuppressionComment],
    names: &str,
    reason: Option<&str>,
) -> (usize, String) {
    let first = comments.partition_point(|comment| comment.range.end() <= line.start);
    let mut own = comments.iter().skip(first.saturating_sub(1)).take(2);
    let known = own.find_map(|comment| match &comment.form {
        SuppressionForm::Names(known)
            if !comment.is_file_wide && comment.covered.start() == line.start =>
        {
            known.last()
        }
        _ => None,
    });
    if let Some((_, range)) = known {
        return (range.end() as usize, format!(", {names}"));
    }
    let reason = reason.map_or_else(String::new, |reason| format!(" {reason}"));
    let comment = format!("# pcl: ignore[{names}]{reason}");
    let range = TextRange::new(line.start, line.end.max(line.start)).to_usize();
    let own = text.get(range.clone()).unwrap_or_default();
    if !line.has_comment && !own.contains('\n') {
        return (range.end, format!(" {comment}"));
    }
    let rest = text.get(range.start..).unwrap_or_default();
    let indent = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let indent = rest.get(..indent).unwrap_or_default();
    let end = line_end(text);
    (range.start, format!("{indent}{comment}{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcl_diagnostics::{FileId, Span};

    fn added(text: &str, at: &[(&str, Code)]) -> String {
        let tree = pcl_newcomers::parse(text);
        let diagnostics: Vec<Diagnostic> = at
            .iter()
            .map(|(needle, code)| {
                let start = text.find(needle).expect("it is there") as u32;
                let span = Span::new(FileId(0), TextRange::empty(start));
                Diagnostic::error(*code, span, "x")
            })
            .collect();
        let wanted: Vec<&Diagnostic> = diagnostics.iter().collect();
        with_comments(&tree, &wanted, None)
    }

    const NAME: Code = Code::UndefinedVariable;

    #[test]
    fn a_comment_is_behind_its_line() {
        let text = "a = b  \nc = d";
        let expected =
            "a = b # pcl: ignore[undefined-variable]  \nc = d # pcl: ignore[undefined-variable]";
        assert_eq!(added(text, &[("b", NAME), ("d", NAME)]), expected);
        let both = added("a = b(c)", &[("b", Code::UnknownFunction), ("c", NAME)]);
        assert_eq!(both, "a = b(c) # pcl: ignore[undefined-variable, unknown-function]");
    }

    #[test]
    fn a_comment_is_before_a_line_that_has_one_or_a_heredoc() {
        assert_eq!(
            added("o {\r\n  a = b # why\r\n}\r\n", &[("b", NAME)]),
            "o {\r\n  # pcl: ignore[undefined-variable]\r\n  a = b # why\r\n}\r\n"
        );
        assert_eq!(
            added("a = b # why", &[("b", NAME)]),
            "# pcl: ignore[undefined-variable]\na = b # why"
        );
        assert_eq!(
            added("a = <<E\n${b}\nE\n", &[("b", NAME)]),
            "# pcl: ignore[undefined-variable]\na = <<E\n${b}\nE\n"
        );
    }

    #[test]
    fn names_are_added_to_the_comment_of_the_line() {
        assert_eq!(
            added("a = b # pcl: ignore[deprecated] old\n", &[("b", NAME)]),
            "a = b # pcl: ignore[deprecated, undefined-variable] old\n"
        );
        assert_eq!(
            added("# pcl: ignore[deprecated]\na = b\n", &[("b", NAME)]),
            "# pcl: ignore[deprecated, undefined-variable]\na = b\n"
        );
    }
}
