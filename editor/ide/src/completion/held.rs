//! The options that take resources.

use pcl::language::ResourceOption;

/// The resources that an option takes.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Set if they are providers.
    pub is_provider: bool,
    /// Set if there may be several.
    pub is_list: bool,
}

impl Held {
    /// The resources that an option takes; `None` if it takes other values.
    pub(super) fn of(option: ResourceOption) -> Option<Self> {
        let (is_provider, is_list) = match option {
            ResourceOption::Provider => (true, false),
            ResourceOption::Providers => (true, true),
            ResourceOption::Parent | ResourceOption::DeletedWith => (false, false),
            ResourceOption::DependsOn | ResourceOption::ReplaceWith => (false, true),
            _ => return None,
        };
        Some(Self { is_provider, is_list })
    }
}
