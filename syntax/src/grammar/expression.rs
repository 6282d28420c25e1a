//! Expressions: conditionals and terms.
//!
//! The rules, with examples: `tests/spec/syntax/expression.md`.

use pcl_diagnostics::{Code, Fix, TextRange};

use crate::grammar::{collection, for_expr, operator, template};
use crate::kind::{SyntaxKind, SyntaxKind as K};
use crate::messages::site::{Draft, Site, excerpt, unclosed};
use crate::parser::Parser;

/// `Conditional = Binary [ '?' Expr ':' Expr ]`; reports when there is none. Returns whether a node
/// was finished.
pub(super) fn expression(p: &mut Parser<'_>) -> bool {
    if !p.enter() {
        return too_deep(p);
    }
    let marker = p.here();
    let found = operator::binary(p, operator::LOOSEST);
    if found && p.at(K::Question) {
        p.bump();
        expression(p);
        if p.eat(K::Colon) {
            expression(p);
        } else {
            let from = p.range_of(marker.token());
            p.unexpected(Code::CondMissingColon, Some(from));
        }
        p.wrap(marker, K::Conditional);
        p.end_wraps(marker);
    }
    p.leave();
    found
}

/// As `expression`, where there need not be one.
pub(super) fn opt_expression(p: &mut Parser<'_>) -> bool {
    p.kind().starts_expression() && expression(p)
}

/// A term without what may follow it. Gives whether a node was finished.
pub(super) fn term(p: &mut Parser<'_>) -> bool {
    match p.kind() {
        K::Ident => word(p),
        K::Number => p.leaf(K::Literal, p.token()),
        K::QuoteOpen => match p.end_of_plain_template() {
            Some(close) => p.leaf(K::Template, close),
            None => template::template(p),
        },
        K::HeredocOpen => template::heredoc(p),
        K::LParen => collection::paren(p),
        K::LBracket if for_expr::begins(p) => for_expr::for_expr(p, K::ForTuple),
        K::LBracket => collection::tuple(p),
        K::LBrace if for_expr::begins(p) => for_expr::for_expr(p, K::ForObject),
        K::LBrace => collection::object(p),
        _ => return missing(p),
    }
    true
}

/// A name, a literal that is a word, or the name of a call and its arguments.
fn word(p: &mut Parser<'_>) {
    let word = p.token();
    let kind = match p.bytes_of(word) {
        b"true" | b"false" | b"null" => K::Literal,
        _ => K::Name,
    };
    p.take_to(word);
    if matches!(p.kind(), K::LParen | K::ColonColon) {
        return collection::call(p, word);
    }
    p.finish_leaf(word, kind);
}

/// Reports that there is no term here; keeps what is clearly part of one.
fn missing(p: &mut Parser<'_>) -> bool {
    let code = if p.at(K::EndOfFile) { Code::ExprMissing } else { Code::ExprInvalid };
    p.unexpected(code, None);
    let kind = p.kind();
    if !kind.is_bad() && !is_misplaced(kind) {
        return false;
    }
    let marker = p.start();
    // A wrongly quoted string is a whole operand; anything else comes before one.
    let whole = matches!(kind, K::SingleQuote | K::Backtick)
        || (kind == K::BadCharacter && p.text().starts_with(['“', '”']));
    p.bump();
    while !whole && p.kind().is_bad() {
        p.bump();
    }
    if !whole && p.kind().starts_expression() {
        operator::unary(p);
    }
    p.finish(marker, K::BogusExpr);
    true
}

/// Operators and points that may have slipped in before an operand.
fn is_misplaced(kind: K) -> bool {
    matches!(
        kind,
        K::Plus
            | K::Star
            | K::Slash
            | K::Percent
            | K::OrOr
            | K::AndAnd
            | K::EqualEqual
            | K::NotEqual
            | K::Less
            | K::LessEqual
            | K::Greater
            | K::GreaterEqual
            | K::Equals
            | K::Dot
    )
}

