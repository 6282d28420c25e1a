//! Everything that a member leads to, checked once.

use std::sync::Arc;

use pcl_schema::{
    Loader, MemoryLoader, Package, PackageRequest, ProblemSeverity, ReachProblem, Section,
    check_reach,
};

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

/// What is wrong with what a resource reaches, one problem a line.
fn check(loader: &MemoryLoader, package: &str, token: &str) -> Vec<String> {
    let package = loader.load(&PackageRequest::new(package)).unwrap();
    let member = package.find(Section::Resources, token).unwrap();
    check_reach(loader, &package, member)
        .iter()
        .map(ReachProblem::to_string)
        .collect()
}

#[test]
fn problems_are_found_through_types_resources_and_methods() {
    let mut loader = MemoryLoader::default();
    let zoo: Arc<Package> = loader.add(CHAIN).unwrap();
    let mut told = String::new();
    for member in zoo.members(Section::Resources) {
        let token = zoo.token(member);
        let problems = check(&loader, "zoo", token);
        assert_eq!(check(&loader, "zoo", token), problems);
        told += &format!("{token}\n");
        problems
            .iter()
            .for_each(|problem| told += &format!("  {problem}\n"));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_dangling_type_is_no_error() {
    let mut loader = MemoryLoader::default();
    let zoo = loader.add(CHAIN).unwrap();
    let member = zoo.find(Section::Resources, "zoo:a:Dangling").unwrap();
    let problems = check_reach(&loader, &zoo, member);
    assert_eq!(
        problems
            .iter()
            .map(ReachProblem::severity)
            .collect::<Vec<_>>(),
        [ProblemSeverity::Warning]
    );
}

#[test]
fn problems_are_found_through_other_packages() {
    let mut loader = MemoryLoader::default();
    loader.add(CHAIN).unwrap();
    loader.add(r##"{"name": "sky", "version": "2.0.0", "types": {"sky:a/b:Cloud": {"type": "object"}}, "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}}"##).unwrap();
    let external =
        |reference: &str| format!(r#"{{"properties": {{"x": {{"$ref": "{reference}"}}}}}}"#);
    loader
        .add(format!(
            r#"{{"name": "tour", "resources": {{ "tour:a:Far": {}, "tour:a:Fine": {}, "tour:a:Alias": {}, "tour:a:NoMember": {}, "tour:a:NoVersion": {}, "tour:a:NoPackage": {} }} }}"#,
            external("/zoo/v1.0.0/schema.json#/resources/zoo:a:Owner"),
            external("/zoo/v1.0.0/schema.json#/provider"),
            external("/sky/v2.0.0/schema.json#/types/sky:a:Cloud"),
            external("/zoo/v1.0.0/schema.json#/types/zoo:a:Nowhere"),
            external("/zoo/v3.0.0/schema.json#/types/zoo:a:One"),
            external("/sea/v1.0.0/schema.json#/types/sea:a:One"),
        ))
        .unwrap();
    let tokens = ["Far", "Fine", "Alias", "NoMember", "NoVersion", "NoPackage"];
    let told = tokens.map(|name| {
        format!(
            "{name}\n  {}",
            check(&loader, "tour", &format!("tour:a:{name}")).join("\n  ")
        )
    });
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn dependencies_say_how_another_package_is_loaded() {
    let tour = Package::from_bytes(
        r#"{"name": "tour", "dependencies": [
            {"name": "sky", "version": "1.0.0"},
            {"name": "bridge", "version": "0.5.0", "parameterization": {"name": "sky", "version": "2.0.0", "value": "SGk="}},
            {"name": "zoo", "downloadURL": "https://example.org"}],
            "resources": {"tour:a:R": {"properties": {
                "a": {"$ref": "/sky/v2.0.0/schema.json#/provider"},
                "b": {"$ref": "/zoo/v7/schema.json#/provider"},
                "c": {"$ref": "/sea/v7/schema.json#/provider"}}}}}"#,
    )
    .unwrap();
    let reach = tour.reach(tour.find(Section::Resources, "tour:a:R").unwrap());
    insta::assert_debug_snapshot!(
        reach
            .external
            .iter()
            .map(|reference| tour.external_request(reference))
            .collect::<Vec<_>>()
    );
}
