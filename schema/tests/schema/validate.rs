//! The diagnostics about a schema as a whole.

use std::fmt::Write as _;

use pcl_diagnostics::{Diagnostic, Severity};
use pcl_schema::{MemoryLoader, Syntax, validate, validate_among};
use proptest::prelude::*;

const BROKEN: &str = include_str!("broken_schema.json");

/// Each diagnostic with its line and the text there.
fn shown(source: &str, diagnostics: &[Diagnostic]) -> String {
    let mut shown = String::new();
    for diagnostic in diagnostics {
        let range = diagnostic.primary.range.to_usize();
        let line = source[..range.start].lines().count().max(1);
        let mild = match diagnostic.severity {
            Severity::Warning => " (warning)",
            _ => "",
        };
        let path = diagnostic.notes[0].strip_prefix("at ").expect("a path");
        let _ = writeln!(
            shown,
            "{line}: {:?}{mild} `{}` {path}: {}",
            diagnostic.code, &source[range], diagnostic.message
        );
        for label in &diagnostic.labels {
            let text = &source[label.span.range.to_usize()];
            let _ = writeln!(shown, "    `{text}`: {}", label.message);
        }
    }
    shown
}

#[test]
fn everything_at_once() {
    let diagnostics = validate(BROKEN.as_bytes(), Syntax::Json);
    insta::assert_snapshot!(shown(BROKEN, &diagnostics));
}

/// The same schema in YAML has the same errors, reported in the YAML.
#[test]
fn yaml_is_reported_as_it_is_written() {
    let yaml = "name: zoo\nresources:\n  zoo:a:Cage:\n    inputProperties:\n      bars: {type: intger}\n      größe: &size {type: array}\n      other: *size\n    requiredInputs:\n      - bars\n      - lock\n  zoo:b:Cage: {}\n  zoo:b:Cage: {}\n";
    let diagnostics = validate(yaml.as_bytes(), Syntax::Yaml);
    insta::assert_snapshot!(shown(yaml, &diagnostics));
    let broken = validate(b"name: [zoo\n", Syntax::Yaml);
    assert_eq!(broken.len(), 1);
}

/// References, and descriptions, that lead to other packages.
#[test]
fn other_packages() {
    let source = r##"{
  "name": "zoo", "version": "1.0.0",
  "dependencies": [{"name": "bridge", "version": "0.1.0", "parameterization": {"name": "moat", "version": "3.0.0", "value": ""}}],
  "types": {
    "zoo:a:Plan": {"type": "object", "language": {"go": {"$ref": "/sky/v1.0.0/schema.json#/types/sky:a:Nothing"}}, "properties": {
      "deck": {"$ref": "/ark/v2.0.0/schema.json#/types/ark:a:Deck"},
      "form": {"$ref": "/ark/v2/schema.json#/types/ark::Deck"},
      "keel": {"type": "array", "items": {"$ref": "/ark/v2.0.0/schema.json#/resources/ark:a:Keel"}},
      "owner": {"$ref": "https://example.com/ark/v2.0.0/schema.json#/provider"},
      "leaky": {"$ref": "/ark/v2.0.0/schema.json#/types/ark:a:Leaky"},
      "again": {"$ref": "/ark/v2.0.0/schema.json#/types/ark:a:Leaky"},
      "distant": {"$ref": "/ark/v2.0.0/schema.json#/types/ark:a:Distant"},
      "moat": {"$ref": "/moat/v3.0.0/schema.json#/types/moat:a:Water"},
      "sky": {"$ref": "/sky/v1.0.0/schema.json#/types/sky:a:Cloud"},
      "skies": {"$ref": "/sky/v1.0.0/schema.json#/types/sky:a:Star"},
      "old": {"$ref": "/zoo/v0.9.0/schema.json#/types/zoo:a:Plan"},
      "same": {"$ref": "/zoo/v1.0.0/schema.json#/types/zoo:a:Plan", "description": "{{% ref /zoo/v1.0.0/schema.json#/types/zoo:a:Plan %}}"}
    }}
  },
  "resources": {
    "zoo:a:Cage": {"description": "{{% ref /ark/v2.0.0/schema.json#/functions/ark:a:float %}} {{% ref /ark/v2.0.0/schema.json#/types/ark:a:Deck/properties/planks %}} {{% ref /ark/v2.0.0/schema.json#/types/ark:a:Gone %}} {{% ref /sun/v1.0.0/schema.json#/types/sun:a:Ray %}} {{% ref ark.json#/types/x %}}"}
  }
}"##;
    let mut others = MemoryLoader::default();
    for document in [
        r##"{"name": "ark", "version": "2.0.0", "functions": {"ark:a:float": {}}, "types": {
            "ark:index:Deck": {"type": "object", "properties": {"planks": {"type": "integer"}}},
            "ark:a:Deck": {"type": "object", "properties": {"planks": {"type": "integer"}}},
            "ark:a:Leaky": {"type": "object", "properties": {"hull": {"$ref": "#/types/ark:a:Hull"}}},
            "ark:a:Hull": {"type": "object", "properties": {"wood": {"type": "oak"}}},
            "ark:a:Distant": {"type": "object", "properties": {"x": {"$ref": "/sea/v1.0.0/schema.json#/types/sea:a:Salt"}}}
        }}"##,
        r#"{"name": "moat", "version": "3.0.0"}"#,
        r#"{"name": "zoo", "version": "0.8.0"}"#,
    ] {
        others.add(document).expect("a package");
    }
    let alone = validate(source.as_bytes(), Syntax::Json);
    assert_eq!(alone.len(), 1, "`ark.json#` has no good form: {alone:?}");
    let diagnostics = validate_among(source.as_bytes(), Syntax::Json, &others);
    insta::assert_snapshot!(shown(source, &diagnostics));
}

