//! `pcl graph`: the three formats, the nodes that are left out, and programs that are hostile.

use pcl::binder::NodeKind;
use pcl::graph::{EdgeKind, Graph, Node};
use pcl::{Settings, Target, Workspace};
use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{SCHEMAS, Scratch, pcl, scratch, whole_corpus};
use serde_json::Value;

/// A program with every kind of node, options, and a component that is used twice.
const MAIN: &str = r#"config size int {
  default = 3
}

twice = size * 2

hook "resource" "log" {
  command = ["echo", args.name]
}

resource vault "zoo:index:Cage" {
  bars = twice
}

read found "zoo:index:Cage" {
  __logicalName = "old cage"
  id = vault.id
}

component site "./web" {
  bars = vault.bars
  options {
    dependsOn = [found]
  }
}

component spare "./web" {}

resource gate "zoo:index:Cage" {
  bars = site.total
  options {
    range     = twice
    parent    = vault
    dependsOn = [vault, site]
    hooks     = { beforeCreate = [log] }
  }
}

output total {
  value = length(gate)
}

pulumi {
  requiredVersionRange = ">=3.255.0"
}
"#;

const WEB: &str = r#"config bars int {
  default = 1
}

more = bars + 1

resource cage "zoo:index:Cage" {
  bars = more
}

component deep "./deep" {
  x = more
}

output total {
  value = cage.bars
}
"#;

const DEEP: &str = "config x int {}\noutput y {\n  value = x\n}\n";

const SCHEMA: &str = r#"{ "name": "zoo", "version": "1.0.0", "resources": { "zoo:index:Cage": {
    "inputProperties": { "bars": { "type": "integer" } },
    "properties": { "bars": { "type": "integer" } } } } }"#;

fn app(name: &str, main: &str) -> Scratch {
    let place = scratch(&format!("graph-{name}"));
    place.write("app/main.pp", main);
    place.write("app/schemas/zoo.json", SCHEMA);
    place
}

/// The program with its components.
fn whole(name: &str) -> Scratch {
    let place = app(name, MAIN);
    place.write("app/web/main.pp", WEB);
    place.write("app/web/deep/main.pp", DEEP);
    place
}

/// The graph of a text that is valid or not.
fn graph(text: &str) -> Graph {
    let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
    Graph::of(&checked.program)
}

#[test]
fn the_three_formats() {
    let place = whole("formats");
    let dot = place.run("graph app");
    assert_eq!((dot.status, &*dot.stderr), (0, ""));
    insta::assert_snapshot!("dot", dot.stdout);
    assert_eq!(dot.stdout, place.run("graph app --output-format dot").stdout);
    insta::assert_snapshot!("mermaid", place.run("graph app --output-format mermaid").stdout);
    let json = place.run("graph app --output-format json").json();
    let text = serde_json::to_string_pretty(&json).expect("it is JSON");
    insta::assert_snapshot!("json", text);
    assert_eq!(place.run("graph app --output-format svg").status, 2);
}

/// A component that is left out still connects what is in it with what is around it.
#[test]
fn nodes_that_are_left_out_connect_the_others() {
    let place = whole("only");
    let only = |kinds: &str| place.run(&format!("graph app --only {kinds}")).stdout;
    insta::assert_snapshot!("only_resource_read_component", only("resource,read,component"));
    insta::assert_snapshot!("only_resource", only("resource"));
    assert_eq!(
        only("hook"),
        "digraph {\n  rankdir = LR;\n  n0 [label=\"hook log\", shape=hexagon];\n}\n"
    );
    let run = place.run("graph app --only resources");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("resources"), "{}", run.stderr);

    // Of two ways, the one without a node between counts.
    let graph = graph(
        "a = 1\nb = a\nc = [a, b]\noutput d {\n  value = [b, c]\n}\nconfig e int { default = 1 }\n",
    );
    let kinds = [NodeKind::Output, NodeKind::Config];
    assert_eq!(graph.only(&kinds).edges, []);
    let all = graph.only(&NODE_KINDS);
    assert_eq!(all, graph);
}

const NODE_KINDS: [NodeKind; 7] = [
    NodeKind::Resource,
    NodeKind::Read,
    NodeKind::Component,
    NodeKind::Config,
    NodeKind::Local,
    NodeKind::Output,
    NodeKind::Hook,
];

