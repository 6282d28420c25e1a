//! What a caller may choose about binding.

use std::path::PathBuf;

use pcl_model::expression::CheckOptions;
use pcl_model::types::{TypeId, TypeStore, TypeTextError, parse_type};
use pcl_schema::PackageRequest;

use crate::lint::Lints;

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
    /// Packages as `package` blocks would describe them; each replaces the program's block of its name.
    pub packages: Vec<PackageRequest>,
    /// The checks beyond those that every program gets.
    pub lints: Lints,
    /// Variables that the program may refer to and need not declare. Its components do not see them.
    pub variables: Vec<ExtraVariable>,
}

/// A variable that is there without a declaration.
///
/// ```
/// use pcl_binder::ExtraVariable;
/// let bucket = ExtraVariable::new("bucket", "object({id = output(id)})").unwrap();
/// assert_eq!(bucket.name(), "bucket");
/// assert!(ExtraVariable::new("bucket", "object({id").is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtraVariable {
    name: String,
    ty: String,
}

impl ExtraVariable {
    /// A variable of that type, written as types are shown: `string`, `list(output(int))`, `object({id = output(id)})`.
    ///
    /// # Errors
    /// When the text is no type.
    pub fn new(name: impl Into<String>, ty: impl Into<String>) -> Result<Self, TypeTextError> {
        let (name, ty) = (name.into(), ty.into());
        parse_type(&mut TypeStore::new(), &ty)?;
        Ok(Self { name, ty })
    }

    /// The name that programs use.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn ty(&self, types: &mut TypeStore) -> TypeId {
        parse_type(types, &self.ty).unwrap_or(TypeId::DYNAMIC)
    }
}

impl Options {
    /// What of it concerns expressions.
    pub(crate) fn checks(&self) -> CheckOptions {
        CheckOptions {
            allow_missing_variables: self.allow_missing_variables,
            skip_range_typecheck: self.skip_range_typecheck,
            skip_resource_typecheck: self.skip_resource_typecheck,
            ..CheckOptions::default()
        }
    }

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
