//! From written tokens to members.

use pcl_schema::{Section, builtin_package};

use crate::package;

#[test]
fn written_tokens() {
    let bridged = package(
        r#"{"name": "zoo", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "resources": {"zoo:index/cage:Cage": {}, "zoo:cats/lion:Lion": {}}, "functions": {"zoo:index/feed:feed": {}}}"#,
    );
    let resource = |written: &str| {
        bridged.resource_by_canonical(written).map(|found| (found.token, found.canonical))
    };
    let cage = Some(("zoo:index/cage:Cage".to_owned(), "zoo::Cage".to_owned()));
    for written in
        ["zoo:index/cage:Cage", "zoo:Cage", "zoo::Cage", "zoo:index:Cage", "ark:index:Cage"]
    {
        assert_eq!(resource(written), cage, "{written}");
    }
    let lion = Some(("zoo:cats/lion:Lion".to_owned(), "zoo:cats:Lion".to_owned()));
    for written in ["zoo:cats/lion:Lion", "zoo:cats:Lion", "zoo:cats/tiger:Lion"] {
        assert_eq!(resource(written), lion, "{written}");
    }
    for written in [
        "",
        "zoo",
        "zoo:Lion",
        "zoo:cats:lion",
        "zoo:index:feed",
        "zoo:a:b:c",
        "zoo::",
        "pulumi:providers:zoo",
    ] {
        assert_eq!(resource(written), None, "{written}");
    }
    assert_eq!(bridged.function_by_canonical("zoo:feed").unwrap().canonical, "zoo::feed");
    assert_eq!(bridged.canonical("zoo:cats/lion:Lion").as_deref(), Some("zoo:cats:Lion"));
    assert_eq!(bridged.canonical("zoo"), None);
}

#[test]
fn of_members_that_are_written_alike_the_first_is_meant() {
    let zoo = package(
        r#"{"name": "zoo", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "resources": {"zoo:cats/b:Lion": {}, "zoo:cats/a:Lion": {}, "zoo:cats/c:Lion": {}}}"#,
    );
    let found = zoo.resource_by_canonical("zoo:cats:Lion").unwrap();
    assert_eq!(found.token, "zoo:cats/b:Lion");
    let hidden: Vec<&str> = found.hidden.iter().map(|id| zoo.token(*id)).collect();
    assert_eq!(hidden, ["zoo:cats/a:Lion", "zoo:cats/c:Lion"]);
    // Written as the schema has it, each can be meant.
    for token in ["zoo:cats/b:Lion", "zoo:cats/a:Lion", "zoo:cats/c:Lion"] {
        let found = zoo.resource_by_canonical(token).unwrap();
        assert_eq!(found.token, token);
        assert!(found.hidden.is_empty());
        assert_eq!(found.canonical, "zoo:cats:Lion");
    }
}

#[test]
fn one_token_in_several_sections() {
    let zoo = package(
        r#"{"name": "zoo", "types": {"zoo:a:B": {"type": "object"}}, "resources": {"zoo:a:B": {}}, "functions": {"zoo:a:B": {}}}"#,
    );
    let ids: Vec<_> = [Section::Types, Section::Resources, Section::Functions]
        .map(|section| zoo.find(section, "zoo:a:B").unwrap())
        .into();
    assert_eq!(ids.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(zoo.find(Section::Provider, "pulumi:providers:zoo"), zoo.provider_id());
    assert_eq!((zoo.provider_id().unwrap().0, zoo.member_count()), (3, 4));
}

#[test]
fn the_package_of_the_engine() {
    let pulumi = builtin_package();
    let canonical =
        |written: &str| pulumi.resource_by_canonical(written).map(|found| found.canonical);
    for written in ["pulumi:Stash", "pulumi::Stash", "pulumi:index:Stash"] {
        assert_eq!(canonical(written).as_deref(), Some("pulumi:index:Stash"), "{written}");
    }
    assert_eq!(
        canonical("pulumi:pulumi:StackReference").as_deref(),
        Some("pulumi:pulumi:StackReference")
    );
    assert_eq!(pulumi.version().unwrap().to_string(), "3.0.0");
    assert!(
        pulumi
            .members(Section::Resources)
            .all(|id| pulumi.diagnostics(id).is_empty() && pulumi.resource_by_id(id).is_ok())
    );
    assert!(pulumi.provider().unwrap().unwrap().inputs.contains_key("name"));
}
