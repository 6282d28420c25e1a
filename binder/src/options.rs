//! The options of a bind.

use std::path::PathBuf;
use std::sync::Arc;

use pcl_diagnostics::{Leniency, Policy};
use pcl_language::StaticType;
use pcl_schema::PackageRequest;

use crate::edition::oldest::OldestPulumi;
use crate::lint::Lints;
use crate::open_files::OpenFiles;

/// The choices of a caller about binding. The default is strict.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Leniencies, compatibility and levels: all that decides the severity of diagnostics.
    pub policy: Policy,
    /// `invoke` takes its output form whenever the function returns something, as in the programs
    /// that the generators of Pulumi write: then it gives an output, never a promise.
    pub prefer_output_versioned_invokes: bool,
    /// The directory that component sources should stay in, when it is not the program's own.
    pub project_directory: Option<PathBuf>,
    /// Packages as `package` blocks would describe them; each replaces the program's block of its
    /// name.
    pub packages: Vec<PackageRequest>,
    /// The oldest Pulumi that the program has to work with. By default it is what the range in the
    /// `pulumi` block says, or else no matter.
    pub oldest: Option<OldestPulumi>,
    /// The checks beyond those that every program gets.
    pub lints: Lints,
    /// Variables that the program may refer to and need not declare. Its components do not see
    /// them.
    pub variables: Vec<ExtraVariable>,
    /// The files of components whose text counts instead of the one on disk. Those of the program
    /// itself are among its sources.
    pub open_files: Arc<OpenFiles>,
    /// The caller uses the diagnostics, and of the program only its files and declarations. Then
    /// the memory of bodies and expressions is reused while the program is being bound, and nodes
    /// have none where no component and no lint needs them.
    pub diagnostics_only: bool,
}

/// A variable that needs no declaration.
///
/// ```
/// use pcl_binder::ExtraVariable;
/// use pcl_language::StaticType::{List, Output, String};
/// let names = ExtraVariable { name: "names".to_owned(), ty: Output(&List(&String)) };
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtraVariable {
    /// The name that programs use.
    pub name: String,
    /// The type of its value.
    pub ty: StaticType,
}

impl Options {
    /// Options with all five leniencies.
    #[must_use]
    pub fn lenient() -> Self {
        let mut options = Self::default();
        options.policy.leniency = Leniency::ALL;
        options
    }
}
