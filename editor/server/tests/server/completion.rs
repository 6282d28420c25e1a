//! Completion at places of programs, broken ones above all.

use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

/// The labels at the cursor, the best first.
fn complete(editor: &mut Editor, position: &Value) -> Vec<Value> {
    let params = editor.at(position);
    let answer = editor.request("textDocument/completion", params).expect("an answer");
    let mut items = answer["items"].as_array().cloned().unwrap_or_default();
    items.sort_by_key(|item| item["sortText"].as_str().unwrap_or_default().to_owned());
    items
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().filter_map(|item| item["label"].as_str()).collect()
}

/// Programs with the cursor, the labels that come first, and some that must not be offered.
const TABLE: &[(&str, &[&str], &[&str])] = &[
    (
        "▮",
        &["component", "config", "hook", "output", "package", "pulumi", "read", "resource"],
        &["length"],
    ),
    ("re▮", &["read", "resource"], &["config"]),
    ("a = 1\n\nou▮\n", &["output"], &["a"]),
    (
        "resource cage \"▮",
        &["zoo:farm/barn:Barn", "zoo:index:Animal", "zoo:index:Cage"],
        &["zoo:index:getAnimal"],
    ),
    ("resource cage \"zoo:index:An▮\" {\n}\n", &["zoo:index:Animal"], &["zoo:index:Cage"]),
    ("resource cage \"Cage▮\" {\n}\n", &["zoo:index:Cage"], &["zoo:index:Animal"]),
    ("config a \"▮\" {\n}\n", &["string", "int", "bool"], &["true"]),
    ("hook \"▮\" a {\n}\n", &["error", "resource"], &[]),
    (
        "resource cage \"zoo:index:Cage\" {\n  ▮\n}\n",
        &["bars", "color", "labels", "options", "lock"],
        &["cage", "resource", "area"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n  ▮",
        &["labels", "color"],
        &["bars", "cage", "resource"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n  options {\n    dep▮\n  }\n}\n",
        &["dependsOn"],
        &["bars", "color"],
    ),
    ("config a \"string\" {\n  de▮\n}\n", &["default", "description"], &["value"]),
    ("output a {\n  ▮\n}\n", &["value"], &["default"]),
    ("resource tom \"zoo:index:Animal\" {\n  diet = ▮\n}\n", &["all", "meat", "plants"], &[]),
    (
        "resource tom \"zoo:index:Animal\" {\n  diet = \"▮\"\n}\n",
        &["all", "meat", "plants"],
        &["length", "tom"],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  favorite = {\n    ▮\n  }\n}\n",
        &["food", "grams", "kind"],
        &["tom", "name"],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  favorite = { food = \"a\", ▮ }\n}\n",
        &["grams", "kind"],
        &["food"],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  meals = [{ ▮ }]\n}\n",
        &["food", "grams", "kind"],
        &["name"],
    ),
    (
        "resource tom \"zoo:index:Animal\" {\n  meals = [{ kind = ▮ }]\n}\n",
        &["all", "meat", "plants"],
        &[],
    ),
    (
        "count = 2\nname = \"a\"\nresource cage \"zoo:index:Cage\" {\n  bars = ▮\n}\n",
        &["count"],
        &["cage"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\na = cage.▮\n",
        &["area", "bars", "color", "doors", "id", "urn"],
        &["length"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\na = \"${cage.a▮}\"\n",
        &["area", "bars"],
        &[],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\na = [for c in [cage] : c.▮]\n",
        &["id"],
        &[],
    ),
    ("a = { b = { c = 1 } }\nd = a.b.▮\n", &["c"], &["b"]),
    ("a = [for word in [\"a\"] : w▮]\n", &["word"], &[]),
    ("a = [for word in [w▮] : word]\n", &[], &["word"]),
    ("size = si▮\n", &[], &["size"]),
    ("a = leng▮\n", &["length"], &[]),
    ("a = invoke(\"▮\", {})\n", &["zoo:index:getAnimal", "zoo:"], &["zoo:index:Cage"]),
    ("a = invoke(\"zoo:index:getAnimal\", { ▮ })\n", &["name", "strict"], &["a"]),
    ("a = invoke(\"zoo:index:getAnimal\", {\n  na▮", &["name"], &["a"]),
    (
        "resource cage \"zoo:index:Cage\" {\n  options {\n    range = 2\n  }\n  bars = ran▮\n}\n",
        &["range.value", "range"],
        &[],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  options {\n    range = 2\n  }\n  bars = range.▮\n}\n",
        &["value"],
        &["key"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  options {\n    ignoreChanges = [▮]\n  }\n}\n",
        &["bars", "labels", "color"],
        &["length"],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  options {\n    protect = ▮\n  }\n}\n",
        &["false", "true"],
        &[],
    ),
    (
        "resource cage \"zoo:index:Cage\" {\n  bars = 1\n}\nresource tom \"zoo:index:Animal\" {\n  cage = ▮\n}\n",
        &["cage.id", "cage"],
        &["tom"],
    ),
    ("a = \"plain te▮xt\"\n", &[], &["length"]),
    ("# a comm▮ent\n", &[], &["component"]),
    ("a = 1 # at the en▮d\n", &[], &["a"]),
    ("é = 1\na = \"𐍈\" == é ? leng▮ : 2\n", &["length"], &[]),
];

