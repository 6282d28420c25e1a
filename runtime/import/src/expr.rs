//! Expressions of the program, and their text.

use pcl_syntax::quoted;

use std::fmt::Write as _;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Null,
    Bool(bool),
    /// A finite number.
    Number(f64),
    Text(String),
    List(Vec<Expr>),
    /// The properties of an object type.
    Object(Vec<(String, Expr)>),
    /// The entries of a map, whose keys are quoted.
    Map(Vec<(String, Expr)>),
    /// A call of a function.
    Call(&'static str, Vec<Expr>),
    /// A configuration variable, by its place in the program.
    Config(usize),
    /// A property of a resource, which is named by its place in the program.
    Output(usize, &'static str),
    /// A resource, named by its place in the program.
    Resource(usize),
    /// Something that is written as it is.
    Raw(String),
}

/// The longest list of plain values on one line, in bytes.
const LINE: usize = 80;

/// The names of what expressions refer to.
pub(crate) trait Labels {
    /// The expression that is the resource at a place.
    fn resource(&self, at: usize) -> String;
    /// The name of the configuration variable at a place.
    fn config(&self, at: usize) -> &str;
}

impl Expr {
    /// Calls `visit` with the places of all resources that the expression refers to.
    pub fn each_resource(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Output(at, _) | Self::Resource(at) => visit(*at),
            Self::List(parts) | Self::Call(_, parts) => {
                parts.iter().for_each(|part| part.each_resource(visit));
            }
            Self::Object(entries) | Self::Map(entries) => {
                entries
                    .iter()
                    .for_each(|(_, part)| part.each_resource(visit));
            }
            Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::Text(_)
            | Self::Config(_)
            | Self::Raw(_) => {}
        }
    }

    /// Calls `visit` with the places of the resources whose outputs the expression reads. A
    /// resource that is passed as a whole is no dependency.
    pub fn each_dependency(&self, visit: &mut impl FnMut(usize)) {
        match self {
            Self::Output(at, _) => visit(*at),
            Self::List(parts) | Self::Call(_, parts) => {
                parts.iter().for_each(|part| part.each_dependency(visit));
            }
            Self::Object(entries) | Self::Map(entries) => {
                entries
                    .iter()
                    .for_each(|(_, part)| part.each_dependency(visit));
            }
            _ => {}
        }
    }

    /// Returns true for an expression on one line.
    fn is_plain(&self) -> bool {
        !matches!(self, Self::Object(entries) | Self::Map(entries) if !entries.is_empty())
            && match self {
                Self::List(parts) => parts.is_empty(),
                Self::Call(_, parts) => parts.iter().all(Self::is_plain),
                _ => true,
            }
    }

    /// Writes the expression. The layout is that of the formatter.
    pub fn write(&self, out: &mut String, labels: &impl Labels) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(value) => number(out, *value),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::List(parts) => list(out, parts, labels),
            Self::Object(entries) => {
                object(out, entries, labels, |key| !pcl_syntax::is_identifier(key))
            }
            Self::Map(entries) => object(out, entries, labels, |_| true),
            Self::Call(name, arguments) => {
                out.push_str(name);
                out.push('(');
                for (at, argument) in arguments.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    argument.write(out, labels);
                }
                out.push(')');
            }
            Self::Config(at) => out.push_str(labels.config(*at)),
            Self::Output(at, property) => {
                out.push_str(&labels.resource(*at));
                out.push('.');
                out.push_str(property);
            }
            Self::Resource(at) => out.push_str(&labels.resource(*at)),
            Self::Raw(text) => out.push_str(text),
        }
    }
}

fn list(out: &mut String, parts: &[Expr], labels: &impl Labels) {
    let start = out.len();
    out.push('[');
    if parts.iter().all(Expr::is_plain) {
        for (at, part) in parts.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            part.write(out, labels);
        }
        if out.len() - start <= LINE {
            out.push(']');
            return;
        }
        out.truncate(start + 1);
    }
    for part in parts {
        out.push('\n');
        part.write(out, labels);
        out.push(',');
    }
    out.push_str("\n]");
}

fn object(
    out: &mut String,
    entries: &[(String, Expr)],
    labels: &impl Labels,
    is_quoted: impl Fn(&str) -> bool,
) {
    out.push('{');
    for (key, value) in entries {
        out.push('\n');
        if is_quoted(key) {
            out.push_str(&quoted(key))
        } else {
            out.push_str(key)
        }
        out.push_str(" = ");
        value.write(out, labels);
    }
    out.push_str(if entries.is_empty() { "}" } else { "\n}" });
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
