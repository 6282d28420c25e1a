//! Texts.
//!
//! The rules, with examples: `tests/spec/functions/strings.md`.

use super::{Area, Builtin, Rule, STRING, Shape};

pub(super) const AREA: Area = Area {
    title: "Texts",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "join",
        rule: Rule::Fixed(
            &[("separator", STRING), ("strings", Shape::List(&STRING))],
            STRING,
        ),
        summary: "texts one after the other, with a separator between them",
        example: r#"join(",", ["a", "b"])"#,
    },
    Builtin {
        name: "split",
        rule: Rule::Fixed(
            &[("separator", STRING), ("string", STRING)],
            Shape::List(&STRING),
        ),
        summary: "the parts of a text between the separators in it",
        example: r#"split(",", "a,b")"#,
    },
];
