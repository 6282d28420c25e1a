//! The names that programs use most often, which come before others that fit as well.

/// The keywords of declarations, the most frequent first.
pub(super) const KEYWORDS: [&str; 8] =
    ["resource", "config", "output", "component", "package", "read", "pulumi", "hook"];

/// The types of configs, the most frequent first.
pub(super) const TYPES: [&str; 10] = [
    "string",
    "int",
    "bool",
    "number",
    "list(string)",
    "map(string)",
    "list(any)",
    "map(any)",
    "object({})",
    "any",
];

/// The options of resources, the most frequent first.
pub(super) const OPTIONS: [&str; 12] = [
    "dependsOn",
    "provider",
    "parent",
    "range",
    "protect",
    "ignoreChanges",
    "replaceOnChanges",
    "version",
    "retainOnDelete",
    "deleteBeforeReplace",
    "aliases",
    "additionalSecretOutputs",
];

/// The inputs of resources, the most frequent first.
pub(super) const INPUTS: [&str; 20] = [
    "name",
    "location",
    "description",
    "type",
    "tags",
    "metadata",
    "spec",
    "sku",
    "properties",
    "region",
    "kind",
    "enabled",
    "version",
    "displayName",
    "value",
    "labels",
    "status",
    "count",
    "mode",
    "port",
];

/// The members of resources and other values, the most frequent first.
pub(super) const MEMBERS: [&str; 12] = [
    "id", "name", "result", "arn", "value", "key", "metadata", "output", "status", "endpoint",
    "url", "address",
];

/// The values of enumerations in lower case, the most frequent first.
pub(super) const VALUES: [&str; 18] = [
    "enabled",
    "standard",
    "allow",
    "https",
    "tcp",
    "get",
    "info",
    "readwrite",
    "manual",
    "systemassigned",
    "http",
    "windows",
    "public",
    "always",
    "include",
    "monday",
    "week",
    "source",
];

/// The values of enumerations in lower case that stand for nothing in particular.
pub(super) const EMPTY_VALUES: [&str; 6] =
    ["notspecified", "unspecified", "unknown", "none", "disabled", "everyday"];

/// The functions of packages that programs use most often, by the last part of their tokens.
pub(super) const FUNCTIONS: [&str; 8] = [
    "file",
    "getRegion",
    "getCallerIdentity",
    "getAvailabilityZones",
    "base64encode",
    "getClientConfig",
    "jsonencode",
    "join",
];

/// The names that say nothing about what they name, in lower case.
pub(super) const PLACEHOLDERS: [&str; 16] = [
    "example",
    "test",
    "foo",
    "bar",
    "my",
    "main",
    "this",
    "default",
    "available",
    "current",
    "all",
    "res",
    "resource",
    "sample",
    "demo",
    "new",
];

/// The position of a name from the end of a list; 0 if it is not there.
pub(super) fn frequency(list: &[&str], name: &str) -> u32 {
    let at = list.iter().position(|usual| *usual == name);
    at.map_or(0, |at| (list.len() - at) as u32)
}
