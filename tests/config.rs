//! The configuration: its files, sources, levels and errors. The rules are in
//! `docs/configuration.md`.

use pcl::config::{Key, json_schema};
use pcl::diagnostics::Group;
use pcl_test_support::{Run, Scratch, generated, items, pcl, root, run, scratch, text};

/// An unused local; the lint does not run by default.
const UNUSED: &str = "size = 1\n";

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("config-{name}"));
    place.write("shop/main.pp", UNUSED);
    place
}

/// The codes that a check reports.
fn reported(place: &Scratch, arguments: &str) -> Vec<String> {
    codes(&place.run(&format!("check --output-format json-lines {arguments}")))
}

fn codes(run: &Run) -> Vec<String> {
    let lines = run.stdout.lines();
    let code = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        text(&value, "code").to_owned()
    };
    lines.map(code).collect()
}

#[test]
fn the_nearest_file_counts_alone() {
    let place = place("nearest");
    assert!(reported(&place, "shop").is_empty());
    place.write("pcl.toml", "select = [\"unused-local\"]\n");
    assert_eq!(reported(&place, "shop"), ["PCL0701"]);
    place.write("shop/Pulumi.yaml", "name: shop\nruntime: pcl\n");
    assert_eq!(reported(&place, "shop"), ["PCL0701"], "it has no key `pcl`");
    place.write("shop/Pulumi.yaml", "name: shop\npcl:\n  allow: []\n");
    assert!(reported(&place, "shop").is_empty(), "a nearer file counts alone");
    place.write("shop/pcl.toml", "select = [\"all\"]\n");
    assert_eq!(reported(&place, "shop"), ["PCL0701"], "pcl.toml outweighs it");
    assert_eq!(reported(&place, "shop/main.pp"), ["PCL0701"]);
    assert!(reported(&place, "shop --isolated").is_empty());
}

#[test]
fn each_program_of_a_run_has_its_own() {
    let place = place("each");
    place.write("park/main.pp", UNUSED);
    place.write("park/pcl.toml", "levels = { unused-local = \"error\" }\n");
    let run = place.run("check -r . --output-format concise");
    assert_eq!(run.stdout, "park/main.pp:1:1: error[PCL0701] nothing refers to the local `size`\n");
}

/// A file that is not valid keeps its own programs from being checked, and no others.
#[test]
fn a_broken_file_stops_its_own_programs() {
    let place = place("broken");
    place.write("park/main.pp", "a = nope\n");
    place.write("zoo/main.pp", "a = nope\n");
    place.write("zoo/pcl.toml", "select = 1\n");
    let run = place.run("check -r . --output-format json");
    assert_eq!(run.status, 2);
    let said = "error: the programs of `zoo/pcl.toml` are not checked until it is valid\n";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    let document = run.json();
    let paths: Vec<&str> = items(&document, "programs").map(|it| text(it, "path")).collect();
    assert_eq!(paths, ["zoo/pcl.toml", "park", "shop"]);
    assert_eq!(document["summary"]["errors"], 2);
    assert_eq!(place.run("check zoo").status, 2);
    assert_eq!(place.run("check shop").status, 0);
}

#[test]
fn standard_input_has_the_configuration_of_its_name() {
    let place = place("stdin");
    place.write("shop/pcl.toml", "select = [\"unused\"]\n");
    let arguments = "check - --output-format json-lines --stdin-filename shop/new.pp";
    let run = run(place.command(arguments), UNUSED.as_bytes());
    assert_eq!(codes(&run), ["PCL0701"]);
}

#[test]
fn stronger_sources_win() {
    let place = place("order");
    place.write("pcl.toml", "select = [\"unused\"]\nignore = [\"deprecated\"]\n");
    assert_eq!(reported(&place, "shop"), ["PCL0701"]);
    assert!(reported(&place, "shop --setting select=style").is_empty());
    assert!(reported(&place, "shop --select style").is_empty());
    assert!(reported(&place, "shop --ignore unused").is_empty());
    assert!(reported(&place, "shop --setting levels.unused-local=ignore").is_empty());
    let with = |name: &str, value: &str, arguments: &str| {
        let mut command =
            place.command(&format!("check shop --output-format json-lines {arguments}"));
        command.env(name, value);
        codes(&run(command, b""))
    };
    assert!(with("PCL_SELECT", "style,security", "").is_empty());
    assert_eq!(with("PCL_SELECT", "[\"style\"]", "--setting select=unused"), ["PCL0701"]);
    assert_eq!(with("PCL_SELECT", "style", "--warn unused-local"), ["PCL0701"]);
}

