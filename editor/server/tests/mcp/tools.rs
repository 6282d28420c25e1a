//! Every tool, with what it does and with what it refuses.

use serde_json::{Value, json};

use crate::support::Client;

#[test]
fn the_list_of_tools() {
    let mut client = Client::new();
    let list = client.request("tools/list", json!({})).expect("a list");
    let next = client.request("tools/list", json!({ "cursor": "x" }));
    assert_eq!(next.as_ref(), Ok(&list));
    for tool in list["tools"].as_array().expect("a list") {
        let name = tool["name"].as_str().expect("a name");
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], true, "{name}");
        assert_eq!(hints["openWorldHint"], false, "{name}");
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert!(schema.is_null() || schema["type"] == "object", "{name}");
            let references = references(schema);
            for reference in references {
                let pointer = reference.strip_prefix('#').expect("a place in the schema");
                assert!(schema.pointer(pointer).is_some(), "{name}: {reference}");
            }
        }
    }
    // The formats are published, and need not be here again.
    let mut brief = list;
    for tool in brief["tools"].as_array_mut().expect("a list") {
        if let Some(schema) = tool["outputSchema"].as_object_mut() {
            schema.retain(|key, _| key != "$defs" && key != "title");
        }
    }
    insta::assert_json_snapshot!(brief);
}

/// The values of `$ref` in a schema.
fn references(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str);
            let inner = members.values().flat_map(references);
            own.into_iter().chain(inner).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn calls_that_no_tool_takes_are_refused() {
    let mut client = Client::new();
    for (params, message) in [
        (json!({}), "the string `name` is missing"),
        (json!({ "name": 1 }), "the string `name` is missing"),
        (json!({ "name": "rm" }), "unknown tool: rm"),
        (json!({ "name": "explain" }), "the arguments of `explain`: missing field `topic`"),
        (
            json!({ "name": "explain", "arguments": { "topic": 1 } }),
            "the arguments of `explain`: invalid type: integer `1`, expected a string",
        ),
        (
            json!({ "name": "explain", "arguments": { "topic": "a", "code": "b" } }),
            "the arguments of `explain`: there is no `code`, but from, path, topic",
        ),
        (
            json!({ "name": "check", "arguments": [1] }),
            "the arguments of `check`: they are no object",
        ),
        (
            json!({ "name": "hover", "arguments": { "line": -1, "column": 1 } }),
            "the arguments of `hover`: invalid value: integer `-1`, expected u32",
        ),
    ] {
        let refused = client.refused(params.clone());
        assert_eq!(refused, (-32602, message.to_owned()), "{params}");
    }
}

const WRONG: &str = "resource cage \"zoo:index:Cage\" {\n  bars = \"many\"\n}\n";

#[test]
fn check_reports_diagnostics_with_fixes_and_pages() {
    let mut client = Client::new();
    let files = json!({ "main.pp": "size = lenght([1, 2])\n" });
    let result = client.call("check", json!({ "files": files })).expect("it is checked");
    let program = &result["programs"][0];
    assert_eq!(program["valid"], false);
    let diagnostic = &program["diagnostics"][0];
    assert_eq!(diagnostic["code"], "PCL0601");
    assert_eq!(diagnostic["file"], "main.pp");
    assert_eq!(diagnostic["fixes"][0]["edits"][0]["text"], "length");
    let page = result["explanations"]["PCL0601"].as_str().expect("a page");
    assert!(page.contains("function"), "{page}");
    assert_eq!(result["more"], 0);

    // Schemas lie beside the directory of the server; a file on disk is one of its program.
    client.write("farm/main.pp", WRONG);
    client.write("farm/more.pp", "output bars { value = cage.bars }\n");
    for path in ["farm", "farm/", "./farm/more.pp"] {
        let arguments = json!({ "path": path, "explanations": false });
        let result = client.call("check", arguments).expect("it is checked");
        assert_eq!(result["programs"][0]["errors"], 1, "{path}: {result}");
        assert_eq!(result.get("explanations"), None);
        let file = result["programs"][0]["diagnostics"][0]["file"].as_str();
        assert!(file.is_some_and(|file| file.ends_with("farm/main.pp")));
    }
    // Texts count instead of those on disk, or in addition to them.
    let files = json!({ "main.pp": WRONG.replace("\"many\"", "1"), "new.pp": "a = cage.bars\n" });
    let arguments = json!({ "path": "farm", "files": files });
    let result = client.call("check", arguments).expect("it is checked");
    assert_eq!(result["programs"][0]["valid"], true, "{result}");
    assert_eq!(result["explanations"], json!({}));
    let disk = std::fs::read_to_string(client.folder.path().join("farm/main.pp"));
    assert_eq!(disk.expect("the file is there"), WRONG);
    assert!(!client.folder.path().join("farm/new.pp").exists());
}

