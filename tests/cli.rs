//! The `pcl` command from outside: formats, flags, streams and exit statuses, on programs written
//! here.

use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use pcl_test_support::{
    Run, SCHEMAS, Scratch, items, pcl, scratch, scratch_outside, text, whole_corpus, write,
};
use serde_json::Value;

/// An error, PCL0601 at 1:8.
const TYPO: &str = "size = lenght([1, 2])\n";
/// A warning that is ours, PCL0206 at 3:3.
const IGNORED: &str = "output \"a\" {\n  value = 1\n  colour = \"red\"\n}\n";
const FINE: &str = "size = length([1, 2])\n";

/// A directory with programs that are fine, broken, worth a warning, empty and missing.
fn place(name: &str) -> Scratch {
    let place = scratch(&format!("cli-{name}"));
    place.write("fine/main.pp", FINE);
    place.write("typo/main.pp", TYPO);
    place.write("warn/main.pp", IGNORED);
    place.write("empty/readme.txt", "nothing here\n");
    place
}

/// Test programs that run at the same time never write into each other's directories.
#[test]
fn scratch_directories_are_never_shared() {
    assert_ne!(*scratch("same"), *scratch("same"));
}

/// The exit status, and how the standard output begins.
#[track_caller]
fn assert_says(run: &Run, status: i32, start: &str) {
    assert_eq!(run.status, status, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with(start), "{}", run.stdout);
}

#[test]
fn statuses() {
    let place = place("statuses");
    let cases = [
        ("check fine", 0),
        ("check warn", 0),
        ("check fine warn --error-on-warning", 1),
        ("check typo", 1),
        ("check fine typo warn", 1),
        ("check empty", 1),
        ("check empty --compat pulumi", 0),
        ("check nowhere", 2),
        ("check typo nowhere", 2),
        ("check fine/nowhere.pp", 2),
        ("check fine --schema-dir nowhere", 2),
        ("check fine --schema random=nowhere.json", 2),
        ("check fine --schema random", 2),
        ("check fine --no-such-flag", 2),
        ("check fine --output-format xml", 2),
        ("check fine --output-format json --output-format concise", 2),
        ("check fine --output-format json=nowhere/out.json", 2),
        ("check fine --jobs 0", 2),
        ("check fine --jobs many", 2),
        ("check fine --error PCL9999", 2),
        ("check fine --error PCL0601 --ignore unknown-function", 2),
        ("check fine --allow everything", 2),
        ("check - -", 2),
        ("", 2),
        ("chekc .", 2),
        ("dump bound fine", 0),
        ("dump bound typo", 1),
        ("dump bound nowhere", 2),
        ("dump bound typo --output-format json", 1),
        ("dump bound nowhere --output-format json", 2),
        ("dump tree typo", 0),
        ("dump ast typo", 0),
        ("dump ast typo --output-format json", 0),
        ("dump tree nowhere --output-format json", 2),
        ("dump tokens typo", 0),
        ("dump tokens nowhere", 2),
        ("dump nothing fine", 2),
        ("graph fine", 0),
        ("graph typo", 1),
        ("graph nowhere", 2),
        ("graph typo --output-format json", 1),
        ("graph fine --only everything", 2),
        ("convert fine --to yaml", 0),
        ("convert typo --to json", 1),
        ("convert nowhere --to yaml", 2),
        ("convert fine", 2),
        ("convert fine --to cobol", 2),
        ("convert fine --to yaml --force", 2),
        ("convert fine --to pcl", 2),
        ("convert --from yaml fine", 2),
        ("convert --from yaml nowhere", 2),
        ("check typo --exit-zero", 0),
        ("check nowhere --exit-zero", 2),
        ("check typo nowhere --exit-zero", 2),
        ("check typo --exit-zero --error-on-warning", 0),
        ("explain pcl0301", 0),
        ("explain", 0),
        ("explain --list", 0),
        ("explain --list --all", 2),
        ("explain for expression", 0),
        ("explain no topic", 2),
        ("version", 0),
        ("--version", 0),
        ("--help", 0),
        ("check --help", 0),
    ];
    for (arguments, status) in cases {
        let run = place.run(arguments);
        assert_eq!(run.status, status, "pcl {arguments}\n{}{}", run.stdout, run.stderr);
        let said = run.stdout.len() + run.stderr.len();
        assert!(status == 0 || said > 0, "pcl {arguments} says nothing");
    }
}

