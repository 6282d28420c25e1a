//! `preview`: what a program would register, without secrets, and without files of others.

use serde_json::{Value, json};

use crate::support::Client;

const CAGE: &str = "config bars int {}\nresource cage \"zoo:index:Cage\" {\n  bars = bars\n}\n\
    output bars {\n  value = cage.bars\n}\n";

/// The names of the resources of a preview but the stack.
fn names(preview: &Value) -> Vec<&str> {
    let resources = preview["resources"].as_array().expect("a list").iter();
    let resources = resources.filter(|resource| resource["kind"] != "stack");
    resources.filter_map(|resource| resource["name"].as_str()).collect()
}

/// The names of the diagnostics of a preview.
fn diagnostics(preview: &Value) -> Vec<&str> {
    let diagnostics = preview["diagnostics"].as_array().expect("a list").iter();
    diagnostics.filter_map(|diagnostic| diagnostic["name"].as_str()).collect()
}

#[test]
fn a_preview_has_resources_and_outputs() {
    let mut client = Client::new();
    let arguments = json!({ "files": { "main.pp": CAGE }, "config": { "bars": "7" } });
    let preview = client.call("preview", arguments).expect("it is evaluated");
    assert_eq!((&preview["valid"], &preview["diagnostics"]), (&json!(true), &json!([])));
    assert_eq!((&preview["project"], &preview["stack"]), (&json!("test"), &json!("dev")));
    assert_eq!((&preview["more"], &preview["next"]), (&json!(0), &Value::Null));
    assert_eq!(names(&preview), ["cage"]);
    let cage = preview["resources"].as_array().and_then(|all| all.last()).expect("the cage");
    assert_eq!((&cage["type"], &cage["inputs"]["bars"]), (&json!("zoo:index:Cage"), &json!(7)));
    assert_eq!(cage["id"], json!({ "$unknown": true }));
    assert_eq!(preview["outputs"]["bars"]["$output"]["value"], 7);

    // On disk, with the configuration of a stack, and the answers of providers.
    client.write("farm/main.pp", &format!("{CAGE}output id {{\n  value = cage.id\n}}\n"));
    client.write("Pulumi.prod.yaml", "config:\n  test:bars: 9\n");
    let arguments = json!({
        "path": "farm", "stack": "prod", "mock": { "resources": { "cage": { "id": "c-1" } } },
    });
    let preview = client.call("preview", arguments).expect("it is evaluated");
    assert_eq!(preview["outputs"]["bars"]["$output"]["value"], 9);
    assert_eq!(preview["outputs"]["id"]["$output"]["value"], "c-1");

    // What has no value is an error, or unknown.
    let preview = client.call("preview", json!({ "path": "farm" })).expect("it is evaluated");
    assert_eq!((&preview["valid"], diagnostics(&preview).len()), (&json!(false), 1));
    let arguments = json!({ "path": "farm", "unknown_config": true });
    let preview = client.call("preview", arguments).expect("it is evaluated");
    assert_eq!(preview["outputs"]["bars"]["$output"]["value"], json!({ "$unknown": true }));
}

#[test]
fn a_program_with_errors_has_diagnostics_only() {
    let mut client = Client::new();
    let files = json!({ "main.pp": format!("{CAGE}wrong = lenght(cage)\n") });
    let preview = client.call("preview", json!({ "files": files, "config": { "bras": "1" } }));
    let preview = preview.expect("it is checked");
    assert_eq!(diagnostics(&preview), ["unknown-function"]);
    for list in ["resources", "unknown_ranges", "calls"] {
        assert_eq!(preview[list], json!([]));
    }
    assert_eq!((&preview["valid"], &preview["outputs"]), (&json!(false), &Value::Null));
}

