//! The languages of files that are not PCL, and what the extension of a file says.

/// A file in another language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Yaml,
    PulumiYaml,
    Json,
    Puppet,
    Pascal,
    Terraform,
    TerraformValues,
    Hcl,
    Python,
    TypeScript,
    JavaScript,
    Go,
}

/// The languages of files by their extensions.
const EXTENSIONS: &[(&str, Language)] = &[
    ("go", Language::Go),
    ("hcl", Language::Hcl),
    ("js", Language::JavaScript),
    ("json", Language::Json),
    ("py", Language::Python),
    ("tf", Language::Terraform),
    ("tfvars", Language::TerraformValues),
    ("ts", Language::TypeScript),
    ("yaml", Language::Yaml),
    ("yml", Language::Yaml),
];

/// The language that the extension of a file's name tells.
pub(crate) fn language_of_name(name: &str) -> Option<Language> {
    let (_, extension) = name.rsplit_once('.')?;
    let mut known = EXTENSIONS.iter();
    let found = known.find(|(known, _)| known.eq_ignore_ascii_case(extension));
    found.map(|&(_, language)| language)
}
