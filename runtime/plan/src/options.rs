//! The options of a plan, as those of `pulumi preview`.

use crate::targets::Targets;

/// The options of a plan.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The resources that the deployment is about; all, if there are none.
    pub targets: Targets,
    /// True if resources that depend on a target are targets, too.
    pub target_dependents: bool,
    /// The resources that the deployment leaves alone.
    pub excludes: Targets,
    /// True if resources that depend on an excluded one are excluded, too.
    pub exclude_dependents: bool,
    /// The resources to replace.
    pub replaces: Targets,
}
