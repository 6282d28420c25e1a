//! The release that brought, changed or removed each construct of the language, with the number of
//! the pull request of `pulumi/pulumi` that did.
//!
//! A construct is named by its kind and its name: `function.recover`, `option.hooks.onError`. A row
//! of the kind `semantics` is a change of meaning. What [`Release::FIRST`] has was always there.

use super::release::Release;

/// A construct of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The construct, such as `function.recover`.
    pub construct: &'static str,
    /// The release that brought it.
    pub since: Release,
    /// The pull request that brought it.
    pub pull_request: u32,
    /// The release that removed it, and the pull request that did.
    pub removed: Option<(Release, u32)>,
}

impl Row {
    const fn until(mut self, [major, minor, patch]: [u16; 3], pull_request: u32) -> Self {
        self.removed = Some((Release::new(major, minor, patch), pull_request));
        self
    }

    /// Returns whether the first release with a binder has the construct.
    #[must_use]
    pub fn is_baseline(&self) -> bool {
        self.since <= Release::FIRST
    }

    /// The releases that have the construct, in words: "since Pulumi 3.252.0 (#23881)".
    ///
    /// ```
    /// use pcl_binder::edition::find;
    /// let said = |construct| find(construct).unwrap().releases();
    /// assert_eq!(said("function.recover"), "since Pulumi 3.252.0 (#23881)");
    /// assert_eq!(
    ///     said("function.mimeType"),
    ///     "in every release of Pulumi before 3.230.0, which removed it (#22449)"
    /// );
    /// ```
    #[must_use]
    pub fn releases(&self) -> String {
        let (since, request) = (self.since, self.pull_request);
        match (self.is_baseline(), self.removed) {
            (true, None) => "in every release of Pulumi".to_owned(),
            (true, Some((removed, request))) => {
                format!(
                    "in every release of Pulumi before {removed}, which removed it (#{request})"
                )
            }
            (false, None) => format!("since Pulumi {since} (#{request})"),
            (false, Some((removed, by))) => format!(
                "since Pulumi {since} (#{request}), and removed in Pulumi {removed} (#{by})"
            ),
        }
    }
}

/// The row of a construct.
#[must_use]
pub fn find(construct: &str) -> Option<&'static Row> {
    let at = ROWS.binary_search_by_key(&construct, |row| row.construct);
    at.ok().and_then(|at| ROWS.get(at))
}

/// Every construct, in byte order.
#[must_use]
pub fn rows() -> &'static [Row] {
    ROWS
}

const fn row(construct: &'static str, since: [u16; 3], pull_request: u32) -> Row {
    let [major, minor, patch] = since;
    Row {
        construct,
        since: Release::new(major, minor, patch),
        pull_request,
        removed: None,
    }
}

