//! Names that the engine makes: former URNs from aliases, and default providers.

use pcl_values::{Alias, AliasParent, AliasSpec, Urn};
use rustc_hash::FxHashMap;

/// The stack and the project, whose names are parts of URNs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub project: String,
    pub stack: String,
}

/// A resource that has aliases.
pub(crate) struct Aliased<'r> {
    pub kind: &'r str,
    pub name: &'r str,
    pub parent: Option<&'r Urn>,
    pub aliases: &'r [Alias],
}

impl Names {
    /// The URN of a resource.
    pub fn urn(&self, parent: Option<&Urn>, kind: &str, name: &str) -> Urn {
        let parent = parent.filter(|parent| !parent.is_stack());
        let parent_type = parent.and_then(Urn::qualified_type).unwrap_or_default();
        Urn::new(&self.stack, &self.project, parent_type, kind, name)
    }

    /// The former URNs of a resource, in the order in which the state is searched for them.
    /// `aliases` has the former URNs of resources that were found under one.
    pub fn former(&self, resource: &Aliased<'_>, aliases: &FxHashMap<Urn, Urn>) -> Vec<Urn> {
        let own = resource.aliases.iter().map(|alias| self.of_alias(resource, alias, aliases));
        let mut urns: Vec<Urn> = own.collect();
        if let Some(parent) = resource.parent
            && let Some(former) = aliases.get(parent)
        {
            let of_child = |own: &Urn| {
                let kind = own.resource_type().unwrap_or_default();
                self.of_child(kind, own.name().unwrap_or_default(), parent, former)
            };
            let of_former: Vec<Urn> = urns.iter().map(of_child).collect();
            urns.push(self.of_child(resource.kind, resource.name, parent, former));
            urns.extend(of_former);
        }
        urns
    }

    fn of_alias(
        &self,
        resource: &Aliased<'_>,
        alias: &Alias,
        aliases: &FxHashMap<Urn, Urn>,
    ) -> Urn {
        let AliasSpec { name, kind, stack, project, parent } = match alias {
            Alias::Urn(urn) => return urn.clone(),
            Alias::Spec(spec) => spec,
        };
        fn given<'t>(text: &'t Option<String>, own: &'t str) -> &'t str {
            text.as_deref().filter(|text| !text.is_empty()).unwrap_or(own)
        }
        let parent = match parent {
            AliasParent::None => None,
            AliasParent::Same => resource.parent,
            AliasParent::Urn(urn) => Some(aliases.get(urn).unwrap_or(urn)),
        };
        let (kind, name) = (given(kind, resource.kind), given(name, resource.name));
        let parent = parent.filter(|parent| !parent.is_stack());
        // The stack and the project of a child are those in the URN of its parent.
        if let Some((before, _)) = parent.and_then(|parent| parent.as_str().rsplit_once("::")) {
            return format!("{before}${kind}::{name}").into();
        }
        let (stack, project) = (given(stack, &self.stack), given(project, &self.project));
        Urn::new(stack, project, "", kind, name)
    }

    /// The former URN of a child whose parent has one. A name that begins with that of the parent
    /// changes with it.
    fn of_child(&self, kind: &str, name: &str, parent: &Urn, former: &Urn) -> Urn {
        let own = parent.name().unwrap_or_default();
        let name = match name.strip_prefix(own) {
            Some(rest) => format!("{}{rest}", former.name().unwrap_or_default()),
            None => name.to_owned(),
        };
        let parent_type = former.qualified_type().unwrap_or_default();
        Urn::new(&self.stack, &self.project, parent_type, kind, &name)
    }
}

/// The name of the default provider of a package.
pub(crate) fn default_provider(version: &str, download_url: &str) -> String {
    let mut name = String::from("default");
    if !version.is_empty() {
        name.push('_');
        name.extend(version.chars().map(|char| match char {
            '.' | '-' | '+' => '_',
            char => char,
        }));
    }
    let url = download_url.trim_end_matches('/');
    if !url.is_empty() {
        name.push('_');
        name.push_str(&qualified_name(url));
    }
    name
}

/// A text with the characters of a qualified name: segments of letters, digits, `_`, `-` and `.`.
fn qualified_name(text: &str) -> String {
    let segments = text.split('/').filter(|segment| !segment.is_empty());
    let segments = segments.map(|segment| {
        let chars = segment.bytes().map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' => char::from(byte),
            _ => '_',
        });
        chars.collect::<String>()
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_providers_are_named_after_their_plugins() {
        for (version, url, name) in [
            ("", "", "default"),
            ("2.0.0", "", "default_2_0_0"),
            ("1.0.0-alpha.1+x", "", "default_1_0_0_alpha_1_x"),
            ("1.0.0", "http://example.com", "default_1_0_0_http_/example.com"),
        ] {
            assert_eq!(default_provider(version, url), name);
        }
    }

    #[test]
    fn children_are_found_under_the_former_names_of_their_parents() {
        let names = Names { project: "shop".into(), stack: "dev".into() };
        let parent = names.urn(None, "x:y:Site", "newapp");
        let former = names.urn(None, "x:y:Site", "app");
        let aliases = FxHashMap::from_iter([(parent.clone(), former)]);
        let child =
            Aliased { kind: "a:b:C", name: "newapp-db", parent: Some(&parent), aliases: &[] };
        let urns = names.former(&child, &aliases);
        assert_eq!(urns, [Urn::from("urn:pulumi:dev::shop::x:y:Site$a:b:C::app-db")]);
    }
}
