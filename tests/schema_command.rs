//! `pcl schema`: its output for packages, and its diagnostics about broken ones.

use std::fmt::Write as _;

use pcl::schema::{DirectoryLoader, Loader as _, PackageRequest, Section};
use pcl::schema_view::View;
use pcl::{SchemaPlaces, Settings, Target, Workspace};
use pcl_test_support::{
    SCHEMAS, items, pcl, pcl_with_input, root, scratch, scratch_outside, text, write,
};

/// Runs `pcl schema` with the schemas of the repository's own corpus.
fn schema(arguments: &str) -> pcl_test_support::Run {
    let words = arguments.split_whitespace();
    pcl(["schema"].into_iter().chain(words).chain(["--schema-dir", SCHEMAS]))
}

#[test]
fn shows_members() {
    let mut shown = String::new();
    for arguments in [
        "ls harbor",
        "ls",
        "show harbor",
        "show harbor:network:Network",
        "show harbor:network:Network --output-format json",
        "show mathx:index:clamp",
        "show pulumi:providers:harbor",
        "search --package harbor network",
        "search --package harbor network --limit 1 --output-format json",
    ] {
        let run = schema(arguments);
        assert_eq!(run.status, 0, "{arguments}: {}", run.stderr);
        let _ = writeln!(shown, "$ pcl schema {arguments}\n{}{}", run.stdout, run.stderr);
    }
    insta::assert_snapshot!(shown);
}

/// The programs of all members are valid, the shortest and the full ones, in each language.
#[test]
#[cfg(feature = "convert")]
fn members_have_examples() {
    let mut shown = String::new();
    for arguments in [
        "example harbor:network:Network",
        "example harbor:network:LoadBalancer --full",
        "example harbor:network:LoadBalancer --full --to python",
        "example mathx:index:clamp",
        "example pulumi:providers:harbor --full",
    ] {
        let run = schema(arguments);
        assert_eq!(run.status, 0, "{arguments}: {}", run.stderr);
        let _ = writeln!(shown, "$ pcl schema {arguments}\n{}{}", run.stdout, run.stderr);
    }
    insta::assert_snapshot!(shown);
    for (arguments, said) in [
        ("example harbor", "with `--batch`, the programs of all its resources are printed"),
        ("example harbor:network:Rule", ""),
    ] {
        let run = schema(arguments);
        assert!(run.status == 2 && run.stderr.contains(said), "{arguments}: {}", run.stderr);
    }
    for extent in ["", "--full"] {
        let batch = schema(&format!("example harbor orchard --batch {extent}"));
        assert_eq!(batch.status, 0, "{}", batch.stderr);
        let to = ["convert", "--batch", "-", "--to", "typescript,python", "--schema-dir", SCHEMAS];
        let run = pcl_with_input(to, batch.stdout.as_bytes());
        assert_eq!(run.status, 0, "{}", run.stdout);
        assert!(run.stdout.lines().count() >= 20, "{}", run.stdout);
    }
}

