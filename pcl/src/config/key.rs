//! The table of settings: names, kinds of values, defaults.

/// A setting. `docs/configuration.md` documents all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Key {
    /// The lints that run.
    Select,
    /// The codes that are not reported.
    Ignore,
    /// The levels of codes.
    Levels,
    /// Warnings count as errors for the exit status.
    ErrorOnWarning,
    /// The leniencies of Pulumi's binder.
    Allow,
    /// The binder whose verdict is emulated.
    Compat,
    /// The level of a missing schema.
    MissingSchema,
    /// `invoke` takes its output form.
    PreferOutputInvokes,
    /// Directories with schemas.
    SchemaDirs,
    /// Files that are the schemas of packages.
    Schemas,
    /// Files and directories that a walk skips.
    Exclude,
    /// The oldest Pulumi to support.
    PulumiVersion,
    /// The address of the pages of diagnostics.
    DocsUrl,
    /// The steps that a run may take.
    MaxSteps,
    /// The files that a run may read.
    MaxFiles,
    /// The bytes of these files.
    MaxFileBytes,
    /// Plugins may be started for their schemas.
    RunPlugins,
    /// A loader service to ask for schemas.
    LoaderAddress,
}

/// The values that a setting takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Bool,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of these words.
    Words(&'static [&'static str]),
    /// A list of codes of lints and groups.
    Lints,
    /// A list of codes and groups.
    Selectors,
    /// A table from codes and groups to levels.
    Levels,
    /// A list of directories.
    Directories,
    /// A table from packages to files.
    SchemaFiles,
    /// A list of patterns as in `.gitignore`.
    Patterns,
    /// A version.
    Version,
    /// An `http` or `https` address.
    Url,
    /// `HOST:PORT`.
    Address,
    /// A limit, which files of projects may only lower.
    Limit,
}

impl Kind {
    /// The kind of value that a file has for it, with its article.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Bool => "a bool",
            Self::Limit => "a whole number",
            Self::Word(_) | Self::Version | Self::Url | Self::Address => "a string",
            Self::Words(_) | Self::Lints | Self::Selectors | Self::Directories | Self::Patterns => {
                "a list of strings"
            }
            Self::Levels | Self::SchemaFiles => "a table of strings",
        }
    }
}

/// The words of the levels.
pub(crate) const LEVELS: &[&str] = &["error", "warn", "ignore"];

/// The words of the leniencies; `all` stands for the others.
pub(crate) const LENIENCIES: &[&str] = &[
    "missing-variables",
    "missing-properties",
    "resource-types",
    "invoke-types",
    "range-types",
    "all",
];

/// The name of the setting that adds to the settings of another file.
pub(crate) const EXTEND: &str = "extend";

/// The name of the setting with the settings of some files.
pub(crate) const OVERRIDES: &str = "overrides";

/// The names of the settings that only a file has, with those that other tools use for them.
pub(crate) const OF_FILES: [(&str, &[&str]); 2] = [
    (EXTEND, &["extends", "base", "inherit"]),
    (OVERRIDES, &["override", "per-file-ignores", "per-file-levels"]),
];

/// A row of the table.
pub(crate) struct Row {
    pub key: Key,
    pub name: &'static str,
    pub kind: Kind,
    /// The meaning, in one sentence.
    pub summary: &'static str,
    /// The default, as TOML; empty if there is none.
    pub default: &'static str,
    /// An example, as TOML.
    pub example: &'static str,
    /// Set if only flags and the environment may set it: it executes something or uses the network.
    pub is_trusted: bool,
    /// Set if a value adds to those of weaker sources; otherwise it replaces them.
    pub adds: bool,
    /// Names that other tools use for it.
    pub aliases: &'static [&'static str],
}

const ROW: Row = Row {
    key: Key::Select,
    name: "",
    kind: Kind::Bool,
    summary: "",
    default: "",
    example: "",
    is_trusted: false,
    adds: false,
    aliases: &[],
};

