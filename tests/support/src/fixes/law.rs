//! The promises of a fix, checked by applying it.

use pcl::diagnostics::{Applicability, Code, Diagnostic, FileId, Fix, Severity, TextRange, apply};
use pcl::syntax::ast::Item;
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxTree, parse};
use pcl::{Checked, Workspace};

use super::Program;
use super::positions::{Edits, Key, Position, counts, key};

/// Applies a fix of a diagnostic of a program that was checked. Returns the promise that it breaks,
/// and the program after it.
pub fn keeps(
    workspace: &Workspace,
    program: &Program,
    before: &Checked,
    diagnostic: &Diagnostic,
    fix: &Fix,
) -> Result<(), (String, Program)> {
    let applied = Applied {
        workspace,
        program,
        before,
        diagnostic,
        fix,
    };
    applied.keeps_its_promise()
}

fn is_no_part_of_a_name(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | '-')
}

/// The words in the text of an item.
fn words<'t>(item: SyntaxNode<'t>) -> impl Iterator<Item = &'t str> + use<'t> {
    let words = item.text().split(is_no_part_of_a_name);
    // A minus is no part of the name behind it.
    let words = words.map(|word| word.trim_start_matches('-'));
    words.filter(|word| !word.is_empty())
}

/// The words that may be the name that an item declares: the first, or the one after the keyword of
/// a block.
fn declared<'t>(item: SyntaxNode<'t>) -> impl Iterator<Item = &'t str> + use<'t> {
    const KEYWORDS: [&str; 6] = ["component", "config", "hook", "output", "read", "resource"];
    words(item).take(2).filter(|word| !KEYWORDS.contains(word))
}

/// Returns true if a lint is about the text that a fix writes, or about the value of a name that it
/// writes: lints say nothing about a name that is not known.
fn is_about_renamed(diagnostic: &Diagnostic, after: &Program, edits: &[Edits]) -> bool {
    let file = diagnostic.primary.file.0 as usize;
    let (Some((_, text)), Some(edits)) = (after.files.get(file), edits.get(file)) else {
        return false;
    };
    if !diagnostic.code.id().starts_with("PCL07") || diagnostic.code == Code::Deprecated {
        return false;
    }
    let (new, at) = (edits.new_ranges(), diagnostic.primary.range.start());
    if new.iter().any(|range| range.contains(at)) {
        return true;
    }
    let tree = parse(text.as_str());
    let mut items = tree.root().descendants().filter(|node| {
        matches!(node.kind(), SyntaxKind::Attribute | SyntaxKind::ObjectItem)
            && node.range().contains(at)
    });
    items.any(|item| {
        let name = item.tokens().find(|token| !token.kind().is_trivia());
        name.is_some_and(|name| new.iter().any(|edit| edit.contains(name.range().start())))
    })
}

/// Returns true if a diagnostic is none that an unsafe fix answers for: a warning or a lint about
/// anything but something deprecated.
fn is_advice(diagnostic: &Diagnostic) -> bool {
    !diagnostic.is_error() && diagnostic.code != Code::Deprecated
}

struct Applied<'a> {
    workspace: &'a Workspace,
    program: &'a Program,
    before: &'a Checked,
    diagnostic: &'a Diagnostic,
    fix: &'a Fix,
}