#[test]
fn full_is_the_default() {
    let place = place("full");
    let run = place.run("check typo fine");
    insta::assert_snapshot!(run.stdout);
    assert_eq!(run.stdout, place.run("check typo fine --output-format full").stdout);
    assert_eq!(
        run.stderr,
        "checked 2 programs: 1 error in 1 of them, 0 warnings\n1 can be fixed by `--fix --unsafe-fixes`, which may change the meaning\n"
    );
}

#[test]
fn concise_is_a_line_for_each_diagnostic() {
    let place = place("concise");
    let run = place.run("check typo warn fine --output-format concise");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", run.stdout);
    assert!(lines[0].starts_with("typo/main.pp:1:8: error[PCL0601] "), "{}", run.stdout);
    assert!(lines[1].starts_with("warn/main.pp:3:3: warning[PCL0206] "), "{}", run.stdout);
}

#[test]
fn json_is_one_document() {
    let place = place("json");
    let run = place.run("check fine typo warn empty nowhere --output-format json");
    let json = run.json();
    assert_eq!(text(&json, "format_version"), "1.0");
    let outline: Vec<String> = items(&json, "programs")
        .map(|program| {
            let codes: Vec<&str> = items(program, "diagnostics").map(|d| text(d, "code")).collect();
            format!(
                "{} {} {} {} {codes:?}",
                text(program, "path"),
                program["valid"],
                program["errors"],
                program["warnings"]
            )
        })
        .collect();
    insta::assert_snapshot!(outline.join("\n"));
    let typo = &json["programs"][1]["diagnostics"][0];
    assert_eq!(text(typo, "file"), "typo/main.pp");
    assert_eq!(typo["range"]["start"], serde_json::json!({ "byte": 7, "line": 1, "column": 8 }));
    assert_eq!(typo["range"]["end"], serde_json::json!({ "byte": 13, "line": 1, "column": 14 }));
}

#[test]
fn json_lines_names_the_program_on_each_line() {
    let place = place("json-lines");
    let run = place.run("check fine typo warn --output-format json-lines");
    let lines: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let programs: Vec<&str> = lines.iter().map(|line| text(line, "program")).collect();
    assert_eq!(programs, ["typo", "warn"]);
    let json = place.run("check fine typo warn --output-format json").json();
    let prints = |value: &Value| text(value, "fingerprint").to_owned();
    assert_eq!(prints(&lines[0]), prints(&json["programs"][1]["diagnostics"][0]));
}

#[test]
fn several_formats_in_one_run() {
    let place = place("formats");
    let run = place.run("check typo --output-format json=out.json --output-format concise=out.txt");
    assert!(run.stdout.starts_with("error[PCL0601]"), "{}", run.stdout);
    let json: Value = serde_json::from_str(&place.read("out.json")).expect("JSON");
    assert_eq!(json, place.run("check typo --output-format json").json());
    assert_eq!(place.read("out.txt"), place.run("check typo --output-format concise").stdout);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let place = place("jobs");
    for nth in 0..60 {
        let text = if nth % 3 == 0 { TYPO } else { IGNORED };
        place.write(&format!("many/p{nth:02}/main.pp"), text.repeat(1 + nth % 2));
    }
    for format in ["full", "concise", "json", "json-lines"] {
        let one = place.run(&format!("check -r many typo --jobs 1 --output-format {format}"));
        let many = place.run(&format!("check -r many typo --jobs 7 --output-format {format}"));
        assert_eq!((one.status, one.stdout, one.stderr), (many.status, many.stdout, many.stderr));
    }
}

