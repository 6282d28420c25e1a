//! `pcl convert`: the files of a project, printed or in a directory, and nothing where it fails.

mod accepted;

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use pcl_test_support::{Run, SCHEMAS, Scratch, pcl, scratch, sorted, whole_corpus};
use serde_json::Value;

const PROGRAM: &str = "config size int {\n  default = 3\n}\n\
    output total {\n  value = size\n}\n";

/// A program with a part that Pulumi YAML does not have, and something that refers to it.
const LOSSY: &str = "xs = [for x in [1, 2] : \"${stack()}${x}\"]\noutput first {\n  value = xs[0]\n}\n\
    output two {\n  value = 2\n}\n";

fn place(name: &str) -> Scratch {
    let place = scratch(&format!("convert-{name}"));
    place.write("shop/main.pp", PROGRAM);
    place.write("lossy/main.pp", LOSSY);
    place.write("broken/main.pp", "output total {\n  value = sise\n}\n");
    place
}

/// Runs `pcl convert` with these words, of which `@x` is a path in the place.
fn convert(place: &Scratch, arguments: &str) -> Run {
    pcl_at(place, &format!("convert {arguments}"))
}

/// Runs `pcl` with these words, of which `@x` is a path in the place.
fn pcl_at(place: &Scratch, words: &str) -> Run {
    pcl(words.split(' ').map(|word| match word.strip_prefix('@') {
        Some(path) => place.join(path).into_os_string(),
        None => OsString::from(word),
    }))
}

/// The names in a directory.
fn names(directory: &Path) -> Vec<String> {
    let names = sorted(directory).into_iter();
    names.map(pcl_test_support::file_name).collect()
}

#[test]
fn files_are_printed_below_their_names() {
    let place = place("printed");
    let run = convert(&place, "--to yaml @shop");
    assert_eq!((run.status, &*run.stderr), (0, ""));
    assert_eq!(
        run.stdout,
        "# Pulumi.yaml\n---\nname: shop\nruntime: yaml\n# Main.yaml\n---\nconfig:\n  size:\n    type: integer\n    \
         default: 3\noutputs:\n  total: ${size}\n"
    );
    let run = convert(&place, "--to json @shop");
    let (settings, program) = run.stdout.split_once("# Main.json\n---\n").expect("two files");
    let settings = settings.strip_prefix("# Pulumi.json\n---\n").expect("the settings first");
    let settings: Value = serde_json::from_str(settings).expect("JSON");
    assert_eq!(settings, serde_json::json!({ "name": "shop", "runtime": "yaml" }));
    let program: Value = serde_json::from_str(program).expect("JSON");
    assert_eq!(program["outputs"]["total"], "${size}");
}

/// Pulumi takes a directory without files of programs for an empty program.
#[test]
fn an_empty_program_is_a_project() {
    let place = place("empty");
    place.write("empty/README", "");
    let run = convert(&place, "--to yaml @empty");
    assert_eq!((run.status, &*run.stdout), (0, "# Pulumi.yaml\n---\nname: empty\nruntime: yaml\n"));
    assert!(run.stderr.starts_with("warning[PCL0002]"), "{}", run.stderr);
    let run = convert(&place, "--to yaml @empty --error-on-warning");
    assert_eq!((run.status, &*run.stdout), (1, ""));
}

/// The name is that of the project, which keys of the configuration depend on.
#[test]
fn the_project_keeps_its_name() {
    let place = place("name");
    place.write("Pulumi.yaml", "name: market\nruntime: pcl\n");
    let name = |arguments: &str| {
        let run = convert(&place, arguments);
        let line = run.stdout.lines().nth(2).unwrap_or_default().to_owned();
        line.strip_prefix("name: ").expect("the name").to_owned()
    };
    assert_eq!(name("--to yaml @shop"), "market");
    assert_eq!(name("--to yaml @shop --name stall"), "stall");
}