/// All settings, in the order of the documentation.
pub(crate) static TABLE: [Row; 18] = [
    Row {
        key: Key::Select,
        name: "select",
        kind: Kind::Lints,
        summary: "The lints that run: codes, names, or groups of lints; `default` stands for those \
                  that run unless this is set.",
        default: "[\"default\"]",
        example: "[\"default\", \"unused\", \"PCL0706\"]",
        aliases: &["extend-select", "enable", "lints", "include-rules", "warn"],
        ..ROW
    },
    Row {
        key: Key::Ignore,
        name: "ignore",
        kind: Kind::Selectors,
        summary: "The codes, names, or groups of lints that are not reported.",
        default: "[]",
        example: "[\"shadowed-name\"]",
        aliases: &["extend-ignore", "disable", "skip", "noqa"],
        adds: true,
        ..ROW
    },
    Row {
        key: Key::Levels,
        name: "levels",
        kind: Kind::Levels,
        summary: "The levels of codes, names, or groups of lints: `error`, `warn` or `ignore`. A \
                  code outweighs its group.",
        default: "{}",
        example: "{ unused-local = \"error\", style = \"warn\" }",
        aliases: &["rules", "severity", "severities", "lint"],
        adds: true,
        ..ROW
    },
    Row {
        key: Key::ErrorOnWarning,
        name: "error-on-warning",
        kind: Kind::Bool,
        summary: "The exit status is 1 if there are warnings, too.",
        default: "false",
        example: "true",
        aliases: &["warnings-as-errors", "deny-warnings", "fail-on-warning"],
        ..ROW
    },
    Row {
        key: Key::Allow,
        name: "allow",
        kind: Kind::Words(LENIENCIES),
        summary: "The leniencies of Pulumi's binder that hold; `all` means all five, as `--lenient` does.",
        default: "[]",
        example: "[\"missing-variables\"]",
        aliases: &["lenient", "leniencies", "leniency", "non-strict"],
        ..ROW
    },
    Row {
        key: Key::Compat,
        name: "compat",
        kind: Kind::Word(&["none", "pulumi"]),
        summary: "With `pulumi`, only what Pulumi's own binder reports is reported.",
        default: "\"none\"",
        example: "\"pulumi\"",
        aliases: &["compatibility"],
        ..ROW
    },
    Row {
        key: Key::MissingSchema,
        name: "missing-schema",
        kind: Kind::Word(LEVELS),
        summary: "The level of a missing schema; with `warn` and `ignore` the members of its \
                  package are dynamic.",
        default: "\"error\"",
        example: "\"warn\"",
        aliases: &["missing-schemas"],
        ..ROW
    },
    Row {
        key: Key::PreferOutputInvokes,
        name: "prefer-output-invokes",
        kind: Kind::Bool,
        summary: "`invoke` is bound in its output form wherever there is one.",
        default: "false",
        example: "true",
        ..ROW
    },
    Row {
        key: Key::SchemaDirs,
        name: "schema-dirs",
        kind: Kind::Directories,
        summary: "Directories that are searched for schemas before the default places.",
        default: "[]",
        example: "[\"build/schemas\"]",
        aliases: &["schema-dir", "schema-path", "schema-paths", "schema-directories"],
        adds: true,
        ..ROW
    },
    Row {
        key: Key::Schemas,
        name: "schemas",
        kind: Kind::SchemaFiles,
        summary: "The files that are the schemas of packages, by `NAME` or `NAME@VERSION`.",
        default: "{}",
        example: "{ \"aws@7.1.0\" = \"build/aws.json\" }",
        aliases: &["schema", "packages"],
        adds: true,
        ..ROW
    },
    Row {
        key: Key::Exclude,
        name: "exclude",
        kind: Kind::Patterns,
        summary: "The files and directories that `-r` skips, as patterns of `.gitignore` relative \
                  to the file of the setting.",
        default: "[]",
        example: "[\"examples/broken\", \"generated-*\"]",
        aliases: &["extend-exclude", "excludes", "exclude-files"],
        adds: true,
        ..ROW
    },
    Row {
        key: Key::PulumiVersion,
        name: "pulumi-version",
        kind: Kind::Version,
        summary: "The oldest release of Pulumi that programs have to work with.",
        default: "",
        example: "\"3.220.0\"",
        aliases: &["target-version", "min-pulumi-version", "required-version", "edition"],
        ..ROW
    },
    Row {
        key: Key::DocsUrl,
        name: "docs-url",
        kind: Kind::Url,
        summary: "The address of the pages that explain diagnostics.",
        default: "",
        example: "\"https://pages.example.com/pcl/\"",
        aliases: &["documentation-url", "doc-url"],
        ..ROW
    },
    Row {
        key: Key::MaxSteps,
        name: "max-steps",
        kind: Kind::Limit,
        summary: "The steps that a preview may take; a file of a project may only lower the default.",
        default: "33554432",
        example: "1000000",
        aliases: &["max-evaluation-steps", "step-limit"],
        ..ROW
    },
    Row {
        key: Key::MaxFiles,
        name: "max-files",
        kind: Kind::Limit,
        summary: "The files that a preview may read; a file of a project may only lower the default.",
        default: "100000",
        example: "1000",
        aliases: &["file-limit"],
        ..ROW
    },
    Row {
        key: Key::MaxFileBytes,
        name: "max-file-bytes",
        kind: Kind::Limit,
        summary: "The bytes of files that a preview may read; a file of a project may only lower the \
                  default.",
        default: "1073741824",
        example: "1000000",
        aliases: &["max-bytes"],
        ..ROW
    },
    Row {
        key: Key::RunPlugins,
        name: "run-plugins",
        kind: Kind::Bool,
        summary: "Provider plugins may be started to get schemas that are found nowhere else.",
        default: "false",
        example: "true",
        is_trusted: true,
        ..ROW
    },
    Row {
        key: Key::LoaderAddress,
        name: "loader-address",
        kind: Kind::Address,
        summary: "The loader service of a running Pulumi, which is asked for schemas before the \
                  default places.",
        default: "",
        example: "\"127.0.0.1:4000\"",
        is_trusted: true,
        ..ROW
    },
];