#[test]
fn the_corpus_gives_the_same_bytes_at_any_number_of_threads() {
    let programs = whole_corpus();
    for format in ["full", "concise", "json", "json-lines"] {
        let run = |jobs: &str| {
            let options = ["--schema-dir", SCHEMAS, "--output-format", format, "--jobs", jobs];
            let paths = programs.iter().map(String::as_str);
            pcl(["check"].into_iter().chain(options).chain(paths)).stdout
        };
        let alone = run("1");
        assert!(!alone.is_empty());
        assert_eq!(alone, run("4"), "{format}");
        assert_eq!(alone, run("1"), "{format}");
    }
}

#[test]
fn recursive_finds_every_program() {
    let place = place("recursive");
    place.write("fine/parts/more/extra.pp", FINE);
    place.write(".hidden/main.pp", TYPO);
    let paths = |run: Run| {
        items(&run.json(), "programs").map(|p| text(p, "path").to_owned()).collect::<Vec<_>>()
    };
    let here = paths(place.run("check -r --output-format json"));
    assert_eq!(here, ["fine", "fine/parts/more", "typo", "warn"]);
    let named = paths(place.run("check --recursive fine warn/main.pp empty --output-format json"));
    assert_eq!(named, ["fine", "fine/parts/more", "warn/main.pp", "empty"]);
}

#[test]
fn a_single_file_is_a_program() {
    let place = place("single");
    place.write("fine/other.pp", "other = size\n");
    assert_eq!(place.run("check fine").status, 0);
    let run = place.run("check fine/other.pp --output-format concise");
    assert_says(&run, 1, "fine/other.pp:1:9: error[PCL0201]");
}

#[test]
fn the_extension_of_a_named_file_tells_its_language() {
    let place = place("languages");
    for (name, language) in [
        ("main.tf", "a Terraform configuration"),
        ("prod.tfvars", "a file of Terraform variables"),
        ("job.hcl", "HCL of another tool"),
        ("x.yaml", "YAML"),
        ("x.yml", "YAML"),
        ("x.json", "JSON"),
        ("x.py", "a Python program"),
        ("index.ts", "a TypeScript program"),
        ("index.js", "a JavaScript program"),
        ("main.GO", "a Go program"),
    ] {
        for text in ["", "a = 1\n", "a: 1\nb = \"\n\"c\" = [\n"] {
            write(&place.join("others").join(name), text);
            let run = place.run(&format!("check others/{name} --output-format concise"));
            let said =
                format!("others/{name}:1:1: error[PCL0019] this file is {language}, not PCL\n");
            assert_eq!((run.status, run.stdout.as_str()), (1, said.as_str()));
        }
    }
    place.write("fine/main.tf", "a: 1\n");
    assert_eq!(place.run("check fine").status, 0);
    // Pulumi reads any file as PCL.
    place.write("others/main.tf", "a = 1\n");
    assert_eq!(place.run("check --compat pulumi others/main.tf").status, 0);
    let named = place.run_with_input("check - --stdin-filename main.tf", b"a = 1\n");
    assert_says(&named, 1, "error[PCL0019]");
}

