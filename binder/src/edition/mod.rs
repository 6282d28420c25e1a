//! Editions: the releases of Pulumi that a program works with.
//!
//! [`pcl_language::constructs`] has the release that brought, changed or removed each construct.
//! [`uses`] finds the constructs in a bound program. With
//! [`Options::oldest`](crate::Options::oldest), or a `pulumi` block with a range of versions, what
//! that release does not have is a diagnostic.

mod collect;
mod configs;
mod cycles;
mod declarations;
mod expressions;
pub(crate) mod oldest;
pub(crate) mod range;
mod ranges;
pub(crate) mod removed;
pub(crate) mod report;
mod resources;
mod view;

pub use self::collect::{requirements, uses};
pub use self::oldest::{OldestPulumi, SetBy};
pub use self::range::{Bound, RangeError, VersionRange, empty_range};
pub use self::view::{Effect, Use};
