//! Recursive and otherwise unpleasant types: every question about them has an end and the right
//! answer, on a small stack. `tests/growth` of the root package measures the cost.

use std::collections::BTreeMap;

use pcl_model::{Constant, Conversion, Key, TypeId, TypeStore};
use pcl_test_support::named_types::Schema;
use pcl_test_support::stack::on_a_small_stack;
use proptest::prelude::*;

/// The type of a property in a small random schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    String,
    Int,
    OptionalString,
    Ref(usize),
    OptionalRef(usize),
    ListOf(usize),
    MapOf(usize),
}

type Definitions = Vec<Vec<(usize, Part)>>;

const COUNT: usize = 5;

fn definitions() -> impl Strategy<Value = Definitions> {
    let part = prop_oneof![
        2 => Just(Part::String),
        1 => Just(Part::Int),
        1 => Just(Part::OptionalString),
        3 => (0..COUNT).prop_map(Part::Ref),
        3 => (0..COUNT).prop_map(Part::OptionalRef),
        2 => (0..COUNT).prop_map(Part::ListOf),
        2 => (0..COUNT).prop_map(Part::MapOf),
    ];
    let object = prop::collection::btree_map(0..3usize, part, 0..4)
        .prop_map(|parts| parts.into_iter().collect());
    prop::collection::vec(object, COUNT)
}

fn text(part: Part) -> String {
    match part {
        Part::String => "string".into(),
        Part::Int => "int".into(),
        Part::OptionalString => "union(string, none)".into(),
        Part::Ref(at) => format!("$T{at}"),
        Part::OptionalRef(at) => format!("union($T{at}, none)"),
        Part::ListOf(at) => format!("list($T{at})"),
        Part::MapOf(at) => format!("map($T{at})"),
    }
}

fn store(definitions: &Definitions) -> (TypeStore, Vec<TypeId>) {
    let (schema, mut types) = Schema::store();
    for (at, object) in definitions.iter().enumerate() {
        let properties: Vec<_> =
            object.iter().map(|(name, part)| format!("p{name} = {}", text(*part))).collect();
        schema.define(&format!("T{at}"), &format!("object({{{}}})", properties.join(", ")), true);
    }
    let all = (0..COUNT).map(|at| schema.parse(&mut types, &format!("$T{at}"))).collect();
    (types, all)
}

/// Conversions between parts; `None` as a source is a missing property.
type Table = BTreeMap<(Part, Option<Part>), Conversion>;

/// Conversion between all parts: the greatest solution of the rules, found by starting from `Safe`
/// everywhere and lowering the answers until nothing changes.
fn solve(definitions: &Definitions) -> Table {
    let mut parts = vec![Part::String, Part::Int, Part::OptionalString];
    for at in 0..COUNT {
        parts.extend([Part::Ref(at), Part::OptionalRef(at), Part::ListOf(at), Part::MapOf(at)]);
    }
    let sources = || parts.iter().copied().map(Some).chain([None]);
    let mut table: Table = parts
        .iter()
        .flat_map(|want| sources().map(|give| ((*want, give), Conversion::Safe)))
        .collect();
    loop {
        let next = table
            .keys()
            .map(|&(want, give)| ((want, give), rule(definitions, &table, want, give)))
            .collect();
        if next == table {
            return table;
        }
        table = next;
    }
}