/// A program with errors has a graph, and its diagnostics are reported as `dump bound` reports
/// them.
#[test]
fn programs_with_errors() {
    let place = app("errors", "a = lenght([b])\nb = 1\n");
    place.write("typo/b.pp", "b = 1\n}\n");
    for (arguments, status) in [
        ("app", 1),
        ("app --output-format mermaid", 1),
        ("app --output-format json", 1),
        ("nowhere", 2),
        ("nowhere --output-format json", 2),
        ("typo", 1),
        ("app --no-such-flag", 2),
        ("app --missing-schema warn", 1),
    ] {
        let [dumped, drawn] =
            ["dump bound", "graph"].map(|command| place.run(&format!("{command} {arguments}")));
        assert_eq!(drawn.status, status, "{arguments}");
        if !arguments.contains("mermaid") {
            assert_eq!(dumped.status, status, "{arguments}");
            assert_eq!(dumped.stderr.lines().count(), drawn.stderr.lines().count());
        }
        assert!(status == 2 || drawn.stdout.contains('b'), "{arguments}");
    }
    let run = place.run("graph app");
    assert!(run.stdout.contains("n0 -> n1;"), "{}", run.stdout);
    let told = "error[PCL0601]: there is no function `lenght`\n  ┌─ app/main.pp:1:5\n";
    assert!(run.stderr.starts_with(told), "{}", run.stderr);
    let json = place.run("graph app --output-format json");
    assert_eq!(json.stderr, "");
    let json = json.json();
    assert_eq!(json["diagnostics"][0]["code"], "PCL0601");
    assert_eq!(json["valid"], false);
}

#[test]
fn standard_input_is_a_program() {
    let mut command = pcl_test_support::command();
    command.args(["graph", "-", "--stdin-filename", "x.pp", "--output-format", "mermaid"]);
    let run = pcl_test_support::run(command, b"a = 1\nb = a\nc = d\n");
    insta::assert_snapshot!(run.stdout, @r#"
    flowchart LR
      n0("local a")
      n1("local b")
      n2("local c")
      n1 --> n0
    "#);
    assert!(run.stderr.contains("─ x.pp:3:5\n"), "{}", run.stderr);
}

/// Names are any text. They neither end a label nor begin anything else.
#[test]
fn names_are_escaped() {
    let program = r#"resource "a\"b\\c\n<b>]#quot;%%{init: {}}%%" "zoo:index:\"]<x>" {
  bars = größe
}
resource "style a:\"\u001b[31m" "zoo:index:Cage" {
  options {
    "x\"y" = größe
  }
}
größe = 1
日本 = größe
component "we`b" "./no\"where" {}
"#;
    let place = app("names", program);
    let dot = place.run("graph app").stdout;
    insta::assert_snapshot!("names_dot", dot);
    let mermaid = place.run("graph app --output-format mermaid").stdout;
    insta::assert_snapshot!("names_mermaid", mermaid);
    let json = place.run("graph app --output-format json").json();
    assert_eq!(json["nodes"][0]["name"], "a\"b\\c\n<b>]#quot;%{init: {}}%%");
    assert!(!(dot + &mermaid).contains('\u{1b}'));
}

#[test]
fn circles() {
    let circular = graph(
        "a = b\nb = a\nc = c\nconfig d int {\n  default = e\n}\ne = f\nf = [e, g]\noutput g {\n  value = [d, f]\n}\n",
    );
    let edges = |graph: &Graph| {
        let edges = graph.edges.iter();
        edges.map(|edge| (edge.from, edge.to, edge.is_indirect)).collect::<Vec<_>>()
    };
    let direct = |pairs: &[(u32, u32)]| -> Vec<(u32, u32, bool)> {
        pairs.iter().map(|&(from, to)| (from, to, false)).collect()
    };
    let expected = [(0, 1), (1, 0), (2, 2), (3, 4), (4, 5), (5, 4), (5, 6), (6, 3), (6, 5)];
    assert_eq!(edges(&circular), direct(&expected));
    // The two that are left reach each other and themselves.
    let kept = circular.only(&[NodeKind::Config, NodeKind::Output]);
    assert_eq!(edges(&kept), [(0, 1, true), (1, 0, false), (1, 1, true)]);

    let place = app("circle", "a = b\nb = a\n");
    for format in ["dot", "mermaid", "json"] {
        let run = place.run(&format!("graph app --only output --output-format {format}"));
        assert_eq!(run.status, 1);
    }
    // Components that need each other.
    let mutual = "component a \"./part\" {\n  x = b.y\n}\ncomponent b \"./part\" {\n  x = a.y\n}\n";
    let place = app("mutual", mutual);
    place.write("app/part/main.pp", DEEP);
    let run = place.run("graph app --only component");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("n0 -> n1;\n") && run.stdout.contains("n1 -> n0;\n"));
    // A directory inside of itself.
    let place = app("inside", "component a \"./\" {}\nb = a\n");
    let run = place.run("graph app");
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("n1 -> n0;"), "{}", run.stdout);
}

