//! Characters, numbers, escapes.

use pcl_diagnostics::{Code, TextRange};

use super::draft::{Draft, quoted};
use super::header;
use super::site::Site;
use crate::kind::SyntaxKind;

pub(super) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    let written = c.written();
    Some(match c.error.code() {
        Code::FileTooLarge => Draft::new("this file is larger than 4 GiB").help("split it"),
        Code::LexInvalidChar => invalid_character(c),
        Code::LexBadUtf8 => {
            Draft::new("these bytes are not UTF-8").help("save the file in the encoding UTF-8")
        }
        Code::LexBitwiseOp => {
            let draft = Draft::new(format!("there is no operator {}", quoted(written)));
            let (help, instead) = match written {
                "&" => ("for a logical and, write `&&`", "&&"),
                "|" => ("for a logical or, write `||`", "||"),
                "~" => ("for a logical not, write `!`", "!"),
                _ => return Some(draft.help("PCL has no operators on bits")),
            };
            let title = format!("write `{instead}`");
            draft.help(help).fix(c.likely(title, range, instead))
        }
        Code::LexBacktick => foreign_quote(c, "backticks do not quote"),
        Code::LexSingleQuote => foreign_quote(c, "single quotes do not quote"),
        Code::LexCurlyQuote => foreign_quote(c, "typographic quotes do not quote"),
        Code::LexSemicolon => semicolon(c),
        Code::LexNewlineInQuoted if written == "\r" => {
            Draft::new("a carriage return stands in a quoted string")
                .help("write `\\r`")
                .fix(c.safe("write `\\r`", range, "\\r"))
        }
        Code::LexNewlineInQuoted => header::open_label(c).unwrap_or_else(|| {
            let at = TextRange::empty(range.start());
            Draft::new("the line ends inside a quoted string")
                .related("the string begins here")
                .help("close it with `\"`; for text of several lines write `\\n` or use a heredoc")
                .fix(c.likely("add `\"`", at, "\""))
        }),
        Code::LexUnterminatedComment => {
            Draft::new("this comment has no end").help("add `*/` where it ends")
        }
        Code::HeredocNoFinalNewline => {
            Draft::new("the file ends right after the closing marker of a heredoc")
                .help("end the file with a line ending; Pulumi refuses it otherwise")
                .fix(c.safe("add a line ending", TextRange::empty(range.end()), "\n"))
        }
        Code::NumInvalid => {
            let help = if written.contains(['e', 'E']) && written.matches('.').count() < 2 {
                "a number has at most one exponent, a whole one, of bounded size"
            } else {
                "a number has at most one point"
            };
            Draft::new(format!("{} is not a number", quoted(written))).help(help)
        }
        Code::EscShortU => Draft::new(format!("{} has too few digits", quoted(written)))
            .help("`\\u` takes four hexadecimal digits"),
        Code::EscLongU => Draft::new(format!("{} has too few digits", quoted(written)))
            .help("`\\U` takes eight hexadecimal digits"),
        Code::EscNotEncodable => Draft::new(format!("{} is no character", quoted(written)))
            .help("a character beyond U+FFFF is written as one `\\U` with eight digits"),
        Code::EscUnknown => unknown_escape(c),
        _ => return None,
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
        return Draft::new("this character means nothing here");
    };
    let number = format!("U+{:04X}", u32::from(first));
    match first {
        '\r' => Draft::new("a carriage return alone does not end a line")
            .help("end lines with LF or CRLF")
            .fix(c.likely("end the line", range, "\n")),
        '\u{FEFF}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' => Draft::new(format!(
            "the invisible character {number} means nothing here"
        ))
        .help("remove it")
        .fix(c.likely("remove it", range, "")),
        _ if first.is_whitespace() => Draft::new(format!("{number} is no blank in PCL"))
            .help("use a plain space")
            .fix(c.safe("use a plain space", range, " ")),
        _ if first.is_control() => {
            Draft::new(format!("the control character {number} means nothing here"))
                .help("remove it")
                .fix(c.likely("remove it", range, ""))
        }
        _ => Draft::new(format!("{} means nothing here", quoted(written)))
            .help("put text in double quotes; a name is made of letters, digits, `_` and `-`"),
    }
}

fn semicolon(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new("a semicolon separates nothing");
    if is_in_list(c, range.start()) {
        return draft
            .help("use a comma")
            .fix(c.safe("use a comma", range, ","));
    }
    let (_, next) = c.next_token(range.end());
    if matches!(next, SyntaxKind::Newline | SyntaxKind::EndOfFile) {
        return draft
            .help("remove it: the line ending is enough")
            .fix(c.safe("remove it", range, ""));
    }
    draft.help("begin a new line").fix(c.break_line(range))
}

/// Returns whether the innermost bracket before `offset` is that of a tuple, call or object. Looks
/// at a few tokens only: a file may hold many semicolons.
fn is_in_list(c: &Site<'_>, offset: u32) -> bool {
    use SyntaxKind as K;
    const REACH: u32 = 200;
    let tokens = c.tree.tokens();
    let end = tokens.starts.partition_point(|&start| start < offset) as u32;
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
                let last = tokens.starts.partition_point(|&start| start < before) as u32;
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
    let draft = Draft::new(format!("there is no escape {}", quoted(written)));
    match written {
        "\\$" | "\\%" => {
            let sign = written.trim_start_matches('\\');
            draft
                .help(format!(
                    "`{sign}` stands for itself; before a brace write it twice"
                ))
                .fix(c.likely("write it twice", range, sign.repeat(2)))
        }
        "\\'" | "\\/" => draft.help("this character needs no backslash").fix(c.safe(
            "remove the backslash",
            range,
            written.trim_start_matches('\\'),
        )),
        _ => draft.help("for a backslash write `\\\\`").fix(c.likely(
            "write `\\\\`",
            range,
            format!("\\{written}"),
        )),
    }
}
