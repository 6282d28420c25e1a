//! Shapes of trees.

use super::Command::{Bound, Check, Diff, Document, Fmt, Go, Show, TypeScript};
use super::{Shape, each, main_file, nested};

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("nested tuples", 600, &[Fmt, Show, Check], |n| nested(n, "[", "", "]")),
    Shape::new("open brackets", 600, &[Fmt, Show, Check], |n| nested(n, "[", "", "")),
    Shape::new("closing brackets", 600, &[Fmt, Show, Check], |n| nested(n, "", "", "]")),
    Shape::new("nested parentheses", 600, &[Fmt, Check], |n| nested(n, "(", "1", ")")),
    Shape::new("nested objects", 300, &[Fmt, Check, TypeScript, Go], |n| nested(n, "{ a = ", "1", " }")),
    Shape::new("nested objects on lines", 300, &[Fmt, Check, Diff], |n| nested(n, "{\n a = ", "1", "\n}")),
    Shape::new("open objects", 300, &[Fmt, Show, Check], |n| nested(n, "{ a = ", "", "")),
    Shape::new("nested calls", 400, &[Fmt, Show, Check], |n| nested(n, "f(", "1", ")")),
    Shape::new("nested indexes", 400, &[Fmt, Check], |n| nested(n, "a[", "0", "]")),
    Shape::new("nested loops", 300, &[Fmt, Check, TypeScript, Go], |n| nested(n, "[for x in ", "[]", " : x]")),
    Shape::new("nested conditions", 300, &[Fmt, Check, TypeScript, Go], |n| nested(n, "true ? 1 : ", "2", "")),
    Shape::new("nested operators", 600, &[Fmt, Check], |n| nested(n, "!-", "1", "")),
    Shape::new("nested types", 300, &[Show, Check], |n| main_file(format!("config \"a\" \"{}int{}\" {{}}\n", "list(".repeat(n), ")".repeat(n)))),
    Shape::new("nested blocks", 300, &[Fmt, Show, Check, Diff], |n| main_file(format!("{}{}", "b {\n".repeat(n), "}\n".repeat(n)))),
    Shape::new("open blocks", 260, &[Fmt, Show, Check], |n| main_file("b {\n".repeat(n))),
    Shape::new("deep values", 3, &[Fmt, Document, Check, Bound], |n| main_file(each(n, |i| format!("a{i} = {}{i}{}\n", "[".repeat(200), "]".repeat(200))))),
    Shape::new("chain of sums", 1200, &[Fmt, Document, Check, TypeScript, Go], |n| main_file(format!("a = 1{}\n", " + 1".repeat(n)))),
    Shape::new("chain of logic", 600, &[Fmt, Check, TypeScript, Go], |n| main_file(format!("a = true{}\n", " && true || false".repeat(n)))),
    Shape::new("chain of attributes", 600, &[Document, Show, Check, Bound, TypeScript, Go], |n| main_file(format!("config \"b\" {{}}\na = b{}\n", ".c".repeat(n)))),
    Shape::new("chain of indexes", 300, &[Document, Check, TypeScript, Go], |n| main_file(format!("config \"b\" {{}}\nconfig \"i\" {{}}\na = b{}\n", "[i]".repeat(n)))),
    Shape::new("chain of splats", 200, &[Document, Show, Check], |n| main_file(format!("config \"b\" {{}}\na = b{}\n", "[*].c".repeat(n)))),
    Shape::new("chain of splats of splats", 60, &[TypeScript, Go], |n| main_file(format!("config \"b\" {{}}\na = b{}\n", "[*]".repeat(n)))).failed(),
    Shape::new("wide tuple", 1200, &[Fmt, Document, Check, Bound], |n| main_file(format!("a = [{}]\n", "1, ".repeat(n)))),
    Shape::new("wide tuple on lines", 800, &[Fmt, Check, Diff], |n| main_file(format!("a = [\n{}]\n", "1,\n".repeat(n)))),
    Shape::new("wide object that is converted", 400, &[Go, TypeScript], |n| main_file(format!("a = {{{}}}\noutput \"o\" {{\n  value = a.k1\n}}\n", each(n, |i| format!("k{i} = {i}, "))))).failed(),
    Shape::new("wide object", 400, &[Fmt, Document, Check, Bound, TypeScript, Go], |n| main_file(format!("a = {{{}}}\n", each(n, |i| format!("k{i} = {i}, "))))),
    Shape::new("wide object on lines", 400, &[Fmt, Check, Diff], |n| main_file(format!("a = {{\n{}}}\n", each(n, |i| format!("k{i} = {i}\n"))))),
    Shape::new("attributes", 400, &[Fmt, Document, Check, Diff], |n| main_file(each(n, |i| format!("a{i} = {i}\n")))),
    Shape::new("blocks", 150, &[Diff, Fmt, Document, Check], |n| main_file(each(n, |i| format!("config \"c{i}\" \"int\" {{\n  default={i}\n}}\n")))).failed(),
    Shape::new("labels", 600, &[Fmt, Show, Check], |n| main_file(format!("config {}{{}}\n", "\"a\" ".repeat(n)))),
    Shape::new("elements with comments between", 300, &[Fmt, Check], |n| main_file(format!("a = [{}]\n", "# x\n1, /* y */ ".repeat(n)))),
];
