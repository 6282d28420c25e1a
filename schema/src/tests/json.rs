//! The reader of JSON, compared with `serde_json`.

use super::*;
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value as Json;

/// A whole value, read as the records are.
#[derive(Debug)]
struct Tree(Json);

impl<'de> Value<'de> for Tree {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        Ok(Self(match reader.peek() {
            Some(b'{') => {
                let mut entries = serde_json::Map::new();
                reader.object(|reader, key| {
                    entries.insert(key.0.into_owned(), Self::read(reader)?.0);
                    Ok(())
                })?;
                Json::Object(entries)
            }
            Some(b'[') => Vec::<Self>::read(reader)?.into_iter().map(|it| it.0).collect(),
            _ => match Option::<Scalar<'_>>::read(reader)? {
                None => Json::Null,
                Some(Scalar::Boolean(it)) => it.into(),
                Some(Scalar::Number(it)) => it.into(),
                Some(Scalar::String(it)) => it.0.into(),
                Some(Scalar::List(_) | Scalar::Object) => Json::Null,
            },
        }))
    }
}

/// A value that is stepped over.
#[derive(Debug)]
struct Skipped;

impl<'de> Value<'de> for Skipped {
    fn read(reader: &mut Reader<'de>) -> Result<Self> {
        reader.skip().map(|()| Self)
    }
}

/// Equality up to the last bit of numbers, which `serde_json` rounds in its own way.
fn is_same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= one.abs() * 4.0 * f64::EPSILON + f64::MIN_POSITIVE
        }
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| is_same(a, b))
        }
        (Json::Object(one), Json::Object(other)) => {
            let same = |((a, one), (b, other))| a == b && is_same(one, other);
            one.len() == other.len() && one.iter().zip(other).all(same)
        }
        _ => one == other,
    }
}

/// Compares with `serde_json`.
fn compare(text: &[u8]) {
    let shown = String::from_utf8_lossy(text);
    match (read::<Tree>(text), serde_json::from_slice::<Json>(text)) {
        (Ok(Tree(own)), Ok(other)) => assert!(is_same(&own, &other), "{shown}"),
        (Err(error), Err(_)) => assert!(error.at <= text.len(), "{shown}"),
        (own, other) => panic!("{shown}: {own:?}, {other:?}"),
    }
    let (own, other) = (read::<Skipped>(text), serde_json::from_slice::<IgnoredAny>(text));
    assert_eq!(own.is_ok(), other.is_ok(), "{shown}: {own:?}");
}

#[test]
fn texts_that_others_got_wrong() {
    let texts: [&[u8]; 60] = [
        b"",
        b" ",
        b"{",
        b"}",
        b"[",
        b"]",
        b"[1,]",
        b"[,1]",
        b"[1 2]",
        b"[1]]",
        b"{}}",
        b"{\"a\":1,}",
        b"{,}",
        b"{\"a\"}",
        b"{\"a\":}",
        b"{\"a\" 1}",
        b"{a:1}",
        b"{1:1}",
        b"{\"a\":1 \"b\":2}",
        b"{\"a\":1,\"a\":2}",
        b"{\"\\u0061\":1,\"a\":[]}",
        b"nul",
        b"nulls",
        b"tru",
        b"truex",
        b"falsy",
        b"[true,false,null]",
        b"-",
        b"-0",
        b"00",
        b"01",
        b"-01",
        b"1.",
        b".1",
        b"1.e1",
        b"1e",
        b"1e+",
        b"1E-2",
        b"1e400",
        b"-1e400",
        b"1e-400",
        b"+1",
        b"0x1",
        b"123456789012345678901234567890",
        b"18446744073709551616",
        b"\"",
        b"\"\\",
        b"\"\\\"",
        b"\"\\x\"",
        b"\"\\u12g4\"",
        b"\"\\ud800\"",
        b"\"\\udc00\"",
        b"\"\\ud834\\udd1e\"",
        b"\"\\ud834\\u0041\"",
        b"\"\n\"",
        b"\"\x7f\xc3\xa9\"",
        b"\"\xff\"",
        b"{\"\xff\":1}",
        b"\xef\xbb\xbf{}",
        b"/**/1",
    ];
    texts.into_iter().for_each(compare);
    for depth in [1, 127, 128, 129, 5_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = [&open.repeat(depth), "1", &close.repeat(depth)].concat();
            compare(text.as_bytes());
            compare(&text.as_bytes()[..text.len() - 1]);
        }
    }
}

/// Texts that nearly are JSON.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let parts: [&[u8]; 34] = [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b" ",
        b"\n",
        b"\"",
        b"\"a\"",
        b"\"a\":",
        b"null",
        b"true",
        b"1",
        b"-2.5e3",
        b"0",
        b"\\",
        b"\\u",
        b"\\ud83d",
        b"\\ude00",
        b"\\n",
        b"\\\"",
        b"\"b\\u0041\"",
        b"a longer text without an end ",
        b"\xc3\xa9",
        b"\xff",
        b"\x1f",
        b"\0",
        b"{\"a\":[",
        b"]}",
        b"\"x\":{},",
        b"[1,2]",
        b"e",
        b".",
    ];
    let part = proptest::sample::select(parts.to_vec());
    proptest::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "\\PC{0,50}".prop_map(Json::from),
        "[\\x00-\\x7f\"\\\\]{0,50}".prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
            proptest::collection::btree_map("[a-z\"\\\\é]{0,12}", inner, 0..6)
                .prop_map(|entries| Json::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn reads_as_serde_json_does(value in json(), pretty: bool, damage in nearly_json(), at: prop::sample::Index, cut in 0usize..3) {
        let text = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) }.unwrap();
        compare(&text);
        prop_assert!(is_same(&read::<Tree>(&text).unwrap().0, &value));
        let at = at.index(text.len());
        let rest = text.get(at + cut..).unwrap_or_default();
        compare(&[&text[..at], &damage, rest].concat());
        compare(&text[..at]);
    }

    #[test]
    fn fails_as_serde_json_does(text in nearly_json()) {
        compare(&text);
    }
}
