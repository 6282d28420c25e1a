//! The members that Pulumi's SDK for Go gives other names, since a package of Go has one space of
//! names.
//!
//! Resources come first: `Bucket` takes the names of its structs and functions, such as
//! `BucketArgs`, `NewBucket` and `GetBucket`. A type or a function that would have one of them gets
//! another name, and so does a function beside a type.

use crate::{MemberId, Package, Section};

impl Package {
    /// Returns true if another member has a name in the SDK for Go that this one would have.
    pub(crate) fn is_renamed_in_go(&self, member: MemberId) -> bool {
        let token = self.token(member);
        let Some((module, name)) = token.rsplit_once(':') else { return false };
        let own = Own { package: self, module, name };
        let class = with_first(name, char::to_ascii_uppercase);
        match self.section(member) {
            Section::Provider => false,
            Section::Resources => {
                class == "Provider" && self.module_format().module_of(token).is_empty()
            }
            Section::Types => own.is_of_resource(&class) || own.is_of_type(&class),
            Section::Functions => {
                // Others keep their names, and the SDK does not compile.
                let has_other = class.starts_with("Get") || class.starts_with("New");
                let mut types = ["", "Args", "Result"].iter();
                has_other
                    && (own.is_of_resource(&class)
                        || types.any(|end| own.find(Section::Types, &format!("{class}{end}"))))
            }
        }
    }
}

/// The module of a member.
struct Own<'p> {
    package: &'p Package,
    module: &'p str,
    /// The name of the member.
    name: &'p str,
}

impl Own<'_> {
    /// Returns true if a resource takes a name.
    fn is_of_resource(&self, name: &str) -> bool {
        let every = ["", "Input", "Output", "Args"].iter().map(|end| name.strip_suffix(end));
        let mut every = every.chain([name.strip_prefix("New")]).flatten();
        let custom = [name.strip_prefix("Get"), name.strip_suffix("State")];
        let mut collections = ["Array", "Map"].iter().filter_map(|end| name.strip_suffix(end));
        let resource = |name: &str| self.member(Section::Resources, name);
        let is_custom = |member| match self.package.resource_by_id(member) {
            Ok(Some(spec)) => !spec.is_component,
            _ => true,
        };
        every.any(|name| resource(name).is_some())
            || custom.into_iter().flatten().filter_map(resource).any(is_custom)
            || collections.any(|name| resource(name).is_some())
                && self.package.languages().go().generate_resource_container_types
    }

    /// Returns true if a shorter type takes the name of a type.
    fn is_of_type(&self, name: &str) -> bool {
        let mut shorter = ["Input", "Output"].iter().filter_map(|end| name.strip_suffix(end));
        shorter.any(|ty| self.find(Section::Types, ty))
    }

    fn find(&self, section: Section, class: &str) -> bool {
        self.member(section, class).is_some()
    }

    /// The member of the module that has this class.
    fn member(&self, section: Section, class: &str) -> Option<MemberId> {
        let lower = with_first(class, char::to_ascii_lowercase);
        // The last part of some modules is the name of the member.
        let own = with_first(self.name, char::to_ascii_lowercase);
        let module = match self.module.rsplit_once('/') {
            Some((above, last)) if last == own => format!("{above}/{lower}"),
            _ => self.module.to_owned(),
        };
        let find = |name: &str| self.package.find(section, &format!("{module}:{name}"));
        find(class).or_else(|| find(&lower))
    }
}

/// A name with another first letter.
fn with_first(name: &str, letter: impl Fn(&char) -> char) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| letter(&first));
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_renamed_whose_names_are_taken() {
        let zoo = Package::from_bytes(
            r#"{ "name": "zoo",
                "resources": { "zoo:index/cage:Cage": {}, "zoo:core/v1:Pod": {}, "zoo:index:Provider": {},
                    "zoo:index/yard:Yard": { "isComponent": true } },
                "types": {
                    "zoo:index/cage:Cage": { "type": "object" },
                    "zoo:index/cageArgs:CageArgs": { "type": "object" },
                    "zoo:index/cageMap:CageMap": { "type": "object" },
                    "zoo:index/getFood:getFood": { "type": "object" },
                    "zoo:index/getFoodInput:getFoodInput": { "type": "object" },
                    "zoo:core/v1:Pod": { "type": "object" },
                    "zoo:core/v1:PodSpec": { "type": "object" }
                },
                "functions": {
                    "zoo:index/getCage:getCage": {}, "zoo:index/newCage:newCage": {},
                    "zoo:index/getFood:getFood": {}, "zoo:index/getDoor:getDoor": {},
                    "zoo:index/getYard:getYard": {},
                    "zoo:core/v1:getPod": {}, "zoo:index/cage:cage": {}
                } }"#,
        );
        let zoo = zoo.expect("a schema");
        let renamed = |section| -> Vec<&str> {
            let all = zoo.members(section).filter(|&member| zoo.is_renamed_in_go(member));
            all.map(|member| zoo.token(member)).collect()
        };
        assert_eq!(renamed(Section::Resources), ["zoo:index:Provider"]);
        assert_eq!(
            renamed(Section::Types),
            [
                "zoo:index/cage:Cage",
                "zoo:index/cageArgs:CageArgs",
                "zoo:index/getFoodInput:getFoodInput",
                "zoo:core/v1:Pod"
            ]
        );
        assert_eq!(
            renamed(Section::Functions),
            [
                "zoo:index/getCage:getCage",
                "zoo:index/newCage:newCage",
                "zoo:index/getFood:getFood",
                "zoo:core/v1:getPod"
            ]
        );
    }
}
