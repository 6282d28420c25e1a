//! The type system against recorded answers: every operation on types of `types_vectors.json`, and
//! the matrix of conversions and unifications of `expressions_type_matrix.json`.

use pcl_diagnostics::Severity;
use pcl_model::{
    Cause, Constant, Conversion, Key, Reason, TraverseErrorKind, Traversed, Type, TypeId, TypeStore,
};
use pcl_test_support::named_types::Schema;
use serde_json::{Map, Value, json};

/// Vectors that we answer differently, and why. A vector that starts to agree must leave this list.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("pretty-028", "numbers in types are printed exactly"),
    ("pretty-031", "numbers in types are printed exactly"),
    (
        "traverse-088",
        "an object that forgives unknown properties goes on to do so when its outputs are resolved",
    ),
    (
        "div-020",
        "any answer that comes to an end will do: ours keeps both recursive objects as members",
    ),
];

/// Answers where a sentence of the language's own documents contradicts a recorded one: `{id,
/// sentence, recorded, ours}`.
struct Seeds(Vec<Value>);

impl Seeds {
    fn read() -> Self {
        Self(read("types_seeds.json").as_array().unwrap().clone())
    }

    /// Returns true if the answer to `id`, recorded as `recorded`, is listed as `ours`.
    fn say(&self, id: &str, recorded: &Value, ours: &Value) -> bool {
        self.0
            .iter()
            .any(|row| row["id"] == id && row["recorded"] == *recorded && row["ours"] == *ours)
    }

    /// The listed ids that `used` has not.
    fn beyond(&self, used: &[String]) -> Vec<String> {
        let ids = self.0.iter().map(|row| row["id"].as_str().unwrap());
        ids.filter(|id| !used.iter().any(|other| other == id))
            .map(|id| format!("{id}: no such difference"))
            .collect()
    }
}