impl Row {
    /// Returns true for a limit that is higher than the default.
    pub(crate) fn exceeds_default(&self, value: u64) -> bool {
        self.default.parse::<u64>().is_ok_and(|default| value > default)
    }
}

impl Key {
    /// Every setting, in the order of the documentation.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.key)
    }

    /// The setting of that name.
    pub fn parse(name: &str) -> Option<Self> {
        let found = TABLE.iter().find(|row| row.name == name)?;
        Some(found.key)
    }

    /// The name in files and in `--setting`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The meaning, in one sentence.
    pub fn summary(self) -> &'static str {
        self.row().summary
    }

    /// The default as TOML; empty if there is none.
    pub fn default(self) -> &'static str {
        self.row().default
    }

    /// The name of the environment variable, such as `PCL_MISSING_SCHEMA`.
    pub fn variable(self) -> String {
        let upper = self.name().to_ascii_uppercase();
        format!("PCL_{}", upper.replace('-', "_"))
    }

    pub(crate) fn row(self) -> &'static Row {
        // The test below holds the table to the order of the enum.
        TABLE.get(self as usize).unwrap_or(&ROW)
    }
}

/// Returns true if the setting takes a list.
pub(crate) fn takes_list(key: Key) -> bool {
    matches!(
        key.row().kind,
        Kind::Words(_) | Kind::Lints | Kind::Selectors | Kind::Directories | Kind::Patterns
    )
}

/// Returns true if the setting takes a string.
pub(crate) fn takes_text(key: Key) -> bool {
    matches!(key.row().kind, Kind::Word(_) | Kind::Version | Kind::Url | Kind::Address)
}

/// The name of a setting from its name in camel case: `missingSchema` is `missing-schema`.
pub fn kebab_case(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_settings() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!(row.key as usize, at, "{}", row.name);
            assert_eq!(Key::parse(row.name), Some(row.key));
        }
    }

    #[test]
    fn an_alias_is_no_setting() {
        for alias in TABLE.iter().flat_map(|row| row.aliases) {
            assert_eq!(Key::parse(alias), None, "{alias}");
        }
    }
}
