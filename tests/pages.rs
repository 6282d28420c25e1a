//! Runs the pages of the catalogue, `diagnostics/pages`: the first program of a page gives its
//! code, the second nothing. The rules are in `diagnostics/pages/README.md`.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use pcl::diagnostics::Code;
use pcl_test_support::programs::{DOCUMENT, Program, programs};
use pcl_test_support::{Run, items, pcl, root, scratch, text};
use serde_json::Value;

/// The codes that no text of a program can provoke: they are about files, about a program and a
/// state together, about programs in Pulumi YAML, about the use of the library, or about `pcl`
/// itself.
const ABOUT_NO_PROGRAM: [Code; 29] = [
    Code::UnreadableSource,
    Code::NoProgramFiles,
    Code::FileTooLarge,
    Code::LexBadUtf8,
    Code::ForeignEncoding,
    Code::InvalidConfiguration,
    Code::UnknownSetting,
    Code::UnformattedFile,
    Code::BreakingChange,
    Code::Internal,
    Code::EncryptedConfig,
    Code::EngineError,
    Code::CallRefused,
    Code::ReadOutsideProject,
    Code::ImportRefused,
    Code::ImportInexact,
    Code::ImportOption,
    Code::InvalidYamlProgram,
    Code::NotInPcl,
    Code::UnknownYamlKey,
    Code::PlanProtected,
    Code::PlanRename,
    Code::PlanStateful,
    Code::PlanProvider,
    Code::PlanSecret,
    Code::PlanHidden,
    Code::PlanTarget,
    Code::PlanImport,
    Code::PlanAlias,
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("every page has a code", every_page_has_a_code),
        Trial::test("every code is given somewhere", every_code_is_given),
        Trial::test("every page says what Pulumi says", every_page_says_what_pulumi_says),
    ];
    trials.extend(Code::ALL.iter().map(|&code| Trial::test(code.id(), move || page_holds(code))));
    libtest_mimic::run(&arguments, trials).exit();
}

/// The page of a code that was removed or renumbered fails this test.
fn every_page_has_a_code() -> Result<(), Failed> {
    let mut known: BTreeSet<String> = Code::ALL.iter().map(|code| format!("{code}.md")).collect();
    known.insert("README.md".to_owned());
    for entry in std::fs::read_dir(root().join("diagnostics/pages"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !known.contains(&name) {
            return Err(format!(
                "diagnostics/pages/{name} is the page of no code: remove it, or rename it to the code's number"
            )
            .into());
        }
    }
    Ok(())
}

/// A code that nothing gives has no place in the catalogue.
fn every_code_is_given() -> Result<(), Failed> {
    let mut sources = String::new();
    for folder in [
        "cli",
        "pcl/src",
        "diagnostics/src",
        "syntax/src",
        "newcomers/src",
        "model/src",
        "schema/src",
        "binder/src",
        "runtime/eval/src",
        "runtime/import/src",
        "runtime/plan/src",
        "runtime/state/src",
        "generators/codegen/src",
        "generators/from-yaml/src",
        "generators/go/src",
        "generators/java/src",
        "generators/python/src",
        "generators/typescript/src",
        "generators/yaml/src",
    ] {
        read_sources(&root().join(folder), &mut sources)?;
    }
    let given: BTreeSet<&str> = sources
        .split("Code::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
        .collect();
    let dead: Vec<String> = Code::ALL
        .iter()
        .filter(|code| !given.contains(format!("{code:?}").as_str()))
        .map(|code| format!("{code} {code:?}"))
        .collect();
    match dead.as_slice() {
        [] => Ok(()),
        _ => Err(format!(
            "nothing gives {}: remove them from diagnostics/src/catalogue.rs, and their pages",
            dead.join(", ")
        )
        .into()),
    }
}

/// People search for the wording of Pulumi; where it has none, the page says so.
fn every_page_says_what_pulumi_says() -> Result<(), Failed> {
    let silent: Vec<&str> = Code::ALL
        .iter()
        .filter(|code| !code.page().contains("Pulumi"))
        .map(|code| code.id())
        .collect();
    match silent.as_slice() {
        [] => Ok(()),
        _ => Err(format!(
            "the pages of {} do not say what Pulumi says, or that it says nothing",
            silent.join(", ")
        )
        .into()),
    }
}

/// Adds up the sources below a directory, without the catalogue itself and without comments.
fn read_sources(directory: &Path, sources: &mut String) -> Result<(), Failed> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            read_sources(&path, sources)?;
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("catalogue.rs") {
            let source = std::fs::read_to_string(&path)?;
            for line in source.lines().filter(|l| !l.trim_start().starts_with("//")) {
                sources.push_str(line);
                sources.push('\n');
            }
        }
    }
    Ok(())
}

