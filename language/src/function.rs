//! The functions of the language.

use self::Area::{
    Assets, Attempts, Collections, Encoding, Files, Hashing, Numbers, Outputs, Packages, Program,
    Strings, Types,
};
use self::CallForm::Fixed;
use self::StaticType::{Archive, Asset, Bool, Dynamic, List, Map, OneOf, Optional, Output, String};
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

impl FunctionRow {
    const fn new(
        name: &'static str,
        construct: &'static str,
        summary: &'static str,
        (area, since, form, example): (Area, Construct, CallForm, &'static str),
    ) -> Self {
        Self { name, area, form, summary, example, construct: since.named(construct) }
    }
}

table! {
    /// Functions that belong together. The name is the heading above them.
    Area {
        Assets "Assets and archives" "files and texts as inputs of resources";
        Attempts "Expressions that may fail" "what to do if they do";
        Collections "Collections" "lists, maps and objects";
        Encoding "Encoding" "texts and values in other encodings";
        Files "Files as text" "contents of files";
        Hashing "Hashing" "checksums";
        Numbers "Numbers" "numbers";
        Outputs "Outputs and secrets" "secrets, and outputs of other stacks";
        Program "The running program" "where it runs, as what, and its resources";
        Strings "Strings" "texts";
        Packages "Packages" "functions and methods of packages, which alone know the signatures of the calls";
        Types "Types, in the labels of config and output" "what such a call gives *is* the type";
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
    /// That of `range`.
    Range,
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

const fn varies(rule: CallRule, usage: &'static str, returns: &'static str) -> CallForm {
    CallForm::Varies { rule, usage, returns }
}

table! {
    /// A function of the language that programs can call.
    Function: FunctionRow, "function." {
        AssetArchive "assetArchive" "an archive of the given assets and archives, by their paths in it"
            (Assets, since([3, 31, 0], 9463),
            Fixed(&[("assets", Map(&OneOf(&[Asset, Archive])))], Archive), r#"assetArchive({ "index.html" = fileAsset("./index.html") })"#);
        FileArchive "fileArchive" "an archive from a directory or an archive file"
            (Assets, since([2, 1, 0], 4460), Fixed(&[("path", String)], Archive), r#"fileArchive("./site")"#);
        FileAsset "fileAsset" "an asset from a file"
            (Assets, since([1, 14, 1], 4105), Fixed(&[("path", String)], Asset), r#"fileAsset("./index.html")"#);
        RemoteArchive "remoteArchive" "an archive that is downloaded from a URI"
            (Assets, since([3, 31, 0], 9463),
            Fixed(&[("uri", String)], Archive), r#"remoteArchive("https://example.com/site.zip")"#);
        RemoteAsset "remoteAsset" "an asset that is downloaded from a URI"
            (Assets, since([3, 31, 0], 9463), Fixed(&[("uri", String)], Asset), r#"remoteAsset("https://example.com/logo.png")"#);
        StringAsset "stringAsset" "an asset from a string"
            (Assets, since([3, 31, 0], 9463), Fixed(&[("value", String)], Asset), r#"stringAsset("hello")"#);
        Can "can" "true if an expression can be evaluated"
            (Attempts, since([3, 151, 0], 18571).instead("test for the part that may be missing, as in `lookup(map, key, null) != null`"),
            varies(CallRule::Can, "can(arg: T) -> bool", "a bool, in an output if the argument is an output or of unknown type"), "can(settings.region)");
        Recover "recover" "an output, or another value if it fails; that value may use `error`"
            (Attempts, since([3, 252, 0], 23881),
            varies(CallRule::Recover, "recover(value: output(T), recovery: U) -> output(V)", "an output of a type that both arguments convert to"), r#"recover(server.ip, "unknown: ${error}")"#);
        Try "try" "the first of several expressions that can be evaluated"
            (Attempts, since([3, 151, 0], 18454).instead("use `lookup(map, key, default)` for a key that may be missing"),
            varies(CallRule::Try, "try(...args: T) -> T", "a type that all arguments convert to, in an output if one is eventual or of unknown type"), r#"try(settings.region, "eu-west-1")"#);
        Element "element" "the element of a list at an index, counted from 0"
            (Collections, since([2, 1, 0], 4424).instead("index the list, as in `list[0]`"),
            varies(CallRule::Element, "element(list: list(T), index: int) -> T", "an element of the list or tuple, in an output if any part of it is eventual"), "element(zones, 0)");
        Entries "entries" "the keys and values of a collection, as a list of objects"
            (Collections, since([1, 14, 1], 4309),
            varies(CallRule::Entries, "entries(collection: C) -> list(object({ key = K, value = V }))", "the keys and values of the collection, in an output if any part of it is eventual"), "[for e in entries(tags): e.key]");
        Length "length" "the number of elements of a collection, or of characters of a string"
            (Collections, since([2, 1, 0], 4424),
            varies(CallRule::Length, "length(value: C) -> int", "an int, in an output if any part of the argument is eventual"), "length(zones)");
        Lookup "lookup" "the value of a key in a map, or a default"
            (Collections, since([2, 1, 0], 4424).instead("index the map, as in `map[\"key\"]`"),
            varies(CallRule::Lookup, "lookup(map: map(T), key: string, default?: T) -> T", "a value of the map or object, in an output if any part of it is eventual"), r#"lookup(sizes, "prod", 1)"#);
        SingleOrNone "singleOrNone" "the only element of a list, or null if the list is empty"
            (Collections, since([3, 69, 0], 13032).instead("index the list, as in `list[0]`"),
            varies(CallRule::SingleOrNone, "singleOrNone(value: list(T)) -> optional(T)", "an element of the list or tuple, or null; in an output if any part of it is eventual"), "singleOrNone(subnets)");
        FromBase64 "fromBase64" "the string that a Base64 string encodes"
            (Encoding, since([3, 40, 3], 10775), Fixed(&[("value", String)], String), r#"fromBase64("aGk=")"#);
        ToBase64 "toBase64" "a string, encoded in Base64"
            (Encoding, since([3, 9, 1], 5012), Fixed(&[("value", String)], String), r#"toBase64("hi")"#);
        ToJson "toJSON" "a value, encoded as JSON"
            (Encoding, since([1, 14, 1], 4105),
            varies(CallRule::ToJson, "toJSON(value: dynamic) -> string", "a string, in an output if any part of the value is eventual"), r#"toJSON({ Version = "2012-10-17" })"#);
        Filebase64 "filebase64" "the content of a file, encoded in Base64"
            (Files, since([3, 13, 0], 7863).instead("write `toBase64(readFile(path))`"),
            Fixed(&[("path", String)], String), r#"filebase64("./logo.png")"#);
        Filebase64sha256 "filebase64sha256" "the SHA-256 checksum of a file, encoded in Base64"
            (Files, since([3, 23, 0], 7997), Fixed(&[("path", String)], String), r#"filebase64sha256("./function.zip")"#);
        ReadFile "readFile" "the content of a text file"
            (Files, since([2, 1, 0], 4424), Fixed(&[("path", String)], String), r#"readFile("./policy.json")"#);
        Sha1 "sha1" "the SHA-1 checksum of a string, in hexadecimal"
            (Hashing, since([3, 13, 0], 7834), Fixed(&[("input", String)], String), r#"sha1("hello")"#);
        Max "max" "the largest of several numbers"
            (Numbers, since([3, 232, 0], 22571).instead("write a conditional, as in `a > b ? a : b`"),
            varies(CallRule::Extreme, "max(first: N, ...rest: N) -> N", "an int, or a number if an argument is not an int"), "max(1, 2, 3)");
        Min "min" "the smallest of several numbers"
            (Numbers, since([3, 232, 0], 22571).instead("write a conditional, as in `a < b ? a : b`"),
            varies(CallRule::Extreme, "min(first: N, ...rest: N) -> N", "an int, or a number if an argument is not an int"), "min(1, 2, 3)");
        Range "range" "the numbers from 0, or from the first argument, up or down to the last argument (exclusive)"
            (Numbers, since([1, 14, 1], 4309),
            varies(CallRule::Range, "range(fromOrTo: N, to?: N) -> list(int)", "a list of ints"), "range(3)");
        GetOutput "getOutput" "an output of another stack"
            (Outputs, since([3, 113, 1], 15935).instead("index the outputs of the stack, as in `stack.outputs[\"name\"]`"),
            Fixed(&[("stackReference", Dynamic), ("outputName", String)], Output(&Dynamic)), r#"getOutput(network, "vpcId")"#);
        Secret "secret" "a value that is kept encrypted"
            (Outputs, since([2, 6, 0], 4927),
            varies(CallRule::SameAsOutput, "secret(value: T) -> output(T)", "an output of the type of the value"), r#"secret("hunter2")"#);
        Unsecret "unsecret" "the value of a secret, which is then no longer secret"
            (Outputs, since([3, 54, 0], 12026),
            varies(CallRule::SameAsOutput, "unsecret(value: T) -> output(T)", "an output of the type of the value"), "unsecret(password)");
        Cwd "cwd" "the directory that the program runs in"
            (Program, since([3, 27, 0], 9208), Fixed(&[], String), "cwd()");
        NotImplemented "notImplemented" "a value that a converter could not express; it fails when the program runs"
            (Program, since([3, 58, 0], 12409),
            Fixed(&[("errorMessage", String)], Dynamic), r#"notImplemented("a for_each over a module")"#);
        Organization "organization" "the organization that the stack belongs to"
            (Program, since([3, 130, 0], 16948).instead("take it from a `config`"), Fixed(&[], String), "organization()");
        Project "project" "the name of the project"
            (Program, since([3, 27, 0], 9208), Fixed(&[], String), "project()");
        PulumiResourceName "pulumiResourceName" "the logical name of a resource"
            (Program, since([3, 158, 0], 18959).instead("write the name of the resource out"),
            varies(CallRule::OfResource, "pulumiResourceName(resource: resource) -> string", "a string"), "pulumiResourceName(bucket)");
        PulumiResourceType "pulumiResourceType" "the type token of a resource"
            (Program, since([3, 158, 0], 18959).instead("write the type of the resource out"),
            varies(CallRule::OfResource, "pulumiResourceType(resource: resource) -> string", "a string"), "pulumiResourceType(bucket)");
        ResourceExists "resourceExists" "true if a provider knows a resource of this type and id"
            (Program, since([3, 274, 0], 23419).instead("take it from a `config`"),
            Fixed(&[("type", String), ("id", Output(&String)), ("state", Optional(&Dynamic))], Output(&Bool)), r#"resourceExists("toy:index:Box", "box-1")"#);
        RootDirectory "rootDirectory" "the directory that contains the project"
            (Program, since([3, 153, 0], 18595).instead("use `cwd()`, or take the directory from a `config`"),
            Fixed(&[], String), "rootDirectory()");
        Stack "stack" "the name of the stack"
            (Program, since([3, 27, 0], 9208), Fixed(&[], String), "stack()");
        Join "join" "the concatenation of strings, with a separator between them"
            (Strings, since([3, 9, 1], 5012),
            Fixed(&[("separator", String), ("strings", List(&String))], String), r#"join(",", ["a", "b"])"#);
        Split "split" "the parts of a string between separators"
            (Strings, since([2, 1, 0], 4424),
            Fixed(&[("separator", String), ("string", String)], List(&String)), r#"split(",", "a,b")"#);
        Call "call" "calls a method of a resource"
            (Packages, since([3, 146, 0], 18206).instead("ask the provider with `invoke(..)`"),
            varies(CallRule::Package, "call(self: resource, method: string, args: object) -> output(T)", "the result of the method, in an output unless the schema marks the method as plain"), r#"call(bucket, "sign", { name = "a" })"#);
        Invoke "invoke" "calls a function of a package"
            (Packages, since([1, 14, 1], 4309),
            varies(CallRule::Package, "invoke(token: string, args: object, invokeOptions?: object) -> promise(T)", "the result of the function, in a promise, or in an output if an argument contains one"), r#"invoke("toy:index:find", { name = "a" })"#);
    }
}

table! {
    /// A function that makes a type, in the labels of config and output blocks.
    TypeFunction: FunctionRow, "type." {
        List "list" "lists with elements of a type"
            (Types, since([1, 14, 1], 4281),
            varies(CallRule::List, "list(elementType: T) -> list(T)", "the type"), "list(string)");
        Map "map" "maps with values of a type"
            (Types, since([1, 14, 1], 4281), varies(CallRule::Map, "map(elementType: T) -> map(T)", "the type"), "map(string)");
        Object "object" "objects with these properties"
            (Types, since([1, 14, 1], 4281),
            varies(CallRule::Object, "object(attributeTypes: { name = T }) -> object({ name = T })", "the type"), "object({ name = string, size = optional(int) })");
        Optional "optional" "a type, or null"
            (Types, since([3, 231, 0], 22547).instead("every property of an object type may be missing without it"),
            varies(CallRule::Optional, "optional(elementType: T) -> optional(T)", "the type"), "optional(string)");
        Set "set" "sets with elements of a type"
            (Types, since([1, 14, 1], 4281), varies(CallRule::Set, "set(elementType: T) -> set(T)", "the type"), "set(string)");
        Tuple "tuple" "tuples with elements of these types"
            (Types, since([1, 14, 1], 4281),
            varies(CallRule::Tuple, "tuple(elementTypes: [T]) -> tuple([T])", "the type"), "tuple([string, int])");
    }
}

/// Every function, those that make types last.
pub fn functions() -> impl Iterator<Item = &'static FunctionRow> {
    let of_types = TypeFunction::ALL.iter().map(|function| function.row());
    Function::ALL.iter().map(|function| function.row()).chain(of_types)
}

/// The function of that name.
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
        for &area in Area::ALL {
            let names: Vec<_> =
                functions().filter(|row| row.area == area).map(|row| row.name).collect();
            assert!(names.is_sorted() && !names.is_empty(), "{}", area.name());
        }
    }
}
