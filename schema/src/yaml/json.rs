//! Schemas in YAML: rewritten as JSON before anything else looks at them, with a table that leads
//! back to the text.

use pcl_diagnostics::LineColumn;

use super::{Data, ErrorKind, Node, Place, Scalar};
use crate::{DocumentError, DocumentErrorKind};

/// A document that was YAML.
#[derive(Debug, Default)]
pub(crate) struct Rewritten {
    /// The same as JSON.
    pub json: Vec<u8>,
    /// The place of each key and value in the YAML, in the order of the JSON.
    pub places: Vec<YamlPlace>,
}

/// A key or value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct YamlPlace {
    /// Its start in the JSON.
    json: u32,
    /// Its start in the YAML, in bytes, and as line and column.
    pub start: u32,
    pub position: LineColumn,
    /// Its end in the YAML, in bytes; that of the first character of a list or mapping.
    pub end: u32,
}

/// The place of the key or value that holds this byte of the JSON.
pub(crate) fn place_of(places: &[YamlPlace], offset: usize) -> Option<YamlPlace> {
    let after = places.partition_point(|place| place.json as usize <= offset);
    places.get(after.checked_sub(1)?).copied()
}

/// Rewrites a YAML document as JSON.
///
/// # Errors
/// Returns an error if the text is not YAML, or contains a value that JSON does not have.
pub fn yaml_to_json(text: &str) -> Result<Vec<u8>, DocumentError> {
    to_json(text).map(|rewritten| rewritten.json)
}

/// Rewrites a YAML document as JSON. Keys that occur twice do so in the JSON, too.
pub(crate) fn to_json(text: &str) -> Result<Rewritten, DocumentError> {
    let mut refuse = |error: super::Error| match error.kind {
        ErrorKind::KeyTwice(_) => Ok(()),
        _ => Err(error),
    };
    let root = super::read(text, &mut refuse).map_err(|error| fail(error.at, error.kind))?;
    let mut writer = JsonWriter { text, out: Rewritten::default() };
    if let Some(root) = root {
        writer.value(&root, true)?;
    }
    Ok(writer.out)
}

struct JsonWriter<'t> {
    text: &'t str,
    out: Rewritten,
}

impl JsonWriter<'_> {
    /// Writes a value. Everything in an alias is at the place of the alias.
    fn value(&mut self, node: &Node, has_places: bool) -> Result<(), DocumentError> {
        if has_places {
            self.place(node)?;
        }
        let has_places = has_places && !node.is_alias;
        match &*node.data {
            Data::Scalar(Scalar::Time(_), text) | Data::Text(text) => self.string(text),
            Data::Scalar(Scalar::Float(number), text) if !number.is_finite() => self.string(text),
            Data::Scalar(scalar, _) => self.out.json.extend(scalar.to_string().bytes()),
            Data::List(items) => {
                self.out.json.push(b'[');
                for (at, item) in items.iter().enumerate() {
                    self.separate(at);
                    self.value(item, has_places)?;
                }
                self.out.json.push(b']');
            }
            Data::Map(entries) => {
                self.out.json.push(b'{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    self.separate(at);
                    if has_places {
                        self.add_place(key.at, key.at.range.end())?;
                    }
                    self.string(&key.text);
                    self.out.json.push(b':');
                    self.value(value, has_places)?;
                }
                self.out.json.push(b'}');
            }
        }
        Ok(())
    }

    fn separate(&mut self, at: usize) {
        if at > 0 {
            self.out.json.push(b',');
        }
    }

    fn string(&mut self, text: &str) {
        self.out.json.extend(serde_json::Value::from(text).to_string().bytes());
    }

    fn place(&mut self, node: &Node) -> Result<(), DocumentError> {
        let range = node.at.range;
        let is_collection = !node.is_alias && matches!(*node.data, Data::List(_) | Data::Map(_));
        let first = self.text.get(range.start() as usize..).and_then(|rest| rest.chars().next());
        let end = match first {
            Some(first) if is_collection => range.start() + first.len_utf8() as u32,
            _ => range.end(),
        };
        self.add_place(node.at, end)
    }

    fn add_place(&mut self, at: Place, end: u32) -> Result<(), DocumentError> {
        let Ok(json) = u32::try_from(self.out.json.len()) else { return Err(fail(at, TOO_LARGE)) };
        let (start, position) = (at.range.start(), at.position);
        self.out.places.push(YamlPlace { json, start, position, end });
        Ok(())
    }
}

fn fail(at: Place, reason: impl ToString) -> DocumentError {
    DocumentError {
        kind: DocumentErrorKind::Yaml(reason.to_string()),
        offset: at.range.start(),
        position: at.position,
    }
}

