//! The laws that the crate states.

use std::str::FromStr as _;
use std::sync::Arc;

use pcl_values::{
    Archive, ArchiveSource, Asset, AssetSource, Dependencies, Key, MAX_DEPTH, Member, Output,
    PropertyMap, PropertyPath, PropertyValue, ResourceId, ResourceReference, Sample, Text, Urn,
    WireErrorKind, WireOptions, wire,
};
use proptest::prelude::*;

/// Text that no test writes by accident.
const SECRET: &str = "t0p-s3cr3t";

fn urn() -> impl Strategy<Value = Urn> {
    "[a-e]".prop_map(|name| Urn::new("s", "p", "", "a:b:C", &name))
}

fn dependencies() -> impl Strategy<Value = Dependencies> {
    prop::collection::vec(urn(), 0..4).prop_map(Dependencies::from_iter)
}

fn output<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Output<T>> {
    (prop::option::of(value), any::<bool>(), dependencies()).prop_map(
        |(value, is_secret, dependencies)| {
            let output = Output::from(value).with_secret(is_secret);
            output.with_dependencies(dependencies)
        },
    )
}

fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        ".{0,8}".prop_map(Text::from),
        prop::collection::vec(any::<u8>(), 0..6).prop_map(Text::from),
    ]
}

fn sample() -> impl Strategy<Value = Sample> {
    // A computed null is sent as null.
    prop::sample::select(vec![
        Sample::Bool,
        Sample::Number,
        Sample::String,
        Sample::Array,
        Sample::Object,
        Sample::Asset,
        Sample::Archive,
    ])
}

fn reference() -> impl Strategy<Value = ResourceReference> {
    let id = prop_oneof![
        Just(ResourceId::Absent),
        Just(ResourceId::Unknown),
        "[a-z]{1,5}".prop_map(ResourceId::Known),
    ];
    (urn(), id, "[0-9]?").prop_map(|(urn, id, package_version)| ResourceReference {
        package_version: package_version.into(),
        ..ResourceReference::new(urn, id)
    })
}

fn asset() -> impl Strategy<Value = Asset> {
    let other = |source| Asset { hash: "abc".into(), source };
    prop_oneof![
        text().prop_map(Asset::text),
        "[a-z]{1,5}".prop_map(move |path| other(AssetSource::Path(path))),
        "[a-z]{1,5}".prop_map(move |uri| other(AssetSource::Uri(uri))),
        Just(other(AssetSource::Elided)),
    ]
}

fn archive() -> impl Strategy<Value = Archive> {
    let members = prop::collection::btree_map("[a-z]{1,3}", asset().prop_map(Member::Asset), 0..3);
    let of = |source| Archive { hash: String::new(), source };
    let flat = members.prop_map(move |members| of(ArchiveSource::Members(members)));
    flat.prop_flat_map(move |inner| {
        prop_oneof![
            Just(inner.clone()),
            Just(of(ArchiveSource::Members([("inner".to_owned(), Member::Archive(inner))].into()))),
            "[a-z]{1,3}".prop_map(move |path| of(ArchiveSource::Path(path))),
        ]
    })
}

fn value() -> impl Strategy<Value = PropertyValue> {
    let leaf = prop_oneof![
        Just(PropertyValue::Null),
        any::<bool>().prop_map(PropertyValue::from),
        prop::num::f64::NORMAL.prop_map(PropertyValue::from),
        text().prop_map(PropertyValue::from),
        sample().prop_map(PropertyValue::Computed),
        reference().prop_map(PropertyValue::from),
        asset().prop_map(PropertyValue::from),
        archive().prop_map(PropertyValue::from),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(PropertyValue::from),
            map_of(inner.clone()).prop_map(PropertyValue::from),
            inner.clone().prop_map(PropertyValue::secret),
            output(inner).prop_map(PropertyValue::from),
        ]
    })
}

fn map() -> impl Strategy<Value = PropertyMap> {
    map_of(value())
}

fn map_of(value: impl Strategy<Value = PropertyValue>) -> impl Strategy<Value = PropertyMap> {
    let name = "[a-c_]{0,3}".prop_map(Arc::from);
    prop::collection::vec((name, value), 0..4).prop_map(PropertyMap::from_iter)
}

fn options() -> impl Strategy<Value = WireOptions> {
    any::<[bool; 3]>().prop_map(|[unknowns, resources, outputs]| WireOptions {
        unknowns,
        resources,
        outputs,
    })
}

