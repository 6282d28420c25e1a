//! What nobody should have to read: no input, however bad, makes `pcl` panic, hang, overflow its stack or speak without a place.
//! Each gets a clear error, and everything else in the program is still checked.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Run, items, pcl, pcl_with_input, position, root, scratch, text, write};

const SCHEMAS: &str = "corpus/schemas";

/// A reference to nothing. Where its finding is missing, checking stopped too early.
const CANARY: &str = "\ncanary = nothingOfThisName\n";

/// A program of these files.
fn program(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let directory = scratch(&format!("hostile/{name}"));
    for (file, contents) in files {
        write(&directory.join(file), contents);
    }
    directory
}

/// Checks a path; the answer must be complete JSON whose every finding has a file and a range.
fn check(path: &Path) -> (Run, Vec<Value>) {
    let path = path.to_str().expect("a path of the tests is UTF-8");
    let run = pcl([
        "check",
        "--output-format",
        "json",
        "--schema-dir",
        SCHEMAS,
        path,
    ]);
    let findings = findings(&run);
    (run, findings)
}

/// The findings of a run over one program, each looked at for its place.
fn findings(run: &Run) -> Vec<Value> {
    let document = run.json();
    let programs: Vec<_> = items(&document, "programs").collect();
    assert_eq!(programs.len(), 1, "{}", run.stdout);
    let findings: Vec<Value> = items(programs[0], "diagnostics").cloned().collect();
    for finding in &findings {
        assert!(!text(finding, "file").is_empty(), "no file: {finding}");
        let start = position(&finding["range"], "start", "byte");
        assert!(start <= position(&finding["range"], "end", "byte"));
        assert!(position(&finding["range"], "start", "line") >= 1);
        assert!(!text(finding, "message").is_empty(), "no text: {finding}");
    }
    findings
}

fn codes(findings: &[Value]) -> BTreeSet<&str> {
    findings
        .iter()
        .map(|finding| text(finding, "code"))
        .collect()
}

/// Whether the canary was found: the rest of the program was checked.
fn heard_the_canary(findings: &[Value]) -> bool {
    findings
        .iter()
        .any(|finding| text(finding, "message").contains("nothingOfThisName"))
}

/// Checks a program of one file that is broken before a canary; the error and the canary must both be reported.
fn refused(name: &str, source: &str) -> Vec<Value> {
    let directory = program(name, &[("main.pp", format!("{source}{CANARY}").as_bytes())]);
    let (run, findings) = check(&directory);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(
        heard_the_canary(&findings),
        "{name}: the rest was not checked\n{}",
        run.stdout
    );
    assert!(
        findings.len() >= 2,
        "{name}: the fault itself was not reported\n{}",
        run.stdout
    );
    findings
}

/// Checks something of any size in debug speed: it only has to be answered.
fn answered(name: &str, source: &str) -> Vec<Value> {
    let directory = program(name, &[("main.pp", source.as_bytes())]);
    let (run, findings) = check(&directory);
    assert!(
        run.status == 0 || run.status == 1,
        "{name}: status {}",
        run.status
    );
    findings
}

#[test]
fn bytes_that_are_not_utf8() {
    let source = b"a = \"caf\xe9\"\n# \xff\xfe\ncanary = nothingOfThisName\n";
    let (run, findings) = check(&program("not-utf8", &[("main.pp", source)]));
    assert_eq!(run.status, 1);
    assert!(heard_the_canary(&findings), "{}", run.stdout);
    let first = &findings[0]["range"];
    assert_eq!(position(first, "start", "byte"), 8, "{}", run.stdout);
    assert_eq!(position(first, "end", "byte"), 9, "{}", run.stdout);

    let every_byte: Vec<u8> = (0..=255).collect();
    let (run, _) = check(&program("every-byte", &[("main.pp", &every_byte)]));
    assert_eq!(run.status, 1);
}