#[test]
fn the_settings_have_effects() {
    let place = place("effects");
    place.write("shop/main.pp", "resource a \"zoo:index:Cage\" {\n}\n");
    assert_eq!(reported(&place, "shop"), ["PCL0408"]);
    place.write("pcl.toml", "missing-schema = \"ignore\"\n");
    assert!(reported(&place, "shop").is_empty());
    assert_eq!(reported(&place, "shop --missing-schema warn"), ["PCL0408"]);
    let schema = "{ \"name\": \"zoo\", \"resources\": { \"zoo:index:Cage\": {} } }";
    place.write("lib/zoo.json", schema);
    place.write("pcl.toml", "schema-dirs = [\"lib\"]\n");
    assert!(reported(&place, "shop").is_empty());
    place.write("pcl.toml", "schemas = { zoo = \"lib/zoo.json\" }\n");
    assert!(reported(&place, "shop").is_empty());
    let bound = place.run("dump bound --output-format json shop");
    assert_eq!(bound.status, 0, "{}", bound.stdout);
    let shown = place.run("schema show zoo:index:Cage");
    assert_eq!(shown.status, 0, "{}", shown.stderr);

    place.write("shop/main.pp", "a = b\n");
    place.write("pcl.toml", "allow = [\"missing-variables\"]\nerror-on-warning = true\n");
    let run = place.run("check shop --output-format concise");
    assert!(run.stdout.contains("warning[PCL0201]"), "{}", run.stdout);
    assert_eq!(run.status, 1);
}

#[test]
fn errors_have_places_and_stop_the_run() {
    let place = place("errors");
    let cases = [
        ("a = ", "1:5: error[PCL0021] the configuration is not valid TOML: "),
        (
            "select = \"x\"",
            "1:10: error[PCL0021] `select` expects a list of strings, found a string",
        ),
        ("selct = []", "1:1: error[PCL0022] unknown setting `selct`"),
        ("ignore = [\"x\"]", "1:11: error[PCL0021] `x` is not a code, the name of one, or a group"),
        (
            "levels = { deprecated = \"off\" }",
            "1:25: error[PCL0021] `deprecated` expects `error`, ",
        ),
        ("compat = \"go\"", "1:10: error[PCL0021] `compat` expects `none` or `pulumi`, found `go`"),
        ("schema-dirs = [\"x\"]", "1:16: error[PCL0021] `x` is not valid for `schema-dirs`: "),
        ("schema-dirs = [\"//host/x\"]", "1:16: error[PCL0021] `//host/x` is not valid for "),
        (
            "schemas = { \"a@x\" = \"y\" }",
            "1:13: error[PCL0021] `a@x` is not valid for `schemas`: ",
        ),
        (
            "pulumi-version = \">=3.1.0\"",
            "1:18: error[PCL0021] `>=3.1.0` is not valid for `pulumi-version`: expected a version, ",
        ),
        ("select = [\"PCL0601\"]", "1:11: error[PCL0021] `PCL0601` is not a lint\n"),
        (
            "select = [\"unusd\"]",
            "1:11: error[PCL0021] `unusd` is not a lint or a group of lints\n",
        ),
        ("docs-url = \"file:///x\"", "1:12: error[PCL0021] `file:///x` is not valid for "),
        ("run-plugins = true", "1:1: error[PCL0021] `run-plugins` cannot be set in a file of a "),
        (
            "loader-address = \"a:1\"",
            "1:1: error[PCL0021] `loader-address` cannot be set in a file",
        ),
    ];
    for (file, expected) in cases {
        place.write("pcl.toml", file);
        let run = place.run("check shop --output-format concise");
        assert_eq!(run.status, 2, "{file}");
        let expected = format!("pcl.toml:{expected}");
        assert!(run.stdout.starts_with(&expected), "{}", run.stdout);
        assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
        assert_eq!(place.run("check shop --isolated").status, 0);
        for command in ["dump bound shop", "config show", "schema ls"] {
            assert_eq!(place.run(command).status, 2, "{command}");
        }
    }
}

#[test]
fn yaml_has_the_same_errors() {
    let place = place("yaml");
    place.write("Pulumi.yaml", "name: x\npcl:\n  selct: [x]\n  error-on-warning: 1\n");
    let run = place.run("check shop --output-format concise");
    assert_eq!(
        run.stdout,
        "Pulumi.yaml:3:3: error[PCL0022] unknown setting `selct`\n\
         Pulumi.yaml:4:21: error[PCL0021] `error-on-warning` expects a bool, found an integer\n"
    );
    // A broken file that says nothing about `pcl` is not reported here.
    place.write("Pulumi.yaml", "name: [\n");
    assert_eq!(place.run("check shop").status, 0);
    place.write("Pulumi.yaml", "pcl: [\n");
    assert_eq!(place.run("check shop").status, 2);
}

