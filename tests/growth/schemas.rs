//! Shapes of package schemas.

use super::Command::{Check, Document, Preview, Schema, Show};
use super::{Shape, each, main_file};

type Files = Vec<(String, String)>;

/// The package `wide` of these members, and a program.
fn package(types: &str, resources: &str, program: String) -> Files {
    let mut files = main_file(program);
    let (types, resources) = (types.trim_end_matches(','), resources.trim_end_matches(','));
    let text = format!(
        "{{\"name\":\"wide\",\"version\":\"1.0.0\",\"types\":{{{types}}},\"resources\":{{{resources}}}}}"
    );
    files.push(("schemas/wide.json".to_owned(), text));
    files
}

/// A resource type with these inputs, which are its outputs too.
fn resource(name: &str, properties: &str) -> String {
    let properties = properties.trim_end_matches(',');
    format!(
        "\"wide:index:{name}\":{{\"inputProperties\":{{{properties}}},\"properties\":{{{properties}}}}},"
    )
}

/// An object type.
fn object(name: &str, properties: &str) -> String {
    let properties = properties.trim_end_matches(',');
    format!("\"wide:index:{name}\":{{\"type\":\"object\",\"properties\":{{{properties}}}}},")
}

/// A property of a named type.
fn named(name: &str, ty: &str) -> String {
    format!("\"{name}\":{{\"$ref\":\"#/types/wide:index:{ty}\"}},")
}

/// A property of a simple type.
fn simple(name: &str, ty: &str) -> String {
    format!("\"{name}\":{{\"type\":\"{ty}\"}},")
}

/// A block of the resource type `R` with this body.
fn block(name: &str, body: &str) -> String {
    format!("resource \"{name}\" \"wide:index:R\" {{\n{body}}}\n")
}

fn wide_resource(n: usize, program: String) -> Files {
    let properties = each(n, |i| simple(&format!("key{i}a"), "string"));
    package("", &resource("R", &properties), program)
}

/// A union of `n` object types, told apart by a property where `told`, and blocks with this value.
fn union(n: usize, told: bool, value: impl Fn(usize) -> String) -> Files {
    let types = each(n, |i| {
        let kind = format!("\"kind\":{{\"type\":\"string\",\"const\":\"k{i}\"}},");
        object(&format!("T{i}"), &(kind + &simple(&format!("own{i}"), "integer")))
    });
    let members = each(n, |i| format!("{{\"$ref\":\"#/types/wide:index:T{i}\"}},"));
    let members = members.trim_end_matches(',');
    let told = if told { ",\"discriminator\":{\"propertyName\":\"kind\"}" } else { "" };
    let properties = format!("\"p\":{{\"oneOf\":[{members}]{told}}},");
    let program = each(n, |i| block(&format!("r{i}"), &format!("  p = {}\n", value(i))));
    package(&types, &resource("R", &properties), program)
}

/// An enumeration of `n` values, and blocks with this value.
fn enumeration(n: usize, value: impl Fn(usize) -> String) -> Files {
    let values = each(n, |i| format!("{{\"value\":\"value{i}a\"}},"));
    let values = values.trim_end_matches(',');
    let types = format!("\"wide:index:E\":{{\"type\":\"string\",\"enum\":[{values}]}}");
    let program = each(n, |i| block(&format!("r{i}"), &format!("  p = \"{}\"\n", value(i))));
    package(&types, &resource("R", &named("p", "E")), program)
}

/// Objects without their constants, of which each but the innermost has another one: of one type
/// that has to be so, or of one of two.
fn without_constants(n: usize, item: &str, next: &str) -> Files {
    let properties = |kind: &str| {
        format!(
            "\"kind\":{{\"type\":\"string\",\"const\":\"{kind}\"}},\"size\":{{\"type\":\"integer\",\"default\":1}},\"next\":{next}"
        )
    };
    let types = ["A", "B"].map(|name| {
        let object = object(name, &properties(name));
        object.replace("\"type\":\"object\"", "\"type\":\"object\",\"required\":[\"kind\"]")
    });
    let value = item.repeat(n) + "{ kind = \"A\" }" + &" }".repeat(n);
    let inputs = format!("\"next\":{next}");
    let program = block("r", &format!("  next = {value}\n"));
    package(&types.concat(), &resource("R", &inputs), program)
}

/// Types of which each has two properties of the next; the last has the first.
fn ring(n: usize) -> Files {
    let types = each(n, |i| {
        let next = format!("T{}", (i + 1) % n);
        object(&format!("T{i}"), &(named("a", &next) + &named("b", &next)))
    });
    let program = block("r", "  p = { a = { b = {} } }\n") + "x = r.p.a.b.a\ny = r.p == 1\n";
    package(&types, &resource("R", &named("p", "T0")), program)
}

