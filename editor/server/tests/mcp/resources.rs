//! The tour of the language and the pages of `pcl explain` as resources.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::support::Client;

/// The text of a resource.
fn read(client: &mut Client, uri: &str) -> String {
    let result = client.request("resources/read", json!({ "uri": uri })).expect("a resource");
    let contents = result["contents"].as_array().expect("a list");
    assert_eq!(contents.len(), 1);
    assert_eq!(contents[0]["uri"], uri);
    assert_eq!(contents[0]["mimeType"], "text/markdown");
    contents[0]["text"].as_str().expect("a text").to_owned()
}

#[test]
fn resources_are_listed_in_parts() {
    let mut client = Client::new();
    let (mut params, mut all, mut parts) = (json!({}), Vec::new(), 0);
    loop {
        let result = client.request("resources/list", params).expect("a list");
        assert!(result.to_string().len() < 9 << 10);
        all.extend(result["resources"].as_array().expect("a list").clone());
        parts += 1;
        match result.get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => break,
        }
    }
    assert!(parts > 1 && all.len() > 300, "{parts}, {}", all.len());
    let first = json!({
        "uri": "pcl://tour",
        "name": "tour",
        "title": "A tour of the language",
        "mimeType": "text/markdown",
    });
    assert_eq!(all[0], first);
    let uris: HashSet<&str> = all.iter().filter_map(|it| it["uri"].as_str()).collect();
    assert_eq!(uris.len(), all.len());
    for uri in ["pcl://explain", "pcl://explain/PCL0301", "pcl://explain/element"] {
        assert!(uris.contains(uri), "{uri}");
    }
    for cursor in [json!("x"), json!(""), json!("-1"), json!("100000"), json!(7)] {
        let failure = client.request("resources/list", json!({ "cursor": cursor }));
        assert_eq!(failure.expect_err("no such cursor")["code"], -32602);
    }
    let templates = client.request("resources/templates/list", json!({})).expect("a list");
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "pcl://explain/{topic}");
}

#[test]
fn resources_are_read() {
    let mut client = Client::new();
    for (uri, start) in [
        ("pcl://tour", "# A tour of the language\n\nPCL describes "),
        ("pcl://explain", "# Topics of `pcl explain`"),
        ("pcl://explain/PCL0301", "# PCL0301 "),
        ("pcl://explain/depends%5Fon", "# The option `dependsOn`"),
        ("pcl://explain/for", "# The "),
    ] {
        let text = read(&mut client, uri);
        assert!(text.starts_with(start), "{uri}: {text}");
    }
}

#[test]
fn unknown_resources_are_not_found() {
    let mut client = Client::new();
    for (uri, message) in [
        ("pcl://none", "there is no resource `pcl://none`"),
        ("file:///etc/passwd", "there is no resource `file:///etc/passwd`"),
        ("", "there is no resource ``"),
        ("pcl://explain/elemnt", "there is no page about `elemnt`; did you mean `element`?"),
    ] {
        let failure = client.request("resources/read", json!({ "uri": uri }));
        let expected = json!({ "code": -32002, "message": message, "data": { "uri": uri } });
        assert_eq!(failure, Err(expected));
    }
    for params in [json!({}), json!({ "uri": 1 }), Value::Null] {
        let failure = client.request("resources/read", params).expect_err("no address");
        assert_eq!(failure["code"], -32602);
    }
}
