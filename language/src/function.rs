//! The functions of the language.

use self::CallForm::Fixed;
use self::StaticType::{Archive, Asset, Dynamic, Int, List, Map, OneOf, Optional, Output, String};
use crate::construct::{Construct, since};

/// A function of the language.
#[derive(PartialEq, Eq, Debug)]
pub struct FunctionRow {
    /// The name.
    pub name: &'static str,
    /// The functions that it belongs to.
    pub area: Area,
    /// The parameters and the result.
    pub form: CallForm,
    /// The summary in one line.
    pub summary: &'static str,
    /// A call of it.
    pub example: &'static str,
    /// The releases that have it.
    pub construct: Construct,
}

/// Functions that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Area {
    /// Files and texts as inputs of resources.
    Assets,
    /// Expressions that may fail.
    Attempts,
    /// Lists, maps and objects.
    Collections,
    /// Texts and values in other encodings.
    Encoding,
    /// Contents of files.
    Files,
    /// Checksums.
    Hashing,
    /// Numbers.
    Numbers,
    /// Secrets, and outputs of other stacks.
    Outputs,
    /// The program that runs: where, as what, and its resources.
    Program,
    /// Texts.
    Strings,
    /// Functions and methods of packages. Only the package knows the signature of such a call.
    Packages,
    /// Types, in the labels of config and output blocks. What such a call gives *is* the type.
    Types,
}

impl Area {
    /// Every area, those of packages and types last.
    pub const ALL: [Self; 12] = [
        Self::Assets,
        Self::Attempts,
        Self::Collections,
        Self::Encoding,
        Self::Files,
        Self::Hashing,
        Self::Numbers,
        Self::Outputs,
        Self::Program,
        Self::Strings,
        Self::Packages,
        Self::Types,
    ];

    /// The heading above its functions.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Assets => "Assets and archives",
            Self::Attempts => "Expressions that may fail",
            Self::Collections => "Collections",
            Self::Encoding => "Encoding",
            Self::Files => "Files as text",
            Self::Hashing => "Hashing",
            Self::Numbers => "Numbers",
            Self::Outputs => "Outputs and secrets",
            Self::Program => "The running program",
            Self::Strings => "Strings",
            Self::Packages => "Packages",
            Self::Types => "Types, in the labels of config and output",
        }
    }
}

/// The parameters and the result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallForm {
    /// They are the same for every call.
    Fixed(&'static [(&'static str, StaticType)], StaticType),
    /// They depend on the arguments.
    Varies {
        /// The rule by which they do.
        rule: CallRule,
        /// The form of a call; a letter is a type that depends on the arguments.
        usage: &'static str,
        /// The type of a call in words.
        returns: &'static str,
    },
}

/// A rule for signatures that depend on the arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallRule {
    /// That of `can`.
    Can,
    /// That of `recover`.
    Recover,
    /// That of `try`.
    Try,
    /// That of `element`.
    Element,
    /// That of `entries`.
    Entries,
    /// That of `length`.
    Length,
    /// That of `lookup`.
    Lookup,
    /// That of `singleOrNone`.
    SingleOrNone,
    /// That of `toJSON`.
    ToJson,
    /// Numbers, of which the result is one.
    Extreme,
    /// A value, and an output of its type.
    SameAsOutput,
    /// A resource, and a string.
    OfResource,
    /// Whatever a package says.
    Package,
    /// The type of lists.
    List,
    /// The type of maps.
    Map,
    /// The type of objects.
    Object,
    /// A type or null.
    Optional,
    /// The type of sets.
    Set,
    /// The type of tuples.
    Tuple,
}