/// Messages that are likely to hold special values, well formed or not.
fn message() -> impl Strategy<Value = wire::Value> {
    let special = prop::sample::select(vec![
        wire::SECRET,
        wire::ASSET,
        wire::ARCHIVE,
        wire::RESOURCE,
        wire::OUTPUT,
        wire::BYTES,
        wire::UNKNOWN_STRING,
        "urn:pulumi:s::p::a:b:C::n",
        "/w==",
        "other",
        "",
    ]);
    let name = prop::sample::select(vec![
        wire::SIGNATURE,
        "value",
        "secret",
        "dependencies",
        "urn",
        "id",
        "name",
        "text",
        "path",
        "assets",
        "hash",
    ]);
    let leaf = prop_oneof![
        Just(wire::Value::Null),
        any::<bool>().prop_map(wire::Value::Bool),
        Just(wire::Value::Number(1.0)),
        special.prop_map(wire::Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, move |inner| {
        let name = name.clone().prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(wire::Value::List),
            prop::collection::btree_map(name, inner, 0..5).prop_map(wire::Value::Struct),
        ]
    })
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        "[a-c_]{1,2}".prop_map(Key::Name),
        "[^\u{0}]{0,4}".prop_map(Key::Name),
        (-1i64..4).prop_map(Key::Index),
    ]
}

