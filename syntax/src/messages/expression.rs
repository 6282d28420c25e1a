//! Expressions.

use pcl_diagnostics::{Code, TextRange};

use super::draft::{Draft, quoted};
use super::site::Site;
use super::unclosed;
use crate::kind::SyntaxKind;

pub(super) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    Some(match c.error.code() {
        Code::ExprMissing => Draft::new(format!("expected an expression, found {}", c.found()))
            .help("write the value"),
        Code::ExprInvalid => invalid(c),
        Code::ExprTrailing => Draft::new(format!(
            "expected the end of the expression, found {}",
            c.found()
        ))
        .help("only one expression stands here"),
        Code::CondMissingColon => Draft::new(format!(
            "expected `:` and the other value, found {}",
            c.found()
        ))
        .related("the conditional begins here")
        .help("a conditional is written `condition ? value : other`"),
        Code::ParenUnbalanced => brackets(c, "this parenthesis", ")"),
        Code::AttrNameRequired => Draft::new(format!(
            "expected a name after the dot, found {}",
            c.found()
        ))
        .related("after this dot")
        .help("write the name of an attribute, a number, or an index in brackets"),
        Code::SplatNested => Draft::new("`.*` cannot stand inside another `.*`")
            .help("use `[*]`, which applies to each item")
            .fix(nested_splat(c)),
        Code::LegacyIndexChained => {
            let keys = c.written().replace('.', "][");
            let from = range.start().saturating_sub(1);
            let dotted = c.text(TextRange::new(from, range.start())) == ".";
            let fix = c.safe(
                "write the indexes in brackets",
                TextRange::new(from, range.end()),
                format!("[{keys}]"),
            );
            Draft::new(format!("{} is read as one number", quoted(c.written())))
                .help("write the indexes in brackets")
                .fix(dotted.then_some(fix))
        }
        Code::SplatMissingBracket | Code::IndexMissingBracket => brackets(c, "this bracket", "]"),
        Code::FnMissingName => {
            Draft::new(format!("expected a name after `::`, found {}", c.found()))
                .related("the name begins here")
                .help("the name of a function with a namespace is written `namespace::name`")
        }
        Code::FnMissingParen => Draft::new(format!(
            "expected `(` after the name of a function, found {}",
            c.found()
        ))
        .related("the name begins here")
        .help(
            "`::` is part of a function's name; between the two values of a conditional stands `:`",
        ),
        Code::CallMissingComma => missing_comma(c, "arguments", ")"),
        Code::CallUnterminated => unclosed(c, "this call", ")"),
        Code::CallExpandNotLast => Draft::new("`...` does not end the call")
            .help("only the last argument may be expanded, and no comma follows it"),
        Code::TupleMissingComma => missing_comma(c, "elements", "]"),
        Code::TupleUnterminated => unclosed(c, "this tuple", "]"),
        Code::ObjMissingValue => Draft::new(format!(
            "expected `=` and a value after this key, found {}",
            c.found()
        ))
        .related("the object begins here")
        .help("every key has a value: `name = value`"),
        Code::ObjMissingEqIdent | Code::ObjMissingEq => missing_equals(c),
        Code::ObjMissingSep if is_closer(c.written()) => brackets(c, "this object", "}"),
        Code::ObjMissingSep => Draft::new(format!(
            "expected a comma or the end of the line after this item, found {}",
            c.found()
        ))
        .related("the object begins here")
        .help("separate items by commas or lines")
        .fix(c.add_comma()),
        Code::ObjUnterminated => unclosed(c, "this object", "}"),
        _ => return for_draft(c),
    })
}

fn for_draft(c: &Site<'_>) -> Option<Draft> {
    const FORM: &str =
        "it is written `[for value in list : result]` or `{for key, value in map : key => value}`";
    let expected = |what: &str| {
        Draft::new(format!("expected {what}, found {}", c.found()))
            .related("the `for` begins here")
            .help(FORM)
    };
    Some(match c.error.code() {
        Code::ForMissingVar => expected("a variable after `for`"),
        Code::ForMissingValueVar => expected("a second variable after the comma"),
        Code::ForMissingIn if c.text(c.word_before(c.error.range().start())) == "in" => {
            Draft::new("this `for` has no variable before `in`")
                .related("the `for` begins here")
                .label(
                    c.word_before(c.error.range().start()),
                    "this is read as the variable",
                )
                .help(FORM)
        }
        Code::ForMissingIn => expected("`in`"),
        Code::ForMissingColon => expected("`:`"),
        Code::ForTrailing if c.error.is_unclosed() => {
            let closer = if c.written() == "[" { "]" } else { "}" };
            unclosed(c, "this `for`", closer)
        }
        Code::ForTrailing => expected("the end of the `for`"),
        Code::ForTupleKey => Draft::new("a `for` in brackets makes no keys")
            .help("write it in braces to make an object, or remove the key"),
        Code::ForTupleGroup => Draft::new("a `for` in brackets cannot group")
            .help("write it in braces with a key, or remove `...`")
            .fix(c.likely("remove `...`", c.error.range(), "")),
        Code::ForObjectNoKey => Draft::new("a `for` in braces needs a key")
            .help("write `key => value`, or use brackets to make a list"),
        _ => return None,
    })
}

