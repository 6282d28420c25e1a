//! Aliases: the names that a resource had before.

use crate::urn::Urn;

/// A former name of a resource. A program sends it as it is; the engine computes the URN.
///
/// ```
/// use pcl_values::{Alias, AliasParent, AliasSpec, Urn};
/// let urn = Urn::new("dev", "shop", "x:y:Parent", "a:b:C", "new");
/// let alias = Alias::Spec(AliasSpec {
///     name: Some("old".into()),
///     parent: AliasParent::None,
///     ..AliasSpec::default()
/// });
/// assert_eq!(alias.resolve(&urn, None), Urn::parse("urn:pulumi:dev::shop::a:b:C::old").ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alias {
    /// The whole URN.
    Urn(Urn),
    /// The parts that differ from those of the resource.
    Spec(AliasSpec),
}

/// The parts of an alias. Absent parts are those of the resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AliasSpec {
    /// The former name.
    pub name: Option<String>,
    /// The former type, without those of the parents.
    pub kind: Option<String>,
    /// The former stack.
    pub stack: Option<String>,
    /// The former project.
    pub project: Option<String>,
    /// The former parent.
    pub parent: AliasParent,
}

/// The former parent of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AliasParent {
    /// The parent that the resource has now.
    #[default]
    Same,
    /// No parent.
    None,
    /// The resource of this URN.
    Urn(Urn),
}

impl Alias {
    /// The URN that the alias denotes for a resource of this URN and with this parent; `None` if
    /// the URN, or that of the parent, is not valid.
    #[must_use]
    pub fn resolve(&self, resource: &Urn, parent: Option<&Urn>) -> Option<Urn> {
        let spec = match self {
            Self::Urn(urn) => return Some(urn.clone()),
            Self::Spec(spec) => spec,
        };
        let own = resource.parts()?;
        let stack = spec.stack.as_deref().unwrap_or(own.stack);
        let project = spec.project.as_deref().unwrap_or(own.project);
        let kind = spec.kind.as_deref().or(resource.resource_type())?;
        let name = spec.name.as_deref().unwrap_or(own.name);
        let parent = match &spec.parent {
            AliasParent::Same => parent,
            AliasParent::None => None,
            AliasParent::Urn(urn) => Some(urn),
        };
        match parent.filter(|parent| !parent.is_stack()) {
            None => Some(Urn::new(stack, project, "", kind, name)),
            // The parent decides the stack and the project too.
            Some(parent) => {
                let (prefix, _) = parent.as_str().rsplit_once("::")?;
                Some(format!("{prefix}${kind}::{name}").into())
            }
        }
    }

    /// The alias that a child gets because its parent is found under an alias. If the child's name
    /// begins with the parent's name, it begins with the name in the parent's alias there.
    #[must_use]
    pub fn inherited(child: &Urn, parent: &Urn, parent_alias: &Urn) -> Option<Self> {
        let (name, kind) = (child.name()?, child.resource_type()?);
        let former = parent_alias.parts()?;
        let name = match name.strip_prefix(parent.name()?) {
            Some(rest) => format!("{}{rest}", former.name),
            None => name.to_owned(),
        };
        let parent_type = former.qualified_type;
        let urn = Urn::new(former.stack, former.project, parent_type, kind, &name);
        Some(Self::Urn(urn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(spec: AliasSpec) -> Alias {
        Alias::Spec(spec)
    }

    #[test]
    fn absent_parts_are_those_of_the_resource() {
        let parent = Urn::new("s", "p", "", "x:y:Parent", "parent");
        let urn = Urn::new("s", "p", "x:y:Parent", "a:b:C", "n");
        let same = spec(AliasSpec::default());
        assert_eq!(same.resolve(&urn, Some(&parent)), Some(urn.clone()));
        let moved = spec(AliasSpec {
            stack: Some("t".into()),
            project: Some("q".into()),
            kind: Some("a:b:D".into()),
            parent: AliasParent::None,
            ..AliasSpec::default()
        });
        let expected = Urn::new("t", "q", "", "a:b:D", "n");
        assert_eq!(moved.resolve(&urn, Some(&parent)), Some(expected));
        let stack = spec(AliasSpec {
            parent: AliasParent::Urn(Urn::of_stack("s", "p")),
            ..AliasSpec::default()
        });
        let expected = Urn::new("s", "p", "", "a:b:C", "n");
        assert_eq!(stack.resolve(&urn, Some(&parent)), Some(expected));
        assert_eq!(same.resolve(&Urn::from("bad"), None), None);
    }

    #[test]
    fn a_child_inherits_the_alias_of_its_parent() {
        let parent = Urn::new("s", "p", "", "x:y:Parent", "new");
        let former = Urn::new("s", "p", "q:r:Root", "x:y:Former", "old");
        for (name, aliased) in [("new-child", "old-child"), ("child", "child")] {
            let child = Urn::new("s", "p", "x:y:Parent", "a:b:C", name);
            let expected = Urn::new("s", "p", "q:r:Root$x:y:Former", "a:b:C", aliased);
            let alias = Alias::inherited(&child, &parent, &former);
            assert_eq!(alias, Some(Alias::Urn(expected)));
        }
    }
}