impl Applied<'_> {
    fn keeps_its_promise(&self) -> Result<(), (String, Program)> {
        let mut after = self.program.clone();
        let mut edits: Vec<Edits> = Vec::new();
        for (file, (_, text)) in (0..).map(FileId).zip(&mut after.files) {
            let ours = Edits::new(file, &self.fix.edits);
            if !ours.0.is_empty() {
                let (new, applied) =
                    apply(&self.before.sources, file, std::slice::from_ref(self.fix));
                if applied != 1 {
                    return Err(("it does not fit the text".to_owned(), after));
                }
                *text = new;
            }
            edits.push(ours);
        }
        for ((_, old), (_, new)) in self.program.files.iter().zip(&after.files) {
            if old != new && parse(old.as_str()).errors().is_empty() {
                let tree = parse(new.as_str());
                if let Some(error) = tree.errors().first() {
                    let message = error.to_diagnostic(FileId(0), &tree).message;
                    return Err((format!("the file no longer parses: {message}"), after));
                }
            }
        }
        let checked = self.workspace.check(&after.target());
        let of = |file: FileId| edits.get(file.0 as usize);
        let old = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.before(offset));
        let new = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.after(offset));
        let (was, is) = (counts(self.before, old), counts(&checked, new));
        let own = key(self.diagnostic, old);
        let stays = is.get(&own).is_some_and(|is| is >= &was[&own]);
        if stays && !self.is_another(&checked, own, new) {
            return Err(("its own diagnostic stays".to_owned(), after));
        }
        if let Some(text) = self.lost_text() {
            return Err((format!("{text:?} is lost"), after));
        }
        let is_safe = self.fix.applicability == Applicability::Safe;
        if self.fix.applicability == Applicability::DisplayOnly {
            return Ok(());
        }
        let mistakes = |program: &Program| -> usize {
            let texts = program.files.iter().map(|(_, text)| parse(text.as_str()));
            texts.map(|tree| tree.errors().len()).sum()
        };
        let is_syntax = self.diagnostic.code.is_syntax();
        if is_safe && is_syntax && mistakes(&after) >= mistakes(self.program) {
            return Err(("another syntax error takes its place".to_owned(), after));
        }
        let appears: Vec<&Diagnostic> = checked
            .diagnostics
            .iter()
            .filter(|d| is[&key(d, new)] > was.get(&key(d, new)).copied().unwrap_or(0))
            .filter(|d| !self.was_unreadable(key(d, new), d, &after))
            .filter(|d| !self.has_moved(d, key(d, new).2, &checked))
            .filter(|d| !is_about_renamed(d, &after, &edits))
            .filter(|d| !self.comes_into_effect(d))
            .filter(|d| !self.is_in_new_attribute(d, &after, &edits))
            .filter(|d| is_safe || !is_advice(d))
            .filter(|d| !self.was_in_misfit(d, key(d, new).2))
            .filter(|d| !self.was_not_tried(d))
            .filter(|d| !self.is_of_the_original(d))
            .filter(|d| is_safe || !Self::is_in_broken(d, &after))
            .filter(|d| is_safe || !self.was_unchecked(d, key(d, new).2, &after))
            .collect();
        if appears.is_empty() {
            return Ok(());
        }
        let without = self.without_the_place(&after, &edits);
        for diagnostic in appears {
            if !without.iter().any(|other| other.has(diagnostic)) {
                let (code, message) = (diagnostic.code, &diagnostic.message);
                let severity = match diagnostic.severity {
                    Severity::Warning => "warning",
                    _ => "error",
                };
                return Err((format!("new: {severity} {code} {message}"), after));
            }
        }
        Ok(())
    }

    /// The text of a string that a fix of its quotes leaves out.
    fn lost_text(&self) -> Option<&str> {
        let is_of_strings = matches!(
            self.diagnostic.code,
            Code::LexBacktick
                | Code::LexCurlyQuote
                | Code::LexNewlineInQuoted
                | Code::LexSingleQuote
                | Code::PrefixedString
                | Code::UnquotedString
        );
        let mut edits = self.fix.edits.iter().filter(|_| is_of_strings);
        edits.find_map(|edit| {
            let old = self.before.sources.slice(edit.span);
            // The letters before the quote are those of a prefix.
            let is_letter = |c: char| c.is_alphabetic() || c == '@' || c == '$';
            let text = match old.trim_start_matches(is_letter).starts_with(['"', '\'']) {
                true => old.trim_start_matches(is_letter),
                false => old,
            };
            let mut new = edit.text.chars();
            let mut kept = text.chars().filter(|&c| c.is_alphanumeric() || c == '$');
            let is_kept = kept.all(|c| new.any(|other| other == c));
            (!is_kept).then_some(old)
        })
    }

    /// Returns true if a diagnostic is about a part of the value whose type the fix corrects, or a
    /// lint about that value: nothing is said about it as long as its type is wrong.
    fn was_in_misfit(&self, diagnostic: &Diagnostic, position: Position) -> bool {
        let own = self.diagnostic.primary;
        let is_in = |offset: u32| own.range.start() <= offset && offset < own.range.end();
        let is_lint = is_advice(diagnostic);
        let is_part = diagnostic.primary.range.to_usize().len() < own.range.to_usize().len();
        self.diagnostic.code == Code::TypeNotAssignable
            && diagnostic.primary.file == own.file
            && matches!(position, Position::Kept(offset) if is_in(offset))
            && (is_lint || is_part)
    }

    /// Returns true if a diagnostic is about the run of the program, which is tried only without
    /// errors.
    fn was_not_tried(&self, diagnostic: &Diagnostic) -> bool {
        let mut before = self.before.diagnostics.iter();
        diagnostic.code.is_of_run() && before.any(Diagnostic::is_error)
    }

    /// Returns true if a mutant hides a diagnostic that the program has without its mutations.
    fn is_of_the_original(&self, diagnostic: &Diagnostic) -> bool {
        let original = self.program.original.as_ref();
        original.is_some_and(|original| original.has(diagnostic))
    }

    /// Returns true if the diagnostics at the place of this one are others: of several reasons why
    /// a value does not fit, one is given.
    fn is_another(
        &self,
        checked: &Checked,
        own: Key,
        new: impl Fn(FileId, u32) -> Position,
    ) -> bool {
        let said = |of: &Checked, d: &Diagnostic| {
            (d.message.clone(), of.sources.slice(d.primary).to_owned())
        };
        let was = said(self.before, self.diagnostic);
        let mut here = checked.diagnostics.iter().filter(|d| key(d, &new) == own);
        self.diagnostic.code == Code::TypeNotAssignable
            && here.all(|other| said(checked, other) != was)
    }

    /// Returns true if a diagnostic of a later stage is about text that could not be parsed before.
    /// The type in a label is parsed after the file.
    fn was_unreadable(&self, key: Key, diagnostic: &Diagnostic, after: &Program) -> bool {
        let (file, _, position) = key;
        let text = |program: &Program| {
            program
                .files
                .get(file.0 as usize)
                .map(|(_, text)| parse(text.as_str()))
        };
        let is_of_the_file = |tree: &SyntaxTree| {
            let mut errors = tree.errors().iter();
            errors.any(|error| {
                error.code() == diagnostic.code && error.range() == diagnostic.primary.range
            })
        };
        if !self.diagnostic.code.is_syntax()
            || text(after).is_some_and(|tree| is_of_the_file(&tree))
        {
            return false;
        }
        let (Position::Kept(offset), Some(_)) = (position, text(self.program)) else {
            // A safe fix refers to names that exist, unless it moves what the user wrote.
            let names = self.fix.applicability == Applicability::Safe;
            return !(names && diagnostic.code == Code::UndefinedVariable)
                || self.moves(diagnostic, after);
        };
        // An item that still has an error may have swallowed others.
        let place = diagnostic.primary.range.start();
        let still_broken = text(after).is_some_and(|tree| {
            let mut items = tree.file().body().items().map(Item::syntax);
            items.any(|item| item.contains_error() && item.range().contains(place))
        });
        if still_broken {
            return true;
        }
        // What is unused is not known as long as there is text that cannot be read.
        if matches!(
            diagnostic.code,
            Code::UnusedLocal | Code::UnusedConfig | Code::UnusedIgnore
        ) {
            return true;
        }
        let own = self.diagnostic.primary;
        self.is_in_or_behind(file, offset, |file, item| {
            // The label of a type is parsed by itself.
            item.contains_error()
                || file == own.file && item.range().contains(own.range.start())
                || self.is_edited(file, item)
        })
    }

    /// Returns true if the text that a diagnostic is about is a part of what the fix replaces.
    fn moves(&self, diagnostic: &Diagnostic, after: &Program) -> bool {
        let (file, range) = (diagnostic.primary.file, diagnostic.primary.range);
        let text = after.files.get(file.0 as usize);
        let word = text.and_then(|(_, text)| text.get(range.to_usize()));
        let mut edits = self.fix.edits.iter();
        edits.any(|edit| {
            let mut old = self
                .before
                .sources
                .slice(edit.span)
                .split(is_no_part_of_a_name);
            edit.span.file == file && old.any(|old| Some(old) == word)
        })
    }

    /// Returns true if the fix edits a part of an item of the program as it was.
    fn is_edited(&self, file: FileId, item: SyntaxNode<'_>) -> bool {
        let item = item.range();
        let edits = self.fix.edits.iter().map(|edit| edit.span);
        let mut edits = edits
            .filter(|edit| edit.file == file)
            .map(|edit| edit.range);
        edits.any(|edit| {
            let overlap = item.start().max(edit.start())..item.end().min(edit.end());
            !overlap.is_empty() || edit.is_empty() && overlap.start == overlap.end
        })
    }

    /// Returns true if a diagnostic is in an item that has a syntax error after the fix too: it is
    /// not checked as it is meant.
    fn is_in_broken(diagnostic: &Diagnostic, after: &Program) -> bool {
        let file = after.files.get(diagnostic.primary.file.0 as usize);
        let tree = file.map(|(_, text)| parse(text.as_str()));
        !diagnostic.code.is_syntax()
            && tree.is_some_and(|tree| {
                let mut items = tree.file().body().items().map(Item::syntax);
                items.any(|item| {
                    item.contains_error() && item.range().contains(diagnostic.primary.range.start())
                })
            })
    }

    /// Returns true if a place of the program as it was is in one of the broken items, or in an
    /// item that refers to what one of them declares: that may be anything.
    fn is_in_or_behind(
        &self,
        file: FileId,
        offset: u32,
        is_broken: impl Fn(FileId, SyntaxNode<'_>) -> bool,
    ) -> bool {
        let trees = self.program.files.iter();
        let trees: Vec<SyntaxTree> = trees.map(|(_, text)| parse(text.as_str())).collect();
        let all: Vec<(FileId, SyntaxNode<'_>)> = (0..)
            .map(FileId)
            .zip(&trees)
            .flat_map(|(file, tree)| {
                let items = tree.file().body().items().map(Item::syntax);
                items.map(move |item| (file, item))
            })
            .collect();
        let broken = all.iter().filter(|(file, item)| is_broken(*file, *item));
        let mut names: Vec<&str> = broken.flat_map(|(_, item)| declared(*item)).collect();
        // What refers to a broken item may have any type as well.
        loop {
            let refers = |item: SyntaxNode<'_>| words(item).any(|word| names.contains(&word));
            let more = all.iter().filter(|(_, item)| refers(*item));
            let more = more.flat_map(|(_, item)| declared(*item));
            let more: Vec<&str> = more.filter(|name| !names.contains(name)).collect();
            if more.is_empty() {
                break;
            }
            names.extend(more);
        }
        let mut about = all.iter().filter(|(own, item)| {
            let range = item.range();
            *own == file && range.start() <= offset && offset <= range.end()
        });
        about.any(|(file, item)| {
            is_broken(*file, *item) || words(*item).any(|word| names.contains(&word))
        })
    }

    /// Returns true if a diagnostic is about a part of the program that the mistake leaves
    /// unchecked: the rest of what it gives a wrong kind or name, and what refers to it.
    fn was_unchecked(&self, diagnostic: &Diagnostic, position: Position, after: &Program) -> bool {
        // The steps after an unknown name lead anywhere, and of several parts of a value that do
        // not fit, one is named.
        let is_next = match self.diagnostic.code {
            Code::UndefinedVariable => ("PCL0302".."PCL0307").contains(&diagnostic.code.id()),
            Code::TypeNotAssignable => diagnostic.code == Code::TypeNotAssignable,
            _ => false,
        };
        let is_of_construct = is_next
            || matches!(
                self.diagnostic.code,
                Code::ComponentSource
                    | Code::IgnoredAttribute
                    | Code::IgnoredBlock
                    | Code::IgnoredKey
                    | Code::MalformedToken
                    | Code::UnknownBlockType
                    | Code::UnknownFunction
                    | Code::UnknownInvoke
                    | Code::UnknownMethod
                    | Code::UnknownPackage
                    | Code::UnknownResourceType
                    | Code::UnsupportedAttribute
                    | Code::UnsupportedBlock
                    | Code::WrongLabelCount
            );
        let Position::Kept(offset) = position else {
            // Inputs and labels are missing in a block as a whole. A package is looked up, and the
            // text that a fix moves is checked, only where it has a meaning.
            let is_of_whole = matches!(
                diagnostic.code,
                Code::MissingAttribute | Code::UnknownPackage | Code::WrongLabelCount
            );
            let is_around = self.is_around(diagnostic);
            let is_hidden = is_of_whole || is_around || self.is_in_moved(diagnostic, after);
            return is_of_construct && is_hidden;
        };
        is_of_construct
            && self.is_in_or_behind(diagnostic.primary.file, offset, |file, item| {
                self.is_edited(file, item)
            })
    }

    /// Returns true if a diagnostic is about more than the text that a fix of one edit writes.
    fn is_around(&self, diagnostic: &Diagnostic) -> bool {
        match &self.fix.edits[..] {
            [edit] => diagnostic.primary.range.len() > edit.text.len() as u32,
            _ => false,
        }
    }

    /// Returns true if a diagnostic is about a text that the fix moves.
    fn is_in_moved(&self, diagnostic: &Diagnostic, after: &Program) -> bool {
        let file = after.files.get(diagnostic.primary.file.0 as usize);
        let place = diagnostic.primary.range.to_usize();
        let text = file.and_then(|(_, text)| text.get(place));
        text.is_some_and(|text| {
            let mut edits = self.fix.edits.iter();
            edits.any(|edit| self.before.sources.slice(edit.span).contains(text))
        })
    }

    /// Returns true if a diagnostic is about the value of an attribute that was a block: what is in
    /// an unsupported block is not checked.
    fn is_in_new_attribute(
        &self,
        diagnostic: &Diagnostic,
        after: &Program,
        edits: &[Edits],
    ) -> bool {
        let file = diagnostic.primary.file.0 as usize;
        let (Some((_, text)), Some(edits)) = (after.files.get(file), edits.get(file)) else {
            return false;
        };
        let tree = parse(text.as_str());
        let mut attributes = tree.root().descendants().filter(|node| {
            let place = diagnostic.primary.range.start();
            node.kind() == SyntaxKind::Attribute && node.range().contains(place)
        });
        let new = edits.new_ranges();
        self.diagnostic.code == Code::UnsupportedBlock
            && attributes.any(|attribute| {
                let whole = attribute.range();
                new.iter().any(|edit| whole.contains(edit.start()))
            })
    }

    /// Returns true if a diagnostic is about what takes effect only once it is written correctly: a
    /// setting that older releases of Pulumi do not have or treat otherwise, or a comment that
    /// suppresses nothing.
    fn comes_into_effect(&self, diagnostic: &Diagnostic) -> bool {
        match diagnostic.code {
            Code::TooNewForPulumi | Code::RemovedFromPulumi | Code::ChangedInPulumi => true,
            Code::UnusedIgnore | Code::InvalidIgnore => matches!(
                self.diagnostic.code,
                Code::InvalidIgnore | Code::ForeignComment
            ),
            _ => false,
        }
    }

    /// Returns true if a syntax error is one that was shown at another place, or another diagnostic
    /// is one that was shown in the text that the fix moves.
    fn has_moved(&self, diagnostic: &Diagnostic, position: Position, checked: &Checked) -> bool {
        let same = |of: &Checked| {
            let of = of.diagnostics.iter();
            of.filter(|d| d.code == diagnostic.code && d.message == diagnostic.message)
                .count()
        };
        if !diagnostic.code.is_syntax() {
            return self.fix.edits.len() > 1 && same(checked) <= same(self.before);
        }
        // The same mistake once more is in text that was skipped behind the first one.
        if diagnostic.code == self.diagnostic.code
            && matches!(position, Position::Kept(at) if at > self.diagnostic.primary.range.start())
        {
            return true;
        }
        let count = |of: &Checked| {
            of.diagnostics
                .iter()
                .filter(|d| d.code == diagnostic.code)
                .count()
        };
        let own = usize::from(self.diagnostic.code == diagnostic.code);
        count(checked) + own <= count(self.before)
    }

    /// The fixed program without the new text, and without each item that contains it or is next to
    /// it.
    fn without_the_place(&self, after: &Program, edits: &[Edits]) -> Vec<Without> {
        let new: Vec<Vec<TextRange>> = edits.iter().map(Edits::new_ranges).collect();
        let mut ways = Vec::new();
        for (file, (_, text)) in after.files.iter().enumerate() {
            let tree = parse(text.as_str());
            let mut bodies = vec![tree.file().body()];
            while let Some(body) = bodies.pop() {
                for item in body.items() {
                    let whole = item.syntax().range();
                    let touches = |edit: &TextRange| {
                        whole.start() <= edit.end() && edit.start() <= whole.end()
                    };
                    if new[file].iter().any(touches) {
                        let mut way = vec![Vec::new(); after.files.len()];
                        way[file].push(whole);
                        ways.push(way);
                        if let Item::Block(block) = item {
                            bodies.extend(block.body());
                        }
                    }
                }
            }
        }
        let leaves_text = new.iter().flatten().any(|range| !range.is_empty());
        if leaves_text || ways.is_empty() {
            ways.push(new);
        }
        let ways = ways.into_iter();
        ways.map(|ranges| Without::new(self.workspace, after, ranges))
            .collect()
    }
}

/// A program without some ranges of its files.
struct Without {
    edits: Vec<Edits>,
    checked: Checked,
}

impl Without {
    fn new(workspace: &Workspace, program: &Program, ranges: Vec<Vec<TextRange>>) -> Self {
        let mut rest = program.clone();
        for ((_, text), ranges) in rest.files.iter_mut().zip(&ranges) {
            for range in ranges.iter().rev() {
                text.replace_range(range.to_usize(), "");
            }
        }
        let edits = ranges
            .into_iter()
            .map(|ranges| Edits(ranges.into_iter().map(|range| (range, 0)).collect()));
        Self {
            edits: edits.collect(),
            checked: workspace.check(&rest.target()),
        }
    }

    /// Returns true if a diagnostic of the whole program is also one of the rest.
    fn has(&self, diagnostic: &Diagnostic) -> bool {
        let of = |file: FileId| self.edits.get(file.0 as usize);
        let old = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.before(offset));
        let new = |file, offset| of(file).map_or(Position::Kept(offset), |e| e.after(offset));
        let wanted = key(diagnostic, old);
        !matches!(wanted.2, Position::Edit(_))
            && self
                .checked
                .diagnostics
                .iter()
                .any(|d| key(d, new) == wanted)
    }
}
