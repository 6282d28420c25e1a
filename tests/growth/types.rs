//! Shapes of types and values.

use super::Command::{Bound, Check, Document, Go, Show, TypeScript};
use super::{Shape, each, main_file};

/// Locals `x0 = first`, and `x1` to `xn` made of the one before each, which is `$` in `next`; `end`
/// follows, where `$` is the last.
fn chain(n: usize, first: &str, next: &str, end: &str) -> Vec<(String, String)> {
    let each = each(n, |i| format!("x{} = {}\n", i + 1, next.replace('$', &format!("x{i}"))));
    main_file(format!("x0 = {first}\n{each}{}\n", end.replace('$', &format!("x{n}"))))
}

/// Elements of as many types.
fn distinct(n: usize) -> String {
    each(n, |i| format!("{{ k{i} = {i} }}, "))
}

/// A resource whose input wants a resource and takes `$`.
const REFERENCE: &str =
    "resource \"c\" \"harbor:compute:Cluster\" {\n  version = \"1\"\n  leader = $\n}";

/// The reason why a chain of larger and larger types is not linear from the start.
const LONGER_TEXTS: &str =
    "because the text of each type is longer than the one before, up to 16 KiB";

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("objects that share", 16, &[Document, Show, Check, Bound], |n| chain(n, "1", "{ a = $, b = $ }", REFERENCE)).failed(),
    Shape::new("tuples that share", 16, &[Document, Show, Check, Bound], |n| chain(n, "1", "[$, $]", REFERENCE)).failed(),
    Shape::new("objects that share and are converted", 16, &[Go, TypeScript], |n| chain(n, "1", "{ a = $, b = $ }", "output \"o\" {\n  value = $\n}")).failed(),
    Shape::new("tuples that share and are converted", 16, &[Go, TypeScript], |n| chain(n, "1", "[$, { a = $ }]", "output \"o\" {\n  value = $\n}\ny = toJSON($)")).failed(),
    Shape::new("outputs that share and are converted", 16, &[Go, TypeScript], |n| chain(n, "secret(1)", "{ a = $, b = [$] }", "output \"o\" {\n  value = $\n}")).failed(),
    Shape::new("objects in tuples that share", 64, &[Document, Check], |n| chain(n, "\"s\"", "[{ a = $ }, { a = $, b = \"t\" }]", "y = toJSON($)")),
    Shape::new("shared parts in a wrong place", 16, &[Document, Show, Check], |n| chain(n, "1", "{ a = $, b = $ }", "resource \"c\" \"harbor:network:Network\" {\n  cidr = $\n  tags = $\n}")),
    Shape::new("shared parts in any place", 64, &[Document, Check], |n| chain(n, "1", "{ a = $, b = $ }", "resource \"c\" \"harbor:compute:Server\" {\n  image = \"x\"\n  apiVersion = \"v2\"\n  settings = $\n  policy = toJSON($)\n}")),
    Shape::new("shared parts that are compared", 16, &[Document, Check], |n| chain(n, "1", "{ a = $, b = $ }", "y = $ == [$]\nz = true ? $ : [$]")),
    Shape::new("shared secrets", 32, &[Document, Check, Bound], |n| chain(n, "secret(1)", "{ a = $, b = [$] }", "y = $.a\noutput \"o\" {\n  value = $\n}")).failed(),
    Shape::new("shared parts in loops", 16, &[Document, Check], |n| chain(n, "[1]", "[for v in [$, $] : { a = v, b = v }]", "")),
    Shape::new("shared parts in conditions", 16, &[Document, Check], |n| chain(n, "{}", "true ? { a = $ } : { b = $ }", "")),
    Shape::new("deep tuple that is tried", 640, &[Check], |n| chain(n, "1", "[$]", "y = $[0]\nz = $ + 1")),
    Shape::new("deep outputs that are tried", 160, &[Check], |n| chain(n, "secret(1)", "secret([$])", "y = $[0]")),
    Shape::new("deep tuple", 40, &[Document, Bound], |n| chain(n, "1", "[$]", "y = $[0]\nz = $ + 1"))
        .allow(&[Document, Bound], 1.6, LONGER_TEXTS),
    Shape::new("deep object", 40, &[Document, Show, Check, Bound], |n| chain(n, "1", "{ a = $ }", "y = $.a.a\nz = $ + 1\nw = $.b"))
        .allow(&[Document, Bound], 1.6, LONGER_TEXTS),
    Shape::new("deep outputs", 40, &[Document, Bound], |n| chain(n, "secret(1)", "secret([$])", "y = $[0]"))
        .allow(&[Document, Bound], 1.6, LONGER_TEXTS),
    Shape::new("chain of loops", 40, &[Document, Check, Bound], |n| chain(n, "[1]", "[for v in $ : v]", "")),
    Shape::new("chain of conditions", 30, &[Check, Document, Show, Bound], |n| main_file(format!("x0 = {{}}\n{}", each(n, |i| format!("x{} = true ? {{ k{i} = {i} }} : x{i}\n", i + 1))))).failed()
        .allow(&[Document, Bound], 1.9, LONGER_TEXTS),
    Shape::new("chain of tries", 30, &[Check, Document], |n| main_file(format!("x0 = {{}}\n{}", each(n, |i| format!("x{} = try({{ k{i} = {i} }}, x{i})\n", i + 1))))).failed()
        .allow(&[Document, Bound], 1.9, LONGER_TEXTS),
    Shape::new("nested conditions over distinct objects", 1, &[Document, Check], |n| main_file(each(n, |i| format!("x{i} = {}{{}}\n", each(40, |k| format!("true ? {{ k{i}_{k} = 1 }} : ")))))),
    Shape::new("loop over distinct objects", 150, &[Document, Show, Check, Bound], |n| main_file(format!("config \"i\" \"int\" {{}}\na = [{}]\nb = [for x in a : x]\n", distinct(n)))).failed(),
    Shape::new("index of distinct objects", 150, &[Document, Show, Check, Bound], |n| main_file(format!("config \"i\" \"int\" {{}}\na = [{}]\nb = a[i]\n", distinct(n)))).failed(),
    Shape::new("step into distinct objects", 150, &[Document, Show, Check], |n| main_file(format!("config \"i\" \"int\" {{}}\na = [{}]\nb = a[i].k0\nc = element(a, i).k1\nd = a[*].k2\n", distinct(n)))),
    Shape::new("try over distinct objects", 150, &[Document, Check], |n| main_file(format!("a = try({})\n", distinct(n)))).failed(),
    Shape::new("distinct objects in a wrong place", 150, &[Document, Show, Check], |n| main_file(format!("config \"i\" \"int\" {{}}\na = [{}]\nresource \"c\" \"harbor:network:Network\" {{\n  cidr = a[i]\n  tags = a[i]\n}}\n", distinct(n)))),
    Shape::new("distinct objects under several rules", 100, &[Check, Document], |n| main_file(format!("config \"i\" \"int\" {{}}\na = [{}]\nb = true ? a[i] : a\nc = a[i] == a[0]\nd = secret(a[i])\ne = entries(a)\n", distinct(n)))).failed(),
    Shape::new("pairs of unions", 100, &[Check, Document], |n| main_file(format!("config \"i\" \"int\" {{}}\na = [{}]\nb = [{}]\nc = true ? a[i] : b[i]\n", distinct(n), each(n, |i| format!("{{ j{i} = {i} }}, "))))).failed(),
    Shape::new("distinct tuples", 150, &[Document, Check], |n| main_file(format!("a = [for x in [{}] : x]\n", each(n, |i| format!("[{{ k{i} = 1 }}], "))))),
    Shape::new("objects with growing keys", 6, &[Document, Check], |n| main_file(format!("a = [for x in [{}] : x]\n", each(n, |i| format!("{{ {} }}, ", each(i + 1, |k| format!("k{k} = 1, ")))))))
        .allow(&[Document, Check], 2.2, "because the text itself is quadratic in the number of objects"),
    Shape::new("wide config type", 150, &[Document, Check, Bound], |n| main_file(format!(
        "config \"c\" \"object({{ {} }})\" {{\n  default = {{ {} }}\n}}\n", each(n, |i| format!("k{i} = int, ")), each(n, |i| format!("k{i} = {i}, "))))).failed(),
    Shape::new("wide config type and other keys", 100, &[Show, Check], |n| main_file(format!(
        "config \"c\" \"object({{ {} }})\" {{\n  default = {{ {} }}\n}}\n", each(n, |i| format!("k{i} = int, ")), each(n, |i| format!("j{i} = {i}, "))))),
    Shape::new("wide tuple type", 150, &[Document, Check, Bound], |n| main_file(format!(
        "config \"c\" \"tuple([{}])\" {{\n  default = [{}]\n}}\n", "int, ".repeat(n), "1, ".repeat(n)))),
    Shape::new("steps into a wide object", 150, &[Document, Show, Check], |n| main_file(format!("a = {{ {} }}\n{}", each(n, |i| format!("k{i} = {i}, ")), each(n, |i| format!("b{i} = a.k{i}\n"))))),
    Shape::new("one wide object many times", 100, &[Document, Check, Bound], |n| main_file(format!("a = {{ {} }}\n{}", each(n, |i| format!("k{i} = {i}, ")), each(n, |i| format!("b{i} = a\n"))))),
];
