//! What `validate` says about a schema as a whole.

use std::fmt::Write as _;

use pcl_schema::{Finding, MemoryLoader, ProblemSeverity, Syntax, validate, validate_among};
use proptest::prelude::*;

const FAULTS: &str = include_str!("faults.json");

/// Each finding with its place and the text there.
fn told(source: &str, findings: &[Finding]) -> String {
    let mut told = String::new();
    for finding in findings {
        let at = finding.range.start as usize;
        let line = source[..at].lines().count().max(1);
        let mild = match finding.severity {
            ProblemSeverity::Warning => " (warning)",
            ProblemSeverity::Error => "",
        };
        let text = &source[at..finding.range.end as usize];
        let _ = writeln!(
            told,
            "{line}: {:?}{mild} `{text}` {}: {}",
            finding.kind, finding.path, finding.message
        );
        for (range, message) in &finding.related {
            let text = &source[range.start as usize..range.end as usize];
            let _ = writeln!(told, "    `{text}`: {message}");
        }
    }
    told
}

#[test]
fn everything_at_once() {
    let findings = validate(FAULTS.as_bytes(), Syntax::Json);
    insta::assert_snapshot!(told(FAULTS, &findings));
}

/// The same schema in YAML has the same faults, told of the YAML.
#[test]
fn yaml_is_told_of_as_it_is_written() {
    let yaml = "name: zoo\nresources:\n  zoo:a:Cage:\n    inputProperties:\n      bars: {type: intger}\n      größe: &size {type: array}\n      other: *size\n    requiredInputs:\n      - bars\n      - lock\n  zoo:b:Cage: {}\n  zoo:b:Cage: {}\n";
    let findings = validate(yaml.as_bytes(), Syntax::Yaml);
    insta::assert_snapshot!(told(yaml, &findings));
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
    let findings = validate_among(source.as_bytes(), Syntax::Json, &others);
    insta::assert_snapshot!(told(source, &findings));
}

/// Of a member that is wrong all over, the last finding that is told says how many are not.
#[test]
fn too_many_to_tell() {
    let properties: Vec<String> = (0..1_234)
        .map(|n| format!(r#""p{n}": {{"type": "oak"}}"#))
        .collect();
    let source = format!(
        r#"{{"name": "zoo", "types": {{"zoo:a:Plan": {{"type": "object", "properties": {{{}}}}}}}}}"#,
        properties.join(", ")
    );
    let findings = validate(source.as_bytes(), Syntax::Json);
    assert_eq!(findings.len(), 1_000);
    let last = &findings[999].related;
    assert_eq!(&*last[0].1, "234 more are left out in this member");
    assert_eq!(
        &source[last[0].0.start as usize..last[0].0.end as usize],
        "\"zoo:a:Plan\""
    );
    assert!(
        findings[..999]
            .iter()
            .all(|finding| finding.related.is_empty())
    );
}

#[test]
fn a_sound_schema_has_no_findings() {
    let harbor = include_str!("../../../corpus/schemas/harbor-2.1.0.json");
    assert_eq!(validate(harbor.as_bytes(), Syntax::Json), []);
}

/// What is no schema is told in one finding; what is broken in the middle hides nothing else.
#[test]
fn broken_documents() {
    for broken in [
        "",
        "{}",
        "[]",
        "{\"name\": \"a\"",
        "nothing",
        "{\"name\": \"a\", \"types\": 5}",
    ] {
        let findings = validate(broken.as_bytes(), Syntax::Json);
        assert_eq!(findings.len(), 1, "{broken}: {findings:?}");
    }
    let bomb = format!(
        "{{\"name\": \"a\", \"language\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(validate(bomb.as_bytes(), Syntax::Json), []);
    let mut bytes = FAULTS.as_bytes().to_vec();
    for at in (0..bytes.len()).step_by(7) {
        let byte = std::mem::replace(&mut bytes[at], 0xFF);
        in_bounds(&bytes, Syntax::Json);
        in_bounds(&bytes[..at], Syntax::Json);
        bytes[at] = byte;
    }
}

/// Every finding is about bytes that are there.
fn in_bounds(source: &[u8], syntax: Syntax) {
    for finding in validate(source, syntax) {
        let related = finding.related.iter().map(|(range, _)| range);
        for range in related.chain([&finding.range]) {
            assert!(range.start <= range.end && range.end as usize <= source.len());
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
