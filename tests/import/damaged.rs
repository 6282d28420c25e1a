//! Damaged states and planted secrets: there is a program only if all of the state can be written,
//! and nothing shows a secret unless it is asked for.

use std::path::Path;

use pcl::diagnostics::{Diagnostic, FileId};
use pcl::import::{Request, import};
use pcl::state::{
    CheckedState, Keys, State, masked, resource_json, resource_text, resources_json, tree_text,
};
use pcl::{SchemaPlaces, render::Format};
use pcl_test_support::{SCHEMAS, pcl, root, scratch, write};

use crate::generated::Random;

/// The text of the secrets of the state.
const SECRET: &str = "hunter2";
const STATE: &str = include_str!("../state/shop.json");

/// The number of damaged states; `PCL_STATE_MUTANTS` names another one.
fn count() -> usize {
    let named = std::env::var("PCL_STATE_MUTANTS").ok();
    named.map_or(1_500, |count| count.parse().expect("a number"))
}

/// A text with a line removed, repeated, moved or exchanged, or with a byte of another value.
fn damaged(random: &mut Random, text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (at, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(6) {
        0 => _ = lines.remove(at),
        // What is moved out of a secret is none.
        1 | 2 if [at, other].iter().any(|at| lines[*at].contains(SECRET)) => _ = lines.remove(at),
        1 => lines.insert(other, lines[at]),
        2 => lines.swap(at, other),
        3 => lines.truncate(at),
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let at = random.below(bytes.len());
            bytes[at] = b"{}[],:\"\\0az "[random.below(12)];
            return String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    lines.join("\n")
}

#[test]
fn damaged_states_give_no_program_and_no_secret() {
    let places =
        SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
    let loader = places.loader(None);
    let mut random = Random(3);
    let (mut programs, mut refused) = (0, 0);
    for number in 0..count() {
        let text = damaged(&mut random, STATE);
        let checked = CheckedState::of_text("state.json", text.clone().into_bytes());
        let mut outputs = Vec::new();
        for format in [Format::Full, Format::Json] {
            let report = format.render(&checked.report, false);
            outputs.push(String::from_utf8_lossy(&report).into_owned());
        }
        if let Some(state) = &checked.state {
            outputs.push(tree_text(state));
            outputs.push(String::from_utf8_lossy(&resources_json(Some(state))).into_owned());
            for resource in state.resources() {
                outputs.push(resource_text(state, resource, None));
                outputs.push(
                    String::from_utf8_lossy(&resource_json(Some((state, resource)), None))
                        .into_owned(),
                );
            }
            outputs.push(masked(&text, Some(state)));
        }
        if let (Some(state), true) = (&checked.state, checked.is_valid()) {
            let request = Request { fold: number % 2 == 0, ..Request::default() };
            let imported = import(state, FileId(0), &request, &*loader);
            let has_errors = imported.diagnostics.iter().any(Diagnostic::is_error);
            assert_eq!(imported.text.is_none(), has_errors);
            programs += usize::from(imported.text.is_some());
            outputs.push(format!("{:?}", imported.diagnostics));
            outputs.extend(imported.text);
        } else {
            refused += 1;
        }
        for output in outputs {
            assert!(!output.contains(SECRET), "{number}\n{output}");
        }
    }
    assert!(
        programs > count() / 20 && refused > count() / 3,
        "{programs} programs, {refused} refused"
    );
}

#[test]
fn secrets_are_written_on_request_alone() {
    let directory = scratch("import-secrets");
    let file = directory.join("state.json");
    write(&file, STATE);
    let file = file.display().to_string();
    let arguments = ["import", &file, "--schema-dir", SCHEMAS];
    let run = pcl(arguments);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(!run.stdout.contains(SECRET) && !run.stderr.contains(SECRET));
    assert!(run.stderr.contains("pulumi config set --secret appPassword"), "{}", run.stderr);

    let shown = pcl(arguments.into_iter().chain(["--show-secrets"]));
    assert!(shown.stdout.contains("default = \"hunter2-plain\""), "{}", shown.stdout);
    assert!(!shown.stdout.contains("hunter2-closed"), "{}", shown.stdout);
    let mut command = pcl_test_support::command();
    command.args(arguments).arg("--show-secrets").env("PULUMI_CONFIG_PASSPHRASE", "open sesame");
    let shown = pcl_test_support::run(command, &[]);
    assert!(shown.stdout.contains("default = \"hunter2-closed\""), "{}", shown.stdout);
}

/// Secrets of every kind, at any place, are opened by their keys alone.
#[test]
fn programs_with_secrets_are_the_same_with_and_without_a_passphrase() {
    let state = State::read(STATE.into(), FileId(0)).state.expect("a state");
    let places =
        SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
    let loader = places.loader(None);
    let hidden = import(&state, FileId(0), &Request::default(), &*loader).text.expect("a program");
    let keys = Keys::with_passphrase(&state, "open sesame").expect("the passphrase");
    let request = Request { secrets: Some(&keys), ..Request::default() };
    let shown = import(&state, FileId(0), &request, &*loader).text.expect("a program");
    let without: String = shown
        .lines()
        .filter(|line| !line.contains("default"))
        .map(|line| format!("{line}\n"))
        .collect();
    let hidden: String = hidden.lines().map(|line| format!("{line}\n")).collect();
    assert_eq!(without.replace("secret  =", "secret ="), hidden.replace("secret  =", "secret ="));
}

#[test]
fn a_program_is_written_whole_or_not_at_all() {
    let directory = scratch("import-out");
    let file = directory.join("state.json");
    write(&file, STATE);
    let (file, out) = (file.display().to_string(), directory.join("new"));
    let import = |schemas: &str, text: &Path| {
        pcl(["import", &file, "--schema-dir", schemas, "--out", &text.display().to_string()])
    };
    // Without the schema, nothing appears.
    let run = import("docs", &out);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("PCL1111") && run.stderr.contains("nothing is imported"),
        "{}",
        run.stderr
    );
    assert!(!out.exists());
    // A program that is there stays.
    std::fs::create_dir(&out).expect("created");
    write(&out.join("other.pp"), "a = 1\n");
    assert_eq!(import(SCHEMAS, &out).status, 2);
    std::fs::remove_file(out.join("other.pp")).expect("removed");
    let run = import(SCHEMAS, &out);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let check = pcl(["check", "--schema-dir", SCHEMAS, &out.display().to_string()]);
    assert_eq!(check.status, 0, "{}", check.stdout);
}

#[test]
fn one_resource_comes_with_what_it_needs() {
    let directory = scratch("import-urn");
    let file = directory.join("state.json");
    write(&file, STATE);
    let file = file.display().to_string();
    let urn = "urn:pulumi:dev::shop::shop:index:Site$harbor:compute:Server::app";
    let run = pcl(["import", &file, "--schema-dir", SCHEMAS, "--urn", urn]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for (text, is_there) in [
        ("resource app", true),
        ("resource net", true),
        ("component web", true),
        ("resource www", false),
    ] {
        assert_eq!(run.stdout.contains(text), is_there, "{}", run.stdout);
    }
    let run =
        pcl(["import", &file, "--schema-dir", SCHEMAS, "--urn", "urn:pulumi:dev::shop::x:y:Z::z"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let adopted = pcl(["import", &file, "--schema-dir", SCHEMAS, "--adopt"]);
    assert!(adopted.stdout.contains("= \"srv-1\""), "{}", adopted.stdout);
    let without = pcl(["import", &file, "--missing-schema", "ignore"]);
    assert_eq!(without.status, 0, "{}", without.stderr);
    assert!(without.stdout.contains("resource net"), "{}", without.stdout);
}
