//! Shapes against the recorded answers (`shapes` of `types_vectors.json`) and the sentences of the
//! documents that define them.

use pcl_model::{Shape, ShapeFunction, Symbol, TypeId, TypeStore, UnionRule};
use pcl_test_support::named_types::Schema;
use pcl_test_support::type_text::parse_type;
use serde_json::Value;

#[test]
fn recorded_shapes() {
    let path = format!("{}/../tests/vectors/types_vectors.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut types = TypeStore::new();
    let mut compared = 0;
    for vector in file["shapes"].as_array().unwrap() {
        let id = vector["id"].as_str().unwrap();
        let given = shape(&mut types, vector["type"].as_str().unwrap());
        for result in vector["results"].as_array().unwrap() {
            let rule = match result["variant"].as_str().unwrap() {
                "all" | "000" => UnionRule::Wrapped,
                _ => UnionRule::Bare,
            };
            let function = match vector["fn"].as_str().unwrap() {
                "inputShape" => ShapeFunction::Input(rule),
                "outputShape" => ShapeFunction::Output(rule),
                _ => ShapeFunction::Plain,
            };
            let ours = given.shaped(function);
            for form in ["result", "expanded"] {
                let expected = shape(&mut types, result[form].as_str().unwrap());
                assert_eq!(ours, expected, "{id}");
            }
            let expected = parse_type(&mut types, result["model_display"].as_str().unwrap());
            assert_eq!(types.lower(&ours), expected.unwrap(), "{id}");
            compared += 1;
        }
        if let Some(input) = vector["reference_input_type_of_model"].as_str() {
            let expected = parse_type(&mut types, input).unwrap();
            let lowered = types.lower(&given);
            assert_eq!(types.input_type(lowered), expected, "{id}");
        }
    }
    assert!(compared > 0);
}

#[test]
fn input_types_are_input_shapes_of_what_both_know() {
    let mut types = TypeStore::new();
    for text in [
        "string",
        "list(string)",
        "map(list(bool))",
        "object({a = string, b = list(object({c = int}))})",
        "union(int, list(string))",
    ] {
        let ty = parse_type(&mut types, text).unwrap();
        let shape = types.shape(ty);
        assert_eq!(types.lower(&shape), ty);
        assert_eq!(types.lower(&shape.input_shape()), types.input_type(ty));
    }
}

/// `Input<Array<String>>` admits arrays and outputs of arrays, but no arrays of outputs; its input
/// shape does.
#[test]
fn input_shapes_take_outputs_anywhere() {
    let mut types = TypeStore::new();
    let array = shape(&mut types, "Array<String>");
    let pushed = types.lower(&array.input_shape());
    let whole = shape(&mut types, "Input<Array<String>>");
    let whole = types.lower(&whole);
    let given = parse_type(&mut types, "list(output(string))").unwrap();
    assert!(!types.convert(whole, given).exists());
    assert!(types.convert(pushed, given).exists());
}

#[test]
fn combinators_have_the_types_that_the_documents_give_them() {
    let mut types = TypeStore::new();
    let mut shape = |text| shape(&mut types, text);
    // apply: the callback may itself give an output, which `unwrap` joins with the outer one.
    let output = shape("Output<String>");
    assert_eq!(output.output_element(), Some(&shape("String")));
    assert_eq!(output.apply(shape("Number")), Some(shape("Output<Number>")));
    let nested = output.apply(shape("Output<Number>")).unwrap();
    assert_eq!(nested, shape("Output<Output<Number>>"));
    assert_eq!(nested.unwrapped(), Some(shape("Output<Number>")));
    assert_eq!(output.unwrapped(), None);
    assert_eq!(shape("String").apply(shape("Number")), None);
    // all: the elements lose one layer of outputs on every path, the outputs around them aside.
    let all = Shape::all(&[
        shape("Output<String>"),
        shape("Output<Array<Output<Number>>>"),
        shape("Output<Output<Array<Output<Bool>>>>"),
    ]);
    let expected = shape("Output<Tuple<String, Array<Number>, Array<Output<Bool>>>>");
    assert_eq!(all, Some(expected));
    assert_eq!(Shape::all(&[]), Some(shape("Output<Tuple<>>")));
    assert_eq!(Shape::all(&[shape("Output<String>"), shape("String")]), None);
}

#[test]
fn schema_types_are_opened_one_at_a_time() {
    let (schema, mut types) = Schema::store();
    schema.define("R", "object({next = union($R, none), v = list(string)})", true);
    let ty = schema.parse(&mut types, "$R");
    let shape = types.shape(ty);
    assert_eq!(types.lower(&shape), ty);
    let input = shape.input_shape();
    let Shape::Union(parts) = &input else {
        panic!("no union: {input:?}");
    };
    let opened = types.open(&parts[0]);
    let Shape::Object(properties) = &opened else {
        panic!("no object: {opened:?}");
    };
    let again = types.open(&parts[0]);
    assert_eq!(properties.len(), 2);
    assert_eq!(opened, again);
    let strings = types.list(TypeId::STRING);
    let strings = types.shape(strings);
    assert_eq!(properties[1].1, strings.input_shape());
    let lowered = types.lower(&input);
    assert_eq!(
        types.pretty(lowered),
        "{ next: 'T1 { next: 'T1?, v: list(string) } | output(none) \
         | output('T2 { next: 'T2?, v: list(string) }) | output('T2?)?, \
         v: list(string | output(string)) | output(list(string)) } \
         | output({ next: 'T2?, v: list(string) })"
    );
}

#[test]
fn shapes_of_hostile_schemas_are_lowered() {
    let (schema, mut types) = Schema::store();
    for at in 0..300 {
        let next = at + 1;
        let text = format!("object({{a = $T{next}, b = list($T{next}), c = map($T{at})}})");
        schema.define(&format!("T{at}"), &text, true);
    }
    schema.define("T300", "object({})", true);
    let ty = schema.parse(&mut types, "$T0");
    let shape = types.shape(ty).input_shape().plain_shape().output_shape();
    types.lower(&shape);
}

/// A shape in the notation of the documents.
fn shape(types: &mut TypeStore, text: &str) -> Shape {
    let mut rest = text;
    let shape = read(types, &mut rest);
    assert_eq!(rest, "", "{text}");
    shape
}

fn read(types: &mut TypeStore, rest: &mut &str) -> Shape {
    let end = rest.find(['<', '>', ',']).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    *rest = after;
    if !after.starts_with('<') {
        return Shape::Type(match word {
            "Null" => TypeId::NONE,
            "Bool" => TypeId::BOOL,
            "Number" => TypeId::NUMBER,
            "String" => TypeId::STRING,
            "Asset" => TypeId::ASSET,
            _ => panic!("unknown type {word}"),
        });
    }
    let (mut names, mut parts) = (Vec::<Symbol>::new(), Vec::new());
    *rest = &rest[1..];
    while let Some(inside) = (!rest.starts_with('>')).then_some(*rest) {
        if word == "Object" {
            let (name, after) = inside.split_once(", ").unwrap();
            names.push(types.symbol(name));
            *rest = after;
        }
        parts.push(read(types, rest));
        *rest = rest.strip_prefix(", ").unwrap_or(rest);
    }
    *rest = &rest[1..];
    let one = |parts: &[Shape]| Box::new(parts[0].clone());
    match word {
        "Tuple" => Shape::Tuple(parts),
        "Union" => Shape::Union(parts),
        "Object" => Shape::Object(names.into_iter().zip(parts).collect()),
        "Array" => Shape::Array(one(&parts)),
        "Map" => Shape::Map(one(&parts)),
        "Promise" => Shape::Promise(one(&parts)),
        "Output" => Shape::Output(one(&parts)),
        "Input" => Shape::Union(vec![parts[0].clone(), Shape::Output(one(&parts))]),
        _ => panic!("unknown type {word}"),
    }
}