#[test]
fn a_file_that_is_utf_16_has_one_error() {
    let place = place("utf16");
    for text in [
        "a = 1\n",
        "name = \"stra\u{DF}e \u{2603}\"\r\nb = [\r\n  1,\r\n]\r\n",
        "\u{65E5}\u{672C} = 1\nb = 2\n",
    ] {
        for (mark, is_big) in [(true, false), (true, true), (false, false), (false, true)] {
            let mark = if mark { "\u{FEFF}" } else { "" };
            let units = mark.encode_utf16().chain(text.encode_utf16());
            let bytes: Vec<u8> = units
                .flat_map(|unit| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect();
            std::fs::write(place.join("fine/main.pp"), bytes).expect("it can be written");
            let run = place.run("check fine");
            assert_says(&run, 1, "error[PCL0020]: this file is UTF-16, not UTF-8");
            assert_eq!(run.stdout.matches("error[").count(), 1, "{}", run.stdout);
            let drawn = run.stdout.lines().filter(|line| line.contains('\u{2400}'));
            assert_eq!(drawn.count(), 1, "{}", run.stdout);
        }
    }
}

#[test]
fn standard_input() {
    let place = place("stdin");
    let run = place.run_with_input("check - --output-format concise", TYPO.as_bytes());
    assert_says(&run, 1, "<stdin>:1:8: error[PCL0601]");
    let named = "check - --stdin-filename sub/new.pp --output-format json";
    let json = place.run_with_input(named, TYPO.as_bytes()).json();
    let program = &json["programs"][0];
    assert_eq!(
        (text(program, "path"), text(&program["diagnostics"][0], "file")),
        ("sub/new.pp", "sub/new.pp")
    );
    let bound = place.run_with_input("dump bound - --output-format json", FINE.as_bytes()).json();
    assert_eq!(text(&bound["nodes"][0], "name"), "size");
    let bytes = place.run_with_input("check - --output-format json", b"a = \"\xFF\xFE\"\n");
    assert_eq!((bytes.status, bytes.json()["programs"][0]["valid"].as_bool()), (1, Some(false)));
}

#[test]
fn levels_change_the_verdict() {
    let place = place("levels");
    let warned = place.run("check typo --warn unknown-function --output-format concise");
    assert_says(&warned, 0, "typo/main.pp:1:8: warning[PCL0601]");
    let ignored = place.run("check typo --ignore PCL0601,PCL0201");
    assert_eq!((ignored.status, ignored.stdout.as_str()), (0, ""));
    let raised = place.run("check warn --error pcl0206 --output-format concise");
    assert_says(&raised, 1, "warn/main.pp:3:3: error[PCL0206]");
}

#[test]
fn compat_turns_our_own_checks_off() {
    let place = place("compat");
    assert!(!place.run("check warn").stdout.is_empty());
    let run = place.run("check warn --compat pulumi");
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert_eq!(place.run("check typo --compat pulumi").status, 1);
}

#[test]
fn leniency() {
    let place = place("lenient");
    place.write("main.pp", "a = nobody\n");
    assert_eq!(place.run("check .").status, 1);
    assert_eq!(place.run("check . --allow missing-variables,range-types").status, 0);
    assert_eq!(place.run("check . --allow range-types").status, 1);
    assert_eq!(place.run("check . --lenient").status, 0);
}

const SCHEMA: &str = r#"{ "name": "zoo", "version": "1.2.3", "resources": { "zoo:index:Cage": {
    "inputProperties": { "size": { "type": "integer" } }, "properties": { "size": { "type": "integer" } } } } }"#;
const CAGE: &str = "resource \"cage\" \"zoo:index:Cage\" {\n  size = 3\n}\n";

#[test]
fn schemas_are_found() {
    let place = place("schemas");
    place.write("zoo/app/main.pp", CAGE);
    place.write("else/zoo-1.2.3.json", SCHEMA);
    place.write("else/other-name.json", SCHEMA);
    assert_eq!(place.run("check zoo/app").status, 1);
    assert_eq!(place.run("check zoo/app --schema-dir else").status, 0);
    assert_eq!(place.run("check zoo/app --schema zoo=else/other-name.json").status, 0);
    assert_eq!(place.run("check zoo/app --schema zoo@1.2.3=else/other-name.json").status, 0);
    assert_eq!(place.run("check zoo/app --missing-schema ignore").status, 0);
    let warned = place.run("check zoo/app --missing-schema warn --output-format concise");
    assert_says(&warned, 0, "zoo/app/main.pp:1:17: warning[PCL0408]");
    // Beside the project file, then beside the program.
    place.write("zoo/Pulumi.yaml", "name: zoo\nruntime: pcl\n");
    place.write("zoo/schemas/zoo.json", SCHEMA);
    assert_eq!(place.run("check zoo/app").status, 0);
    std::fs::remove_dir_all(place.join("zoo/schemas")).expect("it can be removed");
    place.write("zoo/app/schemas/zoo.json", SCHEMA);
    assert_eq!(place.run("check zoo/app").status, 0);
    let bound = place.run("dump bound zoo/app --output-format json").json();
    assert_eq!(bound["packages"], serde_json::json!([{ "name": "zoo", "version": "1.2.3" }]));
}

