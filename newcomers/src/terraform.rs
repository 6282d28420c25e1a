//! Terraform's types, and Pulumi's tokens for them.

/// The providers of Terraform whose packages have another name in Pulumi, by prefix of their types.
pub const PACKAGES: &[(&str, &[&str])] = &[
    ("aws", &["aws", "aws-native"]),
    ("awscc", &["aws-native"]),
    ("azuread", &["azuread"]),
    ("azurerm", &["azure-native", "azure"]),
    ("google", &["gcp", "google-native"]),
    ("helm", &["kubernetes"]),
    ("kubernetes", &["kubernetes"]),
    ("local", &["local", "command"]),
    ("null", &["command"]),
    ("template", &["std"]),
];

/// The prefixes of other types that are common enough to be known without their package.
const PREFIXES: &[&str] = &[
    "auth0",
    "azapi",
    "cloudflare",
    "consul",
    "databricks",
    "datadog",
    "digitalocean",
    "docker",
    "fastly",
    "github",
    "gitlab",
    "hcloud",
    "linode",
    "mongodbatlas",
    "oci",
    "okta",
    "openstack",
    "pagerduty",
    "postgresql",
    "random",
    "snowflake",
    "tfe",
    "time",
    "tls",
    "vault",
    "vsphere",
];

/// A member of a package that a type of Terraform means.
#[derive(Debug)]
pub struct Counterpart {
    /// Its token, as the schema has it.
    pub token: String,
    /// Set if no other member of that name could be meant.
    pub certain: bool,
}

/// Returns whether a word is the type of a resource or data source: `aws_s3_bucket`.
pub fn is_type(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let Some((prefix, rest)) = text.split_once('_') else { return false };
    !prefix.is_empty() && !rest.is_empty() && text.chars().all(is_word)
}

/// Returns whether a word is such a type of a provider that everybody knows.
pub fn is_known_type(text: &str) -> bool {
    let prefix = text.split_once('_').map_or("", |(prefix, _)| prefix);
    is_type(text) && is_provider(prefix)
}

/// Returns whether a word is the name of a provider that everybody knows.
pub fn is_provider(word: &str) -> bool {
    PREFIXES.contains(&word) || PACKAGES.iter().any(|(known, _)| *known == word)
}

/// Returns true if a package has the types of a provider of Terraform, whose names begin with
/// `prefix`.
pub fn is_package_of_terraform(prefix: &str, package: &str) -> bool {
    match PACKAGES.iter().find(|(known, _)| *known == prefix) {
        Some((_, packages)) => packages.contains(&package),
        None => prefix == package,
    }
}

/// Returns whether a name in a `lifecycle` block lists properties of the resource.
pub fn lists_properties(name: &str) -> bool {
    matches!(name, "ignore_changes" | "replace_triggered_by")
}

/// A name in snake case as Pulumi writes it: `user_data` is `userData`. `None` when it is no such
/// name.
pub fn camel(name: &str) -> Option<String> {
    let (first, rest) = name.split_once('_')?;
    if first.is_empty() {
        return None;
    }
    let mut camel = first.to_owned();
    for word in rest.split('_') {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    Some(camel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_terraform_are_words_with_a_prefix() {
        for (text, is) in [
            ("aws_vpc", true),
            ("kubernetes_deployment_v1", true),
            ("vpc", false),
            ("_vpc", false),
            ("aws_", false),
            ("aws:ec2:Vpc", false),
            ("My_Vpc", false),
        ] {
            assert_eq!(is_type(text), is, "{text}");
        }
        assert!(is_known_type("aws_vpc") && !is_known_type("web_server"));
    }

    #[test]
    fn snake_case_becomes_camel_case() {
        assert_eq!(camel("user_data").as_deref(), Some("userData"));
        assert_eq!(camel("ipv4_address").as_deref(), Some("ipv4Address"));
        assert_eq!(camel("a__b_").as_deref(), Some("aB"));
        assert_eq!((camel("user"), camel("_x")), (None, None));
    }
}