fn path() -> impl Strategy<Value = PropertyPath> {
    prop::collection::vec(key(), 0..4).prop_map(PropertyPath::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn apply_with_the_identity_changes_nothing(output in output(any::<i32>())) {
        prop_assert_eq!(output.clone().apply(|value| value), output);
    }

    #[test]
    fn apply_twice_is_apply_of_both(output in output(any::<i32>())) {
        let (f, g) = (|value: i32| value.wrapping_add(3), |value: i32| value.wrapping_mul(5));
        let twice = output.clone().apply(f).apply(g);
        prop_assert_eq!(output.apply(|value| g(f(value))), twice);
    }

    #[test]
    fn functions_run_on_known_values_only(output in output(any::<i32>())) {
        let mut has_run = false;
        let result = output.clone().apply(|_| has_run = true);
        prop_assert_eq!(has_run, output.is_known());
        prop_assert_eq!(result.is_secret(), output.is_secret());
        prop_assert_eq!(result.dependencies(), output.dependencies());
    }

    #[test]
    fn dependencies_are_a_set(a in dependencies(), b in dependencies(), c in dependencies()) {
        prop_assert_eq!(a.union(&b), b.union(&a));
        prop_assert_eq!(a.union(&b).union(&c), a.union(&b.union(&c)));
        prop_assert_eq!(a.union(&a), a.clone());
        prop_assert!(a.as_slice().is_sorted_by(|left, right| left < right));
        prop_assert!(a.union(&b).includes(&b) && a.includes(&Dependencies::NONE));
    }

    #[test]
    fn what_is_sent_is_what_is_read(properties in map()) {
        let message = wire::encode(&properties, &WireOptions::OUTPUTS).unwrap();
        let read = wire::decode(&message, &WireOptions::OUTPUTS).unwrap();
        prop_assert_eq!(&read, &properties);
    }

    #[test]
    fn any_message_can_be_read(message in message(), options in options()) {
        let message = wire::Struct::from([("p".to_owned(), message)]);
        if let Ok(properties) = wire::decode(&message, &options) {
            // What was read can be sent, unless it became something that is reserved.
            let all = &WireOptions::OUTPUTS;
            match wire::encode(&properties, all) {
                Ok(again) => {
                    let again = wire::decode(&again, all).unwrap();
                    let sent = wire::encode(&again, all).unwrap();
                    prop_assert_eq!(wire::decode(&sent, all).unwrap(), again);
                }
                Err(error) => prop_assert!(matches!(error.kind, WireErrorKind::Reserved(_))),
            }
        }
    }

    #[test]
    fn options_decide_what_is_sent(properties in map(), options in options()) {
        let message = wire::encode(&properties, &options).unwrap();
        prop_assert!(wire::decode(&message, &options).is_ok());
        prop_assert!(options.resources || !has_text(&message, wire::RESOURCE));
        prop_assert!(options.unknowns || !has_text(&message, wire::UNKNOWN_STRING));
    }

    #[test]
    fn secrets_are_never_printed(
        mut properties in map(),
        marks in any::<[bool; 2]>(),
        options in options(),
    ) {
        let secret = PropertyValue::from(PropertyMap::from_iter([(
            SECRET.into(),
            vec![SECRET.into(), PropertyValue::UNKNOWN, Text::from(vec![0xff]).into()].into(),
        )]));
        let secret = match marks {
            [true, false] => Output::known(secret).with_secret(true).into(),
            [true, true] => vec![Output::known(secret.secret()).into()].into(),
            [false, _] => secret.secret(),
        };
        properties.insert("planted".into(), secret);
        let value = PropertyValue::from(properties.clone());
        let mut shown = vec![value.to_string(), format!("{value:?}"), format!("{value:#?}")];
        match wire::encode(&properties, &options) {
            Ok(message) => shown.push(format!("{message:?}")),
            Err(error) => shown.push(format!("{error} {error:?}")),
        }
        for shown in shown {
            prop_assert!(!shown.contains(SECRET), "{shown}");
        }
    }

    #[test]
    fn a_value_depends_on_what_its_parts_depend_on(
        inner in value(),
        dependencies in dependencies(),
    ) {
        let value = vec![inner.clone().depending_on(dependencies.clone()).secret()].into();
        let all = PropertyValue::dependencies(&value);
        prop_assert_eq!(all, inner.dependencies().union(&dependencies));
    }

    #[test]
    fn any_text_can_be_read_as_a_path(text in "[a\\[\\]\"\\\\.*0-9é]{0,12}") {
        if let Ok(path) = PropertyPath::from_str(&text) {
            check_printed(&path)?;
        }
    }

    #[test]
    fn paths_are_printed_as_they_are_read(path in path()) {
        check_printed(&path)?;
    }

    #[test]
    fn urns_have_the_parts_of_which_they_are_built(
        stack in "[^:]{0,5}",
        project in "[^:]{0,5}",
        parent in "([a-z]:[a-z]:[A-Z])?",
        kind in "[a-z]:[a-z]:[A-Z]",
        name in "([^:].{0,8})?",
    ) {
        let urn = Urn::new(&stack, &project, &parent, &kind, &name);
        prop_assert_eq!(urn.stack(), Some(&*stack));
        prop_assert_eq!(urn.project(), Some(&*project));
        prop_assert_eq!(urn.resource_type(), Some(&*kind));
        prop_assert_eq!(urn.name(), Some(&*name));
    }

    #[test]
    fn any_text_can_be_read_as_a_urn(text in "(urn:pulumi:)?[a:$]{0,12}") {
        let urn = Urn::from(text.as_str());
        prop_assert_eq!(urn.is_valid(), urn.name().is_some() && urn.resource_type().is_some());
    }
}

/// Fails if a path is not read as it is printed, except where a name ends with a backslash.
fn check_printed(path: &PropertyPath) -> Result<(), TestCaseError> {
    let ends_with_backslash = |key: &Key| matches!(key, Key::Name(name) if name.ends_with('\\'));
    if !path.keys().iter().any(ends_with_backslash) {
        prop_assert_eq!(PropertyPath::from_str(&path.to_string()), Ok(path.clone()));
    }
    Ok(())
}

/// A value of so many levels, in turn a list, an object, a secret and an output.
fn nested(levels: usize) -> PropertyValue {
    (1..levels).fold(PropertyValue::Null, |value, level| match level % 4 {
        0 => vec![value].into(),
        1 => PropertyMap::from_iter([("a".into(), value)]).into(),
        2 => value.secret(),
        _ => Output::known(value).into(),
    })
}

#[test]
fn values_nest_up_to_the_limit() {
    for (levels, fits) in [(MAX_DEPTH - 1, true), (4 * MAX_DEPTH, false)] {
        let value = nested(levels);
        assert!(!value.to_string().is_empty());
        let properties = PropertyMap::from_iter([("p".into(), value)]);
        match wire::encode(&properties, &WireOptions::OUTPUTS) {
            Ok(message) => {
                assert!(fits);
                let read = wire::decode(&message, &WireOptions::OUTPUTS);
                assert_eq!(read.as_ref(), Ok(&properties));
            }
            Err(error) => assert!(!fits && error.kind == WireErrorKind::TooDeep, "{error}"),
        }
    }
    let message =
        (0..4 * MAX_DEPTH).fold(wire::Value::Null, |value, _| wire::Value::List(vec![value]));
    let message = wire::Struct::from([("p".into(), message)]);
    let error = wire::decode(&message, &WireOptions::OUTPUTS).unwrap_err();
    assert_eq!(error.kind, WireErrorKind::TooDeep);
}

/// Returns true if a string of a message is this text.
fn has_text(fields: &wire::Struct, text: &str) -> bool {
    fn has(value: &wire::Value, text: &str) -> bool {
        match value {
            wire::Value::String(string) => &**string == text,
            wire::Value::List(elements) => elements.iter().any(|element| has(element, text)),
            wire::Value::Struct(fields) => has_text(fields, text),
            wire::Value::Null | wire::Value::Bool(_) | wire::Value::Number(_) => false,
        }
    }
    fields.values().any(|value| has(value, text))
}
