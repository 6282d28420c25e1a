//! Secrets are part of nothing that a run prints: neither the text of one nor a code of it,
//! wherever a program has it.
//!
//! The secret is the value of a configuration variable, which takes the place of each string of the
//! programs in `corpus/valid` and of each argument of each function. Everything that `pcl preview`
//! and `pcl eval` print is searched for it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use pcl::eval::notation::Secrets;
use pcl::eval::{Answers, ConfigEntry, References};
use pcl::model::functions::all_areas;
use pcl::preview::{OfflineProgram, RunSettings};
use pcl::render::{Format, Look, Report, preview_json, preview_text, shown, value_json};
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};
use pcl_test_support::{SCHEMAS, corpus, root, sorted};
use sha1::{Digest as _, Sha1};

/// The declaration of the variable with the secret.
const DECLARED: &str = "\nconfig planted any {\n  secret = true\n}\n";

/// The values of the variable: a string, a number, a list and an object.
const VALUES: [&str; 4] = [
    "Pl4nted s3cret/+",
    "7391846205",
    r#"["Pl4nted s3cret/+", 7391846205, true]"#,
    r#"{"Pl4nted s3cret/+": "Pl4nted s3cret/+", "b": 7391846205}"#,
];

/// The texts that must not be printed.
fn forms() -> Vec<String> {
    let mut forms = Vec::new();
    for text in [VALUES[0], VALUES[1]] {
        let bytes = text.as_bytes();
        let hex = |bytes: &[u8]| {
            bytes.iter().fold(String::new(), |mut hex, byte| {
                write!(hex, "{byte:02x}").expect("strings can be written to");
                hex
            })
        };
        let encoded: String = text
            .chars()
            .map(|c| match c.is_ascii_alphanumeric() {
                true => c.to_string(),
                false => format!("%{:02X}", u32::from(c)),
            })
            .collect();
        forms.extend([
            text.to_owned(),
            text.to_lowercase(),
            text.to_uppercase(),
            STANDARD.encode(bytes).trim_end_matches('=').to_owned(),
            URL_SAFE.encode(bytes).trim_end_matches('=').to_owned(),
            hex(bytes),
            hex(&Sha1::digest(bytes)),
            encoded.clone(),
            encoded.replace("%20", "+"),
        ]);
    }
    // Parts of it, which `split` and the like make.
    forms.extend([
        "Pl4nted".to_owned(),
        "s3cret".to_owned(),
        "7391846".to_owned(),
    ]);
    forms
}

/// The runs, and what they leaked.
struct Runs {
    workspace: Workspace,
    forms: Vec<String>,
    evaluated: usize,
    leaks: Vec<String>,
}

impl Runs {
    fn new() -> Self {
        Self {
            workspace: Workspace::new(Settings {
                schemas: SchemaPlaces {
                    directories: vec![root().join(SCHEMAS)],
                    beside_programs: true,
                    ..SchemaPlaces::default()
                },
                ..Settings::default()
            }),
            forms: forms(),
            evaluated: 0,
            leaks: Vec::new(),
        }
    }

    fn check(&self, directory: &Path, files: &[(String, String)]) -> Checked {
        let files = files.iter();
        self.workspace.check(&Target::Memory {
            path: "program".to_owned(),
            directory: Some(directory.to_path_buf()),
            files: files
                .map(|(name, text)| (name.clone(), text.clone().into_bytes()))
                .collect(),
        })
    }

    /// The program with a value of the secret.
    fn program(checked: Checked, directory: &Path, value: &str) -> OfflineProgram {
        let text = |text: &str, is_secret| ConfigEntry {
            text: Some(text.to_owned()),
            is_secret,
        };
        let settings = RunSettings {
            project: "shop".into(),
            stack: "dev".into(),
            organization: "people".into(),
            root_directory: directory.display().to_string(),
            working_directory: directory.display().to_string(),
            parallel: 1,
            config: [("shop:planted".to_owned(), text(value, true))].into(),
            ..RunSettings::default()
        };
        OfflineProgram::new(checked, settings, Answers::default(), directory)
    }

    /// Previews a program with the secret.
    fn preview(&mut self, directory: &Path, files: &[(String, String)], place: &str) {
        for value in [VALUES[0], VALUES[1]] {
            let checked = self.check(directory, files);
            if !checked.is_valid() {
                return;
            }
            let preview = Self::program(checked, directory, value).preview();
            self.evaluated += 1;
            let mut printed = preview_text(&preview, Secrets::Hide).into_bytes();
            printed.extend(preview_json(&preview, Secrets::Hide));
            self.search(printed, &preview.report(), place);
        }
    }