#[test]
fn files_are_written_into_a_directory() {
    let place = place("out");
    let run = convert(&place, "--to json @shop --out @made/deep");
    assert_eq!((run.status, &*run.stdout), (0, ""));
    let out = place.join("made/deep").display().to_string();
    assert_eq!(run.stderr, format!("wrote 2 files to {out}\n"));
    assert_eq!(names(&place.join("made/deep")), ["Main.json", "Pulumi.json"]);
    assert_eq!(convert(&place, "--to json @shop --out @quiet --quiet").stderr, "");

    // Nothing is replaced without `--force`.
    place.write("made/deep/Pulumi.json", "mine");
    fs::remove_file(place.join("made/deep/Main.json")).expect("it can be removed");
    let run = convert(&place, "--to json @shop --out @made/deep");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("Pulumi.json` exists"), "{}", run.stderr);
    assert!(run.stderr.contains("`--force` replaces it"), "{}", run.stderr);
    assert_eq!(names(&place.join("made/deep")), ["Pulumi.json"]);
    assert_eq!(place.read("made/deep/Pulumi.json"), "mine");
    assert_eq!(convert(&place, "--to json @shop --out @made/deep --force").status, 0);
    assert!(place.read("made/deep/Pulumi.json").contains("\"shop\""));
}

#[test]
fn a_program_with_errors_is_reported_and_not_written() {
    let place = place("broken");
    let run = convert(&place, "--to yaml @broken --out @out");
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("PCL0201"), "{}", run.stdout);
    assert_eq!(run.stderr, "nothing is written\n");
    assert!(!place.join("out").exists());
    // Standard output is for the files.
    let run = convert(&place, "--to yaml @broken");
    assert_eq!((run.status, &*run.stdout), (1, ""));
    assert!(run.stderr.contains("PCL0201"), "{}", run.stderr);
}

#[test]
fn what_the_language_does_not_have_is_reported() {
    let place = place("lossy");
    let found = |run: &Run| -> Vec<(String, String, u64)> {
        let report = run.json();
        let diagnostics = report["programs"][0]["diagnostics"].as_array().expect("a list");
        diagnostics
            .iter()
            .map(|found| {
                let field = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
                let line = found["range"]["start"]["line"].as_u64().unwrap_or_default();
                (field("code"), field("severity"), line)
            })
            .collect()
    };
    let two = |severity: &str| {
        let one = |code: &str, line| (code.to_owned(), severity.to_owned(), line);
        vec![one("PCL1201", 1), one("PCL1202", 3)]
    };
    let run = convert(&place, "--to yaml @lossy --out @out --output-format json");
    assert_eq!((run.status, found(&run)), (1, two("warning")));
    assert!(
        run.stderr.ends_with(
            "the project is incomplete, for 1 reason; `--allow-incomplete` accepts that\n"
        )
    );
    assert!(place.read("out/Pulumi.yaml").ends_with("outputs:\n  two: 2\n"));
    let run = convert(&place, "--to yaml @lossy --allow-incomplete");
    assert_eq!(run.status, 0, "{}", run.stderr);

    // Pulumi's binder, whose verdict is emulated, has no verdict on projects.
    let run =
        convert(&place, "--to yaml @lossy --out @pulumi --output-format json --compat pulumi");
    assert_eq!((run.status, found(&run)), (1, two("warning")));

    // As an error, it keeps everything from being written.
    let run =
        convert(&place, "--to yaml @lossy --out @none --output-format json --error-on-warning");
    assert_eq!((run.status, found(&run)), (1, two("warning")));
    assert_eq!(run.stderr, "nothing is written\n");
    let run = convert(
        &place,
        "--to yaml @lossy --out @none --output-format json --error no-counterpart,left-out",
    );
    assert_eq!((run.status, found(&run)), (1, two("error")));
    assert!(!place.join("none").exists());
    let run = convert(
        &place,
        "--to yaml @lossy --out @none --output-format json --ignore no-counterpart,left-out",
    );
    assert_eq!((run.status, found(&run)), (1, Vec::new()));
}

