//! Files and texts as inputs of resources.
//!
//! The rules, with examples: `tests/spec/functions/assets.md`.

use super::row::{ARCHIVE, ASSET, Area, Builtin, Rule, STRING, StaticType};

pub(super) const AREA: Area = Area {
    title: "Assets and archives",
    functions: TABLE,
};

const TABLE: &[Builtin] = &[
    Builtin {
        name: "assetArchive",
        rule: Rule::Fixed(
            &[(
                "assets",
                StaticType::Map(&StaticType::OneOf(&[ASSET, ARCHIVE])),
            )],
            ARCHIVE,
        ),
        summary: "an archive of the given assets and archives, by their paths in it",
        example: r#"assetArchive({ "index.html" = fileAsset("./index.html") })"#,
    },
    Builtin {
        name: "fileArchive",
        rule: Rule::Fixed(&[("path", STRING)], ARCHIVE),
        summary: "an archive from a directory or an archive file",
        example: r#"fileArchive("./site")"#,
    },
    Builtin {
        name: "fileAsset",
        rule: Rule::Fixed(&[("path", STRING)], ASSET),
        summary: "an asset from a file",
        example: r#"fileAsset("./index.html")"#,
    },
    Builtin {
        name: "remoteArchive",
        rule: Rule::Fixed(&[("uri", STRING)], ARCHIVE),
        summary: "an archive that is downloaded from a URI",
        example: r#"remoteArchive("https://example.com/site.zip")"#,
    },
    Builtin {
        name: "remoteAsset",
        rule: Rule::Fixed(&[("uri", STRING)], ASSET),
        summary: "an asset that is downloaded from a URI",
        example: r#"remoteAsset("https://example.com/logo.png")"#,
    },
    Builtin {
        name: "stringAsset",
        rule: Rule::Fixed(&[("value", STRING)], ASSET),
        summary: "an asset from a string",
        example: r#"stringAsset("hello")"#,
    },
];
