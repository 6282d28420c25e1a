//! The groups of lints, and the names that select several codes.

use crate::catalogue::Code;

/// A group of lints: checks of valid code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Group {
    /// Code that probably does something else than it says.
    Suspicious,
    /// Declarations and comments without an effect.
    Unused,
    /// Secrets that become readable.
    Security,
    /// Code that a later release of a package may break.
    Upkeep,
    /// Code that can be written more plainly.
    Style,
}

impl Group {
    /// Every group, in the order of the documentation.
    pub const ALL: [Self; 5] =
        [Self::Suspicious, Self::Unused, Self::Security, Self::Upkeep, Self::Style];

    /// The name, such as `suspicious`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Suspicious => "suspicious",
            Self::Unused => "unused",
            Self::Security => "security",
            Self::Upkeep => "upkeep",
            Self::Style => "style",
        }
    }

    /// The meaning, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Suspicious => "code that probably does something else than it says",
            Self::Unused => "declarations and comments without an effect",
            Self::Security => "secrets that become readable",
            Self::Upkeep => "code that a later release of a package may break",
            Self::Style => "code that can be written more plainly",
        }
    }
}

impl Code {
    /// The group of a lint; `None` for other codes.
    ///
    /// ```
    /// use pcl_diagnostics::{Code, Group};
    /// assert_eq!(Code::UnusedLocal.group(), Some(Group::Unused));
    /// assert_eq!(Code::TypeNotAssignable.group(), None);
    /// ```
    pub const fn group(self) -> Option<Group> {
        match self.lint() {
            Some((group, _)) => Some(group),
            None => None,
        }
    }

    /// Returns whether the diagnostics of this code are reported unless an option says otherwise.
    ///
    /// ```
    /// use pcl_diagnostics::Code;
    /// assert!(Code::Deprecated.is_default() && !Code::UnusedLocal.is_default());
    /// ```
    pub const fn is_default(self) -> bool {
        match self.lint() {
            Some((_, default)) => default,
            None => true,
        }
    }

    /// The codes of all lints, by number.
    pub fn lints() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|code| code.group().is_some())
    }
}

/// The codes that a name selects: a code by its number or name, a group of lints, `default` for the
/// lints that run unless an option says otherwise, or `all` for all lints.
///
/// ```
/// use pcl_diagnostics::{Code, Selector};
/// assert_eq!(Selector::parse("unused-local").unwrap().codes, [Code::UnusedLocal]);
/// assert!(Selector::parse("unused").unwrap().codes.contains(&Code::UnusedConfig));
/// assert!(Selector::parse("nonsense").is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selector {
    /// The selected codes, by number.
    pub codes: Vec<Code>,
    /// Set if the name is that of several codes; a single code is more specific.
    pub is_group: bool,
}

impl Selector {
    /// The codes that `text` selects; `None` if it is the name of none.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(code) = Code::parse(text) {
            let codes = vec![code];
            return Some(Self { codes, is_group: false });
        }
        let group = Group::ALL.into_iter().find(|group| group.name() == text);
        let codes: Vec<Code> = match (text, group) {
            ("all", _) => Code::lints().collect(),
            ("default", _) => Code::lints().filter(|code| code.is_default()).collect(),
            (_, Some(group)) => Code::lints().filter(|code| code.group() == Some(group)).collect(),
            _ => return None,
        };
        Some(Self { codes, is_group: true })
    }

    /// Every name that selects something: groups, then the numbers and names of codes.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let codes = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
        Self::groups().chain(codes)
    }

    /// The names of groups.
    pub fn groups() -> impl Iterator<Item = &'static str> {
        let groups = Group::ALL.into_iter().map(Group::name);
        ["all", "default"].into_iter().chain(groups)
    }

    /// Those of these names that select lints only.
    pub fn names_of_lints() -> impl Iterator<Item = &'static str> {
        Self::names().filter(|name| Code::parse(name).is_none_or(|code| code.group().is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_band_07_are_lints() {
        for &code in Code::ALL {
            assert_eq!(code.group().is_some(), code.id().starts_with("PCL07"), "{code}");
        }
    }

    #[test]
    fn every_name_selects_something() {
        for name in Selector::names() {
            let selector = Selector::parse(name).expect(name);
            assert!(!selector.codes.is_empty(), "{name}");
        }
        for name in Selector::names_of_lints() {
            let selector = Selector::parse(name).expect(name);
            assert!(selector.codes.iter().all(|code| code.group().is_some()));
        }
        assert!(!Selector::names_of_lints().any(|name| name == "type-not-assignable"));
    }
}
