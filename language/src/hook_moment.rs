//! The moments at which the hooks of a resource run.

use crate::construct::{Construct, row};

table! {
    /// A moment at which the hooks of a resource run.
    HookMoment {
        AfterCreate "afterCreate" "after the resource was created";
        AfterDelete "afterDelete" "after the resource was deleted";
        AfterUpdate "afterUpdate" "after the resource was updated";
        BeforeCreate "beforeCreate" "before the resource is created";
        BeforeDelete "beforeDelete" "before the resource is deleted";
        BeforeUpdate "beforeUpdate" "before the resource is updated";
        OnError "onError" "when an operation on the resource failed";
    }
}

/// The releases that have them.
pub(crate) static MOMENTS: &[Construct] = &[
    row("option.hooks.afterCreate", [3, 229, 0], 22377),
    row("option.hooks.afterDelete", [3, 229, 0], 22377),
    row("option.hooks.afterUpdate", [3, 229, 0], 22377),
    row("option.hooks.beforeCreate", [3, 229, 0], 22377),
    row("option.hooks.beforeDelete", [3, 229, 0], 22377),
    row("option.hooks.beforeUpdate", [3, 229, 0], 22377),
    row("option.hooks.onError", [3, 252, 0], 23838),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_has_its_releases() {
        let named = HookMoment::ALL.iter().map(|moment| format!("option.hooks.{}", moment.name()));
        assert!(named.eq(MOMENTS.iter().map(|construct| construct.name.to_owned())));
        assert!(HookMoment::ALL.is_sorted_by_key(|moment| moment.name()));
    }
}
