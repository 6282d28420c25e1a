//! Texts.
//!
//! The rules, with examples: `tests/spec/functions/strings.md`.

use super::row::{Area, Builtin, Rule, STRING, StaticType};

pub(super) const AREA: Area = Area {
    title: "Strings",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "join",
        rule: Rule::Fixed(
            &[
                ("separator", STRING),
                ("strings", StaticType::List(&STRING)),
            ],
            STRING,
        ),
        summary: "the concatenation of strings, with a separator between them",
        example: r#"join(",", ["a", "b"])"#,
    },
    Builtin {
        name: "split",
        rule: Rule::Fixed(
            &[("separator", STRING), ("string", STRING)],
            StaticType::List(&STRING),
        ),
        summary: "the parts of a string between separators",
        example: r#"split(",", "a,b")"#,
    },
];
