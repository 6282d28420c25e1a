//! `--fold`: resources that differ in a few values become one with a range, and keep the law.

use pcl::import::Request;
use serde_json::{Value, json};

use crate::law::law;
use crate::recorded::lab;

const STACK: &str = "urn:pulumi:dev::proj::pulumi:pulumi:Stack::proj-dev";
const PROVIDER: &str = "urn:pulumi:dev::proj::pulumi:providers:lab::default_2_1_0";

fn urn(name: &str) -> String {
    format!("urn:pulumi:dev::proj::lab:index:Box::{name}")
}

fn a_box(name: &str, inputs: Value) -> Value {
    json!({ "urn": urn(name), "custom": true, "id": format!("id of {name}"), "type": "lab:index:Box",
            "inputs": inputs, "outputs": {}, "parent": STACK, "provider": format!("{PROVIDER}::p-1") })
}

/// The program for these boxes with `--fold`, which has to keep the law.
fn folded(boxes: Vec<Value>) -> String {
    let mut resources = vec![
        json!({ "urn": STACK, "custom": false, "type": "pulumi:pulumi:Stack" }),
        json!({ "urn": PROVIDER, "custom": true, "id": "p-1", "type": "pulumi:providers:lab",
                "inputs": { "version": "2.1.0" } }),
    ];
    resources.extend(boxes);
    let state = json!({ "version": 3, "deployment": { "resources": resources } });
    let request = Request { fold: true, ..Request::default() };
    match law(&state, &lab(), &request) {
        Ok(kept) => kept.text,
        Err(reason) => panic!("{reason}"),
    }
}

/// The number of resources in a program, and its text without the `package` block.
fn resources(boxes: Vec<Value>) -> (usize, String) {
    let text = folded(boxes);
    let (_, rest) = text.split_once("}\n\n").expect("a package");
    (text.matches("\nresource ").count(), rest.to_owned())
}

#[test]
fn equal_resources_have_a_number() {
    let boxes = (0..3).map(|at| a_box(&format!("web-{at}"), json!({ "name": "n", "zone": "z" })));
    let (count, text) = resources(boxes.collect());
    assert_eq!(count, 1);
    assert_eq!(
        text,
        "resource web \"lab:index:Box\" {\n  name = \"n\"\n  zone = \"z\"\n  options {\n    range = 3\n  }\n}\n"
    );
}

#[test]
fn resources_with_numbers_have_a_list() {
    // The order of the state does not matter.
    let boxes = [1, 0, 2].map(|at| {
        let value = ["a", "b", "c"][at];
        a_box(&format!("web-{at}"), json!({ "items": ["x", value], "size": 1 }))
    });
    let (count, text) = resources(boxes.into());
    assert_eq!(count, 1);
    assert!(text.contains("items = [\"x\", range.value]"), "{text}");
    assert!(text.contains("range = [\"a\", \"b\", \"c\"]"), "{text}");
}

#[test]
fn resources_with_names_have_an_object() {
    let boxes = ["us", "eu"]
        .map(|key| a_box(&format!("my.web-{key}"), json!({ "name": key, "tags": { "at": key } })));
    let (count, text) = resources(boxes.into());
    assert_eq!(count, 1, "{text}");
    assert!(text.contains("__logicalName = \"my.web\""), "{text}");
    assert!(text.contains("\"eu\" = \"eu\"\n      \"us\" = \"us\""), "{text}");
}

#[test]
fn numbers_and_truth_values_are_folded_too() {
    let sizes = [3, 7].map(|size| a_box(&format!("web-{}", size / 7), json!({ "size": size })));
    assert_eq!(resources(sizes.into()).0, 1);
    let switches =
        [true, false].map(|on| a_box(&format!("web-{}", usize::from(on)), json!({ "on": on })));
    assert_eq!(resources(switches.into()).0, 1);
}

#[test]
fn references_to_folded_resources_are_elements() {
    let mut boxes: Vec<Value> =
        (0..2).map(|at| a_box(&format!("web-{at}"), json!({ "size": at }))).collect();
    let mut user = a_box("user", json!({ "name": "id of web-1" }));
    user["dependencies"] = json!([urn("web-0"), urn("web-1")]);
    boxes.push(user);
    let (count, text) = resources(boxes);
    assert_eq!(count, 2);
    assert!(text.contains("name = web[1].id") && text.contains("dependsOn = [web[0]]"), "{text}");
    let keyed = ["a", "b"].map(|key| a_box(&format!("web-{key}"), json!({})));
    let user = a_box("user", json!({ "name": "id of web-b" }));
    let (_, text) = resources(keyed.into_iter().chain([user]).collect());
    assert!(text.contains("name = web[\"b\"].id"), "{text}");
}