#[test]
fn quiet_verbose_and_statistics() {
    let place = place("talk");
    assert_eq!(place.run("check typo -q").stderr, "");
    let verbose = place.run("check typo fine -v").stderr;
    let lines: Vec<&str> = verbose.lines().collect();
    assert!(lines[0].starts_with("typo: 1 file, 1 error, 0 warnings, "), "{verbose}");
    assert!(lines[1].starts_with("fine: 1 file, 0 errors, 0 warnings, "), "{verbose}");
    let statistics = place.run("check typo warn ./typo --statistics").stderr;
    insta::assert_snapshot!(statistics);
    assert_eq!(place.run("check fine").stderr, "checked 1 program: no errors\n");
}

#[test]
fn colour_only_where_wanted() {
    let place = place("colour");
    let coloured = |arguments: &str, variables: &[(&str, &str)]| {
        let output =
            place.command(arguments).envs(variables.iter().copied()).output().expect("it runs");
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured("check typo", &[]));
    assert!(coloured("check typo --color always", &[]));
    assert!(coloured("check typo --color always --output-format concise", &[]));
    assert!(coloured("check typo", &[("FORCE_COLOR", "1")]));
    assert!(!coloured("check typo", &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured("check typo --color never", &[("FORCE_COLOR", "1")]));
    assert!(!coloured("check typo --color always --output-format json", &[]));
}

#[test]
fn a_reader_may_leave_early() {
    let place = place("pipe");
    place.write(
        "long/main.pp",
        (0..5000).map(|n| format!("a{n} = nobody{n}\n")).collect::<String>(),
    );
    for arguments in ["check long", "check long --output-format json", "dump tree long"] {
        let mut command = place.command(arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0; 10]).expect("ten bytes");
        drop(stdout);
        let run = Run::from(child.wait_with_output().expect("it ends"));
        let expected = i32::from(arguments.starts_with("check"));
        assert_eq!(run.status, expected, "pcl {arguments}: {}", run.stderr);
        assert!(!run.stderr.contains("pipe"), "{}", run.stderr);
    }
}

/// A dump has the names that descriptions have for the language that is asked for.
#[test]
fn descriptions_are_worded_for_a_language() {
    let place = place("wording");
    let schema = r#"{"name": "zoo", "version": "1.0.0", "resources": {"zoo:index:Cage": {
        "inputProperties": {"barCount": {"type": "integer", "description":
            "See <span pulumi-lang-nodejs=\"`barCount`\" pulumi-lang-python=\"`bar_count`\" pulumi-lang-yaml=\"`barCount`\">`other`</span>."}}}}}"#;
    place.write("zoo/schemas/zoo-1.0.0.json", schema);
    place.write("zoo/main.pp", "resource a \"zoo:index:Cage\" {\n  barCount = 3\n}\n");
    let dump = "dump bound zoo --output-format json --full --descriptions";
    for (wording, words) in [
        ("", "See `barCount`."),
        ("--wording pcl", "See `barCount`."),
        ("--wording python", "See `bar_count`."),
    ] {
        let run = place.run(&format!("{dump} {wording}"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.contains(words), "{wording}: {}", run.stdout);
        assert!(!run.stdout.contains("<span"), "{wording}");
    }
    for refused in ["--wording cobol", "--full --wording cobol"] {
        let run = place.run(&format!("dump bound zoo --output-format json {refused}"));
        assert_eq!(run.status, 2, "{}", run.stderr);
    }
}

