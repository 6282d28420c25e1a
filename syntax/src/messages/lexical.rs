//! Characters, numbers, escapes.

use pcl_diagnostics::{Code, Fix, TextRange};

use crate::kind::SyntaxKind;
use crate::messages::header;
use crate::messages::site::{Draft, Site, excerpt, visible};
use crate::quote::{Escape, read_escape};
use crate::swallowing::swallowed;

pub(super) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    let written = c.written();
    Some(match c.error.code() {
        Code::FileTooLarge => Draft::new("this file is larger than 4 GiB").help("split it"),
        Code::LexInvalidChar => invalid_character(c),
        Code::LexBadUtf8 => {
            Draft::new("these bytes are not UTF-8").help("save the file with the encoding UTF-8")
        }
        Code::LexBitwiseOp => {
            let draft = Draft::new(format!("there is no operator {}", excerpt(written)));
            let (help, instead) = match written {
                "&" => ("write `&&` for a logical and", "&&"),
                "|" => ("write `||` for a logical or", "||"),
                "~" => ("write `!` for a logical not", "!"),
                _ => return Some(draft.help("PCL has no bitwise operators")),
            };
            let title = format!("write `{instead}`");
            draft.help(help).fix(c.likely(title, range, instead))
        }
        Code::LexBacktick => foreign_quote(c, "a string is not written in backticks"),
        Code::LexSingleQuote => foreign_quote(c, "a string is not written in single quotes"),
        Code::LexCurlyQuote => foreign_quote(c, "a string is not written in typographic quotes"),
        Code::LexSemicolon => semicolon(c),
        Code::LexNewlineInQuoted if written == "\r" => {
            let draft = Draft::new("a string cannot contain a carriage return");
            if c.is_in_label() {
                // It is a part of no name and of no type.
                return Some(draft.fix(c.safe("remove it", range, "")));
            }
            draft.help("write `\\r`").fix(c.safe("write `\\r`", range, "\\r"))
        }
        Code::LexNewlineInQuoted => open_string(c),
        Code::LexUnterminatedComment => {
            Draft::new("this comment is not closed").help("add `*/` where it ends")
        }
        Code::HeredocNoFinalNewline => {
            Draft::new("the file ends without a line ending after the marker of a heredoc")
                .help("add a line ending; Pulumi rejects the file without it")
                .fix(c.safe("add a line ending", TextRange::empty(range.end()), "\n"))
        }
        Code::HeredocSwallowing => swallowing(c),
        Code::NumInvalid if has_valid_form(written) => {
            let message = format!("the exponent of {} is out of range", excerpt(written));
            Draft::new(message).help("exponents are limited to about ±2,147,483,648")
        }
        Code::NumInvalid => invalid_number(c),
        Code::EscShortU => Draft::new(format!("{} has too few digits", excerpt(written)))
            .help("`\\u` takes four hexadecimal digits"),
        Code::EscLongU => Draft::new(format!("{} has too few digits", excerpt(written)))
            .help("`\\U` takes eight hexadecimal digits"),
        Code::EscNotEncodable => Draft::new(format!("{} is not a character", excerpt(written)))
            .help("a character beyond U+FFFF is written as one `\\U` with eight digits"),
        Code::EscUnknown => unknown_escape(c),
        _ => return None,
    })
}

/// Returns whether an invalid number has at most one decimal point and a whole number as its
/// exponent, so that only the size of the exponent is to blame.
fn has_valid_form(number: &str) -> bool {
    let Some((mantissa, exponent)) = number.split_once(['e', 'E']) else { return false };
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    mantissa.matches('.').count() < 2 && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

fn invalid_number(c: &Site<'_>) -> Draft {
    let written = c.written();
    let help = if written.contains(['e', 'E']) && written.matches('.').count() < 2 {
        "a number has at most one exponent, which is a whole number"
    } else {
        "a number has at most one decimal point"
    };
    Draft::new(format!("{} is not a number", excerpt(written))).help(help)
}

/// A string that is not closed on its line.
fn open_string(c: &Site<'_>) -> Draft {
    header::open_label(c).unwrap_or_else(|| {
        let at = TextRange::empty(c.error.range().start());
        Draft::new("this string is not closed on its line")
            .related("the string starts here")
            .help("add `\"`; for text over several lines, use `\\n` or a heredoc")
            .fix(c.likely("add `\"`", at, "\""))
    })
}

fn foreign_quote(c: &Site<'_>, message: &'static str) -> Draft {
    Draft::new(message)
        .help("use double quotes")
        .fix(c.requote().or_else(|| header::requote_one(c)))
}

fn invalid_character(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let written = c.written();
    let Some(first) = written.chars().next() else {
        return Draft::new("this character is not valid here");
    };
    let number = format!("U+{:04X}", u32::from(first));
    match first {
        '\r' => Draft::new("a carriage return alone does not end a line")
            .help("end lines with LF or CRLF")
            .fix(c.likely("end the line", range, "\n")),
        '\u{FEFF}' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' => {
            Draft::new(format!("the invisible character {number} is not valid here"))
                .at(visible(c.tree.text(), range))
                .help("remove it")
                .fix(c.safe("remove it", range, ""))
        }
        _ if first.is_control() => {
            Draft::new(format!("the control character {number} is not valid here"))
                .help("remove it")
                .fix(c.likely("remove it", range, ""))
        }
        _ => Draft::new(format!("{} is not valid here", excerpt(written)))
            .help("put text in double quotes; a name consists of letters, digits, `_` and `-`"),
    }
}