/// The diagnostics about a schema, without their notes.
fn messages(source: &str) -> Vec<String> {
    let diagnostics = validate(source.as_bytes(), Syntax::Json);
    diagnostics.iter().map(|it| format!("{:?} {}", it.code, it.message)).collect()
}

/// Names of members may have hyphens. The module of the name `provider` is the one that
/// `moduleFormat` makes of the token; where the format does not fit, it is the part as written.
#[test]
fn names_with_hyphens_and_modules_of_providers() {
    let hyphen = r#"{"name": "zoo", "resources": {"zoo:index:my-res": {}},
        "functions": {"zoo:a:get-it": {}}, "types": {"zoo:a-b:my-type": {"type": "object"}}}"#;
    assert_eq!(messages(hyphen), [""; 0]);
    let reserved = "SchemaToken the name `provider` is reserved for the provider, which is declared in the field `provider`";
    for (token, is_reserved) in [
        ("zoo:index/provider:Provider", true),
        ("zoo:Index:provider", true),
        ("zoo:cage/provider:Provider", false),
        ("zoo:cage:Provider", false),
    ] {
        let source = format!(
            r#"{{"name": "zoo", "meta": {{"moduleFormat": "(.*)(?:/[^/]*)"}}, "resources": {{"{token}": {{}}}}}}"#
        );
        let expected = if is_reserved { vec![reserved] } else { Vec::new() };
        assert_eq!(messages(&source), expected, "{token}");
    }
}