#[test]
fn what_fits_is_offered_first() {
    for (text, first, absent) in TABLE {
        let (mut editor, position) = Editor::with(text);
        let items = complete(&mut editor, &position);
        let labels = labels(&items);
        let start = labels.iter().take(first.len()).copied();
        // Of equal ranks the order is that of the alphabet.
        let mut start: Vec<&str> = start.collect();
        let mut expected = first.to_vec();
        start.sort_unstable();
        expected.sort_unstable();
        let all_there = expected.iter().all(|label| labels.contains(label));
        assert!(all_there, "{text}\n{labels:?}\nlacks one of {expected:?}");
        if first.len() <= 4 {
            assert_eq!(start, expected, "{text}\n{labels:?}");
        }
        for label in *absent {
            assert!(!labels.contains(label), "{text}\noffers {label}: {labels:?}");
        }
    }
}

/// Tokens come in the order of a search, and other spellings of a name find it too.
#[test]
fn tokens_are_offered_as_they_are_found() {
    for (typed, first) in [
        // By their letters, `zoo:farm/barn:Barn` comes first.
        ("an", "zoo:index:Animal"),
        ("Cages", "zoo:index:Cage"),
        ("zoo_animal", "zoo:index:Animal"),
        ("zoo.Cage", "zoo:index:Cage"),
        ("zoo:Ba", "zoo:farm/barn:Barn"),
    ] {
        let (mut editor, position) = Editor::with(&format!("resource a \"{typed}▮\" {{\n}}\n"));
        let items = complete(&mut editor, &position);
        assert_eq!(labels(&items).first(), Some(&first), "{typed}: {:?}", labels(&items));
        // An editor drops what its user has not typed.
        let filter = items[0]["filterText"].as_str().unwrap_or_default().to_lowercase();
        let mut filter = filter.chars();
        let is_kept = typed.to_lowercase().chars().all(|wanted| filter.any(|it| it == wanted));
        assert!(is_kept, "{typed}: {}", items[0]);
    }
}

#[test]
fn required_inputs_come_first_and_deprecated_ones_last() {
    let (mut editor, position) = Editor::with("resource cage \"zoo:index:Cage\" {\n  ▮\n}\n");
    let items = complete(&mut editor, &position);
    let labels = labels(&items);
    assert_eq!(labels[0], "bars");
    let lock = items.iter().find(|item| item["label"] == "lock").expect("it is offered");
    assert_eq!(lock["tags"], json!([1]));
    assert_eq!(items[0]["documentation"]["value"], "The number of bars.");
    assert_eq!(items[0]["insertTextFormat"], 2);
}

