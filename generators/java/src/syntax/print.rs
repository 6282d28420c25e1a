//! Statements and classes as text, with the levels and breaks that google-java-format gives them.

use super::chain::{chain, is_path};
use super::layout::{Builder, Indent};
use super::reflow::reflowed;
use super::tree::{Body, Expr, Stmt};

/// A class of a file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Class {
    /// The lines of the documentation.
    pub comments: Vec<String>,
    /// The text before the brace: `public final class App`.
    pub head: String,
    pub members: Vec<Member>,
}

/// A member of a class.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Member {
    /// A field, with its annotation if it has one: the name of it and its elements.
    Field {
        annotation: Option<(String, Vec<String>)>,
        text: String,
    },
    /// A method or constructor.
    Method {
        comments: Vec<String>,
        head: String,
        parameters: Vec<String>,
        body: Vec<Stmt>,
    },
    /// A text in the layout of a file, without indentation.
    Text(String),
    Class(Class),
}

/// The text of a class at the top of a file.
pub(crate) fn file(class: &Class) -> String {
    let mut out = String::new();
    class_at(class, 0, &mut out);
    reflowed(&out)
}

fn spaces(column: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', column));
}

/// The documentation of a class or member.
fn documentation(comments: &[String], column: usize, out: &mut String) {
    let escape = |line: &String| {
        let text = line.trim().replace("*/", "*&#47;").replace('@', "&#64;");
        text.replace('<', "&lt;").replace('>', "&gt;").replace('\\', "&#92;")
    };
    let text = comments.iter().map(escape).collect::<Vec<_>>().join(" ");
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() {
        return;
    }
    let whole = format!("/** {} */", words.join(" "));
    spaces(column, out);
    if column + whole.chars().count() <= 100 {
        out.extend([&whole, "\n"]);
        return;
    }
    out.push_str("/**\n");
    let mut line = String::new();
    let mut lines = Vec::new();
    for word in words {
        if !line.is_empty() && column + 3 + line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    for line in lines {
        spaces(column, out);
        out.extend([" * ", &line, "\n"]);
    }
    spaces(column, out);
    out.push_str(" */\n");
}

fn class_at(class: &Class, column: usize, out: &mut String) {
    documentation(&class.comments, column, out);
    spaces(column, out);
    out.extend([&class.head, " {\n"]);
    let mut before: Option<&Member> = None;
    for member in &class.members {
        let is_field = |member: &Member| matches!(member, Member::Field { annotation: None, .. });
        if before.is_some_and(|before| !is_field(before) || !is_field(member)) {
            out.push('\n');
        }
        before = Some(member);
        member_at(member, column + 2, out);
    }
    spaces(column, out);
    out.push_str("}\n");
}

fn member_at(member: &Member, column: usize, out: &mut String) {
    match member {
        Member::Class(class) => class_at(class, column, out),
        Member::Text(text) => {
            for line in text.lines() {
                if !line.is_empty() {
                    spaces(column, out);
                }
                out.extend([line, "\n"]);
            }
        }
        Member::Field { annotation, text } => {
            if let Some((name, elements)) = annotation {
                let flat = format!("@{name}({})", elements.join(", "));
                spaces(column, out);
                let has_array = elements.iter().any(|element| element.contains("= {"));
                if has_array || column + flat.chars().count() > 100 {
                    out.extend(["@", name, "("]);
                    for (at, element) in elements.iter().enumerate() {
                        out.push_str(if at == 0 { "\n" } else { ",\n" });
                        spaces(column + 4, out);
                        out.push_str(element);
                    }
                    out.push_str(")\n");
                } else {
                    out.extend([&flat, "\n"]);
                }
            }
            spaces(column, out);
            out.extend([text, "\n"]);
        }
        Member::Method { comments, head, parameters, body } => {
            documentation(comments, column, out);
            let mut builder = Builder::new();
            builder.open(4);
            builder.text(format!("{head}("));
            if !parameters.is_empty() {
                builder.unified("");
                builder.open(0);
                for (at, parameter) in parameters.iter().enumerate() {
                    if at > 0 {
                        builder.text(",");
                        builder.unified(" ");
                    }
                    builder.text(parameter);
                }
                builder.close();
            }
            builder.text(")");
            builder.close();
            builder.text(" {");
            spaces(column, out);
            out.push_str(&builder.print(column));
            if body.iter().all(|statement| *statement == Stmt::Blank) {
                out.push_str("}\n");
                return;
            }
            out.push('\n');
            block(body, column + 2, out);
            spaces(column, out);
            out.push_str("}\n");
        }
    }
}

/// Statements at a column, each on lines of its own.
fn block(body: &[Stmt], column: usize, out: &mut String) {
    let mut is_first = true;
    let mut blank = false;
    for statement in body {
        if *statement == Stmt::Blank {
            blank = !is_first;
            continue;
        }
        if blank {
            out.push('\n');
        }
        (is_first, blank) = (false, false);
        spaces(column, out);
        let mut builder = Builder::new();
        stmt(statement, &mut builder);
        out.push_str(&builder.print(column));
        out.push('\n');
    }
}

/// The statements of a block inside of a document.
fn inner_block(body: &[Stmt], builder: &mut Builder) {
    if body.iter().all(|statement| *statement == Stmt::Blank) {
        builder.text("{}");
        return;
    }
    builder.open(0);
    builder.open(2);
    builder.text("{");
    for statement in body {
        if *statement != Stmt::Blank {
            builder.forced();
            stmt(statement, builder);
        }
    }
    builder.close();
    builder.forced();
    builder.close();
    builder.text("}");
}

pub(super) fn comment(lines: &[String], builder: &mut Builder) {
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            builder.forced();
        }
        let line = line.trim_end();
        let space = if line.is_empty() || line.starts_with([' ', '\t']) { "" } else { " " };
        // Java reads escapes in comments as well.
        let line = line.replace("\\u", "\\ u");
        builder.comment(format!("//{space}{line}").trim_end());
    }
}

