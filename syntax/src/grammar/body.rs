//! Bodies: the items between braces, or in a file.
//!
//! The rules, with examples: `tests/spec/syntax/body.md`.

use pcl_diagnostics::{Applicability, Code, Fix, TextEdit, TextRange};

use crate::grammar::{attribute, block, expression};
use crate::kind::{SyntaxKind, SyntaxKind as K};
use crate::messages::header;
use crate::messages::site::{Draft, Site, excerpt};
use crate::parser::{BodyNames, Parser};
use crate::{MAX_DEPTH, is_identifier};

/// The layout that a body allows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One item a line.
    Lines,
    /// Anything: that the layout is wrong was reported.
    Broken,
    /// One item a line, but the opening brace was lost, so that the closing one seems to close
    /// nothing.
    Headless,
}

/// `{ Attribute | Block }`, in a block up to its closing brace. `block` says how a block's body is
/// laid out.
pub(super) fn items(p: &mut Parser<'_>, block: Option<Layout>) {
    let mut names = BodyNames::default();
    more_items(p, &mut names, block);
}

/// As `items`, in a body that has set `names` so far.
pub(super) fn more_items<'s>(p: &mut Parser<'s>, names: &mut BodyNames<'s>, block: Option<Layout>) {
    loop {
        p.skip_newlines();
        if p.at(K::Ident) {
            item(p, names, block);
            continue;
        }
        match p.kind() {
            K::EndOfFile => break,
            K::RBrace if block == Some(Layout::Headless) => break,
            K::RBrace if block.is_some() && !p.at_stray_closer() => break,
            K::Comma | K::Semicolon if block == Some(Layout::Broken) => p.bump(),
            K::QuoteOpen => attribute::quoted(p, block),
            _ => stray(p, block),
        }
    }
}

/// An attribute or a block, as the token after its name decides.
fn item<'s>(p: &mut Parser<'s>, names: &mut BodyNames<'s>, block: Option<Layout>) {
    let (next, kind) = p.peek_from(p.token() + 1, true);
    if kind == K::Equals {
        return attribute::attribute(p, names, next, block);
    }
    match kind {
        K::QuoteOpen | K::LBrace | K::Ident => block::block(p, block),
        K::LBracket | K::LParen if block::is_before_labels(p, p.token() + 1) => {
            block::block(p, block);
        }
        // A word alone, with lines like those of a body below it.
        K::Newline if block::is_body_below(p, next, p.token()) => block::block(p, block),
        kind => incomplete(p, kind, block),
    }
}

/// A name that is neither: what was meant is kept as far as it can be guessed.
fn incomplete(p: &mut Parser<'_>, next: K, block: Option<Layout>) {
    match next {
        // `port : 80` and `port == 80`
        K::Colon | K::EqualEqual => return attribute::wrong_sign(p, block),
        _ => {}
    }
    if !next.is_bad() {
        p.unexpected(Code::BodyItemIncomplete, None);
    }
    let marker = p.start();
    if matches!(next, K::Dot | K::LBracket) {
        // `a.b = 1`
        expression::expression(p);
        if p.eat(K::Equals) {
            expression::opt_expression(p);
        }
    } else {
        p.bump();
    }
    rest_of_line(p);
    p.finish(marker, K::BogusItem);
}

/// Something that begins no item.
fn stray(p: &mut Parser<'_>, block: Option<Layout>) {
    p.unexpected(Code::BodyItemRequired, None);
    let marker = p.start();
    let closer = matches!(p.kind(), K::RBrace | K::RParen | K::RBracket | K::SequenceClose);
    // A bracket too many says nothing about what follows it.
    let doubled = p.at(K::LBrace) && block.is_some();
    if closer || doubled || !p.skip_line() {
        p.bump();
    }
    p.finish(marker, K::BogusItem);
}

/// Takes the rest of a line that was reported.
pub(super) fn rest_of_line(p: &mut Parser<'_>) {
    if !matches!(p.kind(), K::Newline | K::EndOfFile) {
        p.skip_line();
    }
}

/// Returns whether an item begins at the current token.
pub(super) fn at_item(p: &Parser<'_>) -> bool {
    p.at(K::Ident) && matches!(p.peek(true), K::Equals | K::QuoteOpen | K::LBrace)
}

