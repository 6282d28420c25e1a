//! Files, bodies, attributes and blocks.

use pcl_diagnostics::{Code, TextRange};

use super::draft::{Draft, quoted};
use super::header;
use super::site::Site;
use crate::kind::SyntaxKind;
use crate::{MAX_DEPTH, is_identifier};

pub(super) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    let written = c.written();
    Some(match c.error.code() {
        Code::BodyAttrRedefined => redefined(c),
        Code::BodyQuotedArgName => quoted_name(c),
        Code::BodyItemRequired => item_required(c),
        Code::BodyItemIncomplete => incomplete(c),
        Code::BodyOnelineNested => Draft::new("a block cannot stand inside a block on one line")
            .help("give the inner block lines of its own"),
        Code::BodyUnclosedBlock => unclosed_block(c),
        Code::NestingTooDeep => Draft::new(format!("this nests more than {MAX_DEPTH} deep"))
            .help("give the inner parts names of their own"),
        Code::AttrMissingNewline => {
            let draft = Draft::new(format!(
                "expected the end of the line after this attribute, found {}",
                c.found()
            ))
            .related("the attribute begins here");
            match (c.new_line(), c.next_token(range.start()).1) {
                (Some(fix), _) => draft.help("begin a new line").fix(fix),
                (None, SyntaxKind::RParen | SyntaxKind::RBracket) => draft
                    .help("remove it: nothing is open that it could close")
                    .fix(c.likely("remove it", range, "")),
                _ => after_expression(c, draft),
            }
        }
        Code::AttrComma => {
            let draft = Draft::new("attributes are not separated by commas")
                .related("the attribute begins here");
            match c.next_token(range.end()).1 {
                SyntaxKind::Newline | SyntaxKind::EndOfFile => draft
                    .help("remove the comma")
                    .fix(c.safe("remove the comma", range, "")),
                _ => draft
                    .help("give each attribute a line of its own")
                    .fix(c.break_line(range)),
            }
        }
        Code::BlockEquals => block_equals(c),
        Code::BlockNewline => block_newline(c),
        Code::BlockHeader => {
            let draft = Draft::new(format!("expected a label or `{{`, found {}", c.found()))
                .related("the block begins here");
            match header::quote_label(c) {
                Some(fix) => draft.help("put the label in quotes").fix(fix),
                None => draft.help("after its labels a block has a body in braces"),
            }
        }
        Code::BlockOnelineComma | Code::BlockOnelineNewline | Code::BlockOnelineExtra => {
            Draft::new("a block that begins on one line holds one attribute and ends there")
                .related("the block begins here")
                .help("give each attribute a line of its own")
        }
        Code::BlockMissingNewline => {
            let draft = Draft::new(format!(
                "expected the end of the line after this block, found {}",
                c.found()
            ))
            .related("the block begins here");
            match written {
                "}" if c.error.related().is_none() => draft
                    .help("remove it: nothing is open that it could close")
                    .fix(c.likely("remove it", range, "")),
                _ => draft.help("begin a new line").fix(c.new_line()),
            }
        }
        Code::LabelTemplate => Draft::new(format!("a label cannot hold {}", quoted(written)))
            .related("the label begins here")
            .help("a label is plain text; double the sign if it is meant as text"),
        Code::LabelUnterminated => Draft::new("this label has no closing quote")
            .related("the label begins here")
            .help("add `\"`"),
        _ => return None,
    })
}

/// Text that follows an expression on its line and is neither an item nor a closer.
fn after_expression(c: &Site<'_>, draft: Draft) -> Draft {
    let range = c.error.range();
    let before = c.text(TextRange::new(
        range.start().saturating_sub(1),
        range.start(),
    ));
    let last = c.text(c.word_before(range.start()));
    let operator = match c.written() {
        "and" => "&&",
        "or" => "||",
        "=" => "==",
        "=>" => {
            return draft
                .help("`=>` stands only in a `for` in braces; there are no functions to write");
        }
        _ if last == "if" => {
            return draft.help("a conditional is written `condition ? value : other`");
        }
        _ if last == "not" => return draft.help("for a logical not, write `!`"),
        "(" => return draft.help("only functions are called, each by its name"),
        _ if before.starts_with(|c: char| c.is_ascii_digit()) => {
            return draft.help("a number is decimal, without separators and units");
        }
        _ => return draft.help("an attribute is one expression on one line"),
    };
    let title = format!("write `{operator}`");
    draft
        .help(title.clone())
        .fix(c.likely(title, range, operator))
}