/// Names without a package, and other names of packages, lead to what is meant.
#[test]
fn names_that_people_know() {
    let folder = scratch("schema-names");
    let place = folder.to_str().expect("the path is text");
    write(
        &folder.join("docker.json"),
        r#"{ "name": "docker", "meta": { "moduleFormat": "(.*)(?:/[^/]*)" }, "resources": {
            "docker:index/image:Image": {},
            "docker:index/remoteImage:RemoteImage": { "description":
                "A <span pulumi-lang-nodejs=\"`docker.RemoteImage`\" pulumi-lang-hcl=\"`docker_image`\">`docker.RemoteImage`</span>." } },
          "functions": { "docker:index/getRemoteImage:getRemoteImage": {} } }"#,
    );
    write(
        &folder.join("kubernetes.json"),
        r#"{ "name": "kubernetes", "resources": {
            "kubernetes:extensions/v1beta1:Ingress": { "deprecationMessage": "Old." },
            "kubernetes:networking.k8s.io/v1:Ingress": {},
            "kubernetes:networking.k8s.io/v1beta1:Ingress": {} } }"#,
    );
    for (written, meant) in [
        ("docker_image", "docker:index/remoteImage:RemoteImage"),
        ("Ingress", "kubernetes:networking.k8s.io/v1:Ingress"),
        ("Ingres", "kubernetes:networking.k8s.io/v1:Ingress"),
        ("kubernetes_ingress", "kubernetes:networking.k8s.io/v1:Ingress"),
        ("kubernetes:networking/v1:Ingress", "kubernetes:networking.k8s.io/v1:Ingress"),
        ("k8s:Ingress", "kubernetes:networking.k8s.io/v1:Ingress"),
        ("docker.RemoteImage", "docker:index/remoteImage:RemoteImage"),
        ("Image", "docker:index/image:Image"),
    ] {
        let shown = pcl(["schema", "show", written, "--schema-dir", place]);
        if written == "Ingres" {
            let hint = format!("did you mean `{meant}`");
            assert!(shown.status == 2 && shown.stderr.contains(&hint), "{}", shown.stderr);
        } else {
            let is_shown = shown.status == 0 && shown.stdout.contains(meant);
            assert!(is_shown, "{written}: {}{}", shown.stdout, shown.stderr);
        }
        if !written.contains(':') {
            let found = pcl(["schema", "search", written, "--schema-dir", place]);
            let first = found.stdout.lines().next().unwrap_or_default();
            assert!(first.contains(meant), "{written}: {}", found.stdout);
        }
    }
    let podman = r#"{ "name": "podman", "resources": { "podman:index:Image": {} } }"#;
    write(&folder.join("podman.json"), podman);
    let several = pcl(["schema", "show", "Image", "--schema-dir", place]);
    let both = "`Image` may be `podman:index:Image` or `docker:index/image:Image`";
    assert!(several.status == 2 && several.stderr.contains(both), "{}", several.stderr);
    // `pcl explain` takes names of packages and members too.
    for (topic, status, expected) in [
        ("Ingress", 0, "resource kubernetes:networking.k8s.io/v1:Ingress"),
        ("docker", 0, "package docker"),
        ("Image", 2, both),
        ("elemnt", 2, "there is no page about `elemnt`; did you mean `element`?"),
    ] {
        let shown = pcl(["explain", topic, "--schema-dir", place]);
        let said = format!("{}{}", shown.stdout, shown.stderr);
        assert!(shown.status == status && said.contains(expected), "{topic}: {said}");
    }
    let unknown = pcl(["schema", "show", "aws:s3:Bucket", "--schema-dir", place]);
    assert!(!unknown.stderr.contains("did you mean"), "{}", unknown.stderr);
}

#[test]
fn what_is_not_there() {
    let mut shown = String::new();
    for arguments in [
        "show harbor:network:Netwrk",
        "show harbor:nowhere:Network",
        "show harbour:network:Network",
        "show harbour",
        "ls harbor@9.9.9",
        "ls harbor@nine",
        "ls garbled",
    ] {
        let run = schema(arguments);
        assert_eq!(run.status, 2, "{arguments}: {}", run.stdout);
        let _ = writeln!(shown, "$ pcl schema {arguments}\n{}", run.stderr);
    }
    assert_eq!(schema("search --package harbor no-such-thing-at-all").status, 1);
    insta::assert_snapshot!(shown);
}

/// The schemas of the corpus that are broken on purpose.
const BROKEN: [&str; 2] = ["cracked", "garbled"];

/// Parts that few resources have, in text.
#[test]
fn shows_aliases_and_listings() {
    let place = scratch("schema-show");
    write(
        &place.join("tower-1.2.0.json"),
        r#"{"name": "tower", "parameterization": {"baseProvider": {"name": "bridge", "version": "0.1.0"}},
            "dependencies": [{"name": "harbor", "version": "2.1.0"}, {"name": "mathx"}],
            "resources": {
                "tower:a:Room": {"aliases": ["tower:b:Room", {"type": "tower:c:Room"}], "listInputs": {}},
                "tower:a:Hall": {"listInputs": {"properties": {"floor": {"type": "integer"}}}}}}"#,
    );
    let place = place.display().to_string();
    let show = |what: &str| pcl(["schema", "show", what, "--schema-dir", &place]).stdout;
    let shown = ["tower", "tower:a:Room", "tower:a:Hall"].map(show);
    insta::assert_snapshot!(shown.join("\n"));
}

/// The programs that `show` offers have no errors.
#[test]
fn shown_programs_are_valid() {
    let places =
        SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
    let loader = places.loader(None);
    let workspace = Workspace::new(Settings { schemas: places, ..Settings::default() });
    // Only those of the corpus, regardless of the cache of this machine.
    let names = DirectoryLoader::new([root().join(SCHEMAS)]).names();
    let sound = names.iter().filter(|name| !BROKEN.contains(&&***name));
    let mut programs = 0;
    for name in sound {
        let package = loader.load(&PackageRequest::new(&**name)).expect("it is there");
        for section in [Section::Resources, Section::Functions] {
            for member in package.members(section) {
                let view = View::of(&package, member).expect("it can be read");
                if view.kind == "method" {
                    continue;
                }
                let program = view.program.expect("resources and functions have one");
                let checked = workspace.check(&Target::Memory {
                    path: "demo".to_owned(),
                    directory: None,
                    files: vec![("main.pp".to_owned(), program.clone().into_bytes())],
                });
                assert!(checked.is_valid(), "{program}\n{:#?}", checked.diagnostics);
                programs += 1;
            }
        }
    }
    assert!(programs > 0, "none of {names:?} has a program");
}