/// Neither the length of a chain nor a fan of references needs stack or more than linear time.
#[test]
fn long_chains() {
    const COUNT: usize = 20_000;
    let mut text = String::from("config a0 int {}\n");
    for n in 1..=COUNT {
        text += &format!("a{n} = a{}\n", n - 1);
    }
    text += &format!("output end {{\n  value = a{COUNT}\n}}\n");
    let graph = graph(&text);
    assert_eq!((graph.nodes.len(), graph.edges.len()), (COUNT + 2, COUNT + 1));
    let kept = graph.only(&[NodeKind::Config, NodeKind::Output]);
    let [edge] = &kept.edges[..] else { panic!("{:?}", kept.edges) };
    assert!(edge.is_indirect && edge.kind == EdgeKind::Reference);
    assert_eq!(kept.to_dot().lines().count(), 6);
    assert_eq!(graph.to_dot().lines().count(), 2 * COUNT + 3 + 3);
    assert_eq!(graph.to_mermaid().lines().count(), 2 * COUNT + 3 + 1);
    assert!(graph.is_complete);
}

/// Components that multiply are cut, and that is said.
#[test]
fn components_that_multiply() {
    let place = app("multiply", "component a \"./l0\" {}\n");
    for level in 0..30 {
        let next = level + 1;
        let two = format!("component a \"../l{next}\" {{}}\ncomponent b \"../l{next}\" {{}}\n");
        let text = if level == 29 { "x = 1\n".to_owned() } else { two };
        place.write(&format!("app/l{level}/main.pp"), &text);
    }
    let run = place.run("graph app --only local,component");
    assert_eq!(run.status, 0);
    assert_eq!(run.stderr, "the graph is not complete: it is too large\n");
    assert!(run.stdout.lines().count() < 500_000);
    let json = place.run("graph app --only local --output-format json").json();
    assert_eq!(json["complete"], false);
}

/// Every program of the corpora has the graph that its dependencies make up, in the published
/// shape.
#[test]
fn the_corpora_have_graphs() {
    let mut schema = JsonSchema::published("graph");
    let mut kinds = std::collections::BTreeSet::new();
    for program in whole_corpus() {
        let print = |command: &[&str]| {
            let fixed = ["--output-format", "json", "--schema-dir", SCHEMAS, &program];
            pcl([command, &fixed].concat()).json()
        };
        let (graph, bound) = (print(&["graph"]), print(&["dump", "bound"]));
        schema.accept(&graph);
        assert_eq!(graph["diagnostics"], bound["diagnostics"], "{program}");
        let list = |value: &Value, key: &str| value[key].as_array().expect("a list").clone();
        let nodes = list(&graph, "nodes");
        let name = |node: &Value| (node["kind"].clone(), node["name"].clone());
        // The edges inside the program itself, by kind and name.
        let mut found = Vec::new();
        for edge in list(&graph, "edges") {
            kinds.insert(edge["kind"].to_string());
            let [from, to] =
                ["from", "to"].map(|end| &nodes[edge[end].as_u64().expect("a number") as usize]);
            let is_inside = [from, to].iter().all(|node| node["component"].is_null());
            if is_inside {
                found.push(format!("{:?} {:?}", name(from), name(to)));
            }
        }
        found.sort();
        found.dedup();
        let bound = list(&bound, "nodes");
        let mut expected = Vec::new();
        for node in bound.iter().filter(|node| node["kind"] != "pulumi") {
            for target in list(node, "dependency_indexes") {
                let target = &bound[target.as_u64().expect("a number") as usize];
                if target["kind"] != "pulumi" {
                    expected.push(format!("{:?} {:?}", name(node), name(target)));
                }
            }
        }
        expected.sort();
        expected.dedup();
        assert_eq!(found, expected, "{program}");
    }
    assert_eq!(schema.absent(), [""; 0]);
    let expected = ["\"input\"", "\"option\"", "\"output\"", "\"reference\""];
    assert!(kinds.iter().eq(&expected), "{kinds:?}");
}

#[test]
fn every_option_is_named() {
    let graph = graph(
        "a = 1\nb = 2\nresource r \"zoo:index:Cage\" {\n  x = a\n  options {\n    range = a\n    dependsOn = [b]\n    parent = b\n  }\n  y = [for a in b: a]\n}\n",
    );
    let edge = |edge: &pcl::graph::Edge| {
        let name = |at: u32| graph.nodes.get(at as usize).map(|node: &Node| &*node.name);
        format!("{} {} {:?}", edge.kind.as_str(), edge.kind.option().unwrap_or("-"), name(edge.to))
    };
    let found: Vec<String> = graph.edges.iter().map(edge).collect();
    assert_eq!(
        found,
        [
            "reference - Some(\"a\")",
            "option range Some(\"a\")",
            "reference - Some(\"b\")",
            "option dependsOn Some(\"b\")",
            "option parent Some(\"b\")",
        ]
    );
}
