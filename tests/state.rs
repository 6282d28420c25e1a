//! `pcl state`: what it prints of a state, what it never prints, and what it finds wrong.

use pcl_test_support::json_schema::JsonSchema;
use pcl_test_support::{Run, Scratch, pcl, pcl_with_input, scratch, write};

/// A state with a secret in plain text and an encrypted one, whose passphrase is `open sesame`.
const STATE: &str = include_str!("state/shop.json");

/// The text of both secrets.
const SECRET: &str = "hunter2";

fn state(name: &str, text: &str) -> (Scratch, String) {
    let directory = scratch(name);
    let file = directory.join("state.json");
    write(&file, text);
    let path = file.display().to_string();
    (directory, path)
}

/// Runs a command on the state, with the path left out of what it prints.
fn run(name: &str, arguments: &[&str], text: &str) -> Run {
    let (_directory, path) = state(name, text);
    let mut run = pcl(arguments.iter().copied().chain([path.as_str()]));
    for out in [&mut run.stdout, &mut run.stderr] {
        *out = out.replace(&path, "state.json");
    }
    run
}

#[test]
fn the_tree_has_children_below_their_parents() {
    let run = run("state-ls", &["state", "ls"], STATE);
    insta::assert_snapshot!(run.stdout);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn a_resource_is_shown_with_its_provenance() {
    let run = run("state-show", &["state", "show", "www"], STATE);
    insta::assert_snapshot!(run.stdout);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

/// Windows PowerShell redirects output as UTF-16, and a self-managed backend may pack its files.
#[test]
fn a_state_is_read_in_every_encoding_and_document() {
    let expected = run("state-plain", &["state", "ls"], STATE).stdout;
    let export: serde_json::Value = serde_json::from_str(STATE).expect("JSON");
    let checkpoint = serde_json::json!({
        "version": export["version"],
        "checkpoint": { "stack": "organization/shop/dev", "latest": export["deployment"] },
    })
    .to_string();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files: [(&str, Vec<u8>); 4] = [
        ("mark", format!("\u{feff}{STATE}").into_bytes()),
        ("utf16", utf16(&format!("\u{feff}{STATE}"))),
        ("checkpoint", checkpoint.clone().into_bytes()),
        ("utf16-checkpoint", utf16(&checkpoint)),
    ];
    let directory = scratch("state-encodings");
    for (name, bytes) in files {
        let file = directory.join(name);
        std::fs::write(&file, bytes).expect("it can be written");
        for command in [&["state", "ls"][..], &["state", "check"], &["state", "graph"]] {
            let arguments = command.iter().copied().chain(file.to_str());
            let run = pcl(arguments);
            assert_eq!(run.status, 0, "{name} {command:?}: {}", run.stderr);
            if command == ["state", "ls"] {
                assert_eq!(run.stdout, expected, "{name}");
            }
            assert!(!run.stderr.contains(SECRET), "{name}: {}", run.stderr);
        }
    }
}

#[test]
fn names_must_be_those_of_one_resource() {
    let text = STATE.replace("::www", "::net");
    let several = run("state-several", &["state", "show", "net"], &text);
    assert_eq!(several.status, 2);
    assert!(several.stderr.contains("$harbor:network:Record::net"), "{}", several.stderr);
    let none = run("state-none", &["state", "show", "nett"], STATE);
    assert_eq!(none.status, 2);
    assert!(none.stderr.contains("did you mean `net`"), "{}", none.stderr);
}

#[test]
fn the_graph_has_three_formats() {
    insta::assert_snapshot!(run("state-dot", &["state", "graph"], STATE).stdout);
    let mermaid = ["state", "graph", "--output-format", "mermaid"];
    assert!(run("state-mermaid", &mermaid, STATE).stdout.starts_with("flowchart LR\n"));
    let json = run("state-json", &["state", "graph", "--output-format", "json"], STATE).json();
    JsonSchema::published("graph").accept(&json);
}

#[test]
fn json_is_as_published() {
    let mut schema = JsonSchema::published("state");
    let json = ["--output-format", "json"];
    let list = [&["state", "ls"], &json[..]].concat();
    schema.accept(&run("state-ls-json", &list, STATE).json());
    let show = [&["state", "show", "www"], &json[..]].concat();
    schema.accept(&run("state-show-json", &show, STATE).json());
    assert_eq!(schema.absent(), [""; 0]);
}

#[test]
fn secrets_are_shown_on_request_alone() {
    let (_directory, path) = state("state-secrets", STATE);
    for arguments in [
        &["state", "show", "www", &path][..],
        &["state", "show", "www", &path, "--output-format", "json"],
        &["state", "ls", &path],
        &["state", "ls", &path, "--output-format", "json"],
        &["state", "graph", &path],
        &["state", "check", &path],
    ] {
        let run = pcl(arguments);
        assert!(!run.stdout.contains(SECRET) && !run.stderr.contains(SECRET), "{arguments:?}");
    }
    for format in ["text", "json"] {
        let arguments =
            ["state", "show", "www", &path, "--show-secrets", "--output-format", format];
        // Without the passphrase, the encrypted one stays closed.
        let run = pcl_with(&arguments, None);
        assert!(run.stdout.contains("hunter2-plain"), "{}", run.stdout);
        assert!(!run.stdout.contains("hunter2-closed"), "{}", run.stdout);
        let run = pcl_with(&arguments, Some("open sesame"));
        assert!(run.stdout.contains("hunter2-closed"), "{}", run.stdout);
        let run = pcl_with(&arguments, Some("wrong"));
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("passphrase"), "{}", run.stderr);
    }
}

/// Runs the command with a passphrase in its environment.
fn pcl_with(arguments: &[&str], passphrase: Option<&str>) -> Run {
    let mut command = pcl_test_support::command();
    command.args(arguments);
    if let Some(passphrase) = passphrase {
        command.env("PULUMI_CONFIG_PASSPHRASE", passphrase);
    }
    pcl_test_support::run(command, &[])
}

/// A snippet of a damaged state hides what may be secret.
#[test]
fn damages_are_reported_without_secrets() {
    let dangling = STATE.replace(
        "\"parent\": \"urn:pulumi:dev::shop::shop:index:Site::web\"",
        "\"parent\": \"urn:pulumi:dev::shop::shop:index:Site::wob\"",
    );
    let on_one_line = dangling.replace('\n', "");
    let cut = &STATE[..STATE.len() / 2];
    let no_signature = STATE.replace("\"1b47061264138c4ac30d75fd1eb44270\"", "\"1b47\"");
    for (name, text) in [
        ("dangling", dangling.as_str()),
        ("line", &on_one_line),
        ("cut", cut),
        ("signature", &no_signature),
    ] {
        for format in ["full", "concise", "json", "sarif"] {
            let arguments = ["state", "check", "--output-format", format];
            let run = run(&format!("state-damaged-{name}-{format}"), &arguments, text);
            assert_eq!(run.status, 1, "{}", run.stdout);
            assert!(!run.stdout.contains(SECRET) && !run.stderr.contains(SECRET), "{}", run.stdout);
        }
    }
    insta::assert_snapshot!(run("state-damaged", &["state", "check"], &dangling).stdout);
}

#[test]
fn a_state_is_read_from_standard_input() {
    let run = pcl_with_input(["state", "check", "-"], STATE.as_bytes());
    assert_eq!((run.status, run.stderr.as_str()), (0, "checked 1 state: 0 errors, 0 warnings\n"));
}

#[test]
fn json_is_a_document_whatever_the_file_is() {
    let format = ["--output-format", "json"];
    let no_version = r#"{"version": 2, "deployment": {}}"#;
    for text in ["", "{", "[]", "{}", no_version, "\u{1}"] {
        for (words, name) in [
            (&["state", "ls"][..], "state"),
            (&["state", "show", "www"], "state"),
            (&["state", "graph"], "graph"),
            (&["state", "check"], "check"),
        ] {
            let arguments: Vec<&str> = words.iter().chain(&format).copied().collect();
            let run = run("state-no-state", &arguments, text);
            assert_eq!(run.status, 1, "{words:?} {text}: {}", run.stderr);
            JsonSchema::published(name).accept(&run.json());
        }
    }
}
