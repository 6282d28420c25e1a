//! The moments at which the hooks of a resource run.

use crate::construct::{Construct, since};

/// A row: the variant, the name, when it is, and the releases.
macro_rules! moments {
    ($($variant:ident $name:literal, $when:literal = $since:expr;)*) => {
        /// A moment at which hooks run.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum HookMoment {
            $(#[doc = concat!("`", $name, "`: ", $when, ".")] $variant,)*
        }

        impl HookMoment {
            /// Every moment, by name.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The moment of that name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        pub(crate) static MOMENTS: &[Construct] = &[
            $($since.named(concat!("option.hooks.", $name)),)*
        ];
    };
}

moments! {
    AfterCreate "afterCreate", "after the resource was created" = since([3, 229, 0], 22377);
    AfterDelete "afterDelete", "after the resource was deleted" = since([3, 229, 0], 22377);
    AfterUpdate "afterUpdate", "after the resource was updated" = since([3, 229, 0], 22377);
    BeforeCreate "beforeCreate", "before the resource is created" = since([3, 229, 0], 22377);
    BeforeDelete "beforeDelete", "before the resource is deleted" = since([3, 229, 0], 22377);
    BeforeUpdate "beforeUpdate", "before the resource is updated" = since([3, 229, 0], 22377);
    OnError "onError", "when an operation on the resource failed" = since([3, 252, 0], 23838);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_order() {
        assert!(HookMoment::ALL.is_sorted_by_key(|moment| moment.name()));
    }
}