#[test]
fn a_directory_without_programs() {
    let directory = program("no-programs", &[("notes.txt", b"nothing")]);
    let (run, findings) = check(&directory);
    assert_eq!(
        (run.status, codes(&findings)),
        (1, BTreeSet::from(["PCL0002"]))
    );

    let path = directory.to_str().unwrap();
    let compatible = pcl(["check", "--compat", "pulumi", path]);
    assert_eq!(compatible.status, 0, "{}", compatible.stdout);
}

#[test]
fn a_path_that_does_not_exist() {
    for path in ["no/such/place", "no/such/place.pp"] {
        let (run, findings) = check(Path::new(path));
        assert_eq!(
            (run.status, codes(&findings)),
            (2, BTreeSet::from(["PCL0001"]))
        );
        assert!(text(&findings[0], "file").contains("no/such/place"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read() {
    let directory = program("unreadable", &[("other.pp", CANARY.as_bytes())]);
    std::os::unix::fs::symlink("/no/such/file", directory.join("main.pp")).unwrap();
    let (run, findings) = check(&directory);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(codes(&findings).contains("PCL0001"), "{}", run.stdout);
    assert!(heard_the_canary(&findings), "{}", run.stdout);
}

#[test]
fn one_bad_path_among_good_ones() {
    let run = pcl([
        "check",
        "--output-format",
        "json",
        "--schema-dir",
        SCHEMAS,
        "corpus/valid/locals",
        "no/such/place",
        "corpus/valid/names",
    ]);
    let document = run.json();
    let paths: Vec<_> = items(&document, "programs")
        .map(|p| text(p, "path"))
        .collect();
    assert_eq!(
        paths,
        ["corpus/valid/locals", "no/such/place", "corpus/valid/names"]
    );
    let valid: Vec<_> = items(&document, "programs")
        .map(|p| p["valid"].clone())
        .collect();
    assert_eq!(valid, [true, false, true].map(Value::from));
    assert_eq!(run.status, 2);
}

#[test]
fn a_reference_in_a_schema_that_leads_nowhere() {
    let findings = refused(
        "dangling",
        "resource \"a\" \"cracked:index:Dangling\" {\n  half = { whole = \"x\" }\n}\n",
    );
    assert!(codes(&findings).contains("PCL0411"), "{findings:?}");
}

#[test]
fn a_schema_that_is_not_json() {
    let findings = refused("garbled", "resource \"a\" \"garbled:index:Thing\" {}\n");
    assert!(
        findings
            .iter()
            .any(|f| f.to_string().contains("garbled-1.0.0.json"))
    );
}

#[test]
fn schemas_of_every_wrong_shape() {
    let shapes = [
        "",
        "null",
        "[]",
        "5",
        "\"x\"",
        "{}",
        "{",
        "{\"name\":5}",
        "{\"name\":\"odd\",\"resources\":[]}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":null}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":5}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":5}}}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":\"#/types/\"}}}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"type\":\"array\"}}}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"oneOf\":[]}}}}}",
        "{\"name\":\"odd\",\"meta\":{\"moduleFormat\":\"(\"},\"resources\":{\"odd:index:R\":{}}}",
        "{\"name\":\"odd\",\"types\":{\"odd:index:E\":{\"type\":\"string\",\"enum\":[]}},\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":\"#/types/odd:index:E\"}}}}}",
        "{\"name\":\"even\",\"resources\":{\"odd:index:R\":{}}}",
    ];
    for (nth, shape) in shapes.iter().enumerate() {
        let directory = program(
            &format!("shape-{nth}"),
            &[
                (
                    "main.pp",
                    format!("resource \"r\" \"odd:index:R\" {{\n  a = 1\n}}{CANARY}").as_bytes(),
                ),
                ("schemas/odd-1.0.0.json", shape.as_bytes()),
            ],
        );
        let (run, findings) = check(&directory);
        assert_eq!(run.status, 1, "{shape}\n{}", run.stdout);
        assert!(heard_the_canary(&findings), "{shape}\n{}", run.stdout);
    }
}

