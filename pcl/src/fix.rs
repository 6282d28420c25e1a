//! Applying the fixes of diagnostics to a program until none is left. Edits keep line ends.
//!
//! The tests: `tests/fix.rs`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use pcl_binder::{DeclaredName, Module, OpenFiles, Program, declared_names};
use pcl_diagnostics::{Applicability, Code, Diagnostic, FileId, Fix, Patch, SourceMap};
use pcl_syntax::{SyntaxError, SyntaxTree, ast};

use crate::workspace::{Checked, Target, Workspace};

/// The number of times that a program is checked again before its fixes are given up. Fixes that
/// follow from each other end long before.
const MOST_ROUNDS: usize = 100;

/// The most fixes that are tried in files with syntax errors.
const MOST_DOUBTS: usize = 16;

/// The choice of fixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixes {
    /// Those that keep the meaning of the program.
    Safe,
    /// Those that may change it, too.
    Unsafe,
}

impl Fixes {
    /// The fix of a diagnostic that is applied.
    fn of(self, diagnostic: &Diagnostic) -> Option<&Fix> {
        let least = match self {
            Self::Safe => Applicability::Safe,
            Self::Unsafe => Applicability::Unsafe,
        };
        let mut fixes = diagnostic.fixes.iter();
        fixes.find(|fix| fix.applicability >= least)
    }
}

/// A file of a program that is edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedFile {
    /// The path that is shown.
    pub path: String,
    /// The position of the file among those of the program, by name.
    pub index: usize,
    /// The text before the edits.
    pub old: String,
    /// The text after the edits.
    pub new: String,
}

/// A program after its fixes.
pub struct Fixed {
    /// The program as it is after the fixes.
    pub checked: Checked,
    /// The files that change, by name.
    pub files: Vec<FixedFile>,
    /// The codes of the diagnostics whose fixes were applied, in the order of application.
    pub fixed: Vec<Code>,
    /// The number of diagnostics that were not there before.
    pub revealed: usize,
    /// Set if the fixes led to each other without an end. Then none is applied.
    pub is_endless: bool,
}

impl Workspace {
    /// Applies fixes to the files of a program, and checks it again, until no fix is left. Nothing
    /// is written. `is_wanted` chooses the diagnostics whose fixes are applied.
    ///
    /// Of fixes that overlap, that of the first diagnostic is applied, and the others are looked
    /// for again afterwards. A fix that adds a syntax error is left out. Files of components are
    /// not changed: they are programs of their own.
    ///
    /// ```
    /// use pcl::{Fixes, Settings, Target, Workspace};
    ///
    /// let workspace = Workspace::new(Settings::default());
    /// let target = Target::text("main.pp", "size = length([1, 2]);\n");
    /// let fixed = workspace.fix(&target, Fixes::Safe, |_, _| true);
    /// assert_eq!(fixed.files[0].new, "size = length([1, 2])\n");
    /// assert!(fixed.checked.is_valid());
    /// ```
    pub fn fix(
        &self,
        target: &Target,
        fixes: Fixes,
        is_wanted: impl Fn(&SourceMap, &Diagnostic) -> bool,
    ) -> Fixed {
        self.fix_open(target, self.open_files(), fixes, is_wanted)
    }

    /// As [`Workspace::fix`], with other texts for some of the files, as in
    /// [`Workspace::check_open`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use pcl::binder::OpenFiles;
    /// use pcl::{Fixes, Settings, Target, Workspace};
    ///
    /// let mut open = OpenFiles::default();
    /// open.insert("main.pp", Arc::new(pcl::syntax::parse("size = 2;\n")));
    /// let workspace = Workspace::new(Settings::default());
    /// let target = Target::text("main.pp", "size = 1\n");
    /// let fixed = workspace.fix_open(&target, &Arc::new(open), Fixes::Safe, |_, _| true);
    /// assert_eq!(fixed.files[0].new, "size = 2\n");
    /// ```
    pub fn fix_open(
        &self,
        target: &Target,
        open: &Arc<OpenFiles>,
        fixes: Fixes,
        is_wanted: impl Fn(&SourceMap, &Diagnostic) -> bool,
    ) -> Fixed {
        let first = self.check_open(target, open);
        let mut edited = OpenFiles::clone(open);
        let mut fixed = Vec::new();
        let before = messages(&first);
        let original = Originals::of(&first);
        let mut checked = first;
        for _ in 0..MOST_ROUNDS {
            let round = round(&checked, fixes, &is_wanted);
            if round.texts.is_empty() {
                return Fixed {
                    files: original.files(&edited),
                    revealed: revealed(&before, &checked),
                    checked,
                    fixed,
                    is_endless: false,
                };
            }
            fixed.extend(round.codes);
            for (file, text) in round.texts {
                edited.insert(checked.sources.path(file), Arc::new(pcl_newcomers::parse(text)));
            }
            checked = self.check_open(target, &Arc::new(edited.clone()));
        }
        Fixed {
            checked: self.check_open(target, open),
            files: Vec::new(),
            fixed: Vec::new(),
            revealed: 0,
            is_endless: true,
        }
    }
}

