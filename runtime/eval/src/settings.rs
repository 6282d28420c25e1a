//! The facts of a run that no program decides.

use std::collections::BTreeMap;

use pcl_values::Text;

use crate::budget::Limits;

/// The facts of a run that the user and the engine decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The name of the project.
    pub project: String,
    /// The name of the stack.
    pub stack: String,
    /// The organisation; empty if there is none.
    pub organization: String,
    /// The directory of the project file; empty if there is none.
    pub root_directory: String,
    /// The directory in which the program runs; relative paths belong to it.
    pub working_directory: String,
    /// Nothing is changed: ids and many outputs are unknown.
    pub is_preview: bool,
    /// The number of nodes that are evaluated at once; 0 for any number.
    pub parallel: usize,
    /// After an error, everything that does not need it is evaluated all the same, so that all
    /// errors are found. Only an engine that changes nothing should be asked to.
    pub keeps_going: bool,
    /// There is no engine: what a resource has besides its inputs is unknown.
    pub is_offline: bool,
    /// The program is tried for any stack: facts about the stack, and configuration that is not
    /// given, are unknown.
    pub any_stack: bool,
    /// Only the failures of the run count: resources are registered without their inputs, and get
    /// their properties when one of them is read.
    pub defers_resources: bool,
    /// The configuration by key, `project:name`.
    pub config: BTreeMap<String, ConfigEntry>,
    /// The environment variables from which schemas take defaults.
    pub environment: BTreeMap<String, String>,
    /// The most that the run may spend.
    pub limits: Limits,
}

/// A configured value.
#[derive(Clone, PartialEq, Eq)]
pub struct ConfigEntry {
    /// The text; `None` if it is encrypted and the key is not known.
    pub text: Option<Text>,
    /// The value must not be shown.
    pub is_secret: bool,
}

/// Shows no value that is secret.
impl std::fmt::Debug for ConfigEntry {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.text, self.is_secret) {
            (_, true) => out.write_str("[secret]"),
            (Some(text), false) => write!(out, "{:?}", text.unmarked().to_string()),
            (None, false) => out.write_str("[encrypted]"),
        }
    }
}