fn stmt(statement: &Stmt, builder: &mut Builder) {
    match statement {
        Stmt::Evaluate(value) => {
            expr(value, builder);
            builder.text(";");
        }
        Stmt::Define { ty, name, value } => {
            declaration(
                &format!("final {ty}"),
                name,
                value.as_ref().map(|value| ("=", value)),
                builder,
            );
            builder.text(";");
        }
        Stmt::Assign { target, value } => {
            builder.open(4);
            builder.text(format!("{target} ="));
            builder.unified(" ");
            expr(value, builder);
            builder.close();
            builder.text(";");
        }
        Stmt::If { condition, body, otherwise } => {
            builder.open(0);
            builder.text("if (");
            expr(condition, builder);
            builder.text(") ");
            inner_block(body, builder);
            match &otherwise[..] {
                [] => {}
                [only @ Stmt::If { .. }] => {
                    builder.text(" else ");
                    stmt(only, builder);
                }
                body => {
                    builder.text(" else ");
                    inner_block(body, builder);
                }
            }
            builder.close();
        }
        Stmt::For { name, over, body } => {
            builder.open(0);
            builder.text("for (");
            builder.open(0);
            declaration("final var", name, Some((":", over)), builder);
            builder.close();
            builder.text(")");
            builder.close();
            builder.text(" ");
            inner_block(body, builder);
        }
        Stmt::Return(value) => {
            builder.text("return ");
            expr(value, builder);
            builder.text(";");
        }
        Stmt::Comment(lines) => comment(lines, builder),
        Stmt::Blank => {}
    }
}

/// A variable with its type, and its value behind `sign`.
fn declaration(ty: &str, name: &str, value: Option<(&str, &Expr)>, builder: &mut Builder) {
    builder.open(4);
    builder.open(0);
    super::generics::ty(ty, builder);
    let tag = builder.named(true, " ");
    builder.text(name);
    builder.close();
    if let Some((sign, value)) = value {
        builder.text(format!(" {sign}"));
        builder.open(Indent::if_broken(tag, 4, 0));
        builder.independent(" ");
        expr(value, builder);
        builder.close();
    }
    builder.close();
}

/// The binding of an operator, from the loosest to the tightest.
fn precedence(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "==" | "!=" => 3,
        "+" | "-" => 5,
        "*" | "/" | "%" => 6,
        _ => 4,
    }
}

/// The binding of an expression as an operand.
fn binding(value: &Expr) -> u8 {
    match value {
        Expr::Lambda { .. } | Expr::Conditional(_) => 0,
        Expr::Binary(operator, ..) => precedence(operator),
        Expr::Unary(..) | Expr::Cast(..) => 7,
        Expr::Text(text) if text.starts_with('-') => 7,
        _ => 8,
    }
}

/// An expression, in parentheses if it binds less tightly than `least`.
pub(super) fn operand(value: &Expr, least: u8, builder: &mut Builder) {
    if binding(value) < least {
        builder.text("(");
        expr(value, builder);
        builder.text(")");
    } else {
        expr(value, builder);
    }
}

