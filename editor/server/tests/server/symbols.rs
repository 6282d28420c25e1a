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
        found.push(format!("{}{name}{}", " ".repeat(depth), detail.unwrap_or_default()));
        found.extend(lines(&symbol["children"], depth + 1));
    }
    found
}

#[test]
fn an_outline_has_the_declarations_and_what_is_in_them() {
    let (mut editor, _) = Editor::with(PROGRAM);
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let symbols = editor.request("textDocument/documentSymbol", params).expect("an outline");
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
    assert_eq!(cage["selectionRange"]["start"], json!({ "line": 4, "character": 9 }));
    assert_eq!(cage["range"]["end"], json!({ "line": 9, "character": 1 }));
}

#[test]
fn an_editor_without_nesting_gets_a_flat_outline() {
    let mut editor = Editor::new(json!({ "textDocument": { "diagnostic": {} } }));
    editor.open("main.pp", PROGRAM);
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let symbols = editor.request("textDocument/documentSymbol", params).expect("an outline");
    let names = symbols.as_array().map_or(0, Vec::len);
    assert_eq!((names, &symbols[0]["location"]["uri"]), (3, &json!(editor.uri("main.pp"))));
}

#[test]
fn a_broken_text_has_an_outline() {
    let (mut editor, _) =
        Editor::with("resource cage \"zoo:index:Cage\" {\n  bars = [1,\n\nb = 2\n");
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let symbols = editor.request("textDocument/documentSymbol", params).expect("an outline");
    let found = lines(&symbols, 0);
    assert!(found.contains(&"cage zoo:index:Cage".to_owned()), "{found:?}");
    assert!(found.contains(&"b".to_owned()), "{found:?}");
}

#[test]
fn symbols_are_found_in_all_programs_of_the_folder() {
    let mut editor = Editor::new(capabilities());
    editor.write("one/main.pp", "bigCage = 1\n");
    editor.write("two/main.pp", "cage = 2\nother = 3\n");
    let found = editor.request("workspace/symbol", json!({ "query": "cage" })).expect("symbols");
    let names = found.as_array().cloned().unwrap_or_default();
    let names: Vec<&str> = names.iter().filter_map(|symbol| symbol["name"].as_str()).collect();
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
        let help = editor.request("textDocument/signatureHelp", params).expect("an answer");
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
    let help = editor.request("textDocument/signatureHelp", params).expect("an answer");
    let documentation = help["signatures"][0]["documentation"]["value"].as_str();
    assert!(documentation.unwrap_or_default().contains("- `name`: `string` (required)"));
    let (mut editor, position) = Editor::with("a = [▮]\n");
    let params = editor.at(&position);
    assert!(editor.request("textDocument/signatureHelp", params).expect("an answer").is_null());
}

#[test]
fn a_type_is_defined_in_the_schema() {
    for (text, token) in [
        ("resource ca▮ge \"zoo:index:Cage\" {\n  bars = 1\n}\n", "zoo:index:Cage"),
        ("resource cage \"zoo:index:Ca▮ge\" {\n  bars = 1\n}\n", "zoo:index:Cage"),
        ("resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\na = ca▮ge.area\n", "zoo:index:Cage"),
        (
            "resource tom \"zoo:index:Animal\" {\n  name = \"T\"\n  cage = \"1\"\n}\na = tom.favor▮ite\n",
            "zoo:index:Meal",
        ),
        ("a = invoke(\"zoo:index:getAn▮imal\", { name = \"T\" })\n", "zoo:index:getAnimal"),
    ] {
        let (mut editor, position) = Editor::with(text);
        let params = editor.at(&position);
        let answer = editor.request("textDocument/typeDefinition", params).expect("a place");
        let uri = answer[0]["targetUri"].clone();
        assert!(
            uri.as_str().unwrap_or_default().starts_with("pcl-schema:///zoo@1.2.0/"),
            "{answer}"
        );
        let own = editor.request("pcl/schemaDocument", json!({ "uri": uri })).expect("a document");
        // The same address, as Visual Studio Code writes it.
        let encoded = uri.as_str().unwrap_or_default().replace(":///", ":/").replace('@', "%40");
        let standard = editor.request("workspace/textDocumentContent", json!({ "uri": encoded }));
        assert_eq!(standard.expect("a document")["text"], own["text"]);
        let start = format!("# {token}\n");
        let found = own["text"].as_str().unwrap_or_default();
        assert!(found.starts_with(&start), "{found}");
    }
    let (mut editor, _) = Editor::with("a = 1\n");
    for uri in [
        "pcl-schema:///zoo/x.md",
        "pcl-schema:",
        "file:///etc/passwd",
        "pcl-schema:///../x",
        "pcl-schema:///%2E%2E%2Fzoo/zoo%3Aindex%3ACage.md",
    ] {
        let answer = editor.request("pcl/schemaDocument", json!({ "uri": uri }));
        assert_eq!(answer.expect_err("there is none")["code"], -32602, "{uri}");
    }
}

#[test]
fn the_users_and_the_parts_of_a_component_are_found() {
    let mut editor = Editor::new(capabilities());
    editor.write("inner/main.pp", "config size \"int\" {\n  default = 1\n}\n");
    editor.write("other/main.pp", "component b \"../inner\" {\n}\n");
    let position =
        editor.open("main.pp", "component a▮ \"./inner\" {\n}\ncomponent c \"./inner\" {\n}\n");
    let params = editor.at(&position);
    let items = editor.request("textDocument/prepareCallHierarchy", params).expect("items");
    assert_eq!(items[0]["name"], "inner");
    assert_eq!(items[0]["uri"], json!(editor.uri("inner/main.pp")));
    let params = json!({ "item": items[0] });
    let incoming = editor.request("callHierarchy/incomingCalls", params.clone()).expect("calls");
    let uses = incoming.as_array().cloned().unwrap_or_default();
    let uses: Vec<usize> =
        uses.iter().map(|call| call["fromRanges"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(uses, [2, 1]);
    let outgoing = editor.request("callHierarchy/outgoingCalls", params).expect("calls");
    assert_eq!(outgoing, json!([]));
    let params = json!({ "item": incoming[0]["from"] });
    let outgoing = editor.request("callHierarchy/outgoingCalls", params).expect("calls");
    assert_eq!(outgoing[0]["to"]["name"], "inner");
    assert_eq!(outgoing[0]["fromRanges"].as_array().map(Vec::len), Some(2));
}

/// Nobody reads the outline of a very large document, but its declarations can be found.
#[test]
fn a_large_document_has_an_outline_of_declarations() {
    let comment = format!("# {}\n", "x".repeat(9 << 20));
    let text = "a = { b = 1 }\n";
    for (text, children) in [(text.to_owned(), 1), (comment + text, 0)] {
        let mut editor = Editor::new(capabilities());
        editor.open("main.pp", &text);
        let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
        let symbols = editor.request("textDocument/documentSymbol", params).expect("symbols");
        assert_eq!(symbols[0]["name"], "a");
        assert_eq!(symbols[0]["children"].as_array().map_or(0, Vec::len), children);
    }
}
