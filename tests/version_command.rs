//! `pcl version`, and the places that the oldest Pulumi to support comes from.

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Scratch, pcl, root, scratch};
use serde_json::Value;

/// The program that the tests are about: it needs 3.252.0, and its component 3.130.0.
const PROGRAM: &str = r#"config names "map(string)" {}
component part "./part" {
  options {
    range = names
  }
}
a = recover(secret("x"), error)
b = max(1, max(2, 3))
c = part["x"].owner
"#;

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("version-{name}"));
    place.write("app/main.pp", PROGRAM);
    place.write("app/part/main.pp", "output owner {\n  value = organization()\n}\n");
    place
}

#[test]
fn the_tool_names_its_version_reference_formats_and_features() {
    let mut schema = JsonSchema::published("version");
    let place = place("about");
    let about = place.run("version --output-format json").json();
    schema.accept(&about);
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    let plain = pcl(["version"]).stdout;
    assert_eq!(plain, format!("pcl {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(pcl(["--version"]).stdout, plain);

    // Every published schema is named, with the version that it requires.
    let mut published = Vec::new();
    for entry in std::fs::read_dir(root().join("docs/formats")).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        published.extend(name.strip_suffix(".schema.json").map(str::to_owned));
    }
    published.sort();
    let formats = about["formats"].as_object().expect("an object");
    let mut named: Vec<&String> = formats.keys().collect();
    named.sort();
    let known = |name: &&String| named.contains(name);
    assert!(named.iter().all(|name| published.contains(name)));
    for name in published.iter().filter(known) {
        let text = std::fs::read_to_string(root().join(format!("docs/formats/{name}.schema.json")));
        let version = format!("\"const\": {}", formats[name]);
        // The lines have no version of their own: they are those of `check`.
        let has_version = text.expect("text").contains(&version);
        assert!(has_version || name == "check-lines", "{name}");
    }

    let run = place.run("version --required app --output-format json");
    schema.accept(&run.json());
    assert_eq!(schema.absent(), [""; 0]);
}

#[test]
fn a_program_needs_what_its_newest_construct_needs() {
    let place = place("required");
    let run = place.run("version --required app");
    assert_eq!(run.status, 0, "{}", run.stderr);
    insta::assert_snapshot!(run.stdout, @r"
    3.252.0
    app/main.pp:7:5: `recover` needs Pulumi 3.252.0 (#23881)
    app/main.pp:8:5: `max` needs Pulumi 3.232.0 (#22571), and 1 more
    app/main.pp:9:5: `part`, whose `range` is a map, changed in Pulumi 3.230.0 (#22498)
    app/part/main.pp:2:11: `organization` needs Pulumi 3.130.0 (#16948)
    app/main.pp:2:1: the block `component` needs Pulumi 3.58.0 (#12361)
    app/main.pp:7:13: `secret` needs Pulumi 2.6.0 (#4927)
    ");
    let required = place.run("version --required app --output-format json").json();
    assert_eq!(required["required"], "3.252.0");
    assert_eq!(required["valid"], true);
    let uses = |name: &str| {
        let constructs = required["constructs"].as_array().expect("a list");
        let found = constructs.iter().find(|it| it["construct"] == name);
        found.map(|it| it["uses"].clone())
    };
    assert_eq!(uses("function.max"), Some(Value::from(2)));

    // An older version to support changes nothing, and errors are no silence.
    place.write("app/Pulumi.yaml", "name: app\nrequiredPulumiVersion: \">=3.0.0\"\n");
    let run = place.run("version --required app");
    assert!(run.status == 0 && run.stdout.starts_with("3.252.0\n"), "{}", run.stderr);
    place.write("plain/main.pp", "a = 1\n");
    assert_eq!(place.run("version --required plain").stdout, "1.14.1\n");
    place.write("broken/main.pp", "a = lenght([])\nb = min(1, 2)\n");
    let run = place.run("version --required broken");
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("3.232.0\n"));
    assert!(run.stderr.contains("the program has errors"), "{}", run.stderr);
    let run = place.run("version --required nowhere");
    assert_eq!((run.status, &*run.stdout), (2, ""));
    assert_eq!(place.run("version app").status, 2);
}

/// The flag is stronger than the project file, and that than the `pulumi` block.
#[test]
fn the_oldest_version_comes_from_the_strongest_place() {
    let place = place("places");
    let check = |arguments: &str| {
        let run = place.run(&format!("check app --output-format json {arguments}"));
        let diagnostics = run.json()["programs"][0]["diagnostics"].clone();
        let diagnostics = diagnostics.as_array().expect("a list");
        let codes = diagnostics.iter().map(|it| it["code"].as_str().expect("a code").to_owned());
        let notes = diagnostics.iter().find_map(|it| it["notes"][0].as_str().map(str::to_owned));
        (codes.collect::<Vec<_>>(), notes.unwrap_or_default())
    };
    assert_eq!(check("").0, [""; 0]);
    let (codes, note) = check("--pulumi-version 3.240.0");
    assert_eq!(codes, ["PCL0801"]);
    assert_eq!(note, "`--pulumi-version` sets the oldest version to support");

    place.write("app/pulumi.pp", "pulumi {\n  requiredVersionRange = \">=3.251.0\"\n}\n");
    assert_eq!(check("").0, ["PCL0801"]);
    assert_eq!(check("--pulumi-version 3.252").0, [""; 0]);

    place.write(
        "Pulumi.yaml",
        "name: app\nruntime: pcl\nrequiredPulumiVersion: '>=3.231.0 <4.0.0'\n",
    );
    let (codes, note) = check("");
    assert_eq!(codes, ["PCL0801"; 3]);
    let expected =
        "`requiredPulumiVersion` in line 3 of `Pulumi.yaml` sets the oldest version to support";
    assert_eq!(note, expected);
    assert_eq!(check("--compat pulumi").0, [""; 0]);
    assert_eq!(check("--ignore too-new-for-pulumi").0, [""; 0]);

    // A configuration is stronger than both.
    place.write("pcl.toml", "pulumi-version = \"3.240.0\"\n");
    let (codes, note) = check("");
    assert_eq!(codes, ["PCL0801"]);
    assert_eq!(note, "`pulumi-version` (pcl.toml:1) sets the oldest version to support");
    assert_eq!(check("--pulumi-version 3.252.0").0, [""; 0]);
    std::fs::remove_file(place.join("pcl.toml")).expect("the file is there");

    // A range that Pulumi does not understand is reported in the project file.
    place.write("Pulumi.yaml", "name: app\nrequiredPulumiVersion: ^3.1\n");
    let run = place.run("check app --output-format concise");
    let expected = "Pulumi.yaml:2:24: error[PCL0804] `^3.1` is not a range of versions\n";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    let run = place.run("check app --pulumi-version three");
    assert_eq!(run.status, 2);
}

/// `pcl explain` knows the releases of what it explains.
#[test]
fn explanations_name_releases() {
    for (topic, said) in [
        ("recover", "Available since Pulumi 3.252.0 (#23881)."),
        ("length", "Available since Pulumi 2.1.0 (#4424)."),
        ("invoke", "Available in every release of Pulumi."),
        ("entries", "Its meaning changed in Pulumi 3.61.1 (#12607)."),
        ("hideDiffs", "Available since Pulumi 3.200.0 (#20631)."),
        ("customTimeouts", "- `read`: since Pulumi 3.246.0 (#23459)"),
        ("hook", "Available since Pulumi 3.229.0 (#22377)."),
        ("component", "3.230.0 (#22498)"),
        ("optional", "Available since Pulumi 3.231.0 (#22547)."),
        ("any", "Available since Pulumi 3.63.0 (#12619)."),
        ("secret", "Available since Pulumi 3.225.0 (#22066)."),
    ] {
        let page = pcl(["explain", topic]).stdout;
        assert!(page.contains(said), "{topic}: {page}");
    }
    let run = pcl(["explain", "readDir"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("3.230.0, which removed it (#22449)"), "{}", run.stderr);
}
