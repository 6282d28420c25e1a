//! Laws of the passes for any expression.

mod support;

use pcl_lower::expression::{Applies, Lifts, applies, conversions, optional_guards};
use pcl_model::TypeId;
use pcl_model::expression::{Checker, ExprId, ExprKind};
use pcl_model::scope::ScopeId;
use pcl_test_support::type_text::parse_type;
use proptest::prelude::*;
use support::case::{Case, Variables};

/// Names with eventual values, and some that parameters would like to be called.
const EVENTUAL: Variables = &[
    ("o", "output(string)"),
    ("n", "output(int)"),
    ("p", "promise(int)"),
    ("yes", "output(bool)"),
    (
        "web",
        "object({id = output(string), site = output(object({url = string, port = int})), name = string})",
    ),
    (
        "boxes",
        "list(object({id = output(string), name = string, deep = output(object({id = string}))}))",
    ),
    ("later", "output(list(object({id = string, name = string})))"),
    ("both", "promise(list(object({id = output(string), name = string})))"),
    ("tags", "map(output(string))"),
    ("maybe", "union(none, object({id = output(string)}))"),
];

const PROMPT: Variables = &[
    ("id", "string"),
    ("site", "string"),
    ("name", "string"),
    ("k", "int"),
    ("t", "bool"),
    ("xs", "list(object({id = string, name = string}))"),
    ("plain", "map(string)"),
];

/// Values that may be absent.
const ABSENT: Variables = &[
    (
        "car",
        "union(none, object({plate = output(string), site = output(object({url = string})), name = string}))",
    ),
    ("box", "object({car = union(none, object({id = output(string), name = string}))})"),
    ("cars", "list(union(none, object({id = output(string), name = string})))"),
];

const LIFTS: [Lifts; 3] = [Lifts::Nothing, Lifts::NodeJs, Lifts::Python];

fn apply(promises: bool, lifts: Lifts) -> impl Fn(&mut Checker<'_>, ScopeId, ExprId) -> ExprId {
    move |checker, scope, root| {
        let options = Applies { promises, lifts, ..Applies::default() };
        applies(checker, scope, root, &options)
    }
}

/// Guards values of any type that is none or another.
fn guard(checker: &mut Checker<'_>, scope: ScopeId, root: ExprId) -> ExprId {
    optional_guards(checker, scope, root, |types, ty| types.without_none(ty).is_some())
}

fn name(names: Variables) -> impl Strategy<Value = String> {
    (0..names.len()).prop_map(|at| names[at].0.to_owned())
}

/// Expressions, many of which bind without errors. `leaf` gives names; loops define names that
/// clash with others.
fn expression(leaf: BoxedStrategy<String>) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => leaf,
        1 => Just("1".to_owned()),
        1 => Just("\"a\"".to_owned()),
        1 => Just("web.id".to_owned()),
        1 => Just("web.site.url".to_owned()),
        1 => Just("boxes[0].deep.id".to_owned()),
        1 => Just("tags.name".to_owned()),
        1 => Just("maybe.id".to_owned()),
    ];
    let variables =
        prop_oneof![Just("x"), Just("id"), Just("web"), Just("o"), Just("deep")].boxed();
    leaf.prop_recursive(4, 24, 3, move |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| format!("\"{}-${{{b}}}\"", hole(&a))),
            two.clone().prop_map(|(a, b)| format!("({a}) == ({b})")),
            two.clone().prop_map(|(a, b)| format!("({a}) + ({b})")),
            inner.clone().prop_map(|a| format!("!({a})")),
            three.clone().prop_map(|(c, a, b)| format!("({c}) ? ({a}) : ({b})")),
            three.prop_map(|(c, a, b)| format!("({c}) == null ? [{a}] : [{b}]")),
            two.clone().prop_map(|(a, b)| format!("[{a}, {b}]")),
            two.clone().prop_map(|(a, b)| format!("{{ a = {a}, (\"${{{b}}}k\") = {b} }}")),
            two.clone().prop_map(|(a, b)| format!("{{ id = {a}, name = {b} }}.id")),
            two.clone().prop_map(|(a, b)| format!("({a})[{b}]")),
            inner.clone().prop_map(|a| format!("({a})[*].id")),
            inner.clone().prop_map(|a| format!("({a})[*].deep.id")),
            (variables.clone(), two.clone())
                .prop_map(|(x, (c, v))| format!("[for {x} in {c}: \"${{{x}.id}}${{{v}}}\"]")),
            (variables.clone(), two.clone())
                .prop_map(|(x, (c, v))| format!("[for {x} in {c}: {{ v = {x}.name, w = {v} }}]")),
            (variables.clone(), two.clone())
                .prop_map(|(x, (c, v))| format!("[for {x} in {c}: {x}.deep.id == {v} ? 1 : 2]")),
            (variables.clone(), two.clone())
                .prop_map(|(x, (c, v))| format!("{{for k, {x} in {c}: \"${{k}}\" => {v} if t}}")),
            inner.clone().prop_map(|a| format!("toJSON({a})")),
            inner.clone().prop_map(|a| format!("length({a})")),
            inner.clone().prop_map(|a| format!("secret({a})")),
            two.clone().prop_map(|(a, b)| format!("join({a}, [{b}, {b}])")),
            two.clone().prop_map(|(a, b)| format!("try({a}, {b})")),
            two.prop_map(|(a, b)| format!("element({a}, {b})")),
        ]
    })
}

