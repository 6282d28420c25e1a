//! Laws of the evaluation, over the expressions of the vectors and over mutants of them.

use std::sync::Arc;

use pcl_diagnostics::Diagnostic;
use pcl_eval::{Kind, Marks, References, Stop, Value};
use pcl_test_support::engine::vectors;
use pcl_test_support::marked_json;
use pcl_values::{Dependencies, Text, Urn};
use serde_json::Value as Json;

use crate::environment::Files;
use crate::eval_vectors::files;
use crate::question::Question;

/// Text that is planted as a secret.
const PLANTED: &str = "pl4nt3d-s3cr3t";

/// A number that is planted as a secret.
const PLANTED_NUMBER: i64 = 9_182_736_455_463;

struct Vectors {
    document: Json,
    files: Arc<Files>,
    schema: Json,
}

impl Vectors {
    fn read() -> Self {
        let document = vectors("eval.json");
        Self { files: files(&document), schema: vectors("lab_schema.json"), document }
    }

    /// Calls a test with every expression that binds, and with some mutants of each.
    fn each(&self, mutants: usize, mut test: impl FnMut(&str, &Question)) {
        let mut random = Random(7);
        for vector in self.document["vectors"].as_array().expect("vectors") {
            let source = vector["source"].as_str().expect("a source");
            for round in 0..=mutants {
                let mutant = match round {
                    0 => source.to_owned(),
                    _ => mutant(source, &mut random),
                };
                let environment = &self.document["environment"];
                let question =
                    Question::new(vector, &mutant, environment, &self.files, &self.schema);
                if let Some(question) = question {
                    test(&mutant, &question);
                }
            }
        }
    }
}

/// A generator of numbers that is the same in every run.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit.max(1) as u64).expect("a small number")
    }
}

/// Words that a mutant may have in the place of another one.
const WORDS: [&str; 24] = [
    "null", "0", "-1", "1e308", "\"\"", "\"x\"", "true", "[]", "{}", "secret", "unsecret",
    "toJSON", "length", "try", "can", "element", "join", "entries", "+", "==", "&&", "?", "[*]",
    "...",
];

/// The source with a word replaced, dropped or repeated.
fn mutant(source: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphanumeric();
        let end = rest.find(|c: char| c.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let end = if is_word { end } else { first.len_utf8() };
        let (word, behind) = rest.split_at(end);
        words.push(word);
        rest = behind;
    }
    let (at, other) = (random.below(words.len()), random.below(words.len()));
    match random.below(4) {
        0 => _ = words.remove(at),
        1 => words.insert(at, words[at]),
        2 => words.swap(at, other),
        _ => words[at] = WORDS[random.below(WORDS.len())],
    }
    words.concat()
}

/// Everything that a diagnostic says.
fn said(diagnostic: &Diagnostic) -> String {
    format!("{diagnostic:?}")
}

fn shown(value: &Value) -> String {
    match value.to_property(References::Expand) {
        Ok(value) => value.to_string(),
        Err(name) => format!("needs {name}"),
    }
}

/// Values of the kind of another one.
fn others(value: &Value) -> Vec<Value> {
    let list = |elements: Vec<Value>| Value::list(elements).expect("a small list");
    let object = |fields| Value::object(fields).expect("a small object");
    match &value.kind {
        Kind::Bool(_) => vec![true.into(), false.into()],
        Kind::Number(_) => vec![0.into(), 1.into(), 2.into(), (-5).into()],
        Kind::String(_) => vec!["".into(), "a".into(), "12".into(), "zz".into()],
        Kind::List(_) => vec![
            list(vec![]),
            list(vec!["q".into()]),
            list(vec!["a".into(), "b".into(), "c".into()]),
        ],
        Kind::Object(_) => vec![
            object(vec![]),
            object(vec![("a".into(), "9".into())]),
            object(vec![("k".into(), "w".into()), ("name".into(), "other".into())]),
        ],
        _ => Vec::new(),
    }
}

/// The parts of a result that decide whether two results are the same.
fn compared(result: &Result<Value, Stop>) -> Option<Json> {
    let value = result.as_ref().ok()?.to_property(References::Expand).ok()?;
    Some(without_marks(&marked_json::write(&value)))
}

/// The JSON of a value without its secrets and dependencies.
fn without_marks(json: &Json) -> Json {
    match json {
        Json::Array(elements) => elements.iter().map(without_marks).collect(),
        Json::Object(fields) if fields.len() == 1 => match fields.iter().next() {
            Some((mark, inner)) if mark == "$secret" => without_marks(inner),
            Some((mark, inner)) if mark == "$output" => without_marks(&inner["value"]),
            _ => fields.iter().map(|(name, value)| (name.clone(), without_marks(value))).collect(),
        },
        Json::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), without_marks(value))).collect()
        }
        other => other.clone(),
    }
}