/// Accepting a token writes what the resource or function requires.
#[test]
fn a_token_brings_its_body() {
    for (text, inserted) in [
        ("resource cage \"zoo:index:Ca▮", "\"zoo:index:Cage\" {\n  bars = $1\n}"),
        ("resource cage \"zoo:index:Ca▮\" {\n}\n", "\"zoo:index:Cage\""),
        ("a = invoke(\"getAni▮\")\n", "\"zoo:index:getAnimal\", {\n  name = \"$1\"\n}"),
        ("a = invoke(\"getAni▮\n", "\"zoo:index:getAnimal\", {\n  name = \"$1\"\n})"),
        ("a = invoke(\"getAni▮\", {})\n", "\"zoo:index:getAnimal\""),
    ] {
        let (mut editor, position) = Editor::with(text);
        let items = complete(&mut editor, &position);
        assert_eq!(items[0]["textEdit"]["newText"], inserted, "{text}");
    }
}

/// A key is not followed by two signs, and what repeats does no harm.
#[test]
fn a_key_before_a_sign_is_a_key_alone() {
    let start = "resource cage \"zoo:index:Cage\" {\n  ";
    for (body, inserted) in [
        ("ba▮ = 1", "bars"),
        ("ba▮ =", "bars"),
        ("labels = { a = \"x\" }\n  bars = 1\n}\nlabels = { ▮ = \"y\" }\nb = {", "a"),
    ] {
        let (mut editor, position) = Editor::with(&format!("{start}{body}\n}}\n"));
        let items = complete(&mut editor, &position);
        assert_eq!(items[0]["textEdit"]["newText"], inserted, "{body}");
    }
    let text = "resource cage \"▮\" {\n  bars = 1\n  bars = 2\n}\n";
    let (mut editor, position) = Editor::with(text);
    assert_eq!(labels(&complete(&mut editor, &position)).first(), Some(&"zoo:index:Cage"));
}

/// The functions that other languages have by themselves are those of a package.
#[test]
fn functions_of_terraform_are_found_by_their_names() {
    let mut editor = Editor::new(capabilities());
    let upper = json!({ "inputs": { "properties": { "input": { "type": "string" } } } });
    let schema = json!({ "name": "std", "functions": { "std:index:upper": upper } });
    editor.write("schemas/std.json", &schema.to_string());
    let position = editor.open("main.pp", "a = upp▮\n");
    let items = complete(&mut editor, &position);
    assert_eq!(labels(&items), ["upper"]);
    assert_eq!(items[0]["textEdit"]["newText"], "invoke(\"std:upper\", { $1 })");
}

/// The codes of a comment, the texts of attributes and the files that functions read.
#[test]
fn texts_with_a_meaning_are_offered() {
    for (text, first) in [
        ("vari▮", "config"),
        ("modu▮", "component"),
        ("# pcl: ignore[▮]\na = missing\n", "undefined-variable"),
        ("a = 1 # pcl: ignore[unused-config, unused-l▮] why\n", "unused-local"),
        ("package zoo {\n  baseProviderName = \"▮\"\n}\n", "zoo"),
        ("resource p \"pulumi:prov▮\" {\n}\n", "pulumi:providers:zoo"),
        ("a = readFile(\"▮\")\n", "./notes.txt"),
        ("a = fileArchive(\"./ass▮\")\n", "./assets/"),
        ("resource c \"zoo:index:Cage\" {\n  bars = 1\n  opt▮\n}\n", "options"),
    ] {
        let (mut editor, position) = Editor::with(text);
        editor.write("assets/site.css", "");
        editor.write("notes.txt", "");
        let items = complete(&mut editor, &position);
        assert_eq!(labels(&items).first(), Some(&first), "{text}: {:?}", labels(&items));
        assert_eq!(items[0]["preselect"], true);
    }
}

#[test]
fn an_editor_without_snippets_gets_plain_text() {
    let mut editor = Editor::new(json!({ "textDocument": { "diagnostic": {} } }));
    let position = editor.open("main.pp", "resource cage \"zoo:index:Cage\" {\n  ba▮\n}\n");
    let items = complete(&mut editor, &position);
    assert_eq!(items[0]["textEdit"]["newText"], "bars = ");
    assert_eq!(items[0]["insertTextFormat"], 1);
}