#[test]
fn check_counts_what_it_leaves_out() {
    let mut client = Client::new();
    let lines = (0..300).map(|at| format!("a{at} = missing{at}\n"));
    let files = json!({ "main.pp": lines.collect::<String>() });
    let arguments = json!({ "files": files });
    let result = client.call("check", arguments).expect("it is checked");
    let diagnostics = &result["programs"][0]["diagnostics"];
    let shown = diagnostics.as_array().map_or(0, Vec::len);
    assert!(shown > 5 && diagnostics.to_string().len() < 9 << 10, "{shown}");
    assert_eq!(result["more"], 300 - shown);
    for (limit, shown) in [(Some(0), 0), (Some(7), 7), (Some(1000), 300)] {
        let arguments = json!({ "files": files, "limit": limit });
        let result = client.call("check", arguments).expect("it is checked");
        let program = &result["programs"][0];
        let diagnostics = program["diagnostics"].as_array().expect("a list");
        assert_eq!(diagnostics.len(), shown);
        assert_eq!(result["more"], 300 - shown);
        assert_eq!(program["errors"], 300);
    }
}

#[test]
fn fix_returns_texts_or_diffs() {
    let mut client = Client::new();
    let text = "names = [\"a\"];\nsize = lenght(names)\n";
    let files = json!({ "main.pp": text });
    let safe = client.call("fix", json!({ "files": files })).expect("it is fixed");
    let fixed = "names = [\"a\"]\nsize = lenght(names)\n";
    assert_eq!(safe["files"], json!([{ "file": "main.pp", "text": fixed }]));
    assert_eq!(safe["programs"][0]["errors"], 1);
    assert_eq!(safe["fixed"].as_array().map(Vec::len), Some(1));

    client.write("web/main.pp", text);
    let arguments = json!({ "path": "web", "unsafe": true, "diff": true });
    let all = client.call("fix", arguments).expect("it is fixed");
    assert_eq!(all["programs"][0]["valid"], true, "{all}");
    let diff = all["files"][0]["diff"].as_str().expect("a diff");
    assert!(diff.contains("-size = lenght(names)\n+names"), "{diff}");
    let disk = std::fs::read_to_string(client.folder.path().join("web/main.pp"));
    assert_eq!(disk.expect("the file is there"), text);

    let nothing = client.call("fix", json!({ "files": { "a.pp": "a = 1\n" } }));
    let nothing = nothing.expect("it is fixed");
    assert_eq!((&nothing["files"], &nothing["fixed"]), (&json!([]), &json!([])));
    let missing = client.call("fix", json!({ "path": "none" }));
    assert!(missing.expect_err("no such program").contains("none"));
}

#[test]
fn format_lays_a_text_out() {
    let mut client = Client::new();
    let result = client.call("format", json!({ "text": "a=1\nlong  =2\n" }));
    let expected = json!({ "text": "a    = 1\nlong = 2\n", "changed": true, "diagnostics": [] });
    assert_eq!(result, Ok(expected));
    let result = client.call("format", json!({ "text": "a = 1\n" })).expect("a text");
    assert_eq!(result["changed"], false);
    let result = client.call("format", json!({ "text": "a = [1\n" })).expect("a text");
    assert_eq!((&result["text"], &result["changed"]), (&json!("a = [1\n"), &json!(false)));
    assert_eq!(result["diagnostics"][0]["severity"], "error");
    let huge = "a".repeat((1 << 20) + 1);
    let error = client.call("format", json!({ "text": huge })).expect_err("too long");
    assert_eq!(error, "the text has more than 1048576 bytes");
}

