//! `pcl check --fix` and its companions, and `--add-ignore`.

use pcl_test_support::{Scratch, run, scratch};

/// A semicolon has a safe fix, a misspelled name an unsafe one, an ignored attribute none.
const BROKEN: &str =
    "size = lenght([1, 2]);\noutput \"o\" {\n  value = size\n  colour = \"red\"\n}\n";

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("fix-{name}"));
    place.write("shop/main.pp", BROKEN);
    place
}

#[test]
fn safe_fixes_are_applied() {
    let place = place("safe");
    let fixed = place.run("check shop --fix --output-format concise");
    assert_eq!(place.read("shop/main.pp"), BROKEN.replace(';', ""));
    assert_eq!(
        fixed.stdout,
        "shop/main.pp:1:8: error[PCL0601] there is no function `lenght`\n\
         shop/main.pp:4:3: warning[PCL0206] `colour` is not an attribute of `output` blocks\n"
    );
    assert_eq!(
        fixed.stderr,
        "checked 1 program: 1 error, 1 warning\n\
         1 diagnostic fixed in 1 file: 1 × lex-semicolon\n\
         1 can be fixed by `--fix --unsafe-fixes`, which may change the meaning\n"
    );
    assert_eq!(fixed.status, 1);
    let again = place.run("check shop --fix");
    assert!(again.stderr.contains("\nnothing fixed\n"), "{}", again.stderr);
    assert_eq!(place.read("shop/main.pp"), BROKEN.replace(';', ""));
}

#[test]
fn lines_that_fixes_insert_end_as_the_others_do() {
    let place = place("line-ends");
    for (broken, fixed) in [
        ("output \"a\" = 1\r\n", "output \"a\" {\r\n  value = 1\r\n}\r\n"),
        ("a = [\r\n  1,\r\n", "a = [\r\n  1,\r\n]\r\n"),
        ("locals {\r\n  a = 1\r\n}\r\n", "a = 1\r\n"),
        ("output \"a\" = 1\n", "output \"a\" {\n  value = 1\n}\n"),
    ] {
        place.write("shop/main.pp", broken);
        place.run("check shop --fix --unsafe-fixes");
        assert_eq!(place.read("shop/main.pp"), fixed);
    }
    place.write("shop/main.pp", "output \"a\" = 1\r\n");
    let edits = place.run("check shop --output-format json").stdout;
    assert!(edits.contains(r"{\r\n  value = 1\r\n}"), "{edits}");
}

#[test]
fn unsafe_fixes_are_applied_on_request() {
    let place = place("unsafe");
    let checked = place.run("check shop --quiet");
    assert_eq!((checked.status, checked.stderr.as_str()), (1, ""));
    let checked = place.run("check shop");
    let hint = "1 can be fixed by `--fix`, and 1 more with `--unsafe-fixes`\n";
    assert!(checked.stderr.ends_with(hint), "{}", checked.stderr);
    assert_eq!(place.read("shop/main.pp"), BROKEN);
    let fixed = place.run("check shop --fix --unsafe-fixes");
    assert_eq!(fixed.status, 0, "a warning remains");
    let expected = BROKEN.replace(';', "").replace("lenght", "length");
    assert_eq!(place.read("shop/main.pp"), expected);
}

#[test]
fn fix_only_shows_nothing() {
    let place = place("only");
    let fixed = place.run("check shop --fix-only");
    assert_eq!((fixed.status, fixed.stdout.as_str()), (0, ""));
    assert_eq!(place.read("shop/main.pp"), BROKEN.replace(';', ""));
    assert_eq!(place.run("check nowhere --fix-only").status, 2);
    assert_eq!(place.run("check shop --fix-only --output-format json").status, 2);
}

#[test]
fn a_diff_shows_fixes_and_writes_nothing() {
    let place = place("diff");
    let shown = place.run("check shop --diff");
    assert_eq!(
        shown.stdout,
        "--- shop/main.pp\n+++ shop/main.pp\n@@ -1,4 +1,4 @@\n-size = lenght([1, 2]);\n\
         +size = lenght([1, 2])\n output \"o\" {\n   value = size\n   colour = \"red\"\n"
    );
    assert_eq!(shown.status, 1);
    assert_eq!(place.read("shop/main.pp"), BROKEN);
    place.run("check shop --fix");
    let shown = place.run("check shop --diff");
    assert_eq!((shown.status, shown.stdout.as_str()), (0, ""));
}

