//! Documents that are wrong in every way.

use pcl_schema::{DocumentErrorKind, Package, Section};
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::{package, read_all};

/// The line and column at which a document fails as a whole, and how.
fn fails(document: &[u8]) -> (u32, u32, DocumentErrorKind) {
    let error = Package::from_bytes(document).unwrap_err();
    (error.position.line, error.position.column, error.kind)
}

#[test]
fn no_json() {
    use DocumentErrorKind::{Empty, Expected, Truncated};
    assert_eq!(fails(b""), (1, 1, Empty));
    assert_eq!(fails(b" {}\n"), (1, 1, Empty));
    assert_eq!(fails(b"name: zoo"), (1, 1, Expected("`{`")));
    assert_eq!(fails(b"\0\0\0"), (1, 1, Expected("`{`")));
    assert_eq!(fails(b"\xEF\xBB\xBF{\"name\":\"a\"}"), (1, 1, Expected("`{`")));
    assert_eq!(fails(b"[]"), (1, 1, Expected("`{`")));
    assert_eq!(
        fails(b"{\"name\": \"zoo\",\n \"resources\": {\"zoo:a:B\": {\"x\": \"}"),
        (2, 35, Truncated)
    );
    assert_eq!(fails(b"{\"name\": \"zoo\"} {}"), (1, 17, Expected("nothing after the document")));
    assert_eq!(fails(b"{\"name\"\n \"zoo\"}"), (2, 2, Expected("`:`")));
    assert_eq!(fails(b"{\"name\": ]}"), (1, 10, Expected("a value")));
    assert_eq!(fails(b"{\"name\": \"zoo\",}"), (1, 16, Expected("a string")));
}

#[test]
fn wrong_header() {
    let reason = |document: &str| match fails(document.as_bytes()).2 {
        DocumentErrorKind::Header { field, reason } => format!("{field}: {reason}"),
        other => panic!("{other:?}"),
    };
    let documents = [
        r#"{"version": "1.0.0"}"#,
        r#"{"name": 7}"#,
        r#"{"name": "a", "version": "one"}"#,
        r#"{"name": "a", "meta": {"moduleFormat": "("}}"#,
        r#"{"name": "a", "resources": []}"#,
        r#"{"name": "a", "dependencies": [{"name": "b", "version": "x"}]}"#,
        r#"{"name": "a", "dependencies": [{"name": "b", "parameterization": {"name": "c", "version": "1.0.0", "value": "*"}}]}"#,
        r#"{"name": "a", "parameterization": {"baseProvider": {"name": "", "version": "1.0.0"}}}"#,
        r#"{"name": "a", "parameterization": {"baseProvider": {"name": "b", "version": "1"}}}"#,
        r#"{"name": "a", "extensionParameterization": {"baseProvider": {"name": "b", "version": "1.0.0"}}, "provider": {}}"#,
    ];
    insta::assert_snapshot!(documents.map(reason).join("\n"));
}

