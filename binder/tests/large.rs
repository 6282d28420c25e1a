//! Large programs, which take little time and no stack.

mod support;

use std::time::{Duration, Instant};

use pcl_binder::NodeKind;
use support::{check, check_directory, scratch};

/// Far more than any of these programs takes, even in a debug build on a busy machine; far less
/// than Pulumi's binder takes for them.
const PATIENCE: Duration = Duration::from_secs(20);

#[track_caller]
fn assert_quick(start: Instant) {
    let took = start.elapsed();
    assert!(took < PATIENCE, "took {took:?}");
}

#[test]
fn the_directory_of_many_components_is_bound_once() {
    let blocks: String = (0..50).map(|n| format!("component c{n} \"./part\" {{}}\n")).collect();
    let directory =
        scratch("one-directory", &[("main.pp", &blocks), ("part/main.pp", "x = nowhere\n")]);
    let checked = check_directory(&directory);
    assert_eq!(checked.program.components.len(), 1);
    let at_the_blocks = (1..=50).map(|line| format!("error component-has-errors main.pp:{line}:"));
    let in_the_part = ["error undefined-variable part/main.pp:1:".to_owned()];
    let errors = checked.errors();
    assert_eq!(errors.len(), 50 + 1);
    for (error, expected) in errors.iter().zip(at_the_blocks.chain(in_the_part)) {
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn deep_components_cost_as_much_as_there_are_directories() {
    const DEPTH: usize = 30;
    let mut files = Vec::new();
    let mut path = String::new();
    for level in 0..DEPTH {
        let text = if level + 1 < DEPTH {
            format!("component l \"./d{level}\" {{}}\ncomponent r \"./d{level}\" {{}}\n")
        } else {
            "x = invoke(\"other:index:one\", {})\n".to_owned()
        };
        files.push((format!("{path}main.pp"), text));
        path.push_str(&format!("d{level}/"));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
    let start = Instant::now();
    let checked = check_directory(scratch("deep", &files));
    assert_eq!(checked.program.components.len(), DEPTH - 1);
    assert_eq!(checked.packages(), ["other"]);
    assert_quick(start);
}

#[test]
fn many_different_literals_are_quick() {
    let start = Instant::now();
    let numbers: Vec<String> = (0..600).map(|n| n.to_string()).collect();
    let objects: Vec<String> =
        (0..1000).map(|n| format!("k{n} = {{ a = {n}, b = \"v{n}\" }}")).collect();
    let checked = check(&format!(
        "x = [for v in [{}] : v]\ny = [for v in {{ {} }} : v.a]\n",
        numbers.join(", "),
        objects.join(", ")
    ));
    assert_eq!(checked.diagnostics(), [""; 0]);
    assert_quick(start);
}

#[test]
fn long_chains_need_no_stack() {
    let start = Instant::now();
    const COUNT: usize = 100_000;
    let mut text: String = (0..COUNT).map(|n| format!("n{n} = n{}\n", n + 1)).collect();
    text.push_str(&format!("n{COUNT} = 1\n"));
    let mut checked = check(&text);
    assert_eq!(checked.diagnostics(), [""; 0]);
    assert_eq!(checked.ty(NodeKind::Local, "n0"), "1");
    let order = checked.program.order();
    assert_eq!(order.first().map(|id| id.index()), Some(COUNT));
    assert_quick(start);
}