/// The texts of JSON are longer than those that they stand for, and not as deep as values can be.
#[test]
fn odd_values_are_shown_or_named() {
    let mut client = Client::new();
    let program =
        |value: &str| json!({ "main.pp": format!("output o {{\n  value = {value}\n}}\n") });
    let text = format!("\"{}\"", "\\u0001".repeat(1000));
    let preview = client.call("preview", json!({ "files": program(&text) }));
    let shown = preview.expect("it is evaluated")["outputs"]["o"].clone();
    assert_eq!(shown, json!("\u{1}".repeat(1000)));

    let deep = format!("{}{}", "[".repeat(150), "]".repeat(150));
    let message = client.call("preview", json!({ "files": program(&deep) })).expect_err("refused");
    assert!(message.contains("nested too deeply"), "{message}");
}

#[test]
fn what_a_preview_does_not_take_is_refused() {
    let mut client = Client::new();
    client.write("Pulumi.bad.yaml", "config:\n  a: 1\n  a: 2\n");
    let files = json!({ "main.pp": CAGE });
    for (arguments, message) in [
        (json!({ "config": { "bras": "1" } }), "did you mean `bars`?"),
        (json!({ "secrets": { "bras": "1" } }), "did you mean `bars`?"),
        (json!({ "stack": "x/../../y" }), "`x/../../y` is not the name of a stack"),
        (json!({ "stack": "bad" }), "Pulumi.bad.yaml:3:3"),
        (json!({ "mock": { "invokes": { "a": 1 } } }), "a"),
        (json!({ "unknown_config": true, "from": 9 }), "the result has 3 entries"),
    ] {
        let mut arguments = arguments;
        arguments["files"] = files.clone();
        let error = client.call("preview", arguments.clone()).expect_err("it is wrong");
        assert!(error.contains(message), "{arguments}: {error}");
    }
    for name in ["config_file", "configFile", "environment", "organization", "limits"] {
        let params = json!({ "name": "preview", "arguments": { name: "x" } });
        let (code, message) = client.refused(params);
        assert_eq!(code, -32602, "{message}");
        assert!(message.contains(&format!("there is no `{name}`")), "{message}");
    }
}

/// The whole of an answer.
fn answer(client: &mut Client, arguments: Value) -> String {
    let params = json!({ "name": "preview", "arguments": arguments });
    client.request("tools/call", params).expect("a result").to_string()
}

