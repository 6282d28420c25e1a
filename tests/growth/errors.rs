//! Shapes of programs in which much is wrong.

use super::Command::{Check, Show};
use super::{Shape, each, main_file};

/// A resource with this body.
fn network(body: &str) -> Vec<(String, String)> {
    main_file(format!("resource \"r\" \"harbor:network:Network\" {{\n  cidr = \"\"\n{body}}}\n"))
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("undefined names", 60, &[Show, Check], |n| main_file(each(n, |i| format!("a{i} = missing{i}\n")))),
    Shape::new("undefined names like defined ones", 60, &[Show, Check], |n| main_file(each(n, |i| format!("name{i}a = name{i}b\n")))).failed(),
    Shape::new("undefined names on one line", 60, &[Show, Check], |n| main_file(format!("a = [{}]\n", each(n, |i| format!("missing{i}, "))))).failed(),
    Shape::new("one undefined name many times", 60, &[Show, Check], |n| main_file(format!("a = [{}]\n", "missing, ".repeat(n)))),
    Shape::new("undefined functions", 60, &[Show, Check], |n| main_file(each(n, |i| format!("a{i} = lenght{i}(1)\n")))),
    Shape::new("unknown blocks", 60, &[Show, Check], |n| main_file(each(n, |i| format!("resourse \"a{i}\" {{}}\n")))),
    Shape::new("unknown tokens", 60, &[Show, Check], |n| main_file(each(n, |i| format!("resource \"a{i}\" \"harbor:network:Netwrk{i}\" {{}}\n")))),
    Shape::new("unknown packages", 30, &[Show, Check], |n| main_file(each(n, |i| format!("resource \"a{i}\" \"harbur{i}:network:Network\" {{}}\n")))),
    Shape::new("unknown attributes", 60, &[Show, Check], |n| network(&each(n, |i| format!("  tag{i} = 1\n")))).failed(),
    Shape::new("unknown options", 60, &[Show, Check], |n| network(&format!("  options {{\n{}  }}\n", each(n, |i| format!("    protect{i} = true\n"))))),
    Shape::new("unknown keys", 60, &[Show, Check], |n| main_file(format!("resource \"r\" \"harbor:network:LoadBalancer\" {{\n  ports = [{{ number = 1, {} }}]\n}}\n", each(n, |i| format!("numbr{i} = 1, "))))).failed(),
    Shape::new("unknown parts of an object", 60, &[Show, Check], |n| main_file(format!("a = {{ {} }}\n{}", each(n, |i| format!("key{i}a = 1, ")), each(n, |i| format!("b{i} = a.key{i}b\n"))))),
    Shape::new("missing attributes", 60, &[Show, Check], |n| main_file(each(n, |i| format!("resource \"a{i}\" \"harbor:network:Record\" {{}}\n")))),
    Shape::new("wrong types", 60, &[Show, Check], |n| main_file(each(n, |i| format!("resource \"a{i}\" \"harbor:network:Network\" {{\n  cidr = [{i}]\n}}\n")))),
    Shape::new("wrong elements", 60, &[Show, Check], |n| main_file(format!("resource \"a\" \"harbor:network:Record\" {{\n  name = \"\"\n  values = [{}]\n}}\n", "[1], ".repeat(n)))),
    Shape::new("wrong operands", 60, &[Show, Check], |n| main_file(each(n, |i| format!("a{i} = [] + {{}}\n")))),
    Shape::new("wrong arguments", 60, &[Show, Check], |n| main_file(each(n, |i| format!("a{i} = join({i}, {{}}, 3)\n")))),
    Shape::new("arguments too many", 150, &[Show, Check], |n| main_file(format!("a = length({})\n", "1, ".repeat(n)))),
    Shape::new("duplicate names", 100, &[Show, Check], |n| main_file("a = 1\n".repeat(n))),
    Shape::new("duplicate blocks", 60, &[Show, Check], |n| main_file("config \"a\" \"int\" {}\n".repeat(n))),
    Shape::new("duplicate keys", 100, &[Show, Check], |n| main_file(format!("a = {{\n{}}}\n", "k = 1\n".repeat(n)))),
    Shape::new("duplicate attributes of a block", 100, &[Show, Check], |n| network(&"  tags = {}\n".repeat(n))),
    Shape::new("unknown configuration types", 60, &[Show, Check], |n| main_file(each(n, |i| format!("config \"c{i}\" \"strng\" {{}}\n")))),
    Shape::new("redundant templates", 60, &[Show, Check], |n| main_file(format!("config \"c\" \"string\" {{}}\n{}", each(n, |i| format!("a{i} = \"${{c}}\"\n"))))),
    Shape::new("redundant templates on one line", 60, &[Show, Check], |n| main_file(format!("config \"c\" \"string\" {{}}\na = [{}]\n", "\"${c}\", ".repeat(n)))),
    Shape::new("names in place of references", 60, &[Show, Check], |n| main_file(format!("resource \"r\" \"harbor:network:Network\" {{\n  cidr = \"\"\n}}\n{}", each(n, |i| format!("resource \"a{i}\" \"harbor:network:Subnet\" {{\n  cidr = \"\"\n  networkId = r\n}}\n"))))),
    Shape::new("errors behind a long line", 60, &[Show, Check], |n| main_file(format!("a = \"{}\"\n{}", "é".repeat(n * 40), each(n, |i| format!("b{i} = missing\n"))))),
    Shape::new("errors over many lines", 60, &[Show, Check], |n| main_file(each(n, |i| format!("a{i} = [\n\n\n\n1\n\n\n\n] + 1\n")))),
    Shape::new("error over everything", 300, &[Show, Check], |n| main_file(format!("a = [\n{}] + 1\n", "1,\n".repeat(n)))),
];
