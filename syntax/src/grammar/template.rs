//! Templates: quoted, and heredocs.
//!
//! The rules, with examples: `tests/spec/syntax/template.md` and `tests/spec/syntax/heredoc.md`.

use pcl_diagnostics::{Code, TextRange, suggest};

use crate::error::SyntaxError;
use crate::grammar::expression::{expression, too_deep};
use crate::grammar::for_expr::{Head, for_head};
use crate::kind::{SyntaxKind, SyntaxKind as K};
use crate::messages::site::{Draft, Site, excerpt, unclosed};
use crate::parser::{Marker, Parser};

/// `Template = '"' { part } '"'`
pub(super) fn template(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(true);
    let directives = std::mem::take(&mut p.context.directives);
    parts(p, false);
    p.context.directives = directives;
    if !p.at(K::QuoteClose) {
        let code = match p.kind() {
            K::EndOfFile => Code::TmplUnterminated,
            _ => Code::LexNewlineInQuoted,
        };
        p.unexpected(code, Some(p.range_of(opened.token)));
    }
    p.close(opened, K::QuoteClose);
    p.finish(marker, K::Template);
}

/// `Heredoc = HeredocOpen { part } HeredocClose`
pub(super) fn heredoc(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(true);
    let directives = std::mem::take(&mut p.context.directives);
    parts(p, false);
    // An interpolation that the closing line ended has left its line ending.
    if p.at(K::Newline) && p.next_kind() == K::HeredocClose {
        p.bump();
    }
    p.context.directives = directives;
    if !p.at(K::HeredocClose) {
        p.unclosed(Code::TmplUnterminated, opened.token);
    }
    p.close(opened, K::HeredocClose);
    p.finish(marker, K::Heredoc);
}

/// `{ Text | Interpolation | IfDirective | ForDirective }`; in a directive up to the one that ends
/// or divides it.
fn parts(p: &mut Parser<'_>, in_directive: bool) {
    loop {
        match p.kind() {
            K::Text | K::BadCharacter => p.bump(),
            K::InterpolationOpen => interpolation(p),
            K::ControlOpen => match keyword(p) {
                "if" => if_directive(p),
                "for" => for_directive(p),
                "else" | "endif" | "endfor" if in_directive => return,
                word if in_directive && word.starts_with("end") => return,
                word => bogus_directive(p, word),
            },
            _ => return,
        }
    }
}

/// `Interpolation = '${' Expr '}'`
fn interpolation(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(false);
    if !p.at(K::EndOfFile) {
        expression(p);
    }
    match p.kind() {
        K::SequenceClose => {}
        K::EndOfFile => p.unclosed(Code::InterpUnclosedEof, opened.token),
        K::QuoteClose => p.unclosed(Code::InterpUnclosedQuote, opened.token),
        kind => {
            let code = match kind {
                K::Colon => Code::InterpColon,
                _ => Code::InterpExtra,
            };
            p.unexpected(code, Some(p.range_of(opened.token)));
            p.skip_to(|kind| matches!(kind, K::SequenceClose | K::QuoteClose));
        }
    }
    p.close(opened, K::SequenceClose);
    p.finish(marker, K::Interpolation);
}

/// The word that a directive begins with; empty when there is none.
fn keyword<'s>(p: &Parser<'s>) -> &'s str {
    match p.peek_from(p.token() + 1, false) {
        (token, K::Ident) => p.text_of(token),
        _ => "",
    }
}

/// `IfDirective = IfHead parts [ ElseHead parts ] EndHead`
fn if_directive(p: &mut Parser<'_>) {
    if !p.enter() {
        return flat_directive(p);
    }
    let marker = p.start();
    head(p, K::IfHead);
    p.context.directives.push(false);
    let mut divided = false;
    loop {
        parts(p, true);
        match keyword_at(p) {
            Some("else") if !divided => {
                divided = true;
                head(p, K::ElseHead);
            }
            Some("else") => {
                let at = p.here();
                head(p, K::BogusDirective);
                blame_directive(p, at, Code::TmplElseDup, marker);
            }
            Some("endif") => {
                head(p, K::EndHead);
                break;
            }
            Some("endfor") => {
                wrong_end(p, marker, Code::TmplIfWrongEnd, true);
                break;
            }
            Some(_) => {
                unknown_end(p, marker);
                break;
            }
            _ => {
                unclosed_directive(p, marker, Code::TmplIfUnclosed);
                break;
            }
        }
    }
    p.context.directives.pop();
    p.finish(marker, K::IfDirective);
    p.leave();
}