/// The files of a program before its edits.
pub(crate) struct Originals(Vec<(String, String)>);

impl Originals {
    pub(crate) fn of(checked: &Checked) -> Self {
        let files = checked.program.module.files.iter();
        let files = files.map(|&file| {
            let path = checked.sources.path(file).to_owned();
            (path, checked.sources.text(file).to_string())
        });
        Self(files.collect())
    }

    /// The files that differ.
    pub(crate) fn files(self, edited: &OpenFiles) -> Vec<FixedFile> {
        let files = self.0.into_iter().enumerate();
        let files = files.filter_map(|(index, (path, old))| {
            let new = edited.get(&path)?.text();
            (**new != *old).then(|| FixedFile { index, new: new.to_string(), path, old })
        });
        files.collect()
    }
}

/// The texts of files after fixes that do not overlap, and the codes of their diagnostics.
#[derive(Default)]
struct Round {
    texts: BTreeMap<FileId, String>,
    codes: Vec<Code>,
}

fn round(
    checked: &Checked,
    fixes: Fixes,
    is_wanted: impl Fn(&SourceMap, &Diagnostic) -> bool,
) -> Round {
    let module = &checked.program.module;
    // A text with bytes that are not UTF-8 differs from its file.
    let own: Vec<FileId> = module
        .files
        .iter()
        .zip(&module.trees)
        .filter(|(_, tree)| tree.bytes() == tree.text().as_bytes())
        .map(|(&file, _)| file)
        .collect();
    let candidates = checked.diagnostics.iter().filter_map(|diagnostic| {
        let fix = fixes.of(diagnostic)?;
        let is_own = fix.edits.iter().all(|edit| own.contains(&edit.span.file));
        (is_own && is_wanted(&checked.sources, diagnostic)).then_some((diagnostic.code, fix))
    });
    let candidates: Vec<(Code, &Fix)> = candidates.collect();
    let mut accepted = Vec::new();
    accept(checked, &candidates, &mut accepted);
    let (patch, codes) = patch(checked, &accepted);
    let texts = patch
        .files()
        .map(|file| (file, patch.text(&checked.sources, file)))
        .filter(|(file, text)| **checked.sources.text(*file) != **text);
    let texts: BTreeMap<FileId, String> = texts.collect();
    if texts.is_empty() { Round::default() } else { Round { texts, codes } }
}

/// Adds the candidates that get the program on to the accepted ones: all at once if possible,
/// otherwise half by half.
fn accept<'a>(
    checked: &'a Checked,
    candidates: &[(Code, &'a Fix)],
    accepted: &mut Vec<(Code, &'a Fix)>,
) {
    if candidates.is_empty() {
        return;
    }
    let length = accepted.len();
    accepted.extend_from_slice(candidates);
    if gets_on(checked, accepted) {
        return;
    }
    accepted.truncate(length);
    if candidates.len() > 1 {
        let (first, second) = candidates.split_at(candidates.len() / 2);
        accept(checked, first, accepted);
        accept(checked, second, accepted);
    }
}

/// The edits of the fixes that do not overlap earlier ones, and the codes of their diagnostics.
fn patch<'a>(checked: &Checked, fixes: &[(Code, &'a Fix)]) -> (Patch<'a>, Vec<Code>) {
    let mut patch = Patch::default();
    let added = fixes.iter().filter(|(_, fix)| patch.add(&checked.sources, &fix.edits));
    let codes = added.map(|&(code, _)| code).collect();
    (patch, codes)
}

/// Returns true if fixes of syntax errors leave fewer of them in each file, and no more of any
/// code, if other fixes add none, and if no name is declared that was declared already. So the
/// fixes of syntax errors come to an end, and of two fixes that declare a name, one is applied: the
/// other one then finds it.
fn gets_on(checked: &Checked, fixes: &[(Code, &Fix)]) -> bool {
    let module = &checked.program.module;
    let patch = patch(checked, fixes).0;
    let repairs = |file: FileId| {
        let mut fixes = fixes.iter().filter(|(code, _)| code.is_syntax());
        fixes.any(|(_, fix)| fix.edits.iter().any(|edit| edit.span.file == file))
    };
    let edited: BTreeMap<FileId, SyntaxTree> = patch
        .files()
        .map(|file| (file, pcl_newcomers::parse(patch.text(&checked.sources, file))))
        .collect();
    let mut trees = module.files.iter().zip(&module.trees);
    let are_fewer = trees.all(|(file, before)| {
        edited.get(file).is_none_or(|after| {
            let (before, after) = (syntax_errors(before), syntax_errors(after));
            let is_new =
                |(code, count): (&Code, &usize)| before.get(code).is_none_or(|it| it < count);
            let [old, now]: [usize; 2] = [&before, &after].map(|errors| errors.values().sum());
            (now < old || now == old && !repairs(*file)) && !after.iter().any(is_new)
        })
    });
    are_fewer && !declares_twice(module, &edited)
}