/// The reason why `n` uses of a type of `n` parts are not linear.
const WHOLE_TYPES: &str = "because each use of a type of a schema shows all of it";

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("resource types", 60, &[Document, Schema, Check], |n| package(
        "", &each(n, |i| resource(&format!("R{i}"), &simple("a", "string"))),
        each(n, |i| format!("resource \"r{i}\" \"wide:index:R{i}\" {{\n  a = \"x\"\n}}\n")))),
    Shape::new("properties", 60, &[Document, Schema, Check], |n| wide_resource(n, block("r", &each(n, |i| format!("  key{i}a = \"x\"\n"))))).failed(),
    Shape::new("other properties", 60, &[Show, Check], |n| wide_resource(n, block("r", &each(n, |i| format!("  key{i}b = \"x\"\n"))))).failed(),
    Shape::new("other outputs", 60, &[Show, Check], |n| wide_resource(n, block("r", "") + &each(n, |i| format!("x{i} = r.key{i}b\n")))),
    Shape::new("wide resource in a wrong place", 30, &[Document, Show, Check], |n| wide_resource(n, block("r", "") + &each(n, |i| block(&format!("s{i}"), "  key0a = r\n")))).failed()
        .allow(&[Document], 2.1, WHOLE_TYPES),
    Shape::new("required properties that are missing", 60, &[Show, Schema, Check], |n| {
        let properties = each(n, |i| simple(&format!("p{i}"), "string"));
        let required = each(n, |i| format!("\"p{i}\","));
        let resource = format!("\"wide:index:R\":{{\"inputProperties\":{{{}}},\"requiredInputs\":[{}]}}", properties.trim_end_matches(','), required.trim_end_matches(','));
        package("", &resource, block("r", ""))
    }),
    Shape::new("types in a ring", 60, &[Document, Schema, Check], ring),
    Shape::new("types in a ring, shown", 60, &[Show], ring),
    Shape::new("types that share", 60, &[Document, Show, Schema, Check], |n| package(
        &each(n, |i| object(&format!("T{i}"), &(named("a", &format!("T{}", i + 1)) + &named("b", &format!("T{}", i + 1))))).replace(&format!("T{n}\"}}"), "T0\"}"),
        &resource("R", &named("p", "T0")), block("r", "") + "y = [r.p] == r\nz = r.p.c\n")),
    Shape::new("wide union told apart", 30, &[Check, Document, Schema], |n| union(n, true, |i| format!("{{ kind = \"k{i}\", own{i} = 1 }}"))).failed()
        .allow(&[Document], 2.1, WHOLE_TYPES),
    Shape::new("wide union told apart, wrong values", 30, &[Show, Check], |n| union(n, true, |i| format!("{{ kind = \"j{i}\", own{i} = [] }}"))).failed(),
    Shape::new("wide union", 2, &[Schema], |n| union(n, false, |_| "{}".to_owned())),
    Shape::new("wide union, one value", 60, &[Document, Show, Check], |n| {
        let mut files = union(n, false, |i| format!("{{ kind = \"k{i}\", own{i} = 1 }}"));
        files[0].1 = block("r", &format!("  p = {{ kind = \"k{0}\", own{0} = 1 }}\n", n - 1)) + &block("s", "  p = { kind = [] }\n");
        files
    }).failed(),
    Shape::new("nested objects without constants", 48, &[Check, Preview, Document], |n| without_constants(n, "{ next = ", "{\"$ref\":\"#/types/wide:index:A\"}")),
    Shape::new("nested objects in unions", 48, &[Preview, Check, Document], |n| without_constants(n, "{ kind = \"B\", next = ", "{\"oneOf\":[{\"$ref\":\"#/types/wide:index:A\"},{\"$ref\":\"#/types/wide:index:B\"}]}")).failed(),
    Shape::new("enumeration", 60, &[Document, Schema, Check], |n| enumeration(n, |i| format!("value{i}a")))
        .allow(&[Document], 2.1, WHOLE_TYPES),
    Shape::new("enumeration, other values", 60, &[Show, Check], |n| enumeration(n, |i| format!("value{i}b"))),
    Shape::new("references to nothing", 60, &[Schema], |n| package("", &resource("R", &each(n, |i| named(&format!("p{i}"), &format!("T{i}")))), String::new())).failed(),
    Shape::new("members of one name", 60, &[Schema, Check], |n| package("", &resource("R", &simple("a", "string")).repeat(n), block("r", ""))),
    Shape::new("nested type of a property", 30, &[Schema, Check], |n| package("", &resource("R", &format!("\"p\":{}{{\"type\":\"string\"}}{}", "{\"type\":\"array\",\"items\":".repeat(n), "}".repeat(n))), block("r", "  p = []\n"))),
    Shape::new("schema of unknown keys", 150, &[Schema], |n| package("", &each(n, |i| format!("\"wide:index:R{i}\":{{\"inputPropertys\":{{}}}},")), String::new())),
    Shape::new("nested brackets in a schema", 300, &[Schema], |n| package(&format!("\"x\":{}{}", "[".repeat(n), "]".repeat(n)), "", String::new())),
    Shape::new("schema without an end", 300, &[Schema], |n| { let mut files = main_file(""); files.push(("schemas/wide.json".to_owned(), "{\"types\":[".repeat(n))); files }),
];
