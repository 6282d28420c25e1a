//! Shapes of programs that run.

use super::Command::{Check, Preview};
use super::{Shape, each, main_file};

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("run: chain of locals", 60, &[Preview], |n| main_file(format!("{}a{n} = 1\n", each(n, |i| format!("a{i} = a{} + 1\n", i + 1))))),
    Shape::new("run: long sum", 200, &[Preview], |n| main_file(format!("a = {}0\n", "1 + ".repeat(n)))),
    Shape::new("run: long chain of &&", 200, &[Preview], |n| main_file(format!("b = length(\"a\") == 1\na = {}b\n", "b && ".repeat(n)))),
    Shape::new("run: steps", 100, &[Preview], |n| main_file(format!("config \"a\" \"any\" {{\n  default = {{}}\n}}\nb = try(a{}, 1)\n", ".x".repeat(n)))),
    Shape::new("run: list", 200, &[Preview], |n| main_file(format!("a = [{}]\nb = [for x in a : x + 1]\nc = a[*]\nd = toJSON(a)\n", each(n, |i| format!("{i}, "))))),
    Shape::new("run: object", 100, &[Preview], |n| main_file(format!("a = {{ {} }}\nb = {{ for k, x in a : x => k }}\nc = entries(a)\n", each(n, |i| format!("k{i} = {i}, "))))),
    Shape::new("run: loop over one list many times", 50, &[Preview], |n| main_file(format!("a = [1, 2, 3]\n{}", each(n, |i| format!("b{i} = length([for x in a : x if x > 1])\n"))))),
    Shape::new("run: loops in a loop", 40, &[Preview, Check], |n| main_file(format!("a = [1, 2, 3]\nb = [{}]\nc = [for x in a : [for y in b : [for z in a : x + y + z]]]\n", each(n, |i| format!("{i}, "))))),
    Shape::new("run: depth of loops", 15, &[Preview, Check], |n| main_file(format!("a = {}1{}\n", each(n, |i| format!("[for x{i} in [{i}] : ")), "]".repeat(n)))),
    Shape::new("run: objects of loops in a loop", 20, &[Preview, Check], |n| main_file(format!("a = [1, 2, 3]\nb = [{}]\nc = [for x in a : {{ for y in b : \"${{y}}\" => [for z in a : y]... }}]\n", each(n, |i| format!("{i}, "))))),
    Shape::new("run: errors in a loop", 160, &[Preview, Check], |n| main_file(format!("a = [1, 2, 3]\nb = [{}]\nc = [for x in a : [for y in b : y / 0]]\n", each(n, |i| format!("{i}, "))))),
    Shape::new("run: length of one list many times", 60, &[Preview], |n| main_file(format!("a = [{}]\nb = [{}]\n", "1, ".repeat(n), "length(a), ".repeat(n)))),
    Shape::new("run: template", 100, &[Preview], |n| main_file(format!("a = \"x\"\nb = \"{}\"\n", "${a}-".repeat(n)))),
    Shape::new("run: resources", 25, &[Preview], |n| main_file(each(n, |i| format!("resource \"r{i}\" \"harbor:network:Network\" {{\n  cidr = \"10.0.0.{i}\"\n}}\n")))),
    Shape::new("run: range", 40, &[Preview], |n| main_file(format!("resource \"r\" \"harbor:network:Network\" {{\n  options {{\n    range = {n}\n  }}\n  cidr = \"10.0.0.${{range.value}}\"\n}}\n"))),
    Shape::new("run: chain of resources", 25, &[Preview], |n| main_file(each(n, |i| {
        let before = i.checked_sub(1).map_or_else(|| "\"10.0.0.0\"".to_owned(), |before| format!("r{before}.gateway"));
        format!("resource \"r{i}\" \"harbor:network:Network\" {{\n  cidr = {before}\n}}\n")
    }))),
    Shape::new("run: children of children", 25, &[Preview], |n| main_file(each(n, |i| {
        let parent = i.checked_sub(1).map_or_else(String::new, |before| format!("  options {{\n    parent = r{before}\n  }}\n"));
        format!("resource \"r{i}\" \"harbor:network:Network\" {{\n{parent}  cidr = \"\"\n}}\n")
    }))).allow(&[Preview], 2.1, "the URN of a resource has the types of all of its parents"),
    Shape::new("run: one component many times", 25, &[Preview], |n| {
        let mut files = main_file(each(n, |i| format!("component \"c{i}\" \"./part\" {{\n  x = {i}\n}}\n")));
        files.push(("part/main.pp".to_owned(), "config \"x\" \"int\" {}\noutput \"y\" {\n  value = x\n}\n".to_owned()));
        files
    }),
    Shape::new("run: components that need each other", 10, &[Preview], |n| {
        let pair = |i| format!("component \"a{i}\" \"./part\" {{\n  x = b{i}.y\n}}\ncomponent \"b{i}\" \"./part\" {{\n  x = a{i}.y\n}}\n");
        let mut files = main_file(each(n, pair));
        files.push(("part/main.pp".to_owned(), "config \"x\" \"int\" {}\noutput \"y\" {\n  value = 1\n}\noutput \"z\" {\n  value = x\n}\n".to_owned()));
        files
    }),
    Shape::new("run: accumulated dependencies", 40, &[Preview], |n| main_file(format!("t0 = \"\"\n{}", each(n, |i| {
        let next = i + 1;
        format!("resource \"r{next}\" \"harbor:network:Network\" {{\n  cidr = \"10.0.0.{i}\"\n}}\nt{next} = length(\"${{r{next}.cidr}}${{t{i}}}\")\n")
    })))).failed(),
    Shape::new("run: errors", 40, &[Preview], |n| main_file(format!("z = 1 - 1\n{}", each(n, |i| format!("a{i} = {i} / z\n"))))),
    // Programs of `n` lines whose values have `2^n` parts, or `n` levels.
    Shape::new("run: doubled lists", 60, &[Preview], |n| main_file(format!("a0 = 1\n{}", each(n, |i| format!("a{} = [a{i}, a{i}]\n", i + 1))))),
    Shape::new("run: nested lists", 600, &[Preview], |n| main_file(format!("a0 = 1\n{}", each(n, |i| format!("a{} = [a{i}]\n", i + 1))))),
];
