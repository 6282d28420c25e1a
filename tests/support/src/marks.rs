//! The comments of example programs that assert something: marks. `tests/spec/README.md` says how
//! they are written.

use pcl::diagnostics::Code;
use serde_json::Value;

use crate::{position, text};

/// An assertion about one line of a program.
#[derive(Debug)]
pub enum Mark {
    /// A diagnostic begins on the line.
    Diagnostic(Announced),
    /// The value of the attribute, or the block, on the line has this type.
    Type(String),
    /// The value that begins on the line is this after the lowering passes.
    Lowered(String),
    /// The node that begins on the line refers to these nodes, in this order.
    Needs(String),
    /// The local that begins on the line has this value when the program runs.
    Value(String),
}

/// A diagnostic as a mark announces it.
#[derive(Debug)]
pub struct Announced {
    /// The kind of its mark, which says whose verdict shows it.
    kind: &'static str,
    severity: String,
    code: Code,
    columns: Option<(usize, usize)>,
    /// A part of the message.
    words: Option<String>,
}

/// A verdict that a program is checked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every check.
    Ours,
    /// The checks of Pulumi's binder only, `--compat pulumi`.
    Pulumi,
}

/// The words that a mark begins with.
const KINDS: [&str; 8] =
    ["error", "warning", "ours", "pulumi", "type", "lowered", "needs", "value"];

/// The marks of a file, each with its line, from 1.
pub fn marks(source: &str) -> Vec<(usize, Mark)> {
    let (mut found, mut waiting) = (Vec::new(), Vec::new());
    for (index, line) in source.lines().enumerate() {
        let here = marks_of_line(line);
        if !here.is_empty() && line.trim_start().starts_with('#') {
            waiting.extend(here);
            continue;
        }
        let about = waiting.drain(..).chain(here);
        found.extend(about.map(|mark| (index + 1, mark)));
    }
    assert!(waiting.is_empty(), "a mark that is about no line");
    found
}

/// The marks that are written on a line.
fn marks_of_line(line: &str) -> Vec<Mark> {
    let mut starts: Vec<(usize, &'static str)> = Vec::new();
    for (at, _) in line.match_indices('#') {
        let first = line[at + 1..].split_whitespace().next().unwrap_or_default();
        // A comment that begins like a mark is one, lest a typing error asserts nothing.
        if let Some(word) = first.strip_suffix(':').filter(|&word| word != "pcl") {
            let kind = KINDS.into_iter().find(|&kind| kind == word);
            starts.push((at, kind.unwrap_or_else(|| panic!("not a mark: {line}"))));
        }
    }
    let next = starts.iter().skip(1).map(|&(at, _)| at);
    let parts = starts.iter().zip(next.chain([line.len()]));
    let mark = |(&(start, kind), end): (&(usize, &'static str), usize)| {
        let (_, rest) = line[start..end].split_once(':').expect("a kind and a colon");
        mark(kind, rest.trim()).unwrap_or_else(|| panic!("not a mark: {line}"))
    };
    parts.map(mark).collect()
}

/// Reads what follows the colon of a mark.
fn mark(kind: &'static str, rest: &str) -> Option<Mark> {
    match kind {
        "type" => Some(Mark::Type(rest.to_owned())),
        "lowered" => Some(Mark::Lowered(rest.to_owned())),
        "needs" => Some(Mark::Needs(rest.to_owned())),
        "value" => Some(Mark::Value(rest.to_owned())),
        "ours" | "pulumi" => {
            let (severity, rest) = rest.split_once(' ')?;
            let is_known = matches!(severity, "error" | "warning");
            is_known.then(|| announced(kind, severity, rest))?
        }
        severity => announced(kind, severity, rest),
    }
}

/// Reads `[PCL0301 type-not-assignable] 5..9 "words"`. The columns and the words may be missing.
fn announced(kind: &'static str, severity: &str, rest: &str) -> Option<Mark> {
    let (named, rest) = rest.strip_prefix('[')?.split_once(']')?;
    let (id, name) = named.split_once(' ')?;
    let code = Code::ALL.iter().find(|code| code.id() == id)?;
    assert_eq!(code.name(), name, "the name of {id}");
    let (columns, words) = match rest.split_once('"') {
        Some((columns, words)) => (columns.trim(), Some(words.strip_suffix('"')?.to_owned())),
        None => (rest.trim(), None),
    };
    let columns = match columns.split_once("..") {
        Some((start, end)) => Some((start.parse().ok()?, end.parse().ok()?)),
        None if columns.is_empty() => None,
        None => return None,
    };
    Some(Mark::Diagnostic(Announced {
        kind,
        severity: severity.to_owned(),
        code: *code,
        columns,
        words,
    }))
}

impl Announced {
    /// Returns true if it belongs to a verdict.
    pub fn is_of(&self, verdict: Verdict) -> bool {
        match self.kind {
            "ours" => verdict == Verdict::Ours,
            "pulumi" => verdict == Verdict::Pulumi,
            _ => true,
        }
    }

    /// Returns true if `found`, on `line`, is this diagnostic.
    pub fn is(&self, found: &Value, line: usize) -> bool {
        let range = &found["range"];
        let column = |end| position(range, end, "column");
        let message = text(found, "message");
        position(range, "start", "line") == line
            && text(found, "severity") == self.severity
            && text(found, "code") == self.code.id()
            && self.words.iter().all(|words| message.contains(words))
            && self.columns.is_none_or(|columns| columns == (column("start"), column("end")))
    }
}
