//! The constructs of the language that no other table has, and changes of meaning.

use std::sync::LazyLock;

use crate::block::{BLOCKS, OPTIONS, PARAMETERIZATION};
use crate::construct::{Construct, row, unattributed};
use crate::function::functions;
use crate::hook_moment::MOMENTS;
use crate::option::MEMBERS;

/// The construct of that name, such as `function.recover`.
pub fn construct(name: &str) -> Option<&'static Construct> {
    let all = constructs();
    let at = all.binary_search_by(|construct| construct.name.cmp(name));
    at.ok().and_then(|at| all.get(at)).copied()
}

/// Every construct, in byte order.
pub fn constructs() -> &'static [&'static Construct] {
    static ALL: LazyLock<Vec<&Construct>> = LazyLock::new(|| {
        let functions = functions().map(|row| &row.construct);
        let blocks = || BLOCKS.into_iter().chain([&OPTIONS, &PARAMETERIZATION]);
        let attributes = blocks().flat_map(|block| block.attributes).map(|it| &it.construct);
        let of_blocks = blocks().map(|block| &block.construct).chain(attributes);
        let others = OTHERS.iter().chain(MEMBERS).chain(MOMENTS);
        let mut all: Vec<&Construct> = others.chain(functions).chain(of_blocks).collect();
        all.sort_unstable_by_key(|construct| construct.name);
        all
    });
    &ALL
}

