//! The diagnostics that a mistake hides: a fix that lets them appear keeps its promises.

use pcl::Checked;
use pcl::diagnostics::{Applicability, Code, Diagnostic, FileId, TextRange, suggest};
use pcl::syntax::ast::Item;
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxTree, parse};

use super::Program;
use super::law::{Applied, declared, is_advice, words, words_of};
use super::positions::{Edits, Key, Position};

impl Applied<'_> {
    /// Returns true if a lint is about the text that a fix writes, or about the value of a name
    /// that it writes: lints say nothing about a name that is not known.
    pub(super) fn is_about_renamed(
        &self,
        diagnostic: &Diagnostic,
        after: &Program,
        edits: &[Edits],
    ) -> bool {
        let Some((text, edits)) = edited(diagnostic, after, edits) else { return false };
        // What replaces something deprecated is not deprecated.
        let is_deprecated = [self.diagnostic.code, diagnostic.code] == [Code::Deprecated; 2];
        if !diagnostic.code.id().starts_with("PCL07") || is_deprecated {
            return false;
        }
        let (new, at) = (edits.new_ranges(), diagnostic.primary.range.start());
        if new.iter().any(|range| range.contains(at)) {
            return true;
        }
        let tree = parse(text);
        let mut items = tree.root().descendants().filter(|node| {
            matches!(node.kind(), SyntaxKind::Attribute | SyntaxKind::ObjectItem)
                && node.range().contains(at)
        });
        items.any(|item| {
            let name = item.tokens().find(|token| !token.kind().is_trivia());
            name.is_some_and(|name| new.iter().any(|edit| edit.contains(name.range().start())))
        })
    }

    /// Returns true if a diagnostic is about a part of the value whose type the fix corrects, or a
    /// lint about that value: nothing is said about it as long as its type is wrong. A token is
    /// looked up only where one is expected.
    pub(super) fn was_in_misfit(
        &self,
        diagnostic: &Diagnostic,
        position: Position,
        after: &Program,
    ) -> bool {
        let own = self.diagnostic.primary;
        let is_in = |offset: u32| own.range.start() <= offset && offset < own.range.end();
        let is_lint = is_advice(diagnostic);
        let is_part = diagnostic.primary.range.to_usize().len() < own.range.to_usize().len();
        let is_token = matches!(diagnostic.code, Code::UnknownPackage | Code::UnknownInvoke);
        self.diagnostic.code == Code::TypeNotAssignable
            && diagnostic.primary.file == own.file
            && (is_token && self.is_in_line(diagnostic, after)
                || matches!(position, Position::Kept(offset) if is_in(offset))
                    && (is_lint || is_part))
    }

    /// Returns true if a diagnostic is on the line that this one is on.
    fn is_in_line(&self, diagnostic: &Diagnostic, after: &Program) -> bool {
        let line = |program: &Program, it: &Diagnostic| {
            let (file, range) = (it.primary.file.0 as usize, it.primary.range.to_usize());
            let text = program.files.get(file).and_then(|(_, text)| text.get(..range.start));
            text.map(|text| (file, text.matches('\n').count()))
        };
        line(self.program, self.diagnostic) == line(after, diagnostic)
    }

    /// Returns true if a diagnostic is about the run of the program, which is tried only without
    /// errors.
    pub(super) fn was_not_tried(&self, diagnostic: &Diagnostic) -> bool {
        let mut before = self.before.diagnostics.iter();
        diagnostic.code.is_of_run() && before.any(Diagnostic::is_error)
    }

    /// Returns true if a mutant hides a diagnostic that the program has without its mutations.
    pub(super) fn is_of_the_original(&self, diagnostic: &Diagnostic) -> bool {
        let original = self.program.original.as_ref();
        original.is_some_and(|original| original.has(diagnostic))
    }

    /// Returns true if a diagnostic of a later stage is about text that could not be parsed before.
    /// The type in a label is parsed after the file.
    pub(super) fn was_unreadable(
        &self,
        key: Key,
        diagnostic: &Diagnostic,
        after: &Program,
    ) -> bool {
        let (file, _, position) = key;
        let text = |program: &Program| {
            program.files.get(file.0 as usize).map(|(_, text)| parse(text.as_str()))
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
        // A component is loaded once its block can be read.
        if diagnostic.code == Code::ComponentHasErrors {
            return true;
        }
        // An item that still has an error may have swallowed others.
        let place = diagnostic.primary.range.start();
        let still_broken = text(after).is_some_and(|tree| {
            let mut items = tree.file().body().items().map(Item::syntax);
            items.any(|item| item.contains_error() && item.range().contains(place))
        });
        if still_broken {
            return true;
        }
        // A header that cannot be read has no body: what is in it is checked with the header.
        let own = self.diagnostic.primary;
        let in_same_item = text(after).is_some_and(|tree| {
            let mut items = tree.file().body().items().map(Item::syntax);
            let touched = |item: &SyntaxNode<'_>| item.range().contains(own.range.start());
            file == own.file && items.any(|item| touched(&item) && item.range().contains(place))
        });
        if in_same_item {
            return true;
        }
        // What is unused is not known as long as there is text that cannot be read.
        if matches!(diagnostic.code, Code::UnusedLocal | Code::UnusedConfig | Code::UnusedIgnore) {
            return true;
        }
        self.is_in_or_behind(file, offset, |file, item| {
            // The label of a type is parsed by itself.
            item.contains_error()
                || file == own.file && item.range().contains(own.range.start())
                || self.is_edited(file, item)
        })
    }

    /// Returns true if a syntax error is in the value of the one that the fix is for: of several,
    /// one is reported. A quote that is missing hides what the rest of its line is.
    pub(super) fn was_behind_first(
        &self,
        diagnostic: &Diagnostic,
        position: Position,
        after: &Program,
    ) -> bool {
        let own = self.diagnostic.primary;
        let is_quote = self.diagnostic.code == Code::LexNewlineInQuoted;
        if is_quote && diagnostic.code.is_syntax() && self.is_in_line(diagnostic, after) {
            return true;
        }
        let Some((_, text)) = self.program.files.get(own.file.0 as usize) else { return false };
        let tree = parse(text.as_str());
        let values = tree.unreadable().into_iter();
        let labels = self.diagnostic.labels.iter().map(|label| label.span);
        let own_places: Vec<_> = labels.chain([own]).filter(|it| it.file == own.file).collect();
        let mut values =
            values.filter(|value| own_places.iter().any(|own| value.touches(own.range)));
        let is_syntax = self.diagnostic.code.is_syntax() && diagnostic.code.is_syntax();
        is_syntax
            && diagnostic.primary.file == own.file
            && values.any(|value| {
                let errors = tree.errors().iter();
                let is_there = match position {
                    Position::Kept(offset) => value.touches(TextRange::empty(offset)),
                    Position::Edit(_) => true,
                };
                is_there && errors.filter(|error| value.touches(error.range())).count() > 1
            })
    }

    /// Returns true if the text that a diagnostic is about is a part of what the fix replaces.
    fn moves(&self, diagnostic: &Diagnostic, after: &Program) -> bool {
        let (file, range) = (diagnostic.primary.file, diagnostic.primary.range);
        let text = after.files.get(file.0 as usize);
        let text = text.and_then(|(_, text)| text.get(range.to_usize()));
        let new: Vec<&str> = text.into_iter().flat_map(words_of).collect();
        let mut edits = self.fix.edits.iter();
        edits.any(|edit| {
            let mut old = words_of(self.before.sources.slice(edit.span));
            edit.span.file == file && old.any(|old| new.contains(&old))
        })
    }

    /// Returns true if the fix edits a part of an item of the program as it was.
    fn is_edited(&self, file: FileId, item: SyntaxNode<'_>) -> bool {
        let item = item.range();
        let edits = self.fix.edits.iter().map(|edit| edit.span);
        let mut edits = edits.filter(|edit| edit.file == file).map(|edit| edit.range);
        edits.any(|edit| {
            let overlap = item.start().max(edit.start())..item.end().min(edit.end());
            !overlap.is_empty() || edit.is_empty() && overlap.start == overlap.end
        })
    }

    /// Returns true if a diagnostic is in an item that has a syntax error after the fix too: it is
    /// not checked as it is meant.
    pub(super) fn is_in_broken(diagnostic: &Diagnostic, after: &Program) -> bool {
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
        let mut about = all
            .iter()
            .filter(|(own, item)| *own == file && item.range().touches(TextRange::empty(offset)));
        about.any(|(file, item)| {
            is_broken(*file, *item) || words(*item).any(|word| names.contains(&word))
        })
    }

    /// Returns true if a diagnostic is about a part of the program that the mistake leaves
    /// unchecked: the rest of what it gives a wrong kind or name, and what refers to it.
    pub(super) fn was_unchecked(
        &self,
        diagnostic: &Diagnostic,
        position: Position,
        after: &Program,
    ) -> bool {
        let is_next = self.is_next(diagnostic, position);
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
        // The block of a package decides about all that it has, in the programs of components too.
        if self.is_in_package_block() {
            return is_of_construct;
        }
        let Position::Kept(offset) = position else {
            // Inputs and labels are missing in a block as a whole. A package is looked up, and the
            // text that a fix moves is checked, only where it has a meaning.
            let is_of_whole = matches!(
                diagnostic.code,
                Code::MissingArgument
                    | Code::MissingAttribute
                    | Code::MissingInvokeArguments
                    | Code::UnknownPackage
                    | Code::UnnamedPackage
                    | Code::WrongLabelCount
            );
            // What becomes a call has inputs and a type; a name that was free refers to itself.
            let is_new = match self.diagnostic.code {
                Code::UnknownBlockType | Code::UnknownFunction => {
                    diagnostic.code == Code::TypeNotAssignable
                }
                Code::Naming => true,
                _ => false,
            };
            let is_around = is_new || self.is_around(diagnostic);
            let is_hidden = is_of_whole || is_around || self.is_in_moved(diagnostic, after);
            return is_of_construct && is_hidden;
        };
        is_of_construct
            && self.is_in_or_behind(diagnostic.primary.file, offset, |file, item| {
                self.is_edited(file, item)
            })
    }

    /// Returns true if a diagnostic is about what the value of this one's place leads to: the steps
    /// after an unknown name, methods included, and the values that depend on it; or another part
    /// of a value that does not fit, of which one is named.
    fn is_next(&self, diagnostic: &Diagnostic, position: Position) -> bool {
        let code = diagnostic.code;
        match self.diagnostic.code {
            Code::UndefinedVariable => {
                let is_of_types = code.id().starts_with("PCL03");
                ("PCL0302".."PCL0307").contains(&code.id())
                    || matches!(code, Code::BadArgument | Code::UnknownMethod)
                    || is_of_types && (self.has_steps() || self.is_elsewhere(diagnostic, position))
            }
            Code::UnknownProperty => code.id().starts_with("PCL03"),
            // Another name that was unknown is that of the declaration now.
            Code::Naming => code.id().starts_with("PCL03") || code == Code::CircularReference,
            Code::ValueNotListed => code == Code::IgnoredKey,
            Code::TypeNotAssignable => {
                matches!(code, Code::TypeNotAssignable | Code::IgnoredKey)
            }
            _ => false,
        }
    }

    /// The tree of the file that this diagnostic is about.
    fn own_tree(&self) -> Option<SyntaxTree> {
        let file = self.diagnostic.primary.file.0 as usize;
        let (_, text) = self.program.files.get(file)?;
        Some(parse(text.as_str()))
    }

    /// The item of a file that this diagnostic is in.
    fn own_item<'t>(&self, tree: &'t SyntaxTree) -> Option<Item<'t>> {
        let place = self.diagnostic.primary.range.start();
        let mut items = tree.file().body().items();
        items.find(|item| item.syntax().range().contains(place))
    }

    /// Returns true if this diagnostic is about a block that names a package, or is meant to.
    fn is_in_package_block(&self) -> bool {
        self.own_tree().is_some_and(|tree| {
            let item = self.own_item(&tree).map(Item::syntax);
            let keyword = item.and_then(|item| item.tokens().find(|it| !it.kind().is_trivia()));
            keyword.is_some_and(|word| {
                suggest(word.text(), ["package"]).is_some() || word.text() == "package"
            })
        })
    }

    /// Returns true if steps follow the name that this diagnostic is about, or if it is that of a
    /// collection whose elements a loop has.
    fn has_steps(&self) -> bool {
        let own = self.diagnostic.primary;
        let Some((_, text)) = self.program.files.get(own.file.0 as usize) else { return false };
        let place = own.range.to_usize();
        let before = text.get(..place.start).unwrap_or_default();
        let after = text.get(place.end..).unwrap_or_default();
        after.starts_with(['.', '[']) || before.ends_with(" in ")
    }

    /// Returns true if a diagnostic is about a value that depends on the one with this mistake: it
    /// is in another item, or in the block whose label names an unknown type.
    fn is_elsewhere(&self, diagnostic: &Diagnostic, position: Position) -> bool {
        let own = self.diagnostic.primary;
        let Position::Kept(offset) = position else { return false };
        if diagnostic.primary.file != own.file {
            return true;
        }
        self.own_tree().is_some_and(|tree| {
            self.own_item(&tree).is_some_and(|item| {
                let is_label = match item {
                    Item::Block(block) => block
                        .body()
                        .is_none_or(|body| own.range.end() <= body.syntax().range().start()),
                    _ => false,
                };
                is_label || !item.syntax().range().contains(offset)
            })
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
    pub(super) fn is_in_new_attribute(
        &self,
        diagnostic: &Diagnostic,
        after: &Program,
        edits: &[Edits],
    ) -> bool {
        let Some((text, edits)) = edited(diagnostic, after, edits) else { return false };
        let tree = parse(text);
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
    pub(super) fn comes_into_effect(&self, diagnostic: &Diagnostic) -> bool {
        match diagnostic.code {
            Code::TooNewForPulumi | Code::RemovedFromPulumi | Code::ChangedInPulumi => true,
            Code::UnusedIgnore | Code::InvalidIgnore => {
                matches!(self.diagnostic.code, Code::InvalidIgnore | Code::ForeignComment)
            }
            _ => false,
        }
    }

    /// Returns true if a syntax error is one that was shown at another place, or another diagnostic
    /// is one that was shown in the text that the fix moves.
    pub(super) fn has_moved(
        &self,
        diagnostic: &Diagnostic,
        position: Position,
        checked: &Checked,
    ) -> bool {
        let same = |of: &Checked| {
            let of = of.diagnostics.iter();
            of.filter(|d| d.code == diagnostic.code && d.message == diagnostic.message).count()
        };
        if !diagnostic.code.is_syntax() {
            // A text that is written twice has its diagnostics twice.
            let is_copied = matches!(position, Position::Edit(_)) && same(self.before) > 0;
            return is_copied || self.fix.edits.len() > 1 && same(checked) <= same(self.before);
        }
        // The same mistake once more is in text that was skipped behind the first one.
        if diagnostic.code == self.diagnostic.code
            && matches!(position, Position::Kept(at) if at > self.diagnostic.primary.range.start())
        {
            return true;
        }
        let count =
            |of: &Checked| of.diagnostics.iter().filter(|d| d.code == diagnostic.code).count();
        let own = usize::from(self.diagnostic.code == diagnostic.code);
        count(checked) + own <= count(self.before)
    }
}

/// The text after the fix of the file that a diagnostic is in, with the edits of that file.
fn edited<'a>(
    diagnostic: &Diagnostic,
    after: &'a Program,
    edits: &'a [Edits],
) -> Option<(&'a str, &'a Edits)> {
    let file = diagnostic.primary.file.0 as usize;
    let (_, text) = after.files.get(file)?;
    Some((text, edits.get(file)?))
}