#[test]
fn no_answer_has_a_secret() {
    let mut client = Client::new();
    let text = "config token string {\n  secret = true\n}\nconfig other string {}\n\
        own = secret(\"planted-own\")\n\
        resource cage \"zoo:index:Cage\" {\n  bars = length(\"${token}${other}\")\n}\n\
        output all {\n  value = [token, other, own, \"${token}-${other}\", toBase64(token)]\n}\n";
    let arguments = |more: &str| {
        json!({
            "files": { "main.pp": format!("{text}{more}") },
            "config": { "token": "planted-token" },
            "secrets": { "other": "planted-other" },
        })
    };
    // What is made of a secret is one, also in the messages of errors.
    for (more, part) in [
        ("", "\"outputs\":{\"all\":[{\"$secret\":true},{\"$secret\":true},"),
        ("file = readFile(\"${token}.txt\")\n", "fails for a secret value"),
        ("word = [1][length(other)]\n", "fails for a secret value"),
        ("word = secret({ a = 1 })[other]\n", "fails for a secret value"),
    ] {
        let whole = answer(&mut client, arguments(more));
        assert!(whole.contains(part), "{more}: {whole}");
        // The Base64 form begins with `cGxhbnRlZC`. The text of the program is the client's.
        for planted in ["planted", "cGxhbnRlZC"] {
            assert!(!whole.contains(planted), "{more}: {whole}");
        }
    }
    let files = json!({ "main.pp": text });
    let wrong = json!({ "files": files, "secrets": { "other": ["planted-other"] } });
    let params = json!({ "name": "preview", "arguments": wrong });
    let (_, message) = client.refused(params);
    assert!(message.ends_with("the secrets must be an object of strings"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_program_reads_no_file_outside() {
    let mut client = Client::new();
    let other = tempfile::tempdir().expect("a folder");
    std::fs::write(other.path().join("note.txt"), "planted").expect("a file");
    std::fs::create_dir(client.folder.path().join("links")).expect("a directory");
    let link = |name: &str, target: &str| {
        let path = client.folder.path().join(name);
        std::os::unix::fs::symlink(other.path().join(target), path).expect("a link");
    };
    link("note.txt", "note.txt");
    link("links/note.txt", "note.txt");
    link("missing.txt", "none.txt");
    link("folder", "");
    client.write("own.txt", "inside");
    let name = other.path().file_name().expect("a name").to_string_lossy().into_owned();
    let place = other.path().display().to_string();
    let reads = |path: &str| format!("readFile(\"{path}\")");
    for (call, is_outside) in [
        (reads("own.txt"), false),
        (reads("./schemas/../own.txt"), false),
        (reads("none.txt"), false),
        (reads("note.txt"), true),
        (reads("folder/note.txt"), true),
        // Nobody learns whether there is a file.
        (reads("missing.txt"), true),
        (reads("folder/none.txt"), true),
        (reads("folder/../none.txt"), true),
        (reads(&format!("../{name}/note.txt")), true),
        (reads(&format!("../{name}/none.txt")), true),
        (reads(&format!("{place}/note.txt")), true),
        (reads(&format!("{place}/none.txt")), true),
        (format!("filebase64(\"{place}/note.txt\")"), true),
        (format!("fileAsset(\"{place}/note.txt\")"), true),
        (format!("fileArchive(\"{place}\")"), true),
        ("fileArchive(\"links\")".to_owned(), true),
    ] {
        let files = json!({ "main.pp": format!("output read {{\n  value = {call}\n}}\n") });
        let whole = answer(&mut client, json!({ "files": files }));
        assert_eq!(
            whole.contains("it lies outside of the directories"),
            is_outside,
            "{call}: {whole}"
        );
        assert_eq!(whole.contains("inside\""), call.contains("own.txt"), "{call}: {whole}");
        assert!(!whole.contains("planted") && !whole.contains("cGxhbnRlZ"), "{call}: {whole}");
    }
}

#[cfg(unix)]
#[test]
fn a_project_outside_is_refused() {
    let mut client = Client::new();
    let other = tempfile::tempdir().expect("a folder");
    std::fs::write(other.path().join("main.pp"), "a = 1\n").expect("a file");
    std::fs::write(other.path().join("Pulumi.yaml"), "name: planted\nruntime: pcl\n")
        .expect("a file");
    std::fs::write(other.path().join("stack.yaml"), "planted: [\n").expect("a file");
    let link = |name: &str, target: &str| {
        let path = client.folder.path().join(name);
        std::os::unix::fs::symlink(other.path().join(target), path).expect("a link");
    };
    link("Pulumi.linked.yaml", "stack.yaml");
    client.write("web/main.pp", "a = 1\n");
    link("web/Pulumi.yaml", "Pulumi.yaml");
    let place = other.path().display().to_string();
    for arguments in [
        json!({ "path": place }),
        json!({ "path": "web" }),
        json!({ "files": { "main.pp": "a = 1\n" }, "stack": "linked" }),
    ] {
        let error = client.call("preview", arguments.clone()).expect_err("it is outside");
        assert!(error.contains("lies outside of the directories"), "{arguments}: {error}");
        assert!(!error.contains("planted"), "{error}");
    }
}

/// Parts follow each other, and are all of a preview together.
#[test]
fn long_previews_come_in_parts() {
    let mut client = Client::new();
    let cage = "resource cage \"zoo:index:Cage\" {\n  bars = range.value\n  options {\n    range = 100\n  }\n}\n";
    let files = json!({ "main.pp": format!("{cage}output size {{\n  value = 100\n}}\n") });
    let (mut from, mut found, mut parts) = (json!(0), Vec::new(), 0);
    while !from.is_null() {
        let arguments = json!({ "files": files, "from": from });
        let part = client.call("preview", arguments).expect("a part");
        assert!(part.to_string().len() < 9 << 10, "{}", part.to_string().len());
        assert_eq!(part["outputs"].get("size").is_some(), parts == 0);
        found.extend(names(&part).into_iter().map(str::to_owned));
        from = part["next"].clone();
        parts += 1;
    }
    assert!(parts > 3, "{parts}");
    let all: Vec<String> = (0..100).map(|at| format!("cage-{at}")).collect();
    assert_eq!(found, all);
    // With the output and the stack, there are 102 entries.
    for (limit, from, shown) in [(1, 0, 1), (7, 0, 7), (1000, 0, 102), (3, 101, 1)] {
        let arguments = json!({ "files": files, "limit": limit, "from": from });
        let part = client.call("preview", arguments).expect("a part");
        let resources = part["resources"].as_array().map_or(0, Vec::len);
        let outputs = part["outputs"].as_object().map_or(0, serde_json::Map::len);
        assert_eq!(resources + outputs, shown);
        assert_eq!(part["more"], 102 - from - shown);
    }
    let arguments = json!({ "files": files, "limit": 0 });
    let none = client.call("preview", arguments).expect_err("it would never end");
    assert_eq!(none, "`limit` must be at least 1");
}

/// Texts that share their memory are long where they are written out.
#[test]
fn values_that_do_not_fit_into_memory_are_refused() {
    let mut client = Client::new();
    let doubled = (1..21).map(|i| format!("a{i} = \"${{a{0}}}${{a{0}}}\"\n", i - 1));
    let text = "a0 = \"xxxxxxxxxxxxxxxx\"\n".to_owned()
        + &doubled.collect::<String>()
        + "output o {\n  value = [for i in range(1024) : a20]\n}\n";
    let arguments = json!({ "files": { "main.pp": text } });
    let refused = client.call("preview", arguments).expect_err("it has 16 GB");
    assert!(refused.contains("more than 16777216 bytes"), "{refused}");
}

#[test]
fn long_values_are_cut() {
    let mut client = Client::new();
    let text = "words = [for i in range(1000) : \"word${i}\"]\n\
        output text {\n  value = join(\",\", words)\n}\n\
        output list {\n  value = words\n}\n\
        output object {\n  value = { for i, word in words : word => { number = i } }\n}\n";
    let files = json!({ "main.pp": text });
    let short = client.call("preview", json!({ "files": files })).expect("it is evaluated");
    assert!(short.to_string().len() < 9 << 10, "{}", short.to_string().len());
    assert_eq!(short["more"], 0, "{short}");
    for name in ["text", "list", "object"] {
        let value = short["outputs"][name].to_string();
        assert!(
            value.contains("word1") && value.contains("... ") | value.contains("more"),
            "{value}"
        );
    }
    let whole = client.call("preview", json!({ "files": files, "limit": 9 }));
    let whole = whole.expect("it is evaluated");
    assert_eq!(whole["outputs"]["list"].as_array().map(Vec::len), Some(1000));
}

#[test]
fn a_program_without_an_end_reaches_a_limit() {
    let mut client = Client::new();
    let inner = "length([for k in range(1000) : k])";
    let middle = format!("length([for j in range(1000) : {inner}])");
    let text = format!("output size {{\n  value = length([for i in range(1000) : {middle}])\n}}\n");
    let preview = client.call("preview", json!({ "files": { "main.pp": text } })).expect("it ends");
    assert_eq!(diagnostics(&preview), ["value-too-large"]);
    // The configuration of a repository lowers limits only.
    client.write("web/main.pp", "output size {\n  value = length([for i in range(100) : i])\n}\n");
    client.write("web/pcl.toml", "max-steps = 10\n");
    let preview = client.call("preview", json!({ "path": "web" })).expect("it ends");
    assert_eq!(diagnostics(&preview), ["value-too-large"]);
}
