use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

#[test]
fn links_lead_to_files_and_pages() {
    let (mut editor, _) = Editor::with("");
    editor.write("inner/main.pp", "a = 1\n");
    editor.write("x é.txt", "x");
    editor.replace(
        "main.pp",
        2,
        "# pcl: ignore[PCL0601]\ncomponent c \"./inner\" {}\na = readFile(\"./x é.txt\")\nb = \
         readFile(\"none.txt\")\nd = fileAsset(\"/etc/hostname\")\ne = fileAsset(\"../\")\n",
    );
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let links = editor.request("textDocument/documentLink", params);
    let links = links.expect("links");
    let links: Vec<&Value> = links.as_array().expect("a list").iter().collect();
    let targets: Vec<&str> =
        links.iter().map(|link| link["target"].as_str().expect("a target")).collect();
    assert_eq!(targets.len(), 3, "{targets:?}");
    assert!(targets[0].contains("PCL0601"), "{targets:?}");
    assert_eq!(targets[1], editor.uri("inner/main.pp"));
    assert!(targets[2].ends_with("/x%20%C3%A9.txt"), "{targets:?}");
    assert_eq!(links[1]["range"]["start"], json!({ "line": 1, "character": 13 }));
    assert_eq!(links[1]["range"]["end"], json!({ "line": 1, "character": 20 }));
}

/// Tokens lead to their schemas, properties to what these say, words to their pages, and paths to
/// files.
#[test]
fn definitions_outside_of_the_program_are_found() {
    let cage = "pcl-schema:///zoo@1.2.0/zoo%3Aindex%3ACage.md";
    for (text, target, line) in [
        ("resource c \"zoo:index:Ca▮ge\" {\n  bars = 1\n}\n", cage, None),
        ("resource c \"zoo:index:Cage\" {\n  ba▮rs = 1\n}\n", cage, Some("- `bars`: ")),
        ("resource c \"zoo:index:Cage\" {\n  bars = 1\n}\na = c.ar▮ea\n", cage, Some("- `area`: ")),
        (
            "resource t \"zoo:index:Animal\" {\n  favorite = { fo▮od = \"a\" }\n}\n",
            "pcl-schema:///zoo@1.2.0/zoo%3Aindex%3AMeal.md",
            Some("- `food`: "),
        ),
        (
            "resource c \"zoo:index:Cage\" {\n  bars = 1\n  options {\n    pro▮tect = true\n  }\n}\n",
            "pcl-schema:///pcl/protect.md",
            None,
        ),
        ("a = len▮gth([])\n", "pcl-schema:///pcl/length.md", None),
    ] {
        let (mut editor, position) = Editor::with(text);
        let params = editor.at(&position);
        let link = &editor.request("textDocument/definition", params).expect("an answer")[0];
        assert_eq!(link["targetUri"], target, "{text}");
        let shown = editor.request("pcl/schemaDocument", json!({ "uri": target }));
        let shown = shown.expect("the document")["text"].as_str().unwrap_or_default().to_owned();
        let at = link["targetSelectionRange"]["start"]["line"].as_u64().unwrap_or_default();
        let found = shown.lines().nth(at as usize).unwrap_or_default();
        assert!(found.starts_with(line.unwrap_or("# ")), "{text}: {found}");
    }
    let (mut editor, position) = Editor::with("a = readFile(\"./no▮tes.txt\")\n");
    editor.write("notes.txt", "x");
    let params = editor.at(&position);
    let link = &editor.request("textDocument/definition", params).expect("an answer")[0];
    assert_eq!(link["targetUri"], editor.uri("notes.txt"));
}

/// The documents of schemas are offered to editors that can show them, by the request of the
/// protocol or by ours.
#[test]
fn only_editors_that_show_schemas_are_led_to_them() {
    let token = "resource c \"zoo:index:Ca▮ge\" {\n  bars = 1\n}\n";
    let property = "resource c \"zoo:index:Cage\" {\n  ba▮rs = 1\n}\n";
    let word = "a = len▮gth([])\n";
    let mut without = capabilities();
    without["workspace"]["textDocumentContent"] = Value::Null;
    for (capabilities, options, shows) in [
        (capabilities(), Value::Null, true),
        (without.clone(), json!({ "schemaDocument": true }), true),
        (without.clone(), json!({ "schemaDocument": false, "codeLens": true }), false),
        (without.clone(), Value::Null, false),
    ] {
        let mut editor = Editor::new_with(capabilities, options);
        for (text, has_type) in [(token, true), (property, false), (word, false)] {
            let position = editor.open("main.pp", text);
            let params = editor.at(&position);
            for method in ["definition", "declaration", "typeDefinition"] {
                let answer = editor.request(&format!("textDocument/{method}"), params.clone());
                let found = answer.expect("an answer");
                let expected = shows && (method != "typeDefinition" || has_type);
                assert_eq!(!found.is_null(), expected, "{method} {text} {found}");
            }
            let hover = editor.request("textDocument/hover", params).expect("an answer");
            assert!(!hover.is_null(), "{text}");
        }
        // What the program declares is always found.
        let position = editor.open("main.pp", "a = 1\nb = a▮\n");
        let params = editor.at(&position);
        let found = editor.request("textDocument/definition", params).expect("an answer");
        assert!(!found.is_null());
    }
}
