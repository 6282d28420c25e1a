//! Schemas in YAML: rewritten as JSON before anything else looks at them, with a table that leads
//! back to the text.

use pcl_diagnostics::LineColumn;
use rustc_hash::FxHashMap;
use saphyr_parser::{Event, ScalarStyle};

use crate::yaml_events::{MAX_YAML_DEPTH, YamlError, YamlEvents, YamlSpan};
use crate::{DocumentError, DocumentErrorKind, words};

/// The bytes of JSON that aliases may repeat.
const MAX_REPEATED: usize = 16 << 20;

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

/// A list or mapping that is not finished.
struct OpenCollection {
    is_mapping: bool,
    /// Keys and values so far.
    items: usize,
    anchor: usize,
    start: usize,
    /// The number of collections in one another in it so far.
    depth: usize,
}

/// A value that has an anchor.
#[derive(Clone)]
struct Anchored {
    /// Its JSON.
    json: std::ops::Range<usize>,
    /// The number of collections in one another in it.
    depth: usize,
}

#[derive(Default)]
struct JsonWriter {
    out: Rewritten,
    frames: Vec<OpenCollection>,
    anchors: FxHashMap<usize, Anchored>,
    /// The bytes that aliases have repeated.
    repeated: usize,
}

/// Rewrites a YAML document that is not a schema as JSON.
///
/// # Errors
/// Returns an error if the text is not YAML, or contains a value that JSON does not have.
pub fn yaml_to_json(text: &str) -> Result<Vec<u8>, DocumentError> {
    to_json(text).map(|rewritten| rewritten.json)
}

/// Rewrites a YAML document as JSON.
pub(crate) fn to_json(text: &str) -> Result<Rewritten, DocumentError> {
    let mut rewriter = JsonWriter::default();
    let mut documents = 0;
    for event in YamlEvents::new(text) {
        let (event, span) = event.map_err(|YamlError { at, reason }| fail(at, &reason))?;
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
        }
        if documents > 1 {
            return Err(fail(span, SECOND_DOCUMENT));
        }
        rewriter.event(event, span)?;
    }
    Ok(rewriter.out)
}

impl JsonWriter {
    fn event(&mut self, event: Event<'_>, span: YamlSpan) -> Result<(), DocumentError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_key = self.begin(span)?;
                let start = self.out.json.len();
                let is_text = tag.is_some_and(|tag| tag.suffix == "str");
                let plain = style == ScalarStyle::Plain && !is_text;
                if is_key && plain && text == "<<" {
                    return Err(fail(span, MERGE_KEY));
                }
                if plain && !is_key {
                    self.out.json.extend(plain_scalar(&text).bytes())
                } else {
                    self.out.json.extend(quoted(&text).bytes())
                }
                self.end(anchor, start, 0);
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                let is_mapping = matches!(event, Event::MappingStart(..));
                if self.begin(span)? {
                    return Err(fail(span, KEY_NOT_TEXT));
                }
                self.frames.push(OpenCollection {
                    is_mapping,
                    items: 0,
                    anchor,
                    start: self.out.json.len(),
                    depth: 0,
                });
                self.out.json.push(if is_mapping { b'{' } else { b'[' });
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(frame) = self.frames.pop() {
                    self.out.json.push(if frame.is_mapping { b'}' } else { b']' });
                    self.end(frame.anchor, frame.start, frame.depth + 1);
                }
            }
            Event::Alias(anchor) => {
                if self.begin(span)? {
                    return Err(fail(span, KEY_IS_ALIAS));
                }
                let Some(meant) = self.anchors.get(&anchor).cloned() else {
                    return Err(fail(span, ALIAS_IN_ITSELF));
                };
                self.repeated += meant.json.len();
                if self.repeated > MAX_REPEATED {
                    return Err(fail(span, ALIASES_TOO_LARGE));
                }
                if self.frames.len() + meant.depth > MAX_YAML_DEPTH {
                    return Err(fail(span, &words::too_deep()));
                }
                let start = self.out.json.len();
                self.out.json.extend_from_within(meant.json);
                self.end(0, start, meant.depth);
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the separators before a key or value, and records its place. Returns whether it is a
    /// key.
    fn begin(&mut self, span: YamlSpan) -> Result<bool, DocumentError> {
        let mut is_key = false;
        if let Some(frame) = self.frames.last_mut() {
            is_key = frame.is_mapping && frame.items % 2 == 0;
            let separator = match (frame.items, frame.is_mapping && !is_key) {
                (_, true) => Some(b':'),
                (0, _) => None,
                _ => Some(b','),
            };
            frame.items += 1;
            self.out.json.extend(separator);
        }
        let Ok(json) = u32::try_from(self.out.json.len()) else {
            return Err(fail(span, TOO_LARGE));
        };
        self.out.places.push(YamlPlace {
            json,
            start: span.start,
            position: span.position,
            end: span.end,
        });
        Ok(is_key)
    }

    /// Finishes a value, which began at a byte of the JSON.
    fn end(&mut self, anchor: usize, start: usize, depth: usize) {
        if let Some(around) = self.frames.last_mut() {
            around.depth = around.depth.max(depth);
        }
        if anchor > 0 {
            let json = start..self.out.json.len();
            self.anchors.insert(anchor, Anchored { json, depth });
        }
    }
}

fn fail(span: YamlSpan, reason: &str) -> DocumentError {
    DocumentError {
        kind: DocumentErrorKind::Yaml(reason.to_owned()),
        offset: span.start,
        position: span.position,
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The JSON of a scalar without quotes: null, booleans and numbers as the core schema of YAML has
/// them, else a text.
fn plain_scalar(text: &str) -> String {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return "null".to_owned(),
        "true" | "True" | "TRUE" => return "true".to_owned(),
        "false" | "False" | "FALSE" => return "false".to_owned(),
        _ => {}
    }
    let radix = |prefix, radix| u64::from_str_radix(text.strip_prefix(prefix)?, radix).ok();
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return number.to_string();
    }
    let is_numeric = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let number = text.strip_prefix('+').unwrap_or(text);
    if text.chars().all(is_numeric) && text.contains(|c: char| c.is_ascii_digit()) {
        if let Ok(whole) = number.parse::<i64>() {
            return whole.to_string();
        }
        if let Ok(number) = number.parse::<f64>()
            && let Some(number) = serde_json::Number::from_f64(number)
        {
            return number.to_string();
        }
    }
    quoted(text)
}

const SECOND_DOCUMENT: &str = "expected one document, found a second";

const MERGE_KEY: &str = "merge keys are not supported; write the keys out";

const KEY_NOT_TEXT: &str = "the key of a mapping must be a string";

const KEY_IS_ALIAS: &str = "the key of a mapping cannot be an alias";

const ALIAS_IN_ITSELF: &str = "the alias is inside the value that it refers to";

const ALIASES_TOO_LARGE: &str = "the aliases expand to too large a document";

const TOO_LARGE: &str = "the document is too large";

#[cfg(test)]
mod tests {
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
                r#"[1,-2,3,31,15,1.5,1000.0,0.5,"1.2.3","-x"]"#,
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
        assert!(nested(MAX_YAML_DEPTH - 1).starts_with('{'));
        assert!(nested(MAX_YAML_DEPTH).contains("nests deeper than 256 levels"));
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

    proptest! {
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