/// `a` inside a string.
fn hole(a: &str) -> String {
    format!("${{{a}}}")
}

/// Expressions that some version did not keep the laws for.
#[test]
fn found_once() {
    for text in [
        "{ a = [for x in { a = boxes, (\"${web.id}k\") = web.id }: x.deep.id == id ? 1 : 2], (\"${o}k\") = o }",
        "({ a = web.id, (\"${id}k\") = id }) == null ? [o] : [o]",
        "web.id ? (web.id == null ? [o] : [o]) : [web, o]",
    ] {
        for (promises, lifts) in [false, true].into_iter().flat_map(|it| LIFTS.map(|l| (it, l))) {
            let mut case = Case::bind(text, &[EVENTUAL, PROMPT]).unwrap();
            case.pass(apply(promises, lifts));
            let once = case.text();
            assert_eq!(case.complaints(), Vec::<String>::new());
            case.pass(apply(promises, lifts));
            assert_eq!(case.text(), once);
        }
    }
}

/// Expressions on which a second run of the guards once found more to do.
#[test]
fn guards_found_once() {
    for text in [
        "[for x in (web.id) == null ? [car.plate] : [boxes]: x.deep.id == o ? 1 : 2]",
        "[for x in [car.plate, cars]: x.deep.id == o ? 1 : 2]",
    ] {
        let mut case = Case::bind(text, &[EVENTUAL, PROMPT, ABSENT]).unwrap();
        case.pass(guard);
        let once = case.text();
        assert_eq!(case.complaints(), Vec::<String>::new());
        case.pass(guard);
        assert_eq!(case.text(), once);
    }
}

/// Long chains and deep nesting cost no stack, and no more than their length.
#[test]
fn long_and_deep_expressions_are_lowered() {
    const LONG: usize = 20_000;
    const DEEP: usize = 60;
    let repeated = |start: &str, part: &str, times: usize| start.to_owned() + &part.repeat(times);
    let around =
        |open: &str, inner: &str, close: &str| open.repeat(DEEP) + inner + &close.repeat(DEEP);
    let texts = [
        repeated("n", " + n", LONG),
        repeated("yes", " && maybe != null", LONG),
        repeated("yes", " ? o : yes", DEEP),
        repeated("later", "[n]", LONG),
        repeated("later", "[k]", LONG),
        repeated("boxes[k].deep", "[k]", LONG),
        repeated("later", "[*].name", LONG),
        format!("\"{}\"", "${web.id}${o}".repeat(LONG)),
        format!("[{}]", "\"${web.id}\", ".repeat(LONG)),
        format!("{{ {} }}", "(\"${o}\") = o, ".repeat(LONG)),
        format!("max({}1)", "n, ".repeat(LONG)),
        around("\"${[\"${o}\", ", "o", "][0]}!\""),
        around("(t ? n : ", "n", " + 1)"),
        around("[for web in boxes: \"${web.id}${", "o", "}\"][0]"),
        around("try(secret(o), ", "o", ")"),
        format!("\"{}\"", "${car.plate}${box.car.id}".repeat(LONG)),
        format!("[{}]", "car.plate, \"${cars[0].id}\", ".repeat(LONG)),
        repeated("yes", " && car.plate == null", LONG),
        around("(t ? car.name : ", "car.name", ")"),
        around("toJSON([car.plate, ", "car.plate", "])"),
        around("[for it in cars: \"${it.id}${", "car.plate", "}\"][0]"),
    ];
    for (text, lifts) in texts.iter().flat_map(|text| LIFTS.map(|lifts| (text, lifts))) {
        let mut case = Case::bind_any(text, &[EVENTUAL, PROMPT, ABSENT]);
        case.pass(apply(true, lifts));
        let to = case.types.list(TypeId::STRING);
        case.pass(|checker, _, root| conversions(checker, root, to));
        case.pass(guard);
        assert!(!case.text().is_empty());
    }
}

