//! Files that are not PCL at all: YAML, JSON, Puppet manifests, Pascal programs.
//!
//! Only a file with errors is examined, so that no valid program is taken for something else, and
//! one whose name has the extension of another language.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{PLACEHOLDER, Reading, SyntaxError, SyntaxKind as K, SyntaxTree};

use crate::habit::Habit;
use crate::yaml::key_of;

/// A file in another language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    Yaml,
    PulumiYaml,
    Json,
    Puppet,
    Pascal,
    Terraform,
    TerraformValues,
    Hcl,
    Python,
    TypeScript,
    JavaScript,
    Go,
}

/// The languages of files by their extensions.
const EXTENSIONS: &[(&str, Language)] = &[
    ("go", Language::Go),
    ("hcl", Language::Hcl),
    ("js", Language::JavaScript),
    ("json", Language::Json),
    ("py", Language::Python),
    ("tf", Language::Terraform),
    ("tfvars", Language::TerraformValues),
    ("ts", Language::TypeScript),
    ("yaml", Language::Yaml),
    ("yml", Language::Yaml),
];

/// The language that the extension of a file's name tells.
fn language_of_name(name: &str) -> Option<Language> {
    let (_, extension) = name.rsplit_once('.')?;
    let mut known = EXTENSIONS.iter();
    known.find(|(known, _)| known.eq_ignore_ascii_case(extension)).map(|&(_, language)| language)
}

/// The most lines that decide what a file is.
const LINES: usize = 400;

/// A whole file in another language.
pub(super) fn recognise(source: &str) -> Option<Habit> {
    if is_utf16(source) {
        let whole = TextRange::new(0, source.len() as u32);
        let habit = Habit::new(Code::ForeignEncoding, TextRange::empty(0))
            .message("this file is UTF-16, not UTF-8")
            .help("save the file with the encoding UTF-8");
        return Some(habit.read(whole, K::Foreign));
    }
    Some(whole_file(source, language(source)?))
}

/// The tree of a file with this name if the extension says that it is in another language: it has
/// one error, and nothing in it is read as PCL. `tree` is that of its text; what is recognised by
/// its text already, or is not text at all, stays as it is.
pub fn foreign_file(name: &str, tree: &SyntaxTree) -> Option<SyntaxTree> {
    let language = language_of_name(name)?;
    let is_known = |error: &SyntaxError| {
        matches!(error.code(), Code::ForeignFile | Code::ForeignEncoding | Code::FileTooLarge)
    };
    if tree.errors().iter().any(is_known) {
        return None;
    }
    let habit = whole_file(tree.text(), language);
    let reading = Reading { range: habit.extent(), kind: K::Foreign, error: habit.error };
    Some(tree.refused(reading, habit.note))
}

/// The report of a file in another language, which blames its first line.
fn whole_file(source: &str, language: Language) -> Habit {
    let text = source.trim_start_matches('\u{FEFF}').trim_start();
    // One without text is blamed where it begins.
    let start = if text.is_empty() { 0 } else { source.len() - text.len() };
    let text = text.trim_end();
    let line = text.lines().next().unwrap_or_default().trim_end();
    let first = TextRange::new(start as u32, (start + line.len()) as u32);
    let whole = TextRange::new(start as u32, (start + text.len()) as u32);
    let (what, help) = words(language);
    Habit::new(Code::ForeignFile, first)
        .message(format!("this file is {what}, not PCL"))
        .help(help)
        .read(whole, K::Foreign)
}

/// Returns whether every second byte at the start of a text is zero, or some are behind the byte
/// order mark of UTF-16, whose bytes are not UTF-8.
fn is_utf16(source: &str) -> bool {
    let start = source.as_bytes().get(..source.len().min(64)).unwrap_or_default();
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    let has_mark = source.chars().take_while(|&c| c == PLACEHOLDER).count() > 1;
    zeros > 1 && zeros * 3 >= start.len() || zeros > 0 && has_mark
}

/// The language of a text that is not PCL.
fn language(text: &str) -> Option<Language> {
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
    let Some(rest) = text.strip_prefix(['{', '[']) else { return false };
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
    let Some(rest) = line.strip_prefix("class ") else { return false };
    let name = rest.trim_end_matches(['{', '(']).trim();
    let is_name = name
        .split_whitespace()
        .all(|word| word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':'));
    rest.ends_with(['{', '(']) && is_name && !name.is_empty()
}

/// A first line such as `program Name;` or `unit Name;`, before or after comments.
fn is_pascal(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| {
        let is_comment = line.starts_with("//") || line.starts_with("(*");
        let is_braces = line.starts_with('{') && line.ends_with('}');
        !(line.is_empty() || is_comment || is_braces)
    });
    let Some(first) = lines.next() else { return false };
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
    let language = if is_pulumi { Language::PulumiYaml } else { Language::Yaml };
    is_yaml.then_some(language)
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

/// The name of a language for a sentence, and the advice.
fn words(language: Language) -> (&'static str, &'static str) {
    const VALUES: &str = "PCL sets values with `name = value`, in files that end in `.pp`";
    const SAME_EXTENSION: &str = "both languages use `.pp`; check a directory that holds PCL alone";
    const PROGRAM: &str = "the files of a PCL program end in `.pp`";
    match language {
        Language::PulumiYaml => (
            "a Pulumi YAML program",
            "check the directory of the PCL program, or convert this one with `pulumi convert \
             --from yaml --language pcl`",
        ),
        Language::Terraform => (
            "a Terraform configuration",
            "the files of a PCL program end in `.pp`; convert this one with `pulumi convert --from \
             terraform --language pcl`",
        ),
        Language::TerraformValues => (
            "a file of Terraform variables",
            "the values of `config` blocks are set with `pulumi config set`",
        ),
        Language::Yaml => ("YAML", VALUES),
        Language::Json => ("JSON", VALUES),
        Language::Hcl => ("HCL of another tool", PROGRAM),
        Language::Python => ("a Python program", PROGRAM),
        Language::TypeScript => ("a TypeScript program", PROGRAM),
        Language::JavaScript => ("a JavaScript program", PROGRAM),
        Language::Go => ("a Go program", PROGRAM),
        Language::Puppet => ("a Puppet manifest", SAME_EXTENSION),
        Language::Pascal => ("a Pascal program", SAME_EXTENSION),
    }
}