    /// Evaluates an expression with the secret.
    fn evaluate(&mut self, prelude: &str, expression: &str) {
        let directory = root().join("corpus/valid/nothing");
        for value in VALUES {
            let files = [("main.pp".to_owned(), format!("{prelude}{DECLARED}"))];
            let checked = self.check(&directory, &files);
            let evaluated = Self::program(checked, &directory, value).evaluate(expression);
            let mut printed = Vec::new();
            if let Some(value) = &evaluated.value
                && let Ok(value) = value.to_property(References::Expand)
            {
                printed.extend(shown(&value, Secrets::Hide).into_bytes());
                printed.extend(value_json(&value, Secrets::Hide).into_bytes());
            }
            let codes = evaluated.diagnostics.iter();
            let has_run = codes.clone().all(|it| it.code.id() >= "PCL10");
            self.evaluated += usize::from(has_run);
            self.search(printed, &evaluated.report(), expression);
        }
    }

    fn search(&mut self, mut printed: Vec<u8>, report: &Report<'_>, place: &str) {
        for format in [Format::Full, Format::Json, Format::Sarif] {
            printed.extend(format.render(report, Look::default()));
        }
        let printed = String::from_utf8_lossy(&printed);
        let leaked = self.forms.iter().find(|form| printed.contains(&***form));
        if let Some(form) = leaked {
            let line = printed.lines().find(|line| line.contains(&**form));
            let line: String = line.unwrap_or_default().chars().take(400).collect();
            self.leaks.push(format!("{place}\n  shows {form}: {line}"));
        }
    }

    fn finish(self, least: usize) {
        let count = self.leaks.len();
        assert!(count == 0, "{}\n{count} leaks", self.leaks.join("\n"));
        assert!(self.evaluated >= least, "{} runs", self.evaluated);
    }
}

/// The strings of a program, from quote to quote.
fn strings(text: &str) -> Vec<(usize, usize)> {
    let mut strings = Vec::new();
    let mut end = 0;
    while let Some(start) = text[end..].find('"').map(|at| end + at) {
        let Some(length) = text[start + 1..].find('"') else {
            break;
        };
        end = start + length + 2;
        strings.push((start, end));
    }
    strings
}

/// The `.pp` files of a directory.
fn files(directory: &Path) -> Vec<(String, String)> {
    let files = sorted(directory).into_iter();
    let files = files.filter(|file: &PathBuf| file.extension().is_some_and(|it| it == "pp"));
    let read = |file: PathBuf| {
        let name = file.file_name()?.to_str()?.to_owned();
        Some((name, std::fs::read_to_string(&file).ok()?))
    };
    files.filter_map(read).collect()
}

#[test]
fn a_secret_in_place_of_any_string() {
    let mut runs = Runs::new();
    for name in corpus("valid") {
        let directory = root().join("corpus/valid").join(&name);
        let files = files(&directory);
        for (at, (file, text)) in files.iter().enumerate() {
            // Whoever asks for a secret gets it.
            if text.contains("unsecret") {
                continue;
            }
            for (start, end) in strings(text) {
                for planted in ["planted", "\"/tmp/${planted}\""] {
                    let (before, after) = (&text[..start], &text[end..]);
                    let mut files = files.clone();
                    files[at].1 = format!("{before}{planted}{after}{DECLARED}");
                    let place = format!("{name}/{file} with {planted} at {start}");
                    runs.preview(&directory, &files, &place);
                }
            }
        }
    }
    runs.finish(200);
}

/// Arguments with the secret.
const ARGUMENTS: [&str; 7] = [
    "planted",
    "\"/tmp/${planted}\"",
    "[planted, {}]",
    "{ \"${planted}\" = planted }",
    "secret([{ a = planted }, planted])",
    "try(planted[0], planted)",
    "toBase64(planted)",
];

/// Other arguments beside it.
const OTHERS: [&str; 5] = ["\"a\"", "1", "[]", "{ a = 1 }", "null"];

#[test]
fn a_secret_in_any_argument() {
    let mut runs = Runs::new();
    let functions = all_areas().filter(|area| !area.title.starts_with("Types"));
    for function in functions.flat_map(|area| area.functions) {
        // Whoever asks for a secret gets it; the others ask the engine.
        if ["unsecret", "invoke", "call"].contains(&function.name) {
            continue;
        }
        let name = function.name;
        for planted in ARGUMENTS {
            runs.evaluate("", &format!("{name}({planted})"));
            runs.evaluate("", &format!("[for p in [{planted}] : {name}(p)]"));
            for other in OTHERS {
                runs.evaluate("", &format!("{name}({planted}, {other})"));
                runs.evaluate("", &format!("{name}({other}, {planted})"));
            }
        }
        for rounds in ["planted", "split(\"e\", planted)", "entries(planted)"] {
            runs.evaluate("", &format!("[for p in {rounds} : {name}(p)]"));
            runs.evaluate("", &format!("[for k, p in {rounds} : {name}(p, k)]"));
            runs.evaluate(
                "",
                &format!("[for p in {rounds} : {name}(\"/tmp/${{p}}\")]"),
            );
        }
    }
    runs.finish(1000);
}