#[test]
fn a_schema_nested_too_deep() {
    for (nth, (open, close)) in [("[", "]"), ("{\"a\":", "}"), ("{\"items\":", "}")]
        .iter()
        .enumerate()
    {
        let deep = format!(
            "{{\"name\":\"odd\",\"resources\":{{\"odd:index:R\":{{\"inputProperties\":{{\"a\":{{\"type\":\"array\",\"items\":{}1{}}}}}}}}}}}",
            open.repeat(20_000),
            close.repeat(20_000)
        );
        let directory = program(
            &format!("deep-schema-{nth}"),
            &[
                (
                    "main.pp",
                    format!("resource \"r\" \"odd:index:R\" {{\n  a = 1\n}}{CANARY}").as_bytes(),
                ),
                ("schemas/odd-1.0.0.json", deep.as_bytes()),
            ],
        );
        let (run, findings) = check(&directory);
        assert_eq!(run.status, 1, "{}", run.stdout);
        assert!(heard_the_canary(&findings), "{}", run.stdout);
    }
}

#[test]
fn blocks_without_their_labels() {
    refused("output", "output {}");
    refused("resource", "resource \"x\" {}");
    for block in ["resource", "read", "config", "output", "component", "hook"] {
        refused(&format!("bare-{block}"), &format!("{block} {{}}\n"));
        refused(
            &format!("many-{block}"),
            &format!("{block} \"a\" \"b\" \"c\" \"d\" {{}}\n"),
        );
    }
}

#[test]
fn type_labels_that_do_not_parse() {
    for (nth, label) in [
        "list(",
        "",
        " ",
        "(",
        "list(string",
        "\\\"",
        "object({",
        "5 5",
        "list(list(",
        "é",
    ]
    .iter()
    .enumerate()
    {
        refused(
            &format!("config-label-{nth}"),
            &format!("config \"a\" \"{label}\" {{}}\n"),
        );
        refused(
            &format!("output-label-{nth}"),
            &format!("output \"a\" \"{label}\" {{\n  value = 1\n}}\n"),
        );
    }
}

#[test]
fn a_block_type_that_nobody_knows() {
    let findings = refused("unknown-block", "wibble \"x\" {\n  a = 1\n}\n");
    assert!(codes(&findings).contains("PCL0204"));
}

#[test]
fn ten_thousand_of_everything_that_nests() {
    const DEPTH: usize = 10_000;
    let wrapped = |before: &str, middle: &str, after: &str| {
        format!(
            "a = {}{middle}{}\n",
            before.repeat(DEPTH),
            after.repeat(DEPTH)
        )
    };
    let sources = [
        ("brackets", wrapped("[", "", "]")),
        ("open-brackets", wrapped("[", "", "")),
        ("closing-brackets", wrapped("", "", "]")),
        ("parentheses", wrapped("(", "1", ")")),
        ("objects", wrapped("{ a = ", "1", " }")),
        ("open-objects", wrapped("{ a = ", "", "")),
        ("calls", wrapped("f(", "1", ")")),
        ("indexes", wrapped("a[", "0", "]")),
        ("templates", wrapped("\"${", "1", "}\"")),
        ("open-templates", wrapped("\"${", "", "")),
        ("directives", wrapped("\"%{ if true }", "\"", "")),
        ("for", wrapped("[for x in ", "[]", " : x]")),
        ("conditions", wrapped("true ? 1 : ", "2", "")),
        ("middle-conditions", wrapped("true ? ", "1", " : 2")),
        ("minus", wrapped("-", "1", "")),
        ("not", wrapped("!", "true", "")),
        ("heredocs", wrapped("<<A\n${", "1", "}\nA\n")),
        (
            "types",
            format!(
                "config \"a\" \"{}int{}\" {{}}\n",
                "list(".repeat(DEPTH),
                ")".repeat(DEPTH)
            ),
        ),
        (
            "blocks",
            format!("{}{}", "b {\n".repeat(DEPTH), "}\n".repeat(DEPTH)),
        ),
        ("open-blocks", "b {\n".repeat(DEPTH)),
        ("closing-braces", "}\n".repeat(DEPTH)),
    ];
    for (name, source) in sources {
        let findings = answered(&format!("deep-{name}"), &source);
        assert!(!findings.is_empty(), "{name}: nothing found");
        assert!(
            findings.len() < 20_100,
            "{name}: {} findings",
            findings.len()
        );
    }
}