/// A long text comes in parts, which are all of it together.
#[test]
fn long_texts_come_in_parts() {
    let mut client = Client::new();
    let inputs = (0..400).map(|at| {
        format!("\"input{at}\": {{ \"type\": \"string\", \"description\": \"Number é{at}.\" }}")
    });
    let inputs = inputs.collect::<Vec<_>>().join(", ");
    let schema = format!(
        "{{ \"name\": \"wide\", \"resources\": {{ \"wide:index:Door\": {{ \
         \"inputProperties\": {{ {inputs} }} }} }} }}"
    );
    client.write("schemas/wide.json", &schema);
    let (mut from, mut all, mut parts) = (0, String::new(), 0);
    loop {
        let arguments = json!({ "name": "wide:index:Door", "from": from });
        let text = client.call("schema_show", arguments).expect("a part");
        let text = text.as_str().expect("a text").to_owned();
        assert!(text.len() < 9 << 10, "{}", text.len());
        parts += 1;
        let Some((shown, rest)) = text.rsplit_once("\n... ") else {
            all.push_str(&text);
            break;
        };
        all.push_str(shown);
        let next = rest.rsplit(' ').next().unwrap_or_default().trim();
        from = next.parse().expect("a number");
    }
    assert!(parts > 1, "{parts}");
    let missing = (0..400).filter(|at| !all.contains(&format!("Number é{at}.")));
    assert_eq!(missing.count(), 0);
    let arguments = json!({ "name": "wide:index:Door", "from": 1_000_000 });
    let error = client.call("schema_show", arguments).expect_err("it ends before");
    assert!(error.ends_with("so `from` is too large"), "{error}");
}

#[test]
fn explain_has_a_page_about_everything() {
    let mut client = Client::new();
    for (topic, start) in [
        ("PCL0301", "# PCL0301 "),
        ("unknown-function", "# PCL0601 unknown-function"),
        ("element", "# The function `element`"),
        ("resource", "# The block `resource`"),
        ("dependsOn", "# The option `dependsOn`"),
        ("depends_on", "# The option `dependsOn`"),
        ("list", "# The type `list`"),
        ("zoo:index:Cage", "resource zoo:index:Cage"),
    ] {
        let page = client.call("explain", json!({ "topic": topic })).expect("a page");
        let page = page.as_str().expect("a text");
        assert!(page.starts_with(start), "{topic}: {page}");
    }
    for (topic, message) in [
        ("elemnt", "there is no page about `elemnt`; did you mean `element`?"),
        ("zoo:index:Cag", "did you mean `zoo:index:Cage`?"),
        ("zo:index:Cage", "did you mean `zoo`?"),
    ] {
        let error = client.call("explain", json!({ "topic": topic })).expect_err("no page");
        assert!(error.ends_with(message), "{topic}: {error}");
    }
}

#[test]
fn schemas_are_searched_and_shown() {
    let mut client = Client::new();
    let found = client.call("schema_search", json!({ "query": "Cage" })).expect("a result");
    let first = json!({
        "package": "zoo",
        "kind": "resource",
        "token": "zoo:index:Cage",
        "summary": "A cage, which holds **animals**.",
    });
    assert_eq!(found["members"][0], first);
    assert_eq!(found["unreadable"], json!([]));
    let all = found["members"].as_array().map_or(0, Vec::len);
    let arguments = json!({ "query": "cage", "packages": ["zoo"], "limit": 1 });
    let one = client.call("schema_search", arguments).expect("a result");
    assert_eq!((&one["members"], &one["more"]), (&json!([first]), &json!(all - 1)));
    let none = client.call("schema_search", json!({ "query": "spaceship" }));
    assert_eq!(none.expect("a result")["members"], json!([]));
    let error = client.call("schema_search", json!({ "query": " " }));
    assert_eq!(error.expect_err("no words"), "`query` has no words");
    let arguments = json!({ "query": "cage", "packages": ["zo"] });
    let error = client.call("schema_search", arguments).expect_err("no such package");
    assert!(error.ends_with("did you mean `zoo`?"), "{error}");

    client.write("schemas/broken.json", "{");
    let found = client.call("schema_search", json!({ "query": "cage" })).expect("a result");
    assert_eq!(found["members"][0], first);
    assert_eq!(found["unreadable"].as_array().map(Vec::len), Some(1), "{found}");

    for (name, part) in [
        ("zoo:index:Cage", "bars"),
        ("zoo", "1.2.0"),
        ("zoo@1.2.0", "1.2.0"),
        ("zoo:index:Diet", "meat"),
    ] {
        let page = client.call("schema_show", json!({ "name": name })).expect("a page");
        assert!(page.as_str().is_some_and(|page| page.contains(part)), "{name}: {page}");
    }
    for (name, message) in [
        ("zoo@one", "`one` is not a version such as 1.2.3"),
        ("a:b:c:d", "is not a token"),
        ("none", "none"),
    ] {
        let error = client.call("schema_show", json!({ "name": name })).expect_err("an error");
        assert!(error.contains(message), "{name}: {error}");
    }
}

