//! The words for constructs: what each is called, what older releases do, and what they have in its
//! place. `{}` is the name that the program has there.

/// The words for a construct.
pub(crate) struct Words {
    construct: &'static str,
    /// The name in messages; `None` where its kind and name say enough.
    pub subject: Option<&'static str>,
    /// The behaviour of releases without it.
    pub before: Option<&'static str>,
    /// The advice for such releases.
    pub instead: Option<&'static str>,
}

/// The words for a construct that needs some.
pub(crate) fn words(construct: &str) -> Option<&'static Words> {
    let at = WORDS.binary_search_by_key(&construct, |words| words.construct);
    at.ok().and_then(|at| WORDS.get(at))
}

const fn named(construct: &'static str, subject: &'static str) -> Words {
    Words {
        construct,
        subject: Some(subject),
        before: None,
        instead: None,
    }
}

const fn plain(construct: &'static str) -> Words {
    Words {
        construct,
        subject: None,
        before: None,
        instead: None,
    }
}

impl Words {
    const fn before(mut self, before: &'static str) -> Self {
        self.before = Some(before);
        self
    }

    const fn instead(mut self, instead: &'static str) -> Self {
        self.instead = Some(instead);
        self
    }
}

static WORDS: &[Words] = &[
    plain("attr.component.token")
        .instead("give the component a source directory, as in `component name \"./directory\"`"),
    plain("attr.config.description").instead("write it as a comment"),
    plain("attr.config.secret")
        .instead("leave it out, and use `secret(..)` where the value is used"),
    plain("attr.pulumi.requiredVersionRange")
        .instead("set `requiredPulumiVersion` in `Pulumi.yaml`"),
    plain("block.component").instead("write its resources in this program"),
    plain("block.package").instead("set `version` in the options of each resource of the package"),
    plain("block.pulumi")
        .before("older releases do not read it")
        .instead("set `requiredPulumiVersion` in `Pulumi.yaml`"),
    plain("block.read").instead("ask the provider with `invoke(..)`, or import the resource"),
    named(
        "expression.expand-final-argument",
        "`...` behind the last argument of `{}`",
    )
    .before("before it, the `...` is ignored and the list itself is the argument")
    .instead("write the arguments one by one"),
    plain("function.call").instead("ask the provider with `invoke(..)`"),
    plain("function.can")
        .instead("test for the part that may be missing, as in `lookup(map, key, null) != null`"),
    plain("function.element").instead("index the list, as in `list[0]`"),
    plain("function.filebase64").instead("write `toBase64(readFile(path))`"),
    plain("function.getOutput")
        .instead("index the outputs of the stack, as in `stack.outputs[\"name\"]`"),
    plain("function.lookup").instead("index the map, as in `map[\"key\"]`"),
    plain("function.max").instead("write a conditional, as in `a > b ? a : b`"),
    plain("function.mimeType").instead("write the type out, as in `\"text/html\"`"),
    plain("function.min").instead("write a conditional, as in `a < b ? a : b`"),
    plain("function.organization").instead("take it from a `config`"),
    plain("function.pulumiResourceName").instead("write the name of the resource out"),
    plain("function.pulumiResourceType").instead("write the type of the resource out"),
    plain("function.readDir").instead("list the files, as in `[\"index.html\", \"404.html\"]`"),
    plain("function.rootDirectory").instead("use `cwd()`, or take the directory from a `config`"),
    plain("function.singleOrNone").instead("index the list, as in `list[0]`"),
    plain("function.try").instead("use `lookup(map, key, default)` for a key that may be missing"),
    named(
        "invoke-argument.third-provider-string",
        "a provider string behind the arguments of `invoke`",
    )
    .instead("write an object of options, as in `{ provider = eastern }`"),
    named(
        "label.component.name-only",
        "a component without a source directory",
    )
    .instead("give it a source directory, as in `component name \"./directory\"`"),
    named(
        "label.hook.kind-and-name",
        "the hook `{}`, with its kind in front of the name,",
    )
    .before("releases from 3.229.0 on know hooks with one label, which later ones refuse"),
    named("label.hook.kind.error", "a hook of the kind `{}`"),
    named("label.hook.kind.resource", "a hook of the kind `{}`"),
    named("label.hook.name-only", "a hook with one label")
        .instead("write the kind in front of the name, as in `hook \"resource\" name { .. }`"),
    named("label.package.none", "a `package` block without a label")
        .before("before it, the label names the package")
        .instead("name the package in a label too, as in `package \"name\" { .. }`"),
    named("name.range.in-component", "`{}` in a component")
        .instead("write one `component` block for each"),
    named("option.aliases.name", "`{}` in `aliases`"),
    named("option.aliases.noParent", "`{}` in `aliases`"),
    named("option.aliases.parent", "`{}` in `aliases`"),
    named("option.aliases.type", "`{}` in `aliases`"),
    named("option.customTimeouts.create", "`{}` in `customTimeouts`"),
    named("option.customTimeouts.delete", "`{}` in `customTimeouts`"),
    named("option.customTimeouts.read", "`{}` in `customTimeouts`"),
    named("option.customTimeouts.update", "`{}` in `customTimeouts`"),
    named("option.hooks.afterCreate", "`{}` in `hooks`"),
    named("option.hooks.afterDelete", "`{}` in `hooks`"),
    named("option.hooks.afterUpdate", "`{}` in `hooks`"),
    named("option.hooks.beforeCreate", "`{}` in `hooks`"),
    named("option.hooks.beforeDelete", "`{}` in `hooks`"),
    named("option.hooks.beforeUpdate", "`{}` in `hooks`"),
    named("option.hooks.onError", "`{}` in `hooks`"),
    plain("option.import").instead("import the resource with `pulumi import`"),
    plain("option.providers").instead("set `provider` in each resource of the component"),
    named("option.range.bool", "a bool as `range` of `{}`")
        .instead("write a number, as in `condition ? 1 : 0`"),
    named("semantics.call.output-result", "the result of `call`")
        .before("before it, the result is not an output"),
    named("semantics.call.plain-result", "the result of `call`")
        .before("from 3.168.0 on, the result is an output"),
    named(
        "semantics.component.mutual-dependency",
        "a component that refers to itself through another one, such as `{}`,",
    )
    .before("before it, components may not refer to each other"),
    named(
        "semantics.component.range-map",
        "`{}`, whose `range` is a map,",
    )
    .before("before it, the components are a list, which is indexed by position"),
    named(
        "semantics.component.range-scope",
        "`{}`, whose `range` is a list,",
    )
    .before("before it, the components are not a list"),
    named(
        "semantics.config.null-default",
        "`null` as the default of a config",
    )
    .before("before it, the default must be of the type of the config")
    .instead("set `nullable = true`, without a default"),
    named(
        "semantics.config.object-properties-optional",
        "an object without `{}`",
    )
    .before("before it, every property of an object type in a label is required")
    .instead("write `{} = null` as well"),
    named("semantics.function.can.bool", "the result of `{}`")
        .before("before it, the result is an output"),
    named(
        "semantics.function.entries.list-of-objects",
        "the result of `{}`",
    )
    .before("before it, the result is not a list of objects with `key` and `value`")
    .instead("iterate over the map, as in `[for key, value in map : ..]`"),
    named(
        "semantics.function.eventual-results",
        "`{}` of a value that is known later",
    )
    .before("before it, the type of the result depends on how the value is converted"),
    named(
        "semantics.function.length.optional",
        "`{}` of a value that may be null",
    )
    .before("before it, `length` takes no such value")
    .instead("write a conditional, as in `list == null ? 0 : length(list)`"),
    named(
        "semantics.function.lookup.output-of-map",
        "`{}` in a map that is an output",
    )
    .before("before it, `lookup` takes plain maps only"),
    named("semantics.function.try.precise-type", "the result of `{}`")
        .before("before it, the result is an output of any value"),
    named(
        "semantics.invoke.output-version",
        "`invoke` of `{}` with outputs",
    )
    .before("before it, `invoke` takes plain arguments and promises its result"),
    named(
        "semantics.invoke.output-version.unsafe-conversion",
        "`invoke` of `{}` with outputs that have to be converted",
    )
    .before("before it, such an `invoke` promises its result, which is not an output"),
    named(
        "semantics.invoke.output-version.without-needs-check",
        "`invoke` of `{}`, which takes no arguments,",
    )
    .before("before it, such an `invoke` promises its result, which is not an output"),
    named(
        "semantics.invoke.positional-multi-argument",
        "`invoke` of `{}` with its inputs one by one",
    )
    .before("before it, the inputs are one object, which later releases refuse"),
    named(
        "semantics.invoke.unknown-package-is-warning",
        "`invoke` of the package `{}`, which a `package` block describes,",
    )
    .before("before it, `package` blocks are about resources only"),
    named(
        "semantics.option.additionalSecretOutputs.property-names",
        "the option `{}`",
    )
    .before("before it, the names are strings in quotes"),
    named(
        "semantics.options.property-names-are-no-dependencies",
        "`{}`, the name of a property here and of a declaration,",
    )
    .before("before it, the name refers to the declaration, which makes a cycle")
    .instead("give the declaration another name"),
    named(
        "semantics.output.own-namespace",
        "output `{}`, which has the name of another declaration,",
    )
    .before("before it, no two declarations have one name")
    .instead("rename it, and set `__logicalName = \"{}\"`"),
    named(
        "semantics.package.extension-tokens-of-base",
        "the token `{}` of an extension package",
    )
    .before("there, tokens of an extension are in the package that it extends"),
    named(
        "semantics.package.identical-duplicates-allowed",
        "package `{}`, which two files describe,",
    )
    .before("before it, a package has one block")
    .instead("keep one of the two blocks"),
    named(
        "semantics.range.number-needs-safe-conversion",
        "the `range` of `{}`, whose type is not known,",
    )
    .before("before it, it is converted to a number, which counts the resources"),
    named(
        "semantics.range.object-values-unified",
        "the `range` of `{}`, an object of different objects,",
    )
    .before("there, all of them have one type"),
    named(
        "semantics.range.optional-collection",
        "`{}` over a collection that is an output or may be null",
    )
    .before("before it, the collection must be a plain one"),
    named(
        "semantics.range.unwraps-optional",
        "a `range` of `{}` that may be null",
    )
    .before("before it, the number must not be null")
    .instead("write 0 in place of null"),
    named(
        "semantics.range.unwraps-outputs",
        "the `range` of `{}`, an output,",
    )
    .before("before it, a range is a plain value"),
    named("semantics.range.value-is-int", "`range.value` of `{}`")
        .before("before it, the value is a number, not an int"),
    named(
        "semantics.resource.range-map",
        "`{}`, whose `range` is a map,",
    )
    .before("before it, the resources are a list, which is indexed by position"),
    named(
        "semantics.schema.asset-or-archive",
        "an archive as the asset `{}`",
    )
    .before("before it, `{}` takes assets only"),
    named(
        "semantics.schema.const-property-implied",
        "the input `{}` that is left out, as it has one value only,",
    )
    .before("before it, the input is required")
    .instead("write `{}` with its value"),
    named(
        "semantics.schema.discriminated-union-inputs",
        "the check of `{}`, an object of one of several types,",
    )
    .before("before it, the object is checked against all of the types"),
    named(
        "semantics.schema.discriminated-union-types",
        "the type of `{}`, an object of one of several types,",
    )
    .before("before it, the type is a union of all of them"),
    named(
        "semantics.token.index-module",
        "the token `{}` without a module",
    )
    .before("before it, a token names its module")
    .instead("write the module `index`"),
    named(
        "semantics.traversal.case-insensitive",
        "`{}` in the place of a property of another case",
    )
    .before("before it, there is no such property")
    .instead("write the property as its type has it"),
    named("semantics.traversal.none-is-warning", "a property of `{}`")
        .before("before it, nothing can be selected from `null`"),
    plain("type.any").instead("leave out the type"),
    plain("type.optional").instead("every property of an object type may be missing without it"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edition::find;

    #[test]
    fn the_words_are_ordered_and_about_rows_of_the_table() {
        assert!(WORDS.is_sorted_by(|a, b| a.construct < b.construct));
        for words in WORDS {
            assert!(find(words.construct).is_some(), "{}", words.construct);
        }
    }
}
