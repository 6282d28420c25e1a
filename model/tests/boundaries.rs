//! The places where one rule of the relations ends and the next one begins.

use pcl_model::{Conversion, Key, TraverseErrorKind, TypeId, TypeStore};
use pcl_test_support::named_types::Schema;
use pcl_test_support::type_text::parse_type;

/// A list of values that nothing else converts to.
fn list(types: &mut TypeStore, at: usize) -> TypeId {
    let own = types.opaque(&format!("t{at}"));
    types.list(own)
}

/// A list of objects with these properties.
fn objects(types: &mut TypeStore, properties: &[(&str, TypeId)]) -> TypeId {
    let properties = properties.iter().map(|&(name, ty)| (types.symbol(name), ty));
    let properties: Vec<_> = properties.collect();
    let object = types.object(properties);
    types.list(object)
}

/// The members of the unification of a list of `{ q = int }` with a union of `count` lists, one of
/// which is of `{ p = int }`; and whether these two were merged.
fn unified_with(types: &mut TypeStore, count: usize, all_at_once: bool) -> (usize, bool) {
    let mut members: Vec<TypeId> = (1..count).map(|at| list(types, at)).collect();
    members.push(objects(types, &[("p", TypeId::INT)]));
    let next = objects(types, &[("q", TypeId::INT)]);
    let unified = if all_at_once {
        let all: Vec<TypeId> = members.into_iter().chain([next]).collect();
        types.unify_safely(&all)
    } else {
        let union = types.union(members);
        types.unify(union, next).0
    };
    let optional = types.optional(TypeId::INT);
    let merged = objects(types, &[("p", optional), ("q", optional)]);
    let members = types.members(unified);
    (members.len(), members.contains(&merged))
}

#[test]
fn up_to_32_members_with_parts_are_unified_with_each_other_type() {
    for all_at_once in [false, true] {
        let mut types = TypeStore::new();
        // The type itself is a member as well: the other lists have nothing in common with it.
        assert_eq!(unified_with(&mut types, 32, all_at_once), (33, true));
        assert_eq!(unified_with(&mut types, 33, all_at_once), (34, false));
    }
}

#[test]
fn a_promise_unifies_with_an_output_that_it_does_not_convert_to() {
    let mut types = TypeStore::new();
    let [held, other] = ["t7", "t8"].map(|name| types.opaque(name));
    let (output, promise) = (types.output(held), types.promise(other));
    assert_eq!(types.convert(output, promise), Conversion::No);
    let mut all: Vec<TypeId> = (0..4).map(|at| list(&mut types, at)).collect();
    all.extend([output, promise]);
    // Types still to come, so that the members are kept as a list.
    all.extend((14..32).map(|at| list(&mut types, at)));
    let unified = types.unify_safely(&all);
    let either = types.union([held, other]);
    let both = types.output(either);
    let pretty = types.pretty(unified);
    assert!(types.members(unified).contains(&both), "{pretty}");
}

#[test]
fn types_of_different_length_are_not_the_same() {
    let (schema, mut types) = Schema::store();
    schema.define("R", "object({a = string})", true);
    schema.define("S", "object({a = string})", true);
    let mut parse = |text: &str| schema.parse(&mut types, text);
    let pairs = [
        ("tuple($R, int)", "tuple($S, int)", true),
        ("tuple($R, int)", "tuple($S, int, int)", false),
        ("tuple($R, int, int)", "tuple($S, int)", false),
        ("tuple($R)", "tuple()", false),
        ("union($R, int)", "union($S, int)", true),
        ("union($R, int)", "union($S, int, string)", false),
        ("union($R, int, string)", "union($S, int)", false),
        ("object({b = $R})", "object({b = $S})", true),
        ("object({b = $R})", "object({b = $S, c = int})", false),
        ("object({b = $R, c = int})", "object({b = $S})", false),
    ]
    .map(|(a, b, same)| (parse(a), parse(b), same));
    for (a, b, same) in pairs {
        let texts = [a, b].map(|ty| types.display(ty));
        assert_eq!(types.same(a, b), same, "{texts:?}");
        assert_eq!(types.same(b, a), same, "{texts:?}");
    }
}

