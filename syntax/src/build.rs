//! Building PCL: expressions, and their text. Programs that exist are edited as text.
//!
//! ```
//! use pcl_syntax::build::Expr;
//!
//! let tags = Expr::Map(vec![("a b".to_owned(), Expr::Text("$${x}".to_owned()))]);
//! let call = <Expr>::Call("secret", vec![tags]);
//! assert_eq!(call.text(), "secret({\n\"a b\" = \"$\\u0024{x}\"\n})");
//! ```

use std::convert::Infallible;
use std::fmt::Write as _;

use crate::{is_identifier, quoted};

/// An expression that refers to what `R` names.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr<R = Infallible> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A string, which means exactly this text.
    Text(String),
    /// `[..]`
    List(Vec<Self>),
    /// The properties of an object type.
    Object(Vec<(String, Self)>),
    /// The properties of an object type, on one line. In a list, each has a line of its own.
    Row(Vec<(String, Self)>),
    /// The entries of a map, whose keys are quoted.
    Map(Vec<(String, Self)>),
    /// A call of a function.
    Call(&'static str, Vec<Self>),
    /// A reference, whose text is known when the expression is written.
    Reference(R),
    /// Something that is written as it is.
    Raw(String),
    /// A heredoc, whose end has its line for itself.
    Heredoc(String),
    /// An element of a list or a value of an object, with comments above it and behind it.
    Commented {
        /// The lines above, with their signs.
        above: Vec<String>,
        /// The value.
        value: Box<Self>,
        /// The comment on the same line, with its sign.
        behind: Option<String>,
    },
}

/// The longest list of plain values on one line, in bytes.
const LINE: usize = 80;

impl Expr {
    /// The text of an expression without references.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &|reference: &Infallible| match *reference {});
        out
    }
}

impl<R> Expr<R> {
    /// Calls `visit` with every reference.
    pub fn each_reference(&self, visit: &mut impl FnMut(&R)) {
        match self {
            Self::Reference(reference) => visit(reference),
            Self::List(parts) | Self::Call(_, parts) => {
                parts.iter().for_each(|part| part.each_reference(visit));
            }
            Self::Object(entries) | Self::Row(entries) | Self::Map(entries) => {
                entries.iter().for_each(|(_, part)| part.each_reference(visit));
            }
            Self::Commented { value, .. } => value.each_reference(visit),
            _ => {}
        }
    }

    /// Returns true for an expression on one line.
    fn is_plain(&self) -> bool {
        match self {
            Self::Object(entries) | Self::Map(entries) => entries.is_empty(),
            Self::List(parts) => parts.is_empty(),
            Self::Row(_) | Self::Heredoc(_) | Self::Commented { .. } => false,
            Self::Call(_, parts) => parts.iter().all(Self::is_plain),
            _ => true,
        }
    }

    /// Returns true if nothing may follow on the line.
    fn ends_line(&self) -> bool {
        match self {
            Self::Heredoc(_) => true,
            Self::Commented { value, .. } => value.ends_line(),
            _ => false,
        }
    }

    /// The comments above the expression and behind it.
    fn comments(&self) -> (&[String], Option<&str>) {
        match self {
            Self::Commented { above, behind, .. } => (above, behind.as_deref()),
            _ => (&[], None),
        }
    }

    /// Writes the expression, with the texts that `name` gives references. The lines are those of
    /// the formatter, without their indentation.
    pub fn write(&self, out: &mut String, name: &impl Fn(&R) -> String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(value) => number(out, *value),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(parts) => list(out, parts, name),
            Self::Object(entries) => object(out, entries, name, is_quoted),
            Self::Row(entries) => row(out, entries, name),
            Self::Map(entries) => object(out, entries, name, |_| true),
            Self::Call(function, arguments) => {
                out.push_str(function);
                out.push('(');
                for (at, argument) in arguments.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    argument.write(out, name);
                    out.push_str(if argument.ends_line() { "\n" } else { "" });
                }
                out.push(')');
            }
            Self::Reference(reference) => out.push_str(&name(reference)),
            Self::Raw(text) | Self::Heredoc(text) => out.push_str(text),
            Self::Commented { value, .. } => value.write(out, name),
        }
    }
}

