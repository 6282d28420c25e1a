//! A client reads nothing outside of the directories of the server.

use serde_json::json;

use crate::support::Client;

const TEXT: &str = "a = 1\n";

/// A directory that no server reads, with a program.
fn elsewhere() -> tempfile::TempDir {
    let other = tempfile::tempdir().expect("a folder");
    std::fs::write(other.path().join("main.pp"), TEXT).expect("a file");
    other
}

#[test]
fn paths_outside_are_refused_whether_they_exist_or_not() {
    let mut client = Client::new();
    let other = elsewhere();
    let other = other.path().display();
    client.write("web/main.pp", TEXT);
    for path in [
        format!("{other}"),
        format!("{other}/main.pp"),
        format!("{other}/none"),
        "..".to_owned(),
        "../none".to_owned(),
        "web/../..".to_owned(),
        "/".to_owned(),
        "/etc/passwd".to_owned(),
    ] {
        for (tool, more) in [
            ("check", json!({})),
            ("fix", json!({})),
            ("hover", json!({ "line": 1, "column": 1 })),
            ("schema_search", json!({ "query": "x" })),
            ("schema_show", json!({ "name": "x" })),
            ("explain", json!({ "topic": "x:y" })),
        ] {
            let mut arguments = more;
            arguments["path"] = json!(path);
            let error = client.call(tool, arguments).expect_err("it is outside");
            assert!(error.contains("lies outside of the directories"), "{tool} {path}: {error}");
        }
    }
    let error = client.call("check", json!({ "path": "none" })).expect_err("no such path");
    assert!(error.starts_with("cannot read `"), "{error}");
    client.write("notes.txt", "");
    let error = client.call("check", json!({ "path": "notes.txt" })).expect_err("no program");
    assert!(error.ends_with("is neither a directory nor a .pp file"), "{error}");
    let real = client.folder.path().join("web").display().to_string();
    let inside = client.call("check", json!({ "path": real })).expect("it is inside");
    assert_eq!(inside["programs"][0]["valid"], true);
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_outside() {
    let mut client = Client::new();
    let other = elsewhere();
    let link = |name: &str, target: &std::path::Path| {
        let path = client.folder.path().join(name);
        std::os::unix::fs::symlink(target, path).expect("a link");
    };
    std::fs::create_dir(client.folder.path().join("program")).expect("a directory");
    link("directory", other.path());
    link("program/main.pp", &other.path().join("main.pp"));
    std::fs::create_dir(client.folder.path().join("inside")).expect("a directory");
    link("inside/main.pp", &client.folder.path().join("real.pp"));
    client.write("real.pp", TEXT);
    for path in ["directory", "program", "program/main.pp"] {
        for (tool, more) in
            [("check", json!({})), ("fix", json!({})), ("hover", json!({ "line": 1, "column": 1 }))]
        {
            let mut arguments = more;
            arguments["path"] = json!(path);
            let error = client.call(tool, arguments).expect_err("it leads outside");
            assert!(error.contains("lies outside of the directories"), "{tool} {path}: {error}");
        }
    }
    let inside = client.call("check", json!({ "path": "inside" })).expect("it is inside");
    assert_eq!(inside["programs"][0]["valid"], true);
    // The text of the client counts, so nothing is read.
    let arguments = json!({ "path": "program", "files": { "main.pp": TEXT } });
    let result = client.call("check", arguments).expect("it is checked");
    assert_eq!(result["programs"][0]["valid"], true);
}

#[test]
fn components_outside_are_refused() {
    let mut client = Client::new();
    let other = elsewhere();
    let name = other.path().file_name().expect("a name").to_string_lossy();
    // Temporary directories lie beside each other.
    let text = format!("component other \"../{name}\" {{}}\n");
    for arguments in [
        json!({ "files": { "main.pp": text } }),
        json!({ "path": ".", "files": { "main.pp": text } }),
    ] {
        let error = client.call("check", arguments).expect_err("it is outside");
        assert!(error.contains("lies outside of the directories"), "{error}");
    }
    client.write("part/main.pp", "config size int {}\n");
    let text = "component part \"./part\" { size = [] }\n";
    let result = client.call("check", json!({ "files": { "main.pp": text } }));
    assert_eq!(result.expect("it is inside")["programs"][0]["errors"], 1);
}

#[test]
fn names_of_texts_are_those_of_files() {
    let mut client = Client::new();
    for name in ["../main.pp", "a/main.pp", "main.txt", ".pp", "", "..", "a\\b.pp"] {
        let error = client.call("check", json!({ "files": { name: TEXT } }));
        let error = error.expect_err("it is no name");
        assert!(error.ends_with("is not the name of a file such as `main.pp`"), "{error}");
    }
    let huge = "a".repeat((1 << 20) + 1);
    let error = client.call("check", json!({ "files": { "main.pp": huge } }));
    assert_eq!(error.expect_err("too long"), "`main.pp` has more than 1048576 bytes");
}

#[test]
fn a_wrong_configuration_is_an_error_of_the_tool() {
    let mut client = Client::new();
    client.write("web/main.pp", TEXT);
    client.write("web/pcl.toml", "nonsense = 1\n");
    let error = client.call("check", json!({ "path": "web" })).expect_err("it is wrong");
    assert!(error.contains("pcl.toml: "), "{error}");
    // It is read again.
    client.write("web/pcl.toml", "");
    let result = client.call("check", json!({ "path": "web" })).expect("it is right");
    assert_eq!(result["programs"][0]["valid"], true);
}