#[test]
fn recorded_answers() {
    let file = read("types_vectors.json");
    let seeds = Seeds::read();
    let mut failures = Vec::new();
    let mut used = Vec::new();
    for (list, expected) in [("vectors", "expect"), ("divergences", "recommended")] {
        for vector in file[list].as_array().unwrap().iter().filter(|vector| vector["op"] != "expr")
        {
            let id = vector["id"].as_str().unwrap();
            let answer = answer(vector);
            let agrees = agrees(vector, &vector[expected], &answer);
            let excepted = EXCEPTIONS.iter().any(|(exception, _)| *exception == id)
                || seeds.say(id, &vector[expected], &answer);
            match (excepted, agrees) {
                (true, true) => failures.push(format!("{id} agrees now: drop the exception")),
                (true, false) => used.push(id.to_owned()),
                (false, true) => {}
                (false, false) => failures.push(format!("{vector}\n  ours: {answer}")),
            }
        }
    }
    used.extend(matrix_ids());
    failures.extend(seeds.beyond(&used));
    let unused = EXCEPTIONS.iter().filter(|(id, _)| !used.iter().any(|other| other == id));
    failures.extend(unused.map(|(id, _)| format!("{id}: no such vector")));
    let told = include_str!("../../docs/differences.md");
    let untold = EXCEPTIONS.iter().filter(|(id, _)| !told.contains(&format!("`{id}`")));
    failures.extend(untold.map(|(id, _)| format!("{id} is not in docs/differences.md")));
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// The id of a pair of the matrix.
fn matrix_id(vector: &Value) -> String {
    format!("unify {} with {}", vector["a"].as_str().unwrap(), vector["b"].as_str().unwrap())
}

fn matrix_ids() -> impl Iterator<Item = String> {
    let file = read("expressions_type_matrix.json");
    let pairs: Vec<_> = file["unify"].as_array().unwrap().iter().map(matrix_id).collect();
    pairs.into_iter()
}

#[test]
fn matrix_of_conversions_and_unifications() {
    let file = read("expressions_type_matrix.json");
    let seeds = Seeds::read();
    let (schema, mut types) = Schema::store();
    let mut failures = Vec::new();
    for (dst, row) in file["conversion"].as_object().unwrap() {
        for (src, expected) in row.as_object().unwrap() {
            let (to, from) = (display_form(dst), display_form(src));
            let (to, from) = (schema.parse(&mut types, &to), schema.parse(&mut types, &from));
            let ours = conversion(types.convert(to, from));
            if expected != ours {
                failures.push(format!("{dst} <- {src}: {ours}, not {expected}"));
            }
        }
    }
    let mut used = Vec::new();
    for vector in file["unify"].as_array().unwrap() {
        let [a, b] = ["a", "b"].map(|side| display_form(vector[side].as_str().unwrap()));
        let [a, b] = [a, b].map(|text| schema.parse(&mut types, &text));
        let (mut recorded, mut answer, mut agrees) = (json!({}), json!({}), true);
        for (first, second, suffix) in [(a, b, ""), (b, a, "_if_b_first")] {
            let both = [first, second];
            let [safe, loose] = [types.unify_safely(&both), types.unify_loosely(&both)];
            for (key, ours) in [("safe", safe), ("unsafe", loose)] {
                let key = format!("{key}{suffix}");
                let expected = vector.get(&key).unwrap_or(&vector[key.trim_end_matches(suffix)]);
                let expected = display_form(expected.as_str().unwrap());
                let expected = schema.parse(&mut types, &expected);
                agrees &= types.same(ours, expected);
                recorded[&key] = json!(types.display(expected));
                answer[&key] = json!(types.display(ours));
            }
        }
        let id = matrix_id(vector);
        match (seeds.say(&id, &recorded, &answer), agrees) {
            (true, true) => failures.push(format!("{id} agrees now: drop the exception")),
            (true, false) => used.push(id),
            (false, true) => {}
            (false, false) => {
                failures.push(format!("{id}\n  recorded: {recorded}\n  ours: {answer}"))
            }
        }
    }
    used.extend(
        seeds
            .0
            .iter()
            .map(|row| row["id"].as_str().unwrap().to_owned())
            .filter(|id| !id.contains(" with ")),
    );
    failures.extend(seeds.beyond(&used));
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn pretty_text_of_shared_parts_is_short() {
    let mut types = TypeStore::new();
    let names = ["a", "b"].map(|name| types.symbol(name));
    let mut object = TypeId::INT;
    let mut texts = Vec::new();
    for _ in 0..200 {
        object = types.object(names.map(|name| (name, object)));
        texts.push(types.pretty(object));
    }
    let complete = texts.iter().take_while(|text| !text.contains("...")).count();
    assert_eq!(complete, 10);
    assert_eq!(texts[1], "{ a: { a: int, b: int }, b: { a: int, b: int } }");
    assert!(texts[complete - 1].len() > 8_000);
    assert!(texts.iter().skip(complete).all(|text| text.len() < 4_000));

    let long = Constant::from("long ".repeat(10_000).as_str());
    let long = types.constant(long);
    let text = types.pretty(long);
    assert!(text.starts_with("\"long long ") && text.ends_with("\"..."), "{text}");
    assert!(text.len() < 2_000);
}

#[test]
fn pretty_text_stays_on_its_line() {
    let mut types = TypeStore::new();
    let names = ["", "a b", "two\nlines", "\u{1b}"].map(|name| types.symbol(name));
    let value = types.constant(Constant::from("x\ny"));
    let object = types.object(names.map(|name| (name, value)));
    assert_eq!(
        types.pretty(object),
        r#"{ : "x\ny", "\x1b": "x\ny", a b: "x\ny", "two\nlines": "x\ny" }"#
    );
}

#[test]
fn reasons_say_where_and_what() {
    let (schema, mut types) = Schema::store();
    let server = "object({name = string, ports = list(int), tags = union(none, map(string))})";
    for (dst, src, expected) in [
        ("string", "list(int)", "the value must be a string, found a list of ints"),
        (
            "list(string)",
            "tuple(string, list(int))",
            "`[1]` must be a string, found a list of ints",
        ),
        ("tuple(string)", "tuple()", "the value must have one element, found 0"),
        (server, "object({name = string})", "`ports` is missing, it must be a list of ints"),
        (
            server,
            "object({name = string, ports = list(map(int))})",
            "`ports[*]` must be an int, found a map of ints",
        ),
        (
            server,
            "object({name = string, ports = tuple(), tags = list(string)})",
            "`tags` must be a map of strings, found a list of strings",
        ),
        ("union(none, list(string))", "int", "the value must be a list of strings, found an int"),
        (
            "union(object({a = object({b = int})}), output(object({a = object({b = int})})))",
            "object({a = object({b = none})})",
            "`a.b` must be an int, found null",
        ),
    ] {
        let [dst, src] = [dst, src].map(|text| schema.parse(&mut types, text));
        let reason = types.explain(dst, src).unwrap();
        assert_eq!(types.reason_lines(&reason), [expected]);
    }
}

#[test]
fn a_store_may_move_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<TypeStore>();
}

fn read(name: &str) -> Value {
    let path = format!("{}/../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The matrix writes constants and enums more shortly.
fn display_form(text: &str) -> String {
    let mut text = text.to_owned();
    for (short, display) in [
        ("const(1)", "cty.NumberIntVal(1)"),
        ("const(1.5)", "cty.NumberFloatVal(1.5)"),
        ("const(\"a\")", "cty.StringVal(\"a\")"),
        ("const(true)", "cty.True"),
        ("const(null)", "cty.NullVal(cty.DynamicPseudoType)"),
        ("enum(\"e\", string, \"a\")", "enum(e(string): cty.StringVal(\"a\"))"),
        ("enum(\"n\", number, 1)", "enum(n(number): cty.NumberIntVal(1))"),
    ] {
        text = text.replace(short, display);
    }
    text
}

fn conversion(conversion: Conversion) -> &'static str {
    match conversion {
        Conversion::No => "none",
        Conversion::Unsafe => "unsafe",
        Conversion::Safe => "safe",
    }
}

/// The types of one vector, in a store of its own: answers must not depend on earlier queries, but
/// an error in one vector should not affect another.
struct Case<'a> {
    vector: &'a Value,
    schema: std::sync::Arc<Schema>,
    types: TypeStore,
}

impl<'a> Case<'a> {
    fn new(vector: &'a Value) -> Self {
        let (schema, types) = Schema::store();
        for (name, text) in vector["defs"].as_object().unwrap_or(&Map::new()) {
            schema.define(name, text.as_str().unwrap(), true);
        }
        Self { vector, schema, types }
    }

    fn parse(&mut self, text: &Value) -> TypeId {
        self.schema.parse(&mut self.types, text.as_str().unwrap())
    }

    fn field(&mut self, name: &str) -> TypeId {
        let text = &self.vector[name];
        self.parse(text)
    }
}

/// Returns true if `answer` is what the vector expects. Types are compared as types: the recorded
/// text must denote the same type as ours.
fn agrees(vector: &Value, expected: &Value, answer: &Value) -> bool {
    if vector["op"] == "pretty" {
        // Recorded over several lines, ours is always on one.
        let words: Vec<_> = expected["pretty"].as_str().unwrap().split_whitespace().collect();
        let mut line = words.join(" ").replace(", }", " }").replace("( ", "(").replace(" )", ")");
        if line.starts_with("| ") {
            line.drain(..2);
        }
        return answer["pretty"] == line;
    }
    let mut expected = expected.clone();
    for key in ["type", "safe", "unsafe", "key", "value"] {
        if let Some(text) = expected.get(key).and_then(Value::as_str)
            && text.contains('$')
        {
            let mut case = Case::new(vector);
            let ty = case.parse(&json!(text));
            expected[key] = json!(case.types.display(ty));
        }
    }
    &expected == answer
}

fn answer(vector: &Value) -> Value {
    let mut case = Case::new(vector);
    let case = &mut case;
    match vector["op"].as_str().unwrap() {
        "display" => {
            let ty = case.field("type");
            json!({ "display": case.types.display(ty) })
        }
        "pretty" => {
            let ty = case.field("type");
            json!({ "pretty": case.types.pretty(ty) })
        }
        "equals" => {
            let (a, b) = (case.field("a"), case.field("b"));
            json!({ "equals": case.types.same(a, b) })
        }
        "convert" => {
            let (dst, src) = (case.field("dest"), case.field("src"));
            let assignable = case.types.assignable(dst, src);
            let kind = case.types.convert(dst, src);
            let mut answer = json!({ "assignable": assignable, "conversion": conversion(kind) });
            if kind == Conversion::No {
                let reason = case.types.explain(dst, src).expect("no conversion has a reason");
                answer["reason"] = reference_reason(&mut case.types, &reason);
            }
            answer
        }
        "convert_unifying" => {
            let (dst, src) = (case.field("dest"), case.field("src"));
            json!({ "conversion": conversion(case.types.convert_to_unify(dst, src)) })
        }
        "unify2" => {
            let (a, b) = (case.field("a"), case.field("b"));
            let (ty, safety) = case.types.unify(a, b);
            json!({ "type": case.types.display(ty), "conversion": conversion(safety) })
        }
        "unify" => {
            let list = vector["types"].as_array().unwrap();
            let list: Vec<_> = list.iter().map(|text| case.parse(text)).collect();
            let [safe, loose] = [case.types.unify_safely(&list), case.types.unify_loosely(&list)];
            json!({ "safe": case.types.display(safe), "unsafe": case.types.display(loose) })
        }
        "traverse" => {
            let (ty, key) = (case.field("type"), key(case, &vector["key"]));
            let reached = case.types.traverse(ty, &key);
            json!({ "type": case.types.display(reached.ty), "diags": reference_diagnostics(&mut case.types, &reached) })
        }
        "resolve_outputs" => {
            let ty = case.field("type");
            let ty = case.types.resolve(ty);
            json!({ "type": case.types.display(ty) })
        }
        "resolve_promises" => {
            let ty = case.field("type");
            let ty = case.types.resolve_promises(ty);
            json!({ "type": case.types.display(ty) })
        }
        "contains_eventuals" => {
            let ty = case.field("type");
            json!({ "outputs": case.types.contains_outputs(ty), "promises": case.types.contains_promises(ty) })
        }
        "lift" => {
            let ty = case.field("type");
            let lifted = case.types.lift(TypeId::BOOL, &[ty]);
            json!({ "lift": match case.types.get(lifted) {
                Type::Output(_) => "output",
                Type::Promise(_) => "promise",
                _ => "identity",
            }})
        }
        "input_type" => {
            let ty = case.field("type");
            let ty = case.types.input_type(ty);
            json!({ "type": case.types.display(ty) })
        }
        "is_optional" => {
            let ty = case.field("type");
            json!({ "optional": case.types.is_optional(ty) })
        }
        "is_const" => {
            let ty = case.field("type");
            json!({ "const": case.types.is_constant(ty) })
        }
        "collection" => {
            let ty = case.field("type");
            let collection = case.types.collection(ty);
            let severity = if vector["strict"] == false { "warning" } else { "error" };
            let diags: Vec<_> = (collection.unsupported.iter())
                .map(|ty| {
                    let text =
                        format!("cannot iterate over a value of type {}", case.types.display(*ty));
                    json!({ "severity": severity, "summary": text })
                })
                .collect();
            let (key, value) =
                (case.types.display(collection.key), case.types.display(collection.value));
            json!({ "key": key, "value": value, "diags": diags })
        }
        op => panic!("unknown operation {op}"),
    }
}

fn key(case: &mut Case<'_>, key: &Value) -> Key {
    if let Some(name) = key["attr"].as_str() {
        return Key::Name(case.types.symbol(name));
    }
    if let Some(index) = key["index"].as_str() {
        if index == "cty.ListVal(0)" {
            return Key::Unknown(case.types.list(TypeId::NUMBER));
        }
        let ty = case.parse(&key["index"]);
        let Type::Const { value, .. } = case.types.get(ty) else {
            panic!("{index} is no constant");
        };
        return Key::Constant(value.clone());
    }
    Key::Unknown(case.parse(&key["dynamic"]))
}

/// The reason in the words of the record.
fn reference_reason(types: &mut TypeStore, reason: &Reason) -> Value {
    match reason.cause {
        Cause::NoMember(_) => json!([]),
        Cause::Length { .. } => {
            let (dst, src) = (types.display(reason.dst), types.display(reason.src));
            json!([format!("tuples {dst} and {src} have different lengths")])
        }
        Cause::Kind | Cause::Missing
            if matches!(types.get(reason.dst), Type::Union(_)) && reason.src == TypeId::NONE =>
        {
            json!([])
        }
        Cause::Kind | Cause::Missing => {
            let (dst, src) = (types.pretty(reason.dst), types.pretty(reason.src));
            json!([format!("cannot assign value of type {src} to type {dst}")])
        }
    }
}

/// Traversal errors in the words of the record.
fn reference_diagnostics(types: &mut TypeStore, reached: &Traversed) -> Value {
    let mut diagnostics = Vec::new();
    for error in &reached.errors {
        let mut detail = None;
        let summary = match error.kind {
            TraverseErrorKind::Unsupported { receiver } => {
                format!("cannot traverse value of type {}", types.display(receiver))
            }
            TraverseErrorKind::NoneReceiver => "cannot traverse value of type none".to_owned(),
            TraverseErrorKind::ListIndex { .. } => "list indices must be numbers".to_owned(),
            TraverseErrorKind::MapKey { .. } => "map keys must be strings".to_owned(),
            TraverseErrorKind::TupleIndex { .. } => "tuple indices must be integers".to_owned(),
            TraverseErrorKind::TupleRange { length } => {
                format!("tuple index out of range for tuple of length {length}")
            }
            TraverseErrorKind::ObjectKey { .. } => "object properties must be strings".to_owned(),
            TraverseErrorKind::UnknownProperty { name, object } => {
                let properties = types.properties(object).unwrap();
                let names: Vec<_> = properties.iter().map(|(name, _)| types.name(*name)).collect();
                format!("unknown property '{}' among [{}]", types.name(name), names.join(" "))
            }
            TraverseErrorKind::OtherCase { asked, actual } => {
                detail = Some(format!("Matched {} with {}", types.name(asked), types.name(actual)));
                "Found matching case-insensitive property".to_owned()
            }
        };
        let severity = if error.severity == Severity::Error { "error" } else { "warning" };
        let mut diagnostic = json!({ "severity": severity, "summary": summary });
        if let Some(detail) = detail {
            diagnostic["detail"] = json!(detail);
        }
        diagnostics.push(diagnostic);
    }
    json!(diagnostics)
}
