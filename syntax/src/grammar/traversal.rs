//! The suffixes of a term: steps, computed indexes, splats.
//!
//! The rules, with examples: `tests/spec/syntax/traversal.md`.

use pcl_diagnostics::Code;

use super::expression;
use crate::kind::SyntaxKind as K;
use crate::parser::{Marker, Parser};

/// `Postfix = Term { Step | Index | Splat }`
pub(super) fn postfix(p: &mut Parser<'_>) -> bool {
    let marker = p.here();
    if !expression::term(p) {
        return false;
    }
    steps(p, marker);
    true
}

/// `{ Step | Index | Splat }`, after the term that began at `marker`.
fn steps(p: &mut Parser<'_>, marker: Marker) {
    // Whether steps were taken that are not yet part of a traversal.
    let mut steps = false;
    loop {
        match p.kind() {
            K::Dot if p.peek(p.newlines()) == K::Star => {
                flush(p, marker, &mut steps);
                attribute_splat(p);
                p.wrap(marker, K::Splat);
            }
            K::Dot => {
                dot_step(p);
                steps = true;
            }
            // The star is checked before line endings become trivia.
            K::LBracket if p.peek(p.newlines()) == K::Star => {
                flush(p, marker, &mut steps);
                full_splat(p);
                p.wrap(marker, K::Splat);
            }
            K::LBracket if is_constant(p) => {
                let step = p.start();
                bracketed(p);
                p.finish(step, K::Step);
                steps = true;
            }
            K::LBracket => {
                flush(p, marker, &mut steps);
                bracketed(p);
                p.wrap(marker, K::Index);
            }
            _ => break,
        }
    }
    flush(p, marker, &mut steps);
    p.end_wraps(marker);
}

/// Finishes the traversal that the steps so far make.
fn flush(p: &mut Parser<'_>, marker: Marker, steps: &mut bool) {
    if std::mem::take(steps) {
        p.wrap(marker, K::Traversal);
    }
}

/// `Step = '.' Ident | '.' Number`
fn dot_step(p: &mut Parser<'_>) {
    let step = p.start();
    p.bump();
    match p.kind() {
        K::Ident => p.bump(),
        K::Number => {
            if p.text().contains('.') {
                p.unexpected(Code::LegacyIndexChained, None);
                p.forgive();
            }
            p.bump();
        }
        _ => {
            let dot = p.range_of(step.token());
            p.unexpected(Code::AttrNameRequired, Some(dot));
        }
    }
    p.finish(step, K::Step);
}

/// `'[' Expr ']'`
fn bracketed(p: &mut Parser<'_>) {
    let opened = p.open(false);
    if !p.at_end() {
        expression::expression(p);
    }
    if !p.at(K::RBracket) {
        expect_bracket(p, opened.token, Code::IndexMissingBracket);
    }
    p.close(opened, K::RBracket);
}

/// Reports that `]` is missing here, and looks for it.
fn expect_bracket(p: &mut Parser<'_>, opener: u32, code: Code) {
    if p.at_end() {
        return p.unclosed(code, opener);
    }
    let open = p.range_of(opener);
    p.unexpected(code, Some(open));
    p.skip_to(|kind| kind == K::RBracket);
}

/// `'.' '*' { '.' Ident | '.' Number }`
fn attribute_splat(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    p.bump();
    p.finish(marker, K::SplatMarker);
    while p.at(K::Dot) {
        if p.peek(p.newlines()) == K::Star {
            let nested = p.start();
            p.bump();
            p.unexpected(Code::SplatNested, None);
            p.bump();
            p.finish(nested, K::SplatMarker);
        } else {
            dot_step(p);
        }
    }
}

/// `'[' '*' ']'` and everything that follows it.
fn full_splat(p: &mut Parser<'_>) {
    full_marker(p);
    loop {
        match p.kind() {
            K::Dot if p.peek(p.newlines()) == K::Star => attribute_splat(p),
            K::Dot => dot_step(p),
            K::LBracket if p.peek(p.newlines()) == K::Star => full_marker(p),
            K::LBracket => {
                let kind = if is_constant(p) { K::Step } else { K::SplatIndex };
                let step = p.start();
                bracketed(p);
                p.finish(step, kind);
            }
            _ => return,
        }
    }
}

/// `SplatMarker = '[' '*' ']'`
fn full_marker(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(false);
    p.bump();
    if !p.at(K::RBracket) {
        expect_bracket(p, opened.token, Code::SplatMissingBracket);
    }
    p.close(opened, K::RBracket);
    p.finish(marker, K::SplatMarker);
}

/// Returns whether the bracket at the current token holds a literal, or a template that is one
/// literal, and nothing else.
fn is_constant(p: &Parser<'_>) -> bool {
    let (token, kind) = p.peek_from(p.token() + 1, false);
    let end = match kind {
        K::Number => token + 1,
        K::Ident if matches!(p.text_of(token), "true" | "false" | "null") => token + 1,
        K::QuoteOpen => match p.after_text(token + 1, K::QuoteClose) {
            Some(end) => end,
            None => return false,
        },
        K::HeredocOpen => match p.after_text(token + 1, K::HeredocClose) {
            Some(end) => end,
            None => return false,
        },
        _ => return false,
    };
    // A missing bracket does not make the key a computed one.
    !p.peek_from(end, false).1.continues_expression()
}