const ROWS: &[Row] = &[
    row("attr.component.__logicalName", [3, 58, 0], 12361),
    row("attr.component.token", [3, 259, 0], 24294),
    row("attr.config.__logicalName", [3, 46, 0], 11231),
    row("attr.config.default", [1, 14, 1], 4105),
    row("attr.config.description", [3, 59, 0], 12464),
    row("attr.config.nullable", [3, 59, 0], 12464),
    row("attr.config.secret", [3, 225, 0], 22066),
    row("attr.hook.command", [3, 229, 0], 22377),
    row("attr.hook.ignoreErrors", [3, 238, 0], 22935),
    row("attr.hook.onDryRun", [3, 229, 0], 22377),
    row("attr.output.__logicalName", [3, 31, 0], 9464),
    row("attr.output.value", [1, 14, 1], 4105),
    row("attr.package.baseProviderDownloadUrl", [3, 138, 0], 17589),
    row("attr.package.baseProviderName", [3, 138, 0], 17589),
    row("attr.package.baseProviderVersion", [3, 138, 0], 17589),
    row("attr.package.parameterization.name", [3, 138, 0], 17589),
    row("attr.package.parameterization.value", [3, 138, 0], 17589),
    row("attr.package.parameterization.version", [3, 138, 0], 17589),
    row("attr.pulumi.requiredVersionRange", [3, 217, 0], 21430),
    row("attr.read.__logicalName", [3, 235, 0], 22641),
    row("attr.read.id", [3, 235, 0], 22641),
    row("attr.resource.__logicalName", [3, 31, 0], 9464),
    row("bind-option.AllowMissingProperties", [3, 5, 0], 7297),
    row("bind-option.AllowMissingVariables", [2, 1, 0], 4430),
    row("bind-option.ComponentBinder", [3, 58, 0], 12361),
    row("bind-option.DirPath", [3, 58, 0], 12361),
    row("bind-option.ExtraScopeVariables", [3, 248, 0], 23555),
    row("bind-option.NonStrictBindOptions", [3, 76, 0], 13479),
    row("bind-option.PackageDescriptors", [3, 248, 0], 23555),
    row(
        "bind-option.PreferOutputVersionedInvokes",
        [3, 74, 0],
        13251,
    ),
    row("bind-option.SkipInvokeTypechecking", [3, 75, 0], 13448),
    row("bind-option.SkipRangeTypechecking", [3, 76, 0], 13459),
    row("bind-option.SkipResourceTypechecking", [3, 5, 0], 7305),
    row("block.component", [3, 58, 0], 12361),
    row("block.component.options", [3, 58, 0], 12361),
    row("block.config", [1, 14, 1], 4105),
    row("block.hook", [3, 229, 0], 22377),
    row("block.local", [1, 14, 1], 4105),
    row("block.output", [1, 14, 1], 4105),
    row("block.package", [3, 138, 0], 17589),
    row("block.package.parameterization", [3, 138, 0], 17589),
    row("block.pulumi", [3, 217, 0], 21430),
    row("block.read", [3, 235, 0], 22641),
    row("block.read.options", [3, 235, 0], 22641),
    row("block.resource", [1, 14, 1], 4105),
    row("block.resource.options", [1, 14, 1], 4105),
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
    row("expression.expand-final-argument", [3, 243, 0], 23309),
    row("function.assetArchive", [3, 31, 0], 9463),
    row("function.call", [3, 146, 0], 18206),
    row("function.can", [3, 151, 0], 18571),
    row("function.cwd", [3, 27, 0], 9208),
    row("function.element", [2, 1, 0], 4424),
    row("function.entries", [1, 14, 1], 4309),
    row("function.fileArchive", [2, 1, 0], 4460),
    row("function.fileAsset", [1, 14, 1], 4105),
    row("function.filebase64", [3, 13, 0], 7863),
    row("function.filebase64sha256", [3, 23, 0], 7997),
    row("function.fromBase64", [3, 40, 3], 10775),
    row("function.getOutput", [3, 113, 1], 15935),
    row("function.invoke", [1, 14, 1], 4309),
    row("function.join", [3, 9, 1], 5012),
    row("function.length", [2, 1, 0], 4424),
    row("function.lookup", [2, 1, 0], 4424),
    row("function.max", [3, 232, 0], 22571),
    row("function.mimeType", [1, 14, 1], 4105).until([3, 230, 0], 22449),
    row("function.min", [3, 232, 0], 22571),
    row("function.notImplemented", [3, 58, 0], 12409),
    row("function.organization", [3, 130, 0], 16948),
    row("function.project", [3, 27, 0], 9208),
    row("function.pulumiResourceName", [3, 158, 0], 18959),
    row("function.pulumiResourceType", [3, 158, 0], 18959),
    row("function.range", [1, 14, 1], 4309),
    row("function.readDir", [1, 14, 1], 4309).until([3, 230, 0], 22449),
    row("function.readFile", [2, 1, 0], 4424),
    row("function.recover", [3, 252, 0], 23881),
    row("function.remoteArchive", [3, 31, 0], 9463),
    row("function.remoteAsset", [3, 31, 0], 9463),
    row("function.rootDirectory", [3, 153, 0], 18595),
    row("function.secret", [2, 6, 0], 4927),
    row("function.sha1", [3, 13, 0], 7834),
    row("function.singleOrNone", [3, 69, 0], 13032),
    row("function.split", [2, 1, 0], 4424),
    row("function.stack", [3, 27, 0], 9208),
    row("function.stringAsset", [3, 31, 0], 9463),
    row("function.toBase64", [3, 9, 1], 5012),
    row("function.toJSON", [1, 14, 1], 4105),
    row("function.try", [3, 151, 0], 18454),
    row("function.unsecret", [3, 54, 0], 12026),
    row("invoke-argument.third-provider-string", [1, 14, 1], 4309).until([3, 139, 0], 17696),
    row("invoke-option.dependsOn", [3, 141, 0], 17751),
    row("invoke-option.parent", [3, 139, 0], 17696),
    row("invoke-option.pluginDownloadUrl", [3, 139, 0], 17696),
    row("invoke-option.provider", [3, 139, 0], 17696),
    row("invoke-option.version", [3, 139, 0], 17696),
    row("label.component.name-and-source", [3, 58, 0], 12361),
    row("label.component.name-only", [3, 259, 0], 24294),
    row("label.config.type", [1, 14, 1], 4105),
    row("label.hook.kind-and-name", [3, 252, 0], 23838),
    row("label.hook.kind.error", [3, 252, 0], 23838),
    row("label.hook.kind.resource", [3, 252, 0], 23838),
    row("label.hook.name-only", [3, 229, 0], 22377).until([3, 252, 0], 23838),
    row("label.output.type", [1, 14, 1], 4105),
    row("label.package.deprecation-warning", [3, 227, 0], 22253),
    row("label.package.name", [3, 138, 0], 17589),
    row("label.package.none", [3, 227, 0], 22253),
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
    row("name.range.in-component", [3, 71, 0], 13131),
    row("option.additionalSecretOutputs", [3, 218, 0], 21561),
    row("option.aliases", [3, 217, 0], 21297),
    row("option.aliases.name", [3, 217, 0], 21297),
    row("option.aliases.noParent", [3, 217, 0], 21297),
    row("option.aliases.parent", [3, 217, 0], 21297),
    row("option.aliases.type", [3, 227, 0], 22252),
    row("option.customTimeouts", [3, 219, 0], 21623),
    row("option.customTimeouts.create", [3, 219, 0], 21623),
    row("option.customTimeouts.delete", [3, 219, 0], 21623),
    row("option.customTimeouts.read", [3, 246, 0], 23459),
    row("option.customTimeouts.update", [3, 219, 0], 21623),
    row("option.deleteBeforeReplace", [3, 218, 0], 21560),
    row("option.deletedWith", [3, 126, 0], 12011),
    row("option.dependsOn", [1, 14, 1], 4309),
    row("option.envVarMappings", [3, 220, 0], 21572),
    row("option.hideDiffs", [3, 200, 0], 20631),
    row("option.hooks", [3, 229, 0], 22377),
    row("option.hooks.afterCreate", [3, 229, 0], 22377),
    row("option.hooks.afterDelete", [3, 229, 0], 22377),
    row("option.hooks.afterUpdate", [3, 229, 0], 22377),
    row("option.hooks.beforeCreate", [3, 229, 0], 22377),
    row("option.hooks.beforeDelete", [3, 229, 0], 22377),
    row("option.hooks.beforeUpdate", [3, 229, 0], 22377),
    row("option.hooks.onError", [3, 252, 0], 23838),
    row("option.ignoreChanges", [1, 14, 1], 4309),
    row("option.import", [3, 163, 0], 19163),
    row("option.parent", [2, 6, 0], 4925),
    row("option.pluginDownloadURL", [3, 39, 0], 10456),
    row("option.protect", [1, 14, 1], 4309),
    row("option.provider", [1, 14, 1], 4309),
    row("option.providers", [3, 168, 0], 19426),
    row("option.range", [1, 14, 1], 4309),
    row("option.range.bool", [2, 1, 0], 4424),
    row("option.range.list-or-map", [1, 14, 1], 4309),
    row("option.range.number", [1, 14, 1], 4309),
    row("option.replaceOnChanges", [3, 217, 1], 21552),
    row("option.replaceWith", [3, 207, 0], 20693),
    row("option.replacementTrigger", [3, 208, 0], 20936),
    row("option.retainOnDelete", [3, 57, 0], 12305),
    row("option.version", [3, 39, 0], 10456),
    row("runtime.interpreter", [3, 226, 0], 21990),
    row("semantics.call.output-result", [3, 168, 0], 19447),
    row("semantics.call.plain-result", [3, 233, 0], 22696),
    row("semantics.collection.list-key-is-int", [3, 231, 0], 22592),
    row(
        "semantics.component.input-types-checked",
        [3, 228, 0],
        22292,
    ),
    row("semantics.component.mutual-dependency", [3, 139, 0], 17761),
    row("semantics.component.outputs-are-outputs", [3, 58, 0], 12361),
    row(
        "semantics.component.program-binder-lenient-options",
        [3, 70, 0],
        13120,
    ),
    row("semantics.component.range-map", [3, 230, 0], 22498),
    row("semantics.component.range-scope", [3, 71, 0], 13131),
    row(
        "semantics.component.self-source-is-error",
        [3, 137, 0],
        17538,
    ),
    row(
        "semantics.component.token-with-source-is-error",
        [3, 259, 0],
        24294,
    ),
    row("semantics.config.null-default", [3, 67, 0], 12817),
    row(
        "semantics.config.object-properties-optional",
        [3, 61, 1],
        12555,
    ),
    row("semantics.config.secret-is-output", [3, 225, 0], 22066),
    row(
        "semantics.config.type-label-error-is-fatal",
        [3, 10, 3],
        7766,
    ),
    row(
        "semantics.conversion.output-to-promise-refused",
        [3, 237, 0],
        22907,
    ),
    row("semantics.function.can.bool", [3, 154, 0], 18791),
    row(
        "semantics.function.element-and-range.int",
        [3, 231, 0],
        22597,
    ),
    row("semantics.function.element.lenient", [3, 139, 0], 17587),
    row(
        "semantics.function.entries.list-of-objects",
        [3, 61, 1],
        12607,
    ),
    row("semantics.function.eventual-results", [3, 163, 0], 19187),
    row("semantics.function.length.optional", [3, 71, 0], 13131),
    row(
        "semantics.function.lookup.output-of-map",
        [3, 224, 0],
        21952,
    ),
    row("semantics.function.try.precise-type", [3, 154, 0], 18796),
    row(
        "semantics.hook.error-args-without-newOutputs",
        [3, 254, 0],
        23839,
    ),
    row("semantics.hook.kind-must-match", [3, 252, 0], 23838),
    row("semantics.invoke.error-in-function-load", [3, 33, 2], 9620),
    row("semantics.invoke.missing-second-argument", [3, 23, 0], 8805),
    row("semantics.invoke.output-version", [3, 18, 0], 8434),
    row(
        "semantics.invoke.output-version.unsafe-conversion",
        [3, 237, 0],
        22907,
    ),
    row(
        "semantics.invoke.output-version.without-needs-check",
        [3, 87, 0],
        13694,
    ),
    row(
        "semantics.invoke.positional-multi-argument",
        [3, 251, 0],
        23571,
    ),
    row(
        "semantics.invoke.unknown-package-is-warning",
        [3, 214, 0],
        21284,
    ),
    row("semantics.literal.const-types", [3, 6, 0], 7059),
    row("semantics.literal.int", [3, 229, 0], 22268),
    row(
        "semantics.literal.negated-number-folded",
        [3, 135, 0],
        17332,
    ),
    row(
        "semantics.option.additionalSecretOutputs.property-names",
        [3, 228, 0],
        22302,
    ),
    row("semantics.options.hideDiffs-scope", [3, 200, 0], 20631),
    row(
        "semantics.options.property-names-are-no-dependencies",
        [3, 237, 0],
        22916,
    ),
    row("semantics.output.own-namespace", [3, 70, 0], 13115),
    row("semantics.package.base-name-required", [3, 227, 0], 22253),
    row(
        "semantics.package.duplicates-across-files-are-errors",
        [3, 145, 0],
        17992,
    ),
    row(
        "semantics.package.extension-tokens-of-base",
        [3, 251, 0],
        23579,
    )
    .until([3, 257, 0], 24143),
    row(
        "semantics.package.identical-duplicates-allowed",
        [3, 227, 0],
        22271,
    ),
    row("semantics.pulumi-block.not-traversable", [3, 217, 0], 21430),
    row(
        "semantics.range.number-needs-safe-conversion",
        [3, 71, 0],
        13131,
    ),
    row("semantics.range.object-values-unified", [3, 191, 0], 20345).until([3, 203, 0], 20714),
    row("semantics.range.optional-collection", [3, 65, 0], 12717),
    row(
        "semantics.range.unsupported-collection-is-warning-when-lenient",
        [3, 76, 0],
        13459,
    ),
    row("semantics.range.unwraps-optional", [3, 137, 0], 17569),
    row("semantics.range.unwraps-outputs", [2, 2, 0], 4552),
    row("semantics.range.value-is-int", [3, 49, 0], 11581),
    row("semantics.read.components-refused", [3, 235, 0], 22641),
    row(
        "semantics.resource.block-errors-are-warnings-when-lenient",
        [3, 191, 0],
        20347,
    ),
    row("semantics.resource.lenient-traversal", [3, 73, 0], 13180),
    row(
        "semantics.resource.mismatch-only-for-output-properties",
        [3, 99, 0],
        14864,
    ),
    row("semantics.resource.provider-tokens", [1, 14, 1], 4309),
    row("semantics.resource.range-map", [3, 230, 0], 22498),
    row(
        "semantics.resource.type-check-when-lenient-warns",
        [3, 47, 0],
        11359,
    ),
    row(
        "semantics.resource.unknown-type-dynamic-when-lenient",
        [3, 72, 0],
        13172,
    ),
    row("semantics.schema.asset-or-archive", [3, 49, 0], 11592),
    row("semantics.schema.const-property-implied", [3, 48, 0], 11426),
    row("semantics.schema.const-type", [3, 2, 0], 6430),
    row(
        "semantics.schema.discriminated-union-inputs",
        [3, 120, 0],
        16297,
    ),
    row(
        "semantics.schema.discriminated-union-types",
        [3, 2, 0],
        6430,
    ),
    row("semantics.schema.enum-type", [3, 30, 0], 9290),
    row("semantics.scope.const-vars", [3, 229, 0], 22379),
    row("semantics.token.index-module", [3, 227, 0], 22054),
    row("semantics.token.resource-aliases", [3, 27, 0], 9238).until([3, 33, 2], 9620),
    row("semantics.traversal.case-insensitive", [3, 46, 1], 11266),
    row("semantics.traversal.none-is-warning", [3, 191, 0], 20342),
    row("semantics.traversal.object-strict-flag", [3, 194, 0], 20453),
    row("semantics.type.id-of-resources", [3, 256, 0], 22702),
    row(
        "semantics.variable.undefined-is-warning-when-lenient",
        [3, 47, 0],
        11359,
    ),
    row("type.any", [3, 63, 0], 12619),
    row("type.bool", [1, 14, 1], 4281),
    row("type.int", [1, 14, 1], 4281),
    row("type.list", [1, 14, 1], 4281),
    row("type.map", [1, 14, 1], 4281),
    row("type.number", [1, 14, 1], 4281),
    row("type.object", [1, 14, 1], 4281),
    row("type.optional", [3, 231, 0], 22547),
    row("type.set", [1, 14, 1], 4281),
    row("type.string", [1, 14, 1], 4281),
    row("type.tuple", [1, 14, 1], 4281),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_ordered_and_no_release_is_later_than_the_reference() {
        assert!(ROWS.is_sorted_by(|a, b| a.construct < b.construct));
        for row in ROWS {
            assert!(row.since <= Release::REFERENCE, "{}", row.construct);
            if let Some((removed, _)) = row.removed {
                assert!(row.since < removed, "{}", row.construct);
                assert!(removed <= Release::REFERENCE, "{}", row.construct);
            }
        }
    }
}
