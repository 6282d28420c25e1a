//! The names of packages, modules, classes and properties in SDKs for Python.

use super::Python;

/// Words that Python reserves, or reserved once, and that get an underscore behind them.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global", "if",
    "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "print", "raise", "return",
    "try", "while", "with", "yield",
];

/// Names from before a lowercase `s` belonged to the acronym in front of it.
const OLD_NAMES: &[&str] = &["openXJsonSerDe", "GetPublicIPs", "GetUptimeCheckIPs"];

/// The name of a property, parameter or function in SDKs for Python, such as `pod_cidrs` for
/// `podCIDRs`.
///
/// An acronym is one word, together with the digits or the `s` behind it. What cannot be in an
/// identifier becomes an underscore, and a keyword gets one behind it.
///
/// ```
/// use pcl_schema::language::python_name;
/// assert_eq!(python_name("podCIDRs"), "pod_cidrs");
/// assert_eq!(python_name("SHA256Hash"), "sha256_hash");
/// assert_eq!(python_name("parseXMLText"), "parse_xml_text");
/// assert_eq!(python_name("from"), "from_");
/// ```
#[must_use]
pub fn python_name(name: &str) -> String {
    /// The characters before the current one.
    #[derive(Clone, Copy, PartialEq)]
    enum Before {
        Nothing,
        Capital,
        Capitals,
        Other,
    }
    let is_old = OLD_NAMES.contains(&name);
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut before = Before::Nothing;
    for character in name.chars() {
        let is_letter = character.is_alphabetic() || character == '_';
        let is_legal = is_letter || character.is_ascii_digit();
        let character = if is_legal { character } else { '_' };
        let is_capital = character.is_uppercase();
        match before {
            Before::Nothing if is_legal && !is_letter => word.push('_'),
            Before::Other if is_capital => words.push(std::mem::take(&mut word)),
            Before::Capitals if !is_capital => {
                let belongs = character.is_ascii_digit() || character == 's' && !is_old;
                if !belongs && let Some(first) = word.pop() {
                    words.push(std::mem::replace(&mut word, first.to_string()));
                }
            }
            _ => {}
        }
        word.extend(character.to_lowercase());
        before = match (is_capital, before) {
            (true, Before::Capital | Before::Capitals) => Before::Capitals,
            (true, _) => Before::Capital,
            (false, _) => Before::Other,
        };
    }
    words.push(word);
    unlike_keywords(words.join("_"))
}

/// The name of a class in SDKs for Python, such as `PodCIDRs` for `podCIDRs`: only the first letter
/// changes.
///
/// ```
/// use pcl_schema::language::python_class;
/// assert_eq!(python_class("podCIDRs"), "PodCIDRs");
/// assert_eq!(python_class("none"), "None_");
/// ```
#[must_use]
pub fn python_class(name: &str) -> String {
    let mut letters = name.trim_start_matches('$').chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    unlike_keywords(first.chain(letters).collect())
}

fn unlike_keywords(mut name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

impl Python {
    /// The name of the Python package that programs import: `pulumi_NAME`, or with the package's
    /// namespace in place of `pulumi`, unless the package names another one.
    ///
    /// ```
    /// use pcl_schema::language::Python;
    /// assert_eq!(Python::default().name_of("aws-native", None), "pulumi_aws_native");
    /// ```
    #[must_use]
    pub fn name_of(&self, package: &str, namespace: Option<&str>) -> String {
        let namespace = namespace.unwrap_or("pulumi");
        let default = || format!("{namespace}_{package}").replace('-', "_");
        self.package_name.clone().unwrap_or_else(default)
    }

    /// The name of the distribution that pip installs: `pulumi-NAME`, or with the package's
    /// namespace in place of `pulumi`, unless the package names another one.
    ///
    /// ```
    /// use pcl_schema::language::Python;
    /// assert_eq!(Python::default().distribution_of("aws-native", None), "pulumi-aws-native");
    /// assert_eq!(Python::default().distribution_of("zoo", Some("ark")), "ark-zoo");
    /// ```
    #[must_use]
    pub fn distribution_of(&self, package: &str, namespace: Option<&str>) -> String {
        let namespace = namespace.unwrap_or("pulumi");
        let default = || format!("{namespace}-{package}");
        self.package_name.clone().unwrap_or_else(default)
    }

    /// The path of a module below its package, as programs write it; empty for the root module.
    ///
    /// ```
    /// use pcl_schema::Package;
    /// let zoo = Package::from_bytes(r#"{ "name": "zoo", "language": {
    ///     "python": { "moduleNameOverrides": { "cages.k8s.io/v1": "cages/v1" } } } }"#)?;
    /// let python = zoo.languages().python();
    /// assert_eq!(python.module_of("cages.k8s.io/v1"), "cages.v1");
    /// assert_eq!(python.module_of("catHouse/in"), "cathouse.in_");
    /// # Ok::<(), pcl_schema::DocumentError>(())
    /// ```
    #[must_use]
    pub fn module_of(&self, module: &str) -> String {
        if let Some(path) = self.module_name_overrides.get(module) {
            return path.replace('/', ".");
        }
        let parts = module.split('/');
        let names: Vec<_> = parts.map(|part| python_name(&part.to_lowercase())).collect();
        names.join(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that the generator of Pulumi has for these.
    #[test]
    fn names_are_those_of_the_sdks() {
        for (name, expected) in [
            ("kubeletConfigKey", "kubelet_config_key"),
            ("podCIDR", "pod_cidr"),
            ("podCidr", "pod_cidr"),
            ("podCIDRs", "pod_cidrs"),
            ("podIPs", "pod_ips"),
            ("clusterIPs", "cluster_ips"),
            ("nonResourceURLs", "non_resource_urls"),
            ("someTHINGsAREWeird", "some_things_are_weird"),
            ("podCIDRSet", "pod_cidr_set"),
            ("Sha256Hash", "sha256_hash"),
            ("SHA256Hash", "sha256_hash"),
            ("proj:config", "proj_config"),
            ("openXJsonSerDe", "open_x_json_ser_de"),
            ("GetPublicIPs", "get_public_i_ps"),
            ("GetUptimeCheckIPs", "get_uptime_check_i_ps"),
            ("3d", "_3d"),
            ("a_B", "a__b"),
            ("", ""),
        ] {
            assert_eq!(python_name(name), expected, "{name}");
        }
    }
}