fn semicolon(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new("unexpected `;`");
    if is_in_list(c, range.start()) {
        return draft.help("use a comma").fix(c.safe("use a comma", range, ","));
    }
    let (_, next) = c.next_token(range.end());
    let help = match next {
        SyntaxKind::Newline | SyntaxKind::EndOfFile => {
            Some("remove it: an attribute ends with its line")
        }
        SyntaxKind::RBrace => Some("remove it: the block ends here"),
        _ => None,
    };
    if let Some(help) = help {
        return draft.help(help).fix(c.safe("remove it", range, ""));
    }
    draft.help("start a new line").fix(c.break_line(range))
}

/// Returns whether the innermost bracket before `offset` is that of a tuple, call or object. Looks
/// at a few tokens only: a file may hold many semicolons.
fn is_in_list(c: &Site<'_>, offset: u32) -> bool {
    use SyntaxKind as K;
    const REACH: u32 = 200;
    let tokens = c.tree.tokens();
    let end = tokens.first_from(offset);
    let mut closed = 0;
    for token in (end.saturating_sub(REACH)..end).rev() {
        match tokens.kind(token) {
            K::RBracket | K::RParen | K::RBrace | K::SequenceClose => closed += 1,
            K::LBracket | K::LParen | K::LBrace | K::InterpolationOpen | K::ControlOpen
                if closed > 0 =>
            {
                closed -= 1;
            }
            K::LBracket | K::LParen => return true,
            // What stands before the brace of a block is a name or a label.
            K::LBrace => {
                let before = c.end_before(tokens.start(token));
                let last = tokens.first_from(before);
                let before = tokens.kind(last.saturating_sub(1));
                return !matches!(before, K::Ident | K::QuoteClose);
            }
            K::InterpolationOpen | K::ControlOpen => return false,
            _ => {}
        }
    }
    false
}

fn unknown_escape(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let written = c.written();
    let draft = Draft::new(format!("there is no escape {}", excerpt(written)));
    if let Some(fix) = path_with_slashes(c) {
        return draft.help("write a path with `/`, or a backslash as `\\\\`").fix(fix);
    }
    match written {
        "\\$" | "\\%" => {
            let sign = written.trim_start_matches('\\');
            draft
                .help(format!("`{sign}` needs no escape; before a brace, write it twice"))
                .fix(c.likely("write it twice", range, sign.repeat(2)))
        }
        "\\'" | "\\/" => draft.help("this character needs no backslash").fix(c.safe(
            "remove the backslash",
            range,
            written.trim_start_matches('\\'),
        )),
        _ => {
            let token = c.tree.token_at(range.start());
            let text = double_backslashes(token.text());
            draft.help("write a backslash as `\\\\`").fix(c.likely(
                "write `\\\\`",
                token.range(),
                text,
            ))
        }
    }
}

/// The text of a string with every backslash that begins no escape written twice.
fn double_backslashes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let (escape, len) = match read_escape(behind) {
            Some((escape, len)) => (Some(escape), len),
            None => (None, 1),
        };
        if matches!(escape, Some(Escape::Unknown(_))) {
            out.push('\\');
        }
        let (escape, after) = behind.split_at_checked(len).unwrap_or((behind, ""));
        out.push_str(escape);
        rest = after;
    }
    out + rest
}

/// A fix for a string that is a path with backslashes: `/` for each. It is that of the first
/// backslash.
fn path_with_slashes(c: &Site<'_>) -> Option<Fix> {
    let token = c.tree.token_at(c.error.range().start());
    let (range, text) = (token.range(), token.text());
    let begins =
        text.starts_with(".\\") || text.starts_with("..\\") || text.get(1..3) == Some(":\\");
    let is_plain = text
        .split('\\')
        .skip(1)
        .all(|part| part.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_'));
    (begins && is_plain)
        .then(|| c.likely("write the path with `/`", range, text.replace('\\', "/")))
}

/// A heredoc that is closed by the end of another one.
fn swallowing(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let introducer = c.error.related().unwrap_or(range);
    let marker = c.text(introducer).trim_start_matches(['<', '-', ' ', '\t']);
    let title = format!("write `{marker}`");
    let draft = Draft::new(format!(
        "{} does not end this heredoc, which begins with `{marker}`",
        excerpt(c.written())
    ))
    .related("the heredoc starts here")
    .help("the closing line of a heredoc is the same marker")
    .fix(c.likely(title, range, marker));
    let rest = TextRange::new(range.end(), c.tree.text().len() as u32);
    match swallowed(c.tree.text(), rest, marker) {
        Some(other) => draft.label(other, "this heredoc is still its text"),
        None => draft,
    }
}