/// Returns true if edits of a program make declarations of a name that is declared already. A text
/// that could not be parsed before may have declared any name in it.
fn declares_twice(module: &Module, edited: &BTreeMap<FileId, SyntaxTree>) -> bool {
    let mut names: HashMap<DeclaredName<'_>, (usize, usize)> = HashMap::new();
    let mut unclear = HashSet::new();
    for (file, before) in module.files.iter().zip(&module.trees) {
        let after = edited.get(file);
        for name in declared_names(before) {
            names.entry(name).or_default().0 += 1;
        }
        for name in declared_names(after.unwrap_or(before)) {
            names.entry(name).or_default().1 += 1;
        }
        if after.is_some() {
            let items = before.file().body().items();
            let broken = items.filter(|item| matches!(item, ast::Item::Bogus(_)));
            let tokens = broken.flat_map(|item| item.syntax().tokens());
            unclear.extend(tokens.map(|token| token.text()));
        }
    }
    let mut names = names.iter();
    names.any(|(declared, &(before, after))| {
        after > before.max(1) && !unclear.contains(&*declared.name)
    })
}

/// The number of syntax errors of each code.
fn syntax_errors(tree: &SyntaxTree) -> HashMap<Code, usize> {
    let mut errors = HashMap::new();
    for error in tree.errors() {
        *errors.entry(error.code()).or_default() += 1;
    }
    errors
}

/// Keeps fixes from being applied that would lead to another syntax error in a file that has some,
/// or make one word of two. Those of the syntax errors were tried when they were made.
pub(crate) fn doubt_fixes(diagnostics: &mut [Diagnostic], program: &Program) {
    let module = &program.module;
    let files = module.files.iter().zip(&module.trees);
    let broken: Vec<_> = files.filter(|(_, tree)| !tree.errors().is_empty()).collect();
    if broken.is_empty() {
        return;
    }
    let others = diagnostics.iter_mut().filter(|it| !it.code.is_syntax());
    let fixes = others.flat_map(|diagnostic| &mut diagnostic.fixes);
    let fixes = fixes.filter(|fix| fix.applicability != Applicability::DisplayOnly);
    for fix in fixes.take(MOST_DOUBTS) {
        if broken.iter().any(|(file, tree)| spoils(tree, **file, fix) || tree.breaks(**file, fix)) {
            fix.applicability = Applicability::DisplayOnly;
        }
    }
}

/// Returns true if a fix makes one word of two, or replaces text that cannot be read.
fn spoils(tree: &SyntaxTree, file: FileId, fix: &Fix) -> bool {
    let text = tree.text();
    let is_of_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut edits = fix.edits.iter().filter(|edit| edit.span.file == file);
    edits.any(|edit| {
        let whole = edit.span.range;
        let mut errors = tree.errors().iter().map(SyntaxError::range);
        if errors.any(|error| whole.start() < error.start() && error.end() < whole.end()) {
            return true;
        }
        let range = whole.to_usize();
        let [before, old, after] = [0..range.start, range.clone(), range.end..text.len()]
            .map(|range| text.get(range).unwrap_or_default());
        // A bracket behind a word calls or indexes it.
        let joins = |left: &str, right: &str| {
            let right = right.chars().next();
            is_of_word(left.chars().next_back())
                && (is_of_word(right) || matches!(right, Some('(' | '[')))
        };
        match &*edit.text {
            "" => joins(before, after) && !old.is_empty(),
            new => {
                joins(before, new) && !joins(before, old) || joins(new, after) && !joins(old, after)
            }
        }
    })
}

/// The diagnostics by file, code and message.
fn messages(checked: &Checked) -> HashMap<(String, Code, String), usize> {
    let mut messages = HashMap::new();
    for diagnostic in &checked.diagnostics {
        *messages.entry(key(checked, diagnostic)).or_default() += 1;
    }
    messages
}

fn key(checked: &Checked, diagnostic: &Diagnostic) -> (String, Code, String) {
    let path = checked.sources.path(diagnostic.primary.file).to_owned();
    (path, diagnostic.code, diagnostic.message.clone())
}

/// The number of diagnostics that were not there before.
fn revealed(before: &HashMap<(String, Code, String), usize>, checked: &Checked) -> usize {
    let after = messages(checked).into_iter();
    let new =
        after.map(|(key, count)| count.saturating_sub(before.get(&key).copied().unwrap_or(0)));
    new.sum()
}

/// The line end of a text, `\n` or `\r\n`: that of its first line.
pub fn line_end(text: &str) -> &'static str {
    let first = text.find('\n').and_then(|at| text.get(..at));
    if first.is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}

/// Gives the lines that fixes insert the line ends of their files.
pub(crate) fn adopt_line_ends(diagnostics: &mut [Diagnostic], sources: &SourceMap) {
    let fixes = diagnostics.iter_mut().flat_map(|it| &mut it.fixes);
    for edit in fixes.flat_map(|fix| &mut fix.edits) {
        if edit.text.contains('\n') && line_end(sources.text(edit.span.file)) == "\r\n" {
            edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
    }
}