/// Takes, flat, an expression that nests too deep.
pub(super) fn too_deep(p: &mut Parser<'_>) -> bool {
    let marker = p.start();
    let found = p.skip_to(|kind| matches!(kind, K::Comma | K::Newline));
    if found {
        p.finish(marker, K::BogusExpr);
    } else {
        p.abandon(marker);
    }
    found
}

/// The words for an error of these productions.
pub(crate) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    Some(match c.error.code() {
        Code::ExprMissing => Draft::new(format!("expected an expression, found {}", c.found()))
            .help("write the value"),
        Code::ExprInvalid => invalid(c),
        Code::ExprTrailing => {
            Draft::new(format!("expected the end of the expression, found {}", c.found()))
                .help("remove what follows the expression")
        }
        Code::CondMissingColon => {
            Draft::new(format!("expected `:` and a second value, found {}", c.found()))
                .related("the conditional starts here")
                .help("a conditional is written `condition ? value : other`")
                .fix(no_other_value(c))
        }
        Code::ParenUnbalanced => brackets(c, "this parenthesis", ")"),
        Code::AttrNameRequired => {
            Draft::new(format!("expected a name after the dot, found {}", c.found()))
                .related("this dot")
                .help("write the name of a property, or an index in brackets")
        }
        Code::SplatNested => Draft::new("`.*` cannot follow another `.*`")
            .help("use `[*]`, which applies to each element")
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
            Draft::new(format!("{} is read as one number", excerpt(c.written())))
                .help("write the indexes in brackets")
                .fix(dotted.then_some(fix))
        }
        Code::SplatMissingBracket | Code::IndexMissingBracket => brackets(c, "this bracket", "]"),
        Code::FnMissingName => {
            Draft::new(format!("expected a name after `::`, found {}", c.found()))
                .related("the name starts here")
                .help("write the name of the function behind `::`")
        }
        Code::FnMissingParen => Draft::new(format!(
            "expected `(` after the name of a function, found {}",
            c.found()
        ))
        .related("the name starts here")
        .help(
            "`::` is part of the name of a function; a conditional separates its values with `:`",
        ),
        Code::CallMissingComma => missing_comma(c, "arguments", ")"),
        Code::CallUnterminated => unclosed(c, "this call", ")"),
        Code::CallExpandNotLast => Draft::new("`...` must be the last thing in a call")
            .help("only the last argument can be expanded; nothing may follow it"),
        Code::TupleMissingComma => missing_comma(c, "elements", "]"),
        Code::TupleUnterminated => unclosed(c, "this list", "]"),
        Code::ObjMissingValue => {
            Draft::new(format!("expected `=` and a value after this key, found {}", c.found()))
                .related("the object starts here")
                .help("every key has a value: `name = value`")
        }
        Code::ObjMissingEqIdent | Code::ObjMissingEq => missing_equals(c),
        Code::ObjMissingSep if is_closer(c.written()) => brackets(c, "this object", "}"),
        Code::ObjMissingSep => Draft::new(format!(
            "expected a comma or the end of the line after this item, found {}",
            c.found()
        ))
        .related("the object starts here")
        .help("separate the items of an object with commas or lines")
        .fix(c.add_comma()),
        Code::ObjUnterminated => unclosed(c, "this object", "}"),
        _ => return for_draft(c),
    })
}

