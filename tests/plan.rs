//! `pcl plan`.

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Run, SCHEMAS, pcl, scratch, write};

const PROGRAM: &str = "tests/plan/shop";
const STATE: &str = "tests/plan/shop.json";

fn plan(arguments: &[&str]) -> Run {
    let first = ["plan", PROGRAM, "--state", STATE, "--schema-dir", SCHEMAS];
    pcl(first.iter().chain(arguments).copied().collect::<Vec<_>>())
}

#[test]
fn a_plan_is_a_tree() {
    let run = plan(&[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for line in [
        "~  ├─ harbor:network:Record www  (update; the provider decides)",
        "   │      ~ ttl: 60 => 300",
        "+  ├─ harbor:storage:Bucket archive  (create)",
        "-  └─ harbor:storage:Bucket logs  (delete)",
        "1 to create, 1 to update, 1 to delete, 3 unchanged; the provider decides about 1",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.stdout);
    }
    assert!(run.stderr.contains("warning[PCL1302]"), "{}", run.stderr);
    assert!(run.stderr.contains("aliases = [{ name = \"logs\" }]"), "{}", run.stderr);
}

#[test]
fn default_providers_are_shown_with_what_does_nothing() {
    let arguments = ["plan", PROGRAM, "--stack", "new", "--schema-dir", SCHEMAS];
    let run = pcl(arguments);
    assert!(run.stdout.contains("5 to create"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("(create)").count(), 5, "{}", run.stdout);
    let all = pcl(arguments.iter().chain(&["--show-sames"]));
    assert!(all.stdout.contains("+  pulumi:providers:harbor default"), "{}", all.stdout);
}

#[test]
fn exit_code_tells_changes() {
    assert_eq!(plan(&["--exit-code"]).status, 3);
    let unchanged = plan(&["--exit-code", "--target", "**::net"]);
    assert_eq!(unchanged.status, 0, "{}", unchanged.stdout);
}

#[test]
fn markdown_is_a_comment() {
    let run = plan(&["--output-format", "markdown"]);
    assert!(run.stdout.starts_with("### Plan of `shop` for the stack `dev`\n"), "{}", run.stdout);
    assert!(run.stdout.contains("<b>www</b>"), "{}", run.stdout);
    assert!(run.stdout.contains("! ttl: 60 => 300"), "{}", run.stdout);
}

#[test]
fn the_schema_describes_the_document() {
    let mut schema = JsonSchema::published("plan");
    schema.accept(&plan(&["--output-format", "json"]).json());
    schema
        .accept(&pcl(["plan", PROGRAM, "--schema-dir", SCHEMAS, "--output-format", "json"]).json());
}

#[test]
fn a_protected_resource_that_goes_is_an_error() {
    let directory = scratch("plan-protected");
    write(&directory.join("main.pp"), "a = 1\n");
    write(&directory.join("Pulumi.yaml"), "name: shop\nruntime: pcl\n");
    let path = directory.display().to_string();
    let run = pcl(["plan", &path, "--state", STATE]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("error[PCL1301]"), "{}", run.stderr);
    assert!(run.stderr.contains("warning[PCL1303]"), "{}", run.stderr);
}

#[test]
fn a_damaged_state_has_no_plan() {
    let directory = scratch("plan-damaged");
    let state = directory.join("state.json");
    write(&state, "{ \"version\": 3 }");
    let state = state.display().to_string();
    let run = pcl(["plan", PROGRAM, "--state", &state, "--schema-dir", SCHEMAS]);
    assert_eq!((run.status, &*run.stdout), (1, ""));
    assert!(run.stderr.contains("error[PCL1101]"), "{}", run.stderr);
}

/// A state that no engine would write has a diagnostic, and no plan.
#[test]
fn hostile_states_have_no_plan() {
    let text = std::fs::read_to_string(pcl_test_support::root().join(STATE)).expect("a state");
    let urn = |name: &str| format!("urn:pulumi:dev::shop::harbor:storage:Bucket::{name}");
    let bucket = |name: &str, needs: &str| {
        format!(
            r#"{{ "urn": "{}", "custom": true, "id": "{name}", "type": "harbor:storage:Bucket",
              "dependencies": ["{}"] }}"#,
            urn(name),
            urn(needs),
        )
    };
    let of = |resources: &str| {
        format!(r#"{{ "version": 3, "deployment": {{ "resources": [{resources}] }} }}"#)
    };
    let deep = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        text.replace(r#""cidr": "10.0.0.0/8""#, &format!(r#""cidr": {open}{close}"#))
    };
    let cycle = of(&[bucket("a", "b"), bucket("b", "a")].join(","));
    for (name, state, code) in [
        ("empty", String::new(), "PCL1101"),
        ("cut", text[..text.len() / 2].to_owned(), "PCL1101"),
        ("list", "[]".to_owned(), "PCL1101"),
        ("cycle", cycle, "PCL1107"),
        ("self", of(&bucket("a", "a")), "PCL1107"),
        ("missing", of(&bucket("a", "b")), "PCL11"),
        ("type", of(r#"{ "urn": 1, "type": [] }"#), "PCL11"),
        ("deep", deep(100_000), "PCL11"),
    ] {
        let directory = scratch("plan-hostile");
        let file = directory.join("state.json");
        write(&file, &state);
        let file = file.display().to_string();
        for format in ["text", "markdown", "json"] {
            let run = pcl([
                "plan",
                PROGRAM,
                "--state",
                &file,
                "--schema-dir",
                SCHEMAS,
                "--output-format",
                format,
            ]);
            assert_eq!((run.status, &*run.stdout), (1, ""), "{name}: {}", run.stderr);
            assert!(run.stderr.contains(code), "{name}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{name}: {}", run.stderr);
        }
    }
}

#[test]
fn graphs_show_the_steps() {
    let directory = scratch("plan-graph");
    let file = directory.join("plan.json");
    write(&file, &plan(&["--output-format", "json"]).stdout);
    let file = file.display().to_string();
    let run = pcl(["graph", PROGRAM, "--plan", &file, "--schema-dir", SCHEMAS]);
    assert!(run.stdout.contains("\\n(update)\", shape=box, color="), "{}", run.stdout);
}