/// `ForDirective = ForHead parts EndHead`
fn for_directive(p: &mut Parser<'_>) {
    if !p.enter() {
        return flat_directive(p);
    }
    let marker = p.start();
    head(p, K::ForHead);
    p.context.directives.push(true);
    loop {
        parts(p, true);
        match keyword_at(p) {
            Some("else") => {
                let at = p.here();
                head(p, K::BogusDirective);
                blame_directive(p, at, Code::TmplForElse, marker);
            }
            Some("endfor") => {
                head(p, K::EndHead);
                break;
            }
            Some("endif") => {
                wrong_end(p, marker, Code::TmplForWrongEnd, false);
                break;
            }
            Some(_) => {
                unknown_end(p, marker);
                break;
            }
            _ => {
                unclosed_directive(p, marker, Code::TmplForUnclosed);
                break;
            }
        }
    }
    p.context.directives.pop();
    p.finish(marker, K::ForDirective);
    p.leave();
}

/// The keyword of the directive that is here, if there is one.
fn keyword_at<'s>(p: &Parser<'s>) -> Option<&'s str> {
    p.at(K::ControlOpen).then(|| keyword(p))
}

/// The end of the other construct. When that is open around this one, it is left to it; else it is
/// taken as the end of this.
fn wrong_end(p: &mut Parser<'_>, marker: Marker, code: Code, is_for: bool) {
    let at = p.here();
    let is_around = match p.context.directives.split_last() {
        Some((_, around)) => around.contains(&is_for),
        None => false,
    };
    if is_around {
        let from = p.range_of(marker.token());
        return p.unexpected(code, Some(from));
    }
    head(p, K::EndHead);
    blame_directive(p, at, code, marker);
}

/// `%{ end }`, or another word that is likely to be meant as the end of the directive that began at
/// `marker`.
fn unknown_end(p: &mut Parser<'_>, marker: Marker) {
    let (word, _) = p.peek_from(p.token() + 1, false);
    let word = p.range_of(word);
    head(p, K::EndHead);
    let from = p.range_of(marker.token());
    p.report(SyntaxError::new(Code::CtrlUnknownKeyword, word).with_related(from));
    p.forgive();
}

/// Reports the directive that was just taken, from `at` on; `opener` is the construct around it.
fn blame_directive(p: &mut Parser<'_>, at: Marker, code: Code, opener: Marker) {
    let range = p.range_of(at.token()).cover(p.range_of(p.behind() - 1));
    let from = p.range_of(opener.token());
    p.report(SyntaxError::new(code, range).with_related(from));
    p.forgive();
}

/// The template ends within a directive.
fn unclosed_directive(p: &mut Parser<'_>, marker: Marker, code: Code) {
    if matches!(p.kind(), K::QuoteClose | K::HeredocClose) {
        p.unclosed(code, marker.token());
    } else {
        // The template itself is unclosed, which is the cause.
        p.damage();
    }
}

/// `%{`, the words of a directive, and `}`.
fn head(p: &mut Parser<'_>, kind: K) {
    let marker = p.start();
    let opened = p.open(false);
    let open = p.range_of(opened.token);
    p.bump();
    let whole = match kind {
        K::IfHead => {
            expression(p);
            true
        }
        K::ForHead => for_head(
            p,
            &Head {
                variable: Code::CtrlForMissingVar,
                second: Code::CtrlForMissingValueVar,
                keyword: Code::CtrlForMissingIn,
            },
            opened.token,
        ),
        K::BogusDirective => {
            // The caller reports its error.
            p.damage();
            true
        }
        _ => true,
    };
    if !p.at(K::SequenceClose) {
        if whole {
            p.unexpected(Code::CtrlExtra, Some(open));
        }
        p.skip_to(|kind| matches!(kind, K::SequenceClose | K::QuoteClose));
    }
    p.close(opened, K::SequenceClose);
    p.finish(marker, kind);
}