fn for_draft(c: &Site<'_>) -> Option<Draft> {
    const FORM: &str =
        "write `[for value in list : result]` or `{for key, value in map : key => value}`";
    let expected = |what: &str| {
        Draft::new(format!("expected {what}, found {}", c.found()))
            .related("the `for` starts here")
            .help(FORM)
    };
    Some(match c.error.code() {
        Code::ForMissingVar => expected("a variable after `for`"),
        Code::ForMissingValueVar => expected("a second variable after the comma"),
        Code::ForMissingIn if c.text(c.word_before(c.error.range().start())) == "in" => {
            Draft::new("this `for` has no variable before `in`")
                .related("the `for` starts here")
                .label(c.word_before(c.error.range().start()), "this is read as the variable")
                .help(FORM)
        }
        Code::ForMissingIn => expected("`in`"),
        Code::ForMissingColon => expected("`:`").fix(for_colon(c)),
        Code::ForTrailing if c.error.is_unclosed() => {
            let closer = if c.written() == "[" { "]" } else { "}" };
            unclosed(c, "this `for`", closer)
        }
        Code::ForTrailing => expected("the end of the `for`"),
        Code::ForTupleKey => Draft::new("a `for` in brackets has no `key =>`")
            .help("write it in braces to make an object, or remove `key =>`"),
        Code::ForTupleGroup => Draft::new("a `for` in brackets cannot group with `...`")
            .help("write it in braces with a key, or remove `...`")
            .fix(c.likely("remove `...`", c.error.range(), "")),
        Code::ForObjectNoKey => Draft::new("a `for` in braces needs a key")
            .help("write `key => value`, or use brackets to make a list"),
        _ => return None,
    })
}

/// A fix that adds the second value of a conditional that ends with its line or bracket.
fn no_other_value(c: &Site<'_>) -> Option<Fix> {
    let start = c.error.range().start();
    let (_, next) = c.next_token(start);
    use SyntaxKind as K;
    let ends = matches!(
        next,
        K::Newline
            | K::EndOfFile
            | K::Comma
            | K::RParen
            | K::RBracket
            | K::RBrace
            | K::SequenceClose
    );
    let at = TextRange::empty(c.end_before(start));
    ends.then(|| c.likely("add `: null`", at, " : null"))
}

/// A fix that writes the colon of a `for`, for the sign that stands for it or before the value.
fn for_colon(c: &Site<'_>) -> Option<Fix> {
    let range = c.error.range();
    match c.written() {
        "=>" | "->" | "|" | "=" | "," | "do" | "yield" | ":=" => {
            Some(c.safe("write `:`", range, ":"))
        }
        "-" | ">" | "}" | "]" | ")" => None,
        _ if c.next_token(range.start()).0 == range => {
            let at = TextRange::new(c.end_before(range.start()), range.start());
            Some(c.safe("add `:`", at, " : "))
        }
        _ => None,
    }
}

