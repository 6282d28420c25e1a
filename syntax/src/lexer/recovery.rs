//! The ends of brackets that have no closer, judged by indentation.
//!
//! This is for texts whose brackets are known not to match. The lexer then keeps a stack of what is
//! open, with the indentation of the line on which it was opened, and reads two signs:
//! - A line that looks like an item (`name =`, `type "label" {`) ends every bracket that was opened
//!   on a line with the same or more indentation. In a text without indentation it ends those that
//!   cannot hold such an item.
//! - A closer ends every bracket above the one it belongs to; and one that begins a line belongs to
//!   a bracket whose line has the same indentation, be it of another kind.
//!
//! The parser receives these ends as [`VirtualEnd`]s, and sees the end of the file there. It also
//! receives the closers that are of the wrong kind, or close nothing.
//!
//! The rules, with examples: `tests/spec/syntax/recovery.md`.

use super::heredoc::line_at;
use super::{Lexer, Mode, ident, text_from};
use crate::kind::SyntaxKind;

/// Before `token`, every bracket and template opened at or after `opener` ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VirtualEnd {
    pub(crate) token: u32,
    pub(crate) opener: u32,
}

/// The advice of the second pass to the parser.
#[derive(Clone, Default, Debug)]
pub(crate) struct Repairs {
    /// The places where brackets end without a closer, by token.
    pub(crate) ends: Vec<VirtualEnd>,
    /// Closers of the wrong kind: each closes the innermost bracket all the same.
    pub(crate) wrong_closers: Vec<u32>,
    /// Closers that close nothing.
    pub(crate) stray_closers: Vec<u32>,
}

/// The number of openers among which a closer looks for one of its own indentation.
const REACH: usize = 64;

/// An open bracket, interpolation or directive.
#[derive(Clone, Copy, Debug)]
struct Opener {
    token: u32,
    kind: SyntaxKind,
    /// Its line, and the indentation of that line.
    line: usize,
    indent: usize,
    /// Modes below it, and the open braces of the uppermost one.
    modes: usize,
    depth: u32,
    /// Tells whether it is the `{` of a block, and of one with labels.
    is_block: bool,
    is_labelled: bool,
}

/// The state of the second pass.
pub(super) struct Recovery<'s> {
    source: &'s str,
    openers: Vec<Opener>,
    repairs: Repairs,
    /// The start of the current line, and its indentation.
    line_start: usize,
    indent: usize,
    /// The indentation of the last line before that is not blank.
    last_indent: usize,
    /// Tells whether the text is laid out without indentation, so that it says nothing.
    is_flat: bool,
}

impl<'s> Recovery<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            openers: Vec::new(),
            repairs: Repairs::default(),
            line_start: 0,
            indent: indent_of(source),
            last_indent: 0,
            is_flat: is_flat(source),
        }
    }

    pub(super) fn into_repairs(self) -> Repairs {
        self.repairs
    }

    /// Forgets what was opened at or after `token`, and the ends found there.
    pub(super) fn forget_from(&mut self, token: u32) {
        let kept = self.openers.partition_point(|opener| opener.token < token);
        self.openers.truncate(kept);
        let Repairs { ends, wrong_closers, stray_closers } = &mut self.repairs;
        ends.truncate(ends.partition_point(|end| end.token < token));
        for closers in [wrong_closers, stray_closers] {
            closers.truncate(closers.partition_point(|&closer| closer < token));
        }
    }

    /// A heredoc begins with the line at `at`. Gives the indentation of its introducer's line, when
    /// no line below closes it.
    pub(super) fn enter_heredoc(&mut self, at: usize, is_closed: bool) -> Option<usize> {
        let indent = self.indent;
        // The line of the introducer is behind us.
        self.begin_line(at);
        (!is_closed).then_some(indent)
    }

    /// A line begins at `at`.
    pub(super) fn begin_line(&mut self, at: usize) {
        self.line_start = at;
        self.indent = indent_of(text_from(self.source, at));
    }
}