/// Several values are an object for each resource, with the names of the inputs.
#[test]
fn several_values_are_objects() {
    let boxes = (0..3).map(|at| {
        let name = ["a", "b", "c"][at];
        a_box(&format!("web-{at}"), json!({ "name": name, "size": at, "zone": "z" }))
    });
    let (count, text) = resources(boxes.collect());
    assert_eq!(count, 1, "{text}");
    assert!(text.contains("name = range.value.name\n  size = range.value.size\n"), "{text}");
    let rows = "      { name = \"a\", size = 0 },\n      { name = \"b\", size = 1 },\n";
    assert!(text.contains(rows), "{text}");
    // Keys that are names, and values that are called alike.
    let boxes = ["eu", "us"].map(|key| {
        let tags = json!({ "name": format!("tag of {key}"), "my key": key });
        let on = key == "eu";
        a_box(&format!("web-{key}"), json!({ "name": key, "on": on, "tags": tags }))
    });
    let (count, text) = resources(boxes.into());
    assert_eq!(count, 1, "{text}");
    assert!(text.contains("\"eu\" = { name = \"eu\", on = true, "), "{text}");
    assert!(text.contains("tags_name = \"tag of eu\""), "{text}");
}

/// A range that is longer than the resources is no help.
#[test]
fn a_longer_program_is_not_written() {
    let text = "a long text that fills the line ".repeat(3);
    let boxes = (0..2).map(|at| {
        a_box(&format!("web-{at}"), json!({ "name": format!("{text}{at}"), "size": at }))
    });
    assert_eq!(resources(boxes.collect()).0, 2);
}

/// Resources that are not exactly equivalent stay as they are.
#[test]
fn other_resources_are_not_folded() {
    let pair = |first: Value, second: Value| vec![a_box("web-0", first), a_box("web-1", second)];
    // Too many values differ.
    let many = |at: i32| {
        let entry = |key: &str| (key.to_owned(), json!(format!("{key}{at}")));
        json!({ "tags": serde_json::Map::from_iter(["a", "b", "c", "d", "e"].map(entry)) })
    };
    assert_eq!(resources(pair(many(0), many(1))).0, 2);
    // One has more inputs.
    assert_eq!(resources(pair(json!({ "name": "a" }), json!({ "name": "a", "size": 2 }))).0, 2);
    // The options differ.
    let mut boxes = pair(json!({}), json!({}));
    boxes[1]["protect"] = json!(true);
    assert_eq!(resources(boxes).0, 2);
    // The types of the values differ.
    assert_eq!(resources(pair(json!({ "extra": "a" }), json!({ "extra": 1 }))).0, 2);
    // One needs the other.
    let mut boxes = pair(json!({}), json!({}));
    boxes[1]["dependencies"] = json!([urn("web-0")]);
    assert_eq!(resources(boxes).0, 2);
    // Something between them needs the first and is needed by the second.
    let mut boxes = pair(json!({}), json!({}));
    let mut between = a_box("between", json!({}));
    between["dependencies"] = json!([urn("web-0")]);
    boxes[1]["dependencies"] = json!([urn("between")]);
    boxes.insert(1, between);
    assert_eq!(resources(boxes).0, 3);
    // The names are no keys.
    assert_eq!(resources(vec![a_box("a", json!({})), a_box("b", json!({}))]).0, 2);
    // A secret is no value of a range.
    let secret = |text: &str| {
        json!({ "name": { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
        "plaintext": format!("\"{text}\"") } })
    };
    assert_eq!(resources(pair(secret("x"), secret("y"))).0, 2);
}

/// Groups of any size and with any values keep the law.
#[test]
fn series_keep_the_law() {
    let values = [json!("a"), json!("${x}"), json!("id of web-0"), json!(""), json!("1")];
    for count in [2, 5, 12] {
        for (start, keys) in [(0, true), (1, false)] {
            let boxes = (0..count).map(|at| {
                let key = if keys { at.to_string() } else { format!("k{}", at + start) };
                a_box(
                    &format!("web-{key}"),
                    json!({ "name": values[at % values.len()], "zone": "z", "nums": [at] }),
                )
            });
            let same = boxes.clone().map(|mut it| {
                it["inputs"]["nums"] = json!([1.5]);
                it
            });
            folded(boxes.collect());
            let text = folded(same.collect());
            assert!(text.contains("range") || text.contains(".id"), "{text}");
        }
    }
}