const TOO_LARGE: &str = "the document is too large";

#[cfg(test)]
mod tests {
    use super::super::MAX_DEPTH;
    use super::*;
    use proptest::prelude::*;

    fn json(text: &str) -> String {
        match to_json(text) {
            Ok(rewritten) => String::from_utf8(rewritten.json).unwrap(),
            Err(error) => {
                format!("{}:{}: {}", error.position.line, error.position.column, error.kind)
            }
        }
    }

    #[test]
    fn forms() {
        let cases = [
            ("name: zoo\nversion: 1.0.0\n", r#"{"name":"zoo","version":"1.0.0"}"#),
            (
                "[1, -2, +3, 0x1F, 0o17, 1.5, 1e3, .5, 1.2.3, -x]",
                r#"[1,-2,3,31,15,1.5,1000,0.5,"1.2.3","-x"]"#,
            ),
            (
                "[true, False, ~, null, yes, '1', \"a\\nb\", !!str 2]",
                r#"[true,false,null,null,"yes","1","a\nb","2"]"#,
            ),
            (
                "a: |\n  one\n  two\nb: >\n  x\n  y\n1: {}\n? c\n",
                r#"{"a":"one\ntwo\n","b":"x y\n","1":{},"c":null}"#,
            ),
            (
                "a: &x {b: [1]}\nc: *x\nd: [*x, *x]",
                r#"{"a":{"b":[1]},"c":{"b":[1]},"d":[{"b":[1]},{"b":[1]}]}"#,
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(json(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes() {
        let cases = [
            ("a: 1\n---\nb: 2\n", "2:1: not a YAML document"),
            ("? [a]\n: 1\n", "1:3: not a YAML document"),
            ("a: &x [*x]\n", "1:8: not a YAML document"),
            ("a: {b: 1\n", "2:1: not a YAML document"),
            ("<<: {a: 1}\n", "1:1: not a YAML document"),
        ];
        for (text, expected) in cases {
            let told = json(text);
            assert!(told.starts_with(expected), "{text}: {told}");
        }
        let nested = |levels: usize| {
            let level = |n: usize| format!("a{n}: &a{n} [*a{}]\n", n - 1);
            let levels: String = (1..levels).map(level).collect();
            json(&format!("a0: &a0 [1]\n{levels}"))
        };
        // The mapping around is a level.
        assert!(nested(MAX_DEPTH - 1).starts_with('{'));
        assert!(nested(MAX_DEPTH).contains("nests deeper than 256 levels"));
        let laughs: String = (1..12)
            .map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(", ")))
            .collect();
        assert!(json(&format!("a0: &a0 lol\n{laughs}")).contains("expand to too large"));
    }

    #[test]
    fn places_lead_back() {
        let text = "é: {ü: [1, two]}\nlast: 'x'\n";
        let rewritten = to_json(text).unwrap();
        let json = std::str::from_utf8(&rewritten.json).unwrap();
        let place = |needle: &str| {
            let place = place_of(&rewritten.places, json.find(needle).unwrap()).unwrap();
            (
                &text[place.start as usize..place.end as usize],
                format!("{}:{}", place.position.line, place.position.column),
            )
        };
        assert_eq!(place("1"), ("1", "1:9".to_owned()));
        assert_eq!(place("\"two"), ("two", "1:12".to_owned()));
        assert_eq!(place("\"ü"), ("ü", "1:5".to_owned()));
        assert_eq!(place("\"x"), ("'x'", "2:7".to_owned()));
        assert_eq!(place("[1"), ("[", "1:8".to_owned()));
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            "\\PC{0,9}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 30, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::btree_map("\\PC{0,5}", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// JSON is YAML, and means the same; so do aliases.
        #[test]
        fn json_is_read_as_itself(value in value()) {
            let read = |text: &str| to_json(text).map(|rewritten| {
                serde_json::from_slice::<serde_json::Value>(&rewritten.json).unwrap()
            });
            prop_assert_eq!(read(&value.to_string()), Ok(value.clone()));
            let twice = read(&format!("- &a {value}\n- *a\n"));
            prop_assert_eq!(twice, Ok(vec![value.clone(), value].into()));
        }

        #[test]
        fn any_text(text in "\\PC{0,60}", odd in "[-:?\\[\\]{},&*#|>%@'\" \nab1]{0,60}") {
            for text in [text, odd] {
                if let Ok(rewritten) = to_json(&text) && !rewritten.json.is_empty() {
                    prop_assert!(serde_json::from_slice::<serde::de::IgnoredAny>(&rewritten.json).is_ok(), "{}", text);
                }
            }
        }
    }
}
