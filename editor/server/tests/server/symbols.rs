//! Outlines, symbols of the folder, signatures of calls, members of schemas and users of
//! components.

use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

const PROGRAM: &str = "config size \"int\" {\n  default = 1\n}\nlabels = { a = 1, \"b\" = { c = 2 } }\nresource cage \"zoo:index:Cage\" {\n  bars = 1\n  options {\n    protect = true\n  }\n}\n";

/// An outline as lines of names with their details.
fn lines(symbols: &Value, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    for symbol in symbols.as_array().into_iter().flatten() {
        let detail = symbol["detail"].as_str().map(|text| format!(" {text}"));
        let name = symbol["name"].as_str().unwrap_or_default();
        found.push(format!(
            "{}{name}{}",
            " ".repeat(depth),
            detail.unwrap_or_default()
        ));
        found.extend(lines(&symbol["children"], depth + 1));
    }
    found
}

#[test]
fn an_outline_has_the_declarations_and_what_is_in_them() {
    let (mut editor, _) = Editor::with(PROGRAM);
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let symbols = editor
        .request("textDocument/documentSymbol", params)
        .expect("an outline");
    let expected = [
        "size int",
        " default",
        "labels",
        " a",
        " b",
        "  c",
        "cage zoo:index:Cage",
        " bars",
        " options",
        "  protect",
    ];
    assert_eq!(lines(&symbols, 0), expected);
    let cage = &symbols[2];
    assert_eq!(
        cage["selectionRange"]["start"],
        json!({ "line": 4, "character": 9 })
    );
    assert_eq!(cage["range"]["end"], json!({ "line": 9, "character": 1 }));
}

#[test]
fn an_editor_without_nesting_gets_a_flat_outline() {
    let mut editor = Editor::new(json!({ "textDocument": { "diagnostic": {} } }));
    editor.open("main.pp", PROGRAM);
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let symbols = editor
        .request("textDocument/documentSymbol", params)
        .expect("an outline");
    let names = symbols.as_array().map_or(0, Vec::len);
    assert_eq!(
        (names, &symbols[0]["location"]["uri"]),
        (3, &json!(editor.uri("main.pp")))
    );
}

#[test]
fn a_broken_text_has_an_outline() {
    let (mut editor, _) =
        Editor::with("resource cage \"zoo:index:Cage\" {\n  bars = [1,\n\nb = 2\n");
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let symbols = editor
        .request("textDocument/documentSymbol", params)
        .expect("an outline");
    let found = lines(&symbols, 0);
    assert!(
        found.contains(&"cage zoo:index:Cage".to_owned()),
        "{found:?}"
    );
    assert!(found.contains(&"b".to_owned()), "{found:?}");
}

#[test]
fn symbols_are_found_in_all_programs_of_the_folder() {
    let mut editor = Editor::new(capabilities());
    editor.write("one/main.pp", "bigCage = 1\n");
    editor.write("two/main.pp", "cage = 2\nother = 3\n");
    let found = editor
        .request("workspace/symbol", json!({ "query": "cage" }))
        .expect("symbols");
    let names = found.as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = names
        .iter()
        .filter_map(|symbol| symbol["name"].as_str())
        .collect();
    assert_eq!(names, ["cage", "bigCage"]);
}

#[test]
fn the_parameter_that_is_written_is_shown() {
    for (text, parameter) in [
        ("a = element(▮)\n", Some(0)),
        ("a = element([1, 2], ▮)\n", Some(1)),
        ("a = element([1, length(\"x\")], ▮", Some(1)),
        ("a = element([▮\n", Some(0)),
        ("a = upper(element([\"a\"], ▮0))\n", Some(1)),
    ] {
        let (mut editor, position) = Editor::with(text);
        let params = editor.at(&position);
        let help = editor
            .request("textDocument/signatureHelp", params)
            .expect("an answer");
        let signature = &help["signatures"][0];
        let label = signature["label"].as_str().unwrap_or_default();
        assert!(label.starts_with("element("), "{text} {label}");
        assert_eq!(help["activeParameter"].as_i64(), parameter, "{text}");
        let range = &signature["parameters"][0]["label"];
        let start = range[0].as_u64().unwrap_or_default() as usize;
        assert_eq!(start, "element(".len(), "{label}");
    }
    let (mut editor, position) = Editor::with("a = invoke(\"zoo:index:getAnimal\", { ▮ })\n");
    let params = editor.at(&position);
    let help = editor
        .request("textDocument/signatureHelp", params)
        .expect("an answer");
    let documentation = help["signatures"][0]["documentation"]["value"].as_str();
    assert!(
        documentation
            .unwrap_or_default()
            .contains("- `name`: `string` (required)")
    );
    let (mut editor, position) = Editor::with("a = [▮]\n");
    let params = editor.at(&position);
    assert!(
        editor
            .request("textDocument/signatureHelp", params)
            .expect("an answer")
            .is_null()
    );
}
