//! The templates of `pcl new`.

/// A template: the files of a project beside `Pulumi.yaml`.
pub(super) struct Template {
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    /// Paths, with slashes, and texts.
    pub files: &'static [(&'static str, &'static str)],
    /// The package that its program uses.
    pub package: Option<&'static str>,
}

const GIT_IGNORE: (&str, &str) = (".gitignore", include_str!("templates/gitignore"));

/// The part of the schema of `random` that programs use. It has no version, so that one that
/// `pcl schema add random` gets takes its place.
const RANDOM: (&str, &str) = ("schemas/random.json", include_str!("templates/random.json"));

/// All templates. Those with a package of the cloud have no schema: theirs have up to 100 MB.
pub(super) const TEMPLATES: [Template; 6] = [
    Template {
        name: "empty",
        about: "A program without resources",
        files: &[("main.pp", include_str!("templates/empty/main.pp")), GIT_IGNORE],
        package: None,
    },
    Template {
        name: "random",
        about: "A random name and a password, which need no account",
        files: &[("main.pp", include_str!("templates/random/main.pp")), RANDOM, GIT_IGNORE],
        package: Some("random"),
    },
    Template {
        name: "component",
        about: "A component that is used twice",
        files: &[
            ("main.pp", include_str!("templates/component/main.pp")),
            ("account/main.pp", include_str!("templates/component/account/main.pp")),
            RANDOM,
            GIT_IGNORE,
        ],
        package: Some("random"),
    },
    Template {
        name: "kubernetes",
        about: "A deployment and a service",
        files: &[("main.pp", include_str!("templates/kubernetes/main.pp")), GIT_IGNORE],
        package: Some("kubernetes"),
    },
    Template {
        name: "aws",
        about: "A private S3 bucket",
        files: &[("main.pp", include_str!("templates/aws/main.pp")), GIT_IGNORE],
        package: Some("aws"),
    },
    Template {
        name: "azure",
        about: "A resource group with a storage account",
        files: &[("main.pp", include_str!("templates/azure/main.pp")), GIT_IGNORE],
        package: Some("azure-native"),
    },
];
