//! URNs against the recorded answers (`tests/vectors/urns.json`).

use pcl_values::Urn;

use crate::vectors::{file, list};

#[test]
fn recorded_urns_are_read() {
    let file = file("urns.json");
    for vector in list(&file, "parse") {
        let text = vector["urn"].as_str().unwrap();
        let urn = Urn::from(text);
        assert_eq!(urn.is_valid(), vector["error"].is_null(), "{text}");
        if urn.is_valid() {
            let expected = |part: &str| vector[part].as_str();
            assert_eq!(urn.stack(), expected("stack"), "{text}");
            assert_eq!(urn.project(), expected("project"), "{text}");
            assert_eq!(urn.qualified_type(), expected("qualified_type"), "{text}");
            assert_eq!(urn.resource_type(), expected("type"), "{text}");
            assert_eq!(urn.name(), expected("name"), "{text}");
        }
    }
}

#[test]
fn recorded_urns_are_built() {
    let file = file("urns.json");
    for vector in list(&file, "new") {
        let part = |name: &str| vector[name].as_str().unwrap();
        let urn = Urn::new(
            part("stack"),
            part("project"),
            part("parent_type"),
            part("type"),
            part("name"),
        );
        assert_eq!(urn.as_str(), part("urn"));
    }
}
