//! Shapes of tokens and of what is between them.

use super::Command::{Check, Diff, Fmt, Show};
use super::{Shape, each, main_file, nested};

/// The text of the lexer's worst case, with `n` heredocs that end inside a template.
fn heredocs_in_templates(n: usize) -> Vec<(String, String)> {
    let (opened, closed) = ("\"${".repeat(100), "}\"".repeat(50));
    main_file(format!("{opened}\n{closed}${{<<A\n{}", "}\nA\n".repeat(n)))
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("comment lines", 500, &[Fmt, Check], |n| main_file("# x\n// y\n/* z */\n".repeat(n))),
    Shape::new("comments behind attributes", 300, &[Fmt, Check, Diff], |n| main_file(each(n, |i| format!("a{i} = {i} # x\n")))),
    Shape::new("suppressions begun in a comment", 4000, &[Check], |n| main_file(format!("# a{} x]\n", " # pcl:[".repeat(n)))),
    Shape::new("long comment", 40_000, &[Fmt, Check], |n| main_file(format!("/*{}*/", "*x\n".repeat(n)))),
    Shape::new("unterminated comments", 4000, &[Fmt, Show, Check], |n| main_file("/* x\n".repeat(n))),
    Shape::new("blanks", 40_000, &[Fmt, Check], |n| main_file(format!("a{}=\t{}1\n", " ".repeat(n), "\t".repeat(n)))),
    Shape::new("empty lines", 5000, &[Fmt, Check, Diff], |n| main_file("\r\n\n".repeat(n))),
    Shape::new("long name", 8000, &[Fmt, Show, Check], |n| main_file(format!("{} = 1\nb = {}\n", "x".repeat(n), "y".repeat(n)))).failed(),
    Shape::new("long names that resemble each other", 500, &[Show, Check], |n| main_file(format!("{0}y = 1\nb = {0}z\n", "x".repeat(n)))).failed(),
    Shape::new("long name among short lines", 60, &[Fmt, Diff], |n| main_file(format!("a{} = 1\n{}", "x".repeat(n * 8), each(n, |i| format!("b{i} = 1\n"))))).failed(),
    Shape::new("long string", 8000, &[Fmt, Check], |n| main_file(format!("a = \"{}\"\n", "x \\n $ ".repeat(n)))),
    Shape::new("long number", 2000, &[Fmt, Check], |n| main_file(format!("a = {}\n", "9".repeat(n))))
        .allow(&[Fmt, Check], 2.1, "because reading a decimal of any length takes quadratic time in num-bigint"),
    Shape::new("escapes", 3000, &[Fmt, Check], |n| main_file(format!("a = \"{}\"\n", "\\u00e9\\n\\\"".repeat(n)))),
    Shape::new("unknown escapes", 60, &[Show, Check], |n| main_file(format!("a = \"{}\"\n", "\\q".repeat(n)))),
    Shape::new("characters of many bytes", 2000, &[Fmt, Show, Check], |n| main_file(format!("a = \"{}\"\nß = é\n", "ß𝄞é".repeat(n)))),
    Shape::new("garbage", 100, &[Fmt, Show, Check], |n| main_file(") ] } @ ' \" $\n".repeat(n))).failed(),
    Shape::new("garbage on one line", 60, &[Fmt, Show, Check], |n| main_file(") ] } @ ' $ ".repeat(n))),
    Shape::new("unterminated strings", 100, &[Fmt, Show, Check], |n| main_file(each(n, |i| format!("a{i} = \"x${{\n")))).failed(),
    Shape::new("unterminated heredocs", 150, &[Fmt, Show, Check], |n| main_file("a = <<A\n".repeat(n))),
    Shape::new("unterminated heredocs of many names", 300, &[Fmt, Show, Check], |n| main_file(each(n, |i| format!("${{<<A{i}\n")))),
    Shape::new("open heredocs in templates", 300, &[Fmt, Show, Check], |n| main_file(format!("a = <<A\n{}", each(n, |i| format!("${{<<B{i}\n"))))),
    Shape::new("heredocs that end in templates", 40, &[Fmt, Show, Check], heredocs_in_templates).failed(),
    Shape::new("templates over line ends", 80, &[Fmt, Show, Check], |n| main_file("a = \"${\n".repeat(n))),
    Shape::new("nested templates", 300, &[Fmt, Show, Check], |n| nested(n, "\"${", "1", "}\"")).failed(),
    Shape::new("open templates", 300, &[Fmt, Show, Check], |n| nested(n, "\"${", "", "")),
    Shape::new("nested heredocs", 300, &[Fmt, Show, Check], |n| nested(n, "<<A\n${", "1", "}\nA\n")).failed(),
    Shape::new("nested directives", 300, &[Fmt, Show, Check], |n| main_file(format!("a = \"{}x{}\"\n", "%{ if true }".repeat(n), "%{ endif }".repeat(n)))),
    Shape::new("open directives", 300, &[Fmt, Show, Check], |n| main_file(format!("a = <<A\n{}A\n", "%{ for x in [] }\n".repeat(n)))),
    Shape::new("directives", 150, &[Check, Fmt], |n| main_file(format!("a = <<A\n{}A\n", "%{ for x in [1] ~}\n ${x}\n%{ endfor }\n".repeat(n)))).failed(),
    Shape::new("many heredocs", 300, &[Fmt, Check], |n| main_file(each(n, |i| format!("a{i} = <<-A\n  x ${{{i}}}\n  A\n")))),
    Shape::new("lines of a heredoc", 1000, &[Fmt, Check], |n| main_file(format!("a = <<-A\n{}  A\n", "    x ${1} y\n".repeat(n)))),
    Shape::new("parts of a template", 600, &[Fmt, Check], |n| main_file(format!("a = \"{}\"\n", "${1}x".repeat(n)))),
];
