//! The tables about types in `docs/differences.md`, which names a test of this file in each row:
//! first where the documents about the language and Pulumi's binder differ, then where HCL's own
//! types and the binder differ.

use pcl_model::Conversion::{No, Safe, Unsafe};
use pcl_model::{Constant, Conversion, Key, Number, Shape, TraverseErrorKind, TypeId, TypeStore};
use pcl_test_support::type_text::parse_type;

struct World(TypeStore);

impl World {
    fn new() -> Self {
        Self(TypeStore::new())
    }

    fn ty(&mut self, text: &str) -> TypeId {
        parse_type(&mut self.0, text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn convert(&mut self, dst: &str, src: &str) -> Conversion {
        let [dst, src] = [dst, src].map(|text| self.ty(text));
        self.0.convert(dst, src)
    }

    fn assignable(&mut self, dst: &str, src: &str) -> bool {
        let [dst, src] = [dst, src].map(|text| self.ty(text));
        self.0.assignable(dst, src)
    }

    /// The unification, with a question mark before it when it is unsafe.
    fn unify(&mut self, a: &str, b: &str) -> String {
        let [a, b] = [a, b].map(|text| self.ty(text));
        let (ty, safety) = self.0.unify(a, b);
        let mark = if safety == Safe { "" } else { "?" };
        format!("{mark}{}", self.0.display(ty))
    }

    /// The safe unification of many.
    fn all(&mut self, texts: &[&str]) -> String {
        let types: Vec<_> = texts.iter().map(|text| self.ty(text)).collect();
        let unified = self.0.unify_safely(&types);
        self.0.display(unified)
    }

    fn traverse(&mut self, ty: &str, name: &str) -> (String, Vec<TraverseErrorKind>) {
        let ty = self.ty(ty);
        let name = self.0.symbol(name);
        let reached = self.0.traverse(ty, &Key::Name(name));
        let errors = reached.errors.iter().map(|error| error.kind);
        (self.0.display(reached.ty), errors.collect())
    }

    fn input(&mut self, ty: &str) -> String {
        let ty = self.ty(ty);
        let input = self.0.input_type(ty);
        self.0.display(input)
    }
}

#[test]
fn a_whole_number_of_any_size_is_an_int_with_its_exact_value() {
    let mut world = World::new();
    for text in ["2147483647", "2147483648", "9223372036854775808", &"1234567890".repeat(20)] {
        let number = Number::parse(text).unwrap();
        let (digits, exponent) = number.parts();
        let zeros = "0".repeat(exponent.try_into().unwrap());
        assert_eq!(format!("{digits}{zeros}"), text);
        let literal = world.0.constant(Constant::Number(number));
        assert_eq!(world.0.convert(TypeId::INT, literal), Safe);
    }
    // A literal that cannot be exact is invalid.
    assert_eq!(Number::parse("1e99999999999999999999"), None);
}

#[test]
fn constants_are_one_type_when_value_and_underlying_type_are_equal() {
    let mut world = World::new();
    let one = Constant::from(1);
    assert_eq!(one, Constant::Number(Number::parse("1.0").unwrap()));
    let int = world.0.constant(one.clone());
    assert_ne!(int, world.0.constant_of(TypeId::NUMBER, one));
}

#[test]
fn ints_convert_safely_to_numbers_and_strings_and_unsafely_back() {
    let mut world = World::new();
    for wider in ["number", "string"] {
        assert_eq!(world.convert(wider, "int"), Safe);
        assert_eq!(world.convert("int", wider), Unsafe);
    }
}

#[test]
fn bools_and_numbers_convert_unsafely_and_ids_are_strings() {
    let mut world = World::new();
    for number in ["int", "number"] {
        assert_eq!(world.convert("bool", number), Unsafe);
        assert_eq!(world.convert(number, "bool"), Unsafe);
    }
    assert_eq!(world.convert("id", "string"), Safe);
    assert_eq!(world.convert("string", "id"), Safe);
    assert!(!world.assignable("string", "id") && !world.assignable("id", "string"));
}

const NULL: &str = "cty.NullVal(cty.DynamicPseudoType)";

#[test]
fn null_is_assignable_to_none_and_through_unions_to_optionals() {
    let mut world = World::new();
    for taker in ["none", "union(none, string)", "dynamic"] {
        assert!(world.assignable(taker, NULL));
        assert_eq!(world.convert(taker, NULL), Safe);
    }
    assert!(!world.assignable("string", NULL));
    assert_eq!(world.convert(NULL, "none"), Unsafe);
}

#[test]
fn a_union_is_assignable_where_its_members_are() {
    let mut world = World::new();
    assert!(world.assignable("union(int, none, string)", "union(int, string)"));
    assert!(!world.assignable("union(int, none)", "union(int, string)"));
    assert_eq!(world.convert("union(int, none, string)", "union(int, string)"), Safe);
    assert!(world.assignable("union(list(int), string)", "list(int)"));
}

#[test]
fn a_union_converts_as_all_its_members_do() {
    let mut world = World::new();
    assert_eq!(world.convert("string", "union(int, bool)"), Safe);
    assert_eq!(world.convert("string", "union(int, list(int))"), Unsafe);
    assert_eq!(world.convert("string", "union(map(int), list(int))"), No);
}

#[test]
fn a_value_converts_to_a_union_as_to_its_best_member() {
    let mut world = World::new();
    assert_eq!(world.convert("union(int, string)", "bool"), Safe);
    assert_eq!(world.convert("union(int, none)", "bool"), Unsafe);
    assert_eq!(world.convert("union(dynamic, string)", "dynamic"), Unsafe);
}

#[test]
fn a_promise_takes_no_output() {
    let mut world = World::new();
    for promise in ["promise(dynamic)", "promise(output(string))"] {
        assert_eq!(world.convert(promise, "output(string)"), No);
        assert!(world.assignable(promise, "output(string)"));
    }
}

#[test]
fn an_output_takes_what_its_element_takes() {
    let mut world = World::new();
    for taken in ["string", "promise(string)", "output(string)", "promise(output(string))"] {
        assert!(world.assignable("output(union(string, none))", taken));
    }
    assert!(!world.assignable("output(string)", "int"));
}

#[test]
fn members_without_the_key_are_passed_over() {
    let mut world = World::new();
    let text = "union(object({a = string}), object({b = int}), none)";
    assert_eq!(world.traverse(text, "a"), ("union(string, none)".into(), vec![]));
    let (ty, errors) = world.traverse("union(object({b = int}), none)", "a");
    assert_eq!((ty.as_str(), errors.len()), ("dynamic", 2));
    // Nor does a difference in case count when some member has the key.
    assert_eq!(world.traverse("union(object({a = string}), none)", "A").1, vec![]);
}

#[test]
fn nothing_is_inside_none() {
    let found = World::new().traverse("none", "a");
    assert_eq!(found, ("none".into(), vec![TraverseErrorKind::NoneReceiver]));
}

#[test]
fn two_unions_unify_to_all_their_members() {
    let mut world = World::new();
    for (a, b, unified) in [
        ("union(bool, int)", "union(none, string)", "union(bool, int, string, none)"),
        ("union(none, string)", "union(int, none)", "union(int, string, none)"),
        // Not options of collections: nothing could be iterated over.
        ("union(list(string), none)", "union(list(int), none)", "union(none, list(string))"),
    ] {
        assert_eq!(world.unify(a, b), unified);
    }
}

#[test]
fn a_union_unifies_with_a_type_member_by_member() {
    let mut world = World::new();
    for (a, b, unified) in [
        ("union(none, string)", "bool", "union(bool, string, none)"),
        ("union(none, string)", "string", "union(string, none)"),
        ("union(int, none)", "string", "union(string, none)"),
        ("union(none, string)", "output(string)", "union(none, output(string))"),
        ("union(int, string)", "bool", "?union(int, string)"),
        // Not options of collections, and not literals.
        ("union(list(string), none)", "tuple(string)", "union(none, list(string))"),
        ("union(dynamic, none)", "list(string)", "union(dynamic, none)"),
        ("union(dynamic, list(int))", "string", "union(dynamic, list(int))"),
        ("union(int, none)", "cty.NumberIntVal(1)", "union(int, none)"),
    ] {
        assert_eq!(world.unify(a, b), unified, "{a} and {b}");
    }
    // Nor are types with parts merged into more than a few.
    let objects: Vec<_> = (0..40).map(|at| format!("object({{k{at} = list(E{at})}})")).collect();
    let union = format!("union(none, Asset, {})", objects.join(", "));
    let all = world.ty(&union);
    let one = world.ty("object({other = string})");
    let (unified, safety) = world.0.unify(all, one);
    assert_eq!((world.0.members(unified).len(), safety), (43, Safe));
}

#[test]
fn a_promise_and_an_output_unify_to_an_output_of_both() {
    let mut world = World::new();
    assert_eq!(world.unify("output(int)", "promise(string)"), "output(string)");
    assert_eq!(world.unify("promise(string)", "output(int)"), "output(string)");
    assert_eq!(world.unify("output(bool)", "promise(int)"), "?output(int)");
    assert_eq!(
        world.unify("output(string)", "promise(list(string))"),
        "output(union(string, list(string)))"
    );
}

#[test]
fn outputs_and_promises_unify_inside() {
    let mut world = World::new();
    assert_eq!(world.unify("output(int)", "output(list(int))"), "output(union(int, list(int)))");
    assert_eq!(world.unify("promise(int)", "promise(list(int))"), "promise(union(int, list(int)))");
    // Anything can be asked of `dynamic`, so it is kept where it takes the other side.
    assert_eq!(world.unify("output(dynamic)", "output(list(int))"), "output(dynamic)");
}

#[test]
fn int_gives_way_to_number_and_string() {
    let mut world = World::new();
    assert_eq!(world.unify("int", "number"), "number");
    assert_eq!(world.unify("string", "int"), "string");
}

#[test]
fn kinds_that_the_documents_do_not_know_are_as_in_the_binder() {
    let mut world = World::new();
    assert_eq!(world.unify("id", "int"), "id");
    assert_eq!(world.unify("cty.NumberIntVal(1)", "int"), "int");
    assert_eq!(world.convert("Asset", "Archive"), No);
    assert_eq!(world.convert("p:m:Token", "string"), No);
}

#[test]
fn outputs_absorb_and_promises_keep_outputs() {
    let mut world = World::new();
    for (written, shown) in [
        ("output(list(promise(output(int))))", "output(list(int))"),
        ("promise(list(promise(int)))", "promise(list(int))"),
        ("promise(output(int))", "promise(output(int))"),
    ] {
        let ty = world.ty(written);
        assert_eq!(world.0.display(ty), shown);
    }
}

#[test]
fn numbers_are_exact_decimals() {
    let parse = |text| Number::parse(text).unwrap();
    assert_ne!(parse("9007199254740993"), parse("9007199254740992"));
    assert_eq!(parse("0.1").to_string(), "0.1");
    assert_eq!(parse("1e-400").to_string(), "1e-400");
}

#[test]
fn the_input_shape_of_a_union_is_wrapped() {
    let mut world = World::new();
    let union = world.ty("union(int, string)");
    let shape = world.0.shape(union).input_shape();
    let lowered = world.0.lower(&shape);
    assert_eq!(lowered, world.0.input_type(union));
}

#[test]
fn shapes_take_eventual_values_apart_and_input_types_keep_them() {
    let mut world = World::new();
    for text in ["promise(string)", "output(string)"] {
        let ty = world.ty(text);
        let shape = world.0.shape(ty).input_shape();
        let lowered = world.0.lower(&shape);
        assert_eq!(world.0.display(lowered), "union(string, output(string))");
    }
    assert_eq!(world.input("output(string)"), "output(string)");
    assert_eq!(
        world.input("promise(string)"),
        "union(output(string), promise(union(string, output(string))))"
    );
}

#[test]
fn input_types_leave_sets_whole() {
    let mut world = World::new();
    let tuple = "union(tuple(union(string, output(string))), output(tuple(string)))";
    assert_eq!(world.input("tuple(string)"), tuple);
    assert_eq!(world.input("set(string)"), "union(set(string), output(set(string)))");
}

#[test]
fn output_shapes_nest_and_types_do_not() {
    let mut world = World::new();
    let list = world.ty("list(string)");
    let shape = world.0.shape(list).output_shape();
    let string = Shape::Output(Box::new(Shape::Type(TypeId::STRING)));
    let nested = Shape::Output(Box::new(Shape::Array(Box::new(string))));
    assert_eq!(shape, nested);
    let lowered = world.0.lower(&shape);
    assert_eq!(world.0.display(lowered), "output(list(string))");
}

#[test]
fn of_two_properties_with_one_name_the_last_counts() {
    let mut types = TypeStore::new();
    let name = types.symbol("a");
    let object = types.object([(name, TypeId::INT), (name, TypeId::STRING)]);
    assert_eq!(types.property(object, name), Some(TypeId::STRING));
}

#[test]
fn enums_take_their_underlying_type_and_do_not_give_it() {
    let mut world = World::new();
    let e = "enum(p:m:E(string): cty.StringVal(\"a\"))";
    assert_eq!(world.convert(e, "string"), Unsafe);
    assert_eq!(world.convert("string", e), No);
    assert_eq!(world.convert(e, "enum(p:m:F(string): cty.StringVal(\"a\"))"), No);
}

#[test]
fn sets_have_nothing_to_reach() {
    let mut world = World::new();
    assert_eq!(world.traverse("set(string)", "a").0, "dynamic");
    let set = world.ty("set(string)");
    assert_eq!(world.0.collection(set).unsupported, Some(set));
}

#[test]
fn assets_and_archives_do_not_convert() {
    let mut world = World::new();
    assert_eq!(world.convert("Archive", "Asset"), No);
    assert_eq!(world.convert("Asset", "string"), No);
    assert_eq!(world.convert("union(Archive, Asset)", "Archive"), Safe);
}

#[test]
fn a_resource_is_an_object_of_outputs() {
    let mut world = World::new();
    let resource = "object({id = output(id), urn = output(string), name = output(string)})";
    assert_eq!(world.traverse(resource, "name"), ("output(string)".into(), vec![]));
    assert_eq!(world.convert("string", resource), No);
}

#[test]
fn types_say_nothing_of_dependencies() {
    let output = |shape| Shape::Output(Box::new(shape));
    let (string, number) = (Shape::Type(TypeId::STRING), Shape::Type(TypeId::NUMBER));
    assert_eq!(output(string).apply(number.clone()), Some(output(number)));
}

#[test]
fn null_converts_to_types_with_none_alone() {
    let mut world = World::new();
    assert_eq!(world.convert("list(string)", NULL), No);
    assert_eq!(world.convert("union(list(string), none)", NULL), Safe);
}

#[test]
fn bools_and_numbers_convert_unsafely() {
    assert_eq!(World::new().convert("number", "bool"), Unsafe);
}

#[test]
fn dynamic_converts_unsafely() {
    let mut world = World::new();
    assert_eq!(world.convert("string", "dynamic"), Unsafe);
    assert_eq!(world.convert("dynamic", "dynamic"), Safe);
}

#[test]
fn dynamic_unifies_unsafely() {
    let mut world = World::new();
    assert_eq!(world.unify("dynamic", "string"), "?string");
    assert_eq!(world.all(&["dynamic", "string"]), "union(dynamic, string)");
}

#[test]
fn a_map_and_an_object_are_a_map() {
    let unified = World::new().unify("object({a = int})", "map(string)");
    assert_eq!(unified, "map(string)");
}

#[test]
fn a_list_or_set_and_a_tuple_are_no_tuple() {
    let mut world = World::new();
    assert_eq!(world.unify("tuple(int)", "list(string)"), "list(string)");
    assert_eq!(world.unify("tuple(int)", "set(string)"), "?set(string)");
}

#[test]
fn a_shorter_tuple_converts_where_the_rest_may_be_none() {
    let mut world = World::new();
    assert_eq!(world.convert("tuple(string, union(int, none))", "tuple(string)"), Safe);
    assert_eq!(world.convert("tuple(string, int)", "tuple(string)"), No);
    assert_eq!(world.convert("tuple(string)", "tuple(string, int)"), No);
}

#[test]
fn tuples_of_any_length_unify() {
    let unified = World::new().unify("tuple(string)", "tuple(string, int)");
    assert_eq!(unified, "tuple(string, union(int, none))");
}

#[test]
fn a_missing_property_must_be_optional() {
    let mut world = World::new();
    assert_eq!(world.convert("object({a = string})", "object({})"), No);
    assert_eq!(world.convert("object({a = union(none, string)})", "object({})"), Safe);
}

#[test]
fn a_map_may_have_the_keys_of_an_object() {
    let mut world = World::new();
    assert_eq!(world.convert("object({a = string})", "map(string)"), Unsafe);
    assert_eq!(world.convert("object({a = string})", "map(list(int))"), No);
}

#[test]
fn types_that_do_not_unify_are_a_union() {
    let unified = World::new().unify("string", "list(string)");
    assert_eq!(unified, "union(string, list(string))");
}

#[test]
fn lists_and_tuples_convert_unsafely_to_sets() {
    let mut world = World::new();
    for src in ["list(string)", "tuple(string)", "tuple()"] {
        assert_eq!(world.convert("set(string)", src), Unsafe);
    }
}
