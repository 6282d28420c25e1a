//! Files that are not PCL at all: YAML, JSON, Puppet manifests, Pascal programs.
//!
//! Only a file with errors is examined, so that no valid program is taken for something else.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::yaml_value::key_of;
use crate::encoding::PLACEHOLDER;
use crate::kind::SyntaxKind as K;
use crate::language::Language;

/// The most lines that decide what a file is.
const LINES: usize = 400;

/// A whole file in another language.
pub(super) fn recognise(source: &str) -> Option<Habit> {
    if is_utf16(source) {
        let whole = TextRange::new(0, source.len() as u32);
        let habit = Habit::new(Code::ForeignEncoding, TextRange::empty(0));
        return Some(habit.read(whole, K::Foreign));
    }
    language(source)?;
    Some(whole_file(source))
}

/// The report of a file in another language, which blames its first line.
pub(super) fn whole_file(source: &str) -> Habit {
    let text = source.trim_start_matches('\u{FEFF}').trim_start();
    let start = source.len() - text.len();
    let line = text.lines().next().unwrap_or_default().trim_end();
    let first = TextRange::new(start as u32, (start + line.len()) as u32);
    let whole = TextRange::new(start as u32, (start + text.trim_end().len()) as u32);
    Habit::new(Code::ForeignFile, first).read(whole, K::Foreign)
}

/// Returns whether every second byte at the start of a text is zero, or some are behind the byte
/// order mark of UTF-16, whose bytes are not UTF-8.
fn is_utf16(source: &str) -> bool {
    let start = source
        .as_bytes()
        .get(..source.len().min(64))
        .unwrap_or_default();
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    let has_mark = source.chars().take_while(|&c| c == PLACEHOLDER).count() > 1;
    zeros > 1 && zeros * 3 >= start.len() || zeros > 0 && has_mark
}

/// The language of a text that is not PCL.
pub(crate) fn language(text: &str) -> Option<Language> {
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    let lines = || text.lines().take(LINES);
    if is_json(text) {
        return Some(Language::Json);
    }
    if is_pascal(text) {
        return Some(Language::Pascal);
    }
    if lines().any(is_puppet) {
        return Some(Language::Puppet);
    }
    yaml(lines())
}

/// A brace or bracket that begins a file, with what JSON has behind it.
fn is_json(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['{', '[']) else {
        return false;
    };
    let rest = rest.trim_start();
    match rest.strip_prefix('"') {
        Some(rest) => rest
            .split_once('"')
            .is_some_and(|(_, rest)| rest.trim_start().starts_with([':', ',', ']'])),
        None => rest.starts_with(['{', '}', ']', '[']),
    }
}

/// A line in column 0 that only Puppet has.
fn is_puppet(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(first), second) = (words.next(), words.next().unwrap_or_default()) else {
        return false;
    };
    if line.starts_with([' ', '\t']) {
        return false;
    }
    let rest = line.split(" #").next().unwrap_or(line).trim_end();
    match first {
        "class" | "define" => second.contains("::") && rest.ends_with(['{', '(']) || is_class(rest),
        "node" => second.starts_with(['\'', '"', '/']) || second == "default",
        "package" | "file" | "service" | "exec" | "user" | "group" | "cron" | "notify"
        | "mount" => {
            let title = rest.split_once('{').map_or("", |(_, title)| title.trim());
            let is_quoted = title.starts_with(['\'', '"', '[']) || title.starts_with('$');
            is_quoted && title.contains(':')
        }
        _ => false,
    }
}

/// `class name {`, `class name (`, `class name inherits other {`.
fn is_class(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("class ") else {
        return false;
    };
    let name = rest.trim_end_matches(['{', '(']).trim();
    let is_name = name.split_whitespace().all(|word| {
        word.chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == ':')
    });
    rest.ends_with(['{', '(']) && is_name && !name.is_empty()
}

/// A first line such as `program Name;` or `unit Name;`, before or after comments.
fn is_pascal(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| {
        let is_comment = line.starts_with("//") || line.starts_with("(*");
        let is_braces = line.starts_with('{') && line.ends_with('}');
        !(line.is_empty() || is_comment || is_braces)
    });
    let Some(first) = lines.next() else {
        return false;
    };
    let lower = first.to_ascii_lowercase();
    let word = lower.split([' ', ';', '(']).next().unwrap_or_default();
    let begins = matches!(word, "program" | "unit" | "library" | "uses");
    let is_header = begins && !first.contains(['=', '"', '{']) && first.contains(';');
    is_header || (word == "begin" && lower == "begin")
}

/// Lines that begin a YAML document, or of which every one in column 0 is a key, an item or a
/// comment.
fn yaml<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<Language> {
    let mut keys = 0;
    let mut is_pulumi = false;
    let mut is_nested = false;
    let mut is_known = false;
    let mut begins = false;
    for (at, line) in lines.enumerate() {
        let text = line.trim_end();
        if at == 0 && (text == "---" || text.starts_with("%YAML") || text.starts_with("--- ")) {
            begins = true;
            continue;
        }
        if text.is_empty() || text.starts_with('#') || text == "---" || text == "..." {
            continue;
        }
        if text.starts_with([' ', '\t']) {
            is_nested |= keys > 0;
            continue;
        }
        if begins && keys > 0 {
            continue;
        }
        match key_of(text) {
            Some((key, value)) if !value.ends_with(['{', '(']) => {
                keys += 1;
                is_pulumi |= key == "runtime";
                is_known |= KNOWN.contains(&key);
            }
            _ if text.starts_with("- ") => {
                keys += 1;
            }
            _ => return None,
        }
    }
    let is_yaml = begins && keys > 0
        || keys > 1 && (is_nested || is_known)
        || keys == 1 && is_nested && is_known;
    match is_yaml {
        true if is_pulumi => Some(Language::PulumiYaml),
        true => Some(Language::Yaml),
        false => None,
    }
}

/// Keys at the top of well-known YAML files.
const KNOWN: &[&str] = &[
    "runtime",
    "resources",
    "apiVersion",
    "kind",
    "services",
    "outputs",
    "variables",
    "configuration",
    "config",
    "jobs",
    "on",
    "version",
    "spec",
    "metadata",
    "AWSTemplateFormatVersion",
    "Resources",
    "stages",
    "image",
    "plugins",
    "packages",
];
