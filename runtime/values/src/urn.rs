//! URNs: the names of resources.

use std::fmt;
use std::sync::Arc;

/// The beginning of every URN.
const PREFIX: &str = "urn:pulumi:";

/// The type of the root of a stack. As the type of a parent, it does not show in URNs.
const STACK: &str = "pulumi:pulumi:Stack";

/// A URN, `urn:pulumi:STACK::PROJECT::QUALIFIED_TYPE::NAME`. Copies share their text.
///
/// Engines answer any text as a URN, so any text can be one here; the parts of one that is not
/// valid are absent. Parts may be empty and contain anything: the first three `::` decide. URNs are
/// equal if their texts are.
///
/// ```
/// use pcl_values::Urn;
/// let urn = Urn::from("urn:pulumi:dev::shop::x:y:Parent$aws:s3/bucket:Bucket::logs");
/// assert_eq!(urn.name(), Some("logs"));
/// assert_eq!(urn.resource_type(), Some("aws:s3/bucket:Bucket"));
/// let other = Urn::new("dev", "shop", "x:y:Parent", "aws:s3/bucket:Bucket", "logs");
/// assert_eq!(urn, other);
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Urn(Arc<str>);

/// The parts of a valid URN.
struct UrnParts<'u> {
    stack: &'u str,
    project: &'u str,
    /// The type behind the types of the parents, separated by `$`.
    qualified_type: &'u str,
    /// Everything after the third `::`.
    name: &'u str,
}

impl Urn {
    /// The URN of a resource whose parent has this *qualified* type, empty without a parent.
    /// Nothing is checked or escaped.
    pub fn new(stack: &str, project: &str, parent_type: &str, kind: &str, name: &str) -> Self {
        let (parent_type, separator) = match parent_type {
            "" | STACK => ("", ""),
            _ => (parent_type, "$"),
        };
        // This takes a third of the time of `format!`, and every resource of a program has one.
        let parts = [PREFIX, stack, "::", project, "::", parent_type, separator, kind, "::", name];
        parts.concat().into()
    }

    /// The text, which copies share.
    pub fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }

    /// The URN of the root of a stack.
    pub fn of_stack(stack: &str, project: &str) -> Self {
        Self::new(stack, project, "", STACK, &format!("{project}-{stack}"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the URN has all parts.
    pub fn is_valid(&self) -> bool {
        self.parts().is_some()
    }

    fn parts(&self) -> Option<UrnParts<'_>> {
        let mut parts = self.0.strip_prefix(PREFIX)?.splitn(4, "::");
        Some(UrnParts {
            stack: parts.next()?,
            project: parts.next()?,
            qualified_type: parts.next()?,
            name: parts.next()?,
        })
    }

    /// The stack.
    pub fn stack(&self) -> Option<&str> {
        self.parts().map(|parts| parts.stack)
    }

    /// The project.
    pub fn project(&self) -> Option<&str> {
        self.parts().map(|parts| parts.project)
    }

    /// The type behind the types of the parents.
    pub fn qualified_type(&self) -> Option<&str> {
        self.parts().map(|parts| parts.qualified_type)
    }

    /// The type of the resource itself: what follows the last `$`.
    pub fn resource_type(&self) -> Option<&str> {
        let qualified = self.qualified_type()?;
        Some(qualified.rsplit_once('$').map_or(qualified, |(_, kind)| kind))
    }

    /// The name.
    pub fn name(&self) -> Option<&str> {
        self.parts().map(|parts| parts.name)
    }

    /// Returns true for the root of a stack.
    pub fn is_stack(&self) -> bool {
        self.qualified_type() == Some(STACK)
    }
}

impl From<&str> for Urn {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Urn {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for Urn {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Urn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for Urn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", &*self.0)
    }
}
