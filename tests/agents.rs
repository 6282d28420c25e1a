//! `pcl mcp` as agents start it, and the examples of `docs/agents.md`.

use std::process::Command;

use pcl_test_support::{SCHEMAS, command, pcl, root, run, scratch, write};
use serde_json::{Value, json};

/// The answers to requests to a server with these arguments, after that to `initialize`.
fn ask(arguments: &[&str], requests: &[(&str, Value)]) -> Vec<Value> {
    let mut server = command();
    server.arg("mcp").args(arguments);
    ask_server(server, requests)
}

/// The answers of a server to requests, after that to `initialize`.
fn ask_server(server: Command, requests: &[(&str, Value)]) -> Vec<Value> {
    let initialize = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let all = [("initialize", initialize)];
    let all = all.iter().chain(requests).enumerate();
    let lines = all.map(|(id, (method, params))| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        format!("{request}\n")
    });
    let run = run(server, lines.collect::<String>().as_bytes());
    assert_eq!((run.status, &*run.stderr), (0, ""));
    let answers = run.stdout.lines().map(|line| {
        let answer: Value = serde_json::from_str(line).expect("a line is JSON");
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    });
    let answers: Vec<Value> = answers.collect();
    assert_eq!(answers.len(), requests.len() + 1);
    answers[1..].to_vec()
}

/// The request that calls a tool.
fn call(name: &str, arguments: Value) -> (&'static str, Value) {
    ("tools/call", json!({ "name": name, "arguments": arguments }))
}

/// A program whose preview is cut.
const CUT: &str = "resource net \"harbor:network:Network\" {\n  cidr = \"10.0.0.0/8\"\n  \
    tags = { for i in range(500) : \"key${i}\" => \"value\" }\n  options {\n    range = 9\n  }\n}\n";

#[test]
fn results_have_the_declared_forms() {
    let program = |arguments: Value| {
        let mut arguments = arguments;
        arguments["path"] = json!("corpus/broken/webserver");
        arguments
    };
    let at = json!({ "line": 3, "column": 10, "file": "main.pp" });
    let calls = [
        call("check", program(json!({}))),
        call("check", json!({ "path": "corpus/valid/webserver", "limit": 0 })),
        call("check", json!({ "files": { "a.pp": "a = [\n" } })),
        call("fix", program(json!({ "unsafe": true }))),
        call("fix", program(json!({ "diff": true }))),
        call("convert", program(json!({ "language": "typescript" }))),
        call("convert", json!({ "path": "corpus/valid/webserver", "language": "yaml" })),
        call("preview", program(json!({}))),
        call("preview", json!({ "path": "corpus/valid/webserver", "unknown_config": true })),
        call("preview", json!({ "files": { "a.pp": CUT } })),
        call("format", json!({ "text": "a=1" })),
        call("format", json!({ "text": "a=(" })),
        call("schema_search", json!({ "query": "network", "packages": ["harbor"] })),
        call("hover", program(at.clone())),
        call("complete", program(at.clone())),
        call(
            "hover",
            json!({ "files": { "main.pp": "a = 1\n\nb = 2          \n" }, "line": 2, "column": 1 }),
        ),
    ];
    let list = [("tools/list", json!({}))];
    let requests: Vec<_> = list.into_iter().chain(calls).collect();
    let answers = ask(&["--schema-dir", SCHEMAS], &requests);
    let tools = answers[0]["tools"].as_array().expect("a list");
    for ((_, params), answer) in requests.iter().zip(&answers).skip(1) {
        let name = &params["name"];
        assert_eq!(answer["isError"], false, "{name}: {answer}");
        let tool = tools.iter().find(|tool| tool["name"] == *name);
        let schema = &tool.expect("it is listed")["outputSchema"];
        let validator = jsonschema::validator_for(schema).expect("the schema is valid");
        let error = validator.iter_errors(&answer["structuredContent"]).next();
        let error = error.map(|error| format!("{}: {error}", error.instance_path()));
        assert_eq!(error, None, "{name}");
    }
    let valid = &answers[2]["structuredContent"]["programs"][0]["valid"];
    assert_eq!(valid, true);
    let cut = requests.iter().position(|(_, params)| params["arguments"]["files"]["a.pp"] == CUT);
    let cut = &answers[cut.expect("it is asked")]["structuredContent"];
    assert!(cut["valid"] == true && cut["next"].is_number(), "{cut}");
}

