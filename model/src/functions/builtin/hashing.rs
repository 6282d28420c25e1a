//! Checksums.
//!
//! The rules, with examples: `tests/spec/functions/hashing.md`.

use super::row::{Area, Builtin, Rule, STRING};

pub(super) const AREA: Area = Area {
    title: "Hashing",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[Builtin {
    name: "sha1",
    rule: Rule::Fixed(&[("input", STRING)], STRING),
    summary: "the SHA-1 checksum of a string, in hexadecimal",
    example: r#"sha1("hello")"#,
}];