#[test]
fn standard_input_is_printed() {
    let place = place("stdin");
    let fixed = run(place.command("check - --fix --stdin-filename new.pp"), b"a = b;\n");
    assert_eq!(fixed.stdout, "a = b\n");
    assert!(fixed.stderr.starts_with("error[PCL0201]: "), "{}", fixed.stderr);
    assert_eq!(fixed.status, 1);
    // What cannot be fixed comes out as it is.
    let bytes = b"a = \"\xff\";\n";
    let file = place.join("input");
    std::fs::write(&file, bytes).expect("it can be written");
    let mut command = place.command("check - --fix --stdin-filename new.pp");
    let input = std::fs::File::open(file).expect("it is there");
    let output = command.stdin(input).output().expect("it runs");
    assert_eq!(output.stdout, bytes);
}

/// The directory of a component is a program of its own.
#[test]
fn components_are_fixed_as_programs() {
    let place = place("components");
    place.write("app/main.pp", "component \"part\" \"./part\" {\n}\n");
    place.write("app/part/main.pp", "a = 1;\n");
    place.run("check app --fix");
    assert_eq!(place.read("app/part/main.pp"), "a = 1;\n");
    let fixed = place.run("check -r app --fix");
    assert_eq!(place.read("app/part/main.pp"), "a = 1\n");
    assert_eq!(place.run("check app").status, 0);
    assert!(fixed.stderr.contains("1 diagnostic fixed in 1 file"), "{}", fixed.stderr);
}

/// Only what is shown is edited.
#[test]
fn components_are_edited_before_the_programs_that_use_them() {
    let place = place("order");
    for name in ["app/main.pp", "app/part/main.pp", "app/part/inner/main.pp"] {
        let component = "component \"part\" \"./part\" {\n}\n";
        let inner = component.replace("./part", "./inner");
        place.write(
            name,
            match name {
                "app/main.pp" => component,
                "app/part/main.pp" => &inner,
                _ => "size = 1;\n",
            },
        );
    }
    let checked = place.run("check -r app --output-format concise");
    assert_eq!(
        checked.stdout,
        "app/main.pp:1:18: error[PCL0503] the component in `app/part` has errors\n\
         app/part/main.pp:1:18: error[PCL0503] the component in `app/part/inner` has errors\n\
         app/part/inner/main.pp:1:9: error[PCL0009] unexpected `;`\n"
    );
    assert!(checked.stderr.contains("1 can be fixed by `--fix`\n"));
    let fixed = place.run("check -r app --fix");
    let summary =
        "checked 3 programs: no errors\n1 diagnostic fixed in 1 file: 1 × lex-semicolon\n";
    assert_eq!((fixed.status, fixed.stdout, fixed.stderr.as_str()), (0, String::new(), summary));
}

#[test]
fn comments_are_added_to_components_first() {
    let place = place("ignore-order");
    place.write("app/main.pp", "component \"part\" \"./part\" {\n}\n");
    place.write("app/part/main.pp", "size = a\n");
    assert_eq!(place.run("check -r app --add-ignore").status, 0);
    let again = place.run("check -r app --error-on-warning");
    assert_eq!((again.status, again.stdout.as_str()), (0, ""));
    assert!(!place.read("app/main.pp").contains("ignore"));
}

#[test]
fn a_fix_that_leaves_as_many_syntax_errors_is_left_out() {
    let place = place("left-out");
    place.write("shop/main.pp", "a = sha1(\"x\" \"y\" \"z\")\n");
    let fixed = place.run("check shop --fix --unsafe-fixes");
    assert_eq!(
        fixed.stderr,
        "checked 1 program: 1 error, 0 warnings\nnothing fixed\n\
         1 fix was left out, which would not leave fewer syntax errors\n"
    );
}

/// Otherwise the fixes of two similar names would lead to each other without an end.
#[test]
fn a_package_without_the_version_is_not_renamed() {
    let place = place("versions");
    for name in ["beans", "bears"] {
        let schema = format!(
            r#"{{"name": "{name}", "version": "1.0.0", "resources": {{"{name}:index:Pot": {{}}}}}}"#
        );
        place.write(&format!("shop/schemas/{name}-1.0.0.json"), &schema);
    }
    let program = |package: &str| {
        format!(
            "resource pot \"{package}:index:Pot\" {{\n  options {{\n    version = \"2.0.0\"\n  }}\n}}\n"
        )
    };
    place.write("shop/main.pp", program("beans"));
    let checked = place.run("check shop --output-format full");
    let note = "schemas of other versions were found: 1.0.0";
    assert!(checked.stdout.contains(note), "{}", checked.stdout);
    assert!(!checked.stdout.contains("bears"), "{}", checked.stdout);
    let fixed = place.run("check shop --fix --unsafe-fixes");
    assert!(fixed.stderr.contains("\nnothing fixed\n"), "{}", fixed.stderr);
    // A name that is unknown in any version is not replaced by one without that version.
    place.write("shop/main.pp", program("beavs"));
    let checked = place.run("check shop --output-format full");
    assert!(!checked.stdout.contains("fix"), "{}", checked.stdout);
}