impl Lexer<'_> {
    /// Notes a token of code that opens or closes something, before it is pushed. A closer has
    /// already left its mode.
    pub(super) fn watch(&mut self, kind: SyntaxKind, start: usize) {
        use SyntaxKind as K;
        let token = self.next_token();
        let (modes, depth) = (self.modes.len(), self.depth());
        let words = if kind == K::LBrace { self.header_words() } else { 0 };
        let Some(recovery) = &mut self.recovery else { return };
        let indent = recovery.indent;
        match kind {
            K::LParen | K::LBracket | K::LBrace | K::InterpolationOpen | K::ControlOpen => {
                recovery.openers.push(Opener {
                    token,
                    kind,
                    line: recovery.line_start,
                    indent,
                    modes,
                    // The brace itself was counted before.
                    depth: depth.saturating_sub(u32::from(kind == K::LBrace)),
                    is_block: words > 0,
                    is_labelled: words > 1,
                });
            }
            K::RParen | K::RBracket | K::RBrace | K::SequenceClose => {
                let begins_line = start == recovery.line_start + indent;
                let indent = begins_line.then_some(indent);
                match recovery.close(kind, token, indent, self.at) {
                    Closing::Right => {}
                    Closing::Wrong => recovery.repairs.wrong_closers.push(token),
                    Closing::Stray => recovery.repairs.stray_closers.push(token),
                }
            }
            K::Newline => {
                if recovery.line_start + indent < start {
                    recovery.last_indent = indent;
                }
                recovery.begin_line(self.at);
            }
            K::BlockComment => {
                let text = recovery.source.get(start..self.at);
                if let Some(last) = text.and_then(|text| text.rfind('\n')) {
                    recovery.begin_line(start + last + 1);
                }
            }
            _ => {}
        }
    }

    /// Looks at the line that follows a line ending in code: it may end what is open.
    pub(super) fn after_newline(&mut self) {
        let at = self.at;
        let mut token = self.next_token();
        if self.close_heredoc_around(at, token) {
            return;
        }
        let Some(recovery) = &mut self.recovery else { return };
        let Some(Item { indent, kind }) = item_at(text_from(recovery.source, at)) else { return };
        // The lowest of the brackets on top of the stack that this line ends.
        let ends = |opener: &&Opener| match kind {
            _ if !recovery.is_flat => opener.indent >= indent,
            // An object holds it, and so does a block.
            ItemKind::Attribute => opener.kind != SyntaxKind::LBrace,
            // A block with labels holds one without.
            ItemKind::Block => !opener.is_labelled,
            ItemKind::LabelledBlock => true,
        };
        let ended = recovery.openers.iter().rev().take_while(ends);
        let Some((above, &opener)) = ended.enumerate().last() else { return };
        recovery.drop_above(above);
        self.modes.truncate(opener.modes);
        if let Some(Mode::Expression { depth }) = self.modes.last_mut() {
            *depth = opener.depth;
        }
        let mut first = opener.token;
        // A quoted template cannot go on in the next line.
        while let Some(&Mode::Quoted { token }) = self.modes.last() {
            first = token;
            self.modes.pop();
        }
        let in_code = matches!(self.modes.last(), None | Some(Mode::Expression { .. }));
        if in_code && indent > 0 {
            token += 1;
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.end(token, first);
        }
    }

    /// Ends everything that is open in the code if the line at `at` closes a heredoc around it.
    fn close_heredoc_around(&mut self, at: usize, token: u32) -> bool {
        let found = self.modes.iter().rev().take(REACH).enumerate();
        let found = found.filter_map(|(above, mode)| match mode {
            Mode::Heredoc(heredoc) => Some((above, *heredoc)),
            _ => None,
        });
        let Some((above, heredoc)) = found.take(1).next() else { return false };
        if above == 0 || self.closing_line(heredoc, at).is_none() {
            return false;
        }
        let modes = self.modes.len() - above;
        self.modes.truncate(modes);
        if let Some(Mode::Heredoc(heredoc)) = self.modes.last_mut() {
            heredoc.at_line_start = true;
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.forget_from(heredoc.token);
            recovery.end(token, heredoc.token + 1);
        }
        true
    }

    /// The number of braces that are open in the uppermost mode.
    fn depth(&self) -> u32 {
        match self.modes.last() {
            Some(Mode::Expression { depth }) => *depth,
            _ => 0,
        }
    }

    /// The number of words and strings in this line so far, if there is nothing else in it: the
    /// header of a block.
    fn header_words(&self) -> usize {
        use SyntaxKind as K;
        let line = self.tokens.kinds.iter().rev().take_while(|kind| **kind != K::Newline);
        let words = line.map(|kind| match kind {
            K::Ident | K::QuoteOpen => Some(1),
            K::Whitespace | K::QuoteClose | K::Text => Some(0),
            _ => None,
        });
        words.sum::<Option<usize>>().unwrap_or_default()
    }
}

