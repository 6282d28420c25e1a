//! What `validate` says about a schema as a whole.

use std::fmt::Write as _;

use pcl_schema::{Finding, ProblemSeverity, Syntax, validate};
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
