//! Package schemas that are wrong in every way.

use crate::{CANARY, check, codes, heard_the_canary, program, refused};

/// Checks a program that uses a resource of this schema: the rest of the program must be checked
/// whatever the schema is.
fn checked_beside(name: &str, schema: &str) {
    let source = format!("resource \"r\" \"odd:index:R\" {{\n  a = 1\n}}{CANARY}");
    let files = [("main.pp", source.as_bytes()), ("schemas/odd-1.0.0.json", schema.as_bytes())];
    let (run, diagnostics) = check(&program(name, &files));
    assert_eq!(run.status, 1, "{schema}\n{}", run.stdout);
    assert!(heard_the_canary(&diagnostics), "{schema}\n{}", run.stdout);
}

#[test]
fn a_reference_in_a_schema_that_leads_nowhere() {
    let diagnostics = refused(
        "dangling",
        "resource \"a\" \"cracked:index:Dangling\" {\n  half = { whole = \"x\" }\n}\n",
    );
    assert!(codes(&diagnostics).contains("PCL0411"), "{diagnostics:?}");
}

/// The JSON pointer says where something is; lines are counted only where a person can look one up.
#[test]
fn places_in_a_schema_of_one_line() {
    let properties = r##""properties": { "x": { "$ref": "#/types/odd:index:Gone" } }"##;
    for (between, lines) in [("\n", true), (" ", false)] {
        let padding = " ".repeat(2_000);
        let schema = format!(
            r#"{{ "name": "odd",{padding}{between}"resources": {{ "odd:index:R": {{ {properties} }} }} }}"#
        );
        let files = [
            ("main.pp", &b"resource \"r\" \"odd:index:R\" {}\n"[..]),
            ("schemas/odd-1.0.0.json", schema.as_bytes()),
        ];
        let (_, diagnostics) = check(&program("one-line", &files));
        let notes = diagnostics[0]["notes"].to_string();
        assert!(notes.contains("#/resources/odd:index:R/properties/x/$ref"), "{notes}");
        assert_eq!(notes.contains("line 2, column"), lines, "{notes}");
        assert_eq!(notes.contains("of the schema)"), lines, "{notes}");
    }
}

#[test]
fn a_schema_that_is_not_json() {
    let diagnostics = refused("garbled", "resource \"a\" \"garbled:index:Thing\" {}\n");
    assert!(diagnostics.iter().any(|f| f.to_string().contains("garbled-1.0.0.json")));
}

#[test]
fn schemas_of_every_wrong_shape() {
    let shapes = [
        "",
        "null",
        "[]",
        "5",
        "\"x\"",
        "{}",
        "{",
        "{\"name\":5}",
        "{\"name\":\"odd\",\"resources\":[]}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":null}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":5}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":5}}}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":\"#/types/\"}}}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"type\":\"array\"}}}}}",
        "{\"name\":\"odd\",\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"oneOf\":[]}}}}}",
        "{\"name\":\"odd\",\"meta\":{\"moduleFormat\":\"(\"},\"resources\":{\"odd:index:R\":{}}}",
        "{\"name\":\"odd\",\"types\":{\"odd:index:E\":{\"type\":\"string\",\"enum\":[]}},\"resources\":{\"odd:index:R\":{\"inputProperties\":{\"a\":{\"$ref\":\"#/types/odd:index:E\"}}}}}",
        "{\"name\":\"even\",\"resources\":{\"odd:index:R\":{}}}",
    ];
    for (nth, shape) in shapes.iter().enumerate() {
        checked_beside(&format!("shape-{nth}"), shape);
    }
}

#[test]
fn a_schema_nested_too_deep() {
    for (nth, (open, close)) in
        [("[", "]"), ("{\"a\":", "}"), ("{\"items\":", "}")].iter().enumerate()
    {
        let deep = format!(
            "{{\"name\":\"odd\",\"resources\":{{\"odd:index:R\":{{\"inputProperties\":{{\"a\":{{\"type\":\"array\",\"items\":{}1{}}}}}}}}}}}",
            open.repeat(20_000),
            close.repeat(20_000)
        );
        checked_beside(&format!("deep-schema-{nth}"), &deep);
    }
}