/// The number of expressions per run.
fn settings() -> ProptestConfig {
    ProptestConfig {
        // Most texts are not valid expressions.
        max_global_rejects: 100_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(settings())]

    /// Applied expressions are typed, and no name is captured. The second run changes nothing, and
    /// the text can be parsed.
    #[test]
    fn applies_keep_types_and_names(
        text in expression(prop_oneof![name(EVENTUAL), name(PROMPT)].boxed()),
        promises: bool,
        lifts in (0..LIFTS.len()).prop_map(|at| LIFTS[at]),
    ) {
        let case = Case::bind(&text, &[EVENTUAL, PROMPT]);
        prop_assume!(case.is_some());
        let mut case = case.unwrap();
        let before = case.exprs[case.root].ty;
        case.pass(apply(promises, lifts));
        let once = case.text();
        prop_assert_eq!(case.complaints(), Vec::<String>::new());
        prop_assert!(pcl_syntax::parse_expression(once.clone()).errors().is_empty());
        let after = case.exprs[case.root].ty;
        // What was eventual is so still; what it holds may be known better.
        let [before, after] = [before, after].map(|ty| case.types.contains_eventuals(ty));
        prop_assert_eq!(before, after, "{} became {}", text, once);
        case.pass(apply(promises, lifts));
        prop_assert_eq!(case.text(), once);
    }

    /// Without eventual values there is nothing to do.
    #[test]
    fn prompt_expressions_stay(text in expression(name(PROMPT).boxed())) {
        const NOTHING: Variables = &[
            ("web", "object({id = string, site = object({url = string})})"),
            ("boxes", "list(object({deep = object({id = string})}))"),
            ("tags", "map(string)"),
            ("maybe", "object({id = string})"),
        ];
        let case = Case::bind(&text, &[NOTHING, PROMPT]);
        prop_assume!(case.is_some());
        let mut case = case.unwrap();
        prop_assume!(!case.exprs.iter().any(|(_, expr)| matches!(expr.kind, ExprKind::Call(_))));
        let before = case.root;
        case.pass(apply(true, Lifts::NodeJs));
        prop_assert_eq!(case.root, before);
    }

    /// Guarded expressions are typed, and no name is captured. The second run changes nothing.
    #[test]
    fn guards_keep_types_and_names(
        text in expression(prop_oneof![
            name(EVENTUAL), name(PROMPT), name(ABSENT), Just("car.plate".to_owned()),
            Just("car.plate".to_owned()), Just("car.site.url".to_owned()),
        ].boxed()),
        applied: bool,
        lifts in (0..LIFTS.len()).prop_map(|at| LIFTS[at]),
    ) {
        let case = Case::bind(&text, &[EVENTUAL, PROMPT, ABSENT]);
        prop_assume!(case.is_some());
        let mut case = case.unwrap();
        if applied {
            case.pass(apply(true, lifts));
        }
        prop_assert_eq!(case.complaints(), Vec::<String>::new());
        let before = case.text();
        case.pass(guard);
        let once = case.text();
        prop_assert_eq!(case.complaints(), Vec::<String>::new(), "{} became {}", before, once);
        prop_assert!(pcl_syntax::parse_expression(once.clone()).errors().is_empty());
        case.pass(guard);
        prop_assert_eq!(case.text(), once, "{}", before);
    }

    /// Converted expressions are typed. The second time there is nothing left to do.
    #[test]
    fn conversions_keep_types(
        text in expression(prop_oneof![name(EVENTUAL), name(PROMPT)].boxed()),
        to in prop_oneof![
            Just("string"), Just("list(string)"), Just("map(number)"), Just("output(string)"),
            Just("union(none, string)"), Just("object({a = string, id = number})"), Just("dynamic"),
        ],
        applied: bool,
    ) {
        let case = Case::bind(&text, &[EVENTUAL, PROMPT]);
        prop_assume!(case.is_some());
        let mut case = case.unwrap();
        if applied {
            case.pass(apply(true, Lifts::Nothing));
        }
        let to = parse_type(&mut case.types, to).unwrap();
        case.pass(|checker, _, root| conversions(checker, root, to));
        let once = case.text();
        prop_assert_eq!(case.complaints(), Vec::<String>::new());
        let after = case.exprs[case.root].ty;
        prop_assert!(case.types.assignable(to, after), "{} is no target: {}", text, once);
        case.pass(|checker, _, root| conversions(checker, root, to));
        prop_assert_eq!(case.text(), once);
    }
}
