//! What a caller may choose about binding.

use std::path::PathBuf;

/// What to do about a package whose schema cannot be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MissingSchema {
    /// An error on the token that names the package.
    #[default]
    Error,
    /// A warning there; the members of the package are dynamic.
    Warn,
    /// Nothing; the members of the package are dynamic.
    Ignore,
}

/// Leniencies and preferences. The default is strict.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A reference to an undefined variable is a warning, its type dynamic.
    pub allow_missing_variables: bool,
    /// Every property of every schema type is optional.
    pub allow_missing_properties: bool,
    /// Unknown packages and resource types are accepted, wrong attributes are warnings.
    pub skip_resource_typecheck: bool,
    /// Unknown functions are accepted.
    pub skip_invoke_typecheck: bool,
    /// Iterating over what is no collection is a warning.
    pub skip_range_typecheck: bool,
    /// `invoke` takes its output form whenever the function returns something.
    pub prefer_output_versioned_invokes: bool,
    /// What to do about a package without a schema.
    pub missing_schema: MissingSchema,
    /// The directory that component sources should stay in, when it is not the program's own.
    pub project_directory: Option<PathBuf>,
}

impl Options {
    /// The five leniencies together.
    #[must_use]
    pub fn lenient() -> Self {
        Self {
            allow_missing_variables: true,
            allow_missing_properties: true,
            skip_resource_typecheck: true,
            skip_invoke_typecheck: true,
            skip_range_typecheck: true,
            ..Self::default()
        }
    }
}