#[rustfmt::skip]
static OTHERS: &[Construct] = &[
    row("attr.read.id", [3, 235, 0], 22641),
    row("bind-option.AllowMissingProperties", [3, 5, 0], 7297),
    row("bind-option.AllowMissingVariables", [2, 1, 0], 4430),
    row("bind-option.ComponentBinder", [3, 58, 0], 12361),
    row("bind-option.DirPath", [3, 58, 0], 12361),
    row("bind-option.ExtraScopeVariables", [3, 248, 0], 23555),
    row("bind-option.NonStrictBindOptions", [3, 76, 0], 13479),
    row("bind-option.PackageDescriptors", [3, 248, 0], 23555),
    row("bind-option.PreferOutputVersionedInvokes", [3, 74, 0], 13251),
    row("bind-option.SkipInvokeTypechecking", [3, 75, 0], 13448),
    row("bind-option.SkipRangeTypechecking", [3, 76, 0], 13459),
    row("bind-option.SkipResourceTypechecking", [3, 5, 0], 7305),
    row("block.component.options", [3, 58, 0], 12361),
    row("block.local", [1, 14, 1], 4105),
    row("block.read.options", [3, 235, 0], 22641),
    row("entry-point.BindDirectory", [3, 70, 0], 13037),
    row("entry-point.BindFunction", [3, 242, 0], 23176),
    row("entry-point.BindProgram", [1, 14, 1], 4105),
    row("entry-point.BindResource", [3, 242, 0], 23176),
    row("entry-point.BindResourceList", [3, 243, 0], 23215),
    row("entry-point.BindResourceProgram", [3, 248, 0], 23555),
    row("expression.BinaryOp", [1, 14, 1], 4105),
    row("expression.Conditional", [1, 14, 1], 4105),
    row("expression.For", [1, 14, 1], 4105),
    row("expression.FunctionCall", [1, 14, 1], 4105),
    row("expression.Index", [1, 14, 1], 4105),
    row("expression.LiteralValue", [1, 14, 1], 4105),
    row("expression.ObjectCons", [1, 14, 1], 4105),
    row("expression.Parentheses", [3, 35, 0], 9873),
    row("expression.RelativeTraversal", [1, 14, 1], 4105),
    row("expression.ScopeTraversal", [1, 14, 1], 4105),
    row("expression.Splat", [1, 14, 1], 4105),
    row("expression.Template", [1, 14, 1], 4105),
    row("expression.TemplateJoin", [1, 14, 1], 4105),
    row("expression.TupleCons", [1, 14, 1], 4105),
    row("expression.UnaryOp", [1, 14, 1], 4105),
    row("expression.expand-final-argument", [3, 243, 0], 23309)
        .called("`...` behind the last argument of `{}`").before("before it, the `...` is ignored and the list itself is the argument").instead("write the arguments one by one"),
    row("function.mimeType", [1, 14, 1], 4105).until([3, 230, 0], 22449)
        .instead("write the type out, as in `\"text/html\"`"),
    row("function.readDir", [1, 14, 1], 4309).until([3, 230, 0], 22449)
        .instead("list the files, as in `[\"index.html\", \"404.html\"]`"),
    row("invoke-argument.third-provider-string", [1, 14, 1], 4309).until([3, 139, 0], 17696)
        .called("a provider string behind the arguments of `invoke`").instead("write an object of options, as in `{ provider = eastern }`"),
    row("invoke-option.dependsOn", [3, 141, 0], 17751),
    row("invoke-option.parent", [3, 139, 0], 17696),
    row("invoke-option.pluginDownloadUrl", [3, 139, 0], 17696),
    row("invoke-option.provider", [3, 139, 0], 17696),
    row("invoke-option.version", [3, 139, 0], 17696),
    row("label.component.name-and-source", [3, 58, 0], 12361),
    row("label.component.name-only", [3, 259, 0], 24294)
        .called("a component without a source directory").instead("give it a source directory, as in `component name \"./directory\"`"),
    row("label.config.type", [1, 14, 1], 4105),
    row("label.hook.kind-and-name", [3, 252, 0], 23838)
        .called("the hook `{}`, with its kind in front of the name,").before("releases from 3.229.0 on know hooks with one label, which later ones refuse"),
    row("label.hook.kind.error", [3, 252, 0], 23838).called("a hook of the kind `{}`"),
    row("label.hook.kind.resource", [3, 252, 0], 23838).called("a hook of the kind `{}`"),
    row("label.hook.name-only", [3, 229, 0], 22377).until([3, 252, 0], 23838)
        .called("a hook with one label").instead("write the kind in front of the name, as in `hook \"resource\" name { .. }`"),
    row("label.output.type", [1, 14, 1], 4105),
    row("label.package.deprecation-warning", [3, 227, 0], 22253),
    row("label.package.name", [3, 138, 0], 17589),
    row("label.package.none", [3, 227, 0], 22253)
        .called("a `package` block without a label").before("before it, the label names the package").instead("name the package in a label too, as in `package \"name\" { .. }`"),
    row("label.resource.name-and-token", [1, 14, 1], 4105),
    row("label.unquoted", [1, 14, 1], 4105),
    row("name.args.in-hook-command", [3, 229, 0], 22377),
    row("name.args.in-hook-command.id", [3, 229, 0], 22377),
    row("name.args.in-hook-command.name", [3, 229, 0], 22377),
    row("name.args.in-hook-command.newInputs", [3, 229, 0], 22445),
    row("name.args.in-hook-command.newOutputs", [3, 229, 0], 22445),
    row("name.args.in-hook-command.oldInputs", [3, 229, 0], 22445),
    row("name.args.in-hook-command.oldOutputs", [3, 229, 0], 22445),
    row("name.args.in-hook-command.type", [3, 229, 0], 22377),
    row("name.args.in-hook-command.urn", [3, 229, 0], 22377),
    row("name.error.in-recover", [3, 252, 0], 23881),
    row("name.null", [2, 1, 0], 4424),
    row("name.range", [1, 14, 1], 4309),
    row("name.range.in-component", [3, 71, 0], 13131)
        .called("`{}` in a component").instead("write one `component` block for each"),
    row("runtime.interpreter", [3, 226, 0], 21990),
    row("semantics.call.output-result", [3, 168, 0], 19447)
        .called("the result of `call`").before("before it, the result is not an output"),
    row("semantics.call.plain-result", [3, 233, 0], 22696)
        .called("the result of `call`").before("from 3.168.0 on, the result is an output"),
    row("semantics.collection.list-key-is-int", [3, 231, 0], 22592),
    row("semantics.component.input-types-checked", [3, 228, 0], 22292),
    row("semantics.component.mutual-dependency", [3, 139, 0], 17761)
        .called("a component that refers to itself through another one, such as `{}`,").before("before it, components may not refer to each other"),
    row("semantics.component.outputs-are-outputs", [3, 58, 0], 12361),
    row("semantics.component.program-binder-lenient-options", [3, 70, 0], 13120),
    row("semantics.component.range-map", [3, 230, 0], 22498)
        .called("`{}`, whose `range` is a map,").before("before it, the components are a list, which is indexed by position"),
    row("semantics.component.range-scope", [3, 71, 0], 13131)
        .called("`{}`, whose `range` is a list,").before("before it, the components are not a list"),
    row("semantics.component.self-source-is-error", [3, 137, 0], 17538),
    row("semantics.component.token-with-source-is-error", [3, 259, 0], 24294),
    row("semantics.config.null-default", [3, 67, 0], 12817)
        .called("`null` as the default of a config").before("before it, the default must be of the type of the config").instead("set `nullable = true`, without a default"),
    row("semantics.config.object-properties-optional", [3, 61, 1], 12555)
        .called("an object without `{}`").before("before it, every property of an object type in a label is required").instead("write `{} = null` as well"),
    row("semantics.config.secret-is-output", [3, 225, 0], 22066),
    unattributed("semantics.config.shorter-tuple", [3, 274, 0])
        .called("`{}`, which leaves out the last elements of its type,").before("before it, a tuple has all elements of its type").instead("write `null` for each element that is left out"),
    row("semantics.config.type-label-error-is-fatal", [3, 10, 3], 7766),
    unattributed("semantics.conversion.constants", [3, 274, 0]),
    unattributed("semantics.conversion.enum-members", [3, 274, 0]),
    row("semantics.conversion.output-to-promise-refused", [3, 237, 0], 22907),
    row("semantics.function.can.bool", [3, 154, 0], 18791)
        .called("the result of `{}`").before("before it, the result is an output"),
    row("semantics.function.element-and-range.int", [3, 231, 0], 22597),
    row("semantics.function.element.lenient", [3, 139, 0], 17587),
    row("semantics.function.entries.list-of-objects", [3, 61, 1], 12607)
        .called("the result of `{}`").before("before it, the result is not a list of objects with `key` and `value`").instead("iterate over the map, as in `[for key, value in map : ..]`"),
    row("semantics.function.eventual-results", [3, 163, 0], 19187)
        .called("`{}` of a value that is known later").before("before it, the type of the result depends on how the value is converted"),
    row("semantics.function.length.optional", [3, 71, 0], 13131)
        .called("`{}` of a value that may be null").before("before it, `length` takes no such value").instead("write a conditional, as in `list == null ? 0 : length(list)`"),
    unattributed("semantics.function.lookup.default", [3, 274, 0])
        .called("a default of another type in `{}`").before("before it, the default converts to the type of the elements"),
    unattributed("semantics.function.lookup.index", [3, 274, 0])
        .called("`{}` in what is no map and no object").before("before it, `lookup` takes maps and objects alone").instead("index the collection, as in `list[0]`"),
    row("semantics.function.lookup.output-of-map", [3, 224, 0], 21952)
        .called("`{}` in a map that is an output").before("before it, `lookup` takes plain maps only"),
    unattributed("semantics.function.min-max.number", [3, 274, 0]),
    row("semantics.function.try.precise-type", [3, 154, 0], 18796)
        .called("the result of `{}`").before("before it, the result is an output of any value"),
    row("semantics.hook.error-args-without-newOutputs", [3, 254, 0], 23839),
    row("semantics.hook.kind-must-match", [3, 252, 0], 23838),
    row("semantics.invoke.error-in-function-load", [3, 33, 2], 9620),
    row("semantics.invoke.missing-second-argument", [3, 23, 0], 8805),
    row("semantics.invoke.output-version", [3, 18, 0], 8434)
        .called("`invoke` of `{}` with outputs").before("before it, `invoke` takes plain arguments and promises its result"),
    row("semantics.invoke.output-version.unsafe-conversion", [3, 237, 0], 22907)
        .called("`invoke` of `{}` with outputs that have to be converted").before("before it, such an `invoke` promises its result, which is not an output"),
    row("semantics.invoke.output-version.without-needs-check", [3, 87, 0], 13694)
        .called("`invoke` of `{}`, which takes no arguments,").before("before it, such an `invoke` promises its result, which is not an output"),
    row("semantics.invoke.positional-multi-argument", [3, 251, 0], 23571)
        .called("`invoke` of `{}` with its inputs one by one").before("before it, the inputs are one object, which later releases refuse"),
    row("semantics.invoke.unknown-package-is-warning", [3, 214, 0], 21284)
        .called("`invoke` of the package `{}`, which a `package` block describes,").before("before it, `package` blocks are about resources only"),
    row("semantics.literal.const-types", [3, 6, 0], 7059),
    row("semantics.literal.int", [3, 229, 0], 22268),
    row("semantics.literal.negated-number-folded", [3, 135, 0], 17332),
    unattributed("semantics.literal.string-constants", [3, 274, 0]),
    row("semantics.output.own-namespace", [3, 70, 0], 13115)
        .called("output `{}`, which has the name of another declaration,").before("before it, no two declarations have one name").instead("rename it, and set `__logicalName = \"{}\"`"),
    row("semantics.package.base-name-required", [3, 227, 0], 22253),
    row("semantics.package.duplicates-across-files-are-errors", [3, 145, 0], 17992),
    row("semantics.package.extension-tokens-of-base", [3, 251, 0], 23579).until([3, 257, 0], 24143)
        .called("the token `{}` of an extension package").before("there, tokens of an extension are in the package that it extends"),
    row("semantics.package.identical-duplicates-allowed", [3, 227, 0], 22271)
        .called("package `{}`, which two files describe,").before("before it, a package has one block").instead("keep one of the two blocks"),
    row("semantics.pulumi-block.not-traversable", [3, 217, 0], 21430),
    row("semantics.range.number-needs-safe-conversion", [3, 71, 0], 13131)
        .called("the `range` of `{}`, whose type is not known,").before("before it, it is converted to a number, which counts the resources"),
    row("semantics.range.object-values-unified", [3, 191, 0], 20345).until([3, 203, 0], 20714)
        .called("the `range` of `{}`, an object of different objects,").before("there, all of them have one type"),
    row("semantics.range.optional-collection", [3, 65, 0], 12717)
        .called("`{}` over a collection that is an output or may be null").before("before it, the collection must be a plain one"),
    row("semantics.range.unsupported-collection-is-warning-when-lenient", [3, 76, 0], 13459),
    row("semantics.range.unwraps-optional", [3, 137, 0], 17569)
        .called("a `range` of `{}` that may be null").before("before it, the number must not be null").instead("write 0 in place of null"),
    row("semantics.range.unwraps-outputs", [2, 2, 0], 4552)
        .called("the `range` of `{}`, an output,").before("before it, a range is a plain value"),
    row("semantics.range.value-is-int", [3, 49, 0], 11581)
        .called("`range.value` of `{}`").before("before it, the value is a number, not an int"),
    row("semantics.read.components-refused", [3, 235, 0], 22641),
    unattributed("semantics.resource.all-inputs-checked", [3, 274, 0]),
    row("semantics.resource.block-errors-are-warnings-when-lenient", [3, 191, 0], 20347),
    row("semantics.resource.lenient-traversal", [3, 73, 0], 13180),
    row("semantics.resource.mismatch-only-for-output-properties", [3, 99, 0], 14864),
    row("semantics.resource.provider-tokens", [1, 14, 1], 4309),
    row("semantics.resource.range-map", [3, 230, 0], 22498)
        .called("`{}`, whose `range` is a map,").before("before it, the resources are a list, which is indexed by position"),
    row("semantics.resource.type-check-when-lenient-warns", [3, 47, 0], 11359),
    row("semantics.resource.unknown-type-dynamic-when-lenient", [3, 72, 0], 13172),
    row("semantics.schema.asset-or-archive", [3, 49, 0], 11592)
        .called("an archive as the asset `{}`").before("before it, `{}` takes assets only"),
    row("semantics.schema.const-property-implied", [3, 48, 0], 11426)
        .called("the input `{}` that is left out, as it has one value only,").before("before it, the input is required").instead("write `{}` with its value"),
    row("semantics.schema.const-type", [3, 2, 0], 6430),
    row("semantics.schema.discriminated-union-inputs", [3, 120, 0], 16297)
        .called("the check of `{}`, an object of one of several types,").before("before it, the object is checked against all of the types"),
    row("semantics.schema.discriminated-union-types", [3, 2, 0], 6430)
        .called("the type of `{}`, an object of one of several types,").before("before it, the type is a union of all of them"),
    row("semantics.schema.enum-type", [3, 30, 0], 9290),
    unattributed("semantics.schema.reference-is-resource", [3, 274, 0])
        .called("`{}` of a resource in a property").before("before it, such a resource has its own properties alone"),
    row("semantics.scope.const-vars", [3, 229, 0], 22379),
    row("semantics.token.index-module", [3, 227, 0], 22054)
        .called("the token `{}` without a module").before("before it, a token names its module").instead("write the module `index`"),
    row("semantics.token.resource-aliases", [3, 27, 0], 9238).until([3, 33, 2], 9620),
    row("semantics.traversal.case-insensitive", [3, 46, 1], 11266)
        .called("`{}` in the place of a property of another case").before("before it, there is no such property").instead("write the property as its type has it"),
    row("semantics.traversal.none-is-warning", [3, 191, 0], 20342)
        .called("a property of `{}`").before("before it, nothing can be selected from `null`"),
    row("semantics.traversal.object-strict-flag", [3, 194, 0], 20453),
    row("semantics.type.id-of-resources", [3, 256, 0], 22702),
    unattributed("semantics.union.order", [3, 274, 0]),
    row("semantics.variable.undefined-is-warning-when-lenient", [3, 47, 0], 11359),
    row("type.any", [3, 63, 0], 12619).instead("leave out the type"),
    row("type.bool", [1, 14, 1], 4281),
    row("type.int", [1, 14, 1], 4281),
    row("type.number", [1, 14, 1], 4281),
    row("type.string", [1, 14, 1], 4281),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::construct::Release;

    #[test]
    fn no_construct_stands_twice_and_no_release_is_later_than_the_reference() {
        assert!(OTHERS.is_sorted_by(|a, b| a.name < b.name));
        assert!(constructs().is_sorted_by(|a, b| a.name < b.name));
        for construct in constructs() {
            assert!(construct.since <= Release::REFERENCE, "{}", construct.name);
            if let Some((removed, _)) = construct.removed {
                assert!(construct.since < removed, "{}", construct.name);
                assert!(removed <= Release::REFERENCE, "{}", construct.name);
            }
        }
    }
}
