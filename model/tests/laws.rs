//! Laws of the relations between types, over random types: anonymous ones, and the types of a small
//! recursive schema.

use std::sync::Arc;

use pcl_model::{Constant, Conversion, Key, Number, Type, TypeId, TypeStore};
use pcl_test_support::named_types::Schema;
use pcl_test_support::type_text::parse_type;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// A recipe for a type. Types themselves belong to a store, so random ones are described first.
#[derive(Clone, Debug)]
enum Recipe {
    Fixed(TypeId),
    Constant(Constant),
    Enum(usize),
    Named(usize),
    List(Box<Recipe>),
    Set(Box<Recipe>),
    Map(Box<Recipe>),
    Output(Box<Recipe>),
    Promise(Box<Recipe>),
    Tuple(Vec<Recipe>),
    Object(Vec<(usize, Recipe)>),
    Union(Vec<Recipe>),
}

const FIXED: [TypeId; 10] = [
    TypeId::NONE,
    TypeId::BOOL,
    TypeId::INT,
    TypeId::NUMBER,
    TypeId::STRING,
    TypeId::ID,
    TypeId::DYNAMIC,
    TypeId::ASSET,
    TypeId::ARCHIVE,
    TypeId::PROPERTY,
];
const NAMES: [&str; 4] = ["a", "b", "C", "d-e"];
const ENUMS: [&str; 2] = [
    "enum(p:m:E(string): cty.StringVal(\"a\"),cty.StringVal(\"b\"))",
    "enum(p:m:F(number): cty.NumberIntVal(1),cty.NumberFloatVal(1.5))",
];
/// Recursive in several ways; `R` and `S` have the same structure.
const SCHEMA: [(&str, &str); 9] = [
    ("R", "object({a = union($R, none)})"),
    ("S", "object({a = union($S, none)})"),
    ("Q", "object({a = union($Q, none), b = int})"),
    ("L", "object({next = list($L), v = string})"),
    ("M", "object({next = list($M), v = int})"),
    ("P", "object({p = map($P), q = string})"),
    ("A", "object({x = union($B, none), y = output(string)})"),
    ("B", "object({a = list($A), c = union(dynamic, $R)})"),
    ("F", "object({a = union(dynamic, none), b = list(union(output(string), string))})"),
];

struct World {
    schema: Arc<Schema>,
    types: TypeStore,
}

impl World {
    fn new() -> Self {
        let (schema, types) = Schema::store();
        for (name, text) in SCHEMA {
            schema.define(name, text, true);
        }
        Self { schema, types }
    }

    fn make(&mut self, recipe: &Recipe) -> TypeId {
        match recipe {
            Recipe::Fixed(ty) => *ty,
            Recipe::Constant(value) => self.types.constant(value.clone()),
            Recipe::Enum(at) => parse_type(&mut self.types, ENUMS[*at]).unwrap(),
            Recipe::Named(at) => self.schema.parse(&mut self.types, &format!("${}", SCHEMA[*at].0)),
            Recipe::List(part) => {
                let part = self.make(part);
                self.types.list(part)
            }
            Recipe::Set(part) => {
                let part = self.make(part);
                self.types.set(part)
            }
            Recipe::Map(part) => {
                let part = self.make(part);
                self.types.map(part)
            }
            Recipe::Output(part) => {
                let part = self.make(part);
                self.types.output(part)
            }
            Recipe::Promise(part) => {
                let part = self.make(part);
                self.types.promise(part)
            }
            Recipe::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.make(part)).collect();
                self.types.tuple(&parts)
            }
            Recipe::Object(parts) => {
                let parts: Vec<_> = parts
                    .iter()
                    .map(|(name, part)| (self.types.symbol(NAMES[*name]), self.make(part)))
                    .collect();
                self.types.object(parts)
            }
            Recipe::Union(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.make(part)).collect();
                self.types.union(parts)
            }
        }
    }

    fn make_all<const N: usize>(&mut self, recipes: [&Recipe; N]) -> [TypeId; N] {
        recipes.map(|recipe| self.make(recipe))
    }
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![
        8 => prop::sample::select(&FIXED[..]).prop_map(Recipe::Fixed),
        3 => prop::sample::select(vec![
            Constant::Null,
            Constant::Bool(true),
            Constant::from(1),
            Constant::from(2),
            Constant::from("a"),
        ])
        .prop_map(Recipe::Constant),
        1 => (0..ENUMS.len()).prop_map(Recipe::Enum),
        3 => (0..SCHEMA.len()).prop_map(Recipe::Named),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(Recipe::List),
            boxed.clone().prop_map(Recipe::Set),
            boxed.clone().prop_map(Recipe::Map),
            boxed.clone().prop_map(Recipe::Output),
            boxed.prop_map(Recipe::Promise),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Recipe::Tuple),
            prop::collection::vec((0..NAMES.len(), inner.clone()), 0..4).prop_map(Recipe::Object),
            prop::collection::vec(inner, 1..4).prop_map(Recipe::Union),
        ]
    })
}