/// SDKs make the names of their properties of the ASCII letters and digits of a name.
#[test]
fn names_that_sdks_cannot_tell_apart() {
    let of = |properties: &str| {
        messages(&format!(
            r#"{{"name": "zoo", "types": {{"zoo:a:T": {{"type": "object", "properties": {{{properties}}}}}}}}}"#
        ))
    };
    let text = r#"{"type": "string"}"#;
    assert_eq!(
        of(&format!(
            r#""fooBar": {text}, "foo_bar": {text}, "1foobar": {text}, "foobar1": {text}"#
        )),
        [
            "SchemaPropertyName `fooBar` and `1foobar` are the same name in some SDKs",
            "SchemaPropertyName `foo_bar` and `1foobar` are the same name in some SDKs",
        ]
    );
    assert_eq!(
        of(&format!(r#""42": {text}, "日本": {text}, "größe": {text}, "grsse": {text}"#)),
        [
            "SchemaPropertyName the name `42` of a property has no letter from `a` to `z`",
            "SchemaPropertyName the name `日本` of a property has no letter from `a` to `z`",
        ]
    );
    assert_eq!(
        of(&format!(r#""größe": {text}, "grße": {text}, "gre": {text}"#)),
        [
            "SchemaPropertyName `größe` and `gre` are the same name in some SDKs",
            "SchemaPropertyName `grße` and `gre` are the same name in some SDKs",
        ]
    );
}

/// Descriptions may refer to the provider.
#[test]
fn references_to_the_provider() {
    let source = r##"{"name": "zoo", "provider": {"properties": {"gate": {"type": "string"}},
        "inputProperties": {"lock": {"type": "string"}}},
        "description": "{{% ref #/provider %}} {{% ref #/provider/properties/gate %}} {{% ref #/provider/inputProperties/lock %}} {{% ref /zoo/v1/schema.json#/provider %}} {{% ref #/provider/properties/zz %}} {{% ref #/providers %}}"}"##;
    assert_eq!(
        messages(source),
        [
            "SchemaDocReference the provider `zoo` has no property `zz`",
            "SchemaDocReference `#/providers` is not a valid reference in a description",
        ]
    );
}

/// The last diagnostic about a member with very many says how many are left out.
#[test]
fn too_many_to_report() {
    let properties: Vec<String> =
        (0..1_234).map(|n| format!(r#""p{n}": {{"type": "oak"}}"#)).collect();
    let source = format!(
        r#"{{"name": "zoo", "types": {{"zoo:a:Plan": {{"type": "object", "properties": {{{}}}}}}}}}"#,
        properties.join(", ")
    );
    let diagnostics = validate(source.as_bytes(), Syntax::Json);
    assert_eq!(diagnostics.len(), 1_000);
    let last = &diagnostics[999].labels;
    assert_eq!(last[0].message, "234 more in this member are not shown");
    assert_eq!(&source[last[0].span.range.to_usize()], "\"zoo:a:Plan\"");
    assert!(diagnostics[..999].iter().all(|it| it.labels.is_empty()));
}

#[test]
fn a_sound_schema_has_no_diagnostics() {
    let harbor = include_str!("../../../corpus/schemas/harbor-2.1.0.json");
    assert_eq!(validate(harbor.as_bytes(), Syntax::Json), []);
}

/// A document that is not a schema gives one diagnostic; damage in the middle hides nothing else.
#[test]
fn broken_documents() {
    for broken in ["", "{}", "[]", "{\"name\": \"a\"", "nothing", "{\"name\": \"a\", \"types\": 5}"]
    {
        let diagnostics = validate(broken.as_bytes(), Syntax::Json);
        assert_eq!(diagnostics.len(), 1, "{broken}: {diagnostics:?}");
    }
    let bomb = format!(
        "{{\"name\": \"a\", \"language\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(validate(bomb.as_bytes(), Syntax::Json), []);
    let mut bytes = BROKEN.as_bytes().to_vec();
    for at in (0..bytes.len()).step_by(7) {
        let byte = std::mem::replace(&mut bytes[at], 0xFF);
        in_bounds(&bytes, Syntax::Json);
        in_bounds(&bytes[..at], Syntax::Json);
        bytes[at] = byte;
    }
}

/// Every diagnostic is about bytes of the document.
fn in_bounds(source: &[u8], syntax: Syntax) {
    for diagnostic in validate(source, syntax) {
        let labels = diagnostic.labels.iter().map(|label| label.span);
        for span in labels.chain([diagnostic.primary]) {
            assert!(span.range.to_usize().end <= source.len());
        }
    }
}

proptest! {
    #[test]
    fn any_source(
        text in "\\PC{0,80}",
        odd in "[-:{}\\[\\]\",&*a#| \n1]{0,80}",
        token in "[a:/ %\u{e9}]{0,6}",
        reference in "[#/a%:v1.]{0,12}",
    ) {
        let schema = format!(r##"{{"name":"a","types":{{"{token}":{{"type":"object","properties":{{"{token}":{{"$ref":"{reference}","description":"{{{{% ref {reference} %}}}}"}}}}}}}}}}"##);
        for source in [text, odd, schema] {
            in_bounds(source.as_bytes(), Syntax::Json);
            in_bounds(source.as_bytes(), Syntax::Yaml);
        }
    }
}
