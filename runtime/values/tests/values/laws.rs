//! The laws that the crate states.

use std::sync::Arc;

use pcl_values::{
    Alias, Archive, ArchiveSource, Asset, AssetSource, Dependencies, Key, MAX_DEPTH, Member,
    Output, PropertyMap, PropertyPath, PropertyValue, ProviderReference, ResourceId,
    ResourceReference, Sample, Text, Unknowns, Urn, UrnParts, WireErrorKind, WireOptions, wire,
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
    let unknowns = prop::sample::select(vec![Unknowns::Drop, Unknowns::Keep, Unknowns::Reject]);
    (unknowns, any::<[bool; 8]>()).prop_map(|(unknowns, flags)| WireOptions {
        unknowns,
        secrets: flags[0],
        resources: flags[1],
        outputs: flags[2],
        upgrade_to_outputs: flags[3],
        byte_strings: flags[4],
        skip_nulls: flags[5],
        skip_internal: flags[6],
        elide_contents: flags[7],
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
        any::<bool>().prop_map(wire::Value::from),
        Just(wire::Value::from(1.0)),
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

/// A function on numbers, by its number, which may return any output.
fn function(number: i32) -> impl Fn(i32) -> Output<i32> {
    move |value| {
        let urn = Urn::from(format!("f{number}"));
        let output = match number % 3 {
            0 => Output::unknown(),
            _ => Output::known(value.wrapping_mul(number)),
        };
        output.with_secret(number % 2 == 0).with_dependencies(Dependencies::on(urn))
    }
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
    fn functions_that_return_outputs_may_be_grouped(
        output in output(any::<i32>()),
        first in 1..9,
        second in 1..9,
    ) {
        let (f, g) = (function(first), function(second));
        let left = output.clone().and_then(&f).and_then(&g);
        let right = output.clone().and_then(|value| f(value).and_then(&g));
        prop_assert_eq!(left, right);
        prop_assert_eq!(Output::known(first).and_then(&g), g(first));
        prop_assert_eq!(output.clone().and_then(Output::known), output);
    }

    #[test]
    fn unwrapping_twice_may_begin_anywhere(outer in output(output(output(any::<i32>())))) {
        let inside_first = outer.clone().apply(Output::unwrap).unwrap();
        prop_assert_eq!(outer.unwrap().unwrap(), inside_first);
    }

    #[test]
    fn unwrapping_keeps_what_both_know(outer in output(output(any::<i32>()))) {
        let inner = outer.value().cloned();
        let result = outer.clone().unwrap();
        prop_assert_eq!(result.is_known(), inner.as_ref().is_some_and(Output::is_known));
        prop_assert!(result.is_secret() >= outer.is_secret());
        prop_assert!(result.dependencies().includes(outer.dependencies()));
        if let Some(inner) = inner {
            prop_assert_eq!(result.is_secret(), outer.is_secret() || inner.is_secret());
            prop_assert!(result.dependencies().includes(inner.dependencies()));
        }
    }

    #[test]
    fn all_is_a_union(outputs in prop::collection::vec(output(any::<i32>()), 0..5)) {
        let all = Output::all(outputs.clone());
        prop_assert_eq!(all.is_known(), outputs.iter().all(Output::is_known));
        prop_assert_eq!(all.is_secret(), outputs.iter().any(Output::is_secret));
        let urns = outputs.iter().flat_map(|output| output.dependencies().iter().cloned());
        prop_assert_eq!(all.dependencies(), &urns.collect::<Dependencies>());
        let values: Vec<i32> = outputs.iter().filter_map(Output::value).copied().collect();
        prop_assert!(all.value().is_none_or(|all| *all == values));
        // Two are zipped as they are combined.
        if let [left, right] = outputs.as_slice() {
            let pair = left.clone().zip(right.clone());
            prop_assert_eq!(pair.apply(|(left, right)| vec![left, right]), all);
        }
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
        // The JSON form holds the same, but for a sign of zero.
        let json = serde_json::to_string(&message).unwrap();
        let message: wire::Struct = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(wire::decode(&message, &WireOptions::OUTPUTS).unwrap(), properties);
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
        let value = PropertyValue::from(properties.clone());
        match wire::encode(&properties, &options) {
            Ok(message) => {
                let read = wire::decode(&message, &options);
                prop_assert!(read.is_ok() || options.skip_nulls, "{read:?}");
                let shown = serde_json::to_string(&message).unwrap();
                prop_assert!(options.secrets || !shown.contains(wire::SECRET));
                prop_assert!(options.resources || !shown.contains(wire::RESOURCE));
                if options.unknowns == Unknowns::Drop {
                    prop_assert!(!shown.contains(wire::UNKNOWN_STRING));
                }
            }
            Err(error) => match error.kind {
                WireErrorKind::Unknown => prop_assert!(value.contains_unknowns()),
                WireErrorKind::NotUtf8 => prop_assert!(!options.byte_strings),
                _ => prop_assert!(false, "{error}"),
            },
        }
    }

    #[test]
    fn secrets_are_never_printed(
        mut properties in map(),
        path in path(),
        marks in any::<[bool; 2]>(),
        options in options(),
    ) {
        let secret = PropertyValue::from(PropertyMap::from_iter([(
            SECRET.into(),
            vec![SECRET.into(), PropertyValue::UNKNOWN, Text::from(vec![0xff]).into()].into(),
        )]));
        let secret = match marks {
            [true, false] => Output::known(secret).secret().into(),
            [true, true] => vec![Output::known(secret.secret()).into()].into(),
            [false, _] => secret.secret(),
        };
        let mut value = PropertyValue::from(properties.clone());
        if !path.add(&mut value, secret.clone()) {
            properties.insert("planted".into(), secret);
            value = properties.clone().into();
        }
        prop_assert!(value.contains_secrets());
        let mut shown = vec![value.to_string(), format!("{value:?}"), format!("{value:#?}")];
        if let PropertyValue::Object(properties) = &value {
            match wire::encode(properties, &options) {
                Ok(message) if options.secrets => {
                    shown.push(format!("{message:?}"));
                    let reject = WireOptions {
                        unknowns: Unknowns::Reject,
                        ..options
                    };
                    shown.extend(wire::decode(&message, &reject).err().map(|e| e.to_string()));
                }
                Ok(_) => {}
                Err(error) => shown.push(format!("{error} {error:?}")),
            }
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
        let lenient = PropertyPath::parse(&text);
        if let Ok(path) = PropertyPath::parse_strict(&text) {
            prop_assert_eq!(Ok(path), lenient.clone());
        }
        if let Ok(path) = lenient {
            check_printed(&path)?;
        }
    }

    #[test]
    fn paths_are_printed_as_they_are_read(path in path()) {
        check_printed(&path)?;
        prop_assert!(path.contains(&path));
        prop_assert!(PropertyPath::default().contains(&path));
    }

    #[test]
    fn what_is_put_at_a_path_is_found_there(properties in map(), path in path(), new in value()) {
        let old = PropertyValue::from(properties);
        for put in [PropertyPath::set, PropertyPath::add] {
            let mut value = old.clone();
            if put(&path, &mut value, new.clone()) {
                prop_assert_eq!(path.get(&value), Some(&new));
            } else {
                prop_assert_eq!(&value, &old);
            }
        }
        let mut value = old.clone();
        if path.delete(&mut value) {
            let left = path.get(&value);
            prop_assert!(left.is_none_or(PropertyValue::is_null));
        } else {
            prop_assert_eq!(&value, &old);
        }
    }

    #[test]
    fn a_reset_makes_equal(old in map(), mut new in map(), path in path()) {
        let same = old.clone();
        let mut kept = old.clone();
        let _ = path.reset(&same, &mut kept);
        prop_assert_eq!(&kept, &same);
        if path.reset(&old, &mut new) {
            let (old, mut new) = (PropertyValue::from(old), PropertyValue::from(new));
            // What was reset is not reset again.
            let PropertyValue::Object(again) = &mut new else { unreachable!() };
            let before = again.clone();
            let _ = path.reset(old.as_object().unwrap(), again);
            prop_assert_eq!(&*again, &before);
        }
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
        prop_assert_eq!(Urn::parse(urn.as_str()), Ok(urn.clone()));
        prop_assert_eq!(urn.stack(), Some(&*stack));
        prop_assert_eq!(urn.project(), Some(&*project));
        prop_assert_eq!(urn.parent_type(), Some(&*parent));
        prop_assert_eq!(urn.resource_type(), Some(&*kind));
        prop_assert_eq!(urn.name(), Some(&*name));
        prop_assert_eq!(urn.parts().as_ref().map(UrnParts::join), Some(urn.clone()));
        let same = Alias::Spec(<_>::default()).resolve(&urn, None);
        prop_assert_eq!(same, Some(Urn::new(&stack, &project, "", &kind, &name)));
        for id in [None, Some("id".to_owned())] {
            let provider = ProviderReference { urn: urn.clone(), id };
            prop_assert_eq!(provider.to_string().parse(), Ok(provider));
        }
    }

    #[test]
    fn any_text_can_be_read_as_a_urn(text in "(urn:pulumi:)?[a:$]{0,12}") {
        let urn = Urn::from(text.as_str());
        prop_assert_eq!(Urn::parse(&text).is_ok(), urn.parts().is_some());
        let _ = (urn.resource_type(), urn.parent_type(), urn.renamed("x"));
        let _ = Alias::inherited(&urn, &urn, &urn);
        let _ = text.parse::<ProviderReference>();
    }
}

/// Fails if a path is not read as it is printed, except where a name ends with a backslash.
fn check_printed(path: &PropertyPath) -> Result<(), TestCaseError> {
    let ends_with_backslash = |key: &Key| matches!(key, Key::Name(name) if name.ends_with('\\'));
    if !path.keys().iter().any(ends_with_backslash) {
        prop_assert_eq!(PropertyPath::parse_strict(&path.to_string()), Ok(path.clone()));
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

#[test]
fn a_path_adds_no_more_than_the_limits() {
    let path = |keys: usize| PropertyPath::from_iter((0..keys).map(|_| Key::from("a")));
    let mut value = PropertyValue::Null;
    assert!(!path(MAX_DEPTH + 1).add(&mut value, true.into()));
    assert!(path(MAX_DEPTH).add(&mut value, true.into()));
    for index in [-1, 1 << 20, i64::MAX] {
        let path = PropertyPath::from_iter([Key::Index(index)]);
        assert!(!path.add(&mut PropertyValue::Null, true.into()));
    }
}

#[test]
fn lists_on_the_way_share_one_limit() {
    let deep = PropertyPath::parse(&"[1000000]".repeat(100)).expect("it is a path");
    let mut value = PropertyValue::Null;
    assert!(!deep.add(&mut value, PropertyValue::Null));
    assert_eq!(value, PropertyValue::Null);
    let small = PropertyPath::parse(&"[1000]".repeat(100)).expect("it is a path");
    assert!(small.add(&mut value, PropertyValue::Bool(true)));
    assert_eq!(small.get(&value), Some(&PropertyValue::Bool(true)));
}
