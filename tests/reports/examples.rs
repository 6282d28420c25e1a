//! The examples of `docs/formats/README.md` are what the command prints.

use serde_json::Value;

use pcl_test_support::{pcl, root};

/// The fenced blocks of a page: language and content.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let fenced = page.split("```").skip(1).step_by(2);
    let blocks = fenced.map(|block| block.split_once('\n').expect("a fence names its language"));
    blocks.collect()
}

/// Compares JSON; the string `..` stands for any string.
fn assert_same(expected: &Value, found: &Value, at: &str) {
    match (expected, found) {
        (Value::String(any), Value::String(_)) if any == ".." => {}
        (Value::Object(expected), Value::Object(found)) => {
            let keys = |object: &serde_json::Map<String, Value>| {
                object.keys().cloned().collect::<Vec<_>>()
            };
            assert_eq!(keys(expected), keys(found), "{at}");
            for (key, value) in expected {
                assert_same(value, &found[key], &format!("{at}/{key}"));
            }
        }
        (Value::Array(expected), Value::Array(found)) => {
            assert_eq!(expected.len(), found.len(), "{at}");
            for (nth, (expected, found)) in expected.iter().zip(found).enumerate() {
                assert_same(expected, found, &format!("{at}/{nth}"));
            }
        }
        _ => assert_eq!(expected, found, "{at}"),
    }
}

#[test]
fn every_example_is_printed() {
    let page = std::fs::read_to_string(root().join("docs/formats/README.md"));
    let page = page.expect("the page is there");
    let blocks = blocks(&page);
    let program = std::fs::read_to_string(root().join("docs/formats/example/main.pp"));
    assert!(blocks.contains(&("pcl", &program.expect("the example is there"))));
    let mut formats = Vec::new();
    for (nth, (language, text)) in blocks.iter().enumerate() {
        if *language != "console" {
            continue;
        }
        let (line, shown) = text.split_once('\n').expect("a command is a line");
        let arguments = line.strip_prefix("$ pcl ").expect("it begins with a prompt");
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let printed = pcl(&arguments).stdout;
        match (shown, blocks.get(nth + 1)) {
            ("", Some(("json", json))) => {
                let parse = |text| serde_json::from_str(text).expect("it is JSON");
                assert_same(&parse(json), &parse(&printed), line);
            }
            ("", Some((_, text))) => assert_eq!(*text, printed, "{line}"),
            _ => assert_eq!(shown, printed, "{line}"),
        }
        formats.push(arguments[2].to_owned());
    }
    let all = pcl::render::Format::ALL.map(pcl::render::Format::name);
    let shown = all.iter().filter(|name| formats.contains(&(**name).to_owned()));
    // `json-lines` is described beside `json`.
    assert_eq!(shown.count(), all.len() - 1, "{formats:?}");
}
