//! A program to convert, and the result.

use pcl::diagnostics::{Diagnostic, FileId};
use pcl::schema::Loader;

use crate::output::Places;

/// A program in Pulumi YAML, and what it needs.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// The file that has the program, in YAML or JSON.
    pub text: &'r str,
    /// The file in diagnostics.
    pub file: FileId,
    /// The other files of manifests or of a plugin; a program is in one file.
    pub others: &'r [(FileId, &'r str)],
    /// The name of the project, which keys of the configuration may begin with.
    pub project: &'r str,
    /// The values that the settings of the project and its stacks give the configuration: names and
    /// types of PCL.
    pub settings: &'r [(String, String)],
    /// Set if the file is the project file as well.
    pub has_project: bool,
    /// The files that may declare packages.
    pub sdks: &'r [String],
    /// The schemas.
    pub loader: &'r dyn Loader,
}

/// A converted program.
#[derive(Debug)]
pub struct Converted {
    /// The program; `None` if there are errors.
    pub text: Option<String>,
    /// The places in the files that the parts of the program come from.
    pub places: Places,
    /// The diagnostics about the files, in the order of their texts.
    pub diagnostics: Vec<Diagnostic>,
}

/// The converted components of a plugin.
#[derive(Debug, Default)]
pub struct ConvertedPlugin {
    /// The names of the components, which are those of their directories, and their programs.
    pub components: Vec<(String, Converted)>,
    /// The diagnostics about what is outside of the components.
    pub diagnostics: Vec<Diagnostic>,
}

impl ConvertedPlugin {
    /// A program that is the only one.
    pub(crate) fn one(program: Converted) -> Self {
        Self { components: vec![(String::new(), program)], diagnostics: Vec::new() }
    }
}
