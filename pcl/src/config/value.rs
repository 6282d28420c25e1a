//! The check of a value against the kind of its setting.

use std::path::Path;

use pcl_binder::edition::OldestPulumi;
use pcl_diagnostics::{Code, Diagnostic, Fix, Selector, Span, TextEdit, TextRange, suggest};
use pcl_schema::parse_version;
use serde::Serialize;

use super::key::{Key, Kind, LEVELS, OF_FILES, Row, TABLE};
use super::node::{Data, Key as NodeKey, Node};
use crate::config::selectors::{WrongSelector, listed, selector, selector_of_lints};
use crate::render::DocsUrl;

/// A value of a setting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A bool.
    Bool(bool),
    /// A word, a version or an address.
    Text(String),
    /// A whole number.
    Number(u64),
    /// A list of words, names, paths or patterns.
    List(Vec<String>),
    /// A table, by position in the file.
    #[serde(serialize_with = "table")]
    Table(Vec<(String, String)>),
}

fn table<S: serde::Serializer>(
    entries: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
}

/// The source of the values that are checked.
pub(super) struct Context<'a> {
    /// The place of a range.
    pub place: &'a dyn Fn(TextRange) -> Span,
    /// The directory that paths are relative to, and set if the source is a file of a repository,
    /// which may be hostile.
    pub directory: &'a Path,
    pub is_project: bool,
    /// Set if the source is YAML, for examples.
    pub is_yaml: bool,
}

impl Context<'_> {
    /// An example of a setting in the language of the source.
    fn example(&self, row: &Row) -> String {
        let example = format!("{} = {}", row.name, row.example);
        if self.is_yaml { example.replace(" = ", ": ") } else { example }
    }
}

/// A setting with its value, and the place of its name.
pub(super) type Setting = (Key, Value, TextRange);

/// Checks the settings of a table. A file has more of them, which the caller takes out.
pub(super) fn settings(
    context: &Context<'_>,
    entries: Vec<(NodeKey, Node)>,
) -> (Vec<Setting>, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let mut diagnostics = Vec::new();
    for (name, node) in entries {
        let span = (context.place)(name.range);
        let Some(key) = Key::parse(&name.text) else {
            diagnostics.push(unknown(context, span, &name.text));
            continue;
        };
        if node.data == Data::Null {
            continue;
        }
        let row = key.row();
        if row.is_trusted && context.is_project {
            diagnostics.push(untrusted(span, row.name, &key.variable()));
            continue;
        }
        match check(context, row, node) {
            Ok(value) => found.push((key, value, name.range)),
            Err(more) => diagnostics.extend(more),
        }
    }
    (found, diagnostics)
}

fn unknown(context: &Context<'_>, span: Span, name: &str) -> Diagnostic {
    let of_files = OF_FILES.iter().filter(|_| context.is_project);
    let foreign = of_files.clone().find(|(_, aliases)| aliases.contains(&name));
    let names = TABLE.iter().map(|row| row.name).chain(of_files.map(|(name, _)| *name));
    let known = foreign.map(|(name, _)| *name).or_else(|| alias(name));
    unknown_setting(span, name, known.or_else(|| suggest(name, names)))
}

/// The setting that another tool calls by a name.
pub(super) fn alias(name: &str) -> Option<&'static str> {
    let name = name.replace('_', "-");
    let row = TABLE.iter().find(|row| row.aliases.contains(&name.as_str()))?;
    Some(row.name)
}

/// Checks a value; every part of it that is wrong is a diagnostic.
pub(super) fn check(
    context: &Context<'_>,
    row: &'static Row,
    node: Node,
) -> Result<Value, Vec<Diagnostic>> {
    let place = |range| (context.place)(range);
    let wrong = |range, expected: &str, found: &str| {
        vec![wrong_kind(place(range), row.name, expected, found, &context.example(row))]
    };
    let mut diagnostics = Vec::new();
    let value = match (row.kind, node.data) {
        (Kind::Bool, Data::Bool(value)) => Value::Bool(value),
        (Kind::Limit, Data::Integer(value)) => match u64::try_from(value) {
            Ok(value) => {
                if context.is_project && row.exceeds_default(value) {
                    let place = place(node.range);
                    diagnostics.push(raised(place, row.name, row.default, &row.key.variable()));
                }
                Value::Number(value)
            }
            Err(_) => return Err(wrong(node.range, row.kind.expected(), "a negative number")),
        },
        (Kind::Word(_) | Kind::Version | Kind::Url | Kind::Address, Data::Text(text)) => {
            diagnostics.extend(item(context, row, node.range, &text));
            Value::Text(text)
        }
        (
            Kind::Words(_) | Kind::Lints | Kind::Selectors | Kind::Directories | Kind::Patterns,
            Data::List(items),
        ) => {
            let mut texts = Vec::new();
            for each in items {
                match each.data {
                    Data::Text(text) => {
                        diagnostics.extend(item(context, row, each.range, &text));
                        texts.push(text);
                    }
                    other => diagnostics.extend(wrong(each.range, "a string", other.kind())),
                }
            }
            Value::List(texts)
        }
        (Kind::Levels | Kind::SchemaFiles, Data::Table(items)) => {
            let mut entries = Vec::new();
            for (name, each) in items {
                match each.data {
                    Data::Text(text) => {
                        diagnostics.extend(entry(context, row, &name, each.range, &text));
                        entries.push((name.text, text));
                    }
                    other => diagnostics.extend(wrong(each.range, "a string", other.kind())),
                }
            }
            Value::Table(entries)
        }
        (kind, other) => return Err(wrong(node.range, kind.expected(), other.kind())),
    };
    if diagnostics.is_empty() { Ok(value) } else { Err(diagnostics) }
}