/// Every program of the corpus becomes files or a reason, in every language.
#[test]
fn the_corpus_is_converted() {
    let place = place("corpus");
    for (at, program) in whole_corpus().iter().enumerate() {
        let check = pcl(["check", "--schema-dir", SCHEMAS, program]);
        for (language, file) in [
            ("typescript", "index.ts"),
            ("python", "__main__.py"),
            ("go", "main.go"),
            ("java", "src/main/java/generated_program/App.java"),
            ("yaml", "Pulumi.yaml"),
        ] {
            let out = place.join(format!("{language}/{at}"));
            let path = out.display().to_string();
            let words = ["convert", "--to", language, "--allow-incomplete", "--schema-dir"];
            let run = pcl([&words[..], &[SCHEMAS, program, "--out", &path]].concat());
            assert_eq!(run.status == 0, out.join(file).exists(), "{program}");
            if program.ends_with("/empty-directory") {
                assert!(run.stdout.contains("warning[PCL0002]"), "{}", run.stdout);
                continue;
            }
            assert_eq!(run.status, check.status, "{program}: {}", run.stderr);
            assert!(check.status != 1 || run.stdout.contains("error["), "{program}");
        }
    }
}

/// The type token of a component is that of a preview, whatever its class is called.
#[test]
fn components_keep_their_types() {
    let place = place("components");
    let sources =
        ["web-site", "web.site", "2nd", "a_b", "aB", "XML-http", "a+b", "größe", "x/../a_b/."];
    let mut program = String::new();
    for (at, source) in sources.iter().enumerate() {
        if !source.contains('/') {
            place.write(&format!("parts/{source}/main.pp"), "output y {\n  value = 1\n}\n");
        }
        program += &format!("component c{at} \"./{source}\" {{}}\n");
    }
    place.write("parts/main.pp", &program);
    let tokens = |text: &str| {
        let parts = text.split("components:index:").skip(1);
        let ends = |c: char| matches!(c, ' ' | '"' | '\\' | '\n');
        let names = parts.map(|part| part.split(ends).next().unwrap_or_default().to_owned());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    let shown = tokens(&pcl_at(&place, "preview @parts").stdout);
    let expected = ["2nd", "A+b", "AB", "Größe", "WebSite", "XMLHttp"];
    assert_eq!(shown.iter().collect::<Vec<_>>(), expected);
    for command in [
        "convert --to typescript @parts",
        "convert --to python @parts",
        "graph --output-format json @parts",
        "dump bound @parts",
    ] {
        let run = pcl_at(&place, command);
        assert_eq!(tokens(&run.stdout), shown, "{command}: {}", run.stderr);
    }
}

/// The modules of components are in the project, beside the files of Node.js.
#[test]
fn typescript_is_a_project_of_its_own() {
    let place = place("typescript");
    place.write("shop/part/main.pp", "output half {\n  value = 0.5\n}\n");
    place.write("shop/use.pp", "component part \"./part\" {}\n");
    let run = convert(&place, "--to typescript @shop --out @out");
    assert_eq!((run.status, &*run.stdout), (0, ""));
    let files = ["Pulumi.yaml", "index.ts", "package.json", "part.ts", "tsconfig.json"];
    assert_eq!(names(&place.join("out")), files);
    assert!(place.read("out/index.ts").contains("export const total = size;"));
}

/// The characters that end a comment in a language are not in comments: the rest would be code.
#[test]
fn comments_end_where_their_lines_do() {
    let place = place("comments");
    let text = "config size int { description = \"how\\rmany()\\u2028more()\" }\n\
                # a\u{2028}comment\noutput o { value = size }\n";
    place.write("odd/main.pp", text);
    for language in ["typescript", "python", "go", "yaml"] {
        let run = convert(&place, &format!("--to {language} @odd"));
        assert_eq!(run.status, 0, "{language}: {}", run.stderr);
        let odd = ['\r', '\u{2028}'];
        assert!(run.stdout.contains("comment") && !run.stdout.contains(odd), "{}", run.stdout);
    }
}