/// Constants, tuples and objects of them, and now and then something else.
fn literals() -> impl Strategy<Value = Recipe> {
    let value = prop_oneof![
        6 => (0..300i64).prop_map(|value| Recipe::Constant(value.into())),
        1 => prop::sample::select(vec![Constant::Null, Constant::Bool(true), Constant::Bool(false), Constant::from("a")]).prop_map(Recipe::Constant),
        1 => prop::sample::select(&FIXED[..]).prop_map(Recipe::Fixed),
        1 => (0..ENUMS.len()).prop_map(Recipe::Enum),
    ];
    prop_oneof![
        3 => value.clone(),
        2 => prop::collection::vec((0..NAMES.len(), value.clone()), 0..4).prop_map(Recipe::Object),
        1 => prop::collection::vec(value.clone(), 0..3).prop_map(Recipe::Tuple),
        1 => value.clone().prop_map(|value| Recipe::List(Box::new(value))),
        1 => value.prop_map(|value| Recipe::Output(Box::new(value))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_type_converts_safely_to_itself_and_to_dynamic(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        prop_assert_eq!(world.types.convert(t, t), Conversion::Safe);
        prop_assert_eq!(world.types.convert(TypeId::DYNAMIC, t), Conversion::Safe);
        prop_assert!(world.types.assignable(t, t) && world.types.assignable(TypeId::DYNAMIC, t));
        let from_dynamic = if t == TypeId::DYNAMIC { Conversion::Safe } else { Conversion::Unsafe };
        prop_assert_eq!(world.types.convert(t, TypeId::DYNAMIC), from_dynamic);
    }

    #[test]
    fn the_error_type_silences(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        let types = &mut world.types;
        for (dst, src) in [(t, TypeId::ERROR), (TypeId::ERROR, t)] {
            prop_assert_eq!(types.convert(dst, src), Conversion::Safe);
            prop_assert!(types.assignable(dst, src));
            prop_assert_eq!(types.unify(dst, src), (TypeId::ERROR, Conversion::Safe));
            prop_assert_eq!(types.union([dst, src]), TypeId::ERROR);
        }
        prop_assert_eq!(types.lift(TypeId::ERROR, &[t]), TypeId::ERROR);
        let reached = types.traverse(TypeId::ERROR, &Key::Unknown(t));
        prop_assert!(reached.ty == TypeId::ERROR && reached.errors.is_empty());
    }

    #[test]
    fn unions_take_their_members_and_convert_as_they_do(t in recipes(), u in recipes(), d in recipes()) {
        let mut world = World::new();
        let [t, u, d] = world.make_all([&t, &u, &d]);
        let types = &mut world.types;
        let union = types.union([t, u]);
        for member in [t, u] {
            if !may_be_dynamic(types, member) {
                prop_assert_eq!(types.convert(union, member), Conversion::Safe);
            }
        }
        let either = types.convert(d, t).exists() || types.convert(d, u).exists();
        prop_assert_eq!(types.convert(d, union).exists(), either);
    }

    /// The union of nothing has no values, and is the one type that the laws of unions leave out.
    #[test]
    fn the_empty_union_converts_to_dynamic_and_itself_alone(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        let types = &mut world.types;
        let empty = types.union([]);
        let takes = matches!(t, TypeId::DYNAMIC) || t == empty;
        prop_assert_eq!(types.convert(t, empty).exists(), takes);
    }

    #[test]
    fn unions_have_no_order_and_no_repetition(t in recipes(), u in recipes(), v in recipes()) {
        let mut world = World::new();
        let [t, u, v] = world.make_all([&t, &u, &v]);
        let types = &mut world.types;
        let tu = types.union([t, u]);
        let uv = types.union([u, v]);
        prop_assert_eq!(tu, types.union([u, t]));
        prop_assert_eq!(tu, types.union([tu, t, u, u]));
        prop_assert_eq!(types.union([tu, v]), types.union([t, uv]));
    }

    #[test]
    fn an_output_takes_what_its_element_takes(d in recipes(), s in recipes()) {
        let mut world = World::new();
        let [d, s] = world.make_all([&d, &s]);
        let types = &mut world.types;
        // Dynamic values convert unsafely to everything but `dynamic` itself, also inside of an
        // eventual value.
        let settled = types.resolve(s);
        if !types.contains_eventuals(d) && !may_be_dynamic(types, settled) {
            let output = types.output(d);
            prop_assert!(types.convert(output, s) >= types.convert(d, s));
            prop_assert!(!types.assignable(d, s) || types.assignable(output, s));
        }
    }

    #[test]
    fn resolving_leaves_nothing_to_resolve(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        let types = &mut world.types;
        let (eventual, promising) = (types.contains_eventuals(t), types.contains_promises(t));
        let resolved = types.resolve(t);
        prop_assert!(!types.contains_eventuals(resolved));
        prop_assert_eq!(types.resolve(resolved), resolved);
        prop_assert_eq!(!types.same(t, resolved), eventual);
        let settled = types.resolve_promises(t);
        prop_assert!(!types.contains_promises(settled));
        prop_assert_eq!(types.resolve_promises(settled), settled);
        prop_assert_eq!(!types.same(t, settled), promising);
        prop_assert_eq!(types.resolve(settled), resolved);
        let lifted = types.lift(TypeId::BOOL, &[t]);
        prop_assert_eq!(lifted != TypeId::BOOL, eventual);
    }

    #[test]
    fn inputs_take_the_type_itself_and_its_output(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        let types = &mut world.types;
        let input = types.input_type(t);
        prop_assert!(types.convert(input, t).exists());
        let output = types.output(t);
        prop_assert!(types.convert(input, output).exists() || matches!(t, TypeId::NONE));
        let (from_input, from_type) = (types.resolve(input), types.resolve(t));
        prop_assert!(types.same(from_input, from_type));
    }

    #[test]
    fn an_optional_takes_none_and_is_so_once(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        let types = &mut world.types;
        let optional = types.optional(t);
        prop_assert_eq!(types.convert(optional, TypeId::NONE), Conversion::Safe);
        prop_assert!(types.is_optional(optional));
        prop_assert_eq!(types.optional(optional), optional);
    }

    #[test]
    fn both_types_convert_to_their_unification(t in recipes(), u in recipes()) {
        let mut world = World::new();
        let [t, u] = world.make_all([&t, &u]);
        let types = &mut world.types;
        prop_assert_eq!(types.unify(t, t), (t, Conversion::Safe));
        let (_, safety) = types.unify(t, u);
        prop_assert!(safety.exists());
        let [safe, loose] = [types.unify_safely(&[t, u]), types.unify_loosely(&[t, u])];
        prop_assert!(types.convert_to_unify(loose, safe).exists());
    }

    #[test]
    fn outputs_and_promises_unify_inside(t in recipes(), u in recipes()) {
        let mut world = World::new();
        let [t, u] = world.make_all([&t, &u]);
        let types = &mut world.types;
        let [t, u] = [t, u].map(|ty| types.resolve(ty));
        if [t, u].iter().all(|ty| types.strip(*ty) != TypeId::DYNAMIC) {
            let (element, safety) = types.unify(t, u);
            let [output_t, output_u] = [t, u].map(|ty| types.output(ty));
            let [promise_t, promise_u] = [t, u].map(|ty| types.promise(ty));
            let (output, promise) = (types.output(element), types.promise(element));
            prop_assert_eq!(types.unify(output_t, output_u), (output, safety));
            prop_assert_eq!(types.unify(promise_t, promise_u), (promise, safety));
            prop_assert_eq!(types.unify(promise_t, output_u), (output, safety));
            prop_assert_eq!(types.unify(output_t, promise_u), (output, safety));
        }
    }

    #[test]
    fn unions_unify_member_by_member(t in recipes(), u in recipes(), v in recipes(), w in recipes()) {
        let mut world = World::new();
        let [t, u, v, w] = world.make_all([&t, &u, &v, &w]);
        let types = &mut world.types;
        // No options, which may be of collections, no empty unions, and none with dynamic, which
        // accepts everything.
        let [tu, vw] = [[t, u], [v, w]].map(|members| types.union(members));
        let count = |types: &mut TypeStore, ty| {
            let members = types.members(ty);
            if members.contains(&TypeId::DYNAMIC) { 0 } else { members.len() }
        };
        if count(types, tu) > 2 && count(types, vw) > 2 {
            let all = types.union([tu, vw]);
            prop_assert_eq!(types.unify(tu, vw), (all, Conversion::Safe));
        }
        let other = matches!(types.get(v), Type::Union(_) | Type::Const { .. } | Type::Dynamic);
        if count(types, tu) > 2 && !other {
            let members = types.members(tu);
            let unified: Vec<_> = members.iter().map(|member| types.unify(*member, v)).collect();
            let union = types.union(unified.iter().map(|(ty, _)| *ty));
            let safety = unified.iter().map(|(_, safety)| *safety).min().unwrap();
            prop_assert_eq!(types.unify(tu, v), (union, safety));
            prop_assert_eq!(types.unify(v, tu), (union, safety));
        }
    }

    /// Many types are unified faster than one by one, with the same result.
    #[test]
    fn many_types_unify_as_one_by_one(all in prop::collection::vec(recipes(), 0..12), repeat in prop::collection::vec(0..12usize, 0..8)) {
        let mut world = World::new();
        let mut all: Vec<_> = all.iter().map(|recipe| world.make(recipe)).collect();
        all.extend(repeat.iter().filter_map(|at| all.get(*at).copied()).collect::<Vec<_>>());
        let unified = (world.types.unify_safely(&all), world.types.unify_loosely(&all));
        prop_assert_eq!(unified, one_by_one(&mut world.types, &all));
    }

    /// The same for what lists mostly hold: constants, and objects of constants.
    #[test]
    fn many_literals_unify_as_one_by_one(all in prop_oneof![30 => prop::collection::vec(literals(), 0..40), 1 => prop::collection::vec(literals(), 400..500)]) {
        let mut world = World::new();
        let all: Vec<_> = all.iter().map(|recipe| world.make(recipe)).collect();
        let unified = (world.types.unify_safely(&all), world.types.unify_loosely(&all));
        prop_assert_eq!(unified, one_by_one(&mut world.types, &all));
    }

    #[test]
    fn no_conversion_has_a_reason_and_every_other_has_none(d in recipes(), s in recipes()) {
        let mut world = World::new();
        let [d, s] = world.make_all([&d, &s]);
        let converts = world.types.convert(d, s).exists();
        let reason = world.types.explain(d, s);
        prop_assert_eq!(reason.is_none(), converts);
        if let Some(reason) = reason {
            let lines = world.types.reason_lines(&reason);
            prop_assert!((1..=8).contains(&lines.len()), "{:?}", lines);
            prop_assert!(!world.types.convert(reason.dst, reason.src).exists());
        }
    }

    /// Earlier queries must not change an answer. Conversions are decided by a rule that has only
    /// one solution, and unifications remember nothing that depends on a cycle.
    #[test]
    fn answers_do_not_depend_on_earlier_questions(all in prop::collection::vec(recipes(), 2..7), seed in any::<u64>()) {
        let mut busy = World::new();
        let types: Vec<_> = all.iter().map(|recipe| busy.make(recipe)).collect();
        let mut questions: Vec<_> = (0..types.len()).flat_map(|a| (0..types.len()).map(move |b| (a, b))).collect();
        shuffle(&mut questions, seed);
        for (a, b) in questions {
            let ours = ask(&mut busy.types, types[a], types[b]);
            let mut fresh = World::new();
            let alone: Vec<_> = all.iter().map(|recipe| fresh.make(recipe)).collect();
            let theirs = ask(&mut fresh.types, alone[a], alone[b]);
            prop_assert_eq!(ours, theirs, "{:?} and {:?}", &all[a], &all[b]);
        }
    }

    /// The text of a schema type reads back as an anonymous one, which must be as good.
    #[test]
    fn text_reads_back_as_the_same_type(t in recipes()) {
        let mut world = World::new();
        let t = world.make(&t);
        let text = world.types.display(t);
        if !text.contains("...") {
            let again = parse_type(&mut world.types, &text).unwrap();
            for (a, b) in [(t, again), (again, t)] {
                prop_assert!(world.types.same(a, b), "{text}");
                prop_assert_eq!(world.types.convert(a, b), Conversion::Safe);
                prop_assert!(world.types.assignable(a, b));
                prop_assert_eq!(world.types.unify(a, b), (a, Conversion::Safe));
            }
        }
        // The notations differ in `none` alone.
        let t = world.types.widened(t);
        let pretty = world.types.pretty(t);
        let shown = world.types.text(t);
        prop_assert!(!pretty.contains('\n') && !shown.contains('\n'));
        prop_assert!(!shown.contains('?'), "{}", shown);
        if !pretty.contains('?') && !pretty.contains("type(") {
            prop_assert_eq!(shown, pretty);
        }
    }

    /// A literal that cannot be represented exactly is a syntax error; every other one has its
    /// exact value.
    #[test]
    fn literals_are_exact_or_wrong(text in "[0-9]{1,30}(\\.[0-9]{0,9})?([eE][-+]?[0-9]{1,11})?") {
        let tree = pcl_syntax::parse_expression(text.as_str());
        let number = Number::parse(&text);
        if tree.errors().is_empty() {
            let number = number.unwrap();
            prop_assert_eq!(Number::parse(&number.to_string()), Some(number));
        }
    }
}

/// Statements that look like laws and are not.
#[test]
fn unsafe_conversions_do_not_chain_and_unification_has_an_order() {
    let mut types = TypeStore::new();
    // A list may convert to dynamic, and dynamic to a string, but no list does.
    let list = types.list(TypeId::STRING);
    assert_eq!(types.convert(TypeId::DYNAMIC, list), Conversion::Safe);
    assert_eq!(types.convert(TypeId::STRING, TypeId::DYNAMIC), Conversion::Unsafe);
    assert_eq!(types.convert(TypeId::STRING, list), Conversion::No);
    // Of two constants with one value the first one is kept.
    let [one, two] =
        [TypeId::INT, TypeId::NUMBER].map(|ty| types.constant_of(ty, Constant::from(1)));
    assert_eq!(types.unify(one, two), (one, Conversion::Safe));
    assert_eq!(types.unify(two, one), (two, Conversion::Safe));
    // Three objects give another type when none comes between them.
    let [a, b] = ["a", "b"].map(|name| {
        let name = types.symbol(name);
        types.object([(name, TypeId::STRING)])
    });
    let before = types.unify_safely(&[a, b, TypeId::NONE]);
    assert_ne!(before, types.unify_safely(&[a, TypeId::NONE, b]));
}

fn one_by_one(types: &mut TypeStore, all: &[TypeId]) -> (TypeId, TypeId) {
    let Some((&first, rest)) = all.split_first() else { return (TypeId::NONE, TypeId::NONE) };
    rest.iter().fold((first, first), |(safe, loose), &ty| {
        let safe = match types.unify(safe, ty) {
            (unified, Conversion::Safe) => unified,
            _ => types.union([safe, ty]),
        };
        (safe, types.unify(loose, ty).0)
    })
}

/// Asks the same questions of a store that caches everything and of one that forgets after each.
/// `QUESTIONS` in the environment sets their number; the default takes about a second.
#[test]
fn remembered_answers_are_those_that_are_worked_out() {
    let wanted = std::env::var("QUESTIONS").ok();
    let mut wanted: usize = wanted.map_or(4_000, |text| text.parse().expect("a number"));
    let mut runner = TestRunner::deterministic();
    while wanted > 0 {
        let all = prop::collection::vec(recipes(), 20);
        let all = all.new_tree(&mut runner).unwrap().current();
        let (mut busy, mut forgetful) = (World::new(), World::new());
        let busy_types: Vec<_> = all.iter().map(|recipe| busy.make(recipe)).collect();
        let forgetful_types: Vec<_> = all.iter().map(|recipe| forgetful.make(recipe)).collect();
        for _ in 0..400.min(wanted) {
            let [a, b] = [0; 2].map(|_| runner.rng().random_range(0..all.len()));
            let question = runner.rng().random_range(0..5);
            let ours = ask_one(&mut busy.types, question, busy_types[a], busy_types[b]);
            forgetful.types.forget_answers();
            let theirs =
                ask_one(&mut forgetful.types, question, forgetful_types[a], forgetful_types[b]);
            assert_eq!(ours, theirs, "{question}: {:?} and {:?}", all[a], all[b]);
            wanted -= 1;
        }
    }
}

fn ask_one(types: &mut TypeStore, question: u32, a: TypeId, b: TypeId) -> String {
    match question {
        0 => format!("{:?}", types.convert(a, b)),
        1 => format!("{:?}", types.convert_to_unify(a, b)),
        2 => format!("{}", types.assignable(a, b)),
        3 => format!("{}", types.same(a, b)),
        _ => {
            let (unified, safety) = types.unify(a, b);
            format!("{} {safety:?}", types.display(unified))
        }
    }
}

/// Returns true if `ty` is dynamic or one of several types that are. As a source that is unsafe,
/// unless the destination is equal or itself dynamic.
fn may_be_dynamic(types: &TypeStore, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Dynamic => true,
        Type::Union(members) => members.contains(&TypeId::DYNAMIC),
        _ => false,
    }
}

fn ask(types: &mut TypeStore, a: TypeId, b: TypeId) -> String {
    let (to, from) = (types.convert(a, b), types.convert(b, a));
    let (unifying, assignable) = (types.convert_to_unify(a, b), types.assignable(a, b));
    let (unified, safety) = types.unify(a, b);
    format!(
        "{to:?} {from:?} {unifying:?} {assignable} {} {safety:?} {}",
        types.display(unified),
        types.same(a, b)
    )
}

fn shuffle<T>(items: &mut [T], mut seed: u64) {
    for at in (1..items.len()).rev() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(at, (seed >> 33) as usize % (at + 1));
    }
}