/// Encrypted values are unknown, whatever the environment has.
#[test]
fn previews_use_no_passphrase() {
    const STACK: &str =
        "encryptionsalt: v1:iRtGRf3dxS4=:v1:w83Zb1fKIl/NGu2M:k0u4YXk5NVmACC2cn7MY5kFPT+PTTQ==
config:
  shop:token:
    secure: v1:bohoxIg7jqwLSG2N:q6y94a2UMsG06YmWEKAPPxPFgAJ5zvmB0dc=
";
    let place = scratch("agents-passphrase");
    write(&place.join("Pulumi.yaml"), "name: shop\nruntime: pcl\n");
    write(&place.join("Pulumi.prod.yaml"), STACK);
    let text = "config token string {}\noutput token {\n  value = unsecret(token)\n}\n";
    write(&place.join("main.pp"), text);
    let preview = call("preview", json!({ "stack": "prod" }));
    let mut shown = Vec::new();
    for passphrase in ["correct horse", "wrong"] {
        let mut server = command();
        server.arg("mcp").arg(&*place).env("PULUMI_CONFIG_PASSPHRASE", passphrase);
        let answers = ask_server(server, std::slice::from_ref(&preview));
        let whole = answers[0].to_string();
        assert!(!whole.contains("top secret") && whole.contains("PCL1012"), "{whole}");
        shown.push(whole);
    }
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn the_flags_of_check_count() {
    let valid = |arguments: &[&str], check: Value| {
        let answers = ask(arguments, &[call("check", check)]);
        answers[0]["structuredContent"]["programs"][0]["valid"] == true
    };
    let text = "resource a \"harbor:network:Network\" {\n  cidr = \"10.0.0.0/8\"\n}\n";
    let program = || json!({ "files": { "main.pp": text } });
    assert!(!valid(&[], program()));
    assert!(valid(&["--schema-dir", SCHEMAS], program()));
    let text = "resource a \"none:index:Thing\" {}\n";
    let unknown = || json!({ "files": { "main.pp": text } });
    assert!(!valid(&[], unknown()));
    assert!(valid(&["--missing-schema", "ignore"], unknown()));
    assert!(valid(&["--setting", "missing-schema=warn"], unknown()));
}

#[test]
fn only_the_named_directories_are_read() {
    let outside = call("check", json!({ "path": root().join("corpus/valid/webserver") }));
    let answers = ask(&["corpus/broken", "docs"], &[outside]);
    assert_eq!(answers[0]["isError"], true);
    let inside = call("check", json!({ "path": "formats/example" }));
    let answers = ask(&["corpus/broken", "docs"], &[inside]);
    assert_eq!(answers[0]["structuredContent"]["programs"][0]["errors"], 1);
    let missing = pcl(["mcp", "no-such-directory"]);
    assert_eq!(missing.status, 2);
    let message = "cannot read the directory `no-such-directory`";
    assert!(missing.stderr.contains(message), "{}", missing.stderr);
}

/// The commands of the page print what it shows, and it describes every tool.
#[test]
fn the_page_is_right() {
    let page = std::fs::read_to_string(root().join("docs/agents.md")).expect("the page is there");
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block ends");
        for example in block.split("$ pcl ").skip(1) {
            let (line, shown) = example.split_once('\n').expect("a command is a line");
            assert_eq!(pcl(line.split(' ')).stdout, shown, "{line}");
            examples += 1;
        }
    }
    assert!(examples > 1, "{examples}");
    for block in page.split("```json\n").skip(1) {
        let block = block.split("```").next().expect("a block ends");
        let _: Value = serde_json::from_str(block).expect("it is JSON");
    }
    let answers = ask(&[], &[("tools/list", json!({}))]);
    for tool in answers[0]["tools"].as_array().expect("a list") {
        let row = format!("| `{}` |", tool["name"].as_str().expect("a name"));
        assert!(page.contains(&row), "{row}");
    }
}