/// The words for an error of these productions.
pub(crate) fn draft(c: &Site<'_>) -> Option<Draft> {
    let range = c.error.range();
    let written = c.written();
    Some(match c.error.code() {
        Code::BodyAttrRedefined => redefined(c),
        Code::BodyQuotedArgName => quoted_name(c),
        Code::BodyItemRequired => item_required(c),
        Code::BodyItemIncomplete => incomplete_item(c),
        Code::BodyOnelineNested => Draft::new("a block on one line cannot contain another block")
            .help("put the inner block on lines of its own"),
        Code::BodyUnclosedBlock => unclosed_block(c),
        Code::NestingTooDeep => {
            Draft::new(format!("this is nested more than {MAX_DEPTH} levels deep"))
                .help("move the inner parts into attributes of their own")
        }
        Code::AttrMissingNewline => {
            let draft = Draft::new(format!(
                "expected the end of the line after this attribute, found {}",
                c.found()
            ))
            .related("the attribute starts here");
            match (c.new_line(), c.next_token(range.start()).1) {
                (Some(fix), _) => draft.help("start a new line").fix(fix),
                (None, SyntaxKind::RParen | SyntaxKind::RBracket) => draft
                    .help("remove it: there is no opening bracket for it")
                    .fix(c.likely("remove it", range, "")),
                _ => after_expression(c, draft),
            }
        }
        Code::AttrComma => attribute_comma(c),
        Code::BlockEquals => block_equals(c),
        Code::BlockNewline => block_newline(c),
        Code::BlockHeader => header::unexpected(c),
        Code::BlockOnelineNewline => {
            Draft::new("the closing brace of this block must be on this line")
                .related("the block starts here")
                .help("put each attribute on a line of its own, or add `}` here")
        }
        Code::BlockOnelineComma | Code::BlockOnelineExtra => {
            Draft::new("a block on one line holds only one attribute")
                .related("the block starts here")
                .help("put each attribute on a line of its own")
        }
        Code::BlockMissingNewline => {
            let draft = Draft::new(format!(
                "expected the end of the line after this block, found {}",
                c.found()
            ))
            .related("the block starts here");
            match written {
                "}" if c.error.related().is_none() => draft
                    .help("remove it: there is no opening bracket for it")
                    .fix(c.likely("remove it", range, "")),
                _ => draft.help("start a new line").fix(c.new_line()),
            }
        }
        Code::LabelTemplate => Draft::new(format!("a label cannot contain {}", excerpt(written)))
            .related("the label starts here")
            .help("a label is plain text; to write the sign itself, double it"),
        Code::LabelUnterminated => Draft::new("this label has no closing quote")
            .related("the label starts here")
            .help("add `\"`"),
        _ => return None,
    })
}

/// A comma behind an attribute.
fn attribute_comma(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new("attributes are separated by lines, not by commas")
        .related("the attribute starts here");
    let (token, next) = c.next_token(range.end());
    if matches!(next, SyntaxKind::Newline | SyntaxKind::EndOfFile) {
        return draft.help("remove the comma").fix(c.safe("remove the comma", range, ""));
    }
    let fix = c.break_line(range);
    // What begins in another way may be a part of the value.
    let is_attribute =
        next == SyntaxKind::Ident && c.next_token(token.end()).1 == SyntaxKind::Equals;
    let applicability = if is_attribute { fix.applicability } else { Applicability::Unsafe };
    draft.help("put each attribute on a line of its own").fix(Fix { applicability, ..fix })
}

/// Text that follows an expression on its line and is neither an item nor a closer.
fn after_expression(c: &Site<'_>, draft: Draft) -> Draft {
    let range = c.error.range();
    let before = c.text(TextRange::new(range.start().saturating_sub(1), range.start()));
    let last = c.text(c.word_before(range.start()));
    let operator = match c.written() {
        "and" => "&&",
        "or" => "||",
        "=" => "==",
        "=>" => {
            return draft.help("`=>` is only used in a `for` in braces");
        }
        _ if last == "if" => {
            return draft.help("a conditional is written `condition ? value : other`");
        }
        _ if last == "new" => {
            return draft
                .help("PCL has no `new`: a resource is a block, and an object is in braces");
        }
        "in" => return draft.help("PCL has no operator `in`; use a `for` with `if`"),
        _ if last == "not" => return draft.help("write `!` for a logical not"),
        "(" => return draft.help("only functions can be called, by their name"),
        _ if before.starts_with(|c: char| c.is_ascii_digit()) => {
            let start = c.text(TextRange::new(0, range.start()));
            let digits =
                start.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len() as u32;
            let whole = TextRange::new(digits, range.end());
            let text = format!("\"{}\"", c.text(whole));
            return draft
                .help("a number has no separators and no unit; write text in quotes")
                .fix(c.likely("put it in double quotes", whole, text));
        }
        _ => return draft.help("an attribute has one value, which ends with its line"),
    };
    let title = format!("write `{operator}`");
    draft.help(title.clone()).fix(c.likely(title, range, operator))
}

fn redefined(c: &Site<'_>) -> Draft {
    let name = c.written();
    Draft::new(format!("`{name}` is set twice"))
        .related("first set here")
        .help("remove or rename one of the two")
}

