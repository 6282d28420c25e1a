//! Completion and hover in configuration files, broken ones above all.

use serde_json::{Value, json};

use crate::support::{Editor, capabilities, without_cursor};

const TOML: &str = "pcl.toml";
const YAML: &str = "Pulumi.yaml";

fn open(editor: &mut Editor, name: &str, text: &str) -> Value {
    let position = editor.open(name, text);
    json!({ "textDocument": { "uri": editor.uri(name) }, "position": position })
}

/// The completions at the cursor of a file.
fn complete(name: &str, text: &str) -> Vec<Value> {
    let mut editor = Editor::new(capabilities());
    let params = open(&mut editor, name, text);
    let answer = editor.request("textDocument/completion", params).expect("an answer");
    answer["items"].as_array().cloned().unwrap_or_default()
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

/// The text with the edit of a completion.
fn accepted(text: &str, item: &Value) -> String {
    let (text, _) = without_cursor(text);
    let range = &item["textEdit"]["range"];
    assert_eq!(range["start"]["line"], range["end"]["line"]);
    let line = range["start"]["line"].as_u64().unwrap_or_default() as usize;
    let [start, end] =
        ["start", "end"].map(|end| range[end]["character"].as_u64().unwrap_or_default() as usize);
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let new = item["textEdit"]["newText"].as_str().expect("a text");
    lines[line].replace_range(start..end, new);
    lines.join("\n")
}

/// Files with the cursor, a label that is offered, and the text once it is taken.
const OFFERED: &[(&str, &str, &str, &str)] = &[
    (TOML, "▮", "select", "select = "),
    (TOML, "sel▮", "select", "select = "),
    (TOML, "sel▮ = []\n", "select", "select = []\n"),
    (TOML, "levels = {}\n\nerr▮\n", "error-on-warning", "levels = {}\n\nerror-on-warning = \n"),
    (TOML, "missing-schema = ▮", "warn", "missing-schema = \"warn\""),
    (TOML, "missing-schema = ▮ # why\n", "warn", "missing-schema = \"warn\" # why\n"),
    (TOML, "missing-schema = w▮\n", "warn", "missing-schema = \"warn\"\n"),
    (TOML, "missing-schema = \"▮\"\n", "warn", "missing-schema = \"warn\"\n"),
    (TOML, "missing-schema = \"w▮\n", "warn", "missing-schema = \"warn\"\n"),
    (TOML, "missing-schema = 'w▮'\n", "warn", "missing-schema = 'warn'\n"),
    (TOML, "compat=▮", "pulumi", "compat=\"pulumi\""),
    (TOML, "error-on-warning = ▮\n", "true", "error-on-warning = true\n"),
    (TOML, "select = ▮\n", "unused", "select = [\"unused\"]\n"),
    (TOML, "select = [▮]\n", "unused", "select = [\"unused\"]\n"),
    (
        TOML,
        "select = [\n  \"default\",\n  \"un▮\"\n]\n",
        "unused-local",
        "select = [\n  \"default\",\n  \"unused-local\"\n]\n",
    ),
    (TOML, "ignore = [\"PCL06▮]\n", "PCL0601", "ignore = [\"PCL0601\"]\n"),
    (
        TOML,
        "allow = [\"all\", ▮\ncompat = \"none\"\n",
        "range-types",
        "allow = [\"all\", \"range-types\"\ncompat = \"none\"\n",
    ),
    (TOML, "levels = { ▮ }\n", "deprecated", "levels = { deprecated =  }\n"),
    (TOML, "levels = { unused-local = ▮ }\n", "error", "levels = { unused-local = \"error\" }\n"),
    (
        TOML,
        "levels = { unused-local = \"error\", unused = ▮",
        "warn",
        "levels = { unused-local = \"error\", unused = \"warn\"",
    ),
    (TOML, "levels.unused = ▮", "warn", "levels.unused = \"warn\""),
    (TOML, "levels.▮", "unused", "levels.unused = "),
    (TOML, "[levels]\nunused-l▮\n", "unused-local", "[levels]\nunused-local = \n"),
    (TOML, "[levels]\n\"unused-l▮\"\n", "unused-local", "[levels]\n\"unused-local\" = \n"),
    (
        TOML,
        "[levels]\nunused-local = \"▮\n[schemas]\n",
        "warn",
        "[levels]\nunused-local = \"warn\"\n[schemas]\n",
    ),
    (TOML, "compat = \"none\"\n▮\n", "[levels]", "compat = \"none\"\n[levels]\n"),
    (TOML, "[unknown]\n[▮]\n", "[levels]", "[unknown]\n[levels]\n"),
    (TOML, "[▮", "[[overrides]]", "[[overrides]]"),
    (TOML, "[le▮]\n", "[levels]", "[levels]\n"),
    (
        TOML,
        "[[overrides]]\nfiles = [\"a\"]\n\n[[▮]]\n",
        "[[overrides]]",
        "[[overrides]]\nfiles = [\"a\"]\n\n[[overrides]]\n",
    ),
    (TOML, "[[overrides]]\n▮\n", "files", "[[overrides]]\nfiles = \n"),
    (
        TOML,
        "[[overrides]]\nfiles = [\"a\"]\n[[overrides]]\n▮\n",
        "files",
        "[[overrides]]\nfiles = [\"a\"]\n[[overrides]]\nfiles = \n",
    ),
    (TOML, "[[overrides]]\n[▮\n", "[overrides.levels]", "[[overrides]]\n[overrides.levels]\n"),
    (
        TOML,
        "[[overrides]]\n[overrides.levels]\nunused = ▮",
        "warn",
        "[[overrides]]\n[overrides.levels]\nunused = \"warn\"",
    ),
    (
        TOML,
        "overrides = [{ files = [\"a\"], ig▮ }]\n",
        "ignore",
        "overrides = [{ files = [\"a\"], ignore =  }]\n",
    ),
    (TOML, "docs-url = \"é\"\r\nsel▮\r\n", "select", "docs-url = \"é\"\r\nselect = \r\n"),
    ("strict.pcl.toml", "comp▮", "compat", "compat = "),
    (YAML, "name: x\npcl:\n  ▮\n", "select", "name: x\npcl:\n  select: \n"),
    (YAML, "name: x\npcl:\n  ▮", "levels", "name: x\npcl:\n  levels:"),
    (YAML, "pcl:\n  sel▮: [all]\n", "select", "pcl:\n  select: [all]\n"),
    (
        YAML,
        "pcl:\n  compat: none\n  mis▮\nruntime: pcl\n",
        "missing-schema",
        "pcl:\n  compat: none\n  missing-schema: \nruntime: pcl\n",
    ),
    (YAML, "pcl:\n  missing-schema: ▮\n", "warn", "pcl:\n  missing-schema: warn\n"),
    (YAML, "pcl:\n  missing-schema:▮\n", "warn", "pcl:\n  missing-schema: warn\n"),
    (YAML, "pcl:\n  missing-schema: \"w▮\n", "warn", "pcl:\n  missing-schema: \"warn\"\n"),
    (YAML, "pcl:\n  error-on-warning: ▮\n", "true", "pcl:\n  error-on-warning: true\n"),
    (YAML, "pcl:\n  select: ▮\n", "unused", "pcl:\n  select: [unused]\n"),
    (YAML, "pcl:\n  select: [all, un▮\n", "unused", "pcl:\n  select: [all, unused\n"),
    (
        YAML,
        "pcl:\n  select:\n    - all\n    - ▮\n",
        "unused",
        "pcl:\n  select:\n    - all\n    - unused\n",
    ),
    (YAML, "pcl:\n  select:\n  - un▮\n", "unused", "pcl:\n  select:\n  - unused\n"),
    (YAML, "pcl:\n  select:\n    ▮\n", "unused", "pcl:\n  select:\n    - unused\n"),
    (YAML, "pcl:\n  select: [\n  compat: ▮\n", "none", "pcl:\n  select: [\n  compat: none\n"),
    (YAML, "pcl:\n  levels:\n    ▮\n", "deprecated", "pcl:\n  levels:\n    deprecated: \n"),
    (
        YAML,
        "pcl:\n  levels:\n    # all\n    unused: error\n    deprecated: ▮",
        "warn",
        "pcl:\n  levels:\n    # all\n    unused: error\n    deprecated: warn",
    ),
    (YAML, "pcl:\n  levels: { unused: ▮ }\n", "warn", "pcl:\n  levels: { unused: warn }\n"),
    (YAML, "pcl: { ▮ }\n", "select", "pcl: { select:  }\n"),
    (YAML, "pcl:\n  overrides:\n    - ▮\n", "files", "pcl:\n  overrides:\n    - files: \n"),
    (
        YAML,
        "pcl:\n  overrides:\n    - files: [a]\n      ▮\n",
        "ignore",
        "pcl:\n  overrides:\n    - files: [a]\n      ignore: \n",
    ),
    (
        YAML,
        "pcl:\n  overrides:\n  - files: [a]\n    levels:\n      unused: ▮\n",
        "warn",
        "pcl:\n  overrides:\n  - files: [a]\n    levels:\n      unused: warn\n",
    ),
    (
        YAML,
        "pcl:\n  overrides:\n  - files: [a]\n  ▮\n",
        "compat",
        "pcl:\n  overrides:\n  - files: [a]\n  compat: \n",
    ),
    (
        YAML,
        "description: |\n  an [open: bracket\npcl:\n  com▮\n",
        "compat",
        "description: |\n  an [open: bracket\npcl:\n  compat: \n",
    ),
    ("Pulumi.yml", "pcl:\n  com▮\n", "compat", "pcl:\n  compat: \n"),
];

#[test]
fn keys_and_values_are_offered_and_inserted() {
    for (name, text, label, result) in OFFERED {
        let items = complete(name, text);
        let item = items.iter().find(|item| item["label"] == *label);
        let Some(item) = item else { panic!("{text}: no {label} in {:?}", labels(&items)) };
        assert_eq!(accepted(text, item), *result, "{text}");
    }
}

/// Files with the cursor, and a label that is not offered.
const NOT_OFFERED: &[(&str, &str, &str)] = &[
    (TOML, "select = []\n▮", "select"),
    (TOML, "▮\nselect = []\n", "select"),
    (TOML, "▮\n[levels]\n", "levels"),
    (TOML, "[levels]\n[▮]\n", "[levels]"),
    (TOML, "levels.unused = \"warn\"\n▮\n", "levels"),
    (TOML, "[levels]\n▮\n", "select"),
    (TOML, "[levels]\nunused = \"warn\"\n▮\n", "unused"),
    (TOML, "[[overrides]]\n▮\n", "compat"),
    (TOML, "[[overrides]]\nfiles = []\n▮\n", "files"),
    (TOML, "▮", "[overrides.levels]"),
    (TOML, "select = [\"unused\", ▮]\n", "unused"),
    // A code that is no lint.
    (TOML, "select = [▮]\n", "PCL0601"),
    // Files cannot set them.
    (TOML, "▮", "run-plugins"),
    (YAML, "pcl:\n  ▮\n", "loader-address"),
    (YAML, "pcl:\n  compat: none\n  ▮\n", "compat"),
    (YAML, "pcl:\n  select:\n    - unused\n    - ▮\n", "unused"),
];

#[test]
fn what_is_there_or_cannot_be_there_is_not_offered() {
    for (name, text, label) in NOT_OFFERED {
        let items = complete(name, text);
        assert!(!labels(&items).contains(label), "{text} offers {label}");
    }
}

#[test]
fn nothing_is_offered_elsewhere() {
    for (name, text) in [
        (TOML, "# sel▮\n"),
        (TOML, "select = [] ▮\n"),
        (TOML, "select ▮ = []\n"),
        (TOML, "unknown = ▮\n"),
        (TOML, "[unknown]\n▮ = 1\n"),
        (TOML, "docs-url = \"▮\"\n"),
        (TOML, "levels = ▮\n"),
        (YAML, "▮\n"),
        (YAML, "name: ▮\n"),
        (YAML, "pcl:\n▮\n"),
        (YAML, "config:\n  pcl:\n    ▮\n"),
        (YAML, "pcl:\n  compat: none\nconfig:\n  ▮\n"),
        (YAML, "pcl:\n  # sel▮\n"),
        (YAML, "pcl:\n  overrides:\n    -▮\n"),
    ] {
        let items = complete(name, text);
        let found: Vec<&str> =
            labels(&items).into_iter().filter(|label| !label.starts_with('[')).collect();
        assert_eq!(found, [""; 0], "{text}");
    }
}

#[test]
fn completions_say_what_a_setting_means() {
    for (name, text) in [(TOML, "▮"), (YAML, "pcl:\n  ▮\n")] {
        let items = complete(name, text);
        let item = items.iter().find(|item| item["label"] == "missing-schema").expect("a key");
        assert_eq!(item["detail"], "default: \"error\"");
        let documentation = item["documentation"]["value"].as_str().unwrap_or_default();
        assert!(documentation.starts_with("The level of a missing schema;"), "{documentation}");
        assert!(documentation.ends_with("\n\nDefault: `\"error\"`"), "{documentation}");
    }
    let items = complete(TOML, "ignore = [▮]\n");
    let detail = |label: &str| {
        let item = items.iter().find(|item| item["label"] == label);
        item.and_then(|item| item["detail"].as_str()).unwrap_or_default().to_owned()
    };
    assert_eq!(detail("style"), "lints: code that can be written more plainly");
    assert!(!detail("unused-local").is_empty());
    // Groups come first.
    assert!(labels(&items)[..7].contains(&"style"), "{:?}", &labels(&items)[..7]);
}

#[test]
fn keys_are_explained() {
    for (name, text, parts) in [
        (
            TOML,
            "sel▮ect = []\n",
            &["**`select`**", "The lints that run", "Default: `[\"default\"]`"][..],
        ),
        (TOML, "[lev▮els]\n", &["The levels of codes"]),
        (TOML, "[levels]\nunused-lo▮cal = \"warn\"\n", &["**`unused-local`**"]),
        (TOML, "ignore = [\"PCL▮0701\"]\n", &["unused-local: "]),
        (TOML, "[[overrides]]\nfi▮les = [\n", &["patterns of `.gitignore`"]),
        (TOML, "max-fi▮les = 1\n", &["Default: `100000`"]),
        (YAML, "pcl:\n  com▮pat: none\n", &["Default: `\"none\"`"]),
        (YAML, "pcl:\n  overrides:\n    - ignore: [unu▮sed]\n", &["declarations and comments"]),
        (YAML, "pcl:\n  select:\n    - unu▮sed\n", &["declarations and comments"]),
    ] {
        let mut editor = Editor::new(capabilities());
        let params = open(&mut editor, name, text);
        let hover = editor.request("textDocument/hover", params).expect("an answer");
        let found = hover["contents"]["value"].as_str().unwrap_or_default();
        for part in parts {
            assert!(found.contains(part), "{text}: {found} lacks {part}");
        }
    }
    for (name, text) in [
        (TOML, "unk▮nown = 1\n"),
        (TOML, "# sel▮ect\n"),
        (YAML, "na▮me: x\n"),
        (YAML, "select▮: x\n"),
    ] {
        let mut editor = Editor::new(capabilities());
        let params = open(&mut editor, name, text);
        let hover = editor.request("textDocument/hover", params).expect("an answer");
        assert!(hover.is_null(), "{text} {hover}");
    }
}

/// A client that does not send such documents may ask all the same.
#[test]
fn a_file_that_is_not_open_is_read() {
    let mut editor = Editor::new(capabilities());
    let (text, position) = without_cursor("missing-schema = ▮\n");
    editor.write(TOML, &text);
    let uri = editor.uri(TOML);
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    let answer = editor.request("textDocument/completion", params).expect("an answer");
    assert_eq!(labels(answer["items"].as_array().expect("a list")), ["error", "ignore", "warn"]);
    let params = json!({ "textDocument": { "uri": editor.uri(YAML) }, "position": position });
    let answer = editor.request("textDocument/completion", params).expect("an answer");
    assert!(answer.is_null(), "there is no such file");
}

/// The text changes as the user types: each edit counts.
#[test]
fn edits_of_an_open_file_count() {
    let mut editor = Editor::new(capabilities());
    open(&mut editor, TOML, "");
    let mut text = String::new();
    for (version, typed) in "compat = \"p".chars().enumerate() {
        let at = json!({ "line": 0, "character": text.len() });
        let change = json!({ "range": { "start": at, "end": at }, "text": typed.to_string() });
        let document = json!({ "uri": editor.uri(TOML), "version": version + 2 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        editor.notify("textDocument/didChange", params);
        text.push(typed);
    }
    let at = json!({ "line": 0, "character": text.len() });
    let params = json!({ "textDocument": { "uri": editor.uri(TOML) }, "position": at });
    let answer = editor.request("textDocument/completion", params).expect("an answer");
    assert_eq!(labels(answer["items"].as_array().expect("a list")), ["pulumi"]);
}

#[test]
fn the_editor_is_asked_to_complete_configuration_files() {
    for (completes, explains) in [(true, true), (true, false), (false, false)] {
        let mut capabilities = capabilities();
        let document = &mut capabilities["textDocument"];
        document["synchronization"] = json!({ "dynamicRegistration": true });
        document["completion"]["dynamicRegistration"] = json!(completes);
        document["hover"] = json!({ "dynamicRegistration": explains });
        let mut editor = Editor::new(capabilities);
        let asked = editor.notified("client/registerCapability");
        let of = |method: &str| {
            let all = asked["registrations"].as_array().cloned().unwrap_or_default();
            let own = all.into_iter().find(|registration| registration["method"] == method);
            own.map(|registration| registration["registerOptions"].clone())
        };
        let selector = json!([
            { "scheme": "file", "pattern": "**/{,*.}pcl.toml" },
            { "scheme": "file", "pattern": "**/Pulumi.{yaml,yml}" },
        ]);
        let completion = of("textDocument/completion");
        assert_eq!(completion.is_some(), completes);
        if let Some(options) = completion {
            assert_eq!(options["documentSelector"], selector);
            assert!(options["triggerCharacters"].to_string().contains('='));
        }
        let hover = of("textDocument/hover");
        assert_eq!(
            hover.map(|options| options["documentSelector"].clone()),
            explains.then_some(selector)
        );
        assert!(of("textDocument/didOpen").is_some());
    }
}