/// Unifies objects of so many properties, deep inside of other types. Returns how many of the
/// properties were unified.
fn unified_deep_inside(count: usize) -> usize {
    let mut types = TypeStore::new();
    let [a, b] = ["a", "b"].map(|name| types.symbol(name));
    let names: Vec<_> = (0..count).map(|at| types.symbol(&format!("k{at}"))).collect();
    let mut wide = |name| {
        let properties = names.iter().enumerate().map(|(at, &own)| {
            let value = types.constant((at as i64).into());
            (own, types.object([(name, value)]))
        });
        let properties: Vec<_> = properties.collect();
        let mut ty = types.object(properties);
        for _ in 0..10 {
            ty = types.tuple(&[ty]);
        }
        ty
    };
    let [left, right] = [wide(a), wide(b)];
    let mut unified = types.unify(left, right).0;
    while let pcl_model::Type::Tuple(elements) = types.get(unified) {
        unified = elements[0];
    }
    let properties = types.properties(unified).expect("an object");
    let parts = properties.iter().map(|&(_, ty)| ty);
    parts.filter(|&ty| types.properties(ty).is_some()).count()
}

#[test]
fn unifications_inside_of_others_have_a_budget() {
    assert_eq!(unified_deep_inside(15_000), 15_000);
    // Of 20,000 steps, those deep inside of the tuples go to them.
    assert_eq!(unified_deep_inside(25_000), 19_993);
}

#[test]
fn lists_nest_512_levels_deep() {
    let mut types = TypeStore::new();
    // A list counts from the type that it holds; deeper ones are dynamic.
    let mut ty = TypeId::STRING;
    let mut levels = 0;
    while ty != TypeId::DYNAMIC {
        ty = types.list(ty);
        levels += 1;
    }
    assert_eq!(levels, 512);
}

#[test]
fn displayed_types_may_have_any_number_of_nested_parts() {
    let mut types = TypeStore::new();
    let part = types.list(TypeId::INT);
    let wide = types.tuple(&[part; 3_000]);
    let expected = format!("tuple({})", vec!["list(int)"; 3_000].join(", "));
    assert_eq!(types.display(wide), expected);
}

#[test]
fn properties_are_found_in_another_case_however_many_there_are() {
    for count in [3, 16, 17, 40] {
        let mut types = TypeStore::new();
        let names: Vec<String> = (0..count).map(|at| format!("someName{at}")).collect();
        let properties: Vec<_> =
            names.iter().map(|name| (types.symbol(name), TypeId::INT)).collect();
        let object = types.object(properties);
        let [asked, actual] = ["SOMENAME2", "someName2"].map(|name| types.symbol(name));
        let traversed = types.traverse(object, &Key::Name(asked));
        let kinds: Vec<_> = traversed.errors.iter().map(|error| error.kind).collect();
        assert_eq!(kinds, [TraverseErrorKind::OtherCase { asked, actual }]);
    }
}

#[test]
fn members_of_a_union_have_one_order_however_late_they_differ() {
    let mut types = TypeStore::new();
    let mut tuple = |last: TypeId| {
        let elements: Vec<TypeId> = (0..100).map(|_| TypeId::INT).chain([last]).collect();
        types.tuple(&elements)
    };
    let (second, first) = (tuple(TypeId::STRING), tuple(TypeId::BOOL));
    for members in [[first, second], [second, first]] {
        let union = types.union(members);
        assert_eq!(*types.members(union), [first, second]);
    }
}

#[test]
fn long_names_are_cut_between_characters() {
    // Two bytes each, behind nothing and behind one byte: one of them has no boundary at the limit.
    for start in ["", "b"] {
        let mut types = TypeStore::new();
        let name = start.to_owned() + &"é".repeat(20_000);
        let name = types.symbol(&name);
        let object = types.object([(name, TypeId::INT)]);
        let pretty = types.pretty(object);
        assert!(pretty.starts_with(&format!("{{ {start}é")), "{start}");
        assert!(pretty.contains("é...") && pretty.len() < 17_000, "{start}");
    }
}

#[test]
fn the_error_type_is_read_and_written() {
    let mut types = TypeStore::new();
    assert_eq!(types.display(TypeId::ERROR), "error");
    assert_eq!(parse_type(&mut types, "error"), Ok(TypeId::ERROR));
}
