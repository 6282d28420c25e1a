//! The names of members that a document mentions elsewhere: those that they had before, in
//! `aliases`, and Terraform's, in descriptions.
//!
//! A table of them takes a walk over the whole document, so it is made when a name is asked for
//! that is none of a member's own.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use memchr::memmem;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;

use crate::wording::{Wording, names_in};
use crate::{MemberId, Package, Section};

/// The tables of a package.
#[derive(Debug, Default)]
pub(crate) struct OtherNames {
    /// The members by each canonical token that they had before, in document order.
    former: OnceLock<FxHashMap<String, Vec<MemberId>>>,
    terraform: OnceLock<TerraformNames>,
}

/// The resources and functions by Terraform's name.
type TerraformNames = FxHashMap<(Section, String), Named>;

/// A member that Terraform has a name for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The member.
    pub member: MemberId,
    /// Set if the package has the name for no other member.
    pub is_only: bool,
}

/// The facts that make one of several members of a name the better one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// Set if the member is deprecated.
    pub is_deprecated: bool,
    /// The tokens that it had before, as the document has them.
    pub aliases: Vec<String>,
}

#[derive(Deserialize)]
struct RawStanding {
    #[serde(default, rename = "deprecationMessage")]
    deprecation: Value,
    #[serde(default)]
    aliases: Value,
}

impl Package {
    /// The facts that make one of several members of a name the better one. Read anew each time;
    /// those of a member that cannot be read are none.
    pub fn standing(&self, member: MemberId) -> Standing {
        let text =
            (self.parts.value(member)).and_then(|place| self.parts.document.read(place).ok());
        let raw = text.and_then(|text| serde_json::from_slice::<RawStanding>(&text).ok());
        raw.map_or_else(Standing::default, |raw| Standing {
            is_deprecated: raw.deprecation.as_str().is_some_and(|text| !text.is_empty()),
            aliases: aliases(&raw.aliases),
        })
    }

    /// The resources that had this token before, in document order.
    pub fn formerly(&self, token: &str) -> &[MemberId] {
        let former = self.other_names.former.get_or_init(|| self.former_tokens());
        let token = self.canonical(token).unwrap_or_default();
        former.get(&token).map_or(&[], Vec::as_slice)
    }

    /// The resource or function that Terraform calls by this name, such as `docker_image`, as far
    /// as the descriptions of the package say.
    pub fn terraform_member(&self, section: Section, name: &str) -> Option<Named> {
        let names = &self.other_names.terraform;
        let names = names.get_or_init(|| self.terraform_names());
        if let Some(&found) = names.get(&(section, name.to_owned())) {
            return Some(found);
        }
        // A data source has the name of its resource.
        let resource = names.get(&(Section::Resources, name.to_owned()))?;
        let token = self.canonical(self.token(resource.member))?;
        let (module, name) = token.rsplit_once(':')?;
        let getter = self.function_by_canonical(&format!("{module}:get{name}"))?;
        (section == Section::Functions).then_some(Named { member: getter.member, ..*resource })
    }

    fn former_tokens(&self) -> FxHashMap<String, Vec<MemberId>> {
        let mut former: FxHashMap<String, Vec<MemberId>> = FxHashMap::default();
        for member in self.members(Section::Resources) {
            for alias in self.standing(member).aliases {
                let Some(token) = self.canonical(&alias) else { continue };
                former.entry(token).or_default().push(member);
            }
        }
        former
    }

    fn terraform_names(&self) -> TerraformNames {
        let mut counts: BTreeMap<(Section, String), BTreeMap<MemberId, u32>> = BTreeMap::new();
        let finder = memmem::Finder::new("pulumi-lang-hcl=");
        let sections = [Section::Types, Section::Resources, Section::Functions];
        for member in sections.into_iter().flat_map(|section| self.members(section)) {
            let place = self.parts.value(member);
            let text = place.and_then(|place| self.parts.document.read(place).ok());
            let Some(text) = text.filter(|text| finder.find(text).is_some()) else { continue };
            // Names have no other characters that JSON escapes.
            let text = String::from_utf8_lossy(&text).replace("\\\"", "\"");
            let text = text.replace("\\u003c", "<").replace("\\u003e", ">");
            for [pulumi, terraform] in names_in(&text, [Wording::Nodejs, Wording::Hcl]) {
                if let Some((section, name, member)) = self.named(pulumi, terraform) {
                    let count = counts.entry((section, name)).or_default();
                    *count.entry(member).or_default() += 1;
                }
            }
        }
        let named = |members: &BTreeMap<MemberId, u32>| {
            // Of equally frequent ones, the first.
            let most = members.iter().rev().max_by_key(|(_, count)| **count);
            most.map(|(&member, _)| Named { member, is_only: members.len() == 1 })
        };
        let names = counts.into_iter();
        names.filter_map(|(key, members)| Some((key, named(&members)?))).collect()
    }

    /// The member that `docker.RemoteImage` is, with Terraform's name for it.
    fn named(&self, pulumi: &str, terraform: &str) -> Option<(Section, String, MemberId)> {
        let around: &[char] = &[' ', '`'];
        let (pulumi, terraform) = (pulumi.trim_matches(around), terraform.trim_matches(around));
        let path = pulumi.strip_prefix(self.name())?.strip_prefix('.')?;
        let (module, name) = path.rsplit_once('.').unwrap_or(("", path));
        let token = format!("{}:{}:{name}", self.name(), module.replace('.', "/"));
        let (section, terraform) = match terraform.strip_prefix("data.") {
            Some(source) => (Section::Functions, source),
            None => (Section::Resources, terraform),
        };
        let found = self.by_canonical(section, &token)?;
        Some((section, terraform.to_owned(), found.member))
    }
}

/// Aliases are tokens, or objects with one; of old documents some have none.
fn aliases(json: &Value) -> Vec<String> {
    let tokens = json.as_array().into_iter().flatten();
    let token = |alias: &Value| {
        let token = alias.as_str().or_else(|| alias.get("type")?.as_str());
        token.map(str::to_owned)
    };
    tokens.filter_map(token).collect()
}
