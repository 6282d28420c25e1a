//! The options of resources, reads and components, with the release since which there is each.

use crate::block::AttributeRule;
use crate::block::Takes::{self, Hooks, Properties, Text, Value, Version};
use crate::construct::{Construct, since};
use crate::function::StaticType::{
    self, Bool, Dynamic, List, Map, Number, Object, OneOf, Optional, String,
};

/// All that is to say about an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name, the value and the meaning.
    pub rule: AttributeRule,
    /// A value for it.
    pub example: &'static str,
    /// The releases that have it.
    pub construct: Construct,
}

/// A row: the variant, the name and the releases; the values, the meaning, a value.
macro_rules! options {
    ($($variant:ident $name:literal = $since:expr, $takes:expr, $says:literal, $example:literal;)*) => {
        /// An option of the language.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum ResourceOption {
            $(#[doc = concat!("`", $name, "`: ", $says, ".")] $variant,)*
        }

        impl ResourceOption {
            /// Every option, by name.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The rules of all of them.
            pub(crate) const RULES: &'static [AttributeRule] =
                &[$(Self::$variant.row().rule,)*];

            /// The option of that name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// All that is to say about it.
            #[must_use]
            pub const fn row(self) -> &'static OptionRow {
                match self {
                    $(Self::$variant => &const {
                        OptionRow {
                            rule: AttributeRule::new($name, $takes, $says),
                            example: $example,
                            construct: $since.named(concat!("option.", $name)),
                        }
                    },)*
                }
            }
        }
    };
}

options! {
    AdditionalSecretOutputs "additionalSecretOutputs" = since([3, 218, 0], 21561),
        Properties, "outputs that are secret in addition to those that the schema names", "[tags]";
    Aliases "aliases" = since([3, 217, 0], 21297),
        Value(ALIASES), "earlier names of the resource", "[{ name = \"old-name\" }]";
    CustomTimeouts "customTimeouts" = since([3, 219, 0], 21623),
        Value(TIMEOUTS), "how long each operation may take", "{ create = \"10m\" }";
    DeleteBeforeReplace "deleteBeforeReplace" = since([3, 218, 0], 21560),
        Value(Bool), "whether the old resource is deleted before the new one is created", "true";
    DeletedWith "deletedWith" = since([3, 126, 0], 12011),
        Value(Dynamic), "a resource whose deletion deletes this one", "cluster";
    DependsOn "dependsOn" = since([1, 14, 1], 4309),
        Value(List(&Dynamic)), "resources that must exist first", "[database]";
    EnvVarMappings "envVarMappings" = since([3, 220, 0], 21572),
        Value(Map(&String)), "environment variables, and the names by which the provider reads them", "{ MY_TOKEN = \"TOKEN\" }";
    HideDiffs "hideDiffs" = since([3, 200, 0], 20631),
        Properties, "properties whose changes are not shown", "[tags]";
    Hooks "hooks" = since([3, 229, 0], 22377),
        Hooks, "the hooks to run, by the moment at which they run", "{ afterCreate = [notify] }";
    IgnoreChanges "ignoreChanges" = since([1, 14, 1], 4309),
        Properties, "properties whose changes are ignored", "[tags]";
    Import "import" = since([3, 163, 0], 19163).instead("import the resource with `pulumi import`"),
        Value(String), "the id of an existing resource to import", "\"i-0123456789\"";
    Parent "parent" = since([2, 6, 0], 4925),
        Value(Dynamic), "the parent of this resource", "cluster";
    PluginDownloadUrl "pluginDownloadURL" = since([3, 39, 0], 10456),
        Text, "where the plugin of its package is downloaded from", "\"https://example.com\"";
    Protect "protect" = since([1, 14, 1], 4309),
        Value(Bool), "whether it is protected from deletion", "true";
    Provider "provider" = since([1, 14, 1], 4309),
        Value(Dynamic), "the provider that manages it", "eastern";
    Providers "providers" = since([3, 168, 0], 19426) .instead("set `provider` in each resource of the component"),
        Value(OneOf(&[Map(&Dynamic), List(&Dynamic)])), "the providers that manage the resources inside it", "[eastern]";
    Range "range" = since([1, 14, 1], 4309),
        Value(OneOf(&[Bool, Number, Map(&Dynamic), List(&Dynamic)])), "how many of it there are, or the values that it is created for", "3";
    ReplaceOnChanges "replaceOnChanges" = since([3, 217, 1], 21552),
        Properties, "properties whose changes replace it", "[tags]";
    ReplaceWith "replaceWith" = since([3, 207, 0], 20693),
        Value(List(&Dynamic)), "resources whose replacement replaces this one", "[database]";
    ReplacementTrigger "replacementTrigger" = since([3, 208, 0], 20936),
        Value(Dynamic), "a value whose change replaces it", "release";
    RetainOnDelete "retainOnDelete" = since([3, 57, 0], 12305),
        Value(Bool), "whether it is kept when the program no longer declares it", "true";
    Version "version" = since([3, 39, 0], 10456),
        Version, "the version of its package", "\"1.2.3\"";
}

impl ResourceOption {
    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().rule.name
    }

    /// The values that it takes.
    #[must_use]
    pub const fn takes(self) -> Takes {
        self.row().rule.takes
    }

    /// The field of a state that has the option, if it is not called as the option.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::HideDiffs => "hideDiff",
            Self::Hooks => "resourceHooks",
            Self::Import => "importID",
            _ => self.name(),
        }
    }
}

const ALIASES: StaticType = List(&OneOf(&[
    String,
    Object(&[
        ("name", Optional(&String)),
        ("type", Optional(&String)),
        ("noParent", Optional(&Bool)),
        ("parent", Optional(&Dynamic)),
    ]),
]));

const TIMEOUTS: StaticType = Object(&[
    ("create", Optional(&String)),
    ("delete", Optional(&String)),
    ("read", Optional(&String)),
    ("update", Optional(&String)),
]);

const fn row(name: &'static str, since: [u16; 3], pull_request: u32) -> Construct {
    Construct::new(name, since, pull_request)
}

/// The members of options, and their changes of meaning.
pub(crate) static MEMBERS: &[Construct] = &[
    row("option.aliases.name", [3, 217, 0], 21297),
    row("option.aliases.noParent", [3, 217, 0], 21297),
    row("option.aliases.parent", [3, 217, 0], 21297),
    row("option.aliases.type", [3, 227, 0], 22252),
    row("option.customTimeouts.create", [3, 219, 0], 21623),
    row("option.customTimeouts.delete", [3, 219, 0], 21623),
    row("option.customTimeouts.read", [3, 246, 0], 23459),
    row("option.customTimeouts.update", [3, 219, 0], 21623),
    row("option.range.bool", [2, 1, 0], 4424)
        .called("a bool as `range` of `{}`")
        .instead("write a number, as in `condition ? 1 : 0`"),
    row("option.range.list-or-map", [1, 14, 1], 4309),
    row("option.range.number", [1, 14, 1], 4309),
    row("semantics.option.additionalSecretOutputs.property-names", [3, 228, 0], 22302)
        .called("the option `{}`")
        .before("before it, the names are strings in quotes"),
    row("semantics.options.hideDiffs-scope", [3, 200, 0], 20631),
    row("semantics.options.property-names-are-no-dependencies", [3, 237, 0], 22916)
        .called("`{}`, the name of a property here and of a declaration,")
        .before("before it, the name refers to the declaration, which makes a cycle")
        .instead("give the declaration another name"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_order() {
        assert!(ResourceOption::ALL.is_sorted_by_key(|option| option.name()));
    }
}