/// The page of a code has the required form, and its programs give the stated results.
fn page_holds(code: Code) -> Result<(), Failed> {
    let page = code.page();
    let programs = programs(code.id(), page);
    let about_none = ABOUT_NO_PROGRAM.contains(&code);
    form(page, about_none).map_err(|complaint| {
        format!("diagnostics/pages/{code}.md {complaint}; diagnostics/pages/README.md says what a page holds")
    })?;
    match programs.as_slice() {
        [] if about_none => Ok(()),
        [_, ..] if about_none => Err(format!(
            "{code} has an example after all: take it out of the list in tests/pages.rs"
        )
        .into()),
        [failing, corrected] => {
            gives(code, failing)?;
            is_clean(code, corrected)
        }
        _ => Err(format!(
            "diagnostics/pages/{code}.md needs two programs: one that gives {code}, and the same as it should be"
        )
        .into()),
    }
}

/// Checks the form of a page.
fn form(page: &str, about_none: bool) -> Result<(), &'static str> {
    let prose: Vec<&str> =
        page.split("\n```").next().unwrap_or_default().split("\n\n").map(str::trim).collect();
    let label = if about_none { "Instead:" } else { "For example:" };
    match prose.as_slice() {
        [] | [""] => Err("is empty: say what the code means and why, and give an example"),
        [_, _, found, ..] if *found == label => Ok(()),
        _ if about_none => Err("needs two paragraphs, `Instead:` and a block of text"),
        _ => Err("needs two paragraphs, what it means and why, then `For example:` and a program"),
    }?;
    if page.contains("\n\nInstead:\n\n```") {
        Ok(())
    } else {
        Err("needs `Instead:` and the program as it should be")
    }
}

/// Runs `pcl check` on a program of a page.
fn check(code: Code, name: &str, program: &Program) -> Run {
    let directory = scratch(&format!("pages-{code}-{name}"));
    let (program_directory, schemas) = program.write(&directory);
    if program.files.contains_key(DOCUMENT) {
        let document = program_directory.join(DOCUMENT);
        let kind = if is_about_states(code) { "state" } else { "schema" };
        let arguments = [kind, "check", "--output-format", "json"].map(OsStr::new);
        return pcl(arguments.into_iter().chain([document.as_os_str()]));
    }
    let out = directory.join("out");
    let command: &[&str] = match code.id() {
        id if id.starts_with("PCL10") => &["preview"],
        id if id.starts_with("PCL12") => &["convert", "--to", "yaml", "--force", "--out"],
        _ => &["check"],
    };
    let mut arguments: Vec<&OsStr> = command.iter().map(OsStr::new).collect();
    if command.ends_with(&["--out"]) {
        arguments.push(out.as_os_str());
    }
    arguments.extend(["--output-format", "json"].map(OsStr::new));
    arguments.extend(program.arguments.iter().map(OsStr::new));
    for directory in [schemas.as_os_str(), "corpus/schemas".as_ref()] {
        arguments.extend(["--schema-dir".as_ref(), directory]);
    }
    // Lints run only if they are requested.
    if code.id().starts_with("PCL07") {
        arguments.extend(["--warn", code.id()].map(OsStr::new));
    }
    arguments.push(program_directory.as_os_str());
    pcl(arguments)
}

/// Returns true for a code about states, whose pages have states in the place of programs.
fn is_about_states(code: Code) -> bool {
    code.id().starts_with("PCL11")
}

/// The diagnostics of a run.
fn diagnostics(run: &Run) -> Vec<Value> {
    let document = run.json();
    if document.get("programs").is_none() {
        return items(&document, "diagnostics").cloned().collect();
    }
    items(&document, "programs")
        .flat_map(|program| items(program, "diagnostics"))
        .cloned()
        .collect()
}

/// The codes and messages of diagnostics.
fn said(diagnostics: &[Value]) -> String {
    let line = |found: &Value| format!("\n{}: {}", text(found, "code"), text(found, "message"));
    diagnostics.iter().map(line).collect()
}

fn gives(code: Code, program: &Program) -> Result<(), Failed> {
    let found = diagnostics(&check(code, "failing", program));
    match found.first() {
        Some(first) if text(first, "code") == code.id() => is_well_said(first),
        _ => Err(format!(
            "diagnostics/pages/{code}.md, line {}: the first diagnostic of this program has to be {code}; found:{}",
            program.line,
            said(&found)
        )
        .into()),
    }
}

fn is_clean(code: Code, program: &Program) -> Result<(), Failed> {
    let found = diagnostics(&check(code, "corrected", program));
    if found.is_empty() {
        return Ok(());
    }
    Err(format!(
        "diagnostics/pages/{code}.md, line {}: this program has to be clean; found:{}",
        program.line,
        said(&found)
    )
    .into())
}

/// A message is lower case, but for names, without a full stop, and the diagnostic says how to fix
/// it.
fn is_well_said(diagnostic: &Value) -> Result<(), Failed> {
    let message = text(diagnostic, "message");
    let complaint = if message.starts_with(char::is_uppercase) && !message.starts_with("Pulumi ") {
        "begins in upper case"
    } else if message.ends_with('.') {
        "ends with a period"
    } else if text(diagnostic, "help").is_empty() && items(diagnostic, "fixes").next().is_none() {
        "has neither help nor fix: say what to do"
    } else {
        return Ok(());
    };
    Err(format!("{}: `{message}` {complaint}", text(diagnostic, "code")).into())
}