#[test]
fn settings_outside_of_files_have_errors_too() {
    let place = place("outside");
    let run = place.run("check shop --setting selct=x");
    assert_eq!(run.status, 2);
    assert_eq!(
        run.stderr,
        "error: in `--setting`: unknown setting `selct`; did you mean `select`?\n"
    );
    let mut command = place.command("check shop");
    command.env("PCL_COMPAT", "pulumni");
    let run = pcl_test_support::run(command, b"");
    assert_eq!(
        run.stderr,
        "error: in `PCL_COMPAT`: `compat` expects `none` or `pulumi`, found `pulumni`; did you mean `pulumi`?\n"
    );
}

#[test]
fn each_value_has_an_origin() {
    let place = place("show");
    place.write("shop/pcl.toml", "# ours\nselect = [\"unused\"]\nignore = [\"style\"]\n");
    let mut command = place
        .command("config show shop --setting ignore=deprecated --setting pulumi-version=3.220.0");
    command.env("PCL_SELECT", "all");
    let shown = pcl_test_support::run(command, b"").stdout;
    for line in [
        "select = [\"all\"]  # PCL_SELECT",
        "ignore = [\"style\", \"deprecated\"]  # shop/pcl.toml:3, --setting",
        "missing-schema = \"error\"  # default",
        "pulumi-version = \"3.220.0\"  # --setting",
        "# docs-url is not set",
    ] {
        assert!(shown.lines().any(|it| it == line), "{line}\n{shown}");
    }
    let json = place.run("config show shop --output-format json").json();
    assert_eq!(json["settings"][0]["origins"][0], "shop/pcl.toml:2");
    assert_eq!(place.run("config show nowhere").status, 2);
}

/// A program in the current directory has the configuration of the same places, however it is
/// named.
#[test]
fn every_name_of_a_program_leads_to_its_configuration() {
    let place = place("names");
    place.write("shop/pcl.toml", "select = [\"unused\"]\n");
    place.write("shop/parts/pcl.toml", "select = [\"style\"]\n");
    let in_directory = |directory: &str, arguments: &str| {
        let mut command = place.command(arguments);
        command.current_dir(place.join(directory));
        run(command, b"").stdout
    };
    let paths = [
        ("shop", "main.pp"),
        ("shop", "./main.pp"),
        ("shop", "."),
        ("shop", "../shop/main.pp"),
        ("shop/parts", ".."),
        ("shop/parts", "../main.pp"),
    ];
    for (directory, path) in paths {
        let shown = in_directory(directory, &format!("config show {path}"));
        assert!(shown.contains("\nselect = [\"unused\"]"), "{path}: {shown}");
        let checked = in_directory(directory, &format!("check {path} --output-format concise"));
        assert!(checked.contains("[PCL0701]"), "{path}: {checked}");
    }
}

/// A key whose lines are comments sets nothing, as an empty file.
#[test]
fn an_empty_value_of_yaml_sets_nothing() {
    let place = place("null");
    let select = "  # select: [unused]\n";
    for text in [
        format!("pcl:\n{select}"),
        "pcl: null\n".to_owned(),
        "pcl:\n  levels:\n    # unused: error\n  error-on-warning:\n".to_owned(),
    ] {
        place.write("Pulumi.yaml", &text);
        let run = place.run("check shop");
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{text}");
        let shown = place.run("config show shop").stdout;
        assert!(shown.ends_with("is not set\n"), "{shown}");
        assert!(!shown.contains("no configuration file"), "{shown}");
    }
}

#[test]
#[cfg(unix)]
fn a_configuration_that_is_no_file_is_an_error() {
    let place = place("no-file");
    let file = place.join("pcl.toml");
    let fails = |reason: &str| {
        let run = place.run("check shop --output-format concise");
        assert_eq!(run.status, 2, "{}", run.stdout);
        assert_eq!(
            run.stdout,
            format!("pcl.toml:1:1: error[PCL0001] `pcl.toml` cannot be read: {reason}\n")
        );
        assert_eq!(place.run("check shop --isolated").status, 0);
    };
    std::os::unix::fs::symlink("nowhere.toml", &file).expect("a link");
    fails("it is a link that leads nowhere");
    std::fs::remove_file(&file).expect("it is there");
    std::fs::create_dir(&file).expect("a directory");
    fails("it is a directory, not a file");
}