/// A conditional has its operands twice, so that nested calls would double with each level.
#[test]
fn only_calls_with_short_arguments_become_conditionals() {
    let place = place("conditionals");
    place.write("shop/main.pp", "a = max(max(b, 2), 3)\nb = 1\noutput a {\n  value = a\n}\n");
    place.run("check shop --pulumi-version 3.200.0 --fix --unsafe-fixes");
    let fixed = place.read("shop/main.pp");
    assert!(fixed.starts_with("a = max((b > 2 ? b : 2), 3)\n"), "{fixed}");
}

#[test]
fn a_diff_is_shown_while_reports_go_to_files() {
    let place = place("diff-report");
    let shown = place.run("check shop --diff --output-format concise=report.txt");
    assert!(shown.stdout.contains("-size = lenght([1, 2]);\n"));
    assert!(place.read("report.txt").contains("no function `lenght`"));
    assert_eq!(place.read("shop/main.pp"), BROKEN);
    for refused in
        ["check shop --diff --output-format json", "check shop --output-format json=shop/main.pp"]
    {
        assert_eq!(place.run(refused).status, 2, "{refused}");
    }
    assert_eq!(place.read("shop/main.pp"), BROKEN);
}

#[test]
fn files_that_are_not_shown_stay() {
    let place = place("shown");
    place.write("shop/other.pp", "b = 1;\n");
    place.run("check --whole-programs shop/other.pp --fix");
    assert_eq!(place.read("shop/other.pp"), "b = 1\n");
    assert_eq!(place.read("shop/main.pp"), BROKEN);
}

#[test]
fn ignored_diagnostics_have_no_fixes() {
    let place = place("ignored");
    place.run("check shop --fix --unsafe-fixes --ignore unknown-function");
    assert_eq!(place.read("shop/main.pp"), BROKEN.replace(';', ""));
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = place("denied");
    let file = place.join("shop/main.pp");
    let deny = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    deny(&file, 0o444);
    let is_root = std::fs::OpenOptions::new().write(true).open(&file).is_ok();
    let fixed = place.run("check shop --fix");
    deny(&file, 0o644);
    if !is_root {
        assert_eq!(fixed.status, 2);
        assert!(fixed.stderr.contains("error: cannot write `shop/main.pp`"), "{}", fixed.stderr);
        let summary = "checked 1 program: 2 errors, 1 warning\nnothing fixed\n";
        assert!(fixed.stderr.contains(summary), "{}", fixed.stderr);
        assert_eq!(place.read("shop/main.pp"), BROKEN);
    }
}

#[test]
fn comments_are_added() {
    let place = place("ignores");
    place.run("check shop --fix");
    let added = place.run("check shop --add-ignore");
    assert_eq!(
        place.read("shop/main.pp"),
        "size = lenght([1, 2]) # pcl: ignore[unknown-function]\noutput \"o\" {\n  value = size\n  \
         colour = \"red\" # pcl: ignore[ignored-attribute]\n}\n"
    );
    assert_eq!(added.stderr, "checked 1 program: no errors\n2 diagnostics suppressed in 1 file\n");
    assert_eq!(added.status, 0);
    assert_eq!(place.run("check shop --error-on-warning").status, 0);
    // A comment that suppresses nothing any more is removed.
    place.write("shop/main.pp", "a = 1 # pcl: ignore[unknown-function] for now\n");
    place.run("check shop --fix");
    assert_eq!(place.read("shop/main.pp"), "a = 1\n");
}

