//! The files, codes, commands and pages that the documents name exist; documents and comments are
//! wrapped, and doc comments begin with a noun or a verb.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pcl::diagnostics::Code;
use pcl::render::Format;
use pcl_convert::Language;
use pcl_test_support::programs::pages;
use pcl_test_support::{command, file_name, generated_part, pcl, root, run, sorted, write};

/// Every document for people.
fn documents() -> Vec<PathBuf> {
    let single = [
        "README.md",
        "ARCHITECTURE.md",
        "bindings/go/README.md",
        "bindings/python/README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "corpus/README.md",
        "diagnostics/STYLE.md",
        "generators/python/README.md",
        "generators/yaml/README.md",
        "packaging/README.md",
    ];
    let mut found: Vec<PathBuf> = single.map(|name| root().join(name)).into();
    for folder in ["docs", "tests/spec", "diagnostics/pages"] {
        found.extend(pages(&root().join(folder)));
    }
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words between backticks in a text, outside of fenced blocks.
fn quoted(text: &str) -> Vec<&str> {
    let fences = text.split("```").step_by(2);
    fences.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

/// Returns true if a path exists. The first part with a `*` matches any name of that form, and the
/// parts after it are not checked.
fn exists(path: &Path) -> bool {
    let pattern = path.ancestors().filter(|part| part.to_string_lossy().contains('*'));
    let Some(pattern) = pattern.last() else { return path.exists() };
    let name = file_name(pattern);
    let (start, end) = name.split_once('*').expect("it has one");
    let folder = pattern.parent().expect("a file lies in a folder");
    let mut names = sorted(folder).into_iter().map(file_name);
    names.any(|name| name.starts_with(start) && name.ends_with(end.trim_end_matches('*')))
}

#[test]
fn every_path_is_there() {
    let top: BTreeSet<String> = sorted(root()).iter().map(file_name).collect();
    let mut missing = Vec::new();
    for document in documents() {
        let text = read(&document);
        // A path from the root begins with an existing name; others are examples.
        let from_root = quoted(&text).into_iter().filter(|word| {
            let first = word.split('/').next().unwrap_or_default();
            let is_path = word.contains('/') && !word.contains(char::is_whitespace);
            // The server's own requests are called `pcl/name`.
            let is_request = |rest: &str| rest.chars().all(char::is_alphanumeric);
            let is_request = word.strip_prefix("pcl/").is_some_and(is_request);
            is_path && !is_request && top.contains(first)
        });
        // A heading of the file may follow.
        let file = |path: &str| root().join(path.split('#').next().unwrap_or_default());
        let mut paths: Vec<PathBuf> = from_root.map(file).collect();
        let folder = document.parent().expect("a file lies in a folder");
        // In fenced blocks there is code, where brackets mean something else.
        let prose = text.split("```").step_by(2);
        let links = prose.flat_map(|prose| prose.split("](").skip(1));
        let links = links.filter_map(|rest| Some(rest.split_once(')')?.0));
        // A link to an item, in a page that is documentation too, is rustdoc's to check.
        let files = links.filter(|link| !link.contains([':', '#']));
        paths.extend(files.map(|link| folder.join(link)));
        let gone = paths.into_iter().filter(|path| !exists(path));
        missing.extend(gone.map(|path| format!("{}: {}", document.display(), path.display())));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_code_is_in_the_catalogue() {
    for document in documents() {
        let text = read(&document);
        for (at, _) in text.match_indices("PCL") {
            let code = text.get(at..at + 7).unwrap_or_default();
            let is_code = code.len() == 7 && code[3..].bytes().all(|byte| byte.is_ascii_digit());
            assert!(
                !is_code || Code::ALL.iter().any(|known| known.id() == code),
                "{}: {code}",
                document.display()
            );
        }
    }
}

/// The README lists the lints, each with its meaning and its level.
#[test]
fn the_table_of_lints_is_generated() {
    generated_part("README.md", |_| {
        let rows = Code::lints().map(|code| {
            let summary = code.summary().trim_end_matches("Off by default.");
            let summary = summary.trim_end().trim_end_matches('.');
            let mut letters = summary.chars();
            let first = letters.next().map(|letter| letter.to_ascii_lowercase());
            let meaning: String = first.into_iter().chain(letters).collect();
            let level = if code.is_default() { "warning" } else { "off" };
            format!("| {code} | `{}` | {meaning} | {level} |\n", code.name())
        });
        let head = "| code | name | meaning | default |\n|---|---|---|---|\n";
        head.to_owned() + &rows.collect::<String>()
    });
}

/// The number of tests that pass with Pulumi's generator for Node.js; the control run of `.ci/slow`
/// fails when it is another.
const PULUMI_NODEJS: usize = 189;

/// The same for Python.
const PULUMI_PYTHON: usize = 188;

/// The same for Go.
const PULUMI_GO: usize = 153;

/// The page about conversion says how many tests pass, from the lists that the judges keep.
#[test]
fn the_table_of_conformance_tests_is_generated() {
    let list = |path: &str| {
        let text = read(&root().join(path));
        let tests = serde_json::from_str::<Vec<String>>(&text).expect("a list of tests");
        // These are about packages of components in the host's own language.
        tests.iter().filter(|name| !name.starts_with("provider-")).count()
    };
    // The hosts of the languages refuse the test of a large string.
    let all = list("tests/engine/conformance.json") - 1;
    let fails = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let passed = |path: &str| all - read(&root().join(path)).lines().filter(fails).count();
    let pulumi_yaml = passed("tests/generated/known-yaml.txt");
    let pulumi_java = passed("tests/engine/known-java.txt");
    let pulumi_back = list("tests/generated/yaml-entrance-control.json");
    let rows = [
        ("Node.js", PULUMI_NODEJS.to_string(), "nodejs"),
        ("Python", PULUMI_PYTHON.to_string(), "python"),
        ("Go", PULUMI_GO.to_string(), "go"),
        ("Java", pulumi_java.to_string(), "java"),
        ("Pulumi YAML", pulumi_yaml.to_string(), "yaml"),
        ("Pulumi YAML, and back by Pulumi", "–".to_owned(), "yaml-back"),
        ("Pulumi YAML, and back by `pcl`", pulumi_back.to_string(), "yaml-entrance"),
    ];
    let rows = rows.map(|(language, pulumi, floor)| {
        let own = list(&format!("tests/generated/{floor}.json"));
        format!("| {language} | {pulumi} | {own} |\n")
    });
    let head = format!(
        "| tests that pass, of {all} | Pulumi's generators | `pcl convert` |\n|---|---:|---:|\n"
    );
    let types = table_of_type_checkers();
    generated_part("docs/converting.md", |_| head + &rows.concat() + &types);
}

/// The sentence and the table about the type checkers of Python.
fn table_of_type_checkers() -> String {
    let text = read(&root().join("tests/python/type_check.json"));
    let record: serde_json::Value = serde_json::from_str(&text).expect("a record");
    let figure = |generator: &str, name: &str| record[generator][name].as_u64().expect("a figure");
    let rows = [("parse", "syntax"), ("mypy accepts", "mypy"), ("pyright accepts", "pyright")];
    let rows = rows.map(|(row, name)| {
        let [pulumi, pcl] = ["pulumi", "pcl"].map(|generator| figure(generator, name));
        format!("| that {row} | {pulumi} | {pcl} |\n")
    });
    format!(
        "\nmypy and pyright read programs in Python in strict mode, with the published SDKs \
         (`tests/python`):\n\n\
         | programs in Python, of {} | Pulumi's generator | `pcl convert` |\n|---|---:|---:|\n{}",
        figure("pcl", "programs"),
        rows.concat()
    )
}

/// The package for Python knows the formats of diagnostics.
#[test]
fn the_formats_of_the_python_package_are_generated() {
    let line = |format: Format| format!("    \"{}\",\n", format.name());
    let lines: String = Format::ALL.into_iter().map(line).collect();
    generated_part("bindings/python/python/pcl/program.py", |_| lines);
}

/// The package for Python knows the languages that programs are converted to.
#[test]
fn the_languages_of_the_python_package_are_generated() {
    let line = |language: Language| format!("    \"{}\",\n", language.name());
    let lines: String = Language::ALL.into_iter().map(line).collect();
    generated_part("bindings/python/python/pcl/workspace.py", |_| lines);
}

/// As `gofmt` lays them out.
#[test]
fn the_languages_of_the_package_for_go_are_generated() {
    let name = |language: Language| match language.name() {
        "typescript" => "TypeScript".to_owned(),
        name @ ("json" | "yaml") => name.to_uppercase(),
        name => format!("{}{}", name[..1].to_uppercase(), &name[1..]),
    };
    let names = Language::ALL.map(name);
    let width = names.iter().map(String::len).max().expect("there are languages");
    let line = |(name, language): (&String, Language)| {
        format!("\t{name:width$} Language = \"{}\"\n", language.name())
    };
    let lines: String = names.iter().zip(Language::ALL).map(line).collect();
    generated_part("bindings/go/ask.go", |_| lines);
}

/// The package for JavaScript declares the same.
#[test]
fn the_package_for_javascript_declares_every_language() {
    let source = read(&root().join("bindings/generators/src/lib.rs"));
    let names = Language::ALL.map(|language| format!("\"{}\"", language.name()));
    let declared = format!("language: {},", names.join(" | "));
    assert!(source.contains(&declared), "{declared}");
}

/// The README lists existing commands.
#[test]
fn every_command_of_the_readme_is_there() {
    let readme = read(&root().join("README.md"));
    let mut commands = 0;
    for line in readme.lines().filter_map(|line| line.strip_prefix("pcl ")) {
        // The command is followed by its arguments in capitals and options, then after spaces by
        // its description.
        let synopsis = line.split("  ").next().unwrap_or_default();
        let is_command = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'|');
        let words: Vec<&str> = synopsis.split(' ').take_while(is_command).collect();
        let all: Vec<Vec<&str>> = match words.as_slice() {
            [one, "|", other] => vec![vec![one], vec![other]],
            [one, each] => each.split('|').map(|each| vec![*one, each]).collect(),
            words => vec![words.to_vec()],
        };
        for command in all {
            let run = pcl(command.iter().copied().chain(["--help"]));
            assert_eq!(run.status, 0, "{command:?} of {line}");
            commands += 1;
        }
    }
    assert!(commands > 0, "the README lists no commands");
}

/// The Rust sources in and below a directory, except build output.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for path in sorted(directory) {
        let name = file_name(&path);
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The name by which people look for a source: that of a module, whether it is a file or a folder.
fn module_name(source: &Path) -> String {
    let folder = source.parent().expect("a file lies in a folder");
    let is_folder = source.ends_with("mod.rs");
    let named = if is_folder { folder } else { source };
    file_name(named.with_extension(""))
}

/// A source that applies a rule names the page that states it, and has its name; none names a page
/// that is gone.
#[test]
fn every_page_of_the_reference_has_the_name_of_its_source() {
    let mut files = Vec::new();
    let folders = [sorted(root()), sorted(&root().join("runtime"))].concat();
    let crates = folders.into_iter().map(|path| path.join("src"));
    for folder in crates.filter(|path| path.is_dir()) {
        sources(&folder, &mut files);
    }
    sources(&root().join("cli"), &mut files);
    let (mut named, mut namesakes) = (BTreeSet::new(), BTreeSet::new());
    for file in files {
        let source = read(&file);
        let rest = source.split("tests/spec/").skip(1);
        let pages = rest.filter_map(|rest| Some(rest.split_once(".md")?.0));
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "/_-".contains(c);
        for page in pages.filter(|page| page.chars().all(is_of_name)) {
            named.insert(page.to_owned());
            if file_name(page) == module_name(&file) {
                namesakes.insert(page.to_owned());
            }
        }
    }
    let folder = root().join("tests/spec");
    let there: BTreeSet<String> = pages(&folder)
        .iter()
        .map(|path| path.strip_prefix(&folder).expect("it lies in it"))
        .map(|path| path.with_extension("").display().to_string())
        .filter(|name| name != "README")
        .collect();
    assert_eq!(named, there);
    let strangers: Vec<&String> = there.difference(&namesakes).collect();
    assert!(strangers.is_empty(), "no source of the same name names these pages: {strangers:?}");
}

/// The width at which prose is wrapped.
const WIDTH: usize = 100;

/// Words that open no doc comment: it names the item, or says what the item does.
const QUESTIONS: [&str; 6] = ["How", "Of", "What", "When", "Where", "Whether"];

/// The lines of prose that are too wide, by number. `text` returns the prose of a line of the file.
/// Tables, code and links cannot be wrapped.
fn wide_lines<'t>(file: &'t str, text: impl Fn(&'t str) -> Option<&'t str>) -> Vec<usize> {
    let mut is_code = false;
    let mut found = Vec::new();
    for (at, line) in file.lines().enumerate() {
        let Some(prose) = text(line) else { continue };
        let has_link = || prose.split(' ').any(|word| word.len() > WIDTH / 2);
        if prose.starts_with("```") {
            is_code = !is_code;
        } else if line.chars().count() > WIDTH
            && !is_code
            && !prose.starts_with(['|', '<'])
            && !has_link()
        {
            found.push(at + 1);
        }
    }
    found
}

/// The text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

/// The text of a line that is a doc comment.
fn doc_comment(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let text = text.strip_prefix("///").or(text.strip_prefix("//!"))?;
    Some(text.trim())
}

fn all_sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    sources(root(), &mut found);
    found
}

#[test]
fn prose_is_wrapped() {
    let mut wide = Vec::new();
    let mut check = |path: &Path, lines: Vec<usize>| {
        wide.extend(lines.iter().map(|line| format!("{}:{line}", path.display())));
    };
    for path in documents() {
        check(&path, wide_lines(&read(&path), |line| Some(line.trim_start())));
    }
    for path in all_sources() {
        check(&path, wide_lines(&read(&path), comment));
    }
    assert!(wide.is_empty(), "wider than {WIDTH}:\n{}", wide.join("\n"));
}

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let mut questions = Vec::new();
    for path in all_sources() {
        let mut before = None;
        for (at, line) in read(&path).lines().enumerate() {
            let text = doc_comment(line);
            // The line after a heading such as `# Errors` begins a sentence too.
            let is_first = before.is_none_or(|above: bool| above);
            let word = text.and_then(|text| text.split(' ').next());
            if is_first && word.is_some_and(|word| QUESTIONS.contains(&word)) {
                questions.push(format!("{}:{}: {line}", path.display(), at + 1));
            }
            before = text.map(|text| text.starts_with("# "));
        }
    }
    assert!(questions.is_empty(), "{}", questions.join("\n"));
}

/// The blocks of code in a text that have a language, in their order.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let start = format!("```{language}\n");
    let parts = text.split(&start).skip(1);
    parts.filter_map(|part| part.split_once("```")).map(|(block, _)| block).collect()
}