#[test]
fn dumps_for_people() {
    let place = place("dump");
    place.write("two/a.pp", "config name string {}\n");
    place.write("two/b.pp",
        "greeting = \"hello ${name}\"\noutput shown {\n  __logicalName = \"Shown\"\n  value = greeting\n}\n",
    );
    insta::assert_snapshot!("dump_bound", place.run("dump bound two").stdout);
    insta::assert_snapshot!("dump_tokens", place.run("dump tokens two").stdout);
    insta::assert_snapshot!("dump_tree", place.run("dump tree two/a.pp").stdout);
    insta::assert_snapshot!("dump_ast", place.run("dump ast two").stdout);
}

#[test]
fn help_for_people() {
    let place = place("help");
    insta::assert_snapshot!("help", place.run("--help").stdout);
    insta::assert_snapshot!("help_check", place.run("check --help").stdout);
    assert_eq!(place.run("version").stdout, place.run("--version").stdout);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.run(&format!("completions {shell}")).stdout.contains("output-format"));
    }
    let book = place.run("explain --all").stdout;
    assert!(
        book.contains("## PCL0301 type-not-assignable\n\n") && book.contains("\n- `element(list"),
        "{book}"
    );
}

/// `pcl explain` knows diagnostics, functions, blocks, options, types, keywords and members of
/// packages, and names that other languages have for them.
#[test]
fn pages_about_everything() {
    let place = place("explain");
    for (topic, start) in [
        ("type-not-assignable", "# PCL0301 type-not-assignable\n\n"),
        ("element", "# The function `element`\n\n`element(list: list(T), index: int) -> T`\n"),
        ("resource", "# The block `resource`\n"),
        ("dependsOn", "# The option `dependsOn`\n"),
        ("depends_on", "# The option `dependsOn`\n"),
        ("DEPENDSON", "# The option `dependsOn`\n"),
        ("requiredVersionRange", "# The attribute `requiredVersionRange` of `pulumi`\n"),
        ("string", "# The type `string`\n"),
        ("for", "# The keyword `for`\n"),
        ("variable", "# The block `config`\n"),
        ("for expression", "# The keyword `for`\n"),
        ("function element", "# The function `element`\n"),
        ("depends on", "# The option `dependsOn`\n"),
        ("", "# Topics of `pcl explain`\n"),
        ("--list", "# Diagnostics\n\n## Files and configuration\n\n- PCL0001 "),
    ] {
        assert_says(&place.run(&format!("explain {topic}")), 0, start);
    }
    for group in ["all", "suspicious", "unused", "security", "upkeep", "style"] {
        let start = format!("# The group of lints `{group}`\n");
        assert_says(&place.run(&format!("explain {group}")), 0, &start);
    }
    let unused = place.run("explain unused").stdout;
    assert!(unused.contains("- PCL0701 `unused-local` (off by default): "), "{unused}");
    assert!(unused.contains("- PCL0711 `unused-ignore` (on by default): "), "{unused}");
    let both = place.run("explain default").stdout;
    assert!(both.contains("# The attribute `default` of `config`"), "{both}");
    assert!(both.contains("# The group of lints `default`\n"), "{both}");
    let both = place.run("explain range").stdout;
    assert!(both.contains("# The option `range`") && both.contains("# The function `range`"));
    place.write("schemas/zoo.json", r#"{"name": "zoo", "resources": {"zoo:index:Cage": {}}}"#);
    assert_says(&place.run("explain zoo:Cage"), 0, "resource zoo:index:Cage\n");
    let mut command = place.command("schema ls");
    // Below the repository, the `schemas` of the folders above count.
    let bare = scratch_outside("bare");
    command.current_dir(&*bare);
    let listed = pcl_test_support::run(command, b"");
    assert_eq!(
        (listed.status, listed.stdout.as_str(), listed.stderr.as_str()),
        (0, "", "no schemas in `schemas`; `pcl schema add NAME` gets one\n")
    );
    let run = place.run("explain unheard:index:Thing");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("no schema for unheard; searched "), "{}", run.stderr);
    assert!(run.stderr.contains("; get it with `pcl schema add unheard`"), "{}", run.stderr);
    for (wrong, meant) in [
        ("type-not-assinable", "did you mean `type-not-assignable`?"),
        ("dependOn", "did you mean `dependsOn`?"),
        ("qqqqqq", "`pcl explain` lists the topics"),
    ] {
        let run = place.run(&format!("explain {wrong}"));
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(meant), "{}", run.stderr);
    }
}

