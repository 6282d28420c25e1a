//! Recovery: passing over what cannot be understood.

use super::Parser;
use crate::kind::SyntaxKind;

impl Parser<'_> {
    /// Takes tokens up to one of kind `stop`, a line ending that means something, or a closer that
    /// something open waits for, all of them outside the brackets that are taken. Gives whether any
    /// token was taken.
    pub(crate) fn skip_to(&mut self, stop: impl Fn(SyntaxKind) -> bool) -> bool {
        use SyntaxKind as K;
        let from = self.behind();
        // Kinds of the brackets that were taken and are open.
        let mut open: Vec<SyntaxKind> = Vec::new();
        let newlines = self.set_newlines(true);
        loop {
            let kind = self.kind();
            match kind {
                K::EndOfFile => break,
                _ if kind.is_opener() && (!open.is_empty() || !stop(kind)) => {
                    open.push(kind);
                    self.push_opener();
                }
                K::Newline => match open.last() {
                    Some(K::QuoteOpen) => {
                        open.pop();
                        self.pop_opener();
                        continue;
                    }
                    None if newlines || stop(kind) => break,
                    _ => {}
                },
                _ if kind.is_closer() => match open.pop() {
                    Some(_) => self.pop_opener(),
                    None if stop(kind) || self.is_awaited(kind) => break,
                    None => {}
                },
                kind if open.is_empty() && stop(kind) => break,
                _ => {}
            }
            self.bump();
        }
        for _ in open {
            self.pop_opener();
        }
        self.set_newlines(newlines);
        // An end that only what was taken waited for is none any more.
        let behind = self.behind();
        self.seek(behind);
        behind > from
    }

    /// Takes the rest of the line.
    pub(crate) fn skip_line(&mut self) -> bool {
        self.skip_to(|_| false)
    }
}