fn list<R>(out: &mut String, parts: &[Expr<R>], name: &impl Fn(&R) -> String) {
    let start = out.len();
    out.push('[');
    if parts.iter().all(Expr::is_plain) {
        for (at, part) in parts.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            part.write(out, name);
        }
        if out.len() - start <= LINE {
            out.push(']');
            return;
        }
        out.truncate(start + 1);
    }
    for (at, part) in parts.iter().enumerate() {
        let (above, behind) = part.comments();
        above.iter().for_each(|comment| line(out, comment));
        out.push('\n');
        part.write(out, name);
        let is_last = at + 1 == parts.len() && behind.is_none();
        if !part.ends_line() {
            out.push(',');
        } else if !is_last {
            out.push_str("\n,");
        }
        behind_value(out, behind);
    }
    out.push_str("\n]");
}

fn object<R>(
    out: &mut String,
    entries: &[(String, Expr<R>)],
    name: &impl Fn(&R) -> String,
    is_quoted: impl Fn(&str) -> bool,
) {
    out.push('{');
    for (key, value) in entries {
        let (above, behind) = value.comments();
        above.iter().for_each(|comment| line(out, comment));
        out.push('\n');
        entry(out, key, value, name, is_quoted(key));
        behind_value(out, behind);
    }
    out.push_str(if entries.is_empty() { "}" } else { "\n}" });
}

fn line(out: &mut String, text: &str) {
    out.push('\n');
    out.push_str(text);
}

fn behind_value(out: &mut String, comment: Option<&str>) {
    if let Some(comment) = comment {
        out.push(' ');
        out.push_str(comment);
    }
}

fn entry<R>(
    out: &mut String,
    key: &str,
    value: &Expr<R>,
    name: &impl Fn(&R) -> String,
    is_quoted: bool,
) {
    if is_quoted {
        out.push_str(&quoted(key))
    } else {
        out.push_str(key)
    }
    out.push_str(" = ");
    value.write(out, name);
}

/// Returns true if a property is written in quotes.
fn is_quoted(key: &str) -> bool {
    !is_identifier(key) || matches!(key, "true" | "false" | "null")
}

fn row<R>(out: &mut String, entries: &[(String, Expr<R>)], name: &impl Fn(&R) -> String) {
    for (at, (key, value)) in entries.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "{ " });
        entry(out, key, value, name, is_quoted(key));
    }
    out.push_str(if entries.is_empty() { "{}" } else { " }" });
}

/// Writes a number with the fewest digits that give it back, as Go writes it.
fn number(out: &mut String, value: f64) {
    // Writing to a string does not fail.
    let _ = match value.abs() {
        size if size != 0.0 && !(1e-4..1e21).contains(&size) => {
            let text = format!("{value:e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            match exponent.strip_prefix('-') {
                Some(exponent) => write!(out, "{digits}e-{exponent:0>2}"),
                None => write!(out, "{digits}e+{exponent:0>2}"),
            }
        }
        _ => write!(out, "{value}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_follows_the_end_of_a_heredoc() {
        let text = || <Expr>::Heredoc("<<-EOT\n  a\nEOT".to_owned());
        let list = Expr::List(vec![text(), Expr::Call("secret", vec![text()]), text()]);
        let expected = "[\n<<-EOT\n  a\nEOT\n,\nsecret(<<-EOT\n  a\nEOT\n),\n<<-EOT\n  a\nEOT\n]";
        assert_eq!(list.text(), expected);
    }

    #[test]
    fn numbers_are_as_short_as_go_writes_them() {
        for (value, text) in [
            (3.0, "3"),
            (-0.5, "-0.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e-7, "1.5e-07"),
            (0.0001, "0.0001"),
            (0.0, "0"),
        ] {
            let mut out = String::new();
            number(&mut out, value);
            assert_eq!(out, text);
        }
    }
}