fn rule(definitions: &Definitions, table: &Table, want: Part, give: Option<Part>) -> Conversion {
    use Conversion::{No, Safe, Unsafe};
    let optional = |part| matches!(part, Part::OptionalString | Part::OptionalRef(_));
    let Some(give) = give else { return if optional(want) { Safe } else { No } };
    let least = |answers: &mut dyn Iterator<Item = Conversion>| answers.min().unwrap_or(Safe);
    let inner = match (want, give) {
        _ if want == give => return Safe,
        (Part::String | Part::OptionalString, Part::String | Part::Int | Part::OptionalString) => {
            Safe
        }
        (Part::Int, Part::String | Part::OptionalString) => Unsafe,
        (Part::Ref(d), Part::Ref(s)) => least(&mut definitions[d].iter().map(|(name, part)| {
            let give = definitions[s].iter().find(|(own, _)| own == name).map(|(_, part)| *part);
            table[&(*part, give)]
        })),
        (Part::Ref(d) | Part::OptionalRef(d), Part::Ref(s) | Part::OptionalRef(s))
        | (Part::ListOf(d), Part::ListOf(s))
        | (Part::MapOf(d), Part::MapOf(s)) => table[&(Part::Ref(d), Some(Part::Ref(s)))],
        (Part::MapOf(d), Part::Ref(s) | Part::OptionalRef(s)) => {
            least(&mut definitions[s].iter().map(|(_, part)| table[&(Part::Ref(d), Some(*part))]))
        }
        (Part::Ref(d) | Part::OptionalRef(d), Part::MapOf(s)) => {
            least(&mut definitions[d].iter().map(|(_, part)| table[&(*part, Some(Part::Ref(s)))]))
                .min(Unsafe)
        }
        _ => No,
    };
    match (optional(want), optional(give)) {
        (true, true) => inner.max(Unsafe),
        (false, true) => inner.min(Unsafe),
        _ => inner,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn recursive_types_convert_as_the_rules_say(definitions in definitions(), seed in any::<u64>()) {
        let solved = solve(&definitions);
        let (mut types, all) = store(&definitions);
        let mut pairs: Vec<_> = (0..COUNT).flat_map(|d| (0..COUNT).map(move |s| (d, s))).collect();
        pairs.sort_by_key(|(d, s)| (*d as u64 * 7919 + *s as u64 * 104_729).wrapping_mul(seed | 1) >> 20);
        for (d, s) in pairs {
            let expected = solved[&(Part::Ref(d), Some(Part::Ref(s)))];
            prop_assert_eq!(types.convert(all[d], all[s]), expected, "T{} <- T{}", d, s);
        }
    }

    #[test]
    fn every_question_about_recursive_types_ends(definitions in definitions()) {
        let (mut types, all) = store(&definitions);
        for a in &all {
            for b in &all {
                let (unified, safety) = types.unify(*a, *b);
                prop_assert!(safety.exists());
                prop_assert!(types.convert_to_unify(unified, *a).exists());
                let converts = types.convert(*a, *b).exists();
                prop_assert_eq!(types.explain(*a, *b).is_none(), converts);
                types.assignable(*a, *b);
                types.same(*a, *b);
            }
            let input = types.input_type(*a);
            prop_assert_eq!(types.convert(input, *a), Conversion::Safe);
            prop_assert!(!types.contains_eventuals(*a) && types.contains_outputs(input));
            types.display(input);
            types.pretty(input);
        }
    }
}

#[test]
fn a_recursive_object_is_tagged_where_it_is_shown_first() {
    let (schema, mut types) = Schema::store();
    schema.define("R", "object({next = union($R, none), v = list($R)})", true);
    schema.define("A", "object({b = $B, plain = $P})", true);
    schema.define("B", "object({a = list($A), again = $P})", true);
    schema.define("P", "object({x = string})", true);
    for (text, pretty, display) in [
        (
            "$R",
            "'T1 { next: 'T1?, v: list('T1) }",
            "object({next = union(none, ...), v = list(...)})",
        ),
        (
            "union($R, none)",
            "'T1 { next: 'T1?, v: list('T1) }?",
            "union(none, object({next = union(none, ...), v = list(...)}))",
        ),
        ("tuple($R, $R)", "('T1 { next: 'T1?, v: list('T1) }, 'T1)", ""),
        (
            "$A",
            "'T1 { b: 'T2 { a: list('T1), again: { x: string } }, plain: { x: string } }",
            "object({b = object({a = list(...), again = object({x = string})}), plain = object({x = string})})",
        ),
        ("tuple($P, $P)", "({ x: string }, { x: string })", ""),
    ] {
        let ty = schema.parse(&mut types, text);
        assert_eq!(types.pretty(ty), pretty);
        if !display.is_empty() {
            assert_eq!(types.display(ty), display);
        }
    }
}

#[test]
fn the_input_of_a_recursive_object_is_bare_inside_itself() {
    let (schema, mut types) = Schema::store();
    schema.define("R", "object({next = union($R, none), p = $P})", true);
    schema.define("P", "object({x = string})", true);
    let ty = schema.parse(&mut types, "$R");
    let input = types.input_type(ty);
    assert_eq!(
        types.pretty(input),
        "'T1 { next: 'T1 | output('T2 { next: 'T2?, p: { x: string } }?)?, \
         p: { x: string | output(string) } | output({ x: string }) } | output('T2)"
    );
    assert_eq!(types.input_type(input), input);
    let resolved = types.resolve(ty);
    assert_eq!(types.resolve(input), resolved);
    let input_object = types.strip(input);
    assert_eq!(types.origin(input_object), None);
}

#[test]
fn derived_types_know_where_they_come_from() {
    let (schema, mut types) = Schema::store();
    schema.define("R", "object({v = output(string)})", false);
    let ty = schema.parse(&mut types, "$R");
    let resolved = types.resolve(ty);
    assert_eq!(types.display(resolved), "object({v = string})");
    assert_ne!(types.nominal_key(ty), None);
    assert_eq!(
        (types.nominal_key(resolved), types.origin(resolved)),
        (None, types.nominal_key(ty))
    );
    assert!(!types.is_strict(resolved));
}

#[test]
fn a_schema_knows_what_is_left_of_its_types() {
    let (schema, mut types) = Schema::store();
    schema.define("Plain", "object({v = string, w = union($Plain, none)})", true);
    let input =
        "object({v = union(string, output(string)), w = union($PlainInput, output($Plain), none)})";
    schema.define("PlainInput", input, true);
    let [plain, input] = ["$Plain", "$PlainInput"].map(|text| schema.parse(&mut types, text));
    assert_eq!((types.resolve(plain), types.resolve(input)), (plain, plain));
    let output = types.output(plain);
    assert_eq!(types.output(input), output);
    let position = types.union([input, output]);
    let location = types.input_type(position);
    assert_eq!(types.members(location).len(), 2);
    assert_eq!(types.convert(location, position), Conversion::Safe);
}

#[test]
fn types_nest_as_deeply_as_anybody_likes() {
    on_a_small_stack(|| {
        let mut types = TypeStore::new();
        let name = types.symbol("p");
        let wrappers: [fn(&mut TypeStore, TypeId) -> TypeId; 4] =
            [TypeStore::list, TypeStore::set, |types, ty| types.tuple(&[ty]), TypeStore::map];
        for wrap in wrappers {
            let (mut a, mut b) = (TypeId::STRING, TypeId::INT);
            for step in 0..10_000 {
                (a, b) = (wrap(&mut types, a), wrap(&mut types, b));
                (a, b) = (types.object([(name, a)]), types.object([(name, b)]));
                if a == b {
                    break;
                }
                if step % 50 == 0 || step > 240 {
                    ask_everything(&mut types, a, b);
                }
            }
        }
    });
}

#[test]
fn chains_of_schema_types_are_as_long_as_anybody_likes() {
    on_a_small_stack(|| {
        let (schema, mut types) = Schema::store();
        const LENGTH: usize = 3_000;
        for at in 0..LENGTH {
            for (family, leaf) in [("A", "int"), ("B", "string")] {
                let next = if at + 1 < LENGTH {
                    format!("list(${family}{})", at + 1)
                } else {
                    leaf.into()
                };
                schema.define(
                    &format!("{family}{at}"),
                    &format!("object({{next = {next}, v = output(int)}})"),
                    true,
                );
            }
        }
        let (a, b) = (schema.parse(&mut types, "$A0"), schema.parse(&mut types, "$B0"));
        ask_everything(&mut types, a, b);
    });
}

fn ask_everything(types: &mut TypeStore, a: TypeId, b: TypeId) {
    for (a, b) in [(a, b), (b, a)] {
        types.convert(a, b);
        types.convert_to_unify(a, b);
        types.assignable(a, b);
        types.same(a, b);
        types.unify(a, b);
        types.explain(a, b);
        let input = types.input_type(a);
        types.convert(input, b);
        types.resolve(input);
        types.contains_eventuals(a);
        types.output(a);
        types.traverse(a, &Key::Unknown(TypeId::STRING));
        types.collection(a);
        let union = types.union([a, b]);
        types.display(union);
        types.pretty(union);
    }
}

#[test]
fn shared_schema_types_are_not_written_out_without_end() {
    on_a_small_stack(|| {
        let (schema, mut types) = Schema::store();
        for at in 0..100 {
            let next = at + 1;
            schema.define(
                &format!("T{at}"),
                &format!("object({{a = $T{next}, b = list($T{next}), c = string}})"),
                true,
            );
            schema.define(
                &format!("U{at}"),
                &format!("object({{a = $U{next}, b = list($U{next}), c = int}})"),
                true,
            );
        }
        schema.define("T100", "object({})", true);
        schema.define("U100", "object({d = int})", true);
        let (a, b) = (schema.parse(&mut types, "$T0"), schema.parse(&mut types, "$U0"));
        let pretty = types.pretty(a);
        assert!(pretty.len() < 1 << 21);
        assert_eq!(types.convert(a, b), Conversion::Safe);
        assert_eq!(types.convert(b, a), Conversion::No);
        ask_everything(&mut types, a, b);
    });
}

#[test]
fn long_lists_of_literals_are_unified() {
    on_a_small_stack(|| {
        let mut types = TypeStore::new();
        let numbers: Vec<_> = (0..20_000).map(|at| types.constant(Constant::from(at))).collect();
        let list = types.tuple(&numbers);
        let values = types.collection(list).value;
        assert_eq!(types.members(values).len(), numbers.len());
        let wanted = types.list(TypeId::STRING);
        assert_eq!(types.convert(wanted, list), Conversion::Safe);
        // One null makes the loose unification as wide.
        let mut all = vec![types.constant(Constant::Null)];
        all.extend(numbers);
        let loose = types.unify_loosely(&all);
        assert_eq!(types.members(loose).len(), all.len());
    });
}

/// Objects with the same keys and different literal values, as in lists of settings: they become
/// one object, and a list three times as long takes about three times as long.
#[test]
fn long_lists_of_objects_are_unified() {
    on_a_small_stack(|| {
        for count in [1_000, 3_000, 20_000] {
            let mut types = TypeStore::new();
            let list = settings(&mut types, count);
            let values = types.collection(list).value;
            let port = types.symbol("port");
            let ports = types.property(values, port).unwrap();
            assert_eq!(types.members(ports).len(), count as usize);
        }
    });
}

/// A tuple of small objects that differ in the value of a literal.
fn settings(types: &mut TypeStore, count: i64) -> TypeId {
    let [name, port, open] = ["name", "port", "open"].map(|name| types.symbol(name));
    let objects: Vec<_> = (0..count)
        .map(|at| {
            let value = types.constant(Constant::from(at));
            let flag = types.constant(Constant::from(at % 2 == 0));
            types.object([(name, TypeId::STRING), (port, value), (open, flag)])
        })
        .collect();
    types.tuple(&objects)
}

/// Lists that make unions of many members which unify with each other, so that nothing decides
/// early.
#[test]
fn lists_of_everything_are_unified() {
    on_a_small_stack(|| {
        let mut types = TypeStore::new();
        let null = types.constant(Constant::Null);
        let (mut objects, mut enums, mut mixed) = (vec![null], vec![null], vec![null]);
        for at in 0..300 {
            let name = types.symbol(&format!("key{at}"));
            let value = types.constant(Constant::from(at));
            let object = types.object([(name, value)]);
            let token = types.enumeration(&format!("p:m:E{at}"), TypeId::STRING, &[]);
            objects.push(object);
            enums.push(token);
            mixed.extend([object, token, value]);
            let tuple = types.tuple(&[value]);
            mixed.push(types.list(tuple));
        }
        for all in [objects, enums, mixed] {
            types.unify_loosely(&all);
            let unified = types.unify_safely(&all);
            assert!(types.members(unified).len() > 2);
        }
    });
}

#[test]
fn wide_objects_convert() {
    on_a_small_stack(|| {
        let mut types = TypeStore::new();
        let names: Vec<_> = (0..50_000).map(|at| types.symbol(&format!("property{at}"))).collect();
        let wanted = types.object(names.iter().rev().map(|name| (*name, TypeId::STRING)));
        let given = types.object(names.iter().map(|name| (*name, TypeId::INT)));
        assert_eq!(types.convert(wanted, given), Conversion::Safe);
        assert_eq!(types.convert(given, wanted), Conversion::Unsafe);
        assert_eq!(types.unify(given, wanted), (wanted, Conversion::Safe));
    });
}

/// A schema may say all of this.
#[test]
fn types_of_any_width_are_answered() {
    on_a_small_stack(|| {
        let (schema, mut types) = Schema::store();
        let mut members = [Vec::new(), Vec::new()];
        for at in 0..1_000 {
            for (side, members) in members.iter_mut().enumerate() {
                let name = format!("T{side}x{at}");
                let text = format!("object({{kind{at} = string, next = union(${name}, none)}})");
                schema.define(&name, &text, true);
                members.push(schema.parse(&mut types, &format!("${name}")));
                members.push(types.constant(Constant::from(at * 2 + side as i64)));
                members.push(types.enumeration(&format!("E{side}x{at}"), TypeId::STRING, &[]));
            }
        }
        let [a, b] = members.map(|members| types.union(members));
        ask_everything(&mut types, a, b);
    });
}

#[test]
fn objects_of_ten_thousand_properties_are_answered() {
    on_a_small_stack(|| {
        let mut types = TypeStore::new();
        let optional = types.optional(TypeId::STRING);
        let names: Vec<_> = (0..10_000).map(|at| types.symbol(&format!("property{at}"))).collect();
        let a = types.object(names.iter().map(|name| (*name, optional)));
        let b = types.object(names.iter().skip(1).map(|name| (*name, TypeId::INT)));
        ask_everything(&mut types, a, b);
        let lists = [a, b].map(|ty| types.list(ty));
        ask_everything(&mut types, lists[0], lists[1]);
    });
}

#[test]
fn enums_may_have_no_values_or_thousands() {
    on_a_small_stack(|| {
        let mut types = TypeStore::new();
        let none = types.enumeration("none", TypeId::STRING, &[]);
        let values: Vec<_> = (0..10_000).map(Constant::from).collect();
        let many = types.enumeration("many", TypeId::NUMBER, &values);
        let odd = types.enumeration("odd", none, &[]);
        for enumeration in [none, many, odd] {
            ask_everything(&mut types, enumeration, TypeId::STRING);
            ask_everything(&mut types, enumeration, many);
        }
        assert_eq!(types.convert(none, TypeId::STRING), Conversion::Unsafe);
        assert_eq!(types.pretty(none), "enum()");
        let last = types.constant(Constant::from(9_999));
        assert_eq!(types.convert(many, last), Conversion::Safe);
    });
}

/// A type that contains itself through lists, maps, unions, tuples, outputs and options at once,
/// compared with one that differs only at the far end.
#[test]
fn recursion_through_any_mix_is_decided() {
    on_a_small_stack(|| {
        on_a_small_stack(|| {
            let (schema, mut types) = Schema::store();
            let parts = |own: &str, leaf: &str| {
                format!(
                    "object({{a = list(map(union(${own}, none, string))), b = output(tuple(${own}, {leaf})), \
                     c = union(list(${own}), map(${own}), promise(${own})), d = set(${own})}})"
                )
            };
            for (own, leaf) in [("R", "string"), ("S", "int"), ("T", "list(int)")] {
                schema.define(own, &parts(own, leaf), true);
            }
            let [r, s, t] = ["$R", "$S", "$T"].map(|text| schema.parse(&mut types, text));
            assert_eq!(types.convert(r, s), Conversion::Safe);
            assert_eq!(types.convert(s, r), Conversion::Unsafe);
            assert_eq!(types.convert(r, t), Conversion::No);
            assert!(types.assignable(r, r) && !types.assignable(r, t));
            for (a, b) in [(r, s), (s, t), (t, r)] {
                ask_everything(&mut types, a, b);
            }
        });
    });
}

#[test]
fn wide_unions_of_schema_types_take_objects_as_their_members_do() {
    let (schema, mut types) = Schema::store();
    for at in 0..12 {
        let text = format!("object({{kind = union(string, none), own{at} = int, k{at} = string}})");
        schema.define(&format!("T{at}"), &text, true);
    }
    let own = |kind: fn(usize) -> String| (0..12).map(kind).collect::<Vec<_>>();
    let members = own(|at| format!("$T{at}"));
    let unions = [
        members.clone(),
        [members.clone(), own(|at| format!("output($T{at})"))].concat(),
        [members.clone(), vec!["map(string)".to_owned(), "string".to_owned()]].concat(),
        [members, vec!["dynamic".to_owned()]].concat(),
    ];
    let objects = own(|at| format!("own{at} = int, k{at} = string"))
        .into_iter()
        .chain(own(|at| format!("own{at} = string, k{at} = string, own0 = bool")))
        .chain(own(|at| format!("own{at} = list(int), other = int, kind = bool")))
        .chain(["".to_owned(), "other = string".to_owned(), "kind = int".to_owned()]);
    for text in objects {
        let object = schema.parse(&mut types, &format!("object({{{text}}})"));
        for members in &unions {
            let members: Vec<TypeId> =
                members.iter().map(|member| schema.parse(&mut types, member)).collect();
            let best = members.iter().map(|&ty| types.convert(ty, object)).max();
            // What was asked about the members must not matter.
            types.forget_answers();
            let union = types.union(members);
            assert_eq!(Some(types.convert(union, object)), best, "{text}");
        }
    }
}