fn invalid(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new(format!("expected an expression, found {}", c.found()));
    let before = c.end_before(range.start());
    // One of the two gaps around it goes with it.
    let with_gap = if before < range.start() {
        TextRange::new(range.start(), c.next_token(range.end()).0.start())
    } else {
        range
    };
    let after_equals = c.text(TextRange::new(before.saturating_sub(1), before)) == "=";
    match c.written() {
        text if text.trim().is_empty() && after_equals => {
            draft.help("the value starts on the line of the `=`")
        }
        text if text.trim().is_empty() => {
            draft.help("to break the line inside an expression, put it in parentheses")
        }
        "+" => draft.help("a number has no `+` before it").fix(c.safe("remove the `+`", range, "")),
        "," => draft.help("remove the comma").fix(c.safe("remove the comma", range, "")),
        "." | "?" if c.text(before_one(range)) == "?" => {
            let operator = format!("there is no operator `?{}`", c.written());
            draft.help(format!("{operator}; a conditional is written `condition ? value : other`"))
        }
        "." => draft.help("write a digit before the decimal point, as in `0.5`"),
        ">" if c.text(before_one(range)) == "<" => {
            let operator = TextRange::new(range.start() - 1, range.end());
            draft.help("write `!=`").fix(c.likely("write `!=`", operator, "!="))
        }
        "<" if c.text(TextRange::new(range.end(), range.end() + 1)) == "<" => {
            draft.help("a heredoc starts with `<<` and its marker, at the end of a line")
        }
        heredoc if heredoc.starts_with("<<") => {
            let marker = heredoc.trim_start_matches(['<', '-', ' ', '\t']);
            let arrows = heredoc.trim_end_matches(marker).trim_end();
            let gap = range.start() + arrows.len() as u32..range.end() - marker.len() as u32;
            Draft::new(format!("the marker of a heredoc follows `{arrows}` without a space"))
                .help("remove the space")
                .fix(c.safe("remove the space", TextRange::new(gap.start, gap.end), ""))
        }
        "*" if c.text(before_one(range)) == "*" => draft.help("there is no operator `**`"),
        "=" if after_equals => {
            draft.help("remove the `=`").fix(c.likely("remove the `=`", with_gap, ""))
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
        .related("this is still open");
    if is_closer(c.written()) {
        let title = format!("write `{closer}`");
        return draft.help(title.clone()).fix(c.likely(title, c.error.range(), closer));
    }
    if c.error.code() == Code::IndexMissingBracket && c.written() == ":" {
        return draft.help("PCL has no slices: an index is one value");
    }
    if c.error.code() == Code::IndexMissingBracket && c.written() == "," {
        return draft.help("an index is one value; if this is a new list, put a comma before it");
    }
    draft.help(format!("close it with `{closer}` before this"))
}

fn missing_comma(c: &Site<'_>, what: &str, closer: &'static str) -> Draft {
    if is_closer(c.written()) {
        return brackets(c, "this bracket", closer);
    }
    if matches!(c.written(), "=" | ":" | "=>") {
        return Draft::new(format!("{what} have no names in PCL, found {}", c.found()))
            .related(list_label(what))
            .help("write an object, as in `{ name = value }`, or the values alone in their order");
    }
    let draft =
        Draft::new(format!("expected a comma or `{closer}` between {what}, found {}", c.found()))
            .related(list_label(what));
    let draft = draft.help("separate them with commas, also when each is on its own line");
    if c.written() == "..." {
        return draft.help("`...` is only used behind the last argument of a call");
    }
    let range = c.error.range();
    let before = c.end_before(range.start());
    let gap = c.text(TextRange::new(before, range.start()));
    if c.written() == "\"" && c.rest_of_line(range.end()).trim().is_empty() {
        // A quote at the end of a line starts no element.
        return draft;
    }
    if !gap.contains('\n') {
        return draft.fix(c.add_comma());
    }
    // Over two lines, the comma is missing at the end of the first.
    let draft = draft.at(c.char_before(before)).label(range, "this is the next element");
    match c.error.related() {
        Some(opener) => draft.label(opener, list_label(what)),
        None => draft,
    }
    .fix(c.add_comma())
}

/// The label of the bracket that a list or a call starts with.
fn list_label(what: &str) -> &'static str {
    match what {
        "arguments" => "the call starts here",
        _ => "the list starts here",
    }
}

fn missing_equals(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new(format!("expected `=` after this key, found {}", c.found()))
        .related("the object starts here");
    let key_end = c.end_before(range.start());
    match c.written() {
        "=>" => draft.help("write `=`").fix(c.safe("write `=`", range, "=")),
        "}" | "]" | ")" => draft.help("every key has a value: `name = value`"),
        _ if c.next_token(range.start()).1 == SyntaxKind::LBrace => draft
            .help("an object contains no blocks; set the key with `=`")
            .fix(c.likely("add `=`", TextRange::empty(key_end), " =")),
        _ => draft.help("every key has a value: `name = value`").fix(c.likely(
            "add `=`",
            TextRange::empty(key_end),
            " =",
        )),
    }
}

fn nested_splat(c: &Site<'_>) -> Option<Fix> {
    let range = c.error.range();
    let dot = c.end_before(range.start()).saturating_sub(1);
    let marker = TextRange::new(dot, range.end());
    (c.text(marker) == ".*").then(|| c.likely("write `[*]`", marker, "[*]"))
}

fn is_closer(text: &str) -> bool {
    matches!(text, ")" | "]" | "}" | "~}")
}