/// Expressions and blocks whose diagnostics, names or requests could tell a secret.
#[test]
fn a_secret_where_a_value_is_used() {
    let mut runs = Runs::new();
    for expression in [
        "planted + 1",
        "-planted",
        "!planted",
        "planted && true",
        "planted ? 1 : 2",
        "planted.a",
        "planted[0]",
        "planted[\"a\"]",
        "planted[planted]",
        "[1, 2][planted]",
        "{ a = 1 }[planted]",
        "planted[*].a",
        "\"${planted}${[]}\"",
        "\"${[planted]}\"",
        "{ for x in [1, 2] : planted => x }",
        "{ for x in [1, 2] : planted => x... }",
        "[for x in planted : x + []]",
        "[for x in planted : x.a.b]",
        "[for x in planted : { a = 1 }[x]]",
        "[for x in planted : [1][x]]",
        "[for x in planted : x if x]",
        "{ for k, x in planted : k => x[k] }",
        "%{ for x in planted }a%{ endfor }",
        "join(\"\", [for x in planted : x.a])",
        "planted...",
        "max(planted...)",
    ] {
        runs.evaluate("", expression);
    }
    let directory = root().join("corpus/valid/nothing");
    let net = |body: &str| format!("resource r \"harbor:network:Network\" {{\n{body}\n}}\n");
    let with = |options: &str| net(&format!("  cidr = \"10\"\n  options {{\n{options}\n  }}"));
    let keys = "split(\"e\", planted)";
    let mut programs = vec![
        net("  cidr = planted"),
        "x = invoke(\"harbor:compute:getImage\", { name = planted, latest = true })\n".to_owned(),
        format!(
            "x = [for p in {keys} : invoke(\"harbor:compute:getImage\", {{ name = p, latest = true }})]\n"
        ),
        "x = invoke(\"harbor:compute:getImage\", { name = \"a\" }, secret({ parent = planted }))\n"
            .to_owned(),
        "x = invoke(\"harbor:compute:getImage\", { name = \"a\" }, { version = planted })\n"
            .to_owned(),
        "hook h {\n  command = [planted]\n}\n".to_owned(),
        "pulumi {\n  requiredVersionRange = planted\n}\n".to_owned(),
        format!("output o {{\n  value = {{ for k in {keys} : k => 1 }}\n}}\n"),
        "x = recover(planted, error)\noutput o {\n  value = x\n}\n".to_owned(),
    ];
    for option in [
        "dependsOn = [planted]",
        "dependsOn = planted",
        "parent = planted",
        "provider = planted",
        "providers = planted",
        "providers = secret([planted])",
        "ignoreChanges = planted",
        "replaceOnChanges = secret([planted])",
        "aliases = planted",
        "aliases = secret([{ parent = planted }])",
        "customTimeouts = planted",
        "version = planted",
        "pluginDownloadURL = planted",
        "import = planted",
        "protect = planted",
        "hooks = planted",
        "deletedWith = planted",
        "range = planted",
        "range = { \"${planted}\" = 1 }",
        "range = { for k in split(\"e\", planted) : k => k }",
        "range = split(\"e\", planted)",
    ] {
        programs.push(with(&format!("    {option}")));
        programs.push(format!(
            "{}output o {{\n  value = [pulumiResourceName(r), r]\n}}\n",
            with(&format!("    {option}"))
        ));
    }
    for value in ["range.key", "range.value", "\"${range.key}\""] {
        programs.push(format!(
            "resource r \"harbor:network:Network\" {{\n  cidr = {value}\n  options {{\n    range = {{ \"${{planted}}\" = 1 }}\n  }}\n}}\noutput o {{\n  value = [for k, x in r : [k, pulumiResourceName(x)]]\n}}\n"
        ));
    }
    for program in programs {
        let files = [("main.pp".to_owned(), format!("{program}{DECLARED}"))];
        runs.preview(&directory, &files, &program);
    }
    runs.finish(60);
}

/// The place of a file outside of the project is told, its secret path is not.
#[test]
fn a_secret_path_is_not_named() {
    let directory = root().join("corpus/valid/nothing");
    let mut runs = Runs::new();
    for (call, is_hidden) in [
        ("readFile(\"/nowhere/${planted}\")", true),
        ("fileAsset(\"/nowhere/${planted}\")", true),
        ("fileArchive(\"/nowhere/${planted}\")", true),
        (
            "[for p in split(\"e\", planted) : fileAsset(\"/nowhere/${p}\")]",
            true,
        ),
        ("fileAsset(\"/nowhere/plain\")", false),
    ] {
        let program = format!("x = {call}\n{DECLARED}");
        let files = [("main.pp".to_owned(), program.clone())];
        let checked = runs.check(&directory, &files);
        let preview = Runs::program(checked, &directory, VALUES[0]).preview();
        let printed = Format::Concise.render(&preview.report(), Look::default());
        let printed = String::from_utf8_lossy(&printed).into_owned();
        let expected = match is_hidden {
            true => "the program reads a secret path, which is outside of the project",
            false => "the program reads \"/nowhere/plain\", which is outside of the project",
        };
        assert!(printed.contains(expected), "{call}: {printed}");
        runs.search(printed.into_bytes(), &preview.report(), &program);
    }
    runs.finish(0);
}