/// A directive that is none, or ends what is not open.
fn bogus_directive(p: &mut Parser<'_>, word: &str) {
    let marker = p.start();
    let opened = p.open(false);
    let open = p.range_of(opened.token);
    let known = matches!(word, "else" | "endif" | "endfor");
    if word.is_empty() {
        p.unexpected(Code::CtrlMissingKeyword, Some(open));
    } else if !known {
        p.unexpected(Code::CtrlUnknownKeyword, Some(open));
    }
    p.damage();
    p.skip_to(|kind| matches!(kind, K::SequenceClose | K::QuoteClose));
    p.close(opened, K::SequenceClose);
    if known && !p.context.is_too_deep {
        let range = open.cover(p.range_of(p.behind() - 1));
        p.report_at(Code::TmplUnexpectedDirective, range);
        p.forgive();
    }
    p.finish(marker, K::BogusDirective);
}

/// A directive that nests too deep: its head alone.
fn flat_directive(p: &mut Parser<'_>) {
    let marker = p.start();
    let opened = p.open(false);
    too_deep(p);
    p.close(opened, K::SequenceClose);
    p.finish(marker, K::BogusDirective);
}

/// The words for an error of these productions.
pub(crate) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    let written = c.written();
    let expected = |what: &str| {
        Draft::new(format!("expected {what}, found {}", c.found())).related("it starts here")
    };
    Some(match c.error.code() {
        Code::TmplUnterminated if c.error.is_unclosed() => unclosed_heredoc(c),
        Code::TmplUnterminated => {
            let at = TextRange::empty(range.end());
            Draft::new("this string is not closed")
                .related("the string starts here")
                .help("add `\"`")
                .fix(c.likely("add `\"`", at, "\""))
        }
        Code::InterpUnclosedEof | Code::InterpUnclosedQuote => {
            unclosed(c, "this interpolation", "}")
                .help("add `}`; to write `${` as text, double the sign: `$${`")
        }
        Code::InterpColon => as_text(c, expected("the end of the interpolation"))
            .help("an interpolation has no format; to write `${` as text, double the sign: `$${`"),
        Code::InterpExtra => expected("the end of the interpolation")
            .help("an interpolation contains one expression"),
        Code::CtrlMissingKeyword => expected("`if` or `for`")
            .help("`%{` starts a directive; to write it as text, double the sign: `%%{`"),
        Code::CtrlUnknownKeyword if written.starts_with("end") => end_of_nothing(c),
        Code::CtrlUnknownKeyword => {
            let draft = Draft::new(format!("there is no directive {}", excerpt(written)))
                .related("it starts here");
            match suggest(written, ["if", "for", "else", "endif", "endfor"]) {
                Some(word) => draft.help(format!("did you mean `{word}`?")).fix(c.likely(
                    format!("write `{word}`"),
                    range,
                    word,
                )),
                None if c.next_token(range.end()).1 == SyntaxKind::SequenceClose => {
                    value_of(c, draft)
                }
                None => draft.help("directives are `if`, `else`, `endif`, `for` and `endfor`"),
            }
        }
        Code::CtrlForMissingVar => expected("a variable after `for`").help(FOR),
        Code::CtrlForMissingValueVar => expected("a second variable after the comma").help(FOR),
        Code::CtrlForMissingIn => expected("`in`").help(FOR),
        Code::CtrlExtra => {
            expected("the end of the directive").help("close it with `}` before this")
        }
        Code::TmplIfUnclosed => without_end(c, "if", "%{ endif }"),
        Code::TmplForUnclosed => without_end(c, "for", "%{ endfor }"),
        Code::TmplUnexpectedDirective => {
            Draft::new(format!("{} has no directive that it belongs to", excerpt(written)))
                .help("remove it, or add the `if` or `for` that it ends")
                .fix(c.likely("remove it", range, ""))
        }
        Code::TmplElseDup => Draft::new("this `if` has two `else`")
            .related("the `if` starts here")
            .help("remove one of them; a second condition is an `if` inside the `else`"),
        Code::TmplIfWrongEnd => Draft::new("an `if` ends with `endif`, not `endfor`")
            .related("the `if` starts here")
            .help("write `endif`")
            .fix(word(c, "endfor", "endif")),
        Code::TmplForElse => Draft::new("a `for` directive has no `else`")
            .related("the `for` starts here")
            .help("remove it, or close the `for` before it"),
        Code::TmplForWrongEnd => Draft::new("a `for` ends with `endfor`, not `endif`")
            .related("the `for` starts here")
            .help("write `endfor`")
            .fix(word(c, "endif", "endfor")),
        _ => return None,
    })
}