/// The effect of a closer.
enum Closing {
    /// It closes a bracket of its kind.
    Right,
    /// It closes the innermost bracket, which is of another kind.
    Wrong,
    /// It closes nothing.
    Stray,
}

impl Recovery<'_> {
    /// Finds the opener for a closer; the openers above it end before the closer. `indent` is given
    /// for a closer that begins its line; `end` is where it ends.
    fn close(
        &mut self,
        closer: SyntaxKind,
        token: u32,
        indent: Option<usize>,
        end: usize,
    ) -> Closing {
        let Some(&top) = self.openers.last() else { return Closing::Stray };
        match indent {
            Some(indent) => self.close_at_line_start(top, closer, token, indent, end),
            None => self.close_in_line(top, closer, token, end),
        }
    }

    /// The openers from the innermost on, as far as a closer reaches: not outside the interpolation
    /// that contains it.
    fn reachable(&self) -> impl Iterator<Item = &Opener> + Clone {
        let near = self.openers.iter().rev().take(REACH);
        near.scan(false, |left, opener| {
            let reached = !*left;
            *left = matches!(opener.kind, SyntaxKind::InterpolationOpen | SyntaxKind::ControlOpen);
            reached.then_some(opener)
        })
    }

    fn close_at_line_start(
        &mut self,
        top: Opener,
        closer: SyntaxKind,
        token: u32,
        indent: usize,
        end: usize,
    ) -> Closing {
        let deeper = self.reachable().take_while(|opener| opener.indent > indent).count();
        let same = self.reachable().skip(deeper).take_while(|opener| opener.indent == indent);
        let right = same.clone().position(|opener| closes(opener.kind, closer));
        let any = same.count() > 0;
        if let Some(right) = right {
            return self.close_above(deeper + right, token, Closing::Right);
        }
        if any {
            let wrong = self.openers.iter().nth_back(deeper);
            let rest = text_from(self.source, end);
            if wrong.is_some_and(|wrong| closes_later(rest, wrong.kind)) {
                return Closing::Stray;
            }
            return self.close_above(deeper, token, Closing::Wrong);
        }
        // No bracket was opened on a line with this indentation: either the text is laid out in
        // another way, or the opener was lost.
        let follows = text_from(self.source, end).trim_start_matches([' ', '\t']);
        let alone = follows.is_empty() || follows.starts_with(['\n', '\r', ',', ')', ']', '}']);
        let lost = deeper == 0 && indent < self.last_indent;
        if closes(top.kind, closer) && alone && !lost {
            return self.close_above(0, token, Closing::Right);
        }
        Closing::Stray
    }

    fn close_in_line(
        &mut self,
        top: Opener,
        closer: SyntaxKind,
        token: u32,
        end: usize,
    ) -> Closing {
        let right = self.reachable().position(|opener| closes(opener.kind, closer));
        match right {
            Some(0) => self.close_above(0, token, Closing::Right),
            _ if closes_later(text_from(self.source, end), top.kind) => Closing::Stray,
            Some(right) => match self.openers.iter().nth_back(right) {
                // A block is not closed from within the line of something else.
                Some(opener) if opener.is_block && opener.line != self.line_start => Closing::Stray,
                _ => self.close_above(right, token, Closing::Right),
            },
            None if top.line == self.line_start && !top.is_block => {
                self.close_above(0, token, Closing::Wrong)
            }
            None => Closing::Stray,
        }
    }

    /// Closes the opener below `above` others, which end before `token`.
    fn close_above(&mut self, above: usize, token: u32, closing: Closing) -> Closing {
        let lowest = above.checked_sub(1);
        if let Some(unclosed) = lowest.and_then(|nth| self.openers.iter().nth_back(nth)) {
            let opener = unclosed.token;
            self.end(token, opener);
        }
        self.drop_above(above);
        closing
    }

    /// Forgets the opener below `above` others, and these.
    fn drop_above(&mut self, above: usize) {
        let kept = self.openers.len().saturating_sub(above + 1);
        self.openers.truncate(kept);
    }

    fn end(&mut self, token: u32, opener: u32) {
        match self.repairs.ends.last_mut() {
            Some(last) if last.token == token => last.opener = last.opener.min(opener),
            _ => self.repairs.ends.push(VirtualEnd { token, opener }),
        }
    }
}