#[test]
fn chains_of_twenty_thousand() {
    const LENGTH: usize = 20_000;
    let sources = [
        ("sum", format!("a = 1{}\n", " + 1".repeat(LENGTH))),
        (
            "logic",
            format!("a = true{}\n", " && true || false".repeat(LENGTH / 2)),
        ),
        ("steps", format!("a = b{}\nb = 1\n", ".c".repeat(LENGTH))),
        (
            "indexes",
            format!("config \"b\" {{}}\na = b{}\n", "[0]".repeat(LENGTH)),
        ),
        (
            "computed",
            format!(
                "config \"b\" {{}}\nconfig \"i\" {{}}\na = b{}\n",
                "[i]".repeat(LENGTH)
            ),
        ),
        (
            "splats",
            format!("config \"b\" {{}}\na = b{}\n", "[*]".repeat(LENGTH)),
        ),
        ("elements", format!("a = [{}]\n", "1, ".repeat(LENGTH))),
        (
            "items",
            format!(
                "a = {{{}}}\n",
                (0..LENGTH)
                    .map(|i| format!("k{i} = {i}, "))
                    .collect::<String>()
            ),
        ),
        ("parts", format!("a = \"{}\"\n", "${1}x".repeat(LENGTH))),
        (
            "attributes",
            (0..LENGTH).map(|i| format!("a{i} = {i}\n")).collect(),
        ),
        ("duplicates", "a = 1\n".repeat(LENGTH)),
        (
            "blocks",
            (0..LENGTH / 4)
                .map(|i| format!("config \"c{i}\" \"int\" {{}}\n"))
                .collect(),
        ),
        ("garbage", ") ] } @ ' \" $\n".repeat(LENGTH / 4)),
        ("comments", "# x\n/* y */\n".repeat(LENGTH)),
        ("newlines", "\n".repeat(LENGTH * 10)),
        ("long-name", format!("a = {}\n", "x".repeat(LENGTH * 10))),
        ("long-number", format!("a = {}\n", "9".repeat(LENGTH))),
        (
            "huge-exponent",
            "a = 1e999999999999\nb = 1e-999999999\nc = 1e999999999 + 1\nd = [1][1e999999999]\n"
                .to_owned(),
        ),
        (
            "labels",
            format!("config {}{{}}\n", "\"a\" ".repeat(LENGTH)),
        ),
    ];
    for (name, source) in sources {
        answered(&format!("long-{name}"), &source);
    }
}

#[test]
fn a_chain_of_sixteen_thousand_locals() {
    let forwards: String = (0..16_000)
        .map(|i| format!("a{i} = a{}\n", i + 1))
        .collect();
    assert!(answered("chain", &format!("{forwards}a16000 = 1\n")).is_empty());
    let findings = answered("circle", &format!("{forwards}a16000 = a0\n"));
    assert_eq!(codes(&findings), BTreeSet::from(["PCL0203"]));
    assert_eq!(findings.len(), 1, "one circle, one finding");
}

#[test]
fn many_errors_in_many_lines() {
    let source: String = (0..3_000)
        .map(|i| format!("a{i} = missing{i} + 1\n"))
        .collect();
    assert_eq!(answered("many-errors", &source).len(), 3_000);
}

#[test]
fn components_that_include_each_other() {
    let directory = program(
        "component-circle",
        &[
            (
                "main.pp",
                format!("component \"a\" \"./a\" {{}}{CANARY}").as_bytes(),
            ),
            ("a/main.pp", b"component \"b\" \"../b\" {}\n"),
            (
                "b/main.pp",
                b"component \"a\" \"../a\" {}\ncomponent \"top\" \"..\" {}\n",
            ),
        ],
    );
    let (run, findings) = check(&directory);
    assert_eq!(run.status, 1);
    assert!(heard_the_canary(&findings), "{}", run.stdout);
    assert!(codes(&findings).contains("PCL0501"), "{}", run.stdout);
}