/// Checks a string.
fn item(context: &Context<'_>, row: &Row, range: TextRange, text: &str) -> Option<Diagnostic> {
    let span = (context.place)(range);
    let fails = |reason: &str| wrong_value(span, row.name, text, reason, &context.example(row));
    match row.kind {
        Kind::Word(words) | Kind::Words(words) => {
            let is_known = words.contains(&text);
            (!is_known).then(|| unknown_word(span, row.name, text, words))
        }
        Kind::Lints => wrong_selector(span, selector_of_lints(text)),
        Kind::Selectors => wrong_selector(span, selector(text)),
        Kind::Version => OldestPulumi::parse(text, "").err().map(fails),
        Kind::Url => DocsUrl::parse(text).err().map(fails),
        Kind::Address => {
            let is_address = text
                .rsplit_once(':')
                .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
            (!is_address).then(|| fails("it is not of the form `HOST:PORT`"))
        }
        Kind::Directories => {
            path(context, text, |path| path.is_dir(), "directory").map(|reason| fails(&reason))
        }
        Kind::Patterns | Kind::Bool | Kind::Limit | Kind::Levels | Kind::SchemaFiles => None,
    }
}

/// Checks an entry of a table.
fn entry(
    context: &Context<'_>,
    row: &Row,
    name: &NodeKey,
    range: TextRange,
    text: &str,
) -> Option<Diagnostic> {
    let span = (context.place)(range);
    match row.kind {
        Kind::Levels => {
            wrong_selector((context.place)(name.range), selector(&name.text)).or_else(|| {
                let is_known = LEVELS.contains(&text);
                (!is_known).then(|| unknown_word(span, &name.text, text, LEVELS))
            })
        }
        _ => {
            let fails =
                |reason: &str| wrong_value(span, row.name, text, reason, &context.example(row));
            if let Some((_, version)) = name.text.split_once('@')
                && parse_version(version).is_err()
            {
                let span = (context.place)(name.range);
                let reason = format!("`{version}` is not a version such as 1.2.3");
                let example = context.example(row);
                return Some(wrong_value(span, row.name, &name.text, &reason, &example));
            }
            path(context, text, |path| path.is_file(), "file").map(|reason| fails(&reason))
        }
    }
}

/// The reason why a path cannot be used.
fn path(
    context: &Context<'_>,
    text: &str,
    exists: impl Fn(&Path) -> bool,
    what: &str,
) -> Option<String> {
    if context.is_project && pcl_system::is_remote(text) {
        return Some("a path of the network cannot be set in a file of a project".to_owned());
    }
    let is_there = !text.is_empty() && exists(&context.directory.join(text));
    (!is_there).then(|| format!("there is no such {what}"))
}

fn wrong_selector(span: Span, read: Result<Selector, WrongSelector>) -> Option<Diagnostic> {
    Some(selects_nothing(span, read.err()?))
}

/// A name that is not that of a setting.
pub(super) fn unknown_setting(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("unknown setting `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownSetting, span, message).ours();
    match meant {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).fix(Fix::respelled(
            name,
            meant,
            format!("rename to `{meant}`"),
            vec![TextEdit::replace(span, meant)],
        )),
        None => diagnostic.help("`pcl config show` lists the settings"),
    }
}

/// A setting that executes something or uses the network, in a file of a project.
fn untrusted(span: Span, name: &str, variable: &str) -> Diagnostic {
    let message = format!("`{name}` cannot be set in a file of a project");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .note("a repository that was checked out cannot start programs or use the network")
        .help(format!("remove it, and use `--{name}` or the environment variable `{variable}`"))
        .ours()
}

/// A limit that is higher than the default, in a file of a project.
fn raised(span: Span, name: &str, default: &str, variable: &str) -> Diagnostic {
    let message = format!("a file of a project can only lower `{name}`, which is {default}");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .note("the limits protect those who run a program that they have not read")
        .help(format!("remove it, and use `--{name}` or the environment variable `{variable}`"))
        .ours()
}

/// A value of the wrong kind.
pub(crate) fn wrong_kind(
    span: Span,
    name: &str,
    expected: &str,
    found: &str,
    example: &str,
) -> Diagnostic {
    let message = format!("`{name}` expects {expected}, found {found}");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .help(format!("write, for example, `{example}`"))
        .ours()
}

/// A table without a key that it needs.
pub(super) fn missing_key(span: Span, table: &str, key: &str, example: &str) -> Diagnostic {
    let message = format!("{table} needs `{key}`");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .help(format!("write, for example, `{example}`"))
        .ours()
}

/// A string that the setting does not take.
pub(super) fn wrong_value(
    span: Span,
    name: &str,
    text: &str,
    reason: &str,
    example: &str,
) -> Diagnostic {
    let message = format!("`{text}` is not valid for `{name}`: {reason}");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .help(format!("write, for example, `{example}`"))
        .ours()
}

/// A word that is not one of `words`.
fn unknown_word(span: Span, name: &str, text: &str, words: &[&str]) -> Diagnostic {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    let message = format!("`{name}` expects {}, found `{text}`", listed(&quoted, "or"));
    let diagnostic = Diagnostic::error(Code::InvalidConfiguration, span, message).ours();
    let level = match text {
        "warning" => Some("warn"),
        "off" | "none" | "allow" => Some("ignore"),
        "deny" | "on" => Some("error"),
        _ => None,
    };
    let level = level.filter(|level| words.contains(level));
    match level.or_else(|| suggest(text, words.iter().copied())) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")),
        None => diagnostic,
    }
}

/// A name that selects no code, or none that the setting takes.
fn selects_nothing(span: Span, wrong: WrongSelector) -> Diagnostic {
    Diagnostic::error(Code::InvalidConfiguration, span, wrong.message).help(wrong.help).ours()
}