#[test]
fn a_planted_secret_is_never_shown() {
    let mut planted = 0;
    Vectors::read().each(1, |source, question| {
        for (name, value) in question.variables() {
            let secret = match &value.kind {
                Kind::String(_) => Value::from(PLANTED),
                Kind::Number(_) => Value::from(PLANTED_NUMBER),
                Kind::List(_) => Value::list(vec![PLANTED.into(), PLANTED.into()]).expect("small"),
                Kind::Object(_) => {
                    let fields = vec![("a".into(), PLANTED.into()), (PLANTED.into(), 1.into())];
                    Value::object(fields).expect("small")
                }
                _ => continue,
            };
            planted += 1;
            let text = match question.answer_with(name, &secret.secret()) {
                // Whoever asks for it gets it.
                Ok(_) if source.contains("unsecret") => continue,
                Ok(value) => shown(&value),
                Err(Stop::Failed(diagnostics)) => diagnostics.iter().map(said).collect(),
                Err(_) => continue,
            };
            let number = PLANTED_NUMBER.to_string();
            let is_shown = text.contains(PLANTED) || text.contains(&number);
            assert!(!is_shown, "{source} with the secret {name} shows {text}");
        }
    });
    assert!(planted > 700, "{planted}");
}

#[test]
fn a_result_depends_on_what_it_read() {
    let urn = Urn::new("s", "p", "", "a:b:C", "read");
    let mark = Marks::new(false, Dependencies::on(urn.clone()));
    let mut checked = 0;
    Vectors::read().each(1, |source, question| {
        // Attempts drop what failed, and the names of resources are known to the program.
        if ["try(", "can(", "recover(", "pulumiResource"].iter().any(|it| source.contains(it)) {
            return;
        }
        let plain = question.answer();
        for (name, value) in question.variables() {
            if value.poison().is_some() {
                continue;
            }
            let is_read = others(value).iter().any(|other| {
                let changed = question.answer_with(name, &other.clone().marked(&value.marks));
                matches!((compared(&plain), compared(&changed)), (Some(one), Some(other)) if one != other)
            });
            if !is_read {
                continue;
            }
            checked += 1;
            let marked = value.clone().marked(&mark);
            if let Ok(result) = question.answer_with(name, &marked) {
                let marks = result.deep_marks();
                let depends = marks.dependencies().iter().any(|other| *other == urn);
                assert!(depends, "{source} reads {name} and does not depend on it");
            }
        }
    });
    assert!(checked > 200, "{checked}");
}

#[test]
fn nothing_is_known_that_depends_on_an_unknown_value() {
    let mut checked = 0;
    Vectors::read().each(1, |source, question| {
        // A failed resource in a branch of an unknown condition counts, and is recovered from.
        if source.contains("recover(") {
            return;
        }
        for (name, value) in question.variables() {
            if value.poison().is_some() {
                continue;
            }
            let unknown = Value::unknown(value.marks.clone());
            let Ok(result) = question.answer_with(name, &unknown) else { continue };
            if result.has_unknown() {
                continue;
            }
            checked += 1;
            let result = compared(&Ok(result));
            for other in others(value) {
                let changed = question.answer_with(name, &other.clone().marked(&value.marks));
                let changed = compared(&changed);
                let is_same = changed.is_none() || changed == result;
                assert!(is_same, "{source}: {result:?} with {name} unknown, else {changed:?}");
            }
        }
    });
    assert!(checked > 50, "{checked}");
}

#[test]
fn nothing_makes_the_evaluation_panic() {
    let mut evaluated = 0;
    let bytes = Value::from(Text::from(vec![0xff, 0xfe]));
    let deep = (0..500).fold(Value::NULL, |value, _| Value::list(vec![value]).expect("500 levels"));
    Vectors::read().each(4, |_, question| {
        for hostile in [&Value::NULL, &Value::UNKNOWN, &bytes, &deep] {
            let names: Vec<String> =
                question.variables().map(|(name, _)| name.to_owned()).collect();
            for name in names {
                evaluated += 1;
                _ = question.answer_with(&name, hostile).map(|value| shown(&value));
            }
        }
        _ = question.answer();
    });
    assert!(evaluated > 8_000, "{evaluated}");
}