#[test]
fn components_three_hundred_deep() {
    let directory = scratch("hostile/deep-components");
    let mut place = directory.clone();
    for _ in 0..300 {
        write(&place.join("main.pp"), "component \"c\" \"./c\" {}\n");
        place.push("c");
    }
    write(&place.join("main.pp"), "x = 1\n");
    let (run, _) = check(&directory);
    assert!(run.status == 0 || run.status == 1, "status {}", run.status);
}

#[test]
fn standard_input() {
    for (input, status) in [
        (&b""[..], 0),
        (b"a = 1\n", 0),
        (b"a = missing\n", 1),
        (b"\xff\xfe\x00", 1),
        (b"\xef\xbb\xbf", 0),
        (b"a = <<EOT\n", 1),
        (b"\"", 1),
        (b"a = \"${", 1),
        (b"/*", 1),
    ] {
        let arguments = [
            "check",
            "--output-format",
            "json",
            "--stdin-filename",
            "x.pp",
            "-",
        ];
        let run = pcl_with_input(arguments, input);
        assert_eq!(run.status, status, "{input:?}\n{}", run.stdout);
        for finding in findings(&run) {
            assert_eq!(text(&finding, "file"), "x.pp");
        }
    }
}

#[test]
fn usage_mistakes() {
    for arguments in [
        &["check", "--no-such-flag"][..],
        &["chekc", "."],
        &["check", "--output-format", "tea", "corpus/valid/locals"],
        &["check", "--allow", "everything", "corpus/valid/locals"],
        &["check", "--jobs", "many", "corpus/valid/locals"],
        &["dump", "nothing", "corpus/valid/locals"],
    ] {
        let run = pcl(arguments);
        assert_eq!(run.status, 2, "{arguments:?}\n{}", run.stderr);
        assert!(!run.stderr.is_empty(), "{arguments:?} says nothing");
    }
}

/// Every program of the corpus, as arguments.
fn whole_corpus() -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["valid", "broken"] {
        let mut names: Vec<_> = std::fs::read_dir(root().join("corpus").join(kind))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        found.extend(
            names
                .into_iter()
                .map(|name| format!("corpus/{kind}/{name}")),
        );
    }
    found
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    for format in ["full", "concise", "json", "json-lines"] {
        let run = |jobs: &str| {
            let mut arguments = vec![
                "check",
                "--schema-dir",
                SCHEMAS,
                "--output-format",
                format,
                "--jobs",
                jobs,
            ];
            let programs = whole_corpus();
            arguments.extend(programs.iter().map(String::as_str));
            pcl(arguments).stdout
        };
        let alone = run("1");
        assert!(!alone.is_empty());
        assert_eq!(alone, run("4"), "{format}");
        assert_eq!(alone, run("1"), "{format}");
    }
}

/// Every file of the corpus, cut off at every place of its first 400 bytes and with single bytes lost, is answered. One run checks
/// many of them.
#[test]
fn programs_cut_off_anywhere() {
    let directory = scratch("hostile/cuts");
    let mut paths = Vec::new();
    for name in [
        "templates",
        "heredocs",
        "for-expressions",
        "comments-everywhere",
        "resource-options",
        "config-types",
    ] {
        let source = std::fs::read(root().join("corpus/valid").join(name).join("main.pp")).unwrap();
        for cut in (1..source.len()).step_by(7) {
            let path = directory.join(format!("{name}-{cut}.pp"));
            write(&path, &source[..cut]);
            paths.push(path);
            let path = directory.join(format!("{name}-without-{cut}.pp"));
            write(&path, [&source[..cut], &source[cut + 1..]].concat());
            paths.push(path);
        }
    }
    let mut arguments: Vec<_> = ["check", "--output-format", "json", "--schema-dir", SCHEMAS]
        .map(std::ffi::OsString::from)
        .into();
    arguments.extend(paths.iter().map(|path| path.as_os_str().to_owned()));
    let run = pcl(arguments);
    assert_eq!(items(&run.json(), "programs").count(), paths.len());
}
