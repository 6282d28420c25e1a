//! Contents of files.
//!
//! The rules, with examples: `tests/spec/functions/files.md`.

use super::row::{Area, Builtin, Rule, STRING};

pub(super) const AREA: Area = Area {
    title: "Files as text",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "filebase64",
        rule: Rule::Fixed(&[("path", STRING)], STRING),
        summary: "the content of a file, encoded in Base64",
        example: r#"filebase64("./logo.png")"#,
    },
    Builtin {
        name: "filebase64sha256",
        rule: Rule::Fixed(&[("path", STRING)], STRING),
        summary: "the SHA-256 checksum of a file, encoded in Base64",
        example: r#"filebase64sha256("./function.zip")"#,
    },
    Builtin {
        name: "readFile",
        rule: Rule::Fixed(&[("path", STRING)], STRING),
        summary: "the content of a text file",
        example: r#"readFile("./policy.json")"#,
    },
];
