//! The wording of the diagnostics about configuration.

use pcl_diagnostics::{Code, Diagnostic, Fix, Selector, Span, TextEdit, suggest};

use crate::config::WrongSelector;

/// A file that is not TOML or YAML.
pub(crate) fn malformed(span: Span, language: &str, reason: &str) -> Diagnostic {
    let message = format!("the configuration is not valid {language}: {reason}");
    Diagnostic::error(Code::InvalidConfiguration, span, message).ours()
}

/// A file that cannot be read.
pub(crate) fn unreadable(span: Span, path: &str, error: &std::io::Error) -> Diagnostic {
    let message = format!("`{path}` cannot be read: {error}");
    Diagnostic::error(Code::UnreadableSource, span, message)
        .help("correct or remove it, or run with `--isolated`")
        .ours()
}

/// A name that is not that of a setting.
pub(crate) fn unknown_setting(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let message = format!("unknown setting `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownSetting, span, message).ours();
    match meant {
        Some(meant) => diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::respelled(
                name,
                meant,
                format!("rename to `{meant}`"),
                vec![TextEdit::replace(span, meant)],
            )),
        None => diagnostic.help("`pcl config show` lists the settings"),
    }
}

/// A setting that executes something or uses the network, in a file of a project.
pub(crate) fn untrusted(span: Span, name: &str, variable: &str) -> Diagnostic {
    let message = format!("`{name}` cannot be set in a file of a project");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .note("a repository that was checked out cannot start programs or use the network")
        .help(format!(
            "remove it, and use `--{name}` or the environment variable `{variable}`"
        ))
        .ours()
}

/// A limit that is higher than the default, in a file of a project.
pub(crate) fn raised(span: Span, name: &str, default: &str, variable: &str) -> Diagnostic {
    let message = format!("a file of a project can only lower `{name}`, which is {default}");
    Diagnostic::error(Code::InvalidConfiguration, span, message)
        .note("the limits protect those who run a program that they have not read")
        .help(format!(
            "remove it, and use `--{name}` or the environment variable `{variable}`"
        ))
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

/// A string that the setting does not take.
pub(crate) fn wrong_value(
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
pub(crate) fn unknown_word(span: Span, name: &str, text: &str, words: &[&str]) -> Diagnostic {
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
pub(crate) fn wrong_selector(span: Span, wrong: WrongSelector) -> Diagnostic {
    Diagnostic::error(Code::InvalidConfiguration, span, wrong.message)
        .help(wrong.help)
        .ours()
}

/// A name that is not one of a code or group.
pub(crate) fn no_selector(text: &str, meant: Option<&str>) -> WrongSelector {
    WrongSelector {
        message: format!("`{text}` is not a code, the name of one, or a group of lints"),
        help: meant.map_or_else(
            || "`pcl explain --all` lists the codes".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        ),
    }
}

/// A name that is not one of a lint or group, where only lints are selected.
pub(crate) fn no_selector_of_lints(text: &str, meant: Option<&str>) -> WrongSelector {
    let groups: Vec<String> = Selector::groups().map(|name| format!("`{name}`")).collect();
    WrongSelector {
        message: format!("`{text}` is not a lint or a group of lints"),
        help: meant.map_or_else(
            || format!("the groups are {}", listed(&groups, "and")),
            |meant| format!("did you mean `{meant}`?"),
        ),
    }
}

/// A code that is no lint, where only lints are selected.
pub(crate) fn code_of_no_lint(text: &str) -> WrongSelector {
    WrongSelector {
        message: format!("`{text}` is not a lint"),
        help: "`levels`, `--error`, `--warn` and `--ignore` set the level of any code".to_owned(),
    }
}

/// The items as a list: "`a`, `b` or `c`".
fn listed(items: &[String], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}