/// A syntax error keeps comments out of its own declaration alone.
#[test]
fn comments_are_added_beside_syntax_errors() {
    let place = place("ignores-syntax");
    place.write("shop/main.pp", "a = b\nc = [d\nresource r {\n  e = f g\n}\nh = i\n");
    place.run("check shop --add-ignore");
    let text = place.read("shop/main.pp");
    assert!(text.starts_with("a = b # pcl: ignore[undefined-variable]\nc = [d\n"), "{text}");
    place.write("shop/main.pp", "a = b\nc = \"d\nh = i\nj = k l\nm = n\n");
    place.run("check shop --add-ignore");
    assert_eq!(
        place.read("shop/main.pp"),
        "a = b # pcl: ignore[undefined-variable]\nc = \"d\nh = i # pcl: ignore[undefined-variable]\n\
         j = k l\nm = n # pcl: ignore[undefined-variable]\n"
    );
    // What is left are the syntax errors.
    let left = place.run("check shop --output-format concise");
    assert!(
        left.stdout.lines().all(|line| line.contains("[PCL01") || line.contains("[PCL00")),
        "{}",
        left.stdout
    );
}

#[test]
fn a_reason_is_one_line() {
    let place = place("reason");
    place.write("shop/main.pp", "a = b\n");
    let mut command = place.command("check shop");
    command.arg("--add-ignore=why\nx = 1");
    assert_eq!(run(command, b"").status, 2);
    assert_eq!(place.read("shop/main.pp"), "a = b\n");
    place.run("check shop --add-ignore=later --diff");
    assert_eq!(place.read("shop/main.pp"), "a = b\n");
    place.run("check shop --add-ignore=later");
    assert_eq!(place.read("shop/main.pp"), "a = b # pcl: ignore[undefined-variable] later\n");
    assert_eq!(place.run("check shop --add-ignore --fix").status, 2);
}

/// A block on one line that takes more lines, with the fix that adds them, is laid out as by
/// `pcl fmt`.
#[test]
fn blocks_on_one_line_are_broken_up_as_they_are_formatted() {
    let items = [
        "",
        "count = 2",
        "depends_on = [\n    b\n  ]",
        "lifecycle {\n    prevent_destroy = true\n    ignore_changes = [size]\n  }",
        "opts = { protect = true, retainOnDelete = true }",
    ];
    let blocks = [
        "",
        "options {}",
        "options { parent = b }",
        "options { customTimeouts = { create = \"1m\" } }",
        "options { /* why */ parent = b }",
    ];
    let pet = |items: &str| format!("resource a \"zoo:index:Pet\" {{\n  size = 1\n\n{items}}}\n");
    let mut programs = vec![
        String::from("package \"zoo\" {}\n"),
        String::from("package \"zoo\" { baseProviderVersion = \"1.0.0\" }\n"),
    ];
    for item in items {
        for block in blocks {
            let lines = [block, item].into_iter().filter(|line| !line.is_empty());
            programs.push(pet(&lines.map(|line| format!("  {line}\n")).collect::<String>()));
        }
    }
    let mut loader = pcl::schema::MemoryLoader::default();
    let inputs = r#"{ "size": { "type": "integer" }, "age": { "type": "integer" } }"#;
    let pet = format!(r#"{{ "inputProperties": {inputs}, "requiredInputs": ["age", "size"] }}"#);
    let schema = format!(r#"{{ "name": "zoo", "resources": {{ "zoo:index:Pet": {pet} }} }}"#);
    loader.add(schema).expect("the schema is one");
    let workspace = pcl::Workspace::new(pcl::Settings::default());
    let workspace = workspace.with_loader(std::sync::Arc::new(loader));
    let mut broken_up = 0;
    for program in programs {
        let text = format!("{program}b = 1\n");
        let formatted = |text: &str| {
            let tree = pcl::syntax::parse(text);
            assert_eq!(tree.errors(), [], "{text}");
            pcl::format::format(&tree).expect("it is formatted")
        };
        if text != formatted(&text) {
            continue;
        }
        let checked = workspace.check(&pcl::Target::text("main.pp", &text));
        for diagnostic in &checked.diagnostics {
            for fix in &diagnostic.fixes {
                let file = diagnostic.primary.file;
                let fixes = std::slice::from_ref(fix);
                let (fixed, _) = pcl::diagnostics::apply(&checked.sources, file, fixes);
                let on_one_line = |text: &str| {
                    let lines = text.lines().filter(|line| line.ends_with('}'));
                    lines.filter(|line| line.contains('{')).count()
                };
                if on_one_line(&fixed) < on_one_line(&text) {
                    assert_eq!(fixed, formatted(&fixed), "{}: {text}", fix.title);
                    broken_up += 1;
                }
            }
        }
    }
    assert!(broken_up > 5, "{broken_up}");
}
