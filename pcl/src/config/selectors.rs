//! The names of codes and groups of lints in settings and flags.

use std::fmt;

use pcl_diagnostics::{Selector, suggest};

/// The reason why a text selects no codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongSelector {
    /// The reason, in one line.
    pub message: String,
    /// The advice, in one line.
    pub help: String,
}

impl fmt::Display for WrongSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for WrongSelector {}

/// The codes that a text selects: a code, its name, or a group of lints.
///
/// # Errors
/// Returns the reason if there is no such name.
pub fn selector(text: &str) -> Result<Selector, WrongSelector> {
    Selector::parse(text).ok_or_else(|| no_selector(text, suggest(text, Selector::names())))
}

/// The lints that a text selects: a lint, its name, or a group.
///
/// # Errors
/// Returns the reason if there is no such name, or if it is that of another code.
pub fn selector_of_lints(text: &str) -> Result<Selector, WrongSelector> {
    let names = || Selector::names_of_lints();
    match Selector::parse(text) {
        Some(selector) if selector.codes.iter().all(|code| code.group().is_some()) => Ok(selector),
        Some(_) => Err(code_of_no_lint(text)),
        None => {
            // A prefix of several codes means none of them.
            let is_prefix = names().filter(|name| name.starts_with(text)).nth(1).is_some();
            let meant = suggest(text, names()).filter(|_| !is_prefix);
            Err(no_selector_of_lints(text, meant))
        }
    }
}

/// A name that is not one of a code or group.
fn no_selector(text: &str, meant: Option<&str>) -> WrongSelector {
    WrongSelector {
        message: format!("`{text}` is not a code, the name of one, or a group of lints"),
        help: meant.map_or_else(
            || "`pcl explain --all` lists the codes".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        ),
    }
}

/// A name that is not one of a lint or group, where only lints are selected.
fn no_selector_of_lints(text: &str, meant: Option<&str>) -> WrongSelector {
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
fn code_of_no_lint(text: &str) -> WrongSelector {
    WrongSelector {
        message: format!("`{text}` is not a lint"),
        help: "`levels`, `--error`, `--warn` and `--ignore` set the level of any code".to_owned(),
    }
}

/// The items as a list: "`a`, `b` or `c`".
pub(super) fn listed(items: &[String], conjunction: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {conjunction} {last}", first.join(", ")),
    }
}
