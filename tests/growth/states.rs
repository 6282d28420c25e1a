//! Shapes of states.

use super::Command::{Import, Plan, StateCheck, StateGraph, StateList};
use super::{Command, Shape, each};

const ALL: &[Command] = &[StateCheck, Import, StateList, StateGraph];
const STACK: &str = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";

/// A state of `n` networks, which have these further fields.
fn state(n: usize, fields: impl Fn(usize) -> String) -> Vec<(String, String)> {
    named(n, |i| format!("net{i}"), fields)
}

fn named(
    n: usize,
    name: impl Fn(usize) -> String,
    fields: impl Fn(usize) -> String,
) -> Vec<(String, String)> {
    let resources = each(n, |i| {
        let (name, fields) = (name(i), fields(i));
        format!(
            ",\n{{\"urn\":\"urn:pulumi:dev::shop::harbor:network:Network::{name}\",\"custom\":true,\
             \"id\":\"id-{i}\",\"type\":\"harbor:network:Network\"{fields}}}"
        )
    });
    let stack =
        format!("{{\"urn\":\"{STACK}\",\"custom\":false,\"type\":\"pulumi:pulumi:Stack\"}}");
    let text = format!("{{\"version\":3,\"deployment\":{{\"resources\":[{stack}{resources}]}}}}");
    vec![("state.json".to_owned(), text)]
}

fn urn(i: usize) -> String {
    format!("\"urn:pulumi:dev::shop::harbor:network:Network::net{i}\"")
}

/// An input that is the id of another resource.
fn input(i: usize) -> String {
    format!(",\"inputs\":{{\"cidr\":\"id-{i}\"}}")
}

/// A program of `n` networks that changes every second one of a state, and has another name for
/// every third one.
fn planned(n: usize, fields: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let program = each(n, |i| {
        let name = if i % 3 == 0 { "new" } else { "net" };
        let cidr = if i % 2 == 0 { "10.0.0.0/8" } else { "id" };
        format!("resource \"{name}{i}\" \"harbor:network:Network\" {{\n  cidr = \"{cidr}\"\n}}\n")
    });
    let mut files = state(n, |i| {
        format!(",\"parent\":\"{STACK}\",\"inputs\":{{\"cidr\":\"id\"}}{}", fields(i))
    });
    files.push(("main.pp".to_owned(), program));
    files.push(("Pulumi.yaml".to_owned(), "name: shop\nruntime: pcl\n".to_owned()));
    files
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("state: resources", 100, ALL, |n| state(n, |i| format!(",\"parent\":\"{STACK}\"{}", input(n + i)))),
    Shape::new("state: chain of references", 100, ALL, |n| state(n, |i| input(i.saturating_sub(1)))),
    Shape::new("state: references to one resource", 100, ALL, |n| state(n, |i| if i == 0 { input(n) } else { format!("{},\"dependencies\":[{}]", input(0), urn(0)) })),
    Shape::new("state: one resource that needs all", 100, ALL, |n| state(n, |i| if i + 1 < n { input(n) } else { format!(",\"dependencies\":[{}]", each(n - 1, |i| format!("{},", urn(i))).trim_end_matches(',')) })),
    Shape::new("state: large circle", 100, &[StateCheck, StateList], |n| state(n, |i| format!(",\"dependencies\":[{}]", urn((i + 1) % n)))),
    Shape::new("state: resources in the wrong order", 100, &[StateCheck, StateList], |n| state(n, |i| if i + 1 == n { String::new() } else { format!(",\"dependencies\":[{}]", urn(n - 1)) })),
    Shape::new("state: missing resources", 100, &[StateCheck], |n| state(n, |i| format!(",\"dependencies\":[{}]", urn(n + i)))),
    Shape::new("state: one URN many times", 100, &[StateCheck, StateList], |n| named(n, |_| "net".to_owned(), |_| String::new())),
    Shape::new("state: names that are made legal", 100, &[Import], |n| named(n, |i| format!("a{}b{}", ".".repeat(1 + i % 2), " ".repeat(i % 3 + 1)).replace("  ", &format!(" {i} ")), |_| input(n))),
    Shape::new("state: series of resources", 100, &[Import], |n| named(n, |i| format!("net-{i}"), |i| format!(",\"inputs\":{{\"cidr\":\"10.{i}\"}}"))),
    Shape::new("state: many inputs", 100, &[Import, StateCheck], |n| state(1, |_| format!(",\"inputs\":{{\"cidr\":\"a\",\"tags\":{{{}}}}}", each(n, |i| format!("\"k{i}\":\"v\",")).trim_end_matches(',')))),
    Shape::new("state: wrong inputs", 100, &[Import], |n| state(n, |_| ",\"inputs\":{\"cidr\":[1],\"nope\":2}".to_owned())),
    Shape::new("plan: resources", 100, &[Plan], |n| planned(n, |_| String::new())),
    Shape::new("plan: chain of deletes", 100, &[Plan], |n| planned(n, |i| if i == 0 { String::new() } else { format!(",\"dependencies\":[{}]", urn(i - 1)) })),
    Shape::new("plan: nested deletes", 100, &[Plan], |n| planned(n, |i| if i == 0 { String::new() } else { format!(",\"parent\":{}", urn(i - 1)) })),
    Shape::new("plan: deletes of what one resource needs", 100, &[Plan], |n| planned(n, |i| if i + 1 < n { String::new() } else { format!(",\"dependencies\":[{}]", each(n - 1, |i| format!("{},", urn(i))).trim_end_matches(',')) })),
];
