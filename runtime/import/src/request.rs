//! The wishes of the caller.

use std::collections::BTreeMap;

use pcl_diagnostics::MissingSchema;
use pcl_state::Keys;

/// The wishes of the caller.
#[derive(Clone, Debug, Default)]
pub struct Request<'k> {
    /// The URNs of the resources to write, with all that they need; all resources if it is empty.
    pub urns: Vec<String>,
    /// The labels of resources by URN. Others get labels like their names.
    pub names: BTreeMap<String, String>,
    /// Writes resources that differ in one value as one with a range.
    pub fold: bool,
    /// Gives every resource the option `import`, for a stack that does not have them yet.
    pub adopt: bool,
    /// Writes the secrets that these keys open as defaults of their variables.
    pub secrets: Option<&'k Keys>,
    /// The treatment of packages without a schema: an error, or inputs that are not checked.
    pub missing_schema: MissingSchema,
}