#[test]
fn pages_are_wrapped_and_coloured() {
    let place = place("wrapped");
    let mut command = place.command("explain PCL0408");
    command.env("COLUMNS", "40");
    let text = pcl_test_support::run(command, b"").stdout;
    let words = text.split("\n\n").nth(2).expect("a paragraph");
    assert!(words.lines().count() > 3, "{text}");
    assert!(words.lines().all(|line| line.len() <= 40), "{text}");
    let text = place.run("explain PCL0408 --color always").stdout;
    assert!(text.starts_with("\u{1b}[1mPCL0408 unknown-package\u{1b}[0m\n"), "{text}");
}

#[test]
fn messages_are_wrapped_to_columns() {
    let place = place("columns");
    place.write(
        "long/main.pp",
        "config names \"list(string)\" {\n  default = { a_rather_long_name = 1 }\n}\n",
    );
    let mut command = place.command("check long");
    command.env("COLUMNS", "50");
    let text = pcl_test_support::run(command, b"").stdout;
    assert!(
        text.starts_with(
            "error[PCL0301]: the default of `names` must be a\n  list of strings, found an object\n"
        ),
        "{text}"
    );
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read_is_told_and_the_rest_checked() {
    use std::os::unix::fs::symlink;
    let place = place("unreadable");
    place.write("part/good.pp", TYPO);
    symlink("nowhere", place.join("part/bad.pp")).expect("a link");
    let run = place.run("check part fine --output-format json");
    assert_eq!(run.status, 2);
    let json = run.json();
    let codes: Vec<&str> =
        items(&json["programs"][0], "diagnostics").map(|d| text(d, "code")).collect();
    assert!(codes.contains(&"PCL0001") && codes.contains(&"PCL0601"), "{codes:?}");
    assert_eq!(json["programs"][1]["valid"], true);
    assert!(Path::new(text(&json["programs"][0]["diagnostics"][0], "file")).starts_with("part"));

    // What has no text has no snippet.
    symlink("nowhere", place.join("gone")).expect("a link");
    std::fs::create_dir(place.join("void")).expect("a directory");
    let run = place.run("check part/bad.pp gone -r void nodir");
    insta::assert_snapshot!(run.stdout, @r"
    error[PCL0001]: `part/bad.pp` is a link that leads nowhere
      ┌─ part/bad.pp
      │
      = help: make the file that it leads to, or remove the link

    error[PCL0001]: `gone` is a link that leads nowhere
      ┌─ gone
      │
      = help: make the file that it leads to, or remove the link

    error[PCL0002]: there is no `.pp` file in `void`
      ┌─ void
      │
      = help: name a directory with `.pp` files, or with `-r` one above it

    error[PCL0001]: there is no directory `nodir`
      ┌─ nodir
      │
      = help: check the path and its permissions
    ");
}

#[test]
fn files_are_formatted_in_place() {
    const RAGGED: &str = "config   n int{\ndefault=1 # one\n}\n";
    const LAID_OUT: &str = "config n int {\n  default = 1 # one\n}\n";
    let place = place("fmt");
    place.write("ragged/a.pp", RAGGED);
    place.write("ragged/b.pp", FINE);
    place.write("broken/a.pp", "a = (\n");

    let check = place.run("fmt --check ragged fine");
    assert_says(&check, 1, "ragged/a.pp\n");
    assert_eq!(check.stderr, "1 file would be reformatted, 2 already formatted\n");
    let diff = place.run("fmt --diff -q ragged");
    let expected =
        "--- ragged/a.pp\n+++ ragged/a.pp\n@@ -1,3 +1,3 @@\n-config   n int{\n-default=1 # one\n";
    assert_says(&diff, 1, expected);
    assert_eq!((&*diff.stderr, &*place.read("ragged/a.pp")), ("", RAGGED));

    let run = place.run("fmt ragged");
    assert_says(&run, 0, "");
    assert_eq!(run.stderr, "1 file reformatted, 1 already formatted\n");
    assert_eq!(place.read("ragged/a.pp"), LAID_OUT);
    assert_says(&place.run("fmt --check ragged"), 0, "");

    let run = place.run_with_input("fmt - -q", RAGGED.as_bytes());
    assert_eq!((run.status, &*run.stdout), (0, LAID_OUT));

    // What does not parse is left alone, and the rest is formatted.
    place.write("broken/b.pp", RAGGED);
    let run = place.run("fmt --check broken");
    let summary = "1 file would be reformatted, 0 already formatted, 1 could not be parsed\n";
    assert!(run.stderr.ends_with(summary), "{}", run.stderr);
    let run = place.run("fmt -r . -q");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("broken/a.pp:1:"), "{}", run.stderr);
    assert_eq!(place.read("broken/a.pp"), "a = (\n");
    assert_eq!(place.read("broken/b.pp"), LAID_OUT);
    let run = place.run_with_input("fmt - -q", b"a = (\n");
    assert_eq!((run.status, &*run.stdout), (1, ""));
    assert_eq!(place.run("fmt nowhere").status, 2);
}

#[test]
fn a_range_of_lines_is_formatted() {
    let place = place("fmt-range");
    let run = place.run_with_input("fmt - -q --range 2-2", b"a=1\nb=2\nc=3");
    assert_eq!((run.status, &*run.stdout), (0, "a=1\nb = 2\nc=3"));
    for range in ["0-1", "3-2", "x", "1-"] {
        let run = place.run_with_input(&format!("fmt - --range {range}"), b"a = 1\n");
        assert_eq!(run.status, 2, "{range}");
        assert!(run.stderr.contains("expected two line numbers"), "{}", run.stderr);
    }
}

#[test]
fn a_byte_order_mark_takes_no_column() {
    let place = place("mark");
    place.write("typo/main.pp", "\u{feff}a = b\n");
    for format in ["full", "concise"] {
        let checked = place.run(&format!("check typo --output-format {format}"));
        assert!(checked.stdout.contains("main.pp:1:5"), "{}", checked.stdout);
    }
}

/// Names of commands and flags in other tools lead to those of `pcl`.
#[test]
fn names_of_other_tools_get_advice() {
    let place = place("mistyped");
    for (arguments, advice) in [
        ("validate", "tip: `pcl check` checks programs\n"),
        ("format main.pp", "tip: `pcl fmt` formats files\n"),
        ("up", "tip: Pulumi deploys programs: `pulumi up`\n"),
        ("init", "tip: `pcl new` starts a project, `pulumi stack init` creates a stack\n"),
        ("check --format=json", "tip: the flag of `pcl check` is `--output-format FORMAT`\n"),
        ("convert -o out", "tip: the flag of `pcl convert` is `--out DIR`\n"),
        ("convert --lang yaml", "tip: the flag of `pcl convert` is `--to LANGUAGE`\n"),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.status, 2, "{arguments}");
        assert!(run.stderr.contains(advice), "{arguments}: {}", run.stderr);
        assert_eq!(run.stderr.matches("tip:").count(), 1, "{arguments}: {}", run.stderr);
    }
}

/// An expression without names needs no program.
#[test]
fn expressions_are_evaluated_where_there_is_no_program() {
    let place = place("no-program");
    assert_eq!(place.run("eval 1+2").stdout, "3\n");
    let unknown = place.run("eval size");
    assert_eq!(unknown.status, 1);
    assert!(unknown.stderr.starts_with("error[PCL0201]"), "{}", unknown.stderr);
    let named = place.run("eval 1+2 .");
    assert_eq!(named.status, 1, "{}", named.stderr);
    place.write("main.pp", "size = 3\n");
    assert_eq!(place.run("eval size+1").stdout, "4\n");
}