fn invalid(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new(format!("expected an expression, found {}", c.found()));
    let before = c.end_before(range.start());
    // One of the two gaps around it goes with it.
    let with_gap = match before < range.start() {
        true => TextRange::new(range.start(), c.next_token(range.end()).0.start()),
        false => range,
    };
    let after_equals = c.text(TextRange::new(before.saturating_sub(1), before)) == "=";
    match c.written() {
        text if text.trim().is_empty() && after_equals => {
            draft.help("the value begins on the line of the `=`")
        }
        text if text.trim().is_empty() => {
            draft.help("put the expression in parentheses to break the line")
        }
        "+" => draft
            .help("a number has no sign `+`")
            .fix(c.safe("remove the `+`", range, "")),
        "," => draft
            .help("remove the comma")
            .fix(c.safe("remove the comma", range, "")),
        "." | "?" if c.text(before_one(range)) == "?" => {
            let operator = format!("there is no operator `?{}`", c.written());
            draft.help(format!(
                "{operator}; a conditional is written `condition ? value : other`"
            ))
        }
        "." => draft.help("a number has a digit before its point"),
        ">" if c.text(before_one(range)) == "<" => {
            let operator = TextRange::new(range.start() - 1, range.end());
            draft
                .help("write `!=`")
                .fix(c.likely("write `!=`", operator, "!="))
        }
        "<" if c.text(TextRange::new(range.end(), range.end() + 1)) == "<" => {
            draft.help("the marker of a heredoc follows `<<` directly, and ends its line")
        }
        heredoc if heredoc.starts_with("<<") => {
            let marker = heredoc.trim_start_matches(['<', '-', ' ', '\t']);
            let arrows = heredoc.trim_end_matches(marker).trim_end();
            let gap = range.start() + arrows.len() as u32..range.end() - marker.len() as u32;
            Draft::new(format!(
                "a blank stands between `{arrows}` and the marker of this heredoc"
            ))
            .help("remove it")
            .fix(c.safe("remove it", TextRange::new(gap.start, gap.end), ""))
        }
        "*" if c.text(before_one(range)) == "*" => draft.help("there is no operator `**`"),
        "=" if after_equals => {
            draft
                .help("remove the `=`")
                .fix(c.likely("remove the `=`", with_gap, ""))
        }
        _ => draft.help("write the value"),
    }
}

/// The byte before a place.
fn before_one(range: TextRange) -> TextRange {
    TextRange::new(range.start().saturating_sub(1), range.start())
}

/// Something in brackets that was not closed, or holds more than it may.
fn brackets(c: &Site<'_>, what: &'static str, closer: &'static str) -> Draft {
    if c.error.is_unclosed() {
        return unclosed(c, what, closer);
    }
    let draft = Draft::new(format!("expected `{closer}`, found {}", c.found()))
        .related("this is not closed before");
    if is_closer(c.written()) {
        let title = format!("write `{closer}`");
        return draft
            .help(title.clone())
            .fix(c.likely(title, c.error.range(), closer));
    }
    if c.error.code() == Code::IndexMissingBracket && c.written() == "," {
        return draft.help("an index is one value; before a list of its own stands a comma");
    }
    draft.help(format!("close it with `{closer}` before that"))
}

fn missing_comma(c: &Site<'_>, what: &str, closer: &'static str) -> Draft {
    if is_closer(c.written()) {
        return brackets(c, "this bracket", closer);
    }
    let draft = Draft::new(format!(
        "expected a comma or `{closer}` between {what}, found {}",
        c.found()
    ))
    .related("they belong to this");
    if matches!(c.written(), "=" | ":" | "=>") {
        return draft.help("arguments and elements have no names; pass an object to name them");
    }
    let draft = draft.help("separate them by commas, also over several lines");
    if c.written() == "..." {
        return draft.help("`...` expands the last argument of a call only");
    }
    draft.fix(c.add_comma())
}

fn missing_equals(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new(format!("expected `=` after this key, found {}", c.found()))
        .related("the object begins here");
    let key_end = c.end_before(range.start());
    match c.written() {
        "=>" => draft.help("write `=`").fix(c.safe("write `=`", range, "=")),
        "}" | "]" | ")" => draft.help("every key has a value: `name = value`"),
        _ if c.next_token(range.start()).1 == SyntaxKind::LBrace => draft
            .help("an object holds no blocks; set the key with `=`")
            .fix(c.safe("add `=`", TextRange::empty(key_end), " =")),
        _ => draft
            .help("every key has a value: `name = value`")
            .fix(c.likely("add `=`", TextRange::empty(key_end), " =")),
    }
}

fn nested_splat(c: &Site<'_>) -> Option<pcl_diagnostics::Fix> {
    let range = c.error.range();
    let dot = c.end_before(range.start()).saturating_sub(1);
    let marker = TextRange::new(dot, range.end());
    (c.text(marker) == ".*").then(|| c.likely("write `[*]`", marker, "[*]"))
}

fn is_closer(text: &str) -> bool {
    matches!(text, ")" | "]" | "}" | "~}")
}
