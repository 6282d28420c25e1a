//! Definitions, references, highlights and rename. In the programs, `▮` is the place of the cursor,
//! and each occurrence of the name is written between `«` and `»`, the declaration first.

use serde_json::{Value, json};

use crate::support::{CURSOR, Editor, capabilities};

const PROGRAMS: &[&str] = &[
    "«si▮ze» = 1\ndouble = «size» * 2\ntriple = \"${«size»}\"\n",
    "«size» = 1\ndouble = «si▮ze» * 2\n",
    "resource «ca▮ge» \"zoo:index:Cage\" {\n  bars = 1\n}\na = «cage».area\nb = [«cage».doors[0]]\n",
    "resource \"«cage»\" \"zoo:index:Cage\" {\n  bars = 1\n}\na = «ca▮ge».area\n",
    "xs = [for «word» in [\"a\"] : upper(«wo▮rd») if «word» != \"b\"]\nword = 1\n",
    "xs = { for «k▮», v in { a = 1 } : «k» => v }\n",
    "«k» = 1\nxs = { for v in { a = «k▮» } : \"${«k»}\" => v }\n",
    "a = <<E\n%{ for «x» in [\"1\"] }${«x▮»}%{ endfor }\nE\n",
    "config «kind▮» \"string\" {\n}\noutput kind2 {\n  value = «kind»\n}\n",
    "resource cage \"zoo:index:Cage\" {\n  bars = «count»\n  options {\n    dependsOn = []\n  }\n}\n«cou▮nt» = 2\n",
    "é = 1\nb = \"𐍈${«x▮»}\"\n«x» = 2\n",
];

/// A text without marks, the ranges of the occurrences, and the place of the cursor.
fn marked(text: &str) -> (String, Vec<Value>, Value) {
    let (mut clean, mut ranges, mut cursor) = (String::new(), Vec::new(), Value::Null);
    let mut start = Value::Null;
    for character in text.chars() {
        let line = clean.matches('\n').count();
        let last = clean.rsplit('\n').next().unwrap_or_default();
        let here = json!({ "line": line, "character": last.encode_utf16().count() });
        match character {
            '«' => start = here,
            '»' => ranges.push(json!({ "start": start, "end": here })),
            CURSOR => cursor = here,
            other => clean.push(other),
        }
    }
    (clean, ranges, cursor)
}

fn sorted(mut ranges: Vec<Value>) -> Vec<Value> {
    let key = |range: &Value| {
        let start = &range["start"];
        (start["line"].as_u64(), start["character"].as_u64())
    };
    ranges.sort_by_key(key);
    ranges
}

fn ranges(answer: &Value) -> Vec<Value> {
    let all = answer.as_array().cloned().unwrap_or_default();
    sorted(all.into_iter().map(|one| one["range"].clone()).collect())
}

#[test]
fn all_occurrences_of_a_name_are_found() {
    for text in PROGRAMS {
        let (clean, expected, cursor) = marked(text);
        let (mut editor, _) = Editor::with(&clean);
        let mut params = editor.at(&cursor);
        let highlights = editor.request("textDocument/documentHighlight", params.clone());
        assert_eq!(ranges(&highlights.expect("highlights")), sorted(expected.clone()), "{text}");
        params["context"] = json!({ "includeDeclaration": true });
        let references = editor.request("textDocument/references", params.clone());
        assert_eq!(ranges(&references.expect("references")), sorted(expected.clone()), "{text}");
        params["context"] = json!({ "includeDeclaration": false });
        let references = editor.request("textDocument/references", params);
        assert_eq!(ranges(&references.expect("references")).len(), expected.len() - 1, "{text}");
    }
}

#[test]
fn a_definition_is_the_place_of_the_declaration() {
    for text in PROGRAMS {
        let (clean, expected, cursor) = marked(text);
        let (mut editor, _) = Editor::with(&clean);
        let params = editor.at(&cursor);
        for method in ["textDocument/definition", "textDocument/declaration"] {
            let answer = editor.request(method, params.clone()).expect("a place");
            let target = &answer[0]["targetSelectionRange"];
            assert!(expected.contains(target), "{text} {answer}");
            let is_declaration = |range: &Value| {
                let mut at = params.clone();
                at["position"] = range["start"].clone();
                at
            };
            let again = editor.request(method, is_declaration(target)).expect("a place");
            assert_eq!(again[0]["targetSelectionRange"], *target, "{text}");
        }
    }
}

fn apply(text: &str, edits: &Value) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let offset = |place: &Value| {
        let line = place["line"].as_u64().unwrap_or_default() as usize;
        let column = place["character"].as_u64().unwrap_or_default() as usize;
        let before: usize = lines[..line].iter().map(|line| line.len()).sum();
        let mut units = 0;
        let inside = lines.get(line).map_or(0, |line| {
            let mut characters = line.char_indices();
            let at = characters.find(|(_, character)| {
                units += character.len_utf16();
                units > column
            });
            at.map_or(line.len(), |(at, _)| at)
        });
        before + inside
    };
    let mut edits: Vec<(usize, usize, String)> = edits
        .as_array()
        .into_iter()
        .flatten()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap_or_default().to_owned();
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    edits.sort();
    let mut result = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        result.replace_range(start..end, &new);
    }
    result
}

