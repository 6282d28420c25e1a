//! Shapes of references.

use super::Command::{Bound, Check, Document, Show};
use super::{Shape, each, main_file};

/// Resources of which each refers to the one before.
fn resources(n: usize) -> Vec<(String, String)> {
    main_file(each(n, |i| {
        let before = i.checked_sub(1).map(|before| format!("r{before}.gateway"));
        let cidr = before.unwrap_or_else(|| "\"10.0.0.0\"".to_owned());
        format!("resource \"r{i}\" \"harbor:network:Network\" {{\n  cidr = {cidr}\n}}\n")
    }))
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("chain of locals", 60, &[Document, Check, Bound], |n| main_file(format!("{}a{n} = 1\n", each(n, |i| format!("a{i} = a{}\n", i + 1))))),
    Shape::new("circle", 300, &[Show, Check], |n| main_file(format!("{}a{n} = a0\n", each(n, |i| format!("a{i} = a{}\n", i + 1))))),
    Shape::new("circles", 40, &[Show, Check], |n| main_file(each(n, |i| format!("a{i} = b{i}\nb{i} = a{i}\n")))),
    Shape::new("circles through one name", 150, &[Show, Check], |n| main_file(format!("a = [{}]\n{}", each(n, |i| format!("b{i}, ")), each(n, |i| format!("b{i} = a\n"))))),
    Shape::new("everything refers to one", 60, &[Document, Check, Bound], |n| main_file(format!("a = 1\n{}", each(n, |i| format!("b{i} = a\n"))))),
    Shape::new("one refers to everything", 50, &[Document, Check, Bound], |n| main_file(format!("a = [{}]\n{}", each(n, |i| format!("b{i}, ")), each(n, |i| format!("b{i} = 1\n"))))),
    Shape::new("one reference many times", 80, &[Document, Check], |n| main_file(format!("a = 1\nb = [{}]\n", "a, ".repeat(n)))),
    Shape::new("variables of loops", 25, &[Document, Check], |n| main_file(each(n, |i| format!("a{i} = [for k{i}, v{i} in [1, 2] : v{i} if k{i} > 0]\n")))),
    Shape::new("chain of resources", 40, &[Document, Check, Bound], resources),
    Shape::new("resource with many dependencies", 25, &[Document, Check, Bound], |n| main_file(format!(
        "{}resource \"s\" \"harbor:network:Network\" {{\n  cidr = \"\"\n  options {{\n    dependsOn = [{}]\n  }}\n}}\n",
        each(n, |i| format!("resource \"r{i}\" \"harbor:network:Network\" {{\n  cidr = \"\"\n}}\n")),
        each(n, |i| format!("r{i}, "))))),
    Shape::new("chain of ranges", 20, &[Document, Check, Bound], |n| main_file(each(n, |i| format!(
        "resource \"r{i}\" \"harbor:network:Network\" {{\n  cidr = \"${{range.value}}\"\n  options {{\n    range = {}\n  }}\n}}\n",
        if i == 0 { "3".to_owned() } else { format!("r{}", i - 1) })))),
    Shape::new("invokes", 20, &[Document, Check, Bound], |n| main_file(each(n, |i| format!("a{i} = invoke(\"harbor:compute:getImage\", {{ name = \"x{i}\", latest = true }}).id\n")))),
    Shape::new("outputs", 40, &[Document, Check], |n| main_file(each(n, |i| format!("output \"o{i}\" {{\n  value = secret({i})\n}}\n")))),
];