/// Adds the fix that makes the sign of an interpolation text.
fn as_text(c: &Site<'_>, draft: Draft) -> Draft {
    let Some(sign) = c.error.related() else { return draft };
    draft.fix(c.likely("write it as text", TextRange::empty(sign.start()), "$"))
}

/// Adds the advice about `%{name}`, which other languages write for a value.
fn value_of(c: &Site<'_>, draft: Draft) -> Draft {
    let written = c.written();
    let draft = draft.help(format!(
        "for the value write `${{{written}}}`; to write `%{{` as text, double the sign: `%%{{`"
    ));
    let Some(sign) = c.error.related() else { return draft };
    draft.fix(c.likely("write an interpolation", sign, "${"))
}

/// A word that was read as the end of the directive at the second place, or, outside of one, as
/// nothing.
fn end_of_nothing(c: &Site<'_>) -> Draft {
    let draft = Draft::new(format!("there is no directive {}", excerpt(c.written())));
    let Some(from) = c.error.related() else { return draft };
    let (word, _) = c.next_token(from.end());
    let end = match c.text(word) {
        "if" => "endif",
        "for" => "endfor",
        _ => {
            return draft
                .related("it starts here")
                .help("directives are `if`, `else`, `endif`, `for` and `endfor`");
        }
    };
    draft.related("this directive is still open").help(format!("write `{end}`")).fix(c.likely(
        format!("write `{end}`"),
        c.error.range(),
        end,
    ))
}

const FOR: &str = "write `%{ for value in list }` or `%{ for key, value in map }`";

/// A fix that replaces one word in the place to blame.
fn word(c: &Site<'_>, from: &str, to: &str) -> Option<pcl_diagnostics::Fix> {
    let start = c.error.range().start() + c.written().find(from)? as u32;
    let range = TextRange::new(start, start + from.len() as u32);
    Some(c.likely(format!("write `{to}`"), range, to))
}

fn unclosed_heredoc(c: &Site<'_>) -> Draft {
    let marker = c.written().trim_start_matches(['<', '-']).trim_end();
    let draft = Draft::new("this heredoc is not closed")
        .help(format!("add a line that contains only `{marker}`"));
    let end = c.tree.text().len() as u32;
    let draft = draft.fix(closing_line(c, marker));
    if c.error.related().is_none_or(|place| place.end() >= end) {
        return draft;
    }
    // It was ended where an item seems to follow; what counts is that its marker never comes.
    draft.label(TextRange::empty(end), "no line up to here contains only its marker")
}

/// A fix that adds the closing line of a heredoc where an item follows it.
fn closing_line(c: &Site<'_>, marker: &str) -> Option<pcl_diagnostics::Fix> {
    let place = c.error.related()?;
    let lines = c.tree.line_index();
    let start = lines.line_start(lines.line_of(place.start()))?;
    if start <= c.error.range().end() || place.end() as usize >= c.tree.text().len() {
        return None;
    }
    let indent = c.indent_at(c.error.range().start());
    let title = format!("add `{marker}`");
    Some(c.likely(title, TextRange::empty(start), format!("{indent}{marker}\n")))
}

fn without_end(c: &Site<'_>, what: &str, end: &'static str) -> Draft {
    let place = c.error.related().unwrap_or(c.error.range());
    let draft = Draft::new(format!("this `{what}` is not closed")).help(format!("add `{end}`"));
    let closes_quote = c.next_token(place.start()).1 == SyntaxKind::QuoteClose;
    let at = TextRange::empty(place.start());
    draft.fix(closes_quote.then(|| c.likely(format!("add `{end}`"), at, end)))
}
