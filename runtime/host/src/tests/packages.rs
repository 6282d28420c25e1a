//! The packages of programs, as the reference names them.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::engine::{Engine, Pair, directory, info, with_engine};
use crate::protocol::language::{
    DiagnosticsResponse, GeneratePackageRequest, ProgramDependenciesRequest,
    ProgramDependenciesResponse, RequiredPackagesRequest, RequiredPackagesResponse,
};

/// The recorded answers of Pulumi's own host.
fn vectors() -> Vec<Json> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/host.json");
    let text = std::fs::read_to_string(path).unwrap();
    let document: Json = serde_json::from_str(&text).unwrap();
    document["cases"].as_array().unwrap().clone()
}

/// An answer as the vectors write it: without fields that are empty.
fn packages(answer: RequiredPackagesResponse) -> Json {
    let package = |package: crate::protocol::language::PackageDependency| {
        let parameterization = package.parameterization.map(|it| {
            let value = base64::Engine::encode(&base64::prelude::BASE64_STANDARD, it.value);
            json!({ "name": it.name, "version": it.version, "value": value })
        });
        without_empty(json!({
            "name": package.name, "kind": package.kind, "version": package.version,
            "server": package.server, "parameterization": parameterization,
        }))
    };
    let packages: Vec<Json> = answer.packages.into_iter().map(package).collect();
    without_empty(json!({ "packages": packages }))
}

fn dependencies(answer: ProgramDependenciesResponse) -> Json {
    let dependencies = answer.dependencies.into_iter();
    let dependencies: Vec<Json> = dependencies
        .map(|it| without_empty(json!({ "name": it.name, "version": it.version })))
        .collect();
    without_empty(json!({ "dependencies": dependencies }))
}

fn without_empty(mut object: Json) -> Json {
    let fields = object.as_object_mut().unwrap();
    fields.retain(|_, value| *value != json!("") && *value != json!([]) && !value.is_null());
    object
}

#[test]
fn programs_need_the_packages_that_the_reference_names() {
    with_engine(Engine::default(), |pair| async move {
        let mut count = 0;
        for case in vectors().iter().filter(|case| case["rpc"] == "packages") {
            let files = case["files"].as_object().unwrap();
            let files: Vec<(&str, &str)> =
                files.iter().map(|(name, text)| (name.as_str(), text.as_str().unwrap())).collect();
            let program = directory(&files);
            let id = case["id"].as_str().unwrap();
            check(&pair, id, case, program.path()).await;
            count += 1;
        }
        assert_eq!(count, 25);
    });
}

async fn check(pair: &Pair, id: &str, case: &Json, program: &Path) {
    let request = RequiredPackagesRequest { info: Some(info(program)) };
    let method = "/pulumirpc.LanguageRuntime/GetRequiredPackages";
    let required = pair.call(method, request).await.map(packages);
    let request = ProgramDependenciesRequest { info: Some(info(program)) };
    let method = "/pulumirpc.LanguageRuntime/GetProgramDependencies";
    let found = pair.call(method, request).await.map(dependencies);
    for (answer, method) in [(required, "GetRequiredPackages"), (found, "GetProgramDependencies")] {
        let expected = &case[method];
        match answer {
            // A resource that is only read needs its package too (F49).
            Ok(answer) if id == "read" => assert_ne!(answer, json!({})),
            Ok(answer) => assert_eq!(answer, *expected, "{id}: {method}"),
            Err(status) => {
                assert!(expected["error"].is_string(), "{id}: {method}: {status}");
                assert!(status.message().contains(".pp:"), "{id}: {status}");
            }
        }
    }
}

/// Pulumi keeps a copy of the block below the program when it adds a package.
#[test]
fn the_blocks_of_the_program_win_over_those_below_it() {
    let block = |name: &str, version: &str| {
        format!(
            "package {{\n  baseProviderName = \"{name}\"\n  \
             baseProviderVersion = \"{version}\"\n}}\n"
        )
    };
    let required = |files: Vec<(&'static str, String)>| {
        let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let program = directory(&files);
        let packages = crate::packages::required(program.path())?;
        let shown = packages.iter().map(|it| format!("{} {}", it.name, it.version().unwrap()));
        Ok::<_, String>(shown.collect::<Vec<_>>())
    };
    let packages = required(vec![
        ("main.pp", block("toy", "1.1.0")),
        ("sdks/toy/toy-1.0.0.pp", block("toy", "1.0.0")),
        ("sdks/zoo/zoo-2.0.0.pp", block("zoo", "2.0.0")),
    ]);
    assert_eq!(packages.unwrap(), ["toy 1.1.0", "zoo 2.0.0"]);
    let contradiction =
        required(vec![("a/a.pp", block("toy", "1.1.0")), ("b/b.pp", block("toy", "1.0.0"))]);
    assert!(contradiction.unwrap_err().contains("b.pp:1"));
}

#[test]
fn package_files_are_those_of_the_reference() {
    with_engine(Engine::default(), |pair| async move {
        let mut count = 0;
        for case in vectors().iter().filter(|case| case["rpc"] == "GeneratePackage") {
            let target = directory(&[]);
            let request = GeneratePackageRequest {
                directory: target.path().to_str().unwrap().into(),
                schema: case["schema"].to_string(),
                ..GeneratePackageRequest::default()
            };
            let method = "/pulumirpc.LanguageRuntime/GeneratePackage";
            let answer = pair.call::<_, DiagnosticsResponse>(method, request).await;
            assert_eq!(answer.is_err(), case["error"].is_string(), "{}", case["id"]);
            let mut written = serde_json::Map::new();
            for entry in std::fs::read_dir(target.path()).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                written.insert(name, std::fs::read_to_string(path).unwrap().into());
            }
            let none = serde_json::Map::new();
            let expected = case["written"].as_object().unwrap_or(&none);
            assert_eq!(&written, expected, "{}", case["id"]);
            count += 1;
        }
        assert_eq!(count, 5);
    });
}