#[test]
fn a_bad_member_spoils_no_other() {
    let zoo = package(
        "{\"name\": \"zoo\", \"resources\": {\n  \"zoo:a:Bad\": {\"properties\": {\"x\": [1, ]}},\n  \"zoo:a:Kind\": {\"isComponent\":\n    \"yes\"},\n  \"zoo:a:Text\": 5,\n  \"zoo:a:Number\": {\"properties\": {\"n\": {\"type\": \"number\", \"default\": 1e999}}},\n  \"zoo:a:Good\": {\"properties\": {\"x\": {\"type\": \"string\"}}}}}",
    );
    let mut told = Vec::new();
    for member in zoo.members(Section::Resources) {
        match zoo.resource_by_id(member) {
            Ok(spec) => told.push(format!(
                "{}: {} properties",
                zoo.token(member),
                spec.unwrap().properties.len()
            )),
            Err(error) => told.push(error.to_string()),
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn of_equal_keys_the_last_counts() {
    let zoo = package(
        r#"{"name": "ark", "resources": {"zoo:a:B": 1, "zoo:a:C": {}}, "name": "zoo",
            "resources": {"zoo:a:D": {}, "zoo:a:B": {"properties": {"x": {"type": "string"}, "x": {"type": "number"}}}}}"#,
    );
    assert_eq!(zoo.name(), "zoo");
    let tokens: Vec<&str> = zoo.members(Section::Resources).map(|id| zoo.token(id)).collect();
    assert_eq!(tokens, ["zoo:a:B", "zoo:a:C", "zoo:a:D"]);
    let properties = &zoo.resource("zoo:a:B").unwrap().unwrap().properties;
    insta::assert_debug_snapshot!(
        properties.iter().map(|(name, spec)| (name, &spec.ty.kind)).collect::<Vec<_>>()
    );
}

#[test]
fn keys_with_escapes_and_keys_that_are_no_text() {
    let document = b"{\"name\": \"zoo\", \"\\u0074ypes\": {\"zoo:a:\\u0042\": {\"type\": \"object\"}, \"zoo:\xFF\": {}, \"zoo:\\uD800\": {}, \"zoo:a:C\": {\"type\": \"object\"}}}";
    let zoo = Package::from_bytes(&document[..]).unwrap();
    assert!(zoo.type_("zoo:a:B").unwrap().is_some());
    assert!(zoo.type_("zoo:a:C").unwrap().is_some());
    read_all(&zoo);
}

#[test]
fn deep_nesting() {
    let nested = |open: &str, close: &str, depth: usize| {
        let ty = format!("{}{{\"type\": \"string\"}}{}", open.repeat(depth), close.repeat(depth));
        package(&format!(
            r#"{{"name": "zoo", "resources": {{"zoo:a:B": {{"properties": {{"x": {ty}}}}}}}}}"#
        ))
    };
    let (open, close) = (r#"{"type": "array", "items": "#, "}");
    assert!(nested(open, close, 100).resource("zoo:a:B").is_ok());
    let error = nested(open, close, 10_000).resource("zoo:a:B").unwrap_err();
    assert_eq!(error.message(), "the value is nested too deeply");
    // Values that are never read may be arbitrarily deep.
    assert!(
        nested(r#"{"type": "string", "language": ["#, "]}", 10_000).resource("zoo:a:B").is_ok()
    );
}

#[test]
fn many_problems_cost_no_more_than_a_few() {
    let properties: Vec<String> =
        (0..20_000).map(|n| format!("\"p{n}\": {{\"type\": \"x\"}}")).collect();
    let zoo = package(&format!(
        r#"{{"name": "zoo", "resources": {{"zoo:a:B": {{"properties": {{{}}}}}}}}}"#,
        properties.join(",")
    ));
    let member = zoo.find(Section::Resources, "zoo:a:B").unwrap();
    assert!((1..100).contains(&zoo.diagnostics(member).len()));
}

/// JSON made of the words that schemas are made of.
fn schema_like() -> impl Strategy<Value = Value> {
    let words = [
        "type",
        "$ref",
        "items",
        "oneOf",
        "properties",
        "required",
        "inputProperties",
        "requiredInputs",
        "const",
        "default",
        "enum",
        "value",
        "object",
        "array",
        "string",
        "integer",
        "plain",
        "methods",
        "outputs",
        "inputs",
        "stateInputs",
        "multiArgumentInputs",
        "discriminator",
        "mapping",
        "additionalProperties",
        "#/types/zoo:a:B",
        "#/resources/zoo:a:B",
        "#/provider",
        "/ark/v1.0.0/schema.json#/types/ark:a:B",
        "zoo:a:B",
        "zoo:a:C",
        "pulumi",
        "defaultInfo",
        "environment",
    ];
    let word = proptest::sample::select(words.to_vec());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(7, 96, 6, move |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            5 => proptest::collection::vec((word.clone(), inner), 0..6)
                .prop_map(|entries| Value::Object(Map::from_iter(entries.into_iter().map(|(key, value)| (key.to_owned(), value))))),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Package::from_bytes(bytes);
    }

    /// Whatever the members say, each is read or fails for itself.
    #[test]
    fn any_members(b in schema_like(), c in schema_like(), provider in schema_like()) {
        let mut members = Map::new();
        members.insert("zoo:a:B".to_owned(), b);
        members.insert("zoo:a:C".to_owned(), c);
        let document = serde_json::json!({
            "name": "zoo", "types": members, "resources": members, "functions": members, "provider": provider,
        });
        read_all(&package(&document.to_string()));
    }

    /// A document with any one byte changed is read or refused.
    #[test]
    fn one_byte_changed(at in 0usize..400, byte: u8) {
        let mut document = br##"{"name": "zoo", "version": "1.0.0", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "types": {"zoo:a/b:B": {"type": "object", "properties": {"x": {"$ref": "#/types/zoo:a/b:B"}}}},
            "resources": {"zoo:a/b:B": {"inputProperties": {"x": {"type": "array", "items": {"type": "string"}}}, "requiredInputs": ["x"]}},
            "functions": {"zoo:a/b:f": {"outputs": {"properties": {"x": {"type": "string"}}}}}}"##.to_vec();
        let at = at % document.len();
        document[at] = byte;
        if let Ok(zoo) = Package::from_bytes(document) {
            read_all(&zoo);
        }
    }
}
