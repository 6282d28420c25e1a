//! Functions of other languages, and their counterparts here. A function of Terraform without one
//! is found in Pulumi's package `std`, which its converters use too.

/// The advice about a function that only other languages have.
pub(super) fn counterpart(name: &str) -> Option<String> {
    let counterpart = COUNTERPARTS.iter().find(|(other, _)| *other == name);
    let in_std = || {
        STD.contains(&name).then(|| {
            format!("the package `std` has it: `invoke(\"std:index:{name}\", {{ .. }}).result`")
        })
    };
    counterpart
        .map(|(_, help)| (*help).to_owned())
        .or_else(in_std)
}

/// Functions with a counterpart, and the advice about each.
const COUNTERPARTS: &[(&str, &str)] = &[
    ("base64decode", "it is called `fromBase64`"),
    ("base64encode", "it is called `toBase64`"),
    (
        "concat",
        "texts are joined in a template, as in `\"${a}${b}\"`",
    ),
    ("file", "it is called `readFile`"),
    (
        "format",
        "texts are joined in a template, as in `\"${a}${b}\"`",
    ),
    ("if", "write `condition ? value : other`"),
    ("jsonencode", "it is called `toJSON`"),
];

/// The functions of `std` that are not built in.
const STD: &[&str] = &[
    "abs",
    "abspath",
    "alltrue",
    "anytrue",
    "base64gzip",
    "base64sha256",
    "base64sha512",
    "basename",
    "bcrypt",
    "ceil",
    "chomp",
    "chunklist",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "coalesce",
    "coalescelist",
    "compact",
    "contains",
    "csvdecode",
    "dirname",
    "distinct",
    "endswith",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
    "flatten",
    "floor",
    "formatlist",
    "indent",
    "index",
    "jsondecode",
    "keys",
    "log",
    "lower",
    "map",
    "matchkeys",
    "md5",
    "merge",
    "parseint",
    "pathexpand",
    "pow",
    "regex",
    "regexall",
    "replace",
    "reverse",
    "rsadecrypt",
    "setintersection",
    "sha256",
    "sha512",
    "signum",
    "slice",
    "sort",
    "startswith",
    "strrev",
    "substr",
    "sum",
    "timeadd",
    "timecmp",
    "timestamp",
    "title",
    "tobool",
    "tolist",
    "tonumber",
    "toset",
    "tostring",
    "transpose",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
    "urlencode",
    "uuid",
    "values",
    "zipmap",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::builtin;

    #[test]
    fn no_function_of_another_language_is_built_in() {
        let areas = builtin::AREAS.iter().chain(builtin::PACKAGE_AREAS);
        let areas = areas.flat_map(|area| area.functions);
        let known: Vec<&str> = areas.map(|function| function.name).collect();
        assert!(known.contains(&"split"));
        let others = COUNTERPARTS.iter().map(|(name, _)| name).chain(STD);
        for name in others {
            assert!(!known.contains(name), "{name}");
        }
        assert!(STD.is_sorted());
    }
}