/// A type in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StaticType {
    /// `Archive`.
    Archive,
    /// `Asset`.
    Asset,
    /// `bool`.
    Bool,
    /// `dynamic`.
    Dynamic,
    /// `int`.
    Int,
    /// `number`.
    Number,
    /// `string`.
    String,
    /// `list(T)`.
    List(&'static StaticType),
    /// `map(T)`.
    Map(&'static StaticType),
    /// `output(T)`.
    Output(&'static StaticType),
    /// `T` or nothing.
    Optional(&'static StaticType),
    /// An object of these properties.
    Object(&'static [(&'static str, StaticType)]),
    /// One of several.
    OneOf(&'static [StaticType]),
}

/// A row: the variant, the name and the releases; the form of a call; the summary; an example.
macro_rules! functions {
    (
        $(#[$about:meta])* $set:ident $kind:literal
        $($area:ident {$(
            $variant:ident $name:literal = $since:expr, $form:expr, $summary:expr, $example:expr;
        )*})*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $set {
            $($(#[doc = concat!("`", $name, "`: ", $summary, ".")] $variant,)*)*
        }

        impl $set {
            /// Every one of them, by area and name.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The one of that name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($($name => Some(Self::$variant),)*)*
                    _ => None,
                }
            }

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                self.row().name
            }

            /// All that is to say about it.
            #[must_use]
            pub const fn row(self) -> &'static FunctionRow {
                match self {
                    $($(Self::$variant => &const {
                        FunctionRow {
                            name: $name,
                            area: Area::$area,
                            form: $form,
                            summary: $summary,
                            example: $example,
                            construct: $since.named(concat!($kind, $name)),
                        }
                    },)*)*
                }
            }
        }
    };
}

const fn varies(rule: CallRule, usage: &'static str, returns: &'static str) -> CallForm {
    CallForm::Varies { rule, usage, returns }
}

functions! {
    /// A function of the language that programs can call.
    Function "function."
    Assets {
        AssetArchive "assetArchive" = since([3, 31, 0], 9463),
            Fixed(&[("assets", Map(&OneOf(&[Asset, Archive])))], Archive),
            "an archive of the given assets and archives, by their paths in it",
            r#"assetArchive({ "index.html" = fileAsset("./index.html") })"#;
        FileArchive "fileArchive" = since([2, 1, 0], 4460),
            Fixed(&[("path", String)], Archive),
            "an archive from a directory or an archive file",
            r#"fileArchive("./site")"#;
        FileAsset "fileAsset" = since([1, 14, 1], 4105),
            Fixed(&[("path", String)], Asset),
            "an asset from a file",
            r#"fileAsset("./index.html")"#;
        RemoteArchive "remoteArchive" = since([3, 31, 0], 9463),
            Fixed(&[("uri", String)], Archive),
            "an archive that is downloaded from a URI",
            r#"remoteArchive("https://example.com/site.zip")"#;
        RemoteAsset "remoteAsset" = since([3, 31, 0], 9463),
            Fixed(&[("uri", String)], Asset),
            "an asset that is downloaded from a URI",
            r#"remoteAsset("https://example.com/logo.png")"#;
        StringAsset "stringAsset" = since([3, 31, 0], 9463),
            Fixed(&[("value", String)], Asset),
            "an asset from a string",
            r#"stringAsset("hello")"#;
    }
    Attempts {
        Can "can" = since([3, 151, 0], 18571).instead("test for the part that may be missing, as in `lookup(map, key, null) != null`"),
            varies(CallRule::Can, "can(arg: T) -> bool", "a bool, in an output if the argument is an output or of unknown type"),
            "true if an expression can be evaluated",
            "can(settings.region)";
        Recover "recover" = since([3, 252, 0], 23881),
            varies(CallRule::Recover, "recover(value: output(T), recovery: U) -> output(V)", "an output of a type that both arguments convert to"),
            "an output, or another value if it fails; that value may use `error`",
            r#"recover(server.ip, "unknown: ${error}")"#;
        Try "try" = since([3, 151, 0], 18454).instead("use `lookup(map, key, default)` for a key that may be missing"),
            varies(CallRule::Try, "try(...args: T) -> T", "a type that all arguments convert to, in an output if one is eventual or of unknown type"),
            "the first of several expressions that can be evaluated",
            r#"try(settings.region, "eu-west-1")"#;
    }
    Collections {
        Element "element" = since([2, 1, 0], 4424).instead("index the list, as in `list[0]`"),
            varies(CallRule::Element, "element(list: list(T), index: int) -> T", "an element of the list or tuple, in an output if any part of it is eventual"),
            "the element of a list at an index, counted from 0",
            "element(zones, 0)";
        Entries "entries" = since([1, 14, 1], 4309),
            varies(CallRule::Entries, "entries(collection: C) -> list(object({ key = K, value = V }))", "the keys and values of the collection, in an output if any part of it is eventual"),
            "the keys and values of a collection, as a list of objects",
            "[for e in entries(tags): e.key]";
        Length "length" = since([2, 1, 0], 4424),
            varies(CallRule::Length, "length(value: C) -> int", "an int, in an output if any part of the argument is eventual"),
            "the number of elements of a collection, or of characters of a string",
            "length(zones)";
        Lookup "lookup" = since([2, 1, 0], 4424).instead("index the map, as in `map[\"key\"]`"),
            varies(CallRule::Lookup, "lookup(map: map(T), key: string, default?: T) -> T", "a value of the map or object, in an output if any part of it is eventual"),
            "the value of a key in a map, or a default",
            r#"lookup(sizes, "prod", 1)"#;
        SingleOrNone "singleOrNone" = since([3, 69, 0], 13032).instead("index the list, as in `list[0]`"),
            varies(CallRule::SingleOrNone, "singleOrNone(value: list(T)) -> optional(T)", "an element of the list or tuple, or null; in an output if any part of it is eventual"),
            "the only element of a list, or null if the list is empty",
            "singleOrNone(subnets)";
    }
    Encoding {
        FromBase64 "fromBase64" = since([3, 40, 3], 10775),
            Fixed(&[("value", String)], String),
            "the string that a Base64 string encodes",
            r#"fromBase64("aGk=")"#;
        ToBase64 "toBase64" = since([3, 9, 1], 5012),
            Fixed(&[("value", String)], String),
            "a string, encoded in Base64",
            r#"toBase64("hi")"#;
        ToJson "toJSON" = since([1, 14, 1], 4105),
            varies(CallRule::ToJson, "toJSON(value: dynamic) -> string", "a string, in an output if any part of the value is eventual"),
            "a value, encoded as JSON",
            r#"toJSON({ Version = "2012-10-17" })"#;
    }
    Files {
        Filebase64 "filebase64" = since([3, 13, 0], 7863).instead("write `toBase64(readFile(path))`"),
            Fixed(&[("path", String)], String),
            "the content of a file, encoded in Base64",
            r#"filebase64("./logo.png")"#;
        Filebase64sha256 "filebase64sha256" = since([3, 23, 0], 7997),
            Fixed(&[("path", String)], String),
            "the SHA-256 checksum of a file, encoded in Base64",
            r#"filebase64sha256("./function.zip")"#;
        ReadFile "readFile" = since([2, 1, 0], 4424),
            Fixed(&[("path", String)], String),
            "the content of a text file",
            r#"readFile("./policy.json")"#;
    }
    Hashing {
        Sha1 "sha1" = since([3, 13, 0], 7834),
            Fixed(&[("input", String)], String),
            "the SHA-1 checksum of a string, in hexadecimal",
            r#"sha1("hello")"#;
    }
    Numbers {
        Max "max" = since([3, 232, 0], 22571).instead("write a conditional, as in `a > b ? a : b`"),
            varies(CallRule::Extreme, "max(first: N, ...rest: N) -> N", "an int, or a number if an argument is not an int"),
            "the largest of several numbers",
            "max(1, 2, 3)";
        Min "min" = since([3, 232, 0], 22571).instead("write a conditional, as in `a < b ? a : b`"),
            varies(CallRule::Extreme, "min(first: N, ...rest: N) -> N", "an int, or a number if an argument is not an int"),
            "the smallest of several numbers",
            "min(1, 2, 3)";
        Range "range" = since([1, 14, 1], 4309),
            Fixed(&[("fromOrTo", Int), ("to", Optional(&Int))], List(&Int)),
            "the integers from 0, or from the first argument, up to the last argument (exclusive)",
            "range(3)";
    }
    Outputs {
        GetOutput "getOutput" = since([3, 113, 1], 15935).instead("index the outputs of the stack, as in `stack.outputs[\"name\"]`"),
            Fixed(&[("stackReference", Dynamic), ("outputName", String)], Output(&Dynamic)),
            "an output of another stack",
            r#"getOutput(network, "vpcId")"#;
        Secret "secret" = since([2, 6, 0], 4927),
            varies(CallRule::SameAsOutput, "secret(value: T) -> output(T)", "an output of the type of the value"),
            "a value that is kept encrypted",
            r#"secret("hunter2")"#;
        Unsecret "unsecret" = since([3, 54, 0], 12026),
            varies(CallRule::SameAsOutput, "unsecret(value: T) -> output(T)", "an output of the type of the value"),
            "the value of a secret, which is then no longer secret",
            "unsecret(password)";
    }
    Program {
        Cwd "cwd" = since([3, 27, 0], 9208),
            Fixed(&[], String),
            "the directory that the program runs in",
            "cwd()";
        NotImplemented "notImplemented" = since([3, 58, 0], 12409),
            Fixed(&[("errorMessage", String)], Dynamic),
            "a value that a converter could not express; it fails when the program runs",
            r#"notImplemented("a for_each over a module")"#;
        Organization "organization" = since([3, 130, 0], 16948).instead("take it from a `config`"),
            Fixed(&[], String),
            "the organization that the stack belongs to",
            "organization()";
        Project "project" = since([3, 27, 0], 9208),
            Fixed(&[], String),
            "the name of the project",
            "project()";
        PulumiResourceName "pulumiResourceName" = since([3, 158, 0], 18959).instead("write the name of the resource out"),
            varies(CallRule::OfResource, "pulumiResourceName(resource: resource) -> string", "a string"),
            "the logical name of a resource",
            "pulumiResourceName(bucket)";
        PulumiResourceType "pulumiResourceType" = since([3, 158, 0], 18959).instead("write the type of the resource out"),
            varies(CallRule::OfResource, "pulumiResourceType(resource: resource) -> string", "a string"),
            "the type token of a resource",
            "pulumiResourceType(bucket)";
        RootDirectory "rootDirectory" = since([3, 153, 0], 18595).instead("use `cwd()`, or take the directory from a `config`"),
            Fixed(&[], String),
            "the directory that contains the project",
            "rootDirectory()";
        Stack "stack" = since([3, 27, 0], 9208),
            Fixed(&[], String),
            "the name of the stack",
            "stack()";
    }
    Strings {
        Join "join" = since([3, 9, 1], 5012),
            Fixed(&[("separator", String), ("strings", List(&String))], String),
            "the concatenation of strings, with a separator between them",
            r#"join(",", ["a", "b"])"#;
        Split "split" = since([2, 1, 0], 4424),
            Fixed(&[("separator", String), ("string", String)], List(&String)),
            "the parts of a string between separators",
            r#"split(",", "a,b")"#;
    }
    Packages {
        Call "call" = since([3, 146, 0], 18206).instead("ask the provider with `invoke(..)`"),
            varies(CallRule::Package, "call(self: resource, method: string, args: object) -> output(T)", "the result of the method, in an output unless the schema marks the method as plain"),
            "calls a method of a resource",
            r#"call(bucket, "sign", { name = "a" })"#;
        Invoke "invoke" = since([1, 14, 1], 4309),
            varies(CallRule::Package, "invoke(token: string, args: object, invokeOptions?: object) -> promise(T)", "the result of the function, in a promise, or in an output if an argument contains one"),
            "calls a function of a package",
            r#"invoke("toy:index:find", { name = "a" })"#;
    }
}

functions! {
    /// A function that makes a type, in the labels of config and output blocks.
    TypeFunction "type."
    Types {
        List "list" = since([1, 14, 1], 4281),
            varies(CallRule::List, "list(elementType: T) -> list(T)", "the type"),
            "lists with elements of a type",
            "list(string)";
        Map "map" = since([1, 14, 1], 4281),
            varies(CallRule::Map, "map(elementType: T) -> map(T)", "the type"),
            "maps with values of a type",
            "map(string)";
        Object "object" = since([1, 14, 1], 4281),
            varies(CallRule::Object, "object(attributeTypes: { name = T }) -> object({ name = T })", "the type"),
            "objects with these properties",
            "object({ name = string, size = optional(int) })";
        Optional "optional" = since([3, 231, 0], 22547).instead("every property of an object type may be missing without it"),
            varies(CallRule::Optional, "optional(elementType: T) -> optional(T)", "the type"),
            "a type, or null",
            "optional(string)";
        Set "set" = since([1, 14, 1], 4281),
            varies(CallRule::Set, "set(elementType: T) -> set(T)", "the type"),
            "sets with elements of a type",
            "set(string)";
        Tuple "tuple" = since([1, 14, 1], 4281),
            varies(CallRule::Tuple, "tuple(elementTypes: [T]) -> tuple([T])", "the type"),
            "tuples with elements of these types",
            "tuple([string, int])";
    }
}

/// Every function, those that make types last.
pub fn functions() -> impl Iterator<Item = &'static FunctionRow> {
    let of_types = TypeFunction::ALL.iter().map(|function| function.row());
    Function::ALL.iter().map(|function| function.row()).chain(of_types)
}

/// The function of that name.
#[must_use]
pub fn function(name: &str) -> Option<&'static FunctionRow> {
    let of_type = || TypeFunction::parse(name).map(TypeFunction::row);
    Function::parse(name).map(Function::row).or_else(of_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_complete_and_in_order() {
        for row in functions() {
            assert_eq!(function(row.name), Some(row), "{} stands twice", row.name);
            assert!(!row.summary.is_empty() && !row.summary.ends_with('.'));
            assert!(row.example.contains(&format!("{}(", row.name)), "{}", row.example);
        }
        for area in Area::ALL {
            let names: Vec<_> =
                functions().filter(|row| row.area == area).map(|row| row.name).collect();
            assert!(names.is_sorted() && !names.is_empty(), "{}", area.title());
        }
    }
}
