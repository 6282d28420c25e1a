//! Chains of values that each hold the one before twice. Their types are small graphs, but trees of
//! 2^60 parts when written out, so a walk that follows each use of a part by itself never ends.

mod support;

use support::check;

/// Sixty values, from `x0` to `x59`; `link` makes one from the name of the one before.
fn chain(first: &str, link: impl Fn(&str) -> String) -> String {
    let links = (1..60).map(|at| format!("x{at} = {}\n", link(&format!("x{}", at - 1))));
    format!("x0 = {first}\n{}", links.collect::<String>())
}

fn chains() -> Vec<String> {
    let firsts = ["1", "\"a\"", "secret(1)", "box", "boxes", "flag ? 1 : null"];
    let links: [fn(&str) -> String; 5] = [
        |x| format!("{{ a = {x}, b = {x} }}"),
        |x| format!("[{x}, {x}]"),
        |x| format!("{{ a = [{x}], b = {x} }}"),
        |x| format!("flag ? {{ a = {x} }} : [{x}, [{x}]]"),
        |x| format!("{{ \"${{text}}\" = {{ a = {x}, b = [{x}] }} }}"),
    ];
    let chains = firsts.map(|first| links.map(|link| chain(first, link)));
    chains.into_iter().flatten().collect()
}

const AROUND: &str = r#"
config "flag" "bool" {}
config "text" "string" {}
resource "box" "toy:index:Box" { name = "a" }
resource "boxes" "toy:index:Box" {
  name = "b"
  options { range = 3 }
}
"#;

/// The uses of the last value.
const USES: &[&str] = &[
    r#"resource "r" "toy:index:Box" {
      name   = x59
      inside = x59
      shape  = x59
      shapes = x59
      holder = { shelves = [x59] }
      flag   = [x59]
      options { parent = x59 }
    }"#,
    r#"resource "r" "toy:index:Box" {
      name = "c"
      options { range = x59 }
    }"#,
    r#"a = invoke("toy:index:find", x59)"#,
    r#"a = invoke("toy:index:find", { name = x59 })"#,
    r#"a = call(box, "open", { wide = x59 })"#,
    r#"config "c" "list(string)" { default = x59 }"#,
    r#"config "c" "map(object({ a = map(any), b = list(int) }))" { default = { "k" = x59 } }"#,
    r#"output "o" "map(map(map(string)))" { value = x59 }"#,
    r#"a = "${x59} and ${toJSON(x59)}""#,
    r#"a = x59 == [x59] && !x59"#,
    r#"a = [for k, v in x59 : { "${k}" = v, w = x58 }]"#,
    r#"a = { for k, v in x59 : k => [v, x58]... }"#,
    r#"a = x59[*]
b = x59[*].a
c = x59.*.b
d = x59.a.b.a
e = x59[0][1][0]
f = x59[text]"#,
    r#"a = flag ? x59 : x58
b = flag ? [x59, x57] : { c = x58 }
c = try(x59, x58, x57, x56)
d = [for x in [x59, x58, x57] : x]"#,
    r#"a = element(x59, 1)
b = lookup(x59, "a", x58)
c = entries(x59)
d = length(x59)
e = singleOrNone(x59)
f = secret(x59)
g = can(x59)
h = recover(secret(x59), x58)
i = join(x59, x58)
j = element(x59...)"#,
];

#[test]
fn every_use_of_a_chain_is_checked() {
    for chain in chains() {
        for used in USES {
            let checked = check(&format!("{AROUND}{chain}{used}\n"));
            assert!(!checked.program.module.nodes.is_empty());
        }
    }
}
