//! Everything that a member leads to, checked once.

use pcl_diagnostics::Severity;
use pcl_schema::{ExternalTarget, MemberId, Section};

use crate::package;

const CHAIN: &str = r##"{"name": "zoo", "version": "1.0.0",
    "types": {
        "zoo:a:Clean": {"type": "object", "properties": {"self": {"$ref": "#/types/zoo:a:Clean"}}},
        "zoo:a:One": {"type": "object", "properties": {"two": {"$ref": "#/types/zoo:a:Two"}, "clean": {"$ref": "#/types/zoo:a:Clean"}}},
        "zoo:a:Two": {"type": "object", "properties": {"one": {"type": "array", "items": {"$ref": "#/types/zoo:a:One"}}, "bad": {"type": "sting"}}},
        "zoo:a:Broken": {"type": "object", "properties": 5}
    },
    "resources": {
        "zoo:a:Clean": {"properties": {"x": {"$ref": "#/types/zoo:a:Clean"}}},
        "zoo:a:Far": {"properties": {"x": {"$ref": "#/types/zoo:a:One"}}},
        "zoo:a:Owner": {"properties": {"x": {"$ref": "#/resources/zoo:a:Far"}}},
        "zoo:a:Unreadable": {"properties": {"x": {"$ref": "#/types/zoo:a:Broken"}}},
        "zoo:a:Caller": {"methods": {"f": "zoo:a:Caller/f"}},
        "zoo:a:Dangling": {"properties": {"x": {"$ref": "#/types/zoo:a:Nowhere"}}}
    },
    "functions": {
        "zoo:a:Caller/f": {"inputs": {"properties": {"x": {"$ref": "#/types/zoo:a:One"}}}}
    }}"##;

#[test]
fn diagnostics_are_collected_through_types_resources_and_methods() {
    let zoo = package(CHAIN);
    let mut told = String::new();
    for member in zoo.members(Section::Resources) {
        let reach = zoo.reach(member);
        assert_eq!(zoo.reach(member), reach, "a second question gets the same answer");
        told += &format!("{}\n", zoo.token(member));
        for reported in &reach.diagnostics {
            told += &format!("  {:?} {reported}\n", reported.diagnostic.severity);
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn warnings_hide_no_error() {
    let warnings: Vec<String> =
        (0..100).map(|n| format!(r##""p{n}": {{"$ref": "#/types/zoo:a:Nowhere"}}"##)).collect();
    let zoo = package(&format!(
        r#"{{"name": "zoo", "resources": {{"zoo:a:R": {{"properties": {{{}, "z": {{"type": "sting"}}}}}}}}}}"#,
        warnings.join(",")
    ));
    let diagnostics = zoo.diagnostics(MemberId(0)).iter();
    let severities = diagnostics.map(|reported| reported.diagnostic.severity);
    let errors = severities.filter(|severity| *severity == Severity::Error);
    assert_eq!(errors.count(), 1);
}

#[test]
fn members_that_other_packages_mean() {
    let zoo = package(
        r#"{"name": "zoo", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "types": {"zoo:a/b:One": {"type": "object"}, "zoo:a/c:Two": {"type": "object"}, "zoo:a/d:Two": {"type": "object"}},
            "resources": {"zoo:a/b:One": {}}}"#,
    );
    let token =
        |target: ExternalTarget| zoo.external_member(&target).1.map(|member| zoo.token(member));
    assert_eq!(token(ExternalTarget::Type("zoo:a/b:One".into())), Some("zoo:a/b:One"));
    assert_eq!(token(ExternalTarget::Type("zoo:a:One".into())), Some("zoo:a/b:One"));
    assert_eq!(
        token(ExternalTarget::Type("zoo:a:Two".into())),
        None,
        "which of the two is not known"
    );
    assert_eq!(token(ExternalTarget::Resource("zoo:a/b:One".into())), Some("zoo:a/b:One"));
    assert_eq!(token(ExternalTarget::Resource("zoo:a:Three".into())), None);
    assert_eq!(
        token(ExternalTarget::Resource("pulumi:providers:zoo".into())),
        Some("pulumi:providers:zoo")
    );
    assert_eq!(token(ExternalTarget::Provider), Some("pulumi:providers:zoo"));
}

#[test]
fn dependencies_say_how_another_package_is_loaded() {
    let tour = package(
        r#"{"name": "tour", "dependencies": [
            {"name": "sky", "version": "1.0.0"},
            {"name": "bridge", "version": "0.5.0", "parameterization": {"name": "sky", "version": "2.0.0", "value": "SGk="}},
            {"name": "zoo", "downloadURL": "https://example.org"}],
            "resources": {"tour:a:R": {"properties": {
                "a": {"$ref": "/sky/v2.0.0/schema.json#/provider"},
                "b": {"$ref": "/zoo/v7/schema.json#/provider"},
                "c": {"$ref": "/sea/v7/schema.json#/provider"}}}}}"#,
    );
    let reach = tour.reach(tour.find(Section::Resources, "tour:a:R").unwrap());
    insta::assert_debug_snapshot!(
        reach.external.iter().map(|reference| tour.external_request(reference)).collect::<Vec<_>>()
    );
}
