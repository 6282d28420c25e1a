//! Shapes of several files, programs and components.

use super::Command::{Batch, Bound, Check, Document, Fmt, Graph, Show};
use super::{Shape, each, main_file};

type Files = Vec<(String, String)>;

/// `main.pp` and one directory for each number.
fn parts(n: usize, main: impl Fn(usize) -> String, part: impl Fn(usize) -> String) -> Files {
    let mut files = main_file(each(n, main));
    files.extend((0..n).map(|i| (format!("part{i}/main.pp"), part(i))));
    files
}

/// `n / 16` stacks of 16 levels, of which each level has the next one twice.
fn diamonds(n: usize) -> Files {
    let mut files = main_file("");
    for stack in 0..n.div_ceil(16) {
        files[0].1 += &format!("component \"top{stack}\" \"./s{stack}/l0\" {{}}\n");
        for level in 0..16 {
            let next = level + 1;
            let text = match level {
                15 => "output \"o\" {\n  value = 1\n}\n".to_owned(),
                _ => format!(
                    "component \"a\" \"../l{next}\" {{}}\ncomponent \"b\" \"../l{next}\" {{}}\n\
                     output \"o\" {{\n  value = [a.o, b.o]\n}}\n"
                ),
            };
            files.push((format!("s{stack}/l{level}/main.pp"), text));
        }
    }
    files
}

/// Chains of components, 32 long.
fn chains(n: usize) -> Files {
    let mut files = main_file("");
    for chain in 0..n.div_ceil(32) {
        files[0].1 += &format!("component \"top{chain}\" \"./s{chain}\" {{}}\n");
        let mut place = format!("s{chain}");
        for _ in 0..32 {
            files.push((format!("{place}/main.pp"), "component \"c\" \"./c\" {}\n".to_owned()));
            place += "/c";
        }
        files.push((format!("{place}/main.pp"), "x = 1\n".to_owned()));
    }
    files
}

/// A component with `n` inputs and outputs; the texts are of the blocks that use it.
fn wide_component(n: usize, blocks: &str) -> Files {
    let part = each(n, |i| {
        format!("config \"c{i}\" \"int\" {{}}\noutput \"o{i}\" {{\n  value = c{i}\n}}\n")
    });
    vec![("main.pp".to_owned(), blocks.to_owned()), ("part/main.pp".to_owned(), part)]
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("files of a program", 30, &[Document, Show, Check, Fmt], |n| (0..n).map(|i| (format!("f{i}.pp"), format!("a{i} = a{}\n", (i + 1) % n))).collect()),
    Shape::new("programs", 10, &[Check, Fmt], |n| (0..n).map(|i| (format!("p{i}/main.pp"), "a = 1\n".to_owned())).collect()),
    Shape::new("programs of a batch", 20, &[Batch], |n| {
        let text = "resource b \\\"harbor:storage:Bucket\\\" {\\n  versions = 2\\n}\\n";
        vec![("batch.jsonl".to_owned(), each(n, |i| format!("{{\"id\":\"e{i}\",\"text\":\"{text}\"}}\n")))]
    }),
    Shape::new("directories", 30, &[Check], |n| { let mut files = main_file(""); files.extend((0..n).map(|i| (format!("d{i}/none.txt"), String::new()))); files }),
    Shape::new("one component many times", 60, &[Document, Check, Bound, Graph], |n| {
        let mut files = main_file(each(n, |i| format!("component \"c{i}\" \"./part\" {{\n  x = {i}\n}}\n")));
        files.push(("part/main.pp".to_owned(), "config \"x\" \"int\" {}\noutput \"y\" {\n  value = x\n}\n".to_owned()));
        files
    }),
    Shape::new("many components", 20, &[Document, Bound], |n| parts(n, |i| format!("component \"c{i}\" \"./part{i}\" {{}}\n"), |i| format!("output \"y\" {{\n  value = {i}\n}}\n"))),
    Shape::new("chain of components", 32, &[Document, Bound, Graph], chains),
    Shape::new("diamonds of components", 32, &[Document, Bound], diamonds),
    Shape::new("component that includes itself", 30, &[Bound], |n| parts(n, |i| format!("component \"c{i}\" \"./part{i}\" {{}}\n"), |_| "component \"c\" \"./\" {}\n".to_owned())),
    Shape::new("wide component", 60, &[Document, Bound], |n| wide_component(n, &format!("component \"c\" \"./part\" {{\n{}}}\n", each(n, |i| format!("  c{i} = {i}\n"))))),
    Shape::new("wide component, other inputs", 60, &[Bound], |n| wide_component(n, &format!("component \"c\" \"./part\" {{\n{}}}\n", each(n, |i| format!("  b{i} = {i}\n"))))).failed(),
    Shape::new("wide component, other outputs", 60, &[Bound], |n| wide_component(n, &format!("component \"c\" \"./part\" {{}}\n{}", each(n, |i| format!("a{i} = c.p{i}\n"))))),
    Shape::new("outputs of a chain of locals", 200, &[Graph], |n| main_file(format!("config \"a0\" \"int\" {{}}\n{}", each(n, |i| format!("a{} = a{i}\noutput \"o{i}\" {{\n  value = a{i}\n}}\n", i + 1))))),
    Shape::new("circle of locals", 200, &[Graph], |n| main_file(format!("{}output \"o\" {{\n  value = a0\n}}\n", each(n, |i| format!("a{i} = a{}\n", (i + 1) % n))))),
    Shape::new("package blocks", 30, &[Document, Check], |n| main_file(each(n, |i| format!("package \"p{i}\" {{\n  baseProviderName = \"harbor\"\n  baseProviderVersion = \"2.1.0\"\n}}\n")))),
];