fn quoted_name(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let name = c.written().trim_matches('"');
    let draft =
        Draft::new("the name of an attribute is not written in quotes").help("remove the quotes");
    let (sign, kind) = c.next_token(range.end());
    if !is_identifier(name) {
        return draft.help("a name consists of letters, digits, `_` and `-`");
    }
    let comma = comma_behind(c);
    let draft = match kind {
        SyntaxKind::Colon => {
            Draft::new(format!("an attribute is written `{name} = ..` in PCL, not as in JSON"))
                .help("write the name without quotes, `=` for `:`, and no comma at the end")
        }
        SyntaxKind::Equals if comma.is_some() => draft.help("remove the quotes and the comma"),
        SyntaxKind::Equals => draft,
        _ => return draft,
    };
    let title = match kind {
        SyntaxKind::Colon => "write it as an attribute of PCL",
        _ => "remove the quotes",
    };
    let (range, text) = match kind {
        SyntaxKind::Colon => (range.cover(sign), format!("{name} =")),
        _ => (range, name.to_owned()),
    };
    let mut fix = c.safe(title, range, text);
    fix.edits.extend(comma.map(|comma| TextEdit::delete(c.span(comma))));
    draft.fix(fix)
}

/// The most tokens of a value behind which a comma is searched.
const LONGEST_VALUE: u32 = 10_000;

