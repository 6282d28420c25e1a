//! How bad each thing is that an option may excuse: one table for all leniencies.
//!
//! What no row names is as bad as its finding says. Two leniencies concern single expressions and are known to the checker of
//! expressions alone: undefined variables, and iterating over what is no collection.

use pcl_diagnostics::Severity;

use crate::options::{MissingSchema, Options};

/// What may be excused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Matter {
    /// The package of a resource does not load.
    ResourcePackage,
    /// A package has no such resource, or the resource cannot be read.
    ResourceType,
    /// An attribute of a resource is unknown, missing or of the wrong type.
    ResourceInput,
    /// An expression in the body of a resource is wrong.
    ResourceBody,
    /// An input of a component is of the wrong type.
    ComponentInput,
    /// A `range` is no collection.
    Range,
    /// The package of a function does not load.
    InvokePackage,
    /// A package has no such function, or the function cannot be read.
    InvokeFunction,
}

/// What makes a matter milder, and how mild; of several rows that apply the first counts.
struct Row {
    matter: Matter,
    applies: fn(&Options) -> bool,
    /// `None`: nothing is said.
    severity: Option<Severity>,
}

const fn row(matter: Matter, applies: fn(&Options) -> bool, severity: Option<Severity>) -> Row {
    Row {
        matter,
        applies,
        severity,
    }
}

const WARNING: Option<Severity> = Some(Severity::Warning);

static POLICY: [Row; 13] = [
    row(Matter::ResourcePackage, ignores_missing, None),
    row(Matter::ResourcePackage, warns_of_missing, WARNING),
    row(Matter::ResourcePackage, skips_resources, WARNING),
    row(Matter::ResourceType, skips_resources, WARNING),
    row(Matter::ResourceInput, skips_resources, WARNING),
    row(Matter::ResourceBody, skips_resources, WARNING),
    row(Matter::ComponentInput, skips_resources, WARNING),
    row(
        Matter::Range,
        |options| options.skip_range_typecheck,
        WARNING,
    ),
    row(Matter::InvokePackage, skips_invokes, None),
    row(Matter::InvokePackage, ignores_missing, None),
    row(Matter::InvokePackage, warns_of_missing, WARNING),
    row(Matter::InvokePackage, skips_resources, WARNING),
    row(Matter::InvokeFunction, skips_invokes, None),
];

fn ignores_missing(options: &Options) -> bool {
    options.missing_schema == MissingSchema::Ignore
}

fn warns_of_missing(options: &Options) -> bool {
    options.missing_schema == MissingSchema::Warn
}

fn skips_resources(options: &Options) -> bool {
    options.skip_resource_typecheck
}

fn skips_invokes(options: &Options) -> bool {
    options.skip_invoke_typecheck
}

impl Options {
    /// How bad a matter is; `None` when nothing is said of it. What is not an error leaves its types open.
    pub(crate) fn severity(&self, matter: Matter) -> Option<Severity> {
        let rows = POLICY.iter().filter(|row| row.matter == matter);
        let mut applying = rows.filter(|row| (row.applies)(self));
        applying
            .next()
            .map_or(Some(Severity::Error), |row| row.severity)
    }

    /// Whether a matter is less than an error.
    pub(crate) fn excuses(&self, matter: Matter) -> bool {
        self.severity(matter) != Some(Severity::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_excused_unless_an_option_says_so() {
        let (strict, lenient) = (Options::default(), Options::lenient());
        for row in &POLICY {
            assert!(!strict.excuses(row.matter), "{:?}", row.matter);
            assert!(lenient.excuses(row.matter), "{:?}", row.matter);
        }
    }

    #[test]
    fn what_is_missing_may_be_ignored_and_then_nothing_is_said() {
        for (missing_schema, severity) in [
            (MissingSchema::Warn, WARNING),
            (MissingSchema::Ignore, None),
        ] {
            let options = Options {
                missing_schema,
                ..Options::default()
            };
            for matter in [Matter::ResourcePackage, Matter::InvokePackage] {
                assert_eq!(options.severity(matter), severity);
            }
            assert!(!options.excuses(Matter::ResourceType));
        }
    }
}
