//! The options of resources, reads and components, with the release since which there is each.

use crate::block::AttributeRule;
use crate::block::Takes::{self, Hooks, Properties, Text, Value, Version};
use crate::construct::{Construct, row, since, unattributed};
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
    /// The field of a state that has it.
    pub field: &'static str,
}

impl OptionRow {
    const fn new(
        name: &'static str,
        construct: &'static str,
        says: &'static str,
        (since, takes, example): (Construct, Takes, &'static str),
    ) -> Self {
        let rule = AttributeRule::new(name, takes, says, since.named(construct));
        Self { rule, example, field: name }
    }

    const fn kept_as(mut self, field: &'static str) -> Self {
        self.field = field;
        self
    }
}

table! {
    /// An option of the language.
    ResourceOption: OptionRow, "option." {
        AdditionalSecretOutputs "additionalSecretOutputs" "outputs that are secret in addition to those that the schema names"
            (since([3, 218, 0], 21561), Properties, "[tags]");
        Aliases "aliases" "earlier names of the resource"
            (since([3, 217, 0], 21297), Value(ALIASES), "[{ name = \"old-name\" }]");
        CustomTimeouts "customTimeouts" "how long each operation may take"
            (since([3, 219, 0], 21623), Value(TIMEOUTS), "{ create = \"10m\" }");
        DeleteBeforeReplace "deleteBeforeReplace" "whether the old resource is deleted before the new one is created"
            (since([3, 218, 0], 21560), Value(Bool), "true");
        DeletedWith "deletedWith" "a resource whose deletion deletes this one"
            (since([3, 126, 0], 12011), Value(Dynamic), "cluster");
        DependsOn "dependsOn" "resources that must exist first"
            (since([1, 14, 1], 4309), Value(List(&Dynamic)), "[database]");
        EnvVarMappings "envVarMappings" "environment variables, and the names by which the provider reads them"
            (since([3, 220, 0], 21572), Value(Map(&String)), "{ MY_TOKEN = \"TOKEN\" }");
        HideDiffs "hideDiffs" "properties whose changes are not shown"
            (since([3, 200, 0], 20631), Properties, "[tags]").kept_as("hideDiff");
        Hooks "hooks" "the hooks to run, by the moment at which they run"
            (since([3, 229, 0], 22377), Hooks, "{ afterCreate = [notify] }").kept_as("resourceHooks");
        IgnoreChanges "ignoreChanges" "properties whose changes are ignored"
            (since([1, 14, 1], 4309), Properties, "[tags]");
        Import "import" "the id of an existing resource to import"
            (since([3, 163, 0], 19163).instead("import the resource with `pulumi import`"), Value(String), "\"i-0123456789\"").kept_as("importID");
        Parent "parent" "the parent of this resource"
            (since([2, 6, 0], 4925), Value(Dynamic), "cluster");
        PluginDownloadUrl "pluginDownloadURL" "where the plugin of its package is downloaded from"
            (since([3, 39, 0], 10456), Text, "\"https://example.com\"");
        Protect "protect" "whether it is protected from deletion"
            (since([1, 14, 1], 4309), Value(Bool), "true");
        Provider "provider" "the provider that manages it"
            (since([1, 14, 1], 4309), Value(Dynamic), "eastern");
        Providers "providers" "the providers that manage the resources inside it"
            (since([3, 168, 0], 19426).instead("set `provider` in each resource of the component"), Value(OneOf(&[Map(&Dynamic), List(&Dynamic)])), "[eastern]");
        Range "range" "how many of it there are, or the values that it is created for"
            (since([1, 14, 1], 4309), Value(OneOf(&[Bool, Number, Map(&Dynamic), List(&Dynamic)])), "3");
        ReplaceOnChanges "replaceOnChanges" "properties whose changes replace it"
            (since([3, 217, 1], 21552), Properties, "[tags]");
        ReplaceWith "replaceWith" "resources whose replacement replaces this one"
            (since([3, 207, 0], 20693), Value(List(&Dynamic)), "[database]");
        ReplacementTrigger "replacementTrigger" "a value whose change replaces it"
            (since([3, 208, 0], 20936), Value(Dynamic), "release");
        RetainOnDelete "retainOnDelete" "whether it is kept when the program no longer declares it"
            (since([3, 57, 0], 12305), Value(Bool), "true");
        Version "version" "the version of its package"
            (since([3, 39, 0], 10456), Version, "\"1.2.3\"");
    }
}

impl ResourceOption {
    /// The rules of all of them.
    #[expect(clippy::indexing_slicing, reason = "the indices are less than the lengths")]
    pub(crate) const RULES: &'static [AttributeRule] = &{
        let mut rules = [Self::ALL[0].row().rule; Self::ALL.len()];
        let mut at = 0;
        while at < rules.len() {
            rules[at] = Self::ALL[at].row().rule;
            at += 1;
        }
        rules
    };

    /// The values that it takes.
    pub const fn takes(self) -> Takes {
        self.row().rule.takes
    }

    /// The field of a state that has the option.
    pub const fn field(self) -> &'static str {
        self.row().field
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

/// The members of options, and their changes of meaning.
#[rustfmt::skip]
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
        .called("a bool as `range` of `{}`").instead("write a number, as in `condition ? 1 : 0`"),
    row("option.range.list-or-map", [1, 14, 1], 4309),
    row("option.range.number", [1, 14, 1], 4309),
    row("semantics.option.additionalSecretOutputs.property-names", [3, 228, 0], 22302)
        .called("the option `{}`").before("before it, the names are strings in quotes"),
    unattributed("semantics.options.hideDiffs-outputs", [3, 274, 0])
        .called("the output `{}` in `hideDiffs`").before("before it, the option names inputs alone"),
    row("semantics.options.hideDiffs-scope", [3, 200, 0], 20631),
    row("semantics.options.property-names-are-no-dependencies", [3, 237, 0], 22916)
        .called("`{}`, the name of a property here and of a declaration,").before("before it, the name refers to the declaration, which makes a cycle").instead("give the declaration another name"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_in_order() {
        assert!(ResourceOption::ALL.is_sorted_by_key(|option| option.name()));
    }
}