/// The comma at the end of the attribute that is blamed.
fn comma_behind(c: &Site<'_>) -> Option<TextRange> {
    use SyntaxKind as K;
    let tokens = c.tree.tokens();
    let end = c.error.range().end();
    let first = tokens.first_from(end);
    let mut depth = 0_u32;
    let mut last = first;
    for token in first..first + LONGEST_VALUE {
        match tokens.kind(token) {
            kind if kind.is_trivia() => continue,
            K::EndOfFile => break,
            K::Newline if depth == 0 => break,
            K::LBrace | K::LBracket | K::LParen => depth += 1,
            K::QuoteOpen | K::HeredocOpen | K::InterpolationOpen | K::ControlOpen => depth += 1,
            K::RBrace | K::RBracket | K::RParen if depth == 0 => break,
            K::RBrace | K::RBracket | K::RParen => depth -= 1,
            K::QuoteClose | K::HeredocClose | K::SequenceClose => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = token;
    }
    (depth == 0 && tokens.kind(last) == K::Comma).then(|| tokens.range(last))
}

fn item_required(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new(format!("expected an attribute or a block, found {}", c.found()));
    match c.written() {
        "}" | ")" | "]" | "~}" => draft
            .help("remove it: there is no opening bracket for it")
            .fix(c.likely("remove it", range, "")),
        _ if c.next_token(range.start()) == (range, SyntaxKind::Number) && is_name(c, range) => {
            digit_first(c, range)
        }
        _ => draft.help("an attribute is written `name = value`, a block `type \"label\" { .. }`"),
    }
}

fn incomplete_item(c: &Site<'_>) -> Draft {
    let name = c.written();
    match c.error.related() {
        Some(sign) => Draft::new(format!(
            "expected `=` after {}, found {}",
            excerpt(name),
            excerpt(c.text(sign))
        ))
        .related("this should be `=`")
        .help("a value is set with `=`")
        .fix(write_equals(c, sign)),
        None => {
            let draft =
                Draft::new(format!("{} is neither an attribute nor a block", excerpt(name)));
            let (next, kind) = c.next_token(c.error.range().end());
            match kind {
                SyntaxKind::LParen => draft.help(match name {
                    "for" | "foreach" | "while" => {
                        "there are no statements: write `[for value in list : result]`, or \
                         `options { range = list }` in a resource"
                    }
                    "if" | "unless" | "switch" => {
                        "there are no statements: write `condition ? value : other`, or \
                         `options { range = condition }` in a resource"
                    }
                    _ => "a call is the value of an attribute, as in `name = call(..)`",
                }),
                SyntaxKind::Dot | SyntaxKind::LBracket => draft.help(format!(
                    "a part of a value cannot be set; set {} to a whole object",
                    excerpt(name)
                )),
                SyntaxKind::Number if is_name(c, next) => digit_first(c, next),
                _ => draft.help(
                    "an attribute is written `name = value`, a block `type \"label\" { .. }`",
                ),
            }
        }
    }
}

/// A name that begins with the number at `number`.
fn digit_first(c: &Site<'_>, number: TextRange) -> Draft {
    let (word, kind) = c.next_token(number.end());
    let is_joined = kind == SyntaxKind::Ident && word.start() == number.end();
    let name = if is_joined { number.cover(word) } else { number };
    let text = format!("_{}", c.text(name));
    Draft::new(format!("a name cannot begin with a digit, found {}", excerpt(c.text(name))))
        .at(name)
        .help(format!("write `_` or a letter before it, as in {}", excerpt(&text)))
        .fix(c.likely("write `_` before it", name, text))
}

/// Returns true if letters are joined to a number, as in `1st`.
fn is_name(c: &Site<'_>, number: TextRange) -> bool {
    let (word, kind) = c.next_token(number.end());
    let is_joined = kind == SyntaxKind::Ident && word.start() == number.end();
    is_joined || c.text(number).ends_with(|last: char| last.is_alphabetic())
}

/// The fix that writes `=` for the sign of another language. It is safe within a block, where
/// nothing but an attribute can be meant, before a value that is one in PCL as well.
fn write_equals(c: &Site<'_>, sign: TextRange) -> Fix {
    let text = if c.end_before(sign.start()) == sign.start() { " =" } else { "=" };
    let (word, value) = c.next_token(sign.end());
    let is_value = matches!(
        value,
        SyntaxKind::QuoteOpen | SyntaxKind::Number | SyntaxKind::LBracket | SyntaxKind::LBrace
    );
    // A word behind `:` may be YAML's text; whoever writes `==` quotes texts.
    let is_certain = c.text(sign) == "==" || matches!(c.text(word), "true" | "false" | "null");
    let is_value = is_value || (value == SyntaxKind::Ident && is_certain);
    let mut fix = if is_value && c.is_in_block() {
        c.safe("write `=`", sign, text)
    } else {
        c.likely("write `=`", sign, text)
    };
    // JSON and YAML have a comma behind the value.
    let rest = c.rest_of_line(sign.end()).trim_end();
    let is_whole = ["[]", "{}", "()"].iter().all(|pair| {
        let [open, close] = [0, 1].map(|at| pair.chars().nth(at));
        let count = |sign| rest.chars().filter(|&c| Some(c) == sign).count();
        count(open) == count(close)
    });
    if c.text(sign) == ":" && rest.ends_with(',') && is_whole {
        let end = sign.end() + rest.len() as u32;
        fix.edits.push(TextEdit::delete(c.span(TextRange::new(end - 1, end))));
    }
    fix
}

fn unclosed_block(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let place = c.error.related().unwrap_or(range);
    let end = c.end_before(place.start());
    let text = format!("\n{}}}", c.indent_at(range.start()));
    Draft::new("this block is not closed").help("add `}`").fix(c.likely(
        "add `}`",
        TextRange::empty(end),
        text,
    ))
}

fn block_equals(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let draft = Draft::new("a block has no `=` before its body").related("the block starts here");
    let (brace, next) = c.next_token(range.end());
    if next == SyntaxKind::LBrace {
        let gap = TextRange::new(range.start(), brace.start());
        return draft.help("remove the `=`").fix(c.safe("remove the `=`", gap, ""));
    }
    let Some(word) = c.error.related() else { return draft };
    let draft = draft.help("an attribute has one name, a block has a body in braces");
    let inner = match c.text(word) {
        "output" => "value",
        "config" => "default",
        _ => return draft,
    };
    let keyword = c.text(word);
    // The value is on the rest of the line.
    let lines = c.tree.line_index();
    let start = lines.line_of(range.start());
    let end = lines.line_start(start + 1).unwrap_or(c.tree.text().len() as u32);
    let (end, value) =
        (c.end_before(end), c.text(TextRange::new(next_start(c, range), c.end_before(end))));
    let is_whole =
        !value.is_empty() && !value.ends_with(['{', '[', '(']) && !value.starts_with("<<");
    let text = format!("{{\n  {inner} = {value}\n}}");
    let title = format!("write `{inner} = ..` in a body");
    Draft::new(format!("expected a body after the labels of `{keyword}`, found `=`"))
        .related("the block starts here")
        .help(format!("write `{keyword} \"name\" {{ {inner} = .. }}`"))
        .fix(is_whole.then(|| c.safe(title, TextRange::new(range.start(), end), text)))
}

/// The start of the token after `range`.
fn next_start(c: &Site<'_>, range: TextRange) -> u32 {
    c.next_token(range.end()).0.start()
}

fn block_newline(c: &Site<'_>) -> Draft {
    let at = TextRange::empty(c.error.range().start());
    let draft = Draft::new("expected `{` at the end of this line")
        .related("the block starts here")
        .help("the opening brace of a block is on the line of its labels");
    let rest = c.tree.text().get(at.start() as usize..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with('{') {
        let gap = TextRange::new(at.start(), at.start() + gap as u32);
        return draft.fix(c.safe("move the brace up", gap, " "));
    }
    // A body is indented; without one, the block is empty.
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut lines = rest.lines().skip(1).filter(|line| !line.trim().is_empty());
    let has_body = lines.next().is_some_and(|line| {
        indent(line) > c.indent_at(at.start()).len() || line.trim_start().starts_with('}')
    });
    if has_body {
        draft.fix(c.likely("add `{`", at, " {"))
    } else {
        draft.fix(c.likely("add `{}`", at, " {}"))
    }
}