#[test]
fn the_word_and_nothing_else_is_replaced() {
    for (text, start, end) in [
        ("a = le▮ng\n", 4, 8),
        ("a = ▮\n", 4, 4),
        ("resource cage \"zoo▮:index\" {\n", 14, 25),
        ("resource cage \"zoo▮\n", 14, 18),
    ] {
        let (mut editor, position) = Editor::with(text);
        let items = complete(&mut editor, &position);
        let range = &items.first().expect("a completion")["textEdit"]["range"];
        let found = (range["start"]["character"].as_i64(), range["end"]["character"].as_i64());
        assert_eq!(found, (Some(start), Some(end)), "{text}");
    }
}

#[test]
fn the_documentation_of_a_token_is_asked_for() {
    let (mut editor, position) = Editor::with("resource cage \"zoo:index:Ca▮\" {\n}\n");
    let items = complete(&mut editor, &position);
    assert!(items[0]["documentation"].is_null());
    let resolved = editor.request("completionItem/resolve", items[0].clone()).expect("an item");
    let text = resolved["documentation"]["value"].as_str().unwrap_or_default();
    assert!(text.starts_with("A cage, which holds **animals**."), "{text}");
}

/// Programs that are typed character by character: no request fails, and the first completions
/// leave no more syntax errors than the finished word.
#[test]
fn every_keystroke_of_a_program_can_be_completed() {
    for text in TABLE.iter().map(|(text, ..)| text.replace('▮', "")).chain([
        "resource tom \"zoo:index:Animal\" {\n  name = \"Tom ${upper(\"x\")}\"\n  cage = cage.id\n  meals = [for m in [1, 2] : { food = \"f\", grams = m }]\n  options {\n    dependsOn = [cage]\n    range = 2\n  }\n}\n".to_owned(),
        "a = <<-END\n  %{ for x in [\"a\"] }${x}%{ endfor }\n  END\noutput b {\n  value = a == \"x\" ? [1, { c = -2 }] : null\n}\n".to_owned(),
    ]) {
        let mut editor = Editor::new(capabilities());
        editor.open("main.pp", "");
        let mut typed = String::new();
        for (version, character) in text.chars().enumerate() {
            typed.push(character);
            editor.replace("main.pp", version as i32 + 2, &typed);
            let line = typed.matches('\n').count();
            let last = typed.rsplit('\n').next().unwrap_or_default();
            let position = json!({ "line": line, "character": last.encode_utf16().count() });
            for item in complete(&mut editor, &position).iter().take(5) {
                check_inserted(&typed, item);
            }
        }
    }
}

/// The text after a completion at its end has no more syntax errors than with a word in its place.
fn check_inserted(typed: &str, item: &Value) {
    let errors = |text: &str| pcl::syntax::parse(text).errors().len();
    let lines: Vec<&str> = typed.split('\n').collect();
    let edit = &item["textEdit"];
    let line = edit["range"]["start"]["line"].as_u64().unwrap_or_default() as usize;
    let column = edit["range"]["start"]["character"].as_u64().unwrap_or_default() as usize;
    let start: usize = lines[..line].iter().map(|line| line.len() + 1).sum();
    let mut units = 0;
    let inside = lines[line].char_indices().find(|(_, character)| {
        let here = units == column;
        units += character.len_utf16();
        here
    });
    let start = start + inside.map_or(lines[line].len(), |(at, _)| at);
    let new = filled(edit["newText"].as_str().unwrap_or_default());
    let before = &typed[..start];
    let completed = format!("{before}{new}");
    let least = ["", "x", "x = 1", "\"x\"", "x {\n}", "x \"y\" {\n}", "x()"]
        .map(|word| errors(&format!("{before}{word}")));
    let least = least.into_iter().min().unwrap_or_default();
    assert!(errors(&completed) <= least + 1, "{completed:?}\n{typed:?}\n{item}");
}

/// A snippet with something in its places.
fn filled(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let after = &after[1..];
        if let Some(inner) = after.strip_prefix('{') {
            let (inner, tail) = inner.split_once('}').unwrap_or((inner, ""));
            let choice = inner.split(['|', ':']).nth(1).unwrap_or("1");
            text.push_str(choice.split(',').next().unwrap_or_default());
            rest = tail;
        } else {
            let quoted = text.ends_with('"') || text.ends_with("[") || text.ends_with("{\n  ");
            text.push_str(if quoted { "" } else { "1" });
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    text.push_str(rest);
    text
}