#[test]
fn a_renaming_changes_every_occurrence_and_nothing_else() {
    for text in PROGRAMS {
        let (clean, _, cursor) = marked(text);
        let (mut editor, _) = Editor::with(&clean);
        let mut params = editor.at(&cursor);
        let prepared = editor.request("textDocument/prepareRename", params.clone());
        assert!(prepared.expect("a name")["placeholder"].is_string(), "{text}");
        params["newName"] = json!("renamed");
        let edit = editor.request("textDocument/rename", params).expect("edits");
        let change = &edit["documentChanges"][0];
        assert_eq!(change["textDocument"]["version"], 1);
        // The name outside of the program has a test of its own.
        let edits = items(&change["edits"]).filter(|edit| edit["newText"] == "renamed").cloned();
        let found = apply(&clean, &edits.collect());
        let mut expected = String::new();
        let mut parts = text.split('«');
        expected.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (_, after) = part.split_once('»').unwrap_or_default();
            expected.push_str("renamed");
            expected.push_str(after);
        }
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_renaming_that_changes_the_meaning_is_refused() {
    for (text, new, reason) in [
        ("a▮ = 1\nb = 2\n", "b", "another declaration is named `b` already"),
        ("a▮ = 1\nb = 2\n", "1b", "`1b` is not a name"),
        ("a▮ = 1\nb = 2\n", "null", "`null` is not a name"),
        (
            "a▮ = 1\nb = [for x in [1] : x + a]\n",
            "x",
            "a variable of a loop around a reference is named `x` already",
        ),
        ("a = len▮gth([])\n", "b", "only names that the program declares can be renamed"),
        ("a = 1▮\n", "b", "only names that the program declares can be renamed"),
    ] {
        let (mut editor, position) = Editor::with(text);
        let mut params = editor.at(&position);
        params["newName"] = json!(new);
        let failure = editor.request("textDocument/rename", params).expect_err("it is refused");
        assert_eq!(failure["message"], reason, "{text}");
        assert_eq!(failure["code"], -32803);
    }
}

#[test]
fn inputs_and_outputs_of_components_are_renamed_in_their_users() {
    let mut editor = Editor::new(capabilities());
    editor.write(
        "inner/main.pp",
        "config size \"int\" {\n}\noutput double {\n  value = size * 2\n}\n",
    );
    let user = "component c \"./inner\" {\n  size = 1\n}\na = c.double\n";
    editor.write("other/main.pp", &user.replace("./inner", "../inner"));
    editor.open("main.pp", user);
    for (line, character, old) in [(1, 3, "size"), (3, 7, "double")] {
        let position = json!({ "line": line, "character": character });
        let mut params = editor.at(&position);
        params["newName"] = json!("renamed");
        let edit = editor.request("textDocument/rename", params).expect("edits");
        let changes = edit["documentChanges"].as_array().cloned().unwrap_or_default();
        let mut texts = Vec::new();
        for change in &changes {
            let uri = change["textDocument"]["uri"].as_str().unwrap_or_default();
            let path = uri.strip_prefix("file://").unwrap_or_default();
            let text = std::fs::read_to_string(path).unwrap_or_else(|_| user.to_owned());
            texts.push(apply(&text, &change["edits"]));
        }
        assert_eq!(texts.len(), 3, "{changes:?}");
        for text in texts {
            assert!(text.contains("renamed") && !text.contains(old), "{text}");
        }
    }
}

/// A resource that gets another name keeps its URN, unless its user says otherwise.
#[test]
fn a_renamed_resource_keeps_its_name_outside_of_the_program() {
    let text = "resource ca▮ge \"zoo:index:Cage\" {\n  bars = 1\n}\na = cage.area\n";
    let kept = "resource pen \"zoo:index:Cage\" {\n  __logicalName = \"cage\"\n  bars = 1\n}\na = pen.area\n";
    let mut known = capabilities();
    known["workspace"]["workspaceEdit"]["changeAnnotationSupport"] = json!({});
    for (capabilities, is_annotated) in [(capabilities(), false), (known, true)] {
        let mut editor = Editor::new(capabilities);
        let position = editor.open("main.pp", text);
        let mut params = editor.at(&position);
        params["newName"] = json!("pen");
        let edit = editor.request("textDocument/rename", params).expect("edits");
        let edits = &edit["documentChanges"][0]["edits"];
        assert_eq!(apply(&text.replace('▮', ""), edits), kept);
        let optional: Vec<&Value> =
            items(edits).filter(|it| !it["annotationId"].is_null()).collect();
        assert_eq!(optional.len(), usize::from(is_annotated));
        for edit_of in optional {
            let annotation = edit_of["annotationId"].as_str().unwrap_or_default();
            let label = &edit["changeAnnotations"][annotation]["label"];
            assert_eq!(label, "Keep the name outside of the program");
        }
    }
}

/// The old name is what `__logicalName` said, so the attribute is not needed any more.
#[test]
fn a_name_that_returns_needs_no_other() {
    let text = "resource p▮en \"zoo:index:Cage\" {\n  __logicalName = \"cage\"\n  bars = 1\n}\n";
    let (mut editor, position) = Editor::with(text);
    let mut params = editor.at(&position);
    params["newName"] = json!("cage");
    let edit = editor.request("textDocument/rename", params).expect("edits");
    let edits = &edit["documentChanges"][0]["edits"];
    let after = apply(&text.replace('▮', ""), edits);
    assert_eq!(after, "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\n");
}

fn items(edits: &Value) -> impl Iterator<Item = &Value> {
    edits.as_array().into_iter().flatten()
}

/// Paths follow a file or directory, and a component keeps the type that it had as an alias.
#[test]
fn paths_follow_what_moves() {
    let mut editor = Editor::new(capabilities());
    editor.write("parts/site/main.pp", "config size \"int\" {}\n");
    editor.write("notes/a.txt", "a");
    let user = "component c \"./parts/site\" {\n  size = 1\n}\na = readFile(\"./notes/a.txt\")\n";
    let options =
        "component c \"./parts/site\" {\n  size = 1\n  options {\n    aliases = [\"x\"]\n  }\n}\n";
    editor.open("main.pp", user);
    editor.write("other/main.pp", &options.replace("./parts", "../parts"));
    for (from, to, path, expected) in [
        (
            "parts/site",
            "parts/web",
            "main.pp",
            "component c \"./parts/web\" {\n  size = 1\n  options {\n    aliases = [{ type = \
             \"components:index:Site\" }]\n  }\n}\na = readFile(\"./notes/a.txt\")\n",
        ),
        (
            "parts/site",
            "parts/web",
            "other/main.pp",
            "component c \"../parts/web\" {\n  size = 1\n  options {\n    aliases = [{ type = \
             \"components:index:Site\" }, \"x\"]\n  }\n}\n",
        ),
        ("parts", "pieces", "main.pp", &user.replace("./parts", "./pieces")),
        ("notes/a.txt", "b.txt", "main.pp", &user.replace("./notes/a.txt", "./b.txt")),
    ] {
        let files = json!([{ "oldUri": editor.uri(from), "newUri": editor.uri(to) }]);
        let edit = editor.request("workspace/willRenameFiles", json!({ "files": files }));
        let edit = edit.expect("edits");
        let changes = edit["documentChanges"].as_array().cloned().unwrap_or_default();
        let change = changes.iter().find(|it| it["textDocument"]["uri"] == editor.uri(path));
        let change = change.expect("the file changes");
        let disk = std::fs::read_to_string(editor.path(path));
        let text = disk.unwrap_or_else(|_| user.to_owned());
        assert_eq!(apply(&text, &change["edits"]), expected, "{from} to {to}");
    }
    let files = json!([{ "oldUri": editor.uri("none"), "newUri": editor.uri("other") }]);
    let nothing = editor.request("workspace/willRenameFiles", json!({ "files": files }));
    assert_eq!(nothing, Ok(Value::Null));
}

/// Bodies of every form get the attribute on a line of its own, where there are lines.
#[test]
fn the_name_outside_goes_into_every_body() {
    let rest = "\"zoo:index:Cage\"";
    for (body, kept) in [
        ("{}", "{ __logicalName = \"a\" }"),
        ("{ bars = 1 }", "{\n  __logicalName = \"a\"\n  bars = 1\n}"),
        ("{labels = {}}", "{\n  __logicalName = \"a\"\n  labels = {}\n}"),
        (
            "{ labels = {\n  x = \"y\"\n} }",
            "{\n  __logicalName = \"a\"\n  labels = {\n  x = \"y\"\n}\n}",
        ),
        ("{ # why\n  bars = 1\n}", "{ # why\n  __logicalName = \"a\"\n  bars = 1\n}"),
        ("{\r\n  bars = 1\r\n}", "{\r\n  __logicalName = \"a\"\r\n  bars = 1\r\n}"),
    ] {
        let text = format!("resource ▮a {rest} {body}\n");
        let (mut editor, position) = Editor::with(&text);
        let mut params = editor.at(&position);
        params["newName"] = json!("b");
        let edit = editor.request("textDocument/rename", params).expect("edits");
        let edits = &edit["documentChanges"][0]["edits"];
        let after = apply(&text.replace('▮', ""), edits);
        assert_eq!(after, format!("resource b {rest} {kept}\n"));
    }
}