#[test]
fn checks_files() {
    let place = scratch("schema-check");
    let json = "{\n  \"name\": \"zoo\",\n  \"types\": {\n    \"zoo:a:T\": {\"type\": \"object\", \"properties\": {\"größe\": {\"type\": \"sting\"}}, \"required\": [\"x\"]},\n    \"zoo:a:T\": {\"type\": \"object\", \"properties\": {\"größe\": {\"type\": \"sting\"}}}\n  }\n}\n";
    write(&place.join("zoo.json"), json);
    write(
        &place.join("ark.yml"),
        "name: ark\nresources:\n  ark:a:R:\n    requiredInputs: [plank]\n",
    );
    write(&place.join("odd.json"), b"{\"name\": \"odd\xFF\", \"types\": {\"odd:a:\xC3\": 1}}");
    write(&place.join("fine.json"), "{\"name\": \"fine\"}");
    let check = |arguments: &str| {
        let path = |word: &str| {
            if word.contains('.') {
                place.join(word).display().to_string()
            } else {
                word.to_owned()
            }
        };
        pcl(["schema".to_owned(), "check".to_owned()]
            .into_iter()
            .chain(arguments.split_whitespace().map(path)))
    };
    let clean = |text: &str| text.replace(&place.display().to_string(), "DIR");

    let run = check("zoo.json ark.yml fine.json");
    assert_eq!(run.status, 1);
    insta::assert_snapshot!(clean(&format!("{}{}", run.stdout, run.stderr)));

    let run = check("zoo.json ark.yml --output-format json -q");
    assert!(run.stderr.is_empty());
    let json = run.json();
    let programs: Vec<_> = items(&json, "programs").collect();
    assert_eq!(programs.len(), 2);
    let diagnostic = items(programs[1], "diagnostics").next().expect("a diagnostic");
    assert_eq!(text(diagnostic, "code"), "PCL0459");
    assert_eq!(diagnostic["range"]["start"]["line"], 4);
    assert_eq!(diagnostic["range"]["start"]["column"], 22);

    assert_eq!(check("fine.json").status, 0);
    assert_eq!(check("odd.json").status, 1);
    assert_eq!(check("fine.json missing.json").status, 2);
    assert_eq!(check("").status, 2);
    for (input, status) in
        [("{\"name\": \"a\"}", 0), ("name: a\n", 0), ("name: a\ntypes: 1\n", 1), ("", 1)]
    {
        let run = pcl_with_input(["schema", "check", "-"], input.as_bytes());
        assert_eq!(run.status, status, "{input}: {}", run.stdout);
    }
}

/// References of a schema to other packages are resolved in the places that programs use.
#[test]
fn checks_what_leads_to_other_packages() {
    // The message names the root of a repository.
    let place = scratch_outside("schema-check-others");
    let file = place.join("zoo.json");
    write(
        &file,
        "{\n  \"name\": \"zoo\",\n  \"types\": {\"zoo:a:T\": {\"type\": \"object\", \"properties\": {\n    \"a\": {\"$ref\": \"/ark/v1.0.0/schema.json#/types/ark:a:T\"},\n    \"b\": {\"$ref\": \"/ark/v1.0.0/schema.json#/types/ark:a:U\"}\n  }}}\n}\n",
    );
    let check = |flags: &[&str]| {
        let file = file.display().to_string();
        let fixed = ["schema", "check", &file, "--output-format", "concise", "-q"];
        let run = pcl([&fixed[..], flags].concat());
        let place = place.display().to_string();
        (run.status, run.stdout.replace(&place, "DIR"))
    };
    let missing = "DIR/zoo.json:4:19: LEVEL[PCL0408] another package could not be loaded: no schema for ark 1.0.0; searched `schemas` beside the program and its project file\n";
    assert_eq!(check(&[]), (1, missing.replace("LEVEL", "error")));
    let warned = check(&["--missing-schema", "warn"]);
    assert_eq!(warned, (0, missing.replace("LEVEL", "warning")));
    assert_eq!(check(&["--missing-schema", "ignore"]), (0, String::new()));
    write(
        &place.join("schemas/ark-1.0.0.json"),
        r#"{"name": "ark", "types": {"ark:a:T": {"type": "object"}}}"#,
    );
    assert_eq!(
        check(&[]),
        (
            1,
            "DIR/zoo.json:5:19: error[PCL0455] the package ark 1.0.0 does not have this type\n"
                .to_owned()
        )
    );
}
