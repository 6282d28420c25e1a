//! The generator translates the programs of the corpora; its output is read back and compared with
//! the model.

mod compare;
mod kinds;
mod term;
mod yaml;

use std::path::{Path, PathBuf};

use compare::{Comparison, Counts, line};
use pcl::generated::{Project, ProjectFile};
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use pcl_test_support::{corpus, generated_part, root, skip};
use pcl_yaml::{Limit, generate, generate_json};

/// The programs in and below a directory: every directory with files is one, or every file.
fn programs(directory: &Path, files: bool, found: &mut Vec<PathBuf>) {
    let entries = pcl_test_support::sorted(directory);
    let is_file = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "pp");
    match entries.iter().find(is_file) {
        Some(_) if files => found.extend(entries.iter().filter(is_file).cloned()),
        Some(_) => found.push(directory.to_owned()),
        None => {}
    }
    // A thousand programs over a schema of 97 MB would take longer than all others.
    let is_small = |path: &&PathBuf| !pcl_test_support::file_name(path).starts_with("azure-native");
    for path in entries.iter().filter(|path| path.is_dir()).filter(is_small) {
        programs(path, files, found);
    }
}

/// Takes programs through the generator.
fn tour(schemas: Vec<PathBuf>, programs: Vec<PathBuf>, counts: &mut Counts) {
    let workspace = Workspace::new(Settings {
        schemas: SchemaPlaces { directories: schemas, ..SchemaPlaces::default() },
        ..Settings::default()
    });
    let mut complaints = Vec::new();
    for program in programs {
        let checked = workspace.check(&Target::Path(program));
        if !checked.is_valid() {
            counts.count("programs with errors, passed over", 1);
            continue;
        }
        let document = checked.document();
        let project = generate(&document, "example");
        counts.count("programs", 1);
        let before = complaints.len();
        let mut comparison = Comparison::new(&document, &project, counts);
        comparison.run();
        complaints.append(&mut comparison.complaints);
        complaints.extend(differences(&project, &generate_json(&document, "example")));
        if complaints.len() == before && project.unsupported.is_empty() {
            counts.count("complete programs", 1);
        }
        let diagnostics = project.diagnostics(&document, &checked);
        if diagnostics.len() != project.unsupported.len() {
            let program = &checked.path;
            complaints.push(format!("{program}: an unsupported construct has no place"));
        }
    }
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// The differences between a project and the same project in JSON, which is YAML as well.
fn differences(project: &Project, json: &Project) -> Vec<String> {
    let read = |file: &ProjectFile| match yaml::Yaml::parse(&file.text) {
        Ok(read @ yaml::Yaml::Map(_)) => match read.resolved() {
            yaml::Yaml::Map(entries) => entries,
            _ => Vec::new(),
        },
        other => panic!("{}: {other:?}\n{}", file.path, file.text),
    };
    let mut complaints = Vec::new();
    let [yaml_files, json_files] = [project, json].map(|project| &project.files[..]);
    let ([first, rest @ ..], [settings, main, json_rest @ ..]) = (yaml_files, json_files) else {
        panic!("a project has its own files");
    };
    let paths = [&first.path, &settings.path, &main.path].map(String::as_str);
    assert_eq!(paths, ["Pulumi.yaml", "Pulumi.json", "Main.json"]);
    // A program with configuration has a file of its own.
    let (mut program, rest) = match rest {
        [program, rest @ ..] if program.path == "Main.yaml" => (read(program), rest),
        _ => (Vec::new(), rest),
    };
    let has_config = |entries: &[(String, yaml::Yaml)]| entries.iter().any(|it| it.0 == "config");
    assert_eq!(has_config(&program), !program.is_empty());
    assert!(!has_config(&read(first)), "{}", first.text);
    program.splice(..0, read(first));
    let is_json =
        |file: &ProjectFile| serde_json::from_str::<serde_json::Value>(&file.text).is_ok();
    if !json_files.iter().all(is_json) {
        complaints.push("a file is not JSON".to_owned());
    }
    let mut whole = read(settings);
    whole.extend(read(main));
    if whole != program || rest.len() != json_rest.len() {
        complaints.push(format!("{}\n is not\n{program:?}", main.text));
    }
    for (file, json) in rest.iter().zip(json_rest) {
        if file.path != json.path || read(file) != read(json) {
            complaints.push(format!("{}\n is not\n{}", json.text, file.text));
        }
    }
    if project.unsupported != json.unsupported {
        complaints.push("JSON leaves out something else".to_owned());
    }
    complaints
}

fn own_corpus() -> Counts {
    let directory = root().join("corpus");
    let programs = corpus("valid").into_iter();
    let programs = programs.map(|name| directory.join("valid").join(name));
    let mut counts = Counts::default();
    tour(vec![directory.join("schemas")], programs.collect(), &mut counts);
    counts
}

/// The conformance programs, and what else there is of programs that others wrote.
fn shared_corpora() -> Option<[Counts; 2]> {
    let shared = root().join("../shared/corpus");
    if !shared.is_dir() {
        let reason = format!("{} is not beside this checkout", shared.display());
        skip("PCL_REQUIRE_SHARED", reason);
        return None;
    }
    let schemas = |sets: &[&str]| sets.iter().map(|set| shared.join("schemas").join(set)).collect();
    let all = |sets: &[&str], files: bool| {
        let mut found = Vec::new();
        for set in sets {
            programs(&shared.join("programs").join(set), files, &mut found);
        }
        found
    };
    let conformance = all(&["conformance", "projects"], false);
    let examples = all(&["examples"], true);
    let converters = all(
        &["codegen", "pulumi-converter-bicep", "pulumi-converter-terraform", "pulumi-yaml"],
        false,
    );
    let mut others = Counts::default();
    tour(schemas(&["providers"]), examples, &mut others);
    tour(schemas(&["testdata", "providers", "conformance"]), converters, &mut others);
    let mut counts = Counts::default();
    tour(schemas(&["conformance"]), conformance, &mut counts);
    Some([counts, others])
}

/// The things that are counted, in the order in which they are shown.
const THINGS: &[&str] = &[
    "programs",
    "complete programs",
    "programs with errors, passed over",
    "resources",
    "reads",
    "components",
    "properties",
    "options",
    "config",
    "variables",
    "outputs",
    "references",
    "packages",
];

/// The programs agree with the model, and the README counts them and lists the
/// limits that they meet.
#[test]
fn programs_agree_with_the_model_and_their_figures_are_generated() {
    let own = own_corpus();
    let shared = shared_corpora();
    generated_part("generators/yaml/README.md", |table| figures(&own, shared.as_ref(), table));
}

/// The table of the figures. `table` is the one that the README has.
fn figures(own: &Counts, shared: Option<&[Counts; 2]>, table: &str) -> String {
    let mut rows = Vec::new();
    let mut row = |name: &str, count: &dyn Fn(&Counts) -> usize| {
        // If the other programs are not available, the figures of the README are kept.
        let told = table.lines().find_map(|line| line.strip_prefix(&format!("| {name} | ")));
        let told = told.and_then(|told| told.split_once(" | ")).map_or("", |(_, told)| told);
        let others = match shared {
            Some([conformance, others]) => format!("{} | {} |", count(conformance), count(others)),
            None => told.to_owned(),
        };
        rows.push(format!("| {name} | {} | {others}\n", count(own)));
    };
    for &thing in THINGS {
        row(thing, &|counts| counts.things.get(thing).copied().unwrap_or(0));
    }
    for &limit in Limit::ALL {
        let name = format!("left out: {}", limit.description());
        row(&name, &|counts| counts.limits.get(limit.description()).copied().unwrap_or(0));
    }
    let head = "| | `corpus/valid` | conformance programs | other public programs |\n|---|---:|---:|---:|\n";
    head.to_owned() + &rows.concat()
}

/// A program with errors gives what is left of it.
#[test]
fn broken_programs_do_not_panic() {
    let directory = root().join("corpus");
    let workspace = Workspace::new(Settings {
        schemas: SchemaPlaces {
            directories: vec![directory.join("schemas")],
            ..SchemaPlaces::default()
        },
        ..Settings::default()
    });
    for name in corpus("broken") {
        let program = Target::Path(directory.join("broken").join(&name));
        let document = workspace.check(&program).document();
        for file in generate(&document, "broken").files {
            if let Err(error) = yaml::Yaml::parse(&file.text) {
                panic!("{name}: {}: {error}\n{}", file.path, file.text);
            }
        }
    }
}

/// The translation of a program of one file.
fn pulumi_yaml(text: &str) -> String {
    let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
    let project = generate(&checked.document(), "demo");
    let text = &project.files[0].text;
    let body = text.strip_prefix("name: demo\nruntime: yaml\n");
    body.expect("the head is there").to_owned()
}

#[test]
fn text_keeps_its_meaning() {
    let values = [
        (r#""plain""#, "plain"),
        (r#""""#, r#""""#),
        (r#""yes""#, r#""yes""#),
        (r#""1.5""#, r#""1.5""#),
        (r#""a: b""#, r#""a: b""#),
        (r#""$${a} costs $5""#, "$${a} costs $5"),
        (r#""a\tb\u0007""#, r#""a\tb\U00000007""#),
        ("-7", "-7"),
    ];
    for (pcl, yaml) in values {
        let text = pulumi_yaml(&format!("x = {pcl}\n"));
        assert_eq!(text, format!("variables:\n  x: {yaml}\n"));
    }
    // A dollar sign before an interpolation is doubled.
    let text = pulumi_yaml("a = 5\nprice = \"US${\"$\"}${a}\"\n");
    assert_eq!(text, "variables:\n  a: 5\n  price: US$$${a}\n");
}

#[test]
fn what_has_no_name_gets_one_before_it_is_referred_to() {
    let text =
        pulumi_yaml("split = 1\nfirst = split(\",\", \"a,b\")[0]\nsecond = \"<${stack()}>\"\n");
    let wanted = "variables:\n  split: 1\n  split2:\n    fn::split:\n      - \",\"\n      - a,b\n  first: ${split2[0]}\n  second: \"<${pulumi.stack}>\"\n";
    assert_eq!(text, wanted);
}

#[test]
fn a_finding_answers_for_what_is_inside_it() {
    let text = "xs = [for x in [1, 2] : x + 1]\ny = { a = xs[0], b = -xs[1] }\n";
    let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
    let document = checked.document();
    let unsupported = generate(&document, "demo").unsupported;
    let lines: Vec<String> =
        unsupported.iter().map(|unsupported| line(&document, unsupported)).collect();
    assert_eq!(
        lines,
        [
            "main.pp:1:6: Pulumi YAML has no loops and no splats",
            "main.pp:2:11: this refers to `xs` (line 1), which was left out",
            "main.pp:2:22: Pulumi YAML has no operators",
        ]
    );
}

/// Neither long nor deep programs exhaust a stack, and what comes out is YAML.
#[test]
fn long_and_deep_programs_are_written() {
    let programs = [
        format!("x = {}1{}\n", "[".repeat(200), "]".repeat(200)),
        format!("i = 0\nx = [[1]]{}\n", "[i]".repeat(20_000)),
        format!("x = 1{}\n", " + 1".repeat(20_000)),
        format!("x = {{ {} = 1 }}\n", "k".repeat(5_000)),
        format!("x = \"{}\"\n", "\\n$\\t: #".repeat(5_000)),
    ];
    for program in programs {
        let text = pulumi_yaml(&program);
        let start = &program[..30];
        if !text.is_empty() {
            let yaml = yaml::Yaml::parse(&text);
            yaml.unwrap_or_else(|error| panic!("{start}: {error}"));
        }
    }
}