#[test]
fn a_project_file_that_cannot_be_read_is_an_error() {
    let place = place("large-project");
    place.write("Pulumi.yaml", "pcl:\n  select: [unused-local]\n");
    assert_eq!(reported(&place, "shop"), ["PCL0701"]);
    let file =
        std::fs::File::options().write(true).open(place.join("Pulumi.yaml")).expect("it is there");
    file.set_len((16 << 20) + 1).expect("it grows");
    let run = place.run("check shop --output-format concise");
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert_eq!(
        run.stdout,
        "Pulumi.yaml:1:1: error[PCL0001] `Pulumi.yaml` cannot be read: it is larger than 16 MiB\n"
    );
    assert_eq!(place.run("check shop --isolated").status, 0);

    // Pulumi reads it.
    std::fs::write(place.join("Pulumi.yaml"), b"\xff\xfen\0:\0 \0x\0").expect("it is written");
    assert_eq!(place.run("check shop").status, 0);
}

#[test]
fn flags_say_what_they_take() {
    let place = place("flags");
    let groups = "the groups are `all`, `default`, `suspicious`, `unused`, `security`, `upkeep` and \
                  `style`";
    for (arguments, said) in [
        (
            "--select PCL0601",
            "`PCL0601` is not a lint; `levels`, `--error`, `--warn` and `--ignore` set the level",
        ),
        ("--select unknown-function", "`unknown-function` is not a lint; "),
        ("--select PCL07", groups),
        ("--select nosuch", groups),
        ("--select unused-locl", "did you mean `unused-local`?"),
        ("--setting select=PCL0601", "`PCL0601` is not a lint; "),
        ("--warn nosuch", "`pcl explain --all` lists the codes"),
        ("--warn unknown-functon", "did you mean `unknown-function`?"),
        ("-j 0", "expected a number of at least 1"),
        ("-j x", "expected a number of at least 1"),
        ("--pulumi-version >=3.1.0", "expected a version, such as 3.220.0"),
        ("--schema aws@x=y.json", "`x` is not a version such as 1.2.3"),
    ] {
        let run = place.run(&format!("check shop {arguments}"));
        assert_eq!(run.status, 2, "{arguments}");
        assert!(run.stderr.contains(said), "{arguments}: {}", run.stderr);
    }
    let run = place.run("check shop --select all --max-diagnostics 0");
    assert_eq!(run.stdout, "1 more diagnostic; `--max-diagnostics none` shows all of them\n");
}

/// The published schema is the one that the command prints, and knows the settings of the examples.
#[test]
fn the_published_schema_is_generated() {
    generated("docs/formats/pcl.schema.json", &pcl(["config", "schema"]).stdout);
    let schema = json_schema();
    assert_eq!(schema["properties"]["missing-schema"]["default"], "error");
    assert!(schema["properties"]["run-plugins"].is_null());
}

/// The page documents every setting as the table has it, and every group.
#[test]
fn the_page_has_every_setting() {
    let page = std::fs::read_to_string(root().join("docs/configuration.md")).expect("it is there");
    for key in Key::all() {
        let default = match key.default() {
            "" => String::new(),
            default => format!(" `{default}`"),
        };
        let row = format!("| `{}` |{default} | {} |\n", key.name(), key.summary());
        assert!(page.contains(&row), "{row}");
    }
    for group in Group::ALL {
        let row = format!("| `{}` | {} |\n", group.name(), group.summary());
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn a_file_of_a_project_can_only_lower_limits() {
    let place = place("limits");
    place.write("shop/main.pp", "x = [for a in range(100) : a + 1]\n");
    let preview = |arguments: &str| place.run(&format!("preview shop {arguments}"));
    assert_eq!(preview("").status, 0);
    place.write("pcl.toml", "max-steps = 1000\n");
    let lowered = preview("");
    assert_eq!(lowered.status, 1, "{}", lowered.stderr);
    assert!(lowered.stderr.contains("PCL1007"), "{}", lowered.stderr);
    assert_eq!(preview("--max-steps 100000").status, 0, "a flag outweighs it");
    let mut command = place.command("preview shop");
    command.env("PCL_MAX_STEPS", "100000");
    assert_eq!(run(command, b"").status, 0, "so does the environment");
    for name in ["max-steps", "max-files", "max-file-bytes"] {
        place.write("pcl.toml", format!("{name} = 9000000000\n"));
        let raised = preview("");
        assert_eq!(raised.status, 2, "{}", raised.stderr);
        assert!(raised.stderr.contains("can only lower"), "{}", raised.stderr);
        assert_eq!(preview(&format!("--isolated --setting {name}=9000000000")).status, 0);
        place.write("pcl.toml", format!("{name} = -1\n"));
        assert_eq!(preview("").status, 2);
    }
}
