//! The measures that the printer asks for: what fits on lines that are not written yet.

use super::print::{Command, Printer};
use super::{Item, Mode, Part};

impl Printer<'_> {
    /// Returns true if a space and a part that cannot break fit on the line.
    pub(super) fn fits_alone(&mut self, part: Part) -> bool {
        self.fits_before(Mode::Flat, part, 0, 1)
    }

    /// Returns true if a part and what follows it up to the next possible break fit on the line.
    pub(super) fn fits(&mut self, next: Command) -> bool {
        self.fits_before(next.mode, next.part, self.commands.len(), 0)
    }

    /// Returns true if a part fits on the line, and behind it those of the first `rest` commands,
    /// the last one first, up to the next possible break.
    pub(super) fn fits_before(
        &mut self,
        mode: Mode,
        part: Part,
        rest: usize,
        mut space: usize,
    ) -> bool {
        let Some(mut left) = self.layout.measures.width.checked_sub(self.column) else {
            return false;
        };
        let layout = self.layout;
        let mut rest = self.commands.get(..rest).unwrap_or_default().iter().rev();
        let open = &mut self.open;
        open.clear();
        open.push((mode, part));
        loop {
            let Some((mode, part)) = open.pop() else {
                match rest.next() {
                    Some(command) => open.push((command.mode, command.part)),
                    None => return true,
                }
                continue;
            };
            match layout.item(part) {
                None | Some(Item::BreakParent | Item::Suffix(_)) => {}
                Some(Item::Text { width: 0, .. }) => {}
                Some(Item::Text { width, .. }) => {
                    let taken = width as usize + std::mem::take(&mut space);
                    let Some(after) = left.checked_sub(taken) else { return false };
                    left = after;
                }
                Some(Item::Parts(parts)) => {
                    open.extend(layout.list_at(parts).iter().rev().map(|&part| (mode, part)));
                }
                Some(Item::Indent(part) | Item::IndentIfBreak { contents: part, .. }) => {
                    open.push((mode, part));
                }
                Some(Item::Group { contents, breaks }) => {
                    open.push((if breaks { Mode::Break } else { mode }, contents));
                }
                Some(Item::Choice(forms)) => {
                    let forms = layout.list_at(forms);
                    let form = match mode {
                        Mode::Break => forms.last(),
                        Mode::Flat => forms.first(),
                    };
                    open.extend(form.map(|&form| (mode, form)));
                }
                Some(Item::IfBreak { broken, flat }) => {
                    let part = if mode == Mode::Break { broken } else { flat };
                    open.push((mode, part));
                }
                Some(Item::Parenthesized { open: part, .. } | Item::Fitting(part)) => {
                    open.push((Mode::Flat, part));
                }
                Some(Item::HardLine | Item::LiteralLine) => return true,
                Some(Item::Line | Item::SoftLine | Item::LineBefore(_)) if mode == Mode::Break => {
                    return true;
                }
                Some(Item::Line | Item::LineBefore(_)) => space = 1,
                Some(Item::SoftLine) => {}
            }
        }
    }

    /// Returns true if each line of a part fits, with all that can break in it broken.
    pub(super) fn lines_fit(&self, next: Command) -> bool {
        let layout = self.layout;
        let measures = layout.measures;
        let mut column = self.column;
        let mut open = vec![next];
        while let Some(command) = open.pop() {
            let same = |part| Command { part, ..command };
            let deeper = |part| Command { indent: measures.deeper(command.indent), ..same(part) };
            match layout.item(command.part) {
                None | Some(Item::BreakParent | Item::Suffix(_)) => {}
                Some(Item::Text { width, .. }) => {
                    column += width as usize;
                    if column > measures.width {
                        return false;
                    }
                }
                Some(Item::Parts(parts)) => {
                    open.extend(layout.list_at(parts).iter().rev().map(|&part| same(part)));
                }
                Some(Item::Indent(part) | Item::IndentIfBreak { contents: part, .. }) => {
                    open.push(deeper(part));
                }
                Some(
                    Item::Group { contents: part, .. }
                    | Item::IfBreak { broken: part, .. }
                    | Item::Parenthesized { open: part, .. }
                    | Item::Fitting(part),
                ) => open.push(same(part)),
                Some(Item::Choice(forms)) => {
                    open.extend(layout.list_at(forms).last().map(|&form| same(form)));
                }
                Some(Item::LiteralLine) => column = 0,
                Some(Item::HardLine | Item::Line | Item::SoftLine | Item::LineBefore(_)) => {
                    column = command.indent;
                }
            }
        }
        true
    }
}
