//! Templates.

use pcl_diagnostics::{Code, TextRange, suggest};

use super::draft::{Draft, excerpt};
use super::site::Site;
use super::unclosed;
use crate::kind::SyntaxKind;

pub(super) fn draft(c: &Site<'_>) -> Option<Draft> {
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
        Code::InterpColon => expected("the end of the interpolation")
            .help("an interpolation contains one expression and no format"),
        Code::InterpExtra => expected("the end of the interpolation")
            .help("an interpolation contains one expression"),
        Code::CtrlMissingKeyword => expected("`if` or `for`")
            .help("`%{` starts a directive; to write it as text, double the sign: `%%{`"),
        Code::CtrlUnknownKeyword if written.starts_with("end") => unknown_end(c),
        Code::CtrlUnknownKeyword => {
            let draft = Draft::new(format!("there is no directive {}", excerpt(written)))
                .related("it starts here");
            match suggest(written, ["if", "for", "else", "endif", "endfor"]) {
                Some(word) => draft.help(format!("did you mean `{word}`?")).fix(c.likely(
                    format!("write `{word}`"),
                    range,
                    word,
                )),
                None => draft.help("directives are `if`, `else`, `endif`, `for` and `endfor`"),
            }
        }
        Code::CtrlForMissingVar => expected("a variable after `for`").help(FOR),
        Code::CtrlForMissingValueVar => expected("a second variable after the comma").help(FOR),
        Code::CtrlForMissingIn => expected("`in`").help(FOR),
        Code::CtrlExtra => {
            expected("the end of the directive").help("close it with `}` before this")
        }
        Code::TmplIfUnclosed => unclosed_directive(c, "if", "%{ endif }"),
        Code::TmplForUnclosed => unclosed_directive(c, "for", "%{ endfor }"),
        Code::TmplUnexpectedDirective => Draft::new(format!(
            "{} has no directive that it belongs to",
            excerpt(written)
        ))
        .help("remove it, or add the `if` or `for` that it ends")
        .fix(c.likely("remove it", range, "")),
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

/// A word that was read as the end of the directive at the second place, or, outside of one, as
/// nothing.
fn unknown_end(c: &Site<'_>) -> Draft {
    let draft = Draft::new(format!("there is no directive {}", excerpt(c.written())));
    let Some(from) = c.error.related() else {
        return draft;
    };
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
    draft
        .related("this directive is still open")
        .help(format!("write `{end}`"))
        .fix(c.likely(format!("write `{end}`"), c.error.range(), end))
}

const FOR: &str = "write `%{ for value in list }` or `%{ for key, value in map }`";

/// A fix that replaces one word in the place to blame.
fn word(c: &Site<'_>, from: &str, to: &str) -> Option<pcl_diagnostics::Fix> {
    let start = c.error.range().start() + c.written().find(from)? as u32;
    let range = TextRange::new(start, start + from.len() as u32);
    Some(c.likely(format!("write `{to}`"), range, to))
}

fn unclosed_heredoc(c: &Site<'_>) -> Draft {
    let introducer = c.written();
    let marker = introducer.trim_start_matches(['<', '-']).trim_end();
    let draft = Draft::new("this heredoc is not closed")
        .help(format!("add a line that contains only `{marker}`"));
    let end = c.tree.text().len() as u32;
    let draft = draft.fix(closing_line(c, marker));
    if c.error.related().is_none_or(|place| place.end() >= end) {
        return draft;
    }
    // It was ended where an item seems to follow; what counts is that its marker never comes.
    draft.label(
        TextRange::empty(end),
        "no line up to here contains only its marker",
    )
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
    Some(c.likely(
        title,
        TextRange::empty(start),
        format!("{indent}{marker}\n"),
    ))
}

fn unclosed_directive(c: &Site<'_>, what: &str, end: &'static str) -> Draft {
    let place = c.error.related().unwrap_or(c.error.range());
    let draft = Draft::new(format!("this `{what}` is not closed")).help(format!("add `{end}`"));
    let closes_quote = c.next_token(place.start()).1 == SyntaxKind::QuoteClose;
    let at = TextRange::empty(place.start());
    draft.fix(closes_quote.then(|| c.likely(format!("add `{end}`"), at, end)))
}
