//! The templates of `pcl new`.

/// A template: the files of a project beside its settings.
pub(super) struct Template {
    pub name: &'static str,
    /// A description in a few words.
    pub about: &'static str,
    pub kind: Kind,
    /// Paths, with slashes, and texts.
    pub files: &'static [(&'static str, &'static str)],
    /// The package that its program uses.
    pub package: Option<&'static str>,
}

/// The kinds of templates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A program, with `Pulumi.yaml`.
    Program,
    /// A package of components, with `PulumiPlugin.yaml`.
    Package,
}

impl Kind {
    /// The file of settings of a project with this name, a scalar of YAML.
    pub fn settings(self, name: &str) -> (&'static str, String) {
        match self {
            Self::Program => ("Pulumi.yaml", format!("name: {name}\nruntime: pcl\n")),
            Self::Package => (
                "PulumiPlugin.yaml",
                format!(
                    "runtime:\n  name: pcl\n  options:\n    name: {name}\n    version: 0.1.0\n"
                ),
            ),
        }
    }

    /// The commands that a user tries next.
    pub const fn next_steps(self) -> [&'static str; 2] {
        match self {
            Self::Program => ["pcl check", "pcl preview"],
            Self::Package => ["pcl check", "pcl schema infer"],
        }
    }
}

const GIT_IGNORE: (&str, &str) = (".gitignore", include_str!("templates/gitignore"));

/// The part of the schema of `random` that programs use. It has no version, so that one that
/// `pcl schema add random` gets takes its place.
const RANDOM: (&str, &str) = ("schemas/random.json", include_str!("templates/random.json"));

/// All templates. Those with a package of the cloud have no schema: theirs have up to 100 MB.
pub(super) const TEMPLATES: [Template; 7] = [
    Template {
        name: "empty",
        about: "A program without resources",
        kind: Kind::Program,
        files: &[("main.pp", include_str!("templates/empty/main.pp")), GIT_IGNORE],
        package: None,
    },
    Template {
        name: "random",
        about: "A random name and a password, which need no account",
        kind: Kind::Program,
        files: &[("main.pp", include_str!("templates/random/main.pp")), RANDOM, GIT_IGNORE],
        package: Some("random"),
    },
    Template {
        name: "component",
        about: "A component that is used twice",
        kind: Kind::Program,
        files: &[
            ("main.pp", include_str!("templates/component/main.pp")),
            ("account/main.pp", include_str!("templates/component/account/main.pp")),
            RANDOM,
            GIT_IGNORE,
        ],
        package: Some("random"),
    },
    Template {
        name: "package",
        about: "A component for programs in every language",
        kind: Kind::Package,
        files: &[
            ("account/main.pp", include_str!("templates/component/account/main.pp")),
            RANDOM,
            GIT_IGNORE,
        ],
        package: Some("random"),
    },
    Template {
        name: "kubernetes",
        about: "A deployment and a service",
        kind: Kind::Program,
        files: &[("main.pp", include_str!("templates/kubernetes/main.pp")), GIT_IGNORE],
        package: Some("kubernetes"),
    },
    Template {
        name: "aws",
        about: "A private S3 bucket",
        kind: Kind::Program,
        files: &[("main.pp", include_str!("templates/aws/main.pp")), GIT_IGNORE],
        package: Some("aws"),
    },
    Template {
        name: "azure",
        about: "A resource group with a storage account",
        kind: Kind::Program,
        files: &[("main.pp", include_str!("templates/azure/main.pp")), GIT_IGNORE],
        package: Some("azure-native"),
    },
];