fn expr(value: &Expr, builder: &mut Builder) {
    match value {
        Expr::Text(text) if is_path(text) && text.contains('.') => chain(value, builder),
        Expr::Text(text) => builder.text(text),
        Expr::Call { .. } | Expr::Field(..) => chain(value, builder),
        Expr::New { class, arguments: given } => {
            builder.open(0);
            builder.text(format!("new {class}"));
            arguments(given, 4, builder);
            builder.close();
        }
        Expr::Lambda { parameters, body } => {
            builder.text(format!("{parameters} ->"));
            match &**body {
                Body::Value(value) => {
                    builder.open(4);
                    builder.unified(" ");
                    expr(value, builder);
                }
                Body::Block(body) => {
                    builder.open(0);
                    builder.text(" ");
                    inner_block(body, builder);
                }
            }
            builder.close();
        }
        Expr::Conditional(parts) => {
            let [condition, if_true, if_false] = &**parts;
            builder.open(4);
            operand(condition, 1, builder);
            builder.unified(" ");
            builder.text("? ");
            operand(if_true, 1, builder);
            builder.unified(" ");
            builder.text(": ");
            operand(if_false, 1, builder);
            builder.close();
        }
        Expr::Cast(ty, value) => {
            builder.open(4);
            builder.text(format!("({ty})"));
            builder.unified(" ");
            operand(value, 7, builder);
            builder.close();
        }
        Expr::Unary(operator, value) => {
            builder.text(*operator);
            let doubles = match &**value {
                Expr::Unary(inner, _) => inner == operator,
                Expr::Text(text) => text.starts_with(operator),
                _ => false,
            };
            operand(value, if doubles { 9 } else { 7 }, builder);
        }
        Expr::Binary(operator, left, right) => {
            let own = precedence(operator);
            let mut operands = Vec::new();
            let mut operators = Vec::new();
            infix(value, own, &mut operands, &mut operators);
            let is_short = operands.iter().all(|(value, least)| {
                let width = width(value);
                let width = if binding(value) < *least { width + 2 } else { width };
                width < SHORT
            });
            let _ = (left, right);
            builder.open(4);
            for (at, (value, least)) in operands.iter().enumerate() {
                if at > 0 {
                    builder.fill(is_short, " ");
                    builder
                        .text(format!("{} ", operators.get(at - 1).copied().unwrap_or_default()));
                }
                operand(value, *least, builder);
            }
            builder.close();
        }
    }
}

/// The operands of operators that bind alike, each with the binding that it needs.
fn infix<'e>(
    value: &'e Expr,
    own: u8,
    operands: &mut Vec<(&'e Expr, u8)>,
    operators: &mut Vec<&'static str>,
) {
    match value {
        Expr::Binary(operator, left, right) if precedence(operator) == own => {
            match &**left {
                Expr::Binary(inner, ..) if precedence(inner) == own => {
                    infix(left, own, operands, operators);
                }
                left => operands.push((left, own)),
            }
            operators.push(operator);
            operands.push((right, own + 1));
        }
        value => operands.push((value, own)),
    }
}

/// The width below which values are put on lines one after the other.
const SHORT: usize = 10;

/// The width of an expression on one line, up to one that is not short.
pub(super) fn width(value: &Expr) -> usize {
    match value {
        Expr::Text(text) => text.chars().count(),
        Expr::Unary(operator, value) => operator.len() + width(value),
        Expr::Binary(..) | Expr::New { .. } | Expr::Cast(..) => {
            let mut builder = Builder::new();
            expr(value, &mut builder);
            builder.print(0).chars().count()
        }
        Expr::Field(source, name) => width(source) + 1 + name.chars().count(),
        Expr::Call { source, name, arguments, .. } => {
            let source = source.as_ref().map_or(0, |source| width(source) + 1);
            let inner: usize = arguments.iter().map(|argument| width(argument) + 2).sum();
            let inner = inner.saturating_sub(2);
            source + name.chars().count() + 2 + inner
        }
        _ => SHORT,
    }
}

pub(super) fn arguments(given: &[Expr], indent: impl Into<Indent>, builder: &mut Builder) {
    builder.open(indent);
    builder.text("(");
    if let Some((first, rest)) = given.split_first() {
        builder.unified("");
        if !rest.is_empty() && is_format(first) {
            builder.open(0);
            expr(first, builder);
            builder.text(",");
            builder.unified(" ");
            builder.open(0);
            argument_list(rest, builder);
            builder.close();
            builder.close();
        } else {
            argument_list(given, builder);
        }
    }
    builder.text(")");
    builder.close();
}

fn argument_list(given: &[Expr], builder: &mut Builder) {
    builder.open(0);
    let is_short = given.iter().all(|value| width(value) < SHORT);
    for (at, value) in given.iter().enumerate() {
        if at > 0 {
            builder.text(",");
            builder.fill(is_short, " ");
        }
        expr(value, builder);
    }
    builder.close();
}

/// Returns true for a text with places for values.
fn is_format(value: &Expr) -> bool {
    let Expr::Text(text) = value else { return false };
    let digits = |rest: &str| {
        let mut chars = rest.chars();
        chars.next().is_some_and(|c| c.is_ascii_digit()) && chars.next() == Some('}')
    };
    text.starts_with('"') && (text.contains('%') || text.split('{').skip(1).any(digits))
}