#[test]
fn hover_explains_a_place() {
    let mut client = Client::new();
    client.write("farm/main.pp", "size = cage.bars\n");
    client.write("farm/é.pp", &WRONG.replace("\"many\"", "1"));
    let arguments = json!({ "path": "farm/main.pp", "line": 1, "column": 9 });
    let result = client.call("hover", arguments).expect("an answer");
    let answer = &result["answer"];
    assert_eq!(answer["text"], "cage");
    assert_eq!(answer["declaration"]["token"], "zoo::Cage");
    assert_eq!(answer["declaration"]["range"]["start"]["column"], 10);
    let file = answer["declaration"]["file"].as_str().expect("a file");
    assert!(file.ends_with("farm/é.pp"), "{file}");
    let arguments = json!({ "path": "farm", "file": "main.pp", "line": 1, "column": 13 });
    let result = client.call("hover", arguments).expect("an answer");
    assert_eq!(result["answer"]["type"], "output(int)");
    let markdown = &result["answer"]["markdown"];
    assert!(markdown.to_string().contains("bars: "), "{markdown}");
    let sum = json!({ "files": { "main.pp": "a = 1 + 2\n" }, "line": 1, "column": 7 });
    let result = client.call("hover", sum).expect("an answer");
    assert_eq!(result["answer"]["markdown"], "```pcl\nnumber\n```");
    let files = json!({ "main.pp": "a = 1\n" });
    let arguments = json!({ "files": files, "line": 1, "column": 3 });
    let result = client.call("hover", arguments).expect("no answer");
    assert_eq!(result["answer"], Value::Null);
    for (arguments, message) in [
        (json!({ "files": files, "line": 9, "column": 1 }), "has 2 lines"),
        (json!({ "files": files, "line": 1, "column": 9 }), "has 6 columns"),
        (json!({ "files": files, "line": 0, "column": 9 }), "count from 1"),
        (json!({ "path": "farm", "line": 1, "column": 1 }), "`file` has to name one of"),
        (
            json!({ "path": "farm", "file": "x.pp", "line": 1, "column": 1 }),
            "the program has no file `x.pp`",
        ),
        (json!({ "path": "schemas", "line": 1, "column": 1 }), "the program has no files"),
    ] {
        let error = client.call("hover", arguments.clone()).expect_err("an error");
        assert!(error.contains(message), "{arguments}: {error}");
    }
}

#[test]
fn complete_lists_what_can_be_written() {
    let mut client = Client::new();
    let arguments = json!({
        "files": { "main.pp": "names = [\"a\"]\nsize = leng\n" }, "line": 2, "column": 12,
    });
    let result = client.call("complete", arguments).expect("an answer");
    let items = &result["answer"]["items"];
    assert_eq!(items[0]["label"], "length");
    assert_eq!(items[0]["text"], "length(");
}

#[test]
fn convert_returns_a_project_and_its_limits() {
    let mut client = Client::new();
    let text = "config size int {}\noutput total {\n  value = size + 1\n}\n";
    let arguments = |language: &str, text: &str| json!({ "files": { "main.pp": text }, "language": language, "name": "shop" });
    let python = client.call("convert", arguments("python", text)).expect("a project");
    let module = "import pulumi\n\nconfig = pulumi.Config()\n\nsize = config.require_int(\"size\")\n\n\
        pulumi.export(\"total\", size + 1)\n";
    assert_eq!(python["files"]["__main__.py"], module);
    assert!(python["files"]["Pulumi.yaml"].as_str().is_some_and(|it| it.contains("name: shop\n")));
    assert_eq!(python["programs"][0]["diagnostics"], json!([]));
    let yaml = client.call("convert", arguments("yaml", text)).expect("a project");
    assert_eq!(yaml["programs"][0]["diagnostics"][0]["code"], "PCL1201");
    let broken = client.call("convert", arguments("yaml", "a = b\n")).expect("a result");
    assert_eq!(broken["files"], json!({}));
    assert_eq!(broken["programs"][0]["diagnostics"][0]["name"], "undefined-variable");
    let unknown = client.call("convert", arguments("cobol", text));
    let message = "unknown language `cobol`; expected `typescript`, `python`, `go`, `java`, `yaml` or \
                   `json`";
    assert_eq!(unknown, Err(message.to_owned()));
}