/// Returns whether `closer` closes `opener`.
pub fn closes(opener: SyntaxKind, closer: SyntaxKind) -> bool {
    use SyntaxKind as K;
    matches!(
        (opener, closer),
        (K::LParen, K::RParen)
            | (K::LBracket, K::RBracket)
            | (K::LBrace, K::RBrace)
            | (K::InterpolationOpen | K::ControlOpen, K::SequenceClose)
            | (K::QuoteOpen, K::QuoteClose)
            | (K::HeredocOpen, K::HeredocClose)
    )
}

/// The number of blanks and tabs that `text` begins with.
pub(crate) fn indent_of(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// The distance within which a closer is searched, in bytes.
const SIGHT: usize = 200;

/// Returns whether the closer of `opener` follows soon on the rest of a line, outside other
/// brackets and strings, or as the first thing after it.
fn closes_later(rest: &str, opener: SyntaxKind) -> bool {
    let closer = match opener {
        SyntaxKind::LParen => b')',
        SyntaxKind::LBracket => b']',
        _ => b'}',
    };
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut nothing = true;
    for byte in rest.bytes().take(SIGHT) {
        match byte {
            b' ' | b'\t' | b'\r' => continue,
            b'\n' if nothing => continue,
            b'\n' => return false,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' => depth += 1,
            _ if byte == closer && depth == 0 => return true,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        nothing = false;
    }
    false
}

/// A line that looks like an item.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) indent: usize,
    kind: ItemKind,
}

/// The form of a line.
#[derive(Clone, Copy)]
enum ItemKind {
    Attribute,
    /// A header that is a word and a brace.
    Block,
    LabelledBlock,
}

/// Returns whether the line at the start of `text` looks like an attribute or the header of a
/// block.
pub fn is_item(text: &str) -> bool {
    item_at(text).is_some()
}

/// The line at the start of `text`, if it looks like an attribute or the header of a block.
pub(super) fn item_at(text: &str) -> Option<Item> {
    let line = line_at(text, 0);
    let indent = indent_of(line);
    let mut rest = text_from(line, indent);
    if !rest.starts_with(ident::is_start) {
        return None;
    }
    let mut kind = ItemKind::Block;
    loop {
        rest = rest.trim_start_matches(ident::is_continue);
        rest = rest.trim_start_matches([' ', '\t']);
        if rest.starts_with('"') || rest.starts_with(ident::is_start) {
            kind = ItemKind::LabelledBlock;
        }
        if let Some(after) = rest.strip_prefix('"') {
            // A label; what else is in the line decides.
            rest = after.split_once('"')?.1;
            continue;
        }
        if rest.starts_with('{') {
            return Some(Item { indent, kind });
        }
        if let Some(after) = rest.strip_prefix('=') {
            let kind = ItemKind::Attribute;
            return (!after.starts_with(['=', '>'])).then_some(Item { indent, kind });
        }
        if !rest.starts_with(ident::is_start) {
            return None;
        }
    }
}

/// Returns whether more of the lines after an opening bracket are not indented than are.
fn is_flat(source: &str) -> bool {
    let mut opened = None;
    let (mut flat, mut indented) = (0_u32, 0_u32);
    for line in source.lines() {
        let indent = indent_of(line);
        let text = text_from(line, indent).trim_end();
        if text.is_empty() {
            continue;
        }
        if let Some(opened) = opened
            && !text.starts_with([')', ']', '}'])
        {
            *(if indent > opened { &mut indented } else { &mut flat }) += 1;
        }
        opened = text.ends_with(['(', '[', '{']).then_some(indent);
    }
    flat > indented
}

/// Returns whether every bracket, template and heredoc of `kinds` has its closer. A quoted template
/// that ends at the end of its line is left to the parser.
pub(crate) fn is_balanced(kinds: &[SyntaxKind]) -> bool {
    use SyntaxKind as K;
    let mut open: Vec<SyntaxKind> = Vec::new();
    for &kind in kinds {
        match kind {
            K::Newline if open.last() == Some(&K::QuoteOpen) => {
                open.pop();
            }
            K::QuoteClose => {
                // What is open inside ends with the template.
                while open.pop().is_some_and(|opener| opener != K::QuoteOpen) {}
            }
            _ if kind.is_opener() => open.push(kind),
            _ if kind.is_closer() => match open.pop() {
                Some(opener) if closes(opener, kind) => {}
                _ => return false,
            },
            _ => {}
        }
    }
    open.is_empty()
}