/// The README begins with a program, with what `pcl check` says about it, and with its correction.
#[test]
fn the_first_program_of_the_readme_is_checked_and_fixed() {
    let readme = read(&root().join("README.md"));
    let [program, corrected, ..] = blocks(&readme, "pcl")[..] else { panic!("two programs") };
    let said = blocks(&readme, "text")[0];
    let directory = tempfile::tempdir().expect("a directory");
    write(&directory.path().join("main.pp"), program);
    // The schema in the repository is a part of the published one.
    let schema = read(&root().join("tests/performance/random-4.21.1.json"));
    let mut schema: serde_json::Value = serde_json::from_str(&schema).expect("a schema");
    schema["meta"] = serde_json::json!({ "moduleFormat": "(.*)(?:/[^/]*)" });
    write(&directory.path().join("schemas/random-4.21.1.json"), schema.to_string());
    let check = |arguments: &[&str]| {
        let mut command = command();
        command.arg("check").args(arguments).current_dir(directory.path());
        run(command, b"")
    };
    assert_eq!(check(&["main.pp"]).stdout.trim_end(), said.trim_end());
    assert_eq!(check(&["--fix", "main.pp"]).status, 0);
    let fixed = read(&directory.path().join("main.pp"));
    assert!(fixed.contains(corrected), "{fixed}");
}