fn redefined(c: &Site<'_>) -> Draft {
    let name = c.written();
    Draft::new(format!("`{name}` is set twice"))
        .related("it is set here first")
        .help("remove one of the two, or rename it")
}

fn quoted_name(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let name = c.written().trim_matches('"');
    let draft = Draft::new("the name of an attribute is not quoted").help("remove the quotes");
    match c.next_token(range.end()).1 {
        _ if !is_identifier(name) => {
            draft.help("an attribute has a name made of letters, digits, `_` and `-`")
        }
        SyntaxKind::Equals => draft.fix(c.safe("remove the quotes", range, name)),
        _ => draft,
    }
}

fn item_required(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new(format!(
        "expected an attribute or a block, found {}",
        c.found()
    ));
    match c.written() {
        "}" | ")" | "]" | "~}" => draft
            .help("remove it: nothing is open that it could close")
            .fix(c.likely("remove it", range, "")),
        _ => draft.help("an attribute is written `name = value`, a block `type \"label\" { .. }`"),
    }
}

fn incomplete(c: &Site<'_>) -> Draft {
    let name = c.written();
    match c.error.related() {
        Some(sign) => Draft::new(format!("expected `=` after {}", quoted(name)))
            .related("this should be `=`")
            .help("a value is set with `=`")
            .fix(c.likely(
                "write `=`",
                sign,
                if c.end_before(sign.start()) == sign.start() {
                    " ="
                } else {
                    "="
                },
            )),
        None => {
            let draft = Draft::new(format!(
                "{} is neither an attribute nor a block",
                quoted(name)
            ));
            match c.next_token(c.error.range().end()).1 {
                SyntaxKind::Dot | SyntaxKind::LBracket => draft.help(format!(
                    "parts cannot be set; give {} a whole value, such as an object",
                    quoted(name)
                )),
                _ => draft.help(
                    "an attribute is written `name = value`, a block `type \"label\" { .. }`",
                ),
            }
        }
    }
}

fn unclosed_block(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let place = c.error.related().unwrap_or(range);
    let end = c.end_before(place.start());
    let text = format!("\n{}}}", c.indent_at(range.start()));
    Draft::new("this block is not closed")
        .help("add `}`")
        .fix(c.likely("add `}`", TextRange::empty(end), text))
}

fn block_equals(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new("a block is not set with `=`").related("the block begins here");
    let (brace, next) = c.next_token(range.end());
    if next == SyntaxKind::LBrace {
        let gap = TextRange::new(range.start(), brace.start());
        return draft
            .help("remove the `=`")
            .fix(c.safe("remove the `=`", gap, ""));
    }
    let Some(word) = c.error.related() else {
        return draft;
    };
    let draft = draft.help("an attribute has one name, a block a body in braces");
    if !matches!(
        c.text(word),
        "let" | "var" | "val" | "const" | "local" | "def" | "set"
    ) {
        return draft;
    }
    let (name, _) = c.next_token(word.end());
    Draft::new(format!(
        "an attribute is written without {}",
        quoted(c.text(word))
    ))
    .related("remove this")
    .help("an attribute is written `name = value`")
    .fix(c.likely("remove it", TextRange::new(word.start(), name.start()), ""))
}

fn block_newline(c: &Site<'_>) -> Draft {
    let at = TextRange::empty(c.error.range().start());
    let draft = Draft::new("the header of this block ends without `{`")
        .related("the block begins here")
        .help("the opening brace stands on the line of the header");
    let rest = c.tree.text().get(at.start() as usize..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with('{') {
        let gap = TextRange::new(at.start(), at.start() + gap as u32);
        return draft.fix(c.safe("move the brace up", gap, " "));
    }
    draft.fix(c.likely("add `{`", at, " {"))
}
